"""Medians of whole networks with CUDA events, contenders in turns.

A sample is several calls between two events, queued one after another as a program would: what the host cannot keep up
with counts, as it does for whoever runs the network. Samples of the contenders take turns, in another order each round.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

__all__ = ["Timed", "turns"]

ROUNDS = 15
_SAMPLE_MS = 30.0
_MOST_CALLS = 10


class Timed:
    """Samples of one contender, in milliseconds a call."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call
        self.calls = 1
        self.samples: list[float] = []

    def sample(self) -> float:
        """One sample."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        for _ in range(self.calls):
            self.call()
        end.record()
        end.synchronize()
        milliseconds: float = begin.elapsed_time(end)
        return milliseconds / self.calls

    def warm_up(self) -> None:
        """A few calls; then as many a sample as make it long enough."""
        for _ in range(3):
            self.call()
        once = min(self.sample() for _ in range(2))
        self.calls = max(2, min(_MOST_CALLS, round(_SAMPLE_MS / max(once, 1e-3))))

    @property
    def median(self) -> float:
        """Milliseconds."""
        return statistics.median(self.samples)

    @property
    def spread(self) -> dict[str, float]:
        """Least and largest sample, and how many runs there were."""
        return {
            "least": round(min(self.samples), 4), "most": round(max(self.samples), 4),
            "runs": len(self.samples) * self.calls,
        }  # fmt: skip


def turns(calls: Mapping[str, Callable[[], Any]], rounds: int = ROUNDS) -> tuple[dict[str, Timed], dict[str, str]]:
    """Times of each contender, and why some have none: one that fails drops out of the round."""
    ready = {name: Timed(call) for name, call in calls.items()}
    failed: dict[str, str] = {}

    def each(step: Callable[[Timed], Any], order: Sequence[str] = ()) -> None:
        for name in order or list(ready):
            one = ready.get(name)
            if one is None:
                continue
            try:
                step(one)
            except Exception as error:  # the others shall still be timed
                failed[name] = told(error)
                del ready[name]

    each(Timed.warm_up)
    order = list(ready)
    for number in range(rounds):
        # What ran before heats the device: each comes after another one from round to round.
        random.Random(number).shuffle(order)
        each(lambda one: one.samples.append(one.sample()), order)
    return ready, failed


def told(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
