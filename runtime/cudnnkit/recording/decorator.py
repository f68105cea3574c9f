"""What users call, or put above a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from cudnnkit.recording.captured import MOST_RECORDINGS, Captured

__all__ = ["capture"]


@overload
def capture(
    function: Callable[..., Any], /, *, copy: bool = ..., static_inputs: bool = ..., most: int = ...
) -> Captured: ...


@overload
def capture(
    function: None = None, /, *, copy: bool = ..., static_inputs: bool = ..., most: int = ...
) -> Callable[[Callable[..., Any]], Captured]: ...


def capture(
    function: Callable[..., Any] | None = None,
    /,
    *,
    copy: bool = True,
    static_inputs: bool = False,
    most: int = MOST_RECORDINGS,
) -> Any:
    """Record a function of operations as a CUDA graph at its first call, and replay it at each later one.

    The whole function then costs the host one launch, and no kernel waits for the host. Results of operations
    and workspace share one buffer by a plan made from their lifetimes; a result lives as long as a name for it, so
    prefer ``x = conv2d(x, w)`` to ``y = conv2d(x, w)`` where x is not needed again. Calls with other shapes, strides,
    types, values, another policy or other settings of torch (autocast, default type, precision of matrix products,
    deterministic algorithms) have recordings of their own; a pin or another tuning cache makes all of them anew.

    The first call of a signature runs the function as it is, which searches and loads; then twice more without running
    anything: once to see the lifetimes, once to record. Its operations take effect once, but what it does in Python
    (counting, printing) happens three times, and never again at a replay.

    Parameters
    ----------
    function
        Takes at least one array; all arrays are of one library on one device, in tuples, lists and dictionaries if
        need be. It must do the same each time and not wait for the device. It may close over weights: their arrays are
        kept, are read (and written, if it does so) in place, and after one was *replaced* :meth:`Captured.clear` is
        due. Of a method capture the bound one, ``capture(model.forward)``. Left out: a decorator.
    copy
        True: results are copies, as of any function; keeping them, or giving them to other threads, is safe. False:
        they are the recording's own arrays, and the next call overwrites them. Copying is the default because results
        are small beside what leads to them (a network's scores: kilobytes, a few microseconds), while a list of
        results that are secretly one array is a fault that nobody sees.
    static_inputs
        False: array arguments are copied into arrays of the recording's own. True: the arrays of a signature's first
        call *are* the recording's own from then on, so that a caller who has one input holds it once. A call with the
        same arrays reads them where they are, in whatever state they are; **one with other arrays overwrites them**
        with those arrays' contents. One that was given other memory since (torch's ``x.data = ...``) is another array
        from then on; where the memory itself is gone the next call records anew. Between threads see :class:`Captured`.
        Copied all the same are arrays with gaps or elements that share memory (slices, broadcasts), those at an address
        that is no multiple of 16 (torch and CuPy allocate at such; a recording of another would be slower for all),
        one that shares memory with another argument before it (those of ``captured(x, x)``, which are one array, stay
        one), and those of other libraries than torch and CuPy, which may have promised that they never change. **What
        the function writes into its arguments** is in the caller's arrays only where those are the recording's own: in
        arrays of a signature's first call, unless they were copied. Nothing tells where it is not.
    most
        How many recordings are kept; the one unused longest goes first, once there is the one that takes its place, or
        where that lacks memory. Each holds a buffer of its own.

    Returns
    -------
    Captured
        Called like the function.

    Raises
    ------
    ArgumentTypeError
        `function` cannot be called, or is a generator or async function; `copy`, `static_inputs` or `most` is of
        another type.

    Notes
    -----
    What the function writes into its arguments stays in the recording's own arrays; :meth:`Captured.inputs` gives them,
    to be read or to be written into directly. Arrays that are given in another order than they have there, or parts of
    them, are read before they are overwritten. The recording refers to its arrays until it is dropped. A function that
    uses several streams shares no memory by the plan once operations were launched on two of them; what only the array
    library reads on another stream has to stay referenced until that stream was joined, as in torch without
    ``record_stream``. A recording made in torch's inference mode serves calls outside of it, and the other way round.

    Recorded by stream capture (``cuStreamBeginCapture``), not by ``cudnnBackendPopulateCudaGraph``: that takes
    execution plans alone, of engines with the note SUPPORTS_CUDA_GRAPH_NATIVE_API (the engine tried with cuDNN 9.19
    on an H200 answered 3013, NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API), and neither legacy calls nor the array library's
    kernels; stream capture takes whatever any of them launches. ``benchmarks/graph_population.py`` tries engine by
    engine. Edges between kernels are those of the stream: a programmatic one appears where a library launches a
    kernel so.

    Examples
    --------
    >>> step = capture(lambda x: conv2d(conv2d(x, w1, padding=1, activation="relu"), w2))  # doctest: +SKIP
    >>> y = step(x)  # doctest: +SKIP
    """
    if function is None:
        return lambda one: Captured(one, copy=copy, static_inputs=static_inputs, most=most)
    return Captured(function, copy=copy, static_inputs=static_inputs, most=most)
