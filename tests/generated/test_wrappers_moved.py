"""One package for two versions of a library that moved a signature, a layout and enumerators between them.

The library is C text in either form; what its functions answer proves which form a call took.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

COMMON = """
#include <stddef.h>
#define CUDNN_DIM_MAX 8
typedef enum { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_BAD_PARAM = 2000 } cudnnStatus_t;
typedef enum { CUDNN_DATA_FLOAT = 0, CUDNN_DATA_DOUBLE = 1 } cudnnDataType_t;
size_t cudnnGetVersion(void);
"""
OLD = (
    COMMON
    + """
typedef enum { CUDNN_KIND_FIRST = 1, CUDNN_KIND_QUANTIZE = 36, CUDNN_KIND_BAND = 38 } cudnnKind_t;
typedef struct { int count; cudnnKind_t kind; } cudnnGraph_t;
cudnnStatus_t cudnnScale(int a, int b, int *sum);
cudnnStatus_t cudnnEchoKind(cudnnKind_t kind, cudnnKind_t *next, int *number);
cudnnStatus_t cudnnCountGraph(const cudnnGraph_t *graph, int *sum);
cudnnStatus_t cudnnFillGraph(cudnnGraph_t *graph);
"""
)
NEW = (
    COMMON
    + """
typedef enum {
    CUDNN_KIND_FIRST = 1, CUDNN_KIND_QUANTIZE = 38, CUDNN_KIND_BAND = 36, CUDNN_KIND_ADDED = 40
} cudnnKind_t;
typedef struct { double weight; int count; cudnnKind_t kind; int extra; } cudnnGraph_t;
cudnnStatus_t cudnnScale(double a, double b, int *sum);
cudnnStatus_t cudnnEchoKind(cudnnKind_t kind, cudnnKind_t *next, int *number);
cudnnStatus_t cudnnCountGraph(const cudnnGraph_t *graph, int *sum);
cudnnStatus_t cudnnFillGraph(cudnnGraph_t *graph);
cudnnStatus_t cudnnAdded(int *number);
"""
)
# `cudnnEchoKind` answers the other of QUANTIZE and BAND, and the number that it was given.
OLD_CODE = (
    OLD
    + """
size_t cudnnGetVersion(void) { return 90000; }
cudnnStatus_t cudnnScale(int a, int b, int *sum) { *sum = a * 10 + b; return 0; }
cudnnStatus_t cudnnEchoKind(cudnnKind_t kind, cudnnKind_t *next, int *number) {
    *number = kind; *next = kind == CUDNN_KIND_QUANTIZE ? CUDNN_KIND_BAND : CUDNN_KIND_QUANTIZE; return 0; }
cudnnStatus_t cudnnCountGraph(const cudnnGraph_t *graph, int *sum) {
    *sum = graph->count * 1000 + graph->kind; return sizeof(*graph) == 8 ? 0 : 2000; }
cudnnStatus_t cudnnFillGraph(cudnnGraph_t *graph) { graph->count = 7; graph->kind = CUDNN_KIND_BAND; return 0; }
"""
)
NEW_CODE = (
    NEW
    + """
size_t cudnnGetVersion(void) { return 90200; }
cudnnStatus_t cudnnScale(double a, double b, int *sum) { *sum = (int)(a * 100 + b); return 0; }
cudnnStatus_t cudnnEchoKind(cudnnKind_t kind, cudnnKind_t *next, int *number) {
    *number = kind; *next = kind == CUDNN_KIND_QUANTIZE ? CUDNN_KIND_BAND : CUDNN_KIND_QUANTIZE; return 0; }
cudnnStatus_t cudnnCountGraph(const cudnnGraph_t *graph, int *sum) {
    *sum = graph->count * 1000 + graph->kind + graph->extra * 100000; return sizeof(*graph) == 24 ? 0 : 2000; }
cudnnStatus_t cudnnFillGraph(cudnnGraph_t *graph) {
    graph->weight = 0.5; graph->count = 8; graph->kind = CUDNN_KIND_BAND; graph->extra = 9; return 0; }
cudnnStatus_t cudnnAdded(int *number) { *number = 5; return 0; }
"""
)


@pytest.fixture
def package(rendered: Callable[..., ModuleType]) -> ModuleType:
    return rendered({"9.0.0": OLD, "9.1.0": OLD, "9.2.0": NEW})


@pytest.fixture(scope="module")
def old_file(compiled: Callable[[str, str], Path]) -> Path:
    return compiled(OLD_CODE, "libcudnn.so.9")


@pytest.fixture(scope="module")
def new_file(compiled: Callable[[str, str], Path]) -> Path:
    return compiled(NEW_CODE, "libcudnn.so.9")


@pytest.fixture
def old(package: ModuleType, old_file: Path) -> Any:
    return package.load(old_file)


@pytest.fixture
def new(package: ModuleType, new_file: Path) -> Any:
    return package.load(new_file)


def test_signature_of_the_loaded_version(old: Any, new: Any) -> None:
    assert (old.version, new.version) == ((9, 0, 0), (9, 2, 0))
    assert old.scale(3, 4) == 34
    assert new.scale(3, 4) == 304


def test_old_signature_takes_no_fraction(package: ModuleType, old: Any, new: Any) -> None:
    assert new.scale(0.5, 4) == 54
    with pytest.raises(package.ArgumentError, match="cudnnScale"):
        old.scale(0.5, 4)


@pytest.mark.parametrize(("which", "quantize", "band"), [("old", 36, 38), ("new", 38, 36)])
def test_moved_members_go_by_name_and_come_back_by_name(
    which: str, quantize: int, band: int, request: pytest.FixtureRequest
) -> None:
    library = request.getfixturevalue(which)
    kind = library._enums_module.Kind
    answer = library.echo_kind(kind.QUANTIZE)
    assert answer.number == quantize
    assert answer.next.name == "BAND"
    assert library.echo_kind(kind.BAND).number == band
    assert library.echo_kind(kind.BAND).next.name == "QUANTIZE"


def test_plain_numbers_pass_as_they_are(old: Any, new: Any) -> None:
    assert old.echo_kind(17).number == new.echo_kind(17).number == 17


def test_enums_of_the_loaded_version(old: Any, new: Any) -> None:
    assert (int(old.enums.Kind.QUANTIZE), int(new.enums.Kind.QUANTIZE)) == (36, 38)
    assert old.echo_kind(old.enums.Kind.QUANTIZE).number == 36
    assert not hasattr(old.enums.Kind, "ADDED")


def test_member_that_the_loaded_version_lacks(package: ModuleType, old: Any) -> None:
    with pytest.raises(package.SymbolNotAvailableError, match=r"CUDNN_KIND_ADDED.*9\.2\.0"):
        old.echo_kind(old._enums_module.Kind.ADDED)


def test_layout_of_the_loaded_version(old: Any, new: Any) -> None:
    kind = old._enums_module.Kind
    graph = old.structs.Graph(count=6, kind=kind.BAND)
    assert old.count_graph(graph) == 6038
    assert new.count_graph(new.structs.Graph(count=6, kind=kind.BAND, extra=2, weight=1.0)) == 206036


def test_layout_read_back(old: Any, new: Any) -> None:
    before, after = old.fill_graph(), new.fill_graph()
    assert (before.count, before.kind.name, before.extra, before.weight) == (7, "BAND", None, None)
    assert (after.count, after.kind.name, after.extra, after.weight) == (8, "BAND", 9, 0.5)


def test_field_that_the_loaded_layout_lacks(package: ModuleType, old: Any) -> None:
    graph = old.structs.Graph(count=6, kind=1, extra=3)
    with pytest.raises(package.ArgumentError, match=r"extra.*9\.2\.0.*9\.0\.0"):
        old.count_graph(graph)


def test_function_that_the_loaded_version_lacks(package: ModuleType, old: Any, new: Any) -> None:
    assert new.added() == 5
    with pytest.raises(package.SymbolNotAvailableError, match=r"cudnnAdded.*9\.2\.0"):
        old.added()
    assert old.missing() == ["cudnnAdded"]


def test_the_same_static_enum_holds_the_newest_numbers(package: ModuleType, old: Any) -> None:
    kind = old._enums_module.Kind
    assert {member.name: int(member) for member in kind} == {"FIRST": 1, "BAND": 36, "QUANTIZE": 38, "ADDED": 40}
    del package
