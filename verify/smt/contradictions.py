"""Contradictions: statements of one document that cannot hold together, told as findings.

Statements are taken literally. One that contradicts itself is reported, and then taken in its next
reading, so that it does not hide the clashes that it takes part in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from spec.parameters import PARAMETERS
from spec.statement import Statement
from verify.findings import Finding
from verify.smt.case import Case
from verify.smt.conflicts import minimal_conflicts
from verify.smt.logic import FOLDING, Asker
from verify.smt.theory import Law
from verify.smt.wording import finding, grounds, joined, named, quoted, sentence

Conflict = tuple[str, ...]
MOST_COMBINATIONS = 64
"""How many combinations of readings are tried for one conflict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicts:
    """The minimal conflicts of a document, and the reading that each statement was taken in."""

    sets: tuple[Conflict, ...]
    taken: dict[str, int]


def conflicts_of(case: Case) -> Conflicts:
    """Every minimal conflict among the statements of a document, in its order."""
    taken = {statement.id: 0 for statement in case.claims()}
    literal = _minimal(case, taken)
    retaken = dict(taken)
    for conflict in literal:
        if len(conflict) == 1:
            retaken[conflict[0]] = _next_reading(case, conflict[0])
    if retaken == taken:
        return Conflicts(sets=tuple(literal), taken=taken)
    further = [conflict for conflict in _minimal(case, retaken) if conflict not in literal]
    return Conflicts(sets=(*literal, *further), taken=retaken)


def _minimal(case: Case, taken: dict[str, int]) -> list[Conflict]:
    terms = {statement.id: case.term(statement, taken[statement.id]) for statement in case.claims()}
    return minimal_conflicts(terms, case.always, rlimit=case.rlimit)


def _next_reading(case: Case, name: str) -> int:
    """The first further reading that does not contradict itself; the literal one if none is."""
    statement = case.document.statement(name)
    asker = Asker(always=case.always, rlimit=case.rlimit)
    for number in range(1, len(statement.readings)):
        if asker.can_hold((), case.term(statement, number)):
            return number
    return 0


def suspects(found: Conflicts) -> frozenset[str]:
    """Statements without which no conflict is left: again and again those that most sets share.

    Where several share equally many, all of them, so that none is taken to be right by chance.
    """
    suspected: set[str] = set()
    left = list(found.sets)
    while left:
        counts = Counter(name for conflict in left for name in conflict)
        most = max(counts.values())
        suspected |= {name for name, count in counts.items() if count == most}
        left = [conflict for conflict in left if not suspected & set(conflict)]
    return frozenset(suspected)


def contradictions(case: Case, found: Conflicts) -> list[Finding]:
    """A finding for each problem; conflicts that restate each other are one problem."""
    return [_finding(case, found, cluster) for cluster in _clusters(case, found)]


def _clusters(case: Case, found: Conflicts) -> list[list[Conflict]]:
    """Conflicts round the same example, and conflicts that differ in a restatement, together.

    The first of each cluster is the plainest: few examples, few statements.
    """
    rules_only = [c for c in found.sets if not any(_is_example(case, name) for name in c)]
    waiting = [conflict for conflict in found.sets if conflict not in rules_only]
    clusters: list[list[Conflict]] = []
    for conflict in rules_only:
        for cluster in clusters:
            if any(_restated(case, found, conflict, other) for other in cluster):
                cluster.append(conflict)
                break
        else:
            clusters.append([conflict])
    while waiting:
        pivot = _most_frequent_example(case, waiting)
        clusters.append([conflict for conflict in waiting if pivot in conflict])
        waiting = [conflict for conflict in waiting if pivot not in conflict]
    return [sorted(cluster, key=lambda c: _plainness(case, c)) for cluster in clusters]


def _is_example(case: Case, name: str) -> bool:
    return case.document.statement(name).kind in ("example", "fits")


def _plainness(case: Case, conflict: Conflict) -> tuple[int, int]:
    return sum(_is_example(case, name) for name in conflict), len(conflict)


def _most_frequent_example(case: Case, conflicts: Sequence[Conflict]) -> str:
    counts = Counter(name for conflict in conflicts for name in conflict)
    examples = [s.id for s in case.claims() if _is_example(case, s.id) and counts[s.id]]
    return max(examples, key=lambda name: counts[name])


def _restated(case: Case, found: Conflicts, one: Conflict, other: Conflict) -> bool:
    """Whether two conflicts share all but one statement, which says the same in other words."""
    only_one, only_other = set(one) - set(other), set(other) - set(one)
    if len(only_one) != 1 or len(only_other) != 1 or not set(one) & set(other):
        return False
    return _restates(case, found, only_one.pop(), only_other.pop())


def _restates(case: Case, found: Conflicts, name: str, other: str) -> bool:
    """Whether one of two statements follows from the other."""
    one, two = (_taken_term(case, found, each) for each in (name, other))
    asker = Asker(always=case.always, rlimit=case.rlimit)
    return not (
        asker.can_hold((), one, FOLDING.negate(two))
        and asker.can_hold((), two, FOLDING.negate(one))
    )


def _taken_term(case: Case, found: Conflicts, name: str) -> object:
    return case.term(case.document.statement(name), found.taken[name])


def _finding(case: Case, found: Conflicts, cluster: list[Conflict]) -> Finding:
    plainest = cluster[0]
    core = [case.document.statement(name) for name in plainest]
    # A conflict of one statement is about its literal reading, the others about the one taken.
    readings = [0 if len(core) == 1 else found.taken[statement.id] for statement in core]
    terms = [case.term(s, reading) for s, reading in zip(core, readings, strict=True)]
    used = case.why(*terms)
    restating, others = _other_statements(case, found, cluster)
    remedy = _remedy(case, core, readings)
    flavoured = any(statement.flavour for statement in core)
    counts = bool(used) and all(law.counts for law in used)
    witness = _witness(case, core, readings)
    said = [
        sentence(f"by the other statements, {witness}") if witness else "",
        *_sums(core, used),
        grounds(used),
        _differences(core),
        _also(restating, others),
        remedy or ("It is said in passing, not as a rule." if flavoured else ""),
    ]
    return finding(
        case.document,
        [*core, *restating],
        rule="arithmetic" if counts else "contradiction",
        severity="warning" if remedy or flavoured else "error",
        message=_message(core, readings, counts=counts),
        explanation=" ".join(text for text in said if text) or "No rules satisfy all of this.",
        witness=witness,
    )


def _witness(case: Case, core: list[Statement], readings: list[int]) -> str | None:
    """What the other statements say against an example, in its cards; None if there is no such."""
    for statement in core:
        if statement.kind not in ("example", "fits"):
            continue
        rest = [case.term(s, n) for s, n in zip(core, readings, strict=True) if s is not statement]
        asker = Asker(always=[*case.always, *rest], rlimit=case.rlimit)
        for part in case.parts(statement):
            if not asker.can_hold((), part.term):
                return part.otherwise
    return None


def _message(core: list[Statement], readings: list[int], *, counts: bool) -> str:
    said = joined([quoted(s, reading) for s, reading in zip(core, readings, strict=True)])
    if counts:
        return f"{said}: the numbers do not add up"
    if len(core) == 1:
        return f"{said} cannot hold as it stands"
    return f"{said} cannot {'both' if len(core) == 2 else 'all'} hold"


def _other_statements(
    case: Case, found: Conflicts, cluster: list[Conflict]
) -> tuple[list[Statement], list[Statement]]:
    """The statements of the other conflicts: those that restate one of the first, and the rest."""
    plainest = cluster[0]
    names = {name for conflict in cluster[1:] for name in conflict} - set(plainest)
    others = [statement for statement in case.claims() if statement.id in names]
    restating = [
        statement
        for statement in others
        if statement.kind not in ("example", "fits")
        and any(_restates(case, found, statement.id, name) for name in plainest)
    ]
    return restating, [statement for statement in others if statement not in restating]


def _also(restating: list[Statement], others: list[Statement]) -> str:
    said = []
    if restating:
        verb = "says" if len(restating) == 1 else "say"
        said.append(f"{joined([named(statement) for statement in restating])} {verb} so too.")
    if others:
        listed = joined([named(statement) for statement in others])
        said.append(f"The same clash comes about with {listed} in place of some of these.")
    return " ".join(said)


def _differences(core: list[Statement]) -> str:
    """Where two statements give one parameter different values."""
    paths = dict.fromkeys(path for statement in core for path in statement.says or {})
    said = []
    for path in paths:
        values = [(s.id, s.says[path]) for s in core if s.says and path in s.says]
        if len({str(value) for _, value in values}) > 1:
            question = PARAMETERS[path].question.partition("?")[0]
            said.append(f"{question}? {joined([f'{value} by {name}' for name, value in values])}.")
    return " ".join(said)


def _sums(core: list[Statement], used: list[Law]) -> Iterator[str]:
    """The sum of the deal with the stated numbers, where the whole deal is what does not add up."""
    if not any(law.name == "deal" for law in used):
        return
    stated = {
        path: value
        for statement in core
        for path, value in (statement.says or {}).items()
        if isinstance(value, int)
    }
    parts, total = [], 0
    for group in ("foundations", "tableau", "reserve", "waste", "stock"):
        part = _dealt(group, stated)
        if part is not None:
            parts.append(part[0])
            total += part[1]
    cards = stated.get("pack.cards", 52 * stated.get("pack.decks", 0))
    if cards:
        yield sentence(f"{' + '.join(parts)} = {total}, and the pack has {cards} cards")
    elif total % 52:
        yield sentence(f"{' + '.join(parts)} = {total}, which no number of decks has")


def _dealt(group: str, stated: dict[str, int]) -> tuple[str, int] | None:
    cards = stated.get(f"{group}.cards")
    piles, deal = stated.get(f"{group}.piles"), stated.get(f"{group}.deal")
    if group in ("foundations", "waste"):
        return None if not deal else (f"{group} {deal}", deal)
    if piles is not None and deal is not None:
        return f"{group} {piles} x {deal} = {piles * deal}", piles * deal
    if deal is not None:
        return f"{group} {deal}", deal
    return None if cards is None else (f"{group} {cards}", cards)


def _remedy(case: Case, core: list[Statement], readings: list[int]) -> str:
    """The readings under which there is no clash, in words; empty if there are none.

    Those that depart from the fewest statements.
    """
    asker = Asker(always=case.always, rlimit=case.rlimit)
    for chosen in islice(_other_readings(core, readings), MOST_COMBINATIONS):
        terms = [case.term(s, number) for s, number in zip(core, chosen, strict=True)]
        if asker.can_hold((), *terms):
            said = [
                f"{statement.id} is read so: {sentence(statement.readings[number].text or '')}"
                for statement, number, before in zip(core, chosen, readings, strict=True)
                if number != before
            ]
            return f"There is no clash if {' and '.join(said)}"
    return ""


def _other_readings(core: list[Statement], readings: list[int]) -> Iterator[list[int]]:
    """Every other choice of readings, those that change few statements first."""
    others = [
        [number for number in range(len(statement.readings)) if number != taken]
        for statement, taken in zip(core, readings, strict=True)
    ]
    open_ones = [index for index, numbers in enumerate(others) if numbers]
    for count in range(1, len(open_ones) + 1):
        for changed in combinations(open_ones, count):
            for numbers in product(*(others[index] for index in changed)):
                changes = dict(zip(changed, numbers, strict=True))
                yield [changes.get(index, taken) for index, taken in enumerate(readings)]
