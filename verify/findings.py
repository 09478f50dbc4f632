"""Findings: what is wrong, or worth knowing, in a document or a ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found in a document.

    ``rule`` is a stable name for the kind of finding. ``statements`` are ids of the document's
    statements, ``lines`` the lines of the document on which they rest, ascending; ``line`` is the
    one to look at first, None where a finding is about the document as a whole. ``message`` is one
    line in plain words; ``explanation`` says in a few sentences why, so that a player understands
    it; ``witness`` is a case in point, such as a base rank or a position in words.
    """

    rule: str
    severity: Severity
    document: str
    file: str
    statements: tuple[str, ...]
    lines: tuple[int, ...]
    line: int | None
    message: str
    explanation: str
    witness: str | None = None

    def __str__(self) -> str:
        """The finding in one line, which begins with a place that an editor can open."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        about = "; ".join(part for part in (", ".join(self.statements), _lines(self.lines)) if part)
        tail = f" [{about}]" if about else ""
        return f"{place}: {self.severity}: {self.rule}: {self.message}{tail}"

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data with stable keys."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "document": self.document,
            "file": self.file,
            "statements": list(self.statements),
            "lines": list(self.lines),
            "line": self.line,
            "message": self.message,
            "explanation": self.explanation,
            "witness": self.witness,
        }


def _lines(lines: tuple[int, ...]) -> str:
    if not lines:
        return ""
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
