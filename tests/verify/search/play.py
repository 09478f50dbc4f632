"""Deals and random play from numbers, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from generator.dealers import lay_out
from verify.moves import apply
from verify.position import Position
from verify.rules import Rules
from verify.search.moves import kernel_moves

Item = TypeVar("Item")

_WORD = 2**64 - 1


class Numbers:
    """An endless stream of numbers from a seed (SplitMix64)."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 0xD1B54A32D192ED03 & _WORD

    def below(self, end: int) -> int:
        """A number from 0 to ``end`` - 1."""
        self._state = self._state + 0x9E3779B97F4A7C15 & _WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        return (mixed ^ mixed >> 31) % end

    def fraction(self) -> float:
        """A number from 0 to less than 1."""
        return self.below(2**32) / 2**32

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]


def deep_deal(rules: Rules, number: int, *, lean: float) -> Position:
    """A deal in which low cards tend to be dealt first, so that they lie deep and few can be won.

    With a lean of 0 every order is as likely as any other, with a large one the ranks sort it.
    """
    numbers = Numbers(number)
    base, heights = _heights(rules, numbers)
    keys = [lean * height + numbers.fraction() for height in heights]
    return _dealt(rules, keys, base)


def easy_deal(rules: Rules, number: int, *, disorder: float) -> Position:
    """A deal that nearly plays itself: low cards on top of the piles, the stock in order."""
    numbers = Numbers(number)
    base, heights = _heights(rules, numbers)
    keys = [height + disorder * numbers.fraction() for height in heights]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    for place, index in enumerate(order[: len(keys) - rules.layout.stock]):
        keys[index] = -float(place)
    return _dealt(rules, keys, base)


def _heights(rules: Rules, numbers: Numbers) -> tuple[int, list[float]]:
    """The base rank, drawn if no rule fixes it, and how high above it each card is, below 1."""
    ranks = rules.pack.ranks
    base = rules.fixed_base or numbers.below(ranks) + 1
    return base, [(card.rank - base) % ranks / ranks for card in rules.pack.cards()]


def _dealt(rules: Rules, keys: Sequence[float], base: int) -> Position:
    """The deal of the pack in the order of the keys, but for a card dealt to a foundation."""
    pack = rules.pack.cards()
    cards = [pack[index] for index in sorted(range(len(pack)), key=keys.__getitem__)]
    if any(rules.layout.foundations):
        first = next(place for place, card in enumerate(cards) if card.rank == base)
        cards.insert(0, cards.pop(first))
    return lay_out(rules, cards)


def play(
    rules: Rules, position: Position, numbers: Numbers, *, moves: int, eager: int = 0
) -> Iterator[Position]:
    """The positions of a random line of play, the deal first.

    In ``eager`` of 100 positions it prefers the foundations, and then the stock. The kernel
    proposes the moves and the reference moves play them.
    """
    yield position
    for _ in range(moves):
        found = list(kernel_moves(rules, position))
        if not found:
            return
        likes = [
            [move for move in found if move.target.kind == "foundation" != move.source.kind],
            [move for move in found if move.source.kind == "stock"],
            found,
        ]
        liked = next(filter(None, likes)) if numbers.below(100) < eager else found
        position = apply(rules, position, numbers.choice(liked))
        yield position
