"""What torch's tensors tell of themselves. They lie in host memory here; ``is_cuda`` is put on."""

from __future__ import annotations

from typing import Any

import pytest
from cudnnkit.arrays.torch_library import TorchLibrary
from cudnnkit.errors import ArgumentError

torch = pytest.importorskip("torch", reason="torch is not installed")


class OnDevice:
    """A tensor that says it is in a GPU's memory."""

    is_cuda, device = True, torch.device("cuda", 0)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tensor, name)


def test_a_tensor_that_stands_for_its_memorys_negation_is_no_plain_one() -> None:
    """Its address, shape, strides and type are those of the plain one."""
    plain = torch.ones(2, 3, dtype=torch.complex64).imag
    negated = torch.ones(2, 3, dtype=torch.complex64).conj().imag
    assert negated.is_neg()
    library = TorchLibrary()
    assert library.sign(plain)[1] != library.sign(negated)[1]
    assert library.view(OnDevice(plain), "x").shape == (2, 3)
    with pytest.raises(
        ArgumentError, match=r"^x=.*negative bit set; give it memory of its own with x\.resolve_neg\(\)$"
    ):
        library.view(OnDevice(negated), "x")
    assert library.view(OnDevice(negated.resolve_neg()), "x").shape == (2, 3)


@pytest.mark.parametrize("of", ["plain", "conj", "negated", "both"])
def test_what_lasts_of_an_inference_tensor_stands_for_the_same_numbers(of: str) -> None:
    with torch.inference_mode():
        made = torch.tensor([[1 + 2j, 3 - 4j]])
        made = made.conj() if of in ("conj", "both") else made
        made = torch._neg_view(made) if of in ("negated", "both") else made
    found = TorchLibrary().lasting(made)
    assert not found.is_inference()
    assert found.data_ptr() == made.data_ptr()
    assert found.tolist() == made.tolist()
