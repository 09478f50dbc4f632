"""Positions as data: written and read back, and every damage named."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.dealers import deal
from generator.shuffles import Seed
from spec.cards import Card
from spec.errors import InputError
from spec.game import game_names, load_game
from tests.rulesets import FREE_SPACES, small
from tests.verify.search.play import Numbers, deep_deal, play
from tests.verify.search.strategies import small_rules
from verify.moves import start_of
from verify.position import Position, read_position
from verify.rules import Rules, rules_of

ONE_DECK: dict[str, Any] = FREE_SPACES | {
    "tableau.piles": 4,
    "tableau.deal": 5,
    "tableau.face_down": 2,
    "reserve.deal": 6,
}
RULES = rules_of(small(ONE_DECK, ranks=13), game="one deck")
SIGNORA = rules_of(load_game("signora").ruleset, game="signora")


def a_deal(rules: Rules = RULES) -> Position:
    return deal(rules, Seed(dealer="dealproof", number=1))


def read(tree: object, rules: Rules = RULES) -> Position:
    return read_position(tree, pack=rules.pack, layout=rules.layout)


# Written and read back


@pytest.mark.parametrize("key", game_names())
def test_positions_of_games_are_read_as_they_are_written(key: str) -> None:
    rules = rules_of(load_game(key).ruleset, game=key)
    for position in play(rules, a_deal(rules), Numbers(1), moves=60, eager=50):
        assert read(json.loads(json.dumps(position.to_json())), rules) == position


@settings(max_examples=30)
@given(rules=small_rules(), number=st.integers(0, 2**32))
def test_positions_are_read_as_they_are_written(rules: Rules, number: int) -> None:
    start = deep_deal(rules, number, lean=0)
    for position in play(rules, start, Numbers(number), moves=12, eager=40):
        assert read(json.loads(json.dumps(position.to_json())), rules) == position


def test_the_keys_are_stable() -> None:
    assert list(a_deal().to_json()) == [
        *("base", "foundations", "tableau", "face_down"),
        *("reserve", "stock", "waste", "passes"),
    ]
    assert a_deal(SIGNORA).to_json()["base"] == str(a_deal(SIGNORA).foundations[0][0])[0]


def test_what_a_deal_does_not_have_may_be_left_out() -> None:
    rules = rules_of(small(FREE_SPACES, ranks=3))
    start = deep_deal(rules, 1, lean=0)
    tree = start.to_json()
    short = {key: tree[key] for key in ("foundations", "tableau", "stock")}
    assert start_of(rules, read(short, rules)) == start
    assert read(short, rules).base is None


def test_a_ten_may_be_written_in_two_ways_and_letters_in_two_cases() -> None:
    start = a_deal()
    text = json.dumps(start.to_json())
    assert "TH" in text
    assert read(json.loads(text.replace("TH", "10H"))) == start
    assert read(json.loads(text.replace("TH", "th").replace("QS", "qS"))) == start


def test_a_position_is_shown_with_face_down_cards_in_brackets() -> None:
    position = Position(
        foundations=((Card(5, "H"), Card(6, "S")), ()),
        tableau=((Card(1, "C"), Card(13, "D")), ()),
        face_down=(1, 0),
        reserve=((Card(10, "S"),),),
        stock=(Card(2, "C"), Card(3, "C")),
        base=5,
    )
    assert str(position).splitlines() == [
        "base rank   5",
        "foundations 5H 6S",
        "tableau 1   [AC] KD",
        "tableau 2   -",
        "reserve     TS",
        "waste       -",
        "stock       2C 3C",
    ]


def test_the_order_of_piles_does_not_count() -> None:
    start = a_deal()
    turned = replace(
        start,
        tableau=start.tableau[::-1],
        face_down=start.face_down[::-1],
        foundations=start.foundations[::-1],
    )
    assert turned != start
    assert turned.canonical() == start.canonical()
    other = replace(start, face_down=(1, 2, 2, 2))
    assert other.canonical() != start.canonical()
    assert replace(start, stock=start.stock[::-1]).canonical() != start.canonical()


def test_face_down_cards_go_with_their_pile() -> None:
    one, two = ((Card(1, "C"), Card(2, "C")), 0), ((Card(3, "C"), Card(4, "C")), 1)

    def of(*piles: tuple[tuple[Card, ...], int]) -> Position:
        cards, down = zip(*piles, strict=True)
        return Position(foundations=(), tableau=cards, face_down=down).canonical()

    assert of(one, two) == of(two, one)
    assert of(one, two) != of((one[0], 1), (two[0], 0))


# Damaged

Damage = Callable[[dict[str, Any]], object]


def changed(change: Callable[[dict[str, Any]], object]) -> Damage:
    """The deal with something done to it."""

    def damage(tree: dict[str, Any]) -> object:
        change(tree)
        return tree

    return damage


def put(path: str, value: object) -> Damage:
    """The deal with another value at a path such as ``tableau.0.1``."""

    def damage(tree: dict[str, Any]) -> object:
        node: Any = tree
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in steps:
            node = node[step]
        node[last] = value
        return tree

    return damage


DECK = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"]

DAMAGED: list[tuple[str, Damage, str]] = [
    ("no mapping", lambda tree: [tree], "a deal is a mapping; state its base, foundations, "),
    ("no deal", lambda tree: None, "a deal is a mapping"),
    ("an unknown key", put("talon", []), "unknown key 'talon'; allowed here: base, foundations"),
    ("a misspelt key", put("Stock", []), "unknown key 'Stock'"),
    ("a number as a key", lambda tree: {3: []}, "unknown key '3'"),
    ("a card short", changed(lambda tree: tree["stock"].pop()), r"51 cards, missing 1 x \w\w; "),
    (
        "a card too many",
        changed(lambda tree: tree["stock"].append("KH")),
        "53 cards, too many 1 x KH; the pack has 52 cards, 1 of each",
    ),
    (
        "a card twice",
        changed(lambda tree: tree["stock"].__setitem__(0, tree["stock"][1])),
        r"52 cards, missing 1 x \w\w and too many 1 x \w\w; ",
    ),
    (
        "two decks",
        changed(lambda tree: tree["stock"].extend(DECK)),
        "104 cards, too many 1 x AC, 1 x 2C, .* and 44 more; the pack has 52 cards, 1 of each",
    ),
    ("no stock", changed(lambda tree: tree.pop("stock")), "26 cards, missing .* and 18 more"),
    ("an unknown rank", put("stock.2", "XH"), r"stock\[2\]: 'XH' is no card of this pack; write a"),
    ("an unknown suit", put("tableau.1.0", "9X"), r"tableau\[1\]\[0\]: '9X' is no card"),
    ("a rank alone", put("stock.0", "9"), r"stock\[0\]: '9' is no card"),
    ("nothing", put("stock.0", ""), r"stock\[0\]: '' is no card"),
    ("an eleven", put("stock.0", "11H"), "'11H' is no card"),
    ("a one", put("stock.0", "1H"), "'1H' is no card"),
    ("a letter that looks alike", put("stock.0", "А" + "H"), "is no card of this pack"),  # noqa: RUF001
    ("a suit as a symbol", put("stock.0", "9♥"), "'9♥' is no card"),
    ("a digit of another script", put("stock.0", "٩H"), "is no card"),
    ("a blank", put("stock.0", " 9H"), "' 9H' is no card"),
    ("a number for a card", put("reserve.0.3", 9), r"reserve\[0\]\[3\]: '9' is no card"),
    ("a list for a card", put("stock.0", ["9H"]), "is no card"),
    ("a text for a pile", put("stock", "9H TH"), "stock: '9H TH' is no pile; a pile is a list"),
    ("a pile that is null", put("tableau.2", None), r"tableau\[2\]: None is no pile"),
    ("a mapping for a pile", put("waste", {}), "waste: {} is no pile"),
    (
        "a pile short",
        changed(lambda tree: tree["tableau"].pop()),
        "tableau: 3 piles; tableau is a ",
    ),
    (
        "a pile too many",
        changed(lambda tree: tree["foundations"].append([])),
        "foundations: 5 piles",
    ),
    ("no list of piles", put("reserve", "5H"), "reserve: '5H'; reserve is a list of 1 piles"),
    ("a reserve too many", put("reserve", [[], []]), "reserve: 2 piles; reserve is a list of 1"),
    (
        "too many face down",
        put("face_down.1", 6),
        r"face_down\[1\]: 6 of 5 cards face down; at most",
    ),
    ("counts short", put("face_down", [2, 2, 2]), "face_down is a list of 4 numbers"),
    ("less than none face down", put("face_down.0", -1), "face_down is a list of 4 numbers"),
    ("a count that is true", put("face_down.0", value=True), "face_down is a list of 4 numbers"),
    ("half a card face down", put("face_down.0", 1.0), "face_down is a list of 4 numbers"),
    ("a text of counts", put("face_down", "2222"), "face_down is a list of 4 numbers"),
    ("a number for a base rank", put("base", 5), "base: 5 is no rank; one of A23456789TJQK"),
    ("two base ranks", put("base", "23"), "base: '23' is no rank"),
    ("no base rank", put("base", ""), "base: '' is no rank"),
    ("pass 0", put("passes", 0), "passes: 0; a number from 1"),
    ("a pass that is true", put("passes", value=True), "passes: True; a number from 1"),
    ("a text for a pass", put("passes", "1"), "passes: '1'; a number from 1"),
]


@pytest.mark.parametrize(
    ("damage", "complaint"), [pytest.param(d, words, id=name) for name, d, words in DAMAGED]
)
def test_a_damaged_deal_is_refused(damage: Damage, complaint: str) -> None:
    tree = damage(copy.deepcopy(a_deal().to_json()))
    with pytest.raises(InputError, match=complaint):
        read(tree)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
PATHS = [
    *a_deal().to_json(),
    *("foundations.0", "tableau.0", "reserve.0", "stock.0", "tableau.1.1", "face_down.0"),
]


@given(path=st.sampled_from(PATHS), junk=JUNK)
def test_whatever_is_put_in_its_place_is_refused_or_read(path: str, junk: object) -> None:
    tree = put(path, junk)(copy.deepcopy(a_deal().to_json()))
    try:
        position = read(tree)
    except InputError as error:
        assert str(error)  # noqa: PT017
    else:
        RULES.pack.check_complete(position.cards())


# Deals of a game


def test_a_deal_of_the_game_is_one() -> None:
    start = a_deal(SIGNORA)
    assert start_of(SIGNORA, replace(start, base=None)) == start
    assert start.base == start.foundations[0][0].rank
    assert start_of(RULES, replace(a_deal(), base=None)).base == 1


NOT_DEALT: list[tuple[str, Callable[[Position], Position], str]] = [
    (
        "a card in the waste",
        lambda start: replace(start, stock=start.stock[:-1], waste=start.stock[-1:]),
        "stock: 82 in this deal; signora deals 83: foundations 1",
    ),
    (
        "two foundations begun",
        lambda start: replace(
            start, foundations=(start.foundations[0], start.reserve[0][:1], *start.foundations[2:])
        ),
        "foundations: 1 1 0 0 0 0 0 0 in this deal; signora deals 1 0 0 0 0 0 0 0",
    ),
    (
        "a pile of two",
        lambda start: replace(start, tableau=(start.tableau[0] * 2, *start.tableau[1:])),
        "tableau: 2 1 1 1 1 1 1 1 1 in this deal; signora deals 1 1 1 1 1 1 1 1 1",
    ),
    (
        "a card face down",
        lambda start: replace(start, face_down=(1, *start.face_down[1:])),
        "face_down: 1 0 0 0 0 0 0 0 0 in this deal",
    ),
    (
        "a short reserve",
        lambda start: replace(start, reserve=(start.reserve[0][:-1],)),
        "reserve: 10 in this deal; signora deals 11",
    ),
    (
        "a second pass",
        lambda start: replace(start, passes=2),
        "passes: 2 in this deal; signora deals 1",
    ),
    (
        "another base rank",
        lambda start: replace(start, base=(start.base or 0) % 13 + 1),
        "base: the base rank is not that of the card dealt to the foundation; leave it out",
    ),
]


@pytest.mark.parametrize(
    ("change", "complaint"), [pytest.param(c, words, id=name) for name, c, words in NOT_DEALT]
)
def test_what_the_game_does_not_deal_is_refused(
    change: Callable[[Position], Position], complaint: str
) -> None:
    with pytest.raises(InputError) as caught:
        start_of(SIGNORA, change(a_deal(SIGNORA)))
    assert complaint in str(caught.value)


def test_no_game_takes_the_deal_of_another() -> None:
    every = {key: rules_of(load_game(key).ruleset, game=key) for key in game_names()}
    for key, rules in every.items():
        for other, others in every.items():
            if key != other:
                with pytest.raises(InputError, match=f"{key} deals"):
                    start_of(rules, a_deal(others))
