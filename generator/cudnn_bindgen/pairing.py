"""Which parameter counts which array, and which tells the data type of a void pointer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from cudnn_bindgen.facts import ParameterFacts
from cudnn_bindgen.roles import Call, is_data_descriptor

__all__ = ["pair"]

# Integers by value that count the elements of an array.
_COUNT = re.compile(
    r"nbDims|arrayLength|seqLength|elementCount|numberTo[A-Z]\w*|\w+ArraySize|\w*[a-z]Requested|\w*[a-z]Count"
)
_REQUESTED = re.compile(r"requested[A-Z]|Requested$")
_TEXT_SIZE = re.compile(r"max_?size|size|length", re.IGNORECASE)
# Words of a count's name that say that it counts, not what.
_COUNTING = re.compile(r"(Array)?(Size|Length|Count)?(Requested)?$")


def pair(call: Call, facts: Sequence[ParameterFacts]) -> tuple[ParameterFacts, ...]:
    """`facts` with counts, returned counts and telling types filled in, and what counts marked as ``count``."""
    filled = [_typed(call, facts, place, _counted(call, place, fact)) for place, fact in enumerate(facts)]
    # A batch size counts the sequence lengths and is a value of its own as well: it stays what it is when it comes out.
    counting = {fact.count for fact in filled} | {
        fact.returned_count for fact in filled if fact.returned_count != "batchSize"
    }
    return tuple(
        replace(fact, role="count") if fact.name in counting and fact.role in ("scalar", "size") else fact
        for fact in filled
    )


# --- counts ---------------------------------------------------------------------------------------------------------


def _counted(call: Call, place: int, fact: ParameterFacts) -> ParameterFacts:
    shape = call.shapes[place]
    if fact.role == "string" and fact.direction == "out":
        return replace(fact, count=_text_size(call, place))
    if fact.rule == "serialised_form":
        return replace(fact, count=_text_size(call, place))
    if fact.rule == "typed_by_attribute" and any(_COUNT.fullmatch(name) for name in _names(call, by_value=True)):
        return _with_counts(call, place, fact)
    if fact.role == "created" and any(name.startswith("numberTo") for name in _names(call, by_value=True)):
        return _with_counts(call, place, fact)
    if fact.role not in ("array", "device_pointer_array"):
        return fact
    if shape.length is not None:
        return replace(fact, count=str(shape.length))
    return _with_counts(call, place, fact)


def _names(call: Call, *, by_value: bool) -> list[str]:
    return [
        parameter.name
        for parameter, shape in zip(call.parameters, call.shapes, strict=True)
        if shape.integer and (shape.by_value if by_value else shape.depth == 1 and not shape.array and not shape.const)
    ]


def _text_size(call: Call, place: int) -> str | None:
    following = call.parameters[place + 1 : place + 2]
    return following[0].name if following and _TEXT_SIZE.search(following[0].name) else None


def _with_counts(call: Call, place: int, fact: ParameterFacts) -> ParameterFacts:
    counts = _count_names(call)
    count = _best(call, place, counts)
    if fact.direction == "in" or count is None:
        return replace(fact, count=count)
    returned = None
    if _REQUESTED.search(count):
        outs = [name for name in _names(call, by_value=False) if _COUNT.fullmatch(name) or name == "batchSize"]
        returned = _returned(count, outs)
    return replace(fact, count=count, returned_count=returned)


def _count_names(call: Call) -> list[str]:
    """Every parameter that may count, in order; the sequence length of an old RNN call counts descriptors only."""
    names = [name for name in _names(call, by_value=True) if _COUNT.fullmatch(name)]
    if "batchSize" in _names(call, by_value=True):
        names.append("batchSize")
    return names


def _best(call: Call, place: int, counts: Sequence[str]) -> str | None:
    """The count that shares the array's name; else the nearest before it that is no other array's, else after it."""
    name = call.parameters[place].name
    own = [count for count in counts if _subject(count) and name.startswith(_subject(count))]
    if own:
        return own[0]
    if re.match(r"seqLength", name):
        general = [count for count in counts if count in ("batchSize", "arrayLengthRequested")]
        return general[0] if general else None
    handles = call.shapes[place].kind == "handle"
    arrays = [p.name for i, p in enumerate(call.parameters) if i != place and call.shapes[i].array]
    free = [
        count
        for count in counts
        if count != "batchSize"
        and (count != "seqLength" or handles)
        and not any(_subject(count) and array.startswith(_subject(count)) for array in arrays)
    ]
    order = [parameter.name for parameter in call.parameters]
    before = [count for count in free if order.index(count) < place]
    after = [count for count in free if order.index(count) > place]
    return before[-1] if before else after[0] if after else None


def _subject(count: str) -> str:
    """What a count's name says it counts: ``seqLength`` of ``seqLengthArraySize``; empty when it does not say."""
    if count in ("seqLength", "batchSize"):
        return ""
    stem = _COUNTING.sub("", count)
    return stem if stem not in ("", "array", "nbDims", "element", "requestedElement", "requestedAlgo") else ""


def _returned(count: str, outs: Sequence[str]) -> str | None:
    """The out parameter that answers a request: the request's name without the word, or the other way about."""
    if count == "arrayLengthRequested" and "batchSize" in outs:
        return "batchSize"
    plain = re.sub(r"Requested$", "", count)
    for wanted in (
        plain,
        re.sub(r"^requested([A-Z])", lambda m: m[1].lower(), count),
        count.replace("requested", "returned"),
    ):
        if wanted in outs:
            return wanted
    stem = _subject(count)
    return next((name for name in outs if stem and name.startswith(stem)), None)


# --- types ----------------------------------------------------------------------------------------------------------


def _typed(call: Call, facts: Sequence[ParameterFacts], place: int, fact: ParameterFacts) -> ParameterFacts:
    if fact.rule == "typed_by_attribute":
        for i, shape in enumerate(call.shapes):
            if shape.kind == "enum" and shape.by_value and re.search(r"(AttributeType|ParamLabel)_t$", shape.name):
                return replace(fact, typed_by=call.parameters[i].name)
    if fact.rule == "element_value":
        return replace(fact, typed_by=_data_type(call) or _descriptor_before(call, place))
    if fact.rule == "scaling_factor":
        return replace(fact, typed_by=_output_descriptor(call, facts) or _data_type(call))
    return fact


def _data_type(call: Call) -> str | None:
    for parameter, shape in zip(call.parameters, call.shapes, strict=True):
        if shape.kind == "enum" and shape.name.endswith("DataType_t"):
            return parameter.name
    return None


def _descriptor_before(call: Call, place: int) -> str | None:
    for before in range(place - 1, -1, -1):
        if is_data_descriptor(call.shapes[before]):
            return call.parameters[before].name
    return None


def _output_descriptor(call: Call, facts: Sequence[ParameterFacts]) -> str | None:
    """The descriptor that stands before an output in device memory: its data type decides that of the factors.

    The last output that a beta blends is taken; an optional one (z) stands before it.
    """
    described = [
        place
        for place in range(1, len(facts))
        if facts[place].role == "device_pointer"
        and facts[place].direction != "in"
        and is_data_descriptor(call.shapes[place - 1])
    ]
    blended = [place for place in described if facts[place].rule == "blended_by_beta"]
    return call.parameters[(blended or described)[-1] - 1].name if described else None
