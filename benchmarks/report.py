"""The page and the plot of a run of whole networks.

python benchmarks/report.py --json docs/results/networks.json [--page docs/networks.md] [--plot docs/networks.png]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from whole_networks.report import page, plot


def main(arguments: list[str] | None = None) -> int:
    """Write both; 1 when there is no such file, or no matplotlib."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="what benchmarks/networks.py wrote")
    parser.add_argument("--page", type=Path, metavar="FILE", help="default: docs/networks.md")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="default: the page's name with .png")
    options = parser.parse_args(arguments)
    target = options.page or Path(__file__).parents[1] / "docs" / "networks.md"
    image = options.plot or target.with_suffix(".png")
    try:
        data = json.loads(options.json.read_text(encoding="utf-8"))
        plot(data, image)
    except OSError as error:
        print(f"report.py: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"report.py: error: needs {error.name}: pip install 'cudnnkit[benchmark]'", file=sys.stderr)
        return 1
    target.write_text(page(data, os.path.relpath(image, target.parent)), encoding="utf-8")
    print(f"{target}\n{image}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
