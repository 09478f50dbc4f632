"""Closed sets for a deal: the smallest one for given keys, and the keys for which there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from spec.cards import Card
from verify.certificate import ClosedSet, Key
from verify.moves import Place, start_of
from verify.position import Pile, Position
from verify.rules import Policy, Rules


def least_closed_set(rules: Rules, deal: Position, keys: Sequence[Key]) -> ClosedSet:
    """The closed set with these keys whose lists are the smallest that hold the deal.

    Every position that play can reach is in it as long as no key moves; whether none does is not
    asked here, :func:`verify.checker.check` decides it. Every other closed set with the same keys
    has these types too, so the checker accepts this one if it accepts any. Raises InputError if
    the deal is none of this game, ValueError for two keys in one pile and a key that is no card of
    the deal.
    """
    start = start_of(rules, deal)
    _require_cards(start, keys)
    growth = _Growth(rules, start, keys)
    while growth.grow():
        pass
    return ClosedSet(
        keys=tuple(keys),
        tableau=frozenset(growth.tableau),
        foundation=frozenset(growth.foundation),
    )


def find_closed_set(rules: Rules, deal: Position) -> ClosedSet | None:
    """The closed set with the most keys that proves the deal unsolvable; None if there is none.

    None says nothing about the deal: of random deals of full packs hardly any has a closed set. In
    each pile the key is the highest card that can be one. Raises InputError if the deal is none of
    this game.
    """
    start = start_of(rules, deal)
    if start.base is None:
        return None
    # With fewer cards held, more can move. So a key that can move when all cards are held as far up
    # as possible is a key of no closed set, and its place is taken by the card below it.
    depth = {place: len(pile) - 1 for place, pile in _piles(start) if pile}
    while True:
        keys = [Key(pile=place, depth=at) for place, at in depth.items()]
        growth = _Growth(rules, start, keys)
        while growth.grow():
            pass
        moving = [key for key in keys if growth.moves(key)]
        if not moving:
            break
        for key in moving:
            depth[key.pile] -= 1
            if depth[key.pile] < 0:
                del depth[key.pile]
    return least_closed_set(rules, start, keys) if keys else None


def _piles(start: Position) -> Iterator[tuple[Place, Pile]]:
    for kind, piles in (("tableau", start.tableau), ("reserve", start.reserve)):
        for number, pile in enumerate(piles):
            yield Place(kind, number), pile


def _require_cards(start: Position, keys: Sequence[Key]) -> None:
    piles = dict(_piles(start))
    for key in keys:
        if not 0 <= key.depth < len(piles.get(key.pile, ())):
            raise ValueError(f"the key {key} is no card of the deal")
    if len({key.pile for key in keys}) != len(keys):
        raise ValueError("two keys in one pile")


class _Growth:
    """The two lists of a closed set, from what the deal shows to what follows from it."""

    def __init__(self, rules: Rules, start: Position, keys: Sequence[Key]) -> None:
        self.rules = rules
        self.base = start.base
        self.piles = dict(_piles(start))
        depth = {key.pile: key.depth for key in keys}
        self.spaces = any(
            Place("tableau", number) not in depth for number in range(len(start.tableau))
        )
        self.foundation = {card for pile in start.foundations for card in pile}
        self.tableau: set[Card] = set()
        # The kinds of pile in which a free card of each type lies that is not in the tableau.
        self.outside: dict[Card, set[str]] = {}
        self.free = set(start.stock) | self.foundation
        for place, pile in self.piles.items():
            above = pile[depth.get(place, -1) + 1 :]
            self.free |= set(above)
            if place.kind == "tableau":
                self.tableau |= set(pile[depth.get(place, 0) :])
            else:
                self._lie(above, place.kind)
        self._lie(start.stock, "waste")
        self._lie(tuple(self.foundation), "foundation")

    def _lie(self, cards: Pile, kind: str) -> None:
        for card in cards:
            self.outside.setdefault(card, set()).add(kind)

    def grow(self) -> bool:
        """Whether types were added that can follow in one move from those that were there."""
        up = {card for card in self.free - self.foundation if self._goes_up(card)}
        down = {
            card
            for card, kinds in self.outside.items()
            if card not in self.tableau
            and any(self._comes_down(card, kind) for kind in self._kinds(card, kinds))
        }
        self.foundation |= up
        self.tableau |= down
        return bool(up or down)

    def moves(self, key: Key) -> bool:
        """Whether the lists allow the key a move."""
        pile, kind = self.piles[key.pile], key.pile.kind
        card = pile[key.depth]
        in_a_group = (
            kind == "tableau"
            and self.rules.unit != "card"
            and key.depth > 0
            and self.rules.run.allows(card, pile[key.depth - 1], self.base)
        )
        return in_a_group or self._goes_up(card) or self._comes_down(card, kind)

    def _kinds(self, card: Card, kinds: set[str]) -> set[str]:
        if not self.rules.returns:
            return kinds - {"foundation"}
        return kinds | {"foundation"} if card in self.foundation else kinds

    def _goes_up(self, card: Card) -> bool:
        if self.rules.starts_foundation(card, self.base):
            return True
        onto = _onto(self.rules.foundation_build, self.base or 1)
        return not self.foundation.isdisjoint(onto[card])

    def _comes_down(self, card: Card, kind: str) -> bool:
        """Whether the card can come from a kind of pile onto a tableau pile."""
        rules = self.rules
        onto = _onto(rules.tableau_build, self.base or 1)
        if kind in rules.to_tableau and not self.tableau.isdisjoint(onto[card]):
            return True
        if not self.spaces:
            return False
        fillers = {"waste", "stock"} if kind == "waste" else {kind}
        if not fillers.isdisjoint(rules.fill):
            return True
        return kind in rules.to_space and rules.space_takes(card, self.base)


@lru_cache(maxsize=64)
def _onto(policy: Policy, base: int) -> dict[Card, frozenset[Card]]:
    """The types on which each type may be built."""
    types = [policy.pack.card(index) for index in range(policy.pack.types)]
    return {
        card: frozenset(onto for onto in types if policy.allows(card, onto, base)) for card in types
    }
