"""cuDNN's own names, read from ``data/conventions.json``, so that the code that renders knows none of them."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cudnn_bindgen.errors import DataFileError

__all__ = ["Conventions", "FlagGroup", "conventions"]


@dataclass(frozen=True, slots=True)
class FlagGroup:
    """Macros that are bits of one mask.

    Attributes
    ----------
    class_name
        The Python class that holds them.
    pattern
        Matches a macro's whole name; its group is the member's name.
    parameters, typedefs
        Names of the parameters, and of the typedefs, that carry the mask.
    """

    class_name: str
    pattern: re.Pattern[str]
    parameters: tuple[str, ...]
    typedefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conventions:
    """The names that mean something special.

    Attributes
    ----------
    prefix, macro_prefix
        Dropped from functions and types, from enumerators.
    status, success
        The enum that functions return, and its enumerator that is no error.
    data_type, double
        The enum of element types, and the one whose host scalars are ``double``.
    data_type_parameters
        Of a setter with several data types: the parameters that hold the elements' own, in order of preference.
    dimensions
        The macro that bounds the number of dimensions; getters ask for so many when the caller does not say.
    fewer_dimensions
        By how many fewer for some counts (parameter, or function and parameter): those of spatial dimensions, of which
        the library refuses more. For an array without a count of its own: how many elements fewer it has.
    bounded_dimensions
        Counts (function and parameter) of dimensions that the library does not check and that must not be more.
    text_length
        Size in bytes of the buffer for text that a function writes.
    taken
        Function to the handles that belong to another object afterwards: destroying them as well ends the process.
    backend_handle, backend_attribute, backend_type
        Handle type, enum of attribute names and enum of attribute types of the backend API.
    hidden_fields
        Fields of structs that users do not see.
    units, unit_records
        Unit of a field by its name, in records whose name ends with one of `unit_records`.
    flags
        Groups of macros that become flag classes.
    """

    prefix: str
    macro_prefix: str
    status: str
    success: str
    data_type: str
    double: str
    data_type_parameters: tuple[str, ...]
    dimensions: str
    fewer_dimensions: Mapping[str, int]
    bounded_dimensions: frozenset[str]
    text_length: int
    taken: Mapping[str, tuple[str, ...]]
    backend_handle: str
    backend_attribute: str
    backend_type: str
    hidden_fields: frozenset[str]
    units: Mapping[str, str]
    unit_records: tuple[str, ...]
    flags: tuple[FlagGroup, ...]

    def unit(self, record: str, field: str) -> str | None:
        """The unit of a record's field, None where it has none that is known."""
        return self.units.get(field) if record.endswith(self.unit_records) else None


def read_conventions(path: Path) -> Conventions:
    """Read one conventions file.

    Raises
    ------
    DataFileError
        The file is not there, is no JSON, or lacks a key.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Conventions(
            prefix=data["prefix"],
            macro_prefix=data["macro_prefix"],
            status=data["status"]["enum"],
            success=data["status"]["success"],
            data_type=data["data_type"]["enum"],
            double=data["data_type"]["double"],
            data_type_parameters=tuple(data["data_type"]["parameters"]),
            dimensions=data["dimensions"],
            fewer_dimensions=data["fewer_dimensions"],
            bounded_dimensions=frozenset(data["bounded_dimensions"]),
            text_length=data["text_length"],
            taken={function: tuple(names) for function, names in data["taken"].items()},
            backend_handle=data["backend"]["handle"],
            backend_attribute=data["backend"]["attribute"],
            backend_type=data["backend"]["type"],
            hidden_fields=frozenset(data["hidden_fields"]),
            units=data["units"],
            unit_records=tuple(data["unit_records"]),
            flags=tuple(
                FlagGroup(
                    group["class"], re.compile(group["pattern"]), tuple(group["parameters"]), tuple(group["typedefs"])
                )
                for group in data["flags"]
            ),
        )
    except (OSError, ValueError, KeyError, TypeError, re.error) as error:
        raise DataFileError(f"{path} cannot be used ({type(error).__name__}: {error}); restore it") from error


@functools.cache
def conventions() -> Conventions:
    """The conventions that ship with the generator."""
    return read_conventions(Path(__file__).parent / "data" / "conventions.json")
