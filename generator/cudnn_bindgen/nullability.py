"""Where NULL is allowed: general rules by role, by a parameter's name, and by both with the function's words.

What is stated here is documented by NVIDIA or follows from the call's purpose; single cases stand with the exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cudnn_bindgen.facts import ParameterFacts
from cudnn_bindgen.roles import Call

__all__ = ["mark_nullable"]

# Rules of `roles` whose parameters may always be NULL: a query of size 0 needs no memory, the default stream is NULL,
# a callback is taken away with NULL, an incomplete type has no objects a caller could make.
_RULES = frozenset({"workspace", "reserve_space", "beside_callback", "callback_type", "stream_type", "incomplete_type"})


@dataclass(frozen=True, slots=True)
class _Named:
    """Parameters whose whole name matches, in functions whose name matches; only pointers and handles are meant."""

    parameter: str
    function: str
    why: str

    def applies(self, call: Call, name: str) -> bool:
        return bool(re.fullmatch(self.parameter, name) and re.match(self.function, call.function.name))


_NAMED = (
    _Named(
        r"result(Running|Save)\w+|saved(Mean|InvVariance)", r"cudnn\w*Norm", "statistics are kept only if asked for"
    ),
    _Named(r"d?z(Data|Desc)?|activationDesc", r"cudnn\w*Normalization", "used by the operations that are fused alone"),
    _Named(
        r"y(Data|Desc)|(bn|norm)BiasData", r"cudnn\w*NormalizationBackward", "needed to undo a fused activation alone"
    ),
    _Named(r"d?[hc][xy]?(Desc)?", r"cudnn\w*RNN(Forward|Backward)", "no hidden or cell state: zeros, or not wanted"),
    _Named(r"d?[kciq]Desc|d?keys|[ci]Attn|dcAttn|queries", r"cudnnRNN\w+Ex$", "reserved, to be NULL"),
    _Named(r"devSeqLengths", r"cudnnRNN", "read from the data descriptor since 8.9.1"),
    _Named(r"paddingFill", r"cudnnSet", "padding left as it is"),
    _Named(r"(attn|post)?[dD]ropoutDesc", r"cudnnSet(RNN|Attn)Descriptor", "no dropout"),
    _Named(r"residuals", r"cudnnMultiHeadAttn", "no residual connection"),
    _Named(r"d?[mM]eans", r"cudnnDivisiveNormalization", "zero means, or no gradient of them"),
    _Named(r"states", r"cudnn(Set|Restore)Dropout", "no dropout, or seeded later"),
    _Named(r"(reorderedB|b)iasData", r"cudnnReorder", "no bias"),
    _Named(r"gradients", r"cudnnCTCLoss", "only the costs are asked for"),
    _Named(r"indices", r"cudnnReduceTensor", "no indices asked for"),
    _Named(r"elementCount|arrayOfElements", r"cudnnBackendGet", "only the other is asked for"),
    _Named(r"edgeFeatures|concatFeatures|gradEdgeFeatures|gradConcatFeatures", r"cudnnGnn", "no such features"),
    _Named(r"dropoutMask|gradAttention|outPositions", r"cudnnGnn", "not used by the operation asked for"),
)


def mark_nullable(call: Call, facts: Sequence[ParameterFacts]) -> tuple[ParameterFacts, ...]:
    """`facts` with those marked that may be NULL."""
    return tuple(replace(fact, nullable=True) if _nullable(call, fact) else fact for fact in facts)


def _nullable(call: Call, fact: ParameterFacts) -> bool:
    if fact.rule in _RULES:
        return fact.direction != "out"
    if fact.rule == "typed_by_attribute" and fact.direction == "in":
        return "FusedOps" in call.function.name
    return any(rule.applies(call, fact.name) for rule in _NAMED) and fact.role != "library_handle"
