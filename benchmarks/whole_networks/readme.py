"""The figures that the README shows, out of what both benchmarks wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whole_networks.report import NAMES
from whole_networks.rows import NETWORKS

__all__ = ["BEGIN", "END", "figures", "placed"]

BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
_COLUMNS = {
    "fp16": ("fp16", "torch_compile"), "bf16": ("bf16", "torch_compile"), "tf32": ("TF32", "torch_compile"),
    "strict": ("strict FP32", "torch_eager"),
}  # fmt: skip
"""By precision: its name, and torch's mode to compare with; nothing compiles strict FP32 here."""
_RIVALS = {"torch_compile": "torch.compile", "torch_eager": "torch"}
_GROUPS = {
    "conv": "convolution", "conv+bias+relu": "with bias and ReLU", "strict FP32 conv": "strict FP32",
    "gradients": "both gradients",
}  # fmt: skip
"""Goals of the layers' run, as a sentence names them."""


def figures(networks: Mapping[str, Any], layers: Mapping[str, Any]) -> str:
    """A table of networks and a sentence on layers, in Markdown.

    Parameters
    ----------
    networks, layers
        Of ``networks.json`` and ``layers.json``.
    """
    heads = [one for name, rival in _COLUMNS.values() for one in (name, _RIVALS[rival])]
    lines = [f"| ms (batch, image) | {' | '.join(heads)} |", f"|---{'|--:' * len(heads)}|"]
    for kind, ending in (("inference", ""), ("training", ", training step")):
        for name in NETWORKS:
            rows = [one for one in networks["networks"] if (one["network"], one["kind"]) == (name, kind)]
            if rows:
                first = rows[0]
                title = f"{NAMES[name]}{ending} ({first['batch']}, {first['image']})"
                lines.append(f"| {title} | {' | '.join(_cells(rows))} |")
    versions = networks["versions"]
    where = f"{networks['device']['name']}, cuDNN {versions['cudnn']}, torch {versions['torch'].split('+')[0]}"
    return "\n".join([*lines, "", f"{where}, {networks['date']}.", _layers(layers), ""])


def _cells(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    cells = []
    for precision, (_, rival) in _COLUMNS.items():
        ms = next((one["ms"] for one in rows if one["precision"] == precision), {})
        cells += ["-" if mode not in ms else f"{ms[mode]:.2f}" for mode in ("cudnnkit", rival)]
    return cells


def _layers(layers: Mapping[str, Any]) -> str:
    found = {one["name"]: one for one in layers["summary"]["goals"]}
    shares = ", ".join(f"{words} {found[name]['ratio']:.2f}" for name, words in _GROUPS.items())
    count = sum(found[name]["layers"] for name in _GROUPS)  # rows of no group are not part of the means
    host = layers["host"]["microseconds"]
    ours, theirs, plan = (f"{host[name]:.1f}" for name in ("cudnnkit conv2d", "torch conv2d", "cudnnkit bound plan"))
    return (
        f"Of torch's time with its own search on, geometric means over {count} layers: {shares}.\n"
        f"A cached call costs the host {ours} us where torch's takes {theirs}, a bound plan {plan}."
    )


def placed(text: str, shown: str) -> str:
    """A file's text with :func:`figures` between its marks, with the line ends that the marks have.

    Raises
    ------
    ValueError
        It has no such marks.
    """
    line_end = "\r\n" if f"{BEGIN}\r\n" in text else "\n"
    before, begin, rest = text.partition(BEGIN + line_end)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"there is no place for figures; give the file the lines {BEGIN} and {END}")
    middle = shown.replace("\n", line_end)
    return f"{before}{begin}{middle}{end}{after}"
