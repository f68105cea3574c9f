"""Attribute values of the graph API: for each attribute type, what Python values it takes and what it gives back."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .descriptors import Handle
from .enums import OpenIntEnum
from .errors import ArgumentError, DescriptorClosedError, short
from .pointers import optional_device_pointer
from .tables import BackendTables
from .types import CData

if TYPE_CHECKING:
    from .library import LibraryBase

__all__ = ["Converter", "converter_for"]


class Converter(NamedTuple):
    """How elements of one attribute type go to C and back.

    Attributes
    ----------
    c_type
        The C array that holds them.
    wanted
        What a value must be, for messages.
    accept
        One Python value to what cffi stores; it raises TypeError or OverflowError for anything else.
    answer
        All elements of the array as Python values.
    keeps
        Values are objects that must outlive the descriptor.
    descriptors
        Elements are backend descriptors.
    whole
        Types that look like a sequence and are one value.
    """

    library: LibraryBase
    c_type: str
    wanted: str
    accept: Callable[[Any], Any]
    answer: Callable[[CData, int], list[Any]]
    keeps: bool = False
    descriptors: bool = False
    whole: tuple[type, ...] = (str, bytes)

    def is_sequence(self, value: object) -> bool:
        """Whether `value` is several elements."""
        if isinstance(value, self.whole) or (isinstance(value, tuple) and tuple in self.whole):
            return False
        if self.c_type == "void *[]" and (hasattr(value, "__cuda_array_interface__") or hasattr(value, "__dlpack__")):
            return False  # an array in device memory, whose elements are not ours to visit
        ffi = self.library._ffi
        if isinstance(value, ffi.CData) and ffi.typeof(value).kind != "array":
            return False  # its class has an `__iter__` that fails
        return isinstance(value, Iterable)

    def to_c(self, values: Sequence[Any], attribute: str, function: str) -> CData:
        """The C array of `values`.

        Raises
        ------
        ArgumentError
            A value is of another type; the message names the attribute, its type and the value.
        """
        elements = []
        for index, value in enumerate(values):
            place = attribute if len(values) == 1 else f"{attribute}[{index}]"
            try:
                elements.append(self.accept(value))
            except DescriptorClosedError as error:
                raise DescriptorClosedError(error.kind, function, place) from None
            except ArgumentError as error:
                raise ArgumentError(place, error.problem, function) from None
            except (TypeError, OverflowError, ValueError, AttributeError):
                raise ArgumentError(place, f"must be {self.wanted}, not {short(value)}", function) from None
        if self.c_type == "char[]":
            return self.library._ffi.from_buffer(b"".join(elements))
        try:
            return self.library._new(self.c_type, elements)
        except (TypeError, OverflowError):
            raise ArgumentError(
                attribute, f"must be {self.wanted} that fits, not {short(list(values))}", function
            ) from None

    def room(self, count: int) -> CData:
        """Memory for `count` elements."""
        return self.library._new(self.c_type, count)

    def from_c(self, array: CData, count: int) -> list[Any]:
        """The first `count` elements."""
        return self.answer(array, count)


def converter_for(
    library: LibraryBase, tables: BackendTables, type_name: str, descriptor_class: type[Handle]
) -> Converter:
    """The converter of an attribute type.

    Raises
    ------
    KeyError
        The type is not known here.
    """
    enum_name = tables.enums.get(type_name)
    if enum_name is not None:
        return _enum_converter(library, getattr(library._enums_module, enum_name))
    unpack = library._ffi.unpack
    simple: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
        "INT64": ("int64_t[]", "an integer", _integer),
        "INT32": ("int32_t[]", "an integer", _integer),
        "FLOAT": ("float[]", "a number", _number),
        "DOUBLE": ("double[]", "a number", _number),
        "BOOLEAN": ("_Bool[]", "True or False", _boolean),
    }
    if type_name in simple:
        return Converter(library, *simple[type_name], answer=unpack)
    return {
        "BACKEND_DESCRIPTOR": _descriptor_converter,
        "HANDLE": _handle_converter,
        "VOID_PTR": _pointer_converter,
        "CHAR": _text_converter,
        "FRACTION": _fraction_converter,
    }[type_name](library, descriptor_class)


def _require_same(value: Handle, library: LibraryBase) -> None:
    if value._library is not library:
        raise ArgumentError("value", f"belongs to {value._library!r}; make one with the library that is called")


def _integer(value: Any) -> int:
    # An enum member or a bool where a plain number is due is a mistake, though Python counts both as integers.
    if isinstance(value, bool | OpenIntEnum):
        raise TypeError
    return operator.index(value)


def _number(value: Any) -> float:
    if isinstance(value, bool | OpenIntEnum | str | bytes):
        raise TypeError
    return float(value)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise TypeError


def _enum_converter(library: LibraryBase, kind: type[OpenIntEnum]) -> Converter:
    def accept(value: Any) -> int:
        return library._wire(value, kind)

    def answer(array: CData, count: int) -> list[Any]:
        return [library._from_wire(kind, number) for number in library._ffi.unpack(array, count)]

    return Converter(library, "int[]", f"a member of {kind.__name__}", accept, answer)


def _descriptor_converter(library: LibraryBase, descriptor_class: type[Handle]) -> Converter:
    def accept(value: Any) -> CData:
        if not isinstance(value, descriptor_class):
            raise TypeError
        _require_same(value, library)
        if value.closed:
            raise DescriptorClosedError(type(value).__name__)
        return value._ptr

    wanted = f"a {descriptor_class.__name__}"
    return Converter(library, "void *[]", wanted, accept, _addresses(library), keeps=True, descriptors=True)


def _handle_converter(library: LibraryBase, _: type[Handle]) -> Converter:
    def accept(value: Any) -> CData:
        if not isinstance(value, Handle) or value._c_type != "cudnnHandle_t":
            raise TypeError
        _require_same(value, library)
        if value.closed:
            raise DescriptorClosedError(type(value).__name__)
        return value._ptr

    return Converter(library, "void *[]", "a cuDNN handle", accept, _addresses(library), keeps=True)


def _pointer_converter(library: LibraryBase, _: type[Handle]) -> Converter:
    def accept(value: Any) -> CData:
        return optional_device_pointer(value, "value")

    wanted = "a device address, an array in device memory, or None"
    return Converter(library, "void *[]", wanted, accept, _addresses(library), keeps=True)


def _addresses(library: LibraryBase) -> Callable[[CData, int], list[int]]:
    def answer(array: CData, count: int) -> list[int]:
        return [int(library._ffi.cast("uintptr_t", array[index])) for index in range(count)]

    return answer


def _text_converter(library: LibraryBase, _: type[Handle]) -> Converter:
    def accept(value: Any) -> bytes:
        if isinstance(value, str):
            return value.encode()
        return bytes(value) if isinstance(value, bytes | bytearray) else _refuse()

    def answer(array: CData, count: int) -> list[str]:
        text = bytes(library._ffi.buffer(array, count)).rstrip(b"\0")
        return [text.decode("utf-8", "replace")]

    return Converter(library, "char[]", "text", accept, answer, whole=(str, bytes, bytearray))


def _refuse() -> bytes:
    raise TypeError


def _fraction_converter(library: LibraryBase, _: type[Handle]) -> Converter:
    def accept(value: Any) -> tuple[int, int]:
        if isinstance(value, tuple):
            numerator, denominator = value
            return _integer(numerator), _integer(denominator)
        return _integer(value.numerator), _integer(value.denominator)

    def answer(array: CData, count: int) -> list[Any]:
        from fractions import Fraction

        return [Fraction(int(array[i].numerator), int(array[i].denominator or 1)) for i in range(count)]

    return Converter(
        library,
        "cudnnFraction_t[]",
        "a fraction: Fraction, int or (numerator, denominator)",
        accept,
        answer,
        whole=(tuple,),
    )
