"""How long checks, constructions and the checker take. Nothing is asserted.

make bench                       both benchmarks
python benchmarks/bench_checks.py --json
"""

from __future__ import annotations

from support import Row, median, options, setting, show, timed

from generator.closed_set import find_closed_set
from generator.dealers import deal
from generator.shuffles import Seed
from generator.unsolvable import construct_unsolvable
from spec.game import game_names, load_game
from verify.certificate import Witness
from verify.checker import check
from verify.position import Position
from verify.rules import Rules, rules_of
from verify.search.decide import Limits, decide
from verify.search.warm import warm_up
from verify.smt.check import check_document

TIMES = 3
SEEDS = range(1, 9)
BUDGET = 500_000


def main() -> None:
    """Print the tables."""
    asked = options(__doc__ or "")
    warm_up()
    times, seeds = (1, SEEDS[:1]) if asked.quick else (TIMES, SEEDS)
    names = game_names()
    show("setting", [setting()], as_json=asked.json)
    show(
        f"loading a game, and checking its document with Z3, medians (times: {times})",
        [_document(name, times) for name in names],
        as_json=asked.json,
    )
    rules = [rules_of(load_game(name).ruleset, game=name) for name in names]
    show(
        f"constructing unsolvable deals, medians (seeds: {len(seeds)})",
        [_constructed(one, seeds) for one in rules],
        as_json=asked.json,
    )
    show(
        f"the checker on winning lines, medians (seeds: {len(seeds)})",
        [_witnesses(one, seeds) for one in rules],
        as_json=asked.json,
    )


def _document(name: str, times: int) -> Row:
    loads, checks, findings = [], [], 0
    for _ in range(times):
        seconds, game = timed(load_game, name)
        loads.append(seconds)
        if game.document is not None:
            seconds, found = timed(check_document, game.document, game.ruleset)
            checks.append(seconds)
            findings = len(found)
    return {
        "game": name,
        "findings": findings,
        "seconds to load": median(loads),
        "seconds to check": median(checks),
    }


def _deal(rules: Rules, number: int) -> Position:
    return deal(rules, Seed(dealer="dealproof", number=number))


def _constructed(rules: Rules, seeds: range) -> Row:
    built, checked, searched, found = [], [], [], 0
    for number in seeds:
        seed = Seed(dealer="dealproof", number=number)
        seconds, pair = timed(construct_unsolvable, rules, seed)
        built.append(seconds)
        if pair is None:
            continue
        found += 1
        position, closed = pair
        seconds, _ = timed(check, rules, position, closed)
        checked.append(seconds)
        seconds, _ = timed(find_closed_set, rules, position)
        searched.append(seconds)
    return {
        "game": rules.game,
        "constructed": f"{found} of {len(seeds)}",
        "seconds to construct": median(built),
        "to check": median(checked),
        "to find the set again": median(searched),
    }


def _witnesses(rules: Rules, seeds: range) -> Row:
    seconds_each, moves = [], []
    for number in seeds:
        position = _deal(rules, number)
        witness = decide(rules, position, limits=Limits(nodes=BUDGET)).certificate
        if isinstance(witness, Witness):
            seconds, _ = timed(check, rules, position, witness)
            seconds_each.append(seconds)
            moves.append(len(witness.moves))
    return {
        "game": rules.game,
        "lines": len(moves),
        "moves": median(moves),
        "seconds to replay": median(seconds_each),
    }


if __name__ == "__main__":
    main()
