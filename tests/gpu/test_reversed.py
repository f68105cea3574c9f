"""CuPy arrays that run backwards as inputs and outputs, against float64 on the host."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest

cupy = pytest.importorskip("cupy")


@pytest.mark.parametrize("where", [np.s_[::-1], np.s_[:, ::-1], np.s_[:, :, ::-1, ::-1]])
@pytest.mark.parametrize("beta", [0.0, 0.5])
def test_outputs_that_run_backwards(where: Any, beta: float) -> None:
    random = np.random.default_rng(0)
    x, w = random.standard_normal((2, 8, 6, 6)).astype("f4"), random.standard_normal((8, 8, 1, 1)).astype("f4")
    expected = np.einsum("nchw,kc->nkhw", x.astype("f8"), w[:, :, 0, 0].astype("f8")) + beta
    memory = cupy.ones((4, 8, 6, 6), "f4")  # guards on both sides
    out = memory[1:3][where]
    for turn in ("searched", "remembered"):
        memory[...] = 1
        assert ck.conv2d(cupy.asarray(x), cupy.asarray(w), beta=beta, out=out, precision="no-tf32") is out
        np.testing.assert_allclose(cupy.asnumpy(out), expected, atol=1e-4, err_msg=turn)
        assert (memory[0] == 1).all(), turn
        assert (memory[3] == 1).all(), turn
    reversed_x = cupy.asarray(np.ascontiguousarray(x[where]))[where]
    y = ck.conv2d(reversed_x, cupy.asarray(w), precision="no-tf32")
    np.testing.assert_allclose(cupy.asnumpy(y), expected - beta, atol=1e-4)
