"""Who gives memory to the operations of a thread while a function of operations is recorded.

Outside of a recording `ACTIVE` is empty, and all that an operation pays for is the look at it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["ACTIVE", "Room", "Rooms", "entered", "here", "paused"]


class Room:
    """Memory whose end is seen: `gone` is called once nothing refers to it any more.

    Arrays over it (``ArrayLibrary.over``) hold it, and so does every view of such an array.

    Parameters
    ----------
    pointer, nbytes, device
        The memory.
    gone
        Called once, from a finaliser: it takes no lock and raises nothing.
    keep
        Whatever owns the memory.
    """

    __slots__ = ("__weakref__", "_gone", "_keep", "device", "nbytes", "pointer")

    def __init__(self, pointer: int, nbytes: int, device: int, gone: Callable[[], object], keep: Any) -> None:
        self.pointer, self.nbytes, self.device, self._gone, self._keep = pointer, nbytes, device, gone, keep

    def __del__(self) -> None:
        self._gone()


class Rooms(Protocol):
    """Gives memory to the operations of one thread, and is told what they launch."""

    def array(
        self, library: ArrayLibrary, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int
    ) -> Any:
        """A new array; as ``ArrayLibrary.empty``."""
        ...

    def workspace(self, library: ArrayLibrary, nbytes: int, device: int) -> Any:
        """Workspace for one launch, a ``workspace.Block``."""
        ...

    def launched(self, prepared: Any, pointers: Sequence[int], arrays: Sequence[Any]) -> None:
        """A prepared call is about to be launched on these operands."""
        ...


ACTIVE: dict[int, Rooms] = {}
"""By thread."""


def here() -> Rooms | None:
    """The calling thread's."""
    return ACTIVE.get(get_ident())


@contextlib.contextmanager
def entered(rooms: Rooms) -> Iterator[None]:
    """Let `rooms` give memory to the calling thread for a block."""
    thread = get_ident()
    before = ACTIVE.get(thread)
    ACTIVE[thread] = rooms
    try:
        yield
    finally:
        if before is None:
            ACTIVE.pop(thread, None)  # a child forked within the block has none
        else:
            ACTIVE[thread] = before


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Memory comes from the array library's own pool for a block."""
    thread = get_ident()
    before = ACTIVE.pop(thread, None)
    try:
        yield
    finally:
        if before is not None:
            ACTIVE[thread] = before


os.register_at_fork(after_in_child=ACTIVE.clear)
