"""From a game, its findings and its pack to the page that a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from generator.packs import CONSTRUCTED, PackDeal
from reports.model import (
    Citation,
    FindingText,
    GamePage,
    Origin,
    ProvedDeal,
    RuleLine,
    RulingText,
)
from spec.cards import RANK_NAMES, RANKS
from spec.game import Game
from spec.parameters import PARAMETERS
from spec.ruleset import leaf_paths
from spec.statement import DocumentFile, Statement
from verify.findings import Finding
from verify.rules import rules_of

_SAID: dict[str, dict[Any, str]] = {
    "pack.base": {"first_card": "the rank of the first card on a foundation"},
    "foundations.build.wrap": {"full": "yes, ace on king", "none": "no"},
    "tableau.build.wrap": {
        "full": "yes, king on ace",
        "none": "no",
        "base": "yes, but nothing goes on the base rank",
    },
    "tableau.face_down": {"all_but_top": "all but the top card", 0: "none"},
    "reserve.face_down": {0: "none"},
    "tableau.move.unit": {
        "card": "one card",
        "group": "any built tail of a pile",
        "whole_group": "the longest built tail, only as a whole",
    },
    "foundations.start": {"low": "the base rank"},
    "stock.to": {"waste": "the waste"},
    "stock.when": {"always": "at any time"},
    "goal.when": {"foundations": "when all cards are on the foundations"},
}
_SUITS = {
    "same": "in suit",
    "alternate": "in alternating colours",
    "any": "regardless of suit",
    "colour": "in colour",
    "different": "in different suits",
}


def answer(path: str, value: Any) -> str:
    """The value of a rule in words."""
    if path.endswith("build.suit"):
        return _SUITS[value]
    if path in _SAID and value in _SAID[path]:
        return _SAID[path][value]
    if isinstance(value, str) and len(value) == 1 and value in RANKS:
        return f"the {RANK_NAMES[RANKS.index(value)]}"
    if isinstance(value, list):
        joint = ", then " if path.endswith("fill") else ", "
        return joint.join(map(str, value))
    return str(value)


def page_of(
    game: Game,
    findings: Iterable[Finding],
    deals: Iterable[PackDeal],
    head: Mapping[str, Any],
    *,
    pack: str,
) -> GamePage:
    """The page of a game with the deals of its pack; ``pack`` is the name of the pack's file."""
    return GamePage(
        key=game.key,
        title=game.title,
        about=game.about,
        rules=rules_of(game.ruleset, game=game.key),
        origin=Origin(
            dealer="dealproof",
            ruleset=game.ruleset.digest(),
            pack=pack,
            versions=tuple(head["versions"].items()),
        ),
        rule_lines=tuple(_rule_line(game, path) for path in leaf_paths() if path in game.rules),
        rulings=tuple(_ruling(game, key) for key in game.rulings),
        findings=tuple(_finding(finding) for finding in findings),
        deals=tuple(_deal(deal) for deal in deals),
        counts=head["met"],
    )


def _rule_line(game: Game, path: str) -> RuleLine:
    rule = game.rules[path]
    return RuleLine(
        path=path,
        question=question(path),
        value=answer(path, rule.is_),
        citations=tuple(_citation(*pair) for pair in game.citations(path)),
        ruling=rule.ruling,
    )


def question(path: str) -> str:
    """The question that a rule answers, without the explanation of values that may follow it."""
    described = PARAMETERS[path].question if path in PARAMETERS else leaf_paths()[path].description
    head, mark, _ = str(described or path).partition("?")
    return head + mark


def _citation(document: DocumentFile, statement: Statement) -> Citation:
    return Citation(
        document=document.file,
        statement=statement.id,
        lines=statement.at,
        paraphrase=statement.text,
    )


def _ruling(game: Game, key: str) -> RulingText:
    ruling = game.rulings[key]
    return RulingText(
        key=key,
        question=" ".join(question(path) for path in ruling.asks),
        choice=ruling.choice,
        alternatives=tuple(
            f"{answer(ruling.asks[0], name)}: {holder}"
            for name, holder in ruling.alternatives.items()
        ),
        reason=ruling.reason,
        overrules=tuple(_citation(*game.statement(cite)) for cite in ruling.overrules),
    )


def _finding(finding: Finding) -> FindingText:
    return FindingText(
        severity=finding.severity,
        rule=finding.rule,
        message=finding.message,
        document=finding.file,
        lines=finding.lines,
        explanation=finding.explanation,
        witness=finding.witness or "",
    )


def _deal(deal: PackDeal) -> ProvedDeal:
    assert deal.decision.certificate is not None
    return ProvedDeal(
        seed=str(deal.seed),
        position=deal.deal,
        certificate=deal.decision.certificate,
        constructed=deal.origin == CONSTRUCTED,
        why=deal.why,
        rests_on=deal.rests_on,
    )
