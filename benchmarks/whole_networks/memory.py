"""Peak memory of one contender.

What is counted, from the moment before its weights are made to the end of its warm-up:

- the most bytes that torch's pool had handed out at a time, beyond what was handed out before (the input and the other
  contenders): weights, activations, workspaces, private pools of CUDA graphs;
- what the device lost beside the pool: memory that a library took from the driver itself.

Every choice is made already (a first instance ran before and was dropped), so the memory of searches is in no figure,
of either library; nor are the CUDA context and the code of kernels that had been loaded before.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, TypeVar

import torch

__all__ = ["peak_of"]

T = TypeVar("T")


def peak_of(build: Callable[[], T], use: Callable[[T], Any]) -> tuple[T, int]:
    """What `build` made, and the peak of building and using it."""
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    free = torch.cuda.mem_get_info()[0]
    made = build()
    for _ in range(3):
        use(made)
    torch.cuda.synchronize()
    inside = torch.cuda.max_memory_allocated() - before
    lost = free - torch.cuda.mem_get_info()[0]
    outside = max(lost - (torch.cuda.memory_reserved() - reserved), 0)
    return made, inside + outside
