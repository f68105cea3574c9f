"""The first call of a known problem in a new process; prints JSON. ``layers.py`` runs it.

python benchmarks/side_by_side/first_call.py PROBLEM CACHE_FOLDER BUDGET_MS
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from typing import Any

__all__ = ["PROBLEMS", "call", "operands"]

PROBLEMS: dict[str, dict[str, Any]] = {
    "fp16 NHWC conv+bias+relu": {"dtype": "float16", "last": True, "precision": "fast", "activation": "relu"},
    "fp16 NHWC conv": {"dtype": "float16", "last": True, "precision": "fast", "activation": None},
    "strict NCHW conv": {"dtype": "float32", "last": False, "precision": "strict", "activation": None},
}


def operands(name: str) -> list[Any]:
    """x, w and, with an activation, bias."""
    import torch

    one = PROBLEMS[name]
    dtype = getattr(torch, one["dtype"])
    layout = torch.channels_last if one["last"] else torch.contiguous_format
    arrays = [
        torch.randn(shape, device="cuda", dtype=dtype).contiguous(memory_format=layout)
        for shape in ((16, 128, 28, 28), (128, 128, 3, 3))
    ]
    return [*arrays, torch.randn(128, device="cuda", dtype=dtype)] if one["activation"] else arrays


def call(name: str, arrays: list[Any]) -> Any:
    """The call of that problem."""
    import cudnnkit as ck

    one = PROBLEMS[name]
    return ck.conv2d(*arrays, padding=1, activation=one["activation"], precision=one["precision"])


def main(name: str, cache: str, budget_ms: str) -> None:
    """Time the parts of a new process's first call."""
    os.environ["CUDNNKIT_CACHE_DIR"] = cache
    times = [time.perf_counter()]
    import cudnnkit as ck
    import torch

    times.append(time.perf_counter())
    arrays = operands(name)
    torch.cuda.synchronize()
    times.append(time.perf_counter())
    from cudnnkit.context import context
    from cudnnkit.tuner import tuner

    context(0)
    torch.cuda.synchronize()
    times.append(time.perf_counter())
    with ck.use_policy(budget_ms=float(budget_ms)):
        call(name, arrays)
        torch.cuda.synchronize()
        times.append(time.perf_counter())
        call(name, arrays)
        torch.cuda.synchronize()
        times.append(time.perf_counter())
    imports, inputs, handle, first, second = ((b - a) * 1000 for a, b in itertools.pairwise(times))
    counters = tuner().counters
    told = {
        "ms": round(first, 3), "second_call_ms": round(second, 3), "import_ms": round(imports, 1),
        "inputs_ms": round(inputs, 1), "handle_ms": round(handle, 1), "searches": counters.searches,
        "disk_hits": counters.disk_hits,
    }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
