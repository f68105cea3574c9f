"""CuPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cudnnkit.arrays.view import ArrayView, described, element_size, span
from cudnnkit.rooms import ACTIVE, Room, here

__all__ = ["CupyLibrary"]


@dataclass(frozen=True, slots=True)
class _CupyBuffer:
    pointer: int
    nbytes: int
    owner: Any


class CupyLibrary:
    """Implements ``ArrayLibrary`` for CuPy; CuPy is imported when the first such array is seen."""

    name = "cupy"
    graphs_own_memory = False

    def __init__(self) -> None:
        import cupy

        self._cupy: Any = cupy
        self._kernels: Any = None
        self._norm: Any = None

    @property
    def kernels(self) -> Any:
        """Elementwise kernels that CuPy compiles."""
        if self._kernels is None:
            from cudnnkit.arrays.cupy_kernels import CupyKernels

            self._kernels = CupyKernels()
        return self._kernels

    @property
    def norm(self) -> Any:
        """Batch normalisation by CuPy's kernels."""
        if self._norm is None:
            from cudnnkit.arrays.norm_kernels import ArrayNorm

            self._norm = ArrayNorm(self._cupy, "float32")
        return self._norm

    @staticmethod
    def sign(array: Any) -> tuple[int, tuple[Any, ...]]:
        """Address; shape, strides in bytes, type, device."""
        data = array.data
        return data.ptr, (array.shape, array.strides, array.dtype, data.device_id)

    @staticmethod
    def pointer(array: Any) -> int:
        """``array.data.ptr``."""
        address: int = array.data.ptr
        return address

    def alias(self, array: Any) -> Any:
        """``array.view()``."""
        return array.view()

    def lasting(self, array: Any) -> Any:
        """`array`: there are no modes."""
        return array

    def rules(self) -> tuple[Any, ...]:
        """None."""
        return ()

    def take(self, array: Any) -> Any:
        """``cupy.asarray`` for the CUDA array interface, else ``cupy.from_dlpack``."""
        if hasattr(array, "__cuda_array_interface__"):
            return self._cupy.asarray(array)
        return self._cupy.from_dlpack(array)

    def maker(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> Callable[[], Any]:
        """A ``cupy.ndarray`` over a new block of the pool at each call."""
        cupy = self._cupy
        width = element_size(dtype)
        kind, steps = cupy.dtype(dtype), tuple(stride * width for stride in strides)
        low, high = span(shape, strides)
        nbytes = (high - low) * width
        alloc, ndarray = cupy.cuda.alloc, cupy.ndarray
        if low:  # runs backwards: the first element lies behind others
            alloc = lambda size: cupy.cuda.alloc(size) + -low * width  # noqa: E731
        if cupy.cuda.runtime.getDeviceCount() == 1:
            return lambda: ndarray(shape, kind, alloc(nbytes), steps)

        def make() -> Any:
            with cupy.cuda.Device(device):
                return ndarray(shape, kind, alloc(nbytes), steps)

        return make

    def view(self, array: Any, name: str) -> ArrayView:
        """Describe a ``cupy.ndarray``; an unsupported type or a stride that splits an element is refused."""
        dtype, strides = described(array, name)
        return ArrayView(array.data.ptr, array.shape, strides, dtype, array.device.id, array, self)

    def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
        """A ``cupy.ndarray`` over a new block of the pool."""
        rooms = here() if ACTIVE else None
        if rooms is not None:
            return self.view(rooms.array(self, shape, strides, dtype, device), "array")
        cupy = self._cupy
        width = element_size(dtype)
        low, high = span(shape, strides)
        with cupy.cuda.Device(device):
            memory = cupy.cuda.alloc((high - low) * width) + -low * width
            array = cupy.ndarray(shape, cupy.dtype(dtype), memory, tuple(stride * width for stride in strides))
        return ArrayView(array.data.ptr, shape, strides, dtype, device, array, self)

    def over(self, room: Room, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> Any:
        """``cupy.cuda.UnownedMemory``, which keeps `room` alive."""
        cupy = self._cupy
        kind, width = cupy.dtype(dtype), element_size(dtype)
        memory = cupy.cuda.UnownedMemory(room.pointer, room.nbytes, room, room.device)
        return cupy.ndarray(shape, kind, cupy.cuda.MemoryPointer(memory, 0), tuple(one * width for one in strides))

    def graph(self, device: int) -> Any:
        """A graph recorded on a stream of CuPy's."""
        from cudnnkit.arrays.cupy_graph import CupyGraph

        return CupyGraph(self._cupy, device)

    def stream(self, device: int) -> int:
        """``cupy.cuda.get_current_stream`` as an address."""
        address: int = self._cupy.cuda.get_current_stream(device).ptr
        return address

    def allocate(self, nbytes: int, device: int) -> _CupyBuffer:
        """Bytes out of CuPy's current allocator."""
        cupy = self._cupy
        try:
            with cupy.cuda.Device(device):
                owner = cupy.cuda.alloc(nbytes)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise MemoryError(f"CuPy's pool has no {nbytes} bytes on device {device}") from error
        return _CupyBuffer(owner.ptr, nbytes, owner)

    def memory(self, device: int) -> tuple[int, int]:
        """``cudaMemGetInfo``, what the default pool holds unused added to the free bytes."""
        cupy = self._cupy
        with cupy.cuda.Device(device):
            free, total = cupy.cuda.runtime.memGetInfo()
            return free + cupy.get_default_memory_pool().free_bytes(), total

    def trim(self, device: int) -> None:
        """Free the unused blocks of the default pool on `device`."""
        with self._cupy.cuda.Device(device):
            self._cupy.get_default_memory_pool().free_all_blocks()

    def capturing(self, device: int) -> bool:
        """Whether CuPy's current stream on `device` records a graph."""
        capturing: bool = self._cupy.cuda.get_current_stream(device).is_capturing()
        return capturing
