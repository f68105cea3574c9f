"""cuDNN version numbers: reading, ordering, and finding the newest build of a partial one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, total_ordering

from cudnn_bindgen.errors import ArgumentTypeError, UnknownVersionError

__all__ = ["Version", "resolve", "three_part"]

# No part of a version is longer than a build number; Python reads no number of thousands of digits.
_PATTERN = re.compile(r"\d{1,12}(?:\.\d{1,12}){0,3}(?:\.?dev(\d{1,18}))?", re.ASCII)


@total_ordering
@dataclass(frozen=True)
class Version:
    """A version such as ``9.28``, ``9.28.1``, ``9.28.1.4`` or ``9.26.0.33.dev63203437``.

    Ordering is by number; a development build comes before the release of the same number, a missing part before a
    present one.
    """

    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise ArgumentTypeError(f"the version {self.text!r} is no text; write one in quotes, like '9.28.1'")
        if not _PATTERN.fullmatch(self.text):
            raise UnknownVersionError(f"{self.text!r} is not a cuDNN version; write one like 9.28, 9.28.1 or 9.28.1.4")

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers without a development suffix."""
        return tuple(int(part) for part in re.sub(r"\.?dev\d+$", "", self.text).split("."))

    @property
    def development(self) -> int | None:
        """The number behind ``dev``, None for a release."""
        match = _PATTERN.fullmatch(self.text)
        return int(match[1]) if match and match[1] else None

    @property
    def major(self) -> int:
        return self.parts[0]

    @property
    def api(self) -> tuple[int, int, int]:
        """Major, minor and patch: what ``cudnnGetVersion`` can tell apart; missing parts are 0."""
        major, minor, patch, *_ = (*self.parts, 0, 0, 0)
        return major, minor, patch

    def _key(self) -> tuple[tuple[int, ...], float]:
        return self.parts, float("inf") if self.development is None else self.development

    def __lt__(self, other: Version) -> bool:
        return self._key() < other._key()

    def __str__(self) -> str:
        return self.text

    @classmethod
    def from_number(cls, number: int) -> Version:
        """From ``CUDNN_VERSION``: major*10000 since version 9, major*1000 before.

        >>> str(Version.from_number(92801)), str(Version.from_number(8907)), str(Version.from_number(7605))
        ('9.28.1', '8.9.7', '7.6.5')
        """
        base = 10000 if number >= 90000 else 1000
        return cls(f"{number // base}.{number % base // 100}.{number % 100}")


@cache
def three_part(version: str) -> str:
    """``9.28.1`` of ``9.28.1.4``: what ``cudnnGetVersion`` can tell."""
    return ".".join(map(str, Version(version).api))


def resolve(wanted: str, known: Iterable[str]) -> str:
    """The newest of `known` that `wanted` names; a release is preferred to a development build.

    Raises
    ------
    UnknownVersionError
        `wanted` is no version, or none of `known` belongs to it; the message lists the nearest.
    ArgumentTypeError
        `wanted` is no text.
    """
    version = Version(wanted)
    versions = sorted({Version(text) for text in known})
    if version in versions:
        return wanted
    inside = [
        one for one in versions if version.development is None and one.parts[: len(version.parts)] == version.parts
    ]
    if inside:
        return str(max(inside, key=lambda one: (one.development is None, one)))
    if not versions:
        raise UnknownVersionError(f"cuDNN {wanted} is not known here: no version is")
    near = [one for one in versions if one.major == version.major] or versions
    below = [one for one in near if one < version][-2:]
    above = [one for one in near if one > version][:2]
    listed = ", ".join(str(one) for one in (*below, *above))
    raise UnknownVersionError(
        f"cuDNN {wanted} is not among the {len(versions)} known versions; the nearest are {listed}"
    )
