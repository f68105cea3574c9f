"""Resampling nodes of the graph API for pooling, and reductions for pooling over whole images."""

from __future__ import annotations

import math
from typing import Any

from cudnnkit.axes import lift_axes
from cudnnkit.engines.operands import layout
from cudnnkit.problem import PoolingSpec

__all__ = ["pooling", "pooling_gradient", "reduction"]

# Members of cudnnResampleMode_t and of cudnnPaddingMode_t.
_MODES = {
    "max": ("MAXPOOL", "NEG_INF_PAD"),
    "average_include_padding": ("AVGPOOL_INCLUDE_PADDING", "ZERO_PAD"),
    "average_exclude_padding": ("AVGPOOL_EXCLUDE_PADDING", "ZERO_PAD"),
}


def _spec(builder: Any) -> PoolingSpec:
    spec: PoolingSpec | None = builder.problem.pooling
    if spec is None:
        raise ValueError(f"{builder.problem.operation} lacks the parameters of its pooling")
    return spec


def _resampling(builder: Any) -> Any:
    """``CUDNN_BACKEND_RESAMPLE_DESCRIPTOR``."""
    spec, enums = _spec(builder), builder.enums
    mode, padding = _MODES[spec.mode]
    what = builder.create("RESAMPLE_DESCRIPTOR")
    what["RESAMPLE_MODE"] = enums.ResampleMode[mode]
    what["RESAMPLE_COMP_TYPE"] = builder.compute
    what["RESAMPLE_NAN_PROPAGATION"] = enums.NanPropagation.PROPAGATE_NAN
    what["RESAMPLE_PADDING_MODE"] = enums.PaddingMode[padding]
    what["RESAMPLE_SPATIAL_DIMS"] = max(len(spec.window), 2)
    what["RESAMPLE_WINDOW_DIMS"] = lift_axes(spec.window, 1)
    what["RESAMPLE_PRE_PADDINGS"] = lift_axes(spec.pre_padding, 0)
    what["RESAMPLE_POST_PADDINGS"] = lift_axes(spec.post_padding, 0)
    what["RESAMPLE_STRIDES"] = lift_axes(spec.stride, 1)
    return what.finalize()


def _node(builder: Any, kind: str, **tensors: Any) -> None:
    node = builder.create(f"OPERATION_RESAMPLE_{kind}_DESCRIPTOR")
    for name, tensor in tensors.items():
        node[f"OPERATION_RESAMPLE_{kind}_{name}"] = tensor
    builder.operations.append(node.finalize())


def pooling(builder: Any) -> None:
    """y, the pooling of x."""
    _node(builder, "FWD", DESC=_resampling(builder), XDESC=builder.operand("x"), YDESC=builder.operand("y"))


def pooling_gradient(builder: Any) -> None:
    """The gradient dx from dy, for means.

    The gradient of maxima needs their places as an index tensor, which the problem does not have. cuDNN takes a node
    with x and y in its place, but asking its heuristic about that ends the process (seen in 9.19.0).
    """
    if _spec(builder).mode == "max":
        raise ValueError("the gradient of maxima needs an index tensor, which only the forward pass could write")
    tensors = {name: builder.operand(role) for name, role in {"DYDESC": "dy", "DXDESC": "dx"}.items()}
    _node(builder, "BWD", DESC=_resampling(builder), **tensors)


def reduction(builder: Any) -> None:
    """y, which is the maximum or the mean of x along every axis that has size 1 in y; the problem's parameters say how.

    The backend does not take ``CUDNN_REDUCE_TENSOR_AVG``: a mean is a sum and a pointwise node that scales it.
    """
    problem = builder.problem
    mean = dict(problem.parameters)["reduction"] == "AVG"
    x, y = problem.tensor("x"), problem.tensor("y")
    what = builder.create("REDUCTION_DESCRIPTOR")
    what["REDUCTION_OPERATOR"] = builder.enums.ReduceTensorOp["ADD" if mean else "MAX"]
    what["REDUCTION_COMP_TYPE"] = builder.compute
    result = builder.virtual(layout(y)) if mean else builder.operand("y")
    one = builder.create("OPERATION_REDUCTION_DESCRIPTOR")
    one["OPERATION_REDUCTION_DESC"] = what.finalize()
    one["OPERATION_REDUCTION_XDESC"] = builder.operand("x")
    one["OPERATION_REDUCTION_YDESC"] = result
    builder.operations.append(one.finalize())
    if mean:
        share = math.prod(y.shape) / math.prod(x.shape)
        builder.pointwise("IDENTITY", {}, (share, 1.0), XDESC=result, YDESC=builder.operand("y"))
