"""Dealers: the same cards for a seed everywhere, and PySolFC's cards for PySolFC's numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import createCards
from pysol_cards.random import shuffle as oracle_shuffle
from pysol_cards.random_base import RandomBase

from generator.dealers import deal, lay_out
from generator.shuffles import PYSOLFC_SUITS, Seed, dealproof_order
from spec.cards import Card, Pack
from spec.errors import InputError
from spec.game import game_names, load_game
from tests.generator.smallgames import small_game
from tests.rulesets import VARIANTS, small
from verify.moves import start_of
from verify.position import Position
from verify.rules import Rules, rules_of

VECTORS = Path(__file__).parent / "vectors" / "deals.json"
GAMES = game_names()
RULES = {name: rules_of(load_game(name).ruleset, game=name) for name in GAMES}
NUMBERS = [1, 2, 32000]
PILES: dict[str, Any] = {
    "foundations.build.suit": "same",
    "tableau.build.suit": "same",
    "waste.piles": 1,
    "stock.to": "waste",
}
PYSOLFC_NUMBERS = [1, 2, 617, 31999, 32001, 100_000, 123_456, 10**16 + 7, 10**20 - 1]


def seed(number: int, dealer: str = "dealproof") -> Seed:
    return Seed.parse(f"{dealer}:{number}")


def in_dealing_order(position: Position) -> list[Card]:
    """The cards of a deal as they were dealt: foundations, reserve, rounds, then the stock."""
    cards = [card for pile in (*position.foundations, *position.reserve) for card in pile]
    deepest = max(map(len, position.tableau))
    cards += [p[depth] for depth in range(deepest) for p in position.tableau if depth < len(p)]
    return cards + list(reversed(position.stock))


class TestDealproof:
    @pytest.mark.parametrize("number", NUMBERS)
    @pytest.mark.parametrize("game", GAMES)
    def test_deals_what_it_always_dealt(self, game: str, number: int) -> None:
        """A released dealer never changes: these are on file."""
        known: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
        assert deal(RULES[game], seed(number)).to_json() == known[game][str(number)]

    @given(number=st.integers(0, 2**63 - 1), game=st.sampled_from(GAMES))
    def test_deals_the_whole_pack_as_the_game_lays_it_out(self, number: int, game: str) -> None:
        rules = RULES[game]
        position = deal(rules, seed(number))
        rules.pack.check_complete(position.cards())
        assert start_of(rules, position) == position
        assert tuple(map(len, position.tableau)) == rules.layout.tableau
        assert len(position.stock) == rules.layout.stock
        assert position.waste == ()

    @given(number=st.integers(0, 2**63 - 1))
    def test_games_with_one_pack_have_one_order_of_cards(self, number: int) -> None:
        orders = [
            in_dealing_order(deal(RULES[game], seed(number)))
            for game in ("josephine", "emperor", "signora")
        ]
        pack = Pack(decks=2).cards()
        assert orders == [[pack[index] for index in dealproof_order(104, number)]] * 3

    @pytest.mark.parametrize(
        "variant", [v for v in VARIANTS if v[2].get("foundations__deal") != 0], ids=lambda v: v[0]
    )
    def test_deals_small_packs_too(self, variant: tuple[str, dict[str, Any], Any]) -> None:
        name, family, changes = variant
        rules = rules_of(small(family, **changes), game=name)
        position = deal(rules, seed(3))
        order = dealproof_order(rules.pack.size, 3)
        assert in_dealing_order(position) == [rules.pack.cards()[index] for index in order]

    def test_a_game_whose_base_rank_is_dealt_has_it(self) -> None:
        position = deal(RULES["signora"], seed(1))
        ((first, *rest), *others) = position.foundations
        assert position.base == first.rank
        assert not rest
        assert not any(others)

    def test_a_thousand_seeds_are_a_thousand_deals(self) -> None:
        rules = rules_of(small_game("closet").ruleset)
        assert len({deal(rules, seed(number)) for number in range(1000)}) == 1000


def oracle_cards(number: int, decks: int) -> list[Card]:
    """The cards as PySolFC deals them, the last of its list first, by pysol_cards."""
    shuffled = oracle_shuffle(createCards(decks), number, RandomBase.DEALS_PYSOLFC)
    return [Card(card.rank, PYSOLFC_SUITS[card.suit]) for card in reversed(shuffled)]


def rounds(rules: Rules, number: int) -> tuple[list[list[Card]], list[Card]]:
    """The tableau piles and the rest, dealt in rounds from left to right."""
    cards = iter(oracle_cards(number, 2))
    piles: list[list[Card]] = [[] for _ in rules.layout.tableau]
    for _ in range(4):
        for pile in piles:
            pile.append(next(cards))
    return piles, list(cards)


class TestPySolFC:
    @pytest.mark.parametrize("number", PYSOLFC_NUMBERS)
    @pytest.mark.parametrize("game", ["josephine", "emperor"])
    def test_deals_rounds_over_the_tableau(self, game: str, number: int) -> None:
        """Facts: pysollib/games/fortythieves.py; the next card is the first one of the waste."""
        piles, rest = rounds(RULES[game], number)
        position = deal(RULES[game], seed(number, "pysolfc"))
        assert [list(pile) for pile in position.tableau] == piles
        assert position.stock[-1] == rest[0]
        assert list(position.stock) == rest[::-1]

    @pytest.mark.parametrize("number", PYSOLFC_NUMBERS)
    def test_deals_falling_star_where_the_base_rank_is_dealt(self, number: int) -> None:
        """Reserve, tableau, base card. Facts: pysollib/games/terrace.py."""
        cards = oracle_cards(number, 2)
        position = deal(RULES["signora"], seed(number, "pysolfc"))
        assert list(position.reserve[0]) == cards[:11]
        assert [pile[0] for pile in position.tableau] == cards[11:20]
        assert position.foundations[0] == (cards[20],)
        assert list(position.stock) == cards[21:][::-1]

    def test_refuses_what_it_does_not_know(self) -> None:
        with pytest.raises(InputError, match="layout for this game is not known here"):
            deal(RULES["empress-of-italy"], seed(1, "pysolfc"))
        with pytest.raises(InputError, match="deal full standard decks"):
            deal(rules_of(small_game("closet").ruleset), seed(1, "pysolfc"))

    def test_refuses_layouts_that_are_dealt_in_another_order(self) -> None:
        """Klondike's piles differ in length; Canfield deals its base card first."""
        stairs = small(
            PILES | {"tableau.build.suit": "alternate"},
            ranks=13,
            tableau__piles=7,
            tableau__deal="triangle",
        )
        canfield = small(
            PILES | {"tableau.build.suit": "alternate"},
            ranks=13,
            pack__base="first_card",
            foundations__deal=1,
            tableau__piles=4,
            tableau__deal=1,
            reserve__deal=13,
        )
        for ruleset in (stairs, canfield):
            with pytest.raises(InputError, match="use the dealproof dealer"):
                deal(rules_of(ruleset), seed(1, "pysolfc"))

    def test_has_no_number_0(self) -> None:
        with pytest.raises(InputError, match="PySolFC game number 0; it is 1 to"):
            seed(0, "pysolfc")


def test_a_pile_that_gets_more_than_others_gets_the_later_rounds() -> None:
    rules = rules_of(
        small(
            PILES,
            tableau__piles=3,
            tableau__deal=[1, 3, 2],
        )
    )
    cards = rules.pack.cards()
    position = lay_out(rules, cards)
    assert [list(pile) for pile in position.tableau] == [
        [cards[0]],
        [cards[1], cards[3], cards[5]],
        [cards[2], cards[4]],
    ]
    assert list(position.stock) == cards[6:][::-1]
