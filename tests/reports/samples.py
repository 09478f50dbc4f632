"""Pages for tests: small games with wins found by search, and full-size ones that are easy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from generator.dealers import deal, lay_out
from generator.shuffles import Seed, dealproof_order
from reports.model import (
    Citation,
    FindingText,
    GamePage,
    Origin,
    ProvedDeal,
    RuleLine,
    RulingText,
)
from spec.ruleset import from_paths
from tests.rulesets import AUTO_FILL, FREE_SPACES, small
from verify.certificate import ClosedSet, Exhaustion, Key, Witness
from verify.moves import Move, Place, apply, is_won, legal_moves
from verify.position import Position, read_position
from verify.rules import Rules, rules_of

ORIGIN = Origin(
    dealer="dealproof-1",
    ruleset="3f" * 32,
    pack="small.pack.json",
    versions=(("dealproof", "0.1.0"), ("Z3", "5.4.1")),
)

SIGNORA: dict[str, Any] = {
    "pack.decks": 2,
    "pack.base": "first_card",
    "foundations.deal": 1,
    "foundations.build.suit": "alternate",
    "foundations.returns": "always",
    "tableau.piles": 9,
    "tableau.deal": 1,
    "tableau.build.suit": "alternate",
    "tableau.from": ["waste", "tableau", "reserve", "foundation"],
    "tableau.spaces.accept": "none",
    "tableau.spaces.fill": ["waste", "stock"],
    "reserve.deal": 11,
    "waste.piles": 1,
    "stock.to": "waste",
}
EMPRESS: dict[str, Any] = SIGNORA | {
    "pack.decks": 4,
    "foundations.returns": "never",
    "tableau.piles": 11,
    "tableau.from": ["waste", "tableau"],
    "tableau.spaces.accept": "any",
    "tableau.spaces.fill": ["stock", "waste"],
    "reserve.deal": 19,
}
EMPEROR: dict[str, Any] = {
    "foundations.build.suit": "same",
    "pack.decks": 2,
    "tableau.piles": 10,
    "tableau.deal": 4,
    "tableau.face_down": "all_but_top",
    "tableau.build.suit": "alternate",
    "waste.piles": 1,
    "stock.to": "waste",
}
JOSEPHINE: dict[str, Any] = {
    "foundations.build.suit": "same",
    "pack.decks": 2,
    "tableau.piles": 10,
    "tableau.deal": 4,
    "tableau.build.suit": "same",
    "tableau.move.unit": "group",
    "waste.piles": 1,
    "stock.to": "waste",
}


@cache
def fills() -> Rules:
    """Small, with a reserve and automatic fills."""
    return rules_of(small(AUTO_FILL, ranks=5), game="Small Signora")


@cache
def spaces() -> Rules:
    """Small, with face-down cards, groups and two passes."""
    return rules_of(
        small(
            FREE_SPACES,
            ranks=5,
            tableau__face_down="all_but_top",
            tableau__build__suit="alternate",
            tableau__move__unit="group",
            stock__passes=2,
        ),
        game="Small Emperor",
    )


def win(rules: Rules, start: Position, most: int = 4000) -> Witness | None:
    """A winning line found depth first, None if ``most`` positions hold none."""
    seen = {start}
    trail: list[tuple[Position, Iterator[Move]]] = [(start, iter(_ordered(rules, start)))]
    line: list[Move] = []
    while trail and len(seen) < most:
        position, moves = trail[-1]
        if is_won(rules, position):
            return Witness(moves=tuple(line))
        for move in moves:
            after = apply(rules, position, move)
            if after not in seen:
                seen.add(after)
                line.append(move)
                trail.append((after, iter(_ordered(rules, after))))
                break
        else:
            trail.pop()
            line = line[: max(len(trail) - 1, 0)]
    return None


def _ordered(rules: Rules, position: Position) -> list[Move]:
    def rank(move: Move) -> int:
        targets = ["foundation", "tableau", "waste", "stock"]
        return targets.index(move.target.kind) + 4 * (move.source.kind == "foundation")

    return sorted(legal_moves(rules, position), key=rank)


@cache
def solved(rules_name: str, wanted: int = 2) -> tuple[ProvedDeal, ...]:
    """The first deals of a small game that the depth-first search wins."""
    rules = {"fills": fills, "spaces": spaces}[rules_name]()
    found: list[ProvedDeal] = []
    number = 1
    while len(found) < wanted:
        seed = Seed(dealer="dealproof", number=number)
        position = deal(rules, seed)
        witness = win(rules, position)
        if witness is not None:
            found.append(ProvedDeal(seed=str(seed), position=position, certificate=witness))
        number += 1
    return tuple(found)


@cache
def blocked() -> tuple[Rules, ProvedDeal]:
    """A deal in which three cards hold each other: the ace of clubs never gets out."""
    rules = rules_of(small(FREE_SPACES, ranks=4), game="Small Josephine")
    tree = {
        "foundations": [[], [], [], []],
        "tableau": [["AC", "4D", "AS"], ["3D", "4C", "2S"], ["3H", "4H", "AH"]],
        "stock": ["3S", "4S", "2C", "3C", "AD", "2D", "2H"],
    }
    position = read_position(tree, pack=rules.pack, layout=rules.layout)
    types = [rules.pack.card(index) for index in range(rules.pack.types)]
    held = ["AC", "2C", "3C", "4C", "3D", "4D", "3H", "4H"]
    closed = ClosedSet(
        keys=tuple(Key(pile=Place("tableau", number), depth=1) for number in range(3)),
        tableau=frozenset(types),
        foundation=frozenset(types) - {rules.pack.parse(card) for card in held},
    )
    return rules, ProvedDeal(
        seed="dealproof:1",
        position=position,
        certificate=closed,
        constructed=True,
        why=(
            "The four of diamonds waits for the three of diamonds, under the four of clubs.",
            "The four of clubs waits for clubs, whose ace is under the four of diamonds.",
        ),
        rests_on=("tableau.spaces.accept: any",),
    )


def easy(rules: Rules, number: int) -> ProvedDeal:
    """A full-size deal that a simple player wins, because low cards come early in it."""
    pack = rules.pack.cards()
    size = rules.pack.size
    noise = size * 3 // 4
    while True:
        places = dealproof_order(size, number)
        first = pack[places[0]].rank if rules.fixed_base is None else rules.fixed_base
        early = [
            ((pack[place].rank - first) % 13 * size // 13 + index * noise // size, place)
            for index, place in enumerate(places)
        ]
        dealt = [pack[place] for _, place in sorted(early)]
        position = lay_out(rules, _low_on_top(rules, dealt))
        witness = _greedy(rules, position)
        if witness is not None:
            return ProvedDeal(seed=f"easy:{number}", position=position, certificate=witness)
        noise = noise * 4 // 5
        number += 1


def _low_on_top(rules: Rules, cards: list[Any]) -> list[Any]:
    """The cards with those of the reserve and the tableau turned round: their tops come first."""
    start = sum(rules.layout.foundations)
    end = start + sum(rules.layout.reserve)
    last = end + sum(rules.layout.tableau)
    return [*cards[:start], *cards[start:end][::-1], *cards[end:last][::-1], *cards[last:]]


def _greedy(rules: Rules, position: Position) -> Witness | None:
    line: list[Move] = []
    while not is_won(rules, position):
        moves = [
            move
            for move in _ordered(rules, position)
            if move.source.kind != "foundation"
            and (move.target.kind != "tableau" or move.source.kind != "tableau")
        ]
        if not moves:
            return None
        line.append(moves[0])
        position = apply(rules, position, moves[0])
    return Witness(moves=tuple(line))


def full(paths: dict[str, Any], game: str) -> Rules:
    """The rules of a full-size game."""
    return rules_of(from_paths(paths), game=game)


def texts() -> dict[str, Any]:
    """Rule lines, rulings and findings as a transcribed document gives them."""
    build = Citation(
        document="Signora rules page",
        statement="T3",
        lines=(7, 39, 40),
        paraphrase="Tableau piles are built down in alternating colours.",
    )
    spaces = Citation(
        document="Signora rules page",
        statement="T7",
        lines=(41,),
        paraphrase="An emptied tableau pile is filled from the waste, else from the stock.",
    )
    return {
        "rule_lines": (
            RuleLine(path="pack.decks", question="How many decks?", value="one"),
            RuleLine(
                path="tableau.build.suit",
                question="By suit, by colour, or regardless?",
                value="in alternating colours",
                citations=(build,),
            ),
            RuleLine(
                path="tableau.build.wrap",
                question="Does building go round the corner?",
                value="no: nothing goes below the base rank",
                citations=(build,),
                ruling="wrap",
            ),
            RuleLine(
                path="tableau.spaces.fill",
                question="From where is a space filled automatically, in which order?",
                value="from the waste, then from the stock",
                citations=(spaces,),
            ),
            RuleLine(
                path="stock.passes",
                question="How many passes?",
                value="one",
                source="Wikipedia, Signora",
            ),
        ),
        "rulings": (
            RulingText(
                key="wrap",
                question="Does building in the tableau go round the corner?",
                choice="It does not.",
                alternatives=("It goes round everywhere.", "It ends at the base rank."),
                reason="The document says it of the foundations only.",
                overrules=(build,),
            ),
        ),
        "findings": (
            FindingText(
                severity="error",
                rule="contradiction",
                message="Two statements on spaces cannot hold together",
                document="Signora rules page",
                lines=(41, 47),
                explanation="Line 41 fills a space from the waste.\nLine 47 lets it stay empty.",
                witness="tableau 3   -\nwaste       9H",
            ),
            FindingText(
                severity="note",
                rule="gap",
                message="Nothing says whether a tableau pile goes round the corner",
                document="Signora rules page",
                lines=(39,),
            ),
        ),
    }


def small_page(key: str = "small", name: str = "fills") -> GamePage:
    """A page of a small game with two winning lines."""
    rules = {"fills": fills, "spaces": spaces}[name]()
    return GamePage(
        key=key,
        title=rules.game,
        about="A game on twenty cards.",
        rules=rules,
        origin=ORIGIN,
        deals=solved(name),
        counts={"solvable": 2, "unsolvable": 1, "undecided": 3},
        **texts(),
    )


def blocked_page() -> GamePage:
    """A page with an unsolvable deal, once by a closed set and once by exhaustion."""
    rules, deal = blocked()
    searched = Exhaustion(positions=1234, key_bits=128, reductions=("equal piles",))
    return GamePage(
        key="small@blocked",
        title=rules.game,
        about="",
        rules=rules,
        origin=replace(ORIGIN, pack="blocked.pack.json"),
        deals=(deal, replace(deal, seed="dealproof:2", certificate=searched)),
        counts={"unsolvable": 2},
    )


def pages() -> list[GamePage]:
    """Every small page."""
    return [small_page(), small_page("small@down", "spaces"), blocked_page()]
