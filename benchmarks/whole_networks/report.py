"""``docs/results/networks.json`` as a page with one table, and as a plot. Only the plot needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whole_networks.goals import shown
from whole_networks.rows import NETWORKS, PRECISIONS, order

__all__ = ["LABELS", "NAMES", "in_order", "page", "plot", "table"]

LABELS = {
    "cudnnkit": "cudnnkit",
    "torch_eager": "torch, benchmark on",
    "torch_graph": "torch in a CUDA graph",
    "torch_compile": "torch.compile",
    "torch_compile_max_autotune": "torch.compile, max-autotune",
}
NAMES = {
    "vgg19": "VGG-19", "darknet19": "Darknet-19", "resnet50": "ResNet-50", "darknet53": "Darknet-53",
    "resnext50": "ResNeXt-50",
}  # fmt: skip
_WRITTEN = (
    "Written by `benchmarks/report.py` from `docs/results/networks.json`, which `benchmarks/networks.py` measured."
)
_HOW = """Milliseconds a forward pass (or a training step), medians of device time; contenders in turns. torch takes the
faster memory layout, torch.compile is `mode="reduce-overhead"` on channels last. The floor is the sum over layers of
max(operations / measured peak, least bytes / measured bandwidth); Winograd needs fewer operations, so strict FP32 can
come below what counts direct ones. Memory is the peak of building and running with every choice made, weights
included; `benchmarks/whole_networks/memory.py` says what is counted."""
_PRECISIONS = {"fp16": "fp16", "bf16": "bf16", "tf32": "TF32", "strict": "strict FP32"}


def _name(row: Mapping[str, Any]) -> str:
    name = NAMES.get(row["network"], row["network"])
    step = ", training step" if row["kind"] == "training" else ""
    return f"{name} ({row['batch']}, {row['image']}){step}"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _best_compiled(ms: Mapping[str, float]) -> float | None:
    return min((one for name, one in ms.items() if name.startswith("torch_compile")), default=None)


def _share(ours: float | None, theirs: float | None) -> str:
    return "-" if not ours or not theirs else f"{ours / theirs:.3f}"


def _mib(row: Mapping[str, Any], mode: str) -> str:
    size = row["peak_memory_bytes"].get(mode)
    return "-" if size is None else f"{size / 2**20:.0f}"


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """One Markdown table, all precisions in it; a mode that nobody measured has no column."""
    modes = [mode for mode in LABELS if any(mode in row["ms"] for row in rows)]
    head = [
        "network (batch, image)", "precision", *(LABELS[mode] for mode in modes), "floor", "of torch.compile",
        "of torch", "of the floor", "MiB", "MiB, torch.compile",
    ]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * 2}{'--:|' * (len(head) - 2)}"]
    for row in rows:
        ms = row["ms"]
        ours = None if "cudnnkit" in row["failure"] else ms.get("cudnnkit")
        cells = [
            _name(row), _PRECISIONS.get(row["precision"], row["precision"]), *(_ms(ms.get(mode)) for mode in modes),
            _ms(row["floor_ms"]), _share(ours, _best_compiled(ms)), _share(ours, ms.get("torch_eager")),
            _share(ours, row["floor_ms"]), _mib(row, "cudnnkit"), _mib(row, "torch_compile"),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def in_order(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows as a whole run would have them; one that was resumed may have them in any order."""
    places = {key: place for place, key in enumerate(order(NETWORKS, PRECISIONS, training=True))}
    return sorted(rows, key=lambda row: places.get((row["network"], row["precision"], row["kind"]), len(places)))


def _measured(rows: Sequence[Mapping[str, Any]]) -> str:
    """How much of a whole run this is."""
    whole = order(NETWORKS, PRECISIONS, training=True)
    there = {(row["network"], row["precision"], row["kind"]) for row in rows if "cudnnkit" in row["ms"]}
    measured = len(there & set(whole))
    budgets = sorted({float(row["notes"]["budget_ms"]) for row in rows if "budget_ms" in row["notes"]})
    limits = " or ".join(f"{one:g}" for one in budgets)
    searches = f" A search was given {limits} ms." if budgets else ""
    return (
        f"A run may be cut short: this one measured {measured} of {len(whole)} rows. What was not measured shows a -."
        + searches
    )


def page(data: Mapping[str, Any], image: str) -> str:
    """The whole page.

    Parameters
    ----------
    data
        Of ``networks.json``.
    image
        The plot's path from the page.
    """
    device, versions, rows = data["device"], data["versions"], in_order(data["networks"])
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in versions.items())
    lines = ["# Five networks", "", f"{device['name']}, {data['date']}; {told}. {_WRITTEN}", "", _HOW, ""]
    lines += [_measured(rows), ""]
    lines += [*table(rows), "", f"![Milliseconds by network and library, with the floor]({image})", ""]
    lines += ["## Goals", "", "| goal | value | limit | |", "|---|--:|--:|---|"]
    for goal in data["goals"]:
        value = shown(goal["value"], goal["limit"])
        verdict = {None: f"{goal['measured']} of {goal['of']} measured", True: "met", False: "missed"}[goal["met"]]
        lines.append(f"| {goal['name']} | {value} | {goal['limit']:g} | {verdict} |")
    lines += [*_costs(rows), *_ideas(data.get("ideas", {})), *_failures(rows)]
    return "\n".join(lines) + "\n"


def _costs(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    names = {
        "tuning": "tuning", "refine": "refining in the network", "first_same_process": "first result, same process",
        "first_new_process": "first result, new process", "compile": "torch.compile",
    }  # fmt: skip
    shown = [name for name in names if any(name in row["seconds"] for row in rows)]
    if not shown:
        return []
    lines = ["", "## What it costs once, in seconds", ""]
    head = ["network", "precision", *(names[name] for name in shown)]
    lines += [f"| {' | '.join(head)} |", f"|---|---|{'--:|' * len(shown)}"]
    for row in rows:
        cells = [f"{row['seconds'][name]:.2f}" if name in row["seconds"] else "-" for name in shown]
        lines.append(f"| {_name(row)} | {_PRECISIONS.get(row['precision'], row['precision'])} | {' | '.join(cells)} |")
    return lines


def _ideas(ideas: Mapping[str, Any]) -> list[str]:
    if not ideas:
        return []
    lines = ["", "## What each idea gains", "", "| network | precision | step | ms |", "|---|---|---|--:|"]
    for name, found in ideas.items():
        network, precision = name.split(" ")
        for step, ms in found.get("ms", {}).items():
            lines.append(f"| {NAMES.get(network, network)} | {precision} | {step} | {_ms(ms)} |")
    return lines


def _failures(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = [
        f"- {_name(row)}, {row['precision']}, {mode}: {why}" for row in rows for mode, why in row["failure"].items()
    ]
    return ["", "## What failed", "", *found] if found else []


def plot(data: Mapping[str, Any], path: Path) -> None:
    """Bars by network for each precision, with a mark at the floor.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = in_order(data["networks"])
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        name = _PRECISIONS.get(row["precision"], row["precision"])
        groups.setdefault("training step" if row["kind"] == "training" else name, []).append(row)
    if not groups:
        groups[""] = []
    modes = [mode for mode in LABELS if any(mode in row["ms"] for row in rows)]
    figure, axes = pyplot.subplots(len(groups), 1, figsize=(9, 2.6 * len(groups)), squeeze=False, layout="constrained")
    width = 0.8 / max(len(modes), 1)
    for axis, (title, members) in zip(axes[:, 0], groups.items(), strict=True):
        for place, mode in enumerate(modes):
            at = [one + (place - (len(modes) - 1) / 2) * width for one in range(len(members))]
            bars = axis.bar(at, [row["ms"].get(mode, 0.0) for row in members], width, label=LABELS[mode])
            axis.bar_label(bars, [_ms(row["ms"].get(mode)) for row in members], fontsize=6)
        for place, row in enumerate(members):
            if row["floor_ms"]:
                line = axis.hlines(row["floor_ms"], place - 0.45, place + 0.45, colors="black", linestyles="dashed")
                line.set_label("floor" if place == 0 else "")
        names = [NAMES.get(row["network"], row["network"]) for row in members]
        if title == "training step":
            names = [f"{name}, {_PRECISIONS[row['precision']]}" for name, row in zip(names, members, strict=True)]
        axis.set_xticks(range(len(members)), names)
        axis.set_title(title)
        axis.set_ylabel("ms")
    axes[0, 0].legend(fontsize=7)
    figure.suptitle(f"{data['device']['name']}, {data['date']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130, metadata={"Software": None})
    pyplot.close(figure)
