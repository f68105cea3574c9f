"""Whether plain data that came from a file has the types that a class declares."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = ["check_fields"]


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
        One is of another type than declared; the message names it.
    """
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        found = getattr(value, name)
        if not _fits(found, hint):
            raise TypeError(f"{type(value).__name__} has a wrong {name}")


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
        return not isinstance(value, bool) and isinstance(value, int if hint is int else int | float)
    if not isinstance(value, hint):
        return False
    if is_dataclass(value) or hasattr(value, "_fields"):
        check_fields(value)
    return True
