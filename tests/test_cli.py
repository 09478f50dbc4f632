"""The command line: what it prints where, its exit codes, and what it says about bad input."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dealproof
from dealproof import Exit, _run
from generator.packs import write_pack
from spec.game import game_names
from tests.generator.smallgames import game_file, made
from verify.search import warm

ROOT = Path(__file__).parent.parent
COMMANDS = ["check", "deal", "solve", "generate", "recheck", "report", "run", "schema"]
WON, LOST = "2", "16"
"""Seeds of the small game: one with a win, one that only an exhaustive search knows to be lost."""


class Ran:
    """What a command said, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON, one object a line."""
        return [json.loads(row) for row in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, as ``main`` does."""

    def running(*arguments: object) -> Ran:
        capsys.readouterr()
        code = _run(list(map(str, arguments)))
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return running


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The file of a small game."""
    return game_file(tmp_path, "closet")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of the small game."""
    write_pack(tmp_path / "closet.jsonl", made("closet").head, made("closet").deals)
    return tmp_path / "closet.jsonl"


def process(*arguments: object, folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "dealproof.py"), *map(str, arguments)],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ran(*arguments: object, folder: Path, **environment: str) -> Ran:
    running = process(*arguments, folder=folder, **environment)
    out, err = running.communicate(timeout=300)
    return Ran(running.returncode, out.decode(), err.decode())


class TestExitCodes:
    def test_the_readme_explains_each_of_them(self) -> None:
        """In a table whose head says "code", one row a code, in the order of the numbers."""
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        if not readme.strip():
            pytest.skip("there is no README yet")
        tables = re.findall(r"(?:^\|.*\n)+", readme, flags=re.MULTILINE)
        told = [
            int(row[1])
            for table in tables
            if re.match(r"\|.*\bcode\b", table, flags=re.IGNORECASE)
            for row in re.finditer(r"^\| *`?(\d+)`? *\|", table, flags=re.MULTILINE)
        ]
        assert told == list(Exit)

    def test_solvable_is_0(self, run: Run, game: Path) -> None:
        assert run("solve", game, "--seed", WON).code == 0

    def test_no_is_1(self, run: Run, game: Path) -> None:
        assert run("solve", game, "--seed", LOST).code == 1

    def test_bad_input_is_2(self, run: Run) -> None:
        assert run("solve", "solitaire", "--seed", 1).code == 2

    def test_undecided_is_3(self, run: Run, game: Path) -> None:
        solved = run("solve", game, "--seed", WON, "--nodes", 10)
        assert solved.code == 3
        assert "undecided (stopped by nodes; " in solved.out
        assert "Larger limits may decide it." in solved.out

    def test_a_fault_of_ours_is_4_and_shows_where(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(key: str) -> None:
            raise ZeroDivisionError("here")

        monkeypatch.setattr(dealproof, "load_game", fail)
        failed = run("deal", "josephine", "--seed", 1)
        assert failed.code == 4
        assert failed.out == ""
        assert "ZeroDivisionError: here" in failed.err
        assert failed.err.endswith("this is a fault of dealproof, not of your input\n")

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            (("generate", "josephine", "--out", "pack.jsonl"), "the same command goes on where"),
            (("deal", "josephine", "--seed", 1), "interrupted\n"),
        ],
    )
    def test_an_interrupt_is_130(
        self,
        run: Run,
        monkeypatch: pytest.MonkeyPatch,
        command: tuple[object, ...],
        words: str,
    ) -> None:
        def interrupt(key: str) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(dealproof, "load_game", interrupt)
        stopped = run(*command)
        assert stopped.code == 130
        assert words in stopped.err
        assert "Traceback" not in stopped.err

    def test_too_little_memory_is_no_fault(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(key: str) -> None:
            raise MemoryError("64 GiB")

        monkeypatch.setattr(dealproof, "load_game", fail)
        failed = run("deal", "josephine", "--seed", 1)
        assert (failed.code, failed.err) == (
            2,
            "not enough memory: 64 GiB; allow less with --memory\n",
        )


class TestCheck:
    def test_finds_what_must_be_found(self, run: Run) -> None:
        """Planted nowhere: the four documents say so themselves."""
        checked = run("check")
        assert checked.code == 1
        assert checked.err == ""
        rows = checked.out.splitlines()
        for place, words in (
            (r"000_\w+\.txt:11: error: contradiction: ", r"\[G2, F5; lines 7, 11, 19\]$"),
            (r"000_\w+\.txt:18: error: false-example: ", r"base rank is 6: .*lines? 18\]$"),
            (r"003_\w+\.txt:51: error: ", r"five and four of hearts.*lines .*51, 52.*\]$"),
            (r"002_\w+\.txt:33: error: false-universal: ", r"base rank is 9: .*line 33\]$"),
        ):
            assert [row for row in rows if re.match(place, row) and re.search(words, row)], place
        assert all(re.match(r"00[0-3]_\w+\.txt:\d+: (error|warning|note): ", row) for row in rows)

    def test_json_says_the_same(self, run: Run) -> None:
        plain, listed = run("check", "signora"), run("check", "signora", "--json")
        assert plain.code == listed.code == 1
        assert len(plain.out.splitlines()) == len(listed.rows) > 1
        for row, found in zip(plain.out.splitlines(), listed.rows, strict=True):
            place = f"{found['file']}:{found['line']}: {found['severity']}: {found['rule']}: "
            assert row.startswith(place + found["message"])

    def test_all_is_the_same_as_no_name(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dealproof, "game_names", lambda: ["signora"])
        assert run("check", "--all").out == run("check").out == run("check", "signora").out

    def test_a_document_without_errors_is_0(self, run: Run) -> None:
        checked = run("check", "emperor")
        assert checked.code == 0
        assert " error: " not in checked.out

    def test_a_game_without_a_document_is_told(self, run: Run, game: Path) -> None:
        checked = run("check", game)
        assert (checked.code, checked.out) == (0, "")
        assert checked.err == "closet: the game names no document, so there is nothing to check\n"


class TestDeal:
    def test_is_the_same_in_letters_and_in_json(self, run: Run) -> None:
        plain, listed = (
            run("deal", "josephine", "--seed", 7),
            run(*("deal", "josephine", "--seed", 7, "--json")),
        )
        (row,) = listed.rows
        assert row["seed"] == "dealproof:7"
        assert row["game"] == "josephine"
        for number, pile in enumerate(row["deal"]["tableau"], 1):
            assert f"tableau {number:<3} {' '.join(pile)}\n" in plain.out
        assert plain.err == listed.err == ""

    def test_face_down_cards_are_in_brackets(self, run: Run) -> None:
        assert re.search(
            r"tableau 1   \[..\] \[..\] \[..\] ..\n", run(*("deal", "emperor", "--seed", 7)).out
        )

    def test_pysolfc_deals_its_own_numbers(self, run: Run) -> None:
        dealt = run("deal", "josephine", "--seed", 7, "--dealer", "pysolfc", "--json")
        assert dealt.rows[0]["seed"] == "pysolfc:7"
        assert dealt.rows[0]["deal"] != run("deal", "josephine", "--seed", 7, "--json").rows[0]

    def test_a_reading_and_a_file_are_games(self, run: Run, game: Path) -> None:
        assert run("deal", "signora@wraps", "--seed", 1).code == 0
        assert run("deal", game, "--seed", 1).out.count("tableau") == 4


class TestSolve:
    def test_a_seed(self, run: Run, game: Path) -> None:
        solved = run("solve", game, "--seed", WON)
        head, *moves = solved.out.splitlines()
        assert re.fullmatch(
            r"solvable \(.*; [\d,]+ nodes\), 33 moves, replayed by the checker", head
        )
        assert moves[0] == "   1 3C s-w"
        assert len(moves) == 33
        assert solved.err == ""

    def test_json_holds_the_whole_decision(self, run: Run, game: Path) -> None:
        (row,) = run("solve", game, "--seed", WON, "--json").rows
        assert row["verdict"] == "solvable"
        assert row["seed"] == f"dealproof:{WON}"
        assert len(row["certificate"]["moves"]) == 33
        assert row["effort"]["nodes"] > 0
        assert len(row["ruleset_sha256"]) == 64

    def test_unsolvable_says_what_proves_it(self, run: Run, game: Path) -> None:
        searched, held = run("solve", game, "--seed", LOST), run("solve", game, "--seed", 1)
        assert searched.out.startswith("unsolvable (exhaustive search; ")
        assert "No one can check this but by searching again." in searched.out
        assert held.out.startswith("unsolvable (closed set; ")
        assert "accepted by the checker" in held.out
        assert "never moves" in held.out

    def test_a_file_and_standard_input_are_the_deal_of_the_seed(
        self, run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = run("deal", game, "--seed", WON, "--json").out
        solved = run("solve", game, "--seed", WON)
        for data in (text, json.dumps(json.loads(text)["deal"], indent=2), "\ufeff" + text):
            file = tmp_path / "deal.json"
            file.write_text(data, encoding="utf-8")
            assert run("solve", game, file).out == solved.out
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
            assert run("solve", game, "-").out == solved.out

    def test_a_line_of_a_pack_is_a_deal(self, run: Run, game: Path, tmp_path: Path) -> None:
        file = tmp_path / "line.json"
        file.write_text(json.dumps(made("closet").deals[0].to_json()), encoding="utf-8")
        assert run("solve", game, file).out == run("solve", game, "--seed", WON).out

    def test_it_says_that_it_compiles(
        self, run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(warm, "is_compiled", lambda: False)
        solved = run("solve", game, "--seed", WON)
        assert solved.err.startswith("Compiling the search (once, ")
        assert run("solve", game, "--seed", WON, "--quiet").err == ""


class TestGenerate:
    def test_progress_is_on_standard_error_and_the_pack_in_its_file(
        self, game: Path, tmp_path: Path
    ) -> None:
        made = ran("generate", game, "--out", "new/pack.jsonl", "--solvable", 2, folder=tmp_path)
        assert (made.code, made.out) == (0, "")
        assert "closet: 2 of 2 solvable deals; met 2 solvable, 1 unsolvable, 0 und" in made.err
        assert "pack.jsonl: 2 solvable, 0 unsolvable, each accepted by the checker" in made.err
        assert (tmp_path / ".dealproof" / "runs.sqlite").exists()
        assert (tmp_path / "new" / "pack.jsonl").exists()

    def test_quiet_says_nothing(self, game: Path, tmp_path: Path) -> None:
        made = ran("generate", game, "--out", "p", "--unsolvable", 1, "-q", folder=tmp_path)
        assert (made.code, made.out, made.err) == (0, "", "")

    def test_what_is_made_is_accepted(self, run: Run, game: Path, tmp_path: Path) -> None:
        out = tmp_path / "pack.jsonl"
        store = tmp_path / "runs.sqlite"
        command = ("generate", game, "--out", out, "--store", store, "--unsolvable", 2, "-q")
        assert run(*command, "--solvable", 3, "--seed", 5).code == 0
        checked = run("recheck", out)
        assert checked.code == 0
        assert f"{out}: 5 of 5 deals accepted: 3 solvable, 2 unsolvable\n" in checked.out
        assert "unsolvable under foundations.returns: never; " in checked.out

    def test_what_cannot_be_written_is_refused_before_anything_is_searched(
        self, run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dealproof, "_warm_up", None)
        refused = run("generate", game, "--out", tmp_path, "--store", tmp_path / "runs")
        assert refused.code == 2
        assert refused.err.startswith(f"{tmp_path}: cannot be written: Is a directory; ")

    def test_a_list_that_claims_nothing_is_refused_before_anything_is_searched(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dealproof, "_warm_up", None)
        command = ("generate", "signora", "--dealer", "pysolfc", "--out", tmp_path / "pack")
        refused = run(*command, "--numbers", tmp_path / "numbers", "--store", tmp_path / "runs")
        assert refused.code == 2
        assert "no list of PySolFC numbers for signora" in refused.err
        assert list(tmp_path.iterdir()) == []


class TestReport:
    def test_an_own_game_has_its_pages(
        self, run: Run, game: Path, pack: Path, tmp_path: Path
    ) -> None:
        written = run("report", pack, "--game", game, "--out", tmp_path / "pages")
        assert (written.code, written.out) == (0, "")
        assert written.err == f"4 pages in {tmp_path / 'pages'}\n"
        page = (tmp_path / "pages" / "closet.html").read_text(encoding="utf-8")
        assert "Closet" in page
        assert "closet.jsonl" in page

    def test_it_asks_for_the_file_of_an_own_game(
        self, run: Run, pack: Path, tmp_path: Path
    ) -> None:
        refused = run("report", pack, "--out", tmp_path / "pages")
        assert refused.code == 2
        assert refused.err == (
            f"{pack}:1: game: dealproof has no game 'closet'; "
            "name its file, with --game FILE.yaml\n"
        )
        assert not (tmp_path / "pages").exists()


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no such command": (("prove",), "No such command 'prove'"),
    "no such option": (("deal", "josephine", "--number", "1"), "No such option"),
    "no game": (("deal", "--seed", "1"), "Missing argument"),
    "no seed": (("deal", "josephine"), "Missing option '--seed'"),
    "no such game": (("deal", "solitaire", "--seed", "1"), "there is no game 'solitaire'; one of"),
    "no such reading": (("deal", "josephine@x", "--seed", "1"), "josephine has no reading 'x'"),
    "no such game file": (("deal", "no.yaml", "--seed", "1"), "no.yaml: there is no such file"),
    "a game in another case": (("deal", "Josephine", "--seed", "1"), "there is no game"),
    "a game that is no file": (("deal", "..", "--seed", "1"), "there is no game '..'"),
    "a game without a name": (("deal", "", "--seed", "1"), "there is no game ''"),
    "a game that is a pack": (("check", "{pack}"), "there is no game"),
    "a seed below 0": (("deal", "josephine", "--seed=-1"), "greater than or equal to 0"),
    "a seed in words": (("deal", "josephine", "--seed", "one"), "valid integer"),
    "a seed too large": (("deal", "josephine", "--seed", "9" * 30), "is too large; a seed has at"),
    "a seed of a dealer": (("deal", "josephine", "--seed", "pysolfc:1"), "valid integer"),
    "an unknown dealer": (
        ("deal", "josephine", "--seed", "1", "--dealer", "ms"),
        "unknown dealer 'ms'; the dealers are dealproof and pysolfc",
    ),
    "a number PySolFC has not": (
        ("deal", "josephine", "--seed", "0", "--dealer", "pysolfc"),
        "PySolFC game number 0; it is 1 to",
    ),
    "a layout PySolFC has not": (
        ("deal", "{game}", "--seed", "1", "--dealer", "pysolfc"),
        "PySolFC's numbers deal full standard decks; use the dealproof dealer",
    ),
    "no deal": (("solve", "{game}"), "name a deal: either --seed or a file (or -)"),
    "two deals": (("solve", "{game}", "deal.json", "--seed", "1"), "either --seed or a file"),
    "no such file": (("solve", "{game}", "no.json"), "no.json: cannot be read: No such file"),
    "a folder as a deal": (("solve", "{game}", "{folder}"), "cannot be read: Is a directory"),
    "a game as a deal": (("solve", "{game}", "{game}"), "closet.yaml:1:1: this is no JSON object"),
    "no nodes": (("solve", "{game}", "--seed", "1", "--nodes", "0"), "greater than or equal to 1"),
    "nodes without end": (
        ("solve", "{game}", "--seed", "1", "--nodes", "9" * 30),
        "less than or equal to",
    ),
    "seconds without end": (
        ("solve", "{game}", "--seed", "1", "--seconds", "inf"),
        "less than or equal to",
    ),
    "seconds that are none": (
        ("solve", "{game}", "--seed", "1", "--seconds", "nan"),
        "Invalid value for '--seconds'",
    ),
    "memory without end": (
        ("solve", "{game}", "--seed", "1", "--memory", "9" * 30),
        "less than or equal to",
    ),
    "nowhere to write": (("generate", "{game}"), "Missing option '--out'"),
    "a file as a folder": (("generate", "{game}", "--out", "{game}/x"), "cannot be written: "),
    "fewer than none": (
        ("generate", "{game}", "--out", "x", "--solvable=-1"),
        "greater than or equal to 0",
    ),
    "no workers": (
        ("generate", "{game}", "--out", "{folder}/x", "--workers", "0"),
        "greater than or equal to 1",
    ),
    "past the last seed": (
        (
            *("generate", "{game}", "--out", "{folder}/x", "--seed", str(2**63 - 1), "-q"),
            *("--store", "{folder}/runs"),
        ),
        "are wanted; start from a smaller seed",
    ),
    "numbers of our own dealer": (
        ("generate", "josephine", "--out", "{folder}/x", "--numbers", "{folder}/y"),
        "the deals are not PySolFC's; --dealer pysolfc",
    ),
    "one file for two": (
        (
            *("generate", "josephine", "--dealer", "pysolfc", "--out", "{folder}/x"),
            *("--numbers", "{folder}/./x"),
        ),
        "--out and --numbers name the same file",
    ),
    "nothing to recheck": (("recheck",), "Missing argument"),
    "no such pack": (("recheck", "no.jsonl"), "no.jsonl: cannot be read: No such file"),
    "a game file as a pack": (("recheck", "{game}"), "closet.yaml:1:1: this is no JSON object"),
    "a report of no pack": (("report", "{game}"), "closet.yaml:1:1: this is no JSON object"),
    "pages in a file": (
        ("report", "{pack}", "--game", "{game}", "--out", "{game}"),
        "closet.yaml",
    ),
    "names and all": (("check", "josephine", "--all"), "name games, or write --all"),
}


class TestBadInput:
    @pytest.mark.parametrize("name", BAD)
    def test_gives_a_message_and_no_traceback(
        self, run: Run, game: Path, pack: Path, tmp_path: Path, name: str
    ) -> None:
        arguments, words = BAD[name]
        known = {"game": str(game), "pack": str(pack), "folder": str(tmp_path)}
        refused = run(*(argument.format(**known) for argument in arguments))
        assert refused.code == Exit.BAD_INPUT
        assert words in " ".join(refused.err.split())
        assert refused.out == ""
        assert "Traceback" not in refused.err

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "this is no JSON object"),
            (b"\xff\xfe", "is no UTF-8 text at byte 0"),
            (b"[]", "this is no JSON object"),
            (b"{}", "20 cards, 1 of each"),
            (b'{"deal": 5}', "a deal is a mapping"),
            (b'{"deal": {"piles": []}}', "unknown key 'piles'"),
            (b'{"deal": null}', "a deal is a mapping"),
            (b'{\n "stock":\n  nope}', "standard input:3:3: this is no JSON object"),
            (b'{"stock": [], "stock": []}', "the key 'stock' is written twice"),
            (b'{"stock": NaN}', "NaN is no number"),
            (b'{"stock": ["XX"]}', "stock[0]: 'XX' is no card of this pack"),
            (b'{"tableau": [["5H"], [], [], [], [], [], []]}', "7 piles; tableau is a list of 4"),
            (b"[" * 100_000, "this is nested too deeply"),
        ],
    )
    def test_a_deal_that_is_none_is_refused(
        self, run: Run, game: Path, data: bytes, words: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
        refused = run("solve", game, "-")
        assert refused.code == Exit.BAD_INPUT
        assert refused.err.startswith("standard input")
        assert words in refused.err
        assert "Traceback" not in refused.err

    def test_a_deal_of_another_game_names_the_file(
        self, run: Run, game: Path, tmp_path: Path
    ) -> None:
        file = tmp_path / "deal.json"
        file.write_text(run("deal", "josephine", "--seed", 1, "--json").out, encoding="utf-8")
        refused = run("solve", "emperor", file)
        assert refused.code == Exit.BAD_INPUT
        assert refused.err.startswith(f"{file}: face_down: ")
        assert "emperor deals " in refused.err

    def test_no_input_at_all_is_refused(
        self, run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        assert run("solve", game, "-").code == Exit.BAD_INPUT

    def test_several_complaints_about_a_game_are_told_at_once(
        self, run: Run, tmp_path: Path
    ) -> None:
        file = game_file(tmp_path, "closet", tableau__piles="many", stock__to="sky")
        refused = run("deal", file, "--seed", 1)
        assert refused.code == Exit.BAD_INPUT
        assert len(refused.err.splitlines()) == 2
        assert all(row.startswith(f"{file}:") for row in refused.err.splitlines())


class TestHelp:
    def test_lists_every_command(self, run: Run) -> None:
        shown = run("--help")
        assert shown.code == 0
        assert all(command in shown.out for command in COMMANDS)
        assert sorted(
            command.name or command.callback.__name__
            for command in dealproof.app.registered_commands
            if command.callback
        ) == sorted(COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_and_option_is_explained(self, run: Run, command: str) -> None:
        shown = run(command, "-h")
        assert (shown.code, shown.err) == (0, "")
        assert shown.out == run(command, "--help").out
        assert len(shown.out.split("Options")[0].split()) > 8
        for row in shown.out.splitlines():
            option = re.match(r"│ +\*? *(--?[a-z-]+|[A-Z]+\.*) +(.*?) *│$", row)
            assert option is None or re.search(r"[a-z]{3}", option[2]), row

    def test_without_a_command_it_is_shown(self, run: Run) -> None:
        assert "Usage: dealproof" in run().out


class TestStreams:
    @pytest.mark.parametrize(
        "arguments",
        [
            ("check", "signora"),
            ("deal", "emperor", "--seed", 1),
            ("recheck", "closet.jsonl"),
            ("recheck", "♠.jsonl"),
            ("recheck", "♠ no such pack.jsonl"),
            ("--help",),
            ("solve", "closet.yaml", "--seed", 1),
        ],
    )
    def test_a_narrow_encoding_stops_nothing(
        self, game: Path, pack: Path, tmp_path: Path, arguments: tuple[object, ...]
    ) -> None:
        """A redirected standard output on Windows has few characters."""
        pack.with_name("♠.jsonl").write_bytes(pack.read_bytes())
        narrow = ran(*arguments, folder=tmp_path, PYTHONIOENCODING="cp1252")
        wide = ran(*arguments, folder=tmp_path, PYTHONIOENCODING="utf-8")
        assert narrow.code == wide.code
        assert "Traceback" not in narrow.err
        assert "fault" not in narrow.err
        if wide.out.isascii():
            assert narrow.out == wide.out

    @pytest.mark.parametrize(
        "arguments", [("check", "emperor"), ("schema",), ("recheck", "--json", "closet.jsonl")]
    )
    def test_a_reader_who_has_had_enough_is_no_fault(
        self, pack: Path, tmp_path: Path, arguments: tuple[object, ...]
    ) -> None:
        running = process(*arguments, folder=tmp_path)
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        err = running.stderr.read().decode()
        running.stderr.close()
        assert running.wait(timeout=60) == 0
        assert err == ""

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
    def test_a_full_disk_is_told(self, tmp_path: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, str(ROOT / "dealproof.py"), "deal", "josephine", "--seed", "1"],
                cwd=tmp_path,
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == Exit.BAD_INPUT
        assert done.stderr == b"cannot write: No space left on device\n"

    def test_the_pack_may_go_to_standard_output(self, game: Path, tmp_path: Path) -> None:
        made = ran("generate", game, "--out", "/dev/stdout", "--solvable", 1, folder=tmp_path)
        assert made.code == 0
        assert [row.get("format") for row in made.rows] == ["dealproof-pack/1", None]


def test_the_schemas_are_printed(run: Run) -> None:
    (row,) = run("schema").rows
    assert sorted(row) == ["document.schema.json", "game.schema.json"]


@pytest.mark.slow
def test_all_of_it(run: Run, tmp_path: Path) -> None:
    out, store = tmp_path / "out", tmp_path / "runs.sqlite"
    command = ("run", "--out", out, "--store", store, "--solvable", 1, "--unsolvable", 1)
    done = run(*command)
    assert done.code == 0
    packs = sorted(path.name for path in (out / "packs").iterdir())
    listed = ["emperor", "josephine"]
    assert packs == sorted(
        [f"{name}.jsonl" for name in game_names()]
        + [f"{name}.pysolfc.{kind}" for name in listed for kind in ("jsonl", "txt")]
    )
    assert (out / "report" / "index.html").exists()
    rows = done.out.splitlines()
    assert len(rows) == len(game_names()) + 2
    assert rows[0].startswith("Emperor: 1 deal proved solvable, 1 unsolvable (emperor.jsonl); ")
    assert rows[-1] == f"Report: {out / 'report' / 'index.html'}"
    for name in listed:
        numbers = (out / "packs" / f"{name}.pysolfc.txt").read_text(encoding="utf-8")
        assert re.fullmatch(r"1000\d\d\n", numbers)
    assert run("recheck", *sorted((out / "packs").glob("*.jsonl"))).code == 0
    assert done.err.endswith("Done.\n")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = run(*command, "--quiet", "--workers", 1)
    assert (again.code, again.err, again.out) == (0, "", done.out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
