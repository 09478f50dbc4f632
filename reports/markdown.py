"""The reports as Markdown that reads well in a terminal too."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from reports.views import GameView
from reports.words import counted, in_lines, listed, move_lines
from verify.moves import Move
from verify.position import Position

WIDTH = 96
"""The longest line of the text; what cannot be broken, such as a long name, may exceed it."""


class Markdown(str):
    """Text that is Markdown already; every other text is escaped when it is inserted."""

    __slots__ = ()


def game_markdown(game: GameView) -> str:
    """The page of a game: rules, rulings, findings, and each deal with its evidence in letters."""
    return _render("game.md.j2", game=game, page=game.page)


def index_markdown(games: Sequence[GameView]) -> str:
    """The page that leads to the games."""
    recheck = "\n".join(f"dealproof recheck {game.page.origin.pack}" for game in games)
    return _render("index.md.j2", games=games, recheck=recheck)


def escaped(text: str) -> Markdown:
    """The text in one line, in which nothing is markup: no element, link, list or emphasis."""
    line = " ".join(text.split())
    line = re.sub(r"([\\`*\[\]<>|~]|&(?=[#\w])|(?<!\w)_|_(?!\w))", r"\\\1", line)
    return Markdown(_escaped_start(line))


def _escaped_start(line: str) -> str:
    """A line that starts no block: no heading, list, or rule."""
    return re.sub(r"^(?:(?=[#+\-=])|(\d+)(?=[.)](?:\s|$)))", r"\1\\", line)


def code(text: str) -> Markdown:
    """The text as code within a line."""
    line = " ".join(text.split())
    fence = "`" * (_longest_ticks(line) + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{fence}{room}{line}{room}{fence}")


def block(text: object) -> Markdown:
    """The text as a block of code, line by line as it is."""
    lines = str(text).splitlines()
    fence = "`" * max(3, _longest_ticks(str(text)) + 1)
    return Markdown("\n".join([fence, *lines, fence]))


def position_block(position: Position) -> Markdown:
    """A position in letters as a block of code; a long pile goes on in further lines."""
    lines = str(position).splitlines()
    return block(
        "\n".join(textwrap.fill(line, WIDTH, subsequent_indent=" " * 12) for line in lines)
    )


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def move_block(moves: Iterable[Move]) -> Markdown:
    """Moves in letters as a block of code, wrapped, each line led by the number of its first."""
    lines = move_lines(moves, WIDTH - 6)
    return block("\n".join(f"{first:>4}  {line}" for first, line in lines))


def _render(name: str, **values: object) -> str:
    return _wrapped(_ENVIRONMENT.get_template(name).render(**values))


def _wrapped(text: str) -> str:
    """The text with its paragraphs and list items wrapped; headings and code stay as they are."""
    lines: list[str] = []
    fence = ""
    for line in re.sub(r"\n{3,}", "\n\n", text.strip()).split("\n"):
        ticks = re.match(r"`{3,}", line)
        if ticks is not None and fence in ("", line):
            fence = "" if fence else ticks[0]
        if fence or ticks is not None or line.startswith("#"):
            lines.append(line)
        else:
            lines += _wrapped_line(line.rstrip())
    return "\n".join(lines) + "\n"


def _wrapped_line(line: str) -> list[str]:
    marker = re.match(r" *(?:- )?", line)
    assert marker is not None
    indent = " " * marker.end()
    first, *more = textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
    return [first, *(indent + _escaped_start(part[len(indent) :]) for part in more)]


def _finalize(value: object) -> object:
    return escaped(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


def _environment() -> Environment:
    # Markdown is no HTML: the finalizer escapes, in its own way, whatever is not yet Markdown.
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=False,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "block": block,
        "code": code,
        "counted": counted,
        "in_lines": in_lines,
        "listed": listed,
        "md": Markdown,
        "move_block": move_block,
        "position_block": position_block,
    }
    return environment


_ENVIRONMENT = _environment()
