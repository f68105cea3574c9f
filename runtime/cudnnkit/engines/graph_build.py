"""Operation graphs of the backend API (``cudnnBackend*``) from problems.

What is computed, in this order, the parts that a problem does not have left out::

    result = activation(alpha * operation(operands) + beta * result + residual + bias)
    result = activation(alpha * operation(operands) + beta * result + bias) + residual, where it is to come after

Only the last value is written; those in between are virtual tensors of the compute type, which never reach memory.
A convolution without epilogue takes alpha and beta as attributes of its operation; elsewhere the first node behind the
operation takes them. The residual comes before the bias because the precompiled engines know that order: with the bias
first only engines that compile at run time are left, which for some layers take three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cudnnkit.axes import Layout, lift_axes
from cudnnkit.engines.activations import pointwise_settings
from cudnnkit.engines.directions import DIRECTIONS
from cudnnkit.engines.graph_norm import norm_dx, norm_gradient, norm_inference, norm_training
from cudnnkit.engines.graph_pooling import pooling, pooling_gradient, reduction
from cudnnkit.engines.operands import DATA_TYPES, channel_vector, elementwise_layout, layout, matrix
from cudnnkit.problem import Epilogue, Problem, TensorSpec

__all__ = ["OPERATIONS", "Graph", "Scale", "build_graph", "build_operations", "scale_is_fixed"]

Scale: TypeAlias = tuple[float, float]
"""Values of alpha and beta."""

_OLD, _VIRTUAL = 1001, 2000
"""Unique ids of the old result and of what is no operand; operands are numbered from 1 in the problem's order."""


@dataclass
class Graph:
    """An operation graph and what its variant packs bind.

    Attributes
    ----------
    descriptor
        ``CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR``, finalized; None while it is being built.
    uids
        Unique ids of what is bound.
    places
        For each of them, the operand's place in the problem's tensors.
    constants
        Unique ids of scalars, each with the host memory that holds its value.
    """

    descriptor: Any = None
    uids: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    constants: list[tuple[int, Any]] = field(default_factory=list)


class _Builder:
    """Descriptors of one graph."""

    def __init__(self, library: Any, problem: Problem, scale: Scale) -> None:
        self.library, self.problem = library, problem
        self.enums = library.enums
        self.graph = Graph()
        self.operations: list[Any] = []
        self.compute = self.data_type(problem.compute)
        # Scaling factors of an operation are double where it computes in double, and float else.
        self.real = "DOUBLE" if problem.compute == "float64" else "FLOAT"
        self.alpha = _CLASS.get(problem.alpha, scale[0])
        self.beta = _CLASS.get(problem.beta, scale[1])
        self._virtual = _VIRTUAL

    def data_type(self, dtype: str) -> Any:
        return self.enums.DataType[DATA_TYPES[dtype]]

    def create(self, kind: str) -> Any:
        return self.library.backend_create_descriptor(self.enums.BackendDescriptorType[kind])

    def _tensor(self, uid: int, dtype: str, where: Layout, alignment: int) -> Any:
        one = self.create("TENSOR_DESCRIPTOR")
        one["TENSOR_UNIQUE_ID"] = uid
        one["TENSOR_DATA_TYPE"] = self.data_type(dtype)
        one["TENSOR_DIMENSIONS"] = where.shape
        one["TENSOR_STRIDES"] = where.strides
        one["TENSOR_BYTE_ALIGNMENT"] = alignment
        return one

    def layout(self, spec: TensorSpec) -> Layout:
        """Of an operand, lifted."""
        return elementwise_layout(spec) if self.problem.operation in _ELEMENTWISE else layout(spec)

    def operand(self, role: str, where: Layout | None = None, *, uid: int | None = None) -> Any:
        """The tensor of an operand."""
        for place, spec in enumerate(self.problem.tensors):
            if spec.role == role:
                number = place + 1 if uid is None else uid
                self.graph.uids.append(number)
                self.graph.places.append(place)
                return self._tensor(number, spec.dtype, where or self.layout(spec), spec.alignment).finalize()
        raise KeyError(role)

    def virtual(self, where: Layout) -> Any:
        """A tensor that lives inside the graph."""
        self._virtual += 1
        one = self._tensor(self._virtual, self.problem.compute, where, 16)
        one["TENSOR_IS_VIRTUAL"] = True
        return one.finalize()

    def scalar(self, value: float, axes: int) -> Any:
        """A tensor of one element and so many axes, whose value is read from the host."""
        self._virtual += 1
        one = self._tensor(self._virtual, self.problem.compute, Layout((1,) * axes, (1,) * axes), 16)
        one["TENSOR_IS_BY_VALUE"] = True
        real = "double *" if self.real == "DOUBLE" else "float *"
        self.graph.constants.append((self._virtual, self.library._new(real, value)))
        return one.finalize()

    def pointwise(self, mode: str, settings: Mapping[str, float], scale: Scale = (1.0, 1.0), **tensors: Any) -> None:
        """Node ``YDESC = mode(scale[0] * XDESC, scale[1] * BDESC)``, or gradient ``DXDESC = mode(DYDESC, XDESC)``."""
        what = self.create("POINTWISE_DESCRIPTOR")
        what["POINTWISE_MODE"] = self.enums.PointwiseMode[mode]
        what["POINTWISE_MATH_PREC"] = self.compute
        for name, value in settings.items():
            what.set(name, value, kind=self.real)
        node = self.create("OPERATION_POINTWISE_DESCRIPTOR")
        node["OPERATION_POINTWISE_PW_DESCRIPTOR"] = what.finalize()
        for name, tensor in tensors.items():
            node[f"OPERATION_POINTWISE_{name}"] = tensor
        for name, factor in zip(("ALPHA1", "ALPHA2"), scale, strict=True):
            if factor != 1:
                node.set(f"OPERATION_POINTWISE_{name}", factor, kind=self.real)
        self.operations.append(node.finalize())


def scale_is_fixed(problem: Problem) -> bool:
    """Whether one graph serves whatever values alpha and beta have in their classes."""
    return "general" not in (problem.alpha, problem.beta)


_ELEMENTWISE = ("epilogue", "activation_backward")
_CLASS = {"zero": 0.0, "one": 1.0}
_First = Callable[[Any], None]
"""Adds the node of an operation, given its result."""


@dataclass(frozen=True)
class _Stage:
    """A pointwise node behind the operation."""

    mode: str
    other: Any = None
    factor: float = 1.0
    settings: Mapping[str, float] = field(default_factory=dict)


def _stages(builder: _Builder, where: Layout, spec: TensorSpec) -> list[_Stage]:
    """What follows the operation."""
    problem, stages = builder.problem, list[_Stage]()
    if builder.beta:
        stages.append(_Stage("ADD", builder.operand(spec.role, where, uid=_OLD), builder.beta))
    product = problem.operation in (*_PRODUCTS, "matmul")
    beside = matrix(problem.tensor("residual")) if product and problem.epilogue.residual else None
    residual = [_Stage("ADD", builder.operand("residual", beside))] if problem.epilogue.residual else []
    if not problem.epilogue.residual_after:
        stages += residual
    if problem.epilogue.bias:
        if product:
            size, step = where.shape[-1], problem.tensor("bias").strides[-1] if where.shape[-1] > 1 else 1
            along = Layout((*(1 for _ in where.shape[1:]), size), (*(size * step for _ in where.shape[1:]), step))
        else:
            along = channel_vector(problem.tensor("bias"), where)
        stages.append(_Stage("ADD", builder.operand("bias", along)))
    settings = pointwise_settings(problem.epilogue)
    if settings is not None:
        stages.append(_Stage(settings[0], settings=settings[1]))
    return [*stages, *residual] if problem.epilogue.residual_after else stages


def _follow(builder: _Builder, value: Any, stages: Sequence[_Stage], where: Layout, result: Any) -> None:
    """The nodes of `stages`, from `value` to `result`; the first of them takes alpha."""
    alpha = builder.alpha
    for place, stage in enumerate(stages):
        after = result if place == len(stages) - 1 else builder.virtual(where)
        tensors = {"XDESC": value, "YDESC": after}
        if stage.other is not None:
            tensors["BDESC"] = stage.other
        builder.pointwise(stage.mode, stage.settings, (alpha, stage.factor), **tensors)
        value, alpha = after, 1.0


def _chain(builder: _Builder, first: _First, role: str, where: Layout | None = None) -> None:
    """The operation's node and what follows it; the last node writes operand `role`."""
    spec = builder.problem.tensor(role)
    where = where or layout(spec)
    stages = _stages(builder, where, spec)
    if not stages and builder.alpha != 1:
        stages = [_Stage("IDENTITY")]
    value = builder.virtual(where) if stages else builder.operand(role, where)
    first(value)
    if stages:
        _follow(builder, value, stages, where, builder.operand(role, where))


def _convolution(builder: _Builder) -> None:
    problem = builder.problem
    direction, spec = DIRECTIONS[problem.operation], problem.convolution
    if spec is None:
        raise ValueError(f"{problem.operation} lacks the parameters of its convolution")
    what = builder.create("CONVOLUTION_DESCRIPTOR")
    what["CONVOLUTION_SPATIAL_DIMS"] = max(len(spec.stride), 2)
    what["CONVOLUTION_COMP_TYPE"] = builder.compute
    what["CONVOLUTION_CONV_MODE"] = builder.enums.ConvolutionMode[spec.mode.upper().replace("-", "_")]
    what["CONVOLUTION_PRE_PADDINGS"] = lift_axes(spec.pre_padding, 0)
    what["CONVOLUTION_POST_PADDINGS"] = lift_axes(spec.post_padding, 0)
    what["CONVOLUTION_FILTER_STRIDES"] = lift_axes(spec.stride, 1)
    what["CONVOLUTION_DILATIONS"] = lift_axes(spec.dilation, 1)
    what.finalize()
    inputs = [builder.operand(role) for role in direction.operands]
    bare = problem.epilogue == Epilogue()

    def node(result: Any) -> None:
        one = builder.create(direction.descriptor)
        one[f"{direction.prefix}CONV_DESC"] = what
        for name, tensor in zip(direction.attributes, (*inputs, result), strict=True):
            one[direction.prefix + name] = tensor
        one.set(f"{direction.prefix}ALPHA", builder.alpha if bare else 1.0, kind=builder.real)
        one.set(f"{direction.prefix}BETA", builder.beta if bare else 0.0, kind=builder.real)
        builder.operations.append(one.finalize())

    if bare:
        node(builder.operand(direction.result))
    else:
        _chain(builder, node, direction.result)


def _epilogue(builder: _Builder) -> None:
    """Bias, residual and activation of a tensor that is there already."""
    problem = builder.problem
    spec = problem.tensor("y")
    where = builder.layout(spec)
    value = builder.operand("x")
    stages = _stages(builder, where, spec) or [_Stage("IDENTITY")]
    _follow(builder, value, stages, where, builder.operand("y"))


def _activation_gradient(builder: _Builder) -> None:
    """The gradient dx from dy and the activation's input x."""
    settings = pointwise_settings(builder.problem.epilogue, "BWD")
    if settings is None:
        raise ValueError("the identity's gradient is a copy and needs no graph")
    dy, x, dx = (builder.operand(role) for role in ("dy", "x", "dx"))
    builder.pointwise(settings[0], settings[1], DYDESC=dy, XDESC=x, DXDESC=dx)


def _bias_gradient(builder: _Builder) -> None:
    """dbias: the sum of dy over everything but channels."""
    dy = layout(builder.problem.tensor("dy"))
    where = channel_vector(builder.problem.tensor("dbias"), dy)
    source = builder.operand("dy")

    def node(result: Any) -> None:
        what = builder.create("REDUCTION_DESCRIPTOR")
        what["REDUCTION_OPERATOR"] = builder.enums.ReduceTensorOp.ADD
        what["REDUCTION_COMP_TYPE"] = builder.compute
        one = builder.create("OPERATION_REDUCTION_DESCRIPTOR")
        one["OPERATION_REDUCTION_DESC"] = what.finalize()
        one["OPERATION_REDUCTION_XDESC"] = source
        one["OPERATION_REDUCTION_YDESC"] = result
        builder.operations.append(one.finalize())

    _chain(builder, node, "dbias", where)


_PRODUCTS = {
    "linear_forward": (("x", False), ("w", True), "y"),
    "linear_dgrad": (("dy", False), ("w", False), "dx"),
    "linear_wgrad": (("dy", True), ("x", False), "dw"),
}
"""Both factors of a fully connected layer's products, whether each is transposed, and the result."""


def _matmul(builder: _Builder) -> None:
    """The result (B, M, N) from a (B, M, K) and b (B, K, N); bias runs along N."""
    problem = builder.problem
    (left, flipped), (right, turned), result = _PRODUCTS.get(problem.operation, (("a", False), ("b", False), "y"))
    a = builder.operand(left, matrix(problem.tensor(left), transposed=flipped))
    b = builder.operand(right, matrix(problem.tensor(right), transposed=turned))

    def node(value: Any) -> None:
        what = builder.create("MATMUL_DESCRIPTOR")
        what["MATMUL_COMP_TYPE"] = builder.compute
        one = builder.create("OPERATION_MATMUL_DESCRIPTOR")
        one["OPERATION_MATMUL_DESC"] = what.finalize()
        one["OPERATION_MATMUL_ADESC"], one["OPERATION_MATMUL_BDESC"] = a, b
        one["OPERATION_MATMUL_CDESC"] = value
        builder.operations.append(one.finalize())

    _chain(builder, node, result, matrix(problem.tensor(result)))


OPERATIONS: dict[str, Callable[[_Builder], None]] = {
    **dict.fromkeys(DIRECTIONS, _convolution),
    "conv_bias_grad": _bias_gradient,
    "epilogue": _epilogue,
    "activation_backward": _activation_gradient,
    "linear_bias_grad": _bias_gradient,
    "matmul": _matmul,
    **dict.fromkeys(_PRODUCTS, _matmul),
    "batch_norm_inference": norm_inference,
    "batch_norm_training": norm_training,
    "batch_norm_backward": norm_gradient,
    "batch_norm_dx": norm_dx,
    "pool_forward": pooling,
    "pool_backward": pooling_gradient,
    "reduction": reduction,
}
"""Operations that the graph API serves here."""


_ANY: Scale = (0.5, 0.5)


def build_operations(library: Any, problem: Problem, scale: Scale = _ANY) -> tuple[Graph, list[Any]]:
    """The finalized operations of a problem, and the graph to be made of them. Needs no handle, hence no GPU.

    Raises
    ------
    StatusError
        cuDNN does not take an operation (``cudnnBackendFinalize``).
    KeyError
        The operation or the activation is not known, or an operand is missing.
    """
    builder = _Builder(library, problem, scale)
    OPERATIONS[problem.operation](builder)
    return builder.graph, builder.operations


def build_graph(library: Any, problem: Problem, handle: Any, scale: Scale = _ANY) -> Graph:
    """The finalized operation graph of a problem (``CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR``).

    Parameters
    ----------
    library, handle
        The cuDNN library and a handle of the device.
    problem
        Its operation is one of `OPERATIONS`.
    scale
        Values of alpha and beta; they matter where :func:`scale_is_fixed` says no.

    Raises
    ------
    StatusError, KeyError
        As :func:`build_operations`, or cuDNN does not know such a graph.
    """
    graph, operations = build_operations(library, problem, scale)
    descriptor = library.backend_create_descriptor(library.enums.BackendDescriptorType.OPERATIONGRAPH_DESCRIPTOR)
    descriptor["OPERATIONGRAPH_HANDLE"] = handle
    descriptor["OPERATIONGRAPH_OPS"] = operations
    graph.descriptor = descriptor.finalize()
    return graph
