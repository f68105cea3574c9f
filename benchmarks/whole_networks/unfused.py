"""Cudnnkit's convolutions and fully connected layers with nothing fused, for a block. Nothing here needs a GPU."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
from cudnnkit.arrays.registry import adopt, kind_of

__all__ = ["unfused"]


@contextlib.contextmanager
def unfused(active: bool = True) -> Iterator[None]:
    """``cudnnkit.conv2d`` and ``linear`` without anything fused: the rest by calls of its own, in place."""
    if not active:
        yield
        return
    before = {"conv2d": ck.conv2d, "linear": ck.linear}
    for name, function in before.items():
        setattr(ck, name, _apart(function))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(ck, name, function)


def _apart(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        x: Any,
        w: Any,
        bias: Any = None,
        *,
        residual: Any = None,
        residual_after: bool = False,
        activation: Any = None,
        out: Any = None,
        **keywords: Any,
    ) -> Any:
        # The residual is read after the product: it cannot take that as well.
        added = out is not None and residual is not None and _address(out) == _address(residual)
        y = function(x, w, out=None if added else out, **keywords)
        if bias is not None:
            ck.bias_add(y, bias, axis=1 if y.ndim > 2 else -1, out=y)
        if activation is not None and residual_after:
            ck.activation(y, activation, out=y)
        if residual is not None:
            target, other = (out, y) if added else (y, residual)
            target += other
            y = target
        if activation is not None and not residual_after:
            ck.activation(y, activation, out=y)
        return y

    return call


def _address(array: Any) -> int:
    array = adopt(array, "array")
    return kind_of(array, "array").library.pointer(array)
