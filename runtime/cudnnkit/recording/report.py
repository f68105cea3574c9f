"""What a recording holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from cudnnkit.sizes import format_bytes

__all__ = ["RecordingReport"]


@dataclass(frozen=True)
class RecordingReport:
    """One recording; its text is one line.

    Attributes
    ----------
    arguments
        Shapes and types of the arrays that it was made for.
    launches
        Operations that the function launched.
    nodes
        Nodes of the graph (kernels, copies, fills); None where the driver does not tell.
    planned_bytes
        The buffer that all results of operations and all workspace share.
    intermediate_bytes
        What those would take side by side.
    least_bytes
        What was alive at once at the most: no plan takes less.
    workspace_bytes
        The largest workspace, which is part of the plan.
    input_bytes
        What copies of its arguments take; none for those that ``static_inputs`` left where they are.
    unplanned
        Requests for memory that the plan did not fit; they have memory of their own.
    replays
        How often it was replayed.
    seconds
        Time to record it: two passes and the instantiation, the call as it is left out.
    failure
        Why there is no recording, so that each call runs the function as it is; empty where there is one.
    """

    arguments: str
    launches: int = 0
    nodes: int | None = None
    planned_bytes: int = 0
    intermediate_bytes: int = 0
    least_bytes: int = 0
    workspace_bytes: int = 0
    input_bytes: int = 0
    unplanned: int = 0
    replays: int = 0
    seconds: float = 0.0
    failure: str = ""

    def __str__(self) -> str:
        if self.failure:
            return f"{self.arguments}: not recorded: {self.failure}"
        size = format_bytes
        nodes = "" if self.nodes is None else f", {self.nodes} nodes"
        text = (
            f"{self.arguments}: {self.launches} launches{nodes}; {size(self.planned_bytes)} for"
            f" {size(self.intermediate_bytes)} of results and workspace ({size(self.least_bytes)} alive at once, the"
            f" largest workspace {size(self.workspace_bytes)}), {size(self.input_bytes)} of inputs; recorded in"
            f" {self.seconds * 1000:.0f} ms, replayed {self.replays} times"
        )
        return text + (f"; {self.unplanned} arrays did not fit the plan" if self.unplanned else "")
