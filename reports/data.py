"""The data that a page gives to its player: piles, and for each step the piles that changed."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from reports.replay import Step, face_down_at, pile_at
from reports.table import Drawing, Table
from spec.cards import RANK_NAMES, RANKS, SUIT_NAMES, Pack
from verify.position import Pile, Position


def json_in_script(tree: Any) -> Markup:
    """JSON that may stand inside a ``<script>``: no text in it can end or open an element."""
    text = json.dumps(tree, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def table_data(table: Table, pack: Pack) -> dict[str, Any]:
    """What the player draws with: the names of ranks and suits, and the slot of each pile."""
    return {
        "ranks": dict(zip(RANKS[: pack.ranks], RANK_NAMES[: pack.ranks], strict=True)),
        "suits": {letter: SUIT_NAMES.get(letter, letter) for letter, _ in pack.suits},
        "piles": [
            {
                "kind": slot.place.kind,
                "name": slot.name,
                "x": slot.x,
                "y": slot.y,
                "fan": slot.fan,
                "strip": slot.strip,
            }
            for slot in table.slots
        ],
    }


def deal_data(table: Table, drawing: Drawing, start: Position, steps: tuple[Step, ...]) -> Any:
    """A deal for the player: its piles as ``[cards, cards face down]``, and its steps.

    A step's ``piles`` are those that changed, each as ``[index, cards kept from the bottom, cards
    added, cards face down]``; its ``transfers`` are ``[from, to, number of cards]``, the move
    first.
    """
    index = {slot.place: number for number, slot in enumerate(table.slots)}
    return {
        "strip": drawing.strip,
        "piles": [
            [_letters(pile_at(start, slot.place)), face_down_at(start, slot.place)]
            for slot in table.slots
        ],
        "steps": [
            {
                "words": step.words,
                "piles": _changes(table, before, step.position),
                "transfers": [
                    [index[one.source], index[one.target], len(one.cards)] for one in step.transfers
                ],
            }
            for before, step in zip(
                (start, *(step.position for step in steps)), steps, strict=False
            )
        ],
    }


def _letters(pile: Pile) -> str:
    return " ".join(map(str, pile))


def _changes(table: Table, before: Position, after: Position) -> list[Any]:
    changes = []
    for number, slot in enumerate(table.slots):
        old, new = pile_at(before, slot.place), pile_at(after, slot.place)
        down = face_down_at(after, slot.place)
        if old != new or down != face_down_at(before, slot.place):
            kept = _common(old, new)
            changes.append([number, kept, _letters(new[kept:]), down])
    return changes


def _common(old: Pile, new: Pile) -> int:
    for depth, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return depth
    return min(len(old), len(new))
