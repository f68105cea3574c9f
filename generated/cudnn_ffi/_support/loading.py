# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Loading a cuDNN library and choosing the line of bindings that fits its version."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import _cffi_backend

from .elf import names_inside, problem_with
from .errors import (
    ArgumentError,
    LibraryError,
    LibraryLoadError,
    LibraryNotFoundError,
    LibraryVersionError,
    short,
)
from .search import ENVIRONMENT_VARIABLE, STEPS, Candidate, in_folder
from .sublibraries import check_one_version, path_of_address, pin, survey
from .tables import version_of_number
from .types import CLibrary, VersionParts

__all__ = ["Opened", "load", "open_library"]

# Never unloaded, whatever happens to the Python objects: plans, handles and driver threads may outlive them.
FLAGS: int = _cffi_backend.RTLD_NOW | _cffi_backend.RTLD_LOCAL | getattr(_cffi_backend, "RTLD_NODELETE", 0)

# The sub-library that answers `cudnnGetVersion`. A library that misses it ends the process instead of failing.
_ANSWERS_VERSION = {8: "libcudnn_ops_infer.so", 9: "libcudnn_graph.so"}

_LOADED: dict[tuple[str, str], Any] = {}


class Opened(NamedTuple):
    """A library that is part of this process now.

    Attributes
    ----------
    name
        What the loader was given.
    path
        The real file, links followed.
    number, version
        What ``cudnnGetVersion`` answers, and the same in parts.
    how
        How it was found.
    """

    name: str
    path: str
    number: int
    version: VersionParts
    how: str
    flags: int


def load(lines: Mapping[int, str], path: str | os.PathLike[str] | None = None) -> Any:
    """Load a library and answer it as the ``Library`` of its line.

    Parameters
    ----------
    lines
        Major version to the package of its line.
    path
        A library file, or a folder that holds one; None: the environment variable ``CUDNN_FFI_LIBRARY``, else the
        places of `search.STEPS` in their order.

    Raises
    ------
    LibraryNotFoundError
        There is no such file, or no library at any of the places.
    LibraryLoadError
        The file cannot be loaded or is not cuDNN.
    LibraryVersionError
        No line covers its version.
    LibraryMixedError
        It would work together with sub-libraries of another version.
    """
    try:
        given = os.fsdecode(path) if path is not None else os.environ.get(ENVIRONMENT_VARIABLE)
    except TypeError:
        raise ArgumentError("path", f"must be the path of a file or folder, not {short(path)}") from None
    if path is not None and not given:
        raise ArgumentError("path", "is empty; give none to search for a library")
    if given:
        how = "explicit path" if path is not None else f"environment variable {ENVIRONMENT_VARIABLE}"
        found = _first(lines, _explicit(given, tuple(lines), how))
        if found is None:
            raise LibraryNotFoundError(f"{given} ({how}) {_missing(given, lines)}")
        return found
    known = _LOADED.get(("", ",".join(lines.values())))
    if known is not None:
        return known
    found = _first(lines, _searched(tuple(lines)))
    if found is None:
        places = "; ".join(step.place for step in STEPS)
        raise LibraryNotFoundError(
            f"no {_file_names(lines)} found; looked at: {places}. Install a wheel (pip install nvidia-cudnn-cu12 or "
            f"nvidia-cudnn-cu13), set {ENVIRONMENT_VARIABLE}, or pass the path to load()"
        )
    _LOADED["", ",".join(lines.values())] = found
    return found


def _explicit(given: str, majors: Sequence[int], how: str) -> Iterator[Candidate]:
    given = os.path.expanduser(given)
    if os.path.isdir(given):
        yield from in_folder(given, majors, how)
    elif os.path.exists(given):
        yield Candidate(os.path.abspath(given), how)
    elif os.path.basename(given) == given:
        yield Candidate(given, how)


def _searched(majors: Sequence[int]) -> Iterator[Candidate]:
    for step in STEPS:
        yield from step.look(majors)


def _first(lines: Mapping[int, str], candidates: Iterator[Candidate]) -> Any:
    failures: list[LibraryError] = []
    for candidate in candidates:
        found = _try(lines, candidate)
        if not isinstance(found, LibraryError):
            return found
        if not isinstance(found, LibraryNotFoundError):
            failures.append(found)  # the next one may be the right one
    if failures:
        raise failures[0]
    return None


def _try(lines: Mapping[int, str], candidate: Candidate) -> Any:
    try:
        return _library(lines, open_library(candidate))
    except LibraryError as error:
        return error


def _file_names(lines: Mapping[int, str]) -> str:
    return " or ".join(f"libcudnn.so.{major}" for major in lines)


def _missing(given: str, lines: Mapping[int, str]) -> str:
    if os.path.isdir(os.path.expanduser(given)):
        return f"holds no {_file_names(lines)}, nor does lib, lib64 or nvidia/cudnn/lib below it; name the file itself"
    if os.path.basename(given) == given:
        return "is neither a file nor known to the system's loader; give the whole path"
    return "does not exist; give the path of a libcudnn.so file or of its folder"


def _library(lines: Mapping[int, str], opened: Opened) -> Any:
    line = lines.get(opened.version[0])
    if line is None:
        covered = " and ".join(f"{major}.x" for major in sorted(lines))
        raise LibraryVersionError(
            f"{opened.path} is cuDNN {'.'.join(map(str, opened.version))}, and these bindings cover {covered}; "
            f"load another library, or generate bindings for this one with cudnn-bindgen"
        )
    known = _LOADED.get((opened.path, line))
    if known is not None:
        return known
    files = survey(opened.name, opened.version[0])
    check_one_version(opened.path, opened.version, files)
    pin(opened.version, files, lambda path: _cffi_backend.load_library(path, FLAGS))
    ffi = importlib.import_module(f"{line}._cffi").ffi
    made = importlib.import_module(f"{line}.library").Library(ffi, opened)
    # Two threads may both get here; all answers are of the same library, and one of them stays.
    return _LOADED.setdefault((opened.path, line), made)


def open_library(candidate: Candidate) -> Opened:
    """Bring a library into the process and ask its version.

    Raises
    ------
    LibraryNotFoundError
        The loader knows no file of that name.
    LibraryLoadError
        The file is damaged, of another architecture, misses a file that it needs, or is not cuDNN.
    """
    name, how = candidate
    is_path = os.sep in name
    if is_path:
        problem = problem_with(name)
        if problem:
            raise LibraryLoadError(f"{name} {problem}; pass a libcudnn.so of this machine's architecture")
    try:
        library = _cffi_backend.load_library(name, FLAGS)
    except OSError as error:
        if not is_path and "cannot open shared object file" in str(error) and f" {name}:" in str(error):
            raise LibraryNotFoundError(f"the system's loader finds no {name}") from None
        raise LibraryLoadError(f"{name} cannot be loaded: {_reason(error, name)}") from None
    except (TypeError, ValueError) as error:  # a NUL, or bytes that are no text
        raise LibraryLoadError(f"{name!a} cannot be loaded: {error}") from None
    get_version = _function(library, "cudnnGetVersion", "size_t")
    if get_version is None:
        raise LibraryLoadError(f"{name} is not cuDNN: it has no cudnnGetVersion; pass the file libcudnn.so.<major>")
    address = int(_cffi_backend.FFI().cast("uintptr_t", get_version))
    path = os.path.realpath((path_of_address(address) or name) if not is_path else name)
    _require_companions(name if is_path else path)
    number = int(get_version())
    return Opened(name, path, number, version_of_number(number), how, FLAGS)


def _function(library: CLibrary, name: str, result: str) -> Any:
    backend: Any = _cffi_backend  # these two have no stubs that are right
    kind = backend.new_function_type((), backend.new_primitive_type(result), False)
    try:
        return library.load_function(kind, name)
    except AttributeError:
        return None


def _reason(error: OSError, name: str) -> str:
    """The loader's own words without the file name that it repeats."""
    return str(error).replace(f"cannot load library '{name}': ", "").replace(f"{name}: ", "")


def _require_whole(path: str) -> None:
    problem = problem_with(path) if os.path.exists(path) else None
    if problem:
        raise LibraryLoadError(f"{path} {problem}")


def _require_companions(path: str) -> None:
    major = next((major for major in _ANSWERS_VERSION if f".so.{major}" in os.path.basename(path)), None)
    needed = _ANSWERS_VERSION.get(major or 0)
    if needed is None or needed not in names_inside(path):
        return
    file_name = f"{needed}.{major}"
    folders = {os.path.dirname(path), os.path.dirname(os.path.realpath(path))}
    beside = [os.path.join(folder, file_name) for folder in folders]
    if any(map(os.path.exists, beside)):
        for one in names_inside(path):
            for folder in folders:
                _require_whole(os.path.join(folder, f"{one}.{major}"))
        return
    try:
        _cffi_backend.load_library(file_name, FLAGS)
    except OSError as error:
        raise LibraryLoadError(
            f"{path} needs {file_name}, which is neither beside it nor on the loader's path "
            f"({_reason(error, file_name)}); put cuDNN's files into one folder"
        ) from None
