"""How fast the search is, and how much it decides within a budget. Nothing is asserted.

Rates and times depend on the machine. The columns of verdicts and nodes do not: they are the same
in every run of one version, and show when a change of the search costs solved deals.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator

import numpy as np
from support import Row, median, options, setting, show, timed

from generator.dealers import deal
from generator.proving import Prover
from generator.shuffles import Seed
from spec.game import game_names, load_game
from verify.certificate import Verdict, Witness
from verify.rules import Rules, rules_of
from verify.search import beam as beams
from verify.search import exhaust as exhaustion
from verify.search.board import NO_RETURNS
from verify.search.decide import Limits, decide
from verify.search.tables import state_of, tables_of
from verify.search.warm import warm_up
from verify.search.weights import weight_sets

SEEDS = range(1, 21)
BUDGET = 500_000
"""Nodes for a deal: a sixth of what the command line allows."""

RATE_SEEDS = range(1, 6)
BEAM_WIDTH = 300
BEAM_NODES = 500_000
EXHAUSTIVE_NODES = 200_000

WORKERS_GAME = "josephine"
WORKERS_SEEDS = range(1, 13)

START = "from verify.search.warm import warm_up; warm_up()"


def main() -> None:
    """Print the tables."""
    asked = options(__doc__ or "")
    games = [rules_of(load_game(name).ruleset, game=name) for name in game_names()]
    warm_up()
    seeds, rate_seeds = (SEEDS[:2], RATE_SEEDS[:1]) if asked.quick else (SEEDS, RATE_SEEDS)
    show("setting", [setting()], as_json=asked.json)
    show(
        f"positions a second, medians (deals: {len(rate_seeds)})",
        [_rates(rules, rate_seeds) for rules in games],
        as_json=asked.json,
    )
    show(
        f"seeds 1 to {len(seeds)} at {BUDGET:,} nodes a deal",
        [_decided(rules, seeds) for rules in games],
        as_json=asked.json,
    )
    ratios = [_workers(WORKERS_SEEDS[:2] if asked.quick else WORKERS_SEEDS)]
    if not asked.quick:
        ratios.append(_starts())
    show("ratios within this run", ratios, as_json=asked.json)


def _seeds(numbers: range) -> Iterator[Seed]:
    return (Seed(dealer="dealproof", number=number) for number in numbers)


def _rates(rules: Rules, seeds: range) -> Row:
    tables, stop = tables_of(rules), np.zeros(1, np.uint8)
    wide = beams.BeamOptions(width=BEAM_WIDTH, weights=weight_sets(rules)[0], restricted=NO_RETURNS)
    beam, everything = [], []
    for seed in _seeds(seeds):
        start = state_of(rules, deal(rules, seed))
        seconds, (_, nodes, _, _) = timed(
            beams.beam, tables, start, wide, nodes=BEAM_NODES, stop=stop
        )
        beam.append(nodes / seconds)
        seconds, (_, nodes, _, _) = timed(
            exhaustion.exhaust, tables, start, nodes=EXHAUSTIVE_NODES, megabytes=64, stop=stop
        )
        everything.append(nodes / seconds)
    return {"game": rules.game, "beam": median(beam), "exhaustive": median(everything)}


def _decided(rules: Rules, seeds: range) -> Row:
    verdicts: Counter[Verdict] = Counter()
    times, nodes, moves = [], [], []
    for seed in _seeds(seeds):
        position = deal(rules, seed)
        seconds, decision = timed(decide, rules, position, limits=Limits(nodes=BUDGET))
        verdicts[decision.verdict] += 1
        times.append(seconds)
        if isinstance(decision.certificate, Witness):
            nodes.append(decision.effort.nodes)
            moves.append(len(decision.certificate.moves))
    counts = {verdict.value: verdicts[verdict] for verdict in Verdict}
    return {
        "game": rules.game,
        **counts,
        "nodes of a win": median(nodes),
        "moves of a win": median(moves),
        "seconds a deal": median(times),
    }


def _workers(seeds: range) -> Row:
    """The same deals by one worker and by two; they come out the same, in the same order."""
    rules = rules_of(load_game(WORKERS_GAME).ruleset, game=WORKERS_GAME)
    times, found = [], []
    for workers in (1, 2):
        prover = Prover(rules=rules, limits=Limits(nodes=BUDGET), workers=workers)
        seconds, proved = timed(list, prover.prove(_seeds(seeds)))
        times.append(seconds)
        found.append([one.decision for one in proved])
    same = "the same decisions" if found[0] == found[1] else "DIFFERENT DECISIONS"
    return _ratio(f"deals by 1 worker, by 2 workers ({same})", *times)


def _starts() -> Row:
    """A start that compiles the search, and one that finds it compiled."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-c", START]

        cold, _ = timed(subprocess.run, command, env=environment, check=True)
        warm, _ = timed(subprocess.run, command, env=environment, check=True)
    return _ratio("start that compiles the search, that finds it compiled", cold, warm)


def _ratio(what: str, first: float, second: float) -> Row:
    return {"what": what, "first, s": first, "second, s": second, "ratio": first / second}


if __name__ == "__main__":
    main()
