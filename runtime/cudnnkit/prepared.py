"""A prepared choice bound to a call's signature: the hot path. It belongs to one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cudnnkit.arrays.view import span_bytes
from cudnnkit.choice import Alternative, Choice
from cudnnkit.decompose.setting import Setting
from cudnnkit.errors import ArgumentError, Attempt, OutOfMemoryError
from cudnnkit.graph_launch import worthwhile
from cudnnkit.operands import ArrayExecutable, Operands, hold
from cudnnkit.operands import launch as launch_any
from cudnnkit.request import Request
from cudnnkit.rooms import ACTIVE, Rooms, here
from cudnnkit.workspace import (
    Arena,
    UnpreparedError,
    free_memory,
    is_out_of_memory,
    run_smaller_and_smaller,
    workspaces,
)

__all__ = ["Prepared", "fresh"]

_for_good: list[Any] = []
"""What graphs that somebody else records use, for good, as nobody tells when they are destroyed: plans, whose kernels
cuDNN unloads with them, and workspace, where the array library does not keep it for its graphs."""


class _Stream:
    """In place of a context where cuDNN has no part."""

    __slots__ = ("stream",)

    def __init__(self) -> None:
        self.stream = -1

    def use_stream(self, stream: int) -> None:
        self.stream = stream


class Prepared:
    """What a call with one signature does, again and again.

    Attributes
    ----------
    request, setting
        What is computed, and where.
    choice
        The decision; None where there is nothing to compute.
    make
        Makes a new output array.
    watch
        The decision may still change: ask again.
    roles
        Roles in the problem of all operands but the result, which is the last.
    out_signature
        That of an output array which was seen to fit.
    mixed
        Places of arrays of another library than the result's.
    kept
        The policy whose id stands in the table's key.
    """

    __slots__ = (
        "_arena", "_arena_stream", "_by_arrays", "_captured", "_context", "_device", "_executable", "_extents",
        "_others", "_run", "_special", "_stream", "_tuner", "choice", "kept", "make", "mixed", "out_signature",
        "pointer", "request", "roles", "setting", "watch", "workspace",
    )  # fmt: skip

    def __init__(
        self,
        request: Request,
        setting: Setting,
        operands: Operands | None = None,
        mixed: tuple[int, ...] = (),
    ) -> None:
        self.mixed = mixed
        tuner: Any = setting.resolver
        library, device = request.library, request.device
        self.request, self.setting, self._tuner = request, setting, tuner
        self._device, self._stream = device, library.stream
        workspaces.use(library, device)
        self.pointer = library.pointer
        self.make = library.maker(request.out_shape, request.out_strides, request.out_dtype, device)
        self.kept: Any = None
        self.out_signature: Any = None
        trivial = request.trivial is not None  # then nothing of cuDNN is needed, not even that it is installed
        self._context = _Stream() if trivial else tuner.backend.context(device)
        self._special = bool(mixed) or (not trivial and tuner.backend.devices > 1)
        self._arena: Arena | None = None
        self._arena_stream = -1
        self._others: dict[Any, Any] = {}
        self.roles = tuple(one.role for one in request.problem.tensors[:-1])
        self._extents = tuple(span_bytes(one.shape, one.strides, one.dtype) for one in request.problem.tensors)
        self.choice: Choice | None = None
        self.watch = False
        self._captured: Any = None
        if request.trivial is not None:
            self._use(request.trivial)
            return
        ready = tuner.ready(request.problem, setting, operands)
        self.setting = replace(setting, capturing=False)  # what comes later asks for itself whether a graph is recorded
        self._use(ready.executable)
        self._decided(ready.choice)

    def _decided(self, choice: Choice) -> None:
        self.choice = choice
        self.watch = not self._tuner.final(choice, self.setting.policy)
        record = getattr(self._executable, "record", None)
        context: Any = self._context
        if record is not None and worthwhile(choice.best.seconds):
            recorder = context.recorder()
            if recorder is not None:
                record(recorder)

    def _use(self, executable: Any) -> None:
        self._executable = executable
        self._by_arrays = isinstance(executable, ArrayExecutable)
        self._run: Callable[..., None] = executable.run_on if self._by_arrays else executable.launch
        self.workspace: int = executable.workspace

    @property
    def in_use(self) -> Choice | None:
        """The choice, first in its chain what runs: a fallback since memory ran out. None: nothing to compute."""
        choice, others = self.choice, self._others
        if choice is None:
            return None
        chain = choice.chain
        at = next((place for place, one in enumerate(chain) if others.get(one.id) is self._executable), 0)
        return replace(choice, best=chain[at], smaller=chain[at + 1 :])

    @property
    def fills(self) -> str:
        """What a launch leaves in the reserve that it is given; empty for nothing."""
        found: str = getattr(self._executable, "fills", "")
        return found

    def launch(
        self, pointers: tuple[int, ...], arrays: tuple[Any, ...], alpha: float, beta: float, *, plain: bool = False
    ) -> None:
        """Run on the library's current stream; `pointers` and `arrays` include the output, which comes last.

        `plain` says that the device is current and all arrays are of one library.
        """
        if self._special and not plain:
            with self._tuner.backend.on(self._device):
                self.launch(pointers, self._taken(arrays), alpha, beta, plain=True)
            return
        rooms = here() if ACTIVE else None
        if rooms is not None:
            rooms.launched(self, pointers, arrays)
        stream = self._stream(self._device)
        # Nobody can record the legacy stream, 0; to ask costs as much as the rest of a launch in Python.
        recorded = bool(stream) and self.request.library.capturing(self._device)
        context = self._context
        if stream != context.stream:
            context.use_stream(stream)
        try:
            if self.workspace:
                block = self._recorded_block(rooms) if recorded else self._block(stream)
                space = block.pointer
            else:
                space = 0
            if self._by_arrays:
                self._run(Operands(arrays, pointers, stream, alpha, beta), space)
            else:
                self._run(pointers, space, alpha, beta)
        except Exception as error:
            if self._mended(Operands(arrays, pointers, stream, alpha, beta)):
                self.launch(pointers, arrays, alpha, beta, plain=True)
                return
            # cuDNN calls it an internal error when an allocation of its own fails, so free memory is looked at.
            if self.choice is None or not is_out_of_memory(error, free_memory(self.request.library, self._device)[0]):
                raise
            failure = error
        else:
            if recorded and rooms is None:
                self._hold_for_good()
            return
        # Outside the handler, so that the traceback no longer holds memory.
        self._smaller(Operands(arrays, pointers, stream, alpha, beta), failure)

    def _mended(self, operands: Operands) -> bool:
        """Whether a failed launch is worth another one: what was remembered of the candidate did not hold any more."""
        executable, choice = self._executable, self.choice
        if executable.workspace > self.workspace:
            self.workspace = executable.workspace
            return True
        stale = choice is not None and getattr(executable, "stale", False)
        if choice is None or not stale or self.request.library.capturing(self._device):
            return False
        problem, tuner = self.request.problem, self._tuner
        tuner.cache.reject(problem, choice.best.id)
        ready = tuner.ready(problem, self.setting, operands)
        self._use(ready.executable)
        self._decided(ready.choice)
        return True

    def _taken(self, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        """All arrays as the result's library's own, over the same memory."""
        if not self.mixed:
            return arrays
        take = self.request.library.take
        return tuple(take(one) if place in self.mixed else one for place, one in enumerate(arrays))

    def planned(self) -> Any:
        """As :meth:`make`, while a function is recorded somewhere: by its plan if it is recorded here."""
        one = self.request
        return one.library.empty(one.out_shape, one.out_strides, one.out_dtype, one.device).source

    def new(self) -> Any:
        """A new output where :meth:`make` found no memory: after the workspaces were given back."""
        return fresh(self.make, self.request)

    def hold(self) -> Any:
        """What it prepared, which a recorded graph runs: its kernels stay loaded for as long as somebody has it."""
        hold(self._executable)
        return self._executable

    def _hold_for_good(self) -> None:
        if self._captured is not self._executable:
            self._captured = self.hold()
            _for_good.append(self._captured)

    def _recorded_block(self, rooms: Rooms | None) -> Any:
        library = self.request.library
        if rooms is not None:
            return rooms.workspace(library, self.workspace, self._device)
        # The arena may grow or be trimmed while the graph lives on: the graph gets a block of its own.
        block = library.allocate(self.workspace, self._device)
        if not library.graphs_own_memory:
            _for_good.append(block)
        return block

    def _block(self, stream: int) -> Any:
        library = self.request.library
        if stream != self._arena_stream or self._arena is None:
            self._arena = workspaces.arena(library, self._device, stream)
            self._arena_stream = stream
        return self._arena.reserve(self.workspace)

    def _smaller(self, operands: Operands, failure: Exception) -> None:
        """Memory ran out: trim, and take the next smaller candidate that works, from now on."""
        library, choice = self.request.library, self.choice
        if choice is None or library.capturing(self._device):
            raise failure
        arena = workspaces.arena(library, self._device, operands.stream)

        def attempt(one: Alternative, block: Any) -> Any:
            try:
                executable = self._alternative(one)
            except Exception as error:
                if is_out_of_memory(error, free_memory(library, self._device)[0]):
                    raise
                reason = f"{type(error).__name__}: {error}".splitlines()[0]
                raise UnpreparedError(f"cannot be prepared ({reason})") from error
            needed = executable.workspace
            space = block if block is not None and block.nbytes >= needed else arena.reserve(needed)
            launch_any(executable, operands, 0 if space is None else space.pointer)
            return executable

        label = self.request.problem.label
        self._use(run_smaller_and_smaller(label, choice.chain, attempt, arena, library, self._device))

    def _alternative(self, one: Alternative) -> Any:
        if self.choice is not None and one == self.choice.best and not self._others:
            self._others[one.id] = self._executable
        found = self._others.get(one.id)
        if found is None:
            found = self._tuner.prepare(self.request.problem, one.id, self.setting, one.workspace)
            self._others[one.id] = found
        return found

    def revisit(self, pointers: tuple[int, ...], arrays: tuple[Any, ...], alpha: float, beta: float) -> None:
        """Ask again whether the decision still stands; measures where that is due now.

        What runs already goes on where nothing else can be decided or prepared; the log says so.
        """
        tuner = self._tuner
        library, problem = self.request.library, self.request.problem
        if library.capturing(self._device):
            return
        operands = Operands(self._taken(arrays), pointers, library.stream(self._device), alpha, beta)
        decision: Any = None
        try:
            decision = tuner.again(problem, self.setting, operands)
            if not isinstance(decision, Choice):
                self.watch = False
                return
            if self.choice is None or decision.best.id != self.choice.best.id:
                before = self._executable
                self._use(tuner.prepare(problem, decision.best.id, self.setting, decision.best.workspace))
                self._others.clear()
                before.close()
        except Exception as error:  # whatever a search, or a candidate that is prepared, may raise
            self._stay(decision, error)
        else:
            self._decided(decision)

    def _stay(self, decision: Choice | None, error: Exception) -> None:
        """Go on with what runs: `decision`, or one at all, cannot be had here."""
        import logging

        problem = self.request.problem
        free, _ = free_memory(self.request.library, self._device)
        if decision is None or decision.pinned or is_out_of_memory(error, free):
            self.watch = False  # asking at each call would fail at each
        else:
            self._tuner.cache.reject(problem, decision.best.id)
        what = "deciding anew" if decision is None else f"preparing {decision.best.id}"
        text = "%s goes on as before: %s failed: %s: %s"
        logging.getLogger("cudnnkit").warning(text, problem.label, what, type(error).__name__, error)

    def check_overlap(self, pointers: Sequence[int], out: int) -> None:
        """Refuse an output that overlaps an input other than by being the same array.

        Raises
        ------
        ArgumentError
            It does.
        """
        extents = self._extents
        low, high = extents[-1]
        first, last = out + low, out + high
        for pointer, (low, high) in zip(pointers, extents, strict=False):
            if pointer + low < last and first < pointer + high and pointer != out:
                role = self.roles[list(pointers).index(pointer)]
                raise ArgumentError("out", f"overlaps {role}", "shares memory with it; copy one of them")

    def close(self) -> None:
        """Free what was prepared."""
        self._executable.close()


def fresh(make: Callable[[], Any], request: Request) -> Any:
    """What `make` makes for a request's result, after it failed once: the workspaces are given back before.

    Raises
    ------
    OutOfMemoryError
        There is no memory for it even so.
    """
    workspaces.use(request.library, request.device)
    workspaces.trim(request.device)
    try:
        return make()
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        free, _ = free_memory(request.library, request.device)
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        attempt = Attempt("the result's own memory", 0, reason, free)
        raise OutOfMemoryError(request.problem.label, [attempt]) from error
