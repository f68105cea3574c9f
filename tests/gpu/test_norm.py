"""Batch normalisation on the real GPU: every candidate against torch in float64."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import random, without_cudnn

# |found - reference| / |reference|, the rounding of the result included.
BOUNDS = {"float16": 2e-3, "bfloat16": 1.2e-2, "float32": 1e-5, "float64": 1e-11}
EPS = 1e-3
cupy_only = pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="CuPy is not installed")


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and short searches."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(budget_ms=100):
        yield found


def error(found: Any, reference: Any) -> float:
    import torch

    found = found.double()
    assert found.shape == reference.shape
    assert torch.isfinite(found).all()
    return float((found - reference).norm() / reference.norm().clamp_min(1e-30))


class Case:
    """Operands, and what torch makes of them in float64."""

    def __init__(self, shape: tuple[int, ...], dtype: str, last: bool, activation: str | None, residual: bool) -> None:
        import torch

        self.dtype, self.activation = dtype, activation
        statistics = torch.float64 if dtype == "float64" else torch.float32
        self.x, self.dy = random(shape, dtype, last, seed=1), random(shape, dtype, last, seed=2)
        self.z = random(shape, dtype, last, seed=3) if residual else None
        generator = torch.Generator("cuda").manual_seed(5)

        def vector() -> Any:
            return torch.rand(shape[1], generator=generator, device="cuda", dtype=statistics) + 0.5

        self.scale, self.bias, self.mean, self.variance = vector(), vector() - 1, vector() - 1, vector()
        inputs = [one.double().requires_grad_() for one in (self.x, self.scale, self.bias)]
        z = None if self.z is None else self.z.double().requires_grad_()
        self.running = self.mean.double().clone(), self.variance.double().clone()
        with torch.enable_grad(), without_cudnn():
            value = torch.nn.functional.batch_norm(inputs[0], *self.running, inputs[1], inputs[2], True, 0.25, EPS)
            value = value if z is None else value + z
            y = value.relu() if activation == "relu" else value
            # The slope is taken where the rounded result is positive.
            slope = self.dy.double() * (y.to(self.x.dtype) > 0) if activation else self.dy.double()
            gradients = torch.autograd.grad(value, [*inputs, *([] if z is None else [z])], slope)
            plain = torch.nn.functional.batch_norm(
                self.x.double(), self.mean.double(), self.variance.double(), self.scale.double(), self.bias.double(),
                False, 0.0, EPS,
            )  # fmt: skip
        plain = plain if self.z is None else plain + self.z.double()
        self.inference = plain.relu() if activation else plain
        self.y, self.gradients = y.detach(), gradients
        axes = [axis for axis in range(len(shape)) if axis != 1]
        self.batch_mean = self.x.double().mean(axes)
        self.inverse = (self.x.double().var(axes, unbiased=False) + EPS).rsqrt()
        self.epilogue = {"activation": activation, "residual": self.z, "eps": EPS}

    def forward(self, **more: Any) -> Any:
        running = self.mean.clone(), self.variance.clone()
        found = ck.batch_norm_training(
            self.x, self.scale, self.bias, running_mean=running[0], running_variance=running[1], momentum=0.25,
            **self.epilogue, **more,
        )  # fmt: skip
        return found, running

    def backward_of(self, found: Any) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        arguments = (self.dy, self.x, self.scale, self.bias, found.mean, found.inverse_std)
        keywords = {
            "y": found.y, "activation": self.activation, "residual": self.z is not None, "eps": EPS,
            "reserve": found.reserve,
        }  # fmt: skip
        return ck.batch_norm_backward, arguments, keywords

    def check_forward(self, label: str, found: Any, running: Any) -> None:
        bound = BOUNDS[self.dtype]
        assert error(found.y, self.y) < bound, label
        pairs = [
            ("mean", found.mean, self.batch_mean), ("inverse_std", found.inverse_std, self.inverse),
            ("running mean", running[0], self.running[0]), ("running variance", running[1], self.running[1]),
        ]  # fmt: skip
        for name, got, wanted in pairs:
            assert error(got, wanted) < min(bound, 1e-4), f"{name} of {label}"

    def check_backward(self, label: str, found: Any) -> None:
        for name, got, wanted in zip(("dx", "dscale", "dbias", "dresidual"), found, self.gradients, strict=False):
            assert error(got, wanted) < 4 * BOUNDS[self.dtype], f"{name} of {label}"


def each(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Iterator[str]:
    """Pin every candidate that ran; one that was wrong or broke is a failure in the end, one that refused is told."""
    wrong = []
    for row in ck.explain(function, *arguments, **keywords).report.rows:
        if row.status not in ("chosen", "measured"):
            if row.status == "failed":
                print(f"  {function.__name__} by {row.description.id}: {row.reason}")
                wrong += [row] if "wrong results" in row.reason or "RuntimeError" in row.reason else []
            continue
        ck.pin(row.description.id, function, *arguments, **keywords)
        yield str(row.description.id)
    ck.unpin(function, *arguments, **keywords)
    assert not wrong


SHAPES = [(32, 24), (4, 24, 30), (4, 24, 9, 10), (2, 8, 5, 6, 7)]
PLAIN, RELU, BOTH = (None, False), ("relu", False), ("relu", True)
CASES = [
    *(("float16", True, *variant) for variant in (PLAIN, RELU, BOTH)),
    ("float16", False, *BOTH),
    ("bfloat16", True, *BOTH),
    ("float32", True, *RELU),
    ("float32", True, *BOTH),
    ("float32", False, *PLAIN),
    ("float64", False, *BOTH),
]


@pytest.mark.parametrize(("dtype", "last", "activation", "residual"), CASES)
def test_every_candidate(dtype: str, last: bool, activation: str | None, residual: bool) -> None:
    case = Case((4, 24, 9, 10), dtype, last, activation, residual)
    arguments = case.x, case.mean, case.variance, case.scale, case.bias
    with ck.use_policy(budget_ms=400):  # every kernel of our own is compiled here
        check_every_candidate(case, arguments)


def test_every_candidate_without_kernels_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudnnkit.cuda.norm.norm_kernels", lambda problem, device: [])  # noqa: ARG005
    case = Case((4, 24, 9, 10), "float16", True, "relu", False)
    with ck.use_policy(budget_ms=200):
        check_every_candidate(case, (case.x, case.mean, case.variance, case.scale, case.bias))


def check_every_candidate(case: Case, arguments: tuple[Any, ...]) -> None:
    for label in each(ck.batch_norm, *arguments, **case.epilogue):
        assert error(ck.batch_norm(*arguments, **case.epilogue), case.inference) < BOUNDS[case.dtype], label
    running = {"running_mean": case.mean.clone(), "running_variance": case.variance.clone(), "momentum": 0.25}
    forwards = {}
    for label in each(ck.batch_norm_training, case.x, case.scale, case.bias, **running, **case.epilogue):
        found, kept = case.forward()
        case.check_forward(label, found, kept)
        # Gradients of one forward pass with and one without each kind of reserve; the rest of them is the same.
        forwards.setdefault(None if found.reserve is None else found.reserve.made_by, (label, found))
    for reserve, (label, found) in forwards.items():
        print(f"{label}: reserve {reserve}")
        function, given, keywords = case.backward_of(found)
        for inner in each(function, *given, **keywords):
            case.check_backward(f"{inner} after {label}", function(*given, **keywords))


@pytest.mark.parametrize(
    ("dtype", "shape"), [*(("float16", shape) for shape in SHAPES), ("float32", SHAPES[2])], ids=str
)
def test_ranks(dtype: str, shape: tuple[int, ...]) -> None:
    for last in (False, True):
        case = Case(shape, dtype, last, "relu", True)
        for _ in range(2):  # a first call searches; the running statistics are updated once all the same
            found, kept = case.forward()
            case.check_forward(f"{shape} last={last}", found, kept)
            function, given, keywords = case.backward_of(found)
            case.check_backward(f"{shape} last={last}", function(*given, **keywords))


def test_half_vectors_and_strided_images() -> None:
    import torch

    case = Case((4, 24, 9, 10), "float16", True, "relu", True)
    case.x = torch.cat([case.x, case.x], 3)[:, :, :, :10]
    case.scale, case.bias = case.scale.half(), case.bias.half()
    running = case.mean.half(), case.variance.half()
    found = ck.batch_norm_training(
        case.x, case.scale, case.bias, running_mean=running[0], running_variance=running[1], momentum=0.25,
        **case.epilogue,
    )  # fmt: skip
    assert error(found.y, case.y) < 4e-3
    assert error(running[1], case.running[1]) < 2e-3
    function, given, keywords = case.backward_of(found)
    back = function(*given, **keywords)
    assert back.dscale.dtype == torch.float16
    case.check_backward("half vectors", back)


def test_the_fused_kernels_of_both_directions() -> None:
    case = Case((8, 64, 14, 14), "float16", True, "relu", True)
    rows = ck.explain(ck.batch_norm_training, case.x, case.scale, case.bias, **case.epilogue).report.rows
    names = {str(row.description.id): row for row in rows}
    print("\n".join(f"{name}: {row.status} {row.reason}" for name, row in names.items()))
    fused = next(row for name, row in names.items() if "BN_ADD_ACTIVATION" in name)
    assert fused.status in ("chosen", "measured"), fused
    ck.pin(fused.description.id, ck.batch_norm_training, case.x, case.scale, case.bias, **case.epilogue)
    found = ck.batch_norm_training(case.x, case.scale, case.bias, **case.epilogue)
    assert found.reserve is not None, "the reserve did not fit: see primitives.batch_norm.reserve_bytes"
    function, given, keywords = case.backward_of(found)
    rows = ck.explain(function, *given, **keywords).report.rows
    back = next(row for row in rows if "BN_ADD_ACTIVATION" in str(row.description.id))
    assert back.status in ("chosen", "measured"), back
    ck.pin(back.description.id, function, *given, **keywords)
    case.check_backward(str(back.description.id), function(*given, **keywords))


@pytest.mark.parametrize(
    ("dtype", "shape", "variant"),
    [
        ("float16", (16, 64, 56, 56), RELU),
        ("float16", (16, 64, 56, 56), BOTH),
        ("bfloat16", (3, 2048, 7, 7), RELU),
        ("float32", (5, 36, 13, 11), BOTH),
        ("float32", (8, 256, 28, 28), RELU),
        ("float16", (257, 296), PLAIN),
    ],
    ids=str,
)
def test_kernels_of_our_own(dtype: str, shape: tuple[int, ...], variant: tuple[str | None, bool]) -> None:
    import torch
    from cudnnkit.candidates import CandidateId

    case = Case(shape, dtype, len(shape) > 2, *variant)
    running = {"running_mean": case.mean.clone(), "running_variance": case.variance.clone(), "momentum": 0.25}
    name = "{} by kernels of cudnnkit's own"
    one = CandidateId("array", name=name.format("batch_norm_training"))
    ck.pin(one, ck.batch_norm_training, case.x, case.scale, case.bias, **running, **case.epilogue)
    found, kept = case.forward()
    case.check_forward("our own", found, kept)
    function, given, keywords = case.backward_of(found)
    ck.pin(CandidateId("array", name=name.format("batch_norm_backward")), function, *given, **keywords)
    back = function(*given, **keywords)
    case.check_backward("our own", back)
    again, _ = case.forward()
    for old, new in zip((*found[:3], *back), (*again[:3], *function(*given, **keywords)), strict=True):
        assert old is None or torch.equal(old, new)


def test_folded_weights() -> None:
    import torch

    x = random((4, 16, 12, 12), "float32", True, seed=1)
    conv, norm = torch.nn.Conv2d(16, 32, 3, groups=2).cuda().double(), torch.nn.BatchNorm2d(32).cuda().double()
    with torch.no_grad():
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
        norm.weight.normal_()
        norm.bias.normal_()
        with without_cudnn():
            reference = norm.eval()(conv(x.double()))
        parts = [conv.weight, conv.bias, norm.running_mean, norm.running_var, norm.weight, norm.bias]
        w, b = ck.fold_batch_norm(*(one.float() for one in parts), eps=norm.eps)
        assert error(ck.conv2d(x, w, b, groups=2, precision="strict"), reference) < 1e-5
        w, b = ck.fold_batch_norm(*parts, eps=norm.eps)
        assert w.dtype == torch.float64
        assert error(ck.conv2d(x.double(), w, b, groups=2), reference) < 1e-12


def test_a_training_step_in_a_graph() -> None:
    import torch

    case = Case((8, 64, 14, 14), "float16", True, "relu", True)
    running = case.mean.clone(), case.variance.clone()

    def step() -> tuple[Any, Any]:
        found = ck.batch_norm_training(
            case.x, case.scale, case.bias, running_mean=running[0], running_variance=running[1], momentum=0.25,
            **case.epilogue,
        )  # fmt: skip
        function, given, keywords = case.backward_of(found)
        return found, function(*given, **keywords)

    step()
    step()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found, back = step()
    running[0].copy_(case.mean)
    running[1].copy_(case.variance)
    for one in (found.y, found.mean, back.dx, back.dscale):
        one.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    case.check_forward("the graph", found, running)
    case.check_backward("the graph", back)


@cupy_only
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_cupy(dtype: str) -> None:
    import cupy
    import torch

    case = Case((4, 24, 9, 10), dtype, False, "relu", True)
    x, scale, bias, z, dy = (cupy.from_dlpack(one) for one in (case.x, case.scale, case.bias, case.z, case.dy))
    keywords = {"activation": "relu", "residual": z, "eps": EPS}
    for label in each(ck.batch_norm_training, x, scale, bias, **keywords):
        found = ck.batch_norm_training(x, scale, bias, **keywords)
        assert isinstance(found.y, cupy.ndarray)
        assert error(torch.from_dlpack(found.y), case.y) < BOUNDS[dtype], label
        given = (dy, x, scale, bias, found.mean, found.inverse_std)
        for inner in each(ck.batch_norm_backward, *given, y=found.y, activation="relu", residual=True, eps=EPS):
            back = ck.batch_norm_backward(*given, y=found.y, activation="relu", residual=True, eps=EPS)
            case.check_backward(f"{inner} after {label}", [torch.from_dlpack(one) for one in back])
