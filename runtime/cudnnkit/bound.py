"""A call bound to its signature: looked up once, run many times."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from threading import get_ident
from typing import Any

from cudnnkit.arrays.registry import KINDS, kind_of
from cudnnkit.choice import Choice
from cudnnkit.dispatch import Operation, describe, prepare
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.prepared import Prepared
from cudnnkit.problem import Problem
from cudnnkit.request import check_writable
from cudnnkit.rooms import ACTIVE
from cudnnkit.tuner import GENERATION

__all__ = ["Plan"]


class Plan:
    """An operation with everything chosen and prepared; made by :func:`plan`.

    Calling it costs the host less than the one-shot function, least of all with the same arrays as the last time, and
    it can be captured in a CUDA graph. Any thread may call it: each prepares its own copy at its first call, as all do
    after a pin, without a search where the decision is known.
    """

    __slots__ = (
        "_again", "_generation", "_local", "_names", "_order", "_prepared", "_scales", "_seen", "_signs", "_thread",
        "_traits",
    )  # fmt: skip

    def __init__(
        self,
        parameters: tuple[str, ...],
        operation: Operation,
        arrays: tuple[Any, ...],
        out: Any,
        statics: tuple[Any, ...],
        *rest: Any,
    ) -> None:
        given = [(name, one) for name, one in zip(operation.names, arrays, strict=True) if one is not None]
        # The function's order; what it makes itself beside its result follows.
        places = {name: place for place, name in enumerate(parameters)}
        called = sorted(given, key=lambda pair: places.get(pair[0], len(places)))
        self._names = tuple([name for name, _ in called])
        order = tuple([self._names.index(name) for name, _ in given])
        self._order = None if order == tuple(sorted(order)) else order
        self._signs = tuple([self._sign(one, name) for name, one in called])
        self._scales = float(rest[0]), float(rest[1])
        self._seen: tuple[Any, tuple[int, ...]] = None, ()
        self._local = threading.local()
        self._thread, self._generation = threading.get_ident(), GENERATION[0]
        self._prepared: Prepared = prepare(operation, arrays, out, statics, *rest)[0]
        self._traits = [_traits(one, name) for name, one in called]
        self._again: Callable[[tuple[Any, ...], Any], Problem] | None = None
        if operation.writes:
            there = [one is not None for one in arrays]

            def again(others: tuple[Any, ...], target: Any) -> Problem:
                left = iter(others)
                every = tuple([next(left) if one else None for one in there])
                return describe(operation, every, target, statics, *rest)[1].problem

            self._again = again

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
        """What was chosen for the calling thread, first what it runs now; None where there is nothing to compute."""
        return self._own().in_use

    @property
    def workspace(self) -> int:
        """Bytes of workspace that a call needs."""
        return self._own().workspace

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it.

        Parameters
        ----------
        arrays
            Those that the plan was made with, in the order of its function's parameters, with the same shapes,
            strides, types and device, at least as well aligned. Arrays that the function makes beside its result, as
            :func:`batch_norm_training` makes mean and inverse_std, come last.
        out
            As in the function; needed where the plan reads it, which a `beta` other than 0 does, or an input that was
            the output when the plan was made.

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
        signed: list[tuple[int, Any] | None] | None
        try:
            signed = [kinds[type(one)](one) for one in arrays]
            signed.append(None if out is None else kinds[type(out)](out))
        except KeyError:  # of a type that was not met yet, or no array
            signed = None
        seen, pointers = self._seen
        if signed is None or signed != seen:
            pointers = self._look(prepared, arrays, out, signed)
        alpha, beta = self._scales
        if self._order is not None:
            arrays = tuple([arrays[place] for place in self._order])
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
        self, prepared: Prepared, arrays: tuple[Any, ...], out: Any, signed: list[tuple[int, Any] | None] | None
    ) -> tuple[int, ...]:
        """The addresses of operands that are not those of the last call, in the problem's order, after every check."""
        if len(arrays) != len(self._names):
            count, names = len(self._names), ", ".join(self._names)
            raise ArgumentTypeError("arrays", len(arrays), f"is how many were given; the plan takes {count}: {names}")
        if signed is None:
            signed = [kind_of(one, name).sign(one) for one, name in zip(arrays, self._names, strict=True)]
            signed.append(None if out is None else kind_of(out, "out").sign(out))
        *inputs, target = signed
        found: list[int] = []
        for place, (name, (signature, low)) in enumerate(zip(self._names, self._signs, strict=True)):
            pointer, own = inputs[place] or (0, None)
            if own != signature and not _readable_alike(arrays[place], own, signature):
                raise _unlike(name, arrays[place], self._traits[place])
            if pointer & 15 != low and not _aligned(pointer, low):
                raise ArgumentError(name, hex(pointer), "is aligned worse than the plan's array")
            found.append(pointer)
        pointers = tuple(found if self._order is None else [found[place] for place in self._order])
        if target is not None:
            there, signature = target
            if signature != prepared.out_signature:
                self._check_out(prepared, out, signature)
            if (there & -there or 16) < prepared.request.problem.tensors[-1].alignment:
                raise ArgumentError("out", hex(there), "is aligned worse than the plan's result")
            prepared.check_overlap(pointers, there)
        self._check_shared(prepared, pointers, None if target is None else target[0])
        ordered = arrays if self._order is None else tuple([arrays[place] for place in self._order])
        if self._again is not None and self._again(ordered, out) != self.problem:
            hint = "share memory with others in another way than when the plan was made; make another plan"
            raise ArgumentError("arrays", ", ".join(self._names), hint)
        # Addresses and signatures, not the arrays: nothing is kept alive, and an array changed in place is noticed.
        self._seen = signed, pointers if target is None else (*pointers, target[0])
        return self._seen[1]

    @staticmethod
    def _check_out(prepared: Prepared, out: Any, signature: Any) -> None:
        view, request = kind_of(out, "out").library.view(out, "out"), prepared.request
        expected = request.out_shape, request.out_strides, request.out_dtype, request.device
        if (view.shape, view.strides, view.dtype, view.device) != expected:
            found = view.shape, view.strides, view.dtype
            raise ArgumentError("out", found, f"is not like the plan's result, {expected[:3]}")
        check_writable("out", view)
        prepared.out_signature = signature

    def _check_shared(self, prepared: Prepared, pointers: tuple[int, ...], there: int | None) -> None:
        """The output is the inputs that it was when the plan was made, and no other; and there is one if it is read."""
        aliasing = prepared.request.problem.aliasing
        out = prepared.request.problem.tensors[-1].role
        known = {role for pair in aliasing if out in pair for role in pair} - {out}
        if prepared.request.trivial is not None:
            return  # empty arrays have one address, if any
        shared = {role for role, pointer in zip(prepared.roles, pointers, strict=True) if pointer == there}
        if there is None and (known or self._scales[1]):
            reason = f"the output was its {', '.join(sorted(known))}" if known else f"beta is {self._scales[1]:g}"
            raise ArgumentError("out", None, f"is needed by this plan: {reason} when it was made")
        if shared != known:
            was, now = (", ".join(sorted(roles)) or "no input" for roles in (known, shared))
            raise ArgumentError("out", f"the array of {now}", f"was {was} when the plan was made; make another plan")

    def _own(self) -> Prepared:
        here = self._thread == get_ident() and self._generation == GENERATION[0]
        return self._prepared if here else self._elsewhere()

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
        there = self._thread == get_ident() and self._generation == GENERATION[0]
        prepared: Prepared = self._prepared if there else getattr(self._local, "prepared", self._prepared)
        best = "nothing to compute" if prepared.in_use is None else str(prepared.in_use.best.id)
        return f"<Plan of {self.problem.label}: {best}>"


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
