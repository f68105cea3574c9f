"""First layers in float32 without tensor cores, on the real GPU: every cut against float64."""

from __future__ import annotations

import math
from dataclasses import replace

import cudnnkit as ck
import pytest
from cudnnkit.cuda.first_layer_fma import fma_kernels
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import BOUNDS, Case, Setting, make, random

STRICT = Policy(precision="strict")
PLAIN, RELU = Epilogue(), Epilogue(bias=True, activation="relu")
LEAKY = Epilogue(bias=True, activation="leaky_relu", parameters=(0.1,))
NETWORKS = {
    "VGG 3x3": (Case((64, 3, 224, 224), (64, 3, 3), "float32", pre=(1, 1)), RELU),
    "Darknet 3x3": (Case((64, 3, 256, 256), (32, 3, 3), "float32", pre=(1, 1)), LEAKY),
    "ResNet 7x7/2": (Case((64, 3, 224, 224), (64, 7, 7), "float32", pre=(3, 3), stride=2), RELU),
}
SMALL = [
    (Case((3, 3, 37, 45), (64, 3, 3), "float32", pre=(1, 1)), RELU),
    (Case((2, 3, 29, 18), (24, 5, 4), "float32", pre=(2, 1), post=(1, 3), dilation=2), PLAIN),
    (Case((2, 4, 33, 52), (96, 1, 1), "float32"), Epilogue(bias=True, activation="silu")),
    (Case((5, 1, 7, 6), (8, 3, 3), "float32", pre=(2, 2), mode="convolution"), Epilogue(bias=True, activation="gelu")),
    (Case((2, 2, 61, 40), (40, 7, 7), "float32", pre=(3, 3), stride=2), Epilogue(activation="tanh")),
    (Case((2, 3, 1000), (32, 9), "float32", pre=(4,), stride=3), LEAKY),
    (Case((2, 3, 40, 40), (17, 3, 9), "float32", pre=(4, 12), dilation=3), Epilogue(bias=True, activation="relu6")),
]
layouts = pytest.mark.parametrize("last", [False, True], ids=["NCHW", "NHWC"])


def check(setting: Setting, lines: list[str]) -> None:
    """Every cut on a poisoned result; what is wrong goes into `lines`."""
    import torch

    problem = setting.problem
    kernels = fma_kernels(problem, 0, most=9)
    assert kernels, problem.label
    for kernel in kernels:
        error = setting.run(kernel.prepare())
        if error <= BOUNDS["float32"]:
            continue
        found = setting.arrays["y"].double()
        off = (found - setting.reference).abs()
        worst = torch.nan_to_num(off, nan=math.inf).flatten().argmax()
        place = tuple(int(one) for one in torch.unravel_index(worst, off.shape))
        lines.append(
            f"{problem.label}: {kernel.description.id}: error {error:.3g}, {int((~found.isfinite()).sum())} of"
            f" {found.numel()} no numbers; worst {float(found[place]):.6g} for {float(setting.reference[place]):.6g}"
            f" at {place}"
        )


@layouts
def test_every_cut_on_small_images(last: bool) -> None:
    lines: list[str] = []
    for case, epilogue in SMALL:
        check(make(replace(case, last=last), epilogue=epilogue, policy=STRICT), lines)
    assert not lines, "\n".join(lines)


@layouts
def test_every_cut_on_the_networks_layers(last: bool) -> None:
    lines: list[str] = []
    for case, epilogue in NETWORKS.values():
        check(make(replace(case, x=(3, *case.x[1:]), last=last), epilogue=epilogue, policy=STRICT), lines)
    assert not lines, "\n".join(lines)


@layouts
def test_what_is_no_number_stays_where_it_belongs(last: bool) -> None:
    import torch

    setting = make(Case((2, 3, 40, 40), (64, 3, 3), "float32", last, pre=(1, 1)), epilogue=RELU, policy=STRICT)
    x, y = setting.arrays["x"], setting.arrays["y"]
    x[1, 2, 20, 21] = math.nan
    for kernel in fma_kernels(setting.problem, 0, most=9):
        setting.run(kernel.prepare())
        none = torch.zeros_like(y, dtype=torch.bool)
        none[1, :, 19:22, 20:23] = True
        assert torch.equal(y.isnan(), none), str(kernel.description.id)


@layouts
def test_strict_calls_are_offered_it(last: bool, capsys: pytest.CaptureFixture[str]) -> None:
    from cudnnkit.backend import CudnnBackend

    x, w = random((16, 3, 224, 224), "float32", last, seed=1), random((64, 3, 3, 3), "float32", last, seed=2)
    with use_tuner(Tuner(CudnnBackend())):
        report = ck.explain(ck.conv2d, x, w, padding=1, precision="strict", budget_ms=20_000).report
    assert report is not None
    rows = sorted((one for one in report.rows if one.seconds), key=lambda one: one.seconds or 0.0)
    table = [f"  {1e3 * (one.seconds or 0):.4f} ms  {one.description.id}  {one.status}" for one in rows]
    with capsys.disabled():
        print("", f"strict 3x3 of {tuple(x.shape)}, {'NHWC' if last else 'NCHW'}", *table[:6], sep="\n")
    refused = [f"{one.description.id}: {one.reason}" for one in report.rows if one.description.id.api == "array"]
    assert any("cudnnkit's own (float32" in str(one.description.id) for one in rows), refused
