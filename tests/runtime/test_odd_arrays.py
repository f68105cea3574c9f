"""Arrays that run backwards, hold nothing or hold foreign bytes; values that rounding or steep activations move."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.numpy_library import NumpyLibrary
from cudnnkit.arrays.view import span
from cudnnkit.testing import SimulatedDevice

from .references import convolve, random

REVERSED = [np.s_[::-1], np.s_[:, ::-1], np.s_[:, :, ::-1, ::-1], np.s_[::-1, :, ::-1]]


@pytest.mark.parametrize(
    ("shape", "strides", "low", "high"),
    [
        ((2, 3), (3, 1), 0, 6),
        ((2, 3), (-3, 1), -3, 3),
        ((2, 3), (3, -1), -2, 4),
        ((0, 3), (-3, 1), 0, 0),
        ((), (), 0, 1),
    ],
)
def test_what_an_array_touches(shape: Any, strides: Any, low: int, high: int) -> None:
    assert span(shape, strides) == (low, high)


@pytest.mark.parametrize("strides", [(-3, 1), (3, -1), (-3, -1), (-1, -2)])
def test_new_arrays_that_run_backwards_lie_in_their_own_memory(strides: tuple[int, int]) -> None:
    made = NumpyLibrary().empty((2, 3), strides, "float32", 0).source
    base = made
    while isinstance(base.base, np.ndarray) or hasattr(base.base, "base"):
        base = base.base
    start, (low, high) = base.ctypes.data, span((2, 3), strides)
    assert made.ctypes.data + 4 * low == start
    assert made.ctypes.data + 4 * high == start + base.nbytes
    assert [one // 4 for one in made.strides] == list(strides)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("where", REVERSED)
@pytest.mark.parametrize("beta", [0.0, 0.5])
def test_outputs_that_run_backwards(where: Any, beta: float) -> None:
    x, w = random(2, 3, 5, 5), random(4, 3, 3, 3)
    memory = np.ones((2, 4, 3, 3))
    out = memory[where]
    plain = {"pre": (0, 0), "post": (0, 0), "stride": (1, 1), "dilation": (1, 1), "groups": 1}
    expected = convolve(x, w, **plain) + beta
    for _ in range(2):  # measured, then not
        memory[...] = 1
        assert ck.conv2d(x, w, beta=beta, out=out) is out
        np.testing.assert_allclose(out, expected, atol=1e-12)
    np.testing.assert_allclose(ck.plan(ck.conv2d, x, w, out=out)(x, w), expected - beta, atol=1e-12)


@pytest.mark.usefixtures("device")
def test_an_empty_output_has_no_elements_that_share_memory() -> None:
    out = np.broadcast_to(np.zeros((0, 1, 1, 1)), (0, 4, 3, 3))
    assert ck.conv2d(np.zeros((0, 3, 5, 5)), random(4, 3, 3, 3), out=out) is out


def test_bytes_in_the_other_order_are_refused_and_leave_nothing_behind(device: SimulatedDevice) -> None:
    x, w = random(1, 2, 4, 4), random(2, 2, 1, 1)
    foreign = x.astype(x.dtype.newbyteorder())
    with pytest.raises(ck.ArgumentError, match=r"x='[<>]f8': has its bytes in the other order"):
        ck.conv2d(foreign, w)
    assert not device.launches
    assert ck.conv2d(x, w).shape == (1, 2, 4, 4)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("arguments", [{"alpha": 0.0}, {"padding": 2}])
def test_what_an_activation_makes_of_nothing_may_be_rounded(dtype: str, arguments: dict[str, float]) -> None:
    """Softplus of 0 is log(2), which no half number is; the corners see padding alone."""
    x, w = random(1, 2, 4, 4).astype(dtype), random(2, 2, 1, 1).astype(dtype)
    y = ck.conv2d(x, w, activation=("softplus", 1.0), **arguments)
    np.testing.assert_allclose(np.asarray(y, "f8")[:, :, 0, 0], np.log(2), rtol=1e-3)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("activation", [("leaky_relu", 1000.0), ("elu", 1000.0), ("leaky_relu", -1000.0)])
def test_a_steep_activation_makes_rounding_errors_larger(activation: tuple[str, float]) -> None:
    x = np.full((1, 1, 2, 2), 0.1, "float16")
    y = ck.conv2d(x, np.full((1, 1, 1, 1), -0.1, "float16"), np.full(1, 0.0099, "float16"), activation=activation)
    value = float(np.float16(0.1)) * -float(np.float16(0.1)) + float(np.float16(0.0099))
    expected = activation[1] * (value if activation[0] == "leaky_relu" else np.expm1(value))
    np.testing.assert_allclose(np.asarray(y, "f8"), expected, rtol=2e-2)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("seen", [False, True])
def test_what_is_read_only_is_not_written(seen: bool) -> None:
    x, w, out, v = random(2, 3, 5, 5), random(4, 3, 3, 3), np.zeros((2, 4, 3, 3)), np.ones(3)
    if seen:
        ck.conv2d(x, w, out=out.copy())
        ck.batch_norm_training(x, v, v, running_mean=v.copy(), running_variance=v.copy())
    for one in (x, w, out, v):
        one.flags.writeable = False  # inputs may be
    with pytest.raises(ck.ArgumentError, match=r"^out=.*read-only"):
        ck.conv2d(x, w, out=out)
    with pytest.raises(ck.ArgumentError, match=r"^running_mean=.*read-only"):
        ck.batch_norm_training(x, v, v, running_mean=v, running_variance=v.copy())
    assert not out.any()
    assert ck.conv2d(x, w).any()


@pytest.mark.usefixtures("device")
def test_a_plan_reads_what_is_read_only_and_does_not_write_it() -> None:
    x, locked = np.ones((1, 2)), np.zeros((1, 2))
    locked.flags.writeable = False
    plan = ck.plan(ck.relu, x)
    assert not plan(locked).any()
    assert ck.plan(ck.relu, locked)(x).all()
    with pytest.raises(ck.ArgumentError, match=r"^out=.*read-only"):
        plan(x, out=locked)


class Locked:
    __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "data": (16, True), "version": 3}  # noqa: RUF012


@pytest.mark.usefixtures("device")
def test_the_array_interface_says_what_is_read_only() -> None:
    with pytest.raises(ck.ArgumentError, match=r"^out=.*read-only"):
        ck.relu(np.ones(1, "f4"), out=Locked())
