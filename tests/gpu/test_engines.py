"""Candidates of both APIs on the real GPU: right within their own bounds, replayable, fast to launch again."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from cudnnkit.admission import refusal
from cudnnkit.candidates import CandidateId
from cudnnkit.context import context
from cudnnkit.engines import Arguments, offer, rebuild
from cudnnkit.engines.graph_faults import FAULTS, Fault
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue

from .engine_cases import Case, Setting, bound, here, make

P1, P2 = (1,), (1, 1)
BASE = Case((8, 64, 28, 28), (96, 3, 3), pre=P2)
SINGLE = Case((8, 64, 28, 28), (96, 3, 3), "float32", last=False, pre=P2)
LINE = Case((8, 32, 200), (64, 3), "float32", last=False, pre=P1)
CASES = [
    BASE,
    Case((8, 64, 28, 28), (96, 3, 3), "bfloat16", pre=P2),
    Case((8, 64, 28, 28), (96, 3, 3), "float32", pre=P2),
    SINGLE,
    Case((4, 32, 14, 14), (48, 3, 3), "float64", last=False, pre=P2),
    Case((8, 32, 29, 31), (64, 3, 5), pre=(1, 2), stride=2),
    Case((8, 32, 28, 28), (64, 3, 3), pre=(2, 2), dilation=2),
    Case((8, 64, 28, 28), (64, 3, 3), pre=P2, groups=8),
    Case((8, 64, 28, 28), (64, 3, 3), "float32", last=False, pre=P2, groups=64),
    *(
        Case((8, 32, 28, 28), (64, 3, 3), dtype, last, pre=(0, 1), post=(1, 2))
        for dtype, last in [
            ("float16", True),
            ("bfloat16", True),
            ("float32", True),
            ("float32", False),
            ("float64", False),
        ]
    ),
    Case((8, 32, 28, 28), (64, 3, 3), "float32", last=False, pre=(0, 1), post=(1, 0), stride=2),
    Case((8, 32, 28, 28), (64, 3, 3), pre=(0, 1), post=(1, 0), groups=4),
    Case((8, 32, 200), (64, 3), pre=(2,), post=(0,)),
    Case((2, 16, 12, 14, 14), (32, 3, 3, 3), pre=(0, 1, 1), post=(1, 1, 2)),
    Case((8, 32, 28, 28), (64, 3, 3), "float32", last=False, pre=P2, mode="convolution"),
    Case((8, 32, 200), (64, 3), pre=P1),
    LINE,
    Case((2, 16, 12, 14, 14), (32, 3, 3, 3), pre=(1, 1, 1)),
    Case((2, 16, 12, 14, 14), (32, 3, 3, 3), "float32", last=False, pre=(1, 1, 1)),
]
MOST_COMPILED = 2
"""Engines that compile at run time are tried this often for each problem: each takes up to seconds."""


def _tried(setting: Setting) -> list[tuple[CandidateId, float, float]]:
    """Identity, error and bound of every candidate that can be prepared."""
    rows, compiled = [], 0
    for candidate in offer(setting.problem, here()).candidates:
        about = candidate.description
        if about.needs_compilation:
            compiled += 1
            if compiled > MOST_COMPILED:
                continue
        if refusal(about, setting.problem) is not None:
            continue
        try:
            executable = candidate.prepare()
        except Exception:  # an engine's own answer to what it cannot do
            continue
        if executable.workspace <= 2**31:
            limit = bound(about.numerical, setting.problem.tensors[0].dtype, setting.problem.operation)
            rows.append((about.id, setting.run(executable), limit))
        executable.close()
    return rows


def _check(setting: Setting) -> None:
    rows = _tried(setting)
    assert rows, "no candidate could be prepared"
    wrong = [f"{one}: {error:.2e} > {limit:.0e}" for one, error, limit in rows if not error <= limit]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("operation", ["conv_forward", "conv_dgrad", "conv_wgrad"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_candidate_is_within_its_bound(case: Case, operation: str) -> None:
    _check(make(case, operation))


@pytest.mark.parametrize("precision", ["no-tf32", "strict"])
@pytest.mark.parametrize("operation", ["conv_forward", "conv_dgrad", "conv_wgrad"])
def test_float32_without_tf32_is_exact_to_float32(operation: str, precision: Any) -> None:
    setting = make(SINGLE, operation, policy=Policy(precision=precision))
    rows = _tried(setting)
    assert {one.api for one, _, _ in rows} == {"graph", "legacy"}
    assert max(error for _, error, _ in rows) < 2e-5


@pytest.mark.parametrize(
    ("activation", "parameters"),
    [
        (None, ()),
        ("relu", ()),
        ("relu6", ()),
        ("clipped_relu", (1.5,)),
        ("leaky_relu", (0.2,)),
        ("sigmoid", ()),
        ("tanh", ()),
        ("elu", (0.7,)),
        ("gelu", ()),
        ("gelu_tanh", ()),
        ("silu", ()),
        ("softplus", (1.0,)),
    ],
)
def test_epilogues(activation: str | None, parameters: tuple[float, ...]) -> None:
    _check(make(BASE, epilogue=Epilogue(True, False, activation, parameters)))


@pytest.mark.parametrize("case", [BASE, SINGLE, LINE], ids=str)
def test_residual_bias_and_activation(case: Case) -> None:
    _check(make(case, epilogue=Epilogue(True, True, "relu")))


@pytest.mark.parametrize("epilogue", [Epilogue(), Epilogue(True, False, "relu")], ids=["plain", "fused"])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.0), (1.0, 1.0), (0.5, -0.25)])
def test_alpha_and_beta(alpha: float, beta: float, epilogue: Epilogue) -> None:
    _check(make(SINGLE, epilogue=epilogue, alpha=alpha, beta=beta))


def test_a_changed_factor_is_used_by_a_kept_launch() -> None:
    setting = make(SINGLE, alpha=0.5, beta=-0.25)
    for candidate in offer(setting.problem, here()).candidates:
        try:
            executable = candidate.prepare()
        except Exception:
            continue
        first = setting.run(executable)
        other = make(SINGLE, alpha=2.0, beta=3.0)
        other.arrays = setting.arrays
        other.start = setting.start
        assert first < 2e-3
        assert other.run(executable) < 2e-3, str(candidate.description.id)
        assert setting.run(executable) < 2e-3
        return
    pytest.fail("no candidate")


@pytest.mark.parametrize("case", [BASE, SINGLE], ids=str)
def test_a_candidate_is_rebuilt_from_its_identity(case: Case) -> None:
    setting = make(case)
    for candidate in offer(setting.problem, here()).candidates[:12]:
        about = candidate.description
        try:
            executable = candidate.prepare()
        except Exception:
            continue
        again = rebuild(setting.problem, CandidateId.from_json(about.id.to_json()), here())
        replayed = again.prepare()
        assert (again.description.numerical, replayed.workspace) == (about.numerical, executable.workspace)
        assert setting.run(replayed) <= bound(about.numerical, case.dtype)


def test_an_identity_of_another_world_is_refused() -> None:
    setting = make(BASE)
    for one in (CandidateId("graph", 10_000), CandidateId("legacy", algorithm="DIRECT", math_type="FMA")):
        with pytest.raises(Exception, match=r"cudnnBackend(Finalize|SetAttribute)|legacy API"):
            rebuild(setting.problem, one, here()).prepare()


UNEVEN = [
    *(
        Case((8, 32, 28, 28), (64, 3, 3), dtype, last, pre=(0, 1), post=(1, 2))
        for dtype, last in [("float16", True), ("bfloat16", True), ("float32", True), ("float32", False)]
    ),
    Case((8, 32, 28, 28), (64, 3, 3), pre=(0, 1), post=(1, 0), groups=4),
    Case((8, 32, 200), (64, 3), pre=(2,), post=(0,)),
    Case((2, 16, 12, 14, 14), (32, 3, 3, 3), pre=(0, 1, 1), post=(1, 1, 2)),
]
FAULTY = {"conv_wgrad": UNEVEN, "conv_dgrad": UNEVEN, "conv_forward": [BASE]}


CONVOLUTION_FAULTS = [one for one in FAULTS if one.operation in FAULTY]
"""Those of poolings are seen by test_pool, which tries every candidate."""


@pytest.mark.parametrize("known", CONVOLUTION_FAULTS, ids=lambda one: f"{one.operation}-{one.reason}")
def test_a_faulty_engine_is_refused_and_really_is_faulty(known: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    if here().library.version_text != known.seen:
        pytest.skip(f"seen in cuDNN {known.seen}, this is {here().library.version_text}")
    epilogue = Epilogue(True, False, "tanh") if known.operation == "conv_forward" else Epilogue()
    errors: dict[int, list[float]] = {engine: [] for engine in known.engines}
    for case in FAULTY[known.operation]:
        setting = make(case, known.operation, epilogue)
        for engine, found in errors.items():
            one = CandidateId("graph", engine)
            with pytest.raises(ValueError, match="seen in cuDNN"):
                rebuild(setting.problem, one, here())
            with monkeypatch.context() as patched:
                patched.setattr("cudnnkit.engines.graph_engines.fault", lambda *_: None)
                try:
                    executable = rebuild(setting.problem, one, here()).prepare()
                except Exception:  # it does not serve this case
                    continue
            error = setting.run(executable)
            found.append(float("inf") if error != error else error)
    assert all(max(found, default=0.0) > 0.5 for found in errors.values()), (
        f"right after all, or never served: {errors}"
    )


def test_moved_operands_and_workspace_are_followed() -> None:
    import torch

    setting = make(BASE)
    candidates = offer(setting.problem, here()).candidates
    for candidate in (candidates[0], candidates[-1]):
        executable = candidate.prepare()
        assert setting.run(executable) <= 2e-3
        for _ in range(40):  # more addresses than are kept
            setting.arrays["x"] = setting.arrays["x"].clone()
            setting.kept.append(setting.arrays["x"])
        setting.arrays["y"] = torch.empty_like(setting.arrays["y"])
        assert setting.run(executable) <= 2e-3


def test_bound_launch_and_graph_capture() -> None:
    import torch

    setting = make(BASE)
    candidates = offer(setting.problem, here()).candidates
    for candidate in (candidates[0], candidates[-1]):
        executable = candidate.prepare()
        space = torch.empty(max(executable.workspace, 1), dtype=torch.uint8, device="cuda")
        assert setting.run(executable) <= 2e-3
        recorded = torch.cuda.CUDAGraph()
        with torch.cuda.graph(recorded):
            here().use_stream(torch.cuda.current_stream().cuda_stream)
            launch = executable.bind(setting.arguments.pointers, space.data_ptr())
            launch()
        here().use_stream(0)
        setting.poison()
        recorded.replay()
        torch.cuda.synchronize()
        assert setting.error() <= 2e-3


def test_each_thread_has_its_own_handle_and_ended_threads_give_theirs_back() -> None:
    setting = make(BASE)
    seen: list[tuple[int, float]] = []
    barrier = threading.Barrier(4)

    def work() -> None:
        mine = context(0)
        barrier.wait()
        executable = offer(setting.problem, mine).candidates[0].prepare()
        own = make(BASE)
        seen.append((mine.handle.address, own.run(executable)))
        barrier.wait()

    for _ in range(2):
        threads = [threading.Thread(target=work) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert len(seen) == 8
    assert len({address for address, _ in seen}) == 4
    assert here().handle.address not in {address for address, _ in seen}
    assert max(error for _, error in seen) <= 2e-3


def test_cupy_arrays() -> None:
    cupy = pytest.importorskip("cupy")
    from cudnnkit.arrays.cupy_library import CupyLibrary

    setting = make(SINGLE)
    arrays = {role: cupy.asarray(one) for role, one in setting.arrays.items()}
    library = CupyLibrary()
    stream = cupy.cuda.Stream(non_blocking=True)
    views = [library.view(arrays[one.role], one.role) for one in setting.problem.tensors]
    assert [view.strides for view in views] == [one.strides for one in setting.problem.tensors]
    executable = offer(setting.problem, here()).candidates[0].prepare()
    with stream:
        space = library.allocate(max(executable.workspace, 1), 0)
        arrays["y"][...] = cupy.nan
        executable.run(Arguments(tuple(view.pointer for view in views), library.stream(0)), space.pointer)
    stream.synchronize()
    assert setting.error() <= 2e-3


def test_bias_gradient_and_epilogue_alone() -> None:
    import torch

    from .engine_cases import random, tensor_spec

    base = make(BASE).problem
    dy = random((8, 96, 28, 28), "float16", True, seed=3)
    bias = random((96,), "float16", False, seed=4)
    out, dbias = torch.empty_like(dy), torch.empty_like(bias)
    wide = dy.double()
    from dataclasses import replace

    gradient = replace(
        base,
        operation="conv_bias_grad",
        tensors=(tensor_spec("dy", dy), tensor_spec("dbias", dbias, output=True)),
        convolution=None,
    )
    _check(Setting(gradient, {"dy": dy, "dbias": dbias}, wide.sum((0, 2, 3)), "dbias"))
    after = replace(
        base,
        operation="epilogue",
        tensors=(tensor_spec("x", dy), tensor_spec("bias", bias), tensor_spec("y", out, output=True)),
        convolution=None,
        epilogue=Epilogue(True, False, "silu"),
    )
    expected = torch.nn.functional.silu(wide + bias.double().view(1, -1, 1, 1))
    _check(Setting(after, {"x": dy, "bias": bias, "y": out}, expected, "y"))
    x = random((8, 96, 28, 28), "float16", True, seed=5)
    backward = replace(
        base,
        operation="activation_backward",
        tensors=(tensor_spec("dy", dy), tensor_spec("x", x), tensor_spec("dx", out, output=True)),
        convolution=None,
        epilogue=Epilogue(activation="silu"),
    )
    point = x.double().requires_grad_()
    (slope,) = torch.autograd.grad(torch.nn.functional.silu(point), point, wide)
    _check(Setting(backward, {"dy": dy, "x": x, "dx": out}, slope, "dx"))


def test_matrix_product_with_bias_and_activation() -> None:
    import torch
    from cudnnkit.problem import TensorSpec

    from .engine_cases import random

    a, b = (random(shape, "float16", False, seed=6) for shape in ((4, 128, 64), (4, 64, 96)))
    bias, y = random((96,), "float16", False, seed=7), torch.empty(4, 128, 96, dtype=torch.float16, device="cuda")
    arrays = {"a": a, "b": b, "bias": bias, "y": y}
    from dataclasses import replace

    problem = replace(
        make(BASE).problem,
        operation="matmul",
        tensors=tuple(
            TensorSpec(role, tuple(one.shape), one.stride(), "float16", output=role == "y")
            for role, one in arrays.items()
        ),
        convolution=None,
        epilogue=Epilogue(True, False, "relu"),
    )
    _check(Setting(problem, arrays, torch.relu(a.double() @ b.double() + bias.double()), "y"))
