"""Activations, forward and backward."""

from __future__ import annotations

from typing import Any, Literal

from cudnnkit.dispatch import call
from cudnnkit.errors import ArgumentError
from cudnnkit.ops.common import Activation
from cudnnkit.ops.elementwise import ACTIVATION, ACTIVATION_BACKWARD
from cudnnkit.policy import Policy

__all__ = [
    "activation", "activation_backward", "clipped_relu", "elu", "gelu", "leaky_relu", "relu", "relu6", "sigmoid",
    "silu", "softplus", "swish", "tanh",
]  # fmt: skip


def activation(x: Any, name: Activation, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """An activation by its name.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    name
        identity, relu, relu6, ("clipped_relu", limit), ("leaky_relu", slope), ("elu", alpha), sigmoid, tanh, gelu,
        gelu_tanh, silu, ("swish", beta), ("softplus", beta). Parameters may be left out.
    out
        Where the result goes; returned as given; x itself overwrites it. A new array in x's layout otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        The name is not known, its parameter makes no sense, or x cannot be used.

    Notes
    -----
    For dense data a pointwise graph, ``cudnnActivationForward`` where it has the activation, and the array library's
    kernel compete; strided data is the array library's. Half data computes in float32.
    """
    return call(ACTIVATION, (x,), out, (name,), 1.0, 0.0, policy, limits)


def activation_backward(
    dy: Any, x: Any, name: Activation, *, y: Any = None, out: Any = None, policy: Policy | None = None, **limits: Any
) -> Any:
    """``dy * activation'(x)``, the gradient of an activation with respect to its input.

    Parameters
    ----------
    dy, x
        Gradient of the result, and the activation's input; same shape and type.
    name
        As in :func:`activation`.
    y
        The activation's result, if it is at hand: ``cudnnActivationBackward`` reads it, and competes only then.
    out, policy, **limits
        As in :func:`activation`; `out` may be dy or x.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        As :func:`activation`, or shapes differ.
    """
    return call(ACTIVATION_BACKWARD, (y, dy, x), out, (name,), 1.0, 0.0, policy, limits)


def relu(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``max(x, 0)``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `x` cannot be used; the message says why.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_RELU``.
    """
    return call(ACTIVATION, (x,), out, ("relu",), 1.0, 0.0, policy, limits)


def relu6(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``min(max(x, 0), 6)``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `x` cannot be used; the message says why.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_CLIPPED_RELU``.
    """
    return call(ACTIVATION, (x,), out, ("relu6",), 1.0, 0.0, policy, limits)


def clipped_relu(x: Any, limit: float = 6.0, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``min(max(x, 0), limit)``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    limit
        The largest result; a finite number above 0.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `limit` is out of its range, or `x` cannot be used.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_CLIPPED_RELU``.
    """
    return call(ACTIVATION, (x,), out, (("clipped_relu", limit),), 1.0, 0.0, policy, limits)


def leaky_relu(x: Any, slope: float = 0.01, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """`x` where it is positive, ``slope * x`` elsewhere.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    slope
        A finite number.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `slope` is out of its range, or `x` cannot be used.

    Notes
    -----
    A pointwise graph (``cudnnBackendExecute``) and the array library's kernel compete, as in :func:`activation`.
    """
    return call(ACTIVATION, (x,), out, (("leaky_relu", slope),), 1.0, 0.0, policy, limits)


def elu(x: Any, alpha: float = 1.0, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """`x` where it is positive, ``alpha * (exp(x) - 1)`` elsewhere.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    alpha
        A finite number.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `alpha` is out of its range, or `x` cannot be used.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_ELU``.
    """
    return call(ACTIVATION, (x,), out, (("elu", alpha),), 1.0, 0.0, policy, limits)


def sigmoid(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``1 / (1 + exp(-x))``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `x` cannot be used; the message says why.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_SIGMOID``.
    """
    return call(ACTIVATION, (x,), out, ("sigmoid",), 1.0, 0.0, policy, limits)


def tanh(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The hyperbolic tangent, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `x` cannot be used; the message says why.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_TANH``.
    """
    return call(ACTIVATION, (x,), out, ("tanh",), 1.0, 0.0, policy, limits)


def gelu(
    x: Any,
    approximate: Literal["none", "tanh"] = "none",
    *,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``x * Phi(x)`` with the normal distribution's Phi, exact or by tanh.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    approximate
        ``"none"``: by the error function; ``"tanh"``: by its usual approximation.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `approximate` is neither of the two, or `x` cannot be used.

    Notes
    -----
    A pointwise graph (``cudnnBackendExecute``) and the array library's kernel compete, as in :func:`activation`.
    """
    if not isinstance(approximate, str) or approximate not in ("none", "tanh"):
        raise ArgumentError("approximate", approximate, "allowed are 'none' and 'tanh'")
    name = "gelu_tanh" if approximate == "tanh" else "gelu"
    return call(ACTIVATION, (x,), out, (name,), 1.0, 0.0, policy, limits)


def silu(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``x * sigmoid(x)``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `x` cannot be used; the message says why.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_SWISH``.
    """
    return call(ACTIVATION, (x,), out, ("silu",), 1.0, 0.0, policy, limits)


def swish(x: Any, beta: float = 1.0, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``x * sigmoid(beta * x)``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    beta
        A finite number above 0.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `beta` is out of its range, or `x` cannot be used.

    Notes
    -----
    As of :func:`activation`, here with ``CUDNN_ACTIVATION_SWISH`` where beta is 1.
    """
    return call(ACTIVATION, (x,), out, (("swish", beta),), 1.0, 0.0, policy, limits)


def softplus(x: Any, beta: float = 1.0, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``log(1 + exp(beta * x)) / beta``, element by element.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    beta
        A finite number above 0.
    out, policy, **limits
        As in :func:`activation`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        `beta` is out of its range, or `x` cannot be used.

    Notes
    -----
    A pointwise graph (``cudnnBackendExecute``) and the array library's kernel compete, as in :func:`activation`.
    """
    return call(ACTIVATION, (x,), out, (("softplus", beta),), 1.0, 0.0, policy, limits)
