"""What the templates show: a game's texts and deals, put into words and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from reports.data import deal_data, table_data
from reports.model import GamePage, ProvedDeal, RuleLine, RulingText
from reports.replay import Step, pile_at, steps_of
from reports.table import Drawing, Table, draw, table_of
from reports.words import counted, listed, the_pile
from spec.cards import RANK_NAMES, Card
from verify.certificate import PROVES, ClosedSet, Exhaustion, Verdict, Witness
from verify.checker import check
from verify.moves import start_of
from verify.position import Position

VERDICTS = tuple(verdict.value for verdict in Verdict)

_GROUPS = {
    "pack": "Pack",
    "foundations": "Foundations",
    "tableau": "Tableau",
    "reserve": "Reserve",
    "cells": "Cells",
    "waste": "Waste",
    "stock": "Stock",
    "regather": "Regathering",
    "goal": "Goal",
}
_PALETTE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGroup:
    """The rules of one part of the ruleset under a heading."""

    heading: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suit:
    """A suit of the pack: its letter, and which ink it has in two and in four colours."""

    letter: str
    ink: int
    own_ink: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealView:
    """A deal as the templates show it.

    ``steps`` is empty unless the deal is solvable. ``held`` names the cards that never move, in
    words, where a closed set proves the deal unsolvable; ``free`` and ``reached`` list that set.
    """

    number: int
    name: str
    verdict: str
    summary: str
    evidence: str
    base: str
    position: Position
    steps: tuple[Step, ...]
    drawing: Drawing
    data: Any
    why: tuple[str, ...]
    held: tuple[str, ...]
    free: str
    reached: str
    rests_on: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """A game as the templates show it; ``stem`` is the name of its files without their ending."""

    page: GamePage
    stem: str
    heading: str
    reading: str
    proved: str
    met: str
    tally: tuple[tuple[str, int], ...]
    rules: tuple[RuleGroup, ...]
    ruling_numbers: dict[str, int]
    deals: tuple[DealView, ...]
    suits: tuple[Suit, ...]
    table: Table
    table_data: Any


def game_view(page: GamePage, stem: str) -> GameView:
    """A game ready to be shown, every certificate that can be checked checked again.

    Raises Rejected for a certificate that does not prove its verdict, and InputError for a deal
    of another game: a page never shows a line that the checker refuses.
    """
    table = table_of(page.rules)
    deals = tuple(_deal_view(page, table, number, d) for number, d in enumerate(page.deals, 1))
    return GameView(
        page=page,
        stem=stem,
        heading=page.title,
        reading=page.key.partition("@")[2],
        proved=proved_in_words(page),
        met=met_in_words(page),
        tally=tally(page),
        rules=_rule_groups(page.rule_lines),
        ruling_numbers=_ruling_numbers(page.rulings),
        deals=deals,
        suits=_suits(page),
        table=table,
        table_data=table_data(table, page.rules.pack),
    )


def verdict_of(deal: ProvedDeal) -> Verdict:
    """The verdict that the deal's certificate proves."""
    return PROVES[type(deal.certificate)]


def proved_in_words(page: GamePage) -> str:
    """One sentence on the deals shown: how many are proved what, and how it can be checked."""
    if not page.deals:
        return "No deal of this game is shown here."
    parts = []
    for verdict in (Verdict.SOLVABLE, Verdict.UNSOLVABLE):
        number = sum(verdict_of(deal) is verdict for deal in page.deals)
        if number:
            parts.append(f"{counted(number, 'deal')} {verdict.value}")
    searched = sum(isinstance(deal.certificate, Exhaustion) for deal in page.deals)
    checked = "each with evidence that a separate checker accepted when this page was made"
    if searched:
        checked += f", except for {searched} by exhaustive search"
    return f"Proved: {listed(parts)}, {checked}."


def tally(page: GamePage) -> tuple[tuple[str, int], ...]:
    """How many deals of the page are proved, and how many the search left undecided."""
    proved = [verdict_of(deal) for deal in page.deals]
    return (
        ("Proved solvable", proved.count(Verdict.SOLVABLE)),
        ("Proved unsolvable", proved.count(Verdict.UNSOLVABLE)),
        ("Left undecided", page.counts.get(Verdict.UNDECIDED.value, 0)),
    )


def met_in_words(page: GamePage) -> str:
    """One sentence on all verdicts that were met, undecided ones included."""
    total = sum(page.counts.get(verdict, 0) for verdict in VERDICTS)
    if not total:
        return ""
    each = [f"{page.counts.get(verdict, 0):,} {verdict}" for verdict in VERDICTS]
    return f"The search looked at {counted(total, 'deal')}: {listed(each)}."


def _rule_groups(lines: Iterable[RuleLine]) -> tuple[RuleGroup, ...]:
    groups: dict[str, list[RuleLine]] = {}
    for line in lines:
        part = line.path.partition(".")[0].partition("[")[0]
        groups.setdefault(_GROUPS.get(part, part), []).append(line)
    return tuple(RuleGroup(heading=name, lines=tuple(found)) for name, found in groups.items())


def _ruling_numbers(rulings: Iterable[RulingText]) -> dict[str, int]:
    return {ruling.key: number for number, ruling in enumerate(rulings, 1)}


def _suits(page: GamePage) -> tuple[Suit, ...]:
    suits = page.rules.pack.suits
    colours = list(dict.fromkeys(["black", "red", *(colour for _, colour in suits)]))
    own = {"S": 0, "H": 1, "D": 2, "C": 3}
    standard = all(letter in own for letter, _ in suits)
    return tuple(
        Suit(
            letter=letter,
            ink=colours.index(colour) % _PALETTE,
            own_ink=own[letter] if standard else number % _PALETTE,
        )
        for number, (letter, colour) in enumerate(suits)
    )


def _deal_view(page: GamePage, table: Table, number: int, deal: ProvedDeal) -> DealView:
    rules, certificate = page.rules, deal.certificate
    start = start_of(rules, deal.position)
    if not isinstance(certificate, Exhaustion):
        check(rules, start, certificate)
    steps = steps_of(rules, start, certificate) if isinstance(certificate, Witness) else ()
    keys = sorted(certificate.keys) if isinstance(certificate, ClosedSet) else []
    drawing = draw(table, start, (step.position for step in steps), keys)
    reserves = len(rules.layout.reserve)
    closed = certificate if isinstance(certificate, ClosedSet) else None
    return DealView(
        number=number,
        name=f"near {deal.seed}" if deal.constructed else deal.seed,
        verdict=verdict_of(deal).value,
        summary=_summary(deal),
        evidence=_evidence(deal),
        base=_base(start),
        position=start,
        steps=steps,
        drawing=drawing,
        data={
            "game": page.key,
            "seed": deal.seed,
            "origin": "constructed" if deal.constructed else "dealt",
            "deal": start.to_json(),
        }
        | (deal_data(table, drawing, start, steps) if steps else {}),
        why=deal.why,
        held=tuple(
            f"the {pile_at(start, key.pile)[key.depth].name} in {the_pile(key.pile, reserves)}"
            for key in keys
        ),
        free="" if closed is None else _types(closed.tableau),
        reached="" if closed is None else _types(closed.foundation),
        rests_on=deal.rests_on,
    )


def _summary(deal: ProvedDeal) -> str:
    if isinstance(deal.certificate, Witness):
        return f"won in {counted(len(deal.certificate.moves), 'move')}"
    if isinstance(deal.certificate, ClosedSet):
        number = len(deal.certificate.keys)
        return f"{counted(number, 'card')} that never {'moves' if number == 1 else 'move'}"
    return f"all {counted(deal.certificate.positions, 'position')} searched"


def _evidence(deal: ProvedDeal) -> str:
    evidence = _evidence_of(deal)
    if not deal.constructed:
        return evidence
    return f"Constructed near the deal of {deal.seed}, which is another one. {evidence}"


def _evidence_of(deal: ProvedDeal) -> str:
    if isinstance(deal.certificate, Witness):
        return (
            f"A winning line of {counted(len(deal.certificate.moves), 'move')}, replayed by the "
            "checker to the last foundation. Nobody says that it is the shortest."
        )
    if isinstance(deal.certificate, ClosedSet):
        return (
            "A set of positions that holds this deal, that no move leaves, and that holds no won "
            "position. The checker accepts it without searching."
        )
    reductions = ", ".join(deal.certificate.reductions) or "none"
    return (
        f"A search visited all {counted(deal.certificate.positions, 'position')} that it could "
        f"reach and found no win (keys of {deal.certificate.key_bits} bits; reductions: "
        f"{reductions}). It can be run again; nobody can check it without searching."
    )


def _base(start: Position) -> str:
    if start.base is None:
        return "The first card played to a foundation sets the base rank."
    return f"The base rank is the {RANK_NAMES[start.base - 1]}."


def _types(types: frozenset[Card]) -> str:
    ordered = sorted(types, key=lambda card: (card.suit, card.rank))
    return " ".join(map(str, ordered)) or "none"
