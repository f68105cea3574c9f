"""What was not fused into an operation, done to its result: by one kernel of our own, or by the array library's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cudnnkit.decompose.setting import Setting
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import Epilogue, Problem

if TYPE_CHECKING:
    from cudnnkit.cuda.source import KernelSource

__all__ = ["Afterwards"]


class Afterwards:
    """The rest of a problem's epilogue, in place.

    Parameters
    ----------
    problem, setting
        What the epilogue is of, and where.
    rest
        What is to be done: its `bias` and `residual` say what is given.

    Attributes
    ----------
    by
        Who does it, in words. Where the driver refuses our kernel then, which is logged, the array library does.
    """

    def __init__(self, problem: Problem, setting: Setting, rest: Epilogue) -> None:
        self._rest, self._library, self._device = rest, setting.library, setting.device
        self._kernel: ArrayExecutable | None = None
        self._made: KernelSource | None = None
        self.by = setting.library.name
        y = next(one for one in problem.tensors if one.output)
        self._rank = len(y.shape)
        if setting.library.name != "numpy" and rest != Epilogue():
            from cudnnkit.cuda.compiler import has_nvrtc
            from cudnnkit.cuda.epilogue import epilogue_source

            bias = problem.tensor("bias") if rest.bias else None
            others = [problem.tensor("residual")] if rest.residual else []
            architecture = problem.device.architecture
            # An operation's own result, in y or beside it, lies as y does.
            made = epilogue_source(rest, y, bias=bias, others=(y, *others), architecture=architecture)
            if made is not None and has_nvrtc():
                self._made, self.by = made, "one kernel"

    def load(self) -> None:
        """Have the kernel. It may compile and load a module, which a graph capture would not stand."""
        if self._made is not None and not self._library.capturing(self._device):
            from cudnnkit.cuda.epilogue import epilogue_kernel

            self._kernel, self._made = epilogue_kernel(self._made, self._device), None

    def __call__(self, x: Any, y: Any, bias: Any, residual: Any, *, stream: int) -> None:
        """``y = activation(x + bias + residual)``, or the residual behind it; y may be x or the residual."""
        self.load()
        rest, library = self._rest, self._library
        if self._kernel is not None:
            pointers = [library.pointer(x if one is None else one) for one in (x, bias, residual, y)]
            self._kernel.run_on(Operands((), tuple(pointers), stream), 0)
        elif rest != Epilogue():
            wide = None if bias is None else bias.reshape((1, -1) + (1,) * (self._rank - 2))
            library.kernels.epilogue(x, y, wide, residual, rest.activation, rest.parameters, rest.residual_after)
