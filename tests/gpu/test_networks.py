"""The examples' networks on the real GPU, beside the same networks as torch modules and in float64.

Small images and few of them: what is judged is that every layer does what torch's does, in every precision. Deviations
are held against float64 and against torch's own in the same precision: rounding grows with depth in a way that no fixed
bound tells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.tuner import Tuner, use_tuner

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples import networks
from examples.arrays import Arrays
from examples.training import TrainingStep

SIZE, BATCH, CLASSES = 64, 2, 40
FLOORS = {"fp16": 2e-3, "bf16": 1.6e-2, "tf32": 1e-3, "strict": 2e-6}
"""A deviation below a few roundings of the type is good whatever torch's own is."""
TYPES = {"fp16": "float16", "bf16": "bfloat16", "tf32": "float32", "strict": "float32"}


@pytest.fixture(autouse=True)
def tuner() -> Iterator[Tuner]:
    """No decisions of earlier runs, and no searches: the first way that works."""
    from cudnnkit.backend import CudnnBackend

    with use_tuner(Tuner(CudnnBackend())) as found, ck.use_policy(search="heuristic"):
        yield found


@cache
def state(name: str) -> dict[str, Any]:
    return networks.random_state(name, 3, size=SIZE, classes=CLASSES)


@cache
def twin(name: str) -> Any:
    from examples import torch_networks

    return torch_networks.load(torch_networks.build(name, size=SIZE, classes=CLASSES), state(name)).cuda()


@cache
def exact(name: str) -> Any:
    import copy

    import torch

    with torch.no_grad():
        return copy.deepcopy(twin(name)).double()(images("float64", BATCH))


@cache
def images(dtype: str, batch: int) -> Any:
    return Arrays("torch", dtype).images(batch, SIZE)


def deviation(found: Any, reference: Any) -> float:
    return float((found.double() - reference).norm() / reference.norm().clamp_min(1e-30))


@pytest.mark.parametrize("precision", list(TYPES))
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_a_network_answers_what_torch_answers(name: str, precision: str) -> None:
    import copy

    import torch

    dtype = TYPES[precision]
    x = images(dtype, BATCH)
    module = copy.deepcopy(twin(name)).to(dtype=getattr(torch, dtype), memory_format=torch.channels_last)
    strict = precision == "strict"
    with torch.no_grad(), torch.backends.cudnn.flags(enabled=True, allow_tf32=not strict):
        torchs = deviation(module(x), exact(name))
    network = networks.build(name, state(name), dtype=dtype, size=SIZE, classes=CLASSES)
    with ck.use_policy(precision="strict" if strict else "fast"):
        scores = network(x)
        captured = ck.capture(network)(x)
    assert scores.shape == (BATCH, CLASSES)
    ours = deviation(scores, exact(name))
    assert ours <= max(FLOORS[precision], 2 * torchs), f"{name} {precision}: ours {ours:.3g}, torch's {torchs:.3g}"
    again = deviation(captured, scores.double())
    assert again <= FLOORS[precision], f"{name} {precision}: the recording differs by {again:.3g}"


def step_of(dtype: str, **more: Any) -> TrainingStep:
    return TrainingStep(state("resnet50"), dtype=dtype, classes=CLASSES, **more)


def labels() -> Any:
    import torch

    return torch.tensor([3, 0, 39, 7], device="cuda")


def torch_gradients(dtype: Any) -> tuple[Any, dict[str, Any]]:
    import copy

    import torch

    module = copy.deepcopy(twin("resnet50")).to(dtype=dtype, memory_format=torch.channels_last).train()
    with torch.enable_grad(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        loss = torch.nn.functional.cross_entropy(module(images("float64", 4).to(dtype)), labels())
        loss.backward()
    return loss.detach(), {name: one.grad for name, one in module.named_parameters()}


def test_loss_and_gradients_are_those_of_autograd() -> None:
    import torch

    loss, gradients = torch_gradients(torch.float64)
    _, single = torch_gradients(torch.float32)
    step = step_of("float32")
    with ck.use_policy(precision="strict"):
        found = step.gradients(images("float32", 4), labels())
    assert float(found) == pytest.approx(float(loss), rel=1e-5)
    assert set(step.parameters.named) == set(gradients)
    wrong = []
    for name, one in step.parameters.named.items():
        ours, torchs = deviation(one.gradient, gradients[name]), deviation(single[name], gradients[name])
        # Both add in float32 in an order of their own, and a value near zero may fall on the other side of a ReLU.
        if not ours <= max(1e-4, 8 * torchs):
            wrong.append(f"{name}: ours {ours:.3g}, torch's {torchs:.3g}")
    assert not wrong, "\n".join(wrong)


def test_steps_are_those_of_torch() -> None:
    """Three steps; before each one torch takes over our parameters, since float32 and float64 soon part.

    Losses of torch's own float32 are 3 % off after three free steps of this small batch, whatever the learning rate.
    """
    import copy

    import torch

    module = copy.deepcopy(twin("resnet50")).double().train()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-3)
    step = step_of("float32", weight_decay=1e-3)
    theirs = dict(module.named_parameters())
    x, wanted = images("float32", 4), labels()
    for number in range(3):
        with torch.no_grad():
            for name, one in step.parameters.named.items():
                theirs[name].copy_(one.value)
            expected = float(torch.nn.functional.cross_entropy(module(x.double()), wanted))
        with ck.use_policy(precision="strict"):
            found = float(step(x, wanted))
        assert found == pytest.approx(expected, rel=1e-4), f"step {number}"
        for name, one in step.parameters.named.items():
            theirs[name].grad = one.gradient.double()
        optimizer.step()
        for name, one in step.parameters.named.items():
            assert deviation(one.value, theirs[name].detach()) < 1e-6, f"{name} after step {number}"
    for name, value in (("bn1", step.stem.running), ("layer4.2.bn2", step.blocks[-1].conv.running)):
        norm = module.get_submodule(name)
        assert deviation(value[0], norm.running_mean) < 1e-3, name
        assert deviation(value[1], norm.running_var) < 1e-3, name


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_a_recorded_step_trains_like_an_eager_one(dtype: str) -> None:
    # Small steps: at the default rate rounding alone has grown to a sixth of the loss by the fourth.
    x, eager, recorded = images(dtype, 4), step_of(dtype, learning_rate=0.002), step_of(dtype, learning_rate=0.002)
    call = ck.capture(recorded)
    losses = [(float(eager(x, labels())), float(call(x, labels()))) for _ in range(4)]
    text = ", ".join(f"{one:.4g} {other:.4g}" for one, other in losses)
    for one, other in losses:
        assert other == pytest.approx(one, rel=0.1), f"eager and recorded: {text}"
    assert losses[-1][0] < losses[0][0], text
