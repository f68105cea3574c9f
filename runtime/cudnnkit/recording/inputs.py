"""A recording's own arguments, and how the contents of others get into them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.layouts import copied_strides
from cudnnkit.arrays.registry import KINDS, view_of
from cudnnkit.request import FRESH_ALIGNMENT

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary, ArrayView

__all__ = ["Copier", "Inputs", "is_array", "same_arrays"]


def is_array(value: Any) -> bool:
    """Whether a leaf is an array of a library that was met already."""
    return type(value) in KINDS


def same_arrays(signed: Sequence[tuple[int, Any]]) -> tuple[int, ...]:
    """For each array, by address and signature, the place of the first that is the same; () where none is another's."""
    first: dict[Any, int] = {}
    same = tuple([first.setdefault(one, place) if 0 not in one[1][0] else place for place, one in enumerate(signed)])
    return same if any(place != one for place, one in enumerate(same)) else ()


class Copier:
    """Copies of arrays like one; `name` is what that is called in errors."""

    __slots__ = ("_copy", "_make")

    def __init__(self, array: Any, name: str) -> None:
        view = view_of(array, name)
        strides = copied_strides(view.shape, view.strides)
        self._make = view.library.maker(view.shape, strides, view.dtype, view.device)
        self._copy = view.library.kernels.copy

    def __call__(self, array: Any) -> Any:
        made = self._make()
        self._copy(array, made)
        return made


class Inputs:
    """The leaves of a recording's arguments; its arrays stay where they are.

    Arguments that are one array are one here, too; else no two share memory.

    Parameters
    ----------
    leaves
        The arguments of the first call; the arrays among them are on one device.
    library
        Whose arrays they are.
    static
        Take arrays as they are. Those that are not dense, that are aligned worse than the library's own, that share
        memory with another before, or that are `foreign` are copied all the same.
    foreign
        Places of arrays that another library owns: it may have promised that they never change.

    Attributes
    ----------
    leaves
        The recording's own.
    nbytes
        What the copies among them take.
    """

    def __init__(
        self, leaves: Sequence[Any], library: ArrayLibrary, *, static: bool = False, foreign: Collection[int] = ()
    ) -> None:
        self.leaves = list(leaves)
        self.nbytes = 0
        taken: list[ArrayView] = []
        arrays = [place for place, leaf in enumerate(leaves) if is_array(leaf)]
        same = same_arrays([library.sign(leaves[place]) for place in arrays])
        self._again = [(arrays[at], arrays[one]) for at, one in enumerate(same) if at != one]
        """Places of arrays that stand at an earlier place, too, and that place."""
        once = sorted(set(arrays) - {place for place, _ in self._again})
        for place in once:
            leaf = leaves[place]
            view = view_of(leaf, f"argument {place}")
            as_it_is = static and place not in foreign and _as_new(view)
            if as_it_is and not any(view.overlaps(one) for one in taken):
                taken.append(view)
            else:
                self.leaves[place] = library.lasting(Copier(leaf, f"argument {place}")(leaf))
                self.nbytes += view.nbytes
        self._slots = [
            _slot(place, view_of(leaves[place], "argument"), view_of(self.leaves[place], "argument")) for place in once
        ]
        self._repeat()
        extents = sorted(one.extent for one in self.views if one.size)
        self._begins, self._ends = [low for low, _ in extents], [high for _, high in extents]
        self._pointer, self._sign, self._copy = library.pointer, library.sign, library.kernels.copy
        # A caller may give an array of his other memory (torch's `x.data = ...`); the graph reads what was recorded.
        self._kept = [
            (place, self._sign(self.leaves[place]), library.alias(self.leaves[place])) for place, *_ in self._slots
        ]

        # Where they are dense in place of arrays with gaps.
        self._filled = [
            (place, pointer)
            for (place, at, *_), (_, (pointer, _), _) in zip(self._slots, self._kept, strict=True)
            if at < 0
        ]

    @property
    def views(self) -> list[ArrayView]:
        """The arrays, described."""
        return [view_of(leaf, f"argument {place}") for place, leaf in enumerate(self.leaves) if is_array(leaf)]

    def _repeat(self) -> None:
        for place, earlier in self._again:
            self.leaves[place] = self.leaves[earlier]

    def settle(self) -> bool:
        """Put arrays over the recorded memory in place of those that left it; False where that memory is gone."""
        for place, recorded, kept in self._kept:
            if self._sign(self.leaves[place]) != recorded:
                if self._sign(kept) != recorded:
                    return False
                self.leaves[place] = kept
                self._repeat()
        return True

    def matches(self, leaves: Sequence[Any]) -> int:
        """How many of these arrays begin where the recording's own ones do; the signature is the own arrays'."""
        return sum(self._pointer(leaves[place]) == recorded[0] for place, recorded, _ in self._kept)

    def meant(self, leaves: Sequence[Any]) -> bool:
        """Whether these arrays are the recording's own wherever the first call's had gaps."""
        return all(self._pointer(leaves[place]) == pointer for place, pointer in self._filled)

    def receive(self, leaves: Sequence[Any], pointers: Sequence[int]) -> bool:
        """Copy the contents of other arrays of the same signature; one that is the recording's own stays as it is.

        False where the recorded memory is gone: nothing was copied.
        """
        if not self.settle():
            return False
        ends, near = self._ends, False
        waiting: list[tuple[Any, Any]] = []
        for place, own, back, ahead in self._slots:
            given, target = leaves[place], self.leaves[place]
            at = pointers[place]
            if at != own and given is not target:
                waiting.append((given, target))
                following = bisect_right(ends, at - back)
                near = near or (following < len(ends) and self._begins[following] < at + ahead)
        for source, target in _apart(waiting) if near else waiting:
            self._copy(source, target)
        return True

    def drop(self) -> None:
        """Let go of all arrays."""
        self.leaves, self._slots, self._kept, self._filled, self._again = [], [], [], [], []


def _as_new(view: ArrayView) -> bool:
    """Whether it is laid out and aligned as a copy would be, so that a recording of it serves all others as well."""
    if not view.size:
        return True
    return view.alignment == FRESH_ALIGNMENT and copied_strides(view.shape, view.strides) == tuple(view.strides)


def _slot(place: int, leaf: ArrayView, own: ArrayView) -> tuple[int, int, int, int]:
    """Place, and the address where an array is the recording's own; how far others reach back and ahead of theirs.

    An array with gaps may begin where the recording's dense one does, and is another all the same.
    """
    (low, high), (own_low, own_high) = leaf.extent, own.extent
    return (
        place, own.pointer if leaf.strides == own.strides else -1, max(leaf.pointer - low, own.pointer - own_low),
        max(high - leaf.pointer, own_high - own.pointer),
    )  # fmt: skip


def _apart(waiting: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The same, with a copy in place of each array that lies in what is about to be written."""
    written = [view_of(target, "argument") for _, target in waiting]
    return [
        (Copier(given, "argument")(given) if any(map(view_of(given, "argument").overlaps, written)) else given, target)
        for given, target in waiting
    ]
