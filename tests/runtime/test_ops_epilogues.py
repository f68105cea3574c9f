"""Bias, residual and activation in the same call: fused, or taken apart where nothing fuses them."""

from __future__ import annotations

import math
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import convolve, random

PLAIN = {"pre": (0, 0), "stride": (1, 1), "dilation": (1, 1), "groups": 1}

# One element at a time, from the functions' definitions.
ACTIVATIONS: dict[str, Any] = {
    "identity": lambda v: v,
    "relu": lambda v: v if v > 0 else 0,
    "relu6": lambda v: 0 if v < 0 else 6 if v > 6 else v,
    "clipped_relu": lambda v, limit=6.0: 0 if v < 0 else limit if v > limit else v,
    "leaky_relu": lambda v, slope=0.01: v if v > 0 else slope * v,
    "elu": lambda v, alpha=1.0: v if v > 0 else alpha * (math.exp(v) - 1),
    "sigmoid": lambda v: 1 / (1 + math.exp(-v)),
    "tanh": lambda v: (math.exp(2 * v) - 1) / (math.exp(2 * v) + 1),
    "gelu": lambda v: v * (1 + math.erf(v / math.sqrt(2))) / 2,
    "gelu_tanh": lambda v: v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) / 2,
    "silu": lambda v: v / (1 + math.exp(-v)),
    "swish": lambda v, beta=1.0: v / (1 + math.exp(-beta * v)),
    "softplus": lambda v, beta=1.0: math.log(1 + math.exp(beta * v)) / beta,
}
NAMES = [*ACTIVATIONS, ("clipped_relu", 1.0), ("leaky_relu", 0.3), ("elu", 0.5), ("swish", 2.0), ("softplus", 3.0)]


def activate(name: Any, value: Any) -> Any:
    function, *parameters = name if isinstance(name, tuple) else (name,)
    return np.vectorize(lambda v: ACTIVATIONS[function](v, *parameters), otypes=["f8"])(value)


def fuses_nothing(device: SimulatedDevice) -> None:
    def refuse(problem: Any) -> str | None:
        return "no epilogue" if problem.epilogue.activation or problem.epilogue.bias else None

    for one in device.candidates:
        one.refuses = refuse


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "decomposed"])
@pytest.mark.parametrize("name", NAMES, ids=str)
def test_every_activation_with_bias_and_residual(name: Any, fused: bool, device: SimulatedDevice) -> None:
    if not fused:
        fuses_nothing(device)
    x, w, bias, z = random(2, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2), random(2, 4, 3, 3, seed=3)
    y = ck.conv2d(x, w, bias, residual=z, activation=name)
    expected = activate(name, convolve(x, w, post=(0, 0), **PLAIN) + bias.reshape(1, 4, 1, 1) + z)
    np.testing.assert_allclose(y, expected, atol=1e-12)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "decomposed"])
@pytest.mark.parametrize("bias_shape", [(4,), (1, 4, 1, 1)])
def test_bias_shapes_and_odd_channels(bias_shape: tuple[int, ...], fused: bool, device: SimulatedDevice) -> None:
    if not fused:
        fuses_nothing(device)
    x, w, bias = random(1, 3, 4, 4), random(4, 3, 1, 1, seed=1), random(*bias_shape, seed=2)
    expected = convolve(x, w, post=(0, 0), **PLAIN) + bias.reshape(1, 4, 1, 1)
    np.testing.assert_allclose(ck.conv2d(x, w, bias), expected, atol=1e-12)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "decomposed"])
def test_the_residual_may_be_the_output(fused: bool, device: SimulatedDevice) -> None:
    if not fused:
        fuses_nothing(device)
    x, w, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(1, 4, 3, 3, seed=3)
    expected = np.maximum(convolve(x, w, post=(0, 0), **PLAIN) + z, 0)
    for _ in range(2):
        out = z.copy()
        assert ck.conv2d(x, w, residual=out, activation="relu", out=out) is out
        np.testing.assert_allclose(out, expected, atol=1e-12)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "decomposed"])
def test_everything_at_once(fused: bool, device: SimulatedDevice) -> None:
    if not fused:
        fuses_nothing(device)
    x, w, bias, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2), random(1, 4, 3, 3, seed=3)
    old = random(1, 4, 3, 3, seed=4)
    value = 0.5 * convolve(x, w, post=(0, 0), **PLAIN) + 3 * old + z + bias.reshape(1, 4, 1, 1)
    for _ in range(2):
        y = ck.conv2d(x, w, bias, residual=z, activation="tanh", alpha=0.5, beta=3, out=old.copy())
        np.testing.assert_allclose(y, np.tanh(value), atol=1e-12)


def test_the_faster_of_fused_and_decomposed_is_taken(device: SimulatedDevice) -> None:
    x, w, bias = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2)
    assert ck.plan(ck.conv2d, x, w, bias, activation="relu").choice.best.id.api == "graph"
    # A fused call that is 17 times slower than the bare convolution, as it was seen with 7x7 windows.
    for one in device.candidates:
        one.seconds = lambda problem: 17e-3 if problem.epilogue.bias or problem.epilogue.activation else 1e-3
    choice = ck.plan(ck.conv2d, x, w, bias, activation="gelu").choice
    assert choice.best.id.api == "decomposed"
    assert choice.best.seconds == pytest.approx(1e-3 + device.kernel_seconds)
    y = ck.conv2d(x, w, bias, activation="gelu")
    expected = activate("gelu", convolve(x, w, post=(0, 0), **PLAIN) + bias.reshape(1, 4, 1, 1))
    np.testing.assert_allclose(y, expected, atol=1e-12)


def test_bias_fused_and_the_rest_apart(device: SimulatedDevice) -> None:
    for one in device.candidates:
        one.refuses = lambda problem: "no activation" if problem.epilogue.activation else None
    device.kernel_seconds = 1e-3
    for one in device.candidates:
        one.seconds = 1e-3
    x, w, bias, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2), random(1, 4, 3, 3, seed=3)
    text = str(ck.explain(ck.conv2d, x, w, bias, residual=z, activation="relu"))
    assert "convolution with bias, then residual + relu by numpy" in text
    assert "convolution, then bias + residual + relu by numpy" in text


@pytest.mark.usefixtures("device")
def test_the_convolution_within_is_searched_once_with_the_bare_one() -> None:
    from cudnnkit.tuner import tuner

    x, w = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1)
    ck.conv2d(x, w, activation="relu")
    assert tuner().counters.searches == 1  # of the fused problem, with that of the convolution within it
    ck.conv2d(x, w)
    assert tuner().counters.searches == 1


def test_the_strict_policy_holds_for_the_steps_too(device: SimulatedDevice) -> None:
    fuses_nothing(device)
    x, w, bias = (random(*shape, dtype="float32") for shape in ((1, 3, 5, 5), (4, 3, 3, 3), (4,)))
    ck.conv2d(x, w, bias, activation="relu", precision="strict")
    tensor_core = device.candidates[0].id
    assert ("conv_forward", tensor_core) not in device.launches
    ck.conv2d(x, w, bias, activation="relu")
    assert ("conv_forward", tensor_core) in device.launches


def refuses_residuals_after(device: SimulatedDevice) -> None:
    for one in device.candidates:
        one.refuses = lambda problem: "no such order" if problem.epilogue.residual_after else None


@pytest.mark.parametrize("side", ["fused", "residual apart", "all apart"])
@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_residual_behind_the_activation(name: Any, side: str, device: SimulatedDevice) -> None:
    if side != "fused":
        (refuses_residuals_after if side == "residual apart" else fuses_nothing)(device)
    x, w, bias, z = random(2, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2), random(2, 4, 3, 3, seed=3)
    value = convolve(x, w, post=(0, 0), **PLAIN) + bias.reshape(1, 4, 1, 1)
    y = ck.conv2d(x, w, bias, residual=z, residual_after=True, activation=name)
    np.testing.assert_allclose(y, activate(name, value) + z, atol=1e-12)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "decomposed"])
def test_a_residual_behind_the_activation_may_be_the_output(fused: bool, device: SimulatedDevice) -> None:
    if not fused:
        fuses_nothing(device)
    x, w, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(1, 4, 3, 3, seed=3)
    expected = activate(("leaky_relu", 0.1), convolve(x, w, post=(0, 0), **PLAIN)) + z
    for _ in range(2):
        out = z.copy()
        keywords: dict[str, Any] = {"residual": out, "residual_after": True, "activation": ("leaky_relu", 0.1)}
        assert ck.conv2d(x, w, out=out, **keywords) is out
        np.testing.assert_allclose(out, expected, atol=1e-12)


@pytest.mark.parametrize("shared", [False, True])
def test_a_residual_behind_the_activation_of_nothing(shared: bool, device: SimulatedDevice) -> None:
    z, bias = random(1, 4, 3, 3, seed=3), random(4, seed=2)
    out = z.copy() if shared else np.full_like(z, np.nan)
    ck.conv2d(
        np.ones((1, 0, 3, 3)), np.ones((4, 0, 1, 1)), bias, residual=out if shared else z, residual_after=True,
        activation="relu", out=out,
    )  # fmt: skip
    np.testing.assert_allclose(out, np.maximum(bias, 0).reshape(1, 4, 1, 1) + z, atol=1e-12)
    assert {problem for problem, _ in device.launches} <= {"epilogue"}


def test_the_fastest_way_to_a_residual_behind_the_activation(device: SimulatedDevice) -> None:
    x, w, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(1, 4, 3, 3, seed=3)
    keywords: dict[str, Any] = {"residual": z, "residual_after": True, "activation": ("leaky_relu", 0.1)}
    text = str(ck.explain(ck.conv2d, x, w, **keywords))
    for way in ("convolution with leaky_relu, then residual by numpy", "convolution, then leaky_relu + residual by"):
        assert way in text
    for one in device.candidates:
        one.seconds = lambda problem: 17e-3 if problem.epilogue.residual_after else 1e-3
    bias = random(4, seed=2)
    chosen = ck.plan(ck.conv2d, x, w, bias, **keywords).choice.best.id
    assert chosen.api == "decomposed"


@pytest.mark.usefixtures("device")
def test_the_place_of_the_residual_matters_only_with_an_activation() -> None:
    x, w, z = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(1, 4, 3, 3, seed=3)
    plain = ck.plan(ck.conv2d, x, w, residual=z).problem
    assert ck.plan(ck.conv2d, x, w, residual=z, residual_after=True).problem == plain
    active = ck.plan(ck.conv2d, x, w, residual=z, activation="relu").problem
    assert ck.plan(ck.conv2d, x, w, residual=z, residual_after=True, activation="relu").problem != active
    assert ck.plan(ck.conv2d, x, w, residual_after=True, activation="relu").problem.epilogue.residual_after is False
    with pytest.raises(ck.ArgumentTypeError, match="residual_after"):
        ck.conv2d(x, w, residual=z, residual_after=1, activation="relu")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("activation", "said"),
    [
        ("rleu", "allowed are"),
        (("relu", 1.0), "relu takes 0"),
        (("elu", float("nan")), "finite"),
        (("softplus", 0.0), "greater than 0"),
        (3, "allowed are"),
    ],
)
@pytest.mark.usefixtures("device")
def test_bad_activations(activation: Any, said: str) -> None:
    with pytest.raises(ck.ArgumentError, match=said) as caught:
        ck.conv2d(random(1, 3, 5, 5), random(4, 3, 3, 3), activation=activation)
    assert caught.value.argument == "activation"
