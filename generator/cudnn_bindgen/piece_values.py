"""Wrapping parameters that are one thing: an opaque object, a number, an enumerator, an address, a text."""

from __future__ import annotations

from dataclasses import replace

from cudnn_bindgen.facts import ParameterFacts, RoleName
from cudnn_bindgen.layout import FLOATS
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import CType, Parameter, Pointer
from cudnn_bindgen.pieces import Argument, Maker, Output, Piece, Wrapping
from cudnn_bindgen.typeinfo import Shape

__all__ = ["FROM_CALLER", "TO_CALLER", "from_wire", "number", "raw", "whole", "wire"]


def number(shape: Shape) -> str:
    """The Python type of a C number."""
    return "float" if shape.name in FLOATS else "int"


def whole(shape: Shape, value: str) -> str:
    """The expression that gives C a number: cffi would cut the fraction off many kinds of numbers."""
    return f"index({value})" if number(shape) == "int" else value


def raw(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    """What nothing else is known about is passed as cffi data."""
    name = wrapping.names[parameter.name]
    return Piece(parameter, facts, name, Argument(name, "Any"), note="cffi data, passed as it is")


# --- opaque objects -------------------------------------------------------------------------------------------------


def _handle_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    cls = wrapping.line.handles.get(shape.name)
    if cls is None or not shape.by_value:
        plain = raw(wrapping, parameter, facts)
        return replace(plain, call=f"self._null if {name} is None else {name}") if facts.nullable else plain
    if facts.nullable:
        return Piece(parameter, facts, f"handle_pointer({name}, self._null)", Argument(name, f"{cls} | None"))
    if parameter.name in wrapping.line.rules.taken.get(wrapping.function.name, ()):
        after, note = (f"{name}._owned.clear()",), "freed by the object that it is set in from then on"
        return Piece(parameter, facts, f"{name}._ptr", Argument(name, cls), after=after, note=note)
    return Piece(parameter, facts, f"{name}._ptr", Argument(name, cls))


def _handle_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    if shape.by_value:  # an object of the caller's that the call fills
        return _handle_in(wrapping, parameter, facts)
    cls = wrapping.line.handles.get(shape.name)
    if cls is None:
        return _address_out(wrapping, parameter, facts)
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("{shape.name} *")',),
        output=Output(name, f"{cls} | None", f"{cls}(self, {name}[0], owned=False) if {name}[0] else None"),
        note="not owned: closing it does not destroy it",
    )


def _created(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    cls = wrapping.line.handles.get(shape.name)
    if cls is None:
        return _address_out(wrapping, parameter, facts)
    if facts.count is not None:
        count = wrapping.names.get(facts.count, facts.count)
        return Piece(
            parameter,
            facts,
            name,
            before=(f'{name} = self._new("{shape.name}[]", {count})',),
            output=Output(name, f"list[{cls}]", f"[{cls}(self, one) for one in self._ffi.unpack({name}, {count})]"),
        )
    kind = ""
    if shape.name == wrapping.line.rules.backend_handle:
        kinds = [one for one in wrapping.function.parameters if wrapping.shape(one).kind == "enum"]
        kind = f", kind={wrapping.names[kinds[0].name]}" if kinds else ""
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("{shape.name} *")',),
        output=Output(name, cls, f"{cls}(self, {name}[0]{kind})"),
        note="owned: close it, or use it in a with statement",
    )


def _stream(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    return Piece(
        parameter, facts, f'stream_pointer({name}, "{name}")', Argument(name, "Stream"), note="0: the default stream"
    )


def _graph(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    return Piece(
        parameter,
        facts,
        f'self._ffi.cast("{shape.name}", index({name}))',
        Argument(name, "int"),
        note="the graph's address",
    )


def _callback(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    return Piece(
        parameter,
        facts,
        f"self._null if {name} is None else {name}",
        Argument(name, "Any"),
        note="cffi data: a callback that the caller keeps alive, or None",
    )


def _callback_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, target = wrapping.names[parameter.name], parameter.type
    inner = str(target.target) if isinstance(target, Pointer) else "void *"
    return Piece(
        parameter, facts, name, before=(f'{name} = self._new("{inner} *")',), output=Output(name, "Any", f"{name}[0]")
    )


# --- numbers and enumerators ----------------------------------------------------------------------------------------


def _number_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    if shape.depth == 1:
        return _number_inout(wrapping, parameter, facts)
    flags = wrapping.line.flag_class(parameter.name, shape.name)
    annotation = f"{flags} | int" if flags else number(shape)
    note = "bytes" if facts.role == "size" else ""
    return Piece(parameter, facts, whole(shape, name), Argument(name, annotation), note=note)


def _number_inout(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    output = Output(name, number(shape), f"{name}_data[0]")
    before = (f'{name}_data = self._new("{shape.name} *", {whole(shape, name)})',)
    return Piece(parameter, facts, f"{name}_data", Argument(name, number(shape)), before, output=output)


def _number_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    flags = wrapping.line.flag_class(parameter.name, shape.name)
    output = Output(name, flags or number(shape), f"{flags}({name}[0])" if flags else f"{name}[0]")
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("{shape.name} *")',),
        output=None if facts.role == "count" and wrapping.answers(parameter.name) else output,
        note="bytes" if facts.role == "size" else "",
    )


def _enum_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    cls = wrapping.line.enums.get(shape.name)
    if cls is None or not shape.by_value:
        return raw(wrapping, parameter, facts)
    return Piece(parameter, facts, wire(wrapping.line, shape.name, name), Argument(name, f"{cls} | int"))


def wire(line: LineNames, enum: str, value: str, library: str = "self") -> str:
    """The expression that gives C an enumerator: by name where the enum's values moved."""
    cls = line.enums[enum]
    return f"{library}._wire({value}, {cls})" if enum in line.moved_enums else f"enum_value({value}, {cls})"


def from_wire(line: LineNames, enum: str, value: str, library: str = "self") -> str:
    """The expression that makes a member of what C answered."""
    cls = line.enums[enum]
    return f"{library}._from_wire({cls}, {value})" if enum in line.moved_enums else f"{cls}({value})"


def _enum_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    cls = wrapping.line.enums.get(shape.name)
    if cls is None:
        return raw(wrapping, parameter, facts)
    enum = wrapping.line.enum_of(shape.name)
    ctype = shape.name if enum is None or enum.typedef else f"enum {enum.tag}"
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("{ctype} *")',),
        output=Output(name, cls, from_wire(wrapping.line, shape.name, f"{name}[0]")),
    )


def _host_scalar(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    telling = next((one for one in wrapping.function.parameters if one.name == facts.typed_by), None)
    optional = " | None" if facts.nullable else ""

    def maybe(call: str) -> str:
        return f"self._null if {name} is None else {call}" if facts.nullable else call

    if telling is None:
        return Piece(parameter, facts, maybe(f"self._scalar({name})"), Argument(name, f"float{optional}"))
    typed_by, kind = wrapping.names[telling.name], wrapping.shape(telling).kind
    if kind == "enum":
        call = f'self._number({name}, {typed_by}, "{name}")'
    elif facts.exact:
        call = f'self._number({name}, {typed_by}._data_type, "{name}")'
    else:
        call = f"self._scalar({name}, {typed_by})"
    note = (
        f"of the data type of `{typed_by}`"
        if facts.exact
        else f"in host memory; double where `{typed_by}` is, else float"
    )
    return Piece(parameter, facts, maybe(call), Argument(name, f"float{optional}"), note=note)


def _host_scalar_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    telling = next((one for one in wrapping.function.parameters if one.name == facts.typed_by), None)
    if telling is None:
        return raw(wrapping, parameter, facts)
    typed_by = wrapping.names[telling.name]
    kind = typed_by if wrapping.shape(telling).by_value else f"{typed_by}[0]"
    return Piece(
        parameter,
        facts,
        name,
        # Room for one number of the widest data type.
        before=(f'{name} = self._new("char[16]")',),
        output=Output(name, "float", f'self._read_number({name}, {kind}, "{name}")'),
        note=f"of the data type of `{typed_by}`",
    )


# --- memory ---------------------------------------------------------------------------------------------------------


def _device_pointer(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, shape = wrapping.names[parameter.name], wrapping.shape(parameter)
    if shape.depth > 1 and facts.direction == "out":
        return _address_out(wrapping, parameter, facts)
    if facts.nullable:
        argument = Argument(name, "DevicePointer | None")
        return Piece(parameter, facts, f'optional_device_pointer({name}, "{name}")', argument, note="device memory")
    argument = Argument(name, "DevicePointer")
    return Piece(parameter, facts, f'device_pointer({name}, "{name}")', argument, note="device memory")


def _address_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name, ctype = wrapping.names[parameter.name], parameter.type
    inner: CType | str = ctype.target if isinstance(ctype, Pointer) else "void *"
    address = f'int(self._ffi.cast("uintptr_t", {name}[0]))'
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("{inner} *")',),
        output=Output(name, "int", address),
        note="an address, 0 for NULL",
    )


def _device_pointers(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    annotation = "Sequence[DevicePointer | None]"
    call = f'device_pointer_array(self._ffi, {name}, "{name}")'
    return Piece(parameter, facts, call, Argument(name, annotation), note="addresses in device memory")


def _host_buffer(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    label = _label(wrapping, facts)
    writes = ", writable=True" if facts.direction == "out" else ""
    if label is None:
        call = f'host_buffer(self._ffi, {name}, "{name}"{writes})'
        elements = _attribute_elements(wrapping, facts)
        if elements is not None:
            call = f'attribute_buffer(self, {name}, {elements}, "{name}"{writes})'
        note = "a buffer in host memory, cffi data or None"
    elif facts.direction == "out":
        call = f'label_room(self._ffi, LABELS, {label}, {name}, "{name}")'
        note = "a descriptor, or a buffer in host memory"
    else:
        call = f'label_value(self._ffi, LABELS, {label}, {name}, "{name}")'
        note = f"of the type that `{wrapping.names[str(facts.typed_by)]}` wants, or a buffer, cffi data or None"
    if facts.direction == "out":
        note += "; the call writes to it"
    return Piece(parameter, facts, call, Argument(name, "Any"), note=note)


def _label(wrapping: Wrapping, facts: ParameterFacts) -> str | None:
    """The expression for the enumerator that tells a void pointer's type by itself, None where none does."""
    telling = next((one for one in wrapping.function.parameters if one.name == facts.typed_by), None)
    if telling is None:
        return None
    enum = wrapping.shape(telling).name
    if enum == wrapping.line.rules.backend_type or enum not in wrapping.line.enums:
        return None
    return f"{wrapping.line.enums[enum]}({wrapping.names[telling.name]})"


def _attribute_elements(wrapping: Wrapping, facts: ParameterFacts) -> str | None:
    """Expressions for the type and the number of an attribute's elements, None where `facts` is of no attribute."""
    enums = [
        one for one in wrapping.function.parameters if wrapping.shape(one).name == wrapping.line.rules.backend_type
    ]
    if facts.typed_by not in wrapping.names or not enums or enums[0].name != facts.typed_by:
        return None
    counts = [one for one, fact in wrapping.pairs() if fact.role == "count" and fact.direction == "in"]
    return f"{wrapping.names[enums[0].name]}, {wrapping.names[counts[0].name]}" if len(counts) == 1 else None


def _user_data(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    call = f"self._null if {name} is None else {name}"
    return Piece(parameter, facts, call, Argument(name, "Any"), note="cffi data or None")


def _string_in(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    return Piece(parameter, facts, f'c_string({name}, "{name}")', Argument(name, "str"))


def _string_out(wrapping: Wrapping, parameter: Parameter, facts: ParameterFacts) -> Piece:
    name = wrapping.names[parameter.name]
    size = wrapping.names.get(facts.count or "", str(wrapping.line.rules.text_length))
    return Piece(
        parameter,
        facts,
        name,
        before=(f'{name} = self._new("char[]", {size})',),
        output=Output(name, "str", f"text(self._ffi, {name})"),
    )


# What makes a piece, by role: where the caller gives something, and where the call answers it.
FROM_CALLER: dict[RoleName, Maker] = {
    "library_handle": _handle_in,
    "handle": _handle_in,
    "enum": _enum_in,
    "scalar": _number_in,
    "size": _number_in,
    "host_scalar": _host_scalar,
    "host_buffer": _host_buffer,
    "device_pointer": _device_pointer,
    "device_pointer_array": _device_pointers,
    "string": _string_in,
    "stream": _stream,
    "graph": _graph,
    "callback": _callback,
    "user_data": _user_data,
}
TO_CALLER: dict[RoleName, Maker] = {
    "library_handle": _handle_out,
    "handle": _handle_out,
    "created": _created,
    "enum": _enum_out,
    "scalar": _number_out,
    "size": _number_out,
    "count": _number_out,
    "host_scalar": _host_scalar_out,
    "host_buffer": _host_buffer,
    "device_pointer": _device_pointer,
    "string": _string_out,
    "stream": _address_out,
    "graph": _address_out,
    "callback": _callback_out,
    "user_data": _address_out,
}
