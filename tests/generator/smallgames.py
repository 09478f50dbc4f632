"""Small games with their files, and packs of them that are made in a moment."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from generator.make import Made, Order, make_pack
from generator.packs import line
from generator.shuffles import Seed
from spec.game import Game, load_game
from tests.rulesets import AUTO_FILL, FREE_SPACES
from verify.search.decide import Limits

LIMITS = Limits(nodes=200_000, megabytes=16)

PATHS: dict[str, dict[str, Any]] = {
    "closet": FREE_SPACES | {"pack.ranks": 5, "tableau.piles": 4},
    "attic": AUTO_FILL | {"pack.ranks": 5},
}
"""Twenty cards each: a game with free spaces and one with automatic fills and a reserve."""


def game_file(folder: Path, name: str, **changes: Any) -> Path:
    """The file of a small game, written to ``folder``; changes with ``__`` for the dots."""
    paths = PATHS[name] | {path.replace("__", "."): value for path, value in changes.items()}
    rules = [
        f"  {path}: {{is: {json.dumps(value)}, source: test}}" for path, value in paths.items()
    ]
    head = [f"game: {name}", f"title: {name.capitalize()}", "about: A small game.", "rules:"]
    file = folder / f"{name}.yaml"
    file.write_text("\n".join([*head, *rules]) + "\n", encoding="utf-8")
    return file


@cache
def small_game(name: str, **changes: Any) -> Game:
    """A small game, loaded from a file."""
    with tempfile.TemporaryDirectory() as folder:
        return load_game(str(game_file(Path(folder), name, **changes)))


def order(*, solvable: int = 2, unsolvable: int = 1, first: int = 1, workers: int = 2) -> Order:
    """What a small pack should hold."""
    return Order(
        solvable=solvable,
        unsolvable=unsolvable,
        first=Seed(dealer="dealproof", number=first),
        limits=LIMITS,
        workers=workers,
    )


@cache
def made(name: str) -> Made:
    """A pack of a small game: two solvable deals and an unsolvable one."""
    return make_pack(small_game(name), order())


def text_of(pack: Made) -> str:
    """The text of a pack's file."""
    return line(pack.head) + "".join(line(deal.to_json()) for deal in pack.deals)
