"""The text of a kernel: constants of its problem, then CUDA C++ out of the files beside this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["INDEX_MAX", "KernelSource", "cuda_text", "kernel_source"]


INDEX_MAX = 2**31 - 1
"""The kernels count elements in 32 bits: what has more is left to others."""


@dataclass(frozen=True)
class KernelSource:
    """A kernel's text, and how many threads it takes."""

    text: str
    count: int


@cache
def cuda_text(name: str) -> str:
    """``NAME.cu``."""
    return (Path(__file__).parent / f"{name}.cu").read_text(encoding="utf-8")


def kernel_source(constants: Mapping[str, object], *texts: str) -> str:
    """Macros for the constants, and then the texts."""
    return "\n".join([*(f"#define {name} {value}" for name, value in constants.items()), *texts])
