"""Recorded functions: right on new inputs, in planned memory, for each signature; everything is freed."""

from __future__ import annotations

import gc
import weakref
from typing import Any, NamedTuple

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.cache import RETRY_AFTER
from cudnnkit.testing import SimulatedDevice
from cudnnkit.workspace import workspaces

RANDOM = np.random.default_rng(7)
MIB = 2**20


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


class Net:
    """A chain with a residual: four results, three of them alive at once."""

    def __init__(self) -> None:
        self.weights = [random(8, 8, 3, 3) / 8 for _ in range(4)]
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        w = self.weights
        x = ck.conv2d(x, w[0], padding=1, activation="relu")
        z = ck.conv2d(x, w[1], padding=1, activation="relu")
        x = ck.conv2d(z, w[2], padding=1, residual=x, activation="relu")
        del z
        return ck.conv2d(x, w[3], padding=1)


def watched(captured: ck.Captured) -> list[Any]:
    """What is copied into the inputs of its one recording from now on."""
    (recording,) = captured._recordings.values()
    copies: list[Any] = []
    copy = recording.inputs._copy
    recording.inputs._copy = lambda source, target: copies.append(source) or copy(source, target)
    return copies


@pytest.fixture
def net(device: SimulatedDevice) -> Net:  # noqa: ARG001 (weights are made, nothing runs yet)
    return Net()


def test_replays_compute_with_new_inputs(net: Net, device: SimulatedDevice) -> None:
    captured = ck.capture(net)
    inputs = [random(2, 8, 6, 6) for _ in range(8)]
    results = [captured(x) for x in inputs]
    assert net.calls == 3  # as it is, to see the lifetimes, to record
    offered, launches = device.offered, len(device.launches)
    captured(inputs[0])
    assert (device.offered, len(device.launches) - launches) == (offered, 4)
    for x, y in zip(inputs, results, strict=True):
        np.testing.assert_allclose(y, net(x), rtol=1e-12, atol=1e-12)


def test_operations_take_effect_once_in_the_first_call(device: SimulatedDevice) -> None:  # noqa: ARG001
    total, w = np.zeros((1, 4, 2, 2)), np.eye(4).reshape(4, 4, 1, 1)

    def accumulate(x: Any) -> Any:
        return ck.conv2d(x, w, beta=1.0, out=total)

    captured = ck.capture(accumulate)
    x = np.ones((1, 4, 2, 2))
    for count in (1, 2, 3):
        assert captured(x).max() == count
        assert total.min() == total.max() == count


def test_results_share_memory_with_what_is_dead(net: Net) -> None:
    captured = ck.capture(net)
    captured(random(2, 8, 16, 16))
    (report,) = captured.report()
    size = 2 * 8 * 16 * 16 * 8
    assert (report.launches, report.nodes, report.unplanned) == (4, 4, 0)
    assert report.workspace_bytes == 4 * MIB
    assert report.intermediate_bytes == 4 * size + 4 * 4 * MIB
    # The third layer reads two results and writes a third, with its workspace.
    assert report.planned_bytes == report.least_bytes == 3 * size + 4 * MIB
    assert report.input_bytes == size
    assert workspaces.nbytes == 0  # what the first call needed is the pool's again
    assert "4 launches" in str(report)


def test_views_keep_memory(device: SimulatedDevice) -> None:  # noqa: ARG001
    """A slice, a reshape or a transposition of a result is all that is left of it, and is read at the end."""
    w = random(8, 8, 1, 1)

    def function(x: Any) -> Any:
        y = ck.relu(x)
        view = y[:, 2:6].transpose(0, 2, 3, 1).reshape(2, 6, 6, 4).transpose(0, 3, 1, 2)
        del y
        for _ in range(3):
            x = ck.conv2d(x, w)
        return ck.conv2d(ck.relu(x), w), ck.tanh(view)

    captured = ck.capture(function)
    for _ in range(3):
        x = random(2, 8, 6, 6)
        for found, expected in zip(captured(x), function(x), strict=True):
            np.testing.assert_allclose(found, expected)


def test_a_new_shape_or_type_or_layout_has_a_recording_of_its_own(net: Net) -> None:
    captured = ck.capture(net)
    x = random(2, 8, 6, 6)
    for one in (x, random(3, 8, 6, 6), np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2), x):
        np.testing.assert_allclose(captured(one), net(one), atol=1e-12)
    assert len(captured.report()) == 3
    assert [one.replays for one in captured.report()] == [0, 0, 1]  # the one used last stands at the end


def test_arguments_that_are_no_arrays_are_part_of_the_signature(device: SimulatedDevice) -> None:  # noqa: ARG001
    seen = []

    def function(x: Any, *, slope: float, twice: bool = False) -> Any:
        seen.append(slope)
        y = ck.leaky_relu(x, slope)
        return ck.leaky_relu(y, slope) if twice else y

    captured = ck.capture(function)
    x = np.array([[[-1.0, 2.0]]])
    assert captured(x, slope=0.5).tolist() == [[[-0.5, 2.0]]]
    assert captured(x, slope=0.25).tolist() == [[[-0.25, 2.0]]]
    assert captured(x, slope=0.5, twice=True).tolist() == [[[-0.25, 2.0]]]
    assert captured(x, slope=0.5, twice=1).tolist() == [[[-0.25, 2.0]]]  # 1 is not True: another signature
    assert len(captured.report()) == 4
    assert captured(x, slope=np.float64(0.5)).tolist() == [[[-0.5, 2.0]]]  # a number, though it has a shape
    captured.clear()
    assert captured(x, slope=0.5).tolist() == [[[-0.5, 2.0]]]
    assert captured(-x, slope=0.5).tolist() == [[[1.0, -1.0]]]
    assert len(seen) == 18
    with pytest.raises(ck.ArgumentTypeError, match=r"argument 1=.*neither an array nor hashable"):
        captured(x, slope={1})


class Pair(NamedTuple):
    left: Any
    right: Any


def test_nested_arguments_and_results(device: SimulatedDevice) -> None:  # noqa: ARG001
    def function(pair: Pair, more: dict[str, Any]) -> Any:
        return {"sum": Pair(ck.relu(pair.left), [ck.tanh(more["x"]), "text"]), "same": (pair.right,)}

    captured = ck.capture(function)
    for _ in range(2):
        pair, x = Pair(random(1, 2, 3), random(1, 2, 3)), random(2, 2, 2)
        found = captured(pair, {"x": x})
        assert type(found["sum"]) is Pair
        np.testing.assert_array_equal(found["sum"].left, np.maximum(pair.left, 0))
        np.testing.assert_allclose(found["sum"].right[0], np.tanh(x))
        assert found["sum"].right[1] == "text"
        np.testing.assert_array_equal(found["same"][0], pair.right)
        assert found["same"][0] is not pair.right


def test_results_are_copies_unless_they_are_not_wanted(net: Net) -> None:
    x, other = random(1, 8, 4, 4), random(1, 8, 4, 4)
    captured = ck.capture(net)
    kept = [captured(one) for one in (x, other)]
    np.testing.assert_allclose(kept, [net(x), net(other)], atol=1e-12)
    fast = ck.capture(net, copy=False)
    first = fast(x)
    np.testing.assert_allclose(first, net(x), atol=1e-12)  # the first call too
    second = fast(other)
    assert second is first
    np.testing.assert_allclose(first, net(other), atol=1e-12)


def test_own_inputs_are_read_where_they_are(net: Net) -> None:
    captured = ck.capture(net)
    captured(random(1, 8, 4, 4))
    (own,) = captured.inputs()
    x = random(1, 8, 4, 4)
    own[...] = x
    copies = watched(captured)
    np.testing.assert_allclose(captured(own), net(x), atol=1e-12)
    assert not copies
    captured(x)
    assert len(copies) == 1


def test_arguments_with_gaps_have_dense_copies_that_lead_back(net: Net) -> None:
    captured = ck.capture(net)
    x = random(2, 8, 12, 6)[:, :, ::2]
    broadcast = np.broadcast_to(random(1, 8, 1, 1), (2, 8, 6, 6))
    for one in (x, broadcast, x[..., ::-1]):
        np.testing.assert_allclose(captured(one), net(one), atol=1e-12)
        (own,) = captured.inputs(one)
        assert own.flags.c_contiguous
        captured(own)
    assert len(captured.report()) == 3
    with pytest.raises(ck.ArgumentError, match="no recording yet"):
        captured.inputs(random(1, 1, 1))


def test_policy_pins_and_tuners_record_anew(net: Net, device: SimulatedDevice) -> None:
    captured = ck.capture(net)
    x = random(1, 8, 4, 4)
    captured(x)
    with ck.use_policy(precision="strict"):
        captured(x)
        assert device.launches[-1][1].api == "graph"
    assert net.calls == 6
    assert len(captured.report()) == 2
    slow = device.candidate("IMPLICIT_GEMM").id
    hidden = ck.conv2d(x, net.weights[3], padding=1)
    del hidden
    ck.pin(slow, ck.conv2d, x, net.weights[3], padding=1)
    captured(x)
    assert net.calls == 9
    captured(x)
    assert device.launches[-1][1] == slow
    captured.clear()
    captured(x)
    assert net.calls == 12


def test_measured_at_once_however_patient_the_policy(net: Net, device: SimulatedDevice) -> None:
    device.candidates.reverse()  # the heuristic's first answer is not the fastest
    with ck.use_policy(after=10):
        captured = ck.capture(net)
        captured(random(1, 8, 4, 4))
        captured(random(1, 8, 4, 4))
    assert "engine 1" in str(device.launches[-1][1])
    assert net.calls == 3


def test_external_arrays_live_as_long_as_the_recording(device: SimulatedDevice) -> None:  # noqa: ARG001
    held = [random(8, 8, 1, 1)]
    captured = ck.capture(lambda x: ck.conv2d(x, held[0]))
    x = random(1, 8, 4, 4)
    expected = captured(x)
    weights = weakref.ref(held[0])
    held.clear()
    gc.collect()
    assert weights() is not None
    np.testing.assert_array_equal(captured(x), expected)
    captured.close()
    gc.collect()
    assert weights() is None


def test_plans_in_a_recording_are_not_closed_under_it(net: Net, device: SimulatedDevice) -> None:
    """A decision that changes closes and drops its old plan, unless a graph runs its kernels."""
    x, w = random(1, 8, 4, 4), net.weights[0]
    total, device.memory_bytes = device.memory_bytes, 16 * MIB  # too little for the best: decided for the time being
    captured = ck.capture(lambda x: ck.conv2d(x, w))
    expected = captured(x)
    assert device.launches[-1][1] == device.candidate("graph engine 0").id
    device.memory_bytes = total
    for _ in range(RETRY_AFTER + 1):
        ck.conv2d(x, w)
    assert device.launches[-1][1] == device.candidate("graph engine 1").id
    gc.collect()
    np.testing.assert_array_equal(captured(x), expected)
    assert device.launches[-1][1] == device.candidate("graph engine 0").id


def test_nothing_leaks(net: Net, device: SimulatedDevice) -> None:
    net(random(1, 8, 4, 4))
    workspaces.trim()
    gc.collect()
    before = device.used
    for batch in range(1, 6):
        with ck.capture(net, most=2) as captured:
            for size in (4, 5, 6):
                captured(random(batch, 8, size, size))
                captured(random(batch, 8, size, size))
        workspaces.trim()
        gc.collect()
        assert device.used == before
    dropped = ck.capture(net)
    dropped(random(1, 8, 4, 4))
    del dropped
    workspaces.trim()
    gc.collect()
    assert device.used == before


def test_results_stay_when_the_recording_goes(net: Net) -> None:
    x = random(1, 8, 4, 4)
    with ck.capture(net, copy=False) as captured:
        y = captured(x)
    gc.collect()
    np.testing.assert_allclose(y, net(x), atol=1e-12)


def test_decorator_and_names(device: SimulatedDevice) -> None:  # noqa: ARG001
    @ck.capture(most=1)
    def activate(x: Any) -> Any:
        """Squash."""
        return ck.tanh(x)

    assert activate(np.zeros((1, 1, 1))).tolist() == [[[0.0]]]
    assert activate.__doc__ == "Squash."
    assert "activate: 1 recordings" in repr(activate)
