"""The driver through a stand-in for libcuda."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

import pytest
from cudnnkit import driver as module
from cudnnkit.driver import Driver, DriverError
from cudnnkit.problem import DeviceSpec

ATTRIBUTES = {16: 132, 75: 9, 76: 0}


class Cuda:
    """libcuda of a machine with two H200; functions named in `failing` answer that code."""

    def __init__(self, devices: int = 2) -> None:
        self.devices = devices
        self.failing: dict[str, int] = {}
        self.context: int | None = None
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)

        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if name in self.failing:
                return self.failing[name]
            return int(getattr(self, f"_{name}")(*arguments) or 0)

        return call

    @staticmethod
    def _put(pointer: Any, value: int) -> None:
        pointer._obj.value = value

    def _cuInit(self, _: int) -> None:  # noqa: N802
        pass

    def _cuDriverGetVersion(self, out: Any) -> None:  # noqa: N802
        self._put(out, 12040)

    def _cuDeviceGetCount(self, out: Any) -> None:  # noqa: N802
        self._put(out, self.devices)

    def _cuDeviceGet(self, out: Any, ordinal: int) -> int:  # noqa: N802
        self._put(out, 10 + ordinal)
        return 0 if ordinal < self.devices else 101

    def _cuDeviceGetAttribute(self, out: Any, attribute: int, device: int) -> None:  # noqa: N802
        assert device >= 10
        self._put(out, ATTRIBUTES[attribute])

    def _cuDeviceTotalMem_v2(self, out: Any, _: int) -> None:  # noqa: N802
        self._put(out, 150_109_880_320)

    def _cuDeviceGetName(self, out: Any, size: int, _: int) -> None:  # noqa: N802
        assert size == 256
        out.value = b"NVIDIA H200"

    def _cuCtxGetDevice(self, out: Any) -> int:  # noqa: N802
        if self.context is None:
            return 201
        self._put(out, self.context)
        return 0

    def _cuDevicePrimaryCtxRetain(self, out: Any, device: int) -> None:  # noqa: N802
        self._put(out, device)

    def _cuCtxSetCurrent(self, context: Any) -> None:  # noqa: N802
        self.context = context.value - 10

    def _cuGetErrorString(self, code: int, out: Any) -> int:  # noqa: N802
        out._obj.value = {100: b"no CUDA-capable device is detected", 3: b"initialization error"}.get(code, b"odd")
        return 0


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cuda]:
    found = Cuda()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: found)
    yield found
    module._forget()


def test_a_device_is_described(cuda: Cuda) -> None:
    found = Driver()
    assert (found.version, found.devices) == ("12.4", 2)
    assert found.spec(0) == DeviceSpec((9, 0), 132, 144, "NVIDIA H200")
    asked = len(cuda.calls)
    found.spec(0)
    assert len(cuda.calls) == asked


def test_a_block_on_another_device_ends_where_it_began(cuda: Cuda) -> None:
    found = Driver()
    cuda.context = 0
    with found.on(1):
        assert found.current() == 1
        seen = []
        with contextlib.suppress(KeyError), found.on(0):
            seen.append(found.current())
            raise KeyError
        assert seen == [0]
        assert found.current() == 1
    assert found.current() == 0
    assert cuda.calls.count("cuDevicePrimaryCtxRetain") == 2


@pytest.mark.usefixtures("cuda")
def test_a_thread_without_context_gets_the_device() -> None:
    found = Driver()
    assert found.current() is None
    with found.on(1):
        assert found.current() == 1


def test_the_current_device_costs_no_switch(cuda: Cuda) -> None:
    found = Driver()
    cuda.context = 1
    with found.on(1):
        pass
    assert "cuCtxSetCurrent" not in cuda.calls


@pytest.mark.parametrize(
    ("function", "code", "words"),
    [
        ("cuInit", 100, "cuInit: no CUDA-capable device is detected (CUresult 100); no GPU is visible"),
        ("cuInit", 3, "a process forked after CUDA was first used cannot use it; start processes with 'spawn'"),
        ("cuDeviceGetCount", 999, "cuDeviceGetCount: odd (CUresult 999)"),
    ],
)
def test_a_refusal_names_call_reason_and_way_out(cuda: Cuda, function: str, code: int, words: str) -> None:
    cuda.failing[function] = code
    with pytest.raises(DriverError) as caught:
        Driver()
    assert words in str(caught.value)
    assert caught.value.code == code


@pytest.mark.usefixtures("cuda")
def test_a_device_that_is_not_there() -> None:
    with pytest.raises(DriverError, match="cuDeviceGet: odd"):
        Driver().spec(5)


def test_a_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> Any:
        raise OSError(f"{path}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    with pytest.raises(DriverError) as caught:
        Driver()
    told = "libcuda.so.1: the NVIDIA driver could not be loaded (cannot open shared object file)"
    assert (str(caught.value), caught.value.code) == (told, -1)


@pytest.mark.usefixtures("cuda")
def test_the_driver_is_started_once_and_anew_in_a_child() -> None:
    module._forget()
    first = module.driver()
    assert module.driver() is first
    child = os.fork()
    if child == 0:
        os._exit(0 if module._driver is None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert module.driver() is first
