"""What calls have in common that share a recording: arguments that are one array, values, keys, keywords."""

from __future__ import annotations

import dataclasses
from collections import deque
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(19)


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("first", ["two", "one"])
def test_what_is_written_into_one_argument_is_read_from_another_that_is_the_same(
    first: str,
    static: bool,
    device: SimulatedDevice,  # noqa: ARG001
) -> None:
    def function(a: Any, b: Any) -> Any:
        ck.relu(a, out=a)
        return ck.tanh(b)

    captured = ck.capture(function, static_inputs=static)
    for kind in (first, "one", "two", "one"):
        a = random(2, 3, 4)
        b = a if kind == "one" else random(2, 3, 4)
        expected = np.tanh(np.maximum(a, 0) if kind == "one" else b)
        np.testing.assert_allclose(captured(a, b), expected)
        own, other = captured.inputs()
        assert (own is other) is (kind == "one")
        own[...] = random(2, 3, 4)
        expected = np.tanh(np.maximum(own, 0) if kind == "one" else other)
        np.testing.assert_allclose(captured(own, other), expected)
    assert len(captured.report()) == 2


def test_empty_arrays_are_never_the_same(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x, *_: ck.relu(x))
    x, empty = random(2, 3, 4), np.empty((0, 3))
    captured(x, empty, empty)
    captured(x, empty, np.empty((0, 3)))
    assert [one.replays for one in captured.report()] == [1]


class Model:
    """An object that counts how often it is put into words."""

    texts = 0

    def __repr__(self) -> str:
        Model.texts += 1
        raise RuntimeError("no words")


def test_an_object_is_told_by_itself_not_by_its_text(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda model, x: ck.relu(x))  # noqa: ARG005
    one, other = Model(), Model()
    for model in (one, other, one, other):
        captured(model, np.ones((1, 2)))
    assert [report.replays for report in captured.report()] == [1, 1]
    assert Model.texts == 0


def test_an_object_with_equality_of_its_own_may_have_no_text(device: SimulatedDevice) -> None:  # noqa: ARG001
    @dataclasses.dataclass(frozen=True)
    class Setting:
        slope: float

        def __repr__(self) -> str:
            raise RuntimeError("no words")

    captured = ck.capture(lambda x, setting: ck.leaky_relu(x, setting.slope))
    for slope in (0.5, 0.25, 0.5):
        assert captured(-np.ones((1, 2)), Setting(slope)).tolist() == [[-slope, -slope]]
    assert len(captured.report()) == 2


def test_equal_keys_of_different_types_are_different_keys(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda given: {key: ck.relu(x) for key, x in given.items()})
    x = np.ones((1, 2))
    for key in (1, True, 1.0, (1,), (True,)):
        for _ in range(2):
            assert repr(list(captured({key: x}))) == repr([key])


def test_the_order_of_keywords_means_nothing(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda *, a, b: ck.relu(a) if b else a)
    x = random(1, 2)
    captured(a=x, b=1)
    captured(b=1, a=x)
    assert [one.replays for one in captured.report()] == [1]
    assert captured.inputs(b=1, a=x)[0]["a"].shape == (1, 2)


@pytest.mark.parametrize("make", [lambda x: deque([x]), lambda x: {x.size}, lambda _: bytearray(2)])
def test_what_is_not_hashable_is_named_by_its_type(make: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x, more: ck.relu(x))  # noqa: ARG005
    x = random(1, 2)
    with pytest.raises(
        ck.ArgumentTypeError, match=rf"argument 1='a \w+\.{type(make(x)).__name__}': is neither an array nor hashable"
    ):
        captured(x, make(x))


@pytest.mark.parametrize("value", [np.float32, np.dtype("f4"), np.ndarray, np.float32(2), slice, Any])
def test_classes_and_element_types_are_values(value: Any, device: SimulatedDevice) -> None:  # noqa: ARG001
    seen: list[Any] = []
    captured = ck.capture(lambda x, kind: (seen.append(kind), ck.relu(x))[1])
    x = random(2, 3)
    for _ in range(3):
        np.testing.assert_array_equal(captured(x, value), np.maximum(x, 0))
    assert len(captured.report()) == 1
    assert all(one is value for one in seen)
    captured(x, np.dtype("f8"))
    assert len(captured.report()) == 2
