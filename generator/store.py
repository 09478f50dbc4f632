"""The run store: decisions that were made once are not searched again.

One SQLite file. Every decision is committed as it is made, so a run that is cut off, by Ctrl-C or
by kill -9, goes on where it stopped and ends in the same bytes. A decision is known by the ruleset,
the seed, the limits, and the sources and libraries that make it, so a changed search asks anew.
Witnesses and closed sets read from the store are checked like new ones.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from generator.shuffles import Seed
from spec.errors import InputError, Place
from spec.ruleset import Ruleset
from verify.search.decide import Limits

ROOT = Path(__file__).parent.parent
_DEAL = ("spec/*.py", "verify/*.py", "generator/dealers.py", "generator/shuffles.py")
SOURCES = {
    "decide": (*_DEAL, "verify/search/*.py"),
    "construct": (
        *_DEAL,
        "verify/smt/construct.py",
        "generator/closed_set.py",
        "generator/unsolvable.py",
    ),
}
LIBRARIES = {"decide": ("numba", "numpy"), "construct": ("z3-solver",)}
"""What makes the answers to each kind of question: when it changes, they are asked anew."""


@cache
def source_digest(kind: str) -> str:
    """The SHA-256 of the sources, and of the versions, that make the answers of a kind."""
    digest = hashlib.sha256()
    for pattern in SOURCES[kind]:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    for library in LIBRARIES[kind]:
        digest.update(f"{library} {importlib.metadata.version(library)}\0".encode())
    return digest.hexdigest()


class Store:
    """Decisions by what was asked. Usable from several threads; one process at a time writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._readable():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, check_same_thread=False, timeout=30)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS decisions (asked TEXT PRIMARY KEY, answer TEXT) STRICT"
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def get(self, asked: str) -> dict[str, Any] | None:
        """The answer to a question, None if there is none or if it is no answer.

        Raises InputError if the file cannot be read.
        """
        with self._lock, self._readable():
            row = self._database.execute(
                "SELECT answer FROM decisions WHERE asked = ?", (asked,)
            ).fetchone()
        if row is None:
            return None
        try:
            answer = json.loads(row[0])
        except (ValueError, TypeError, RecursionError):
            return None
        return answer if isinstance(answer, dict) else None

    def put(self, asked: str, answer: dict[str, Any]) -> None:
        """Keep an answer; InputError if the file cannot be written."""
        text = json.dumps(answer, sort_keys=True)
        with self._lock, self._readable(), self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO decisions (asked, answer) VALUES (?, ?)", (asked, text)
            )

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"the run store cannot be used: {error}",
                instead="name another file, or delete it: all it holds can be made anew",
                place=Place(file=str(self.path)),
            ) from error


def question(kind: str, ruleset: Ruleset, seed: Seed, limits: Limits | None = None) -> str:
    """What is asked, as text: the whole input of an answer, the code that makes it included."""
    budget = [limits.nodes, limits.megabytes] if limits is not None else []
    return json.dumps([kind, ruleset.digest(), str(seed), *budget, source_digest(kind)])
