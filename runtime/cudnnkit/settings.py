"""The process's tuning cache as users set it: which file, read-only or not, how large, how many searches."""

from __future__ import annotations

import os
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import equal_float, equal_int

if TYPE_CHECKING:
    from cudnnkit.cache import Counters

__all__ = ["counters", "set_cache"]


class _Kept(Enum):
    """A setting that a call does not give."""

    KEPT = "kept"

    def __repr__(self) -> str:
        return self.value


_KEPT = _Kept.KEPT


def set_cache(
    path: str | os.PathLike[str] | _Kept | None = _KEPT,
    *,
    read_only: bool | _Kept = _KEPT,
    entries: int | _Kept | None = _KEPT,
    nbytes: int | _Kept | None = _KEPT,
    searches: int | _Kept | None = _KEPT,
    search_seconds: float | _Kept | None = _KEPT,
) -> None:
    """Say where tuning decisions are kept, and how much of them; what was decided in memory is forgotten.

    What is not given stays as it is: ``set_cache(searches=16)`` leaves a file that is read only just that. Counting
    of searches begins anew.

    Parameters
    ----------
    path
        The SQLite file; None for the one in the user's cache folder (``CUDNNKIT_CACHE_DIR`` moves the folder), which
        is the one at first.
    read_only
        Never write, for deployment: decisions come from the file, new ones live in this process only. False at first,
        unless the environment variable ``CUDNNKIT_CACHE_READ_ONLY=1`` is set.
    entries, nbytes
        Bounds of the decisions in memory, in number and in estimated bytes; the one asked for longest ago goes first.
        None for no bound, as at first.
    searches, search_seconds
        How many searches this process may make, and how many seconds they may take together; past either the heuristic
        answers. With ever-changing shapes it is the searching that costs. ``searches=0``: never search. None for no
        bound, as at first.

    Raises
    ------
    ArgumentError
        A bound is negative, or the path is a folder or another program's file.
    ArgumentTypeError
        A bound is no number.
    """
    from cudnnkit.folder import is_read_only
    from cudnnkit.store import Store
    from cudnnkit.tuner import Tuner, set_tuner, tuner

    given = {"entries": entries, "nbytes": nbytes, "searches": searches, "search_seconds": search_seconds}
    bounds: dict[str, Any] = {name: value for name, value in given.items() if not isinstance(value, _Kept)}
    for name, value in bounds.items():
        if value is None:
            continue
        whole = name != "search_seconds"
        found = None if isinstance(value, bool) else equal_int(value) if whole else equal_float(value)
        if found is None:
            raise ArgumentTypeError(name, value, f"must be a {'whole ' if whole else ''}number, or None for no bound")
        if not found >= 0:
            raise ArgumentError(name, value, "must be 0 or more, or None for no bound")
        bounds[name] = found
    if not isinstance(read_only, bool | _Kept):
        raise ArgumentTypeError("read_only", read_only, "must be True or False")
    before = tuner()
    store = before.cache.store
    old = store if isinstance(store, Store) else Store(read_only=is_read_only())  # simulated devices have none at first
    file = old.named if isinstance(path, _Kept) else None if path is None else _file(path)
    new = Store(file, read_only=old.read_only if isinstance(read_only, _Kept) else read_only)
    set_tuner(Tuner(before.backend, new, replace(before.cache.limits, **bounds)))


def _file(path: str | os.PathLike[str]) -> Path:
    from cudnnkit.store_file import is_foreign

    try:
        text = os.fspath(path)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise ArgumentTypeError("path", path, "must be a path, or None for the file in the user's cache folder")
    if "\0" in text or not text:
        raise ArgumentError("path", text, "names no file")
    found = Path(text)
    try:
        folder = found.is_dir()
    except OSError as error:
        raise ArgumentError("path", text, f"names no file that there can be: {error.strerror}") from None
    if folder:
        raise ArgumentError("path", text, "is a folder; name a file in it, such as tuning.sqlite")
    if is_foreign(found):
        raise ArgumentError("path", text, "is no cache file; name one that is, or that is not there yet")
    return found


def counters() -> Counters:
    """Hits, misses, searches and their seconds since the cache was made; plans that a thread kept count nowhere.

    Returns
    -------
    Counters
        Fields ``hits``, ``misses``, ``disk_hits``, ``waits``, ``searches``, ``search_seconds``, ``heuristics``,
        ``evictions`` and ``rejected``; a copy, which later calls do not change. All are 0 before the first call.
    """
    from cudnnkit.tuner import tuner

    return tuner().counters
