"""Compiling the search before it is needed, so that a command can say what it waits for."""

from __future__ import annotations

from pathlib import Path

from spec.ruleset import from_paths
from verify.moves import start_of
from verify.position import Position
from verify.rules import rules_of
from verify.search.decide import Limits, decide


def is_compiled() -> bool:
    """Whether a compilation lies in the cache beside the source; it may be out of date."""
    cache = Path(__file__).parent / "__pycache__"
    return all(any(cache.glob(f"{name}.*.nbi")) for name in ("beam._beam-*", "exhaust._exhaust-*"))


def warm_up() -> None:
    """Compile the search, or load it from the cache, by solving two tiny deals.

    A compilation takes some 20 seconds of one core, and is kept beside the source.
    """
    ruleset = from_paths(
        {
            "pack.ranks": 3,
            "tableau.piles": 2,
            "tableau.deal": 6,
            "tableau.build.suit": "same",
            "foundations.build.suit": "same",
        }
    )
    rules = rules_of(ruleset)
    cards = tuple(rules.pack.cards())
    deal = Position(foundations=((),) * 4, tableau=(cards[:6], cards[6:]), face_down=(0, 0))
    decide(rules, start_of(rules, deal), limits=Limits(nodes=100))
    decide(rules, start_of(rules, deal), limits=Limits(nodes=2))
