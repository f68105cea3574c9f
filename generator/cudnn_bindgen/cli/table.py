"""Rows on a terminal: a table by ``rich`` where it is installed, aligned columns elsewhere and in pipes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["print_table"]


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print `rows`; a pipe gets one line a row, uncut, for ``grep`` and ``awk``."""
    if sys.stdout.isatty():
        try:
            from rich.console import Console
            from rich.table import Table
            from rich.text import Text
        except ModuleNotFoundError:
            pass
        else:
            table = Table(*columns, box=None, pad_edge=False, header_style="bold")
            for row in rows:
                table.add_row(*(Text(cell, overflow="fold") for cell in row))
            Console().print(table)
            return
    listed = [columns, *rows]
    widths = [max(len(row[place]) for row in listed) for place in range(len(columns))]
    for row in listed:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
