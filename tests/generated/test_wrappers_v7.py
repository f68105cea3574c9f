"""Line v7 out of one single header in the old style, against a library of the same functions in C text."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cudnn_bindgen.cli.main import main

HEADER = Path(__file__).parents[1] / "generator" / "v7" / "cudnn.h"

LIBRARY = (Path(__file__).parent / "fake" / "seven.c").read_text()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    out = tmp_path_factory.mktemp("v7")
    assert main(["generate", str(HEADER.parent), "--out", str(out), "--package", "bindings_of_seven"]) == 0
    sys.path.insert(0, str(out))
    import bindings_of_seven  # type: ignore[import-not-found]

    yield bindings_of_seven
    sys.path.remove(str(out))


@pytest.fixture(scope="module")
def lib(package: ModuleType, compiled: Callable[[str, str], Path]) -> Any:
    return package.load(compiled(LIBRARY, "libcudnn.so.7"))


def test_the_line_is_v7(lib: Any) -> None:
    assert lib.version == (7, 6, 5)
    assert type(lib).__module__ == "bindings_of_seven.v7.library"


def test_every_function_has_its_wrapper(lib: Any) -> None:
    names = re.findall(r"CUDNNWINAPI (cudnn\w+)", HEADER.read_text())
    assert len(names) == 23
    assert sorted(names) == sorted(lib._tables.functions)
    for name in names:
        assert callable(getattr(lib, lib._tables.methods[name]))


def test_find_asks_for_all_and_trusts_the_returned_count(lib: Any) -> None:
    with (
        lib.create() as handle,
        lib.create_tensor_descriptor() as x,
        lib.create_filter_descriptor() as w,
        lib.create_convolution_descriptor() as c,
    ):
        found = lib.find_convolution_forward_algorithm(handle, x, w, c, x)
        assert [one.algo.name for one in found] == ["FFT", "IMPLICIT_GEMM"]
        assert [one.status.name for one in found] == ["SUCCESS", "NOT_SUPPORTED"]
        assert [(one.time, one.memory) for one in found] == [(0.5, 2**32), (1.5, 2**33)]
        assert found[0].determinism.name == "DETERMINISTIC"
        assert found[0].math_type.name == "TENSOR_OP_MATH"
        assert len(lib.find_convolution_forward_algorithm(handle, x, w, c, x, requested_algo_count=1)) == 1
        assert lib.find_convolution_forward_algorithm(handle, x, w, c, x, requested_algo_count=0) == []


def test_get_algorithm_without_v7(package: ModuleType, lib: Any) -> None:
    preference = lib.enums.ConvolutionFwdPreference
    with (
        lib.create() as handle,
        lib.create_tensor_descriptor() as x,
        lib.create_filter_descriptor() as w,
        lib.create_convolution_descriptor() as c,
    ):
        limited = preference.SPECIFY_WORKSPACE_LIMIT
        assert lib.get_convolution_forward_algorithm(handle, x, w, c, x, limited, 123456).name == "FFT"
        with pytest.raises(package.StatusError, match="CUDNN_STATUS_NOT_SUPPORTED"):
            lib.get_convolution_forward_algorithm(handle, x, w, c, x, preference.PREFER_FASTEST, 0)


def test_rnn_descriptor_v6(lib: Any) -> None:
    enums = lib.enums
    with lib.create() as handle, lib.create_rnn_descriptor() as rnn, lib.create_dropout_descriptor() as dropout:
        lib.set_rnn_descriptor_v6(
            handle,
            rnn,
            32,
            2,
            dropout,
            enums.RNNInputMode.LINEAR_INPUT,
            enums.DirectionMode.BIDIRECTIONAL,
            enums.RNNMode.LSTM,
            enums.RNNAlgo.RNN_ALGO_STANDARD if hasattr(enums.RNNAlgo, "RNN_ALGO_STANDARD") else enums.RNNAlgo.STANDARD,
            enums.DataType.FLOAT,
        )


def test_rnn_find_fills_the_callers_objects(lib: Any) -> None:
    made = lib.create_algorithm_performance(3)
    with (
        lib.create() as handle,
        lib.create_rnn_descriptor() as rnn,
        lib.create_tensor_descriptor() as x,
        lib.create_filter_descriptor() as w,
    ):
        assert lib.get_rnn_forward_inference_algorithm_max_count(handle, rnn) == 5
        method = lib.find_rnn_forward_inference_algorithm_ex
        given = {
            "handle": handle,
            "rnn_desc": rnn,
            "x_desc": [x, x],
            "x": 4096,
            "hx_desc": x,
            "hx": None,
            "w_desc": w,
            "w": 4096,
            "y_desc": [x, x],
            "y": 4096,
            "find_intensity": 1.0,
            "perf_results": made,
            "workspace": None,
            "work_space_size_in_bytes": 0,
        }
        assert set(inspect.signature(method).parameters) == set(given)
        assert method(**given) == made[:2]
        lib.rnn_forward_inference(handle, rnn, [x, x, x], 4096, [x, x, x], 4096, None, 0)
    lib.destroy_algorithm_performance(made)
    assert all(one.closed for one in made)
