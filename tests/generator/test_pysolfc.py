"""What a verdict claims about a PySolFC number: who transfers, and that only wins of less do."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator import pysolfc
from generator.dealers import deal
from generator.packs import CONSTRUCTED, DEALT, PackDeal
from generator.pysolfc import (
    COUNTERPARTS,
    counterpart,
    has_list,
    more_free,
    number_list,
    require_transfer,
    transfers,
    values_of,
)
from generator.shuffles import Seed
from spec.errors import InputError
from spec.game import game_names, load_game
from tests.adversary import TWO_SUITS
from tests.brute_force import is_solvable
from tests.generator.smallgames import game_file, made, small_game
from tests.rulesets import AUTO_FILL, FREE_SPACES, small
from verify.certificate import Verdict
from verify.rules import rules_of

ALLOWED = {
    "josephine": ("Josephine", 462),
    "josephine@whole-sequences": ("Josephine", 462),
    "emperor": ("Emperor", 310),
    "emperor@returns": ("Emperor", 310),
}
NOT_ALLOWED = {
    "emperor@groups": r"a win in emperor@groups is not always one in PySolFC's Emperor \(310\): "
    r"tableau\.move\.unit allow more here",
    "signora": r"Signora \(499\) lets the player choose the base rank",
    "empress-of-italy": r"Empress of Italy \(786\) lets the player choose the base rank",
}


class TestTable:
    @pytest.mark.parametrize("key", ALLOWED)
    def test_a_win_transfers(self, key: str) -> None:
        found = require_transfer(load_game(key))
        assert (found.name, found.id) == ALLOWED[key]
        assert has_list(load_game(key))

    @pytest.mark.parametrize("key", NOT_ALLOWED)
    def test_no_win_transfers_and_the_reason_is_told(self, key: str) -> None:
        with pytest.raises(InputError, match=NOT_ALLOWED[key]):
            require_transfer(load_game(key))
        assert not has_list(load_game(key))

    def test_every_reading_of_every_game_is_looked_at(self) -> None:
        listed = []
        for name in game_names():
            readings = [f"{name}@{reading}" for reading in load_game(name).readings]
            listed += [key for key in (name, *readings) if has_list(load_game(key))]
        assert sorted(listed) == sorted(ALLOWED)

    def test_the_games_are_laid_out_as_ours(self) -> None:
        for name, found in COUNTERPARTS.items():
            ours = load_game(name).ruleset
            assert rules_of(found.ruleset).layout == rules_of(ours).layout

    def test_a_game_that_is_not_known_has_none(self) -> None:
        assert "no game of this name" in str(counterpart("closet"))
        with pytest.raises(InputError, match="no list of PySolFC numbers for closet"):
            require_transfer(small_game("closet"))

    def test_an_own_game_of_that_name_is_judged_by_its_rules(self, tmp_path: Path) -> None:
        """Twenty cards in piles of three, by the name of josephine."""
        file = game_file(tmp_path, "closet")
        file.write_text(file.read_text().replace("closet", "josephine"), encoding="utf-8")
        with pytest.raises(InputError, match=r"pack\.decks, pack\.ranks.*tableau\.piles"):
            require_transfer(load_game(str(file)))

    def test_a_loss_transfers_only_if_nothing_more_is_allowed_there(self) -> None:
        """PySolFC lets cards come back from the foundations, which may save a deal."""
        theirs = COUNTERPARTS["emperor"].ruleset
        strict, returns = load_game("emperor").ruleset, load_game("emperor@returns").ruleset
        into_spaces = "tableau.spaces.from"
        assert transfers(strict, theirs, Verdict.UNSOLVABLE) == ["foundations.returns", into_spaces]
        assert transfers(returns, theirs, Verdict.UNSOLVABLE) == [into_spaces]
        assert transfers(theirs, theirs, Verdict.UNSOLVABLE) == []
        assert transfers(theirs, theirs, Verdict.UNDECIDED) != []


class TestNumberList:
    def test_solvable_dealt_deals_are_listed(self) -> None:
        first = Seed(dealer="pysolfc", number=100_000)
        won, _, lost = made("closet").deals

        def of(deal: PackDeal, number: int, origin: str = DEALT) -> PackDeal:
            seed = Seed(dealer="pysolfc", number=number)
            return PackDeal(origin=origin, seed=seed, deal=deal.deal, decision=deal.decision)

        deals = [of(won, 100_007), of(lost, 100_008), of(won, 100_009, CONSTRUCTED), of(won, 5)]
        assert number_list(load_game("josephine"), first, deals) == "100007\n5\n"

    def test_our_own_numbers_are_no_numbers_of_pysolfc(self) -> None:
        with pytest.raises(InputError, match=r"the deals are not PySolFC's; --dealer pysolfc"):
            number_list(load_game("josephine"), Seed(dealer="dealproof", number=1), [])

    def test_a_list_that_claims_nothing_is_refused(self) -> None:
        with pytest.raises(InputError, match="allow more here"):
            number_list(load_game("emperor@groups"), Seed(dealer="pysolfc", number=1), [])


CARDS: dict[str, Any] = {"ranks": 4, "pack__suits": TWO_SUITS, "tableau__piles": 2}
SOURCES = [["waste"], ["waste", "tableau"], None]
TABLES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, list[Any]]]] = {
    "groups": (
        FREE_SPACES,
        CARDS | {"tableau__deal": 4, "tableau__build__suit": "any"},
        {
            "foundations__returns": ["never", "always"],
            "tableau__move__unit": ["card", "whole_group", "group"],
            "tableau__build__wrap": ["none", "full"],
            "tableau__spaces__accept": ["none", "any"],
            "tableau__from": [["tableau"], ["tableau", "waste"], None],
        },
    ),
    "fills": (
        AUTO_FILL,
        CARDS | {"reserve__deal": 3},
        {
            "foundations__returns": ["never", "always"],
            "tableau__build__wrap": ["none", "full"],
            "tableau__spaces__accept": ["none", "any"],
            "tableau__from": SOURCES,
            "tableau__spaces__from": SOURCES,
        },
    ),
    "no fills": (
        AUTO_FILL,
        CARDS
        | {
            "tableau__deal": 2,
            "reserve__deal": 3,
            "tableau__spaces__fill": None,
            "tableau__build__suit": "any",
        },
        {
            "foundations__returns": ["never", "always"],
            "tableau__build__wrap": ["none", "full"],
            "tableau__spaces__accept": ["none", "any"],
            "tableau__from": SOURCES,
            "tableau__spaces__from": SOURCES,
        },
    ),
}
"""Families with the values of the paths in which one ruleset may be a restriction of another."""

DECKS = range(20)


@cache
def truths(name: str) -> tuple[tuple[dict[str, Any], tuple[bool | None, ...]], ...]:
    """The values of every ruleset of a table, with whether each deck can be won by brute force."""
    family, size, choices = TABLES[name]
    found = []
    for values in itertools.product(*choices.values()):
        ruleset = small(family, **(size | dict(zip(choices, values, strict=True))))
        rules = rules_of(ruleset)
        deals = (deal(rules, Seed(dealer="dealproof", number=number)) for number in DECKS)
        found.append((values_of(ruleset), tuple(is_solvable(rules, each) for each in deals)))
    return tuple(found)


def transferred(name: str) -> tuple[int, int]:
    """How many pairs of rulesets transfer, and how many wins are lost on the way."""
    pairs = lost = 0
    for (mine, wins), (theirs, others) in itertools.permutations(truths(name), 2):
        if all(pysolfc._restricts(path, mine, theirs) for path in mine):
            pairs += 1
            lost += sum(bool(won) and not there for won, there in zip(wins, others, strict=True))
    return pairs, lost


class TestTransfer:
    @pytest.mark.parametrize("name", TABLES)
    def test_a_win_under_a_restriction_is_a_win_under_the_freer_rules(self, name: str) -> None:
        assert all(None not in wins for _, wins in truths(name))
        pairs, lost = transferred(name)
        assert pairs > 500
        assert lost == 0

    @pytest.mark.parametrize(
        ("path", "table"),
        [
            ("foundations.returns", "no fills"),
            ("tableau.move.unit", "groups"),
            ("tableau.build.wrap", "fills"),
            ("tableau.build.wrap", "groups"),
        ],
    )
    def test_a_pair_the_wrong_way_round_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, path: str, table: str
    ) -> None:
        turned = {(more, less) for less, more in pysolfc._LESS_FREE[path]}
        monkeypatch.setitem(pysolfc._LESS_FREE, path, turned)
        assert transferred(table)[1] > 0

    @pytest.mark.parametrize("path", ["tableau.from", "tableau.spaces.from"])
    def test_a_set_the_wrong_way_round_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        right = pysolfc._restricts

        def wrong(at: str, mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
            return right(at, theirs, mine) if at == path else right(at, mine, theirs)

        monkeypatch.setattr(pysolfc, "_restricts", wrong)
        assert transferred("no fills")[1] > 0

    def test_a_wrap_takes_moves_away_where_only_whole_groups_move(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a wrap a group is longer, and what was a whole one is a part of one."""
        right = pysolfc._restricts

        def wrong(at: str, mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
            return at == "tableau.build.wrap" or right(at, mine, theirs)

        none, full = (
            small(FREE_SPACES, tableau__move__unit="whole_group", tableau__build__wrap=wrap)
            for wrap in ("none", "full")
        )
        assert more_free(none, full) == ["tableau.build.wrap"]
        monkeypatch.setattr(pysolfc, "_restricts", wrong)
        assert transferred("groups")[1] > 0

    def test_values_of_which_neither_is_less_do_not_transfer(self) -> None:
        card, whole = (
            small(FREE_SPACES, tableau__move__unit=unit) for unit in ("card", "whole_group")
        )
        assert more_free(card, whole) == more_free(whole, card) == ["tableau.move.unit"]

    def test_a_derived_number_is_the_number(self) -> None:
        stated = small(FREE_SPACES, foundations__piles=4, foundations__cap=4)
        assert more_free(stated, small(FREE_SPACES)) == []
        assert more_free(small(FREE_SPACES, tableau__deal=2), small(FREE_SPACES)) == [
            "tableau.deal"
        ]
