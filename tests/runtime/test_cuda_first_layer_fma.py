"""The float32 kernel of first layers without tensor cores: its text run on the host by blocks of fibres."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cudnnkit.admission import refusal
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import CandidateId
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.cuda.first_layer_fma import fma_kernels
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.decompose.kernels import array_candidates
from cudnnkit.finder import rebuild
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue, Problem

from .problems import DEVICE
from .references import channels_last, random
from .test_cuda_first_layer import Layer
from .warps import HOST_TENSOR_CORE

GUARDS = 64
HOST = """
struct alignas(16) float4 { float x, y, z, w; };
// In one section, so that every block finds NaN in it.
#undef __shared__
#define __shared__ static __attribute__((section("shared_memory")))
extern char __start_shared_memory[], __stop_shared_memory[];
"""
RUN = """
extern "C" void run(int blocks, int falling, const float* x, const float* w, const float* b, float* y) {
    unsigned last = ~0u;
    each_block(blocks, 1, BLOCK, falling, [&] {
        if (blockIdx.x != last) memset(__start_shared_memory, 0xff, __stop_shared_memory - __start_shared_memory);
        last = blockIdx.x;
        first_layer_fma(x, w, b, y);
    });
}
"""


def problem_of(layer: Layer, last: bool, **changes: Any) -> Problem:
    """In one layout; the filters stay channels last."""
    strides = channels_last_strides if last else contiguous_strides
    one = layer.problem(**changes)
    tensors = [replace(each, strides=strides(each.shape)) if each.role in "xy" else each for each in one.tensors]
    return replace(one, tensors=tuple(tensors))


def aligned(count: int) -> Any:
    """As many float32, all NaN, at an address that is a multiple of 16 bytes."""
    found = np.full(count + 4, math.nan, "f4")
    return found[-found.ctypes.data % 16 // 4 :][:count]


def launched(kernel: OwnKernel, arrays: Any, shape: Any, last: bool, path: Path, *, falling: bool) -> Any:
    """What the kernel writes; what it does not is NaN."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    library = path / f"{len(list(path.iterdir()))}.so"
    source = "#define SIZE 4\n" + HOST_TENSOR_CORE + HOST + kernel.source + RUN
    command = [compiler, "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", library]
    subprocess.run(command, input=source.encode(), check=True)
    size = math.prod(shape)
    guarded = aligned(size + GUARDS)
    pointers = [ctypes.c_void_p(one.ctypes.data) for one in (*arrays, guarded)]
    ctypes.CDLL(str(library)).run(kernel.blocks, int(falling), *pointers)
    assert np.isnan(guarded[size:]).all()
    batch, filters, *spatial = shape
    dense = guarded[:size].reshape((batch, *spatial, filters) if last else shape).astype("f8")
    return np.moveaxis(dense, -1, 1) if last else dense


def operands(layer: Layer) -> tuple[Any, Any, Any]:
    """Numbers that float32 has, in float64."""
    shapes = (layer.x, layer.w, layer.y[1:2])
    x, w, bias = (random(*shape, seed=seed).astype("f4").astype("f8") for seed, shape in enumerate(shapes))
    return x, w, bias


def raw(x: Any, w: Any, bias: Any, last: bool) -> tuple[Any, Any, Any]:
    """What lies in memory."""
    image = channels_last(x.astype("f4")) if last else np.ascontiguousarray(x, "f4")
    return image, channels_last(w.astype("f4")), bias.astype("f4")


LAYERS = [
    Layer((2, 3, 18, 37), (64, 3, 3), "float32", pre=1, post=1),
    Layer((1, 3, 21, 40), (32, 3, 3), "float32", pre=1, post=1, activation="leaky_relu", parameters=(0.125,)),
    Layer((1, 3, 37, 41), (64, 7, 7), "float32", pre=3, post=3, stride=2),
    Layer((2, 2, 19, 14), (24, 5, 4), "float32", pre=2, post=1, dilation=2, mode="convolution", activation="silu"),
    Layer((1, 4, 5, 40), (96, 1, 1), "float32", activation="clipped_relu", parameters=(0.5,)),
    Layer((3, 1, 2, 3), (8, 3, 3), "float32", pre=2, post=2, activation="sigmoid"),
    Layer((2, 3, 300), (16, 5), "float32", pre=1, post=0, stride=2, activation="gelu"),
    Layer((1, 4, 17, 9), (40, 2, 3), "float32", stride=3, post=4, mode="convolution", activation="tanh"),
    Layer((1, 1, 40, 44), (32, 11, 11), "float32", stride=4, pre=2, post=2, activation="relu6", bias=False),
    Layer((1, 3, 12, 30), (10, 3, 9), "float32", pre=4, dilation=3, post=8, bias=False, activation=None),
    Layer((1, 3, 9, 9), (17, 3, 3), "float32", pre=1, post=1, activation="elu"),
    Layer((1, 3, 9, 8), (20, 3, 3), "float32", pre=1, post=1, activation="swish", parameters=(0.5,)),
    Layer((2, 1, 70), (48, 64), "float32", pre=20, post=20, activation="gelu_tanh"),
]


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_the_text_on_the_host(layer: Layer, last: bool, tmp_path: Path) -> None:
    x, w, bias = operands(layer)
    expected = layer.expected(x, w, bias)
    # Errors are those of the sums, which tanh or ReLU6 make smaller: a share of the largest sum, as of TF32 1e-4.
    bound = 1e-6 * np.abs(replace(layer, activation=None, parameters=()).expected(x, w, bias)).max()
    # One multiprocessor: a block makes several tiles.
    kernels = fma_kernels(problem_of(layer, last, device=replace(DEVICE, multiprocessors=1)), 0, most=9)
    assert kernels
    if layer not in LAYERS[:1]:
        kernels = [kernels[(LAYERS.index(layer) + last) % len(kernels)]]
    for number, kernel in enumerate(kernels):
        falling = (number + last) % 2 == 1
        found = launched(kernel, raw(x, w, bias, last), layer.y, last, tmp_path, falling=falling)
        assert np.abs(found - expected).max() < bound


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_whole_numbers_are_exact(last: bool, tmp_path: Path) -> None:
    layer = Layer((2, 3, 20, 24), (24, 5, 5), "float32", pre=2, post=1, stride=2)
    generator = np.random.default_rng(1)
    # More digits than TF32 has.
    x, w, bias = (generator.integers(-3000, 3000, shape).astype("f8") for shape in (layer.x, layer.w, (24,)))
    w = np.sign(w)
    kernel = fma_kernels(problem_of(layer, last), 0)[0]
    found = launched(kernel, raw(x, w, bias, last), layer.y, last, tmp_path, falling=False)
    assert (found == layer.expected(x, w, bias)).all()


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_what_is_no_number_stays_where_it_belongs(last: bool, tmp_path: Path) -> None:
    layer = Layer((1, 3, 18, 20), (24, 3, 3), "float32", pre=1, post=1)
    x, w, bias = operands(layer)
    w = np.abs(w) + 0.125
    x[0, 1, 5, 6], x[0, 2, 17, 19], bias[3] = math.inf, math.nan, math.nan
    kernel = fma_kernels(problem_of(layer, last), 0)[0]
    found = launched(kernel, raw(x, w, bias, last), layer.y, last, tmp_path, falling=False)
    infinite, none = np.zeros(layer.y, bool), np.zeros(layer.y, bool)
    infinite[:, :, 4:7, 5:8] = True
    none[:, :, 16:, 18:] = none[:, 3] = True
    assert (np.isnan(found) == none).all()
    assert (np.isinf(found) == infinite & ~none).all()


def test_filters_of_any_strides_and_results_of_any_address(tmp_path: Path) -> None:
    layer = Layer((1, 3, 12, 16), (16, 3, 2), "float32")
    x, w, bias = operands(layer)
    one = problem_of(layer, False)
    tensors = [
        replace(each, strides=contiguous_strides(each.shape)) if each.role == "w" else replace(each, alignment=4)
        for each in one.tensors
    ]
    kernel = fma_kernels(replace(one, tensors=tuple(tensors)), 0)[0]
    assert "#define WHOLE 0" in kernel.source
    arrays = (x.astype("f4"), w.astype("f4"), bias.astype("f4"))
    found = launched(kernel, arrays, layer.y, False, tmp_path, falling=True)
    np.testing.assert_allclose(found, layer.expected(x, w, bias), rtol=1e-6, atol=1e-5)


PLAIN = LAYERS[0]


def changed(role: str, **changes: Any) -> Problem:
    problem = problem_of(PLAIN, True)
    tensors = [replace(one, **changes) if one.role == role else one for one in problem.tensors]
    return replace(problem, tensors=tuple(tensors))


REFUSED = {
    "float64": problem_of(replace(PLAIN, dtype="float64"), True),
    "float16": problem_of(replace(PLAIN, dtype="float16"), True),
    "channels": problem_of(replace(PLAIN, x=(2, 5, 9, 9)), True),
    "volume": problem_of(Layer((2, 3, 9, 9, 9), (64, 3, 3, 3), "float32"), False),
    "taps": problem_of(Layer((1, 3, 40, 40), (64, 17, 17), "float32"), True),
    "no room": problem_of(Layer((1, 4, 40, 40), (64, 15, 15), "float32"), True),
    "activation": problem_of(replace(PLAIN, activation="softplus"), True),
    "gradient": problem_of(PLAIN, True, operation="conv_dgrad"),
    "beta": problem_of(PLAIN, True, beta="one"),
    "alpha": problem_of(PLAIN, True, alpha="general"),
    "padded": problem_of(PLAIN, True, parameters=(("channels", "padded"),)),
    "residual": problem_of(PLAIN, True, epilogue=Epilogue(bias=True, residual=True)),
    "mixed layouts": changed("x", strides=contiguous_strides(PLAIN.x)),
    "gaps": changed("y", strides=tuple(2 * one for one in channels_last_strides(PLAIN.y))),
    "strided bias": changed("bias", strides=(2,)),
    "reversed filters": changed("w", strides=(27, 1, -9, 3)),
}


@pytest.mark.parametrize("one", REFUSED.values(), ids=REFUSED)
def test_what_the_kernel_does_not_take(one: Problem) -> None:
    # A problem that is taken apart for its operands looks as this one does.
    assert fma_kernels(changed("x"), 0)
    assert fma_kernels(one, 0) == []


@pytest.mark.parametrize("precision", ["strict", "no-tf32", "fast"])
@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_what_a_gpu_is_offered(precision: Any, last: bool) -> None:
    policy = Policy(precision=precision, deterministic=True).key
    one = problem_of(PLAIN, last, policy=policy, parameters=(("library", "torch"),))
    setting: Any = SimpleNamespace(library=SimpleNamespace(name="torch"), device=0)
    own = "conv_forward by a kernel of cudnnkit's own (float32, 128 threads, 8x16 pixels)"
    found = {each.description.id: each.description for each in array_candidates(one, setting)}
    # On tensor cores as well, where that may be.
    assert len(found) == (2 if last and precision == "fast" else 1)
    described = found[CandidateId("array", name=own)]
    assert described.numerical == frozenset()
    assert described.deterministic
    assert refusal(described, one) is None
    again: Any = rebuild(SimpleNamespace(), one, described.id, setting, None)  # type: ignore[arg-type]
    assert again.source == fma_kernels(one, 0)[0].source
    numpy: Any = SimpleNamespace(library=SimpleNamespace(name="numpy"), device=-1)
    assert not any("cudnnkit" in each.description.id.name for each in array_candidates(one, numpy))


def test_the_cut_follows_the_layer() -> None:
    def tiles(layer: Layer) -> list[list[str]]:
        sources = [one.source for one in fma_kernels(problem_of(layer, False), 0, most=9)]
        constants = [dict(line.split()[1:3] for line in one.split("__device__")[0].splitlines()) for one in sources]
        return [[one[name] for name in ("PART", "TILE_H", "TILE_W", "WHOLE")] for one in constants]

    vgg, resnet = (Layer((64, 3, 224, 224), (64, n, n), "float32", pre=n // 2, post=n // 2) for n in (3, 7))
    assert tiles(vgg)[0] == ["64", "4", "32", "1"]
    assert tiles(replace(vgg, filters=(96, 3, 3)))[0] == ["32", "8", "32", "1"]
    # 112 columns are seven times 16; 147 filters of 64 channels leave room for no other cut.
    assert tiles(replace(resnet, stride=2)) == [["64", "8", "16", "1"]]
    assert tiles(Layer((4, 3, 503), (64, 9), "float32"))[0] == ["64", "1", "128", "0"]


@pytest.mark.parametrize("layer", [replace(one, x=(64, *one.x[1:])) for one in LAYERS], ids=str)
def test_nvrtc_takes_it(layer: Layer) -> None:
    try:
        nvrtc()
    except OSError as error:
        pytest.skip(str(error))
    for last in (False, True):
        for kernel in fma_kernels(problem_of(layer, last), 0, most=9):
            assert compile_kernel(kernel.source, (9, 0))[:4] == b"\x7fELF"
