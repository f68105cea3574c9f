"""cuBLASLt, found where the process has it already, and called through ctypes for everything but the launch."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from cudnnkit.context import Context
from cudnnkit.engines.blas.enums import HeuristicResult
from cudnnkit.errors import CudnnKitError

__all__ = ["BlasError", "BlasLibrary", "Handle", "handle_of", "library", "report", "use_library"]

_SONAMES = ("libcublasLt.so.13", "libcublasLt.so.12")
_ONLY_LOADED = getattr(os, "RTLD_NOLOAD", 0)


class BlasError(CudnnKitError):
    """cuBLASLt is missing, or refused a call.

    Parameters
    ----------
    call
        The function, or what was looked for.
    status_name
        Its status without prefix; ``"NOT_FOUND"`` where there is no library.
    reason
        In words.
    """

    def __init__(self, call: str, status_name: str, reason: str) -> None:
        self.call, self.status_name, self.reason = call, status_name, reason
        super().__init__(call, status_name, reason)

    def __str__(self) -> str:
        return f"{self.call}: {self.status_name}{f' ({self.reason})' if self.reason else ''}"


_POINTER, _INT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
_LAYOUTS = (_POINTER,) * 4  # of A, B, C and D
_TYPES = (_INT,) * 6  # compute, scale, A, B, C and D
_ATTRIBUTE = (_POINTER, _INT, _POINTER, _SIZE)
_PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "cublasLtCreate": (_POINTER,),
    "cublasLtDestroy": (_POINTER,),
    "cublasLtMatmulDescCreate": (_POINTER, _INT, _INT),
    "cublasLtMatmulDescDestroy": (_POINTER,),
    "cublasLtMatmulDescSetAttribute": _ATTRIBUTE,
    "cublasLtMatrixLayoutCreate": (_POINTER, _INT, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64),
    "cublasLtMatrixLayoutDestroy": (_POINTER,),
    "cublasLtMatrixLayoutSetAttribute": _ATTRIBUTE,
    "cublasLtMatmulPreferenceCreate": (_POINTER,),
    "cublasLtMatmulPreferenceDestroy": (_POINTER,),
    "cublasLtMatmulPreferenceSetAttribute": _ATTRIBUTE,
    "cublasLtMatmulAlgoGetHeuristic": (
        _POINTER, _POINTER, *_LAYOUTS, _POINTER, _INT, ctypes.POINTER(HeuristicResult), _POINTER,
    ),
    "cublasLtMatmulAlgoInit": (_POINTER, *_TYPES, _INT, _POINTER),
    "cublasLtMatmulAlgoCheck": (_POINTER, _POINTER, *_LAYOUTS, _POINTER, ctypes.POINTER(HeuristicResult)),
    "cublasLtMatmulAlgoConfigSetAttribute": _ATTRIBUTE,
    "cublasLtMatmulAlgoConfigGetAttribute": (*_ATTRIBUTE, _POINTER),
    "cublasLtMatmulAlgoCapGetAttribute": (*_ATTRIBUTE, _POINTER),
}  # fmt: skip
"""Parameters of each function; all answer a status."""

_LAUNCH = f"int(*)({', '.join(['uintptr_t'] * 16)})"
"""``cublasLtMatmul``: every parameter is as wide as a pointer."""


class BlasLibrary:
    """A loaded cuBLASLt.

    Parameters
    ----------
    source
        The library as ctypes loads it.
    path
        Its file, for people.

    Attributes
    ----------
    version
        ``cublasLtGetVersion``: 130100 is 13.1.0.

    Raises
    ------
    BlasError
        It lacks a function.
    """

    def __init__(self, source: Any, path: str) -> None:
        self.path = path
        try:
            addresses = {name: _address(getattr(source, name)) for name in (*_PROTOTYPES, "cublasLtMatmul")}
            self._name_of = ctypes.CFUNCTYPE(_POINTER, _INT)(_address(source.cublasLtGetStatusName))
            self.version = int(ctypes.CFUNCTYPE(_SIZE)(_address(source.cublasLtGetVersion))())
        except AttributeError as error:
            raise BlasError(path, "NOT_FOUND", f"it lacks a function: {error}") from None
        self._source = source
        self._functions = {name: ctypes.CFUNCTYPE(_INT, *kinds)(addresses[name]) for name, kinds in _PROTOTYPES.items()}
        self._matmul = addresses["cublasLtMatmul"]

    @property
    def version_text(self) -> str:
        """The version with dots."""
        return f"{self.version // 10000}.{self.version // 100 % 100}.{self.version % 100}"

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function.

        Raises
        ------
        BlasError
            Its status is not success.
        """
        status = self._functions[name](*arguments)
        if status:
            raise self.error(name, status)

    def error(self, name: str, status: int, reason: str = "") -> BlasError:
        """The error of a status (``cublasLtGetStatusName``)."""
        text = self._name_of(status)
        known = ctypes.string_at(text).decode().removeprefix("CUBLAS_STATUS_") if text else f"status {status}"
        return BlasError(name, known, reason)

    def launcher(self, ffi: Any) -> Callable[..., int]:
        """``cublasLtMatmul`` through cffi, in a fraction of the time that ctypes takes."""
        function: Callable[..., int] = ffi.cast(_LAUNCH, self._matmul)
        return function


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Handle:
    """A cuBLASLt handle (``cublasLtCreate``) of the current device; freed with the object.

    Attributes
    ----------
    address
        Its ``cublasLtHandle_t``.
    """

    def __init__(self, lt: BlasLibrary) -> None:
        made = ctypes.c_void_p()
        self.library, self.address, self._process = lt, 0, os.getpid()
        lt.call("cublasLtCreate", ctypes.byref(made))
        self.address = made.value or 0

    def __del__(self) -> None:
        # At exit the process frees it, and in a forked child it is not ours.
        if self.address and not sys.is_finalizing() and os.getpid() == self._process:
            self.library._functions["cublasLtDestroy"](self.address)


def _places() -> list[tuple[str, Callable[[], Any]]]:
    """Where to look, in order: what array libraries loaded already, the loader's own search, the wheels."""
    modes = [*([_ONLY_LOADED] if _ONLY_LOADED else []), ctypes.DEFAULT_MODE]
    places: list[tuple[str, Callable[[], Any]]] = [
        (name, partial(ctypes.CDLL, name, mode=mode)) for mode in modes for name in _SONAMES
    ]
    return [*places, ("cuda-pathfinder", _by_pathfinder)]


def _by_pathfinder() -> Any:
    try:
        pathfinder: Any = import_module("cuda.pathfinder")
    except ModuleNotFoundError:
        raise ImportError(
            "the loader finds none, and cuda-pathfinder, which looks into wheels, is not installed"
        ) from None
    return ctypes.CDLL(pathfinder.load_nvidia_dynamic_lib("cublasLt").abs_path)


_library: BlasLibrary | BlasError | None = None


def library() -> BlasLibrary:
    """The process's cuBLASLt, looked for once.

    Raises
    ------
    BlasError
        There is none; install nvidia-cublas, or an array library that brings it.
    """
    global _library
    if _library is None:
        _library = _load()
    if isinstance(_library, BlasError):
        raise BlasError(*_library.args)
    return _library


def _load() -> BlasLibrary | BlasError:
    reason = ""
    for place, load in _places():
        try:
            source = load()
            return BlasLibrary(source, getattr(source, "_name", place))
        except (ImportError, OSError, RuntimeError, BlasError) as error:  # noqa: PERF203 (the next place may have it)
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return BlasError("libcublasLt", "NOT_FOUND", f"install nvidia-cublas to have matrix products compete; {reason}")


def use_library(chosen: BlasLibrary | BlasError | None) -> BlasLibrary | BlasError | None:
    """Use this library (None: look again) from now on; answer the one before. For tests."""
    global _library
    before, _library = _library, chosen
    return before


class _Threads(threading.local):
    def __init__(self) -> None:
        self.handles: WeakKeyDictionary[Any, Handle] = WeakKeyDictionary()


_threads = _Threads()


def handle_of(context: Context) -> Handle:
    """The handle that goes with a thread's context of a device, whose device is the current one.

    Raises
    ------
    BlasError
        There is no cuBLASLt, or it does not start.
    """
    lt = library()
    found = _threads.handles.get(context)
    if found is None or found.library is not lt:
        found = _threads.handles[context] = Handle(lt)
    return found


def report() -> str:
    """One line on cuBLASLt for people; never fails."""
    try:
        found = library()
    except BlasError as error:
        return f"cuBLASLt: {error}"
    return f"cuBLASLt {found.version_text} at {_file_of(found.path)}"


def _file_of(name: str) -> str:
    """The file behind the name of a loaded library, where the system tells."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        maps = []
    paths = (line.split(maxsplit=5)[-1] for line in maps)
    return next((path for path in paths if path.endswith(f"/{name}")), name)
