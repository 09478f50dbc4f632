from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from spec.accounting import layout
from spec.errors import InputError, InputErrors
from spec.game import GAMES, Game, game_names, load_game
from spec.gamecheck import answers
from spec.parameters import PARAMETERS, Number, Silence
from spec.ruleset import leaf_paths, value_at
from spec.yamlfile import load_yaml
from tests.spec.samples import BROKEN, DOCUMENT, GAME, Broken, write

STOCKS = {"emperor": 64, "empress-of-italy": 177, "josephine": 64, "signora": 83}
READINGS = {
    "emperor": ["groups", "returns"],
    "empress-of-italy": ["straight"],
    "josephine": ["whole-sequences"],
    "signora": ["wraps"],
}


def complaints(path: Path | str) -> list[str]:
    """What is said of a broken file, one line a complaint."""
    with pytest.raises((InputError, InputErrors)) as caught:
        load_game(str(path))
    error = caught.value
    return [str(one) for one in error.errors] if isinstance(error, InputErrors) else [str(error)]


# The four games


def test_the_games_are_these_each_in_a_file_of_its_name() -> None:
    assert game_names() == list(STOCKS)
    assert {name: list(load_game(name).readings) for name in STOCKS} == READINGS
    assert [load_game(name).name for name in STOCKS] == list(STOCKS)


@pytest.mark.parametrize(("name", "stock"), STOCKS.items())
def test_the_stock_is_what_the_deal_leaves(name: str, stock: int) -> None:
    game = load_game(name)
    assert game.layout.stock == stock
    laid = game.layout
    dealt = sum((*laid.foundations, *laid.tableau, *laid.reserve, *laid.cells))
    assert laid.cards - dealt == stock


@pytest.mark.parametrize(("name", "stock"), STOCKS.items())
def test_no_game_file_states_the_size_of_its_stock(name: str, stock: int) -> None:
    text = (GAMES / f"{name}.yaml").read_text(encoding="utf-8")
    assert re.search(rf"\b{stock}\b", text) is None
    assert stock not in [rule.is_ for rule in load_game(name).rules.values()]


@pytest.mark.parametrize("name", STOCKS)
def test_readings_differ_from_the_game_in_what_they_state(name: str) -> None:
    game = load_game(name)
    for reading, stated in game.readings.items():
        other = load_game(f"{name}@{reading}")
        assert (other.key, other.title, other.about) == (
            f"{name}@{reading}",
            stated.title,
            stated.reason,
        )
        assert other.ruleset.digest() != game.ruleset.digest()
        differing = {
            path
            for path in leaf_paths()
            if value_at(other.ruleset, path) != value_at(game.ruleset, path)
        }
        assert differing == set(stated.rules)
        assert other.layout == game.layout


@pytest.mark.parametrize("name", STOCKS)
def test_every_citation_leads_to_a_statement(name: str) -> None:
    game = load_game(name)
    assert game.document is not None
    for path, rule in game.rules.items():
        found = game.citations(path)
        assert [statement.id for _, statement in found] == rule.cite
        assert all(document is game.document for document, _ in found)


# What a document leaves to the reader, a game has to state. These are left out all the same.
LEFT_OUT = {
    ("emperor", "tableau.from"): "a pile takes cards from wherever a card can come, the default",
    ("emperor", "tableau.spaces.fill"): "no page speaks of an automatic fill; the default is none",
    ("josephine", "tableau.from"): "a pile takes cards from wherever a card can come, the default",
    ("josephine", "tableau.spaces.fill"): "no page speaks of an automatic fill; default none",
    ("signora", "tableau.spaces.from"): "a space accepts no card of the player's",
}


def test_a_game_states_whatever_a_document_may_leave_open() -> None:
    asked = [path for path, one in PARAMETERS.items() if one.silence is Silence.OPEN]
    lacking = set()
    for name in STOCKS:
        game = load_game(name)
        groups = {path.partition(".")[0] for path in game.rules}
        lacking |= {
            (name, path)
            for path in asked
            if path in leaf_paths() and path.partition(".")[0] in groups and path not in game.rules
        }
    assert lacking == set(LEFT_OUT)


# One card more or fewer

# Every game, each of its rules that holds a number, one more and one fewer.
COUNTS = [
    (name, path, rule.is_ + by)
    for name in STOCKS
    for path, rule in load_game(name).rules.items()
    if path in PARAMETERS and isinstance(PARAMETERS[path].domain, Number)
    if isinstance(rule.is_, int)
    for by in (1, -1)
]

# Where nothing is wrong that could be noticed.
UNNOTICED = {
    ("signora", "foundations.cap", 14): "a ruling's number: no document states one, and 8 x 14 "
    "cards are room enough for 104"
}


# The complaint may be about a number that follows from the changed one.
DERIVED = {
    "pack.decks": ("foundations.piles",),
    "foundations.cap": ("foundations.piles", "goal.each"),
}


def count_id(case: tuple[str, str, int]) -> str:
    return "-".join(map(str, case))


def with_number(folder: Path, name: str, path: str, number: int) -> Path:
    """The game's file with another number at ``path``."""
    text = (GAMES / f"{name}.yaml").read_text(encoding="utf-8")
    changed, times = re.subn(
        rf"^(  {re.escape(path)}: \{{is: )\d+", rf"\g<1>{number}", text, flags=re.M
    )
    assert times == 1
    return write(folder, game=changed, name=name)


@pytest.mark.parametrize("case", COUNTS, ids=count_id)
def test_a_game_changed_by_one_is_refused_with_the_piles_and_the_sum(
    tmp_path: Path, case: tuple[str, str, int]
) -> None:
    name, path, number = case
    file = with_number(tmp_path, name, path, number)
    if case in UNNOTICED:
        assert value_at(load_game(str(file)).ruleset, path) == number
        assert load_game(name).rules[path].cite == []
        return
    said = complaints(file)
    named = (path, *DERIVED.get(path, ()))
    meant = [line for line in said if any(f"{one}: " in line for one in named)]
    assert meant, said
    lowest = 0 if path.endswith((".deal", ".face_down")) else 1
    if number < lowest or (path == "waste.piles" and number > 1):
        assert any("is too small" in line or "is too large" in line for line in meant)
    else:
        # The piles with their sums, such as "tableau 10 x 4 = 40 + stock 64 = 104 cards".
        assert any(re.search(r"tableau \d+ x \d+ = \d+ .*= \d+ cards", line) for line in meant)


def test_every_number_of_a_document_is_tried() -> None:
    tried = {(name, path) for name, path, _ in COUNTS}
    for name in STOCKS:
        document = load_game(name).document
        assert document is not None
        counted = {
            path
            for statement in document.statements
            for path in leaf_paths()
            if path in PARAMETERS
            and isinstance(PARAMETERS[path].domain, Number)
            and not statement.like
            and any(isinstance(answer, int) for answer in answers(statement, path))
        }
        assert {(name, path) for path in counted} <= tried


def test_a_deal_of_one_pile_more_or_fewer_in_a_list_is_refused(tmp_path: Path) -> None:
    text = (GAMES / "josephine.yaml").read_text(encoding="utf-8")
    for deal in ([4] * 9 + [5], [4] * 9 + [3]):
        changed = text.replace("tableau.deal: {is: 4,", f"tableau.deal: {{is: {deal},")
        said = complaints(write(tmp_path, game=changed, name="josephine"))
        assert any("tableau.deal: [4, 4," in line and "T1" in line for line in said)
        assert any("stock.cards: " in line and "says 64" in line for line in said)
    same = text.replace("tableau.deal: {is: 4,", f"tableau.deal: {{is: {[4] * 10},")
    assert load_game(str(write(tmp_path, game=same, name="josephine"))).layout.stock == 64


# Broken files


def test_the_sample_is_good(tmp_path: Path) -> None:
    game = load_game(str(write(tmp_path)))
    assert game.layout.stock == 39
    assert str(game.layout) == "tableau 4 x 2 = 8 + reserve 5 + stock 39 = 52 cards"
    assert game.ruleset.tableau[0].spaces.accept == ["2", "K"]
    assert load_game(f"{tmp_path}/games/porch.yaml@stays").ruleset.tableau[0].spaces.fill is None


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_file_is_refused_where_it_is_broken(tmp_path: Path, broken: Broken) -> None:
    if broken.document:
        said = complaints(write(tmp_path, document=broken.text))
        file = tmp_path / "documents" / "porch-page.yaml"
    else:
        file = write(tmp_path, game=broken.text)
        said = complaints(file)
    meant = [line for line in said if line.startswith(f"{file}:{broken.place}: ")]
    assert meant, said
    assert all(any(word in line for line in meant) for word in broken.words), said


def test_cards_without_a_place_are_refused_with_the_sum(tmp_path: Path) -> None:
    text = "".join(
        line for line in GAME.splitlines(keepends=True) if not line.startswith("  stock.")
    )
    (said,) = [line for line in complaints(write(tmp_path, game=text)) if "nowhere" in line]
    assert "39 of 52 cards are nowhere: tableau 4 x 2 = 8 + reserve 5 = 13, and no stock" in said
    assert "7:1" in said


def test_a_waste_that_is_absent_is_missed_by_the_stock_and_by_the_fill(tmp_path: Path) -> None:
    text = GAME.replace("  waste.piles: {is: 1, cite: [W1]}\n", "")
    said = complaints(write(tmp_path, game=text))
    assert [line.split(": ")[1] for line in said if "has no waste" in line] == [
        "tableau.spaces.fill",
        "stock.to",
    ]


def test_a_missing_value_without_a_default_is_named(tmp_path: Path) -> None:
    text = GAME.replace("  tableau.piles: {is: 4, cite: [T1]}\n", "")
    assert any(
        "tableau.piles: is missing" in line for line in complaints(write(tmp_path, game=text))
    )


def test_a_document_has_the_name_of_its_file(tmp_path: Path) -> None:
    text = DOCUMENT.replace("document: porch-page", "document: veranda-page")
    (said,) = complaints(write(tmp_path, document=text))
    assert "5:11: document: porch-page.yaml says that it is 'veranda-page'" in said


def test_all_that_is_wrong_is_said_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = GAME.replace("cite: [T1]}", "cite: [T9]}").replace("ruling: fill}", "ruling: full}")
    # Last in the file, and the deal is looked at first.
    text = text.replace("  reserve.deal: {is: 5,", "  reserve.deal: {is: 65,")
    said = complaints(write(tmp_path, game=text))
    lines = [int(line.split(":")[1]) for line in said]
    assert lines == sorted(lines)
    assert ["the deal takes 73 cards" in line for line in said] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert len(said) == 5


def test_a_broken_reading_is_noticed_whichever_reading_is_asked_for(tmp_path: Path) -> None:
    text = GAME.replace(
        "tableau.spaces.fill: {is: [], ruling", "tableau.build.suit: {is: red, ruling"
    )
    for asked in ("", "@stays"):
        said = complaints(f"{write(tmp_path, game=text)}{asked}")
        assert any("tableau.build.suit: 'red' is not one of" in line for line in said)


def test_a_file_cut_off_anywhere_is_refused_or_another_game(tmp_path: Path) -> None:
    """Never a traceback; and what still loads says less, not something else."""
    whole = load_game(str(write(tmp_path))).rules
    for end in range(0, len(GAME), 7):
        file = write(tmp_path, game=GAME[:end])
        try:
            rules = load_game(str(file)).rules
        except (InputError, InputErrors) as error:
            said = str(error)
            rules = {}
        else:
            said = f"{file}: good"
        assert said.startswith(str(file))
        assert all(whole[path] == rule for path, rule in rules.items())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("a byte order mark", lambda text: "\ufeff" + text),
        ("CRLF", lambda text: text.replace("\n", "\r\n")),
        ("a rank as a letter", lambda text: text.replace("[2, K]", "['2', K]")),
        ("comments", lambda text: text.replace("\n\n", "\n# a comment\n\n")),
        ("an explicit nothing", lambda text: text.replace("rules:\n", "based_on:\n\nrules:\n", 1)),
    ],
)
def test_what_makes_no_difference_makes_none(tmp_path: Path, name: str, change: Any) -> None:
    del name
    game = load_game(str(write(tmp_path, game=change(GAME), document=DOCUMENT)))
    other = load_game(str(write(tmp_path)))
    assert game.ruleset == other.ruleset
    assert game.rules.keys() == other.rules.keys()


def test_ranks_may_be_written_as_numbers(tmp_path: Path) -> None:
    text = GAME.replace(
        "tableau.spaces.accept: {is: [2, K], cite: [T3]}",
        "tableau.spaces.accept: {is: [2, 10], source: x}",
    )
    text = text.replace("pack.base: {is: A, cite: [F1]}", "pack.base: {is: 2, source: x}")
    ruleset = load_game(str(write(tmp_path, game=text))).ruleset
    assert ruleset.pack.base == "2"
    assert ruleset.tableau[0].spaces.accept == ["2", "T"]


# Names


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("sigora", "there is no game 'sigora'; one of emperor, empress-of-italy, josephine"),
        ("signora@wrap", "signora has no reading 'wrap'; its readings: wraps"),
        ("signora@", "signora has no reading ''"),
        ("signora.yaml", "signora.yaml: there is no such file"),
        ("../games/signora", "there is no game '../games/signora'"),
        ("", "there is no game ''"),
    ],
)
def test_names_that_there_are_not_are_refused(key: str, words: str) -> None:
    assert words in complaints(key)[0]


def test_a_folder_may_have_an_at_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "a@b"
    folder.mkdir()
    file = write(folder)
    assert load_game(str(file)).key == "porch"
    assert load_game(f"{file}@stays").key == "porch@stays"


# A game as a difference from another

VARIANT = """\
game: veranda
title: Veranda
about: Porch with more piles.
based_on: porch

rules:
  tableau.piles: {is: 6, source: a friend}
  tableau.move.unit: {is: null, source: a friend}
  reserve.deal: {is: null, source: a friend}

readings:
  wide:
    title: Veranda with ten piles
    reason: Another friend.
    rules:
      tableau.piles: {is: 10, source: another friend}
"""


def variant(folder: Path, *changes: tuple[str, str]) -> Path:
    write(folder)
    text = VARIANT
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return write(folder, game=text, name="veranda")


def test_a_variant_is_its_base_but_for_what_it_states(tmp_path: Path) -> None:
    game = load_game(str(variant(tmp_path)))
    base = load_game(str(tmp_path / "games" / "porch.yaml"))
    assert (game.key, game.document) == ("veranda", None)
    assert game.layout.tableau == (2,) * 6
    assert game.layout.reserve == ()
    assert game.layout.stock == 40
    assert set(base.rules) - set(game.rules) == {"tableau.move.unit", "reserve.deal"}
    assert game.rulings == base.rulings
    assert game.ruleset.tableau[0].build == base.ruleset.tableau[0].build


def test_null_returns_to_the_default(tmp_path: Path) -> None:
    file = variant(tmp_path, ("tableau.move.unit: {is: null,", "tableau.spaces.accept: {is: null,"))
    game = load_game(str(file))
    assert "tableau.spaces.accept" not in game.rules
    assert game.ruleset.tableau[0].spaces.accept == "any"


def test_inherited_citations_keep_their_document(tmp_path: Path) -> None:
    game = load_game(str(variant(tmp_path)))
    assert game.rules["tableau.deal"].cite == ["porch-page:T1"]
    ((document, statement),) = game.citations("tableau.deal")
    assert (document.document, statement.id) == ("porch-page", "T1")
    assert game.citations("tableau.piles") == ()


def test_inherited_citations_keep_their_document_beside_another(tmp_path: Path) -> None:
    """T1 is in both documents, and says something else in each."""
    file = variant(
        tmp_path,
        ("based_on: porch\n", "based_on: porch\ndocument: signora-page\n"),
        ("tableau.piles: {is: 6, source: a friend}", "tableau.piles: {is: 9, cite: [T1]}"),
    )
    game = load_game(str(file))
    assert [doc.document for doc, _ in game.citations("tableau.deal")] == ["porch-page"]
    assert [doc.document for doc, _ in game.citations("tableau.piles")] == ["signora-page"]


def test_a_base_with_the_same_document_is_cited_as_before(tmp_path: Path) -> None:
    file = variant(
        tmp_path,
        ("based_on: porch\n", "based_on: porch\ndocument: porch-page\n"),
        ("tableau.piles: {is: 6, source: a friend}", "tableau.piles: {is: 4, cite: [T1]}"),
        ("  reserve.deal: {is: null, source: a friend}\n", ""),
        ("is: 10, source: another friend", "is: 4, cite: [T1]"),
    )
    assert load_game(str(file)).rules["tableau.deal"].cite == ["T1"]


def test_the_counts_of_a_base_do_not_bind_a_variant(tmp_path: Path) -> None:
    """Porch's page counts 39 cards in the stock; Veranda has 40."""
    assert load_game(str(variant(tmp_path))).layout.stock == 40


def test_readings_of_a_variant_change_the_variant(tmp_path: Path) -> None:
    file = variant(tmp_path)
    wide = load_game(f"{file}@wide")
    assert (wide.key, wide.layout.stock) == ("veranda@wide", 32)
    assert list(wide.readings) == ["wide"]
    assert complaints(f"{file}@stays")[0] == "veranda has no reading 'stays'; its readings: wide"


def test_a_variant_may_be_based_on_a_game_that_is_shipped(tmp_path: Path) -> None:
    text = VARIANT[: VARIANT.index("  reserve.deal")].replace("porch", "signora")
    game = load_game(str(write(tmp_path, game=text, name="veranda")))
    assert game.layout.tableau == (1,) * 6
    assert game.rules["stock.passes"].cite == ["signora-page:S2"]


def test_a_circle_of_games_is_refused(tmp_path: Path) -> None:
    write(tmp_path, game=VARIANT.replace("based_on: porch", "based_on: porch"), name="veranda")
    looped = GAME.replace("document: porch-page\n", "document: porch-page\nbased_on: veranda\n")
    (said,) = complaints(write(tmp_path, game=looped))
    assert "veranda.yaml:4:11: based_on: " not in said
    assert "the game is based on itself" in said


def test_what_is_wrong_in_a_base_is_said_of_the_base(tmp_path: Path) -> None:
    file = variant(tmp_path)
    broken = GAME.replace("tableau.deal: {is: 2,", "tableau.deals: {is: 2,")
    write(tmp_path, game=broken)
    (said,) = complaints(file)
    assert said.startswith(f"{tmp_path / 'games' / 'porch.yaml'}:14:3: rules: ")


# Rulings and counts


def test_an_overruled_count_binds_nobody(tmp_path: Path) -> None:
    counted = DOCUMENT.replace("stock.cards: 39", "stock.cards: 40")
    assert any(
        "stock.cards: 39, but S1" in line for line in complaints(write(tmp_path, document=counted))
    )
    text = GAME.replace("    reason: So it", "    overrules: [S1]\n    reason: So it")
    assert load_game(str(write(tmp_path, game=text, document=counted))).layout.stock == 39


@pytest.mark.parametrize(
    ("answer", "fill", "good"),
    [
        ("nothing", "[]", True),
        ("stock", "[stock]", True),
        ("stock", "[]", False),
        ("nothing", "[stock]", False),
        (None, "[]", True),
        (None, "[stock]", False),
    ],
)
def test_that_nothing_fills_the_reserve_is_an_empty_list(
    tmp_path: Path, answer: str | None, fill: str, *, good: bool
) -> None:
    said = f", reserve.fill: {answer}" if answer else ""
    counted = DOCUMENT.replace("{reserve.deal: 5}", f"{{reserve.deal: 5{said}}}")
    rule = f"  reserve.fill: {{is: {fill}, cite: [R1]}}\n  stock.to:"
    file = write(tmp_path, game=GAME.replace("  stock.to:", rule), document=counted)
    if good:
        assert "reserve.fill" in load_game(str(file)).rules
    else:
        assert any("reserve.fill: " in line and "R1" in line for line in complaints(file))


def test_a_count_that_is_said_in_passing_binds_nobody(tmp_path: Path) -> None:
    counted = DOCUMENT.replace("says: {stock.cards: 39}", "flavour: true, says: {stock.cards: 40}")
    assert load_game(str(write(tmp_path, document=counted))).layout.stock == 39


def test_an_inherited_ruling_overrules_statements_of_its_own_document(tmp_path: Path) -> None:
    file = variant(tmp_path, ("based_on: porch\n", "based_on: porch\ndocument: emperor-page\n"))
    overruling = GAME.replace("    reason: So it", "    overrules: [T3]\n    reason: So it")
    base = load_game(str(write(tmp_path, game=overruling)))
    assert base.rulings["fill"].overrules == ["T3"]
    assert load_game(str(file)).rulings["fill"].overrules == ["porch-page:T3"]


def test_a_count_may_be_one_of_several(tmp_path: Path) -> None:
    counted = DOCUMENT.replace("stock.cards: 39", "stock.cards: [39, 40]")
    assert load_game(str(write(tmp_path, document=counted))).layout.stock == 39


@pytest.mark.parametrize(
    "count",
    [
        "pack.cards: 51",
        "tableau.cards: 9",
        "reserve.cards: 6",
        "stock.cards: 38",
        "waste.deal: 1",
        "stock.redeals: 1",
        "foundations.per_suit: 2",
        "goal.cards: 51",
        "goal.each: 12",
    ],
)
def test_every_derived_number_is_held_against_the_document(tmp_path: Path, count: str) -> None:
    counted = DOCUMENT.replace("stock.cards: 39", count)
    path, number = count.split(": ")
    (said,) = complaints(write(tmp_path, document=counted))
    assert f"{path}: " in said
    assert f"says {number}; the deal is tableau 4 x 2 = 8 + reserve 5 + stock 39" in said


def test_a_rule_may_rest_on_a_relation_that_another_page_states(tmp_path: Path) -> None:
    text = GAME.replace(
        "reserve.deal: {is: 5, cite: [R1]}",
        "reserve.deal: {is: 11, cite: [empress-of-italy-page:X5]}",
    )
    text = text.replace("fill]\n", "fill]\n    overrules: [S1]\n")
    assert load_game(str(write(tmp_path, game=text))).layout.reserve == (11,)
    wrong = text.replace("{is: 11,", "{is: 12,")
    assert any("12, but X5" in line for line in complaints(write(tmp_path, game=wrong)))


# The game as a value


def test_a_game_can_be_sent_to_a_worker() -> None:
    game = load_game("signora@wraps")
    back = pickle.loads(pickle.dumps(game))
    assert isinstance(back, Game)
    assert back == game
    assert layout(back.ruleset) == game.layout


def test_a_citation_without_its_document_is_not_found() -> None:
    game = load_game("signora")
    with pytest.raises(KeyError):
        game.statement("Z9")
    with pytest.raises(KeyError):
        game.statement("empress-of-italy-page:T1")


@pytest.mark.parametrize("name", STOCKS)
def test_line_1_names_the_schema_for_editors(name: str) -> None:
    first = (GAMES / f"{name}.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schemas/game.schema.json"
    assert (GAMES / "../schemas/game.schema.json").resolve().is_file()
    assert load_yaml(GAMES / f"{name}.yaml").place(("game",)).line == 2
