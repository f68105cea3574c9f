"""Write the problems of the networks in ``examples/`` as shapes, for ``python -m cudnnkit tune --network``.

python benchmarks/list_problems.py [--check] [NETWORK ...]

Needs NumPy and no GPU: nothing is computed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from common.arguments import ended

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "runtime" / "cudnnkit" / "data" / "networks.json"
sys.path.append(str(ROOT))


def listed(name: str) -> dict[str, Any]:
    """A network's entry."""
    from cudnnkit.network import problems_of
    from cudnnkit.network.shipped import packed
    from cudnnkit.testing import simulated

    from examples import networks

    spec = networks.NETWORKS[name]
    with simulated(memory=2**40):
        import numpy as np  # simulated() has told by now if there is none

        network = networks.build(name, 0, library="numpy", dtype="float16")
        # Never written: memory of this size is not really taken.
        x = np.moveaxis(np.empty((spec.batch, spec.size, spec.size, 3), "f2"), -1, 1)
        asked = problems_of(network, x, run=False)
    problems = [packed(one.problem, one.count, "float16", one.setting.axis) for one in asked]
    return {"title": spec.title, "batch": spec.batch, "image": spec.size, "problems": problems}


def text(found: dict[str, Any]) -> str:
    """One line for each problem."""
    parts = []
    for name, one in found.items():
        rows = ",\n".join(f"   {json.dumps(row, separators=(',', ':'))}" for row in one["problems"])
        head = json.dumps({key: value for key, value in one.items() if key != "problems"})[1:-1]
        parts.append(f'  {json.dumps(name)}: {{{head}, "problems": [\n{rows}\n  ]}}')
    note = "written by benchmarks/list_problems.py from examples/"
    body = ",\n".join(parts)
    return f'{{\n "note": {json.dumps(note)},\n "networks": {{\n{body}\n }}\n}}\n'


def main() -> int:
    """Write the file, or with --check say whether it is what would be written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="default: all; with --check only these")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when the file differs")
    options = parser.parse_args()
    from cudnnkit.errors import MissingPackageError

    from examples.networks import NETWORKS

    unknown = [name for name in options.networks if name not in NETWORKS]
    if unknown:
        parser.error(f"argument NETWORK: there are {', '.join(NETWORKS)}, not {', '.join(unknown)}")
    if options.networks and not options.check:
        parser.error("NETWORK goes with --check: the file has all of them")
    try:
        return _write_or_check(options.networks or list(NETWORKS), check=options.check)
    except MissingPackageError as error:
        print(f"list_problems.py: error: {error}", file=sys.stderr)
        return 1


def _write_or_check(names: list[str], *, check: bool) -> int:
    found = {name: listed(name) for name in names}
    if check:
        there = json.loads(TARGET.read_text(encoding="utf-8"))["networks"]
        made = json.loads(text(found))["networks"]
        wrong = [name for name in made if made[name] != there.get(name)]
        print(f"{TARGET.name} differs for {', '.join(wrong)}" if wrong else f"{TARGET.name} is up to date")
        return 1 if wrong else 0
    TARGET.write_text(text(found), encoding="utf-8")
    print(f"{TARGET}: {sum(len(one['problems']) for one in found.values())} problems")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
