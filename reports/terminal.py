"""Progress for people, on standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from generator.explain import why_unsolvable
from generator.packs import Recheck
from generator.proving import Counts, Proved
from reports.model import GamePage
from reports.words import counted
from verify.certificate import PROVES, ClosedSet, Decision, Exhaustion, Witness
from verify.position import Position
from verify.rules import Rules

EVERY = 5.0
"""Seconds between two lines where standard error is no terminal."""


def say(text: str) -> None:
    """Tell a person something, on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


class Watch:
    """Tells how a search for solvable deals gets on: rate, time left, counts of each verdict."""

    def __init__(self, label: str, wanted: int, *, quiet: bool = False) -> None:
        self.label = label
        self.wanted = wanted
        self.quiet = quiet
        self.counts = Counts()
        self.start = self.told = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr.isatty() and not quiet:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[at]}"),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(label, total=wanted, at="")

    def __enter__(self) -> Watch:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if not self.quiet and self.wanted:
            say(f"{self.label}: {self._at()}")

    def met(self, proved: Proved) -> None:
        """One more deal is decided."""
        self.counts.add(proved.decision.verdict)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self.counts.solvable, at=self._at())
        elif not self.quiet and time.monotonic() - self.told > EVERY:
            self.told = time.monotonic()
            say(f"{self.label}: {self._at()}")

    def built(self, count: int, wanted: int) -> None:
        """One more unsolvable deal is constructed."""
        if self._bar is not None and self._task is not None:
            at = f"{count} of {wanted} unsolvable deals constructed"
            self._bar.update(self._task, completed=count, total=wanted, at=at)

    def _at(self) -> str:
        seconds = max(time.monotonic() - self.start, 1e-9)
        deals = sum(self.counts.to_json().values())
        text = f"{self.counts.solvable} of {self.wanted} solvable deals; met {self.counts}"
        text += f"; {deals / seconds:.1f} deals/s"
        left = self.wanted - self.counts.solvable
        if left > 0 and self.counts.solvable > 0:
            text += f", about {left * seconds / self.counts.solvable:.0f} s left"
        return text


def decision_text(rules: Rules, deal: Position, decision: Decision) -> str:
    """A decision in lines: the verdict and what decided it, then the winning line or the reason."""
    effort = decision.effort
    lines = [f"{decision.verdict.value} ({decision.by}; {effort.nodes:,} nodes)"]
    certificate = decision.certificate
    if isinstance(certificate, Witness):
        lines[0] += f", {len(certificate.moves)} moves, replayed by the checker"
        moves = (f"{number:4} {move}" for number, move in enumerate(certificate.moves, 1))
        lines += moves
    elif isinstance(certificate, ClosedSet):
        lines[0] += ", accepted by the checker"
        lines += why_unsolvable(rules, deal, certificate)
    elif isinstance(certificate, Exhaustion):
        lines.append(
            f"All {certificate.positions:,} positions were met, up to "
            f"{' and '.join(certificate.reductions)}. No one can check this but by searching again."
        )
    else:
        lines.append("Nothing is known of this deal. Larger limits may decide it.")
    return "\n".join(lines)


def recheck_text(file: Path, line: Recheck) -> str:
    """A line that was not accepted, with the position in which it fails."""
    said = "not checkable" if line.accepted is None else "rejected"
    text = f"{file}:{line.line}: {said}: {line.seed}, {line.verdict.value}: {line.why}"
    return text if line.position is None else f"{text}\n{_indented(str(line.position))}"


def _indented(text: str) -> str:
    return "\n".join(f"    {row}" for row in text.splitlines())


def recheck_summary(file: Path, lines: list[Recheck]) -> str:
    """How many lines were accepted, by verdict, and on which rules the unsolvable ones rest."""
    accepted = [line for line in lines if line.accepted]
    counts = ", ".join(
        f"{sum(line.verdict.value == verdict for line in accepted)} {verdict}"
        for verdict in ("solvable", "unsolvable")
    )
    text = f"{file}: {len(accepted)} of {len(lines)} deals accepted: {counts}"
    rests_on = next((line.rests_on for line in accepted if line.rests_on), ())
    return f"{text}\n    unsolvable under {'; '.join(rests_on)}" if rests_on else text


def run_summary(page: GamePage, pack: Path) -> str:
    """A game in one line: what was proved, what was found."""
    deals = [PROVES[type(deal.certificate)].value for deal in page.deals]
    errors = sum(finding.severity == "error" for finding in page.findings)
    return (
        f"{page.title}: {counted(deals.count('solvable'), 'deal')} proved solvable, "
        f"{deals.count('unsolvable')} unsolvable ({pack.name}); "
        f"{counted(len(page.findings), 'finding')} in its document, "
        f"{counted(errors, 'error')} among them"
    )
