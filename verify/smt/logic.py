"""The door to Z3: conditions as formulas, and questions about them within a budget.

Conditions that are settled already are folded away, so that a rule with known values gives a plain
truth value and one with unknown values a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import z3

from spec.relations import Term

RLIMIT = 20_000_000
"""The budget of one question, in Z3's own count of work: the same on every machine."""


class Undecided(Exception):
    """Z3 gave no answer: the budget is used up, or it gave up. Never taken for an answer."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"Z3 could not decide: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A rule's value that is not known: a number in Z3 that stands for one of ``values``."""

    term: z3.ArithRef
    values: tuple[str | int, ...]
    _formulas: dict[str | int, Term] = field(default_factory=dict, compare=False, repr=False)

    def named(self, name: str | int) -> Term:
        """The formula that the value is ``name``; False if it cannot be."""
        if name not in self._formulas:
            self._formulas[name] = self._is(name)
        return self._formulas[name]

    def _is(self, name: str | int) -> Term:
        return self.term == self.values.index(name) if name in self.values else False


class Folding:
    """Logic over formulas and plain truth values alike."""

    def all_of(self, *conditions: Term) -> Term:
        """True where every condition is."""
        open_ones = [condition for condition in conditions if condition is not True]
        if any(condition is False for condition in open_ones):
            return False
        if len(open_ones) < 2:
            return open_ones[0] if open_ones else True
        return z3.And(*open_ones)

    def any_of(self, *conditions: Term) -> Term:
        """True where some condition is."""
        open_ones = [condition for condition in conditions if condition is not False]
        if any(condition is True for condition in open_ones):
            return True
        if len(open_ones) < 2:
            return open_ones[0] if open_ones else False
        return z3.Or(*open_ones)

    def negate(self, condition: Term) -> Term:
        """True where the condition is false."""
        return not condition if isinstance(condition, bool) else z3.Not(condition)

    def named(self, value: Term, name: str | int) -> Term:
        """True where a rule's value, known or not, is ``name``."""
        return value.named(name) if isinstance(value, Unknown) else bool(value == name)


FOLDING = Folding()


def formula(term: Term) -> z3.BoolRef:
    """The term as a formula, a plain truth value included."""
    return z3.BoolVal(term) if isinstance(term, bool) else term


def variables(term: Term) -> frozenset[str]:
    """The names of the unknowns in a term."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [] if isinstance(term, bool) else [term]
    while waiting:
        node = waiting.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(node.decl().name())
        waiting.extend(node.children())
    return frozenset(found)


@contextmanager
def z3_errors() -> Iterator[None]:
    """Turns the exceptions of Z3 into :class:`Undecided`."""
    try:
        yield
    except z3.Z3Exception as error:
        raise Undecided(str(error)) from error


class Asker:
    """Named assertions, of which one may ask whether some can hold together.

    Every question has a budget of ``rlimit``. Raises Undecided where it does not suffice.
    """

    def __init__(
        self,
        assertions: Iterable[tuple[str, Term]] = (),
        *,
        always: Iterable[Term] = (),
        rlimit: int,
    ) -> None:
        self._solver = z3.Solver()
        self._solver.set("rlimit", rlimit)
        self._solver.add(*(formula(term) for term in always))
        self._markers: dict[str, z3.BoolRef] = {}
        for name, term in assertions:
            self.add(name, term)

    def add(self, name: str, term: Term) -> None:
        """Adds an assertion that holds in the questions that name it."""
        marker = z3.Bool(f"[{name}]")
        self._markers[name] = marker
        self._solver.add(z3.Implies(marker, formula(term)))

    def can_hold(self, names: Iterable[str], *also: Term) -> bool:
        """Whether the assertions of these names, and ``also`` these terms, can hold together."""
        with z3_errors(), self._for_once(also):
            answer = self._solver.check(*(self._markers[name] for name in names))
            if answer == z3.unknown:
                raise Undecided(self._solver.reason_unknown())
            return bool(answer == z3.sat)

    @contextmanager
    def _for_once(self, terms: tuple[Term, ...]) -> Iterator[None]:
        self._solver.push()
        try:
            self._solver.add(*(formula(term) for term in terms))
            yield
        finally:
            self._solver.pop()

    def clashing(self, names: Iterable[str], *also: Term) -> list[str]:
        """A smallest part of ``names`` that cannot hold together with ``also``.

        Smallest in that nothing can be left out; earlier names are tried first for leaving out.
        Only for names that cannot hold together.
        """
        kept = list(names)
        for name in list(kept):
            without = [other for other in kept if other != name]
            if not self.can_hold(without, *also):
                kept = without
        return kept


def pick(condition: Term, then: Any, otherwise: Any) -> Any:
    """``then`` where the condition is true, ``otherwise`` where it is false."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    return z3.If(condition, then, otherwise)
