"""A call bound to its signature: looked up once, run many times; and what else there is to say about one call."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from threading import get_ident
from typing import Any

from cudnnkit.arrays.registry import KINDS, kind_of
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.choice import Alternative, Choice
from cudnnkit.dispatch import Operation, describe, intercepted, new_output, prepare
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.graph_launch import records
from cudnnkit.prepared import Prepared
from cudnnkit.problem import Problem
from cudnnkit.report import Row, SearchReport
from cudnnkit.request import check_writable, operands_of
from cudnnkit.rooms import ACTIVE
from cudnnkit.tuner import GENERATION

__all__ = ["Explanation", "Plan", "explain", "pin", "plan", "unpin"]

_NO_OPERATION = "is no operation of cudnnkit; name one, such as cudnnkit.conv2d, and what it would be called with"


class Plan:
    """An operation with everything chosen and prepared; made by :func:`plan`.

    Calling it costs the host less than the one-shot function, least of all with the same arrays as the last time, and
    it can be captured in a CUDA graph. Any thread may call it: each prepares its own copy at its first call, without a
    search.
    """

    __slots__ = ("_generation", "_local", "_names", "_prepared", "_scales", "_seen", "_signs", "_thread", "_traits")

    def __init__(self, operation: Operation, arrays: tuple[Any, ...], out: Any, statics: tuple[Any, ...], *rest: Any):
        self._names = tuple(name for name, one in zip(operation.names, arrays, strict=True) if one is not None)
        given = [one for one in arrays if one is not None]
        self._signs = tuple(self._sign(one, name) for one, name in zip(given, self._names, strict=True))
        self._scales = float(rest[0]), float(rest[1])
        self._seen: tuple[Any, tuple[int, ...]] = None, ()
        self._local = threading.local()
        self._thread, self._generation = threading.get_ident(), GENERATION[0]
        self._prepared: Prepared = prepare(operation, arrays, out, statics, *rest)[0]
        self._traits = [_traits(one, name) for one, name in zip(given, self._names, strict=True)]

    @staticmethod
    def _sign(array: Any, name: str) -> tuple[Any, int]:
        pointer, signature = kind_of(array, name).sign(array)
        return signature, pointer & 15

    @property
    def problem(self) -> Problem:
        """What it computes."""
        return self._prepared.request.problem

    @property
    def choice(self) -> Choice | None:
        """What was chosen; None where there is nothing to compute."""
        return self._prepared.choice

    @property
    def workspace(self) -> int:
        """Bytes of workspace that a call needs."""
        return self._prepared.workspace

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it.

        Parameters
        ----------
        arrays
            Those that the plan was made with, in its function's order, with the same shapes, strides, types and
            device, at least as well aligned.
        out
            As in the function.

        Returns
        -------
        array
            The result: `out` if given.

        Raises
        ------
        ArgumentError
            An array is not like the one that the plan was made with.
        OutOfMemoryError
            There is no memory for the result or for any candidate's workspace.
        """
        prepared = self._prepared
        if self._thread != get_ident() or self._generation != GENERATION[0]:
            prepared = self._elsewhere()
        kinds = KINDS
        signed: list[tuple[int, Any]] | None
        try:
            signed = [kinds[type(one)](one) for one in arrays]
            if out is not None:
                signed.append(kinds[type(out)](out))
        except KeyError:  # of a type that was not met yet, or no array
            signed = None
        seen, pointers = self._seen
        if signed is None or signed != seen:
            pointers = self._look(prepared, arrays, out, signed)
        alpha, beta = self._scales
        if out is None:
            try:
                out = prepared.make() if not ACTIVE else prepared.planned()
            except Exception:  # whatever the array library says when memory runs out
                out = prepared.new()
            pointers = *pointers, prepared.pointer(out)
        if prepared.watch:
            prepared.revisit(pointers, (*arrays, out), alpha, beta)
        prepared.launch(pointers, (*arrays, out), alpha, beta)
        return out

    def _look(
        self, prepared: Prepared, arrays: tuple[Any, ...], out: Any, signed: list[tuple[int, Any]] | None
    ) -> tuple[int, ...]:
        """The addresses of operands that are not those of the last call, after every check."""
        if len(arrays) != len(self._names):
            raise ArgumentTypeError("arrays", len(arrays), f"are not the plan's {', '.join(self._names)}")
        if signed is None:
            signed = [kind_of(one, name).sign(one) for one, name in zip(arrays, self._names, strict=True)]
            if out is not None:
                signed.append(kind_of(out, "out").sign(out))
        for place, (name, (pointer, found), (signature, low)) in enumerate(
            zip(self._names, signed, self._signs, strict=False)
        ):
            if found != signature and not _readable_alike(arrays[place], found, signature):
                raise _unlike(name, arrays[place], self._traits[place])
            if pointer & 15 != low and not _aligned(pointer, low):
                raise ArgumentError(name, hex(pointer), "is aligned worse than the plan's array")
        pointers = tuple([pointer for pointer, _ in signed])
        if out is not None:
            inputs, (there, signature) = pointers[:-1], signed[-1]
            if signature != prepared.out_signature:
                self._check_out(prepared, out, signature)
            if (there & -there or 16) < prepared.request.problem.tensors[-1].alignment:
                raise ArgumentError("out", hex(there), "is aligned worse than the plan's result")
            prepared.check_overlap(inputs, there)
            if there in inputs:
                self._check_shared(prepared, inputs, there)
        # Addresses and signatures, not the arrays: nothing is kept alive, and an array changed in place is noticed.
        self._seen = signed, pointers
        return pointers

    @staticmethod
    def _check_out(prepared: Prepared, out: Any, signature: Any) -> None:
        view, request = kind_of(out, "out").library.view(out, "out"), prepared.request
        expected = request.out_shape, request.out_strides, request.out_dtype, request.device
        if (view.shape, view.strides, view.dtype, view.device) != expected:
            found = view.shape, view.strides, view.dtype
            raise ArgumentError("out", found, f"is not like the plan's result, {expected[:3]}")
        check_writable("out", view)
        prepared.out_signature = signature

    @staticmethod
    def _check_shared(prepared: Prepared, pointers: tuple[int, ...], there: int) -> None:
        shared = {prepared.roles[place] for place, one in enumerate(pointers) if one == there}
        known = {role for pair in prepared.request.problem.aliasing for role in pair}
        if not shared <= known:
            raise ArgumentError("out", "the same array as an input", "was not so when the plan was made")

    def _elsewhere(self) -> Prepared:
        """The calling thread's own copy."""
        local = self._local
        if getattr(local, "generation", None) != GENERATION[0]:
            mine = self._prepared
            capturing = mine.request.library.capturing(mine.request.device)
            local.prepared = Prepared(mine.request, replace(mine.setting, capturing=capturing), None, mine.mixed)
            local.generation = GENERATION[0]
        found: Prepared = local.prepared
        return found

    def __repr__(self) -> str:
        best = "nothing to compute" if self.choice is None else str(self.choice.best.id)
        return f"<Plan of {self.problem.label}: {best}>"


def plan(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Plan:
    """The plan of a call: chosen, by a search if need be, and prepared, but not run.

    Parameters
    ----------
    function
        An operation of cudnnkit.
    arguments, keywords
        What it would be called with. The arrays' contents do not matter, unless they are measured on.

    Returns
    -------
    Plan
        To be called with arrays like these.

    Raises
    ------
    ArgumentTypeError
        The function is no operation, or an argument is missing.
    ArgumentError, UnsupportedError, OutOfMemoryError
        As the function itself.

    Examples
    --------
    >>> step = plan(conv2d, x, w, b, padding=1, activation="relu")  # doctest: +SKIP
    >>> step(x, w, b, out=y)  # doctest: +SKIP
    """
    found: Plan = _caught(function, arguments, keywords, Plan)
    return found


def _caught(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any], catch: Callable[..., Any]
) -> Any:
    """What `catch` answers for the call that `function` would make. Only operations of cudnnkit are called."""
    operation = function.func if isinstance(function, partial) else function
    if not str(getattr(operation, "__module__", "")).startswith("cudnnkit.ops."):
        raise ArgumentTypeError("function", function, _NO_OPERATION)
    try:
        inspect.signature(function).bind(*arguments, **keywords)
    except TypeError as error:
        hint = f"{error}; give what {operation.__name__} would be called with"
        raise ArgumentTypeError("function", operation.__name__, hint) from None
    return intercepted(function, arguments, keywords, catch)


def _traits(array: Any, name: str) -> dict[str, Any]:
    view = kind_of(array, name).library.view(array, name)
    return {
        "shape": view.shape,
        "layout (strides in elements)": view.strides,
        "type": view.dtype,
        "device": view.device,
    }


def _readable_alike(array: Any, found: Any, wanted: Any) -> bool:
    """Whether signatures differ only in whether the array may be written, which they tell of NumPy's at their end."""
    return kind_of(array, "array").library.name == "numpy" and found[:-1] == wanted[:-1]


def _unlike(name: str, array: Any, wanted: dict[str, Any]) -> ArgumentError:
    """What tells an array from the plan's: the first of its traits that differs."""
    for what, found in _traits(array, name).items():
        if found != wanted[what]:
            hint = f"its {what} differs from the plan's, {wanted[what]}; make another plan for such arrays"
            return ArgumentError(name, found, hint)
    return ArgumentError(name, array, "is kept in another way than the plan's array; make another plan for it")


def _aligned(pointer: int, low: int) -> bool:
    """Whether an address is at least as well aligned as one that ends in `low`."""
    return (pointer & -pointer or 16) >= (low & -low or 16)


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a call runs as it does; its text is a table of every candidate, its echo at a prompt one line.

    Attributes
    ----------
    problem
        The problem.
    choice
        What was chosen, with what it falls back on; None where there is nothing to compute.
    report
        Every candidate with time, workspace, notes, and why or why not; None where there is nothing to compute.
    """

    problem: Problem
    choice: Choice | None
    report: SearchReport | None

    @property
    def pinned(self) -> bool:
        """Whether the choice was made by :func:`pin`, not by a search."""
        return self.choice is not None and self.choice.pinned

    def to_json(self) -> Mapping[str, Any]:
        """Plain data."""
        return {
            "problem": self.problem.to_json(),
            "choice": None if self.choice is None else [one.to_json() for one in self.choice.chain],
            "pinned": self.pinned,
            "report": None if self.report is None else self.report.to_json(),
        }

    def __str__(self) -> str:
        if self.report is None or self.choice is None:
            return f"{self.problem.label}: nothing to compute"
        best = self.choice.best
        again = "; a launch that comes back is recorded as a CUDA graph" if records(best) else ""
        pinned = ", pinned until ck.unpin" if self.pinned else ""
        return f"{self.report.text()}\nin use: {best.id}{pinned}{again}"

    def __repr__(self) -> str:
        used = "nothing to compute" if self.choice is None else f"in use: {self.choice.best.id}; print it for the table"
        return f"<Explanation of {self.problem.label}; {used}>"


def explain(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Explanation:
    """Why a call runs as it does: every candidate with time, workspace, precision, notes, and the reason.

    It chooses if nothing was chosen yet; a decision that came from disk is explained by measuring anew, and stays.

    Parameters
    ----------
    function, arguments, keywords
        As in :func:`plan`.

    Returns
    -------
    Explanation
        Printed, a table of every candidate.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`plan`.
    """

    def catch(operation: Operation, arrays: Any, out: Any, *rest: Any) -> Explanation:
        call, request, setting = describe(operation, arrays, out, *rest)
        if request.trivial is not None:
            return Explanation(request.problem, None, None)
        target = new_output(request) if out is None else out
        operands = operands_of(request, [*(one for one in arrays if one is not None), target], call)
        report = call.tuner.explain(request.problem, setting, operands)
        decision = call.tuner.cache.peek(request.problem)
        return Explanation(request.problem, decision if isinstance(decision, Choice) else None, report)

    found: Explanation = _caught(function, arguments, keywords, catch)
    return found


def pin(
    candidate: Row | Description | Alternative | CandidateId,
    function: Callable[..., Any],
    /,
    *arguments: Any,
    **keywords: Any,
) -> None:
    """Make a candidate the answer to a call's problem, here and on disk, until :func:`unpin`.

    Parameters
    ----------
    candidate
        A row of :func:`explain`'s report, or of that row its description or ``description.id``; or a choice's
        alternative.
    function, arguments, keywords
        As in :func:`plan`.

    Raises
    ------
    ArgumentError
        It is no candidate, or the policy does not admit it.
    Exception
        The candidate cannot be prepared for this problem.

    Examples
    --------
    >>> rows = explain(conv2d, x, w, padding=1).report.rows  # doctest: +SKIP
    >>> pin(rows[2], conv2d, x, w, padding=1)  # doctest: +SKIP
    """
    if isinstance(candidate, Row):
        candidate = candidate.description
    one = candidate.id if isinstance(candidate, Description | Alternative) else candidate
    if not isinstance(one, CandidateId):
        raise ArgumentTypeError("candidate", one, "must be a row of cudnnkit.explain(...).report.rows, or its id")

    def catch(*call: Any) -> None:
        made, request, setting = describe(*call)
        made.tuner.pin(request.problem, one, setting)

    _caught(function, arguments, keywords, catch)


def unpin(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> None:
    """Forget what is known of a call's problem, here and on disk; the next call chooses anew.

    Parameters
    ----------
    function, arguments, keywords
        As in :func:`plan`; nothing is computed.

    Raises
    ------
    ArgumentError
        As :func:`plan`. A problem of which nothing is known is no error.
    """

    def catch(*call: Any) -> None:
        made, request, _ = describe(*call)
        made.tuner.unpin(request.problem)

    _caught(function, arguments, keywords, catch)
