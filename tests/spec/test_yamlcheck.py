from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    ValidationError,
    model_validator,
)

from spec.errors import InputError, InputErrors, Place
from spec.yamlcheck import complaints
from spec.yamldoc import dotted
from spec.yamlfile import parse_yaml, validate


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Colour(enum.Enum):
    RED = "red"
    BLACK = "black"


def no_joker(text: str) -> str:
    if text == "joker":
        raise ValueError("there is no joker; write a card")
    return text


class Build(Strict):
    suit: Literal["same", "alternate", "any"] = "any"
    step: Literal["down", "up"] | Annotated[int, Field(ge=2)] = "down"


class Pile(Strict):
    piles: int
    deal: int | Literal["rest", "triangle"] | list[int] = 1
    build: Build = Build()
    from_: list[str] = Field(default_factory=list, alias="from")


class Says(Strict):
    kind: Literal["says"]
    value: int


class Counts(Strict):
    kind: Literal["counts"]
    piles: tuple[int, ...]


class Example(Strict):
    legal: bool


def form(value: Any) -> str | None:
    keys = value if isinstance(value, dict) else {}
    return "example" if "legal" in keys else "says" if "kind" in keys else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    name: str
    lines: tuple[int, ...] = ()


class Book(Strict):
    title: str = "x"
    pile: Pile | None = None
    piles: list[Pile] = []
    named: dict[str, Build] = {}
    suits: dict[Literal["C", "S"], Colour] = {}
    flag: bool = False
    number: float = 0.0
    pair: tuple[int, str] = (1, "")
    ranks: frozenset[int] = frozenset()
    card: Annotated[str, AfterValidator(no_joker)] = ""
    told: Annotated[Says | Counts, Field(discriminator="kind")] | None = None
    formed: (
        Annotated[
            Annotated[Example, Tag("example")] | Annotated[Says, Tag("says")],
            Discriminator(form),
        ]
        | None
    ) = None
    loose: Says | Counts | Example | None = None
    either: Example | Says | None = None
    # A member of this union is named like a key of the value.
    odd: Build | list[Build] | None = None
    letter: Annotated[str, Field(pattern="^[A-Z]$", min_length=1)] = "A"
    few: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]
    source: Source | None = None
    size: Annotated[int, Field(gt=0, le=13)] | None = None


def said(text: str, *, model: type[BaseModel] = Book, **options: Any) -> list[str]:
    with pytest.raises(InputErrors) as caught:
        validate(model, parse_yaml(text, file="f"), **options)
    assert str(caught.value).split("\n") == [str(error) for error in caught.value.errors]
    return [str(error) for error in caught.value.errors]


GOOD = """
title: "no"
pile: {piles: 8, deal: [1, 2], build: {step: 2}, from: [waste]}
suits: {C: black}
flag: true
number: 3
pair: [1, x]
ranks: [1, 2]
told: {kind: counts, piles: [1, 2]}
formed: {legal: false}
source: {name: x, lines: [3]}
"""


def test_a_good_document_is_the_model() -> None:
    book = validate(Book, parse_yaml(GOOD, file="f"))
    assert book.title == "no"
    assert book.pile is not None
    assert book.pile.build.step == 2
    assert book.pile.from_ == ["waste"]
    assert book.suits == {"C": Colour.BLACK}
    assert book.pair == (1, "x")
    assert book.ranks == {1, 2}
    assert book.told == Counts(kind="counts", piles=(1, 2))
    assert book.source == Source(name="x", lines=(3,))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        # unknown keys, at the key
        (
            "pile:\n  piles: 1\n  biuld: {}\n",
            (
                "f:3:3: pile.biuld: unknown key 'biuld'; allowed here: piles, deal, build, from "
                "(did you mean 'build'?)"
            ),
        ),
        (
            "named: {x: {stuff: 1}}",
            "f:1:13: named.x.stuff: unknown key 'stuff'; allowed here: suit, step",
        ),
        (
            "told: {kind: says, value: 1, x: 2}",
            "f:1:30: told.x: unknown key 'x'; allowed here: kind, value",
        ),
        (
            "formed: {legal: true, legl: 1}",
            "f:1:23: formed.legl: unknown key 'legl'; allowed here: legal (did you mean 'legal'?)",
        ),
        (
            "source: {name: x, nmae: y}",
            (
                "f:1:19: source.nmae: unknown key 'nmae'; allowed here: name, lines "
                "(did you mean 'name'?)"
            ),
        ),
        (
            "pile: {piles: 1, d\u0435al: 2}",
            (
                "f:1:18: pile.d\u0435al: unknown key 'd\u0435al'; allowed here: piles, deal, "
                "build, from (did you mean 'deal'?) ('\u0435' is U+0435 CYRILLIC SMALL LETTER IE, "
                "which only looks like 'e')"
            ),
        ),
        # missing keys and items, at what encloses them
        (
            "pile:\n  deal: 1\n",
            "f:2:3: pile.piles: is missing; write 'piles: ...' here",
        ),
        ("pair: [1]", "f:1:7: pair[1]: is missing; the list needs one more item"),
        (
            "told: {value: 1}",
            "f:1:7: told.kind: is missing; write 'kind: ...' here",
        ),
        # wrong words
        (
            "pile: {piles: 1, build: {suit: alternatin}}",
            (
                "f:1:32: pile.build.suit: 'alternatin' is not one of same, alternate, any; "
                "did you mean 'alternate'?"
            ),
        ),
        (
            "pile: {piles: 1, build: {suit: no}}",
            "f:1:32: pile.build.suit: 'no' is not one of same, alternate, any; write one of these",
        ),
        (
            "pile: {piles: 1, build: {suit: [any]}}",
            (
                "f:1:32: pile.build.suit: a list is not one of same, alternate, any; "
                "write one of these"
            ),
        ),
        (
            "pile: {piles: 1, build: {suit: \u0430ny}}",
            (
                "f:1:32: pile.build.suit: '\u0430ny' is not one of same, alternate, any; did you "
                "mean 'any'? ('\u0430' is U+0430 CYRILLIC SMALL LETTER A, which only "
                "looks like 'a')"
            ),
        ),
        (
            "suits: {C: blak}",
            "f:1:12: suits.C: 'blak' is not one of red, black; did you mean 'black'?",
        ),
        ("suits: {H: red}", "f:1:9: suits.H: 'H' is not one of C, S; write one of these"),
        (
            "told: {kind: say, value: 1}",
            "f:1:14: told.kind: 'say' is not one of says, counts; did you mean 'says'?",
        ),
        # wrong types
        (
            "title: 12",
            "f:1:8: title: 12 is a whole number; a text is expected (put it in quotes: '12')",
        ),
        (
            "title: true",
            "f:1:8: title: true is a truth value; a text is expected (put it in quotes: 'true')",
        ),
        ("title:", "f:1:7: title: is empty; a text is expected"),
        ("title: {}", "f:1:8: title: is a mapping; a text is expected"),
        (
            "pile: {piles: eight}",
            "f:1:15: pile.piles: 'eight' is a text; a whole number is expected",
        ),
        (
            "pile: {piles: '8'}",
            "f:1:15: pile.piles: '8' is a text; a whole number is expected (take the quotes off)",
        ),
        (
            "pile: {piles: \uff18}",
            (
                "f:1:15: pile.piles: '\uff18' is a text; a whole number is expected ('\uff18' is "
                "U+FF18 FULLWIDTH DIGIT EIGHT, which only looks like '8')"
            ),
        ),
        (
            "pile: {piles: true}",
            "f:1:15: pile.piles: true is a truth value; a whole number is expected",
        ),
        (
            "pile: {piles: 8.0}",
            "f:1:15: pile.piles: 8.0 is a number with a decimal point; a whole number is expected",
        ),
        ("flag: 1", "f:1:7: flag: 1 is a whole number; true or false is expected"),
        (
            "flag: no",
            "f:1:7: flag: 'no' is a text; true or false is expected ('no' is a text here)",
        ),
        ("number: '1'", "f:1:9: number: '1' is a text; a number is expected"),
        ("ranks: 3", "f:1:8: ranks: 3 is a whole number; a list is expected"),
        ("ranks: [1, x]", "f:1:12: ranks[1]: 'x' is a text; a whole number is expected"),
        ("pile: []", "f:1:7: pile: is a list; a mapping is expected"),
        ("source: x", "f:1:9: source: 'x' is a text; a mapping is expected"),
        ("told: x", "f:1:7: told: 'x' is a text; a mapping is expected"),
        ("- 1", "f:1:1: is a list; a mapping is expected"),
        # bounds
        ("size: 0", "f:1:7: size: 0 is too small; more than 0 is expected"),
        ("size: 14", "f:1:7: size: 14 is too large; at most 13 is expected"),
        ("few: []", "f:1:6: few: has 0 items; at least 1 are expected"),
        ("few: [1, 2, 3]", "f:1:6: few: has 3 items; at most 2 are expected"),
        ("letter: ab", "f:1:9: letter: 'ab' does not fit; a text like ^[A-Z]$ is expected"),
        # words of validators
        ("card: joker", "f:1:7: card: there is no joker; write a card"),
        # unions: one complaint about one value
        (
            "pile:\n  piles: 1\n  deal: triangel\n",
            (
                "f:3:9: pile.deal: 'triangel' is not allowed here; a whole number, rest, triangle "
                "or a list is expected (did you mean 'triangle'?)"
            ),
        ),
        (
            "pile: {piles: 1, deal: 1.5}",
            (
                "f:1:24: pile.deal: 1.5 is a number with a decimal point; a whole number, rest, "
                "triangle or a list is expected"
            ),
        ),
        (
            "pile: {piles: 1, deal: [1, '2']}",
            "f:1:28: pile.deal[1]: '2' is a text; a whole number is expected (take the quotes off)",
        ),
        (
            "pile: {piles: 1, build: {step: 1}}",
            "f:1:32: pile.build.step: 1 is too small; at least 2 is expected",
        ),
        (
            "loose: {kind: count}",
            "f:1:15: loose.kind: 'count' is not one of says, counts; did you mean 'counts'?",
        ),
        (
            "loose: {kind: counts, piles: [x]}",
            "f:1:31: loose.piles[0]: 'x' is a text; a whole number is expected",
        ),
        (
            "odd: [{suit: any}, {suit: sme}]",
            "f:1:27: odd[1].suit: 'sme' is not one of same, alternate, any; did you mean 'same'?",
        ),
        (
            "formed: {kid: says}",
            (
                "f:1:9: formed: fits none of the forms that are allowed here; "
                "compare it with an example"
            ),
        ),
    ],
)
def test_each_problem_is_told_where_it_is(text: str, complaint: str) -> None:
    assert said(text) == [complaint]


def test_all_problems_are_told_in_the_order_of_the_file() -> None:
    text = """
piles:
- {piles: 8, deal: rect}
- pils: 8
title: 3
"""
    assert [line.split(" ", 2)[:2] for line in said(text)] == [
        ["f:3:20:", "piles[0].deal:"],
        ["f:4:3:", "piles[1].piles:"],
        ["f:4:3:", "piles[1].pils:"],
        ["f:5:8:", "title:"],
    ]


def test_the_arm_that_knows_the_word_was_meant() -> None:
    assert said("either: {kind: say}") == [
        "f:1:9: either.value: is missing; write 'value: ...' here",
        "f:1:16: either.kind: 'say' is not one of says; did you mean 'says'?",
    ]


def test_a_label_of_a_union_is_not_taken_for_a_key_of_the_same_name() -> None:
    class Inner(Strict):
        kind: Literal["kind"]
        size: int

    class Other(Strict):
        kind: Literal["other"]

    class Outer(Strict):
        it: Annotated[Inner | Other, Field(discriminator="kind")]

    # pydantic's location is ("it", "kind", "size"): the first "kind" is the tag.
    assert said("it: {kind: kind, size: x}", model=Outer) == [
        "f:1:24: it.size: 'x' is a text; a whole number is expected"
    ]


def test_a_part_of_a_document_is_checked_under_its_whole_path() -> None:
    text = "games:\n- pile: {piles: x}\n"
    assert said(text, at=("games", 0)) == [
        "f:2:17: games[0].pile.piles: 'x' is a text; a whole number is expected"
    ]
    assert said(text, at=("games", 1)) == [
        "f:2:1: games[1]: is missing; the list needs one more item"
    ]
    assert said(text, at=("rulings",)) == ["f:1:1: rulings: is missing; write 'rulings: ...' here"]


def test_root_models_and_recursive_models() -> None:
    class Tree(Strict):
        leaf: int = 0
        nodes: list[Tree] = []

    class Trees(RootModel[dict[str, Tree]]):
        pass

    Tree.model_rebuild(_types_namespace={"Tree": Tree})
    assert said("a: {nodes: [{nodes: [{laef: 1}]}]}", model=Trees) == [
        (
            "f:1:23: a.nodes[0].nodes[0].laef: unknown key 'laef'; allowed here: leaf, nodes "
            "(did you mean 'leaf'?)"
        )
    ]


def test_an_input_error_of_a_validator_gets_the_place() -> None:
    class Whole(Strict):
        a: int

        @model_validator(mode="after")
        def refuse(self) -> Whole:
            raise InputError("there are too few cards", instead="deal fewer")

    assert said("x:\n  a: 1", model=Whole, at=("x",)) == [
        "f:2:3: there are too few cards; deal fewer"
    ]


def test_a_fault_of_a_validator_is_not_blamed_on_the_file() -> None:
    class Faulty(Strict):
        @model_validator(mode="after")
        def fail(self) -> Faulty:
            raise KeyError("x")

    with pytest.raises(KeyError):
        validate(Faulty, parse_yaml("{}", file="f"))


def test_a_model_that_can_take_no_list_is_at_fault_itself() -> None:
    class Before(Strict):
        pair: tuple[int, ...]

        @model_validator(mode="before")
        @classmethod
        def keep(cls, value: Any) -> Any:
            return value

    with pytest.raises(TypeError, match=r"Before: pair takes no list"):
        validate(Before, parse_yaml("pair: [1]", file="f"))


def test_complaints_about_values_that_were_put_together_elsewhere() -> None:
    value: Any = {"pile": {"piles": "x", "pilse": 1}}
    with pytest.raises(ValidationError) as caught:
        Book.model_validate(value)

    def locate(path: tuple[str | int, ...], *, key: bool) -> tuple[Place, str]:
        line = 2 if key else 1
        return Place(file="g", line=line), f"rules.{dotted(path)}"

    found = complaints(Book, value, caught.value, locate=locate)
    assert [str(complaint).split("; ")[0] for complaint in found] == [
        "g:1: rules.pile.piles: 'x' is a text",
        "g:2: rules.pile.pilse: unknown key 'pilse'",
    ]


TREES = st.recursive(
    st.sampled_from(["any", "says", "x", "", 0, 3, -1, 1.5, True, None]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["piles", "kind", "value", "suit", "deal", "x"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(tree=st.dictionaries(st.sampled_from(list(Book.model_fields)), TREES, max_size=4))
def test_any_tree_is_the_model_or_is_refused_with_places(tree: dict[str, Any]) -> None:
    doc = parse_yaml(json.dumps(tree), file="f")
    try:
        validate(Book, doc)
    except InputErrors as refusal:
        found = [(str(error.place), error.path, error.what) for error in refusal.errors]
    else:
        found = []
    assert len(set(found)) == len(found)
    known = {str(place) for place in (*doc.places.values(), *doc.key_places.values())}
    assert {place for place, _, _ in found} <= known
    # Whoever follows the path in the file comes to the place, unless the path is what is missing.
    paths = {dotted(path): path for path in doc.places}
    for place, path, what in found:
        steps = paths.get(path, ())
        at = {str(doc.place(steps)), str(doc.place(steps, key=True))}
        assert what == "is missing" if path not in paths else place in at


def test_long_and_unprintable_values_are_shown_in_one_short_line() -> None:
    [line] = said('flag: "' + "a\\n\\u200b" * 5000 + '"')
    assert len(line) < 300
    assert line.isprintable()
