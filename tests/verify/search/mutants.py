"""The search with one thing broken, in its tables or in its source.

The kernel's source is read, changed, and run as plain Python: slow, and enough for small decks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import verify.search.board
import verify.search.exhaust
from tests.verify.search.differential import NEVER, Search
from verify.position import Position
from verify.rules import Rules
from verify.search.tables import Array, C, Tables, state_of, tables_of


class Edit(NamedTuple):
    """A piece of source that occurs once in board.py or exhaust.py, and what takes its place."""

    old: str
    new: str


_COMPILER = "from numba import njit\n"
_PLAIN = "def njit(**_):\n    return lambda function: function\n"
_BOARD = re.compile(r"from verify\.search\.board import \(.*?\)\n", re.DOTALL)


def with_source(*edits: Edit) -> Search:
    """The exhaustive search in plain Python, with its source changed.

    AssertionError where the source does not hold what is to be changed exactly once.
    """
    sources = {
        module: Path(str(module.__file__)).read_text(encoding="utf-8")
        for module in (verify.search.board, verify.search.exhaust)
    }
    for old, new in edits:
        counts = {module: source.count(old) for module, source in sources.items()}
        assert sum(counts.values()) == 1, f"{sum(counts.values())} times in the source: {old}"
        (module,) = (module for module, number in counts.items() if number)
        sources[module] = sources[module].replace(old, new)
    names: dict[str, Any] = {"__name__": "mutant"}
    for module, source in sources.items():
        assert _COMPILER in source
        plain = _BOARD.sub("", source).replace(_COMPILER, _PLAIN)
        exec(compile(plain, f"mutant of {module.__name__}", "exec"), names)
    exhaust: Callable[..., tuple[int, int, int, Array]] = names["exhaust"]

    def search(rules: Rules, start: Position) -> tuple[int, int, Array]:
        # Hashes wrap around, which compiled code does silently.
        with np.errstate(over="ignore"):
            outcome, _, positions, rows = exhaust(
                tables_of(rules),
                state_of(rules, start),
                nodes=2000,
                megabytes=0,
                stop=NEVER,
                depth=300,
            )
        return outcome, positions, rows

    return search


class Table:
    """The tables of a game, to be changed: numbers by name, relations by their cards."""

    def __init__(self, rules: Rules) -> None:
        tables = tables_of(rules)
        self.rules = rules
        self.numbers = tables.numbers.copy()
        self.bytes = tables.bytes.copy()

    def result(self) -> Tables:
        """The changed tables."""
        return Tables(numbers=self.numbers, bytes=self.bytes)

    def part(self, code: C) -> Array:
        """A table by its name, as a view that can be changed: bases x types x types, or flat."""
        types, bases = self.rules.pack.types, self.rules.pack.ranks + 1
        shapes = {
            C.SAME: (types,),
            C.RANK: (types,),
            C.FITS: (bases, types, types),
            C.FOLLOWS: (bases, types, types),
            C.RUNS: (bases, types, types),
            C.STARTS: (bases, types),
            C.TAKES: (bases, types),
        }
        shape, start = shapes[code], self.numbers[code]
        return self.bytes[start : start + int(np.prod(shape))].reshape(shape)
