"""Faults that others had, on the real GPU, each by its whole kind. With ``-s`` the measured times are shown."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.report import Row
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random, without_cudnn
from .test_ops import BOUNDS, STRICT, activated, convolution, error, poisoned

HALF = {"float16": 2e-3, "bfloat16": 1.2e-2}
NARROW = {**HALF, "float32": 2e-3}


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=150):
        yield found


def time_of(row: Row, chosen: Row) -> float:
    """A row's time of the kind that decided for the chosen one: in the final, else of single launches."""
    found = row.seconds if chosen.final is None else row.final
    return float("inf") if found is None else found


def measured(function: Any, *arguments: Any, **keywords: Any) -> list[Row]:
    """What a search measured, fastest first; printed."""
    explanation = ck.explain(function, *arguments, **keywords)
    rows = [row for row in explanation.report.rows if row.status in ("chosen", "measured")]
    rows.sort(key=lambda row: row.seconds or 0.0)
    print(f"\n{explanation.report.problem}")
    for row in rows[:12]:
        notes = ", ".join(sorted(row.description.numerical))
        print(f"  {(row.seconds or 0) * 1e3:8.4f} ms  {row.status:8} {row.description.id} {notes}")
    for row in explanation.report.rows:
        if row.status not in ("chosen", "measured"):
            print(f"  {row.status}: {row.description.id}: {row.reason}")
    for origin, reason in explanation.report.refusals:
        print(f"  {origin} offers nothing: {reason}")
    return rows


def by_each(rows: list[Row], function: Any, *arguments: Any, **keywords: Any) -> Iterator[tuple[Row, Any]]:
    """The result by each candidate in turn; what `out` held is there again for each."""
    old = None if keywords.get("out") is None else keywords["out"].clone()
    for row in rows:
        ck.pin(row.description.id, function, *arguments, **keywords)
        if old is not None:
            keywords["out"].copy_(old)
        yield row, function(*arguments, **keywords)
        ck.unpin(function, *arguments, **keywords)


def gradients(x: Any, w: Any, dy: Any, **arguments: Any) -> tuple[Any, Any]:
    """Of the data and of the filter, in float64."""
    import torch

    a, b = x.double().contiguous().requires_grad_(), w.double().contiguous().requires_grad_()
    with torch.enable_grad(), without_cudnn():
        y = getattr(torch.nn.functional, f"conv{x.dim() - 2}d")(a, b, **arguments)
        dx, dw = torch.autograd.grad(y, (a, b), dy.double())
    return dx, dw


# Math type and precision --------------------------------------------------------------------------------------------


def _float32_paths() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Any]]:
    """Every way that leads to a multiplication: name to function, operands, keywords and float64 result."""
    import torch

    x, w = random((8, 32, 28, 28), "float32", True, seed=1), random((64, 32, 3, 3), "float32", True, seed=2)
    rgb, first = random((4, 3, 32, 32), "float32", True, seed=3), random((16, 3, 7, 7), "float32", True, seed=4)
    z, dy = (random((8, 64, 28, 28), "float32", True, seed=seed) for seed in (5, 6))
    bias, grouped = random((64,), "float32", False, seed=7), random((64, 8, 3, 3), "float32", True, seed=8)
    y = convolution(x, w, padding=1)
    fused = y + bias.double().view(1, -1, 1, 1) + z.double()
    dx, dw = gradients(x, w, dy, padding=1)
    padded = torch.nn.functional.pad(x, (2, 0, 1, 0))
    return {
        "forward": (ck.conv2d, (x, w), {"padding": 1}, y),
        "forward, NCHW": (ck.conv2d, (x.contiguous(), w.contiguous()), {"padding": 1}, y),
        "fused": (ck.conv2d, (x, w, bias), {"padding": 1, "residual": z, "activation": "relu"}, fused.relu()),
        "decomposed": (ck.conv2d, (x, w, bias), {"padding": 1, "residual": z, "activation": "gelu"},
                       activated("gelu", fused)),
        "data gradient": (ck.conv_data_gradient, (dy, w, x.shape), {"padding": 1}, dx),
        "filter gradient": (ck.conv_filter_gradient, (x, dy, 3), {"padding": 1}, dw),
        "transposed": (ck.conv_transpose2d, (dy, w), {"padding": 1}, dx),
        "groups": (ck.conv2d, (x, grouped), {"padding": 1, "groups": 4}, convolution(x, grouped, padding=1, groups=4)),
        "asymmetric": (ck.conv2d, (x, w), {"padding": ((1, 0), (2, 0))}, convolution(padded, w)),
        "three channels": (ck.conv2d, (rgb, first), {"padding": 3, "stride": 2},
                           convolution(rgb, first, padding=3, stride=2)),
        "mixed layouts": (ck.conv2d, (x, w.contiguous()), {"padding": 1}, y),
    }  # fmt: skip


@pytest.mark.parametrize("precision", ["no-tf32", "strict"])
def test_tf32_is_off_on_every_path(precision: Any) -> None:
    found = {}
    for search in ("heuristic", "measure"):
        for name, (function, operands, keywords, reference) in _float32_paths().items():
            result = function(*operands, **keywords, precision=precision, search=search)
            found[f"{name}, {search}"] = error(result, reference)
    assert {name: one for name, one in found.items() if not one < STRICT} == {}


def test_tf32_would_be_noticed_and_cannot_be_pinned_where_it_is_refused() -> None:
    function, operands, keywords, reference = _float32_paths()["forward"]
    rows = [row for row in measured(function, *operands, **keywords) if "tensor_core" in row.description.numerical]
    assert rows, "no engine with tensor cores was measured under precision='fast'"
    _, result = next(by_each(rows, function, *operands, **keywords))
    assert STRICT < error(result, reference) < BOUNDS["float32"]
    with pytest.raises(ck.ArgumentError, match="TF32"):
        ck.pin(rows[0].description.id, function, *operands, **keywords, precision="no-tf32")


@pytest.mark.parametrize("name", ["forward", "fused", "data gradient", "filter gradient"])
def test_fast_float32_keeps_tf32s_range_and_mantissa(name: str) -> None:
    """Half precision inside would overflow at 65504, and bfloat16 would be eight times coarser."""
    function, operands, keywords, reference = _float32_paths()[name]
    large = 2.0**18
    first = operands[1] if name == "data gradient" else operands[0]
    first.mul_(large)
    if name == "fused":
        operands[2].mul_(large)
        keywords["residual"].mul_(large)
    rows = measured(function, *operands, **keywords)
    errors = {str(row.description.id): error(found, large * reference)
              for row, found in by_each(rows[:8], function, *operands, **keywords)}  # fmt: skip
    assert {one: found for one, found in errors.items() if not found < BOUNDS["float32"]} == {}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_scaling_factors_have_the_type_that_cudnn_reads(dtype: str) -> None:
    """Factors of the element's own type gave zeros for half data. Every candidate of every direction."""
    x, w = random((2, 16, 14, 14), dtype, True, seed=1), random((24, 16, 3, 3), dtype, True, seed=2)
    dy = random((2, 24, 14, 14), dtype, True, seed=3)
    dx, dw = gradients(x, w, dy, padding=1)
    y = convolution(x, w, padding=1)
    for function, operands, like, reference in (
        (ck.conv2d, (x, w), dy, y),
        (ck.conv_data_gradient, (dy, w, x.shape), x, dx),
        (ck.conv_filter_gradient, (x, dy, 3), w, dw),
    ):
        old = random(tuple(like.shape), dtype, True, seed=4)
        keywords = {"padding": 1, "alpha": 0.5, "beta": -3.0, "out": old.clone()}
        rows = measured(function, *operands, **keywords)
        assert rows
        expected = 0.5 * reference - 3.0 * old.double()
        errors = {str(row.description.id): error(one, expected)
                  for row, one in by_each(rows[:10], function, *operands, **keywords)}  # fmt: skip
        bound = 2 * BOUNDS[dtype]
        assert {name: one for name, one in errors.items() if not one < bound} == {}


# Outputs ------------------------------------------------------------------------------------------------------------


def test_out_is_returned_as_given_and_inputs_stay_as_they_are() -> None:
    import torch

    x, w = random((2, 16, 9, 9), "float16", True, seed=1), random((24, 16, 3, 3), "float16", True, seed=2)
    dy, bias = random((2, 24, 9, 9), "float16", True, seed=3), random((24,), "float16", False, seed=4)
    z, y = random((2, 24, 9, 9), "float16", True, seed=5), dy.double().softmax(1).half()
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = [
        (ck.conv2d, (x, w), {"padding": 1}, dy),
        (ck.conv2d, (x, w, bias), {"padding": 1, "activation": "relu"}, dy),
        (ck.conv2d, (x, w, bias), {"padding": 1, "activation": "gelu", "residual": z}, dy),
        (ck.conv_data_gradient, (dy, w, x.shape), {"padding": 1}, x),
        (ck.conv_filter_gradient, (x, dy, 3), {"padding": 1}, w),
        (ck.conv_bias_gradient, (dy,), {}, bias),
        (ck.conv_transpose2d, (dy, w), {"padding": 1}, x),
        (ck.bias_add, (dy, bias, 1), {}, dy),
        (ck.activation, (dy, "tanh"), {}, dy),
        (ck.activation, (dy, "leaky_relu"), {}, dy),
        (ck.activation_backward, (dy, z, "tanh"), {}, dy),
        (ck.activation_backward, (dy, z, "tanh"), {"y": y}, dy),
        (ck.softmax, (dy, 1), {}, dy),
        (ck.log_softmax, (dy, 2), {}, dy),
        (ck.softmax_backward, (dy, y, 1), {}, dy),
        (ck.log_softmax_backward, (dy, y, 1), {}, dy),
    ]
    for function, operands, keywords, like in calls:
        tensors = [one for one in (*operands, *keywords.values()) if isinstance(one, torch.Tensor)]
        kept = [one.clone() for one in tensors]
        for _ in range(2):  # a search, and a plan found again
            out = poisoned(like)
            assert function(*operands, **keywords, out=out) is out, function
            assert torch.isfinite(out).all(), function
        fresh = function(*operands, **keywords)
        assert fresh.data_ptr() not in [one.data_ptr() for one in tensors], function
        assert all(map(torch.equal, tensors, kept)), function
        assert float((fresh.double() - out.double()).abs().max()) <= 0.05 * float(fresh.double().abs().max()), function


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "relu", "elu"])
def test_no_kernel_of_an_activation_writes_into_its_argument(name: str) -> None:
    import torch

    x, dy = random((3, 16, 33), "float32", False, seed=1), random((3, 16, 33), "float32", False, seed=2)
    y = activated(name, x.double()).float()
    for function, operands, keywords in (
        (ck.activation, (x, name), {}),
        (ck.activation_backward, (dy, x, name), {"y": y}),
    ):
        kept = [one.clone() for one in (x, dy, y)]
        rows = measured(function, *operands, **keywords)
        assert {row.description.id.api for row in rows} >= {"array"}
        assert len(rows) >= 2, "only one kernel was measured"
        for row, _ in by_each(rows, function, *operands, **keywords):
            assert all(map(torch.equal, (x, dy, y), kept)), row.description.id


# Softmax ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", [False, True], ids=["softmax", "log_softmax"])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((64, 1000), 1),
        ((32, 50_000), 1),
        ((4096, 128), 0),
        ((8, 21, 64, 64), 1),
        ((4, 12, 256, 256), 3),
        ((3, 5, 7), 1),
    ],
    ids=str,
)
def test_softmax_over_any_axis_and_what_it_costs(shape: tuple[int, ...], axis: int, log: bool) -> None:
    """The axis lies outermost, in the middle and innermost, short and long; each kernel's times are printed."""
    import torch

    x, dy = random(shape, "float32", False, seed=1), random(shape, "float32", False, seed=2)
    forward, backward = (ck.log_softmax, ck.log_softmax_backward) if log else (ck.softmax, ck.softmax_backward)
    wide = x.double().requires_grad_()
    with torch.enable_grad():
        y = (torch.log_softmax if log else torch.softmax)(wide, axis)
        (dx,) = torch.autograd.grad(y, wide, dy.double())
    result = y.detach().float()
    for function, operands, reference in ((forward, (x, axis), y.detach()), (backward, (dy, result, axis), dx)):
        rows = measured(function, *operands)
        assert {row.description.id.api for row in rows} >= {"legacy", "array"}
        errors = {str(row.description.id): error(found, reference)
                  for row, found in by_each(rows, function, *operands)}  # fmt: skip
        assert {name: one for name, one in errors.items() if not one < 2e-5} == {}


# Fusion -------------------------------------------------------------------------------------------------------------


def test_cudnns_and_the_array_librarys_elementwise_kernels_are_both_measured() -> None:
    x, bias = random((32, 64, 56, 56), "float16", True, seed=1), random((64,), "float16", False, seed=2)
    for function, operands, keywords in (
        (ck.bias_add, (x, bias, 1), {"out": x}),
        (ck.activation, (x, "relu"), {}),
        (ck.activation, (x, "sigmoid"), {}),
        (ck.activation_backward, (x, x, "gelu"), {}),
    ):
        # cuDNN's are compiled at run time: beside other tests that takes a while.
        rows = measured(function, *operands, **keywords, budget_ms=20_000)
        apis = {row.description.id.api for row in rows}
        assert "array" in apis, function
        assert apis & {"legacy", "graph"}, function
        assert all(row.seconds for row in rows)


@pytest.mark.parametrize(
    ("x", "w", "arguments"),
    [
        ((16, 3, 224, 224), (64, 3, 7, 7), {"stride": 2, "padding": 3}),
        ((16, 128, 28, 28), (128, 4, 3, 3), {"padding": 1, "groups": 32}),
        ((16, 64, 28, 28), (64, 64, 3, 3), {"padding": 1}),
    ],
    ids=["7x7", "groups", "plain"],
)
def test_fused_and_apart_are_both_measured_and_the_faster_is_taken(x: Any, w: Any, arguments: Any) -> None:
    image, filters = random(x, "float16", True, seed=1), random(w, "float16", True, seed=2) * 0.1
    bias = random((w[0],), "float16", False, seed=3)
    y = convolution(image, filters, **arguments)
    z = random(tuple(y.shape), "float16", True, seed=4)
    call = {**arguments, "residual": z, "activation": "relu"}
    rows = measured(ck.conv2d, image, filters, bias, **call, budget_ms=20_000)
    apart = [row for row in rows if ", then bias + residual + relu" in row.description.id.name]
    assert apart, "the convolution with everything else afterwards was not measured"
    chosen = next(row for row in rows if row.status == "chosen")
    assert time_of(chosen, chosen) <= 1.01 * min(time_of(row, chosen) for row in rows)
    value = (y + bias.double().view(1, -1, 1, 1) + z.double()).relu()
    assert error(ck.conv2d(image, filters, bias, **call), value) < 2 * BOUNDS["float16"]


# Few channels -------------------------------------------------------------------------------------------------------


PAD = "channels padded to {}, then convolution"
GATHER = "2x2 pixels gathered into {} channels, then convolution without stride"


@pytest.mark.parametrize("dtype", list(NARROW))
@pytest.mark.parametrize(
    ("x", "w", "arguments", "half", "single"),
    [
        ((8, 3, 64, 64), (32, 3, 3, 3), {"padding": 1}, [PAD.format(4), PAD.format(8)], [PAD.format(4)]),
        (
            (8, 3, 65, 64), (32, 3, 7, 7), {"padding": 3, "stride": 2},
            [PAD.format(4), PAD.format(8), GATHER.format(16)], [PAD.format(4), GATHER.format(12)],
        ),
        (
            (4, 4, 33, 31), (16, 4, 3, 2), {"padding": ((1, 0), (0, 1)), "stride": 2},
            [PAD.format(8), GATHER.format(16)], [GATHER.format(16)],
        ),
        ((4, 13, 20, 20), (24, 13, 3, 3), {"padding": 1}, [PAD.format(16)], [PAD.format(16)]),
        ((4, 3, 8, 16, 16), (16, 3, 3, 3, 3), {"padding": 1}, [PAD.format(4), PAD.format(8)], [PAD.format(4)]),
    ],
    ids=["3x3", "7x7s2", "asymmetric", "13", "3d"],
)  # fmt: skip
def test_padded_and_gathered_channels(
    x: Any, w: Any, arguments: Any, half: list[str], single: list[str], dtype: str
) -> None:
    """Every way is pinned, with what the heuristic answers for the convolution within: right, not fast, is asked."""
    import torch

    image, filters = random(x, dtype, True, seed=1), random(w, dtype, True, seed=2) * 0.1
    bias = random((w[0],), dtype, False, seed=3)
    given, source = dict(arguments), image
    if not isinstance(arguments["padding"], int):
        (top, bottom), (left, right) = given.pop("padding")
        source = torch.nn.functional.pad(image, (left, right, top, bottom))
    y = convolution(source, filters, **given)
    fused = (y + bias.double().view(1, -1, *[1] * (len(x) - 2))).relu()
    ways = single if dtype == "float32" else half
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any, list[str]]] = [
        (ck.conv, (image, filters, bias), {"activation": "relu"}, fused, ways)
    ]
    if source is image:
        dy = random(tuple(y.shape), dtype, True, seed=4)
        dx, dw = gradients(image, filters, dy, **arguments)
        padded = [one for one in ways if "padded" in one]
        calls += [
            (ck.conv_filter_gradient, (image, dy, w[2:]), {}, dw, padded),
            (ck.conv_data_gradient, (dy, filters, x), {}, dx, padded),
        ]
    errors = {}
    for function, operands, more, reference, names in calls:
        keywords = {**arguments, **more, "search": "heuristic"}
        for name in names:
            one = CandidateId("decomposed", name=name)
            ck.pin(one, function, *operands, **keywords)
            chosen = ck.plan(function, *operands, **keywords).choice
            assert chosen is not None
            assert chosen.best.id == one
            errors[f"{function.__name__}: {name}"] = error(function(*operands, **keywords), reference)
            ck.unpin(function, *operands, **keywords)
    print("\n", errors)
    assert {name: found for name, found in errors.items() if not found < 2 * NARROW[dtype]} == {}


def test_a_first_layer_is_not_slower_than_by_engines_alone() -> None:
    """The times of ResNet's first layer are printed: engines on three channels beside padded and gathered ones."""
    x, w = random((64, 3, 224, 224), "float16", True, seed=1), random((64, 3, 7, 7), "float16", True, seed=2)
    bias = random((64,), "float16", False, seed=3)
    rows = measured(ck.conv2d, x, w, bias, padding=3, stride=2, activation="relu", budget_ms=20_000)
    chosen = next(row for row in rows if row.status == "chosen")
    engines = [time_of(row, chosen) for row in rows if row.description.id.api in ("graph", "legacy")]
    assert any("gathered" in row.description.id.name for row in rows)
    assert time_of(chosen, chosen) <= 1.01 * min(engines)


# Memory -------------------------------------------------------------------------------------------------------------


def test_a_search_gives_its_memory_back_to_the_device() -> None:
    """Seen by the driver, not by the pool. Kernels that cuDNN loads stay, so a first search loads them."""
    x, w = random((16, 64, 56, 56), "float32", False, seed=1), random((64, 64, 3, 3), "float32", False, seed=2)
    ck.conv2d(x, w, padding=1)
    found = []
    for _ in range(3):  # other processes take memory, too, but hardly each time
        found.append(_given_and_kept(x, w))
        print("\npeak {} MiB, kept {} MiB, of it workspace {} MiB".format(*(one >> 20 for one in found[-1])))
    peak, lost, workspace = min(found, key=lambda one: one[1])
    result = 4 * 16 * 64 * 56 * 56
    operands = 4 * (x.numel() + w.numel()) + result
    slack = 64 * 2**20
    assert lost <= result + workspace + slack
    # The cap on workspace, and copies of the operands that outgrow the cache.
    assert peak <= max(16 * operands, 64 * 2**20) + 2 * 128 * 2**20 + operands + slack


def _given_and_kept(x: Any, w: Any) -> tuple[int, int, int]:
    """Bytes of a search: at most at a time from the pool; that the device has less afterwards; the chosen workspace."""
    import torch
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())):
        gc.collect()
        ck.workspace.trim()
        torch.cuda.empty_cache()
        torch.cuda.synchronize()
        before, reserved = torch.cuda.mem_get_info()[0], torch.cuda.memory_reserved()
        torch.cuda.reset_peak_memory_stats()
        y = ck.conv2d(x, w, padding=1)
        peak = torch.cuda.max_memory_reserved() - reserved
        workspace = ck.plan(ck.conv2d, x, w, padding=1).workspace
        gc.collect()
        torch.cuda.synchronize()
        lost = before - torch.cuda.mem_get_info()[0]
    del y
    return peak, lost, workspace
