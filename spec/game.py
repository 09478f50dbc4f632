"""Games: a complete ruleset, a citation beside every value, rulings where documents are open.

A game file says of every rule which statements it rests on. Where the documents are silent or
disagree, the value rests on a ruling: the alternatives, the choice, the reason, and the statements
it overrules. A *reading* is a difference from the game, known as ``signora@wraps``; a game may be a
difference from another game, ``based_on``, and inherits its citations.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, WithJsonSchema, model_validator

from spec.accounting import Layout, layout
from spec.errors import InputError, InputErrors, Place
from spec.parameters import PARAMETERS
from spec.ruleset import GROUPS, Part, Ruleset, leaf_paths, split_path, tree_of
from spec.statement import DOCUMENTS, DocumentFile, Kebab, Statement, load_document
from spec.yamlcheck import complaints
from spec.yamlfile import Document, load_yaml, validate

GAMES = Path(__file__).parent / "games"
"""The folder of the games that dealproof ships."""

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


_RULES_SCHEMA = WithJsonSchema({"$ref": "#/$defs/Rules"})

Rules = Annotated[dict[str, Rule], _RULES_SCHEMA]


class Reading(Part):
    """A second reading of the game: a difference from the first."""

    title: str
    reason: str
    rules: Rules = Field(min_length=1)


class GameFile(Part):
    """A game as its file states it."""

    game: Kebab
    title: str
    about: str = Field(description="One sentence for a reader who does not know the game.")
    document: Kebab | None = Field(None, description="The document that citations mean.")
    based_on: Kebab | None = Field(None, description="The game that this one differs from.")
    rules: Rules = Field({})
    rulings: dict[Kebab, Ruling] = Field({})
    readings: dict[Kebab, Reading] = Field({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game in one reading: its rules path by path, and the ruleset that they make."""

    name: str
    reading: str | None
    title: str
    about: str
    rules: Mapping[str, Rule]
    rulings: Mapping[str, Ruling]
    readings: Mapping[str, Reading]
    document: DocumentFile | None
    documents: Mapping[str, DocumentFile] = field(repr=False)
    ruleset: Ruleset
    layout: Layout

    @property
    def key(self) -> str:
        """The name with the reading: ``signora@wraps``."""
        return f"{self.name}@{self.reading}" if self.reading else self.name

    def statement(self, cite: str) -> tuple[DocumentFile, Statement]:
        """The statement that a citation means; KeyError if there is none."""
        name, colon, statement = cite.rpartition(":")
        document = self.documents[name] if colon else self.document
        if document is None:
            raise KeyError(cite)
        return document, document.statement(statement)

    def citations(self, path: str) -> tuple[tuple[DocumentFile, Statement], ...]:
        """The statements that a rule rests on; none where a ruling or a source decides alone."""
        return tuple(self.statement(cite) for cite in self.rules[path].cite)


def game_names(folder: Path = GAMES) -> list[str]:
    """The names of the games in a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_game(key: str) -> Game:
    """The game of ``key``: a name, a file that ends in .yaml, either with ``@`` and a reading.

    Raises InputError for names there are not, and InputErrors, each with line and column, for what
    is wrong in the file, its sums included.
    """
    name, _, reading = key.partition("@")
    if name.endswith(".yaml"):
        return _load(Path(name), reading or None)
    if name not in game_names():
        raise InputError(
            f"there is no game {name!r}",
            instead=f"one of {', '.join(game_names())}, or a file that ends in .yaml",
        )
    return _load(GAMES / f"{name}.yaml", reading or None)


def _load(path: Path, reading: str | None) -> Game:
    source = _Source(path)
    if reading is not None and reading not in source.file.readings:
        known = ", ".join(source.file.readings) or "none"
        raise InputError(
            f"{source.file.game} has no reading {reading!r}", instead=f"its readings: {known}"
        )
    return source.game(reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A rule with the place of its value."""

    rule: Rule
    place: Place
    document: str | None


class _Source:
    """A game file with what it rests on: its base, and the documents that it cites."""

    def __init__(self, path: Path, seen: tuple[str, ...] = ()) -> None:
        self.path = path
        self.yaml: Document = load_yaml(path)
        self.file: GameFile = validate(GameFile, self.yaml)
        if self.file.game in seen:
            raise self._error(
                "the game is based on itself", instead="end the chain", at=("based_on",)
            )
        own = path.parent.parent / "documents"
        self.folders = (own, DOCUMENTS) if own != DOCUMENTS else (DOCUMENTS,)
        self.base = None
        if self.file.based_on is not None:
            base = path.with_name(f"{self.file.based_on}.yaml")
            if not base.exists():
                base = GAMES / base.name
            if not base.exists():
                raise self._error(
                    f"there is no game {self.file.based_on!r}",
                    instead="name a game file beside this one",
                    at=("based_on",),
                )
            self.base = _Source(base, (*seen, self.file.game))

    def _error(self, what: str, *, instead: str, at: tuple[str | int, ...]) -> InputError:
        path = ".".join(map(str, at))
        return InputError(what, instead=instead, place=self.yaml.place(at), path=path)

    def said(self, reading: str | None) -> dict[str, _Said]:
        """The rules path by path: those of the base, then of the game, then of the reading."""
        said = self.base.said(None) if self.base else {}
        layers: list[tuple[tuple[str | int, ...], Mapping[str, Rule]]] = [
            (("rules",), self.file.rules)
        ]
        if reading is not None:
            layers.append((("readings", reading, "rules"), self.file.readings[reading].rules))
        for at, rules in layers:
            for path, rule in rules.items():
                place = self.yaml.place((*at, path, "is"))
                self._check_path(path, (*at, path))
                if rule.is_ is None:
                    said.pop(path, None)
                else:
                    said[path] = _Said(rule=rule, place=place, document=self.file.document)
        return said

    def _check_path(self, path: str, at: tuple[str | int, ...]) -> None:
        try:
            split_path(path)
        except KeyError:
            raise InputError(
                f"a ruleset has no {path!r}",
                instead=_nearest(path),
                place=self.yaml.place(at, key=True),
                path="rules",
            ) from None

    def rulings(self) -> dict[str, Ruling]:
        """The rulings of the base and of this file."""
        return {**(self.base.rulings() if self.base else {}), **self.file.rulings}

    def documents(self) -> dict[str, DocumentFile]:
        """Every document that this file, or its base, means or cites."""
        names = {self.file.document} if self.file.document else set()
        rules = [*self.file.rules.values()]
        rules += [
            rule for reading in self.file.readings.values() for rule in reading.rules.values()
        ]
        cites = [cite for rule in rules for cite in rule.cite]
        cites += [cite for ruling in self.file.rulings.values() for cite in ruling.overrules]
        names |= {cite.rpartition(":")[0] for cite in cites if ":" in cite}
        documents = self.base.documents() if self.base else {}
        for name in sorted(names):
            documents.setdefault(name, self._document(name))
        return documents

    def _document(self, name: str) -> DocumentFile:
        for folder in self.folders:
            path = folder / f"{name}.yaml"
            if path.exists():
                return load_document(path)
        raise self._error(
            f"there is no document {name!r}",
            instead=f"put {name}.yaml in a folder documents beside the games",
            at=("document",),
        )

    def game(self, reading: str | None) -> Game:
        """The game in a reading; InputErrors for what does not fit together."""
        said = self.said(reading)
        documents = self.documents()
        file = self.file
        title = file.readings[reading].title if reading else file.title
        ruleset = self._ruleset(said)
        try:
            laid = layout(ruleset)
        except InputError as error:
            place = said[error.path].place if error.path in said else self.yaml.place(("rules",))
            raise error.at(place) from error
        errors = list(_check(said, self.rulings(), documents, laid))
        if file.document:
            errors += _check_counts(documents[file.document], laid, self.yaml.place(("document",)))
        if errors:
            raise InputErrors(errors)
        return Game(
            name=file.game,
            reading=reading,
            title=title,
            about=file.readings[reading].reason if reading else file.about,
            rules={path: entry.rule for path, entry in said.items()},
            rulings=self.rulings(),
            readings=file.readings,
            document=documents[file.document] if file.document else None,
            documents=documents,
            ruleset=ruleset,
            layout=laid,
        )

    def _ruleset(self, said: Mapping[str, _Said]) -> Ruleset:
        tree = tree_of({path: entry.rule.is_ for path, entry in said.items()})
        try:
            return Ruleset.model_validate(tree)
        except ValidationError as error:

            def locate(path: tuple[str | int, ...], *, key: bool) -> tuple[Place | None, str]:
                written = _flat(path)
                for known, entry in said.items():
                    if written == known or written.startswith((f"{known}.", f"{known}[")):
                        return entry.place, written
                return self.yaml.place(("rules",), key=key), written

            raise InputErrors(complaints(Ruleset, tree, error, locate=locate)) from error


def _flat(steps: tuple[str | int, ...]) -> str:
    """The dotted path of a place in a ruleset: tableau, 0, deal, 2 is ``tableau.deal[2]``."""
    text = ""
    for index, step in enumerate(steps):
        if isinstance(step, int):
            first_group = index == 1 and steps[0] in GROUPS and step == 0
            text += "" if first_group else f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def _nearest(path: str) -> str:
    close = difflib.get_close_matches(path, leaf_paths(), n=1)
    return f"did you mean {close[0]}?" if close else "see the ruleset's paths in the documentation"


def _check(
    said: Mapping[str, _Said],
    rulings: Mapping[str, Ruling],
    documents: Mapping[str, DocumentFile],
    laid: Layout,
) -> Iterator[InputError]:
    """What is wrong with the citations: statements there are not, or that say something else."""
    for path, entry in said.items():
        if entry.rule.ruling is not None and entry.rule.ruling not in rulings:
            yield InputError(
                f"there is no ruling {entry.rule.ruling!r}",
                instead="write it under rulings",
                place=entry.place,
                path=path,
            )
        for cite in entry.rule.cite:
            yield from _check_cite(path, entry, cite, documents, laid)
    for name, ruling in rulings.items():
        for path in ruling.asks:
            if path not in PARAMETERS and path not in leaf_paths():
                yield InputError(
                    f"the ruling {name} is about {path!r}",
                    instead=_nearest(path),
                    path=f"rulings.{name}.asks",
                )


def _check_cite(
    path: str, entry: _Said, cite: str, documents: Mapping[str, DocumentFile], laid: Layout
) -> Iterator[InputError]:
    name, colon, number = cite.rpartition(":")
    document = documents.get(name if colon else entry.document or "")
    try:
        statement = document.statement(number) if document else None
    except KeyError:
        statement = None
    if document is None or statement is None:
        yield InputError(
            f"there is no statement {cite!r}",
            instead="cite a statement of the game's document, or document:statement",
            place=entry.place,
            path=path,
        )
        return
    said = (statement.says or {}).get(path)
    if said is None or path not in PARAMETERS or entry.rule.ruling is not None:
        return
    allowed = said if isinstance(said, list) else [said]
    spell = PARAMETERS[path].domain.spell
    value = entry.rule.is_
    if isinstance(value, list) or spell(value) in allowed:
        return
    lines = ", ".join(map(str, statement.at))
    yield InputError(
        f"{value}, but {cite} ({document.file}, line {lines}) says "
        f"{' or '.join(map(str, allowed))}; with {value} the deal is {laid}",
        instead="write what the document says, or a ruling that decides otherwise",
        place=entry.place,
        path=path,
    )


def _check_counts(document: DocumentFile, laid: Layout, place: Place) -> Iterator[InputError]:
    """What the document counts otherwise than the sums come out."""
    counted = {
        "pack.cards": laid.cards,
        "tableau.cards": sum(laid.tableau),
        "stock.cards": laid.stock,
    }
    for statement in document.statements:
        for path, number in (statement.says or {}).items():
            if path in counted and number != counted[path]:
                lines = ", ".join(map(str, statement.at))
                yield InputError(
                    f"{counted[path]}, but {statement.id} ({document.file}, line {lines}) says "
                    f"{number}; the deal is {laid}",
                    instead="change a number so that the sum comes out",
                    place=place,
                    path=path,
                )
