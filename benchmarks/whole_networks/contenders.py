"""The ways of running one network: cudnnkit eager and captured; torch eager, in a CUDA graph, compiled."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import cudnnkit as ck
import torch

from whole_networks import adapter
from whole_networks.memory import weights_made

__all__ = ["DTYPES", "Run", "kit", "kit_policy", "lay_out", "set_torch", "torch_compiled", "torch_eager", "torch_graph"]

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "strict": torch.float32}


def set_torch(precision: str, limit: int = 0) -> None:
    """Torch at its best: search on over every plan, TF32 as the precision says."""
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = limit
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"


def kit_policy(precision: str, search: str = "measure", budget_ms: float = 1500.0) -> ck.Policy:
    """The policy of a row."""
    name: Any = "strict" if precision == "strict" else "fast"
    effort: Any = search
    return ck.Policy(precision=name, search=effort, budget_ms=budget_ms)


def lay_out(tensor: Any, layout: str) -> Any:
    """Images in that memory layout: ``last`` (NHWC) or ``first`` (NCHW)."""
    return tensor.contiguous(memory_format=torch.channels_last if layout == "last" else torch.contiguous_format)


@dataclass
class Run:
    """A network ready to run.

    Attributes
    ----------
    call
        Runs it once and answers its output.
    layout
        Of the images.
    seconds
        One-off costs.
    keep
        What has to stay alive.
    """

    call: Callable[[], Any]
    layout: str
    seconds: dict[str, float] = field(default_factory=dict)
    keep: Any = None


def kit(
    name: str, state: Mapping[str, Any], x: Any, precision: str, policy: ck.Policy, layout: str, *, captured: bool
) -> Run:
    """Cudnnkit's network: as it is, or recorded as a CUDA graph."""
    network = adapter.kit_network(name, state, precision, layout)
    images = lay_out(x, layout)
    weights_made()
    if not captured:

        def eager() -> Any:
            with ck.use_policy(policy):
                return network(images)

        return Run(eager, layout, keep=(network, images))
    graph = ck.capture(network, copy=False, static_inputs=True)  # the images are read where they are, as torch's are
    with ck.use_policy(policy):
        graph(images)

    def replay() -> Any:
        with ck.use_policy(policy):
            return graph(images)

    return Run(replay, layout, keep=(graph, images))


def _module(name: str, state: Mapping[str, Any], precision: str, layout: str) -> Any:
    module = adapter.torch_module(name, state)
    module = module.to(device="cuda", dtype=DTYPES[precision])
    module = module.to(memory_format=torch.channels_last) if layout == "last" else module
    weights_made()
    return module


def torch_eager(name: str, state: Mapping[str, Any], x: Any, precision: str, layout: str) -> Run:
    """Torch as it is, with search on."""
    module, images = _module(name, state, precision, layout), lay_out(x, layout)
    return Run(lambda: module(images), layout, keep=module)


def torch_graph(name: str, state: Mapping[str, Any], x: Any, precision: str, layout: str) -> Run:
    """The same in a CUDA graph."""
    module, images = _module(name, state, precision, layout), lay_out(x, layout)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            module(images)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = module(images)

    def replay() -> Any:
        graph.replay()
        return y

    return Run(replay, layout, keep=(module, images, graph))


def torch_compiled(name: str, state: Mapping[str, Any], x: Any, precision: str, layout: str, mode: str) -> Run:
    """torch.compile of the module in that layout; ``seconds["compile"]`` is what the first three calls took."""
    module, images = _module(name, state, precision, layout), lay_out(x, layout)
    compiled = torch.compile(module, mode=mode)
    begun = time.perf_counter()
    for _ in range(3):
        torch.compiler.cudagraph_mark_step_begin()
        compiled(images)
    torch.cuda.synchronize()

    def call() -> Any:
        torch.compiler.cudagraph_mark_step_begin()
        return compiled(images)

    return Run(call, layout, {"compile": time.perf_counter() - begun}, keep=(module, compiled, images))
