"""Getting ready ahead of the first call: what a process otherwise loads while its first call waits.

cuDNN loads its sub-libraries, and from them its engines, at the first use of each. None of that depends on a problem's
sizes, so tiny problems bring it about. What does depend on them is left to the first call: its engine's own kernel, and
a search where no decision is on disk.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cudnnkit.errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary
    from cudnnkit.backend import Backend
    from cudnnkit.warm_problems import Tiny

__all__ = ["OPERATIONS", "Step", "WarmUp", "warm_up"]

OPERATIONS = ("conv", "softmax")
"""What can be asked for; each with everything that the operations of its kind share."""

_MODULES = {
    "conv": ("ops.conv", "ops.conv_gradients", "engines", "decompose.offer", "decompose.kernels", "primitives"),
    "softmax": ("ops.softmax", "ops.activation", "decompose.kernels", "primitives"),
}


@dataclass(frozen=True)
class Step:
    """One step of a warm-up.

    Attributes
    ----------
    name
        What was made ready.
    seconds
        How long it took.
    failure
        Why it did not work; empty where it did. The first call meets the same then, and says so if it matters.
    """

    name: str
    seconds: float
    failure: str = ""


@dataclass(frozen=True)
class WarmUp:
    """What a warm-up did; its text is a table."""

    steps: tuple[Step, ...]

    @property
    def seconds(self) -> float:
        """All steps together."""
        return sum(one.seconds for one in self.steps)

    def __str__(self) -> str:
        rows = [
            f"{one.seconds * 1e3:8.1f} ms  {one.name}" + (f": {one.failure}" if one.failure else "")
            for one in self.steps
        ]
        return "\n".join([*rows, f"{self.seconds * 1e3:8.1f} ms  in all"])


class _Steps:
    """Does one step after the other, and keeps what each took."""

    def __init__(self) -> None:
        self.done: list[Step] = []

    def __call__(self, name: str, work: Callable[[], Any]) -> Any:
        """What `work` answers; None where it fails, which is noted and stops nobody."""
        begun, failure, found = time.perf_counter(), "", None
        try:
            found = work()
        except Exception as error:  # whatever is missing
            import logging

            failure = f"{type(error).__name__}: {error}".splitlines()[0]
            logging.getLogger("cudnnkit").info("warm-up, %s: %s", name, failure)
        self.done.append(Step(name, time.perf_counter() - begun, failure))
        return found


def warm_up(device: int | None = None, *, operations: Sequence[str] = ("conv",)) -> WarmUp:
    """Load and prepare what a process's first call of an operation would, so that the call itself is short.

    It costs what the first call is spared, 0.1 to 0.3 s in a new process, and some ten ms in one that is warm already.
    It holds nothing afterwards but what the first call would hold too (cuDNN's libraries, a handle), starts no thread,
    and decides, measures and stores nothing. The calling thread gets the handle: another thread makes its own.

    Parameters
    ----------
    device
        Ordinal of the device; None for the calling thread's current one, or device 0 where it has none.
    operations
        Kinds of operations to be ready for: ``"conv"`` (convolutions in all directions, with their epilogues) and
        ``"softmax"`` (softmax and elementwise operations).

    Returns
    -------
    WarmUp
        What took how long. What could not be made ready is noted there and logged, not raised.

    Raises
    ------
    ArgumentError
        There is no such kind of operations, or an argument is of another type.
    LibraryError, DriverError
        There is no usable cuDNN, no driver or no such device.

    Notes
    -----
    Steps: the modules of Python; the handle (``cudnnCreate``); the tuning cache opened; cuDNN's sub-libraries, which it
    loads for the first descriptor of each kind; a tiny fused convolution in half precision through the graph API
    (heuristic, graph, engine and plan by ``cudnnBackendFinalize``, for which cuDNN sets its engines up) and one in
    single precision through the legacy API (``cudnnGetConvolutionForwardWorkspaceSize``), by an implicit product and by
    Winograd's algorithm. Each is run once where torch
    or CuPy is imported, whose memory is used, unless the current stream is being recorded.

    Examples
    --------
    >>> print(warm_up())  # doctest: +SKIP
    """
    if isinstance(operations, str) or not isinstance(operations, Iterable):
        raise ArgumentTypeError("operations", operations, "must be a sequence of kinds, such as ('conv',)")
    if device is not None and (isinstance(device, bool) or not isinstance(device, int)):
        raise ArgumentTypeError("device", device, "must be the ordinal of a device, or None")
    chosen = tuple(operations)
    for one in chosen:
        if one not in OPERATIONS:
            raise ArgumentError("operations", one, f"allowed are {', '.join(OPERATIONS)}")
    steps = _Steps()
    steps("Python modules", lambda: [import_module(f"cudnnkit.{name}") for one in chosen for name in _MODULES[one]])
    from cudnnkit.tuner import tuner

    backend, cache = tuner().backend, tuner().cache
    if device is None:
        device = backend.current()
    begun = time.perf_counter()
    with backend.on(device):
        context = backend.context(device)
        steps.done.append(Step("handle", time.perf_counter() - begun))
        from cudnnkit.warm_problems import tiny

        problems = [one for kind in chosen for one in tiny(kind, backend.spec(device), backend.versions())]
        if cache.store is not None:
            store = cache.store
            steps("tuning cache", lambda: store.get(problems[0].problem))
        steps("cuDNN's sub-libraries", partial(_preload, backend, problems))
        library = steps("array library", _array_library)
        for each in problems:
            steps(each.name, partial(_solve, each, backend, context, library, device))
    return WarmUp(tuple(steps.done))


def _preload(backend: Backend, problems: Sequence[Tiny]) -> None:
    for one in problems:
        backend.preload(one.problem)


def _array_library() -> Any:
    """The array library whose memory serves: one that is imported already, or None."""
    from cudnnkit.arrays.registry import library_named

    for name in ("numpy", "torch", "cupy"):  # NumPy serves the simulated library, and is refused elsewhere
        if name in sys.modules:
            try:
                return library_named(name)
            except ArgumentError:
                continue
    return None


def _prepared(one: Tiny, backend: Backend, context: Any) -> Any:
    """The tiny problem's candidate, or the first of those on offer that serves without compiling."""
    if one.candidate is not None:
        return backend.rebuild(one.problem, one.candidate, context).prepare()
    failures = []
    for candidate in backend.offer(one.problem, context).candidates:
        if candidate.description.needs_compilation:
            continue
        try:
            return candidate.prepare()
        except Exception as error:  # an engine on offer may refuse all the same
            failures.append(error)
    raise failures[-1] if failures else LookupError("cuDNN offers nothing for it")


def _solve(one: Tiny, backend: Backend, context: Any, library: ArrayLibrary | None, device: int) -> None:
    """Prepare a tiny problem and run it; what is computed is of no interest."""
    problem = one.problem
    executable = _prepared(one, backend, context)
    try:
        if library is None or library.capturing(device):
            return
        context.use_stream(library.stream(device))
        arrays = [library.empty(spec.shape, spec.strides, spec.dtype, device) for spec in problem.tensors]
        space = library.allocate(executable.workspace, device) if executable.workspace else None
        executable.launch(tuple(each.pointer for each in arrays), 0 if space is None else space.pointer, 1.0, 0.0)
    finally:
        executable.close()
