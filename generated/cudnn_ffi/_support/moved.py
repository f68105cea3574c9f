# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""What moved inside one major version, seen from the version that is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, TypeVar

from .enums import OpenIntEnum, renumbered
from .tables import LineTables, value_at
from .types import FFI, CLibrary, VersionParts

__all__ = ["EnumNamespace", "MovedFunctions", "WireTables"]

_EnumT = TypeVar("_EnumT", bound=OpenIntEnum)


class MovedFunctions:
    """Functions whose C signature moved, as the loaded version declares them; looked up when first used."""

    def __init__(self, ffi: FFI, library: CLibrary, tables: LineTables, version: VersionParts) -> None:
        self._ffi = ffi
        self._library = library
        self._tables = tables
        self._version = version

    def __getattr__(self, name: str) -> Any:
        moves = self._tables.moved_signatures.get(name)
        if moves is None:
            raise AttributeError(f"the signature of {name} did not move in this line")
        function = self._ffi.cast(value_at(moves, self._version), self._ffi.addressof(self._library, name))
        # Found there from now on, without coming here.
        self.__dict__[name] = function
        return function


class _EnumTables:
    """One enum: its numbers at the loaded version by member name, and the way back."""

    __slots__ = ("members", "numbers", "versioned")

    def __init__(self, kind: type[OpenIntEnum], tables: LineTables, version: VersionParts) -> None:
        self.numbers: dict[str, int] = {}
        self.members: dict[int, OpenIntEnum] = {}
        for name, member in kind.__members__.items():
            c_name = kind.c_name_of(name)
            if not tables.has(c_name, version):
                continue
            moves = tables.moved_values.get(c_name)
            number = int(member) if moves is None else value_at(moves, version)
            self.numbers[name] = number
            self.members.setdefault(number, member)
        self.versioned = renumbered(kind, self.numbers)


class WireTables:
    """The numbers of the loaded version for the enums in which any moved."""

    def __init__(self, module: ModuleType, tables: LineTables, version: VersionParts) -> None:
        self._tables = tables
        self._version = version
        self._kinds: Mapping[type[OpenIntEnum], str] = {getattr(module, name): name for name in tables.moved_enums}
        self._made: dict[type[OpenIntEnum], _EnumTables] = {}

    def _of(self, kind: type[OpenIntEnum]) -> _EnumTables | None:
        made = self._made.get(kind)
        if made is None and kind in self._kinds:
            # Two threads may both make it; either result is right.
            made = self._made[kind] = _EnumTables(kind, self._tables, self._version)
        return made

    def number(self, member: OpenIntEnum) -> int | None:
        """The number of a static member at the loaded version; None where that version lacks it."""
        made = self._of(type(member))
        if made is None or not member.known:
            return int(member)
        return made.numbers.get(member._name_)

    def member(self, kind: type[_EnumT], number: int) -> _EnumT:
        """The static member that the loaded version means by `number`."""
        made = self._of(kind)
        if made is None:
            return kind(number)
        found = made.members.get(number)
        # A number that this version does not list may mean another member in the newest: it must stay unknown.
        return kind.unknown(number) if found is None else found  # type: ignore[return-value]

    def versioned(self, kind: type[OpenIntEnum]) -> type[OpenIntEnum]:
        """The class to show for `kind`: numbered as the loaded version does where anything moved."""
        made = self._of(kind)
        return kind if made is None else made.versioned


class EnumNamespace:
    """The enums of the loaded version as attributes."""

    def __init__(self, module: ModuleType, wires: WireTables) -> None:
        self._module = module
        self._wires = wires

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, type) and issubclass(found, OpenIntEnum):
            found = self._wires.versioned(found)
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return list(getattr(self._module, "__all__", dir(self._module)))
