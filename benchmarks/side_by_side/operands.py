"""Operands of one layer as torch tensors on the GPU, and float64 references for them.

They rotate through more memory than the cache holds.
"""

from __future__ import annotations

from typing import Any

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

    def reference(self, operation: Operation) -> Any:
        """The result in float64, from the operands as they were rounded to their type."""
        kind = "conv" if operation == "conv_bias_relu" else operation
        found = self._references.get(kind)
        if found is None:
            self._references.clear()  # one at a time: float64 takes four times the memory of half data
            with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False):
                found = compute(kind, self.case, {"x": self.x.double(), "w": self.w.double(), "dy": self.dy.double()})
            self._references[kind] = found
        if operation == "conv_bias_relu":
            return functional.relu(found + self.bias.double().reshape(1, -1, *(1 for _ in self.case.window)))
        return found


_CONVOLUTIONS = {1: functional.conv1d, 2: functional.conv2d, 3: functional.conv3d}


def compute(operation: str, case: Case, one: dict[str, Any]) -> Any:
    """An operation by torch, on the operands that it takes out of `one`."""
    stride, padding, dilation, groups = list(case.stride), list(case.padding), list(case.dilation), case.groups
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
