"""What can be wrong in a game that has the right form: citations, rulings, sums, absent piles."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from spec.accounting import Layout, foundation_cap, foundation_count
from spec.cards import RANKS
from spec.errors import InputError, Place
from spec.gamefile import Rule, Ruling, cited
from spec.lookalike import confusable_hint
from spec.parameters import PARAMETERS, Silence, Value
from spec.ruleset import Ruleset, leaf_paths, split_path, value_at
from spec.statement import DocumentFile, Reading, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A rule with the places of its value and of its citations."""

    rule: Rule
    place: Place
    cites: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A game in one reading, put together and not yet looked at.

    ``document`` is the one that citations without a name mean. ``layout`` is None where the deal
    does not add up.
    """

    said: Mapping[str, Said]
    rulings: Mapping[str, Ruling]
    document: str | None
    documents: Mapping[str, DocumentFile]
    ruleset: Ruleset
    layout: Layout | None
    top: Place

    def statement(self, cite: str) -> tuple[DocumentFile, Statement] | None:
        """The statement that a citation means, if there is one."""
        name, number = cited(cite, self.document)
        document = self.documents.get(name or "")
        try:
            return (document, document.statement(number)) if document else None
        except KeyError:
            return None


def nearest(path: str) -> str:
    """What would be right instead of a path that there is not."""
    close = difflib.get_close_matches(path, leaf_paths(), n=1)
    text = f"did you mean {close[0]}?" if close else "docs/games.md lists the paths"
    hint = confusable_hint(path)
    return f"{text} ({hint})" if hint else text


def is_path(path: str) -> bool:
    """Whether a ruleset has a value at ``path``."""
    try:
        split_path(path)
    except KeyError:
        return False
    return True


def check(facts: Facts) -> Iterator[InputError]:
    """Every complaint about a game, rule by rule."""
    for path, entry in facts.said.items():
        yield from _check_ruling(path, entry, facts)
        for cite, place in zip(entry.rule.cite, entry.cites, strict=True):
            yield from _check_cite(path, entry, cite, place, facts)
        yield from _check_silence(path, entry, facts)
        yield from _check_pack(path, entry, facts)
        yield from _check_piles(path, entry, facts)
    yield from _check_counts(facts)


def answers(reading: Reading, path: str) -> tuple[Value, ...]:
    """The values that a statement gives to ``path`` in any of its readings; none if in none."""
    given = (reading.says or {}).get(path, [])
    found = list(given) if isinstance(given, list) else [given]
    for further in reading.or_ if isinstance(reading, Statement) else ():
        found += answers(further, path)
    for part in reading.like.but if reading.like else ():
        found += answers(part, path)
    return tuple(dict.fromkeys(found))


def _check_ruling(path: str, entry: Said, facts: Facts) -> Iterator[InputError]:
    name = entry.rule.ruling
    if name is None:
        return
    if name not in facts.rulings:
        yield InputError(
            f"there is no ruling {name!r}",
            instead="write it under rulings",
            place=entry.place,
            path=path,
        )
    elif path not in facts.rulings[name].asks:
        yield InputError(
            f"the ruling {name} does not decide it",
            instead=f"it asks {', '.join(facts.rulings[name].asks)}; name another, or add the path",
            place=entry.place,
            path=path,
        )


def _check_cite(
    path: str, entry: Said, cite: str, place: Place, facts: Facts
) -> Iterator[InputError]:
    found = facts.statement(cite)
    if found is None:
        yield InputError(
            f"there is no statement {cite!r}",
            instead="cite a statement of the game's document, or document:statement",
            place=place,
            path=path,
        )
        return
    document, statement = found
    allowed = answers(statement, path)
    if not allowed or entry.rule.ruling is not None or _agrees(path, entry.rule.is_, allowed):
        return
    value = _written(entry.rule.is_)
    deal = f"; with {value} the deal is {facts.layout}" if facts.layout else ""
    yield InputError(
        f"{value}, but {_source(document, statement)} says {_either(allowed)}{deal}",
        instead="write what the document says, or a ruling that decides otherwise",
        place=entry.place,
        path=path,
    )


def _agrees(path: str, value: Any, allowed: tuple[Value, ...]) -> bool:
    spell = PARAMETERS[path].domain.spell
    if value == []:
        return "nothing" in allowed
    if not isinstance(value, list):
        return spell(value) in allowed
    # A list may spell out what a word such as triangle says in short.
    words = {"triangle", "rest", "all_but_top", "odd", "even"}
    return not words.isdisjoint(allowed) or all(spell(item) in allowed for item in value)


def _check_silence(path: str, entry: Said, facts: Facts) -> Iterator[InputError]:
    """A value that is not the ordinary one has to be said by somebody."""
    asked = PARAMETERS.get(path)
    rule = entry.rule
    if asked is None or asked.silence is not Silence.NO or rule.ruling or rule.source:
        return
    found = [facts.statement(cite) for cite in rule.cite]
    ordinary: object = [] if asked.means == "nothing" else asked.means
    if asked.domain.spell(rule.is_) == ordinary or None in found:
        return
    if any(answers(pair[1], path) for pair in found if pair is not None):
        return
    deal = f"; the deal is {facts.layout}" if facts.layout else ""
    yield InputError(
        f"{_written(rule.is_)}, and {', '.join(rule.cite)} does not say so{deal}",
        instead=f"{asked.means}, the ordinary, needs no statement; cite one that says otherwise",
        place=entry.place,
        path=path,
    )


def _check_pack(path: str, entry: Said, facts: Facts) -> Iterator[InputError]:
    """Ranks, suits and distances that the pack does not have."""
    pack = facts.ruleset.pack
    value = value_at(facts.ruleset, path)
    if path.endswith(".step") and isinstance(value, int) and value >= pack.ranks:
        yield InputError(
            f"{value} is once round the {pack.ranks} ranks of the pack, or more",
            instead=f"at most {pack.ranks - 1}",
            place=entry.place,
            path=path,
        )
    words = value if isinstance(value, list) else [value]
    absent: list[str] = []
    if path in ("pack.base", "foundations.start", "tableau.sink", "tableau.spaces.accept"):
        absent = [word for word in words if word in RANKS and RANKS.index(word) >= pack.ranks]
    elif path == "foundations.first.suits":
        absent = [word for word in words if word not in pack.suits]
    if absent:
        yield InputError(
            f"there is no {' or '.join(absent)} in the pack",
            instead=f"ranks are A to {RANKS[pack.ranks - 1]}, suits {', '.join(pack.suits)}",
            place=entry.place,
            path=path,
        )


def _check_piles(path: str, entry: Said, facts: Facts) -> Iterator[InputError]:
    """Kinds of pile that the game does not have, as a source or as a target."""
    if not path.endswith((".from", ".fill")) and path != "stock.to":
        return
    rules = facts.ruleset
    have = {
        "foundation": bool(rules.foundations),
        "tableau": bool(rules.tableau),
        "reserve": bool(rules.reserve),
        "cell": rules.cells is not None,
        "waste": rules.waste is not None,
        "stock": rules.stock is not None,
    }
    value = value_at(rules, path)
    kinds = value if isinstance(value, list) else [value]
    absent = [kind for kind in kinds if not have.get(kind, True)]
    if absent:
        yield InputError(
            f"this game has no {' and no '.join(absent)}",
            instead=f"it has {', '.join(kind for kind, there in have.items() if there)}",
            place=entry.place,
            path=path,
        )


def _check_counts(facts: Facts) -> Iterator[InputError]:
    """What the game's document counts otherwise than the sums come out."""
    document = facts.documents.get(facts.document or "")
    if document is None or facts.layout is None:
        return
    overruled = {
        cited(cite, facts.document)
        for ruling in facts.rulings.values()
        for cite in ruling.overrules
    }
    counted = _counted(facts.ruleset, facts.layout)
    for statement in document.statements:
        if statement.flavour or statement.like or (facts.document, statement.id) in overruled:
            continue
        for path, number in counted.items():
            allowed = answers(statement, path)
            if allowed and number not in allowed:
                yield InputError(
                    f"{number}, but {_source(document, statement)} says {_either(allowed)}; "
                    f"the deal is {facts.layout}",
                    instead="change a number so that the sum comes out, or overrule it by a ruling",
                    place=facts.top,
                    path=path,
                )


def _counted(ruleset: Ruleset, laid: Layout) -> dict[str, int]:
    """The numbers that a document may state and a ruleset derives."""
    counted = {
        "pack.cards": laid.cards,
        "tableau.cards": sum(laid.tableau),
        "reserve.cards": sum(laid.reserve),
        "stock.cards": laid.stock,
        "waste.deal": 0,
    }
    if ruleset.stock is not None and isinstance(ruleset.stock.passes, int):
        counted["stock.redeals"] = ruleset.stock.passes - 1
    if ruleset.goal.when == "foundations":
        counted["goal.cards"] = laid.cards
    for group in ruleset.foundations if len(ruleset.foundations) == 1 else ():
        each, over = divmod(foundation_count(group, ruleset), len(ruleset.pack.suits))
        if not over:
            counted["foundations.per_suit"] = each
        if group.cap != "unlimited":
            counted["goal.each"] = foundation_cap(group, ruleset)
    return counted


def _source(document: DocumentFile, statement: Statement) -> str:
    lines = "line" if len(statement.at) == 1 else "lines"
    return f"{statement.id} ({document.file}, {lines} {', '.join(map(str, statement.at))})"


def _either(allowed: tuple[Value, ...]) -> str:
    return " or ".join(map(str, allowed))


def _written(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)
