"""First layers on the real GPU: every cut of the kernel right against float64."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.cuda.first_layer import first_layer_kernels
from cudnnkit.problem import Epilogue
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import Case, Setting, bound, make, random

TYPES = ("float16", "bfloat16", "float32")
PLAIN, RELU = Epilogue(), Epilogue(bias=True, activation="relu")
LEAKY = Epilogue(bias=True, activation="leaky_relu", parameters=(0.1,))
NETWORKS = {
    "VGG 3x3": (Case((64, 3, 224, 224), (64, 3, 3), pre=(1, 1)), RELU),
    "Darknet 3x3 at 256": (Case((64, 3, 256, 256), (32, 3, 3), pre=(1, 1)), LEAKY),
    "Darknet 3x3 at 224": (Case((128, 3, 224, 224), (32, 3, 3), pre=(1, 1)), LEAKY),
    "ResNet 7x7/2": (Case((64, 3, 224, 224), (64, 7, 7), pre=(3, 3), stride=2), RELU),
}
SMALL = [
    (Case((3, 3, 37, 45), (64, 3, 3), pre=(1, 1)), RELU),
    (Case((2, 3, 29, 18), (24, 5, 4), pre=(2, 1), post=(1, 3), dilation=2), PLAIN),
    (Case((2, 4, 33, 50), (96, 1, 1)), Epilogue(bias=True, activation="silu")),
    (Case((5, 1, 7, 6), (8, 3, 3), pre=(2, 2), mode="convolution"), Epilogue(bias=True, activation="gelu")),
    (Case((2, 2, 61, 40), (40, 7, 7), pre=(3, 3), stride=2), Epilogue(activation="tanh")),
    (Case((2, 3, 1000), (32, 9), pre=(4,), stride=3), LEAKY),
    (Case((2, 3, 90, 70), (64, 9, 9), pre=(2, 2), stride=4), Epilogue(bias=True, activation="relu6")),
    (Case((2, 3, 64, 48), (128, 4, 4), stride=4), Epilogue(bias=True, activation="sigmoid")),
]


def check(setting: Setting, lines: list[str]) -> None:
    """Every cut on a poisoned result; what is wrong goes into `lines`."""
    import torch

    problem = setting.problem
    kernels = first_layer_kernels(problem, 0, most=9)
    assert kernels, problem.label
    for kernel in kernels:
        error = setting.run(kernel.prepare())
        if error <= bound(kernel.description.numerical, problem.tensors[0].dtype):
            continue
        found = setting.arrays["y"].double()
        off = (found - setting.reference).abs()
        worst = torch.nan_to_num(off, nan=math.inf).flatten().argmax()
        place = tuple(int(one) for one in torch.unravel_index(worst, off.shape))
        lines.append(
            f"{problem.label}: {kernel.description.id}: error {error:.3g}, {int((~found.isfinite()).sum())} of"
            f" {found.numel()} no numbers; worst {float(found[place]):.4g} for {float(setting.reference[place]):.4g}"
            f" at {place}"
        )


@pytest.mark.parametrize("dtype", TYPES)
def test_every_cut_on_small_images(dtype: str) -> None:
    lines: list[str] = []
    for case, epilogue in SMALL:
        check(make(replace(case, dtype=dtype), epilogue=epilogue), lines)
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("dtype", TYPES)
def test_every_cut_on_the_networks_layers(dtype: str) -> None:
    lines: list[str] = []
    for case, epilogue in NETWORKS.values():
        check(make(replace(case, x=(3, *case.x[1:]), dtype=dtype), epilogue=epilogue), lines)
    assert not lines, "\n".join(lines)


def test_what_is_no_number_stays_where_it_belongs() -> None:
    import torch

    for dtype in TYPES:
        setting = make(Case((2, 3, 40, 40), (64, 3, 3), dtype, pre=(1, 1)), epilogue=RELU)
        x, y = setting.arrays["x"], setting.arrays["y"]
        x[1, 2, 20, 21] = math.nan
        for kernel in first_layer_kernels(setting.problem, 0, most=9):
            setting.run(kernel.prepare())
            none = torch.zeros_like(y, dtype=torch.bool)
            none[1, :, 19:22, 20:23] = True
            assert torch.equal(y.isnan(), none), f"{dtype} {kernel.description.id}"


def test_calls_are_offered_it_and_precision_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    from cudnnkit.backend import CudnnBackend

    def own(x: Any, w: Any, bias: Any, **limits: Any) -> list[str]:
        with use_tuner(Tuner(CudnnBackend())):
            report = ck.explain(ck.conv2d, x, w, bias, padding=1, activation="relu", budget_ms=20_000, **limits).report
        assert report is not None
        rows = sorted((one for one in report.rows if one.seconds), key=lambda one: one.seconds or 0.0)
        table = [f"  {1e3 * (one.seconds or 0):.4f} ms  {one.description.id}  {one.status}" for one in rows]
        refused = [f"  {one.description.id}: {one.reason}" for one in report.rows if one.description.id.api == "array"]
        with capsys.disabled():
            print("", f"3x3 of {tuple(x.shape)} {x.dtype} {limits}", *table[:8], *refused, sep="\n")
        # float32 has one without tensor cores, too.
        ours = [name for name in (str(one.description.id) for one in rows) if "cudnnkit's own (" in name]
        return [name for name in ours if "float32" not in name]

    for dtype in ("float16", "float32"):
        x, w = random((16, 3, 224, 224), dtype, True, seed=1), random((64, 3, 3, 3), dtype, True, seed=2)
        bias = random((64,), dtype, False, seed=3)
        assert own(x, w, bias)
        assert bool(own(x, w, bias, precision="strict")) == (dtype == "float16")
