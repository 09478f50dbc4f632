from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.cards import RANKS, Pack
from spec.parameters import PARAMETERS, Choice
from spec.relations import (
    PLAIN,
    STEPS,
    SUIT_RELATIONS,
    WRAPS,
    Face,
    above,
    builds,
    first_with_cards,
    offset,
    steps,
    suits_agree,
)
from spec.ruleset import Build, FoundationBuild, SuitRelation, Wrap

PACK = Pack()
FACES = {card: Face(card.rank, card.suit, PACK.colour(card.suit)) for card in PACK.cards()}


def pairs(ranks: int, base: int, wrap: str) -> set[tuple[int, int]]:
    """(upper, lower) for every pair of neighbours."""
    span = range(1, ranks + 1)
    return {
        (upper, lower)
        for upper in span
        for lower in span
        if above(upper, lower, base=base, wrap=wrap, ranks=ranks, logic=PLAIN)
    }


def fitting(step: str | int, *, ranks: int = 13, base: int = 1, wrap: str = "none") -> set[str]:
    """The ranks that go on each rank, as text: ``QK`` is the queen on the king."""
    span = range(1, ranks + 1)
    return {
        RANKS[card - 1] + RANKS[onto - 1]
        for card in span
        for onto in span
        if steps(card, onto, step=step, base=base, wrap=wrap, ranks=ranks, logic=PLAIN)
    }


SIZES = st.integers(2, 13)
CASES = SIZES.flatmap(
    lambda ranks: st.tuples(st.just(ranks), st.integers(1, ranks), st.sampled_from(WRAPS))
)


def test_the_words_of_the_relations_are_those_of_the_model() -> None:
    assert get_args(SuitRelation) == SUIT_RELATIONS
    assert get_args(Wrap) == WRAPS
    for build in (Build, FoundationBuild):
        words = build.model_json_schema()["properties"]["step"]["anyOf"][0]["enum"]
        assert tuple(words) == STEPS
    domain = PARAMETERS["tableau.build.step"].domain
    assert isinstance(domain, Choice)
    assert domain.values == (*STEPS, *range(2, 13))


# Ranks


def test_small_tables_of_neighbours() -> None:
    straight = {(2, 1), (3, 2), (4, 3)}
    assert pairs(4, 1, "none") == straight
    assert pairs(4, 3, "none") == straight
    assert pairs(4, 1, "base") == straight
    assert pairs(4, 3, "base") == {(4, 3), (1, 4), (2, 1)}
    assert pairs(4, 2, "base") == {(3, 2), (4, 3), (1, 4)}
    assert pairs(4, 1, "full") == pairs(4, 3, "full") == straight | {(1, 4)}
    assert pairs(2, 1, "full") == {(2, 1), (1, 2)}


@given(case=CASES)
def test_neighbours_stand_beside_each_other_in_the_row_of_ranks(
    case: tuple[int, int, str],
) -> None:
    """The row starts at the ace, or at the base rank; the circle has no end."""
    ranks, base, wrap = case
    row = list(range(1, ranks + 1))
    if wrap == "base":
        row = row[base - 1 :] + row[: base - 1]
    expected = {(row[n + 1], row[n]) for n in range(ranks - 1)}
    if wrap == "full":
        expected.add((row[0], row[-1]))
    assert pairs(ranks, base, wrap) == expected


@given(ranks=SIZES)
def test_a_full_circle_has_one_rank_above_each_and_one_below(ranks: int) -> None:
    found = pairs(ranks, 1, "full")
    assert sorted(upper for upper, _ in found) == list(range(1, ranks + 1))
    assert sorted(lower for _, lower in found) == list(range(1, ranks + 1))
    assert all(pairs(ranks, base, "full") == found for base in range(1, ranks + 1))


@given(case=CASES)
def test_a_row_has_one_pair_fewer_than_ranks(case: tuple[int, int, str]) -> None:
    ranks, base, wrap = case
    assert len(pairs(ranks, base, wrap)) == (ranks if wrap == "full" else ranks - 1)


@given(ranks=SIZES)
def test_with_an_ace_as_base_the_base_makes_no_difference(ranks: int) -> None:
    assert pairs(ranks, 1, "base") == pairs(ranks, 1, "none")
    for base in range(2, ranks + 1):
        assert pairs(ranks, base, "base") != pairs(ranks, base, "none")
        assert pairs(ranks, base, "base") < pairs(ranks, base, "full")


@given(case=CASES)
def test_nothing_is_above_the_high_rank_and_nothing_below_the_low(
    case: tuple[int, int, str],
) -> None:
    ranks, base, wrap = case
    uppers = {upper for upper, _ in pairs(ranks, base, wrap)}
    lowers = {lower for _, lower in pairs(ranks, base, wrap)}
    missing = (set(range(1, ranks + 1)) - uppers, set(range(1, ranks + 1)) - lowers)
    before = (base - 2) % ranks + 1
    assert (
        missing
        == {"none": ({1}, {ranks}), "base": ({base}, {before}), "full": (set(), set())}[wrap]
    )


@given(case=CASES)
def test_offsets_count_from_the_base(case: tuple[int, int, str]) -> None:
    ranks, base, _ = case
    found = {rank: offset(rank, base, ranks) for rank in range(1, ranks + 1)}
    assert sorted(found.values()) == list(range(ranks))
    assert found[base] == 0
    assert found[(base - 2) % ranks + 1] == ranks - 1


# Steps


def test_down_up_and_either() -> None:
    down = {"A2", "23", "34", "45", "56", "67", "78", "89", "9T", "TJ", "JQ", "QK"}
    up = {pair[::-1] for pair in down}
    assert fitting("down") == down
    assert fitting("up") == up
    assert fitting("either") == down | up
    assert fitting("down", wrap="full") == down | {"KA"}
    assert fitting("up", wrap="full") == up | {"AK"}
    assert fitting("down", base=5, wrap="base") == (down | {"KA"}) - {"45"}
    assert fitting("up", base=5, wrap="base") == (up | {"AK"}) - {"54"}


def test_equal_any_and_none() -> None:
    assert fitting("equal") == {rank * 2 for rank in RANKS}
    assert fitting("any") == {a + b for a in RANKS for b in RANKS}
    assert fitting("none") == set()


def test_by_twos_and_threes_as_in_calculation() -> None:
    """A row by twos: 2 4 6 8 T Q A 3 5 7 9 J K."""
    row = "2468TQA3579JK"
    assert fitting(2) == {row[(n + 1) % 13] + row[n] for n in range(13)}
    assert len(fitting(12)) == 13
    assert fitting(12) == fitting("down", wrap="full")
    assert fitting(3, ranks=4) == fitting("down", ranks=4, wrap="full")


@given(case=CASES, step=st.sampled_from([*STEPS, 2, 3, 12]))
def test_either_is_down_or_up(case: tuple[int, int, str], step: str | int) -> None:
    ranks, base, wrap = case
    found = fitting(step, ranks=ranks, base=base, wrap=wrap)
    down = fitting("down", ranks=ranks, base=base, wrap=wrap)
    up = fitting("up", ranks=ranks, base=base, wrap=wrap)
    assert up == {pair[::-1] for pair in down}
    if step == "either":
        assert found == down | up
    if isinstance(step, int):
        assert len(found) == (ranks if step < ranks else 0)
        assert found == fitting(step, ranks=ranks)


# Suits


@pytest.mark.parametrize(
    ("relation", "on_hearts"),
    [("same", "H"), ("alternate", "CS"), ("any", "CDHS"), ("colour", "DH"), ("different", "CDS")],
)
def test_which_suits_go_on_hearts(relation: str, on_hearts: str) -> None:
    heart = FACES[PACK.parse("8H")]
    sevens = [FACES[PACK.parse(f"7{suit}")] for suit in "CDHS"]
    found = [
        face.suit for face in sevens if suits_agree(face, heart, relation=relation, logic=PLAIN)
    ]
    assert "".join(found) == on_hearts


@pytest.mark.parametrize(
    ("relation", "number"),
    [("same", 4), ("alternate", 8), ("any", 16), ("colour", 8), ("different", 12)],
)
def test_how_many_pairs_of_suits_agree(relation: str, number: int) -> None:
    kings = [FACES[PACK.parse(f"K{suit}")] for suit in "CDHS"]
    agreeing = [
        (one, other)
        for one in kings
        for other in kings
        if suits_agree(one, other, relation=relation, logic=PLAIN)
    ]
    assert len(agreeing) == number
    assert {(other, one) for one, other in agreeing} == set(agreeing)


def test_with_three_colours_alternate_is_another_colour() -> None:
    green, red, black = (Face(1, s, c) for s, c in (("T", "green"), ("H", "red"), ("C", "black")))
    for one in (green, red, black):
        for other in (green, red, black):
            found = suits_agree(one, other, relation="alternate", logic=PLAIN)
            assert found == (one is not other)


# Both


@pytest.mark.parametrize(
    ("step", "relation", "wrap", "number"),
    [
        ("down", "same", "none", 4 * 12),
        ("down", "alternate", "none", 8 * 12),
        ("down", "alternate", "full", 8 * 13),
        ("up", "same", "base", 4 * 12),
        ("either", "any", "none", 16 * 24),
        ("equal", "different", "none", 12 * 13),
        ("any", "any", "none", 52 * 52),
        ("none", "any", "full", 0),
        (2, "any", "none", 16 * 13),
    ],
)
def test_how_many_pairs_of_cards_build(
    step: str | int, relation: str, wrap: str, number: int
) -> None:
    found = [
        (card, onto)
        for card in FACES.values()
        for onto in FACES.values()
        if builds(
            card, onto, step=step, relation=relation, wrap=wrap, base=7, ranks=13, logic=PLAIN
        )
    ]
    assert len(found) == number


def test_the_logic_decides_how_a_value_is_compared() -> None:
    """A solver's value is no text; only ``named`` may look at it."""

    class Coded:
        """Values are numbers: the index of their name."""

        def all_of(self, *conditions: Any) -> Any:
            return all(conditions)

        def any_of(self, *conditions: Any) -> Any:
            return any(conditions)

        def negate(self, condition: Any) -> Any:
            return not condition

        def named(self, value: Any, name: str | int) -> Any:
            kind, index = value
            names = {"step": (*STEPS, *range(2, 13)), "suit": SUIT_RELATIONS, "wrap": WRAPS}[kind]
            return names[index] == name

    for number, step in enumerate((*STEPS, 2, 3)):
        for index, relation in enumerate(SUIT_RELATIONS):
            for place, wrap in enumerate(WRAPS):
                for onto in ("AH", "KS", "7D"):
                    for card in FACES.values():
                        face = FACES[PACK.parse(onto)]
                        plain = builds(
                            *(card, face),
                            step=step,
                            relation=relation,
                            wrap=wrap,
                            base=7,
                            ranks=13,
                            logic=PLAIN,
                        )
                        coded = builds(
                            *(card, face),
                            step=("step", number),
                            relation=("suit", index),
                            wrap=("wrap", place),
                            base=7,
                            ranks=13,
                            logic=Coded(),
                        )
                        assert plain == coded


# Fills


@given(sources=st.lists(st.tuples(st.booleans(), st.integers()), max_size=4))
def test_the_first_source_that_has_cards_is_taken(sources: list[tuple[bool, int]]) -> None:
    found = first_with_cards(sources, otherwise=None, pick=lambda c, a, b: a if c else b)
    assert found == next((value for has_cards, value in sources if has_cards), None)
