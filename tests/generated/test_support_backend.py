"""Backend descriptors: Python values in and out, and nothing wrong gets as far as C."""

from __future__ import annotations

import gc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cudnn_ffi._support.errors import ArgumentError, DescriptorClosedError, StatusError
from fakebind.v9.enums import BackendAttributeName, BackendAttributeType, BackendDescriptorType, DataType, Kind
from fakebind.v9.library import BackendDescriptor, CudnnHandle

Name = BackendAttributeName


@pytest.fixture
def descriptor(fake: Any) -> Any:
    with fake.backend_create_descriptor(BackendDescriptorType.TENSOR_DESCRIPTOR) as made:
        yield made


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (Name.TENSOR_DATA_TYPE, DataType.HALF, DataType.HALF),
        ("TENSOR_DATA_TYPE", 2, DataType.HALF),
        ("CUDNN_ATTR_TENSOR_DATA_TYPE", DataType.INT8, DataType.INT8),
        (2, [8, 64, 56, 56], [8, 64, 56, 56]),
        ("TENSOR_DIMENSIONS", (7,), [7]),
        ("TENSOR_DIMENSIONS", np.array([1, 2]), [1, 2]),
        ("TENSOR_DIMENSIONS", [-(1 << 63)], [-(1 << 63)]),
        ("TENSOR_ALPHA", 0.1, 0.1),
        ("TENSOR_ALPHA", 2, 2.0),
        ("TENSOR_IS_VIRTUAL", True, True),
        ("PACK_POINTERS", [4096, None], [4096, 0]),
        ("PACK_POINTERS", 4096, [4096]),
        ("PLAN_JSON", '{"größe": 1}', '{"größe": 1}'),
        ("RATIO", Fraction(2, 3), Fraction(2, 3)),
        ("RATIO", (4, 6), Fraction(2, 3)),
        ("RATIO", 5, Fraction(5)),
    ],
)
def test_what_is_set_is_read_back(descriptor: Any, name: Any, value: Any, expected: Any) -> None:
    descriptor[name] = value
    found = descriptor[name]
    assert found == expected
    assert type(found) is type(expected)


def test_bytes_are_what_c_expects(fake: Any, descriptor: Any) -> None:
    descriptor["TENSOR_DIMENSIONS"] = [1, -2]
    buffer = fake._ffi.new("int64_t[4]")
    count = fake._ffi.new("int64_t *")
    assert fake._lib.cudnnBackendGetAttribute(descriptor._ptr, 2, 3, 4, count, buffer) == 0
    assert (count[0], list(buffer)) == (2, [1, -2, 0, 0])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TENSOR_DIMENSIONS", 1.5, "'TENSOR_DIMENSIONS (INT64)' must be an integer, not 1.5"),
        ("TENSOR_DIMENSIONS", [1, "2"], "'TENSOR_DIMENSIONS (INT64)[1]' must be an integer, not '2'"),
        ("TENSOR_DIMENSIONS", True, "must be an integer, not True"),
        ("TENSOR_DIMENSIONS", DataType.HALF, "must be an integer, not <DataType.HALF: 2>"),
        ("TENSOR_DIMENSIONS", [1 << 63], "must be an integer that fits, not [9223372036854775808]"),
        (
            "TENSOR_DATA_TYPE",
            Kind.FIRST,
            "'TENSOR_DATA_TYPE (DATA_TYPE)' must be a member of DataType, not <Kind.FIRST: 1>",
        ),
        ("TENSOR_DATA_TYPE", "HALF", "must be a member of DataType, not 'HALF'"),
        ("TENSOR_DATA_TYPE", 1.0, "must be a member of DataType, not 1.0"),
        ("TENSOR_DATA_TYPE", [DataType.HALF, DataType.HALF], "takes exactly one element"),
        ("TENSOR_ALPHA", "1", "must be a number, not '1'"),
        ("TENSOR_ALPHA", None, "must be a number, not None"),
        ("TENSOR_IS_VIRTUAL", 1, "must be True or False, not 1"),
        ("OPERATION_X", 4096, "'OPERATION_X (BACKEND_DESCRIPTOR)' must be a BackendDescriptor, not 4096"),
        ("PLAN_HANDLE", 4096, "must be a cuDNN handle, not 4096"),
        (
            "PACK_POINTERS",
            ["x"],
            "must be device memory (a number, ",
        ),
        ("PACK_POINTERS", [np.zeros(2)], "it is host memory"),
        ("PLAN_JSON", 5, "must be text, not 5"),
        ("RATIO", 0.5, "must be a fraction"),
        (
            "TENSOR_DIMENSION",
            [1],
            "'TENSOR_DIMENSION' is no member of BackendAttributeName; near ones are TENSOR_DIMENSIONS",
        ),
        ("UNTYPED", [1], "UNTYPED has no type that these bindings know; name it with kind="),
        (9999, [1], "UNKNOWN_9999 has no type"),
        (1.5, [1], "must be a BackendAttributeName or its name, not 1.5"),
    ],
)
def test_wrong_value_never_reaches_c(fake: Any, descriptor: Any, name: Any, value: Any, message: str) -> None:
    calls = fake._lib.fakeSetCalls()
    with pytest.raises(ArgumentError) as caught:
        descriptor[name] = value
    assert message in str(caught.value)
    assert str(caught.value).startswith("cudnnBackendSetAttribute: ") or "no member" in message
    assert fake._lib.fakeSetCalls() == calls


def test_type_can_be_given(descriptor: Any) -> None:
    descriptor.set("UNTYPED", [1, 2], kind=BackendAttributeType.INT32)
    assert descriptor.get("UNTYPED", kind="INT32") == [1, 2]
    descriptor.set("TENSOR_ALPHA", 0.5, kind="CUDNN_TYPE_FLOAT")
    assert descriptor.get("TENSOR_ALPHA", kind="FLOAT") == [0.5]
    with pytest.raises(
        ArgumentError, match="'kind' 'FLOAT16' is no member of BackendAttributeType; near ones are FLOAT"
    ):
        descriptor.set("TENSOR_ALPHA", 0.5, kind="FLOAT16")


def test_status_of_the_library_names_attribute_and_value(descriptor: Any) -> None:
    descriptor["TENSOR_ALPHA"] = 1.0
    assert descriptor.finalize() is descriptor
    assert descriptor.finalized
    with pytest.raises(StatusError) as caught:
        descriptor["TENSOR_ALPHA"] = 2.0
    assert caught.value.status == 3000
    assert caught.value.arguments["attribute"] == "'TENSOR_ALPHA'"
    assert caught.value.arguments["value"] == "2.0"


def test_empty_attribute_is_an_empty_list(descriptor: Any) -> None:
    descriptor["TENSOR_DIMENSIONS"] = []
    assert descriptor.get("TENSOR_DIMENSIONS") == []


def test_room_for_fewer_elements_gives_fewer(descriptor: Any) -> None:
    descriptor["TENSOR_DIMENSIONS"] = [1, 2, 3]
    assert descriptor.get("TENSOR_DIMENSIONS", count=2) == [1, 2]


def test_descriptors_that_it_refers_to_stay_alive(fake: Any, descriptor: Any) -> None:
    gc.collect()
    before = fake._lib.fakeLive()
    descriptor["OPERATION_X"] = fake.backend_create_descriptor(1)
    gc.collect()
    assert fake._lib.fakeLive() == before + 1


def test_handles_and_closed_descriptors(fake: Any, descriptor: Any) -> None:
    handle = CudnnHandle(fake, fake._ffi.cast("void *", 0x40))
    descriptor["PLAN_HANDLE"] = handle
    assert descriptor["PLAN_HANDLE"] == 0x40
    closed = fake.backend_create_descriptor(1)
    closed.close()
    with pytest.raises(DescriptorClosedError, match="OPERATION_X"):
        descriptor["OPERATION_X"] = closed
    for use in (lambda: closed.set("TENSOR_ALPHA", 1.0), lambda: closed.get("TENSOR_ALPHA"), closed.finalize):
        with pytest.raises(DescriptorClosedError, match="cudnnBackend"):
            use()


def test_descriptors_are_read_into_new_ones_and_unused_ones_are_freed(fake: Any, descriptor: Any) -> None:
    gc.collect()
    before = fake._lib.fakeLive()
    # The library announces three and then fills two.
    found = descriptor["ENGINE_RESULTS"]
    assert [type(one) for one in found] == [BackendDescriptor] * 2
    assert [fake._lib.fakeKind(one._ptr) for one in found] == [100, 101]
    assert [one.kind for one in found] == [BackendDescriptorType.ENGINE_DESCRIPTOR] * 2
    assert fake._lib.fakeLive() == before + 2
    del found
    gc.collect()
    assert fake._lib.fakeLive() == before


def test_reading_descriptors_of_unknown_type_asks_for_it(descriptor: Any, fake: Any) -> None:
    descriptor["OPERATION_X"] = fake.backend_create_descriptor(1)
    with pytest.raises(ArgumentError, match="'descriptor_type' is needed to read OPERATION_X"):
        descriptor.get("OPERATION_X")


def test_repr_names_the_kind(descriptor: Any) -> None:
    assert repr(descriptor) == f"<BackendDescriptor TENSOR_DESCRIPTOR {descriptor.address:#x} open>"
    descriptor.finalize()
    assert repr(descriptor) == f"<BackendDescriptor TENSOR_DESCRIPTOR {descriptor.address:#x}>"
