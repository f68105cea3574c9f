"""``benchmarks/whole_networks/unfused.py``: the same results by more calls, none of which fuses anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.network import problems_of
from cudnnkit.testing import SimulatedDevice

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

if TYPE_CHECKING:
    from whole_networks.unfused import unfused
else:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from whole_networks.unfused import unfused
    finally:
        sys.path.remove(str(BENCHMARKS))

RANDOM = np.random.default_rng(17)


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


@pytest.mark.parametrize("activation", [None, "relu", ("leaky_relu", 0.1)])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("out", ["new", "residual", "view of residual", "other", "no residual"])
def test_a_convolution_is_the_same(activation: Any, after: bool, out: str, device: SimulatedDevice) -> None:  # noqa: ARG001
    x, w, bias, residual = random(2, 3, 5, 5), random(4, 3, 3, 3), random(4), random(2, 4, 5, 5)
    keywords: dict[str, Any] = {"padding": 1, "activation": activation}
    if out != "no residual":
        keywords |= {"residual": residual, "residual_after": after}
    expected = ck.conv2d(x, w, bias, **keywords)
    if out == "residual":
        keywords["out"] = residual
    elif out == "view of residual":
        keywords["out"] = residual[...]
    elif out == "other":
        keywords["out"] = np.full_like(expected, np.nan)
    kept = residual.copy()
    with unfused():
        found = ck.conv2d(x, w, bias, **keywords)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    if "out" in keywords:
        assert found is keywords["out"]
    if "of residual" in out or out == "residual":
        np.testing.assert_array_equal(residual, found)
    else:
        np.testing.assert_array_equal(residual, kept)


def test_a_fully_connected_layer_is_the_same(device: SimulatedDevice) -> None:  # noqa: ARG001
    x, w, bias = random(3, 5), random(4, 5), random(4)
    expected = ck.linear(x, w, bias, activation="relu")
    with unfused():
        np.testing.assert_allclose(ck.linear(x, w, bias, activation="relu"), expected, rtol=1e-12)


def test_nothing_is_fused_within_and_all_is_as_before_behind(device: SimulatedDevice) -> None:  # noqa: ARG001
    x, w, bias, residual = random(2, 3, 5, 5), random(4, 3, 3, 3), random(4), random(2, 4, 5, 5)

    def layer() -> Any:
        return ck.conv2d(x, w, bias, padding=1, residual=residual, activation="relu")

    before = ck.conv2d, ck.linear
    (fused,) = problems_of(layer)
    with unfused():
        parts = [one.problem.operation for one in problems_of(layer)]
        assert fused.problem not in [one.problem for one in problems_of(layer)]
    assert len(parts) == 3
    assert (ck.conv2d, ck.linear) == before
    with unfused(False):
        assert ck.conv2d is before[0]
    with pytest.raises(ZeroDivisionError), unfused():
        raise ZeroDivisionError
    assert ck.conv2d is before[0]
