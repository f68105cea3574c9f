"""What computes: cuDNN on a GPU, or the simulated library. Everything above it speaks to this one protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from cudnnkit.candidates import Candidate, CandidateId
from cudnnkit.problem import DeviceSpec, Problem, TensorSpec, VersionSpec

__all__ = ["Backend", "CudnnBackend", "Offered"]


class Offered(NamedTuple):
    """Candidates, and pairs of an API in words and why it offers none."""

    candidates: Sequence[Candidate[Any]]
    refusals: Sequence[tuple[str, str]]


class Backend(Protocol):
    """What computes."""

    @property
    def devices(self) -> int:
        """How many devices there are."""
        ...

    def current(self) -> int:
        """The thread's current device; 0 where it has none."""
        ...

    def spec(self, device: int) -> DeviceSpec:
        """The kind of a device."""
        ...

    def versions(self) -> VersionSpec:
        """Versions that a decision depends on."""
        ...

    def context(self, device: int) -> Any:
        """The calling thread's context: ``stream``, ``use_stream(stream)``, and whatever candidates need."""
        ...

    def on(self, device: int) -> AbstractContextManager[None]:
        """Make a device the thread's current one for a block."""
        ...

    def preload(self, problem: Problem) -> None:
        """Load what problems like this one need, whatever their sizes, as far as that needs no device."""
        ...

    def offer(self, problem: Problem, context: Any) -> Offered:
        """Every way to compute a problem."""
        ...

    def rebuild(self, problem: Problem, one: CandidateId, context: Any, workspace: int | None = None) -> Candidate[Any]:
        """The candidate that a stored identity names; any exception means that it cannot be had.

        `workspace` is what is remembered with it, bytes, where it is: it need not be asked for again.
        """
        ...

    def norm_reserve(self, x: TensorSpec, fused: str, context: Any) -> int:
        """Bytes that a fused normalisation of x keeps for the backward pass; a member of ``cudnnBatchNormOps_t``."""
        ...

    def timer(self, device: int, stream: int) -> Callable[[Callable[[], None]], float]:
        """Times one call on the device: seconds; synchronises."""
        ...

    def now(self) -> float:
        """The host's clock, seconds."""
        ...


class CudnnBackend:
    """cuDNN's two APIs and its legacy primitives on real devices."""

    @property
    def devices(self) -> int:
        """``cuDeviceGetCount``."""
        from cudnnkit.driver import driver

        return driver().devices

    def current(self) -> int:
        """``cuCtxGetDevice``."""
        from cudnnkit.driver import driver

        return driver().current() or 0

    def spec(self, device: int) -> DeviceSpec:
        """What the driver says of a device."""
        from cudnnkit.driver import driver

        return driver().spec(device)

    def versions(self) -> VersionSpec:
        """Versions of cuDNN and of the driver."""
        from cudnnkit.library import versions

        return versions()

    def context(self, device: int) -> Any:
        """The thread's handle and stream."""
        from cudnnkit.context import context

        return context(device)

    def on(self, device: int) -> AbstractContextManager[None]:
        """``cuCtxSetCurrent`` where the device is not current."""
        from cudnnkit.driver import driver

        return driver().on(device)

    def preload(self, problem: Problem) -> None:
        """One descriptor of each kind makes cuDNN load the sub-library that serves it."""
        from cudnnkit.engines.graph_build import OPERATIONS, build_operations
        from cudnnkit.library import library

        found = library()
        found.create_tensor_descriptor().close()
        if problem.operation in OPERATIONS:
            found.create_convolution_descriptor().close()
            build_operations(found, problem)

    def offer(self, problem: Problem, context: Any) -> Offered:
        """Graph engines, legacy algorithms, legacy primitives."""
        from cudnnkit import engines, primitives

        if problem.operation in primitives.ONLY:
            return Offered(primitives.offer(problem, context), ())
        found = engines.offer(problem, context)
        return Offered([*found.candidates, *primitives.offer(problem, context)], found.refusals)

    def rebuild(self, problem: Problem, one: CandidateId, context: Any, workspace: int | None = None) -> Candidate[Any]:
        """From engine and knobs, or algorithm and math type."""
        from cudnnkit import engines, primitives

        for candidate in primitives.offer(problem, context):
            if candidate.description.id == one:
                return candidate
        rebuilt: Candidate[Any] = engines.rebuild(problem, one, context, workspace)
        return rebuilt

    def norm_reserve(self, x: TensorSpec, fused: str, context: Any) -> int:
        """``cudnnGetBatchNormalizationTrainingExReserveSpaceSize``."""
        from cudnnkit.primitives.batch_norm import reserve_bytes

        return reserve_bytes(x, fused, context)

    def timer(self, device: int, stream: int) -> Callable[[Callable[[], None]], float]:
        """CUDA events."""
        from cudnnkit.events import EventTimer

        return EventTimer(device, stream)

    def now(self) -> float:
        """``time.perf_counter``."""
        import time

        return time.perf_counter()
