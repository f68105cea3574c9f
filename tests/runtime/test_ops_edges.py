"""Empty operands, bad arguments, outputs that overlap, tensors past 32 bits."""

from __future__ import annotations

import itertools
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.decompose import split
from cudnnkit.testing import SimulatedCandidate, SimulatedDevice, simulated

from .references import convolve, data_gradient, filter_gradient, random

PLAIN = {"pre": (0, 0), "stride": (1, 1), "dilation": (1, 1), "groups": 1}


def test_empty_batch_and_empty_width_are_answered_without_cudnn(device: SimulatedDevice) -> None:
    w = random(4, 3, 3, 3)
    assert ck.conv2d(np.zeros((0, 3, 5, 5)), w).shape == (0, 4, 3, 3)
    assert ck.conv2d(np.zeros((2, 3, 0, 5)), w).shape == (2, 4, 0, 3)
    assert ck.conv_data_gradient(np.zeros((0, 4, 3, 3)), w).shape == (0, 3, 5, 5)
    assert ck.relu(np.zeros((0, 3))).shape == ck.softmax(np.zeros((0, 3))).shape == (0, 3)
    assert ck.bias_add(np.zeros((2, 3, 0)), np.zeros(3)).shape == (2, 3, 0)
    assert not device.offered
    assert not device.launches


def test_output_larger_than_an_empty_input_gets_bias_and_activation(device: SimulatedDevice) -> None:
    bias = np.array([-1.0, 2.0])
    y = ck.conv2d(np.zeros((1, 3, 0, 2)), random(2, 3, 1, 1), bias, padding=1, activation="relu")
    np.testing.assert_array_equal(y, np.broadcast_to(np.array([0, 2.0]).reshape(1, 2, 1, 1), (1, 2, 2, 4)))
    out, z = np.full((1, 2, 2, 4), 5.0), np.ones((1, 2, 2, 4))
    ck.conv2d(np.zeros((1, 3, 0, 2)), random(2, 3, 1, 1), bias, padding=1, residual=z, beta=2, out=out)
    np.testing.assert_array_equal(out, np.broadcast_to((bias + 11).reshape(1, 2, 1, 1), out.shape))
    assert not device.offered


def test_the_filter_gradient_of_an_empty_batch_is_zero(device: SimulatedDevice) -> None:
    dw = ck.conv_filter_gradient(np.zeros((0, 3, 5, 5)), np.zeros((0, 4, 3, 3)), 3)
    np.testing.assert_array_equal(dw, np.zeros((4, 3, 3, 3)))
    out = np.ones(4)
    assert ck.conv_bias_gradient(np.zeros((0, 4, 3, 3)), beta=2, out=out) is out
    np.testing.assert_array_equal(out, np.full(4, 2.0))
    assert not device.offered


X, W = random(2, 4, 6, 6), random(6, 4, 3, 3)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("arguments", "argument", "said"),
    [
        ({"x": X[0]}, "x", "4"),
        ({"w": W[0]}, "w", "same number of axes"),
        ({"w": random(6, 3, 3, 3)}, "w", "4"),
        ({"groups": 3}, "w", "12 together"),
        ({"w": random(6, 2, 3, 3), "groups": 0}, "groups", "at least 1"),
        ({"padding": -1}, "padding", "at least 0"),
        ({"dilation": 0}, "dilation", "at least 1"),
        ({"stride": (1, 0)}, "stride", "at least 1"),
        ({"stride": 1.5}, "stride", "whole"),
        ({"padding": (1, 2, 3)}, "padding", "3 entries"),
        ({"mode": "correlation"}, "mode", "cross-correlation"),
        ({"w": random(6, 4, 7, 3)}, "x", "less than the window"),
        ({"bias": random(5)}, "bias", "6"),
        ({"residual": random(2, 6, 4, 5)}, "residual", r"\(2, 6, 4, 4\)"),
        ({"out": random(2, 6, 4, 5)}, "out", r"\(2, 6, 4, 4\)"),
        ({"out": random(2, 6, 4, 4, dtype="float32")}, "out", "float64"),
        ({"w": W.astype("f4")}, "w", "float64"),
        ({"x": X.astype("c16")}, "x", "complex128"),
        ({"x": X.astype("i4")}, "x", "int32"),
        ({"x": X.tolist()}, "x", "no GPU array"),
        ({"x": None}, "x", "must be given"),
        ({"beta": 1.0}, "beta", "not given"),
        ({"alpha": "1"}, "alpha", "number"),
        ({"paddding": 1}, "paddding", "conv2d has no such argument"),
        ({"precision": "best"}, "precision", "allowed are"),
        ({"padding": {1}}, "argument", "type"),
    ],
)
def test_bad_arguments_name_the_argument(arguments: dict[str, Any], argument: str, said: str) -> None:
    given = {"x": X, "w": W, **arguments}
    with pytest.raises(ck.ArgumentError, match=said) as caught:
        ck.conv2d(given.pop("x"), given.pop("w"), **given)
    assert caught.value.argument == argument


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("shape", [(2, 4, 5, 5, 1), (2, 4, 5), (200,)], ids=str)
@pytest.mark.parametrize(
    "call",
    [
        lambda out: ck.relu(X, out=out),
        lambda out: ck.activation_backward(X, X + 1, "relu", out=out),
        lambda out: ck.softmax(X, out=out),
        lambda out: ck.softmax_backward(X, X + 1, out=out),
        lambda out: ck.bias_add(X, X[0, :, 0, 0], axis=1, out=out),
        lambda out: ck.batch_norm(X, X[0, :, 0, 0], X[0, :, 0, 0] ** 2, out=out),
        lambda out: ck.max_pool(X, 1, out=out),
        lambda out: ck.linear(X, X[0, 0], out=out),
        lambda out: ck.conv_data_gradient(random(2, 6, 3, 3), W, out=out),
        lambda out: ck.conv_filter_gradient(X, random(2, 6, 3, 3), out=out),
    ],
)
def test_an_output_of_another_rank_is_told_with_both_shapes(call: Any, shape: tuple[int, ...]) -> None:
    with pytest.raises(ck.ArgumentError, match=r"\(2, 4, [56], [56]\)") as caught:
        call(np.zeros(shape))
    assert (caught.value.argument, caught.value.value) == ("out", shape)


@pytest.mark.usefixtures("device")
def test_outputs_that_overlap_are_refused_on_every_call() -> None:
    memory = np.zeros(2 * 4 * 36 + 64)
    x, w = memory[: 2 * 4 * 36].reshape(2, 4, 6, 6), random(4, 4, 3, 3)
    over = memory[2 * 4 * 36 - 32 : 2 * 4 * 36 - 32 + 64].reshape(1, 4, 4, 4)
    apart = np.zeros((1, 4, 4, 4))
    for out in (over, apart, over):  # the second call makes a plan that the third one finds
        if out is apart:
            ck.conv2d(x[1:], w, out=out)
            continue
        with pytest.raises(ck.ArgumentError, match="overlaps x"):
            ck.conv2d(x[1:], w, out=out)


@pytest.mark.usefixtures("device")
def test_written_arrays_that_overlap_are_refused_after_a_good_call_too() -> None:
    x, v, buffer = random(2, 16, 3, 3), np.ones(16), np.zeros(40)
    ck.batch_norm_backward(x, x + 1, v, v, v, v, out_scale=buffer[:16], out_bias=buffer[16:32])
    for scale, bias, message in (
        (buffer[:16], buffer[4:20], "out_scale.*overlaps out_bias"),
        (buffer[4:20], buffer[:16], "out_scale.*overlaps out_bias"),
        (buffer[:16], v, "out_bias.*overlaps scale"),
    ):
        with pytest.raises(ck.ArgumentError, match=message):
            ck.batch_norm_backward(x, x + 1, v, v, v, v, out_scale=scale, out_bias=bias)
    ck.batch_norm_training(x, v, v, running_mean=buffer[:16], running_variance=buffer[16:32])
    for mean, variance, message in (
        (buffer[:16], buffer[4:20], "running_mean.*overlaps running_variance"),
        (v, buffer[:16], "running_mean.*overlaps scale"),
    ):
        with pytest.raises(ck.ArgumentError, match=message):
            ck.batch_norm_training(x, v, v, running_mean=mean, running_variance=variance)


@pytest.mark.usefixtures("device")
def test_an_output_cannot_be_the_input_of_a_convolution() -> None:
    x = random(1, 3, 4, 4)
    kept = x.copy()
    with pytest.raises(ck.ArgumentError, match="the same array as x"):
        ck.conv2d(x, random(3, 3, 1, 1), out=x)
    np.testing.assert_array_equal(x, kept)
    with pytest.raises(ck.ArgumentError, match="share memory"):
        ck.conv2d(x, random(3, 3, 1, 1), out=np.lib.stride_tricks.as_strided(np.zeros(4), (1, 3, 4, 4), (0, 0, 0, 8)))


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("strides", [(0, 8), (8, 8), (16, 8), (8, -16), (24, 16)], ids=str)
def test_no_two_elements_of_what_is_written_share_memory(strides: tuple[int, int]) -> None:
    x, v, memory = random(4, 3), np.ones(3), np.zeros(40)
    kept = np.lib.stride_tricks.as_strided(memory[20:], (4, 3), strides)
    for call in (
        lambda: ck.relu(x, out=kept),
        lambda: ck.linear(x, np.eye(3), out=kept),
        lambda: ck.batch_norm_backward(x, x + 1, v, v, v, v, residual=True, out_residual=kept),
    ):
        with pytest.raises(ck.ArgumentError, match="may share memory") as caught:
            call()
        assert caught.value.argument in ("out", "out_residual")
    assert not memory.any()


@pytest.mark.usefixtures("device")
def test_every_view_of_a_dense_array_can_be_written() -> None:
    memory = np.zeros((6, 7, 8, 9))
    for order in itertools.permutations(range(4)):
        turned = memory.transpose(order)
        for out in (
            turned, turned[::-1, 1:5, ::2, ::-3], turned[2:3, :, 4], turned[..., :1], turned.diagonal(),
            turned.diagonal(1, 0, 2)[::2], turned[:, :1, :1, ::8], turned[0, 0],
        ):  # fmt: skip
            writable = np.lib.stride_tricks.as_strided(memory, out.shape, out.strides)  # a diagonal is read-only
            if all(step > 0 for step in out.strides):
                ck.relu(np.full(out.shape, 2.0), out=writable)
                assert memory.sum() == 2.0 * out.size
                memory[...] = 0
            else:
                ck.relu(np.ones(out.shape), out=out)
                assert out.all()
                memory[...] = 0


def test_two_devices_are_not_mixed() -> None:
    with simulated(devices=2) as device:
        x, w = random(1, 3, 4, 4), device.place(random(3, 3, 1, 1), 1)
        with pytest.raises(ck.ArgumentError, match="device 1") as caught:
            ck.conv2d(x, w)
        assert caught.value.argument == "w"


def test_host_arrays_are_refused_by_the_real_library() -> None:
    with pytest.raises(ck.ArgumentTypeError, match="host memory"):
        ck.conv2d(X, W)


@pytest.mark.parametrize("operation", ["forward", "data", "filter", "bias"])
def test_large_problems_are_split_over_the_batch(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudnnkit.decompose.split.LARGEST", 2 * 4 * 36 + 10)
    seen: list[int] = []

    def size(problem: Any) -> str | None:
        seen.append(max(int(np.prod(one.shape)) for one in problem.tensors))
        return None

    only = SimulatedCandidate(id=_graph(), refuses=size)
    with simulated(candidates=[only]):
        x, w, bias = random(5, 4, 6, 6), random(4, 4, 3, 3, seed=1), random(4, seed=3)
        y = convolve(x, w, post=(0, 0), **PLAIN)
        dy = random(5, 4, 6, 6, seed=2)
        if operation == "forward":
            found = ck.conv2d(x, w, bias, residual=y, activation="relu")
            expected = np.maximum(2 * y + bias.reshape(1, 4, 1, 1), 0)
        elif operation == "data":
            found = ck.conv_data_gradient(y, w)
            expected = data_gradient(y, w, x.shape, **PLAIN)
        elif operation == "filter":
            old = random(4, 4, 3, 3, seed=4)
            found = ck.conv_filter_gradient(x, y, alpha=2, beta=0.5, out=old.copy())
            expected = 2 * filter_gradient(x, y, w.shape, **PLAIN) + 0.5 * old
        else:
            found, expected = ck.conv_bias_gradient(dy), dy.sum(axis=(0, 2, 3))
        np.testing.assert_allclose(found, expected, atol=1e-11)
    assert seen
    assert max(seen) <= 2 * 4 * 36 + 10


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("largest", "aligned"), [(3 * 27, 4), (22 * 27, 16)], ids=["3 images", "16 of 22 images"])
def test_pieces_of_the_batch_lie_as_their_problems_say(
    largest: int, aligned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An image of 27 float32 values: every other one lies on 4 bytes alone."""
    monkeypatch.setattr(split, "LARGEST", largest)
    said: list[tuple[int, int]] = []

    def noted(solved: Any, operands: Any, workspace: int) -> None:
        specs = solved.problem.tensors
        said.extend((one.alignment, at) for one, at in zip(specs, operands.pointers, strict=True) if one.role != "w")
        step(solved, operands, workspace)

    step = split.step
    monkeypatch.setattr(split, "step", noted)
    x, w = random(40, 3, 3, 3).astype("f4"), random(3, 3, 3, 3, seed=1).astype("f4")
    np.testing.assert_allclose(ck.conv2d(x, w), convolve(x, w, post=(0, 0), **PLAIN), atol=1e-4)
    assert {alignment for alignment, _ in said} == {aligned}
    assert [(alignment, at % 16) for alignment, at in said if at % alignment] == []


@pytest.mark.usefixtures("device")
def test_what_cannot_be_split_is_refused_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudnnkit.decompose.split.LARGEST", 100)
    with pytest.raises(ck.UnsupportedError, match="split over the batch"):
        ck.conv2d(random(2, 4, 6, 6), random(4, 4, 3, 3))


def test_large_elementwise_problems_go_to_the_array_library(
    monkeypatch: pytest.MonkeyPatch, device: SimulatedDevice
) -> None:
    monkeypatch.setattr("cudnnkit.decompose.split.LARGEST", 100)
    x = random(11, 11)
    np.testing.assert_array_equal(ck.relu(x), np.maximum(x, 0))
    assert {one.api for _, one in device.launches} == {"array"}


def _graph() -> Any:
    from cudnnkit.candidates import CandidateId

    return CandidateId("graph", 1)
