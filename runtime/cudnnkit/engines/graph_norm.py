"""Batch normalisation as operation graphs: cuDNN's normalisation nodes, and inference as pointwise nodes.

Which of them an engine serves, cuDNN's heuristics say: mostly half data in NHWC. Residual and activation follow a
forward node; a gradient's ReLU comes before it.
"""

from __future__ import annotations

import math
from typing import Any

from cudnnkit.engines.activations import pointwise_settings
from cudnnkit.engines.operands import channel_vector, is_channels_last, layout
from cudnnkit.norm_operands import epsilon, unusual

__all__ = ["norm_dx", "norm_gradient", "norm_inference", "norm_training"]

_OLD = {"running_mean": 1101, "running_variance": 1102}
"""Unique ids of running statistics as they are read; as they are written they are operands like others."""


def _check(builder: Any) -> None:
    if unusual(builder.problem):
        raise ValueError("takes images of one dense layout and vectors of the type that is computed in")


def _check_node(builder: Any) -> None:
    """What the normalisation nodes are documented for; elsewhere the heuristics are better not asked."""
    _check(builder)
    x = layout(builder.problem.tensor("x"))
    if builder.problem.compute == "float64":
        raise ValueError("has no normalisation in float64")
    if any(size > 1 for size in x.shape[2:]) and not is_channels_last(x):
        raise ValueError("normalises channels-last images only")


def _vector(builder: Any, role: str, uid: int | None = None) -> Any:
    where = channel_vector(builder.problem.tensor(role), layout(builder.problem.tensor("x")))
    return builder.operand(role, where, uid=uid)


def _scalar(builder: Any, value: float) -> Any:
    return builder.scalar(value, len(layout(builder.problem.tensor("x")).shape))


def _roles(builder: Any) -> set[str]:
    return {one.role for one in builder.problem.tensors}


def _afterwards(builder: Any, value: Any, stages: list[tuple[str, Any, dict[str, float]]]) -> None:
    """Pointwise nodes from `value` to y: mode, other operand, settings."""
    where = layout(builder.problem.tensor("y"))
    for place, (mode, other, settings) in enumerate(stages):
        after = builder.operand("y") if place == len(stages) - 1 else builder.virtual(where)
        tensors = {"XDESC": value, "YDESC": after, **({} if other is None else {"BDESC": other})}
        builder.pointwise(mode, settings, **tensors)
        value = after


def _epilogue(builder: Any) -> list[tuple[str, Any, dict[str, float]]]:
    stages: list[tuple[str, Any, dict[str, float]]] = []
    if builder.problem.epilogue.residual:
        stages.append(("ADD", builder.operand("residual"), {}))
    settings = pointwise_settings(builder.problem.epilogue)
    if settings is not None:
        stages.append((settings[0], None, dict(settings[1])))
    return stages


def norm_training(builder: Any) -> None:
    """``CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR`` in its training phase, then the epilogue."""
    _check_node(builder)
    roles, enums = _roles(builder), builder.enums
    x, scale, bias = builder.operand("x"), _vector(builder, "scale"), _vector(builder, "bias")
    mean, inverse = _vector(builder, "mean"), _vector(builder, "inverse_std")
    stages = _epilogue(builder)
    result = builder.virtual(layout(builder.problem.tensor("y"))) if stages else builder.operand("y")
    node = builder.create("OPERATION_NORM_FORWARD_DESCRIPTOR")
    tensors = {
        "XDESC": x, "MEAN_DESC": mean, "INV_VARIANCE_DESC": inverse, "SCALE_DESC": scale, "BIAS_DESC": bias,
        "EPSILON_DESC": _scalar(builder, epsilon(builder.problem)), "YDESC": result,
    }  # fmt: skip
    if "running_mean" in roles:
        tensors["EXP_AVG_FACTOR_DESC"] = _scalar(builder, builder.alpha)
        for role, name in (("running_mean", "RUNNING_MEAN_DESC"), ("running_variance", "RUNNING_VAR_DESC")):
            tensors[f"INPUT_{name}"] = _vector(builder, role, _OLD[role])
            tensors[f"OUTPUT_{name}"] = _vector(builder, role)
    node["OPERATION_NORM_FWD_MODE"] = enums.BackendNormMode.BATCH_NORM
    node["OPERATION_NORM_FWD_PHASE"] = enums.BackendNormFwdPhase.TRAINING
    for name, tensor in tensors.items():
        node[f"OPERATION_NORM_FWD_{name}"] = tensor
    builder.operations.append(node.finalize())
    _afterwards(builder, result, stages)


def norm_inference(builder: Any) -> None:
    """Pointwise nodes; the factor of a channel is computed within the graph."""
    _check(builder)
    roles = _roles(builder)
    where = channel_vector(builder.problem.tensor("mean"), layout(builder.problem.tensor("x")))
    if "inverse_std" in roles:
        inverse = _vector(builder, "inverse_std")
    else:
        variance, eps = _vector(builder, "variance"), _scalar(builder, epsilon(builder.problem))
        shifted, inverse = builder.virtual(where), builder.virtual(where)
        builder.pointwise("ADD", {}, XDESC=variance, BDESC=eps, YDESC=shifted)
        builder.pointwise("RSQRT", {}, XDESC=shifted, YDESC=inverse)
    if "scale" in roles:
        factor = builder.virtual(where)
        builder.pointwise("MUL", {}, XDESC=inverse, BDESC=_vector(builder, "scale"), YDESC=factor)
        inverse = factor
    stages: list[tuple[str, Any, dict[str, float]]] = [
        ("SUB", _vector(builder, "mean"), {}),
        ("MUL", inverse, {}),
    ]
    if "bias" in roles:
        stages.append(("ADD", _vector(builder, "bias"), {}))
    _afterwards(builder, builder.operand("x"), [*stages, *_epilogue(builder)])


def norm_gradient(builder: Any) -> None:
    """``CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR``; dy behind the activation comes first, from y."""
    _check_node(builder)
    problem, roles = builder.problem, _roles(builder)
    dy, settings = builder.operand("dy"), pointwise_settings(problem.epilogue, "BWD")
    if settings is None and "dresidual" in roles:
        raise ValueError("the residual's gradient is a copy and needs no graph")
    if settings is not None:
        masked = builder.operand("dresidual") if "dresidual" in roles else builder.virtual(layout(problem.tensor("dy")))
        builder.pointwise(settings[0], settings[1], DYDESC=dy, XDESC=builder.operand("y"), DXDESC=masked)
        dy = masked
    node = builder.create("OPERATION_NORM_BACKWARD_DESCRIPTOR")
    node["OPERATION_NORM_BWD_MODE"] = builder.enums.BackendNormMode.BATCH_NORM
    tensors = {
        "XDESC": builder.operand("x"), "MEAN_DESC": _vector(builder, "mean"),
        "INV_VARIANCE_DESC": _vector(builder, "inverse_std"), "DYDESC": dy, "SCALE_DESC": _vector(builder, "scale"),
        "DSCALE_DESC": _vector(builder, "dscale"), "DBIAS_DESC": _vector(builder, "dbias"),
        "DXDESC": builder.operand("dx"),
    }  # fmt: skip
    for name, tensor in tensors.items():
        node[f"OPERATION_NORM_BWD_{name}"] = tensor
    builder.operations.append(node.finalize())


def norm_dx(builder: Any) -> None:
    """Pointwise nodes: ``scale * inverse_std * (dy - (dbias + (x - mean) * inverse_std * dscale) / count)``."""
    _check(builder)
    x = builder.problem.tensor("x")
    where, count = layout(x), math.prod(x.shape) // x.shape[1]
    value, inverse = builder.operand("x"), _vector(builder, "inverse_std")
    chain = [
        ("SUB", _vector(builder, "mean")),
        ("MUL", inverse),
        ("MUL", _vector(builder, "dscale")),
        ("ADD", _vector(builder, "dbias")),
    ]
    for mode, other in chain:
        after = builder.virtual(where)
        builder.pointwise(mode, {}, XDESC=value, BDESC=other, YDESC=after)
        value = after
    rest, scaled = builder.virtual(where), builder.virtual(where)
    builder.pointwise("SUB", {}, (1.0, 1.0 / count), XDESC=builder.operand("dy"), BDESC=value, YDESC=rest)
    builder.pointwise("MUL", {}, XDESC=rest, BDESC=inverse, YDESC=scaled)
    builder.pointwise("MUL", {}, XDESC=scaled, BDESC=_vector(builder, "scale"), YDESC=builder.operand("dx"))
