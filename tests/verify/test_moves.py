"""The reference moves: counted, explained, and what no move ever does.

``perft.json`` holds the number of lines of play of so many moves. After a change of the rules that
is meant, ``.venv/bin/python -m tests.verify.test_moves --overwrite`` writes it anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.dealers import deal
from generator.shuffles import Seed
from spec.cards import Card
from spec.errors import InputError
from spec.game import game_names, load_game
from tests.rulesets import AUTO_FILL, FREE_SPACES, VARIANTS, small
from tests.verify.search.play import Numbers, deep_deal, easy_deal, play
from tests.verify.search.strategies import small_rules
from verify.moves import (
    STOCK,
    WASTE,
    IllegalMove,
    Move,
    Place,
    Reason,
    apply,
    candidates,
    is_won,
    legal_moves,
    read_move,
    why_illegal,
)
from verify.position import Pile, Position
from verify.rules import Rules, rules_of

PERFT = Path(__file__).with_name("perft.json")


# Counted


def perft(rules: Rules, position: Position, moves: int) -> int:
    """The number of lines of play of so many moves."""
    if moves == 0:
        return 1
    legal = legal_moves(rules, position)
    if moves == 1:
        return len(legal)
    return sum(perft(rules, apply(rules, position, move), moves - 1) for move in legal)


def walk(rules: Rules, position: Position, *, moves: int) -> Position:
    """A position further on, by moves to foundations where there are any, else by any moves."""
    numbers = Numbers(moves)
    for _ in range(moves):
        legal = legal_moves(rules, position)
        up = [move for move in legal if move.target.kind == "foundation" != move.source.kind]
        if not legal:
            break
        position = apply(rules, position, numbers.choice(up or legal))
    return position


class Counted(NamedTuple):
    """Rules, and the positions from which lines of play are counted, each to a depth."""

    rules: Rules
    starts: dict[str, tuple[Position, int]]


def counted_games() -> dict[str, Counted]:
    """Every game in every reading, and every variant on a small deck."""
    found: dict[str, Counted] = {}
    for name in game_names():
        for key in (name, *(f"{name}@{reading}" for reading in load_game(name).readings)):
            rules = rules_of(load_game(key).ruleset, game=key)
            first, second = (deal(rules, Seed(dealer="dealproof", number=n)) for n in (1, 2))
            easy = easy_deal(rules, 2, disorder=0.5)
            starts = {
                "deal 1": (first, 3),
                "deal 2": (second, 3),
                "deal 1, 60 moves on": (walk(rules, first, moves=60), 3),
                "easy deal, 60 moves on": (walk(rules, easy, moves=60), 2),
            }
            found[key] = Counted(rules, starts)
    for name, family, changes in VARIANTS:
        rules = rules_of(small(family, **({"tableau__deal": 2} | changes)), game=name)
        starts = {f"deal {n}": (deep_deal(rules, n, lean=0), 4) for n in (1, 2)}
        found[f"variant: {name}"] = Counted(rules, starts)
    return found


COUNTED = counted_games()


def counts(counted: Counted) -> dict[str, list[int]]:
    """The lines of one move, of two, and so on, from each start."""
    return {
        name: [perft(counted.rules, start, moves) for moves in range(1, depth + 1)]
        for name, (start, depth) in counted.starts.items()
    }


@pytest.mark.parametrize("key", COUNTED)
def test_as_many_lines_of_play_as_ever(key: str) -> None:
    golden = json.loads(PERFT.read_text(encoding="utf-8"))
    assert counts(COUNTED[key]) == golden[key]


def test_lines_are_counted_in_every_game() -> None:
    golden = json.loads(PERFT.read_text(encoding="utf-8"))
    assert list(golden) == list(COUNTED)
    assert {key.partition("@")[0] for key in golden if not key.startswith("variant")} == {
        *game_names()
    }
    for name in game_names():
        readings = [one for key, one in golden.items() if key.partition("@")[0] == name]
        assert all(readings.count(one) == 1 for one in readings), "a reading that plays the same"
    total = sum(count for one in golden.values() for depths in one.values() for count in depths)
    assert total > 50_000


# Explained


class Case(NamedTuple):
    """A move that is not legal, and why."""

    reason: Reason
    move: str
    family: dict[str, Any]
    changes: dict[str, Any]
    position: dict[str, Any]


POSITION: dict[str, Any] = {
    "tableau": ["5C 4C 3C", "5H 4D 3D", "2S 4H", ""],
    "face_down": (0, 1, 1, 0),
    "foundations": ["AS", "AC 2C", "AD 2D 3D 4D 5D", ""],
    "stock": "AH",
    "waste": "5S 2H",
}
"""A position of no game in particular, cards of five ranks; some of them occur twice."""

GROUP = {"tableau__move__unit": "group"}
WHOLE = {"tableau__move__unit": "whole_group"}
ENDED = {"stock": "", "waste": "5S 2H"}
RESERVE = {"reserve": ["4S 2D"], "base": 1}

CASES = [
    Case(Reason.NO_SUCH_PILE, "3C t1-t9", FREE_SPACES, {}, {}),
    Case(Reason.NO_SUCH_PILE, "3C t9-t1", FREE_SPACES, {}, {}),
    Case(Reason.NO_SUCH_PILE, "3C r1-t1", FREE_SPACES, {}, {}),
    Case(Reason.SAME_PILE, "3C t1-t1", FREE_SPACES, {}, {}),
    Case(Reason.EMPTY_SOURCE, "3C t4-t1", FREE_SPACES, {}, {}),
    Case(Reason.EMPTY_SOURCE, "AH s-w", FREE_SPACES, {}, ENDED),
    Case(Reason.EMPTY_SOURCE, "w-s", FREE_SPACES, {}, {"stock": "", "waste": ""}),
    Case(Reason.TOO_FEW_CARDS, "5C t1-t4*4", FREE_SPACES, GROUP, {}),
    Case(Reason.TOO_FEW_CARDS, "5C t1-t4*0", FREE_SPACES, GROUP, {}),
    Case(Reason.NOT_THE_CARD, "4C t1-t4", FREE_SPACES, {}, {}),
    Case(Reason.NOT_THE_CARD, "3C s-w", FREE_SPACES, {}, {}),
    Case(Reason.CLOSED_SOURCE, "2C f2-t4", FREE_SPACES, {}, {}),
    Case(Reason.CLOSED_SOURCE, "AH s-t4", FREE_SPACES, {}, {}),
    Case(Reason.CLOSED_TARGET, "3C t1-w", FREE_SPACES, {}, {}),
    Case(Reason.CLOSED_TARGET, "3C t1-s", FREE_SPACES, {}, {}),
    Case(Reason.CLOSED_TARGET, "3C t1-r1", AUTO_FILL, {}, RESERVE),
    Case(Reason.NOT_FROM_THERE, "2D r1-t1", AUTO_FILL, {}, RESERVE),
    Case(Reason.NOT_FROM_THERE, "2D r1-t4", AUTO_FILL, {}, RESERVE),
    Case(Reason.FACE_DOWN, "2S t3-t4*2", FREE_SPACES, GROUP, {}),
    Case(Reason.ONE_CARD, "4C t1-t4*2", FREE_SPACES, {}, {}),
    Case(Reason.ONE_CARD, "4C t1-f2*2", FREE_SPACES, GROUP, {}),
    Case(Reason.ONE_CARD, "5S w-t4*2", FREE_SPACES, GROUP, {}),
    Case(Reason.ONE_CARD, "AH s-w*2", FREE_SPACES, {}, {}),
    Case(
        Reason.NOT_A_GROUP,
        "5C t1-t4*3",
        FREE_SPACES,
        {**GROUP, "tableau__move__suit": "alternate"},
        {},
    ),
    Case(Reason.PART_OF_A_GROUP, "4C t1-t4*2", FREE_SPACES, WHOLE, {}),
    Case(Reason.DOES_NOT_FIT, "3C t1-t2", FREE_SPACES, {}, {}),
    Case(Reason.DOES_NOT_FIT, "3D t2-f1", FREE_SPACES, {}, {}),
    Case(Reason.WRONG_FIRST_CARD, "3C t1-f4", FREE_SPACES, {}, {}),
    Case(Reason.FOUNDATION_FULL, "3D t2-f3", FREE_SPACES, {}, {}),
    Case(Reason.SPACE_CLOSED, "3C t1-t4", FREE_SPACES, {"tableau__spaces__accept": "none"}, {}),
    Case(Reason.SPACE_CLOSED, "3C t1-t4", FREE_SPACES, {"tableau__spaces__accept": ["high"]}, {}),
    Case(Reason.STOCK_NOT_EMPTY, "w-s", FREE_SPACES, {}, {}),
    Case(Reason.NO_PASS_LEFT, "w-s", FREE_SPACES, {}, ENDED),
    Case(Reason.NO_PASS_LEFT, "w-s", FREE_SPACES, {"stock__passes": 2}, {**ENDED, "passes": 2}),
]


def position_of(changes: dict[str, Any]) -> Position:
    """The position with its piles written as cards."""

    def pile(text: str) -> Pile:
        return tuple(Card("A2345".index(card[0]) + 1, card[1]) for card in text.split())

    parts = POSITION | {"base": 1} | changes
    return Position(
        foundations=tuple(map(pile, parts["foundations"])),
        tableau=tuple(map(pile, parts["tableau"])),
        face_down=parts["face_down"],
        reserve=tuple(map(pile, parts.get("reserve", ()))),
        stock=pile(parts["stock"]),
        waste=pile(parts["waste"]),
        base=parts["base"],
        passes=parts.get("passes", 1),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.reason.name} {case.move}")
def test_a_move_that_is_not_legal_says_why(case: Case) -> None:
    rules = rules_of(small(case.family, ranks=5, **({"tableau__piles": 4} | case.changes)))
    position = position_of(case.position)
    move = read_move(case.move, rules)
    assert why_illegal(rules, position, move) is case.reason
    with pytest.raises(IllegalMove) as caught:
        apply(rules, position, move)
    assert (caught.value.move, caught.value.reason) == (move, case.reason)
    assert caught.value.position == position
    assert str(caught.value) == f"{case.move}: {case.reason.value}"


def test_every_reason_has_an_example() -> None:
    assert {case.reason for case in CASES} == set(Reason)


LEGAL = [
    ("3C t1-f2", FREE_SPACES, {}, {}),
    ("3C t1-t4", FREE_SPACES, {}, {}),
    ("4C t1-t4*2", FREE_SPACES, GROUP, {}),
    ("5C t1-t4*3", FREE_SPACES, GROUP, {}),
    ("5C t1-t4*3", FREE_SPACES, WHOLE, {}),
    ("3D t2-t4", FREE_SPACES, {**GROUP, "tableau__move__suit": "alternate"}, {}),
    ("2C f2-t1", FREE_SPACES, {"foundations__returns": "always"}, {}),
    ("2H w-t4", FREE_SPACES, {}, {}),
    ("AH s-w", FREE_SPACES, {}, {}),
    ("w-s", FREE_SPACES, {"stock__passes": 2}, ENDED),
    ("w-s", FREE_SPACES, {"stock__passes": "unlimited"}, {**ENDED, "passes": 7}),
    ("2H w-f4", FREE_SPACES, {}, {"base": None}),
]


@pytest.mark.parametrize(("move", "family", "changes", "parts"), LEGAL)
def test_a_move_beside_those_is_legal(
    move: str, family: dict[str, Any], changes: dict[str, Any], parts: dict[str, Any]
) -> None:
    rules = rules_of(small(family, ranks=5, **({"tableau__piles": 4} | changes)))
    assert why_illegal(rules, position_of(parts), read_move(move, rules)) is None


# What follows from a move


def after(move: str, family: dict[str, Any], parts: dict[str, Any], **changes: Any) -> Position:
    """The position after a move."""
    rules = rules_of(small(family, ranks=5, **({"tableau__piles": 4} | changes)))
    return apply(rules, position_of(parts), read_move(move, rules))


def test_an_exposed_card_is_turned_up() -> None:
    assert after("4H t3-t4", FREE_SPACES, {}).face_down == (0, 1, 0, 0)
    assert after("3D t2-t4", FREE_SPACES, {}).face_down == (0, 1, 1, 0)


def test_a_redeal_turns_the_waste_over() -> None:
    found = after("w-s", FREE_SPACES, ENDED, stock__passes=2)
    assert (found.stock, found.waste, found.passes) == (position_of(ENDED).waste[::-1], (), 2)


def test_the_first_card_on_a_foundation_sets_the_base_rank() -> None:
    found = after("2H w-f4", FREE_SPACES, {"base": None}, pack__base="first_card")
    assert found.base == 2


def test_spaces_are_filled_by_the_chain_from_the_left() -> None:
    two = {"tableau": ["", "5H 4D 3D", "", "5C"], "face_down": (0, 0, 0, 0), "base": 1}
    piles = two | {"reserve": ["4S"], "waste": "2H 3H", "stock": "AH"}
    found = after("5C t4-f4", AUTO_FILL, piles | {"base": 5})
    assert found.tableau == position_of({"tableau": ["3H", "5H 4D 3D", "2H", "AH"]}).tableau
    assert (found.waste, found.stock) == ((), ())
    reversed_chain = {"tableau__spaces__fill": ["stock", "reserve", "waste"]}
    found = after("5C t4-f4", AUTO_FILL, piles | {"base": 5}, **reversed_chain)
    assert found.tableau == position_of({"tableau": ["AH", "5H 4D 3D", "4S", "3H"]}).tableau


def test_a_game_is_won_when_every_card_is_on_a_foundation() -> None:
    rules = rules_of(load_game("josephine").ruleset)
    won = replace(
        deal(rules, Seed(dealer="dealproof", number=1)),
        foundations=tuple(
            tuple(Card(rank, suit) for rank in range(1, 14)) for suit in "CDHS" for _ in range(2)
        ),
        tableau=((),) * 10,
        stock=(),
    )
    assert is_won(rules, won)
    king = won.foundations[0][-1]
    one_left = replace(
        won, foundations=(won.foundations[0][:-1], *won.foundations[1:]), waste=(king,)
    )
    assert not is_won(rules, one_left)
    assert is_won(rules, apply(rules, one_left, read_move("KC w-f1", rules)))


# What no move ever does


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules, list[Position]]:
    """Random rules, and the positions of a line of play under them."""
    rules = draw(small_rules(most=16))
    number, eager = draw(st.integers(0, 2**32)), draw(st.integers(0, 100))
    start = deep_deal(rules, number, lean=0)
    return rules, list(play(rules, start, Numbers(number), moves=15, eager=eager))


def check_position(rules: Rules, position: Position) -> None:
    """What holds in every position that play reaches."""
    rules.pack.check_complete(position.cards())
    for pile, down in zip(position.tableau, position.face_down, strict=True):
        assert 0 <= down <= max(len(pile) - 1, 0)
    chain = {"stock": position.stock, "waste": position.waste}
    chain |= {"reserve": tuple(card for pile in position.reserve for card in pile)}
    if any(chain[kind] for kind in rules.fill):
        assert all(position.tableau), "a space, and cards to fill it"
    assert all(len(pile) <= rules.cap for pile in position.foundations)
    assert (position.base is None) <= (not any(position.foundations))
    assert all(pile[0].rank == position.base for pile in position.foundations if pile)
    assert 1 <= position.passes <= (rules.passes or 99)


@pytest.mark.slow
@settings(max_examples=60)
@given(positions())
def test_no_move_breaks_a_position(drawn: tuple[Rules, list[Position]]) -> None:
    rules, line = drawn
    for position in line:
        check_position(rules, position)
        for move in candidates(rules, position):
            reason = why_illegal(rules, position, move)
            if reason is None:
                check_position(rules, apply(rules, position, move))
            else:
                with pytest.raises(IllegalMove) as caught:
                    apply(rules, position, move)
                assert caught.value.reason is reason


@settings(max_examples=30)
@given(positions())
def test_moves_are_read_as_they_are_written(drawn: tuple[Rules, list[Position]]) -> None:
    rules, line = drawn
    for position in line[::3]:
        for move in candidates(rules, position):
            assert read_move(str(move), rules) == move


def every_move(rules: Rules, position: Position) -> Iterator[Move]:
    """Every move that can be written, of any card from any pile to any other."""
    places = [
        *(Place("tableau", number) for number in range(len(position.tableau) + 1)),
        *(Place("foundation", number) for number in range(len(position.foundations) + 1)),
        *(Place("reserve", number) for number in range(len(position.reserve) + 1)),
        WASTE,
        STOCK,
    ]
    cards = [None, *(rules.pack.card(index) for index in range(rules.pack.types))]
    for source in places:
        for target in places:
            for card in cards:
                for count in range(4):
                    yield Move(card=card, source=source, target=target, count=count)


@settings(max_examples=20)
@given(positions())
def test_no_legal_move_is_left_out(drawn: tuple[Rules, list[Position]]) -> None:
    rules, line = drawn
    for position in line[::5]:
        found = {
            move
            for move in every_move(rules, position)
            if why_illegal(rules, position, move) is None and move.card is not None
        }
        assert found == {
            move for move in legal_moves(rules, position) if move.card and move.count < 4
        }


# Written


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no move"),
        ("9H", "is no move"),
        ("9H t3", "is no move"),
        ("9H t3-t5 ", "is no move"),
        ("9H t3-t5*", "is no move"),
        ("9H t3-t5*-1", "is no move"),
        ("9H  t3-t5", "is no move"),
        ("9H t3-c5", "is no move"),
        ("9H t٣-t5", "is no move"),
        ("9H t3-t5" + "0" * 40, "is no move"),
        ("t3-t5", "names no card"),
        ("9H w-s", "names a card"),
        ("9X t3-t5", "is no card of this pack"),
        ("1H t3-t5", "is no card of this pack"),
        ("9H t0-t5", "is no move"),
        ("9H t-t5", "is no move"),
        ("9H w1-t5", "is no move"),
        ("9H s1-w", "is no move"),
        ("9H t9-t00", "is no move"),
        ("9H t3-t05", "is no move"),
        ("w-s*7", "counts cards"),
    ],
)
def test_what_is_no_move_is_refused(text: str, complaint: str) -> None:
    rules = rules_of(load_game("josephine").ruleset)
    with pytest.raises(InputError, match=complaint):
        read_move(text, rules)


def test_a_move_is_written_with_its_card_and_its_way() -> None:
    nine, three, five = Card(9, "H"), Place("tableau", 2), Place("tableau", 4)
    assert str(Move(card=nine, source=three, target=five, count=2)) == "9H t3-t5*2"
    assert str(Move(card=nine, source=STOCK, target=WASTE)) == "9H s-w"
    assert str(Move(card=None, source=WASTE, target=STOCK)) == "w-s"
    assert read_move("10H t3-f1", rules_of(load_game("josephine").ruleset)).card == Card(10, "H")
    names = [place.name for place in (three, Place("foundation", 0), Place("reserve"), WASTE)]
    assert names == ["tableau pile 3", "foundation 1", "reserve 1", "the waste"]


if __name__ == "__main__":
    if sys.argv[1:] != ["--overwrite"]:
        sys.exit("with --overwrite, perft.json is written anew")
    lines = [f"{json.dumps(key)}: {json.dumps(counts(one))}" for key, one in COUNTED.items()]
    PERFT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
