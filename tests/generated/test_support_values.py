"""Arrays, texts, buffers and counts on their way to C and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cudnn_ffi._support.errors import ArgumentError, short
from cudnn_ffi._support.values import (
    c_string,
    host_buffer,
    in_array,
    optional_array,
    out_list,
    requested,
    same_length,
    text,
)
from fakebind.v9.enums import DataType


@pytest.fixture
def ffi(fake: Any) -> Any:
    return fake._ffi


@pytest.mark.parametrize(
    "values", [[1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3]), iter([1, 2, 3]), [DataType.DOUBLE, 2, 3]]
)
def test_anything_that_iterates_becomes_an_array(ffi: Any, values: Any) -> None:
    assert ffi.unpack(in_array(ffi, "int[]", values, "dims"), 3) == [1, 2, 3]


def test_cdata_passes_and_none_is_null(ffi: Any) -> None:
    array = ffi.new("int[]", [1, 2])
    assert in_array(ffi, "int[]", array, "dims") is array
    assert optional_array(ffi, "int[]", None, "dims") == ffi.NULL
    assert optional_array(ffi, "int[]", [7], "dims")[0] == 7


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, "2"], r"'dims\[1\]' must be int, not '2'"),
        ([1, 1 << 40], r"'dims\[1\]' must be int, not 1099511627776"),
        ([1.5], r"'dims\[0\]' must be int, not 1.5"),
        (5, "'dims' must be a sequence of int, not 5"),
        ("12", "'dims' must be a sequence of int, not '12'"),
        (None, "'dims' must be a sequence of int, not None"),
    ],
)
def test_element_that_does_not_fit_is_named(ffi: Any, values: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        in_array(ffi, "int[]", values, "dims")


def test_common_length() -> None:
    assert same_length(a=[1, 2], b=None, c=(3, 4)) == 2
    assert same_length(a=None) == 0
    assert same_length(a=[], b=[]) == 0
    with pytest.raises(ArgumentError, match="'b' has 3 elements, but 'a' has 2; both need the same number"):
        same_length(a=[1, 2], b=[1, 2, 3])
    with pytest.raises(ArgumentError, match="'a' must be a sequence, not 5"):
        same_length(a=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(("returned", "expected"), [(0, []), (2, [5, 6]), (3, [5, 6, 7]), (99, [5, 6, 7]), (-3, [])])
def test_out_list_is_trimmed_both_ways(ffi: Any, returned: int, expected: list[int]) -> None:
    assert out_list(ffi, ffi.new("int[]", [5, 6, 7]), returned, 3) == expected


def test_out_list_of_structs(ffi: Any) -> None:
    rows = out_list(ffi, ffi.new("cudnnFraction_t[]", [(1, 2), (3, 4)]), 2, 2)
    assert [(row.numerator, row.denominator) for row in rows] == [(1, 2), (3, 4)]


def test_requested_count_defaults() -> None:
    assert requested(None, lambda: 8) == 8
    assert requested(3, lambda: 8) == 3
    for wrong in (-1, 1.5, "3", True):
        with pytest.raises(ArgumentError, match="'requested_algo_count' must be a number of results"):
            requested(wrong, lambda: 8)  # type: ignore[arg-type]


def test_texts(ffi: Any) -> None:
    assert text(ffi, ffi.NULL) == ""
    assert text(ffi, ffi.new("char[]", "größe".encode())) == "größe"
    assert text(ffi, ffi.new("char[]", b"\xff!")) == "\ufffd!"
    assert c_string("größe", "name") == "größe".encode()
    assert c_string(b"raw", "name") == b"raw"
    with pytest.raises(ArgumentError, match="NUL"):
        c_string("a\0b", "name")
    with pytest.raises(ArgumentError, match="must be str or bytes, not 5"):
        c_string(5, "name")  # type: ignore[arg-type]


def test_host_buffers(ffi: Any) -> None:
    data = bytearray(b"\1\2\3\4")
    pointer = host_buffer(ffi, data, "buffer")
    assert bytes(ffi.buffer(pointer, 4)) == bytes(data)
    data[0] = 9
    assert bytes(ffi.buffer(pointer, 1)) == b"\x09"
    assert host_buffer(ffi, None, "buffer") == ffi.NULL
    assert host_buffer(ffi, pointer, "buffer") is pointer
    assert bytes(ffi.buffer(host_buffer(ffi, np.array([1], "int32"), "buffer"), 4)) == b"\1\0\0\0"
    for wrong in (5, np.zeros((4, 4))[:, 1]):
        with pytest.raises(ArgumentError, match="'buffer' must be host memory"):
            host_buffer(ffi, wrong, "buffer")


def test_short_reprs_are_bounded_and_never_raise() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise RuntimeError

    class Array:
        shape = (1000, 1000)
        dtype = "float16"

        def __repr__(self) -> str:
            raise AssertionError("an array's own repr copies it from the device")

    assert len(short(list(range(10_000)))) < 100
    assert len(short("x" * 10_000)) < 100
    assert "Bad" in short(Bad())
    assert short(Array()) == "<Array float16 (1000, 1000)>"
    assert short(DataType.HALF) == "<DataType.HALF: 2>"
