"""NumPy arrays: operands of the simulated library, which computes on the host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cudnnkit.arrays.view import ArrayView, described, span
from cudnnkit.errors import MissingPackageError
from cudnnkit.rooms import Room

__all__ = ["Exported", "NumpyLibrary"]


@dataclass(frozen=True, slots=True)
class _HostBuffer:
    pointer: int
    nbytes: int
    owner: Any


@dataclass(frozen=True, slots=True)
class Exported:
    """Memory in the form in which NumPy takes it in."""

    room: Room

    @property
    def __array_interface__(self) -> dict[str, Any]:
        room = self.room
        return {"shape": (room.nbytes,), "typestr": "|u1", "data": (room.pointer, False), "version": 3}


class NumpyLibrary:
    """Implements ``ArrayLibrary`` for host arrays. Real cuDNN never sees them: ``cudnnkit.testing`` enables this.

    Parameters
    ----------
    total
        Bytes of the pretended device memory.

    Raises
    ------
    MissingPackageError
        NumPy is not installed.
    """

    name = "numpy"
    graphs_own_memory = False

    def __init__(self, total: int = 2**34) -> None:
        try:
            import numpy
        except ModuleNotFoundError as error:
            if error.name != "numpy":  # a NumPy that is there and lacks something itself
                raise
            raise MissingPackageError("numpy", "the simulated library (cudnnkit.testing)") from None
        self._numpy: Any = numpy
        self._total = total
        self._kernels: Any = None
        self._norm: Any = None

    @property
    def kernels(self) -> Any:
        """Elementwise kernels in NumPy."""
        if self._kernels is None:
            from cudnnkit.arrays.numpy_kernels import NumpyKernels

            self._kernels = NumpyKernels()
        return self._kernels

    @property
    def norm(self) -> Any:
        """Batch normalisation in NumPy."""
        if self._norm is None:
            from cudnnkit.arrays.norm_kernels import ArrayNorm

            self._norm = ArrayNorm(self._numpy, "float64")
        return self._norm

    def device_of(self, array: Any) -> int:  # noqa: ARG002
        """The pretended device of an array; the host has one."""
        return 0

    def sign(self, array: Any) -> tuple[int, tuple[Any, ...]]:
        """Address; shape, strides in bytes, type, device, whether it may be written."""
        there = array.ctypes.data
        return there, (array.shape, array.strides, array.dtype, self.device_of(array), array.flags.writeable)

    def pointer(self, array: Any) -> int:
        """``array.ctypes.data``."""
        address: int = array.ctypes.data
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
        """``numpy.from_dlpack``."""
        return self._numpy.from_dlpack(array)

    def view(self, array: Any, name: str) -> ArrayView:
        """Describe a host array."""
        dtype, strides = described(array, name)
        there, locked = array.ctypes.data, not array.flags.writeable
        return ArrayView(there, array.shape, strides, dtype, self.device_of(array), array, self, locked)

    def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
        """A new host array, poisoned so that an element nobody wrote is found."""
        numpy = self._numpy
        low, high = span(shape, strides)
        flat = numpy.empty(high - low, dtype=dtype)
        flat.fill(numpy.nan if flat.dtype.kind == "f" else 0)
        width = flat.dtype.itemsize
        steps = tuple(stride * width for stride in strides)
        array = numpy.lib.stride_tricks.as_strided(flat[-low:], shape, steps)
        return ArrayView(array.ctypes.data, shape, strides, dtype, device, array, self)

    def maker(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> Callable[[], Any]:
        """As :meth:`empty`."""
        return lambda: self.empty(shape, strides, dtype, device).source

    def over(self, room: Room, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> Any:
        """``numpy.asarray`` over the array interface; the array's base keeps `room` alive."""
        numpy = self._numpy
        kind = numpy.dtype(dtype)
        steps = tuple(one * kind.itemsize for one in strides)
        return numpy.ndarray(shape, kind, numpy.asarray(Exported(room)), 0, steps)

    def graph(self, device: int) -> Any:
        """The simulated library's only (``cudnnkit.testing``)."""
        raise NotImplementedError(f"host arrays have no graphs on device {device}")

    def stream(self, device: int) -> int:  # noqa: ARG002
        """Always 0: the host has one order."""
        return 0

    def allocate(self, nbytes: int, device: int) -> _HostBuffer:
        """Host bytes; more than the pretended memory raises ``MemoryError``."""
        if nbytes > self._total:
            raise MemoryError(f"device {device} has {self._total} bytes, not {nbytes}")
        owner = self._numpy.empty(nbytes, dtype="uint8")
        return _HostBuffer(owner.ctypes.data, nbytes, owner)

    def memory(self, device: int) -> tuple[int, int]:  # noqa: ARG002
        """All of the pretended memory is free."""
        return self._total, self._total

    def trim(self, device: int) -> None:
        """Nothing is pooled."""

    def capturing(self, device: int) -> bool:  # noqa: ARG002
        """The host records no graphs."""
        return False
