from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from spec.accounting import foundation_cap, foundation_count, layout
from spec.cards import STANDARD_SUITS
from spec.errors import InputError, Unsupported
from spec.game import game_names, load_game
from spec.relations import STEPS, SUIT_RELATIONS, WRAPS
from spec.ruleset import (
    GROUPS,
    Ruleset,
    from_paths,
    leaf_paths,
    parse_ruleset,
    split_path,
    tree_of,
    value_at,
)
from spec.yamlfile import load_yaml
from tests.rulesets import AUTO_FILL
from verify.rules import Rules, rules_of, unsupported

FOLDER = Path(__file__).parent / "rulesets"


def stated(name: str) -> dict[str, Any]:
    """The values of a ruleset by their paths."""
    value = load_yaml(FOLDER / f"{name}.yaml").value
    assert isinstance(value, dict)
    return value


# Name, cards in the stock, what the engines do not play.
RULESETS: list[tuple[str, int, list[str]]] = [
    ("agnes-sorel", 23, ["stock.to: tableau"]),
    ("bakers-dozen", 0, ["tableau.sink: K"]),
    ("bisley", 0, ["foundations: 2 groups", "foundations.deal: 4"]),
    ("canfield", 34, ["reserve.face_down: all_but_top", "stock.count: 3"]),
    ("empress-of-italy", 177, []),
    ("forty-thieves", 64, []),
    ("freecell", 0, ["cells: present"]),
    ("josephine", 64, []),
    ("klondike", 24, ["stock.count: 3"]),
    ("signora", 84, []),
    ("spider", 50, ["foundations.whole: True", "stock.to: tableau"]),
    ("wood", 85, []),
    ("yukon", 0, ["tableau.move.unit: any"]),
]
BY_NAME = {name: from_paths(stated(name)) for name, _, _ in RULESETS}
ALL = BY_NAME | {name: load_game(name).ruleset for name in game_names()}


def test_every_ruleset_is_tried() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*")) == [name for name, _, _ in RULESETS]


@pytest.mark.parametrize(("name", "stock", "refused"), RULESETS, ids=[n for n, _, _ in RULESETS])
def test_known_games_add_up_and_say_what_is_not_played(
    name: str, stock: int, refused: list[str]
) -> None:
    ruleset = BY_NAME[name]
    assert layout(ruleset).stock == stock
    assert unsupported(ruleset) == refused
    if refused:
        with pytest.raises(Unsupported) as caught:
            rules_of(ruleset, game=name)
        assert caught.value.rules == refused
    else:
        assert isinstance(rules_of(ruleset), Rules)


@pytest.mark.parametrize("name", BY_NAME)
def test_values_are_found_at_their_paths(name: str) -> None:
    for path, value in stated(name).items():
        assert value_at(BY_NAME[name], path) == value


# Paths


@pytest.mark.parametrize("path", leaf_paths())
def test_a_path_is_split_and_put_together(path: str) -> None:
    name, *rest = path.split(".")
    if name in GROUPS:
        assert split_path(path) == (name, 0, *rest)
        assert split_path(f"{name}[3].{'.'.join(rest)}") == (name, 3, *rest)
    else:
        assert split_path(path) == (name, *rest)
        with pytest.raises(KeyError):
            split_path(f"{name}[1].{'.'.join(rest)}")


@pytest.mark.parametrize(
    "path",
    [
        *(
            "",
            ".",
            "tableau",
            "tableau.",
            ".deal",
            "tableau..deal",
            "tableau.deal.",
            "Tableau.deal",
        ),
        *("tableau[0].deal", "tableau[01].deal", "tableau[1.deal", "tableau1].deal"),
        *("tableau[].deal", "tableau[-1].deal", "tableau[\u00b2].deal", "tableau[100].deal"),
        *(
            "tableau[1][1].deal",
            "tableau.build",
            "tableau[1]",
            "t\u0430bleau.deal",
            "tableau.deal\n",
        ),
        *("stock.cards", "pack.cards", "tableau.from_", "tableau.spaces.from_"),
    ],
)
def test_what_is_no_path_is_no_path(path: str) -> None:
    with pytest.raises(KeyError):
        split_path(path)
    with pytest.raises(KeyError):
        from_paths({path: 1})


def test_groups_keep_their_order_however_they_are_written() -> None:
    values = {f"tableau[{n}].deal": n for n in (12, 2, 1, 11, 10, 9, 8, 7, 6, 5, 4, 3)}
    tree = tree_of(values | {"tableau.deal": 0})
    assert [group["deal"] for group in tree["tableau"]] == list(range(13))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"tableau[1].deal": 1}, "tableau[1].deal: .* nothing is said of tableau;"),
        ({"reserve.deal": 1, "reserve[2].deal": 1}, "reserve[2].deal: .* said of reserve[1];"),
    ],
)
def test_a_group_that_is_left_out_is_refused(values: dict[str, Any], words: str) -> None:
    pattern = words.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(InputError, match=pattern):
        from_paths(values)


def test_a_value_of_a_group_that_is_absent_is_none() -> None:
    assert value_at(BY_NAME["yukon"], "stock.to") is None
    assert value_at(BY_NAME["yukon"], "reserve.deal") is None
    assert value_at(BY_NAME["bisley"], "foundations[1].start") == "high"
    assert value_at(BY_NAME["bisley"], "foundations[2].start") is None
    assert value_at(BY_NAME["signora"], "tableau.from") == ["waste", "tableau"]


def test_every_value_has_a_question() -> None:
    assert [path for path, info in leaf_paths().items() if not info.description] == []


# Values


@pytest.mark.parametrize(
    ("path", "written", "read"),
    [
        ("pack.base", 2, "2"),
        ("pack.base", 10, "T"),
        ("pack.base", "10", "T"),
        ("pack.base", "K", "K"),
        ("foundations.start", 9, "9"),
        ("tableau.sink", 10, "T"),
        ("tableau.spaces.accept", [2, "K", "high"], ["2", "K", "high"]),
        ("tableau.build.step", 2, 2),
        ("tableau.spaces.fill", [], None),
        ("reserve.fill", [], None),
    ],
)
def test_values_are_read_one_way(path: str, written: object, read: object) -> None:
    base = stated("signora") | {"pack.ranks": 13}
    assert value_at(from_paths(base | {path: written}), path) == read


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pack.base", 1),
        ("pack.base", 11),
        ("pack.base", True),
        ("pack.base", 10.0),
        ("pack.base", "k"),
        ("pack.decks", True),
        ("pack.decks", 2.0),
        ("pack.decks", "2"),
        ("pack.ranks", 14),
        ("pack.suits", {}),
        ("pack.suits", {"hearts": "red"}),
        ("tableau.piles", 0),
        ("tableau.deal", -1),
        ("tableau.deal", []),
        ("tableau.deal", "all"),
        ("tableau.from", []),
        ("tableau.from", ["deck"]),
        ("tableau.from", "waste"),
        ("tableau.spaces.accept", []),
        ("tableau.spaces.accept", "K"),
        ("tableau.build.step", 1),
        ("tableau.build.step", 13),
        ("waste.piles", 2),
        ("foundations.whole", 1),
        ("stock.passes", 0),
    ],
)
def test_values_of_another_kind_are_refused(path: str, value: object) -> None:
    with pytest.raises(ValidationError):
        from_paths(stated("signora") | {path: value})


# Canonical text and digest


def test_stating_the_derived_number_makes_no_difference() -> None:
    for name, ruleset in ALL.items():
        if len(ruleset.foundations) != 1:
            continue
        derived = ruleset.pack.decks * len(ruleset.pack.suits)
        written = [
            ruleset.model_copy(
                update={"foundations": [ruleset.foundations[0].model_copy(update=update)]}
            )
            for update in (
                {"piles": derived},
                {"piles": None},
                {"cap": ruleset.pack.ranks},
                {"piles": derived, "cap": 13},
            )
        ]
        assert {one.canonical() for one in written} == {ruleset.canonical()}, name
        assert {one.digest() for one in written} == {ruleset.digest()}


def test_stating_a_default_makes_no_difference() -> None:
    plain = from_paths(stated("forty-thieves"))
    defaults = {
        path: info.default
        for path, info in leaf_paths().items()
        if path.partition(".")[0] in ("pack", "foundations", "tableau", "stock", "goal")
        and not info.is_required()
        and path != "pack.suits"
    }
    defaults["pack.suits"] = dict(STANDARD_SUITS)
    assert from_paths(defaults | stated("forty-thieves")).canonical() == plain.canonical()


def test_the_order_of_writing_makes_no_difference() -> None:
    for name, ruleset in BY_NAME.items():
        values = dict(reversed(stated(name).items()))
        assert from_paths(values).digest() == ruleset.digest()
    turned = from_paths({"pack.suits": dict(reversed(STANDARD_SUITS.items()))})
    assert turned.digest() == Ruleset().digest()
    assert turned.pack.pack() == Ruleset().pack.pack()


def test_different_games_have_different_digests() -> None:
    assert len({ruleset.digest() for ruleset in ALL.values()}) == len(ALL)
    assert all(len(ruleset.digest()) == 64 for ruleset in ALL.values())


@pytest.mark.parametrize("name", ALL)
def test_the_canonical_text_is_read_back(name: str) -> None:
    ruleset = ALL[name]
    back = parse_ruleset(json.loads(ruleset.canonical()))
    assert back.canonical() == ruleset.canonical()
    assert layout(back) == layout(ruleset)
    assert unsupported(back) == unsupported(ruleset)


def test_the_canonical_text_of_a_game_is_this() -> None:
    """Whoever keeps digests (the store of runs, seed packs) finds them again."""
    assert BY_NAME["wood"].canonical() == (
        '{"foundations":[{"build":{"suit":"alternate"},"deal":1}],"pack":{"base":"first_card",'
        '"decks":2},"reserve":[{"deal":10}],"stock":{},"tableau":[{"build":{"suit":"alternate",'
        '"wrap":"base"},"deal":1,"from":["waste","tableau"],"piles":8,'
        '"spaces":{"from":["waste"]}}],"waste":{}}'
    )
    assert BY_NAME["wood"].digest() == (
        "8a15d17f2bf93651f203ab8b023b5ead5641762f3d17420fda4a9d6ca313c2ef"
    )


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (None, "valid dictionary"),
        ([], "valid dictionary"),
        ("klondike", "valid dictionary"),
        ({"table": []}, "table: "),
        ({"tableau": {}}, "tableau: "),
        ({"tableau": [{"piles": 1, "deal": 1, "build": {}}]}, "tableau.0.build.suit: "),
        ({"pack": {"decks": "2"}}, "pack.decks: "),
    ],
)
def test_what_is_no_ruleset_is_refused(tree: object, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_ruleset(tree)
    assert words in str(caught.value)


# Values for every path: words, numbers, lists, a pack of other colours.
CANDIDATES: tuple[Any, ...] = (
    *STEPS,
    *SUIT_RELATIONS,
    *WRAPS,
    *("A", "7", "K", "first_card", "low", "high", "unlimited", "triangle", "rest"),
    *("all_but_top", "odd", "even", "card", "group", "whole_group", "pile"),
    *("always", "never", "stock_empty", "leave_gap", "replace", "suit"),
    *("waste", "tableau", "foundation", "reserve", "hand", "fill_only", "deal", "skip", "forbid"),
    *("no_other_move", "first_to_last", "last_to_first", "by_piles", "by_rows"),
    *("foundations", "sorted", "foundations_or_stock"),
    *range(14),
    *(True, False, None),
    *([1, 2, 4], [0, 1, 1], [3], [2, 1], ["waste"], ["stock"], ["tableau", "waste"], ["K"], ["H"]),
    *(["reserve"], ["next_pile"], [], {"C": "red", "D": "red", "H": "red", "S": "black"}),
)


def meaning(ruleset: Ruleset, path: str) -> Any:
    """The value at a path, derived where it is left out."""
    if path == "foundations.piles" and ruleset.foundations:
        return foundation_count(ruleset.foundations[0], ruleset)
    if path == "foundations.cap" and ruleset.foundations:
        cap = ruleset.foundations[0].cap
        return cap if cap == "unlimited" else foundation_cap(ruleset.foundations[0], ruleset)
    return value_at(ruleset, path)


def read(values: dict[str, Any]) -> Ruleset | None:
    """The ruleset, or None where the values make none."""
    try:
        return from_paths(values)
    except ValidationError:
        return None


def fitting(path: str) -> list[Any]:
    """The candidates that some ruleset can have at ``path``."""
    group = path.partition(".")[0]
    some = [values for values in STATED.values() if any(one.startswith(group) for one in values)]
    return [value for value in CANDIDATES if any(read(one | {path: value}) for one in some[:3])]


STATED = {name: stated(name) for name in BY_NAME}
FITTING = {path: values for path in leaf_paths() if (values := fitting(path))}


@given(
    name=st.sampled_from(sorted(BY_NAME)),
    change=st.sampled_from(sorted(FITTING)).flatmap(
        lambda path: st.tuples(st.just(path), st.sampled_from(FITTING[path]))
    ),
)
def test_any_other_value_is_another_ruleset(name: str, change: tuple[str, Any]) -> None:
    path, value = change
    base = BY_NAME[name]
    changed = read(STATED[name] | {path: value})
    assume(changed is not None)
    assert changed is not None
    present = {one: meaning(base, one) for one in leaf_paths()}
    same = present == {one: meaning(changed, one) for one in leaf_paths()}
    assert (changed.digest() == base.digest()) == same
    assert (changed.canonical() == base.canonical()) == same
    back = parse_ruleset(json.loads(changed.canonical()))
    assert back.digest() == changed.digest()


# Nothing is dropped on the way to the engines

PLAYED = AUTO_FILL | {
    "tableau.deal": 3,
    "tableau.face_down": 1,
    "tableau.move.unit": "group",
    "goal.when": "foundations",
}
"""Every group that the engines play, with something to change in each."""

COMPANIONS = {
    "cells": {"cells.piles": 1},
    "regather": {"regather.times": 1},
}
"""What a group that the engines do not play needs at least."""

NO_DIFFERENCE = {
    "stock.group": "to which tableau group the stock deals: such a stock is refused (stock.to)",
    "stock.spaces": "whether the stock deals to spaces: such a stock is refused (stock.to)",
    "tableau.move.step: down": "as the tableau builds, which is what leaving it out means",
    "tableau.move.suit: alternate": "as the tableau builds, which is what leaving it out means",
    "tableau.from: ['tableau', 'waste']": "the same piles in another order",
    "tableau.spaces.from: ['tableau', 'waste']": "the piles of tableau.from, the default here",
    "reserve.deal: [3]": "the same number as a list",
}
"""Changes that the engines need not see, with the reason."""

NAMED_BY = {"pack.base": "foundations.deal"}
"""A card dealt to a foundation and a base rank that is fixed do not go together."""


def outcome(path: str, value: Any) -> str | None:
    """What becomes of a value: played, refused by name, no deal, dropped; None if it is none."""
    name = path.partition(".")[0]
    changed = read(PLAYED | COMPANIONS.get(name, {}) | {path: value})
    if changed is None:
        return None
    if name not in COMPANIONS and meaning(changed, path) == meaning(BASE, path):
        return None
    try:
        after = seen(changed)
    except Unsupported as error:
        named = [rule.partition(":")[0] for rule in error.rules]
        known = any(path.startswith(one) or NAMED_BY.get(path) == one for one in named)
        return "refused by name" if known else f"refused as {', '.join(named)}"
    except InputError:
        return "no deal"
    return "played" if after != BEFORE else "dropped"


def seen(ruleset: Ruleset) -> list[Any]:
    """What the engines see of a ruleset."""
    rules = rules_of(ruleset)
    return [getattr(rules, field.name) for field in fields(rules) if field.name != "ruleset"]


BASE = from_paths(PLAYED)
BEFORE = seen(BASE)


def test_every_value_is_played_refused_or_known_to_make_no_difference() -> None:
    assert unsupported(BASE) == []
    outcomes = {
        (path, f"{path}: {value}"): found
        for path in leaf_paths()
        for value in CANDIDATES
        if (found := outcome(path, value)) is not None
    }
    assert set(outcomes.values()) == {"played", "refused by name", "no deal", "dropped"}
    dropped = {case for case, found in outcomes.items() if found == "dropped"}
    assert {case for case in dropped if NO_DIFFERENCE.keys().isdisjoint(case)} == set()
    assert {word for case in dropped for word in case} >= NO_DIFFERENCE.keys()
    tried = {path for (path, _), found in outcomes.items() if found != "no deal"}
    assert set(leaf_paths()) - tried == {"waste.piles"}, "one waste is all that there can be"


@pytest.mark.parametrize("name", GROUPS)
def test_a_second_group_is_refused_by_name(name: str) -> None:
    second: dict[str, Any] = {f"{name}[1].deal": 0}
    if name == "tableau":
        second |= {"tableau[1].piles": 1, "tableau[1].build.suit": "same"}
    assert unsupported(from_paths(PLAYED | second)) == [f"{name}: 2 groups"]


def test_a_waste_that_is_absent_is_refused_by_name() -> None:
    values = {path: value for path, value in PLAYED.items() if path != "waste.piles"}
    assert unsupported(from_paths(values)) == ["stock.to: waste"]
