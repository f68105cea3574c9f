"""torch tensors, through torch's own methods: cheaper for each call than DLPack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cudnnkit.arrays.view import UNSUPPORTED_TYPE, ArrayView
from cudnnkit.errors import ArgumentError
from cudnnkit.rooms import ACTIVE, Room, here

__all__ = ["TorchLibrary"]


@dataclass(frozen=True, slots=True)
class _TorchBuffer:
    pointer: int
    nbytes: int
    owner: Any


@dataclass(frozen=True, slots=True)
class _Exported:
    """Memory in the form in which torch takes it in; torch holds this object as long as the memory is in use."""

    room: Room

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        room = self.room
        return {"shape": (room.nbytes,), "typestr": "|u1", "data": (room.pointer, False), "strides": None, "version": 3}


def _no_stream(device: int) -> int:
    raise ArgumentError("device", device, "this torch was built without CUDA")


class TorchLibrary:
    """Implements ``ArrayLibrary`` for CUDA tensors of torch; torch is imported when the first one is seen."""

    name = "torch"
    graphs_own_memory = True

    def __init__(self) -> None:
        import torch

        self._torch: Any = torch
        names = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
        self._names: dict[Any, str] = {getattr(torch, name): name for name in names}
        self._dtypes: dict[str, Any] = {name: dtype for dtype, name in self._names.items()}
        self._kernels: Any = None
        self._norm: Any = None
        # Bound here, since plans call them for each launch.
        self.pointer: Callable[[Any], int] = torch.Tensor.data_ptr
        self.stream: Callable[[int], int] = getattr(torch._C, "_cuda_getCurrentRawStream", _no_stream)

    @property
    def kernels(self) -> Any:
        """Torch's own elementwise kernels."""
        if self._kernels is None:
            from cudnnkit.arrays.torch_kernels import TorchKernels

            self._kernels = TorchKernels()
        return self._kernels

    @property
    def norm(self) -> Any:
        """Batch normalisation by torch's own kernels."""
        if self._norm is None:
            from cudnnkit.arrays.torch_norm import TorchNorm

            self._norm = TorchNorm()
        return self._norm

    @staticmethod
    def sign(array: Any) -> tuple[int, tuple[Any, ...]]:
        """Address; shape, strides, type, device (-1 on the host), whether it stands for its memory's negation."""
        return array.data_ptr(), (array.shape, array.stride(), array.dtype, array.get_device(), array.is_neg())

    def alias(self, array: Any) -> Any:
        """``array.detach()``."""
        return array.detach()

    def lasting(self, array: Any) -> Any:
        """`array`, or over the storage of an inference tensor one that is none: it may be written in any mode."""
        if not array.is_inference():
            return array
        torch = self._torch
        with torch.inference_mode(False):
            made = torch.empty(0, dtype=array.dtype, device=array.device)
            made.set_(array.untyped_storage(), array.storage_offset(), array.shape, array.stride())
            # The storage says nothing of the bits by which a tensor stands for its memory's conjugate or negation.
            made = made.conj() if array.is_conj() else made
            return torch._neg_view(made) if array.is_neg() else made

    def rules(self) -> tuple[Any, ...]:
        """Autocast and its type, the default type, float32's precision in matrix products, determinism."""
        torch = self._torch
        cast = torch.is_autocast_enabled() and torch.get_autocast_dtype("cuda")
        precision, same = torch.get_float32_matmul_precision(), torch.are_deterministic_algorithms_enabled()
        return cast, torch.get_default_dtype(), precision, same

    def take(self, array: Any) -> Any:
        """``torch.from_dlpack``, or ``torch.as_tensor`` for the CUDA array interface."""
        if hasattr(array, "__dlpack__"):
            return self._torch.from_dlpack(array)
        return self._torch.as_tensor(array, device="cuda")

    def maker(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> Callable[[], Any]:
        """``torch.empty_strided`` with everything in place."""
        torch = self._torch
        where = torch.device("cuda", device)
        return partial(torch.empty_strided, shape, strides, dtype=self._dtypes[dtype], device=where)

    def view(self, array: Any, name: str) -> ArrayView:
        """Describe a CUDA tensor; a host tensor or an unsupported type raises ``ArgumentError``."""
        if not array.is_cuda:
            raise ArgumentError(name, str(array.device), f"a tensor in host memory; move it with {name}.cuda()")
        dtype = self._names.get(array.dtype)
        if dtype is None:
            raise ArgumentError(name, str(array.dtype), UNSUPPORTED_TYPE)
        if array.is_neg():  # the imaginary part of a conjugated tensor, for example
            hint = f"a tensor with its negative bit set; give it memory of its own with {name}.resolve_neg()"
            raise ArgumentError(name, str(array.dtype), hint)
        pointer, device = array.data_ptr(), array.device.index
        return ArrayView(pointer, tuple(array.shape), array.stride(), dtype, device, array, self)

    def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
        """``torch.empty_strided``."""
        rooms = here() if ACTIVE else None
        if rooms is not None:
            return self.view(rooms.array(self, shape, strides, dtype, device), "array")
        torch = self._torch
        try:
            tensor = torch.empty_strided(shape, strides, dtype=self._dtypes[dtype], device=f"cuda:{device}")
        except torch.OutOfMemoryError as error:
            raise MemoryError(f"torch's pool has no room for {shape} {dtype} on device {device}") from error
        return ArrayView(tensor.data_ptr(), shape, strides, dtype, device, tensor, self)

    def over(self, room: Room, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> Any:
        """``torch.as_tensor`` over the CUDA array interface, for which torch needs NumPy; the storage keeps `room`."""
        flat = self._torch.as_tensor(_Exported(room), device=f"cuda:{room.device}")
        return flat.view(self._dtypes[dtype]).as_strided(shape, strides)

    def graph(self, device: int) -> Any:
        """``torch.cuda.CUDAGraph``."""
        from cudnnkit.arrays.torch_graph import TorchGraph

        return TorchGraph(self._torch, device)

    def allocate(self, nbytes: int, device: int) -> _TorchBuffer:
        """Bytes out of torch's caching allocator."""
        torch = self._torch
        try:
            owner = torch.empty(nbytes, dtype=torch.uint8, device=f"cuda:{device}")
        except torch.OutOfMemoryError as error:
            raise MemoryError(f"torch's pool has no {nbytes} bytes on device {device}") from error
        return _TorchBuffer(owner.data_ptr(), nbytes, owner)

    def memory(self, device: int) -> tuple[int, int]:
        """``torch.cuda.mem_get_info``, what the pool holds unused added to the free bytes."""
        cuda = self._torch.cuda
        free, total = cuda.mem_get_info(device)
        return free + cuda.memory_reserved(device) - cuda.memory_allocated(device), total

    def trim(self, device: int) -> None:
        """``torch.cuda.empty_cache`` on `device`."""
        with self._torch.cuda.device(device):
            self._torch.cuda.empty_cache()

    def capturing(self, device: int) -> bool:
        """``torch.cuda.is_current_stream_capturing`` on `device`."""
        cuda = self._torch.cuda
        if cuda.current_device() == device:
            here: bool = cuda.is_current_stream_capturing()
            return here
        with cuda.device(device):
            there: bool = cuda.is_current_stream_capturing()
        return there
