"""Checks of batch normalisation's arguments."""

from __future__ import annotations

import math
from typing import Any

from cudnnkit.arrays.view import ArrayView
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import equal_float, is_number

__all__ = ["check_eps", "check_momentum", "check_vector"]


def check_eps(eps: Any) -> float:
    """It keeps the square root away from zero.

    Raises
    ------
    ArgumentError
        It is not a finite number above zero.
    """
    found = equal_float(eps)
    if found is None:
        raise ArgumentTypeError("eps", eps, "must be a plain number")
    if not 0 < found < math.inf:
        raise ArgumentError("eps", eps, "must be a finite number above 0, such as 1e-5")
    return found


def check_momentum(momentum: Any) -> None:
    """The share of the new value in the running statistics.

    Raises
    ------
    ArgumentError
        It is not between 0 and 1.
    """
    if not is_number(momentum):
        raise ArgumentTypeError("momentum", momentum, "must be a plain number")
    if not 0 <= momentum <= 1:
        raise ArgumentError("momentum", momentum, "must be the share of the new value, from 0 to 1")


def check_vector(name: str, view: ArrayView, channels: int, of: str) -> None:
    """One element for each channel.

    Raises
    ------
    ArgumentError
        It has another shape than (channels,).
    """
    if view.shape != (channels,):
        raise ArgumentError(name, view.shape, f"is not ({channels},), one element for each of the {of}")
