"""Five networks: cudnnkit beside torch eager, torch in a CUDA graph and torch.compile, and the floor; on a GPU.

    python benchmarks/networks.py [--json docs/results/networks.json] [--resume FILE] [--seconds N]
        [--networks resnet50,...] [--precisions fp16,...] [--modes cudnnkit,...] [--compile reduce-overhead]
    python benchmarks/networks.py --ideas resnet50 [--precisions fp16]
    python benchmarks/networks.py --layers resnet50 fp16

Rows come in the order of their importance (fp16, TF32, bf16, strict, the training steps) and are written as they come,
so a run may be cut short and resumed with --resume. A failure of one contender is told in its row.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common.arguments import check_places, check_resume, ended, number, torch_ready, whole
from common.results_file import facts
from whole_networks.goals import goals, ratio, told
from whole_networks.rows import MODES, NETWORKS, PRECISIONS, NetworkRow, Results, order

_COMPILERS = ("none", "reduce-overhead", "max-autotune")
_AUTOTUNE_SECONDS = 480


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = result.add_argument
    add("--json", type=Path, metavar="FILE", help="write results here, again after each row")
    add("--resume", type=Path, metavar="FILE", help="take over the rows of an earlier run's file")
    add("--seconds", type=number, default=float("inf"), metavar="N", help="begin no row after so long")
    add("--networks", default=",".join(NETWORKS), metavar="NAMES", help=f"of {', '.join(NETWORKS)}")
    add("--precisions", default=",".join(PRECISIONS), metavar="NAMES", help=f"of {', '.join(PRECISIONS)}")
    add("--modes", default=",".join(MODES), metavar="NAMES", help=f"of {', '.join(MODES)}; strict rows leave graph and "
        "compile out")  # fmt: skip
    add("--compile", choices=_COMPILERS, default="reduce-overhead", help="torch.compile's mode; max-autotune runs "
        f"beside the others' times in a process of its own, for {_AUTOTUNE_SECONDS} s at most")  # fmt: skip
    add("--retry", action="store_true", help="with --resume: rows in which something failed are measured again")
    add("--no-training", action="store_true", help="leave ResNet-50's training steps out")
    add("--ideas", metavar="NAMES", help="measure what each idea gains for these networks instead")
    add("--layers", nargs=2, metavar=("NETWORK", "PRECISION"), help="show where a network's time goes instead")
    add("--refine", type=number, default=0.0, metavar="SECONDS", help="try runners-up in the whole network for so long")
    add("--no-first", action="store_true", help="leave first results from a warm cache out")
    add("--budget-ms", type=number, default=1500.0, metavar="MS", help="for one search (default: 1500)")
    add("--torch-limit", type=whole(0), default=10, metavar="N", help="plans that torch tries; 0 for all (default: 10)")
    add("--cache", type=Path, metavar="FOLDER", help="keep decisions here; a new folder by default: all is searched")
    add("--list", action="store_true", help="print the rows in order, and measure nothing")
    return result


def _names(told_: str, allowed: tuple[str, ...], option: str) -> list[str]:
    names = told_.split(",")
    unknown = [name for name in names if name not in allowed]
    if unknown:
        parser().error(f"argument {option}: takes {', '.join(allowed)}, not {', '.join(unknown)}")
    return names


def main() -> int:
    """Run and write what there is; 1 when a row failed."""
    started = time.monotonic()
    said = parser()
    options = said.parse_args()
    networks = _names(options.networks, NETWORKS, "--networks")
    precisions = _names(options.precisions, PRECISIONS, "--precisions")
    modes = _names(options.modes, MODES, "--modes")
    if options.ideas is not None:
        _names(options.ideas, NETWORKS, "--ideas")
    if options.layers is not None:
        for name, allowed in zip(options.layers, (NETWORKS, PRECISIONS), strict=True):
            _names(name, allowed, "--layers")
    if options.retry and options.resume is None:
        said.error("argument --retry: goes with --resume FILE, whose failed rows it measures again")
    check_resume(said, options.resume, Results({}).resume)
    check_places(said, options.json, options.cache)
    if options.compile == "none":
        modes = [mode for mode in modes if mode != "torch_compile"]
    work = order(networks, precisions, training=not options.no_training)
    if options.list:
        print("\n".join(" ".join(key) for key in work))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        cache = (options.cache or Path(folder)).absolute()
        cache.mkdir(parents=True, exist_ok=True)
        os.environ["CUDNNKIT_CACHE_DIR"] = str(cache)  # before the first decision
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", str(os.cpu_count() or 1))
        return _run(options, work, modes, cache, started + options.seconds)


def _run(
    options: argparse.Namespace, work: list[tuple[str, str, str]], modes: list[str], cache: Path, end: float
) -> int:
    if not torch_ready("networks.py"):
        return 1
    from whole_networks.inference import Inputs, Settings
    from whole_networks.peaks import measured_peaks

    results = Results(facts(settings_of(options)), options.json)
    if options.resume:
        results.resume(options.resume)
        if options.retry:
            results.rows = {key: row for key, row in results.rows.items() if not row.failure}
    if "peaks" not in results.sections:
        results.sections["peaks"] = measured_peaks()
    peaks = results.sections["peaks"]
    print("peaks: " + ", ".join(f"{name} {value / 1e12:.4g}e12/s" for name, value in peaks.items()), flush=True)
    settings = Settings(modes, options.budget_ms, options.torch_limit, options.refine, cache, not options.no_first)
    if options.layers:
        from whole_networks.layers import lines, where_time_goes

        name, precision = options.layers
        found = where_time_goes(Inputs(name), precision, settings, peaks)
        results.sections.setdefault("layers", {})[f"{name} {precision}"] = found
        print("\n".join(lines(found)))
    elif options.ideas:
        _ideas(results, options, settings)
    else:
        _rows(results, work, settings, options, end)
    results.flush()
    print("\n".join(told(one) for one in goals(list(results.rows.values()))))
    return 1 if any(row.failure for row in results.rows.values()) else 0


def _ideas(results: Results, options: argparse.Namespace, settings: Any) -> None:
    from whole_networks.ideas import ideas_of
    from whole_networks.inference import Inputs

    ideas = results.sections.setdefault("ideas", {})
    precisions = options.precisions.split(",")
    for name in options.ideas.split(","):
        inputs = Inputs(name)
        for precision in precisions if options.precisions != ",".join(PRECISIONS) else ["fp16"]:
            found = ideas[f"{name} {precision}"] = ideas_of(inputs, precision, settings)
            results.flush()
            for step, ms in found["ms"].items():
                print(f"{name} {precision} {ms:9.3f} ms  {step}", flush=True)
            for step, why in found["failure"].items():
                print(f"FAILED {name} {precision} {step}: {why}", flush=True)


def _rows(
    results: Results, work: list[tuple[str, str, str]], settings: Any, options: argparse.Namespace, end: float
) -> None:
    import dataclasses

    import torch
    from whole_networks.compiled_apart import max_autotune
    from whole_networks.inference import Inputs, inference_row
    from whole_networks.training import training_row

    inputs: dict[str, Inputs] = {}
    for key in work:
        name, precision, kind = key
        wanted = _modes_of(settings.modes, precision, kind)
        if results.has(key, wanted):
            continue
        if time.monotonic() >= end:
            print("time is up; go on with --resume", flush=True)
            return
        begun = time.monotonic()
        mine = dataclasses.replace(settings, modes=wanted)
        try:
            given = inputs.setdefault(name, Inputs(name)) if name not in inputs else inputs[name]
            if kind == "training":
                row = training_row(given, precision, mine)
            else:
                row = inference_row(given, precision, mine, results.sections["peaks"])
                if options.compile == "max-autotune" and "torch_compile" in wanted:
                    row = max_autotune(row, _AUTOTUNE_SECONDS)
        except Exception as error:  # the other rows shall still be measured
            why = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            row = NetworkRow(name, precision, kind, failure=dict.fromkeys(wanted, why))
        results.add(row)
        print(f"{time.monotonic() - begun:5.1f} s {line(row)}", flush=True)
        torch.cuda.empty_cache()


def _modes_of(modes: list[str], precision: str, kind: str) -> list[str]:
    """The modes that a row has: strict has a goal against torch's search alone, and a step no graph by hand."""
    left_out = {"torch_graph"} if kind == "training" else set()
    if precision == "strict":
        left_out |= {"torch_graph", "torch_compile"}
    return [mode for mode in modes if mode not in left_out]


def line(row: NetworkRow) -> str:
    """A row for people."""
    value, limit, to = ratio(row)
    verdict = "-" if value is None else f"{value:.3f} of {to} ({'met' if value <= limit else f'limit {limit:g}'})"
    times = ", ".join(f"{name} {ms:.3f}" for name, ms in row.ms.items())
    floor = "" if row.floor_ms is None else f", floor {row.floor_ms:.3f}"
    failed = "".join(f"; FAILED {name}: {why}" for name, why in row.failure.items())
    return f"{' '.join(row.key)}: {verdict}: {times}{floor} ms{failed}"


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """How was measured."""
    return {
        "budget_ms": options.budget_ms, "torch_benchmark_limit": options.torch_limit, "compile": options.compile,
        "refine_seconds": options.refine,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(ended(main))
