"""Doing several things at once, in a way that Ctrl-C ends at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping

__all__ = ["run_all"]

# Who writes at the moment of an interruption gets this long to put things away; who waits for a server is left behind.
_GRACE_SECONDS = 2.0


def run_all(
    tasks: Mapping[str, Callable[[], None]],
    jobs: int,
    *,
    ended: Callable[[str, BaseException | None], None],
    stop: Callable[[], None],
) -> None:
    """Run `tasks`, at most `jobs` at once.

    Unlike an executor's, the threads do not keep the process alive: one that waits for a silent server would.

    Parameters
    ----------
    ended
        Called in this thread for each task as it ends, with its name and what it raised; what it raises ends the run.
    stop
        Called when the run ends before its tasks; has to make running tasks fail soon.
    """
    waiting: queue.SimpleQueue[tuple[str, Callable[[], None]]] = queue.SimpleQueue()
    results: queue.SimpleQueue[tuple[str, BaseException | None]] = queue.SimpleQueue()
    for item in tasks.items():
        waiting.put(item)

    def work() -> None:
        while True:
            try:
                name, task = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                task()
            except BaseException as error:  # whoever reads the results decides about it
                results.put((name, error))
            else:
                results.put((name, None))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(jobs, len(tasks)))]
    try:
        for thread in threads:
            thread.start()
        for _ in tasks:
            ended(*results.get())
    except BaseException:
        stop()
        while not waiting.empty():
            waiting.get()
        for thread in threads:
            thread.join(_GRACE_SECONDS)
        raise
