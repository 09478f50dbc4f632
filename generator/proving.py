"""Proving deals: the search decides, the checker confirms, the store keeps."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generator.closed_set import find_closed_set
from generator.dealers import deal
from generator.shuffles import Seed
from generator.store import Store, question
from spec.errors import InputError
from verify.certificate import Decision, Effort, Exhaustion, Verdict, read_certificate
from verify.checker import Rejected, check
from verify.moves import start_of
from verify.position import Position
from verify.rules import Rules
from verify.search.decide import Limits, decide
from verify.search.tables import Array


class CheckerDisagrees(Exception):
    """The checker rejects what the search found: a fault of ours, and no verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A deal with its decision. A decided one was accepted by the checker, or is an exhaustion."""

    seed: Seed
    deal: Position
    decision: Decision
    rests_on: tuple[str, ...] = ()


def confirm(rules: Rules, name: str, position: Position, decision: Decision) -> tuple[str, ...]:
    """The rules that the verdict rests on; CheckerDisagrees if the certificate is rejected."""
    rests_on: tuple[str, ...] = ()
    if decision.certificate is not None and not isinstance(decision.certificate, Exhaustion):
        try:
            acceptance = check(rules, position, decision.certificate)
        except Rejected as error:
            raise CheckerDisagrees(f"{rules.game} {name}: {error.why}\n{error.position}") from error
        if acceptance.verdict is not decision.verdict:
            raise CheckerDisagrees(f"{rules.game} {name}: {acceptance.verdict.value} was proved")
        rests_on = acceptance.rests_on
    return rests_on


def prove(
    rules: Rules,
    seed: Seed,
    *,
    limits: Limits,
    store: Store | None = None,
    stop: Array | None = None,
) -> Proved:
    """The deal of a seed with what is known of it within the limits.

    Raises InputError if there is no such deal, CheckerDisagrees if a certificate fails. One from
    the store that fails is made anew: a file that was damaged is no fault of the search.
    """
    position = deal(rules, seed)
    asked = question("decide", rules.ruleset, seed, limits)
    kept = store.get(asked) if store is not None else None
    if kept is not None:
        try:
            decision = read_decision(kept, rules)
            rests_on = confirm(rules, str(seed), position, decision)
            return Proved(seed=seed, deal=position, decision=decision, rests_on=rests_on)
        except (InputError, CheckerDisagrees):
            pass
    decision = decide(rules, position, limits=limits, stop=stop)
    rests_on = confirm(rules, str(seed), position, decision)
    interrupted = stop is not None and bool(stop[0])
    if store is not None and limits.seconds is None and not interrupted:
        store.put(asked, decision_json(decision))
    return Proved(seed=seed, deal=position, decision=decision, rests_on=rests_on)


def solve(rules: Rules, position: Position, *, limits: Limits) -> Decision:
    """What is known of a deal within the limits, its certificate accepted by the checker.

    A closed set that shows the deal to be lost is looked for first: it can be checked, which an
    exhaustive search cannot. Raises InputError if the deal is none of this game, CheckerDisagrees
    if a certificate fails.
    """
    start = start_of(rules, position)
    closed = find_closed_set(rules, start)
    if closed is not None:
        decision = Decision(
            verdict=Verdict.UNSOLVABLE, certificate=closed, effort=Effort(), by="closed set"
        )
    else:
        decision = _decide_in_a_thread(rules, start, limits)
    confirm(rules, "this deal", position, decision)
    return decision


def _decide_in_a_thread(rules: Rules, start: Position, limits: Limits) -> Decision:
    """The decision; Ctrl-C stops the search, as it cannot while compiled code has this thread."""
    stop = np.zeros(1, np.uint8)
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(decide, rules, start, limits=limits, stop=stop).result()
        finally:
            stop[0] = 1


def decision_json(decision: Decision) -> dict[str, Any]:
    """A decision as plain data with stable keys, which :func:`read_decision` reads."""
    certificate = decision.certificate
    return {
        "verdict": decision.verdict.value,
        "certificate": None if certificate is None else certificate.to_json(),
        "effort": decision.effort.to_json(),
        "by": decision.by,
    }


def read_decision(record: Mapping[str, Any], rules: Rules) -> Decision:
    """The decision that plain data states; InputError if it is malformed, true or false.

    Other keys of ``record`` are not looked at.
    """
    missing = [key for key in ("verdict", "certificate", "effort", "by") if key not in record]
    if missing:
        raise InputError(f"there is no {missing[0]!r}", instead="a decision has one")
    tree, effort, by = record["certificate"], record["effort"], record["by"]
    certificate = None if tree is None else read_certificate(tree, rules)
    verdicts = {verdict.value: verdict for verdict in Verdict}
    if not isinstance(record["verdict"], str) or record["verdict"] not in verdicts:
        raise InputError(
            f"{record['verdict']!r}", instead=f"one of {', '.join(verdicts)}", path="verdict"
        )
    numbers = effort if isinstance(effort, dict) else {}
    if set(numbers) != {"nodes", "positions"} or not all(
        type(n) is int and n >= 0 for n in numbers.values()
    ):
        raise InputError(f"{effort!r}", instead="nodes and positions, two numbers", path="effort")
    if not isinstance(by, str):
        raise InputError(f"{by!r}", instead="a text that says what decided it", path="by")
    try:
        return Decision(
            verdict=verdicts[record["verdict"]],
            certificate=certificate,
            effort=Effort(**numbers),
            by=by,
        )
    except ValueError as error:
        raise InputError(
            str(error), instead="the certificate proves the verdict", path="verdict"
        ) from error


def seeds_from(first: Seed) -> Iterator[Seed]:
    """The seeds of a dealer from one on, as far as its numbers go."""
    for number in itertools.count(first.number):
        try:
            seed = Seed(dealer=first.dealer, number=number)
        except ValueError:
            return
        yield seed


@dataclass(slots=True)
class Counts:
    """How many deals of each verdict have been met."""

    solvable: int = 0
    unsolvable: int = 0
    undecided: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count one more."""
        setattr(self, verdict.value, getattr(self, verdict.value) + 1)

    def to_json(self) -> dict[str, int]:
        """Plain data with stable keys."""
        return {
            "solvable": self.solvable,
            "unsolvable": self.unsolvable,
            "undecided": self.undecided,
        }

    def __str__(self) -> str:
        return f"{self.solvable} solvable, {self.unsolvable} unsolvable, {self.undecided} undecided"


@dataclass(kw_only=True)
class Prover:
    """Proves the deals of consecutive seeds, on several threads, in the order of the seeds.

    Compiled code runs without Python's lock, so threads share one compilation. What comes out does
    not depend on the number of workers, so the limits are counts: ValueError for seconds.
    """

    rules: Rules
    limits: Limits
    store: Store | None = None
    workers: int = 2
    _stop: Array = field(default_factory=lambda: np.zeros(1, np.uint8))

    def __post_init__(self) -> None:
        """Refuse a limit that depends on the machine."""
        if self.limits.seconds is not None:
            raise ValueError("deals in a row are limited by nodes, not by seconds")

    def prove(self, seeds: Iterator[Seed]) -> Generator[Proved, None, None]:
        """The deals of ``seeds`` as they are decided. Closing the iterator stops the workers."""
        self._stop[0] = 0
        with ThreadPoolExecutor(self.workers) as pool:
            pending: deque[Future[Proved]] = deque()
            try:
                for seed in itertools.islice(seeds, self.workers * 2):
                    pending.append(pool.submit(self._prove, seed))
                while pending:
                    proved = pending.popleft().result()
                    following = next(seeds, None)
                    if following is not None:
                        pending.append(pool.submit(self._prove, following))
                    yield proved
            finally:
                self._stop[0] = 1
                for future in pending:
                    future.cancel()

    def _prove(self, seed: Seed) -> Proved:
        return prove(self.rules, seed, limits=self.limits, store=self.store, stop=self._stop)

    def solvable(
        self, count: int, first: Seed, *, met: Callable[[Proved], None] | None = None
    ) -> tuple[list[Proved], Counts]:
        """The first ``count`` solvable deals from a seed on, and all verdicts met on the way.

        Every deal that is decided is handed to ``met`` first, in the order of the seeds. Raises
        InputError if the dealer has no further numbers.
        """
        found: list[Proved] = []
        counts = Counts()
        if count == 0:
            return found, counts
        # Closed in any case: an interrupt in ``met`` stops the workers too.
        with closing(self.prove(seeds_from(first))) as deals:
            for proved in deals:
                counts.add(proved.decision.verdict)
                if met is not None:
                    met(proved)
                if proved.decision.verdict is Verdict.SOLVABLE:
                    found.append(proved)
                    if len(found) == count:
                        return found, counts
        raise InputError(
            f"the seeds from {first} on have {len(found)} solvable deals and {count} are wanted",
            instead="start from a smaller seed",
            path="seed",
        )
