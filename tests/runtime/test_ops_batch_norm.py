"""Batch normalisation against formulas written out in NumPy float64, by cuDNN's kernels and by the array library's."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice, simulated

from .references import channels_last, is_channels_last, random

SHAPES = [(7, 3), (4, 3, 5), (2, 3, 4, 5), (2, 3, 2, 3, 4)]
EPS = 0.2


@pytest.fixture(params=["library", "array"])
def side(request: pytest.FixtureRequest, device: SimulatedDevice) -> str:
    """Whose kernels are the fastest."""
    device.kernel_seconds = 2e-4 if request.param == "array" else 1.0
    return str(request.param)


def across(vector: Any, rank: int) -> Any:
    return np.asarray(vector, "f8").reshape((1, -1) + (1,) * (rank - 2))


def vectors(c: int, dtype: str = "float64") -> tuple[Any, Any]:
    return random(c, dtype=dtype, seed=11), random(c, dtype=dtype, seed=12)


def statistics(x: Any) -> tuple[Any, Any]:
    """Mean and biased variance, one channel after the other."""
    rows = [x[:, c].astype("f8").ravel() for c in range(x.shape[1])]
    return np.array([row.sum() / row.size for row in rows]), np.array(
        [((row - row.sum() / row.size) ** 2).sum() / row.size for row in rows]
    )


def normalised(x: Any, mean: Any, variance: Any, scale: Any, bias: Any, eps: float = EPS) -> Any:
    rank = x.ndim
    value = (x.astype("f8") - across(mean, rank)) / np.sqrt(across(variance, rank) + eps)
    return value * across(scale, rank) + across(bias, rank)


def image(shape: tuple[int, ...], kind: str = "dense", dtype: str = "float64", seed: int = 0) -> Any:
    if kind == "sliced":
        return random(*shape[:-1], 2 * shape[-1], dtype=dtype, seed=seed)[..., ::2]
    found = random(*shape, dtype=dtype, seed=seed)
    return channels_last(found) if kind == "last" and len(shape) > 2 else found


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("kind", ["dense", "last", "sliced"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_inference(shape: tuple[int, ...], kind: str) -> None:
    x, c = image(shape, kind), shape[1]
    kept = x.copy()
    mean, variance = random(c, seed=1), random(c, seed=2) ** 2
    scale, bias = vectors(c)
    y = ck.batch_norm(x, mean, variance, scale, bias, eps=EPS)
    np.testing.assert_allclose(y, normalised(x, mean, variance, scale, bias), atol=1e-12)
    np.testing.assert_array_equal(x, kept)
    assert len(shape) < 3 or is_channels_last(y) == (kind == "last")
    one = ck.batch_norm(x, mean, variance, eps=EPS)
    np.testing.assert_allclose(one, normalised(x, mean, variance, np.ones(c), np.zeros(c)), atol=1e-12)


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("activation", [None, "relu", ("leaky_relu", 0.3), "sigmoid"], ids=str)
def test_inference_with_residual_and_activation(activation: Any, residual: bool) -> None:
    x, z, mean, variance = image((2, 3, 4, 5)), image((2, 3, 4, 5), "last", seed=4), random(3), random(3) ** 2
    scale, bias = vectors(3)
    value = normalised(x, mean, variance, scale, bias) + (z if residual else 0)
    expected = {
        "relu": lambda v: np.where(v > 0, v, 0),
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
        ("leaky_relu", 0.3): lambda v: np.where(v > 0, v, 0.3 * v),
        None: lambda v: v,
    }[activation](value)
    arguments: dict[str, Any] = {"residual": z if residual else None, "activation": activation, "eps": EPS}
    y = ck.batch_norm(x, mean, variance, scale, bias, **arguments)
    np.testing.assert_allclose(y, expected, atol=1e-12)
    for _ in range(2):
        out = x.copy()
        assert ck.batch_norm(out, mean, variance, scale, bias, out=out, **arguments) is out
        np.testing.assert_allclose(out, expected, atol=1e-12)
    if residual:
        out = np.array(z)
        ck.batch_norm(x, mean, variance, scale, bias, out=out, **{**arguments, "residual": out})
        np.testing.assert_allclose(out, expected, atol=1e-12)


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("kind", ["dense", "last", "sliced"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_training(shape: tuple[int, ...], kind: str, running: bool) -> None:
    x, c = image(shape, kind), shape[1]
    scale, bias = vectors(c)
    old = random(c, seed=5), random(c, seed=6) ** 2
    kept = (old[0].copy(), old[1].copy()) if running else (None, None)
    found = ck.batch_norm_training(
        x, scale, bias, running_mean=kept[0], running_variance=kept[1], momentum=0.3, eps=EPS
    )
    mean, variance = statistics(x)
    count = x.size // c
    np.testing.assert_allclose(found.y, normalised(x, mean, variance, scale, bias), atol=1e-12)
    np.testing.assert_allclose(found.mean, mean, atol=1e-13)
    np.testing.assert_allclose(found.inverse_std, 1 / np.sqrt(variance + EPS), atol=1e-13)
    if running:
        np.testing.assert_allclose(kept[0], 0.7 * old[0] + 0.3 * mean, atol=1e-13)
        np.testing.assert_allclose(kept[1], 0.7 * old[1] + 0.3 * variance * count / (count - 1), atol=1e-13)


@pytest.mark.usefixtures("side")
def test_a_search_leaves_the_running_statistics_alone(device: SimulatedDevice) -> None:
    x, (scale, bias) = image((2, 3, 4, 5)), vectors(3)
    running, mean = (np.zeros(3), np.ones(3)), statistics(x)[0]
    for step in range(1, 4):
        ck.batch_norm_training(x, scale, bias, running_mean=running[0], running_variance=running[1], momentum=0.5)
        np.testing.assert_allclose(running[0], mean * (1 - 0.5**step), atol=1e-13)
    assert len(device.launches) > 10  # there was a search
    ck.explain(ck.batch_norm_training, x, scale, bias, running_mean=running[0], running_variance=running[1])
    np.testing.assert_allclose(running[0], mean * (1 - 0.5**3), atol=1e-13)


def test_a_changing_momentum_needs_no_new_search(device: SimulatedDevice) -> None:
    x, (scale, bias) = image((2, 3, 4, 5)), vectors(3)
    assert device.tuner is not None
    running, searches = (np.zeros(3), np.zeros(3)), []
    for count in range(2, 8):  # the cumulative average
        ck.batch_norm_training(x, scale, bias, running_mean=running[0], running_variance=running[1], momentum=1 / count)
        searches.append(device.tuner.counters.searches)
    assert len(set(searches)) == 1


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("activation", [None, "relu", "relu6", ("leaky_relu", 0.3)], ids=str)
def test_training_with_residual_and_activation(activation: Any) -> None:
    x, z, (scale, bias) = image((2, 3, 4, 5), "last"), image((2, 3, 4, 5), "last", seed=4), vectors(3)
    out = np.full_like(x, np.nan)
    found = ck.batch_norm_training(x, scale, bias, residual=z, activation=activation, eps=EPS, out=out)
    assert found.y is out
    value = normalised(x, *statistics(x), scale, bias) + z
    np.testing.assert_allclose(found.y, activated(activation, value), atol=1e-12)


def activated(name: Any, value: Any) -> Any:
    if name == "relu6":
        return np.clip(value, 0, 6)
    slope = {None: 1.0, "relu": 0.0, ("leaky_relu", 0.3): 0.3}[name]
    return np.where(value > 0, value, slope * value)


def loss(x: Any, z: Any, scale: Any, bias: Any, dy: Any, activation: Any) -> float:
    return float((activated(activation, normalised(x, *statistics(x), scale, bias) + z) * dy).sum())


def slopes(array: Any, function: Any) -> Any:
    """Central differences."""
    found, step = np.zeros(array.shape), 1e-5
    for at in np.ndindex(array.shape):
        old = array[at]
        array[at] = old + step
        more = function()
        array[at] = old - step
        found[at] = (more - function()) / (2 * step)
        array[at] = old
    return found


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("kind", ["dense", "last", "sliced"])
@pytest.mark.parametrize("activation", [None, "relu", "relu6", ("leaky_relu", 0.3)], ids=str)
@pytest.mark.parametrize("shape", [(5, 2), (2, 2, 3), (2, 2, 3, 2)], ids=str)
def test_gradients_are_the_differences_of_the_forward_pass(shape: Any, activation: Any, kind: str) -> None:
    x, z, dy = image(shape, kind), image(shape, seed=1), image(shape, kind, seed=2)
    scale, bias = vectors(shape[1])
    arguments = x, z, scale, bias, dy, activation
    expected = [slopes(one, lambda: loss(*arguments)) for one in (x, scale, bias, z)]
    forward = ck.batch_norm_training(x, scale, bias, residual=z, activation=activation, eps=EPS)
    found = ck.batch_norm_backward(
        dy, x, scale, bias, forward.mean, forward.inverse_std, y=forward.y, activation=activation, residual=True,
        eps=EPS, reserve=forward.reserve,
    )  # fmt: skip
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-7)
    without = ck.batch_norm_backward(
        dy, x, scale, None, forward.mean, forward.inverse_std, y=forward.y, activation=activation, eps=EPS
    )
    assert without.dresidual is None
    np.testing.assert_allclose(without.dx, expected[0], atol=1e-7)


@pytest.mark.usefixtures("device")
def test_every_way_of_computing_gives_the_same() -> None:
    x, z, dy = (image((2, 3, 4, 5), seed=seed) for seed in range(3))
    scale, bias = vectors(3)
    forward: dict[str, Any] = {"residual": z, "activation": "relu", "eps": EPS}
    mean, variance = statistics(x)
    value = normalised(x, mean, variance, scale, bias) + z
    names = []
    for row in report(ck.explain(ck.batch_norm_training, x, scale, bias, **forward)):
        ck.pin(row.description.id, ck.batch_norm_training, x, scale, bias, **forward)
        found = ck.batch_norm_training(x, scale, bias, **forward)
        np.testing.assert_allclose(found.y, np.maximum(value, 0), atol=1e-12)
        np.testing.assert_allclose(found.mean, mean, atol=1e-13)
        names.append(row.description.id.name)
    assert {
        "statistics by numpy, then batch normalisation by them", "batch normalisation, then residual + relu",
        "batch_norm_training by numpy",
    } <= set(names)  # fmt: skip
    inputs = (dy, x, scale, bias, found.mean, found.inverse_std)
    backward: dict[str, Any] = {"y": found.y, "residual": True, "activation": "relu", "eps": EPS}
    expected = [slopes(one, lambda: loss(x, z, scale, bias, dy, "relu")) for one in (x, scale, bias, z)]
    names = []
    for row in report(ck.explain(ck.batch_norm_backward, *inputs, **backward)):
        ck.pin(row.description.id, ck.batch_norm_backward, *inputs, **backward)
        for got, wanted in zip(ck.batch_norm_backward(*inputs, **backward), expected, strict=True):
            np.testing.assert_allclose(got, wanted, atol=1e-7)
        names.append(row.description.id.name)
    assert "relu undone, then the gradients of batch normalisation" in names
    slope = np.where(found.y > 0, dy, 0)
    plain = (slope, x, scale, bias, found.mean, found.inverse_std)
    names = []
    for row in report(ck.explain(ck.batch_norm_backward, *plain, eps=EPS)):
        ck.pin(row.description.id, ck.batch_norm_backward, *plain, eps=EPS)
        for got, wanted in zip(ck.batch_norm_backward(*plain, eps=EPS)[:3], expected[:3], strict=True):
            np.testing.assert_allclose(got, wanted, atol=1e-7)
        names.append(row.description.id.name)
    assert "sums by numpy, then the gradient by them" in names


def report(explanation: Any) -> Any:
    assert explanation.report is not None
    return [row for row in explanation.report.rows if row.status in ("chosen", "measured")]


@pytest.mark.usefixtures("side")
def test_gradients_go_where_they_are_told() -> None:
    x, dy, y = (image((2, 3, 4, 5), seed=seed) for seed in range(3))
    scale, bias = vectors(3)
    mean, variance = statistics(x)
    inverse = 1 / np.sqrt(variance + EPS)
    room = [np.full_like(x, np.nan), np.full(3, np.nan), np.full(3, np.nan), np.full_like(x, np.nan)]
    kept = [one.copy() for one in (dy, x, scale, bias, mean, inverse, y)]
    found = ck.batch_norm_backward(
        dy, x, scale, bias, mean, inverse, y=y, activation="relu", residual=True, eps=EPS,
        out=room[0], out_scale=room[1], out_bias=room[2], out_residual=room[3],
    )  # fmt: skip
    assert all(got is given for got, given in zip(found, room, strict=True))
    np.testing.assert_array_equal(found.dresidual, np.where(y > 0, dy, 0))
    np.testing.assert_allclose(found.dbias, found.dresidual.sum((0, 2, 3)), atol=1e-12)
    for one, before in zip((dy, x, scale, bias, mean, inverse, y), kept, strict=True):
        np.testing.assert_array_equal(one, before)
    plain = ck.batch_norm_backward(dy, x, scale, bias, mean, inverse, residual=True, eps=EPS)
    assert plain.dresidual is dy
    copied = ck.batch_norm_backward(dy, x, scale, bias, mean, inverse, residual=True, out_residual=room[3], eps=EPS)
    assert copied.dresidual is room[3]
    np.testing.assert_array_equal(room[3], dy)


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("of_vectors", ["float16", "float32"])
def test_half_data(of_vectors: str) -> None:
    x, dy = (image((4, 8, 3, 3), "last", "float16", seed) for seed in range(2))
    scale, bias = vectors(8, of_vectors)
    running = np.zeros(8, of_vectors), np.ones(8, of_vectors)
    found = ck.batch_norm_training(
        x, scale, bias, running_mean=running[0], running_variance=running[1], activation="relu", eps=EPS
    )
    mean, variance = statistics(x)
    assert found.mean.dtype == found.inverse_std.dtype == np.float32
    expected = np.maximum(normalised(x, mean, variance, scale, bias), 0)
    np.testing.assert_allclose(found.y, expected, atol=2e-3)
    np.testing.assert_allclose(running[0], 0.1 * mean, atol=1e-3)
    np.testing.assert_allclose(running[1], 0.9 + 0.1 * variance * 36 / 35, atol=1e-3)
    back = ck.batch_norm_backward(
        dy, x, scale, bias, found.mean, found.inverse_std, y=found.y, activation="relu", eps=EPS
    )
    assert back.dx.dtype == np.float16
    assert back.dscale.dtype == back.dbias.dtype == of_vectors
    np.testing.assert_allclose(back.dbias, np.where(found.y > 0, dy, 0).astype("f8").sum((0, 2, 3)), atol=1e-2)
    inference = ck.batch_norm(x, running[0], running[1], scale, bias, eps=EPS)
    np.testing.assert_allclose(inference, normalised(x, *running, scale, bias), atol=1e-2)


@pytest.mark.parametrize("spoilt", ["y", "mean", "running_variance"])
def test_candidates_that_write_nonsense_into_any_output_are_dropped(
    spoilt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnkit.testing import kept

    def wrong(problem: Any, pointers: Any, *rest: Any) -> None:
        honest(problem, pointers, *rest)
        place = next(place for place, one in enumerate(problem.tensors) if one.role == spoilt)
        kept.tensor_at(pointers[place], problem.tensors[place])[...] *= 1.5

    honest = kept.compute
    x, (scale, bias) = image((2, 3, 4, 5)), vectors(3)
    with simulated() as device:
        device.kernel_seconds = 1.0
        monkeypatch.setattr(kept, "compute", wrong)
        running = np.zeros(3), np.ones(3)
        found = ck.batch_norm_training(x, scale, bias, running_mean=running[0], running_variance=running[1], eps=EPS)
        assert device.launches[-1][1].api == "array"
    mean, variance = statistics(x)
    np.testing.assert_allclose(found.y, normalised(x, mean, variance, scale, bias), atol=1e-12)
    np.testing.assert_allclose(running[1], 0.9 + 0.1 * variance * 40 / 39, atol=1e-12)


def test_a_filled_reserve_goes_to_the_backward_pass(device: SimulatedDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    from cudnnkit.testing import candidates

    device.kernel_seconds = 1.0
    x, (scale, bias) = image((2, 8, 4, 5), "last", "float16"), vectors(8, "float32")
    assert ck.batch_norm_training(x, scale, bias, activation="relu").reserve is None  # nothing filled it
    monkeypatch.setattr(candidates.SimulatedExecutable, "fills", "SPATIAL_PERSISTENT BN_ACTIVATION", raising=False)
    found = ck.batch_norm_training(x, scale, bias, activation="relu")
    assert found.reserve is not None
    assert found.reserve.made_by == "SPATIAL_PERSISTENT BN_ACTIVATION"
    assert found.reserve.array.size * 8 >= x.size
    inputs = (x, x, scale, bias, found.mean, found.inverse_std)
    known: dict[str, Any] = {"y": found.y, "activation": "relu"}
    with_it = ck.explain(ck.batch_norm_backward, *inputs, **known, reserve=found.reserve)
    assert dict(with_it.problem.parameters)["reserve"] == found.reserve.made_by
    assert "reserve" not in dict(ck.explain(ck.batch_norm_backward, *inputs, **known).problem.parameters)
    for other in (image((2, 8, 4, 5), dtype="float16"), x.astype("f4"), image((2, 6, 4, 5), "last", "float16")):
        one = vectors(other.shape[1], "float32")
        assert ck.batch_norm_training(other, *one, activation="relu").reserve is None
    assert ck.batch_norm_training(x, scale, bias, activation="sigmoid").reserve is None
    ck.plan(ck.batch_norm_training, x, scale, bias, activation="relu")


@pytest.mark.usefixtures("device")
def test_nothing_to_normalise() -> None:
    x, (scale, bias) = np.empty((0, 3, 4, 5)), vectors(3)
    running = np.zeros(3), np.ones(3)
    assert ck.batch_norm(x, *running, scale, bias).shape == x.shape
    found = ck.batch_norm_training(x, scale, bias, running_mean=running[0], running_variance=running[1], eps=0.25)
    assert found.y.shape == x.shape
    np.testing.assert_array_equal(found.mean, 0)
    np.testing.assert_array_equal(found.inverse_std, 2)
    np.testing.assert_array_equal(running, [np.zeros(3), np.ones(3)])
    back = ck.batch_norm_backward(x, x, scale, bias, found.mean, found.inverse_std, eps=0.25)
    assert back.dx.shape == x.shape
    np.testing.assert_array_equal([back.dscale, back.dbias], 0)


X, V = np.zeros((2, 3, 4)), np.ones(3)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ck.batch_norm(np.zeros(3), V, V), r"x=\(3,\): needs 2 to 5 axes"),
        (lambda: ck.batch_norm(np.zeros((2, 3, 1, 1, 1, 1)), V, V), "needs 2 to 5 axes"),
        (lambda: ck.batch_norm(X, np.ones(4), V), r"mean=\(4,\): is not \(3,\)"),
        (lambda: ck.batch_norm(X, V, None), "variance=None: must be given"),
        (lambda: ck.batch_norm(X, V, V, eps=0), "eps=0: must be a finite number above 0"),
        (lambda: ck.batch_norm(X, V, V, V.astype("f4")), "scale.*float32.*convert"),
        (lambda: ck.batch_norm(np.zeros((2, 3, 5)), np.ones(5), np.ones(5)), r"mean.*the last axis would fit"),
        (lambda: ck.batch_norm(X, V, V, residual=np.zeros((2, 3, 5))), r"residual.*has another shape than x"),
        (lambda: ck.batch_norm(X, V, V, activation="softmax"), "activation.*allowed"),
        (lambda: ck.batch_norm(X, V, V, out=np.zeros((2, 3, 3))), "out.*another shape"),
        (lambda: ck.batch_norm_training(X, None, V), "scale=None: must be given"),
        (lambda: ck.batch_norm_training(np.zeros(3), V, V), "needs 2 to 5 axes"),
        (lambda: ck.batch_norm_training([1.0], V, V), "x.*no GPU array"),
        (lambda: ck.batch_norm_training(X, V, V, running_mean=V), "running_variance.*both or none"),
        (lambda: ck.batch_norm_training(X, V, V, running_variance=V), "running_mean.*both or none"),
        (lambda: ck.batch_norm_training(np.zeros((1, 3)), V, V), "one value for each channel"),
        (lambda: ck.batch_norm_training(X, V, V, out=X), "out.*the same array as x"),
        *(
            (
                lambda momentum=momentum: ck.batch_norm_training(
                    X, V, V, running_mean=V.copy(), running_variance=V.copy(), momentum=momentum
                ),
                "momentum",
            )
            for momentum in (-0.1, 1.5, None, float("nan"))
        ),
        (lambda: ck.batch_norm_training(X, V, V, running_mean=V, running_variance=V.copy()), "running_mean.*overlaps"),
        (lambda: ck.batch_norm_backward(X, X, V, V, V, V, activation="relu"), "y=None: must be given"),
        (lambda: ck.batch_norm_backward(X, X, V, V, V, V, y=X, activation="gelu"), "activation.*activation_backward"),
        (
            lambda: ck.batch_norm_backward(X, X, V, V, V, V, y=X, activation=("leaky_relu", -1.0)),
            "activation.*activation_backward",
        ),
        (lambda: ck.batch_norm_backward(X[:1], X, V, V, V, V), "dy.*another shape than x"),
        (lambda: ck.batch_norm_backward(X, X, None, V, V, V), "scale=None: must be given"),
        (lambda: ck.batch_norm_backward(X, X, V, V, V, V, out_scale=V), "out_scale.*overlaps"),
        (lambda: ck.batch_norm_backward(X, X, V, V, V, V, out_residual=X), "out_residual.*residual=True"),
        (lambda: ck.batch_norm_backward(X, X, V, V, V, V, reserve=X), "reserve.*batch_norm_training"),
        (lambda: ck.batch_norm_training(X, V, V, momentun=0.1), "momentun.*no such argument"),
    ],
)
def test_faults(call: Any, message: str) -> None:
    with pytest.raises((ck.ArgumentError, ck.ArgumentTypeError), match=message):
        call()


@pytest.mark.usefixtures("device")
def test_arrays_that_become_one_after_the_first_call_are_refused() -> None:
    x, (scale, bias) = image((2, 3, 4, 5)), vectors(3)
    first, second = np.zeros(3), np.ones(3)
    ck.batch_norm_training(x, scale, bias, running_mean=first, running_variance=second)
    with pytest.raises(ck.ArgumentError, match="overlaps"):
        ck.batch_norm_training(x, scale, bias, running_mean=first, running_variance=first)


@pytest.mark.usefixtures("device")
def test_plans_take_every_array() -> None:
    x, (scale, bias) = image((2, 3, 4, 5)), vectors(3)
    plan = ck.plan(ck.batch_norm_training, x, scale, bias, eps=EPS)
    mean, inverse = np.empty(3), np.empty(3)
    y = plan(x, scale, bias, mean, inverse)
    np.testing.assert_allclose(y, normalised(x, *statistics(x), scale, bias), atol=1e-12)
    np.testing.assert_allclose(mean, statistics(x)[0], atol=1e-13)
