"""A convolution, and then what was to be fused into it by the array library's own kernel, in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.operands import Operands
from cudnnkit.problem import Epilogue, Problem

__all__ = ["epilogue_afterwards"]


def epilogue_afterwards(problem: Problem, setting: Setting, *, fuse_bias: bool = False) -> Staged | None:
    """The convolution alone, or with its bias, then the rest of the epilogue; None where that makes no sense."""
    whole = problem.epilogue
    active = whole.activation not in (None, "identity")
    if fuse_bias and not (whole.bias and (whole.residual or active)):
        return None
    if not (whole.bias or whole.residual or active):
        return None
    places = places_of(problem)
    output = next(one.role for one in problem.tensors if one.output)
    pair = (min("residual", output), max("residual", output))
    shared = whole.residual and pair in problem.aliasing
    if shared and problem.beta != "zero":
        return None  # the result is added to itself twice; only one call can do that without a copy
    inner = Epilogue(bias=fuse_bias)
    kept = [
        one for one in problem.tensors if one.role not in ("bias", "residual") or (fuse_bias and one.role == "bias")
    ]
    # A residual that is the output itself is the convolution's own beta.
    changes: dict[str, Any] = {"epilogue": inner, **({"beta": "one"} if shared else {})}
    if not fuse_bias:
        # A bare convolution has no kernel of an array library as a candidate: the same problem whoever asks.
        changes["parameters"] = tuple(pair for pair in problem.parameters if pair[0] != "library")
    plain = but(problem, kept, **changes)
    picked = [places[one.role] for one in kept]
    bias_at = places["bias"] if whole.bias and not fuse_bias else None
    residual_at = places["residual"] if whole.residual and not shared else None
    out_at, rank = places[output], len(problem.tensor(output).shape)
    kernels = setting.library.kernels

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays, pointers = operands.arrays, operands.pointers
        beta = 1.0 if shared else operands.beta
        chosen = Operands(
            tuple(arrays[at] for at in picked), tuple(pointers[at] for at in picked), operands.stream, operands.alpha,
            beta,
        )  # fmt: skip
        step(solved[0], chosen, workspace)
        y = arrays[out_at]
        bias = None if bias_at is None else arrays[bias_at].reshape((1, -1) + (1,) * (rank - 2))
        residual = None if residual_at is None else arrays[residual_at]
        kernels.epilogue(y, y, bias, residual, whole.activation, whole.parameters)

    parts = [name for name, there in (("bias", bias_at is not None), ("residual", residual_at is not None)) if there]
    parts += [whole.activation] if active and whole.activation else []
    first = "convolution with bias" if fuse_bias else "convolution"
    rest = f", then {' + '.join(parts)} by {setting.library.name}" if parts else " that adds to its residual"
    return Staged(first + rest, 1, setting, (plain,), run, tuple(picked))
