"""Problems taken apart: several steps, each a problem or a kernel of the array library, as one candidate."""

from cudnnkit.decompose.setting import Ready, Resolver, Setting

__all__ = ["Ready", "Resolver", "Setting"]
