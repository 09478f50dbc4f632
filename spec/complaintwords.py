"""What pydantic found wrong, in words for people: what is wrong; what would be right."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spec.lookalike import confusable_hint

_SHOWN_AT_MOST = 60
_QUOTED_OR_BARE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s,]+")
_YAML_1_1_BOOLEANS = frozenset({"y", "yes", "n", "no", "on", "off", "true", "false"})
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9]+")

_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "float_type": "a number",
    "float_parsing": "a number",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "iterable_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dataclass_type": "a mapping",
    "none_required": "nothing",
}
_BOUNDS = {
    "greater_than_equal": ("is too small", "at least {ge} is expected"),
    "greater_than": ("is too small", "more than {gt} is expected"),
    "less_than_equal": ("is too large", "at most {le} is expected"),
    "less_than": ("is too large", "less than {lt} is expected"),
    "multiple_of": ("does not fit", "a multiple of {multiple_of} is expected"),
    "string_too_short": ("is too short", "at least {min_length} characters are expected"),
    "string_too_long": ("is too long", "at most {max_length} characters are expected"),
    "string_pattern_mismatch": ("does not fit", "a text like {pattern} is expected"),
}
LITERALS = frozenset({"literal_error", "enum"})
"""The types of pydantic's complaints about a value that is none of a few."""


class Words(NamedTuple):
    """The two halves of a complaint."""

    what: str
    instead: str


def is_wrong_kind(kind: str) -> bool:
    """Whether pydantic's error type says that the value is of another type altogether."""
    return kind in _EXPECTED


def describe(kind: str, value: Any, context: Mapping[str, Any], message: str) -> Words:
    """The complaint for pydantic's error type ``kind`` about ``value``.

    ``context`` and ``message`` are pydantic's ``ctx`` and ``msg``. Unknown keys and missing keys
    need more than that: see ``unknown_key`` and ``missing``.
    """
    if kind in _EXPECTED:
        return wrong_kind(value, (_EXPECTED[kind],))
    if kind in LITERALS:
        return none_of(value, options(str(context.get("expected", ""))))
    if kind in _BOUNDS:
        what, instead = _BOUNDS[kind]
        return Words(f"{show(value)} {what}", instead.format_map(context))
    if kind in {"too_short", "too_long"} and isinstance(value, (list, dict)):
        return _wrong_size(kind, value, context)
    text = str(context.get("error", message))
    return _in_halves(" ".join(text.split()), value)


def options(expected: str) -> tuple[str, ...]:
    """The values that pydantic lists in a text such as ``'a', 'b' or 3``, without quotes."""
    found = []
    for token in _QUOTED_OR_BARE.findall(expected):
        if token[0] in "'\"":
            found.append(str(ast.literal_eval(token)))
        elif token != "or":
            found.append(token)
    return tuple(found)


def expectations(kind: str, context: Mapping[str, Any]) -> tuple[str, ...]:
    """What would be right by this error type, as a list of alternatives; empty if not known."""
    if kind in _EXPECTED:
        return (_EXPECTED[kind],)
    return options(str(context.get("expected", ""))) if kind in LITERALS else ()


def unknown_key(key: str, allowed: Sequence[str]) -> Words:
    """The complaint about a key that the model does not know."""
    if not allowed:
        return Words(f"unknown key {key!r}", _with_hint("take it out", key))
    instead = f"allowed here: {', '.join(allowed)}"
    if close := _closest(key, allowed):
        instead += f" (did you mean {close!r}?)"
    return Words(f"unknown key {key!r}", _with_hint(instead, key))


def missing(step: str | int) -> Words:
    """The complaint about a key, or an item of a list, that is not there."""
    if isinstance(step, int):
        return Words("is missing", "the list needs one more item")
    return Words("is missing", f"write '{step}: ...' here")


def none_of(value: Any, allowed: Sequence[str]) -> Words:
    """The complaint about a value that is none of ``allowed``."""
    listed = ", ".join(allowed)
    what = f"{show(value)} is not one of {listed}"
    if isinstance(value, str):
        close = _closest(value, allowed)
        instead = f"did you mean {close!r}?" if close else "write one of these"
        return Words(what, _with_hint(instead, value))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, (bool, int, float)) and text in allowed:
        return Words(what, f"put it in quotes: '{text}'")
    return Words(what, "write one of these")


def wrong_kind(value: Any, expected: Sequence[str]) -> Words:
    """The complaint about a value of the wrong type; ``expected`` are the alternatives."""
    if value is None:
        what = "is empty"
    elif isinstance(value, (dict, list)):
        what = f"is {_kind(value)}"
    else:
        what = f"{show(value)} is {_kind(value)}"
    instead = f"{_either(expected)} is expected"
    if note := _note(value, expected):
        instead += f" ({note})"
    return Words(what, instead)


def not_allowed(value: Any, allowed: Sequence[str]) -> Words:
    """The complaint about a value that fits no arm of a union, whose arms allow ``allowed``."""
    if not isinstance(value, str):
        return wrong_kind(value, allowed)
    close = _closest(value, allowed)
    note = f"did you mean {close!r}?" if close else _note(value, allowed)
    expected = f"{_either(allowed)} is expected"
    return Words(f"{show(value)} is not allowed here", f"{expected} ({note})" if note else expected)


def show(value: Any) -> str:
    """The value as a complaint names it: scalars as they are, the rest by kind. Printable."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return _kind(value)
    text = value if isinstance(value, str) else str(value)
    if len(text) > _SHOWN_AT_MOST:
        text = f"{text[:_SHOWN_AT_MOST]}..."
    return repr(text) if isinstance(value, str) else text


def _kind(value: Any) -> str:
    kinds = (
        (bool, "a truth value"),
        (int, "a whole number"),
        (float, "a number with a decimal point"),
        (str, "a text"),
        (list, "a list"),
        (dict, "a mapping"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "something else")


def _note(value: Any, expected: Sequence[str]) -> str | None:
    if isinstance(value, str):
        if "true or false" in expected and value.lower() in _YAML_1_1_BOOLEANS:
            return f"{value!r} is a text here"
        if "a whole number" in expected and _WHOLE_NUMBER.fullmatch(value) and value.isascii():
            return "take the quotes off"
        return confusable_hint(value)
    if "a text" in expected and isinstance(value, (bool, int, float)):
        return f"put it in quotes: '{show(value)}'"
    return None


def _wrong_size(kind: str, value: Sequence[Any] | Mapping[Any, Any], context: Any) -> Words:
    number = len(value)
    what = f"has {number} {'item' if number == 1 else 'items'}"
    bound = "at least {min_length}" if kind == "too_short" else "at most {max_length}"
    return Words(what, f"{bound.format_map(context)} are expected")


def _in_halves(message: str, value: Any) -> Words:
    what, separator, instead = message.partition("; ")
    if separator:
        return Words(what, instead)
    if message.startswith("Input should "):
        return Words(f"{show(value)} does not fit", message.replace("Input should", "it should"))
    return Words(message, "write a value that fits")


def _either(alternatives: Sequence[str]) -> str:
    *most, last = dict.fromkeys(alternatives)
    return f"{', '.join(most)} or {last}" if most else last


def _closest(word: str, words: Sequence[str]) -> str | None:
    close = difflib.get_close_matches(word, words, n=1)
    return close[0] if close else None


def _with_hint(text: str, odd: str) -> str:
    hint = confusable_hint(odd)
    return f"{text} ({hint})" if hint else text
