"""What a line's C names are called in Python, decided once for everything that is rendered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cudnn_bindgen.conventions import Conventions, FlagGroup
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Enum, Handle, Record
from cudnn_bindgen.naming import class_name, member_names, snake, unique
from cudnn_bindgen.typeinfo import TypeInfo

__all__ = ["LineNames"]


@dataclass(frozen=True)
class LineNames:
    """The Python names of one line.

    Attributes
    ----------
    methods
        C function to method.
    enums, records, handles
        C type (typedef and tag) to Python class.
    members
        C enum to its enumerators' member names.
    moved_enums
        C enums of which an enumerator moved inside the line.
    flags
        The groups of flag macros that this line has, with their members: name to value.
    types
        The line's C types, sorted into kinds.
    destroyers
        Handle type to the C function that frees one.
    """

    line: Line
    rules: Conventions
    methods: Mapping[str, str]
    enums: Mapping[str, str]
    records: Mapping[str, str]
    handles: Mapping[str, str]
    members: Mapping[str, Mapping[str, str]]
    moved_enums: frozenset[str]
    flags: tuple[tuple[FlagGroup, Mapping[str, int]], ...]
    types: TypeInfo
    destroyers: Mapping[str, str]

    @classmethod
    def of(cls, line: Line, rules: Conventions) -> LineNames:
        api = line.api
        functions = [function.name for function in api.functions]
        methods = dict(zip(functions, unique(snake(name, rules.prefix) for name in functions), strict=True))
        enums = _classes(api.enums, rules.prefix)
        members = {
            enum.name: member_names([one.name for one in enum.enumerators], enums[enum.name], rules.macro_prefix)
            for enum in api.enums
        }
        moved = frozenset(
            enum.name for enum in api.enums if any(one.name in line.moved_values for one in enum.enumerators)
        )
        types = TypeInfo(api)
        return cls(
            line=line,
            rules=rules,
            methods=methods,
            enums=enums,
            records=_classes(api.records, rules.prefix),
            handles={
                handle.name: class_name(handle.name, rules.prefix) for handle in api.handles if not handle.external
            },
            members=members,
            moved_enums=moved,
            flags=tuple((group, found) for group in rules.flags if (found := _flag_members(line, group))),
            types=types,
            destroyers=_destroyers(line, types),
        )

    @property
    def most_dimensions(self) -> str:
        """The constant that bounds the number of dimensions; a number where the headers have no such macro."""
        name = self.rules.dimensions
        return name.removeprefix(self.rules.macro_prefix) if any(m.name == name for m in self.line.api.macros) else "8"

    def enum_of(self, name: str) -> Enum | None:
        return next((enum for enum in self.line.api.enums if name in (enum.name, enum.tag)), None)

    def record_of(self, name: str) -> Record | None:
        return next((record for record in self.line.api.records if name in (record.name, record.tag)), None)

    def handle_of(self, name: str) -> Handle | None:
        return next((handle for handle in self.line.api.handles if handle.name == name), None)

    def flag_class(self, parameter: str, ctype: str) -> str | None:
        """The flag class that a parameter of that name or type carries."""
        for group, _ in self.flags:
            if parameter in group.parameters or ctype in group.typedefs:
                return group.class_name
        return None

    def result_class(self, function: str) -> str:
        """The class of what a function with several outputs answers: ``GetTensor4dDescriptorResult``."""
        return f"{class_name(function, self.rules.prefix)}Result"


def _classes(declarations: Sequence[Enum | Record], prefix: str) -> dict[str, str]:
    result: dict[str, str] = {}
    for one in declarations:
        name = class_name(one.name, prefix)
        if name in result.values() and isinstance(one, Record):
            name = f"{name}{one.kind.capitalize()}"
        number = 2
        while name in result.values():
            name, number = f"{class_name(one.name, prefix)}{number}", number + 1
        result[one.name] = name
        if one.tag:
            result.setdefault(one.tag, name)
    return result


def _destroyers(line: Line, types: TypeInfo) -> dict[str, str]:
    """Functions whose name says that they destroy, and whose one argument is what they free."""
    found: dict[str, str] = {}
    for function in line.api.functions:
        if len(function.parameters) == 1 and "destroy" in snake(function.name).split("_"):
            shape = types.shape(function.parameters[0].type)
            if shape.kind == "handle" and shape.by_value:
                found.setdefault(shape.name, function.name)
    return found


def _flag_members(line: Line, group: FlagGroup) -> dict[str, int]:
    found: dict[str, int] = {}
    for macro in line.api.macros:
        match = group.pattern.fullmatch(macro.name)
        if match and isinstance(macro.value, int):
            found[match[1]] = macro.value
    return found
