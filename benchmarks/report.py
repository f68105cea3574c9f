"""The page and the plot of a run of whole networks, and the figures of the README.

python benchmarks/report.py --json docs/results/networks.json [--page docs/networks.md] [--plot docs/networks.png]
    [--layers docs/results/layers.json --readme README.md]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common.arguments import MISREAD, ended
from cudnnkit.whole_file import write_whole
from whole_networks.readme import figures, placed
from whole_networks.report import page, plot
from whole_networks.rows import Results

_FACTS = ("device", "versions", "date")


def _read(path: Path) -> dict[str, Any]:
    """What benchmarks/networks.py wrote, its goals judged anew."""
    facts = json.loads(path.read_text(encoding="utf-8"))
    results = Results({name: facts[name] for name in _FACTS})
    results.resume(path)
    texts = (facts["device"]["name"], facts["versions"]["cudnn"], facts["versions"]["torch"], facts["date"])
    if not all(isinstance(one, str) for one in texts):
        raise TypeError(f"device, versions or date is no text: {texts}")
    return results.to_json()


def _readme(file: Path, shown: str) -> str:
    """The file's text with the figures in it, its line ends as they are; ValueError where it has no place."""
    try:
        return placed(file.read_bytes().decode(), shown)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


@contextlib.contextmanager
def _written_by(script: str, path: Path) -> Iterator[None]:
    """Turn what a damaged file raises, or one of another program, into a ValueError that names it."""
    try:
        yield
    except MISREAD as error:
        told = f"{type(error).__name__}: {error}"
        raise ValueError(f"{path} is not what benchmarks/{script} --json writes ({told})") from None


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
        with _written_by("networks.py", options.json):
            data = _read(options.json)
            texts = {target: page(data, os.path.relpath(image, target.parent))}
        if options.readme is not None:
            with _written_by("layers.py", options.layers):
                shown = figures(data, json.loads(options.layers.read_text(encoding="utf-8")))
            texts[options.readme] = _readme(options.readme, shown)
        plot(data, image)
        for file, text in texts.items():
            write_whole(file, text)
    except ValueError as error:
        print(f"report.py: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"report.py: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"report.py: error: needs {error.name}; in the checkout: pip install '.[benchmark]'", file=sys.stderr)
        return 1
    print(*texts, image, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
