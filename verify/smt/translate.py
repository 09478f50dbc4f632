"""What a rule of a document means: a formula over the unknowns of a theory."""

from __future__ import annotations

from collections.abc import Iterator

from spec.parameters import PARAMETERS, PILE_KINDS, Value
from spec.relations import Term
from spec.statement import DocumentFile, Fill, Kinds, Move, Reading, kinds_of
from verify.smt.logic import FOLDING
from verify.smt.theory import STATES, TARGETS, FillState, Theory


def has_force(reading: Reading) -> bool:
    """Whether a reading restricts the rules: relations, declared disputes and remarks do not.

    Nor does an example without a verdict in words.
    """
    if reading.example is not None:
        return reading.example.verdict != "unstated"
    return reading.kind in ("says", "move", "fill", "fits")


def mentioned(document: DocumentFile) -> frozenset[str]:
    """The paths that some statement of a document, in some reading, gives a value."""
    readings = [reading for statement in document.statements for reading in statement.readings]
    return frozenset(
        path
        for reading in readings
        for answers in (reading.says, reading.varies)
        for path in answers or ()
    )


def rule_of(reading: Reading, theory: Theory) -> Term:
    """The formula of a reading that states a rule: ``says``, ``move`` or ``fill``."""
    if reading.says is not None:
        return FOLDING.all_of(
            *(_one_of(theory, path, answer) for path, answer in reading.says.items())
        )
    if reading.move is not None:
        return FOLDING.all_of(*_ways(reading.move, theory))
    assert reading.fill is not None
    return FOLDING.all_of(*_fills(reading.fill, theory))


def _one_of(theory: Theory, path: str, answer: Value | list[Value]) -> Term:
    values = answer if isinstance(answer, list) else [answer]
    return FOLDING.any_of(*(theory.is_(path, value) for value in values))


def _ways(move: Move, theory: Theory) -> Iterator[Term]:
    targets = TARGETS if move.to in (None, "any") else kinds_of(move.to)
    if move.may is not None:
        for source in kinds_of(move.may):
            ways = [theory.way(source, target) for target in targets]
            yield from ways if move.to is not None else [_somewhere(theory, source)]
        return
    closed = PILE_KINDS if move.never == "any" else kinds_of(move.never)
    if move.only is not None:
        closed = tuple(kind for kind in PILE_KINDS if kind not in kinds_of(move.only))
        for source in kinds_of(move.only):
            yield from (theory.way(source, target) for target in targets)
    for source in closed:
        yield from (FOLDING.negate(theory.way(source, target)) for target in targets)
        if "tableau" in targets:
            yield from (_not_into_space(move, theory, source, state) for state in STATES)


def _somewhere(theory: Theory, source: str) -> Term:
    spaces = [
        FOLDING.all_of(theory.filled_by(state).named("player"), theory.fills(state, source))
        for state in STATES
    ]
    ways = [theory.way(source, target) for target in ("foundation", "tableau")]
    return FOLDING.any_of(*ways, *spaces)


def _not_into_space(move: Move, theory: Theory, source: str, state: FillState) -> Term:
    never = FOLDING.negate(theory.fills(state, source))
    if move.by is None:
        return never
    return FOLDING.any_of(FOLDING.negate(theory.filled_by(state).named("player")), never)


def _fills(fill: Fill, theory: Theory) -> Iterator[Term]:
    if fill.accept is not None:
        accept = PARAMETERS["tableau.spaces.accept"]
        yield theory.is_(accept.path, accept.read(fill.accept))
    for state in STATES:
        found = step_of(fill, state)
        if found is None:
            continue
        by, step = found
        yield theory.filled_by(state).named(by)
        yield from (theory.fills(state, kind) for kind in kinds_of(step) if state.has(kind))
        if step != "any":
            others = [kind for kind in PILE_KINDS if kind not in kinds_of(step)]
            yield from (FOLDING.negate(theory.fills(state, kind)) for kind in others)


def step_of(fill: Fill, state: FillState) -> tuple[str, Kinds] | None:
    """By whom, and from which piles, a space is filled in a state; None if it is not said.

    The first step with a pile that has cards; a fill says nothing of other states.
    """
    if not all(is_empty(condition, state) for condition in fill.conditions):
        return None
    for by, step in fill.steps:
        if any(state.has(kind) for kind in kinds_of(step)):
            return by, step
    return None


def is_empty(condition: str, state: FillState) -> bool:
    """Whether a condition such as ``stock empty`` holds in a state."""
    return not state.has(condition.removesuffix(" empty"))
