"""Pooling on the real GPU: right against float64."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random

BOUNDS = {"float16": 2e-3, "bfloat16": 1.2e-2, "float32": 1e-5, "float64": 1e-12}
CASES: list[tuple[tuple[int, ...], Any, dict[str, Any], list[str]]] = [
    ((4, 32, 21, 23), 3, {"stride": 2, "padding": 1}, list(BOUNDS)),
    ((4, 24, 16, 20), 2, {}, list(BOUNDS)),
    ((3, 7, 14, 15), (3, 2), {"stride": (1, 2), "padding": (1, 0)}, ["float16", "float32"]),
    ((4, 16, 20, 22), 3, {"stride": 2, "padding": ((0, 1), (1, 0))}, ["float16", "float32"]),
    ((4, 16, 50), 3, {"stride": 2, "padding": 1}, ["float16"]),
    ((2, 8, 9, 10, 11), 3, {"stride": 2, "padding": 1}, ["float16", "float32"]),
]


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=50):
        yield found


def near(found: Any, reference: Any, bound: float, what: str) -> None:
    found = found.double()
    assert found.shape == reference.shape, what
    assert bool(found.isfinite().all()), what
    error = float((found - reference).norm() / reference.norm().clamp_min(1e-30))
    worst = (found - reference).abs().flatten().argmax()
    assert error <= bound, f"{what}: error {error:.3g}, worst at flat place {int(worst)} of {tuple(found.shape)}"


def reference(x: Any, mode: str, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """In float64 on an image that is padded by hand, with NaN where torch's own padding would be symmetric only."""
    from torch.nn import functional as f

    rank = x.dim() - 2
    taps = window if isinstance(window, tuple) else (window,) * rank
    pads = padding if isinstance(padding, tuple) else (padding,) * rank
    both = [one if isinstance(one, tuple) else (one, one) for one in pads]
    flat = [side for pair in reversed(both) for side in pair]
    step = stride or window
    if mode == "max":
        return getattr(f, f"max_pool{rank}d")(f.pad(x, flat, value=-math.inf), taps, step)
    pool = getattr(f, f"avg_pool{rank}d")
    total = pool(f.pad(x, flat), taps, step)
    if mode == "include":
        return total
    return total / pool(f.pad(x.new_ones(x.shape), flat), taps, step)


@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
@pytest.mark.parametrize(
    ("shape", "window", "more", "dtype"),
    [(shape, window, more, dtype) for shape, window, more, dtypes in CASES for dtype in dtypes],
    ids=str,
)
def test_forward_and_backward(
    shape: tuple[int, ...], window: Any, more: dict[str, Any], dtype: str, last: bool
) -> None:
    import torch

    x = random(shape, dtype, last, seed=1)
    wide = x.double().contiguous().requires_grad_()
    bound = BOUNDS[dtype]
    with torch.enable_grad():
        results = {mode: reference(wide, mode, window, **more) for mode in ("max", "include", "exclude")}
    y = ck.max_pool(x, window, **more)
    assert torch.equal(y.double(), results["max"].detach()), "maxima are exact"
    if last and len(shape) == 4:
        assert y.is_contiguous(memory_format=torch.channels_last)
    dy = random(tuple(y.shape), dtype, last, seed=2)
    slopes = {mode: torch.autograd.grad(one, wide, dy.double())[0] for mode, one in results.items()}
    if dtype in ("float32", "float64"):  # half data has equal maxima, whose gradient is anyone's
        near(ck.max_pool_backward(dy, y, x, window, **more), slopes["max"], bound, "max backward")
        steady = ck.max_pool_backward(dy, y, x, window, deterministic=True, **more)
        near(steady, slopes["max"], bound, "max backward, deterministic")
    else:
        dx = ck.max_pool_backward(dy, y, x, window, **more).double()
        sums = tuple(range(2, len(shape)))
        near(dx.sum(sums), dy.double().sum(sums), 0.05, "what max backward hands out altogether")
    for mode in ("include", "exclude"):
        arguments = {"include_padding": mode == "include", **more}
        near(ck.avg_pool(x, window, **arguments), results[mode].detach(), bound, f"average, {mode}")
        dx = ck.avg_pool_backward(dy, window, shape, **arguments)
        near(dx, slopes[mode], bound, f"average backward, {mode}")


@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
@pytest.mark.parametrize("dtype", list(BOUNDS))
def test_whole_images(dtype: str, last: bool) -> None:
    import torch

    x = random((8, 96, 7, 7), dtype, last, seed=1)
    near(ck.global_avg_pool(x), x.double().mean((2, 3), keepdim=True), BOUNDS[dtype], "global average")
    assert torch.equal(ck.global_max_pool(x), x.amax((2, 3), keepdim=True))
    dy = random((8, 96, 1, 1), dtype, last, seed=2)
    out = torch.full_like(x, math.nan)
    assert ck.global_avg_pool_backward(dy, tuple(x.shape), out=out) is out
    near(out, (dy.double() / 49).expand(x.shape), BOUNDS[dtype], "global average backward")


@pytest.mark.parametrize(
    ("dtype", "last"), [("float16", True), ("bfloat16", True), ("float32", True), ("float32", False)]
)
def test_every_candidate_is_right_or_refused(dtype: str, last: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Each by itself on whole results; what a search refused as wrong is printed."""
    import torch
    from cudnnkit.operands import Operands, allocate, launch

    x = random((4, 32, 21, 23), dtype, last, seed=1)
    y = ck.max_pool(x, 3, stride=2, padding=1)
    calls = [
        (ck.max_pool, (x, 3), {"stride": 2, "padding": 1}),
        (ck.avg_pool, (x, 3), {"stride": 2, "padding": 1, "include_padding": False}),
        (ck.avg_pool, (x, 2), {}),
        (ck.global_avg_pool, (x,), {}),
        (ck.global_max_pool, (x,), {}),
        (ck.avg_pool_backward, (y, 3, tuple(x.shape)), {"stride": 2, "padding": 1}),
        (ck.max_pool_backward, (y, y, x, 3), {"stride": 2, "padding": 1}),
    ]
    lines: list[str] = []
    wrong: list[str] = []
    for function, arguments, more in calls:
        call: Any = function
        report = ck.explain(call, *arguments, budget_ms=2000, **more).report
        assert report is not None
        plan = ck.plan(call, *arguments, budget_ms=2000, **more)
        prepared = plan._prepared
        problem, setting = prepared.request.problem, prepared.setting
        operands = allocate(problem, setting.library, 0)
        first: Any = None
        for row in report.rows:
            lines.append(f"{call.__name__} {row.description.id}: {row.status} {row.reason}")
            if row.seconds is None:
                continue
            operands.arrays[-1].fill_(math.nan)
            executable = prepared._tuner.prepare(problem, row.description.id, setting)
            space = torch.empty(max(executable.workspace, 1), dtype=torch.uint8, device="cuda")
            launch(
                executable, Operands(operands.arrays, operands.pointers, setting.library.stream(0)), space.data_ptr()
            )
            torch.cuda.synchronize()
            found = operands.arrays[-1].double()
            if first is None:
                first = found.clone()
            elif not float((found - first).abs().max()) <= 2e-2 * float(first.abs().max()):
                wrong.append(
                    f"{call.__name__} {row.description.id} differs by {float((found - first).abs().max()):.3g}"
                )
    with capsys.disabled():
        print("", f"{dtype} {'NHWC' if last else 'NCHW'}", *lines, sep="\n")
    # Ties of half data may be broken otherwise, so a maximum's gradient may differ; nothing else may.
    assert not [one for one in wrong if dtype == "float32" or "max_pool_backward" not in one], wrong


def test_nan_propagates() -> None:
    import torch

    x = random((2, 16, 12, 12), "float16", True, seed=1)
    x[1, 3, 4, 5] = math.nan
    y = ck.max_pool(x, 2)
    assert bool(y[1, 3, 2, 2].isnan())
    assert int(y.isnan().sum()) == 1
    assert int(ck.global_max_pool(x).isnan().sum()) == 1
    torch.cuda.synchronize()


def test_any_strides_and_a_graph_of_the_caller_s() -> None:
    import torch

    x = random((4, 16, 20, 22), "float32", True, seed=1)[:, ::2, :, ::2]
    y = ck.max_pool(x, 3, stride=2, padding=1)
    assert torch.equal(y.double(), reference(x.double(), "max", 3, 2, 1))
    out = torch.empty_like(y)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        ck.max_pool(x, 3, stride=2, padding=1, out=out)
    out.fill_(math.nan)
    graph.replay()
    assert torch.equal(out, y)
