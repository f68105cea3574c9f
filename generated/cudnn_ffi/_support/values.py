# Written by `cudnn-bindgen render` from the headers of cuDNN 8.5.0 to 8.9.7, 9.0.0 to 9.28.1; do not edit.
"""Python values to C arrays, texts and buffers, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from typing import Any

from .errors import ArgumentError, short
from .types import FFI, CData

__all__ = ["c_string", "host_buffer", "in_array", "optional_array", "out_list", "requested", "same_length", "text"]


def in_array(ffi: FFI, c_type: str, values: Iterable[Any], name: str) -> CData:
    """A C array of `c_type` (such as ``int[]``) filled with `values`; what is cdata already passes as it is.

    Raises
    ------
    ArgumentError
        `values` cannot be iterated, or an element does not fit; the message names the element.
    """
    try:
        return ffi.new(c_type, values if type(values) is list or type(values) is tuple else _listed(ffi, values))
    except (TypeError, OverflowError) as error:
        if isinstance(values, ffi.CData):
            return values
        raise _array_error(ffi, c_type, values, name, error) from None


def _listed(ffi: FFI, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, ffi.CData | str | bytes):
        raise TypeError
    tolist = getattr(values, "tolist", None)  # NumPy's own way to plain numbers
    return list(values if tolist is None else tolist())


def _array_error(ffi: FFI, c_type: str, values: object, name: str, error: Exception) -> ArgumentError:
    element_type = c_type.partition("[")[0]
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        return ArgumentError(name, f"must be a sequence of {element_type}, not {short(values)}")
    for index, value in enumerate(list(values)):
        reason = _refusal(ffi, element_type, value)
        if reason is not None:
            return ArgumentError(f"{name}[{index}]", f"must be {element_type}, not {short(value)}: {reason}")
    return ArgumentError(name, f"is no sequence of {element_type}: {error}")


def _refusal(ffi: FFI, element_type: str, value: object) -> Exception | None:
    try:
        ffi.new(f"{element_type}[1]", [value])
    except (TypeError, OverflowError) as error:
        return error
    return None


def optional_array(ffi: FFI, c_type: str, values: Iterable[Any] | None, name: str) -> CData:
    """As `in_array`; None becomes NULL."""
    return ffi.NULL if values is None else in_array(ffi, c_type, values, name)


def same_length(**arrays: Sized | None) -> int:
    """The common length of the arrays that are not None; 0 when all are.

    Raises
    ------
    ArgumentError
        The lengths differ, or something has none.
    """
    length, first = 0, ""
    for name, array in arrays.items():
        if array is None:
            continue
        try:
            own = len(array)
        except TypeError:
            raise ArgumentError(name, f"must be a sequence, not {short(array)}") from None
        if not first:
            length, first = own, name
        elif own != length:
            raise ArgumentError(name, f"has {own} elements, but {first!r} has {length}; both need the same number")
    return length


def out_list(ffi: FFI, array: CData, returned: int, requested_count: int) -> list[Any]:
    """The elements that the library says it wrote: what it counts is trusted, within what there was room for."""
    count = max(0, min(int(returned), requested_count))
    try:
        found: list[Any] = ffi.unpack(array, count)
    except (TypeError, ValueError):  # structs
        found = [array[index] for index in range(count)]
    return found


def requested(value: int | None, default: Callable[[], int], name: str = "requested_algo_count") -> int:
    """How many results to make room for: the caller's number, else what `default` answers."""
    if value is None:
        return max(1, int(default()))
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ArgumentError(name, f"must be a number of results, 0 or more, not {short(value)}")
    return value


def text(ffi: FFI, pointer: CData) -> str:
    """The NUL-terminated text behind `pointer`; empty for NULL, undecodable bytes replaced."""
    if not pointer:
        return ""
    raw: bytes = ffi.string(pointer)
    return raw.decode("utf-8", "replace")


def c_string(value: str | bytes, name: str) -> bytes:
    """`value` as bytes for a ``const char *``.

    Raises
    ------
    ArgumentError
        It is no text, or holds a NUL that would cut it short.
    """
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        raise ArgumentError(name, f"must be str or bytes, not {short(value)}")
    if b"\0" in value:
        raise ArgumentError(name, f"must not hold a NUL character: {short(value)}")
    return value


def host_buffer(ffi: FFI, value: object, name: str) -> CData:
    """A pointer to host memory: of anything with the buffer protocol, of cdata as it is, NULL of None.

    The memory must stay alive as long as the library may read it.

    Raises
    ------
    ArgumentError
        `value` has no buffer, or one that is not contiguous.
    """
    if value is None:
        return ffi.NULL
    if isinstance(value, ffi.CData):
        return value
    try:
        return ffi.from_buffer(value)
    except (TypeError, ValueError, BufferError) as error:
        raise ArgumentError(
            name,
            f"must be host memory (bytes, bytearray, a NumPy array, cffi cdata) or None, not {short(value)}: {error}",
        ) from None
