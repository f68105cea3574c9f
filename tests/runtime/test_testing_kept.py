"""The simulated library's results that serve again."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice, kept

from .references import random


@pytest.fixture(name="computed")
def _computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Operations that NumPy computed."""
    found: list[str] = []
    whole = kept.compute

    def counted(problem: Any, *rest: Any) -> None:
        found.append(problem.operation)
        whole(problem, *rest)

    monkeypatch.setattr(kept, "compute", counted)
    return found


def test_a_search_has_numpy_compute_each_problem_once(device: SimulatedDevice, computed: list[str]) -> None:
    ck.conv2d(random(2, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4), activation="relu")
    assert len(device.launches) > 50
    assert len(computed) == 3  # with the epilogue, as a step without it, and with padded channels


@pytest.mark.parametrize("changed", ["x", "w", "y"])
def test_operands_that_changed_where_they_lie_are_computed_anew(
    changed: str, device: SimulatedDevice, computed: list[str]
) -> None:
    arrays = {"x": random(1, 2, 3, 3), "w": random(2, 2, 1, 1, seed=1), "y": random(1, 2, 3, 3, seed=2)}

    def run() -> Any:
        out = arrays["y"].copy()
        return ck.conv2d(arrays["x"], arrays["w"], beta=2.0, out=out, search="heuristic")

    first = run()
    again = run()
    assert len(computed) == 1
    np.testing.assert_array_equal(again, first)
    arrays[changed][0, 1, 0, 0] += 1.0
    expected = np.einsum("nchw,kc->nkhw", arrays["x"], arrays["w"][:, :, 0, 0]) + 2.0 * arrays["y"]
    np.testing.assert_allclose(run(), expected, rtol=1e-12)
    assert device.launches


def test_zeros_of_either_sign_are_told_apart_and_nan_is_the_same(computed: list[str], device: SimulatedDevice) -> None:
    x = np.array([0.0, np.nan, 1.0]).reshape(1, 1, 1, 3)
    w = np.full((1, 1, 1, 1), -1.0)
    ck.conv2d(x, w, search="heuristic")
    ck.conv2d(x, w, search="heuristic")
    assert len(computed) == 1
    ck.conv2d(-x, w, search="heuristic")
    ck.conv2d(np.where(x == 0, -x, x), w, search="heuristic")
    assert len(computed) == 3
    assert device.launches


def test_what_is_held_has_a_bound(
    monkeypatch: pytest.MonkeyPatch, device: SimulatedDevice, computed: list[str]
) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 300)
    for size in (3, 4, 3):
        ck.conv2d(random(1, 1, size, size), random(1, 1, 1, 1), search="heuristic")
    assert len(computed) == 3
    assert sum(one.nbytes for one in device.results._kept.values()) <= 300
