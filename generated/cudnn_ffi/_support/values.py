# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Python values to C arrays, texts and buffers, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from operator import index
from typing import TYPE_CHECKING, Any

from .errors import ArgumentError, short
from .types import FFI, CData

if TYPE_CHECKING:
    from .library import LibraryBase

__all__ = [
    "at_most",
    "attribute_buffer",
    "c_string",
    "exactly",
    "host_buffer",
    "in_array",
    "optional_array",
    "out_list",
    "requested",
    "same_length",
    "text",
]

# Where cffi would cut the fraction off many kinds of numbers.
_WHOLE = frozenset({"int[]", "unsigned int[]", "int32_t[]", "uint32_t[]", "int64_t[]", "uint64_t[]", "size_t[]"})
# Bytes of one element by the attribute type of the graph API; enums have four.
_ELEMENT_SIZES = {
    "HANDLE": 8,
    "BOOLEAN": 1,
    "INT64": 8,
    "DOUBLE": 8,
    "VOID_PTR": 8,
    "BACKEND_DESCRIPTOR": 8,
    "CHAR": 1,
    "FRACTION": 16,
}
_MOST_RESULTS = (1 << 31) - 1


def in_array(ffi: FFI, c_type: str, values: Iterable[Any], name: str) -> CData:
    """A C array of `c_type` (such as ``int[]``) filled with `values`; what is cdata already passes as it is.

    Raises
    ------
    ArgumentError
        `values` cannot be iterated, or an element does not fit; the message names the element.
    """
    try:
        if type(values) is not list and type(values) is not tuple:
            values = _listed(ffi, values)
        return ffi.new(c_type, list(map(index, values)) if c_type in _WHOLE else values)
    except (TypeError, OverflowError) as error:
        if isinstance(values, ffi.CData):
            return values
        raise _array_error(ffi, c_type, values, name, error) from None


def _listed(ffi: FFI, values: Iterable[Any]) -> list[Any]:
    # Without an order, or a class, whose elements nobody meant.
    if isinstance(values, ffi.CData | str | bytes | set | frozenset | dict | type):
        raise TypeError
    tolist = getattr(values, "tolist", None)  # NumPy's own way to plain numbers
    return list(values if tolist is None else tolist())


def _array_error(ffi: FFI, c_type: str, values: object, name: str, error: Exception) -> ArgumentError:
    element_type = c_type.partition("[")[0]
    if isinstance(values, str | bytes | set | frozenset | dict | type) or not isinstance(values, Iterable):
        return ArgumentError(name, f"must be a sequence of {element_type}, not {short(values)}")
    for place, value in enumerate(list(values)):
        reason = _refusal(ffi, element_type, value)
        if reason is not None:
            return ArgumentError(f"{name}[{place}]", f"must be {element_type}, not {short(value)}: {reason}")
    return ArgumentError(name, f"is no sequence of {element_type}: {error}")


def _refusal(ffi: FFI, element_type: str, value: Any) -> Exception | None:
    try:
        ffi.new(f"{element_type}[1]", [index(value) if f"{element_type}[]" in _WHOLE else value])
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


def exactly(values: Sized | None, length: int, name: str) -> None:
    """Refuse an array that has not `length` elements; None is none.

    Raises
    ------
    ArgumentError
        It has more or fewer.
    """
    if values is not None and same_length(**{name: values}) != length:
        raise ArgumentError(name, f"must have {length} elements, not {len(values)}")


def at_most(count: int, most: int, name: str) -> None:
    """Refuse more elements than the library has room for where it does not look itself.

    Raises
    ------
    ArgumentError
        There are more.
    """
    if count > most:
        raise ArgumentError(name, f"must have {most} elements or fewer, not {count}")


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
    try:
        count = index(value)
    except TypeError:
        count = -1
    if isinstance(value, bool) or not 0 <= count <= _MOST_RESULTS:
        raise ArgumentError(name, f"must be a number of results, 0 or more, that fits an int, not {short(value)}")
    return count


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


def host_buffer(ffi: FFI, value: object, name: str, *, writable: bool = False) -> CData:
    """A pointer to host memory: of anything with the buffer protocol, of cdata as it is, NULL of None.

    The memory must stay alive as long as the library may read it.

    Raises
    ------
    ArgumentError
        `value` has no buffer, or one that is not contiguous, or not writable where C writes.
    """
    if value is None:
        return ffi.NULL
    if isinstance(value, ffi.CData):
        return value
    try:
        return ffi.from_buffer("char[]", value, writable)
    except (TypeError, ValueError, BufferError) as error:
        wanted = "writable host memory" if writable else "host memory"
        raise ArgumentError(
            name, f"must be {wanted} (bytearray, a NumPy array, cffi cdata) or None, not {short(value)}: {error}"
        ) from None


def attribute_buffer(
    library: LibraryBase, value: object, attribute_type: int, count: int, name: str, *, writable: bool = False
) -> CData:
    """As `host_buffer`, for `count` elements of an attribute type of the graph API.

    Raises
    ------
    ArgumentError
        As `host_buffer`, or the memory is too small for so many.
    """
    ffi = library._ffi
    buffer = host_buffer(ffi, value, name, writable=writable)
    # What a pointer points to has no size that could be looked at.
    if value is not None and ffi.typeof(buffer).kind == "array":
        kind = library._enums_module.BackendAttributeType(attribute_type)
        needed, room = index(count) * _ELEMENT_SIZES.get(kind.name, 4), ffi.sizeof(buffer)
        if needed > room:
            raise ArgumentError(name, f"must hold {count} elements of {kind.name}, {needed} bytes; it has {room}")
    return buffer
