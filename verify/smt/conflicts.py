"""All minimal sets of statements that cannot hold together.

The sets are found by going through the subsets of the statements as MARCO does (Liffiton, Previti,
Malik, Marques-Silva: "Fast, flexible MUS enumeration", Constraints 2016): each question rules out
the subsets above a conflicting set or below a consistent one, until none is left. All sets are
found, so the answer does not depend on the order in which Z3 happens to find them. Statements that
share no unknown, not even through a law, are gone through apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3

from spec.relations import Term
from verify.smt.logic import Asker, Undecided, variables, z3_errors

MOST_SETS = 2_000
"""How many subsets are looked at in one component before giving up."""


def minimal_conflicts(
    assertions: Mapping[str, Term], background: Sequence[Term], *, rlimit: int
) -> list[tuple[str, ...]]:
    """Every minimal set of names whose assertions clash with each other and the background.

    In the order of the assertions. The background by itself must be consistent: it is not
    checked. Raises Undecided if a question exceeds the budget or there are too many sets.
    """
    found = [
        conflict
        for names, around in _components(assertions, background)
        for conflict in _marco({name: assertions[name] for name in names}, around, rlimit=rlimit)
    ]
    place = {name: index for index, name in enumerate(assertions)}
    ordered = [tuple(sorted(conflict, key=place.__getitem__)) for conflict in found]
    return sorted(ordered, key=lambda conflict: [place[name] for name in conflict])


def _components(
    assertions: Mapping[str, Term], background: Sequence[Term]
) -> list[tuple[list[str], list[Term]]]:
    """The assertions that hang together by shared unknowns, with the background that they touch."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    linked = [(term, sorted(variables(term))) for term in background]
    named = {name: sorted(variables(term)) for name, term in assertions.items()}
    for unknowns in (*(found for _, found in linked), *named.values()):
        for other in unknowns[1:]:
            parent[root(other)] = root(unknowns[0])
    groups: dict[str, tuple[list[str], list[Term]]] = {}
    for name, unknowns in named.items():
        # An assertion without unknowns is true or false by itself.
        home = root(unknowns[0]) if unknowns else f"by itself: {name}"
        groups.setdefault(home, ([], []))[0].append(name)
    for term, unknowns in linked:
        if unknowns and root(unknowns[0]) in groups:
            groups[root(unknowns[0])][1].append(term)
    return list(groups.values())


def _marco(
    assertions: Mapping[str, Term], background: Sequence[Term], *, rlimit: int
) -> list[list[str]]:
    asker = Asker(assertions.items(), always=background, rlimit=rlimit)
    names = list(assertions)
    if asker.can_hold(names):
        return []
    seeds = _Seeds(names)
    conflicts: list[list[str]] = []
    for _ in range(MOST_SETS):
        seed = seeds.next()
        if seed is None:
            return conflicts
        if asker.can_hold(seed):
            largest = _grown(asker, seed, names)
            seeds.rule_out_below(largest)
        else:
            smallest = asker.clashing(seed)
            seeds.rule_out_above(smallest)
            conflicts.append(smallest)
    raise Undecided(f"more than {MOST_SETS} sets of statements to look at")


def _grown(asker: Asker, seed: list[str], names: list[str]) -> list[str]:
    kept = list(seed)
    for name in names:
        if name not in kept and asker.can_hold([*kept, name]):
            kept.append(name)
    return kept


class _Seeds:
    """The subsets that nothing is known about yet."""

    def __init__(self, names: list[str]) -> None:
        self._in = {name: z3.Bool(name) for name in names}
        self._solver = z3.Solver()

    def next(self) -> list[str] | None:
        """One of them, None if there is none left."""
        with z3_errors():
            answer = self._solver.check()
            if answer == z3.unknown:
                raise Undecided(self._solver.reason_unknown())
            if answer == z3.unsat:
                return None
            model = self._solver.model()
            return [
                name
                for name, flag in self._in.items()
                if z3.is_true(model.eval(flag, model_completion=True))
            ]

    def rule_out_below(self, consistent: list[str]) -> None:
        """No subset of a consistent set conflicts."""
        missing = [flag for name, flag in self._in.items() if name not in consistent]
        self._solver.add(z3.Or(*missing))

    def rule_out_above(self, conflict: list[str]) -> None:
        """No larger set is minimal."""
        self._solver.add(z3.Or(*(z3.Not(self._in[name]) for name in conflict)))
