"""Descriptions of batch normalisation: inference, training, backward.

Operands beside images are vectors of one element for each channel. Those that an operation writes beside its result
(the batch's statistics, the gradients of scale and bias) are arrays of the call whose operand says ``output``; running
statistics are read as well (``problem.UPDATED``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from cudnnkit.arrays.layouts import prefers_channels_last
from cudnnkit.arrays.registry import view_of
from cudnnkit.arrays.view import ArrayView
from cudnnkit.dispatch import Operation
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.geometry import channels_hint
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.ops.common import epilogue_of, make_problem, result_strides, view_named
from cudnnkit.ops.norm_arguments import check_eps, check_momentum, check_vector
from cudnnkit.problem import Epilogue, TensorSpec, normalize_strides
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, Written, check_out, check_writable, float_views, spec_of

__all__ = ["BACKWARD", "FROM_RESULT", "INFERENCE", "TRAINING"]

FROM_RESULT = ("relu", "relu6", "clipped_relu", "leaky_relu")
"""Activations whose slope can be told from their result as well as from what they were applied to."""

_IMAGES = ("x", "dy", "y", "residual", "out_residual")
_ROLES = {"out_scale": "dscale", "out_bias": "dbias", "out_residual": "dresidual"}
_OUTPUTS = (
    "running_mean",
    "running_variance",
    "mean",
    "inverse_std",
    "reserve",
    "out_scale",
    "out_bias",
    "out_residual",
)


class _Nothing(ArrayExecutable):
    """No element to normalise: vectors that are written get what they have then."""

    def __init__(self, request: Request, values: dict[str, float]) -> None:
        self._kernels = request.library.kernels
        self._values = [
            (place, values[one.role]) for place, one in enumerate(request.problem.tensors) if one.role in values
        ]

    def run_on(self, operands: Operands, workspace: int) -> None:  # noqa: ARG002
        """Fill them."""
        for place, value in self._values:
            self._kernels.fill(operands.arrays[place], value)


def _views(call: Call, vectors: Sequence[str]) -> dict[str, ArrayView]:
    """The call's arrays; the reserve, which is plain bytes, among them."""
    floats = replace(call, arrays=tuple(
        None if name == "reserve" else one for name, one in zip(call.names, call.arrays, strict=True)
    ))  # fmt: skip
    found = float_views(floats, same=vectors)
    given = dict(zip(call.names, call.arrays, strict=True))
    # In the call's order, the output last.
    views = {name: found.get(name) or view_of(one, name) for name, one in given.items() if one is not None}
    if "out" in found:
        views["out"] = found["out"]
    return views


def _check(views: dict[str, ArrayView], channels: int) -> None:
    """Shapes of images and vectors."""
    x = views["x"]
    for name, view in views.items():
        if name in ("out", "reserve"):
            continue
        if name not in _IMAGES:
            hint = channels_hint("x", len(x.shape)) if view.shape == x.shape[-1:] else ""
            check_vector(name, view, channels, f"channels of x{hint}")
        elif view.shape != x.shape:
            raise ArgumentError(name, view.shape, f"has another shape than x, {x.shape}")


def _check_written(views: dict[str, ArrayView], written: Written, outputs: Sequence[str]) -> None:
    """What is written beside the result can be written, and shares memory with nothing."""
    for name in outputs:
        if name in views:
            check_writable(name, views[name])
    written.check([view.pointer for view in views.values()])


def _request(
    call: Call,
    operation: str,
    views: dict[str, ArrayView],
    result: str,
    epilogue: Epilogue,
    eps: float,
    *,
    outputs: Sequence[str] = (),
    in_place: tuple[str, ...] = (),
    more: tuple[tuple[str, str | float], ...] = (),
    empty: dict[str, float] | None = None,
) -> Request:
    """The request; `outputs` are written beside the result, `empty` is what they hold where x has no element."""
    x, out = views["x"], views.get("out")
    shared = check_out(call, views, x.shape, in_place)
    strides = result_strides(x.shape, x) if out is None else out.strides
    written = Written(views, outputs, (x.shape, strides, x.dtype))
    _check_written(views, written, outputs)
    last = prefers_channels_last(x.shape, x.strides)
    tensors = [
        spec_of(_ROLES.get(name, name), view, channels_last=last, output=name in outputs)
        for name, view in views.items()
        if name != "out"
    ]
    steps = normalize_strides(x.shape, strides, channels_last=last)
    alignment = FRESH_ALIGNMENT if out is None else out.alignment
    tensors.append(TensorSpec(result, x.shape, steps, x.dtype, alignment, output=True))
    trivial = 0 in x.shape
    problem = make_problem(
        call,
        operation,
        tensors,
        x.device,
        epilogue=epilogue,
        parameters=(("epsilon", eps), ("library", x.library.name), *more),
        aliasing=tuple((name, result) for name in shared),
        trivial=trivial,
    )
    request = Request(
        problem, x.library, x.device, x.shape, strides, x.dtype, in_place, written=written if outputs else None
    )
    if trivial:
        request.trivial = _Nothing(request, empty or {})
    return request


def _image(views: dict[str, ArrayView]) -> ArrayView:
    x = view_named(views, "x")
    if not 2 <= len(x.shape) <= 5:
        raise ArgumentError("x", x.shape, "needs 2 to 5 axes: N, C, spatial")
    return x


def _inference(call: Call) -> Request:
    eps, activation = call.statics
    eps = check_eps(eps)
    views = _views(call, ("mean", "variance", "scale", "bias"))
    x = _image(views)
    for name in ("mean", "variance"):
        view_named(views, name)
    _check(views, x.shape[1])
    epilogue = epilogue_of(activation, bias=False, residual="residual" in views)
    return _request(call, "batch_norm_inference", views, "y", epilogue, eps, in_place=("x", "residual"))


def _training(call: Call) -> Request:
    eps, activation = call.statics
    eps = check_eps(eps)
    vectors = ("scale", "bias", "running_mean", "running_variance", "mean", "inverse_std")
    views = _views(call, vectors)
    x = _image(views)
    for name in ("scale", "bias", "mean", "inverse_std"):
        view_named(views, name)
    _check(views, x.shape[1])
    for name, other in (("running_mean", "running_variance"), ("running_variance", "running_mean")):
        if name in views and other not in views:
            raise ArgumentTypeError(other, None, f"is updated together with {name}: give both or none")
    if "running_mean" in views:
        check_momentum(call.alpha)
    count = math.prod(x.shape) // max(x.shape[1], 1)
    if count == 1:
        raise ArgumentError("x", x.shape, "has one value for each channel; the statistics of a batch need at least two")
    epilogue = epilogue_of(activation, bias=False, residual="residual" in views)
    empty = {"mean": 0.0, "inverse_std": 1 / math.sqrt(eps)}
    return _request(
        call, "batch_norm_training", views, "y", epilogue, eps,
        outputs=[name for name in _OUTPUTS if name in views], empty=empty,
    )  # fmt: skip


def _backward(call: Call) -> Request:
    eps, activation, made_by = call.statics
    eps = check_eps(eps)
    views = _views(call, ("scale", "bias", "mean", "inverse_std", "out_scale", "out_bias"))
    for needed in ("dy", "x", "scale", "mean", "inverse_std"):
        view_named(views, needed)
    x = _image(views)
    _check(views, x.shape[1])
    epilogue = epilogue_of(activation, bias=False, residual="out_residual" in views)
    name = epilogue.activation
    slope = epilogue.parameters[0] if epilogue.parameters else 0.01
    if name is not None and (name not in FROM_RESULT or (name == "leaky_relu" and slope <= 0)):
        known = ", ".join(FROM_RESULT)
        raise ArgumentError(
            "activation", activation,
            f"has a slope that its result y does not tell ({known} do); take it by activation_backward first",
        )  # fmt: skip
    if name is not None and "y" not in views:
        raise ArgumentTypeError("y", None, f"must be given: the slope of {name} is taken from the forward's result")
    more: tuple[tuple[str, str], ...] = (("reserve", made_by),) if "reserve" in views else ()
    outputs = ("out_scale", "out_bias", "out_residual")
    return _request(
        call, "batch_norm_backward", views, "dx", epilogue, eps, outputs=outputs, more=more,
        empty={"dscale": 0.0, "dbias": 0.0},
    )  # fmt: skip


INFERENCE = Operation("batch_norm", ("x", "mean", "variance", "scale", "bias", "residual"), _inference)
TRAINING = Operation(
    "batch_norm_training",
    ("x", "scale", "bias", "residual", "running_mean", "running_variance", "mean", "inverse_std", "reserve"),
    _training,
    writes=True,
)
BACKWARD = Operation(
    "batch_norm_backward",
    (
        "dy", "x", "scale", "bias", "mean", "inverse_std", "y", "reserve", "out_scale", "out_bias", "out_residual",
    ),
    _backward,
    writes=True,
)  # fmt: skip
