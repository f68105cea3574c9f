"""Every source of our own kernels beside the names that decisions on disk know them by.

A failure here asks for a decision, which the documentation of ``cudnnkit.cuda`` tells: does the change deserve a new
revision in the candidates' names? Then the new digest, or both, are written down here.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cudnnkit.cuda
import pytest
from cudnnkit.cuda.words import WORDS
from cudnnkit.decompose.kernels import OWN, array_candidates
from cudnnkit.problem import Epilogue, PoolingSpec, Problem

from . import test_cuda_epilogue as epilogue
from . import test_cuda_first_layer as first_layer
from . import test_cuda_first_layer_filter as first_layer_filter
from . import test_cuda_first_layer_fma as first_layer_fma
from . import test_cuda_norm as norm
from . import test_cuda_pooling as pooling

SOURCES = {one.name: one.read_text(encoding="utf-8") for one in Path(cudnnkit.cuda.__path__[0]).glob("*.cu")}
SOURCES |= {f"words of {dtype}": text for dtype, text in WORDS.items()}
WINDOW = PoolingSpec("max", (3, 3), (1, 1), (1, 1), (2, 2))
PROBLEMS: list[Problem] = [
    epilogue.problem(Epilogue(bias=True, activation="relu")),
    first_layer.PLAIN.problem(),
    first_layer_fma.problem_of(replace(first_layer.PLAIN, dtype="float32"), False),
    first_layer_filter.GOOD.problem("bfloat16"),
    norm.problem("batch_norm_training", norm.FORWARD, (2, 8, 4, 4), "float16", True),
    norm.problem("batch_norm_backward", norm.BACKWARD, (2, 8, 4, 4), "float16", True),
    pooling.problem("pool_forward", WINDOW, (2, 8, 9, 9), "float32", True),
    pooling.problem("pool_backward", WINDOW, (2, 8, 9, 9), "float32", True),
]
OURS = "by a kernel of cudnnkit's own"
FORWARD = {f"conv_forward {OURS} (8 warps, 16x16 pixels, loads ahead)"}
FMA = {f"conv_forward {OURS} (float32, 128 threads, 8x16 pixels)"}
FILTER = {f"conv_wgrad {OURS} ({warps} warps)" for warps in (4, 8)}
NORM = {f"batch_norm_{way} by kernels of cudnnkit's own" for way in ("training", "backward")}
EPILOGUE = {f"epilogue {OURS} (revision 2)"}
POOLING = {f"pool_{way} {OURS}" for way in ("forward", "backward")}
PINNED: dict[str, tuple[str, set[str]]] = {
    "channels.cu": ("c134a11d08578345", set()),  # a step of ways in decompose/channels.py: theirs are the names
    "epilogue.cu": ("127efea0626820d9", EPILOGUE),  # a step of ways in decompose/epilogue.py besides
    "first_layer.cu": ("0dfa48706abf0f35", FORWARD),
    "first_layer_filter.cu": ("c0a3bab69a1dcdcd", FILTER),
    "first_layer_fma.cu": ("dae2abf08a122239", FMA),
    "norm.cu": ("4ab3d3b615a727fe", NORM),
    "pooling.cu": ("ff614b3221193ab2", POOLING),
    "tensor_core.cu": ("a87226f47de823c4", FORWARD | FILTER),
    "vectors.cu": ("0089bc76e651c2c3", NORM | POOLING | EPILOGUE),
    "words of bfloat16": ("c57597f0dac51022", FILTER),
    "words of float16": ("9b1ffd14920ffafd", FORWARD | NORM | EPILOGUE),
    "words of float32": ("0d0d18ac4de48fd6", POOLING),
}
"""For each source the first digits of its SHA-256, and those names of `PROBLEMS`' candidates that it is part of."""


def own(problem: Problem) -> list[Any]:
    setting: Any = SimpleNamespace(library=SimpleNamespace(name="torch"), device=0)
    return [one for one in array_candidates(problem, setting) if hasattr(one, "source")]


def test_every_operation_with_a_kernel_of_ours_is_looked_at() -> None:
    assert {one.operation for one in PROBLEMS} == set(OWN)


def test_all_sources_are_pinned() -> None:
    assert set(SOURCES) == set(PINNED)


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_that_changed_asks_for_a_decision(name: str) -> None:
    text = SOURCES[name]
    served = {one.description.id.name for problem in PROBLEMS for one in own(problem) if text in one.source}
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert (digest, served) == PINNED[name]
