"""Batch normalisation folded into the convolution before it."""

from __future__ import annotations

from typing import Any

from cudnnkit.arrays.registry import adopt, kind_of, view_of
from cudnnkit.arrays.view import ArrayLibrary, ArrayView, channels_last_strides, contiguous_strides
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.ops.norm_arguments import check_eps, check_vector
from cudnnkit.request import FLOATS
from cudnnkit.tuner import tuner

__all__ = ["fold_batch_norm"]


def fold_batch_norm(
    w: Any, bias: Any, mean: Any, variance: Any, scale: Any = None, shift: Any = None, *, eps: float = 1e-5
) -> tuple[Any, Any]:
    """Filters and bias of one convolution that does what a convolution and a batch normalisation after it do.

    Parameters
    ----------
    w
        Filters (K, C / groups, window) of any number of spatial axes, or the weights (K, C) of a linear layer;
        float16, bfloat16, float32 or float64; any strides.
    bias
        The convolution's own bias (K,), or None.
    mean, variance
        The normalisation's running statistics (K,).
    scale, shift
        Its weight and bias (K,); None for one and zero.
    eps
        Added to the variance inside the square root.

    Returns
    -------
    tuple of two arrays
        The new filters, in w's layout, and the new bias (K,), both new arrays of w's type::

            w * f    and    (bias - mean) * f + shift    with    f = scale / sqrt(variance + eps)

    Raises
    ------
    ArgumentError
        A vector is not (K,), a type is no floating one, or eps is not positive.

    Notes
    -----
    Computed in float32, or float64 where w or a vector is of that type, by the array library's kernels, and rounded
    once. The vectors may be of another floating type than w, as float32 statistics beside half weights are. Folding
    half weights rounds them anew: fold the float32 weights where they are at hand, then convert.

    Examples
    --------
    >>> w, b = fold_batch_norm(w, None, mean, variance, scale, shift)  # doctest: +SKIP
    >>> y = conv2d(x, w, b, padding=1, activation="relu")  # doctest: +SKIP
    """
    check_eps(eps)
    w = adopt(w, "w")
    library = kind_of(w, "w").library
    view = _view(w, "w")
    if len(view.shape) < 2:
        raise ArgumentError("w", view.shape, "has no channels: filters are (K, C, window), linear weights (K, C)")
    given = {"bias": bias, "mean": mean, "variance": variance, "scale": scale, "shift": shift}
    vectors = {name: _vector(name, one, view, library) for name, one in given.items()}
    for name in ("mean", "variance"):
        if vectors[name] is None:
            raise ArgumentTypeError(name, None, "must be given")
    dense = (contiguous_strides(view.shape), channels_last_strides(view.shape))
    strides = view.strides if view.strides in dense else dense[0]
    with tuner().backend.on(view.device):
        filters = library.empty(view.shape, strides, view.dtype, view.device).source
        offset = library.empty((view.shape[0],), (1,), view.dtype, view.device).source
        library.norm.fold(
            w, vectors["bias"], vectors["mean"], vectors["variance"], vectors["scale"], vectors["shift"], float(eps),
            filters, offset,
        )  # fmt: skip
    return filters, offset


def _view(array: Any, name: str) -> ArrayView:
    view = view_of(array, name)
    if view.dtype not in FLOATS:
        raise ArgumentError(name, view.dtype, f"must be one of {', '.join(FLOATS)}; convert it")
    return view


def _vector(name: str, array: Any, w: ArrayView, library: ArrayLibrary) -> Any:
    """A vector as an array of w's library; None where left out."""
    if array is None:
        return None
    array = adopt(array, name, library)
    view = _view(array, name)
    check_vector(name, view, w.shape[0], "filters of w")
    if view.device != w.device:
        raise ArgumentError(name, f"on device {view.device}", f"but w is on device {w.device}; move one of them")
    return array if view.library is library else library.take(array)
