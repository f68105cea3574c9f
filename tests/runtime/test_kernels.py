"""torch's kernels against NumPy's, on the host; CuPy's need a GPU (tests/gpu)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cudnnkit.arrays.kernels import FORMULAS
from cudnnkit.arrays.numpy_kernels import NumpyKernels
from cudnnkit.geometry import pooling_output
from cudnnkit.problem import PoolingSpec

from .references import random

PARAMETERS = {
    "clipped_relu": (1.0,), "leaky_relu": (0.2,), "elu": (0.7,), "swish": (1.7,), "softplus": (2.0,),
}  # fmt: skip
BOUNDS = {"float64": 1e-6, "float32": 2e-6, "float16": 4e-3, "bfloat16": 3e-2}
SHAPE = (2, 3, 4, 5)


@pytest.fixture(params=list(BOUNDS))
def kind(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("torch", reason="torch is not installed")
    return str(request.param)


@pytest.fixture
def made(kind: str) -> Callable[..., Any]:
    import torch

    return lambda seed, *shape: torch.tensor(random(*(shape or SHAPE), seed=seed)).to(getattr(torch, kind))


def close(found: Any, wanted: Any, kind: str, factor: float = 1) -> None:
    bound = factor * BOUNDS[kind] * max(1, float(np.abs(wanted).max()))
    np.testing.assert_allclose(found.double().numpy(), wanted, rtol=0, atol=bound)


def kernels() -> tuple[Any, NumpyKernels]:
    from cudnnkit.arrays.torch_kernels import TorchKernels

    return TorchKernels(), NumpyKernels()


@pytest.mark.parametrize("name", [*FORMULAS, None])
def test_epilogues(name: str | None, kind: str, made: Callable[..., Any]) -> None:
    torch, host = kernels()
    parameters = PARAMETERS.get(name or "", ())
    for with_bias, with_residual, after, place in itertools.product(
        (0, 1), (0, 1), (False, True), ("new", "x", "residual")
    ):
        x, bias = made(1), made(2, 1, 3, 1, 1) if with_bias else None
        residual = made(3) if with_residual else None
        wide = [None if one is None else one.double().numpy().copy() for one in (x, bias, residual)]
        wanted = np.empty(SHAPE)
        host.epilogue(wide[0], wanted, wide[1], wide[2], name, parameters, after)
        out = {"new": made(4), "x": x, "residual": residual}[place]
        if out is not None:
            torch.epilogue(x, out, bias, residual, name, parameters, after)
            close(out, wanted, kind)
            assert place != "new" or (x.double().numpy() == wide[0]).all()


@pytest.mark.parametrize("name", list(FORMULAS))
def test_gradients(name: str, kind: str, made: Callable[..., Any]) -> None:
    torch, host = kernels()
    wanted = np.empty(SHAPE)
    for place in ("new", "x", "dy"):
        x, dy = made(1), made(2)
        host.activation_backward(dy.double().numpy(), x.double().numpy(), wanted, name, PARAMETERS.get(name, ()))
        out = {"new": made(4), "x": x, "dy": dy}[place]
        torch.activation_backward(dy, x, out, name, PARAMETERS.get(name, ()))
        close(out, wanted, kind, 2)


@pytest.mark.parametrize("log", [False, True])
def test_softmax(log: bool, kind: str, made: Callable[..., Any]) -> None:
    torch, host = kernels()
    wanted = np.empty(SHAPE)
    for axis, in_place in itertools.product(range(4), (False, True)):
        x, dy = made(1), made(2)
        host.softmax(x.double().numpy(), wanted, axis, log)
        y = x if in_place else made(3)
        torch.softmax(x, y, axis, log)
        close(y, wanted, kind, 2)
        host.softmax_backward(y.double().numpy(), dy.double().numpy(), wanted, axis, log)
        dx = made(4)
        torch.softmax_backward(y, dy, dx, axis, log)
        close(dx, wanted, kind, 4)


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 0.0), (2.0, 0.0), (1.0, 1.0), (0.5, 3.0)])
def test_sums(alpha: float, beta: float, kind: str, made: Callable[..., Any]) -> None:
    torch, host = kernels()
    x, out, vector = made(1), made(2), made(3, 3)
    for source in (x, None):
        found, wanted = out.clone(), out.double().numpy().copy()
        torch.scale(source, found, alpha, beta)
        host.scale(None if source is None else source.double().numpy(), wanted, alpha, beta)
        close(found, wanted, kind, 2)
    found, wanted = vector.clone(), vector.double().numpy().copy()
    torch.channel_sum(x, found, alpha, beta)
    host.channel_sum(x.double().numpy(), wanted, alpha, beta)
    close(found, wanted, kind, 4)


@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
@pytest.mark.parametrize("mode", ["max", "average_include_padding", "average_exclude_padding"])
@pytest.mark.parametrize(
    ("shape", "window", "pre", "post", "stride"),
    [
        ((2, 4, 9, 8), (3, 2), (1, 0), (1, 0), (2, 1)),
        ((2, 4, 9, 8), (3, 3), (1, 0), (0, 1), (2, 2)),
        ((2, 4, 6, 8), (6, 8), (0, 0), (0, 0), (6, 8)),
        ((2, 4, 9), (3,), (1,), (1,), (2,)),
        ((2, 4, 5, 6, 7), (2, 3, 3), (1, 1, 1), (1, 1, 1), (2, 2, 1)),
    ],
    ids=str,
)
def test_pooling(
    shape: Any,
    window: Any,
    pre: Any,
    post: Any,
    stride: Any,
    mode: Any,
    last: bool,
    kind: str,
    made: Callable[..., Any],
) -> None:
    import torch

    if len(shape) == 5 and mode != "max" and kind in ("float16", "bfloat16"):
        pytest.skip("torch has no such kernel for the host")
    ours, host = kernels()
    spec = PoolingSpec(mode, window, pre, post, stride)
    result = pooling_output(shape, spec)

    def laid(*size: int, seed: int = 0) -> Any:
        back = (0, len(size) - 1, *range(1, len(size) - 1))
        value = made(seed, *size)
        return value.permute(0, *range(2, len(size)), 1).contiguous().permute(back) if last else value

    x, y, dx, dy = laid(*shape, seed=1), laid(*result), laid(*shape), laid(*result, seed=2)
    steps = dx.stride()
    wanted, slope = np.empty(result), np.empty(shape)
    host.pool(x.double().numpy(), wanted, spec)
    ours.pool(x, y, spec)
    assert mode != "max" or (y.double().numpy() == wanted).all()
    close(y, wanted, kind)
    host.pool_backward(dy.double().numpy(), y.double().numpy(), x.double().numpy(), slope, spec, deterministic=True)
    for deterministic in (False, True):
        torch.nn.init.constant_(dx, float("nan"))
        ours.pool_backward(dy, y, x, dx, spec, deterministic=deterministic)
        close(dx, slope, kind, 2)
    assert dx.stride() == steps
    assert ours.values(y[:1]) == y[:1].double().flatten().tolist()


def test_products(kind: str, made: Callable[..., Any]) -> None:
    torch, host = kernels()
    rows, weights, slopes = made(1, 2, 3, 5), made(2, 7, 5), made(3, 6, 7)
    for a, b, out in (
        (rows, weights.T, made(4, 2, 3, 7)),
        (rows, weights.T, made(4, 2, 3, 14)[..., ::2]),
        (rows[:, 1:], weights.T, made(4, 2, 2, 7)),
        (slopes.T, rows.reshape(-1, 5), made(4, 7, 5)),
    ):
        wanted = np.empty(tuple(out.shape))
        host.product(a.double().numpy(), b.double().numpy(), wanted)
        torch.product(a, b, out)
        close(out, wanted, kind)
