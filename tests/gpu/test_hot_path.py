"""Recorded launches of both APIs, plans whose arrays change in place, remembered workspaces, a warm-up: on the GPU."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.tuner import Tuner, use_tuner

ROUNDS = 14
"""Beyond the eighth launch at the same addresses a launch is recorded."""


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=300):
        yield found


def operands(dtype: str = "float32", channels: int = 16) -> tuple[Any, Any]:
    import torch

    kind = getattr(torch, dtype)
    return (
        torch.randn(2, channels, 12, 12, device="cuda", dtype=kind),
        torch.randn(channels, channels, 3, 3, device="cuda", dtype=kind),
    )


def reference(x: Any, w: Any) -> Any:
    import torch

    return torch.nn.functional.conv2d(x.double(), w.double(), padding=1)


def distance(found: Any, expected: Any) -> float:
    return float((found.double() - expected).norm() / expected.norm())


@pytest.mark.parametrize("side", [False, True], ids=["default stream", "another stream"])
def test_every_legacy_algorithm_is_right_when_it_is_launched_again(side: bool) -> None:
    import torch
    from cudnnkit.context import context
    from cudnnkit.engines.legacy import legacy_candidates

    x, w = operands()
    problem = ck.plan(ck.conv2d, x, w, padding=1, precision="strict", search="heuristic").problem
    here, y = context(0), torch.empty_like(x)
    recorder = here.recorder()
    assert recorder is not None, "the driver lacks a function that recording needs"
    wrong, seen = [], []
    with torch.cuda.stream(torch.cuda.Stream() if side else torch.cuda.default_stream()):
        here.use_stream(torch.cuda.current_stream().cuda_stream)
        for candidate in legacy_candidates(problem, here):
            executable, label = candidate.prepare(), str(candidate.description.id)
            space = torch.empty(max(executable.workspace, 1), dtype=torch.uint8, device="cuda")
            executable.record(recorder)
            try:
                for turn in range(ROUNDS):
                    x.normal_()  # a recorded launch reads what is there now
                    y.fill_(float("nan"))
                    executable.launch((x.data_ptr(), w.data_ptr(), y.data_ptr()), space.data_ptr(), 1.0, 0.0)
                    off = distance(y, reference(x, w))
                    if not off < 2e-3:
                        wrong.append((label, turn, off))
            except Exception as error:
                seen.append(f"{label}: {type(error).__name__}")
                continue
            seen.append(f"{label}: {'recorded' if executable._recorded else 'plain'}")
            executable.close()
    print("\n".join(seen))
    assert wrong == [], seen
    assert any("recorded" in one for one in seen), seen


def test_launches_with_factors_of_their_own_are_right_again_and_again() -> None:
    x, w = operands()
    out = ck.conv2d(x, w, padding=1)
    for turn in range(ROUNDS):
        x.normal_()
        before = out.double()
        ck.conv2d(x, w, padding=1, alpha=0.5, beta=0.25, out=out)
        off = distance(out, 0.5 * reference(x, w) + 0.25 * before)
        assert off < 2e-3, (turn, off)


def test_a_plan_notices_tensors_that_change_in_place() -> None:
    import torch

    x, w = operands("float16")
    out = torch.empty_like(x)
    plan = ck.plan(ck.conv2d, x, w, padding=1, out=out)
    for turn in range(ROUNDS):
        x.set_(torch.randn_like(x))  # the same object over other memory
        assert distance(plan(x, w, out=out), reference(x, w)) < 2e-3, turn
    kept = x.clone()
    x.transpose_(2, 3)  # the same object over the same memory, with other strides
    with pytest.raises(ck.ArgumentError) as caught:
        plan(x, w, out=out)
    assert caught.value.argument == "x"
    x.transpose_(2, 3)
    x.data = kept.view(torch.bfloat16)  # the same object with another type
    with pytest.raises(ck.ArgumentError):
        plan(x, w, out=out)
    x.data = kept
    assert distance(plan(x, w, out=out), reference(kept, w)) < 2e-3


def test_a_plan_follows_the_current_stream_and_its_workspace() -> None:
    import torch

    x, w = operands("float16", 64)
    out = torch.empty_like(x)
    plan = ck.plan(ck.conv2d, x, w, padding=1, out=out)
    streams = [torch.cuda.default_stream(), torch.cuda.Stream(), torch.cuda.Stream()]
    for turn in range(3 * ROUNDS):
        torch.cuda.synchronize()
        with torch.cuda.stream(streams[turn % 3]):
            x.normal_()
            out.fill_(float("nan"))
            plan(x, w, out=out)
            off = distance(out, reference(x, w))
        if turn % 10 == 9:
            ck.workspace.trim()
        assert off < 2e-3, (turn, off, plan.choice)


def test_a_remembered_workspace_that_is_too_small_grows(tuner: Tuner) -> None:
    x, w = operands(channels=32)
    keywords: dict[str, Any] = {"padding": 1, "precision": "strict"}
    problem = ck.plan(ck.conv2d, x, w, search="heuristic", **keywords).problem
    one = CandidateId("legacy", algorithm="WINOGRAD_NONFUSED", math_type="FMA")
    ck.pin(one, ck.conv2d, x, w, **keywords)
    tuner.cache.pin(problem, one, 16)  # as a damaged cache would tell it
    plan = ck.plan(ck.conv2d, x, w, **keywords)
    assert plan.choice is not None
    assert plan.choice.best.id == one
    assert distance(plan(x, w), reference(x, w)) < 1e-4
    assert plan.workspace > 16


def test_a_warm_up_leaves_nothing_undone() -> None:
    code = """
import json, time, torch, cudnnkit as ck
torch.zeros(1, device="cuda")
report = ck.warm_up(operations=("conv", "softmax"))
torch.cuda.synchronize()
print(report)
again = ck.warm_up()
print(again)
print(json.dumps([[one.name, one.failure] for one in (*report.steps, *again.steps) if one.failure]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    print(done.stdout)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout
