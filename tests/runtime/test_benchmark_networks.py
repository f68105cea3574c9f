"""The parts of ``benchmarks/networks.py`` and ``benchmarks/report.py`` that need neither torch nor a GPU."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cudnnkit.network import problems_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

if TYPE_CHECKING:
    from whole_networks import first_result, floor, goals, losses, readme, report, rows
else:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from whole_networks import first_result, floor, goals, losses, readme, report, rows
    finally:
        sys.path.remove(str(BENCHMARKS))

FACTS = {
    "device": {"name": "Some GPU", "multiprocessors": 1, "memory_gib": 1.0},
    "versions": {"cudnn": "9.19.0", "torch": "2.11.0"},
    "date": "2026-01-02",
    "settings": {"budget_ms": 500.0},
}


def row(network: str = "resnet50", precision: str = "fp16", **more: Any) -> rows.NetworkRow:
    ms = {"cudnnkit": 2.0, "torch_eager": 5.0, "torch_graph": 4.0, "torch_compile": 2.5}
    peaks = {"cudnnkit": 500 * 2**20, "torch_compile": 600 * 2**20}
    given: dict[str, Any] = {"batch": 64, "image": 224, "ms": ms, "floor_ms": 1.25, "peak_memory_bytes": peaks, **more}
    return rows.NetworkRow(network, precision, **given)


def five(precision: str, **more: Any) -> list[rows.NetworkRow]:
    return [row(network, precision, **more) for network in rows.NETWORKS]


def goal(found: list[rows.NetworkRow], words: str) -> dict[str, Any]:
    (one,) = [one for one in goals.goals(found) if words in one["name"]]
    return one


# Goals -------------------------------------------------------------------------------------------------------------


def test_a_goal_over_five_networks_takes_the_worst_and_needs_all_five() -> None:
    all_five = five("fp16")
    assert goal(all_five, "fp16 inference, worst network, of torch.compile")["met"] is True
    assert goal(all_five[:4], "fp16 inference, worst network, of torch.compile")["met"] is None
    slow = [*all_five[:4], row("resnext50", ms={"cudnnkit": 2.1, "torch_compile": 2.5})]
    found = goal(slow, "fp16 inference, worst network, of torch.compile")
    assert (found["met"], found["value"], found["limit"]) == (False, pytest.approx(0.84), 0.80)
    assert goal(slow[4:], "fp16 inference, worst network, of torch.compile")["met"] is False
    assert goal(all_five, "bf16 inference, worst network, of torch.compile")["value"] is None


def test_torch_compile_is_taken_at_its_best() -> None:
    one = row(ms={"cudnnkit": 2.0, "torch_compile": 4.0, "torch_compile_max_autotune": 2.2})
    assert goals.ratio(one)[0] == pytest.approx(2.0 / 2.2)


def test_the_floor_allows_twice_its_time() -> None:
    assert goal(five("fp16"), "fp16 inference, worst network, of its floor")["value"] == pytest.approx(1.6)
    assert goal(five("fp16", floor_ms=0.9), "fp16 inference, worst network, of its floor")["met"] is False


def test_strict_is_a_geometric_mean_against_torch_with_search() -> None:
    times = [1.0, 2.0, 4.0, 2.0, 2.0]
    found = [
        row(name, "strict", ms={"cudnnkit": time, "torch_eager": 4.0, "torch_compile": 1.0})
        for name, time in zip(rows.NETWORKS, times, strict=True)
    ]
    one = goal(found, "strict")
    assert one["value"] == pytest.approx((0.25 * 0.5 * 1.0 * 0.5 * 0.5) ** 0.2)
    assert one["met"] is True
    assert goal(found[2:3], "strict")["met"] is None


def test_memory_training_tuning_and_first_results_have_goals() -> None:
    found = [*five("fp16", seconds={"tuning": 130.0, "first_new_process": 1.5}), row(kind="training")]
    assert goal(found, "peak memory")["value"] == pytest.approx(500 / 600)
    assert goal(found, "training step, fp16")["met"] is True
    assert goal(found, "training step, tf32")["met"] is None
    assert (goal(found, "tuning all")["value"], goal(found, "tuning all")["met"]) == (pytest.approx(650.0), False)
    assert goal(found, "first result")["met"] is True


def test_a_wrong_result_has_no_ratio() -> None:
    assert goals.ratio(row(failure={"cudnnkit": "relative error"}))[0] is None
    assert goals.ratio(row(failure={"torch_graph": "no"}))[0] == pytest.approx(0.8)


# Floors ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("device")
def test_a_floor_is_the_larger_of_operations_and_bytes() -> None:
    import cudnnkit as ck
    import numpy as np

    x, w, bias = np.zeros((2, 8, 10, 10), "f4"), np.zeros((16, 4, 3, 3), "f4"), np.zeros(16, "f4")
    (conv,) = problems_of(lambda: ck.conv2d(x, w, bias, stride=2, padding=1, groups=2, activation="relu"), run=False)
    operations = 2 * (2 * 16 * 5 * 5) * (4 * 3 * 3)  # each of y's elements sums that many products
    nbytes = 4 * (x.size + w.size + bias.size + 2 * 16 * 5 * 5)
    assert floor.operations(conv.problem) == operations
    slow = {"fp16": float(operations), "bandwidth": 1e30}
    assert floor.layer_floor_ms(conv.problem, "fp16", slow) == pytest.approx(1000)
    thin = {"fp16": 1e30, "bandwidth": float(nbytes)}
    assert floor.floor_ms([(conv.problem, 3)], "fp16", thin) == pytest.approx(3000)
    dy = np.zeros((2, 16, 5, 5), "f4")
    keywords: dict[str, Any] = {"stride": 2, "padding": 1, "groups": 2}
    gradients = problems_of(
        lambda: (
            ck.conv_data_gradient(dy, w, (2, 8, 10, 10), **keywords),
            ck.conv_filter_gradient(x, dy, (3, 3), **keywords),
        ),
        run=False,
    )
    assert [floor.operations(one.problem) for one in gradients] == [operations] * 2
    (relu,) = problems_of(lambda: ck.relu(x), run=False)
    assert floor.operations(relu.problem) == 0


# Losses ------------------------------------------------------------------------------------------------------------

EXPECTED = [2.0, 1.5, 1.0, 0.5]


def judge(**found: list[float]) -> tuple[dict[str, float], dict[str, str]]:
    return losses.judged(found, EXPECTED, "tf32")


def test_a_first_loss_has_the_precisions_bound_and_later_ones_a_wider_one() -> None:
    assert judge(cudnnkit=[2.008, 1.5, 1.0, 0.58]) == ({"cudnnkit": pytest.approx(0.004)}, {})
    errors, wrong = judge(cudnnkit=[2.02, 1.5, 1.0, 0.5], torch_eager=[2.0, 1.5, 1.0, 0.61])
    assert errors == {"cudnnkit": pytest.approx(0.01), "torch_eager": 0.0}
    assert set(wrong) == {"cudnnkit"}
    assert "loss 1 is 2.02, 2 in float64: off by 1.00e-02, 5e-03 is the bound" in wrong["cudnnkit"]


def test_a_step_that_does_not_train_is_told() -> None:
    assert "loss 3 is 2, 1 in float64" in judge(cudnnkit=[2.0, 1.5, 2.0, 2.0])[1]["cudnnkit"]
    assert "loss 2 is 2" in judge(cudnnkit=[2.0] * 4, torch_eager=[2.0, 1.5, 1.0, 0.52])[1]["cudnnkit"]


def test_torchs_own_rounding_widens_the_bound_of_later_losses_alone() -> None:
    mine = [2.0, 1.5, 1.0, 0.8]
    assert set(judge(cudnnkit=mine)[1]) == {"cudnnkit"}
    assert judge(cudnnkit=mine, torch_eager=[2.0, 1.5, 1.2, 0.5])[1] == {}
    assert set(judge(cudnnkit=[2.1, *mine[1:]], torch_eager=[2.0, 1.5, 1.2, 0.5])[1]) == {"cudnnkit"}


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_wrong_and_measures_nothing(bad: float) -> None:
    errors, wrong = judge(cudnnkit=[2.0, 1.5, 1.0, 0.8], torch_eager=[2.0, bad, bad, bad], torch_compile=[bad] * 4)
    assert set(wrong) == {"cudnnkit", "torch_eager", "torch_compile"}
    assert set(errors) == {"cudnnkit", "torch_eager"}


def test_without_float64s_losses_nothing_is_judged() -> None:
    assert losses.judged({"cudnnkit": EXPECTED}, [], "fp16") == ({}, {})


# First results -----------------------------------------------------------------------------------------------------


def test_a_first_result_counts_unless_it_had_to_search_or_failed() -> None:
    line = json.dumps({"seconds": 0.5, "searches": 0})
    assert first_result.understood(0, f"a word of a library\n{line}\n", "a warning") == json.loads(line)
    searched = first_result.understood(0, json.dumps({"seconds": 9.5, "searches": 3}), "")
    assert searched["failure"] == "3 searches: not all decisions were on disk"
    assert first_result.understood(1, line, "Traceback\nRuntimeError: none\n")["failure"].endswith("Error: none")
    assert "said nothing" in first_result.understood(-9, "", "")["failure"]
    assert "failure" in first_result.understood(0, "no JSON", "")


# Results -----------------------------------------------------------------------------------------------------------


def test_rows_come_in_the_order_of_importance() -> None:
    keys = rows.order(rows.NETWORKS, rows.PRECISIONS, training=True)
    assert [one[1] for one in keys[:20:5]] == ["fp16", "tf32", "bf16", "strict"]
    assert keys[20:] == [("resnet50", "fp16", "training"), ("resnet50", "tf32", "training")]
    assert rows.order(["vgg19"], ["bf16"], training=True) == [("vgg19", "bf16", "inference")]


def test_results_are_written_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "n.json"
    first = rows.Results(FACTS, path)
    first.sections["peaks"] = {"fp16": 1.0}
    first.add(row())
    data = json.loads(path.read_text())
    assert data["networks"][0]["ms"]["torch_compile"] == 2.5
    assert data["device"]["name"] == "Some GPU"
    assert {one["met"] for one in data["goals"]} <= {True, False, None}
    again = rows.Results(FACTS)
    again.resume(path)
    noted = replace(row(), notes={"budget_ms": 500.0, **row().notes})
    assert again.rows == {row().key: noted}
    assert again.sections["peaks"] == {"fp16": 1.0}
    assert again.has(row().key, ["cudnnkit", "torch_graph"])
    assert not again.has(row().key, ["cudnnkit_eager"])
    again.add(replace(row(), ms={}, failure={"cudnnkit_eager": "no"}))
    assert again.has(row().key, ["cudnnkit_eager"])
    assert not again.has(("vgg19", "fp16", "inference"), [])


def test_the_command_lists_its_rows_without_torch() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "networks.py"), "--list", "--networks", "resnet50", "--precisions", "tf32"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["resnet50 tf32 inference", "resnet50 tf32 training"]


# Report ------------------------------------------------------------------------------------------------------------


def written(tmp_path: Path) -> dict[str, Any]:
    found = rows.Results(FACTS, tmp_path / "n.json")
    found.sections["ideas"] = {"resnet50 fp16": {"ms": {"+ fusion": 3.14}}}
    found.add(row(seconds={"tuning": 12.5}))
    found.add(row("vgg19", "tf32", ms={"cudnnkit": 7.5, "torch_eager": 17.25}, failure={"torch_compile": "gave up"}))
    found.add(row(kind="training", floor_ms=None, ms={"cudnnkit": 11.0, "torch_compile": 12.0}))
    result: dict[str, Any] = json.loads((tmp_path / "n.json").read_text())
    return result


def test_the_table_has_every_value_in_its_column(tmp_path: Path) -> None:
    head, _, first, second, third = report.table(written(tmp_path)["networks"])
    names = [one.strip() for one in head.split("|")]
    cells = [dict(zip(names, (one.strip() for one in line.split("|")), strict=True)) for line in (first, second, third)]
    assert cells[0]["network (batch, image)"] == "ResNet-50 (64, 224)"
    assert (cells[0]["cudnnkit"], cells[0]["torch.compile"], cells[0]["floor"]) == ("2.00", "2.50", "1.25")
    assert (cells[0]["of torch.compile"], cells[0]["of torch"], cells[0]["of the floor"]) == ("0.800", "0.400", "1.600")
    assert (cells[0]["MiB"], cells[0]["MiB, torch.compile"]) == ("500", "600")
    assert (cells[1]["torch, benchmark on"], cells[1]["torch in a CUDA graph"]) == ("17.25", "-")
    assert (cells[2]["network (batch, image)"], cells[2]["floor"]) == ("ResNet-50 (64, 224), training step", "-")


def test_the_page_tells_where_when_goals_costs_ideas_and_failures(tmp_path: Path) -> None:
    text = report.page(written(tmp_path), "n.png")
    assert "Some GPU, 2026-01-02; cudnn 9.19.0, torch 2.11.0." in text
    assert "![Milliseconds by network and library, with the floor](n.png)" in text
    assert "| ResNet-50 training step, fp16, of torch.compile's time | 0.917 | 1 | met |" in text
    assert "this one measured 3 of 22 rows." in text
    assert "A search was given 500 ms." in text
    assert "| ResNet-50 (64, 224) | fp16 | 12.50 |" in text
    assert "| ResNet-50 | fp16 | + fusion | 3.14 |" in text
    assert "- VGG-19 (64, 224), tf32, torch_compile: gave up" in text


def test_the_report_writes_page_and_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written(tmp_path)
    page = tmp_path / "page.md"
    arguments = [
        sys.executable, str(BENCHMARKS / "report.py"), "--json", str(tmp_path / "n.json"), "--page", str(page)
    ]  # fmt: skip
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert page.read_text().startswith("# Five networks")
    assert (tmp_path / "page.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


LAYERS = {
    "layers": [{}, {}],
    "summary": {
        "goals": [
            {"name": name, "ratio": ratio, "layers": 3}
            for name, ratio in (
                ("conv", 0.904), ("conv+bias+relu", 0.46), ("strict FP32 conv", 0.7), ("gradients", 0.95)
            )
        ]
    },
    "host": {"microseconds": {"torch conv2d": 11.67, "cudnnkit conv2d": 7.81, "cudnnkit bound plan": 4.86}},
}  # fmt: skip


def test_the_readmes_figures_are_rows_by_network_and_a_sentence(tmp_path: Path) -> None:
    compiled = " | ".join(f"{name} | torch.compile" for name in ("fp16", "bf16", "TF32"))
    shares = "convolution 0.90, with bias and ReLU 0.46, strict FP32 0.70, both gradients 0.95"
    assert readme.figures(written(tmp_path), LAYERS).splitlines() == [
        f"| ms (batch, image) | {compiled} | strict FP32 | torch |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        "| VGG-19 (64, 224) | - | - | - | - | 7.50 | - | - | - |",
        "| ResNet-50 (64, 224) | 2.00 | 2.50 | - | - | - | - | - | - |",
        "| ResNet-50, training step (64, 224) | 11.00 | 12.00 | - | - | - | - | - | - |",
        "",
        "Some GPU, cuDNN 9.19.0, torch 2.11.0, 2026-01-02.",
        f"Of torch's time with its own search on, geometric means over 12 layers: {shares}.",
        "A cached call costs the host 7.8 us where torch's takes 11.7, a bound plan 4.9.",
    ]


def test_the_readme_and_the_page_show_what_the_committed_results_say() -> None:
    root = BENCHMARKS.parent
    networks, layers = (
        json.loads((root / "docs" / "results" / f"{name}.json").read_text()) for name in ("networks", "layers")
    )
    text = (root / "README.md").read_text()
    assert readme.placed(text, readme.figures(networks, layers)) == text
    assert report.page(networks, "networks.png") == (root / "docs" / "networks.md").read_text()


def test_line_ends_of_a_readme_stay() -> None:
    text = f"a\r\n{readme.BEGIN}\r\nold\r\n{readme.END}\r\nb\r\n"
    assert readme.placed(text, "1\n2\n") == text.replace("old", "1\r\n2")


def test_a_damaged_file_of_layers_is_named_itself(tmp_path: Path) -> None:
    written(tmp_path)
    layers, file = tmp_path / "layers.json", tmp_path / "README.md"
    layers.write_bytes(b"\xff")
    file.write_text(f"{readme.BEGIN}\n{readme.END}\n")
    words = {"json": tmp_path / "n.json", "layers": layers, "readme": file, "page": tmp_path / "page.md"}
    done = script("report.py", *(f"--{name}={path}" for name, path in words.items()))
    assert done.returncode == 1
    assert done.stderr.startswith(f"report.py: error: {layers} is not what benchmarks/layers.py --json writes (Unicode")
    assert done.stderr.count("\n") == 1


def test_a_readme_without_a_place_for_figures_is_one_sentence_and_stays(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "layers.json").write_text(json.dumps(LAYERS))
    file = tmp_path / "README.md"
    file.write_text("nothing here")
    names = ["--json", "n.json", "--layers", "layers.json", "--readme", "README.md", "--page", "page.md"]
    done = script("report.py", *(str(tmp_path / one) if "." in one else one for one in names))
    assert done.returncode == 1
    marks = "<!-- figures --> and <!-- /figures -->"
    assert done.stderr == f"report.py: error: {file}: there is no place for figures; give the file the lines {marks}\n"
    assert file.read_text() == "nothing here"
    assert not (tmp_path / "page.md").exists()


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "report.py"), "--json", str(tmp_path / "none.json")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "No such file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"networks": []}',
        '{"device": {"name": "a"}, "versions": {}, "date": "", "networks": [{"ms": {}}]}',
        '{"device": {"name": "a"}, "versions": {"cudnn": "9", "torch": null}, "date": "", "networks": []}',
        '{"device": {"name": "a"}, "versions": {"cudnn": "9"}, "date": "", "networks": []}',
        '{"device": "a", "versions": {"cudnn": "9", "torch": "2"}, "date": "", "networks": []}',
    ],
)
def test_a_file_of_another_program_is_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    done = script("report.py", "--json", str(file), "--page", str(tmp_path / "page.md"))
    assert (done.returncode, list(tmp_path.iterdir())) == (1, [file])
    assert done.stderr.startswith(f"report.py: error: {file} is not what benchmarks/networks.py --json writes (")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [(None, 2.0, "-"), (2.0, 2.0, "2"), (2.0041, 2.0, "2.004"), (0.80004, 0.8, "0.80004"), (0.8194, 0.8, "0.819"),
     (1.9996, 2.0, "1.9996"), (94.66, 600.0, "94.7")],
)  # fmt: skip
def test_a_value_is_told_from_its_limit(value: float | None, limit: float, text: str) -> None:
    assert goals.shown(value, limit) == text


# Command lines -----------------------------------------------------------------------------------------------------


def script(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BENCHMARKS / name), *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("networks.py --layers resnet50 fp99", "argument --layers: takes fp16, bf16, tf32, strict, not fp99"),
        ("networks.py --layers resnet51 fp16", "argument --layers: takes vgg19, "),
        ("networks.py --ideas vgg", "argument --ideas: takes vgg19, "),
        ("networks.py --refine -1", "argument --refine: '-1' is no number of 0 or more"),
        ("networks.py --torch-limit 1.5", "argument --torch-limit: '1.5' is no whole number of 0 to 2147483647"),
        ("networks.py --retry", "argument --retry: goes with --resume FILE"),
        ("networks.py --cache /dev/null", "argument --cache: /dev/null is no folder"),
        ("layers.py --cache /dev/null/under", "argument --cache: /dev/null/under: /dev/null is no folder"),
        ("layers.py --json /", "argument --json: / is a folder"),
        ("networks.py --resume nowhere.json", "argument --resume: nowhere.json: No such file or directory"),
        ("layers.py --resume nowhere.json", "argument --resume: nowhere.json: No such file or directory"),
        ("layers.py --most-important -4", "argument --most-important: '-4' is no whole number of 1 to 2147483647"),
        ("layers.py --seconds nan", "argument --seconds: 'nan' is no number of 0 or more"),
        ("layers.py --only nosuch", "argument --only: no row has the words 'nosuch'"),
        ("list_problems.py foo", "argument NETWORK: there are vgg19, "),
        ("list_problems.py --check foo", "argument NETWORK: there are vgg19, "),
        ("list_problems.py vgg19", "NETWORK goes with --check"),
    ],
)
def test_wrong_words_are_told_before_torch_or_a_gpu_is_asked_for(words: str, said: str) -> None:
    done = script(*words.split(" "))
    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]


def test_a_file_of_other_results_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "layers.json"
    file.write_text('{"layers": []}')
    done = script("networks.py", "--resume", str(file))
    assert done.returncode == 2
    assert f"argument --resume: {file} was not written by this script (KeyError: 'networks')" in done.stderr


@pytest.mark.parametrize("name", ["layers.py", "networks.py"])
def test_deep_nesting_is_not_resumed(name: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    done = script(name, "--resume", str(file))
    assert done.returncode == 2
    assert f"argument --resume: {file} was not written by this script (RecursionError" in done.stderr


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    command = [sys.executable, str(BENCHMARKS / "layers.py"), "--list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 1


@pytest.mark.parametrize("name", ["networks.py", "layers.py", "graph_population.py", "report.py", "list_problems.py"])
def test_help_needs_no_torch(name: str) -> None:
    done = script(name, "--help")
    assert done.returncode == 0, done.stderr
    assert name in done.stdout.splitlines()[0]


def test_rows_are_plain_data() -> None:
    assert rows.NetworkRow(**json.loads(json.dumps(asdict(row())))) == row()
