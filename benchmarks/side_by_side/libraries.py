"""The two libraries' calls for one row, checked against float64 and then timed in turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cudnnkit as ck
import torch

from side_by_side.cases import Block, Case, Operation
from side_by_side.operands import LAYOUTS, Operands, compute, frobenius
from side_by_side.results import Row, bound
from side_by_side.timing import medians

__all__ = ["kit_call", "measure", "set_torch"]


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
        result = compute(self.operation, self.case, self.operands.rotating(layout)[0])
        self.errors["torch"] = frobenius(result, self.operands.reference(self.operation))

    def check_kit(self, layout: str) -> Any:
        """The choice; notes errors of a new result and of one written over poison."""
        positional, keywords = self.arguments(self.operands.rotating(layout)[0])
        reference = self.operands.reference(self.operation)
        limit = bound(self.precision, self.case.summed(self.operation))
        result = self.function(*positional, **keywords)
        errors = [frobenius(result, reference)]
        # The same layout, so that it is the same problem.
        poisoned = torch.empty_like(result).fill_(float("nan"))
        if self.function(*positional, **keywords, out=poisoned) is not poisoned:
            self.failure = "out was not returned"
        errors.append(frobenius(poisoned, reference))
        worst = max(errors, key=lambda error: float("inf") if error != error else error)
        self.errors["cudnnkit"] = worst
        if not worst <= limit:
            self.failure = f"relative error {worst:.2e} in layout {layout}, {limit:.1e} is the bound"
        return ck.plan(self.function, *positional, **keywords).choice


def measure(block: Block, operation: Operation, operands: Operands, policy: ck.Policy) -> Row:
    """Check and time one row; a failure of either library is told in the row."""
    case, precision = block.case, block.precision
    try:
        return _measure(_Row(operands, operation, policy))
    except Exception as error:  # the other rows shall still be measured
        told = (str(error).splitlines() or [""])[0]
        nothing = {"cudnnkit": None, "torch": None}
        return Row(case.name, operation, precision, nothing, failure=f"{type(error).__name__}: {told}")


def _measure(row: _Row) -> Row:
    natural = "first" if row.precision == "strict" else "last"
    for layout in LAYOUTS:
        row.check_torch(layout)
    choice = row.check_kit(natural)
    contenders = {f"torch {layout}": row.contender("torch", layout) for layout in LAYOUTS}
    contenders["cudnnkit"] = row.contender("cudnnkit", natural)
    times = medians(contenders)
    layouts = {"torch": min(LAYOUTS, key=lambda layout: times[f"torch {layout}"]), "cudnnkit": natural}
    best = {"torch": times[f"torch {layouts['torch']}"], "cudnnkit": times["cudnnkit"]}
    if layouts["torch"] != natural and not row.failure:
        # Each library in the layout that suits it: cudnnkit gets the same two to take from.
        other = row.check_kit(layouts["torch"])
        again = medians({
            "torch": row.contender("torch", layouts["torch"]), "cudnnkit": row.contender("cudnnkit", layouts["torch"])
        })  # fmt: skip
        best["torch"] = min(best["torch"], again["torch"])
        if again["cudnnkit"] < best["cudnnkit"]:
            best["cudnnkit"], layouts["cudnnkit"], choice = again["cudnnkit"], layouts["torch"], other
    return Row(
        row.case.name, row.operation, row.precision, {name: round(best[name], 6) for name in ("cudnnkit", "torch")},
        choice.best.workspace, str(choice.best.id), layouts, row.errors, row.failure,
    )  # fmt: skip
