"""Every kind of change on APIs made by hand: what it is called, what it was and is, and whether it breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cudnn_bindgen.diff import diff
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    CType,
    Deprecation,
    Enum,
    Enumerator,
    Field,
    Function,
    FunctionType,
    Handle,
    Location,
    Loss,
    Macro,
    Named,
    Parameter,
    Pointer,
    Primitive,
    Record,
)

INT, LONG, FLOAT = Primitive("int"), Primitive("long"), Primitive("float")


def function(*types: CType, **more: Any) -> Function:
    return Function("f", INT, tuple(Parameter(f"p{place}", one) for place, one in enumerate(types)), **more)


def enum(name: str = "e_t", signed: bool = False, **values: int) -> Enum:
    return Enum(name, tuple(Enumerator(one, value) for one, value in values.items()), signed=signed)


def record(*names: str, name: str = "r_t", kind: Any = "struct", **more: Any) -> Record:
    fields = tuple(Field(one, INT, 4 * place, 4) for place, one in enumerate(names))
    return Record(name, kind, fields, 4 * len(names), 4, **more)


def api(*declarations: Any) -> Api:
    places = {
        Function: "functions",
        Enum: "enums",
        Record: "records",
        Handle: "handles",
        Callback: "callbacks",
        Alias: "aliases",
        Macro: "macros",
    }
    found: dict[str, tuple[Any, ...]] = {}
    for one in declarations:
        found[places[type(one)]] = (*found.get(places[type(one)], ()), one)
    return Api("9.0.0", **found)


def told(before: Api, after: Api) -> list[tuple[str, str, str, bool]]:
    return [(one.kind, one.name, one.change, one.breaking) for one in diff(before, after)]


CALLBACK = Callback("cb_t", FunctionType(INT, (INT,)))
DEPRECATED = Deprecation("advice", "g")


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        (function(INT), [("function", "f", True)]),
        (enum(A=1), [("enum", "e_t", True), ("enumerator", "A", True)]),
        (record("a"), [("struct", "r_t", True)]),
        (record("a", kind="union"), [("union", "r_t", True)]),
        (Handle("h_t", "struct H"), [("handle", "h_t", True)]),
        (CALLBACK, [("callback", "cb_t", True)]),
        # A spelling alone: what goes through it is reported with the function.
        (Alias("a_t", INT), [("alias", "a_t", False)]),
        (Macro("M", 1, "1"), [("macro", "M", False)]),
    ],
)
def test_added_and_removed(declaration: Any, expected: list[tuple[str, str, bool]]) -> None:
    assert told(api(), api(declaration)) == [(kind, name, "added", False) for kind, name, _ in expected]
    removed = diff(api(declaration), api())
    assert [(one.kind, one.name, one.change, one.breaking) for one in removed] == [
        (kind, name, "removed", breaks) for kind, name, breaks in expected
    ]
    assert all(one.after is None and one.before is not None for one in removed)
    assert all((one.reason is not None) == one.breaking for one in removed)
    assert told(api(declaration), api(declaration)) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # values
        (enum(A=1), enum(A=2), [("enumerator", "A", "value", 1, 2, True)]),
        (Macro("M", 1, "1"), Macro("M", 2, "2"), [("macro", "M", "value", 1, 2, False)]),
        (Macro("M", 1, "1"), Macro("M", 1.0, "1.0"), [("macro", "M", "value", 1, 1.0, False)]),
        (Macro("M", 1, "1"), Macro("M", 1, "0 + 1"), []),
        (enum(A=0, B=1), enum(B=1, A=0), []),
        (
            enum(A=0),
            enum(A=0, B=-1, signed=True),
            [("enum", "e_t", "signedness", "unsigned", "signed", False), ("enumerator", "B", "added", None, -1, False)],
        ),
        # functions
        (function(INT), function(LONG), [("function", "f", "signature", "int f(int p0);", "int f(long p0);", True)]),
        (
            function(INT),
            function(INT, INT),
            [("function", "f", "signature", "int f(int p0);", "int f(int p0, int p1);", True)],
        ),
        (
            function(INT),
            function(INT, variadic=True),
            [("function", "f", "signature", "int f(int p0);", "int f(int p0, ...);", True)],
        ),
        (
            function(Pointer(INT)),
            function(Pointer(Primitive("int", const=True))),
            [("function", "f", "signature", "int f(int *p0);", "int f(const int *p0);", False)],
        ),
        (
            function(Array(INT, 4)),
            function(Pointer(INT)),
            [("function", "f", "signature", "int f(int p0[4]);", "int f(int *p0);", False)],
        ),
        (
            function(INT),
            replace(function(INT), parameters=(Parameter("from", INT),)),
            [("function", "f", "parameter", "p0", "from", False)],
        ),
        (function(INT), function(INT, location=Location("b.h", 3), documentation="words"), []),
        (function(INT), function(INT, deprecated=DEPRECATED), [("function", "f", "deprecated", None, "g", False)]),
        (function(INT, deprecated=Deprecation()), function(INT), [("function", "f", "deprecated", True, None, False)]),
        # records
        (record("a"), record("z"), [("struct", "r_t", "fields", ["a"], ["z"], False)]),
        # handles, callbacks, aliases
        (
            Handle("h_t", "struct A"),
            Handle("h_t", "struct B"),
            [("handle", "h_t", "type", "struct A *", "struct B *", False)],
        ),
        (
            Handle("h_t", "struct A"),
            Handle("h_t", "struct A", pointer=False),
            [("handle", "h_t", "type", "struct A *", "struct A", True)],
        ),
        (
            CALLBACK,
            replace(CALLBACK, type=FunctionType(INT, (LONG,))),
            [("callback", "cb_t", "signature", "int (*)(int)", "int (*)(long)", True)],
        ),
        (CALLBACK, replace(CALLBACK, parameter_names=("x",)), []),
        (Alias("a_t", INT), Alias("a_t", LONG), [("alias", "a_t", "type", "int", "long", True)]),
    ],
)
def test_changes(before: Any, after: Any, expected: list[tuple[Any, ...]]) -> None:
    changes = diff(api(before), api(after))
    assert [(c.kind, c.name, c.change, c.before, c.after, c.breaking) for c in changes] == expected
    assert all((one.reason is not None) == one.breaking for one in changes)


def test_layout() -> None:
    (change,) = diff(api(record("a")), api(record("a", "b")))
    assert (change.kind, change.change, change.breaking) == ("struct", "layout", True)
    assert change.before == {"size": 4, "alignment": 4, "fields": [{"name": "a", "type": "int", "offset": 0}]}
    assert change.after["size"] == 8
    field_type = replace(record("a"), fields=(Field("a", FLOAT, 0, 4),))
    assert told(api(record("a")), api(field_type)) == [("struct", "r_t", "layout", True)]


@pytest.mark.parametrize(
    "way",
    [
        (function(Named("r_t")),),
        (function(Pointer(Named("r_t", const=True))),),
        (function(Pointer(Named("r_tag", "struct"))),),
        (function(Pointer(Named("outer_t"))), Record("outer_t", "struct", (Field("r", Named("r_t"), 0, 8),), 8, 4)),
        (function(Named("a_t")), Alias("a_t", Pointer(Named("r_t")))),
        (function(Named("cb_t")), Callback("cb_t", FunctionType(INT, (Pointer(Named("r_t")),)))),
        (function(Pointer(FunctionType(Named("r_t")))),),
        (replace(function(), returns=Named("r_t")),),
    ],
)
def test_a_layout_reaches_the_functions_that_lead_to_it(way: tuple[Any, ...]) -> None:
    before, after = api(record("a", tag="r_tag"), *way), api(record("a", "b", tag="r_tag"), *way)
    assert ("function", "f", "argument", True) in told(before, after)
    (change,) = [one for one in diff(before, after) if one.change == "argument"]
    assert (change.before, change.after) == ("r_t, 4 bytes", "r_t, 8 bytes")
    other = replace(function(INT), name="other")
    assert [one.name for one in diff(api(other, record("a")), api(other, record("a", "b")))] == ["r_t"]


def test_a_typedef_reaches_the_functions_that_use_it() -> None:
    one = function(Named("a_t"))
    assert told(api(one, Alias("a_t", INT)), api(one, Alias("a_t", LONG))) == [
        ("function", "f", "argument", True),
        ("alias", "a_t", "type", True),
    ]
    # Another spelling of the same type calls in the same way.
    assert told(api(function(INT)), api(one, Alias("a_t", INT))) == [
        ("function", "f", "signature", False),
        ("alias", "a_t", "added", False),
    ]


def test_counts_that_grow_break_and_say_why() -> None:
    changes = diff(api(enum(A=0, X_COUNT=1)), api(enum(A=0, B=1, X_COUNT=2)))
    assert [(one.name, one.change, one.breaking) for one in changes] == [
        ("B", "added", False),
        ("X_COUNT", "value", True),
    ]
    assert changes[1].reason == "compiled programs hold the old value as a size or a limit"
    (attribute,) = diff(api(enum(BATCH_COUNT=1, Z=9)), api(enum(BATCH_COUNT=2, Z=9)))
    assert attribute.reason == "compiled programs hold the old value"


def test_an_enumerator_that_goes_to_another_enum() -> None:
    before, after = api(enum(A=0, B=1), enum("o_t", C=2)), api(enum(A=0), enum("o_t", C=2, B=1))
    (change,) = diff(before, after)
    assert (change.name, change.change, change.before, change.after, change.breaking) == (
        "B",
        "enum",
        "e_t",
        "o_t",
        False,
    )


def test_documented_directions_are_compared_where_both_have_one() -> None:
    def documented(direction: Any) -> Api:
        return api(Function("f", INT, (Parameter("x", Pointer(INT), direction),)))

    assert diff(documented(None), documented("out")) == []
    (change,) = diff(documented("in"), documented("out"))
    assert (change.change, change.breaking) == ("direction", False)
    assert (change.before, change.after) == (
        {"parameter": "x", "direction": "in"},
        {"parameter": "x", "direction": "out"},
    )


def test_what_belongs_to_cuda_and_losses_are_no_changes() -> None:
    stream = Handle("cudaStream_t", "struct S", external=True)
    library = Enum("property", (Enumerator("MAJOR", 0),), external=True)
    before = replace(api(), losses=(Loss("M", "macro", "no constant", Location("a.h", 1)),))
    assert diff(before, api(stream, library, Alias("size_t", LONG, external=True))) == []


def test_order_is_the_newer_versions_with_removals_behind() -> None:
    def named(*names: str) -> Api:
        return api(*(replace(function(), name=name) for name in names))

    assert [(one.name, one.change) for one in diff(named("z", "gone", "b"), named("new", "z", "a", "b"))] == [
        ("new", "added"),
        ("a", "added"),
        ("gone", "removed"),
    ]


def test_as_json() -> None:
    (change,) = diff(api(enum(A=1)), api(enum(A=2)))
    assert change.as_json() == {
        "kind": "enumerator",
        "name": "A",
        "change": "value",
        "before": 1,
        "after": 2,
        "breaking": True,
        "reason": "compiled programs hold the old value",
    }
