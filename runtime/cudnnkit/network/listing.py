"""Which problems a function asks for, and how often: what is to be tuned before it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from cudnnkit.decompose.setting import Setting
from cudnnkit.dispatch import watching
from cudnnkit.errors import ArgumentTypeError
from cudnnkit.policy import use_policy
from cudnnkit.problem import Problem
from cudnnkit.request import Request

__all__ = ["Asked", "problems_of", "unwrapped"]


@dataclass(frozen=True)
class Asked:
    """A problem that a function asked for.

    Attributes
    ----------
    problem
        What is computed.
    setting
        Whose arrays, on which device, under which policy.
    count
        How often in one run of the function.
    """

    problem: Problem
    setting: Setting
    count: int = 1


def unwrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind what :func:`cudnnkit.capture` made of it: a replay asks for nothing."""
    inner: Callable[..., Any] = getattr(function, "__wrapped__", function)
    return inner


def problems_of(
    function: Callable[..., Any], /, *arguments: Any, run: bool = True, search: bool = False, **keywords: Any
) -> list[Asked]:
    """The distinct problems of one run of a function, in the order in which they come first.

    Parameters
    ----------
    function
        Calls operations of cudnnkit, in this thread.
    arguments, keywords
        What it is called with.
    run
        False: no operation runs; results are new arrays of the right shape with any content. For functions whose path
        does not depend on values.
    search
        False: what was not decided yet is answered by the heuristic, and nothing is measured.

    Raises
    ------
    ArgumentTypeError
        `function` cannot be called.
    Exception
        Whatever the function raises.

    Examples
    --------
    >>> for one in problems_of(network, x):  # doctest: +SKIP
    ...     print(one.count, one.problem.label)
    """
    if not callable(function):
        raise ArgumentTypeError("function", function, "must be a function of arrays")
    found: dict[Problem, Asked] = {}

    def notice(request: Request, setting: Setting) -> None:
        known = found.get(request.problem)
        kept = replace(setting, capturing=False, live=False)
        found[request.problem] = Asked(request.problem, kept, 1) if known is None else _once_more(known)

    changes: dict[str, Any] = {} if search else {"search": "heuristic"}
    with use_policy(**changes), watching(notice, run=run):
        unwrapped(function)(*arguments, **keywords)
    return list(found.values())


def _once_more(one: Asked) -> Asked:
    return replace(one, count=one.count + 1)
