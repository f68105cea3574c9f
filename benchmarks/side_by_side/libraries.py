"""The two libraries' calls for one row, checked against float64 and then timed in turns."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
import torch

from side_by_side.cases import Block, Case, Operation
from side_by_side.operands import LAYOUTS, Operands, compute
from side_by_side.results import Row, bound
from side_by_side.timing import glance, medians

__all__ = ["kit_call", "measure", "set_torch"]

_OUT_OF_REACH = 2.0


def set_torch(precision: str, limit: int) -> None:
    """Torch at its best: search on, and TF32 as the precision says."""
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = limit
    torch.backends.cudnn.allow_tf32 = precision != "strict"


def kit_call(operation: Operation, case: Case, policy: ck.Policy) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The public function of cudnnkit for a row, and what gives its arguments out of a set of operands."""
    keywords: dict[str, Any] = {
        "padding": case.padding, "stride": case.stride, "dilation": case.dilation, "groups": case.groups,
        "policy": policy,
    }  # fmt: skip
    if operation == "dgrad":
        return ck.conv_data_gradient, lambda one: ((one["dy"], one["w"], case.x_shape), keywords)
    if operation == "wgrad":
        return ck.conv_filter_gradient, lambda one: ((one["x"], one["dy"], case.window), keywords)
    function = {1: ck.conv1d, 2: ck.conv2d, 3: ck.conv3d}[len(case.window)]
    if operation == "conv_bias_relu":
        fused = {**keywords, "activation": "relu"}
        return function, lambda one: ((one["x"], one["w"], one["bias"]), fused)
    return function, lambda one: ((one["x"], one["w"]), keywords)


class _Row:
    """One row on its way."""

    def __init__(self, operands: Operands, operation: Operation, policy: ck.Policy) -> None:
        self.operands, self.operation = operands, operation
        self.case, self.precision = operands.case, operands.precision
        self.function, self.arguments = kit_call(operation, self.case, policy)
        self.errors: dict[str, float] = {}
        self.failure = ""
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Note how long a part of the work takes."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - begun

    def contender(self, library: str, layout: str) -> tuple[Callable[[int], Any], int]:
        """A call by number of set."""
        sets = self.operands.rotating(layout)
        if library == "torch":
            operation, case = self.operation, self.case
            return lambda place: compute(operation, case, sets[place]), len(sets)
        function = self.function
        given = [self.arguments(one) for one in sets]

        def call(place: int) -> Any:
            positional, keywords = given[place]
            return function(*positional, **keywords)

        return call, len(sets)

    def check_torch(self, layout: str) -> None:
        """Search, and note the error."""
        with self.phase("torch"):
            result = compute(self.operation, self.case, self.operands.rotating(layout)[0])
            torch.cuda.synchronize()
        with self.phase("check"):
            self.errors["torch"] = self.operands.error(self.operation, result)

    def layouts(self, natural: str) -> list[str]:
        """Torch's layouts worth timing: the natural one, and another that its own search may bring near.

        With tensor cores, torch's unsearched choice in the other layout is tried first: where it takes more than twice
        the time, no search has been seen to make up for it.
        """
        found = [natural]
        for layout in LAYOUTS:
            if layout == natural:
                continue
            if self.precision != "strict":
                with self.phase("glance"):
                    searched = glance(*self.contender("torch", natural))
                    with torch.backends.cudnn.flags(enabled=True, benchmark=False, allow_tf32=True):
                        unsearched = glance(*self.contender("torch", layout))
                if unsearched > _OUT_OF_REACH * searched:
                    continue
            self.check_torch(layout)
            found.append(layout)
        return found

    def check_kit(self, layout: str) -> Any:
        """The choice; notes errors of a new result and of one written over poison."""
        positional, keywords = self.arguments(self.operands.rotating(layout)[0])
        limit = bound(self.precision, self.case.summed(self.operation), self.operation)
        with self.phase("cudnnkit"):
            result = self.function(*positional, **keywords)
            torch.cuda.synchronize()
        # The same layout, so that it is the same problem.
        poisoned = torch.empty_like(result).fill_(float("nan"))
        with self.phase("cudnnkit"):
            if self.function(*positional, **keywords, out=poisoned) is not poisoned:
                self.failure = "out was not returned"
        with self.phase("check"):
            errors = [self.operands.error(self.operation, one) for one in (result, poisoned)]
        worst = max(errors, key=lambda error: float("inf") if error != error else error)
        self.errors["cudnnkit"] = worst
        if not worst <= limit:
            self.failure = f"relative error {worst:.2e} in layout {layout}, {limit:.1e} is the bound"
        return ck.plan(self.function, *positional, **keywords).choice


def measure(block: Block, operation: Operation, operands: Operands, policy: ck.Policy) -> tuple[Row, dict[str, float]]:
    """Check and time one row, and tell how long each part took; a failure of either library is told in the row."""
    case, precision = block.case, block.precision
    row = None
    try:
        row = _Row(operands, operation, policy)
        return _measure(row), row.seconds
    except Exception as error:  # the other rows shall still be measured
        told = (str(error).splitlines() or [""])[0]
        nothing = {"cudnnkit": None, "torch": None}
        failed = Row(case.name, operation, precision, nothing, failure=f"{type(error).__name__}: {told}")
        return failed, {} if row is None else row.seconds


def _measure(row: _Row) -> Row:
    natural = "first" if row.precision == "strict" else "last"
    row.check_torch(natural)
    layouts = row.layouts(natural)
    choice = row.check_kit(natural)
    contenders = {f"torch {layout}": row.contender("torch", layout) for layout in layouts}
    contenders["cudnnkit"] = row.contender("cudnnkit", natural)
    with row.phase("time"):
        times = medians(contenders, alternatives=[name for name in contenders if name != "cudnnkit"])
    used = {"torch": min(layouts, key=lambda layout: times[f"torch {layout}"]), "cudnnkit": natural}
    best = {"torch": times[f"torch {used['torch']}"], "cudnnkit": times["cudnnkit"]}
    if used["torch"] != natural and not row.failure:
        # Each library in the layout that suits it: cudnnkit gets the same two to take from.
        other = row.check_kit(used["torch"])
        with row.phase("time"):
            again = medians({
                "torch": row.contender("torch", used["torch"]), "cudnnkit": row.contender("cudnnkit", used["torch"])
            })  # fmt: skip
        best["torch"] = min(best["torch"], again["torch"])
        if again["cudnnkit"] < best["cudnnkit"]:
            best["cudnnkit"], used["cudnnkit"], choice = again["cudnnkit"], used["torch"], other
    return Row(
        row.case.name, row.operation, row.precision, {name: round(best[name], 6) for name in ("cudnnkit", "torch")},
        choice.best.workspace, str(choice.best.id), used, row.errors, row.failure,
    )  # fmt: skip
