"""The parsed API as data: what a version's headers declare, independent of how it is parsed or printed.

Everything here is a frozen dataclass of plain values, in the order of the headers, and goes to JSON and back without
loss (``cudnn_bindgen.serialize``). ``str()`` of a type or declaration gives C again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "Alias",
    "Api",
    "Array",
    "CType",
    "Callback",
    "Declaration",
    "Deprecation",
    "Direction",
    "Enum",
    "Enumerator",
    "Field",
    "Function",
    "FunctionType",
    "Handle",
    "Location",
    "Loss",
    "Macro",
    "Named",
    "Parameter",
    "Pointer",
    "Primitive",
    "Record",
    "declare",
    "named_types",
]

Direction: TypeAlias = Literal["in", "out", "inout"]


@dataclass(frozen=True, slots=True)
class Location:
    """Where something is declared: a header's own file name (no folder) and a line from 1; 0 where it is not known."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


# --- types ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Primitive:
    """A type of the C language itself, in its canonical spelling: ``unsigned int``, ``double``, ``void``."""

    name: str
    const: bool = False
    volatile: bool = False

    def __str__(self) -> str:
        return declare(self, "")


@dataclass(frozen=True, slots=True)
class Named:
    """A type that has a name: a typedef, or ``struct``/``union``/``enum`` and a tag (then `tag_kind` says which)."""

    name: str
    tag_kind: Literal["", "struct", "union", "enum"] = ""
    const: bool = False
    volatile: bool = False

    def __str__(self) -> str:
        return declare(self, "")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; `const` is of the pointer itself (``T *const``)."""

    target: CType
    const: bool = False
    volatile: bool = False
    restrict: bool = False

    def __str__(self) -> str:
        return declare(self, "")


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `length` is None for ``[]``. Parameters keep the array they were written with, they do not decay."""

    element: CType
    length: int | None = None

    def __str__(self) -> str:
        return declare(self, "")


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The type of a function; a callback is a `Pointer` to one."""

    returns: CType
    parameters: tuple[CType, ...] = ()
    variadic: bool = False

    def __str__(self) -> str:
        return declare(self, "")


CType: TypeAlias = Primitive | Named | Pointer | Array | FunctionType


def _qualified(name: str, const: bool, volatile: bool) -> str:
    return " ".join([*(["const"] if const else []), *(["volatile"] if volatile else []), name])


def declare(ctype: CType, name: str) -> str:
    """The C declaration of `name` as `ctype`; with an empty name, the type alone.

    Examples
    --------
    >>> declare(Pointer(Primitive("void", const=True)), "x")
    'const void *x'
    >>> declare(Pointer(FunctionType(Primitive("int"), (Primitive("int"),))), "f")
    'int (*f)(int)'
    """
    match ctype:
        case Primitive(base, const, volatile):
            return f"{_qualified(base, const, volatile)} {name}".rstrip()
        case Named(base, tag_kind, const, volatile):
            return f"{_qualified(f'{tag_kind} {base}'.lstrip(), const, volatile)} {name}".rstrip()
        case Pointer(target, const, volatile, restrict):
            marks = [word for word, on in (("const", const), ("volatile", volatile), ("restrict", restrict)) if on]
            inner = "*" + " ".join([*marks, name] if name else marks)
            return declare(target, f"({inner})" if isinstance(target, Array | FunctionType) else inner)
        case Array(element, length):
            return declare(element, f"{name}[{'' if length is None else length}]")
        case FunctionType(returns, parameters, variadic):
            listed = [str(parameter) for parameter in parameters] + (["..."] if variadic else [])
            return declare(returns, f"{name}({', '.join(listed) or 'void'})")


def named_types(ctype: CType) -> Iterator[str]:
    """Names of the types that `ctype` is made of, in the order in which they are written.

    Examples
    --------
    >>> list(named_types(Pointer(FunctionType(Named("a_t"), (Array(Named("b_t")), Primitive("int"))))))
    ['a_t', 'b_t']
    """
    match ctype:
        case Named(name):
            yield name
        case Pointer(target):
            yield from named_types(target)
        case Array(element):
            yield from named_types(element)
        case FunctionType(returns, parameters):
            for part in (returns, *parameters):
                yield from named_types(part)
        case Primitive():
            return


# --- declarations --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A deprecation mark. `advice` is the attribute's own text; `replacement` the API name that a mark points to."""

    advice: str | None = None
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `documented` is the direction its ``@param`` mark states, where there is one."""

    name: str
    type: CType
    documented: Direction | None = None

    def __str__(self) -> str:
        return declare(self.type, self.name)


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    returns: CType
    parameters: tuple[Parameter, ...] = ()
    variadic: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None

    @property
    def type(self) -> FunctionType:
        return FunctionType(self.returns, tuple(p.type for p in self.parameters), self.variadic)

    def __str__(self) -> str:
        listed = [str(parameter) for parameter in self.parameters] + (["..."] if self.variadic else [])
        return declare(self.returns, f"{self.name}({', '.join(listed) or 'void'})") + ";"


@dataclass(frozen=True, slots=True)
class Enumerator:
    """One enumerator.

    `expression` is what stands behind ``=`` (None: implicit), `alias_of` the other enumerator that it names.
    """

    name: str
    value: int
    expression: str | None = None
    alias_of: str | None = None
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum: `name` is its typedef, else its tag, else a name made from its place.

    `signed` tells that a value is negative, which makes C hold it as ``int`` and not ``unsigned int``.
    """

    name: str
    enumerators: tuple[Enumerator, ...] = ()
    tag: str | None = None
    typedef: bool = True
    signed: bool = False
    external: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct or union; `offset` and `size` in bytes; `bits` and `bit_offset` only for bit-fields."""

    name: str
    type: CType
    offset: int
    size: int
    bits: int | None = None
    bit_offset: int | None = None
    deprecated: Deprecation | None = None

    def __str__(self) -> str:
        return declare(self.type, self.name) + (f" : {self.bits}" if self.bits is not None else "")


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union with its layout on x86-64 and aarch64 Linux (LP64). `size` and `alignment` in bytes.

    `typedef` tells whether `name` is usable without ``struct``; `packed` and an explicit `alignment` come from
    attributes and are part of the layout.
    """

    name: str
    kind: Literal["struct", "union"]
    fields: tuple[Field, ...]
    size: int
    alignment: int
    tag: str | None = None
    typedef: bool = True
    packed: bool = False
    external: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Handle:
    """An opaque type: a typedef of a pointer to something never defined, or (`pointer` False) of that thing itself.

    `target` is the C type behind it: ``struct cudnnContext``, ``void``.
    """

    name: str
    target: str
    pointer: bool = True
    external: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Callback:
    """A typedef of a pointer to a function (`pointer` False: of the function type itself)."""

    name: str
    type: FunctionType
    parameter_names: tuple[str, ...] = ()
    pointer: bool = True
    external: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """Any other typedef: another name for a type."""

    name: str
    type: CType
    external: bool = False
    deprecated: Deprecation | None = None
    location: Location = Location("")
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Macro:
    """An object-like macro with a constant value; `expression` is its text as written."""

    name: str
    value: int | float | str
    expression: str
    location: Location = Location("")


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the headers say and the model does not: what it is, and why it was left out."""

    name: str
    what: Literal["macro", "declaration", "attribute"]
    reason: str
    location: Location

    def __str__(self) -> str:
        return f"{self.location}: {self.what} {self.name}: {self.reason}"


Declaration: TypeAlias = Function | Enum | Record | Handle | Callback | Alias | Macro


@dataclass(frozen=True, slots=True)
class Api:
    """All that one version's headers declare.

    Attributes
    ----------
    version
        The full version as the source names it (``9.28.1.4``), else what the headers' macros say (``9.28.1``).
    headers
        File names read, in order of first inclusion.
    losses
        What was left out, in order of position.
    """

    version: str
    headers: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()
    enums: tuple[Enum, ...] = ()
    records: tuple[Record, ...] = ()
    handles: tuple[Handle, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    aliases: tuple[Alias, ...] = ()
    macros: tuple[Macro, ...] = ()
    losses: tuple[Loss, ...] = field(default=())

    def declarations(self) -> tuple[Declaration, ...]:
        """Every declaration but the losses, by kind and within a kind in the order of the headers."""
        return (
            *self.functions,
            *self.enums,
            *self.records,
            *self.handles,
            *self.callbacks,
            *self.aliases,
            *self.macros,
        )
