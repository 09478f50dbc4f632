"""Which cards to deal to which region of the layout so that a closed set proves the deal lost.

Z3 fills regions, not places. Whether a closed set is accepted depends on the order of the cards in
one point only (a key that is built on the card under it), so a handful of numbers for each type of
card is all there is to find. The conditions are those of :mod:`verify.checker`, as formulas.

The interface is plain: regions and cards go in, numbers of cards come out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Any, Final

import z3

from spec.cards import Card
from verify.rules import Policy, Rules


class Region(Enum):
    """A part of the layout whose cards the conditions on a closed set treat alike.

    Keys are the cards that shall never move, ``HELD`` are all cards below one; the others are the
    cards of a kind of pile that are neither.
    """

    TABLEAU_KEY = "tableau key"
    RESERVE_KEY = "reserve key"
    HELD = "held"
    TABLEAU = "tableau"
    RESERVE = "reserve"
    STOCK = "stock"
    FOUNDATION = "foundation"


KEYS: Final = (Region.TABLEAU_KEY, Region.RESERVE_KEY)

RLIMIT: Final = 5_000_000
"""Z3's own measure of the effort allowed to one question; some tenths of a second."""


class Status(Enum):
    """Whether cards were found, none exist, or Z3 stopped before it knew."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """How many cards of each type each region gets; nothing unless the status is FOUND.

    ``kept`` counts the wishes that came true.
    """

    status: Status
    counts: Mapping[Region, Mapping[Card, int]] = field(default_factory=dict)
    kept: int = 0


def fill_regions(
    rules: Rules,
    base: int,
    wishes: Sequence[tuple[Region, Card]],
    *,
    spaces: bool,
    rlimit: int = RLIMIT,
) -> Filling:
    """The cards of each region, so that the keys never move and as many wishes as possible hold.

    ``wishes`` is a whole pack, card by card, each with the region it lies in; they fix the size of
    every region, and those for ``FOUNDATION`` hold in any case. Earlier wishes go before later
    ones, and none that was given up could be added in the end, unless Z3 stopped at that question;
    it is no promise that no other choice keeps more. ``spaces`` says whether tableau piles may get
    empty. ``rlimit`` bounds each question to Z3, one for a wish at most.

    It does not promise that a key is not built on the card that will lie under it, nor the same
    answer with another version of Z3. Raises ValueError if the wishes are not the whole pack.
    """
    wanted = {region: Counter[Card]() for region in Region}
    for region, card in wishes:
        wanted[region][card] += 1
    total = sum(wanted.values(), Counter[Card]())
    if total != Counter(rules.pack.cards()):
        raise ValueError("the wishes are not the whole pack")
    question = _Question(rules, base, wanted, spaces=spaces)
    question.solver.set("rlimit", rlimit)
    return _grow(question, wishes)


def _grow(question: _Question, wishes: Sequence[tuple[Region, Card]]) -> Filling:
    solver = question.solver
    first = solver.check()
    if first != z3.sat:
        stopped = first == z3.unknown
        return Filling(status=Status.STOPPED if stopped else Status.IMPOSSIBLE)
    model = solver.model()
    kept: list[Any] = []
    asked: Counter[tuple[Region, Card]] = Counter()
    for wish in wishes:
        wished = question.at_least[wish][asked[wish]]
        asked[wish] += 1
        if not z3.is_true(model.eval(wished)):
            if solver.check([*kept, wished]) != z3.sat:
                continue
            model = solver.model()
        kept.append(wished)
    counts = {
        region: {card: n for card in question.types if (n := question.count(model, region, card))}
        for region in Region
    }
    return Filling(status=Status.FOUND, counts=counts, kept=len(kept))


class _Question:
    """The conditions on a closed set over the numbers of cards in each region.

    ``at_least[region, card][n]`` holds where the region has more than n cards of that type. A
    context of its own keeps the answer free of what Z3 was asked before.
    """

    def __init__(
        self, rules: Rules, base: int, wanted: Mapping[Region, Counter[Card]], *, spaces: bool
    ) -> None:
        self.rules = rules
        self.base = base
        self.spaces = spaces
        self.context = z3.Context()
        # With these few hundred unknowns the finite-domain solver answers nearly every question;
        # the default one now and then stops at its limit.
        self.solver = z3.SolverFor("QF_FD", ctx=self.context)
        self.types = [rules.pack.card(index) for index in range(rules.pack.types)]
        self.tableau = {card: self._unknown(f"tableau {card}") for card in self.types}
        self.foundation = {card: self._unknown(f"foundation {card}") for card in self.types}
        self.at_least = {
            (region, card): [
                self._unknown(f"{region.value} {card} {n}") for n in range(rules.pack.decks)
            ]
            for region in Region
            for card in self.types
        }
        self._goes_up = {card: self._formula_goes_up(card) for card in self.types}
        self._has_parent = {card: self._formula_has_parent(card) for card in self.types}
        self._add_numbers(wanted)
        for card in self.types:
            self._add_foundation(card)
            self._add_tableau(card)
            self._add_keys(card)

    def count(self, model: Any, region: Region, card: Card) -> int:
        """The number of cards of a type in a region of a model."""
        return sum(z3.is_true(model.eval(some)) for some in self.at_least[region, card])

    def _unknown(self, name: str) -> Any:
        return z3.Bool(name, self.context)

    def _constant(self, *, value: bool) -> Any:
        return z3.BoolVal(value, self.context)

    def _any(self, conditions: Sequence[Any]) -> Any:
        return z3.Or(*conditions) if conditions else self._constant(value=False)

    def _add_numbers(self, wanted: Mapping[Region, Counter[Card]]) -> None:
        """Every region has its size, and every type as many copies as there are decks."""
        for levels in self.at_least.values():
            for fewer, more in pairwise(levels):
                self.solver.add(z3.Implies(more, fewer))
        for region in Region:
            levels = [some for card in self.types for some in self.at_least[region, card]]
            self.solver.add(z3.PbEq([(some, 1) for some in levels], wanted[region].total()))
        for card in self.types:
            levels = [some for region in Region for some in self.at_least[region, card]]
            self.solver.add(z3.PbEq([(some, 1) for some in levels], self.rules.pack.decks))
        for card, n in sorted(wanted[Region.FOUNDATION].items()):
            self.solver.add(self.at_least[Region.FOUNDATION, card][n - 1])

    def _present(self, region: Region, card: Card) -> Any:
        return self.at_least[region, card][0]

    def _formula_goes_up(self, card: Card) -> Any:
        if self.rules.starts_foundation(card, self.base):
            return self._constant(value=True)
        return self._any(
            [self.foundation[onto] for onto in self._onto(self.rules.foundation_build, card)]
        )

    def _formula_has_parent(self, card: Card) -> Any:
        return self._any(
            [self.tableau[onto] for onto in self._onto(self.rules.tableau_build, card)]
        )

    def _onto(self, policy: Policy, card: Card) -> Iterator[Card]:
        return (onto for onto in self.types if policy.allows(card, onto, self.base))

    def _add_foundation(self, card: Card) -> None:
        """Every free card that can go to a foundation has its type in the foundation set."""
        dealt = self._present(Region.FOUNDATION, card)
        free = [self._present(region, card) for region in Region if region in _FREE]
        self.solver.add(z3.Implies(dealt, self.foundation[card]))
        self.solver.add(
            z3.Implies(z3.And(self._any(free), self._goes_up[card]), self.foundation[card])
        )

    def _add_tableau(self, card: Card) -> None:
        """Every free card that can come to the tableau has its type in the tableau set."""
        for region in (Region.TABLEAU, Region.TABLEAU_KEY):
            self.solver.add(z3.Implies(self._present(region, card), self.tableau[card]))
        for region in (Region.RESERVE, Region.STOCK, Region.FOUNDATION):
            comes = self._comes_to_tableau(_ORIGIN[region], card)
            self.solver.add(
                z3.Implies(z3.And(self._present(region, card), comes), self.tableau[card])
            )

    def _comes_to_tableau(self, origin: str, card: Card) -> Any:
        rules = self.rules
        ways = [self._moved_from(origin, card)]
        if rules.returns:
            ways.append(z3.And(self.foundation[card], self._moved_from("foundation", card)))
        if self.spaces and self._fills(origin):
            ways.append(self._constant(value=True))
        return self._any(ways)

    def _moved_from(self, kind: str, card: Card) -> Any:
        """Whether a player may move the card from a kind of pile to the tableau."""
        rules = self.rules
        if kind == "foundation" and not rules.returns:
            return self._constant(value=False)
        ways = [self._has_parent[card]] if kind in rules.to_tableau else []
        if self.spaces and kind in rules.to_space and rules.space_takes(card, self.base):
            ways.append(self._constant(value=True))
        return self._any(ways)

    def _fills(self, origin: str) -> bool:
        # What the waste holds comes from the stock.
        names = {"stock", "waste"} if origin == "waste" else {origin}
        return bool(names & set(self.rules.fill))

    def _add_keys(self, card: Card) -> None:
        """No key can go to a foundation, to another pile, or into a space."""
        for region, kind in ((Region.TABLEAU_KEY, "tableau"), (Region.RESERVE_KEY, "reserve")):
            moves = [self._goes_up[card], self._moved_from(kind, card)]
            if self.spaces and self._fills(kind):
                moves.append(self._constant(value=True))
            self.solver.add(z3.Implies(self._present(region, card), z3.Not(self._any(moves))))


_FREE: Final = (Region.TABLEAU, Region.RESERVE, Region.STOCK, Region.FOUNDATION)

_ORIGIN: Final = {
    Region.RESERVE: "reserve",
    Region.STOCK: "waste",
    Region.FOUNDATION: "foundation",
}
