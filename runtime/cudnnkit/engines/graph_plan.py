"""Execution plans of the graph API: prepared once, then one C call a launch.

A variant pack binds addresses to a plan. Array libraries hand out the same few addresses again and again, so packs are
kept by what they bind, and a launch at known addresses is a look-up and ``cudnnBackendExecute``. A plan of short
kernels records launches that come back (see ``graph_launch``). Plans and packs belong to the thread and device of their
context: two threads must not execute one plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cudnnkit.context import Context
from cudnnkit.engines.graph_build import Graph, Scale
from cudnnkit.graph_launch import Recorder, Recording
from cudnnkit.operands import Arguments

__all__ = ["BoundPlan", "GraphPlan", "ScaledPlan"]

_MOST_PACKS = 256
"""Packs kept for each plan; beyond it the one bound first goes. One takes 5 KB of host memory and 10 us to make, and a
loop that writes into a ring of outputs (64 of them, say) should find each again."""

_MOST_SCALES = 8
"""Values of alpha and beta that a plan is kept for."""


class BoundPlan:
    """A plan at fixed addresses; calling it launches on the context's stream."""

    __slots__ = ("_call", "_kept", "_plan")

    def __init__(self, plan: GraphPlan, pack: Any, kept: Any) -> None:
        self._plan = plan
        self._kept = kept
        self._call = plan._execute, plan._handle, plan._pointer, pack

    def __call__(self) -> None:
        execute, handle, plan, pack = self._call
        status = execute(handle, plan, pack)
        if status:
            raise self._plan._error("cudnnBackendExecute", status)


class GraphPlan(Recording):
    """A finalized execution plan (``CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR``).

    Parameters
    ----------
    context
        The thread's context of the device.
    graph
        The operation graph.
    config
        The engine configuration, finalized.
    label
        The candidate in words, for errors.

    Attributes
    ----------
    workspace
        Bytes that a launch needs.
    held
        A recorded graph runs its kernels, which cuDNN may have compiled for this plan and unloads with it: it is not
        closed, but goes with its last reference.

    Raises
    ------
    StatusError
        The engine cannot serve the graph (``cudnnBackendFinalize``), or compiling it failed.
    """

    __slots__ = (
        "_addresses", "_constants", "_descriptor", "_execute", "_handle", "_names", "_packs", "_places", "_pointer",
        "_space", "_uids", "held", "workspace",
    )  # fmt: skip

    def __init__(self, context: Context, graph: Graph, config: Any, label: str) -> None:
        library = context.library
        enums = library.enums
        plan = library.backend_create_descriptor(enums.BackendDescriptorType.EXECUTION_PLAN_DESCRIPTOR)
        plan["EXECUTION_PLAN_HANDLE"] = context.handle
        plan["EXECUTION_PLAN_ENGINE_CONFIG"] = config
        plan.finalize()
        self.workspace: int = plan.get("EXECUTION_PLAN_WORKSPACE_SIZE", 1)[0]
        super().__init__(context, label)
        self._descriptor, self._pointer = plan, plan._ptr
        self._handle = context.handle._ptr
        self._execute = library._lib.cudnnBackendExecute
        self._packs: dict[Any, tuple[Any, Any]] = {}
        self.held = False
        # Filled anew for each pack, which copies them.
        self._places = tuple(graph.places)
        self._constants = tuple(memory for _, memory in graph.constants)
        uids = [*graph.uids, *(uid for uid, _ in graph.constants)]
        self._uids = library._new("int64_t[]", uids)
        self._addresses = library._new("uintptr_t[]", len(uids))
        for place, memory in enumerate(self._constants, len(graph.uids)):
            self._addresses[place] = int(library._ffi.cast("uintptr_t", memory))
        self._space = library._new("uintptr_t[]", 1)
        attribute, kind = enums.BackendAttributeName, enums.BackendAttributeType
        self._names = tuple(
            int(number)
            for number in (
                attribute.VARIANT_PACK_UNIQUE_IDS, kind.INT64, attribute.VARIANT_PACK_DATA_POINTERS, kind.VOID_PTR,
                attribute.VARIANT_PACK_WORKSPACE, enums.BackendDescriptorType.VARIANT_PACK_DESCRIPTOR,
            )
        )  # fmt: skip

    def run(self, arguments: Arguments, workspace: int) -> None:
        """Launch on the arguments' stream: ``cudnnSetStream`` where it changed, ``cudnnBackendExecute``.

        Raises
        ------
        StatusError
            cuDNN refused; the message is its last error.
        """
        if arguments.stream != self._context.stream:
            self._context.use_stream(arguments.stream)
        self.launch(arguments.pointers, workspace)

    def launch(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> None:  # noqa: ARG002
        """Launch on the context's stream. Alpha and beta are part of the graph; :class:`ScaledPlan` heeds them."""
        key = pointers, workspace
        recorder = self._recorder
        if recorder is not None and self._relaunched(recorder, key):
            return
        found = self._packs.get(key) or self._keep_pack(key)
        status = self._execute(self._handle, self._pointer, found[0])
        if status:
            raise self._error("cudnnBackendExecute", status)

    def _plain(self, key: Any) -> Callable[[], int] | None:
        found = self._packs.get(key)
        return None if found is None else lambda: int(self._execute(self._handle, self._pointer, found[0]))

    def bind(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> BoundPlan:  # noqa: ARG002
        """The plan at these addresses; whoever keeps it launches without a look-up."""
        return BoundPlan(self, *self._pack(pointers, workspace))

    def _keep_pack(self, key: tuple[tuple[int, ...], int]) -> tuple[Any, Any]:
        packs = self._packs
        if len(packs) >= _MOST_PACKS:
            oldest = next(iter(packs))
            packs.pop(oldest)[1].close()
            self._forget(oldest)
        found = packs[key] = self._pack(*key)
        return found

    def _pack(self, pointers: tuple[int, ...], workspace: int) -> tuple[Any, Any]:
        """A finalized variant pack: its pointer, and the descriptor that owns it."""
        # A finalized pack takes no other addresses (BAD_PARAM), so each set of them has its own.
        library, names = self._context.library, self._names
        count = len(self._places)
        total = count + len(self._constants)
        self._addresses[0:count] = [pointers[place] for place in self._places]
        self._space[0] = workspace
        descriptor = library.backend_create_descriptor(names[5])
        pack = descriptor._ptr
        put = library._lib.cudnnBackendSetAttribute
        status = (
            put(pack, names[0], names[1], total, self._uids)
            or put(pack, names[2], names[3], total, self._addresses)
            or put(pack, names[4], names[3], 1, self._space)
            or library._lib.cudnnBackendFinalize(pack)
        )
        if status:
            raise self._error("cudnnBackendFinalize", status)
        return pack, descriptor

    def _error(self, function: str, status: int) -> Exception:
        error: Exception = self._context.library._status_error(function, status, candidate=self._label)
        return error

    def hold(self) -> None:
        """See :attr:`held`."""
        self.held = True

    def close(self) -> None:
        """Free the plan and its packs, unless it is held. A second call does nothing."""
        if self.held:
            return
        self.stop_recording()
        packs, self._packs = self._packs, {}
        for _, descriptor in packs.values():
            descriptor.close()
        self._descriptor.close()


class ScaledPlan:
    """A plan whose alpha and beta are part of its graph: one plan for each pair of values, made when they come.

    Parameters
    ----------
    plan
        One for any values; it shows that the engine serves and how much workspace it needs.
    make
        Makes the plan for a pair of values.

    Attributes
    ----------
    workspace
        Bytes that a launch needs.
    """

    __slots__ = ("_held", "_make", "_plans", "_recorder", "workspace")

    def __init__(self, plan: GraphPlan, make: Callable[[Scale], GraphPlan]) -> None:
        self.workspace, self._make = plan.workspace, make
        self._plans: dict[Scale, GraphPlan] = {}
        self._held: list[GraphPlan] = []
        self._recorder: Recorder | None = None
        plan.close()

    def _plan(self, scale: Scale) -> GraphPlan:
        found = self._plans.get(scale)
        if found is None:
            if len(self._plans) >= _MOST_SCALES:
                oldest = self._plans.pop(next(iter(self._plans)))
                if oldest.held:
                    self._held.append(oldest)
                oldest.close()
            found = self._plans[scale] = self._make(scale)
            if self._recorder is not None:
                found.record(self._recorder)
        return found

    def record(self, recorder: Recorder) -> None:
        """As :meth:`GraphPlan.record`, for the plans of all values."""
        self._recorder = recorder
        for plan in self._plans.values():
            plan.record(recorder)

    def run(self, arguments: Arguments, workspace: int) -> None:
        """As :meth:`GraphPlan.run`; values that are new cost a millisecond or two."""
        self._plan((arguments.alpha, arguments.beta)).run(arguments, workspace)

    def launch(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> None:
        """As :meth:`GraphPlan.launch`."""
        self._plan((alpha, beta)).launch(pointers, workspace)

    def bind(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> BoundPlan:
        """As :meth:`GraphPlan.bind`."""
        return self._plan((alpha, beta)).bind(pointers, workspace)

    def hold(self) -> None:
        """Hold the plans of all values that were asked for."""
        for plan in self._plans.values():
            plan.hold()

    def close(self) -> None:
        """Free all plans that are not held. A second call does nothing."""
        if any(plan.held for plan in self._plans.values()):
            return
        plans, self._plans = self._plans, {}
        for plan in plans.values():
            plan.close()
