"""What the runtime raises. Every error pickles without loss and names the argument, the values and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cudnnkit.sizes import format_bytes

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "Attempt",
    "CacheError",
    "CudnnKitError",
    "MissingPackageError",
    "OutOfMemoryError",
    "UnsupportedError",
    "shown",
]

_LONGEST = 200
_DEEPEST = 4
"""Sequences within sequences of an argument; the deepest that an operation takes is padding, 2."""


class CudnnKitError(Exception):
    """Base class of everything that cudnnkit raises on its own account."""


def _plain(value: object, depth: int = 0) -> object:
    """`value` itself when it is plain data, else a short text: an exception must not keep an array on the GPU alive."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, tuple | list) and depth < _DEEPEST:
        return tuple(_plain(item, depth + 1) for item in value)
    try:
        text = f"{type(value).__name__} {value!r}"
    except RecursionError:  # nested without end
        text = f"a {type(value).__name__} nested very deep"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def shown(value: object) -> str:
    """`value` as an error message shows it; nobody reads the end of a long one."""
    try:
        text = repr(value)
    except ValueError:  # Python prints no integer of thousands of digits
        text = f"a {type(value).__name__} of very many digits"
    return text if len(text) <= 2 * _LONGEST else text[: 2 * _LONGEST - 3] + "..."


class ArgumentError(CudnnKitError, ValueError):
    """An argument of a public function cannot be used.

    Parameters
    ----------
    argument
        The argument's name as the caller wrote it.
    value
        What was given. Anything but plain numbers, texts and sequences of them is kept as a short description.
    hint
        What is wrong and what to do, as the rest of a sentence that starts with the argument and its value.
    """

    def __init__(self, argument: str, value: object, hint: str) -> None:
        self.argument = argument
        self.value = _plain(value)
        self.hint = hint
        super().__init__(argument, self.value, hint)

    def __str__(self) -> str:
        return f"{self.argument}={shown(self.value)}: {self.hint}"


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of a type that cannot be used."""


class UnsupportedError(CudnnKitError):
    """No candidate can compute the problem under the policy in force.

    Parameters
    ----------
    problem
        The problem in words.
    reasons
        Pairs of a candidate in words and why it does not serve. Empty when cuDNN offered no candidate at all.
    hint
        What the caller may change.
    """

    def __init__(self, problem: str, reasons: Iterable[tuple[str, str]] = (), hint: str = "") -> None:
        self.problem = problem
        self.reasons = tuple((candidate, reason) for candidate, reason in reasons)
        self.hint = hint
        super().__init__(problem, self.reasons, hint)

    def __str__(self) -> str:
        head = f"no candidate computes {self.problem}"
        if not self.reasons:
            head += ": cuDNN offered none"
        lines = [head, *(f"  {candidate}: {reason}" for candidate, reason in self.reasons)]
        return "\n".join([*lines, self.hint] if self.hint else lines)


@dataclass(frozen=True)
class Attempt:
    """One candidate that was tried and found no memory, or could not be prepared.

    Attributes
    ----------
    candidate
        The candidate in words.
    workspace
        The workspace it asked for, bytes.
    status
        What came back: the allocator's or cuDNN's answer, or why it could not be prepared.
    free
        Free device memory afterwards, bytes; None when the device could not be asked.
    """

    candidate: str
    workspace: int
    status: str
    free: int | None

    def __str__(self) -> str:
        free = "unknown" if self.free is None else format_bytes(self.free)
        return f"{self.candidate}: workspace {format_bytes(self.workspace)}, {self.status}, free memory {free}"


class OutOfMemoryError(CudnnKitError, MemoryError):
    """Device memory did not suffice for any candidate, after the pool was trimmed.

    Parameters
    ----------
    problem
        The problem in words.
    attempts
        Every candidate that was tried, in order.
    """

    def __init__(self, problem: str, attempts: Iterable[Attempt]) -> None:
        self.problem = problem
        self.attempts = tuple(attempts)
        super().__init__(problem, self.attempts)

    def __str__(self) -> str:
        head = f"out of device memory for {self.problem}; free some memory or allow less workspace"
        return "\n".join([head, *(f"  {attempt}" for attempt in self.attempts)])


class CacheError(CudnnKitError):
    """A tuning document or a request about the tuning cache is wrong. A damaged cache file never raises this."""


class MissingPackageError(CudnnKitError, ModuleNotFoundError):
    """A package that is no dependency of cudnnkit, and that this use of it needs, is not installed.

    Parameters
    ----------
    name
        The package, as pip and ``import`` call it.
    purpose
        What needs it, as the beginning of a sentence.
    """

    def __init__(self, name: str, purpose: str) -> None:
        self.purpose = purpose
        super().__init__(name, purpose)
        self.name: str = name

    def __str__(self) -> str:
        return f"{self.purpose} needs the package {self.name}; install it with: pip install {self.name}"
