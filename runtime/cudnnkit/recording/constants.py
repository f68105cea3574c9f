"""Values that are no arrays: when two of them are the same, and which of them hide arrays."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from cudnnkit.errors import ArgumentTypeError

__all__ = ["constant", "hides_arrays", "is_value"]

_PLAIN = frozenset({int, bool, str, bytes, type(None), type(Ellipsis), range})
"""Types whose equal values are the same."""


def is_value(leaf: Any) -> bool:
    """Whether it looks like an array and is none: a class, or one of NumPy's scalars or element types."""
    if isinstance(leaf, type):
        return True
    return any(one.__name__ in ("generic", "dtype") and one.__module__ == "numpy" for one in type(leaf).__mro__)


def constant(leaf: Any, name: str) -> tuple[Any, ...]:
    """What tells a value from others: type and value, or the object itself where it defines no equality.

    Raises
    ------
    ArgumentTypeError
        It is not hashable; `name` is what it is called there.
    """
    kind = type(leaf)
    if kind in _PLAIN:
        return kind, leaf
    if isinstance(leaf, float | complex) or (is_value(leaf) and not isinstance(leaf, type)):
        return kind, repr(leaf)  # 0.0 equals -0.0, and NaN equals nothing
    try:
        hash(leaf)
    except TypeError:
        hint = "is neither an array nor hashable; arrays may be in tuples, lists and dictionaries"
        raise ArgumentTypeError(name, f"a {kind.__module__}.{kind.__qualname__}", hint) from None
    if getattr(kind, "__eq__", None) is object.__eq__:
        return kind, leaf  # a model, say, whose text takes long
    try:
        return kind, leaf, repr(leaf)  # within equal ones 1 may stand for True
    except Exception:
        return kind, leaf


def hides_arrays(leaf: Any) -> bool:
    """Whether a value that is no array holds some where they are not looked for: as parts or as attributes."""
    parts = list(getattr(leaf, "__dict__", {}).values()) if not isinstance(leaf, type) else []
    if isinstance(leaf, Mapping):
        parts.extend(leaf.values())
    elif isinstance(leaf, tuple | list | set | frozenset | deque):
        parts.extend(leaf)
    slots = getattr(type(leaf), "__slots__", ())
    parts.extend(getattr(leaf, one, None) for one in ((slots,) if isinstance(slots, str) else slots))
    return any(hasattr(type(one), "shape") and not is_value(one) for one in parts)
