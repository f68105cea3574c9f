"""Problems taken apart: several steps, each a problem or a kernel of the array library, as one candidate."""

from cudnnkit.decompose.kernels import ELEMENTWISE, array_candidates
from cudnnkit.decompose.offer import decompositions
from cudnnkit.decompose.setting import Ready, Resolver, Setting
from cudnnkit.decompose.split import LARGEST, is_large

__all__ = [
    "ELEMENTWISE", "LARGEST", "Ready", "Resolver", "Setting", "array_candidates", "decompositions", "is_large",
]  # fmt: skip
