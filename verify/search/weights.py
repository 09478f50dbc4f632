"""Weights of the beam's features, chosen by properties of the rules and never by a game's name."""

from __future__ import annotations

from verify.rules import Rules
from verify.search.beam import FEATURES

Weights = dict[str, float]

IN_SUIT: Weights = {}
ALTERNATING: Weights = {}
FILLED: Weights = {}
FILLED_EASY: Weights = {}


def _row(weights: Weights) -> tuple[float, ...]:
    return tuple(float(weights.get(feature, 0.0)) for feature in FEATURES)


def weight_sets(rules: Rules) -> list[tuple[float, ...]]:
    """The weight sets to try, the most promising first; each in the order of the features."""
    if rules.fill:
        sets = [FILLED, FILLED_EASY]
    elif rules.tableau_build.suit == "same":
        sets = [IN_SUIT, ALTERNATING]
    else:
        sets = [ALTERNATING, IN_SUIT]
    return [_row(weights) for weights in sets]
