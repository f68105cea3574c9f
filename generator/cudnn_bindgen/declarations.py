"""Plans of everything that is no function: enums, flags, constants, structs, handles, statuses, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cudnn_bindgen.docstrings import availability
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Enum
from cudnn_bindgen.naming import camel, member_prefix, unique

__all__ = [
    "ConstantPlan",
    "EnumPlan",
    "HandlePlan",
    "MemberPlan",
    "StatusPlan",
    "plan_constants",
    "plan_enums",
    "plan_flags",
    "plan_handles",
    "plan_statuses",
]


@dataclass(frozen=True, slots=True)
class MemberPlan:
    """One enumerator; `note` says when it was there, that it moved, or that it is deprecated."""

    name: str
    c_name: str
    value: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class EnumPlan:
    """One enum or flag class; `c_names` holds the members whose C name is not `c_prefix` and their own."""

    class_name: str
    c_name: str
    c_prefix: str
    c_names: Mapping[str, str]
    members: tuple[MemberPlan, ...]
    note: str = ""
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class ConstantPlan:
    """One macro: its Python name, value as source, and Python type."""

    name: str
    c_name: str
    value: str
    annotation: str


@dataclass(frozen=True, slots=True)
class HandlePlan:
    """One class of opaque objects; `destroy` is the C function that frees one, empty where there is none."""

    class_name: str
    c_name: str
    destroy: str
    backend: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class StatusPlan:
    """One status that is an error; `base` is the class of the wider status, or that of all."""

    class_name: str
    base: str
    c_name: str
    value: int


def _prefix_and_exceptions(names: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {member: c_name for c_name, member in names.items() if c_name != prefix + member}


def plan_enums(line: LineNames) -> tuple[EnumPlan, ...]:
    """All enums of a line, in the headers' order."""
    return tuple(_enum(line, enum) for enum in line.line.api.enums)


def _enum(line: LineNames, enum: Enum) -> EnumPlan:
    names = line.members[enum.name]
    prefix = member_prefix([one.name for one in enum.enumerators], line.enums[enum.name], line.rules.macro_prefix)
    there = [one for one in enum.enumerators if not _removed(line, one.name)]
    # What was removed comes last, so that it cannot become the name of a value that belongs to another one now.
    gone = [one for one in enum.enumerators if _removed(line, one.name)]
    members = []
    for one in (*there, *gone):
        notes = [availability(line.line, one.name)]
        if one.name in line.line.moved_values:
            moves = line.line.moved_values[one.name]
            notes.append("moved: " + ", ".join(f"{value} ({since})" for since, value in moves))
        if one.deprecated is not None:
            notes.append("deprecated")
        members.append(MemberPlan(names[one.name], one.name, one.value, "; ".join(note for note in notes if note)))
    return EnumPlan(
        class_name=line.enums[enum.name],
        c_name=enum.name,
        c_prefix=prefix,
        c_names=_prefix_and_exceptions(names, prefix),
        members=tuple(members),
        note=availability(line.line, enum.name),
        documentation=enum.documentation,
    )


def _removed(line: LineNames, name: str) -> bool:
    spans = line.line.spans.get(name, ())
    return bool(spans) and spans[-1][1] is not None


def plan_flags(line: LineNames) -> tuple[EnumPlan, ...]:
    """The groups of macros that are bits of one mask."""
    plans = []
    for group, found in line.flags:
        c_names = {
            macro.name: match[1]
            for macro in line.line.api.macros
            if (match := group.pattern.fullmatch(macro.name)) and match[1] in found
        }
        first, member = next(iter(c_names.items()))
        prefix = first.removesuffix(member) if first.endswith(member) else ""
        plans.append(
            EnumPlan(
                class_name=group.class_name,
                c_name=next((one.name for one in line.line.api.aliases if one.name in group.typedefs), ""),
                c_prefix=prefix,
                c_names=_prefix_and_exceptions(c_names, prefix),
                members=tuple(MemberPlan(member, c_name, found[member]) for c_name, member in c_names.items()),
            )
        )
    return tuple(plans)


def plan_constants(line: LineNames) -> tuple[ConstantPlan, ...]:
    """All macros with a value, in the headers' order."""
    macros = line.line.api.macros
    names = unique(macro.name.removeprefix(line.rules.macro_prefix).lstrip("_") for macro in macros)
    return tuple(
        ConstantPlan(
            name if name.isidentifier() else f"_{name}",
            macro.name,
            repr(macro.value),
            type(macro.value).__name__,
        )
        for macro, name in zip(macros, names, strict=True)
    )


def plan_handles(line: LineNames) -> tuple[HandlePlan, ...]:
    """A class for every opaque type that the library makes."""
    destroyers = line.destroyers
    return tuple(
        HandlePlan(
            class_name,
            c_name,
            destroyers.get(c_name, ""),
            c_name == line.rules.backend_handle,
            availability(line.line, c_name),
        )
        for c_name, class_name in line.handles.items()
    )


def plan_statuses(line: LineNames) -> tuple[StatusPlan, ...]:
    """A class for every status but success; what begins with another's words is a kind of that one."""
    enum = line.enum_of(line.rules.status)
    if enum is None:
        return ()
    names = line.members[enum.name]
    plans: list[StatusPlan] = []
    classes: dict[str, str] = {}
    for one in enum.enumerators:
        if one.name == line.rules.success or one.alias_of is not None:
            continue
        member = names[one.name]
        wider = [known for known in classes if member.startswith(f"{known}_")]
        base = classes[max(wider, key=len)] if wider else "StatusError"
        words = "".join(word.capitalize() for word in member.removesuffix("_ERROR").split("_"))
        classes[member] = f"{camel(words)}Error"
        plans.append(StatusPlan(classes[member], base, one.name, one.value))
    return tuple(plans)
