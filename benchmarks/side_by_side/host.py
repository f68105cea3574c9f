"""What a call costs the host at a shape too small for the GPU to matter, and the first call of a new process."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cudnnkit as ck
import torch
import torch.nn.functional as functional

from side_by_side.first_call import PROBLEMS, call, operands

__all__ = ["first_calls", "host_cost"]

_LOOPS = 31
_CALLS = 200
"""Fewer than the device's queue takes, so that no call waits for the device."""


def _microseconds(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Median microseconds a call on the host; contenders take turns."""
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for round_ in range(_LOOPS + 3):
        for name, one in calls.items():
            torch.cuda.synchronize()
            begun = time.perf_counter()
            for _ in range(_CALLS):
                one()
            passed = time.perf_counter() - begun
            if round_ >= 3:
                samples[name].append(passed / _CALLS * 1e6)
    torch.cuda.synchronize()
    return {name: round(statistics.median(values), 2) for name, values in samples.items()}


def host_cost() -> dict[str, Any]:
    """Microseconds a call: torch, a cached call, a bound plan; bare, and with bias and activation."""
    x = torch.randn(1, 8, 8, 8, device="cuda", dtype=torch.float16).contiguous(memory_format=torch.channels_last)
    w = torch.randn(8, 8, 3, 3, device="cuda", dtype=torch.float16).contiguous(memory_format=torch.channels_last)
    b = torch.randn(8, device="cuda", dtype=torch.float16)
    y = torch.empty_like(x)
    torch.backends.cudnn.benchmark = True
    bare = ck.plan(ck.conv2d, x, w, padding=1, out=y)
    fused = ck.plan(ck.conv2d, x, w, b, padding=1, activation="relu", out=y)
    with torch.inference_mode():
        found = _microseconds({
            "torch conv2d": lambda: functional.conv2d(x, w, padding=1),
            "cudnnkit conv2d": lambda: ck.conv2d(x, w, padding=1),
            "cudnnkit conv2d, out given": lambda: ck.conv2d(x, w, padding=1, out=y),
            "cudnnkit bound plan": lambda: bare(x, w, out=y),
            "torch conv2d, bias, relu": lambda: functional.conv2d(x, w, b, padding=1).relu_(),
            "cudnnkit conv2d, bias, relu": lambda: ck.conv2d(x, w, b, padding=1, activation="relu"),
            "cudnnkit bound plan, bias, relu": lambda: fused(x, w, b, out=y),
        })  # fmt: skip
    goals = {
        "a cached call costs no more than torch's": found["cudnnkit conv2d"] <= found["torch conv2d"],
        "a bound plan costs half of torch's": found["cudnnkit bound plan"] <= found["torch conv2d"] / 2,
    }
    return {"microseconds": found, "goals": goals}


def first_calls(cache: Path, policy: ck.Policy) -> dict[str, Any]:
    """The first call of known problems, each in a new process that finds its decision on disk.

    Each problem is called in two processes: plainly, and after ``cudnnkit.warm_up()``. Bytecode is kept, as that of an
    installed package is: a process that does not count writes it.

    Parameters
    ----------
    cache
        Folder of the cache file; this process's own decisions go there too.
    policy
        How this process searches, where it has not yet.
    """
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as bytecode:
        for name in PROBLEMS:
            with ck.use_policy(policy):
                call(name, operands(name))
            torch.cuda.synchronize()
            if not found:
                _new_process(name, cache, policy, bytecode, "warm")
            plain = _new_process(name, cache, policy, bytecode)
            found[name] = {**plain, "warmed": _new_process(name, cache, policy, bytecode, "warm")}
    goals = {
        "under 50 ms, without a search": all(map(_short, found.values())),
        "under 50 ms after warm_up, without a search": all(_short(one["warmed"]) for one in found.values()),
    }
    return {"problems": found, "goals": goals}


def _short(one: dict[str, Any]) -> bool:
    return "failure" not in one and one["ms"] < 50 and not one["searches"]


def _new_process(name: str, cache: Path, policy: ck.Policy, bytecode: str, *mode: str) -> dict[str, Any]:
    """What ``first_call.py`` tells of a problem, or how it failed."""
    script = Path(__file__).with_name("first_call.py")
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, str(script), name, str(cache), repr(policy.budget_ms), *mode],
        capture_output=True, text=True, check=False, timeout=120, env={**kept, "PYTHONPYCACHEPREFIX": bytecode},
    )  # fmt: skip
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        return {"failure": done.stderr[-1000:]}
    told: dict[str, Any] = json.loads(lines[-1])
    return told
