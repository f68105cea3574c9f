"""The kernel that pads and gathers channels: its text run on the host thread by thread, and compiled by NVRTC."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.numpy_library import NumpyLibrary
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import CandidateId
from cudnnkit.cuda.channels import channel_kernel, channel_source
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import TensorSpec
from cudnnkit.testing import simulated
from cudnnkit.testing.compute import tensor_at

from .references import channels_last, convolve, random

HOST = """
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
struct { unsigned x; } blockIdx, threadIdx;
#define __global__
#define __launch_bounds__(n)
#define __restrict__
"""
RUN = """
extern "C" void run(const element* from, vector* to) {
    for (int i = 0; i < (RESULTS + BLOCK - 1) / BLOCK * BLOCK; ++i)
        blockIdx.x = i / BLOCK, threadIdx.x = i % BLOCK, gather(from, to);
}
"""
CASES: list[tuple[Any, Any, int, Any]] = [
    ((2, 3, 5, 4), (2, 4, 5, 4), 1, ()),
    ((2, 3, 5, 4), (2, 8, 5, 4), 1, ()),
    ((3, 9, 7), (3, 12, 7), 1, ()),
    ((1, 13, 2, 3, 4), (1, 16, 2, 3, 4), 1, ()),
    ((2, 3, 11, 10), (2, 16, 9, 8), 2, (3, 3)),
    ((2, 4, 6, 9), (2, 16, 4, 4), 2, (1, 0)),
    ((5, 3, 7, 7), (5, 16, 4, 4), 2, (0, 0)),
    ((1, 1, 8, 8), (1, 8, 3, 3), 2, (0, 1)),
]


def spec(shape: Any, dtype: str, *, last: bool = True) -> TensorSpec:
    return TensorSpec("x", shape, (channels_last_strides if last else contiguous_strides)(shape), dtype)


def expected(x: Any, target: Any, factor: int, before: Any) -> Any:
    """Element by element."""
    made = np.zeros(target, x.dtype)
    channels = x.shape[1]
    if factor == 1:
        made[:, :channels] = x
        return made
    for n, k, a, b in np.ndindex(*target):
        part, c = divmod(k, channels)
        h, w = 2 * a + part // 2 - before[0], 2 * b + part % 2 - before[1]
        if part < 4 and 0 <= h < x.shape[2] and 0 <= w < x.shape[3]:
            made[n, k, a, b] = x[n, c, h, w]
    return made


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("shape", "target", "factor", "before"), CASES, ids=str)
def test_every_element(shape: Any, target: Any, factor: int, before: Any, dtype: str, tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    made = channel_source(spec(shape, dtype), spec(target, dtype), factor, before)
    assert made is not None
    library = tmp_path / "kernel.so"
    command = [compiler, "-std=c++17", "-O0", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)]
    subprocess.run(command, input=(HOST + made.text + RUN).encode(), check=True)
    x = channels_last(np.random.default_rng(0).standard_normal(shape).astype(dtype))
    # A guard behind the result: nothing is written past it.
    room = np.full(int(np.prod(target)) + 64, np.nan, dtype)
    ctypes.CDLL(str(library)).run(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(room.ctypes.data))
    count = int(np.prod(target))
    found = np.moveaxis(room[:count].reshape(target[0], *target[2:], target[1]), -1, 1)
    np.testing.assert_array_equal(found, expected(x, target, factor, before))
    assert np.isnan(room[count:]).all()


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_nvrtc_takes_it(dtype: str) -> None:
    with contextlib.suppress(OSError):
        nvrtc()
        for shape, target, factor, before in CASES:
            made = channel_source(spec(shape, dtype), spec(target, dtype), factor, before)
            assert made is not None
            assert compile_kernel(made.text, (9, 0))
        return
    pytest.skip("NVRTC is not installed")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (spec((2, 3, 4, 4), "float16", last=False), spec((2, 8, 4, 4), "float16")),
        (spec((2, 3, 4, 4), "float64"), spec((2, 4, 4, 4), "float64")),
        (spec((2, 3, 4, 4), "float16"), spec((2, 6, 4, 4), "float16")),
        (spec((2**11, 3, 2**9, 2**9), "float16"), spec((2**11, 8, 2**9, 2**9), "float16")),
    ],
    ids=["channels first", "float64", "width", "large"],
)
def test_what_it_does_not_take_is_left_to_the_array_library(source: TensorSpec, target: TensorSpec) -> None:
    assert channel_source(source, target, 1, ()) is None
    assert channel_kernel(source, target, 1, (), 0) is None


class OnHost(ArrayExecutable):
    """What the kernel does."""

    made: ClassVar[list[OnHost]] = []

    def __init__(self, source: TensorSpec, target: TensorSpec, factor: int, before: Any, device: int) -> None:
        self.source, self.target, self.factor, self.before, self.device = source, target, factor, before, device
        self.runs = 0
        self.made.append(self)

    def run_on(self, operands: Operands, workspace: int) -> None:
        assert workspace == 0
        self.runs += 1
        x, room = (tensor_at(at, one) for at, one in zip(operands.pointers, (self.source, self.target), strict=True))
        room[...] = expected(x, room.shape, self.factor, self.before)


WAYS = (
    "channels padded to 8, then convolution",
    "2x2 pixels gathered into 16 channels, then convolution without stride",
)


def test_a_candidate_has_its_kernels_before_it_runs_but_does_not_make_them_in_a_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cudnnkit.cuda.channels.channel_kernel", OnHost)
    monkeypatch.setattr(NumpyLibrary, "name", "device arrays")
    monkeypatch.setattr(OnHost, "made", [])
    x, w = random(2, 3, 9, 8, dtype="float16", last=True), random(8, 3, 7, 7, dtype="float16", seed=1, last=True)
    call = {"padding": 3, "stride": 2, "search": "heuristic"}
    y = convolve(x, w, pre=(3, 3), post=(3, 3), stride=(2, 2), dilation=(1, 1), groups=1)
    with simulated() as device:
        for name in WAYS:
            ck.pin(CandidateId("decomposed", name=name), ck.conv2d, x, w, **call)
            for planned_in_a_graph in (False, True):
                OnHost.made.clear()
                device.capturing = planned_in_a_graph
                plan = ck.plan(ck.conv2d, x, w, **call)
                assert [made.runs for made in OnHost.made] == ([] if planned_in_a_graph else [0, 0])
                calls = ((False, [1, 1]), (True, [2, 2]))
                for recording, runs in ((True, []), *calls) if planned_in_a_graph else calls:
                    device.capturing = recording
                    np.testing.assert_allclose(plan(x, w).astype("f8"), y, atol=2e-3 * np.abs(y).max())
                    assert [made.runs for made in OnHost.made] == runs
                device.capturing = False
