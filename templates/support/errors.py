"""Every exception of the bindings. Each message names the C function, file or argument, the value, and what to do."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import ClassVar

__all__ = [
    "ArgumentError",
    "CudnnFfiError",
    "DescriptorClosedError",
    "LibraryError",
    "LibraryLoadError",
    "LibraryMixedError",
    "LibraryNotFoundError",
    "LibraryVersionError",
    "StatusError",
    "SymbolNotAvailableError",
    "short",
]


class CudnnFfiError(Exception):
    """Base class of everything that the bindings raise on their own account."""


class LibraryError(CudnnFfiError):
    """The cuDNN library itself is the trouble."""


class LibraryNotFoundError(LibraryError):
    """No cuDNN library at any of the places looked at; the message lists them."""


class LibraryLoadError(LibraryError):
    """A file is there and is no cuDNN library that this process can load."""


class LibraryVersionError(LibraryError):
    """The library's version belongs to no line of these bindings."""


class LibraryMixedError(LibraryError):
    """Sub-libraries of different cuDNN versions would work together in this process."""


class SymbolNotAvailableError(CudnnFfiError):
    """The loaded library has no such function or enumerator.

    Attributes
    ----------
    symbol
        Its C name.
    loaded
        The loaded version, as text.
    since, until
        The versions that brought and last had it, as far as the bindings know; None where they do not.
    """

    def __init__(
        self, symbol: str, loaded: str, path: str = "", since: str | None = None, until: str | None = None
    ) -> None:
        super().__init__(symbol, loaded, path, since, until)
        self.symbol = symbol
        self.loaded = loaded
        self.path = path
        self.since = since
        self.until = until

    def __str__(self) -> str:
        where = f"the loaded cuDNN {self.loaded}" + (f" ({self.path})" if self.path else "")
        if self.until is not None:
            return (
                f"{self.symbol} is not in {where}: cuDNN {self.until} was the last with it; load that or an older one"
            )
        if self.since is not None:
            return f"{self.symbol} is not in {where}: cuDNN {self.since} brought it; load that or a newer one"
        return f"{self.symbol} is not in {where}; load another build of cuDNN"


class ArgumentError(CudnnFfiError, TypeError):
    """An argument that C must not see: wrong type, out of range, wrong length.

    Attributes
    ----------
    argument
        The parameter's name.
    function
        The C function, empty where the value was not on its way to one.
    """

    def __init__(self, argument: str, problem: str, function: str = "") -> None:
        super().__init__(argument, problem, function)
        self.argument = argument
        self.problem = problem
        self.function = function

    def __str__(self) -> str:
        place = f"{self.function}: " if self.function else ""
        return f"{place}argument {self.argument!r} {self.problem}"


class DescriptorClosedError(CudnnFfiError):
    """A handle or descriptor was used after it was closed.

    Attributes
    ----------
    kind
        Its Python class.
    function
        The C function that it was meant for.
    argument
        The parameter's name.
    """

    def __init__(self, kind: str, function: str = "", argument: str = "") -> None:
        super().__init__(kind, function, argument)
        self.kind = kind
        self.function = function
        self.argument = argument

    def __str__(self) -> str:
        place = f"{self.function}: " if self.function else ""
        name = f"argument {self.argument!r}" if self.argument else "it"
        return f"{place}{name} is a {self.kind} that was closed; keep it open until its last use, or create a new one"


class StatusError(CudnnFfiError):
    """A C function answered something other than success; each status of a line has a subclass of its own.

    Attributes
    ----------
    function
        The C function.
    status
        Its answer, an integer; unknown ones included.
    status_name
        The status in C; ``cudnnStatus_t 12345`` for an unknown one.
    message
        The library's own last-error text, empty where it has none.
    arguments
        The call's arguments by name, as short texts.
    """

    # The C name of the status that a subclass stands for.
    c_name: ClassVar[str] = ""

    def __init__(
        self,
        function: str,
        status: int,
        status_name: str = "",
        message: str = "",
        arguments: Mapping[str, str] | None = None,
    ) -> None:
        # All of it goes into `args`, so that pickling and copying lose nothing.
        super().__init__(function, status, status_name, message, dict(arguments or {}))
        self.function = function
        self.status = status
        self.status_name = status_name or self.c_name or f"cudnnStatus_t {int(status)}"
        self.message = message
        self.arguments: dict[str, str] = dict(arguments or {})

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        said = f": {self.message}" if self.message else ""
        return f"{self.function}({listed}) answered {self.status_name} ({int(self.status)}){said}"


class _ShortRepr(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 80
        self.maxlist = self.maxtuple = 8

    def repr_instance(self, x: object, level: int) -> str:
        shape, kind = getattr(x, "shape", None), getattr(x, "dtype", None)
        if isinstance(shape, tuple) and kind is not None:
            # An array's own repr may copy it from the device, wait for the device, and fill a screen.
            return f"<{type(x).__name__} {kind} {shape}>"
        text: str = super().repr_instance(x, level)
        return text


_short = _ShortRepr()


def short(value: object) -> str:
    """A repr of bounded length that never raises."""
    try:
        return _short.repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
