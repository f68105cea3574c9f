"""A keyword that a function does not have: the function that was called is named, and what was meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("device")

X, W, V = np.ones((2, 4, 8, 8), "f4"), np.ones((4, 4, 3, 3), "f4"), np.ones(4, "f4")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ck.relu(X, inplace=True), "inplace=True: relu has no such argument; out=x writes into x"),
        (lambda: ck.conv2d(X, W, data_format="NHWC"), "data_format='NHWC': conv2d has no such argument; shapes are (N"),
        (lambda: ck.max_pool(X, 2, layout="last"), "layout='last': max_pool has no such argument; shapes are (N, C,"),
        (lambda: ck.softmax(X, dim=1), "dim=1: softmax has no such argument; axis may be meant; it takes x, axis,"),
        (lambda: ck.max_pool(X, 2, strides=2), "strides=2: max_pool has no such argument; stride may be meant"),
        (lambda: ck.conv2d(X, W, paddings=1), "paddings=1: conv2d has no such argument; padding may be meant"),
        (lambda: ck.batch_norm(X, V, V, weight=1), "weight=1: batch_norm has no such argument; scale may be meant"),
        (lambda: ck.explain(ck.sigmoid, X, dtype=1), "dtype=1: sigmoid has no such argument; a result has its"),
        (lambda: ck.relu(X, precison="fast"), "precison='fast': relu has no such argument; precision may be meant"),
        (lambda: ck.gelu(X, zzz=1), "zzz=1: gelu has no such argument; it takes x, approximate, out, policy,"),
    ],
)
def test_the_called_function_and_the_near_name_are_told(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(ck.ArgumentError) as caught:
        call()
    assert str(caught.value).startswith(told)
