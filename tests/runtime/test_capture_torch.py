"""Recorded functions in torch's modes, on tensors in host memory; graphs proper need a GPU (tests/gpu)."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.arrays import registry
from cudnnkit.arrays.view import ArrayView
from cudnnkit.recording.trees import flatten

torch = pytest.importorskip("torch", reason="torch is not installed")
MODES = {"plain": torch.enable_grad, "no grad": torch.no_grad, "inference": torch.inference_mode}


class HostGraph:
    """Computes anew at each replay, in the mode and into the results of the recording."""

    nodes = 0
    outside = contextlib.nullcontext

    def record(self, function: Callable[[], Any]) -> Any:
        result = function()
        self._function, self._mode, self._results = function, torch.is_inference_mode_enabled(), []
        flatten(result, self._results)
        return result

    def given(self, array: Any) -> Any:
        return array

    def replay(self) -> None:
        found: list[Any] = []
        with torch.inference_mode(self._mode):
            flatten(self._function(), found)
        with torch.inference_mode():
            for one, kept in zip(found, self._results, strict=True):
                kept.copy_(one)

    def close(self) -> None:
        self._results = []


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from cudnnkit.arrays.torch_library import TorchLibrary

    class HostLibrary(TorchLibrary):
        def __init__(self) -> None:
            super().__init__()
            self.stream = lambda _: 0

        def view(self, array: Any, name: str) -> ArrayView:  # noqa: ARG002
            return ArrayView(
                array.data_ptr(), tuple(array.shape), array.stride(), self._names[array.dtype], 0, array, self
            )

        def maker(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> Callable[[], Any]:  # noqa: ARG002
            return partial(torch.empty_strided, shape, strides, dtype=self._dtypes[dtype])

        def empty(self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int) -> ArrayView:
            return self.view(self.maker(shape, strides, dtype, device)(), "array")

        def graph(self, device: int) -> Any:  # noqa: ARG002
            return HostGraph()

        def trim(self, device: int) -> None:
            pass

        def capturing(self, device: int) -> bool:  # noqa: ARG002
            return False

    monkeypatch.setitem(registry._libraries, "torch", HostLibrary())
    for table in (registry.KINDS, registry._kinds):
        monkeypatch.delitem(table, torch.Tensor, raising=False)  # type: ignore[arg-type]
    yield
    for table in (registry.KINDS, registry._kinds):
        table.pop(torch.Tensor, None)  # type: ignore[attr-defined]


def made(mode: str = "plain") -> Any:
    with MODES[mode]():
        return torch.rand(2, 3, 4)


@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("static", [False, True])
def test_every_mode_may_follow_every_other(static: bool, copy: bool, first: str) -> None:
    captured = ck.capture(lambda x: x * 2, static_inputs=static, copy=copy)
    with MODES[first]():
        captured(made(first))
    for mode, of in itertools.product(MODES, MODES):
        x = made(of)
        with MODES[mode]():
            y = captured(x)
        assert torch.equal(y, x * 2), (mode, of)
    assert [one.replays for one in captured.report()] == [len(MODES) ** 2]


@pytest.mark.parametrize("copy", [True, False])
def test_own_arrays_and_results_are_of_use_outside_of_inference_mode(copy: bool) -> None:
    captured = ck.capture(lambda x: {"twice": x * 2, "same": x}, copy=copy)
    with torch.inference_mode():
        captured(made("inference"))
    (own,) = captured.inputs()
    x = made()
    own.copy_(x)
    y = captured(own)
    w = torch.ones(2, 3, 4, requires_grad=True)
    (w * y["twice"] + w * y["same"]).sum().backward()
    assert torch.equal(w.grad, 3 * x)
    y["twice"].zero_()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("copy", [True, False])
def test_a_result_that_stands_for_its_memorys_negation_keeps_its_sign(copy: bool, mode: str) -> None:
    captured = ck.capture(lambda x: torch.complex(x, x * 2).conj().imag, copy=copy)
    for _ in range(2):
        x = made(mode)
        with MODES[mode]():
            assert torch.equal(captured(x), -2 * x)


@pytest.mark.parametrize("of", MODES)
def test_what_the_function_returns_as_it_is_stays_itself(of: str) -> None:
    w, x = made(), made(of)
    captured = ck.capture(lambda x: (x, w), copy=False, static_inputs=True)
    for _ in range(2):
        with torch.inference_mode():
            same, weights = captured(x)
        assert same is x
        assert weights is w


def test_autograd_notices_that_an_array_was_overwritten() -> None:
    captured = ck.capture(lambda x: x * 2, static_inputs=True)
    x, w = made(), torch.ones(2, 3, 4, requires_grad=True)
    loss = (w * x).sum()
    captured(x)
    for mode in MODES:
        with MODES[mode]():
            captured(made())
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward(retain_graph=True)


@pytest.fixture
def settings() -> Iterator[None]:
    yield
    torch.set_autocast_enabled("cuda", False)
    torch.set_autocast_dtype("cuda", torch.float16)
    torch.set_default_dtype(torch.float32)
    torch.set_float32_matmul_precision("highest")
    torch.use_deterministic_algorithms(False)


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    "change",
    [
        lambda: torch.set_autocast_enabled("cuda", True),
        lambda: torch.set_default_dtype(torch.float64),
        lambda: torch.set_float32_matmul_precision("high"),
        lambda: torch.use_deterministic_algorithms(True),
    ],
    ids=["autocast", "default type", "precision", "deterministic"],
)
def test_settings_that_change_what_torch_does_are_part_of_the_signature(change: Callable[[], None]) -> None:
    captured = ck.capture(lambda x: x + torch.zeros(4))
    x = made()
    captured(x)
    change()
    for _ in range(2):
        assert captured(x).dtype == (x + torch.zeros(4)).dtype
    assert [one.replays for one in captured.report()] == [0, 1]


@pytest.mark.usefixtures("settings")
def test_the_type_of_autocast_is_part_of_the_signature() -> None:
    captured = ck.capture(lambda x: x * 2)
    torch.set_autocast_enabled("cuda", True)
    for dtype in (torch.float16, torch.bfloat16, torch.float16):
        torch.set_autocast_dtype("cuda", dtype)
        captured(made())
    torch.set_autocast_enabled("cuda", False)
    captured(made())
    assert [one.replays for one in captured.report()] == [0, 1, 0]


@pytest.mark.parametrize(
    "result", [lambda y: y.expand(2, 3, 4), lambda y: y.to(torch.int16), lambda y: y[0].to_sparse()],
    ids=["expanded", "int16", "sparse"],
)  # fmt: skip
def test_a_result_that_cannot_be_filled_is_refused_once(result: Callable[[Any], Any]) -> None:
    calls: list[None] = []

    def function(x: Any) -> Any:
        calls.append(None)
        return result(x.sum(0, keepdim=True))

    captured, x = ck.capture(function), made()
    with pytest.raises(ck.CaptureError, match="it returned a Tensor"):
        captured(x)
    assert len(calls) == 1
    assert torch.equal(captured(x).to_dense(), result(x.sum(0, keepdim=True)).to_dense())
