"""The five networks, narrow, on the simulated library, against NumPy without folding, and against known counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from examples import networks
from examples.arrays import Arrays

from . import forward

SIZE, WIDTH, CLASSES = 32, 1 / 16, 10
NARROW: dict[str, Any] = {"size": SIZE, "width": WIDTH, "classes": CLASSES}
EXPECTED: dict[str, Callable[..., Any]] = {name: getattr(forward, name) for name in networks.NETWORKS}


def built(name: str, source: Any = 5, dtype: str = "float64") -> Any:
    return networks.build(name, source, library="numpy", dtype=dtype, **NARROW)


def images(count: int = 2) -> Any:
    return Arrays("numpy", "float64").images(count, SIZE)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_a_network_computes_what_its_layers_say(name: str) -> None:
    x = images()
    state = networks.random_state(name, 5, **NARROW)
    scores = built(name, state)(x)
    expected = EXPECTED[name](x, state)
    assert scores.shape == (2, CLASSES)
    assert expected.std() > 1e-3
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(built(name, 5)(x), scores, rtol=0, atol=1e-12)  # the seed gives the same weights


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_every_image_in_a_network_is_channels_last(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layouts = set()

    def watched(operation: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: Any, *arguments: Any, **keywords: Any) -> Any:
            result = operation(x, *arguments, **keywords)
            for array in (x, result, *(one for one in arguments if getattr(one, "ndim", 0) == 4)):
                layouts.add(bool(np.moveaxis(array, 1, -1).flags.c_contiguous))
            return result

        return call

    for operation in ("conv2d", "max_pool"):
        monkeypatch.setattr(ck, operation, watched(getattr(ck, operation)))
    built(name)(images())
    assert layouts == {True}


@pytest.mark.parametrize(
    ("name", "count"),
    # torchvision's own tables, parameters without the running statistics.
    [("vgg19", 143_667_240), ("resnet50", 25_557_032), ("resnext50", 25_028_904)],
)
def test_parameters_are_as_many_as_torchvision_has(name: str, count: int) -> None:
    state = networks.random_state(name)
    assert sum(array.size for key, array in state.items() if "running" not in key) == count


def test_darknet19_multiplies_as_often_as_its_paper_says() -> None:
    # Redmon and Farhadi 2016: 5.58 billion operations for an image of 224x224, a product and its sum counted as two.
    state, side, total = networks.random_state("darknet19"), 224, 0
    for place, layer in enumerate("CPCPCCCPCCCPCCCCCPCCCCC"):
        if layer == "P":
            side //= 2
        else:
            total += 2 * state[f"layers.{place}.conv.weight"].size * side**2
    total += 2 * state["classifier.weight"].size * side**2
    assert total == pytest.approx(5.58e9, rel=0.01)


@pytest.mark.usefixtures("device")
def test_half_data_stays_half() -> None:
    network = built("resnet50", dtype="float16")
    scores = network(images().astype("float16"))
    assert scores.dtype == "float16"
    assert (network.stem.w.dtype, network.stem.bias.dtype) == ("float16", "float16")
    reference = built("resnet50")(images())
    np.testing.assert_allclose(scores.astype("f8"), reference, atol=0.02 * np.abs(reference).max())


def test_a_recorded_network_answers_the_same(device: SimulatedDevice) -> None:
    network, x = built("resnet50"), images()
    expected = network(x)
    captured = ck.capture(network)
    for _ in range(2):
        np.testing.assert_array_equal(captured(x), expected)
    launches = len(device.launches)
    np.testing.assert_allclose(captured(2 * x), network(2 * x), atol=1e-12)
    assert len(device.launches) > launches


@pytest.mark.usefixtures("device")
def test_weights_that_do_not_fit_are_told() -> None:
    state = networks.random_state("resnet50", **NARROW)
    with pytest.raises(KeyError, match=r"no 'layer3\.2\.bn1\.running_var'.*\(16,\)"):
        built("resnet50", {name: one for name, one in state.items() if name != "layer3.2.bn1.running_var"})
    with pytest.raises(ValueError, match=r"fc\.weight is \(10, 127\) and should be \(10, 128\)"):
        built("resnet50", {**state, "fc.weight": state["fc.weight"][:, 1:]})
    with pytest.raises(KeyError, match=r"resnet51.*vgg19"):
        built("resnet51")


@pytest.mark.usefixtures("device")
def test_random_weights_hang_on_seed_and_name_alone() -> None:
    one, other = (networks.random_state("darknet53", seed, **NARROW) for seed in (1, 2))
    again = networks.random_state("darknet53", 1, **{**NARROW, "classes": 11})
    name = "stages.1.blocks.0.expand.conv.weight"
    np.testing.assert_array_equal(one[name], again[name])
    assert (one[name] != other[name]).all()
    deviation = networks.random_state("resnet50")["layer4.0.conv2.weight"].std()
    assert deviation == pytest.approx((2 / (512 * 9)) ** 0.5, rel=0.01)
