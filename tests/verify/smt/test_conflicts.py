from __future__ import annotations

from itertools import combinations

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from spec.relations import Term
from verify.smt import conflicts
from verify.smt.conflicts import minimal_conflicts
from verify.smt.logic import Undecided

RLIMIT = 1_000_000


def by_force(assertions: dict[str, Term]) -> list[tuple[str, ...]]:
    """Every minimal conflict, by trying every subset, the smallest first."""
    found: list[tuple[str, ...]] = []
    for size in range(1, len(assertions) + 1):
        for names in combinations(assertions, size):
            if any(set(known) <= set(names) for known in found):
                continue
            solver = z3.Solver()
            solver.add(*(assertions[name] for name in names))
            if solver.check() == z3.unsat:
                found.append(names)
    return sorted(found, key=lambda names: [list(assertions).index(name) for name in names])


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=2), max_size=7))
def test_every_minimal_conflict_is_found(clauses: list[list[int]]) -> None:
    flags = {n: z3.Bool(f"x{n}") for n in range(1, 5)}
    assertions: dict[str, Term] = {
        f"c{index}": z3.Or(*(flags[n] if n > 0 else z3.Not(flags[-n]) for n in clause))
        for index, clause in enumerate(clauses)
    }
    assert minimal_conflicts(assertions, [], rlimit=RLIMIT) == by_force(assertions)


def test_many_problems_that_do_not_touch_each_other_are_no_trouble() -> None:
    assertions: dict[str, Term] = {}
    for index in range(30):
        x = z3.Bool(f"x{index}")
        assertions |= {f"yes{index}": x, f"no{index}": z3.Not(x)}
    found = minimal_conflicts(assertions, [], rlimit=RLIMIT)
    assert found == [(f"yes{index}", f"no{index}") for index in range(30)]


def test_problems_meet_through_a_law() -> None:
    x, y = z3.Ints("x y")
    assertions: dict[str, Term] = {"a": x == 1, "b": y == 1, "c": z3.Bool("z")}
    assert minimal_conflicts(assertions, [x < y], rlimit=RLIMIT) == [("a", "b")]
    assert minimal_conflicts(assertions, [], rlimit=RLIMIT) == []


def test_what_is_false_by_itself_is_a_conflict() -> None:
    assertions: dict[str, Term] = {"a": False, "b": True, "c": z3.Bool("z")}
    assert minimal_conflicts(assertions, [], rlimit=RLIMIT) == [("a",)]


def test_too_many_sets_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "MOST_SETS", 3)
    x = z3.Int("x")
    assertions: dict[str, Term] = {f"is {n}": x == n for n in range(5)}
    with pytest.raises(Undecided, match="more than 3"):
        minimal_conflicts(assertions, [], rlimit=RLIMIT)
