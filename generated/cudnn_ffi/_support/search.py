# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Where a cuDNN library may be: one small function per place, tried in the order of `STEPS`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["ENVIRONMENT_VARIABLE", "STEPS", "Candidate", "Step", "in_folder"]

ENVIRONMENT_VARIABLE = "CUDNN_FFI_LIBRARY"
# Below a folder that a user names or a prefix, in this order.
_BELOW = ("", "lib", "lib64", "nvidia/cudnn/lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib")


class Candidate(NamedTuple):
    """A library to try.

    Attributes
    ----------
    name
        A path, or a bare file name that the system's loader looks up.
    how
        How it was found, for reports.
    """

    name: str
    how: str


class Step(NamedTuple):
    """One place to look: what it is called in messages, and a function from covered majors to candidates."""

    place: str
    look: Callable[[Sequence[int]], Iterator[Candidate]]


def _file_names(majors: Sequence[int]) -> list[str]:
    return [f"libcudnn.so.{major}" for major in majors]


def in_folder(folder: str, majors: Sequence[int], how: str, below: Sequence[str] = _BELOW) -> Iterator[Candidate]:
    """The libraries in a folder and the usual folders below it; covered versions first, then whatever else is there."""
    for part in below:
        place = os.path.join(folder, part) if part else folder
        try:
            names = sorted(name for name in os.listdir(place) if name.startswith("libcudnn.so"))
        except OSError:
            continue
        first = [name for name in _file_names(majors) if name in names]
        for name in (*first, *(name for name in names if name not in first)):
            yield Candidate(os.path.join(place, name), how)


def _already_loaded(majors: Sequence[int]) -> Iterator[Candidate]:
    # What another package (torch, JAX) has loaded must be shared: two versions in one process do not go together. The
    # process's own map tells; asking cffi with RTLD_NOLOAD for a library that is not loaded yet crashes.
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            mapped = {line.split(maxsplit=5)[-1].rstrip("\n") for line in maps if "libcudnn.so" in line}
    except OSError:
        return
    names = _file_names(majors)
    for path in sorted(mapped):
        if any(path.endswith(f"/{name}") or f"/{name}." in path for name in names):
            yield Candidate(path, "already loaded in this process")


def _wheels(majors: Sequence[int]) -> Iterator[Candidate]:
    # The same place that cuda-pathfinder finds first, without importing it.
    for folder in dict.fromkeys(sys.path):
        yield from in_folder(folder or ".", majors, "wheel nvidia-cudnn-cu*", ("nvidia/cudnn/lib",))


def _pathfinder(majors: Sequence[int]) -> Iterator[Candidate]:
    try:
        pathfinder = importlib.import_module("cuda.pathfinder")
    except ImportError:
        return
    try:
        found = str(pathfinder.load_nvidia_dynamic_lib("cudnn").abs_path)
    except Exception:  # it has several exception classes, all of which mean: not found
        return
    if found and any(found.endswith(name) or f"{name}." in found for name in _file_names(majors)):
        yield Candidate(found, "cuda-pathfinder")


def _conda(majors: Sequence[int]) -> Iterator[Candidate]:
    prefixes = [os.environ.get("CONDA_PREFIX", "")]
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        prefixes.append(sys.prefix)
    for prefix in dict.fromkeys(prefixes):
        if prefix:
            yield from in_folder(prefix, majors, "conda environment", _BELOW[1:])


def _system(majors: Sequence[int]) -> Iterator[Candidate]:
    for name in _file_names(majors):
        yield Candidate(name, "the system's loader (LD_LIBRARY_PATH, ldconfig)")


def _toolkit(majors: Sequence[int]) -> Iterator[Candidate]:
    roots = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    for root in dict.fromkeys([*roots, "/usr/local/cuda"]):
        if root:
            yield from in_folder(root, majors, "CUDA toolkit", _BELOW[1:])


# An explicit path and the environment variable come before all of these and are final.
STEPS: tuple[Step, ...] = (
    Step("libraries already loaded in this process", _already_loaded),
    Step("nvidia-cudnn-cu* wheels on sys.path", _wheels),
    Step("cuda-pathfinder (if installed)", _pathfinder),
    Step("the conda environment", _conda),
    Step("the system's loader: LD_LIBRARY_PATH and ldconfig", _system),
    Step("the CUDA toolkit: CUDA_HOME, CUDA_PATH, /usr/local/cuda", _toolkit),
)
