"""What counts as a number among the arguments."""

from __future__ import annotations

import math
from typing import TypeGuard

__all__ = ["is_finite", "is_number"]


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a plain int or float, True and False excepted, that a float can hold.

    >>> is_number(2), is_number(True), is_number(10**400)
    (True, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_finite(value: object) -> TypeGuard[float]:
    """Whether it is such a number, and neither NaN nor infinite."""
    return is_number(value) and math.isfinite(value)
