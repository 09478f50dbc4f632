"""The ruleset model: what a builder solitaire is, in six kinds of pile and five policies.

A ruleset is a pack, groups of piles (foundations, tableau, reserve, cells, waste), a stock, perhaps
a regather, and a goal. Every group of piles answers the same questions: how many, what is dealt,
what may be built (:class:`Build`), what moves as a unit (:class:`GroupMove`), where cards may come
from, and what becomes of a space (:class:`Spaces`).

The dotted path of a field (``tableau.build.suit``) is its name everywhere: in game files, in
statements, in findings and in reports. Absent means absent: a group that is not given does not
exist. The stock's size is derived (:mod:`spec.accounting`) and never written.

The vocabulary is measured on the rule parameters of 479 builder games that Politaire publishes as
data (github.com/kyleu/solitaire.gg, CC0); the words are the field's (PySolFC's glossary).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)

from spec import cards
from spec.errors import InputError


def _rank_letter(value: object) -> object:
    """A YAML integer in a rank position (``2``) read as the rank's letter."""
    if isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= 10:
        return cards.RANKS[value - 1]
    return "T" if value == "10" else value


def _or_nothing(chain: list[Any] | None) -> list[Any] | None:
    """A chain of fills with nothing in it is no chain."""
    return chain or None


Rank = Annotated[
    Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"],
    BeforeValidator(_rank_letter),
    WithJsonSchema({"enum": [*cards.RANKS, "10", *range(2, 11)]}),
]
"""A rank as documents write it; a literal rank stays literal whatever the base rank is."""

RankReference = Rank | Literal["low", "high"]
"""``low`` is the base rank, ``high`` the rank before it."""

PileKind = Literal["tableau", "foundation", "reserve", "waste", "stock", "cell"]
SuitRelation = Literal["same", "alternate", "any", "colour", "different"]
Step = Literal["down", "up", "either", "equal", "any", "none"] | Annotated[int, Field(ge=2, le=12)]
Wrap = Literal["none", "base", "full"]
Count = Annotated[int, Field(ge=0, le=208)]
Piles = Annotated[int, Field(ge=1, le=64)]
Turned = Annotated[int, Field(ge=1)]
PerPile = Annotated[list[Count], Field(min_length=1, max_length=64)]
Kinds = Annotated[list[PileKind], Field(min_length=1)]
"""Kinds of pile from which cards may come; that none may come says the build policy."""


class Part(BaseModel):
    """A part of a ruleset: frozen, strict, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class PackRules(Part):
    """Which cards are played with, and which rank the foundations start on."""

    decks: Annotated[int, Field(ge=1, le=8)] = Field(1, description="How many decks?")
    suits: dict[Annotated[str, Field(pattern="^[A-Z]$")], str] = Field(
        default_factory=lambda: dict(cards.STANDARD_SUITS),
        description="Which suits, and which colour is each?",
        min_length=1,
        max_length=8,
    )
    ranks: Annotated[int, Field(ge=2, le=13)] = Field(
        13, description="How many ranks, from the ace?"
    )
    base: Rank | Literal["first_card", "none"] = Field(
        "A",
        description="On which rank do foundations start? first_card: dealt if foundations.deal is "
        "not 0, else the first card that is played.",
    )

    def pack(self) -> cards.Pack:
        """The pack as cards. In whatever order the suits are written, it is the same pack."""
        suits = tuple(sorted(self.suits.items()))
        return cards.Pack(decks=self.decks, suits=suits, ranks=self.ranks)


class Build(Part):
    """A build policy: which card may lie on which."""

    step: Step = Field("down", description="Up or down in rank?")
    suit: SuitRelation = Field(description="By suit, by colour, or regardless?")
    wrap: Wrap = Field(
        "none",
        description="Does building go round the corner? none: ace low, king high; base: the base "
        "rank low, the rank before it high; full: a circle.",
    )


class FoundationBuild(Part):
    """The build policy of foundations; the circle of ranks ends at ``foundations.cap``."""

    step: Step = Field("up", description="Do foundations build up or down?")
    suit: SuitRelation = Field("same", description="By suit, by colour, or regardless?")
    wrap: Wrap = Field("full", description="Does an ace go on a king?")


class GroupMove(Part):
    """What moves as a unit from a pile."""

    unit: Literal["card", "group", "whole_group", "pile", "any"] = Field(
        "card",
        description="What moves as a unit: one card, any built tail (group), only the longest "
        "built tail (whole_group), only a whole pile, or any face-up tail?",
    )
    suit: SuitRelation | None = Field(
        None, description="Which suits go together within a group? Left out: as built."
    )
    step: Step | None = Field(
        None, description="Which ranks go together within a group? Left out: as built."
    )


class Spaces(Part):
    """What becomes of an empty pile."""

    accept: Literal["any", "none"] | Annotated[list[RankReference], Field(min_length=1)] = Field(
        "any", description="Which cards may a player put into a space?"
    )
    from_: Kinds | None = Field(
        None,
        alias="from",
        description="From where may a player fill a space? Left out: as tableau.from.",
    )
    unit: Literal["card"] | None = Field(
        None, description="Does only one card go into a space? Left out: what moves as a unit goes."
    )
    fill: Annotated[
        list[Literal["stock", "waste", "reserve", "next_pile"]] | None, AfterValidator(_or_nothing)
    ] = Field(
        None,
        description="From where is a space filled automatically, in which order? Left out: it is "
        "not.",
    )
    fill_count: Annotated[int, Field(ge=1, le=13)] = Field(
        1, description="How many cards does an automatic fill take?"
    )


class Tableau(Part):
    """A group of tableau piles."""

    piles: Piles = Field(description="How many piles?")
    deal: Count | Literal["triangle", "rest"] | PerPile = Field(
        description="How many cards are dealt to each pile?"
    )
    face_down: Count | Literal["all_but_top", "odd", "even"] | PerPile = Field(
        0, description="How many of them face down?"
    )
    cap: Annotated[int, Field(ge=1)] | None = Field(
        None, description="How many cards may a pile hold? Left out: any number."
    )
    build: Build
    move: GroupMove = GroupMove()
    from_: Kinds | None = Field(
        None,
        alias="from",
        description="From where may cards come onto a pile that has cards? Left out: anywhere.",
    )
    spaces: Spaces = Spaces()
    sink: Rank | None = Field(
        None, description="Which rank sinks to the bottom in the deal? Left out: none."
    )
    low_bottoms: Count = Field(0, description="How many piles start on their lowest card?")
    play_in_deal: Literal["never", "leave_gap", "replace"] = Field(
        "never", description="Are cards played to foundations during the deal?"
    )


class FirstCards(Part):
    """What the first cards of the foundations must be, beside their rank."""

    distinct: Literal["suit", "colour"] | None = Field(
        None,
        description="Must the first cards of the foundations differ in suit or colour? Left out: "
        "no.",
    )
    suits: list[str] | None = Field(
        None,
        description="Of which suits must the first cards of the foundations be? Left out: any.",
    )


class Foundations(Part):
    """A group of foundation piles."""

    piles: Piles | None = Field(
        None, description="How many foundations? Left out: one for every suit of every deck."
    )
    deal: Count = Field(0, description="How many foundations start with a card from the deal?")
    start: RankReference | Literal["any"] = Field("low", description="Which rank goes first?")
    build: FoundationBuild = FoundationBuild()
    cap: Annotated[int, Field(ge=1)] | Literal["unlimited"] | None = Field(
        None, description="How many cards may a pile hold? Left out: as many as there are ranks."
    )
    whole: bool = Field(False, description="Only complete sequences?")
    returns: Literal["never", "always", "stock_empty"] = Field(
        "never", description="May a card move back from a foundation (worrying back)?"
    )
    first: FirstCards = FirstCards()


class Reserve(Part):
    """A reserve: its top card is in play, and nothing moves into it."""

    piles: Piles = Field(1, description="How many reserve piles?")
    deal: Count | PerPile = Field(description="How many cards are dealt to each reserve pile?")
    face_down: Count | Literal["all_but_top"] | PerPile = Field(
        0, description="How many of them face down?"
    )
    fill: Annotated[list[Literal["stock", "waste"]] | None, AfterValidator(_or_nothing)] = Field(
        None,
        description="From where is the reserve filled again, in which order? Left out: it is not.",
    )


class Cells(Part):
    """Piles of one card each that take any card."""

    piles: Piles = Field(description="How many cells?")
    deal: Count = Field(0, description="How many cells start with a card?")
    from_: Kinds | None = Field(
        None,
        alias="from",
        description="From where may cards come into a cell? Left out: anywhere.",
    )


class Waste(Part):
    """The pile that the stock is dealt to; its top card is in play."""

    piles: Annotated[int, Field(ge=1, le=1)] = Field(1, description="How many wastes?")


class Stock(Part):
    """What is left of the pack after the deal."""

    to: Literal["waste", "tableau", "foundation", "reserve", "hand", "fill_only"] = Field(
        "waste", description="Where does the stock deal to?"
    )
    group: Count = Field(0, description="To which group of its kind does the stock deal?")
    count: Turned | Annotated[list[Turned], Field(min_length=1, max_length=64)] = Field(
        1, description="How many cards at a time (a list: in each pass)?"
    )
    passes: Annotated[int, Field(ge=1)] | Literal["unlimited"] = Field(
        1, description="How many passes through the stock? One more than redeals."
    )
    spaces: Literal["deal", "skip", "forbid"] = Field(
        "deal",
        description="A stock that deals to the tableau: does it deal to spaces, skip them, or not "
        "deal while there are any?",
    )
    when: Literal["always", "no_other_move"] = Field(
        "always", description="May the stock be turned at any time?"
    )


class Regather(Part):
    """Gathering the tableau and dealing it again."""

    times: Annotated[int, Field(ge=1)] = Field(
        description="How often may the tableau be gathered and dealt again?"
    )
    pickup: Literal["first_to_last", "last_to_first"] = Field(
        "first_to_last", description="In which order are the tableau piles gathered?"
    )
    deal: Literal["by_piles", "by_rows"] = Field(
        "by_piles", description="Are they dealt again pile by pile or row by row?"
    )
    shuffle: bool = Field(False, description="Are the gathered cards shuffled?")


class Goal(Part):
    """When the game is won."""

    when: Literal["foundations", "sorted", "stock_empty", "foundations_or_stock"] = Field(
        "foundations", description="When is the game won? foundations: all cards are on them."
    )


class Ruleset(Part):
    """Exactly which game is played. Several groups of a kind are a list."""

    pack: PackRules = PackRules()
    foundations: list[Foundations] = Field(default_factory=list)
    tableau: list[Tableau] = Field(default_factory=list)
    reserve: list[Reserve] = Field(default_factory=list)
    cells: Cells | None = None
    waste: Waste | None = None
    stock: Stock | None = None
    regather: Regather | None = None
    goal: Goal = Goal()

    def canonical(self) -> str:
        """The ruleset as JSON, one text for one ruleset: defaults left out, keys sorted.

        Says the same whether a derived number (the foundations' piles and cap) is stated or left
        out. Does not see through other values that come to the same, such as a list of the
        numbers that ``triangle`` stands for.
        """
        plain = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        for group in plain.get("foundations", ()):
            # Stating the derived number is the same rule as leaving it out.
            if group.get("piles") == self.pack.decks * len(self.pack.suits):
                del group["piles"]
            if group.get("cap") == self.pack.ranks:
                del group["cap"]
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        """The SHA-256 of :meth:`canonical`, in hexadecimal: another for any other value."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()


GROUPS = ("foundations", "tableau", "reserve")
"""The parts that are lists of groups. Their paths read ``tableau.deal`` or ``tableau[1].deal``."""


def leaf_paths(model: type[BaseModel] = Ruleset, prefix: str = "") -> dict[str, Any]:
    """The dotted paths of all values of a ruleset, in order, each with its field's info."""
    paths: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        path = f"{prefix}{info.alias or name}"
        part = _part_of(info.annotation)
        if part is None:
            paths[path] = info
        else:
            paths |= leaf_paths(part, f"{path}.")
    return paths


@cache
def _all_paths() -> frozenset[str]:
    return frozenset(leaf_paths())


def _part_of(annotation: Any) -> type[BaseModel] | None:
    for candidate in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(candidate, type) and issubclass(candidate, Part):
            return candidate
    return None


_PATH = re.compile(r"(?P<name>[a-z]+)(?:\[(?P<number>[1-9][0-9]?)\])?(?:\.(?P<rest>.+))?", re.ASCII)


def split_path(path: str) -> tuple[str | int, ...]:
    """The steps of a dotted path: ``tableau[1].build.suit`` is tableau, 1, build, suit.

    The first group of a kind has no number, the second is ``[1]``; every value has one path.
    KeyError if a ruleset has no such path.
    """
    found = _PATH.fullmatch(path)
    if found is None:
        raise KeyError(path)
    name, number, rest = found["name"], found["number"], found["rest"]
    if f"{name}.{rest}" not in _all_paths() or (number and name not in GROUPS):
        raise KeyError(path)
    steps = tuple(rest.split("."))
    return (name, int(number or 0), *steps) if name in GROUPS else (name, *steps)


def tree_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values at dotted paths as the nested data of a ruleset.

    KeyError for an unknown path, InputError where the numbers of groups leave one out.
    """
    tree: dict[str, Any] = {}
    first: dict[tuple[str | int, ...], str] = {}
    for path, value in values.items():
        node: dict[Any, Any] = tree
        *steps, last = split_path(path)
        first.setdefault(tuple(steps[:2]), path)
        for step in steps:
            node = node.setdefault(step, {})
        node[last] = value
    for name in GROUPS:
        groups = tree.get(name, {})
        for number, group in enumerate(sorted(groups)):
            if group != number:
                lacking = f"{name}[{number}]" if number else name
                raise InputError(
                    f"is said of a group of its own and nothing is said of {lacking}",
                    instead=f"number the groups {name}, {name}[1], {name}[2] and so on",
                    path=first[name, group],
                )
        if name in tree:
            tree[name] = [groups[group] for group in sorted(groups)]
    return tree


def from_paths(values: Mapping[str, Any]) -> Ruleset:
    """The ruleset whose values stand at dotted paths; KeyError for a path that there is not.

    Raises InputError where the numbers of groups leave one out, and pydantic's ValidationError,
    whose locations are the steps of :func:`split_path`.
    """
    return Ruleset.model_validate(tree_of(values))


def value_at(ruleset: Ruleset, path: str) -> Any:
    """The value at a dotted path, defaults included; None where the group is absent."""
    node: Any = ruleset
    for step in split_path(path):
        if node is None:
            return None
        if isinstance(step, int):
            node = node[step] if step < len(node) else None
        else:
            node = getattr(node, "from_" if step == "from" else step)
    return node


def parse_ruleset(tree: Any) -> Ruleset:
    """The ruleset that a canonical JSON tree states; InputError if it states none."""
    try:
        return Ruleset.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(step) for step in first["loc"])
        raise InputError(
            first["msg"], instead="write a ruleset as dealproof does", path=path
        ) from error
