"""Wrapping arrays, the counts that belong to them, and records."""

from __future__ import annotations

from cudnn_bindgen.cdef import as_integers, by_value
from cudnn_bindgen.facts import ParameterFacts, RoleName
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Parameter
from cudnn_bindgen.piece_values import from_wire, number, raw, whole, wire
from cudnn_bindgen.pieces import Argument, Maker, Output, Piece, Wrapping, asked
from cudnn_bindgen.typeinfo import Shape

__all__ = ["ARRAYS_FROM_CALLER", "ARRAYS_TO_CALLER"]


# --- counts ---------------------------------------------------------------------------------------------------------


def _count(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    match wrapping.count_kind(parameter.name):
        case "derived":
            given = [p for p, f in wrapping.counted_by(parameter.name) if f.direction != "out"]
            arrays = ", ".join(f"{wrapping.names[one.name]}={wrapping.names[one.name]}" for one in given)
            before = [f"{name} = same_length({arrays})"]
            if f"{wrapping.function.name}.{parameter.name}" in wrapping.line.rules.bounded_dimensions:
                before.append(f'at_most({name}, {wrapping.line.most_dimensions}, "{wrapping.names[given[0].name]}")')
            return Piece(parameter, facts, name, before=tuple(before))
        case "most":
            return _most(wrapping, parameter, facts)
        case "grows":
            return _growing(wrapping, parameter, facts)
        case "text":
            default = str(wrapping.line.rules.text_length)
            return Piece(parameter, facts, f"index({name})", Argument(name, "int", default), note="bytes")
        case "plain":
            shape = wrapping.shape(parameter)
            return Piece(parameter, facts, whole(shape, name), Argument(name, number(shape)))


def _most(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    """By default ask for as many results as the library says there can be."""
    name, most = wrapping.names[parameter.name], wrapping.max_count
    assert most is not None
    # The functions have their arguments in common; which is which, their types tell.
    by_type = {wrapping.shape(one).name: wrapping.names[one.name] for one in reversed(wrapping.function.parameters)}
    shapes = [wrapping.line.types.shape(one.type) for one in most.parameters]
    arguments = ", ".join(by_type[shape.name] for shape in shapes if shape.by_value)
    method = wrapping.line.methods[most.name]
    return Piece(
        parameter,
        facts,
        name,
        Argument(name, "int | None", "None"),
        before=(f"{name} = requested({name}, lambda: self.{method}({arguments}))",),
        note=f"all that there can be when None (``{most.name}``)",
    )


def _growing(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    """By default ask for as many as there are dimensions, and once more when the answer is longer."""
    name = wrapping.names[parameter.name]
    local = asked(name)
    less = _fewer(wrapping, parameter)
    most = f"{wrapping.line.most_dimensions} - {less}" if less else wrapping.line.most_dimensions
    return Piece(
        parameter,
        facts,
        local,
        Argument(name, "int | None", "None"),
        before=(f"{local} = {most} if {name} is None else {name}",),
        note="all that there are when None",
    )


def _fewer(wrapping: Wrapping, parameter: Parameter) -> int | None:
    fewer = wrapping.line.rules.fewer_dimensions
    return fewer.get(f"{wrapping.function.name}.{parameter.name}") or fewer.get(parameter.name)


# --- elements -------------------------------------------------------------------------------------------------------


def _record_class(line: LineNames, name: str) -> str:
    return f"structs.{line.records[name]}"


def _element_type(wrapping: Wrapping, shape: Shape) -> str | None:
    """The Python type of one element, None where there is none of its own."""
    line = wrapping.line
    if shape.depth != 1:
        return None
    match shape.kind:
        case "number":
            return number(shape)
        case "enum":
            return line.enums.get(shape.name)
        case "handle":
            return line.handles.get(shape.name)
        case "record":
            return _record_class(line, shape.name) if shape.name in line.records else None
        case _:
            return None


def _given(wrapping: Wrapping, shape: Shape, name: str) -> str:
    """The expression for the elements of `name` as cffi takes them; `name` itself where they pass as they are."""
    match shape.kind:
        case "handle":
            return f"[one._ptr for one in {name}]"
        case "enum":
            return f"[{wire(wrapping.line, shape.name, 'one')} for one in {name}]"
        case "record":
            return f"[one._to_c(self)[0] for one in {name}]"
        case _:
            return name


def _answered(wrapping: Wrapping, shape: Shape, values: str) -> str:
    """The expression for a list of Python values of the list of C values that `values` is."""
    match shape.kind:
        case "enum":
            return f"[{from_wire(wrapping.line, shape.name, 'one')} for one in {values}]"
        case "handle":
            return f"[{wrapping.line.handles[shape.name]}(self, one, owned=False) for one in {values}]"
        case "record":
            return f"[{_record_class(wrapping.line, shape.name)}._from_c(one, self) for one in {values}]"
        case _:
            return values


def _passed(wrapping: Wrapping, shape: Shape, local: str) -> str:
    """The expression that hands C the memory in the variable `local`.

    The layout of another version is another type for cffi. It does not keep the memory of a cast pointer alive, so that
    the memory stands in a variable.
    """
    moved = wrapping.element(shape) in wrapping.line.line.moved_records
    return f'self._ffi.cast("void *", {local})' if moved else local


def _array_ctype(wrapping: Wrapping, shape: Shape) -> str:
    """The expression for the C type of an array of that element."""
    element = wrapping.element(shape)
    return f'self._record("{element}") + "[]"' if element in wrapping.line.line.moved_records else f'"{element}[]"'


# --- arrays ---------------------------------------------------------------------------------------------------------


def _array_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    element = _element_type(wrapping, shape)
    if element is None:
        return raw(wrapping, parameter, facts)
    annotation = f"Sequence[{element} | int]" if shape.kind == "enum" else f"Sequence[{element}]"
    ctype, values = _array_ctype(wrapping, shape), _given(wrapping, shape, name)
    make = f'in_array(self._ffi, {ctype}, {values}, "{name}")'
    if facts.nullable:
        if values != name:
            values = f"None if {name} is None else {values}"
        make, annotation = f'optional_array(self._ffi, {ctype}, {values}, "{name}")', f"{annotation} | None"
    before = _spatial(wrapping, parameter, facts)
    if wrapping.element(shape) in wrapping.line.line.moved_records:
        before, make = (*before, f"{name}_data = {make}"), _passed(wrapping, shape, f"{name}_data")
    argument = Argument(name, annotation)
    note = f"passed with its length as ``{facts.count}``" if facts.count in wrapping.names else ""
    if wrapping.facts.family == "destroy":
        after = (f"for one in {name}:\n    one._take()",)
        return Piece(parameter, facts, make, argument, after=after, note="closed by the call")
    if facts.direction == "inout" and facts.returned_count:
        count = f"{wrapping.names[facts.returned_count]}[0]"
        output = Output(name, f"list[{element}]", f"list({name})[: max({count}, 0)]")
        return Piece(parameter, facts, make, argument, output=output, note="filled by the call")
    return Piece(parameter, facts, make, argument, before, note=note)


def _spatial(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> tuple[str, ...]:
    """The check of an array that has fewer elements than there are dimensions, and no count of its own."""
    less = _fewer(wrapping, parameter)
    dimensions = [p for p, f in wrapping.pairs() if f.role == "count" and wrapping.count_kind(p.name) == "derived"]
    if facts.count is not None or less is None or len(dimensions) != 1:
        return ()
    name = wrapping.names[parameter.name]
    return (f'exactly({name}, {wrapping.names[dimensions[0].name]} - {less}, "{name}")',)


def _array_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    element = _element_type(wrapping, shape)
    if element is None or facts.count is None:
        call = f'host_buffer(self._ffi, {name}, "{name}")'
        return Piece(
            parameter, facts, call, Argument(name, "Any"), note="a buffer in host memory; the call writes to it"
        )
    length = wrapping.length(facts.count)
    values = f"self._ffi.unpack({name}, {length})"
    if facts.returned_count:
        values = f"out_list(self._ffi, {name}, {wrapping.names[facts.returned_count]}[0], {length})"
    return Piece(
        parameter,
        facts,
        _passed(wrapping, shape, name),
        before=(f"{name} = self._new({_array_ctype(wrapping, shape)}, {length})",),
        after=_grow(wrapping, facts),
        output=Output(name, f"list[{element}]", _answered(wrapping, shape, values)),
    )


def _grow(wrapping: Wrapping, facts: ParameterFacts) -> tuple[str, ...]:
    """Call again for all elements, when the caller did not say how many and there are more than were asked for."""
    count, returned = facts.count, facts.returned_count
    if count is None or returned is None or wrapping.count_kind(count) != "grows":
        return ()
    name, answer = wrapping.names[count], f"{wrapping.names[returned]}[0]"
    given = [wrapping.names[p.name] for p, f in wrapping.pairs() if f.direction != "out" and f.role != "count"]
    requests = [wrapping.names[p.name] for p, f in wrapping.pairs() if f.direction != "out" and f.role == "count"]
    keywords = [f"{one}={answer if one == name else one}" for one in requests]
    method = wrapping.line.methods[wrapping.function.name]
    again = f"return self.{method}({', '.join([*given, *keywords])})"
    return (f"if {name} is None and {answer} > {asked(name)}:\n    {again}",)


# --- records --------------------------------------------------------------------------------------------------------


def _record_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    if shape.name not in wrapping.line.records or shape.depth > 1:
        return raw(wrapping, parameter, facts)
    annotation = _record_class(wrapping.line, shape.name)
    make = f"{name}._to_c(self)" + ("[0]" if shape.by_value else "")
    if facts.nullable:
        make, annotation = f"self._null if {name} is None else {make}", f"{annotation} | None"
    argument = Argument(name, annotation)
    record = wrapping.line.record_of(shape.name)
    if shape.by_value and record is not None and as_integers(wrapping.line.line.api, record):
        before = (f"{name}_data = {name}._to_c(self)",)
        call = f'self._ffi.cast("{by_value(record.name)} *", {name}_data)[0]'
        return Piece(parameter, facts, call, argument, before)
    if shape.by_value or wrapping.element(shape) not in wrapping.line.line.moved_records:
        return Piece(parameter, facts, make, argument)
    local = f"{name}_data"
    return Piece(parameter, facts, _passed(wrapping, shape, local), argument, before=(f"{local} = {make}",))


def _record_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    if shape.name not in wrapping.line.records or shape.depth != 1:
        return raw(wrapping, parameter, facts)
    cls, element = _record_class(wrapping.line, shape.name), wrapping.element(shape)
    moved = element in wrapping.line.line.moved_records
    ctype = f'self._record("{element}") + " *"' if moved else f'"{element} *"'
    return Piece(
        parameter,
        facts,
        _passed(wrapping, shape, name),
        before=(f"{name} = self._new({ctype})",),
        output=Output(name, cls, f"{cls}._from_c({name}[0], self)"),
    )


ARRAYS_FROM_CALLER: dict[RoleName, Maker] = {"count": _count, "array": _array_in, "record": _record_in}
ARRAYS_TO_CALLER: dict[RoleName, Maker] = {"array": _array_out, "record": _record_out}
