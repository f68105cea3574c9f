"""Recorded functions on the real GPU: as exact as without, in planned memory, with torch's and CuPy's arrays."""

from __future__ import annotations

import gc
import importlib.util
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random, without_cudnn

cupy_only = pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="CuPy is not installed")
LAYERS, WIDTH = 8, 32
HALF = 4e-3
"""Bound on |result - reference| / |reference| of a chain of layers in float16."""


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=100):
        yield found


@pytest.fixture(autouse=True)
def _nothing_is_recording_afterwards() -> Iterator[None]:
    import torch

    yield
    assert not torch.cuda.is_current_stream_capturing()
    torch.cuda.synchronize()
    assert torch.randn(4, device="cuda").add(1).isfinite().all()  # memory and random numbers are as ever


class Net:
    """Residual blocks: two convolutions each."""

    def __init__(self, dtype: str = "float16") -> None:
        self.weights = [
            (
                random((WIDTH, WIDTH, 3, 3), dtype, True, seed=10 + layer) * (0.5 / WIDTH**0.5 / 3),
                random((WIDTH,), dtype, False, seed=90 + layer),
            )
            for layer in range(LAYERS)
        ]

    def __call__(self, x: Any) -> Any:
        for (w, b), (v, c) in zip(self.weights[::2], self.weights[1::2], strict=True):
            y = ck.conv2d(x, w, b, padding=1, activation="relu")
            x = ck.conv2d(y, v, c, padding=1, residual=x, activation="relu")
        return x

    def reference(self, x: Any) -> Any:
        import torch

        conv = torch.nn.functional.conv2d
        x = x.double().contiguous()
        with without_cudnn():
            for (w, b), (v, c) in zip(self.weights[::2], self.weights[1::2], strict=True):
                y = conv(x, w.double().contiguous(), b.double(), padding=1).relu()
                x = (conv(y, v.double().contiguous(), c.double(), padding=1) + x).relu()
        return x


def images(seed: int, batch: int = 8, size: int = 28, dtype: str = "float16") -> Any:
    return random((batch, WIDTH, size, size), dtype, True, seed=seed)


def error(found: Any, reference: Any) -> float:
    import torch

    assert found.shape == reference.shape
    assert torch.isfinite(found).all()
    return float((found.double() - reference).norm() / reference.norm())


def told(captured: ck.Captured) -> str:
    return "\n".join(map(str, captured.report()))


def test_eight_replays_on_new_inputs() -> None:
    import torch

    net = Net()
    captured = ck.capture(net)
    inputs = [images(seed) for seed in range(9)]
    results = [captured(x) for x in inputs]
    for place, (x, y) in enumerate(zip(inputs, results, strict=True)):
        assert error(y, net.reference(x)) < HALF, f"call {place}; {told(captured)}"
        assert y.stride() == x.stride()
        eager = net(x)
        assert torch.equal(y, eager) or error(y, eager.double()) < HALF
    (report,) = captured.report()
    assert (report.replays, report.launches, report.unplanned) == (8, LAYERS, 0), told(captured)
    assert report.nodes is None or report.nodes >= LAYERS, told(captured)


def test_memory_is_shared_by_plan() -> None:
    """Two results of eight are alive at a time, and workspace lies where nothing else does at its time."""
    import torch

    net, x = Net(), images(1, batch=32, size=56)
    captured = ck.capture(net, copy=False)
    captured(x)
    (report,) = captured.report()
    assert report.planned_bytes <= 1.1 * report.least_bytes, told(captured)
    assert report.planned_bytes < 0.6 * report.intermediate_bytes, told(captured)
    ck.workspace.trim()
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    captured(x)
    torch.cuda.synchronize()
    assert torch.cuda.max_memory_allocated() == before  # a replay allocates nothing
    captured.close()
    gc.collect()
    freed = before - torch.cuda.memory_allocated()
    size = x.numel() * 2
    assert freed >= report.planned_bytes + size - 2**20, (freed, told(captured))
    assert freed <= report.planned_bytes + size + LAYERS * 2**20, (freed, told(captured))


def test_the_callers_arrays_may_go() -> None:
    import torch

    net, x = Net(), images(1)
    captured = ck.capture(net, copy=False)
    y = captured(x)
    expected = net.reference(x)
    weights, net.weights = net.weights, []
    other, reference = images(2), Net()
    reference.weights = weights
    second = reference.reference(other)
    del weights, reference.weights, x
    gc.collect()
    torch.cuda.empty_cache()
    junk = [torch.full((8, WIDTH, 28, 28), float("nan"), device="cuda", dtype=torch.float16) for _ in range(64)]
    assert error(y, expected) < HALF
    del expected
    assert error(captured(other), second) < HALF
    del junk
    (own,) = captured.inputs()
    captured.close()
    assert error(y, second) < HALF  # results stay
    del own


def test_own_inputs_are_read_where_they_are() -> None:
    net = Net()
    captured = ck.capture(net)
    captured(images(1))
    (own,) = captured.inputs()
    other = images(3)
    own.copy_(other)
    assert error(captured(own), net.reference(other)) < HALF
    assert len(captured.report()) == 1


def test_torch_takes_part() -> None:
    """Torch's own operations in between: their memory is the graph's, views of ours keep ours, no plan overlaps."""
    import torch

    net = Net()

    def mixed(x: Any) -> Any:
        y = net(x)
        z = torch.nn.functional.max_pool2d(y, 2)
        kept = y[:, ::2].flatten(1)
        del y
        z = ck.conv2d(z.contiguous(memory_format=torch.channels_last), net.weights[0][0], padding=1)
        for _ in range(3):
            z = torch.tanh(ck.conv2d(z, net.weights[1][0], padding=1))
        return z, kept.float().mean(1), torch.softmax(z.mean((2, 3)), 1)

    captured = ck.capture(mixed)
    for seed in range(4):
        x = images(seed)
        for found, expected in zip(captured(x), mixed(x), strict=True):
            assert error(found, expected.double()) < HALF, told(captured)
    assert captured.report()[0].unplanned == 0


def test_random_numbers_differ_at_each_replay() -> None:
    import torch

    w = random((WIDTH, WIDTH, 1, 1), "float16", True, seed=1)
    captured = ck.capture(lambda x: torch.nn.functional.dropout(ck.conv2d(x, w), 0.5))
    x = images(1)
    masks = [captured(x) == 0 for _ in range(4)]
    assert all(not torch.equal(one, other) for one, other in itertools.pairwise(masks))
    assert 0.4 < float(masks[-1].double().mean()) < 0.6


def test_weights_are_read_in_place() -> None:
    net = Net()
    captured = ck.capture(net)
    x = images(1)
    captured(x)
    net.weights[3][0].mul_(-1)
    assert error(captured(x), net.reference(x)) < HALF


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_other_types_and_shapes(dtype: str) -> None:
    net = Net(dtype)
    captured = ck.capture(net)
    for batch, size in ((2, 14), (3, 9), (2, 14)):
        x = images(batch, batch, size, dtype)
        assert error(captured(x), net.reference(x)) < (3e-2 if dtype == "bfloat16" else 4e-3), told(captured)
    assert len(captured.report()) == 2


@pytest.mark.parametrize("precision", ["fast", "strict"])
def test_legacy_algorithms_and_decompositions(precision: Any) -> None:
    """Strict float32 often takes the legacy API; leaky ReLU and asymmetric padding are decomposed."""
    w = [random((WIDTH, WIDTH, 3, 3), "float32", False, seed=seed) * 0.05 for seed in range(3)]

    def function(x: Any) -> Any:
        x = ck.conv2d(x, w[0], padding=((1, 1), (0, 2)), activation="relu")
        x = ck.leaky_relu(ck.conv2d(x, w[1], padding=1), 0.1)
        return ck.softmax(ck.conv2d(x, w[2], padding=1, stride=2), axis=1)

    with ck.use_policy(precision=precision):
        captured = ck.capture(function)
        for seed in range(3):
            x = random((4, WIDTH, 20, 20), "float32", False, seed=seed)
            assert error(captured(x), function(x).double()) < 2e-3, told(captured)


@pytest.mark.parametrize(
    "wait",
    [lambda y: y.sum().item(), lambda y: y.cpu(), lambda _: __import__("torch").cuda.synchronize()],
    ids=["item", "cpu", "synchronize"],
)
def test_a_function_that_waits(wait: Callable[[Any], Any]) -> None:
    import torch

    net = Net()

    def waits(x: Any) -> Any:
        y = net(x)
        wait(y)
        return y

    captured = ck.capture(waits)
    x = images(1)
    with pytest.raises(ck.CaptureError) as caught:
        captured(x)
    print(caught.value)
    assert f"launch {LAYERS}, " in str(caught.value)
    assert not torch.cuda.is_current_stream_capturing()
    reference = net.reference(x)
    assert error(captured(x), reference) < HALF  # as it is
    assert torch.rand(1000, device="cuda").mean() > 0.1
    good = ck.capture(net)
    for _ in range(2):
        assert error(good(x), reference) < HALF


def test_other_streams_and_threads() -> None:
    import torch

    net = Net()
    captured = ck.capture(net)
    inputs = [images(seed, size=14) for seed in range(4)]
    references = [net.reference(x) for x in inputs]
    captured(inputs[0])
    torch.cuda.synchronize()
    wrong: list[Any] = []

    def work(x: Any, reference: Any) -> None:
        with ck.use_policy(budget_ms=100), torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(10):
                y = captured(x)
                if error(y, reference) >= HALF:
                    wrong.append(y)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(inputs, references, strict=True)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
    assert captured.report()[-1].replays == 40


def test_within_torchs_own_graph() -> None:
    import torch

    net = Net()
    captured = ck.capture(net)
    x = images(1)
    captured(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = captured(x)
    x.copy_(images(2))
    graph.replay()
    assert error(y, net.reference(x)) < HALF
    assert captured.report()[0].replays == 0


@cupy_only
def test_cupy() -> None:
    import cupy
    import torch

    weights = [cupy.from_dlpack(random((16, 16, 3, 3), "float32", False, seed=seed)) * 0.1 for seed in range(4)]

    def function(x: Any) -> Any:
        for w in weights:
            x = cupy.tanh(ck.conv2d(x, w, padding=1, activation="relu")) + 0.5  # CuPy's own memory in between
        return {"y": x, "sum": x.sum(axis=(2, 3))}

    captured = ck.capture(function)
    inputs = [cupy.from_dlpack(random((4, 16, 9, 9), "float32", False, seed=20 + seed)) for seed in range(4)]
    results = [captured(x) for x in inputs]
    cupy.get_default_memory_pool().free_all_blocks()
    junk = [cupy.full((4, 16, 9, 9), cupy.nan, "float32") for _ in range(64)]
    results += [captured(x) for x in inputs]
    del junk
    for x, found in zip(inputs * 2, results, strict=True):
        for name, one in function(x).items():
            assert error(torch.from_dlpack(found[name]), torch.from_dlpack(one).double()) < 1e-5, told(captured)
    (report,) = captured.report()
    assert (report.unplanned, report.launches) == (0, 4), told(captured)
    waits = ck.capture(lambda x: ck.relu(x) * float(ck.relu(x).sum()))
    with pytest.raises(ck.CaptureError):
        waits(inputs[0])
    cupy.testing.assert_allclose(waits(inputs[0]), cupy.maximum(inputs[0], 0) * float(cupy.maximum(inputs[0], 0).sum()))
    captured.close()
    cupy.cuda.Device().synchronize()
