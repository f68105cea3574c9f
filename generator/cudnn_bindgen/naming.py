"""From C names to Python names: methods, parameters, classes and enum members."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence

__all__ = ["RESERVED", "attribute", "camel", "class_name", "member_names", "member_prefix", "snake", "unique"]

# Builtins that a parameter could hide. Written out, not read from `builtins`: the output must not depend on the Python
# that runs the generator.
_BUILTINS = frozenset(
    """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
    credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash
    help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
    ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
    vars zip
    """.split()  # noqa: SIM905
)
# Names that a wrapper uses for itself, and those of the helpers that it calls.
_LOCALS = frozenset(
    """
    self cls status error answer found one results structs at_most attribute_buffer c_string device_pointer
    device_pointer_array enum_value exactly handle_pointer host_buffer in_array index label_room label_value
    optional_array optional_device_pointer out_list requested same_length stream_pointer text
    """.split()  # noqa: SIM905
)
# What every member of an enum has by another meaning.
_MEMBER_ATTRIBUTES = frozenset(
    {"mro", "name", "value", "known", "unknown", "aliases", "c_name", "c_name_of", "from_c_name"}
)
RESERVED = _BUILTINS | _LOCALS | frozenset(keyword.kwlist) | frozenset({"match", "case"})

# Where a word of a camel-case name ends: aB, 2Bc, ABc. ("Tensor4d" and "V2" stay whole, "B2BCausal" is b2b_causal.)
_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str, prefix: str = "") -> str:
    """A C function's or parameter's name in snake case, without `prefix`.

    >>> snake("cudnnFindConvolutionForwardAlgorithmEx", "cudnn")
    'find_convolution_forward_algorithm_ex'
    >>> snake("cudnnSetRNNDescriptor_v8", "cudnn"), snake("lambda"), snake("dimA"), snake("format")
    ('set_rnn_descriptor_v8', 'lambda_', 'dim_a', 'format_')
    """
    short = name[len(prefix) :] if prefix and name.startswith(prefix) and len(name) > len(prefix) else name
    text = re.sub(r"_+", "_", _BOUNDARY.sub("_", short)).lower().strip("_") or short.lower()
    if text in RESERVED:
        return f"{text}_"
    return f"_{text}" if text[:1].isdigit() else text


def attribute(name: str) -> str:
    """A snake-case name as an attribute of an object: only keywords need their underscore there.

    >>> attribute("format_"), attribute("from_"), attribute("n")
    ('format', 'from_', 'n')
    """
    plain = name.removesuffix("_")
    return name if keyword.iskeyword(plain) else plain


def class_name(name: str, prefix: str = "") -> str:
    """A Python class name for a C type: prefix and ``_t`` dropped, first letter large.

    >>> class_name("cudnnTensorDescriptor_t", "cudnn"), class_name("libraryPropertyType")
    ('TensorDescriptor', 'LibraryPropertyType')
    >>> class_name("cudnn3DShape_t", "cudnn")
    'Cudnn3DShape'
    """
    short = name[len(prefix) :] if prefix and name.startswith(prefix) else name
    short = short.removesuffix("_t").lstrip("_")
    return camel(short if short[:1].isalpha() else name.removesuffix("_t").lstrip("_")) or "Type"


def camel(name: str) -> str:
    """`name` as a class name: words joined, each with a large first letter.

    >>> camel("get_tensor4d_descriptor"), camel("RNNMode")
    ('GetTensor4dDescriptor', 'RNNMode')
    """
    joined = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return f"{joined}_" if joined in {"None", "True", "False"} else joined


def member_prefix(names: Sequence[str], enum: str, macro_prefix: str) -> str:
    """The words that the enumerators `names` of `enum` share and that say nothing inside its class; ends with ``_``.

    Counters (``..._COUNT``) often break the pattern of the others and have no say. A lone enumerator shares words
    with its enum's name instead.

    >>> member_prefix(["CUDNN_DATA_FLOAT", "CUDNN_DATA_HALF"], "DataType", "CUDNN_")
    'CUDNN_DATA_'
    >>> member_prefix(["CUDNN_LRN_CROSS_CHANNEL_DIM1"], "LRNMode", "CUDNN_")
    'CUDNN_LRN_'
    """
    voting = [name for name in names if not re.search(r"_COUNTS?$", name)] or list(names)
    if len(voting) > 1:
        first, *others = [name.split("_")[:-1] for name in voting]
        count = min(_common(first, other) for other in others)
        return "".join(f"{word}_" for word in first[:count])
    if not voting or not voting[0].startswith(macro_prefix):
        return ""
    prefix, said = macro_prefix, ""
    for word in voting[0][len(macro_prefix) :].split("_")[:-1]:
        if not enum.upper().startswith(said + word):
            break
        prefix, said = f"{prefix}{word}_", said + word
    return prefix


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two names begin with together."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def member_names(names: Sequence[str], enum: str, macro_prefix: str) -> dict[str, str]:
    """The Python member name of each enumerator; one that would be no identifier keeps more of its words.

    >>> member_names(["CUDNN_32BIT_INDICES", "CUDNN_64BIT_INDICES"], "IndicesType", "CUDNN_")["CUDNN_32BIT_INDICES"]
    'CUDNN_32BIT_INDICES'
    """
    prefix = member_prefix(names, enum, macro_prefix)
    result: dict[str, str] = {}
    for name in names:
        words = name.split("_")
        # A name outside the pattern loses the words that it shares with the others all the same.
        shared = min(_common(prefix.split("_")[:-1], words), len(words) - 1)
        short = "_".join(words[shared:])
        while short != name and (not short.isidentifier() or keyword.iskeyword(short) or short in result.values()):
            shared -= 1
            short = "_".join(words[shared:])
        result[name] = f"{short}_" if keyword.iskeyword(short) or short in _MEMBER_ATTRIBUTES else short
    return result


def unique(names: Iterable[str]) -> list[str]:
    """The same names, each made different from the ones before it by a trailing number.

    >>> unique(["a", "a_desc", "a"])
    ['a', 'a_desc', 'a_2']
    """
    seen: list[str] = []
    for name in names:
        candidate, number = name, 2
        while candidate in seen:
            candidate, number = f"{name}_{number}", number + 1
        seen.append(candidate)
    return seen
