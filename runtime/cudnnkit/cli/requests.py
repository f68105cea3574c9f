"""Problems as people write them: an operation, shapes, and the other arguments, on a command line or in JSON.

    {"operation": "conv2d", "x": [64, 64, 56, 56], "w": [64, 64, 3, 3], "bias": [64], "padding": 1,
     "activation": "relu", "dtype": "float16", "layout": "last", "precision": "fast"}

Arrays (``x``, ``w``, ``bias``, ``dy``, ``mean`` and so on) are shapes, or ``{"shape": ..., "strides": ...,
"dtype": ...}``; ``dtype`` and ``layout`` (``first``: NCHW, ``last``: NHWC) hold for all arrays; everything else is an
argument of the operation or a field of the policy. A file holds one request, a list of them, or a tuning document.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudnnkit.cli.output import no_json, read_stream, read_text
from cudnnkit.errors import ArgumentError, ArgumentTypeError, CacheError

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary
    from cudnnkit.problem import Problem

__all__ = ["OPERATIONS", "Request", "from_arguments", "read_requests"]

OPERATIONS = (
    "conv", "conv1d", "conv2d", "conv3d", "conv_data_gradient", "conv_filter_gradient", "conv_bias_gradient",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "bias_add", "activation", "activation_backward",
    "relu", "relu6", "clipped_relu", "leaky_relu", "elu", "sigmoid", "tanh", "gelu", "silu", "swish", "softplus",
    "batch_norm", "batch_norm_training",
    "softmax", "softmax_backward", "log_softmax", "log_softmax_backward", "max_pool", "avg_pool", "avg_pool_backward",
    "global_avg_pool", "global_avg_pool_backward", "global_max_pool", "linear", "linear_data_gradient",
    "linear_filter_gradient", "linear_bias_gradient",
)  # fmt: skip
"""Functions whose arrays may be random."""
_NEED_RESULTS = ("max_pool_backward", "batch_norm_backward")
"""Functions that want what the forward function answered; of random numbers in its place they make wrong results."""
_SQUARES = ("variance", "running_variance")
_ARRAYS = ("x", "w", "bias", "residual", "dy", "y", "out", "mean", "scale", "running_mean", *_SQUARES)
_IMAGES = ("x", "w", "residual", "dy", "y", "out")
"""Arrays that have a layout; a bias has none."""
_AS = 'arrays are given by their shapes: x=64x3x224x224 w=64x3x7x7, or in JSON "x": [64, 3, 224, 224]'
_TYPES = ("float16", "bfloat16", "float32", "float64")
_LAYOUTS = ("first", "last")


@dataclass(frozen=True)
class Request:
    """One problem to look at.

    Attributes
    ----------
    operation
        Name of a function of cudnnkit.
    arrays
        Shape, strides in elements and element type, by argument.
    arguments
        The other arguments.
    problem
        A problem out of a tuning document, which stands for all of the above.
    failure
        Why an entry of a file is no request, in one sentence; the file's others are.
    """

    operation: str
    arrays: Mapping[str, tuple[tuple[int, ...], tuple[int, ...], str]]
    arguments: Mapping[str, Any]
    problem: Problem | None = None
    failure: str = ""

    @property
    def label(self) -> str:
        """One line for people."""
        if self.problem is not None:
            return self.problem.label
        if self.failure:
            return self.operation
        shapes = [f"{name} {'x'.join(map(str, one[0]))} {one[2]}" for name, one in self.arrays.items()]
        return f"{self.operation} ({', '.join([*shapes, *(f'{name} {one}' for name, one in self.arguments.items())])})"

    def call(self, library: ArrayLibrary, device: int) -> tuple[Callable[..., Any], dict[str, Any]]:
        """The function and its keywords, with arrays of random numbers.

        Raises
        ------
        ArgumentError
            The library has no arrays of that type.
        MemoryError
            The device has no room for them.
        """
        import cudnnkit

        keywords = dict(self.arguments)
        for name, (shape, strides, dtype) in self.arrays.items():
            try:
                array = library.empty(shape, strides, dtype, device).source
            except TypeError as error:
                raise ArgumentError("dtype", dtype, f"{library.name} has no such arrays ({error})") from None
            library.kernels.randomize(array)
            if name in _SQUARES:
                array *= array
            keywords[name] = array
        return getattr(cudnnkit, self.operation), keywords


def from_arguments(operation: str, words: Sequence[str], **common: Any) -> Request:
    """A request from ``NAME=VALUE`` words; a value is a shape or a pair (``64x3x224x224``, ``1,1``), JSON, Python
    (``('elu', 1.0)``), or a text.

    Raises
    ------
    ArgumentError
        A word or a value is wrong, or a name is given twice.
    """
    data = {"operation": operation, **{name: value for name, value in common.items() if value is not None}}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise ArgumentError("NAME=VALUE", word, "write arguments like x=64x3x224x224 or padding=1")
        key = name.replace("-", "_")
        if key in data:
            raise ArgumentError(name, text, f"is given twice; the other one is {data[key]}")
        data[key] = _value(name, text)
    return _request(data)


def _value(name: str, text: str) -> Any:
    if name in _ARRAYS:
        try:
            return [int(size) for size in text.strip("()[] ").replace(",", "x").split("x")]  # also as Python writes it
        except ValueError:
            raise ArgumentError(name, text, "is no shape; write one like 64x3x224x224") from None
    if re.fullmatch(r"\d{1,10}([x,]\d{1,10})+", text):  # one for each axis, written as a shape is
        return [int(size) for size in text.replace(",", "x").split("x")]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if text[:1] in tuple("([+-.'\"0123456789") or text in ("None", "True", "False"):  # as in Python, and in our errors
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return ast.literal_eval(text)
    return text


def read_requests(path: str) -> list[Request]:
    """The requests of a file; ``-`` is standard input. An entry that is none has a `failure` instead.

    Raises
    ------
    CacheError
        The file is no JSON, or none of its entries is a request; the message says why the first is not.
    OSError
        It cannot be read.
    """
    name = "standard input" if path == "-" else path
    try:
        text = read_stream(sys.stdin, name) if path == "-" else read_text(Path(path))
        data = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise CacheError(
            f"{name} cannot be used: {no_json(error)}; write a list of requests, see `tune --help`"
        ) from None
    if isinstance(data, dict) and "format" in data:
        from cudnnkit import exchange

        return [_of_problem(one.problem) for one in exchange.read(data, name=name)]
    rows = data if isinstance(data, list) else data.get("problems", [data]) if isinstance(data, dict) else None
    if not isinstance(rows, list) or not rows:
        raise CacheError(f"{name} has no problems: write a list of requests, or use a document of `cache export`")
    requests = [_row(row) for row in rows]
    if all(one.failure for one in requests):
        others = f" (and none of the {len(rows)} problems is right)" if len(rows) > 1 else ""
        raise CacheError(f"{name}: problem 1: {requests[0].failure}{others}")
    return requests


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of a name that stands in it twice, Python would take the last without a word."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands twice in one object")
        found[name] = value
    return found


def _row(row: Any) -> Request:
    try:
        if isinstance(row, dict) and "key_version" in row:
            from cudnnkit.problem import Problem

            return _of_problem(Problem.from_json(row))
        return _request(row)
    except (ArgumentError, CacheError) as error:
        operation = row.get("operation") if isinstance(row, dict) else None
        return Request(operation if isinstance(operation, str) else "no operation", {}, {}, failure=str(error))


def _of_problem(problem: Problem) -> Request:
    return Request(problem.operation, {}, {}, problem)


def _request(data: Any) -> Request:
    import cudnnkit

    if not isinstance(data, dict):
        raise CacheError("it is no object with an operation and shapes")
    rest = dict(data)
    operation = rest.pop("operation", None)
    if operation in _NEED_RESULTS:
        hint = "reads results of the forward function, which random numbers are not; call cudnnkit.explain in Python"
        raise ArgumentError("operation", operation, hint)
    if operation not in OPERATIONS:
        raise ArgumentError("operation", operation, f"allowed are {', '.join(OPERATIONS)}")
    dtype, layout = rest.pop("dtype", "float32"), rest.pop("layout", "first")
    if layout not in _LAYOUTS:
        raise ArgumentError("layout", layout, "allowed are 'first' (NCHW) and 'last' (NHWC)")
    arrays = {one: _array(one, rest.pop(one), dtype, layout) for one in _ARRAYS if rest.get(one) is not None}
    function = getattr(cudnnkit, operation)
    try:
        inspect.signature(function).bind(**arrays, **rest)
    except TypeError as error:
        raise ArgumentTypeError("operation", operation, f"{error}; {_AS}") from None
    known = inspect.signature(function).parameters
    strange = [one for one in arrays if one not in known]
    if strange:
        raise ArgumentTypeError(strange[0], data[strange[0]], f"{operation} takes no such array")
    return Request(operation, arrays, rest)


def _array(name: str, value: Any, dtype: Any, layout: str) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    from cudnnkit.arrays.view import channels_last_strides, contiguous_strides

    given = value if isinstance(value, dict) else {"shape": value}
    unknown = sorted(set(given) - {"shape", "strides", "dtype"})
    if unknown or "shape" not in given:
        raise ArgumentError(name, str(value), "must be a shape, or an object with shape, strides and dtype")
    shape = _sizes(name, given["shape"], "a shape: whole numbers, 0 or more")
    kind = given.get("dtype", dtype)
    if kind not in _TYPES:
        raise ArgumentError("dtype", kind, f"allowed are {', '.join(map(repr, _TYPES))}")
    last = layout == "last" and name in _IMAGES
    strides = (channels_last_strides if last else contiguous_strides)(shape)
    if "strides" in given:
        strides = _sizes(name, given["strides"], "strides: one whole number of elements, 0 or more, for each axis")
        if len(strides) != len(shape):
            raise ArgumentError(name, strides, f"has another number of strides than the shape {shape} has axes")
    return shape, strides, str(kind)


def _sizes(name: str, value: Any, hint: str) -> tuple[int, ...]:
    right = isinstance(value, list | tuple) and all(type(one) is int and one >= 0 for one in value)
    if not right:
        raise ArgumentError(name, str(value), f"is not {hint}")
    return tuple(value)
