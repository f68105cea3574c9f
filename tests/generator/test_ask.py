"""`list`, `show` and `diff` on the committed history; every expected fact is written from the headers by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cli import main

Ask = Callable[..., Any]

SOURCES = Path(__file__).parents[2] / "generator"


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """``ask("list", "--version", "9.10")``: the command's JSON."""

    def run(*arguments: str, status: int = 0) -> Any:
        assert main([*arguments, "--json"]) == status
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def failure(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The message of a command that must fail with `status`."""

    def run(*arguments: str, status: int = 1) -> str:
        if status == 2:
            # argparse's own exit for bad usage.
            with pytest.raises(SystemExit) as caught:
                main(arguments)
            assert caught.value.code == 2
        else:
            assert main(arguments) == status
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Traceback" not in captured.err
        return captured.err

    return run


def row(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = [one for one in rows if one["name"] == name]
    return found


# --- list ----------------------------------------------------------------------------------------------------------


def test_list_since_and_until(ask: Ask) -> None:
    rows = ask("list", "--version", "8.9.7", "--kind", "function")
    assert {one["kind"] for one in rows} == {"function"}
    old = row(rows, "cudnnSetRNNDescriptor_v6")
    assert (old["since"], old["until"]) == ("8.5.0", "8.9.7")
    kept = row(rows, "cudnnCreate")
    assert (kept["since"], kept["until"], kept["deprecated"]) == ("8.5.0", None, None)


@pytest.mark.parametrize(("version", "count"), [("8.5", 263), ("9.0", 218), ("9.28.1", 239)])
def test_list_counts_functions_as_the_headers_do(ask: Ask, version: str, count: int) -> None:
    assert len(ask("list", "--version", version, "--kind", "function")) == count


def test_list_of_the_newest_version_by_default(ask: Ask) -> None:
    assert ask("list", "--kind", "enum") == ask("list", "--version", "9.28", "--kind", "enum")


def test_list_kinds(ask: Ask) -> None:
    rows = ask("list", "--version", "9.28.1.4")
    kinds = {one["name"]: one["kind"] for one in rows}
    assert kinds["cudnnConvolutionForward"] == "function"
    assert kinds["cudnnDataType_t"] == "enum"
    assert kinds["CUDNN_DATA_HALF"] == "enumerator"
    assert kinds["cudnnGnnCscGraph_t"] == "struct"
    assert kinds["cudnnTensorDescriptor_t"] == "handle"
    assert kinds["cudnnCallback_t"] == "callback"
    assert kinds["CUDNN_DIM_MAX"] == "macro"
    # CUDA's and libc's names are not cuDNN's.
    assert not {"cudaStream_t", "size_t", "libraryPropertyType", "MAJOR_VERSION"} & kinds.keys()
    unions = ask("list", "--version", "8.9.7", "--kind", "union")
    # `union Algorithm` has a tag alone; it stands inside struct cudnnAlgorithm_t.
    assert [(one["name"], one["until"]) for one in unions] == [("Algorithm", "8.9.7")]


def test_list_family(ask: Ask) -> None:
    rows = ask("list", "--version", "9.10.1", "--family", "find")
    assert [one["name"] for one in rows] == [
        "cudnnFindConvolutionBackwardDataAlgorithm",
        "cudnnFindConvolutionBackwardFilterAlgorithm",
        "cudnnFindConvolutionForwardAlgorithm",
    ]
    assert {one["family"] for one in rows} == {"find"}
    rnn = ask("list", "--version", "8.5", "--family", "find_ex", "cudnnFindRNN*")
    assert [one["name"] for one in rnn] == [
        "cudnnFindRNNBackwardDataAlgorithmEx",
        "cudnnFindRNNBackwardWeightsAlgorithmEx",
        "cudnnFindRNNForwardInferenceAlgorithmEx",
        "cudnnFindRNNForwardTrainingAlgorithmEx",
    ]


def test_list_patterns_and_deprecated(ask: Ask) -> None:
    rows = ask("list", "--version", "9.28.1", "cudnn*yTensorDescriptor", "CUDNN_DATA_INT8x*")
    assert [one["name"] for one in rows] == [
        "cudnnDestroyTensorDescriptor",
        "CUDNN_DATA_INT8x32",
        "CUDNN_DATA_INT8x4",
    ]
    assert [(one["value"], one["enum"]) for one in rows[1:]] == [(8, "cudnnDataType_t"), (5, "cudnnDataType_t")]
    deprecated = ask("list", "--version", "9.28.1", "--deprecated", "CUDNN_DATA_INT8x*", "cudnn*yTensorDescriptor")
    assert [one["name"] for one in deprecated] == ["CUDNN_DATA_INT8x32", "CUDNN_DATA_INT8x4"]
    assert deprecated[0]["deprecated"]["since"] == "9.0.0"


def test_list_development_build(ask: Ask) -> None:
    rows = ask("list", "--version", "9.26.0.33.dev63203437", "cudnnGnn*", "--kind", "struct")
    assert [(one["name"], one["since"]) for one in rows] == [("cudnnGnnCscGraph_t", "9.26.0")]


def test_list_in_a_pipe_is_one_line_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--version", "8.9.7", "cudnnSetRNNDescriptor_v*"]) == 0
    head, *lines = (line.split() for line in capsys.readouterr().out.splitlines())
    assert head == ["name", "kind", "since", "until", "deprecated"]
    assert lines[0][:4] == ["cudnnSetRNNDescriptor_v6", "function", "8.5.0", "8.9.7"]
    assert lines[1] == ["cudnnSetRNNDescriptor_v8", "function", "8.5.0"]


@pytest.mark.parametrize("rich", [True, False])
def test_list_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, rich: bool) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    if not rich:
        monkeypatch.setitem(sys.modules, "rich.console", None)
    assert main(["list", "--version", "8.9.7", "cudnnSetRNNDescriptor_v6"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[-1][:4] == ["cudnnSetRNNDescriptor_v6", "function", "8.5.0", "8.9.7"]


def test_list_bad_usage(failure: Callable[..., str]) -> None:
    assert "--family goes with functions; leave out --kind struct" in failure(
        "list", "--family", "find", "--kind", "struct", status=2
    )
    assert "invalid choice: 'fnid'" in failure("list", "--family", "fnid", status=2)
    assert "9.99 is not among the" in failure("list", "--version", "9.99")
    assert "'nine' is not a cuDNN version" in failure("list", "--version", "nine")


@pytest.mark.parametrize("pattern", ["cudnnfind*", "CUDNNFIND*", "cudnnFind*"])
def test_list_takes_patterns_in_any_case(ask: Ask, pattern: str) -> None:
    found = ask("list", "--version", "9.28.1", "--kind", "function", pattern)
    assert "cudnnFindConvolutionForwardAlgorithm" in [one["name"] for one in found]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("find",), "no version of cuDNN from 8.5.0 on has the name find; near names are cudnnFind"),
        (("cudnnGnnCscGraph_t", "--version", "9.25.1"), "cuDNN 9.25.1.1 has no cudnnGnnCscGraph_t; it is there since"),
        (
            ("cudnnCreateTensorDescripter*",),
            "has no name that matches 'cudnnCreateTensorDescripter*'; near names are c",
        ),
        (("cudnnCreate", "--kind", "enum"), "has no name of what the options ask for that matches 'cudnnCreate'; near"),
        (("--kind", "union", "--deprecated"), "has no name of what the options ask for"),
    ],
)
def test_list_of_nothing(failure: Callable[..., str], arguments: tuple[str, ...], says: str) -> None:
    assert says in failure("list", *arguments)


def test_show_knows_what_may_be_older_than_the_history(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "cudnnConvolutionForward"]) == 0
    assert "since        8.5.0 or before (the first version covered)\n" in capsys.readouterr().out
    assert main(["show", "CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR"]) == 0
    assert "or before" not in capsys.readouterr().out


# --- show ----------------------------------------------------------------------------------------------------------


def test_show_function(ask: Ask) -> None:
    found = ask("show", "cudnnGetConvolutionForwardAlgorithm_v7", "--version", "9.28.1")
    assert found["kind"] == "function"
    assert found["returns"] == "cudnnStatus_t"
    assert found["family"] == "get_v7"
    assert (found["since"], found["until"], found["header"]) == ("8.5.0", None, "cudnn_cnn.h")
    assert found["deprecated"]["since"] == "9.0.0"
    assert [(one["name"], one["type"], one["direction"]) for one in found["parameters"]] == [
        ("handle", "cudnnHandle_t", "in"),
        ("srcDesc", "const cudnnTensorDescriptor_t", "in"),
        ("filterDesc", "const cudnnFilterDescriptor_t", "in"),
        ("convDesc", "const cudnnConvolutionDescriptor_t", "in"),
        ("destDesc", "const cudnnTensorDescriptor_t", "in"),
        ("requestedAlgoCount", "const int", "in"),
        ("returnedAlgoCount", "int *", "out"),
        ("perfResults", "cudnnConvolutionFwdAlgoPerf_t *", "out"),
    ]
    last = found["parameters"][-1]
    assert (last["role"], last["count"], last["returned_count"]) == ("array", "requestedAlgoCount", "returnedAlgoCount")
    assert all(one["rule"] for one in found["parameters"])


def test_show_function_that_is_not_deprecated(ask: Ask) -> None:
    assert ask("show", "cudnnCreate")["deprecated"] is None


def test_show_tells_how_a_signature_read(ask: Ask) -> None:
    """The name of one parameter changed in 8.9.2."""
    found = ask("show", "cudnnGetRNNTempSpaceSizes", "--version", "9.0")
    assert [one["since"] for one in found["signatures"]] == ["8.5.0", "8.9.2"]
    assert "cudnnForwardMode_t fMode," in found["signatures"][0]["signature"]
    assert "cudnnForwardMode_t fwdMode," in found["signatures"][1]["signature"]


@pytest.mark.parametrize(("version", "value"), [("9.9", 38), ("9.10.0", 40), ("9.10.1", 38), ("9.28.1", 38)])
def test_show_enumerator_whose_value_moved(ask: Ask, version: str, value: int) -> None:
    found = ask("show", "CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR", "--version", version)
    assert (found["kind"], found["enum"], found["value"]) == ("enumerator", "cudnnBackendDescriptorType_t", value)
    assert found["values"] == [
        {"since": "9.8.0", "value": 38},
        {"since": "9.10.0", "value": 40},
        {"since": "9.10.1", "value": 38},
    ]


def test_show_enumerator_alias(ask: Ask) -> None:
    found = ask("show", "CUDNN_STATUS_ALLOC_FAILED", "--version", "9.28.1")
    assert (found["value"], found["alias_of"]) == (4003, "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED")
    assert found["deprecated"]["since"] == "9.0.0"


@pytest.mark.parametrize(
    # By hand on LP64: four pointers and three int64_t are 56 bytes, the enum 4, padding 4; 9.28 adds one pointer.
    ("version", "size", "last"),
    [
        ("9.27", 64, {"name": "idxType", "type": "cudnnDataType_t", "offset": 56, "size": 4}),
        ("9.28", 72, {"name": "cscRevOffsets", "type": "const void *", "offset": 64, "size": 8}),
    ],
)
def test_show_struct(ask: Ask, version: str, size: int, last: dict[str, Any]) -> None:
    found = ask("show", "cudnnGnnCscGraph_t", "--version", version)
    assert (found["kind"], found["size"], found["alignment"]) == ("struct", size, 8)
    assert found["fields"][-1] == last
    assert [(one["since"], one["size"]) for one in found["layouts"]] == [("9.26.0", 64), ("9.28.0", 72)]


def test_show_enum_handle_callback_alias_macro(ask: Ask) -> None:
    enum = ask("show", "cudnnNanPropagation_t")
    assert enum["enumerators"] == [
        {"name": "CUDNN_NOT_PROPAGATE_NAN", "value": 0},
        {"name": "CUDNN_PROPAGATE_NAN", "value": 1},
    ]
    handle = ask("show", "cudnnTensorDescriptor_t")
    assert handle["kind"] == "handle"
    assert handle["target"] == "struct cudnnTensorStruct"
    assert handle["created_by"] == ["cudnnCreateTensorDescriptor"]
    assert handle["destroyed_by"] == ["cudnnDestroyTensorDescriptor"]
    callback = ask("show", "cudnnCallback_t")
    assert callback["type"] == "void (*)(cudnnSeverity_t, void *, const cudnnDebug_t *, const char *)"
    assert callback["parameter_names"] == ["sev", "udata", "dbg", "msg"]
    alias = ask("show", "cudnnRNNPaddingMode_t", "--version", "8")
    assert (alias["kind"], alias["type"]) == ("alias", "unsigned int")
    macro = ask("show", "CUDNN_VERSION", "--version", "9.28.1")
    assert macro["value"] == 92801
    assert ask("show", "CUDNN_VERSION", "--version", "8.9.7")["value"] == 8907


def test_show_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "cudnnGnnCscGraph_t", "--version", "9.28.1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("struct cudnnGnnCscGraph_t\n")
    assert ["cscRevOffsets", "const", "void", "*", "64", "8"] in [line.split() for line in out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("cudnnConvolutionForwad",),
            "no version of cuDNN from 8.5.0 on has the name cudnnConvolutionForwad; near names are ",
        ),
        (("cudnnConvolutionForwad",), "cudnnConvolutionForward,"),
        (("CUDNNCREATE",), "cudnnCreate"),
        (("zzz",), "cudnn-bindgen list prints all names"),
        (("cudnnSetRNNDescriptor_v6",), "has no cudnnSetRNNDescriptor_v6; it is there from 8.5.0 to 8.9.7"),
        (
            ("cudnnGnnCscGraph_t", "--version", "9.25"),
            "cuDNN 9.25.1.1 has no cudnnGnnCscGraph_t; it is there since 9.26.0",
        ),
        (("cudnnCreate", "--version", "7"), "cuDNN 7 is not among the"),
    ],
)
def test_show_unknown(failure: Callable[..., str], arguments: tuple[str, ...], says: str) -> None:
    assert says in failure("show", *arguments)


# --- diff ----------------------------------------------------------------------------------------------------------


def test_diff_values(ask: Ask) -> None:
    changes = ask("diff", "9.10.0", "9.10.1")
    moved = {one["name"]: (one["before"], one["after"]) for one in changes if one["kind"] == "enumerator"}
    assert moved == {
        "CUDNN_BACKEND_OPERATION_EXPAND_BAND_MATRIX_DESCRIPTOR": (36, 39),
        "CUDNN_BACKEND_OPERATION_CONTRACT_BAND_MATRIX_DESCRIPTOR": (37, 40),
        "CUDNN_BACKEND_OPERATION_BLOCK_SCALE_QUANTIZE_DESCRIPTOR": (38, 36),
        "CUDNN_BACKEND_OPERATION_BLOCK_SCALE_DEQUANTIZE_DESCRIPTOR": (39, 37),
        "CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR": (40, 38),
    }
    assert all(one["breaking"] for one in changes if one["kind"] == "enumerator")
    assert {one["kind"] for one in changes if not one["breaking"]} == {"macro"}
    assert row(changes, "CUDNN_VERSION")["after"] == 91001


def test_diff_layout_reaches_the_functions_that_take_it(ask: Ask) -> None:
    changes = ask("diff", "9.27", "9.28", "--breaking")
    assert [(one["kind"], one["name"], one["change"]) for one in changes] == [
        ("function", "cudnnGnnAggSimpleForward", "argument"),
        ("function", "cudnnGnnAggSimpleBackward", "argument"),
        ("struct", "cudnnGnnCscGraph_t", "layout"),
    ]
    assert (changes[2]["before"]["size"], changes[2]["after"]["size"]) == (64, 72)


def test_diff_names_and_additions_do_not_break(ask: Ask) -> None:
    renamed = [one for one in ask("diff", "8.9.1", "8.9.2", "--check") if one["kind"] == "function"]
    assert [(one["name"], one["change"], one["before"], one["after"]) for one in renamed] == [
        ("cudnnGetRNNTempSpaceSizes", "parameter", "fMode", "fwdMode")
    ]
    added = [one for one in ask("diff", "9.5", "9.6", "--check") if one["kind"] != "macro"]
    assert {(one["kind"], one["change"], one["before"]) for one in added} == {("enumerator", "added", None)}
    assert len(added) == 2


def test_diff_check_exits_1_when_something_breaks(ask: Ask) -> None:
    assert ask("diff", "9.10.0", "9.10.1", "--check", status=1)
    assert ask("diff", "9.10.0", "9.10.1")
    assert ask("diff", "9.10.1", "9.10.1", "--check") == []


def test_diff_removed_and_renumbered_between_majors(ask: Ask) -> None:
    changes = ask("diff", "8.9.7", "9.0.0")
    gone = row([one for one in changes if one["change"] == "removed"], "cudnnSetRNNDescriptor_v6")
    assert gone["breaking"]
    assert gone["after"] is None
    status = row([one for one in changes if one["change"] == "value"], "CUDNN_STATUS_NOT_INITIALIZED")
    assert (status["before"], status["after"], status["breaking"]) == (1, 1001, True)


def test_diff_with_a_folder(ask: Ask, real_headers: Callable[[str], Path]) -> None:
    folder = str(real_headers("9.10.1.4"))
    assert ask("diff", "9.10.1", folder, "--check") == []
    assert ask("diff", folder, "9.10.0") == ask("diff", "9.10.1", "9.10.0")


def test_diff_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "9.27", "9.28", "--breaking"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == (
        "! struct cudnnGnnCscGraph_t: layout: 64 bytes, 8 fields -> 72 bytes, 9 fields "
        "(compiled programs hold the old layout)"
    )
    assert lines[3].startswith("9.27.0.42 -> 9.28.")


def test_diff_bad_sides(failure: Callable[..., str], tmp_path: Path) -> None:
    assert "9.99 is not among the" in failure("diff", "9.10", "9.99")
    assert str(tmp_path) in failure("diff", "9.10", str(tmp_path))


# --- all of them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [("list", "--family", "find"), ("show", "cudnnConvolutionForward"), ("diff", "9.10.0", "9.10.1")]
)
def test_the_standard_library_is_enough(arguments: tuple[str, ...]) -> None:
    program = f"import sys; sys.path.insert(0, {str(SOURCES)!r}); from cudnn_bindgen.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) > 3


@pytest.mark.parametrize("arguments", [("list",), ("show", "cudnnCreate"), ("diff", "9.0", "9.1")])
def test_a_history_that_is_none(failure: Callable[..., str], tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "history.json"
    path.write_text("{}")
    assert f"{path} is not a history" in failure(*arguments, "--history", str(path))
