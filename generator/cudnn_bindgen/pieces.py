"""What one C parameter becomes in a wrapper: a Python parameter, an expression in the C call, an output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cudnn_bindgen.cdef_records import c_name
from cudnn_bindgen.facts import FunctionFacts, ParameterFacts, RoleName
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Function, Parameter
from cudnn_bindgen.naming import attribute, snake, unique
from cudnn_bindgen.typeinfo import Shape

__all__ = ["Argument", "CountKind", "Maker", "Output", "Piece", "Wrapping", "asked"]

# A count is derived from the arrays that the caller gives; or the caller may say it, and by default it is the most that
# there can be, or a guess that grows when the answer is longer, or the room for a text; or the caller must say it.
CountKind: TypeAlias = Literal["derived", "most", "grows", "text", "plain"]
_COUNTED: frozenset[RoleName] = frozenset({"array", "device_pointer_array", "created", "string"})


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of the Python method; one with a default is keyword-only."""

    name: str
    annotation: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """Something that the method returns: its name, Python type, and the expression that makes it after the call."""

    name: str
    annotation: str
    value: str

    @property
    def field(self) -> str:
        """Its name in the dataclass of several outputs."""
        return attribute(self.name)


@dataclass(frozen=True, slots=True)
class Piece:
    """A C parameter's share of a wrapper.

    Attributes
    ----------
    call
        The expression that stands for it in the C call.
    before
        Statements before the call.
    after
        Statements after a successful call.
    note
        What the docstring says of the argument beyond its C type and direction.
    """

    parameter: Parameter
    facts: ParameterFacts
    call: str
    argument: Argument | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    output: Output | None = None
    note: str = ""


@dataclass(frozen=True)
class Wrapping:
    """A function that is being wrapped, with everything its pieces ask for.

    Attributes
    ----------
    names
        C parameter to Python name.
    max_count
        The function that says how many results there can be, for the families that find algorithms.
    """

    function: Function
    facts: FunctionFacts
    line: LineNames
    names: Mapping[str, str]
    max_count: Function | None = None

    @classmethod
    def of(
        cls, function: Function, facts: FunctionFacts, line: LineNames, max_count: Function | None = None
    ) -> Wrapping:
        listed = [parameter.name for parameter in function.parameters]
        return cls(
            function, facts, line, dict(zip(listed, unique(snake(name) for name in listed), strict=True)), max_count
        )

    def shape(self, parameter: Parameter) -> Shape:
        return self.line.types.shape(parameter.type)

    def pairs(self) -> list[tuple[Parameter, ParameterFacts]]:
        return list(zip(self.function.parameters, self.facts.parameters, strict=True))

    def counted_by(self, count: str) -> list[tuple[Parameter, ParameterFacts]]:
        """The arrays whose number of elements is the parameter `count`."""
        return [
            (parameter, facts) for parameter, facts in self.pairs() if facts.count == count and facts.role in _COUNTED
        ]

    def answers(self, name: str) -> bool:
        """The out count `name` tells how long a returned array is."""
        return any(facts.returned_count == name and facts.role in _COUNTED for facts in self.facts.parameters)

    def count_kind(self, count: str) -> CountKind:
        """Where the value of the parameter `count` comes from."""
        counted = self.counted_by(count)
        if any(facts.direction != "out" for _, facts in counted):
            return "derived"
        if any(facts.role == "string" for _, facts in counted):
            return "text"
        if self.max_count is not None and any(facts.role == "array" for _, facts in counted):
            return "most"
        if self.facts.family == "get" and any(facts.returned_count for _, facts in counted):
            return "grows"
        return "plain"

    def length(self, count: str) -> str:
        """The expression for the number of elements that `count` (a parameter or a number) asks for."""
        if count not in self.names:
            return count
        return asked(self.names[count]) if self.count_kind(count) == "grows" else self.names[count]

    def element(self, shape: Shape) -> str:
        """The C type of an array's element, as ``ffi.new`` takes it."""
        record = self.line.record_of(shape.name) if shape.kind == "record" else None
        if record is not None:
            return c_name(record)
        return shape.name


Maker: TypeAlias = Callable[[Wrapping, Parameter, ParameterFacts], Piece]


def asked(request: str) -> str:
    """The local variable that holds how many elements are asked for when the caller need not say.

    >>> asked("nb_dims_requested"), asked("seq_length_size_requested")
    ('nb_dims_asked', 'seq_length_size_asked')
    """
    return f"{request.removeprefix('requested_').removesuffix('_requested')}_asked"
