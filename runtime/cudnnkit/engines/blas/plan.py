"""Prepared products: one C call a launch, with arguments kept by address."""

from __future__ import annotations

import ctypes
from typing import Any

from cudnnkit.context import Context
from cudnnkit.engines.blas.enums import ComputeType
from cudnnkit.engines.blas.library import Handle
from cudnnkit.engines.blas.operation import Algorithm, Operation
from cudnnkit.operands import Arguments
from cudnnkit.problem import Problem, Scale

__all__ = ["BlasPlan", "BoundProduct"]

_MOST_CALLS = 256
"""Argument lists kept for each plan; beyond it the one made first goes."""

_FIXED: dict[Scale, float] = {"zero": 0.0, "one": 1.0}


class _Call:
    """The arguments of ``cublasLtMatmul`` without the stream, and what must live as long as they."""

    __slots__ = ("arguments", "keep")

    def __init__(self, arguments: tuple[int, ...], keep: Any) -> None:
        self.arguments, self.keep = arguments, keep


class BoundProduct:
    """A product at fixed addresses; calling it launches on the context's stream."""

    __slots__ = ("_call", "_plan")

    def __init__(self, plan: BlasPlan, call: _Call) -> None:
        self._plan, self._call = plan, call

    def __call__(self) -> None:
        plan = self._plan
        status = plan._matmul(*self._call.arguments, plan._context.stream)
        if status:
            raise plan._error(status)


class BlasPlan:
    """A prepared product.

    Parameters
    ----------
    context, handle
        Of the thread and device.
    problem, operation, algorithm
        What, and how.
    label
        The candidate in words, for errors.

    Attributes
    ----------
    workspace
        Bytes that a launch needs.
    """

    __slots__ = (
        "_algorithm", "_alpha", "_beta", "_calls", "_context", "_handle", "_label", "_matmul", "_operation", "_real",
        "workspace",
    )  # fmt: skip

    def __init__(
        self,
        context: Context,
        handle: Handle,
        problem: Problem,
        operation: Operation,
        algorithm: Algorithm,
        label: str,
    ) -> None:
        self.workspace = algorithm.workspace
        self._context, self._handle, self._operation, self._label = context, handle, operation, label
        self._algorithm = algorithm.data
        self._matmul = handle.library.launcher(context.library._ffi)
        self._real: Any = ctypes.c_double if operation.compute is ComputeType.F64 else ctypes.c_float
        self._alpha = _FIXED.get(problem.alpha)
        self._beta = 1.0 if operation.product.adds_residual else _FIXED.get(problem.beta)
        self._calls: dict[Any, _Call] = {}

    def run(self, arguments: Arguments, workspace: int) -> None:
        """Launch on the arguments' stream.

        Raises
        ------
        BlasError
            cuBLASLt refused.
        """
        pointers, stream, alpha, beta = arguments
        if stream != self._context.stream:
            self._context.use_stream(stream)
        self.launch(pointers, workspace, alpha, beta)

    def launch(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> None:
        """Launch on the context's stream (``cublasLtMatmul``); as :meth:`run` otherwise."""
        key = (pointers, workspace, alpha, beta)
        found = self._calls.get(key) or self._remember(key)
        status = self._matmul(*found.arguments, self._context.stream)
        if status:
            raise self._error(status)

    def bind(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> BoundProduct:
        """The product at these addresses; whoever keeps it launches without a look-up."""
        return BoundProduct(self, self._make((pointers, workspace, alpha, beta)))

    def _remember(self, key: Any) -> _Call:
        if len(self._calls) >= _MOST_CALLS:
            del self._calls[next(iter(self._calls))]
        found = self._calls[key] = self._make(key)
        return found

    def _make(self, key: tuple[tuple[int, ...], int, float, float]) -> _Call:
        pointers, workspace, alpha, beta = key
        operation, product = self._operation, self._operation.product
        first = self._real(alpha if self._alpha is None else self._alpha)
        second = self._real(beta if self._beta is None else self._beta)
        description = operation.description(0 if product.bias is None else pointers[product.bias])
        a, b, c, d = operation.layouts
        arguments = (
            self._handle.address, description.address, ctypes.addressof(first),
            pointers[product.a.place], a, pointers[product.b.place], b, ctypes.addressof(second),
            pointers[product.c.place], c, pointers[product.d.place], d,
            ctypes.addressof(self._algorithm), workspace, self.workspace,
        )  # fmt: skip
        return _Call(arguments, (first, second, description))

    def _error(self, status: int) -> Exception:
        return self._handle.library.error("cublasLtMatmul", status, self._label)

    def close(self) -> None:
        """Forget the kept arguments. A second call does nothing."""
        self._calls.clear()
