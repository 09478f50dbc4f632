from __future__ import annotations

import re
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.accounting import Layout, foundation_cap, foundation_count, layout
from spec.errors import InputError
from spec.ruleset import from_paths

SMALL: dict[str, Any] = {
    "foundations.piles": 4,
    "tableau.piles": 3,
    "tableau.deal": 4,
    "tableau.build.suit": "same",
    "stock.to": "waste",
    "waste.piles": 1,
}


def laid(**changes: Any) -> Layout:
    return layout(from_paths(SMALL | {path.replace("__", "."): v for path, v in changes.items()}))


def refused(values: dict[str, Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        layout(from_paths({path: v for path, v in (SMALL | values).items() if v is not None}))
    return caught.value


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "tableau 3 x 4 = 12 + stock 40 = 52 cards"),
        ({"tableau__deal": [1, 2, 3]}, "tableau 1+2+3 = 6 + stock 46 = 52 cards"),
        ({"tableau__deal": "triangle"}, "tableau 1+2+3 = 6 + stock 46 = 52 cards"),
        ({"tableau__deal": "rest"}, "tableau 18+17+17 = 52 cards"),
        ({"tableau__piles": 1}, "tableau 4 + stock 48 = 52 cards"),
        (
            {"reserve__deal": 13, "foundations__deal": 1},
            "foundations 1 + tableau 3 x 4 = 12 + reserve 13 + stock 26 = 52 cards",
        ),
        (
            {"reserve__deal": [3, 2], "reserve__piles": 2, "foundations__deal": 4},
            "foundations 4 x 1 = 4 + tableau 3 x 4 = 12 + reserve 3+2 = 5 + stock 31 = 52 cards",
        ),
        (
            {"cells__piles": 4, "cells__deal": 2},
            "tableau 3 x 4 = 12 + cells 2 x 1 = 2 + stock 38 = 52 cards",
        ),
        (
            {"pack__decks": 2, "foundations__piles": 8},
            "tableau 3 x 4 = 12 + stock 92 = 104 cards",
        ),
        ({"pack__ranks": 3}, "tableau 3 x 4 = 12 cards"),
    ],
)
def test_the_sum_in_words(changes: dict[str, Any], text: str) -> None:
    assert str(laid(**changes)) == text


def test_what_each_pile_gets() -> None:
    found = laid(
        foundations__deal=2,
        tableau__deal="triangle",
        tableau__face_down="all_but_top",
        reserve__deal=5,
        cells__piles=3,
        cells__deal=1,
    )
    assert found == Layout(
        cards=52,
        foundations=(1, 1, 0, 0),
        tableau=(1, 2, 3),
        face_down=(0, 1, 2),
        reserve=(5,),
        cells=(1, 0, 0),
        stock=38,
    )


@pytest.mark.parametrize(
    ("face_down", "counts"),
    [
        (0, (0, 0, 0)),
        (2, (2, 2, 2)),
        (4, (4, 4, 4)),
        ([0, 1, 4], (0, 1, 4)),
        ("all_but_top", (3, 3, 3)),
        ("odd", (2, 2, 2)),
    ],
)
def test_how_many_lie_face_down(face_down: Any, counts: tuple[int, ...]) -> None:
    assert laid(tableau__face_down=face_down).face_down == counts


def test_empty_piles_have_nothing_face_down() -> None:
    found = laid(tableau__deal=[0, 1, 2], tableau__face_down="all_but_top")
    assert found.face_down == (0, 0, 1)


def test_several_groups_are_dealt_one_after_the_other() -> None:
    second = {"tableau[1].piles": 2, "tableau[1].build.suit": "any", "tableau[1].deal": "rest"}
    found = layout(from_paths(SMALL | second | {"reserve.deal": 1, "reserve[1].deal": 2}))
    assert found.tableau == (4, 4, 4, 19, 18)
    assert found.reserve == (1, 2)
    assert found.stock == 0


@pytest.mark.parametrize(
    ("values", "path", "words"),
    [
        (
            {"tableau.deal": 18},
            "tableau.deal",
            "the deal takes 54 cards and the pack has 52: tableau 3 x 18 = 54; deal 2 fewer",
        ),
        (
            {"tableau.deal": 16, "reserve.deal": 4, "foundations.deal": 1},
            "tableau.deal",
            "52: foundations 1 + tableau 3 x 16 = 48 + reserve 4 = 53; deal 1 fewer",
        ),
        (
            {"stock.to": None},
            "stock",
            "40 of 52 cards are nowhere: tableau 3 x 4 = 12, and no stock; deal 40 more",
        ),
        ({"tableau.deal": [4, 4]}, "tableau.deal", "2 numbers for 3 piles; 3 numbers"),
        ({"tableau.deal": [4] * 4}, "tableau.deal", "4 numbers for 3 piles; 3 numbers"),
        ({"tableau.face_down": [1]}, "tableau.face_down", "1 numbers for 3 piles"),
        (
            {"tableau.face_down": 5},
            "tableau.face_down",
            "tableau pile 1 has 4 cards, 5 of them face down; at most 4",
        ),
        (
            {"tableau.deal": "triangle", "tableau.face_down": [0, 3, 3]},
            "tableau.face_down",
            "tableau pile 2 has 2 cards, 3 of them face down; at most 2",
        ),
        ({"reserve.deal": [1, 2]}, "reserve.deal", "2 numbers for 1 piles"),
        (
            {"reserve.deal": 3, "reserve.face_down": 4},
            "reserve.face_down",
            "reserve pile 1 has 3 cards, 4 of them face down",
        ),
        (
            {"reserve.deal": 3, "reserve.face_down": [1, 1]},
            "reserve.face_down",
            "2 numbers for 1 piles",
        ),
        (
            {"foundations.deal": 5},
            "foundations.deal",
            "5 foundations start with a card and there are 4; at most 4",
        ),
        (
            {"cells.piles": 2, "cells.deal": 3},
            "cells.deal",
            "3 cards for 2 cells; one card a cell at most",
        ),
        (
            {"pack.decks": 2},
            "foundations.piles",
            "(foundations 4 x 13 = 52) and all must go there; the deal is tableau 3 x 4 = 12 + st",
        ),
        (
            {"foundations.cap": 12},
            "foundations.piles",
            "room for 48 of 52 cards (foundations 4 x 12 = 48)",
        ),
        (
            {"foundations.piles": 2, "foundations[1].piles": 1},
            "foundations.piles",
            "room for 39 of 52 cards (foundations 3 x 13 = 39)",
        ),
    ],
)
def test_what_does_not_add_up_is_refused(values: dict[str, Any], path: str, words: str) -> None:
    error = refused(values)
    assert error.path == path
    assert words in str(error)


@pytest.mark.parametrize(
    "values",
    [
        {"foundations.cap": 12, "goal.when": "stock_empty"},
        {"foundations.piles": 1, "foundations.cap": "unlimited"},
        {"foundations.piles": 8},
        {"foundations.piles": 4, "foundations.cap": 20},
    ],
)
def test_room_is_asked_for_only_where_it_is_needed(values: dict[str, Any]) -> None:
    assert layout(from_paths(SMALL | values)).stock == 40


def test_foundations_are_one_for_every_suit_of_every_deck() -> None:
    suits = {"C": "black", "D": "red", "H": "red", "S": "black", "T": "green"}
    values = {path: v for path, v in SMALL.items() if path != "foundations.piles"}
    ruleset = from_paths(values | {"foundations.deal": 0, "pack.decks": 2, "pack.suits": suits})
    (group,) = ruleset.foundations
    assert foundation_count(group, ruleset) == 10
    assert foundation_cap(group, ruleset) == 13
    assert layout(ruleset).cards == 130


def test_an_unlimited_foundation_holds_the_pack() -> None:
    ruleset = from_paths(SMALL | {"foundations.cap": "unlimited"})
    assert foundation_cap(ruleset.foundations[0], ruleset) == 52


DEALS = st.integers(1, 8).flatmap(
    lambda piles: st.fixed_dictionaries(
        {
            "tableau.piles": st.just(piles),
            "tableau.deal": st.one_of(
                st.integers(0, 9),
                st.sampled_from(["triangle", "rest"]),
                st.lists(st.integers(0, 9), min_size=piles, max_size=piles),
            ),
            "reserve.deal": st.integers(0, 20),
            "foundations.deal": st.integers(0, 4),
            "cells.piles": st.just(4),
            "cells.deal": st.integers(0, 4),
            "pack.decks": st.integers(1, 2),
            "foundations.piles": st.just(8),
        }
    )
)


@given(values=DEALS)
def test_every_card_is_somewhere(values: dict[str, Any]) -> None:
    cards = 52 * values["pack.decks"]
    try:
        found = layout(from_paths(SMALL | values))
    except InputError as error:
        sums = re.search(r"takes (\d+) cards and the pack has (\d+): (.* = \1);", str(error))
    else:
        sums = None
        piles = (*found.foundations, *found.tableau, *found.reserve, *found.cells, found.stock)
        assert sum(piles) == found.cards == cards
        assert min(piles) >= 0
        assert all(down <= n for down, n in zip(found.face_down, found.tableau, strict=True))
        check_arithmetic(str(found).removesuffix(" cards"), cards)
        return
    assert sums is not None
    assert values["tableau.deal"] != "rest"
    assert int(sums[1]) > int(sums[2]) == cards
    check_arithmetic(sums[3], int(sums[1]))


def check_arithmetic(text: str, cards: int) -> None:
    """Whether the sum in words is right, and comes to so many cards."""
    parts = text.split(" + ")
    total = 0
    for number, part in enumerate(parts, start=1):
        terms, *results = part.partition(" ")[2].split(" = ")
        dealt = sum(prod(map(int, term.split(" x "))) for term in terms.split("+"))
        total += dealt
        last = {dealt, cards} if number == len(parts) else {dealt}
        assert set(map(int, results)) <= last
    assert text.endswith(f" = {cards}")
    assert total == cards
