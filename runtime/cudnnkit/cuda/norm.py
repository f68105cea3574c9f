"""Batch normalisation in training, forward and backward, in two passes over images whose channels lie side by side."""

from __future__ import annotations

import math

from cudnnkit.arrays.view import channels_last_strides, element_size
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.offered import OwnKernels
from cudnnkit.cuda.sequence import ALPHA, NOTHING, WORKSPACE, Step
from cudnnkit.cuda.source import INDEX_MAX, cuda_text, kernel_source
from cudnnkit.cuda.words import WORD, WORDS
from cudnnkit.norm_operands import epsilon, unusual
from cudnnkit.problem import Problem

__all__ = ["norm_kernels"]

_OLDEST = (8, 0)
"""Compute capability from which bfloat16 is converted by an instruction."""
_BLOCK, _VECTOR, _WIDE = 256, 16, 32
"""Threads of a block, bytes that a thread reads at once, and threads that share a row at most: a warp."""
_FINISH_CHANNELS, _FINISH_BLOCK = 16, 512
"""Channels and threads of a block that adds up what the others found: ``FX`` and ``FX * FY`` of the kernels' text."""
_READS = 4
"""Rows of which a thread loads its vectors at a time; half as many where a pass reads several images."""
_RESIDENT = {False: 4, True: 3}
"""Blocks for each multiprocessor, by `backward`: what fits on it at once, so that all of them end together. Fewer leave
a thread the registers to have the loads of several rows on their way."""


def norm_kernels(problem: Problem, device: int) -> list[OwnKernels]:
    """The kernels, where they serve: training, NHWC, channels in vectors of 16 bytes, no activation or ReLU."""
    x, activation = problem.tensor("x"), problem.epilogue.activation
    if problem.operation not in ("batch_norm_training", "batch_norm_backward") or activation not in (None, "relu"):
        return []
    if x.dtype not in WORDS or problem.device.architecture < _OLDEST or unusual(problem) or problem.aliasing:
        return []
    size, channels = element_size(x.dtype), x.shape[1]
    aligned = all(one.alignment % _VECTOR == 0 for one in problem.tensors if one.shape == x.shape)
    if channels * size % _VECTOR or not aligned or not 0 < math.prod(x.shape) <= INDEX_MAX:
        return []
    if x.strides != channels_last_strides(x.shape):
        return []
    vectors, rows = channels * size // _VECTOR, math.prod(x.shape) // channels
    # A row's vectors are shared evenly by the threads of a warp or fewer.
    wide = next((one for one in range(min(vectors, _WIDE), _WIDE // 4 - 1, -1) if vectors % one == 0), None)
    wide = wide or min(vectors, _WIDE)
    chunks, high = -(-vectors // wide), _BLOCK // wide
    backward = problem.operation == "batch_norm_backward"
    residual = any(one.role in ("residual", "dresidual") for one in problem.tensors)
    unroll, resident = _READS // 2 if backward or residual else _READS, _RESIDENT[backward]
    splits = max(1, min(-(-rows // (high * unroll)), problem.device.multiprocessors * resident // chunks))
    per = -(-rows // splits)
    splits = -(-rows // per)
    mask = _mask(problem) if backward else 0
    constants = {
        "SIZE": size, "VECTOR": _VECTOR, "BLOCK": _BLOCK, "CHANNELS": channels, "VECTORS": vectors,
        "TX": wide, "TY": high, "ROWS": rows, "SPLITS": splits, "PER": per, "UNROLL": unroll, "READS": _READS,
        "RESIDENT": resident,
        "BACKWARD": int(backward), "RESIDUAL": int(residual), "RELU": int(activation == "relu"), "MASK": mask,
        "SECOND_MASK": 0 if residual else mask, "EPSILON": repr(epsilon(problem)),
        "RUNNING": int(any(one.role == "running_mean" for one in problem.tensors)),
    }  # fmt: skip
    source = kernel_source(constants, WORD, WORDS[x.dtype], cuda_text("vectors"), cuda_text("norm"))
    grid, finish = (chunks, splits), (-(-channels // _FINISH_CHANNELS), 1)
    workspace = 2 * splits * channels * 4
    one = CandidateId("array", name=f"{problem.operation} by kernels of cudnnkit's own")
    steps = (_backward if backward else _forward)(problem, grid, finish)
    return [OwnKernels(Description(one, 0, workspace), source, steps, device)]


def _mask(problem: Problem) -> int:
    """How dy's mask is found: 0 there is none, 1 from y, 2 from x, which is read anyway, and y need not be."""
    roles = {one.role for one in problem.tensors}
    if problem.epilogue.activation is None:
        return 0
    return 1 if "dresidual" in roles or "bias" not in roles else 2


def _forward(problem: Problem, grid: tuple[int, int], finish: tuple[int, int]) -> tuple[Step, ...]:
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    running = (at.get("running_mean", NOTHING), at.get("running_variance", NOTHING))
    found = (at["mean"], at["inverse_std"])
    operands = (at["x"], at.get("residual", NOTHING), at["scale"], at["bias"], *found, at["y"])
    return (
        Step("statistics", grid, _BLOCK, (at["x"], WORKSPACE)),
        Step("finish_statistics", finish, _FINISH_BLOCK, (WORKSPACE, *found, *running, ALPHA)),
        Step("normalize", grid, _BLOCK, operands),
    )


def _backward(problem: Problem, grid: tuple[int, int], finish: tuple[int, int]) -> tuple[Step, ...]:
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    residual = at.get("dresidual", NOTHING)
    vectors = (at["scale"], at.get("bias", NOTHING), at["mean"], at["inverse_std"])
    found, y = (at["dscale"], at["dbias"]), at.get("y", NOTHING)
    slope = at["dy"] if residual == NOTHING else residual
    return (
        Step("sums", grid, _BLOCK, (at["dy"], at["x"], y, *vectors, residual, WORKSPACE)),
        Step("finish_sums", finish, _FINISH_BLOCK, (WORKSPACE, at["inverse_std"], *found)),
        Step("gradient", grid, _BLOCK, (slope, at["x"], y, *vectors, *found, at["dx"])),
    )
