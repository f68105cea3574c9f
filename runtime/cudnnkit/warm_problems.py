"""The tiny problems of a warm-up."""

from __future__ import annotations

from typing import NamedTuple

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import CandidateId
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, DeviceSpec, Epilogue, Problem, TensorSpec, VersionSpec

__all__ = ["Tiny", "tiny"]


class Tiny(NamedTuple):
    """A problem in words, the problem, and the candidate to prepare; None for the first on offer."""

    name: str
    problem: Problem
    candidate: CandidateId | None = None


_SHAPES = {"x": (1, 8, 4, 4), "w": (8, 8, 3, 3), "bias": (8,), "y": (1, 8, 4, 4)}


def tiny(kind: str, device: DeviceSpec, versions: VersionSpec) -> list[Tiny]:
    """The problems of one kind of operations (``warm.OPERATIONS``)."""
    if kind == "softmax":
        specs = tuple(TensorSpec(one, (2, 8, 1), (8, 1, 1), "float32", output=one == "y") for one in ("x", "y"))
        problem = Problem(
            "softmax_forward", specs, "float32", device, versions, Policy().key, parameters=(("algorithm", "accurate"),)
        )
        return [Tiny("a legacy softmax", problem)]

    def convolution(dtype: str, roles: str, last: bool, epilogue: Epilogue) -> Problem:
        tensors = []
        for role in roles.split():
            shape = _SHAPES[role]
            strides = channels_last_strides(shape) if last and len(shape) > 1 else contiguous_strides(shape)
            tensors.append(TensorSpec(role, shape, strides, dtype, output=role == "y"))
        where = ConvolutionSpec((1, 1), (1, 1), (1, 1), (1, 1))
        return Problem(
            "conv_forward", tuple(tensors), "float32", device, versions, Policy().key, where, epilogue=epilogue
        )

    fused = convolution("float16", "x w bias y", True, Epilogue(bias=True, activation="relu"))
    plain = convolution("float32", "x w y", False, Epilogue())
    return [
        Tiny("a convolution by a graph engine", fused),
        *(
            Tiny(name, plain, CandidateId("legacy", algorithm=algorithm, math_type="FMA"))
            for name, algorithm in (
                ("a legacy convolution", "IMPLICIT_GEMM"), ("a legacy convolution by Winograd", "WINOGRAD_NONFUSED")
            )
        ),
    ]  # fmt: skip
