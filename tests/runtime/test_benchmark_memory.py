"""``benchmarks/whole_networks/memory.py`` over a torch that is a few counters."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

MEMORY = Path(__file__).parents[2] / "benchmarks" / "whole_networks" / "memory.py"
TOTAL = 10_000


class Pool:
    """Torch's: what it handed out, keeps, and had handed out at the most; graphs' pools; what lies beside all that."""

    def __init__(self) -> None:
        self.live: dict[str, int] = {}
        self.reserved = self.peak = self.beside = self.graphs = 0

    @property
    def allocated(self) -> int:
        return sum(self.live.values())

    def take(self, name: str, nbytes: int) -> None:
        self.live[name] = nbytes
        self.reserved = max(self.reserved, self.allocated)
        self.peak = max(self.peak, self.allocated)

    def give(self, name: str) -> None:
        self.live.pop(name, None)

    def trim(self) -> None:
        self.reserved = self.allocated + self.graphs

    def reset(self) -> None:
        self.peak = self.allocated


@pytest.fixture
def pool() -> Pool:
    return Pool()


@pytest.fixture
def memory(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Any:
    torch: Any = ModuleType("torch")
    torch.cuda = SimpleNamespace(
        synchronize=lambda: None,
        empty_cache=pool.trim,
        reset_peak_memory_stats=pool.reset,
        memory_allocated=lambda: pool.allocated,
        max_memory_allocated=lambda: pool.peak,
        memory_reserved=lambda: pool.reserved,
        mem_get_info=lambda: (TOTAL - pool.reserved - pool.beside, TOTAL),
    )
    torch._C = SimpleNamespace(_cuda_clearCublasWorkspaces=lambda: pool.give("cuBLAS"))
    monkeypatch.setitem(sys.modules, "torch", torch)
    spec = importlib.util.spec_from_file_location("_measured_memory", MEMORY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "_measured_memory", module)  # a dataclass looks its module up
    spec.loader.exec_module(module)
    return module


def contender(pool: Pool, memory: Any, *, beside: int = 0, lets_go: bool = False) -> Any:
    """Weights of 100, for a moment 500 more; a call takes 40, and 32 for cuBLAS unless it has those already."""

    def build() -> str:
        pool.take("weights", 100)
        pool.take("making", 500)
        pool.give("making")
        memory.weights_made()
        pool.beside += beside
        if lets_go:
            pool.give("cuBLAS")
        return "made"

    def use(made: str) -> None:
        assert made == "made"
        pool.take("results", 40)
        if not lets_go:
            pool.take("cuBLAS", 32)
        pool.give("results")

    found = memory.peak_of(build, use)
    pool.give("weights")
    return found


def test_what_others_hold_and_what_making_takes_do_not_count(pool: Pool, memory: Any) -> None:
    pool.take("images", 1000)
    made, peak = contender(pool, memory)
    assert made == "made"
    assert peak.inside == 100 + 40 + 32


@pytest.mark.parametrize("lets_go", [False, True])
def test_workspaces_of_earlier_contenders_change_no_figure(lets_go: bool, pool: Pool, memory: Any) -> None:
    _, first = contender(pool, memory, lets_go=lets_go)
    pool.take("cuBLAS", 32)
    _, second = contender(pool, memory, lets_go=lets_go)
    assert first == second
    assert first.inside == 140 + (0 if lets_go else 32)


def test_a_torch_without_the_private_function_is_measured_as_it_is(pool: Pool, memory: Any) -> None:
    del sys.modules["torch"]._C._cuda_clearCublasWorkspaces
    pool.take("cuBLAS", 32)
    assert contender(pool, memory)[1].inside == 140


def test_memory_beside_the_pool_is_noted_and_not_counted(pool: Pool, memory: Any) -> None:
    _, peak = contender(pool, memory, beside=70)
    assert (peak.inside, peak.outside) == (172, 70)


def test_what_a_graph_keeps_counts_though_nothing_is_handed_out(pool: Pool, memory: Any) -> None:
    def build() -> None:
        memory.weights_made()
        pool.graphs = 300
        pool.reserved += 300

    assert memory.peak_of(build, lambda _: None)[1].inside == 300
