"""Candidates and a bench whose clock moves only when they say so."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cudnnkit.candidates import CandidateId, Description

GIB = 2**30


def graph(engine: int, **knobs: int) -> CandidateId:
    return CandidateId("graph", engine, tuple((int(kind[1:]), value) for kind, value in knobs.items()))


def legacy(algorithm: str, math_type: str = "FMA") -> CandidateId:
    return CandidateId("legacy", algorithm=algorithm, math_type=math_type)


class FakeClock:
    """Seconds that pass only by `advance`."""

    def __init__(self) -> None:
        self.now = 0.0

    def advance(self, seconds: float) -> None:
        self.now += seconds


class StatusError(Exception):
    """As the generated layer raises it."""

    def __init__(self, status_name: str) -> None:
        super().__init__(status_name)
        self.status_name = status_name


@dataclass
class FakeExecutable:
    candidate: FakeCandidate
    workspace: int
    closed: int = 0

    def run(self, arguments: dict[str, str], workspace: int) -> None:  # noqa: ARG002
        self.candidate.runs += 1
        if self.candidate.run_error is not None:
            raise self.candidate.run_error
        arguments["y"] = "garbage" if self.candidate.garbage else "right"

    def close(self) -> None:
        self.closed += 1


@dataclass
class FakeCandidate:
    """A candidate with a fixed time per run, or one that depends on how often it ran."""

    id: CandidateId
    seconds: float | Callable[[int], float] = 1.0
    workspace: int = 0
    rank: int = 0
    needs: int | None = None
    deterministic: bool = True
    needs_compilation: bool = False
    numerical: frozenset[str] = frozenset()
    behaviour: frozenset[str] = frozenset()
    prepare_error: Exception | None = None
    run_error: Exception | None = None
    garbage: bool = False
    compile_seconds: float = 0.0
    clock: FakeClock | None = None
    runs: int = 0
    made: list[FakeExecutable] = field(default_factory=list)

    @property
    def description(self) -> Description:
        return Description(
            self.id,
            self.rank,
            self.workspace,
            self.deterministic,
            self.needs_compilation,
            self.numerical,
            self.behaviour,
        )

    def prepare(self) -> FakeExecutable:
        if self.clock is not None:
            self.clock.advance(self.compile_seconds)
        if self.prepare_error is not None:
            raise self.prepare_error
        made = FakeExecutable(self, self.workspace if self.needs is None else self.needs)
        self.made.append(made)
        return made


class FakeBench:
    """Times are the candidates' own; one timed run costs `cost` seconds of the host's clock."""

    device = 0

    def __init__(self, clock: FakeClock | None = None, memory: int = 64 * GIB, cost: float = 0.001) -> None:
        self.clock = clock or FakeClock()
        self.memory = memory
        self.cost = cost
        self.user = {"x": "input", "y": "user's data"}
        self.used_scratch: list[bool] = []
        self.held = self.peak = self.trims = 0
        self.no_scratch = False
        self.order: list[CandidateId] = []
        self.bursts: list[tuple[CandidateId, int]] = []
        self.busy = threading.Semaphore(1)
        self.collisions = 0
        self.pause: Callable[[], object] | None = None

    @contextlib.contextmanager
    def arguments(self, *, scratch: bool) -> Iterator[dict[str, str]]:
        if scratch and self.no_scratch:
            raise MemoryError("no scratch")
        self.used_scratch.append(scratch)
        yield dict(self.user) if scratch else self.user

    @contextlib.contextmanager
    def workspace(self, nbytes: int) -> Iterator[int]:
        if nbytes > self.memory:
            raise MemoryError(f"cannot allocate {nbytes}")
        self.held += nbytes
        self.peak = max(self.peak, self.held)
        try:
            yield 4096
        finally:
            self.held -= nbytes

    def poison(self, arguments: dict[str, str]) -> None:
        arguments["y"] = "poison"

    def check(self, arguments: dict[str, str]) -> str | None:
        return None if arguments["y"] == "right" else f"y is {arguments['y']}"

    def time(self, executable: FakeExecutable, arguments: dict[str, str], workspace: int) -> float:
        if not self.busy.acquire(blocking=False):
            self.collisions += 1
            raise AssertionError("two measurements at a time")
        try:
            self.order.append(executable.candidate.id)
            if self.pause is not None:
                self.pause()
            self.clock.advance(self.cost)
            executable.run(arguments, workspace)
            seconds = executable.candidate.seconds
            return seconds(executable.candidate.runs) if callable(seconds) else seconds
        finally:
            self.busy.release()

    def burst(self, executable: FakeExecutable, arguments: dict[str, str], workspace: int, launches: int) -> float:
        self.bursts.append((executable.candidate.id, launches))
        return self.time(executable, arguments, workspace)

    def now(self) -> float:
        return self.clock.now

    def free(self) -> int | None:
        return self.memory

    def trim(self) -> None:
        self.trims += 1
