"""Run by test_engines_real.py: builds and finalizes every kind of operation with a real cuDNN; prints what went wrong.

Arguments: the library, and the stand-in for libcuda that its engines want to be linked with.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import sys
from dataclasses import replace
from typing import Any

import cudnn_ffi
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.engines.activations import ACTIVATIONS
from cudnnkit.engines.graph_build import build_operations
from cudnnkit.policy import Policy
from cudnnkit.problem import (
    UPDATED,
    ConvolutionSpec,
    DeviceSpec,
    Epilogue,
    PoolingSpec,
    Problem,
    TensorSpec,
    VersionSpec,
)

DEVICE, VERSIONS = DeviceSpec((9, 0), 132, 144, "none"), VersionSpec("9.28.1", "13.0")
ROLES = {
    "conv_forward": "x w y",
    "conv_dgrad": "w dy dx",
    "conv_wgrad": "x dy dw",
    "conv_bias_grad": "dy dbias",
    "epilogue": "x y",
    "activation_backward": "dy x dx",
}


def problem(operation: str, rank: int, dtype: str, last: bool, epilogue: Epilogue, **more: Any) -> Problem:
    image, taps = (9, 8, 7)[:rank], (3,) * rank
    shapes = {"x": (2, 8, *image), "w": (4, 8, *taps), "y": (2, 4, *image), "bias": (4,), "dbias": (4,)}
    shapes.update(dx=shapes["x"], dw=shapes["w"], dy=shapes["y"], residual=shapes["y"])
    if operation in ("epilogue", "activation_backward"):
        shapes.update(x=shapes["y"], dx=shapes["y"])
    *roles, result = ROLES[operation].split()
    roles += ["bias"] * epilogue.bias + ["residual"] * epilogue.residual + [result]
    tensors = tuple(
        TensorSpec(
            role,
            shapes[role],
            (channels_last_strides if last and len(shapes[role]) > 2 else contiguous_strides)(shapes[role]),
            dtype,
        )
        for role in roles
    )
    spec = ConvolutionSpec((1,) * rank, (1,) * rank, (1,) * rank, (1,) * rank)
    compute = "float64" if dtype == "float64" else "float32"
    return Problem(operation, tensors, compute, DEVICE, VERSIONS, Policy().key, spec, epilogue, **more)


def problems() -> Any:
    for operation in ROLES:
        for rank in (1, 2, 3):
            for dtype in ("float16", "bfloat16", "float32", "float64"):
                for last in (False, True):
                    silu = Epilogue(activation="silu")
                    yield problem(
                        operation, rank, dtype, last, silu if operation == "activation_backward" else Epilogue()
                    )
    for name in (*ACTIVATIONS, None):
        for factor in ("one", "general"):
            yield problem("conv_forward", 2, "float16", True, Epilogue(True, True, name), alpha=factor, beta=factor)
            yield problem("epilogue", 2, "float64", False, Epilogue(True, True, name), alpha=factor, beta=factor)
    for name in ("relu", "leaky_relu"):
        last = Epilogue(True, True, name, residual_after=True)
        yield problem("conv_forward", 2, "float16", True, last, alpha="general", beta="general")


def poolings() -> Any:
    """Windows over images, and whole images reduced."""
    for rank in (1, 2, 3):
        spec = PoolingSpec("max", (3,) * rank, (1,) * rank, (0,) * rank, (2,) * rank)
        image, result = (2, 8, *(9, 8, 7)[:rank]), (2, 8, *(4, 4, 3)[:rank])
        shapes = {"x": image, "dx": image, "y": result, "dy": result}
        for mode in ("max", "average_include_padding", "average_exclude_padding"):
            ways = [("pool_forward", "x y"), ("pool_backward", "dy dx")]
            for operation, roles in ways[:1] if mode == "max" else ways:
                for dtype in ("float16", "bfloat16", "float32", "float64"):
                    for strides in (channels_last_strides, contiguous_strides):
                        tensors = tuple(
                            TensorSpec(role, shapes[role], strides(shapes[role]), dtype) for role in roles.split()
                        )
                        yield pooling(operation, tensors, pooling=replace(spec, mode=mode))
        for how in ("MAX", "AVG"):
            one = (2, 8, *(1,) * rank)
            tensors = tuple(
                TensorSpec(role, shape, channels_last_strides(shape), "float16")
                for role, shape in (("x", image), ("y", one))
            )
            yield pooling("reduction", tensors, parameters=(("reduction", how),))


def normalisations() -> Any:
    """Inference, training and gradients, with what may follow or come before."""
    vectors = (
        "scale",
        "bias",
        "mean",
        "variance",
        "inverse_std",
        "dscale",
        "dbias",
        "running_mean",
        "running_variance",
    )
    rows = [
        ("batch_norm_inference", "x mean variance scale bias y", Epilogue()),
        ("batch_norm_inference", "x mean variance residual y", Epilogue(residual=True, activation="relu")),
        ("batch_norm_training", "x scale bias mean inverse_std y", Epilogue()),
        ("batch_norm_training", "x scale bias running_mean running_variance mean inverse_std y", Epilogue()),
        (
            "batch_norm_training",
            "x scale bias residual running_mean running_variance mean inverse_std y",
            Epilogue(residual=True, activation="relu"),
        ),
        ("batch_norm_backward", "dy x scale mean inverse_std dscale dbias dx", Epilogue()),
        ("batch_norm_dx", "dy x scale mean inverse_std dscale dbias dx", Epilogue()),
        ("batch_norm_backward", "dy x scale mean inverse_std y dscale dbias dx", Epilogue(activation="relu")),
        (
            "batch_norm_backward",
            "dy x scale mean inverse_std y dscale dbias dresidual dx",
            Epilogue(residual=True, activation="relu"),
        ),
    ]
    for operation, roles, epilogue in rows:
        for shape in ((6, 8), (2, 8, 9), (2, 8, 9, 8), (2, 8, 9, 8, 7)):
            for dtype in ("float16", "bfloat16", "float32"):
                plain = operation in ("batch_norm_inference", "batch_norm_dx")
                for strides in (channels_last_strides, *([contiguous_strides] if plain else [])):
                    tensors = tuple(
                        TensorSpec(role, (8,), (1,), "float32")
                        if role in vectors
                        else TensorSpec(role, shape, strides(shape), dtype)
                        for role in roles.split()
                    )
                    yield pooling(operation, tensors, epilogue=epilogue, parameters=(("epsilon", 1e-5),))


def products() -> Any:
    """Fully connected layers, and what may follow."""
    sizes = {"x": (6, 8), "w": (4, 8), "y": (6, 4), "bias": (4,)}
    sizes |= {f"d{role}": size for role, size in sizes.items()} | {"residual": sizes["y"]}
    rows = [
        ("linear_forward", "x w y", Epilogue()),
        ("linear_forward", "x w bias y", Epilogue(True, False, "relu")),
        ("linear_forward", "x w bias residual y", Epilogue(True, True, "gelu")),
        ("linear_dgrad", "dy w dx", Epilogue()),
        ("linear_wgrad", "x dy dw", Epilogue()),
        ("linear_bias_grad", "dy dbias", Epilogue()),
    ]
    for operation, roles, epilogue in rows:
        for dtype in ("float16", "bfloat16", "float32", "float64"):
            tensors = tuple(
                TensorSpec(role, sizes[role], contiguous_strides(sizes[role]), dtype) for role in roles.split()
            )
            yield pooling(operation, tensors, epilogue=epilogue)


def pooling(operation: str, tensors: tuple[TensorSpec, ...], **more: Any) -> Problem:
    compute = "float64" if tensors[0].dtype == "float64" else "float32"
    return Problem(operation, tensors, compute, DEVICE, VERSIONS, Policy().key, **more)


def main(path: str, driver: str) -> None:
    ctypes.CDLL(driver, mode=ctypes.RTLD_GLOBAL)
    library = cudnn_ffi.load(path)
    failed, count = [], 0
    for one in itertools.chain(problems(), poolings(), normalisations(), products()):
        count += 1
        try:
            graph, operations = build_operations(library, one)
            updated = [place for place, spec in enumerate(one.tensors) if spec.role in UPDATED]  # read and written
            if sorted(graph.places) != sorted([*range(len(one.tensors)), *updated]) and one.beta == "zero":
                failed.append(f"{one.label}: binds {graph.places}")
            if not all(node.finalized for node in operations):
                failed.append(f"{one.label}: not finalized")
        except Exception as error:
            failed.append(f"{one.label}: {type(error).__name__}: {error}")
    print(json.dumps({"count": count, "failed": failed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
