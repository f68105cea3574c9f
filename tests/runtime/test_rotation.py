"""Copies of operands for the final of a search: enough to outgrow the cache, alike in everything but their memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cudnnkit.arrays.numpy_library import NumpyLibrary
from cudnnkit.operands import Operands
from cudnnkit.problem import TensorSpec
from cudnnkit.rotation import CACHE_BYTES, rotating

from .problems import convolution
from .references import channels_last

LIBRARY: Any = NumpyLibrary()


def operands(*arrays: Any) -> tuple[Any, Operands]:
    specs = tuple(
        TensorSpec(role, one.shape, tuple(step // 4 for step in one.strides), "float32", output=role == "y")
        for role, one in zip(("x", "w", "y", "residual"), arrays, strict=False)
    )
    return replace(convolution(), tensors=specs), Operands(
        arrays, tuple(one.ctypes.data for one in arrays), 5, 2.0, 3.0
    )


def image(*shape: int) -> Any:
    return channels_last(np.random.default_rng(0).standard_normal(shape).astype("f4"))


def test_sets_outgrow_the_cache_and_differ_in_memory_alone() -> None:
    problem, first = operands(image(8, 16, 128, 128), image(4, 16, 3, 3), image(8, 4, 126, 126))
    sets = rotating(problem, LIBRARY, 0, first)
    assert sets[0] is first
    assert len(sets) * problem.nbytes >= CACHE_BYTES > (len(sets) - 1) * problem.nbytes
    for one in sets[1:]:
        assert one[2:] == first[2:]  # stream, alpha, beta
        for new, old in zip(one.arrays, first.arrays, strict=True):
            np.testing.assert_array_equal(new, old)
            assert new.strides == old.strides
    addresses = [pointer for one in sets for pointer in one.pointers]
    assert len(set(addresses)) == len(addresses)


def test_large_operands_are_not_copied_and_small_ones_not_without_end() -> None:
    problem, first = operands(image(8, 64, 256, 256), image(4, 64, 1, 1), image(8, 4, 256, 256))
    assert rotating(problem, LIBRARY, 0, first) == [first]
    problem, first = operands(image(1, 2, 4, 4), image(3, 2, 3, 3), image(1, 3, 2, 2))
    assert len(rotating(problem, LIBRARY, 0, first)) == 24


def test_what_is_one_array_stays_one_and_odd_strides_are_shared() -> None:
    y = image(2, 3, 4, 4)
    expanded, backwards = np.broadcast_to(np.float32(1.5), (2, 3, 4, 4)), image(3, 3, 1, 1)[:, ::-1]
    problem, first = operands(expanded, backwards, y, y)
    _, second, *_ = rotating(problem, LIBRARY, 0, first)
    assert second.pointers[2] == second.pointers[3] != first.pointers[2]
    assert second.pointers[:2] == first.pointers[:2]


def test_with_little_memory_there_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, first = operands(image(1, 2, 4, 4), image(3, 2, 3, 3), image(1, 3, 2, 2))
    made: list[Any] = []
    empty = LIBRARY.empty

    def scarce(*arguments: Any) -> Any:
        if len(made) == 7:
            raise MemoryError("full")
        made.append(arguments)
        return empty(*arguments)

    monkeypatch.setattr(LIBRARY, "empty", scarce)
    assert len(rotating(problem, LIBRARY, 0, first)) == 3  # two whole copies of three arrays


def test_arrays_that_begin_at_one_address_are_not_one_array() -> None:
    memory = np.random.default_rng(1).standard_normal((4, 3, 3, 3)).astype("f4")
    problem, first = operands(memory[:2], memory, image(2, 4, 1, 1))
    for one in rotating(problem, LIBRARY, 0, first)[1:]:
        assert [array.shape for array in one.arrays] == [array.shape for array in first.arrays]
        np.testing.assert_array_equal(one.arrays[1], memory)
