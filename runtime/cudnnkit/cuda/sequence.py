"""Several kernels of one source, one after the other, that hand each other what they found in the workspace."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from cudnnkit.cuda.launch import function_of
from cudnnkit.driver import driver
from cudnnkit.operands import ArrayExecutable, Operands

__all__ = ["ALPHA", "NOTHING", "WORKSPACE", "KernelSequence", "Step"]

WORKSPACE, ALPHA, NOTHING = -1, -2, -3
"""Arguments that are no operands: the workspace's address, alpha as a float32, and an address that is not read."""


@dataclass(frozen=True)
class Step:
    """One kernel.

    Attributes
    ----------
    name
        Of the function.
    grid, block
        Blocks along both axes, and threads of a block.
    arguments
        Places of operands, or `WORKSPACE`, `ALPHA`, `NOTHING`.
    """

    name: str
    grid: tuple[int, int]
    block: int
    arguments: tuple[int, ...]


class KernelSequence(ArrayExecutable):
    """``cuLaunchKernel`` for each step, on the operands' stream. It belongs to the thread that made it.

    Parameters
    ----------
    device, source
        Where, and the CUDA C++ with the functions of all steps.
    steps
        In order.
    workspace
        Bytes that they share.
    """

    def __init__(self, device: int, source: str, steps: tuple[Step, ...], workspace: int) -> None:
        self.workspace = workspace
        self._launch = driver().cuda.cuLaunchKernel
        self._alpha = ctypes.c_float()
        self._steps = [self._prepared(one, function_of(device, source, one.name)) for one in steps]

    def _prepared(self, step: Step, function: ctypes.c_void_p) -> tuple[Any, ...]:
        values = [self._alpha if one == ALPHA else ctypes.c_uint64() for one in step.arguments]
        addresses = [ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in values]
        filled = [(one, place) for one, place in zip(values, step.arguments, strict=True) if place >= WORKSPACE]
        return function, step.grid, step.block, (ctypes.c_void_p * len(values))(*addresses), filled, values

    def run_on(self, operands: Operands, workspace: int) -> None:
        """Launch them.

        Raises
        ------
        DriverError
            The driver refused.
        """
        pointers, stream = operands.pointers, ctypes.c_void_p(operands.stream)
        self._alpha.value = operands.alpha
        for function, grid, block, arguments, filled, _ in self._steps:
            for value, place in filled:
                value.value = workspace if place == WORKSPACE else pointers[place]
            code = self._launch(function, *grid, 1, block, 1, 1, 0, stream, arguments, None)
            if code:
                raise driver().refusal("cuLaunchKernel", code)
