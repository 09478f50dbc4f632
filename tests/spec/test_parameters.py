from __future__ import annotations

import pytest

from spec.errors import InputError
from spec.parameters import NOT_ASKED, PARAMETERS, Choice, Number, Piles, Silence, parameter
from spec.ruleset import leaf_paths


def test_every_path_of_the_model_is_asked_or_listed_as_not_asked() -> None:
    asked, not_asked = set(PARAMETERS), set(NOT_ASKED)
    assert asked & not_asked == set()
    assert set(leaf_paths()) - asked - not_asked == set()
    assert not_asked <= set(leaf_paths())


def test_paths_beside_the_model_are_these() -> None:
    assert set(PARAMETERS) - set(leaf_paths()) == {
        "pack.cards",
        "foundations.per_suit",
        "foundations.last",
        "foundations.forced",
        "tableau.cards",
        "tableau.turn_up",
        "tableau.spaces.before",
        "reserve.cards",
        "reserve.in_play",
        "waste.deal",
        "stock.cards",
        "stock.redeals",
        "goal.cards",
        "goal.each",
    }


@pytest.mark.parametrize("asked", PARAMETERS.values(), ids=lambda asked: asked.path)
def test_a_parameter_is_a_question_with_a_meaning_of_silence(asked: object) -> None:
    found = asked
    assert isinstance(found, type(PARAMETERS["pack.decks"]))
    assert "?" in found.question
    assert (found.means is not None) == (found.silence is Silence.NO)
    assert bool(found.follows) == (found.silence is not Silence.OPEN)
    if found.means is not None:
        assert found.read(found.means) == found.means


@pytest.mark.parametrize(
    ("path", "value", "read"),
    [
        ("pack.base", 2, "2"),
        ("pack.base", 10, "T"),
        ("pack.base", "10", "T"),
        ("tableau.build.step", 2, 2),
        ("tableau.spaces.accept", "K", "K"),
        ("stock.passes", "unlimited", "unlimited"),
        ("tableau.deal", "triangle", "triangle"),
    ],
)
def test_values_are_spelled_one_way(path: str, value: str | int, read: str | int) -> None:
    assert parameter(path).read(value) == read


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pack.decks", 0),
        ("pack.decks", 9),
        ("pack.decks", "two"),
        ("pack.decks", True),
        ("pack.base", 1),
        ("tableau.build.suit", "alternating"),
        ("foundations.deal", True),
    ],
)
def test_values_outside_the_domain_are_refused_with_the_question(
    path: str, value: str | int
) -> None:
    with pytest.raises(InputError) as caught:
        parameter(path).read(value)
    assert parameter(path).question in str(caught.value)


def test_a_near_miss_is_named() -> None:
    with pytest.raises(InputError, match="did you mean 'alternate'"):
        parameter("tableau.build.suit").read("alternating")
    with pytest.raises(InputError, match=r"did you mean 'tableau\.piles'"):
        parameter("tableau.pile")


def test_kinds_of_pile_are_not_values() -> None:
    with pytest.raises(InputError, match="stated with 'move'"):
        parameter("tableau.from").read("waste")


def test_what_is_not_asked_says_so() -> None:
    with pytest.raises(InputError, match="remark"):
        parameter("regather.times")


def test_domains_say_what_they_hold() -> None:
    assert str(Choice(values=("a", 2))) == "a, 2"
    assert str(Number(low=1, high=3, words=("many",))) == "a number from 1 to 3, many"
    assert "move" in str(Piles(stated_by="move"))
