"""Grouping wrappers into modules of readable size, and what each module imports."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.naming import camel, snake, unique
from cudnn_bindgen.record_plans import RecordPlan
from cudnn_bindgen.wrappers import FunctionPlan, ResultPlan

__all__ = ["ModulePlan", "plan_modules", "struct_imports"]

# A module with more lines than this is split by subject, and a subject that is larger still by pass...
_LARGE = 1000
# ...but one with fewer functions than this stays with the others.
_SMALL = 4

# Where the names that generated code uses come from: name -> module of the support package.
_SUPPORT = {
    "CALL_ERRORS": "library",
    "LibraryBase": "library",
    "LazyModule": "lazy",
    "ArgumentError": "errors",
    "handle_pointer": "descriptors",
    "DevicePointer": "pointers",
    "Stream": "pointers",
    "device_pointer": "pointers",
    "device_pointer_array": "pointers",
    "optional_device_pointer": "pointers",
    "stream_pointer": "pointers",
    "label_room": "labels",
    "label_value": "labels",
    "at_most": "values",
    "attribute_buffer": "values",
    "c_string": "values",
    "enum_value": "enums",
    "exactly": "values",
    "host_buffer": "values",
    "in_array": "values",
    "optional_array": "values",
    "out_list": "values",
    "requested": "values",
    "same_length": "values",
    "text": "values",
}
_WORD = re.compile(r"\w+(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class ModulePlan:
    """One module of wrappers, and the module of the dataclasses that they answer."""

    name: str
    class_name: str
    about: str
    functions: tuple[FunctionPlan, ...]
    imports: tuple[str, ...]
    results: tuple[ResultPlan, ...]
    result_imports: tuple[str, ...]


def plan_modules(line: LineNames, functions: Iterable[FunctionPlan]) -> tuple[ModulePlan, ...]:
    """The modules of a line, in the order of the headers."""
    by_header: dict[str, list[FunctionPlan]] = {}
    for plan in functions:
        by_header.setdefault(_stem(plan.location, line.rules.prefix), []).append(plan)
    modules: list[tuple[str, str, list[FunctionPlan]]] = []
    for stem, plans in by_header.items():
        header = plans[0].location
        for subject, group in _subjects(plans).items():
            about = f"of ``{header}``" + (f" about {subject.replace('_', ' ')}" if subject else "")
            modules.append((f"{stem}_{subject}" if subject else stem, about, group))
    # A header may be called what a part of another one is.
    names = unique(name for name, _, _ in modules)
    return tuple(_module(line, name, about, group) for name, (_, about, group) in zip(names, modules, strict=True))


def _stem(location: str, prefix: str) -> str:
    stem = location.rsplit("/", 1)[-1].split(".")[0]
    stem = re.sub(r"\W", "_", stem.removeprefix(f"{prefix}_"), flags=re.ASCII).lstrip("_") or "functions"
    if stem[0].isdigit():
        return f"header_{stem}"
    return f"{stem}_" if keyword.iskeyword(stem) else stem


def _subjects(plans: Sequence[FunctionPlan]) -> dict[str, list[FunctionPlan]]:
    """The functions of a header by what they are about."""
    result: dict[str, list[FunctionPlan]] = {}
    for subject, group in _split(plans, _subject).items():
        for part, members in (_split(group, _pass) if subject else {"": group}).items():
            result["_".join(word for word in (subject, part) if word)] = members
    return result


def _split(plans: Sequence[FunctionPlan], key: Callable[[FunctionPlan], str]) -> dict[str, list[FunctionPlan]]:
    """The functions by `key` when they are too many for one module; few of one kind stay together under no name."""
    if sum(_lines(plan) for plan in plans) <= _LARGE:
        return {"": list(plans)}
    counts = Counter(key(plan) for plan in plans)
    result: dict[str, list[FunctionPlan]] = {}
    for plan in plans:
        result.setdefault(key(plan) if counts[key(plan)] >= _SMALL else "", []).append(plan)
    return result


def _lines(plan: FunctionPlan) -> int:
    """About how many lines a wrapper takes."""
    arguments = len(plan.arguments)
    return 12 + len(plan.docstring) + (0 if plan.destroys else (3 * arguments if arguments > 3 else 2))


def _pass(plan: FunctionPlan) -> str:
    return plan.facts.passes or ""


def _subject(plan: FunctionPlan) -> str:
    facts = plan.facts
    if facts.operation:
        return snake(facts.operation)
    if facts.handle:
        words = snake(facts.handle.removesuffix("_t")).split("_")
        return "_".join(words[1:-1] if words[-1] == "descriptor" else words[1:])
    return ""


def _words(sources: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for source in sources:
        for word in _WORD.findall(source):
            found.add(word)
            found.add(word.split(".")[0])
    return found


def _local_imports(words: set[str], modules: Mapping[str, Iterable[str]], dots: str) -> list[str]:
    """``from`` lines for those of `words` that the modules define."""
    lines = []
    for module in sorted(modules):
        names = sorted(words & set(modules[module]), key=_import_order)
        if names:
            lines.append(f"from {dots}{module} import {', '.join(names)}")
    return lines


def _import_order(name: str) -> tuple[int, str, str]:
    """As isort sorts names: constants, classes, functions."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower(), name


def _support_lines(words: set[str], dots: str) -> list[str]:
    modules: dict[str, list[str]] = {}
    for name, module in _SUPPORT.items():
        modules.setdefault(f"_support.{module}", []).append(name)
    return _local_imports(words, modules, dots)


def _line_modules(line: LineNames) -> dict[str, list[str]]:
    return {
        "constants": [line.most_dimensions] if line.most_dimensions.isidentifier() else [],
        "descriptors": list(line.handles.values()),
        "enums": [*line.enums.values(), *(group.class_name for group, _ in line.flags)],
        "tables": ["LABELS"],
    }


def _standard(words: set[str]) -> list[str]:
    lines = ["from collections.abc import Sequence"] if "Sequence" in words else []
    if "dataclass" in words:
        lines.append("from dataclasses import dataclass")
    if "index" in words:
        lines.append("from operator import index")
    typing = sorted(words & {"TYPE_CHECKING", "Any"}, key=_import_order)
    return [*lines, f"from typing import {', '.join(typing)}"] if typing else lines


def _module(line: LineNames, name: str, about: str, plans: Sequence[FunctionPlan]) -> ModulePlan:
    results = tuple(plan.result for plan in plans if plan.result is not None)
    words = _words(plan.source() for plan in plans) | {"LibraryBase"}
    if any(plan.destroys is None for plan in plans):
        words.add("CALL_ERRORS")
    lazy = [module for module in ("results", "structs") if module in words]
    if lazy:
        words |= {"TYPE_CHECKING", "LazyModule"}
    imports = [*_standard(words), "", *_support_lines(words, "..."), *_local_imports(words, _line_modules(line), "..")]
    if lazy:
        imports += ["", "if TYPE_CHECKING:"]
        imports += ["    from .. import structs"] if "structs" in lazy else []
        imports += [f"    from ..results import {name} as results"] if "results" in lazy else []
        imports += ["else:"]
        imports += [f'    results = LazyModule("..results.{name}", __package__)'] if "results" in lazy else []
        imports += ['    structs = LazyModule("..structs", __package__)'] if "structs" in lazy else []
    return ModulePlan(
        name,
        f"{camel(name)}Functions",
        about,
        tuple(plans),
        tuple(imports if imports[0] else imports[1:]),
        results,
        tuple(_result_imports(line, results)),
    )


def _result_imports(line: LineNames, results: Iterable[ResultPlan]) -> list[str]:
    words = _words(field.annotation for result in results for field in result.fields) | {"dataclass"}
    local = ["from .. import structs"] if "structs" in words else []
    local += _local_imports(words, _line_modules(line), "..")
    return [*_standard(words), *(["", *local] if local else [])]


def struct_imports(line: LineNames, records: Iterable[RecordPlan]) -> tuple[str, ...]:
    """The import lines of the module of structs."""
    words = {"Any", "dataclass", "LibraryBase"}
    for record in records:
        words |= _words(part for field in record.fields for part in (field.annotation, field.read, field.write))
        if any(field.since for field in record.fields):
            words.add("ArgumentError")
    modules = {key: names for key, names in _line_modules(line).items() if key == "enums"}
    return (*_standard(words), "", *_support_lines(words, ".."), *_local_imports(words, modules, "."))
