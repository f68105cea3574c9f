"""Everything that templates see of one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cudnn_bindgen.backend_tables import BackendPlan, plan_backend, plan_labels
from cudnn_bindgen.cdef import variant
from cudnn_bindgen.conventions import Conventions
from cudnn_bindgen.declarations import (
    ConstantPlan,
    EnumPlan,
    HandlePlan,
    StatusPlan,
    plan_constants,
    plan_enums,
    plan_flags,
    plan_handles,
    plan_statuses,
)
from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.line import Line, Span
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Api
from cudnn_bindgen.modules import ModulePlan, plan_modules, struct_imports
from cudnn_bindgen.record_plans import RecordPlan, plan_records
from cudnn_bindgen.wrappers import FunctionPlan, plan_functions

__all__ = ["LineView", "view"]


@dataclass(frozen=True)
class LineView:
    """One line, planned for printing; ``templates/README.md`` explains each attribute."""

    major: int
    versions: tuple[str, ...]
    newest: str
    api: Api
    facts: Mapping[str, FunctionFacts]
    functions: tuple[FunctionPlan, ...]
    modules: tuple[ModulePlan, ...]
    enums: tuple[EnumPlan, ...]
    flags: tuple[EnumPlan, ...]
    constants: tuple[ConstantPlan, ...]
    structs: tuple[RecordPlan, ...]
    struct_imports: tuple[str, ...]
    handles: tuple[HandlePlan, ...]
    statuses: tuple[StatusPlan, ...]
    status_names: Mapping[str, int]
    c_names: Mapping[str, str]
    methods: Mapping[str, str]
    function_names: tuple[str, ...]
    spans: Mapping[str, tuple[Span, ...]]
    moved_values: Mapping[str, tuple[tuple[str, int], ...]]
    moved_enums: tuple[str, ...]
    moved_signatures: Mapping[str, tuple[tuple[str, str], ...]]
    moved_records: Mapping[str, tuple[tuple[str, str], ...]]
    backend_handle: bool
    backend: BackendPlan
    labels: Mapping[str, tuple[str, bool]]
    double: int | None


def view(line: Line, facts: Mapping[str, FunctionFacts], rules: Conventions) -> LineView:
    """Plan everything that is printed of a line."""
    names = LineNames.of(line, rules)
    functions = plan_functions(names, facts)
    structs = plan_records(names)
    handles = plan_handles(names)
    methods = {plan.name: plan.method for plan in sorted(functions, key=lambda plan: plan.name)}
    return LineView(
        major=line.major,
        versions=line.versions,
        newest=line.versions[-1],
        api=line.api,
        facts=facts,
        functions=functions,
        modules=plan_modules(names, functions),
        enums=plan_enums(names),
        flags=plan_flags(names),
        constants=plan_constants(names),
        structs=structs,
        struct_imports=struct_imports(names, structs),
        handles=handles,
        statuses=plan_statuses(names),
        status_names=_enumerators(names, rules.status),
        c_names=_c_names(names),
        methods=methods,
        function_names=tuple(methods),
        spans=_spans(line),
        moved_values=dict(sorted(line.moved_values.items())),
        moved_enums=tuple(sorted(names.enums[enum] for enum in names.moved_enums)),
        moved_signatures={
            name: tuple((since, variant(name, since)) for since, _ in forms)
            for name, forms in sorted(line.moved_signatures.items())
        },
        moved_records={
            name: (*((since, variant(name, since)) for since, _ in forms[:-1]), (forms[-1][0], name))
            for name, forms in sorted(line.moved_records.items())
        },
        backend_handle=any(handle.backend for handle in handles),
        backend=plan_backend(names),
        labels=plan_labels(names),
        double=_enumerators(names, rules.data_type).get(rules.double),
    )


def _enumerators(names: LineNames, enum: str) -> dict[str, int]:
    """C name to value, the first name of each value."""
    found = names.enum_of(enum)
    result: dict[str, int] = {}
    for one in found.enumerators if found else ():
        if one.value not in result.values():
            result[one.name] = one.value
    return result


def _c_names(names: LineNames) -> dict[str, str]:
    api = names.line.api
    classes = {names.enums[enum.name]: enum.name for enum in api.enums}
    classes |= {names.records[record.name]: record.name for record in api.records}
    classes |= {python: c_name for c_name, python in names.handles.items()}
    return dict(sorted(classes.items()))


def _spans(line: Line) -> dict[str, tuple[Span, ...]]:
    """The spans of what is not in every version."""
    always = ((line.versions[0], None),)
    return {name: spans for name, spans in sorted(line.spans.items()) if spans != always}
