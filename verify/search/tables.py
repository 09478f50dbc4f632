"""A game's rules and a position as flat arrays: the data that the compiled kernel runs on.

Every relation becomes a table over card types, one for each base rank, filled by the same
functions that the reference moves use. So the kernel knows no rule by name.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spec.cards import Card, Pack
from verify.position import Position
from verify.rules import Policy, Rules

Array = NDArray[Any]
Word = Any
"""A number in compiled code, of the width that the compiler gives it."""

NONE = -1
KINDS = ("tableau", "foundation", "reserve", "waste", "stock")
"""The kinds of pile, by their code in the kernel. Piles are numbered in this order."""


class C(IntEnum):
    """Where a number stands in ``Tables.numbers``."""

    TABLEAU = 0
    FOUNDATIONS = 1
    RESERVE = 2
    CARDS = 3
    TYPES = 4
    RANKS = 5
    CAP = 6
    UNIT = 7
    RETURNS = 8
    TO_TABLEAU = 9
    TO_SPACE = 10
    PASSES = 11
    CHAINS = 12
    FILLS = 13
    FILL = 14
    """The first of up to three kinds of pile that fill a space."""
    PILES = 17
    WASTE = 18
    TOP = 19
    """Offsets into a state: the first top card, size, face-down count, and the base rank."""
    SIZE = 20
    DOWN = 21
    META = 22
    TYPE = 23
    """Offsets into ``Tables.bytes``, from here on."""
    SAME = 24
    RANK = 25
    FITS = 26
    FOLLOWS = 27
    RUNS = 28
    STARTS = 29
    TAKES = 30
    HEIGHT = 31
    CHAIN = 32
    PER_HEIGHT = 33
    MOVES = 34
    """The most moves that a state can have, and the most rows that one move writes on a trail."""
    ROWS = 35


class Tables(NamedTuple):
    """A game as two arrays: ``numbers`` (see :class:`C`) and ``bytes``, tables laid end to end.

    With K types, B = ranks + 1 base ranks (0: not yet set) and N cards the tables are: TYPE (N) of
    each card; SAME (K), the class of each type, which no table can tell from others of its class;
    RANK (K); FITS, FOLLOWS and RUNS (B x K x K), whether the first type may lie on the second in
    the tableau, on a foundation, within a group; STARTS and TAKES (B x K), whether the type may go
    on an empty foundation, into a space; HEIGHT (B x K) above the base rank; CHAIN (B x K), the
    foundation sequence of the type; PER_HEIGHT (B x chains x ranks), the cards of a height.

    Two arrays, because compiled functions hand each array on at a cost.
    """

    numbers: Array
    bytes: Array


UNITS = {"card": 0, "group": 1, "whole_group": 2}


@lru_cache(maxsize=64)
def tables_of(rules: Rules) -> Tables:
    """The tables of a game."""
    pack = rules.pack
    bases: list[int | None] = [None, *range(1, pack.ranks + 1)]
    cards = [pack.card(index) for index in range(pack.types)]

    def relation(policy: Policy) -> Array:
        return np.array(
            [[[policy.allows(c, onto, base) for onto in cards] for c in cards] for base in bases],
            dtype=np.uint8,
        )

    fits, follows = relation(rules.tableau_build), relation(rules.foundation_build)
    runs = relation(rules.run)
    starts = np.array([[rules.starts_foundation(c, b) for c in cards] for b in bases], np.uint8)
    takes = np.array([[rules.space_takes(c, b) for c in cards] for b in bases], np.uint8)
    ranks = np.array([card.rank for card in cards], dtype=np.uint8)
    height = np.array(
        [[(card.rank - (base or 1)) % pack.ranks for card in cards] for base in bases], np.uint8
    )
    chain, chains = _chains(follows, height)
    per_height = np.zeros((len(bases), chains, pack.ranks), dtype=np.uint8)
    for base in range(len(bases)):
        for index in range(pack.types):
            per_height[base, chain[base, index], height[base, index]] += pack.decks
    tables = {
        C.TYPE: np.repeat(np.arange(pack.types, dtype=np.uint8), pack.decks),
        C.SAME: _classes(ranks, (fits, follows, runs), (starts, takes)),
        C.RANK: ranks,
        C.FITS: fits,
        C.FOLLOWS: follows,
        C.RUNS: runs,
        C.STARTS: starts,
        C.TAKES: takes,
        C.HEIGHT: height,
        C.CHAIN: chain,
        C.PER_HEIGHT: per_height,
    }
    numbers = _numbers(rules, chains)
    offset = 0
    for code, table in tables.items():
        numbers[code] = offset
        offset += table.size
    return Tables(
        numbers=numbers, bytes=np.concatenate([table.ravel() for table in tables.values()])
    )


def _numbers(rules: Rules, chains: int) -> Array:
    layout, pack = rules.layout, rules.pack
    numbers = np.zeros(max(C) + 1, dtype=np.int64)
    numbers[C.TABLEAU] = len(layout.tableau)
    numbers[C.FOUNDATIONS] = len(layout.foundations)
    numbers[C.RESERVE] = len(layout.reserve)
    numbers[C.CARDS] = pack.size
    numbers[C.TYPES] = pack.types
    numbers[C.RANKS] = pack.ranks
    numbers[C.CAP] = rules.cap
    numbers[C.UNIT] = UNITS[rules.unit]
    numbers[C.RETURNS] = rules.returns
    numbers[C.TO_TABLEAU] = _mask(rules.to_tableau)
    numbers[C.TO_SPACE] = _mask(rules.to_space)
    numbers[C.PASSES] = rules.passes or 0
    numbers[C.CHAINS] = chains
    numbers[C.FILLS] = len(rules.fill)
    assert len(rules.fill) <= C.PILES - C.FILL
    for step, kind in enumerate(rules.fill):
        numbers[C.FILL + step] = KINDS.index(kind)
    piles = len(layout.tableau) + len(layout.foundations) + len(layout.reserve) + 2
    numbers[C.PILES] = piles
    numbers[C.WASTE] = piles - 2
    for index, code in enumerate((C.TOP, C.SIZE, C.DOWN, C.META)):
        numbers[code] = pack.size + index * piles
    # What moves is known by its lowest card; a foundation takes only the top card of a pile.
    numbers[C.MOVES] = pack.size * len(layout.tableau) + piles * len(layout.foundations) + 1
    # A redeal moves every card, and every tableau pile may be filled: eight rows each at most.
    numbers[C.ROWS] = 8 * (pack.size + len(layout.tableau) + 1)
    return numbers


def _mask(kinds: frozenset[str]) -> int:
    return sum(1 << KINDS.index(kind) for kind in kinds if kind in KINDS)


def _classes(ranks: Array, relations: tuple[Array, ...], properties: tuple[Array, ...]) -> Array:
    """For each type the first type that every table treats alike, in every row and column.

    Two cards of one class can change places in any position without changing what can be played:
    hearts and diamonds are one where everything builds by colour. This is read off the tables, so
    it holds whatever the rules are.
    """
    types = len(ranks)
    alike = np.arange(types, dtype=np.uint8)
    for later in range(types):
        for first in range(later):
            if (
                ranks[first] == ranks[later]
                and all(
                    np.array_equal(table[:, first, :], table[:, later, :])
                    and np.array_equal(table[:, :, first], table[:, :, later])
                    for table in relations
                )
                and all(np.array_equal(p[:, first], p[:, later]) for p in properties)
            ):
                alike[later] = first
                break
    return alike


def _chains(follows: Array, height: Array) -> tuple[Array, int]:
    """The foundation sequence that each type belongs to: 4 by suit, 2 by colour, 1 regardless.

    Types are of one chain if one can follow the other, or if both can follow, or be followed by,
    the same type.
    """
    bases, types, _ = follows.shape
    chain = np.zeros((bases, types), dtype=np.uint8)
    chains = 1
    for base in range(bases):
        label = list(range(types))
        for card in range(types):
            for onto in range(types):
                # The step from the last height back to the first leads to a new sequence.
                if follows[base, card, onto] and height[base, card] > height[base, onto]:
                    low, high = sorted((label[card], label[onto]))
                    label = [low if number == high else number for number in label]
        numbers = {number: index for index, number in enumerate(sorted(set(label)))}
        chain[base] = [numbers[number] for number in label]
        chains = max(chains, len(numbers))
    return chain, chains


def state_of(rules: Rules, position: Position) -> Array:
    """A position as a state vector, laid out as :mod:`verify.search.board` says.

    A card's number is its type times the number of decks, plus one for each copy met before it.
    Where passes are unlimited they are not counted: nothing depends on their number.
    """
    numbers = tables_of(rules).numbers.tolist()
    state = [0] * (numbers[C.META] + 3)
    piles = [
        *position.tableau,
        *position.foundations,
        *position.reserve,
        position.waste,
        position.stock,
    ]
    met = [0] * rules.pack.types
    types = _types_of(rules.pack)
    for number, pile in enumerate(piles):
        under = NONE
        for card in pile:
            kind = types[card]
            index = kind * rules.pack.decks + met[kind]
            met[kind] += 1
            state[index] = under
            under = index
        state[numbers[C.TOP] + number] = under
        state[numbers[C.SIZE] + number] = len(pile)
    down, meta = numbers[C.DOWN], numbers[C.META]
    state[down : down + len(position.face_down)] = position.face_down
    state[meta] = position.base or 0
    state[meta + 1] = 1 if rules.passes is None else position.passes
    state[meta + 2] = sum(not pile for pile in position.tableau)
    return np.array(state, dtype=np.int16)


@lru_cache(maxsize=64)
def _types_of(pack: Pack) -> dict[Card, int]:
    return {pack.card(index): index for index in range(pack.types)}
