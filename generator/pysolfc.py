"""What a verdict claims about a game number of PySolFC.

A number names a deal of PySolFC's game, with its layout and its rules. A winnable deal stays
winnable under more freedom, an unwinnable one stays unwinnable under less; so a claim transfers
where the layouts are the same and one ruleset only restricts the other.

PySolFC's rulesets are stated here from its source, read for facts (pysollib/games/fortythieves.py
and terrace.py). It deals the first waste card by itself. That changes nothing in the games without
automatic fills: every move that is open before that deal is open after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from generator.packs import DEALT, PackDeal
from generator.shuffles import Seed
from spec.errors import InputError
from spec.game import Game
from spec.ruleset import Ruleset, from_paths, leaf_paths, value_at
from verify.certificate import Verdict
from verify.rules import rules_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterpart:
    """PySolFC's game of the same name: its number there, and its ruleset."""

    name: str
    id: int
    ruleset: Ruleset


_FORTY_THIEVES: dict[str, Any] = {
    "pack.decks": 2,
    "foundations.build.suit": "same",
    "foundations.returns": "always",
    "tableau.piles": 10,
    "tableau.deal": 4,
    "stock.to": "waste",
    "waste.piles": 1,
}

COUNTERPARTS = {
    "josephine": Counterpart(
        name="Josephine",
        id=462,
        ruleset=from_paths(
            _FORTY_THIEVES | {"tableau.build.suit": "same", "tableau.move.unit": "group"}
        ),
    ),
    "emperor": Counterpart(
        name="Emperor",
        id=310,
        ruleset=from_paths(
            _FORTY_THIEVES | {"tableau.build.suit": "alternate", "tableau.face_down": 3}
        ),
    ),
}
"""PySolFC's games by the name of ours."""

NO_COUNTERPART = {
    "signora": "PySolFC's Signora (499) lets the player choose the base rank among nine cards; "
    "here it is dealt",
    "empress-of-italy": "PySolFC's Empress of Italy (786) lets the player choose the base rank "
    "among five cards and fills no space by itself; here the rank is dealt and spaces are filled",
}
"""Why a game of ours has no counterpart, where PySolFC has one of that name."""


def counterpart(game: str) -> Counterpart | str:
    """PySolFC's game for a game of ours, or the reason why no number of PySolFC names its deals."""
    if game in COUNTERPARTS:
        return COUNTERPARTS[game]
    return NO_COUNTERPART.get(game, "PySolFC has no game of this name that is known here")


_LESS_FREE = {
    "foundations.returns": {("never", "always")},
    "tableau.move.unit": {("card", "group"), ("whole_group", "group")},
    "tableau.build.wrap": {("none", "full")},
    "tableau.spaces.accept": {("none", "any")},
}
"""Pairs of values of which the first allows no move that the second does not. The player need not
make the other moves, and no automatic fill depends on these paths.

But where only whole groups move, a wrap makes groups longer, and a part of one stays: so there it
also takes moves away.
"""

_SETS = ("tableau.from", "tableau.spaces.from")
"""Paths whose values are sets of kinds of pile: fewer of them allow less."""


def more_free(one: Ruleset, other: Ruleset) -> list[str]:
    """The paths in which ``one`` is not merely a restriction of ``other``; empty if it is one.

    A win under a restriction is a win under the freer rules.
    """
    mine, theirs = values_of(one), values_of(other)
    return [path for path in mine if not _restricts(path, mine, theirs)]


def values_of(ruleset: Ruleset) -> dict[str, Any]:
    """The values of a ruleset path by path, as they are compared.

    Numbers of piles and cards are those of the layout, and kinds of pile are sets. Raises as
    :func:`verify.rules.rules_of` does.
    """
    rules = rules_of(ruleset)
    return {path: value_at(ruleset, path) for path in leaf_paths()} | {
        "foundations.piles": rules.foundations,
        "foundations.cap": rules.cap,
        "tableau.deal": rules.layout.tableau,
        "tableau.face_down": rules.layout.face_down,
        "tableau.from": rules.to_tableau,
        "tableau.spaces.from": rules.to_space,
    }


def _restricts(path: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    if mine[path] == theirs[path]:
        return True
    if path in _SETS:
        return bool(mine[path] <= theirs[path])
    if path == "tableau.build.wrap" and theirs["tableau.move.unit"] == "whole_group":
        return False
    return path in _LESS_FREE and (mine[path], theirs[path]) in _LESS_FREE[path]


def require_transfer(game: Game) -> Counterpart:
    """PySolFC's game in which a deal that is solvable here is winnable under the same number.

    Raises InputError, with the reason, where no such claim can be made.
    """
    found = counterpart(game.name)
    if isinstance(found, str):
        raise InputError(
            f"no list of PySolFC numbers for {game.key}: {found}",
            instead="make a pack: it holds the cards",
        )
    differing = transfers(game.ruleset, found.ruleset, Verdict.SOLVABLE)
    if differing:
        raise InputError(
            f"a win in {game.key} is not always one in PySolFC's {found.name} ({found.id}): "
            f"{', '.join(differing)} allow more here",
            instead="make a pack: it holds the cards",
        )
    return found


def has_list(game: Game) -> bool:
    """Whether a solvable deal of the game is winnable under its number in PySolFC."""
    try:
        require_transfer(game)
    except InputError:
        return False
    return True


def number_list(game: Game, first: Seed, deals: Iterable[PackDeal]) -> str:
    """The PySolFC numbers of the solvable deals, one a line.

    Raises InputError, with the reason, if they claim nothing in PySolFC, or are no numbers of it.
    """
    require_transfer(game)
    if first.dealer != "pysolfc":
        raise InputError("the deals are not PySolFC's", instead="--dealer pysolfc", path="dealer")
    dealt = (deal for deal in deals if deal.origin == DEALT)
    return "".join(
        f"{deal.seed.number}\n" for deal in dealt if deal.decision.verdict is Verdict.SOLVABLE
    )


def transfers(ours: Ruleset, theirs: Ruleset, verdict: Verdict) -> list[str]:
    """The paths that keep a verdict from transferring to PySolFC's game; empty if it transfers."""
    if verdict is Verdict.SOLVABLE:
        return more_free(ours, theirs)
    if verdict is Verdict.UNSOLVABLE:
        return more_free(theirs, ours)
    return ["an undecided deal claims nothing"]
