"""The parts of ``benchmarks/layers.py`` that need neither torch nor a GPU."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

if TYPE_CHECKING:
    from side_by_side import cases, results
else:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from side_by_side import cases, results
    finally:
        sys.path.remove(str(BENCHMARKS))


def row(
    ours: float | None, theirs: float | None, operation: str = "conv", precision: str = "fp16", **more: Any
) -> results.Row:
    ms = {"cudnnkit": ours, "torch": theirs}
    return results.Row(more.pop("case", "layer"), operation, precision, ms, 64, "graph engine 1", **more)


# Cases -------------------------------------------------------------------------------------------------------------


def test_the_first_measurements_stand_first_and_thirty_more_follow() -> None:
    firsts = {
        ("fp16", (64, 64, 224, 224), (64, 64, 3, 3)),
        ("fp16", (64, 256, 56, 56), (256, 256, 3, 3)),
        ("fp16", (64, 512, 14, 14), (512, 512, 3, 3)),
        ("fp16", (64, 64, 56, 56), (256, 64, 1, 1)),
        ("fp16", (32, 128, 56, 56), (128, 4, 3, 3)),
        ("tf32", (64, 256, 56, 56), (256, 256, 3, 3)),
        ("strict", (64, 256, 56, 56), (256, 256, 3, 3)),
        ("strict", (64, 512, 28, 28), (1024, 512, 3, 3)),
    }
    quick = list(cases.blocks(quick=True))
    assert firsts <= {(one.precision, one.case.x_shape, one.case.w_shape) for one in quick}
    assert list(cases.blocks())[: len(quick)] == quick
    assert len(cases.CASES) >= len({one[1:] for one in firsts}) + 30


def rows(**arguments: Any) -> list[tuple[str, str, str]]:
    return [
        (one.case.name, operation, one.precision) for one in cases.blocks(**arguments) for operation in one.operations
    ]


def test_what_the_goals_speak_of_comes_first() -> None:
    demanded = rows(most=cases.DEMANDED)
    assert len(demanded) == cases.DEMANDED
    assert demanded == rows()[: cases.DEMANDED]
    firsts = {(name, precision) for name, _, precision in rows(quick=True)}
    for precision, operations, more in [
        ("fp16", cases.OPERATIONS, 30),
        ("strict", ("conv",), 12),
        ("tf32", ("conv",), 12),
        ("bf16", ("conv",), 4),
    ]:
        for operation in operations:
            layers = {name for name, one, other in demanded if (one, other) == (operation, precision)}
            assert len(layers - {name for name, other in firsts if other == precision}) >= more
    # The last row is one of them: a smaller number would leave a sample incomplete.
    assert demanded[-1][2] == "bf16"
    assert rows()[cases.DEMANDED][2] != "bf16"


def test_a_pattern_and_a_number_of_rows_go_together() -> None:
    assert rows(pattern="fp16 dgrad", most=3) == rows(pattern="fp16 dgrad")[:3]


def test_each_row_stands_once_and_every_combination_is_there() -> None:
    every = rows()
    assert len(every) == len(set(every)) == len(cases.CASES) * len(cases.OPERATIONS) * len(cases.PRECISIONS)


def test_the_kinds_that_were_asked_for_are_there() -> None:
    def any_case(test: Any) -> bool:
        return any(map(test, cases.CASES))

    assert {"resnet50", "vgg19", "darknet53", "resnext50", "mobilenet"} <= {one.source for one in cases.CASES}
    assert any_case(lambda one: one.groups == one.channels > 1)  # depthwise
    assert any_case(lambda one: one.window == (1, 1))
    assert any_case(lambda one: one.window == (7, 7) and one.stride == (2, 2))
    assert any_case(lambda one: one.image == (7, 7) and one.window == (3, 3))
    assert {1, 2, 3} == {len(one.image) for one in cases.CASES}
    assert any_case(lambda one: set(one.dilation) == {2})


@pytest.mark.parametrize(
    ("source", "x", "w", "y"),
    [
        # From the networks' own tables.
        ("resnet50 n64 c3 224", (64, 3, 224, 224), (64, 3, 7, 7), (64, 64, 112, 112)),
        ("resnet50 n64 c256 56 k512", (64, 256, 56, 56), (512, 256, 1, 1), (64, 512, 28, 28)),
        ("darknet53 n64 c32 256", (64, 32, 256, 256), (64, 32, 3, 3), (64, 64, 128, 128)),
        ("mobilenet n64 c144", (64, 144, 56, 56), (144, 1, 3, 3), (64, 144, 56, 56)),
        ("deeplab", (8, 512, 28, 28), (512, 512, 3, 3), (8, 512, 28, 28)),
        ("r3d n8 c3", (8, 3, 16, 112, 112), (64, 3, 3, 7, 7), (8, 64, 16, 56, 56)),
        ("whisper", (16, 80, 3000), (512, 80, 3), (16, 512, 3000)),
    ],
)
def test_shapes_are_those_of_the_networks(
    source: str, x: tuple[int, ...], w: tuple[int, ...], y: tuple[int, ...]
) -> None:
    (case,) = [one for one in cases.CASES if one.name.startswith(source)]
    assert (case.x_shape, case.w_shape, case.y_shape) == (x, w, y)


def test_channels_and_filters_divide_by_groups() -> None:
    assert [one.name for one in cases.CASES if one.channels % one.groups or one.filters % one.groups] == []


def test_a_pattern_selects_rows_by_all_of_its_words() -> None:
    found = list(cases.blocks(pattern="strict dgrad mobilenet"))
    assert {one.precision for one in found} == {"strict"}
    assert {one.operations for one in found} == {("dgrad",)}
    assert {one.case.source for one in found} == {"mobilenet"}
    assert {one.operations for one in cases.blocks(pattern="conv fp16 resnet50")} == {("conv",)}
    assert list(cases.blocks(pattern="no such layer")) == []


# Results -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("values", "mean"), [([], None), ([0.5], 0.5), ([0.5, 2.0], 1.0), ([1.0, 8.0, 27.0], 6.0)])
def test_geometric_mean(values: list[float], mean: float | None) -> None:
    assert results.geometric_mean(values) == (None if mean is None else pytest.approx(mean))


def test_goals_are_those_of_the_project_and_strict_has_its_own() -> None:
    rows = [
        row(0.5, 1.0), row(2.0, 1.0, precision="tf32"), row(0.1, 1.0, precision="strict"),
        row(0.6, 1.0, "conv_bias_relu", "bf16"), row(0.9, 1.0, "dgrad"), row(0.4, 1.0, "wgrad", "strict"),
    ]  # fmt: skip
    goals = {one["name"]: one for one in results.summary(rows)["goals"]}
    assert {name: one["limit"] for name, one in goals.items()} == {
        "conv": 0.97, "conv+bias+relu": 0.60, "strict FP32 conv": 0.75, "gradients": 0.97
    }  # fmt: skip
    assert {name: (one["ratio"], one["met"], one["layers"]) for name, one in goals.items()} == {
        "conv": (pytest.approx(1.0), False, 2),
        "conv+bias+relu": (pytest.approx(0.6), True, 1),
        "strict FP32 conv": (pytest.approx(0.1), True, 1),
        "gradients": (pytest.approx(0.6), True, 2),
    }


def test_wrong_results_and_missing_times_count_as_failures_and_in_no_mean() -> None:
    rows = [row(0.5, 1.0), row(0.01, 1.0, failure="relative error 1e-01"), row(None, 1.0, failure="OutOfMemoryError")]
    found = results.summary(rows)
    assert found["groups"] == {"conv fp16": {"ratio": 0.5, "layers": 1}}
    assert [one["failure"] for one in found["failures"]] == ["relative error 1e-01", "OutOfMemoryError"]
    assert results.summary([])["goals"][0]["met"] is None


def test_rows_above_the_worst_are_listed_worst_first() -> None:
    rows = [row(1.04, 1.0, case="a"), row(1.06, 1.0, case="b"), row(1.5, 1.0, case="c")]
    assert [one["row"] for one in results.summary(rows)["above"]] == ["c | conv | fp16", "b | conv | fp16"]


def test_the_file_has_the_promised_keys_and_is_complete_after_each_row(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "layers.json"
    found = results.Results({"device": {"name": "G"}, "versions": {"cudnn": "9"}, "date": "2026-01-02"}, path)
    found.add(row(0.5, 1.0, layout={"cudnnkit": "last"}, error={"cudnnkit": 1e-4}))
    first = json.loads(path.read_text())
    found.add(row(0.6, 1.0, "dgrad"))
    assert {"device", "versions", "date", "layers"} <= set(first)
    assert len(first["layers"]) == 1
    assert len(json.loads(path.read_text())["layers"]) == 2
    one = first["layers"][0]
    assert {"case", "operation", "precision", "ms", "workspace", "candidate"} <= set(one)
    assert one["ms"] == {"cudnnkit": 0.5, "torch": 1.0}
    assert (one["workspace"], one["candidate"]) == (64, "graph engine 1")
    assert [each.name for each in path.parent.iterdir()] == ["layers.json"]


def test_a_run_resumes_without_the_rows_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "layers.json"
    before = results.Results({}, path)
    before.sections["host"] = {"microseconds": {}}
    before.add(row(0.5, 1.0, case="good"))
    before.add(row(None, None, case="bad", failure="x"))
    after = results.Results({})
    after.resume(path)
    assert after.has("good", "conv", "fp16")
    assert not after.has("bad", "conv", "fp16")
    assert after.sections == {"host": {"microseconds": {}}}


def test_a_file_that_cannot_be_written_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        results.Results({}, tmp_path / "taken").flush()
    assert [one.name for one in tmp_path.iterdir()] == ["taken"]


def test_the_text_names_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    print(results.table([row(0.5, 1.0), row(3.0, 1.0, "dgrad"), row(None, None, failure="broken")]))
    text = capsys.readouterr().out
    assert "conv: 0.500 of torch's time over 1 rows, goal 0.97: met" in text
    assert "gradients: 3.000 of torch's time over 1 rows, goal 0.97: MISSED" in text
    assert "conv+bias+relu: - of torch's time over 0 rows, goal 0.6: not measured" in text
    assert "FAILED: broken" in text


# The script --------------------------------------------------------------------------------------------------------


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "layers.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_the_script_lists_without_torch() -> None:
    done = script("--list", "--quick", "--only", "fp16 wgrad")
    assert done.returncode == 0
    *listed, count = done.stdout.splitlines()
    assert count == f"{len(listed)} rows"
    assert all(one.endswith("| wgrad | fp16") for one in listed)


def test_an_unknown_section_is_status_2() -> None:
    done = script("--sections", "hosts")
    assert done.returncode == 2
    assert "host, first_call, layers, not hosts" in done.stderr


def test_bounds_follow_the_length_of_the_sum() -> None:
    assert results.bound("strict", 2**20) == 2e-5 + 2**-14
    assert results.bound("fp16", 2**20) == 1e-3 + 2**-12
    assert results.bound("fp16", 2**20, "wgrad") == 1e-3 + 2**-12 + 2**-11
    assert results.bound("strict", 2**20, "wgrad") == results.bound("strict", 2**20)
    # TF32 instead of strict float32 is 3e-4 off: no layer's sum is so long that it would pass.
    longest = max(one.summed(operation) for one in cases.CASES for operation in cases.OPERATIONS)
    assert results.bound("strict", longest) < 1.5e-4


def test_lengths_of_the_sums() -> None:
    layer = next(one for one in cases.CASES if one.groups == 1 and min(one.window) > 1 and len(one.window) == 2)
    taps = layer.window[0] * layer.window[1]
    assert layer.summed("conv") == layer.channels * taps
    assert layer.summed("dgrad") == layer.filters * taps
    assert layer.summed("wgrad") == layer.batch * layer.output[0] * layer.output[1]


# The first call of a new process -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [(), ("warm",)])
def test_a_first_call_tells_its_parts(
    mode: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from types import SimpleNamespace

    import cudnnkit as ck
    import cudnnkit.context
    import numpy as np
    from cudnnkit.testing import simulated

    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from side_by_side import first_call

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(synchronize=lambda: None)))
    monkeypatch.setattr(cudnnkit.context, "context", lambda _: None)
    monkeypatch.setattr(first_call, "operands", lambda _: [np.ones((1, 8, 4, 4)), np.ones((8, 8, 3, 3))])
    monkeypatch.setattr(first_call, "call", lambda _, arrays: ck.conv2d(*arrays))
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", "nowhere")
    with simulated():
        first_call.main("fp16 NHWC conv", "nowhere", "1000.0", *mode)
    told = json.loads(capsys.readouterr().out)
    always = {
        "ms", "second_call_ms", "import_ms", "import_torch_ms", "import_cudnnkit_ms", "inputs_ms", "handle_ms",
        "searches", "disk_hits", "modules_imported",
    }  # fmt: skip
    warmed = {"warm_up_ms", "warm_up_steps_ms", "warm_up_failures"}
    assert set(told) == (always | warmed if mode else always)
    assert told["searches"] == 1
    if mode:
        assert "a legacy convolution" in told["warm_up_steps_ms"]
        assert told["warm_up_failures"] == {}
