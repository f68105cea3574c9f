"""The page and the plot of a run of whole networks.

python benchmarks/report.py --json docs/results/networks.json [--page docs/networks.md] [--plot docs/networks.png]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from whole_networks.report import page, plot
from whole_networks.rows import Results

_FACTS = ("device", "versions", "date")


def _read(path: Path) -> dict[str, Any]:
    """What benchmarks/networks.py wrote, its goals judged anew.

    Raises
    ------
    ValueError
        Another program wrote the file, or it is damaged.
    OSError
        It cannot be read.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        results = Results({name: facts[name] for name in _FACTS})
        results.resume(path)
        return results.to_json()
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        told = f"{type(error).__name__}: {error}"
        raise ValueError(f"{path} is not what benchmarks/networks.py --json writes ({told})") from None


def main(arguments: list[str] | None = None) -> int:
    """Write both; 1 when the file is missing or is no such one, or without matplotlib."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="what benchmarks/networks.py wrote")
    parser.add_argument("--page", type=Path, metavar="FILE", help="default: docs/networks.md")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="default: the page's name with .png")
    options = parser.parse_args(arguments)
    target = options.page or Path(__file__).parents[1] / "docs" / "networks.md"
    image = options.plot or target.with_suffix(".png")
    try:
        data = _read(options.json)
        text = page(data, os.path.relpath(image, target.parent))
        plot(data, image)
        target.write_text(text, encoding="utf-8")
    except ValueError as error:
        print(f"report.py: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"report.py: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"report.py: error: needs {error.name}: pip install 'cudnnkit[benchmark]'", file=sys.stderr)
        return 1
    print(f"{target}\n{image}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
