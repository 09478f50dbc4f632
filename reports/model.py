"""What a report is made from: the texts and the proved deals of one game, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.certificate import Certificate
from verify.position import Position
from verify.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A statement of a document: its lines, and what it says in other words."""

    document: str
    statement: str
    lines: tuple[int, ...]
    paraphrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule as a question and its answer, with the statements that it rests on.

    ``path`` is the rule's dotted path in the ruleset. ``ruling`` is the key of the ruling that
    decides it, None where the documents do. ``source`` names a public source that says so where
    no document does.
    """

    path: str
    question: str
    value: str
    citations: tuple[Citation, ...] = ()
    ruling: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingText:
    """A decision where documents are silent or disagree; ``alternatives`` leaves the choice out."""

    key: str
    question: str
    choice: str
    alternatives: tuple[str, ...]
    reason: str
    overrules: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingText:
    """What the checker found in a document. ``severity`` is error, warning or note.

    ``explanation`` and ``witness`` may have several lines, and may be empty.
    """

    severity: str
    rule: str
    message: str
    document: str
    lines: tuple[int, ...]
    explanation: str = ""
    witness: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedDeal:
    """A deal and the certificate that proves its verdict.

    A ``constructed`` deal lies near the deal that its seed names, and is another one. ``why`` says
    in words why an unsolvable deal cannot be won, ``rests_on`` names the rules on which the verdict
    depends.
    """

    seed: str
    position: Position
    certificate: Certificate
    constructed: bool = False
    why: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a person needs to get the same deals and verdicts again.

    ``ruleset`` is the ruleset's digest, ``pack`` the name of the file with deals and certificates,
    ``versions`` the tools and their versions in the order in which they are shown.
    """

    dealer: str
    ruleset: str
    pack: str
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """All that is said of one reading of a game.

    ``counts`` holds how many deals met each verdict (solvable, unsolvable, undecided), those that
    ``deals`` does not show included.
    """

    key: str
    title: str
    about: str
    rules: Rules
    origin: Origin
    rule_lines: tuple[RuleLine, ...] = ()
    rulings: tuple[RulingText, ...] = ()
    findings: tuple[FindingText, ...] = ()
    deals: tuple[ProvedDeal, ...] = ()
    counts: Mapping[str, int]
