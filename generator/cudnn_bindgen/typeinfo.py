"""What a C type of the API comes to: typedefs followed, sorted into the few kinds that the inference tells apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cudnn_bindgen.layout import FLOATS
from cudnn_bindgen.model import Api, Array, CType, FunctionType, Named, Pointer, Primitive

__all__ = ["Kind", "Shape", "TypeInfo"]

Kind: TypeAlias = Literal[
    "void", "char", "number", "enum", "handle", "incomplete", "record", "callback", "stream", "graph"
]

# Opaque types of CUDA itself that have a role of their own.
_CUDA_TYPES: dict[str, Kind] = {"cudaStream_t": "stream", "cudaGraph_t": "graph"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A parameter's type, reduced.

    Attributes
    ----------
    kind
        What stands at the bottom of the pointers and arrays.
    name
        The name of that bottom as written: ``cudnnTensorDescriptor_t``, ``size_t``, ``unsigned int``.
    depth
        How many pointers and arrays lie on top; an opaque handle counts as a value.
    const
        The bottom is const.
    inner_const
        One of the pointers below the outermost one is const (``void *const x[]``).
    array
        The outermost level is written as an array.
    length
        That array's own length, where it has one.
    """

    kind: Kind
    name: str
    depth: int = 0
    const: bool = False
    inner_const: bool = False
    array: bool = False
    length: int | None = None

    @property
    def by_value(self) -> bool:
        return self.depth == 0

    @property
    def integer(self) -> bool:
        """A number that can count something: not floating."""
        return self.kind == "number" and self.name not in FLOATS


class TypeInfo:
    """Sorts the types of one `Api`."""

    def __init__(self, api: Api) -> None:
        self._enums = {name for enum in api.enums for name in (enum.name, enum.tag) if name}
        self._records = {name for record in api.records for name in (record.name, record.tag) if name}
        self._handles = {handle.name: handle.pointer for handle in api.handles}
        self._callbacks = {callback.name: callback.pointer for callback in api.callbacks}
        self._aliases = {alias.name: alias.type for alias in api.aliases}

    def shape(self, ctype: CType) -> Shape:
        """The reduced form of `ctype`."""
        levels: list[Pointer | Array] = []
        written: str | None = None
        const = False
        while True:
            match ctype:
                case Pointer(FunctionType()) | FunctionType():
                    return self._shape(levels, "callback", written or "", const)
                case Pointer(target):
                    levels.append(ctype)
                    ctype = target
                case Array(element):
                    levels.append(ctype)
                    ctype = element
                case Primitive(name):
                    kind: Kind = "void" if name == "void" else "char" if name == "char" else "number"
                    return self._shape(levels, kind, written or name, const or ctype.const)
                case Named(name, tag_kind):
                    written = written or name
                    const = const or ctype.const
                    found = self._named(name, tag_kind)
                    if found is not None:
                        return self._shape(levels, found, written, const)
                    ctype = self._aliases[name]

    def _named(self, name: str, tag_kind: str) -> Kind | None:
        """The kind behind a name; None for a typedef that has to be followed."""
        if name in _CUDA_TYPES:
            return _CUDA_TYPES[name]
        if name in self._handles:
            return "handle" if self._handles[name] else "incomplete"
        if name in self._enums or tag_kind == "enum":
            return "enum"
        if name in self._records:
            return "record"
        if name in self._callbacks:
            return "callback"
        if tag_kind:
            return "incomplete"
        if name in self._aliases and name != "size_t":
            return None
        return "number"  # size_t, int64_t and their like, which a model need not carry

    @staticmethod
    def _shape(levels: list[Pointer | Array], kind: Kind, name: str, const: bool) -> Shape:
        top = levels[0] if levels else None
        return Shape(
            kind,
            name,
            depth=len(levels),
            const=const,
            inner_const=any(isinstance(level, Pointer) and level.const for level in levels[1:]),
            array=isinstance(top, Array),
            length=top.length if isinstance(top, Array) else None,
        )
