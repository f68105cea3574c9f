"""What a recording depends on: the signature of a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.registry import KINDS, adopt, foreign, kind_of, view_of
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.policy import Policy
from cudnnkit.recording.inputs import is_array

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["in_words", "is_capturing", "place_of", "rules_of", "signature_of"]


_PLAIN = frozenset({int, bool, str, type(None)})
"""Types whose equal values are the same."""


def signature_of(leaves: list[Any]) -> tuple[Any, ...]:
    """What a recording depends on; foreign arrays among the leaves are taken in."""
    found = []
    for place, leaf in enumerate(leaves):
        sign = KINDS.get(type(leaf))
        if sign is None:
            if (hasattr(leaf, "shape") and not _is_scalar(leaf)) or foreign(leaf):
                leaf = leaves[place] = adopt(leaf, f"argument {place}")
                sign = kind_of(leaf, f"argument {place}").sign
            else:
                found.append(_constant(leaf, place))
                continue
        found.append(sign(leaf)[1])
    return tuple(found)


def _is_scalar(leaf: Any) -> bool:
    """Whether it is one of NumPy's scalars, which have a shape and are numbers all the same."""
    return any(one.__name__ == "generic" and one.__module__ == "numpy" for one in type(leaf).__mro__)


def _constant(leaf: Any, place: int) -> tuple[Any, ...]:
    kind = type(leaf)
    if kind in _PLAIN:
        return kind, leaf
    if isinstance(leaf, float | complex) or _is_scalar(leaf):
        return kind, repr(leaf)  # 0.0 equals -0.0, and NaN equals nothing
    try:
        hash(leaf)
    except TypeError:
        raise ArgumentTypeError(f"argument {place}", leaf, "is neither an array nor hashable") from None
    return kind, leaf, repr(leaf)  # within equal ones 1 may stand for True


def rules_of(policy: Policy) -> tuple[Any, ...]:
    """What of a policy changes a recording."""
    return policy.key, policy.effort


def in_words(signature: tuple[Any, ...]) -> str:
    """A signature for people."""
    return ", ".join(" ".join(map(str, one)) for one in signature)


def is_capturing(leaves: Sequence[Any]) -> bool:
    """Whether the caller records a graph already."""
    for leaf in leaves:
        if is_array(leaf):
            library = kind_of(leaf, "argument").library
            return library.capturing(library.view(leaf, "argument").device)
    return False


def place_of(leaves: Sequence[Any]) -> tuple[ArrayLibrary, int]:
    """Whose arrays, and where.

    Raises
    ------
    ArgumentError
        There is no array, or they are of several libraries or on several devices.
    """
    views = {place: view_of(one, f"argument {place}") for place, one in enumerate(leaves) if is_array(one)}
    if not views:
        raise ArgumentError("arguments", len(leaves), "hold no array; a recorded function takes at least one")
    (_, first), *others = views.items()
    for place, one in others:
        if one.library is not first.library or one.device != first.device:
            where = f"{one.library.name} on device {one.device}"
            raise ArgumentError(
                f"argument {place}", where, f"but others are {first.library.name} on device {first.device}; move it"
            )
    return first.library, first.device
