# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
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
from .enums import OpenIntEnum, enum_value
from .errors import ArgumentError, CudnnFfiError, DescriptorClosedError, short

__all__ = ["diagnose"]

# Between the words of a union, and not between those inside brackets.
_BETWEEN = re.compile(r"\|(?![^\[]*\])")
_SEQUENCE = re.compile(r"(?:Sequence|Iterable|list)\[(.*)\]")
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
        found = _mismatch(value, name, *expected[name]) if name in expected else None
        if found:
            return ArgumentError(*found, function)
    return _by_message(function, error, arguments)


def _annotations(method: Any) -> dict[str, tuple[list[str], Mapping[str, object]]]:
    """Parameter annotations of a wrapper, split at ``|``, with the globals that explain their names."""
    code_globals: Mapping[str, object] = getattr(method, "__globals__", {})
    found = {}
    for name, annotation in getattr(method, "__annotations__", {}).items():
        if name != "return":
            words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
            found[name] = (_split(words), code_globals)
    return found


def _split(annotation: str) -> list[str]:
    return [part.strip() for part in _BETWEEN.split(annotation)]


def _mismatch(value: object, name: str, allowed: list[str], names: Mapping[str, object]) -> tuple[str, str] | None:
    """What is wrong with `value`, as name and problem; None where nothing is, or an annotation cannot be judged."""
    if value is None:
        return None if "None" in allowed else (name, f"must be {_either(allowed)}, not None")
    kinds = [_resolve(word, names) for word in allowed]
    if isinstance(value, Handle) and type(value).__name__ in allowed and type(value) not in kinds:
        return name, f"belongs to {value.library!r}; make one with the library that is called"
    enums = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, OpenIntEnum)]
    if enums:
        fits = any(_is_of_enum(value, kind) for kind in enums)
    else:
        verdicts = [_fits(value, word, kind) for word, kind in zip(allowed, kinds, strict=True)]
        fits = any(verdict is not False for verdict in verdicts)
    if not fits:
        return name, f"must be {_either(allowed)}, not {short(value)}"
    inner = next((found[1] for found in map(_SEQUENCE.fullmatch, allowed) if found), None)
    if inner is not None and isinstance(value, list | tuple):
        for place, one in enumerate(value):
            found = _mismatch(one, f"{name}[{place}]", _split(inner), names)
            if found:
                return found
    return None


def _resolve(word: str, names: Mapping[str, object]) -> object:
    kind: object = names
    for part in word.split("."):
        kind = kind.get(part) if isinstance(kind, Mapping) else getattr(kind, part, None)
    return kind


def _is_of_enum(value: object, kind: type[OpenIntEnum]) -> bool:
    try:
        enum_value(value, kind)
    except TypeError:
        return False
    return True


def _fits(value: object, word: str, kind: object) -> bool | None:
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
    if _SEQUENCE.fullmatch(word):
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)
    # `Any` passes for a class in newer versions of Python.
    return isinstance(value, kind) if isinstance(kind, type) and kind is not Any else None


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
    if isinstance(error, MemoryError):
        numbers = {name: operator.index(value) for name, value in arguments.items() if _is_index(value)}  # type: ignore[arg-type]
        name = max(numbers, key=lambda one: numbers[one], default="")
        return ArgumentError(name, f"asks for more memory than there is: {numbers.get(name)}", function)
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
