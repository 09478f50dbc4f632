from __future__ import annotations

import copy
import pickle

import pytest

from spec.errors import InputError, InputErrors, Place, Unsupported

HERE = Place(file="a.yaml", line=3, column=7)
COMPLAINTS = [
    InputError("it is wrong", instead="make it right"),
    InputError("it is wrong", instead="make it right", path="tableau.deal"),
    InputError("it is wrong", instead="make it right", place=HERE, path="tableau.deal"),
]


@pytest.mark.parametrize("error", COMPLAINTS, ids=str)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_complaint_survives_the_way_from_a_worker(error: InputError, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(error, protocol))
    assert isinstance(back, InputError)
    assert (back.what, back.instead, back.place, back.path) == (
        *(error.what, error.instead),
        *(error.place, error.path),
    )
    assert str(back) == str(error)
    assert str(copy.copy(error)) == str(error)


def test_several_complaints_survive_it_in_order() -> None:
    back = pickle.loads(pickle.dumps(InputErrors(COMPLAINTS)))
    assert [str(error) for error in back.errors] == [str(error) for error in COMPLAINTS]
    assert str(back) == str(InputErrors(COMPLAINTS))


def test_an_unplayed_rule_survives_it() -> None:
    back = pickle.loads(pickle.dumps(Unsupported("spider", ["stock.to: tableau"])))
    assert (back.game, back.rules) == ("spider", ["stock.to: tableau"])
    assert str(back) == str(Unsupported("spider", ["stock.to: tableau"]))


def test_a_complaint_says_file_line_column_path_what_and_instead() -> None:
    assert str(COMPLAINTS[2]) == "a.yaml:3:7: tableau.deal: it is wrong; make it right"
    assert str(Place(file="a.yaml")) == "a.yaml"
    assert str(Place(file="a.yaml", line=3)) == "a.yaml:3"


def test_a_place_is_given_once() -> None:
    placed = COMPLAINTS[1].at(HERE)
    assert str(placed) == str(COMPLAINTS[2])
    assert placed.at(Place(file="b.yaml")) is placed
