"""torch.compile with max-autotune in a process of its own, which is ended when it takes too long.

python benchmarks/whole_networks/compiled_apart.py NETWORK PRECISION MODE
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whole_networks.rows import NetworkRow

__all__ = ["max_autotune"]

KEY = "torch_compile_max_autotune"


def max_autotune(row: NetworkRow, seconds: float) -> NetworkRow:
    """The row with max-autotune's time, or why there is none. Its time is its own process's, not of the turns."""
    arguments = [sys.executable, __file__, row.network, row.precision, "max-autotune"]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=seconds)
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            return replace(row, failure={**row.failure, KEY: done.stderr[-300:]})
        found = json.loads(lines[-1])
    except subprocess.TimeoutExpired:
        return replace(row, notes={**row.notes, KEY: f"not compiled after {seconds:.0f} s"})
    return replace(
        row, ms={**row.ms, KEY: found["ms"]}, seconds={**row.seconds, "compile_max_autotune": found["compile"]},
        peak_memory_bytes={**row.peak_memory_bytes, KEY: found["peak"]}, error={**row.error, KEY: found["error"]},
    )  # fmt: skip


def main(name: str, precision: str, mode: str) -> None:
    """Compile and time."""
    sys.path[0] = str(Path(__file__).parents[1])
    import torch

    from whole_networks.contenders import DTYPES, set_torch, torch_compiled
    from whole_networks.inference import Inputs
    from whole_networks.memory import peak_of
    from whole_networks.timing import turns

    inputs = Inputs(name)
    set_torch(precision)
    with torch.no_grad():
        x = inputs.x.to(DTYPES[precision])
        run, peak = peak_of(
            lambda: torch_compiled(name, inputs.state, x, precision, "last", mode), lambda one: one.call()
        )
        error = inputs.error(run.call())
        timed, _ = turns({KEY: run.call})
    found = {"ms": timed[KEY].median, "compile": run.seconds["compile"], "peak": peak.inside, "error": error}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
