"""The tables of docs/games.md, written from the models: what may be stated, and what silence means.

``python -m spec.reference docs/games.md`` writes them anew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spec.cards import RANKS
from spec.errors import InputError
from spec.parameters import PARAMETERS, Number, Parameter, Piles, Silence
from spec.ruleset import leaf_paths
from spec.schema import Schema, schemas


def tables() -> dict[str, str]:
    """The tables by the names of their places in the page; Markdown, without a blank line."""
    return {"paths": _paths(), "questions": _questions()}


def filled(text: str) -> str:
    """The page with its tables written anew; InputError if it lacks the place of one."""
    for name, table in tables().items():
        begin, end = f"<!-- begin {name}: python -m spec.reference -->", f"<!-- end {name} -->"
        if text.find(end, text.find(begin) + 1) < 0 or begin not in text:
            raise InputError(
                f"the page has no place for the table {name}",
                instead=f"write the lines {begin} and {end}",
            )
        before, _, rest = text.partition(begin)
        after = rest.partition(end)[2]
        text = f"{before}{begin}\n{table}\n{end}{after}"
    return text


def write_reference(page: Path) -> None:
    """The page, its tables written anew."""
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def _paths() -> str:
    definitions = schemas()["game.schema.json"]["definitions"]
    rows = [
        (f"`{path}`", info.description, _values(definitions[path]["properties"]["is"]), default)
        for path, info in leaf_paths().items()
        for default in [_default(info)]
    ]
    return _table(("path", "question", "values", "default"), rows)


def _default(info: Any) -> str:
    if info.is_required():
        return "none: to be stated"
    value = info.get_default(call_default_factory=True)
    if isinstance(value, dict):
        return "the four suits"
    return "" if value is None else f"`{str(value).lower() if value is False else value}`"


def _values(schema: Schema) -> str:
    """The values of a schema in words."""
    if "anyOf" in schema:
        words = (_values(option) for option in schema["anyOf"])
        return ", ".join(dict.fromkeys(word for word in words if word))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        if set(RANKS) <= set(map(str, schema["enum"])):
            return "a rank"
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if schema["type"] == "integer":
        low, high = schema["minimum"], schema.get("maximum")
        if low == high:
            return str(low)
        return f"{low} to {high}" if high else f"{low} or more"
    if schema["type"] == "array":
        return f"a list of: {_values(schema['items'])}"
    return {
        "null": "",
        "boolean": "`true`, `false`",
        "object": "letters, each with a colour",
        "string": "letters",
    }[schema["type"]]


def _questions() -> str:
    rows = [
        (f"`{asked.path}`", asked.question, _answers(asked), _silence(asked))
        for asked in PARAMETERS.values()
    ]
    return _table(("path", "question", "answers", "if nothing is said"), rows)


def _answers(asked: Parameter) -> str:
    domain = asked.domain
    if isinstance(domain, Piles):
        return f"by `{domain.stated_by}`"
    if isinstance(domain, Number):
        return ", ".join(
            (f"{domain.low} to {domain.high}", *(f"`{word}`" for word in domain.words))
        )
    numbers = [word for word in domain.values if isinstance(word, int)]
    given = ["a rank"] if "A" in domain.values else []
    given += [
        f"`{word}`" for word in domain.values if str(word) not in (*RANKS, *map(str, numbers))
    ]
    return ", ".join((*given, *([f"{numbers[0]} to {numbers[-1]}"] if numbers else ())))


def _silence(asked: Parameter) -> str:
    if asked.silence is Silence.OPEN:
        return "a gap"
    if asked.silence is Silence.NO:
        return f"`{asked.means}`"
    return asked.follows


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]))
