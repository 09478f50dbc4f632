"""PyYAML's complaints, reworded for people who do not write YAML every day.

PyYAML says where its parser was when it gave up and names tokens. What is said here is what was
wrong in the text and what would be right, and an unclosed bracket or quote is reported where it
opens rather than at the end of the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBracket:
    """A ``{`` or ``[`` that is not closed yet. Line and column count from 1."""

    bracket: str
    line: int
    column: int


class HasPosition(Protocol):
    """PyYAML's marks, of its Python and its C parser: line and column count from 0."""

    line: int
    column: int


class Explained(NamedTuple):
    """What is wrong, what would be right, and where; line and column count from 1."""

    what: str
    instead: str
    line: int
    column: int


_TOKEN = re.compile(r"but (?:found|got) '([^']*)'$")
_CHARACTER = re.compile(r"found character (?P<char>.*) that cannot start any token")
_CLOSING = {"{": "}", "[": "]"}
_TOKENS_IN_WORDS = {
    "<stream end>": "the end of the file",
    "<document start>": "'---'",
    "<document end>": "'...'",
    "<block end>": "the end of the indented block",
    "<block mapping start>": "a key",
    "<block sequence start>": "'-'",
    "<scalar>": "a text",
}


def explain(error: yaml.MarkedYAMLError, open_brackets: Sequence[OpenBracket]) -> Explained:
    """The complaint of PyYAML in our words; ``open_brackets`` are those around the place.

    Never raises: a complaint that is not known here is passed on as PyYAML words it.
    """
    problem = str(error.problem or "")
    context = str(error.context or "")
    token = _found_token(problem)
    if open_brackets and token in {"<stream end>", "<document start>", "<document end>"}:
        return _unclosed_bracket(open_brackets[-1])
    if "quoted scalar" in context and problem.startswith("found unexpected"):
        return _at_context(
            error, "this quote is never closed", "write the same quote after the text"
        )
    if problem == "could not find expected ':'":
        return _at_context(
            error, "there is no ':' after this", "write 'key: value', with a space after the ':'"
        )
    if token is not None and open_brackets and problem.startswith("expected ',' or "):
        what, instead = _in_bracket(open_brackets[-1], _in_words(token))
        return _at_problem(error, what, instead)
    what, instead = _what_and_instead(problem, context, token)
    return _at_problem(error, what, instead)


def line_and_column(mark: HasPosition | None) -> tuple[int, int]:
    """The place of PyYAML's mark, counted from 1; the start of the file where there is none."""
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _found_token(problem: str) -> str | None:
    match = _TOKEN.search(problem)
    return match.group(1) if match else None


def _in_words(token: str) -> str:
    return _TOKENS_IN_WORDS.get(token, f"'{token}'")


def _in_bracket(bracket: OpenBracket, found: str) -> tuple[str, str]:
    closing = _CLOSING[bracket.bracket]
    where = f"in the '{bracket.bracket}' of line {bracket.line}, column {bracket.column}"
    return (
        f"{found} stands where ',' or '{closing}' is expected, {where}",
        f"write ',' between two items and '{closing}' after the last",
    )


def _unclosed_bracket(bracket: OpenBracket) -> Explained:
    return Explained(
        f"the '{bracket.bracket}' here is never closed",
        f"write '{_CLOSING[bracket.bracket]}' after its last item",
        bracket.line,
        bracket.column,
    )


def _at_problem(error: yaml.MarkedYAMLError, what: str, instead: str) -> Explained:
    return Explained(what, instead, *line_and_column(error.problem_mark or error.context_mark))


def _at_context(error: yaml.MarkedYAMLError, what: str, instead: str) -> Explained:
    return Explained(what, instead, *line_and_column(error.context_mark or error.problem_mark))


def _what_and_instead(problem: str, context: str, token: str | None) -> tuple[str, str]:
    for text, what, instead in _BY_PROBLEM:
        if text in problem:
            return what, instead
    for text, what, instead in _BY_CONTEXT:
        if text in context:
            return what, instead
    if match := _CHARACTER.search(problem):
        return f"a value may not start with {match['char']}", "put the value in quotes"
    if token is not None:
        return _by_token(problem, token)
    return f"this is not readable as YAML ({problem})", "compare it with a line that is"


def _by_token(problem: str, token: str) -> tuple[str, str]:
    found = _in_words(token)
    if token == ":":
        return "a key is missing before ':'", "write 'key: value'"
    if "<block end>" in problem:
        if token in {",", "]", "}"}:
            return f"{found} closes or parts nothing", "take it out, or put the text in quotes"
        if token == "<scalar>":
            return (
                "there is text after the end of a value, or the line does not line up",
                "indent it like the others, or quote all of it (in single quotes, write '' for ')",
            )
        return (
            "this line does not line up with the lines above it",
            "indent it by as many spaces as the lines it belongs to",
        )
    if "node content" in problem:
        return f"a value is missing before {found}", "write the value"
    if "<document start>" in problem:
        return f"{found} stands after the end of the document", "take it out, or put all in quotes"
    return f"{found} is not expected here", "take it out"


_BY_PROBLEM = (
    ("directive", "a line starts with '%' (a directive)", "take it out, or put it in quotes"),
    ("explicit key", "'?' marks a key", "write 'key: value'"),
    (
        "mapping values are not allowed here",
        "a ':' is not allowed here",
        "quote a text that holds ': ', or see to the indentation and the ':' of the line before",
    ),
    (
        "sequence entries are not allowed here",
        "a '- ' is not allowed here",
        "start the list on a line of its own, or put the text in quotes",
    ),
    (
        "unknown escape character",
        "the character after '\\' makes no escape",
        "write '\\\\' for a backslash, or use single quotes",
    ),
    (
        "expected escape sequence",
        "this escape has too few hexadecimal digits",
        "write \\xNN, \\uNNNN or \\UNNNNNNNN",
    ),
    (
        "undefined tag handle",
        "a value has a tag ('!')",
        "take it out, or put a text that starts with '!' in quotes",
    ),
)
_BY_CONTEXT = (
    (
        "an alias",
        "'*' starts an alias",
        "write the value out, or put a text that starts with '*' in quotes",
    ),
    (
        "an anchor",
        "'&' starts an anchor",
        "take it out, or put a text that starts with '&' in quotes",
    ),
    (
        "a tag",
        "a value has a tag ('!')",
        "take it out, or put a text that starts with '!' in quotes",
    ),
    (
        "a block scalar",
        "there is text after '|' or '>'",
        "start the text on the next line, or put it in quotes",
    ),
)
