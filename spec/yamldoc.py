"""A YAML document as plain values, with the place of each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from spec.errors import Place

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"
Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one file says, and where.

    ``value`` is made of dict, list, str, int, float, bool and None. ``places`` has the place of
    every value by its path, ``()`` being the whole; ``key_places`` has the place of every key of
    a mapping by the path of its value. Places follow ``value`` as it was read: whoever changes
    ``value`` loses them.
    """

    value: Plain
    places: Mapping[Path, Place]
    key_places: Mapping[Path, Place]

    def place(self, path: Sequence[str | int], *, key: bool = False) -> Place:
        """The place of the value at ``path``, or of its key.

        Where there is no such value, the place of the nearest value that encloses it; where the
        value has no key (an item of a list, the whole), the place of the value.
        """
        steps = tuple(path)
        if key and steps in self.key_places:
            return self.key_places[steps]
        while steps not in self.places:
            steps = steps[:-1]
        return self.places[steps]


def dotted(path: Sequence[str | int]) -> str:
    """The path as people write it: ``rules.deal[2].size``; indexes count from 0.

    Keys that hold dots are not marked as such. Keys with spaces or unprintable characters are
    quoted.
    """
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            plain = step.isprintable() and step != "" and not any(c.isspace() for c in step)
            parts.append(("." if parts else "") + (step if plain else repr(step)))
    return "".join(parts)
