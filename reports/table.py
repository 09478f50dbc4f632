"""Where the piles lie on the drawn table, and a position drawn on it.

One unit is a hundredth of a card's width. Static drawings come from here; the player draws every
later position at the same places, which a browser test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.replay import face_down_at, pile_at, places_of
from reports.words import card_label, pile_label, pile_name
from verify.certificate import Key
from verify.moves import Place
from verify.position import Position
from verify.rules import Rules

CARD_WIDTH = 100
CARD_HEIGHT = 138
GAP = 10
LABEL = 30
"""The height of the line above a row, which names its piles."""

_COLUMN = CARD_WIDTH + GAP
_ROW = LABEL + CARD_HEIGHT + GAP
_STRIP = 46
_LEAST_STRIP = 38
_FAN_HEIGHT = 800
_SIDE_STRIP = 64
_MOST_ROW = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The place of a pile on the table: its left upper corner, its names, its fan.

    ``fan`` is ``down``, ``right`` or ``top``, where only the top card is drawn; ``strip`` is how
    much of a covered card shows where the fan is to the right.
    """

    place: Place
    name: str
    short: str
    x: int
    y: int
    fan: str
    strip: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The slots of all piles, in the order of :func:`reports.replay.places_of`."""

    slots: tuple[Slot, ...]
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCard:
    """A card at its place; ``key`` marks one that never moves."""

    letters: str
    x: int
    y: int
    label: str
    down: bool
    key: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPile:
    """A pile with the cards of it that are drawn; ``count`` is written on a pile not fanned."""

    slot: Slot
    label: str
    cards: tuple[DrawnCard, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A position drawn on a table. ``strip`` is how much of a covered card shows in a fan down."""

    piles: tuple[DrawnPile, ...]
    strip: int
    width: int
    height: int


def table_of(rules: Rules) -> Table:
    """The table of a game: stock, waste and foundations in the first rows, the tableau below."""
    laid = rules.layout
    columns = max(len(laid.tableau), min(rules.foundations + 2, _MOST_ROW))
    width = columns * _COLUMN + GAP
    places = [Place("stock"), Place("waste")] if laid.stock else []
    corners = {place: (GAP + index * _COLUMN, GAP) for index, place in enumerate(places)}
    rows = _foundation_rows(rules.foundations, columns - len(places))
    for row, numbers in enumerate(rows):
        left = width - len(rows[0]) * _COLUMN
        for index, number in enumerate(numbers):
            corners[Place("foundation", number)] = (left + index * _COLUMN, GAP + row * _ROW)
    top = GAP + len(rows) * _ROW
    side = len(laid.reserve) == 1
    for number in range(len(laid.reserve)):
        corners[Place("reserve", number)] = (GAP + number * _COLUMN, top)
    if laid.reserve:
        top += _ROW if side else _ROW + (max(laid.reserve) - 1) * _STRIP
    left = (width - len(laid.tableau) * _COLUMN + GAP) // 2
    for number in range(len(laid.tableau)):
        corners[Place("tableau", number)] = (left + number * _COLUMN, top)
    slots = (
        _slot(place, corners[place], laid.reserve, width)
        for place in _all_places(rules)
        if place in corners
    )
    return Table(slots=tuple(slots), width=width)


def _all_places(rules: Rules) -> tuple[Place, ...]:
    laid = rules.layout
    empty = Position(
        foundations=((),) * rules.foundations,
        tableau=((),) * len(laid.tableau),
        face_down=laid.face_down,
        reserve=((),) * len(laid.reserve),
    )
    return places_of(empty)


def _foundation_rows(piles: int, columns: int) -> list[range]:
    rows = -(-piles // max(columns, 1))
    each = -(-piles // rows)
    return [range(first, min(first + each, piles)) for first in range(0, piles, each)]


def _slot(place: Place, corner: tuple[int, int], reserve: Sequence[int], width: int) -> Slot:
    fans = {"tableau": "down", "reserve": "right" if len(reserve) == 1 else "down"}
    numbered = place.kind in ("tableau", "foundation") or len(reserve) > 1
    covered = max(reserve, default=0) - 1
    room = (width - 2 * GAP - CARD_WIDTH) // max(covered, 1)
    return Slot(
        place=place,
        name=pile_name(place, len(reserve)),
        short=str(place.number + 1) if numbered else place.kind,
        x=corner[0],
        y=corner[1] + LABEL,
        fan=fans.get(place.kind, "top"),
        strip=min(_SIDE_STRIP, room) if fans.get(place.kind) == "right" else 0,
    )


def draw(
    table: Table, position: Position, later: Iterable[Position] = (), keys: Iterable[Key] = ()
) -> Drawing:
    """A position drawn on a table that also has room for ``later`` ones, with ``keys`` marked."""
    longest = [
        max(map(len, (*each.tableau, *(each.reserve if len(each.reserve) > 1 else ()))), default=0)
        for each in (position, *later)
    ]
    covered = max(max(longest) - 1, 1)
    strip = max(min(_STRIP, _FAN_HEIGHT // covered), _LEAST_STRIP)
    lowest = max((slot.y for slot in table.slots), default=0)
    marked = {(key.pile, key.depth) for key in keys}
    return Drawing(
        piles=tuple(_draw_pile(slot, position, strip, marked) for slot in table.slots),
        strip=strip,
        width=table.width,
        height=lowest + covered * strip + CARD_HEIGHT + GAP,
    )


def _draw_pile(
    slot: Slot, position: Position, strip: int, marked: set[tuple[Place, int]]
) -> DrawnPile:
    cards = pile_at(position, slot.place)
    down = face_down_at(position, slot.place)
    first = 0 if slot.fan != "top" else max(len(cards) - 1, 0)
    drawn = []
    for depth in range(first, len(cards)):
        key = (slot.place, depth) in marked
        drawn.append(
            DrawnCard(
                letters=str(cards[depth]),
                x=slot.x + (depth * slot.strip if slot.fan == "right" else 0),
                y=slot.y + (depth * strip if slot.fan == "down" else 0),
                label=card_label(cards[depth], down=depth < down, key=key),
                down=depth < down,
                key=key,
            )
        )
    return DrawnPile(
        slot=slot,
        label=pile_label(slot.name, slot.place.kind, cards, down),
        cards=tuple(drawn),
        count=len(cards) if slot.place.kind in ("stock", "waste") else 0,
    )
