"""The statement language: what one document says, one entry a statement, each with its lines.

A document file copies no sentence. A statement has a paraphrase, the lines it rests on, and one
kind: ``says`` (a rule or a count has a value), ``move`` and ``fill`` (from where cards may go
where), ``example`` and ``fits`` (worked examples and universals), ``like`` (a relation to another
game), ``varies`` (a dispute that the document declares) and ``remark`` (no force). The literal
reading comes first; further, more charitable readings follow under ``or``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from spec.cards import RANKS, Card, Pack
from spec.errors import InputError, InputErrors
from spec.parameters import PARAMETERS, PILE_KINDS, Choice, Number, Value, parameter
from spec.ruleset import PileKind
from spec.yamlfile import Document, load_yaml, validate

DOCUMENTS = Path(__file__).parent / "documents"
"""The folder of the transcribed documents."""

_PACK = Pack()
_COLOURS = ("black", "red")


def _read_card(text: str) -> str:
    try:
        return str(_PACK.parse(text))
    except InputError as error:
        raise ValueError(f"{error.what}; {error.instead}") from None


def cards_of(pattern: str) -> tuple[Card, ...]:
    """The cards that ``pattern`` describes: ``6S`` one, ``black 8`` two, ``K`` four.

    In the order of the pack. ValueError, in two halves, if it describes none.
    """
    colour, _, rank = pattern.rpartition(" ")
    letter = {"10": "T"}.get(rank, rank).upper()
    if len(letter) == 1 and letter in RANKS and colour in ("", *_COLOURS):
        cards = [Card(RANKS.index(letter) + 1, suit) for suit, _ in _PACK.suits]
        return tuple(card for card in cards if colour in ("", _PACK.colour(card.suit)))
    if colour:
        raise ValueError(f"{pattern!r} describes no card; write 6S, black 8 or K")
    return (_PACK.parse(_read_card(pattern)),)


def _read_pattern(value: Any) -> str:
    text = str(value)
    cards_of(text)
    return text


CardName = Annotated[str, AfterValidator(_read_card), WithJsonSchema({"type": "string"})]
"""A card: ``TH``."""

Pattern = Annotated[
    str | int, AfterValidator(_read_pattern), WithJsonSchema({"type": ["string", "integer"]})
]
"""A card, or the cards of a rank or of a rank and a colour: ``6S``, ``K``, ``black 8``."""

Pile: TypeAlias = Annotated[tuple[CardName, ...], Field(min_length=1, max_length=104)]
"""Cards from the bottom of a pile to its top."""

Kinds: TypeAlias = Literal["any"] | PileKind | Annotated[tuple[PileKind, ...], Field(min_length=1)]
"""Kinds of pile: one, several, or any."""


class _Part(BaseModel):
    """A part of a document file: frozen, strict, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Move(_Part):
    """From where a player may move cards to where.

    ``only`` means both: these may, and nothing else does; without ``by: player`` that covers
    automatic fills too. ``may`` without ``to`` says that they may move somewhere.
    """

    may: Kinds | None = Field(None, description="These may move.")
    only: Kinds | None = Field(None, description="These may move, and no others.")
    never: Kinds | None = Field(None, description="These never move.")
    to: Kinds | None = Field(None, description="Where to. Left out: somewhere, or anywhere.")
    by: Literal["player"] | None = Field(None, description="Only the player's own moves count.")

    @model_validator(mode="after")
    def _one_of_three(self) -> Move:
        if sum(given is not None for given in (self.may, self.only, self.never)) != 1:
            raise ValueError("a move says what may move; write one of may, only and never")
        if self.only is not None and self.to is None:
            raise ValueError("only these move, but where to; write 'to'")
        return self


Condition: TypeAlias = Literal["stock empty", "waste empty", "reserve empty"]
Conditions: TypeAlias = Condition | Annotated[tuple[Condition, ...], Field(min_length=1)]
Order: TypeAlias = Annotated[tuple[Kinds, ...], Field(min_length=1, max_length=6)]


class Fill(_Part):
    """How a space is filled: ``from`` piles, or from the first in an ``order`` that has cards.

    A fill speaks only of states in which one of its piles has cards. ``any`` names the tableau,
    the waste and the reserve, and leaves the rest unsaid.
    """

    by: Literal["automatic", "player"] = Field(description="By itself, or by the player's choice?")
    from_: Kinds | None = Field(None, alias="from", description="From which piles.")
    order: Order | None = Field(None, description="From the first of these that has cards.")
    then: Kinds | None = Field(None, description="What the player may use when all are empty.")
    when: Conditions | None = Field(None, description="Only when these piles are empty.")
    accept: Value | None = Field(None, description="Which cards: any, none or a rank.")

    @model_validator(mode="after")
    def _from_or_order(self) -> Fill:
        if (self.from_ is None) == (self.order is None):
            raise ValueError("a fill comes from somewhere; write either from or order")
        if self.then is not None and self.order is None:
            raise ValueError("'then' follows on an order; write order")
        if self.accept is not None:
            try:
                PARAMETERS["tableau.spaces.accept"].read(self.accept)
            except InputError as error:
                raise ValueError(f"{error.what}; {error.instead}") from None
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of ``when``."""
        return (self.when,) if isinstance(self.when, str) else self.when or ()

    @property
    def steps(self) -> tuple[tuple[Literal["automatic", "player"], Kinds], ...]:
        """The steps in their order, each with by whom; ``from`` is one step."""
        first = self.order or (() if self.from_ is None else (self.from_,))
        then = () if self.then is None else (self.then,)
        return (*((self.by, step) for step in first), *(("player", step) for step in then))


OPEN_KINDS: tuple[PileKind, ...] = ("tableau", "waste", "reserve")
"""What ``any`` pile means where a card is put: those that a player takes cards from."""


def kinds_of(kinds: Kinds | None) -> tuple[PileKind, ...]:
    """The kinds of pile that are named; ``any`` are those of :data:`OPEN_KINDS`."""
    if kinds is None:
        return ()
    if isinstance(kinds, tuple):
        return kinds
    return OPEN_KINDS if kinds == "any" else (kinds,)


Verdict: TypeAlias = Literal["legal", "illegal", "unstated"]
Given: TypeAlias = Literal["no tableau pile fits", "no foundation fits", "no space"]


class Example(_Part):
    """A worked example: cards are placed, built one after the other, or lifted as a unit.

    A pattern such as ``K`` stands for some card: legal if it is for some, illegal if for none.
    """

    place: Pattern | Pile | None = Field(None, description="The card or group that is placed.")
    build: Pile | None = Field(None, description="Cards that go one on the other, the lowest first")
    lift: Pile | None = Field(None, description="Cards that move as a unit, wherever to.")
    onto: Literal["empty", "anywhere"] | Pattern | Pile | None = Field(
        None, description="The top card, the whole pile from its bottom, empty, or anywhere."
    )
    in_: Literal["foundation", "tableau"] | None = Field(None, alias="in")
    from_: PileKind | None = Field(None, alias="from", description="Where the card comes from.")
    pile: Pile | None = Field(None, description="The whole pile that cards are lifted from.")
    alone: bool = Field(False, description="Of this pile nothing else can be lifted.")
    given: tuple[Given, ...] = Field((), description="What the example rules out.")
    verdict: Verdict = Field("legal", description="What the document says in words.")

    @model_validator(mode="after")
    def _one_act(self) -> Example:
        acts = [act for act in _ACTS if getattr(self, act) is not None]
        if len(acts) != 1:
            raise ValueError("an example shows one act; write one of place, build and lift")
        for key in ("onto", "in_", "from_", "pile", "alone", "given"):
            if getattr(self, key) and key not in _ACTS[acts[0]]:
                raise ValueError(f"{key.rstrip('_')} says nothing of {acts[0]}; take it out")
        return self

    @model_validator(mode="after")
    def _where(self) -> Example:
        if self.place is not None and self.onto is None:
            raise ValueError("a card is placed somewhere; write onto")
        if self.build is not None and self.onto not in (None, "empty"):
            raise ValueError("a built pile lies on its first card; write that card first")
        if self.lift is None and (self.in_ is None) != (self.onto == "anywhere"):
            raise ValueError("on which kind of pile; write in, or onto: anywhere and no in")
        if self.given and self.onto != "anywhere":
            raise ValueError("only what is placed anywhere has places ruled out; take out given")
        return self

    @model_validator(mode="after")
    def _lifted(self) -> Example:
        if self.alone and (self.pile is None or self.verdict == "illegal"):
            raise ValueError("alone says what of a pile can be lifted; write pile, and no illegal")
        if self.lift is not None and self.pile and self.pile[-len(self.lift) :] != self.lift:
            raise ValueError("the lifted cards are not the top of the pile; write them as they lie")
        return self


_ACTS = {
    "place": ("onto", "in_", "from_", "given"),
    "build": ("onto", "in_", "from_"),
    "lift": ("pile", "alone"),
}
"""The acts that an example can show, each with what can be said of it."""


class Fits(_Part):
    """A universal: on ``onto`` go exactly these cards, no others and each of them."""

    onto: Pattern
    in_: Literal["foundation", "tableau"] = Field(alias="in")
    exactly: Pattern | Annotated[tuple[Pattern, ...], Field(min_length=1)]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that fit."""
        patterns = self.exactly if isinstance(self.exactly, tuple) else (self.exactly,)
        return tuple(card for pattern in patterns for card in cards_of(str(pattern)))


_VALUE_SCHEMA: dict[str, Any] = {"type": ["string", "integer"]}


def _schema_of(path: str) -> dict[str, Any]:
    domain = PARAMETERS[path].domain
    if isinstance(domain, Choice):
        one: dict[str, Any] = {"enum": list(domain.values)}
    elif isinstance(domain, Number):
        numbers = {"type": "integer", "minimum": domain.low, "maximum": domain.high}
        one = {"anyOf": [numbers, {"enum": list(domain.words)}]} if domain.words else numbers
    else:
        one = _VALUE_SCHEMA
    question = PARAMETERS[path].question
    return {"description": question, "anyOf": [one, {"type": "array", "items": one}]}


_RULES_SCHEMA = WithJsonSchema(
    {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {path: _schema_of(path) for path in PARAMETERS},
    }
)

Answer: TypeAlias = Value | Annotated[list[Value], Field(min_length=1)]
"""A value, or a list: one of these."""


def _spelled(answers: dict[str, Answer]) -> dict[str, Answer]:
    return {path: _spell(path, answer) for path, answer in answers.items()}


def _spell(path: str, answer: Answer) -> Answer:
    if path not in PARAMETERS:
        return answer
    spell = PARAMETERS[path].domain.spell
    return [spell(value) for value in answer] if isinstance(answer, list) else spell(answer)


Answers = Annotated[dict[str, Answer], Field(min_length=1), AfterValidator(_spelled), _RULES_SCHEMA]
"""Values at dotted paths."""


class Reading(_Part):
    """One way to take a statement: exactly one kind."""

    text: str | None = Field(None, description="A short paraphrase in our own words.")
    says: Answers | None = Field(None, description="Rules or counts and their values.")
    move: Move | None = Field(None, description="From where cards may move to where.")
    fill: Fill | None = Field(None, description="How a space is filled.")
    example: Example | None = Field(None, description="A worked example.")
    fits: Fits | None = Field(None, description="Exactly which cards fit on a card.")
    like: Like | None = Field(None, description="A relation to another game.")
    varies: Answers | None = Field(None, description="A dispute that is declared; no force.")
    remark: str | None = Field(None, description="No force.")

    @model_validator(mode="after")
    def _one_kind(self) -> Reading:
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            found = f"there are {', '.join(given)}" if given else "there is none"
            raise ValueError(
                f"a statement has one kind and {found}; write one of {_KINDS_IN_WORDS}"
            )
        return self

    @property
    def kind(self) -> str:
        """The name of its kind: ``says``, ``fill``."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)


KINDS = ("says", "move", "fill", "example", "fits", "like", "varies", "remark")
_KINDS_IN_WORDS = f"{', '.join(KINDS[:-1])} and {KINDS[-1]}"

Kebab = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class Like(_Part):
    """A relation: ``game`` is ``as`` another game, but for these statements.

    ``only`` names the beginnings of the paths that the relation is about; left out: all rules.
    """

    game: Kebab
    as_: Kebab = Field(alias="as")
    but: tuple[Reading, ...] = Field((), description="What is different.")
    only: tuple[str, ...] | None = Field(None, description="What the relation is about.")


class Statement(Reading):
    """What a document says, with the lines that say so."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{1,3}[0-9]{1,3}[a-z]?$")]
    at: Annotated[tuple[int, ...], Field(min_length=1)] = Field(description="Lines, from 1.")
    text: str = Field(description="A short paraphrase in our own words.")
    note: str | None = Field(None, description="What a reader of this file should know.")
    flavour: bool = Field(False, description="Said in passing, not as a rule.")
    or_: tuple[Reading, ...] = Field((), alias="or", description="Further, charitable readings.")

    @model_validator(mode="after")
    def _readings_are_told_apart(self) -> Statement:
        if not all(reading.text for reading in self.or_):
            raise ValueError("a further reading says how it differs; write its text")
        return self

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The literal reading, then the further ones."""
        return (self, *self.or_)


class Words(_Part):
    """What the document calls things."""

    exposed: str | None = Field(None, description="The end of a pile that is in play: top, bottom.")
    stock: str | None = None
    waste: str | None = None
    reserve: str | None = None


class DocumentFile(_Part):
    """One document, transcribed."""

    document: Kebab = Field(description="The name of the document.")
    title: str
    game: Kebab = Field(description="The game that it is about.")
    file: Annotated[str, Field(pattern=r"^[^/\\]+$")] = Field(description="The name of its file.")
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(description="Of its file.")
    lines: Annotated[int, Field(ge=1)] = Field(description="How many lines it has.")
    words: Words = Words()
    statements: tuple[Statement, ...]

    def statement(self, name: str) -> Statement:
        """The statement whose id is ``name``; KeyError if there is none."""
        for statement in self.statements:
            if statement.id == name:
                return statement
        raise KeyError(name)


def load_document(path: Path) -> DocumentFile:
    """The document that the file at ``path`` transcribes.

    Raises InputErrors, each with line and column, for what the model refuses, ids that are used
    twice, lines that the document does not have, rules that there are not, and values that are no
    answer. Does not read the document itself.
    """
    source = load_yaml(path)
    document = validate(DocumentFile, source)
    errors = list(_complaints(document, source))
    if errors:
        raise InputErrors(errors)
    return document


def load_documents(folder: Path = DOCUMENTS) -> list[DocumentFile]:
    """The documents of ``folder``, in the order of their file names."""
    return [load_document(path) for path in sorted(folder.glob("*.yaml"))]


_Path: TypeAlias = tuple[str | int, ...]


def _complaints(document: DocumentFile, source: Document) -> Iterator[InputError]:
    first: dict[str, int] = {}
    for index, statement in enumerate(document.statements):
        path: _Path = ("statements", index)
        if statement.id in first:
            yield InputError(
                f"the id {statement.id!r} is used twice",
                instead="every statement has its own",
                place=source.place((*path, "id")),
                path=f"statements[{index}].id",
            )
        first.setdefault(statement.id, index)
        yield from _wrong_lines(statement, document.lines, source, path)
        for reading, where in _readings(statement, path):
            yield from _wrong_answers(reading, source, where)


def _wrong_lines(
    statement: Statement, lines: int, source: Document, path: _Path
) -> Iterator[InputError]:
    for number, line in enumerate(statement.at):
        if not 1 <= line <= lines or line in statement.at[:number]:
            twice = line in statement.at[:number]
            yield InputError(
                f"line {line} is {'given twice' if twice else 'not in the document'}",
                instead=f"lines are 1 to {lines}, each once",
                place=source.place((*path, "at", number)),
                path=f"{statement.id}.at",
            )


def _readings(reading: Reading, path: _Path) -> Iterator[tuple[Reading, _Path]]:
    """A reading, its further readings and the parts of its relation, each with its path."""
    yield reading, path
    if isinstance(reading, Statement):
        for index, further in enumerate(reading.or_):
            yield from _readings(further, (*path, "or", index))
    if reading.like is not None:
        for index, part in enumerate(reading.like.but):
            yield from _readings(part, (*path, "like", "but", index))


def _wrong_answers(reading: Reading, source: Document, path: _Path) -> Iterator[InputError]:
    for kind, answers in (("says", reading.says), ("varies", reading.varies)):
        for name, answer in (answers or {}).items():
            where = (*path, kind, name)
            try:
                asked = parameter(name)
            except InputError as error:
                yield error.at(source.place(where, key=True))
                continue
            for value in answer if isinstance(answer, list) else [answer]:
                try:
                    asked.read(value)
                except InputError as error:
                    yield error.at(source.place(where))
    for index, prefix in enumerate((reading.like and reading.like.only) or ()):
        if not any(f"{name}.".startswith(f"{prefix}.") for name in PARAMETERS):
            yield InputError(
                f"no rule is called {prefix!r} or begins so",
                instead=f"begin with a kind of pile, pack, stock or goal ({', '.join(PILE_KINDS)})",
                place=source.place((*path, "like", "only", index)),
            )
