"""One recording: a graph, its own input arrays, its results, and all memory that the graph reads and writes."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudnnkit.errors import ArgumentError, Attempt, OutOfMemoryError
from cudnnkit.recording.errors import END, CaptureError
from cudnnkit.recording.inputs import Copier, Inputs, is_array
from cudnnkit.recording.placing import Placement
from cudnnkit.recording.planning import MemoryPlan, most_alive, plan_memory
from cudnnkit.recording.refusals import checked_results
from cudnnkit.recording.report import RecordingReport
from cudnnkit.recording.tracing import Trace
from cudnnkit.recording.trees import flatten, unflatten
from cudnnkit.rooms import entered
from cudnnkit.workspace import free_memory, is_out_of_memory, workspaces

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["Recording"]


class Recording:
    """A function recorded for one signature.

    Parameters
    ----------
    function, name
        The function, and its name for errors.
    structure, inputs
        Structure and leaves of its arguments.
    library, device
        Who records, and where.
    make_room
        Called where there is no memory for the plan, before the last try.

    Raises
    ------
    CaptureError
        The function cannot be recorded.
    OutOfMemoryError
        There is no memory for the plan.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        structure: Any,
        inputs: Inputs,
        library: ArrayLibrary,
        device: int,
        make_room: Callable[[], object],
    ) -> None:
        begun = time.perf_counter()
        self.structure, self.inputs = structure, inputs
        self._library, self._device = library, device
        self._name = name
        self._copy = library.kernels.copy
        self.replays = 0

        gc.collect()  # what is garbage already must not be freed in between
        workspaces.arena(library, device, library.stream(device)).release()  # both passes have workspace of their own
        self._graph = library.graph(device)
        given = [self._graph.given(one) if is_array(one) else one for one in inputs.leaves]

        def run() -> Any:
            arguments, keywords = unflatten(structure, iter(given))
            return function(*arguments, **keywords)

        try:
            trace, plan = self._traced(run)
            # The pool's free blocks go back: what a recording keeps, cut from one, would hold all of it.
            library.trim(device)
            memory = self._buffer(plan, make_room)
            place = Placement(plan, library.pointer(memory) if plan.nbytes else 0, memory, trace.seen)
            result = self._try(lambda: self._graph.record(lambda: _within(place, run)), place)
            self.out_structure, found = checked_results(name, result)
            # The next call may be in another mode than this one.
            self.outputs = [library.lasting(one) if is_array(one) else one for one in found]
            self._copiers = [Copier(one, f"{name}'s result") if is_array(one) else None for one in self.outputs]
        except BaseException:
            self._graph.close()
            raise
        # An argument that is returned: its place, since the caller may give that array other memory.
        own = {id(one): place for place, one in enumerate(given) if is_array(one)}
        self._returned = [(place, own[id(one)]) for place, one in enumerate(found) if id(one) in own]
        self._process = os.getpid()
        self._kept: Any = memory, place.outside, [one.hold() for one in place.prepared.values()]
        self._stream = library.stream(device)
        self._report = self._numbers(trace, plan, place, time.perf_counter() - begun)

    def _traced(self, run: Callable[[], Any]) -> tuple[Trace, MemoryPlan]:
        trace = Trace(self._graph.outside)
        result = self._try(lambda: self._graph.record(lambda: _within(trace, run)), trace)
        if trace.libraries - {self._library}:
            names = ", ".join(sorted(one.name for one in trace.libraries | {self._library}))
            raise ArgumentError(self._name, names, "has operations on arrays of several libraries; convert to one")
        plan = plan_memory(trace.ranges)
        del result  # only now: results outlive every operation
        return trace, plan

    def _try(self, work: Callable[[], Any], rooms: Trace | Placement) -> Any:
        try:
            return work()
        except Exception as error:
            if is_out_of_memory(error):
                raise
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            raise CaptureError(self._name, rooms.last, reason) from error

    def _buffer(self, plan: MemoryPlan, make_room: Callable[[], object]) -> Any:
        library, device = self._library, self._device
        reliefs: list[Callable[[], object]] = [lambda: None, make_room]
        while True:
            try:
                return library.empty((plan.nbytes,), (1,), "uint8", device).source
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                if not reliefs:
                    free, _ = free_memory(library, device)
                    attempt = Attempt("all results and workspace", plan.nbytes, str(error), free)
                    raise OutOfMemoryError(f"a recording of {self._name}", [attempt]) from error
            reliefs.pop(0)()
            workspaces.trim(device)
            library.trim(device)

    def _numbers(self, trace: Trace, plan: MemoryPlan, place: Placement, seconds: float) -> RecordingReport:
        views = self.inputs.views
        return RecordingReport(
            ", ".join(f"{one.dtype} {'x'.join(map(str, one.shape))}" for one in views) or "no arrays",
            place.launches, self._graph.nodes, plan.nbytes, plan.total, most_alive(plan.ranges), trace.largest,
            self.inputs.nbytes, place.unplanned, 0, seconds,
        )  # fmt: skip

    def capturing(self) -> bool:
        """Whether the caller records a graph of its own."""
        return self._library.capturing(self._device)

    @property
    def report(self) -> RecordingReport:
        """In numbers."""
        return replace(self._report, replays=self.replays)

    def replay(self, leaves: Sequence[Any], pointers: Sequence[int]) -> bool:
        """Run it on other arrays of the same signature, at `pointers`; False, and nothing, where memory is gone."""
        library, device = self._library, self._device
        stream = library.stream(device)
        if stream != self._stream:
            self._graph.follow()
            self._stream = stream
        if not self.inputs.receive(leaves, pointers):
            return False
        self._graph.replay()
        self.replays += 1
        return True

    def fill(self, results: Any) -> None:
        """Put results of the function into the recording's own.

        Raises
        ------
        CaptureError
            They are of another structure, so that the function does not do the same each time, or cannot be written.
        """
        leaves: list[Any] = []
        if flatten(results, leaves) != self.out_structure:
            raise CaptureError(self._name, END, "it returned something of another structure than at first")
        try:
            for one, own in zip(leaves, self.outputs, strict=True):
                if is_array(own) and one is not own:
                    self._copy(one, own)
        except Exception as error:
            if is_out_of_memory(error):
                raise
            reason = f"it returned something that cannot be written ({type(error).__name__}: {error})".splitlines()[0]
            raise CaptureError(self._name, END, reason) from error

    def results(self, *, copy: bool) -> Any:
        """The results: copies, or the recording's own arrays."""
        for place, given in self._returned:
            self.outputs[place] = self.inputs.leaves[given]
        if not copy:
            return unflatten(self.out_structure, iter(self.outputs))
        pairs = zip(self._copiers, self.outputs, strict=True)
        return unflatten(self.out_structure, iter([one if make is None else make(one) for make, one in pairs]))

    def close(self) -> None:
        """Free the graph and drop all memory; results that somebody holds stay."""
        self._graph.close()
        self._kept = None
        self.outputs = []
        self.inputs.drop()

    def __del__(self) -> None:
        # At exit and in a forked child there is nothing left to wait for.
        if getattr(self, "_kept", None) is not None and os.getpid() == self._process and not sys.is_finalizing():
            self.close()


def _within(rooms: Trace | Placement, run: Callable[[], Any]) -> Any:
    with entered(rooms):
        return run()
