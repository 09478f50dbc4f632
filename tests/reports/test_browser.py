"""The player in a browser: what it shows at each step is what was replayed in Python."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from reports.model import GamePage
from reports.pages import write_reports
from reports.replay import steps_of
from reports.table import Drawing, draw, table_of
from tests.reports import samples
from verify.certificate import Witness
from verify.moves import start_of

PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
CATCH = "window.probed=[];onerror=(m)=>{probed.push(String(m))};console.error=onerror;"

pytestmark = pytest.mark.slow


def probe(chromium: Path, page: Path, *, width: int = 1200) -> dict[str, Any]:
    """What the probe reports of a page that is ``width`` wide.

    It runs in a copy whose policy allows it, framed: a browser's own window is not so narrow.
    """
    text = page.read_text(encoding="utf-8")
    for script in (CATCH, PROBE):
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        text = text.replace("script-src ", f"script-src &#39;sha256-{digest}&#39; ", 1)
    text = text.replace("<title>", f"<script>{CATCH}</script><title>", 1)
    text = text.replace("</body>", f"<script>{PROBE}</script></body>", 1)
    copy = page.with_name(f"probed-{page.name}")
    copy.write_text(text, encoding="utf-8")
    frame = page.with_name(f"framed-{page.name}")
    frame.write_text(
        f"""<!DOCTYPE html><pre id="probe"></pre>
        <script>onmessage = (event) => {{ probe.textContent = event.data; }};</script>
        <iframe src="{copy.name}" style="border:0" width="{width}" height="800"></iframe>""",
        encoding="utf-8",
    )
    command = [
        *(str(chromium), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,900"),
        *(f"--user-data-dir={page.parent / 'profile'}", "--virtual-time-budget=200000"),
        *("--dump-dom", frame.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=110)
    found = re.search(r'<pre id="probe">(.+?)</pre>', done.stdout, re.S)
    assert found is not None, "the probe did not run"
    report: dict[str, Any] = json.loads(unescape(found[1]))
    return report


def shown(drawing: Drawing) -> list[Any]:
    """The piles of a drawing as the probe reports them: label, cards and places."""
    return [
        [
            pile.label,
            [
                [f"#card-{card.letters}", card.x, card.y, card.label, card.down]
                for card in pile.cards
            ],
        ]
        for pile in drawing.piles
    ]


@pytest.mark.parametrize(
    "page",
    [samples.small_page(), samples.small_page("small@down", "spaces")],
    ids=lambda page: page.key,
)
def test_the_player_shows_what_was_replayed(chromium: Path, tmp_path: Path, page: GamePage) -> None:
    write_reports([page], tmp_path)
    stem = page.key.replace("@", "-")
    report = probe(chromium, tmp_path / f"{stem}.html")
    assert report["errors"] == []
    table = table_of(page.rules)
    for deal, seen in zip(page.deals, report["deals"], strict=True):
        assert isinstance(deal.certificate, Witness)
        steps = steps_of(page.rules, deal.position, deal.certificate)
        positions = [deal.position, *(step.position for step in steps)]
        expected = [shown(draw(table, position, positions)) for position in positions]
        assert seen["forward"] == expected
        assert seen["backward"] == expected[::-1]
        assert seen["words"] == [step.words for step in steps[:-1]] + [
            f"{steps[-1].words} The game is won."
        ]
        assert seen["start"] == seen["static"], "the script draws the deal as the page does"
        assert seen["ends"] == {
            "End": f"Move {len(steps)} of {len(steps)}",
            "Home": f"Start of {len(steps)} moves",
            "slider": f"Move 3 of {len(steps)}",
            "list": f"Move 5 of {len(steps)}",
            "play": f"Move {len(steps)} of {len(steps)}",
        }
        assert seen["items"] == len(steps)
        assert seen["marked"] == steps[0].move.target.name
        assert json.loads(seen["copied"]["json"])["deal"] == deal.position.to_json()
        assert seen["copied"]["text"] == str(deal.position)
        line = seen["copied"]["line"].replace("\n", " ").split(", ")
        assert line == [str(move) for move in deal.certificate.moves]


@pytest.mark.parametrize("width", [320, 1200])
def test_no_page_is_wider_than_its_window(chromium: Path, tmp_path: Path, width: int) -> None:
    rules = samples.full(samples.SIGNORA, "Signora")
    page = samples.small_page("signora")
    full = GamePage(
        key="signora",
        title="Signora",
        about=page.about,
        rules=rules,
        origin=page.origin,
        rule_lines=page.rule_lines,
        rulings=page.rulings,
        findings=page.findings,
        deals=(samples.easy(rules, 1),),
        counts=page.counts,
    )
    write_reports([full, samples.blocked_page()], tmp_path)
    for name in ("signora", "small-blocked", "index"):
        report = probe(chromium, tmp_path / f"{name}.html", width=width)
        assert report["errors"] == [], name
        assert report["window"] == width
        assert report["width"] <= report["window"], name


def test_a_page_without_winning_lines_copies_its_deal(chromium: Path, tmp_path: Path) -> None:
    page = samples.blocked_page()
    write_reports([page], tmp_path)
    report = probe(chromium, tmp_path / "small-blocked.html")
    assert report["errors"] == []
    copied = [json.loads(seen["copied"]["json"]) for seen in report["deals"]]
    assert [each["seed"] for each in copied] == ["dealproof:1", "dealproof:2"]
    assert {each["origin"] for each in copied} == {"constructed"}
    assert copied[0]["deal"] == start_of(page.rules, page.deals[0].position).to_json()
