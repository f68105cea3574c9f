"""What every loaded library can do, whichever line it belongs to: calling, failing well, and telling what it has.

What a first call does not need is imported where it is used: loading a library has a budget of milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import _cffi_backend

from .descriptors import Handle
from .enums import OpenIntEnum, enum_value
from .errors import ArgumentError, CudnnFfiError, DescriptorClosedError, StatusError, SymbolNotAvailableError, short
from .tables import LineTables, value_at
from .types import FFI, CData, CLibrary, VersionParts

if TYPE_CHECKING:
    from .loading import Opened
    from .logs import LogBridge
    from .moved import EnumNamespace, MovedFunctions, WireTables
    from .report import Report

__all__ = ["CALL_ERRORS", "LibraryBase"]

# What a call can fail with before it reaches C: cffi refuses an argument, a closed handle, or the symbol is not there.
CALL_ERRORS: tuple[type[Exception], ...] = (
    TypeError,
    OverflowError,
    AttributeError,
    ValueError,
    MemoryError,
    NotImplementedError,
    _cffi_backend.FFI.error,
)

_EnumT = TypeVar("_EnumT", bound=OpenIntEnum)
_LAST_ERROR_SIZE = 4096


class LibraryBase:
    """One loaded cuDNN library. Get one from ``load()``; it is never unloaded.

    Attributes
    ----------
    path
        The file, its links followed.
    version
        (major, minor, patch) as the library itself tells.
    version_number
        The same as ``cudnnGetVersion`` gives it.
    """

    _tables: ClassVar[LineTables]
    _status_errors: ClassVar[Mapping[int, type[StatusError]]]
    _status_names: ClassVar[Mapping[int, str]]
    _enums_module: ClassVar[ModuleType]
    _double: ClassVar[int] = 1

    _ffi: Any
    _lib: Any
    _new: Any
    _null: Any

    def __init__(self, ffi: FFI, opened: Opened) -> None:
        self.path: str = opened.path
        self.version: VersionParts = opened.version
        self.version_number: int = opened.number
        self._opened = opened
        self._ffi = ffi
        self._lib: CLibrary = ffi.dlopen(opened.path, opened.flags)
        self._new = ffi.new
        self._null: CData = ffi.cast("void *", 0)
        self._moved_functions: MovedFunctions | None = None
        self._wires: WireTables | None = None
        self._enum_namespace: EnumNamespace | None = None
        self._log_bridge: LogBridge | None = None
        # How attribute values go to C and back, by attribute type (`backend_values`).
        self._converters: dict[str, Any] = {}
        self._float_type = ffi.typeof("float *")
        self._double_type = ffi.typeof("double *")
        # The commonest scaling factor, made once; C only reads it. (Not 0.0: -0.0 would find it too.)
        self._floats: dict[float, CData] = {1.0: ffi.new(self._float_type, 1.0)}
        self._doubles: dict[float, CData] = {1.0: ffi.new(self._double_type, 1.0)}

    # --- what it is ------------------------------------------------------------------------------------------------

    @property
    def version_text(self) -> str:
        """The version as text, ``"9.28.1"``."""
        return ".".join(map(str, self.version))

    if not TYPE_CHECKING:  # each line says of what type its enums are

        @property
        def enums(self) -> EnumNamespace:
            """The line's enums with the numbers of this version."""
            if self._enum_namespace is None:
                from .moved import EnumNamespace

                self._enum_namespace = EnumNamespace(self._enums_module, self._wire_tables())
            return self._enum_namespace

    def has(self, name: str) -> bool:
        """Whether the loaded file has a function, given by its C name or its method's name.

        The file's own symbols decide, not its version number.
        """
        if name not in self._tables.methods:
            name = next((c_name for c_name, method in self._tables.methods.items() if method == name), name)
        try:
            self._ffi.addressof(self._lib, name)
        except (AttributeError, self._ffi.error):
            return False
        return True

    def missing(self) -> list[str]:
        """The line's C functions that the loaded file lacks, sorted."""
        return [name for name in self._tables.functions if not self.has(name)]

    def report(self) -> Report:
        """Which library this is: file, version, sub-libraries, functions."""
        from .report import describe

        return describe(self)

    @property
    def logs(self) -> LogBridge:
        """The library's messages on their way to Python's ``logging``; off until ``logs.enable()``."""
        if self._log_bridge is None:
            from .logs import LogBridge

            self._log_bridge = LogBridge(self)
        return self._log_bridge

    def __repr__(self) -> str:
        return f"<cuDNN {self.version_text} at {self.path}>"

    def __reduce__(self) -> Any:
        raise TypeError("a loaded library lives in this process only; load it again in the other one")

    # --- what wrappers use -----------------------------------------------------------------------------------------

    def _argument_error(self, function: str, error: Exception, /, **arguments: object) -> CudnnFfiError:
        """The exception for a call that failed before it reached C."""
        if not isinstance(error, CudnnFfiError) and not self.has(function):
            return self._unavailable(function)
        from .arguments import diagnose

        method = getattr(type(self), self._tables.methods.get(function, ""), None)
        return diagnose(function, error, method, arguments)

    def _status_error(self, function: str, status: int, /, **arguments: object) -> StatusError:
        """The exception for a status other than success; never fails itself."""
        number = int(status)
        kind = self._status_errors.get(number, StatusError)
        name = self._status_names.get(number, "")
        texts = {key: short(value) for key, value in arguments.items()}
        return kind(function, number, name, self._last_error(number, known=bool(name)), texts)

    def _unavailable(self, symbol: str) -> SymbolNotAvailableError:
        since, until = self._tables.since_until(symbol, self.version)
        return SymbolNotAvailableError(symbol, self.version_text, self.path, since, until)

    def _last_error(self, status: int, *, known: bool) -> str:
        """The library's last-error text of this thread, else its word for a status that the bindings do not know."""
        try:
            buffer = self._new("char[]", _LAST_ERROR_SIZE)
            self._lib.cudnnGetLastErrorString(buffer, _LAST_ERROR_SIZE)
            found: str = self._ffi.string(buffer).decode("utf-8", "replace").strip()
            if found or known:
                return found
        except Exception:
            if known:
                return ""
        try:
            word: str = self._ffi.string(self._lib.cudnnGetErrorString(status)).decode("utf-8", "replace")
        except Exception:
            return ""
        return word

    def _destroy_handle(self, function: str, handle: Handle, /) -> None:
        """What every ``destroy_`` wrapper does: the object is freed here and not again by its owner."""
        if not isinstance(handle, Handle) or handle._destroy not in (function, ""):
            raise ArgumentError("handle", f"must be what {function} frees, not {short(handle)}", function)
        if handle._library is not self:
            raise ArgumentError("handle", f"belongs to {handle._library!r}: destroy it with that", function)
        try:
            destroy = getattr(self._lib, function)
        except CALL_ERRORS as error:
            raise self._argument_error(function, error, handle=handle) from None
        pointer = handle._take()
        if pointer is None:
            raise DescriptorClosedError(type(handle).__name__, function, "handle")
        status = destroy(pointer)
        if status:
            raise self._status_error(function, status, handle=handle)

    def _record(self, name: str) -> str:
        """The cffi name of the layout that struct `name` has in the loaded version."""
        moves = self._tables.moved_records.get(name)
        return name if moves is None else value_at(moves, self.version)

    def _scalar(self, value: float, *handles: Handle | None) -> CData:
        """A scaling factor in host memory: double if a handle's data is double, else float."""
        if value is None:  # for cffi, memory that is not initialised
            raise TypeError("a scaling factor is a number")
        for handle in handles:
            if handle is not None and handle._data_type == self._double:
                return self._doubles.get(value) or self._new(self._double_type, value)
        return self._floats.get(value) or self._new(self._float_type, value)

    def _data_type_name(self, data_type: int) -> str:
        kind: type[OpenIntEnum] = self._enums_module.DataType
        return kind(data_type)._name_

    def _number(self, value: float, data_type: int | None, name: str = "value") -> CData:
        """One number in host memory, encoded as `data_type` (None: not known yet)."""
        if data_type is None:
            raise ArgumentError(name, "is typed by a descriptor whose data type was not set from here; set it first")
        from .numbers import encode_number

        return encode_number(self._ffi, value, self._data_type_name(data_type), name)

    def _read_number(self, buffer: CData, data_type: int, name: str = "value") -> float | int:
        """The number of `data_type` in `buffer`."""
        from .numbers import decode_number

        return decode_number(self._ffi, buffer, self._data_type_name(data_type), name)

    @property
    def _moved(self) -> Any:
        """The functions whose signature moved, with the one that the loaded version has."""
        if self._moved_functions is None:
            from .moved import MovedFunctions

            self._moved_functions = MovedFunctions(self._ffi, self._lib, self._tables, self.version)
        return self._moved_functions

    # --- enumerators that moved ------------------------------------------------------------------------------------

    def _wire_tables(self) -> WireTables:
        if self._wires is None:
            from .moved import WireTables

            self._wires = WireTables(self._enums_module, self._tables, self.version)
        return self._wires

    def _wire(self, value: int, kind: type[OpenIntEnum]) -> int:
        """The number to pass for `value`, of the enum `kind`: members by name, plain numbers as they are.

        Raises
        ------
        TypeError
            `value` is neither.
        SymbolNotAvailableError
            The member does not exist in the loaded version.
        """
        member = enum_value(value, kind)
        if not isinstance(member, OpenIntEnum):
            return member
        number = self._wire_tables().number(member)
        if number is None:
            raise self._unavailable(member.c_name)
        return number

    def _from_wire(self, kind: type[_EnumT], value: int) -> _EnumT:
        """The member of `kind` that the loaded version means by `value`."""
        return self._wire_tables().member(kind, value)
