# Written by `cudnn-bindgen render` from the headers of cuDNN 8.5.0 to 8.9.7, 9.0.0 to 9.28.1; do not edit.
"""The files that work together behind one ``libcudnn.so``, and whether they are of one version."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .elf import stated_version
from .errors import LibraryMixedError
from .types import VersionParts

__all__ = ["SubLibrary", "check_one_version", "mapped_files", "path_of_address", "survey"]

_FILE_NAME = re.compile(r"libcudnn(_\w+)?\.so\.(\d+)(\.[\d.]+)?")
# Large files that state no version anywhere: not worth opening.
_SILENT = ("_engines_", "_heuristic")


class SubLibrary(NamedTuple):
    """One file of cuDNN.

    Attributes
    ----------
    name
        Its name up to the major version: ``libcudnn_ops.so.9``.
    path
        Where it really is, links followed.
    version
        What the file states; None where it states nothing.
    loaded
        Whether it is part of this process.
    """

    name: str
    path: str
    version: VersionParts | None
    loaded: bool


def mapped_files() -> list[str]:
    """The cuDNN files that are part of this process, in the order of their addresses."""
    found: dict[str, None] = {}
    for _, _, path in _maps():
        if "libcudnn" in path and _FILE_NAME.fullmatch(os.path.basename(path)):
            found[path] = None
    return list(found)


def path_of_address(address: int) -> str | None:
    """The file that the code at `address` comes from."""
    return next((path for start, end, path in _maps() if start <= address < end), None)


def _maps() -> Iterable[tuple[int, int, str]]:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as stream:
            lines = stream.read().splitlines()
    except OSError:
        return
    for line in lines:
        columns = line.split(None, 5)
        if len(columns) == 6 and columns[5].startswith("/"):
            start, _, end = columns[0].partition("-")
            yield int(start, 16), int(end, 16), columns[5]


def survey(path: str, major: int) -> list[SubLibrary]:
    """The files of that major version in this process and beside the library at `path`, sorted by name and path."""
    loaded = set(mapped_files())  # the system lists them with links followed
    beside: set[str] = set()
    for folder in {os.path.dirname(path), os.path.dirname(os.path.realpath(path))}:
        if os.path.isdir(folder):
            beside.update(_files_in(folder))
    found: list[SubLibrary] = []
    for one in loaded | beside:
        name = _FILE_NAME.fullmatch(os.path.basename(one))
        if name and int(name[2]) == major:
            silent = any(part in one for part in _SILENT)
            short_name = f"libcudnn{name[1] or ''}.so.{name[2]}"
            found.append(SubLibrary(short_name, one, None if silent else stated_version(one), one in loaded))
    return sorted(found)


def _files_in(folder: str) -> Iterator[str]:
    real = os.path.realpath(folder)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("libcudnn"):
                yield os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(real, entry.name)


def check_one_version(path: str, version: VersionParts, files: Iterable[SubLibrary]) -> None:
    """Refuse files of different versions that would end up calling each other.

    Parameters
    ----------
    path, version
        The main library and what it answers.

    Raises
    ------
    LibraryMixedError
        It names one file of each version.
    """
    stating = [one for one in files if one.version is not None]
    strangers = [one for one in stating if one.version != version]
    if not strangers:
        return
    # What is in the process already is what will be used, so it is the clearest witness on either side.
    stranger = max(strangers, key=lambda one: one.loaded)
    own = max((one for one in stating if one.version == version), key=lambda one: one.loaded, default=None)
    witness = own.path if own else path
    raise LibraryMixedError(
        f"two cuDNN versions would work together: {witness} is {_text(version)} and {stranger.path} is "
        f"{_text(stranger.version)}; keep one of them in the folder and on LD_LIBRARY_PATH, or load cuDNN before "
        f"what loaded the other one"
    )


def _text(version: VersionParts | None) -> str:
    return ".".join(map(str, version or ()))
