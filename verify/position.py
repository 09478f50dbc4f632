"""A position: where every card lies. A deal is the position that a game starts from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spec.accounting import Layout
from spec.cards import RANKS, Card, Pack
from spec.errors import InputError

Pile = tuple[Card, ...]
"""A pile of cards from its bottom to its top: the last card is the top card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where every card lies. Every pile's last card is its top, the stock's the next one dealt.

    ``face_down`` counts the cards at the bottom of each tableau pile that lie face down. ``base``
    is the base rank, None as long as no card has set it. ``passes`` counts the passes through the
    stock that have begun.
    """

    foundations: tuple[Pile, ...]
    tableau: tuple[Pile, ...]
    face_down: tuple[int, ...]
    reserve: tuple[Pile, ...] = ()
    stock: Pile = ()
    waste: Pile = ()
    base: int | None = None
    passes: int = 1

    def cards(self) -> Iterator[Card]:
        """Every card, pile by pile."""
        for group in (self.foundations, self.tableau, self.reserve, (self.stock, self.waste)):
            for pile in group:
                yield from pile

    def piles(self, kind: str) -> tuple[Pile, ...]:
        """The piles of a kind, in their order: tableau, foundation, reserve, waste or stock."""
        groups = {
            "tableau": self.tableau,
            "foundation": self.foundations,
            "reserve": self.reserve,
            "waste": (self.waste,),
            "stock": (self.stock,),
        }
        return groups[kind]

    def canonical(self) -> Position:
        """The position with the piles of each group sorted.

        Equal for positions that differ only in the order of their tableau piles or foundations,
        which no rule of a ruleset with one group of each kind can tell apart.
        """
        columns = sorted(zip(self.tableau, self.face_down, strict=True))
        return Position(
            foundations=tuple(sorted(self.foundations)),
            tableau=tuple(pile for pile, _ in columns),
            face_down=tuple(down for _, down in columns),
            reserve=self.reserve,
            stock=self.stock,
            waste=self.waste,
            base=self.base,
            passes=self.passes,
        )

    def to_json(self) -> dict[str, Any]:
        """The position as plain data with stable keys: cards in letters, bottom of a pile first."""
        return {
            "base": None if self.base is None else RANKS[self.base - 1],
            "foundations": [_letters(pile) for pile in self.foundations],
            "tableau": [_letters(pile) for pile in self.tableau],
            "face_down": list(self.face_down),
            "reserve": [_letters(pile) for pile in self.reserve],
            "stock": _letters(self.stock),
            "waste": _letters(self.waste),
            "passes": self.passes,
        }

    def __str__(self) -> str:
        """The position in lines of letters, the top card last; face-down cards in brackets."""
        lines = []
        if self.base is not None:
            lines.append(f"base rank   {RANKS[self.base - 1]}")
        last = max((number for number, pile in enumerate(self.foundations, 1) if pile), default=1)
        shown_first = [" ".join(_letters(pile)) or "-" for pile in self.foundations[:last]]
        lines.append(f"foundations {' | '.join(shown_first)}")
        for index, (pile, down) in enumerate(zip(self.tableau, self.face_down, strict=True), 1):
            shown = [f"[{card}]" if depth < down else str(card) for depth, card in enumerate(pile)]
            lines.append(f"tableau {index:<3} {' '.join(shown) or '-'}")
        lines += [f"reserve     {' '.join(_letters(pile)) or '-'}" for pile in self.reserve]
        lines.append(f"waste       {' '.join(_letters(self.waste)) or '-'}")
        lines.append(f"stock       {' '.join(_letters(self.stock)) or '-'}")
        return "\n".join(lines)


def _letters(pile: Pile) -> list[str]:
    return [str(card) for card in pile]


_PILES = ("foundations", "tableau", "reserve")
_KEYS = ("base", *_PILES[:2], "face_down", "reserve", "stock", "waste", "passes")


def read_position(tree: object, *, pack: Pack, layout: Layout) -> Position:
    """The position that plain data states, as :meth:`Position.to_json` writes it.

    Raises InputError for unknown keys, wrong numbers of piles, unknown cards, and a pack that is
    not complete. ``base``, ``face_down``, ``reserve``, ``waste`` and ``passes`` may be left out.
    """
    if not isinstance(tree, Mapping):
        raise InputError("a deal is a mapping", instead=f"state its {', '.join(_KEYS)}")
    unknown = [str(key) for key in tree if key not in _KEYS]
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r}", instead=f"allowed here: {', '.join(_KEYS)}")
    position = Position(
        foundations=_piles(tree, "foundations", len(layout.foundations), pack),
        tableau=_piles(tree, "tableau", len(layout.tableau), pack),
        face_down=_counts(tree.get("face_down", [0] * len(layout.tableau)), len(layout.tableau)),
        reserve=_piles(tree, "reserve", len(layout.reserve), pack),
        stock=_pile(tree.get("stock", []), pack, path="stock"),
        waste=_pile(tree.get("waste", []), pack, path="waste"),
        base=_base(tree.get("base"), pack),
        passes=_passes(tree.get("passes", 1)),
    )
    pack.check_complete(position.cards())
    for index, (pile, down) in enumerate(zip(position.tableau, position.face_down, strict=True)):
        if down > len(pile):
            raise InputError(
                f"{down} of {len(pile)} cards face down",
                instead=f"at most {len(pile)}",
                path=f"face_down[{index}]",
            )
    return position


def _piles(tree: Mapping[str, Any], key: str, number: int, pack: Pack) -> tuple[Pile, ...]:
    piles = tree.get(key, [[]] * number)
    if not isinstance(piles, list) or len(piles) != number:
        found = f"{len(piles)} piles" if isinstance(piles, list) else f"{piles!r}"
        raise InputError(found, instead=f"{key} is a list of {number} piles", path=key)
    return tuple(_pile(pile, pack, path=f"{key}[{index}]") for index, pile in enumerate(piles))


def _pile(cards: object, pack: Pack, *, path: str) -> Pile:
    if not isinstance(cards, list):
        raise InputError(f"{cards!r} is no pile", instead="a pile is a list of cards", path=path)
    pile = []
    for index, card in enumerate(cards):
        try:
            pile.append(pack.parse(card if isinstance(card, str) else repr(card)))
        except InputError as error:
            where = f"{path}[{index}]"
            raise InputError(error.what, instead=error.instead, path=where) from error
    return tuple(pile)


def _counts(counts: object, number: int) -> tuple[int, ...]:
    if (
        not isinstance(counts, Sequence)
        or len(counts) != number
        or not all(type(n) is int and n >= 0 for n in counts)
    ):
        raise InputError(
            f"{counts!r}", instead=f"face_down is a list of {number} numbers", path="face_down"
        )
    return tuple(counts)


def _base(letter: object, pack: Pack) -> int | None:
    if letter is None:
        return None
    if not isinstance(letter, str) or len(letter) != 1 or letter not in RANKS[: pack.ranks]:
        raise InputError(
            f"{letter!r} is no rank", instead=f"one of {RANKS[: pack.ranks]}", path="base"
        )
    return RANKS.index(letter) + 1


def _passes(number: object) -> int:
    if type(number) is not int or number < 1:
        raise InputError(f"{number!r}", instead="a number from 1", path="passes")
    return number
