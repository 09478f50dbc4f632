"""Names of report files."""

from __future__ import annotations

import re
from collections.abc import Iterable


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
