"""Batch normalisation folded into weights, against the two layers one after the other in plain NumPy."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest

from .references import channels_last, is_channels_last, random

pytestmark = pytest.mark.usefixtures("device")


def layer(k: int, dtype: str = "float64") -> dict[str, Any]:
    return {
        "mean": random(k, dtype=dtype, seed=1),
        "variance": random(k, dtype=dtype, seed=2) ** 2 + 0.1,
        "scale": random(k, dtype=dtype, seed=3),
        "shift": random(k, dtype=dtype, seed=4),
    }


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", [(6, 2, 3), (6, 2, 3, 3), (4, 1, 2, 3, 2)], ids=str)
def test_one_layer_does_what_two_do(shape: tuple[int, ...], bias: bool) -> None:
    groups, rank = 2, len(shape) - 2
    x, w = random(2, 2 * shape[1], *(7,) * rank), random(*shape)
    b, norm = random(shape[0], seed=5) if bias else None, layer(shape[0])
    folded, offset = ck.fold_batch_norm(w, b, **norm, eps=0.3)
    y = ck.conv(x, w, b, groups=groups)
    across = (-1,) + (1,) * rank
    centred = y - norm["mean"].reshape(across)
    expected = centred / np.sqrt(norm["variance"] + 0.3).reshape(across) * norm["scale"].reshape(across)
    expected = expected + norm["shift"].reshape(across)
    np.testing.assert_allclose(ck.conv(x, folded, offset, groups=groups), expected, atol=1e-12)


def test_without_scale_and_shift_and_of_linear_weights() -> None:
    w, norm = random(5, 3), layer(5)
    folded, offset = ck.fold_batch_norm(w, None, norm["mean"], norm["variance"])
    factor = 1 / np.sqrt(norm["variance"] + 1e-5)
    np.testing.assert_allclose(folded, w * factor[:, None], atol=1e-14)
    np.testing.assert_allclose(offset, -norm["mean"] * factor, atol=1e-14)


def test_half_weights_with_float32_statistics_round_once() -> None:
    w, bias, norm = channels_last(random(8, 4, 3, 3, dtype="float16")), random(8, dtype="float16"), layer(8, "float32")
    kept = w.copy()
    folded, offset = ck.fold_batch_norm(w, bias, **norm)
    assert folded.dtype == offset.dtype == np.float16
    assert is_channels_last(folded)
    factor = norm["scale"].astype("f8") / np.sqrt(norm["variance"].astype("f8") + 1e-5)
    np.testing.assert_array_equal(folded, (w.astype("f8") * factor[:, None, None, None]).astype("f2"))
    wanted = (bias.astype("f8") - norm["mean"]) * factor + norm["shift"]
    np.testing.assert_array_equal(offset, wanted.astype("f2"))
    np.testing.assert_array_equal(w, kept)


def test_strided_weights() -> None:
    w, norm = random(4, 6, 3, 6)[::-1, ::2, :, 1::2], layer(8)
    vectors = {name: one[::2] for name, one in norm.items()}
    folded, _ = ck.fold_batch_norm(w, None, **vectors)
    factor = vectors["scale"] / np.sqrt(vectors["variance"] + 1e-5)
    np.testing.assert_allclose(folded, w * factor[:, None, None, None], atol=1e-14)
    assert folded.flags.c_contiguous


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mean": np.zeros(3)}, r"mean.*\(3,\).*is not \(4,\)"),
        ({"shift": np.zeros((1, 4))}, r"shift.*is not \(4,\)"),
        ({"variance": None}, "variance.*must be given"),
        ({"w": np.zeros(4)}, "has no channels"),
        ({"scale": np.zeros(4, dtype="int32")}, "scale.*int32"),
        ({"eps": 0.0}, "eps.*above 0"),
        ({"eps": "1e-5"}, "eps.*plain number"),
        ({"bias": [0.0] * 4}, "bias.*no GPU array"),
    ],
)
def test_faults(changes: dict[str, Any], message: str) -> None:
    arguments = {"w": np.zeros((4, 2, 1, 1)), "bias": None, **layer(4), **changes}
    with pytest.raises((ck.ArgumentError, ck.ArgumentTypeError), match=message):
        ck.fold_batch_norm(**arguments)
