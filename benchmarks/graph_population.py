"""Which engines fill a CUDA graph by themselves (``cudnnBackendPopulateCudaGraph``), and is that graph a better one?

For a few problems every engine that the heuristics offer is tried: does it say that it can
(``CUDNN_BEHAVIOR_NOTE_SUPPORTS_CUDA_GRAPH_NATIVE_API``), does it, and how do nodes and time compare with the same plan
recorded by stream capture, which is what ``cudnnkit.capture`` does. Needs a GPU and torch::

    python benchmarks/graph_population.py
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import sys
from collections.abc import Callable, Iterator
from typing import Any

import cudnnkit as ck
from common.arguments import ended, torch_ready
from cudnnkit.context import Context, context
from cudnnkit.driver import driver
from cudnnkit.engines.graph_engines import GraphCandidate, graph_candidates
from cudnnkit.graph_launch import Recorder
from cudnnkit.problem import Problem

MOST_ENGINES = 24
"""Engines tried for each problem."""
NOTE = "SUPPORTS_CUDA_GRAPH_NATIVE_API"


def _problems() -> Iterator[tuple[str, Problem, list[Any]]]:
    """Name, problem, operands in its order."""
    import torch

    def image(*shape: int) -> Any:
        return torch.randn(shape, device="cuda", dtype=torch.float16).to(memory_format=torch.channels_last)

    x, w, bias = image(32, 128, 28, 28), image(128, 128, 3, 3), torch.randn(128, device="cuda", dtype=torch.float16)
    z, one = image(32, 128, 28, 28), image(128, 128, 1, 1)
    y = torch.empty_like(x)
    calls: list[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
        ("conv 3x3", ck.conv2d, (x, w), {"padding": 1}),
        ("conv 3x3 + bias + relu", ck.conv2d, (x, w, bias), {"padding": 1, "activation": "relu"}),
        (
            "conv 3x3 + bias + residual + relu",
            ck.conv2d,
            (x, w, bias),
            {"padding": 1, "activation": "relu", "residual": z},
        ),
        ("conv 1x1 + bias + relu", ck.conv2d, (x, one, bias), {"activation": "relu"}),
        ("relu", ck.relu, (x,), {}),
    ]
    linear = getattr(ck, "linear", None)
    if linear is not None:
        a, b = (torch.randn(512, 512, device="cuda", dtype=torch.float16) for _ in range(2))
        calls.append(("matmul", linear, (a, b), {}))
    for name, function, arrays, keywords in calls:
        problem = ck.plan(function, *arrays, **keywords, search="heuristic").problem
        roles = {"x": arrays[0], "w": arrays[-1], "bias": bias, "residual": z, "y": y}
        if len(arrays) > 1:
            roles["w"] = arrays[1]
        operands = []
        for spec in problem.tensors:
            found = roles.get(spec.role)
            if found is None or tuple(found.shape) != spec.shape:
                found = torch.empty_strided(spec.shape, spec.strides, dtype=getattr(torch, spec.dtype), device="cuda")
                found.normal_()
            operands.append(found)
        yield name, problem, operands


class _Graphs:
    """The driver's functions on graphs."""

    def __init__(self, here: Context) -> None:
        self._cuda = driver().cuda
        self.here, self.recorder = here, Recorder(here.library, self._cuda)

    def populated(self, plan: Any, pointers: tuple[int, ...], space: int) -> tuple[int, int, int]:
        """Status, number of nodes, and the ready graph's address, of a graph that the plan fills."""
        cuda, graph = self._cuda, ctypes.c_void_p()
        assert not cuda.cuGraphCreate(ctypes.byref(graph), 0)
        pack, descriptor = plan._pack(pointers, space)
        library = self.here.library
        status = library._lib.cudnnBackendPopulateCudaGraph(
            plan._handle, plan._pointer, pack, library._ffi.cast("cudaGraph_t", graph.value)
        )
        count, ready = ctypes.c_size_t(), ctypes.c_void_p()
        if not status:
            cuda.cuGraphGetNodes(graph, None, ctypes.byref(count))
            failed = cuda.cuGraphInstantiateWithFlags(ctypes.byref(ready), graph, ctypes.c_ulonglong(0))
            assert not failed, f"cuGraphInstantiateWithFlags answers {failed}"
        descriptor.close()
        return int(status), count.value, ready.value or 0

    def milliseconds(self, address: int) -> float:
        """Median time of 20 launches in a row, for one."""
        import torch

        stream = torch.cuda.current_stream().cuda_stream
        times = []
        for _ in range(15):
            before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            before.record()
            for _ in range(20):
                self.recorder.launch(address, stream)
            after.record()
            after.synchronize()
            times.append(before.elapsed_time(after) / 20)
        return float(statistics.median(times))


def _row(graphs: _Graphs, one: GraphCandidate, operands: list[Any]) -> tuple[int, str]:
    import torch

    plan: Any = one.prepare()
    pointers = tuple(array.data_ptr() for array in operands)
    room = torch.empty(max(plan.workspace, 1), dtype=torch.uint8, device="cuda")
    plan.launch(pointers, room.data_ptr())
    torch.cuda.synchronize()
    expected = operands[-1].clone()
    status, nodes, address = graphs.populated(plan, pointers, room.data_ptr())
    said = "says so" if NOTE in one.description.behaviour else "silent"
    if status:
        return status, f"{said}, status {status}"
    operands[-1].fill_(float("nan"))
    graphs.recorder.launch(address, torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    same = torch.equal(expected, operands[-1])
    pack, descriptor = plan._pack(pointers, room.data_ptr())
    recorded = graphs.recorder.record(graphs.here, lambda: int(plan._execute(plan._handle, plan._pointer, pack)))
    descriptor.close()
    text = f"{said}, {nodes} nodes, {graphs.milliseconds(address):.4f} ms, {'the same' if same else 'ANOTHER'} result"
    if recorded is not None:
        text += f"; by stream capture {graphs.milliseconds(recorded.address):.4f} ms"
    return 0, text


def main() -> int:
    """Print a table, and how many engines of each problem fill a graph; 1 without torch or a GPU."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    if not torch_ready("graph_population.py"):
        return 1
    import torch

    torch.manual_seed(0)
    here = context(0)
    here.use_stream(torch.cuda.current_stream().cuda_stream)
    graphs = _Graphs(here)
    print(f"cuDNN {here.library.version_text}, {torch.cuda.get_device_name()}")
    for name, problem, operands in _problems():
        taken = tried = 0
        refused: dict[str, int] = {}
        for one in graph_candidates(problem, here)[:MOST_ENGINES]:
            try:
                status, text = _row(graphs, one, operands)
            except Exception as error:  # an engine that cannot be had says nothing about graphs
                print(f"{name}: {one.description.id}: {type(error).__name__}: {str(error).splitlines()[0]}")
                continue
            tried += 1
            taken += not status
            if status:
                refused[text] = refused.get(text, 0) + 1
            else:
                print(f"{name}: {one.description.id}: {text}")
        print(f"{name}: {taken} of {tried} engines fill a graph; {refused or 'none refuses'}")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
