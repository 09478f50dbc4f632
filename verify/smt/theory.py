"""The space of rules: one unknown for every parameter, and the laws that no game breaks.

A game is a value for every unknown. The unknowns are finite, so that every question about them has
an answer. Beside the parameters there are a flag for every way that cards may take
(``waste->tableau``) and a table that says, for every state of stock, waste and reserve, by whom and
from where a space is filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import z3

from spec.cards import RANKS
from spec.parameters import PARAMETERS, PILE_KINDS, Choice, Number, Silence, Value
from spec.relations import Term
from verify.smt.legality import SOURCES, Policy, RuleTerms, Stocked
from verify.smt.logic import FOLDING, Unknown

TARGETS = ("foundation", "tableau", "reserve", "waste", "cell")
"""The kinds of pile that a statement may say cards go to."""

FILL_BY = ("automatic", "player")
_SUITS = 4


class FillState(NamedTuple):
    """Which of the piles that fill spaces have cards."""

    stock: bool
    waste: bool
    reserve: bool

    def has(self, kind: str) -> bool:
        """Whether piles of this kind may have cards; the other kinds always may."""
        return getattr(self, kind, True)


STATES = tuple(FillState(*flags) for flags in product((False, True), repeat=3))
"""Every state in which a space may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """What holds in every game, or what silence stands for: a sentence and its formula.

    ``counts``: it is about numbers of cards. ``silent``: it is what silence stands for.
    """

    name: str
    text: str
    term: Term
    counts: bool = False
    silent: bool = False


class Theory:
    """The unknowns of one game, with the formulas that say what a value is."""

    def __init__(self) -> None:
        self._unknowns = {
            path: _unknown(path) for path, found in PARAMETERS.items() if _has_values(found.domain)
        }
        self.ranges = [
            Law(name=f"range of {path}", text="", term=_in_range(path, unknown))
            for path, unknown in self._unknowns.items()
        ]

    def is_(self, path: str, value: Value) -> Term:
        """The formula that a parameter has a value."""
        return self.value(path).named(value)

    def value(self, path: str) -> Unknown:
        """The unknown of a parameter."""
        return self._unknowns[path]

    def number(self, path: str) -> z3.ArithRef:
        """The number of a parameter; words are negative."""
        return self._unknowns[path].term

    def way(self, source: str, target: str) -> Term:
        """The flag that cards may move from one kind of pile to another, one that has cards."""
        return z3.Bool(f"{source}->{target}")

    def fills(self, state: FillState, source: str) -> Term:
        """The flag that a space may be filled from a kind of pile in a state."""
        return z3.Bool(f"fill from {source} in {_name(state)}")

    def filled_by(self, state: FillState) -> Unknown:
        """By whom a space is filled in a state; any other number stands for nobody."""
        return Unknown(term=z3.Int(f"fill by in {_name(state)}"), values=FILL_BY)

    def base_is(self, rank: int) -> Term:
        """The formula that a game of these rules may have this base rank."""
        fixed = self.is_("pack.base", RANKS[rank - 1])
        return FOLDING.any_of(fixed, self.is_("pack.base", "first_card"))

    def rules(self) -> RuleTerms:
        """The unknown rules that the legality of a move depends on."""
        wrap = self.value("tableau.build.wrap")
        cap = self.value("foundations.cap")
        return RuleTerms(
            ranks=len(RANKS),
            start=self.value("foundations.start"),
            foundation=self._policy("foundations.build", self.value("foundations.build.wrap")),
            has_room=lambda length: FOLDING.any_of(cap.named("unlimited"), length < cap.term),
            tableau=self._policy("tableau.build", wrap),
            run=self._policy("tableau.move", wrap),
            unit=self.value("tableau.move.unit"),
            to_foundation={kind: self.way(kind, "foundation") for kind in SOURCES},
            to_tableau={kind: self.way(kind, "tableau") for kind in SOURCES},
            space_from=self._space_from,
            space_accepts=lambda name: self.is_("tableau.spaces.accept", name),
        )

    def _policy(self, path: str, wrap: Unknown) -> Policy:
        return Policy(step=self.value(f"{path}.step"), suit=self.value(f"{path}.suit"), wrap=wrap)

    def _space_from(self, kind: str, stocked: Stocked) -> Term:
        """The player fills spaces in this state, and from there; the state must be known."""
        state = FillState(*stocked)
        return FOLDING.all_of(self.filled_by(state).named("player"), self.fills(state, kind))


def _has_values(domain: object) -> bool:
    return isinstance(domain, (Choice, Number))


class _Count(Unknown):
    """A number in Z3 that stands for itself; words are negative numbers."""

    def _is(self, name: str | int) -> Term:
        return self.term == (name if isinstance(name, int) else -1 - self.values.index(name))


def _unknown(path: str) -> Unknown:
    domain = PARAMETERS[path].domain
    if isinstance(domain, Number):
        return _Count(term=z3.Int(path), values=domain.words)
    assert isinstance(domain, Choice)
    return Unknown(term=z3.Int(path), values=domain.values)


def _in_range(path: str, unknown: Unknown) -> Term:
    domain = PARAMETERS[path].domain
    if isinstance(domain, Number):
        numbers = z3.And(unknown.term >= domain.low, unknown.term <= domain.high)
        return FOLDING.any_of(numbers, *(unknown.named(word) for word in domain.words))
    return z3.And(unknown.term >= 0, unknown.term < len(unknown.values))


def _name(state: FillState) -> str:
    has = [kind for kind, flag in zip(FillState._fields, state, strict=True) if flag]
    return f"({' '.join(has) or 'all empty'})"


def laws(theory: Theory) -> list[Law]:
    """What holds in every game, in a fixed order."""
    return [*_counting_laws(theory), *_foundation_laws(theory), *_space_laws(theory)]


def _counting_laws(theory: Theory) -> list[Law]:
    number = theory.number
    on_foundations = theory.is_("goal.when", "foundations")
    dealt = [f"{group}.cards" for group in ("tableau", "reserve", "stock")]
    dealt += ["foundations.deal", "waste.deal", "cells.deal"]
    return [
        Law(
            name="pack",
            text="a deck has 52 cards",
            term=number("pack.cards") == len(RANKS) * _SUITS * number("pack.decks"),
            counts=True,
        ),
        Law(
            name="deal",
            text="the deal and the stock use every card of the pack once",
            term=number("pack.cards") == z3.Sum(*(number(path) for path in dealt)),
            counts=True,
        ),
        *(_product_law(theory, group) for group in ("tableau", "reserve")),
        Law(
            name="face down",
            text="a pile has no more face-down cards than cards",
            term=z3.Implies(
                number("tableau.deal") >= 0, number("tableau.face_down") <= number("tableau.deal")
            ),
            counts=True,
        ),
        Law(
            name="seeds",
            text="no more foundations start with a card than there are",
            term=number("foundations.deal") <= number("foundations.piles"),
            counts=True,
        ),
        Law(
            name="suits",
            text="the foundations are shared out among four suits",
            term=number("foundations.piles") == _SUITS * number("foundations.per_suit"),
            counts=True,
        ),
        Law(
            name="goal",
            text="a game that is won with all cards on the foundations is won with the whole pack",
            term=z3.Implies(on_foundations, number("goal.cards") == number("pack.cards")),
            counts=True,
        ),
        Law(
            name="shares",
            text="at the end the cards are shared out evenly among the foundations",
            term=z3.Implies(
                on_foundations,
                _is_product(
                    number("goal.cards"), number("foundations.piles"), number("goal.each"), 64
                ),
            ),
            counts=True,
        ),
        Law(
            name="redeals",
            text="there is one redeal fewer than passes",
            term=z3.Or(
                number("stock.redeals") == number("stock.passes") - 1,
                z3.And(
                    theory.is_("stock.redeals", "unlimited"),
                    theory.is_("stock.passes", "unlimited"),
                ),
            ),
            counts=True,
        ),
    ]


def _is_product(total: Any, factor: Any, other: Any, most: int) -> Term:
    """``total`` is ``factor`` (0 to ``most``) times ``other``, case by case: linear for Z3."""
    return z3.And(
        *(z3.Implies(factor == n, total == n * other) for n in range(most + 1)),
    )


def _product_law(theory: Theory, group: str) -> Law:
    piles, deal = theory.number(f"{group}.piles"), theory.number(f"{group}.deal")
    cards = theory.number(f"{group}.cards")
    term = z3.Implies(deal >= 0, _is_product(cards, piles, deal, 64))
    if group == "tableau":
        triangle = [z3.Implies(piles == n, cards == n * (n + 1) // 2) for n in range(1, 65)]
        rest = theory.number("stock.cards") == 0
        term = z3.And(
            term,
            z3.Implies(theory.is_("tableau.deal", "triangle"), z3.And(*triangle)),
            z3.Implies(theory.is_("tableau.deal", "rest"), rest),
        )
    return Law(
        name=f"{group} cards",
        text=f"the {group} takes piles times cards a pile",
        term=term,
        counts=True,
    )


def _foundation_laws(theory: Theory) -> list[Law]:
    base, last = theory.value("pack.base"), theory.value("foundations.last")
    circle = z3.And(
        theory.number("foundations.cap") == len(RANKS),
        theory.is_("foundations.start", "low"),
        z3.Or(theory.is_("foundations.build.wrap", "full"), base.named("A")),
    )
    ends = [
        z3.Implies(
            z3.And(base.named(letter), theory.is_("foundations.build.step", step)),
            last.named(RANKS[(rank + offset) % len(RANKS)]),
        )
        for rank, letter in enumerate(RANKS)
        for step, offset in (("up", -1), ("down", 1))
    ]
    dealt = base.named("first_card")
    back = [theory.way("foundation", target) for target in TARGETS]
    back += [theory.fills(state, "foundation") for state in STATES]
    return [
        Law(
            name="end",
            text="a complete foundation ends on the rank before the one that it starts on",
            term=z3.Implies(circle, z3.And(*ends)),
        ),
        Law(
            name="dealt end",
            text="where the base rank is dealt, the last rank changes with it",
            term=z3.Implies(dealt, last.named("varies")),
        ),
        Law(
            name="dealt start",
            text="where the base rank is dealt, no other rank is fixed to go first",
            term=z3.Implies(
                dealt, z3.Or(*(theory.is_("foundations.start", s) for s in ("low", "high", "any")))
            ),
        ),
        Law(
            name="returns",
            text="what never moves back from a foundation goes nowhere",
            term=z3.Implies(theory.is_("foundations.returns", "never"), z3.Not(z3.Or(*back))),
        ),
    ]


def _space_laws(theory: Theory) -> list[Law]:
    return [
        Law(
            name="no choice",
            text="an automatic fill leaves no choice",
            term=z3.And(*(_no_choice(theory, state) for state in STATES)),
        ),
    ]


def _no_choice(theory: Theory, state: FillState) -> Term:
    """Exactly one of the piles with one card in play, or none of the others."""
    single = ("stock", "waste", "reserve")
    one = z3.PbEq([(theory.fills(state, kind), 1) for kind in single], 1)
    others = [theory.fills(state, kind) for kind in PILE_KINDS if kind not in single]
    return z3.Implies(
        theory.filled_by(state).named("automatic"), z3.And(one, z3.Not(z3.Or(*others)))
    )


def silences(theory: Theory, mentioned: frozenset[str]) -> list[Law]:
    """What it stands for that a document does not mention a parameter, in a fixed order.

    Gives way as soon as some statement mentions it. What is a gap has no law.
    """
    ordinary = [
        Law(
            name=f"silence about {path}",
            text=found.follows,
            term=theory.is_(path, found.means),
            counts=isinstance(found.domain, Number),
            silent=True,
        )
        for path, found in PARAMETERS.items()
        if found.silence is Silence.NO and found.means is not None
    ]
    wraps = {"tableau.build.wrap", "foundations.build.wrap"}
    number = theory.number
    conditional = {
        "foundations.piles": (
            "there is one foundation for every suit of every deck",
            number("foundations.piles") == _SUITS * number("pack.decks"),
        ),
        "tableau.move.suit": (
            "groups are built like the piles",
            _same(theory, "tableau.move.suit", "tableau.build.suit"),
        ),
        "tableau.move.step": (
            "groups are built like the piles",
            _same(theory, "tableau.move.step", "tableau.build.step"),
        ),
    }
    if not mentioned & wraps:
        conditional["tableau.build.wrap"] = (
            "the tableau does not wrap",
            theory.is_("tableau.build.wrap", "none"),
        )
    if "goal.each" in mentioned:
        conditional["foundations.cap"] = (
            "a foundation takes no card beyond those that it holds at the end",
            number("foundations.cap") == number("goal.each"),
        )
    if not any(path.startswith("reserve.") for path in mentioned):
        conditional["reserve.piles"] = ("there is no reserve", number("reserve.piles") == 0)
    elif "reserve.deal" in mentioned:
        conditional["reserve.piles"] = ("there is one reserve", number("reserve.piles") == 1)
    return [law for law in ordinary if law.name.removeprefix("silence about ") not in mentioned] + [
        Law(
            name=f"silence about {path}",
            text=text,
            term=term,
            counts=isinstance(PARAMETERS[path].domain, Number),
            silent=True,
        )
        for path, (text, term) in conditional.items()
        if path not in mentioned
    ]


def _same(theory: Theory, path: str, other: str) -> Term:
    return theory.number(path) == theory.number(other)
