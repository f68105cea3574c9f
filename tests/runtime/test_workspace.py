from __future__ import annotations

import gc
import os
import threading
import weakref
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit import workspace
from cudnnkit.choice import Alternative
from cudnnkit.errors import OutOfMemoryError
from cudnnkit.policy import WorkspaceLimit
from cudnnkit.testing import SimulatedCandidate, SimulatedDevice, simulated
from cudnnkit.workspace import (
    Arena,
    Block,
    CapRule,
    Workspaces,
    free_memory,
    is_out_of_memory,
    run_smaller_and_smaller,
)

from .fakes import GIB, StatusError, graph
from .forks import status_of_child

MIB = 2**20
RULE = CapRule(free_fraction=0.1, problem_multiple=10, floor=1000)


def limit(value: Any) -> WorkspaceLimit:
    return WorkspaceLimit.parse(value)


class FakeBlock:
    def __init__(self, pool: FakePool, nbytes: int, pointer: int) -> None:
        self.nbytes, self.pointer = nbytes, pointer
        weakref.finalize(self, pool.give_back, nbytes)


class FakePool:
    """A pool of `total` bytes; what is freed stays cached until trimmed, and cannot serve another size."""

    def __init__(self, total: int) -> None:
        self.total, self.used, self.cached, self.trims, self.allocations = total, 0, 0, 0, 0
        self.broken = False

    def allocate(self, nbytes: int, device: int) -> FakeBlock:
        assert device == 0
        if self.used + self.cached + nbytes > self.total:
            raise MemoryError(f"{nbytes} bytes")
        self.allocations += 1
        self.used += nbytes
        return FakeBlock(self, nbytes, 4096 * self.allocations)

    def give_back(self, nbytes: int) -> None:
        self.used -= nbytes
        self.cached += nbytes

    def memory(self, device: int) -> tuple[int, int]:
        if self.broken:
            raise RuntimeError(f"device {device} does not answer")
        return self.total - self.used, self.total

    def trim(self, device: int) -> None:
        if self.broken:
            raise RuntimeError(f"device {device} does not answer")
        self.trims += 1
        self.cached = 0


@pytest.mark.parametrize(
    ("problem", "user", "free", "total", "expected"),
    [
        (500, None, 100_000, 200_000, 5_000),  # the multiple of the problem
        (500, None, 20_000, 200_000, 2_000),  # the share of free memory
        (500, 700, 100_000, 200_000, 700),  # the user's limit
        (500, "1%", 100_000, 200_000, 2_000),  # a share of the total
        (500, "100%", 100_000, 200_000, 5_000),  # a limit never widens the other rules
        (1, None, 100_000, 200_000, 1_000),  # the floor under the multiple
        (500, 0, 100_000, 200_000, 0),
        (500, None, None, None, 5_000),  # a device that cannot be asked
        (500, "1%", None, None, 5_000),
        (10**9, None, None, 200_000, 200_000),  # never more than there is
    ],
)
def test_cap_is_the_smallest_rule(problem: int, user: Any, free: int | None, total: int | None, expected: int) -> None:
    assert RULE.cap(problem, limit(user), free=free, total=total).now == expected


def test_lasting_part_and_ceiling() -> None:
    cap = RULE.cap(500, limit(8000), free=20_000, total=200_000)
    assert (cap.now, cap.lasting, cap.ceiling) == (2_000, 5_000, 8_000)


def test_deterministic_cap_does_not_depend_on_free_memory() -> None:
    caps = {RULE.cap(500, limit("5%"), free=free, total=200_000, deterministic=True) for free in (None, 0, 10, 10**5)}
    assert len(caps) == 1


def test_default_rule_on_the_strict_float32_layer_that_needs_891_mib() -> None:
    tensors = 4 * (2 * 64 * 256 * 56 * 56 + 256 * 256 * 9)
    cap = CapRule().cap(tensors, limit(None), free=130 * GIB, total=140 * GIB)
    assert cap.now >= 891 * MIB
    # ... and the first layer does not take most of a small card.
    assert CapRule().cap(tensors, limit(None), free=36 * GIB, total=40 * GIB).now < 4 * GIB


def test_memory_that_cannot_be_asked() -> None:
    pool = FakePool(100)
    assert free_memory(pool, 0) == (100, 100)
    pool.broken = True
    assert free_memory(pool, 0) == (None, None)

    class Odd(FakePool):
        def memory(self, device: int) -> tuple[int, int]:  # noqa: ARG002
            return 5, 0

    assert free_memory(Odd(1), 0) == (None, None)


def test_arena_is_reused_grows_and_gives_back() -> None:
    pool = FakePool(64 * MIB)
    arena = Arena(pool, 0)
    assert arena.reserve(0) is None
    assert pool.allocations == 0
    first = arena.reserve(1000)
    assert first is not None
    assert arena.reserve(2 * MIB) is first
    assert arena.reserve(5) is first
    larger = arena.reserve(2 * MIB + 1)
    assert larger is not None
    assert larger.nbytes == arena.nbytes == 4 * MIB
    assert pool.used == 6 * MIB  # the caller still holds the old one
    del first
    assert pool.used == 4 * MIB
    del larger
    arena.release()
    assert (arena.nbytes, pool.used) == (0, 0)


def test_a_held_block_survives_growth_and_trim() -> None:
    """A launch that another thread has not queued yet, or a captured graph, keeps its block."""
    pool = FakePool(64 * MIB)
    table = Workspaces()
    arena = table.arena(pool, 0, 7)
    held = arena.reserve(MIB)
    arena.reserve(8 * MIB)
    assert table.trim() == 8 * MIB
    assert pool.used == 2 * MIB
    assert held is not None
    del held
    assert pool.used == 0


def test_failed_growth_leaves_an_arena_that_still_works() -> None:
    pool = FakePool(8 * MIB)
    arena = Arena(pool, 0)
    arena.reserve(2 * MIB)
    with pytest.raises(MemoryError):
        arena.reserve(100 * MIB)
    assert pool.used == 0
    assert arena.reserve(2 * MIB) is not None


def test_one_arena_per_device_stream_and_pool() -> None:
    table, pool, other = Workspaces(), FakePool(64 * MIB), FakePool(64 * MIB)
    arena = table.arena(pool, 0, 7)
    assert table.arena(pool, 0, 7) is arena
    assert len({id(table.arena(*key)) for key in [(pool, 0, 7), (pool, 0, 8), (pool, 1, 7), (other, 0, 7)]}) == 4
    arena.reserve(MIB)
    table.arena(other, 0, 7).reserve(4 * MIB)
    assert table.nbytes == 6 * MIB
    assert table.trim(device=1) == 0
    assert table.trim(device=0) == 6 * MIB
    assert (pool.trims, other.trims) == (2, 1)  # the pool of device 1 was trimmed before


def test_few_streams_keep_a_block_and_a_held_one_stays() -> None:
    """Nothing tells when a stream ends. Whoever has an arena goes on with it, and it counts again."""
    table, pool = Workspaces(), FakePool(1024 * MIB)
    arenas = [table.arena(pool, 0, stream) for stream in range(50)]
    held = arenas[0].reserve(MIB)
    for arena in arenas:
        arena.reserve(MIB)
    assert table.nbytes == 2 * MIB * workspace.MOST_BLOCKS
    assert pool.used == table.nbytes + 2 * MIB  # the one that is held
    assert [arena.nbytes > 0 for arena in arenas[-workspace.MOST_BLOCKS - 1 :]] == [False] + [True] * 8
    del held
    for _ in range(2):
        arenas[0].reserve(MIB)
    assert arenas[0].nbytes == 2 * MIB
    assert pool.used == table.nbytes == 2 * MIB * workspace.MOST_BLOCKS
    assert table.trim() == 2 * MIB * workspace.MOST_BLOCKS


def test_a_pool_without_an_arena_is_trimmed() -> None:
    table, pool = Workspaces(), FakePool(8 * MIB)
    pool.cached = 4 * MIB
    table.use(pool, 0)
    assert table.trim(device=1) == 0
    assert pool.cached == 4 * MIB
    assert table.trim() == 0
    assert pool.cached == 0
    table.forget(pool)
    table.trim()
    assert pool.trims == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_wait_for_the_parents_lock() -> None:
    table, pool = Workspaces(), FakePool(8 * MIB)
    assert status_of_child(table._lock, lambda: table.arena(pool, 0, 7).reserve(MIB)) == 0


def test_a_plan_on_many_streams_leaves_few_blocks(device: SimulatedDevice) -> None:
    x, w, used = np.ones((1, 4, 5, 5)), np.ones((4, 4, 3, 3)), device.used
    plan = ck.plan(ck.conv2d, x, w)
    for stream in [*range(1, 51), 1, 2]:
        device.stream = stream
        plan(x, w)
    gc.collect()
    assert device.used - used == workspace.workspaces.nbytes == workspace.MOST_BLOCKS * 4 * MIB


def test_without_an_arena_the_pool_is_trimmed_for_a_result() -> None:
    with simulated(candidates=[SimulatedCandidate(graph(1))]) as device:
        x = np.ones((1, 4, 5, 5))
        for trims in (0, 1):  # of the first call, and of one like it
            device.fail_allocations = 1
            assert ck.relu(x).shape == x.shape
            assert device.trims > trims
        assert workspace.workspaces.nbytes == 0


def test_module_level_trim_reaches_the_arenas_of_the_process() -> None:
    pool = FakePool(64 * MIB)
    workspace.workspaces.arena(pool, 0, 7).reserve(MIB)
    assert workspace.trim() == 2 * MIB
    assert pool.used == 0


def test_eight_threads_share_an_arena_and_no_lock_is_held_while_allocating() -> None:
    table = Workspaces()
    inside = threading.Barrier(8)

    class Slow(FakePool):
        def allocate(self, nbytes: int, device: int) -> FakeBlock:
            inside.wait(10)  # all eight are in here at once, or the barrier breaks
            with lock:
                return super().allocate(nbytes, device)

    lock = threading.Lock()
    pool = Slow(64 * MIB)
    arenas: list[Arena] = []
    blocks: list[Block | None] = []

    def work() -> None:
        arena = table.arena(pool, 0, 7)
        arenas.append(arena)
        blocks.append(arena.reserve(MIB))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(set(map(id, arenas))) == 1
    assert len(blocks) == 8
    assert len({block.pointer for block in blocks if block is not None}) == 8
    blocks.clear()
    assert pool.used == arenas[0].nbytes == 2 * MIB  # all but the arena's own went back


@pytest.mark.parametrize(
    ("error", "free", "expected"),
    [
        (MemoryError(), None, True),
        (StatusError("CUDNN_STATUS_ALLOC_FAILED"), None, True),
        (RuntimeError("cudaErrorMemoryAllocation: out of memory"), None, True),
        (RuntimeError("CUDA out of memory. Tried to allocate"), None, True),
        (StatusError("CUDNN_STATUS_EXECUTION_FAILED"), None, False),
        (StatusError("CUDNN_STATUS_EXECUTION_FAILED"), 10 * GIB, False),
        (StatusError("CUDNN_STATUS_EXECUTION_FAILED"), MIB, True),
        (StatusError("CUDNN_STATUS_INTERNAL_ERROR"), 0, True),
        (StatusError("CUDNN_STATUS_BAD_PARAM"), 0, False),
        (ValueError("x"), 0, False),
    ],
)
def test_what_counts_as_out_of_memory(error: Exception, free: int | None, expected: bool) -> None:
    assert is_out_of_memory(error, free) == expected


CHAIN = (
    Alternative(graph(1), 32 * MIB, 0.001),
    Alternative(graph(2), 8 * MIB, 0.002),
    Alternative(graph(3), 0, 0.005),
)


def launch(pool: FakePool, fail: dict[int | None, Exception] | None = None) -> tuple[Any, list[int | None]]:
    """What `run_smaller_and_smaller` answered, and which engines were launched."""
    launched: list[int | None] = []

    def run(one: Alternative, block: Block | None) -> int | None:
        launched.append(one.id.engine)
        assert (block is None) == (one.workspace == 0)
        assert block is None or block.nbytes >= one.workspace
        error = (fail or {}).get(one.id.engine)
        if error is not None:
            raise error
        return one.id.engine

    return run_smaller_and_smaller("conv", CHAIN, run, Arena(pool, 0), pool, 0), launched


def test_enough_memory_runs_the_choice() -> None:
    pool = FakePool(64 * MIB)
    assert launch(pool) == (1, [1])
    assert pool.trims == 0


def test_the_pool_is_trimmed_before_something_smaller_is_taken() -> None:
    pool = FakePool(40 * MIB)
    pool.cached = 20 * MIB
    assert launch(pool) == (1, [1])
    assert pool.trims == 1


@pytest.mark.parametrize(("total", "expected"), [(16 * MIB, 2), (MIB, 3)])
def test_then_the_next_smaller_down_to_none(total: int, expected: int) -> None:
    pool = FakePool(total)
    assert launch(pool) == (expected, [expected])


def test_a_launch_that_runs_out_of_memory_falls_back_too() -> None:
    pool = FakePool(64 * MIB)
    fail: dict[int | None, Exception] = {1: StatusError("CUDNN_STATUS_ALLOC_FAILED"), 2: MemoryError()}
    assert launch(pool, fail) == (3, [1, 1, 2, 3])


def test_other_errors_are_the_callers() -> None:
    with pytest.raises(StatusError, match="BAD_PARAM"):
        launch(FakePool(64 * MIB), {1: StatusError("CUDNN_STATUS_BAD_PARAM")})


def test_at_the_end_every_candidate_is_listed() -> None:
    pool = FakePool(MIB)
    with pytest.raises(OutOfMemoryError) as caught:
        launch(pool, {3: StatusError("CUDNN_STATUS_ALLOC_FAILED")})
    rows = [(one.candidate, one.workspace, one.status, one.free) for one in caught.value.attempts]
    assert rows == [
        ("graph engine 1", 32 * MIB, f"{32 * MIB} bytes", MIB),
        ("graph engine 2", 8 * MIB, f"{8 * MIB} bytes", MIB),
        ("graph engine 3", 0, "CUDNN_STATUS_ALLOC_FAILED", MIB),
    ]
    assert pool.used == 0


def test_a_device_that_does_not_answer_stops_nothing() -> None:
    pool = FakePool(16 * MIB)
    pool.broken = True
    assert launch(pool) == (2, [2])


def test_absurd_sizes_are_never_allocated() -> None:
    pool = FakePool(16 * MIB)
    chain = (Alternative(graph(1), 2**60), Alternative(graph(2), 0))
    arena = Arena(pool, 0)
    assert run_smaller_and_smaller("conv", chain, lambda one, _: one.id.engine, arena, pool, 0) == 2
    assert pool.allocations == pool.trims == 0
    with pytest.raises(OutOfMemoryError, match="no device has so much"):
        run_smaller_and_smaller("conv", chain[:1], lambda one, _: one, arena, pool, 0)
