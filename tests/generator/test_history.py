"""The history on small APIs made by hand: merging, the file, and the line that rendering takes."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from cudnn_bindgen.errors import HistoryError, UnknownNameError, UnknownVersionError
from cudnn_bindgen.history import History
from cudnn_bindgen.history_facts import normalised
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
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

INT = Primitive("int")
SIZE = Named("size_t")


def function(name: str, *parameters: Parameter, **more: object) -> Function:
    return Function(name, Named("status_t"), parameters, location=Location("a.h", 3), **more)  # type: ignore[arg-type]


def enum(name: str, **values: int) -> Enum:
    place = Location("a.h", 9)
    members = tuple(Enumerator(one, value, str(value), location=place) for one, value in values.items())
    return Enum(name, members, location=place)


def record(name: str, *fields: tuple[str, int, int]) -> Record:
    made = tuple(Field(one, INT if size == 4 else SIZE, offset, size) for one, offset, size in fields)
    end = fields[-1][1] + fields[-1][2]
    return Record(name, "struct", made, -(-end // 8) * 8, 8, location=Location("a.h", 20))


def api(version: str, **more: object) -> Api:
    return Api(version, ("a.h",), **more)  # type: ignore[arg-type]


def merged(*apis: Api) -> History:
    history = History()
    for one in apis:
        history.add(one)
    return history


RICH = Api(
    version="9.1.0.7",
    headers=("a.h", "b.h"),
    functions=(
        function("f", Parameter("from", Pointer(Primitive("void", const=True)), "in"), Parameter("", SIZE)),
        Function(
            "g",
            Pointer(Primitive("char", const=True)),
            (Parameter("a", Array(INT, 8), "inout"), Parameter("b", Array(Named("x_t", "struct", const=True)))),
            variadic=True,
            deprecated=Deprecation("use h", "h"),
            location=Location("b.h", 4),
            documentation="text",
        ),
        Function("h", Primitive("unsigned long"), deprecated=Deprecation(), location=Location("b.h", 5)),
        Function(
            "k",
            Primitive("void"),
            (Parameter("cb", Pointer(FunctionType(INT, (Pointer(INT, const=True, restrict=True),), variadic=True))),),
        ),
    ),
    enums=(
        Enum(
            "e_t",
            (
                Enumerator("A", -1, "-1", location=Location("a.h", 10)),
                Enumerator("B", 4, "A + 5", deprecated=Deprecation(None, "A"), location=Location("a.h", 11)),
                Enumerator("C", 4, "B", "B", location=Location("b.h", 1)),
            ),
            tag="e_tag",
            signed=True,
            location=Location("a.h", 9),
        ),
        Enum("empty", (), tag="empty", typedef=False, external=True),
    ),
    records=(
        Record(
            "r_t",
            "union",
            (
                Field("low", Primitive("unsigned int"), 0, 4, bits=3, bit_offset=2, deprecated=Deprecation("no")),
                Field("grid", Array(Array(INT, 3), 2), 0, 24),
            ),
            24,
            4,
            tag="r",
            typedef=False,
            packed=True,
        ),
    ),
    handles=(Handle("h_t", "struct H"), Handle("i_t", "struct I", pointer=False, external=True)),
    callbacks=(
        Callback("cb_t", FunctionType(Primitive("void"), (INT, Pointer(Primitive("void")))), ("level", "user")),
        Callback("bare_t", FunctionType(INT), pointer=False),
    ),
    aliases=(Alias("a_t", Pointer(Array(INT, 4)), deprecated=Deprecation()),),
    macros=(Macro("N", 1, "1"), Macro("X", 1.0, "1.0"), Macro("S", 'a"b', '"a\\"b"', Location("a.h", 2))),
    losses=(Loss("BAD", "macro", "no constant", Location("a.h", 1)),),
)


def test_one_version_comes_back_but_for_what_is_not_kept() -> None:
    history = merged(RICH)
    kept = History.from_text(history.text()).api("9.1.0.7")
    assert kept == normalised(RICH)
    # What `normalised` drops, by hand on a few places, and that it drops nothing else.
    assert kept.functions[0] == replace(RICH.functions[0], location=Location("a.h"))
    assert kept.functions[1].deprecated == Deprecation(None, "h")
    assert kept.functions[1].documentation is None
    assert kept.functions[1].parameters == RICH.functions[1].parameters
    assert kept.functions[3] == RICH.functions[3]
    assert [one.location for one in kept.enums[0].enumerators] == [Location("a.h"), Location("a.h"), Location("b.h")]
    assert kept.enums[1] == RICH.enums[1]
    low = replace(RICH.records[0].fields[0], deprecated=Deprecation())
    assert kept.records[0] == replace(RICH.records[0], fields=(low, RICH.records[0].fields[1]))
    assert (kept.handles, kept.callbacks, kept.aliases) == (RICH.handles, RICH.callbacks, RICH.aliases)
    assert kept.macros == (RICH.macros[0], RICH.macros[1], replace(RICH.macros[2], location=Location("a.h")))
    assert [type(macro.value) for macro in kept.macros] == [int, float, str]
    assert kept.losses == ()
    assert kept.headers == ("a.h", "b.h")


FOUR = (
    api("9.0.0.1", functions=(function("old"), function("f")), enums=(enum("e_t", A=0, B=1),)),
    api("9.1.0.2.dev5", functions=(function("old"), function("new"), function("f")), enums=(enum("e_t", A=0, B=2),)),
    api("9.1.0.2", functions=(function("f"), function("new")), enums=(enum("e_t", A=0, C=1, B=2), enum("e2_t", D=1))),
    api("9.10.0.3", functions=(function("old"), function("f")), enums=(enum("e_t", B=1, A=0),)),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_the_order_of_adding_does_not_matter(order: tuple[int, ...]) -> None:
    history = merged(*(FOUR[place] for place in order))
    assert history.text() == merged(*FOUR).text()
    assert history.versions == ("9.0.0.1", "9.1.0.2.dev5", "9.1.0.2", "9.10.0.3")
    for one in FOUR:
        assert history.api(one.version) == normalised(one)


@pytest.mark.parametrize("place", range(4))
def test_adding_a_version_again_replaces_it(place: int) -> None:
    history = merged(*FOUR)
    history.add(replace(RICH, version=FOUR[place].version))
    others = [one for one in FOUR if one != FOUR[place]]
    assert history.text() == merged(*others, replace(RICH, version=FOUR[place].version)).text()
    history.add(FOUR[place])
    assert history.text() == merged(*FOUR).text()


def test_adding_the_newest_version_touches_only_the_lines_of_what_moved() -> None:
    before = api("9.0.0.1", functions=(function("a"), function("b"), function("c")), enums=(enum("e_t", A=0, B=1),))
    after = api(
        "9.0.1.1",
        functions=(function("a"), function("b", Parameter("x", INT)), function("c"), function("d")),
        enums=(enum("e_t", A=0, B=5),),
    )
    old, new = (
        {line.rstrip(",") for line in merged(*apis).text().splitlines()} for apis in ((before,), (before, after))
    )
    gone = sorted(old - new)
    come = sorted(new - old)
    assert [json.loads(line).get("function") or json.loads(line).get("enumerator") for line in gone] == ["B", "b"]
    assert come == [
        '"9.0.1.1"',
        (
            '{"enumerator":"B","in":"9.0.0.1-","after":"A","enum":"e_t","expression@":{"9.0.0.1":"1","9.0.1.1":"5"},'
            '"value@":{"9.0.0.1":1,"9.0.1.1":5}}'
        ),
        (
            '{"function":"b","in":"9.0.0.1-","after":"a",'
            '"c@":{"9.0.0.1":"status_t b(void)","9.0.1.1":"status_t b(int x)"},"file":"a.h"}'
        ),
        '{"function":"d","in":"9.0.1.1-","after":"c","c":"status_t d(void)","file":"a.h"}',
    ]


def test_spans_are_three_part_and_join_builds() -> None:
    history = merged(*FOUR)
    assert history.spans("function", "f") == (("9.0.0", None),)
    assert history.spans("function", "new") == (("9.1.0", "9.1.0"),)
    # The development build of 9.1.0 still has it.
    assert history.spans("function", "old") == (("9.0.0", None),)
    assert history.spans("enumerator", "C") == (("9.1.0", "9.1.0"),)
    gap = merged(FOUR[0], FOUR[2], FOUR[3])
    assert gap.spans("function", "old") == (("9.0.0", "9.0.0"), ("9.10.0", None))


def test_unknown_version() -> None:
    with pytest.raises(UnknownVersionError, match=r"9\.9\.9\.9 is not among"):
        merged(*FOUR).api("9.9.9.9")
    with pytest.raises(UnknownVersionError, match="no version of cuDNN 8, only of 9"):
        merged(*FOUR).line(8)


def test_unknown_names_are_told_with_near_ones() -> None:
    history, newest = merged(*FOUR), "9.10.0.3"
    calls = {
        "spans": lambda kind, name: history.spans(kind, name),
        "fact": lambda kind, name: history.fact(kind, name, "c", newest),
        "declaration": lambda kind, name: history.declaration(kind, name, newest),
    }
    for name, call in calls.items():
        with pytest.raises(UnknownNameError, match=r"from 9\.0\.0 on has the name olds; near names are old"):
            call("function", "olds")
        with pytest.raises(UnknownNameError, match=r"old is of kind function, not enum"):
            call("enum", "old")
        with pytest.raises(UnknownNameError, match=r"no declaration is of kind 'fonction'; kinds are .*function"):
            call("fonction", "old")
        if name != "spans":
            with pytest.raises(UnknownNameError, match=rf"cuDNN {newest} has no new; it is there in 9\.1\.0"):
                call("function", "new")
    with pytest.raises(UnknownNameError, match=r"from 9\.0\.0 on has the name e3_t; near names are e_t"):
        history.enumerators("e3_t", newest)
    with pytest.raises(UnknownNameError, match="kind 'enumerator' has no declarations of its own"):
        history.declaration("enumerator", "A", newest)
    for call in (history.declaration, lambda *given: history.fact(*given[:2], "c", given[2])):
        with pytest.raises(UnknownVersionError, match=r"no version '9\.10'; History\.resolve"):
            call("function", "old", "9.10")


# --- the line ------------------------------------------------------------------------------------------------------


def test_line_is_the_union_in_its_newest_form() -> None:
    other_major = api("8.9.7.1", functions=(function("gone8"),))
    line = merged(*FOUR, other_major).line(9)
    assert line.major == 9
    assert line.versions == ("9.0.0", "9.1.0", "9.10.0")
    assert line.api.version == "9.10.0.3"
    # `new` is gone: it stood behind `f` when it was last there.
    assert [one.name for one in line.api.functions] == ["old", "f", "new"]
    assert [one.name for one in line.api.enums] == ["e_t", "e2_t"]
    # Newest order B, A; C stood behind A when it was last there.
    assert [(one.name, one.value) for one in line.api.enums[0].enumerators] == [("B", 1), ("A", 0), ("C", 1)]
    assert [one.name for one in line.api.enums[1].enumerators] == ["D"]
    assert line.spans["new"] == (("9.1.0", "9.1.0"),)
    assert line.spans["B"] == (("9.0.0", None),)
    assert "gone8" not in line.spans
    assert line.moved_values == {"B": (("9.0.0", 1), ("9.1.0", 2), ("9.10.0", 1))}
    assert line.moved_records == {}
    assert line.moved_signatures == {}


def test_line_moved_signatures_and_records_tell_types_from_names() -> None:
    one, two, renamed = (
        record("r_t", ("a", 0, 4)),
        record("r_t", ("a", 0, 4), ("b", 8, 8)),
        record("r_t", ("z", 0, 4)),
    )
    first = api("9.0.0.1", functions=(function("f", Parameter("x", INT)), function("g")), records=(one,))
    rename = api("9.1.0.1", functions=(function("f", Parameter("y", INT)), function("g")), records=(renamed,))
    retype = api("9.2.0.1", functions=(function("f", Parameter("y", SIZE)), function("g")), records=(two,))
    line = merged(first, rename, retype).line(9)
    assert [since for since, _ in line.moved_signatures["f"]] == ["9.0.0", "9.2.0"]
    assert [str(form) for _, form in line.moved_signatures["f"]] == ["status_t f(int x);", "status_t f(size_t y);"]
    assert [(since, form.size) for since, form in line.moved_records["r_t"]] == [("9.0.0", 8), ("9.2.0", 16)]
    assert set(line.moved_signatures) | set(line.moved_records) == {"f", "r_t"}


def test_line_of_a_name_whose_kind_changed_has_the_new_kind_alone() -> None:
    line = merged(api("9.0.0.1", aliases=(Alias("t", INT),)), api("9.1.0.1", records=(record("t", ("a", 0, 4)),))).line(
        9
    )
    assert line.api.aliases == ()
    assert [one.name for one in line.api.records] == ["t"]
    assert line.spans["t"] == (("9.0.0", None),)


def test_line_of_an_enumerator_that_moved_to_another_enum() -> None:
    before = api("9.0.0.1", enums=(enum("gone_t", A=0, X=1, B=2),))
    after = api("9.1.0.1", enums=(enum("new_t", X=7),))
    line = merged(before, after).line(9)
    members = {one.name: [member.name for member in one.enumerators] for one in line.api.enums}
    assert members == {"new_t": ["X"], "gone_t": ["A", "B"]}
    assert line.moved_values == {"X": (("9.0.0", 1), ("9.1.0", 7))}


# --- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", r"damaged \(Expecting value"),
        ("{}", "not a history that cudnn-bindgen wrote"),
        ("[1]", "not a history"),
        ('{"cudnn_bindgen_history":true}', "not a history"),
        ('{"cudnn_bindgen_history":99}', "format 99, and this cudnn-bindgen reads up to 1; upgrade"),
        ('{"cudnn_bindgen_history":1}', "damaged"),
        ('{"cudnn_bindgen_history":1,"versions":["9.0.0.1"],"entities":[{"function":"f","in":"8-"}]}', "damaged"),
        ('{"cudnn_bindgen_history":1,"versions":["9.0.0.1"],"entities":[{}]}', "damaged"),
        ('{"cudnn_bindgen_history":1,"versions":["nine"],"entities":[]}', "damaged"),
    ],
)
def test_a_file_that_is_no_history(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "history.json"
    path.write_text(text)
    with pytest.raises(HistoryError, match=says) as caught:
        History.load(path)
    assert str(path) in str(caught.value)


def test_a_truncated_file_and_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    with pytest.raises(HistoryError, match=r"does not exist; make it with: cudnn-bindgen history --all --out"):
        History.load(path)
    path.write_bytes(merged(RICH).text().encode()[:-200])
    with pytest.raises(HistoryError, match="damaged"):
        History.load(path)
    path.write_bytes(b"\x7fELF\xff\xfe")
    with pytest.raises(HistoryError, match="not a history"):
        History.load(path)


@pytest.mark.parametrize(
    ("before", "after"),
    [('"after":"f"', '"after":"nowhere"'), ('"after":"f",', ""), ('"c":"status_t new(void)"', '"c":"status_t new("')],
)
def test_damage_inside_a_line_is_found_when_it_is_read(before: str, after: str) -> None:
    text = merged(FOUR[2]).text()
    assert before in text
    with pytest.raises(HistoryError, match="damaged"):
        History.from_text(text.replace(before, after)).api("9.1.0.2")


JUNK: list[object] = [
    None,
    True,
    -1,
    1.5,
    "x",
    "int (",
    [],
    [1],
    ["x"],
    [["x"]],
    [["x", 0, 4, {"bits": "y"}]],
    {},
    {"x": 1},
]


def test_no_wrong_fact_is_taken_or_crashes() -> None:
    """Each fact of each declaration exchanged for each kind of JSON value: an error, or a history like any other."""
    whole = json.loads(merged(RICH, FOUR[2]).text())
    places = [(number, fact) for number, row in enumerate(whole["entities"]) for fact in row]
    for (number, fact), junk in itertools.product(places, JUNK):
        rows = [*whole["entities"]]
        rows[number] = {**rows[number], fact: junk}
        text = json.dumps({**whole, "entities": rows})
        try:
            history = History.from_text(text)
            for version in history.versions:
                history.api(version)
            history.line(9)
        except HistoryError as error:
            assert "damaged" in str(error)  # noqa: PT017
        else:
            # Without a fact that has a default, or with another value of a type that it may have, it is a history.
            same = isinstance(junk, type(whole["entities"][number][fact]))
            assert junk is None or same or fact in ("deprecated", "value")


def test_save_is_whole_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    merged(RICH).save(path)
    assert History.load(path).api("9.1.0.7") == normalised(RICH)
    assert [one.name for one in path.parent.iterdir()] == ["history.json"]


def test_a_type_that_text_cannot_carry_is_refused() -> None:
    strange = Function("f", Named("not an identifier"))
    with pytest.raises(HistoryError, match="cannot keep the type"):
        merged(api("9.0.0.1", functions=(strange,)))
