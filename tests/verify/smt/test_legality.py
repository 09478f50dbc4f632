from __future__ import annotations

import random
from typing import Any

import pytest

from spec.cards import Card
from spec.errors import Unsupported
from spec.ruleset import Ruleset, from_paths
from verify.moves import Move, Place, apply, candidates, start_of, why_illegal
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.signature import MoveSignature, signature_of
from verify.smt.legality import Legality, legality

FORTY = {
    "pack.decks": 2,
    "foundations.piles": 8,
    "tableau.piles": 10,
    "tableau.deal": 4,
    "tableau.build.suit": "same",
    "stock.passes": 1,
    "waste.piles": 1,
}
FAMILY: dict[str, dict[str, Any]] = {
    "groups in suit": {**FORTY, "tableau.move.unit": "group"},
    "single cards, face down": {
        **FORTY,
        "tableau.build.suit": "alternate",
        "tableau.face_down": "all_but_top",
    },
    "whole groups, chosen base, kings and low cards in spaces": {
        **FORTY,
        "pack.base": "first_card",
        "tableau.build.suit": "alternate",
        "tableau.build.wrap": "full",
        "tableau.move.unit": "whole_group",
        "foundations.build.suit": "alternate",
        "foundations.returns": "always",
        "tableau.spaces.accept": ["K", "low"],
        "stock.passes": 2,
    },
    "dealt base, reserve, fills": {
        "pack.decks": 2,
        "pack.base": "first_card",
        "foundations.deal": 1,
        "foundations.build.suit": "alternate",
        "foundations.returns": "always",
        "tableau.piles": 9,
        "tableau.deal": 1,
        "tableau.build.suit": "alternate",
        "tableau.build.wrap": "base",
        "tableau.from": ["waste", "tableau", "foundation"],
        "tableau.spaces.fill": ["waste", "stock"],
        "tableau.spaces.from": ["tableau", "reserve"],
        "reserve.deal": 11,
        "stock.passes": "unlimited",
        "waste.piles": 1,
    },
}


def ruleset(**changes: Any) -> Ruleset:
    return from_paths({**FORTY, **{key.replace("__", "."): v for key, v in changes.items()}})


def deal(rules: Rules, number: int) -> Position:
    cards = rules.pack.cards()
    random.Random(number).shuffle(cards)
    rest = iter(cards)

    def take(count: int) -> tuple[Card, ...]:
        return tuple(next(rest) for _ in range(count))

    laid = rules.layout
    return start_of(
        rules,
        Position(
            foundations=tuple(map(take, laid.foundations)),
            tableau=tuple(map(take, laid.tableau)),
            face_down=laid.face_down,
            reserve=tuple(map(take, laid.reserve)),
            stock=take(laid.stock),
        ),
    )


@pytest.mark.parametrize("name", FAMILY)
def test_moves_are_legal_where_the_reference_says_so(name: str) -> None:
    rules = rules_of(from_paths(FAMILY[name]))
    asked = legality(rules.ruleset)
    chosen = random.Random(7)
    seen = {True: 0, False: 0}
    for number in range(3):
        position = deal(rules, number)
        for _ in range(60):
            moves = list(candidates(rules, position))
            legal = [move for move in moves if why_illegal(rules, position, move) is None]
            for move in chosen.sample(moves, min(6, len(moves))) + legal:
                if "stock" in (move.source.kind, move.target.kind):
                    continue
                expected = move in legal
                found = asked.legal(signature_of(position, move))
                assert found == expected, f"{move} in\n{position}"
                seen[expected] += 1
            turn = asked.deal(
                stock=bool(position.stock), waste=bool(position.waste), passes=position.passes
            )
            turns = [move for move in legal if "stock" in (move.source.kind, move.target.kind)]
            expected_turn = {"stock": "draw", "waste": "redeal"}
            assert turn == (expected_turn[turns[0].source.kind] if turns else None)
            if not legal:
                break
            position = apply(rules, position, chosen.choice(legal))
    assert min(seen.values()) > 100


def test_fills_take_the_first_that_has_cards() -> None:
    asked = legality(from_paths(FAMILY["dealt base, reserve, fills"]))
    assert asked.fill(stock=True, waste=True, reserve=True) == "waste"
    assert asked.fill(stock=True, waste=False, reserve=True) == "stock"
    assert asked.fill(stock=False, waste=False, reserve=True) is None
    assert legality(ruleset()).fill(stock=True, waste=True, reserve=True) is None


def test_a_redeal_needs_a_pass_that_is_left() -> None:
    twice, ever = legality(ruleset(stock__passes=2)), legality(ruleset(stock__passes="unlimited"))
    assert twice.deal(stock=True, waste=True, passes=2) == "draw"
    assert twice.deal(stock=False, waste=True, passes=1) == "redeal"
    assert twice.deal(stock=False, waste=True, passes=2) is None
    assert twice.deal(stock=False, waste=False, passes=1) is None
    assert ever.deal(stock=False, waste=True, passes=99) == "redeal"


def signature(**given: Any) -> MoveSignature:
    usual: dict[str, Any] = {
        "source": "tableau",
        "target": "tableau",
        "group": (Card(6, "S"),),
        "beneath": None,
        "whole_pile": False,
        "face_down": False,
        "onto": Card(7, "S"),
        "length": 3,
        "base": 1,
        "stock": False,
        "waste": False,
        "reserve": False,
    }
    return MoveSignature(**{**usual, **given})


@pytest.fixture(scope="module")
def in_suit() -> Legality:
    return legality(ruleset(tableau__move__unit="group"))


def test_a_card_goes_where_it_fits(in_suit: Legality) -> None:
    assert in_suit.legal(signature())
    assert not in_suit.legal(signature(onto=Card(7, "C")))
    assert not in_suit.legal(signature(face_down=True))
    assert in_suit.legal(signature(onto=None, length=0))


def test_only_groups_of_the_tableau_move_together(in_suit: Legality) -> None:
    group = (Card(6, "S"), Card(5, "S"))
    assert in_suit.legal(signature(group=group))
    assert not in_suit.legal(signature(group=(Card(6, "S"), Card(5, "C"))))
    on_foundation = {"target": "foundation", "onto": Card(5, "S"), "length": 5}
    assert in_suit.legal(signature(**on_foundation))
    assert not in_suit.legal(signature(group=group, **on_foundation))
    single = legality(ruleset())
    assert not single.legal(signature(group=group))


def test_only_the_longest_group_is_whole() -> None:
    whole = legality(ruleset(tableau__move__unit="whole_group"))
    assert whole.legal(signature(beneath=Card(7, "C")))
    assert not whole.legal(signature(beneath=Card(7, "S")))
    assert whole.legal(signature(target="foundation", onto=Card(5, "S"), beneath=Card(7, "S")))


def test_a_complete_foundation_takes_nothing(in_suit: Legality) -> None:
    circle = legality(ruleset(pack__base="first_card", foundations__deal=0))
    ace_on_king = {"target": "foundation", "group": (Card(1, "S"),), "onto": Card(13, "S")}
    assert circle.legal(signature(**ace_on_king, base=5, length=9))
    assert not circle.legal(signature(**ace_on_king, base=1, length=13))


def test_an_empty_foundation_takes_the_base_rank(in_suit: Legality) -> None:
    empty = {"target": "foundation", "onto": None, "length": 0}
    assert not in_suit.legal(signature(**empty))
    assert in_suit.legal(signature(**empty, group=(Card(1, "S"),)))
    assert in_suit.legal(signature(**empty, base=6))
    assert in_suit.legal(signature(**empty, base=None))


def test_nothing_moves_into_a_space_that_will_be_filled() -> None:
    fills = legality(from_paths(FAMILY["dealt base, reserve, fills"]))
    assert fills.legal(signature(onto=None, reserve=True))
    assert not fills.legal(signature(onto=None, stock=True))
    assert not fills.legal(signature(onto=None, source="foundation"))


def test_cards_come_from_where_the_rules_say() -> None:
    fills = legality(from_paths(FAMILY["dealt base, reserve, fills"]))
    red_on_black = {"group": (Card(6, "H"),), "onto": Card(7, "S")}
    assert fills.legal(signature(**red_on_black, source="foundation"))
    assert not fills.legal(signature(**red_on_black, source="reserve"))
    no_return = legality(ruleset())
    assert not no_return.legal(signature(source="foundation"))
    for kind in ("stock", "cell"):
        assert not no_return.legal(signature(source=kind))
    for kind in ("reserve", "waste", "stock", "cell"):
        assert not no_return.legal(signature(target=kind))


def test_what_is_not_played_is_refused_by_name() -> None:
    with pytest.raises(Unsupported, match=r"stock\.count: 3"):
        legality(ruleset(stock__count=3))


def test_a_signature_tells_what_lies_where() -> None:
    position = Position(
        foundations=((Card(1, "S"),), ()),
        tableau=((Card(9, "H"), Card(7, "S"), Card(6, "S")), (Card(3, "D"),), ()),
        face_down=(1, 0, 0),
        waste=(Card(2, "S"),),
        base=1,
    )
    first, space = Place("tableau", 0), Place("tableau", 2)

    def of(source: Place, target: Place, count: int = 1) -> MoveSignature:
        return signature_of(position, Move(card=None, source=source, target=target, count=count))

    one, two, three = (of(first, Place("tableau", 1), count) for count in (1, 2, 3))
    assert (one.group, one.beneath, one.onto) == ((Card(6, "S"),), Card(7, "S"), Card(3, "D"))
    assert (two.beneath, two.face_down, two.whole_pile) == (None, False, False)
    assert (three.face_down, three.whole_pile) == (True, True)
    assert (of(first, space).onto, of(first, space).length) == (None, 0)
    up = of(Place("waste"), Place("foundation", 0))
    assert (up.onto, up.length, up.whole_pile, up.base) == (Card(1, "S"), 1, True, 1)
    assert (up.stock, up.waste, up.reserve) == (False, True, False)
