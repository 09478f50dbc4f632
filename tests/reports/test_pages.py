from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from generator.dealers import deal
from generator.shuffles import Seed
from reports.files import file_stems
from reports.markdown import position_block
from reports.model import GamePage
from reports.pages import write_reports
from spec.errors import InputError
from tests.reports import samples
from tests.reports.structure import Element, Structure, structure_of
from tests.reports.test_replay import played
from verify.certificate import Witness
from verify.checker import Rejected

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp; `x` **b** | [a](b)"
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of every file of the sample pages."""
    out = tmp_path_factory.mktemp("reports")
    return {path.name: _text(path) for path in write_reports(samples.pages(), out)}


@pytest.fixture(scope="module")
def structures(written: dict[str, str]) -> dict[str, Structure]:
    """The structure of every HTML page."""
    html = {name: text for name, text in written.items() if name.endswith(".html")}
    return {name: structure_of(text) for name, text in html.items()}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_an_index_and_two_files_for_each_game(written: dict[str, str]) -> None:
    stems = ("index", "small", "small-down", "small-blocked")
    assert sorted(written) == sorted(f"{stem}.{kind}" for stem in stems for kind in ("html", "md"))


def test_pages_are_well_formed(structures: dict[str, Structure]) -> None:
    for name, page in structures.items():
        assert page.faults == [], name
        assert len(page.of("h1")) == 1, name


def test_ids_are_unique_and_every_reference_leads_somewhere(
    structures: dict[str, Structure],
) -> None:
    for name, page in structures.items():
        ids = set(page.ids)
        assert len(ids) == len(page.ids), name
        for element in page.elements:
            wanted = element.attributes.get("aria-labelledby", "").split()
            href = element.attributes.get("href", "")
            if href.startswith("#"):
                wanted.append(href.removeprefix("#"))
            assert set(wanted) <= ids, (name, element.tag, wanted)


def test_links_lead_to_files_that_are_written(
    structures: dict[str, Structure], written: dict[str, str]
) -> None:
    for page in structures.values():
        for link in page.of("a"):
            file, _, part = link.attributes["href"].partition("#")
            assert not file or file in written
            assert not part or not file or part in structures[file].ids


def test_pages_name_no_address_and_load_nothing(written: dict[str, str]) -> None:
    for name, text in written.items():
        assert re.findall(r"https?:|(?<=[\"'(])//\w", text) == [], name
    for name in ("index.html", "small.html"):
        page = structure_of(written[name])
        assert [e.tag for e in page.elements if e.tag in ("link", "iframe", "img", "base")] == []
        assert [e.attributes for e in page.elements if "src" in e.attributes] == []
        assert "@import" not in written[name]
        assert "url(" not in written[name].replace("url(#lattice)", "")


def test_pages_allow_no_script_but_their_own(structures: dict[str, Structure]) -> None:
    for name, page in structures.items():
        (policy,) = (
            e.attributes["content"]
            for e in page.of("meta")
            if e.attributes.get("http-equiv") == "Content-Security-Policy"
        )
        scripts = [e for e in page.of("script") if e.attributes.get("type") is None]
        assert "default-src 'none'" in policy
        assert len(scripts) == (0 if name == "index.html" else 1)
        assert policy.count("sha256-") == len(scripts)


def test_every_control_has_a_name(structures: dict[str, Structure]) -> None:
    for name, page in structures.items():
        controls = [e for e in page.elements if e.tag in ("button", "input", "summary", "a")]
        assert controls, name
        for control in controls:
            labelled = [around for around in control.around if around.tag == "label"]
            said = [
                control.attributes.get("aria-label", ""),
                control.text,
                *(label.text for label in labelled),
            ]
            assert any(text.strip() for text in said), (name, control)


def test_headings_skip_no_level(structures: dict[str, Structure]) -> None:
    for name, page in structures.items():
        levels = [int(e.tag[1]) for e in page.elements if re.fullmatch("h[1-6]", e.tag)]
        assert levels[0] == 1, name
        for before, level in pairwise(levels):
            assert level <= before + 1, name


def test_every_card_and_pile_has_a_name(structures: dict[str, Structure]) -> None:
    page = structures["small-blocked.html"]
    tables = [e for e in page.of("svg") if e.attributes.get("class") == "table"]
    assert len(tables) == 2
    first = [e for e in page.elements if tables[0] in e.around]
    cards = [e.attributes for e in first if e.attributes.get("href", "").startswith("#card-")]
    assert len(cards) == 10
    assert all(card["role"] == "img" and card["aria-label"] for card in cards)
    piles = [e.attributes["aria-label"] for e in first if e.attributes.get("role") == "group"]
    assert "tableau pile 3: three of hearts, four of hearts, ace of hearts" in piles
    assert "stock: 7 cards, face down" in piles
    assert "foundation 4: empty" in piles


def test_the_deal_is_drawn_without_a_script(structures: dict[str, Structure]) -> None:
    """Controls that need the script stay hidden until it runs."""
    for name in ("small.html", "small-down.html"):
        page = structures[name]
        drawn = [e for e in page.of("use") if e.attributes["href"].startswith("#card-")]
        assert len([e for e in drawn if _inside(e, "felt")]) >= 2 * 5
        needing = [e for e in page.elements if "data-do" in e.attributes or _is_slider(e)]
        assert needing
        for control in needing:
            assert any("hidden" in around.attributes for around in control.around)


def _inside(element: Element, name: str) -> bool:
    return any(around.attributes.get("class") == name for around in element.around)


def _is_slider(element: Element) -> bool:
    return element.attributes.get("type") == "range"


def test_the_last_step_has_all_cards_on_the_foundations(structures: dict[str, Structure]) -> None:
    for name, size in (("small.html", 20), ("small-down.html", 20)):
        page = structures[name]
        kinds = [pile["kind"] for pile in page.data("table-data")["piles"]]
        for number in (1, 2):
            tree = page.data(f"deal-{number}-data")
            last = played(tree)[-1]
            cards = [
                len(pile)
                for kind, (pile, _) in zip(kinds, last, strict=True)
                if kind == "foundation"
            ]
            assert sum(cards) == size
            assert set(tree["deal"]) >= {"tableau", "stock", "foundations"}


def test_an_unsolvable_deal_says_why(written: dict[str, str]) -> None:
    for name in ("small-blocked.html", "small-blocked.md"):
        text = " ".join(written[name].split())
        assert "The four of diamonds waits for the three of diamonds" in text
        assert "the four of hearts in tableau pile 3" in text
        assert "tableau.spaces.accept: any" in text
        assert "nobody can check it without searching" in text


def test_rules_rulings_and_findings_are_told_with_their_lines(written: dict[str, str]) -> None:
    for name in ("small.html", "small.md"):
        text = " ".join(written[name].split())
        for said in (
            "From where is a space filled automatically, in which order?",
            "from the waste, then from the stock",
            "Signora rules page, lines 7 and 39-40 (T3)",
            "It ends at the base rank.",
            "The document says it of the foundations only.",
            "Two statements on spaces cannot hold together",
            "Signora rules page, lines 41 and 47",
            "Line 47 lets it stay empty.",
            "Wikipedia, Signora",
        ):
            assert said in text, said


def test_every_page_says_what_is_not_proved(written: dict[str, str]) -> None:
    for name, text in written.items():
        flat = " ".join(text.split())
        assert "Full information is meant" in flat, name
        assert "Undecided is no verdict" in flat, name
        assert "No rate of winning follows" in flat, name
        assert "dealproof recheck " in flat, name


def test_the_index_counts_what_is_proved_and_what_was_left_undecided(
    structures: dict[str, Structure],
) -> None:
    page = structures["index.html"]
    row = next(e for e in page.of("tr") if "Small Signora" in e.text)
    cells = [e.text for e in page.of("td") if any(around is row for around in e.around)]
    assert cells == ["2", "0", "3", "2"]


def test_the_same_pages_give_the_same_bytes(tmp_path: Path, written: dict[str, str]) -> None:
    again = write_reports(samples.pages(), tmp_path / "new" / "folder")
    assert {path.name: _text(path) for path in again} == written


def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path, root: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from tests.reports import samples\n"
        "from reports.pages import write_reports\n"
        "write_reports([samples.blocked_page()], pathlib.Path(sys.argv[1]))\n"
    )
    digests = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        subprocess.run([sys.executable, "-c", code, str(out)], env=environment, check=True)
        digests.append({p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in out.iterdir()})
    assert digests[0] == digests[1]
    assert len(digests[0]) == 4


def test_nothing_but_the_reports_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("old", encoding="utf-8")
    written = write_reports([samples.blocked_page()], tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(written)
    assert _text(tmp_path / "index.html") != "old"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_reports([samples.blocked_page()], tmp_path / "file" / "out")


def test_a_constructed_deal_does_not_pass_for_that_of_its_seed(written: dict[str, str]) -> None:
    for name in ("small-blocked.html", "small-blocked.md"):
        text = " ".join(written[name].split())
        assert "near dealproof:1" in text
        assert "Constructed near the deal of dealproof:1, which is another one." in text
        assert text.count("dealproof:1") == text.count("near dealproof:1") + text.count(
            "the deal of dealproof:1"
        ) + text.count('"seed":"dealproof:1"')


def test_a_line_that_does_not_win_is_not_shown(tmp_path: Path) -> None:
    page = samples.small_page()
    (proved, other) = page.deals
    assert isinstance(proved.certificate, Witness)
    short = replace(proved, certificate=Witness(moves=proved.certificate.moves[:-1]))
    with pytest.raises(Rejected, match="1 cards are not on a foundation"):
        write_reports([replace(page, deals=(other, short))], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_deal_of_another_game_is_not_shown(tmp_path: Path) -> None:
    page = samples.small_page()
    with pytest.raises(InputError, match="in this deal"):
        write_reports([replace(page, deals=samples.solved("spaces"))], tmp_path)


def test_file_names_are_safe_and_differ() -> None:
    keys = ["signora", "signora@wraps", "Signora", "../../x", "index", "a/b\\c", "", "@"]
    assert file_stems(keys) == [
        "signora",
        "signora-wraps",
        "Signora-2",
        "x",
        "index-2",
        "a-b-c",
        "game",
        "game-2",
    ]


def hostile(value: Any) -> Any:
    """The value with every text in it replaced by a hostile one, rules and proofs excepted."""
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, tuple):
        return tuple(hostile(each) for each in value)
    if is_dataclass(value) and type(value).__module__ == "reports.model":
        kept = ("rules", "position", "certificate")
        changed = {f.name: hostile(getattr(value, f.name)) for f in fields(value)}
        kept_values = {name: getattr(value, name) for name in kept if name in changed}
        return replace(value, **(changed | kept_values))  # type: ignore[type-var]
    return value


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of two pages in which every text is hostile."""
    games: list[GamePage] = [hostile(samples.small_page()), hostile(samples.blocked_page())]
    out = tmp_path_factory.mktemp("hostile")
    return {path.name: _text(path) for path in write_reports(games, out)}


def test_hostile_texts_are_shown_and_do_nothing(attacked: dict[str, str]) -> None:
    pages = [structure_of(text) for name, text in attacked.items() if name.endswith(".html")]
    assert len(pages) == 3
    for page in pages:
        assert page.faults == []
        assert page.of("img") == []
        handlers = [n for e in page.elements for n in e.attributes if n.startswith("on")]
        assert handlers == []
        assert HOSTILE in " ".join(e.text for e in page.of("main"))
        kinds = [e.attributes.get("type") for e in page.of("script")]
        assert kinds.count(None) <= 1
        assert set(kinds) <= {None, "application/json"}
        for element in page.of("script"):
            if element.attributes.get("type") is not None:
                page.data(element.attributes["id"])


def test_hostile_texts_stay_texts_in_markdown(attacked: dict[str, str]) -> None:
    """Read as GitHub reads it, with tables and HTML allowed."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    texts = [text for name, text in attacked.items() if name.endswith(".md")]
    assert len(texts) == 3
    for text in texts:
        tokens = reader.parse(text)
        inner = [child for token in tokens for child in token.children or []]
        kinds = {token.type for token in [*tokens, *inner]}
        assert kinds.isdisjoint({"html_block", "html_inline", "image", "table_open"})
        links = [str(token.attrs["href"]) for token in inner if token.type == "link_open"]
        assert all(link.endswith(".md") for link in links)


def test_a_long_pile_is_wrapped_in_markdown() -> None:
    rules = samples.full(samples.EMPRESS, "Empress")
    text = position_block(deal(rules, Seed(dealer="dealproof", number=1)))
    assert max(map(len, text.splitlines())) <= 96
    cards = re.findall(r"\b[A23456789TJQK][CDHS]\b", text)
    assert len(cards) == 208


def test_markdown_keeps_to_its_width(written: dict[str, str]) -> None:
    for name, text in written.items():
        if name.endswith(".md"):
            assert [line for line in text.splitlines() if len(line) > 96] == [], name
            assert "\n\n\n" not in text
