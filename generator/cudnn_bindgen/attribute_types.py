"""The own data type of every attribute that is set and read through a void pointer.

For backend attributes (``CUDNN_ATTR_*``) that is a member of ``cudnnBackendAttributeType_t``, for the labels of the old
fused operations a C type. Rules read an attribute's name; ``data/attribute_types.json`` holds what no rule finds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any

from cudnn_bindgen.arguments import expect
from cudnn_bindgen.attribute_rules import Guess, backend_guess, owner_of
from cudnn_bindgen.errors import DataFileError
from cudnn_bindgen.model import Api

__all__ = ["AttributeType", "attribute_types", "check_attribute_data", "element_types", "load_attribute_data"]

FILE_NAME = "attribute_types.json"
_TYPE_ENUM = "cudnnBackendAttributeType_t"
_DESCRIPTOR_ENUM = "cudnnBackendDescriptorType_t"
_ATTRIBUTE_ENUM = "cudnnBackendAttributeName_t"
_CONSTANT_LABELS = "cudnnFusedOpsConstParamLabel_t"
_VARIANT_LABELS = "cudnnFusedOpsVariantParamLabel_t"


@dataclass(frozen=True, slots=True)
class AttributeType:
    """What values an attribute takes.

    Attributes
    ----------
    type
        A member of ``cudnnBackendAttributeType_t`` (``CUDNN_TYPE_INT64``), or for fused operations a C type; None for
        an attribute that rules and data do not know, which has to be given its type in each call.
    owner
        The backend descriptor type that carries the attribute (``CUDNN_BACKEND_TENSOR_DESCRIPTOR``), or the handle type
        of the parameter pack.
    rule
        The name of the rule that said so, ``data``, or ``unknown``.
    vector
        It takes several elements; else exactly one.
    descriptor
        For ``CUDNN_TYPE_BACKEND_DESCRIPTOR``: the descriptor type that the elements are of; None where several are.
    also
        Other members that are accepted (a scaling factor as float or double).
    read_only
        It can be read but not set.
    set_directly, get_directly
        Fused operations: the value itself is handed over as the pointer (a descriptor, an address on the device), not
        the address of a variable that holds it.
    """

    name: str
    type: str | None
    owner: str
    rule: str
    vector: bool = False
    descriptor: str | None = None
    also: tuple[str, ...] = ()
    read_only: bool = False
    set_directly: bool = False
    get_directly: bool = False


_CHANGEABLE = {field.name for field in fields(AttributeType)} - {"name", "rule"}


@cache
def load_attribute_data() -> Mapping[str, Mapping[str, Any]]:
    """The types that no rule finds, by attribute, and under ``elements`` the C types of attribute types."""
    text = files("cudnn_bindgen").joinpath("data").joinpath(FILE_NAME).read_text(encoding="utf-8")
    try:
        data: dict[str, dict[str, Any]] = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataFileError(f"{FILE_NAME}:{error.lineno}: not valid JSON ({error.msg}); correct the file") from error
    for name, changes in data["attributes"].items():
        unknown = sorted(set(changes) - _CHANGEABLE)
        if unknown:
            raise DataFileError(
                f"{FILE_NAME}: {name} states {', '.join(unknown)}, but known are {', '.join(sorted(_CHANGEABLE))}"
            )
    return data


def attribute_types(api: Api, data: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, AttributeType]:
    """The type of every attribute and label of `api`, by enumerator name, in the order of the headers."""
    expect(Api, api)
    data = load_attribute_data()["attributes"] if data is None else data
    enums = {enum.name: [one.name for one in enum.enumerators] for enum in api.enums}
    known = frozenset(enums.get(_TYPE_ENUM, ()))
    descriptors = tuple(enums.get(_DESCRIPTOR_ENUM, ()))
    found: dict[str, AttributeType] = {}
    for name in enums.get(_ATTRIBUTE_ENUM, ()):
        found[name] = _backend(name, known, descriptors, data.get(name, {}))
    for name in enums.get(_CONSTANT_LABELS, ()):
        found[name] = _constant_label(name)
    for name in enums.get(_VARIANT_LABELS, ()):
        found[name] = _variant_label(name)
    return found


def _backend(
    name: str, known: frozenset[str], descriptors: tuple[str, ...], stated: Mapping[str, Any]
) -> AttributeType:
    guess = backend_guess(name, known, descriptors) or Guess("", "unknown")
    result = AttributeType(
        name,
        guess.type or None,
        stated.get("owner") or owner_of(name, descriptors),
        guess.rule,
        vector=guess.vector,
        descriptor=guess.descriptor,
        also=guess.also,
    )
    # What an information descriptor tells can only be read.
    result = replace(result, read_only=result.owner.endswith("_INFO_DESCRIPTOR"))
    if not stated:
        return result
    changes: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in stated.items()}
    result = replace(result, **changes, rule="data")
    return replace(result, also=tuple(one for one in result.also if one in known))


# --- fused operations -----------------------------------------------------------------------------------------------


def _constant_label(name: str) -> AttributeType:
    """A descriptor is handed over itself and copied; a mode or placeholder through the address of a variable."""
    owner = "cudnnFusedOpsConstParamPack_t"
    if name.endswith("_PLACEHOLDER"):
        return AttributeType(name, "cudnnFusedOpsPointerPlaceHolder_t", owner, "placeholder_suffix")
    if name.endswith("_MODE"):
        return AttributeType(name, "cudnnBatchNormMode_t", owner, "mode_suffix")
    kind = "Tensor"
    if re.search(r"_D?WDESC$", name):
        kind = "Filter"
    elif name.endswith("_CONV_DESC"):
        kind = "Convolution"
    elif name.endswith("_ACTIVATION_DESC"):
        kind = "Activation"
    return AttributeType(
        name, f"cudnn{kind}Descriptor_t", owner, "descriptor_suffix", set_directly=True, get_directly=True
    )


def _variant_label(name: str) -> AttributeType:
    """``CUDNN_PTR_*`` is an address on the device, handed over itself; ``CUDNN_SCALAR_<type>_*`` names its C type."""
    owner = "cudnnFusedOpsVariantParamPack_t"
    scalar = re.match(r"CUDNN_SCALAR_(SIZE_T|INT64_T|DOUBLE|FLOAT|INT)_", name)
    if scalar:
        return AttributeType(name, scalar[1].lower(), owner, "scalar_prefix")
    return AttributeType(name, "void *", owner, "pointer_prefix", set_directly=True)


# --- elements and checks --------------------------------------------------------------------------------------------


def element_types(api: Api) -> dict[str, str]:
    """The C type of one element of every ``CUDNN_TYPE_*`` of `api`.

    A type named after an enum is that enum, the backend's own before another (``CUDNN_TYPE_NORM_MODE``:
    ``cudnnBackendNormMode_t``); the rest is data. A type that is newer than both is left out.
    """
    stated: Mapping[str, str] = load_attribute_data()["elements"]
    ordered = sorted((enum.name for enum in api.enums), key=lambda name: name.startswith("cudnnBackend"))
    by_words = {re.sub(r"^cudnn(Backend)?|_t$", "", name).lower(): name for name in ordered}
    result: dict[str, str] = {}
    for enum in api.enums:
        if enum.name != _TYPE_ENUM:
            continue
        for one in enum.enumerators:
            words = one.name.removeprefix("CUDNN_TYPE_").replace("_", "").lower()
            ctype = stated.get(one.name) or by_words.get(words) or by_words.get(f"{words}type")
            if ctype is not None:
                result[one.name] = ctype
    return result


def check_attribute_data(apis: Iterable[Api]) -> None:
    """See that every entry of the data file names an attribute of some version and says more than the rules.

    Raises
    ------
    DataFileError
        An entry is stale.
    """
    data: Mapping[str, Mapping[str, Any]] = load_attribute_data()["attributes"]
    seen: set[str] = set()
    useful: set[str] = set()
    for api in apis:
        stated, ruled = attribute_types(api, data), attribute_types(api, {})
        seen |= data.keys() & stated.keys()
        useful |= {
            name for name in data.keys() & stated.keys() if replace(stated[name], rule=ruled[name].rule) != ruled[name]
        }
    for name in data:
        if name not in seen:
            raise DataFileError(f"{FILE_NAME}: {name} is an attribute of no known version; remove it")
        if name not in useful:
            raise DataFileError(f"{FILE_NAME}: {name} says what the rules say already; remove it")
