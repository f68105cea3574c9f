"""NumPy's own steps while a function is recorded on the simulated library: refused, since no replay repeats them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(23)

STEPS: dict[str, Callable[[Any], Any]] = {
    "operator": lambda h: h * 2.0,
    "in place": lambda h: h.__imul__(2.0),
    "ufunc": lambda h: np.maximum(h, 1.0),
    "ufunc out": lambda h: np.maximum(h, 1.0, out=h),
    "of another array": lambda h: np.ones((2, 3)) + h,
    "reduction": lambda h: h.sum(axis=0),
    "float": lambda h: ck.leaky_relu(h, float(h[0, 0])),
    "truth": lambda h: h if h.any() else -h,
    "element": lambda h: ck.leaky_relu(h, h[0, 1]),
    "item": lambda h: ck.leaky_relu(h, abs(h.item(0))),
    "function": lambda h: np.concatenate([h, h]),
    "where": lambda h: np.where(h > 0, h, 0),
    "copyto": lambda h: np.copyto(h, 0) or h,
    "assignment": lambda h: h.__setitem__(0, 1.0) or h,
    "fill": lambda h: h.fill(1.0) or h,
    "copy": lambda h: ck.relu(h.copy()),
    "type": lambda h: ck.relu(h.astype("f4")),
    "fancy index": lambda h: ck.relu(h[[0, 1]]),
    "reshape that copies": lambda h: ck.relu(h.T.reshape(2, 3)),
    "argmax": lambda h: h.argmax(1).astype("f8"),
    "product": lambda h: h @ np.ones((3, 2)),
    "equal": lambda h: ck.relu(h) if np.array_equal(h, h) else h,
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("of", ["argument", "result"])
@pytest.mark.parametrize("static", [False, True])
def test_a_step_of_numpys_own_is_refused_once(
    static: bool,
    of: str,
    step: Callable[[Any], Any],
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    captured = ck.capture(lambda x: step(ck.relu(x) if of == "result" else x), static_inputs=static)
    with pytest.raises(ck.CaptureError, match=r"NumPy's own step '.+' cannot be recorded in the simulation"):
        captured(RANDOM.standard_normal((2, 3)))
    for _ in range(2):  # as it is from then on
        x = RANDOM.standard_normal((2, 3))
        expected = step(np.maximum(x, 0) if of == "result" else x.copy())
        np.testing.assert_allclose(captured(x), expected)


def test_views_and_new_arrays_are_no_steps(device: SimulatedDevice) -> None:  # noqa: ARG001
    def function(x: Any) -> Any:
        h = np.transpose(ck.relu(x)).reshape(3, 2)[1:]
        first, _ = np.split(np.expand_dims(h, 0), 2, axis=2)
        out = np.zeros_like(first)
        return ck.tanh(np.broadcast_to(first, (1, 2, 1)), out=out), np.shape(h), h.shape, len(h)

    captured = ck.capture(function)
    for _ in range(3):
        x = RANDOM.standard_normal((2, 3))
        found, *shapes = captured(x)
        np.testing.assert_allclose(found, np.tanh(np.maximum(x.T, 0))[None, 1:, :1])
        assert shapes == [(2, 2), (2, 2), 2]
    assert [one.replays for one in captured.report()] == [2]


def test_arrays_that_outlive_the_recording_are_ordinary(device: SimulatedDevice) -> None:  # noqa: ARG001
    kept: list[Any] = []

    def function(x: Any) -> Any:
        kept.append(ck.relu(x))
        return x, kept[-1]

    captured = ck.capture(function, copy=False)
    for one in (*captured(np.ones((2, 3))), *captured.inputs()):
        assert type(one) is np.ndarray
    assert float((kept[-1] * 2 + np.concatenate([kept[-1]])).sum()) == 18.0
    assert kept[-1][0, 0] == 1.0


def test_turned_off_a_step_happens_once(device: SimulatedDevice) -> None:
    device.refuses_numpy = False
    w = np.ones((1, 1, 1, 1))
    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), w * np.maximum(x, 0).max()))
    assert [float(captured(np.full((1, 1, 1, 1), one))[0, 0, 0, 0]) for one in (2.0, 3.0)] == [4.0, 6.0]
