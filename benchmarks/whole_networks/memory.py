"""Peak memory of one contender.

What is counted, beyond what torch's pool had handed out before the contender was built (the input, the other
contenders), is the larger of two:

- the most bytes that the pool had handed out at a time from the moment when its weights are on the GPU to the end of
  its warm-up: the weights themselves, activations, workspaces. What making the weights took for a moment does not
  count;
- the bytes that the pool keeps from the device once unused memory was given back. The private pool of a CUDA graph
  holds a network's activations all the time, yet none of it counts as handed out between replays.

``outside`` is what the device lost beside the pool: memory that a library took from the driver itself, the code of
kernels loaded meanwhile included. It is noted for every contender and is in no contender's figure: whoever loads a
kernel first pays for its code, so it tells the order in which they were built more than what they need.

Torch gives cuBLAS a workspace for each stream out of its pool (32 MiB on an H200), keeps it, and lets go of all of them
where it records graphs for torch.compile. One that an earlier contender left would make the figure of the next too
small, whether it is let go of meanwhile or serves again. So all are let go of before anything is measured, and a
figure includes those that its own contender has torch make.

Every choice is made already (an instance ran before and was dropped; torch.compile runs the same cuDNN problems as
torch did before it), so the memory of searches is in no figure, of either library.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

__all__ = ["Peak", "peak_of", "weights_made"]

T = TypeVar("T")


@dataclass(frozen=True)
class Peak:
    """Bytes out of torch's pool, which count, and beside it, which are noted."""

    inside: int
    outside: int


def weights_made() -> None:
    """A contender's weights are on the GPU: from here on its peak counts."""
    torch.cuda.synchronize()
    gc.collect()
    torch.cuda.reset_peak_memory_stats()


def peak_of(build: Callable[[], T], use: Callable[[T], Any]) -> tuple[T, Peak]:
    """What `build` made, and the peak of building and using it; `build` calls :func:`weights_made`."""
    gc.collect()
    torch.cuda.synchronize()
    _let_go_of_workspaces()
    torch.cuda.empty_cache()
    before, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    free = torch.cuda.mem_get_info()[0]
    made = build()
    for _ in range(3):
        use(made)
    torch.cuda.synchronize()
    handed_out = torch.cuda.max_memory_allocated() - before
    gc.collect()
    torch.cuda.empty_cache()
    kept = torch.cuda.memory_reserved() - reserved
    lost = free - torch.cuda.mem_get_info()[0]
    return made, Peak(max(handed_out, kept), max(lost - kept, 0))


def _let_go_of_workspaces() -> None:
    """Torch's for cuBLAS. A graph that used one recorded it out of its own pool, which lives as long as the graph."""
    if hasattr(torch._C, "_cuda_clearCublasWorkspaces"):  # private: what torch.compile itself calls
        torch._C._cuda_clearCublasWorkspaces()
