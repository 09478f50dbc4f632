"""The rules that the engines play, from a ruleset; what they do not play is refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from spec.accounting import Layout, foundation_cap, foundation_count, layout
from spec.cards import RANKS, Card, Pack
from spec.errors import InputError, Unsupported
from spec.relations import PLAIN, Face, builds
from spec.ruleset import (
    Build,
    FirstCards,
    FoundationBuild,
    Foundations,
    PileKind,
    Ruleset,
    Spaces,
    Stock,
    Tableau,
)

SOURCES: tuple[PileKind, ...] = ("tableau", "foundation", "reserve", "waste")
"""The kinds of pile from which a card can move. The stock deals and fills; nobody takes from it."""


MOST_PASSES = 1000
"""Passes through the stock that can be counted; more are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A build policy with its pack: which card may lie on which, for every base rank."""

    pack: Pack
    step: str | int
    suit: str
    wrap: str

    def allows(self, card: Card, onto: Card, base: int | None) -> bool:
        """Whether ``card`` may be built on ``onto``. A base rank not yet set counts as an ace."""
        return (card, onto) in _pairs(self, base or 1)


@lru_cache(maxsize=256)
def _pairs(policy: Policy, base: int) -> frozenset[tuple[Card, Card]]:
    types = [policy.pack.card(index) for index in range(policy.pack.types)]
    faces = {card: Face(card.rank, card.suit, policy.pack.colour(card.suit)) for card in types}
    return frozenset(
        (card, onto)
        for card in types
        for onto in types
        if builds(
            faces[card],
            faces[onto],
            step=policy.step,
            relation=policy.suit,
            wrap=policy.wrap,
            base=base,
            ranks=policy.pack.ranks,
            logic=PLAIN,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rules:
    """What the engines ask of a ruleset. :func:`rules_of` makes it.

    ``to_tableau`` and ``to_space`` name the kinds of pile from which a player may move onto a
    tableau pile that has cards, and into a space. ``fill`` is the chain of automatic fills.
    ``space_ranks`` is None where a space takes any card, else the ranks it takes, relative to the
    base rank where ``"low"`` or ``"high"``. ``passes`` is None where it is unlimited.
    """

    game: str
    ruleset: Ruleset
    pack: Pack
    layout: Layout
    fixed_base: int | None
    foundations: int
    cap: int
    foundation_build: Policy
    returns: bool
    tableau_build: Policy
    run: Policy
    unit: str
    to_tableau: frozenset[str]
    to_space: frozenset[str]
    space_ranks: tuple[str, ...] | None
    fill: tuple[str, ...]
    passes: int | None

    def starts_foundation(self, card: Card, base: int | None) -> bool:
        """Whether ``card`` may go on an empty foundation; any card sets a base not yet set."""
        return base is None or card.rank == base

    def space_takes(self, card: Card, base: int | None) -> bool:
        """Whether a player may put ``card`` into a space, by its rank alone."""
        if self.space_ranks is None:
            return True
        low = base or 1
        named = {"low": low, "high": (low - 2) % self.pack.ranks + 1}
        ranks = [named[r] if r in named else RANKS.index(r) + 1 for r in self.space_ranks]
        return card.rank in ranks


def rules_of(ruleset: Ruleset, *, game: str = "this game") -> Rules:
    """The rules of a ruleset as the engines play them.

    Raises Unsupported, naming every rule that they do not play, and InputError if the deal does
    not add up.
    """
    laid = layout(ruleset)
    missing = unsupported(ruleset)
    if missing:
        raise Unsupported(game, missing)
    (tableau,) = ruleset.tableau
    (foundations,) = ruleset.foundations
    pack = ruleset.pack.pack()
    fixed = ruleset.pack.base
    sources = frozenset(tableau.from_ or SOURCES)
    spaces = tableau.spaces
    accept = spaces.accept
    none_go = accept == "none"
    stock = ruleset.stock or Stock()
    return Rules(
        game=game,
        ruleset=ruleset,
        pack=pack,
        layout=laid,
        fixed_base=None if fixed == "first_card" else RANKS.index(fixed) + 1,
        foundations=foundation_count(foundations, ruleset),
        cap=foundation_cap(foundations, ruleset),
        foundation_build=_policy(foundations.build, pack),
        returns=foundations.returns == "always",
        tableau_build=_policy(tableau.build, pack),
        run=Policy(
            pack=pack,
            step=tableau.move.step or tableau.build.step,
            suit=tableau.move.suit or tableau.build.suit,
            wrap=tableau.build.wrap,
        ),
        unit=tableau.move.unit,
        to_tableau=sources,
        to_space=frozenset() if none_go else frozenset(spaces.from_ or sources),
        space_ranks=None if isinstance(accept, str) else tuple(accept),
        fill=tuple(spaces.fill or ()),
        passes=None if stock.passes == "unlimited" else stock.passes,
    )


def _policy(build: Build | FoundationBuild, pack: Pack) -> Policy:
    return Policy(pack=pack, step=build.step, suit=build.suit, wrap=build.wrap)


def unsupported(ruleset: Ruleset) -> list[str]:
    """The rules of a ruleset that the engines do not play, as ``path: value``; empty if none."""
    missing: list[str] = []

    def refuse(path: str, value: object, *, when: bool) -> None:
        if when:
            missing.append(f"{path}: {value}")

    for name, groups in (("foundations", ruleset.foundations), ("tableau", ruleset.tableau)):
        refuse(name, f"{len(groups)} groups", when=len(groups) != 1)
    refuse("reserve", f"{len(ruleset.reserve)} groups", when=len(ruleset.reserve) > 1)
    refuse("cells", "present", when=ruleset.cells is not None)
    refuse("regather", "present", when=ruleset.regather is not None)
    refuse("goal.when", ruleset.goal.when, when=ruleset.goal.when != "foundations")
    refuse("pack.base", "none", when=ruleset.pack.base == "none")
    for foundations in ruleset.foundations[:1]:
        missing += _unsupported_foundations(foundations, ruleset)
    for tableau in ruleset.tableau[:1]:
        missing += _unsupported_tableau(tableau)
        missing += _unsupported_piles(ruleset, tableau)
    for reserve in ruleset.reserve[:1]:
        refuse("reserve.face_down", reserve.face_down, when=reserve.face_down != 0)
        refuse("reserve.fill", reserve.fill, when=bool(reserve.fill))
    if ruleset.stock is not None:
        stock = ruleset.stock
        refuse("stock.to", stock.to, when=stock.to != "waste" or ruleset.waste is None)
        refuse("stock.count", stock.count, when=stock.count != 1)
        many = stock.passes != "unlimited" and stock.passes > MOST_PASSES
        refuse("stock.passes", stock.passes, when=many)
        refuse("stock.when", stock.when, when=stock.when != "always")
    return missing


def _differing(path: str, value: object, default: object) -> list[str]:
    return [] if value == default else [f"{path}: {value}"]


def _unsupported_foundations(group: Foundations, ruleset: Ruleset) -> list[str]:
    missing = _differing("foundations.start", group.start, "low")
    missing += _differing("foundations.whole", group.whole, default=False)
    missing += _differing("foundations.first", group.first, FirstCards())
    if group.returns == "stock_empty":
        missing.append("foundations.returns: stock_empty")
    if group.deal > 1 or (group.deal and ruleset.pack.base != "first_card"):
        missing.append(f"foundations.deal: {group.deal}")
    return missing


def _unsupported_tableau(group: Tableau) -> list[str]:
    missing = _differing("tableau.cap", group.cap, None)
    missing += _differing("tableau.sink", group.sink, None)
    missing += _differing("tableau.low_bottoms", group.low_bottoms, 0)
    missing += _differing("tableau.play_in_deal", group.play_in_deal, "never")
    if group.face_down in ("odd", "even"):
        missing.append(f"tableau.face_down: {group.face_down}")
    if group.move.unit not in ("card", "group", "whole_group"):
        missing.append(f"tableau.move.unit: {group.move.unit}")
    return missing + _unsupported_spaces(group.spaces)


def _unsupported_piles(ruleset: Ruleset, group: Tableau) -> list[str]:
    """What depends on the numbers of piles and of cards in them."""
    fill = group.spaces.fill or ()
    missing: list[str] = []
    piles = sum(reserve.piles for reserve in ruleset.reserve)
    if "reserve" in fill and piles != 1:
        missing.append(f"tableau.spaces.fill: reserve of {piles} piles")
    if len(ruleset.tableau) != 1:
        return missing
    try:
        laid = layout(ruleset)
    except InputError:
        return missing
    if any(0 < dealt <= down for dealt, down in zip(laid.tableau, laid.face_down, strict=True)):
        missing.append("tableau: a pile with every card face down")
    if fill and 0 in laid.tableau:
        missing.append("tableau: a space from the start that is filled automatically")
    return missing


def _unsupported_spaces(spaces: Spaces) -> list[str]:
    missing = _differing("tableau.spaces.unit", spaces.unit, None)
    missing += _differing("tableau.spaces.fill_count", spaces.fill_count, 1)
    fill = spaces.fill or []
    if "next_pile" in fill:
        missing.append("tableau.spaces.fill: next_pile")
    missing += [
        f"tableau.spaces.fill: {kind} more than once"
        for kind in dict.fromkeys(fill)
        if fill.count(kind) > 1
    ]
    return missing
