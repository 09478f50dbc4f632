"""Seed packs: proved deals as JSON lines after a manifest, in one file that explains itself.

The first line is the manifest: the ruleset and its hash, the dealer, the limits, versions, and the
counts of all verdicts met while the pack was made. Every further line is one deal with its verdict
and its certificate. :func:`recheck` needs nothing but the file.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.dealers import deal
from generator.proving import Counts
from generator.shuffles import Seed
from spec.errors import InputError, Place
from spec.game import Game, load_game
from spec.ruleset import parse_ruleset
from verify.certificate import Decision, Effort, Verdict, read_certificate
from verify.checker import NotCheckable, Rejected, check
from verify.position import Position, read_position
from verify.rules import Rules, rules_of
from verify.search.decide import Limits

FORMAT = "dealproof-pack/1"
DEALT, CONSTRUCTED = "dealt", "constructed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackDeal:
    """A deal of a pack. A dealt one is its seed's deal; a constructed one only lies near it."""

    origin: str
    seed: Seed
    deal: Position
    decision: Decision
    rests_on: tuple[str, ...] = ()
    why: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        certificate = self.decision.certificate
        assert certificate is not None
        record: dict[str, Any] = {
            "origin": self.origin,
            "seed": str(self.seed),
            "verdict": self.decision.verdict.value,
            "deal": self.deal.to_json(),
            "certificate": certificate.to_json(),
            "effort": self.decision.effort.to_json(),
            "by": self.decision.by,
        }
        if self.why:
            record["why"] = list(self.why)
        return record


def versions() -> dict[str, str]:
    """The versions that a pack's bytes depend on."""
    names = ("dealproof", "z3-solver", "numba", "numpy")
    return {name: importlib.metadata.version(name) for name in names}


def manifest(game: Game, deals: Iterable[PackDeal], met: Counts, limits: Limits) -> dict[str, Any]:
    """The first line of a pack, as plain data."""
    verdicts = [pack_deal.decision.verdict.value for pack_deal in deals]
    return {
        "format": FORMAT,
        "game": game.key,
        "title": game.title,
        "ruleset": json.loads(game.ruleset.canonical()),
        "ruleset_sha256": game.ruleset.digest(),
        "layout": str(game.layout),
        "information": "full: every card is known (thoughtful play)",
        "deals": {verdict: verdicts.count(verdict) for verdict in ("solvable", "unsolvable")},
        "met": met.to_json(),
        "limits": {"nodes": limits.nodes, "megabytes": limits.megabytes},
        "versions": versions(),
    }


def line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON."""
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n"


def write_pack(path: Path, head: Mapping[str, Any], deals: Iterable[PackDeal]) -> None:
    """Write a pack: all of it, or nothing, and never half of it under its own name."""
    write_atomically(path, line(head) + "".join(line(d.to_json()) for d in deals))


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that its name holds the old text or the new; InputError if it cannot."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=".", delete=False
        ) as file:
            file.write(text)
        Path(file.name).chmod(0o666 & ~_umask())
        Path(file.name).replace(path)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}",
            instead="name a file in a folder that you may write to",
            place=Place(file=str(path)),
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load_pack(path: Path) -> tuple[Game, list[PackDeal], Mapping[str, Any]]:
    """The game of a pack, its deals and its manifest, each certificate checked.

    Raises InputError if the pack was made for other rules than the game has, and for a line that
    is malformed or that the checker does not accept.
    """
    pack = read_pack(path)
    place = Place(file=str(path), line=1)
    game = load_game(str(pack.head.get("game")))
    if game.ruleset.digest() != pack.head["ruleset_sha256"]:
        raise InputError(
            f"the pack was made for other rules than {game.key} has",
            instead="make it anew",
            place=place,
            path="ruleset_sha256",
        )
    deals = []
    for (number, text), line in zip(pack.lines, recheck(pack), strict=True):
        at = Place(file=str(path), line=number)
        if line.accepted is False:
            raise InputError(line.why, instead="recheck tells more", place=at)
        deals.append(replace(read_deal(text, pack.rules, at), rests_on=line.rests_on))
    return game, deals, pack.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """What the checker says of one line of a pack: accepted, rejected or not checkable."""

    line: int
    seed: str
    verdict: Verdict
    accepted: bool | None
    why: str = ""
    position: Position | None = None
    rests_on: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys; ``accepted`` is null where nobody can check."""
        return {
            "line": self.line,
            "seed": self.seed,
            "verdict": self.verdict.value,
            "accepted": self.accepted,
            "why": self.why,
            "rests_on": list(self.rests_on),
            "position": None if self.position is None else self.position.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A pack that has been read: its manifest, its rules, and its lines not yet looked at."""

    path: Path
    head: Mapping[str, Any]
    rules: Rules
    lines: tuple[tuple[int, str], ...]


def read_pack(path: Path) -> Pack:
    """The pack in a file; InputError, with the line, if its manifest is none."""
    text = read_text(path)
    lines = [(number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    if not lines:
        raise InputError(
            "the file is empty",
            instead="a pack starts with a manifest",
            place=Place(file=str(path)),
        )
    number, first = lines[0]
    place = Place(file=str(path), line=number)
    head = read_object(first, place)
    if head.get("format") != FORMAT:
        raise InputError(
            f"the format is {head.get('format')!r}",
            instead=f"the first line is a manifest of format {FORMAT!r}",
            place=place,
        )
    try:
        ruleset = parse_ruleset(head.get("ruleset"))
    except InputError as error:
        raise error.at(place) from error
    if head.get("ruleset_sha256") != ruleset.digest():
        raise InputError(
            "the ruleset is not the one that its hash names",
            instead=f"the hash of this ruleset is {ruleset.digest()}",
            place=place,
            path="ruleset_sha256",
        )
    rules = rules_of(ruleset, game=str(head.get("game", "this game")))
    counted = head.get("deals")
    expected = sum(counted.values()) if isinstance(counted, dict) else None
    if expected != len(lines) - 1:
        raise InputError(
            f"the manifest counts {expected} deals and {len(lines) - 1} follow",
            instead="a pack is cut short or put together: make it anew",
            place=place,
            path="deals",
        )
    return Pack(path=path, head=head, rules=rules, lines=tuple(lines[1:]))


def read_text(path: Path) -> str:
    """The text of a file in UTF-8; InputError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}",
            instead="name a file that you may read",
            place=Place(file=str(path)),
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"is no UTF-8 text at byte {error.start}",
            instead="write JSON in UTF-8, one object a line",
            place=Place(file=str(path)),
        ) from error


def read_object(text: str, place: Place) -> dict[str, Any]:
    """The JSON object that ``text`` is; InputError, with the place, if it is none.

    A key that is written twice is refused.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(
                    f"the key {key!r} is written twice", instead="keep one of them", place=place
                )
            found[key] = value
        return found

    try:
        tree = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        column = getattr(error, "colno", None)
        raise InputError(
            "this is no JSON object" + (f" ({error.msg})" if hasattr(error, "msg") else ""),
            instead="write one object a line; a line that ends early was cut short",
            place=Place(file=place.file, line=place.line, column=column),
        ) from error
    if not isinstance(tree, dict):
        raise InputError("this is no JSON object", instead="write one object a line", place=place)
    return tree


_KEYS = {"origin", "seed", "verdict", "deal", "certificate", "effort", "by"}


def read_deal(text: str, rules: Rules, place: Place) -> PackDeal:
    """The deal on a line of a pack; InputError if it is malformed. Nothing is checked yet."""
    record = read_object(text, place)
    try:
        missing = sorted(_KEYS - set(record))
        unknown = sorted(set(record) - _KEYS - {"why"})
        if missing or unknown:
            what = f"there is no {missing[0]!r}" if missing else f"unknown key {unknown[0]!r}"
            raise InputError(what, instead=f"a deal has {', '.join(sorted(_KEYS))}")
        if record["origin"] not in (DEALT, CONSTRUCTED):
            raise InputError(
                f"{record['origin']!r}", instead=f"{DEALT} or {CONSTRUCTED}", path="origin"
            )
        seed = Seed.parse(str(record["seed"]))
        position = read_position(record["deal"], pack=rules.pack, layout=rules.layout)
        certificate = read_certificate(record["certificate"], rules)
        verdict, effort = _verdict(record["verdict"]), record["effort"]
        return PackDeal(
            origin=record["origin"],
            seed=seed,
            deal=position,
            decision=_decision(verdict, certificate, effort, record["by"]),
            why=tuple(map(str, record.get("why", ()))),
        )
    except InputError as error:
        raise error.at(place) from error


def _verdict(text: object) -> Verdict:
    if text not in ("solvable", "unsolvable"):
        raise InputError(f"{text!r}", instead="solvable or unsolvable", path="verdict")
    return Verdict(text)


def _decision(verdict: Verdict, certificate: Any, effort: Any, by: object) -> Decision:
    numbers = effort if isinstance(effort, dict) else {}
    if set(numbers) != {"nodes", "positions"} or not all(
        type(n) is int and n >= 0 for n in numbers.values()
    ):
        raise InputError(f"{effort!r}", instead="nodes and positions, two numbers", path="effort")
    try:
        return Decision(
            verdict=verdict, certificate=certificate, effort=Effort(**numbers), by=str(by)
        )
    except ValueError as error:
        raise InputError(
            str(error), instead="the certificate proves the verdict", path="verdict"
        ) from error


def recheck(pack: Pack) -> Iterator[Recheck]:
    """What the checker says of each deal of a pack, line by line.

    A dealt deal must also be the deal of its seed. Raises InputError, with the line, for a line
    that is malformed, which is not the same as false.
    """
    for number, text in pack.lines:
        place = Place(file=str(pack.path), line=number)
        entry = read_deal(text, pack.rules, place)
        try:
            yield _recheck(pack.rules, entry, number)
        except InputError as error:
            raise error.at(place) from error


def _recheck(rules: Rules, entry: PackDeal, number: int) -> Recheck:
    verdict, certificate = entry.decision.verdict, entry.decision.certificate
    seed = str(entry.seed) if entry.origin == DEALT else f"near {entry.seed}"
    assert certificate is not None

    def said(*, accepted: bool | None, why: str = "", **more: Any) -> Recheck:
        return Recheck(line=number, seed=seed, verdict=verdict, accepted=accepted, why=why, **more)

    if entry.origin == DEALT and deal(rules, entry.seed).to_json() != entry.deal.to_json():
        why = f"this is not the deal of {entry.seed}"
        return said(accepted=False, why=why, position=entry.deal)
    try:
        acceptance = check(rules, entry.deal, certificate)
    except Rejected as error:
        return said(accepted=False, why=error.why, position=error.position)
    except NotCheckable as error:
        return said(accepted=None, why=str(error))
    return said(accepted=True, rests_on=acceptance.rests_on)
