# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Attributes of the old fused operations: values whose C type hangs on the label they are set under."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from .descriptors import Handle
from .enums import OpenIntEnum
from .errors import ArgumentError, short
from .pointers import device_pointer
from .types import FFI, CData
from .values import host_buffer

__all__ = ["label_room", "label_value"]


def label_value(ffi: FFI, types: Mapping[str, tuple[str, bool]], label: OpenIntEnum, value: Any, name: str) -> CData:
    """The pointer that hands `value` to C.

    Parameters
    ----------
    types
        C name of a label to the C type of its values, and whether the value itself is the pointer.
    value
        A descriptor, a device address or array, a number or enumerator, as the label wants it; cffi data and buffers
        pass as they are, None is NULL.

    Raises
    ------
    ArgumentError
        `value` is not of the label's type.
    """
    c_type, direct = types.get(label.c_name, ("", False))
    if value is None:
        return ffi.NULL
    if isinstance(value, Handle):
        return _object(ffi, c_type, label, value, name)
    if isinstance(value, ffi.CData) or not c_type:
        return host_buffer(ffi, value, name)
    if direct:
        if c_type != "void *":
            raise ArgumentError(name, f"must be a handle of {c_type} for {label.c_name}, not {short(value)}")
        return device_pointer(value, name)
    try:
        if isinstance(value, OpenIntEnum) and value.__c_type__ != c_type:
            raise TypeError(f"it is a {value.__c_type__}")
        return ffi.new(f"{c_type} *", value if c_type in ("float", "double") else index(value))
    except (TypeError, OverflowError) as error:
        raise ArgumentError(name, f"must be {c_type} for {label.c_name}, not {short(value)}: {error}") from None


def label_room(ffi: FFI, types: Mapping[str, tuple[str, bool]], label: OpenIntEnum, value: Any, name: str) -> CData:
    """The pointer to what C fills: a descriptor of the label's type, or a buffer or cffi data in host memory.

    Raises
    ------
    ArgumentError
        It is of another type, or too small for the label's.
    """
    c_type, direct = types.get(label.c_name, ("", False))
    if isinstance(value, Handle):
        return _object(ffi, c_type, label, value, name)
    buffer = host_buffer(ffi, value, name, writable=True)
    if value is not None and c_type and ffi.typeof(buffer).kind == "array":
        # An object's own memory is of a size that nobody knows; what is passed by address comes back as one.
        needed, room = ffi.sizeof(c_type), ffi.sizeof(buffer)
        if room < needed or (direct and c_type != "void *"):
            problem = f"must be a handle of {c_type}" if direct and c_type != "void *" else f"must hold {needed} bytes"
            raise ArgumentError(name, f"{problem} for {label.c_name}, not {short(value)}")
    return buffer


def _object(ffi: FFI, c_type: str, label: OpenIntEnum, value: Handle, name: str) -> CData:
    if value._c_type != c_type:
        raise ArgumentError(name, f"must be {c_type or 'a buffer'} for {label.c_name}, not {short(value)}")
    if value._library._ffi is not ffi:
        raise ArgumentError(name, f"belongs to {value._library!r}; make one with the library that is called")
    return value._ptr
