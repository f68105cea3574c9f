"""Which problems are one matrix product, or a batch of them, and where their matrices lie.

Indices of a convolution, and of a fully connected layer, fall into three groups: pixels P (batch and position), input
channels C and filters K. With a window of one element, or one that covers the whole image, every operand is a matrix
over two of the groups::

    forward  y[P, K] = x[P, C] w[K, C]      data gradient  dx[P, C] = dy[P, K] w[K, C]
    filter gradient  dw[K, C] = x[P, C] dy[P, K]

A group whose axes follow each other in memory is one axis. Where batch and position do not (NCHW), each image is a
product of its own. cuBLASLt stores matrices by columns and adds a bias along the rows of its result, so the result's
channels are the rows wherever they are innermost in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cudnnkit.problem import Problem, TensorSpec

__all__ = ["DTYPES", "Matrix", "Product", "product_of"]

DTYPES = ("float16", "bfloat16", "float32", "float64")
_ACTIVATIONS = {None: None, "identity": None, "relu": "relu", "gelu_tanh": "gelu_tanh"}  # cuBLASLt's GELU is tanh's


@dataclass(frozen=True)
class Matrix:
    """An operand as cuBLASLt sees it, stored by columns.

    Attributes
    ----------
    place
        The operand's place among the problem's tensors.
    rows, columns
        Sizes as stored.
    leading
        Elements from one column to the next.
    batch_stride
        Elements from one matrix of a batch to the next.
    transposed
        The product takes its transpose.
    """

    place: int
    rows: int
    columns: int
    leading: int
    batch_stride: int = 0
    transposed: bool = False


@dataclass(frozen=True)
class Product:
    """``d = activation(alpha * a b + beta * c + bias)``.

    Attributes
    ----------
    a, b, c, d
        The matrices; c is the residual, or the result itself.
    batch
        How many products.
    bias
        Place of the vector along d's rows, or None.
    activation
        relu, gelu_tanh or None.
    adds_residual
        c is the residual: beta is one.
    """

    a: Matrix
    b: Matrix
    c: Matrix
    d: Matrix
    batch: int = 1
    bias: int | None = None
    activation: str | None = None
    adds_residual: bool = False


_OPERANDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "conv_forward": (("x", "PC"), ("w", "KC"), ("y", "PK")),
    "conv_dgrad": (("dy", "PK"), ("w", "KC"), ("dx", "PC")),
    "conv_wgrad": (("x", "PC"), ("dy", "PK"), ("dw", "KC")),
    "linear_forward": (("x", "PC"), ("w", "KC"), ("y", "PK")),
    "linear_dgrad": (("dy", "PK"), ("w", "KC"), ("dx", "PC")),
    "linear_wgrad": (("x", "PC"), ("dy", "PK"), ("dw", "KC")),
}
"""Roles of both inputs and of the result, with the groups that each is a matrix over."""

_Axes = tuple[int, ...]


class _UnfitError(Exception):
    """Not a matrix product, and why."""


class _Axis(NamedTuple):
    """Axes that follow each other in memory, as one; the stride of a single element is 0."""

    size: int
    stride: int


class _Operand(NamedTuple):
    """A tensor as a matrix over two groups, or as a batch of them."""

    place: int
    axes: Mapping[str, _Axis]
    step: int

    def matrix(self, rows: str, columns: str) -> Matrix | None:
        """Stored by columns, or by rows and then transposed; None where neither holds."""
        for one, other, transposed in ((rows, columns, False), (columns, rows, True)):
            size, stride = self.axes[one]
            count, leading = self.axes[other]
            leading = leading if count > 1 else size
            if (size == 1 or stride == 1) and leading >= size:
                return Matrix(self.place, size, count, leading, self.step, transposed)
        return None


def product_of(problem: Problem) -> Product | str:
    """The product that a problem is, or why it is none."""
    try:
        roles = _OPERANDS.get(problem.operation)
        if roles is None:
            raise _UnfitError("has no such operation")
        _check_types(problem)
        pixels, channels = _groups(problem)
        together = _operands(problem, roles, pixels, channels, batched=False)
        if together is not None:
            return _arranged(problem, together, 1)
        # Images that do not follow each other are products of their own; a filter gradient would add these up.
        apart = None if len(pixels) == 1 or problem.operation == "conv_wgrad" else pixels[1:]
        images = None if apart is None else _operands(problem, roles, apart, channels, batched=True)
        if images is None:
            raise _UnfitError("takes operands whose pixels, and whose channels, follow each other in memory")
        return _arranged(problem, images, problem.tensor(roles[2][0]).shape[0])
    except _UnfitError as reason:
        return str(reason)


def _check_types(problem: Problem) -> None:
    types = {one.dtype for one in problem.tensors}
    if len(types) > 1 or not types <= set(DTYPES):
        raise _UnfitError(f"takes one floating type for all operands here, not {', '.join(sorted(types))}")
    if problem.compute != ("float64" if types == {"float64"} else "float32"):
        raise _UnfitError(f"does not compute in {problem.compute} here")


def _groups(problem: Problem) -> tuple[_Axes, _Axes]:
    """Axes of an image that make up P, the batch in front, and those of image and filter that make up C."""
    spec = problem.convolution
    if problem.operation.startswith("linear_"):
        return (0,), (1,)
    if spec is None:
        raise _UnfitError("lacks the parameters of its convolution")
    by_role = {one.role: one for one in problem.tensors}
    image = by_role.get("x") or by_role["dx"]
    window = (by_role.get("w") or by_role["dw"]).shape[2:]
    spatial = tuple(range(2, len(image.shape)))
    if spec.groups != 1:
        raise _UnfitError("does not take groups of channels")
    if any(spec.pre_padding + spec.post_padding):
        raise _UnfitError("does not pad")
    if set(window) == {1} and set(spec.stride) == {1}:
        return (0, *_slowest_first(image, spatial)), (1,)
    if window == image.shape[2:] and (spec.mode == "cross-correlation" or set(window) == {1}):
        return (0,), _slowest_first(image, (1, *spatial))
    raise _UnfitError("takes windows of one element with stride 1, or windows that cover the whole image")


def _slowest_first(spec: TensorSpec, axes: _Axes) -> _Axes:
    return tuple(sorted(axes, key=lambda axis: -spec.strides[axis]))


def _operands(
    problem: Problem, roles: Sequence[tuple[str, str]], pixels: _Axes, channels: _Axes, *, batched: bool
) -> list[_Operand] | None:
    """Both inputs and the result, then the residual; None where a group of axes is not one."""
    places = {one.role: place for place, one in enumerate(problem.tensors)}
    extra = [("residual", roles[2][1])] if problem.epilogue.residual else []
    found = []
    for role, groups in (*roles, *extra):
        spec = problem.tensor(role)
        filters = role in ("w", "dw")
        axes = {"P": pixels, "C": channels, "K": (0,) if filters else (1,)}
        merged = {group: _merged(spec, axes[group]) for group in groups}
        known = {group: axis for group, axis in merged.items() if axis is not None}
        if len(known) < len(merged):
            return None
        found.append(_Operand(places[role], known, spec.strides[0] if batched and not filters else 0))
    return found


def _merged(spec: TensorSpec, axes: _Axes) -> _Axis | None:
    """Axes, slowest first, as one."""
    size, stride = 1, 0
    for axis in reversed(axes):
        if spec.shape[axis] == 1:
            continue
        if size == 1:
            stride = spec.strides[axis]
        elif spec.strides[axis] != stride * size:
            return None
        size *= spec.shape[axis]
    return _Axis(size, stride) if size == 1 or stride > 0 else None


def _arranged(problem: Problem, operands: Sequence[_Operand], batch: int) -> Product:
    """The product with the result's channels as its rows, or its pixels where those are innermost."""
    first, second, result, *extra = operands
    outer, inner = result.axes  # P and channels, or K and C
    for rows, columns in ((inner, outer), (outer, inner)):
        d = result.matrix(rows, columns)
        if d is not None and not d.transposed:
            break
    else:
        raise _UnfitError("takes results in which pixels or channels are innermost")
    (shared,) = set(first.axes) & set(second.axes)
    left, right = (first, second) if rows in first.axes else (second, first)
    a, b = left.matrix(rows, shared), right.matrix(shared, columns)
    c = extra[0].matrix(rows, columns) if extra else d
    if a is None or b is None:
        raise _UnfitError("takes operands in which pixels or channels are innermost")
    if c is None or c.transposed:
        raise _UnfitError("takes residuals in the result's layout")
    epilogue = problem.epilogue
    if epilogue.residual and problem.beta != "zero":
        raise _UnfitError("adds a residual or the old result, not both")
    if epilogue.residual_after and epilogue.activation not in (None, "identity"):
        raise _UnfitError("adds a residual before the activation")
    if epilogue.activation not in _ACTIVATIONS:
        raise _UnfitError(f"does not fuse {epilogue.activation}")
    if epilogue.activation == "gelu_tanh" and problem.compute == "float64":
        raise _UnfitError("computes GELU to eleven digits, too few for float64")  # 1.5e-11, cuBLAS 13 on an H200
    bias = None
    if epilogue.bias:
        if rows != inner:
            raise _UnfitError("adds a bias along the innermost axis of the result")
        bias = _packed(problem, d.rows)
    return Product(a, b, c, d, batch, bias, _ACTIVATIONS[epilogue.activation], epilogue.residual)


def _packed(problem: Problem, channels: int) -> int:
    """Place of the bias, a vector without gaps."""
    spec = problem.tensor("bias")
    steps = [step for size, step in zip(spec.shape, spec.strides, strict=True) if size > 1]
    if channels > 1 and steps != [1]:
        raise _UnfitError("takes a bias without gaps")
    return next(place for place, one in enumerate(problem.tensors) if one.role == "bias")
