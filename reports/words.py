"""Numbers, cards, piles and moves in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spec.cards import Card
from verify.moves import Move, Place
from verify.position import Pile


def listed(items: Sequence[str]) -> str:
    """The items as a person lists them: ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def counted(number: int, noun: str) -> str:
    """The number with its noun, a plural in ``s`` unless it is one: ``1,024 deals``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def in_lines(lines: Iterable[int]) -> str:
    """Where in a document: ``line 5``, ``lines 5, 7-9 and 12``; empty without lines."""
    runs: list[tuple[int, int]] = []
    for line in sorted(set(lines)):
        if runs and runs[-1][1] == line - 1:
            runs[-1] = (runs[-1][0], line)
        else:
            runs.append((line, line))
    if not runs:
        return ""
    single = len(runs) == 1 and runs[0][0] == runs[0][1]
    texts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    return f"{'line' if single else 'lines'} {listed(texts)}"


def sentence(text: str) -> str:
    """The text with a capital letter in front and a full stop at its end."""
    return text if not text else text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def group_name(cards: Pile) -> str:
    """A card in words, and how many are on it: ``nine of hearts and the 2 cards on it``."""
    if len(cards) == 1:
        return cards[0].name
    more = "the card" if len(cards) == 2 else f"the {len(cards) - 1} cards"
    return f"{cards[0].name} and {more} on it"


def pile_name(place: Place, reserves: int) -> str:
    """A pile as a heading names it: ``tableau pile 3``, ``stock``, ``reserve`` if there is one."""
    if place.kind == "reserve" and reserves == 1:
        return "reserve"
    return place.name.removeprefix("the ")


def the_pile(place: Place, reserves: int) -> str:
    """A pile within a sentence: ``tableau pile 3``, ``the stock``."""
    name = pile_name(place, reserves)
    return name if name[-1].isdigit() else f"the {name}"


def pile_label(name: str, kind: str, cards: Pile, face_down: int) -> str:
    """What a screen reader says of a pile: every card that is drawn, face-down ones unnamed.

    The player says the same of every later position (``label`` in player.js).
    """
    if not cards:
        return f"{name}: empty"
    if kind == "stock":
        return f"{name}: {counted(len(cards), 'card')}, face down"
    if kind in ("waste", "foundation"):
        return f"{name}: {counted(len(cards), 'card')}, top card {cards[-1].name}"
    shown = [card_label(card, down=depth < face_down) for depth, card in enumerate(cards)]
    return f"{name}: {', '.join(shown)}"


def card_label(card: Card, *, down: bool, key: bool = False) -> str:
    """What a screen reader says of a card."""
    name = "face-down card" if down else card.name
    return f"{name}, never moves" if key else name


def move_lines(moves: Iterable[Move], width: int) -> list[tuple[int, str]]:
    """Moves in letters, in lines of at most ``width``, each with the number of its first move."""
    lines: list[tuple[int, str]] = []
    for number, move in enumerate(moves, 1):
        if not lines or len(lines[-1][1]) + len(str(move)) + 2 > width:
            lines.append((number, f"{move},"))
        else:
            first, line = lines[-1]
            lines[-1] = (first, f"{line} {move},")
    return [*lines[:-1], *((first, line.removesuffix(",")) for first, line in lines[-1:])]
