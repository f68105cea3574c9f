"""What a bound plan is called with: its function's order, the output where it is read, and memory shared as before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(5)


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


X, DY, W = random(3, 3, 3, 3), random(3, 3, 3, 3), random(3, 3, 3, 3)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("function", "arrays", "more"),
    [
        (ck.softmax_backward, (DY, X), {}),
        (ck.log_softmax_backward, (DY, X), {}),
        (ck.activation_backward, (DY, X), {"name": "relu"}),
        (ck.conv_data_gradient, (DY, W), {}),
        (ck.conv_transpose2d, (X, W), {}),
        (ck.conv_filter_gradient, (X, DY), {"kernel": 1}),
        (ck.linear_data_gradient, (X[0, 0], W[0, 0]), {}),
        (ck.max_pool_backward, (DY, X, X), {"window": 1}),
    ],
)
def test_arrays_are_given_in_the_functions_order(function: Callable[..., Any], arrays: Any, more: Any) -> None:
    """All arrays have one shape, so that nothing else tells them apart."""
    expected = function(*arrays, **more)
    step = ck.plan(function, *arrays, **more)
    np.testing.assert_array_equal(step(*arrays), expected)
    np.testing.assert_array_equal(step(*arrays, out=np.empty_like(expected)), expected)


@pytest.mark.usefixtures("device")
def test_keywords_come_in_the_order_of_the_parameters() -> None:
    y = np.tanh(X)
    step = ck.plan(ck.activation_backward, DY, name="tanh", x=X, y=y)
    np.testing.assert_allclose(step(DY, X, y), DY * (1 - y * y))


@pytest.mark.usefixtures("device")
def test_an_output_is_told_from_one_array_more() -> None:
    step = ck.plan(ck.relu, X)
    out = np.zeros_like(X)
    assert step(X, out=out) is out
    with pytest.raises(ck.ArgumentTypeError, match=r"arrays=2: is how many were given; the plan takes 1: x$"):
        step(X, out)
    both = ck.plan(ck.bias_add, X, X[0, :, 0, 0].copy())
    bias = random(3)
    both(X, bias)
    with pytest.raises(ck.ArgumentTypeError, match=r"arrays=1: is how many were given; the plan takes 2: x, bias$"):
        both(X, out=bias)


@pytest.mark.usefixtures("device")
def test_a_plan_that_reads_its_output_is_given_one() -> None:
    out = random(3, 3, 1, 1)
    step = ck.plan(ck.conv2d, X, W, beta=1.0, out=out)
    with pytest.raises(ck.ArgumentError, match=r"out=None.*needed by this plan: beta is 1"):
        step(X, W)
    for activation in (None, "relu"):
        step = ck.plan(ck.conv2d, X, W, residual=out, activation=activation, out=out)
        with pytest.raises(ck.ArgumentError, match=r"out=None.*the output was its residual"):
            step(X, W, out)
        with pytest.raises(ck.ArgumentError, match=r"no input.*was residual when the plan was made"):
            step(X, W, out, out=np.zeros_like(out))
        other, before = out.copy(), out.copy()
        expected = ck.conv2d(X, W, residual=before, activation=activation)
        np.testing.assert_allclose(step(X, W, other, out=other), expected)


@pytest.mark.usefixtures("device")
def test_written_arrays_are_shared_as_when_the_plan_was_made() -> None:
    scale, bias, running, variance = np.ones(3), np.zeros(3), np.zeros(3), np.ones(3)
    step = ck.plan(ck.batch_norm_training, X, scale, bias, running_mean=running, running_variance=variance)
    mean, inverse = np.zeros(3), np.zeros(3)
    step(X, scale, bias, running, variance, mean, inverse)
    np.testing.assert_allclose(mean, X.mean((0, 2, 3)))
    np.testing.assert_allclose(running, 0.1 * mean)
    for given in (
        (running, running, mean, inverse),
        (running, variance, running, inverse),
        (running, scale, mean, inverse),
        (running, variance, mean, mean),
    ):
        with pytest.raises(ck.ArgumentError):
            step(X, scale, bias, *given)


def test_a_plan_says_what_runs(device: SimulatedDevice) -> None:
    step = ck.plan(ck.conv2d, X, W)
    assert step.choice is not None
    (last,) = step.choice.smaller[-1:]
    ck.pin(last, ck.conv2d, X, W)
    step(X, W)
    assert step.choice.best.id == last.id == device.launches[-1][1]
    assert str(last.id) in repr(step)
    ck.unpin(ck.conv2d, X, W)
    step(X, W)
    first = step.choice
    device.candidate(str(first.best.id)).fails, device.candidate(str(first.best.id)).status = "run", "ALLOC_FAILED"
    step(X, W)
    assert step.choice.best.id != first.best.id
    assert step.choice.best.id == device.launches[-1][1]
    assert step.choice.best.workspace == step.workspace
