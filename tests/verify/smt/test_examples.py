from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from spec.ruleset import from_paths
from spec.statement import Example, Reading
from tests.verify.smt.test_legality import FORTY
from tests.verify.smt.transcripts import found_in, says, transcript
from verify.smt import examples
from verify.smt.examples import BASES, Part, holds, parts
from verify.smt.legality import RuleTerms, rule_terms
from verify.smt.logic import variables
from verify.smt.theory import Theory

ROUND = {
    "pack.base": "first_card",
    "foundations.build.suit": "alternate",
    "tableau.build.suit": "alternate",
}


def rules(**changes: Any) -> RuleTerms:
    named = {key.replace("__", "."): value for key, value in changes.items()}
    return rule_terms(from_paths({**FORTY, **ROUND, **named}))


def where(kind: str, **changes: Any) -> list[int]:
    """The base ranks where an example or universal holds."""
    statement = transcript(kind).statement("S1")
    terms = rules(**changes)
    return [base for base in BASES if holds(statement, terms, base) is True]


def but(*bases: int) -> list[int]:
    return [base for base in BASES if base not in bases]


@pytest.mark.parametrize(
    ("kind", "bases"),
    [
        ("example: {place: 6S, onto: 5D, in: foundation}", but(6)),
        ("example: {place: 6S, onto: 5C, in: foundation}", []),
        ("example: {build: [6D, 7S, 8H, 9C], in: foundation}", but(7, 8, 9)),
        ("example: {place: A, onto: K, in: foundation}", but(1)),
        ("example: {place: 6S, onto: 5D, in: foundation, verdict: illegal}", [6]),
        ("example: {build: [KS, AH], onto: empty, in: foundation}", [13]),
        ("example: {place: 4S, onto: [AS, 2H, 3D], in: foundation}", list(BASES)),
        ("example: {build: [6D, 7S, 8S], in: foundation, verdict: illegal}", list(BASES)),
        ("example: {build: [6D, 7S, 8H], in: foundation, verdict: illegal}", [7, 8]),
        ("fits: {onto: black 8, in: foundation, exactly: red 9}", but(9)),
        ("fits: {onto: black 8, in: foundation, exactly: 9H}", []),
        ("fits: {onto: black 8, in: foundation, exactly: 9}", []),
    ],
)
def test_foundations_are_judged_for_every_base_rank(kind: str, bases: list[int]) -> None:
    assert where(kind) == bases


@pytest.mark.parametrize(
    ("kind", "wrap", "bases"),
    [
        ("example: {place: 9S, onto: TD, in: tableau}", "none", list(BASES)),
        ("example: {place: 9S, onto: TD, in: tableau}", "base", but(10)),
        ("example: {place: 9S, onto: TD, in: tableau}", "full", list(BASES)),
        ("example: {place: KS, onto: AD, in: tableau}", "none", []),
        ("example: {place: KS, onto: AD, in: tableau}", "base", but(1)),
        ("fits: {onto: black 8, in: tableau, exactly: red 7}", "none", list(BASES)),
        ("fits: {onto: black 8, in: tableau, exactly: red 7}", "base", but(8)),
    ],
)
def test_the_tableau_is_judged_by_its_wrap(kind: str, wrap: str, bases: list[int]) -> None:
    assert where(kind, tableau__build__wrap=wrap) == bases


@pytest.mark.parametrize(
    ("kind", "changes", "legal"),
    [
        ("{lift: [9S, 8H]}", {}, False),
        ("{lift: [9S, 8H]}", {"tableau.move.unit": "group"}, True),
        ("{lift: [9S, 8C]}", {"tableau.move.unit": "group"}, False),
        ("{lift: [9S, 8C], verdict: illegal}", {"tableau.move.unit": "group"}, True),
        ("{lift: [8H], pile: [KC, 9S, 8H], alone: true}", {}, True),
        ("{lift: [8H], pile: [KC, 9S, 8H], alone: true}", {"tableau.move.unit": "group"}, False),
        ("{lift: [8H], pile: [9S, 8H]}", {"tableau.move.unit": "whole_group"}, False),
        ("{place: [9S, 8H], onto: TD, in: tableau}", {"tableau.move.unit": "group"}, True),
        ("{place: [9S, 8H], onto: TD, in: tableau}", {}, False),
        ("{place: QH, onto: empty, in: tableau}", {}, True),
        ("{place: QH, onto: empty, in: tableau}", {"tableau.spaces.accept": ["K"]}, False),
        (
            "{place: QH, from: reserve, onto: empty, in: tableau}",
            {"tableau.from": ["waste"]},
            False,
        ),
        ("{place: 8H, from: waste, onto: 9S, in: tableau}", {"tableau.from": ["tableau"]}, False),
        ("{place: 8H, onto: 9S, in: tableau}", {"tableau.from": ["tableau"]}, True),
        (
            "{place: QH, from: waste, onto: empty, in: tableau}",
            {"tableau.spaces.fill": ["stock", "waste"]},
            False,
        ),
        (
            "{place: QH, from: waste, onto: empty, in: tableau}",
            {"tableau.spaces.fill": ["stock"]},
            True,
        ),
    ],
)
def test_tableau_moves(kind: str, changes: dict[str, Any], legal: bool) -> None:  # noqa: FBT001
    statement = transcript(f"example: {kind}").statement("S1")
    terms = rule_terms(from_paths({**FORTY, **ROUND, **changes}))
    assert holds(statement, terms, 1) is legal


@pytest.mark.parametrize(
    ("ruled_out", "legal_somewhere"),
    [
        ("", True),
        ("no space", True),
        ("no space, no tableau pile fits", True),
        ("no tableau pile fits, no foundation fits", True),
        ("no space, no tableau pile fits, no foundation fits", False),
    ],
)
def test_anywhere_is_every_place_that_is_not_ruled_out(
    ruled_out: str,
    legal_somewhere: bool,  # noqa: FBT001
) -> None:
    kind = f"example: {{place: 9H, onto: anywhere, given: [{ruled_out}], verdict: illegal}}"
    statement = transcript(kind).statement("S1")
    assert holds(statement, rules(), 1) is not legal_somewhere
    statement = transcript(kind.replace("illegal", "legal")).statement("S1")
    assert holds(statement, rules(), 1) is legal_somewhere


@pytest.mark.parametrize(
    ("kind", "base", "words"),
    [
        (
            "example: {build: [6D, 7S, 8H, 9C], in: foundation}",
            9,
            "a foundation that ends on the eight of hearts is complete",
        ),
        (
            "example: {place: A, onto: K, in: foundation}",
            1,
            "a foundation that ends on a king is complete",
        ),
        (
            "example: {place: 6S, onto: 5C, in: foundation}",
            1,
            "the six of spades cannot go on the five of clubs",
        ),
        ("example: {lift: [9S, 8C]}", 1, "the nine of spades and the eight of clubs do not"),
        ("example: {place: QH, onto: empty, in: foundation}", 1, "on an empty foundation"),
        ("fits: {onto: 8S, in: tableau, exactly: 7H}", 1, "the seven of diamonds fits on"),
        ("fits: {onto: 8S, in: tableau, exactly: 7}", 1, "the seven of clubs does not fit"),
        ("fits: {onto: 8S, in: foundation, exactly: red 9}", 9, "eight of spades is complete"),
    ],
)
def test_an_example_says_what_is_wrong_with_it(kind: str, base: int, words: str) -> None:
    statement = transcript(kind).statement("S1")
    wrong = [part.otherwise for part in parts(statement, rules(), base) if part.term is not True]
    assert words in wrong[0]


CARD = st.sampled_from(["6S", "5D", "AH", "KC"])
PILE = st.lists(CARD, min_size=1, max_size=3, unique=True)
EXAMPLES = st.fixed_dictionaries(
    {},
    optional={
        "place": CARD | PILE | st.sampled_from(["A", "red 6"]),
        "build": PILE,
        "lift": PILE,
        "onto": CARD | PILE | st.sampled_from(["empty", "anywhere", "black 7"]),
        "in": st.sampled_from(["foundation", "tableau"]),
        "from": st.sampled_from(["waste", "tableau", "reserve", "stock", "foundation"]),
        "pile": PILE,
        "alone": st.booleans(),
        "given": st.lists(st.sampled_from(["no space", "no foundation fits"]), max_size=2),
        "verdict": st.sampled_from(["legal", "illegal", "unstated"]),
    },
)


@settings(max_examples=300)
@given(EXAMPLES)
def test_every_example_that_can_be_written_has_a_meaning(example: dict[str, Any]) -> None:
    try:
        read = Example.model_validate_json(json.dumps(example))
    except ValidationError:
        return
    statement = Reading(example=read)
    assert holds(statement, rules(), 6) in (True, False)
    theory = Theory()
    unknown = holds(statement, theory.rules(), 6)
    assert isinstance(unknown, bool) or variables(unknown)


ONE_WAY = "fits: {onto: 6D, in: tableau, exactly: 5S}"
OTHER_WAY = "fits: {onto: 6D, in: tableau, exactly: 5}"
POLICY = says(tableau__build__step="down", tableau__build__suit="alternate")


@pytest.mark.parametrize("universal", [ONE_WAY, OTHER_WAY])
def test_a_universal_has_two_directions(universal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each direction by itself overlooks one of two wrong universals."""
    assert found_in(POLICY, universal)
    whole = examples._universal
    dropped = "does not fit" if universal == OTHER_WAY else "fits on"

    def half(*about: Any) -> list[Part]:
        return [part for part in whole(*about) if dropped not in part.otherwise]

    monkeypatch.setattr(examples, "_universal", half)
    assert found_in(POLICY, universal) == []
