"""The bench of a search on arrays: what it takes from the pool, and for how long."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.numpy_library import NumpyLibrary
from cudnnkit.bench import ArrayBench
from cudnnkit.dispatch import watching
from cudnnkit.operands import allocate
from cudnnkit.problem import Epilogue
from cudnnkit.testing import SimulatedDevice, simulated

from .test_norm_primitives import TRAINING, problem


class Pool(NumpyLibrary):
    """Knows which of its blocks are held."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[int] = set()

    def allocate(self, nbytes: int, device: int) -> Any:
        """A block that says so when it is let go."""
        pool, buffer = self, super().allocate(nbytes, device)

        class Block:
            pointer, nbytes = buffer.pointer, buffer.nbytes

            def __del__(self) -> None:
                pool.held.discard(self.pointer)

        self.held.add(buffer.pointer)
        return Block()


@pytest.fixture
def bench() -> Any:
    with simulated() as device:
        yield make(device)


def make(device: SimulatedDevice) -> tuple[Pool, ArrayBench, Any]:
    pool, one = Pool(), problem("batch_norm_training", TRAINING.replace(" reserve", ""), dtype="float32")
    operands = allocate(one, pool, 0)
    return pool, ArrayBench(device, pool, 0, one, operands, live=True), operands


def test_workspace_is_held_to_the_end_of_its_block(bench: Any) -> None:
    # Copies that the bench makes meanwhile would get the same memory, and the candidate would write into them.
    pool, found, _ = bench
    with found.workspace(4096) as address:
        assert pool.held == {address}
    assert not pool.held
    with found.workspace(0) as address:
        assert address == 0


@pytest.mark.parametrize("vectors", [None, "float16"])
def test_random_operands_of_a_gradient_have_the_slope_that_x_has(vectors: str | None) -> None:
    roles = "dy x scale bias mean inverse_std y dscale dbias dx"
    one = problem("batch_norm_backward", roles, vectors=vectors, epilogue=Epilogue(activation="relu"))
    with simulated():
        found = allocate(one, NumpyLibrary(), 0)
    at = dict(zip(roles.split(), (array.astype("f8") for array in found.arrays), strict=True))
    scale, bias, mean = (at[role].reshape(-1, 1, 1) for role in ("scale", "bias", "mean"))
    expected = np.maximum((at["x"] - mean) * scale + bias, 0)
    assert 0 < (expected > 0).mean() < 1
    np.testing.assert_allclose(at["y"], expected, atol=2e-3)


@pytest.mark.parametrize("pairs", [(("residual", "y"),), (("residual", "y"), ("x", "y"))])
def test_random_operands_that_share_memory_are_one_array(pairs: tuple[tuple[str, str], ...]) -> None:
    roles = "x scale bias mean variance residual y"
    one = problem("batch_norm_inference", roles, epilogue=Epilogue(residual=True))
    with simulated():
        found = allocate(replace(one, aliasing=pairs), NumpyLibrary(), 0)
    at = dict(zip(roles.split(), found.pointers, strict=True))
    assert {at[role] for pair in pairs for role in pair} == {at["y"]}
    assert len(set(found.pointers)) == len(found.pointers) - len(pairs)
    assert np.isfinite(found.arrays[-1].astype("f8")).all(), "the old content of y is a residual"


def test_a_search_ahead_of_use_finds_nothing_wrong_with_ways_that_add_to_the_output() -> None:
    x, w, bias, residual = (np.ones(shape, "f4") for shape in ((2, 4, 3, 3), (4, 4, 1, 1), 4, (2, 4, 3, 3)))
    seen: list[Any] = []
    with simulated():
        with watching(lambda *one: seen.append(one), run=False):
            ck.conv2d(x, w, bias, residual=residual, activation="silu", out=residual)
        ((request, setting),) = seen
        report = setting.resolver.tune(request.problem, request.library, ck.Policy(search="measure"))
    assert [row.reason for row in report.rows if row.status == "failed"] == []
    assert "decomposed" in {row.description.id.api for row in report.rows if row.seconds}


def test_running_statistics_begin_anew_with_each_candidate(bench: Any) -> None:
    _, found, operands = bench
    with found.arguments(scratch=True) as arguments:
        places = [at for at, old in enumerate(operands.arrays) if arguments.arrays[at] is not old]
        assert len(places) == 5  # the running statistics, the batch's, and y
        before = [np.array(operands.arrays[at]) for at in places]
        found.poison(arguments)
        for at in places:
            arguments.arrays[at][...] = 7
        found.poison(arguments)
    for at, old in zip(places[:2], before[:2], strict=True):
        np.testing.assert_array_equal(arguments.arrays[at], old)
    assert all(np.isnan(arguments.arrays[at]).all() for at in places[2:])
