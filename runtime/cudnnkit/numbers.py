"""What counts as a number among the arguments.

Plans are found by equality: where an argument is a part of a signature, whatever equals a good value is good, so that
it does not matter which of them came first.
"""

from __future__ import annotations

import math
import operator
from numbers import Number
from typing import Any, TypeGuard

__all__ = ["equal_float", "equal_int", "is_finite", "is_number"]


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


def equal_int(value: Any) -> int | None:
    """The whole number that a number equals; None where there is none.

    >>> equal_int(2.0), equal_int(True), equal_int(1.5), equal_int("2")
    (2, 1, None, None)
    """
    try:
        return operator.index(value)
    except TypeError:
        found = equal_float(value)
        return int(found) if found is not None and found.is_integer() else None


def equal_float(value: Any) -> float | None:
    """The float that a number equals, NaN for itself; None where there is none.

    >>> equal_float(2), equal_float(True), equal_float(1 + 0j), equal_float("2")
    (2.0, 1.0, 1.0, None)
    """
    if is_number(value):
        return float(value)
    try:
        found = float(value.real) if isinstance(value, Number) else None  # type: ignore[attr-defined]
    except (AttributeError, OverflowError, TypeError, ValueError):
        return None
    return found if found == value else None
