"""Activations, bias, softmax, on every kind of strides, by cuDNN's kernels and by the array library's."""

from __future__ import annotations

import math
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import channels_last, is_channels_last, random
from .test_ops_epilogues import NAMES, activate

STRIDED = ["dense", "last", "transposed", "sliced"]


def operand(kind: str, *, seed: int = 0) -> Any:
    if kind == "sliced":
        return random(2, 6, 4, 10, seed=seed)[:, ::2, :, ::2]
    if kind == "transposed":
        return random(5, 4, 3, 2, seed=seed).transpose()
    return random(2, 3, 4, 5, seed=seed, last=kind == "last")


@pytest.fixture(params=["library", "array"])
def side(request: pytest.FixtureRequest, device: SimulatedDevice) -> str:
    """Whose kernels are the fastest."""
    device.kernel_seconds = 1e-6 if request.param == "array" else 1.0
    return str(request.param)


@pytest.mark.parametrize("kind", STRIDED)
@pytest.mark.parametrize("name", NAMES, ids=str)
def test_activation(name: Any, kind: str, side: str, device: SimulatedDevice) -> None:
    x = operand(kind)
    kept = x.copy()
    y = ck.activation(x, name)
    np.testing.assert_allclose(y, activate(name, x), atol=1e-12)
    np.testing.assert_array_equal(x, kept)
    assert is_channels_last(y) == (kind == "last")
    wanted = "array" if side == "array" or kind == "sliced" else "graph"
    assert device.launches[-1][1].api == wanted


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("name", NAMES, ids=str)
def test_activation_backward_is_the_derivative(name: Any) -> None:
    # Away from the kinks, where the central difference is exact to the square of the step.
    x = np.array([-2.3, -1.1, -0.4, 0.3, 0.7, 2.2, 5.1, 7.3]).reshape(2, 2, 2)
    dy = random(2, 2, 2)
    step = 1e-5
    slope = (activate(name, x + step) - activate(name, x - step)) / (2 * step)
    np.testing.assert_allclose(ck.activation_backward(dy, x, name), dy * slope, atol=1e-8)
    y = activate(name, x)
    np.testing.assert_allclose(ck.activation_backward(dy, x, name, y=y), dy * slope, atol=1e-8)


@pytest.mark.usefixtures("side")
def test_named_functions() -> None:
    x = operand("dense")
    for found, name in [
        (ck.relu(x), "relu"),
        (ck.relu6(3 * x), "relu6"),
        (ck.clipped_relu(x, 0.5), ("clipped_relu", 0.5)),
        (ck.leaky_relu(x, 0.2), ("leaky_relu", 0.2)),
        (ck.elu(x, 0.7), ("elu", 0.7)),
        (ck.sigmoid(x), "sigmoid"),
        (ck.tanh(x), "tanh"),
        (ck.gelu(x), "gelu"),
        (ck.gelu(x, "tanh"), "gelu_tanh"),
        (ck.silu(x), "silu"),
        (ck.swish(x, 1.5), ("swish", 1.5)),
        (ck.softplus(x, 2.0), ("softplus", 2.0)),
    ]:
        np.testing.assert_allclose(found, activate(name, 3 * x if name == "relu6" else x), atol=1e-12)
    with pytest.raises(ck.ArgumentError, match="'tanh'"):
        ck.gelu(x, "erf")  # type: ignore[arg-type]


@pytest.mark.usefixtures("device")
def test_large_values_do_not_overflow() -> None:
    x = np.array([-1000.0, 1000.0])
    np.testing.assert_array_equal(ck.softplus(x), [0, 1000])
    np.testing.assert_array_equal(ck.sigmoid(x), [0, 1])
    np.testing.assert_array_equal(ck.elu(x), [-1, 1000])
    np.testing.assert_array_equal(ck.softmax(x), [0, 1])


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("function", [ck.tanh, ck.softmax, lambda x, **more: ck.bias_add(x, np.ones(5), -1, **more)])
def test_in_place_only_when_told(function: Any) -> None:
    x = operand("dense")
    kept = x.copy()
    y = function(x)
    np.testing.assert_array_equal(x, kept)
    for _ in range(2):
        x[...] = kept
        assert function(x, out=x) is x
        np.testing.assert_allclose(x, y, atol=1e-15)
    with pytest.raises(ck.ArgumentError, match="overlaps x"):
        function(x[:1], out=x.ravel()[30:90].reshape(1, 3, 4, 5))


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("axis", [0, 1, 2, 3, -1, -3])
@pytest.mark.parametrize("kind", STRIDED)
def test_softmax_over_any_axis(kind: str, axis: int) -> None:
    x, dy = operand(kind), operand(kind, seed=1)
    y, log = ck.softmax(x, axis), ck.log_softmax(x, axis)
    rows, slopes = np.moveaxis(x, axis, -1), np.moveaxis(dy, axis, -1)
    for index in np.ndindex(rows.shape[:-1]):
        row, slope = rows[index], slopes[index]
        p = np.array([math.exp(v) for v in row])
        p /= p.sum()
        np.testing.assert_allclose(np.moveaxis(y, axis, -1)[index], p, atol=1e-14)
        np.testing.assert_allclose(np.moveaxis(log, axis, -1)[index], np.log(p), atol=1e-13)
        jacobian = np.diag(p) - np.outer(p, p)
        dx = np.moveaxis(ck.softmax_backward(dy, y, axis), axis, -1)[index]
        np.testing.assert_allclose(dx, jacobian @ slope, atol=1e-13)
        dlog = np.moveaxis(ck.log_softmax_backward(dy, log, axis), axis, -1)[index]
        np.testing.assert_allclose(dlog, (np.eye(len(row)) - np.outer(np.ones(len(row)), p)).T @ slope, atol=1e-12)


@pytest.mark.usefixtures("device")
def test_softmax_is_described_in_memory_order() -> None:
    x = random(2, 3, 4, 5)
    assert ck.plan(ck.softmax, x, 1).problem.tensors[0].shape == (2, 3, 20)
    assert ck.plan(ck.softmax, channels_last(x), 1).problem.tensors[0].shape == (40, 3, 1)
    assert ck.plan(ck.softmax, x, 0).problem.tensors[0].shape == (1, 2, 60)
    with pytest.raises(ck.ArgumentError, match="4 axes") as caught:
        ck.softmax(x, 4)
    assert caught.value.argument == "axis"
    for algorithm in ("log", "log2", None):
        for call in (
            lambda given=algorithm: ck.softmax(x, algorithm=given),
            lambda given=algorithm: ck.softmax_backward(x, x + 1, algorithm=given),
        ):
            with pytest.raises(ck.ArgumentError, match="'fast'"):
                call()


@pytest.mark.parametrize("kind", STRIDED)
@pytest.mark.parametrize("axis", [0, 1, 2, 3, -1])
@pytest.mark.usefixtures("side")
def test_bias_along_any_axis(kind: str, axis: int) -> None:
    x = operand(kind)
    bias = random(x.shape[axis], seed=3)
    shape = [1] * 4
    shape[axis] = x.shape[axis]
    expected = activate("relu", x + bias.reshape(shape))
    np.testing.assert_allclose(ck.bias_add(x, bias, axis, activation="relu"), expected, atol=1e-12)
    np.testing.assert_allclose(ck.bias_add(x, bias.reshape(shape), axis, activation="relu"), expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 3, 1, 5), (2, 1, 1, 1), (4, 5), (1, 1, 1, 1), (2, 3, 4, 5)])
@pytest.mark.usefixtures("side")
def test_broadcasts_that_cudnn_refuses_go_to_the_array_library(shape: tuple[int, ...]) -> None:
    x, bias = operand("dense"), random(*shape, seed=3)
    np.testing.assert_allclose(ck.bias_add(x, bias), x + bias, atol=1e-12)


@pytest.mark.usefixtures("device")
def test_a_bias_that_does_not_broadcast_is_refused() -> None:
    with pytest.raises(ck.ArgumentError, match="broadcasts") as caught:
        ck.bias_add(operand("dense"), random(4))
    assert caught.value.argument == "bias"
    with pytest.raises(ck.ArgumentError, match="another shape"):
        ck.activation_backward(random(2, 3), random(3, 2), "relu")
