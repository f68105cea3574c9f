"""What a set of header files says about itself: its version, which includes which, and where reading has to begin.

No list of today's header files stands here: a new header is found because nobody else includes it.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cudnn_bindgen.errors import HeaderNotFoundError
from cudnn_bindgen.versions import Version

__all__ = ["Selection", "check", "includes", "quoted", "select", "version_of"]

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_ANGLE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
_VERSION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+CUDNN_(MAJOR|MINOR|PATCHLEVEL)[ \t]+(\d+)\b", re.MULTILINE)
_OWN_VERSION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+CUDNN_(\w+)_(MAJOR|MINOR|PATCH)(?:LEVEL)?[ \t]+(\d+)[ \t]*$", re.MULTILINE
)
_COPY = re.compile(r"_v\d+(?=\.h$)")
_COPY_INCLUDED = re.compile(r'(#[ \t]*include[ \t]*"[^"\n]*?)_v\d+(?=\.h")')


@dataclass(frozen=True, slots=True)
class Selection:
    """Which headers to read.

    Attributes
    ----------
    entry
        The headers to start from: together they include every other one. ``cudnn.h`` first, then by name.
    headers
        Every header that belongs to the version, copies left out.
    skipped
        Header to the reason why it does not belong to the version.
    """

    entry: tuple[str, ...]
    headers: tuple[str, ...]
    skipped: Mapping[str, str]


def _code(text: str) -> str:
    # A quote inside a comment or the reverse does not occur around directives, so a plain removal is enough here.
    return _COMMENT.sub(" ", text)


def quoted(text: str) -> tuple[str, ...]:
    """What a header includes with quotes, as written, in order."""
    return tuple(dict.fromkeys(_QUOTED.findall(_code(text))))


def includes(name: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """The files that header `name` includes with quotes, as far as they are among `files`, in order."""
    found = []
    for target in quoted(files[name]):
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        found += [path for path in (beside, posixpath.normpath(target)) if path in files][:1]
    return tuple(dict.fromkeys(found))


def version_of(files: Mapping[str, str]) -> str | None:
    """Major, minor and patch as the headers' macros state them (``9.28.1``); None where they state nothing."""
    first = [name for name in ("cudnn_version.h", "cudnn.h") if name in files]
    for name in dict.fromkeys([*first, *sorted(files)]):
        found = dict(_VERSION.findall(_code(files[name])))
        if len(found) == 3:
            return f"{found['MAJOR']}.{found['MINOR']}.{found['PATCHLEVEL']}"
    return None


def _without_copies(files: Mapping[str, str]) -> dict[str, str]:
    """`files` less the ``*_v9.h`` beside a plain header, and less renamed headers with the contents of another one."""
    kept: dict[str, str] = {}
    seen: set[bytes] = set()
    for name in sorted(files, key=lambda one: (_COPY.search(one) is not None, len(one), one)):
        text = files[name]
        if _COPY.sub("", name) in kept and _COPY.search(name):
            continue
        digest = hashlib.sha256(_COPY_INCLUDED.sub(r"\1", text).encode(errors="surrogateescape")).digest()
        if digest not in seen:
            seen.add(digest)
            kept[name] = text
    return {name: kept[name] for name in sorted(kept)}


def _reachable(start: Iterable[str], graph: Mapping[str, tuple[str, ...]]) -> set[str]:
    found: set[str] = set()
    pending = list(start)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += graph[name]
    return found


def _foreign(name: str, files: Mapping[str, str], version: str | None) -> str | None:
    """Why a header that no other includes does not belong to the version; None when it does."""
    code = _code(files[name])
    if any("." not in target for target in _ANGLE.findall(code)):
        return "it is C++"
    by_header: dict[str, dict[str, str]] = {}
    for prefix, part, number in _OWN_VERSION.findall(code):
        by_header.setdefault(prefix, {})[part] = number
    for parts in by_header.values():
        if version and len(parts) == 3 and (own := f"{parts['MAJOR']}.{parts['MINOR']}.{parts['PATCH']}") != version:
            return f"it says it is of cuDNN {own}, and the version here is {version}"
    return None


def select(files: Mapping[str, str]) -> Selection:
    """Choose the headers to read out of `files` (name to text).

    Headers that stay beside a version without belonging to it are skipped: C++ (``cudnn_frontend.h``), and what an
    older version left behind.
    """
    version = version_of(files)
    plain = _without_copies(files)
    graph = {name: includes(name, plain) for name in plain}
    included = {target for name, targets in graph.items() for target in targets if target != name}
    first = [name for name in ("cudnn.h",) if name in plain]
    # The last group is empty unless headers include each other in a circle that nobody enters from outside.
    order = [*first, *(name for name in plain if name not in included), *plain]
    entry: list[str] = []
    skipped: dict[str, str] = {}
    reached: set[str] = set()
    for name in dict.fromkeys(order):
        if name in reached:
            continue
        behind = _reachable([name], graph)
        reasons = [reason for one in sorted(behind - reached) if (reason := _foreign(one, plain, version))]
        if reasons and name not in first:
            skipped[name] = reasons[0]
            continue
        entry.append(name)
        reached |= behind
    skipped = {name: reason for name, reason in skipped.items() if name not in reached}
    return Selection(tuple(entry), tuple(name for name in plain if name in reached), skipped)


def check(files: Mapping[str, str], where: str, wanted: str | None = None) -> str:
    """Make sure that `files` are the whole headers of one cuDNN version, and return it.

    Parameters
    ----------
    where
        What to name in the message: a folder or a wheel.
    wanted
        The version that they should be; only major, minor and patch are compared.

    Raises
    ------
    HeaderNotFoundError
        No cuDNN headers, no version macros, an included ``cudnn*.h`` that is missing, or another version.
    """
    if not any(posixpath.basename(name).startswith("cudnn") for name in files):
        raise HeaderNotFoundError(f"{where} holds no cuDNN headers (no cudnn.h, no cudnn_version.h)")
    version = version_of(files)
    if version is None:
        raise HeaderNotFoundError(
            f"{where}: no header defines CUDNN_MAJOR, CUDNN_MINOR and CUDNN_PATCHLEVEL; name a folder with cudnn.h or "
            "cudnn_version.h"
        )
    if wanted is not None and Version(version).api != Version(wanted).api:
        raise HeaderNotFoundError(f"{where} should hold cuDNN {wanted}, but its headers say {version}")
    for name in select(files).headers:
        reason = _foreign(name, files, version)
        if reason:
            raise HeaderNotFoundError(f"{where} mixes cuDNN versions: {name} is included, but {reason}")
        for target in quoted(files[name]):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            if posixpath.basename(target).startswith("cudnn") and beside not in files and target not in files:
                raise HeaderNotFoundError(
                    f'{where}: {name} includes "{target}", which is missing; bring the headers again, whole'
                )
    return version
