"""What the CUDA driver says of the devices; ``libcuda`` by ctypes, so that no array library is needed to ask."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Iterator
from typing import Any

from cudnnkit.errors import CudnnKitError
from cudnnkit.problem import DeviceSpec, memory_class

__all__ = ["Driver", "DriverError", "driver"]

_MULTIPROCESSORS, _MAJOR, _MINOR = 16, 75, 76  # CU_DEVICE_ATTRIBUTE_...
_NOT_INITIALIZED, _NO_DEVICE, _INVALID_CONTEXT = 3, 100, 201
_HINTS = {
    _NOT_INITIALIZED: "a process forked after CUDA was first used cannot use it; start processes with 'spawn'",
    _NO_DEVICE: "no GPU is visible; look at CUDA_VISIBLE_DEVICES",
}


class DriverError(CudnnKitError):
    """The CUDA driver is missing or refused a call.

    Parameters
    ----------
    call
        The driver's function, or the file that could not be loaded.
    code
        Its ``CUresult``; -1 where the driver could not be loaded.
    reason
        In words.
    """

    def __init__(self, call: str, code: int, reason: str) -> None:
        self.call, self.code, self.reason = call, code, reason
        super().__init__(call, code, reason)

    def __str__(self) -> str:
        text = f"{self.call}: {self.reason}"
        hint = _HINTS.get(self.code)
        return f"{text}; {hint}" if hint else text


class Driver:
    """The CUDA driver (``libcuda``).

    Raises
    ------
    DriverError
        There is no driver, or it does not start.
    """

    def __init__(self, path: str = "libcuda.so.1") -> None:
        try:
            self._cuda = ctypes.CDLL(path)
        except OSError as error:
            reason = str(error).removeprefix(f"{path}: ")  # the error names the file itself
            raise DriverError(path, -1, f"the NVIDIA driver could not be loaded ({reason})") from None
        self.call("cuInit", 0)
        number, count = ctypes.c_int(), ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(number))
        self.call("cuDeviceGetCount", ctypes.byref(count))
        self.version = f"{number.value // 1000}.{number.value % 1000 // 10}"
        self.devices = count.value
        self._primary: dict[int, ctypes.c_void_p] = {}
        self._specs: dict[int, DeviceSpec] = {}
        self._get_device = self._cuda.cuCtxGetDevice

    @property
    def cuda(self) -> ctypes.CDLL:
        """The driver's functions, by ctypes."""
        return self._cuda

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function by its name.

        Raises
        ------
        DriverError
            It answered anything but ``CUDA_SUCCESS``.
        """
        code = getattr(self._cuda, name)(*arguments)
        if code:
            raise self.refusal(name, code)

    def refusal(self, name: str, code: int) -> DriverError:
        """What a function's code means (``cuGetErrorString``)."""
        text = ctypes.c_char_p()
        if self._cuda.cuGetErrorString(code, ctypes.byref(text)) or text.value is None:
            return DriverError(name, code, f"CUresult {code}")
        return DriverError(name, code, f"{text.value.decode()} (CUresult {code})")

    def _device(self, ordinal: int) -> int:
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), ordinal)
        return device.value

    def spec(self, ordinal: int) -> DeviceSpec:
        """Architecture, multiprocessors, memory class and name of a device (``cuDeviceGetAttribute`` and others)."""
        found = self._specs.get(ordinal)
        if found is None:
            device, value = self._device(ordinal), ctypes.c_int()
            numbers = []
            for attribute in (_MAJOR, _MINOR, _MULTIPROCESSORS):
                self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
                numbers.append(value.value)
            total, name = ctypes.c_size_t(), ctypes.create_string_buffer(256)
            self.call("cuDeviceTotalMem_v2", ctypes.byref(total), device)
            self.call("cuDeviceGetName", name, len(name), device)
            major, minor, multiprocessors = numbers
            found = DeviceSpec((major, minor), multiprocessors, memory_class(total.value), name.value.decode())
            self._specs[ordinal] = found
        return found

    def current(self) -> int | None:
        """Ordinal of this thread's current device (``cuCtxGetDevice``); None when it has none yet."""
        here = ctypes.c_int()
        code = self._get_device(ctypes.byref(here))
        if code == _INVALID_CONTEXT:
            return None
        if code:
            raise self.refusal("cuCtxGetDevice", code)
        return here.value

    def activate(self, ordinal: int) -> None:
        """Make a device this thread's current one (``cuDevicePrimaryCtxRetain``, ``cuCtxSetCurrent``).

        The primary context is the one that CuPy, torch and the CUDA runtime use. It is retained once for each device
        and not released: the process needs it to its end.
        """
        context = self._primary.get(ordinal)
        if context is None:
            context = ctypes.c_void_p()
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device(ordinal))
            self._primary[ordinal] = context
        self.call("cuCtxSetCurrent", context)

    @contextlib.contextmanager
    def on(self, ordinal: int) -> Iterator[None]:
        """Work on a device for a block; the device before is current again afterwards."""
        before = self.current()
        if before == ordinal:
            yield
            return
        self.activate(ordinal)
        try:
            yield
        finally:
            if before is not None:
                self.activate(before)


_driver: Driver | None = None
_lock = threading.Lock()


def driver() -> Driver:
    """The driver, loaded once for each process.

    Raises
    ------
    DriverError
        There is none, or no device.
    """
    global _driver
    if _driver is None:
        with _lock:
            if _driver is None:
                _driver = Driver()
    return _driver


def _forget() -> None:
    global _driver, _lock
    _driver, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
