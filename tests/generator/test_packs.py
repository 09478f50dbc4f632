"""Seed packs: what is written is read and accepted, what is damaged is refused or rejected."""

from __future__ import annotations

import copy
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dealproof import Exit, _run
from generator.dealers import deal
from generator.packs import (
    load_pack,
    read_object,
    read_pack,
    recheck,
    write_atomically,
    write_pack,
)
from generator.shuffles import Seed
from spec.errors import InputError, Place
from spec.ruleset import from_paths
from tests.generator.smallgames import PATHS, made, small_game, text_of
from verify.certificate import Witness
from verify.moves import apply
from verify.rules import rules_of

CORPUS = Path(__file__).parent.parent / "corpus" / "packs"

Records = list[dict[str, Any]]
Damage = Callable[[Records], object]

MANIFEST, WON, SECOND, LOST = 0, 1, 2, 3
"""The records of a small pack: the manifest, two solvable deals, an unsolvable one."""


def records(name: str = "closet") -> Records:
    return [json.loads(row) for row in text_of(made(name)).splitlines()]


def written(folder: Path, tree: Records) -> Path:
    file = folder / "pack.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in tree), encoding="utf-8")
    return file


def damaged(folder: Path, damage: Damage, name: str = "closet") -> Path:
    tree = records(name)
    damage(tree)
    return written(folder, tree)


def moves(tree: Records, record: int = WON) -> list[str]:
    found: list[str] = tree[record]["certificate"]["moves"]
    return found


def with_rules(tree: Records, **changes: Any) -> None:
    """Other rules under the same game's name, with the hash that they have."""
    paths = PATHS["closet"] | {path.replace("__", "."): value for path, value in changes.items()}
    ruleset = from_paths(paths)
    tree[MANIFEST]["ruleset"] = json.loads(ruleset.canonical())
    tree[MANIFEST]["ruleset_sha256"] = ruleset.digest()


def exchange(tree: Records, one: tuple[str, int, int], other: tuple[str, int, int]) -> None:
    """Exchange two cards of a deal, each at (group, pile, place)."""
    dealt = tree[WON]["deal"]
    first, second = dealt[one[0]][one[1]], dealt[other[0]][other[1]]
    first[one[2]], second[other[2]] = second[other[2]], first[one[2]]


class TestRoundTrip:
    @pytest.mark.parametrize("name", PATHS)
    def test_what_is_written_is_accepted(self, tmp_path: Path, name: str) -> None:
        pack = made(name)
        file = tmp_path / "new" / "pack.jsonl"
        write_pack(file, pack.head, pack.deals)
        assert file.read_text(encoding="utf-8") == text_of(pack)
        lines = list(recheck(read_pack(file)))
        assert [(line.line, line.verdict.value, line.accepted) for line in lines] == [
            (2, "solvable", True),
            (3, "solvable", True),
            (4, "unsolvable", True),
        ]
        assert "foundations.returns: never" in lines[-1].rests_on

    @pytest.mark.parametrize("name", PATHS)
    def test_what_is_read_is_what_was_made(self, tmp_path: Path, name: str) -> None:
        pack = made(name)
        write_pack(tmp_path / "pack.jsonl", pack.head, pack.deals)
        game, deals, head = load_pack(tmp_path / "pack.jsonl", {name: small_game(name)})
        assert game == small_game(name)
        assert tuple(deals) == pack.deals
        assert head == pack.head

    def test_the_manifest_says_what_the_pack_is(self) -> None:
        game, head = small_game("closet"), made("closet").head
        assert head["format"] == "dealproof-pack/1"
        assert head["ruleset_sha256"] == game.ruleset.digest()
        assert head["deals"] == {"solvable": 2, "unsolvable": 1}
        assert head["met"]["solvable"] == 2
        assert head["limits"] == {"nodes": 200_000, "megabytes": 16}
        assert {"dealproof", "z3-solver", "numba", "numpy"} <= set(head["versions"])

    def test_a_pack_of_an_own_game_needs_its_file(self, tmp_path: Path) -> None:
        file = written(tmp_path, records())
        with pytest.raises(InputError, match=r"jsonl:1: game: .* no game 'closet'; .*--game"):
            load_pack(file)

    def test_a_pack_for_other_rules_of_the_game_is_refused(self, tmp_path: Path) -> None:
        file = written(tmp_path, records())
        other = small_game("closet", foundations__returns="always")
        with pytest.raises(InputError, match="made for other rules than closet has"):
            load_pack(file, {"closet": other})

    def test_a_pack_with_a_false_line_is_not_loaded(self, tmp_path: Path) -> None:
        file = damaged(tmp_path, lambda tree: moves(tree).pop())
        with pytest.raises(InputError, match=r"jsonl:2: after 32 moves 1 cards"):
            load_pack(file, {"closet": small_game("closet")})


def swapped(tree: Records) -> None:
    line = moves(tree)
    line[0], line[1] = line[1], line[0]


def of_another_deal(tree: Records) -> None:
    tree[WON]["certificate"] = tree[SECOND]["certificate"]


def lost_by(**changes: Any) -> Damage:
    return lambda tree: tree[LOST]["certificate"].update(changes)


REJECTED: dict[str, tuple[Damage, int, str]] = {
    "two moves swapped": (swapped, 2, "move 1, 5D s-w: another card lies there"),
    "line cut short": (lambda t: moves(t).pop(), 2, "after 32 moves 1 cards are not on a found"),
    "no moves": (lambda t: moves(t).clear(), 2, "after 0 moves 20 cards are not on a foundation"),
    "covered card": (
        lambda t: moves(t).insert(0, "4D t1-t2"),
        2,
        "move 1, 4D t1-t2: another card lies there: the named card is covered",
    ),
    "move left out": (lambda t: moves(t).pop(4), 2, "move 5, AD w-f1: another card lies there"),
    "move made twice": (lambda t: moves(t).insert(5, "AD w-f1"), 2, "move 7, AD w-f1: another"),
    "move after the win": (lambda t: moves(t).append("5C f2-t1"), 2, "move 34, 5C f2-t1: cards"),
    "no such pile": (lambda t: moves(t).insert(0, "5H t1-t9"), 2, "there is no such pile"),
    "does not fit": (lambda t: moves(t).insert(0, "5H t1-t2"), 2, "does not fit on the top card"),
    "wrong first card": (lambda t: moves(t).insert(0, "5H t1-f1"), 2, "starts with the base rank"),
    "two cards": (lambda t: moves(t).insert(0, "AH t1-t2*2"), 2, "only one card moves at a time"),
    "no cards": (lambda t: moves(t).insert(0, "5H t1-t2*0"), 2, "the pile has fewer cards"),
    "onto itself": (lambda t: moves(t).insert(0, "5H t1-t1"), 2, "cannot move onto itself"),
    "redeal": (lambda t: moves(t).insert(0, "w-s"), 2, "the stock still has cards"),
    "to the stock": (lambda t: moves(t).insert(0, "5H t1-s"), 2, "cards do not move there"),
    "witness of another deal": (of_another_deal, 2, "move 1, 4D s-w: another card lies there"),
    "another seed": (
        lambda t: t[WON].update(seed="dealproof:77"),
        2,
        "this is not the deal of dealproof:77",
    ),
    "another dealer's seed": (
        lambda t: t[LOST].update(seed="dealproof:2", origin="dealt"),
        4,
        "this is not the deal of dealproof:2",
    ),
    "a constructed deal as dealt": (
        lambda t: t[LOST].update(origin="dealt"),
        4,
        "this is not the deal of dealproof:1",
    ),
    "two cards of the deal exchanged": (
        lambda t: exchange(t, ("tableau", 0, 0), ("tableau", 1, 1)),
        2,
        "this is not the deal of dealproof:2",
    ),
    "the stock turned round": (
        lambda t: t[WON]["deal"]["stock"].reverse(),
        2,
        "this is not the deal of dealproof:2",
    ),
    "no keys": (lost_by(keys=[]), 4, "no key: nothing in the set keeps a card"),
    "key moved down": (lost_by(keys=["t1:2", "t2:2", "t3:2", "t4:1"]), 4, "and is not in the"),
    "key moved to the top": (lost_by(keys=["t1:3", "t2:2", "t3:2", "t4:2"]), 4, "can go to"),
    "key left out": (lost_by(keys=["t2:2", "t3:2", "t4:2"]), 4, "and is not in the"),
    "two keys in a pile": (lost_by(keys=["t1:1", "t1:2", "t2:2", "t3:2", "t4:2"]), 4, "two keys"),
    "empty sets": (lost_by(tableau=[], foundation=[]), 4, "is not in the tableau set"),
    "harder rules": (
        lambda t: with_rules(t, tableau__spaces__accept="none", tableau__build__suit="alternate"),
        2,
        "does not fit on the top card",
    ),
    "easier rules": (
        lambda t: with_rules(t, tableau__build__suit="any"),
        4,
        "and is not in the tableau set",
    ),
    "rules with a wrap": (
        lambda t: with_rules(t, tableau__build__wrap="full"),
        4,
        "5C can be built in the tableau and is not in the tableau set",
    ),
}
"""Damage that leaves a pack readable and makes a line false: the line, and words of the reason."""


class TestRejected:
    @pytest.mark.parametrize("name", REJECTED)
    def test_a_false_line_is_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        damage, number, words = REJECTED[name]
        file = damaged(tmp_path, damage)
        assert _run(["recheck", str(file)]) == Exit.ANSWER_IS_NO
        out, err = capsys.readouterr()
        (told,) = [row for row in out.splitlines() if row.startswith(f"{file}:{number}: rejected")]
        assert words in told
        assert err == ""
        counted = int(out.split(f"{file}: ")[1].split(" of 3 deals accepted")[0])
        assert counted < 3

    def test_the_position_is_shown_in_which_a_witness_fails(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = damaged(tmp_path, lambda tree: moves(tree).insert(12, "5S t4-t1"))
        position = made("closet").deals[0].deal
        certificate = made("closet").deals[0].decision.certificate
        assert isinstance(certificate, Witness)
        for move in certificate.moves[:12]:
            position = apply(rules_of(small_game("closet").ruleset), position, move)
        assert _run(["recheck", str(file)]) == Exit.ANSWER_IS_NO
        shown = capsys.readouterr().out.split("move 13, ")[1]
        assert shown.startswith("5S t4-t1: ")
        assert "\n".join(f"    {row}" for row in str(position).splitlines()) in shown

    @pytest.mark.parametrize("name", PATHS)
    @pytest.mark.parametrize("kind", ["tableau", "foundation"])
    def test_every_type_of_a_closed_set_is_needed(
        self, tmp_path: Path, name: str, kind: str
    ) -> None:
        types = records(name)[LOST]["certificate"][kind]
        assert len(types) > 5
        for missing in types:

            def damage(tree: Records, *, missing: str = missing) -> None:
                tree[LOST]["certificate"][kind].remove(missing)

            line = list(recheck(read_pack(damaged(tmp_path, damage, name))))[-1]
            assert (line.accepted, line.line) == (False, 4), missing
            assert missing in line.why

    def test_rules_are_the_manifests_and_not_the_games(self, tmp_path: Path) -> None:
        """A detour over the foundation: false for the game, true for the rules written there."""

        def detour(tree: Records) -> None:
            moves(tree)[20:20] = ["4H f4-t2", "4H t2-f4"]

        strict = next(recheck(read_pack(damaged(tmp_path, detour))))
        assert strict.accepted is False
        assert "cards do not move from there" in strict.why

        def damage(tree: Records) -> None:
            detour(tree)
            with_rules(tree, foundations__returns="always")

        assert next(recheck(read_pack(damaged(tmp_path, damage)))).accepted is True

    def test_json_says_the_same(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = damaged(tmp_path, swapped)
        assert _run(["recheck", "--json", str(file)]) == Exit.ANSWER_IS_NO
        rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
        assert [row["accepted"] for row in rows] == [False, True, True]
        assert rows[0]["why"].startswith("move 1, 5D s-w")
        assert rows[0]["position"] == records()[WON]["deal"]

    def test_an_exhaustive_search_cannot_be_checked(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        said = {"kind": "exhaustion", "positions": 7, "key_bits": 128, "reductions": []}
        file = damaged(tmp_path, lambda tree: tree[LOST].update(certificate=said))
        assert _run(["recheck", str(file)]) == Exit.UNDECIDED
        out = capsys.readouterr().out
        assert f"{file}:4: not checkable: " in out
        assert "2 of 3 deals accepted" in out

    def test_one_false_pack_among_good_ones_gives_the_exit_code(self, tmp_path: Path) -> None:
        (tmp_path / "bad").mkdir()
        good, bad = written(tmp_path, records()), damaged(tmp_path / "bad", swapped)
        assert _run(["recheck", str(good)]) == Exit.AS_ASKED
        assert _run(["recheck", str(bad), str(good)]) == Exit.ANSWER_IS_NO


def head_by(**changes: Any) -> Damage:
    return lambda tree: tree[MANIFEST].update(changes)


def won_by(**changes: Any) -> Damage:
    return lambda tree: tree[WON].update(changes)


def dealt_by(**changes: Any) -> Damage:
    return lambda tree: tree[WON]["deal"].update(changes)


def witness_by(**changes: Any) -> Damage:
    return lambda tree: tree[WON]["certificate"].update(changes)


def of_two_decks(tree: Records) -> None:
    tree[WON]["deal"]["stock"] *= 2
    tree[WON]["deal"]["tableau"] = [pile * 2 for pile in tree[WON]["deal"]["tableau"]]


def repeated(tree: Records) -> None:
    tree.append(tree[WON])
    tree[MANIFEST]["deals"]["solvable"] = 3


def other_ruleset(tree: Records) -> None:
    tree[MANIFEST]["ruleset"]["tableau"][0]["build"]["suit"] = "any"


def of_full_deck(tree: Records) -> None:
    """A deal of 51 cards for rules of a full deck."""
    with_rules(tree, pack__ranks=13)
    dealt = deal(
        rules_of(from_paths(PATHS["closet"] | {"pack.ranks": 13})),
        Seed(dealer="dealproof", number=2),
    ).to_json()
    dealt["stock"].remove("KH")
    tree[WON]["deal"] = dealt


REFUSED: dict[str, tuple[Damage, int, str]] = {
    # The deal.
    "a card short": (lambda t: t[WON]["deal"]["stock"].pop(0), 2, "19 cards, missing 1 x 3S"),
    "51 cards": (of_full_deck, 2, "51 cards, missing 1 x KH; the pack has 52 cards, 1 of each"),
    "a card doubled": (
        lambda t: t[WON]["deal"]["stock"].__setitem__(0, "5C"),
        2,
        "20 cards, missing 1 x 3S and too many 1 x 5C",
    ),
    "two decks in one": (of_two_decks, 2, "40 cards, too many 1 x AC, 1 x 2C"),
    "a card of another pack": (
        lambda t: t[WON]["deal"]["stock"].__setitem__(0, "KH"),
        2,
        "stock[0]: 'KH' is no card of this pack",
    ),
    "a card in another script": (
        lambda t: t[WON]["deal"]["stock"].__setitem__(0, "3\u0405"),
        2,
        "is no card of this pack",
    ),
    "a card that is a number": (
        lambda t: t[WON]["deal"]["stock"].__setitem__(0, 35),
        2,
        "'35' is no card of this pack",
    ),
    "a pile too few": (
        lambda t: t[WON]["deal"]["tableau"].pop(),
        2,
        "tableau: 3 piles; tableau is a list of 4 piles",
    ),
    "cards on another pile": (
        lambda t: t[WON]["deal"]["tableau"][0].append(t[WON]["deal"]["tableau"][1].pop()),
        2,
        "tableau: 4 2 3 3 in this deal",
    ),
    "cards in the waste": (
        lambda t: t[WON]["deal"]["waste"].append(t[WON]["deal"]["stock"].pop()),
        2,
        "stock: 7 in this deal",
    ),
    "another base rank": (dealt_by(base="2"), 2, "the base rank is not that of"),
    "no base rank": (dealt_by(base="Z"), 2, "base: 'Z' is no rank; one of A2345"),
    "the second pass": (dealt_by(passes=2), 2, "passes: 2 in this deal"),
    "no pass": (dealt_by(passes=0), 2, "passes: 0; a number from 1"),
    "cards face down": (dealt_by(face_down=[1, 0, 0, 0]), 2, "face_down: 1 0 0 0 in this deal"),
    "face down beyond all bounds": (dealt_by(face_down=[10**30, 0, 0, 0]), 2, "face_down[0]"),
    "no deal": (won_by(deal=None), 2, "a deal is a mapping"),
    "an unknown pile": (dealt_by(cells=[]), 2, "unknown key 'cells'"),
    # The line.
    "verdict flipped": (won_by(verdict="unsolvable"), 2, "verdict: unsolvable with a certificate"),
    "verdict flipped back": (
        lambda t: t[LOST].update(verdict="solvable"),
        4,
        "verdict: solvable with a certificate for unsolvable",
    ),
    "undecided": (won_by(verdict="undecided", certificate=None), 2, "a pack holds proved deals"),
    "a verdict that is none": (won_by(verdict=True), 2, "verdict: True; one of solvable"),
    "no certificate": (won_by(certificate=None), 2, "solvable with a certificate for undecided"),
    "another certificate": (witness_by(kind="oath"), 2, "certificate: this is no certificate"),
    "a certificate with more": (witness_by(note=1), 2, "certificate: a witness with"),
    "moves that are none": (witness_by(moves="3C s-w"), 2, "certificate.moves: not a list"),
    "a move that is none": (witness_by(moves=["3C to f1"]), 2, "certificate.moves[0]: '3C to f1'"),
    "a move without its card": (witness_by(moves=["s-w"]), 2, "'s-w' names no card"),
    "a move of an unknown card": (witness_by(moves=["KH s-w"]), 2, "'KH' is no card of this pack"),
    "a key of no card": (lost_by(keys=["t9:1"]), 4, "certificate.keys[0]: 't9:1' is no card of"),
    "a key too high": (lost_by(keys=["t1:4"]), 4, "certificate.keys[0]: 't1:4' is no card of"),
    "a type of no pack": (lost_by(tableau=["KH"]), 4, "certificate.tableau[0]: 'KH' is no card"),
    "an unknown dealer": (won_by(seed="bridge:1"), 2, "unknown dealer 'bridge'"),
    "a seed below 0": (won_by(seed="dealproof:-1"), 2, "'-1' is not a number"),
    "a seed too large": (won_by(seed=f"dealproof:{2**63}"), 2, f"dealproof number {2**63}"),
    "a seed without end": (won_by(seed="dealproof:" + "9" * 5000), 2, "is too large"),
    "a seed that is a number": (won_by(seed=2), 2, "seed: 2; a text such as dealproof:1"),
    "an unknown origin": (won_by(origin="found"), 2, "origin: 'found'; dealt or constructed"),
    "an effort below 0": (won_by(effort={"nodes": -1, "positions": 0}), 2, "effort: "),
    "half an effort": (won_by(effort={"nodes": 1}), 2, "effort: {'nodes': 1}"),
    "a reason that is no list": (won_by(why="so"), 2, "why: 'so'; a list of texts"),
    "decided by a number": (won_by(by=7), 2, "by: 7; a text"),
    "a key more": (won_by(note="mine"), 2, "unknown key 'note'; a deal has"),
    "a key less": (lambda t: t[WON].pop("effort"), 2, "there is no 'effort'; a deal has"),
    "a line twice": (
        repeated,
        5,
        "this is the deal of line 2",
    ),
    "half a character": (won_by(by="\ud83d"), 2, "half of a character"),
    # The manifest.
    "manifest missing": (lambda t: t.pop(0), 1, "the format is None; the first line is a manifest"),
    "manifest last": (lambda t: t.append(t.pop(0)), 1, "the format is None"),
    "format unknown": (head_by(format="dealproof-pack/2"), 1, "the format is 'dealproof-pack/2'"),
    "hash changed": (head_by(ruleset_sha256="0" * 64), 1, "ruleset_sha256: the ruleset is not the"),
    "ruleset changed": (other_ruleset, 1, "ruleset_sha256: the ruleset is not the one that its"),
    "ruleset of no form": (head_by(ruleset=[]), 1, "ruleset: this is no mapping"),
    "ruleset with a rule that is none": (head_by(ruleset={"gravity": 1}), 1, "ruleset.gravity"),
    "ruleset that is not played": (
        lambda t: with_rules(t, tableau__cap=3),
        1,
        "ruleset: closet: rules that the engine does not play yet: tableau.cap: 3",
    ),
    "ruleset that deals too much": (
        lambda t: with_rules(t, tableau__deal=6),
        1,
        "ruleset.tableau.deal: the deal takes 24 cards and the pack has 20",
    ),
    "ruleset with a pack without end": (
        lambda t: t[MANIFEST]["ruleset"]["pack"].update(decks=10**9),
        1,
        "ruleset.pack.decks",
    ),
    "a line left out": (lambda t: t.pop(), 1, "deals: the manifest counts 3 deals and 2 follow"),
    "a line more": (lambda t: t.append(t[WON]), 1, "the manifest counts 3 deals and 4 follow"),
    "counts exchanged": (
        head_by(deals={"solvable": 1, "unsolvable": 2}),
        1,
        "deals: the manifest counts 1 solvable deals and there are 2",
    ),
    "counts that are none": (head_by(deals={"solvable": "3", "unsolvable": 0}), 1, "deals: {"),
    "counts below 0": (head_by(deals={"solvable": 4, "unsolvable": -1}), 1, "deals: {"),
    "counts of verdicts that are none": (head_by(met={"won": 2}), 1, "met: {'won': 2}"),
    "no limits": (lambda t: t[MANIFEST].pop("limits"), 1, "there is no 'limits'; a manifest has"),
    "versions that are numbers": (head_by(versions={"numpy": 2}), 1, "versions: a version is no"),
    "a game that is no text": (head_by(game=["closet"]), 1, "game: this is no text"),
}
"""Damage that makes a pack malformed: the line where it is, and words of the complaint."""


def refused(
    file: Path, capsys: pytest.CaptureFixture[str], *, line: int | None, words: str
) -> None:
    assert _run(["recheck", str(file)]) == Exit.BAD_INPUT
    err = capsys.readouterr().err
    place = f"{file}:" if line is None else f"{file}:{line}:"
    assert err.startswith(place)
    assert words in err
    assert "Traceback" not in err
    assert "; " in err


class TestRefused:
    @pytest.mark.parametrize("name", REFUSED)
    def test_a_malformed_line_is_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        damage, number, words = REFUSED[name]
        refused(damaged(tmp_path, damage), capsys, line=number, words=words)

    def test_a_kind_that_cannot_be_hashed_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = damaged(tmp_path, witness_by(kind=[]))
        refused(file, capsys, line=2, words="this is no certificate")


def bytes_of() -> bytes:
    return text_of(made("closet")).encode()


def with_line(number: int, change: Callable[[bytes], bytes]) -> bytes:
    rows = bytes_of().splitlines(keepends=True)
    rows[number - 1] = change(rows[number - 1])
    return b"".join(rows)


def first_number(row: bytes, number: bytes) -> bytes:
    before, colon, rest = row.partition(b'"nodes":')
    return before + colon + number + rest.lstrip(b"0123456789")


BROKEN: dict[str, tuple[Callable[[], bytes], int | None, str]] = {
    "empty": (lambda: b"", None, "the file is empty; a pack starts with a manifest"),
    "blank lines": (lambda: b"\n \n\t\r\n", None, "the file is empty"),
    "truncated in a line": (lambda: bytes_of()[:-700], 4, "a line that ends early was cut short"),
    "truncated in the manifest": (lambda: bytes_of()[:300], 1, "cut short"),
    "truncated after a line": (
        lambda: b"".join(bytes_of().splitlines(keepends=True)[:3]),
        1,
        "the manifest counts 3 deals and 2 follow",
    ),
    "a mark within": (lambda: with_line(2, lambda r: b"\xef\xbb\xbf" + r), 2, "no JSON object"),
    "a key twice": (
        lambda: with_line(2, lambda r: r.replace(b'{"origin"', b'{"seed":"1","origin"', 1)),
        2,
        "the key 'seed' is written twice; keep one of them",
    ),
    "a key twice, deep down": (
        lambda: with_line(3, lambda r: r.replace(b'"moves":', b'"kind":"witness","moves":', 1)),
        3,
        "the key 'kind' is written twice",
    ),
    "NaN": (lambda: with_line(2, lambda r: first_number(r, b"NaN")), 2, "NaN is no number"),
    "Infinity": (lambda: with_line(1, lambda r: first_number(r, b"-Infinity")), 1, "-Infinity is"),
    "a number without end": (
        lambda: with_line(2, lambda r: first_number(r, b"9" * 5000)),
        2,
        "a number is too long",
    ),
    "a number beyond all bounds": (
        lambda: with_line(2, lambda r: first_number(r, b"1e999")),
        2,
        "effort: ",
    ),
    "deep nesting": (
        lambda: with_line(2, lambda r: b"[" * 100_000 + b"]" * 100_000 + b"\n"),
        2,
        "nested too deeply",
    ),
    "deep nesting in a deal": (
        lambda: with_line(2, lambda r: r.replace(b'"waste":[]', b'"waste":' + b"[" * 9000, 1)),
        2,
        "nested too deeply",
    ),
    "Latin-1": (lambda: with_line(2, lambda r: r.replace(b"beam", b"b\xe9am")), None, "no UTF-8"),
    "UTF-16": (lambda: bytes_of().decode().encode("utf-16"), None, "is no UTF-8 text at byte 0"),
    "a null byte": (lambda: with_line(2, lambda r: r.replace(b"beam", b"be\0am")), 2, "no JSON"),
    "two objects on a line": (lambda: with_line(2, lambda r: r.strip() + r), 2, "Extra data"),
    "an array": (lambda: with_line(2, lambda r: b"[" + r.strip() + b"]\n"), 2, "no JSON object"),
    "a text": (lambda: with_line(2, lambda r: b'"solvable"\n'), 2, "this is no JSON object"),
    "a comment": (lambda: with_line(2, lambda r: b"// " + r), 2, "this is no JSON object"),
    "single quotes": (lambda: with_line(2, lambda r: r.replace(b'"', b"'")), 2, "no JSON object"),
    "lines run together": (lambda: bytes_of().replace(b"\n", b" "), 1, "Extra data"),
    "an object over lines": (lambda: bytes_of().replace(b'"met"', b'\n"met"'), 1, "cut short"),
    "a game file": (lambda: b"game: closet\ntitle: Closet\n", 1, "this is no JSON object"),
}
"""Bytes that are no pack: the line where it shows, None for the file as a whole, and words."""

HARMLESS: dict[str, Callable[[], bytes]] = {
    "CRLF": lambda: bytes_of().replace(b"\n", b"\r\n"),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + bytes_of(),
    "no last line end": lambda: bytes_of().rstrip(b"\n"),
    "blank lines": lambda: bytes_of().replace(b"\n", b"\n\n"),
    "blanks in the JSON": lambda: bytes_of().replace(b",", b" , ").replace(b"[", b"[\t"),
    "a line separator in a text": lambda: bytes_of().replace(b"beam", "\u2028".encode()),
}


class TestBytes:
    @pytest.mark.parametrize("name", BROKEN)
    def test_what_is_no_pack_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        data, number, words = BROKEN[name]
        file = tmp_path / "pack.jsonl"
        file.write_bytes(data())
        refused(file, capsys, line=number, words=words)

    @pytest.mark.parametrize("name", HARMLESS)
    def test_what_editors_and_systems_do_to_a_file_is_read(self, tmp_path: Path, name: str) -> None:
        file = tmp_path / "pack.jsonl"
        file.write_bytes(HARMLESS[name]())
        assert [line.accepted for line in recheck(read_pack(file))] == [True] * 3

    def test_a_column_is_named(self) -> None:
        with pytest.raises(InputError) as caught:
            read_object('{"a": nope}', Place(file="pack.jsonl", line=7))
        assert str(caught.value).startswith("pack.jsonl:7:7: ")

    def test_a_line_of_a_whole_file_is_named(self) -> None:
        with pytest.raises(InputError) as caught:
            read_object('{\n  "a":\n    nope}', Place(file="deal.json"))
        assert str(caught.value).startswith("deal.json:3:5: ")


VALUES: list[Any] = [None, -1, True, "x", "", [], {}, 1.5, [[]], {"a": 1}, 10**40, [None]]


def parts(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a tree, of long lists those at the start only."""
    yield path
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from parts(value, (*path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree[:2]):
            yield from parts(value, (*path, index))


def replaced(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    tree = copy.deepcopy(tree)
    node = tree
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return tree


@pytest.mark.parametrize("record", [MANIFEST, WON, LOST])
def test_any_value_in_any_place_is_refused_rejected_or_accepted(
    tmp_path: Path, record: int
) -> None:
    """Nothing but InputError comes out, whatever stands in a pack."""
    original = records()
    outcomes = set()
    for path in parts(original[record]):
        if path == ("certificate", "kind"):
            continue  # test_a_kind_that_cannot_be_hashed_is_refused
        for value in VALUES:
            tree = list(original)
            tree[record] = replaced(original[record], path, value)
            file = written(tmp_path, tree)
            try:
                outcomes |= {line.accepted for line in recheck(read_pack(file))}
                load_pack(file, {"closet": small_game("closet")})
            except InputError:
                outcomes.add(None)
    assert outcomes >= {True, None}


class TestCorpus:
    """Packs as files: what was once written stays readable, what was once refused stays so."""

    @pytest.mark.parametrize("file", sorted(CORPUS.glob("accepted/*")), ids=lambda f: f.name)
    def test_accepted(self, file: Path) -> None:
        lines = list(recheck(read_pack(file)))
        assert lines
        assert all(line.accepted for line in lines)

    @pytest.mark.parametrize("file", sorted(CORPUS.glob("rejected/*")), ids=lambda f: f.name)
    def test_rejected(self, file: Path) -> None:
        assert _run(["recheck", str(file)]) == Exit.ANSWER_IS_NO

    @pytest.mark.parametrize("file", sorted(CORPUS.glob("refused/*")), ids=lambda f: f.name)
    def test_refused(self, file: Path) -> None:
        assert _run(["recheck", str(file)]) == Exit.BAD_INPUT

    def test_is_there(self) -> None:
        numbers = {kind: len(list(CORPUS.glob(f"{kind}/*"))) for kind in ("accepted", "rejected")}
        assert min(numbers.values()) >= 2
        assert len(list(CORPUS.glob("refused/*"))) >= 5


class TestWriting:
    def test_the_old_text_stays_if_the_new_cannot_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "pack.jsonl"
        file.write_text("old", encoding="utf-8")

        def fail(self: Path, target: Path) -> Path:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(InputError, match="cannot be written: No space left"):
            write_atomically(file, "new")
        assert [path.name for path in tmp_path.iterdir()] == ["pack.jsonl"]
        assert file.read_text(encoding="utf-8") == "old"

    def test_a_link_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "far").mkdir()
        link, file = tmp_path / "link", tmp_path / "far" / "file"
        file.write_text("old", encoding="utf-8")
        link.symlink_to(file)
        write_atomically(link, "new")
        assert link.is_symlink()
        assert file.read_text(encoding="utf-8") == "new"

    def test_what_is_no_file_is_not_replaced(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            write_atomically(pipe, "new")
            assert os.read(reader, 10) == b"new"
        finally:
            os.close(reader)
        assert stat.S_ISFIFO(pipe.stat().st_mode)

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="Is a directory"):
            write_atomically(tmp_path, "new")
        assert list(tmp_path.iterdir()) == []

    def test_a_file_can_be_read_by_others_as_usual(self, tmp_path: Path) -> None:
        usual, ours = tmp_path / "usual", tmp_path / "ours"
        usual.write_text("", encoding="utf-8")
        write_atomically(ours, "")
        assert ours.stat().st_mode == usual.stat().st_mode

    def test_line_ends_are_the_same_everywhere(self, tmp_path: Path) -> None:
        write_atomically(tmp_path / "pack", "one\ntwo\n")
        assert (tmp_path / "pack").read_bytes() == b"one\ntwo\n"
