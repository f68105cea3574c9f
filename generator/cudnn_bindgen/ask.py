"""Questions that the history answers alone: which names there are, and what one of them is.

Answers are plain JSON values; the commands print them. The rules that tell roles and families are loaded only where a
question needs them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from cudnn_bindgen.errors import UnknownNameError
from cudnn_bindgen.history_merge import Entity
from cudnn_bindgen.versions import three_part

if TYPE_CHECKING:
    from cudnn_bindgen.facts import FunctionFacts
    from cudnn_bindgen.history import History

__all__ = ["LIST_KINDS", "find", "lifetime", "names", "no_names", "unknown_entity", "unknown_name"]

# What `list --kind` takes, in the order of its output.
LIST_KINDS = ("function", "enum", "enumerator", "struct", "union", "handle", "callback", "alias", "macro")


def list_kind(history: History, entity: Entity, version: str) -> str:
    """The kind as users call it: a record is a struct or a union."""
    kind: str = entity.value("kind", version, history.ranks) if entity.kind == "record" else entity.kind
    return kind


def lifetime(history: History, entity: Entity) -> dict[str, Any]:
    """``since`` and ``until`` over all versions; ``spans`` too where it was away in between."""
    runs = history.spans(entity.kind, entity.name)
    found: dict[str, Any] = {"since": runs[0][0], "until": runs[-1][1]}
    if len(runs) > 1:
        found["spans"] = [{"since": first, "until": last} for first, last in runs]
    return found


def deprecation(history: History, entity: Entity, version: str) -> dict[str, Any] | None:
    """Since which version a declaration is deprecated without a break, and what to use instead; None if it is not."""
    mark = entity.value("deprecated", version, history.ranks)
    if mark is None:
        return None
    since = version
    for earlier in reversed(entity.present[: entity.present.index(version)]):
        if entity.value("deprecated", earlier, history.ranks) is None:
            break
        since = earlier
    return {"since": three_part(since), "replacement": mark if isinstance(mark, str) else None}


def functions(history: History, version: str) -> dict[str, FunctionFacts]:
    """Roles and families of one version's functions."""
    from cudnn_bindgen.inference import function_facts

    return function_facts(history.api(version))


def names(
    history: History,
    version: str,
    *,
    kind: str | None = None,
    family: str | None = None,
    patterns: Sequence[str] = (),
    deprecated: bool = False,
) -> list[dict[str, Any]]:
    """Every name of a version, by kind and name.

    Parameters
    ----------
    version
        A full version of the history.
    kind
        One of `LIST_KINDS`.
    family
        Functions of this family alone.
    patterns
        Shell patterns (``cudnnCreate*``) in any case; a name that any of them matches is taken. Without one, every
        name.
    deprecated
        Deprecated names alone.
    """
    families = {name: facts.family for name, facts in functions(history, version).items()} if family else {}
    patterns = [one.lower() for one in patterns]
    rows = []
    for entity in _own(history, version):
        called = list_kind(history, entity, version)
        if (kind and called != kind) or (family and families.get(entity.name) != family):
            continue
        if patterns and not any(fnmatchcase(entity.name.lower(), pattern) for pattern in patterns):
            continue
        mark = deprecation(history, entity, version)
        if deprecated and mark is None:
            continue
        row: dict[str, Any] = {"name": entity.name, "kind": called, **lifetime(history, entity)}
        row["deprecated"] = mark
        if called == "enumerator":
            row["enum"] = entity.value("enum", version, history.ranks)
            row["value"] = entity.value("value", version, history.ranks)
        if family:
            row["family"] = family
        rows.append(row)
    return sorted(rows, key=lambda row: (LIST_KINDS.index(row["kind"]), row["name"]))


def _own(history: History, version: str) -> Iterator[Entity]:
    """Entities of a version that are cuDNN's own, not CUDA's or libc's."""
    ranks = history.ranks
    present = [one for one in history.entities.values() if version in one.present and one.kind != "headers"]
    foreign = {one.name for one in present if one.kind == "enum" and one.value("external", version, ranks)}
    for entity in present:
        if entity.kind == "enumerator" and entity.value("enum", version, ranks) in foreign:
            continue
        if not entity.value("external", version, ranks):
            yield entity


def find(history: History, name: str, version: str) -> list[Entity]:
    """The declarations of that name in a version: rarely more than one (a struct's tag beside a typedef).

    Raises
    ------
    UnknownNameError
        There is none; the message says which versions have it, or which names are near.
    """
    entities = [one for (kind, known), one in history.entities.items() if known == name and kind != "headers"]
    found = [one for one in entities if version in one.present]
    if not found:
        raise unknown_name(history, name, version, entities)
    return found


def unknown_name(history: History, name: str, version: str, elsewhere: Iterable[Entity]) -> UnknownNameError:
    """The error for a name that `version` lacks."""
    runs = [run for entity in elsewhere for run in history.spans(entity.kind, entity.name)]
    if runs:
        told = " and ".join(_run(first, last) for first, last in runs)
        return UnknownNameError(f"cuDNN {version} has no {name}; it is there {told}: choose one with --version")
    quoted = name if name.isidentifier() else ascii(name)
    first = f" from {three_part(history.versions[0])} on" if history.versions else ""
    return UnknownNameError(f"no version of cuDNN{first} has the name {quoted}; {_near(history, name)}")


def no_names(history: History, version: str, patterns: Sequence[str], *, restricted: bool) -> UnknownNameError:
    """The error where :func:`names` finds none; `restricted` when it was asked for a kind, a family or a mark."""
    among = " of what the options ask for" if restricted else ""
    if not patterns:
        return UnknownNameError(f"cuDNN {version} has no name{among}")
    if len(patterns) == 1 and not restricted and not re.search(r"[*?\[]", patterns[0]):
        name = patterns[0]
        return unknown_name(history, name, version, [one for one in history.entities.values() if one.name == name])
    told = " or ".join(map(ascii, patterns))
    near = _near(history, re.sub(r"[*?\[\]!]+", "", patterns[0]))
    return UnknownNameError(f"cuDNN {version} has no name{among} that matches {told}; {near}")


def _near(history: History, name: str) -> str:
    """Advice for a name that is none: those that look like it or have it as a part."""
    known = sorted({known for kind, known in history.entities if kind != "headers" and known})
    lower = {one.lower(): one for one in known}
    near = [lower[one] for one in difflib.get_close_matches(name.lower(), lower, n=5, cutoff=0.75)]
    parts = [one for one in known if name.lower() in one.lower()][:5] if len(name) > 2 else []
    told = ", ".join(list(dict.fromkeys([*near, *parts]))[:5])
    return f"near names are {told}" if told else "cudnn-bindgen list prints all names"


def unknown_entity(
    history: History, kind: str, name: str, version: str | None, elsewhere: Entity | None
) -> UnknownNameError:
    """The error for a name that is not there as that kind: not at all, or not in `version`."""
    kinds = sorted({known for known, _ in history.entities})
    if kind not in kinds:
        return UnknownNameError(f"no declaration is of kind {kind!r}; kinds are {', '.join(kinds) or 'none'}")
    others = [other for other, known in history.entities if known == name]
    if elsewhere is None and others:
        return UnknownNameError(f"{name} is of kind {' and '.join(others)}, not {kind}")
    return unknown_name(history, name, version or "", [] if elsewhere is None else [elsewhere])


def _run(first: str, last: str | None) -> str:
    if last is None:
        return f"since {first}"
    return f"in {first}" if first == last else f"from {first} to {last}"
