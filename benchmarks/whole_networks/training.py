"""A training step of ResNet-50: cudnnkit captured, torch eager, torch compiled. Forward, both gradients, SGD."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import torch
import torch.nn.functional as functional

from whole_networks import adapter
from whole_networks.contenders import DTYPES, Run, kit_policy, lay_out, set_torch
from whole_networks.inference import Inputs, Settings
from whole_networks.memory import peak_of, weights_made
from whole_networks.rows import NetworkRow
from whole_networks.timing import told, turns

__all__ = ["training_row"]

RATE, MOMENTUM = 0.01, 0.9
_LOSS_BOUND = {"fp16": 2e-2, "tf32": 5e-3}
"""Largest relative difference of the first loss from torch's in strict float32."""


def _labels(inputs: Inputs) -> Any:
    make = torch.Generator(device="cuda").manual_seed(17)
    return torch.randint(0, 1000, (inputs.batch,), device="cuda", generator=make)


def _torch_step(inputs: Inputs, x: Any, labels: Any, precision: str, *, mode: str | None) -> Run:
    """One step of torch; with a mode forward, loss and backward are compiled, and the optimizer's step as well."""
    module = adapter.torch_module(inputs.name, inputs.state)
    module = module.to(device="cuda", dtype=DTYPES[precision], memory_format=torch.channels_last).train()
    weights_made()
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE, momentum=MOMENTUM, foreach=True)

    def forward(images: Any, targets: Any) -> Any:
        return functional.cross_entropy(module(images).float(), targets)

    seconds: dict[str, float] = {}
    update: Callable[[], Any] = optimizer.step
    if mode is not None:
        forward = torch.compile(forward, mode=mode)
        update = torch.compile(optimizer.step)

    def step() -> Any:
        if mode is not None:
            torch.compiler.cudagraph_mark_step_begin()
        loss = forward(x, labels)
        loss.backward()
        update()
        optimizer.zero_grad(set_to_none=True)
        return loss

    begun = time.perf_counter()
    run = Run(step, "last", seconds, keep=module)
    first = float(step())
    run.keep = (module, first)
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    if mode is not None:
        seconds["compile"] = time.perf_counter() - begun
    return run


def _kit_step(inputs: Inputs, x: Any, labels: Any, precision: str, policy: ck.Policy, *, captured: bool) -> Run:
    step = adapter.kit_step(inputs.state, precision)
    weights_made()
    call: Any = ck.capture(step, copy=False) if captured else step
    given: tuple[Any, ...] = (x, labels)
    with ck.use_policy(policy):
        first = float(call(*given))
        if captured:
            given = call.inputs()  # read where they are: like torch's static inputs

    def run() -> Any:
        with ck.use_policy(policy):
            return call(*given)

    return Run(run, "last", keep=(step, first))


def training_row(inputs: Inputs, precision: str, settings: Settings) -> NetworkRow:
    """Measure the step in one precision; the first loss of each is held against torch's in strict float32."""
    set_torch(precision, settings.torch_limit)
    torch._dynamo.reset()
    policy = kit_policy(precision, budget_ms=settings.budget_ms)
    x, labels = lay_out(inputs.x.to(DTYPES[precision]), "last"), _labels(inputs)
    expected = _first_loss(inputs, labels)
    builds: dict[str, Callable[[], Run]] = {
        "torch_eager": lambda: _torch_step(inputs, x, labels, precision, mode=None),
        "torch_compile": lambda: _torch_step(inputs, x, labels, precision, mode="reduce-overhead"),
        "cudnnkit_eager": lambda: _kit_step(inputs, x, labels, precision, policy, captured=False),
        "cudnnkit": lambda: _kit_step(inputs, x, labels, precision, policy, captured=True),
    }
    runs: dict[str, Run] = {}
    peaks: dict[str, int] = {}
    errors: dict[str, float] = {}
    failure: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for name, build in builds.items():
        if name not in settings.modes:
            continue
        try:
            begun = time.perf_counter()
            # Searches, outside the peak; torch.compile's problems are torch's.
            warm = build() if name == "torch_eager" or name.startswith("cudnnkit") else None
            if name.startswith("cudnnkit") and "tuning" not in seconds:
                torch.cuda.synchronize()
                seconds["tuning"] = time.perf_counter() - begun
            del warm
            runs[name], peak = peak_of(build, lambda one: one.call())
            peaks[name] = peak.inside + (peak.outside if name.startswith("cudnnkit") else 0)
            seconds.update(runs[name].seconds)
            errors[name] = abs(runs[name].keep[1] - expected) / abs(expected)
            if not errors[name] <= _LOSS_BOUND[precision]:
                failure[name] = f"first loss {runs[name].keep[1]:.5g}, {expected:.5g} in strict float32"
        except Exception as error:
            failure[name] = told(error)
    timed, failed = turns({name: run.call for name, run in runs.items()})
    return NetworkRow(
        inputs.name, precision, "training", inputs.batch, inputs.image,
        ms={name: round(one.median, 5) for name, one in timed.items()},
        spread={name: one.spread for name, one in timed.items()}, peak_memory_bytes=peaks, error=errors,
        layout=dict.fromkeys(runs, "last"), seconds={name: round(value, 4) for name, value in seconds.items()},
        notes={"first_loss": {name: run.keep[1] for name, run in runs.items()}, "expected_loss": expected},
        failure={**failure, **failed},
    )  # fmt: skip


def _first_loss(inputs: Inputs, labels: Any) -> float:
    module = adapter.torch_module(inputs.name, inputs.state).to("cuda").train()
    strict = torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False)
    with strict, torch.no_grad():
        return float(functional.cross_entropy(module(inputs.x), labels))
