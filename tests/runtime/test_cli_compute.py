"""``python -m cudnnkit tune``, ``explain`` and ``demo`` on simulated devices."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from cudnnkit.cli import main
from cudnnkit.driver import DriverError
from cudnnkit.problem import Epilogue
from cudnnkit.store import Record, Store
from cudnnkit.testing import work

from .test_cli_cache import cache_file, document, failure, record, rows

CONV = {
    "operation": "conv2d", "x": [2, 4, 8, 8], "w": [8, 4, 3, 3], "bias": [8], "padding": 1, "activation": "relu",
    "layout": "last",
}  # fmt: skip
DGRAD = {"operation": "conv_data_gradient", "dy": [2, 8, 8, 8], "w": [8, 4, 3, 3], "padding": 1, "precision": "strict"}
WORDS = ["conv2d", "x=2x4x8x8", "w=8x4x3x3", "padding=1", "--simulated"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(folder))
    return folder


def written(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data))
    return path


def foreign_record() -> Record:
    """A decision of another machine."""
    return record(1, 77, epilogue=Epilogue(activation="relu"), aliasing=(), parameters=(("library", "torch"),))


def tune(capsys: pytest.CaptureFixture[str], file: Path, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    assert main(["tune", str(file), "--simulated", "--json", *arguments]) == status
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


# tune --------------------------------------------------------------------------------------------------------------


def test_tune_keeps_decisions_and_knows_them_next_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems, cache = written(tmp_path / "p.json", [CONV, DGRAD]), tmp_path / "t.sqlite"
    first = tune(capsys, problems, "--path", str(cache))
    assert [one["status"] for one in first] == ["searched", "searched"]
    assert [one["candidate"] for one in first] == [
        "graph engine 1 (knobs 2=1)",
        "legacy WINOGRAD_NONFUSED with FMA math",
    ]
    assert [one["ms"] for one in first] == pytest.approx([1.0, 2.0])
    assert [one["workspace"] for one in first] == [4 * 2**20, 8 * 2**20]
    kept = {one.problem.operation: one.problem for one in rows(cache)}
    assert kept["conv_dgrad"].policy.precision == "strict"
    assert kept["conv_dgrad"].tensor("dx").shape == (2, 4, 8, 8)
    assert kept["conv_forward"].tensor("x").strides == (256, 1, 32, 4)
    again = tune(capsys, problems, "--path", str(cache))
    assert [one["status"] for one in again] == ["known", "known"]
    assert [one["status"] for one in tune(capsys, problems, "--path", str(cache), "--again")] == [
        "searched",
        "searched",
    ]


def test_one_wrong_problem_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mismatched = {**CONV, "w": [8, 5, 3, 3]}
    empty = {**CONV, "x": [0, 4, 8, 8]}
    half = {**CONV, "dtype": "bfloat16"}
    problems = written(tmp_path / "p.json", [mismatched, half, empty, DGRAD])
    assert main(["tune", str(problems), "--simulated"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["failed", "failed", "nothing", "searched", "4", "simulated:"]
    assert "takes 5 channels" in lines[0]
    assert "numpy has no such arrays" in lines[1]
    assert re.fullmatch(r"4 problems: 1 searched in \S+ s, 2 failed", lines[4])


def test_options_change_the_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems = written(tmp_path / "p.json", {"problems": [CONV]})
    (found,) = tune(capsys, problems, "--precision", "strict", "--workspace", "0")
    assert found["candidate"] == "graph engine 0"
    (found,) = tune(capsys, problems, "--search", "heuristic")
    assert (found["status"], found["ms"]) == ("known", None)
    assert "budget_ms=-1.0" in failure(capsys, "tune", problems, "--simulated", "--budget-ms", "-1")


def test_a_document_is_decided_anew_for_this_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = document(tmp_path / "other.json", foreign_record())
    cache = tmp_path / "t.sqlite"
    (found,) = tune(capsys, other, "--path", str(cache))
    assert (found["status"], found["candidate"]) == ("searched", "graph engine 1 (knobs 2=1)")
    (kept,) = [one for one in rows(cache) if one.problem.epilogue.activation]
    assert kept.problem.device.name == "Simulated 0"
    assert kept.problem.parameters == (("library", "numpy"),)
    assert kept.problem.tensors == rows(cache_file(tmp_path / "o.sqlite", foreign_record()))[0].problem.tensors


def test_without_a_path_simulated_decisions_are_kept_nowhere(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tune(capsys, written(tmp_path / "p.json", CONV))
    assert not home.exists()


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    assert (
        main(["tune", str(written(tmp_path / "p.json", CONV)), "--simulated", "--path", str(tmp_path / "folder")]) == 0
    )
    printed = capsys.readouterr()
    assert "searched" in printed.out
    assert printed.err.startswith("cudnnkit: warning: tuning cache")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "has no problems"),
        (3, "has no problems"),
        ({"problems": []}, "has no problems"),
        ([3], "problem 1: it is no object"),
        ([3, {"operation": "conv9d"}], "it is no object with an operation and shapes (and none of the 2 problems is"),
        ({"operation": "conv9d"}, "problem 1: operation='conv9d': allowed are conv, conv1d"),
        ([{**CONV, "x": "2x4"}], "x='2x4': is not a shape"),
        ([{**CONV, "x": [2, -4, 8, 8]}], "is not a shape"),
        ([{**CONV, "x": [2, 4.5, 8, 8]}], "is not a shape"),
        ([{**CONV, "x": {"strides": [1]}}], "must be a shape, or an object"),
        ([{**CONV, "x": {"shape": [2, 4, 8, 8], "strides": [1]}}], "another number of strides"),
        ([{**CONV, "dtype": "int8"}], "dtype='int8': allowed are 'float16'"),
        ([{**CONV, "layout": "NHWC"}], "allowed are 'first' (NCHW) and 'last' (NHWC)"),
        ([{**CONV, "dy": [1]}], "conv2d takes no such array"),
        ([{"operation": "conv2d", "x": [2, 4, 8, 8]}], "missing a required argument: 'w'; arrays are given by their"),
        ([{"key_version": 99}], "key version 99"),
        ({"format": "cudnnkit-tuning", "version": 9}, "version 9"),
    ],
)
def test_a_wrong_file_names_the_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any, told: str
) -> None:
    sentence = failure(capsys, "tune", written(tmp_path / "p.json", data), "--simulated")
    assert told in sentence
    assert "p.json" in sentence


def test_what_is_no_json_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.json").write_text("conv2d")
    told = f"{tmp_path / 'p.json'} cannot be used: it is no JSON (line 1, column 1: Expecting value); write a list of"
    assert failure(capsys, "tune", tmp_path / "p.json", "--simulated").startswith(told)
    (tmp_path / "p.json").write_bytes(b"[\xff]")
    for words in (["tune", tmp_path / "p.json"], ["explain", "--problem", tmp_path / "p.json"]):
        told = failure(capsys, *words, "--simulated")
        assert told.startswith(
            f"{tmp_path / 'p.json'} cannot be used: it is no UTF-8 text (invalid start byte at byte 1)"
        )
    assert "No such file" in failure(capsys, "tune", tmp_path / "missing.json", "--simulated")


def test_what_a_budget_leaves_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "--network", "vgg19", "--simulated", "--budget-seconds", "0", "--json"]
    assert main(words) == 0
    assert {one["status"] for one in json.loads(capsys.readouterr().out)["problems"]} == {"left"}
    with pytest.raises(SystemExit):
        main(["tune", "--help"])
    assert "is no failure" in capsys.readouterr().out


# explain -----------------------------------------------------------------------------------------------------------


def test_explain_shows_every_candidate_and_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *WORDS, "--precision", "strict"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("conv_forward (x 2x4x8x8 float32, w 8x4x3x3 float32")
    assert lines[2].split() == ["ms", "final", "workspace", "candidate", "status", "notes", "why"]
    assert [line.split()[0] for line in lines[3:7]] == ["2", "3", "4", "-"]
    assert "legacy WINOGRAD_NONFUSED with FMA math  chosen" in lines[3]
    assert "winograd, deterministic" in lines[3]
    assert "uses tensor cores (TF32)" in lines[6]
    assert lines[7] == "in use: legacy WINOGRAD_NONFUSED with FMA math"


def test_explain_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *WORDS, "--json", "--dtype", "float16", "--layout", "last", "stride=[2, 1]"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["problem"]["convolution"]["stride"] == [2, 1]
    assert found["problem"]["tensors"][0]["dtype"] == "float16"
    assert found["problem"]["tensors"][0]["strides"] == [256, 1, 32, 4]
    assert found["choice"][0]["id"]["engine"] == 1
    assert {row["status"] for row in found["report"]["rows"]} == {"chosen", "measured"}


def test_explain_reads_problems_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "p.json", [CONV, DGRAD])
    assert main(["explain", "--problem", str(path), "--simulated", "--json"]) == 0
    text = capsys.readouterr().out
    assert [one["problem"]["operation"] for one in json.loads(text)] == ["conv_forward", "conv_dgrad"]
    monkeypatch.setattr("sys.stdin", path.open())
    assert main(["explain", "--problem", "-", "--simulated", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_explain_takes_a_stored_problem_with_another_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = document(tmp_path / "a.json", foreign_record())
    assert main(["explain", "--problem", str(path), "--simulated", "--deterministic", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["problem"]["policy"]["deterministic"] is True
    assert found["problem"]["device"]["name"] == "Simulated 0"


@pytest.mark.parametrize("json_", [False, True])
def test_a_wrong_problem_of_a_file_is_named_and_the_others_are_explained(
    json_: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "p.json", [CONV, {**CONV, "w": [8, 5, 3, 3]}, DGRAD])
    assert main(["explain", "--problem", str(path), "--simulated", *(["--json"] if json_ else [])]) == 1
    told = capsys.readouterr()
    assert told.err.startswith(f"cudnnkit: error: {path}: problem 2: conv2d (x 2x4x8x8")
    assert told.err.count("\n") == 1
    if json_:
        found = json.loads(told.out)
        assert ["failure" in one for one in found] == [False, True, False]
    else:
        assert told.out.count("in use: ") == 2


def test_a_name_twice_in_an_object_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.json").write_text('{"operation": "relu", "x": [2, 3], "x": [4]}')
    assert "it is no JSON ('x' stands twice in one object)" in failure(
        capsys, "tune", tmp_path / "p.json", "--simulated"
    )


@pytest.mark.parametrize("text", ["1,1", "1x1", "[1,1]"])
def test_pairs_are_written_as_shapes_are(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["conv2d", "x=2x4x8x8", "w=8x4x3x3", f"padding={text}", "--simulated", "--json"]
    assert main(["explain", *words]) == 0
    assert json.loads(capsys.readouterr().out)["problem"]["convolution"]["pre_padding"] == [1, 1]


@pytest.mark.parametrize(
    "words",
    [["relu", "x=2x4"], ["batch_norm", "x=2x4x8x8", "mean=4", "variance=4"],
     ["batch_norm_training", "x=2x4x8x8", "scale=4", "bias=4", "running_mean=4", "running_variance=4"]],
)  # fmt: skip
def test_explain_takes_activations_and_normalizations(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *words, "--simulated"]) == 0
    assert "in use: " in capsys.readouterr().out


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"cudnnkit {version('cudnnkit')}\n"


def test_explain_of_nothing_to_compute(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "conv2d", "x=0x4x8x8", "w=8x4x3x3", "--simulated"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("nothing to compute")


@pytest.mark.parametrize(
    ("shapes", "kept", "told"),
    [
        ("x=8x64x64x64 w=64x64x3x3 padding=1", 2**28, "1.2e+09 multiplications, about 0.6 s for its search"),
        ("x=8x64x64x64 w=64x64x3x3 padding=1", 2**20, "1.2e+09 multiplications, about 60 s for its search"),
        ("x=2x4x8x8 w=8x4x3x3", 2**20, ""),
    ],
)
def test_a_large_simulated_problem_says_on_standard_error_that_numpy_computes_it(
    shapes: str, kept: int, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "MOST_BYTES", kept)
    assert main(["explain", "conv2d", *shapes.split(), "--simulated", "--json"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert err.startswith("cudnnkit: note: NumPy computes conv_forward (x ") if told else not err
    assert told in err
    assert err.count("\n") == bool(told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["conv9d"], "operation='conv9d': allowed are"),
        (["conv2d", "x"], "write arguments like x=64x3x224x224"),
        (["conv2d", "x=big"], "x='big': is no shape"),
        (["conv2d", "x=2x4x8x8"], "missing a required argument: 'w'"),
        (["conv2d", "x=2x4x8x8", "w=8x4x3x3", "paddin=1"], "conv2d has no such argument"),
        (["conv2d", "x=2x4x8x8", "w=8x4x3x3", "padding=-1"], "padding"),
        (["relu", "x=2", "x=3"], "x='3': is given twice; the other one is [2]"),
        (["max_pool_backward", "x=2x4x8x8"], "reads results of the forward function"),
        (["conv2d", "x=2x4x8x8", "w=8x4x3x3", "--workspace", "lots"], "workspace='lots'"),
        (["conv2d", "x=2x4x8x8", "w=8x4x3x3", "--dtype", "bfloat16"], "numpy has no such arrays"),
        (["conv2d", "x=2x4x8x8", "w=8x4x3x3", "--device", "1"], "device=1: there are 1"),
    ],
)
def test_a_wrong_request_is_one_sentence(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in failure(capsys, "explain", *words, "--simulated")


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain"],
        ["explain", "conv2d", "--problem", "p.json"],
        ["explain", "--problem", "p.json", "--dtype", "float16"],
        ["explain", "conv2d", "--search", "hard"],
        ["explain", "conv2d", "--json", "stride"],
        ["cache", "show", "--json", "text", "stride=1"],
        ["explain", "conv2d", "--device", "first"],
        ["tune"],
        ["demo", "now"],
    ],
)
def test_a_wrong_command_line_is_status_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_without_a_driver_the_way_out_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise DriverError("libcuda.so.1", -1, "the NVIDIA driver could not be loaded")

    monkeypatch.setattr("cudnnkit.driver.driver", missing)
    for words in (["demo"], ["explain", "conv2d", "x=2x4x8x8", "w=8x4x3x3"]):
        assert failure(capsys, *words) == (
            "libcuda.so.1: the NVIDIA driver could not be loaded; --simulated needs no GPU"
        )  # fmt: skip


def test_an_unforeseen_error_is_one_sentence_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("first line\nsecond line")

    monkeypatch.setattr("cudnnkit.explain", broken, raising=False)
    assert failure(capsys, "explain", *WORDS) == ("ZeroDivisionError: first line (CUDNNKIT_TRACEBACK=1 shows where)")
    monkeypatch.setenv("CUDNNKIT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["explain", *WORDS])


# demo --------------------------------------------------------------------------------------------------------------


def test_demo_walks_through_every_step(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--simulated"]) == 0
    text = capsys.readouterr().out
    assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == list("123456")
    shown = re.search(r"y\[1, 5, 6, 7\] = (\S+); added up by hand: (\S+)", text)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(float(shown[2]), abs=2e-4)
    assert "in use: graph engine 1" in text
    searches = re.search(r"searches before: (\d+), after: (\d+)", text)
    assert searches is not None
    assert searches[1] == searches[2]
    assert "the others are steps: the call was also taken apart" in text
    assert "decisions from disk: 1, searches: 0" in text
    assert "in use: graph engine 0" in text
    assert text.count(">>> print(ck.explain(") == text.count("in use: ") == 2
    assert not home.exists()


def test_demo_tells_where_its_decisions_go(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "the cache file; a temporary one by default" in text
    assert "user's own" not in text


def test_demo_leaves_its_decisions_where_asked(tmp_path: Path) -> None:
    assert main(["demo", "--simulated", "--path", str(tmp_path / "t.sqlite")]) == 0
    store = Store(tmp_path / "t.sqlite", read_only=True)
    assert any(one.problem.epilogue.activation == "relu" for one in store.records())
    store.close()


def test_without_memory_for_arrays_it_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(*_: Any) -> Any:
        raise MemoryError("no room for (2, 4) float32 on device 0")

    monkeypatch.setattr("cudnnkit.cli.explain_command.explained", lacks)
    assert failure(capsys, "explain", *WORDS) == "no room for (2, 4) float32 on device 0"
