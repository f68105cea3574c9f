"""Which arrays ``static_inputs`` takes, whatever came before; which arrays lead to which recording."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, deque
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(13)


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


def gaps(*shape: int) -> Any:
    return random(shape[0], 2 * shape[1], *shape[2:])[:, ::2]


def unaligned(*shape: int) -> Any:
    """Dense, and four bytes behind where memory begins."""
    memory = random(int(np.prod(shape)) + 1).astype("f4")
    return memory[1:].reshape(shape)


@pytest.mark.parametrize("before", [[], [gaps], [gaps, gaps]], ids=["nothing", "gaps", "gaps twice"])
@pytest.mark.parametrize("asks", [False, True], ids=["", "inputs"])
def test_a_signatures_first_array_is_taken_whatever_came_before(
    before: list[Any],
    asks: bool,
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    """What the function writes is in the caller's array, also where one with gaps has dense copies like it."""
    captured = ck.capture(lambda x: ck.relu(x, out=x), static_inputs=True)
    for make in before:
        other = make(2, 4, 4)
        values = other.copy()
        captured(other)
        np.testing.assert_array_equal(other, values)
        if asks:
            captured(*captured.inputs())
    x = random(2, 4, 4)
    expected = np.maximum(x, 0)
    np.testing.assert_array_equal(captured(x), expected)
    np.testing.assert_array_equal(x, expected)
    assert captured.inputs()[0] is x
    assert captured.inputs(x)[0] is x


@pytest.mark.parametrize("order", ["own first", "taken first"])
def test_of_several_own_arrays_those_of_arrays_with_gaps_tell_the_recording(
    order: str,
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    minus = -2 * np.eye(2).reshape(2, 2, 1, 1)
    captured = ck.capture(lambda a, b: ck.conv2d(b, minus, residual=a), static_inputs=True)
    taken = random(2, 2, 2, 2)
    captured(gaps(2, 2, 2, 2), taken)
    own, same = captured.inputs()
    assert same is taken
    calls = [(own, taken), (random(2, 2, 2, 2), taken)]
    for a, b in calls if order == "own first" else calls[::-1]:
        expected = a - 2 * b
        np.testing.assert_allclose(captured(a, b), expected)
        assert captured.inputs()[0] is a
        assert captured.inputs()[1] is taken
    other = random(2, 2, 2, 2)
    np.testing.assert_allclose(captured(own, other), own - 2 * other)
    assert captured.inputs()[0] is own
    np.testing.assert_array_equal(taken, other)
    assert len(captured.report()) == 2


def test_worse_aligned_arrays_are_copied(device: SimulatedDevice) -> None:
    """A recording of one would keep kernels that need no alignment, whatever is given later."""
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=True)
    for one in (unaligned(2, 4, 4), random(2, 4, 4).astype("f4"), unaligned(2, 4, 4)):
        before = one.copy()
        np.testing.assert_array_equal(captured(one), np.maximum(before, 0))
        np.testing.assert_array_equal(one, before)
        (own,) = captured.inputs()
        assert device.library.view(own, "own").alignment == 16
        assert own is not one
    (report,) = captured.report()
    assert (report.input_bytes, report.replays) == (2 * 4 * 4 * 4, 2)


def test_empty_arrays_are_taken(device: SimulatedDevice) -> None:  # noqa: ARG001
    """They hold nothing that could be copied, whatever their strides."""
    captured = ck.capture(lambda x, *_: ck.relu(x), static_inputs=True)
    x, empty = random(2, 3, 4), np.empty((0, 3, 4))
    captured(x, empty)
    assert captured.inputs()[1] is empty
    assert captured.report()[0].input_bytes == 0


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("first", [0, 1])
def test_own_arrays_lead_to_their_recording(static: bool, first: int, device: SimulatedDevice) -> None:  # noqa: ARG001
    """Also where another recording has own arrays of the same signature."""
    captured = ck.capture(lambda x: ck.relu(x), static_inputs=static)
    made = [random(2, 4, 4), random(2, 8, 4)[:, ::2], random(2, 12, 4)[:, ::3]]
    given = made[first:] + made[:first]
    before = [one.copy() for one in given]
    own = []
    for one in given:
        captured(one)
        own.extend(captured.inputs())
    for one in own:
        one[...] = random(2, 4, 4)
        count = {recording: recording.replays for recording in captured._recordings.values()}
        np.testing.assert_array_equal(captured(one), np.maximum(one, 0))
        (used,) = [recording for recording, replays in count.items() if recording.replays > replays]
        assert used.inputs.leaves[0] is one
    if not static:
        assert all(np.array_equal(one, values) for one, values in zip(given, before, strict=True))
    assert len(captured.report()) == (3 if static else 3 - first)  # a dense array given last needs none of its own


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.0, -0.0), (0j, complex(0.0, -0.0)), (np.float32(0.0), np.float32(-0.0)), (1, True), (1, 1.0),
        (frozenset([1]), frozenset([True])),
    ],
    ids=repr,
)  # fmt: skip
def test_equal_constants_that_are_not_the_same_have_recordings_of_their_own(
    one: Any,
    other: Any,
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    seen = []
    captured = ck.capture(lambda x, constant: seen.append(repr(constant)) or ck.relu(x))
    x = random(2, 3)
    for constant in (one, other, one, other):
        captured(x, constant)
    assert sorted(set(seen)) == sorted([repr(one), repr(other)])
    assert [recording.replays for recording in captured.report()] == [1, 1]


@pytest.mark.parametrize("make", [float, complex, np.float32, np.complex64], ids=lambda make: make.__name__)
def test_nan_finds_its_recording(make: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x, constant: ck.relu(x))  # noqa: ARG005
    for _ in range(3):
        captured(random(2, 3), make("nan"))
    assert [recording.replays for recording in captured.report()] == [2]


@dataclasses.dataclass
class Pair:
    """A result that is not looked into."""

    first: Any
    second: Any


class Holder:
    """An object with an attribute."""

    def __init__(self, y: Any) -> None:
        self.y = y


class Slot:
    """An object with a slot."""

    __slots__ = "y"

    def __init__(self, y: Any) -> None:
        self.y = y


@pytest.mark.parametrize(
    "hide", [lambda y: Pair(y, y), lambda y: OrderedDict(y=y), lambda y: iter([y]), lambda y: deque([y]), Holder, Slot]
)
def test_a_result_that_may_hide_arrays_is_refused(hide: Any, device: SimulatedDevice) -> None:
    captured = ck.capture(lambda x: hide(ck.relu(x)))
    with pytest.raises(ck.CaptureError, match="return arrays in tuples, named tuples, lists or dictionaries"):
        captured(np.ones((1, 2, 3, 3)))
    assert device.recording is None


@pytest.mark.parametrize("hide", [Holder, Slot, lambda y: dataclasses.make_dataclass("Data", ["y"], eq=False)(y)])
def test_an_argument_that_hides_arrays_is_refused_once(hide: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    x = random(1, 2)
    held = hide(x)
    captured = ck.capture(lambda x, held: ck.relu(held.y if held else x))
    with pytest.raises(ck.CaptureError, match=rf"argument 1 is a {type(held).__name__} that holds arrays; pass arrays"):
        captured(x, held)
    held.y = -x
    np.testing.assert_array_equal(captured(x, held), np.maximum(-x, 0))


def test_an_argument_without_arrays_is_a_value(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x, held: ck.leaky_relu(x, held.y))
    held = Holder(0.5)
    for _ in range(2):
        assert captured(-np.ones((1, 2)), held).tolist() == [[-0.5, -0.5]]
    assert [one.replays for one in captured.report()] == [1]


class Strange(np.ndarray[Any, Any]):
    """An array that does not tell where it is."""

    @property
    def ctypes(self) -> Any:
        raise RuntimeError("nowhere")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda y: np.broadcast_to(y, (4, *y.shape)), "whose elements share memory"),
        (lambda y: np.lib.stride_tricks.as_strided(y, (3, 2), (8, 8)), "whose elements share memory"),
        (lambda _: np.ones(3, "i2"), "int16"),
        (lambda _: np.ones(3, "c16"), "complex128"),
        (lambda _: np.ones(3, "u4"), "uint32"),
        (lambda _: np.ones(3, "M8[s]"), "datetime64"),
        (lambda y: y.view(Strange), r"a Strange that cannot be used \(RuntimeError: nowhere\)"),
    ],
)  # fmt: skip
def test_a_result_that_cannot_be_filled_is_refused_once(result: Any, words: str, device: SimulatedDevice) -> None:  # noqa: ARG001
    calls = []
    captured = ck.capture(lambda x: calls.append(None) or result(ck.relu(x)))
    x = np.ones((1, 6))
    with pytest.raises(ck.CaptureError, match=words):
        captured(x)
    assert len(calls) == 1
    for _ in range(2):
        assert np.asarray(captured(x)).shape == np.asarray(result(x)).shape
    assert len(calls) == 3
    (report,) = captured.report()
    assert report.failure


def test_a_result_that_cannot_be_written_is_refused_once(device: SimulatedDevice) -> None:  # noqa: ARG001
    def function(x: Any) -> Any:
        y = ck.relu(x)
        y.flags.writeable = False
        return y

    captured = ck.capture(function)
    with pytest.raises(ck.CaptureError, match="returned something that cannot be written"):
        captured(np.ones((1, 6)))
    assert captured(-np.ones((1, 6))).max() == 0


def test_weights_that_nobody_may_write_can_be_results(device: SimulatedDevice) -> None:  # noqa: ARG001
    w = np.ones((1, 6))
    w.flags.writeable = False
    captured = ck.capture(lambda x: (ck.relu(x), w), copy=False)
    for _ in range(2):
        assert captured(np.ones((1, 6)))[1] is w


@pytest.mark.parametrize("shape", [(1, 6), (6, 1), (0, 3)])
def test_results_with_axes_of_one_element_are_dense(shape: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x).T)
    for _ in range(2):
        assert captured(np.ones(shape)).shape == shape[::-1]
    assert [one.replays for one in captured.report()] == [1]
