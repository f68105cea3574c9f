"""Operands of one layer as torch tensors on the GPU, and float64 references for them.

They rotate through more memory than the cache holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as functional

from side_by_side.cases import Case, Operation, Precision

__all__ = ["DTYPES", "LAYOUTS", "Operands", "frobenius", "lay_out"]

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "strict": torch.float32}
LAYOUTS = ("last", "first")
"""Channels last (NHWC, NWC, NDHWC), and channels first (NCHW)."""
_CACHE_BYTES = 128 * 2**20
"""More than twice the second-level cache of any GPU so far."""
_MOST_SETS = 24
_FILTERS = 8
"""Of a filter gradient so many filters are judged at either end."""


def lay_out(tensor: Any, layout: str) -> Any:
    """The tensor with that memory layout; its shape stays."""
    if layout == "first":
        return tensor.contiguous()
    return tensor.movedim(1, -1).contiguous().movedim(-1, 1)


def frobenius(result: Any, reference: Any) -> float:
    """Relative error in the Frobenius norm; NaN when the result has one."""
    return float((result.double() - reference).norm() / reference.norm())


class Operands:
    """x, w, bias and dy of one layer in one precision; values are the same in every layout.

    Parameters
    ----------
    case, precision
        Which layer.
    device
        The torch device.
    """

    def __init__(self, case: Case, precision: Precision, device: str = "cuda") -> None:
        self.case, self.precision = case, precision
        dtype = DTYPES[precision]
        make = torch.Generator(device=device).manual_seed(len(case.name) * 1000 + case.channels)

        def random(shape: tuple[int, ...], scale: float) -> Any:
            values = torch.randn(shape, generator=make, device=device, dtype=torch.float32)
            return values.mul_(scale).to(dtype)

        window = 1
        for taps in case.window:
            window *= taps
        fan_in = case.channels // case.groups * window
        self.x = random(case.x_shape, 1.0)
        self.w = random(case.w_shape, fan_in**-0.5)
        self.bias = random((case.filters,), 1.0)
        # Scaled so that sums over many images stay far from the largest float16.
        self.dy = random(case.y_shape, 0.1)
        self._references: dict[str, Any] = {}
        self._sets: dict[str, list[dict[str, Any]]] = {}

    def rotating(self, layout: str) -> list[dict[str, Any]]:
        """Copies of the operands in that layout, enough to keep one call's data out of the next call's cache."""
        found = self._sets.get(layout)
        if found is None:
            tensors = {"x": self.x, "w": self.w, "dy": self.dy}
            nbytes = sum(one.numel() * one.element_size() for one in tensors.values())
            count = max(2, min(_MOST_SETS, -(-_CACHE_BYTES // nbytes)))
            found = [
                {**{name: lay_out(one, layout).clone() for name, one in tensors.items()}, "bias": self.bias.clone()}
                for _ in range(count)
            ]
            self._sets[layout] = found
        return found

    def drop(self, layout: str) -> None:
        """Free a layout's copies."""
        self._sets.pop(layout, None)

    def error(self, operation: Operation, result: Any) -> float:
        """Relative error of a result in the Frobenius norm; NaN where any of its elements is not finite.

        It is judged on the first, a middle and the last image, or on some filters' gradients: float64 of a whole batch
        takes the device as long as all other work on a row. Every element, judged or not, is looked at for poison.
        """
        if not bool(torch.isfinite(result).all()):
            return float("nan")
        part = self._part(operation)
        return frobenius(result[part.judged], self._reference(operation))

    def _part(self, operation: Operation) -> _Part:
        case = self.case
        images = sorted({0, case.batch // 2, case.batch - 1})
        if operation != "wgrad":
            return _Part(images, {"x": self.x[images], "w": self.w, "dy": self.dy[images]}, case.groups)
        if case.groups == 1:
            filters = sorted(
                {*range(min(_FILTERS, case.filters)), *range(max(0, case.filters - _FILTERS), case.filters)}
            )
            return _Part(filters, {"x": self.x, "w": self.w[filters], "dy": self.dy[:, filters]}, 1)
        groups = sorted({0, case.groups - 1})
        channels, filters = _members(case.channels, case.groups, groups), _members(case.filters, case.groups, groups)
        given = {"x": self.x[:, channels], "w": self.w[filters], "dy": self.dy[:, filters]}
        return _Part(filters, given, len(groups))

    def _reference(self, operation: Operation) -> Any:
        """The judged part of the result in float64, from the operands as they were rounded to their type."""
        kind: Operation = "conv" if operation == "conv_bias_relu" else operation
        found = self._references.get(kind)
        if found is None:
            part = self._part(kind)
            wide = {name: one.double() for name, one in part.given.items()}
            with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False):
                found = self._references[kind] = compute(kind, self.case, wide, groups=part.groups)
        if operation == "conv_bias_relu":
            return functional.relu(found + self.bias.double().reshape(1, -1, *(1 for _ in self.case.window)))
        return found


class _Part(NamedTuple):
    """What of a result is judged, and the operands that it takes."""

    judged: list[int]
    given: dict[str, Any]
    groups: int


def _members(count: int, groups: int, chosen: list[int]) -> list[int]:
    size = count // groups
    return [group * size + place for group in chosen for place in range(size)]


_CONVOLUTIONS = {1: functional.conv1d, 2: functional.conv2d, 3: functional.conv3d}


def compute(operation: str, case: Case, one: dict[str, Any], *, groups: int | None = None) -> Any:
    """An operation by torch, on the operands that it takes out of `one`."""
    stride, padding, dilation = list(case.stride), list(case.padding), list(case.dilation)
    groups = groups or case.groups
    if operation in ("conv", "conv_bias_relu"):
        bias = one["bias"] if operation == "conv_bias_relu" else None
        convolution = _CONVOLUTIONS[len(case.window)]
        result = convolution(one["x"], one["w"], bias, stride, padding, dilation, groups)
        return result.relu_() if operation == "conv_bias_relu" else result
    mask = [operation == "dgrad", operation == "wgrad", False]
    results = torch.ops.aten.convolution_backward(
        one["dy"], one["x"], one["w"], None, stride, padding, dilation, False, [0] * len(stride), groups, mask
    )
    return results[0] if operation == "dgrad" else results[1]
