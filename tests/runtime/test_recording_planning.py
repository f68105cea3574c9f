"""Memory plans: never two that are alive on one byte, by an independent check over every byte and every moment."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cudnnkit.recording.placing import Placement
from cudnnkit.recording.planning import ALIGNMENT, FOREVER, MemoryPlan, Range, most_alive, plan_memory
from cudnnkit.recording.tracing import Trace
from cudnnkit.recording.trees import flatten, unflatten
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def lifetimes(draw: st.DrawFn) -> list[Range]:
    count = draw(st.integers(0, 24))
    found = []
    for born in range(count):
        died = draw(st.one_of(st.just(FOREVER), st.integers(born + 1, count + 1)))
        found.append(Range(draw(st.integers(0, 5000)), born, died))
    return found


def owners(plan: MemoryPlan) -> int:
    """Simulates the buffer, one grain at a time: who owns it at each moment. Answers the most grains owned at once."""
    grains = plan.nbytes // ALIGNMENT
    most = 0
    for now in range(len(plan.ranges)):
        taken = np.zeros(grains, dtype=int)
        for one, offset in zip(plan.ranges, plan.offsets, strict=True):
            if one.born <= now < one.died and one.nbytes:
                assert offset % ALIGNMENT == 0
                assert offset + one.nbytes <= plan.nbytes
                taken[offset // ALIGNMENT : -(-(offset + one.nbytes) // ALIGNMENT)] += 1
        assert taken.max(initial=0) <= 1, f"two arrays share memory when number {now} is made"
        most = max(most, int(taken.sum()))
    return most


@given(lifetimes())
def test_no_two_that_are_alive_share_memory(ranges: list[Range]) -> None:
    plan = plan_memory(ranges)
    assert plan.ranges == tuple(ranges)
    most = owners(plan)
    assert most_alive(ranges) == most * ALIGNMENT <= plan.nbytes <= plan.total


def test_a_chain_takes_two_buffers() -> None:
    """Each layer reads the one before: two alive at any time, however many there are."""
    layers = [Range(1024, born, born + 2) for born in range(50)]
    plan = plan_memory(layers)
    assert (plan.nbytes, plan.total) == (2048, 50 * 1024)


def test_a_residual_takes_three() -> None:
    chain = [Range(1024, 0, 4), Range(1024, 1, 3), Range(1024, 2, 4), Range(1024, 3, FOREVER)]
    assert plan_memory(chain).nbytes == 3 * 1024


def test_the_best_fitting_gap_is_taken() -> None:
    """A small one goes between two large ones rather than at the end."""
    ranges = [Range(512, 0, 9), Range(256, 1, 2), Range(1024, 2, 9), Range(4096, 3, 9), Range(256, 4, 9)]
    assert plan_memory(ranges).nbytes == most_alive(ranges)


@pytest.mark.parametrize("size", [1, 255, 256, 257])
def test_offsets_are_aligned(size: int) -> None:
    plan = plan_memory([Range(size, 0), Range(size, 1)])
    assert sorted(plan.offsets) == [0, -(-size // 256) * 256]


def test_nothing_to_plan() -> None:
    assert plan_memory([]).nbytes == 0
    assert plan_memory([Range(0, 0)]).nbytes == 0


class Library(SimpleNamespace):
    __hash__ = object.__hash__


def operation(*pointers: int) -> tuple[Any, tuple[int, ...], tuple[object, ...]]:
    """A launch on arrays that can be told apart."""
    library = Library(stream=lambda _: 1, allocate=lambda nbytes, _: SimpleNamespace(pointer=99, nbytes=nbytes))
    request = SimpleNamespace(library=library, device=0, problem=SimpleNamespace(label="a layer"))
    return SimpleNamespace(request=request), pointers, tuple(object() for _ in pointers)


def test_arrays_of_the_plan_are_not_kept_even_where_others_lay_before() -> None:
    """The pool gives the buffer memory that a traced array had; keeping an array there would end all sharing."""
    place = Placement(plan_memory([Range(256, 0, 1), Range(256, 1, 2)]), 1024, None, {512, 1024, 1280})
    one, pointers, arrays = operation(512, 1024, 1280, 2048)
    place.launched(one, pointers, arrays)
    assert list(place.outside) == [512, 1280]
    assert place.outside[512] is arrays[0]
    assert place.prepared == {id(one): one}
    assert (place.launches, place.last) == (1, "launch 1, a layer")


def test_streams_have_no_common_order() -> None:
    trace = Trace(contextlib.nullcontext)
    one, pointers, arrays = operation(512)
    for stream, died in ((1, 1), (2, FOREVER)):
        one.request.library.stream = lambda _, stream=stream: stream
        trace.launched(one, pointers, arrays)
        if stream == 1:
            trace.workspace(one.request.library, 100, 0)
        assert trace.ranges == [Range(100, 0, died)]
    assert (trace.seen, trace.largest, trace.launches) == ({512}, 100, 2)


leaf = st.one_of(st.integers(), st.none(), st.text(max_size=3))
trees = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(trees)
def test_trees_come_back(tree: object) -> None:
    leaves: list[object] = []
    structure = flatten(tree, leaves)
    hash(structure)
    again = unflatten(structure, iter(leaves))
    assert again == tree
    assert type(again) is type(tree)


def test_trees_that_differ_have_different_structures() -> None:
    found = [flatten(one, []) for one in ((1, 2), [1, 2], {"a": 1, "b": 2}, {"b": 1, "a": 2}, ((1, 2),), (1, (2,)), 1)]
    assert len(set(found)) == len(found)
