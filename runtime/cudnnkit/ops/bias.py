"""Adding a bias."""

from __future__ import annotations

from typing import Any

from cudnnkit.dispatch import call
from cudnnkit.ops.common import Activation
from cudnnkit.ops.elementwise import BIAS_ADD
from cudnnkit.policy import Policy

__all__ = ["bias_add"]


def bias_add(
    x: Any,
    bias: Any,
    axis: int = 1,
    *,
    activation: Activation = None,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation(x + bias)``, the bias along one axis or of any shape that broadcasts.

    Parameters
    ----------
    x
        Any shape; float16, bfloat16, float32 or float64; any strides.
    bias
        (size of the axis,), or a shape that broadcasts against x's; of x's type, or float32 beside half data.
    axis
        The axis that a vector runs along; negative ones count from the end.
    activation
        As in :func:`cudnnkit.conv`.
    out
        Where the result goes; returned as given; x itself adds in place. A new array in x's layout otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        The bias does not broadcast, an axis does not exist, or types or devices differ.

    Notes
    -----
    Along an axis of dense data a pointwise graph, ``cudnnAddTensor`` (in place; only where its real rules hold) and the
    array library compete; every other broadcast is the array library's.
    """
    return call(BIAS_ADD, (x, bias), out, (axis, activation), 1.0, 0.0, policy, limits)
