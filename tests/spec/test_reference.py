"""docs/games.md: its tables are those of the models, its examples are read."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from spec.errors import InputError
from spec.game import load_game
from spec.parameters import PARAMETERS
from spec.reference import filled, tables, write_reference
from spec.ruleset import leaf_paths
from spec.statement import KINDS, load_document

HEAD = f"""\
document: fragment
title: A part of the page
game: fragment
file: fragment.txt
sha256: {hashlib.sha256(b"").hexdigest()}
lines: 9
statements:
"""


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "games.md").read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```$", page, re.M | re.S)


def test_the_tables_are_those_of_the_models(page: str) -> None:
    assert filled(page) == page, "run: python -m spec.reference docs/games.md"


def test_every_path_has_a_line() -> None:
    lines = {name: table.splitlines()[2:] for name, table in tables().items()}
    assert [line.split("`")[1] for line in lines["paths"]] == list(leaf_paths())
    assert [line.split("`")[1] for line in lines["questions"]] == list(PARAMETERS)
    for line in (*lines["paths"], *lines["questions"]):
        assert line.count("|") == 5
        assert "?" in line


def test_what_leaving_out_means_is_said(page: str) -> None:
    """No default in the last column: the question says it."""
    for line in tables()["paths"].splitlines():
        assert line in page
        if line.endswith("|  |"):
            assert "Left out: " in line


def test_a_page_without_a_place_for_a_table_is_refused(page: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no place for the table questions"):
        filled(page.replace("<!-- end questions -->", ""))
    copy = tmp_path / "games.md"
    copy.write_text(page.replace("| `pack.decks` |", "| `pack.deck` |"), encoding="utf-8")
    write_reference(copy)
    assert copy.read_text(encoding="utf-8") == page


def test_the_example_is_a_game(page: str, tmp_path: Path) -> None:
    files = {}
    for block in blocks(page):
        first = block.partition("\n")[0]
        if first.startswith("# "):
            files[first.removeprefix("# ")] = block
    assert list(files) == ["documents/porch-page.yaml", "games/porch.yaml", "games/veranda.yaml"]
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    game = load_game(str(tmp_path / "games" / "porch.yaml"))
    assert (list(game.readings), game.layout.stock) == (["returns"], 39)
    veranda = load_game(str(tmp_path / "games" / "veranda.yaml"))
    assert (veranda.layout.tableau, veranda.layout.reserve) == ((2,) * 6, ())
    document = load_document(tmp_path / "documents" / "porch-page.yaml")
    text = page[page.index("The page, `porch.txt`:") : page.index("What it states:")]
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    assert document.lines == len(lines)
    content = "".join(f"{line}\n" for line in lines).encode()
    assert document.sha256 == hashlib.sha256(content).hexdigest()


def test_every_kind_of_statement_is_shown_and_read(page: str, tmp_path: Path) -> None:
    shown = set()
    for number, block in enumerate(blocks(page)):
        if block.startswith("- "):
            path = tmp_path / f"{number}.yaml"
            path.write_text(HEAD + block, encoding="utf-8")
            for statement in load_document(path).statements:
                shown |= {reading.kind for reading in statement.readings}
    assert shown == set(KINDS)


def test_the_links_of_the_page_lead_to_its_headings(page: str) -> None:
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S), re.M)
    anchors = {heading.lower().replace(",", "").replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors
