"""Three executions of the rules agree: reference moves, compiled kernel, Z3.

On positions of random lines of play: the kernel finds the legal moves, up to those that lead to
the same position as another or change nothing, and the position that each leads to; Z3 finds for
every candidate whether it is legal, and what it leads to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec.game import game_names, load_game
from tests.rulesets import VARIANTS, small
from tests.verify.search.play import Numbers, deep_deal, easy_deal, play
from tests.verify.search.strategies import small_rules
from verify.moves import (
    STOCK,
    WASTE,
    Move,
    Place,
    Reason,
    apply,
    candidates,
    is_won,
    why_illegal,
)
from verify.position import Pile, Position
from verify.rules import Rules, rules_of
from verify.search.moves import kernel_moves, position_hash
from verify.signature import signature_of
from verify.smt.legality import legality

A_GAME = 2000
"""The number of positions looked at in each game, spread over its readings."""

A_VARIANT = 90
"""The number of positions looked at in each small ruleset."""

READINGS = [
    pytest.param(key, -(-A_GAME // len(keys)), id=key)
    for keys in (
        [name, *(f"{name}@{reading}" for reading in load_game(name).readings)]
        for name in game_names()
    )
    for key in keys
]


def lines(rules: Rules, *, moves: int, thin: int) -> Iterator[Seen]:
    """Every ``thin``-th position of endless lines of play, from hard deals and from easy ones."""
    for number in count():
        kind = number % 4
        start = (
            deep_deal(rules, number, lean=0)
            if kind == 0
            else easy_deal(rules, number, disorder=(0.1, 0.3, 0.6)[kind - 1])
        )
        line = play(rules, start, Numbers(number), moves=moves, eager=(10, 95, 85, 60)[kind])
        for position in islice(line, number % thin, None, thin):
            yield look(rules, position)


class Seen(NamedTuple):
    """A position of a line of play, and every candidate with the reason why it is not legal."""

    position: Position
    reasons: dict[Move, Reason | None]

    @property
    def legal(self) -> list[Move]:
        """The legal moves."""
        return [move for move, reason in self.reasons.items() if reason is None]


def look(rules: Rules, position: Position) -> Seen:
    """A position with its candidates."""
    moves = candidates(rules, position)
    return Seen(position, {move: why_illegal(rules, position, move) for move in moves})


def features(rules: Rules, seen: Seen) -> Iterator[str]:
    """What makes a position worth looking at, or a move of it."""
    position = seen.position
    done = sum(map(len, position.foundations))
    shown = {
        "stock empty": not position.stock,
        "space": not all(position.tableau),
        "foundation complete": any(len(pile) == rules.cap for pile in position.foundations),
        "three quarters on foundations": done * 4 >= 3 * rules.pack.size,
        "last ten cards": done >= rules.pack.size - 10,
        "won": is_won(rules, position),
        "face down": any(position.face_down),
        "no base rank": position.base is None,
        "later pass": position.passes > 1,
    }
    yield from (name for name, holds in shown.items() if holds)
    yield from {name for move in seen.legal for name in _features_of(position, move)}


def _features_of(position: Position, move: Move) -> Iterator[str]:
    source, target = _pile(position, move.source), _pile(position, move.target)
    whole = move.source.kind == "tableau" and move.count == len(source)
    into_space = move.target.kind == "tableau" and not target
    shown = {
        "redeal": move.card is None,
        "group moves": move.count > 1,
        "return": move.source.kind == "foundation",
        "pile emptied": whole,
        "move into a space": into_space,
        "whole pile into a space": whole and into_space,
    }
    yield from (name for name, holds in shown.items() if holds)


FEATURES = (
    "stock empty",
    "space",
    "foundation complete",
    "three quarters on foundations",
    "last ten cards",
    "won",
    "face down",
    "no base rank",
    "later pass",
    "group moves",
    "return",
    "redeal",
    "move into a space",
    "whole pile into a space",
    "pile emptied",
)


def check_kernel(rules: Rules, seen: Seen, after: dict[Move, Position]) -> None:
    """The kernel finds legal moves alone, what they lead to, and all that they lead to."""
    found = kernel_moves(rules, seen.position)
    assert set(found) <= set(after), f"not legal in\n{seen.position}"
    reached = {move: position_hash(rules, position) for move, position in after.items()}
    for move, hashed in found.items():
        assert reached[move] == hashed, f"{move} leads elsewhere from\n{seen.position}"
    known = {*found.values(), position_hash(rules, seen.position)}
    for move, hashed in reached.items():
        assert hashed in known, f"{move} is not found in\n{seen.position}"


class Z3:
    """What Z3 says of moves, of the stock and of spaces; each question is asked once."""

    def __init__(self, rules: Rules) -> None:
        asked = legality(rules.ruleset)
        self.legal = asked.legal
        self.fill = cache(asked.fill)
        self.deal = cache(asked.deal)


def check_z3(asked: Z3, seen: Seen, after: dict[Move, Position]) -> None:
    """Z3 takes the same moves for legal, and fills spaces from the same piles."""
    position = seen.position
    turn = asked.deal(
        stock=bool(position.stock), waste=bool(position.waste), passes=position.passes
    )
    turned = {"draw": (STOCK, WASTE), "redeal": (WASTE, STOCK), None: None}[turn]
    for move, reason in seen.reasons.items():
        if STOCK in (move.source, move.target):
            legal = turned == (move.source, move.target)
        else:
            legal = asked.legal(signature_of(position, move))
        assert legal == (reason is None), f"{move} ({reason}) in\n{position}"
    for move, reached in after.items():
        assert reached == _led_to(asked, position, move), f"{move} in\n{position}"


def _led_to(asked: Z3, position: Position, move: Move) -> Position:
    """What a legal move leads to, where spaces are filled as Z3 says; written for itself."""
    piles = {
        **{Place("tableau", n): list(pile) for n, pile in enumerate(position.tableau)},
        **{Place("foundation", n): list(pile) for n, pile in enumerate(position.foundations)},
        **{Place("reserve", n): list(pile) for n, pile in enumerate(position.reserve)},
        STOCK: list(position.stock),
        WASTE: list(position.waste),
    }
    source, target = piles[move.source], piles[move.target]
    base, passes = position.base, position.passes
    if (move.source, move.target) == (WASTE, STOCK):
        while source:
            target.append(source.pop())
        passes += 1
    else:
        moved = [source.pop() for _ in range(move.count)]
        target.extend(reversed(moved))
        if move.target.kind == "foundation" and base is None:
            base = moved[-1].rank
    down = list(position.face_down)
    for number in range(len(position.tableau)):
        pile = piles[Place("tableau", number)]
        if not pile:
            kind = asked.fill(
                stock=bool(piles[STOCK]),
                waste=bool(piles[WASTE]),
                reserve=any(pile for place, pile in piles.items() if place.kind == "reserve"),
            )
            if kind is not None:
                pile.append(piles[Place(kind)].pop())
        while down[number] and down[number] >= len(pile):
            down[number] -= 1

    def of(kind: str) -> tuple[Pile, ...]:
        return tuple(tuple(pile) for place, pile in piles.items() if place.kind == kind)

    return Position(
        foundations=of("foundation"),
        tableau=of("tableau"),
        face_down=tuple(down),
        reserve=of("reserve"),
        stock=tuple(piles[STOCK]),
        waste=tuple(piles[WASTE]),
        base=base,
        passes=passes,
    )


def _pile(position: Position, place: Place) -> Pile:
    piles = {"tableau": position.tableau, "foundation": position.foundations}
    piles |= {"reserve": position.reserve, "waste": (position.waste,), "stock": (position.stock,)}
    return piles[place.kind][place.number]


def check(rules: Rules, seen: Iterator[Seen], positions: int) -> Counter[str]:
    """How many of so many positions, on all of which the three agree, have each feature."""
    asked = Z3(rules)
    met: Counter[str] = Counter()
    for one in islice(seen, positions):
        after = {move: apply(rules, one.position, move) for move in one.legal}
        check_kernel(rules, one, after)
        check_z3(asked, one, after)
        met.update({"positions", *features(rules, one)})
    return met


def expected(rules: Rules) -> dict[str, int]:
    """How many positions of a game at least have each feature that its rules can give."""
    least = {
        "stock empty": 30,
        "space": 10,
        "pile emptied": 100,
        "foundation complete": 50,
        "three quarters on foundations": 30,
        "last ten cards": 5,
    }
    if rules.returns:
        least["return"] = 100
    if rules.unit != "card":
        least["group moves"] = 100
    if any(rules.layout.face_down):
        least["face down"] = 100
    if rules.to_space:
        least["move into a space"] = least["whole pile into a space"] = 10
    return least


@pytest.mark.slow
@pytest.mark.parametrize(("key", "positions"), READINGS)
def test_the_three_agree_on_the_games(key: str, positions: int) -> None:
    rules = rules_of(load_game(key).ruleset, game=key)
    met = check(rules, lines(rules, moves=300, thin=2), positions)
    assert met["positions"] == positions
    assert {name: met[name] for name, least in expected(rules).items() if met[name] < least} == {}


def test_every_game_is_looked_at_often_enough() -> None:
    counted: Counter[str] = Counter()
    for param in READINGS:
        key, positions = param.values
        counted[str(key).partition("@")[0]] += int(str(positions))
    assert sorted(counted) == game_names()
    assert min(counted.values()) >= A_GAME


SIZES = (
    {"ranks": 4, "decks": 1},
    {"ranks": 3, "decks": 2, "pack__suits": {"C": "black", "D": "red"}},
)


@pytest.mark.slow
def test_the_three_agree_on_every_rule() -> None:
    met: Counter[str] = Counter()
    for _, family, changes in VARIANTS:
        for size in SIZES:
            rules = rules_of(small(family, **(size | changes)))
            found = check(rules, lines(rules, moves=40, thin=3), A_VARIANT)
            assert found["positions"] == A_VARIANT
            met += found
    assert met["positions"] == len(VARIANTS) * len(SIZES) * A_VARIANT
    assert {name: met[name] for name in FEATURES if met[name] < 5} == {}


@pytest.mark.slow
@settings(max_examples=60)
@given(rules=small_rules(most=16), number=st.integers(0, 2**32), eager=st.integers(0, 100))
def test_the_three_agree_whatever_the_rules(rules: Rules, number: int, eager: int) -> None:
    start = deep_deal(rules, number, lean=0)
    line = play(rules, start, Numbers(number), moves=20, eager=eager)
    check(rules, (look(rules, position) for position in line), 20)
