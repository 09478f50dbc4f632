"""Rulesets for tests: small ones of every family, and the rules that the engines play."""

from __future__ import annotations

from typing import Any

from spec.ruleset import Ruleset, from_paths

FREE_SPACES: dict[str, Any] = {
    "foundations.build.suit": "same",
    "tableau.piles": 3,
    "tableau.deal": 3,
    "tableau.build.suit": "same",
    "waste.piles": 1,
    "stock.to": "waste",
}
"""The Forty Thieves side: piles of several cards, spaces filled by the player."""

AUTO_FILL: dict[str, Any] = {
    "pack.base": "first_card",
    "foundations.deal": 1,
    "foundations.build.suit": "alternate",
    "tableau.piles": 3,
    "tableau.deal": 1,
    "tableau.build.suit": "alternate",
    "tableau.from": ["waste", "tableau"],
    "tableau.spaces.fill": ["waste", "stock"],
    "reserve.deal": 3,
    "waste.piles": 1,
    "stock.to": "waste",
}
"""The Terrace side: piles of one card, a reserve, spaces filled automatically."""


def small(family: dict[str, Any], *, ranks: int = 4, decks: int = 1, **paths: Any) -> Ruleset:
    """A ruleset of a family on a small pack; further paths with ``__`` for the dots."""
    changed = {path.replace("__", "."): value for path, value in paths.items()}
    return from_paths(family | {"pack.ranks": ranks, "pack.decks": decks} | changed)


VARIANTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("suit single", FREE_SPACES, {}),
    ("suit groups", FREE_SPACES, {"tableau__move__unit": "group"}),
    ("suit whole groups", FREE_SPACES, {"tableau__move__unit": "whole_group"}),
    (
        "alternate single down",
        FREE_SPACES,
        {"tableau__build__suit": "alternate", "tableau__face_down": "all_but_top"},
    ),
    (
        "alternate groups down",
        FREE_SPACES,
        {
            "tableau__build__suit": "alternate",
            "tableau__face_down": 1,
            "tableau__move__unit": "group",
        },
    ),
    ("returns", FREE_SPACES, {"foundations__returns": "always"}),
    ("two passes", FREE_SPACES, {"stock__passes": 2}),
    ("no spaces", FREE_SPACES, {"tableau__spaces__accept": "none"}),
    ("kings only", FREE_SPACES, {"tableau__spaces__accept": ["high"]}),
    ("waste to spaces", FREE_SPACES, {"tableau__spaces__from": ["waste"]}),
    ("fill waste stock", AUTO_FILL, {}),
    ("fill stock waste", AUTO_FILL, {"tableau__spaces__fill": ["stock", "waste"]}),
    ("round tableau", AUTO_FILL, {"tableau__build__wrap": "full"}),
    ("base-bounded tableau", AUTO_FILL, {"tableau__build__wrap": "base"}),
    (
        "reserve to tableau, returns",
        AUTO_FILL,
        {
            "tableau__from": ["waste", "tableau", "reserve", "foundation"],
            "foundations__returns": "always",
            "tableau__spaces__accept": "none",
        },
    ),
    ("reserve to spaces", AUTO_FILL, {"tableau__spaces__from": ["waste", "tableau", "reserve"]}),
    (
        "no fill, waste to spaces",
        AUTO_FILL,
        {"tableau__spaces__fill": None, "tableau__spaces__from": ["waste"]},
    ),
    (
        "base played, by suit",
        AUTO_FILL,
        {
            "foundations__deal": 0,
            "foundations__build__suit": "same",
            "tableau__build__suit": "any",
            "tableau__move__unit": "group",
        },
    ),
]
"""Name, family and changes: together they use every rule that the engines play."""
