"""The first result of a network in a new process whose decisions are on disk; prints JSON.

python benchmarks/whole_networks/first_result.py NETWORK PRECISION LAYOUT CACHE_FOLDER BUDGET_MS
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["in_a_new_process", "understood"]

_TIMEOUT = 180


def in_a_new_process(name: str, precision: str, layout: str, cache: Path, budget_ms: float) -> dict[str, Any]:
    """Seconds from the first call to its result, and what came before it; or ``failure``."""
    arguments = [sys.executable, __file__, name, precision, layout, str(cache), repr(budget_ms)]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"failure": f"took more than {_TIMEOUT} s"}
    return understood(done.returncode, done.stdout, done.stderr)


def understood(status: int, printed: str, complaints: str) -> dict[str, Any]:
    """What such a process found, by its exit status and what it wrote; a search is a failure: nothing was known."""
    try:
        found: dict[str, Any] = json.loads((printed.splitlines() or [""])[-1])
    except ValueError:
        found = {}
    if status or not found:
        return {"failure": complaints.strip()[-600:] or f"ended with status {status} and said nothing"}
    if found["searches"]:
        found["failure"] = f"{found['searches']} searches: not all decisions were on disk"
    return found


def main(name: str, precision: str, layout: str, cache: str, budget_ms: str) -> None:
    """Time the parts of a new process's first result."""
    os.environ["CUDNNKIT_CACHE_DIR"] = cache
    begun = time.perf_counter()
    sys.path[0] = str(Path(__file__).parents[1])
    import cudnnkit as ck
    import torch

    from whole_networks import adapter
    from whole_networks.contenders import DTYPES, kit_policy, lay_out

    imported = time.perf_counter()
    with torch.no_grad():
        network = adapter.kit_network(name, 0, precision, layout)
        batch, image = adapter.sizes(name)
        x = lay_out(torch.randn(batch, 3, image, image, device="cuda", dtype=DTYPES[precision]), layout)
        torch.cuda.synchronize()
        ready = time.perf_counter()
        with ck.use_policy(kit_policy(precision, budget_ms=float(budget_ms))):
            network(x)
            torch.cuda.synchronize()
            first = time.perf_counter()
            network(x)
            torch.cuda.synchronize()
    second = time.perf_counter()
    counters = ck.counters()
    found = {
        "seconds": round(first - ready, 4), "second_call": round(second - first, 4),
        "import": round(imported - begun, 3), "weights_and_context": round(ready - imported, 3),
        "searches": counters.searches, "disk_hits": counters.disk_hits,
    }  # fmt: skip
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
