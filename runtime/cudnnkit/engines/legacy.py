"""Candidates of the legacy API: algorithm times math type, with the workspace that cuDNN asks for.

Our own search measures, on the array library's memory; of cuDNN only the ranking (``..._v7``) and the workspace queries
are used. Algorithm, math type and workspace always go together: each math type has a convolution descriptor of its own
that nobody changes afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cudnn_ffi import StatusError

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.axes import Layout, lift_axes
from cudnnkit.candidates import HINDMOST, CandidateId, Description, legacy_notes
from cudnnkit.context import Context
from cudnnkit.engines.activations import ACTIVATIONS
from cudnnkit.engines.directions import DIRECTIONS, Direction
from cudnnkit.engines.legacy_plan import LegacyPlan, bias_gradient_call, convolution_call, fused_call
from cudnnkit.engines.operands import DATA_TYPES, channel_vector, layout
from cudnnkit.problem import Problem

__all__ = ["LegacyCandidate", "legacy_candidates", "rebuild_legacy_candidate", "unsupported"]

_BIAS_GRADIENT = "BACKWARD_BIAS"
_FLOATING = ("float16", "bfloat16", "float32", "float64")
_FILTERS = ("w", "dw")
_IDENTITY_ALGORITHM = "IMPLICIT_PRECOMP_GEMM"

# Math types worth trying for each element type, the preferred one first. TENSOR_OP_ALLOW_CONVERSION is not among them:
# for float32 data it converts to half precision, where large values become infinite.
_MATH_TYPES: dict[str, tuple[str, ...]] = {
    "float16": ("TENSOR_OP", "DEFAULT"),
    "bfloat16": ("TENSOR_OP", "DEFAULT"),
    "float32": ("DEFAULT", "FMA"),
    "float64": ("DEFAULT",),
}
_WITHOUT_TENSOR_CORES = HINDMOST
"""Added to the rank of half data's algorithms without tensor cores. Two runs of one of them can cost a search its whole
budget: ALGO_0 of a data gradient of VGG-19 took 453 ms where others took 0.33 (H200, cuDNN 9.19)."""


def unsupported(problem: Problem) -> str | None:
    """Why the legacy API cannot serve a problem; None when it may."""
    types = {one.dtype for one in problem.tensors}
    if problem.operation not in DIRECTIONS and problem.operation != "conv_bias_grad":
        return "has no such operation"
    if len(types) != 1 or not types <= set(_FLOATING):
        return f"takes one floating type for all operands, not {', '.join(sorted(types))}"
    if problem.compute != ("float64" if types == {"float64"} else "float32"):
        return f"does not compute in {problem.compute} here"
    if problem.convolution is not None and not problem.convolution.symmetric:
        return "pads both sides alike"
    for one in problem.tensors:
        if one.role in _FILTERS and one.strides not in (
            contiguous_strides(one.shape),
            channels_last_strides(one.shape),
        ):
            return f"needs a dense {one.role}"
    if not _fuses(problem):
        return None
    if problem.operation != "conv_forward":
        return "fuses only into the forward convolution"
    activation = ACTIVATIONS.get(problem.epilogue.activation or "identity")
    if activation is None or activation.legacy is None:
        return f"does not fuse {problem.epilogue.activation}"
    if not problem.epilogue.bias:
        return "fuses only with a bias"
    if problem.epilogue.residual_after:
        return "adds a residual before the activation"
    if problem.epilogue.residual and problem.beta != "zero":
        return "fuses a residual or the old output, not both"
    return None


def _fuses(problem: Problem) -> bool:
    """Whether there is an epilogue, which only ``cudnnConvolutionBiasActivationForward`` takes."""
    epilogue = problem.epilogue
    return epilogue.bias or epilogue.residual or epilogue.activation not in (None, "identity")


@dataclass(frozen=True)
class LegacyCandidate:
    """One algorithm with its math type."""

    description: Description
    descriptors: _Descriptors
    asked: bool = True
    """The workspace is what cuDNN says, not a remembered one."""

    def prepare(self) -> LegacyPlan:
        """The call with everything but addresses in place."""
        one = self.description
        problem, context = self.descriptors.problem, self.descriptors.context
        double = problem.compute == "float64"
        if one.id.algorithm == _BIAS_GRADIENT:
            call = bias_gradient_call(problem, *(self.descriptors.operand(role) for role in ("dy", "dbias")))
            return LegacyPlan(context, "cudnnConvolutionBackwardBias", call, 0, str(one.id), double)
        direction = DIRECTIONS[problem.operation]
        roles = (*direction.operands, direction.result)
        operands = [self.descriptors.operand(role) for role in roles]
        convolution = self.descriptors.convolution(one.id.math_type or "DEFAULT")
        algorithm = self.descriptors.algorithm(direction, one.id.algorithm or "")
        places = [self.descriptors.place(role) for role in roles]
        ask = (
            None if self.asked else partial(self.descriptors.workspace, one.id.algorithm or "", one.id.math_type or "")
        )
        if self.descriptors.fused:
            extra = self.descriptors.epilogue()
            fused = fused_call(problem, operands, places, convolution, algorithm, *extra)
            function = "cudnnConvolutionBiasActivationForward"
            return LegacyPlan(context, function, fused, one.workspace, str(one.id), double, ask)
        plain = convolution_call(problem, operands, places, convolution, algorithm)
        return LegacyPlan(context, direction.function, plain, one.workspace, str(one.id), double, ask)


class _Descriptors:
    """The descriptors of one problem, shared by its candidates."""

    def __init__(self, problem: Problem, context: Context) -> None:
        self.problem, self.context, self.library = problem, context, context.library
        self.fused = _fuses(problem)
        self._operands: dict[str, Any] = {}
        self._convolutions: dict[str, Any] = {}

    def place(self, role: str) -> int:
        """An operand's place among the problem's tensors."""
        return next(place for place, one in enumerate(self.problem.tensors) if one.role == role)

    def _data_type(self, dtype: str) -> Any:
        return self.library.enums.DataType[DATA_TYPES[dtype]]

    def operand(self, role: str) -> Any:
        """Tensor or filter descriptor of an operand."""
        found = self._operands.get(role)
        if found is None:
            spec = self.problem.tensor(role)
            if role in _FILTERS:
                found = self._filter(role)
            elif role in ("bias", "dbias"):
                beside = layout(self.problem.tensor("y" if role == "bias" else "dy"))
                found = self._tensor(spec.dtype, channel_vector(spec, beside))
            else:
                found = self._tensor(spec.dtype, layout(spec))
            self._operands[role] = found
        return found

    def _tensor(self, dtype: str, where: Layout) -> Any:
        one = self.library.create_tensor_descriptor()
        self.library.set_tensor_nd_descriptor(one, self._data_type(dtype), where.shape, where.strides)
        return one

    def _filter(self, role: str) -> Any:
        spec = self.problem.tensor(role)
        formats = self.library.enums.TensorFormat
        image = self.problem.tensor("x" if role == "w" and self.problem.operation == "conv_forward" else "dy")
        last = spec.strides == channels_last_strides(spec.shape)
        if last and spec.strides == contiguous_strides(spec.shape):
            # A filter that fits both takes the images' layout: cuDNN wants them alike.
            last = image.strides == channels_last_strides(image.shape)
        one = self.library.create_filter_descriptor()
        format_ = formats.NHWC if last else formats.NCHW
        self.library.set_filter_nd_descriptor(one, self._data_type(spec.dtype), format_, layout(spec).shape)
        return one

    def convolution(self, math_type: str) -> Any:
        """Convolution descriptor with a math type."""
        found = self._convolutions.get(math_type)
        if found is None:
            library, spec = self.library, self.problem.convolution
            if spec is None:
                raise ValueError(f"{self.problem.operation} lacks the parameters of its convolution")
            found = library.create_convolution_descriptor()
            library.set_convolution_nd_descriptor(
                found,
                lift_axes(spec.pre_padding, 0),
                lift_axes(spec.stride, 1),
                lift_axes(spec.dilation, 1),
                library.enums.ConvolutionMode[spec.mode.upper().replace("-", "_")],
                self._data_type(self.problem.compute),
            )
            library.set_convolution_group_count(found, spec.groups)
            library.set_convolution_math_type(found, library.enums.MathType[_member(math_type)])
            self._convolutions[math_type] = found
        return found

    def algorithm(self, direction: Direction, name: str) -> int:
        """The algorithm's number."""
        return int(getattr(self.library.enums, direction.algorithm)[name])

    def workspace(self, algorithm: str, math_type: str) -> int:
        """Bytes that an algorithm with a math type needs (``cudnnGet...WorkspaceSize``); StatusError where none helps.

        In a new process the first such question makes cuDNN load libraries for a tenth of a second.
        """
        direction = DIRECTIONS[self.problem.operation]
        number = self.algorithm(direction, algorithm)
        return int(self.call(direction.workspace, self.convolution(math_type), number))

    def epilogue(self) -> tuple[Any, Any, int, int]:
        """Descriptors of bias and activation, and the places of bias and of z, which is added (residual or old y)."""
        library, enums = self.library, self.library.enums
        activation = library.create_activation_descriptor()
        name = ACTIVATIONS[self.problem.epilogue.activation or "identity"].legacy
        library.set_activation_descriptor(
            activation, enums.ActivationMode[name], enums.NanPropagation.PROPAGATE_NAN, 0.0
        )
        added = "residual" if self.problem.epilogue.residual else "y"
        return self.operand("bias"), activation, self.place("bias"), self.place(added)

    def call(self, method: str, convolution: Any, *more: Any) -> Any:
        """A query about the convolution: its arguments are alike in all directions."""
        direction = DIRECTIONS[self.problem.operation]
        first, second = (self.operand(role) for role in direction.operands)
        function = getattr(self.library, method)
        return function(self.context.handle, first, second, convolution, self.operand(direction.result), *more)


def _member(math_type: str) -> str:
    """Member of ``cudnnMathType_t``: the identity of a candidate leaves ``_MATH`` out."""
    return math_type.replace("TENSOR_OP", "TENSOR_OP_MATH") if "TENSOR_OP" in math_type else f"{math_type}_MATH"


def _short(member: str) -> str:
    return member.replace("_MATH", "")


def legacy_candidates(problem: Problem, context: Context) -> list[LegacyCandidate]:
    """Every algorithm with every math type that fits, the ranking's first answers first.

    Raises
    ------
    StatusError
        cuDNN refused a descriptor.
    """
    if unsupported(problem) is not None:
        return []
    descriptors = _Descriptors(problem, context)
    if problem.operation == "conv_bias_grad":
        one = CandidateId("legacy", algorithm=_BIAS_GRADIENT)
        return [LegacyCandidate(Description(one, 0), descriptors)]
    direction = DIRECTIONS[problem.operation]
    ranked, wavering = _ranking(descriptors, direction, _MATH_TYPES[problem.tensors[0].dtype])
    everything = [(name, math) for math in _MATH_TYPES[problem.tensors[0].dtype] for name in direction.algorithms]
    found: list[LegacyCandidate] = []
    for algorithm, math_type in dict.fromkeys([*ranked, *everything]):
        description = _description(descriptors, direction, algorithm, math_type, len(found), wavering)
        if description is not None:
            found.append(LegacyCandidate(description, descriptors))
    return found


def rebuild_legacy_candidate(
    problem: Problem, one: CandidateId, context: Context, workspace: int | None = None
) -> LegacyCandidate:
    """The candidate that `one` names; a stored choice is replayed with it.

    Parameters
    ----------
    problem, one, context
        What, by which algorithm, and where.
    workspace
        What is remembered of its workspace, bytes; None to ask cuDNN. A launch that fails asks all the same.

    Raises
    ------
    ValueError
        The loaded cuDNN does not serve the problem with it.
    """
    reason = unsupported(problem)
    if reason is None:
        descriptors = _Descriptors(problem, context)
        if one.algorithm == _BIAS_GRADIENT and problem.operation == "conv_bias_grad":
            return LegacyCandidate(Description(one, 0), descriptors)
        direction = DIRECTIONS.get(problem.operation)
        if direction is not None and one.algorithm in direction.algorithms and one.math_type is not None:
            wavering: frozenset[str] = frozenset()
            if problem.policy.deterministic:  # only the ranking tells; elsewhere the question is not worth its time
                _, wavering = _ranking(descriptors, direction, _MATH_TYPES[problem.tensors[0].dtype])
            description = _description(descriptors, direction, one.algorithm, one.math_type, 0, wavering, workspace)
            if description is not None:
                return LegacyCandidate(description, descriptors, workspace is None)
        reason = "does not serve this problem"
    raise ValueError(f"{one}: the legacy API {reason}")


def _ranking(
    descriptors: _Descriptors, direction: Direction, math_types: Sequence[str]
) -> tuple[list[tuple[str, str]], frozenset[str]]:
    """Algorithms and math types as ``cudnnGet...Algorithm_v7`` ranks them, and which it calls nondeterministic."""
    enums = descriptors.library.enums
    success, deterministic = 0, enums.Determinism.DETERMINISTIC
    ranked: list[tuple[str, str]] = []
    wavering: set[str] = set()
    strict = descriptors.problem.policy.precision != "fast" and "FMA" in math_types
    try:
        rows = descriptors.call(direction.heuristic, descriptors.convolution("FMA" if strict else math_types[0]))
    except StatusError:
        return [], frozenset()  # without a ranking the plain order of the algorithms stands
    for row in rows:
        if int(row.status) != success or not row.algo.known:
            continue
        name, math_type = row.algo.name, _short(row.math_type.name)
        if row.determinism != deterministic:
            wavering.add(name)
        if name in direction.algorithms and math_type in math_types:
            ranked.append((name, math_type))
    return ranked, frozenset(wavering)


def _description(
    descriptors: _Descriptors,
    direction: Direction,
    algorithm: str,
    math_type: str,
    rank: int,
    wavering: frozenset[str],
    workspace: int | None = None,
) -> Description | None:
    """What is known of an algorithm with a math type; None where cuDNN says that it does not serve."""
    linear = descriptors.fused and descriptors.problem.epilogue.activation in (None, "identity")
    if linear and algorithm != _IDENTITY_ALGORITHM:  # the others apply ReLU all the same
        return None
    if workspace is None:
        try:
            workspace = descriptors.workspace(algorithm, math_type)
        except StatusError:
            return None
    notes = legacy_notes(algorithm, math_type, descriptors.problem.tensors[0].dtype)
    steady = algorithm not in direction.nondeterministic and algorithm not in wavering
    if not steady:
        notes |= {"nondeterministic"}
    if descriptors.problem.tensors[0].dtype in ("float16", "bfloat16") and "tensor_core" not in notes:
        rank += _WITHOUT_TENSOR_CORES
    one = CandidateId("legacy", algorithm=algorithm, math_type=math_type)
    return Description(one, rank, workspace, steady, numerical=notes)
