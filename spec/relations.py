"""The meaning of build policies, written once, over integers or over the terms of a solver.

A :class:`Logic` says how conditions are joined. With :data:`PLAIN` everything is an int or a bool
and so is the answer; a solver brings its own logic and gets formulas. The reference moves, the
encodings and the tables of the compiled kernel all call these functions.

Ranks run from 1 (ace). The *offset* of a rank is its distance above the base rank, 0 to ranks - 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

Term = Any
"""An int or a bool, or a solver's term of that sort."""


class Face(NamedTuple):
    """What a relation looks at in a card; ``suit`` and ``colour`` only for equality."""

    rank: Term
    suit: Term
    colour: Term


class Logic(Protocol):
    """How conditions are joined, and how a rule's value is compared with a name."""

    def all_of(self, *conditions: Term) -> Term:
        """True where every condition is."""
        ...

    def any_of(self, *conditions: Term) -> Term:
        """True where some condition is."""
        ...

    def negate(self, condition: Term) -> Term:
        """True where the condition is false."""
        ...

    def named(self, value: Term, name: str | int) -> Term:
        """True where a rule's value is ``name``."""
        ...


class PlainLogic:
    """Python's own truth: answers are bools."""

    def all_of(self, *conditions: Term) -> Term:
        """True if every condition is true."""
        return all(conditions)

    def any_of(self, *conditions: Term) -> Term:
        """True if some condition is true."""
        return any(conditions)

    def negate(self, condition: Term) -> Term:
        """True if the condition is false."""
        return not condition

    def named(self, value: Term, name: str | int) -> Term:
        """True if ``value`` is ``name``."""
        return bool(value == name)


PLAIN = PlainLogic()

STEPS = ("down", "up", "either", "equal", "any", "none")
SUIT_RELATIONS = ("same", "alternate", "any", "colour", "different")
WRAPS = ("none", "base", "full")


def offset(rank: Term, base: Term, ranks: int) -> Term:
    """The distance of ``rank`` above ``base`` on the circle of ranks, 0 to ``ranks`` - 1."""
    return (rank - base) % ranks


def above(upper: Term, lower: Term, *, base: Term, wrap: Term, ranks: int, logic: Logic) -> Term:
    """Whether ``upper`` is the next rank above ``lower``.

    ``wrap`` is ``none`` (ace low, king high), ``base`` (the base rank low, the rank before it high)
    or ``full`` (a circle). With an ace as base rank ``none`` and ``base`` are the same.
    """
    return logic.any_of(
        logic.all_of(logic.named(wrap, "none"), upper - lower == 1),
        logic.all_of(
            logic.named(wrap, "base"), offset(upper, base, ranks) - offset(lower, base, ranks) == 1
        ),
        logic.all_of(logic.named(wrap, "full"), (upper - lower) % ranks == 1),
    )


def steps(
    card: Term, onto: Term, *, step: Term, base: Term, wrap: Term, ranks: int, logic: Logic
) -> Term:
    """Whether a card of rank ``card`` may lie on one of rank ``onto``, by rank alone."""
    lower = above(onto, card, base=base, wrap=wrap, ranks=ranks, logic=logic)
    higher = above(card, onto, base=base, wrap=wrap, ranks=ranks, logic=logic)
    by_number = [
        logic.all_of(logic.named(step, number), (card - onto) % ranks == number % ranks)
        for number in range(2, ranks)
    ]
    return logic.any_of(
        logic.all_of(logic.named(step, "down"), lower),
        logic.all_of(logic.named(step, "up"), higher),
        logic.all_of(logic.named(step, "either"), logic.any_of(lower, higher)),
        logic.all_of(logic.named(step, "equal"), card == onto),
        logic.named(step, "any"),
        *by_number,
    )


def suits_agree(card: Face, onto: Face, *, relation: Term, logic: Logic) -> Term:
    """Whether ``card`` may lie on ``onto``, by suit and colour alone."""
    return logic.any_of(
        logic.all_of(logic.named(relation, "same"), card.suit == onto.suit),
        logic.all_of(logic.named(relation, "alternate"), logic.negate(card.colour == onto.colour)),
        logic.named(relation, "any"),
        logic.all_of(logic.named(relation, "colour"), card.colour == onto.colour),
        logic.all_of(logic.named(relation, "different"), logic.negate(card.suit == onto.suit)),
    )


def builds(
    card: Face,
    onto: Face,
    *,
    step: Term,
    relation: Term,
    wrap: Term,
    base: Term,
    ranks: int,
    logic: Logic,
) -> Term:
    """Whether ``card`` may be built on ``onto`` under a build policy."""
    return logic.all_of(
        steps(card.rank, onto.rank, step=step, base=base, wrap=wrap, ranks=ranks, logic=logic),
        suits_agree(card, onto, relation=relation, logic=logic),
    )


def first_with_cards(sources: list[tuple[Term, Term]], *, otherwise: Term, pick: Any) -> Term:
    """The value of the first source that has cards, else ``otherwise``.

    ``sources`` are pairs (has cards, value) in the order of a fill chain; ``pick(condition, then,
    other)`` chooses between two values (a conditional expression, or a solver's if-then-else).
    """
    answer = otherwise
    for has_cards, value in reversed(sources):
        answer = pick(has_cards, value, answer)
    return answer
