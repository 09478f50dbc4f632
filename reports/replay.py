"""A winning line replayed: what each move and its automatic consequences change, and in words.

The positions come from :func:`verify.moves.apply` alone, the ones that the checker sees. Nothing
here knows a rule: consequences are read off the position that a move leads to.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.words import group_name, sentence, the_pile
from spec.cards import RANK_NAMES, Card
from verify.certificate import Witness
from verify.moves import STOCK, WASTE, Move, Place, apply
from verify.position import Pile, Position
from verify.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Cards that go together from the top of one pile to the top of another."""

    source: Place
    target: Place
    cards: Pile


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A move, the position after it, and all that it did.

    ``transfers`` starts with the move itself; automatic fills follow, the leftmost first.
    ``turned_up`` holds the cards that were face down before.
    """

    move: Move
    position: Position
    transfers: tuple[Transfer, ...]
    turned_up: Pile
    words: str


def steps_of(rules: Rules, start: Position, witness: Witness) -> tuple[Step, ...]:
    """Each move of a winning line with what it changes.

    Raises IllegalMove where the rules do not allow a move. Does not promise that the line wins.
    """
    steps = []
    before = start
    for move in witness.moves:
        after = apply(rules, before, move)
        transfers = (_moved(before, move), *_fills(before, after, move))
        turned_up = _turned_up(before, after, transfers)
        words = _words(rules, before, after, transfers, turned_up)
        steps.append(
            Step(move=move, position=after, transfers=transfers, turned_up=turned_up, words=words)
        )
        before = after
    return tuple(steps)


def places_of(position: Position) -> tuple[Place, ...]:
    """Every pile of a position: stock, waste, foundations, reserve, tableau."""
    return (
        STOCK,
        WASTE,
        *(Place("foundation", number) for number in range(len(position.foundations))),
        *(Place("reserve", number) for number in range(len(position.reserve))),
        *(Place("tableau", number) for number in range(len(position.tableau))),
    )


def pile_at(position: Position, place: Place) -> Pile:
    """The cards of a pile."""
    return position.piles(place.kind)[place.number]


def face_down_at(position: Position, place: Place) -> int:
    """How many cards at the bottom of a pile lie face down."""
    if place.kind == "stock":
        return len(position.stock)
    return position.face_down[place.number] if place.kind == "tableau" else 0


def _moved(before: Position, move: Move) -> Transfer:
    source = pile_at(before, move.source)
    cards = source[::-1] if move.card is None else source[-move.count :]
    return Transfer(source=move.source, target=move.target, cards=cards)


def _fills(before: Position, after: Position, move: Move) -> list[Transfer]:
    """The automatic fills that lead from a move to the position after it."""
    piles = {place: pile_at(before, place) for place in places_of(before)}
    moved = _moved(before, move)
    piles[move.source] = piles[move.source][: -len(moved.cards)]
    piles[move.target] += moved.cards
    fills = []
    for place in places_of(after):
        now = pile_at(after, place)
        if place.kind == "tableau" and len(now) == 1 and not piles[place]:
            source = _filled_from(piles, after, now[0])
            fills.append(Transfer(source=source, target=place, cards=now))
            piles[place] = now
            piles[source] = piles[source][:-1]
    # A consequence that is no fill would otherwise be shown without a word.
    assert all(pile_at(after, place) == cards for place, cards in piles.items())
    return fills


def _filled_from(piles: dict[Place, Pile], after: Position, card: Card) -> Place:
    return next(
        place
        for place, cards in piles.items()
        if place.kind in ("stock", "waste", "reserve")
        and cards[-1:] == (card,)
        and len(cards) > len(pile_at(after, place))
    )


def _turned_up(before: Position, after: Position, transfers: tuple[Transfer, ...]) -> Pile:
    filled = {transfer.target for transfer in transfers}
    return tuple(
        pile[down]
        for number, (pile, down) in enumerate(zip(after.tableau, after.face_down, strict=True))
        if down < before.face_down[number] and Place("tableau", number) not in filled
    )


def _words(
    rules: Rules,
    before: Position,
    after: Position,
    transfers: tuple[Transfer, ...],
    turned_up: Pile,
) -> str:
    def pile(place: Place) -> str:
        return the_pile(place, len(rules.layout.reserve))

    moved, *fills = transfers
    if moved.target == STOCK:
        parts = [f"the waste is turned over to the stock, for pass {after.passes}"]
    else:
        way = f"from {pile(moved.source)} to {pile(moved.target)}"
        parts = [f"{group_name(moved.cards)} {way}"]
    parts += [f"{card.name} is turned up" for card in turned_up]
    parts += [
        f"{fill.cards[0].name} fills {pile(fill.target)} from {pile(fill.source)}" for fill in fills
    ]
    if before.base is None and after.base is not None:
        parts.append(f"the base rank is now the {RANK_NAMES[after.base - 1]}")
    return sentence("; ".join(parts))
