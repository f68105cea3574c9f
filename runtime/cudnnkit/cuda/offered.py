"""Kernels of our own as candidates: one kernel, and several in a row."""

from __future__ import annotations

from dataclasses import dataclass

from cudnnkit.candidates import Description
from cudnnkit.cuda.launch import KernelLaunch
from cudnnkit.cuda.sequence import KernelSequence, Step

__all__ = ["OwnKernel", "OwnKernels"]


@dataclass(frozen=True)
class OwnKernel:
    """A kernel as a candidate.

    Attributes
    ----------
    description
        What is known of it.
    source, name
        CUDA C++ for this problem, and the function's name in it.
    device
        Where it runs.
    count, block
        Threads, and threads of a block.
    places
        Operands that are its arguments, in its order.
    """

    description: Description
    source: str
    name: str
    device: int
    count: int
    block: int
    places: tuple[int, ...]

    @property
    def blocks(self) -> int:
        """Blocks that hold all threads."""
        return -(-self.count // self.block)

    def prepare(self) -> KernelLaunch:
        """Compiled and loaded, once for each device and process."""
        return KernelLaunch(self.device, self.source, self.name, self.count, self.block, self.places)


@dataclass(frozen=True)
class OwnKernels:
    """Kernels that follow each other as a candidate.

    Attributes
    ----------
    description
        What is known of them.
    source, steps
        CUDA C++ for this problem, and its kernels in order.
    device
        Where they run.
    """

    description: Description
    source: str
    steps: tuple[Step, ...]
    device: int

    def prepare(self) -> KernelSequence:
        """Compiled and loaded, once for each device and process."""
        return KernelSequence(self.device, self.source, self.steps, self.description.workspace)
