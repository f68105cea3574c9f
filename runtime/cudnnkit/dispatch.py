"""From a call to its prepared plan, in microseconds.

Each thread keeps what it prepared in a table by the call's signature: shapes, strides, types, device and alignment of
the arrays, the other arguments, and the policy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from cudnnkit.arrays.registry import KINDS, adopt, check_signature, foreign, kind_of
from cudnnkit.decompose.setting import Setting
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import is_number
from cudnnkit.policy import Policy, get_policy, known_policy, resolve_policy
from cudnnkit.prepared import Prepared, fresh
from cudnnkit.problem import Problem, scale_class
from cudnnkit.request import Call, Request, mixed_places, operands_of
from cudnnkit.rooms import ACTIVE
from cudnnkit.thread_plans import MOST_PLANS, local
from cudnnkit.tuner import GENERATION, tuner
from cudnnkit.unknown_argument import no_such_argument

__all__ = [
    "MOST_PLANS", "Operation", "call", "describe", "dropped", "filled", "intercepted", "new_output", "prepare",
    "watching",
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Operation:
    """One operation as users call it.

    Attributes
    ----------
    name
        Its public name.
    names
        Names of its arrays, in the problem's order.
    describe
        Describes a call, or raises what is wrong with it.
    writes
        Some of its arrays are written beside the result: every call checks their addresses.
    """

    name: str
    names: tuple[str, ...]
    describe: Callable[[Call], Request]
    writes: bool = False


def call(
    operation: Operation,
    arrays: tuple[Any, ...],
    out: Any,
    statics: tuple[Any, ...],
    alpha: float,
    beta: float,
    policy: Policy | None,
    limits: dict[str, Any],
) -> Any:
    """Run an operation; the one way that every public function takes.

    Parameters
    ----------
    operation
        Which one.
    arrays
        Its arrays, None where left out.
    out
        The given output or None.
    statics
        Every other argument.
    alpha, beta
        Scaling factors.
    policy, limits
        The call's policy, and changes to it.
    """
    thread = local.thread
    if thread.intercept is not None:
        thread.last = None
        return thread.intercept(operation, arrays, out, statics, alpha, beta, policy, limits)
    kinds = KINDS
    chosen = get_policy() if policy is None else policy
    try:
        pointers: list[int] = []
        given: list[Any] = []
        key: list[Any] = [operation, id(chosen), statics]
        low = 0
        for array in arrays:
            if array is None:
                key.append(None)
            else:
                pointer, signature = kinds[type(array)](array)
                low |= pointer
                pointers.append(pointer)
                given.append(array)
                key.append(signature)
        if out is not None:
            there, signature = kinds[type(out)](out)
            low |= there
            key.append(signature)
            if there in pointers:
                key.append(tuple([pointer == there for pointer in pointers]))
        if low & 15:
            key.append(tuple([pointer & 15 for pointer in pointers]))
            if out is not None:
                key.append(there & 15)
        if alpha != 1.0 or beta != 0.0:
            key.append(_scales(alpha, beta))
        if limits:
            key.append((*limits.items(), *map(type, limits.values())))  # 1 equals True, and is no switch
        where = tuple(key)
        if thread.generation != GENERATION[0]:
            thread.forget()
        prepared = thread.young.get(where) or thread.find(where)
    except (KeyError, TypeError, ValueError, OverflowError, RuntimeError):
        prepared, where = None, ()
    first = None
    if prepared is None:
        if not where:  # here, so that what is wrong with the call is not shown as an error during a look-up
            return _unusual(operation, arrays, out, statics, alpha, beta, policy, limits)
        if isinstance(chosen, Policy):
            chosen = known_policy(chosen)
            key[1] = id(chosen)
            where = tuple(key)
            prepared = thread.young.get(where) or thread.find(where)
        if prepared is None:
            prepared, first = prepare(operation, arrays, out, statics, alpha, beta, policy, limits)
            prepared.kept = chosen  # an id in a key stays its own only while the object lives
            thread.add(where, prepared)
    if out is None:
        if first is None:
            try:
                result = prepared.make() if not ACTIVE else prepared.planned()
            except Exception:  # whatever the array library says when memory runs out
                result = prepared.new()
        else:
            result = first
        there = prepared.pointer(result)
    else:
        result = out
        prepared.check_overlap(pointers, there)
    pointers.append(there)
    given.append(result)
    if operation.writes:
        prepared.request.check_written(pointers)
        thread.last = prepared
    if prepared.watch and first is None:
        prepared.revisit(tuple(pointers), tuple(given), alpha, beta)
    prepared.launch(tuple(pointers), tuple(given), alpha, beta)
    return result


def filled() -> str:
    """What the thread's last call of an operation that `writes` left in its reserve, in words; empty for nothing."""
    last = local.thread.last
    return "" if last is None else last.fills


def _scales(alpha: Any, beta: Any) -> tuple[Any, ...]:
    """What a signature holds of the factors: all but their values, which may change from call to call."""
    finite = isfinite(alpha) and isfinite(beta)  # others, which an operation refuses, must not find its plan
    return scale_class(alpha), scale_class(beta), type(alpha), type(beta), finite


def _check_scales(alpha: Any, beta: Any) -> None:
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not is_number(value):
            raise ArgumentTypeError(name, value, "must be a plain number")
        if not isfinite(value):
            raise ArgumentError(name, value, "must be a finite number")


def _freeze(value: Any) -> Any:
    """Tuples in place of lists."""
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value


def _unusual(
    operation: Operation,
    arrays: tuple[Any, ...],
    out: Any,
    statics: tuple[Any, ...],
    alpha: float,
    beta: float,
    policy: Policy | None,
    limits: dict[str, Any],
) -> Any:
    """A type that was not seen yet, a foreign array, a list among the arguments: made usual, and called again."""
    _check_scales(alpha, beta)
    frozen, inputs, target = usual(operation, arrays, out, statics)
    try:
        hash((frozen, tuple(limits.items())))
    except (TypeError, ValueError):
        bad = next(one for one in (*frozen, *limits.values()) if not _hashable(one))
        raise ArgumentTypeError("argument", bad, "of a type that no argument of this operation has") from None
    result = call(operation, inputs, target, frozen, alpha, beta, policy, limits)
    return result if out is None else out


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except (TypeError, ValueError):  # the latter of a writable memoryview
        return False
    return True


def usual(
    operation: Operation, arrays: tuple[Any, ...], out: Any, statics: tuple[Any, ...]
) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
    """Statics without lists, arrays of known kinds, the output likewise.

    Raises
    ------
    ArgumentTypeError
        An argument is no GPU array, or one without an address and strides.
    """
    like = None
    for name, array in zip(operation.names, arrays, strict=True):
        if array is not None and not foreign(array):
            like = like or kind_of(array, name).library
    inputs = tuple(
        None if array is None else adopt(array, name, like) for name, array in zip(operation.names, arrays, strict=True)
    )
    target = None if out is None else adopt(out, "out", like)
    for name, array in (*zip(operation.names, inputs, strict=True), ("out", target)):
        if array is not None:
            check_signature(array, name)
    try:
        return _freeze(statics), inputs, target
    except RecursionError:
        raise ArgumentTypeError("argument", "sequences", "are nested without end") from None


def prepare(
    operation: Operation,
    arrays: tuple[Any, ...],
    out: Any,
    statics: tuple[Any, ...],
    alpha: float,
    beta: float,
    policy: Policy | None,
    limits: dict[str, Any],
) -> tuple[Prepared, Any]:
    """The plan of a call, and its output array, which is new where none was given."""
    made, request, setting = describe(operation, arrays, out, statics, alpha, beta, policy, limits)
    result = out if out is not None else new_output(request)
    given = [*(one for one in arrays if one is not None), result]
    return Prepared(request, setting, operands_of(request, given, made), mixed_places(request, given)), result


def new_output(request: Request) -> Any:
    """A new array for a result.

    Raises
    ------
    OutOfMemoryError
        There is no memory for it, workspaces given back.
    """

    def make() -> Any:
        return request.library.empty(request.out_shape, request.out_strides, request.out_dtype, request.device).source

    try:
        return make()
    except Exception:  # whatever the array library says when memory runs out
        return fresh(make, request)


def describe(
    operation: Operation,
    arrays: tuple[Any, ...],
    out: Any,
    statics: tuple[Any, ...],
    alpha: float,
    beta: float,
    policy: Policy | None,
    limits: dict[str, Any],
) -> tuple[Call, Request, Setting]:
    """A call described, without running anything.

    Raises
    ------
    ArgumentError
        Something is wrong with the call.
    """
    try:
        resolved = resolve_policy(policy, **limits)
    except ArgumentTypeError:
        raise
    except Exception as error:
        name = getattr(error, "argument", "")
        if name in limits and "no such policy field" in str(error):
            raise ArgumentTypeError(name, limits[name], no_such_argument(name, operation.name)) from None
        raise
    _check_scales(alpha, beta)
    made = Call(arrays, operation.names, out, statics, float(alpha), float(beta), resolved, tuner())
    request = operation.describe(made)
    setting = Setting(
        made.tuner,
        resolved,
        request.library,
        request.device,
        request.axis,
        request.library.capturing(request.device),
        out is not None,
    )
    return made, request, setting


def intercepted(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any], catch: Callable[..., Any]
) -> Any:
    """What `catch` answers for the call that `function`, which is called, would make."""
    thread = local.thread
    answers: list[Any] = []
    before = thread.intercept

    def intercept(operation: Operation, arrays: Any, out: Any, statics: Any, *rest: Any) -> Any:
        thread.intercept = None
        frozen, inputs, target = usual(operation, arrays, out, statics)
        answers.append(catch(operation, inputs, target, frozen, *rest))
        return None

    thread.intercept = intercept
    try:
        function(*arguments, **keywords)
    finally:
        thread.intercept = before
    if not answers:
        raise ArgumentTypeError("function", function, "calls no operation of cudnnkit, such as cudnnkit.conv2d")
    return answers[0]


@contextlib.contextmanager
def watching(notice: Callable[[Request, Setting], None], *, run: bool = True) -> Iterator[None]:
    """Tell `notice` of each call that this thread makes in a block, before it runs.

    Parameters
    ----------
    notice
        Takes the call described, and where it runs. Calls with nothing to compute are not told.
    run
        False: no call runs; its result is a new array with any content, or the given one as it is.
    """
    thread = local.thread
    before = thread.intercept

    def intercept(operation: Operation, arrays: Any, out: Any, statics: Any, *rest: Any) -> Any:
        frozen, inputs, target = usual(operation, arrays, out, statics)
        thread.intercept = before
        try:
            _, request, setting = describe(operation, inputs, target, frozen, *rest)
            if request.trivial is None:
                notice(request, setting)
                if not run:
                    return new_output(request) if out is None else out
            return call(operation, arrays, out, statics, *rest)
        finally:
            thread.intercept = intercept

    thread.intercept = intercept
    try:
        yield
    finally:
        thread.intercept = before


def dropped(problem: Problem) -> None:
    """Forget what this thread prepared for a problem; its next call prepares the decision as of then."""
    local.thread.drop(problem)
