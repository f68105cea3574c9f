"""The page and the plot of a run of whole networks, and the figures of the README.

python benchmarks/report.py --json docs/results/networks.json [--page docs/networks.md] [--plot docs/networks.png]
    [--layers docs/results/layers.json --readme README.md]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from whole_networks.readme import with_figures
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


def _readme(file: Path, networks: dict[str, Any], layers: Path) -> str:
    """The file's text with the figures in it; ValueError where it has no place, or `layers` is no such file."""
    text = file.read_text(encoding="utf-8")
    try:
        return with_figures(text, networks, json.loads(layers.read_text(encoding="utf-8")))
    except (TypeError, KeyError, json.JSONDecodeError) as error:
        told = f"{type(error).__name__}: {error}"
        raise ValueError(f"{layers} is not what benchmarks/layers.py --json writes ({told})") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def main(arguments: list[str] | None = None) -> int:
    """Write all; 1 when the file is missing or is no such one, or without matplotlib."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="what benchmarks/networks.py wrote")
    parser.add_argument("--page", type=Path, metavar="FILE", help="default: docs/networks.md")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="default: the page's name with .png")
    parser.add_argument("--layers", type=Path, metavar="FILE", help="what benchmarks/layers.py wrote; for --readme")
    parser.add_argument(
        "--readme", type=Path, metavar="FILE", help="put figures of both runs between this file's marks"
    )
    options = parser.parse_args(arguments)
    if (options.layers is None) != (options.readme is None):
        parser.error("--layers and --readme are given together")
    target = options.page or Path(__file__).parents[1] / "docs" / "networks.md"
    image = options.plot or target.with_suffix(".png")
    try:
        data = _read(options.json)
        texts = {target: page(data, os.path.relpath(image, target.parent))}
        if options.readme is not None:
            texts[options.readme] = _readme(options.readme, data, options.layers)
        plot(data, image)
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8")
    except ValueError as error:
        print(f"report.py: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"report.py: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"report.py: error: needs {error.name}: pip install 'cudnnkit[benchmark]'", file=sys.stderr)
        return 1
    print(*texts, image, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
