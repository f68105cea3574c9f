"""The kernels of batch normalisation: their text run on the host by as many threads as a block has, against float64."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.cuda import launch, norm, sequence
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.cuda.sequence import ALPHA, NOTHING, WORKSPACE, KernelSequence, Step
from cudnnkit.decompose import norm as ways
from cudnnkit.driver import DriverError
from cudnnkit.operands import Operands
from cudnnkit.problem import Epilogue, Problem

from .references import channels_last
from .test_cuda_pooling import HOST_WORDS, Driver, bits, value
from .test_norm_primitives import problem as made

EPS, MOMENTUM = 0.125, 0.25
HOST = """
#include <algorithm>
#include <cmath>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <vector>
using std::max;
using std::min;
struct uint4 { unsigned x, y, z, w; };
static struct { unsigned x, y; } blockIdx;
static thread_local struct { unsigned x; } threadIdx;
static pthread_barrier_t together;
static void __syncthreads() { pthread_barrier_wait(&together); }
#define __device__ static
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
template <class F> void each_block(int across, int down, int block, F kernel) {
    pthread_barrier_init(&together, nullptr, block);
    std::vector<std::thread> threads;
    for (int t = 0; t < block; ++t)
        threads.emplace_back([=] {
            threadIdx.x = t;
            for (int b = 0; b < across * down; ++b) {
                __syncthreads();
                if (t == 0) blockIdx.x = b % across, blockIdx.y = b / across;
                __syncthreads();
                kernel();
            }
        });
    for (auto& one : threads) one.join();
}
"""
TYPES = {
    "statistics": "const vector*, float*",
    "finish_statistics": "const float*, float*, float*, float*, float*, float",
    "normalize": "const vector*, const vector*, const float*, const float*, const float*, const float*, vector*",
    "sums": "const vector*, const vector*, const vector*, const float*, const float*, const float*, const float*, "
    "vector*, float*",
    "finish_sums": "const float*, const float*, float*, float*",
    "gradient": "const vector*, const vector*, const vector*, const float*, const float*, const float*, const float*, "
    "const float*, const float*, vector*",
}
FORWARD = "x scale bias running_mean running_variance mean inverse_std y"
BACKWARD = "dy x scale bias mean inverse_std y dscale dbias dx"


def problem(operation: str, roles: str, shape: Any, dtype: str, relu: bool, multiprocessors: int = 2) -> Problem:
    residual = "residual" in roles
    one = made(
        operation, roles, shape, dtype, epilogue=Epilogue(residual=residual, activation="relu" if relu else None)
    )
    tensors = tuple(replace(spec, alignment=16) for spec in one.tensors)
    # Few multiprocessors: several blocks share the rows, but not so many that the host has no end of them.
    return replace(one, tensors=tensors, device=replace(one.device, multiprocessors=multiprocessors))


def run(one: Problem, arrays: list[Any], path: Path) -> None:
    """Every step by as many threads as its blocks have; the workspace is full of NaN, with a guard behind it."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    (kernel,) = norm.norm_kernels(one, 0)
    calls = []
    for step in kernel.steps:
        kinds = [kind.strip() for kind in TYPES[step.name].split(",")]
        names = ", ".join(f"{kind} a{place}" for place, kind in enumerate(kinds))
        given = ", ".join(f"a{place}" for place in range(len(kinds)))
        calls.append(
            f'extern "C" void run_{step.name}(int across, int down, int block, {names}) {{'
            f" each_block(across, down, block, [=] {{ {step.name}({given}); }}); }}\n"
        )
    library = path / f"{len(list(path.iterdir()))}.so"
    command = [compiler, "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-pthread", "-x", "c++", "-", "-o", library]
    subprocess.run(command, input=(HOST + kernel.source + "".join(calls)).encode(), check=True)
    loaded = ctypes.CDLL(str(library))
    space = np.full(kernel.description.workspace // 4 + 16, np.nan, "f4")
    for step in kernel.steps:
        function = getattr(loaded, f"run_{step.name}")
        arguments: list[Any] = []
        for place in step.arguments:
            if place == ALPHA:
                arguments.append(ctypes.c_float(MOMENTUM))
            elif place == NOTHING:
                arguments.append(None)
            else:
                arguments.append(ctypes.c_void_p((space if place == WORKSPACE else arrays[place]).ctypes.data))
        function(*step.grid, step.block, *arguments)
    assert np.isnan(space[-16:]).all()
    assert not np.isnan(space[:-16]).any()


class Data:
    """Operands, rounded to their type, and what float64 makes of them."""

    def __init__(self, shape: Any, dtype: str, *, relu: bool, residual: bool, far: float = 0.0) -> None:
        self.dtype, self.relu, self.shape = dtype, relu, shape
        generator = np.random.default_rng(3)

        def image(shift: float = 0.0) -> Any:
            return value(bits(generator.standard_normal(shape) + shift, dtype), dtype).astype("f8")

        self.x, self.dy, self.z = image(far), image(), image() if residual else None
        self.scale, self.bias, *self.running = (
            (generator.standard_normal(shape[1]) + 0.5).astype("f4").astype("f8") for _ in range(4)
        )
        axes = tuple(axis for axis in range(len(shape)) if axis != 1)
        count = self.x.size // shape[1]
        self.mean, variance = self.x.mean(axes), self.x.var(axes)
        self.inverse = 1 / np.sqrt(variance + EPS)
        unbiased = variance * count / (count - 1)
        self.updated = [
            (1 - MOMENTUM) * old + MOMENTUM * new for old, new in zip(self.running, (self.mean, unbiased), strict=True)
        ]
        normal = (self.x - self._wide(self.mean)) * self._wide(self.inverse)
        y = normal * self._wide(self.scale) + self._wide(self.bias)
        y = y if self.z is None else y + self.z
        self.y = np.maximum(y, 0) if relu else y
        self.slope = self.dy * (self.y > 0) if relu else self.dy
        self.dbias, self.dscale = self.slope.sum(axes), (self.slope * normal).sum(axes)
        rest = self.slope - (self._wide(self.dbias) + normal * self._wide(self.dscale)) / count
        self.dx = self._wide(self.scale * self.inverse) * rest

    def _wide(self, vector: Any) -> Any:
        return vector.reshape(-1, *(1,) * (len(self.shape) - 2))

    def operands(self, roles: str) -> dict[str, Any]:
        """In memory; outputs are NaN."""
        given = {
            "x": self.x, "dy": self.dy, "residual": self.z, "scale": self.scale, "bias": self.bias,
            "running_mean": self.running[0], "running_variance": self.running[1],
        }  # fmt: skip
        if "dy" in roles.split():
            given |= {"mean": self.mean, "inverse_std": self.inverse, "y": self.y}
        found = {}
        for role in roles.split():
            image = role in ("x", "dy", "residual", "y", "dx", "dresidual")
            old = given.get(role, np.full(self.shape if image else self.shape[1], np.nan))
            found[role] = bits(channels_last(old), self.dtype) if image else old.astype("f4")
            if image:
                found[role] = channels_last(found[role])
        return found

    def check(self, found: dict[str, Any], **expected: Any) -> None:
        close = {"bfloat16": 1e-2, "float32": 1e-5}[self.dtype]
        for role, wanted in expected.items():
            got = value(found[role], self.dtype) if found[role].ndim > 1 else found[role]
            bound = close if found[role].ndim > 1 else 1e-5
            size = np.abs(wanted).max()
            np.testing.assert_allclose(got, wanted, rtol=bound, atol=bound * size, err_msg=role)


SHAPES = [(3, 24, 9, 7), (4, 8, 41), (70, 296), (1, 64, 2, 3, 2), (4, 64, 20, 15)]


@pytest.mark.parametrize(
    ("shape", "dtype", "relu", "residual"),
    [
        (SHAPES[0], "float32", False, False),
        (SHAPES[0], "bfloat16", True, True),
        (SHAPES[1], "bfloat16", False, True),
        (SHAPES[2], "float32", True, True),
        (SHAPES[2], "bfloat16", True, False),
        (SHAPES[3], "float32", True, False),
        (SHAPES[4], "bfloat16", True, False),
        (SHAPES[4], "bfloat16", True, True),
    ],
    ids=str,
)
def test_both_directions(shape: Any, dtype: str, relu: bool, residual: bool, tmp_path: Path) -> None:
    data = Data(shape, dtype, relu=relu, residual=residual)
    roles = FORWARD.replace("bias", "bias residual") if residual else FORWARD
    operands = data.operands(roles)
    run(problem("batch_norm_training", roles, shape, dtype, relu), list(operands.values()), tmp_path)
    running = dict(zip(("running_mean", "running_variance"), data.updated, strict=True))
    data.check(operands, y=data.y, mean=data.mean, inverse_std=data.inverse, **running)
    roles = BACKWARD.replace("dbias", "dbias dresidual") if residual else BACKWARD
    operands = data.operands(roles)
    run(problem("batch_norm_backward", roles, shape, dtype, relu), list(operands.values()), tmp_path)
    more = {"dresidual": data.slope} if residual else {}
    data.check(operands, dx=data.dx, dscale=data.dscale, dbias=data.dbias, **more)


def test_a_mask_from_y_where_the_bias_is_not_known(tmp_path: Path) -> None:
    shape = SHAPES[0]
    data = Data(shape, "float32", relu=True, residual=False)
    roles = BACKWARD.replace(" bias", "")
    operands = data.operands(roles)
    run(problem("batch_norm_backward", roles, shape, "float32", True), list(operands.values()), tmp_path)
    data.check(operands, dx=data.dx, dscale=data.dscale, dbias=data.dbias)


def test_means_far_from_zero(tmp_path: Path) -> None:
    shape, roles = (4, 8, 300), "x scale bias mean inverse_std y"
    data = Data(shape, "float32", relu=False, residual=False, far=3000.0)
    data.x[0, 3, 0] = -9e4  # the first value is not like the rest
    operands = data.operands(roles)
    run(problem("batch_norm_training", roles, shape, "float32", False), list(operands.values()), tmp_path)
    axes = (0, 2)
    np.testing.assert_allclose(operands["mean"], data.x.mean(axes), rtol=1e-6)
    np.testing.assert_allclose(operands["inverse_std"], 1 / np.sqrt(data.x.var(axes) + EPS), rtol=1e-4)


@pytest.mark.parametrize(
    "one",
    [
        made("batch_norm_training", FORWARD, (2, 8, 4, 4), "float16", last=False),
        made("batch_norm_training", FORWARD, (2, 4, 4, 4), "float16"),
        made("batch_norm_training", FORWARD, (2, 8, 4, 4), "float64"),
        made("batch_norm_training", FORWARD, (2, 8, 4, 4), vectors="float16"),
        made("batch_norm_training", FORWARD, (2, 8, 4, 4), epilogue=Epilogue(activation="gelu")),
        made("batch_norm_inference", "x mean variance scale bias y"),
        made("batch_norm_training", FORWARD, (2**9, 8, 2**10, 2**10)),
    ],
    ids=["channels first", "half a vector", "float64", "half vectors", "activation", "inference", "large"],
)
def test_what_the_kernels_do_not_take(one: Problem) -> None:
    tensors = tuple(replace(spec, alignment=16) for spec in one.tensors)
    assert norm.norm_kernels(replace(one, tensors=tensors), 0) == []


def test_what_the_kernels_do_is_not_taken_apart_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    one = problem("batch_norm_training", FORWARD, (2, 8, 4, 4), "float16", True)
    device = SimpleNamespace(name="device arrays")

    def names(library: Any, compiler: Any, of: Problem = one) -> list[str]:
        monkeypatch.setattr("cudnnkit.cuda.compiler.nvrtc", compiler)
        setting: Any = SimpleNamespace(library=library, device=0)
        return [way.name for way in ways.norm_decompositions(of, setting)]

    def missing() -> None:
        raise OSError

    assert names(device, object) == []
    assert len(names(device, missing)) == len(names(SimpleNamespace(name="numpy"), object)) == 2
    other = replace(one, epilogue=Epilogue(activation="gelu"))
    assert names(device, object, other)[-1] == "batch normalisation, then gelu"


def test_images_that_vectors_do_not_reach() -> None:
    one = problem("batch_norm_training", FORWARD, (2, 8, 4, 4), "float16", False)
    assert norm.norm_kernels(one, 0)
    shifted = [replace(spec, alignment=8) if spec.role == "x" else spec for spec in one.tensors]
    assert norm.norm_kernels(replace(one, tensors=tuple(shifted)), 0) == []
    assert contiguous_strides((2, 8)) == channels_last_strides((2, 8))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_nvrtc_takes_them(dtype: str) -> None:
    with contextlib.suppress(OSError):
        nvrtc()
        for operation, roles in (("batch_norm_training", FORWARD), ("batch_norm_backward", BACKWARD)):
            for relu in (False, True):
                one = problem(operation, roles, (64, 256, 56, 56), dtype, relu, 132)
                (kernel,) = norm.norm_kernels(one, 0)
                assert compile_kernel(kernel.source, (9, 0))
        return
    pytest.skip("NVRTC is not installed")


def test_every_step_gets_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Driver()
    monkeypatch.setattr(launch, "driver", lambda: device)
    monkeypatch.setattr(sequence, "driver", lambda: device)
    monkeypatch.setattr(launch, "machine_code", lambda source, architecture: source.encode())  # noqa: ARG005
    monkeypatch.setattr(launch, "_functions", {})
    monkeypatch.setattr(launch, "_modules", {})
    steps = (Step("one", (3, 2), 256, (1, WORKSPACE)), Step("two", (5, 1), 64, (WORKSPACE, NOTHING, 0, ALPHA)))
    found = KernelSequence(0, "both", steps, 100)
    assert found.workspace == 100
    assert device.loaded == [b"both", b"one", b"two"]  # one module
    found.run_on(Operands((), (16, 32), stream=7, alpha=0.5), 2**40)
    (sizes, stream, values), (other, _, rest) = device.launches
    assert (sizes, stream, values) == ((3, 2, 1, 256, 1, 1), 7, [32, 2**40])
    assert (other, rest[:3]) == ((5, 1, 1, 64, 1, 1), [2**40, 0, 16])
    assert rest[3] & 0xFFFFFFFF == np.float32(0.5).view("u4")
    device.answer = 700
    with pytest.raises(DriverError, match="cuLaunchKernel"):
        found.run_on(Operands((), (16, 32)), 0)


@pytest.fixture(autouse=True)
def host_words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's own conversions, except for NVRTC."""
    if "nvrtc" not in request.node.name:
        monkeypatch.setattr(norm, "WORDS", {**norm.WORDS, **HOST_WORDS})
