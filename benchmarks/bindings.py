"""Print the project's figures for the generator and the generated bindings; nothing here is asserted.

    python benchmarks/bindings.py [--library PATH] [--json FILE] [--skip-all-versions]

Times are medians of fresh processes (imports, loading) or the best of repeated loops (calls) on one machine in one run;
read them as ratios. Needs the ``dev`` extra, cached headers, and for the calls a real libcudnn (no GPU).
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from common.arguments import check_places, ended

VERSION = "9.28.1"
REPEATS = 11


def _median(run: Callable[[], float], repeats: int = REPEATS) -> float:
    return statistics.median(run() for _ in range(repeats))


def _child(code: str, bytecode: str) -> float:
    """Milliseconds that a fresh interpreter measures around `code`, its own start left out.

    Modules are compiled as after ``pip install``, whatever the environment says: `bytecode` is a folder for that.
    """
    program = f"import time; t = time.perf_counter()\n{code}\nprint((time.perf_counter() - t) * 1e3)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = bytecode
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout.split()[-1])


def _command(*arguments: str) -> tuple[float, float]:
    """Seconds and peak MB of one ``cudnn-bindgen`` run, the interpreter's start included.

    Where processes share the work, as many as there are processors (at most four) count with the largest one's memory.
    """
    program = (
        "import resource, sys; from cudnn_bindgen.cli import main; status = main(sys.argv[1:]);"
        "who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN);"
        "peaks = [resource.getrusage(one).ru_maxrss / 1024 for one in who];"
        "print(*peaks, file=sys.stderr); sys.exit(status)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True)
    took = time.perf_counter() - start
    own, largest_child = map(float, done.stderr.split()[-2:])
    return took, own + largest_child * min(4, os.cpu_count() or 1)


def generator_figures(every_version: bool) -> dict[str, float]:
    """One version and all versions, from cached headers to formatted files."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        times = [_command("generate", VERSION, "--out", f"{folder}/{index}")[0] for index in range(3)]
        figures["one version, headers to formatted files (s)"] = statistics.median(times)
        if every_version:
            history = f"{folder}/history.json"
            merged, merged_memory = _command("history", "--all", "--offline", "--out", history)
            rendered, rendered_memory = _command("render", "--history", history, "--out", f"{folder}/generated")
            figures["all versions merged (s)"] = merged
            figures["all versions rendered (s)"] = rendered
            figures["all versions, merged and rendered (s)"] = merged + rendered
            figures["all versions, peak memory of all processes at most (MB)"] = max(merged_memory, rendered_memory)
    return figures


def loading_figures(library: Path) -> dict[str, float]:
    """Import, and loading a library with its first call, each in fresh processes."""
    load = f"library = cudnn_ffi.load({str(library)!r}); library.get_version()"
    both = f"import cudnn_ffi\n{load}"
    with tempfile.TemporaryDirectory() as bytecode:
        _child(both, bytecode)  # writes the bytecode
        first_import = _median(lambda: _child("import cudnn_ffi", bytecode))
        return {
            "import cudnn_ffi (ms)": first_import,
            "load and first call, after import (ms)": _median(lambda: _child(both, bytecode)) - first_import,
        }


def _per_call(call: Callable[[], Any], number: int = 20_000) -> float:
    """Microseconds a call: the best of several loops, since noise only adds."""

    def loop() -> float:
        start = time.perf_counter()
        for _ in range(number):
            call()
        return (time.perf_counter() - start) / number * 1e6

    return min(loop() for _ in range(7))


def call_figures(library: Path) -> dict[str, float]:
    """``cudnnSetTensor4dDescriptor`` through each way of calling C, the library's own work included."""
    from cudnn_ffi import v9
    from cudnn_ffi.v9.enums import DataType, TensorFormat

    loaded = v9.load(library)
    descriptor = loaded.create_tensor_descriptor()
    figures: dict[str, float] = {}

    native = ctypes.CDLL(str(library)).cudnnSetTensor4dDescriptor
    native.argtypes = [ctypes.c_void_p, *[ctypes.c_int] * 6]
    address = ctypes.c_void_p(descriptor.address)
    figures["ctypes with argtypes (us)"] = _per_call(lambda: native(address, 0, 0, 1, 2, 3, 4))

    raw, pointer = loaded._lib.cudnnSetTensor4dDescriptor, descriptor._ptr
    figures["raw cffi, ABI mode (us)"] = _per_call(lambda: raw(pointer, 0, 0, 1, 2, 3, 4))

    compiled = _api_mode(library)
    if compiled is not None:
        module, own = compiled
        figures["raw cffi, API mode (us)"] = _per_call(lambda: module.cudnnSetTensor4dDescriptor(own, 0, 0, 1, 2, 3, 4))

    wrapper, nchw, single = loaded.set_tensor4d_descriptor, TensorFormat.NCHW, DataType.FLOAT
    figures["wrapper (us)"] = _per_call(lambda: wrapper(descriptor, nchw, single, 1, 2, 3, 4))
    figures["wrapper over raw cffi ABI (us)"] = figures["wrapper (us)"] - figures["raw cffi, ABI mode (us)"]
    return figures


_API_CDEF = """
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
int cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *);
int cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, int, int, int, int, int, int);
"""


def _api_mode(library: Path) -> tuple[Any, Any] | None:
    """The same function through a compiled cffi module, or None where no C compiler is."""
    import importlib.util

    from cffi import FFI
    from cffi.error import VerificationError

    builder = FFI()
    builder.cdef(_API_CDEF)
    flags = [f"-Wl,-rpath,{library.parent}"]
    builder.set_source("_cudnn_api_mode", _API_CDEF, extra_objects=[str(library)], extra_link_args=flags)
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = builder.compile(tmpdir=folder)
        except (VerificationError, OSError) as error:
            print(f"no API mode figure: {error}", file=sys.stderr)
            return None
        spec = importlib.util.spec_from_file_location("_cudnn_api_mode", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    cell = module.ffi.new("cudnnTensorDescriptor_t *")
    module.lib.cudnnCreateTensorDescriptor(cell)
    return module.lib, cell[0]


def main() -> int:
    """Print the figures; 1 without a cuDNN 9, or where the generator finds no headers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, help="a real libcudnn.so.9; default: what cudnn_ffi.load() finds")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--skip-all-versions", action="store_true", help="leave out the run over every cached version")
    options = parser.parse_args()
    check_places(parser, options.json, None)

    import cudnn_ffi

    try:
        loaded = cudnn_ffi.load(options.library)
    except cudnn_ffi.LibraryError as error:
        sys.exit(f"{error}; name a libcudnn.so.9 with --library PATH (make bench LIBRARY=PATH)")
    if loaded.version[0] != 9:
        sys.exit(f"{loaded.path} is cuDNN {loaded.version_text}; name a libcudnn.so.9 with --library PATH")
    library = Path(loaded.path)
    surroundings = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "load before": f"{os.getloadavg()[0]:.1f}",  # above 1, other work disturbs the figures
        "python": platform.python_version(),
        "cudnn": loaded.version_text,
        "cffi": metadata.version("cffi"),
    }
    print(", ".join(f"{name} {value}" for name, value in surroundings.items()))
    try:
        figures = generator_figures(every_version=not options.skip_all_versions)
    except subprocess.CalledProcessError as error:
        said = error.stderr.splitlines() or ["no reason given"]
        sys.exit(f"cudnn-bindgen {' '.join(error.cmd[3:])}: {next((one for one in said if 'error' in one), said[0])}")
    figures |= loading_figures(library) | call_figures(library)
    for name, value in figures.items():
        print(f"{value:10.3f}  {name}")
    if options.json:
        told = {**surroundings, "figures": {name: round(value, 3) for name, value in figures.items()}}
        options.json.write_text(json.dumps(told, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
