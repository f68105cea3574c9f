"""A few channels of a batch normalisation computed in float64 from the operands, to hold candidates against."""

from __future__ import annotations

import math
import random
from typing import Any

from cudnnkit.arrays.view import ArrayLibrary, contiguous_strides
from cudnnkit.operands import Operands
from cudnnkit.problem import Problem
from cudnnkit.reference import activated
from cudnnkit.reference_range import STEP, Tame, beyond, left_unchecked

__all__ = ["NormReference"]

_CHANNELS = 3
_ELEMENTS = 3
# Relative to the magnitudes of what is added up, which is what rounding errors grow with.
_BOUNDS = {"float16": 1e-2, "bfloat16": 4e-2, "float32": 1e-3, "float64": 1e-9}
_STATISTICS = {"float16": 2e-3, "bfloat16": 2e-3, "float32": 1e-3, "float64": 1e-9}

_LEAST = 2.0**-126
"""Variances below it, epsilon added, may count as zero, whose inverse deviation is infinite."""

Index = tuple[int, ...]


class NormReference:
    """Expected elements of every output on given operands.

    Parameters
    ----------
    problem
        One of `OPERATIONS`.
    operands
        The operands before any candidate ran: running statistics hold their old values.
    library
        Whose arrays they are.
    """

    OPERATIONS = ("batch_norm_inference", "batch_norm_training", "batch_norm_backward", "batch_norm_dx")

    def __init__(self, problem: Problem, operands: Operands, library: ArrayLibrary) -> None:
        self._problem, self._library, self._kernels = problem, library, library.kernels
        self._arrays = dict(zip((one.role for one in problem.tensors), operands.arrays, strict=True))
        x = problem.tensor("x")
        self._shape, self._count = x.shape, math.prod(x.shape) // x.shape[1]
        self._bound, self._close = _BOUNDS[x.dtype], _STATISTICS[x.dtype]
        self._tame = Tame(problem, operands, library.kernels)
        self._device = library.view(self._arrays["x"], "x").device
        self._one = library.empty((1,), (1,), x.dtype, self._device).source
        self._kernels.fill(self._one, 1.0)
        self._parameters = dict(problem.parameters)
        self._momentum = operands.alpha
        self._expected: list[tuple[str, Index, float, float]] = []
        choose = random.Random(0)  # the same elements in every run
        channels = {0, x.shape[1] - 1, *(choose.randrange(x.shape[1]) for _ in range(_CHANNELS - 2))}
        expect = self._backward if "dy" in self._arrays else self._forward
        for channel in sorted(channels):
            places = [tuple(choose.randrange(size) for size in x.shape) for _ in range(_ELEMENTS)]
            with left_unchecked(problem):
                expect(channel, [(at[0], channel, *at[2:]) for at in places])

    def _read(self, role: str, at: Index, default: float = 0.0) -> float:
        array = self._arrays.get(role)
        return default if array is None else self._kernels.read(array, at)

    def _sums(self, image: Any) -> tuple[float, float]:
        """Sum, and sum of squares."""
        return self._kernels.dot(image, self._one), self._kernels.dot(image, image)

    def _expect(self, role: str, at: Index, value: float, bound: float) -> None:
        if role in self._arrays and math.isfinite(value) and math.isfinite(bound):
            self._expected.append((role, at, value, bound + STEP[self._problem.tensor(role).dtype] + 1e-30))

    def _forward(self, channel: int, places: list[Index]) -> None:
        eps, at = float(self._parameters["epsilon"]), (channel,)
        if self._problem.operation == "batch_norm_training":
            total, squares = self._sums(self._arrays["x"][:, channel])
            if beyond(squares, self._problem.compute):
                return
            mean = total / self._count
            variance = max(squares / self._count - mean * mean, 0.0)
            size = math.sqrt(squares / self._count)
            inverse = 1 / math.sqrt(variance + eps)
            # Where the mean is much larger than the deviation, a sum of squares in float32 loses the difference.
            loose = self._close * (1 + squares / self._count * inverse * inverse * 1e-2)
            self._expect("mean", at, mean, self._close * size)
            self._expect("inverse_std", at, inverse, loose * inverse)
            unbiased = variance * self._count / max(self._count - 1, 1)
            for role, new, about in (
                ("running_mean", mean, self._close * size),
                ("running_variance", unbiased, loose * (unbiased + eps)),
            ):
                old = self._read(role, at)
                share = self._momentum
                near = about * share + self._bound_of(role) * abs(old)
                self._expect(role, at, (1 - share) * old + share * new, near)
        else:
            mean, loose = self._read("mean", at), self._close
            variance = self._read("variance", at)
            if variance < 0:
                return  # none, and what comes of it is open
            inverse = self._read("inverse_std", at) if "inverse_std" in self._arrays else 1 / math.sqrt(variance + eps)
        scale, bias = self._read("scale", at, 1.0), self._read("bias", at)
        for place in places:
            x, residual = self._read("x", place), self._read("residual", place)
            normal = (x - mean) * inverse * scale
            size = (abs(x) + abs(mean)) * abs(inverse * scale) + abs(bias) + abs(residual)
            # Rounded before the activation too, where that is a step of its own.
            step = STEP[self._problem.tensor("y").dtype] / (self._bound + loose)
            value, size = activated(self._problem.epilogue, normal + bias + residual, size + step)
            self._expect("y", place, value, (self._bound + loose) * size)

    def _bound_of(self, role: str) -> float:
        return _BOUNDS[self._problem.tensor(role).dtype] if role in self._arrays else 0.0

    def _masked(self, channel: int) -> Any:
        """One channel of the gradient behind the activation."""
        dy, name = self._arrays["dy"][:, channel], self._problem.epilogue.activation
        if name is None:
            return dy
        shape = (self._shape[0], *self._shape[2:])
        room = self._library.empty(shape, contiguous_strides(shape), self._problem.tensor("dy").dtype, self._device)
        y = self._arrays["y"][:, channel]
        self._kernels.activation_backward(dy, y, room.source, name, self._problem.epilogue.parameters)
        return room.source

    def _backward(self, channel: int, places: list[Index]) -> None:
        at, count = (channel,), self._count
        slope, x = self._masked(channel), self._arrays["x"][:, channel]
        mean, inverse = self._read("mean", at), self._read("inverse_std", at)
        total, squares = self._sums(slope)
        _, x_squares = self._sums(x)
        along = (self._kernels.dot(slope, x) - mean * total) * inverse
        if beyond(squares, self._problem.compute) or beyond(x_squares, self._problem.compute):
            return
        masked = self._problem.epilogue.activation is not None  # and rounded
        step = STEP[self._problem.tensor("dy").dtype] / self._bound if masked else 0.0
        length = math.sqrt(squares) + step * math.sqrt(count)
        # By Cauchy and Schwarz no sum of the products is larger than this.
        most = length * (math.sqrt(x_squares) + abs(mean) * math.sqrt(count)) * abs(inverse)
        self._expect("dscale", at, along, self._bound * most)
        self._expect("dbias", at, total, self._bound * length * math.sqrt(count))
        if self._problem.operation == "batch_norm_dx":  # by the sums that are given
            along, total = self._read("dscale", at), self._read("dbias", at)
            most = max(most, abs(along))
        factor = self._read("scale", at, 1.0) * inverse
        for place in places:
            here = self._kernels.read(slope, (place[0], *place[2:]))
            normal = (self._read("x", place) - mean) * inverse
            value = factor * (here - total / count - normal * along / count)
            size = abs(factor) * (abs(here) + step + abs(total) / count + abs(normal) * most / count)
            self._expect("dx", place, value, self._bound * size)
            self._expect("dresidual", place, here, self._bound * abs(here))

    def check(self, operands: Operands) -> str | None:
        """Why a result is wrong; None when nothing is found."""
        tensors = self._problem.tensors
        written = {one.role: array for one, array in zip(tensors, operands.arrays, strict=True) if one.output}
        for role, at, expected, bound in self._expected:
            if role not in written:
                continue
            found = self._kernels.read(written[role], at)
            if not abs(found - expected) <= bound:
                if beyond(expected, self._problem.tensor(role).dtype) and not math.isfinite(found):
                    continue  # beyond what the type holds
                return f"element {at} of {role} is {found:.6g} and should be {expected:.6g}"
        for role, array in written.items():
            if role != "reserve" and self._kernels.nan(array) and self._tame and not self._undefined():
                return f"elements of {role} were left unwritten or are not numbers"
        return None

    def _undefined(self) -> bool:
        """Whether a deviation may be zero or no number, so that a right result has infinities or NaN."""
        eps, variances = float(self._parameters.get("epsilon", 1.0)), self._arrays.get("variance")
        values = [0.0] if variances is None else self._kernels.values(variances)
        return any(one + eps < _LEAST for one in values)
