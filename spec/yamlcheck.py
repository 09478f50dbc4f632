"""A document held against a pydantic model: the model's value, or every complaint with its place.

Pydantic says where it was in its own schema; a person needs the place in the file. The location
of each error is mapped back onto the value, and what the arms of a union say about one value
becomes one complaint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel, ValidationError

from spec import complaintwords as words
from spec.errors import InputError, InputErrors, Place
from spec.modelkeys import Step, allowed_keys
from spec.yamldoc import Document, Path, Plain, dotted

M = TypeVar("M", bound=BaseModel)

_UNKNOWN_KEY = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})
_NEVER_A_LIST = frozenset({"tuple_type", "set_type", "frozen_set_type"})
_KEY_MARK = "[key]"


class Locate(Protocol):
    """Says where the value (or the key) at a path of the checked value stands, and its name."""

    def __call__(self, path: Path, *, key: bool) -> tuple[Place | None, str]: ...


def validate(
    model: type[M],
    doc: Document,
    *,
    at: Sequence[str | int] = (),
    strict: bool | None = True,
) -> M:
    """The value at ``at`` in ``doc`` as a ``model``.

    Strict by JSON's rules: a text is no number and a truth value is no number, but a list may
    become a tuple or a set, a text an enumeration member, a whole number a float. Below a
    validator of mode "before" pydantic sees Python values, so that no list can become a tuple or
    a set there: TypeError, since that is a fault of the model.
    Raises InputErrors with one complaint for each problem, in the order of their places.
    """
    start = tuple(at)

    def locate(path: Path, *, key: bool) -> tuple[Place, str]:
        return doc.place((*start, *path), key=key), dotted((*start, *path))

    try:
        value = _value_at(doc.value, start)
    except KeyError:
        raise InputErrors([_complaint(locate, words.missing(start[-1]), ())]) from None
    try:
        return model.model_validate_json(json.dumps(value), strict=strict)
    except InputError as error:
        place, _ = locate((), key=False)
        raise InputErrors([error.at(place)]) from None
    except ValidationError as error:
        raise InputErrors(complaints(model, value, error, locate=locate)) from None


def complaints(
    model: type[BaseModel], value: Plain, error: ValidationError, *, locate: Locate
) -> list[InputError]:
    """What ``error`` says about ``value``, which was held against ``model``: at least one.

    ``locate`` gives the place and the written path; for a missing key it is asked for a path
    that ``value`` does not have. In the order of lines and columns.
    """
    problems = [_problem(value, found) for found in error.errors(include_url=False)]
    _refuse_model_at_fault(model, problems)
    found = [_say(model, problem, locate) for problem in _choose(problems, 0)]
    unique = {str(complaint): complaint for complaint in found}
    return sorted(unique.values(), key=_by_place)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """One error of pydantic, or several about one value; ``trail`` leads to what it is about.

    ``expected`` is filled where the arms of a union were put together.
    """

    kind: str
    trail: tuple[Step, ...]
    about_key: bool = False
    value: Any
    context: dict[str, Any]
    message: str
    expected: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return tuple(step.name for step in self.trail if not step.arm)

    @property
    def is_literal(self) -> bool:
        return self.kind in words.LITERALS

    @property
    def cost(self) -> int:
        """How much it speaks against the arm of a union that complains so."""
        if self.is_literal:
            return 3
        return 2 if self.kind in _UNKNOWN_KEY else 1


def _value_at(value: Plain, path: Path) -> Plain:
    for step in path:
        if not _has(value, step):
            raise KeyError(step)
        value = cast("Any", value)[step]
    return value


def _has(value: Any, step: str | int) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


def _problem(value: Plain, found: Any) -> _Problem:
    kind, location, subject = found["type"], tuple(found["loc"]), found["input"]
    context = dict(found.get("ctx", {}))
    about_key = bool(location) and location[-1] == _KEY_MARK
    if about_key:
        trail = _trail(value, location[:-1], None)
    elif kind in _MISSING and location:
        trail = (*_trail(value, location[:-1], subject), Step(location[-1]))
    else:
        trail = _trail(value, location, subject)
    problem = _Problem(
        kind=kind,
        trail=trail,
        about_key=about_key or kind in _UNKNOWN_KEY,
        value=subject,
        context=context,
        message=found["msg"],
    )
    return _about_discriminator(problem) if kind.startswith("union_tag_") else problem


def _refuse_model_at_fault(model: type[BaseModel], problems: Sequence[_Problem]) -> None:
    for problem in problems:
        if problem.kind in _NEVER_A_LIST and isinstance(problem.value, list):
            raise TypeError(
                f"{model.__name__}: {dotted(problem.path)} takes no list: it is below a "
                "validator of mode 'before', or was checked as Python and not as JSON"
            )


def _about_discriminator(problem: _Problem) -> _Problem:
    """A wrong or missing discriminator as a wrong or missing value of its own key.

    Where a function tells the arms apart there is no such key, and the whole value is meant.
    """
    written = str(problem.context["discriminator"])
    names = words.options(written.replace("|", ""))
    if not written.startswith("'") or not isinstance(problem.value, dict):
        tags = words.options(str(problem.context.get("expected_tags", "")))
        forms = f"one of {', '.join(tags)} is expected" if tags else "compare it with an example"
        message = f"fits none of the forms that are allowed here; {forms}"
        return replace(problem, kind="no_form", message=message)
    present = [name for name in names if name in problem.value]
    trail = (*problem.trail, Step((present or names)[0]))
    if not present:
        return replace(problem, kind="missing", trail=trail)
    context = {"expected": problem.context.get("expected_tags", "")}
    value = problem.value[present[0]]
    return replace(problem, kind="literal_error", trail=trail, value=value, context=context)


def _trail(value: Plain, location: Path, subject: Any) -> tuple[Step, ...]:
    """``location`` with each entry marked as a step in ``value`` or as the name of a union's arm.

    An arm may be named like a key. The reading that steps wherever it can is tried first, then
    those that take one entry less as a step; the first that ends at ``subject`` is right.
    """
    greedy = _walk(value, location, skip=None)
    readings = [greedy]
    readings += [
        _walk(value, location, skip=index) for index, step in enumerate(greedy[0]) if not step.arm
    ]
    for trail, end in readings:
        if type(end) is type(subject) and end == subject:
            return trail
    return greedy[0]


def _walk(value: Plain, location: Path, *, skip: int | None) -> tuple[tuple[Step, ...], Plain]:
    steps = []
    for index, name in enumerate(location):
        arm = index == skip or not _has(value, name)
        steps.append(Step(name, arm))
        if not arm:
            value = cast("Any", value)[name]
    return tuple(steps), value


def _choose(problems: list[_Problem], depth: int) -> list[_Problem]:
    """The problems worth saying, of several that agree in the first ``depth`` steps."""
    here = [problem for problem in problems if len(problem.trail) == depth]
    below: dict[Step, list[_Problem]] = {}
    for problem in problems:
        if len(problem.trail) > depth:
            below.setdefault(problem.trail[depth], []).append(problem)
    steps = [_choose(group, depth + 1) for step, group in below.items() if not step.arm]
    arms = [_choose(group, depth + 1) for step, group in below.items() if step.arm]
    chosen = here + [problem for group in steps for problem in group]
    return chosen + (_one_arm(arms, depth) if arms else [])


def _one_arm(arms: list[list[_Problem]], depth: int) -> list[_Problem]:
    """What a union says: the complaints of the arm that was meant, or one about all arms.

    An arm that got inside the value was meant rather than one that wants another type; of
    several, the one with the least to complain about.
    """
    if len(arms) == 1:
        return arms[0]
    inside = [arm for arm in arms if any(_is_inside(problem, depth) for problem in arm)]
    if inside:
        return _told_apart(inside) or min(inside, key=lambda arm: sum(p.cost for p in arm))
    other = [arm for arm in arms if not all(_expects(problem) for problem in arm)]
    if other:
        return other[0]
    return [_merged([problem for arm in arms for problem in arm])]


def _is_inside(problem: _Problem, depth: int) -> bool:
    return any(not step.arm for step in problem.trail[depth:])


def _told_apart(arms: list[list[_Problem]]) -> list[_Problem]:
    """What is wrong with the word that tells the arms apart, if every arm refuses it.

    An arm refuses it as a wrong word or, having no such key, as an unknown key. If only one arm
    has the key, that arm was meant, with all its complaints.
    """
    for path in [problem.path for arm in arms for problem in arm if problem.is_literal]:
        at_path = [[problem for problem in arm if problem.path == path] for arm in arms]
        if not all(at_path):
            continue
        knowing = [arm for arm, at in zip(arms, at_path, strict=True) if at[0].is_literal]
        if len(knowing) == 1:
            return knowing[0]
        return [_merged([problem for at in at_path for problem in at if problem.is_literal])]
    return []


def _expects(problem: _Problem) -> tuple[str, ...]:
    return problem.expected or words.expectations(problem.kind, problem.context)


def _merged(problems: list[_Problem]) -> _Problem:
    expected = dict.fromkeys(text for problem in problems for text in _expects(problem))
    literal = all(problem.is_literal for problem in problems)
    first = problems[0]
    return _Problem(
        kind="literal_error" if literal else "union",
        trail=first.trail,
        value=first.value,
        context={},
        message=first.message,
        expected=tuple(expected),
    )


def _say(model: type[BaseModel], problem: _Problem, locate: Locate) -> InputError:
    return _complaint(locate, _words(model, problem), problem.path, key=problem.about_key)


def _words(model: type[BaseModel], problem: _Problem) -> words.Words:
    if problem.kind in _UNKNOWN_KEY:
        allowed = allowed_keys(model, problem.trail[:-1])
        return words.unknown_key(str(problem.trail[-1].name), allowed)
    if problem.kind in _MISSING and problem.trail:
        return words.missing(problem.trail[-1].name)
    if problem.kind == "union":
        return words.not_allowed(problem.value, problem.expected)
    if problem.expected:
        return words.none_of(problem.value, problem.expected)
    return words.describe(problem.kind, problem.value, problem.context, problem.message)


def _complaint(locate: Locate, text: words.Words, path: Path, *, key: bool = False) -> InputError:
    place, written = locate(path, key=key)
    return InputError(text.what, instead=text.instead, place=place, path=written)


def _by_place(complaint: InputError) -> tuple[int, int]:
    place = complaint.place
    if place is None:
        return 0, 0
    return place.line or 0, place.column or 0
