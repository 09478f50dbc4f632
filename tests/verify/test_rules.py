"""What the engines ask of a ruleset, and the rules that they refuse by name."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from spec.cards import Card
from spec.errors import InputError, Unsupported
from spec.game import game_names, load_game
from spec.ruleset import from_paths
from tests.rulesets import AUTO_FILL, FREE_SPACES, VARIANTS, small
from verify.rules import Rules, rules_of, unsupported

SECOND = {"tableau[1].piles": 1, "tableau[1].deal": 1, "tableau[1].build.suit": "same"}
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (FREE_SPACES, SECOND, "tableau: 2 groups"),
    (FREE_SPACES, {"foundations[1].piles": 1}, "foundations: 2 groups"),
    (AUTO_FILL, {"reserve[1].deal": 1}, "reserve: 2 groups"),
    (FREE_SPACES, {"cells.piles": 1}, "cells: present"),
    (FREE_SPACES, {"regather.times": 1}, "regather: present"),
    (FREE_SPACES, {"goal.when": "sorted"}, "goal.when: sorted"),
    (FREE_SPACES, {"pack.base": "none"}, "pack.base: none"),
    (FREE_SPACES, {"foundations.start": "high"}, "foundations.start: high"),
    (FREE_SPACES, {"foundations.start": "any"}, "foundations.start: any"),
    (FREE_SPACES, {"foundations.whole": True}, "foundations.whole: True"),
    (FREE_SPACES, {"foundations.first.distinct": "suit"}, "foundations.first: "),
    (FREE_SPACES, {"foundations.returns": "stock_empty"}, "foundations.returns: stock_empty"),
    (FREE_SPACES, {"foundations.deal": 1}, "foundations.deal: 1"),
    (AUTO_FILL, {"foundations.deal": 2}, "foundations.deal: 2"),
    (FREE_SPACES, {"tableau.cap": 8}, "tableau.cap: 8"),
    (
        AUTO_FILL,
        {"tableau.spaces.fill": ["waste", "waste", "waste", "stock"]},
        "tableau.spaces.fill: waste more than once",
    ),
    (FREE_SPACES, {"stock.passes": 1001}, "stock.passes: 1001"),
    (FREE_SPACES, {"tableau.sink": "K"}, "tableau.sink: K"),
    (FREE_SPACES, {"tableau.low_bottoms": 1}, "tableau.low_bottoms: 1"),
    (FREE_SPACES, {"tableau.play_in_deal": "replace"}, "tableau.play_in_deal: replace"),
    (FREE_SPACES, {"tableau.face_down": "odd"}, "tableau.face_down: odd"),
    (FREE_SPACES, {"tableau.face_down": "even"}, "tableau.face_down: even"),
    (FREE_SPACES, {"tableau.face_down": 3}, "tableau: a pile with every card face down"),
    (FREE_SPACES, {"tableau.face_down": [0, 3, 0]}, "tableau: a pile with every card face down"),
    (FREE_SPACES, {"tableau.move.unit": "pile"}, "tableau.move.unit: pile"),
    (FREE_SPACES, {"tableau.move.unit": "any"}, "tableau.move.unit: any"),
    (FREE_SPACES, {"tableau.spaces.unit": "card"}, "tableau.spaces.unit: card"),
    (AUTO_FILL, {"tableau.spaces.fill_count": 2}, "tableau.spaces.fill_count: 2"),
    (FREE_SPACES, {"tableau.spaces.fill": ["next_pile"]}, "tableau.spaces.fill: next_pile"),
    (
        FREE_SPACES,
        {"tableau.spaces.fill": ["reserve"]},
        "tableau.spaces.fill: reserve of 0 piles",
    ),
    (
        AUTO_FILL,
        {"tableau.spaces.fill": ["stock", "reserve"], "reserve.piles": 2},
        "tableau.spaces.fill: reserve of 2 piles",
    ),
    (
        AUTO_FILL,
        {"tableau.deal": [1, 0, 1]},
        "tableau: a space from the start that is filled automatically",
    ),
    (AUTO_FILL, {"reserve.face_down": "all_but_top"}, "reserve.face_down: all_but_top"),
    (AUTO_FILL, {"reserve.fill": ["stock"]}, "reserve.fill: ['stock']"),
    (FREE_SPACES, {"stock.to": "tableau"}, "stock.to: tableau"),
    (FREE_SPACES, {"stock.to": "fill_only"}, "stock.to: fill_only"),
    (FREE_SPACES, {"stock.count": 3}, "stock.count: 3"),
    (FREE_SPACES, {"stock.when": "no_other_move"}, "stock.when: no_other_move"),
]


@pytest.mark.parametrize(("family", "changes", "named"), REFUSED, ids=[one[2] for one in REFUSED])
def test_a_rule_that_is_not_played_is_refused_by_name(
    family: dict[str, Any], changes: dict[str, Any], named: str
) -> None:
    ruleset = from_paths(family | changes)
    (found,) = unsupported(ruleset)
    assert found.startswith(named)
    with pytest.raises(Unsupported) as caught:
        rules_of(ruleset, game="a game")
    assert caught.value.rules == [found]
    assert str(caught.value) == f"a game: rules that the engine does not play yet: {found}"
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.game, copied.rules) == ("a game", [found])


def test_every_rule_that_is_not_played_is_named() -> None:
    changes = {"cells.piles": 1, "stock.count": 3, "tableau.cap": 8, "goal.when": "sorted"}
    found = unsupported(from_paths(FREE_SPACES | changes))
    assert found == ["cells: present", "goal.when: sorted", "tableau.cap: 8", "stock.count: 3"]


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        (FREE_SPACES, {"tableau.face_down": 2}),
        (FREE_SPACES, {"tableau.face_down": "all_but_top", "tableau.deal": [0, 1, 3]}),
        (FREE_SPACES, {"tableau.deal": [0, 1, 3]}),
        (AUTO_FILL, {"tableau.spaces.fill": ["reserve"]}),
        (AUTO_FILL, {"reserve.piles": 2}),
    ],
)
def test_the_rules_beside_those_are_played(family: dict[str, Any], changes: dict[str, Any]) -> None:
    assert unsupported(from_paths(family | changes)) == []


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_played(name: str) -> None:
    for key in (name, *(f"{name}@{reading}" for reading in load_game(name).readings)):
        assert rules_of(load_game(key).ruleset, game=key).game == key


def test_every_variant_is_played() -> None:
    for _, family, changes in VARIANTS:
        assert unsupported(small(family, **changes)) == []


def test_a_deal_that_does_not_add_up_is_bad_input() -> None:
    with pytest.raises(InputError, match="the deal takes 60 cards and the pack has 52"):
        rules_of(from_paths(FREE_SPACES | {"tableau.deal": 20}))


# What the rules answer


def rules(family: dict[str, Any] = FREE_SPACES, **changes: Any) -> Rules:
    return rules_of(small(family, ranks=13, **changes))


def test_what_is_left_out_is_filled_in() -> None:
    plain = rules()
    assert (plain.fixed_base, plain.foundations, plain.cap) == (1, 4, 13)
    assert (plain.unit, plain.returns, plain.passes, plain.fill) == ("card", False, 1, ())
    everywhere = {"tableau", "foundation", "reserve", "waste"}
    assert plain.to_tableau == plain.to_space == everywhere
    assert plain.space_ranks is None
    assert plain.run == plain.tableau_build


def test_what_is_said_of_piles_holds_for_spaces() -> None:
    """Unless something else is said of spaces."""
    some = rules(tableau__from=["waste"])
    assert some.to_space == some.to_tableau == {"waste"}
    other = rules(tableau__from=["waste"], tableau__spaces__from=["tableau"])
    assert other.to_tableau == {"waste"}
    assert other.to_space == {"tableau"}
    closed = rules(tableau__spaces__accept="none", tableau__spaces__from=["tableau"])
    assert closed.to_space == frozenset()


def test_groups_are_built_as_piles_are_unless_it_is_said() -> None:
    other = rules(tableau__build__suit="alternate", tableau__move__suit="same")
    six, red, black = Card(6, "S"), Card(7, "H"), Card(7, "S")
    assert other.tableau_build.allows(six, red, 1)
    assert not other.run.allows(six, red, 1)
    assert other.run.allows(six, black, 1)


def test_limits_are_numbers() -> None:
    assert rules(stock__passes="unlimited").passes is None
    assert rules(stock__passes=3).passes == 3
    assert rules(foundations__cap="unlimited").cap == 52
    assert rules(foundations__cap=26, foundations__piles=2).cap == 26


def test_the_base_rank_goes_first() -> None:
    by_ace, dealt = rules(), rules(AUTO_FILL)
    assert (by_ace.fixed_base, rules(pack__base="7").fixed_base, dealt.fixed_base) == (1, 7, None)
    assert by_ace.starts_foundation(Card(1, "H"), 1)
    assert not by_ace.starts_foundation(Card(2, "H"), 1)
    assert dealt.starts_foundation(Card(9, "H"), None)


@pytest.mark.parametrize(
    ("accept", "base", "ranks"),
    [
        ("any", None, range(1, 14)),
        (["high"], 1, [13]),
        (["high"], 5, [4]),
        (["high"], None, [13]),
        (["low"], 5, [5]),
        (["K", "low"], 5, [5, 13]),
        (["2", "T"], 5, [2, 10]),
    ],
)
def test_spaces_take_ranks(accept: str | list[str], base: int | None, ranks: Any) -> None:
    found = rules(tableau__spaces__accept=accept)
    cards = [Card(rank, "S") for rank in range(1, 14)]
    assert [c.rank for c in cards if found.space_takes(c, base)] == list(ranks)


@pytest.mark.parametrize(
    ("wrap", "base", "fits"),
    [
        ("none", 5, False),
        ("base", 5, True),
        ("base", 1, False),
        ("full", 1, True),
        ("base", None, False),
    ],
)
def test_a_king_on_an_ace(wrap: str, base: int | None, *, fits: bool) -> None:
    found = rules(tableau__build__wrap=wrap)
    assert found.tableau_build.allows(Card(13, "S"), Card(1, "S"), base) is fits
