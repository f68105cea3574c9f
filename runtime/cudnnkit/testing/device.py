"""The simulated devices, and putting them in cuDNN's place."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cudnnkit.arrays.numpy_library import Exported, NumpyLibrary
from cudnnkit.arrays.registry import allow_host_arrays
from cudnnkit.arrays.view import ArrayLibrary, ArrayView, element_size
from cudnnkit.backend import Offered
from cudnnkit.cache import Backing, Limits
from cudnnkit.candidates import Candidate, CandidateId
from cudnnkit.problem import DeviceSpec, Problem, TensorSpec, VersionSpec, memory_class
from cudnnkit.rooms import ACTIVE, Room, here
from cudnnkit.testing.candidates import BoundCandidate, SimulatedCandidate, SimulatedStatusError, default_candidates
from cudnnkit.testing.graph import SimulatedGraph
from cudnnkit.testing.kept import KeptResults
from cudnnkit.testing.kernels import SimulatedKernels, SimulatedNorm
from cudnnkit.tuner import Tuner, set_tuner
from cudnnkit.workspace import workspaces

__all__ = ["SimulatedDevice", "SimulatedLibrary", "simulated"]


class _Context:
    """A thread's handle, which counts what is set on it."""

    def __init__(self) -> None:
        self.stream = -1
        self.changes = 0

    def use_stream(self, stream: int) -> None:
        self.stream = stream
        self.changes += 1


class _Buffer:
    """Memory that its device counts."""

    def __init__(self, device: SimulatedDevice, nbytes: int) -> None:
        import numpy

        # Only a replayed launch writes simulated workspace.
        self.owner = numpy.empty(nbytes if device.recording is not None else min(nbytes, 64), dtype="uint8")
        if device.recording is not None:
            device.recording.own(self)
        self.pointer: int = self.owner.ctypes.data
        self.nbytes = nbytes
        weakref.finalize(self, device._give, nbytes)


class SimulatedLibrary(NumpyLibrary):
    """NumPy arrays in the simulated devices' memory."""

    def __init__(self, device: SimulatedDevice) -> None:
        super().__init__(device.memory_bytes)
        self._owner = device
        self._kernels = SimulatedKernels(device)
        self._norm = SimulatedNorm(self._kernels)

    def device_of(self, array: Any) -> int:
        """Device 0, unless the array was placed elsewhere."""
        return self._owner._placed.get(array.ctypes.data, 0)

    def sign(self, array: Any) -> tuple[int, tuple[Any, ...]]:
        """Of a host array; one that NumPy made while a graph is recorded is the graph's, as torch's would be."""
        recording = self._owner.recording
        if recording is not None:
            base = array
            while hasattr(base.base, "ctypes"):
                base = base.base
            if not isinstance(base.base, Exported):  # that memory has an owner, who sees its end
                recording.own(base)
        return super().sign(array)

    def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
        """A new array, counted while it lives."""
        rooms = here() if ACTIVE else None
        if rooms is not None:
            return self.view(rooms.array(self, shape, strides, dtype, device), "array")
        nbytes = element_size(dtype)
        for size in shape:
            nbytes *= size
        self._owner._take(nbytes)
        view = super().empty(shape, strides, dtype, device)
        # Views keep the base alive, so the memory counts as long as any of them.
        base = view.source
        while base.base is not None and hasattr(base.base, "ctypes"):
            base = base.base
        weakref.finalize(base, self._owner._give, nbytes)
        if self._owner.recording is not None:
            self._owner.recording.own(base)
        if device:
            self._owner.place(view.source, device)
        return view

    def over(self, room: Room, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> Any:
        """As NumPy's; while a graph is recorded NumPy's own steps on it are refused."""
        array, recording = super().over(room, shape, strides, dtype), self._owner.recording
        return array if recording is None else recording.given(array)

    def lasting(self, array: Any) -> Any:
        """`array` as NumPy's own type."""
        from cudnnkit.testing.recorded import plain

        return plain(array)

    def graph(self, device: int) -> SimulatedGraph:  # noqa: ARG002
        """A simulated graph."""
        return SimulatedGraph(self._owner)

    def stream(self, device: int) -> int:  # noqa: ARG002
        """The stream that the test chose, or the one that records."""
        recording = self._owner.recording
        return self._owner.stream if recording is None else recording.stream

    def allocate(self, nbytes: int, device: int) -> Any:  # noqa: ARG002
        """Counted memory; no more than the device has."""
        self._owner._take(nbytes)
        return _Buffer(self._owner, nbytes)

    def memory(self, device: int) -> tuple[int, int]:  # noqa: ARG002
        """Free and total bytes, as the test wants them."""
        if self._owner.memory_query_fails:
            raise RuntimeError("the memory query failed")
        return max(self._owner.memory_bytes - self._owner.used, 0), self._owner.memory_bytes

    def trim(self, device: int) -> None:  # noqa: ARG002
        """Counted."""
        self._owner.trims += 1

    def capturing(self, device: int) -> bool:  # noqa: ARG002
        """While the thread records a graph, or the test says so."""
        return self._owner.capturing or self._owner.recording is not None


class SimulatedDevice:
    """Simulated devices and the library that computes on them. Implements ``backend.Backend``.

    Parameters
    ----------
    memory
        Bytes of each device.
    devices
        How many there are.
    candidates
        What the library offers for each problem, the heuristic's first answer first.
    cudnn
        Version that it claims.

    Attributes
    ----------
    candidates
        As given; may be changed at any time.
    launches
        Operation and candidate of every run, in order.
    live
        Prepared candidates that nobody closed.
    stream, capturing
        The current stream, and whether it records a graph.
    fail_allocations
        How many of the next allocations fail, whatever memory is left.
    memory_query_fails
        Asking for free memory raises.
    refuses_numpy
        Whether NumPy's own steps on arrays of a function that is being recorded are refused (True at first); else they
        happen then, and no replay repeats them.
    before_search
        Called with each problem that candidates are asked for; None for nothing.
    used, peak, trims
        Bytes in use, the most there were, and how often the pool was trimmed.
    offered
        How often candidates were asked for.
    order
        Reorders what is offered.
    kernel_seconds
        Time of one of the array library's kernels on the simulated clock.
    """

    def __init__(
        self,
        memory: int = 16 * 2**30,
        devices: int = 1,
        candidates: Sequence[SimulatedCandidate] | None = None,
        cudnn: str = "9.19.0",
    ) -> None:
        self.memory_bytes, self.devices, self._cudnn = memory, devices, cudnn
        self.recordings: dict[int, SimulatedGraph] = {}
        self.candidates = list(default_candidates() if candidates is None else candidates)
        self.launches: list[tuple[str, CandidateId]] = []
        self.live: set[Any] = set()
        self.stream, self.capturing = 0, False
        self.fail_allocations = self.used = self.peak = self.trims = self.offered = 0
        self.memory_query_fails, self.refuses_numpy = False, True
        self.kernel_seconds = 1.5e-3
        self.order: Callable[[list[Any]], list[Any]] | None = None
        self.before_search: Callable[[Problem], None] | None = None
        self.tuner: Tuner | None = None
        self.active: list[int] = []
        self.results = KeptResults()
        self._class = memory_class(memory)  # stays, whatever a test does to the memory later
        self._placed: dict[int, int] = {}
        self._seconds = 0.0
        self._local = threading.local()
        self.library = SimulatedLibrary(self)

    # What tests do --------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let time pass on the simulated clock."""
        self._seconds += seconds

    def place(self, array: Any, device: int) -> Any:
        """Count an array as lying on another device; answers it."""
        self._placed[array.ctypes.data] = device
        return array

    def candidate(self, name: str) -> SimulatedCandidate:
        """The candidate whose identity in words contains `name`."""
        return next(one for one in self.candidates if name in str(one.id))

    def _take(self, nbytes: int) -> None:
        if self.fail_allocations > 0:
            self.fail_allocations -= 1
            raise MemoryError(f"an allocation of {nbytes} bytes was told to fail")
        if self.used + nbytes > self.memory_bytes:
            raise MemoryError(f"{nbytes} bytes asked for, {self.memory_bytes - self.used} free")
        self.used += nbytes
        self.peak = max(self.peak, self.used)

    def _give(self, nbytes: int) -> None:
        self.used -= nbytes

    @property
    def recording(self) -> SimulatedGraph | None:
        """The graph that the calling thread records."""
        found = self.recordings.get(threading.get_ident()) if self.recordings else None
        return found if found is None or found.process == os.getpid() else None

    # What the runtime asks ------------------------------------------------------------------------------------------

    def current(self) -> int:
        """Always 0."""
        return 0

    def preload(self, problem: Problem) -> None:
        """Nothing to load."""

    def norm_reserve(self, x: TensorSpec, fused: str, context: _Context) -> int:  # noqa: ARG002
        """A bit for each element."""
        return -(-math.prod(x.shape) // 8)

    def spec(self, device: int) -> DeviceSpec:
        """Device 1 is of another kind than device 0."""
        return DeviceSpec((9, device), 132, self._class, f"Simulated {device}")

    def versions(self) -> VersionSpec:
        """As the test wants it."""
        return VersionSpec(self._cudnn, "13.0")

    def context(self, device: int) -> _Context:
        """One for each thread and device."""
        known: dict[int, _Context] = self._local.__dict__.setdefault("contexts", {})
        return known.setdefault(device, _Context())

    @contextlib.contextmanager
    def on(self, device: int) -> Iterator[None]:
        """Noted in `active`."""
        self.active.append(device)
        yield

    def offer(self, problem: Problem, context: Any) -> Offered:  # noqa: ARG002
        """Every candidate that does not refuse the problem."""
        self.offered += 1
        if self.before_search is not None:
            self.before_search(problem)
        found, refusals = [], []
        ranks = dict.fromkeys(("graph", "legacy", "blas"), 0)
        for one in self.candidates:
            reason = one.refuses(problem) if one.refuses else None
            if reason is not None:
                refusals.append((str(one.id), reason))
                continue
            found.append(BoundCandidate(one, problem, self, ranks[one.id.api]))
            ranks[one.id.api] += 1
        return Offered(self.order(found) if self.order else found, refusals)

    def rebuild(
        self,
        problem: Problem,
        one: CandidateId,
        context: Any,  # noqa: ARG002
        workspace: int | None = None,  # noqa: ARG002
    ) -> Candidate[Any]:
        """By identity."""
        for candidate in self.candidates:
            if candidate.id == one and not (candidate.refuses and candidate.refuses(problem)):
                return BoundCandidate(candidate, problem, self, 0)
        raise SimulatedStatusError("NOT_SUPPORTED")

    def timer(self, device: int, stream: int) -> Callable[[Callable[[], None]], float]:  # noqa: ARG002
        """Times on the simulated clock."""

        def time(work: Callable[[], None]) -> float:
            begun = self._seconds
            work()
            return self._seconds - begun

        return time

    def now(self) -> float:
        """The simulated clock."""
        return self._seconds


@contextlib.contextmanager
def simulated(
    memory: int = 16 * 2**30,
    devices: int = 1,
    candidates: Sequence[SimulatedCandidate] | None = None,
    *,
    store: Backing | None = None,
    limits: Limits | None = None,
    cudnn: str = "9.19.0",
) -> Iterator[SimulatedDevice]:
    """Put simulated devices in cuDNN's place for a block, in the whole process; NumPy arrays are its operands.

    Parameters
    ----------
    memory, devices, candidates, cudnn
        As for :class:`SimulatedDevice`.
    store
        Decisions on disk; none unless given.
    limits
        Bounds of the cache.

    Yields
    ------
    SimulatedDevice
        To be told how to behave.

    Raises
    ------
    MissingPackageError
        NumPy, which is no dependency of cudnnkit, is not installed.
    """
    device = SimulatedDevice(memory, devices, candidates, cudnn)
    device.tuner = Tuner(device, store, limits)
    block = _Block(allow_host_arrays(device.library), set_tuner(device.tuner))
    _blocks.append(block)
    try:
        yield device
    finally:
        place = _blocks.index(block)
        del _blocks[place]
        if place == len(_blocks):
            set_tuner(block.tuner)
            allow_host_arrays(block.host)
        else:  # one that began later is still open, and must not bring this device back when it ends
            _blocks[place].host, _blocks[place].tuner = block.host, block.tuner
        workspaces.forget(device.library)


@dataclass(eq=False)
class _Block:
    """What was in force before a block of :func:`simulated` began."""

    host: ArrayLibrary | None
    tuner: Tuner | None


_blocks: list[_Block] = []
