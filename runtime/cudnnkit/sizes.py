"""Sizes of memory as people write them: ``"256 MiB"``, ``"1.5GB"``, 4096."""

from __future__ import annotations

import re

__all__ = ["format_bytes", "parse_bytes"]

_UNITS: dict[str, int] = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def parse_bytes(text: str) -> int:
    """A size in bytes from a text; decimal (MB) and binary (MiB) units are told apart, a bare number is bytes.

    Raises
    ------
    ValueError
        The text is no size.

    Examples
    --------
    >>> parse_bytes("256 MiB"), parse_bytes("1.5 kB"), parse_bytes("4096")
    (268435456, 1500, 4096)
    """
    match = _SIZE.fullmatch(text)
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None:
        raise ValueError(f"{text!r} is no size; write one like '256 MiB', '1.5 GB' or a number of bytes")
    whole, _, fraction = match[1].partition(".")
    # Exact in integers: a float would round sizes past 2**53.
    scale: int = 10 ** len(fraction)
    return int(whole + fraction) * unit // scale


def format_bytes(count: int) -> str:
    """A size for people, in binary units.

    Examples
    --------
    >>> format_bytes(512), format_bytes(268435456), format_bytes(1610612736)
    ('512 B', '256 MiB', '1.5 GiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(size) < 1024 or unit == "TiB":
            break
        size /= 1024
    return f"{size:.0f} {unit}" if size == int(size) else f"{size:.3g} {unit}" if size < 100 else f"{size:.0f} {unit}"
