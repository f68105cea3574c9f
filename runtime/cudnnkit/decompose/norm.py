"""Batch normalisation by the array library's kernels, and taken apart into simpler problems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cudnnkit.arrays.view import contiguous_strides
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.norm_operands import epsilon, unusual
from cudnnkit.operands import Operands
from cudnnkit.problem import UPDATED, Epilogue, Problem, TensorSpec

__all__ = ["KERNELS", "norm_decompositions"]


def _inference(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, norm, kernels = places_of(problem), setting.library.norm, setting.library.kernels
    eps, epilogue = epsilon(problem), problem.epilogue
    plain = not epilogue.residual and epilogue.activation is None

    def run(operands: Operands) -> None:
        at = _named(operands, places)
        # The statistics of a batch come as the inverse deviation.
        spread, added = (at["inverse_std"], None) if "inverse_std" in at else (at["variance"], eps)
        norm.normalize(at["x"], at["mean"], spread, added, at.get("scale"), at.get("bias"), at["y"])
        if not plain:
            kernels.epilogue(at["y"], at["y"], None, at.get("residual"), epilogue.activation, epilogue.parameters)

    if epilogue.residual and any("residual" in pair for pair in problem.aliasing):
        raise ValueError("the residual would be overwritten before it is added")
    return run


def _training(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, norm, kernels = places_of(problem), setting.library.norm, setting.library.kernels
    eps, epilogue = epsilon(problem), problem.epilogue
    plain = not epilogue.residual and epilogue.activation is None

    def run(operands: Operands) -> None:
        at = _named(operands, places)
        running = (at["running_mean"], at["running_variance"]) if "running_mean" in at else None
        norm.training(
            at["x"], at["scale"], at["bias"], running, operands.alpha, eps, at["y"], at["mean"], at["inverse_std"]
        )
        if not plain:
            kernels.epilogue(at["y"], at["y"], None, at.get("residual"), epilogue.activation, epilogue.parameters)

    return run


def _backward(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, library, epilogue = places_of(problem), setting.library, problem.epilogue
    norm, kernels, dy_spec = library.norm, library.kernels, problem.tensor("dy")

    def run(operands: Operands) -> None:
        at = _named(operands, places)
        dy = at["dy"]
        if epilogue.activation is not None:
            masked = at.get("dresidual")
            if masked is None:
                masked = setting.empty(dy_spec)
            kernels.activation_backward(dy, at["y"], masked, epilogue.activation, epilogue.parameters)
            dy = masked
        elif "dresidual" in at:
            kernels.copy(dy, at["dresidual"])
        norm.backward(dy, at["x"], at["scale"], at["mean"], at["inverse_std"], at["dx"], at["dscale"], at["dbias"])

    return run


def _dx(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    places, norm = places_of(problem), setting.library.norm
    order = [places[one] for one in ("dy", "x", "scale", "mean", "inverse_std", "dscale", "dbias", "dx")]
    return lambda operands: norm.apply(*(operands.arrays[place] for place in order))


def _named(operands: Operands, places: dict[str, int]) -> dict[str, Any]:
    return {role: operands.arrays[place] for role, place in places.items()}


KERNELS: dict[str, Callable[[Problem, Setting], Callable[[Operands], None]]] = {
    "batch_norm_inference": _inference,
    "batch_norm_training": _training,
    "batch_norm_backward": _backward,
    "batch_norm_dx": _dx,
}
"""Operations that array libraries have kernels for; an operand that is `unusual` is copied first."""


def norm_decompositions(problem: Problem, setting: Setting) -> list[Staged]:
    """Ways of taking a normalisation (one of `KERNELS`) apart: unusual operands first, then what is fused."""
    way = _usual(problem, setting)
    if way is not None:
        return [way]
    epilogue = problem.epilogue
    if problem.operation == "batch_norm_dx" or _done_by_our_own(problem, setting):
        return []
    if problem.operation == "batch_norm_backward":
        plain = epilogue.activation is None and not epilogue.residual
        return [_sums_first(problem, setting) if plain else _mask_before(problem, setting)]
    ways = [_statistics_first(problem, setting)] if problem.operation == "batch_norm_training" else []
    if epilogue.residual or epilogue.activation is not None:
        ways.append(_epilogue_after(problem, setting))
    return ways


def _done_by_our_own(problem: Problem, setting: Setting) -> bool:
    """Kernels of our own do the whole in as few passes as there can be: steps would only make the search longer."""
    if setting.library.name == "numpy":
        return False
    from cudnnkit.cuda.compiler import has_nvrtc
    from cudnnkit.cuda.norm import norm_kernels

    return bool(norm_kernels(problem, setting.device)) and has_nvrtc()


def _usual(problem: Problem, setting: Setting) -> Staged | None:
    """Copies of what is unusual; None where nothing is."""
    changed = unusual(problem)
    if not changed:
        return None
    tensors = [changed.get(place, one) for place, one in enumerate(problem.tensors)]
    moved = {tensors[place].role for place in changed}
    aliasing = tuple(pair for pair in problem.aliasing if not moved & set(pair))
    inner, library = but(problem, tensors, aliasing=aliasing), setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays, kernels = list(operands.arrays), library.kernels
        for place, spec in changed.items():
            room = setting.empty(spec)
            if not spec.output or spec.role in UPDATED:
                kernels.copy(arrays[place], room)
            arrays[place] = room
        step(solved[0], operands.but(library, arrays, alpha=operands.alpha), workspace)
        for place, spec in changed.items():
            if spec.output:
                kernels.copy(arrays[place], operands.arrays[place])

    return Staged(f"copies of {', '.join(sorted(moved))}, then batch normalisation", 2, setting, (inner,), run)


def _elementwise(problem: Problem, operation: str, tensors: Sequence[TensorSpec], **more: Any) -> Problem:
    """A problem on images of one layout, seen as one long row of channels."""
    shape = (1, math.prod(tensors[0].shape), 1, 1)
    rows = [replace(one, shape=shape, strides=contiguous_strides(shape)) for one in tensors]
    library = tuple(pair for pair in problem.parameters if pair[0] == "library")
    return but(problem, rows, operation=operation, parameters=library, alpha="one", **more)


def _epilogue_after(problem: Problem, setting: Setting) -> Staged:
    """The normalisation alone, then residual and activation in place."""
    places, whole = places_of(problem), problem.epilogue
    kept = [one for one in problem.tensors if one.role not in ("residual", "reserve")]
    pairs = tuple(pair for pair in problem.aliasing if "residual" not in pair)
    inner = but(problem, kept, epilogue=Epilogue(), aliasing=pairs)
    shared = any("residual" in pair for pair in problem.aliasing)
    y = problem.tensor("y")
    rows = [replace(y, role="x", output=False), *([problem.tensor("residual")] if whole.residual else []), y]
    aliasing = (("residual", "y"),) if shared else (("x", "y"),)
    rest = _elementwise(problem, "epilogue", rows, aliasing=aliasing)
    picked, residual = [places[one.role] for one in kept], places.get("residual")
    library = setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = operands.arrays
        result = arrays[places["y"]]
        # Where the residual is the result itself, the normalisation goes elsewhere.
        middle = setting.empty(y) if shared else result
        chosen = [arrays[at] for at in picked]
        chosen[-1] = middle
        step(solved[0], operands.but(library, chosen, alpha=operands.alpha), workspace)
        more = [] if residual is None else [arrays[residual]]
        step(solved[1], operands.but(library, [middle, *more, result]), workspace)

    what = " + ".join(["residual"] * whole.residual + [whole.activation or ""] * (whole.activation is not None))
    return Staged(f"batch normalisation, then {what}", 1, setting, (inner, rest), run, tuple(picked))


def _statistics_first(problem: Problem, setting: Setting) -> Staged:
    """The batch's statistics by the array library, then everything else in one pass over x."""
    places, eps, library = places_of(problem), epsilon(problem), setting.library
    left_out = (*UPDATED, "reserve")
    kept = [replace(one, output=one.role == "y") for one in problem.tensors if one.role not in left_out]
    rest = but(problem, kept, operation="batch_norm_inference", alpha="one")
    picked = [places[one.role] for one in kept]

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        at = _named(operands, places)
        running = (at["running_mean"], at["running_variance"]) if "running_mean" in at else None
        library.norm.statistics(at["x"], running, operands.alpha, eps, at["mean"], at["inverse_std"])
        step(solved[0], operands.but(library, [operands.arrays[place] for place in picked]), workspace)

    return Staged(f"statistics by {library.name}, then batch normalisation by them", 1, setting, (rest,), run)


def _sums_first(problem: Problem, setting: Setting) -> Staged:
    """The gradients of scale and bias by the array library, then that of x in one pass."""
    places, library = places_of(problem), setting.library
    roles = ("dy", "x", "scale", "mean", "inverse_std", "dscale", "dbias", "dx")
    kept = [replace(problem.tensor(one), output=one == "dx") for one in roles]
    parameters = tuple(pair for pair in problem.parameters if pair[0] != "reserve")
    rest = but(problem, kept, operation="batch_norm_dx", parameters=parameters)
    picked = [places[one] for one in roles]

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        at = _named(operands, places)
        library.norm.sums(at["dy"], at["x"], at["mean"], at["inverse_std"], at["dscale"], at["dbias"])
        step(solved[0], operands.but(library, [operands.arrays[place] for place in picked]), workspace)

    return Staged(f"sums by {library.name}, then the gradient by them", 1, setting, (rest,), run)


def _mask_before(problem: Problem, setting: Setting) -> Staged:
    """The gradient behind the activation, which is the residual's gradient, then the normalisation's own gradients."""
    places, epilogue = places_of(problem), problem.epilogue
    dy = problem.tensor("dy")
    kept = [one for one in problem.tensors if one.role not in ("y", "reserve", "dresidual")]
    kept = [replace(one, alignment=16) if one.role == "dy" else one for one in kept]
    parameters = tuple(pair for pair in problem.parameters if pair[0] != "reserve")
    inner = but(problem, kept, epilogue=Epilogue(), parameters=parameters)
    problems = [inner]
    if epilogue.activation is not None:
        rows = [dy, replace(problem.tensor("y"), role="x"), replace(problem.tensor("dx"), alignment=16)]
        slope = Epilogue(activation=epilogue.activation, parameters=epilogue.parameters)
        problems.append(_elementwise(problem, "activation_backward", rows, epilogue=slope))
    picked = [places[one.role] for one in kept]
    at_dy, at_y, at_residual = places["dy"], places.get("y"), places.get("dresidual")
    library = setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = operands.arrays
        masked = None if at_residual is None else arrays[at_residual]
        if masked is None:
            masked = setting.empty(dy)
        if at_y is None or len(solved) == 1:
            library.kernels.copy(arrays[at_dy], masked)
        else:
            step(solved[1], operands.but(library, [arrays[at_dy], arrays[at_y], masked]), workspace)
        chosen = [masked if at == at_dy else arrays[at] for at in picked]
        step(solved[0], operands.but(library, chosen), workspace)

    name = epilogue.activation or "residual"
    return Staged(
        f"{name} undone, then the gradients of batch normalisation", 1, setting, tuple(problems), run, tuple(picked)
    )
