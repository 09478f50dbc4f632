from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.cards import RANK_NAMES, RANKS, STANDARD_SUITS, SUIT_NAMES, SUIT_SYMBOLS, Card, Pack
from spec.errors import InputError

FIVE = Pack(
    decks=2,
    suits=(("C", "black"), ("H", "red"), ("R", "green"), ("S", "black"), ("T", "green")),
    ranks=10,
)
PACKS = [Pack(), Pack(decks=4), Pack(ranks=4), FIVE, Pack(suits=(("H", "red"),), ranks=2)]


@pytest.mark.parametrize("pack", PACKS)
def test_types_and_cards_are_the_same_thing_counted(pack: Pack) -> None:
    cards = [pack.card(index) for index in range(pack.types)]
    assert len(set(cards)) == pack.types == len(pack.suits) * pack.ranks
    assert [pack.type_of(card) for card in cards] == list(range(pack.types))
    assert pack.size == pack.decks * pack.types == len(pack.cards())
    assert pack.cards() == cards * pack.decks


@pytest.mark.parametrize("pack", PACKS)
def test_a_card_is_read_as_it_is_written(pack: Pack) -> None:
    for card in pack.cards():
        assert pack.parse(str(card)) == card
        assert pack.parse(str(card).lower()) == card


def test_types_are_numbered_suit_by_suit_from_the_ace() -> None:
    pack = Pack()
    assert [str(pack.card(index)) for index in (0, 1, 12, 13, 51)] == ["AC", "2C", "KC", "AD", "KS"]
    assert [letter for letter, _ in pack.suits] == list(STANDARD_SUITS) == ["C", "D", "H", "S"]


def test_ten_is_written_t_and_read_in_two_ways() -> None:
    assert str(Card(10, "H")) == "TH"
    assert Pack().parse("10h") == Pack().parse("TH") == Card(10, "H")
    assert Card(10, "H").name == "ten of hearts"
    assert Card(1, "S").name == "ace of spades"
    assert Card(11, "T").name == "jack of T"


def test_suits_have_colours() -> None:
    assert [Pack().colour(suit) for suit in "CDHS"] == ["black", "red", "red", "black"]
    assert FIVE.colour("T") == "green"
    with pytest.raises(KeyError):
        Pack().colour("T")


def test_names_and_symbols_cover_the_standard_pack() -> None:
    assert len(RANKS) == len(RANK_NAMES) == 13
    assert SUIT_NAMES.keys() == SUIT_SYMBOLS.keys() == STANDARD_SUITS.keys()
    assert (RANKS[0], RANKS[9], RANKS[-1]) == ("A", "T", "K")


@pytest.mark.parametrize(
    "text",
    [
        *("", "A", "H", "1H", "0H", "11H", "AX", "HA", "ASS", "A S", " AS", "AS ", "AS\n", "TTH"),
        *("100H", "-1H", "ah!", "A\u2665", "\u0410H", "A\u041d", "\uff21H", "KSH", "A23H"),
        # Upper case makes an S of the long s.
        "A\u017f",
    ],
)
def test_what_is_no_card_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Pack().parse(text)
    assert repr(text) in str(caught.value)
    assert "a rank of A23456789TJQK and a suit of CDHS, such as KC" in str(caught.value)


def test_a_pack_reads_its_own_cards_only() -> None:
    with pytest.raises(InputError, match="a rank of A234 and a suit of CDHS, such as 4C"):
        Pack(ranks=4).parse("5C")
    with pytest.raises(InputError, match="a suit of CHRST"):
        FIVE.parse("AD")
    assert FIVE.parse("TT") == Card(10, "T")


@given(text=st.text(max_size=4))
def test_any_text_is_a_card_or_bad_input(text: str) -> None:
    try:
        card = Pack().parse(text)
    except InputError:
        return
    assert str(card) == text.upper().replace("10", "T")


@given(cards=st.permutations(Pack(ranks=3, decks=2).cards()))
def test_a_pack_is_complete_in_any_order(cards: list[Card]) -> None:
    Pack(ranks=3, decks=2).check_complete(cards)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda cards: cards[1:], "51 cards, missing 1 x AC; the pack has 52 cards, 1 of each"),
        (lambda cards: [*cards, Card(5, "H")], "53 cards, too many 1 x 5H;"),
        (
            lambda cards: [*cards[1:], Card(13, "S")],
            "52 cards, missing 1 x AC and too many 1 x KS;",
        ),
        (lambda cards: [*cards, Card(1, "X")], "53 cards, too many 1 x AX;"),
        (
            lambda cards: cards[10:],
            "missing 1 x AC, 1 x 2C, 1 x 3C, 1 x 4C, 1 x 5C, 1 x 6C, 1 x 7C, 1 x 8C and 2 more",
        ),
        (lambda _: [], "0 cards, missing"),
    ],
)
def test_what_differs_from_the_pack_is_named(change: object, words: str) -> None:
    assert callable(change)
    with pytest.raises(InputError) as caught:
        Pack().check_complete(change(Pack().cards()))
    assert words in str(caught.value)


def test_decks_count() -> None:
    pack = Pack(decks=2)
    with pytest.raises(InputError, match="missing 1 x AC; the pack has 104 cards, 2 of each"):
        pack.check_complete(pack.cards()[1:])
    with pytest.raises(InputError, match="52 cards, missing 1 x AC, 1 x 2C"):
        pack.check_complete(Pack().cards())
