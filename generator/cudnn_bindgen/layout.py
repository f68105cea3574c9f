"""Sizes, alignments and offsets as the System V ABI for 64-bit Linux lays them out (x86-64 and aarch64)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FLOATS", "PRIMITIVES", "Member", "Placed", "lay_out"]

# Canonical spelling -> size and alignment in bytes.
PRIMITIVES: dict[str, tuple[int, int]] = {
    "_Bool": (1, 1),
    "char": (1, 1),
    "signed char": (1, 1),
    "unsigned char": (1, 1),
    "short": (2, 2),
    "unsigned short": (2, 2),
    "int": (4, 4),
    "unsigned int": (4, 4),
    "long": (8, 8),
    "unsigned long": (8, 8),
    "long long": (8, 8),
    "unsigned long long": (8, 8),
    "__int128": (16, 16),
    "unsigned __int128": (16, 16),
    "float": (4, 4),
    "double": (8, 8),
    "long double": (16, 16),
    "float _Complex": (8, 4),
    "double _Complex": (16, 8),
    "long double _Complex": (32, 16),
    "_Float16": (2, 2),
    "__fp16": (2, 2),
    "__bf16": (2, 2),
    "_Float32": (4, 4),
    "_Float64": (8, 8),
    "_Float32x": (8, 8),
    "_Float64x": (16, 16),
    "_Float128": (16, 16),
    "__float128": (16, 16),
    "__builtin_va_list": (24, 8),
    # gcc's sizeof of what has no size.
    "void": (1, 1),
}

# Those that a Python float stands for.
FLOATS = frozenset(
    name for name in PRIMITIVES if name.lower().lstrip("_").startswith(("float", "double", "long double", "fp", "bf"))
) - {name for name in PRIMITIVES if name.endswith("_Complex")}


@dataclass(frozen=True, slots=True)
class Member:
    """A member to be placed: natural size and alignment; `bits` for a bit-field; attributes of its own."""

    size: int
    alignment: int
    bits: int | None = None
    named: bool = True
    packed: bool = False
    aligned: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a member lies: offset in bytes; for a bit-field the bit inside the byte at that offset."""

    offset: int
    bit_offset: int | None = None


def lay_out(
    members: Sequence[Member],
    *,
    union: bool = False,
    packed: bool = False,
    pack: int = 0,
    aligned: int | None = None,
) -> tuple[list[Placed], int, int]:
    """Place the members of a struct or union.

    Parameters
    ----------
    packed
        ``__attribute__((packed))`` on the whole.
    pack
        ``#pragma pack`` in force, 0 for none.
    aligned
        ``aligned(n)`` on the whole.

    Returns
    -------
    tuple
        The places, the size and the alignment of the whole, in bytes.
    """
    placed: list[Placed] = []
    alignment = 1
    end = 0  # in bits
    widest = 0
    for member in members:
        if union:
            end = 0
        own = _alignment(member, packed, pack)
        if member.bits is None:
            start = _round_up(end, own * 8)
            placed.append(Placed(start // 8))
            end = start + member.size * 8
            alignment = max(alignment, own)
        else:
            if _is_whole(member, end) and not (packed or member.packed):
                own = max(own, min(member.bits // 8, pack or member.bits))
            start = _bit_start(member, end, packed or member.packed, pack)
            placed.append(Placed(start // 8, start % 8))
            end = start + member.bits
            # On x86-64 an unnamed bit-field does not raise the alignment of the whole.
            if member.named:
                alignment = max(alignment, own)
        widest = max(widest, end)
    alignment = max(alignment, aligned or 1)
    size = _round_up(-(-widest // 8), alignment)
    return placed, size, alignment


def _alignment(member: Member, packed: bool, pack: int) -> int:
    """What a member asks of the whole."""
    alignment = 1 if packed or member.packed else member.alignment
    if member.bits is not None and pack:  # as gcc does: there, the pragma overrules the attribute
        alignment = member.alignment
    if member.aligned:
        alignment = max(alignment, member.aligned)
    return min(alignment, pack) if pack else alignment


def _is_whole(member: Member, end: int) -> bool:
    """Whether a bit-field behind `end` is as good as a field: where it is, gcc aligns it as one of its width."""
    return member.bits in (8, 16, 32, 64) and (end == 0 or end & -end >= member.bits)


def _bit_start(member: Member, end: int, packed: bool, pack: int) -> int:
    bits = member.bits or 0
    if bits == 0:
        return _round_up(end, max(member.alignment, member.aligned or 1) * 8)
    if member.aligned:
        end = _round_up(end, min(member.aligned, pack or member.aligned) * 8)
    if packed or pack:
        return end
    # A bit-field does not span more units of its type's alignment than its type does.
    unit = member.alignment * 8
    if -(-(end % unit + bits) // unit) > member.size * 8 // unit:
        return _round_up(end, unit)
    return end


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step
