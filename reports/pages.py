"""The reports: an index and a page for each game, as HTML and as Markdown."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from generator.packs import write_atomically
from reports.data import json_in_script
from reports.files import file_stems
from reports.markdown import game_markdown, index_markdown
from reports.model import GamePage
from reports.views import VERDICTS, GameView, game_view
from reports.words import counted, in_lines, listed, move_lines
from spec.cards import RANKS


def write_reports(pages: Sequence[GamePage], out: Path) -> list[Path]:
    """The files written to ``out``, which is made if it does not exist: index and game pages.

    The same pages give the same bytes. Every witness and closed set is checked again first;
    raises Rejected if one proves nothing, InputError for a deal of another game and for a file
    that cannot be written. Other files that ``out`` holds are left alone.
    """
    stems = file_stems(page.key for page in pages)
    games = [game_view(page, stem) for page, stem in zip(pages, stems, strict=True)]
    texts = {"index.html": index_html(games), "index.md": index_markdown(games)}
    for game in games:
        texts[f"{game.stem}.html"] = game_html(game)
        texts[f"{game.stem}.md"] = game_markdown(game)
    for name, text in texts.items():
        write_atomically(out / name, text)
    return [out / name for name in texts]


def game_html(game: GameView) -> str:
    """The page of a game, complete in one file: it loads nothing."""
    player = _part("player.js")
    return _render(
        "game.html.j2",
        game=game,
        page=game.page,
        letters=RANKS[: game.page.rules.pack.ranks],
        suits=game.suits,
        hidden_cards=any(any(deal.position.face_down) for deal in game.deals),
        player=player,
        script_source=_source_of(player),
    )


def index_html(games: Sequence[GameView]) -> str:
    """The page that leads to the games."""
    return _render(
        "index.html.j2",
        games=games,
        labels=[label for label, _ in games[0].tally] if games else [],
        total=total_in_words(games),
        script_source="'none'",
    )


def total_in_words(games: Sequence[GameView]) -> str:
    """One sentence on all pages together."""
    shown = [deal.verdict for game in games for deal in game.deals]
    proved = [f"{shown.count(verdict)} {verdict}" for verdict in VERDICTS if shown.count(verdict)]
    if not proved:
        return "No deal is shown here yet."
    return (
        f"{counted(len(shown), 'deal')} with a proof: {listed(proved)}, each with evidence to "
        "step through or to read."
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "counted": counted,
        "in_lines": in_lines,
        "json": json_in_script,
        "listed": listed,
        "move_lines": lambda moves: "\n".join(line for _, line in move_lines(moves, 88)),
    }
    return environment


_ENVIRONMENT = _environment()


def _render(name: str, **values: Any) -> str:
    return _ENVIRONMENT.get_template(name).render(style=_part("style.css"), **values)


def _part(name: str) -> Markup:
    """A file of ours that goes into a page as it is."""
    path = Path(__file__).parent / "templates" / name
    return Markup(path.read_text(encoding="utf-8"))


def _source_of(script: str) -> str:
    """The source under which a page lets a browser run this script, and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
