"""How much workspace a call may have, where it lives, and what happens when there is none.

One arena per device and stream serves all operations: launches on one stream follow each other, so they can share it.
It comes out of the array library's own pool. No lock is held around an allocation: a caller keeps the block that it was
given until its launch is queued, so an arena that grows meanwhile takes nothing away from it.

Nothing tells when a stream ends, so few arenas keep their blocks: where another one grows, the one that grew longest
ago gives its block back. That is as safe as growing: the pool hands a block out again in the order of the stream that
it was taken on, behind the launches that use it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from cudnnkit.admission import ABSURD_WORKSPACE
from cudnnkit.choice import Alternative
from cudnnkit.errors import Attempt, OutOfMemoryError
from cudnnkit.policy import WorkspaceLimit

__all__ = [
    "Allocator",
    "Arena",
    "Block",
    "Cap",
    "CapRule",
    "UnpreparedError",
    "Workspaces",
    "free_memory",
    "is_out_of_memory",
    "run_smaller_and_smaller",
    "trim",
    "workspaces",
]

T = TypeVar("T")

_GRAIN = 2 * 2**20
"""Arenas grow in steps of this size, so that slightly different layers do not each allocate anew."""
MOST_BLOCKS = 8
"""Arenas of one pool and device that keep a block; where more streams take turns, each asks the pool anew."""


class Block(Protocol):
    """Device memory that lives as long as the object."""

    @property
    def pointer(self) -> int: ...

    @property
    def nbytes(self) -> int: ...


class Allocator(Protocol):
    """The part of an array library that workspaces need; ``cudnnkit.arrays`` implements it."""

    def allocate(self, nbytes: int, device: int) -> Block:
        """Memory out of the pool, ordered by the current stream; MemoryError when there is none."""
        ...

    def memory(self, device: int) -> tuple[int, int]:
        """Free and total bytes."""
        ...

    def trim(self, device: int) -> None:
        """Give the pool's unused memory back to the device."""
        ...


def free_memory(allocator: Allocator, device: int) -> tuple[int | None, int | None]:
    """Free and total bytes, or None twice: a device that cannot be asked must not stop a call."""
    try:
        free, total = allocator.memory(device)
    except Exception:  # whatever a driver or an array library makes of it
        return None, None
    return (free, total) if 0 <= free <= total and total > 0 else (None, None)


@dataclass(frozen=True)
class Cap:
    """How much workspace is allowed, bytes.

    Attributes
    ----------
    now
        All rules together.
    lasting
        The rules that do not depend on free memory: what lies beyond is refused for good, what lies between `now` and
        this only for the moment.
    ceiling
        The user's limit alone, None for none. Where nothing fits below `lasting`, the smallest candidate below this
        is better than no answer.
    """

    now: int
    lasting: int
    ceiling: int | None = None


@dataclass(frozen=True)
class CapRule:
    """The smallest of a share of free memory, a multiple of the problem's bytes, and the user's limit.

    Attributes
    ----------
    free_fraction
        Share of free memory that one arena may take.
    problem_multiple
        How many times the bytes of all operands.
    floor
        Bytes that the multiple never goes below: small problems may need more than a multiple of themselves.
    """

    free_fraction: float = 0.1
    problem_multiple: float = 16.0
    floor: int = 64 * 2**20

    def cap(
        self,
        problem_bytes: int,
        limit: WorkspaceLimit,
        *,
        free: int | None,
        total: int | None,
        deterministic: bool = False,
    ) -> Cap:
        """The cap for one problem.

        Parameters
        ----------
        problem_bytes
            Bytes of all operands.
        limit
            The user's own limit.
        free, total
            The device's memory in bytes, None where it cannot be asked; the rules that need it are left out then.
        deterministic
            Leave free memory out: the same program must choose the same candidate whatever else is running.
        """
        ceiling = limit.resolve(total)
        lasting = max(int(problem_bytes * self.problem_multiple), self.floor)
        if total is not None:
            lasting = min(lasting, total)
        if ceiling is not None:
            lasting = min(lasting, ceiling)
        now = lasting if free is None or deterministic else min(lasting, int(free * self.free_fraction))
        return Cap(now, lasting, ceiling)


class Arena:
    """The workspace of one stream: one block, grown when a call needs more.

    Parameters
    ----------
    allocator, device
        Where blocks come from.
    grown
        Told of each new block.
    """

    def __init__(self, allocator: Allocator, device: int, grown: Callable[[Arena], None] = lambda _: None) -> None:
        self._allocator = allocator
        self._device = device
        self._grown = grown
        self._block: Block | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that it holds at the moment."""
        block = self._block
        return 0 if block is None else block.nbytes

    def reserve(self, nbytes: int) -> Block | None:
        """A block of at least `nbytes`, None for 0. Keep it until the launch is queued; a captured graph keeps it on.

        Raises
        ------
        MemoryError
            The pool has no such block, even after the arena gave up its own.
        """
        if nbytes == 0:
            return None
        block = self._block
        if block is not None and block.nbytes >= nbytes:
            return block
        # Given up first, so that the pool can put the two together. Who still uses the old block holds it.
        self._block = block = None
        block = self._allocator.allocate(-(-nbytes // _GRAIN) * _GRAIN, self._device)
        self._block = block
        self._grown(self)
        return block

    def release(self) -> None:
        """Give the block back to the pool."""
        self._block = None


class Workspaces:
    """All arenas of the process, and the pools that they and results come out of."""

    def __init__(self) -> None:
        self._arenas: dict[tuple[int, int, int], Arena] = {}
        self._pools: dict[tuple[int, int], tuple[Allocator, OrderedDict[Arena, None]]] = {}
        self._begin()
        _tables.add(self)

    def _begin(self) -> None:
        # Guards the tables only; a finaliser may come back here in the thread that holds it.
        self._lock = threading.RLock()

    def use(self, allocator: Allocator, device: int) -> OrderedDict[Arena, None]:
        """Let :meth:`trim` know a pool; answers its arenas with a block, the one that grew longest ago first."""
        key = id(allocator), device
        found = self._pools.get(key)
        if found is None:
            with self._lock:
                # The allocator stands in the entry, so that its id stays its own.
                found = self._pools.setdefault(key, (allocator, OrderedDict()))
        return found[1]

    def arena(self, allocator: Allocator, device: int, stream: int) -> Arena:
        """The arena of a stream, out of the pool of that library."""
        key = id(allocator), device, stream
        found = self._arenas.get(key)
        if found is None:
            holders = self.use(allocator, device)
            made = Arena(allocator, device, lambda one: self._bound(holders, one))
            with self._lock:
                found = self._arenas.setdefault(key, made)
        return found

    def _bound(self, holders: OrderedDict[Arena, None], grown: Arena) -> None:
        """Count an arena among those with a block, and take the others' that are too many."""
        with self._lock:
            holders[grown] = None
            holders.move_to_end(grown)
            surplus = [holders.popitem(last=False)[0] for _ in range(len(holders) - MOST_BLOCKS)]
        for one in surplus:
            one.release()

    def forget(self, allocator: Allocator) -> None:
        """Drop the arenas out of one library's pool."""
        with self._lock:
            for key in [key for key in self._arenas if key[0] == id(allocator)]:
                del self._arenas[key]
            for pool in [pool for pool in self._pools if pool[0] == id(allocator)]:
                del self._pools[pool]

    @property
    def nbytes(self) -> int:
        """Bytes held by all arenas."""
        return sum(arena.nbytes for arena in tuple(self._arenas.values()))

    def trim(self, device: int | None = None) -> int:
        """Give all arenas and the pools' unused memory back, on one device or all; answer the arenas' bytes.

        The pools are those of the array libraries whose arrays operations were called with, used by an arena or not.
        """
        freed = 0
        for (_, where, _), arena in tuple(self._arenas.items()):
            if device is None or where == device:
                freed += arena.nbytes
                arena.release()
        for (_, where), (allocator, _) in tuple(self._pools.items()):
            if device is None or where == device:
                allocator.trim(where)
        return freed


_tables: weakref.WeakSet[Workspaces] = weakref.WeakSet()
workspaces = Workspaces()
"""The arenas of this process."""


def trim(device: int | None = None) -> int:
    """Give all arenas and the pools' unused memory back, on one device or all; answer the arenas' bytes.

    The pools are those of the array libraries whose arrays operations were called with, used by an arena or not.
    """
    return workspaces.trim(device)


def _after_fork() -> None:
    for one in tuple(_tables):  # another thread of the parent may have held the lock
        one._begin()


os.register_at_fork(after_in_child=_after_fork)


# cuDNN reports a failed allocation of its own under these names; the second group means other things too.
_MEMORY_STATUS = ("ALLOC_FAILED", "OUT_OF_MEMORY", "MEMORYALLOCATION")
_SUSPECT_STATUS = ("EXECUTION_FAILED", "INTERNAL_ERROR")
_NEARLY_FULL = 64 * 2**20


def is_out_of_memory(error: BaseException, free: int | None = None) -> bool:
    """Whether an error of an array library or of cuDNN means that device memory ran out.

    cuDNN answers EXECUTION_FAILED or INTERNAL_ERROR when an allocation inside it fails; that counts when the device is
    nearly full.

    Parameters
    ----------
    error
        What was raised.
    free
        Free bytes of the device, None where unknown.
    """
    if isinstance(error, MemoryError):
        return True
    status = f"{getattr(error, 'status_name', '')} {error}".upper().replace(" OF ", "_OF_").replace("OUT ", "OUT_")
    if any(word in status for word in _MEMORY_STATUS):
        return True
    return free is not None and free < _NEARLY_FULL and any(word in status for word in _SUSPECT_STATUS)


class UnpreparedError(Exception):
    """A fallback cannot be prepared, for a reason other than memory; it says why."""


def run_smaller_and_smaller(
    label: str,
    chain: Sequence[Alternative],
    launch: Callable[[Alternative, Block | None], T],
    arena: Arena,
    allocator: Allocator,
    device: int,
) -> T:
    """Launch the first candidate of `chain` that finds its memory.

    Without memory the pool is trimmed and the same candidate tried once more; then comes the next one.

    Parameters
    ----------
    label
        The problem in words.
    chain
        The choice and its fallbacks, in the order in which they are tried.
    launch
        Launches one candidate in the given block. It may be called again after it raised for lack of memory. One that
        raises :class:`UnpreparedError` is passed over.
    arena, allocator, device
        Where memory comes from.

    Raises
    ------
    OutOfMemoryError
        None of them could be prepared and found memory; it lists each with workspace, status and free memory.
    Exception
        Whatever else `launch` raises.
    """
    attempts: list[Attempt] = []
    trimmed = False
    for one in chain:
        if one.workspace >= ABSURD_WORKSPACE:
            free, _ = free_memory(allocator, device)
            attempts.append(Attempt(str(one.id), one.workspace, "no device has so much", free))
            continue
        while True:
            try:
                return launch(one, arena.reserve(one.workspace))
            except UnpreparedError as error:
                free, _ = free_memory(allocator, device)
                attempts.append(Attempt(str(one.id), one.workspace, str(error), free))
                break
            except Exception as error:
                free, _ = free_memory(allocator, device)
                if not is_out_of_memory(error, free):
                    raise
                status = str(getattr(error, "status_name", "") or error or type(error).__name__)
            # Outside the handler: the traceback, and what it holds, is gone by now.
            if not trimmed:
                trimmed = True
                arena.release()
                with contextlib.suppress(Exception):  # what could not be trimmed is missing at the next try
                    allocator.trim(device)
                continue
            attempts.append(Attempt(str(one.id), one.workspace, status, free))
            break
    raise OutOfMemoryError(label, attempts)
