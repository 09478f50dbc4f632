"""The exhaustive search against brute force over the reference moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from spec.cards import Card
from tests.rulesets import AUTO_FILL, FREE_SPACES, VARIANTS, small
from tests.verify.search.play import deep_deal
from verify.moves import IllegalMove, apply, is_won, legal_moves
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.search.exhaust import EXHAUSTED, WON, exhaust
from verify.search.moves import line_of
from verify.search.tables import Array, Tables, state_of, tables_of

SUITS = {1: "C", 2: "CD", 3: "CDH", 4: "CDHS"}
COLOURS = {"C": "black", "D": "red", "H": "red", "S": "black"}


def pack(suits: int, ranks: int, decks: int = 1) -> dict[str, Any]:
    """The paths of a pack of so many suits, ranks and decks."""
    letters = {letter: COLOURS[letter] for letter in SUITS[suits]}
    return {"pack__suits": letters, "ranks": ranks, "decks": decks}


SIZES: dict[str, list[dict[str, Any]]] = {
    "free spaces": [
        pack(1, 5) | {"tableau__piles": 2, "tableau__deal": 2},
        pack(1, 3, 2) | {"tableau__piles": 2, "tableau__deal": 2},
        pack(2, 2, 2) | {"tableau__piles": 3, "tableau__deal": 2},
        pack(2, 3) | {"tableau__piles": 2, "tableau__deal": 2},
        pack(2, 3, 2) | {"tableau__piles": 3, "tableau__deal": 3},
        pack(2, 4) | {"tableau__piles": 2, "tableau__deal": 3},
        pack(2, 5) | {"tableau__piles": 4, "tableau__deal": 2},
        pack(3, 3) | {"tableau__piles": 2, "tableau__deal": 3},
        pack(3, 4) | {"tableau__piles": 3, "tableau__deal": 3},
        pack(4, 2) | {"tableau__piles": 2, "tableau__deal": 3},
        pack(4, 3) | {"tableau__piles": 2, "tableau__deal": 4},
        pack(4, 3) | {"tableau__piles": 3, "tableau__deal": 2},
    ],
    "auto fill": [
        pack(1, 4, 2) | {"tableau__piles": 2, "reserve__deal": 3},
        pack(2, 2, 2) | {"tableau__piles": 3, "reserve__deal": 3},
        pack(2, 3) | {"tableau__piles": 2, "reserve__deal": 2},
        pack(2, 3, 2) | {"tableau__piles": 2, "reserve__deal": 4},
        pack(2, 4) | {"tableau__piles": 2, "reserve__deal": 3},
        pack(2, 5) | {"tableau__piles": 3, "reserve__deal": 4},
        pack(3, 3) | {"tableau__piles": 2, "reserve__deal": 4},
        pack(4, 2) | {"tableau__piles": 2, "reserve__deal": 3},
        pack(4, 3) | {"tableau__piles": 3, "reserve__deal": 5},
    ],
}
"""Decks of 5 to 12 cards for each family of rulesets."""


class Case(NamedTuple):
    """A small ruleset, its name, and its family."""

    family: str
    name: str
    rules: Rules


Variant = tuple[str, dict[str, Any], dict[str, Any]]
"""A name, a family of rulesets, and what is changed in it."""


def cases(variants: list[Variant] = VARIANTS) -> Iterator[Case]:
    """Every variant in every size of its family."""
    for name, family, changes in variants:
        group = "free spaces" if family is FREE_SPACES else "auto fill"
        assert family is (FREE_SPACES if group == "free spaces" else AUTO_FILL)
        for size in SIZES[group]:
            yield Case(group, name, rules_of(small(family, **(size | changes)), game=name))


def deals(rules: Rules, numbers: range) -> Iterator[Position]:
    """Deals in which low cards lie deep: not at all, somewhat, and nearly as deep as can be."""
    for number in numbers:
        yield deep_deal(rules, number, lean=(0.0, 1.0, 3.0)[number % 3])


class Disagreement(AssertionError):
    """What the search says and what brute force says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What both say: won or lost, and for a lost deal the number of positions; None if unknown."""

    solvable: bool | None
    positions: int = 0


Search = Callable[[Rules, Position], tuple[int, int, Array]]
"""From rules and a deal to the outcome, the number of positions, and the winning line."""

NEVER = np.zeros(1, np.uint8)


def kernel(rules: Rules, start: Position) -> tuple[int, int, Array]:
    """The exhaustive search as it is."""
    return with_tables(tables_of(rules))(rules, start)


def with_tables(tables: Tables) -> Search:
    """The exhaustive search with other tables."""

    def search(rules: Rules, start: Position) -> tuple[int, int, Array]:
        outcome, _, positions, rows = exhaust(
            tables,
            state_of(rules, start),
            nodes=60_000,
            megabytes=2,
            stop=NEVER,
            depth=2000,
        )
        return outcome, positions, rows

    return search


def compare(
    rules: Rules, start: Position, search: Search = kernel, *, cap: int = 60_000
) -> Compared:
    """What search and brute force say of a deal; Disagreement where they differ.

    A winning line is replayed. A lost deal is searched by brute force for a win and for the number
    of positions. Nothing is known where the search ends at a limit, or brute force at ``cap``.
    """
    outcome, positions, rows = search(rules, start)
    if outcome == WON:
        _replay(rules, start, rows)
        return Compared(solvable=True)
    if outcome != EXHAUSTED:
        return Compared(solvable=None)
    truth = reachable(rules, start, cap=cap)
    if truth is None:
        return Compared(solvable=None)
    if any(is_won(rules, position) for position in truth):
        raise Disagreement(f"not solvable, says the search of\n{start}")
    distinct = len({merged(rules, position) for position in truth})
    if distinct != positions:
        raise Disagreement(f"{distinct} positions, {positions} by the search, from\n{start}")
    return Compared(solvable=False, positions=positions)


def lost_deal(name: str, *, least: int) -> tuple[Rules, Position, int]:
    """A lost deal of a variant with at least so many positions, and their number."""
    for case in cases():
        if case.name == name:
            for start in deals(case.rules, range(30)):
                outcome, positions, _ = kernel(case.rules, start)
                if outcome == EXHAUSTED and positions >= least:
                    return case.rules, start, positions
    raise AssertionError("no lost deal is as large")


def _replay(rules: Rules, start: Position, rows: Array) -> None:
    position = start
    try:
        for move in line_of(rules, start, rows):
            position = apply(rules, position, move)
    except IllegalMove as error:
        raise Disagreement(f"{error}, played by the search in\n{error.position}") from error
    except IndexError as error:
        raise Disagreement(f"a move from nowhere, played by the search from\n{start}") from error
    if not is_won(rules, position):
        raise Disagreement(f"solvable, says the search, by a line that ends in\n{position}")


def reachable(rules: Rules, start: Position, *, cap: int) -> set[Position] | None:
    """Every position that play can reach, up to the order of piles; None if they are too many.

    Stops at the first won position. Where passes are unlimited, their number is left out.
    """
    start = start.canonical()
    seen = {start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if is_won(rules, position):
            break
        for move in legal_moves(rules, position):
            following = apply(rules, position, move).canonical()
            if rules.passes is None:
                following = replace(following, passes=1)
            if following not in seen:
                if len(seen) == cap:
                    return None
                seen.add(following)
                waiting.append(following)
    return seen


def merged(rules: Rules, position: Position) -> Position:
    """The position as the search knows it: what no rule can tell apart is made the same.

    That are the order of piles, types that every rule treats alike, and what lies under the top
    card of a foundation that gives nothing back.
    """
    alike = alike_types(rules)
    whole = Position(
        foundations=tuple(tuple(alike[card] for card in pile) for pile in position.foundations),
        tableau=tuple(tuple(alike[card] for card in pile) for pile in position.tableau),
        face_down=position.face_down,
        reserve=tuple(sorted(tuple(alike[card] for card in pile) for pile in position.reserve)),
        stock=tuple(alike[card] for card in position.stock),
        waste=tuple(alike[card] for card in position.waste),
        base=position.base,
        passes=position.passes,
    )
    if not rules.returns:
        whole = replace(
            whole, foundations=tuple(pile[-1:] * len(pile) for pile in whole.foundations)
        )
    return whole.canonical()


@lru_cache(maxsize=64)
def alike_types(rules: Rules) -> dict[Card, Card]:
    """For each card the first one of its rank that every rule treats alike."""
    types = [rules.pack.card(index) for index in range(rules.pack.types)]
    policies = (rules.tableau_build, rules.foundation_build, rules.run)
    bases = (None, *range(1, rules.pack.ranks + 1))

    def treated(card: Card) -> list[bool]:
        return [
            answer
            for base in bases
            for policy in policies
            for other in types
            for answer in (policy.allows(card, other, base), policy.allows(other, card, base))
        ]

    found = {card: (card.rank, treated(card)) for card in types}
    return {card: next(one for one in types if found[one] == found[card]) for card in types}
