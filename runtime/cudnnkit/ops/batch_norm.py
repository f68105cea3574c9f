"""Batch normalisation: inference, training, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from cudnnkit.arrays.layouts import prefers_channels_last
from cudnnkit.arrays.registry import adopt, kind_of, view_of
from cudnnkit.arrays.view import ArrayLibrary, ArrayView, channels_last_strides
from cudnnkit.dispatch import call, filled
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.ops.common import Activation, result_strides
from cudnnkit.ops.norm_arguments import check_momentum
from cudnnkit.ops.norm_requests import BACKWARD, INFERENCE, TRAINING
from cudnnkit.policy import Policy
from cudnnkit.problem import TensorSpec
from cudnnkit.request import compute_type
from cudnnkit.tuner import tuner

__all__ = ["BatchNorm", "BatchNormGradients", "Reserve", "batch_norm", "batch_norm_backward", "batch_norm_training"]


class Reserve(NamedTuple):
    """What a forward pass left for the backward pass; opaque.

    Attributes
    ----------
    array
        cuDNN's reserve space, bytes.
    made_by
        The call that filled it; only its counterpart can read it.
    """

    array: Any
    made_by: str


class BatchNorm(NamedTuple):
    """What :func:`batch_norm_training` answers.

    Attributes
    ----------
    y
        The result.
    mean, inverse_std
        The batch's mean and ``1 / sqrt(variance + eps)``, (C,), float32 (float64 for such data).
    reserve
        What the chosen kernel left for the backward pass, or None: ``batch_norm_backward(..., reserve=...)``.
    """

    y: Any
    mean: Any
    inverse_std: Any
    reserve: Reserve | None = None


class BatchNormGradients(NamedTuple):
    """What :func:`batch_norm_backward` answers.

    Attributes
    ----------
    dx
        The gradient of x.
    dscale, dbias
        Those of scale and bias, (C,), of scale's type.
    dresidual
        That of the residual; None unless it was asked for.
    """

    dx: Any
    dscale: Any
    dbias: Any
    dresidual: Any = None


def batch_norm(
    x: Any,
    mean: Any,
    variance: Any,
    scale: Any = None,
    bias: Any = None,
    *,
    eps: float = 1e-5,
    residual: Any = None,
    activation: Activation = None,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation((x - mean) / sqrt(variance + eps) * scale + bias + residual)``, channel by channel.

    Parameters
    ----------
    x
        (N, C) or (N, C, spatial) with one to three spatial axes; float16, bfloat16, float32 or float64; any strides.
    mean, variance, scale, bias
        (C,), of x's type, or float32 beside half data. Scale and bias may be None: one and zero.
    eps
        Added to the variance inside the square root.
    residual
        Added before the activation; of x's shape and type.
    activation
        As in :func:`cudnnkit.conv`.
    out
        Where the result goes; returned as given; it may be x or residual. A new array in x's layout otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        Shapes, types or devices do not fit, or eps is not above zero.

    Notes
    -----
    ``cudnnBatchNormalizationForwardInference``, a pointwise graph, the graph API's normalisation and the array
    library's kernels compete. Where a convolution comes before it, :func:`cudnnkit.fold_batch_norm` costs nothing.
    """
    return call(INFERENCE, (x, mean, variance, scale, bias, residual), out, (eps, activation), 1.0, 0.0, policy, limits)


def batch_norm_training(
    x: Any,
    scale: Any,
    bias: Any,
    *,
    running_mean: Any = None,
    running_variance: Any = None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    residual: Any = None,
    activation: Activation = None,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> BatchNorm:
    """As :func:`batch_norm` by the batch's own mean and variance, which also go into the running ones.

    Parameters
    ----------
    x, eps, residual, activation, policy, **limits
        As in :func:`batch_norm`; each channel needs at least two values.
    scale, bias
        (C,), of x's type, or float32 beside half data.
    running_mean, running_variance
        Updated in place, ``(1 - momentum) * old + momentum * new``, the new variance divided by count - 1; (C,), of
        x's type, or float32 beside half data. Both or none.
    momentum
        The share of the new value, from 0 to 1.
    out
        Where y goes; returned as given. A new array in x's layout otherwise.

    Returns
    -------
    BatchNorm
        y, the batch's mean and ``1 / sqrt(variance + eps)`` (count in the denominator), and the reserve.

    Raises
    ------
    ArgumentError
        As :func:`batch_norm`; one running array without the other; momentum out of range; one value for each channel.

    Notes
    -----
    ``cudnnBatchNormalizationForwardTrainingEx`` in both spatial modes, with the addition and ReLU fused where cuDNN
    does so, the graph API's normalisation, the array library's kernels, and for NHWC images kernels of our own compete;
    what is not fused follows as an elementwise call. A search works on copies of the running statistics. A channel's
    variance is taken from float32 sums: values whose mean is thousands of times their deviation lose accuracy, as in
    torch.

    With :func:`cudnnkit.plan` the arrays are, in this order and without those left out: x, scale, bias, residual,
    running_mean, running_variance, mean, inverse_std, reserve; the last three are written, and made by the caller.
    """
    x = adopt(x, "x")
    if running_mean is not None:
        check_momentum(momentum)
    rooms = _rooms(x, activation, residual is not None)
    mean, inverse_std = rooms.vector(), rooms.vector()
    reserve = rooms.reserve() if rooms.reserve is not None else None
    arrays = (x, scale, bias, residual, running_mean, running_variance, mean, inverse_std, reserve)
    share = 1.0 if running_mean is None else momentum
    y = call(TRAINING, arrays, out, (eps, activation), share, 0.0, policy, limits)
    made_by = filled() if reserve is not None else ""
    return BatchNorm(y, mean, inverse_std, Reserve(reserve, made_by) if made_by else None)


def batch_norm_backward(
    dy: Any,
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    inverse_std: Any,
    *,
    y: Any = None,
    eps: float = 1e-5,
    activation: Activation = None,
    residual: bool = False,
    reserve: Reserve | None = None,
    out: Any = None,
    out_scale: Any = None,
    out_bias: Any = None,
    out_residual: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> BatchNormGradients:
    """Gradients of :func:`batch_norm_training`.

    Parameters
    ----------
    dy, x
        Gradient of the result, and the input of the forward pass; same shape and type.
    scale, bias, eps, activation
        As in the forward pass; bias may be None, which leaves out the kernels with a fused activation.
    mean, inverse_std
        What the forward pass answered.
    y
        The forward pass's result, with an activation only: its slope is taken from y. Where the activation is None y is
        not read.
    residual
        The forward pass added one: answer its gradient, dy behind the activation.
    reserve
        What the forward pass answered: fused kernels of cuDNN compete only with it.
    out, out_scale, out_bias, out_residual
        Where the gradients go; returned as given. New arrays, dx in x's layout and the vectors of scale's type,
        otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    BatchNormGradients
        dx, dscale, dbias, and dresidual where residual is true. Without an activation dresidual is dy itself, unless
        `out_residual` is given.

    Raises
    ------
    ArgumentError
        Shapes, types or devices do not fit; the activation is none of relu, relu6, clipped_relu and leaky_relu with a
        positive slope, whose slope y tells; y is missing; outputs overlap inputs.

    Notes
    -----
    ``cudnnBatchNormalizationBackward`` and ``cudnnBatchNormalizationBackwardEx`` in both spatial modes, the graph API's
    gradient of a normalisation, the array library's kernels and kernels of our own compete, some of which take the
    slope of ReLU from x and never read y; an activation that is not fused is undone by
    an elementwise call before.
    """
    x = adopt(x, "x")
    if reserve is not None and not isinstance(reserve, Reserve):
        raise ArgumentTypeError("reserve", reserve, "must be what batch_norm_training answered as its reserve")
    if not isinstance(residual, bool):
        raise ArgumentTypeError("residual", residual, "must be True or False")
    if out_residual is not None and not residual:
        raise ArgumentTypeError("out_residual", out_residual, "is written only with residual=True")
    plain = _is_plain(activation)
    rooms = _rooms(x, activation, residual)
    if out_scale is None:
        out_scale = _like_scale(rooms, scale)
    if out_bias is None:
        out_bias = _like_scale(rooms, scale)
    dresidual = out_residual
    if residual and dresidual is None and not plain:
        dresidual = rooms.image()
    kept, made_by = (None, "") if reserve is None else reserve
    arrays = (
        dy, x, scale, bias, mean, inverse_std, None if plain else y, kept, out_scale, out_bias,
        None if plain and out_residual is None else dresidual,
    )  # fmt: skip
    dx = call(BACKWARD, arrays, out, (eps, None if plain else activation, made_by), 1.0, 0.0, policy, limits)
    return BatchNormGradients(dx, out_scale, out_bias, (dy if dresidual is None else dresidual) if residual else None)


class _Rooms(NamedTuple):
    """Makers of new arrays beside an image x."""

    vector: Callable[[], Any]
    image: Callable[[], Any]
    reserve: Callable[[], Any] | None
    of_type: dict[Any, Callable[[], Any]]


_kept: dict[Any, _Rooms] = {}
_MOST = 512


def _is_plain(activation: Any) -> bool:
    """Whether it changes nothing; what is wrong with it is said where the call is described."""
    return activation is None or (isinstance(activation, str) and activation == "identity")


def _rooms(x: Any, activation: Any, residual: bool) -> _Rooms:
    kind = kind_of(x, "x")
    plain = _is_plain(activation) and not residual
    relu = isinstance(activation, str) and activation == "relu"
    fused = "BN" if plain else None if not relu else "BN_ADD_ACTIVATION" if residual else "BN_ACTIVATION"
    key = id(kind.library), kind.sign(x)[1], fused
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= _MOST:
            _kept.clear()
        view = view_of(x, "x")
        if len(view.shape) < 2:
            raise ArgumentError("x", view.shape, "needs 2 to 5 axes: N, C, spatial")
        library, shape, device, channels = kind.library, view.shape, view.device, view.shape[1]
        reserve = None
        if fused is not None and _may_fuse(view.dtype, shape, view.strides):
            size = _reserve_bytes(view, fused)
            reserve = _maker(library, (size,), (1,), "uint8", device) if size else None
        statistics = compute_type(view.dtype)
        vector = _maker(library, (channels,), (1,), statistics, device)
        image = _maker(library, shape, result_strides(shape, view), view.dtype, device)
        found = _kept[key] = _Rooms(vector, image, reserve, {})
    return found


def _like_scale(rooms: _Rooms, scale: Any) -> Any:
    """A new vector of scale's type."""
    view = view_of(scale, "scale") if scale is not None else None
    if view is None:
        raise ArgumentTypeError("scale", None, "must be given")
    make = rooms.of_type.get(view.dtype)
    if make is None:
        ones = (1,) * len(view.shape)
        make = rooms.of_type[view.dtype] = _maker(view.library, view.shape, ones, view.dtype, view.device)
    return make()


def _maker(library: ArrayLibrary, *what: Any) -> Callable[[], Any]:
    return lambda: library.empty(*what).source


def _may_fuse(dtype: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """CuDNN fuses for half data in NHWC whose channels come in fours."""
    return (
        dtype in ("float16", "bfloat16")
        and len(shape) > 3
        and shape[1] % 4 == 0
        and 0 not in shape
        and prefers_channels_last(shape, strides)
        and strides == channels_last_strides(shape)
    )


def _reserve_bytes(x: ArrayView, fused: str) -> int:
    """What cuDNN's fused call wants for its reserve."""
    backend = tuner().backend
    with backend.on(x.device):
        spec = TensorSpec("x", x.shape, x.strides, x.dtype)
        return backend.norm_reserve(spec, fused, backend.context(x.device))
