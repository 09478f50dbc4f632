"""Verdicts, and the evidence that comes with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from spec.cards import Card
from spec.errors import InputError
from verify.moves import Move, Place, read_move
from verify.rules import Rules


class Verdict(Enum):
    """What is known of a deal: three answers, never two. Full information is meant."""

    SOLVABLE = "solvable"
    UNSOLVABLE = "unsolvable"
    UNDECIDED = "undecided"

    def __bool__(self) -> bool:
        """A verdict is no truth value: UNDECIDED is neither yes nor no."""
        raise TypeError("compare a verdict with Verdict.SOLVABLE or Verdict.UNSOLVABLE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """A winning line: the moves from the deal to the last foundation. Nobody says it is short."""

    moves: tuple[Move, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {"kind": "witness", "moves": [str(move) for move in self.moves]}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """A card of the deal that never moves: the pile, and its place in it from 0 at the bottom."""

    pile: Place
    depth: int

    def __str__(self) -> str:
        return f"{self.pile}:{self.depth + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedSet:
    """A set of positions that holds the deal, that no move leaves, and that holds no won position.

    The set is given by three lists. Every card at or below a *key* stays where it was dealt;
    ``tableau`` holds every type of card that is ever free to be built on, and ``foundation`` every
    type that is ever on a foundation. :mod:`verify.checker` says what must hold. The idea is that
    of inductive certificates in planning (Eriksson, Roeger and Helmert, ICAPS 2017).
    """

    keys: tuple[Key, ...]
    tableau: frozenset[Card]
    foundation: frozenset[Card]

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys, the types sorted by suit and rank."""
        return {
            "kind": "closed-set",
            "keys": [str(key) for key in sorted(self.keys)],
            "tableau": _sorted_letters(self.tableau),
            "foundation": _sorted_letters(self.foundation),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhaustion:
    """The counts of a search that visited every position it could reach and found no win.

    Nobody can check this without searching again: it is re-runnable, not checkable.
    """

    positions: int
    key_bits: int
    reductions: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {
            "kind": "exhaustion",
            "positions": self.positions,
            "key_bits": self.key_bits,
            "reductions": list(self.reductions),
        }


Certificate = Witness | ClosedSet | Exhaustion

PROVES = {
    Witness: Verdict.SOLVABLE,
    ClosedSet: Verdict.UNSOLVABLE,
    Exhaustion: Verdict.UNSOLVABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a decision took: positions made, and the distinct ones of its largest exhaustive stage.

    Seconds would be no fact.
    """

    nodes: int = 0
    positions: int = 0

    def to_json(self) -> dict[str, int]:
        """Plain data with stable keys."""
        return {"nodes": self.nodes, "positions": self.positions}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict with its certificate, its effort, and what decided or stopped it.

    A decided verdict without the certificate that proves it cannot be built: ValueError.
    """

    verdict: Verdict
    certificate: Certificate | None
    effort: Effort
    by: str

    def __post_init__(self) -> None:
        """Refuse a verdict that its certificate does not prove."""
        proved = Verdict.UNDECIDED if self.certificate is None else PROVES[type(self.certificate)]
        if proved is not self.verdict:
            raise ValueError(f"{self.verdict.value} with a certificate for {proved.value}")


def _sorted_letters(types: frozenset[Card]) -> list[str]:
    return [str(card) for card in sorted(types, key=lambda card: (card.suit, card.rank))]


_FIELDS = {
    "witness": {"moves"},
    "closed-set": {"keys", "tableau", "foundation"},
    "exhaustion": {"positions", "key_bits", "reductions"},
}


def read_certificate(tree: object, rules: Rules) -> Certificate:
    """The certificate that plain data states; InputError if it is malformed, true or false.

    Does not check it: :func:`verify.checker.check` does.
    """
    kind = tree.get("kind") if isinstance(tree, Mapping) else None
    if not isinstance(tree, Mapping) or not isinstance(kind, str) or kind not in _FIELDS:
        raise InputError(
            "this is no certificate",
            instead=f"a certificate is a mapping with a kind of {', '.join(_FIELDS)}",
            path="certificate",
        )
    if set(tree) != _FIELDS[kind] | {"kind"}:
        raise InputError(
            f"a {kind} with {', '.join(sorted(map(str, tree)))}",
            instead=f"it holds kind, {', '.join(sorted(_FIELDS[kind]))}",
            path="certificate",
        )
    if kind == "witness":
        moves = _texts(tree, "moves")
        return Witness(moves=tuple(_at(f"moves[{i}]", read_move, m, rules) for i, m in moves))
    if kind == "closed-set":
        return ClosedSet(
            keys=tuple(_at(f"keys[{i}]", _read_key, key, rules) for i, key in _texts(tree, "keys")),
            tableau=_types(tree, "tableau", rules),
            foundation=_types(tree, "foundation", rules),
        )
    for field in ("positions", "key_bits"):
        if type(tree[field]) is not int or tree[field] < 0:
            raise InputError(
                f"{tree[field]!r}", instead="a number from 0", path=f"certificate.{field}"
            )
    return Exhaustion(
        positions=tree["positions"],
        key_bits=tree["key_bits"],
        reductions=tuple(text for _, text in _texts(tree, "reductions")),
    )


def _texts(tree: Mapping[str, Any], field: str) -> list[tuple[int, str]]:
    texts = tree[field]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError("not a list of texts", instead="a list", path=f"certificate.{field}")
    return list(enumerate(texts))


def _at(path: str, read: Any, text: str, rules: Rules) -> Any:
    try:
        return read(text, rules)
    except InputError as error:
        where = f"certificate.{path}"
        raise InputError(error.what, instead=error.instead, path=where) from error


def _types(tree: Mapping[str, Any], field: str, rules: Rules) -> frozenset[Card]:
    def read(text: str, rules: Rules) -> Card:
        return rules.pack.parse(text)

    return frozenset(_at(f"{field}[{i}]", read, text, rules) for i, text in _texts(tree, field))


def _read_key(text: str, rules: Rules) -> Key:
    pile, _, depth = text.partition(":")
    kinds = {"t": ("tableau", rules.layout.tableau), "r": ("reserve", rules.layout.reserve)}
    kind, counts = kinds.get(pile[:1], ("", ()))
    numbers = (pile[1:], depth)
    if not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
        counts = ()
    place = int(pile[1:]) - 1 if counts else 0
    if not counts or not 0 <= place < len(counts) or not 1 <= int(depth) <= counts[place]:
        raise InputError(
            f"{text!r} is no card of the deal",
            instead="write a pile and a place in it from the bottom, such as t3:2 or r1:8",
        )
    return Key(pile=Place(kind, place), depth=int(depth) - 1)
