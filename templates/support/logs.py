"""The library's own messages on their way to Python's ``logging``.

cuDNN calls back on whichever thread it is working in, possibly with its own locks held. So the callback does next to
nothing: it copies the message into a queue that takes no lock, and drops it when the queue is full. A thread of ours
hands the messages to ``logging``, where handlers may do what they like, calls into cuDNN included.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable
from queue import SimpleQueue
from threading import Event, Lock, Thread, get_ident
from typing import TYPE_CHECKING, Any, NamedTuple

from .descriptors import PROCESS, free_deferred
from .errors import ArgumentError, SymbolNotAvailableError, short
from .types import FFI, CData

if TYPE_CHECKING:
    import logging

    from .library import LibraryBase

__all__ = ["SEVERITIES", "LogBridge", "Message"]

# cudnnSeverity_t in order, and the levels of `logging` they become.
SEVERITIES = ("fatal", "error", "warning", "info")
_LEVELS = (50, 40, 30, 20)
_SIGNATURE = "void(cudnnSeverity_t, void *, const cudnnDebug_t *, const char *)"
_LONGEST = 1 << 16


class Message(NamedTuple):
    """One message; every log record carries it as ``record.cudnn``.

    Attributes
    ----------
    severity
        One of `SEVERITIES`.
    text
        What the library says, several lines.
    status
        The status that goes with it.
    time
        Seconds since the epoch, by the library's clock.
    thread
        The system's number of the thread it happened in.
    device
        The CUDA device, -1 where there is none.
    handle, stream
        Their addresses, 0 where there is none.
    """

    severity: str
    text: str
    status: int = 0
    time: float = 0.0
    thread: int = 0
    device: int = -1
    handle: int = 0
    stream: int = 0


class LogBridge:
    """Messages of one library; ``lib.logs``. Off until `enable`."""

    def __init__(self, library: LibraryBase) -> None:
        self._library = library
        self._capacity = 0
        self._dropped = 0
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._thread: Thread | None = None
        self._logger: logging.Logger | None = None
        self._callback: CData = None
        self._changing = Lock()
        self._at_exit = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)

    @property
    def enabled(self) -> bool:
        """Whether messages are being passed on."""
        return self._logger is not None

    @property
    def dropped(self) -> int:
        """How many messages found the queue full since `enable`."""
        return self._dropped

    def enable(
        self,
        severities: Iterable[str] = ("fatal", "error", "warning"),
        logger: str | logging.Logger = "cudnn_ffi",
        capacity: int = 10_000,
    ) -> None:
        """Pass messages of these severities on to a logger.

        Parameters
        ----------
        severities
            Which ones, of `SEVERITIES`; "info" is one message for nearly every call.
        logger
            The logger, or its name.
        capacity
            How many messages may wait; more are dropped and counted.

        Raises
        ------
        ArgumentError
            No such severity, or a capacity below 1.
        SymbolNotAvailableError
            The library has no callback (cuDNN 7.1 brought it).
        StatusError
            The library refused it.
        """
        import logging

        if not isinstance(severities, Iterable):
            raise ArgumentError("severities", f"must be of {', '.join(SEVERITIES)}, not {short(severities)}")
        if not isinstance(logger, str | logging.Logger):
            raise ArgumentError("logger", f"must be a logger or its name, not {short(logger)}")
        wanted = [severities] if isinstance(severities, str) else list(severities)
        for severity in wanted:
            if severity not in SEVERITIES:
                raise ArgumentError("severities", f"must be of {', '.join(SEVERITIES)}, not {short(severity)}")
        if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
            raise ArgumentError("capacity", f"must be 1 or more, not {short(capacity)}")
        mask = sum(1 << SEVERITIES.index(severity) for severity in set(wanted))
        with self._changing:
            self._logger = logging.getLogger(logger) if isinstance(logger, str) else logger
            self._capacity = capacity
            self._dropped = 0
            if self._callback is None:
                # Kept for the life of the process: the library may hold it longer than anyone here.
                self._callback = self._library._ffi.callback(_SIGNATURE, self._receive, onerror=_ignore)
            if not self._at_exit:
                atexit.register(self._stop_at_exit)
                self._at_exit = True
            self._start()
            PROCESS.deferring = True
            try:
                self._set(mask, self._callback)
            except Exception:
                self._logger, self._capacity = None, 0
                raise

    def disable(self) -> None:
        """Ask the library for silence, and pass on what it has said so far."""
        with self._changing:
            if self._logger is None:
                return
            # cuDNN 9 goes on reporting errors when asked for nothing, on stderr if there is no callback: it keeps ours.
            self._set(0, self._callback)
            self._finish()
            self._logger, self._capacity = None, 0

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until every message received so far was handed to the logger; False when that took too long.

        Not to be called from a handler of that logger.
        """
        if self._thread is None or not self._thread.is_alive():
            return self._queue.empty()
        reached = Event()
        self._queue.put(reached)
        return reached.wait(timeout)

    # --- on the library's threads ----------------------------------------------------------------------------------

    def _receive(self, severity: int, _: CData, debug: CData, text: CData) -> None:
        # The library may hold its locks: nothing from here on may wait for one of Python's or of the library's. That
        # includes what the collector does if it runs now, so that dropped handles are put aside (`PROCESS.deferring`).
        if self._queue.qsize() >= self._capacity:
            self._dropped += self._capacity > 0
            return
        ffi = self._library._ffi
        said = _lines(ffi, text) if text else b""
        details: tuple[Any, ...] = ()
        if debug:
            details = (
                int(debug.cudnnStatus),
                debug.time_sec + debug.time_usec * 1e-6,
                int(debug.tid),
                int(debug.cudaDeviceId),
                int(ffi.cast("uintptr_t", debug.handle)),
                int(ffi.cast("uintptr_t", debug.stream)),
            )
        self._queue.put((int(severity), said, details))

    # --- on our own thread -----------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._drain, name="cudnn-log", daemon=True)
            self._thread.start()

    def _finish(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None and thread.is_alive() and thread.ident != get_ident():
            self._queue.put(None)
            thread.join(timeout=5.0)

    def _drain(self) -> None:
        while True:
            item = self._queue.get()
            if item is None:
                return
            if isinstance(item, Event):
                item.set()
                continue
            logger = self._logger
            if logger is not None:
                try:
                    _emit(logger, *item)
                except BaseException:  # SystemExit as well
                    # A failing handler must not end the thread; `logging` has reported it if it wants such reports.
                    pass
            free_deferred()

    def _stop_at_exit(self) -> None:
        try:
            self.disable()
            # Nobody may call into an interpreter that is gone.
            self._set(0, self._library._null)
        except Exception:
            pass

    def _after_fork(self) -> None:
        # The thread did not come along, and locks may have been held by threads that did not either.
        self._changing = Lock()
        self._queue = SimpleQueue()
        self._thread = None
        if self._logger is not None:
            self._start()

    def _set(self, mask: int, callback: CData) -> None:
        name = "cudnnSetCallback"
        if not self._library.has(name):
            raise SymbolNotAvailableError(name, self._library.version_text, self._library.path, "7.1.3")
        status = self._library._lib.cudnnSetCallback(mask, self._library._null, callback)
        if status:
            raise self._library._status_error(name, status, mask=mask)


def _lines(ffi: FFI, text: CData) -> bytes:
    """The lines of a message: each ends with NUL, the last one with two."""
    lines: list[bytes] = []
    room = _LONGEST
    while room > 0:
        line: bytes = ffi.string(text, room)
        if not line:
            break
        lines.append(line)
        text += len(line) + 1
        room -= len(line) + 1
    return b"\n".join(lines)


def _ignore(*_: object) -> None:
    """A failure inside the callback has nowhere to go: cuDNN is waiting."""


def _emit(logger: logging.Logger, severity: int, said: bytes, details: tuple[Any, ...]) -> None:
    index = min(max(severity, 0), len(SEVERITIES) - 1)
    message = Message(SEVERITIES[index], said.decode("utf-8", "replace").strip(), *details)
    if logger.isEnabledFor(_LEVELS[index]):
        logger.log(_LEVELS[index], "%s", message.text, extra={"cudnn": message})
