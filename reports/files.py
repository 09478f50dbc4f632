"""Names and atomic writes of report files."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path


def file_stems(keys: Iterable[str], *, taken: Iterable[str] = ("index",)) -> list[str]:
    """A name for each key that every file system takes: ``signora-wraps`` for ``signora@wraps``.

    Names that differ only in case, or equal a ``taken`` one, get a number; so a name depends on
    the keys before it.
    """
    used = {name.lower() for name in taken}
    stems = []
    for key in keys:
        plain = re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-") or "game"
        stem, number = plain, 1
        while stem.lower() in used:
            number += 1
            stem = f"{plain}-{number}"
        used.add(stem.lower())
        stems.append(stem)
    return stems


def write_atomically(path: Path, text: str) -> None:
    """Nothing; afterwards ``path`` holds ``text`` in UTF-8, or, if this fails, what it held."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # mkstemp makes a file that nobody else may read.
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
