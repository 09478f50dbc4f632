"""The form of a game file: rules with what they rest on, rulings, and further readings."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema, model_validator

from spec.ruleset import Part
from spec.statement import Kebab

Cite = Annotated[str, Field(pattern=r"^([a-z0-9-]+:)?[A-Z]{1,3}[0-9]{1,3}[a-z]?$")]
"""A statement of the game's own document (``T4``), or of another one (``signora-page:T4``)."""


class Rule(Part):
    """A value and what it rests on: statements, a ruling, or a named public source."""

    is_: Annotated[Any, WithJsonSchema({})] = Field(
        alias="is", description="The value; null returns to the default."
    )
    cite: list[Cite] = Field([], description="The statements that say so.")
    ruling: Kebab | None = Field(None, description="The ruling that decides it.")
    source: str | None = Field(
        None, description="A public source that says so, where none of the documents does."
    )

    @model_validator(mode="after")
    def _rests_on_something(self) -> Rule:
        if not (self.cite or self.ruling or self.source):
            raise ValueError("the value rests on nothing; write cite, ruling or source")
        return self


class Ruling(Part):
    """A decision where documents are silent or disagree."""

    asks: list[str] = Field(min_length=1, description="The paths that it decides.")
    choice: str = Field(description="What is chosen, in words.")
    alternatives: dict[str, str] = Field({}, description="Other choices, and who holds them.")
    reason: str = Field(description="Why.")
    overrules: list[Cite] = Field([], description="The statements that it sets aside.")


class Reading(Part):
    """A second reading of the game: a difference from the first."""

    title: str = Field(description="The name of the game in this reading.")
    reason: str = Field(description="Who reads it so, or why.")
    rules: dict[str, Rule] = Field(min_length=1, description="The rules that differ.")


class GameFile(Part):
    """A game as its file states it."""

    game: Kebab = Field(description="The name of the game, as on the command line.")
    title: str = Field(description="The name of the game for people.")
    about: str = Field(description="One sentence for a reader who does not know the game.")
    document: Kebab | None = Field(None, description="The document that citations mean.")
    based_on: Kebab | None = Field(None, description="The game that this one differs from.")
    rules: dict[str, Rule] = Field({}, description="The values of the ruleset, path by path.")
    rulings: dict[Kebab, Ruling] = Field({}, description="Decisions, by name.")
    readings: dict[Kebab, Reading] = Field(
        {}, description="Further readings, by name: game@name on the command line."
    )


def cited(cite: str, document: str | None) -> tuple[str | None, str]:
    """The names of the document and of the statement that a citation means."""
    name, colon, statement = cite.rpartition(":")
    return (name if colon else document), statement


def seen_from(cites: list[Cite], own: str | None, other: str | None) -> list[Cite]:
    """Citations of a file whose document is ``other``, as a file with the document ``own`` cites.

    ``T4`` becomes ``signora-page:T4`` unless both mean the same document.
    """
    if own == other or other is None:
        return cites
    return [cite if ":" in cite else f"{other}:{cite}" for cite in cites]
