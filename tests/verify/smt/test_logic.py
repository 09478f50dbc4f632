from __future__ import annotations

import random

import pytest
import z3

from spec.cards import Card, Pack
from spec.relations import PLAIN, STEPS, SUIT_RELATIONS, WRAPS, Face, builds
from verify.smt.logic import FOLDING, Asker, Undecided, Unknown, formula, pick, variables

PACK = Pack()
CARDS = PACK.cards()
SUITS = [suit for suit, _ in PACK.suits]
COLOURS = ("black", "red")
POLICIES = [
    (step, suit, wrap, base)
    for step in (*STEPS, 3, 12)
    for suit in SUIT_RELATIONS
    for wrap in WRAPS
    for base in (1, 5, 13)
]


def plain(card: Card, onto: Card, policy: tuple[str | int, str, str, int]) -> bool:
    step, suit, wrap, base = policy
    faces = [Face(c.rank, c.suit, PACK.colour(c.suit)) for c in (card, onto)]
    answer = builds(*faces, step=step, relation=suit, wrap=wrap, base=base, ranks=13, logic=PLAIN)
    assert isinstance(answer, bool)
    return answer


def face(name: str) -> Face:
    return Face(z3.Int(f"{name}.rank"), z3.Int(f"{name}.suit"), z3.Int(f"{name}.colour"))


def values(name: str, card: Card) -> list[tuple[z3.ArithRef, z3.ArithRef]]:
    colour = COLOURS.index(PACK.colour(card.suit))
    numbers = (card.rank, SUITS.index(card.suit), colour)
    return [(term, z3.IntVal(n)) for term, n in zip(face(name), numbers, strict=True)]


def test_unknown_cards_build_as_plain_ones_do() -> None:
    chosen = random.Random(1)
    seen = set()
    for policy in POLICIES:
        step, suit, wrap, base = policy
        term = formula(
            builds(
                face("card"),
                face("onto"),
                step=step,
                relation=suit,
                wrap=wrap,
                base=base,
                ranks=13,
                logic=FOLDING,
            )
        )
        pairs = [(chosen.choice(CARDS), chosen.choice(CARDS)) for _ in range(6)]
        # A random pair seldom fits; these do whenever the suits agree.
        pairs += [(Card(4, "S"), Card(5, "H")), (Card(5, "S"), Card(4, "S")), (CARDS[0], CARDS[12])]
        for card, onto in pairs:
            known = z3.simplify(z3.substitute(term, *values("card", card), *values("onto", onto)))
            assert z3.is_true(known) == plain(card, onto, policy), (card, onto, policy)
            assert z3.is_true(known) or z3.is_false(known)
            seen.add(z3.is_true(known))
    assert seen == {True, False}


def test_unknown_policies_build_as_plain_ones_do() -> None:
    chosen = random.Random(2)
    step = Unknown(term=z3.Int("step"), values=(*STEPS, *range(2, 13)))
    suit = Unknown(term=z3.Int("suit"), values=SUIT_RELATIONS)
    wrap = Unknown(term=z3.Int("wrap"), values=WRAPS)
    for number, policy in enumerate(POLICIES):
        card, onto = chosen.choice(CARDS), chosen.choice(CARDS)
        if number % 2:
            onto = Card(card.rank % 13 + 1, onto.suit)
        faces = [Face(c.rank, c.suit, PACK.colour(c.suit)) for c in (card, onto)]
        term = builds(
            *faces, step=step, relation=suit, wrap=wrap, base=policy[3], ranks=13, logic=FOLDING
        )
        fixed = [
            (unknown.term, z3.IntVal(unknown.values.index(value)))
            for unknown, value in zip((step, suit, wrap), policy, strict=False)
        ]
        known = z3.simplify(z3.substitute(formula(term), *fixed))
        assert z3.is_true(known) == plain(card, onto, policy), (card, onto, policy)


def test_what_is_settled_is_folded_away() -> None:
    x = z3.Bool("x")
    yes, no = True, False
    assert FOLDING.all_of(yes, yes) is True
    assert FOLDING.all_of(yes, no, x) is False
    assert FOLDING.all_of(yes, x) is x
    assert FOLDING.any_of(no, x) is x
    assert FOLDING.any_of(no, yes, x) is True
    assert FOLDING.any_of() is False
    assert FOLDING.negate(yes) is False
    assert FOLDING.named("up", "up") is True
    assert FOLDING.named("up", "down") is False
    assert (pick(yes, 1, 2), pick(no, 1, 2)) == (1, 2)
    assert variables(yes) == frozenset()


def test_an_unknown_that_cannot_be_a_value_is_not() -> None:
    unknown = Unknown(term=z3.Int("u"), values=("a", "b"))
    assert unknown.named("c") is False
    assert variables(unknown.named("b")) == {"u"}


def test_conflicts_are_made_as_small_as_they_can_be() -> None:
    x = z3.Int("x")
    asker = Asker({"a": x > 3, "b": x < 9, "c": x < 2, "d": x < 3}.items(), rlimit=100_000)
    assert asker.can_hold(["a", "b"])
    assert not asker.can_hold(["a", "b", "c"])
    assert asker.clashing(["a", "b", "c", "d"]) == ["a", "d"]
    assert not asker.can_hold(["a"], x < 0)
    assert asker.can_hold(["a"])


def test_no_answer_is_never_an_answer() -> None:
    x, y, z = z3.Ints("x y z")
    hard = z3.And(x * x * x + y * y * y + z * z * z == 114, x > 1, y > 1)
    asker = Asker({"hard": hard}.items(), rlimit=1_000)
    with pytest.raises(Undecided):
        asker.can_hold(["hard"])


def test_a_question_that_z3_refuses_is_no_answer_either() -> None:
    asker = Asker(rlimit=1_000)
    with pytest.raises(Undecided):
        asker.can_hold([], z3.Int("x"))
