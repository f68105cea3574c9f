"""Operands as cuDNN's descriptors want them: element types, and layouts with at least two spatial axes."""

from __future__ import annotations

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.axes import Layout, lift
from cudnnkit.problem import TensorSpec, normalize_strides

__all__ = [
    "DATA_TYPES",
    "channel_vector",
    "elementwise_layout",
    "is_channels_last",
    "layout",
    "matrix",
]

DATA_TYPES = {
    "float16": "HALF",
    "bfloat16": "BFLOAT16",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "int8": "INT8",
    "uint8": "UINT8",
    "int32": "INT32",
    "int64": "INT64",
    "bool": "BOOLEAN",
}
"""Member of ``cudnnDataType_t`` for each element type."""


def is_channels_last(one: Layout) -> bool:
    """Whether axis 1 is the innermost; a tensor that fits both counts as NCHW."""
    return one.strides == channels_last_strides(one.shape) and one.strides != contiguous_strides(one.shape)


def layout(spec: TensorSpec) -> Layout:
    """The lifted layout of an operand with batch and channels."""
    return lift(spec.shape, spec.strides)


def elementwise_layout(spec: TensorSpec) -> Layout:
    """The lifted layout of an operand of an elementwise graph: one that fits NHWC and NCHW counts as NHWC.

    cuDNN has engines for graphs of pointwise operations alone on NHWC tensors, and none on NCHW ones
    (NVIDIA/cudnn-frontend, issue 171), however long their rows.

    >>> elementwise_layout(TensorSpec("x", (4, 64, 1), (64, 1, 1), "float16"))
    Layout(shape=(4, 64, 1, 1), strides=(64, 1, 64, 64))
    """
    one = layout(spec)
    return Layout(one.shape, normalize_strides(one.shape, one.strides, channels_last=True))


def matrix(spec: TensorSpec, *, transposed: bool = False) -> Layout:
    """The layout of a matrix, or of a batch of them, as (batch, rows, columns).

    >>> matrix(TensorSpec("w", (128, 64), (64, 1), "float16"), transposed=True)
    Layout(shape=(1, 64, 128), strides=(8192, 1, 64))
    """
    shape, strides = spec.shape, spec.strides
    if len(shape) == 2:
        apart = max(size * step for size, step in zip(shape, strides, strict=True))
        shape, strides = (1, *shape), (apart, *strides)
    if transposed:
        shape, strides = (shape[0], shape[2], shape[1]), (strides[0], strides[2], strides[1])
    return Layout(shape, strides)


def channel_vector(spec: TensorSpec, like: Layout) -> Layout:
    """The layout of a vector of channels, bias for example, beside a result laid out as `like`.

    It may come as (C,) or as (1, C, 1, ...). A vector that is not dense keeps its stride.
    """
    channels = like.shape[1]
    shape = (1, channels, *(1 for _ in like.shape[2:]))
    step = 1
    for size, stride in zip(spec.shape, spec.strides, strict=True):
        if size == channels and channels > 1:
            step = stride
    if step != 1:
        return Layout(shape, (channels * step, step, *(channels * step for _ in like.shape[2:])))
    dense = channels_last_strides(shape) if is_channels_last(like) else contiguous_strides(shape)
    return Layout(shape, dense)
