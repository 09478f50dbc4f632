"""Seed packs: proved deals as JSON lines after a manifest, in one file that explains itself.

The first line is the manifest: the ruleset and its hash, the dealer, the limits, versions, and the
counts of all verdicts met while the pack was made. Every further line is one deal with its verdict
and its certificate. :func:`recheck` needs nothing but the file.
"""

from __future__ import annotations

import errno
import importlib.metadata
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.dealers import deal
from generator.explain import why_unsolvable
from generator.proving import CheckerDisagrees, Counts, decision_json, read_decision
from generator.shuffles import Seed
from spec.errors import InputError, Place, Unsupported
from spec.game import Game, game_names, load_game
from spec.ruleset import parse_ruleset
from verify.certificate import ClosedSet, Decision, Verdict
from verify.checker import NotCheckable, Rejected, check
from verify.moves import start_of
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
        assert self.decision.certificate is not None
        decision = decision_json(self.decision)
        record: dict[str, Any] = {
            "origin": self.origin,
            "seed": str(self.seed),
            "verdict": decision.pop("verdict"),
            "deal": self.deal.to_json(),
            **decision,
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
    """Write a file so that its name holds the old text or the new; InputError if it cannot.

    A link is followed. What is no file, such as a pipe, is written to and not replaced.
    """
    require_writable(path)
    data = text.encode()
    with _written(path):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def require_writable(path: Path) -> None:
    """Nothing if a file can be written there, its folders made if need be; else InputError."""
    with _written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
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


def load_pack(
    path: Path, own: Mapping[str, Game] | None = None
) -> tuple[Game, list[PackDeal], Mapping[str, Any]]:
    """The game of a pack, its deals and its manifest, each certificate checked that can be.

    An exhaustion is let through as such. Why a deal cannot be won is told anew from its
    certificate, whatever the pack says of it.

    ``own`` are games by their keys that dealproof does not ship. Raises InputError if the game is
    not known or has other rules than the pack was made for, and for a line that is malformed or
    that the checker does not accept.
    """
    pack = read_pack(path)
    game = _game_of(pack, own or {})
    if game.ruleset.digest() != pack.head["ruleset_sha256"]:
        raise InputError(
            f"the pack was made for other rules than {game.key} has",
            instead="make it anew",
            place=Place(file=str(path), line=1),
            path="ruleset_sha256",
        )
    deals = []
    for (number, text), line in zip(pack.lines, recheck(pack), strict=True):
        at = Place(file=str(path), line=number)
        if line.accepted is False:
            raise InputError(line.why, instead="recheck tells more", place=at)
        entry = read_deal(text, pack.rules, at)
        certificate = entry.decision.certificate
        why: tuple[str, ...] = ()
        if isinstance(certificate, ClosedSet):
            why = tuple(why_unsolvable(pack.rules, entry.deal, certificate))
        deals.append(replace(entry, rests_on=line.rests_on, why=why))
    return game, deals, pack.head


def _game_of(pack: Pack, own: Mapping[str, Game]) -> Game:
    key = pack.head["game"]
    if key in own:
        return own[key]
    place = Place(file=str(pack.path), line=1)
    if key.partition("@")[0] not in game_names():
        raise InputError(
            f"dealproof has no game {key!r}",
            instead="name its file, with --game FILE.yaml",
            place=place,
            path="game",
        )
    try:
        return load_game(key)
    except InputError as error:
        raise error.at(place) from error


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
    lines = [(number, row) for number, row in enumerate(read_text(path).split("\n"), 1)]
    lines = [(number, row) for number, row in lines if row.strip()]
    if not lines:
        raise InputError(
            "the file is empty",
            instead="a pack starts with a manifest",
            place=Place(file=str(path)),
        )
    number, first = lines[0]
    place = Place(file=str(path), line=number)
    head = read_object(first, place)
    try:
        rules = _read_manifest(head)
        _check_counts(head, len(lines) - 1)
    except InputError as error:
        raise error.at(place) from error
    return Pack(path=path, head=head, rules=rules, lines=tuple(lines[1:]))


_HEAD: dict[str, tuple[str, ...] | None] = {
    "game": None,
    "title": None,
    "ruleset": (),
    "ruleset_sha256": None,
    "layout": None,
    "information": None,
    "deals": ("solvable", "unsolvable"),
    "met": ("solvable", "unsolvable", "undecided"),
    "limits": ("nodes", "megabytes"),
    "versions": (),
}
"""What a manifest holds beside its format: texts, and mappings, some with the keys of numbers."""


def _read_manifest(head: Mapping[str, Any]) -> Rules:
    """The rules of a manifest; InputError, without a place, if it is malformed."""
    if head.get("format") != FORMAT:
        raise InputError(
            f"the format is {head.get('format')!r}",
            instead=f"the first line is a manifest of format {FORMAT!r}",
        )
    _require_keys(head, {"format", *_HEAD}, what="a manifest")
    for key, numbers in _HEAD.items():
        value = head[key]
        if numbers is None and not isinstance(value, str):
            raise InputError("this is no text", instead="write a text", path=key)
        if numbers is not None and not isinstance(value, dict):
            raise InputError("this is no mapping", instead="write a mapping", path=key)
        if numbers and (
            set(value) != set(numbers) or not all(type(n) is int and n >= 0 for n in value.values())
        ):
            raise InputError(
                f"{value!r}", instead=f"{', '.join(numbers)}, numbers from 0", path=key
            )
    if not all(isinstance(text, str) for text in head["versions"].values()):
        raise InputError("a version is no text", instead="write a text", path="versions")
    try:
        ruleset = parse_ruleset(head["ruleset"])
        rules = rules_of(ruleset, game=head["game"])
    except InputError as error:
        path = f"ruleset.{error.path}" if error.path else "ruleset"
        raise InputError(error.what, instead=error.instead, path=path) from error
    except Unsupported as error:
        raise InputError(
            str(error), instead="write a ruleset that is played", path="ruleset"
        ) from error
    if head["ruleset_sha256"] != ruleset.digest():
        raise InputError(
            "the ruleset is not the one that its hash names",
            instead=f"the hash of this ruleset is {ruleset.digest()}",
            path="ruleset_sha256",
        )
    return rules


def _check_counts(head: Mapping[str, Any], found: int) -> None:
    counted = sum(head["deals"].values())
    if counted != found:
        raise InputError(
            f"the manifest counts {counted} deals and {found} follow",
            instead="a pack is cut short or put together: make it anew",
            path="deals",
        )


def _require_keys(record: Mapping[str, Any], keys: set[str], *, what: str) -> None:
    for key in sorted(keys - set(record)):
        raise InputError(f"there is no {key!r}", instead=f"{what} has {', '.join(sorted(keys))}")
    for key in sorted(set(record) - keys):
        raise InputError(f"unknown key {key!r}", instead=f"{what} has {', '.join(sorted(keys))}")


def read_text(path: Path) -> str:
    """The text of a file in UTF-8; InputError if it cannot be read."""
    place = Place(file=str(path))
    try:
        return decoded(path.read_bytes(), place)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}",
            instead="name a file that you may read",
            place=place,
        ) from error


def decoded(data: bytes, place: Place) -> str:
    """The text that bytes are in UTF-8, a byte order mark left out; InputError if they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"is no UTF-8 text at byte {error.start}",
            instead="write JSON in UTF-8, one object a line",
            place=place,
        ) from error


def read_object(text: str, place: Place) -> dict[str, Any]:
    """The JSON object that ``text`` is; InputError, with the place, if it is none.

    A key that is written twice is refused, and so are NaN, Infinity and half of a character.
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

    def refuse(constant: str) -> None:
        raise InputError(f"{constant} is no number", instead="write a number", place=place)

    try:
        tree = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
        if "\\u" in text:
            json.dumps(tree, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        line = place.line or (error.lineno if "\n" in text.strip() else None)
        raise InputError(
            f"this is no JSON object ({error.msg})",
            instead="write one object a line; a line that ends early was cut short",
            place=Place(file=place.file, line=line, column=error.colno if line else None),
        ) from error
    except UnicodeEncodeError as error:
        raise InputError(
            "a text holds half of a character (a lone surrogate)",
            instead="write both halves, or the character itself",
            place=place,
        ) from error
    except RecursionError as error:
        raise InputError(
            "this is nested too deeply", instead="a deal needs four levels", place=place
        ) from error
    except ValueError as error:
        raise InputError(
            f"a number is too long ({error})", instead="write a smaller one", place=place
        ) from error
    if not isinstance(tree, dict):
        raise InputError("this is no JSON object", instead="write one object a line", place=place)
    return tree


_KEYS = {"origin", "seed", "verdict", "deal", "certificate", "effort", "by"}


def read_deal(text: str, rules: Rules, place: Place) -> PackDeal:
    """The deal on a line of a pack; InputError if it is malformed, or not laid out by the rules.

    Nothing is checked yet.
    """
    record = read_object(text, place)
    try:
        _require_keys(record, _KEYS | ({"why"} & set(record)), what="a deal")
        origin, seed, why = record["origin"], record["seed"], record.get("why", [])
        if origin not in (DEALT, CONSTRUCTED):
            raise InputError(f"{origin!r}", instead=f"{DEALT} or {CONSTRUCTED}", path="origin")
        if not isinstance(seed, str):
            raise InputError(f"{seed!r}", instead="a text such as dealproof:1", path="seed")
        if not isinstance(why, list) or not all(isinstance(part, str) for part in why):
            raise InputError(f"{why!r}", instead="a list of texts", path="why")
        decision = read_decision(record, rules)
        if decision.certificate is None:
            raise InputError(
                "there is none", instead="a pack holds proved deals", path="certificate"
            )
        position = read_position(record["deal"], pack=rules.pack, layout=rules.layout)
        return PackDeal(
            origin=origin,
            seed=Seed.parse(seed),
            deal=start_of(rules, position),
            decision=decision,
            why=tuple(why),
        )
    except InputError as error:
        raise error.at(place) from error


def recheck(pack: Pack) -> Iterator[Recheck]:
    """What the checker says of each deal of a pack, line by line.

    A dealt deal must also be the deal of its seed. Raises InputError, with the line, for a line
    that is malformed, which is not the same as false, for one that repeats a deal, and in the end
    for a manifest that counts other verdicts.
    """
    first: dict[Position, int] = {}
    verdicts: Counter[str] = Counter()
    for number, text in pack.lines:
        place = Place(file=str(pack.path), line=number)
        entry = read_deal(text, pack.rules, place)
        if first.setdefault(entry.deal, number) != number:
            raise InputError(
                f"this is the deal of line {first[entry.deal]}", instead="keep one", place=place
            )
        verdicts[entry.decision.verdict.value] += 1
        try:
            yield _recheck(pack.rules, entry, number)
        except InputError as error:
            raise error.at(place) from error
    for verdict, counted in pack.head["deals"].items():
        if verdicts[verdict] != counted:
            raise InputError(
                f"the manifest counts {counted} {verdict} deals and there are {verdicts[verdict]}",
                instead="make the pack anew",
                place=Place(file=str(pack.path), line=1),
                path="deals",
            )


def require_accepted(path: Path) -> None:
    """Nothing if the checker accepts every deal of a pack as it lies on disk.

    Raises CheckerDisagrees otherwise: for a pack of our own making that is a fault of ours.
    """
    for line in recheck(read_pack(path)):
        if line.accepted is not True:
            raise CheckerDisagrees(f"{path}:{line.line}: {line.why}")


def _recheck(rules: Rules, entry: PackDeal, number: int) -> Recheck:
    verdict, certificate = entry.decision.verdict, entry.decision.certificate
    seed = str(entry.seed) if entry.origin == DEALT else f"near {entry.seed}"
    assert certificate is not None

    def said(*, accepted: bool | None, why: str = "", **more: Any) -> Recheck:
        return Recheck(line=number, seed=seed, verdict=verdict, accepted=accepted, why=why, **more)

    if entry.origin == DEALT and deal(rules, entry.seed) != entry.deal:
        why = f"this is not the deal of {entry.seed}"
        return said(accepted=False, why=why, position=entry.deal)
    try:
        acceptance = check(rules, entry.deal, certificate)
    except Rejected as error:
        return said(accepted=False, why=error.why, position=error.position)
    except NotCheckable as error:
        return said(accepted=None, why=str(error))
    return said(accepted=True, rests_on=acceptance.rests_on)
