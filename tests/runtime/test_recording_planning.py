"""Memory plans: never two that are alive on one byte, by an independent check over every byte and every moment."""

from __future__ import annotations

import numpy as np
import pytest
from cudnnkit.recording.planning import ALIGNMENT, FOREVER, MemoryPlan, Range, most_alive, plan_memory
from cudnnkit.recording.trees import flatten, unflatten
from hypothesis import given, settings
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
@settings(deadline=None)
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
