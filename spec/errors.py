"""Complaints about input: ``file:line:column: path: what is wrong; what would be right``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in a file that a person can go to. Lines and columns count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


class InputError(Exception):
    """Bad input, with the place, the path, what is wrong and what would be right.

    ``what`` and ``instead`` are halves of one sentence; ``path`` is the dotted path of the value.
    """

    def __init__(
        self, what: str, *, instead: str, place: Place | None = None, path: str = ""
    ) -> None:
        self.what = what
        self.instead = instead
        self.place = place
        self.path = path
        super().__init__(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        """How to pickle it: a worker process sends its complaints to the one that asked."""
        return partial(type(self), instead=self.instead, place=self.place, path=self.path), (
            self.what,
        )

    def __str__(self) -> str:
        head = [str(self.place)] if self.place is not None else []
        if self.path:
            head.append(self.path)
        head.append(f"{self.what}; {self.instead}")
        return ": ".join(head)

    def at(self, place: Place) -> InputError:
        """The same complaint at ``place``, unless it already names one."""
        if self.place is not None:
            return self
        return InputError(self.what, instead=self.instead, place=place, path=self.path)


class Unsupported(Exception):
    """A rule that the model can say and the engines do not play, by name.

    Raised instead of playing on without the rule.
    """

    def __init__(self, game: str, rules: list[str]) -> None:
        self.game = game
        self.rules = rules
        listed = ", ".join(rules)
        super().__init__(f"{game}: rules that the engine does not play yet: {listed}")

    def __reduce__(self) -> tuple[object, ...]:
        """How to pickle it, for worker processes."""
        return type(self), (self.game, self.rules)


class InputErrors(Exception):
    """Several complaints about one input, in the order of their places. At least one."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)
