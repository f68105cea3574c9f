"""Results beyond what their type holds are results: infinite, as the caller's data makes them."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import random

LARGE = {"float16": 1000.0, "float32": 1e25, "float64": 1e200}


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("dtype", LARGE)
@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize("operation", ["conv2d", "conv_data_gradient", "linear", "bias_add", "batch_norm"])
def test_what_overflows_is_infinite_and_the_next_call_is_right(operation: str, everywhere: bool, dtype: str) -> None:
    large = LARGE[dtype]
    x, w = random(2, 4, 9, 9).astype(dtype), random(4, 4, 3, 3).astype(dtype)
    loud = x.copy()
    loud[(slice(None),) if everywhere else (1, slice(None), 4, 4)] *= np.dtype(dtype).type(large)
    ones, small = np.ones(4, dtype), np.full(4, 1e-6 if dtype == "float16" else 1e-30, dtype)

    def call(image: np.ndarray[Any, Any], factor: float) -> Any:
        weights = w * np.dtype(dtype).type(factor)
        if operation == "linear":
            return ck.linear(image[:, :, 4, 4].copy(), weights[:, :, 0, 0].copy())
        if operation == "bias_add":
            return ck.bias_add(image, ones * np.dtype(dtype).type(factor))
        if operation == "batch_norm":
            return ck.batch_norm(image, 0 * ones, small if factor > 1 else ones, eps=1e-30)
        return getattr(ck, operation)(image, weights)

    overflown = call(loud, large)
    assert operation in ("bias_add", "batch_norm") or not np.isfinite(overflown).all()
    assert np.isfinite(call(x, 1.0)).all()


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_an_overflow_that_no_sample_sees(device: SimulatedDevice) -> None:
    """Gradients of half data behind a loss that was scaled too much."""
    dy, w = np.zeros((1, 1, 64, 64), "float16"), np.full((1, 1, 1, 1), 1000.0, "float16")
    dy[0, 0, 31, 17] = 1000.0
    dx = ck.conv_data_gradient(dy, w)
    assert np.isinf(dx[0, 0, 31, 17])
    assert np.isinf(dx).sum() == 1
    assert len({one for _, one in device.launches}) > 1


def test_wrong_results_on_some_data_are_not_held_against_a_problem(device: SimulatedDevice) -> None:
    x, w = random(1, 2, 4, 4), random(2, 2, 1, 1)
    for one in device.candidates:
        one.garbage = True
    for _ in range(2):
        with pytest.raises(ck.UnsupportedError, match="wrong results"):
            ck.conv2d(x, w)
    for one in device.candidates:
        one.garbage = False
    np.testing.assert_allclose(ck.conv2d(x, w), np.einsum("nchw,kcij->nkhw", x, w), atol=1e-12)
