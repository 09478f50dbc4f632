"""Deals that are unsolvable by construction, each with the closed set that proves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from generator.closed_set import least_closed_set
from generator.dealers import deal
from generator.shuffles import DEALPROOF_END, Seed, dealproof_order
from spec.cards import Card
from spec.errors import InputError
from verify.certificate import ClosedSet, Key
from verify.checker import Rejected, check
from verify.moves import Place, start_of
from verify.position import Position
from verify.rules import Rules
from verify.smt.construct import RLIMIT, Region, Status, fill_regions

CONSTRUCTION: Final = "closed-set-1"
"""Name and version of the construction, as it enters the hash."""

TRIES: Final = 16
"""Sets of keys that are tried for one seed."""


def construct_unsolvable(
    rules: Rules, seed: Seed, *, tries: int = TRIES, rlimit: int = RLIMIT
) -> tuple[Position, ClosedSet] | None:
    """A deal near the deal of ``seed`` that cannot be won, and the closed set that proves it.

    The checker has accepted it. Cards that need not move are where the seed's deal has them. The
    keys are drawn from the seed, anew for each of at most ``tries`` tries; ``rlimit`` bounds each
    question to Z3. None if no try succeeds, which proves nothing, or no card of this game can be
    held. The deal is the same in every run with one version of Z3, and not the seed's own deal: it
    has to be kept as cards. Raises InputError as :func:`generator.dealers.deal` does, and for a
    game whose base rank is not in the deal.
    """
    near = deal(rules, seed)
    if near.base is None:
        raise InputError(
            "the base rank is not in the deal, so no closed set proves it unsolvable",
            instead="take a game with a fixed or a dealt base rank",
            path="pack.base",
        )
    for number in range(tries):
        label = f"{CONSTRUCTION}:{seed}"
        keys = _draw_keys(rules, label, number)
        if not keys:
            return None
        lost = _lost_deal(rules, near, keys, label=f"{label}:{number}", rlimit=rlimit)
        if lost is not None:
            return lost, _proved(rules, lost, keys)
    return None


def _proved(rules: Rules, lost: Position, keys: tuple[Key, ...]) -> ClosedSet:
    closed = least_closed_set(rules, lost, keys)
    try:
        check(rules, lost, closed)
    except Rejected as error:
        raise AssertionError(f"the construction and the checker disagree: {error}") from error
    return closed


def _order(size: int, label: str) -> list[int]:
    """An order of ``range(size)`` drawn from a label."""
    number = int.from_bytes(sha256(label.encode()).digest(), "big") % DEALPROOF_END
    return dealproof_order(size, number)


def _draw_keys(rules: Rules, label: str, number: int) -> tuple[Key, ...]:
    """Keys at places drawn from a label, for each number others: in the reserve, or the tableau.

    A card of a reserve that never fills a space is the only key; else each tableau pile has one, so
    that there is never a space. No keys if neither can be.
    """
    counts = {Place("reserve", n): count for n, count in enumerate(rules.layout.reserve) if count}
    fills = "reserve" in rules.fill or ("reserve" in rules.to_space and rules.space_ranks is None)
    if counts and not fills:
        place = list(counts)[_order(len(counts), f"{label}:pile")[0]]
        counts = {place: counts[place]}
    elif all(rules.layout.tableau):
        counts = {Place("tableau", n): count for n, count in enumerate(rules.layout.tableau)}
    else:
        return ()
    return tuple(
        Key(pile=place, depth=_order(count, f"{label}:{place}:{number // count}")[number % count])
        for place, count in counts.items()
    )


class _Slot(NamedTuple):
    """A place for a card in the layout, and the region that it belongs to."""

    group: str
    pile: int
    region: Region


def _lost_deal(
    rules: Rules, near: Position, keys: tuple[Key, ...], *, label: str, rlimit: int
) -> Position | None:
    assert near.base is not None
    slots, cards = _slots_and_cards(near, keys)
    filling = fill_regions(
        rules,
        near.base,
        [(slots[at].region, cards[at]) for at in _order(len(slots), f"{label}:wishes")],
        spaces=not _all_keyed(rules, keys),
        rlimit=rlimit,
    )
    if filling.status is not Status.FOUND:
        return None
    cards = _put_back(slots, cards, filling.counts, label=label)
    if rules.unit != "card" and not _part_keys_from_parents(rules, near.base, slots, cards):
        return None
    return _deal_of(rules, slots, cards, near)


def _all_keyed(rules: Rules, keys: Sequence[Key]) -> bool:
    return sum(key.pile.kind == "tableau" for key in keys) == len(rules.layout.tableau)


def _slots_and_cards(near: Position, keys: Sequence[Key]) -> tuple[list[_Slot], list[Card]]:
    depth = {key.pile: key.depth for key in keys}
    slots: list[_Slot] = []
    cards: list[Card] = []
    groups = {
        "foundation": near.foundations,
        "tableau": near.tableau,
        "reserve": near.reserve,
        "stock": (near.stock,),
    }
    for group, piles in groups.items():
        for number, pile in enumerate(piles):
            key = depth.get(Place(group, number), -1)
            for at, card in enumerate(pile):
                region = Region(group if at > key else f"{group} key" if at == key else "held")
                slots.append(_Slot(group=group, pile=number, region=region))
                cards.append(card)
    return slots, cards


def _put_back(
    slots: Sequence[_Slot],
    cards: Sequence[Card],
    counts: Mapping[Region, Mapping[Card, int]],
    *,
    label: str,
) -> list[Card]:
    """The cards slot by slot: those that their region still has stay; new ones are shuffled in."""
    left = {region: Counter(counts[region]) for region in Region}
    stays = []
    for slot, card in zip(slots, cards, strict=True):
        stays.append(left[slot.region][card] > 0)
        left[slot.region][card] -= stays[-1]
    new = {}
    for region, of_region in left.items():
        rest = sorted((+of_region).elements())
        order = _order(len(rest), f"{label}:rest:{region.value}")
        new[region] = iter([rest[index] for index in order])
    return [
        card if stay else next(new[slot.region])
        for slot, card, stay in zip(slots, cards, stays, strict=True)
    ]


def _part_keys_from_parents(
    rules: Rules, base: int, slots: Sequence[_Slot], cards: list[Card]
) -> bool:
    """Whether no key is built on the card under it, after exchanging held cards in ``cards``."""

    def moves_along(under: int) -> bool:
        above = under + 1
        return slots[above].region is Region.TABLEAU_KEY and rules.run.allows(
            cards[above], cards[under], base
        )

    held = [at for at, slot in enumerate(slots) if slot.region is Region.HELD]
    for under in held:
        for other in held:
            if not moves_along(under):
                break
            cards[under], cards[other] = cards[other], cards[under]
            if moves_along(under) or moves_along(other):
                cards[under], cards[other] = cards[other], cards[under]
        if moves_along(under):
            return False
    return True


def _deal_of(
    rules: Rules, slots: Sequence[_Slot], cards: Sequence[Card], near: Position
) -> Position:
    groups: dict[str, list[list[Card]]] = {
        "foundation": [[] for _ in near.foundations],
        "tableau": [[] for _ in near.tableau],
        "reserve": [[] for _ in near.reserve],
        "stock": [[]],
    }
    for slot, card in zip(slots, cards, strict=True):
        groups[slot.group][slot.pile].append(card)
    position = Position(
        foundations=tuple(map(tuple, groups["foundation"])),
        tableau=tuple(map(tuple, groups["tableau"])),
        face_down=near.face_down,
        reserve=tuple(map(tuple, groups["reserve"])),
        stock=tuple(groups["stock"][0]),
    )
    return start_of(rules, position)
