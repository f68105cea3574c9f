"""The graph API's backend descriptors: attributes set and read with Python values, checked before C sees them.

C takes an attribute's value as an untyped pointer. A wrong type or count there is read as garbage or crashes, so the
type comes from a table of all attributes, and a value that is not of it never leaves Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .descriptors import Handle
from .enums import OpenIntEnum, enum_value
from .errors import ArgumentError, DescriptorClosedError, short
from .library import CALL_ERRORS, LibraryBase
from .tables import BackendTables
from .types import CData
from .values import requested

if TYPE_CHECKING:
    from .backend_values import Converter

__all__ = ["BackendDescriptorBase"]

_SelfT = TypeVar("_SelfT", bound="BackendDescriptorBase")
_SET, _GET, _FINALIZE = "cudnnBackendSetAttribute", "cudnnBackendGetAttribute", "cudnnBackendFinalize"
_GET_TRIES = 3


class BackendDescriptorBase(Handle):
    """One backend descriptor; `kind` is its descriptor type.

    Attributes are named by member (``BackendAttributeName.TENSOR_DIMENSIONS``), by its name
    (``"TENSOR_DIMENSIONS"``) or by its C name.

    Examples
    --------
    >>> tensor = lib.backend_create_descriptor(BackendDescriptorType.TENSOR_DESCRIPTOR)  # doctest: +SKIP
    >>> tensor["TENSOR_DATA_TYPE"] = DataType.FLOAT  # doctest: +SKIP
    >>> tensor["TENSOR_DIMENSIONS"] = [8, 64, 56, 56]  # doctest: +SKIP
    >>> tensor.finalize()["TENSOR_DIMENSIONS"]  # doctest: +SKIP
    [8, 64, 56, 56]
    """

    __slots__ = ("_finalized", "_kept", "_kind", "_set_as_list")

    _tables: ClassVar[BackendTables]

    def __init__(self, library: LibraryBase, pointer: CData, *, owned: bool = True, kind: int = -1) -> None:
        super().__init__(library, pointer, owned=owned)
        self._kind = kind
        self._finalized = False
        # Descriptors and handles that this one refers to: they must outlive it.
        self._kept: dict[str, list[Any]] = {}
        self._set_as_list: set[str] = set()

    @property
    def kind(self) -> int:
        """The descriptor type it was created with; -1 where that is not known."""
        return self._kind

    @property
    def finalized(self) -> bool:
        """Whether `finalize` succeeded."""
        return self._finalized

    def set(self: _SelfT, attribute: int | str, value: Any, kind: int | str | None = None) -> _SelfT:
        """Set an attribute and answer the descriptor itself.

        Parameters
        ----------
        attribute
            Which one.
        value
            One element, or a sequence of them.
        kind
            The attribute's type (member of ``BackendAttributeType``, or its name) where it takes several, or where the
            bindings do not know the attribute.

        Raises
        ------
        ArgumentError
            No such attribute, or `value` is not of its type; C was not called.
        StatusError
            The library refused it.
        """
        self._require_open(_SET)
        name, member = self._attribute(attribute)
        type_name, type_member = self._type(name, kind, _SET)
        converter = self._converter(type_name, name)
        several = converter.is_sequence(value)
        values = list(value) if several else [value]
        if kind is None and len(values) != 1 and self._takes_one(name):
            raise ArgumentError(f"{name} ({type_name})", f"takes exactly one element, not {short(value)}", _SET)
        array = converter.to_c(values, f"{name} ({type_name})", _SET)
        if kind is None and converter.descriptors:
            self._require_kind(name, values)
        arguments = {"descriptor": self, "attribute": name, "type": type_name, "value": value}
        try:
            status = self._library._lib.cudnnBackendSetAttribute(
                self._ptr, self._wire(member), self._wire(type_member), len(array), array
            )
        except CALL_ERRORS as error:
            raise self._library._argument_error(_SET, error, **arguments) from None
        if status:
            raise self._library._status_error(_SET, status, **arguments)
        if converter.keeps:
            self._kept[name] = values
        if several:
            self._set_as_list.add(name)
        return self

    def get(
        self,
        attribute: int | str,
        count: int | None = None,
        kind: int | str | None = None,
        descriptor_type: int | None = None,
    ) -> list[Any]:
        """The attribute's elements, always as a list.

        Parameters
        ----------
        attribute
            Which one.
        count
            How many to make room for; None asks the library first.
        kind
            As in `set`.
        descriptor_type
            For attributes that are descriptors: what type to make the answers of, where the bindings do not know it.

        Raises
        ------
        ArgumentError
            No such attribute.
        StatusError
            The library does not answer it, for example because the descriptor is not finalized.
        """
        self._require_open(_GET)
        name, member = self._attribute(attribute)
        type_name, type_member = self._type(name, kind, _GET)
        converter = self._converter(type_name, name)
        if count is not None:
            count = requested(count, int, "count")
        arguments = {"descriptor": self, "attribute": name, "type": type_name, "count": count}

        def ask(room: int, array: CData) -> tuple[int, int]:
            """The status, and how many elements the library says there are."""
            returned = self._library._new("int64_t *")
            try:
                status = self._library._lib.cudnnBackendGetAttribute(
                    self._ptr, self._wire(member), self._wire(type_member), room, returned, array
                )
            except CALL_ERRORS as error:
                raise self._library._argument_error(_GET, error, **arguments) from None
            return status, max(0, int(returned[0]))

        tries = 0
        while True:
            tries += 1
            room = count
            if room is None:
                status, room = ask(0, self._library._null)
                if status:
                    raise self._library._status_error(_GET, status, **arguments)
                if not room:
                    return []
            array, owners = self._room(converter, room, name, descriptor_type)
            status, returned = ask(room, array)
            # There may be more by now than when they were counted (a cache that grows): count again.
            if not status or count is not None or returned <= room or tries == _GET_TRIES:
                break
        if status:
            raise self._library._status_error(_GET, status, **arguments)
        filled = min(returned, room)
        if owners is None:
            return converter.from_c(array, filled)
        for unused in owners[filled:]:
            unused.close()
        for used in owners[:filled]:
            used._finalized = True
        return owners[:filled]

    def finalize(self: _SelfT) -> _SelfT:
        """Check and freeze the attributes, and answer the descriptor itself.

        Raises
        ------
        StatusError
            An attribute is missing or does not go with the others.
        """
        self._require_open(_FINALIZE)
        try:
            status = self._library._lib.cudnnBackendFinalize(self._ptr)
        except CALL_ERRORS as error:
            raise self._library._argument_error(_FINALIZE, error, descriptor=self) from None
        if status:
            raise self._library._status_error(_FINALIZE, status, descriptor=self)
        self._finalized = True
        return self

    # Attributes are no sequence: without this, Python would iterate over the numbers from 0.
    __iter__ = None

    def __setitem__(self, attribute: int | str, value: Any) -> None:
        self.set(attribute, value)

    def __getitem__(self, attribute: int | str) -> Any:
        found = self.get(attribute)
        name, _ = self._attribute(attribute)
        if len(found) != 1:
            return found
        is_text = self._tables.attributes.get(name) == "CHAR"
        as_list = name in self._set_as_list or name in self._tables.lists
        return found[0] if is_text or not as_list else found

    def __repr__(self) -> str:
        if self._ptr is None:
            return super().__repr__()
        kind = self._kind._name_ if isinstance(self._kind, OpenIntEnum) else str(self._kind)
        return f"<{type(self).__name__} {kind} {self.address:#x}{'' if self._finalized else ' open'}>"

    # --- names and types -------------------------------------------------------------------------------------------

    def _require_open(self, function: str) -> None:
        if self._ptr is None:
            raise DescriptorClosedError(type(self).__name__, function, "descriptor")

    def _require_kind(self, name: str, values: list[BackendDescriptorBase]) -> None:
        # The library takes a descriptor of any type here, and some versions end the process over a wrong one.
        wanted = self._tables.descriptors.get(name)
        if wanted is None:
            return
        kinds: type[OpenIntEnum] = self._library._enums_module.BackendDescriptorType
        number = self._wire(kinds[wanted])
        for place, one in enumerate(values):
            if one._kind != -1 and self._library._wire(one._kind, kinds) != number:
                where = name if len(values) == 1 else f"{name}[{place}]"
                problem = (
                    f"must be a {wanted}, not {short(one)} (name kind='BACKEND_DESCRIPTOR' to set it all the same)"
                )
                raise ArgumentError(f"{where} (BACKEND_DESCRIPTOR)", problem, _SET)

    def _takes_one(self, name: str) -> bool:
        # Only where the tables tell lists from single elements at all.
        return bool(self._tables.lists) and name in self._tables.attributes and name not in self._tables.lists

    def _wire(self, value: int) -> int:
        # A plain number is what the loaded version means by it.
        return self._library._wire(value, type(value)) if isinstance(value, OpenIntEnum) else value

    @staticmethod
    def _checked(value: Any, kind: type[OpenIntEnum], argument: str, function: str) -> int:
        try:
            return enum_value(value, kind)
        except TypeError:
            problem = f"must be a {kind.__name__} or its name, not {short(value)}"
            raise ArgumentError(argument, problem, function) from None

    def _attribute(self, attribute: int | str) -> tuple[str, int]:
        """The attribute's member name and what to pass for it; a number is what the loaded version means by it."""
        kind: type[OpenIntEnum] = self._library._enums_module.BackendAttributeName
        if isinstance(attribute, kind):
            return attribute._name_, attribute
        if isinstance(attribute, str):
            return self._by_name(kind, attribute, "attribute")
        number = self._checked(attribute, kind, "attribute", _SET)
        if isinstance(number, kind):
            return number._name_, number
        return self._library._from_wire(kind, number)._name_, number

    def _by_name(self, kind: type[OpenIntEnum], text: str, argument: str) -> tuple[str, OpenIntEnum]:
        found = kind.__members__.get(text) or kind.__members__.get(text.removeprefix(kind.__c_prefix__))
        if found is None:
            from difflib import get_close_matches

            near = ", ".join(get_close_matches(text.removeprefix(kind.__c_prefix__), list(kind.__members__), 3))
            raise ArgumentError(
                argument, f"{text!r} is no member of {kind.__name__}" + (f"; near ones are {near}" if near else "")
            )
        return found._name_, found

    def _type(self, name: str, given: int | str | None, function: str) -> tuple[str, OpenIntEnum]:
        kind: type[OpenIntEnum] = self._library._enums_module.BackendAttributeType
        if given is None:
            known = self._tables.attributes.get(name)
            if known is None:
                raise ArgumentError(
                    "attribute",
                    f"{name} has no type that these bindings know; name it with kind=...",
                    function,
                )
            given = known
        if isinstance(given, str):
            return self._by_name(kind, given, "kind")
        member = kind(self._checked(given, kind, "kind", function))
        return member._name_, member

    def _converter(self, type_name: str, attribute: str) -> Converter:
        known: dict[str, Converter] = self._library._converters
        if type_name in known:
            return known[type_name]
        from .backend_values import converter_for

        try:
            return known.setdefault(type_name, converter_for(self._library, self._tables, type_name, type(self)))
        except KeyError:
            raise ArgumentError(
                "attribute", f"{attribute} is of type {type_name}, which these bindings cannot convert", _SET
            ) from None

    def _room(
        self: _SelfT, converter: Converter, count: int, name: str, descriptor_type: int | None
    ) -> tuple[CData, list[_SelfT] | None]:
        """Memory for `count` elements; descriptors must be made by the caller beforehand."""
        if not converter.descriptors:
            return converter.room(count), None
        kinds: type[OpenIntEnum] = self._library._enums_module.BackendDescriptorType
        kind = descriptor_type
        if kind is None:
            wanted = self._tables.descriptors.get(name)
            if wanted is None:
                raise ArgumentError(
                    "descriptor_type", f"is needed to read {name}: of which type are its descriptors?", _GET
                )
            kind = kinds[wanted]
        kind = self._checked(kind, kinds, "descriptor_type", _GET)
        made = [self._make(kind) for _ in range(count)]
        return self._library._new("void *[]", [one._ptr for one in made]), made

    def _make(self: _SelfT, descriptor_type: int) -> _SelfT:
        create = "cudnnBackendCreateDescriptor"
        out = self._library._new("cudnnBackendDescriptor_t *")
        status = self._library._lib.cudnnBackendCreateDescriptor(self._wire(descriptor_type), out)
        if status:
            raise self._library._status_error(create, status, descriptor_type=descriptor_type)
        return type(self)(self._library, out[0], kind=descriptor_type)
