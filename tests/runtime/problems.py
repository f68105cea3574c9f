"""Problems that the tests share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cudnnkit.policy import Policy, PolicyKey
from cudnnkit.problem import ConvolutionSpec, DeviceSpec, Epilogue, Problem, TensorSpec, VersionSpec

DEVICE = DeviceSpec((9, 0), 132, 144, "Simulated 144")
VERSIONS = VersionSpec("9.19.0", "13.0")


def convolution(batch: int = 8, *, policy: PolicyKey | None = None, dtype: str = "float32", **changes: Any) -> Problem:
    """A 3x3 convolution with bias, residual and leaky ReLU in which every field of the key is used."""
    problem = Problem(
        operation="conv_forward",
        tensors=(
            TensorSpec("x", (batch, 64, 56, 56), (200704, 1, 3584, 64), dtype),
            TensorSpec("w", (128, 32, 3, 3), (288, 1, 96, 32), dtype),
            TensorSpec("y", (batch, 128, 56, 56), (401408, 1, 7168, 128), dtype, output=True),
        ),
        compute="float32",
        device=DEVICE,
        versions=VERSIONS,
        policy=policy or Policy().key,
        convolution=ConvolutionSpec((1, 1), (1, 1), (1, 1), (1, 1), 2),
        epilogue=Epilogue(bias=True, residual=True, activation="leaky_relu", parameters=(0.01,)),
        parameters=(("axis", 1.0), ("mode", "channel")),
        alpha="one",
        beta="zero",
        aliasing=(("residual", "y"),),
    )
    return replace(problem, **changes)
