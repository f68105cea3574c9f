# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""One number in host memory whose C type a cuDNN data type tells."""

from __future__ import annotations

import struct
from typing import Any

from .errors import ArgumentError, short
from .types import FFI, CData

__all__ = ["decode_number", "encode_number"]

# Members of the data type enum, by name, and how `struct` spells them.
_FORMATS = {
    "FLOAT": "<f",
    "DOUBLE": "<d",
    "HALF": "<e",
    "INT8": "<b",
    "UINT8": "<B",
    "INT32": "<i",
    "INT64": "<q",
    "BOOLEAN": "<?",
    "BFLOAT16": "bfloat16",
}


def encode_number(ffi: FFI, value: Any, data_type: str, name: str) -> CData:
    """`value` as the data type called `data_type`, in memory that lives as long as the answer.

    Raises
    ------
    ArgumentError
        `value` is no number, does not fit, or the type has no host form here.
    """
    form = _FORMATS.get(data_type)
    if form is None:
        raise ArgumentError(
            name, f"of data type {data_type} cannot be made from a number; pass host memory or one of {_listed()}"
        )
    try:
        data = _bfloat16(value) if form == "bfloat16" else struct.pack(form, value)
    except (struct.error, OverflowError, TypeError, ValueError) as error:
        raise ArgumentError(name, f"must be a number that fits {data_type}, not {short(value)}: {error}") from None
    return ffi.new("char[16]", data)


def decode_number(ffi: FFI, buffer: CData, data_type: str, name: str = "value") -> float | int | bool:
    """The number of that data type at the start of `buffer`."""
    form = _FORMATS.get(data_type)
    if form is None:
        raise ArgumentError(name, f"of data type {data_type} cannot be read as a number; it can for {_listed()}")
    if form == "bfloat16":
        number: float = struct.unpack("<f", b"\0\0" + bytes(ffi.buffer(buffer, 2)))[0]
        return number
    found: float | int | bool = struct.unpack_from(form, bytes(ffi.buffer(buffer, struct.calcsize(form))))[0]
    return found


def _listed() -> str:
    return ", ".join(_FORMATS)


def _bfloat16(value: Any) -> bytes:
    """The upper half of the float32, rounded to nearest, ties to even."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    if bits & 0x7FFFFFFF > 0x7F800000:  # rounding must not turn NaN into infinity
        bits |= 0x00400000
    else:
        bits += 0x7FFF + ((bits >> 16) & 1)
    return struct.pack("<H", (bits >> 16) & 0xFFFF)
