"""Worked examples and universals of a document, held against the rules for every base rank.

With a ruleset the question is whether they hold in that game. Without one it is whether the other
statements of the document refute them; those that contradict the others are left out, as anything
would follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypeAlias

from spec.cards import RANKS
from spec.relations import Term
from spec.ruleset import Ruleset
from spec.statement import Statement
from verify.findings import Finding
from verify.smt.case import Case
from verify.smt.examples import BASES, holds, parts
from verify.smt.legality import RuleTerms, rule_terms
from verify.smt.logic import FOLDING, Asker
from verify.smt.wording import finding, grounds, joined, named, quoted, rank_word, sentence

Outcome: TypeAlias = Literal["holds", "fails", "open"]


class Judge(Protocol):
    """Says of an example whether it holds, base rank by base rank, and why it does not."""

    def outcomes(self, statement: Statement) -> dict[int, Outcome]:
        """The outcome for every base rank that a deal may have."""
        ...

    def because(self, statement: Statement, base: int) -> str:
        """Why the statement fails where the base rank is ``base``, in a sentence or two."""
        ...


class ByRuleset:
    """Holds examples against the rules of one game."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._rules: RuleTerms = rule_terms(ruleset)
        base = ruleset.pack.base
        self._bases = BASES if base == "first_card" else (RANKS.index(base) + 1,)

    def outcomes(self, statement: Statement) -> dict[int, Outcome]:
        """The outcome for every base rank that a deal may have: nothing is open."""
        return {
            base: "holds" if holds(statement, self._rules, base) is True else "fails"
            for base in self._bases
        }

    def because(self, statement: Statement, base: int) -> str:
        """What goes wrong, in the cards of the example."""
        where = f"where the base rank is {rank_word(base)}, " if len(self._bases) > 1 else ""
        wrong = next(p for p in parts(statement, self._rules, base) if p.term is not True)
        return sentence(f"{where}{wrong.otherwise}")


class ByDocument:
    """Holds examples against the other statements of their document."""

    def __init__(self, case: Case, *, without: frozenset[str]) -> None:
        self._case = case
        self._free = [statement for statement in case.claims() if statement.id not in without]
        laws = {law.name: law.term for law in case.background}
        self._laws = {law.name: law for law in case.background}
        self._asker = Asker(
            [*((s.id, case.term(s)) for s in self._free), *laws.items()],
            always=[law.term for law in case.theory.ranges],
            rlimit=case.rlimit,
        )
        self._bases = [
            base for base in BASES if self._asker.can_hold(self._names(), case.theory.base_is(base))
        ]

    def _names(self) -> list[str]:
        return [statement.id for statement in self._free] + list(self._laws)

    def outcomes(self, statement: Statement) -> dict[int, Outcome]:
        """The outcome for every base rank that the document allows."""
        return {base: self._outcome(statement, base) for base in self._bases}

    def _outcome(self, statement: Statement, base: int) -> Outcome:
        term = self._case.holds(statement, base)
        # The statement is among the names itself: that it holds for some base rank follows from
        # its holding for this one, so that it adds nothing to the first question.
        if not self._can(base, term):
            return "fails"
        return "open" if self._can(base, FOLDING.negate(term)) else "holds"

    def _can(self, base: int, term: Term) -> bool:
        return self._asker.can_hold(self._names(), self._case.theory.base_is(base), term)

    def because(self, statement: Statement, base: int) -> str:
        """The statements from which it follows that the example fails."""
        core = self._asker.clashing(
            self._names(),
            self._case.theory.base_is(base),
            self._case.holds(statement, base),
        )
        said = [named(s) for s in self._free if s.id in core]
        used = [self._laws[name] for name in core if name in self._laws]
        follows = f"It follows from {joined(said)}." if said else "It follows from the laws alone."
        return " ".join(text for text in (follows, grounds(used)) if text)


def verdicts(case: Case, judge: Judge, *, explained: frozenset[str]) -> Iterator[Finding]:
    """Findings about the examples and universals of a document.

    ``explained`` are statements whose trouble is told already, as contradictions.
    """
    for statement in case.document.statements:
        if statement.kind not in ("example", "fits") or statement.id in explained:
            continue
        outcomes = judge.outcomes(statement)
        if statement.example is not None and statement.example.verdict == "unstated":
            yield _unstated(case, statement, outcomes)
            continue
        failing = [base for base, outcome in outcomes.items() if outcome == "fails"]
        if failing:
            yield _false(case, statement, failing, len(outcomes), judge)


def _false(
    case: Case, statement: Statement, failing: list[int], bases: int, judge: Judge
) -> Finding:
    what = "universal" if statement.kind == "fits" else "example"
    where = joined([rank_word(base) for base in failing], "or")
    if bases == 1:
        message, witness = f"the {what} does not hold: {quoted(statement)}", None
    elif len(failing) == bases:
        message = f"the {what} does not hold for any base rank: {quoted(statement)}"
        witness = "every base rank"
    else:
        message = (
            f"the {what} holds for {bases - len(failing)} of {bases} base ranks and fails where "
            f"the base rank is {where}: {quoted(statement)}"
        )
        witness = f"base rank {where}"
    return finding(
        case.document,
        [statement],
        rule=f"false-{what}",
        severity="error",
        message=message,
        explanation=judge.because(statement, failing[0]),
        witness=witness,
    )


def _unstated(case: Case, statement: Statement, outcomes: dict[int, Outcome]) -> Finding:
    return finding(
        case.document,
        [statement],
        rule="unstated-verdict",
        severity="note",
        message=f"no verdict in words; {_verdict(outcomes)}: {quoted(statement)}",
        explanation="The words do not say whether the move is legal, so nothing is held against "
        "them.",
    )


def _verdict(outcomes: dict[int, Outcome]) -> str:
    found = set(outcomes.values())
    if found == {"holds"}:
        return "by the rules the move is legal"
    if found == {"fails"}:
        return "by the rules the move is not legal"
    if "open" in found:
        return "the document leaves open whether the move is legal"
    legal = [rank_word(base) for base, outcome in outcomes.items() if outcome == "holds"]
    return f"the move is legal where the base rank is {joined(legal, 'or')}"
