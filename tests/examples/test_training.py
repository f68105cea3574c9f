"""The training step on the simulated library: every gradient by finite differences, the update by hand."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from examples.arrays import Arrays
from examples.resnet import Description
from examples.training import TrainingStep
from examples.weights import Weights

from . import forward

pytestmark = pytest.mark.usefixtures("device")

# One layer with and one without a change of size; ungrouped and grouped.
SMALL = [Description(1, 4, 4, (2, 2)), Description(2, 2, 4, (2, 1))]
LABELS = np.array([0, 1, 6])


def made(description: Description = SMALL[0], **more: Any) -> TrainingStep:
    keywords = {"library": "numpy", "dtype": "float64", "classes": 7, **more}
    return TrainingStep(1, description=description, **keywords)


def images(seed: int = 0) -> Any:
    return Arrays("numpy", "float64").images(3, 16, seed=seed)


def state_of(step: TrainingStep) -> dict[str, Any]:
    """What the step works with, copied, its running statistics aside."""
    found = {name: one.value.copy() for name, one in step.parameters.named.items()}
    for name in [name for name in found if found[name].ndim == 1 and name != "fc.bias"]:
        stem = name.rpartition(".")[0]
        found[f"{stem}.running_mean"] = found[f"{stem}.running_var"] = np.zeros(found[name].shape)
    return found


@pytest.mark.parametrize("description", SMALL, ids=["resnet", "resnext"])
def test_the_loss_is_that_of_the_network_in_training(description: Description) -> None:
    step, x = made(description), images()
    scores = forward.resnet50(
        x, state_of(step), groups=description.groups, counts=description.counts, training=True
    )  # fmt: skip
    assert float(step.gradients(x, LABELS)) == pytest.approx(forward.cross_entropy(scores, LABELS), abs=1e-12)


@pytest.mark.parametrize("description", SMALL, ids=["resnet", "resnext"])
def test_every_gradient_by_finite_differences(description: Description) -> None:
    step, x = made(description), images()
    step.gradients(x, LABELS)
    found = {name: one.gradient.copy() for name, one in step.parameters.named.items()}
    random, reach = np.random.default_rng(0), 1e-6
    for name, parameter in step.parameters.named.items():
        direction, kept = random.standard_normal(parameter.shape), parameter.value.copy()
        losses = []
        for sign in (1, -1):
            parameter.value[...] = kept + sign * reach * direction
            losses.append(float(step.gradients(x, LABELS)))
        parameter.value[...] = kept
        slope = (losses[0] - losses[1]) / (2 * reach)
        assert (found[name] * direction).sum() == pytest.approx(slope, rel=1e-5, abs=1e-7), name


def test_two_updates_by_hand() -> None:
    rate, momentum, decay = 0.05, 0.8, 0.01
    step = made(learning_rate=rate, momentum=momentum, weight_decay=decay)
    velocity = {name: np.zeros(one.shape) for name, one in step.parameters.named.items()}
    for number in range(2):
        before = {name: one.value.copy() for name, one in step.parameters.named.items()}
        step(images(number), LABELS)
        for name, one in step.parameters.named.items():
            velocity[name] = momentum * velocity[name] + one.gradient + decay * before[name]
            np.testing.assert_allclose(one.value, before[name] - rate * velocity[name], rtol=0, atol=1e-15)


def test_the_loss_falls() -> None:
    step, x = made(learning_rate=0.05), images()
    losses = [float(step(x, LABELS)) for _ in range(8)]
    assert losses[-1] < 0.3 * losses[0]


def test_a_scale_of_the_loss_changes_no_update() -> None:
    plain, scaled = made(), made(loss_scale=64.0)
    x = images()
    assert float(plain(x, LABELS)) == float(scaled(x, LABELS))
    for name, one in plain.parameters.named.items():
        other = scaled.parameters.named[name]
        np.testing.assert_allclose(other.gradient, 64 * one.gradient, rtol=0, atol=1e-9)
        np.testing.assert_allclose(other.value, one.value, rtol=0, atol=1e-12)


def test_running_statistics_move_as_in_torch_and_the_source_keeps_its_own() -> None:
    description, x = SMALL[0], images()
    weights = Weights(1, Arrays("numpy", "float64"), trained=False)
    source = {**state_of(made()), "bn1.running_mean": np.full(4, 2.0), "bn1.running_var": np.full(4, 3.0)}
    step = TrainingStep(source, description=description, library="numpy", dtype="float64", classes=7)
    step(x, LABELS)
    z = forward.conv(x, weights.filters("conv1", (4, 3, 7, 7)), stride=2)
    mean, variance = z.mean((0, 2, 3)), z.var((0, 2, 3), ddof=1)
    np.testing.assert_allclose(step.stem.running[0], 0.9 * 2 + 0.1 * mean, atol=1e-12)
    np.testing.assert_allclose(step.stem.running[1], 0.9 * 3 + 0.1 * variance, atol=1e-12)
    assert (source["bn1.running_mean"] == 2).all()


def test_recorded_gradients_are_the_eager_ones(device: SimulatedDevice) -> None:
    """The memory plan keeps what the backward pass needs. The loss, NumPy's own work, is the same at each replay."""
    device.refuses_numpy = False
    eager, step, x = made(), made(), images()
    eager.gradients(x, LABELS)
    captured = ck.capture(step.gradients)
    for _ in range(3):
        captured(x, LABELS)
        for name, one in step.parameters.named.items():
            np.testing.assert_array_equal(one.gradient, eager.parameters.named[name].gradient, name)
            one.gradient[...] = np.nan
    assert captured.report()[-1].replays == 2


def test_parameters_are_aligned_parts_of_one_buffer_for_each_type() -> None:
    step = made(dtype="float16")
    types = {one.value.dtype.name for one in step.parameters.named.values()}
    assert types == {"float16", "float32"}
    for dtype in types:
        mine = [one for one in step.parameters.named.values() if one.dtype == dtype]
        for which in ("value", "gradient"):
            views = [getattr(one, which) for one in mine]
            places = [one.__array_interface__["data"][0] for one in views]
            assert all((place - places[0]) % 64 == 0 for place in places)
            ends = [place + one.size * one.itemsize for place, one in zip(places, views, strict=True)]
            assert all(end <= after for end, after in zip(ends, places[1:], strict=False))
    filters = step.parameters.named["conv1.weight"].value
    assert np.moveaxis(filters, 1, -1).flags.c_contiguous


def test_half_data_trains(device: SimulatedDevice) -> None:
    step = made(dtype="float16")
    loss = step(images().astype("float16"), LABELS)
    assert np.isfinite(loss)
    assert float(loss) == pytest.approx(float(made()(images(), LABELS)), rel=0.05)
    assert {"conv_wgrad", "conv_dgrad", "batch_norm_backward", "pool_backward"} <= {one for one, _ in device.launches}
