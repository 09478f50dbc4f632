"""What a page consists of, read with the standard library's parser."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "input", "br", "img", "link"}


@dataclass(kw_only=True)
class Element:
    """An element with its attributes, the text in it, and the elements around it."""

    tag: str
    attributes: dict[str, str]
    around: tuple[Element, ...]
    text: str = ""


@dataclass(kw_only=True)
class Structure:
    """The elements of a page in order, and what does not fit."""

    elements: list[Element] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def of(self, tag: str) -> list[Element]:
        """The elements with a tag."""
        return [element for element in self.elements if element.tag == tag]

    @property
    def ids(self) -> list[str]:
        """Every id, twice if it stands there twice."""
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]

    def data(self, name: str) -> Any:
        """The JSON of the script with an id."""
        (found,) = (e for e in self.of("script") if e.attributes.get("id") == name)
        return json.loads(found.text)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.structure = Structure()
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(
            tag=tag,
            attributes={name: value or "" for name, value in attrs},
            around=tuple(self.open),
        )
        self.structure.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1].tag != tag:
            self.structure.faults.append(f"</{tag}> at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def structure_of(html: str) -> Structure:
    """The structure of a page; its faults name end tags that close nothing."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    parser.structure.faults += [f"<{element.tag}> left open" for element in parser.open]
    return parser.structure
