"""The array library's own kernels, and ours, as candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cudnnkit.candidates import Candidate, CandidateId, Description
from cudnnkit.decompose.linear import CONVOLUTIONS, array_product, described
from cudnnkit.decompose.norm import KERNELS as NORMS
from cudnnkit.decompose.setting import Setting
from cudnnkit.decompose.split import is_large
from cudnnkit.decompose.staged import places_of
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import Problem

__all__ = ["LIBRARY", "OWN", "KernelExecutable", "array_candidates"]


class KernelExecutable(ArrayExecutable):
    """A kernel of the array library."""

    def __init__(self, run: Callable[[Operands], None]) -> None:
        self._run = run

    def run_on(self, operands: Operands, workspace: int) -> None:  # noqa: ARG002
        """Launch it."""
        self._run(operands)


@dataclass(frozen=True)
class _KernelCandidate:
    description: Description
    make: Callable[[], Callable[[Operands], None]]

    def prepare(self) -> KernelExecutable:
        return KernelExecutable(self.make())


def _epilogue(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, kernels, epilogue = places_of(problem), setting.library.kernels, problem.epilogue
    x, y = places["x"], places["y"]
    bias, residual, axis = places.get("bias"), places.get("residual"), setting.axis

    def run(operands: Operands) -> None:
        arrays = operands.arrays
        added: Any = None if bias is None else arrays[bias]
        if added is not None and axis >= 0:
            added = added.reshape((-1,) + (1,) * (len(arrays[x].shape) - 1 - axis))
        more = None if residual is None else arrays[residual]
        kernels.epilogue(
            arrays[x], arrays[y], added, more, epilogue.activation, epilogue.parameters, epilogue.residual_after
        )

    return run


def _activation_backward(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, kernels, epilogue = places_of(problem), setting.library.kernels, problem.epilogue
    dy, x, dx = places["dy"], places["x"], places["dx"]
    name, parameters = epilogue.activation or "identity", epilogue.parameters

    def run(operands: Operands) -> None:
        arrays = operands.arrays
        kernels.activation_backward(arrays[dy], arrays[x], arrays[dx], name, parameters)

    return run


def _softmax(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    kernels, axis = setting.library.kernels, setting.axis
    log = dict(problem.parameters)["algorithm"] == "log"
    if problem.operation == "softmax_backward":
        return lambda one: kernels.softmax_backward(one.arrays[0], one.arrays[1], one.arrays[2], axis, log)
    return lambda one: kernels.softmax(one.arrays[0], one.arrays[1], axis, log)


def _channel_sum(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    kernels = setting.library.kernels
    reads = problem.beta != "zero"
    if problem.operation == "linear_bias_grad":
        return lambda one: kernels.channel_sum(
            one.arrays[0].reshape(-1, one.arrays[0].shape[-1]), one.arrays[1], 1.0, 0.0
        )
    return lambda one: kernels.channel_sum(one.arrays[0], one.arrays[1], one.alpha, one.beta if reads else 0.0)


def _pool(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, kernels, spec = places_of(problem), setting.library.kernels, problem.pooling
    if spec is None or is_large(problem):
        raise ValueError(f"{problem.label} is not for one kernel of the array library")
    if problem.operation == "pool_forward":
        x, y = places["x"], places["y"]
        return lambda one: kernels.pool(one.arrays[x], one.arrays[y], spec)
    deterministic = problem.policy.deterministic
    dy, dx = places["dy"], places["dx"]
    y, x = places.get("y", dy), places.get("x", dx)

    def run(operands: Operands) -> None:
        arrays = operands.arrays
        kernels.pool_backward(arrays[dy], arrays[y], arrays[x], arrays[dx], spec, deterministic=deterministic)

    return run


LIBRARY: dict[str, Callable[[Problem, Setting], Callable[[Operands], None]]] = {
    "epilogue": _epilogue,
    "activation_backward": _activation_backward,
    "softmax_forward": _softmax,
    "softmax_backward": _softmax,
    "conv_bias_grad": _channel_sum,
    "linear_bias_grad": _channel_sum,
    **dict.fromkeys(CONVOLUTIONS, array_product),
    **NORMS,
    "pool_forward": _pool,
    "pool_backward": _pool,
}
"""Operations that array libraries have kernels for."""


OWN: dict[str, tuple[tuple[str, str], ...]] = {
    "conv_forward": (("first_layer", "first_layer_kernels"), ("first_layer_fma", "fma_kernels")),
    "conv_wgrad": (("first_layer_filter", "filter_kernels"),),
    "epilogue": (("epilogue", "epilogue_kernels"),),
    "pool_forward": (("pooling", "pooling_kernels"),),
    "pool_backward": (("pooling", "pooling_kernels"),),
    "batch_norm_training": (("norm", "norm_kernels"),),
    "batch_norm_backward": (("norm", "norm_kernels"),),
}
"""Operations that we have CUDA kernels for: modules of ``cudnnkit.cuda``, which only such problems import, with the
functions that say where they serve."""


def array_candidates(problem: Problem, setting: Setting) -> list[Candidate[Any]]:
    """The array library's kernel for a problem, if it has one, and our own on the memory of a GPU."""
    found = _library_candidates(problem, setting)
    if setting.library.name != "numpy":
        for module, name in OWN.get(problem.operation, ()):
            kernels = getattr(import_module(f"cudnnkit.cuda.{module}"), name)
            found += kernels(problem, setting.device)
    return found


def _library_candidates(problem: Problem, setting: Setting) -> list[Candidate[Any]]:
    make = LIBRARY.get(problem.operation)
    if make is None:
        return []
    one = CandidateId("array", name=f"{problem.operation} by {setting.library.name}")
    # Torch scatters gradients of maxima, and of volumes' means, with atomic operations unless it must not.
    scatters = problem.operation == "pool_backward" and setting.library.name == "torch"
    steady = problem.policy.deterministic or not scatters
    description = Description(one, 0, deterministic=steady)
    if problem.operation in CONVOLUTIONS:
        said = described(problem, description)
        if said is None:
            return []
        description = said
    return [_KernelCandidate(description, lambda: make(problem, setting))]
