"""CUDA C++ to machine code by NVRTC, which cuDNN's run-time compiled engines and the array libraries need as well."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from functools import cache
from importlib import import_module

from cudnnkit.errors import UnsupportedError

__all__ = ["compile_kernel", "has_nvrtc", "log_missing", "nvrtc"]

_NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
_lock = threading.Lock()


@cache
def nvrtc() -> ctypes.CDLL:
    """The library: one that the process has loaded already, on the linker's path, or in a wheel.

    Raises
    ------
    OSError
        There is none.
    """
    for name in _NAMES:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    try:
        load_nvidia_dynamic_lib = import_module("cuda.pathfinder").load_nvidia_dynamic_lib
        return ctypes.CDLL(load_nvidia_dynamic_lib("nvrtc").abs_path)
    except Exception as error:  # whatever pathfinder says where it finds nothing, or is not installed
        raise OSError(f"NVRTC is not installed, under none of the names {', '.join(_NAMES)}") from error


def has_nvrtc() -> bool:
    """Whether there is one; that there is none is logged once."""
    try:
        nvrtc()
    except OSError as error:
        log_missing(str(error))
        return False
    return True


@cache
def log_missing(reason: str) -> None:
    """Say once for each reason that our own kernels cannot be had."""
    import logging

    hint = "the array library's kernels do their work, more slowly"
    logging.getLogger("cudnnkit").warning("kernels of cudnnkit's own: %s; %s", reason, hint)


def compile_kernel(source: str, architecture: tuple[int, int]) -> bytes:
    """Machine code (cubin) for an architecture: ``nvrtcCompileProgram``, ``nvrtcGetCUBIN``.

    Raises
    ------
    OSError
        There is no NVRTC.
    UnsupportedError
        It refused the source; its log is among the reasons.
    """
    library, program = nvrtc(), ctypes.c_void_p()
    target = f"--gpu-architecture=sm_{architecture[0]}{architecture[1]}"
    options = [target.encode(), b"--std=c++17", b"--fmad=true"]
    with _lock:
        _call(library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"cudnnkit.cu", 0, None, None))
        try:
            code = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
            if code:
                log = _text(library, program, "ProgramLog")
                raise UnsupportedError("a kernel of cudnnkit's own", (("NVRTC", log.decode(errors="replace")),))
            return _text(library, program, "CUBIN")
        finally:
            library.nvrtcDestroyProgram(ctypes.byref(program))


def _text(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _call(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    room = ctypes.create_string_buffer(size.value)
    _call(getattr(library, f"nvrtcGet{what}")(program, room))
    return room.raw


def _call(code: int) -> None:
    if code:
        raise OSError(f"NVRTC answered {code}")


def _forget() -> None:
    """Another thread of the parent's may have been compiling."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
