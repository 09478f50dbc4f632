"""How findings name statements, lines, ranks and piles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spec.statement import DocumentFile, Statement
from verify.findings import Finding, Severity
from verify.smt.theory import Law

_RANK_WORDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


def finding(
    document: DocumentFile,
    statements: Iterable[Statement],
    *,
    rule: str,
    severity: Severity,
    message: str,
    explanation: str,
    witness: str | None = None,
) -> Finding:
    """A finding about statements of a document, with the lines on which they rest."""
    about = sorted(statements, key=document.statements.index)
    return Finding(
        rule=rule,
        severity=severity,
        document=document.document,
        file=document.file,
        statements=tuple(statement.id for statement in about),
        lines=tuple(sorted({line for statement in about for line in statement.at})),
        line=_first_to_look_at(about),
        message=message,
        explanation=explanation,
        witness=witness,
    )


def _first_to_look_at(about: Sequence[Statement]) -> int | None:
    """A line of the statement that is most likely odd: an example, or what is said least often."""
    if not about:
        return None
    odd = min(about, key=lambda s: (s.kind not in ("example", "fits"), len(s.at)))
    return min(odd.at)


def quoted(statement: Statement, reading: int = 0) -> str:
    """The paraphrase of a statement, in one of its readings, with its lines."""
    text = statement.readings[reading].text or statement.text
    return f'"{text.rstrip(".")}" ({lines(statement)})'


def named(statement: Statement) -> str:
    """The id of a statement with its lines."""
    return f"{statement.id} ({lines(statement)})"


def lines(statement: Statement) -> str:
    """The lines of a statement: ``line 11``, ``lines 7, 19``."""
    listed = ", ".join(map(str, sorted(statement.at)))
    return f"line{'s' if len(statement.at) > 1 else ''} {listed}"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """The parts as a list in words: ``7, 8 and 9``."""
    *most, last = parts
    return f"{', '.join(most)} {word} {last}" if most else last


def rank_word(rank: int) -> str:
    """A rank in words: ``ace``, ``7``, ``king``."""
    return _RANK_WORDS.get(rank, str(rank))


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def grounds(used: Sequence[Law]) -> str:
    """The laws and silences that something rests on, as sentences, each once."""
    stated = dict.fromkeys(sentence(law.text) for law in used if not law.silent)
    taken = list(dict.fromkeys(law.text for law in used if law.silent))
    silence = [f"It is not said otherwise, so {joined(taken)}."] if taken else []
    return " ".join([*stated, *silence])
