"""Bias, residual and activation by one kernel, on dense tensors of one layout.

An array library takes one kernel for each step, and each reads and writes the whole result.
"""

from __future__ import annotations

import math

from cudnnkit.arrays.view import element_size
from cudnnkit.axes import is_dense
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.activations import activation_source, has_activation
from cudnnkit.cuda.launch import KernelLaunch, launch_if_there
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.cuda.source import INDEX_MAX, KernelSource, cuda_text, kernel_source
from cudnnkit.cuda.words import WORD, WORDS
from cudnnkit.problem import STRIDED, Epilogue, Problem, TensorSpec

__all__ = ["epilogue_kernel", "epilogue_kernels", "epilogue_source"]

_OLDEST = (8, 0)
"""Compute capability from which bfloat16 is converted by an instruction."""
_BLOCK, _EACH = 256, 2
"""Threads of a block, and vectors that each makes; one or four of them came within 1 % on an H200."""
_VECTORS = (16, 8, 4, 2)
_NAME = "epilogue"


def epilogue_source(
    epilogue: Epilogue,
    y: TensorSpec,
    *,
    bias: TensorSpec | None,
    others: tuple[TensorSpec, ...],
    architecture: tuple[int, int],
) -> KernelSource | None:
    """CUDA C++ for ``y = activation(x + bias + residual)``; None where the kernel does not serve.

    Parameters
    ----------
    epilogue
        What is to be done; its `bias` and `residual` say what there is.
    y
        The result: 16-bit or single precision, dense in NHWC or NCHW.
    bias
        One element a channel (axis 1), of y's type.
    others
        x and the residual, which lie as y does.
    architecture
        Compute capability.
    """
    if y.dtype not in WORDS or architecture < _OLDEST or not has_activation(epilogue):
        return None
    if not 0 < math.prod(y.shape) <= INDEX_MAX or any(not _alike(one, y) for one in others):
        return None
    channels, inner = _cut(y, bias)
    if not channels or (bias is not None and (bias.dtype != y.dtype or bias.shape != (channels,) or not _row(bias))):
        return None
    size, elements = element_size(y.dtype), math.prod(y.shape)
    # A vector lies within one row of channels, or within one plane.
    row = channels if inner == 1 else inner
    aligned = [y, *others, *([bias] if bias is not None and inner == 1 else [])]
    alignment = min(one.alignment for one in aligned)
    vector = next((one for one in _VECTORS if one >= size and row * size % one == 0 and alignment % one == 0), None)
    if vector is None:
        return None
    vectors = elements * size // vector
    constants = {
        "SIZE": size, "VECTOR": vector, "VECTORS": f"{vectors}u", "BLOCK": _BLOCK, "EACH": _EACH,
        "CHANNELS": channels, "INNER": inner, "BIAS": int(bias is not None), "RESIDUAL": int(epilogue.residual),
        "AFTER": int(epilogue.residual_after),
    }  # fmt: skip
    texts = WORD, WORDS[y.dtype], activation_source(epilogue), cuda_text("vectors"), cuda_text("epilogue")
    return KernelSource(kernel_source(constants, *texts), -(-vectors // _EACH))


def _cut(y: TensorSpec, bias: TensorSpec | None) -> tuple[int, int]:
    """Channels, and how many elements of one lie side by side; without a bias all is one. (0, 0): y is not dense."""
    last, first = is_dense(y, last=True), is_dense(y, last=False)
    if not (last or first):
        return 0, 0
    if bias is None:
        return 1, math.prod(y.shape)
    channels, plane = y.shape[1], math.prod(y.shape[2:])
    # A single channel, or a single pixel, is dense either way: the longer rows make longer vectors.
    return (channels, 1) if last and (not first or channels >= plane) else (channels, plane)


def _alike(one: TensorSpec, y: TensorSpec) -> bool:
    return (one.shape, one.dtype) == (y.shape, y.dtype) and (
        one.strides == y.strides or any(is_dense(one, last=last) and is_dense(y, last=last) for last in (True, False))
    )


def _row(bias: TensorSpec) -> bool:
    """Whether the elements of a vector lie side by side."""
    return bias.shape == (1,) or bias.strides == (1,)


def epilogue_kernel(made: KernelSource, device: int) -> KernelLaunch | None:
    """The kernel prepared for a device; its operands are x, bias, residual and y, any address where one is not read.

    None where it cannot be had: without NVRTC, or where the driver refuses, the array library's kernels do the same.
    """
    return launch_if_there(device, made.text, _NAME, made.count, _BLOCK, (0, 1, 2, 3))


def epilogue_kernels(problem: Problem, device: int) -> list[OwnKernel]:
    """The kernel as a candidate for a problem of its own (``"epilogue"``), where it serves."""
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    bias = problem.tensor("bias") if "bias" in at else None
    others = tuple(problem.tensor(role) for role in ("x", "residual") if role in at)
    made = epilogue_source(
        problem.epilogue, problem.tensor("y"), bias=bias, others=others, architecture=problem.device.architecture
    )
    if made is None or (problem.alpha, problem.beta) != ("one", "zero") or STRIDED in problem.parameters:
        return []
    one = CandidateId("array", name="epilogue by a kernel of cudnnkit's own (revision 2)")
    places = (at["x"], at.get("bias", at["x"]), at.get("residual", at["x"]), at["y"])
    return [OwnKernel(Description(one, 0), made.text, _NAME, device, made.count, _BLOCK, places)]
