"""How many recordings a function keeps, when one makes room for another, what a first call takes, what runs out."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.rooms import ACTIVE, here
from cudnnkit.testing import SimulatedDevice
from cudnnkit.workspace import workspaces

RANDOM = np.random.default_rng(17)
W = RANDOM.standard_normal((4, 4, 3, 3)) / 6


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


def clean(device: SimulatedDevice) -> bool:
    return not ACTIVE and here() is None and not device.recordings and not device.library.capturing(0)


# Which recordings stay ------------------------------------------------------------------------------------------------


def test_the_one_unused_longest_goes_first(device: SimulatedDevice) -> None:  # noqa: ARG001
    calls = []

    def counted(x: Any) -> Any:
        calls.append(None)
        return ck.relu(x)

    captured = ck.capture(counted, most=2)
    for batch in (1, 2, 1, 3, 1):
        captured(random(batch, 8, 4, 4))
    assert len(calls) == 9
    captured(random(2, 8, 4, 4))
    assert len(calls) == 12
    assert [one.arguments for one in captured.report()] == ["float64 1x8x4x4", "float64 2x8x4x4"]


class Refusing:
    """Fails for one batch size, in one of the three passes or as it is."""

    def __init__(self, bad: int, error: type[BaseException]) -> None:
        self.bad, self.error, self.calls = bad, error, 0

    def __call__(self, x: Any) -> Any:
        y = ck.relu(x)
        if x.shape[0] == 3:
            self.calls += 1
            if self.calls == self.bad:
                raise self.error("told to fail")
        return y


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
@pytest.mark.parametrize("bad", [1, 2, 3], ids=["as it is", "while traced", "while recorded"])
def test_a_call_that_raises_costs_no_recording(bad: int, error: Any, device: SimulatedDevice) -> None:
    captured = ck.capture(Refusing(bad, error), most=1)
    x = random(2, 1, 2)
    captured(x)
    with pytest.raises((error, ck.CaptureError)):
        captured(random(3, 1, 2))
    with pytest.raises(ck.ArgumentError, match="move it"):
        captured({"x": random(1, 1, 1), "far": device.place(random(1, 1, 1), 1)})
    np.testing.assert_array_equal(captured(-x), np.maximum(-x, 0))
    assert [one.replays for one in captured.report() if not one.failure] == [1]
    captured(random(4, 1, 2))
    (report,) = [one for one in captured.report() if not one.failure]
    assert report.arguments == "float64 4x1x2"


def test_where_memory_is_short_the_oldest_recording_makes_room(device: SimulatedDevice) -> None:
    """The function as it is fits beside the recording; its own recording does not."""
    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), W), most=1)
    x, y = random(4, 4, 32, 32), random(5, 4, 32, 32)
    captured(x)
    expected = ck.conv2d(np.maximum(y, 0), W)
    workspaces.trim()
    gc.collect()
    empty, tries = device.library.empty, []

    def full(shape: Any, strides: Any, dtype: str, place: int) -> Any:
        if dtype == "uint8" and device.recording is None:
            tries.append(len(captured.report()))
            if captured.report():
                raise MemoryError("none")
        return empty(shape, strides, dtype, place)

    device.library.empty = full  # type: ignore[method-assign]
    np.testing.assert_allclose(captured(y), expected)
    assert tries == [1, 1, 0]
    assert [one.arguments for one in captured.report()] == ["float64 5x4x32x32"]


def test_memory_that_ran_out_is_there_for_the_next_call(device: SimulatedDevice) -> None:
    """Where not even the function as it is finds memory, the oldest recording goes all the same."""
    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), W), most=1)
    x, y = random(4, 4, 32, 32), random(5, 4, 32, 32)
    expected = ck.conv2d(np.maximum(y, 0), W)
    captured(x)
    workspaces.trim()
    gc.collect()
    device.memory_bytes = device.used + y.nbytes
    with pytest.raises(MemoryError):
        captured(y)
    assert captured.report() == ()
    device.memory_bytes = 2**30
    np.testing.assert_allclose(captured(y), expected)


def test_one_that_is_closed_by_its_function_keeps_nothing(device: SimulatedDevice) -> None:  # noqa: ARG001
    def closes(x: Any) -> Any:
        captured.close()
        return ck.relu(x)

    captured = ck.capture(closes)
    x = random(1, 1, 2)
    np.testing.assert_array_equal(captured(x), np.maximum(x, 0))
    assert captured.report() == ()


@pytest.mark.parametrize("end", ["clear", "close", "most"])
def test_arrays_live_as_long_as_their_recording(end: str, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True, most=1)
    x = random(2, 3, 4)
    captured(x)
    alive = weakref.ref(x)
    del x
    gc.collect()
    assert alive() is not None
    y = random(2, 3, 4)
    np.testing.assert_array_equal(captured(y), np.maximum(y, 0))
    captured(random(1, 1, 1)) if end == "most" else getattr(captured, end)()
    gc.collect()
    assert alive() is None
    if end == "clear":
        captured(y)
        assert captured.inputs()[0] is y


# What a first call takes ----------------------------------------------------------------------------------------------


def network(x: Any) -> Any:
    x = ck.conv2d(x, W, padding=1, activation="relu")
    z = ck.conv2d(x, W, padding=1, activation="relu")
    x = ck.conv2d(z, W, padding=1, residual=x, activation="relu")
    del z
    return ck.conv2d(x, W, padding=1)


def peak(device: SimulatedDevice, call: Any) -> int:
    """Most bytes beyond what was in use before."""
    workspaces.trim()
    gc.collect()
    before = device.peak = device.used
    result = call()
    del result
    return device.peak - before


@pytest.mark.parametrize("static", [False, True])
def test_the_first_call_takes_no_more_than_the_parts_need(static: bool, device: SimulatedDevice) -> None:
    """The call as it is, then the look at lifetimes, then the buffer: one after another, beside the inputs."""
    x = random(2, 4, 64, 64)
    network(x)  # every choice is made
    eager = peak(device, lambda: network(x))
    captured = ck.capture(network, static_inputs=static)
    first = peak(device, lambda: captured(x))
    (report,) = captured.report()
    results = x.nbytes
    assert report.input_bytes == (0 if static else x.nbytes)
    # The first results wait until the recording can take them.
    assert first <= max(eager, report.planned_bytes) + results + report.input_bytes
    assert peak(device, lambda: captured(x)) == results  # the copy that the caller has


# Out of memory --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def no_room_for_plans(device: SimulatedDevice) -> Iterator[None]:
    """Memory that is asked for in bytes outside of a recording is a plan's buffer."""
    empty = device.library.empty

    def full(shape: Any, strides: Any, dtype: str, place: int) -> Any:
        if dtype == "uint8" and device.recording is None:
            raise MemoryError("none")
        return empty(shape, strides, dtype, place)

    device.library.empty = full  # type: ignore[method-assign]
    yield
    device.library.empty = empty  # type: ignore[method-assign]


def test_out_of_memory_for_the_plan(device: SimulatedDevice) -> None:
    x = random(4, 4, 32, 32)
    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), W), copy=False)
    ck.conv2d(x, W)
    with no_room_for_plans(device), pytest.raises(ck.OutOfMemoryError, match=r"a recording of .*lambda"):
        captured(x)
    np.testing.assert_allclose(captured(x), ck.conv2d(np.maximum(x, 0), W))


@pytest.mark.parametrize("count", range(12))
def test_out_of_memory_at_every_allocation(count: int, device: SimulatedDevice) -> None:
    """Whichever allocation fails: the right result, or an error and a device that is as before."""
    x = random(1, 4, 5, 5)
    expected = ck.conv2d(np.maximum(x, 0), W)
    workspaces.trim()
    gc.collect()
    used, take = device.used, device._take
    left = [count]

    def failing(nbytes: int) -> None:
        left[0] -= 1
        if left[0] == -1:
            raise MemoryError("told to fail")
        take(nbytes)

    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), W))
    device._take = failing  # type: ignore[method-assign]
    try:
        np.testing.assert_allclose(captured(x), expected)
    except MemoryError:
        pass
    finally:
        device._take = take  # type: ignore[method-assign]
    assert clean(device)
    np.testing.assert_allclose(captured(x), expected)
    captured.close()
    workspaces.trim()
    gc.collect()
    assert device.used <= used + expected.nbytes


def test_out_of_memory_for_the_plan_comes_after_the_operations(device: SimulatedDevice) -> None:
    eye = np.eye(2).reshape(2, 2, 1, 1)
    captured = ck.capture(lambda total, x: ck.conv2d(x, eye, beta=1.0, out=total), static_inputs=True)
    total, x = np.zeros((1, 2, 3, 3)), np.ones((1, 2, 3, 3))
    with no_room_for_plans(device), pytest.raises(ck.OutOfMemoryError):
        captured(total, x)
    assert total.min() == total.max() == 1
    captured(total, x)
    assert total.min() == total.max() == 2
