"""What worked examples and universals mean, under rules that may be known or unknown.

An example is taken apart into parts, each a condition with the words for its failing, so that the
same text that gives an example its meaning says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import NamedTuple

from spec.cards import RANK_NAMES, Card, Pack
from spec.relations import Face, Term
from spec.statement import Example, Fits, Reading, cards_of
from verify.smt.legality import (
    SOURCES,
    MoveTerms,
    RuleTerms,
    Stocked,
    face_of,
    fits,
    is_legal,
    moves_together,
)
from verify.smt.logic import FOLDING, pick

BASES = tuple(range(1, 14))
"""Every rank that a dealt base can be."""

_PACK = Pack()
_ALL_EMPTY = Stocked(stock=False, waste=False, reserve=False)
_STATES = tuple(Stocked(*flags) for flags in product((False, True), repeat=3))


class Part(NamedTuple):
    """One condition of an example, and what is the case where it fails."""

    term: Term
    otherwise: str


def holds(reading: Reading, rules: RuleTerms, base: int) -> Term:
    """Whether an example or a universal holds where the base rank is ``base``.

    An example without a verdict is taken to show a legal move.
    """
    return FOLDING.all_of(*(part.term for part in parts(reading, rules, base)))


def parts(reading: Reading, rules: RuleTerms, base: int) -> Iterator[Part]:
    """The conditions of an example or a universal, in the order in which a reader checks them."""
    if reading.fits is not None:
        return _universal(reading.fits, rules, base)
    assert reading.example is not None
    return _example(reading.example, rules, base)


def _universal(universal: Fits, rules: RuleTerms, base: int) -> Iterator[Part]:
    """On each of the cards go these cards, and no others of the pack."""
    for onto in cards_of(str(universal.onto)):
        onto_itself = _move_of(_Act((onto,), onto, None), universal.in_, rules, base)
        for card in sorted(_PACK.cards(), key=lambda card: card not in universal.cards):
            move = replace(onto_itself, group=(_face(card),))
            if card in universal.cards:
                if universal.in_ == "foundation":
                    yield _room(move, f"the {onto.name}", rules)
                yield Part(fits(rules, move), f"the {card.name} does not fit on the {onto.name}")
            else:
                also = f"the {card.name} fits on the {onto.name} as well"
                yield Part(FOLDING.negate(fits(rules, move)), also)


def _room(move: MoveTerms, onto: str, rules: RuleTerms) -> Part:
    """Implied by a card fitting on a foundation, and the better explanation where none does."""
    return Part(rules.has_room(move.length), f"a foundation that ends on {onto} is complete")


def _example(example: Example, rules: RuleTerms, base: int) -> Iterator[Part]:
    if example.verdict == "illegal":
        for shown, words in _every_act(example, rules, base):
            yield Part(FOLDING.negate(shown), words)
    elif example.lift is not None:
        yield from _lifted(example, rules, base)
    elif example.onto == "anywhere":
        somewhere = FOLDING.any_of(*(shown for shown, _ in _every_act(example, rules, base)))
        yield Part(somewhere, f"{_in_words(_groups(example)[0])} cannot go anywhere")
    else:
        for acts in _steps(example):
            yield from _step(acts, example, rules, base)


def _every_act(example: Example, rules: RuleTerms, base: int) -> Iterator[tuple[Term, str]]:
    """What an example is about, each move or act with the words for its being legal."""
    if example.lift is not None:
        pile = _cards(example.pile) or _cards(example.lift)
        lifted = _lift(pile, len(example.lift), rules, base)
        yield lifted, f"{_in_words(_cards(example.lift))} can be lifted"
        return
    if example.build is not None:
        moves = (
            part.term for acts in _steps(example) for part in _step(acts, example, rules, base)
        )
        built = _in_words(_cards(example.build))
        yield FOLDING.all_of(*moves), f"{built} can be built on each other"
        return
    if example.onto == "anywhere":
        acts = [
            (_Act(group, onto, None), kind)
            for group, (kind, onto) in product(_groups(example), _places(example))
        ]
    else:
        acts = [(act, _kind(example)) for step in _steps(example) for act in step]
    for act, kind in acts:
        shown = _placed(act, kind, example.from_, rules, base)
        yield shown, f"{_in_words(act.group)} can go on {_pile_in_words(kind, act.onto)}"


def _lifted(example: Example, rules: RuleTerms, base: int) -> Iterator[Part]:
    lift = _cards(example.lift)
    pile = _cards(example.pile) or lift
    refused = "do not move together" if len(lift) > 1 else "cannot be lifted by itself"
    yield Part(_lift(pile, len(lift), rules, base), f"{_in_words(lift)} {refused}")
    for count in range(1, len(pile) + 1) if example.alone else ():
        if count != len(lift):
            others = _lift(pile, count, rules, base)
            yield Part(FOLDING.negate(others), f"{_in_words(pile[-count:])} can be lifted as well")


def _lift(pile: tuple[Card, ...], count: int, rules: RuleTerms, base: int) -> Term:
    """Whether so many cards from the top of a pile move as a unit.

    More cards may lie below the pile that is shown, so that it is never lifted as a whole.
    """
    below = pile[: len(pile) - count]
    move = _move("tableau", pile[-count:], base)
    return moves_together(rules, replace(move, beneath=_face(below[-1]) if below else None))


class _Act(NamedTuple):
    """Cards put on a pile: on its top card, None if it is empty; None for an unknown length."""

    group: tuple[Card, ...]
    onto: Card | None
    length: int | None


def _steps(example: Example) -> list[list[_Act]]:
    """The moves that an example shows, one after the other, each as alternatives."""
    if example.build is None:
        return [[_Act(group, *top) for group in _groups(example) for top in _tops(example)]]
    built = _cards(example.build)
    from_empty = example.onto == "empty"
    first = [_Act((built[0],), None, 0)] if from_empty else []
    later = [
        _Act((card,), onto, number if from_empty else None)
        for number, (onto, card) in enumerate(pairwise(built), start=1)
    ]
    return [[act] for act in (*first, *later)]


def _groups(example: Example) -> list[tuple[Card, ...]]:
    if isinstance(example.place, tuple):
        return [_cards(example.place)]
    return [(card,) for card in cards_of(str(example.place))]


def _tops(example: Example) -> list[tuple[Card | None, int | None]]:
    """The top card of the target, if any, and its number of cards, if it is known."""
    if example.onto == "empty":
        return [(None, 0)]
    if isinstance(example.onto, tuple):
        pile = _cards(example.onto)
        return [(pile[-1], len(pile))]
    return [(card, None) for card in cards_of(str(example.onto))]


def _step(acts: list[_Act], example: Example, rules: RuleTerms, base: int) -> Iterator[Part]:
    """One move of an example: legal for some of the alternatives."""
    kind, source = _kind(example), example.from_
    tops = {act.onto.rank for act in acts if act.onto is not None}
    if kind == "foundation" and len(tops) == 1:
        yield _room(_move_of(acts[0], kind, rules, base), _onto_in_words(acts), rules)
    refused = f"{_group_in_words(acts)} cannot go on {_onto_in_words(acts, kind)}"
    legal = (_placed(act, kind, source, rules, base) for act in acts)
    yield Part(FOLDING.any_of(*legal), refused)


def _places(example: Example) -> Iterator[tuple[str, Card | None]]:
    """The piles that an example does not rule out, by kind and top card."""
    deck: list[Card | None] = [*_PACK.cards()]
    places: dict[str, tuple[str, list[Card | None]]] = {
        "no space": ("tableau", [None]),
        "no tableau pile fits": ("tableau", deck),
        "no foundation fits": ("foundation", [*deck, None]),
    }
    for given, (kind, tops) in places.items():
        if given not in example.given:
            yield from ((kind, onto) for onto in tops)


def _placed(act: _Act, kind: str, source: str | None, rules: RuleTerms, base: int) -> Term:
    """Whether the cards fit; and may come from there, where an example says from where.

    A group comes from the tableau. A space is asked about with every source and in every state.
    """
    move = _move_of(act, kind, rules, base)
    if source is None and len(act.group) > 1:
        source = "tableau"
    in_space = kind == "tableau" and act.onto is None
    if source is None and not in_space:
        return fits(rules, move)
    sources = SOURCES if source is None else (source,)
    states = _STATES if in_space else (_ALL_EMPTY,)
    return FOLDING.any_of(
        *(
            is_legal(rules, replace(move, source=each, stocked=state))
            for each in sources
            for state in states
            if not in_space or getattr(state, each, True)
        )
    )


def _move_of(act: _Act, kind: str, rules: RuleTerms, base: int) -> MoveTerms:
    length: Term = act.length or 0
    if kind == "foundation" and act.onto is not None and act.length is None:
        length = _height(rules, act.onto.rank, base)
    return replace(_move(kind, act.group, base, onto=act.onto), length=length)


def _height(rules: RuleTerms, rank: int, base: int) -> Term:
    """How many cards a foundation has whose top card is of ``rank``.

    Follows from the first rank and the direction; one card where these are none of the usual.
    """
    height: Term = 1
    first = {"low": base, "high": (base - 2) % rules.ranks + 1}
    for start, (step, sign) in product(first, (("up", 1), ("down", -1))):
        usual = FOLDING.all_of(
            FOLDING.named(rules.start, start), FOLDING.named(rules.foundation.step, step)
        )
        height = pick(usual, sign * (rank - first[start]) % rules.ranks + 1, height)
    return height


def _move(
    target: str, group: tuple[Card, ...], base: int, *, onto: Card | None = None
) -> MoveTerms:
    return MoveTerms(
        source="tableau",
        target=target,
        group=tuple(_face(card) for card in group),
        beneath=None,
        whole_pile=False,
        face_down=False,
        onto=None if onto is None else _face(onto),
        length=0,
        base=base,
        stocked=_ALL_EMPTY,
    )


def _face(card: Card) -> Face:
    return face_of(card, _PACK)


def _kind(example: Example) -> str:
    assert example.in_ is not None
    return example.in_


def _cards(names: tuple[str, ...] | None) -> tuple[Card, ...]:
    return tuple(_PACK.parse(name) for name in names or ())


def _in_words(group: tuple[Card, ...]) -> str:
    *most, last = [f"the {card.name}" for card in group]
    return f"{', '.join(most)} and {last}" if most else last


def _pile_in_words(kind: str, onto: Card | None) -> str:
    if onto is not None:
        return f"the {onto.name}"
    return "an empty tableau pile" if kind == "tableau" else "an empty foundation"


def _group_in_words(acts: list[_Act]) -> str:
    """The group of the alternatives: its cards, or the rank that they have in common."""
    groups = {act.group for act in acts}
    return _in_words(acts[0].group) if len(groups) == 1 else _of_rank(acts[0].group[0])


def _onto_in_words(acts: list[_Act], kind: str = "foundation") -> str:
    """What the alternatives lie on: a card, or the rank that they have in common."""
    onto = acts[0].onto
    tops = {act.onto for act in acts}
    return _pile_in_words(kind, onto) if onto is None or len(tops) == 1 else _of_rank(onto)


def _of_rank(card: Card) -> str:
    name = RANK_NAMES[card.rank - 1]
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
