"""Deciding deals: brute force's verdicts, the same each time, and limits that are no answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from generator.dealers import deal
from generator.shuffles import Seed
from spec.errors import InputError
from spec.game import game_names, load_game
from spec.ruleset import from_paths
from tests.verify.search.differential import NEVER, cases, compare, deals, kernel, lost_deal
from tests.verify.search.play import deep_deal, easy_deal
from verify.certificate import Exhaustion, Verdict, Witness
from verify.checker import check
from verify.moves import apply, legal_moves
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.search import exhaust
from verify.search.beam import ENDED, FEATURES, WON, BeamOptions, beam
from verify.search.decide import REDUCTIONS, Limits, decide
from verify.search.moves import kernel_moves, line_of, position_hash
from verify.search.shorten import shortened
from verify.search.tables import state_of, tables_of
from verify.search.warm import is_compiled, warm_up
from verify.search.weights import weight_sets


def some_deals(each: int) -> list[tuple[Rules, Position]]:
    """Some deals of every small ruleset."""
    return [(case.rules, start) for case in cases() for start in deals(case.rules, range(each))]


@pytest.mark.slow
def test_decisions_are_those_of_brute_force() -> None:
    met: Counter[Verdict] = Counter()
    by: Counter[str] = Counter()
    for rules, start in some_deals(6):
        decision = decide(rules, start)
        truth = compare(rules, start)
        expected = Verdict.SOLVABLE if truth.solvable else Verdict.UNSOLVABLE
        assert decision.verdict is expected, f"{decision.by}\n{start}"
        if truth.solvable:
            assert isinstance(decision.certificate, Witness)
            assert check(rules, start, decision.certificate).verdict is Verdict.SOLVABLE
        else:
            assert decision.certificate == Exhaustion(
                positions=truth.positions, key_bits=exhaust.KEY_BITS, reductions=REDUCTIONS
            )
            assert decision.by == "exhaustive search"
            assert decision.effort.positions == truth.positions
        met[decision.verdict] += 1
        by[decision.by.partition(",")[0]] += 1
    assert met.total() == 6 * len(list(cases()))
    assert min(met[Verdict.SOLVABLE], met[Verdict.UNSOLVABLE]) > 400
    assert min(by["beam search"], by["exhaustive search"]) > 400


def test_an_answer_is_the_same_each_time() -> None:
    """A, B, A: nothing is left over from the deal before."""
    pairs = some_deals(2)
    for (rules, start), (other_rules, other) in pairwise(pairs):
        limits = Limits(nodes=5000)
        first = decide(rules, start, limits=limits)
        decide(other_rules, other, limits=limits)
        assert decide(rules, start, limits=limits) == first


@pytest.mark.parametrize("key", game_names())
def test_an_answer_about_a_game_is_the_same_each_time(key: str) -> None:
    rules = rules_of(load_game(key).ruleset, game=key)
    starts = [deal(rules, Seed(dealer="dealproof", number=number)) for number in (1, 2)]
    limits = Limits(nodes=60_000, megabytes=8)
    first, second = (decide(rules, start, limits=limits) for start in starts)
    assert decide(rules, starts[0], limits=limits) == first
    assert decide(rules, starts[1], limits=limits) == second
    assert first.effort != second.effort


@pytest.mark.parametrize("key", game_names())
def test_easy_deals_of_the_games_are_won(key: str) -> None:
    rules = rules_of(load_game(key).ruleset, game=key)
    for number in range(2):
        start = easy_deal(rules, number, disorder=0.1)
        decision = decide(rules, start)
        assert decision.verdict is Verdict.SOLVABLE
        assert isinstance(decision.certificate, Witness)
        assert check(rules, start, decision.certificate).verdict is Verdict.SOLVABLE


def test_a_limit_on_nodes_is_never_an_answer() -> None:
    lost = 0
    for rules, start in some_deals(3):
        decision = decide(rules, start)
        if decision.verdict is not Verdict.UNSOLVABLE:
            continue
        lost += 1
        needed = decision.effort.nodes
        for nodes in {0, 1, needed // 2, needed - 2, needed - 1}:
            stopped = decide(rules, start, limits=Limits(nodes=nodes))
            assert stopped.verdict is Verdict.UNDECIDED
            assert stopped.certificate is None
            assert stopped.by == "stopped by nodes"
        enough = decide(rules, start, limits=Limits(nodes=needed + 1))
        assert enough == decision
    assert lost > 200


def test_a_limit_on_memory_is_never_an_answer() -> None:
    rules, start, positions = lost_deal("base played, by suit", least=900)
    stopped = decide(rules, start, limits=Limits(megabytes=0))
    assert (stopped.verdict, stopped.by) == (Verdict.UNDECIDED, "stopped by memory")
    enough = decide(rules, start, limits=Limits(megabytes=1))
    assert enough.verdict is Verdict.UNSOLVABLE
    assert enough.effort.positions == positions


def test_a_stop_is_never_an_answer() -> None:
    stop = np.ones(1, np.uint8)
    for rules, start in some_deals(1):
        decision = decide(rules, start, stop=stop)
        assert (decision.verdict, decision.by) == (Verdict.UNDECIDED, "stopped by time")
        assert decision.effort.nodes == 0


def test_seconds_stop_a_search() -> None:
    rules = rules_of(load_game("emperor").ruleset)
    start = deal(rules, Seed(dealer="dealproof", number=1))
    limits = Limits(nodes=10**9, megabytes=8, seconds=0)
    decision = decide(rules, start, limits=limits)
    assert (decision.verdict, decision.by) == (Verdict.UNDECIDED, "stopped by time")


def test_a_deal_of_another_game_is_refused() -> None:
    emperor, josephine = (rules_of(load_game(key).ruleset) for key in ("emperor", "josephine"))
    start = deal(emperor, Seed(dealer="dealproof", number=1))
    with pytest.raises(InputError, match="face_down"):
        decide(josephine, start)


# Parts


@pytest.mark.slow
def test_a_beam_that_ends_says_nothing() -> None:
    """Beams end without a win in deals that can be won."""
    met: Counter[tuple[int, bool]] = Counter()
    for rules, start in some_deals(3):
        options = BeamOptions(width=1, weights=weight_sets(rules)[0])
        outcome, _, best, rows = beam(
            tables_of(rules), state_of(rules, start), options, nodes=10**6, stop=NEVER
        )
        assert outcome in (WON, ENDED)
        assert best <= rules.pack.size
        assert (len(rows) > 0) == (outcome == WON)
        met[outcome, bool(compare(rules, start).solvable)] += 1
    assert met[WON, False] == 0
    assert met[ENDED, True] > 5
    assert met[WON, True] > 100


def test_a_shorter_line_is_a_win() -> None:
    shorter = 0
    for rules, start in some_deals(6):
        outcome, _, rows = kernel(rules, start)
        if outcome != exhaust.WON:
            continue
        line = shortened(tables_of(rules), state_of(rules, start), rows)
        moves = line_of(rules, start, line)
        assert check(rules, start, Witness(moves=moves)).verdict is Verdict.SOLVABLE
        assert len(line) <= len(rows)
        shorter += len(line) < len(rows)
    assert shorter > 50


def test_weights_are_there_for_every_feature() -> None:
    for key in game_names():
        sets = weight_sets(rules_of(load_game(key).ruleset))
        assert len(sets) == 2
        assert all(len(weights) == len(FEATURES) for weights in sets)
    assert {sets[0] for sets in map(weight_sets, {rules for rules, _ in some_deals(1)})} != set()


def test_the_search_is_compiled_once_it_is_warm() -> None:
    warm_up()
    assert is_compiled()


LARGEST = {
    "pack.decks": 8,
    "pack.suits": dict.fromkeys("ABCDEFGH", "red"),
    "pack.base": "K",
    "foundations.build.step": "down",
    "tableau.build.suit": "any",
    "waste.piles": 1,
    "stock.to": "waste",
}
"""The largest pack that there can be, of 832 cards."""


@pytest.mark.slow
def test_there_is_room_for_every_move() -> None:
    """Sixty piles on which everything fits, and everything moves."""
    everything = {
        "tableau.piles": 60,
        "tableau.deal": 6,
        "tableau.build.step": "any",
        "tableau.move.unit": "group",
    }
    rules = rules_of(from_paths(LARGEST | everything))
    start = deal(rules, Seed(dealer="dealproof", number=1))
    assert len(kernel_moves(rules, start)) > 20_000
    assert decide(rules, start, limits=Limits(nodes=30_000)).verdict is Verdict.UNDECIDED


def test_there_is_room_for_every_redeal() -> None:
    """Hundreds of cards are turned over in one move, again and again."""
    few = {"tableau.piles": 1, "tableau.deal": 1, "tableau.build.step": "none"}
    rules = rules_of(from_paths(LARGEST | few | {"stock.passes": 9}))
    start = deep_deal(rules, 1, lean=0)
    turned = replace(start, stock=(), waste=start.stock[::-1])
    (redeal,) = (move for move in legal_moves(rules, turned) if move.card is None)
    assert kernel_moves(rules, turned)[redeal] == position_hash(rules, apply(rules, turned, redeal))
    decision = decide(rules, start, limits=Limits(nodes=30_000))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.by == "stopped by nodes"
