"""Telling the user how far it is: a progress bar on a terminal, notes on standard error, silence on request."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Advance", "Reporter", "SilentReporter", "TerminalReporter"]

Advance = Callable[[int], None]


def _ignore(done: int) -> None:
    del done


class Reporter(Protocol):
    """What a long action tells about itself."""

    def note(self, message: str) -> None:
        """One sentence that the user should see."""

    def display(self) -> contextlib.AbstractContextManager[None]:
        """While it is open, tasks are shown."""

    def task(self, description: str, total: int | None, *, unit: str) -> contextlib.AbstractContextManager[Advance]:
        """A piece of work of `total` units ("bytes" or a plural noun); the value is called with what was done since."""


class SilentReporter:
    """Says nothing; keeps the notes in `notes`."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, message: str) -> None:
        self.notes.append(message)

    def display(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    @contextlib.contextmanager
    def task(self, description: str, total: int | None, *, unit: str) -> Iterator[Advance]:  # noqa: ARG002
        yield _ignore


class TerminalReporter:
    """Notes go to standard error; while `display` is open a bar for each task is drawn there if it is a terminal."""

    def __init__(self) -> None:
        self._progress: Progress | None = None

    def note(self, message: str) -> None:
        line = f"cudnn-bindgen: note: {message}"
        if self._progress is None:
            print(line, file=sys.stderr)
        else:
            # markup off: a path may hold square brackets.
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    @contextlib.contextmanager
    def display(self) -> Iterator[None]:
        if not sys.stderr.isatty() or self._progress is not None:
            yield
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[amount]}", markup=False),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            self._progress = progress
            try:
                yield
            finally:
                self._progress = None

    @contextlib.contextmanager
    def task(self, description: str, total: int | None, *, unit: str) -> Iterator[Advance]:
        progress = self._progress
        if progress is None:
            yield _ignore
            return
        finished = 0
        identity = progress.add_task(description, total=total, amount=_amount(0, total, unit))

        def advance(done: int) -> None:
            nonlocal finished
            finished += done
            progress.update(identity, advance=done, amount=_amount(finished, total, unit))

        try:
            yield advance
        finally:
            progress.remove_task(identity)


def _amount(done: int, total: int | None, unit: str) -> str:
    if unit == "bytes":
        end = f"/{total / 1e6:.1f}" if total is not None else ""
        return f"{done / 1e6:.1f}{end} MB"
    return f"{done}{f'/{total}' if total is not None else ''} {unit}"
