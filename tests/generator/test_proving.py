"""Proving: what the search says is checked, and what was interrupted is not kept."""

from __future__ import annotations

import itertools
import json
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator import proving
from generator.dealers import deal
from generator.proving import (
    CheckerDisagrees,
    Counts,
    Proved,
    Prover,
    prove,
    seeds_from,
    solve,
)
from generator.shuffles import DEALPROOF_END, Seed
from generator.store import Store
from spec.errors import InputError
from tests.generator.smallgames import LIMITS, made, small_game
from verify.certificate import ClosedSet, Decision, Effort, Exhaustion, Verdict, Witness
from verify.checker import check
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.search.decide import Limits
from verify.search.tables import Array

WON = 2
"""The first solvable seed of the closet; seed 1 has no win."""


def seed(number: int) -> Seed:
    return Seed(dealer="dealproof", number=number)


@pytest.fixture
def rules() -> Rules:
    return rules_of(small_game("closet").ruleset, game="closet")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    opened = Store(file)
    yield opened
    opened.close()


def rows(file: Path) -> list[dict[str, Any]]:
    database = sqlite3.connect(file)
    found = database.execute("SELECT answer FROM decisions ORDER BY asked").fetchall()
    database.close()
    return [json.loads(answer) for (answer,) in found]


def tampered(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the one row of a store."""
    (row,) = rows(file)
    change(row)
    database = sqlite3.connect(file)
    with database:
        database.execute("UPDATE decisions SET answer = ?", (json.dumps(row),))
    database.close()


def never(*_: object, **__: object) -> Decision:
    raise AssertionError("this is searched again")


class TestKept:
    def test_a_decision_that_is_kept_is_not_searched_again(
        self, rules: Rules, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = prove(rules, seed(WON), limits=LIMITS, store=store)
        monkeypatch.setattr(proving, "decide", never)
        assert prove(rules, seed(WON), limits=LIMITS, store=store) == first
        with pytest.raises(AssertionError, match="searched again"):
            prove(rules, seed(WON), limits=Limits(nodes=LIMITS.nodes + 1), store=store)

    def test_every_verdict_is_kept(self, rules: Rules, store: Store, file: Path) -> None:
        for number, limits in ((1, LIMITS), (WON, LIMITS), (WON, Limits(nodes=10))):
            prove(rules, seed(number), limits=limits, store=store)
        verdicts = sorted(row["verdict"] for row in rows(file))
        assert verdicts == ["solvable", "undecided", "unsolvable"]

    def test_a_limit_in_seconds_is_not_kept(self, rules: Rules, store: Store, file: Path) -> None:
        limits = Limits(nodes=LIMITS.nodes, megabytes=16, seconds=1000.0)
        prove(rules, seed(WON), limits=limits, store=store)
        assert rows(file) == []

    def test_what_is_interrupted_is_not_kept(self, rules: Rules, store: Store, file: Path) -> None:
        stop = np.ones(1, np.uint8)
        found = prove(rules, seed(WON), limits=LIMITS, store=store, stop=stop)
        assert found.decision.verdict is Verdict.UNDECIDED
        assert rows(file) == []


def another_win(row: dict[str, Any]) -> None:
    """The witness of another deal."""
    certificate = made("closet").deals[1].decision.certificate
    assert certificate is not None
    row["certificate"] = certificate.to_json()


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "a line cut short": lambda row: row["certificate"]["moves"].pop(),
    "two moves swapped": lambda row: row["certificate"]["moves"].reverse(),
    "a witness of another deal": another_win,
    "no moves": lambda row: row["certificate"].update(moves=[]),
    "a move that is none": lambda row: row["certificate"].update(moves=["x"]),
    "verdict flipped": lambda row: row.update(verdict="unsolvable"),
    "a verdict that is none": lambda row: row.update(verdict="won"),
    "no certificate": lambda row: row.update(certificate=None),
    "no effort": lambda row: row.pop("effort"),
    "an effort in words": lambda row: row.update(effort={"nodes": "many", "positions": 0}),
    "decided by a number": lambda row: row.update(by=1),
    "another form": lambda row: row.clear(),
}


class TestTampered:
    @pytest.mark.parametrize("name", TAMPERED)
    def test_a_row_that_proves_nothing_is_made_anew(
        self, rules: Rules, store: Store, file: Path, name: str
    ) -> None:
        first = prove(rules, seed(WON), limits=LIMITS, store=store)
        (kept,) = rows(file)
        tampered(file, TAMPERED[name])
        assert rows(file) != [kept]
        assert prove(rules, seed(WON), limits=LIMITS, store=store) == first
        assert rows(file) == [kept]

    def test_a_search_that_errs_is_noticed_and_nothing_is_kept(
        self, rules: Rules, store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def err(*_: object, **__: object) -> Decision:
            return Decision(
                verdict=Verdict.SOLVABLE, certificate=Witness(moves=()), effort=Effort(), by="me"
            )

        monkeypatch.setattr(proving, "decide", err)
        with pytest.raises(CheckerDisagrees, match="closet dealproof:2: after 0 moves 20 cards"):
            prove(rules, seed(WON), limits=LIMITS, store=store)
        assert rows(file) == []
        with pytest.raises(CheckerDisagrees, match="closet this deal: after 0 moves"):
            solve(rules, deal(rules, seed(WON)), limits=LIMITS)


class TestSolve:
    def test_a_win_is_a_witness(self, rules: Rules) -> None:
        position = deal(rules, seed(WON))
        decision = solve(rules, position, limits=LIMITS)
        assert isinstance(decision.certificate, Witness)
        assert check(rules, position, decision.certificate).verdict is Verdict.SOLVABLE

    def test_a_closed_set_goes_before_a_search(
        self, rules: Rules, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It can be checked, which an exhaustive search cannot."""
        monkeypatch.setattr(proving, "decide", never)
        lost = made("closet").deals[-1].deal
        decision = solve(rules, lost, limits=LIMITS)
        assert isinstance(decision.certificate, ClosedSet)
        assert decision.by == "closed set"
        assert check(rules, lost, decision.certificate).verdict is Verdict.UNSOLVABLE

    def test_an_exhaustive_search_says_that_it_is_one(self, rules: Rules) -> None:
        decision = solve(rules, deal(rules, seed(16)), limits=LIMITS)
        assert decision.verdict is Verdict.UNSOLVABLE
        assert isinstance(decision.certificate, Exhaustion)

    def test_a_limit_that_is_met_decides_nothing(self, rules: Rules) -> None:
        decision = solve(rules, deal(rules, seed(WON)), limits=Limits(nodes=10))
        assert decision.verdict is Verdict.UNDECIDED
        assert decision.by == "stopped by nodes"

    def test_a_deal_of_another_game_is_refused(self, rules: Rules) -> None:
        other = deal(rules_of(small_game("attic").ruleset), seed(1))
        with pytest.raises(InputError, match="in this deal; closet deals"):
            solve(rules, other, limits=LIMITS)

    def test_gives_the_same_answer_again(self, rules: Rules) -> None:
        """Nothing is left over from another deal in between."""
        first, other = deal(rules, seed(WON)), deal(rules, seed(1))
        said = [solve(rules, position, limits=LIMITS) for position in (first, other, first)]
        assert said[0] == said[2]


class TestSeveral:
    def test_seconds_limit_no_deals_in_a_row(self, rules: Rules) -> None:
        with pytest.raises(ValueError, match="by nodes, not by seconds"):
            Prover(rules=rules, limits=Limits(seconds=1.0))

    @pytest.mark.parametrize("name", ["closet", "attic"])
    def test_any_number_of_workers_finds_the_same(self, name: str) -> None:
        rules = rules_of(small_game(name).ruleset, game=name)
        found = []
        for workers in (1, 2, 4):
            met: list[Proved] = []
            prover = Prover(rules=rules, limits=LIMITS, workers=workers)
            won, counts = prover.solvable(12, seed(1), met=met.append)
            assert [each.seed.number for each in met] == list(range(1, len(met) + 1))
            found.append((won, str(counts), [each.decision for each in met]))
        assert found[0] == found[1] == found[2]
        assert len(found[0][0]) == 12

    def test_the_counts_are_of_all_that_were_met(self, rules: Rules) -> None:
        won, counts = Prover(rules=rules, limits=LIMITS).solvable(8, seed(1))
        verdicts = [
            prove(rules, seed(n), limits=LIMITS).decision.verdict
            for n in range(1, won[-1].seed.number + 1)
        ]
        assert counts.to_json() == {
            verdict.value: verdicts.count(verdict)
            for verdict in (Verdict.SOLVABLE, Verdict.UNSOLVABLE, Verdict.UNDECIDED)
        }
        assert [each.seed.number for each in won] == [
            number for number, verdict in enumerate(verdicts, 1) if verdict is Verdict.SOLVABLE
        ]

    def test_none_is_wanted_and_none_is_searched(
        self, rules: Rules, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(proving, "decide", never)
        assert Prover(rules=rules, limits=LIMITS).solvable(0, seed(1)) == ([], Counts())

    @pytest.mark.parametrize("workers", [1, 4])
    def test_the_last_seeds_are_looked_at_and_then_it_says_so(
        self, rules: Rules, workers: int
    ) -> None:
        prover = Prover(rules=rules, limits=LIMITS, workers=workers)
        last = seed(DEALPROOF_END - 3)
        won, counts = prover.solvable(1, last)
        assert won[0].seed.number <= DEALPROOF_END - 1
        assert sum(counts.to_json().values()) <= 3
        with pytest.raises(InputError, match=r"on have \d solvable deals and 9 are wanted"):
            prover.solvable(9, last)

    def test_an_error_in_a_worker_comes_out(
        self, rules: Rules, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> Decision:
            raise ZeroDivisionError

        monkeypatch.setattr(proving, "decide", fail)
        with pytest.raises(ZeroDivisionError):
            Prover(rules=rules, limits=LIMITS, workers=4).solvable(5, seed(1))


class _Slow:
    """A search whose first deal is decided at once, and the others when they are stopped."""

    def __init__(self) -> None:
        self.calls = itertools.count()
        self.running = 0
        self.stopped = 0

    def __call__(
        self, rules: Rules, position: Position, *, limits: Limits, stop: Array
    ) -> Decision:
        if next(self.calls) > 0:
            self.running += 1
            end = time.monotonic() + 30
            while not stop[0] and time.monotonic() < end:
                time.sleep(0.01)
            self.stopped += bool(stop[0])
            self.running -= 1
        return Decision(
            verdict=Verdict.UNDECIDED, certificate=None, effort=Effort(), by="stopped by time"
        )


class TestInterrupt:
    @pytest.mark.parametrize("workers", [1, 3])
    def test_stops_the_workers_and_keeps_what_they_did_not_decide_out_of_the_store(
        self,
        rules: Rules,
        store: Store,
        file: Path,
        monkeypatch: pytest.MonkeyPatch,
        workers: int,
    ) -> None:
        slow = _Slow()
        monkeypatch.setattr(proving, "decide", slow)

        def interrupt(proved: Proved) -> None:
            while not slow.running:
                time.sleep(0.01)
            raise KeyboardInterrupt

        prover = Prover(rules=rules, limits=LIMITS, store=store, workers=workers)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt) as caught:  # as long as this holds the frames
            prover.solvable(5, seed(1), met=interrupt)
        assert slow.running == 0
        assert time.monotonic() - start < 5
        del caught
        assert slow.stopped <= workers
        assert len(rows(file)) == 1

    def test_stops_the_search_of_one_deal(
        self, rules: Rules, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = _Slow()
        next(slow.calls)
        monkeypatch.setattr(proving, "decide", slow)
        start = time.monotonic()
        main = threading.main_thread().ident
        timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            solve(rules, deal(rules, seed(16)), limits=LIMITS)
        assert time.monotonic() - start < 5
        assert slow.stopped == 1
        timer.join()

    def test_can_go_on_afterwards(self, rules: Rules) -> None:
        prover = Prover(rules=rules, limits=LIMITS, workers=2)

        def interrupt(proved: Proved) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            prover.solvable(5, seed(1), met=interrupt)
        won, _ = prover.solvable(5, seed(1))
        assert len(won) == 5


def test_seeds_go_on_to_the_dealers_last_number() -> None:
    assert [each.number for each in seeds_from(seed(DEALPROOF_END - 2))] == [
        DEALPROOF_END - 2,
        DEALPROOF_END - 1,
    ]
    assert next(seeds_from(Seed(dealer="pysolfc", number=7))) == Seed(dealer="pysolfc", number=7)
