"""Whole functions on the GPU: their problems, the shipped ones against what the examples ask for, refining."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.network import problems_of, shipped, tune_problems
from cudnnkit.policy import get_policy
from cudnnkit.tuner import Tuner, use_tuner

from examples import networks


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=100):
        yield found


def small_network() -> tuple[Any, Any]:
    """Three convolutions with everything behind them, and its images."""
    import torch

    def random(*shape: int) -> Any:
        made = torch.randn(shape, device="cuda", dtype=torch.float16) * 0.1
        return made.contiguous(memory_format=torch.channels_last) if len(shape) == 4 else made

    first, second, bias = random(64, 64, 3, 3), random(64, 64, 1, 1), random(64)

    def network(x: Any) -> Any:
        y = ck.conv2d(x, first, bias, padding=1, activation="relu")
        y = ck.conv2d(y, second, bias, activation="relu")
        return ck.conv2d(y, first, bias, padding=1, residual=x, activation="relu")

    return network, random(16, 64, 28, 28)


@pytest.mark.parametrize(
    ("name", "dtype", "precision"), [("resnet50", "float16", "fast"), ("resnext50", "float32", "strict")]
)
def test_shipped_problems_are_those_that_torchs_arrays_ask_for(
    name: str, dtype: str, precision: Any, tuner: Tuner
) -> None:
    import torch
    from cudnnkit.arrays.registry import library_named

    spec = networks.NETWORKS[name]
    network = networks.build(name, 0, dtype=dtype)
    x = torch.empty(spec.batch, 3, spec.size, spec.size, device="cuda", dtype=getattr(torch, dtype))
    x = x.contiguous(memory_format=torch.channels_last)
    with ck.use_policy(precision=precision):
        asked = problems_of(network, x, run=False)
        known = shipped.asked_of(name, tuner, library_named("torch"), 0, get_policy(), dtype)
    wanted, given = ({one.problem: one.count for one in both} for both in (asked, known))
    missing = [one.label for one in wanted if one not in given]
    assert not missing, f"{len(missing)} of {len(wanted)} problems are not shipped, such as {missing[0]}"
    assert wanted == given
    assert ck.counters().searches == 0


def test_tuning_tells_savings_and_the_network_takes_the_decisions() -> None:
    network, x = small_network()
    tuned = tune_problems(problems_of(network, x), seconds=5)
    print(*((one.status, one.count, one.saved, str(one.choice and one.choice.best.id)) for one in tuned), sep="\n")
    assert [one.status for one in tuned] == ["searched"] * 3
    assert all(one.saved is not None and one.saved >= 0 for one in tuned)
    before = ck.counters().searches
    network(x)
    assert ck.counters().searches == before


def test_choosing_in_the_network_keeps_what_was_faster_there_and_its_results() -> None:
    import torch

    network, x = small_network()
    expected = network(x).clone()
    captured = ck.capture(network)
    captured(x)
    report = ck.tune_network(captured, x, seconds=8, within=0.5)
    print(report)
    assert report.problems == 3
    assert report.tried
    for change in report.changes:
        assert change.seconds[1] < change.seconds[0]
    for _ in range(2):  # what was kept changes the recording, which the first of these calls makes anew
        torch.testing.assert_close(captured(x), expected, rtol=2e-2, atol=2e-2)
    assert captured.report()[-1].replays > 0
