"""What the comparison with brute force notices: the search, broken in one place at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.rulesets import FREE_SPACES, VARIANTS
from tests.verify.search.differential import (
    Disagreement,
    Search,
    cases,
    compare,
    deals,
    kernel,
    with_tables,
)
from tests.verify.search.mutants import Edit, Table, with_source
from verify.rules import Rules
from verify.search.tables import C


def of(*names: str) -> list[Rules]:
    """The rulesets of some variants, in every size."""
    found = [case.rules for case in cases(VARIANTS + FURTHER) if case.name in names]
    assert {rules.game for rules in found} == set(names)
    return found


FURTHER = [
    (
        "returns, any suit",
        FREE_SPACES,
        {
            "foundations__returns": "always",
            "foundations__build__suit": "any",
            "tableau__spaces__accept": "none",
        },
    ),
]
"""Variants in which a part of the kernel matters that does not in others."""


def noticed(rules: list[Rules], search: Callable[[Rules], Search], numbers: range) -> str:
    """What is wrong with a search: the first disagreement, nothing if there is none."""
    searches = {one: search(one) for one in rules}
    for number in numbers:
        for one in rules:
            (start,) = deals(one, range(number, number + 1))
            try:
                compare(one, start, searches[one])
            except Disagreement as error:
                return str(error)
    return ""


def _arguments(mutations: Sequence[tuple[str, tuple[str, ...], Any]]) -> list[Any]:
    return [pytest.param(names, change, id=name) for name, names, change in mutations]


# Tables

Change = Callable[[Table], None]


def number(code: C, change: Callable[[int], int]) -> Change:
    """A number of the tables changed."""

    def apply(table: Table) -> None:
        table.numbers[code] = change(int(table.numbers[code]))

    return apply


def bit(code: C, *, old: int, which: int) -> Change:
    """One entry of a table turned round: the ``which``-th of those that are ``old``, in each base.

    A table without such an entry stays as it is.
    """

    def apply(table: Table) -> None:
        for rows in table.part(code):
            flat = rows.reshape(-1)
            places = np.flatnonzero(flat == old)
            if len(places):
                flat[places[which % len(places)]] = 1 - old

    return apply


def merged_types(table: Table) -> None:
    """Two types of one rank taken for one."""
    ranks = table.rules.pack.ranks
    table.part(C.SAME)[ranks:] = table.part(C.SAME)[: -ranks or None]


def told_apart(table: Table) -> None:
    """Types that no rule can tell apart told apart."""
    table.part(C.SAME)[:] = np.arange(table.rules.pack.types)


def chain_reversed(table: Table) -> None:
    steps = slice(C.FILL, C.FILL + int(table.numbers[C.FILLS]))
    table.numbers[steps] = table.numbers[steps][::-1].copy()


def wrong_base(table: Table) -> None:
    """A card that is played first sets the rank above its own."""
    table.part(C.RANK)[:] = table.part(C.RANK) % table.rules.pack.ranks + 1


RESERVE, WASTE = 1 << 2, 1 << 3

TABLES: list[tuple[str, tuple[str, ...], Change]] = [
    *(
        (f"a pair fits no longer ({which})", ("suit single", "fill waste stock"), change)
        for which, change in ((n, bit(C.FITS, old=1, which=n)) for n in (0, 1, 2))
    ),
    *(
        (f"a pair fits too ({which})", ("suit single", "fill waste stock"), change)
        for which, change in ((n, bit(C.FITS, old=0, which=n)) for n in (1, 5, 8))
    ),
    ("a card follows no longer", ("suit single",), bit(C.FOLLOWS, old=1, which=1)),
    ("a card follows too", ("suit single",), bit(C.FOLLOWS, old=0, which=9)),
    ("a pair is no run any more", ("suit groups",), bit(C.RUNS, old=1, which=1)),
    ("a pair is a run too", ("alternate groups down",), bit(C.RUNS, old=0, which=3)),
    ("a card starts no longer", ("suit single",), bit(C.STARTS, old=1, which=0)),
    ("a card starts too", ("fill waste stock",), bit(C.STARTS, old=0, which=0)),
    ("a card is kept out of spaces", ("suit single",), bit(C.TAKES, old=1, which=1)),
    ("a card is let into spaces", ("kings only",), bit(C.TAKES, old=0, which=0)),
    ("two types taken for one", ("suit single",), merged_types),
    ("one type taken for two", ("fill waste stock",), told_apart),
    ("one pass too few", ("two passes",), number(C.PASSES, lambda n: n - 1)),
    ("one pass too many", ("two passes", "suit single"), number(C.PASSES, lambda n: n + 1)),
    ("passes without end", ("suit single",), number(C.PASSES, lambda n: 0)),
    ("no returns", ("reserve to tableau, returns",), number(C.RETURNS, lambda n: 0)),
    ("returns", ("suit single",), number(C.RETURNS, lambda n: 1)),
    ("the chain reversed", ("fill waste stock",), chain_reversed),
    ("the chain cut", ("fill waste stock",), number(C.FILLS, lambda n: n - 1)),
    ("nothing goes into spaces", ("suit single",), number(C.TO_SPACE, lambda n: 0)),
    ("the waste is kept out of spaces", ("suit single",), number(C.TO_SPACE, lambda n: n & ~WASTE)),
    ("no reserve into spaces", ("reserve to spaces",), number(C.TO_SPACE, lambda n: n & ~RESERVE)),
    ("the reserve goes into spaces", ("fill waste stock",), number(C.TO_SPACE, lambda n: n | 4)),
    ("nothing goes onto the tableau", ("suit single",), number(C.TO_TABLEAU, lambda n: 0)),
    ("the reserve is built on", ("fill waste stock",), number(C.TO_TABLEAU, lambda n: n | RESERVE)),
    ("a foundation takes one card less", ("suit single",), number(C.CAP, lambda n: n - 1)),
    ("a foundation takes one card more", ("fill waste stock",), number(C.CAP, lambda n: n + 1)),
    ("groups move one by one", ("suit groups",), number(C.UNIT, lambda n: 0)),
    ("groups move whole only", ("suit groups",), number(C.UNIT, lambda n: 2)),
    ("groups are split", ("suit whole groups",), number(C.UNIT, lambda n: 1)),
    ("single cards move in groups", ("suit single",), number(C.UNIT, lambda n: 1)),
    ("won one card early", ("suit single",), number(C.CARDS, lambda n: n - 1)),
    ("the wrong base rank", ("base played, by suit",), wrong_base),
]


@pytest.mark.parametrize(("names", "change"), _arguments(TABLES))
def test_a_broken_table_is_noticed(names: tuple[str, ...], change: Change) -> None:
    def broken(rules: Rules) -> Search:
        table = Table(rules)
        change(table)
        return with_tables(table.result())

    found = noticed(of(*names), broken, range(200))
    assert found


# Source

SOURCES: list[tuple[str, tuple[str, ...], Edit]] = [
    (
        "the hash leaves out face-down counts",
        ("alternate single down",),
        Edit("kind * 256 + s[n[DOWN] + pile] + 1", "kind * 256 + 1"),
    ),
    (
        "the hash leaves out the kind of pile",
        ("suit single",),
        Edit("kind * 256 + s[n[DOWN] + pile] + 1", "s[n[DOWN] + pile] + 1"),
    ),
    (
        "the hash leaves out the pass",
        ("two passes",),
        Edit("_mixed(_U(b.state[place] + 1) * _LANE_1", "_mixed(_LANE_1"),
    ),
    (
        "the hash leaves out what lies under foundations where it comes back",
        ("returns, any suit",),
        Edit("if kind == FOUNDATION and n[RETURNS] == 0:", "if kind == FOUNDATION:"),
    ),
    (
        "the hash is kept while cards move",
        ("suit single",),
        Edit("    _share_in_hash(t, b, source, 1)\n", ""),
    ),
    (
        "the hash takes the cards of a group in reverse order",
        ("alternate groups down",),
        Edit("_U(onto + depth) * _U(256) + code", "_U(onto + count - 1 - depth) * _U(256) + code"),
    ),
    (
        "two hashes in one slot are taken for the same",
        ("suit single",),
        Edit(
            "keys[slot, 0] == high and keys[slot, 1] == low",
            "keys[slot, 0] & _U(31) == high & _U(31)",
        ),
    ),
    (
        "a move is left out",
        ("suit single",),
        Edit("at[depth] == first[depth + 1]:", "at[depth] >= first[depth + 1] - 1:"),
    ),
    (
        "no card goes on a foundation that has some",
        ("suit single",),
        Edit("pile != source and s[n[SIZE] + pile] < n[CAP]", "False"),
    ),
    (
        "no foundation is started",
        ("suit single",),
        Edit("not seen_empty and attribute(t, STARTS, base, card) != 0", "False"),
    ),
    (
        "no card is built on another",
        ("suit single",),
        Edit("pile != source and onto_cards != 0", "False"),
    ),
    (
        "no card goes into a space",
        ("suit single",),
        Edit("into_space != 0 and not whole", "False"),
    ),
    (
        "no group moves",
        ("suit groups",),
        Edit("for count in range(1, longest + 1):", "for count in range(1, 2):"),
    ),
    (
        "a face-down card moves in a group",
        ("alternate groups down",),
        Edit("most = s[n[SIZE] + source] - s[n[DOWN] + source]", "most = s[n[SIZE] + source]"),
    ),
    (
        "part of a whole group moves",
        ("suit whole groups",),
        Edit("first = longest if kind == TABLEAU and n[UNIT] == 2 else 1", "first = 1"),
    ),
    (
        "the stock is not dealt",
        ("suit single",),
        Edit("if s[n[TOP] + waste + 1] >= 0:", "if False:"),
    ),
    (
        "there is no redeal",
        ("two passes",),
        Edit("(n[PASSES] == 0 or s[n[META] + 1] < n[PASSES])", "False"),
    ),
    (
        "a redeal does not turn the waste over",
        ("two passes",),
        Edit(
            "            _move_cards(t, b, source, target, 1)\n        if n[PASSES]",
            "            _move_cards(t, b, source, target, b.state[n[SIZE] + source])\n"
            "        if n[PASSES]",
        ),
    ),
    (
        "a redeal is free",
        ("two passes",),
        Edit("b.state[n[META] + 1] + 1)", "b.state[n[META] + 1])"),
    ),
    (
        "an exposed card stays face down",
        ("alternate groups down",),
        Edit("if s[down] > 0 and s[down] >= left:", "if False:"),
    ),
    (
        "spaces are not filled",
        ("fill waste stock",),
        Edit("if n[FILLS] == 0 or b.state[n[META] + 2] == 0:", "if True:"),
    ),
    (
        "spaces are not counted when they are left",
        ("no fill, waste to spaces", "fill waste stock"),
        Edit("row = _put(b, row, spaces, s[spaces] + 1)", "pass"),
    ),
    (
        "the first card sets no base rank",
        ("base played, by suit",),
        Edit("if b.state[n[META]] == 0 and kind_of(t, target) == FOUNDATION:", "if False:"),
    ),
    (
        "a change is not undone",
        ("suit single",),
        Edit("    while last > row:\n", "    while last > row + 1:\n"),
    ),
    (
        "a hash of a pile is not undone",
        ("suit single",),
        Edit("    while last > hash_row:\n", "    while last > hash_row + 1:\n"),
    ),
    (
        "a limit is taken for an end",
        ("no fill, waste to spaces",),
        Edit(
            "if nodes >= limit:\n            return NODES",
            "if nodes >= 30:\n            return EXHAUSTED",
        ),
    ),
]


@pytest.mark.parametrize(("names", "edit"), _arguments(SOURCES))
def test_a_broken_kernel_is_noticed(names: tuple[str, ...], edit: Edit) -> None:
    broken = with_source(edit)
    rules = of(*names)
    found = noticed(rules, lambda _: broken, range(200))
    assert found


@pytest.mark.slow
def test_nothing_is_noticed_in_a_kernel_that_is_whole() -> None:
    names = {name for one in SOURCES for name in one[1]}
    plain = with_source()
    whole = of(*sorted(names))
    assert noticed(whole, lambda _: plain, range(6)) == ""
    assert noticed(of("suit single"), lambda _: kernel, range(6)) == ""
