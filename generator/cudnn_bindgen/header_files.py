"""What a set of header files says about itself: its version, which includes which, and where reading has to begin.

No list of today's header files stands here: a new header is found because nobody else includes it.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cudnn_bindgen.errors import HeaderNotFoundError
from cudnn_bindgen.versions import Version

__all__ = ["Selection", "quoted", "select"]

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_ANGLE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
_VERSION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+CUDNN_(MAJOR|MINOR|PATCHLEVEL|VERSION)"
    r"[ \t]+\(?[ \t]*(0[xX][\da-fA-F]+|\d+)[ \t]*\)?[ \t\r]*$",
    re.MULTILINE,
)
_OWN_VERSION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+CUDNN_(\w+)_(MAJOR|MINOR|PATCH)(?:LEVEL)?[ \t]+(\d+)[ \t]*$", re.MULTILINE
)
# Quotes, control characters, and bytes that are no text in a file's name.
_UNNAMABLE = re.compile(r'["\x00-\x1f\x7f\ud800-\udfff]')
_COPY = re.compile(r"_v\d+(?=\.h$)")
_COPY_INCLUDED = re.compile(r'(#[ \t]*include[ \t]*"[^"\n]*?)_v\d+(?=\.h")')


@dataclass(frozen=True, slots=True)
class Selection:
    """Which headers to read, and the version that they state.

    Attributes
    ----------
    version
        Major, minor and patch as the macros state them (``9.28.1``).
    entry
        The headers to start from: together they include every other one. ``cudnn.h`` first, then by name.
    headers
        Every header that belongs to the version, copies left out.
    skipped
        Header to the reason why it does not belong to the version.
    """

    version: str
    entry: tuple[str, ...]
    headers: tuple[str, ...]
    skipped: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What one header says: what it includes, the version of cuDNN, the versions it checks itself against."""

    quoted: tuple[str, ...]
    cplusplus: bool
    version: str | None
    own_versions: tuple[str, ...]


def _directives(text: str) -> str:
    """The preprocessor's lines without comments: a small part of a header, which is then searched several times."""
    # A comment mark inside a string does not occur around directives, so a plain removal is enough here.
    return "\n".join(_DIRECTIVE.findall(_COMMENT.sub(" ", text)))


def quoted(text: str) -> tuple[str, ...]:
    """What a header includes with quotes, as written, in order."""
    return tuple(dict.fromkeys(_QUOTED.findall(_directives(text))))


def _facts(text: str) -> _Facts:
    code = _directives(text)
    version = dict(_VERSION.findall(code))
    own: dict[str, dict[str, str]] = {}
    for prefix, part, number in _OWN_VERSION.findall(code):
        own.setdefault(prefix, {})[part] = number
    return _Facts(
        quoted=tuple(dict.fromkeys(_QUOTED.findall(code))),
        cplusplus=any("." not in target for target in _ANGLE.findall(code)),
        version=_stated(
            {part: int(number, 16 if number[:2] in ("0x", "0X") else 10) for part, number in version.items()}
        ),
        own_versions=tuple(f"{x['MAJOR']}.{x['MINOR']}.{x['PATCH']}" for x in own.values() if len(x) == 3),
    )


def _stated(numbers: Mapping[str, int]) -> str | None:
    """The version that macros state: by its parts, else by the one number that the oldest headers have alone."""
    parts = [numbers.get(part) for part in ("MAJOR", "MINOR", "PATCHLEVEL")]
    if None not in parts:
        return ".".join(map(str, parts))
    number = numbers.get("VERSION", 0)
    return str(Version.from_number(number)) if 1000 <= number < 10_000_000 else None


def _without_copies(files: Mapping[str, str]) -> list[str]:
    """The names less each ``*_v9.h`` beside a plain header, and less what repeats another one under a new name."""
    kept: set[str] = set()
    seen: set[bytes] = set()
    for name in sorted(files, key=lambda one: (_COPY.search(one) is not None, len(one), one)):
        if _COPY.search(name) and _COPY.sub("", name) in kept:
            continue
        text = _COPY_INCLUDED.sub(r"\1", files[name])
        digest = hashlib.sha256(text.encode(errors="surrogateescape")).digest()
        if digest not in seen:
            seen.add(digest)
            kept.add(name)
    return sorted(kept)


def _targets(name: str, target: str) -> tuple[str, str]:
    """Where ``#include "target"`` in header `name` may lead: beside that header, else from the top."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target)), posixpath.normpath(target)


def _reachable(start: str, graph: Mapping[str, Sequence[str]]) -> set[str]:
    found: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += graph[name]
    return found


def _foreign(facts: _Facts, version: str) -> str | None:
    """Why a header does not belong to `version`; None when it does."""
    if facts.cplusplus:
        return "it is C++"
    other = [own for own in facts.own_versions if own != version]
    return f"it says it is of cuDNN {other[0]}, and the version here is {version}" if other else None


def select(files: Mapping[str, str], where: str, wanted: str | None = None) -> Selection:
    """Choose the headers to read out of `files` (name to text), and make sure that they are whole and of one version.

    Headers that lie beside a version without belonging to it are skipped: C++ (``cudnn_frontend.h``), and what an older
    version left behind.

    Parameters
    ----------
    where
        What to name in a message: a folder or a wheel.
    wanted
        The version that they should be; only major, minor and patch are compared.

    Raises
    ------
    HeaderNotFoundError
        No cuDNN headers, no version macros, an included ``cudnn*.h`` that is missing, or another version.
    """
    if not any(posixpath.basename(name).startswith("cudnn") for name in files):
        raise HeaderNotFoundError(f"{where} holds no cuDNN headers (no cudnn.h, no cudnn_version.h)")
    odd = {name: "no #include can name it" for name in files if _UNNAMABLE.search(name)}
    plain = {name: _facts(files[name]) for name in _without_copies(files) if name not in odd}
    version = _version(plain, where)
    if wanted is not None and Version(version).api != Version(wanted).api:
        raise HeaderNotFoundError(f"{where} should hold cuDNN {wanted}, but its headers say {version}")
    graph = {
        name: [path for target in facts.quoted for path in _targets(name, target) if path in plain and path != name]
        for name, facts in plain.items()
    }
    first = [name for name in ("cudnn.h",) if name in plain]
    included = {target for targets in graph.values() for target in targets}
    # The last group is empty unless headers include each other in a circle that nobody enters from outside.
    order = [*first, *(name for name in plain if name not in included), *plain]
    entry: list[str] = []
    skipped: dict[str, str] = {}
    reached: set[str] = set()
    for name in dict.fromkeys(order):
        behind = _reachable(name, graph)
        reasons = [reason for one in sorted(behind - reached) if (reason := _foreign(plain[one], version))]
        if name in reached:
            continue
        if reasons and name not in first:
            skipped[name] = reasons[0]
        else:
            entry.append(name)
            reached |= behind
    headers = tuple(name for name in plain if name in reached)
    for name in headers:
        _make_sure(name, plain[name], files, version, where)
    return Selection(
        version, tuple(entry), headers, odd | {name: why for name, why in skipped.items() if name not in reached}
    )


def _version(facts: Mapping[str, _Facts], where: str) -> str:
    first = [name for name in ("cudnn_version.h", "cudnn.h") if name in facts]
    for name in (*first, *facts):
        if version := facts[name].version:
            return version
    raise HeaderNotFoundError(
        f"{where}: no header defines CUDNN_MAJOR, CUDNN_MINOR and CUDNN_PATCHLEVEL; name a folder with cudnn.h or "
        "cudnn_version.h"
    )


def _make_sure(name: str, facts: _Facts, files: Mapping[str, str], version: str, where: str) -> None:
    if reason := _foreign(facts, version):
        raise HeaderNotFoundError(
            f"{where}: {name} is included, but {reason}; name a folder with one version's headers"
        )
    for target in facts.quoted:
        ours = posixpath.basename(target).startswith("cudnn")
        if ours and not any(path in files for path in _targets(name, target)):
            raise HeaderNotFoundError(
                f'{where}: {name} includes "{target}", which is missing; bring the headers again, whole'
            )
