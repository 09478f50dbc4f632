"""Random rulesets of the kind that the engines play, on small packs."""

from __future__ import annotations

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from spec.accounting import layout
from spec.cards import RANKS
from spec.errors import InputError
from spec.relations import SUIT_RELATIONS, WRAPS
from spec.ruleset import Ruleset, from_paths
from verify.rules import SOURCES, Rules, rules_of, unsupported

_STEPS = st.sampled_from(["down", "up", "either", "equal", "any", "none", 2])
_SUITS = st.sampled_from(SUIT_RELATIONS)
_WRAPS = st.sampled_from(WRAPS)
_LETTERS = "CDHS"


def _some(items: tuple[str, ...], *, most: int = 4) -> st.SearchStrategy[list[str]]:
    """Some of the items, in any order."""
    return st.permutations(items).flatmap(
        lambda order: st.integers(1, min(most, len(order))).map(lambda count: list(order[:count]))
    )


@st.composite
def _packs(draw: st.DrawFn, most: int) -> dict[str, Any]:
    suits, ranks, decks = draw(
        st.tuples(st.integers(1, 4), st.integers(2, 5), st.integers(1, 2)).filter(
            lambda sizes: 4 <= sizes[0] * sizes[1] * sizes[2] <= most
        )
    )
    colours = st.sampled_from(["black", "red"])
    return {
        "pack.suits": {letter: draw(colours) for letter in _LETTERS[:suits]},
        "pack.ranks": ranks,
        "pack.decks": decks,
        "pack.base": draw(st.sampled_from(["first_card", *RANKS[:ranks]])),
    }


@st.composite
def _foundations(draw: st.DrawFn, *, dealt: bool) -> dict[str, Any]:
    usual = draw(st.booleans())
    paths: dict[str, Any] = {
        "foundations.build.step": "up" if usual else draw(_STEPS),
        "foundations.build.suit": draw(_SUITS),
        "foundations.build.wrap": "full" if usual else draw(_WRAPS),
        "foundations.returns": draw(st.sampled_from(["never", "always"])),
    }
    if dealt:
        paths["foundations.deal"] = draw(st.integers(0, 1))
    if draw(st.integers(0, 3)) == 0:
        paths["foundations.cap"] = draw(st.just("unlimited") | st.integers(1, 6))
        paths["foundations.piles"] = draw(st.integers(1, 6))
    return paths


@st.composite
def _tableau(draw: st.DrawFn) -> dict[str, Any]:
    piles = draw(st.integers(1, 4))
    deal = draw(
        st.integers(0, 3)
        | st.just("triangle")
        | st.lists(st.integers(0, 3), min_size=piles, max_size=piles)
    )
    # A pile of small ranks only, and no limit.
    takes = st.lists(st.sampled_from(["low", "high", "A", "2"]), min_size=1, max_size=2)
    paths: dict[str, Any] = {
        "tableau.piles": piles,
        "tableau.deal": deal,
        "tableau.face_down": draw(st.just(0) | st.just("all_but_top") | st.integers(1, 2)),
        "tableau.build.step": draw(st.just("down") | _STEPS),
        "tableau.build.suit": draw(_SUITS),
        "tableau.build.wrap": draw(_WRAPS),
        "tableau.move.unit": draw(st.sampled_from(["card", "group", "whole_group"])),
        "tableau.spaces.accept": draw(st.just("any") | st.just("none") | takes),
    }
    if draw(st.booleans()):
        paths["tableau.move.suit"] = draw(_SUITS)
        paths["tableau.move.step"] = draw(_STEPS)
    if draw(st.booleans()):
        paths["tableau.from"] = draw(_some(SOURCES))
    if draw(st.booleans()):
        paths["tableau.spaces.from"] = draw(_some(SOURCES))
    if draw(st.booleans()):
        paths["tableau.spaces.fill"] = draw(_some(("stock", "waste", "reserve"), most=3))
    return paths


@st.composite
def rulesets(draw: st.DrawFn, *, most: int = 12) -> Ruleset:
    """A ruleset with a pack of 4 to ``most`` cards that adds up."""
    paths = draw(_packs(most))
    paths |= draw(_foundations(dealt=paths["pack.base"] == "first_card"))
    paths |= draw(_tableau())
    if draw(st.booleans()):
        paths["reserve.piles"] = draw(st.integers(1, 2))
        paths["reserve.deal"] = draw(st.integers(1, 3))
    paths["stock.to"] = "waste"
    paths["waste.piles"] = 1
    paths["stock.passes"] = draw(st.sampled_from([1, 1, 2, 3, "unlimited"]))
    ruleset = from_paths(paths)
    assume(_adds_up(ruleset))
    return ruleset


def _adds_up(ruleset: Ruleset) -> bool:
    try:
        layout(ruleset)
    except InputError:
        return False
    return True


@st.composite
def small_rules(draw: st.DrawFn, *, most: int = 12) -> Rules:
    """The rules of a random ruleset that is played."""
    ruleset = draw(rulesets(most=most))
    assume(not unsupported(ruleset))
    return rules_of(ruleset)
