# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""The files that work together behind one ``libcudnn.so``, and whether they are of one version."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from .elf import names_inside, stated_version
from .errors import LibraryMixedError
from .types import VersionParts

__all__ = ["SubLibrary", "check_one_version", "mapped_files", "path_of_address", "pin", "strangers", "survey"]

_FILE_NAME = re.compile(r"libcudnn(_\w+)?\.so\.(\d+)(\.[\d.]+)?")
_LINK_NAME = re.compile(r"libcudnn(_\w+)?\.so\.\d+")
# What needs nothing of cuDNN's comes first, what needs that next.
_ORDER = ("_graph.", "_ops_infer.", "_ops.", "_ops_train.", "_cnn_infer.", "_cnn.")
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
        name = _short_name(one)
        if name.endswith(f".so.{major}"):
            silent = any(part in name for part in _SILENT)
            found.append(SubLibrary(name, one, None if silent else stated_version(one), one in loaded))
    return sorted(found)


def _files_in(folder: str) -> Iterator[str]:
    real = os.path.realpath(folder)
    with os.scandir(folder) as entries:
        for entry in entries:
            # The loader asks for these names only: another version's file that no such link points to does no harm.
            if _LINK_NAME.fullmatch(entry.name):
                yield os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(real, entry.name)


def strangers(path: str, version: VersionParts, files: Iterable[SubLibrary]) -> list[SubLibrary]:
    """Files of another version that the library at `path` would work with."""
    # Sub-libraries are found by name and shared; two main libraries, each loaded by its path, do not know each other.
    found = [one for one in files if one.version not in (None, version) and one.name.startswith("libcudnn_")]
    if found and not names_inside(path):
        # A library in one piece asks for nothing; what stands beside it is still somebody's mistake.
        found = [one for one in found if os.path.dirname(one.path) == os.path.dirname(path)]
    return found


def check_one_version(path: str, version: VersionParts, files: Sequence[SubLibrary]) -> None:
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
    others = strangers(path, version, files)
    if not others:
        return
    # What is in the process already is what will be used, so it is the clearest witness on either side.
    stranger = max(others, key=lambda one: one.loaded)
    same = [one for one in files if one.version == version and one.name.startswith("libcudnn_")]
    own = max(same, key=lambda one: one.loaded, default=None)
    raise _mixed(own.path if own else path, version, stranger.path, stranger.version)


def _mixed(own: str, version: VersionParts, stranger: str, other: VersionParts | None) -> LibraryMixedError:
    return LibraryMixedError(
        f"two cuDNN versions would work together: {own} is {_text(version)} and {stranger} is {_text(other)}; "
        f"keep one of them in the folder and on LD_LIBRARY_PATH, or load cuDNN before what loaded the other one"
    )


def pin(version: VersionParts, files: Sequence[SubLibrary], load: Callable[[str], object]) -> None:
    """Keep LD_LIBRARY_PATH from mixing another version's sub-libraries in.

    The system's loader prefers that path to the folder of the file that asks. Where it holds another version's file,
    the library's own one is loaded now, and whoever asks for that name later gets it.

    Raises
    ------
    LibraryMixedError
        The library has no such file of its own, so that the other version's would be used.
    """
    known = {one.name: one for one in files}
    majors = {name.rpartition(".")[2] for name in known}
    needed: dict[str, SubLibrary] = {}
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if not os.path.isdir(folder) or os.path.realpath(folder) in {os.path.dirname(one.path) for one in files}:
            continue
        for path in _files_in(folder):
            name = _short_name(path)
            own = known.get(name)
            if name.rpartition(".")[2] not in majors or (own is not None and own.loaded):
                continue
            stated = stated_version(path)
            if stated in (None, version):
                continue
            if own is None:
                raise _mixed(files[0].path, version, path, stated)
            needed[name] = own
    for own in sorted(needed.values(), key=lambda one: _rank(one.name)):
        load(own.path)


def _rank(name: str) -> int:
    return next((place for place, part in enumerate(_ORDER) if part in name), len(_ORDER))


def _short_name(path: str) -> str:
    name = _FILE_NAME.fullmatch(os.path.basename(path))
    return f"libcudnn{name[1] or ''}.so.{name[2]}" if name else ""


def _text(version: VersionParts | None) -> str:
    return ".".join(map(str, version or ()))
