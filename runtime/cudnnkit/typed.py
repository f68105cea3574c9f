"""Whether plain data that came from a file has the types that a class declares."""

from __future__ import annotations

import math
import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cudnnkit.errors import shown

__all__ = ["check_fields", "check_plain", "is_text"]

_HUGE = 2**63
"""More than SQLite, C and most readers of JSON hold."""


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind) if one.init] if is_dataclass(kind) else list(hints)
    return {name: hints[name] for name in names}


def check_fields(value: Any) -> None:
    """Check every field of a dataclass or named tuple, and of those within.

    Raises
    ------
    TypeError
        One is of another type than declared, a number that 64 bits do not hold or that is none, or a text that no
        terminal shows; the message names it.
    """
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        found = getattr(value, name)
        if not _fits(found, hint):
            raise TypeError(f"{kind.__name__} has a wrong {name}, {shown(found)}")


def is_text(value: str) -> bool:
    """Whether a text can be stored and shown: no control characters but space, no half of a surrogate pair."""
    return "".join(value.split()).isprintable()


def check_plain(value: Any) -> None:
    """Check that JSON data can be written and read again anywhere.

    Raises
    ------
    ValueError
        It holds a number that is none or that 64 bits do not hold, or a text that no file takes.
    RecursionError
        It is nested too deeply.
    """
    if isinstance(value, dict):
        check_plain([*value, *value.values()])
    elif isinstance(value, list):
        for one in value:
            check_plain(one)
    elif not _fits(value, str | bool | float | None):
        raise ValueError(f"it holds {shown(value)}")


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in arguments)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if arguments[-1:] == (...,):
            return all(_fits(one, arguments[0]) for one in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    if hint in (int, float):
        if isinstance(value, float):
            return hint is float and math.isfinite(value)
        return isinstance(value, int) and not isinstance(value, bool) and -_HUGE <= value < _HUGE
    if not isinstance(value, hint):
        return False
    if hint is str:
        return is_text(value)
    if is_dataclass(value) or hasattr(value, "_fields"):
        check_fields(value)
    return True
