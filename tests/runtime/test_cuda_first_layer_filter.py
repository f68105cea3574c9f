"""The filter gradient of few channels: its text run on the host fibre by fibre, against float64, and by NVRTC."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cudnnkit.admission import refusal
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import CandidateId
from cudnnkit.cuda import first_layer_filter as kernels
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.cuda.sequence import WORKSPACE
from cudnnkit.decompose.kernels import array_candidates
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem, TensorSpec, normalize_strides

from .problems import DEVICE, VERSIONS
from .references import channels_last
from .test_cuda_pooling import HOST_WORDS
from .warps import HALF_WORDS, HOST_TENSOR_CORE

RAW = {"float16": "u2", "bfloat16": "u2", "float32": "u4"}


@dataclass(frozen=True)
class Case:
    """A convolution: x (N, C, spatial), filters (K, taps)."""

    x: tuple[int, ...]
    filters: tuple[int, ...]
    pre: tuple[int, ...] = (1, 1)
    post: tuple[int, ...] = (1, 1)
    stride: tuple[int, ...] = (1, 1)
    dilation: tuple[int, ...] = (1, 1)
    flip: bool = False

    @property
    def dw(self) -> tuple[int, ...]:
        return (self.filters[0], self.x[1], *self.filters[1:])

    @property
    def dy(self) -> tuple[int, ...]:
        sizes = (
            (size + before + after - dilation * (taps - 1) - 1) // stride + 1
            for size, before, after, dilation, taps, stride in zip(
                self.x[2:], self.pre, self.post, self.dilation, self.filters[1:], self.stride, strict=True
            )
        )
        return (self.x[0], self.filters[0], *sizes)

    def problem(self, dtype: str, multiprocessors: int = 1, **policy: Any) -> Problem:
        tensors = tuple(
            TensorSpec(role, shape, channels_last_strides(shape), dtype, 16, output=role == "dw")
            for role, shape in (("x", self.x), ("dy", self.dy), ("dw", self.dw))
        )
        mode: Any = "convolution" if self.flip else "cross-correlation"
        spec = ConvolutionSpec(self.pre, self.post, self.stride, self.dilation, 1, mode)
        device = replace(DEVICE, multiprocessors=multiprocessors)
        return Problem("conv_wgrad", tensors, "float32", device, VERSIONS, Policy(**policy).key, spec)

    def gradient(self, x: Any, dy: Any) -> Any:
        """In float64, tap by tap, on an image padded by hand."""
        padded = np.pad(x, [(0, 0), (0, 0), *zip(self.pre, self.post, strict=True)])
        dw = np.empty(self.dw)
        for tap in itertools.product(*map(range, self.filters[1:])):
            parts = [
                slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                for at, dilation, size, stride in zip(tap, self.dilation, self.dy[2:], self.stride, strict=True)
            ]
            seen = padded[(slice(None), slice(None), *parts)]
            used = tuple(self.filters[1 + axis] - 1 - at for axis, at in enumerate(tap)) if self.flip else tap
            axes = (0, *range(2, x.ndim))
            with np.errstate(invalid="ignore"):
                # Products by hand: a matrix product of NumPy's may mix NaN between elements.
                pairs = dy[:, :, None] * seen[:, None]
                dw[(slice(None), slice(None), *used)] = pairs.sum(tuple(a + (a > 0) for a in axes))
        return dw


CASES = [
    Case((2, 3, 9, 21), (64, 3, 3)),
    Case((1, 3, 19, 37), (32, 7, 7), (3, 3), (3, 3), (2, 2)),
    Case((1, 3, 13, 20), (64, 7, 7), (3, 3), (3, 3), (2, 2)),
    Case((1, 4, 12, 17), (32, 5, 5), (4, 4), (4, 4), dilation=(2, 2)),
    Case((2, 2, 10, 33), (96, 1, 1), (0, 0), (0, 0)),
    Case((2, 1, 11, 18), (8, 3, 3), (0, 2), (1, 0), (2, 3)),
    Case((1, 3, 5, 4), (40, 2, 4), (2, 0), (0, 3), (1, 2), (3, 1), flip=True),
    Case((3, 3, 140), (24, 5), (2,), (2,), (1,), (1,)),
    Case((1, 2, 5, 31), (16, 4, 3), (3, 1), (3, 1), flip=True),
]


def encode(array: Any, dtype: str) -> Any:
    """What lies in memory. The values of these tests need no rounding, but for results in half precision."""
    if dtype == "float16":
        return array.astype("f2").view("u2")
    wide = array.astype("f4").view("u4")
    return wide if dtype == "float32" else ((wide + 0x7FFF + (wide >> 16 & 1)) >> 16).astype("u2")


def decode(raw: Any, dtype: str) -> Any:
    if dtype == "float16":
        return raw.view("f2").astype("f8")
    return (raw if dtype == "float32" else raw.astype("u4") << 16).view("f4").astype("f8")


def whole_numbers(shape: tuple[int, ...], seed: int, most: int = 4) -> Any:
    """Not zero, and so small that every sum is exact in float32."""
    values = np.random.default_rng(seed).integers(1, most, shape)
    return values * np.random.default_rng(seed + 1).choice((-1.0, 1.0), shape)


class Host:
    """A kernel built for the host."""

    def __init__(self, kernel: kernels.OwnKernels, path: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            pytest.skip("there is no C++ compiler")
        self._kernel = kernel
        calls = """
extern "C" void run_gradient(
    int across, int down, int block, int falling, const pixel* x, const element* dy, float* p) {
    each_block(across, down, block, falling, [=] { gradient(x, dy, p); });
}
extern "C" void run_finish_gradient(int across, int down, int block, int falling, const float* p, element* dw) {
    each_block(across, down, block, falling, [=] { finish_gradient(p, dw); });
}
"""
        library = path / f"{len(list(path.iterdir()))}.so"
        command = [compiler, "-std=c++17", "-O0", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", library]
        subprocess.run(command, input=("#include <cstring>\n" + kernel.source + calls).encode(), check=True)
        self._loaded = ctypes.CDLL(str(library))

    def run(self, x: Any, dy: Any, dw: Any, *, falling: bool = False) -> None:
        """Outputs and workspace are NaN before, and shared memory is full of NaN from blocks before."""
        space = np.full(self._kernel.description.workspace // 4 + 16, np.nan, "f4")
        nan = np.iinfo(x.dtype).max
        nothing = np.full_like(x, nan), np.full_like(dy, nan)
        for arrays in ((*nothing, dw), (x, dy, dw)):
            space[:], dw[...] = np.nan, nan
            for step in self._kernel.steps:
                pointers = ((space if at == WORKSPACE else arrays[at]).ctypes.data for at in step.arguments)
                function = getattr(self._loaded, f"run_{step.name}")
                function(*step.grid, step.block, int(falling), *map(ctypes.c_void_p, pointers))
        assert np.isnan(space[-16:]).all()


@pytest.fixture
def on_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's own instructions and conversions."""
    known, plain = {**HOST_WORDS, "float16": HALF_WORDS}, kernels.cuda_text
    monkeypatch.setattr(kernels, "WORDS", known)
    monkeypatch.setattr(kernels, "cuda_text", lambda name: HOST_TENSOR_CORE if name == "tensor_core" else plain(name))


def memory(values: Any, dtype: str) -> Any:
    return channels_last(encode(values, dtype))


def check(case: Case, dtype: str, x: Any, dy: Any, path: Path, multiprocessors: int = 1) -> None:
    """Every variant of float16, one of the others by turns, in both orders of threads, bit for bit."""
    with np.errstate(over="ignore", invalid="ignore"):
        wanted = decode(encode(case.gradient(x, dy), dtype), dtype)
    found = kernels.filter_kernels(case.problem(dtype, multiprocessors), 0)
    assert len(found) == 2
    for kernel in found if dtype == "float16" else found[sum(case.filters) % 2 :][:1]:
        host = Host(kernel, path)
        for falling in (False, True):
            dw = memory(np.zeros(case.dw), dtype)
            host.run(memory(x, dtype), memory(dy, dtype), dw, falling=falling)
            name = f"{case} {dtype} {kernel.description.id} falling={falling}"
            np.testing.assert_array_equal(decode(dw, dtype), wanted, err_msg=name)


@pytest.mark.usefixtures("on_host")
@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        *((case, dtype) for case in CASES for dtype in ("float16", "float32")),
        (CASES[0], "bfloat16"),
        (CASES[4], "bfloat16"),
    ],
    ids=lambda one: one if isinstance(one, str) else f"{one.x}-{one.filters}",
)
def test_the_text_on_the_host(case: Case, dtype: str, tmp_path: Path) -> None:
    check(case, dtype, whole_numbers(case.x, 1), whole_numbers(case.dy, 3, 3), tmp_path)


@pytest.mark.usefixtures("on_host")
def test_more_blocks_than_a_column_of_threads_adds_up(tmp_path: Path) -> None:
    case = Case((40, 2, 3, 5), (8, 2, 2), (0, 0), (0, 0))
    for kernel in kernels.filter_kernels(case.problem("float32", 20), 0):
        assert kernel.steps[0].grid == (40, 1)
    check(case, "float32", whole_numbers(case.x, 1), whole_numbers(case.dy, 3, 3), tmp_path, 20)


@pytest.mark.usefixtures("on_host")
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_what_is_infinite_touches_its_own_taps_alone(dtype: str, tmp_path: Path) -> None:
    # dy is 9 wide: products of 16 pixels have 7 that are none, and taps through which those see the image.
    case = Case((2, 3, 4, 20), (16, 1, 12), (0, 0), (0, 0))
    x, dy = whole_numbers(case.x, 1), whole_numbers(case.dy, 3, 3)
    x[1, 2, 3, 12], x[0, 0, 2, 17] = np.inf, np.nan
    dy[1, 5, 2, 3] = np.inf
    wanted = case.gradient(x, dy)
    assert np.isfinite(wanted[:5, 2, :, :4]).all()
    assert not np.isfinite(wanted[:5, 2, :, 4:]).any()
    assert np.isfinite(wanted[6:, 1]).all()
    check(case, dtype, x, dy, tmp_path)


@pytest.mark.usefixtures("on_host")
def test_float32_is_rounded_to_tf32_to_the_nearest(tmp_path: Path) -> None:
    case = Case((1, 1, 1, 1), (8, 1, 1), (0, 0), (0, 0))
    (kernel, _) = kernels.filter_kernels(case.problem("float32"), 0)
    host, dw = Host(kernel, tmp_path), memory(np.zeros(case.dw), "float32")
    x, dy = np.full(case.x, 1 + 2.0**-11 + 2.0**-20), np.full(case.dy, 1 + 3 * 2.0**-11)
    host.run(memory(x, "float32"), memory(dy, "float32"), dw)
    np.testing.assert_array_equal(decode(dw, "float32"), (1 + 2.0**-10) * (1 + 2 * 2.0**-10))


def changed(one: Problem, role: str, **fields: Any) -> Problem:
    return replace(one, tensors=tuple(replace(spec, **fields) if spec.role == role else spec for spec in one.tensors))


GOOD = Case((2, 3, 9, 21), (64, 3, 3))


def test_what_the_kernels_do_not_take() -> None:
    one = GOOD.problem("float16")
    assert one.convolution is not None
    first = contiguous_strides(GOOD.x)
    for other in (
        replace(one, operation="conv_forward"),
        replace(one, convolution=None),
        replace(one, convolution=replace(one.convolution, groups=3)),
        replace(one, beta="one"),
        replace(one, alpha="general"),
        replace(one, aliasing=(("dw", "x"),)),
        replace(one, compute="float64"),
        replace(one, epilogue=Epilogue(activation="relu")),
        replace(one, parameters=(("channels", "padded"),)),
        replace(one, device=replace(one.device, architecture=(7, 5))),
        changed(one, "x", strides=first),
        changed(one, "dy", alignment=8),
        changed(one, "dw", dtype="float32"),
        Case((2, 5, 9, 21), (64, 3, 3)).problem("float16"),
        Case((2, 3, 9, 21), (60, 3, 3)).problem("float16"),
        Case((2, 3, 9, 21), (62, 3, 3)).problem("float32"),
        Case((2, 3, 9, 21), (64, 3, 3)).problem("float64"),
        Case((1, 3, 5, 6, 7), (8, 3, 3, 3), (1,) * 3, (1,) * 3, (1,) * 3, (1,) * 3).problem("float16"),
        Case((2**10, 4, 2**10, 2**9), (8, 3, 3)).problem("float16"),
        Case((2, 3, 224, 224), (64, 64, 64), (0, 0), (0, 0)).problem("float16"),
        changed(Case((2, 4, 9, 21), (64, 3, 3)).problem("float16"), "x", alignment=4),
    ):
        assert kernels.filter_kernels(other, 0) == [], other.label
    assert kernels.filter_kernels(changed(one, "x", alignment=2), 0)
    assert kernels.filter_kernels(replace(one, parameters=(("library", "torch"),)), 0)


def test_strides_of_one_channel_and_of_single_pixels_mean_nothing() -> None:
    case = Case((2, 1, 1, 21), (64, 1, 3), (0, 1), (0, 1))
    one = case.problem("float16")
    for role, shape in (("x", case.x), ("dw", case.dw)):
        one = changed(one, role, strides=normalize_strides(shape, contiguous_strides(shape)))
    assert one.tensor("x").strides != channels_last_strides(case.x)
    assert kernels.filter_kernels(one, 0)


def test_float32_only_where_tf32_is_admitted() -> None:
    assert len(kernels.filter_kernels(GOOD.problem("float32"), 0)) == 2
    for precision in ("no-tf32", "strict"):
        assert kernels.filter_kernels(GOOD.problem("float32", precision=precision), 0) == []
        one = GOOD.problem("float16", precision=precision, deterministic=True)
        for kernel in kernels.filter_kernels(one, 0):
            assert refusal(kernel.description, one) is None
            assert refusal(kernel.description, GOOD.problem("float32", precision=precision))


def test_they_are_candidates_on_a_gpu() -> None:
    one = GOOD.problem("bfloat16", 132)
    setting: Any = SimpleNamespace(library=SimpleNamespace(name="torch"), device=0)
    found = [kernel.description for kernel in array_candidates(one, setting)]
    name = "conv_wgrad by a kernel of cudnnkit's own ({} warps)"
    assert [kernel.id for kernel in found] == [CandidateId("array", name=name.format(warps)) for warps in (4, 8)]
    assert array_candidates(one, SimpleNamespace(library=SimpleNamespace(name="numpy"))) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("filters", [8, 64, 96, 768])
@pytest.mark.parametrize("taps", [1, 3, 7, 11])
def test_how_layers_are_divided(filters: int, taps: int) -> None:
    case = Case((64, 3, 224, 224), (filters, taps, taps), (taps // 2,) * 2, (taps // 2,) * 2)
    for kernel in kernels.filter_kernels(case.problem("float16", 132), 0):
        gradient, finish = kernel.steps
        defined = dict(line.split()[1:] for line in kernel.source.splitlines()[:30] if line.startswith("#define"))
        group, warps = int(defined["GROUP"]), int(defined["WARPS"])
        assert gradient.grid == (int(defined["SPLITS"]), -(-filters // group))
        assert gradient.block == 32 * warps
        assert group % 16 == 0
        assert group <= 64
        assert warps % int(defined["ACROSS"]) == 0
        assert int(defined["TILE_W"]) % 16 == 0
        assert int(defined["SPACE"]) <= 48 * 1024
        assert kernel.description.workspace == gradient.grid[0] * filters * taps * taps * 3 * 4
        assert finish.grid[0] * 32 >= filters * taps * taps * 3


@pytest.mark.parametrize("dtype", list(RAW))
def test_nvrtc_takes_them(dtype: str) -> None:
    try:
        nvrtc()
    except OSError as error:
        pytest.skip(str(error))
    for case in (GOOD, CASES[1], CASES[4]):
        for kernel in kernels.filter_kernels(case.problem(dtype, 132), 0):
            assert compile_kernel(kernel.source, (9, 0))[:4] == b"\x7fELF"
