# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""What is loaded, in a form that can be pasted into an issue."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .elf import names_inside
from .errors import LibraryError
from .loading import load
from .sublibraries import strangers, survey
from .tables import parse_version

if TYPE_CHECKING:
    from .library import LibraryBase

__all__ = ["Report", "SubLibraryReport", "describe", "report"]


@dataclass(frozen=True, slots=True)
class SubLibraryReport:
    """One file of cuDNN: name, real path, the version it states (None: none), and whether this process uses it."""

    name: str
    path: str
    version: str | None
    loaded: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Which cuDNN these bindings use.

    Attributes
    ----------
    path, version, line
        The library's real file, its own version, and the line of bindings; None when none was found.
    found_by
        How it was found.
    coverage
        "known", or "newer", "older" or "between": not a version the bindings were made from; the nearest below serves.
    known_versions
        First and last version that the line was made from.
    sub_libraries
        Files of the same major version in this process and beside the library.
    absent_sub_libraries
        Files that the library names and that are not there: calling a function of theirs ends the process.
    mixed
        Versions other than the library's own that some sub-library states.
    available, missing
        C functions of the line that the file has and lacks.
    error
        Why nothing is loaded.
    """

    path: str | None
    version: str | None
    line: str | None
    found_by: str | None
    coverage: str | None
    known_versions: tuple[str, str] | None
    sub_libraries: tuple[SubLibraryReport, ...]
    absent_sub_libraries: tuple[str, ...]
    mixed: tuple[str, ...]
    available: tuple[str, ...]
    missing: tuple[str, ...]
    error: str | None
    python: str
    system: str

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"Python {self.python} on {self.system}"]
        if self.error is not None:
            return "\n".join([*lines, f"cuDNN: none loaded: {self.error}"])
        known = " to ".join(dict.fromkeys(self.known_versions or ()))
        lines += [
            f"cuDNN {self.version}: {self.path} ({self.found_by})",
            f"bindings: line {self.line}, made from cuDNN {known}"
            + (
                ""
                if self.coverage == "known"
                else f"; this version is {self.coverage}: the nearest known one serves it"
            ),
            f"functions: {len(self.available)} available, {len(self.missing)} missing",
        ]
        lines += [f"    missing {name}" for name in self.missing]
        lines.append("sub-libraries:")
        for one in self.sub_libraries:
            state = "loaded" if one.loaded else "beside"
            lines.append(f"    {one.name:<40} {one.version or 'no version':<12} {state:<7} {one.path}")
        lines += [f"    {name:<40} not there" for name in self.absent_sub_libraries]
        if self.mixed:
            lines.append(f"MIXED VERSIONS: {', '.join(self.mixed)} beside {self.version}")
        return "\n".join(lines)


def _surroundings() -> dict[str, str]:
    return {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}


def describe(library: LibraryBase) -> Report:
    """The report of a loaded library."""
    tables = library._tables
    files = survey(library._opened.name, library.version[0])
    others = strangers(library.path, library.version, files)
    versions = sorted(tables.versions, key=parse_version)
    coverage = "known"
    if library.version > parse_version(versions[-1]):
        coverage = "newer"
    elif library.version < parse_version(versions[0]):
        coverage = "older"
    elif library.version_text not in versions:
        coverage = "between"
    missing = library.missing()
    gone = set(missing)
    here = {one.name for one in files}
    named = (f"{name}.{library.version[0]}" for name in names_inside(library.path))
    return Report(
        path=library.path,
        version=library.version_text,
        line=f"v{tables.major}",
        found_by=library._opened.how,
        coverage=coverage,
        known_versions=(versions[0], versions[-1]),
        sub_libraries=tuple(
            SubLibraryReport(one.name, one.path, ".".join(map(str, one.version)) if one.version else None, one.loaded)
            for one in files
        ),
        absent_sub_libraries=tuple(name for name in named if name not in here),
        mixed=tuple(sorted({".".join(map(str, one.version or ())) for one in others})),
        available=tuple(name for name in tables.functions if name not in gone),
        missing=tuple(missing),
        error=None,
        **_surroundings(),
    )


def report(lines: Mapping[int, str], path: str | os.PathLike[str] | None = None) -> Report:
    """The report of the library that `load` finds; a library that cannot be loaded is reported, not raised."""
    try:
        library: LibraryBase = load(lines, path)
    except LibraryError as error:
        nothing: tuple[str, ...] = ()
        return Report(
            None, None, None, None, None, None, (), nothing, nothing, nothing, nothing, str(error), **_surroundings()
        )
    return describe(library)
