"""Which arguments and results of a function keep it from being recorded."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from cudnnkit.arrays.layouts import shares_elements
from cudnnkit.arrays.registry import view_of
from cudnnkit.errors import ArgumentError
from cudnnkit.recording.constants import hides_arrays, is_value
from cudnnkit.recording.errors import END, CaptureError
from cudnnkit.recording.inputs import is_array
from cudnnkit.recording.trees import flatten

__all__ = ["check_arguments", "checked_results"]

_PLACES = "arrays in tuples, named tuples, lists or dictionaries"


def check_arguments(name: str, leaves: Sequence[Any]) -> None:
    """Nothing that hides arrays is an argument of the function `name`: others in their places would not be seen.

    Raises
    ------
    CaptureError
        It names the argument and its type.
    """
    for place, one in enumerate(leaves):
        if not is_array(one) and hides_arrays(one):
            reason = f"argument {place} is a {type(one).__qualname__} that holds arrays; pass {_PLACES}"
            raise CaptureError(name, END, reason)


def checked_results(name: str, results: Any) -> tuple[Any, list[Any]]:
    """Structure and leaves of what a function returned.

    Each can be described and written, and none hides arrays: they would be overwritten by later calls.

    Raises
    ------
    CaptureError
        It names the type, and what is wrong.
    """
    found: list[Any] = []
    try:
        structure = flatten(results, found)
    except ArgumentError as error:
        raise CaptureError(name, END, f"it returned a {error.value} that {error.hint}") from None
    for one in found:
        kind = type(one).__qualname__
        if is_array(one) or (hasattr(type(one), "shape") and not is_value(one)):
            try:
                view = view_of(one, "result")
                shares = shares_elements(view.shape, view.strides)
            except Exception as error:  # of the library's own, too: a sparse tensor has no strides
                reason = f"{type(error).__name__}: {error}".splitlines()[0]
                raise CaptureError(name, END, f"it returned a {kind} that cannot be used ({reason})") from error
            if shares:
                reason = f"it returned a {kind} whose elements share memory, as those of a broadcast do; return a copy"
                raise CaptureError(name, END, reason)
            continue
        container = isinstance(one, tuple | list | dict | set | frozenset) or dataclasses.is_dataclass(one)
        if container or hasattr(one, "__next__") or hasattr(one, "__await__") or hides_arrays(one):
            raise CaptureError(name, END, f"it returned a {kind}; return {_PLACES}")
    return structure, found
