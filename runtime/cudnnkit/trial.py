"""A candidate on its way through a search, and the rule that picks among those that were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cudnnkit.candidates import Candidate, Description, Executable
from cudnnkit.choice import Alternative
from cudnnkit.measure import Samples
from cudnnkit.report import Row, Status
from cudnnkit.sizes import format_bytes

__all__ = ["Trial", "pick", "why", "why_not"]

A = TypeVar("A")


@dataclass
class Trial(Generic[A]):
    """A candidate on its way through a search."""

    candidate: Candidate[A]
    description: Description
    status: Status | None = None
    reason: str = ""
    workspace: int = 0
    executable: Executable[A] | None = None
    samples: Samples = field(default_factory=Samples)

    def end(self, status: Status, reason: str) -> None:
        """What became of it."""
        self.status, self.reason = status, reason

    def close(self) -> None:
        """Free what preparing made."""
        if self.executable is not None:
            self.executable.close()
            self.executable = None

    @property
    def alternative(self) -> Alternative:
        """As a choice remembers it."""
        return Alternative(self.description.id, self.workspace, self.samples.seconds if self.samples.rounds else None)

    def row(self) -> Row:
        """As a report has it."""
        samples, status = self.samples, self.status or "skipped"
        single = samples.single if samples.rounds else None
        final = samples.seconds if samples.final else None
        return Row(self.description, status, self.reason, single, samples.count, self.workspace, final)


def _compared(running: Sequence[Trial[A]]) -> Sequence[Trial[A]]:
    """Among whom the choice is: the finalists where a final counts, else all; times are of one kind either way."""
    return [one for one in running if one.samples.final] or running


def pick(running: Sequence[Trial[A]], tolerance: float) -> Trial[A]:
    """The smallest workspace within the tolerance of the fastest, never slower than the first that was tried.

    Where a final counts, only finalists are chosen from: the others, perhaps the first, were too slow for it.
    """
    bar = _bar(running, tolerance)
    near = [one for one in _compared(running) if one.samples.seconds <= bar]
    return min(near, key=lambda one: (one.workspace, one.description.needs_compilation, one.samples.seconds))


def _bar(running: Sequence[Trial[A]], tolerance: float) -> float:
    compared = _compared(running)
    bar = _fastest(compared) * (1 + tolerance)
    comparable = compared is running or running[0].samples.final
    return min(bar, running[0].samples.seconds) if comparable else bar


def _fastest(compared: Sequence[Trial[A]]) -> float:
    return min(one.samples.seconds for one in compared)


def why(winner: Trial[A], running: Sequence[Trial[A]], tolerance: float) -> str:
    """Why the winner won."""
    fastest = _fastest(_compared(running))
    if winner.samples.seconds == fastest:
        return f"the fastest of {len(running)} measured"
    extra = (winner.samples.seconds / fastest - 1) * 100
    near = f"within {tolerance * 100:g} % of the fastest of {len(running)} measured"
    least = min(one.workspace for one in _compared(running) if one.samples.seconds == fastest)
    what = "the smallest workspace" if winner.workspace < least else "no compilation and no more workspace"
    return f"{what} {near} ({extra:.1f} % slower)"


def why_not(one: Trial[A], winner: Trial[A], running: Sequence[Trial[A]], tolerance: float) -> str:
    """Why another one did not."""
    compared = _compared(running)
    if compared is not running and not one.samples.final:
        fastest = min(other.samples.single for other in running)
        return f"{one.samples.single / fastest:.3g} times the fastest's time, and so not in the final"
    if one.samples.seconds > _bar(running, tolerance):
        times = one.samples.seconds / _fastest(compared)
        if times > 1 + tolerance:
            return f"{times:.3g} times the fastest's time"
        return f"{(times - 1) * 100:.2g} % slower than the fastest, and slower than the first that was tried"
    near = f"within {tolerance * 100:g} % of the fastest"
    needs = format_bytes(one.workspace)
    if one.workspace != winner.workspace:
        return f"{near}, but needs {needs} of workspace against {format_bytes(winner.workspace)}"
    same = f"{near} with the same workspace, {needs}"
    if one.description.needs_compilation != winner.description.needs_compilation:
        return f"{same}, but has to be compiled first, which the winner has not"
    extra = (one.samples.seconds / winner.samples.seconds - 1) * 100
    return (
        f"{same}, but {extra:.2g} % slower than the winner" if extra else f"{same}, as fast as the winner, tried later"
    )
