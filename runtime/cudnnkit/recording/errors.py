"""What keeps a function from being recorded."""

from __future__ import annotations

from cudnnkit.errors import CudnnKitError

__all__ = ["END", "CaptureError"]

END = "its end"
"""Where a function's arguments and results are at fault, and none of its operations."""


class CaptureError(CudnnKitError, RuntimeError):
    """A function ran as it is, but could not be recorded as a CUDA graph. Nothing is left recording.

    Parameters
    ----------
    function
        Its name.
    after
        What was launched last before it failed, in words; empty when nothing was.
    reason
        What was raised, in words.
    """

    def __init__(self, function: str, after: str, reason: str) -> None:
        self.function, self.after, self.reason = function, after, reason
        super().__init__(function, after, reason)

    def __str__(self) -> str:
        where = f"after {self.after}" if self.after else "before its first operation"
        hint = (
            " a recorded function must not wait for the device, as .item(), .get() and printing an array do, and joins"
            " the streams that it forks;"
        )
        return (
            f"{self.function} ran once but cannot be recorded: {where}, {self.reason};"
            f"{'' if self.after == END else hint} until it is changed, calls run it as it is"
        )
