"""The reference moves: which are legal, what they do, and why the others are not legal.

Part of the trusted core. A move takes the top card of a pile, or a group of cards from the top of
a tableau pile, to another pile; dealing a card is a move from the stock to the waste, and a redeal
one from the waste to the stock. What follows from a move without a choice belongs to it: a
face-down card that is exposed is turned up, and spaces are filled by the automatic chain, the
leftmost first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from spec.cards import Card
from spec.errors import InputError
from verify.position import Pile, Position
from verify.rules import Rules


class Place(NamedTuple):
    """A pile: its kind, and its number among its kind from 0."""

    kind: str
    number: int = 0

    def __str__(self) -> str:
        letter = _LETTERS[self.kind]
        return letter if self.kind in _SINGLE else f"{letter}{self.number + 1}"

    @property
    def name(self) -> str:
        """The pile in words, numbered from 1: ``tableau pile 3``."""
        words = {"tableau": "tableau pile", "foundation": "foundation", "reserve": "reserve"}
        return (
            f"the {self.kind}" if self.kind in _SINGLE else f"{words[self.kind]} {self.number + 1}"
        )


_LETTERS = {"tableau": "t", "foundation": "f", "reserve": "r", "waste": "w", "stock": "s"}
_SINGLE = ("waste", "stock")
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}

STOCK = Place("stock")
WASTE = Place("waste")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A move of ``count`` cards; ``card`` is the lowest of them, None in a redeal.

    Written ``9H t3-t5*2``: the nine of hearts and the card on it, from the third tableau pile to
    the fifth. The card is named so that a move list can be read, and a slip in it is noticed.
    """

    card: Card | None
    source: Place
    target: Place
    count: int = 1

    def __str__(self) -> str:
        path = f"{self.source}-{self.target}"
        if self.card is None:
            return path
        return f"{self.card} {path}" + (f"*{self.count}" if self.count != 1 else "")


_PILE = r"[tfr][1-9]\d*|[ws]"
_MOVE = re.compile(
    rf"(?:(?P<card>\S{{2,3}}) )?(?P<source>{_PILE})-(?P<target>{_PILE})(?:\*(?P<count>\d+))?"
)


def read_move(text: str, rules: Rules) -> Move:
    """The move that ``text`` states, as :class:`Move` writes it; InputError if it states none."""
    match = _MOVE.fullmatch(text) if len(text) <= 32 and text.isascii() else None
    if match is None:
        raise InputError(
            f"{text!r} is no move", instead="write the card and its way, such as 9H t3-t5 or s-w"
        )
    redeal = match["source"] == "w" and match["target"] == "s"
    if redeal and match["count"] is not None:
        raise InputError(f"{text!r} counts cards", instead="a redeal is w-s")
    if redeal != (match["card"] is None):
        raise InputError(
            f"{text!r} names {'a' if redeal else 'no'} card",
            instead="name the card that moves; a redeal is w-s",
        )
    return Move(
        card=None if match["card"] is None else rules.pack.parse(match["card"]),
        source=_read_place(match["source"]),
        target=_read_place(match["target"]),
        count=int(match["count"] or 1),
    )


def _read_place(text: str) -> Place:
    return Place(_KINDS[text[0]], int(text[1:] or 1) - 1)


class Reason(Enum):
    """Why a move is not legal."""

    NO_SUCH_PILE = "there is no such pile"
    SAME_PILE = "a pile cannot move onto itself"
    EMPTY_SOURCE = "the pile has no card to move"
    TOO_FEW_CARDS = "the pile has fewer cards"
    NOT_THE_CARD = "another card lies there: the named card is covered, or elsewhere"
    CLOSED_SOURCE = "cards do not move from there"
    CLOSED_TARGET = "cards do not move there"
    NOT_FROM_THERE = "the rules let no card move from the one pile to the other"
    FACE_DOWN = "a face-down card does not move"
    ONE_CARD = "only one card moves at a time"
    NOT_A_GROUP = "the cards are not built on each other, so they do not move together"
    PART_OF_A_GROUP = "only the whole group moves"
    DOES_NOT_FIT = "the card does not fit on the top card"
    WRONG_FIRST_CARD = "a foundation starts with the base rank"
    FOUNDATION_FULL = "the foundation is complete"
    SPACE_CLOSED = "the space does not take that card"
    STOCK_NOT_EMPTY = "the stock still has cards"
    NO_PASS_LEFT = "no further pass through the stock is allowed"


class IllegalMove(Exception):
    """A move that the rules do not allow, with the reason and the position."""

    def __init__(self, move: Move, reason: Reason, position: Position) -> None:
        self.move = move
        self.reason = reason
        self.position = position
        super().__init__(f"{move}: {reason.value}")


def start_of(rules: Rules, position: Position) -> Position:
    """``position`` as a deal to start from: its base rank filled in, checked against the layout.

    Raises InputError where a deal is not laid out as the ruleset deals.
    """
    laid = rules.layout
    counts = {
        "foundations": (tuple(map(len, position.foundations)), laid.foundations),
        "tableau": (tuple(map(len, position.tableau)), laid.tableau),
        "face_down": (position.face_down, laid.face_down),
        "reserve": (tuple(map(len, position.reserve)), laid.reserve),
        "stock": ((len(position.stock),), (laid.stock,)),
        "waste": ((len(position.waste),), (0,)),
        "passes": ((position.passes,), (1,)),
    }
    for path, (found, expected) in counts.items():
        if found != expected:
            raise InputError(
                f"{_numbers(found)} in this deal",
                instead=f"{rules.game} deals {_numbers(expected)}: {laid}",
                path=path,
            )
    seeded = next((pile[0].rank for pile in position.foundations if pile), None)
    base = seeded if rules.fixed_base is None else rules.fixed_base
    if position.base not in (None, base):
        raise InputError(
            "the base rank is not that of the card dealt to the foundation",
            instead="leave it out",
            path="base",
        )
    return replace(position, base=base)


def _numbers(counts: tuple[int, ...]) -> str:
    return " ".join(map(str, counts)) or "none"


def is_won(rules: Rules, position: Position) -> bool:
    """Whether every card is on a foundation."""
    return sum(map(len, position.foundations)) == rules.pack.size


def why_illegal(rules: Rules, position: Position, move: Move) -> Reason | None:
    """The reason why a move is not legal in a position, None if it is legal."""
    source, target = _pile(position, move.source), _pile(position, move.target)
    if source is None or target is None:
        return Reason.NO_SUCH_PILE
    if "stock" in (move.source.kind, move.target.kind):
        return _why_no_deal(rules, position, move)
    if move.source == move.target:
        return Reason.SAME_PILE
    if not source:
        return Reason.EMPTY_SOURCE
    if not 1 <= move.count <= len(source):
        return Reason.TOO_FEW_CARDS
    group = source[-move.count :]
    if group[0] != move.card:
        return Reason.NOT_THE_CARD
    return (
        _why_not_from(rules, position, move)
        or _why_not_a_group(rules, position, move, source)
        or _why_not_onto(rules, position, move, target)
    )


def _why_no_deal(rules: Rules, position: Position, move: Move) -> Reason | None:
    if (move.source, move.target) == (STOCK, WASTE):
        if not position.stock:
            return Reason.EMPTY_SOURCE
        if move.count != 1:
            return Reason.ONE_CARD
        return None if position.stock[-1] == move.card else Reason.NOT_THE_CARD
    if (move.source, move.target) == (WASTE, STOCK) and move.card is None:
        if position.stock:
            return Reason.STOCK_NOT_EMPTY
        if not position.waste:
            return Reason.EMPTY_SOURCE
        if move.count != 1:
            return Reason.TOO_FEW_CARDS
        limited = rules.passes is not None and position.passes >= rules.passes
        return Reason.NO_PASS_LEFT if limited else None
    return Reason.CLOSED_SOURCE if move.source.kind == "stock" else Reason.CLOSED_TARGET


def _why_not_from(rules: Rules, position: Position, move: Move) -> Reason | None:
    if move.source.kind == "foundation" and not rules.returns:
        return Reason.CLOSED_SOURCE
    if move.source.kind == "tableau":
        pile = move.source.number
        if move.count > len(position.tableau[pile]) - position.face_down[pile]:
            return Reason.FACE_DOWN
    return None


def _why_not_a_group(rules: Rules, position: Position, move: Move, source: Pile) -> Reason | None:
    among_tableau = move.source.kind == move.target.kind == "tableau"
    if not among_tableau or rules.unit == "card":
        return Reason.ONE_CARD if move.count != 1 else None
    group = source[-move.count :]
    if not _is_run(rules, group, position.base):
        return Reason.NOT_A_GROUP
    open_cards = source[position.face_down[move.source.number] :]
    longer = open_cards[-move.count - 1 :]
    if (
        rules.unit == "whole_group"
        and len(longer) > move.count
        and _is_run(rules, longer, position.base)
    ):
        return Reason.PART_OF_A_GROUP
    return None


def _is_run(rules: Rules, cards: Pile, base: int | None) -> bool:
    return all(rules.run.allows(card, onto, base) for onto, card in pairwise(cards))


def _why_not_onto(rules: Rules, position: Position, move: Move, target: Pile) -> Reason | None:
    assert move.card is not None
    if move.target.kind == "foundation":
        if not target:
            starts = rules.starts_foundation(move.card, position.base)
            return None if starts else Reason.WRONG_FIRST_CARD
        if len(target) >= rules.cap:
            return Reason.FOUNDATION_FULL
        fits = rules.foundation_build.allows(move.card, target[-1], position.base)
        return None if fits else Reason.DOES_NOT_FIT
    if move.target.kind != "tableau":
        return Reason.CLOSED_TARGET
    if not target:
        if move.source.kind not in rules.to_space:
            return Reason.SPACE_CLOSED if not rules.to_space else Reason.NOT_FROM_THERE
        return None if rules.space_takes(move.card, position.base) else Reason.SPACE_CLOSED
    if move.source.kind not in rules.to_tableau:
        return Reason.NOT_FROM_THERE
    fits = rules.tableau_build.allows(move.card, target[-1], position.base)
    return None if fits else Reason.DOES_NOT_FIT


def apply(rules: Rules, position: Position, move: Move) -> Position:
    """The position after a move, its automatic consequences included.

    Raises IllegalMove, with the reason and the position, if the rules do not allow the move.
    """
    reason = why_illegal(rules, position, move)
    if reason is not None:
        raise IllegalMove(move, reason, position)
    board = _Board(position)
    if move.card is None:
        board.stock = board.waste[::-1]
        board.waste = []
        board.passes += 1
    else:
        source, target = board.pile(move.source), board.pile(move.target)
        group = source[-move.count :]
        del source[-move.count :]
        target += group
        if board.base is None and move.target.kind == "foundation":
            board.base = move.card.rank
    board.settle(rules)
    return board.position()


class _Board:
    """A position that can be changed."""

    def __init__(self, position: Position) -> None:
        self.foundations = [list(pile) for pile in position.foundations]
        self.tableau = [list(pile) for pile in position.tableau]
        self.face_down = list(position.face_down)
        self.reserve = [list(pile) for pile in position.reserve]
        self.stock = list(position.stock)
        self.waste = list(position.waste)
        self.base = position.base
        self.passes = position.passes

    def pile(self, place: Place) -> list[Card]:
        if place.kind == "stock":
            return self.stock
        if place.kind == "waste":
            return self.waste
        groups = {
            "tableau": self.tableau,
            "foundation": self.foundations,
            "reserve": self.reserve,
        }
        return groups[place.kind][place.number]

    def settle(self, rules: Rules) -> None:
        """Turn up exposed cards and fill spaces, the leftmost first, as far as it goes."""
        for index, pile in enumerate(self.tableau):
            self.face_down[index] = min(self.face_down[index], max(len(pile) - 1, 0))
            if not pile:
                filler = self._filler(rules)
                if filler:
                    pile.append(filler.pop())

    def _filler(self, rules: Rules) -> list[Card] | None:
        for kind in rules.fill:
            pile = self.reserve[0] if kind == "reserve" else self.pile(Place(kind))
            if pile:
                return pile
        return None

    def position(self) -> Position:
        return Position(
            foundations=tuple(map(tuple, self.foundations)),
            tableau=tuple(map(tuple, self.tableau)),
            face_down=tuple(self.face_down),
            reserve=tuple(map(tuple, self.reserve)),
            stock=tuple(self.stock),
            waste=tuple(self.waste),
            base=self.base,
            passes=self.passes,
        )


def _pile(position: Position, place: Place) -> Pile | None:
    piles = position.piles(place.kind)
    return piles[place.number] if 0 <= place.number < len(piles) else None


def candidates(rules: Rules, position: Position) -> Iterator[Move]:
    """Every move that names a card where it lies: the legal ones are among them."""
    places = [
        *(Place("tableau", index) for index in range(len(position.tableau))),
        *(Place("foundation", index) for index in range(len(position.foundations))),
        *(Place("reserve", index) for index in range(len(position.reserve))),
        WASTE,
    ]
    for source in places:
        pile = _pile(position, source) or ()
        most = len(pile) if source.kind == "tableau" and rules.unit != "card" else min(len(pile), 1)
        for count in range(1, most + 1):
            for target in places:
                if target != source:
                    yield Move(card=pile[-count], source=source, target=target, count=count)
    if position.stock:
        yield Move(card=position.stock[-1], source=STOCK, target=WASTE)
    yield Move(card=None, source=WASTE, target=STOCK)


def legal_moves(rules: Rules, position: Position) -> list[Move]:
    """Every legal move of a position, in a fixed order; equivalent ones are not left out."""
    return [
        move for move in candidates(rules, position) if why_illegal(rules, position, move) is None
    ]
