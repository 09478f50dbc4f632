"""The strict YAML loader: YAML that reads the same to a person and to every program.

PyYAML parses; the meaning of scalars is decided here, by the core schema of YAML 1.2.2
(https://yaml.org/spec/1.2.2/#103-core-schema), so that ``no``, ``on``, ``12:30:45`` and
``2026-11-30`` are texts. What programs are known to read in different ways is refused.
"""

from __future__ import annotations

import math
import pathlib
import re
import unicodedata
from typing import NoReturn, TypeGuard

import yaml

from spec.errors import InputError, InputErrors, Place
from spec.lookalike import ascii_twin, confusable_hint, name_character
from spec.yamlcheck import validate
from spec.yamldoc import Document, Path, Plain, dotted
from spec.yamlerrors import HasPosition, OpenBracket, explain, line_and_column

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Document",
    "InputErrors",
    "Path",
    "Plain",
    "confusable_hint",
    "dotted",
    "load_yaml",
    "parse_yaml",
    "validate",
]

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 50
MAX_DIGITS = 40

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT = re.compile(r"[-+]?[0-9]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def load_yaml(path: pathlib.Path) -> Document:
    """The document in the file at ``path``.

    Reads the file and nothing else. The file is UTF-8, with or without a byte order mark, lines
    end in LF, CRLF or CR. Raises InputError for a file that cannot be read and for everything
    that ``parse_yaml`` refuses.
    """
    file = str(path)
    return parse_yaml(_decode(_read(path, file), file), file=file)


def parse_yaml(text: str, *, file: str) -> Document:
    """The document in ``text``; ``file`` is the name that complaints give.

    Plain scalars follow the core schema of YAML 1.2, except that whole numbers are decimal and
    have no leading zeros, and numbers that a float cannot hold are refused.
    Raises InputError at the first of: more than 4 MiB, nesting deeper than 50, no document or
    several, a duplicate key at any depth, a key that is no text, a merge key, a key with ``?``,
    an anchor, an alias, a tag, a directive, a tab, a character that nobody can see, YAML that is
    malformed or cut off.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    _check_size(len(text), file)
    _check_characters(text, file)
    return _Reading(text, file).document()


def _read(path: pathlib.Path, file: str) -> bytes:
    place = Place(file=file)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            "there is no such file", instead="give the path of a YAML file", place=place
        ) from None
    except IsADirectoryError:
        raise InputError(
            "this is a folder", instead="give the path of a YAML file", place=place
        ) from None
    except PermissionError:
        raise InputError(
            "the file may not be read", instead="allow this user to read it", place=place
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the file cannot be read ({reason})",
            instead="give the path of a YAML file",
            place=place,
        ) from None
    _check_size(len(data), file)
    return data


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        before = before.replace("\r\n", "\n").replace("\r", "\n")
        raise InputError(
            f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8",
            instead="save the file as UTF-8",
            place=_place_at(before, len(before), file),
        ) from None


def _check_size(size: int, file: str) -> None:
    if size > MAX_BYTES:
        raise InputError(
            "the file is larger than 4 MiB",
            instead="split it, or check that it is the right file",
            place=Place(file=file),
        )


def _check_characters(text: str, file: str) -> None:
    refused = [text.index(character) for character in set(text) if _is_refused(character)]
    if not refused:
        return
    index = min(refused)
    what, instead = _about_character(text[index])
    raise InputError(what, instead=instead, place=_place_at(text, index, file))


def _is_refused(character: str) -> bool:
    if character == "\n":
        return False
    code = ord(character)
    nonchar = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return nonchar or unicodedata.category(character) in _UNSEEN


def _about_character(character: str) -> tuple[str, str]:
    if character == "\t":
        return "there is a tab", 'write spaces, or "\\t" inside double quotes'
    what = f"there is a character that nobody can see, {name_character(character)}"
    if unicodedata.category(character) in {"Cf", "Zl", "Zp"}:
        return what, f'take it out, or write "\\u{ord(character):04X}" inside double quotes'
    return what, "take it out"


def _place_at(text: str, index: int, file: str) -> Place:
    start = text.rfind("\n", 0, index) + 1
    return Place(file=file, line=text.count("\n", 0, index) + 1, column=index - start + 1)


class _Loader(yaml.SafeLoader):
    """PyYAML's scanner and parser without what a plain document does not need."""

    def fetch_directive(self) -> NoReturn:
        raise yaml.scanner.ScannerError(None, None, "directive", self.get_mark())

    def fetch_key(self) -> NoReturn:
        raise yaml.scanner.ScannerError(None, None, "explicit key", self.get_mark())


class _Reading:
    """One pass over the events of PyYAML's parser.

    Its recursion is as deep as the nesting of the text, which MAX_DEPTH bounds.
    """

    def __init__(self, text: str, file: str) -> None:
        self._lines = text.split("\n")
        self._file = file
        self._loader = _Loader(text)
        self._places: dict[Path, Place] = {}
        self._key_places: dict[Path, Place] = {}
        self._open: list[OpenBracket] = []

    def document(self) -> Document:
        """The one document; raises InputError if there is none or a second."""
        try:
            return self._document()
        finally:
            self._loader.dispose()

    def _document(self) -> Document:
        self._next()
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            self._refuse_empty()
        root = self._next()
        self._refuse_decorations(root, ())
        if isinstance(root, yaml.ScalarEvent) and _is_plain(root) and root.value == "":
            self._refuse_empty()
        value = self._value(root, (), 0)
        self._next()
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            raise InputError(
                "a second document starts here",
                instead="put each document in a file of its own",
                place=self._place(after),
            )
        return Document(value=value, places=self._places, key_places=self._key_places)

    def _refuse_empty(self) -> NoReturn:
        raise InputError(
            "the file is empty",
            instead="write a mapping, such as 'name: value'",
            place=Place(file=self._file),
        )

    def _next(self) -> yaml.Event:
        try:
            event: yaml.Event = self._loader.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as error:
            raise self._malformed(error) from None
        except (ValueError, OverflowError):
            # PyYAML calls chr() on "\UFFFFFFFF" without looking at its size.
            raise InputError(
                "this escape is larger than any Unicode character",
                instead="the largest is \\U0010FFFF",
                place=self._place_of(self._loader.get_mark()),
            ) from None
        return event

    def _malformed(self, error: yaml.MarkedYAMLError) -> InputError:
        what, instead, line, column = explain(error, self._open)
        text = "".join(self._lines[max(line - 2, 0) : line])
        hint = confusable_hint("".join(c for c in text if ascii_twin(c) is not None))
        return InputError(
            what,
            instead=f"{instead} ({hint})" if hint else instead,
            place=Place(file=self._file, line=line, column=column),
        )

    def _place(self, event: yaml.Event) -> Place:
        return self._place_of(event.start_mark)

    def _place_of(self, mark: HasPosition | None) -> Place:
        line, column = line_and_column(mark)
        return Place(file=self._file, line=line, column=column)

    def _refuse(self, event: yaml.Event, path: Path, what: str, instead: str) -> NoReturn:
        raise InputError(what, instead=instead, place=self._place(event), path=dotted(path))

    def _value(self, event: yaml.Event, path: Path, depth: int) -> Plain:
        self._refuse_decorations(event, path)
        self._places[path] = self._place(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if depth == MAX_DEPTH:
            self._refuse(event, (), f"the nesting is deeper than {MAX_DEPTH}", "write it less deep")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(event, path, depth + 1)
        assert isinstance(event, yaml.SequenceStartEvent)
        return self._list(event, path, depth + 1)

    def _refuse_decorations(self, event: yaml.Event, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._refuse(
                event,
                path,
                "'*' starts an alias",
                "write the value out, or put a text that starts with '*' in quotes",
            )
        if getattr(event, "anchor", None) is not None:
            self._refuse(
                event,
                path,
                "'&' starts an anchor",
                "take it out, or put a text that starts with '&' in quotes",
            )
        if getattr(event, "tag", None) is not None:
            self._refuse(
                event,
                path,
                "a value has a tag ('!')",
                "take it out, or put a text that starts with '!' in quotes",
            )

    def _mapping(self, start: yaml.MappingStartEvent, path: Path, depth: int) -> Plain:
        self._enter(start, "{")
        mapping: dict[str, Plain] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, path)
            at = (*path, key)
            if key in mapping:
                self._refuse_duplicate(event, at)
            self._key_places[at] = self._place(event)
            value = self._next()
            if _is_plain(event) and ":" in key and _is_plain(value) and value.value == "":
                self._refuse(
                    event, path, f"the key {key!r} has no value", "write a space after the ':'"
                )
            mapping[key] = self._value(value, at, depth)
        self._leave(start)
        return mapping

    def _list(self, start: yaml.SequenceStartEvent, path: Path, depth: int) -> Plain:
        self._enter(start, "[")
        items: list[Plain] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items)), depth))
        self._leave(start)
        return items

    def _enter(self, start: yaml.CollectionStartEvent, bracket: str) -> None:
        if start.flow_style:
            line, column = line_and_column(start.start_mark)
            self._open.append(OpenBracket(bracket=bracket, line=line, column=column))

    def _leave(self, start: yaml.CollectionStartEvent) -> None:
        if start.flow_style:
            self._open.pop()

    def _refuse_duplicate(self, event: yaml.Event, at: Path) -> NoReturn:
        first, second = self._key_places[at].line, self._place(event).line
        lines = f"on line {first}" if first == second else f"on lines {first} and {second}"
        self._refuse(event, at, f"the key {at[-1]!r} is written twice, {lines}", "keep one of them")

    def _key(self, event: yaml.Event, path: Path) -> str:
        self._refuse_decorations(event, path)
        if not isinstance(event, yaml.ScalarEvent):
            self._refuse(event, path, "a list or a mapping is used as a key", "write a text")
        if _is_plain(event) and event.value == "<<":
            self._refuse(event, path, "'<<' is a merge key", "write the keys out")
        if _is_plain(event) and event.value == "":
            self._refuse(event, path, "a key is missing before ':'", "write 'key: value'")
        if _is_plain(event) and _looks_like_no_text(event.value):
            self._refuse(
                event,
                path,
                f"the key {event.value} is no text",
                f"put it in quotes: '{event.value}'",
            )
        self._check_text(event, path)
        text: str = event.value
        return text

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Plain:
        if not _is_plain(event):
            self._check_text(event, path)
            text: str = event.value
            return text
        try:
            return resolve_plain(event.value)
        except InputError as error:
            raise InputError(
                error.what, instead=error.instead, place=self._place(event), path=dotted(path)
            ) from None

    def _check_text(self, event: yaml.ScalarEvent, path: Path) -> None:
        for character in event.value:
            if character not in "\n\t" and unicodedata.category(character) in {"Cc", "Cs"}:
                self._refuse(
                    event,
                    path,
                    f"an escape gives {name_character(character)}, which is no text",
                    "take it out",
                )


def resolve_plain(text: str) -> str | int | float | bool | None:
    """The value of a plain (unquoted) scalar by the core schema of YAML 1.2.

    Raises InputError, without a place, for whole numbers in octal or hexadecimal, with leading
    zeros or more than 40 digits, and for numbers that a float cannot hold.
    """
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        return _whole_number(text)
    if _OTHER_BASE.fullmatch(text):
        if len(text) > MAX_DIGITS:
            _refuse_digits()
        raise InputError(
            f"{text} is a whole number that is not decimal",
            instead=f"write {int(text, 0)}, or put a text in quotes",
        )
    if _FLOAT.fullmatch(text):
        return _float(text)
    if _INFINITY.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    if _NAN.fullmatch(text):
        return math.nan
    return text


def _looks_like_no_text(text: str) -> bool:
    try:
        return not isinstance(resolve_plain(text), str)
    except InputError:
        return True


def _whole_number(text: str) -> int:
    if len(text) > MAX_DIGITS:
        _refuse_digits()
    if _LEADING_ZERO.fullmatch(text):
        raise InputError(
            f"{text} has a leading zero, which some programs read as octal",
            instead=f"write {int(text)}, or put a text in quotes",
        )
    return int(text)


def _refuse_digits() -> NoReturn:
    raise InputError(
        f"this whole number has more than {MAX_DIGITS} digits", instead="put a text in quotes"
    )


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise InputError(
            "this number is larger than a float can hold", instead="write a smaller number"
        )
    return value


def _is_plain(event: yaml.Event) -> TypeGuard[yaml.ScalarEvent]:
    return isinstance(event, yaml.ScalarEvent) and not event.style
