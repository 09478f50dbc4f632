"""Move signatures: all that the legality of one move can depend on, taken from a position.

A signature is made without asking the rules, so that two readings of the rules can be asked about
the same one and their answers compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from spec.cards import Card
from verify.moves import Move
from verify.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSignature:
    """A move between two piles as the rules see it.

    ``group`` are the cards that move, the lowest first; whether they may move together is for the
    rules to say. ``beneath`` is the face-up card that they lie on, if there is one.
    ``whole_pile``: they are the whole source pile. ``face_down``: some of them lie face down.
    ``onto`` is the top card of the target and None if it is empty, ``length`` its number of cards.
    ``base`` is the base rank, None if no card has set it. ``stock``, ``waste`` and ``reserve`` say
    whether these have cards.
    """

    source: str
    target: str
    group: tuple[Card, ...]
    beneath: Card | None
    whole_pile: bool
    face_down: bool
    onto: Card | None
    length: int
    base: int | None
    stock: bool
    waste: bool
    reserve: bool


def signature_of(position: Position, move: Move) -> MoveSignature:
    """The signature of a move of cards that lie on top of its source pile.

    Not for the stock's dealing and redeals, which move no card between piles. Does not ask whether
    the move is legal.
    """
    source = position.piles(move.source.kind)[move.source.number]
    target = position.piles(move.target.kind)[move.target.number]
    group = source[-move.count :]
    down = position.face_down[move.source.number] if move.source.kind == "tableau" else 0
    left = len(source) - len(group)
    return MoveSignature(
        source=move.source.kind,
        target=move.target.kind,
        group=group,
        beneath=source[left - 1] if left > down else None,
        whole_pile=left == 0,
        face_down=left < down,
        onto=target[-1] if target else None,
        length=len(target),
        base=position.base,
        stock=bool(position.stock),
        waste=bool(position.waste),
        reserve=any(position.reserve),
    )
