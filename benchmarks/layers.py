"""cudnnkit beside torch, layer by layer, on a GPU.

    python benchmarks/layers.py [--json docs/results/layers.json] [--resume FILE] [--seconds N] [--quick]
                                [--most-important N] [--only TEXT]

Torch runs at its own best settings: search on, TF32 as the precision says, and the faster of both memory layouts. Times
are medians of device time with CUDA events over rotating operands; each result is first checked against float64. Rows
come in the order of their importance and are written as they come, so a run may be cut short and resumed:

    python benchmarks/layers.py --json a.json --most-important 206 --seconds 540
    python benchmarks/layers.py --json a.json --resume a.json --seconds 540
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common.arguments import check_places, check_resume, ended, number, torch_ready, whole
from common.results_file import facts
from side_by_side.cases import DEMANDED, Block, blocks
from side_by_side.results import Results, Row, summary_lines

if TYPE_CHECKING:
    import cudnnkit as ck

SECTIONS = ("host", "first_call", "layers")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--json", type=Path, metavar="FILE", help="write results here, again after each row")
    result.add_argument("--resume", type=Path, metavar="FILE", help="take over the rows of an earlier run's file")
    result.add_argument("--seconds", type=number, default=float("inf"), metavar="N", help="stop after so long")
    result.add_argument("--quick", action="store_true", help="a few layers in the precisions that matter most to them")
    result.add_argument(
        "--most-important",
        type=whole(1),
        metavar="N",
        help=f"the first N rows of --list; the project's goals speak of {DEMANDED}",
    )
    result.add_argument(
        "--only",
        default="",
        metavar="TEXT",
        help="rows with these words in case, operation and precision: 'fp16 dgrad'",
    )
    result.add_argument(
        "--sections", default=",".join(SECTIONS), metavar="NAMES", help=f"which of {', '.join(SECTIONS)} (default: all)"
    )
    result.add_argument("--search", choices=("heuristic", "measure", "exhaustive"), default="measure")
    result.add_argument("--budget-ms", type=number, default=600.0, metavar="MS", help="for one search (default: 600)")
    result.add_argument(
        "--torch-limit", type=whole(0), default=10, metavar="N", help="plans that torch tries; 0 for all"
    )
    result.add_argument(
        "--cache", type=Path, metavar="FOLDER", help="keep decisions here; a new folder by default, so all are searched"
    )
    result.add_argument("--list", action="store_true", help="print the rows in order, and measure nothing")
    return result


def main() -> int:
    """Run and write what there is; 1 when a row failed."""
    started = time.monotonic()
    told = parser()
    options = told.parse_args()
    sections = options.sections.split(",")
    unknown = [name for name in sections if name not in SECTIONS]
    if unknown:
        told.error(f"argument --sections: takes {', '.join(SECTIONS)}, not {', '.join(unknown)}")
    check_resume(told, options.resume, Results({}).resume)
    check_places(told, options.json, options.cache)
    most = float("inf") if options.most_important is None else options.most_important
    work = list(blocks(pattern=options.only, quick=options.quick, most=most))
    if options.list:
        for block in work:
            print(f"{block.case.name} | {' '.join(block.operations)} | {block.precision}")
        print(f"{sum(len(block.operations) for block in work)} rows")
        return 0
    if not work and "layers" in sections:
        told.error(f"argument --only: no row has the words {options.only!r}; --list shows the rows")
    with tempfile.TemporaryDirectory() as folder:
        cache = (options.cache or Path(folder)).absolute()
        os.environ["CUDNNKIT_CACHE_DIR"] = str(cache)  # before the first decision
        return _run(options, sections, work, cache, started + options.seconds)


def _run(options: argparse.Namespace, sections: list[str], work: list[Block], cache: Path, end: float) -> int:
    if not torch_ready("layers.py"):
        return 1
    import cudnnkit as ck
    import torch

    torch.set_grad_enabled(False)
    results = Results(facts(settings_of(options)), options.json)
    if options.resume:
        results.resume(options.resume)
    policy = ck.Policy(search=options.search, budget_ms=options.budget_ms)
    if "host" in sections and "host" not in results.sections:
        from side_by_side.host import host_cost

        results.sections["host"] = _section("host", host_cost)
        results.flush()
    if "first_call" in sections and "first_call" not in results.sections:
        from side_by_side.host import first_calls

        results.sections["first_call"] = _section("first_call", lambda: first_calls(cache, policy))
        results.flush()
    if "layers" in sections:
        _layers(results, work, policy, options.torch_limit, end)
    results.flush()
    print("\n".join(summary_lines(results.rows)))
    return 1 if any(row.failure for row in results.rows) else 0


def _section(name: str, run: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = run()
    except Exception as error:  # the layers shall still be measured
        found = {"failure": f"{type(error).__name__}: {error}"}
    print(f"{name}: {found}", flush=True)
    return found


def _layers(results: Results, work: list[Block], policy: ck.Policy, torch_limit: int, end: float) -> None:
    import torch
    from side_by_side.libraries import measure, set_torch
    from side_by_side.operands import Operands

    for block in work:
        case, precision = block.case, block.precision
        wanted = [one for one in block.operations if not results.has(case.name, one, precision)]
        if not wanted:
            continue
        set_torch(precision, torch_limit)
        mine = policy.but(precision="strict" if precision == "strict" else "fast")
        operands = None
        for operation in wanted:
            if time.monotonic() >= end:
                print("time is up; go on with --resume", flush=True)
                return
            operands = operands or Operands(case, precision)
            begun = time.monotonic()
            row, seconds = measure(block, operation, operands, mine)
            results.add(row)
            parts = ", ".join(f"{name} {value:.1f}" for name, value in seconds.items() if value >= 0.05)
            print(f"{time.monotonic() - begun:4.1f} s {line(row)} ({parts})", flush=True)
        operands = None
        torch.cuda.empty_cache()


def line(row: Row) -> str:
    """A row for people."""
    key = " | ".join(row.key)
    if row.failure:
        return f"FAILED {key}: {row.failure}"
    return f"{row.ratio:.3f} {row.ms['cudnnkit']:.4f} / {row.ms['torch']:.4f} ms {key}: {row.candidate}"


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """How was measured."""
    return {
        "search": options.search, "budget_ms": options.budget_ms, "torch_benchmark_limit": options.torch_limit
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(ended(main))
