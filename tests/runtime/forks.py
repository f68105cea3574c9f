"""A child that is forked while another thread of its parent holds something."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

__all__ = ["status_of_child"]


def status_of_child(held_by_another: AbstractContextManager[object], work: Callable[[], object]) -> int:
    """Exit status of a child that does `work`: 0 if that ends within 10 s.

    It works in the child's own thread: another one might be taken for the holder, whose identity it may get.
    """
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with held_by_another:
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(10)
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    done.set()
    thread.join(10)
    return os.waitstatus_to_exitcode(status)
