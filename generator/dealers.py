"""Dealers: from a seed and a ruleset to the deal that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generator.shuffles import PYSOLFC_SUITS, Seed, dealproof_order, pysolfc_order
from spec.cards import STANDARD_SUITS, Card
from spec.errors import InputError
from verify.moves import start_of
from verify.position import Pile, Position
from verify.rules import Rules


def deal(rules: Rules, seed: Seed) -> Position:
    """The deal of a seed: the same cards on every platform, and for every game with this pack.

    Raises InputError if the dealer does not deal this pack or has no such number.
    """
    if seed.dealer == "dealproof":
        pack = rules.pack.cards()
        order = _or_input_error(dealproof_order, rules.pack.size, seed.number)
        return lay_out(rules, [pack[index] for index in order])
    return _lay_out_as_pysolfc(rules, _pysolfc_cards(rules, seed.number))


def _or_input_error(shuffle: Callable[[int, int], list[int]], pack: int, number: int) -> list[int]:
    try:
        return shuffle(pack, number)
    except ValueError as error:
        what, _, instead = str(error).partition("; ")
        raise InputError(what, instead=instead, path="seed") from error


def lay_out(rules: Rules, cards: Sequence[Card]) -> Position:
    """The deal with ``cards`` in dealing order: foundations, reserve, tableau in rounds, stock.

    A round gives one card to each tableau pile that still lacks one, from left to right. The stock
    deals the rest in their order.
    """
    layout = rules.layout
    rest = iter(cards)
    foundations = tuple(_take(rest, count) for count in layout.foundations)
    reserve = tuple(_take(rest, count) for count in layout.reserve)
    piles: list[list[Card]] = [[] for _ in layout.tableau]
    for depth in range(max(layout.tableau, default=0)):
        for pile, count in zip(piles, layout.tableau, strict=True):
            if depth < count:
                pile.append(next(rest))
    position = Position(
        foundations=foundations,
        tableau=tuple(map(tuple, piles)),
        face_down=layout.face_down,
        reserve=reserve,
        stock=tuple(rest)[::-1],
    )
    return start_of(rules, position)


def _take(cards: Iterator[Card], count: int) -> Pile:
    return tuple(next(cards) for _ in range(count))


def _pysolfc_cards(rules: Rules, number: int) -> list[Card]:
    pack = rules.pack
    if pack.suits != tuple(STANDARD_SUITS.items()) or pack.ranks != 13:
        raise InputError(
            "PySolFC's numbers deal full standard decks", instead="use the dealproof dealer"
        )
    order = _or_input_error(pysolfc_order, pack.decks, number)
    indices = [divmod(index % pack.types, 13) for index in order]
    return [Card(rank + 1, PYSOLFC_SUITS[suit]) for suit, rank in indices]


def _lay_out_as_pysolfc(rules: Rules, cards: list[Card]) -> Position:
    """The deal as PySolFC lays it out, but for the first waste card, which it deals by itself.

    PySolFC deals rounds over the tableau in the Forty Thieves family; in Falling Star, and in
    Blondes and Brunettes, it deals the reserve, then the tableau, then the base card (classes in
    pysollib/games/fortythieves.py and terrace.py). Other layouts are refused: PySolFC deals many a
    game in its own order.
    """
    layout = rules.layout
    if (sum(layout.foundations), sum(layout.reserve), len(set(layout.tableau))) == (0, 0, 1):
        return lay_out(rules, cards)
    if (layout.cards, sum(layout.foundations), layout.tableau) != (104, 1, (1,) * 9) or (
        layout.reserve not in ((10,), (11,))
    ):
        raise InputError(
            "PySolFC's layout for this game is not known here", instead="use the dealproof dealer"
        )
    before = sum(layout.reserve) + sum(layout.tableau)
    return lay_out(rules, [cards[before], *cards[:before], *cards[before + 1 :]])
