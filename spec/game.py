"""Games: a complete ruleset, a citation beside every value, rulings where documents are open.

A game file says of every rule which statements it rests on. Where the documents are silent or
disagree, the value rests on a ruling: the alternatives, the choice, the reason, and the statements
it overrules. A *reading* is a difference from the game, known as ``signora@wraps``; a game may be a
difference from another game, ``based_on``, and inherits its citations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from spec.accounting import Layout, layout
from spec.errors import InputError, InputErrors, Place
from spec.gamecheck import Facts, Said, check, is_path, nearest
from spec.gamefile import Cite, GameFile, Reading, Rule, Ruling, cited, seen_from
from spec.parameters import PARAMETERS
from spec.ruleset import GROUPS, Ruleset, tree_of
from spec.statement import DOCUMENTS, DocumentFile, Statement, load_document
from spec.yamlcheck import complaints
from spec.yamlfile import Document, load_yaml, validate

__all__ = ["GAMES", "Game", "Reading", "Rule", "Ruling", "game_names", "load_game"]

GAMES = Path(__file__).parent / "games"
"""The folder of the games that dealproof ships."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game in one reading: its rules path by path, and the ruleset that they make.

    Citations of inherited rules name their document where it is not the game's own.
    """

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
        name, number = cited(cite, self.document.document if self.document else None)
        if name is None:
            raise KeyError(cite)
        return self.documents[name], self.documents[name].statement(number)

    def citations(self, path: str) -> tuple[tuple[DocumentFile, Statement], ...]:
        """The statements that a rule rests on; none where a ruling or a source decides alone."""
        return tuple(self.statement(cite) for cite in self.rules[path].cite)


def game_names(folder: Path = GAMES) -> list[str]:
    """The names of the games in a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_game(key: str) -> Game:
    """The game of ``key``: a name, a file that ends in .yaml, either with ``@`` and a reading.

    Raises InputError for names there are not, and InputErrors, each with line and column, for what
    is wrong in the file, its sums included, in this reading or in any other.
    """
    name, at, reading = key.rpartition("@")
    if not at or reading.endswith(".yaml"):
        return _load(_file_of(key), None)
    return _load(_file_of(name), reading)


def _file_of(name: str) -> Path:
    if name.endswith(".yaml"):
        return Path(name)
    if name not in game_names():
        raise InputError(
            f"there is no game {name!r}",
            instead=f"one of {', '.join(game_names())}, or a file that ends in .yaml",
        )
    return GAMES / f"{name}.yaml"


def _load(path: Path, reading: str | None) -> Game:
    source = _Source(path)
    if reading is not None and reading not in source.file.readings:
        known = ", ".join(source.file.readings) or "none"
        raise InputError(
            f"{source.file.game} has no reading {reading!r}", instead=f"its readings: {known}"
        )
    games = {name: source.game(name) for name in (None, *source.file.readings)}
    return games[reading]


_At = tuple[str | int, ...]


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
        self.base = self._base((*seen, self.file.game))
        errors = [*self._wrong_paths(), *self._wrong_rulings()]
        if errors:
            raise InputErrors(errors)

    def _base(self, seen: tuple[str, ...]) -> _Source | None:
        if self.file.based_on is None:
            return None
        beside = self.path.with_name(f"{self.file.based_on}.yaml")
        base = beside if beside.exists() else GAMES / beside.name
        if not base.exists():
            raise self._error(
                f"there is no game {self.file.based_on!r}",
                instead="name a game file beside this one",
                at=("based_on",),
            )
        return _Source(base, seen)

    def _error(self, what: str, *, instead: str, at: _At, key: bool = False) -> InputError:
        path = ".".join(map(str, at[:-1] if key else at))
        return InputError(what, instead=instead, place=self.yaml.place(at, key=key), path=path)

    def _rules(self) -> Iterator[tuple[_At, str, Rule]]:
        """Every rule that the file writes, with its place and its path."""
        layers: list[tuple[_At, Mapping[str, Rule]]] = [(("rules",), self.file.rules)]
        for name, reading in self.file.readings.items():
            layers.append((("readings", name, "rules"), reading.rules))
        for at, rules in layers:
            for path, rule in rules.items():
                yield (*at, path), path, rule

    def _cites(self) -> Iterator[tuple[_At, Cite]]:
        for at, _, rule in self._rules():
            for index, cite in enumerate(rule.cite):
                yield (*at, "cite", index), cite
        for name, ruling in self.file.rulings.items():
            for index, cite in enumerate(ruling.overrules):
                yield ("rulings", name, "overrules", index), cite

    def _wrong_paths(self) -> Iterator[InputError]:
        for at, path, _ in self._rules():
            if not is_path(path):
                yield self._error(
                    f"a ruleset has no {path!r}", instead=nearest(path), at=at, key=True
                )

    def _wrong_rulings(self) -> Iterator[InputError]:
        """Rulings about paths that there are not, or against statements that there are not."""
        for name, ruling in self.file.rulings.items():
            for index, path in enumerate(ruling.asks):
                if path not in PARAMETERS and not is_path(path):
                    yield self._error(
                        f"it is about {path!r}",
                        instead=nearest(path),
                        at=("rulings", name, "asks", index),
                    )
            for index, cite in enumerate(ruling.overrules):
                document, number = cited(cite, self.file.document)
                known = self.documents[document].statements if document else ()
                if number not in [statement.id for statement in known]:
                    yield self._error(
                        f"there is no statement {cite!r}",
                        instead="name a statement of the game's document, or document:statement",
                        at=("rulings", name, "overrules", index),
                    )

    def said(self, reading: str | None) -> dict[str, Said]:
        """The rules path by path: those of the base, then of the game, then of the reading."""
        own = self.file.document
        said: dict[str, Said] = {}
        if self.base is not None:
            other = self.base.file.document
            for path, entry in self.base.said(None).items():
                cite = seen_from(entry.rule.cite, own, other)
                rule = entry.rule.model_copy(update={"cite": cite})
                said[path] = Said(rule=rule, place=entry.place, cites=entry.cites)
        for at, path, rule in self._rules():
            if at[0] == "readings" and at[1] != reading:
                continue
            said.pop(path, None)
            if rule.is_ is not None:
                cites = (self.yaml.place((*at, "cite", n)) for n in range(len(rule.cite)))
                place = self.yaml.place((*at, "is"))
                said[path] = Said(rule=rule, place=place, cites=tuple(cites))
        return said

    def rulings(self) -> dict[str, Ruling]:
        """The rulings of the base and of this file."""
        rulings: dict[str, Ruling] = {}
        if self.base is not None:
            own, other = self.file.document, self.base.file.document
            for name, ruling in self.base.rulings().items():
                overrules = seen_from(ruling.overrules, own, other)
                rulings[name] = ruling.model_copy(update={"overrules": overrules})
        return rulings | self.file.rulings

    @cached_property
    def documents(self) -> dict[str, DocumentFile]:
        """Every document that this file, or its base, means or cites."""
        wanted: dict[str, _At] = {}
        if self.file.document is not None:
            wanted[self.file.document] = ("document",)
        for at, cite in self._cites():
            if ":" in cite:
                wanted.setdefault(cite.rpartition(":")[0], at)
        documents = dict(self.base.documents) if self.base else {}
        return documents | {
            name: self._document(name, wanted[name])
            for name in sorted(wanted)
            if name not in documents
        }

    def _document(self, name: str, at: _At) -> DocumentFile:
        for folder in self.folders:
            path = folder / f"{name}.yaml"
            if not path.exists():
                continue
            document = load_document(path)
            if document.document != name:
                raise self._error(
                    f"{path.name} says that it is {document.document!r}",
                    instead="give the document the name of its file",
                    at=at,
                )
            return document
        raise self._error(
            f"there is no document {name!r}",
            instead=f"put {name}.yaml in a folder documents beside the games",
            at=at,
        )

    def game(self, reading: str | None) -> Game:
        """The game in a reading; InputErrors for what does not fit together."""
        file, said = self.file, self.said(reading)
        ruleset = self._ruleset(said)
        errors: list[InputError] = []
        laid = None
        try:
            laid = layout(ruleset)
        except InputError as error:
            errors.append(error.at(self._place_of(error.path, said)))
        facts = Facts(
            said=said,
            rulings=self.rulings(),
            document=file.document,
            documents=self.documents,
            ruleset=ruleset,
            layout=laid,
            top=self.yaml.place(("rules",), key=True),
        )
        errors += check(facts)
        if laid is None or errors:
            raise InputErrors(sorted(errors, key=_by_place))
        return Game(
            name=file.game,
            reading=reading,
            title=file.readings[reading].title if reading else file.title,
            about=file.readings[reading].reason if reading else file.about,
            rules={path: entry.rule for path, entry in said.items()},
            rulings=facts.rulings,
            readings=file.readings,
            document=self.documents[file.document] if file.document else None,
            documents=self.documents,
            ruleset=ruleset,
            layout=laid,
        )

    def _place_of(self, path: str, said: Mapping[str, Said]) -> Place:
        return said[path].place if path in said else self.yaml.place(("rules",), key=True)

    def _ruleset(self, said: Mapping[str, Said]) -> Ruleset:
        try:
            tree = tree_of({path: entry.rule.is_ for path, entry in said.items()})
        except InputError as error:
            raise InputErrors([error.at(self._place_of(error.path, said))]) from None
        try:
            return Ruleset.model_validate(tree)
        except ValidationError as error:

            def locate(path: tuple[str | int, ...], *, key: bool) -> tuple[Place | None, str]:
                del key
                written = _flat(path)
                for known, entry in said.items():
                    if written == known or written.startswith((f"{known}.", f"{known}[")):
                        return entry.place, written
                return self._place_of(written, said), written

            raise InputErrors(complaints(Ruleset, tree, error, locate=locate)) from error


def _by_place(error: InputError) -> tuple[str, int, int]:
    place = error.place
    return (place.file, place.line or 0, place.column or 0) if place else ("", 0, 0)


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
