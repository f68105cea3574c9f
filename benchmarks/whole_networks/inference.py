"""One row of inference: every contender built in isolation, checked against float64, and then timed in turns."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cudnnkit as ck
import torch
from cudnnkit.network import Asked, problems_of

from whole_networks import adapter
from whole_networks.contenders import (
    DTYPES,
    Run,
    kit,
    kit_policy,
    lay_out,
    set_torch,
    torch_compiled,
    torch_eager,
    torch_graph,
)
from whole_networks.first_result import in_a_new_process
from whole_networks.floor import floor_ms
from whole_networks.memory import peak_of
from whole_networks.rows import BOUNDS, NetworkRow
from whole_networks.timing import told, turns

__all__ = ["Inputs", "Settings", "inference_row", "network_layers"]

_CHECKED = 8
"""Images that are computed in float64: a network's images do not see each other."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How rows are measured; see the command's options."""

    modes: Sequence[str]
    budget_ms: float
    torch_limit: int
    refine_seconds: float
    cache: Path
    first: bool


class Inputs:
    """One network's weights and images, the same for every contender and precision."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.batch, self.image = adapter.sizes(name)
        torch.manual_seed(7)
        self.state = adapter.random_state(name)
        make = torch.Generator(device="cuda").manual_seed(11)
        self.x = torch.randn(self.batch, 3, self.image, self.image, device="cuda", generator=make)
        self._reference: Any = None

    def reference(self) -> Any:
        """The first images' output in float64."""
        if self._reference is None:
            module = adapter.torch_module(self.name, self.state)
            module = module.to(device="cuda", dtype=torch.float64)
            with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False):
                self._reference = module(self.x[:_CHECKED].double())
        return self._reference

    def error(self, result: Any) -> float:
        """Relative Frobenius error of an output."""
        reference = self.reference()
        return float((result[:_CHECKED].double().reshape(reference.shape) - reference).norm() / reference.norm())


def network_layers(inputs: Inputs, precision: str, policy: ck.Policy, layout: str) -> list[Asked]:
    """The distinct problems of cudnnkit's network, with how often each stands in it; nothing runs."""
    network = adapter.kit_network(inputs.name, inputs.state, precision, layout)
    with ck.use_policy(policy):
        return problems_of(network, lay_out(inputs.x.to(DTYPES[precision]), layout), run=False)


class _Row:
    """One row on its way."""

    def __init__(self, inputs: Inputs, precision: str, settings: Settings) -> None:
        self.inputs, self.precision, self.settings = inputs, precision, settings
        self.x = inputs.x.to(DTYPES[precision])
        self.half = precision in ("fp16", "bf16")
        self.runs: dict[str, Run] = {}
        self.peaks: dict[str, int] = {}
        self.outside: dict[str, int] = {}
        self.errors: dict[str, float] = {}
        self.failure: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self.notes: dict[str, Any] = {}

    def attempt(self, name: str, build: Callable[[], Run]) -> None:
        """Build a contender, measure its memory, check its output; its failure is noted."""
        try:
            run, peak = peak_of(build, lambda one: one.call())
            error = self.inputs.error(run.call())
        except Exception as failure:  # the others shall still be measured
            self.failure[name] = told(failure)
            gc.collect()
            torch.cuda.empty_cache()
            return
        self.runs[name], self.errors[name] = run, error
        self.outside[name] = peak.outside
        self.peaks[name] = peak.inside
        self.seconds.update(run.seconds)
        if not error <= BOUNDS[self.precision]:
            self.failure[name] = f"relative error {error:.2e}, {BOUNDS[self.precision]:.0e} is the bound"


def _tuned(row: _Row, policy: ck.Policy) -> str:
    """Search from what the cache knows, in every layout that may win; the layout that did."""
    settings, inputs = row.settings, row.inputs
    begun, before = time.perf_counter(), ck.counters()
    runs = {}
    for layout in ("last", "first") if row.precision == "strict" else ("last",):
        runs[layout] = kit(inputs.name, inputs.state, row.x, row.precision, policy, layout, captured=False)
        runs[layout].call()
    torch.cuda.synchronize()
    best = "last"
    if len(runs) > 1:
        timed, _ = turns({layout: one.call for layout, one in runs.items()}, 3)
        best = min(timed, key=lambda layout: timed[layout].median, default=best)
        row.notes["layouts"] = {layout: round(one.median, 4) for layout, one in timed.items()}
    row.notes["searches"] = ck.counters().searches - before.searches
    if settings.refine_seconds:
        network, images = runs[best].keep
        with ck.use_policy(policy):
            report = ck.tune_network(network, images, seconds=settings.refine_seconds)
        row.seconds["refine"] = report.seconds
        row.notes["refined"] = [str(change) for change in report.changes]
    row.seconds["tuning"] = time.perf_counter() - begun
    return best


def _first_results(row: _Row, policy: ck.Policy, layout: str) -> None:
    """From decisions on disk: in this process, whose memory forgets them first, and in a new one."""
    settings, inputs = row.settings, row.inputs
    ck.set_cache(settings.cache / "tuning.sqlite")
    run = kit(inputs.name, inputs.state, row.x, row.precision, policy, layout, captured=False)
    torch.cuda.synchronize()
    begun = time.perf_counter()
    run.call()
    torch.cuda.synchronize()
    row.seconds["first_same_process"] = time.perf_counter() - begun
    found = in_a_new_process(inputs.name, row.precision, layout, settings.cache, policy.budget_ms)
    row.notes["new_process"] = found
    if "failure" in found:
        row.failure["first_new_process"] = (found["failure"].splitlines() or [""])[-1]
    else:
        row.seconds["first_new_process"] = found["seconds"]


def _kit(row: _Row, policy: ck.Policy) -> str:
    """Cudnnkit's contenders; the layout that they run in."""
    settings, inputs = row.settings, row.inputs
    layout = "last"
    try:
        layout = _tuned(row, policy)
    except Exception as failure:
        row.failure["cudnnkit"] = told(failure)
        return layout
    if settings.first:
        try:
            _first_results(row, policy, layout)
        except Exception as failure:  # the contenders shall still be measured
            row.failure["first_same_process"] = told(failure)
    arguments = inputs.name, inputs.state, row.x, row.precision, policy, layout
    if "cudnnkit_eager" in settings.modes:
        row.attempt("cudnnkit_eager", lambda: kit(*arguments, captured=False))
    if "cudnnkit" in settings.modes:
        row.attempt("cudnnkit", lambda: kit(*arguments, captured=True))
        if "cudnnkit" in row.runs:
            row.notes["recording"] = [str(one) for one in row.runs["cudnnkit"].keep[0].report()]
    return layout


def _searched(row: _Row, layout: str) -> None:
    """Let torch search before memory is measured; what fails here fails again there, and is told."""
    with contextlib.suppress(Exception):
        torch_eager(row.inputs.name, row.inputs.state, row.x, row.precision, layout).call()
        torch.cuda.synchronize()


def _torch(row: _Row) -> None:
    """Torch's contenders; the eager one in the faster layout, the compiled one in NHWC."""
    settings, inputs = row.settings, row.inputs
    arguments = inputs.name, inputs.state, row.x, row.precision
    if {"torch_eager", "torch_graph"} & set(settings.modes):
        for layout in ("last",) if row.half else ("last", "first"):
            _searched(row, layout)
            row.attempt(f"torch_eager {layout}", lambda layout=layout: torch_eager(*arguments, layout))  # type: ignore[misc]
        best = "last"
        if not row.half:
            eager = {name: one.call for name, one in row.runs.items() if name.startswith("torch_eager ")}
            timed, _ = turns(eager, 3)
            best = min(timed, key=lambda name: timed[name].median, default="torch_eager last").split()[1]
        for table in (row.runs, row.peaks, row.errors, row.failure, row.outside):
            _keep_layout(table, best)
        if "torch_graph" in settings.modes:
            row.attempt("torch_graph", lambda: torch_graph(*arguments, best))
        if "torch_eager" not in settings.modes:
            row.runs.pop("torch_eager", None)
    if "torch_compile" in settings.modes:
        row.attempt("torch_compile", lambda: torch_compiled(*arguments, "last", "reduce-overhead"))


def _keep_layout(table: dict[str, Any], layout: str) -> None:
    """Of the eager contender's layouts the best one, under the contender's own name."""
    for one in ("last", "first"):
        value = table.pop(f"torch_eager {one}", None)
        if value is not None and one == layout:
            table["torch_eager"] = value


def inference_row(inputs: Inputs, precision: str, settings: Settings, peaks: Mapping[str, float]) -> NetworkRow:
    """Measure one row."""
    set_torch(precision, settings.torch_limit)
    torch._dynamo.reset()  # the graphs of the row before would be freed while this one's memory is measured
    row = _Row(inputs, precision, settings)
    policy = kit_policy(precision, budget_ms=settings.budget_ms)
    layout = "last"
    with torch.no_grad():
        _torch(row)
        if {"cudnnkit", "cudnnkit_eager"} & set(settings.modes):
            layout = _kit(row, policy)
        timed, failed = turns({name: one.call for name, one in row.runs.items()})
        row.failure.update(failed)
        row.notes["outside_bytes"] = row.outside
        floor = None
        try:
            asked = network_layers(inputs, precision, policy, layout)
            floor = floor_ms(((one.problem, one.count) for one in asked), precision, peaks)
        except Exception as failure:
            row.notes["floor"] = told(failure)
    return NetworkRow(
        inputs.name, precision, "inference", inputs.batch, inputs.image,
        ms={name: round(one.median, 5) for name, one in timed.items()},
        spread={name: one.spread for name, one in timed.items()},
        floor_ms=floor, peak_memory_bytes=row.peaks, error=row.errors,
        layout={name: one.layout for name, one in row.runs.items()},
        seconds={name: round(value, 4) for name, value in row.seconds.items()}, notes=row.notes, failure=row.failure,
    )  # fmt: skip
