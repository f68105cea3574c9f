# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""What a shared library's file tells about itself without being loaded."""

from __future__ import annotations

import mmap
import os
import re
import stat
import struct
from collections.abc import Iterator
from typing import BinaryIO

from .tables import version_of_number
from .types import VersionParts

__all__ = ["names_inside", "problem_with", "stated_version"]

_MACHINES = {"x86_64": 62, "amd64": 62, "aarch64": 183, "arm64": 183, "ppc64le": 21}
_MACHINE_NAMES = {3: "32-bit x86", 21: "POWER", 40: "32-bit ARM", 62: "x86-64", 183: "AArch64", 243: "RISC-V"}
_HEADER = 0x40
_SEGMENT = struct.Struct("<IIQQQQQQ")
_DYNSYM = 11
_SYMBOL = struct.Struct("<IBBHQQ")
# Most sub-libraries of cuDNN 8 and 9 export their version as a 32-bit constant: ``cudnn_graph_version``.
_VERSION_SYMBOL = re.compile(rb"\0(cudnn_\w+_version)(?=\0)")
_SUB_LIBRARY = re.compile(rb"libcudnn_\w+\.so")
_FILE_VERSION = re.compile(r"\.so\.(\d+)\.(\d+)\.(\d+)")


def problem_with(path: str) -> str | None:
    """Why the file cannot be a library for this process; None where nothing is seen."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # a pipe would block
            return "is no file"
        with open(path, "rb") as stream:
            head = stream.read(_HEADER)
            missing = _missing_bytes(head, stream, status.st_size)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return "is not a shared library (no ELF file)" if head else "is empty"
    machine = int.from_bytes(head[18:20], "little")
    wanted = _MACHINES.get(os.uname().machine.lower())
    if head[4] != 2 or (wanted is not None and machine != wanted):
        found = _MACHINE_NAMES.get(machine, f"ELF machine {machine}")
        return f"is built for {found}, and this is a 64-bit Python on {os.uname().machine}"
    return f"ends too early, {missing} bytes are missing: get it again" if missing else None


def _missing_bytes(head: bytes, stream: BinaryIO, size: int) -> int:
    """How much shorter a file is than its segments; whoever loads such a file is ended by a signal."""
    if head[:5] != b"\x7fELF\x02":
        return 0
    if len(head) < _HEADER:
        return _HEADER - len(head)
    (offset,) = struct.unpack_from("<Q", head, 0x20)
    each, count = struct.unpack_from("<HH", head, 0x36)
    if offset > size:
        return int(offset - size)
    stream.seek(offset)
    table = stream.read(each * count)
    end: int = offset + each * count
    for place in range(0, len(table) - _SEGMENT.size + 1, max(each, 1)):
        _, _, start, _, _, length, _, _ = _SEGMENT.unpack_from(table, place)
        end = max(end, start + length)
    return max(0, end - size)


def stated_version(path: str) -> VersionParts | None:
    """The cuDNN version that a (sub-)library's file states: in its version constant, else in its real file name.

    None where it states none, as ``libcudnn_cnn.so.9`` of a wheel does.
    """
    try:
        number = _version_constant(path)
    except (OSError, ValueError, struct.error, IndexError):
        number = None
    if number is not None:
        return number
    named = _FILE_VERSION.search(os.path.basename(os.path.realpath(path)))
    return (int(named[1]), int(named[2]), int(named[3])) if named else None


def _sections(image: mmap.mmap) -> list[tuple[int, ...]]:
    """Section headers as (name, type, flags, address, offset, size, link, info, alignment, entry size)."""
    (offset,) = struct.unpack_from("<Q", image, 0x28)
    size, count = struct.unpack_from("<HH", image, 0x3A)
    return [struct.unpack_from("<IIQQQQIIQQ", image, offset + index * size) for index in range(count)]


def _version_symbols(image: mmap.mmap, sections: list[tuple[int, ...]]) -> Iterator[tuple[int, int, int]]:
    """(value, size, section index) of the dynamic symbols that may be the version constant."""
    for section in sections:
        if section[1] != _DYNSYM:
            continue
        names = sections[section[6]]
        symbols = image[section[4] : section[4] + section[5]]
        for found in _VERSION_SYMBOL.finditer(image[names[4] : names[4] + names[5]]):
            # A table of 100,000 symbols is searched for the name's offset, not walked.
            name = struct.pack("<I", found.start(1))
            place = symbols.find(name)
            while place >= 0 and place % _SYMBOL.size:
                place = symbols.find(name, place + 1)
            if place >= 0:
                _, _, _, index, value, size = _SYMBOL.unpack_from(symbols, place)
                yield value, size, index


def _version_constant(path: str) -> VersionParts | None:
    with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as image:
        if image[:5] != b"\x7fELF\x02":
            return None
        sections = _sections(image)
        for value, size, index in _version_symbols(image, sections):
            if size != 4 or not 0 < index < len(sections):  # index 0: another library's constant is used here
                continue
            section = sections[index]
            (number,) = struct.unpack_from("<I", image, section[4] + value - section[3])
            return _decode(number)
    return None


def _decode(number: int) -> VersionParts | None:
    """The constant's two forms: one byte a part (0x091c01), or the number of ``cudnnGetVersion``."""
    if 5 << 16 <= number < 100 << 16:
        return number >> 16, number >> 8 & 0xFF, number & 0xFF
    return version_of_number(number) if 1000 <= number < 5 << 16 else None


def names_inside(path: str) -> list[str]:
    """The sub-libraries that a library's file names: what it may load later, by file name without the version."""
    try:
        with open(path, "rb") as stream:
            # The library that users load is a small one that passes calls on; a large one names no others.
            found = _SUB_LIBRARY.findall(stream.read(1 << 21))
    except OSError:
        return []
    return sorted({name.decode() for name in found})
