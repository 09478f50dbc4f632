"""What every benchmark here shares: its options, its clock, its tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from generator.packs import versions

Row = dict[str, Any]
Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def options(about: str) -> argparse.Namespace:
    """The options of a benchmark: ``quick`` and ``json``, the same for all of them."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="a few seeds, to see that it runs")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    return parser.parse_args()


def timed(
    work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> tuple[float, Result]:
    """The seconds that ``work`` takes with these arguments, and what it returns."""
    start = time.perf_counter()
    result = work(*args, **kwargs)
    return time.perf_counter() - start, result


def median(numbers: Sequence[float]) -> float | None:
    """The median; None of nothing."""
    return statistics.median(numbers) if numbers else None


def setting() -> Row:
    """What figures depend on beside the code."""
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
    return {**machine, **versions()}


def show(title: str, rows: Sequence[Row], *, as_json: bool) -> None:
    """Print rows with the same keys: a table in plain text, or one JSON object a line."""
    if as_json:
        for row in rows:
            print(json.dumps({"table": title, **row}))
        return
    cells = [list(rows[0]), *([_text(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(f"\n{title}")
    for line in cells:
        first, *rest = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join((first, *(c.strip().rjust(len(c)) for c in rest))).rstrip())


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
