"""A convolution, and then what was to be fused into it by a kernel of its own, in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from cudnnkit.decompose.afterwards import Afterwards
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.operands import Operands
from cudnnkit.problem import Epilogue, Problem

__all__ = ["epilogue_afterwards"]


def epilogue_afterwards(
    problem: Problem, setting: Setting, *, fused: Literal["nothing", "bias", "activation"] = "nothing"
) -> Staged | None:
    """The convolution with what of its epilogue is to be fused, then the rest; None where that makes no sense.

    ``"activation"`` fuses everything but a residual that comes behind the activation.
    """
    whole = problem.epilogue
    inner = _inner(whole, fused)
    if inner is None:
        return None
    places = places_of(problem)
    output = next(one for one in problem.tensors if one.output)
    shared = whole.residual and (min("residual", output.role), max("residual", output.role)) in problem.aliasing
    # A residual that is the output itself is the convolution's own beta. Where it comes after the activation, the
    # convolution's result goes elsewhere.
    aside = shared and whole.residual_after
    if shared and problem.beta != "zero":
        return None  # the result is added to itself twice; only one call can do that without a copy
    kept = [
        one for one in problem.tensors if one.role not in ("bias", "residual") or (inner.bias and one.role == "bias")
    ]
    adds = shared and not aside
    changes: dict[str, Any] = {"epilogue": inner, **({"beta": "one"} if adds else {})}
    if inner == Epilogue():
        # A bare convolution has no kernel of an array library as a candidate: the same problem whoever asks.
        changes["parameters"] = tuple(pair for pair in problem.parameters if pair[0] != "library")
    plain = but(problem, kept, **changes)
    picked = [places[one.role] for one in kept]
    bias, residual = whole.bias and not inner.bias, whole.residual and not adds
    active, parameters = (None, ()) if inner.activation else (whole.activation, whole.parameters)
    rest = Epilogue(bias, residual, active, parameters, residual and whole.residual_after)
    bias_at, residual_at = places["bias"] if bias else None, places["residual"] if residual else None
    out_at, library = places[output.role], setting.library
    afterwards = Afterwards(problem, setting, rest)

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = list(operands.arrays)
        beta = 1.0 if adds else operands.beta
        y = arrays[out_at]
        if aside:
            arrays[out_at] = setting.empty(output)
        chosen = tuple(arrays[at] for at in picked)
        pointers = tuple(library.pointer(arrays[at]) if at == out_at else operands.pointers[at] for at in picked)
        step(solved[0], Operands(chosen, pointers, operands.stream, operands.alpha, beta), workspace)
        given = (None if at is None else operands.arrays[at] for at in (bias_at, residual_at))
        afterwards(arrays[out_at], y, *given, stream=operands.stream)

    # A search on the caller's operands would overwrite the residual.
    words = _words(inner, rest, afterwards.by)
    return Staged(words, 1, setting, (plain,), run, None if aside else tuple(picked), afterwards.load)


def _inner(whole: Epilogue, fused: str) -> Epilogue | None:
    """The part that the convolution itself is asked for; None where nothing would be left."""
    active = whole.activation not in (None, "identity")
    if fused == "activation":
        return Epilogue(whole.bias, False, whole.activation, whole.parameters) if whole.residual_after else None
    if fused == "bias":
        return Epilogue(bias=True) if whole.bias and (whole.residual or active) else None
    return Epilogue() if whole.bias or whole.residual or active else None


def _words(inner: Epilogue, rest: Epilogue, by: str) -> str:
    """Both steps, the second done `by` somebody; without one the convolution adds to its residual."""
    named = [
        ("bias", rest.bias), ("residual", rest.residual and not rest.residual_after),
        (rest.activation or "", rest.activation is not None), ("residual", rest.residual_after),
    ]  # fmt: skip
    parts = [name for name, there in named if there]
    within = [name for name, there in (("bias", inner.bias), (inner.activation or "", inner.activation)) if there]
    first = f"convolution with {' + '.join(within)}" if within else "convolution"
    return first + (f", then {' + '.join(parts)} by {by}" if parts else " that adds to its residual")
