from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spec.game import load_game
from spec.ruleset import from_paths
from spec.statement import DOCUMENTS, DocumentFile, load_document, load_documents
from spec.yamlfile import parse_yaml, validate
from tests.verify.smt.test_legality import FORTY
from tests.verify.smt.transcripts import FOLDER, found_in, says, transcript
from verify.findings import Finding
from verify.smt.check import RULES, check_document

FLAWED = {
    "arithmetic": [("arithmetic", "error", "T1 S1")],
    "dead-clause": [("dead-clause", "warning", "T1")],
    "dead-condition": [("dead-clause", "warning", "T1")],
    "example": [("false-example", "error", "E1")],
    "goal": [("arithmetic", "error", "D1 F1 G1 G2")],
    "overlooked": [("contradiction", "error", "T1 E1")],
    "reading": [("contradiction", "warning", "T1 T2")],
    "restated": [("arithmetic", "error", "D1 D2 D3")],
    "self-contradiction": [("contradiction", "error", "T1")],
    "universal": [("false-universal", "error", "U1")],
    "universal-narrow": [("contradiction", "error", "U1")],
    "universal-wide": [("contradiction", "error", "T1 U1")],
}


def found(document: DocumentFile) -> list[tuple[str, str, str]]:
    return [
        (each.rule, each.severity, " ".join(each.statements))
        for each in check_document(document)
        if each.severity != "note"
    ]


def test_every_small_document_is_expected_to_be_flawed_or_clean() -> None:
    names = {path.stem for path in FOLDER.glob("*.yaml")}
    assert {name.removesuffix("-flawed") for name in names if "flawed" in name} == set(FLAWED)
    assert len([name for name in names if name.endswith("-clean")]) >= len(FLAWED) - 2


@pytest.mark.parametrize("name", FLAWED)
def test_the_planted_defect_is_found_and_nothing_else(name: str) -> None:
    assert found(load_document(FOLDER / f"{name}-flawed.yaml")) == FLAWED[name]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*-clean.yaml")), ids=lambda path: path.stem)
def test_the_clean_twin_raises_no_alarm(path: Path) -> None:
    assert check_document(load_document(path)) == []


@functools.cache
def check(game: str, *, alone: bool = False) -> list[Finding]:
    document = load_document(DOCUMENTS / f"{game}-page.yaml")
    return check_document(document, None if alone else load_game(game).ruleset)


@pytest.fixture
def empress() -> list[Finding]:
    return check("empress-of-italy")


@pytest.fixture
def josephine() -> list[Finding]:
    return check("josephine")


def one(findings: list[Finding], rule: str, *statements: str) -> Finding:
    """The finding of a rule about exactly these statements."""
    (match,) = [f for f in findings if f.rule == rule and f.statements == statements]
    return match


def test_empress_of_italy_starts_and_ends_its_sequences_in_two_ways(
    empress: list[Finding],
) -> None:
    clash = one(empress, "contradiction", "G2", "F5")
    assert (clash.severity, clash.lines, clash.line) == ("error", (7, 11, 19), 11)
    assert str(clash).startswith("000_0f1d8b935965ce4a.txt:11: error: contradiction: ")
    assert str(clash).endswith("[G2, F5; lines 7, 11, 19]")


def test_empress_of_italy_shows_an_ace_on_a_king_that_ends_a_sequence(
    empress: list[Finding],
) -> None:
    clash = one(empress, "contradiction", "G2", "G3", "F2", "E7")
    assert (clash.severity, clash.line) == ("error", 17)
    assert clash.witness == "a foundation that ends on a king is complete"


def test_examples_of_empress_of_italy_forget_base_ranks(empress: list[Finding]) -> None:
    ascending = one(empress, "false-example", "E3")
    assert (ascending.severity, ascending.lines) == ("error", (18,))
    assert "holds for 10 of 13 base ranks" in ascending.message
    assert ascending.witness == "base rank 7, 8 or 9"
    assert ascending.explanation == (
        "Where the base rank is 7, a foundation that ends on the six of diamonds is complete."
    )
    for name in ("E1", "E2"):
        assert one(empress, "false-example", name).witness == "base rank 6"
    tableau = {"E4", "E5", "E6"}
    assert not any(tableau & set(f.statements) for f in empress)


def test_the_fills_of_empress_of_italy_name_an_empty_waste(empress: list[Finding]) -> None:
    dead = [f for f in empress if f.rule == "dead-clause"]
    assert [(f.statements, f.lines) for f in dead] == [(("T9",), (7,)), (("T8",), (28,))]
    assert all("the waste can never fill a space here" in f.message for f in dead)


def test_what_empress_of_italy_says_of_spaces_clashes_unless_read_with_care(
    empress: list[Finding],
) -> None:
    closed = one(empress, "contradiction", "T4", "T6", "T9")
    assert (closed.severity, closed.lines) == ("warning", (7, 25, 28))
    assert "if T4 is read so: This is about the player's own moves" in closed.explanation
    nested = one(empress, "contradiction", "T6", "T8", "T9")
    assert "if T8 is read so: This is the last resort" in nested.explanation
    choice = one(empress, "contradiction", "T9")
    assert "An automatic fill leaves no choice." in choice.explanation


def test_nothing_else_is_found_in_empress_of_italy(empress: list[Finding]) -> None:
    assert [f.severity for f in empress].count("error") == 5
    assert [f.severity for f in empress].count("warning") == 5
    assert [f.rule for f in empress if f.severity == "note"] == ["not-checked"]


def test_the_counts_of_josephine_add_up(josephine: list[Finding]) -> None:
    assert not any(f.rule == "arithmetic" for f in josephine)
    text = (DOCUMENTS / "josephine-page.yaml").read_text(encoding="utf-8")
    wrong = transcript_of(text.replace("stock.cards: 64", "stock.cards: 60"))
    (finding,) = [f for f in check_document(wrong) if f.rule == "arithmetic"]
    assert "S1" in finding.statements
    assert {11, 17} <= set(finding.lines)


def transcript_of(text: str) -> DocumentFile:
    return validate(DocumentFile, parse_yaml(text, file="test.yaml"))


def test_the_tenth_example_of_josephine_overlooks_spaces(josephine: list[Finding]) -> None:
    clash = one(josephine, "contradiction", "T5", "E10")
    assert (clash.severity, clash.lines, clash.line) == ("error", (24, 49, 50), 49)
    assert clash.witness == "the nine of hearts can go on an empty tableau pile"


def test_the_eleventh_example_of_josephine_overlooks_sequences(josephine: list[Finding]) -> None:
    clash = one(josephine, "contradiction", "T2", "T4", "T3", "E11")
    assert (clash.severity, clash.line) == ("error", 51)
    assert {22, 23, 51, 52} <= set(clash.lines)
    assert clash.witness == "the five of hearts and the four of hearts can be lifted as well"
    # Five more examples show a sequence or a step in suit; they make the same clash, told once.
    assert "E4 (line 38)" in clash.explanation


def test_nothing_else_is_found_in_josephine(josephine: list[Finding]) -> None:
    assert [f.severity for f in josephine].count("error") == 2
    assert [f.severity for f in josephine].count("warning") == 0
    unstated = [f.statements[0] for f in josephine if f.rule == "unstated-verdict"]
    assert unstated == ["E8", "E9", "E12"]
    assert all("by the rules the move is legal" in one.message for one in josephine[:2])


@pytest.mark.parametrize("alone", [False, True], ids=["by its game", "alone"])
def test_emperor_raises_no_alarm(alone: bool) -> None:  # noqa: FBT001
    assert {f.severity for f in check("emperor", alone=alone)} == {"note"}


def test_a_universal_of_signora_forgets_a_base_rank() -> None:
    findings = check("signora")
    (error,) = [f for f in findings if f.severity != "note"]
    assert (error.rule, error.statements, error.lines) == ("false-universal", ("U1",), (33,))
    assert error.witness == "base rank 9"


def test_a_base_bounded_tableau_makes_the_other_universal_fail_too() -> None:
    document = load_document(DOCUMENTS / "signora-page.yaml")
    paths = {"tableau.build.wrap": "base", "tableau.build.suit": "alternate"}
    changed = {**FORTY, "pack.base": "first_card", "foundations.build.suit": "alternate", **paths}
    findings = check_document(document, from_paths(changed))
    assert one(findings, "false-universal", "U2").witness == "base rank 8"


def test_without_a_ruleset_the_document_speaks_for_itself(empress: list[Finding]) -> None:
    alone = check("empress-of-italy", alone=True)
    assert [(f.rule, f.statements) for f in alone] == [(f.rule, f.statements) for f in empress]
    ascending = one(alone, "false-example", "E3")
    assert ascending.witness == "base rank 7, 8 or 9"
    assert "It follows from G3 (line 11) and F2" in ascending.explanation


@pytest.mark.parametrize("document", load_documents(), ids=lambda document: document.document)
def test_relations_are_told_once_and_not_dropped(document: DocumentFile) -> None:
    relations = tuple(s.id for s in document.statements if s.like is not None)
    findings = check(document.game)
    (note,) = [f for f in findings if f.rule == "not-checked"]
    assert (note.statements, note.severity) == (relations, "note")


def test_an_example_beside_a_clash_is_still_held_against_the_rules() -> None:
    """S4 makes the clash of S3 worse and is not what the clash is about."""
    document = transcript(
        says(tableau__build__step="down", tableau__build__suit="same"),
        says(tableau__move__unit="group"),
        "example: {lift: [4H], pile: [5H, 4H], alone: true}",
        "example: {place: [9D, 8D], onto: TD, in: tableau}",
    )
    findings = check_document(document, from_paths({**FORTY, "tableau.move.unit": "card"}))
    assert [(f.rule, f.statements) for f in findings] == [
        ("contradiction", ("S1", "S2", "S3")),
        ("false-example", ("S4",)),
    ]
    assert "S4 (line 4)" in findings[0].explanation


@pytest.mark.parametrize(
    ("fill", "source", "clash"),
    [
        ("{by: player, from: [waste, tableau]}", "reserve", True),
        ("{by: player, from: [waste, tableau]}", "waste", False),
        ("{by: player, from: any}", "foundation", False),
        ("{by: automatic, from: waste}", "waste", True),
        ("{by: automatic, from: waste}", "tableau", False),
    ],
)
def test_a_fill_closes_spaces_to_the_other_piles(
    fill: str,
    source: str,
    clash: bool,  # noqa: FBT001
) -> None:
    example = f"example: {{place: QH, from: {source}, onto: empty, in: tableau}}"
    found = found_in(f"fill: {fill}", example)
    assert found == ([("contradiction", ("S1", "S2"))] if clash else [])


def test_an_example_that_is_always_wrong_says_so() -> None:
    document = transcript("example: {place: 6S, onto: 5C, in: tableau}")
    fixed = check_document(document, from_paths(FORTY))
    assert [f.message.partition(":")[0] for f in fixed] == ["the example does not hold"]
    dealt = check_document(document, from_paths({**FORTY, "pack.base": "first_card"}))
    assert [f.witness for f in dealt] == ["every base rank"]


def test_rules_that_are_not_played_are_said() -> None:
    document = load_document(DOCUMENTS / "emperor-page.yaml")
    findings = check_document(document, from_paths({**FORTY, "stock.count": 3}))
    (warning,) = [f for f in findings if f.severity == "warning"]
    assert (warning.rule, warning.statements) == ("not-checked", ("U1", "U2"))
    assert "stock.count: 3" in warning.explanation


def test_a_budget_that_does_not_suffice_is_said() -> None:
    document = load_document(DOCUMENTS / "josephine-page.yaml")
    findings = check_document(document, rlimit=1)
    undecided = [f for f in findings if f.rule == "undecided"]
    assert [f.severity for f in undecided] == ["error", "error"]
    assert str(undecided[0]).startswith("003_e0d767bb188e79b2.txt: error: undecided: ")


def test_flavour_is_a_warning_at_most() -> None:
    document = transcript(says(pack__decks=2), "flavour: true, " + says(pack__decks=1))
    (finding,) = check_document(document)
    assert finding.severity == "warning"
    assert "1 by S2" in finding.explanation


def test_statements_that_contradict_themselves_are_told_one_by_one() -> None:
    itself = "fill: {by: automatic, from: tableau}"
    assert found_in(itself, says(pack__cards=103)) == [
        ("contradiction", ("S1",)),
        ("arithmetic", ("S2",)),
    ]


def test_a_reading_without_force_settles_a_clash() -> None:
    advice = "or: [{text: Advice., remark: advice}]"
    document = transcript(says(pack__decks=2), f"{says(pack__decks=1)}, {advice}")
    (finding,) = check_document(document)
    assert finding.severity == "warning"
    assert "if S2 is read so: Advice." in finding.explanation


def test_declared_disputes_and_remarks_have_no_force() -> None:
    assert (
        found_in(says(pack__decks=2), "varies: {pack.decks: [1, 3]}", "remark: three decks") == []
    )


def test_findings_are_plain_data(empress: list[Finding]) -> None:
    for finding in empress:
        tree = json.loads(json.dumps(finding.to_json()))
        assert list(tree) == [
            *("rule", "severity", "document", "file", "statements", "lines", "line"),
            *("message", "explanation", "witness"),
        ]
        assert finding.rule in RULES
        assert "\n" not in str(finding)
        assert finding.line in finding.lines


PRINT_ALL = """
from spec.game import load_game
from spec.statement import DOCUMENTS, load_document
from verify.smt.check import check_document
for game in ("empress-of-italy", "josephine"):
    document = load_document(DOCUMENTS / f"{game}-page.yaml")
    for finding in check_document(document, load_game(game).ruleset):
        print(finding.to_json())
"""


@pytest.mark.slow
def test_the_hash_seed_changes_nothing(root: Path) -> None:
    texts = []
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", PRINT_ALL],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert texts[0].count("contradiction") >= 7


@pytest.mark.slow
def test_the_four_documents_are_checked_soon() -> None:
    begin = time.process_time()
    for document in load_documents():
        check_document(document, load_game(document.game).ruleset)
    assert time.process_time() - begin < 20
