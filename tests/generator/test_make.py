"""Making packs: the same bytes in every way, after every kind of interruption."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator import make
from generator.dealers import deal
from generator.make import TRIES, construct, make_pack
from generator.packs import CONSTRUCTED, DEALT
from generator.proving import Proved
from generator.shuffles import DEALPROOF_END, Seed
from generator.store import Store
from generator.unsolvable import construct_unsolvable
from spec.errors import InputError, Unsupported
from tests.generator.smallgames import LIMITS, PATHS, game_file, made, order, small_game, text_of
from verify.certificate import ClosedSet, Verdict
from verify.checker import check
from verify.rules import rules_of
from verify.search.decide import decide

ROOT = Path(__file__).parent.parent.parent


def seed(number: int) -> Seed:
    return Seed(dealer="dealproof", number=number)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    opened = Store(file)
    yield opened
    opened.close()


class TestPack:
    @pytest.mark.parametrize("name", PATHS)
    def test_holds_what_was_ordered_and_each_line_is_true(self, name: str) -> None:
        rules = rules_of(small_game(name).ruleset)
        pack = make_pack(small_game(name), order(solvable=3, unsolvable=3))
        verdicts = [(each.origin, each.decision.verdict.value) for each in pack.deals]
        assert verdicts == [(DEALT, "solvable")] * 3 + [(CONSTRUCTED, "unsolvable")] * 3
        for each in pack.deals:
            assert each.decision.certificate is not None
            accepted = check(rules, each.deal, each.decision.certificate)
            assert accepted.verdict is each.decision.verdict
        assert all(deal(rules, each.seed) == each.deal for each in pack.deals[:3])
        assert all(each.why and each.rests_on for each in pack.deals[3:])

    @pytest.mark.parametrize("name", PATHS)
    def test_constructed_deals_are_lost_by_a_search_too(self, name: str) -> None:
        rules = rules_of(small_game(name).ruleset)
        for number in range(1, 11):
            lost = construct(rules, seed(number))
            assert lost is not None
            assert decide(rules, lost.deal).verdict is Verdict.UNSOLVABLE

    def test_no_deal_comes_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        right = construct_unsolvable
        monkeypatch.setattr(
            make, "construct_unsolvable", lambda rules, near: right(rules, seed(near.number // 3))
        )
        pack = make_pack(small_game("closet"), order(solvable=0, unsolvable=4))
        assert [each.seed.number for each in pack.deals] == [1, 3, 6, 9]
        assert len({each.deal.canonical() for each in pack.deals}) == 4

    def test_may_be_empty(self) -> None:
        pack = make_pack(small_game("closet"), order(solvable=0, unsolvable=0))
        assert pack.deals == ()
        assert pack.head["deals"] == {"solvable": 0, "unsolvable": 0}

    def test_watchers_hear_of_every_deal(self) -> None:
        met: list[Proved] = []
        built: list[int] = []
        pack = make_pack(
            small_game("closet"),
            order(solvable=3, unsolvable=2),
            met=met.append,
            built=built.append,
        )
        assert len(met) == sum(pack.head["met"].values())
        assert built == [1, 2]

    def test_the_seeds_end_with_a_message(self) -> None:
        last = DEALPROOF_END - 2
        with pytest.raises(InputError, match="too few for 9 unsolvable deals"):
            make_pack(small_game("closet"), order(solvable=0, unsolvable=9, first=last))
        with pytest.raises(InputError, match="9 are wanted; start from a smaller seed"):
            make_pack(small_game("closet"), order(solvable=9, first=last))

    def test_a_game_without_a_construction_is_refused_after_some_tries(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tried: list[Seed] = []
        monkeypatch.setattr(make, "construct_unsolvable", lambda rules, seed: tried.append(seed))
        with pytest.raises(
            InputError, match=f"constructed from {TRIES} seeds; ask for none: that is"
        ):
            make_pack(small_game("closet"), order(solvable=0))
        assert len(tried) == TRIES

    def test_rules_that_are_not_played_are_named(self) -> None:
        with pytest.raises(Unsupported, match=r"tableau\.cap: 3"):
            make_pack(small_game("closet", tableau__cap=3), order())


class TestSameBytes:
    @pytest.mark.parametrize("name", PATHS)
    def test_for_any_number_of_workers_with_and_without_a_store(
        self, name: str, file: Path
    ) -> None:
        texts = {
            text_of(make_pack(small_game(name), order(solvable=6, unsolvable=2, workers=workers)))
            for workers in (1, 2, 4)
        }
        for workers in (2, 1):  # a new store, then a filled one
            store = Store(file)
            ordered = order(solvable=6, unsolvable=2, workers=workers)
            texts.add(text_of(make_pack(small_game(name), ordered, store=store)))
            store.close()
        assert len(texts) == 1

    def test_for_any_hash_seed_and_in_another_process(self, tmp_path: Path) -> None:
        texts = set()
        for hash_seed in ("0", "1"):
            script = (
                "from tests.generator.smallgames import *\n"
                "for name in PATHS:\n"
                "    print(text_of(make_pack(small_game(name), order(workers=int('4')))), end='')"
            )
            texts.add(
                subprocess.run(
                    [sys.executable, "-c", script],
                    cwd=ROOT,
                    env=os.environ | {"PYTHONHASHSEED": hash_seed},
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
        assert texts == {"".join(text_of(made(name)) for name in PATHS)}

    def test_a_longer_pack_starts_with_the_deals_of_a_shorter_one(self) -> None:
        longer = make_pack(small_game("closet"), order(solvable=5))
        assert longer.deals[:2] == made("closet").deals[:2]


def answers(file: Path) -> list[tuple[str, str]]:
    database = sqlite3.connect(file)
    found: list[tuple[str, str]] = database.execute(
        "SELECT asked, answer FROM decisions ORDER BY asked"
    ).fetchall()
    database.close()
    return found


def other_deal(row: dict[str, Any]) -> None:
    """A solvable deal with the closed set of a lost one."""
    row["deal"] = made("closet").deals[0].deal.to_json()


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another deal": other_deal,
    "no keys": lambda row: row["certificate"].update(keys=[]),
    "two keys in a pile": lambda row: row["certificate"].update(keys=["t1:1", "t1:2"]),
    "a key moved": lambda row: row["certificate"].update(keys=["t1:1", "t2:2", "t3:2", "t4:2"]),
    "a witness": lambda row: row.update(certificate={"kind": "witness", "moves": []}),
    "no certificate": lambda row: row.pop("certificate"),
    "no deal": lambda row: row.update(deal=None),
    "a deal of another game": lambda row: row["deal"]["tableau"].pop(),
    "a card short": lambda row: row["deal"]["stock"].pop(),
    "a card on another pile": lambda row: row["deal"]["stock"].append(
        row["deal"]["tableau"][0].pop()
    ),
}


class TestStoredConstruction:
    def test_is_not_made_again(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = rules_of(small_game("closet").ruleset)
        first = construct(rules, seed(1), store=store)
        monkeypatch.setattr(make, "construct_unsolvable", None)
        assert construct(rules, seed(1), store=store) == first

    @pytest.mark.parametrize("name", TAMPERED)
    def test_that_proves_nothing_is_made_anew(self, store: Store, file: Path, name: str) -> None:
        rules = rules_of(small_game("closet").ruleset)
        first = construct(rules, seed(1), store=store)
        kept = answers(file)
        row = json.loads(kept[0][1])
        TAMPERED[name](row)
        store.put(kept[0][0], row)
        assert answers(file) != kept
        assert construct(rules, seed(1), store=store) == first
        assert answers(file) == kept

    def test_a_larger_closed_set_gives_the_same_bytes(self, store: Store, file: Path) -> None:
        """The lists are the smallest ones, in whatever form they were kept."""
        rules = rules_of(small_game("closet").ruleset)
        first = construct(rules, seed(1), store=store)
        ((asked, answer),) = answers(file)
        row = json.loads(answer)
        row["certificate"]["foundation"].append("2D")
        store.put(asked, row)
        again = construct(rules, seed(1), store=store)
        assert again == first
        assert isinstance(again and again.decision.certificate, ClosedSet)


def started(*arguments: object, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "dealproof.py"), "generate", *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_rows(file: Path, number: int, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, "the run ended before it could be interrupted"
        try:
            database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            (found,) = database.execute("SELECT count(*) FROM decisions").fetchone()
            database.close()
        except sqlite3.OperationalError:
            found = 0
        if found >= number:
            return
        time.sleep(0.005)
    raise AssertionError(f"no {number} rows in time")


class TestInterrupted:
    """The same command, run again, ends in the bytes of a run that nobody interrupted."""

    @pytest.mark.slow
    @pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
    def test_a_run_goes_on_where_it_stopped(
        self, tmp_path: Path, file: Path, sent: signal.Signals
    ) -> None:
        game = game_file(tmp_path, "closet")
        out = tmp_path / "pack.jsonl"
        limits = ("--nodes", LIMITS.nodes, "--memory", LIMITS.megabytes)
        command = (game, "--solvable", 200, "--unsolvable", 2, "--out", out, "--store", file)
        process = started(*command, *limits, folder=tmp_path)
        wait_for_rows(file, 30, process)
        process.send_signal(sent)
        told, err = process.communicate(timeout=20)
        assert process.returncode == (-9 if sent is signal.SIGKILL else 130)
        assert told == ""
        if sent is signal.SIGINT:
            assert "interrupted; the same command goes on where it stopped" in err
            assert "Traceback" not in err
        assert not out.exists()
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
        kept = len(answers(file))
        assert kept >= 30
        process = started(*command, *limits, folder=tmp_path)
        process.communicate(timeout=60)
        assert process.returncode == 0
        uninterrupted = make_pack(small_game("closet"), order(solvable=200, unsolvable=2))
        assert out.read_text(encoding="utf-8") == text_of(uninterrupted)
        assert len(answers(file)) > kept

    @pytest.mark.slow
    def test_ctrl_c_ends_a_long_search_at_once(self, tmp_path: Path, file: Path) -> None:
        """Two decks, so that the workers are in the middle of their searches."""
        process = started(
            *("josephine", "--solvable", 500, "--nodes", 10**9, "--workers", 2),
            *("--out", tmp_path / "pack.jsonl", "--store", file),
            folder=tmp_path,
        )
        wait_for_rows(file, 1, process)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        told, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert time.monotonic() - start < 5
        assert (told, "Traceback" in err) == ("", False)
        assert "interrupted" in err
        assert not (tmp_path / "pack.jsonl").exists()

    def test_a_construction_leaves_ctrl_c_to_us(self) -> None:
        """Z3's own handler gives up the question at hand, and leaves waiting threads deaf."""
        script = (
            "import signal, threading, time\n"
            "from tests.generator.smallgames import made\n"
            "made('closet')\n"
            "start = time.monotonic()\n"
            "main = threading.main_thread().ident\n"
            "threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()\n"
            "over = threading.Event()\n"
            "threading.Timer(3, over.set).start()\n"
            "try:\n"
            "    over.wait()\n"
            "except KeyboardInterrupt:\n"
            "    pass\n"
            "print('in time' if time.monotonic() - start < 2 else 'late')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
        )
        assert done.stdout == "in time\n"
