"""The bench of a search: the caller's operands or scratch ones, the arena's workspace, the backend's timer."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

from cudnnkit.arrays.view import ArrayLibrary
from cudnnkit.backend import Backend
from cudnnkit.operands import Operands, allocate, launch
from cudnnkit.problem import UPDATED, Problem, TensorSpec
from cudnnkit.reference import Reference
from cudnnkit.reference_norm import NormReference
from cudnnkit.reference_whole import WholeReference
from cudnnkit.rotation import rotating
from cudnnkit.workspace import free_memory

__all__ = ["ArrayBench"]

_SHORTEST = 1e-9
"""Seconds. Events resolve half a microsecond; a time of 0 could not be compared."""


class ArrayBench:
    """Implements ``measure.Bench``.

    Parameters
    ----------
    backend, library, device
        Where.
    problem
        What is computed.
    operands
        The caller's; None to allocate random ones for the time of the search.
    live
        The caller gave the output: it is not written before there is a result.
    trusted
        Computes the problem by the array library, where results are held against a whole one.
    """

    def __init__(
        self,
        backend: Backend,
        library: ArrayLibrary,
        device: int,
        problem: Problem,
        operands: Operands | None,
        live: bool,
        trusted: Callable[[Operands], None] | None = None,
    ) -> None:
        self.device = device
        self._backend, self._library, self._problem = backend, library, problem
        self._operands, self._live, self._trusted = operands, live, trusted
        self._timer: Any = None
        self._start: Any = None
        self._reference: Reference | NormReference | WholeReference | None = None
        self._sets: list[Operands] = []
        self._turn = 0

    def _like(self, array: Any, spec: TensorSpec) -> Any:
        """New memory for an output. A problem may see an array in another shape than it has."""
        view = self._library.view(array, spec.role)
        return self._library.empty(view.shape, view.strides, spec.dtype, self.device).source

    @contextlib.contextmanager
    def arguments(self, *, scratch: bool) -> Iterator[Operands]:
        """The operands; outputs are new memory where the caller's must not be touched."""
        library, given = self._library, self._operands
        if given is None:
            yield allocate(self._problem, library, self.device)
            return
        if not scratch and not self._live:
            yield given
            return
        arrays = list(given.arrays)
        for place, spec in enumerate(self._problem.tensors):
            if spec.output:
                old = given.arrays[place]
                new = self._like(old, spec)
                if self._keeps(spec):
                    library.kernels.copy(old, new)
                # What is the output itself stays so: candidates rely on it.
                pointer = given.pointers[place]
                shared = [at for at, one in enumerate(given.pointers) if one == pointer and self._problem.aliasing]
                for at in (place, *shared):
                    arrays[at] = new
        yield given._replace(arrays=tuple(arrays), pointers=tuple(map(library.pointer, arrays)))

    @contextlib.contextmanager
    def workspace(self, nbytes: int) -> Iterator[int]:
        """From the pool, and back to it."""
        # Kept to the end of the block: what is allocated in it, copies of operands, must not get the same memory.
        buffer = self._library.allocate(nbytes, self.device) if nbytes else None
        yield 0 if buffer is None else buffer.pointer
        del buffer

    def poison(self, arguments: Operands) -> None:
        """NaN in the outputs; where they are read, what was there at first."""
        if self._reference is None:
            if self._problem.operation in NormReference.OPERATIONS:
                self._reference = NormReference(self._problem, arguments, self._library)
            elif self._trusted is not None:
                kernels = self._library.kernels
                self._reference = WholeReference(self._problem, arguments, kernels, self._like, self._trusted)
            else:
                self._reference = Reference(self._problem, arguments, self._library.kernels)
            if self._problem.needs_scratch:
                self._start = self._copy_of_outputs(arguments)
        kernels = self._library.kernels
        for place, spec in enumerate(self._problem.tensors):
            if spec.output:
                if self._start is not None and self._keeps(spec):
                    kernels.copy(self._start[place], arguments.arrays[place])
                else:
                    kernels.fill(arguments.arrays[place], float("nan") if "float" in spec.dtype else 0)

    def _keeps(self, spec: TensorSpec) -> bool:
        """Whether the old content of an output matters."""
        return self._problem.beta != "zero" or bool(self._problem.aliasing) or spec.role in UPDATED

    def _copy_of_outputs(self, arguments: Operands) -> dict[int, Any]:
        copies = {}
        for place, spec in enumerate(self._problem.tensors):
            if spec.output and self._keeps(spec):
                copies[place] = self._like(arguments.arrays[place], spec)
                self._library.kernels.copy(arguments.arrays[place], copies[place])
        return copies

    def check(self, arguments: Operands) -> str | None:
        """Whether sampled elements are right, and no poison is left."""
        return None if self._reference is None else self._reference.check(arguments)

    def time(self, executable: Any, arguments: Operands, workspace: int) -> float:
        """One run between two events."""
        return self._timed(lambda: launch(executable, arguments, workspace), arguments.stream)

    def burst(self, executable: Any, arguments: Operands, workspace: int, launches: int) -> float:
        """Launches back to back between two events, on sets of operands in turns."""
        self._sets = self._sets or rotating(self._problem, self._library, self.device, arguments)
        sets, first = self._sets, self._turn
        self._turn = (first + launches) % len(sets)

        def work() -> None:
            for turn in range(first, first + launches):
                launch(executable, sets[turn % len(sets)], workspace)

        return self._timed(work, arguments.stream) / launches

    def _timed(self, work: Callable[[], None], stream: int) -> float:
        if self._timer is None:
            self._timer = self._backend.timer(self.device, stream)
        seconds: float = self._timer(work)
        return max(seconds, _SHORTEST)

    def now(self) -> float:
        """The backend's clock."""
        return self._backend.now()

    def free(self) -> int | None:
        """Free bytes of the device."""
        return free_memory(self._library, self.device)[0]

    def trim(self) -> None:
        """Give the search's memory back to the device."""
        self._timer = self._start = self._reference = None
        self._sets = []
        gc.collect(0)
        self._library.trim(self.device)
