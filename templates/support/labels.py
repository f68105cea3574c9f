"""Attributes of the old fused operations: values whose C type hangs on the label they are set under."""

from __future__ import annotations

from collections.abc import Mapping
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
        if value._c_type != c_type:
            raise ArgumentError(name, f"must be {c_type or 'a buffer'} for {label.c_name}, not {short(value)}")
        return value._ptr
    if isinstance(value, ffi.CData) or not c_type:
        return host_buffer(ffi, value, name)
    if direct:
        if c_type != "void *":
            raise ArgumentError(name, f"must be a handle of {c_type} for {label.c_name}, not {short(value)}")
        return device_pointer(value, name)
    try:
        return ffi.new(f"{c_type} *", value)
    except (TypeError, OverflowError) as error:
        raise ArgumentError(name, f"must be {c_type} for {label.c_name}, not {short(value)}: {error}") from None


def label_room(ffi: FFI, value: Any, name: str) -> CData:
    """The pointer to what C fills: a descriptor, or a buffer or cffi data in host memory."""
    return value._ptr if isinstance(value, Handle) else host_buffer(ffi, value, name)
