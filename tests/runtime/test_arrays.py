"""Which library an array belongs to, and what is refused."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from cudnnkit.arrays import registry
from cudnnkit.arrays.registry import adopt, foreign, kind_of, library_named, view_of
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.testing import SimulatedDevice

from .references import random


class Interface:
    """An array of no known library, by the CUDA array interface."""

    def __init__(self, typestr: str = "<f4") -> None:
        self.__cuda_array_interface__ = {"shape": (2,), "typestr": typestr, "data": (64, False), "version": 3}


class Packed:
    """An array of no known library, by DLPack."""

    def __init__(self, device: int) -> None:
        self._device = device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, **keywords: Any) -> Any:
        raise BufferError(f"exporting was refused {sorted(keywords)}")


@pytest.mark.parametrize("array", [np.zeros(3), [1.0, 2.0], 1.0, "x", None])
def test_what_is_no_gpu_array(array: Any) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        adopt(array, "w")
    assert caught.value.argument == "w"
    assert not foreign(array)


def test_host_memory_by_dlpack_is_refused() -> None:
    with pytest.raises(ArgumentTypeError, match="host memory"):
        adopt(Packed(1), "x")
    with pytest.raises(ArgumentTypeError, match="no CUDA device"):
        adopt(Packed(10), "x")


def test_complex_interfaces_are_refused() -> None:
    with pytest.raises(ArgumentError, match="complex"):
        adopt(Interface("<c8"), "x")


def test_foreign_arrays_need_a_library_for_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda _: None)
    for name in ("cupy", "torch"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(ArgumentError, match="CuPy or torch"):
        adopt(Interface(), "x")


def test_a_library_that_cannot_take_an_array_in_is_named(device: SimulatedDevice) -> None:
    with pytest.raises(ArgumentTypeError, match="numpy: exporting was refused"):
        adopt(Packed(2), "x", device.library)


def test_views(device: SimulatedDevice) -> None:
    x = random(2, 3, 4, 5, dtype="float32", last=True)
    view = view_of(x, "x")
    assert (view.shape, view.strides, view.dtype, view.device) == ((2, 3, 4, 5), (60, 1, 15, 3), "float32", 0)
    assert view.pointer == x.ctypes.data
    assert view.library is device.library
    assert kind_of(x, "x") is kind_of(x[:1], "x")
    with pytest.raises(ArgumentError, match="complex64"):
        view_of(x.astype("c8"), "x")


def test_subclasses_are_their_parents(device: SimulatedDevice) -> None:
    class Tagged(np.ndarray[Any, Any]):
        pass

    assert kind_of(np.zeros(3).view(Tagged), "x").library is device.library


def test_libraries_by_name() -> None:
    with pytest.raises(ArgumentError, match="'torch' and 'cupy'"):
        library_named("jax")
    with pytest.raises(ArgumentError, match="'torch' and 'cupy'"):
        library_named("numpy")


@pytest.mark.parametrize("strides_of", [contiguous_strides, channels_last_strides])
def test_new_arrays_have_the_strides_asked_for(strides_of: Any, device: SimulatedDevice) -> None:
    shape = (2, 3, 4, 5)
    made = device.library.maker(shape, strides_of(shape), "float32", 0)()
    assert made.shape == shape
    assert made.strides == tuple(4 * step for step in strides_of(shape))
    assert made.base is not None
