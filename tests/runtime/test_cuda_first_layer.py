"""The kernel of first layers: its text run on the host by blocks of fibres, with products after the PTX ISA."""

from __future__ import annotations

import ctypes
import itertools
import math
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cudnnkit.admission import refusal
from cudnnkit.arrays.kernels import FORMULAS, ScalarMath, activation_parameters
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.cuda import first_layer
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.cuda.first_layer import first_layer_kernels
from cudnnkit.cuda.first_layer_fma import fma_kernels
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.decompose.kernels import array_candidates
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem, TensorSpec

from .problems import DEVICE, VERSIONS
from .references import channels_last, random
from .test_cuda_pooling import HOST_WORDS
from .warps import HALF_WORDS, HOST_TENSOR_CORE

BOUNDS = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 2e-6}
HOST = """
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
// In one section, so that every block finds NaN in it.
#undef __shared__
#define __shared__ static __attribute__((section("shared_memory")))
extern char __start_shared_memory[], __stop_shared_memory[];
"""
RUN = """
extern "C" void run(int blocks, int falling, const pixel* x, const element* w, const element* b, vector* y) {
    unsigned last = ~0u;
    each_block(blocks, 1, BLOCK, falling, [&] {
        if (blockIdx.x != last) memset(__start_shared_memory, 0xff, __stop_shared_memory - __start_shared_memory);
        last = blockIdx.x;
        first_layer(x, w, b, y);
    });
}
"""


@dataclass(frozen=True)
class Layer:
    """x (N, C, spatial), filters (K, taps); padding before and after each axis."""

    x: tuple[int, ...]
    filters: tuple[int, ...]
    dtype: str = "float16"
    stride: int = 1
    dilation: int = 1
    pre: int = 0
    post: int = 0
    mode: Any = "cross-correlation"
    bias: bool = True
    activation: str | None = "relu"
    parameters: tuple[float, ...] = ()

    @property
    def y(self) -> tuple[int, ...]:
        reach = [self.dilation * (taps - 1) for taps in self.filters[1:]]
        padded = [size + self.pre + self.post for size in self.x[2:]]
        spatial = [(size - more - 1) // self.stride + 1 for size, more in zip(padded, reach, strict=True)]
        return (self.x[0], self.filters[0], *spatial)

    @property
    def w(self) -> tuple[int, ...]:
        return (self.filters[0], self.x[1], *self.filters[1:])

    def problem(self, **changes: Any) -> Problem:
        rank = len(self.x) - 2
        spec = ConvolutionSpec(
            (self.pre,) * rank, (self.post,) * rank, (self.stride,) * rank, (self.dilation,) * rank, 1, self.mode
        )
        tensors = [
            TensorSpec("x", self.x, channels_last_strides(self.x), self.dtype),
            TensorSpec("w", self.w, channels_last_strides(self.w), self.dtype),
            *([TensorSpec("bias", self.y[1:2], (1,), self.dtype)] if self.bias else []),
            TensorSpec("y", self.y, channels_last_strides(self.y), self.dtype, output=True),
        ]
        epilogue = Epilogue(bias=self.bias, activation=self.activation, parameters=self.parameters)
        one = Problem("conv_forward", tuple(tensors), "float32", DEVICE, VERSIONS, Policy().key, spec, epilogue)
        return replace(one, **changes)

    def expected(self, x: Any, w: Any, bias: Any) -> Any:
        """In float64, tap by tap."""
        if self.mode == "convolution":
            w = np.flip(w, tuple(range(2, w.ndim)))
        padded = np.pad(x, [(0, 0), (0, 0), *((self.pre, self.post),) * (x.ndim - 2)])
        y = np.zeros(self.y)
        for tap in itertools.product(*map(range, w.shape[2:])):
            at = [
                slice(one * self.dilation, one * self.dilation + (size - 1) * self.stride + 1, self.stride)
                for one, size in zip(tap, y.shape[2:], strict=True)
            ]
            y += np.einsum(
                "nc...,kc->nk...", padded[(slice(None), slice(None), *at)], w[(slice(None), slice(None), *tap)]
            )
        if self.bias:
            y += bias.reshape(-1, *(1,) * (x.ndim - 2))
        name = self.activation or "identity"
        formula, given = FORMULAS[name], activation_parameters(name, self.parameters)
        return np.vectorize(lambda v: formula(ScalarMath, float(v), *given))(y) if name != "relu" else np.maximum(y, 0)


def bits(array: Any, dtype: str) -> Any:
    """What lies in memory, of numbers that the type has."""
    if dtype == "float16":
        return array.astype("f2").view("u2")
    wide = array.astype("f4").view("u4")
    return wide if dtype == "float32" else (wide >> 16).astype("u2")


def value(raw: Any, dtype: str) -> Any:
    if dtype == "float16":
        return raw.view("f2").astype("f8")
    return (raw if dtype == "float32" else raw.astype("u4") << 16).view("f4").astype("f8")


def rounded(array: Any, dtype: str) -> Any:
    """Numbers that the type, or TF32, has."""
    mantissa, exponent = np.frexp(array)
    digits = {"float16": 11, "bfloat16": 8, "float32": 11}[dtype]
    return np.ldexp(np.round(np.ldexp(mantissa, digits)), exponent - digits)


def launched(kernel: OwnKernel, x: Any, w: Any, bias: Any, shape: Any, path: Path, *, falling: bool) -> Any:
    """What the kernel writes; what it does not is NaN."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    lines, text = kernel.source.split("typedef unsigned int word;")
    library = path / f"{len(list(path.iterdir()))}.so"
    source = lines + HOST_TENSOR_CORE + HOST + "typedef unsigned int word;" + text + RUN
    command = [compiler, "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", library]
    subprocess.run(command, input=source.encode(), check=True)
    y = channels_last(np.full(shape, 2 ** (8 * x.itemsize) - 1, x.dtype))
    guarded = np.full(y.size + 64, 2 ** (8 * x.itemsize) - 1, x.dtype)
    pointers = [ctypes.c_void_p(one.ctypes.data) for one in (x, w, bias, guarded)]
    ctypes.CDLL(str(library)).run(kernel.blocks, int(falling), *pointers)
    assert (guarded[y.size :] == guarded[-1]).all()
    return np.moveaxis(guarded[: y.size].reshape(np.moveaxis(y, 1, -1).shape), -1, 1)


def operands(layer: Layer) -> tuple[Any, Any, Any]:
    x, w, bias = (
        rounded(random(*shape, seed=seed), layer.dtype) for seed, shape in enumerate((layer.x, layer.w, layer.y[1:2]))
    )
    return x, w / 4, bias


LAYERS = [
    Layer((2, 3, 18, 37), (64, 3, 3), pre=1, post=1),
    Layer((1, 3, 35, 20), (32, 3, 3), "bfloat16", pre=1, post=1, activation="leaky_relu", parameters=(0.125,)),
    Layer((1, 3, 17, 21), (64, 3, 3), "float32", pre=1, post=1),
    Layer((1, 3, 37, 41), (64, 7, 7), pre=3, post=3, stride=2),
    Layer((1, 3, 21, 41), (32, 7, 7), "float32", pre=3, post=3, stride=2, bias=False, activation=None),
    Layer((2, 2, 19, 14), (24, 5, 4), "bfloat16", pre=2, post=1, dilation=2, mode="convolution", activation="silu"),
    Layer((1, 4, 5, 40), (96, 1, 1), activation="clipped_relu", parameters=(0.5,)),
    Layer((3, 1, 2, 3), (8, 3, 3), "float32", pre=2, post=2, activation="sigmoid"),
    Layer((2, 3, 300), (16, 5), "bfloat16", pre=1, post=0, stride=2, activation="gelu"),
    Layer((1, 4, 17, 9), (40, 2, 3), "float32", stride=3, post=4, mode="convolution", activation="tanh"),
    Layer((1, 3, 40, 44), (64, 11, 11), stride=4, pre=2, post=2, activation="relu6"),
    Layer((1, 3, 9, 9), (16, 3, 3), pre=1, post=1, activation="elu", bias=False),
    Layer((1, 3, 9, 9), (16, 3, 3), pre=1, post=1, activation="gelu_tanh"),
    Layer((1, 3, 9, 9), (16, 3, 3), pre=1, post=1, activation="swish", parameters=(0.5,)),
]  # fmt: skip


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_the_text_on_the_host(layer: Layer, tmp_path: Path) -> None:
    x, w, bias = operands(layer)
    raw = [bits(one, layer.dtype) for one in (channels_last(x), channels_last(w), bias)]
    expected = layer.expected(x, w, bias)
    # One multiprocessor: a block makes several tiles.
    problem = layer.problem(device=replace(DEVICE, multiprocessors=1))
    kernels = first_layer_kernels(problem, 0, most=9)
    assert kernels
    if layer not in (LAYERS[0], LAYERS[3]):
        kernels = [kernels[LAYERS.index(layer) % len(kernels)]]
    for number, kernel in enumerate(kernels):
        found = value(launched(kernel, *raw, layer.y, tmp_path, falling=number % 2 == 1), layer.dtype)
        bound = BOUNDS[layer.dtype]
        np.testing.assert_allclose(found, expected, rtol=bound, atol=bound * np.abs(expected).max() / 4)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_what_is_no_number_stays_where_it_belongs(dtype: str, tmp_path: Path) -> None:
    layer = Layer((1, 3, 18, 20), (32, 3, 3), dtype, pre=1, post=1)
    x, w, bias = operands(layer)
    w = np.abs(w) + rounded(np.float64(0.125), dtype)
    x[0, 1, 5, 6], x[0, 2, 17, 19], bias[3] = math.inf, math.nan, math.nan
    raw = [bits(one, dtype) for one in (channels_last(x), channels_last(w), bias)]
    kernel = first_layer_kernels(layer.problem(), 0)[0]
    found = value(launched(kernel, *raw, layer.y, tmp_path, falling=False), dtype)
    infinite, none = np.zeros(layer.y, bool), np.zeros(layer.y, bool)
    infinite[:, :, 4:7, 5:8] = True
    none[:, :, 16:, 18:] = none[:, 3] = True
    assert (np.isnan(found) == none).all()
    assert (np.isinf(found) == infinite & ~none).all()


def test_filters_of_any_strides(tmp_path: Path) -> None:
    layer = LAYERS[1]
    x, w, bias = operands(layer)
    raw = [bits(one, layer.dtype) for one in (channels_last(x), w, bias)]
    problem = layer.problem()
    dense = [replace(one, strides=contiguous_strides(one.shape)) if one.role == "w" else one for one in problem.tensors]
    kernel = first_layer_kernels(replace(problem, tensors=tuple(dense)), 0)[0]
    found = value(launched(kernel, *raw, layer.y, tmp_path, falling=True), layer.dtype)
    np.testing.assert_allclose(found, layer.expected(x, w, bias), rtol=8e-3, atol=8e-3)


PLAIN = LAYERS[0]


def changed(role: str, **changes: Any) -> Problem:
    problem = PLAIN.problem()
    tensors = [replace(one, **changes) if one.role == role else one for one in problem.tensors]
    return replace(problem, tensors=tuple(tensors))


REFUSED = {
    "float64": replace(PLAIN, dtype="float64").problem(),
    "no-tf32": replace(PLAIN, dtype="float32").problem(policy=Policy(precision="no-tf32").key),
    "strict": replace(PLAIN, dtype="float32").problem(policy=Policy(precision="strict").key),
    "channels": Layer((2, 5, 9, 9), (64, 3, 3)).problem(),
    "vectors": Layer((2, 3, 9, 9), (60, 3, 3)).problem(),
    "volume": Layer((2, 3, 9, 9, 9), (64, 3, 3, 3)).problem(),
    "taps": Layer((1, 3, 40, 40), (64, 17, 17)).problem(),
    "large": Layer((2**8, 3, 2**10, 2**9), (64, 1, 1)).problem(),
    "activation": replace(PLAIN, activation="softplus").problem(),
    "gradient": PLAIN.problem(operation="conv_dgrad"),
    "beta": PLAIN.problem(beta="one"),
    "alpha": PLAIN.problem(alpha="general"),
    "compute": PLAIN.problem(compute="float16"),
    "padded": PLAIN.problem(parameters=(("channels", "padded"),)),
    "aliasing": PLAIN.problem(aliasing=(("x", "y"),)),
    "architecture": PLAIN.problem(device=replace(DEVICE, architecture=(7, 5))),
    "residual": PLAIN.problem(epilogue=Epilogue(bias=True, residual=True)),
    "nchw": changed("x", strides=contiguous_strides(PLAIN.x)),
    "nchw-result": changed("y", strides=contiguous_strides(PLAIN.y)),
    "alignment": changed("y", alignment=8),
    "mixed": changed("bias", dtype="float32"),
    "strided bias": changed("bias", strides=(2,)),
    "reversed filters": changed("w", strides=(27, 1, -9, 3)),
    "far filters": changed("w", strides=(2**30, 1, 9, 3)),
}


@pytest.mark.parametrize("one", REFUSED.values(), ids=REFUSED)
def test_what_the_kernel_does_not_take(one: Problem) -> None:
    # A problem that is taken apart for its operands looks as this one does.
    assert first_layer_kernels(PLAIN.problem(), 0)
    assert first_layer_kernels(one, 0) == []


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_parameters_that_float32_does_not_hold_are_left_to_others(dtype: str) -> None:
    def offered(parameter: float) -> int:
        one = replace(PLAIN, dtype=dtype, activation="leaky_relu", parameters=(parameter,)).problem()
        return len(first_layer_kernels(one, 0)) + len(fma_kernels(one, 0))

    held = np.finfo("f4")
    usual = offered(0.01)
    assert usual == (1 if dtype == "float16" else 2)
    assert {offered(float(one)) for one in (0, held.tiny, held.max, -held.max)} == {usual}
    subnormal = float(held.smallest_subnormal)
    assert {offered(one) for one in (1e300, -1e300, 1e-300, 1e-40, -subnormal, 3.5e38)} == {0}


def test_what_a_gpu_is_offered() -> None:
    for library, count in (("torch", 1), ("numpy", 0)):
        setting: Any = SimpleNamespace(library=SimpleNamespace(name=library), device=0)
        problem = PLAIN.problem(parameters=(("library", library),))
        found = [one.description for one in array_candidates(problem, setting)]
        assert len({one.id for one in found}) == len(found) == count
        assert not array_candidates(PLAIN.problem(operation="conv_dgrad"), setting)
    half = PLAIN.problem(policy=Policy(precision="strict", deterministic=True).key)
    single = replace(PLAIN, dtype="float32").problem()
    for admitting in (half, single):
        for kernel in first_layer_kernels(admitting, 0, most=9):
            assert kernel.description.id.name.startswith("conv_forward by a kernel of cudnnkit's own (")
            assert refusal(kernel.description, admitting) is None
    strict = replace(single, policy=half.policy)
    assert "TF32" in str(refusal(first_layer_kernels(single, 0)[0].description, strict))


def test_the_cut_follows_the_layer() -> None:
    def constants(layer: Layer) -> list[dict[str, str]]:
        sources = [one.source for one in first_layer_kernels(layer.problem(), 0, most=9)]
        return [dict(line.split()[1:3] for line in one.split("typedef")[0].splitlines()) for one in sources]

    small, large = Layer((64, 3, 224, 224), (64, 3, 3)), Layer((64, 3, 224, 224), (64, 7, 7), stride=2)
    assert {(one["PART"], one["IN_REGISTERS"]) for one in constants(small)} == {("64", "1")}
    assert {(one["PART"], one["IN_REGISTERS"]) for one in constants(large)} == {("64", "0")}
    assert {one["PART"] for one in constants(replace(small, filters=(96, 3, 3)))} == {"32"}
    assert {one["TILE_H"] for one in constants(Layer((4, 3, 500), (64, 9)))} == {"1"}
    # Banks come again after 16 quads. Of taps (0, 0), (0, 1), (0, 2) and (1, 0), four pixels of each read quads 0 to 5,
    # and four from the pitch on: 22 is the first pitch from 18 on with none of them in the same bank.
    assert first_layer._pitch((3, 3), (1, 1), 1, 2, 18) == 22


@pytest.mark.parametrize("layer", [replace(one, x=(64, *one.x[1:])) for one in LAYERS], ids=str)
def test_nvrtc_takes_it(layer: Layer) -> None:
    try:
        nvrtc()
    except OSError as error:
        pytest.skip(str(error))
    for kernel in first_layer_kernels(layer.problem(), 0, most=9):
        for architecture in ((8, 0), (9, 0)):
            assert compile_kernel(kernel.source, architecture)[:4] == b"\x7fELF"


@pytest.fixture(autouse=True)
def host_words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's own conversions and products, except for NVRTC."""
    if "nvrtc" not in request.node.name:
        text = first_layer.cuda_text
        monkeypatch.setattr(first_layer, "WORDS", {**HOST_WORDS, "float16": HALF_WORDS})
        monkeypatch.setattr(first_layer, "cuda_text", lambda name: "" if name == "tensor_core" else text(name))
