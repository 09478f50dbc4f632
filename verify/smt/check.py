"""The check of one document: whether it is consistent, and whether what it shows is true."""

from __future__ import annotations

from spec.errors import Unsupported
from spec.ruleset import Ruleset
from spec.statement import DocumentFile
from verify.findings import Finding
from verify.smt.case import Case
from verify.smt.clauses import dead_clauses
from verify.smt.contradictions import Conflicts, conflicts_of, contradictions, suspects
from verify.smt.logic import RLIMIT, Undecided
from verify.smt.verdicts import ByDocument, ByRuleset, Judge, verdicts
from verify.smt.wording import finding, joined

RULES = (
    *("contradiction", "arithmetic", "false-example", "false-universal", "dead-clause"),
    *("undecided", "unstated-verdict", "not-checked"),
)
"""The kinds of finding, in the order in which they are told about one line."""


def check_document(
    document: DocumentFile, ruleset: Ruleset | None = None, *, rlimit: int = RLIMIT
) -> list[Finding]:
    """What is found in a document, in the order of its lines.

    Statements are taken literally. Examples are held against ``ruleset`` if it is given, so that
    what the document leaves open is taken from there, else against the document itself. A finding
    ``undecided`` says that ``rlimit`` was not enough for a question; nothing is then known of it.

    Does not promise that a document without findings is complete: gaps, restatements and relations
    to other games are not looked for.
    """
    case = Case(document, rlimit=rlimit)
    found: list[Finding] = list(dead_clauses(document))
    conflicts = Conflicts(sets=(), taken={statement.id: 0 for statement in case.claims()})
    try:
        conflicts = conflicts_of(case)
        found += contradictions(case, conflicts)
    except Undecided as error:
        found.append(_undecided(document, "whether the statements contradict each other", error))
    explained = frozenset(name for each in found for name in each.statements)
    found += _examples(case, ruleset, conflicts, explained)
    found += _not_checked(document)
    return sorted(found, key=_place)


def _place(found: Finding) -> tuple[tuple[int, ...], int, tuple[str, ...]]:
    return (found.line or 0, *found.lines), RULES.index(found.rule), found.statements


def _examples(
    case: Case, ruleset: Ruleset | None, conflicts: Conflicts, explained: frozenset[str]
) -> list[Finding]:
    try:
        judge: Judge
        if ruleset is None:
            judge = ByDocument(case, without=suspects(conflicts))
        else:
            judge = ByRuleset(ruleset)
        return list(verdicts(case, judge, explained=explained))
    except Undecided as error:
        return [_undecided(case.document, "whether the examples hold", error)]
    except Unsupported as error:
        return [_examples_not_checked(case.document, error)]


def _undecided(document: DocumentFile, what: str, error: Undecided) -> Finding:
    return finding(
        document,
        [],
        rule="undecided",
        severity="error",
        message=f"not decided: {what}",
        explanation=f"Z3 stopped before an answer ({error.reason}). A larger budget may do.",
    )


def _examples_not_checked(document: DocumentFile, error: Unsupported) -> Finding:
    examples = [s for s in document.statements if s.kind in ("example", "fits")]
    return finding(
        document,
        examples,
        rule="not-checked",
        severity="warning",
        message=f"not checked: {len(examples)} examples, as the game has rules that are not played",
        explanation=f"{error}.",
    )


def _not_checked(document: DocumentFile) -> list[Finding]:
    relations = [statement for statement in document.statements if statement.like is not None]
    if not relations:
        return []
    number = f"{len(relations)} relation{'s' if len(relations) > 1 else ''}"
    told = joined([f"{s.like.game} by {s.like.as_}" for s in relations if s.like is not None])
    return [
        finding(
            document,
            relations,
            rule="not-checked",
            severity="note",
            message=f"not checked yet: {number} to other games",
            explanation=f"The document describes {told}. This is on file, and is not held against "
            "the rules of these games.",
        )
    ]
