"""A few elements of a result computed in float64 from the operands, to hold candidates against.

A candidate that writes garbage, or not everything, must not win because it is fast. Sampling some elements costs
little, and does not rely on any other candidate being right.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any

from cudnnkit.arrays.kernels import FORMULAS, Kernels, ScalarMath, activation_parameters
from cudnnkit.operands import Operands
from cudnnkit.problem import Epilogue, Problem
from cudnnkit.reference_pooling import pooled_element
from cudnnkit.reference_range import STEP, Tame, beyond, left_unchecked

__all__ = ["Reference", "activated"]

_SAMPLES = 6
"""Elements of a result that are computed anew; chosen, not measured."""
_MOST_TAPS = 512
# Relative to the sum of the products' magnitudes, which is what rounding errors grow with.
_BOUNDS = {"float16": 2e-2, "bfloat16": 6e-2, "float32": 1e-2, "float64": 1e-9}


def _matrix(array: Any) -> Any:
    """Rows and channels; a vector stays one."""
    return array if len(array.shape) == 1 else array.reshape(-1, array.shape[-1])


_LINEAR: dict[str, Callable[[dict[str, Any], int, int], list[tuple[Any, Any]]]] = {
    "linear_forward": lambda arrays, row, column: [(arrays["x"][row], arrays["w"][column])],
    "linear_dgrad": lambda arrays, row, column: [(arrays["dy"][row], arrays["w"][:, column])],
    "linear_wgrad": lambda arrays, row, column: [(arrays["dy"][:, row], arrays["x"][:, column])],
}
"""Pairs of vectors whose dot product is one element of a fully connected layer's result."""


def activated(epilogue: Epilogue, value: float, size: float) -> tuple[float, float]:
    """A value behind the epilogue's activation, and the magnitude that its rounding errors grow with.

    Some activations are steeper than 1 by their parameter, and some make something of zero, which is rounded as well.
    """
    name = epilogue.activation
    if name is None or not math.isfinite(value):
        return value, size
    parameters = activation_parameters(name, epilogue.parameters)
    try:
        found = float(FORMULAS[name](ScalarMath, value, *parameters))
    except OverflowError:
        return math.inf, math.inf
    steep = max(1.0, *map(abs, parameters)) if name in ("elu", "leaky_relu") else 1.0
    return found, size * steep + abs(found)


class Reference:
    """Expected elements of one problem's result on given operands.

    Parameters
    ----------
    problem
        The problem; of operations other than convolutions, products and poolings only poison is looked for.
    operands
        The operands before any candidate ran: where beta is not zero the output holds its old content.
    kernels
        Reads elements and adds products.
    """

    def __init__(self, problem: Problem, operands: Operands, kernels: Kernels) -> None:
        self._problem, self._kernels = problem, kernels
        self._place = next(place for place, one in enumerate(problem.tensors) if one.output)
        self._arrays = dict(zip((one.role for one in problem.tensors), operands.arrays, strict=True))
        self._expected: list[tuple[tuple[int, ...], float, float]] = []
        self._tame = Tame(problem, operands, kernels)
        self._matrices = problem.operation in _LINEAR
        if self._matrices:
            self._arrays = {role: _matrix(one) for role, one in self._arrays.items()}
        sampled = self._matrices or problem.convolution is not None or problem.pooling is not None
        if not sampled or 0 in problem.tensors[self._place].shape:
            return
        choose = random.Random(0)  # the same elements in every run
        out = problem.tensors[self._place]
        shape = tuple(self._arrays[out.role].shape) if self._matrices else out.shape
        corners = [(0,) * len(shape), tuple(size - 1 for size in shape)]
        picked = corners + [tuple(choose.randrange(size) for size in shape) for _ in range(_SAMPLES - 2)]
        for index in dict.fromkeys(picked):
            with left_unchecked(problem):
                found = self._expect(index, operands)
                if found is not None:
                    self._expected.append((index, *found))

    def _expect(self, index: tuple[int, ...], operands: Operands) -> tuple[float, float] | None:
        """One element and how far a result may be from it; None where it is too much work."""
        problem = self._problem
        if problem.pooling is not None:
            step = STEP[problem.tensors[self._place].dtype]
            return pooled_element(problem, self._arrays, self._kernels, index, _BOUNDS[problem.tensors[0].dtype], step)
        pairs = _LINEAR[problem.operation](self._arrays, *index) if self._matrices else self._products(index)
        return None if pairs is None else self._element(index, pairs, operands)

    def _products(self, index: tuple[int, ...]) -> list[tuple[Any, Any]] | None:
        """Pairs of slices whose dot products add up to one element; None when there are too many."""
        spec, arrays = self._problem.convolution, self._arrays
        assert spec is not None, "only convolutions are sampled"
        role = self._problem.tensors[self._place].role
        kernel = {one.role: one.shape for one in self._problem.tensors}["dw" if role == "dw" else "w"][2:]
        axes = range(len(kernel))

        def tap(offset: tuple[int, ...]) -> tuple[int, ...]:
            flipped = spec.mode == "convolution"
            return tuple(size - 1 - one if flipped else one for one, size in zip(offset, kernel, strict=True))

        if role == "dw":
            return self._filter_products(index, tap(index[2:]))
        if math.prod(kernel) > _MOST_TAPS:
            return None
        pairs = []
        x_channels = arrays["w"].shape[1]
        filters = arrays["w"].shape[0] // spec.groups
        for offset in itertools.product(*map(range, kernel)):
            if role == "y":
                at = tuple(
                    index[2 + a] * spec.stride[a] - spec.pre_padding[a] + offset[a] * spec.dilation[a] for a in axes
                )
                if all(0 <= at[a] < arrays["x"].shape[2 + a] for a in axes):
                    first = index[1] // filters * x_channels
                    image = (index[0], slice(first, first + x_channels), *at)
                    window = (index[1], slice(None), *tap(offset))
                    pairs.append((arrays["x"][image], arrays["w"][window]))
            else:
                up = [index[2 + a] + spec.pre_padding[a] - offset[a] * spec.dilation[a] for a in axes]
                if all(up[a] % spec.stride[a] == 0 for a in axes):
                    at = tuple(up[a] // spec.stride[a] for a in axes)
                    if all(0 <= at[a] < arrays["dy"].shape[2 + a] for a in axes):
                        group, channel = divmod(index[1], x_channels)
                        some = slice(group * filters, (group + 1) * filters)
                        slope, window = (index[0], some, *at), (some, channel, *tap(offset))
                        pairs.append((arrays["dy"][slope], arrays["w"][window]))
        return pairs

    def _filter_products(self, index: tuple[int, ...], offset: tuple[int, ...]) -> list[tuple[Any, Any]]:
        """The image elements that one filter tap meets, beside dy."""
        spec, arrays = self._problem.convolution, self._arrays
        assert spec is not None, "only convolutions are sampled"
        x, dy = arrays["x"], arrays["dy"]
        group = index[0] // (dy.shape[1] // spec.groups)
        image: list[Any] = [slice(None), group * (x.shape[1] // spec.groups) + index[1]]
        slope: list[Any] = [slice(None), index[0]]
        for a, tap in enumerate(offset):
            shift = tap * spec.dilation[a] - spec.pre_padding[a]
            step, size, count = spec.stride[a], x.shape[2 + a], dy.shape[2 + a]
            low = max(0, -(shift // step))
            high = min(count, (size - 1 - shift) // step + 1)
            if high <= low:
                return []
            slope.append(slice(low, high))
            image.append(slice(low * step + shift, (high - 1) * step + shift + 1, step))
        return [(x[tuple(image)], dy[tuple(slope)])]

    def _element(self, index: tuple[int, ...], pairs: list[tuple[Any, Any]], operands: Operands) -> tuple[float, float]:
        """Value, and how far a result may be from it."""
        problem, kernels = self._problem, self._kernels
        relative, step = _BOUNDS[problem.tensors[0].dtype], STEP[problem.tensors[self._place].dtype]
        total, size = 0.0, 0.0
        for a, b in pairs:
            total += kernels.dot(a, b)
            size += math.sqrt(abs(kernels.dot(a, a) * kernels.dot(b, b)))
        value, size = operands.alpha * total, abs(operands.alpha) * size
        arrays = self._arrays
        if problem.beta != "zero":
            old = operands.beta * kernels.read(operands.arrays[self._place], index)
            value, size = value + old, size + abs(old)
        residual = kernels.read(arrays["residual"], index) if problem.epilogue.residual else 0.0
        if not problem.epilogue.residual_after:
            value, size = value + residual, size + abs(residual)
        if problem.epilogue.bias:
            bias = arrays["bias"]
            at = tuple(index[1] if length > 1 else 0 for length in bias.shape)
            more = kernels.read(bias, at)
            value, size = value + more, size + abs(more)
        # Rounded before the activation, where that is a step of its own, and behind it.
        value, size = activated(problem.epilogue, value, size + step / relative)
        if problem.epilogue.residual_after:
            value, size = value + residual, size + abs(residual)
        return value, size * relative + step + 1e-30

    def check(self, operands: Operands) -> str | None:
        """Why a result is wrong; None when nothing is found."""
        output, out = operands.arrays[self._place], self._problem.tensors[self._place]
        seen = _matrix(output) if self._matrices else output
        for index, expected, bound in self._expected:
            found = self._kernels.read(seen, index)
            if math.isfinite(expected) and math.isfinite(bound) and not abs(found - expected) <= bound:
                if beyond(expected, out.dtype) and not math.isfinite(found):
                    continue  # beyond what the type holds
                if not (math.isfinite(found) or self._tame):
                    continue  # of an operand's own infinity or NaN, by which padding is multiplied as well
                return f"element {index} is {found:.6g} and should be {expected:.6g}"
        if not self._kernels.nan(output):
            return None  # infinite may be what overflowed, and there are samples against garbage
        if self._tame and not self._overflows():
            return "elements were left unwritten or are not numbers"
        return None

    def _overflows(self) -> bool:
        """Whether results beyond the type's range are to be expected, on the way to which infinities may cancel."""
        out, relative = self._problem.tensors[self._place].dtype, _BOUNDS[self._problem.tensors[0].dtype]
        return any(beyond(abs(value) + bound / relative, out) for _, value, bound in self._expected)
