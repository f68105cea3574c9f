"""What verification must not hold against a candidate: the smallest rounding steps, the caller's own NaN, its own
limits. And what it must see all the same.
"""

from __future__ import annotations

import math
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import random

X, DY, W = (random(*shape, dtype="float32") for shape in ((2, 4, 5, 5), (2, 3, 3, 3), (3, 4, 3, 3)))
ONES, ZEROS = np.ones(4, "f4"), np.zeros(4, "f4")


def half(array: Any, size: float) -> Any:
    return (array * size).astype("f2")


TINY = {
    "conv2d": lambda: ck.conv2d(half(X, 1e-4), half(W, 1e-4)),
    "conv2d with relu": lambda: ck.conv2d(half(X, 1e-4), half(W, 1e-4), np.zeros(3, "f4"), activation="relu"),
    "conv_data_gradient": lambda: ck.conv_data_gradient(half(DY, 1e-5), half(W, 1e-2)),
    "conv_filter_gradient": lambda: ck.conv_filter_gradient(half(X, 1), half(DY, 6e-8), 3),
    "alpha": lambda: ck.conv_filter_gradient(half(X, 1e-2), half(DY, 1e-3), 3, alpha=1e-3),
    "linear": lambda: ck.linear(half(X[0, 0], 1e-3), half(X[0, 1], 1e-4)),
    "avg_pool": lambda: ck.avg_pool(half(X, 1e-6), 2),
    "avg_pool_backward": lambda: ck.avg_pool_backward(half(DY, 1e-5), 3, (2, 3, 5, 5), stride=1),
    "batch_norm_training": lambda: ck.batch_norm_training(half(X, 1e-4), ONES * np.float32(1e-4), ZEROS).y,
    "batch_norm_backward": lambda: ck.batch_norm_backward(half(X, 1e-6), half(X, 1e-6), ONES, ONES, ZEROS, ONES).dx,
}


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("operation", TINY)
def test_results_among_float16_s_subnormal_numbers_are_rounded(operation: str) -> None:
    found = TINY[operation]()
    assert np.isfinite(found).all()
    assert abs(found).max() < 2**-14


def both_infinities() -> Any:
    x = random(1, 2, 4, 4)
    x[0, 0, 0, :2] = np.inf, -np.inf
    return x


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("x", [both_infinities(), np.full((1, 2, 4, 4), 1.7e308)], ids=["infinities", "overflow"])
def test_a_mean_of_infinities_is_as_it_is_computed(x: Any) -> None:
    assert not np.isfinite(ck.avg_pool(x, 2)[0, 0, 0, 0])
    assert not np.isfinite(ck.global_avg_pool(x)[0, 0, 0, 0])
    assert np.isfinite(ck.avg_pool(np.ones_like(x), 2)).all()


def test_where_the_expected_value_cannot_be_had_nothing_is_held_against_candidates(
    device: SimulatedDevice, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> float:
        raise OverflowError("for the test")

    monkeypatch.setattr(device.library.kernels, "dot", fails)
    assert ck.conv2d(X, W).shape == (2, 3, 3, 3)
    assert ck.batch_norm_training(X, ONES, ZEROS).y.shape == X.shape
    told = [one.getMessage() for one in caplog.records]
    assert len(told) == 2  # once for each
    assert all(one.endswith("results are not checked everywhere: OverflowError: for the test") for one in told)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.usefixtures("device")
def test_not_a_number_may_come_of_not_a_number() -> None:
    nan = np.array([np.nan, 1, 1, 1], "f4")
    for place in range(2):
        running = [ZEROS.copy(), ONES.copy()]
        running[place] = nan.copy()
        found = ck.batch_norm_training(X[:, :, : 4 + place], ONES, ZEROS, running_mean=running[0],
                                       running_variance=running[1])  # fmt: skip
        assert np.isfinite(found.y).all()
        assert np.isnan(running[place]).tolist() == [True, False, False, False]
    for bad in (np.inf, np.nan):  # times the padding's zeros, too
        w, dy = W.copy(), np.ones((2, 3, 5 + X.shape[2] - W.shape[2] - 2, X.shape[3] + 3 - W.shape[3]), "f4")
        w[0, 0, 0, 0] = bad
        assert np.isnan(ck.conv2d(X, w, padding=1)[0, 0]).any()
        dy[0, 0, 0, 0] = bad
        assert np.isnan(ck.conv_filter_gradient(X, dy, W.shape[2:], padding=1)).any()
    out = np.full((2, 3, 3, 3), np.nan, "f4")
    assert np.isnan(ck.conv2d(X, W, out=out, beta=0.5)).all()


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("variance", [-1.0, -1e-5, -math.inf])
def test_what_a_negative_variance_makes_is_open(variance: float) -> None:
    y = ck.batch_norm(X, ZEROS, np.array([variance, 1, 1, 1], "f4"))
    np.testing.assert_allclose(y[:, 1:], X[:, 1:] / np.sqrt(1 + 1e-5), rtol=1e-5)


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
@pytest.mark.usefixtures("device")
def test_sums_of_finite_numbers_may_cancel_beyond_the_type() -> None:
    loud = np.where(np.arange(5) % 2, 1, -1) * np.full((2, 4, 5, 5), 1.7e308)
    assert ck.conv_bias_gradient(loud).shape == (4,)
    assert ck.batch_norm_training(loud, ONES.astype("f8"), ZEROS.astype("f8")).y.shape == loud.shape
    assert ck.activation_backward(np.ones_like(loud), loud, "gelu_tanh").shape == loud.shape


def test_what_is_left_unwritten_is_seen_where_the_result_is_an_operand_as_well(device: SimulatedDevice) -> None:
    worst = device.candidates[0]
    worst.seconds, worst.partial = 1e-9, True
    x = random(2, 3, 9, 9, seed=3)
    w = random(3, 3, 3, 3, seed=4)
    for beta in (0.0, 1.0):
        out = random(2, 3, 9, 9, seed=5)
        more: dict[str, Any] = {"beta": beta} if beta else {"residual": out, "activation": "relu"}
        ck.conv2d(x, w, padding=1, out=out, **more)
    assert worst.id not in [one for _, one in device.launches[-1:]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: ck.relu(X),
        lambda: ck.bias_add(X, ONES),
        lambda: ck.softmax(X, 1),
        lambda: ck.log_softmax(X),
        lambda: ck.softmax_backward(X, X, 1),
        lambda: ck.conv_bias_gradient(X),
        lambda: ck.conv_bias_gradient(X, out=ONES.copy().reshape(4), beta=0.5),
        lambda: ck.linear_bias_gradient(X),
        lambda: ck.relu(X, out=np.empty_like(X)),
    ],
)
def test_garbage_does_not_win_whatever_the_operation(call: Any, device: SimulatedDevice) -> None:
    expected = call()
    ids = [one.id for one in device.candidates]
    device.tuner.cache.clear()
    for one in device.candidates:
        one.garbage = True
    ck.unpin(ck.relu, X)  # plans are of another generation now
    np.testing.assert_allclose(call(), expected, rtol=1e-6)
    assert device.launches[-1][1] not in ids
