# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Device memory in the forms that array libraries have: a number, ``__cuda_array_interface__``, DLPack."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
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
_CData = _ffi.CData
_VOID_POINTER = _ffi.typeof("void *")
_NULL: CData = _cast(_VOID_POINTER, 0)
_END = 1 << 64

# DLPack's device types: memory that kernels may be given, and names for the others in messages.
_ON_DEVICE = frozenset({2, 13})
_DEVICE_NAMES = {1: "host memory", 3: "pinned host memory", 10: "ROCm memory"}
# Where the tensor's data, device type and byte offset stand in the two kinds of capsule (64-bit pointers).
_TENSOR_AT = {b"dltensor": 0, b"dltensor_versioned": 32}
_DATA, _DEVICE_TYPE, _BYTE_OFFSET = 0, 8, 40


def device_pointer(value: DevicePointer, name: str) -> CData:
    """The address in device memory that `value` stands for, as ``void *``.

    The caller keeps the array alive and in step with the stream; nothing is synchronised or copied here. An array's
    strides are not looked at: the descriptor that goes with it tells the layout.

    Raises
    ------
    ArgumentError
        `value` is None, host memory, or nothing that has an address.
    """
    if type(value) is int and 0 <= value < _END:
        return _cast(_VOID_POINTER, value)
    return _address(value, name)


def optional_device_pointer(value: DevicePointer | None, name: str) -> CData:
    """As `device_pointer`; None becomes NULL."""
    return _NULL if value is None else device_pointer(value, name)


def device_pointer_array(ffi: FFI, values: Iterable[DevicePointer | None], name: str) -> CData:
    """A C array of device addresses; None elements are NULL."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ArgumentError(name, f"must be a sequence of device addresses or arrays, not {short(values)}")
    return ffi.new("void *[]", [optional_device_pointer(value, f"{name}[{i}]") for i, value in enumerate(values)])


def _address(value: Any, name: str) -> CData:
    if isinstance(value, int):
        if isinstance(value, bool | Enum) or not 0 <= value < _END:
            raise ArgumentError(name, f"must be a device address of 0 to 2**64-1, not {short(value)}")
        return _cast(_VOID_POINTER, int(value))
    if isinstance(value, _CData):
        if _ffi.typeof(value).kind in ("pointer", "array"):
            return value
        raise ArgumentError(name, f"must be a device address or array, not {short(value)}")
    if type(value).__name__ == "PyCapsule":
        return _cast(_VOID_POINTER, _capsule_address(value, name))
    number = _interface_address(value, name)
    if number is None:
        number = _dlpack_address(value, name)
    if number is None:
        number = _integral(value)
    if number is None:
        on_host = hasattr(value, "__array_interface__") or isinstance(value, bytes | bytearray)
        found = f"host memory: {short(value)}" if on_host else short(value)
        raise ArgumentError(
            name, f"must be device memory (a number, an array with __cuda_array_interface__ or DLPack), not {found}"
        )
    return _cast(_VOID_POINTER, number)


def _interface_address(value: Any, name: str) -> int | None:
    try:
        interface = value.__cuda_array_interface__
    except AttributeError:  # torch's host tensors answer so as well
        return None
    except Exception as error:
        raise ArgumentError(name, f"gives no device address: {error}") from None
    if isinstance(interface, dict) and interface.get("mask") is not None:
        raise ArgumentError(name, "has a mask, which cuDNN knows nothing of")
    try:
        return int(interface["data"][0] or 0)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        raise ArgumentError(name, f"has a __cuda_array_interface__ without an address: {short(interface)}") from None


def _dlpack_address(value: Any, name: str) -> int | None:
    if not hasattr(value, "__dlpack__"):
        return None
    try:
        if hasattr(value, "__dlpack_device__"):
            _check_device(int(value.__dlpack_device__()[0]), name)
        try:
            capsule = value.__dlpack__(stream=-1)  # no waiting: a plain address would not wait either
        except TypeError:
            capsule = value.__dlpack__()
    except ArgumentError:
        raise
    except Exception as error:
        raise ArgumentError(name, f"gives no device address: {error}") from None
    return _capsule_address(capsule, name)


def _check_device(device_type: int, name: str) -> None:
    if device_type not in _ON_DEVICE:
        where = _DEVICE_NAMES.get(device_type, f"on DLPack device type {device_type}")
        raise ArgumentError(name, f"must be CUDA device memory; it is {where}: copy it to the device first")


def _capsule_address(capsule: Any, name: str) -> int:
    """Read the address out of a DLPack capsule and leave the capsule unconsumed, its owner in charge."""
    from ctypes import c_char_p, c_void_p, py_object, pythonapi

    get_name = pythonapi["PyCapsule_GetName"]
    get_name.argtypes, get_name.restype = [py_object], c_char_p
    get_pointer = pythonapi["PyCapsule_GetPointer"]
    get_pointer.argtypes, get_pointer.restype = [py_object, c_char_p], c_void_p
    kind = get_name(capsule) if type(capsule).__name__ == "PyCapsule" else None
    if kind not in _TENSOR_AT:
        what = kind.decode("ascii", "replace") if kind else short(capsule)
        raise ArgumentError(name, f"must hold a DLPack tensor that nobody has consumed yet, not {what}")
    start = get_pointer(capsule, kind) + _TENSOR_AT[kind]

    def read(c_type: str, offset: int) -> int:
        return int(_cast(c_type, start + offset)[0])

    _check_device(read("int32_t *", _DEVICE_TYPE), name)
    return read("uintptr_t *", _DATA) + read("uint64_t *", _BYTE_OFFSET)


def _integral(value: Any) -> int | None:
    from numbers import Integral

    return int(value) if isinstance(value, Integral) and 0 <= int(value) < _END else None


def stream_pointer(value: Stream | None, name: str = "stream") -> CData:
    """A CUDA stream as ``void *``: a number, or a stream of CuPy, torch or ``__cuda_stream__``; None is the default.

    Raises
    ------
    ArgumentError
        `value` is none of these.
    """
    if type(value) is int and 0 <= value < _END:
        return _cast(_VOID_POINTER, value)
    if value is None:
        return _NULL
    if isinstance(value, _CData):
        return value
    number = _stream_number(value)
    if isinstance(number, bool | Enum) or not isinstance(number, int) or not 0 <= number < _END:
        raise ArgumentError(
            name, f"must be a CUDA stream (a number, a CuPy or torch stream, __cuda_stream__), not {short(value)}"
        )
    return _cast(_VOID_POINTER, number)


def _stream_number(value: Any) -> object:
    if isinstance(value, int):
        return value
    protocol = getattr(value, "__cuda_stream__", None)
    if protocol is not None:
        pair: Any = protocol() if callable(protocol) else protocol
        return pair[1] if isinstance(pair, tuple) and len(pair) == 2 else None
    for attribute in ("cuda_stream", "ptr"):
        number = getattr(value, attribute, None)
        if number is not None:
            return number
    return None
