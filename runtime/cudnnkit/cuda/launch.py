"""Compiled kernels loaded and launched through the driver; their arguments are addresses, all else is compiled in."""

from __future__ import annotations

import ctypes
import os
import threading

from cudnnkit.cuda.compiler import log_missing
from cudnnkit.cuda.kept import machine_code
from cudnnkit.driver import DriverError, driver
from cudnnkit.errors import UnsupportedError
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.workspace import is_out_of_memory

__all__ = ["KernelLaunch", "function_of", "launch_if_there"]

_modules: dict[tuple[int, str], ctypes.c_void_p] = {}
_functions: dict[tuple[int, str, str], ctypes.c_void_p] = {}
"""By device, source and name; modules stay loaded to the end of the process."""
_lock = threading.Lock()
"""Held while one is compiled and loaded, so that none is twice; NVRTC compiles one at a time anyway."""


def function_of(device: int, source: str, name: str) -> ctypes.c_void_p:
    """A kernel of a source, compiled and loaded once.

    Raises
    ------
    OSError, UnsupportedError, DriverError
        There is no NVRTC, or it or the driver refused.
    """
    found = _functions.get((device, source, name))
    if found is not None:
        return found
    with _lock:
        found, module = _functions.get((device, source, name)), _modules.get((device, source))
        if found is None:
            found = ctypes.c_void_p()
            with driver().on(device):
                if module is None:
                    code, module = machine_code(source, driver().spec(device).architecture), ctypes.c_void_p()
                    driver().call("cuModuleLoadData", ctypes.byref(module), code)
                    _modules[device, source] = module
                driver().call("cuModuleGetFunction", ctypes.byref(found), module, name.encode())
            _functions[device, source, name] = found
    return found


class KernelLaunch(ArrayExecutable):
    """One kernel, ``cuLaunchKernel`` on the operands' stream. It belongs to the thread that made it.

    Parameters
    ----------
    device
        Where.
    source, name
        CUDA C++ and the function's name in it.
    count, block
        Threads needed, and threads of a block.
    places
        Operands whose addresses are the function's arguments, in its order.
    """

    def __init__(self, device: int, source: str, name: str, count: int, block: int, places: tuple[int, ...]) -> None:
        self._function = function_of(device, source, name)
        self._blocks, self._places = -(-count // block), places
        self._values = [ctypes.c_uint64() for _ in places]
        addresses = [ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in self._values]
        self._arguments = (ctypes.c_void_p * len(places))(*addresses)
        self._block = block
        self._launch = driver().cuda.cuLaunchKernel

    def run_on(self, operands: Operands, workspace: int) -> None:  # noqa: ARG002
        """Launch.

        Raises
        ------
        DriverError
            The driver refused.
        """
        pointers = operands.pointers
        for value, place in zip(self._values, self._places, strict=True):
            value.value = pointers[place]
        stream = ctypes.c_void_p(operands.stream)
        code = self._launch(self._function, self._blocks, 1, 1, self._block, 1, 1, 0, stream, self._arguments, None)
        if code:
            raise driver().refusal("cuLaunchKernel", code)


def launch_if_there(
    device: int, source: str, name: str, count: int, block: int, places: tuple[int, ...]
) -> KernelLaunch | None:
    """A kernel that others can stand in for; None where it cannot be had, which is logged once.

    Parameters
    ----------
    device, source, name, count, block, places
        As for :class:`KernelLaunch`.

    Raises
    ------
    DriverError
        There is no memory to load it into.
    """
    try:
        return KernelLaunch(device, source, name, count, block, places)
    except (OSError, AttributeError, UnsupportedError, DriverError) as error:  # an old NVRTC lacks functions
        if is_out_of_memory(error):
            raise  # passes, and is answered as everywhere: with less workspace
        log_missing(str(error).partition("\n")[0] or type(error).__name__)
        return None


def _forget() -> None:
    global _lock
    _modules.clear()
    _functions.clear()
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
