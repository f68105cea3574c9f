"""A recording's own arguments: copies, or with ``static_inputs`` the arrays of the first call; what shares memory."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(13)
W = RANDOM.standard_normal((4, 4, 3, 3)) / 6


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


def watched(captured: ck.Captured) -> list[Any]:
    """What is copied into the inputs of its one recording from now on."""
    (recording,) = captured._recordings.values()
    copies: list[Any] = []
    copy = recording.inputs._copy
    recording.inputs._copy = lambda source, target: copies.append(source) or copy(source, target)
    return copies


class Difference:
    """a - 2b of operations only: NumPy's own arithmetic is host work, which a graph does not repeat."""

    def __init__(self) -> None:
        self.eye = np.eye(2).reshape(2, 2, 1, 1)

    def __call__(self, a: Any, b: Any) -> Any:
        return ck.conv2d(b, -2 * self.eye, residual=a)

    def expected(self, a: Any, b: Any) -> Any:
        return a - 2 * b


def test_the_first_calls_arrays_are_the_recordings_own(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x = random(2, 3, 4)
    np.testing.assert_array_equal(captured(x), np.maximum(x, 0))
    (own,) = captured.inputs()
    assert own is x
    assert captured.report()[0].input_bytes == 0
    copies = watched(captured)
    x[...] = random(2, 3, 4)  # a batch written where it is read
    np.testing.assert_array_equal(captured(x), np.maximum(x, 0))
    np.testing.assert_array_equal(captured(x[:]), np.maximum(x, 0))  # the same memory under another name
    assert not copies
    assert captured.report()[0].replays == 2


def test_other_arrays_overwrite_the_first_calls(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x, other = random(2, 3, 4), random(2, 3, 4)
    captured(x)
    before = other.copy()
    np.testing.assert_array_equal(captured(other), np.maximum(before, 0))
    np.testing.assert_array_equal(other, before)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(captured(x), np.maximum(before, 0))


def test_left_out_no_array_of_the_callers_is_written(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x))
    x = random(2, 3, 4)
    before = x.copy()
    captured(x)
    captured(random(2, 3, 4))
    np.testing.assert_array_equal(x, before)
    assert captured.report()[0].input_bytes == x.nbytes


class Foreign:
    """An array of a library that is not known here, and that may never change."""

    def __init__(self, array: Any) -> None:
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: random(2, 8, 4)[:, ::2], id="gaps"),
        pytest.param(lambda: random(2, 4, 4)[..., ::-1], id="backwards"),
        pytest.param(lambda: np.broadcast_to(random(1, 4, 1), (2, 4, 4)), id="broadcast"),
        pytest.param(lambda: Foreign(random(2, 4, 4)), id="foreign"),
    ],
)
def test_what_cannot_be_taken_is_copied(make: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    first, second = make(), make()
    for one in (first, second, first):
        values = getattr(one, "array", one)
        np.testing.assert_array_equal(captured(one), np.maximum(values, 0))
        before = values.copy()
    captured(second)
    np.testing.assert_array_equal(getattr(first, "array", first), before)
    assert captured.report()[0].input_bytes == 2 * 4 * 4 * 8
    (own,) = captured.inputs()
    np.testing.assert_array_equal(captured(own), np.maximum(own, 0))
    assert len(captured.report()) == 1


@pytest.mark.parametrize("last", [False, True], ids=["first axis", "channels last"])
def test_both_dense_layouts_are_taken(last: bool, device: SimulatedDevice) -> None:  # noqa: ARG001
    x = random(2, 5, 5, 4).transpose(0, 3, 1, 2) if last else random(2, 4, 5, 5)
    captured = ck.capture(lambda x: ck.conv2d(x, W), static_inputs=True)
    np.testing.assert_allclose(captured(x), ck.conv2d(x, W))
    assert captured.inputs()[0] is x


def test_values_stay_values_and_each_signature_has_its_own(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x, *, slope: ck.leaky_relu(x["x"], slope), static_inputs=True)
    x, y = -np.ones((1, 1, 2)), -np.ones((1, 1, 3))
    for _ in range(2):
        assert captured({"x": x}, slope=0.5).tolist() == [[[-0.5, -0.5]]]
        assert captured({"x": y}, slope=0.5).tolist() == [[[-0.5, -0.5, -0.5]]]
        assert captured({"x": x}, slope=0.25).tolist() == [[[-0.25, -0.25]]]
    given, words = captured.inputs()
    assert given["x"] is x
    assert words == {"slope": 0.25}
    assert [one.replays for one in captured.report()] == [1, 1, 1]


class Movable(np.ndarray[Any, Any]):
    """An array that can be given other memory, as torch's `x.data = ...` does."""

    home: Any = None

    @property
    def ctypes(self) -> Any:
        return super().ctypes if self.home is None else self.home.ctypes


@pytest.mark.parametrize("again", [False, True], ids=["given", "another given"])
def test_an_array_with_other_memory_is_another_array(again: bool, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x = random(2, 3, 4).view(Movable)
    captured(x)
    memory = x.view(np.ndarray)
    copies = watched(captured)
    x.home = random(2, 3, 4)
    y = random(2, 3, 4) if again else x
    captured(y)
    assert [one is y for one in copies] == [True]
    (own,) = captured.inputs()
    assert own is not x
    assert own.ctypes.data == memory.ctypes.data
    captured(own)
    assert len(copies) == 1
    assert captured.report()[0].replays == 2


def test_a_result_in_an_argument_is_where_the_graph_wrote_it(device: SimulatedDevice) -> None:  # noqa: ARG001
    eye = np.eye(2).reshape(2, 2, 1, 1)
    captured = ck.capture(lambda total, x: ck.conv2d(x, eye, beta=1.0, out=total), copy=False, static_inputs=True)
    total, x = np.zeros((1, 2, 3, 3)).view(Movable), np.ones((1, 2, 3, 3))
    assert captured(total, x) is total
    total.home = np.zeros((1, 2, 3, 3))
    assert captured(total, x) is captured.inputs()[0] is not total


@pytest.mark.parametrize("asks", [False, True], ids=["call", "inputs"])
def test_recorded_memory_that_is_gone_is_recorded_anew(asks: bool, device: SimulatedDevice) -> None:  # noqa: ARG001
    """As after torch's `x.untyped_storage().resize_(0)`: every array over it moves."""
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x, y = random(2, 3, 4).view(Movable), random(2, 3, 4)
    captured(x)
    (recording,) = captured._recordings.values()
    x.home = recording.inputs._kept[0][2].home = random(2, 3, 4)
    if asks:
        with pytest.raises(ck.ArgumentError, match="have no recording"):
            captured.inputs(y)
    np.testing.assert_array_equal(captured(y), np.maximum(y, 0))
    assert captured.inputs()[0] is y
    assert [one.replays for one in captured.report()] == [0]


# Shared memory ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("static", [False, True])
def test_arguments_that_share_memory(static: bool, device: SimulatedDevice) -> None:  # noqa: ARG001
    """One array twice, and two parts of one array that overlap: of each the first is taken."""
    function = Difference()
    both = random(3, 2, 2, 2)
    for a, b in ((both[:2], both[:2]), (both[:2], both[1:])):
        captured = ck.capture(function, static_inputs=static)
        np.testing.assert_allclose(captured(a, b), function.expected(a, b))
        assert (captured.inputs()[0] is a) is static
        assert captured.inputs()[1] is not b
        np.testing.assert_allclose(captured(a, b), function.expected(a, b))
        c, d = random(2, 2, 2, 2), random(2, 2, 2, 2)
        np.testing.assert_allclose(captured(c, d), function.expected(c, d))
        expected = function.expected(d, a)
        np.testing.assert_allclose(captured(d, a), expected)  # `a` may be what d is copied into


@pytest.mark.parametrize("static", [False, True])
def test_own_arrays_in_another_order_are_read_before_they_are_overwritten(
    static: bool,
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    function = Difference()
    captured = ck.capture(function, static_inputs=static)
    captured(random(2, 2, 2, 2), random(2, 2, 2, 2))
    a, b = captured.inputs()
    expected = function.expected(b, a)
    np.testing.assert_allclose(captured(b, a), expected)
    expected = function.expected(b, b)
    np.testing.assert_allclose(captured(b, b), expected)


@pytest.mark.parametrize("step", [1, -1])
def test_a_part_of_the_memory_that_is_overwritten(step: int, device: SimulatedDevice) -> None:  # noqa: ARG001
    """Inputs in one long array, given shifted: each is read as it was before the call."""
    function = Difference()
    memory = random(8, 2, 2, 2)
    captured = ck.capture(function, static_inputs=True)
    captured(memory[2:4], memory[4:6])
    a, b = memory[2 + step : 4 + step], memory[4 + step : 6 + step]
    expected = function.expected(a, b)
    np.testing.assert_allclose(captured(a, b), expected)


def test_another_array_may_begin_where_the_own_one_does(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x))
    captured(np.broadcast_to(random(1, 4), (3, 4)))
    (own,) = captured.inputs()
    own[...] = random(3, 4)
    first = np.broadcast_to(own[:1], (3, 4))
    expected = np.maximum(first, 0)
    np.testing.assert_array_equal(captured(first), expected)


def test_arrays_far_from_the_own_ones_are_copied_once(device: SimulatedDevice) -> None:
    captured = ck.capture(Difference())
    captured(random(1, 2, 2, 2), random(1, 2, 2, 2))
    made: list[Any] = []
    library, maker = device.library, device.library.maker
    library.maker = lambda *given: made.append(given) or maker(*given)  # type: ignore[method-assign]
    captured(random(1, 2, 2, 2), random(1, 2, 2, 2))
    assert not made


def test_what_the_function_writes_is_in_the_first_calls_array(device: SimulatedDevice) -> None:  # noqa: ARG001
    eye = np.eye(2).reshape(2, 2, 1, 1)

    def add(total: Any, x: Any) -> Any:
        return ck.conv2d(x, eye, beta=1.0, out=total)

    captured = ck.capture(add, copy=False, static_inputs=True)
    total, x = np.zeros((1, 2, 3, 3)), np.ones((1, 2, 3, 3))
    for count in (1, 2, 3):  # the call as it is takes effect once, and so does each replay
        assert captured(total, x) is total
        assert total.min() == total.max() == count
    other = np.full((1, 2, 3, 3), 10.0)
    assert captured(other, x) is total
    assert (total.max(), other.max()) == (11, 10)
    copied = ck.capture(add)
    copied(other, x)
    assert other.max() == 10


# Lifetimes ----------------------------------------------------------------------------------------------------------


def test_a_failure_leaves_arrays_alone(device: SimulatedDevice) -> None:
    def waits(x: Any) -> Any:
        return ck.relu(x) * device.library.kernels.read(x, (0, 0, 0))

    captured = ck.capture(waits, static_inputs=True)
    x, other = random(1, 1, 2), random(1, 1, 2)
    before = x.copy()
    with pytest.raises(ck.CaptureError):
        captured(x)
    np.testing.assert_array_equal(captured(other), waits(other))
    np.testing.assert_array_equal(x, before)


def test_eight_threads_share_one_input(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.conv2d(x, W), static_inputs=True)
    captured(random(1, 4, 5, 5))
    wrong: list[int] = []

    def work(seed: int) -> None:
        x = np.random.default_rng(seed).standard_normal((1, 4, 5, 5))
        expected = ck.conv2d(x, W)
        wrong.extend(seed for _ in range(10) if not np.allclose(captured(x), expected))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert not wrong


def test_another_threads_call_overwrites_what_was_written_before(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x, other = random(1, 2, 3), random(1, 2, 3)
    captured(x)
    x[...] = random(1, 2, 3)
    thread = threading.Thread(target=captured, args=(other,))
    thread.start()
    thread.join(60)
    np.testing.assert_array_equal(captured(x), np.maximum(other, 0))


def test_a_forked_child_has_inputs_of_its_own(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    x, y = random(1, 2, 3), random(1, 2, 3)
    captured(x)
    before = x.copy()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        ok = np.array_equal(captured(y), np.maximum(y, 0)) and captured.inputs()[0] is y
        captured(random(1, 2, 3))
        os._exit(0 if ok and np.array_equal(x, before) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert captured.inputs()[0] is x


def test_wrong_type(device: SimulatedDevice) -> None:  # noqa: ARG001
    with pytest.raises(ck.ArgumentTypeError, match="static_inputs='yes': must be True or False"):
        ck.capture(ck.relu, static_inputs="yes")  # type: ignore[call-overload]
