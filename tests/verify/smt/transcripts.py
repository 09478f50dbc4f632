"""Small documents for tests, from the lines of their statements."""

from __future__ import annotations

from pathlib import Path

from spec.statement import DocumentFile
from spec.yamlfile import parse_yaml, validate
from verify.smt.check import check_document

FOLDER = Path(__file__).parent / "documents"

HEAD = """\
document: test-page
title: A test
game: test
file: test.txt
sha256: {sha}
lines: 99
statements:
""".format(sha="a" * 64)


def transcript(*kinds: str) -> DocumentFile:
    """A document with one statement of each kind, ``S1`` on line 1, ``S2`` on line 2."""
    statements = [
        f"- {{id: S{number}, at: [{number}], text: t{number}, {kind}}}\n"
        for number, kind in enumerate(kinds, start=1)
    ]
    return validate(DocumentFile, parse_yaml(HEAD + "".join(statements), file="test.yaml"))


def says(**answers: str | int | list[str]) -> str:
    """A statement that rules have values; ``__`` is a dot."""
    pairs = [f"{path.replace('__', '.')}: {answer}" for path, answer in answers.items()]
    return f"says: {{{', '.join(pairs)}}}".replace("'", "")


def found_in(*kinds: str) -> list[tuple[str, tuple[str, ...]]]:
    """The errors and warnings in such a document: rule and statements."""
    return [
        (finding.rule, finding.statements)
        for finding in check_document(transcript(*kinds))
        if finding.severity != "note"
    ]
