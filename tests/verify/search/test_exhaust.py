"""The exhaustive search may say that a deal is lost: held against brute force on small decks.

``DEALPROOF_DEALS=1000 make test ARGS='tests/verify/search/test_exhaust.py'`` looks at more deals of
each small ruleset than the 40 of every run, and takes some ten minutes.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.dealers import deal
from generator.shuffles import Seed
from spec.game import load_game
from tests.rulesets import FREE_SPACES, VARIANTS, small
from tests.verify.search.differential import (
    NEVER,
    SIZES,
    Compared,
    alike_types,
    cases,
    compare,
    deals,
    lost_deal,
    merged,
    pack,
    reachable,
)
from tests.verify.search.play import deep_deal
from tests.verify.search.strategies import small_rules
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.search.exhaust import DEPTH, EXHAUSTED, MEMORY, NODES, STOPPED, WON, exhaust
from verify.search.moves import position_hash
from verify.search.tables import state_of, tables_of

DEALS = int(os.environ.get("DEALPROOF_DEALS", "40"))
"""The number of deals of each small ruleset."""

LEAST = {"free spaces": 55, "auto fill": 31}
"""For so many small rulesets the deals are lost, and for as many they are won, taken together."""


@pytest.mark.slow
@pytest.mark.parametrize("family", SIZES)
def test_search_and_brute_force_agree(family: str) -> None:
    """Verdict for verdict, and position for position where a deal is lost."""
    lost: Counter[str] = Counter()
    won: Counter[str] = Counter()
    sizes: list[int] = []
    for case in cases():
        if case.family == family:
            for start in deals(case.rules, range(DEALS)):
                found = compare(case.rules, start)
                assert found.solvable is not None
                (won if found.solvable else lost)[case.name] += 1
                sizes.append(found.positions)
    names = {case.name for case in cases() if case.family == family}
    assert len(sizes) == lost.total() + won.total() == DEALS * len(SIZES[family]) * len(names)
    assert set(lost) == set(won) == names
    assert min(lost.total(), won.total()) >= LEAST[family] * DEALS
    assert sum(size >= 50 for size in sizes) >= 3 * DEALS


@pytest.mark.slow
@settings(max_examples=200)
@given(rules=small_rules(), number=st.integers(0, 2**32))
def test_they_agree_whatever_the_rules(rules: Rules, number: int) -> None:
    compare(rules, deep_deal(rules, number, lean=1.0), cap=300)


def _search(
    rules: Rules,
    start: Position,
    *,
    nodes: int = 10**6,
    megabytes: int = 1,
    depth: int = 2000,
    stop: bool = False,
) -> tuple[int, int, int]:
    """Outcome, nodes and positions of a search within limits."""
    flag = np.ones(1, np.uint8) if stop else NEVER
    return exhaust(
        tables_of(rules),
        state_of(rules, start),
        nodes=nodes,
        megabytes=megabytes,
        stop=flag,
        depth=depth,
    )[:3]


def test_a_limit_on_nodes_is_never_an_answer() -> None:
    rules, start, positions = lost_deal("suit groups", least=30)
    for nodes in range(1, positions + 1):
        outcome, expanded, met = _search(rules, start, nodes=nodes)
        assert outcome in (NODES, MEMORY)
        assert expanded == met <= max(nodes, 2)
    assert _search(rules, start, nodes=2 * positions) == (EXHAUSTED, positions, positions)


def test_a_table_that_is_full_is_never_an_answer() -> None:
    rules, start, positions = lost_deal("base played, by suit", least=1000)
    assert _search(rules, start, megabytes=0)[::2] == (MEMORY, 1024 - 1024 // 8)
    assert _search(rules, start, megabytes=1) == (EXHAUSTED, positions, positions)


def test_a_line_that_is_too_long_is_never_an_answer() -> None:
    rules, start, positions = lost_deal("suit groups", least=30)
    outcomes = [_search(rules, start, depth=depth)[0] for depth in range(1, 40)]
    assert outcomes[0] == DEPTH
    assert outcomes[-1] == EXHAUSTED
    assert outcomes == sorted(outcomes, key=(DEPTH, EXHAUSTED).index)
    assert _search(rules, start, depth=40)[2] == positions


def test_a_stop_is_never_an_answer() -> None:
    rules, start, _ = lost_deal("base played, by suit", least=1100)
    assert _search(rules, start, stop=True)[0] == STOPPED


@pytest.mark.slow
def test_unlimited_passes_come_to_an_end() -> None:
    """Where passes do not count, a redeal leads to positions that were met before."""
    unlimited = [
        (f"{name}, unlimited", family, changes | {"stock__passes": "unlimited"})
        for name, family, changes in VARIANTS
    ]
    found = Counter(
        compare(case.rules, start).solvable
        for case in cases(unlimited)
        for start in deals(case.rules, range(3))
    )
    assert found[None] == 0
    assert min(found[True], found[False]) > 100


def test_the_first_position_may_be_the_last() -> None:
    """Nothing moves: one position, and it is lost."""
    paths = pack(1, 2) | {
        "tableau__piles": 1,
        "tableau__deal": 2,
        "tableau__spaces__accept": "none",
    }
    rules = rules_of(small(FREE_SPACES, **paths))
    found = {compare(rules, start) for start in deals(rules, range(12))}
    assert found == {Compared(solvable=True), Compared(solvable=False, positions=1)}


@pytest.mark.slow
@settings(max_examples=60)
@given(rules=small_rules(), number=st.integers(0, 2**32))
def test_positions_have_one_hash_if_no_rule_tells_them_apart(rules: Rules, number: int) -> None:
    truth = reachable(rules, deep_deal(rules, number, lean=1.0), cap=300)
    hashes = {merged(rules, one): position_hash(rules, one) for one in truth or ()}
    assert len(set(hashes.values())) == len(hashes)
    for position in truth or ():
        assert position_hash(rules, position) == hashes[merged(rules, position)]


def test_suits_are_merged_where_colours_decide() -> None:
    by_colour = rules_of(load_game("signora").ruleset)
    assert len(set(alike_types(by_colour).values())) == 26
    by_suit = rules_of(load_game("josephine").ruleset)
    assert len(set(alike_types(by_suit).values())) == 52


@pytest.mark.parametrize("key", ["emperor", "empress-of-italy", "josephine", "signora"])
def test_a_game_is_searched_in_its_full_size(key: str) -> None:
    """Too large to be exhausted: a limit is met, at the same place each time."""
    rules = rules_of(load_game(key).ruleset)
    start = deal(rules, Seed(dealer="dealproof", number=1))
    first = _search(rules, start, nodes=20_000)
    assert first[0] in (NODES, WON, DEPTH)
    assert first == _search(rules, start, nodes=20_000)
