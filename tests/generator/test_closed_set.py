"""Closed sets are the smallest there are, and constructed deals come with one that is accepted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from generator.closed_set import find_closed_set, least_closed_set
from generator.dealers import deal
from generator.shuffles import Seed
from generator.unsolvable import construct_unsolvable
from spec.errors import InputError
from spec.game import load_game
from tests.adversary import ALL_VARIANTS, rules_of_variant, skeletons, smallest_accepted
from tests.brute_force import is_solvable
from tests.rulesets import AUTO_FILL, FREE_SPACES, small
from verify.certificate import ClosedSet, Key, Verdict
from verify.checker import Rejected, check
from verify.moves import Place
from verify.position import Position, read_position
from verify.rules import Rules, rules_of

GAMES = ("josephine", "emperor", "signora", "empress-of-italy")
READINGS = ("emperor@groups", "josephine@whole-sequences", "signora@wraps")


def _seed(number: int) -> Seed:
    return Seed(dealer="dealproof", number=number)


@cache
def _rules(game: str) -> Rules:
    return rules_of(load_game(game).ruleset, game=game)


@cache
def _constructed(game: str, number: int) -> tuple[Position, ClosedSet]:
    pair = construct_unsolvable(_rules(game), _seed(number))
    assert pair is not None
    return pair


def _is_accepted(rules: Rules, start: Position, closed: ClosedSet) -> bool:
    try:
        return check(rules, start, closed).verdict is Verdict.UNSOLVABLE
    except Rejected:
        return False


def _with_one_type_less(closed: ClosedSet) -> Iterator[ClosedSet]:
    for card in sorted(closed.tableau):
        yield replace(closed, tableau=closed.tableau - {card})
    for card in sorted(closed.foundation):
        yield replace(closed, foundation=closed.foundation - {card})


class TestLeastClosedSet:
    @pytest.mark.parametrize("variant", ALL_VARIANTS)
    def test_is_what_the_checker_asks_for(self, variant: str) -> None:
        """Adding what the checker misses, one type at a time, leads to the same set."""
        for rules in rules_of_variant(variant):
            for number in range(4):
                start = deal(rules, _seed(number))
                for keys in skeletons(rules):
                    asked = smallest_accepted(rules, start, keys)
                    closed = least_closed_set(rules, start, keys)
                    assert asked == (closed if _is_accepted(rules, start, closed) else None)

    @pytest.mark.slow
    @pytest.mark.parametrize("game", GAMES)
    def test_needs_every_type_at_full_size(self, game: str) -> None:
        start, closed = _constructed(game, 0)
        smaller = list(_with_one_type_less(closed))
        assert len(smaller) > 30
        for fewer in smaller:
            assert not _is_accepted(_rules(game), start, fewer)

    def test_refuses_a_key_that_is_no_card(self) -> None:
        rules = rules_of_variant("suit single")[0]
        start = deal(rules, _seed(0))
        for pile, depth in (
            (Place("tableau", 0), 2),
            (Place("tableau", 0), -1),
            (Place("waste"), 0),
        ):
            with pytest.raises(ValueError, match="no card of the deal"):
                least_closed_set(rules, start, [Key(pile=pile, depth=depth)])

    def test_refuses_two_keys_in_a_pile(self) -> None:
        rules = rules_of_variant("suit single")[0]
        keys = [Key(pile=Place("tableau", 0), depth=depth) for depth in (0, 1)]
        with pytest.raises(ValueError, match="two keys"):
            least_closed_set(rules, deal(rules, _seed(0)), keys)


class TestFindClosedSet:
    @pytest.mark.parametrize("variant", ALL_VARIANTS)
    def test_finds_one_where_there_is_one(self, variant: str) -> None:
        for rules in rules_of_variant(variant):
            for number in range(4):
                start = deal(rules, _seed(number))
                found = find_closed_set(rules, start)
                assert found is None or _is_accepted(rules, start, found)
                others = [
                    keys
                    for keys in skeletons(rules)
                    if _is_accepted(rules, start, least_closed_set(rules, start, keys))
                ]
                assert (found is None) is (not others)
                if found is not None:
                    highest = {key.pile: key.depth for key in found.keys}
                    assert all(key.depth <= highest[key.pile] for keys in others for key in keys)

    def test_finds_none_without_a_base_rank(self) -> None:
        rules = rules_of_variant("base played, by suit")[0]
        assert find_closed_set(rules, deal(rules, _seed(0))) is None

    @pytest.mark.parametrize("game", GAMES)
    def test_finds_the_constructed_keys_or_more(self, game: str) -> None:
        start, closed = _constructed(game, 0)
        found = find_closed_set(_rules(game), start)
        assert found is not None
        assert found.tableau <= closed.tableau
        assert found.foundation <= closed.foundation


class TestConstructUnsolvable:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", GAMES)
    def test_makes_other_deals_from_other_seeds(self, game: str) -> None:
        rules = _rules(game)
        deals = set()
        for number in range(3):
            start, closed = _constructed(game, number)
            assert _is_accepted(rules, start, closed)
            tree = start.to_json()
            assert read_position(tree, pack=rules.pack, layout=rules.layout) == start
            deals.add(start)
        assert len(deals) == 3

    @pytest.mark.parametrize("game", READINGS)
    def test_makes_deals_of_other_readings(self, game: str) -> None:
        assert _is_accepted(_rules(game), *_constructed(game, 0))

    @pytest.mark.parametrize("game", GAMES)
    def test_keeps_most_of_the_deal_of_the_seed(self, game: str) -> None:
        near = list(deal(_rules(game), _seed(0)).cards())
        start, _ = _constructed(game, 0)
        kept = sum(card == other for card, other in zip(near, start.cards(), strict=True))
        assert len(near) // 2 < kept < len(near)

    def test_takes_numbers_of_other_dealers(self) -> None:
        seed = Seed(dealer="pysolfc", number=7)
        pair = construct_unsolvable(_rules("emperor"), seed)
        assert pair is not None
        assert _is_accepted(_rules("emperor"), *pair)

    def test_is_the_same_under_other_hash_seeds(self) -> None:
        script = (
            "from generator.unsolvable import construct_unsolvable as construct\n"
            "from generator.shuffles import Seed\n"
            "from spec.game import load_game\n"
            "from verify.rules import rules_of\n"
            "rules = rules_of(load_game('josephine').ruleset)\n"
            "position, closed = construct(rules, Seed(dealer='dealproof', number=1))\n"
            "print(position.to_json(), closed.to_json())\n"
        )
        root = Path(__file__).parent.parent.parent
        said = {
            subprocess.run(
                [sys.executable, "-c", script],
                cwd=root,
                env=os.environ | {"PYTHONHASHSEED": number},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for number in ("1", "2")
        }
        start, closed = _constructed("josephine", 1)
        assert said == {f"{start.to_json()} {closed.to_json()}\n"}

    @pytest.mark.parametrize(
        "rules",
        [
            rules_of(small(FREE_SPACES, tableau__piles=2)),
            rules_of(small(FREE_SPACES, tableau__piles=2, tableau__move__unit="group")),
            rules_of(small(AUTO_FILL, ranks=3, reserve__deal=5)),
            rules_of(small(AUTO_FILL, ranks=3, reserve__deal=5, foundations__returns="always")),
        ],
    )
    def test_is_true_on_small_packs(self, rules: Rules) -> None:
        made = [construct_unsolvable(rules, _seed(number)) for number in range(6)]
        truth = [is_solvable(rules, pair[0]) for pair in made if pair is not None]
        assert truth == [False] * 6

    def test_gives_up_when_z3_stops(self) -> None:
        assert construct_unsolvable(_rules("emperor"), _seed(0), tries=2, rlimit=1) is None

    def test_makes_none_where_no_card_can_be_held(self) -> None:
        """A pile without cards is a space from the start, and takes every card."""
        sources = ["tableau", "waste", "reserve"]
        spaces = {"tableau.spaces.fill": None, "tableau.spaces.from": sources}
        family = AUTO_FILL | {"tableau.deal": [1, 1, 0]} | spaces
        assert construct_unsolvable(rules_of(small(family)), _seed(0)) is None

    def test_refuses_a_game_whose_base_rank_is_played(self) -> None:
        rules = rules_of_variant("base played, by suit")[0]
        with pytest.raises(InputError, match=r"pack\.base: the base rank is not in the deal"):
            construct_unsolvable(rules, _seed(0))


def test_no_key_is_built_on_the_card_under_it() -> None:
    """In a game of group moves the construction keeps keys off their parents.

    In one deal of ten it has to exchange cards for that.
    """
    rules = rules_of(small(FREE_SPACES, tableau__piles=2, tableau__move__unit="group"))
    met = 0
    for number in range(12):
        pair = construct_unsolvable(rules, _seed(number))
        assert pair is not None
        start, closed = pair
        for key in closed.keys:
            pile = start.tableau[key.pile.number]
            if key.depth > 0:
                assert not rules.run.allows(pile[key.depth], pile[key.depth - 1], start.base)
                met += 1
    assert met > 5
