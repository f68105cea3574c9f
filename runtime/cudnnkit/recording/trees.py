"""Nested tuples, lists and dictionaries as flat lists of leaves, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cudnnkit.errors import ArgumentError
from cudnnkit.recording.constants import constant

__all__ = ["DEEPEST", "LEAF", "flatten", "unflatten"]

DEEPEST = 100
"""Containers within each other. Python itself compares and hashes only so many, and one may hold itself."""

LEAF = "leaf"
"""The structure of anything that is no container."""


def flatten(tree: Any, leaves: list[Any], depth: int = 0) -> Any:
    """The structure of `tree`, hashable; its leaves are appended to `leaves`.

    Tuples, named tuples, lists and dictionaries are containers, everything else is a leaf.

    Raises
    ------
    ArgumentError
        A container holds itself, or more than :data:`DEEPEST` are within each other.

    >>> leaves = []
    >>> structure = flatten({"x": (1, 2), "y": [3]}, leaves)
    >>> leaves, unflatten(structure, iter(leaves))
    ([1, 2, 3], {'x': (1, 2), 'y': [3]})
    """
    kind = type(tree)
    if depth > DEEPEST:
        hint = f"is nested more than {DEEPEST} deep, or within itself"
        raise ArgumentError("arguments", kind.__qualname__, hint)
    depth += 1
    if kind is tuple or kind is list or (isinstance(tree, tuple) and hasattr(tree, "_fields")):
        return kind, None, tuple([flatten(one, leaves, depth) for one in tree])
    if kind is dict:
        # A key that is no text may equal one of another type, as 1 does True.
        marks = tuple([constant(one, "a dictionary's key") for one in tree if type(one) is not str])
        return kind, (tuple(tree), marks), tuple([flatten(one, leaves, depth) for one in tree.values()])
    leaves.append(tree)
    return LEAF


def unflatten(structure: Any, leaves: Iterator[Any]) -> Any:
    """The tree of a structure, with its leaves from an iterator."""
    if structure is LEAF:
        return next(leaves)
    kind, names, inner = structure
    parts = [unflatten(one, leaves) for one in inner]
    if kind is dict:
        return dict(zip(names[0], parts, strict=True))
    make: Callable[..., Any] = getattr(kind, "_make", kind)
    return make(parts)
