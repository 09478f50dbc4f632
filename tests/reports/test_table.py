from __future__ import annotations

from itertools import combinations

import pytest

from generator.dealers import deal
from generator.shuffles import Seed
from reports.replay import places_of
from reports.table import CARD_HEIGHT, CARD_WIDTH, DrawnCard, draw, table_of
from tests.reports import samples
from tests.rulesets import VARIANTS, small
from verify.certificate import ClosedSet
from verify.rules import Rules, rules_of

FULL = {
    "signora": samples.SIGNORA,
    "empress": samples.EMPRESS,
    "emperor": samples.EMPEROR,
    "josephine": samples.JOSEPHINE,
    "four reserves": samples.SIGNORA | {"reserve.piles": 4, "reserve.deal": 3},
    "no stock": samples.JOSEPHINE | {"tableau.piles": 13, "tableau.deal": 8},
}


def every_rules() -> list[Rules]:
    full = [samples.full(paths, name) for name, paths in FULL.items()]
    return full + [rules_of(small(family, **paths)) for _, family, paths in VARIANTS]


@pytest.mark.parametrize("rules", every_rules(), ids=lambda rules: rules.game)
def test_no_pile_covers_another_and_all_lie_on_the_table(rules: Rules) -> None:
    table = table_of(rules)
    position = deal(rules, Seed(dealer="dealproof", number=1))
    drawing = draw(table, position)
    boxes = {}
    for pile in drawing.piles:
        corners = [(card.x, card.y) for card in pile.cards] or [(pile.slot.x, pile.slot.y)]
        boxes[pile.slot.place] = (
            min(x for x, _ in corners),
            min(y for _, y in corners),
            max(x for x, _ in corners) + CARD_WIDTH,
            max(y for _, y in corners) + CARD_HEIGHT,
        )
    for left, top, right, bottom in boxes.values():
        assert left >= 0
        assert top >= 0
        assert right <= drawing.width
        assert bottom <= drawing.height
    for one, other in combinations(boxes.values(), 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart


@pytest.mark.parametrize("rules", every_rules(), ids=lambda rules: rules.game)
def test_every_pile_that_can_hold_a_card_has_a_slot(rules: Rules) -> None:
    position = deal(rules, Seed(dealer="dealproof", number=1))
    slots = [slot.place for slot in table_of(rules).slots]
    wanted = [
        place
        for place in places_of(position)
        if rules.layout.stock or place.kind not in ("stock", "waste")
    ]
    assert slots == wanted


def test_a_long_pile_has_room_below_it() -> None:
    rules = samples.full(samples.JOSEPHINE, "josephine")
    start = deal(rules, Seed(dealer="dealproof", number=1))
    cards = tuple(start.cards())
    long = start.canonical()
    later = type(start)(
        foundations=long.foundations,
        tableau=(cards[:30], *((),) * 9),
        face_down=(0,) * 10,
    )
    drawing = draw(table_of(rules), later)
    lowest = max(card.y for pile in drawing.piles for card in pile.cards)
    assert lowest + CARD_HEIGHT <= drawing.height
    assert draw(table_of(rules), start, [later]).height == drawing.height


def test_keys_are_marked_and_named() -> None:
    rules, proved = samples.blocked()
    assert isinstance(proved.certificate, ClosedSet)
    drawing = draw(table_of(rules), proved.position, keys=proved.certificate.keys)
    marked: list[DrawnCard] = [card for pile in drawing.piles for card in pile.cards if card.key]
    assert [card.letters for card in marked] == ["4D", "4C", "4H"]
    assert marked[0].label == "four of diamonds, never moves"


def test_face_down_cards_are_not_named() -> None:
    rules = samples.full(samples.EMPEROR, "emperor")
    drawing = draw(table_of(rules), deal(rules, Seed(dealer="dealproof", number=1)))
    tableau = [pile for pile in drawing.piles if pile.slot.place.kind == "tableau"]
    for pile in tableau:
        assert [card.down for card in pile.cards] == [True, True, True, False]
        name = pile.cards[-1].label
        start = f"tableau pile {pile.slot.place.number + 1}: "
        assert pile.label == start + "face-down card, " * 3 + name
