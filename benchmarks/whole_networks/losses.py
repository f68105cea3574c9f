"""Whether a training step trains: its first losses against float64's. Nothing here needs a GPU.

The first loss depends on the forward pass alone, and is held to a bound of the precision. Later ones depend on
gradients, and from the third on momentum; with random weights rounding grows so fast from step to step that they tell
no more than a step that does not train, or diverges: torch's own float32 gradients are off by up to a quarter, its
fourth loss by a tenth (a sixteenth of ResNet-50's channels, on a CPU). What gradients and updates are worth is for
``tests/examples/test_training.py`` and ``tests/gpu/test_networks.py`` to say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

__all__ = ["BOUNDS", "LATER", "STEPS", "judged"]

STEPS = 4
"""Steps whose losses are compared."""

BOUNDS = {"fp16": 2e-2, "tf32": 5e-3}
"""Largest relative difference of the first loss from float64's."""
LATER = 0.2
"""The same of later losses; four times what torch's own eager steps are off, where that is more."""
_TIMES_TORCHS = 4


def judged(
    losses: Mapping[str, Sequence[float]], expected: Sequence[float], precision: str
) -> tuple[dict[str, float], dict[str, str]]:
    """The first loss's relative error by contender, where it is a number, and what is wrong with whose losses.

    Parameters
    ----------
    losses
        Of the first steps, by contender; ``torch_eager`` is the measure of rounding where it is there.
    expected
        The same in float64; empty where there is none, and then nothing is judged.
    precision
        A key of `BOUNDS`.
    """
    if not expected:
        return {}, {}
    errors = {name: _errors(found, expected) for name, found in losses.items()}
    torchs = max(errors.get("torch_eager", [0.0])[1:], default=0.0)
    later = max(LATER, _TIMES_TORCHS * torchs) if math.isfinite(torchs) else LATER
    bounds = [BOUNDS[precision], *[later] * (len(expected) - 1)]
    wrong = {}
    for name, each in errors.items():
        above = [place for place, (error, bound) in enumerate(zip(each, bounds, strict=True)) if not error <= bound]
        if above:
            at = above[0]
            wrong[name] = (
                f"loss {at + 1} is {losses[name][at]:.5g}, {expected[at]:.5g} in float64: off by {each[at]:.2e},"
                f" {bounds[at]:.0e} is the bound"
            )
    return {name: each[0] for name, each in errors.items() if math.isfinite(each[0])}, wrong


def _errors(found: Sequence[float], expected: Sequence[float]) -> list[float]:
    """Relative; infinite where there is no number."""
    pairs = zip(found, expected, strict=True)
    return [abs(one - right) / abs(right) if math.isfinite(one) else math.inf for one, right in pairs]
