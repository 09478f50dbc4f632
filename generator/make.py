"""Making a pack: solvable deals by search, unsolvable ones by construction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from generator.closed_set import least_closed_set
from generator.explain import why_unsolvable
from generator.packs import CONSTRUCTED, DEALT, PackDeal, manifest
from generator.proving import CheckerDisagrees, Proved, Prover, confirm, seeds_from
from generator.shuffles import Seed
from generator.store import Store, question
from generator.unsolvable import construct_unsolvable
from spec.errors import InputError
from spec.game import Game
from verify.certificate import ClosedSet, Decision, Effort, Verdict, read_certificate
from verify.position import Position, read_position
from verify.rules import Rules, rules_of
from verify.search.decide import Limits

TRIES = 20
"""Seeds in a row that give no new construction, after which no more are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a pack should hold: how many deals of each verdict, from which seed on."""

    solvable: int
    unsolvable: int
    first: Seed
    limits: Limits
    workers: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A pack that has been made: its manifest and its deals, the solvable ones first."""

    head: dict[str, Any]
    deals: tuple[PackDeal, ...]


def make_pack(
    game: Game,
    order: Order,
    *,
    store: Store | None = None,
    met: Callable[[Proved], None] | None = None,
    built: Callable[[int], None] | None = None,
) -> Made:
    """The pack that ``order`` asks for: the first deals from its seed on that fit.

    ``met`` hears of every deal decided, ``built`` of every deal constructed. Raises InputError if
    the game has no such deals to construct, Unsupported if the engines do not play it.
    """
    rules = rules_of(game.ruleset, game=game.key)
    prover = Prover(rules=rules, limits=order.limits, store=store, workers=order.workers)
    won, counts = prover.solvable(order.solvable, order.first, met=met)
    deals = [
        PackDeal(origin=DEALT, seed=proved.seed, deal=proved.deal, decision=proved.decision)
        for proved in won
    ]
    deals += _unsolvable(rules, order, store=store, built=built)
    return Made(head=manifest(game, deals, counts, order.limits), deals=tuple(deals))


def _unsolvable(
    rules: Rules, order: Order, *, store: Store | None, built: Callable[[int], None] | None
) -> list[PackDeal]:
    found: list[PackDeal] = []
    seen: set[Position] = set()
    failed = 0
    if order.unsolvable == 0:
        return found
    for seed in seeds_from(order.first):
        constructed = construct(rules, seed, store=store)
        if constructed is None or constructed.deal.canonical() in seen:
            failed += 1
            if failed == TRIES:
                raise InputError(
                    f"no further unsolvable deal was constructed from {TRIES} seeds",
                    instead=f"ask for {len(found) or 'none'}: that is how many there are",
                    path="unsolvable",
                )
            continue
        failed = 0
        seen.add(constructed.deal.canonical())
        found.append(constructed)
        if built is not None:
            built(len(found))
        if len(found) == order.unsolvable:
            return found
    raise InputError(
        f"the seeds from {order.first} on are too few for {order.unsolvable} unsolvable deals",
        instead="start from a smaller seed",
        path="seed",
    )


def construct(rules: Rules, seed: Seed, *, store: Store | None = None) -> PackDeal | None:
    """An unsolvable deal near the deal of a seed, confirmed by the checker; None if none is found.

    What comes from the store is confirmed anew, and made anew if the checker rejects it.
    """
    asked = question("construct", rules.ruleset, seed)
    kept = store.get(asked) if store is not None else None
    pair = None if kept is None else _read(kept, rules)
    if pair is not None:
        try:
            return _confirmed(rules, seed, *pair)
        except CheckerDisagrees:
            pass
    pair = construct_unsolvable(rules, seed)
    if pair is None:
        return None
    made = _confirmed(rules, seed, *pair)
    if store is not None:
        store.put(asked, {"deal": pair[0].to_json(), "certificate": pair[1].to_json()})
    return made


def _confirmed(rules: Rules, seed: Seed, position: Position, closed: ClosedSet) -> PackDeal:
    decision = Decision(
        verdict=Verdict.UNSOLVABLE, certificate=closed, effort=Effort(), by="construction"
    )
    rests_on = confirm(rules, f"near {seed}", position, decision)
    return PackDeal(
        origin=CONSTRUCTED,
        seed=seed,
        deal=position,
        decision=decision,
        rests_on=rests_on,
        why=tuple(why_unsolvable(rules, position, closed)),
    )


def _read(kept: dict[str, Any], rules: Rules) -> tuple[Position, ClosedSet] | None:
    """A constructed deal from the store; None, so that it is made anew, if it reads as none."""
    try:
        certificate = read_certificate(kept["certificate"], rules)
        position = read_position(kept["deal"], pack=rules.pack, layout=rules.layout)
        if not isinstance(certificate, ClosedSet):
            return None
        # The lists in their one smallest form: equal bytes, whatever form was kept.
        return position, least_closed_set(rules, position, certificate.keys)
    except (KeyError, ValueError, InputError):
        return None
