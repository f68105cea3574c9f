"""``cudnnActivationForward`` and ``cudnnActivationBackward``, for the activations that they have."""

from __future__ import annotations

from functools import partial
from typing import Any

from cudnnkit.arrays.kernels import activation_parameters
from cudnnkit.context import Context
from cudnnkit.engines.legacy_plan import Call
from cudnnkit.engines.operands import layout
from cudnnkit.primitives.candidate import PrimitiveCandidate, primitive, tensor_descriptor
from cudnnkit.problem import Epilogue, Problem

__all__ = ["activation_candidates"]

# Members of cudnnActivationMode_t. The clipped ones take their limit as the coefficient, ELU its alpha.
_MODES = {
    "relu": "RELU",
    "relu6": "CLIPPED_RELU",
    "clipped_relu": "CLIPPED_RELU",
    "elu": "ELU",
    "sigmoid": "SIGMOID",
    "tanh": "TANH",
    "silu": "SWISH",
}


def activation_candidates(problem: Problem, context: Context) -> list[PrimitiveCandidate]:
    """The legacy call for an activation alone; backwards only where the caller gave the result y, which it reads."""
    epilogue = problem.epilogue
    mode = _MODES.get(epilogue.activation or "")
    if mode is None or epilogue.bias or epilogue.residual or len({one.dtype for one in problem.tensors}) > 1:
        return []
    roles = [one.role for one in problem.tensors]
    if problem.operation == "activation_backward":
        if "y" not in roles:
            return []
        return [primitive(problem, context, "cudnnActivationBackward", mode, 0, partial(_backward, problem, mode))]
    return [primitive(problem, context, "cudnnActivationForward", mode, 0, partial(_forward, problem, mode))]


def _descriptor(library: Any, mode: str, epilogue: Epilogue) -> Any:
    one = library.create_activation_descriptor()
    name = epilogue.activation or ""
    coefficient = 6.0 if name == "relu6" else (*activation_parameters(name, epilogue.parameters), 0.0)[0]
    enums = library.enums
    library.set_activation_descriptor(one, enums.ActivationMode[mode], enums.NanPropagation.PROPAGATE_NAN, coefficient)
    if mode == "SWISH":
        library.set_activation_descriptor_swish_beta(one, 1.0)
    return one


def _tensor(library: Any, problem: Problem) -> Any:
    spec = problem.tensors[0]
    return tensor_descriptor(library, spec.dtype, *layout(spec))


def _forward(problem: Problem, mode: str, library: Any) -> Call:
    what, one = _descriptor(library, mode, problem.epilogue), _tensor(library, problem)
    activation, tensor = what._ptr, one._ptr

    def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return activation, alpha, tensor, at[0], beta, tensor, at[1]

    return Call(arguments, (what, one), zero_beta=True, unit_alpha=True)


def _backward(problem: Problem, mode: str, library: Any) -> Call:
    what, one = _descriptor(library, mode, problem.epilogue), _tensor(library, problem)
    activation, tensor = what._ptr, one._ptr
    roles = [spec.role for spec in problem.tensors]
    y, dy, x, dx = (roles.index(role) for role in ("y", "dy", "x", "dx"))

    def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return activation, alpha, tensor, at[y], tensor, at[dy], tensor, at[x], beta, tensor, at[dx]

    return Call(arguments, (what, one), zero_beta=True, unit_alpha=True)
