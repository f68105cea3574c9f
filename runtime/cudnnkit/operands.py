"""The operands of one launch, as arrays and as addresses, in the order of the problem's tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cudnnkit.arrays.layouts import shares_elements
from cudnnkit.arrays.view import ArrayLibrary
from cudnnkit.problem import UPDATED, Problem

__all__ = ["Arguments", "ArrayExecutable", "Operands", "allocate", "hold", "launch"]

# Random numbers are no variance. A reserve of ones is a mask that keeps everything, which belongs to a positive y.
_PLAIN = {"variance": 1.0, "inverse_std": 1.0, "running_variance": 1.0, "reserve": 255}


class Operands(NamedTuple):
    """What a candidate runs on.

    Attributes
    ----------
    arrays
        One for each tensor of the problem, of `library`'s kind or, in a call that mixes kinds, of its own.
    pointers
        Their addresses.
    stream
        Address of the stream.
    alpha, beta
        Scaling factors.
    """

    arrays: tuple[Any, ...]
    pointers: tuple[int, ...]
    stream: int = 0
    alpha: float = 1.0
    beta: float = 0.0

    def but(self, library: ArrayLibrary, arrays: Sequence[Any], *, alpha: float = 1.0, beta: float = 0.0) -> Operands:
        """Other arrays and factors on the same stream."""
        return Operands(tuple(arrays), tuple(map(library.pointer, arrays)), self.stream, alpha, beta)


class Arguments(NamedTuple):
    """What a prepared candidate runs on.

    Attributes
    ----------
    pointers
        Address of each operand, in the order of the problem's tensors.
    stream
        Address of the stream.
    alpha, beta
        Scaling factors, used where the problem's class of them is ``"general"``.
    """

    pointers: tuple[int, ...]
    stream: int = 0
    alpha: float = 1.0
    beta: float = 0.0


class ArrayExecutable:
    """Base of prepared candidates that work on arrays, not on addresses alone.

    Attributes
    ----------
    workspace
        Bytes that a launch needs.
    """

    workspace: int = 0

    def run_on(self, operands: Operands, workspace: int) -> None:
        """Launch on the operands' stream, which is the array library's current one."""
        raise NotImplementedError

    def run(self, arguments: Any, workspace: int) -> None:
        """As :meth:`run_on`."""
        self.run_on(arguments, workspace)

    def close(self) -> None:
        """Nothing to free unless a subclass says so."""


def launch(executable: Any, operands: Operands, workspace: int) -> None:
    """Launch a prepared candidate of either kind."""
    if isinstance(executable, ArrayExecutable):
        executable.run_on(operands, workspace)
    else:
        executable.run(Arguments(operands.pointers, operands.stream, operands.alpha, operands.beta), workspace)


def hold(executable: Any) -> None:
    """Have the kernels of a prepared candidate stay loaded until the last reference to it is gone, closed or not.

    A recorded graph runs kernels that may have been compiled for one plan and are unloaded with it. Those of the legacy
    API, of cuBLAS, of the array libraries and our own are never unloaded: their candidates know nothing of this.
    """
    if hasattr(executable, "hold"):
        executable.hold()


def _agree(problem: Problem, library: ArrayLibrary, arrays: Sequence[Any]) -> None:
    """Operands that are not free of each other: the result of the forward pass whose gradient is asked for."""
    roles = [spec.role for spec in problem.tensors]
    if any(one.role == "y" and shares_elements(one.shape, one.strides) for one in problem.tensors):
        if problem.pooling is not None and "x" in roles:  # no result can be written: a constant's maxima are all alike
            for role in ("x", "y"):
                library.kernels.fill(arrays[roles.index(role)], 1.0)
        return
    if problem.pooling is not None and "y" in roles and "x" in roles and problem.operation == "pool_backward":
        library.kernels.pool(arrays[roles.index("x")], arrays[roles.index("y")], problem.pooling)
    elif problem.operation == "batch_norm_backward" and {"y", "bias"} <= set(roles) and "dresidual" not in roles:
        _agree_on_slope(problem, library, dict(zip(roles, arrays, strict=True)))


def _agree_on_slope(problem: Problem, library: ArrayLibrary, at: dict[str, Any]) -> None:
    """The result of the normalisation whose gradient is asked for: the slope of its activation is in x as well."""
    vectors = []
    for role in ("mean", "inverse_std", "scale", "bias"):
        spec, array = problem.tensor(role), at[role]
        if spec.dtype != problem.compute:
            wide = library.empty(spec.shape, (1,), problem.compute, library.view(array, role).device).source
            library.kernels.copy(array, wide)
            array = wide
        vectors.append(array)
    mean, inverse_std, scale, bias = vectors
    y, epilogue = at["y"], problem.epilogue
    library.norm.normalize(at["x"], mean, inverse_std, None, scale, bias, y)
    library.kernels.epilogue(y, y, None, None, epilogue.activation, epilogue.parameters)


def _sharing(problem: Problem, role: str) -> set[str]:
    """Roles that are one array with `role`, through others too: two inputs are so where each is the output."""
    found = {role}
    while more := {one for pair in problem.aliasing if found & set(pair) for one in pair} - found:
        found |= more
    return found


def allocate(problem: Problem, library: ArrayLibrary, device: int) -> Operands:
    """Random operands for a problem, for tuning without a caller's data; what shares memory in it is one array.

    Raises
    ------
    MemoryError
        The device has no room for them.
    """
    arrays = []
    made: dict[Any, Any] = {}
    masked = any(one.role == "reserve" and not one.output for one in problem.tensors)
    for spec in problem.tensors:
        layout = spec.shape, spec.strides, spec.dtype
        array = made.get((spec.role, layout))
        if array is not None:
            arrays.append(array)
            continue
        array = library.empty(*layout, device).source
        made.update({(role, layout): array for role in _sharing(problem, spec.role)})
        value = _PLAIN.get(spec.role)
        if spec.role == "y" and masked:
            value = 1.0
        if value is not None:
            library.kernels.fill(array, value)
        elif not spec.output or problem.beta != "zero" or spec.role in UPDATED:
            library.kernels.randomize(array)
        arrays.append(array)
    _agree(problem, library, arrays)
    pointers = tuple(map(library.pointer, arrays))
    # A fixed value in the classes that have one; any other number serves for the third.
    alpha, beta = (0.0 if one == "zero" else 1.0 if one == "one" else 0.5 for one in (problem.alpha, problem.beta))
    return Operands(tuple(arrays), pointers, library.stream(device), alpha, beta)
