"""The pages for readers: what they show is what the program does."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

import dealproof
from generator.dealers import deal
from generator.packs import Pack, read_pack, recheck
from generator.shuffles import DEALPROOF_DEALER, Seed, dealproof_order
from spec.game import game_names, load_game
from spec.ruleset import parse_ruleset
from verify.certificate import Exhaustion, Verdict, read_certificate
from verify.checker import NotCheckable, check
from verify.findings import Finding
from verify.position import read_position
from verify.rules import rules_of
from verify.search.decide import REDUCTIONS
from verify.search.warm import warm_up
from verify.smt.check import RULES, check_document

ROOT = Path(__file__).parent.parent
PAGES = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "tests/README.md"),
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
COMMANDS: dict[str, Any] = typer.main.get_command(dealproof.app).commands  # type: ignore[attr-defined]
MOST_BYTES = 150_000


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(page: str) -> set[str]:
    """The names of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", without_blocks(text_of(page)), re.M)
    kept = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {head.replace(" ", "-") for head in kept}


@pytest.fixture(scope="module")
def formats() -> str:
    return text_of("docs/formats.md")


@pytest.fixture(scope="module")
def objects(formats: str) -> list[dict[str, Any]]:
    """The JSON examples of docs/formats.md."""
    return [json.loads(block) for block in blocks(formats, "json")]


@pytest.fixture(scope="module")
def pack(formats: str, tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """The pack at the end of docs/formats.md, read."""
    (text,) = blocks(formats, "jsonl")
    path = tmp_path_factory.mktemp("pack") / "pocket.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_pack(path)


def first_column(text: str, *, under: str) -> list[str]:
    """The names in the first column of the table that follows a heading or a sentence."""
    rows = re.search(r"^\|.*\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)", text.split(under, 1)[1], re.M)
    assert rows is not None
    cells = [row.split("|")[1] for row in rows[1].splitlines()]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


class TestPages:
    @pytest.mark.parametrize("page", PAGES)
    def test_links_lead_somewhere(self, page: str) -> None:
        dead = []
        for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(text_of(page))):
            if target.startswith("https://"):
                continue
            file, _, anchor = target.partition("#")
            path = (ROOT / page).parent / file if file else ROOT / page
            inside = path.resolve().is_relative_to(ROOT) and path.exists()
            if not inside or (
                anchor and anchor not in anchors(str(path.resolve().relative_to(ROOT)))
            ):
                dead.append(target)
        assert dead == []

    def test_every_page_can_be_reached_from_the_readme(self) -> None:
        readme = text_of("README.md")
        assert [page for page in PAGES if page != "README.md" and f"]({page})" not in readme] == []

    @pytest.mark.parametrize("page", PAGES)
    def test_commands_and_their_options_exist(self, page: str) -> None:
        said = re.findall(r"(?<![\w/.-])dealproof ([a-z]+)\b([^`\n|]*)", text_of(page))
        code = re.findall(r"`[^`\n]*`|^    .*$|^\$ .*$", text_of(page), re.M)
        shown = [one for one in said if any(f"dealproof {one[0]}{one[1]}" in c for c in code)]
        unknown = []
        for command, rest in shown:
            known = COMMANDS.get(command)
            options = {name for param in known.params for name in param.opts} if known else set()
            wanted = [*re.findall(r"(?<=\s)--[a-z]+", rest), *re.findall(r"(?<=\s)-q\b", rest)]
            unknown += [f"{command} {name}" for name in wanted if name not in {*options, "--help"}]
            unknown += [] if known else [command]
        assert unknown == []

    def test_options_in_passing_exist(self) -> None:
        known = {name for command in COMMANDS.values() for p in command.params for name in p.opts}
        said = re.findall(r"`(--?[a-z-]+)`", text_of("README.md"))
        assert said
        assert [name for name in said if name not in known] == []

    def test_the_readme_shows_every_command_of_use(self) -> None:
        readme = text_of("README.md")
        assert [c for c in COMMANDS if f"dealproof {c}" not in readme and c not in LATER] == []

    @pytest.mark.parametrize("page", PAGES)
    def test_targets_of_make_exist(self, page: str) -> None:
        makefile = text_of("Makefile")
        code = re.findall(r"`([^`\n]*)`|^    (.*)$", text_of(page), re.M)
        wanted = re.findall(r"(?:^|\n)make ([a-z-]+)", "\n".join(map("".join, code)))
        assert [name for name in wanted if not re.search(rf"^{name}:", makefile, re.M)] == []

    def test_pictures_are_small(self) -> None:
        pictures = sorted((ROOT / "docs" / "pictures").iterdir())
        assert pictures
        for picture in pictures:
            assert picture.read_bytes().startswith(b"\x89PNG")
            assert picture.stat().st_size < MOST_BYTES

    def test_the_changelog_knows_the_version(self) -> None:
        version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
        assert re.search(rf"^## {re.escape(version)}\b", text_of("CHANGELOG.md"), re.M)


LATER = ("report", "run", "schema")
"""Commands that ``make run`` calls, or that docs/games.md is about."""


class TestReadme:
    @pytest.mark.slow
    def test_its_sessions_are_true(self, tmp_path: Path) -> None:
        """They are one session, in one folder; ``...`` stands for anything."""
        warm_up()
        (tmp_path / "spec").symlink_to(ROOT / "spec")
        session = [
            part
            for block in blocks(text_of("README.md"), "console")
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]
        ]
        commands, wanted = zip(*(part.split("\n", 1) for part in session), strict=True)
        assert len(commands) > 10
        said = _ran(commands, tmp_path)
        checker = doctest.OutputChecker()
        for command, expected, got in zip(commands, wanted, said, strict=True):
            alike = checker.check_output(expected, got, doctest.ELLIPSIS)
            assert alike, f"$ {command}\n{got}"

    def test_it_counts_the_findings_of_each_game(self) -> None:
        readme = text_of("README.md")
        for name in game_names():
            game = load_game(name)
            assert game.document is not None
            found = check_document(game.document, game.ruleset)
            errors = sum(finding.severity == "error" for finding in found)
            line = re.search(rf"^{game.title}: .*\({name}\.jsonl\); (.*)$", readme, re.M)
            assert line is not None
            told = [int(number) for number in re.findall(r"(\d+) (?:finding|error)", line[1])]
            assert told == [len(found), errors]


def _ran(commands: Sequence[str], folder: Path) -> list[str]:
    """What each command of a session prints, on both streams."""
    mark = "=" * 20
    script = "".join(f"{command}\nset -- $?\necho {mark}\n(exit $1)\n" for command in commands)
    bin_folder = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # On a slow machine a search tells how far it is.
    said = re.sub(r"^.* s left\n", "", done.stdout, flags=re.M)
    return said.split(f"{mark}\n")[:-1]


class TestFormats:
    def test_its_pack_is_read_and_checked(self, pack: Pack) -> None:
        said = list(recheck(pack))
        assert [line.accepted for line in said] == [True, True, None]
        assert [line.verdict for line in said] == [
            Verdict.SOLVABLE,
            Verdict.UNSOLVABLE,
            Verdict.UNSOLVABLE,
        ]

    def test_its_examples_are_those_of_the_pack(
        self, objects: list[dict[str, Any]], pack: Pack
    ) -> None:
        records = [json.loads(text) for _, text in pack.lines]
        certificates = [one for one in objects if "kind" in one]
        assert certificates == [record["certificate"] for record in records]
        assert [one for one in objects if "stock" in one and "passes" in one] == [
            records[0]["deal"]
        ]
        assert [one for one in objects if "pack" in one] == [pack.head["ruleset"]]
        assert len(objects) == len(certificates) + 3

    def test_its_examples_are_read_and_accepted(
        self, objects: list[dict[str, Any]], pack: Pack
    ) -> None:
        """By the readers themselves, the certificates for the deals of their lines."""
        (tree,) = [one for one in objects if "pack" in one]
        rules = rules_of(parse_ruleset(tree))
        verdicts = []
        trees = [one for one in objects if "kind" in one]
        for tree, (_, text) in zip(trees, pack.lines, strict=True):
            position = read_position(json.loads(text)["deal"], pack=rules.pack, layout=rules.layout)
            certificate = read_certificate(tree, rules)
            if isinstance(certificate, Exhaustion):
                with pytest.raises(NotCheckable):
                    check(rules, position, certificate)
            else:
                verdicts.append(check(rules, position, certificate).verdict)
        assert verdicts == [Verdict.SOLVABLE, Verdict.UNSOLVABLE]

    def test_the_hash_of_its_rules(self, formats: str, pack: Pack) -> None:
        assert f"\n    {pack.head['ruleset_sha256']}\n" in formats

    def test_its_example_of_a_lost_deal_is_on_the_second_line(
        self, formats: str, pack: Pack
    ) -> None:
        position = read_position(
            json.loads(pack.lines[1][1])["deal"], pack=pack.rules.pack, layout=pack.rules.layout
        )
        for row in str(position).splitlines():
            if row.startswith(("tableau", "stock")):
                assert f"    {row}\n" in formats

    def test_its_vectors_are_those_of_the_code(self, objects: list[dict[str, Any]]) -> None:
        (shown,) = [one for one in objects if "orders" in one]
        committed = json.loads(text_of("tests/generator/vectors/dealproof_order.json"))
        assert shown["dealer"] == committed["dealer"] == DEALPROOF_DEALER
        assert len(shown["orders"]) > 5
        for row in shown["orders"]:
            assert row in committed["orders"]
            assert row["order"] == dealproof_order(row["size"], int(row["number"]))

    def test_its_deal_is_laid_out_from_its_order(self, formats: str, pack: Pack) -> None:
        told = re.search(
            r"`(dealproof:\d+)` gives the order `([\d ]+)`, the cards `([^`]+)`", formats
        )
        assert told is not None
        seed = Seed.parse(told[1])
        order = dealproof_order(pack.rules.pack.size, seed.number)
        cards = pack.rules.pack.cards()
        assert told[2] == " ".join(map(str, order))
        assert told[3] == " ".join(str(cards[index]) for index in order)
        assert json.loads(pack.lines[0][1])["deal"] == deal(pack.rules, seed).to_json()

    def test_its_tables_name_every_key(self, formats: str, pack: Pack) -> None:
        record = json.loads(pack.lines[0][1])
        manifest = first_column(formats, under="### The manifest")
        assert sorted(manifest) == sorted(pack.head)
        assert sorted(first_column(formats, under="### A line")) == sorted([*record, "why"])
        deals = first_column(formats, under="## Deals and positions")
        assert sorted(deals) == sorted(record["deal"])
        kinds = first_column(formats, under="## Certificates")
        assert kinds == [json.loads(text)["certificate"]["kind"] for _, text in pack.lines]
        found = first_column(formats, under="**`dealproof check`**")
        assert sorted(found) == sorted(Finding.__dataclass_fields__)

    def test_it_names_every_kind_of_finding(self, formats: str) -> None:
        row = re.search(r"^\| `rule` \|(.*)\|$", formats, re.M)
        assert row is not None
        assert tuple(re.findall(r"`([^`]+)`", row[1])) == RULES


def test_the_reductions_are_explained() -> None:
    rows = re.search(
        r"^\| reduction \|.*\n\|.*\n((?:\|.*\n)+)", text_of("docs/how-it-works.md"), re.M
    )
    assert rows is not None
    assert tuple(row.split(" | ")[0].strip("| ") for row in rows[1].splitlines()) == REDUCTIONS
