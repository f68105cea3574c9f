"""Operands whose elements share memory, as those of a broadcast do: read as they are, and nothing is made like them."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.layouts import shares_elements
from cudnnkit.operands import allocate
from cudnnkit.testing import SimulatedDevice

from .references import random


@pytest.mark.parametrize(
    ("shape", "strides", "shared"),
    [
        ((2, 3), (3, 1), False),
        ((2, 3), (-3, 1), False),
        ((2, 3), (0, 1), True),
        ((3, 4), (1, 1), True),
        ((3, 4), (3, 1), True),
        ((1, 4), (0, 1), False),
        ((0, 4), (0, 0), False),
        ((), (), False),
    ],
)
def test_which_arrays_share_elements(shape: Any, strides: Any, shared: bool) -> None:
    assert shares_elements(shape, strides) == shared


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("search", ["heuristic", "measure"])
@pytest.mark.parametrize("over", [(0,), (1,), (0, 2, 3), (0, 1, 2, 3)], ids=str)
def test_the_gradient_of_a_sum_goes_back_through_a_normalisation(over: tuple[int, ...], search: str) -> None:
    x, scale, bias = random(4, 3, 5, 5), random(3, seed=1), random(3, seed=2)
    one = random(*(1 if axis in over else size for axis, size in enumerate(x.shape)))
    expanded = np.broadcast_to(one, x.shape)
    forward = ck.batch_norm_training(x, scale, bias, activation="relu")
    inputs = x, scale, bias, forward.mean, forward.inverse_std
    known: dict[str, Any] = {"y": forward.y, "activation": "relu", "search": search}
    found = ck.batch_norm_backward(expanded, *inputs, **known)
    masked = np.where(forward.y > 0, expanded, 0)
    expected = ck.batch_norm_backward(masked, *inputs, search=search)
    for got, wanted in zip(found[:3], expected[:3], strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-12)


def test_an_expanded_tensor_is_filled_with_random_numbers() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from cudnnkit.arrays.torch_kernels import TorchKernels

    tensor = torch.zeros(1, 3, 1).expand(4, 3, 2)
    TorchKernels().randomize(tensor)
    assert (tensor != 0).all()
    assert (tensor == tensor[:1, :, :1]).all()


def test_random_operands_of_an_expanded_maximum_belong_together(device: SimulatedDevice) -> None:
    x, y = random(2, 3, 8, 8), np.broadcast_to(random(1, 1, 1, 1), (2, 3, 4, 4))
    problem = ck.plan(ck.max_pool_backward, random(2, 3, 4, 4), y, x, 2, search="heuristic").problem
    arrays = dict(zip((one.role for one in problem.tensors), allocate(problem, device.library, 0).arrays, strict=True))
    windows = arrays["x"].reshape(2, 3, 4, 2, 4, 2)
    np.testing.assert_array_equal(windows.max(axis=(3, 5)), arrays["y"])
