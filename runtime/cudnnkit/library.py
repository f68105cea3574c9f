"""Which cuDNN, loaded once for each process through the generated bindings, and a report to paste into an issue."""

from __future__ import annotations

import os
import platform
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from cudnnkit.errors import CudnnKitError
from cudnnkit.problem import VersionSpec

__all__ = ["OLDEST", "LibraryError", "info", "library", "set_library", "use_library", "versions"]

OLDEST = (8, 9, 0)
"""The oldest cuDNN whose graph API serves here."""

_ENVIRONMENT = ("CUDNN_PATH", "CUDNN_HOME", "CUDA_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH")


class LibraryError(CudnnKitError):
    """cuDNN cannot be used: it is missing, too old, or its parts do not fit together.

    Parameters
    ----------
    reason
        What is wrong and what to do.
    report
        What was looked at, for an issue.
    """

    def __init__(self, reason: str, report: str = "") -> None:
        self.reason, self.report = reason, report
        super().__init__(reason, report)

    def __str__(self) -> str:
        return f"{self.reason}\n{self.report}" if self.report else self.reason


_library: Any = None
_lock = threading.Lock()


def library() -> Any:
    """The cuDNN library (``cudnn_ffi.load()``), loaded and checked at the first call.

    Raises
    ------
    LibraryError
        There is no cuDNN, it is older than `OLDEST`, or its sub-libraries are missing or of another version.
    """
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                _library = _load()
    return _library


def _forget_lock() -> None:
    # Another thread may have held it at the moment of the fork.
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_lock)


def _load() -> Any:
    import cudnn_ffi

    try:
        found = cudnn_ffi.load()
    except cudnn_ffi.CudnnFfiError as error:
        reason = f"cuDNN could not be loaded: {error}"
        raise LibraryError(reason, "`python -m cudnnkit info` tells what was searched") from error
    if found.version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise LibraryError(
            f"cuDNN {found.version_text} at {found.path} is too old: {oldest} or later is needed;"
            " install nvidia-cudnn-cu12 or nvidia-cudnn-cu13, or name another file with cudnn_ffi.load"
        )
    return found


def set_library(chosen: Any) -> Any:
    """Use this library (a ``cudnn_ffi`` library or one with its interface) from now on; answer the one before.

    Contexts and plans made before keep theirs.
    """
    global _library
    before, _library = _library, chosen
    from cudnnkit import context

    context.forget()
    return before


@contextmanager
def use_library(chosen: Any) -> Iterator[Any]:
    """Use another library for a block, in the whole process; for tests."""
    before = set_library(chosen)
    try:
        yield chosen
    finally:
        set_library(before)


def versions() -> VersionSpec:
    """The versions that a decision depends on: cuDNN's and the driver's."""
    from cudnnkit.driver import driver

    return VersionSpec(library().version_text, driver().version)


def info() -> str:
    """A report on the libraries, the driver, the devices and the array libraries, to be pasted; it never fails.

    Returns
    -------
    str
        Lines, those of ``python -m cudnnkit info`` without the cache file's.
    """
    import cudnnkit

    lines = [f"cudnnkit {_version('cudnnkit')} at {os.path.dirname(cudnnkit.__file__)}"]
    lines.append(f"Python {sys.version.split()[0]} at {sys.executable}, {platform.platform()}")
    lines += _driver_lines()
    lines += _array_lines()
    lines += [f"{name}={os.environ[name]}" for name in _ENVIRONMENT if name in os.environ]
    try:
        import cudnn_ffi

        # Its first line is of Python, which is told above.
        lines += [line for line in str(cudnn_ffi.report()).splitlines() if not line.startswith("Python ")]
    except Exception as error:
        lines.append(f"cuDNN: {type(error).__name__}: {error}")
    try:
        from cudnnkit.engines.blas.library import report

        lines.append(report())
    except Exception as error:
        lines.append(f"cuBLASLt: {type(error).__name__}: {error}")
    return "\n".join(lines)


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed as a distribution)"


def _driver_lines() -> list[str]:
    from cudnnkit.driver import driver

    try:
        found = driver()
        lines = [f"driver for CUDA {found.version}, {found.devices} device(s)"]
        for ordinal in range(found.devices):
            one = found.spec(ordinal)
            major, minor = one.architecture
            lines.append(
                f"device {ordinal}: {one.name}, compute capability {major}.{minor}, "
                f"{one.multiprocessors} multiprocessors, {one.memory_class} GiB"
            )
    except CudnnKitError as error:
        return [f"driver: {error}"]
    return lines


def _array_lines() -> list[str]:
    lines = []
    for module, names in {
        "torch": ("torch",),
        "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy"),
        "numpy": ("numpy",),
    }.items():
        loaded = sys.modules.get(module)
        if loaded is not None:
            lines.append(f"{module} {loaded.__version__} (imported)")
        elif find_spec(module) is not None:
            known = [text for text in map(_version, names) if not text.startswith("(")]
            lines.append(f"{module} {known[0] if known else 'of unknown version'} (installed)")
    return lines
