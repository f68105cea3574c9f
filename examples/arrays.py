"""Where a network's arrays live: the one file that knows torch, CuPy and NumPy apart."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

__all__ = ["Arrays", "Library"]

Library: TypeAlias = Literal["torch", "cupy", "numpy"]


@dataclass(frozen=True)
class Arrays:
    """Makes arrays of one library, type and device, images and filters with the channels innermost (NHWC).

    Attributes
    ----------
    library
        Whose arrays; NumPy's are for the simulated library of ``cudnnkit.testing``.
    dtype
        float16, bfloat16 (torch only), float32 or float64.
    device
        The GPU's index.
    """

    library: Library = "torch"
    dtype: str = "float16"
    device: int = 0

    @property
    def wide(self) -> str:
        """The type in which weights are prepared, before they are rounded once to `dtype`."""
        return "float64" if self.dtype == "float64" else "float32"

    def put(self, values: Any, dtype: str | None = None) -> Any:
        """`values`, an array of any library, here; of type `dtype`, else of this object's.

        Arrays with four axes come back with the channels innermost; they keep their shape, (N, C, H, W). What is here
        already, in that form, comes back as it is.
        """
        dtype = dtype or self.dtype
        if self.library == "torch":
            torch: Any = import_module("torch")
            with torch.no_grad():
                # Made where they are: values on their way would leave torch's pool with blocks that nothing fills.
                found = torch.as_tensor(values).detach().to(getattr(torch, dtype))
                layout = torch.channels_last if found.dim() == 4 else torch.contiguous_format
                return found.contiguous(memory_format=layout).to(f"cuda:{self.device}")
        if hasattr(values, "detach"):  # a tensor of torch
            values = values.detach().cpu()
            values = (values if str(values.dtype) == "torch.float64" else values.float()).numpy()
        module = self._module()
        return _channels_last(module, module.asarray(values).astype(dtype, copy=False))

    def host(self, array: Any) -> Any:
        """A copy as a NumPy array, float64 where it was that and float32 else."""
        if self.library == "torch":
            array = array.detach()
            return (array if array.element_size() == 8 else array.float()).cpu().numpy()
        if self.library == "cupy":
            array = array.get()
        return array.astype("float64" if array.dtype == "float64" else "float32")

    def cast(self, array: Any, dtype: str) -> Any:
        """The same values in another type."""
        if self.library == "torch":
            return array.to(getattr(import_module("torch"), dtype))
        return array.astype(dtype, copy=False)

    def copy(self, array: Any) -> Any:
        """The same values in memory of their own."""
        return array.clone() if self.library == "torch" else array.copy()

    def zeros(self, count: int, dtype: str) -> Any:
        """A vector of zeros."""
        if self.library == "torch":
            torch: Any = import_module("torch")
            return torch.zeros(count, dtype=getattr(torch, dtype), device=f"cuda:{self.device}")
        return self._module().zeros(count, dtype)

    def counted(self, count: int) -> Any:
        """0, 1, 2, ... as a vector of int64."""
        if self.library == "torch":
            return import_module("torch").arange(count, device=f"cuda:{self.device}")
        return self._module().arange(count)

    def _module(self) -> Any:
        module: Any = import_module(self.library)
        if self.library == "cupy":
            module.cuda.Device(self.device).use()
        return module

    def descend(
        self, value: Any, gradient: Any, velocity: Any, rate: float, momentum: float, decay: float, scale: float
    ) -> None:
        """``velocity = momentum * velocity + gradient / scale + decay * value; value -= rate * velocity``, in place."""
        if self.library == "torch":
            velocity.mul_(momentum).add_(gradient, alpha=1 / scale)
            if decay:
                velocity.add_(value, alpha=decay)
            value.add_(velocity, alpha=-rate)
            return
        velocity *= momentum
        velocity += gradient / scale
        if decay:
            velocity += decay * value
        value -= rate * velocity

    def images(self, batch: int, size: int, *, channels: int = 3, seed: int = 0) -> Any:
        """Random images, normally distributed, as preprocessed photographs are: (batch, channels, size, size)."""
        numpy: Any = import_module("numpy")
        random = numpy.random.default_rng([seed, batch, size])
        return self.put(random.standard_normal((batch, channels, size, size), dtype="float32"))

    def synchronize(self) -> None:
        """Wait for the device."""
        if self.library == "torch":
            import_module("torch").cuda.synchronize(self.device)
        elif self.library == "cupy":
            import_module("cupy").cuda.Device(self.device).synchronize()


def _channels_last(module: Any, array: Any) -> Any:
    if array.ndim != 4:
        return module.ascontiguousarray(array)
    return module.moveaxis(module.ascontiguousarray(module.moveaxis(array, 1, -1)), -1, 1)
