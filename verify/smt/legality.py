"""The legality of one move as one formula over a move signature.

The formula is written once, over rules and signatures whose parts are known values or unknowns of
Z3. With the rules of a ruleset it is a third execution of the rules, beside the reference moves
and the compiled kernel; with the unknown rules of a theory it gives worked examples their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import z3
from z3.z3util import get_vars

from spec.cards import RANKS, Card, Pack
from spec.errors import Unsupported
from spec.relations import Face, Term, above, builds, first_with_cards
from spec.ruleset import Build, FoundationBuild, Ruleset
from verify.rules import unsupported
from verify.signature import MoveSignature
from verify.smt.logic import FOLDING, Undecided, formula, pick, z3_errors

SOURCES = ("tableau", "foundation", "reserve", "waste")
"""The kinds of pile from which a player takes cards."""

FILLERS = ("stock", "waste", "reserve")
"""The kinds of pile from which a space is filled automatically."""

UNITS = ("card", "group", "whole_group", "pile", "any")


class Stocked(NamedTuple):
    """Which of the piles that fill spaces have cards."""

    stock: Term
    waste: Term
    reserve: Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A build policy of known or unknown values."""

    step: Term
    suit: Term
    wrap: Term

    def allows(self, card: Face, onto: Face, *, base: Term, ranks: int) -> Term:
        """Whether ``card`` may be built on ``onto``."""
        return builds(
            card,
            onto,
            step=self.step,
            relation=self.suit,
            wrap=self.wrap,
            base=base,
            ranks=ranks,
            logic=FOLDING,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTerms:
    """The rules that the legality of a move depends on, of known or unknown values.

    ``has_room`` says whether a foundation of so many cards takes another; the mappings say from
    which kinds of pile cards may come; ``space_from(kind, stocked)`` whether a player may fill a
    space from there in a state, which no automatic fill may want; ``space_accepts`` is asked
    ``any``, ``low``, ``high`` or the letter of a rank.
    """

    ranks: int
    start: Term
    foundation: Policy
    has_room: Callable[[Term], Term]
    tableau: Policy
    run: Policy
    unit: Term
    to_foundation: Mapping[str, Term]
    to_tableau: Mapping[str, Term]
    space_from: Callable[[str, Stocked], Term]
    space_accepts: Callable[[str], Term]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveTerms:
    """A move signature whose cards, numbers and states are known or unknown."""

    source: str
    target: str
    group: tuple[Face, ...]
    beneath: Face | None
    whole_pile: bool
    face_down: bool
    onto: Face | None
    length: Term
    base: Term | None
    stocked: Stocked


def face_of(card: Card, pack: Pack) -> Face:
    """What relations look at in a card."""
    return Face(card.rank, card.suit, pack.colour(card.suit))


def is_legal(rules: RuleTerms, move: MoveTerms) -> Term:
    """Whether a move is legal."""
    if move.source not in SOURCES or move.target not in ("foundation", "tableau"):
        return False
    if move.face_down:
        return False
    among_tableau = move.source == move.target == "tableau"
    return FOLDING.all_of(
        moves_together(rules, move) if among_tableau else len(move.group) == 1,
        _may_come(rules, move),
        fits(rules, move),
    )


def moves_together(rules: RuleTerms, move: MoveTerms) -> Term:
    """Whether the group moves as a unit from one tableau pile to another."""
    logic, group = FOLDING, move.group
    run = logic.all_of(*(_in_a_run(rules, move, card, onto) for onto, card in pairwise(group)))
    goes_on = move.beneath is not None and _in_a_run(rules, move, group[0], move.beneath)
    return logic.any_of(
        logic.all_of(logic.named(rules.unit, "card"), len(group) == 1),
        logic.all_of(logic.named(rules.unit, "group"), run),
        logic.all_of(logic.named(rules.unit, "whole_group"), run, logic.negate(goes_on)),
        logic.all_of(logic.named(rules.unit, "pile"), run, move.whole_pile),
        logic.named(rules.unit, "any"),
    )


def fits(rules: RuleTerms, move: MoveTerms) -> Term:
    """Whether the target takes the lowest card of the group, wherever it comes from."""
    card = move.group[0]
    if move.target == "foundation":
        if move.onto is None:
            return _starts(rules, card, move.base)
        built = rules.foundation.allows(card, move.onto, base=_base(move), ranks=rules.ranks)
        return FOLDING.all_of(rules.has_room(move.length), built)
    if move.onto is None:
        return _space_takes(rules, card, _base(move))
    return rules.tableau.allows(card, move.onto, base=_base(move), ranks=rules.ranks)


def _may_come(rules: RuleTerms, move: MoveTerms) -> Term:
    if move.target == "foundation":
        return rules.to_foundation[move.source]
    if move.onto is None:
        return rules.space_from(move.source, move.stocked)
    return rules.to_tableau[move.source]


def _in_a_run(rules: RuleTerms, move: MoveTerms, card: Face, onto: Face) -> Term:
    return rules.run.allows(card, onto, base=_base(move), ranks=rules.ranks)


def _base(move: MoveTerms) -> Term:
    """The base rank; one that is not set yet counts as an ace."""
    return 1 if move.base is None else move.base


def _starts(rules: RuleTerms, card: Face, base: Term | None) -> Term:
    logic = FOLDING
    return logic.any_of(
        logic.named(rules.start, "any"),
        logic.all_of(logic.named(rules.start, "low"), base is None or card.rank == base),
        logic.all_of(
            logic.named(rules.start, "high"), base is None or _is_high(card.rank, base, rules.ranks)
        ),
        *(
            logic.all_of(logic.named(rules.start, letter), card.rank == rank)
            for rank, letter in enumerate(RANKS, start=1)
        ),
    )


def _is_high(rank: Term, base: Term, ranks: int) -> Term:
    return above(base, rank, base=base, wrap="full", ranks=ranks, logic=FOLDING)


def _space_takes(rules: RuleTerms, card: Face, base: Term) -> Term:
    logic, accepts = FOLDING, rules.space_accepts
    return logic.any_of(
        accepts("any"),
        logic.all_of(accepts("low"), card.rank == base),
        logic.all_of(accepts("high"), _is_high(card.rank, base, rules.ranks)),
        *(
            logic.all_of(accepts(letter), card.rank == rank)
            for rank, letter in enumerate(RANKS, start=1)
        ),
    )


def rule_terms(ruleset: Ruleset) -> RuleTerms:
    """The rules of a ruleset as known values.

    Raises Unsupported, naming every rule that the engines do not play.
    """
    missing = unsupported(ruleset)
    if missing:
        raise Unsupported("this ruleset", missing)
    (foundations,), (tableau,) = ruleset.foundations, ruleset.tableau
    spaces, ranks = tableau.spaces, ruleset.pack.ranks
    cap = ranks if foundations.cap is None else foundations.cap
    to_tableau = {kind: tableau.from_ is None or kind in tableau.from_ for kind in SOURCES}
    to_space = {kind: kind in spaces.from_ for kind in SOURCES} if spaces.from_ else to_tableau
    returns = foundations.returns == "always"

    def space_from(kind: str, stocked: Stocked) -> Term:
        waiting = FOLDING.any_of(*(getattr(stocked, filler) for filler in spaces.fill or ()))
        comes_back = returns or kind != "foundation"
        return FOLDING.all_of(to_space[kind], comes_back, FOLDING.negate(waiting))

    return RuleTerms(
        ranks=ranks,
        start=foundations.start,
        foundation=_policy(foundations.build),
        has_room=lambda length: cap == "unlimited" or length < cap,
        tableau=_policy(tableau.build),
        run=replace(
            _policy(tableau.build),
            step=tableau.move.step or tableau.build.step,
            suit=tableau.move.suit or tableau.build.suit,
        ),
        unit=tableau.move.unit,
        to_foundation={kind: returns or kind != "foundation" for kind in SOURCES},
        to_tableau={
            kind: to_tableau[kind] and (returns or kind != "foundation") for kind in SOURCES
        },
        space_from=space_from,
        space_accepts=lambda name: name in _accepted(spaces.accept),
    )


def _accepted(accept: str | Sequence[str]) -> Sequence[str]:
    return (accept,) if isinstance(accept, str) else accept


def _policy(build: Build | FoundationBuild) -> Policy:
    return Policy(step=build.step, suit=build.suit, wrap=build.wrap)


class Legality:
    """Answers about single moves under one ruleset, worked out by Z3.

    Does not know what a move leads to: no turning up, no filling, no goal.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._rules = rule_terms(ruleset)
        self._pack = ruleset.pack.pack()
        self._passes = 1 if ruleset.stock is None else ruleset.stock.passes
        self._chain = tuple(ruleset.tableau[0].spaces.fill or ())
        self._questions: dict[tuple[Any, ...], _Question] = {}
        self._answers: dict[MoveSignature, bool] = {}
        self._known: dict[tuple[Any, ...], bool] = {}

    def legal(self, signature: MoveSignature) -> bool:
        """Whether a move of cards from one pile to another is legal."""
        if signature not in self._answers:
            self._answers[signature] = self._ask(signature)
        return self._answers[signature]

    def fill(self, *, stock: bool, waste: bool, reserve: bool) -> str | None:
        """The kind of pile that fills a space automatically, None if the player may choose.

        The arguments say which piles have cards.
        """
        code = _value(_fill_code(self._chain), (stock, waste, reserve))
        return (*FILLERS, None)[code.as_long()]

    def deal(self, *, stock: bool, waste: bool, passes: int) -> str | None:
        """What the stock does when it is turned: ``draw``, ``redeal`` or nothing.

        ``passes`` counts the passes that have begun.
        """
        limit = None if self._passes == "unlimited" else self._passes
        code = _value(_deal_code(limit), (stock, waste), number=passes)
        return ("draw", "redeal", None)[code.as_long()]

    def _ask(self, signature: MoveSignature) -> bool:
        shape = (
            *(signature.source, signature.target, len(signature.group)),
            *(signature.whole_pile, signature.face_down),
            *(signature.beneath is None, signature.onto is None, signature.base is None),
        )
        if shape not in self._questions:
            term = formula(is_legal(self._rules, _unknown_move(signature)))
            self._questions[shape] = _question(term)
        question = self._questions[shape]
        values = self._values(signature)
        # Most answers depend on few of the values: the same ones are asked about once.
        known = (shape, *(values[name] for name in question.unknowns))
        if known not in self._known:
            self._known[known] = _answer(question, values)
        return self._known[known]

    def _values(self, signature: MoveSignature) -> dict[str, int | bool]:
        cards = {f"card{index}": card for index, card in enumerate(signature.group)}
        cards |= {"beneath": signature.beneath} if signature.beneath else {}
        cards |= {"onto": signature.onto} if signature.onto else {}
        values: dict[str, int | bool] = {
            "length": signature.length,
            "base": signature.base or 1,
            "stock": signature.stock,
            "waste": signature.waste,
            "reserve": signature.reserve,
        }
        letters = [letter for letter, _ in self._pack.suits]
        colours = [colour for _, colour in self._pack.suits]
        for name, card in cards.items():
            values[f"{name}.rank"] = card.rank
            values[f"{name}.suit"] = letters.index(card.suit)
            values[f"{name}.colour"] = colours.index(self._pack.colour(card.suit))
        return values


class _Question(NamedTuple):
    """Whether moves of one shape are legal, and the names of what that depends on.

    The unknowns are numbered in the term: putting values in their places is quick then.
    """

    term: z3.BoolRef
    unknowns: tuple[str, ...]


def _question(term: z3.BoolRef) -> _Question:
    unknowns = sorted(get_vars(term), key=str)
    places = [(one, z3.Var(place, one.sort())) for place, one in enumerate(unknowns)]
    return _Question(z3.substitute(term, *places), tuple(map(str, unknowns)))


def _answer(question: _Question, values: Mapping[str, int | bool]) -> bool:
    with z3_errors():
        known = [_value_of(values[name]) for name in question.unknowns]
        answer = z3.simplify(z3.substitute_vars(question.term, *known))
    if not (z3.is_true(answer) or z3.is_false(answer)):
        raise Undecided(f"{answer} is left over")
    return bool(z3.is_true(answer))


# Typed, as 1 and True are equal.
@lru_cache(maxsize=4096, typed=True)
def _value_of(value: Term) -> Any:
    return z3.BoolVal(value) if isinstance(value, bool) else z3.IntVal(value)


def legality(ruleset: Ruleset) -> Legality:
    """The legality of single moves under a ruleset; Unsupported if it is not played."""
    return Legality(ruleset)


def _unknown_face(name: str) -> Face:
    return Face(z3.Int(f"{name}.rank"), z3.Int(f"{name}.suit"), z3.Int(f"{name}.colour"))


def _unknown_move(signature: MoveSignature) -> MoveTerms:
    return MoveTerms(
        source=signature.source,
        target=signature.target,
        group=tuple(_unknown_face(f"card{index}") for index in range(len(signature.group))),
        beneath=_unknown_face("beneath") if signature.beneath else None,
        whole_pile=signature.whole_pile,
        face_down=signature.face_down,
        onto=_unknown_face("onto") if signature.onto else None,
        length=z3.Int("length"),
        base=None if signature.base is None else z3.Int("base"),
        stocked=Stocked(*(z3.Bool(name) for name in FILLERS)),
    )


@lru_cache(maxsize=64)
def _fill_code(chain: tuple[str, ...]) -> z3.ArithRef:
    """The number among the fillers of the first in the chain that has cards, else one more."""
    sources = [(z3.Bool(kind), z3.IntVal(FILLERS.index(kind))) for kind in chain]
    answer: z3.ArithRef = first_with_cards(sources, otherwise=z3.IntVal(len(FILLERS)), pick=pick)
    return answer


@lru_cache(maxsize=64)
def _deal_code(limit: int | None) -> z3.ArithRef:
    """0: a card is dealt; 1: the waste becomes the stock; 2: nothing."""
    left = True if limit is None else z3.Int("number") < limit
    redeal = FOLDING.all_of(z3.Bool("waste"), left)
    answer: z3.ArithRef = pick(
        z3.Bool("stock"), z3.IntVal(0), pick(redeal, z3.IntVal(1), z3.IntVal(2))
    )
    return answer


def _value(term: Any, states: tuple[bool, ...], *, number: int = 0) -> Any:
    values = [(z3.Bool(name), z3.BoolVal(has)) for name, has in zip(FILLERS, states, strict=False)]
    return z3.simplify(z3.substitute(term, *values, (z3.Int("number"), z3.IntVal(number))))
