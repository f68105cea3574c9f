"""The committed tables at every version where something moved, against what that version's own headers declared."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cudnn_ffi.v9
import pytest
from cudnn_bindgen.history import History
from cudnn_bindgen.model import Api
from cudnn_ffi import ArgumentError
from cudnn_ffi._support.moved import WireTables
from cudnn_ffi._support.tables import value_at
from cudnn_ffi.v9 import enums, structs, tables
from cudnn_ffi.v9._cffi import ffi

HISTORY = History.load()
NINE = [version for version in HISTORY.versions if version.startswith("9.") and "dev" not in version]


def parts(version: str) -> tuple[int, int, int]:
    major, minor, patch, *_ = version.split(".")
    return int(major), int(minor), int(patch)


def enumerators(api: Api, enum: str) -> dict[str, int]:
    return {one.name: one.value for found in api.enums if found.name == enum for one in found.enumerators}


@pytest.mark.parametrize("version", NINE)
def test_numbers_of_moved_enums_are_those_of_the_version(version: str) -> None:
    wires = WireTables(enums, tables.TABLES, parts(version))
    api = HISTORY.api(version)
    for name in tables.TABLES.moved_enums:
        cls = getattr(enums, name)
        expected = enumerators(api, cls.__c_type__)
        found = {member.c_name: wires.number(member) for member in cls if wires.number(member) is not None}
        aliases = {one for one in expected if one not in {member.c_name for member in cls}}
        assert found == {c_name: value for c_name, value in expected.items() if c_name not in aliases}
        for c_name, value in expected.items():
            assert wires.member(cls, value).c_name == c_name or list(expected.values()).count(value) > 1


def test_the_renumbering_of_9_10_1() -> None:
    kind = enums.BackendDescriptorType
    before = WireTables(enums, tables.TABLES, (9, 10, 0))
    after = WireTables(enums, tables.TABLES, (9, 10, 1))
    quantize, band = kind.OPERATION_BLOCK_SCALE_QUANTIZE_DESCRIPTOR, kind.OPERATION_EXPAND_BAND_MATRIX_DESCRIPTOR
    assert (before.number(quantize), after.number(quantize)) == (38, 36)
    assert (before.number(band), after.number(band)) == (36, 39)
    assert before.member(kind, 36) is band
    assert after.member(kind, 36) is quantize
    assert WireTables(enums, tables.TABLES, (9, 9, 0)).number(band) is None


class Loaded(SimpleNamespace):
    """As much of a loaded library as a struct needs to go to C and back."""

    def __init__(self, version: tuple[int, int, int]) -> None:
        super().__init__(version=version, version_text=".".join(map(str, version)), _ffi=ffi, _new=ffi.new)

    def _record(self, name: str) -> Any:
        return value_at(tables.TABLES.moved_records[name], self.version)


def graph(**more: Any) -> Any:
    return structs.GnnCscGraph(
        csc_offsets=1,
        csc_indices=2,
        map_csc_to_coo=3,
        map_rev_to_coo=None,
        n_src_nodes=5,
        n_dst_nodes=6,
        n_indices=7,
        idx_type=enums.DataType.INT64,
        **more,
    )


@pytest.mark.parametrize("version", [one for one in NINE if parts(one) >= (9, 26, 0)])
def test_layout_of_the_graph_is_that_of_the_version(version: str) -> None:
    record = next(one for one in HISTORY.api(version).records if one.name == "cudnnGnnCscGraph_t")
    c = graph()._to_c(Loaded(parts(version)))
    assert ffi.sizeof(ffi.typeof(c).item) == record.size
    assert [name for name, _ in ffi.typeof(c).item.fields] == [field.name for field in record.fields]


def test_graph_to_c_and_back() -> None:
    old, new = Loaded((9, 27, 0)), Loaded((9, 28, 0))
    assert structs.GnnCscGraph._from_c(graph()._to_c(old)[0], old) == graph()
    full = graph(csc_rev_offsets=9)
    assert structs.GnnCscGraph._from_c(full._to_c(new)[0], new) == full
    with pytest.raises(ArgumentError, match=r"csc_rev_offsets.*9\.28\.0"):
        full._to_c(old)


def test_static_enums_hold_the_newest_numbers() -> None:
    newest = HISTORY.api(NINE[-1])
    for name in tables.TABLES.moved_enums:
        cls = getattr(enums, name)
        for c_name, value in enumerators(newest, cls.__c_type__).items():
            assert int(cls.from_c_name(c_name)) == value
    assert cudnn_ffi.v9.enums is enums
