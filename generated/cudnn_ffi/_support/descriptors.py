# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Handles and descriptors: each owns what it created, frees it once, and knows when it was closed."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .errors import DescriptorClosedError
from .types import CData

if TYPE_CHECKING:
    from .library import LibraryBase

__all__ = ["Handle", "handle_pointer"]

_HandleT = TypeVar("_HandleT", bound="Handle")


class _Process:
    """What finalisers must know about the process they run in."""

    __slots__ = ("deferred", "deferring", "generation")

    def __init__(self) -> None:
        # Counts forks on the way to this process: a child must not free what belongs to its parent's GPU context.
        self.generation = 0
        # Set once the library may call back into Python (`logs`). The collector can then run, and find dropped handles,
        # while the library holds a lock that freeing them needs: they are put aside instead.
        self.deferring = False
        # What was put aside: freed with the next handle that is made or closed, or by the thread that delivers
        # messages.
        self.deferred: list[tuple[Any, CData]] = []


PROCESS = _Process()


def _after_fork() -> None:
    PROCESS.generation += 1
    PROCESS.deferred.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def free_deferred() -> None:
    """Free what was put aside; not to be called from within a callback."""
    while PROCESS.deferred:
        try:
            destroy, pointer = PROCESS.deferred.pop()
        except IndexError:  # another thread was faster
            return
        destroy(pointer)


class Handle:
    """One opaque object of the library.

    A handle made by a ``create_`` function owns its object: `close` (or leaving a ``with`` block, or dropping the last
    reference) frees it, once, from whichever thread. In a forked child, and when the interpreter is shutting down,
    nothing is freed: the parent or the system does it.

    Parameters
    ----------
    library
        The loaded library that made it.
    pointer
        The C pointer.
    owned
        Whether closing frees it.
    """

    __slots__ = ("__weakref__", "_data_type", "_generation", "_library", "_owned", "_owns", "_ptr")

    _c_type: ClassVar[str] = ""
    _destroy: ClassVar[str] = ""

    def __init__(self, library: LibraryBase, pointer: CData, *, owned: bool = True) -> None:
        # `_ptr` is what wrappers pass to C; None once closed, which cffi refuses where a pointer is due.
        self._ptr = pointer
        self._library = library
        # Set by the setters that take a data type: scaling factors are double for double data, else float.
        self._data_type: int | None = None
        self._generation = PROCESS.generation
        # Taking the pointer out of this list is the one atomic step that decides who frees it.
        self._owns = bool(owned and self._destroy)
        self._owned: list[CData] = [pointer] if self._owns else []
        if PROCESS.deferred:
            free_deferred()

    @property
    def closed(self) -> bool:
        """Whether it was closed or destroyed."""
        return self._ptr is None

    @property
    def owned(self) -> bool:
        """Whether closing it frees the object in the library."""
        return bool(self._owned)

    @property
    def library(self) -> LibraryBase:
        """The library it belongs to."""
        return self._library

    @property
    def address(self) -> int:
        """The C pointer as a number.

        Raises
        ------
        DescriptorClosedError
            It was closed.
        """
        if self._ptr is None:
            raise DescriptorClosedError(type(self).__name__)
        return int(self._library._ffi.cast("uintptr_t", self._ptr))

    def close(self) -> None:
        """Free the object now; closing twice does nothing.

        Raises
        ------
        StatusError
            The library refused to free it; it is not tried again.
        """
        status = self._release()
        if status:
            raise self._library._status_error(self._destroy, status)

    def _release(self, *, dropped: bool = False) -> int:
        self._ptr = None
        try:
            pointer = self._owned.pop()
        except IndexError:
            return 0
        if self._generation != PROCESS.generation or sys.is_finalizing():
            return 0
        destroy = getattr(self._library._lib, self._destroy)
        if dropped and PROCESS.deferring:
            PROCESS.deferred.append((destroy, pointer))
            return 0
        if PROCESS.deferred and not dropped:
            free_deferred()
        return int(destroy(pointer))

    def _take(self) -> CData:
        """Give the pointer and the duty to free it to the caller."""
        pointer, self._ptr = self._ptr, None
        if self._owns:
            try:
                self._owned.pop()
            except IndexError:  # another thread is freeing it
                return None
        return pointer

    def __enter__(self: _HandleT) -> _HandleT:
        if self._ptr is None:
            raise DescriptorClosedError(type(self).__name__)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # Also runs for a handle whose construction failed, and while modules are being torn down.
        try:
            if self._owned:
                self._release(dropped=True)
        except Exception:
            pass

    def __repr__(self) -> str:
        if self._ptr is None:
            return f"<{type(self).__name__} closed>"
        borrowed = "" if self._owned else " borrowed"
        return f"<{type(self).__name__} {self.address:#x}{borrowed}>"

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} owns an object of the library and cannot be copied")

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} lives in this process only and cannot be pickled or copied")


def handle_pointer(handle: Handle | None, null: CData) -> CData:
    """What to pass to C for a handle that may be None; `null` then."""
    return null if handle is None else handle._ptr
