"""``python -m cudnnkit demo``: a convolution, its search, its cache entry and its explanation, step by step."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from cudnnkit.cli.session import Session, add_options, opened

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "demo",
        help="walk through a convolution, its search, its cache entry and its explanation",
        description="Walk through a convolution, its search, its cache entry and its explanation: on the GPU, or with "
        "--simulated on any machine that has NumPy.",
    )
    add_options(parser, scratch=True)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="cudnnkit-demo-") as folder:
        if options.path is None:
            options.path = Path(folder) / "tuning.sqlite"
        with opened(options) as session:
            _Demo(session, options.path).run()
    return 0


class _Demo:
    """The steps; each prints the code that it runs."""

    def __init__(self, session: Session, path: Path) -> None:
        self.session, self.path = session, path
        self.steps = 0

    def run(self) -> None:
        arrays = self._convolution()
        self._search(arrays)
        self._memory(arrays)
        self._entry()
        self._next_process(arrays)
        self._policy(arrays)
        print("\nGo on with:")
        print("  python -m cudnnkit info             what is installed here, to paste into an issue")
        print("  python -m cudnnkit explain --help   any problem's candidates, from shapes alone")
        print("  python -m cudnnkit tune --help      decide the problems of a file ahead of their use")
        print("  python -m cudnnkit cache --help     show, carry, compare and clean decisions")

    def _step(self, title: str, *code: str) -> None:
        self.steps += 1
        print(f"\n{self.steps}. {title}\n")
        for line in code:
            print(f"    >>> {line}")

    def _array(self, *shape: int) -> Any:
        from cudnnkit.arrays.view import contiguous_strides

        library = self.session.library
        array = library.empty(shape, contiguous_strides(shape), "float32", self.session.device).source
        library.kernels.randomize(array)
        return array

    def _call(self, arrays: list[Any], **policy: Any) -> Any:
        import cudnnkit

        return cudnnkit.conv2d(*arrays, padding=1, activation="relu", **policy)

    def _convolution(self) -> list[Any]:
        self._step(
            "A convolution with bias and ReLU, in one call",
            "import cudnnkit as ck",
            "# x: 2 images of 16 channels; w: 8 filters of 3x3; b: a bias for each filter",
            'y = ck.conv2d(x, w, b, padding=1, activation="relu")',
        )
        arrays = [self._array(2, 16, 12, 12), self._array(8, 16, 3, 3), self._array(8)]
        y = self._call(arrays)
        kind = f"{type(y).__module__}.{type(y).__qualname__}"
        print(f"    y is a {kind}, as x is, of shape {tuple(y.shape)} and type {y.dtype}")
        place = (1, 5, 6, 7)
        found, expected = float(y[place]), _by_hand(arrays, place)
        print(f"    y{list(place)} = {found:.4f}; added up by hand: {expected:.4f}")
        if abs(found - expected) > 5e-5:
            print('    (the default precision, "fast", lets float32 data be rounded to TF32; "strict" does not)')
        return arrays

    def _search(self, arrays: list[Any]) -> None:
        import cudnnkit

        self._step(
            "The search behind that first call: candidates of both of cuDNN's APIs, measured side by side",
            'print(ck.explain(ck.conv2d, x, w, b, padding=1, activation="relu"))',
        )
        explanation = cudnnkit.explain(cudnnkit.conv2d, *arrays, padding=1, activation="relu")
        print(_indented(str(explanation)))

    def _memory(self, arrays: list[Any]) -> None:
        self._step("The same call again: nothing is searched", 'ck.conv2d(x, w, b, padding=1, activation="relu")')
        before = self.session.tuner.counters
        self._call(arrays)
        after = self.session.tuner.counters
        print(f"    searches before: {before.searches}, after: {after.searches}")

    def _entry(self) -> None:
        from cudnnkit.cli.cache_files import read_records
        from cudnnkit.cli.cache_rows import COLUMNS, cells

        self._step(f"What is kept on disk, in {self.path.name}: the complete problem, and its choice")
        print("    (the others are steps: the call was also taken apart, and each step is a problem of its own)")
        print("    $ python -m cudnnkit cache show")
        for record in read_records(self.path):
            for name, cell in zip(COLUMNS, cells(record), strict=True):
                print(f"    {name:<10} {cell}")
            print("    ---")

    def _next_process(self, arrays: list[Any]) -> None:
        import contextlib

        from cudnnkit.store import Store
        from cudnnkit.tuner import Tuner, use_tuner

        self._step("What a new process does: its memory is empty, so it takes the decision from that file")
        with (
            contextlib.closing(Store(self.path)) as store,
            use_tuner(Tuner(self.session.tuner.backend, store)) as fresh,
        ):
            self._call(arrays)
            found = fresh.counters
            print(f"    decisions from disk: {found.disk_hits}, searches: {found.searches}")

    def _policy(self, arrays: list[Any]) -> None:
        import cudnnkit

        self._step(
            "What is allowed is part of the problem: another policy, another choice",
            'print(ck.explain(ck.conv2d, x, w, b, padding=1, activation="relu", precision="strict", workspace=0))',
        )
        keywords: dict[str, Any] = {"padding": 1, "activation": "relu", "precision": "strict", "workspace": 0}
        print(_indented(str(cudnnkit.explain(cudnnkit.conv2d, *arrays, **keywords))))


def _by_hand(arrays: list[Any], place: tuple[int, int, int, int]) -> float:
    """One element of the result, in Python's own numbers."""
    x, w, b = arrays
    image, channel, row, column = place
    taps = [(c, r, s) for c in range(w.shape[1]) for r in range(w.shape[2]) for s in range(w.shape[3])]
    total = sum(float(x[image, c, row + r - 1, column + s - 1]) * float(w[channel, c, r, s]) for c, r, s in taps)
    return max(total + float(b[channel]), 0.0)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
