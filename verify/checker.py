"""The independent checker: accepts or rejects a certificate for a deal.

It knows positions and moves, and neither the search nor the solver that found the certificate. A
witness is replayed. For a closed set it checks, on the deal and the lists alone, that the set holds
the deal, that no move leaves it, and that no position in it is won.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spec.cards import Card
from spec.ruleset import value_at
from verify.certificate import Certificate, ClosedSet, Exhaustion, Key, Verdict, Witness
from verify.moves import IllegalMove, Place, apply, is_won, start_of
from verify.position import Position
from verify.rules import Rules


class Rejected(Exception):
    """A certificate that does not prove its claim: why, and the position where it fails."""

    def __init__(self, why: str, position: Position) -> None:
        self.why = why
        self.position = position
        super().__init__(why)


class NotCheckable(Exception):
    """A certificate that no one can check without searching again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The verdict that a certificate proves, and the rules it rests on, path by path."""

    verdict: Verdict
    rests_on: tuple[str, ...]


def check(rules: Rules, deal: Position, certificate: Certificate) -> Acceptance:
    """The verdict that ``certificate`` proves of ``deal``.

    Raises Rejected, with the reason and the position, if it proves nothing; NotCheckable for an
    exhaustion; InputError if the deal is none of this game.
    """
    start = start_of(rules, deal)
    rules.pack.check_complete(start.cards())
    if isinstance(certificate, Witness):
        return _check_witness(rules, start, certificate)
    if isinstance(certificate, ClosedSet):
        _ClosedSetCheck(rules, start, certificate).run()
        return Acceptance(verdict=Verdict.UNSOLVABLE, rests_on=_rests_on(rules))
    assert isinstance(certificate, Exhaustion)
    raise NotCheckable(f"an exhaustive search of {certificate.positions} positions: search again")


def _check_witness(rules: Rules, position: Position, witness: Witness) -> Acceptance:
    for number, move in enumerate(witness.moves, start=1):
        try:
            position = apply(rules, position, move)
        except IllegalMove as error:
            raise Rejected(f"move {number}, {error}", position) from error
    if not is_won(rules, position):
        left = rules.pack.size - sum(map(len, position.foundations))
        raise Rejected(
            f"after {len(witness.moves)} moves {left} cards are not on a foundation", position
        )
    return Acceptance(verdict=Verdict.SOLVABLE, rests_on=())


_READING_DEPENDENT = (
    "foundations.returns",
    "tableau.build.wrap",
    "tableau.from",
    "tableau.move.unit",
    "tableau.spaces.accept",
    "tableau.spaces.from",
    "tableau.spaces.fill",
)


def _rests_on(rules: Rules) -> tuple[str, ...]:
    """The values on which documents differ and the claim depends."""
    said = []
    for path in _READING_DEPENDENT:
        value = value_at(rules.ruleset, path)
        if value is not None:
            said.append(f"{path}: {', '.join(value) if isinstance(value, list) else value}")
    return tuple(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Free:
    """A card of the deal that is not held by a key, and the kind of pile it is dealt to."""

    card: Card
    origin: str


class _ClosedSetCheck:
    """The conditions on a closed set, each with the reason why it must hold.

    The set's positions are those in which (1) every card at or below a key lies where it was dealt,
    (2) every other card in the tableau, and every key there, has its type in ``tableau``, and
    (3) every card on a foundation has its type in ``foundation``. Every condition below allows
    more than the rules do (any order of the stock, any depth of the waste, no cap), so what passes
    here holds for the game.
    """

    def __init__(self, rules: Rules, start: Position, closed: ClosedSet) -> None:
        self.rules = rules
        self.start = start
        self.closed = closed
        self.depth = {key.pile: key.depth for key in closed.keys}
        self.free = list(self._free_cards())
        # A keyed pile is never empty, so spaces occur only where some tableau pile has no key.
        self.spaces = any(
            Place("tableau", number) not in self.depth for number in range(len(start.tableau))
        )

    def run(self) -> None:
        """Nothing, or Rejected."""
        self._well_formed()
        self._holds_the_deal()
        self._free_cards_stay_inside()
        for key in self.closed.keys:
            self._key_never_moves(key)

    def _reject(self, why: str) -> None:
        raise Rejected(why, self.start)

    def _piles(self) -> Iterator[tuple[Place, tuple[Card, ...]]]:
        for kind, piles in (("tableau", self.start.tableau), ("reserve", self.start.reserve)):
            for number, pile in enumerate(piles):
                yield Place(kind, number), pile

    def _free_cards(self) -> Iterator[_Free]:
        for place, pile in self._piles():
            for card in pile[self.depth.get(place, -1) + 1 :]:
                yield _Free(card=card, origin=place.kind)
        for card in self.start.stock:
            yield _Free(card=card, origin="stock")
        for pile in self.start.foundations:
            for card in pile:
                yield _Free(card=card, origin="foundation")

    def _well_formed(self) -> None:
        if not self.closed.keys:
            # Without a held card, won positions are in the set.
            self._reject("no key: nothing in the set keeps a card from the foundations")
        for key in self.closed.keys:
            if not 0 <= key.depth < len(dict(self._piles()).get(key.pile, ())):
                self._reject(f"the key {key} is no card of the deal")
        if len(self.depth) != len(self.closed.keys):
            self._reject("two keys in one pile")
        if self.start.base is None:
            self._reject("the base rank is not in the deal, so the set does not follow from it")

    def _holds_the_deal(self) -> None:
        for place, pile in self._piles():
            if place.kind != "tableau":
                continue
            for card in pile[self.depth.get(place, 0) :]:
                if card not in self.closed.tableau:
                    self._reject(f"{card} lies open in {place.name} and is not in the tableau set")
        for pile in self.start.foundations:
            for card in pile:
                if card not in self.closed.foundation:
                    self._reject(f"{card} is dealt to a foundation and not in the foundation set")

    def _free_cards_stay_inside(self) -> None:
        for free in self.free:
            card = free.card
            if card not in self.closed.foundation and self._goes_up(card):
                self._reject(f"{card} can go to a foundation and is not in the foundation set")
            if card in self.closed.tableau:
                continue
            kinds = self._kinds(free)
            if kinds & self.rules.to_tableau and self._has_parent(card):
                self._reject(f"{card} can be built in the tableau and is not in the tableau set")
            if self.spaces and (self._filled_from(free) or self._put_in_space(card, kinds)):
                self._reject(f"{card} can fill a space and is not in the tableau set")

    def _kinds(self, free: _Free) -> set[str]:
        """From which kinds of pile the card may move, if it is not in the tableau set."""
        kinds = {"waste" if free.origin == "stock" else free.origin}
        if free.card in self.closed.foundation:
            kinds.add("foundation")
        return kinds if self.rules.returns else kinds - {"foundation"}

    def _goes_up(self, card: Card) -> bool:
        base = self.start.base
        return self.rules.starts_foundation(card, base) or any(
            self.rules.foundation_build.allows(card, onto, base) for onto in self.closed.foundation
        )

    def _has_parent(self, card: Card) -> bool:
        return any(
            self.rules.tableau_build.allows(card, onto, self.start.base)
            for onto in self.closed.tableau
        )

    def _filled_from(self, free: _Free) -> bool:
        """Whether an automatic fill may take the card. Waste cards come from the stock."""
        names = {"stock", "waste"} if free.origin == "stock" else {free.origin}
        return bool(names & set(self.rules.fill))

    def _put_in_space(self, card: Card, kinds: set[str]) -> bool:
        return bool(kinds & self.rules.to_space) and self.rules.space_takes(card, self.start.base)

    def _key_never_moves(self, key: Key) -> None:
        pile = dict(self._piles())[key.pile]
        card, kind = pile[key.depth], key.pile.kind
        where = f"the key {card} in {key.pile.name}"
        if self._goes_up(card):
            self._reject(f"{where} can go to a foundation")
        if kind in self.rules.to_tableau and self._has_parent(card):
            self._reject(f"{where} can be built in the tableau")
        held = _Free(card=card, origin=kind)
        if self.spaces and (self._filled_from(held) or self._put_in_space(card, {kind})):
            self._reject(f"{where} can fill a space")
        # A group that starts below the key takes the key along, if the key is built on that card.
        if kind == "tableau" and key.depth > 0 and self.rules.unit != "card":
            under = pile[key.depth - 1]
            if self.rules.run.allows(card, under, self.start.base):
                self._reject(f"{where} can move in a group with {under} under it")
