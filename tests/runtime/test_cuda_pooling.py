"""The pooling kernel: its text run on the host thread by thread, and compiled for GPUs by NVRTC where that is there."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cudnnkit.arrays.numpy_kernels import NumpyKernels
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.cuda import launch, pooling
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.driver import Driver as RealDriver
from cudnnkit.driver import DriverError
from cudnnkit.errors import UnsupportedError
from cudnnkit.geometry import pooling_output
from cudnnkit.operands import Operands
from cudnnkit.policy import Policy
from cudnnkit.problem import PoolingSpec, Problem, TensorSpec

from .problems import DEVICE, VERSIONS
from .references import channels_last, random

MODES = ("max", "average_include_padding", "average_exclude_padding")
# What the GPU's instructions do, in C++.
HOST_WORDS = {
    "float32": """
#define LOWEST 0xff800000u
static float real(word a) { float f; memcpy(&f, &a, 4); return f; }
static word larger(word a, word b) { return real(a) != real(a) || real(a) > real(b) ? a : b; }
static void unpack(word from, float* to) { to[0] = real(from); }
static word pack(const float* from) { word w; memcpy(&w, from, 4); return w; }
""",
    "bfloat16": """
#define LOWEST 0xff80ff80u
static float real(word a) { float f; memcpy(&f, &a, 4); return f; }
static word one(word a, word b) { return real(a << 16) != real(a << 16) || real(a << 16) > real(b << 16) ? a : b; }
static word larger(word a, word b) { return one(a & 0xffff, b & 0xffff) | one(a >> 16, b >> 16) << 16; }
static void unpack(word from, float* to) { to[0] = real(from << 16); to[1] = real(from & 0xffff0000u); }
static word nearest(float f) { word w; memcpy(&w, &f, 4); return (w + 0x7fff + (w >> 16 & 1)) >> 16; }
static word pack(const float* from) { return nearest(from[0]) | nearest(from[1]) << 16; }
""",
}
HOST = """
#include <algorithm>
#include <cstring>
using std::max;
using std::min;
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
struct { unsigned x; } blockIdx, threadIdx;
#define __device__ static
#define __global__
#define __launch_bounds__(n)
"""
ARGUMENTS = {
    "pool": ("const vector* x, vector* y", "x, y"),
    "pool_backward": ("const vector* dy, const vector* y, const vector* x, vector* dx", "dy, y, x, dx"),
}


def problem(operation: str, spec: PoolingSpec, shape: Any, dtype: str, last: bool, alignment: int = 16) -> Problem:
    result = pooling_output(shape, spec)
    shapes = {"x": shape, "dx": shape, "y": result, "dy": result}
    roles = "x y" if operation == "pool_forward" else "y dy x dx" if spec.mode == "max" else "dy dx"
    strides = channels_last_strides if last else contiguous_strides
    tensors = tuple(
        TensorSpec(role, shapes[role], strides(shapes[role]), dtype, alignment, output=role == roles.split()[-1])
        for role in roles.split()
    )
    return Problem(operation, tensors, "float32", DEVICE, VERSIONS, Policy().key, pooling=spec)


def bits(array: Any, dtype: str) -> Any:
    """What lies in memory: float32, or its upper half."""
    wide = array.astype("f4")
    return wide if dtype == "float32" else (wide.view("u4") >> 16).astype("u2")


def value(raw: Any, dtype: str) -> Any:
    return raw if dtype == "float32" else (raw.astype("u4") << 16).view("f4")


def like(array: Any, last: bool) -> Any:
    return channels_last(array) if last else np.ascontiguousarray(array)


def built(compiler: str, path: Path, source: str, name: str) -> Any:
    """A function that calls the kernel for one thread after the other."""
    typed, names = ARGUMENTS[name]
    run = f"""
extern "C" void run(int count, {typed}) {{
    for (int i = 0; i < (count + BLOCK - 1) / BLOCK * BLOCK; ++i)
        blockIdx.x = i / BLOCK, threadIdx.x = i % BLOCK, {name}({names});
}}
"""
    command = [compiler, "-std=c++17", "-O0", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", path]
    subprocess.run(command, input=(HOST + source + run).encode(), check=True)
    return ctypes.CDLL(str(path)).run


CASES = [
    ((2, 8, 9, 10), PoolingSpec("max", (3, 3), (1, 1), (1, 1), (2, 2))),
    ((2, 6, 7, 9), PoolingSpec("max", (3, 2), (1, 0), (0, 1), (1, 3))),
    ((2, 3, 11), PoolingSpec("max", (4,), (2,), (1,), (2,))),
    ((1, 4, 5, 6, 4), PoolingSpec("max", (2, 3, 2), (1, 1, 0), (1, 0, 1), (2, 1, 1))),
    ((2, 16, 8, 8), PoolingSpec("max", (8, 8), (0, 0), (0, 0), (8, 8))),
]


@pytest.mark.parametrize(
    ("shape", "spec", "dtype", "last"),
    [
        (*CASES[0], "float32", False),
        *((*one, "bfloat16", True) for one in CASES),
        (*CASES[3], "float32", True),
    ],
    ids=str,
)
def test_the_text_on_the_host(
    shape: Any, spec: PoolingSpec, dtype: str, last: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    monkeypatch.setattr(pooling, "WORDS", HOST_WORDS)
    host, result = NumpyKernels(), pooling_output(shape, spec)
    for number, mode in enumerate(MODES if spec is CASES[0][1] else MODES[::2]):
        one = replace(spec, mode=mode)  # type: ignore[arg-type]
        (forward,) = pooling.pooling_kernels(problem("pool_forward", one, shape, dtype, last), 0)
        (backward,) = pooling.pooling_kernels(problem("pool_backward", one, shape, dtype, last), 0)
        run, run_backward = (
            built(compiler, tmp_path / f"{number}{name}.so", kernel.source, name)
            for name, kernel in (("pool", forward), ("pool_backward", backward))
        )
        x = bits(like(random(*shape, seed=1), last), dtype)
        x.reshape(-1)[::7] = 0  # ties
        y = like(np.zeros(result, x.dtype), last)
        run(forward.count, *(ctypes.c_void_p(a.ctypes.data) for a in (x, y)))
        wanted = np.empty(result)
        host.pool(value(x, dtype).astype("f8"), wanted, one)
        bound = 1e-6 if dtype == "float32" else 1e-2
        np.testing.assert_allclose(value(y, dtype), wanted, atol=0 if mode == "max" else bound, rtol=0)
        dy = bits(like(random(*result, seed=2), last), dtype)
        dx = like(np.full(shape, 7, x.dtype), last)
        pointers = (ctypes.c_void_p(a.ctypes.data) for a in (dy, y, x, dx))
        run_backward(backward.count, *pointers)
        slope = np.empty(shape)
        wide = [value(a, dtype).astype("f8") for a in (dy, y, x)]
        host.pool_backward(*wide, slope, one, deterministic=True)
        np.testing.assert_allclose(value(dx, dtype), slope, atol=5 * bound, rtol=bound)


def test_where_the_kernel_serves() -> None:
    spec = PoolingSpec("max", (3, 3), (1, 1), (1, 1), (2, 2))
    good = problem("pool_forward", spec, (2, 8, 9, 9), "float16", True)
    assert len(pooling.pooling_kernels(good, 0)) == 1
    x, y = good.tensors
    for other in (
        problem("pool_forward", spec, (2, 8, 9, 9), "float64", True),
        problem("pool_forward", replace(spec, window=(17, 17), stride=(1, 1)), (2, 8, 20, 20), "float16", True),
        replace(good, tensors=(replace(x, strides=contiguous_strides(x.shape)), y)),
        replace(good, device=replace(good.device, architecture=(7, 5))),
        replace(good, pooling=None),
    ):
        assert pooling.pooling_kernels(other, 0) == []


@pytest.mark.parametrize(
    ("dtype", "channels", "alignment", "last", "expected"),
    [
        ("float16", 64, 16, True, 8), ("float16", 64, 4, True, 2), ("float16", 12, 16, True, 4),
        ("float16", 7, 16, True, 1), ("float32", 64, 16, True, 4), ("float32", 6, 16, True, 2),
        ("float32", 64, 16, False, 1), ("bfloat16", 64, 2, True, 1),
    ],
)  # fmt: skip
def test_vectors_are_as_wide_as_channels_and_addresses_allow(
    dtype: str, channels: int, alignment: int, last: bool, expected: int
) -> None:
    spec = PoolingSpec("max", (2, 2), (0, 0), (0, 0), (2, 2))
    one = problem("pool_forward", spec, (2, channels, 4, 4), dtype, last, alignment)
    _, each = pooling.pooling_source(spec, *one.tensors, backward=False, last=last, alignment=alignment)
    assert each == expected


def test_nvrtc_takes_it() -> None:
    try:
        nvrtc()
    except OSError as error:
        pytest.skip(str(error))
    for (shape, spec), dtype, last, mode, operation in itertools.product(
        CASES[:1], ("float16", "bfloat16", "float32"), (False, True), MODES, ("pool_forward", "pool_backward")
    ):
        one = replace(spec, mode=mode)  # type: ignore[arg-type]
        (kernel,) = pooling.pooling_kernels(problem(operation, one, shape, dtype, last), 0)
        assert compile_kernel(kernel.source, (9, 0))[:4] == b"\x7fELF"
    with pytest.raises(UnsupportedError, match="nonsense"):
        compile_kernel("nonsense;", (9, 0))


class Driver(RealDriver):
    """With functions that note what is loaded and launched; `full` and `answer` are what they answer."""

    def __init__(self) -> None:
        self._cuda: Any = self
        self.launches: list[Any] = []
        self.loaded: list[bytes] = []
        self.full = self.answer = 0

    def spec(self, device: int) -> Any:  # noqa: ARG002
        return DEVICE

    def on(self, device: int) -> Any:  # noqa: ARG002
        return contextlib.nullcontext()

    def cuGetErrorString(self, code: int, text: Any) -> int:  # noqa: N802
        text._obj.value = {2: b"out of memory"}.get(code, b"another error")
        return 0

    def cuModuleLoadData(self, module: Any, code: bytes) -> int:  # noqa: ARG002, N802
        self.loaded.append(code)
        return self.full

    def cuModuleGetFunction(self, function: Any, module: Any, name: bytes) -> int:  # noqa: ARG002, N802
        self.loaded.append(name)
        return 0

    def cuLaunchKernel(self, function: Any, *rest: Any) -> int:  # noqa: ARG002, N802
        *sizes, _, stream, arguments, _ = rest
        values = [ctypes.cast(one, ctypes.POINTER(ctypes.c_uint64))[0] for one in arguments]
        self.launches.append((tuple(sizes), stream.value, values))
        return self.answer


def test_launching(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Driver()
    monkeypatch.setattr(launch, "driver", lambda: made)
    monkeypatch.setattr(launch, "machine_code", lambda source, architecture: f"{source} {architecture}".encode())
    monkeypatch.setattr(launch, "_functions", {})
    monkeypatch.setattr(launch, "_modules", {})
    for _ in range(2):  # loaded once
        kernel = launch.KernelLaunch(0, "text", "pool", 1000, 256, (1, 0))
    assert made.loaded == [b"text (9, 0)", b"pool"]
    kernel.run_on(Operands((), (2**40 + 16, 32), stream=7), 0)
    assert made.launches == [((4, 1, 1, 256, 1, 1), 7, [32, 2**40 + 16])]
    made.answer = 700
    with pytest.raises(DriverError, match="cuLaunchKernel"):
        kernel.run_on(Operands((), (16, 32)), 0)


def test_a_kernel_that_has_no_memory_is_not_taken_for_one_that_is_not_to_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Driver()
    monkeypatch.setattr(launch, "driver", lambda: made)
    monkeypatch.setattr(launch, "machine_code", lambda source, architecture: b"code")  # noqa: ARG005
    monkeypatch.setattr(launch, "_functions", {})
    monkeypatch.setattr(launch, "_modules", {})
    made.full = 2  # CUDA_ERROR_OUT_OF_MEMORY
    with pytest.raises(DriverError, match="out of memory"):
        launch.launch_if_there(0, "text", "pool", 1000, 256, (1, 0))
    made.full = 209  # CUDA_ERROR_NO_BINARY_FOR_GPU
    assert launch.launch_if_there(0, "text", "pool", 1000, 256, (1, 0)) is None
    made.full = 0
    assert launch.launch_if_there(0, "text", "pool", 1000, 256, (1, 0)) is not None


def test_threads_that_want_one_kernel_load_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Driver()
    compiled: list[str] = []
    met = threading.Barrier(2)

    def compile_once(source: str, architecture: tuple[int, int]) -> bytes:  # noqa: ARG001
        compiled.append(source)
        with contextlib.suppress(threading.BrokenBarrierError):
            met.wait(0.2)  # a second one that compiles is met here; nobody comes where there is none
        return source.encode()

    monkeypatch.setattr(launch, "driver", lambda: made)
    monkeypatch.setattr(launch, "machine_code", compile_once)
    monkeypatch.setattr(launch, "_functions", {})
    monkeypatch.setattr(launch, "_modules", {})
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: launch.function_of(0, "text", "pool"), range(2))
    assert one is other
    assert compiled == ["text"]
    assert made.loaded == [b"text", b"pool"]
