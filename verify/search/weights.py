"""Weights of the beam's features, chosen by properties of the rules and never by a game's name."""

from __future__ import annotations

from verify.rules import Rules
from verify.search.beam import FEATURES

Weights = dict[str, float]

# Found by hill climbing on seeds 5000 to 5039 of the dealproof dealer, with a beam of width 50 or
# 60 and 150 to 200 seconds each. No other seed was looked at.

IN_SUIT: Weights = {
    "on_foundations": 10.0,
    "spaces": -1.0,
    "buried_tableau": 5.54,
    "built_pairs": 8.0,
    "waste": 3.0,
    "buried_waste": 18.82,
    "reserve": 10.0,
    "buried_in_chain": 1.22,
    "stock_dealt": 2.0,
    "reserve_distance": 2.0,
    "low_cards_depth": 6.0,
    "built_piles": 5.34,
    "full_heights": 1.42,
    "bottleneck": 1.54,
    "clashing_copies": 10.0,
}
"""Spaces filled by the player, tableau built in suit (Josephine)."""

ALTERNATING: Weights = {
    "on_foundations": 10.0,
    "spaces": -1.0,
    "buried_tableau": 4.12,
    "built_pairs": 8.0,
    "waste": 3.0,
    "buried_waste": 11.13,
    "reserve": 8.15,
    "over_playable": 5.0,
    "buried_in_chain": 1.47,
    "reserve_distance": 4.0,
    "low_cards_depth": 5.81,
    "built_piles": 5.34,
    "full_heights": 1.42,
    "bottleneck": 1.0,
}
"""Spaces filled by the player, other tableaus (Emperor)."""

FILLED: Weights = {
    "on_foundations": 1.0,
    "spaces": 10.0,
    "buried_tableau": -1.0,
    "waste": 3.13,
    "buried_waste": 2.0,
    "reserve": 18.0,
    "over_playable": 5.0,
    "buried_in_chain": 1.0,
    "reserve_distance": 1.4,
    "low_cards_depth": 2.0,
    "full_heights": 4.0,
    "bottleneck": 10.0,
}
"""Spaces filled automatically (Empress of Italy)."""

FILLED_EASY: Weights = {
    "on_foundations": 10,
    "spaces": 20,
    "buried_tableau": 6,
    "built_pairs": 3,
    "waste": 1,
    "buried_waste": 3,
    "reserve": 8,
    "buried_in_chain": 2,
    "reserve_distance": 2,
    "bottleneck": 1,
}
"""The same, set by hand: for small packs, where most cards stay within reach."""


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
