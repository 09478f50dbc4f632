"""Dead clauses: piles that a fill names and that can never have a card when they are asked."""

from __future__ import annotations

from spec.statement import DocumentFile, Fill, Statement, kinds_of
from verify.findings import Finding
from verify.smt.theory import STATES
from verify.smt.translate import is_empty
from verify.smt.wording import finding, joined, quoted


def dead_clauses(document: DocumentFile) -> list[Finding]:
    """A finding for every statement with a pile in a step of a fill that is never live.

    Statements are taken literally. ``any`` names no pile and is never dead.
    """
    return [
        _finding(document, statement, dead)
        for statement in document.statements
        if statement.fill is not None
        for dead in [_dead_piles(statement.fill)]
        if dead
    ]


def _dead_piles(fill: Fill) -> list[str]:
    dead: list[str] = []
    asked_before: list[str] = []
    for _, step in fill.steps:
        if step != "any":
            dead += [kind for kind in kinds_of(step) if not _is_live(fill, kind, asked_before)]
        asked_before += kinds_of(step)
    return list(dict.fromkeys(dead))


def _is_live(fill: Fill, kind: str, asked_before: list[str]) -> bool:
    """Whether there is a state in which the step is reached and the pile has a card."""
    return any(
        state.has(kind)
        and all(is_empty(condition, state) for condition in fill.conditions)
        and not any(state.has(other) for other in asked_before)
        for state in STATES
    )


def _finding(document: DocumentFile, statement: Statement, dead: list[str]) -> Finding:
    piles = joined([f"the {kind}" for kind in dead], "or")
    return finding(
        document,
        [statement],
        rule="dead-clause",
        severity="warning",
        message=f"{piles} can never fill a space here: {quoted(statement)}",
        explanation=f"When it comes to this, {piles} has no card left, so that naming it again "
        "changes nothing. Either the words can go, or another case is meant.",
    )
