"""Batch normalisation as the simulated library computes it, several outputs and all."""

from __future__ import annotations

from typing import Any

from cudnnkit.arrays.norm_kernels import ArrayNorm
from cudnnkit.arrays.numpy_kernels import NumpyKernels
from cudnnkit.problem import Problem

__all__ = ["OPERATIONS", "compute_norm"]

OPERATIONS = ("batch_norm_inference", "batch_norm_training", "batch_norm_backward", "batch_norm_dx")


def compute_norm(problem: Problem, arrays: dict[str, Any], alpha: float) -> None:
    """Write every output; alpha is the running statistics' share of the new value."""
    import numpy

    norm, kernels = ArrayNorm(numpy, "float64"), NumpyKernels()
    eps, epilogue = float(dict(problem.parameters)["epsilon"]), problem.epilogue
    if problem.operation == "batch_norm_dx":
        norm.apply(*(arrays[one] for one in ("dy", "x", "scale", "mean", "inverse_std", "dscale", "dbias", "dx")))
        return
    if problem.operation == "batch_norm_backward":
        dy = arrays["dy"].astype("f8")
        if epilogue.activation is not None:
            kernels.activation_backward(dy, arrays["y"], dy, epilogue.activation, epilogue.parameters)
        norm.backward(
            dy, arrays["x"], arrays["scale"], arrays["mean"], arrays["inverse_std"], arrays["dx"], arrays["dscale"],
            arrays["dbias"],
        )  # fmt: skip
        if "dresidual" in arrays:
            arrays["dresidual"][...] = dy
        return
    value, residual = numpy.empty(arrays["y"].shape), arrays.get("residual")
    if problem.operation == "batch_norm_inference":
        inverse = arrays.get("inverse_std")
        spread, added = (arrays["variance"], eps) if inverse is None else (inverse, None)
        norm.normalize(arrays["x"], arrays["mean"], spread, added, arrays.get("scale"), arrays.get("bias"), value)
    else:
        running = (arrays["running_mean"], arrays["running_variance"]) if "running_mean" in arrays else None
        norm.training(
            arrays["x"], arrays["scale"], arrays["bias"], running, alpha, eps, value, arrays["mean"],
            arrays["inverse_std"],
        )  # fmt: skip
    kernels.epilogue(value, arrays["y"], None, residual, epilogue.activation, epilogue.parameters)
