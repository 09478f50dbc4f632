"""Orders of a pack from a number: our own dealer, and the dealers of PySolFC and Microsoft.

A pack of ``decks`` decks is the list of card indices 0 .. 52 * decks - 1 in deck-major order. An
order is a permutation of these indices; its first element is the card that is dealt first. Which
card an index means, and which pile a card goes to, is decided elsewhere.

A released dealer never changes: a correction is a new dealer with a new name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final, Literal

from spec.errors import InputError

DealerName = Literal["dealproof", "pysolfc"]

DEALPROOF_DEALER: Final = "dealproof-1"
"""Name and version of our own dealer, as it enters the hash."""

DEALPROOF_END: Final = 2**63
"""First number too large for ``dealproof_order``."""

DEALPROOF_MAX_SIZE: Final = 2**16
"""Largest pack that a draw of two bytes can shuffle."""

PYSOLFC_SUITS: Final = "CSHD"
"""Suits of PySolFC's pack: index = 52 * deck + 13 * (place of the suit here) + (rank - 1)."""

PYSOLFC_FIRST_TWISTER: Final = 32000
"""Smallest game number that PySolFC gives to the Mersenne Twister; those below are ms numbers."""

PYSOLFC_END: Final = 10**20
"""First number of more than the 20 digits that PySolFC displays."""

PYSOLFC_MS_END: Final = 2**33
"""First number too large for an ms number."""

MICROSOFT_END: Final = 1_000_001
"""First number that Microsoft FreeCell does not offer."""

_DECK: Final = 52
_SUIT: Final = 13
_MAX_DIGITS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A dealer's name and the number given to it; together with a game they name one deal.

    It does not promise that the dealer can deal the game. Below ``PYSOLFC_FIRST_TWISTER`` a
    PySolFC number is an ms number, as when a person types it there; larger ms numbers have no
    seed. Raises ValueError for a dealer that does not exist and a number the dealer does not take.
    """

    dealer: DealerName
    number: int

    def __post_init__(self) -> None:
        """Nothing; raises ValueError as the class says."""
        if self.dealer == "dealproof":
            _require(self.number, first=0, end=DEALPROOF_END, what="dealproof number")
        elif self.dealer == "pysolfc":
            _require(self.number, first=1, end=PYSOLFC_END, what="PySolFC game number")
        else:
            raise ValueError(f"unknown dealer {self.dealer!r}; {_KNOWN_DEALERS}")

    def __str__(self) -> str:
        """``dealer:number``, which ``parse`` reads back to an equal seed."""
        return f"{self.dealer}:{self.number}"

    @classmethod
    def parse(cls, text: str) -> Seed:
        """The seed that ``text`` writes as ``dealer:number``, or as a number for our own dealer.

        Blanks around the text and zeros before the number do not count. Numbers are decimal
        digits 0 to 9 only. Raises InputError, without a place, for anything else.
        """
        name, colon, digits = text.strip().rpartition(":")
        if not colon:
            name = "dealproof"
        dealer = next((known for known in _DEALERS if known == name), None)
        if dealer is None:
            raise InputError(f"unknown dealer {_short(name)}", instead=_KNOWN_DEALERS)
        number = _number_of(digits)
        try:
            return cls(dealer=dealer, number=number)
        except ValueError as error:
            what, _, instead = str(error).partition("; ")
            raise InputError(what, instead=instead) from None


_DEALERS: Final[tuple[DealerName, ...]] = ("dealproof", "pysolfc")
_KNOWN_DEALERS: Final = f"the dealers are {' and '.join(_DEALERS)}"
_SEED_SHAPE: Final = "write a seed as 123, dealproof:123 or pysolfc:123, in decimal digits"


def _number_of(digits: str) -> int:
    if re.fullmatch(r"ms[0-9]+", digits):
        instead = f"write pysolfc:NUMBER, which means an ms number below {PYSOLFC_FIRST_TWISTER}"
        raise InputError(f"{_short(digits)} is not a number", instead=instead)
    if not re.fullmatch(r"[0-9]+", digits):
        raise InputError(f"{_short(digits)} is not a number", instead=_SEED_SHAPE)
    # No dealer takes more digits, and int() itself refuses thousands of them.
    if len(digits.lstrip("0")) > _MAX_DIGITS:
        instead = f"a seed has at most {_MAX_DIGITS} digits"
        raise InputError(f"number {_short(digits)} is too large", instead=instead)
    return int(digits.lstrip("0") or "0")


def dealproof_order(size: int, number: int) -> list[int]:
    """The order of ``range(size)`` that the dealer ``dealproof-1`` gives to ``number``.

    The first element is dealt first. Different numbers may give the same order, as with any
    dealer whose orders outnumber its numbers. Raises ValueError unless 0 <= size <= 65536 and
    0 <= number < 2**63.

    The definition, from which other programs can be written:

    1. Block b, for b = 0, 1, 2 and so on, is the SHA-256 digest (32 bytes) of the ASCII text
       ``dealproof-1:SIZE:NUMBER:B``. SIZE, NUMBER and B are written in decimal, without sign,
       leading zeros, blanks or a line end. For size 52 and number 7, block 0 is the digest of
       the 18 bytes ``dealproof-1:52:7:0``, and it begins with the bytes f3 3d 2f 56 (hexadecimal).
    2. The stream of words is made of block 0, block 1 and so on, each read from its start as 16
       words of two bytes, the more significant byte first: word = 256 * byte[2i] + byte[2i + 1].
       No byte is skipped, and no byte is used twice.
    3. A draw below n (1 <= n <= 65536): limit = 65536 - (65536 mod n). Take the next word w.
       If w >= limit, drop it and take the next one, until w < limit. The result is w mod n.
       Each attempt thus takes two bytes.
    4. Start from the list 0, 1, .. size - 1. For k = size - 1, size - 2, .. 1 in this order:
       j = a draw below k + 1; exchange the elements at places j and k (j = k changes nothing).
       The list is the result, place 0 first.

    In JavaScript NUMBER is best kept as text or as a BigInt, as it may exceed 2**53; everything
    else fits into its ordinary numbers.
    """
    if not 0 <= size <= DEALPROOF_MAX_SIZE:
        raise ValueError(f"pack of {size} cards; a pack has 0 to {DEALPROOF_MAX_SIZE} cards")
    _require(number, first=0, end=DEALPROOF_END, what="dealproof number")
    words = _hashed_words(f"{DEALPROOF_DEALER}:{size}:{number}:")
    return _shuffled(list(range(size)), lambda below: _draw(words, below))


def pysolfc_order(decks: int, number: int) -> list[int]:
    """The order in which PySolFC deals the pack for a game number that a person types there.

    The first element is dealt first. Indices are those of PySolFC's pack: deck-major, suits in
    the order of ``PYSOLFC_SUITS``, ranks ace to king. Numbers 1 to 31999 are ms numbers (see
    ``pysolfc_ms_order``); larger ones, up to 20 digits, seed the Mersenne Twister as
    ``random.Random(number)`` does, and place k is exchanged with place ``int(random() * (k + 1))``
    for k from the last place down to 1; cards are then dealt from the end of the pack.

    It does not apply what some PySolFC games do to the pack afterwards (in Red and Black the aces
    are dealt first), and it holds for full decks of 52 only. Raises ValueError for number 0, which
    PySolFC refuses, for other numbers outside 1 .. 10**20 - 1, and for fewer than one deck.
    Facts: PySolFC (pysollib/pysolrandom.py). pysol_cards 0.24 differs at number 32000 alone,
    which it takes for an ms number.
    """
    _require(number, first=1, end=PYSOLFC_END, what="PySolFC game number")
    if number < PYSOLFC_FIRST_TWISTER:
        return pysolfc_ms_order(decks, number)
    twister = Random(number)
    # Python keeps random() of an integer seed stable; randrange() and shuffle() are not promised.
    pack = _shuffled(_pysolfc_pack(decks), lambda below: int(twister.random() * below))
    return pack[::-1]


def pysolfc_ms_order(decks: int, number: int) -> list[int]:
    """The order in which PySolFC deals the pack for the game number that it shows as ``msNUMBER``.

    The first element is dealt first; the indices are those of ``pysolfc_order``. A single deck is
    first rearranged rank by rank with the suits clubs, diamonds, hearts, spades; more decks are
    not. Then place k is exchanged with place ``value % (k + 1)`` for k from the last place down to
    1, with the values of Microsoft's linear congruential generator, and the cards are dealt from
    the end. For one deck and numbers below 2**31 this is Microsoft's order.

    It does not apply what some games do to the pack afterwards. Raises ValueError unless
    1 <= number < 2**33 and there is at least one deck. Facts: PySolFC (pysollib/pysolrandom.py).
    """
    _require(number, first=1, end=PYSOLFC_MS_END, what="PySolFC ms number")
    pack = _pysolfc_pack(decks)
    if decks == 1:
        pack = _by_rank(pack)
    values = _ms_values(number)
    return _shuffled(pack, lambda below: next(values) % below)[::-1]


def pysolfc_label(number: int) -> str:
    """The game number as PySolFC displays it: ``ms123`` below 32000, else 20 digits.

    Larger ms numbers, which a person must type as ``ms...``, are not covered. Raises ValueError
    outside 1 .. 10**20 - 1.
    """
    _require(number, first=1, end=PYSOLFC_END, what="PySolFC game number")
    return f"ms{number}" if number < PYSOLFC_FIRST_TWISTER else f"{number:020d}"


def microsoft_order(number: int) -> list[int]:
    """The order in which Microsoft FreeCell deals its deal ``number``, first card first.

    FreeCell deals row by row over eight columns, left to right. The indices are those of
    ``pysolfc_order``. Raises ValueError unless 1 <= number <= 1000000.
    """
    _require(number, first=1, end=MICROSOFT_END, what="Microsoft deal number")
    return pysolfc_ms_order(1, number)


def _require(number: int, *, first: int, end: int, what: str) -> None:
    if not first <= number < end:
        raise ValueError(f"{what} {number}; it is {first} to {end - 1}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _shuffled(cards: list[int], draw: Callable[[int], int]) -> list[int]:
    """``cards``, shuffled in place from the top with ``draw(n)``, an integer of 0 .. n - 1."""
    for place in range(len(cards) - 1, 0, -1):
        other = draw(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _hashed_words(label: str) -> Iterator[int]:
    """The endless stream of 16-bit words of the SHA-256 digests of ``label`` + block number."""
    block = 0
    while True:
        digest = sha256(f"{label}{block}".encode("ascii")).digest()
        for start in range(0, len(digest), 2):
            yield int.from_bytes(digest[start : start + 2], "big")
        block += 1


def _draw(words: Iterator[int], below: int) -> int:
    # Below the limit every remainder has the same number of words, so the draw is unbiased as far
    # as the words are.
    limit = 2**16 - 2**16 % below
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % below


def _pysolfc_pack(decks: int) -> list[int]:
    if decks < 1:
        raise ValueError(f"{decks} decks; a pack has at least one deck")
    return list(range(_DECK * decks))


def _by_rank(deck: list[int]) -> list[int]:
    """One deck of suit-major order C S H D, rearranged to ranks, each of C D H S."""
    suits = [PYSOLFC_SUITS.index(suit) for suit in "CDHS"]
    return [deck[_SUIT * suit + rank] for rank in range(_SUIT) for suit in suits]


def _ms_values(number: int) -> Iterator[int]:
    """The endless values of PySolFC's linear congruential generator for an ms number."""
    # PySolFC keeps 33 bits, and starts from number - 2**32 where it can; no value sees bit 32.
    state = number
    while True:
        state = (state * 214013 + 2531011) % 2**32
        value = state >> 16
        if number < 2**31:
            yield value % 2**15
        elif number < 2**32:
            yield value % 2**15 + 2**15
        else:
            yield value % 2**16 + 1
