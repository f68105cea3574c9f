"""What the graph API's attributes hold, by the names that Python gives their enumerators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cudnn_bindgen.attribute_types import attribute_types, element_types
from cudnn_bindgen.line_names import LineNames

__all__ = ["BackendPlan", "plan_backend", "plan_labels"]


@dataclass(frozen=True, slots=True)
class BackendPlan:
    """The backend's tables, by member names.

    Attributes
    ----------
    attributes
        Attribute to the attribute type that it takes.
    enums
        Attribute type to the class of its values, for those that are enums.
    lists
        Attributes that take several elements.
    descriptors
        Attributes whose elements are descriptors of one type, to that descriptor type.
    """

    attributes: Mapping[str, str] = field(default_factory=dict)
    enums: Mapping[str, str] = field(default_factory=dict)
    lists: tuple[str, ...] = ()
    descriptors: Mapping[str, str] = field(default_factory=dict)


def plan_labels(line: LineNames) -> dict[str, tuple[str, bool]]:
    """Label of the old fused operations (C name) to its C type, and whether the value itself is the pointer."""
    backend = line.members.get(line.rules.backend_attribute, {})
    found = attribute_types(line.line.api)
    return {name: (one.type, one.set_directly) for name, one in found.items() if name not in backend and one.type}


def plan_backend(line: LineNames) -> BackendPlan:
    """The tables of a line; empty where it has no backend API."""
    members = line.members.get(line.rules.backend_attribute)
    types = line.members.get(line.rules.backend_type)
    if members is None or types is None:
        return BackendPlan()
    api = line.line.api
    found = {name: one for name, one in attribute_types(api).items() if name in members}
    everywhere = {name: member for names in line.members.values() for name, member in names.items()}
    return BackendPlan(
        attributes={members[name]: types[one.type] for name, one in found.items() if one.type is not None},
        enums={types[name]: line.enums[ctype] for name, ctype in element_types(api).items() if ctype in line.enums},
        lists=tuple(sorted(members[name] for name, one in found.items() if one.vector)),
        descriptors={members[name]: everywhere[one.descriptor] for name, one in found.items() if one.descriptor},
    )
