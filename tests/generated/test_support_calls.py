"""What happens when a call goes wrong, or a library answers what its bindings have never heard of."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from cudnn_ffi._support.errors import (
    ArgumentError,
    CudnnFfiError,
    DescriptorClosedError,
    LibraryNotFoundError,
    StatusError,
    SymbolNotAvailableError,
)
from fakebind.v9.enums import DataType, Kind
from fakebind.v9.library import BadParamError


def test_enum_value_newer_than_the_bindings_survives(fake: Any) -> None:
    found = fake.get_kind(3777)
    assert found == 3777
    assert repr(found) == "<Kind.UNKNOWN_3777: 3777>"
    assert type(found) is Kind


def test_unknown_status_is_a_status_error_with_its_number(fake: Any) -> None:
    with pytest.raises(StatusError) as caught:
        fake.fail(12345)
    assert type(caught.value) is StatusError
    assert caught.value.status == 12345
    assert caught.value.status_name == "cudnnStatus_t 12345"
    assert str(caught.value) == "cudnnFail(status=12345) answered cudnnStatus_t 12345 (12345): told to fail"


def test_unknown_status_without_last_error_takes_the_library_s_own_word(old: Any) -> None:
    with pytest.raises(StatusError, match="CUDNN_STATUS_FROM_THE_FUTURE"):
        old.fail(12345)


def test_status_becomes_its_class_with_everything_known(fake: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    with pytest.raises(BadParamError) as caught:
        fake.set_tensor(tensor, DataType.HALF, -5)
    error = caught.value
    assert (error.function, error.status, error.status_name) == ("cudnnSetTensor", 2000, "CUDNN_STATUS_BAD_PARAM")
    assert error.message == "n must be positive"
    assert error.arguments["n"] == "-5"
    assert error.arguments["type_"] == "<DataType.HALF: 2>"


def test_status_comes_before_out_values(fake: Any) -> None:
    # The library wrote 0x7eadbeef into the out value and failed: the status is what the caller must hear of.
    with pytest.raises(BadParamError):
        fake.fail(2000)
    assert fake.fail(0) == 0x7EADBEEF


@pytest.mark.parametrize(("count", "rows"), [(0, []), (2, [10, 11]), (9, [10, 11, 12, 13]), (-1, [])])
def test_returned_count_is_trusted(fake: Any, count: int, rows: list[int]) -> None:
    assert fake.find_things(4, count) == rows


def _all_errors() -> list[CudnnFfiError]:
    return [
        BadParamError("cudnnX", 2000, "CUDNN_STATUS_BAD_PARAM", "text", {"n": "-5"}),
        StatusError("cudnnX", 77),
        ArgumentError("n", "is wrong", "cudnnX"),
        DescriptorClosedError("TensorDescriptor", "cudnnX", "t"),
        SymbolNotAvailableError("cudnnX", "9.1.0", "/lib/x", "9.10.0", None),
        LibraryNotFoundError("nowhere"),
    ]


@pytest.mark.parametrize("error", _all_errors(), ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_pickle_and_copy_without_loss(error: CudnnFfiError, protocol: int) -> None:
    error.added = "by a caller"  # type: ignore[attr-defined]
    for twin in (pickle.loads(pickle.dumps(error, protocol)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert vars(twin) == vars(error)
        assert str(twin) == str(error)
        assert twin.args == error.args


def test_argument_errors_are_type_errors() -> None:
    assert issubclass(ArgumentError, TypeError)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", 0, 1), "cudnnSetTensor: argument 'tensor' must be TensorDescriptor, not 'x'"),
        ((None, 0, 1), "cudnnSetTensor: argument 'tensor' must be TensorDescriptor, not None"),
        (("T", "float", 1), "cudnnSetTensor: argument 'type_' must be DataType or int, not 'float'"),
        (("T", 0, 1.5), "cudnnSetTensor: argument 'n' must be int, not 1.5"),
        (("T", 0, 1 << 40), "cudnnSetTensor: argument 'n' must fit the C type int, and 1099511627776 does not"),
        (("T", 0, [1]), "cudnnSetTensor: argument 'n' must be int, not [1]"),
    ],
)
def test_wrong_argument_is_named(fake: Any, arguments: tuple[Any, ...], message: str) -> None:
    with fake.create_tensor_descriptor() as tensor:
        actual = [tensor if value == "T" else value for value in arguments]
        with pytest.raises(ArgumentError) as caught:
            fake.set_tensor(*actual)
    assert str(caught.value) == message


def test_closed_descriptor_is_named(fake: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    tensor.close()
    with pytest.raises(
        DescriptorClosedError, match="cudnnSetTensor: argument 'tensor' is a TensorDescriptor that was closed"
    ):
        fake.set_tensor(tensor, 0, 1)


def test_missing_function_hurts_only_who_calls_it(old: Any) -> None:
    assert old.get_kind(1) is Kind.FIRST
    with pytest.raises(SymbolNotAvailableError) as caught:
        old.newer()
    assert (caught.value.symbol, caught.value.loaded, caught.value.since) == ("cudnnNewer", "9.1.0", "9.10.0")
    assert "cuDNN 9.10.0 brought it" in str(caught.value)


def test_removed_function_says_which_version_was_the_last(fake: Any) -> None:
    with pytest.raises(
        SymbolNotAvailableError, match=r"cudnnNowhere is not in .*9\.28\.1.*: cuDNN 9\.5\.0 was the last"
    ):
        fake.nowhere(1)


def test_availability_goes_by_the_symbol_not_the_version(fake: Any, old: Any) -> None:
    assert fake.has("cudnnNewer")
    assert fake.has("newer")
    assert not old.has("newer")
    assert not fake.has("cudnnNowhere")
    assert not fake.has("no_such_thing")
    assert fake.missing() == ["cudnnNowhere"]
    assert old.missing() == ["cudnnNewer", "cudnnNowhere"]


def test_a_library_pickles_with_a_clear_refusal(fake: Any) -> None:
    with pytest.raises(TypeError, match="load it again"):
        pickle.dumps(fake)


class TestMovedEnumerators:
    def test_member_is_passed_by_its_value_at_the_loaded_version(self, fake: Any, old: Any) -> None:
        assert int(Kind.MOVED) == 40
        assert fake._wire(Kind.MOVED, Kind) == 40
        assert old._wire(Kind.MOVED, Kind) == 37

    def test_number_passes_as_it_is(self, old: Any) -> None:
        assert old._wire(40, Kind) == 40

    def test_number_comes_back_as_what_the_loaded_version_means(self, fake: Any, old: Any) -> None:
        assert old.get_kind(37) is Kind.MOVED
        assert fake.get_kind(37) is Kind.LATE
        # 40 means nothing in 9.1: it must not turn into the member that 9.10 gave that number.
        assert repr(old.get_kind(40)) == "<Kind.UNKNOWN_40: 40>"

    def test_member_that_the_loaded_version_lacks_is_refused(self, old: Any) -> None:
        with pytest.raises(SymbolNotAvailableError, match=r"CUDNN_KIND_LATE is not in .*cuDNN 9\.10\.0 brought it"):
            old.get_kind(Kind.LATE)

    def test_namespace_carries_the_version_s_numbers(self, fake: Any, old: Any) -> None:
        assert old.enums.Kind.MOVED == 37
        assert fake.enums.Kind.MOVED == 40
        assert not hasattr(old.enums.Kind, "LATE")
        assert old.enums.DataType is DataType
        assert old._wire(old.enums.Kind.MOVED, Kind) == 37

    def test_moved_signature_and_record_follow_the_version(self, fake: Any, old: Any) -> None:
        assert fake._record("cudnnThing_t") == "cudnnThing_t"
        assert old._record("cudnnThing_t") == "cudnnThing_t__9_0_0"
        assert old.fail(0) == 0x7EADBEEF


@pytest.mark.parametrize("value", [0.0, 1.0, -2.5, 0.1, 1])
def test_scaling_factors_are_double_for_double_data_only(fake: Any, value: float) -> None:
    import struct

    with fake.create_tensor_descriptor() as tensor:
        as_float = struct.unpack("f", struct.pack("f", value))[0]
        assert fake._lib.fakeReadScalar(fake._scalar(value, tensor, None), 0) == as_float
        fake.set_tensor(tensor, DataType.HALF, 1)
        assert fake._lib.fakeReadScalar(fake._scalar(value, tensor), 0) == as_float
        fake.set_tensor(tensor, DataType.DOUBLE, 1)
        assert fake._lib.fakeReadScalar(fake._scalar(value, tensor), 1) == value


def test_negative_zero_keeps_its_sign(fake: Any) -> None:
    import math

    assert math.copysign(1, fake._lib.fakeReadScalar(fake._scalar(-0.0), 0)) == -1


@pytest.mark.parametrize(
    ("data_type", "value", "data"),
    [
        (DataType.FLOAT, 1.0, "0000803f"),
        (DataType.DOUBLE, 1.0, "000000000000f03f"),
        (DataType.HALF, 1.0, "003c"),
        (DataType.INT8, -1, "ff"),
    ],
)
def test_number_is_encoded_by_its_data_type(fake: Any, data_type: DataType, value: float, data: str) -> None:
    buffer = fake._number(value, data_type)
    assert bytes(fake._ffi.buffer(buffer, len(data) // 2)).hex() == data
    assert fake._read_number(buffer, data_type) == value


@pytest.mark.parametrize(
    ("value", "data_type"), [(300, DataType.INT8), ("1", DataType.FLOAT), (1.0, DataType.FP8_E4M3)]
)
def test_number_that_has_no_such_form_is_refused(fake: Any, value: Any, data_type: DataType) -> None:
    with pytest.raises(ArgumentError, match="'value'"):
        fake._number(value, data_type)
