"""The plans that one thread prepared, by the signatures of its calls.

Two tables of bounded size stand for a least-recently-used one: what was not asked for while the young one filled up is
dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnkit.tuner import GENERATION

if TYPE_CHECKING:
    from cudnnkit.prepared import Prepared
    from cudnnkit.problem import Problem

__all__ = ["MOST_PLANS", "ThreadPlans", "local"]

MOST_PLANS = 256
"""Plans that each of a thread's two tables holds."""


class ThreadPlans:
    """What one thread keeps.

    Attributes
    ----------
    young, old
        Plans by signature.
    generation
        When they were prepared, by :data:`cudnnkit.tuner.GENERATION`.
    intercept
        Takes calls in place of the dispatch; None for nothing.
    last
        The plan of the last call that wrote beside its result.
    """

    __slots__ = ("generation", "intercept", "last", "old", "young")

    def __init__(self) -> None:
        self.young: dict[Any, Prepared] = {}
        self.old: dict[Any, Prepared] = {}
        self.generation = GENERATION[0]
        self.intercept: Callable[..., Any] | None = None
        self.last: Prepared | None = None

    def forget(self) -> None:
        """Drop all plans: they are of another generation."""
        self.young, self.old = {}, {}
        self.generation = GENERATION[0]

    def find(self, key: Any) -> Prepared | None:
        """From the old table, which it leaves for the young one."""
        found = self.old.pop(key, None)
        if found is not None:
            self.add(key, found)
        return found

    def add(self, key: Any, prepared: Prepared) -> None:
        """Keep a plan."""
        if len(self.young) >= MOST_PLANS:
            self.old, self.young = self.young, {}
        self.young[key] = prepared

    def drop(self, problem: Problem) -> None:
        """Drop the plans for a problem."""
        for table in (self.young, self.old):
            for key in [key for key, one in table.items() if one.request.problem == problem]:
                del table[key]


class _Local(threading.local):
    def __init__(self) -> None:
        self.thread = ThreadPlans()


local = _Local()
"""Its ``thread`` is the calling thread's own."""
