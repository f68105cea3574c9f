"""A residual added behind the activation, on the real GPU: every candidate against float64."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random

BOUNDS = {"float16": 2e-3, "bfloat16": 1.2e-2, "float32": 2e-3}
LEAKY = ("leaky_relu", 0.1)


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(search="exhaustive", budget_ms=2000):
        yield found


def error(found: Any, reference: Any) -> float:
    return float((found.double() - reference).norm() / reference.norm())


@pytest.mark.parametrize("shared", [False, True], ids=["", "in place"])
@pytest.mark.parametrize(
    ("dtype", "window", "activation"),
    [("float16", 3, LEAKY), ("float16", 1, "relu"), ("bfloat16", 3, "silu"), ("float32", 3, LEAKY)],
)
def test_every_candidate(dtype: str, window: int, activation: Any, shared: bool) -> None:
    import torch
    from torch.nn import functional as f

    x, w = random((8, 32, 16, 16), dtype, True, seed=1), random((64, 32, window, window), dtype, True, seed=2)
    bias, z = random((64,), dtype, False, seed=3), random((8, 64, 16, 16), dtype, True, seed=4)
    value = f.conv2d(x.double(), w.double(), bias.double(), padding=window // 2)
    slopes = {LEAKY: lambda v: f.leaky_relu(v, 0.1), "relu": torch.relu, "silu": f.silu}
    reference = slopes[activation](value) + z.double()
    out = z.clone() if shared else torch.full_like(z, float("nan"))
    keywords: dict[str, Any] = {
        "padding": window // 2, "residual": out if shared else z, "residual_after": True, "activation": activation,
        "out": out,
    }  # fmt: skip
    report = ck.explain(ck.conv2d, x, w, bias, **keywords).report
    ran = [row.description.id for row in report.rows if row.status in ("chosen", "measured")]
    wrong = [row for row in report.rows if "wrong results" in row.reason]
    assert not wrong, wrong
    assert ran, report
    for one in ran:
        ck.pin(one, ck.conv2d, x, w, bias, **keywords)
        if shared:
            out.copy_(z)
        found = error(ck.conv2d(x, w, bias, **keywords), reference)
        assert found < BOUNDS[dtype], f"{one}: error {found:.3g}"
    ck.unpin(ck.conv2d, x, w, bias, **keywords)
