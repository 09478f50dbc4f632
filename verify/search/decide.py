"""Deciding a deal: win searches and the exhaustive search take turns under one budget.

A win search narrows, so it may say SOLVABLE and never UNSOLVABLE. UNSOLVABLE comes from the
exhaustive search alone, when it has met every position. Everything else is UNDECIDED, with what
stopped it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from verify.certificate import Decision, Effort, Exhaustion, Verdict, Witness
from verify.moves import start_of
from verify.position import Position
from verify.rules import Rules
from verify.search import beam as beams
from verify.search import exhaust as exhaustion
from verify.search.board import NO_RETURNS, SINGLE_CARDS
from verify.search.moves import line_of
from verify.search.shorten import shortened
from verify.search.tables import Array, Tables, state_of, tables_of
from verify.search.weights import weight_sets

REDUCTIONS = (
    "piles of a kind in any order",
    "types that no rule tells apart",
    "cards under the top of a foundation that gives nothing back",
    "the number of the pass where passes are unlimited",
)
"""What the exhaustive search takes for one position. None leaves a position out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a decision may take: nodes, and megabytes for the table of positions.

    Answers depend on these alone; ``seconds`` is a second limit that depends on the machine.
    """

    nodes: int = 3_000_000
    megabytes: int = 256
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beam:
    width: int
    weights: int
    noise: float = 0.0
    cap: int = 0
    single_cards: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Everything:
    nodes: int


SCHEDULE: tuple[_Beam | _Everything, ...] = (
    _Beam(width=60, weights=0, single_cards=True),
    _Everything(nodes=20_000),
    _Beam(width=100, weights=0, cap=3),
    _Beam(width=100, weights=1),
    _Beam(width=300, weights=0, noise=4.0, single_cards=True),
    _Beam(width=300, weights=1, cap=3, noise=4.0),
    _Everything(nodes=300_000),
    _Beam(width=600, weights=0, cap=3),
    _Beam(width=600, weights=1, noise=8.0),
    _Beam(width=1500, weights=0, cap=6, noise=4.0),
    _Beam(width=1500, weights=1, noise=12.0, single_cards=True),
    _Beam(width=4000, weights=0, cap=10, noise=4.0),
)
"""Many small different beams, from narrow to wide, and exhaustive searches for small spaces.

Restricted moves come first: a win under fewer moves is a win. What is left of the budget goes to a
last exhaustive search.
"""


class _Search:
    """One decision under way."""

    def __init__(self, rules: Rules, deal: Position, limits: Limits, stop: Array) -> None:
        self.rules = rules
        self.deal = deal
        self.limits = limits
        self.stop = stop
        self.tables: Tables = tables_of(rules)
        self.start: Array = state_of(rules, deal)
        self.nodes = 0
        self.positions = 0

    def run(self) -> Decision:
        """The decision; its stages are a function of rules, deal and limits alone."""
        weights = weight_sets(self.rules)
        for number, stage in enumerate(SCHEDULE):
            if self.stop[0] or self.nodes >= self.limits.nodes:
                break
            if isinstance(stage, _Everything):
                decision = self._exhaust(min(stage.nodes, self.limits.nodes - self.nodes))
            else:
                decision = self._beam(stage, weights[stage.weights % len(weights)], seed=number)
            if decision is not None and decision.verdict is not Verdict.UNDECIDED:
                return decision
        last = self._exhaust(self.limits.nodes - self.nodes)
        return last or self._undecided("time" if self.stop[0] else "nodes")

    def _beam(self, stage: _Beam, weights: tuple[float, ...], *, seed: int) -> Decision | None:
        restricted = NO_RETURNS | (SINGLE_CARDS if stage.single_cards else 0)
        options = beams.BeamOptions(
            width=stage.width,
            weights=weights,
            noise=stage.noise,
            cap=stage.cap,
            seed=seed,
            restricted=restricted,
        )
        left = self.limits.nodes - self.nodes
        outcome, nodes, _, rows = beams.beam(
            self.tables, self.start, options, nodes=left, stop=self.stop
        )
        self.nodes += nodes
        if outcome != beams.WON:
            return None
        return self._won(rows, by=f"beam search, stage {seed + 1}, width {stage.width}")

    def _exhaust(self, nodes: int) -> Decision | None:
        if nodes <= 0 or self.stop[0]:
            return None
        outcome, expanded, positions, rows = exhaustion.exhaust(
            self.tables,
            self.start,
            nodes=nodes,
            megabytes=self.limits.megabytes,
            stop=self.stop,
        )
        self.nodes += expanded
        self.positions = max(self.positions, positions)
        if outcome == exhaustion.WON:
            rows = shortened(self.tables, self.start, rows)
            return self._won(rows, by="exhaustive search")
        if outcome == exhaustion.EXHAUSTED:
            certificate = Exhaustion(
                positions=positions, key_bits=exhaustion.KEY_BITS, reductions=REDUCTIONS
            )
            return Decision(
                verdict=Verdict.UNSOLVABLE,
                certificate=certificate,
                effort=self._effort(),
                by="exhaustive search",
            )
        stopped = {
            exhaustion.NODES: "nodes",
            exhaustion.MEMORY: "memory",
            exhaustion.DEPTH: "depth",
            exhaustion.STOPPED: "time",
        }
        return self._undecided(stopped[outcome])

    def _won(self, rows: Array, *, by: str) -> Decision:
        return Decision(
            verdict=Verdict.SOLVABLE,
            certificate=Witness(moves=line_of(self.rules, self.deal, rows)),
            effort=self._effort(),
            by=by,
        )

    def _undecided(self, why: str) -> Decision:
        return Decision(
            verdict=Verdict.UNDECIDED,
            certificate=None,
            effort=self._effort(),
            by=f"stopped by {why}",
        )

    def _effort(self) -> Effort:
        return Effort(nodes=self.nodes, positions=self.positions)


def decide(
    rules: Rules, deal: Position, *, limits: Limits | None = None, stop: Array | None = None
) -> Decision:
    """What is known of a deal after a search within the limits. Full information is meant.

    Does not check the certificate: :func:`verify.checker.check` does. Setting ``stop[0]`` from
    another thread ends the search with UNDECIDED. Raises InputError if the deal is none of this
    game.
    """
    limits = limits or Limits()
    stop = np.zeros(1, np.uint8) if stop is None else stop
    search = _Search(rules, start_of(rules, deal), limits, stop)
    if limits.seconds is None:
        return search.run()
    timer = threading.Timer(limits.seconds, _set, (stop,))
    timer.daemon = True
    timer.start()
    try:
        return search.run()
    finally:
        timer.cancel()


def _set(stop: Array) -> None:
    stop[0] = 1
