"""The first call of a known problem in a new process; prints JSON. ``layers.py`` runs it.

python benchmarks/side_by_side/first_call.py PROBLEM CACHE_FOLDER BUDGET_MS [warm]

With ``warm`` it calls ``cudnnkit.warm_up()`` before, and tells what that took.
"""

from __future__ import annotations

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


def main(name: str, cache: str, budget_ms: str, mode: str = "") -> None:
    """Time the parts of a new process's first call."""
    os.environ["CUDNNKIT_CACHE_DIR"] = cache
    told: dict[str, Any] = {}
    begun = time.perf_counter()

    def passed() -> float:
        """Milliseconds since it was called last."""
        nonlocal begun
        before, begun = begun, time.perf_counter()
        return (begun - before) * 1000

    import torch

    told["import_torch_ms"] = round(passed(), 1)
    import cudnnkit as ck

    told["import_cudnnkit_ms"] = round(passed(), 1)
    told["import_ms"] = round(told["import_torch_ms"] + told["import_cudnnkit_ms"], 1)
    arrays = operands(name)
    torch.cuda.synchronize()
    told["inputs_ms"] = round(passed(), 1)
    from cudnnkit.context import context
    from cudnnkit.tuner import tuner

    context(0)
    torch.cuda.synchronize()
    told["handle_ms"] = round(passed(), 1)
    if mode == "warm":
        report = ck.warm_up()
        torch.cuda.synchronize()
        told["warm_up_ms"] = round(passed(), 1)
        told["warm_up_steps_ms"] = {one.name: round(one.seconds * 1000, 1) for one in report.steps}
        told["warm_up_failures"] = {one.name: one.failure for one in report.steps if one.failure}
    modules = len(sys.modules)
    with ck.use_policy(budget_ms=float(budget_ms)):
        passed()
        call(name, arrays)
        torch.cuda.synchronize()
        told["ms"] = round(passed(), 3)
        told["modules_imported"] = len(sys.modules) - modules
        passed()
        call(name, arrays)
        torch.cuda.synchronize()
        told["second_call_ms"] = round(passed(), 3)
    counters = tuner().counters
    told |= {"searches": counters.searches, "disk_hits": counters.disk_hits}
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
