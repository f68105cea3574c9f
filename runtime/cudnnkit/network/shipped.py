"""The problems of known networks as data, so that an installed cudnnkit tunes them without their code.

``data/networks.json`` holds shapes only: element type, layout rule, array library, device, versions and policy are put
in when it is read. ``benchmarks/list_problems.py`` writes it from the networks of ``examples/``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.decompose.setting import Setting
from cudnnkit.errors import ArgumentError
from cudnnkit.network.listing import Asked
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, PoolingSpec, Problem, TensorSpec, normalize_strides

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary
    from cudnnkit.tuner import Tuner

__all__ = ["asked_of", "check_name", "names", "packed", "unpacked", "usual_strides"]

_PLAIN: Mapping[str, Any] = {"alpha": "one", "beta": "zero"}


def _shipped() -> dict[str, Any]:
    text = (files("cudnnkit") / "data" / "networks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["networks"]
    return found


def names() -> tuple[str, ...]:
    """The networks there are."""
    return tuple(_shipped())


def check_name(name: str) -> None:
    """Whether there is such a network.

    Raises
    ------
    ArgumentError
        There is none; the message lists those there are.
    """
    known = names()
    if name not in known:
        raise ArgumentError(
            "network", name, f"there are {', '.join(known)}; for your own write module:function, which runs it"
        )


def asked_of(
    name: str, tuner: Tuner, library: ArrayLibrary, device: int, policy: Policy, dtype: str = "float16"
) -> list[Asked]:
    """The problems of a network for a device, with how often each stands in it.

    Parameters
    ----------
    name
        One of :func:`names`.
    tuner, library, device, policy
        Who decides, whose arrays, where, and under which rules.
    dtype
        Of images and weights: float16, bfloat16, float32 or float64.

    Raises
    ------
    ArgumentError
        There is no such network.
    """
    check_name(name)
    setting = Setting(tuner, policy, library, device)
    backend = tuner.backend
    found = []
    for row in _shipped()[name]["problems"]:
        problem = unpacked(row, dtype, library.name)
        problem = replace(problem, device=backend.spec(device), versions=backend.versions(), policy=policy.key)
        found.append(Asked(problem, replace(setting, axis=row.get("axis", 1)), row.get("count", 1)))
    return found


def packed(problem: Problem, count: int, dtype: str, axis: int = 1) -> dict[str, Any]:
    """A problem of arrays of `dtype` as shapes; whatever is usual is left out."""
    data: dict[str, Any] = {"operation": problem.operation, "count": count}
    data["tensors"] = {one.role: _packed_tensor(one, dtype) for one in problem.tensors}
    data["outputs"] = [one.role for one in problem.tensors if one.output]
    for name, usual in (("convolution", None), ("pooling", None), ("epilogue", Epilogue())):
        value = getattr(problem, name)
        if value != usual:
            data[name] = _without_defaults(value)
    parameters = dict(problem.parameters)
    if "library" in parameters:
        parameters["library"] = ""
    data.update({"parameters": parameters} if parameters else {})
    data.update({name: getattr(problem, name) for name, usual in _PLAIN.items() if getattr(problem, name) != usual})
    if problem.aliasing:
        data["aliasing"] = problem.aliasing
    if axis != 1:
        data["axis"] = axis
    return data


def unpacked(data: Mapping[str, Any], dtype: str, library: str) -> Problem:
    """The problem for arrays of that type and library; device, versions and policy are to be put in."""
    from cudnnkit.problem import DeviceSpec, VersionSpec

    outputs = data["outputs"]
    tensors = tuple(_tensor(role, value, dtype, role in outputs) for role, value in data["tensors"].items())
    parameters = tuple(
        (name, library if name == "library" else value) for name, value in data.get("parameters", {}).items()
    )
    specs: dict[str, Any] = {}
    for name, kind in (("convolution", ConvolutionSpec), ("pooling", PoolingSpec), ("epilogue", Epilogue)):
        if name in data:
            specs[name] = kind(**{key: _tuple(value) for key, value in data[name].items()})
    more = {name: data[name] for name in _PLAIN if name in data}
    return Problem(
        data["operation"], tensors, "float64" if dtype == "float64" else "float32", DeviceSpec((0, 0), 0, 0, ""),
        VersionSpec("", ""), Policy().key, parameters=parameters,
        aliasing=tuple((first, second) for first, second in data.get("aliasing", ())), **specs, **more,
    )  # fmt: skip


def usual_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Images and filters are channels last; vectors and matrices are dense."""
    size = tuple(shape)
    made = channels_last_strides(size) if len(size) > 2 else contiguous_strides(size)
    return normalize_strides(size, made, channels_last=True)


def _packed_tensor(one: TensorSpec, dtype: str) -> Any:
    data: dict[str, Any] = {"shape": one.shape}
    if one.strides != usual_strides(one.shape):
        data["strides"] = one.strides
    if one.dtype != dtype:
        data["dtype"] = one.dtype
    return one.shape if len(data) == 1 else data


def _tensor(role: str, value: Any, dtype: str, output: bool) -> TensorSpec:
    data = value if isinstance(value, dict) else {"shape": value}
    shape = _tuple(data["shape"])
    strides = _tuple(data["strides"]) if "strides" in data else usual_strides(shape)
    return TensorSpec(role, shape, strides, data.get("dtype", dtype), output=output)


def _without_defaults(value: Any) -> dict[str, Any]:
    usual = {one.name: one.default for one in fields(value)}
    return {name: found for name, found in asdict(value).items() if found != usual[name]}


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
