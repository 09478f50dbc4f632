"""The formulas for filling regions say what the checker says, and Z3's silence is no answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice, permutations

import pytest

from generator.closed_set import least_closed_set
from generator.dealers import deal, lay_out
from generator.shuffles import Seed
from spec.cards import Card
from spec.game import load_game
from tests.adversary import (
    ALL_VARIANTS,
    accepted,
    rules_of_variant,
    skeletons,
    smallest_accepted,
)
from verify.certificate import Key
from verify.checker import Rejected, check
from verify.moves import Place
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.smt.construct import Filling, Region, Status, fill_regions

SINGLE_CARDS = [name for name in ALL_VARIANTS if "groups" not in name and "played" not in name]
"""Variants in which no order of cards matters and the base rank is known."""


def wishes_of(start: Position, keys: Sequence[Key]) -> list[tuple[Region, Card]]:
    """Every card of a deal with the region in which it lies."""
    depth = {key.pile: key.depth for key in keys}
    wishes = [(Region.FOUNDATION, card) for pile in start.foundations for card in pile]
    for kind, piles in (("tableau", start.tableau), ("reserve", start.reserve)):
        for number, pile in enumerate(piles):
            key = depth.get(Place(kind, number), -1)
            for at, card in enumerate(pile):
                held = "held" if at < key else f"{kind} key" if at == key else kind
                wishes.append((Region(held), card))
    return wishes + [(Region.STOCK, card) for card in start.stock]


def fill(rules: Rules, start: Position, keys: Sequence[Key]) -> Filling:
    """The filling that is asked to keep a whole deal."""
    assert start.base is not None
    keyed = {key.pile for key in keys}
    spaces = any(Place("tableau", n) not in keyed for n in range(len(start.tableau)))
    return fill_regions(rules, start.base, wishes_of(start, keys), spaces=spaces)


@pytest.mark.parametrize("variant", SINGLE_CARDS)
def test_keeps_a_whole_deal_exactly_if_the_checker_accepts_it(variant: str) -> None:
    found = []
    for rules in rules_of_variant(variant)[1:3]:
        found += [(rules, *pair) for pair in islice(accepted(rules, range(25)), 3)]
        for number in range(3):
            start = deal(rules, Seed(dealer="dealproof", number=number))
            for keys in islice(skeletons(rules), 1 + number, None, 7):
                whole = fill(rules, start, keys).kept == rules.pack.size
                assert whole is (smallest_accepted(rules, start, keys) is not None)
    for rules, start, closed in found:
        assert fill(rules, start, closed.keys).kept == rules.pack.size
    assert found


@pytest.mark.parametrize("variant", ["suit single", "kings only", "fill reserve", "fill waste"])
def test_finds_cards_exactly_if_some_deal_is_accepted(variant: str) -> None:
    rules = rules_of_variant(variant)[0]
    cards = sorted(rules.pack.cards())
    deals = [lay_out(rules, order) for order in permutations(cards)][::3]
    answers = set()
    for keys in list(skeletons(rules))[1:]:
        start = deals[0]
        filling = fill(rules, start, keys)
        same_base = (d for d in deals if d.foundations == start.foundations)
        some = any(_is_accepted(rules, d, keys) for d in same_base)
        if some:
            assert filling.status is Status.FOUND
        elif filling.status is Status.FOUND:
            # Not every order was tried; this one has to be accepted.
            assert _is_accepted(rules, _deal_like(rules, filling, start, keys), keys)
        answers.add(filling.status)
    assert answers == {Status.FOUND, Status.IMPOSSIBLE}


def _is_accepted(rules: Rules, start: Position, keys: Sequence[Key]) -> bool:
    try:
        check(rules, start, least_closed_set(rules, start, keys))
    except Rejected:
        return False
    return True


def _deal_like(rules: Rules, filling: Filling, start: Position, keys: Sequence[Key]) -> Position:
    left = {r: list(Counter(dict(filling.counts[r])).elements()) for r in Region}
    regions = iter(region for region, _ in wishes_of(start, keys))
    foundations = tuple(tuple(left[next(regions)].pop() for _ in p) for p in start.foundations)
    tableau = tuple(tuple(left[next(regions)].pop() for _ in pile) for pile in start.tableau)
    reserve = tuple(tuple(left[next(regions)].pop() for _ in pile) for pile in start.reserve)
    stock = tuple(left[next(regions)].pop() for _ in start.stock)
    return Position(
        foundations=foundations,
        tableau=tableau,
        face_down=start.face_down,
        reserve=reserve,
        stock=stock,
    )


def _reserve_key(depth: int) -> tuple[Key, ...]:
    return (Key(pile=Place("reserve", 0), depth=depth),)


class TestFullSize:
    rules = rules_of(load_game("signora").ruleset, game="signora")
    start = deal(rules, Seed(dealer="dealproof", number=3))

    def test_fills_every_region_with_the_whole_pack(self) -> None:
        keys = _reserve_key(8)
        filling = fill(self.rules, self.start, keys)
        sizes = Counter(region for region, _ in wishes_of(self.start, keys))
        assert {r: sum(filling.counts[r].values()) for r in Region} == {r: sizes[r] for r in Region}
        total = sum((Counter(filling.counts[r]) for r in Region), Counter[Card]())
        assert total == Counter(self.rules.pack.cards())

    def test_keeps_what_it_found(self) -> None:
        """Its own cards, taken as wishes, are all kept."""
        filling = fill(self.rules, self.start, _reserve_key(8))
        assert self.rules.pack.size // 2 < filling.kept < self.rules.pack.size
        wishes = [(r, c) for r in Region for c, n in filling.counts[r].items() for _ in range(n)]
        assert self.start.base is not None
        again = fill_regions(self.rules, self.start.base, wishes, spaces=True)
        assert again.kept == self.rules.pack.size

    def test_says_when_there_are_no_such_cards(self) -> None:
        """The lowest card of the reserve holds nothing that it waits for."""
        filling = fill(self.rules, self.start, _reserve_key(0))
        assert (filling.status, filling.counts) == (Status.IMPOSSIBLE, {})

    def test_stops_rather_than_answering(self) -> None:
        assert self.start.base is not None
        wishes = wishes_of(self.start, _reserve_key(0))
        filling = fill_regions(self.rules, self.start.base, wishes, spaces=True, rlimit=1)
        assert (filling.status, filling.counts) == (Status.STOPPED, {})

    def test_forgets_what_it_was_asked_before(self) -> None:
        first = fill(self.rules, self.start, _reserve_key(8))
        fill(self.rules, self.start, _reserve_key(6))
        assert fill(self.rules, self.start, _reserve_key(8)) == first


def test_refuses_wishes_that_are_no_pack() -> None:
    rules = rules_of_variant("fill waste")[0]
    start = deal(rules, Seed(dealer="dealproof", number=0))
    assert start.base is not None
    wishes = wishes_of(start, _reserve_key(0))[:-1]
    with pytest.raises(ValueError, match="not the whole pack"):
        fill_regions(rules, start.base, wishes, spaces=True)
