"""Arrays that a function gets while the simulated library records it: NumPy's own steps on them are refused.

A replay repeats what was launched. NumPy computes at once, on what lies in memory while the function is recorded, and
would put that into every later result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cudnnkit.rooms import ACTIVE, here

__all__ = ["RecordedArray", "plain"]

_VIEWS = (
    "array_split", "broadcast_arrays", "broadcast_to", "expand_dims", "flip", "moveaxis", "ndim", "ravel", "reshape",
    "rollaxis", "shape", "size", "split", "squeeze", "swapaxes", "transpose",
)  # fmt: skip
"""Functions that compute nothing; where one has to copy, that is refused."""
_NEW = ("empty_like", "full_like", "may_share_memory", "ones_like", "result_type", "shares_memory", "zeros_like")
"""Functions that do not look at the elements."""
_METHODS = (
    "__bool__", "__complex__", "__float__", "__index__", "__int__", "__setitem__", "argmax", "argmin", "argsort",
    "choose", "compress", "dot", "fill", "item", "nonzero", "partition", "put", "searchsorted", "sort", "tobytes",
    "tolist",
)  # fmt: skip
"""What reads or writes elements and is no ufunc."""


def plain(value: Any) -> Any:
    """An ordinary array over the same memory; in containers, too; anything else as it is."""
    if isinstance(value, RecordedArray):
        return value.view(np.ndarray)
    if isinstance(value, tuple | list):
        return type(value)([plain(one) for one in value])
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value


def _refuse(step: str) -> None:
    """Raise while the thread records."""
    if ACTIVE and here() is not None:
        raise RuntimeError(
            f"NumPy's own step '{step}' cannot be recorded in the simulation; on a GPU the array library's own can"
        )


class RecordedArray(np.ndarray[Any, Any]):
    """An array that refuses to be computed with, read or written by NumPy while its thread records."""

    def __array_finalize__(self, parent: Any) -> None:
        if self.flags.owndata:  # a copy, not a view
            _refuse("copy")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        _refuse(ufunc.__name__)
        return getattr(ufunc, method)(*plain(inputs), **plain(keywords))

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        if function.__name__ in _VIEWS:
            return super().__array_function__(function, types, arguments, keywords)
        if function.__name__ not in _NEW:
            _refuse(function.__name__)
        return function(*plain(arguments), **plain(keywords))

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if not isinstance(found, np.ndarray) or (found.size and not np.may_share_memory(plain(found), plain(self))):
            _refuse("reading elements")
        return found


def _refusing(name: str) -> Any:
    def step(self: RecordedArray, *arguments: Any, **keywords: Any) -> Any:
        _refuse(name)
        return getattr(self.view(np.ndarray), name)(*plain(arguments), **plain(keywords))

    return step


for _name in _METHODS:
    setattr(RecordedArray, _name, _refusing(_name))
