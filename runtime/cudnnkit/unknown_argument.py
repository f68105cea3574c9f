"""What is said of a keyword that an operation does not have: what it takes, and which was meant."""

from __future__ import annotations

import difflib
import inspect
import sys
from dataclasses import fields

from cudnnkit.policy import Policy

__all__ = ["no_such_argument"]

_HERE = {
    "count_include_pad": ("include_padding",), "dim": ("axis",), "input": ("x",), "kernel_size": ("window", "kernel"),
    "negative_slope": ("slope",), "running_var": ("running_variance",), "var": ("variance",), "weight": ("w", "scale"),
}  # fmt: skip
"""Names of torch's functions, and what the same thing is called here."""
_LAYOUT = "shapes are (N, C, spatial), and strides tell the layout: channels last are a view with its axes moved"
_WAYS = {
    "channels_last": _LAYOUT, "data_format": _LAYOUT, "dtype": "a result has its operands' type",
    "inplace": "out=x writes into x", "layout": _LAYOUT, "memory_format": _LAYOUT,
}  # fmt: skip


def no_such_argument(name: str, operation: str) -> str:
    """Why a keyword cannot be used, as the rest of a sentence; several functions share an operation, one was called."""
    called = _called() or operation
    function = getattr(sys.modules["cudnnkit"], called, None)
    own = [] if function is None else [one for one in inspect.signature(function).parameters if one != "limits"]
    known = [*own, *(field.name for field in fields(Policy))]
    near = [one for one in _HERE.get(name, ()) if one in known] or difflib.get_close_matches(name, known, 1)
    way = _WAYS.get(name) or (f"{near[0]} may be meant" if near else "")
    takes = f"it takes {', '.join(own)}, and a policy's fields" if own else ""
    return "; ".join(one for one in (f"{called} has no such argument", way, takes) if one)


def _called() -> str:
    """The function of ``cudnnkit.ops`` that a user called, by the frames of the call; empty where there is none."""
    frame, found = sys._getframe(), ""
    while frame.f_back is not None:
        frame = frame.f_back
        inside = frame.f_globals.get("__name__", "").startswith("cudnnkit.ops.")
        if found and not inside:
            break
        found = frame.f_code.co_name if inside else found
    return found
