"""Cards and packs. A card is a rank from 1 (ace) and the letter of its suit, written ``TH``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from spec.errors import InputError

RANKS = "A23456789TJQK"
"""The letter of each rank, the ace (rank 1) first."""

RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
STANDARD_SUITS = {"C": "black", "D": "red", "H": "red", "S": "black"}


class Card(NamedTuple):
    """A card. Copies of the same card in several decks are equal."""

    rank: int
    suit: str

    def __str__(self) -> str:
        return f"{RANKS[self.rank - 1]}{self.suit}"

    @property
    def name(self) -> str:
        """The card in words, as a screen reader should say it: ``ten of hearts``."""
        return f"{RANK_NAMES[self.rank - 1]} of {SUIT_NAMES.get(self.suit, self.suit)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The cards a game is played with: ``decks`` times every rank of every suit.

    ``suits`` pairs each suit's letter with its colour, in the order in which types are numbered.
    """

    decks: int = 1
    suits: tuple[tuple[str, str], ...] = tuple(STANDARD_SUITS.items())
    ranks: int = 13

    @property
    def size(self) -> int:
        """The number of cards in the pack."""
        return self.decks * self.types

    @property
    def types(self) -> int:
        """The number of different cards."""
        return len(self.suits) * self.ranks

    def colour(self, suit: str) -> str:
        """The colour of ``suit``; KeyError if the pack has no such suit."""
        return dict(self.suits)[suit]

    def type_of(self, card: Card) -> int:
        """The index of the card's type: suit by suit, the ace first."""
        letters = [letter for letter, _ in self.suits]
        return letters.index(card.suit) * self.ranks + card.rank - 1

    def card(self, type_index: int) -> Card:
        """The card of a type index."""
        suit, rank = divmod(type_index, self.ranks)
        return Card(rank + 1, self.suits[suit][0])

    def cards(self) -> list[Card]:
        """Every card, deck by deck in the order of the types."""
        return [self.card(index % self.types) for index in range(self.size)]

    def parse(self, text: str) -> Card:
        """The card that ``text`` names: a rank of ``A 2-9 T 10 J Q K`` and a suit letter.

        Lower case is read; look-alike letters and unknown suits are not: InputError.
        """
        rank_text, suit = text[:-1].upper(), text[-1:].upper()
        rank = 10 if rank_text == "10" else RANKS.find(rank_text) + 1 if len(rank_text) == 1 else 0
        letters = [letter for letter, _ in self.suits]
        if not text.isascii() or not 1 <= rank <= self.ranks or suit not in letters:
            raise InputError(
                f"{text!r} is no card of this pack",
                instead=f"write a rank of {RANKS[: self.ranks]} and a suit of {''.join(letters)}, "
                f"such as {self.card(self.ranks - 1)}",
            )
        return Card(rank, suit)

    def check_complete(self, cards: Iterable[Card]) -> None:
        """Nothing if ``cards`` are exactly this pack; else InputError naming what differs."""
        counts = {self.card(index): -self.decks for index in range(self.types)}
        total = 0
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
            total += 1
        missing = [f"{-n} x {card}" for card, n in counts.items() if n < 0]
        doubled = [f"{n} x {card}" for card, n in counts.items() if n > 0]
        if not missing and not doubled:
            return
        faults = []
        if missing:
            faults.append(f"missing {_some(missing)}")
        if doubled:
            faults.append(f"too many {_some(doubled)}")
        raise InputError(
            f"{total} cards, {' and '.join(faults)}",
            instead=f"the pack has {self.size} cards, {self.decks} of each",
        )


def _some(items: list[str], most: int = 8) -> str:
    listed = ", ".join(items[:most])
    return listed if len(items) <= most else f"{listed} and {len(items) - most} more"
