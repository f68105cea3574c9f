"""What changed between two versions, and which of it breaks programs compiled against the older one.

`Change.breaking` is about the binary interface alone: something compiled code holds (a symbol, a value, a layout, a
calling sequence) is gone or different. Additions, deprecations, renamed parameters and fields, and macros (which live
in compiled code and never reach the library) do not break it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from cudnn_bindgen.abi import AbiTypes, layout
from cudnn_bindgen.arguments import expect
from cudnn_bindgen.model import (
    Alias,
    Api,
    Callback,
    CType,
    Deprecation,
    Enum,
    Enumerator,
    Function,
    Handle,
    Macro,
    Pointer,
    Record,
    declare,
)

__all__ = ["Change", "ChangeName", "diff"]

ChangeName: TypeAlias = Literal[
    "added",
    "removed",
    "value",  # of an enumerator or macro
    "enum",  # an enumerator went to another enum
    "signedness",  # of an enum
    "layout",  # of a struct or union
    "fields",  # renamed, in the same layout
    "signature",  # of a function or callback
    "parameter",  # renamed
    "argument",  # same words, but a type behind them changed: a layout, a typedef
    "type",  # behind a handle or alias
    "direction",  # documented for a parameter, in both versions
    "deprecated",
]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    Attributes
    ----------
    kind
        Of the declaration, as ``list`` calls it: function, enum, enumerator, struct, union, handle, callback, alias,
        macro.
    before, after
        JSON values: a number for a value, C text for a type, a dict for a layout; None on the side that lacks it.
    breaking
        Programs compiled against the older version misbehave with the newer library, or do not load.
    reason
        Why it breaks, None where it does not.
    """

    kind: str
    name: str
    change: ChangeName
    before: Any
    after: Any
    breaking: bool = False
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """For ``diff --json``."""
        return asdict(self)


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


One = TypeVar("One", bound=_HasName)

_COUNT_ENDINGS = ("_COUNT", "_COUNTS")


def diff(before: Api, after: Api) -> list[Change]:
    """Every change, by kind, in the newer version's order, with what was removed behind it.

    Parameters
    ----------
    before, after
        The older and the newer version; losses, files, lines and documentation are not compared.

    Raises
    ------
    ArgumentTypeError
        One of them is no `Api`, but a version's name, say.
    """
    expect(Api, before)
    expect(Api, after)
    return list(_Diff(before, after).changes())


class _Diff:
    def __init__(self, before: Api, after: Api) -> None:
        self._before, self._after = _own(before), _own(after)
        self._counts = _counting(before) & _counting(after)
        self._old, self._new = AbiTypes(before), AbiTypes(after)
        old_records = {record.name: record for record in before.records}
        self._moved = {
            record.name: (old_records[record.name], record)
            for record in after.records
            if record.name in old_records and layout(old_records[record.name]) != layout(record)
        }

    def changes(self) -> Iterator[Change]:
        before, after = self._before, self._after
        for function in _pairs(before.functions, after.functions):
            yield from self._function(*function)
        for enum in _pairs(before.enums, after.enums):
            yield from self._enum(*enum)
        owners = [
            {member.name: enum.name for enum in api.enums for member in enum.enumerators} for api in (before, after)
        ]
        members = [[member for enum in api.enums for member in enum.enumerators] for api in (before, after)]
        for pair in _pairs(*members):
            yield from self._enumerator(*pair, *owners)
        for record in _pairs(before.records, after.records):
            yield from self._record(*record)
        for handle in _pairs(before.handles, after.handles):
            yield from self._handle(*handle)
        for callback in _pairs(before.callbacks, after.callbacks):
            yield from self._callback(*callback)
        for alias in _pairs(before.aliases, after.aliases):
            yield from self._alias(*alias)
        for macro in _pairs(before.macros, after.macros):
            yield from self._macro(*macro)

    def _function(self, old: Function | None, new: Function | None) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("function", old, new, str, "programs that call it do not load or fail at the first call")
            return
        name = new.name
        if old.type != new.type:
            breaks = self._old.bare(old.type) != self._new.bare(new.type)
            yield Change("function", name, "signature", str(old), str(new), *_because(breaks, _SIGNATURE))
        else:
            yield from self._argument(new, old.type)
        for was, now in zip(old.parameters, new.parameters, strict=False):
            if was.name != now.name:
                yield Change("function", name, "parameter", was.name, now.name)
            if was.documented and now.documented and was.documented != now.documented:
                before, after = ({"parameter": one.name, "direction": one.documented} for one in (was, now))
                yield Change("function", name, "direction", before, after)
        yield from _deprecation("function", name, old.deprecated, new.deprecated)

    def _argument(self, new: Function, ctype: CType) -> Iterator[Change]:
        """A function whose words stayed while something behind them moved."""
        moved = sorted((self._old.records(ctype) | self._new.records(ctype)) & self._moved.keys())
        for record in moved:
            was, now = self._moved[record]
            reason = f"it takes {record}, whose layout changed"
            yield Change("function", new.name, "argument", _sized(was), _sized(now), True, reason)
        before, after = self._old.bare(ctype), self._new.bare(ctype)
        if before != after:
            yield Change(
                "function", new.name, "argument", declare(before, new.name), declare(after, new.name), True, _SIGNATURE
            )

    def _enum(self, old: Enum | None, new: Enum | None) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("enum", old, new, _names, "programs that pass its values pass what the library lacks")
            return
        if old.signed != new.signed:
            before, after = ("signed" if one.signed else "unsigned" for one in (old, new))
            yield Change("enum", new.name, "signedness", before, after)
        yield from _deprecation("enum", new.name, old.deprecated, new.deprecated)

    def _enumerator(
        self,
        old: Enumerator | None,
        new: Enumerator | None,
        owners_before: Mapping[str, str],
        owners_after: Mapping[str, str],
    ) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("enumerator", old, new, lambda one: one.value, "compiled programs still pass its value")
            return
        name = new.name
        if old.value != new.value:
            reason = "compiled programs hold the old value" + (" as a size or a limit" if name in self._counts else "")
            yield Change("enumerator", name, "value", old.value, new.value, True, reason)
        if owners_before[name] != owners_after[name]:
            yield Change("enumerator", name, "enum", owners_before[name], owners_after[name])
        yield from _deprecation("enumerator", name, old.deprecated, new.deprecated)

    def _record(self, old: Record | None, new: Record | None) -> Iterator[Change]:
        kind = (new or old or _NOTHING).kind
        if old is None or new is None:
            yield _presence(kind, old, new, _layout_json, "programs that use it pass what the library does not know")
            return
        if layout(old) != layout(new):
            before, after = _layout_json(old), _layout_json(new)
            yield Change(kind, new.name, "layout", before, after, True, "compiled programs hold the old layout")
        elif [one.name for one in old.fields] != [one.name for one in new.fields]:
            yield Change(kind, new.name, "fields", _field_names(old), _field_names(new))
        yield from _deprecation(kind, new.name, old.deprecated, new.deprecated)

    def _handle(self, old: Handle | None, new: Handle | None) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("handle", old, new, _handle_text, "programs that hold one cannot use it")
            return
        if (old.target, old.pointer) != (new.target, new.pointer):
            breaks = old.pointer != new.pointer
            before, after = _handle_text(old), _handle_text(new)
            yield Change("handle", new.name, "type", before, after, *_because(breaks, "it is passed in another way"))
        yield from _deprecation("handle", new.name, old.deprecated, new.deprecated)

    def _callback(self, old: Callback | None, new: Callback | None) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("callback", old, new, _callback_text, "the library does not call it any more")
            return
        if old.type != new.type or old.pointer != new.pointer:
            breaks = self._old.bare(old.type) != self._new.bare(new.type) or old.pointer != new.pointer
            reason = "the library calls compiled functions with other arguments"
            before, after = _callback_text(old), _callback_text(new)
            yield Change("callback", new.name, "signature", before, after, *_because(breaks, reason))
        yield from _deprecation("callback", new.name, old.deprecated, new.deprecated)

    def _alias(self, old: Alias | None, new: Alias | None) -> Iterator[Change]:
        if old is None or new is None:
            # Only a spelling: what is called through it is reported with the function.
            yield _presence("alias", old, new, lambda one: str(one.type), None)
            return
        if old.type != new.type:
            breaks = self._old.bare(old.type) != self._new.bare(new.type)
            reason = "compiled programs hold the old type"
            yield Change("alias", new.name, "type", str(old.type), str(new.type), *_because(breaks, reason))
        yield from _deprecation("alias", new.name, old.deprecated, new.deprecated)

    def _macro(self, old: Macro | None, new: Macro | None) -> Iterator[Change]:
        if old is None or new is None:
            yield _presence("macro", old, new, lambda one: one.value, None)
        elif (type(old.value), old.value) != (type(new.value), new.value):
            yield Change("macro", new.name, "value", old.value, new.value)


_NOTHING = Record("", "struct", (), 0, 1)
_SIGNATURE = "compiled programs call it with the old types"


def _own(api: Api) -> Api:
    """Without what belongs to CUDA or libc."""
    return replace(
        api,
        enums=tuple(one for one in api.enums if not one.external),
        records=tuple(one for one in api.records if not one.external),
        handles=tuple(one for one in api.handles if not one.external),
        callbacks=tuple(one for one in api.callbacks if not one.external),
        aliases=tuple(one for one in api.aliases if not one.external),
    )


def _counting(api: Api) -> set[str]:
    """Enumerators that say how many stand before them: they grow with their enum."""
    tops = [max(enum.enumerators, key=lambda member: member.value).name for enum in api.enums if enum.enumerators]
    return {name for name in tops if name.endswith(_COUNT_ENDINGS)}


def _because(breaks: bool, reason: str) -> tuple[bool, str | None]:
    return (True, reason) if breaks else (False, None)


def _pairs(before: Sequence[One], after: Sequence[One]) -> Iterator[tuple[One | None, One | None]]:
    old = {one.name: one for one in before}
    new = {one.name: one for one in after}
    for name, one in new.items():
        yield old.get(name), one
    for name, one in old.items():
        if name not in new:
            yield one, None


def _presence(kind: str, old: Any, new: Any, text: Any, reason: str | None) -> Change:
    """Added or removed; `reason` tells why removing breaks, None where it does not."""
    if old is None:
        return Change(kind, new.name, "added", None, text(new))
    return Change(kind, old.name, "removed", text(old), None, *_because(reason is not None, reason or ""))


def _deprecation(kind: str, name: str, old: Deprecation | None, new: Deprecation | None) -> Iterator[Change]:
    before, after = (None if one is None else one.replacement or True for one in (old, new))
    if before != after:
        yield Change(kind, name, "deprecated", before, after)


def _names(enum: Enum) -> list[str]:
    return [member.name for member in enum.enumerators]


def _field_names(record: Record) -> list[str]:
    return [field.name for field in record.fields]


def _sized(record: Record) -> str:
    return f"{record.name}, {record.size} bytes"


def _layout_json(record: Record) -> dict[str, Any]:
    fields = [{"name": one.name, "type": str(one.type), "offset": one.offset} for one in record.fields]
    return {"size": record.size, "alignment": record.alignment, "fields": fields}


def _handle_text(handle: Handle) -> str:
    return f"{handle.target} *" if handle.pointer else handle.target


def _callback_text(callback: Callback) -> str:
    return str(Pointer(callback.type) if callback.pointer else callback.type)
