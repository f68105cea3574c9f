"""What the functions, parameters and attributes of one version are: the rules, put together."""

from __future__ import annotations

from collections.abc import Iterable

from cudnn_bindgen.exceptions import ParameterException, apply_exceptions, load_exceptions
from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.families import classify, operation, pass_of
from cudnn_bindgen.model import Api, Function
from cudnn_bindgen.nullability import mark_nullable
from cudnn_bindgen.pairing import pair
from cudnn_bindgen.roles import Call, parameter_roles
from cudnn_bindgen.typeinfo import TypeInfo

__all__ = ["function_facts"]


def function_facts(api: Api, exceptions: Iterable[ParameterException] | None = None) -> dict[str, FunctionFacts]:
    """What every function of `api` is, by name, in the order of the headers.

    Parameters
    ----------
    exceptions
        To apply after the rules; the generator's own when not given.
    """
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
