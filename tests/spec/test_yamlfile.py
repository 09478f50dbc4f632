from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from spec import yamlfile
from spec.errors import InputError, Place
from spec.yamlfile import (
    MAX_BYTES,
    MAX_DEPTH,
    Document,
    confusable_hint,
    dotted,
    load_yaml,
    parse_yaml,
)


def read(text: str) -> Any:
    return parse_yaml(text, file="f").value


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, file="f")
    return str(caught.value)


# What YAML 1.1 programs make of these texts is no, True, 45045, 8 and a date.
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("redeals: no", {"redeals": "no"}),
        ("redeals: off", {"redeals": "off"}),
        ("redeals: yes", {"redeals": "yes"}),
        ("on: 1", {"on": 1}),
        ("y: n", {"y": "n"}),
        ("12:30:45", "12:30:45"),
        ("a: 12:30:45", {"a": "12:30:45"}),
        ("2026-11-30", "2026-11-30"),
        ("2026-11-30 12:00:00", "2026-11-30 12:00:00"),
        ("1e5", 100000.0),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("=", "="),
    ],
)
def test_traps_of_yaml_1_1_have_one_outcome(text: str, value: object) -> None:
    found = read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("Null", None),
        ("NULL", None),
        ("~", None),
        ("nULL", "nULL"),
        ("0", 0),
        ("-0", 0),
        ("+12", 12),
        ("-7", -7),
        ("12e03", 12000.0),
        ("-2E+05", -200000.0),
        ("0.", 0.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1.5e-3", 0.0015),
        ("0.10", 0.1),
        ("1e", "1e"),
        ("1.2.3", "1.2.3"),
        (".", "."),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("+.inf", math.inf),
        ("inf", "inf"),
        ("nan", "nan"),
        ("0o8", "0o8"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("'<<'", "<<"),
        ("|\n  1\n", "1\n"),
        (">\n  a\n  b\n", "a b\n"),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: object) -> None:
    found = read(text)
    assert found == value
    assert type(found) is type(value)


def test_nan_is_a_number() -> None:
    assert math.isnan(read(".nan"))


@pytest.mark.parametrize(
    ("text", "start", "words"),
    [
        # numbers
        ("a: 010", "f:1:4: a: ", ("010", "octal", "write 10")),
        ("a: -07", "f:1:4: a: ", ("-07", "write -7")),
        ("a: 00", "f:1:4: a: ", ("write 0,",)),
        ("a: 0o17", "f:1:4: a: ", ("decimal", "write 15", "quotes")),
        ("a: 0x1F", "f:1:4: a: ", ("decimal", "write 31", "quotes")),
        ("a: 1e999", "f:1:4: a: ", ("float",)),
        ("a: " + "9" * 5000, "f:1:4: a: ", ("40 digits",)),
        ("a: 0x" + "9" * 5000, "f:1:4: a: ", ("40 digits",)),
        # keys
        ("a: 1\nb: 2\na: 3\n", "f:3:1: a: ", ("'a'", "twice", "lines 1 and 3")),
        ('a: 1\n"a": 3\n', "f:2:1: a: ", ("twice",)),
        ("x:\n  - {b: 1, c: 2, b: 3}", "f:2:18: x[0].b: ", ("'b'", "twice", "line 2")),
        ("a:\n  b:\n    c: 1\n    c: 2\n", "f:4:5: a.b.c: ", ("twice", "lines 3 and 4")),
        ("1: a", "f:1:1: ", ("key 1", "no text", "'1'")),
        ("true: a", "f:1:1: ", ("key true", "'true'")),
        ("1.5: a", "f:1:1: ", ("key 1.5", "'1.5'")),
        ("~: a", "f:1:1: ", ("key ~", "quotes")),
        ("010: a", "f:1:1: ", ("key 010", "'010'")),
        (": a", "f:1:1: ", ("key is missing",)),
        ("{: a}", "f:1:2: ", ("key is missing",)),
        ("[a]: b", "f:1:1: ", ("used as a key",)),
        ("{a: b}: c", "f:1:1: ", ("used as a key",)),
        ("a:\n  <<: {b: 1}\n", "f:2:3: a: ", ("merge key",)),
        ("? a\n: b\n", "f:1:1: ", ("'?'", "key: value")),
        ("{a:1}", "f:1:2: ", ("'a:1'", "space after the ':'")),
        # what specs do without
        ("a: &x 1\n", "f:1:4: a: ", ("anchor",)),
        ("a: &x\n  b: 1\n", "f:1:4: a: ", ("anchor",)),
        ("&x a: 1\n", "f:1:1: ", ("anchor",)),
        ("a: *x\n", "f:1:4: a: ", ("alias",)),
        ("*x : 1\n", "f:1:1: ", ("alias",)),
        ("a: *\n", "f:1:5: ", ("alias", "quotes")),
        ("a: !!str 1\n", "f:1:4: a: ", ("tag",)),
        ("a: !x [1]\n", "f:1:4: a: ", ("tag",)),
        ("a: !x!y 1\n", "f:1:4: ", ("tag",)),
        ("! a", "f:1:1: ", ("tag",)),
        ("!!map {}", "f:1:1: ", ("tag",)),
        ("%YAML 1.1\n---\na: 1\n", "f:1:1: ", ("directive",)),
        ("%FOO\n---\na: 1\n", "f:1:1: ", ("directive",)),
        # documents
        ("", "f: ", ("empty",)),
        ("\ufeff", "f: ", ("empty",)),
        ("# only a remark\n\n", "f: ", ("empty",)),
        ("---\n", "f: ", ("empty",)),
        ("a: 1\n---\nb: 2\n", "f:2:1: ", ("second document",)),
        ("a: 1\n---\n", "f:2:1: ", ("second document",)),
        ("a: 1\n...\nb: 2\n", "f:3:1: ", ("after the end of the document",)),
        # characters
        ("a:\t1\n", "f:1:3: ", ("tab", "spaces")),
        ("a:\n\tb: 1\n", "f:2:1: ", ("tab", "spaces")),
        ("a: 1\nb: x\x00\n", "f:2:5: ", ("U+0000",)),
        ("a: x\x1b[31m\n", "f:1:5: ", ("U+001B",)),
        ("a: x\x7f\n", "f:1:5: ", ("U+007F",)),
        ("a: x\x85\n", "f:1:5: ", ("U+0085",)),
        ("a: x\u2028\n", "f:1:5: ", ("LINE SEPARATOR",)),
        ("a: x\u200b\n", "f:1:5: ", ("ZERO WIDTH SPACE", '"\\u200B"')),
        ("a: x\u202e\n", "f:1:5: ", ("RIGHT-TO-LEFT OVERRIDE",)),
        ("a: \ufeffx\n", "f:1:4: ", ("U+FEFF",)),
        ("a: x\ud800\n", "f:1:5: ", ("U+D800",)),
        ("a: x\uffff\n", "f:1:5: ", ("U+FFFF",)),
        ("a: x\U0001ffff\n", "f:1:5: ", ("U+1FFFF",)),
        ('a: "\\0"', "f:1:4: a: ", ("U+0000",)),
        ('a: "\\ud83d\\ude00"', "f:1:4: a: ", ("U+D83D",)),
        ('"\\e": 1', "f:1:1: ", ("U+001B",)),
        ('a: "\\U00110000"', "f:1:7: ", ("escape", "\\U0010FFFF")),
        ('a: "\\UFFFFFFFF"', "f:1:7: ", ("escape", "\\U0010FFFF")),
        ('a: "\\d"', "f:1:6: ", ("escape", "'\\\\'")),
        ('a: "\\x4"', "f:1:7: ", ("hexadecimal",)),
        # cut off
        ("a: [1, 2", "f:1:4: ", ("'['", "never closed")),
        ("a:\n  b: {c: 1,\n", "f:2:6: ", ("'{'", "never closed")),
        ("a: {b: ", "f:1:4: ", ("'{'", "never closed")),
        ("a: {b: [1, {", "f:1:12: ", ("'{'", "never closed")),
        ("a: [\n---\n", "f:1:4: ", ("'['", "never closed")),
        ('a: "x\nb: 1\n', "f:1:4: ", ("quote", "never closed")),
        ("a: 1\nb: 'x", "f:2:4: ", ("quote", "never closed")),
        ('a: "x\n---\n"', "f:1:4: ", ("quote", "never closed")),
        ("a: 1\nb\n", "f:2:1: ", ("no ':'",)),
        # malformed
        ("a: b: c", "f:1:5: ", ("':' is not allowed", "quote")),
        ("a: - b", "f:1:4: ", ("'- '", "line of its own")),
        ("a:\n   b: 1\n  c: 2\n", "f:3:3: ", ("line up", "indent")),
        ("- a\nb: 1\n", "f:2:1: ", ("line up",)),
        ("x: |\n  a\n b\n", "f:3:2: ", ("line up",)),
        ("a: 'it's'\n", "f:1:8: ", ("after the end of a value", "''")),
        ("a: [1 2\nb: 3\n", "f:2:2: ", ("',' or ']'", "line 1, column 4")),
        ("a: {b: 1]", "f:1:9: ", ("']'", "',' or '}'")),
        ("[1,,2]", "f:1:4: ", ("missing before ','",)),
        ("[1]]", "f:1:4: ", ("']'", "after the end")),
        ("a: 1\n]", "f:2:1: ", ("']'", "closes or parts nothing")),
        ("a: @x", "f:1:4: ", ("'@'", "quotes")),
        ("a: `x`", "f:1:4: ", ("'`'", "quotes")),
        ("a: |x\n  y\n", "f:1:5: ", ("'|'", "next line")),
        # look-alikes of what YAML is made of
        ("a: 1\nb:\u00a02\n", "f:2:1: ", ("no ':'", "NO-BREAK SPACE")),
        ("a: 1\nb\uff1a 2\n", "f:2:1: ", ("no ':'", "FULLWIDTH COLON")),
        ("a\uff1a 1\nb: 2\n", "f:2:2: ", ("':' is not allowed", "FULLWIDTH COLON")),
    ],
)
def test_bad_text_is_refused_with_its_place(text: str, start: str, words: tuple[str, ...]) -> None:
    said = refusal(text)
    assert said.startswith(start)
    assert "\n" not in said
    for word in words:
        assert word in said


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "[{a: "])
def test_deep_nesting_is_refused_before_it_can_do_harm(opening: str) -> None:
    assert f"deeper than {MAX_DEPTH}" in refusal(opening * 100_000)


def test_nesting_up_to_the_limit_is_read() -> None:
    value = read("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for _ in range(MAX_DEPTH - 1):
        [value] = value
    assert value == []


def test_a_file_of_the_size_limit_is_read_and_a_larger_one_refused(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_BYTES == 4 * 1024 * 1024
    monkeypatch.setattr(yamlfile, "MAX_BYTES", 1000)
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a: 1\n#" + b"x" * 994)
    assert load_yaml(path).value == {"a": 1}
    path.write_bytes(b"a: 1\n#" + b"x" * 995)
    with pytest.raises(InputError, match="larger than 4 MiB"):
        load_yaml(path)
    with pytest.raises(InputError, match="larger than 4 MiB"):
        parse_yaml("#" * 1001, file="f")


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: 1\nb: 2\n", "2:4"),
        (b"a: 1\r\nb: 2\r\n", "2:4"),
        (b"a: 1\rb: 2\r", "2:4"),
        (b"\xef\xbb\xbfa: 1\nb: 2\n", "2:4"),
        (b"\xef\xbb\xbf{b: 2, a: 1}", "1:5"),
        ("a: '\u2660\U0001f0a1'\nb: 2".encode(), "2:4"),
        ("{'\u2660\U0001f0a1': 1, b: 2, a: 1}".encode(), "1:14"),
    ],
)
def test_marks_and_line_ends_do_not_move_places(
    tmp_path: pathlib.Path, data: bytes, place: str
) -> None:
    path = tmp_path / "a b.yaml"
    path.write_bytes(data)
    assert str(load_yaml(path).place(("b",))) == f"{path}:{place}"


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"a: 1\nb: Patience\xe9\n", "2:12", "byte 0xE9 at offset 16"),
        (b"\xef\xbb\xbfa: \xff", "1:4", "byte 0xFF at offset 6"),
        (b"a: 1\r\n\xff", "2:1", "offset 6"),
        ("a: 1".encode("utf-16"), "1:1", "offset 0"),
        ("a: \u2660".encode()[:-1], "1:4", "offset 3"),
        (b"a: \xc0\x80", "1:4", "offset 3"),
        (b"a: \xed\xa0\x80", "1:4", "offset 3"),
    ],
)
def test_bytes_that_are_no_utf_8_are_refused(
    tmp_path: pathlib.Path, data: bytes, place: str, words: str
) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        load_yaml(path)
    assert str(caught.value).startswith(f"{path}:{place}: ")
    assert words in str(caught.value)


def test_files_that_cannot_be_read_are_input_errors(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_yaml(tmp_path / "absent.yaml")
    with pytest.raises(InputError, match="folder"):
        load_yaml(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        load_yaml(tmp_path / "a\0b")
    with pytest.raises(InputError, match="cannot be read"):
        load_yaml(tmp_path / ("a" * 5000))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    with pytest.raises(InputError, match="may not be read"):
        load_yaml(tmp_path / "secret.yaml")


PLACES = """\
# a remark
rules:
  tableau.piles: {is: 8, by: [12, '13']}
  "foundations.deal":
    is: |
      four
  empty:
list:
- one
-   k: v
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), "2:1", "2:1"),
        (("rules",), "3:3", "2:1"),
        (("rules", "tableau.piles"), "3:18", "3:3"),
        (("rules", "tableau.piles", "is"), "3:23", "3:19"),
        (("rules", "tableau.piles", "by"), "3:30", "3:26"),
        (("rules", "tableau.piles", "by", 0), "3:31", "3:31"),
        (("rules", "tableau.piles", "by", 1), "3:35", "3:35"),
        (("rules", "foundations.deal"), "5:5", "4:3"),
        (("rules", "foundations.deal", "is"), "5:9", "5:5"),
        (("rules", "empty"), "7:9", "7:3"),
        (("list",), "9:1", "8:1"),
        (("list", 0), "9:3", "9:3"),
        (("list", 1, "k"), "10:8", "10:5"),
        # absent: the nearest that encloses it
        (("rules", "tableau.piles", "say"), "3:18", "3:18"),
        (("rules", "tableau.piles", "by", 2, "x"), "3:30", "3:30"),
        (("nowhere", 3), "2:1", "2:1"),
    ],
)
def test_places_of_values_and_keys(path: tuple[str | int, ...], value: str, key: str) -> None:
    doc = parse_yaml(PLACES, file="f")
    assert str(doc.place(path)) == f"f:{value}"
    assert str(doc.place(list(path), key=True)) == f"f:{key}"


def test_dotted_paths() -> None:
    assert dotted(()) == ""
    assert dotted(("rules", "tableau.piles", "by", 1, "x")) == "rules.tableau.piles.by[1].x"
    assert dotted((0, 1)) == "[0][1]"
    assert dotted(("a b", "", "c\n")) == r"'a b'.''.'c\n'"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("t\u0430bleau", ("U+0430 CYRILLIC SMALL LETTER A", "looks like 'a'")),
        ("\uff12", ("U+FF12 FULLWIDTH DIGIT TWO", "looks like '2'")),
        ("a\u00a0b", ("U+00A0 NO-BREAK SPACE", "looks like ' '")),
        ("face\u2013down", ("U+2013 EN DASH", "looks like '-'")),
        ("\u2019", ("RIGHT SINGLE QUOTATION MARK",)),
        ("\u039f", ("GREEK CAPITAL LETTER OMICRON", "looks like 'O'")),
        ("\u00e9", ("U+00E9 LATIN SMALL LETTER E WITH ACUTE", "not ASCII")),
        ("\u2660\u2665\u2666\u2663", ("BLACK SPADE SUIT", "and more")),
        ("\ue000", ("U+E000,",)),
    ],
)
def test_odd_characters_are_named(text: str, words: tuple[str, ...]) -> None:
    hint = confusable_hint(text)
    assert hint is not None
    assert hint.isprintable()
    for word in words:
        assert word in hint


def test_ascii_needs_no_hint() -> None:
    assert confusable_hint("tableau.piles-2 ~") is None


class NumbersQuoted(yaml.SafeDumper):
    """SafeDumper writes what 1.1 takes for texts (``1e5``, ``08``) without quotes."""


def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if text[:1] in set("+-.0123456789") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


NumbersQuoted.add_representer(str, represent_text)

TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t"))
# Empty keys and keys with line breaks are written with "?", which is refused.
KEYS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=20)
TRAPS = st.sampled_from(
    ["no", "on", "<<", "=", "~", "null", "1e5", "0o7", "010", "1:30", "- a", "a: b"]
)
INTS = st.integers(-(10**30), 10**30)
SCALARS = TEXTS | TRAPS | INTS | st.booleans() | st.none() | st.floats(allow_nan=False)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TRAPS, inner, max_size=4),
    max_leaves=12,
)


def dump(tree: object, *, flow: bool | None = False) -> str:
    # Aliases are for objects met twice; this dumper never sees any as the same.
    dumper = type("Dumper", (NumbersQuoted,), {"ignore_aliases": lambda *_: True})
    return yaml.dump(tree, Dumper=dumper, default_flow_style=flow, width=10**6, sort_keys=False)


def same(left: object, right: object) -> bool:
    return left == right and repr(left) == repr(right)


@given(tree=TREES, flow=st.sampled_from([True, False, None]))
def test_what_pyyaml_writes_is_read_as_it_was(*, tree: object, flow: bool | None) -> None:
    assert same(read(dump(tree, flow=flow)), tree)


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[Any, object]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for i, inner in enumerate(value) for leaf in leaves(inner, (*path, i))]
    return [(path, value)]


@given(tree=TREES, flow=st.sampled_from([True, False, None]))
def test_every_place_is_where_its_scalar_starts(*, tree: object, flow: bool | None) -> None:
    text = dump(tree, flow=flow)
    doc = parse_yaml(text, file="f")
    lines = text.split("\n")

    def text_at(place: Place) -> str:
        assert place.line is not None
        assert place.column is not None
        return lines[place.line - 1][place.column - 1 :]

    for path, value in leaves(doc.value):
        rest = text_at(doc.place(path))
        assert rest[0] in "'\"" or rest.startswith(dump(value).split("\n")[0])
        if path and isinstance(path[-1], str):
            rest = text_at(doc.place(path, key=True))
            assert rest[0] in "'\"" or rest.startswith(f"{path[-1]}:")


YAMLISH = st.lists(
    st.sampled_from([*"abx01 \n:-?,[]{}#&*!|>'\"%@`\\\t\r~.<=\u0430\u00a0\u2028\x00\ufeff"])
    | st.sampled_from(["a: ", "\n  ", "- ", "---\n", "...\n", "<<: ", '"\\u', "|2\n", "0o1"]),
    max_size=40,
).map("".join)


def outcome(deed: Callable[[], Document]) -> str | None:
    try:
        deed()
    except InputError as error:
        return str(error)
    return None


@given(text=YAMLISH | st.text())
def test_any_text_is_read_or_refused_with_words(text: str) -> None:
    said = outcome(lambda: parse_yaml(text, file="f"))
    assert said is None or re.match(r"f:(\d+:\d+:)? [^\n]+; [^\n]+\Z", said)
    assert said is None or "not readable as YAML" not in said


@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    said = outcome(lambda: load_yaml(path))
    assert said is None or said.startswith(f"{path}:")
