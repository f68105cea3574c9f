"""The epilogue's kernel on the GPU: right whatever the layout and whoever shares memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random

BOUNDS = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 1e-6}
CASES = [((4, 64, 9, 7), True), ((4, 64, 9, 7), False), ((2, 6, 3, 3), True), ((3, 5, 4, 4, 4), False)]


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found:
        yield found


def value(x: Any, bias: Any, residual: Any, after: bool) -> Any:
    import torch

    v = x.double()
    if bias is not None:
        v = v + bias.double().view(1, -1, *(1,) * (x.dim() - 2))
    v = v if after else v + residual.double()
    v = torch.nn.functional.leaky_relu(v, 0.1)
    return v + residual.double() if after else v


def kernel_for(x: Any, dtype: str, after: bool) -> Any:
    """Bias, leaky ReLU and a residual on results like x, prepared."""
    import torch
    from cudnnkit.cuda.epilogue import epilogue_kernel, epilogue_source
    from cudnnkit.problem import Epilogue, TensorSpec

    shape = tuple(x.shape)
    y, bias = TensorSpec("y", shape, x.stride(), dtype), TensorSpec("bias", shape[1:2], (1,), dtype)
    epilogue = Epilogue(True, True, "leaky_relu", (0.1,), after)
    made = epilogue_source(epilogue, y, bias=bias, others=(y, y), architecture=torch.cuda.get_device_capability())
    assert made is not None
    kernel = epilogue_kernel(made, 0)
    assert kernel is not None
    return kernel


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize(("shape", "last"), CASES)
@pytest.mark.parametrize("after", [False, True])
def test_results(dtype: str, shape: Any, last: bool, after: bool) -> None:
    import torch
    from cudnnkit.arrays.torch_library import TorchLibrary
    from cudnnkit.operands import Operands

    library = TorchLibrary()
    x, residual = random(shape, dtype, last, seed=1), random(shape, dtype, last, seed=2)
    bias = random(shape[1:2], dtype, False, seed=3)
    kernel = kernel_for(x, dtype, after)
    expected = value(x, bias, residual, after)
    for target in ("elsewhere", "x", "residual"):
        given = {"x": x.clone(), "residual": residual.clone(), "elsewhere": torch.full_like(x, float("nan"))}
        arrays = (given["x"], bias, given["residual"], given[target])
        kernel.run_on(Operands((), tuple(map(library.pointer, arrays)), library.stream(0)), 0)
        found = given[target].double()
        assert float((found - expected).norm() / expected.norm()) < BOUNDS[dtype], target


def test_calls_are_offered_it() -> None:
    x, bias = random((8, 64, 28, 28), "float16", True, seed=1), random((64,), "float16", False, seed=2)
    report = ck.explain(ck.bias_add, x, bias, activation="gelu", budget_ms=20_000).report
    assert report is not None
    own = [one for one in report.rows if one.description.id.name.startswith("epilogue by a kernel of cudnnkit's own")]
    assert [one.status in ("chosen", "measured") for one in own] == [True], report.text()
    w = random((64, 64, 3, 3), "float32", True, seed=3) * 0.1
    image, z = x.float(), random((8, 64, 28, 28), "float32", True, seed=4)
    call: dict[str, Any] = {"padding": 1, "activation": ("leaky_relu", 0.1), "residual": z, "residual_after": True}
    report = ck.explain(ck.conv2d, image, w, bias.float(), **call, budget_ms=20_000).report
    assert report is not None
    apart = [one for one in report.rows if one.description.id.name.endswith("by one kernel")]
    assert apart, report.text()
    assert {one.status for one in apart} <= {"chosen", "measured"}, report.text()
