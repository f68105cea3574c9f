"""What the device reaches at best: large matrix products and a copy, by torch, in the same run as the networks."""

from __future__ import annotations

import torch

from whole_networks.timing import Timed

__all__ = ["measured_peaks"]

_SIZE = 8192
_COPY_BYTES = 2**30
_ROUNDS = 9


def _best_ms(one: Timed) -> float:
    one.warm_up()
    return min(one.sample() for _ in range(_ROUNDS))


def measured_peaks() -> dict[str, float]:
    """Operations a second by precision, and ``bandwidth`` in bytes a second, read and written bytes together."""
    found: dict[str, float] = {}
    types = {"fp16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "strict": torch.float32}
    before = torch.backends.cuda.matmul.allow_tf32
    for precision, dtype in types.items():
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        a, b = (torch.randn(_SIZE, _SIZE, device="cuda", dtype=dtype) for _ in range(2))
        out = torch.empty_like(a)
        ms = _best_ms(Timed(lambda a=a, b=b, out=out: torch.mm(a, b, out=out)))  # type: ignore[misc]
        found[precision] = 2 * _SIZE**3 / (ms / 1000)
    torch.backends.cuda.matmul.allow_tf32 = before
    source = torch.empty(_COPY_BYTES, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    found["bandwidth"] = 2 * _COPY_BYTES / (_best_ms(Timed(lambda: target.copy_(source))) / 1000)
    return found
