# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Enums that survive values their bindings have never heard of.

A library newer than the bindings answers enumerators that no class lists. They come back as members named
``UNKNOWN_37`` that compare, hash, pickle and go back into C like the integer they are.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

__all__ = ["OpenIntEnum", "OpenIntFlag", "enum_value", "renumbered"]

_EnumT = TypeVar("_EnumT", bound="OpenIntEnum")


class _OpenEnumMeta(enum.EnumMeta):
    """Builds classes itself: the standard library needs 15 ms for the thousand enumerators of one cuDNN version."""

    @classmethod
    def __prepare__(  # type: ignore[override]
        metacls,  # noqa: N804
        cls: str,
        bases: tuple[type, ...],
        /,
        **kwds: Any,
    ) -> Any:
        if any(isinstance(base, _OpenEnumMeta) for base in bases):
            return {}
        return super().__prepare__(cls, bases, **kwds)

    def __new__(metacls, cls: str, bases: tuple[type, ...], classdict: Any, **kwds: Any) -> Any:
        if not any(isinstance(base, _OpenEnumMeta) for base in bases):
            return super().__new__(metacls, cls, bases, classdict, **kwds)
        members: dict[str, int] = {}
        body: dict[str, Any] = {}
        for name, value in classdict.items():
            if type(value) is int and not name.startswith("_"):
                members[name] = value
            else:
                body[name] = value
        # What an enum class has of its own; all else that `EnumMeta.__new__` works out is the same for every subclass
        # of `OpenIntEnum` and is inherited from it.
        body["_member_map_"], body["_value2member_map_"], body["_member_names_"] = {}, {}, []
        made: Any = type.__new__(metacls, cls, bases, body, **kwds)
        _add_members(made, members)
        return made

    if not TYPE_CHECKING:  # checkers know what calling an enum gives

        def __call__(cls, value, *args, **kwds):
            # The way every returned enumerator takes; a known value is answered without the machinery of `enum`.
            if type(value) is int and not args:
                member = cls._value2member_map_.get(value)
                if member is not None:
                    return member
            return super().__call__(value, *args, **kwds)

    def __contains__(cls, value: object) -> bool:
        # As since Python 3.12, on older ones too: a known value counts as well as a member.
        return isinstance(value, cls) or (isinstance(value, int) and value in cls._value2member_map_)


def _add_members(cls: Any, members: Mapping[str, int]) -> None:
    by_name, by_value, canonical = cls._member_map_, cls._value2member_map_, cls._member_names_
    for name, value in members.items():
        member = by_value.get(value)
        if member is None:
            member = int.__new__(cls, value)
            member._name_ = name
            member._value_ = value
            member.__objclass__ = cls
            member._sort_order_ = len(canonical)
            canonical.append(name)
            by_value[value] = member
        by_name[name] = member
        type.__setattr__(cls, name, member)


def _restore_by_name(cls: type[_EnumT], name: str, value: int) -> _EnumT:
    found = cls.__members__.get(name)
    return cls(value) if found is None else found


class OpenIntEnum(enum.IntEnum, metaclass=_OpenEnumMeta):
    """Base of the generated enums.

    Class keywords
    --------------
    c_type
        The C name of the enum.
    c_prefix
        What stands before a member's name in C.
    c_names
        C names of the members for which that is not so.
    """

    __c_type__: ClassVar[str]
    __c_prefix__: ClassVar[str]
    __c_names__: ClassVar[Mapping[str, str]]
    __renumbered__: ClassVar[Any]

    def __init_subclass__(
        cls, *, c_type: str = "", c_prefix: str = "", c_names: Mapping[str, str] | None = None
    ) -> None:
        super().__init_subclass__()
        cls.__c_type__ = c_type
        cls.__c_prefix__ = c_prefix
        cls.__c_names__ = c_names or {}
        cls.__renumbered__ = None

    @classmethod
    def _missing_(cls, value: object) -> OpenIntEnum | None:
        if isinstance(value, str | bytes | float):
            return None
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            return None
        known = cls._value2member_map_.get(number)
        if known is not None:
            return known  # type: ignore[return-value]
        return cls.unknown(number)

    @classmethod
    def unknown(cls: type[_EnumT], value: int) -> _EnumT:
        """A member that the bindings do not know, whatever its value means in another version."""
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}" if value >= 0 else f"UNKNOWN_MINUS_{-value}"
        member._value_ = value
        return member

    @classmethod
    def from_c_name(cls: type[_EnumT], c_name: str) -> _EnumT:
        """The member that is called `c_name` in C.

        Raises
        ------
        KeyError
            There is none.
        """
        for name, member in cls.__members__.items():
            if cls.c_name_of(name) == c_name:
                return member
        raise KeyError(f"{cls.__c_type__} has no enumerator {c_name}")

    @classmethod
    def c_name_of(cls, name: str) -> str:
        """The C name of the member or alias called `name`."""
        return cls.__c_names__.get(name) or cls.__c_prefix__ + name

    @classmethod
    def aliases(cls: type[_EnumT]) -> dict[str, _EnumT]:
        """Second names and the members they stand for."""
        return {name: member for name, member in cls.__members__.items() if name != member._name_}

    @property
    def known(self) -> bool:
        """Whether the bindings list this value."""
        return self._name_ in type(self).__members__

    @property
    def c_name(self) -> str:
        """The enumerator in C; for an unknown value the enum's C type and the number."""
        return self.c_name_of(self._name_) if self.known else f"({self.__c_type__}){self._value_}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self._name_}: {self._value_}>"

    def __reduce_ex__(self, protocol: object) -> Any:
        static = type(self).__renumbered__
        if static is not None:
            return _restore_by_name, (static, self._name_, self._value_)
        return type(self), (self._value_,)

    # As since Python 3.11, on 3.10 too.
    def __copy__(self: _EnumT) -> _EnumT:
        return self

    def __deepcopy__(self: _EnumT, memo: object) -> _EnumT:
        return self

    __str__ = int.__repr__
    __format__ = int.__format__  # type: ignore[assignment]


class OpenIntFlag(enum.IntFlag):
    """Base of the generated bit masks; bits without a name are kept."""

    __c_type__: ClassVar[str]
    __c_prefix__: ClassVar[str]
    __c_names__: ClassVar[Mapping[str, str]]

    def __init_subclass__(
        cls, *, c_type: str = "", c_prefix: str = "", c_names: Mapping[str, str] | None = None
    ) -> None:
        super().__init_subclass__()
        cls.__c_type__ = c_type
        cls.__c_prefix__ = c_prefix
        cls.__c_names__ = c_names or {}

    @classmethod
    def c_name_of(cls, name: str) -> str:
        """The C name of the member or alias called `name`."""
        return cls.__c_names__.get(name) or cls.__c_prefix__ + name

    @property
    def c_name(self) -> str:
        """The flags in C, joined by ``|``; bits without a name as a number."""
        rest = self._value_
        names = []
        for name, member in type(self).__members__.items():
            if member._value_ and member._value_ & rest == member._value_:
                names.append(self.c_name_of(name))
                rest &= ~member._value_
        if rest or not names:
            names.append(str(rest))
        return " | ".join(names)

    __str__ = int.__repr__
    __format__ = int.__format__  # type: ignore[assignment]


def enum_value(value: Any, kind: type[OpenIntEnum]) -> int:
    """`value` as C may see it where an enumerator of `kind` is due: a member, or a plain number.

    Raises
    ------
    TypeError
        It is a member of another enum, or no number.
    """
    if type(value) is kind or type(value) is int:
        return value
    return _other_value(value, kind)


def _other_value(value: Any, kind: type[OpenIntEnum]) -> int:
    if isinstance(value, OpenIntEnum):
        if type(value).__c_type__ != kind.__c_type__:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        # A member from another version's class: its name means the same there, its number may not.
        member = kind.__members__.get(value._name_)
        return int(value) if member is None else member
    if isinstance(value, bool | OpenIntFlag):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return operator.index(value)


def renumbered(static: type[_EnumT], values: Mapping[str, int]) -> type[_EnumT]:
    """A class like `static` with the names and values that another version of the library has.

    Its members pickle by name into `static`, so that they mean the same next to another version.
    """
    body: dict[str, Any] = {
        "__module__": static.__module__,
        "__qualname__": static.__qualname__,
        "__doc__": static.__doc__,
        **values,
    }
    made: Any = _OpenEnumMeta(
        static.__name__,
        (OpenIntEnum,),
        body,
        c_type=static.__c_type__,
        c_prefix=static.__c_prefix__,
        c_names=static.__c_names__,
    )
    made.__renumbered__ = static
    found: type[_EnumT] = made
    return found
