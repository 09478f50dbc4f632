"""The run store: what is kept is found again, and a damaged file is refused with a message."""

from __future__ import annotations

import importlib.metadata
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dealproof import Exit, _run
from generator import store as store_module
from generator.shuffles import Seed
from generator.store import Store, question, source_digest
from spec.errors import InputError
from spec.ruleset import Ruleset
from tests.generator.smallgames import game_file, small_game
from verify.search.decide import Limits

SEED = Seed(dealer="dealproof", number=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    opened = Store(file)
    yield opened
    opened.close()


def change(file: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(file)
    with database:
        database.execute(statement, values)
    database.close()


class TestAnswers:
    def test_an_answer_is_found_again(self, file: Path, store: Store) -> None:
        store.put("why", {"because": [1, 2]})
        assert store.get("why") == {"because": [1, 2]}
        assert store.get("who") is None
        store.close()
        again = Store(file)
        assert again.get("why") == {"because": [1, 2]}
        again.close()

    def test_a_new_answer_takes_the_place_of_an_old_one(self, store: Store) -> None:
        store.put("why", {"because": 1})
        store.put("why", {"because": 2})
        assert store.get("why") == {"because": 2}

    @pytest.mark.parametrize("row", ["", "nonsense", "[1]", "7", None, "[" * 100_000])
    def test_a_row_that_is_no_answer_counts_as_none(
        self, file: Path, store: Store, row: str | None
    ) -> None:
        store.put("why", {"because": 1})
        change(file, "UPDATE decisions SET answer = ?", row)
        assert store.get("why") is None

    def test_threads_may_share_it(self, store: Store) -> None:
        def work(name: str) -> None:
            for number in range(20):
                store.put(f"{name}{number}", {"number": number})
                assert store.get(f"{name}{number}") == {"number": number}

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(store.get(f"{name}{n}") == {"number": n} for name in "abcd" for n in range(20))


class TestQuestion:
    def test_everything_that_an_answer_depends_on_is_asked(self) -> None:
        limits = Limits(nodes=100, megabytes=16)
        rules, other = small_game("closet").ruleset, small_game("attic").ruleset

        def ask(
            kind: str = "decide",
            ruleset: Ruleset = rules,
            seed: Seed = SEED,
            within: Limits | None = limits,
        ) -> str:
            return question(kind, ruleset, seed, within)

        asked = [
            ask(),
            ask(kind="construct"),
            ask(ruleset=other),
            ask(seed=Seed(dealer="dealproof", number=2)),
            ask(seed=Seed(dealer="pysolfc", number=1)),
            ask(within=Limits(nodes=101, megabytes=16)),
            ask(within=Limits(nodes=100, megabytes=17)),
            ask(within=None),
        ]
        assert len(set(asked)) == len(asked)
        assert ask() == ask()

    @pytest.mark.parametrize("kind", ["decide", "construct"])
    def test_a_changed_source_asks_anew(
        self, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source_digest.cache_clear()
        before = source_digest(kind)
        for pattern in store_module.SOURCES[kind]:
            for path in store_module.ROOT.glob(pattern):
                copy = tmp_path / path.relative_to(store_module.ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
        monkeypatch.setattr(store_module, "ROOT", tmp_path)
        source_digest.cache_clear()
        assert source_digest(kind) == before
        with (tmp_path / "verify" / "moves.py").open("a") as file:
            file.write("# changed\n")
        source_digest.cache_clear()
        assert source_digest(kind) != before
        source_digest.cache_clear()

    @pytest.mark.parametrize(
        ("kind", "library"),
        [("decide", "numba"), ("decide", "numpy"), ("construct", "z3-solver")],
    )
    def test_another_version_of_a_library_asks_anew(
        self, kind: str, library: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        right = importlib.metadata.version

        def newer(name: str) -> str:
            return f"{right(name)}.1" if name == library else right(name)

        source_digest.cache_clear()
        before = source_digest(kind)
        monkeypatch.setattr(importlib.metadata, "version", newer)
        source_digest.cache_clear()
        changed = source_digest(kind)
        source_digest.cache_clear()
        assert changed != before

    def test_every_file_that_is_named_is_there(self) -> None:
        for patterns in store_module.SOURCES.values():
            for pattern in patterns:
                assert list(store_module.ROOT.glob(pattern)), pattern


def no_database(file: Path) -> None:
    file.write_text("game: josephine\n" * 100, encoding="utf-8")


def a_folder(file: Path) -> None:
    file.mkdir()


def cut_short(file: Path) -> None:
    filled(file)
    file.write_bytes(file.read_bytes()[:6000])


def zeros_within(file: Path) -> None:
    filled(file)
    data = file.read_bytes()
    file.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def another_table(file: Path) -> None:
    change(file, "CREATE TABLE decisions (question TEXT)")


def filled(file: Path) -> None:
    store = Store(file)
    for number in range(200):
        store.put(f"{number}", {"number": number, "text": "x" * 100})
    store.close()


DAMAGE: list[Callable[[Path], None]] = [
    no_database,
    a_folder,
    cut_short,
    zeros_within,
    another_table,
]


class TestDamage:
    @pytest.mark.parametrize("damage", DAMAGE)
    def test_a_file_that_is_no_store_is_refused(
        self, file: Path, damage: Callable[[Path], None]
    ) -> None:
        damage(file)
        with pytest.raises(InputError, match=r"runs\.sqlite: the run store cannot be used: .*;"):
            use(file)

    @pytest.mark.parametrize("damage", DAMAGE)
    def test_the_command_says_so_and_gives_exit_code_2(
        self,
        tmp_path: Path,
        file: Path,
        damage: Callable[[Path], None],
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        damage(file)
        game = game_file(tmp_path, "closet")
        out = tmp_path / "pack.jsonl"
        command = ["generate", str(game), "--out", str(out), "--store", str(file), "-q"]
        assert _run(command) == Exit.BAD_INPUT
        err = capsys.readouterr().err
        assert f"{file}: the run store cannot be used: " in err
        assert "delete it: all it holds can be made anew" in err
        assert "Traceback" not in err
        assert not out.exists()

    def test_a_file_where_a_folder_should_be_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "folder").write_text("", encoding="utf-8")
        with pytest.raises(InputError, match="cannot be used"):
            Store(tmp_path / "folder" / "runs.sqlite")


def use(file: Path) -> None:
    store = Store(file)
    try:
        for number in range(200):
            store.get(f"{number}")
        store.put("more", {})
    finally:
        store.close()
