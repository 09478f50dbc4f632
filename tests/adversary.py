"""What a checker of closed sets can be made to accept, on decks small enough to know the truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from generator.dealers import deal
from generator.shuffles import Seed
from tests.brute_force import is_solvable
from tests.rulesets import AUTO_FILL, FREE_SPACES, VARIANTS, small
from verify import checker as real_checker
from verify.certificate import ClosedSet, Key
from verify.moves import Place
from verify.position import Position
from verify.rules import Rules, rules_of

TWO_SUITS = {"C": "black", "D": "red"}
FOUR_SUITS = TWO_SUITS | {"H": "red", "S": "black"}

SIZES: dict[str, list[dict[str, Any]]] = {
    "free": [
        {"ranks": 3, "tableau__piles": 2, "tableau__deal": 2},
        {"ranks": 4, "tableau__piles": 2, "tableau__deal": 3},
        {"ranks": 4, "tableau__piles": 3, "tableau__deal": 2},
        {"ranks": 3, "decks": 2, "tableau__piles": 2, "tableau__deal": 3},
        {"ranks": 3, "decks": 2, "tableau__piles": 3, "tableau__deal": 3},
        {"ranks": 3, "pack__suits": FOUR_SUITS, "tableau__piles": 2, "tableau__deal": 4},
    ],
    "auto": [
        {"ranks": 3, "tableau__piles": 1, "reserve__deal": 2},
        {"ranks": 4, "tableau__piles": 2, "reserve__deal": 3},
        {"ranks": 4, "tableau__piles": 2, "tableau__deal": 2, "reserve__deal": 2},
        {"ranks": 3, "decks": 2, "tableau__piles": 2, "reserve__deal": 4},
        {"ranks": 3, "pack__suits": FOUR_SUITS, "tableau__piles": 2, "reserve__deal": 5},
    ],
}
"""Layouts of six to twelve cards of two or four suits, for each family of rulesets."""

NO_SPACES = {"tableau__spaces__accept": "none"}

FURTHER: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("fill waste", AUTO_FILL, {"tableau__spaces__fill": ["waste"], **NO_SPACES}),
    ("fill stock", AUTO_FILL, {"tableau__spaces__fill": ["stock"], **NO_SPACES}),
    ("fill reserve", AUTO_FILL, {"tableau__spaces__fill": ["reserve"], **NO_SPACES}),
    ("fill reserve stock", AUTO_FILL, {"tableau__spaces__fill": ["reserve", "stock"]}),
    (
        "returns to tableau",
        AUTO_FILL,
        {
            "foundations__returns": "always",
            "tableau__from": ["reserve", "foundation"],
            "tableau__spaces__fill": None,
            **NO_SPACES,
        },
    ),
    (
        "returns to spaces",
        AUTO_FILL,
        {
            "foundations__returns": "always",
            "tableau__from": ["tableau"],
            "tableau__spaces__fill": None,
            "tableau__spaces__from": ["foundation"],
        },
    ),
    ("no spaces, groups", FREE_SPACES, {"tableau__move__unit": "group", **NO_SPACES}),
    (
        "groups of any suit",
        FREE_SPACES,
        {"tableau__move__unit": "group", "tableau__move__suit": "any", **NO_SPACES},
    ),
    (
        "foundations down, round",
        FREE_SPACES,
        {"pack__base": "3", "foundations__build__step": "down", "tableau__build__wrap": "full"},
    ),
]
"""Variants beside those of :mod:`tests.rulesets`, for rules that only the closed set looks at."""

ALL_VARIANTS = {name: (family, changes) for name, family, changes in VARIANTS + FURTHER}


def rules_of_variant(name: str) -> list[Rules]:
    """The rules of a variant in each of its sizes."""
    family, changes = ALL_VARIANTS[name]
    sizes = SIZES["free" if family is FREE_SPACES else "auto"]
    return [
        rules_of(small(family, **({"pack__suits": TWO_SUITS} | size | changes)), game=name)
        for size in sizes
    ]


def skeletons(rules: Rules) -> Iterator[tuple[Key, ...]]:
    """Every choice of at most one key in each pile of the deal, the empty one included."""
    counts = {Place("tableau", n): count for n, count in enumerate(rules.layout.tableau)}
    counts |= {Place("reserve", n): count for n, count in enumerate(rules.layout.reserve)}
    for depths in product(*(range(-1, count) for count in counts.values())):
        yield tuple(
            Key(pile=pile, depth=depth)
            for pile, depth in zip(counts, depths, strict=True)
            if depth >= 0
        )


_MISSING = re.compile(r"(?P<card>\S+) .* not in the (?P<field>tableau|foundation) set")


def smallest_accepted(
    rules: Rules, start: Position, keys: tuple[Key, ...], checker: Any = real_checker
) -> ClosedSet | None:
    """The smallest lists for ``keys`` that ``checker`` accepts, None if it accepts none.

    It adds only what the checker says is missing, so that every demand that the checker does not
    make is left out. ``checker`` is a module with ``check`` and ``Rejected``.
    """
    closed = ClosedSet(keys=keys, tableau=frozenset(), foundation=frozenset())
    while True:
        try:
            checker.check(rules, start, closed)
        except checker.Rejected as error:
            missing = _MISSING.fullmatch(error.why)
            if missing is None:
                return None
            card = rules.pack.parse(missing["card"])
            if missing["field"] == "tableau":
                closed = replace(closed, tableau=closed.tableau | {card})
            else:
                closed = replace(closed, foundation=closed.foundation | {card})
        else:
            return closed


def accepted(
    rules: Rules, numbers: range, checker: Any = real_checker
) -> Iterator[tuple[Position, ClosedSet]]:
    """Every deal of ``numbers`` with each of its closed sets that ``checker`` accepts."""
    for number in numbers:
        start = deal(rules, Seed(dealer="dealproof", number=number))
        for keys in skeletons(rules):
            closed = smallest_accepted(rules, start, keys, checker)
            if closed is not None:
                yield start, closed


def false_acceptance(
    rules: Rules, numbers: range, checker: Any = real_checker
) -> tuple[Position, ClosedSet] | None:
    """The first deal that can be won and a closed set that ``checker`` accepts for it."""
    truth: dict[Position, bool | None] = {}
    for start, closed in accepted(rules, numbers, checker):
        if start not in truth:
            truth[start] = is_solvable(rules, start)
        if truth[start]:
            return start, closed
    return None
