"""What compiled code depends on: types without their spelling, and which records a type leads to."""

from __future__ import annotations

from cudnn_bindgen.model import Api, Array, CType, FunctionType, Named, Pointer, Primitive, Record, named_types

__all__ = ["AbiTypes", "layout"]


def layout(record: Record) -> object:
    """What compiled code knows of a record; two layouts are equal when this is."""
    fields = [(field.type, field.offset, field.size, field.bits, field.bit_offset) for field in record.fields]
    return record.kind, fields, record.size, record.alignment


class AbiTypes:
    """The types of one version, seen as compiled code sees them."""

    def __init__(self, api: Api) -> None:
        self._aliases = {alias.name: alias.type for alias in api.aliases}
        self._callbacks: dict[str, CType] = {
            one.name: Pointer(one.type) if one.pointer else one.type for one in api.callbacks
        }
        self._records = {record.name: record for record in api.records}
        self._tags = {
            (kind, one.tag): one.name
            for kind, declared in (("struct", api.records), ("union", api.records), ("enum", api.enums))
            for one in declared
            if one.tag and (kind == "enum" or (isinstance(one, Record) and one.kind == kind))
        }

    def name(self, one: Named) -> str:
        """The name of the declaration that `one` means, by its typedef where it was named by its tag."""
        return self._tags.get((one.tag_kind, one.name), one.name) if one.tag_kind else one.name

    def bare(self, ctype: CType) -> CType:
        """`ctype` with typedefs of other types resolved and without qualifiers, which no calling convention knows."""
        match ctype:
            case Primitive(name):
                return Primitive(name)
            case Named():
                behind = None if ctype.tag_kind else self._aliases.get(ctype.name, self._callbacks.get(ctype.name))
                return Named(self.name(ctype)) if behind is None else self.bare(behind)
            case Pointer(target):
                return Pointer(self.bare(target))
            case Array(element, length):
                return Array(self.bare(element), length)
            case FunctionType(returns, parameters, variadic):
                return FunctionType(self.bare(returns), tuple(map(self._argument, parameters)), variadic)

    def _argument(self, ctype: CType) -> CType:
        bare = self.bare(ctype)
        if isinstance(bare, Array):
            return Pointer(bare.element)
        return Pointer(bare) if isinstance(bare, FunctionType) else bare

    def records(self, ctype: CType) -> set[str]:
        """Every struct and union that `ctype` leads to: through pointers, fields, callbacks and typedefs."""
        found: set[str] = set()
        pending = [ctype]
        while pending:
            for name in named_types(self.bare(pending.pop())):
                if name in self._records and name not in found:
                    found.add(name)
                    pending += [field.type for field in self._records[name].fields]
        return found
