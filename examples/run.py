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
from importlib import import_module
from pathlib import Path
from typing import Any

import cudnnkit as ck
from cudnnkit.driver import DriverError, driver
from cudnnkit.errors import MissingPackageError
from cudnnkit.workspace import is_out_of_memory

if __package__ in (None, ""):  # as a script: the examples import each other as a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples import networks
from examples.arrays import Arrays, Library

_MOST = 2**31 - 1  # what cuDNN's 32 bits hold


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = result.add_argument
    add("network", choices=tuple(networks.NETWORKS))
    add(
        "--batch", type=_count, metavar="N", help="images at once (default: that of the project's table; 2 with --tiny)"
    )
    add("--library", choices=("torch", "cupy"), help="whose arrays (default: torch); with --simulated NumPy's")
    types = ("float16", "bfloat16", "float32", "float64")
    add(
        "--dtype",
        choices=types,
        default="float16",
        metavar="TYPE",
        help="float16 (default), bfloat16, float32, float64",
    )
    add("--precision", choices=("fast", "no-tf32", "strict"), default="fast", help="default: fast")
    add("--repeats", type=_count, metavar="N", help="calls that are timed (default: 20; 1 with --tiny)")
    add("--simulated", action="store_true", help="the simulated library and NumPy: right, slow, no GPU")
    add("--tiny", action="store_true", help="a sixteenth of the channels, images of 32x32")
    return result


def _count(text: str) -> int:
    digits = text.lstrip("0")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(_MOST)) and int(digits) <= _MOST):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 1 to {_MOST}")
    return int(digits)


def main(words: Sequence[str] | None = None) -> int:
    """Run; 1 with a reason when there is no GPU or no array library."""
    told = parser()
    options = told.parse_args(words)
    if options.simulated and options.library is not None:
        told.error("argument --library: --simulated computes with NumPy's arrays; leave one of them out")
    options.library = options.library or "torch"
    if options.dtype == "bfloat16" and (options.simulated or options.library != "torch"):
        told.error("argument --dtype: only torch has arrays of bfloat16; NumPy (--simulated) and CuPy have none")
    try:
        with _library(options):
            _run(options)
    except DriverError as error:
        return _fail(f"{error}; --simulated --tiny needs no GPU")
    except MissingPackageError as error:
        return _fail(str(error))
    except ModuleNotFoundError as error:
        other = "cupy" if options.library == "torch" else "torch"
        way = (
            f"; --library {other} takes other arrays, --simulated --tiny needs neither"
            if error.name == options.library
            else ""
        )
        return _fail(f"the package {error.name} is not installed{way}")
    except ck.CudnnKitError as error:
        return _fail(str(error))
    except Exception as error:
        if not is_out_of_memory(error):  # whatever the array library calls it
            raise
        reason = (str(error).splitlines() or ["out of memory"])[0]
        return _fail(f"{reason}; a smaller --batch needs less memory")
    return 0


def _fail(message: str) -> int:
    print(f"run.py: error: {message}", file=sys.stderr)
    return 1


@contextlib.contextmanager
def _library(options: argparse.Namespace) -> Iterator[None]:
    """The policy, and the simulated library if asked for."""
    with contextlib.ExitStack() as stack:
        if options.simulated:
            from cudnnkit.testing import simulated

            stack.enter_context(simulated())
        else:
            import_module(options.library)
            driver()  # tells why, where there is no GPU
        stack.enter_context(ck.use_policy(precision=options.precision))
        yield


def _run(options: argparse.Namespace) -> None:
    name, spec = options.network, networks.NETWORKS[options.network]
    library: Library = "numpy" if options.simulated else options.library
    arrays = Arrays(library, options.dtype)
    size, width = (32, 1 / 16) if options.tiny else (spec.size, 1.0)
    batch = (2 if options.tiny else spec.batch) if options.batch is None else options.batch
    repeats = (1 if options.tiny else 20) if options.repeats is None else options.repeats

    network = networks.build(name, 0, library=library, dtype=options.dtype, size=size, width=width)
    x = arrays.images(batch, size)
    scores = network(x)  # the first call searches, unless the cache knows
    best = arrays.host(scores)[0].argmax()
    print(f"{spec.title}, {batch} images of {size}x{size}, {options.dtype}: top-1 index of the first image {best}")
    for label, function in (("eager", network), ("captured", ck.capture(network))):
        seconds = _seconds(function, x, arrays, repeats)
        print(f"{label:<9}{seconds / batch * 1e3:9.4f} ms per image, {seconds * 1e3:.3f} ms per call")
    if options.simulated:
        print("simulated: NumPy's times, which say nothing of a GPU")
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
