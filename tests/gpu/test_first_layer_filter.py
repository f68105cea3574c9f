"""Filter gradients of first layers on the real GPU: both kernels right against float64."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.cuda.first_layer_filter import filter_kernels
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import Case, Setting, bound, make, random

TYPES = ("float16", "bfloat16", "float32")
NETWORKS = {
    "VGG 3x3": Case((64, 3, 224, 224), (64, 3, 3), pre=(1, 1)),
    "Darknet 3x3 at 256": Case((64, 3, 256, 256), (32, 3, 3), pre=(1, 1)),
    "Darknet 3x3 at 224": Case((128, 3, 224, 224), (32, 3, 3), pre=(1, 1)),
    "ResNet 7x7/2": Case((64, 3, 224, 224), (64, 7, 7), pre=(3, 3), stride=2),
}
SMALL = [
    Case((3, 3, 37, 45), (64, 3, 3), pre=(1, 1)),
    Case((2, 3, 29, 18), (24, 5, 4), pre=(2, 1), post=(1, 3), dilation=2),
    Case((2, 4, 33, 50), (96, 1, 1)),
    Case((5, 1, 7, 6), (8, 3, 3), pre=(2, 2), mode="convolution"),
    Case((2, 2, 61, 40), (40, 7, 7), pre=(3, 3), stride=2),
    Case((2, 3, 1000), (32, 9), pre=(4,), stride=3),
    Case((2, 3, 90, 70), (64, 4, 4), stride=4),
    Case((1, 4, 3, 5), (128, 3, 5), pre=(1, 2), mode="convolution"),
]


def run(setting: Setting, kernel: Any) -> float:
    """On NaN everywhere, the workspace included; the error."""
    import torch

    setting.poison()
    executable = kernel.prepare()
    space = torch.full((executable.workspace,), 255, dtype=torch.uint8, device="cuda")
    executable.run(setting.arguments, space.data_ptr())
    torch.cuda.synchronize()
    return setting.error()


def check(setting: Setting, lines: list[str]) -> None:
    """Both kernels, twice; what is wrong goes into `lines`."""
    import torch

    problem, dw = setting.problem, setting.arrays["dw"]
    found = filter_kernels(problem, 0)
    assert found, problem.label
    for kernel in found:
        error = run(setting, kernel)
        first, label = dw.clone(), f"{problem.label}: {kernel.description.id}, steps {kernel.steps}"
        if not error <= bound(kernel.description.numerical, problem.tensors[0].dtype):
            off = torch.nan_to_num((dw.double() - setting.reference).abs(), nan=math.inf)
            place = tuple(int(one) for one in torch.unravel_index(off.flatten().argmax(), off.shape))
            lines.append(
                f"{label}: error {error:.3g}, {int((~dw.isfinite()).sum())} of {dw.numel()} no numbers; worst"
                f" {float(dw[place]):.4g} for {float(setting.reference[place]):.4g} at {place}; errors by tap"
                f" {off.amax((0, 1)).flatten().tolist()[:16]}, by filter {off.flatten(1).amax(1).tolist()[:24]}"
            )
        run(setting, kernel)
        if not torch.equal(dw, first):
            lines.append(f"{label}: a second run gave other bits")


@pytest.mark.parametrize("dtype", TYPES)
def test_both_kernels_on_small_images(dtype: str) -> None:
    lines: list[str] = []
    for case in SMALL:
        check(make(replace(case, dtype=dtype), "conv_wgrad"), lines)
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("dtype", TYPES)
def test_both_kernels_on_the_networks_layers(dtype: str) -> None:
    lines: list[str] = []
    for case in NETWORKS.values():
        check(make(replace(case, x=(3, *case.x[1:]), dtype=dtype), "conv_wgrad"), lines)
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_is_infinite_touches_its_own_taps_alone(dtype: str) -> None:
    # dy is 9 wide: products of 16 pixels have 7 that are none, and taps through which those see the image.
    setting = make(Case((2, 3, 4, 20), (16, 1, 12), dtype), "conv_wgrad")
    setting.arrays["x"][1, 2, 3, 12] = math.inf
    for kernel in filter_kernels(setting.problem, 0):
        run(setting, kernel)
        dw = setting.arrays["dw"]
        assert bool(dw[:, :2].isfinite().all()), kernel.description.id
        assert bool(dw[:, 2, :, :4].isfinite().all()), kernel.description.id
        assert not bool(dw[:, 2, :, 4:].isfinite().any()), kernel.description.id


def test_calls_are_offered_them_and_precision_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    from cudnnkit.backend import CudnnBackend

    def own(x: Any, dy: Any, **limits: Any) -> list[str]:
        arguments = x, dy, 3
        with use_tuner(Tuner(CudnnBackend())):
            report = ck.explain(ck.conv_filter_gradient, *arguments, padding=1, budget_ms=1500, **limits).report
        assert report is not None
        rows = sorted((one for one in report.rows if one.seconds), key=lambda one: one.seconds or 0.0)
        table = [f"  {1e3 * (one.seconds or 0):.4f} ms  {one.description.id}  {one.status}" for one in rows]
        told = [f"  {one.description.id}: {one.reason}" for one in report.rows if one.description.id.api == "array"]
        with capsys.disabled():
            print("", f"3x3 of {tuple(x.shape)} {x.dtype} {limits}", *table[:8], *told, sep="\n")
        return [str(one.description.id) for one in rows if "cudnnkit's own (" in str(one.description.id)]

    for dtype in ("float16", "float32"):
        x, dy = random((16, 3, 224, 224), dtype, True, seed=1), random((16, 64, 224, 224), dtype, True, seed=2)
        assert own(x, dy)
        assert bool(own(x, dy, precision="strict")) == (dtype == "float16")
