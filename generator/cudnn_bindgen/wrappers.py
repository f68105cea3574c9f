"""From a function and what is known of it to a plan that a template only has to print."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cudnn_bindgen.docstrings import wrapper_docstring
from cudnn_bindgen.facts import FunctionFacts, ParameterFacts
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Function, Parameter
from cudnn_bindgen.piece_arrays import ARRAYS_FROM_CALLER, ARRAYS_TO_CALLER
from cudnn_bindgen.piece_values import FROM_CALLER, TO_CALLER, from_wire, number, raw
from cudnn_bindgen.pieces import Output, Piece, Wrapping

__all__ = ["FunctionPlan", "ResultPlan", "plan_functions"]

_FROM_CALLER = {**FROM_CALLER, **ARRAYS_FROM_CALLER}
_TO_CALLER = {**TO_CALLER, **ARRAYS_TO_CALLER}


@dataclass(frozen=True, slots=True)
class ResultPlan:
    """The dataclass of what a function with several outputs answers."""

    name: str
    function: str
    fields: tuple[Output, ...]
    notes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """A wrapper, ready to print.

    Attributes
    ----------
    parameters
        The signature behind ``self``, as source: ``n: int``, ``*``, ``count: int | None = None``.
    arguments
        Names of the Python parameters, handed to the errors.
    before
        Statements inside ``try``, before the call.
    call
        The C call's callee and arguments, as source.
    checks
        The C function returns a status.
    answers
        The C function gives a value that is no status.
    answer
        The expression and annotation of that value where it is all that is returned.
    after
        Statements after a successful call.
    outputs
        What is returned.
    result
        The dataclass of several outputs.
    destroys
        The method only frees this argument.
    """

    name: str
    method: str
    location: str
    facts: FunctionFacts
    docstring: tuple[str, ...]
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    returns: str
    before: tuple[str, ...]
    call: str
    checks: bool
    answers: bool
    answer: Output | None
    after: tuple[str, ...]
    outputs: tuple[Output, ...]
    result: ResultPlan | None
    destroys: str | None = None

    def source(self) -> str:
        """All source text in the plan, to find the names that it uses."""
        parts: list[str] = [*self.parameters, self.returns, *self.before, self.call, *self.after]
        parts += [output.value for output in self.outputs]
        parts += [self.answer.value, self.answer.annotation] if self.answer else []
        return "\n".join(parts)


def plan_functions(line: LineNames, facts: Mapping[str, FunctionFacts]) -> tuple[FunctionPlan, ...]:
    """A plan for every function of a line, in the headers' order."""
    functions = line.line.api.functions
    counters = [function for function in functions if facts[function.name].family == "max_count"]
    return tuple(_plan(function, facts[function.name], line, counters) for function in functions)


def _plan(function: Function, facts: FunctionFacts, line: LineNames, counters: Iterable[Function]) -> FunctionPlan:
    wrapping = Wrapping.of(function, facts, line, _max_count(function, facts, line, counters))
    pieces = [_piece(wrapping, parameter, one) for parameter, one in wrapping.pairs()]
    returned = line.types.shape(function.returns)
    checks = returned.by_value and returned.name == line.rules.status
    answer = None if checks else _answer(wrapping)
    answers = answer is not None
    outputs = tuple(piece.output for piece in pieces if piece.output is not None)
    if answer is not None and outputs:
        outputs, answer = (answer, *outputs), None
    result = None
    if len(outputs) > 1:
        notes = {piece.output.name: piece.note for piece in pieces if piece.output is not None and piece.note}
        result = ResultPlan(line.result_class(function.name), function.name, outputs, notes)
    returns = (
        f"results.{result.name}"
        if result
        else outputs[0].annotation
        if outputs
        else (answer.annotation if answer else "None")
    )
    callee = "self._moved" if function.name in line.line.moved_signatures else "self._lib"
    return FunctionPlan(
        name=function.name,
        method=line.methods[function.name],
        location=function.location.file,
        facts=facts,
        docstring=wrapper_docstring(line.line, function, facts, pieces, outputs, returns, answer, checks),
        parameters=_signature(pieces),
        arguments=tuple(piece.argument.name for piece in pieces if piece.argument is not None),
        returns=returns,
        # Lengths first: arrays are made as long as they say.
        before=tuple(text for piece in sorted(pieces, key=_counts_first) for text in piece.before),
        call=f"{_member(callee, function.name)}({', '.join(piece.call for piece in pieces)})",
        checks=checks,
        answers=answers,
        answer=answer,
        after=(*_remembered(wrapping), *dict.fromkeys(text for piece in pieces for text in piece.after)),
        outputs=outputs,
        result=result,
        destroys=_destroys(wrapping, checks),
    )


def _member(owner: str, name: str) -> str:
    return f'getattr({owner}, "{name}")' if keyword.iskeyword(name) else f"{owner}.{name}"


def _piece(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    maker = (_TO_CALLER if facts.direction == "out" else _FROM_CALLER).get(facts.role, raw)
    return maker(wrapping, parameter, facts)


def _counts_first(piece: Piece) -> bool:
    return piece.facts.role != "count" or piece.facts.direction == "out"


def _max_count(
    function: Function, facts: FunctionFacts, line: LineNames, counters: Iterable[Function]
) -> Function | None:
    """The function that counts the algorithms `function` can find.

    Its name says of what, and its arguments are among those of `function`.
    """
    if facts.family not in ("find", "find_ex", "get_v7"):
        return None
    here = {line.types.shape(parameter.type).name for parameter in function.parameters}
    for counter in counters:
        subject = line.methods[counter.name].removeprefix("get_").removesuffix("_max_count")
        shapes = [line.types.shape(parameter.type) for parameter in counter.parameters]
        if subject in line.methods[function.name] and all(shape.name in here for shape in shapes if shape.by_value):
            return counter
    return None


def _signature(pieces: Sequence[Piece]) -> tuple[str, ...]:
    arguments = [piece.argument for piece in pieces if piece.argument is not None]
    plain = [f"{one.name}: {one.annotation}" for one in arguments if one.default is None]
    keywords = [f"{one.name}: {one.annotation} = {one.default}" for one in arguments if one.default is not None]
    return (*plain, "*", *keywords) if keywords else tuple(plain)


def _answer(wrapping: Wrapping) -> Output | None:
    """What a C function that returns no status gives back."""
    line, shape = wrapping.line, wrapping.line.types.shape(wrapping.function.returns)
    match shape.kind:
        case "void" if shape.by_value:
            return None
        case "char" if shape.depth == 1:
            return Output("answer", "str", "text(self._ffi, answer)")
        case "number" if shape.by_value:
            return Output("answer", number(shape), "answer")
        case "enum" if shape.by_value and shape.name in line.enums:
            return Output("answer", line.enums[shape.name], from_wire(line, shape.name, "answer"))
        case _:
            return Output("answer", "Any", "answer")


def _remembered(wrapping: Wrapping) -> tuple[str, ...]:
    """A setter leaves the data type with its descriptor, where alpha and beta look for it."""
    if wrapping.facts.family != "set":
        return ()
    rules, pairs, handle = wrapping.line.rules, wrapping.pairs(), wrapping.facts.handle
    subject = next((p for p, f in pairs if f.role == "handle" and wrapping.shape(p).name == handle), None)
    kinds = [p.name for p, f in pairs if f.role == "enum" and wrapping.shape(p).name == rules.data_type]
    if subject is None or not kinds or wrapping.shape(subject).name not in wrapping.line.handles:
        return ()
    chosen = next((name for name in rules.data_type_parameters if name in kinds), kinds[0])
    return (f"{wrapping.names[subject.name]}._data_type = {wrapping.names[chosen]}",)


def _destroys(wrapping: Wrapping, checks: bool) -> str | None:
    """The argument that the function frees, when that is all it does."""
    parameters = wrapping.function.parameters
    if not checks or len(parameters) != 1 or wrapping.function.name not in wrapping.line.destroyers.values():
        return None
    shape = wrapping.shape(parameters[0])
    return wrapping.names[parameters[0].name] if shape.name in wrapping.line.handles else None
