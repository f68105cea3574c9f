"""What there is to say about one call before or instead of running it: its plan, its explanation, its choice."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cudnnkit.bound import Plan
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.choice import Alternative, Choice
from cudnnkit.dispatch import Operation, describe, intercepted, new_output
from cudnnkit.errors import ArgumentTypeError
from cudnnkit.graph_launch import records
from cudnnkit.problem import Problem
from cudnnkit.report import Row, SearchReport
from cudnnkit.request import operands_of

__all__ = ["Explanation", "Plan", "explain", "pin", "plan", "unpin"]

_NO_OPERATION = "is no operation of cudnnkit; name one, such as cudnnkit.conv2d, and what it would be called with"


def plan(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Plan:
    """The plan of a call: chosen, by a search if need be, and prepared, but not run.

    Parameters
    ----------
    function
        An operation of cudnnkit.
    arguments, keywords
        What it would be called with. The arrays' contents do not matter, unless they are measured on.

    Returns
    -------
    Plan
        To be called with arrays like these.

    Raises
    ------
    ArgumentTypeError
        The function is no operation, or an argument is missing.
    ArgumentError, UnsupportedError, OutOfMemoryError
        As the function itself.

    Examples
    --------
    >>> step = plan(conv2d, x, w, b, padding=1, activation="relu")  # doctest: +SKIP
    >>> step(x, w, b, out=y)  # doctest: +SKIP
    """

    def catch(*call: Any) -> Plan:
        operation = function.func if isinstance(function, partial) else function
        return Plan(tuple(inspect.signature(operation).parameters), *call)

    found: Plan = _caught(function, arguments, keywords, catch)
    return found


def _caught(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any], catch: Callable[..., Any]
) -> Any:
    """What `catch` answers for the call that `function` would make. Only operations of cudnnkit are called."""
    operation = function.func if isinstance(function, partial) else function
    if not str(getattr(operation, "__module__", "")).startswith("cudnnkit.ops."):
        raise ArgumentTypeError("function", function, _NO_OPERATION)
    try:
        inspect.signature(function).bind(*arguments, **keywords)
    except TypeError as error:
        hint = f"{error}; give what {operation.__name__} would be called with"
        raise ArgumentTypeError("function", operation.__name__, hint) from None
    return intercepted(function, arguments, keywords, catch)


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a call runs as it does; its text is a table of every candidate, its echo at a prompt one line.

    Attributes
    ----------
    problem
        The problem.
    choice
        What was chosen, with what it falls back on; None where there is nothing to compute.
    report
        Every candidate with time, workspace, notes, and why or why not; None where there is nothing to compute.
    """

    problem: Problem
    choice: Choice | None
    report: SearchReport | None

    @property
    def pinned(self) -> bool:
        """Whether the choice was made by :func:`pin`, not by a search."""
        return self.choice is not None and self.choice.pinned

    def to_json(self) -> Mapping[str, Any]:
        """Plain data."""
        return {
            "problem": self.problem.to_json(),
            "choice": None if self.choice is None else [one.to_json() for one in self.choice.chain],
            "pinned": self.pinned,
            "report": None if self.report is None else self.report.to_json(),
        }

    def __str__(self) -> str:
        if self.report is None or self.choice is None:
            return f"{self.problem.label}: nothing to compute"
        best = self.choice.best
        again = "; a launch that comes back is recorded as a CUDA graph" if records(best) else ""
        pinned = ", pinned until ck.unpin" if self.pinned else ""
        return f"{self.report.text()}\nin use: {best.id}{pinned}{again}"

    def __repr__(self) -> str:
        used = "nothing to compute" if self.choice is None else f"in use: {self.choice.best.id}; print it for the table"
        return f"<Explanation of {self.problem.label}; {used}>"


def explain(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Explanation:
    """Why a call runs as it does: every candidate with time, workspace, precision, notes, and the reason.

    It chooses if nothing was chosen yet; a decision that came from disk is explained by measuring anew, and stays.

    Parameters
    ----------
    function, arguments, keywords
        As in :func:`plan`.

    Returns
    -------
    Explanation
        Printed, a table of every candidate.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`plan`.
    """

    def catch(operation: Operation, arrays: Any, out: Any, *rest: Any) -> Explanation:
        call, request, setting = describe(operation, arrays, out, *rest)
        if request.trivial is not None:
            return Explanation(request.problem, None, None)
        target = new_output(request) if out is None else out
        operands = operands_of(request, [*(one for one in arrays if one is not None), target], call)
        report = call.tuner.explain(request.problem, setting, operands)
        decision = call.tuner.cache.peek(request.problem)
        return Explanation(request.problem, decision if isinstance(decision, Choice) else None, report)

    found: Explanation = _caught(function, arguments, keywords, catch)
    return found


def pin(
    candidate: Row | Description | Alternative | CandidateId,
    function: Callable[..., Any],
    /,
    *arguments: Any,
    **keywords: Any,
) -> None:
    """Make a candidate the answer to a call's problem, here and on disk, until :func:`unpin`.

    Parameters
    ----------
    candidate
        A row of :func:`explain`'s report, or of that row its description or ``description.id``; or a choice's
        alternative.
    function, arguments, keywords
        As in :func:`plan`.

    Raises
    ------
    ArgumentError
        It is no candidate, or the policy does not admit it.
    Exception
        The candidate cannot be prepared for this problem.

    Examples
    --------
    >>> rows = explain(conv2d, x, w, padding=1).report.rows  # doctest: +SKIP
    >>> pin(rows[2], conv2d, x, w, padding=1)  # doctest: +SKIP
    """
    if isinstance(candidate, Row):
        candidate = candidate.description
    one = candidate.id if isinstance(candidate, Description | Alternative) else candidate
    if not isinstance(one, CandidateId):
        raise ArgumentTypeError("candidate", one, "must be a row of cudnnkit.explain(...).report.rows, or its id")

    def catch(*call: Any) -> None:
        made, request, setting = describe(*call)
        made.tuner.pin(request.problem, one, setting)

    _caught(function, arguments, keywords, catch)


def unpin(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> None:
    """Forget what is known of a call's problem, here and on disk; the next call chooses anew.

    Parameters
    ----------
    function, arguments, keywords
        As in :func:`plan`; nothing is computed.

    Raises
    ------
    ArgumentError
        As :func:`plan`. A problem of which nothing is known is no error.
    """

    def catch(*call: Any) -> None:
        made, request, _ = describe(*call)
        made.tuner.unpin(request.problem)

    _caught(function, arguments, keywords, catch)
