"""Prepared calls of the legacy API: everything but the addresses is in place, and arguments are kept by address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cudnn_ffi import StatusError

from cudnnkit.context import Context
from cudnnkit.graph_launch import Recording
from cudnnkit.operands import Arguments
from cudnnkit.problem import Problem, Scale

__all__ = ["BoundCall", "Call", "LegacyPlan", "bias_gradient_call", "convolution_call", "fused_call"]

_MOST_CALLS = 256
"""Argument lists kept for each plan; beyond it the one made first goes."""


class Call(NamedTuple):
    """A legacy call without addresses.

    Attributes
    ----------
    arguments
        Makes the arguments out of: pointers of the operands in the problem's order, workspace, its size, alpha, beta.
    keep
        Descriptors that must live as long.
    """

    arguments: Callable[[Sequence[Any], Any, int, Any, Any], tuple[Any, ...]]
    keep: tuple[Any, ...]
    zero_beta: bool = False
    unit_alpha: bool = False
    unit_beta: bool = False


def _call(problem: Problem, arguments: Callable[..., tuple[Any, ...]], keep: tuple[Any, ...]) -> Call:
    scale: Scale = problem.beta
    return Call(arguments, keep, scale == "zero", problem.alpha == "one", scale == "one")


def convolution_call(
    problem: Problem, operands: Sequence[Any], places: Sequence[int], convolution: Any, algorithm: int
) -> Call:
    """``cudnnConvolutionForward`` and its two gradients: their arguments are alike."""
    first, second, result = (one._ptr for one in operands)
    a, b, c = places
    what = convolution._ptr

    def arguments(at: Sequence[Any], workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:
        return alpha, first, at[a], second, at[b], what, algorithm, workspace, size, beta, result, at[c]

    return _call(problem, arguments, (*operands, convolution))


def fused_call(
    problem: Problem,
    operands: Sequence[Any],
    places: Sequence[int],
    convolution: Any,
    algorithm: int,
    bias: Any,
    activation: Any,
    bias_place: int,
    added_place: int,
) -> Call:
    """``cudnnConvolutionBiasActivationForward``: activation(alpha * conv(x, w) + alpha2 * z + bias).

    z is the residual, or the old output when beta is not zero; else it is not read, alpha2 being zero.
    """
    x, w, y = (one._ptr for one in operands)
    a, b, c = places
    what, offset, function = convolution._ptr, bias._ptr, activation._ptr

    def arguments(at: Sequence[Any], workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:
        return (
            alpha, x, at[a], w, at[b], what, algorithm, workspace, size,
            beta, y, at[added_place], offset, at[bias_place], function, y, at[c],
        )  # fmt: skip

    made = _call(problem, arguments, (*operands, convolution, bias, activation))
    return made._replace(zero_beta=False, unit_beta=True) if problem.epilogue.residual else made


def bias_gradient_call(problem: Problem, dy: Any, dbias: Any) -> Call:
    """``cudnnConvolutionBackwardBias``."""
    source, result = dy._ptr, dbias._ptr
    roles = [one.role for one in problem.tensors]
    a, b = roles.index("dy"), roles.index("dbias")

    def arguments(at: Sequence[Any], workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return alpha, source, at[a], beta, result, at[b]

    return _call(problem, arguments, (dy, dbias))


class BoundCall:
    """A call with all its arguments; calling it launches on the context's stream."""

    __slots__ = ("_arguments", "_plan")

    def __init__(self, plan: LegacyPlan, arguments: tuple[Any, ...]) -> None:
        self._plan, self._arguments = plan, arguments

    def __call__(self) -> None:
        status = self._plan._function(*self._arguments)
        if status:
            raise self._plan._error(status)


class LegacyPlan(Recording):
    """A prepared legacy call; of short kernels, those that come back are recorded (see ``graph_launch``).

    Attributes
    ----------
    workspace
        Bytes that a launch needs. It grows where a launch shows that a remembered size is too small now.
    stale
        A launch showed that the loaded cuDNN does not serve the problem in this way any more.
    """

    __slots__ = ("_ask", "_call", "_calls", "_function", "_name", "_real", "stale", "workspace")

    _cautious = True  # unlike execution plans, legacy calls are free to allocate

    def __init__(
        self,
        context: Context,
        function: str,
        call: Call,
        workspace: int,
        label: str,
        double: bool,
        ask: Callable[[], int] | None = None,
    ) -> None:
        self.workspace, self.stale = workspace, False
        self._ask = ask  # cuDNN, for the workspace, where `workspace` is a remembered one
        super().__init__(context, label)
        self._call, self._name = call, function
        self._function = getattr(context.library._lib, function)
        self._real = "double *" if double else "float *"
        self._calls: dict[Any, tuple[Any, ...]] = {}

    def run(self, arguments: Arguments, workspace: int) -> None:
        """Launch on the arguments' stream; ``cudnnSetStream`` where it changed.

        Raises
        ------
        StatusError
            cuDNN refused; the message is its last error.
        """
        pointers, stream, alpha, beta = arguments
        if stream != self._context.stream:
            self._context.use_stream(stream)
        self.launch(pointers, workspace, alpha, beta)

    def launch(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> None:
        """Launch on the context's stream; as :meth:`run` otherwise."""
        key = (pointers, workspace, alpha, beta)
        recorder = self._recorder
        if recorder is not None and self._relaunched(recorder, key):
            return
        found = self._calls.get(key) or self._remember(key)
        status = self._function(*found)
        if status:
            error = self._error(status)
            if self._ask is not None:
                self._verify(self._ask)
            raise error

    def _verify(self, ask: Callable[[], int]) -> None:
        """A launch failed with a remembered workspace: ask cuDNN now."""
        self._ask = None
        try:
            needed = ask()
        except StatusError:
            self.stale = True
            return
        if needed > self.workspace:
            self.workspace = needed
            self._calls.clear()  # they tell the size
            self.stop_recording()

    def _plain(self, key: Any) -> Callable[[], int] | None:
        found = self._calls.get(key)
        return None if found is None else lambda: int(self._function(*found))

    def bind(self, pointers: tuple[int, ...], workspace: int, alpha: float = 1.0, beta: float = 0.0) -> BoundCall:
        """The call at these addresses; whoever keeps it launches without a look-up."""
        return BoundCall(self, self._make((pointers, workspace, alpha, beta)))

    def _remember(self, key: Any) -> tuple[Any, ...]:
        if len(self._calls) >= _MOST_CALLS:
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._forget(oldest)
        found = self._calls[key] = self._make(key)
        return found

    def _make(self, key: tuple[tuple[int, ...], int, float, float]) -> tuple[Any, ...]:
        pointers, workspace, alpha, beta = key
        library, call = self._context.library, self._call
        cast = library._ffi.cast
        first = library._new(self._real, 1.0 if call.unit_alpha else alpha)
        second = library._new(self._real, 0.0 if call.zero_beta else 1.0 if call.unit_beta else beta)
        addresses = [cast("void *", one) for one in pointers]
        rest = call.arguments(addresses, cast("void *", workspace), self.workspace, first, second)
        return (self._context.handle._ptr, *rest)

    def _error(self, status: int) -> Exception:
        error: Exception = self._context.library._status_error(self._name, status, candidate=self._label)
        return error

    def close(self) -> None:
        """Forget the kept arguments. A second call does nothing."""
        self.stop_recording()
        self._calls.clear()
