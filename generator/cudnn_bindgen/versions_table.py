"""The table of versions that the README shows, out of the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cudnn_bindgen.errors import OutputError
from cudnn_bindgen.files import write_file
from cudnn_bindgen.history import History
from cudnn_bindgen.line import Line
from cudnn_bindgen.versions import Version, three_part

__all__ = ["BEGIN", "END", "update_table", "versions_table"]

BEGIN, END = "<!-- versions -->", "<!-- /versions -->"
_HEAD = """\
| line | versions | how many | functions, first and last version | what moved inside the line |
|---|---|---|---|---|
"""


def versions_table(history: History) -> str:
    """The table in Markdown, a row for each line (major version)."""
    majors = sorted({Version(version).major for version in history.versions})
    return _HEAD + "".join(_row(history, major) for major in majors)


def update_table(file: Path, history: History) -> bool:
    """Write the table between the marks ``BEGIN`` and ``END`` of `file`; False when it already stands there.

    Raises
    ------
    OutputError
        `file` is not there, lacks the marks or cannot be written.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{file} cannot be read ({reason}); name a Markdown file with the line {BEGIN}") from error
    before, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise OutputError(f"{file} has no place for the table; give it the lines {BEGIN} and {END}")
    updated = f"{before}{begin}{versions_table(history)}{end}{after}"
    if updated == text:
        return False
    write_file(file, updated)
    return True


def _row(history: History, major: int) -> str:
    versions = [version for version in history.versions if Version(version).major == major]
    first, last = versions[0], versions[-1]
    line = history.line(major)
    functions = f"{len(history.api(first).functions)}, {len(history.api(last).functions)}"
    reach = f"{three_part(first)} to {three_part(last)}"
    return f"| v{major} | {reach} | {len(versions)} | {functions} | {_moved(line) or 'nothing'} |\n"


def _moved(line: Line) -> str:
    values: dict[str, set[str]] = {}
    for enum in line.api.enums:
        for enumerator in enum.enumerators:
            for since in _later(line.moved_values.get(enumerator.name, ())):
                values.setdefault(enum.name, set()).add(since)
    kinds = {
        "values in": values,
        "layout of": _since(line.moved_records),
        "signature of": _since(line.moved_signatures),
    }
    return "; ".join(
        f"{about} " + ", ".join(f"`{name}` ({_versions(since)})" for name, since in moved.items())
        for about, moved in kinds.items()
        if moved
    )


def _since(moved: Mapping[str, Sequence[tuple[str, Any]]]) -> dict[str, set[str]]:
    return {name: set(_later(states)) for name, states in moved.items()}


def _later(states: Sequence[tuple[str, Any]]) -> list[str]:
    """The versions at which something that was there already changed."""
    return [since for since, _ in states[1:]]


def _versions(since: set[str]) -> str:
    return ", ".join(sorted(since, key=lambda version: Version(version).parts))
