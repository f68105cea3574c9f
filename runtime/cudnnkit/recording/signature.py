"""What a recording depends on: the signature of a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.registry import KINDS, adopt, foreign, kind_of, view_of
from cudnnkit.errors import ArgumentError
from cudnnkit.policy import Policy
from cudnnkit.recording.constants import constant, is_value
from cudnnkit.recording.inputs import is_array, same_arrays

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["in_words", "is_capturing", "key_of", "place_of"]


def key_of(structure: Any, leaves: list[Any], policy: Policy) -> tuple[tuple[Any, ...], list[int]]:
    """What a recording depends on, and the leaves' addresses; foreign arrays among the leaves are taken in.

    The structure, each leaf, which arguments are one array, the settings of the array library, and what of the policy
    changes a recording.
    """
    signs: list[Any] = []
    pointers: list[int] = []  # a value has none, and a number that is nobody else's
    first = None
    for place, leaf in enumerate(leaves):
        sign = KINDS.get(type(leaf))
        if sign is None:
            if not is_value(leaf) and (hasattr(leaf, "shape") or foreign(leaf)):
                leaf = leaves[place] = adopt(leaf, f"argument {place}")
                sign = kind_of(leaf, f"argument {place}").sign
            else:
                signs.append(constant(leaf, f"argument {place}"))
                pointers.append(~place)
                continue
        if first is None:
            first = leaf
        pointer, signed = sign(leaf)
        pointers.append(pointer)
        signs.append(signed)
    rules = () if first is None else kind_of(first, "argument").library.rules()
    same: tuple[int, ...] = ()
    if len(pointers) > 1 and len(set(pointers)) < len(pointers):
        same = same_arrays([KINDS[type(leaf)](leaf) for leaf in leaves if is_array(leaf)])
    return (structure, tuple(signs), same, rules, policy.key, policy.effort), pointers


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
