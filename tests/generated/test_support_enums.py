"""Open enums: what the standard library's do, plus survival of unknown values and C names."""

from __future__ import annotations

import copy
import enum
import pickle

import pytest
from cudnn_ffi._support.enums import OpenIntEnum, renumbered
from fakebind.v9.enums import DataType, Kind, SeverityMask


class Plain(enum.IntEnum):
    """What `Kind` would be in the standard library, to compare with."""

    FIRST = 1
    SAME_AS_FIRST = 1
    MOVED = 40
    LATE = 37
    ODD = -1


def test_behaves_as_the_standard_enum_for_known_values() -> None:
    assert issubclass(Kind, enum.IntEnum)
    assert [(m.name, m.value) for m in Kind] == [(m.name, m.value) for m in Plain]
    assert {n: int(m) for n, m in Kind.__members__.items()} == {n: int(m) for n, m in Plain.__members__.items()}
    assert len(Kind) == len(Plain)
    assert Kind(40) is Kind.MOVED is Kind["MOVED"]
    assert Kind.SAME_AS_FIRST is Kind.FIRST
    assert [int(m) for m in reversed(Kind)] == [int(m) for m in reversed(Plain)]
    assert isinstance(Kind.FIRST, Kind)
    assert set(dir(Plain)) <= set(dir(Kind)) | {"__dir__"} | {m for m in dir(Plain) if m.startswith("__")}


def test_members_cannot_be_replaced() -> None:
    with pytest.raises(AttributeError):
        Kind.FIRST = 3  # type: ignore[misc, assignment]


@pytest.mark.parametrize("value", [Kind.FIRST, Kind.ODD, Kind(9999), Kind(-7), DataType.DOUBLE, SeverityMask.ERROR_EN])
def test_pickles_and_copies_as_the_same_value_and_type(value: enum.IntEnum) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(value, protocol))
        assert (type(twin), twin, repr(twin)) == (type(value), value, repr(value))
    assert repr(copy.deepcopy(value)) == repr(value)


def test_unknown_value_is_an_int_with_a_readable_repr() -> None:
    unknown = Kind(9999)
    assert repr(unknown) == "<Kind.UNKNOWN_9999: 9999>"
    assert unknown == 9999
    assert hash(unknown) == hash(9999)
    assert unknown in {9999}
    assert (unknown.name, unknown.value, unknown.known) == ("UNKNOWN_9999", 9999, False)
    assert unknown == Kind(9999)
    assert unknown not in list(Kind)
    assert Kind(-7).name == "UNKNOWN_MINUS_7"
    assert f"{unknown}" == str(unknown) == "9999"


@pytest.mark.parametrize("value", ["FIRST", None, 1.5, [1], object()])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        Kind(value)


def test_c_names() -> None:
    assert Kind.FIRST.c_name == "CUDNN_KIND_FIRST"
    assert Kind.ODD.c_name == "CUDNN_QUITE_ODD"
    assert Kind(5).c_name == "(cudnnKind_t)5"
    assert Kind.from_c_name("CUDNN_QUITE_ODD") is Kind.ODD
    assert Kind.from_c_name("CUDNN_KIND_SAME_AS_FIRST") is Kind.FIRST
    with pytest.raises(KeyError, match="cudnnKind_t has no enumerator CUDNN_KIND_NONE"):
        Kind.from_c_name("CUDNN_KIND_NONE")


def test_aliases_are_kept() -> None:
    assert Kind.aliases() == {"SAME_AS_FIRST": Kind.FIRST}
    assert "SAME_AS_FIRST" in Kind.__members__


def test_known_numbers_are_members_and_unknown_ones_are_not() -> None:
    assert 40 in Kind
    assert Kind.MOVED in Kind
    assert 9999 not in Kind


def test_flags_keep_bits_without_a_name() -> None:
    both = SeverityMask.ERROR_EN | SeverityMask.WARNING_EN
    assert both == 6
    assert both.c_name == "CUDNN_SEV_ERROR_EN | CUDNN_SEV_WARNING_EN"
    assert SeverityMask(64) == 64
    assert (SeverityMask.ERROR_EN | SeverityMask(64)).c_name == "CUDNN_SEV_ERROR_EN | 64"
    assert SeverityMask(0).c_name == "0"


def test_renumbered_members_pickle_by_name_into_the_static_class() -> None:
    other = renumbered(Kind, {"FIRST": 1, "MOVED": 37})
    assert [(m.name, int(m)) for m in other] == [("FIRST", 1), ("MOVED", 37)]
    assert other.MOVED.c_name == "CUDNN_KIND_MOVED"
    assert pickle.loads(pickle.dumps(other.MOVED)) is Kind.MOVED
    assert repr(pickle.loads(pickle.dumps(other(555)))) == "<Kind.UNKNOWN_555: 555>"


def test_methods_may_stand_in_a_body() -> None:
    class Small(OpenIntEnum, c_type="small", c_prefix="S_"):
        ONE = 1

        def double(self) -> int:
            return int(self) * 2

    assert Small.ONE.double() == 2
    assert list(Small.__members__) == ["ONE"]
