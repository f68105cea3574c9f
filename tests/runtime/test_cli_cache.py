"""``python -m cudnnkit cache``: every action on real files, through the command line's own entry."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cudnnkit
import pytest
from cudnnkit.choice import Alternative, Choice, Unsupported
from cudnnkit.cli import main
from cudnnkit.cli.operation_names import FUNCTIONS, stored_name
from cudnnkit.cli.requests import OPERATIONS, from_arguments
from cudnnkit.exchange import export
from cudnnkit.problem import VersionSpec
from cudnnkit.store import FILE_NAME, Record, Store
from cudnnkit.testing import SimulatedDevice

from .fakes import graph, legacy
from .problems import DEVICE, convolution

REPORT = {"seconds": 0.5, "rows": [{"seconds": 1e-3}, {"seconds": 2e-3}, {"seconds": None}]}


def record(
    batch: int = 1, engine: int = 1, ms: float = 1.0, *, level: int = 1, created: float = 86400.0, **problem: Any
) -> Record:
    choice = Choice(Alternative(graph(engine), 2**20, ms / 1000), level=level)
    return Record(convolution(batch, **problem), choice, created, REPORT)


def cache_file(path: Path, *records: Record) -> Path:
    store = Store(path)
    for one in records:
        assert store.add(one)
    store.close()
    return path


def document(path: Path, *records: Record) -> Path:
    path.write_text(json.dumps(export(records)))
    return path


def rows(path: Path) -> list[Record]:
    store = Store(path, read_only=True)
    try:
        return list(store.records())
    finally:
        store.close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own cache folder, empty."""
    folder = tmp_path / "home"
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return cache_file(tmp_path / "a.sqlite", record(1, 7, 1.25), record(2, 8, 2.5, created=172800.0))


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def failure(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence of a command that fails."""
    assert main(list(map(str, arguments))) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    head, separator, sentence = printed.err.partition("cudnnkit: error: ")
    assert head == ""
    assert separator
    assert sentence.count("\n") == 1
    return sentence.strip()


# show --------------------------------------------------------------------------------------------------------------


def test_show_tells_candidate_time_and_workspace(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "show", "--path", str(file)]) == 0
    head, first, second = lines(capsys)
    assert head.split() == ["problem", "candidate", "ms", "workspace", "effort", "cuDNN", "device", "made"]
    for text in ("x 1x64x56x56", "graph engine 7", " 1.25 ", "1 MiB", "measure", "9.19.0", "Simulated 144"):
        assert text in first
    assert first.endswith("1970-01-02")
    assert "graph engine 8" in second
    assert second.endswith("1970-01-03")


def test_show_json_carries_the_whole_key(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "show", "--path", str(file), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["candidate"], first["ms"], first["workspace"], first["effort"]) == (
        "graph engine 7", 1.25, 2**20, "measure"
    )  # fmt: skip
    assert first["problem"] == convolution(1).to_json()
    assert second["decision"]["chain"][0]["id"] == {"api": "graph", "engine": 8}


@pytest.mark.parametrize(
    ("selection", "engines"),
    [
        (["x 2X64"], [2]),
        (["--operation", "conv_forward"], [1, 2]),
        (["--operation", "conv_wgrad"], [3]),
        (["--operation", "conv2d"], [1, 2]),
        (["--operation", "conv_filter_gradient"], [3]),
        (["--operation", "softmax"], []),
        (["--cudnn", "9.20.0"], [3]),
        (["--device", "Simulated 144"], [1, 2, 3]),
        (["--device", "Simulated"], []),
    ],
)
def test_show_selects(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], selection: list[str], engines: list[int]
) -> None:
    other = record(3, 3, created=3.0, operation="conv_wgrad", versions=VersionSpec("9.20.0", "13.0"))
    path = cache_file(tmp_path / "b.sqlite", record(1, 1, created=1.0), record(2, 2, created=2.0), other)
    assert main(["cache", "show", *selection, "--path", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["decision"]["chain"][0]["id"]["engine"] for one in found] == engines


@pytest.mark.parametrize("action", ["show", "stats", "export"])
def test_an_empty_selection_says_how_many_there_are(
    action: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", action, "--operation", "softmax", "--path", str(file)]) == 0
    told = capsys.readouterr()
    assert told.err == f"cudnnkit: note: none of the 2 decisions in {file} is selected\n"
    assert "no decisions in" not in told.out


def test_an_unknown_operation_is_told_with_those_there_are(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, "cache", "show", "--operation", "conv9d", "--path", file)
    assert told.startswith("operation='conv9d': no decision is of that; there are activation_backward, batch_norm_")
    assert told.endswith("and functions such as conv2d")


@pytest.mark.parametrize("name", [*OPERATIONS, "max_pool_backward", "batch_norm_backward"])
def test_every_function_has_a_stored_name(name: str) -> None:
    assert sum(name in functions for functions in FUNCTIONS.values()) == 1


@pytest.mark.parametrize(
    "words",
    ["conv_data_gradient dy=2x8x6x6 w=8x4x3x3", "conv_transpose1d x=2x4x8 w=4x8x3", "gelu x=2x4", "log_softmax x=2x4",
     "conv_filter_gradient x=2x4x8x8 dy=2x8x6x6 kernel=3,3", "batch_norm x=2x4x8x8 mean=4 variance=4",
     "global_avg_pool x=2x4x8x8", "linear_filter_gradient x=2x4 dy=2x8"],
)  # fmt: skip
def test_a_function_is_stored_under_that_name(words: str, device: SimulatedDevice) -> None:
    operation, *rest = words.split()
    function, keywords = from_arguments(operation, rest).call(device.library, 0)
    assert cudnnkit.plan(function, **keywords).problem.operation == stored_name(operation, ())


def test_a_document_is_shown_as_a_cache_file_is(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["cache", "show", "--path", str(file)])
    expected = sorted(lines(capsys))
    main(["cache", "show", "--path", str(document(tmp_path / "a.json", *rows(file)))])
    assert sorted(lines(capsys)) == expected


def test_unsupported_unmeasured_and_impossible_dates_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Record(convolution(1), Unsupported((("graph engine 1", "broken"),), level=1), 1e300)
    pinned = Record(convolution(2), Choice(Alternative(legacy("FFT"), 0), level=3), -1.0)
    path = document(tmp_path / "a.json", nothing, pinned)
    assert main(["cache", "show", "--path", str(path)]) == 0
    _, first, second = lines(capsys)
    assert first.split()[-6:] == ["-", "measure", "9.19.0", "Simulated", "144", "1e+300"]
    assert "  unsupported  " in first
    assert "legacy FFT with FMA math" in second
    assert "pinned" in second


def test_without_a_cache_file_nothing_is_there_and_nothing_made(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "show"]) == 0
    assert lines(capsys) == [f"no decisions in {home / FILE_NAME}"]
    assert main(["cache", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["cache", "prune", "--cudnn", "9.0.0"]) == 0
    assert not home.exists()


def test_a_pipe_that_closes_ends_quietly(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("cudnnkit.cli.cache_command.print_table", broken)
    monkeypatch.setattr("os.dup2", lambda *_: None)
    monkeypatch.setattr("sys.stdout", open("/dev/null", "w"))  # noqa: PTH123, SIM115
    assert main(["cache", "show", "--path", str(file)]) == 1


# stats -------------------------------------------------------------------------------------------------------------


def test_stats_count_decisions_and_their_cost(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "stats", "--path", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["bytes"] == file.stat().st_size
    del found["bytes"], found["path"]
    assert found == {
        "decisions": 2,
        "efforts": {"measure": 2},
        "operations": {"conv_forward": 2},
        "apis": {"graph": 2},
        "devices": {"Simulated 144": 2},
        "cudnn": {"9.19.0": 2},
        "drivers": {"13.0": 2},
        "search_seconds": 1.0,
        "candidates_measured": 4,
        "oldest": 86400.0,
        "newest": 172800.0,
    }
    assert main(["cache", "stats", "--path", str(file)]) == 0
    text = capsys.readouterr().out
    assert "2 decisions" in text
    assert "searching: 1 s, 4 candidates measured" in text
    assert "1970-01-02T00:00:00Z to 1970-01-03T00:00:00Z" in text


@pytest.mark.parametrize("report", [{}, {"seconds": "x", "rows": 3}, {"rows": [1, None]}])
def test_stats_take_reports_as_others_wrote_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], report: Any
) -> None:
    path = tmp_path / "a.json"
    data = export([record()], reports=True)
    data["decisions"][0]["report"] = report
    path.write_text(json.dumps(data))
    assert main(["cache", "stats", "--path", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["candidates_measured"] == 0


# export, import, merge ---------------------------------------------------------------------------------------------


def test_export_then_import_carries_everything(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    carried, target = tmp_path / "carried.json", tmp_path / "new" / "b.sqlite"
    assert main(["cache", "export", "--path", str(file), "--reports", "--out", str(carried)]) == 0
    assert main(["cache", "import", str(carried), "--path", str(target)]) == 0
    assert rows(target) == rows(file)
    told = lines(capsys)
    assert told[0] == f"2 decisions written to {carried}"
    assert told[1] == f"{target}: 2 added, 0 replaced, 0 kept"


def test_export_to_standard_output_selects(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "export", "x 2x64", "--path", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == export([replace(rows(file)[1], report=None)])


def test_an_export_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    sentence = failure(capsys, "cache", "export", "--path", file, "--out", tmp_path / "folder")
    assert sentence.startswith(f"{tmp_path / 'folder'}: ")
    assert {one.name for one in tmp_path.iterdir() if "sqlite" not in one.name} == {"folder"}


def test_merge_takes_cache_files_and_documents_into_the_users_own(
    tmp_path: Path, home: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    better = document(tmp_path / "b.json", record(1, 9, level=2), record(3, 4))
    assert main(["cache", "merge", str(file), str(better), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts == {"path": str(home / FILE_NAME), "added": 3, "replaced": 1, "kept": 0}
    assert {one.problem.tensors[0].shape[0]: one.decision.best.id.engine for one in rows(home / FILE_NAME)} == {  # type: ignore[union-attr]
        1: 9, 2: 8, 3: 4
    }  # fmt: skip


@pytest.mark.parametrize(("prefer", "engine"), [("ours", 7), ("theirs", 5), ("better", 7)])
def test_prefer_says_which_side_stays(tmp_path: Path, file: Path, prefer: str, engine: int) -> None:
    older = document(tmp_path / "b.json", record(1, 5, created=1.0))
    assert main(["cache", "import", str(older), "--path", str(file), "--prefer", prefer]) == 0
    assert next(one.decision.best.id.engine for one in rows(file) if one.problem == convolution(1)) == engine  # type: ignore[union-attr]


@pytest.mark.parametrize("command", ["import", "merge"])
def test_import_takes_a_cache_file_as_merge_does(command: str, home: Path, file: Path) -> None:
    assert main(["cache", command, str(file)]) == 0
    assert rows(home / FILE_NAME) == rows(file)


def test_one_bad_file_keeps_the_others_out(
    tmp_path: Path, home: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "cudnnkit-tuning", "version": 1, "decisions": [{}]}')
    assert "decision 0 is damaged" in failure(capsys, "cache", "merge", file, bad)
    assert not home.exists()


# diff --------------------------------------------------------------------------------------------------------------


def test_diff_names_the_slower_one_first(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = document(tmp_path / "b.json", record(1, 9, 2.5), record(3, 4))
    assert main(["cache", "diff", str(file), str(after)]) == 0
    slower, removed, added, end = lines(capsys)
    assert slower.startswith("! slower conv_forward (x 1x64")
    assert slower.endswith("graph engine 7 1.25 ms -> graph engine 9 2.5 ms (2.00x the time)")
    assert removed.startswith("- conv_forward (x 2x64")
    assert added.startswith("+ conv_forward (x 3x64")
    assert end == f"{file} -> {after}: 3 differences, 1 slower"


def test_diff_check_fails_only_when_something_is_slower(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slower, faster = document(tmp_path / "s.json", record(1, 7, 1.5)), document(tmp_path / "f.json", record(1, 7, 1.0))
    assert main(["cache", "diff", str(file), str(slower), "--check"]) == 1
    assert main(["cache", "diff", str(file), str(slower), "--check", "--threshold", "0.3"]) == 0
    assert main(["cache", "diff", str(file), str(faster), "--check"]) == 0
    capsys.readouterr()


def test_diff_across_versions_matches_the_same_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = document(tmp_path / "old.json", record(1, 7, 1.0))
    new = document(tmp_path / "new.json", record(1, 8, 8.0, versions=VersionSpec("9.28.1", "13.1")))
    assert main(["cache", "diff", str(old), str(new), "--json"]) == 0
    assert [one["kind"] for one in json.loads(capsys.readouterr().out)] == ["removed", "added"]
    assert main(["cache", "diff", str(old), str(new), "--across-versions", "--json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)
    assert (change["kind"], change["ratio"]) == ("slower", 8.0)
    assert (change["before"]["candidate"], change["after"]["candidate"]) == ("graph engine 7", "graph engine 8")


def test_diff_against_the_users_own(home: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache_file(home / FILE_NAME, *rows(file))
    assert main(["cache", "diff", str(file)]) == 0
    assert lines(capsys) == [f"{file} -> {home / FILE_NAME}: 0 differences, 0 slower"]


# prune -------------------------------------------------------------------------------------------------------------


def test_prune_removes_what_matches_and_keeps_pins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = record(3, 3, versions=VersionSpec("9.28.1", "13.0"), device=replace(DEVICE, name="Other"))
    path = cache_file(tmp_path / "a.sqlite", record(1, 1), record(2, 2, level=3), new)
    assert main(["cache", "prune", "--cudnn", "9.19.0", "--device", "Other", "--path", str(path)]) == 0
    assert lines(capsys) == [f"{path}: 0 decisions removed"]
    assert main(["cache", "prune", "--keep-cudnn", "9.28.1", "--path", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(path), "removed": 1}
    assert {one.problem.tensors[0].shape[0] for one in rows(path)} == {2, 3}
    assert main(["cache", "prune", "--older-than", "30", "--path", str(path)]) == 0
    assert {one.problem.tensors[0].shape[0] for one in rows(path)} == {2}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["polish"],
        ["prune"],
        ["prune", "--older-than", "-1"],
        ["prune", "--older-than", "soon"],
        ["prune", "--older-than", "nan"],
        ["import"],
        ["diff"],
        ["diff", "a", "--threshold", "-0.1"],
        ["merge", "a", "--prefer", "mine"],
    ],
)
def test_a_wrong_command_line_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache", *arguments])
    assert ended.value.code == 2
    assert "usage: python -m cudnnkit cache" in capsys.readouterr().err
