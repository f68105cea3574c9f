"""Device memory in the forms that array libraries have: a number, ``__cuda_array_interface__``, DLPack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import _cffi_backend

from .errors import ArgumentError, short
from .types import FFI, CData

__all__ = [
    "CudaArray",
    "DLPackArray",
    "DevicePointer",
    "Stream",
    "device_pointer",
    "device_pointer_array",
    "optional_device_pointer",
    "stream_pointer",
]


@runtime_checkable
class CudaArray(Protocol):
    """Anything with ``__cuda_array_interface__``."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


@runtime_checkable
class DLPackArray(Protocol):
    """Anything with ``__dlpack__``."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


class _StreamLike(Protocol):
    @property
    def ptr(self) -> int: ...


class _TorchStream(Protocol):
    @property
    def cuda_stream(self) -> int: ...


class _StreamProtocol(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...


DevicePointer: TypeAlias = int | CudaArray | DLPackArray
Stream: TypeAlias = int | _StreamLike | _TorchStream | _StreamProtocol

_ffi: FFI = _cffi_backend.FFI()
_cast = _ffi.cast
_VOID_POINTER = _ffi.typeof("void *")
_CData = _ffi.CData
_NULL: CData = _cast(_VOID_POINTER, 0)


def device_pointer(value: DevicePointer, name: str) -> CData:
    """The address in device memory that `value` stands for, as ``void *``.

    Raises
    ------
    ArgumentError
        `value` is None, host memory, or nothing that has an address.
    """
    if type(value) is int:
        return _cast(_VOID_POINTER, value)
    raise ArgumentError(name, f"must be a device address or array, not {short(value)}")


def optional_device_pointer(value: DevicePointer | None, name: str) -> CData:
    """As `device_pointer`; None becomes NULL."""
    return _NULL if value is None else device_pointer(value, name)


def device_pointer_array(ffi: FFI, values: Iterable[DevicePointer | None], name: str) -> CData:
    """A C array of device addresses; None elements are NULL."""
    return ffi.new("void *[]", [optional_device_pointer(value, f"{name}[{i}]") for i, value in enumerate(values)])


def stream_pointer(value: Stream | None, name: str = "stream") -> CData:
    """A CUDA stream as ``void *``: a number, or a stream of CuPy, torch or ``__cuda_stream__``; None is the default."""
    raise NotImplementedError
