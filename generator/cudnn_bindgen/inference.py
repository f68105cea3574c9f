"""What the functions, parameters and attributes of one version are: the rules, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cudnn_bindgen.arguments import expect
from cudnn_bindgen.attribute_types import AttributeType, attribute_types, element_types
from cudnn_bindgen.exceptions import ParameterException, apply_exceptions, load_exceptions
from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.families import classify, operation, pass_of
from cudnn_bindgen.families import words as function_words
from cudnn_bindgen.model import Api, Function
from cudnn_bindgen.nullability import mark_nullable
from cudnn_bindgen.pairing import pair
from cudnn_bindgen.roles import Call, parameter_roles
from cudnn_bindgen.typeinfo import TypeInfo

__all__ = ["AttributeType", "Lifecycle", "attribute_types", "element_types", "function_facts", "lifecycles"]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The functions that make and free objects of one handle type."""

    handle: str
    create: str
    destroy: str


def function_facts(api: Api, exceptions: Iterable[ParameterException] | None = None) -> dict[str, FunctionFacts]:
    """What every function of `api` is, by name, in the order of the headers.

    Parameters
    ----------
    exceptions
        To apply after the rules; the generator's own when not given.
    """
    expect(Api, api)
    types = TypeInfo(api)
    library_handle = _library_handle(api, types)
    known = load_exceptions() if exceptions is None else tuple(exceptions)
    return {
        function.name: apply_exceptions(_infer(function, types, library_handle), known) for function in api.functions
    }


def _infer(function: Function, types: TypeInfo, library_handle: str | None) -> FunctionFacts:
    shapes = tuple(types.shape(parameter.type) for parameter in function.parameters)
    classified = classify(function, shapes, library_handle)
    call = Call(function, shapes, classified, library_handle)
    parameters = mark_nullable(call, pair(call, parameter_roles(call)))
    return FunctionFacts(
        function.name,
        classified.family,
        classified.rule,
        parameters,
        handle=classified.handle,
        operation=operation(function.name, classified.family),
        passes=pass_of(function.name),
    )


def _library_handle(api: Api, types: TypeInfo) -> str | None:
    """The handle type that the function without any noun creates (``cudnnCreate``)."""
    for function in api.functions:
        if function.name.endswith("Create") and len(function.parameters) == 1:
            shape = types.shape(function.parameters[0].type)
            if shape.kind == "handle" and shape.depth == 1:
                return shape.name
    return None


def lifecycles(facts: Mapping[str, FunctionFacts]) -> dict[str, Lifecycle]:
    """Create/destroy pairs by handle type, those of the backend and of fused operations included, in header order.

    A handle type that is only made or only freed has no pair and is left out.
    """
    makers: dict[str, str] = {}
    freers: dict[str, str] = {}
    for function in facts.values():
        if function.handle is None:
            continue
        words = function_words(function.name)
        if "Create" in words and any(parameter.role == "created" for parameter in function.parameters):
            makers.setdefault(function.handle, function.name)
        elif "Destroy" in words:
            freers.setdefault(function.handle, function.name)
    return {handle: Lifecycle(handle, name, freers[handle]) for handle, name in makers.items() if handle in freers}
