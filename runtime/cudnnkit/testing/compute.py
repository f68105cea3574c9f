"""What the simulated library computes: every operation with NumPy in float64, rounded once into the output."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from cudnnkit.arrays.numpy_kernels import NumpyKernels
from cudnnkit.arrays.pooling import ModuleMath, pool, pool_backward
from cudnnkit.arrays.view import element_size, span_bytes
from cudnnkit.problem import ConvolutionSpec, Problem, TensorSpec
from cudnnkit.testing.compute_norm import OPERATIONS, compute_norm

__all__ = ["compute", "tensor_at"]


def tensor_at(address: int, spec: TensorSpec) -> Any:
    """The NumPy array that lies at an address, as an operand describes it."""
    import numpy as np

    numpy: Any = np
    width = element_size(spec.dtype)
    low, high = span_bytes(spec.shape, spec.strides, spec.dtype)
    memory = (ctypes.c_char * (high - low)).from_address(address + low)
    steps = tuple(stride * width for stride in spec.strides)
    return numpy.ndarray(spec.shape, spec.dtype, memory, -low, steps)


def compute(problem: Problem, pointers: Sequence[int], alpha: float, beta: float) -> None:
    """Compute a problem on the operands at these addresses."""
    arrays = {spec.role: tensor_at(at, spec) for spec, at in zip(problem.tensors, pointers, strict=True)}
    if problem.operation in OPERATIONS:
        compute_norm(problem, arrays, alpha)
        return
    out = arrays[next(spec.role for spec in problem.tensors if spec.output)]
    value = alpha * _OPERATIONS[problem.operation](problem, arrays) if problem.operation in _SCALED else None
    if value is None:
        out[...] = _OPERATIONS[problem.operation](problem, arrays)
        return
    if problem.beta != "zero":
        value = value + (1.0 if problem.beta == "one" else beta) * out.astype("f8")
    residual = arrays["residual"].astype("f8") if problem.epilogue.residual else None
    if problem.epilogue.bias:
        bias = arrays["bias"].astype("f8").reshape(-1)
        value = value + bias.reshape((1, -1) + (1,) * (out.ndim - 2))
    epilogue = problem.epilogue
    NumpyKernels().epilogue(
        value.reshape(out.shape), out, None, residual, epilogue.activation, epilogue.parameters, epilogue.residual_after
    )


def _windows(spec: ConvolutionSpec, kernel: Sequence[int], result: Sequence[int]) -> list[tuple[Any, Any]]:
    """Index of each tap of the window, and of the padded image's elements that it meets, for any leading axes."""
    taps: list[tuple[Any, Any]] = []
    for tap in itertools.product(*map(range, kernel)):
        where = tuple(
            slice(at * gap, at * gap + (size - 1) * step + 1, step)
            for at, gap, step, size in zip(tap, spec.dilation, spec.stride, result, strict=True)
        )
        flipped = tuple(size - 1 - at for at, size in zip(tap, kernel, strict=True))
        taps.append(((..., *(flipped if spec.mode == "convolution" else tap)), (..., *where)))
    return taps


def _spec(problem: Problem) -> ConvolutionSpec:
    if problem.convolution is None:
        raise ValueError(f"{problem.operation} lacks the parameters of its convolution")
    return problem.convolution


def _grouped(array: Any, groups: int, axis: int) -> Any:
    shape = array.shape
    return array.reshape(*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :])


def _padded(spec: ConvolutionSpec, x: Any) -> Any:
    import numpy

    return numpy.pad(x.astype("f8"), ((0, 0), (0, 0), *zip(spec.pre_padding, spec.post_padding, strict=True)))


def _times(w: Any, images: Any) -> Any:
    """One tap's filters, matrices of each group, times the channels of images: (N, groups, channels, ...)."""
    import numpy

    with numpy.errstate(all="ignore"):  # infinities are the caller's
        found = w @ images.reshape(*images.shape[:3], -1)
    return found.reshape(*found.shape[:3], *images.shape[3:])


def _forward(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    spec, out = _spec(problem), arrays["y"].shape
    x = _grouped(_padded(spec, arrays["x"]), spec.groups, 1)
    w = _grouped(arrays["w"].astype("f8"), spec.groups, 0)
    total = numpy.zeros((out[0], spec.groups, out[1] // spec.groups, *out[2:]))
    for tap, where in _windows(spec, w.shape[3:], out[2:]):
        total += _times(w[tap], x[where])
    return total.reshape(out)


def _data_gradient(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    spec, out = _spec(problem), arrays["dx"].shape
    dy = _grouped(arrays["dy"].astype("f8"), spec.groups, 1)
    w = _grouped(arrays["w"].astype("f8"), spec.groups, 0)
    sizes = [a + b + c for a, b, c in zip(out[2:], spec.pre_padding, spec.post_padding, strict=True)]
    total: Any = numpy.zeros((out[0], spec.groups, out[1] // spec.groups, *sizes))
    for tap, where in _windows(spec, w.shape[3:], dy.shape[3:]):
        total[where] += _times(w[tap].swapaxes(1, 2), dy)
    inside = (..., *(slice(pre, pre + size) for pre, size in zip(spec.pre_padding, out[2:], strict=True)))
    return total[inside].reshape(out)


def _filter_gradient(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    spec, out = _spec(problem), arrays["dw"].shape
    x = _grouped(_padded(spec, arrays["x"]), spec.groups, 1)
    dy = _grouped(arrays["dy"].astype("f8"), spec.groups, 1)
    total: Any = numpy.zeros((spec.groups, out[0] // spec.groups, *out[1:]))
    for tap, where in _windows(spec, out[2:], dy.shape[3:]):
        images = x[where]
        flat = (*images.shape[:3], -1)
        with numpy.errstate(all="ignore"):
            total[tap] = (dy.reshape(*dy.shape[:3], -1) @ images.reshape(flat).swapaxes(2, 3)).sum(0)
    return total.reshape(out)


def _bias_gradient(problem: Problem, arrays: dict[str, Any]) -> Any:  # noqa: ARG001
    dy = arrays["dy"].astype("f8")
    return dy.sum(axis=tuple(axis for axis in range(dy.ndim) if axis != 1)).reshape(arrays["dbias"].shape)


def _linear(problem: Problem, arrays: dict[str, Any]) -> Any:
    wide = {role: one.astype("f8") for role, one in arrays.items()}
    if problem.operation == "linear_forward":
        return wide["x"] @ wide["w"].T
    return wide["dy"] @ wide["w"] if problem.operation == "linear_dgrad" else wide["dy"].T @ wide["x"]


def _epilogue(problem: Problem, arrays: dict[str, Any]) -> Any:  # noqa: ARG001
    return arrays["x"].astype("f8")


def _activation_backward(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    out, epilogue = numpy.empty(arrays["dx"].shape), problem.epilogue
    NumpyKernels().activation_backward(
        arrays["dy"], arrays["x"], out, epilogue.activation or "identity", epilogue.parameters
    )
    return out


def _softmax(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    log, kernels = dict(problem.parameters)["algorithm"] == "log", NumpyKernels()
    if problem.operation == "softmax_backward":
        out = numpy.empty(arrays["dx"].shape)
        kernels.softmax_backward(arrays["y"], arrays["dy"], out, 1, log)
    else:
        out = numpy.empty(arrays["y"].shape)
        kernels.softmax(arrays["x"], out, 1, log)
    return out


def _pool(problem: Problem, arrays: dict[str, Any]) -> Any:
    import numpy

    spec, out = problem.pooling, numpy.empty(arrays[problem.tensors[-1].role].shape)
    if spec is None:
        raise ValueError(f"{problem.operation} lacks the parameters of its pooling")
    math = ModuleMath(numpy)
    wide = {role: array.astype("f8") for role, array in arrays.items()}
    if problem.operation == "pool_forward":
        pool(math, wide["x"], out, spec)
    else:
        pool_backward(math, wide["dy"], wide.get("y"), wide.get("x"), out, spec)
    return out


def _reduction(problem: Problem, arrays: dict[str, Any]) -> Any:
    x, y = arrays["x"].astype("f8"), arrays["y"]
    axes = tuple(axis for axis, size in enumerate(y.shape) if size == 1)
    how = dict(problem.parameters)["reduction"]
    return x.max(axis=axes, keepdims=True) if how == "MAX" else x.mean(axis=axes, keepdims=True)


_OPERATIONS: dict[str, Callable[[Problem, dict[str, Any]], Any]] = {
    "conv_forward": _forward,
    "conv_dgrad": _data_gradient,
    "conv_wgrad": _filter_gradient,
    "conv_bias_grad": _bias_gradient,
    "linear_forward": _linear,
    "linear_dgrad": _linear,
    "linear_wgrad": _linear,
    "linear_bias_grad": _bias_gradient,
    "epilogue": _epilogue,
    "activation_backward": _activation_backward,
    "softmax_forward": _softmax,
    "softmax_backward": _softmax,
    "pool_forward": _pool,
    "pool_backward": _pool,
    "reduction": _reduction,
}
_SCALED = (
    "conv_forward", "conv_dgrad", "conv_wgrad", "conv_bias_grad", "linear_forward", "linear_dgrad", "linear_wgrad",
    "linear_bias_grad", "epilogue",
)  # fmt: skip
