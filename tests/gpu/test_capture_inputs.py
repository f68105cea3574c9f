"""Inputs of recorded functions on the real GPU: taken as they are, overwritten, swapped; memory of the first call."""

from __future__ import annotations

import gc
import importlib.util
from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random, without_cudnn

HALF = 4e-3
"""Bound on |result - reference| / |reference| of two layers in float16."""
WIDTH = 32
cupy_only = pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="CuPy is not installed")


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=100):
        yield found


class Net:
    """A residual block of two arguments, which are not alike."""

    def __init__(self) -> None:
        self.w = random((WIDTH, WIDTH, 3, 3), "float16", True, seed=1) * (0.5 / WIDTH**0.5 / 3)

    def __call__(self, x: Any, residual: Any) -> Any:
        y = ck.conv2d(x, self.w, padding=1, activation="relu")
        return ck.conv2d(y, self.w, padding=1, residual=residual, activation="relu")

    def reference(self, x: Any, residual: Any) -> Any:
        import torch

        w = self.w.double().contiguous()
        with without_cudnn():
            y = torch.nn.functional.conv2d(x.double().contiguous(), w, padding=1).relu()
            return (torch.nn.functional.conv2d(y, w, padding=1) + residual.double()).relu()


def images(seed: int, batch: int = 4, size: int = 28) -> Any:
    return random((batch, WIDTH, size, size), "float16", True, seed=seed)


def error(found: Any, reference: Any) -> float:
    return float((found.double() - reference).norm() / reference.norm())


def test_taken_as_they_are_and_overwritten() -> None:
    import torch

    net, x, residual = Net(), images(1), images(2)
    captured = ck.capture(net, static_inputs=True)
    assert error(captured(x, residual), net.reference(x, residual)) < HALF
    own = captured.inputs()
    assert own[0] is x
    assert own[1] is residual
    x.copy_(images(3))
    assert error(captured(x, residual), net.reference(x, residual)) < HALF
    other, more = images(4), images(5)
    assert error(captured(other, more), net.reference(other, more)) < HALF
    assert torch.equal(x, other)
    assert torch.equal(residual, more)
    assert len(captured.report()) == 1, captured.report()


@pytest.mark.parametrize("static", [False, True])
def test_own_arrays_swapped_or_shifted(static: bool) -> None:
    """What a call would overwrite and reads is read first; torch's copies of memory onto itself raise."""
    net, memory = Net(), images(6, batch=16)
    captured = ck.capture(net, static_inputs=static)
    captured(memory[4:8], memory[8:12])
    a, b = captured.inputs()
    expected = net.reference(b, a)
    assert error(captured(b, a), expected) < HALF
    for step in (2, -2):
        a, b = memory[4 + step : 8 + step], memory[8 + step : 12 + step]
        expected = net.reference(a, b)
        assert error(captured(a, b), expected) < HALF, step
    assert len(captured.report()) == 1, captured.report()


def test_arrays_with_gaps_are_copied() -> None:
    import torch

    net, x, residual = Net(), images(7, size=30)[:, :, 1:-1, 1:-1], images(8)
    captured = ck.capture(net, static_inputs=True)
    before = x.clone()
    for one in (x, images(9, size=30)[:, :, 1:-1, 1:-1]):
        assert error(captured(one, residual), net.reference(one, residual)) < HALF
    assert torch.equal(x, before)


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("static", [False, True])
def test_recorded_in_inference_mode_and_called_in_any(static: bool, copy: bool) -> None:
    """Own arrays may be written, and results are of use for autograd, whatever mode the recording was made in."""
    import torch

    net = Net()
    captured = ck.capture(net, static_inputs=static, copy=copy)
    with torch.inference_mode():
        captured(images(14), images(15))
    for number, mode in enumerate((torch.enable_grad, torch.inference_mode, torch.no_grad)):
        x, residual = images(16 + number), images(20 + number)
        with mode():
            y = captured(x, residual)
        assert error(y, net.reference(x, residual)) < HALF, mode
    w = torch.ones_like(y, requires_grad=True)
    (w * y).sum().backward()
    assert torch.equal(w.grad, y)
    if not static:
        own, more = captured.inputs()
        own.copy_(images(24))
        more.copy_(images(25))
        assert error(captured(own, more), net.reference(own, more)) < HALF
    assert len(captured.report()) == 1, captured.report()


def test_worse_aligned_arrays_are_copied_and_dense_ones_taken_after_them() -> None:
    import torch

    net, residual = Net(), images(26)
    captured = ck.capture(net, static_inputs=True)
    shifted = torch.empty(residual.numel() + 1, dtype=residual.dtype, device=residual.device)[1:]
    x = shifted.as_strided(residual.shape, residual.stride(), 1).copy_(images(27))
    assert x.data_ptr() % 16
    assert error(captured(x, residual), net.reference(x, residual)) < HALF
    own, same = captured.inputs()
    assert own.data_ptr() % 16 == 0
    assert same is residual
    wide = images(28, size=30)[:, :, 1:-1, 1:-1]
    assert error(captured(wide, residual), net.reference(wide, residual)) < HALF
    assert len(captured.report()) == 2, captured.report()


def test_the_first_call_holds_no_copy() -> None:
    """Beside what the call takes as it is or the buffer: the results that wait for the recording, and no input."""
    import torch

    net, x, residual = Net(), images(10, batch=64, size=56), images(11, batch=64, size=56)

    def peak(call: Any) -> int:
        ck.workspace.trim()
        gc.collect()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        result = call()
        torch.cuda.synchronize()
        del result
        return torch.cuda.max_memory_allocated() - before

    net(x, residual)
    eager = peak(lambda: net(x, residual))
    peaks, planned = {}, 0
    for static in (False, True):
        captured = ck.capture(net, static_inputs=static)
        peaks[static] = peak(lambda captured=captured: captured(x, residual))  # type: ignore[misc]
        planned = captured.report()[0].planned_bytes
        captured.close()
    size = x.nbytes
    told = f"eager {eager}, first calls {peaks}, planned {planned}, one array {size}"
    assert peaks[True] <= max(eager, planned) + size + 2**20, told
    assert peaks[False] - peaks[True] == pytest.approx(2 * size, rel=0.1), told


@cupy_only
def test_cupy_arrays() -> None:
    import cupy

    x, other = cupy.asarray(images(12)), cupy.asarray(images(13))
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    for one in (x, other, x):
        expected = cupy.maximum(one, 0)
        assert bool((captured(one) == expected).all())
    assert captured.inputs()[0] is x
    assert bool((x == other).all())
    halves = cupy.concatenate((x, 2 * x, 3 * x))
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    captured(halves[4:8])
    expected = cupy.maximum(halves[2:6], 0)
    assert bool((captured(halves[2:6]) == expected).all())
