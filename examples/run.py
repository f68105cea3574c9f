"""Run one of the five networks on random images.

python examples/run.py resnet50 --batch 64
python examples/run.py darknet53 --simulated --tiny      # no GPU: the simulated library and NumPy
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cudnnkit as ck

if __package__ in (None, ""):  # as a script: the examples import each other as a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples import networks
from examples.arrays import Arrays, Library


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = result.add_argument
    add("network", choices=tuple(networks.NETWORKS))
    add("--batch", type=int, metavar="N", help="images at once (default: that of the project's table)")
    add("--library", choices=("torch", "cupy"), default="torch", help="whose arrays (default: torch)")
    add("--dtype", default="float16", metavar="TYPE", help="float16 (default), bfloat16, float32 or float64")
    add("--precision", choices=("fast", "no-tf32", "strict"), default="fast", help="default: fast")
    add("--repeats", type=int, default=20, metavar="N", help="calls that are timed (default: 20)")
    add("--simulated", action="store_true", help="the simulated library and NumPy: right, slow, no GPU")
    add("--tiny", action="store_true", help="a sixteenth of the channels, images of 32x32, batch 2, one timed call")
    return result


def main(words: Sequence[str] | None = None) -> int:
    """Run; 1 with a reason when there is no GPU or no array library."""
    options = parser().parse_args(words)
    try:
        with _library(options):
            _run(options)
    except (ck.CudnnKitError, ModuleNotFoundError) as error:
        print(f"run.py: error: {error}; --simulated --tiny needs no GPU", file=sys.stderr)
        return 1
    return 0


@contextlib.contextmanager
def _library(options: argparse.Namespace) -> Iterator[None]:
    """The policy, and the simulated library if asked for."""
    with contextlib.ExitStack() as stack:
        if options.simulated:
            from cudnnkit.testing import simulated

            stack.enter_context(simulated())
        else:
            from cudnnkit.driver import driver

            driver()  # tells why, where there is no GPU
        stack.enter_context(ck.use_policy(precision=options.precision))
        yield


def _run(options: argparse.Namespace) -> None:
    name, spec = options.network, networks.NETWORKS[options.network]
    library: Library = "numpy" if options.simulated else options.library
    arrays = Arrays(library, options.dtype)
    size, width = (32, 1 / 16) if options.tiny else (spec.size, 1.0)
    batch = options.batch or (2 if options.tiny else spec.batch)
    repeats = 1 if options.tiny else options.repeats

    network = networks.build(name, 0, library=library, dtype=options.dtype, size=size, width=width)
    x = arrays.images(batch, size)
    scores = network(x)  # the first call searches, unless the cache knows
    best = arrays.host(scores)[0].argmax()
    print(f"{spec.title}, {batch} images of {size}x{size}, {options.dtype}: top-1 index of the first image {best}")
    for label, function in (("eager", network), ("captured", ck.capture(network))):
        seconds = _seconds(function, x, arrays, repeats)
        print(f"{label:<9}{seconds / batch * 1e3:9.4f} ms per image, {seconds * 1e3:.3f} ms per call")
    print(f"To decide every layer ahead, once: python -m cudnnkit tune --network {name} --dtype {options.dtype}")


def _seconds(function: Callable[[Any], Any], x: Any, arrays: Arrays, repeats: int) -> float:
    """Seconds of one call, on average."""
    function(x)
    arrays.synchronize()
    begun = time.perf_counter()
    for _ in range(repeats):
        function(x)
    arrays.synchronize()
    return (time.perf_counter() - begun) / repeats


if __name__ == "__main__":
    sys.exit(main())
