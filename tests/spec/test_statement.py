from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from spec.cards import Card
from spec.errors import InputErrors
from spec.statement import (
    DOCUMENTS,
    DocumentFile,
    Example,
    Fill,
    Fits,
    cards_of,
    kinds_of,
    load_document,
    load_documents,
)

HEAD = """\
document: test-page
title: A test
game: test
file: test.txt
sha256: {sha}
lines: 9
statements:
""".format(sha="a" * 64)


def write(folder: Path, statements: str) -> Path:
    path = folder / "test.yaml"
    path.write_text(HEAD + statements, encoding="utf-8")
    return path


def one(folder: Path, kind: str) -> DocumentFile:
    return load_document(write(folder, f"- {{id: A1, at: [1], text: t, {kind}}}\n"))


def test_the_four_documents_are_there() -> None:
    found = {document.document: document for document in load_documents()}
    assert list(found) == [
        "emperor-page",
        "empress-of-italy-page",
        "josephine-page",
        "signora-page",
    ]
    kinds = {
        name: [s.kind for s in document.statements].count("example")
        for name, document in found.items()
    }
    assert kinds["empress-of-italy-page"] == 7
    assert kinds["josephine-page"] == 12 + 3
    for name in ("emperor-page", "signora-page"):
        assert [s.kind for s in found[name].statements].count("fits") == 2


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_document_rests_on_its_file(path: Path, root: Path) -> None:
    document = load_document(path)
    assert path.stem == document.document
    source = root.parent / "shared" / "documents" / document.file
    if not source.exists():
        pytest.skip("the documents are not here")
    data = source.read_bytes()
    assert hashlib.sha256(data).hexdigest() == document.sha256
    lines = data.decode().split("\n")
    assert len(lines) == document.lines
    for statement in document.statements:
        for line in statement.at:
            assert lines[line - 1].strip(), f"{statement.id} cites line {line}, which is blank"


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_sentence_is_copied(path: Path, root: Path) -> None:
    document = load_document(path)
    source = root.parent / "shared" / "documents" / document.file
    if not source.exists():
        pytest.skip("the documents are not here")
    words = " ".join(source.read_text(encoding="utf-8").lower().split())
    texts = [reading.text for s in document.statements for reading in s.readings if reading.text]
    for text in texts:
        found = text.lower().rstrip(".").split()
        for start in range(len(found) - 8):
            assert " ".join(found[start : start + 9]) not in words, text


def test_statements_are_found_by_id() -> None:
    document = load_document(DOCUMENTS / "empress-of-italy-page.yaml")
    assert document.statement("T1").says == {"tableau.piles": 11}
    assert document.statement("T1").at == (3, 23)
    assert document.statement("T4").says is None
    assert [reading.kind for reading in document.statement("T5").readings] == ["move", "says"]
    with pytest.raises(KeyError):
        document.statement("Z9")


def test_the_model_can_be_exported() -> None:
    schema = DocumentFile.model_json_schema()
    says = schema["$defs"]["Statement"]["properties"]["says"]
    assert "tableau.build.suit" in str(says)
    assert {"sha256", "statements"} <= set(schema["properties"])


@pytest.mark.parametrize(
    ("statements", "line", "column", "words"),
    [
        (
            "- {id: A1, at: [1], text: t, remark: r}\n- {id: A1, at: [2], text: t, remark: r}\n",
            *(9, 8),
            "used twice",
        ),
        ("- {id: A1, at: [1, 10], text: t, remark: r}\n", *(8, 20), "line 10 is not in"),
        ("- {id: A1, at: [0], text: t, remark: r}\n", *(8, 17), "line 0 is not in"),
        ("- {id: A1, at: [2, 2], text: t, remark: r}\n", *(8, 20), "given twice"),
        (
            "- {id: A1, at: [1], text: t, says: {tableau.pile: 3}}\n",
            *(8, 37),
            "did you mean 'tableau.piles'",
        ),
        (
            "- {id: A1, at: [1], text: t, says: {pack.decks: 2, tableau.build.suit: red}}\n",
            *(8, 72),
            "by suit, by colour",
        ),
        (
            "- {id: A1, at: [1], text: t, says: {stock.passes: [1, 0]}}\n",
            *(8, 51),
            "no answer",
        ),
        (
            "- {id: A1, at: [1], text: t, says: {tableau.from: waste}}\n",
            *(8, 51),
            "stated with 'move'",
        ),
        (
            "- {id: A1, at: [1], text: t, varies: {tableau.sink: K}}\n",
            *(8, 39),
            "remark",
        ),
        (
            "- {id: A1, at: [1], text: t, remark: r, or: [{text: u, says: {pack.deck: 1}}]}\n",
            *(8, 63),
            "pack.decks",
        ),
        (
            "- {id: A1, at: [1], text: t, like: {game: g, as: h, but: [{says: {x: 1}}]}}\n",
            *(8, 67),
            "no rule 'x'",
        ),
        (
            "- {id: A1, at: [1], text: t, like: {game: g, as: h, only: [pack, tab]}}\n",
            *(8, 66),
            "'tab'",
        ),
    ],
)
def test_what_the_model_cannot_see_is_refused_where_it_stands(
    tmp_path: Path, statements: str, line: int, column: int, words: str
) -> None:
    with pytest.raises(InputErrors) as caught:
        load_document(write(tmp_path, statements))
    (error,) = caught.value.errors
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column), str(error)
    assert words in str(error)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("says: {}", "at least 1"),
        ("note: n", "one kind and there is none"),
        ("remark: r, says: {pack.decks: 1}", "there are says, remark"),
        ("says: {pack.decks: 2.5}", "pack.decks"),
        ("rule: {pack.decks: 2}", "unknown key 'rule'"),
        ("move: {may: deck}", "'deck'"),
        ("move: {may: waste, never: stock}", "one of may, only and never"),
        ("move: {only: waste}", "where to"),
        ("fill: {by: player}", "either from or order"),
        ("fill: {by: magic, from: waste}", "'magic'"),
        ("fill: {by: player, from: waste, then: tableau}", "follows on an order"),
        ("fill: {by: player, from: waste, accept: kings}", "no answer"),
        ("fill: {by: player, from: waste, when: waste full}", "waste full"),
        ("example: {place: 6S, in: tableau}", "write onto"),
        ("example: {place: 6S, build: [6S], onto: 7S, in: tableau}", "one of place, build"),
        ("example: {place: 6S, onto: 7S}", "write in"),
        ("example: {place: 1S, onto: 7S, in: tableau}", "1S"),
        ("example: {place: green 8, onto: 7S, in: tableau}", "describes no card"),
        ("example: {lift: [4H], pile: [4H, 5H]}", "top of the pile"),
        ("example: {lift: [4H], alone: true}", "write pile"),
        ("example: {lift: [4H], onto: 5H}", "onto says nothing of lift"),
        ("example: {lift: [4H], in: tableau}", "in says nothing of lift"),
        ("example: {place: 4H, onto: 5H, in: tableau, alone: true}", "alone says nothing"),
        ("example: {build: [4H], onto: 5H, in: tableau}", "write that card first"),
        ("example: {place: 4H, onto: anywhere, in: tableau}", "and no in"),
        ("example: {place: 4H, onto: 5H, in: tableau, given: [no space]}", "take out given"),
        ("fits: {onto: 8, in: foundation}", "exactly"),
        ("remark: r, or: [{remark: s}]", "write its text"),
    ],
)
def test_malformed_statements_are_refused(tmp_path: Path, kind: str, words: str) -> None:
    with pytest.raises(InputErrors) as caught:
        one(tmp_path, kind)
    assert words in str(caught.value), str(caught.value)


def test_several_complaints_come_together(tmp_path: Path) -> None:
    statements = "- {id: A1, at: [99], text: t, says: {pack.decks: 99, nothing: 1}}\n"
    with pytest.raises(InputErrors) as caught:
        load_document(write(tmp_path, statements))
    assert len(caught.value.errors) == 3


def test_ranks_are_read_as_letters(tmp_path: Path) -> None:
    document = one(tmp_path, "says: {pack.base: 10, tableau.spaces.accept: [2, K]}")
    says = document.statement("A1").says
    assert says == {"pack.base": "T", "tableau.spaces.accept": ["2", "K"]}


def test_patterns_describe_cards() -> None:
    assert cards_of("10d") == (Card(10, "D"),)
    assert cards_of("black 8") == (Card(8, "C"), Card(8, "S"))
    assert [card.suit for card in cards_of("K")] == ["C", "D", "H", "S"]
    assert cards_of("red 10") == (Card(10, "D"), Card(10, "H"))


def test_a_universal_lists_its_cards(tmp_path: Path) -> None:
    fits = one(tmp_path, "fits: {onto: 6D, in: tableau, exactly: [5S, 5C]}").statement("A1").fits
    assert isinstance(fits, Fits)
    assert fits.cards == (Card(5, "S"), Card(5, "C"))
    fits = one(tmp_path, "fits: {onto: 6D, in: tableau, exactly: 5}").statement("A1").fits
    assert isinstance(fits, Fits)
    assert len(fits.cards) == 4


def test_fills_have_steps_and_conditions(tmp_path: Path) -> None:
    fill = one(tmp_path, "fill: {by: player, when: stock empty, from: [waste, tableau]}")
    found = fill.statement("A1").fill
    assert isinstance(found, Fill)
    assert found.conditions == ("stock empty",)
    assert found.steps == (("player", ("waste", "tableau")),)
    chain = one(tmp_path, "fill: {by: automatic, order: [stock, waste], then: any}")
    found = chain.statement("A1").fill
    assert isinstance(found, Fill)
    assert found.steps == (("automatic", "stock"), ("automatic", "waste"), ("player", "any"))


def test_any_kind_of_pile_is_what_a_player_takes_from() -> None:
    assert kinds_of("any") == ("tableau", "waste", "reserve")
    assert kinds_of(None) == ()
    assert kinds_of(("stock", "waste")) == ("stock", "waste")


def test_an_example_keeps_its_cards(tmp_path: Path) -> None:
    example = one(tmp_path, "example: {build: [10D, 9s], in: tableau}").statement("A1").example
    assert isinstance(example, Example)
    assert example.build == ("TD", "9S")
    assert example.verdict == "legal"
