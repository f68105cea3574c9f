"""Pooling by one kernel each way, on dense images of one layout."""

from __future__ import annotations

import math

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides, element_size
from cudnnkit.axes import lift_axes
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.cuda.source import INDEX_MAX, cuda_text, kernel_source
from cudnnkit.cuda.words import WORD, WORDS
from cudnnkit.problem import PoolingSpec, Problem, TensorSpec

__all__ = ["pooling_kernels"]

_OLDEST = (8, 0)
"""Compute capability from which there are maxima that propagate NaN (``max.NaN``)."""
_BLOCK, _SMALL_BLOCK = 256, 64
"""Threads of a block, and of one where there are few; chosen, not measured."""
_MOST_TAPS = 256
"""Elements of a window; chosen, not measured."""
_UNROLLED_TAPS = 49
"""Elements of a window up to which its loops are unrolled; chosen, not measured."""


def pooling_kernels(problem: Problem, device: int) -> list[OwnKernel]:
    """The kernel, where it serves: 16-bit or single precision, dense in one layout, windows of moderate size."""
    spec = problem.pooling
    dtype = problem.tensors[0].dtype
    if spec is None or dtype not in WORDS or problem.device.architecture < _OLDEST:
        return []
    if math.prod(spec.window) > _MOST_TAPS or any(math.prod(one.shape) > INDEX_MAX for one in problem.tensors):
        return []
    last = all(one.strides == channels_last_strides(one.shape) for one in problem.tensors)
    if not last and any(one.strides != contiguous_strides(one.shape) for one in problem.tensors):
        return []
    roles = [one.role for one in problem.tensors]
    backward = problem.operation == "pool_backward"
    image, result = (problem.tensor(role) for role in (("dx", "dy") if backward else ("x", "y")))
    source, each = pooling_source(
        spec, image, result, backward=backward, last=last, alignment=min(one.alignment for one in problem.tensors)
    )
    # A mean's gradient reads neither y nor x; their arguments must be some address.
    needed = ("dy", "y" if "y" in roles else "dy", "x" if "x" in roles else "dy", "dx") if backward else ("x", "y")
    places = tuple(roles.index(role) for role in needed)
    made = image if backward else result
    count = math.prod(made.shape) // each
    # Few threads are spread over all multiprocessors.
    block = _BLOCK if count > 2 * _BLOCK * problem.device.multiprocessors else _SMALL_BLOCK
    one = CandidateId("array", name=f"{problem.operation} by a kernel of cudnnkit's own")
    source, name = f"#define BLOCK {block}\n{source}", "pool_backward" if backward else "pool"
    return [OwnKernel(Description(one, 0), source, name, device, count, block, places)]


def pooling_source(
    spec: PoolingSpec, image: TensorSpec, result: TensorSpec, *, backward: bool, last: bool, alignment: int
) -> tuple[str, int]:
    """CUDA C++ for a pooling between these images, and how many elements one thread makes.

    Parameters
    ----------
    spec
        The pooling.
    image, result
        x or dx, and y or dy.
    backward
        The gradient of the image, rather than the result.
    last
        The layout is NHWC.
    alignment
        Of every address, in bytes.
    """
    size = element_size(image.dtype)
    channels = image.shape[1] if last else 1
    vector = next(
        one
        for one in (16, 8, 4, 2)
        if one == size or (channels * size % one == 0 and alignment % one == 0 and one > size)
    )
    each = vector // size
    images = image.shape[0] if last else image.shape[0] * image.shape[1]
    constants = {
        "SIZE": size,
        "VECTOR": vector,
        "VECTORS": channels // each,
        "RESULTS": images * math.prod(result.shape[2:]) * (channels // each),
        "ELEMENTS": images * math.prod(image.shape[2:]) * (channels // each),
        "BACKWARD": int(backward),
        "MAXIMUM": int(spec.mode == "max"),
        "EXCLUDE": int(spec.mode == "average_exclude_padding"),
        "UNROLLED": int(math.prod(spec.window) <= _UNROLLED_TAPS),
    }
    for names, values, filler in (
        (("DEPTH", "HEIGHT", "WIDTH"), image.shape[2:], 1),
        (("OUT_DEPTH", "OUT_HEIGHT", "OUT_WIDTH"), result.shape[2:], 1),
        (("WINDOW_D", "WINDOW_H", "WINDOW_W"), spec.window, 1),
        (("STRIDE_D", "STRIDE_H", "STRIDE_W"), spec.stride, 1),
        (("PAD_D", "PAD_H", "PAD_W"), spec.pre_padding, 0),
    ):
        lifted = lift_axes(values, filler)
        constants.update(zip(names, (filler,) * (3 - len(lifted)) + lifted, strict=True))
    texts = WORD, WORDS[image.dtype], cuda_text("vectors"), cuda_text("pooling")
    return kernel_source(constants, *texts), each
