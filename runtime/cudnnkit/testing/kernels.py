"""The simulated device's array kernels: NumPy's, which take their time on the simulated clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.norm_kernels import ArrayNorm
from cudnnkit.arrays.numpy_kernels import NumpyKernels
from cudnnkit.candidates import CandidateId

if TYPE_CHECKING:
    from cudnnkit.testing.device import SimulatedDevice

__all__ = ["SimulatedKernels", "SimulatedNorm"]


class SimulatedKernels(NumpyKernels):
    """NumPy's kernels, which take their time on the simulated clock."""

    def __init__(self, device: SimulatedDevice) -> None:
        super().__init__()
        self._device = device

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name.startswith("_") or not callable(found):
            return found
        recording = self._device.recording
        return found if recording is None else recording.kernel(name, found)

    def epilogue(self, *arguments: Any) -> None:
        self._launched("epilogue")
        super().epilogue(*arguments)

    def activation_backward(self, *arguments: Any) -> None:
        self._launched("activation_backward")
        super().activation_backward(*arguments)

    def softmax(self, *arguments: Any) -> None:
        self._launched("softmax_forward")
        super().softmax(*arguments)

    def softmax_backward(self, *arguments: Any) -> None:
        self._launched("softmax_backward")
        super().softmax_backward(*arguments)

    def pool(self, *arguments: Any) -> None:
        self._launched("pool_forward")
        super().pool(*arguments)

    def pool_backward(self, *arguments: Any, deterministic: bool) -> None:
        self._launched("pool_backward")
        super().pool_backward(*arguments, deterministic=deterministic)

    def product(self, *arguments: Any) -> None:
        self._launched("product")
        super().product(*arguments)

    def channel_sum(self, *arguments: Any) -> None:
        self._launched("conv_bias_grad")
        super().channel_sum(*arguments)

    def _launched(self, operation: str) -> None:
        self._device.advance(self._device.kernel_seconds)
        self._device.launches.append((operation, CandidateId("array", name=f"{operation} by numpy")))


class SimulatedNorm(ArrayNorm):
    """NumPy's batch normalisation, which takes its time on the simulated clock."""

    def __init__(self, kernels: SimulatedKernels) -> None:
        import numpy

        super().__init__(numpy, "float64")
        self._launched = kernels._launched

    def normalize(self, *arguments: Any) -> None:
        self._launched("batch_norm_inference")
        super().normalize(*arguments)

    def statistics(self, *arguments: Any) -> None:
        self._launched("batch_norm_statistics")
        super().statistics(*arguments)

    def training(self, *arguments: Any) -> None:
        self._launched("batch_norm_training")
        super().training(*arguments)

    def sums(self, *arguments: Any) -> None:
        self._launched("batch_norm_sums")
        super().sums(*arguments)

    def apply(self, *arguments: Any) -> None:
        self._launched("batch_norm_dx")
        super().apply(*arguments)

    def backward(self, *arguments: Any) -> None:
        self._launched("batch_norm_backward")
        super().backward(*arguments)
