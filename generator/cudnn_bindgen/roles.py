"""What each parameter is: its direction and role, by rules over types, const, names and the function's family.

The rules are tried in order and the first that answers wins. Which count belongs to which array, which data type tells
a void pointer's type, and what may be NULL are settled afterwards (``pairing``, ``nullability``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cudnn_bindgen.facts import Memory, ParameterFacts, RoleName
from cudnn_bindgen.families import Classified, pass_of, words
from cudnn_bindgen.model import Direction, Function, Parameter
from cudnn_bindgen.typeinfo import Shape

__all__ = ["Call", "is_data_descriptor", "parameter_roles"]

_SCALING = re.compile(r"(alpha|beta)([0-9A-Z]\w*)?")
_ELEMENT_VALUE = re.compile(r"value(Ptr)?|paddingFill|\w+Fill(Value)?")
_WORKSPACE = re.compile(r"work_?space|wspace", re.IGNORECASE)
_RESERVE = re.compile(r"reserve_?space", re.IGNORECASE)
_SERIALISED = re.compile(r"\w*algoSpace", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(AttributeType|ParamLabel)_t$")
# Descriptors of data in memory, whose data type decides the type of scaling factors.
_DATA_DESCRIPTOR = re.compile(r"cudnn(Tensor|Filter|RNNData|SeqData)Descriptor_t$")
# Verbs of functions that change the descriptor they are given first.
_CHANGING = frozenset({"Set", "Init", "Initialize", "Finalize", "Derive", "Copy", "Restore", "Make"})


def is_data_descriptor(shape: Shape) -> bool:
    """A handle by value that describes data in memory, so that it has a data type."""
    return shape.kind == "handle" and shape.by_value and bool(_DATA_DESCRIPTOR.match(shape.name))


@dataclass(frozen=True, slots=True)
class Call:
    """A function with what is known about it before its parameters' roles are inferred."""

    function: Function
    shapes: tuple[Shape, ...]
    classified: Classified
    library_handle: str | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.function.parameters

    @property
    def words(self) -> tuple[str, ...]:
        return words(self.function.name)

    def says(self, *candidates: str) -> bool:
        """One of `candidates` is among the function's words."""
        return not set(candidates).isdisjoint(self.words)

    @property
    def stream_ordered(self) -> bool:
        """Launched on a stream that is passed along, without a library handle: its data is on the device."""
        streams = any(shape.kind == "stream" and shape.by_value for shape in self.shapes)
        return streams and not any(shape.name == self.library_handle for shape in self.shapes)

    def subject(self) -> int | None:
        """The place of the first handle by value that is not the library's."""
        for place, shape in enumerate(self.shapes):
            if shape.kind == "handle" and shape.by_value and shape.name != self.library_handle:
                return place
        return None

    def scales(self, place: int, prefix: str) -> bool:
        """The parameter at `place` is a host scaling factor whose name starts with `prefix`."""
        shape = self.shapes[place]
        name = self.parameters[place].name
        return shape.kind == "void" and shape.const and name.startswith(prefix) and bool(_SCALING.fullmatch(name))


@dataclass(frozen=True, slots=True)
class _Role:
    role: RoleName
    direction: Direction
    rule: str
    memory: Memory | None = None
    exact: bool = False


_Rule = Callable[[Call, int], "_Role | None"]


# --- opaque things --------------------------------------------------------------------------------------------------


def _callback(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "callback":
        return None
    return (
        _Role("callback", "in", "callback_type") if shape.by_value else _Role("callback", "out", "callback_out", "host")
    )


def _user_data(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "void" or not any(other.kind == "callback" for other in call.shapes):
        return None
    if shape.depth == 1:
        return _Role("user_data", "in", "beside_callback")
    return _Role("user_data", "out", "beside_callback", "host")


def _cuda_object(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind == "stream":
        return _Role("stream", "in", "stream_type") if shape.by_value else _Role("stream", "out", "stream_out", "host")
    if shape.kind == "graph":
        if shape.by_value:
            return _Role("graph", "in" if shape.const else "inout", "graph_filled")
        return _Role("graph", "out", "graph_out", "host")
    return None


def _incomplete(call: Call, place: int) -> _Role | None:
    """A pointer to a type that is never defined: the object is the caller's, so it cannot be a result."""
    shape = call.shapes[place]
    if shape.kind != "incomplete":
        return None
    return _Role("handle", "in" if shape.const else "inout", "incomplete_type", "host")


def _handle_value(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "handle" or not shape.by_value:
        return None
    if shape.name == call.library_handle:
        return _Role("library_handle", "in", "library_handle_type")
    if shape.const:
        return _Role("handle", "in", "const_handle")
    if call.words and _CHANGING & {call.words[0], *call.words[1:2]} and place == _changed(call):
        return _Role("handle", "inout", "changed_descriptor")
    if _derived(call, place):
        return _Role("handle", "inout", "derived_descriptor")
    if _filled(call, place):
        return _Role("handle", "out", "filled_descriptor")
    return _Role("handle", "in", "handle_by_value")


def _changed(call: Call) -> int | None:
    """The descriptor that a Set, Make or Finalize changes: the first that is not const, unless a const one leads."""
    subject = call.subject()
    if subject is None or not call.shapes[subject].const:
        return subject
    return None


def _derived(call: Call, place: int) -> bool:
    """The function derives one descriptor from another (Init, Derive, Copy): what is not const receives."""
    return bool(call.words) and call.words[0] in ("Init", "Derive", "Copy") and not call.shapes[place].const


def _filled(call: Call, place: int) -> bool:
    """A Get that answers by filling descriptors: one beside an address that it answers, or nothing but descriptors."""
    if not call.says("Get"):
        return False
    following = call.shapes[place + 1] if place + 1 < len(call.shapes) else None
    if following is not None and following.kind == "void" and following.depth == 2:
        return True
    return call.classified.rule == "get_fills_descriptors"


def _handle_pointer(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "handle":
        return None
    family = call.classified.family
    if shape.const:
        return _Role("array", "in", "const_handle_array", "host")
    if call.says("Create") and shape.name == call.classified.handle:
        return _Role("created", "out", "created_handle", "host")
    if family == "destroy":
        return _Role("array", "in", "destroyed_handles", "host")
    if family in ("find", "find_ex", "get_v7"):
        return _Role("array", "inout", "performance_objects", "host")
    return _Role("handle", "out", "handle_out", "host")


# --- void pointers --------------------------------------------------------------------------------------------------


def _address_array(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "void" or shape.depth < 2:
        return None
    if shape.inner_const or (shape.array and shape.const):
        return _Role("device_pointer_array", "in", "address_array", "host")
    return _Role("device_pointer", "out", "address_out", "host")


def _scaling_factor(call: Call, place: int) -> _Role | None:
    if not call.scales(place, ""):
        return None
    return _Role("host_scalar", "in", "scaling_factor", "host")


def _element_value(call: Call, place: int) -> _Role | None:
    if not _ELEMENT_VALUE.fullmatch(call.parameters[place].name):
        return None
    asks = call.says("Get") and not call.shapes[place].const
    return _Role("host_scalar", "out" if asks else "in", "element_value", "host", exact=True)


def _typed_by_attribute(call: Call, place: int) -> _Role | None:
    if not any(shape.kind == "enum" and shape.by_value and _ATTRIBUTE.search(shape.name) for shape in call.shapes):
        return None
    asks = call.says("Get") and not call.shapes[place].const
    return _Role("host_buffer", "out" if asks else "in", "typed_by_attribute", "host")


def _serialised(call: Call, place: int) -> _Role | None:
    if not _SERIALISED.fullmatch(call.parameters[place].name):
        return None
    return _Role("host_buffer", "out" if call.says("Save") else "in", "serialised_form", "host")


def _scratch(call: Call, place: int) -> _Role | None:
    name = call.parameters[place].name
    direction: Direction = "in" if call.shapes[place].const else "inout"
    if _RESERVE.search(name):
        return _Role("device_pointer", direction, "reserve_space", "device")
    if _WORKSPACE.search(name):
        return _Role("device_pointer", direction, "workspace", "device")
    return None


def _device_input(call: Call, place: int) -> _Role | None:
    if call.shapes[place].const:
        return _Role("device_pointer", "in", "device_input", "device")
    if call.says("Restore"):
        return _Role("device_pointer", "in", "restored_state", "device")
    return None


def _device_state(call: Call, place: int) -> _Role | None:
    if call.classified.family == "set" and not call.shapes[place].const:
        return _Role("device_pointer", "inout", "device_state", "device")
    return None


def _updated_in_place(call: Call, place: int) -> _Role | None:
    """Outputs that the call also reads: blended by a beta, accumulated into, running averages, scaled in place."""
    name = call.parameters[place].name
    if "Running" in name:
        return _Role("device_pointer", "inout", "running_average", "device")
    if pass_of(call.function.name) == "backward_weights" or (
        any(parameter.name == "dwDataType" for parameter in call.parameters) and re.match(r"d(?!x$)", name)
    ):
        return _Role("device_pointer", "inout", "accumulated_gradient", "device")
    if _blended(call, place):
        return _Role("device_pointer", "inout", "blended_by_beta", "device")
    reads = any(shape.kind == "void" and shape.const and not call.scales(i, "") for i, shape in enumerate(call.shapes))
    if not reads and any(call.scales(i, "alpha") for i in range(len(call.shapes))):
        return _Role("device_pointer", "inout", "scaled_in_place", "device")
    return None


def _blended(call: Call, place: int) -> bool:
    """A beta stands before, and what leads up to the pointer is its descriptor, that beta, or another such output."""
    betas = [i for i in range(place) if call.scales(i, "beta")]
    if not betas:
        return False
    if any("Param" in call.parameters[i].name for i in betas) and re.match(r"d[A-Z]", call.parameters[place].name):
        return True
    for before in range(place - 1, -1, -1):
        shape = call.shapes[before]
        if call.scales(before, "beta") or is_data_descriptor(shape):
            return True
        if shape.kind != "void" or shape.const or before < betas[0]:
            return False
    return False


def _device_output(_call: Call, _place: int) -> _Role | None:
    return _Role("device_pointer", "out", "device_output", "device")


_VOID_RULES: tuple[_Rule, ...] = (
    _user_data,
    _address_array,
    _scaling_factor,
    _element_value,
    _typed_by_attribute,
    _serialised,
    _scratch,
    _device_input,
    _device_state,
    _updated_in_place,
    _device_output,
)


# --- numbers, enumerators, structs, text ----------------------------------------------------------------------------


def _value(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if not shape.by_value:
        return None
    if shape.kind == "enum":
        return _Role("enum", "in", "enum_by_value")
    if shape.kind == "record":
        return _Role("record", "in", "record_by_value")
    return _Role("size", "in", "size_by_value") if shape.name == "size_t" else _Role("scalar", "in", "number_by_value")


def _text(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "char" or shape.depth != 1:
        return None
    return _Role("string", "in" if shape.const else "out", "text" if shape.const else "text_buffer", "host")


def _record(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.kind != "record":
        return None
    if shape.const:
        return _Role("array" if shape.array else "record", "in", "const_record", "host")
    if shape.array or call.classified.family in ("find", "find_ex", "get_v7"):
        return _Role("array", "out", "performance_results", "host")
    return _Role("record", "out", "record_out", "host")


def _device_numbers(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if not re.match(r"dev[A-Z_]", call.parameters[place].name) and not call.stream_ordered:
        return None
    return _Role("device_pointer", "in" if shape.const else "out", "device_numbers", "device")


def _host_numbers(call: Call, place: int) -> _Role | None:
    shape = call.shapes[place]
    if shape.const:
        return _Role("array", "in", "const_array", "host")
    if shape.array or shape.depth > 1:
        return _Role("array", "out", "array_out", "host")
    if shape.kind == "enum":
        return _Role("enum", "out", "enum_out", "host")
    return (
        _Role("size", "out", "size_out", "host")
        if shape.name == "size_t"
        else _Role("scalar", "out", "number_out", "host")
    )


_OTHER_RULES: tuple[_Rule, ...] = (
    _callback,
    _cuda_object,
    _incomplete,
    _handle_value,
    _handle_pointer,
    _value,
    _text,
    _record,
    _device_numbers,
    _host_numbers,
)


def parameter_roles(call: Call) -> tuple[ParameterFacts, ...]:
    """The direction and role of every parameter of `call`, in order."""
    return tuple(_one(call, place) for place in range(len(call.parameters)))


def _one(call: Call, place: int) -> ParameterFacts:
    shape = call.shapes[place]
    rules: Sequence[_Rule] = _VOID_RULES if shape.kind == "void" and shape.depth else _OTHER_RULES
    for rule in rules:
        found = rule(call, place)
        if found is not None:
            name = call.parameters[place].name
            return ParameterFacts(name, found.direction, found.role, found.rule, memory=found.memory, exact=found.exact)
    raise AssertionError(f"no rule for {call.function.name}({call.parameters[place].name})")  # the last rules take all
