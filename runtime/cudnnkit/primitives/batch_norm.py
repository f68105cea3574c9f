"""The legacy calls of batch normalisation, ``cudnnBatchNormalization...``.

Training has two modes: SPATIAL, and SPATIAL_PERSISTENT, which reads x once where it can. The calls with ``Ex`` fuse the
addition of a residual and ReLU for half data in NHWC. Their forward leaves a mask in a reserve space that only their
own backward can read, so that is offered where the caller brings what the same mode and fusion left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cudnn_ffi import StatusError

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.context import Context
from cudnnkit.engines.legacy_plan import Call, LegacyPlan
from cudnnkit.engines.operands import is_channels_last, layout
from cudnnkit.norm_operands import epsilon, unusual
from cudnnkit.primitives.candidate import tensor_descriptor
from cudnnkit.problem import Epilogue, Problem, TensorSpec

__all__ = ["NormCandidate", "NormPlan", "norm_candidates", "reserve_bytes"]

_FORWARD = "cudnnBatchNormalizationForwardTrainingEx"
_INFERENCE = "cudnnBatchNormalizationForwardInference"
_BACKWARD = "cudnnBatchNormalizationBackward"
_BACKWARD_EX = "cudnnBatchNormalizationBackwardEx"
_PLAIN = "BN"
_ALIGNMENT = 256
_HALF = ("float16", "bfloat16")


class NormPlan(LegacyPlan):
    """A prepared call.

    Attributes
    ----------
    fills
        What it leaves in the caller's reserve, in words; empty for nothing.
    """

    __slots__ = ("fills",)

    def __init__(self, fills: str, *rest: Any) -> None:
        super().__init__(*rest)
        self.fills = fills


@dataclass(frozen=True)
class NormCandidate:
    """One call in one mode.

    Attributes
    ----------
    description
        What is known of it; the workspace only once it is prepared.
    problem, context
        What it computes, and the thread's context.
    function, mode, fused
        Its C name, and members of ``cudnnBatchNormMode_t`` and ``cudnnBatchNormOps_t``.
    """

    description: Description
    problem: Problem
    context: Context
    function: str
    mode: str
    fused: str

    def prepare(self) -> NormPlan:
        """The call with everything but addresses in place.

        Raises
        ------
        StatusError
            cuDNN does not serve this (asked for its workspace or its reserve).
        ValueError
            The reserve of the forward call that belongs to it is not at hand.
        """
        made = _Made(self)
        call, workspace, fills = {
            _INFERENCE: made.inference,
            _FORWARD: made.forward,
            _BACKWARD: made.backward,
            _BACKWARD_EX: made.backward_ex,
        }[self.function]()
        double = self.problem.compute == "float64"
        return NormPlan(fills, self.context, self.function, call, workspace, str(self.description.id), double)


def norm_candidates(problem: Problem, context: Context) -> list[NormCandidate]:
    """Every call that computes a problem whose operands are as cuDNN wants them; none works in place."""
    if unusual(problem) or problem.aliasing:
        return []
    modes = ["SPATIAL_PERSISTENT", "SPATIAL"]
    if all(size == 1 for size in problem.tensor("x").shape[2:]):
        modes.append("PER_ACTIVATION")  # without spatial axes a channel's values are those of the batch
    plain = problem.epilogue == Epilogue()
    rows: list[tuple[str, str, str]]
    if problem.operation == "batch_norm_inference":
        roles = {one.role for one in problem.tensors}
        rows = [(_INFERENCE, mode, _PLAIN) for mode in modes[1:] if plain and {"scale", "bias", "variance"} <= roles]
    elif problem.operation == "batch_norm_training":
        rows = [(_FORWARD, mode, _PLAIN) for mode in modes if plain]
        rows += [(_FORWARD, mode, _fusion(problem)) for mode in modes[:1] if not plain and _fuses(problem)]
    else:
        rows = [(name, mode, _PLAIN) for name in (_BACKWARD, _BACKWARD_EX) for mode in modes if plain]
        whole = _fuses(problem) and any(one.role == "bias" for one in problem.tensors)
        rows += [(_BACKWARD_EX, mode, _fusion(problem)) for mode in modes[:1] if not plain and whole]
    found = []
    for rank, (function, mode, fused) in enumerate(rows):
        name = mode if fused == _PLAIN else f"{mode} {fused}"
        one = CandidateId("legacy", algorithm=function.removeprefix("cudnn"), name=name)
        found.append(NormCandidate(Description(one, rank), problem, context, function, mode, fused))
    return found


def _fuses(problem: Problem) -> bool:
    """Whether cuDNN may fuse the epilogue: ReLU, half data in NHWC, channels in fours."""
    x = problem.tensor("x")
    last = is_channels_last(layout(x))
    return problem.epilogue.activation == "relu" and x.dtype in _HALF and last and x.shape[1] % 4 == 0


def _fusion(problem: Problem) -> str:
    return "BN_ADD_ACTIVATION" if problem.epilogue.residual else "BN_ACTIVATION"


def reserve_bytes(x: TensorSpec, fused: str, context: Context) -> int:
    """What the fused call leaves for its backward call, ``cudnnGetBatchNormalizationTrainingExReserveSpaceSize``.

    0 where it leaves nothing, or where cuDNN does not serve this, which the candidates will say.

    Parameters
    ----------
    x
        The image.
    fused
        A member of ``cudnnBatchNormOps_t``.
    context
        The thread's.
    """
    library = context.library
    enums = library.enums
    activation = None if fused == _PLAIN else _relu(library)
    image = tensor_descriptor(library, x.dtype, *layout(x))
    mode = enums.BatchNormMode.SPATIAL_PERSISTENT
    try:
        found: int = library.get_batch_normalization_training_ex_reserve_space_size(
            context.handle, mode, enums.BatchNormOps[fused], activation, image
        )
    except StatusError:
        return 0
    return found


def _relu(library: Any) -> Any:
    """The activation's descriptor (``cudnnSetActivationDescriptor``)."""
    enums, made = library.enums, library.create_activation_descriptor()
    library.set_activation_descriptor(made, enums.ActivationMode.RELU, enums.NanPropagation.PROPAGATE_NAN, 0.0)
    return made


class _Made:
    """Descriptors of one call, and the call."""

    def __init__(self, candidate: NormCandidate) -> None:
        self.problem, self.context = candidate.problem, candidate.context
        self.library: Any = candidate.context.library
        enums = self.library.enums
        self.mode, self.fused = enums.BatchNormMode[candidate.mode], enums.BatchNormOps[candidate.fused]
        self.words = f"{candidate.mode} {candidate.fused}"
        self.places = {one.role: place for place, one in enumerate(self.problem.tensors)}
        x = self.problem.tensor("x")
        # All images have x's type and layout.
        self.image = tensor_descriptor(self.library, x.dtype, *layout(x))
        self.vector = self.library.create_tensor_descriptor()
        self.library.derive_bn_tensor_descriptor(self.vector, self.image, self.mode)
        self.activation = None if candidate.fused == _PLAIN else _relu(self.library)
        real = "double *" if self.problem.compute == "float64" else "float *"
        self.one, self.zero = self.library._new(real, 1.0), self.library._new(real, 0.0)
        self.null = self.library._ffi.NULL
        self.keep = (self.image, self.vector, self.activation, self.one, self.zero)

    def _at(self, pointers: Sequence[Any], *roles: str) -> list[Any]:
        """Addresses of operands; NULL for those that are left out."""
        return [pointers[self.places[role]] if role in self.places else self.null for role in roles]

    def _pointer(self, one: Any) -> Any:
        return self.null if one is None else one._ptr

    def inference(self) -> tuple[Call, int, str]:
        """``cudnnBatchNormalizationForwardInference``."""
        image, vector, mode = self.image._ptr, self.vector._ptr, int(self.mode)
        eps = epsilon(self.problem)

        def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
            x, y, *vectors = self._at(at, "x", "y", "scale", "bias", "mean", "variance")
            return mode, alpha, beta, image, x, image, y, vector, *vectors, eps

        return Call(arguments, self.keep, zero_beta=True, unit_alpha=True), 0, ""

    def _spaces(self, workspace: int) -> tuple[int, int, bool]:
        """Bytes of workspace and of the reserve, and whether the reserve is the caller's."""
        reserve = self.library.get_batch_normalization_training_ex_reserve_space_size(
            self.context.handle, self.mode, self.fused, self.activation, self.image
        )
        there = self.places.get("reserve")
        room = 0 if there is None else self.problem.tensors[there].shape[0]
        return workspace, reserve, 0 < reserve <= room

    def forward(self) -> tuple[Call, int, str]:
        """``cudnnBatchNormalizationForwardTrainingEx``; a reserve that nobody asked for lies in the workspace."""
        added = self.image if "residual" in self.places else None
        workspace = self.library.get_batch_normalization_forward_training_ex_workspace_size(
            self.context.handle, self.mode, self.fused, self.image, added, self.image, self.vector, self.activation
        )
        workspace, reserve, given = self._spaces(workspace)
        start = -(-workspace // _ALIGNMENT) * _ALIGNMENT
        image, vector, mode, fused = self.image._ptr, self.vector._ptr, int(self.mode), int(self.fused)
        z_image, activation, eps = self._pointer(added), self._pointer(self.activation), epsilon(self.problem)
        one, zero, cast = self.one, self.zero, self.library._ffi.cast

        def arguments(at: Any, space: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
            x, z, y, scale, bias = self._at(at, "x", "residual", "y", "scale", "bias")
            old_mean, old_variance, mean, inverse = self._at(
                at, "running_mean", "running_variance", "mean", "inverse_std"
            )
            mask = self.null
            if reserve:
                mask = at[self.places["reserve"]] if given else cast("void *", int(cast("uintptr_t", space)) + start)
            return (
                mode, fused, one, zero, image, x, z_image, z, image, y, vector, scale, bias, float(alpha[0]), old_mean,
                old_variance, eps, mean, inverse, activation, space, workspace, mask, reserve,
            )  # fmt: skip

        total = workspace if given or not reserve else start + reserve
        return Call(arguments, self.keep, zero_beta=True), total, self.words if given else ""

    def backward(self) -> tuple[Call, int, str]:
        """``cudnnBatchNormalizationBackward``."""
        image, vector, mode = self.image._ptr, self.vector._ptr, int(self.mode)
        one, zero, eps = self.one, self.zero, epsilon(self.problem)

        def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
            x, dy, dx, scale, dscale, dbias = self._at(at, "x", "dy", "dx", "scale", "dscale", "dbias")
            return (
                mode, one, zero, one, zero, image, x, image, dy, image, dx, vector, scale, dscale, dbias, eps,
                *self._at(at, "mean", "inverse_std"),
            )  # fmt: skip

        return Call(arguments, self.keep, zero_beta=True, unit_alpha=True), 0, ""

    def backward_ex(self) -> tuple[Call, int, str]:
        """``cudnnBatchNormalizationBackwardEx``."""
        active = self.activation is not None
        result = self.image if active else None
        added = self.image if "dresidual" in self.places else None
        workspace = self.library.get_batch_normalization_backward_ex_workspace_size(
            self.context.handle, self.mode, self.fused, self.image, result, self.image, added, self.image, self.vector,
            self.activation,
        )  # fmt: skip
        workspace, reserve, given = self._spaces(workspace)
        made_by = dict(self.problem.parameters).get("reserve")
        if reserve and not (given and made_by == self.words):
            raise ValueError(f"needs the reserve of the forward call {self.words}, and was given that of {made_by}")
        image, vector, mode, fused = self.image._ptr, self.vector._ptr, int(self.mode), int(self.fused)
        y_image, z_image, activation = self._pointer(result), self._pointer(added), self._pointer(self.activation)
        one, zero, eps = self.one, self.zero, epsilon(self.problem)

        def arguments(at: Any, space: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
            x, dy, dz, dx = self._at(at, "x", "dy", "dresidual", "dx")
            scale, dscale, dbias, mean, inverse = self._at(at, "scale", "dscale", "dbias", "mean", "inverse_std")
            y, bias = self._at(at, "y", "bias") if active else (self.null, self.null)
            mask = at[self.places["reserve"]] if reserve else self.null
            return (
                mode, fused, one, zero, one, zero, image, x, y_image, y, image, dy, z_image, dz, image, dx, vector,
                scale, bias, dscale, dbias, eps, mean, inverse, activation, space, workspace, mask, reserve,
            )  # fmt: skip

        return Call(arguments, self.keep, zero_beta=True, unit_alpha=True), workspace, ""
