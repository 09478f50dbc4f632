"""Orders of a pack: our dealer against its committed vectors, PySolFC's against pysol_cards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import createCards
from pysol_cards.random import MTRandom
from pysol_cards.random import shuffle as oracle_shuffle
from pysol_cards.random_base import RandomBase

from generator.shuffles import (
    DEALPROOF_END,
    MICROSOFT_END,
    PYSOLFC_END,
    PYSOLFC_MS_END,
    PYSOLFC_SUITS,
    Seed,
    dealproof_order,
    microsoft_order,
    pysolfc_label,
    pysolfc_ms_order,
    pysolfc_order,
)
from spec.errors import InputError

VECTORS = Path(__file__).parent / "vectors"
TWISTER_NUMBERS = [32001, 40000, 123456, 10**16, 10**16 + 7, 10**20 - 1]
MS_NUMBERS = [1, 2, 24, 617, 11982, 31999]
LARGE_MS_NUMBERS = [32000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33 - 1]


def rows(name: str, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text(encoding="utf-8"))[key]
    assert found
    return found


def dealt(cards: list[Any]) -> list[int]:
    """The indices of a pack of pysol_cards as dealt: from its end."""
    return [card.id for card in reversed(cards)]


def oracle_order(decks: int, number: int, *, ms: bool = False) -> list[int]:
    which = RandomBase.DEALS_MS if ms else RandomBase.DEALS_PYSOLFC
    return dealt(oracle_shuffle(createCards(decks), number, which))


def dealproof_by_the_docstring(size: int, number: int) -> tuple[list[int], int]:
    """The order and the count of dropped words, by the four steps as written, table by table."""
    blocks = b"".join(
        sha256(b"dealproof-1:%d:%d:%d" % (size, number, b)).digest() for b in range(64)
    )
    words = [256 * high + low for high, low in zip(blocks[::2], blocks[1::2], strict=True)]
    places = list(range(size))
    dropped = 0
    for k in reversed(range(1, size)):
        while words[0] >= 65536 // (k + 1) * (k + 1):
            del words[0]
            dropped += 1
        j = words.pop(0) % (k + 1)
        places[j], places[k] = places[k], places[j]
    return places, dropped


class TestDealproof:
    """The vectors were made by a JavaScript program that follows the docstring."""

    @pytest.mark.parametrize(
        "row",
        rows("dealproof_order.json", "orders"),
        ids=lambda row: f"{row['size']}-{row['number']}",
    )
    def test_the_released_dealer_has_not_changed(self, row: dict[str, Any]) -> None:
        order = dealproof_order(row["size"], int(row["number"]))
        assert order == row["order"]
        assert dealproof_by_the_docstring(row["size"], int(row["number"]))[1] == row["rejected"]

    def test_the_vectors_reach_the_rejection_and_the_last_number(self) -> None:
        vectors = rows("dealproof_order.json", "orders")
        assert {52, 104, 208} <= {row["size"] for row in vectors if row["rejected"]}
        last = {row["size"] for row in vectors if int(row["number"]) == DEALPROOF_END - 1}
        assert last == {52, 104, 208}

    def test_the_example_of_the_docstring_is_right(self) -> None:
        label = b"dealproof-1:52:7:0"
        text = dealproof_order.__doc__ or ""
        assert f"the {len(label)} bytes ``{label.decode()}``" in " ".join(text.split())
        assert f"bytes {sha256(label).digest()[:4].hex(' ')} (hex" in text

    @given(st.integers(0, 260), st.integers(0, DEALPROOF_END - 1))
    def test_it_is_a_permutation_made_as_the_docstring_says(self, size: int, number: int) -> None:
        order = dealproof_order(size, number)
        assert sorted(order) == list(range(size))
        assert order == dealproof_by_the_docstring(size, number)[0]

    def test_a_thousand_numbers_give_a_thousand_orders(self) -> None:
        assert len({tuple(dealproof_order(52, number)) for number in range(1000)}) == 1000

    def test_the_largest_pack_is_a_permutation(self) -> None:
        assert sorted(dealproof_order(2**16, 0)) == list(range(2**16))

    @pytest.mark.parametrize("number", [-1, DEALPROOF_END, 10**30])
    def test_numbers_outside_the_range_are_refused(self, number: int) -> None:
        with pytest.raises(
            ValueError, match=r"dealproof number -?\d+; it is 0 to 9223372036854775"
        ):
            dealproof_order(52, number)

    @pytest.mark.parametrize("size", [-1, 2**16 + 1])
    def test_sizes_outside_the_range_are_refused(self, size: int) -> None:
        with pytest.raises(ValueError, match="a pack has 0 to 65536 cards"):
            dealproof_order(size, 0)


def off_by_one(size: int, number: int) -> list[int]:
    """A faulty dealer: a card never stays in its place."""
    return with_draws_below(lambda k: k, size, number)


def from_all_places(size: int, number: int) -> list[int]:
    """A faulty dealer: every card is exchanged with any place."""
    return with_draws_below(lambda _: size, size, number)


def never_the_top(size: int, number: int) -> list[int]:
    """A faulty dealer: the loop stops one step early."""
    return with_draws_below(lambda k: k + 1 if k > 1 else 1, size, number)


def with_draws_below(below: Callable[[int], int], size: int, number: int) -> list[int]:
    blocks = b"".join(sha256(b"%d:%d:%d" % (size, number, b)).digest() for b in range(8))
    order = list(range(size))
    for k in range(size - 1, 0, -1):
        j = int.from_bytes(blocks[4 * k : 4 * k + 4], "big") % below(k)
        order[k], order[j] = order[j], order[k]
    return order


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + expected * (cells - len(counts))


def chi_square_of_orders(order_of: Callable[[int, int], list[int]]) -> float:
    """Of the 24 orders of 4 cards over numbers 0 .. 11999; 23 degrees of freedom."""
    return chi_square(Counter(tuple(order_of(4, number)) for number in range(12_000)), 24)


def chi_square_of_places(order_of: Callable[[int, int], list[int]]) -> float:
    """Of (place, card) in 52 cards over numbers 0 .. 1499; 51 * 51 degrees of freedom."""
    orders = (order_of(52, number) for number in range(1500))
    return chi_square(Counter(pair for order in orders for pair in enumerate(order)), 52 * 52)


class TestStatistics:
    """Deterministic sums. Bounds: 5 standard deviations above, 2.5 below (too even is a bias)."""

    def test_every_order_of_four_cards_is_as_frequent(self) -> None:
        assert 4 < chi_square_of_orders(dealproof_order) < 60

    def test_every_card_is_as_frequent_at_every_place(self) -> None:
        assert 2200 < chi_square_of_places(dealproof_order) < 3000

    @pytest.mark.parametrize("faulty", [off_by_one, from_all_places, never_the_top])
    def test_faulty_dealers_are_noticed(self, faulty: Callable[[int, int], list[int]]) -> None:
        assert sorted(faulty(52, 0)) == list(range(52))
        assert chi_square_of_orders(faulty) > 60
        assert faulty is never_the_top or chi_square_of_places(faulty) > 3000


class TestPySolFC:
    @pytest.mark.parametrize("decks", [1, 2, 4])
    @pytest.mark.parametrize("number", MS_NUMBERS + TWISTER_NUMBERS)
    def test_typed_numbers_agree_with_pysol_cards(self, decks: int, number: int) -> None:
        assert pysolfc_order(decks, number) == oracle_order(decks, number)

    @pytest.mark.parametrize("decks", [1, 2, 4])
    @pytest.mark.parametrize("number", MS_NUMBERS + LARGE_MS_NUMBERS)
    def test_ms_numbers_agree_with_pysol_cards(self, decks: int, number: int) -> None:
        assert pysolfc_ms_order(decks, number) == oracle_order(decks, number, ms=True)

    @pytest.mark.parametrize("decks", [1, 2, 4])
    def test_number_32000_differs_from_pysol_cards(self, decks: int) -> None:
        """pysol_cards takes it for an ms number; PySolFC gives it to the Mersenne Twister."""
        assert oracle_order(decks, 32000) == pysolfc_ms_order(decks, 32000)
        twister = MTRandom()
        twister.setSeed(32000)
        expected = dealt(twister.shuffle(createCards(decks)))
        assert pysolfc_order(decks, 32000) == expected != oracle_order(decks, 32000)

    def test_indices_are_those_of_the_pack_of_pysol_cards(self) -> None:
        for card in createCards(4):
            assert PYSOLFC_SUITS[card.id % 52 // 13] == card.suit_s()
            assert card.id % 13 == card.rank - 1

    @pytest.mark.parametrize(
        "row",
        rows("pysolfc_order.json", "orders"),
        ids=lambda row: f"{row['decks']}-{row['label']}",
    )
    def test_the_vectors_hold(self, row: dict[str, Any]) -> None:
        label: str = row["label"]
        number = int(label.removeprefix("ms"))
        if label.startswith("ms"):
            assert pysolfc_ms_order(row["decks"], number) == row["order"]
        if pysolfc_label(number) == label:
            assert pysolfc_order(row["decks"], number) == row["order"]

    @given(st.integers(1, 4), st.integers(1, PYSOLFC_END - 1))
    def test_typed_numbers_give_permutations(self, decks: int, number: int) -> None:
        assert sorted(pysolfc_order(decks, number)) == list(range(52 * decks))

    @given(st.integers(1, 4), st.integers(1, PYSOLFC_MS_END - 1))
    def test_ms_numbers_give_permutations(self, decks: int, number: int) -> None:
        assert sorted(pysolfc_ms_order(decks, number)) == list(range(52 * decks))

    @pytest.mark.parametrize("number", [-5, 0, PYSOLFC_END])
    def test_other_typed_numbers_are_refused(self, number: int) -> None:
        for refuse in (lambda: pysolfc_order(1, number), lambda: pysolfc_label(number)):
            with pytest.raises(ValueError, match=r"PySolFC game number .*; it is 1 to 9{20}$"):
                refuse()

    @pytest.mark.parametrize("number", [-5, 0, PYSOLFC_MS_END])
    def test_other_ms_numbers_are_refused(self, number: int) -> None:
        with pytest.raises(ValueError, match=r"PySolFC ms number .*; it is 1 to 8589934591$"):
            pysolfc_ms_order(1, number)

    @pytest.mark.parametrize("number", [1, 32000])
    @pytest.mark.parametrize("decks", [0, -1])
    def test_no_pack_has_no_deck(self, decks: int, number: int) -> None:
        with pytest.raises(ValueError, match="a pack has at least one deck"):
            pysolfc_order(decks, number)

    @pytest.mark.parametrize(
        ("number", "label"),
        [
            (1, "ms1"),
            (31999, "ms31999"),
            (32000, "00000000000000032000"),
            (PYSOLFC_END - 1, "99999999999999999999"),
        ],
    )
    def test_labels_are_as_displayed(self, number: int, label: str) -> None:
        assert pysolfc_label(number) == label


class TestMicrosoft:
    @pytest.mark.parametrize(
        "row", rows("microsoft_deals.json", "deals"), ids=lambda row: str(row["number"])
    )
    def test_published_deals_come_out(self, row: dict[str, Any]) -> None:
        cards = [
            "A23456789TJQK"[index % 13] + PYSOLFC_SUITS[index // 13]
            for index in microsoft_order(row["number"])
        ]
        assert [" ".join(cards[column::8]) for column in range(8)] == row["columns"]

    @pytest.mark.parametrize("number", [0, -1, MICROSOFT_END])
    def test_other_numbers_are_refused(self, number: int) -> None:
        with pytest.raises(ValueError, match=r"Microsoft deal number .*; it is 1 to 1000000$"):
            microsoft_order(number)


class TestSeed:
    @pytest.mark.parametrize(
        ("text", "seed"),
        [
            ("0", Seed(dealer="dealproof", number=0)),
            ("123", Seed(dealer="dealproof", number=123)),
            (" dealproof:123\n", Seed(dealer="dealproof", number=123)),
            ("dealproof:9223372036854775807", Seed(dealer="dealproof", number=2**63 - 1)),
            ("pysolfc:123", Seed(dealer="pysolfc", number=123)),
            ("pysolfc:00000000000000032000", Seed(dealer="pysolfc", number=32000)),
            ("pysolfc:99999999999999999999", Seed(dealer="pysolfc", number=10**20 - 1)),
            ("dealproof:" + "0" * 5000, Seed(dealer="dealproof", number=0)),
        ],
    )
    def test_texts_are_read(self, text: str, seed: Seed) -> None:
        assert Seed.parse(text) == seed

    @given(
        st.one_of(
            st.builds(Seed, dealer=st.just("dealproof"), number=st.integers(0, 2**63 - 1)),
            st.builds(Seed, dealer=st.just("pysolfc"), number=st.integers(1, 10**20 - 1)),
        )
    )
    def test_what_is_written_is_read_back(self, seed: Seed) -> None:
        assert Seed.parse(str(seed)) == seed

    def test_it_is_written_with_its_dealer(self) -> None:
        assert str(Seed.parse("0123")) == "dealproof:123"
        assert str(Seed.parse("pysolfc:0032000")) == "pysolfc:32000"

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("", "'' is not a number; write a seed as 123, dealproof:123 or pysolfc:123"),
            ("seven", "'seven' is not a number; write a seed as"),
            ("-1", "'-1' is not a number; write a seed as"),
            ("1e5", "'1e5' is not a number; write a seed as"),
            ("1_000", "'1_000' is not a number; write a seed as"),
            ("1.0", "'1.0' is not a number; write a seed as"),
            ("\u0661\u0662", "is not a number; write a seed as"),
            ("dealproof:", "'' is not a number; write a seed as"),
            ("dealproof: 1", "' 1' is not a number; write a seed as"),
            (":1", "unknown dealer ''; the dealers are dealproof and pysolfc"),
            ("PySolFC:1", "unknown dealer 'PySolFC'; the dealers are dealproof and pysolfc"),
            ("a:pysolfc:1", "unknown dealer 'a:pysolfc'; the dealers are"),
            ("ms7", "'ms7' is not a number; write pysolfc:NUMBER, which means an ms number below"),
            ("pysolfc:ms7", "'ms7' is not a number; write pysolfc:NUMBER, which means an ms"),
            ("pysolfc:0", "PySolFC game number 0; it is 1 to 99999999999999999999"),
            ("9223372036854775808", "dealproof number 9223372036854775808; it is 0 to 92233720368"),
            ("pysolfc:100000000000000000000", "is too large; a seed has at most 20 digits"),
            ("9" * 5000, f"number '{'9' * 37}...' is too large; a seed has at most 20 digits"),
        ],
    )
    def test_nonsense_is_refused_with_what_would_be_right(self, text: str, complaint: str) -> None:
        with pytest.raises(InputError) as caught:
            Seed.parse(text)
        assert complaint in str(caught.value)

    @given(st.text("0123456789:.-+_ mspyolfcdear\n\u0661"))
    def test_any_text_is_a_seed_or_an_input_error(self, text: str) -> None:
        try:
            seed = Seed.parse(text)
        except InputError:
            return
        assert seed.number >= 0

    @pytest.mark.parametrize(
        ("dealer", "number"), [("dealproof", -1), ("dealproof", 2**63), ("pysolfc", 0)]
    )
    def test_no_seed_holds_a_number_its_dealer_refuses(self, dealer: Any, number: int) -> None:
        with pytest.raises(ValueError, match="; it is "):
            Seed(dealer=dealer, number=number)

    def test_no_seed_holds_an_unknown_dealer(self) -> None:
        unknown: Any = "kpat"
        with pytest.raises(ValueError, match="unknown dealer 'kpat'; the dealers are"):
            Seed(dealer=unknown, number=1)
