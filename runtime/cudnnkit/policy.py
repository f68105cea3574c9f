"""What the caller allows: precision, determinism, workspace and search effort.

A policy is looked up at each call: the call's own keywords first, then the innermost :func:`use_policy` of the running
thread or task, then the process default of :func:`set_policy`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import is_number
from cudnnkit.sizes import format_bytes, parse_bytes

__all__ = [
    "EFFORTS",
    "Policy",
    "PolicyKey",
    "Precision",
    "Search",
    "WorkspaceLimit",
    "get_policy",
    "known_policy",
    "resolve_policy",
    "set_policy",
    "use_policy",
]

Precision: TypeAlias = Literal["fast", "no-tf32", "strict"]
Search: TypeAlias = Literal["heuristic", "measure", "exhaustive"]

EFFORTS: dict[str, int] = {"heuristic": 0, "measure": 1, "exhaustive": 2, "pinned": 3}
"""How much work stands behind a decision; more of it answers a request for less."""


@dataclass(frozen=True)
class WorkspaceLimit:
    """The user's own limit on workspace: bytes, or a share of the device's total memory.

    The share is of total and not of free memory, so that the same program chooses the same candidates whatever else
    is running.
    """

    nbytes: int | None = None
    fraction: float | None = None

    @classmethod
    def parse(cls, value: object) -> WorkspaceLimit:
        """From None or ``"unlimited"`` (no limit of the user's), a number of bytes, ``"256 MiB"`` or ``"10%"``.

        Raises
        ------
        ArgumentError
            The value is negative, not finite or no size; a percentage lies outside 0 to 100.
        """
        if value is None:
            return cls()
        if isinstance(value, WorkspaceLimit):
            return value
        hint = "write bytes as a number, a size like '256 MiB', a share of the device's memory like '10%', or None"
        if isinstance(value, str):
            return cls._parse_text(value, hint)
        if not is_number(value):
            raise ArgumentTypeError("workspace", value, f"{type(value).__name__} is no size; {hint}")
        if not math.isfinite(value) or value < 0 or value != int(value):
            raise ArgumentError("workspace", value, f"not a whole number of bytes, 0 or more; {hint}")
        return cls(nbytes=int(value))

    @classmethod
    def _parse_text(cls, text: str, hint: str) -> WorkspaceLimit:
        if text.strip().lower() == "unlimited":
            return cls()
        number, percent, rest = text.strip().partition("%")
        try:
            if not percent:
                return cls(nbytes=parse_bytes(text))
            share = float(number) / 100
        except ValueError:
            raise ArgumentError("workspace", text, f"not understood; {hint}") from None
        if rest or not 0 <= share <= 1:
            raise ArgumentError("workspace", text, f"a percentage lies between '0%' and '100%'; {hint}")
        return cls(fraction=share)

    def resolve(self, total: int | None) -> int | None:
        """Bytes on a device of `total` bytes; None when there is no limit, or a share of a total nobody knows."""
        if self.nbytes is not None:
            return self.nbytes
        return None if self.fraction is None or total is None else int(total * self.fraction)

    def __str__(self) -> str:
        if self.nbytes is not None:
            return format_bytes(self.nbytes)
        return "unlimited" if self.fraction is None else f"{self.fraction * 100:g}%"


class PolicyKey(NamedTuple):
    """The part of a policy that changes which candidate is right, hence part of a problem's identity."""

    precision: str
    deterministic: bool
    workspace_bytes: int | None
    workspace_fraction: float | None
    tolerance: float


@dataclass(frozen=True)
class Policy:
    """What a caller allows and how hard the runtime shall search.

    Parameters
    ----------
    precision
        ``"fast"``: whatever cuDNN offers, TF32 included; float32 data keeps at least TF32's range and its 10 bits of
        mantissa, so engines that convert it to half precision inside are refused. ``"no-tf32"``: float32 data is not
        rounded to TF32 either. ``"strict"``: besides, no reduced-precision accumulation and no transform with a large
        error.
    deterministic
        Only candidates that give the same bits on every run.
    workspace
        The user's limit: None, bytes, ``"256 MiB"``, or ``"10%"`` of the device's total memory.
    search
        ``"heuristic"``: cuDNN's own first answer. ``"measure"``: measure inside `budget_ms`. ``"exhaustive"``: measure
        everything, however long it takes.
    budget_ms
        Time for one problem's search in milliseconds (``"measure"`` only).
    tolerance
        Share by which a candidate may be slower than the fastest and still win by needing less workspace. The default,
        half a percent, is about what a search can tell apart: less workspace where it costs no speed that anybody could
        measure. With 2 % some layers came out 1 to 3 % slower than torch's choice, which asks for the fastest alone; 5
        or 10 % save memory on devices where it is short.
    after
        Measure a problem only once it came back this many times; until then the heuristic answers. 0 measures at once.

    Raises
    ------
    ArgumentError
        A field has a value outside its range; the message lists what is allowed.
    """

    precision: Precision = "fast"
    deterministic: bool = False
    workspace: WorkspaceLimit | str | float | None = None
    search: Search = "measure"
    budget_ms: float = 1000.0
    tolerance: float = 0.005
    after: int = 0
    key: PolicyKey = field(init=False, repr=False, compare=False)
    effort: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _one_of("precision", self.precision, get_args(Precision))
        _one_of("search", self.search, get_args(Search))
        if not isinstance(self.deterministic, bool):
            raise ArgumentTypeError("deterministic", self.deterministic, "must be True or False")
        _number("budget_ms", self.budget_ms, math.inf, "milliseconds for one search, 0 or more")
        _number("tolerance", self.tolerance, 1.0, "a share from 0 to 1, such as 0.005 for 0.5 %")
        _number("after", self.after, math.inf, "a count of 0 or more")
        if not isinstance(self.after, int):
            raise ArgumentTypeError("after", self.after, "must be a whole count of 0 or more")
        limit = WorkspaceLimit.parse(self.workspace)
        put = object.__setattr__
        put(self, "workspace", limit)
        put(self, "budget_ms", float(self.budget_ms))
        put(self, "tolerance", float(self.tolerance))
        put(self, "effort", EFFORTS[self.search])
        put(self, "key", PolicyKey(self.precision, self.deterministic, limit.nbytes, limit.fraction, self.tolerance))

    @property
    def limit(self) -> WorkspaceLimit:
        """The workspace limit in its parsed form."""
        return WorkspaceLimit.parse(self.workspace)

    @property
    def budget_seconds(self) -> float:
        """Time for one search in seconds; infinite when every candidate is to be measured."""
        return math.inf if self.search == "exhaustive" else self.budget_ms / 1000

    def but(self, /, **changes: Any) -> Policy:
        """The same policy with the given fields changed.

        Raises
        ------
        ArgumentError
            A field does not exist or its value is not allowed.
        """
        for name in changes:
            if name not in _FIELDS:
                raise ArgumentError(name, changes[name], f"no such policy field; there are {', '.join(_FIELDS)}")
        return replace(self, **changes) if changes else self


_FIELDS = tuple(one.name for one in fields(Policy) if one.init)


def _one_of(argument: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ArgumentError(argument, value, f"allowed are {', '.join(map(repr, allowed))}")


def _number(argument: str, value: object, largest: float, hint: str) -> None:
    if not is_number(value):
        raise ArgumentTypeError(argument, value, f"must be a number: {hint}")
    if math.isnan(value) or not 0 <= value <= largest:
        raise ArgumentError(argument, value, f"must be {hint}")


_default = Policy()
_override: ContextVar[Policy | None] = ContextVar("cudnnkit_policy", default=None)

_MOST_KNOWN = 256
"""Chosen, not measured: more than a program uses side by side, and few enough to be no leak."""
_known: dict[Policy, Policy] = {}


def known_policy(policy: Policy) -> Policy:
    """The one object that stands for all policies equal to this, so that plans are told apart by its identity."""
    if len(_known) >= _MOST_KNOWN:
        _known.clear()  # a plan keeps the policy that it was prepared under
    return _known.setdefault(policy, policy)


def get_policy() -> Policy:
    """The policy in force here: the innermost :func:`use_policy`, else the process default.

    Returns
    -------
    Policy
    """
    return _override.get() or _default


def set_policy(policy: Policy | None = None, **changes: Any) -> Policy:
    """Make `policy`, or the process default with `changes`, the process default; return the one that it replaces.

    Blocks under :func:`use_policy` keep theirs.

    Parameters
    ----------
    policy
        The new default; None for the one in force.
    **changes
        Fields of it to change: ``precision``, ``deterministic``, ``workspace``, ``search``, ``budget_ms``,
        ``tolerance``, ``after``; see :class:`Policy`.

    Returns
    -------
    Policy
        The default until now, to be put back by another call.

    Raises
    ------
    ArgumentError, ArgumentTypeError
        `policy` is none, a field is not known, or its value is out of range.
    """
    global _default
    before = _default
    _default = _checked(policy, before).but(**changes)
    return before


@contextlib.contextmanager
def use_policy(policy: Policy | None = None, **changes: Any) -> Iterator[Policy]:
    """Put a policy in force for a block, in this thread or asynchronous task only.

    A thread started inside the block does not inherit it (a ``contextvars`` variable carries it), unlike a task: give
    it the policy, as ``with use_policy(policy)`` or with each call, or run its work by
    ``contextvars.copy_context().run``. :func:`set_policy` reaches every thread.

    Parameters
    ----------
    policy, **changes
        As in :func:`set_policy`; None for the policy in force here.

    Yields
    ------
    Policy
        What is in force in the block.

    Raises
    ------
    ArgumentError, ArgumentTypeError
        As :func:`set_policy`.

    Examples
    --------
    >>> with use_policy(precision="strict", workspace="256 MiB") as policy:
    ...     policy.precision
    'strict'
    """
    inner = known_policy(_checked(policy, get_policy()).but(**changes))
    token = _override.set(inner)
    try:
        yield inner
    finally:
        _override.reset(token)


def resolve_policy(policy: Policy | None = None, /, **changes: Any) -> Policy:
    """The policy of one call: `policy` if given, else the one in force, with the call's own keywords on top.

    A keyword of None was not given; ``workspace="unlimited"`` lifts a limit for one call.
    """
    base = _checked(policy, get_policy())
    given = {name: value for name, value in changes.items() if value is not None}
    return base.but(**given) if given else base


def _checked(policy: Policy | None, otherwise: Policy) -> Policy:
    if policy is None:
        return otherwise
    if not isinstance(policy, Policy):
        raise ArgumentTypeError("policy", policy, "must be a cudnnkit.Policy; fields are given by keyword")
    return policy
