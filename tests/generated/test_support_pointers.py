"""Device memory in its many forms, and what is no device memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from cudnn_ffi._support.errors import ArgumentError
from cudnn_ffi._support.pointers import device_pointer, device_pointer_array, optional_device_pointer, stream_pointer


def address(pointer: Any) -> int:
    import _cffi_backend

    return int(_cffi_backend.FFI().cast("uintptr_t", pointer))


class WithInterface:
    """An array as CuPy or Numba has it."""

    def __init__(self, data: Any, **more: Any) -> None:
        self.__cuda_array_interface__ = {"shape": (2,), "typestr": "<f4", "data": data, "version": 3, **more}


class Tensor(ctypes.Structure):
    """DLPack's DLTensor, written down from its specification."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint32),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


def capsule_of(memory: ctypes.Structure, name: bytes) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.argtypes, new.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object
    return new(ctypes.addressof(memory), name, None)


class WithDLPack:
    def __init__(self, data: int, device_type: int = 2, offset: int = 0, versioned: bool = False) -> None:
        tensor = Tensor(data, device_type, 0, 1, 0, None, None, offset)
        self.memory = Versioned(1, 0, None, None, 0, tensor) if versioned else Managed(tensor, None, None)
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.device_type = device_type

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device_type, 0

    def __dlpack__(self, stream: int | None = None) -> Any:
        self.asked_stream = stream
        return capsule_of(self.memory, self.name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0),
        (0x7F00_0000_1000, 0x7F00_0000_1000),
        ((1 << 64) - 1, (1 << 64) - 1),
        (np.uint64(4096), 4096),
        (WithInterface((0x1234, False)), 0x1234),
        (WithInterface((None, False)), 0),
        (WithDLPack(0x5000), 0x5000),
        (WithDLPack(0x5000, offset=0x40), 0x5040),
        (WithDLPack(0x6000, device_type=13), 0x6000),
        (WithDLPack(0x7000, offset=8, versioned=True), 0x7008),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else type(value).__name__,
)
def test_address(value: Any, expected: int) -> None:
    assert address(device_pointer(value, "x")) == expected
    assert address(optional_device_pointer(value, "x")) == expected


def test_cffi_pointers_pass(fake: Any) -> None:
    assert address(device_pointer(fake._ffi.cast("float *", 4096), "x")) == 4096


def test_dlpack_capsule_is_read_and_left_alone() -> None:
    source = WithDLPack(0x5000)
    capsule = source.__dlpack__()
    assert address(device_pointer(capsule, "x")) == 0x5000
    assert address(device_pointer(capsule, "x")) == 0x5000  # still nobody's


def test_dlpack_is_asked_not_to_wait() -> None:
    source = WithDLPack(0x5000)
    device_pointer(source, "x")
    assert source.asked_stream == -1


def test_none_is_null_only_where_that_is_allowed() -> None:
    assert address(optional_device_pointer(None, "x")) == 0
    with pytest.raises(ArgumentError, match="argument 'x' must be device memory"):
        device_pointer(None, "x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros(3), "it is host memory: copy it to the device first"),
        (WithDLPack(0x5000, device_type=1), "it is host memory: copy it"),
        (WithDLPack(0x5000, device_type=3), "it is pinned host memory"),
        (WithDLPack(0x5000, device_type=99), "on DLPack device type 99"),
        (b"bytes", "not host memory: b'bytes'"),
        ("text", "not 'text'"),
        (1.5, "not 1.5"),
        (True, "not True"),
        (-1, "not -1"),
        (1 << 64, "0 to 2"),
        (WithInterface("nonsense"), "without an address"),
        (WithInterface((1, False), mask=WithInterface((2, False))), "has a mask"),
    ],
    # Ids must be the same in every worker process: a default repr holds an address.
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_device_memory(value: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        device_pointer(value, "the_argument")
    assert message in str(caught.value)
    assert "'the_argument'" in str(caught.value)


def test_consumed_capsule_is_refused() -> None:
    memory = Managed(Tensor(0x5000, 2, 0, 1, 0, None, None, 0), None, None)
    with pytest.raises(ArgumentError, match="nobody has consumed yet, not used_dltensor"):
        device_pointer(capsule_of(memory, b"used_dltensor"), "x")


def test_failing_interface_is_reported_as_an_argument() -> None:
    class Grad:
        @property
        def __cuda_array_interface__(self) -> Any:
            raise RuntimeError("requires grad: detach it")

    with pytest.raises(ArgumentError, match="requires grad: detach it"):
        device_pointer(Grad(), "x")


def test_array_of_addresses(fake: Any) -> None:
    array = device_pointer_array(fake._ffi, [4096, None, WithInterface((8192, False))], "x")
    assert [address(one) for one in array] == [4096, 0, 8192]
    with pytest.raises(ArgumentError, match=r"'x\[1\]'"):
        device_pointer_array(fake._ffi, [4096, "no"], "x")
    with pytest.raises(ArgumentError, match="'x' must be a sequence"):
        device_pointer_array(fake._ffi, 4096, "x")


class CuPyStream:
    ptr = 0x10


class TorchStream:
    cuda_stream = 0x20


class ProtocolStream:
    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 0x30


class PropertyStream:
    __cuda_stream__ = (0, 0x40)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, 0),
        (0, 0),
        (5, 5),
        (CuPyStream(), 0x10),
        (TorchStream(), 0x20),
        (ProtocolStream(), 0x30),
        (PropertyStream(), 0x40),
    ],
)
def test_streams(value: Any, expected: int) -> None:
    assert address(stream_pointer(value)) == expected


@pytest.mark.parametrize("value", ["default", -1, True, object(), 1.0])
def test_what_is_no_stream(value: Any) -> None:
    with pytest.raises(ArgumentError, match="'stream' must be a CUDA stream"):
        stream_pointer(value)
