"""``cudnnPoolingForward`` and ``cudnnPoolingBackward``."""

from __future__ import annotations

from functools import partial
from typing import Any

from cudnnkit.axes import lift_axes
from cudnnkit.context import Context
from cudnnkit.engines.legacy_plan import Call
from cudnnkit.engines.operands import layout
from cudnnkit.primitives.candidate import PrimitiveCandidate, primitive, tensor_descriptor
from cudnnkit.problem import PoolingSpec, Problem

__all__ = ["pooling_candidates"]

# Members of cudnnPoolingMode_t. Gradients of MAX are added up with atomic operations.
_MODES: dict[str, tuple[str, ...]] = {
    "max": ("MAX", "MAX_DETERMINISTIC"),
    "average_include_padding": ("AVERAGE_COUNT_INCLUDE_PADDING",),
    "average_exclude_padding": ("AVERAGE_COUNT_EXCLUDE_PADDING",),
}


def pooling_candidates(problem: Problem, context: Context) -> list[PrimitiveCandidate]:
    """The legacy call in each mode that serves; both sides of an axis are padded alike there."""
    spec = problem.pooling
    if spec is None or not spec.symmetric:
        return []
    backward = problem.operation == "pool_backward"
    roles = [one.role for one in problem.tensors]
    if backward and "y" not in roles:
        # The means' gradient reads neither, but the call wants descriptors and addresses of both.
        needed = {"y": roles.index("dy"), "dy": roles.index("dy"), "x": roles.index("dx"), "dx": roles.index("dx")}
    else:
        needed = {role: roles.index(role) for role in roles}
    function, make = ("cudnnPoolingBackward", _backward) if backward else ("cudnnPoolingForward", _forward)
    return [
        primitive(
            problem, context, function, mode, rank, partial(make, problem, spec, mode, needed),
            deterministic=not backward or mode != "MAX",
        )
        for rank, mode in enumerate(_MODES[spec.mode])
    ]  # fmt: skip


def _descriptors(library: Any, problem: Problem, spec: PoolingSpec, mode: str) -> tuple[Any, list[Any]]:
    """Descriptors of the pooling, and of every operand."""
    enums = library.enums
    what = library.create_pooling_descriptor()
    library.set_pooling_nd_descriptor(
        what, enums.PoolingMode[mode], enums.NanPropagation.PROPAGATE_NAN, lift_axes(spec.window, 1),
        lift_axes(spec.pre_padding, 0), lift_axes(spec.stride, 1),
    )  # fmt: skip
    return what, [tensor_descriptor(library, one.dtype, *layout(one)) for one in problem.tensors]


def _forward(problem: Problem, spec: PoolingSpec, mode: str, places: dict[str, int], library: Any) -> Call:
    what, tensors = _descriptors(library, problem, spec, mode)
    pooling = what._ptr
    x, y = places["x"], places["y"]
    image, result = tensors[x]._ptr, tensors[y]._ptr

    def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return pooling, alpha, image, at[x], beta, result, at[y]

    return Call(arguments, (what, *tensors), zero_beta=True, unit_alpha=True)


def _backward(problem: Problem, spec: PoolingSpec, mode: str, places: dict[str, int], library: Any) -> Call:
    what, tensors = _descriptors(library, problem, spec, mode)
    pooling = what._ptr
    y, dy, x, dx = (places[role] for role in ("y", "dy", "x", "dx"))
    a, b, c, d = (tensors[place]._ptr for place in (y, dy, x, dx))

    def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return pooling, alpha, a, at[y], b, at[dy], c, at[x], beta, d, at[dx]

    return Call(arguments, (what, *tensors), zero_beta=True, unit_alpha=True)
