"""What goes wrong while a function is recorded: a typed error, nothing left recording, memory that is still right."""

from __future__ import annotations

import functools
import pickle
from types import SimpleNamespace
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.recording.tracing import Trace
from cudnnkit.rooms import ACTIVE, here
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(11)
W = RANDOM.standard_normal((4, 4, 3, 3))


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


def clean(device: SimulatedDevice) -> bool:
    return not ACTIVE and here() is None and not device.recordings and not device.library.capturing(0)


def test_a_function_that_waits_is_named_and_runs_as_it_is_from_then_on(device: SimulatedDevice) -> None:
    def waits(x: Any) -> Any:
        y = ck.conv2d(x, W, padding=1)
        return y * device.library.kernels.read(y, (0, 0, 0, 0))

    captured = ck.capture(waits)
    x = random(1, 4, 5, 5)
    with pytest.raises(ck.CaptureError, match="operation not permitted") as caught:
        captured(x)
    assert clean(device)
    error = caught.value
    assert error.function.endswith("waits")
    assert "launch 1, " in error.after
    assert "conv" in error.after
    assert "must not wait for the device" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    np.testing.assert_allclose(captured(x), waits(x))
    (report,) = captured.report()
    assert "operation not permitted" in str(report)
    np.testing.assert_allclose(ck.capture(lambda x: ck.relu(x))(x), np.maximum(x, 0))
    captured.clear()
    with pytest.raises(ck.CaptureError):
        captured(x)


def test_what_the_function_itself_raises_goes_through(device: SimulatedDevice) -> None:
    def fails(x: Any) -> Any:
        ck.relu(x)
        raise ZeroDivisionError("as it is")

    captured = ck.capture(fails)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="as it is"):
            captured(random(1, 1, 1))
        assert clean(device)
    assert captured.report() == ()


@pytest.mark.parametrize("bad", [2, 3], ids=["while traced", "while recorded"])
def test_an_error_in_a_later_pass(bad: int, device: SimulatedDevice) -> None:
    calls = []

    def fails(x: Any) -> Any:
        calls.append(None)
        y = ck.relu(x)
        if len(calls) == bad:
            raise RuntimeError("only now")
        return y

    captured = ck.capture(fails)
    with pytest.raises(ck.CaptureError, match="only now"):
        captured(random(1, 1, 1))
    assert clean(device)
    assert captured(np.array([[[-1.0]]])).tolist() == [[[0.0]]]


def test_interruption_goes_through(device: SimulatedDevice) -> None:
    calls = []

    def interrupted(x: Any) -> Any:
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return ck.relu(x)

    captured = ck.capture(interrupted)
    with pytest.raises(KeyboardInterrupt):
        captured(random(1, 1, 1))
    assert clean(device)
    assert captured(np.array([[[-1.0]]])).tolist() == [[[0.0]]]
    assert len(captured.report()) == 1


def test_a_candidate_that_fails_only_while_recorded(device: SimulatedDevice) -> None:
    captured = ck.capture(lambda x: ck.conv2d(x, W))
    x = random(1, 4, 5, 5)
    ck.conv2d(x, W)

    def function(x: Any) -> Any:
        for one in device.candidates:
            one.fails = "run" if device.recording is not None else None
        return ck.conv2d(x, W)

    captured = ck.capture(function)
    with pytest.raises(ck.CaptureError, match="NOT_SUPPORTED") as caught:
        captured(x)
    assert "launch 1" in caught.value.after
    assert clean(device)
    np.testing.assert_allclose(captured(x), ck.conv2d(x, W))


class Changing:
    """Does something else each time it is called, and is right all the same."""

    def __init__(self, extra: dict[int, int], kept: dict[int, int]) -> None:
        self.extra, self.kept = extra, kept
        self.calls = 0
        self.list: list[Any] = []

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        for _ in range(self.extra.get(self.calls, 0)):
            ck.relu(np.ones((1, 64, 64)))
        y = ck.conv2d(x, W, padding=1)
        for _ in range(self.kept.get(self.calls, 0)):
            self.list.append(y)
            y = ck.conv2d(y, W, padding=1)
        self.list[:] = self.list[: 4 * (self.calls == 3)]
        z = ck.conv2d(y, W, padding=1)
        return ck.conv2d(z, W, padding=1, residual=y)

    def expected(self, x: Any) -> Any:
        y = ck.conv2d(x, W, padding=1)
        for _ in range(self.kept.get(3, 0)):
            y = ck.conv2d(y, W, padding=1)
        return ck.conv2d(ck.conv2d(y, W, padding=1), W, padding=1, residual=y)


@pytest.mark.parametrize(
    ("extra", "kept", "fits"),
    [
        pytest.param({3: 2}, {}, False, id="more"),
        pytest.param({2: 2}, {}, False, id="fewer"),
        pytest.param({1: 1}, {}, True, id="as it is"),
        pytest.param({}, {1: 4, 2: 0, 3: 4}, False, id="longer"),
        pytest.param({}, {1: 4, 2: 4}, True, id="shorter"),
        pytest.param({}, {1: 3, 2: 3, 3: 3}, False, id="kept alive"),
    ],
)
def test_another_order_of_allocations_is_never_wrong(
    extra: dict[int, int], kept: dict[int, int], fits: bool, device: SimulatedDevice
) -> None:
    """What does not fit the plan has memory of its own; what is alive is never given away."""
    function = Changing(extra, kept)
    captured = ck.capture(function)
    captured(random(1, 4, 5, 5))
    for _ in range(3):
        x = random(1, 4, 5, 5)
        np.testing.assert_allclose(captured(x), function.expected(x), rtol=1e-9)
    (report,) = captured.report()
    assert (report.unplanned == 0) is fits
    assert clean(device)


def test_a_plan_that_does_not_fit_is_said(device: SimulatedDevice, caplog: pytest.LogCaptureFixture) -> None:  # noqa: ARG001
    function = Changing({3: 2}, {})
    captured = ck.capture(function)
    with caplog.at_level("INFO", "cudnnkit"):
        captured(random(1, 4, 5, 5))
    (report,) = captured.report()
    assert report.unplanned
    assert f"{report.unplanned} arrays did not fit the plan" in str(report)
    assert "does not fit the plan" in caplog.text


def test_a_recording_within_a_recording_is_a_part_of_it(device: SimulatedDevice) -> None:
    inner = ck.capture(lambda x: ck.relu(x))
    outer = ck.capture(lambda x: ck.conv2d(inner(x), W))
    x = random(1, 4, 5, 5)
    for _ in range(3):
        np.testing.assert_allclose(outer(x), ck.conv2d(np.maximum(x, 0), W))
    assert inner.report() == ()
    assert len(outer.report()) == 1
    device.capturing, device.stream = True, 5  # the user records a graph
    np.testing.assert_allclose(inner(x), np.maximum(x, 0))
    np.testing.assert_allclose(outer(x), ck.conv2d(np.maximum(x, 0), W))
    device.capturing = False
    assert inner.report() == ()
    assert outer.report()[0].replays == 2


def test_one_that_calls_itself(device: SimulatedDevice) -> None:  # noqa: ARG001
    def deep(x: Any) -> Any:
        return captured(x[:, :, 1:]) if x.shape[2] > 2 else ck.relu(x)

    captured = ck.capture(deep)
    x = random(1, 2, 5)
    for _ in range(2):
        np.testing.assert_array_equal(captured(x), np.maximum(x[:, :, 3:], 0))


def test_plans_take_part(device: SimulatedDevice) -> None:  # noqa: ARG001
    x = random(1, 4, 5, 5)
    plan = ck.plan(ck.conv2d, x, W, padding=1)
    captured = ck.capture(lambda x: plan(plan(plan(x, W), W), W))
    for _ in range(2):
        x = random(1, 4, 5, 5)
        np.testing.assert_allclose(captured(x), plan(plan(plan(x, W), W), W))
    (report,) = captured.report()
    assert (report.launches, report.unplanned) == (3, 0)


def test_decompositions_take_part(device: SimulatedDevice) -> None:
    """Asymmetric padding needs a room of its own within the operation."""
    for one in device.candidates:
        one.refuses = lambda problem: (
            "asymmetric" if problem.convolution is not None and not problem.convolution.symmetric else None
        )

    def function(x: Any) -> Any:
        for _ in range(3):
            x = ck.conv2d(x, W, padding=((1, 1), (0, 2)), activation="relu")
        return x

    captured = ck.capture(function)
    for _ in range(3):
        x = random(1, 4, 5, 5)
        np.testing.assert_allclose(captured(x), function(x), rtol=1e-9)
    (report,) = captured.report()
    assert report.unplanned == 0
    assert report.planned_bytes < report.intermediate_bytes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"most": 0}, "most=0: must be a whole number"),
        ({"most": 2.0}, r"most=2\.0: must be a whole number"),
        ({"most": True}, "most=True: must be a whole number"),
    ],
)
def test_wrong_arguments_of_capture(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ck.ArgumentError, match=words):
        ck.capture(ck.relu, **arguments)


def test_no_function() -> None:
    with pytest.raises(ck.ArgumentTypeError, match="function=3: must be a function of arrays"):
        ck.capture(3)  # type: ignore[call-overload]


def generates(x: Any) -> Any:
    yield ck.relu(x)


async def waits_for(x: Any) -> Any:
    return ck.relu(x)


async def generates_later(x: Any) -> Any:
    yield ck.relu(x)


class Generates:
    def __call__(self, x: Any) -> Any:
        yield ck.relu(x)


@pytest.mark.parametrize(
    "function", [generates, waits_for, generates_later, Generates(), functools.partial(generates), Generates().__call__]
)
def test_functions_whose_body_runs_later_are_refused_at_once(function: Any) -> None:
    with pytest.raises(ck.ArgumentTypeError, match=r"function=.*: is a generator or async function"):
        ck.capture(function)


def test_wrong_arguments_of_the_function(device: SimulatedDevice) -> None:
    captured = ck.capture(lambda *given: ck.relu(given[0]))
    with pytest.raises(ck.ArgumentError, match="hold no array"):
        captured(3)
    far = device.place(random(1, 1, 1), 1)
    with pytest.raises(ck.ArgumentError, match="argument 1='numpy on device 1': but others are numpy on device 0"):
        captured(random(1, 1, 1), far)
    with pytest.raises(ck.ArgumentError, match="complex128"):
        captured(np.ones((1, 1, 1), complex))
    assert clean(device)


def test_results_of_two_libraries(device: SimulatedDevice) -> None:
    def function(x: Any) -> Any:
        rooms = here()
        if isinstance(rooms, Trace):
            rooms.libraries.add(Other(name="cupy"))
        return ck.relu(x)

    class Other(SimpleNamespace):
        __hash__ = object.__hash__

    with pytest.raises(
        ck.ArgumentError, match=r"function='cupy, numpy': has operations on arrays of several libraries"
    ):
        ck.capture(function)(random(1, 1, 1))
    assert clean(device)


def test_host_arrays_are_refused() -> None:
    with pytest.raises(ck.ArgumentTypeError, match=r"argument 0=.*host memory"):
        ck.capture(lambda x: x)(np.ones(3))


def test_another_structure_each_time(device: SimulatedDevice) -> None:
    calls = []

    def function(x: Any) -> Any:
        calls.append(None)
        return ck.relu(x) if len(calls) == 1 else [ck.relu(x)]

    with pytest.raises(ck.CaptureError, match="another structure") as caught:
        ck.capture(function)(random(1, 1, 1))
    assert "wait" not in str(caught.value)  # no operation is at fault
    assert clean(device)


def _nested(inner: Any, levels: int) -> Any:
    for _ in range(levels):
        inner = [inner]
    return inner


def test_arguments_and_results_nested_without_end_are_refused(device: SimulatedDevice) -> None:
    x, cyclic = random(1, 4, 5, 5), {}  # type: Any, dict[str, Any]
    cyclic["itself"] = [cyclic]
    captured = ck.capture(lambda x, other=None: ck.relu(x))  # noqa: ARG005
    for one in (cyclic, _nested(x, 5000)):
        for call in (captured, captured.inputs):
            with pytest.raises(ck.ArgumentError, match=r"is nested more than 100 deep, or within itself"):
                call(x, other=one)
        returns = ck.capture(lambda x, one=one: (ck.relu(x), one))
        with pytest.raises(ck.CaptureError, match=r"it returned a (dict|list) that is nested more than 100 deep"):
            returns(x)
        assert returns(x)[1] is one  # as it is
    assert clean(device)


@pytest.mark.usefixtures("device")
def test_results_nested_a_hundred_deep_are_recorded() -> None:
    captured = ck.capture(lambda x: _nested(ck.relu(x), 100))
    for _ in range(2):
        x = random(1, 4)
        found = captured(x)
        for _ in range(100):
            (found,) = found
        np.testing.assert_array_equal(found, np.maximum(x, 0))
    assert captured.report()[0].replays == 1
