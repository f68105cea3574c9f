"""Which of the two dense layouts an array leans to, what memory a layout takes, and which one a copy has."""

from __future__ import annotations

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides, span_bytes

__all__ = ["channels_innermost", "copied_strides", "extent_bytes", "prefers_channels_last", "shares_elements"]


def prefers_channels_last(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether a new array beside this one is laid out with its channels innermost; NCHW where both layouts are this.

    >>> prefers_channels_last((2, 3, 4, 5), (60, 1, 15, 3)), prefers_channels_last((2, 3, 1, 1), (3, 1, 1, 1))
    (True, False)
    """
    if strides == contiguous_strides(shape):
        return False
    return strides == channels_last_strides(shape) or channels_innermost(shape, strides)


def channels_innermost(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether an array can be described as channels last: unlike above, also where it is NCHW as well.

    A result of (N, C, 1, 1) in plain strides goes so beside images in NHWC without a copy.

    >>> channels_innermost((2, 3, 4, 5), (60, 1, 15, 3)), channels_innermost((2, 3, 1, 1), (3, 1, 1, 1))
    (True, True)
    """
    return len(shape) > 2 and shape[1] > 1 and strides[1] == 1


def extent_bytes(shape: tuple[int, ...], strides: tuple[int, ...], dtype: str) -> int:
    """Bytes from the first element in memory to the last, gaps included; strides count elements."""
    low, high = span_bytes(shape, strides, dtype)
    return high - low


def copied_strides(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, ...]:
    """Strides of a copy: dense, the axes in the order in which they lie in the original; it shares no elements.

    >>> copied_strides((2, 3, 4, 4), (96, 1, 24, 6))
    (48, 1, 12, 3)
    """
    if any(stride == 0 and size > 1 for size, stride in zip(shape, strides, strict=True)):
        return contiguous_strides(shape)  # elements share memory: their axes lie in no order
    order = sorted(range(len(shape)), key=lambda axis: (abs(strides[axis]), -axis) if shape[axis] > 1 else (0, -axis))
    found, step = [0] * len(shape), 1
    for axis in order:
        found[axis] = step
        step *= max(shape[axis], 1)
    if all(size == 1 or a == b for size, a, b in zip(shape, found, strides, strict=True)):
        return strides  # dense already; axes of size 1 keep what they have
    return tuple(found)


def shares_elements(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether elements of an array may share memory, as those of a broadcast or of sliding windows do.

    >>> shares_elements((2, 3), (0, 1)), shares_elements((3, 4), (1, 1)), shares_elements((2, 3), (-3, 1))
    (True, True, False)
    """
    reach = 0
    for step, size in sorted((abs(step), size) for size, step in zip(shape, strides, strict=True)):
        if size > 1 and step <= reach:
            return 0 not in shape
        reach += step * (size - 1)
    return False
