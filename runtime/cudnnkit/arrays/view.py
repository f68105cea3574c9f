"""What cuDNN needs to know of an array, and what an array library must be able to do for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cudnnkit.errors import ArgumentError

if TYPE_CHECKING:
    from cudnnkit.arrays.graph import Graph
    from cudnnkit.arrays.kernels import Kernels
    from cudnnkit.arrays.norm_kernels import NormKernels
    from cudnnkit.rooms import Room

__all__ = [
    "DTYPES",
    "UNSUPPORTED_TYPE",
    "ArrayLibrary",
    "ArrayView",
    "Buffer",
    "channels_last_strides",
    "contiguous_strides",
    "described",
    "element_size",
    "span",
    "span_bytes",
]

_SIZES = {
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "int8": 1,
    "uint8": 1,
    "int32": 4,
    "int64": 8,
    "bool": 1,
}

DTYPES = tuple(_SIZES)
"""Element types that an operand can have."""

UNSUPPORTED_TYPE = "cuDNN does not compute with this type; convert it to float16, bfloat16, float32 or float64"


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array as cuDNN sees it.

    Attributes
    ----------
    pointer
        Address of the first element in device memory (host memory only for the simulated library); 0 when empty.
    shape, strides
        Per axis; strides count elements, not bytes.
    dtype
        ``float16``, ``bfloat16``, ``float32``, ``float64`` and so on.
    device
        Index of the device.
    source
        The array itself, kept alive as long as the view.
    library
        The library that the array belongs to.
    read_only
        It must not be written; torch and CuPy have no such arrays.
    """

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    device: int
    source: Any
    library: ArrayLibrary
    read_only: bool = False

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements themselves, gaps between them left out."""
        return self.size * element_size(self.dtype)

    @property
    def extent(self) -> tuple[int, int]:
        """First and one past the last byte that the array can touch."""
        low, high = span_bytes(self.shape, self.strides, self.dtype)
        return self.pointer + low, self.pointer + high

    def overlaps(self, other: ArrayView) -> bool:
        """Whether both can touch the same byte of one device (two interleaved arrays count as overlapping)."""
        (low, high), (other_low, other_high) = self.extent, other.extent
        return self.device == other.device and max(low, other_low) < min(high, other_high)

    @property
    def alignment(self) -> int:
        """The largest power of two, at most 16 bytes, that divides the address."""
        return min(self.pointer & -self.pointer or 16, 16)


class Buffer(Protocol):
    """Device memory that lives as long as the object."""

    @property
    def pointer(self) -> int: ...

    @property
    def nbytes(self) -> int: ...


class ArrayLibrary(Protocol):
    """An array library behind one small interface; results come back in the caller's own kind through it."""

    @property
    def name(self) -> str: ...

    @property
    def kernels(self) -> Kernels:
        """The library's own elementwise kernels."""
        ...

    @property
    def norm(self) -> NormKernels:
        """The library's own kernels of batch normalisation."""
        ...

    def view(self, array: Any, name: str) -> ArrayView:
        """Describe `array`; `name` is the argument it was given for, used in errors."""
        ...

    def sign(self, array: Any) -> tuple[int, tuple[Any, ...]]:
        """Address, and shape, strides, type and device in the library's own form, as cheaply as can be."""
        ...

    def pointer(self, array: Any) -> int:
        """Address of the first element."""
        ...

    def alias(self, array: Any) -> Any:
        """Another array over the same memory, which stays there when `array` itself is given other memory."""
        ...

    def lasting(self, array: Any) -> Any:
        """An array over the same memory that is of use in every mode of the library; as a rule `array` itself."""
        ...

    def rules(self) -> Hashable:
        """The library's settings that change what its functions do, as cheaply as can be."""
        ...

    def take(self, array: Any) -> Any:
        """An array of this library over the memory of another library's array."""
        ...

    def maker(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> Callable[[], Any]:
        """Makes a new array with these strides at each call; the hot path's :meth:`empty`."""
        ...

    def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
        """A new array with these strides (in elements); its contents are undefined."""
        ...

    def over(self, room: Room, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> Any:
        """An array over memory that is there; it and all its views keep `room` alive."""
        ...

    def graph(self, device: int) -> Graph:
        """Records CUDA graphs of this library's work on `device`."""
        ...

    def stream(self, device: int) -> int:
        """The library's current stream on `device` as an address; 0 is the default stream."""
        ...

    def allocate(self, nbytes: int, device: int) -> Buffer:
        """Scratch memory from the library's own pool, ordered by its current stream.

        Raises
        ------
        MemoryError
            The device has no such block.
        """
        ...

    def memory(self, device: int) -> tuple[int, int]:
        """Free and total bytes; what the pool holds unused counts as free."""
        ...

    def trim(self, device: int) -> None:
        """Give the pool's unused memory back to the device."""
        ...

    def capturing(self, device: int) -> bool:
        """Whether the current stream records a CUDA graph."""
        ...

    @property
    def graphs_own_memory(self) -> bool:
        """Memory taken while a CUDA graph is recorded belongs to that graph, and stays as long as it."""
        ...


def element_size(dtype: str) -> int:
    """Bytes of one element.

    >>> element_size("bfloat16")
    2
    """
    return _SIZES[dtype]


def span(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """First and one past the last element that an array touches, counted from its own first one.

    >>> span((2, 3), (-3, 1))
    (-3, 3)
    """
    if 0 in shape:
        return 0, 0
    reach = [(length - 1) * stride for length, stride in zip(shape, strides, strict=True)]
    return sum(min(step, 0) for step in reach), sum(max(step, 0) for step in reach) + 1


def span_bytes(shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> tuple[int, int]:
    """As :func:`span` in bytes; strides count elements.

    >>> span_bytes((2, 3), (-3, 1), "float16")
    (-6, 6)
    """
    (low, high), width = span(shape, strides), element_size(dtype)
    return low * width, high * width


def described(array: Any, name: str) -> tuple[str, tuple[int, ...]]:
    """Element type and strides in elements of an array with NumPy's attributes; `name` is the argument it came as.

    Raises
    ------
    ArgumentError
        cuDNN does not compute with the type, its bytes are in the other order, or a stride ends inside an element.
    """
    dtype, width = array.dtype.name, array.dtype.itemsize
    if dtype not in DTYPES:
        raise ArgumentError(name, dtype, UNSUPPORTED_TYPE)
    if not array.dtype.isnative:
        raise ArgumentError(name, array.dtype.str, "has its bytes in the other order; convert it to this machine's")
    if any(stride % width for stride in array.strides):
        raise ArgumentError(name, array.strides, f"strides in bytes that split elements of {width} bytes; copy it")
    return dtype, tuple(stride // width for stride in array.strides)


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides in elements of a dense array whose last axis is the fastest (NCHW).

    >>> contiguous_strides((2, 3, 4))
    (12, 4, 1)
    """
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))


def channels_last_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides in elements of a dense array whose axis 1, the channels, is the fastest (NHWC, NDHWC).

    >>> channels_last_strides((2, 3, 4, 5))
    (60, 1, 15, 3)
    """
    if len(shape) < 3:
        return contiguous_strides(shape)
    batch, *spatial, channels = contiguous_strides((shape[0], *shape[2:], shape[1]))
    return (batch, channels, *spatial)
