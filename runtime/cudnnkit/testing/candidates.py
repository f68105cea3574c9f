"""Candidates of the simulated library, which behave as they are told."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.problem import Problem
from cudnnkit.testing.compute import tensor_at

if TYPE_CHECKING:
    from cudnnkit.testing.device import SimulatedDevice

__all__ = ["SimulatedCandidate", "SimulatedExecutable", "SimulatedStatusError", "default_candidates"]

_PLACES = "prepare", "run", None
"""Where a candidate can fail."""


class SimulatedStatusError(Exception):
    """A status of the simulated library; `status_name` is cuDNN's name of it without prefix."""

    def __init__(self, status_name: str) -> None:
        self.status_name = status_name
        super().__init__(status_name)


@dataclass
class SimulatedCandidate:
    """A way of computing everything; change its fields at any time.

    Attributes
    ----------
    id
        Its identity.
    seconds
        Time of one run on the simulated clock, or what says so for a problem.
    workspace
        Bytes that it reports, or what says so for a problem.
    needs
        Bytes that it really needs once prepared; None for what it reports.
    deterministic, numerical, behaviour, needs_compilation
        What it says of itself.
    compile_seconds
        What preparing takes on the simulated clock.
    fails
        Where it fails: when it is prepared, when it runs, or nowhere.
    status
        The status that it fails with.
    garbage
        It writes nonsense.
    partial
        It leaves the last element unwritten.
    refuses
        Says of a problem why it does not serve; the candidate is not offered then.
    """

    id: CandidateId
    seconds: float | Callable[[Problem], float] = 1e-3
    workspace: int | Callable[[Problem], int] = 0
    needs: int | None = None
    deterministic: bool = True
    numerical: frozenset[str] = frozenset()
    behaviour: frozenset[str] = frozenset()
    needs_compilation: bool = False
    compile_seconds: float = 0.0
    fails: Literal["prepare", "run"] | None = None
    status: str = "NOT_SUPPORTED"
    garbage: bool = False
    partial: bool = False
    refuses: Callable[[Problem], str | None] | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field; a name or a place of a fault that there is not would make a test that tests nothing.

        Raises
        ------
        AttributeError
            There is no such field.
        ValueError
            `fails` names no place where a candidate can fail.
        """
        if name not in self.__dataclass_fields__:
            known = ", ".join(self.__dataclass_fields__)
            raise AttributeError(f"a simulated candidate has no field {name!r}; it has {known}")
        if name == "fails" and value not in _PLACES:
            raise ValueError(f"fails={value!r}: allowed are {', '.join(map(repr, _PLACES))}")
        super().__setattr__(name, value)

    def bytes_for(self, problem: Problem) -> int:
        """What it reports for a problem."""
        return self.workspace(problem) if callable(self.workspace) else self.workspace

    def seconds_for(self, problem: Problem) -> float:
        """How long one run takes."""
        return self.seconds(problem) if callable(self.seconds) else self.seconds


@dataclass(frozen=True)
class BoundCandidate:
    """A candidate for one problem."""

    candidate: SimulatedCandidate
    problem: Problem
    device: SimulatedDevice
    rank: int

    @property
    def description(self) -> Description:
        """What it says of itself."""
        one = self.candidate
        return Description(
            one.id, self.rank, one.bytes_for(self.problem), one.deterministic, one.needs_compilation, one.numerical,
            one.behaviour,
        )  # fmt: skip

    def prepare(self) -> SimulatedExecutable:
        """Prepared, on the simulated clock."""
        one = self.candidate
        self.device.advance(one.compile_seconds)
        if one.fails == "prepare":
            raise SimulatedStatusError(one.status)
        return SimulatedExecutable(self)


class SimulatedExecutable:
    """A prepared candidate; it refuses to run in another thread, as cuDNN would hang there."""

    def __init__(self, bound: BoundCandidate) -> None:
        one = bound.candidate
        self.workspace = bound.candidate.bytes_for(bound.problem) if one.needs is None else one.needs
        self._bound = bound
        self._thread = threading.get_ident()
        self.closed = self.held = False
        bound.device.live.add(self)

    def run(self, arguments: Any, workspace: int) -> None:
        """As :meth:`launch`."""
        pointers, _, alpha, beta = arguments
        self.launch(pointers, workspace, alpha, beta)

    def launch(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> None:
        """Compute."""
        device, one = self._bound.device, self._bound.candidate
        if self.closed or threading.get_ident() != self._thread:
            raise AssertionError("a plan was used after it was closed, or by another thread than its own")
        if self.workspace and not workspace:
            raise SimulatedStatusError("BAD_PARAM")
        if device.recording is not None and one.fails != "run":
            itself = weakref.ref(self)  # a graph keeps no plan, and its kernels are unloaded with it
            device.recording.note(lambda: _replay(itself(), pointers, workspace, alpha, beta))
            return
        self.compute(pointers, alpha, beta)

    def compute(self, pointers: tuple[int, ...], alpha: float, beta: float) -> None:
        """The candidate's result, or what its fault makes of it, on the simulated clock."""
        bound, one = self._bound, self._bound.candidate
        device, problem = bound.device, bound.problem
        device.advance(one.seconds_for(problem))
        device.launches.append((problem.operation, one.id))
        if one.fails == "run":
            raise SimulatedStatusError(one.status)
        before = [spec for spec in problem.tensors if spec.output]
        output = tensor_at(pointers[problem.tensors.index(before[0])], before[0])
        last = output[(-1,) * output.ndim] if one.partial else None
        device.results.compute(problem, pointers, alpha, beta)
        if one.garbage:
            output[...] = 1234.5
        if one.partial:
            output[(-1,) * output.ndim] = last

    def hold(self) -> None:
        """A graph runs its kernels: it is not closed, and goes with the last reference to it."""
        self.held = True
        self._bound.device.live.discard(self)

    def close(self) -> None:
        """Closed, unless it is held."""
        if self.held:
            return
        self.closed = True
        self._bound.device.live.discard(self)


def _replay(
    executable: SimulatedExecutable | None, pointers: tuple[int, ...], workspace: int, alpha: float, beta: float
) -> None:
    """As the device would long after the call: the plan must still be there, and workspace is overwritten."""
    if executable is None or executable.closed:
        raise AssertionError("a graph was replayed after a plan in it was closed")
    if executable.workspace:
        ctypes.memset(workspace, 0xFF, executable.workspace)
    executable.compute(pointers, alpha, beta)


_MIB = 2**20


def default_candidates() -> list[SimulatedCandidate]:
    """Two graph engines and two legacy algorithms, the fastest with the most workspace."""
    return [
        SimulatedCandidate(
            CandidateId("graph", 1, ((2, 1),)), 1.0e-3, 4 * _MIB, numerical=frozenset({"tensor_core"})
        ),
        SimulatedCandidate(CandidateId("graph", 0), 3.0e-3),
        SimulatedCandidate(CandidateId("legacy", algorithm="IMPLICIT_GEMM", math_type="FMA"), 4.0e-3),
        SimulatedCandidate(
            CandidateId("legacy", algorithm="WINOGRAD_NONFUSED", math_type="FMA"), 2.0e-3, 8 * _MIB,
            numerical=frozenset({"winograd"}),
        ),
    ]  # fmt: skip
