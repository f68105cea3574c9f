"""Rules that tell a backend attribute's type, and the descriptor that carries it, from its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Guess", "backend_guess", "owner_of"]

_PREFIX = "CUDNN_ATTR_"
_TENSOR = "CUDNN_BACKEND_TENSOR_DESCRIPTOR"
_INTEGERS = (
    r"(COUNT|AXIS|INDEX|SIZE|ALIGNMENT|DIM|DIMENSION|SPATIAL_DIMS|VALUE|BANDWIDTH|REVISION|MULTIPLIER|STRIDE"
    r"|UID|UNIQUE_ID)"
)
_INTEGER_LISTS = r"(DIMS|DIMENSIONS|STRIDES|PADDINGS|DILATIONS|INDICES|PERMUTATION|UIDS|UNIQUE_IDS)"


@dataclass(frozen=True, slots=True)
class Guess:
    """What a rule found."""

    type: str
    rule: str
    vector: bool = False
    descriptor: str | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Attribute:
    """An attribute's name without its prefix, and what types and descriptors its version has."""

    name: str
    types: frozenset[str]
    descriptors: tuple[str, ...]

    def descriptor(self, words: str) -> str | None:
        """The descriptor type of these words; underscores do not count."""
        wanted = words.replace("_", "")
        for one in self.descriptors:
            if one.removeprefix("CUDNN_BACKEND_").removesuffix("_DESCRIPTOR").replace("_", "") == wanted:
                return one
        return None


def _of_descriptors(rule: str, descriptor: str | None, *, vector: bool = False) -> Guess:
    return Guess("CUDNN_TYPE_BACKEND_DESCRIPTOR", rule, vector, descriptor)


def _operation_descriptor(a: _Attribute) -> Guess | None:
    """``OPERATION_MATMUL_DESC`` and its like: what the operation does, a descriptor named as the operation is."""
    match = re.fullmatch(r"OPERATION_(\w+?)(_FWD|_BWD)?_DESC", a.name)
    found = match and a.descriptor(match[1])
    if found:
        return _of_descriptors("operation_descriptor", found)
    return None


def _tensor_descriptor(a: _Attribute) -> Guess | None:
    if re.search(r"DESCS?$", a.name):
        return _of_descriptors("desc_suffix", _TENSOR, vector=a.name.endswith("S"))
    if re.search(r"_CONVOLUTION_\w+_D?[XYW]$", a.name):
        return _of_descriptors("tensor_letter", _TENSOR)
    return None


def _named_descriptor(a: _Attribute) -> Guess | None:
    """The name ends as a descriptor type is named, singular or plural: ``..._KERNEL_CACHE``, ``..._KNOB_CHOICES``."""
    words = a.name.split("_")
    for start in range(1, len(words)):
        tail = "_".join(words[start:])
        for singular, vector in ((tail, False), (tail.removesuffix("S"), True)):
            found = a.descriptor(singular)
            if found and (not vector or tail != singular):
                return _of_descriptors("descriptor_name", found, vector=vector)
    if a.name.endswith("SUBGRAPH"):
        return _of_descriptors("subgraph_suffix", a.descriptor("OPERATIONGRAPH"))
    return None


def _named_type(a: _Attribute) -> Guess | None:
    """The name ends as an attribute type is named: ``..._SIGNAL_MODE``, ``..._DATA_TYPE``, ``..._HANDLE``."""
    ends = [one for one in a.types if a.name.endswith(one.removeprefix("CUDNN_TYPE_"))]
    return Guess(max(ends, key=len), "type_name") if ends else None


def _computation_type(a: _Attribute) -> Guess | None:
    if re.search(r"(COMP_TYPE|MATH_PREC)$", a.name):
        return Guess("CUDNN_TYPE_DATA_TYPE", "computation_type")
    return None


def _flag(a: _Attribute) -> Guess | None:
    return Guess("CUDNN_TYPE_BOOLEAN", "is_word") if "_IS_" in a.name else None


def _text(a: _Attribute) -> Guess | None:
    if a.name.endswith("JSON_REPRESENTATION"):
        return Guess("CUDNN_TYPE_CHAR", "json_suffix", vector=True)
    return None


def _factor(a: _Attribute) -> Guess | None:
    """Scaling factors of operations are float unless the computation is double."""
    if re.match(r"OPERATION_\w+_(ALPHA|BETA)\d?$", a.name):
        return Guess("CUDNN_TYPE_FLOAT", "scaling_factor", also=("CUDNN_TYPE_DOUBLE",))
    return None


def _real(a: _Attribute) -> Guess | None:
    if re.search(r"(CLIP|SLOPE|_ALPHA|_BETA)$", a.name):
        return Guess("CUDNN_TYPE_DOUBLE", "activation_parameter", also=("CUDNN_TYPE_FLOAT",))
    if re.match(r"RNG_\w+_DIST_", a.name):
        return Guess("CUDNN_TYPE_DOUBLE", "distribution_parameter")
    if re.search(r"(PROBABILITY|OUTPUT_SCALE|PAD_VALUE)$", a.name):
        return Guess("CUDNN_TYPE_FLOAT", "float_suffix")
    return None


def _integer(a: _Attribute) -> Guess | None:
    if re.search(r"(SM_COUNT_TARGET|SHARED_MEMORY_(LIMIT|USED)|BLOCK_SIZE|TOP_K|DEVICE_ID)$", a.name):
        return Guess("CUDNN_TYPE_INT32", "int32_suffix")
    if re.search(rf"_{_INTEGERS}$", a.name):
        return Guess("CUDNN_TYPE_INT64", "integer_suffix")
    if re.search(rf"_{_INTEGER_LISTS}$", a.name):
        return Guess("CUDNN_TYPE_INT64", "integers_suffix", vector=True)
    return None


_RULES: tuple[Callable[[_Attribute], Guess | None], ...] = (
    _operation_descriptor,
    _tensor_descriptor,
    _computation_type,
    _named_type,
    _named_descriptor,
    _flag,
    _text,
    _factor,
    _real,
    _integer,
)


def backend_guess(name: str, types: frozenset[str], descriptors: tuple[str, ...]) -> Guess | None:
    """What the rules say about attribute `name` of a version with these attribute types and descriptor types."""
    attribute = _Attribute(name.removeprefix(_PREFIX), types, descriptors)
    for rule in _RULES:
        found = rule(attribute)
        if found is not None and found.type in types:
            return found
    return None


def owner_of(name: str, descriptors: tuple[str, ...]) -> str:
    """The descriptor type whose name the attribute's starts with, common abbreviations written out; empty for none."""
    stem = name.removeprefix(_PREFIX)
    for short, long in (
        ("_BWD_FILTER_", "_BACKWARD_FILTER_"),
        ("_BWD_DATA_", "_BACKWARD_DATA_"),
        ("_GENSTATS_", "_GEN_STATS_"),
        ("_BN_FINALIZE_", "_BN_FINALIZE_STATISTICS_"),
        ("_NORM_FWD_", "_NORM_FORWARD_"),
        ("_NORM_BWD_", "_NORM_BACKWARD_"),
    ):
        stem = stem.replace(short, long)
    owners = [
        one for one in descriptors if stem.startswith(one.removeprefix("CUDNN_BACKEND_").removesuffix("DESCRIPTOR"))
    ]
    return max(owners, key=len, default="")
