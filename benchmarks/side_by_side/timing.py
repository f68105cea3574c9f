"""Medians of device time with CUDA events, several contenders in turns.

A kernel keeps the device busy while the host queues a sample's calls, so a sample is device time alone, however long a
launch takes the host. Contenders take turns, so that what disturbs one disturbs all.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

__all__ = ["glance", "medians"]

_ROUNDS = 9
_SAMPLE_SECONDS = 1.5e-3
_MOST_CALLS = 96
_CYCLES_PER_SECOND = 2.0e9
_MOST_LEAD_SECONDS = 0.05
_HOPELESS = 1.3


class _Contender:
    def __init__(self, call: Callable[[int], Any], sets: int) -> None:
        self.call, self.sets = call, sets
        self.results: list[Any] = [None] * sets  # kept, so that results rotate through memory as well
        self.samples: list[float] = []
        self.calls = sets
        self.host_seconds = 1e-3
        self.place = 0

    def warm_up(self) -> None:
        for _ in range(max(3, self.sets)):
            self._next()
        torch.cuda.synchronize()
        self.calls = 4
        seconds = min(self.sample() for _ in range(2))
        self.calls = max(2, min(_MOST_CALLS, round(_SAMPLE_SECONDS / max(seconds, 1e-6))))
        self.sample()  # with the lead that this many calls need

    def _next(self) -> None:
        self.results[self.place] = None
        self.results[self.place] = self.call(self.place)
        self.place = (self.place + 1) % self.sets

    def sample(self) -> float:
        """Seconds of device time a call."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        lead = min(1.3 * self.host_seconds * self.calls + 20e-6, _MOST_LEAD_SECONDS)
        torch.cuda._sleep(int(lead * _CYCLES_PER_SECOND))
        begin.record()
        started = time.perf_counter()
        for _ in range(self.calls):
            self._next()
        self.host_seconds = (time.perf_counter() - started) / self.calls
        end.record()
        end.synchronize()
        milliseconds: float = begin.elapsed_time(end)
        return milliseconds / 1000 / self.calls


def glance(call: Callable[[int], Any], sets: int) -> float:
    """Milliseconds a call, from a few samples."""
    one = _Contender(call, sets)
    one.warm_up()
    return min(one.sample() for _ in range(2)) * 1000


def medians(
    contenders: Mapping[str, tuple[Callable[[int], Any], int]], *, alternatives: Sequence[str] = ()
) -> dict[str, float]:
    """Milliseconds a call, by contender.

    Parameters
    ----------
    contenders
        A call that takes the number of a set of operands, and how many sets there are.
    alternatives
        Contenders of which only the fastest counts: one that is 1.3 times slower than another of them after the first
        round is not measured any further.
    """
    ready = {name: _Contender(call, sets) for name, (call, sets) in contenders.items()}
    for one in ready.values():
        one.warm_up()
    going = dict(ready)
    for turn in range(_ROUNDS):
        for one in going.values():
            one.samples.append(one.sample())
        if turn == 0:
            best = min((ready[name].samples[0] for name in alternatives), default=0.0)
            going = {
                name: one for name, one in ready.items()
                if name not in alternatives or one.samples[0] <= _HOPELESS * best
            }  # fmt: skip
    return {name: statistics.median(one.samples) * 1000 for name, one in ready.items()}
