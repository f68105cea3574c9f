"""A training step of ResNet-50: cudnnkit captured, torch eager, torch compiled. Forward, both gradients, SGD."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import cudnnkit as ck
import torch
import torch.nn.functional as functional

from whole_networks import adapter
from whole_networks.contenders import DTYPES, Run, kit_policy, lay_out, set_torch
from whole_networks.inference import Inputs, Settings
from whole_networks.losses import STEPS, judged
from whole_networks.memory import peak_of, weights_made
from whole_networks.rows import NetworkRow
from whole_networks.timing import told, turns

__all__ = ["training_row"]

RATE, MOMENTUM = 0.01, 0.9


def _labels(inputs: Inputs) -> Any:
    make = torch.Generator(device="cuda").manual_seed(17)
    return torch.randint(0, 1000, (inputs.batch,), device="cuda", generator=make)


def _first_losses(step: Callable[[], Any]) -> list[float]:
    """Of so many steps; what they search, compile and record is behind them."""
    return [float(step().detach()) for _ in range(STEPS)]


def _torch_step(inputs: Inputs, x: Any, labels: Any, *, mode: str | None) -> Run:
    """One step of torch in the images' type and layout; with a mode forward and backward are compiled, SGD as well."""
    layout = torch.channels_last if x.is_contiguous(memory_format=torch.channels_last) else torch.contiguous_format
    module = adapter.torch_module(inputs.name, inputs.state)
    module = module.to(device="cuda", dtype=x.dtype, memory_format=layout).train()
    weights_made()
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE, momentum=MOMENTUM, foreach=True)

    def forward(images: Any, targets: Any) -> Any:
        scores = module(images)
        return functional.cross_entropy(scores if scores.dtype == torch.float64 else scores.float(), targets)

    def descend() -> None:
        optimizer.step()

    if mode is not None:
        forward, descend = torch.compile(forward, mode=mode), torch.compile(descend)

    def step() -> Any:
        if mode is not None:
            torch.compiler.cudagraph_mark_step_begin()
        loss = forward(x, labels)
        loss.backward()
        descend()
        optimizer.zero_grad(set_to_none=True)
        return loss

    begun = time.perf_counter()
    losses = _first_losses(step)
    seconds = {} if mode is None else {"compile": time.perf_counter() - begun}
    return Run(step, "last", seconds, keep=(module, losses))


def _kit_step(inputs: Inputs, x: Any, labels: Any, precision: str, policy: ck.Policy, *, captured: bool) -> Run:
    step = adapter.kit_step(inputs.state, precision, RATE, MOMENTUM)
    weights_made()
    call: Any = ck.capture(step, copy=False, static_inputs=True) if captured else step

    def run() -> Any:
        with ck.use_policy(policy):
            return call(x, labels)

    return Run(run, "last", keep=(call, _first_losses(run)))


def _expected(inputs: Inputs, labels: Any) -> list[float]:
    """The first losses in float64, by torch."""
    strict = torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False)
    with strict:
        losses: list[float] = _torch_step(inputs, inputs.x.double(), labels, mode=None).keep[1]
    return losses


class _Row:
    """One row on its way."""

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}
        self.peaks: dict[str, int] = {}
        self.outside: dict[str, int] = {}
        self.failure: dict[str, str] = {}
        self.seconds: dict[str, float] = {}

    def attempt(self, name: str, work: Callable[[], None]) -> None:
        """Do it; its failure is noted, and the others shall still be measured."""
        try:
            work()
        except Exception as error:
            self.failure[name] = told(error)
        gc.collect()
        torch.cuda.empty_cache()

    def measure(self, name: str, build: Callable[[], Run], *, searches: bool) -> None:
        """Build a contender, twice if it searches: searches are in no peak."""
        if searches:
            begun = time.perf_counter()
            build()
            torch.cuda.synchronize()
            if name.startswith("cudnnkit"):
                self.seconds.setdefault("tuning", time.perf_counter() - begun)
        self.runs[name], peak = peak_of(build, lambda one: one.call())
        self.peaks[name], self.outside[name] = peak.inside, peak.outside
        self.seconds.update(self.runs[name].seconds)


def training_row(inputs: Inputs, precision: str, settings: Settings) -> NetworkRow:
    """Measure the step in one precision; each contender's first losses are held against float64's."""
    set_torch(precision, settings.torch_limit)
    torch._dynamo.reset()
    policy = kit_policy(precision, budget_ms=settings.budget_ms)
    x, labels = lay_out(inputs.x.to(DTYPES[precision]), "last"), _labels(inputs)
    row, expected = _Row(), list[float]()
    row.attempt("float64", lambda: expected.extend(_expected(inputs, labels)))
    given = inputs, x, labels
    builds: dict[str, Callable[[], Run]] = {
        "torch_eager": lambda: _torch_step(*given, mode=None),
        "torch_compile": lambda: _torch_step(*given, mode="reduce-overhead"),
        "cudnnkit_eager": lambda: _kit_step(*given, precision, policy, captured=False),
        "cudnnkit": lambda: _kit_step(*given, precision, policy, captured=True),
    }
    for name, build in builds.items():
        if name in settings.modes:
            # torch.compile asks cuDNN for what torch asked it for.
            row.attempt(name, partial(row.measure, name, build, searches=name != "torch_compile"))
    losses = {name: run.keep[1] for name, run in row.runs.items()}
    errors, wrong = judged(losses, expected, precision)
    timed, failed = turns({name: run.call for name, run in row.runs.items()})
    # JSON has no NaN.
    numbers = {name: [one if math.isfinite(one) else None for one in found] for name, found in losses.items()}
    notes: dict[str, Any] = {"losses": numbers, "expected_losses": expected, "outside_bytes": row.outside}
    if "cudnnkit" in row.runs:
        notes["recording"] = [str(one) for one in row.runs["cudnnkit"].keep[0].report()]
    return NetworkRow(
        inputs.name, precision, "training", inputs.batch, inputs.image,
        ms={name: round(one.median, 5) for name, one in timed.items()},
        spread={name: one.spread for name, one in timed.items()}, peak_memory_bytes=row.peaks, error=errors,
        layout=dict.fromkeys(row.runs, "last"), notes=notes, failure={**row.failure, **wrong, **failed},
        seconds={name: round(value, 4) for name, value in row.seconds.items()},
    )  # fmt: skip
