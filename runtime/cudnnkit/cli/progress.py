"""A progress bar on standard error: by ``rich`` where it is installed, plain elsewhere, none in a pipe."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator

__all__ = ["progress"]

Step = Callable[[str], None]


@contextlib.contextmanager
def progress(total: int) -> Iterator[Step]:
    """A bar of `total` steps for a block; call the step with what begins now.

    The bar counts a step as done when the next one begins, or the block ends.
    """
    if not sys.stderr.isatty():
        yield lambda label: None  # noqa: ARG005
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ModuleNotFoundError:
        with _plain(total) as step:
            yield step
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        begun = False

        def step(label: str) -> None:
            nonlocal begun
            bar.update(task, advance=int(begun), description=label)
            begun = True

        yield step


@contextlib.contextmanager
def _plain(total: int) -> Iterator[Step]:
    """One line that is written over."""
    done = 0

    def step(label: str) -> None:
        nonlocal done
        width = shutil.get_terminal_size().columns
        filled = 20 * done // max(total, 1)
        text = f"[{'#' * filled}{'.' * (20 - filled)}] {done + 1}/{total} {label}"
        print(f"\r{text[: width - 1]:<{width - 1}}", end="", file=sys.stderr, flush=True)
        done += 1

    try:
        yield step
    finally:
        width = shutil.get_terminal_size().columns
        print(f"\r{'':<{width - 1}}\r", end="", file=sys.stderr, flush=True)
