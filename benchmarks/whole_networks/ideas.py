"""What each idea gains on its own: the measured search, NHWC, fusion, capture; as steps, and each left out of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cudnnkit as ck
import torch

from whole_networks.contenders import DTYPES, Run, kit, kit_policy
from whole_networks.inference import Inputs, Settings
from whole_networks.timing import told, turns
from whole_networks.unfused import unfused

__all__ = ["STEPS", "ideas_of"]


@dataclass(frozen=True)
class Ideas:
    """Which ideas are in force."""

    search: bool = True
    last: bool = True
    fusion: bool = True
    capture: bool = True


_NONE = Ideas(search=False, last=False, fusion=False, capture=False)
STEPS: dict[str, Ideas] = {
    "none: the heuristic's first answers, NCHW, unfused, eager": _NONE,
    "+ cached search": replace(_NONE, search=True),
    "+ NHWC": replace(_NONE, search=True, last=True),
    "+ fusion": replace(_NONE, search=True, last=True, fusion=True),
    "+ capture: all": Ideas(),
    "all but the search": Ideas(search=False),
    "all but NHWC": Ideas(last=False),
    "all but fusion": Ideas(fusion=False),
}


def _run(inputs: Inputs, x: Any, precision: str, ideas: Ideas, budget_ms: float) -> Run:
    policy = kit_policy(precision, "measure" if ideas.search else "heuristic", budget_ms)
    layout = "last" if ideas.last else "first"
    with unfused(not ideas.fusion):
        run = kit(inputs.name, inputs.state, x, precision, policy, layout, captured=ideas.capture)
        run.call()  # all choices are made before anything is timed
    return run


def ideas_of(inputs: Inputs, precision: str, settings: Settings) -> dict[str, Any]:
    """Milliseconds by step.

    The heuristic's steps run on an empty cache of their own: what is measured already would answer them.
    """
    x = inputs.x.to(DTYPES[precision])
    found: dict[str, Any] = {"ms": {}, "failure": {}}
    for searched in (False, True):
        ck.set_cache(settings.cache / ("tuning.sqlite" if searched else "heuristic.sqlite"))
        calls = {}
        for name, ideas in STEPS.items():
            if ideas.search != searched:
                continue
            try:
                run = _run(inputs, x, precision, ideas, settings.budget_ms)
            except Exception as error:
                found["failure"][name] = told(error)
                continue
            calls[name] = _with(run.call, not ideas.fusion)
        with torch.no_grad():
            timed, failed = turns(calls)
        found["ms"].update({name: round(one.median, 5) for name, one in timed.items()})
        found["failure"].update(failed)
    found["ms"] = {name: found["ms"][name] for name in STEPS if name in found["ms"]}
    return found


def _with(call: Callable[[], Any], apart: bool) -> Callable[[], Any]:
    def inside() -> Any:
        with unfused(apart):
            return call()

    return inside
