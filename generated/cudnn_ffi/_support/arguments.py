# Written by `cudnn-bindgen render` from the headers of cuDNN 8.5.0 to 8.9.7, 9.0.0 to 9.28.1; do not edit.
"""Finding out, after cffi refused a call, which argument was at fault and why.

Wrappers check nothing before a call; cffi does, on its way into C. Only when it refuses does this module look at the
arguments one by one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .descriptors import Handle
from .errors import ArgumentError, CudnnFfiError, DescriptorClosedError, short

__all__ = ["diagnose"]

_DOES_NOT_FIT = re.compile(r"integer (-?\d+) does not fit '([^']+)'")


def diagnose(function: str, error: Exception, method: Any, arguments: Mapping[str, object]) -> CudnnFfiError:
    """The exception to raise for a call of `function` that failed with `error` before it reached C.

    Parameters
    ----------
    method
        The wrapper; its parameter annotations say what was expected. None if there is none.
    arguments
        The wrapper's arguments by name.
    """
    for name, value in arguments.items():
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, Handle) and one.closed:
                return DescriptorClosedError(type(one).__name__, function, name)
    if isinstance(error, ArgumentError):
        return ArgumentError(error.argument, error.problem, error.function or function)
    if isinstance(error, CudnnFfiError):
        return error
    expected = _annotations(method)
    for name, value in arguments.items():
        problem = _mismatch(value, *expected[name]) if name in expected else None
        if problem:
            return ArgumentError(name, problem, function)
    return _by_message(function, error, arguments)


def _annotations(method: Any) -> dict[str, tuple[list[str], Mapping[str, object]]]:
    """Parameter annotations of a wrapper, split at ``|``, with the globals that explain their names."""
    code_globals: Mapping[str, object] = getattr(method, "__globals__", {})
    found = {}
    for name, annotation in getattr(method, "__annotations__", {}).items():
        if name != "return":
            words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
            found[name] = ([part.strip() for part in words.split("|")], code_globals)
    return found


def _mismatch(value: object, allowed: list[str], names: Mapping[str, object]) -> str | None:
    """What is wrong with `value`; None where nothing is, or where an annotation cannot be judged."""
    if value is None:
        return None if "None" in allowed else f"must be {_either(allowed)}, not None"
    verdicts = [_fits(value, word, names) for word in allowed]
    if any(verdict is not False for verdict in verdicts):
        return None
    return f"must be {_either(allowed)}, not {short(value)}"


def _fits(value: object, word: str, names: Mapping[str, object]) -> bool | None:
    """Whether `value` is what one word of an annotation asks for; None where that cannot be told."""
    if word == "None":
        return value is None
    if word == "bool":
        return isinstance(value, bool)
    if word == "int":
        return _is_index(value)
    if word == "float":
        return isinstance(value, int | float) or hasattr(value, "__float__")
    if word in ("str", "bytes"):
        return type(value).__name__ == word
    if word.startswith(("Sequence[", "Iterable[", "list[", "tuple[")):
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)
    kind: object = names
    for part in word.split("."):
        kind = kind.get(part) if isinstance(kind, Mapping) else getattr(kind, part, None)
    if not isinstance(kind, type):
        return None
    if issubclass(kind, int):  # an enum: its class and plain numbers pass
        return _is_index(value)
    return isinstance(value, kind)


def _is_index(value: object) -> bool:
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _either(allowed: list[str]) -> str:
    return " or ".join(word.rpartition(".")[2] if "[" not in word else word for word in allowed)


def _by_message(function: str, error: Exception, arguments: Mapping[str, object]) -> ArgumentError:
    """What cffi says names no argument, but for a number that is too large it names the number."""
    found = _DOES_NOT_FIT.search(str(error))
    if found:
        for name, value in arguments.items():
            if _is_index(value) and operator.index(value) == int(found[1]):  # type: ignore[arg-type]
                return ArgumentError(name, f"must fit the C type {found[2]}, and {found[1]} does not", function)
    if "negative number to unsigned" in str(error) or "negative array length" in str(error):
        for name, value in arguments.items():
            if _is_index(value) and operator.index(value) < 0:  # type: ignore[arg-type]
                return ArgumentError(name, f"must not be negative, and {short(value)} is", function)
    listed = ", ".join(f"{name}={short(value)}" for name, value in arguments.items())
    return ArgumentError(", ".join(arguments), f"does not fit the C function ({listed}): {error}", function)
