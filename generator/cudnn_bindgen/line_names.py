"""What a line's C names are called in Python, decided once for everything that is rendered."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from cudnn_bindgen.conventions import Conventions, FlagGroup
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Enum, Handle, Record
from cudnn_bindgen.naming import class_name, member_names, snake, unique
from cudnn_bindgen.typeinfo import TypeInfo

__all__ = ["LineNames"]

# What the loaded library has beside its functions, and what the modules of functions import beside its classes.
_TAKEN_METHODS = frozenset(
    {"descriptors", "enums", "has", "logs", "missing", "path", "report", "structs", "version", "version_number"}
    | {"version_text"}
)
_TAKEN_CLASSES = frozenset(
    {"Any", "ArgumentError", "DevicePointer", "HandleBase", "LazyModule", "LibraryBase", "OpenIntEnum", "OpenIntFlag"}
    | {"Sequence", "Stream"}
)


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
        methods = dict(zip(functions, unique(_method(name, rules.prefix) for name in functions), strict=True))
        enums = _classes(api.enums, rules.prefix, _TAKEN_CLASSES)
        own = [handle for handle in api.handles if not handle.external]
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
            records=_classes(api.records, rules.prefix, _TAKEN_CLASSES),
            # Handles and enums meet in the modules of functions.
            handles=_classes(own, rules.prefix, _TAKEN_CLASSES | set(enums.values())),
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

    def flag_class(self, parameter: str, ctype: str) -> str | None:
        """The flag class that a parameter of that name or type carries."""
        for group, _ in self.flags:
            if parameter in group.parameters or ctype in group.typedefs:
                return group.class_name
        return None

    def result_class(self, function: str) -> str:
        """The class of what a function with several outputs answers: ``GetTensor4dDescriptorResult``."""
        return f"{class_name(function, self.rules.prefix)}Result"


def _method(function: str, prefix: str) -> str:
    name = snake(function, prefix)
    return f"{name}_" if name in _TAKEN_METHODS else name


def _classes(
    declarations: Sequence[Enum] | Sequence[Record] | Sequence[Handle], prefix: str, taken: AbstractSet[str]
) -> dict[str, str]:
    """C type, and its tag, to a class name that no other of the declarations has and that is not taken."""
    result: dict[str, str] = {}
    for one in declarations:
        plain = class_name(one.name, prefix)
        candidates = [plain, *([f"{plain}{one.kind.capitalize()}"] if isinstance(one, Record) else [])]
        numbered = (f"{plain}{number}" for number in itertools.count(2))
        used = {*result.values(), *taken}
        result[one.name] = next(name for name in itertools.chain(candidates, numbered) if name not in used)
        tag = None if isinstance(one, Handle) else one.tag
        if tag:
            result.setdefault(tag, result[one.name])
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
