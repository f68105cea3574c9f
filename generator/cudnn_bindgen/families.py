"""What each function is: its family, the handle type it works on, its operation and the pass of it.

Rules look at a name's words and at the parameters' types; they are tried in order and the first that answers wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cudnn_bindgen.facts import Family, Pass
from cudnn_bindgen.model import Function
from cudnn_bindgen.typeinfo import Shape

__all__ = ["Classified", "classify", "operation", "pass_of", "words"]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
_SUFFIX = re.compile(r"_v\d+$")
# Verbs that give a descriptor its contents from something else than plain values.
_FILLING_VERBS = frozenset({"Set", "Init", "Derive", "Copy", "Restore"})
# Words at which the name of an operation ends.
_AFTER_OPERATION = re.compile(
    r"(Forward|Backward|Training|Inference|Algorithm|WorkspaceSize|ReserveS|TempSpace|WeightSpaceSize|ParamsSize"
    r"|Indices|Buffer|StatesSize|SizeInBytes|Execute|(?<!Execution)Plan|ConstParam|VariantParam)"
)
# Operations that one function abbreviates and another does not.
_ABBREVIATED = {"Reduction": "ReduceTensor"}


@dataclass(frozen=True, slots=True)
class Classified:
    """A function's family with the rule that said so, and the handle type it works on where it works on one."""

    family: Family
    rule: str
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class _Subject:
    """What the rules look at: the function, its parameters' shapes, its words without prefix and version suffix."""

    function: Function
    shapes: Sequence[Shape]
    words: tuple[str, ...]
    library_handle: str | None

    @property
    def stem(self) -> str:
        return "".join(self.words)

    @property
    def verb(self) -> str:
        """The leading verb, also where the operation's name stands before it (``RNNSetClip``, ``DropoutGet...``)."""
        if len(self.words) > 1 and self.words[1] in ("Set", "Get"):
            return self.words[1]
        return self.words[0] if self.words else ""

    def own_handle(self) -> str | None:
        """The first handle passed by value that is not the library's; the library's where there is no other."""
        values = [shape.name for shape in self.shapes if shape.kind == "handle" and shape.by_value]
        return next((name for name in values if name != self.library_handle), values[0] if values else None)

    def filled_handle(self) -> str | None:
        """The first handle by value, not const and not the library's: what a Set, Init or Copy changes."""
        for shape in self.shapes:
            if shape.kind == "handle" and shape.by_value and not shape.const and shape.name != self.library_handle:
                return shape.name
        return None


def words(name: str) -> tuple[str, ...]:
    """A function's name in words, without its prefix and version suffix.

    >>> words("cudnnGetRNNDescriptor_v8")
    ('Get', 'RNN', 'Descriptor')
    """
    return tuple(_WORD.findall(_SUFFIX.sub("", re.sub(r"^[a-z]+(?=[A-Z])", "", name))))


def _backend(s: _Subject) -> Classified | None:
    if s.words[:1] != ("Backend",):
        return None
    created = [shape.name for shape in s.shapes if shape.kind == "handle" and shape.depth == 1]
    return Classified("backend", "backend_prefix", created[0] if created else s.own_handle())


def _fused_ops(s: _Subject) -> Classified | None:
    if "FusedOps" not in s.stem:
        return None
    created = [shape.name for shape in s.shapes if shape.kind == "handle" and shape.depth == 1]
    return Classified("fused", "fused_ops_word", created[0] if created else s.own_handle())


def _max_count(s: _Subject) -> Classified | None:
    return Classified("max_count", "max_count_suffix") if s.stem.endswith("AlgorithmMaxCount") else None


def _find(s: _Subject) -> Classified | None:
    if s.verb != "Find":
        return None
    return Classified("find_ex", "find_ex_name") if s.words[-1] == "Ex" else Classified("find", "find_name")


def _get_algorithm(s: _Subject) -> Classified | None:
    if s.verb != "Get" or s.words[-1] != "Algorithm":
        return None
    if _SUFFIX.search(s.function.name):
        return Classified("get_v7", "get_algorithm_versioned")
    return Classified("get_algorithm", "get_algorithm_plain")


def _version_check(s: _Subject) -> Classified | None:
    return Classified("query", "version_check") if s.stem.endswith("VersionCheck") else None


def _create_destroy(s: _Subject) -> Classified | None:
    if s.verb == "Create":
        made = [x.name for x in s.shapes if x.kind == "handle" and x.depth == 1 and not x.const]
        return Classified("create", "create_verb", made[-1]) if made else None
    if s.verb == "Destroy":
        gone = [x.name for x in s.shapes if x.kind == "handle"]
        return Classified("destroy", "destroy_verb", gone[0]) if gone else None
    return None


def _sizes(s: _Subject) -> Classified | None:
    """A query that answers nothing but numbers of bytes, and changes no descriptor (an Init does)."""
    pointers = [x for x in s.shapes if x.depth and not x.const and x.kind != "handle"]
    asks = s.verb == "Get" or "Get" in s.words[1:]
    if asks and pointers and all(x.kind == "number" and x.name == "size_t" and x.depth == 1 for x in pointers):
        return Classified("workspace_size", "only_sizes_out")
    return None


def _output_dimensions(s: _Subject) -> Classified | None:
    return Classified("query", "output_dim_suffix") if s.stem.endswith("OutputDim") else None


def _fused_computation(s: _Subject) -> Classified | None:
    """A computation with an activation beside it: a choice of operations to fuse, or bias and activation by name."""
    if not {"Forward", "Backward"} & {*s.words} or s.verb in ("Get", "Set", "Find"):
        return None
    chooses = any(x.kind == "enum" and re.search(r"NormOps_t$", x.name) for x in s.shapes)
    return Classified("fused", "fused_computation") if chooses or "BiasActivation" in s.stem else None


def _computation(s: _Subject) -> Classified | None:
    if s.verb in ("Get", "Set", "Find"):
        return None
    if "Backward" in s.words:
        return Classified("backward", "backward_word")
    if "Forward" in s.words or "Loss" in s.words:
        return Classified("forward", "forward_word" if "Forward" in s.words else "loss_word")
    return None


def _setter(s: _Subject) -> Classified | None:
    if s.verb not in _FILLING_VERBS:
        return None
    filled = s.filled_handle()
    if filled:
        return Classified("set", f"{s.verb.lower()}_verb", filled)
    if any(x.kind == "callback" for x in s.shapes):
        return Classified("set", "set_callback")
    streams = any(x.kind == "stream" and x.by_value for x in s.shapes)
    return Classified("set", "set_stream", s.own_handle()) if streams else None


def _getter(s: _Subject) -> Classified | None:
    if s.verb == "Save":
        return Classified("get", "save_verb", s.own_handle())
    if s.verb != "Get":
        return None
    if any(x.kind == "callback" for x in s.shapes):
        return Classified("get", "get_callback")
    handle = s.own_handle()
    if handle is None:
        return Classified("query", "get_without_handle")
    if all(x.by_value for x in s.shapes):
        return Classified("query", "get_fills_descriptors")
    return Classified("get", "get_verb", handle)


def _query(s: _Subject) -> Classified | None:
    return Classified("query", "query_verb") if s.verb == "Query" else None


_RULES: tuple[Callable[[_Subject], Classified | None], ...] = (
    _backend,
    _fused_ops,
    _version_check,
    _create_destroy,
    _max_count,
    _find,
    _get_algorithm,
    _output_dimensions,
    _sizes,
    _fused_computation,
    _computation,
    _setter,
    _getter,
    _query,
)


def classify(function: Function, shapes: Sequence[Shape], library_handle: str | None) -> Classified:
    """The family of `function`; `library_handle` is the handle type that nearly every function takes first."""
    subject = _Subject(function, shapes, words(function.name), library_handle)
    for rule in _RULES:
        found = rule(subject)
        if found is not None:
            return found
    return Classified("utility", "nothing_else")


def pass_of(name: str) -> Pass | None:
    """Which pass of its operation a function belongs to, by the words of its name."""
    stem = "".join(words(name))
    directions: Mapping[str, Pass] = {
        "BackwardData": "backward_data",
        "BackwardFilter": "backward_filter",
        "BackwardBias": "backward_bias",
        "BackwardWeights": "backward_weights",
        "Backward": "backward",
        "Forward": "forward",
    }
    return next((value for key, value in directions.items() if key in stem), None)


def operation(name: str, family: Family) -> str | None:
    """The words shared by all functions of one operation; None for descriptors, the backend and plain queries.

    >>> operation("cudnnGetConvolutionForwardAlgorithmMaxCount", "max_count")
    'Convolution'
    """
    if family in ("create", "destroy", "set", "get", "backend"):
        return None
    stem = "".join(words(name))
    if stem.endswith("VersionCheck") or (family == "query" and not re.search("Forward|Backward", stem)):
        return None
    stem = re.sub(r"^(Get|Find|Make|Create|Destroy|Set(?!Tensor))(?=[A-Z])", "", stem)
    cut = _AFTER_OPERATION.search(stem)
    if cut:
        stem = stem[: cut.start()]
    stem = re.sub(r"(2d|4d|Nd|Ex|Get|MaxCount|Buffers)$", "", stem)
    return _ABBREVIATED.get(stem, stem) or None
