"""The epilogue's kernel: its text run on the host thread by thread, and compiled by NVRTC where that is there."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.kernels import FORMULAS, ScalarMath, activation_parameters
from cudnnkit.arrays.numpy_library import NumpyLibrary
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import CandidateId
from cudnnkit.cuda import epilogue as module
from cudnnkit.cuda.compiler import compile_kernel, nvrtc
from cudnnkit.cuda.epilogue import epilogue_kernel, epilogue_kernels, epilogue_source
from cudnnkit.cuda.source import KernelSource
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue, Problem, TensorSpec
from cudnnkit.testing import simulated

from .problems import DEVICE, VERSIONS
from .references import convolve, random
from .test_cuda_channels import tensor_at
from .test_cuda_pooling import HOST, HOST_WORDS, bits, value

HOST_MATH = """
#include <cmath>
"""
ROUNDING = {"float32": 2.0**-22, "bfloat16": 2.0**-8}
# The function's constants have eight digits.
GELU = 2.0**-20


def spec(role: str, shape: Any, dtype: str, last: bool, alignment: int = 16) -> TensorSpec:
    strides = channels_last_strides(shape) if last else contiguous_strides(shape)
    return TensorSpec(role, shape, strides, dtype, alignment, output=role == "y")


def source_of(
    epilogue: Epilogue, shape: Any, dtype: str, last: bool, alignment: int = 16, **changes: Any
) -> KernelSource | None:
    y = spec("y", shape, dtype, last, alignment)
    bias = TensorSpec("bias", shape[1:2], (1,), dtype, alignment) if epilogue.bias else None
    others = (replace(y, role="x"), *([replace(y, role="residual")] if epilogue.residual else []))
    return epilogue_source(epilogue, y, **{"bias": bias, "others": others, "architecture": (9, 0), **changes})


def built(folder: Path, made: KernelSource) -> Any:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    run = f"""
extern "C" void run(const vector* x, const element* bias, const vector* residual, vector* y) {{
    for (unsigned i = 0; i < ({made.count}u + BLOCK - 1) / BLOCK * BLOCK; ++i)
        blockIdx.x = i / BLOCK, threadIdx.x = i % BLOCK, epilogue(x, bias, residual, y);
}}
"""
    path = folder / "epilogue.so"
    command = [compiler, "-std=c++17", "-O0", "-w", "-shared", "-fPIC", "-x", "c++", "-", "-o", path]
    subprocess.run(command, input=(HOST + HOST_MATH + made.text + run).encode(), check=True)
    return ctypes.CDLL(str(path)).run


def expected(epilogue: Epilogue, x: Any, bias: Any, residual: Any) -> Any:
    """In float64, from the formulas that the array libraries use."""
    v = x.astype("f8")
    if epilogue.bias:
        v = v + bias.astype("f8").reshape(1, -1, *(1,) * (x.ndim - 2))
    if epilogue.residual and not epilogue.residual_after:
        v = v + residual
    name = epilogue.activation or "identity"
    given = activation_parameters(name, epilogue.parameters)
    v = np.vectorize(lambda one: FORMULAS[name](ScalarMath, float(one), *given))(v)
    return v + residual if epilogue.residual and epilogue.residual_after else v


def memory(array: Any, last: bool, dtype: str) -> Any:
    """Its elements as they lie, with a rim before and behind that nobody may touch."""
    flat = bits(np.moveaxis(array, 1, -1) if last else array, dtype).ravel()
    rim = np.full(64, 77, flat.dtype)
    return np.concatenate([rim, flat, rim])


SHAPES = [
    ((2, 16, 5, 3), True), ((2, 16, 5, 3), False), ((3, 8, 4, 4), False), ((2, 6, 3, 3), True), ((1, 1, 7, 9), True),
    ((5, 12, 1, 1), False), ((2, 3, 2, 3, 4), False), ((700, 8, 1), False),
]  # fmt: skip
EPILOGUES = [
    Epilogue(bias=True, residual=True, activation="leaky_relu", parameters=(0.1,), residual_after=True),
    Epilogue(bias=True, residual=True, activation="relu"),
    Epilogue(bias=True),
    Epilogue(residual=True),
    Epilogue(activation="silu"),
]


@pytest.mark.parametrize(("shape", "last"), SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_text_on_the_host(
    shape: Any, last: bool, dtype: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "WORDS", HOST_WORDS)
    x, residual = (value(bits(random(*shape, seed=seed), dtype), dtype) for seed in (1, 2))
    bias = value(bits(random(shape[1], seed=3), dtype), dtype)
    for number, epilogue in enumerate(EPILOGUES):
        made = source_of(epilogue, shape, dtype, last)
        assert made is not None
        (tmp_path / str(number)).mkdir()
        run = built(tmp_path / str(number), made)
        result = expected(epilogue, x, bias, residual)
        scale = np.abs(x) + np.abs(residual) + np.abs(bias).max()
        for target in ("y", "x", "residual") if epilogue.residual else ("y", "x"):
            at = {"x": memory(x, last, dtype), "residual": memory(residual, last, dtype)}
            at["y"] = memory(np.full(shape, np.nan, "f4"), last, dtype) if target == "y" else at[target]
            vector = bits(bias, dtype)
            rest = {name: one.copy() for name, one in at.items() if one is not at["y"]}
            run(*(ctypes.c_void_p(one.ctypes.data + (one is not vector) * 64 * one.itemsize) for one in (
                at["x"], vector, at["residual"], at["y"])))  # fmt: skip
            raw = at["y"]
            assert (raw[:64] == 77).all()
            assert (raw[-64:] == 77).all()
            for name, one in rest.items():
                np.testing.assert_array_equal(at[name], one, f"{name} was written")
            moved = np.moveaxis(x, 1, -1).shape if last else shape
            found = value(raw[64:-64], dtype).reshape(moved)
            found = np.moveaxis(found, -1, 1) if last else found
            assert (np.abs(found - result) <= ROUNDING[dtype] * scale).all(), (epilogue, target)


@pytest.mark.parametrize(
    ("activation", "parameters"),
    [
        ("identity", ()), ("relu6", ()), ("clipped_relu", (1.5,)), ("leaky_relu", ()), ("elu", (0.7,)), ("sigmoid", ()),
        ("tanh", ()), ("gelu", ()), ("gelu_tanh", ()), ("silu", ()), ("swish", (1.7,)),
    ],
)  # fmt: skip
def test_activations_on_the_host(
    activation: str, parameters: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "WORDS", HOST_WORDS)
    epilogue = Epilogue(activation=activation, parameters=parameters)
    made = source_of(epilogue, (1, 1, 257), "float32", False)
    assert made is not None
    x = np.concatenate([np.linspace(-9, 9, 254), [np.nan, np.inf, -np.inf]]).astype("f4").reshape(1, 1, 257)
    y = np.empty_like(x)
    built(tmp_path, made)(*(ctypes.c_void_p(one.ctypes.data) for one in (x, x, x, y)))
    result = expected(epilogue, x[..., :254], None, None)
    np.testing.assert_allclose(y[..., :254], result, rtol=GELU, atol=GELU)
    assert math.isnan(y[0, 0, 254])


REFUSED: dict[str, Any] = {
    "softplus": {"epilogue": Epilogue(activation="softplus")},
    "a parameter beyond float32": {"epilogue": Epilogue(activation="leaky_relu", parameters=(1e300,))},
    "float64": {"dtype": "float64"},
    "an older GPU": {"architecture": (7, 5)},
    "a bias of another type": {"bias": TensorSpec("bias", (8,), (1,), "float32")},
    "a bias with gaps": {"bias": TensorSpec("bias", (8,), (2,), "float16")},
    "a bias of another length": {"bias": TensorSpec("bias", (4,), (1,), "float16")},
    "a residual in another layout": {"others": (spec("x", (2, 8, 4, 4), "float16", True),)},
    "a residual of another type": {"others": (spec("x", (2, 8, 4, 4), "float32", False),)},
    "no elements": {"shape": (0, 8, 4, 4)},
    "2^31 elements": {"shape": (2**21, 8, 16, 8)},
    "an odd address": {"alignment": 1},
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_it_does_not_take(what: str) -> None:
    given = {"epilogue": Epilogue(bias=True), "shape": (2, 8, 4, 4), "dtype": "float16", "last": False}
    assert source_of(**given) is not None
    assert source_of(**{**given, **REFUSED[what]}) is None


def test_gaps_are_left_to_the_array_library() -> None:
    y = replace(spec("y", (2, 8, 4, 4), "float16", False), strides=(256, 32, 8, 2))
    assert epilogue_source(Epilogue(), y, bias=None, others=(), architecture=(9, 0)) is None


@pytest.mark.parametrize(
    ("shape", "last", "alignment", "bias", "vector"),
    [
        ((2, 8, 3, 3), True, 16, True, 16),
        ((2, 8, 3, 3), True, 4, True, 4),
        ((2, 6, 3, 3), True, 16, True, 4),
        ((2, 6, 3, 3), False, 16, True, 2),
        ((2, 6, 4, 4), False, 16, True, 16),
        ((2, 4, 3, 3), False, 16, False, 16),
        ((1, 3, 3, 3), False, 16, False, 2),
    ],
)
def test_vectors_are_as_long_as_rows_and_addresses_allow(
    shape: Any, last: bool, alignment: int, bias: bool, vector: int
) -> None:
    made = source_of(Epilogue(bias=bias), shape, "float16", last, alignment)
    assert made is not None
    assert f"#define VECTOR {vector}\n" in made.text
    assert made.count == -(-math.prod(shape) * 2 // vector // 2)


def problem(epilogue: Epilogue, shape: Any = (4, 8, 9), **changes: Any) -> Problem:
    tensors = [spec("x", shape, "float16", False), spec("y", shape, "float16", False)]
    if epilogue.bias:
        tensors.insert(1, TensorSpec("bias", shape[1:2], (1,), "float16"))
    given = {"epilogue": epilogue, "parameters": (("library", "torch"),), **changes}
    return Problem("epilogue", tuple(tensors), "float32", DEVICE, VERSIONS, Policy().key, **given)


def test_operations_of_their_own_have_it_as_a_candidate() -> None:
    (one,) = epilogue_kernels(problem(Epilogue(bias=True, activation="gelu")), 0)
    assert str(one.description.id) == "array epilogue by a kernel of cudnnkit's own (revision 2)"
    assert one.places == (0, 1, 0, 2)
    (one,) = epilogue_kernels(problem(Epilogue(activation="gelu")), 0)
    assert one.places == (0, 0, 0, 1)
    strided = (("library", "torch"), ("strided", 1.0))
    assert epilogue_kernels(problem(Epilogue(), parameters=strided), 0) == []
    assert epilogue_kernels(problem(Epilogue(), beta="one"), 0) == []


@pytest.mark.parametrize("kind", [OSError, AttributeError])  # an old one lacks functions
def test_without_nvrtc_there_is_none_and_that_is_logged_once(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reason = f"no NVRTC for {kind.__name__}"

    def missing(*_: Any) -> None:
        raise kind(reason)

    monkeypatch.setattr("cudnnkit.cuda.launch.KernelLaunch", missing)
    assert [epilogue_kernel(KernelSource("", 1), 0) for _ in range(3)] == [None] * 3
    assert [one.getMessage() for one in caplog.records] == [
        f"kernels of cudnnkit's own: {reason}; the array library's kernels do their work, more slowly"
    ]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("shape", "last"), [SHAPES[0], SHAPES[1], SHAPES[3]])
def test_it_compiles_for_gpus(dtype: str, shape: Any, last: bool) -> None:
    try:
        nvrtc()
    except OSError as error:
        pytest.skip(str(error))
    for epilogue in EPILOGUES:
        made = source_of(epilogue, shape, dtype, last)
        assert made is not None
        for architecture in ((8, 0), (9, 0)):
            assert compile_kernel(made.text, architecture)


class OnHost(ArrayExecutable):
    """What the kernel does to NHWC results, by NumPy; it notes the text it was made for."""

    made: ClassVar[list[OnHost]] = []
    problem: ClassVar[tuple[Epilogue, tuple[int, ...]]]

    def __init__(self, source: KernelSource, device: int) -> None:  # noqa: ARG002
        self.text, self.runs = source.text, 0
        self.made.append(self)

    def run_on(self, operands: Operands, workspace: int) -> None:
        assert workspace == 0
        self.runs += 1
        epilogue, shape = self.problem
        whole = spec("y", shape, "float16", True)
        x, residual, y = (tensor_at(operands.pointers[at], whole) for at in (0, 2, 3))
        bias = tensor_at(operands.pointers[1], TensorSpec("bias", shape[1:2], (1,), "float16"))
        y[...] = expected(epilogue, x, bias, residual)


def test_explain_names_the_array_library_where_there_is_no_nvrtc(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing() -> None:
        raise OSError("NVRTC is not there")

    monkeypatch.setattr("cudnnkit.cuda.compiler.nvrtc", missing)
    monkeypatch.setattr(NumpyLibrary, "name", "device arrays")
    x, w = random(2, 8, 6, 5, dtype="float16", last=True), random(16, 8, 3, 3, dtype="float16", seed=1, last=True)
    with simulated():
        found = ck.explain(ck.conv2d, x, w, random(16, dtype="float16"), activation="relu")
    names = [row.description.id.name for row in found.report.rows]
    assert "convolution, then bias + relu by device arrays" in names
    assert not [one for one in names if "one kernel" in one]
    assert sum("NVRTC is not there" in one.getMessage() for one in caplog.records) == 1


@pytest.mark.parametrize("shared", [False, True], ids=["residual", "residual is out"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_convolution_is_followed_by_one_kernel(after: bool, shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudnnkit.cuda.epilogue.epilogue_kernel", OnHost)
    monkeypatch.setattr("cudnnkit.cuda.compiler.nvrtc", object)
    monkeypatch.setattr(NumpyLibrary, "name", "device arrays")
    monkeypatch.setattr(OnHost, "made", [])
    x, w = random(2, 8, 6, 5, dtype="float16", last=True), random(16, 8, 3, 3, dtype="float16", seed=1, last=True)
    bias, z = random(16, dtype="float16", seed=2), random(2, 16, 6, 5, dtype="float16", seed=3, last=True)
    adds = shared and not after  # that is the convolution's own beta
    rest = Epilogue(True, not adds, "leaky_relu", (0.25,), after)
    monkeypatch.setattr(OnHost, "problem", (rest, (2, 16, 6, 5)), raising=False)
    plain = convolve(x, w, pre=(1, 1), post=(1, 1), stride=(1, 1), dilation=(1, 1), groups=1)
    whole = Epilogue(True, True, "leaky_relu", (0.25,), after)
    y = expected(whole, plain, bias, z.astype("f8"))
    parts = "bias + leaky_relu + residual" if after else "bias + leaky_relu" if adds else "bias + residual + leaky_relu"
    call: dict[str, Any] = {"padding": 1, "activation": ("leaky_relu", 0.25), "residual_after": after}
    with simulated():
        out = z.copy(order="K") if shared else None
        residual = out if shared else z
        given = {**call, "residual": residual, "out": out}
        ck.pin(
            CandidateId("decomposed", name=f"convolution, then {parts} by one kernel"), ck.conv2d, x, w, bias, **given
        )
        OnHost.made.clear()
        plan = ck.plan(ck.conv2d, x, w, bias, **given)
        (made,) = OnHost.made
        assert f"#define RESIDUAL {int(not adds)}" in made.text
        assert f"#define AFTER {int(after)}" in made.text
        if shared:
            out[...] = z
        found = ck.conv2d(x, w, bias, **given)
        assert sum(one.runs for one in OnHost.made) == 1
        np.testing.assert_allclose(found.astype("f8"), y, atol=3e-3 * np.abs(y).max())
        del plan
