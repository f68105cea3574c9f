"""The complete identity of a problem: what a tuning decision is remembered under.

Two problems are the same when every field is equal. The hash is computed once, at construction, and only speeds up the
look-up; object identity and device ordinals play no part. The canonical JSON form is the key on disk: equal problems
have equal texts and unequal problems have different ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides, element_size
from cudnnkit.errors import CacheError
from cudnnkit.labels import by, convolution_words, layout_words, pooling_words, told
from cudnnkit.policy import PolicyKey
from cudnnkit.typed import check_fields

__all__ = [
    "KEY_VERSION",
    "STRIDED",
    "UPDATED",
    "ConvolutionSpec",
    "DeviceSpec",
    "Epilogue",
    "PoolingSpec",
    "Problem",
    "Scale",
    "TensorSpec",
    "VersionSpec",
    "memory_class",
    "normalize_strides",
    "scale_class",
]

KEY_VERSION = 1
"""Version of the canonical form; a change of the fields' meaning raises it."""

Scale: TypeAlias = Literal["zero", "one", "general"]
"""Class of a scaling factor: what matters is whether the old output is read (beta) and whether a product is needed."""

UPDATED = frozenset({"running_mean", "running_variance"})
"""Roles of outputs whose old content is read as well, whatever beta is."""

STRIDED = "strided", 1.0
"""Parameter of a problem whose operands are not dense in one layout: each is as the array library has it."""

_GIB = 2**30


def scale_class(value: float) -> Scale:
    """The class of an alpha or a beta.

    Examples
    --------
    >>> scale_class(0.0), scale_class(1), scale_class(0.5)
    ('zero', 'one', 'general')
    """
    return "zero" if value == 0 else "one" if value == 1 else "general"


def memory_class(total: int) -> int:
    """GiB of a device's memory, rounded up to what the card is sold as.

    Drivers and ECC take some hundred MiB that differ between machines; the class does not. Cards below 32 GiB come in
    steps of 4, larger ones in steps of 8.

    Examples
    --------
    >>> memory_class(int(139.8 * 2**30)), memory_class(int(79.1 * 2**30)), memory_class(int(11.9 * 2**30))
    (144, 80, 12)
    """
    step = 4 if total <= 32 * _GIB else 8
    return -(-total // (step * _GIB)) * step


def normalize_strides(shape: Sequence[int], strides: Sequence[int], *, channels_last: bool = False) -> tuple[int, ...]:
    """Strides (in elements) in which the meaningless ones, those of axes of size 1, have one fixed value.

    Array libraries leave anything there, cuDNN refuses some of it, and a key must not tell apart what is the same
    memory. A tensor that fits a dense layout gets that layout's strides; any other gets, on an axis of size 1, the
    extent of the axis to its right.

    Parameters
    ----------
    shape, strides
        Sizes, and strides in elements.
    channels_last
        Which layout to take where both fit, as with one channel: the dense one, or axis 1 innermost.
    """
    size = tuple(shape)
    dense, last = contiguous_strides(size), channels_last_strides(size)
    layouts = (last, dense) if channels_last else (dense, last)
    for layout in layouts:
        if all(one == 1 or given == fit for one, given, fit in zip(shape, strides, layout, strict=True)):
            return layout
    fixed = list(strides)
    for axis in reversed(range(len(shape))):
        if shape[axis] == 1:
            fixed[axis] = fixed[axis + 1] * shape[axis + 1] if axis + 1 < len(shape) else 1
    return tuple(fixed)


@dataclass(frozen=True)
class TensorSpec:
    """One operand.

    Attributes
    ----------
    role
        Its name in the operation: x, w, y, bias, residual, dx, dw, dy, dbias.
    shape, strides
        Sizes, and strides in elements.
    dtype
        Element type: float16, bfloat16, float32, float64, ...
    alignment
        Largest power of two, in bytes, that divides the address, capped where it stops to matter (16).
    output
        The operation writes it.
    """

    role: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    alignment: int = 16
    output: bool = False


@dataclass(frozen=True)
class ConvolutionSpec:
    """The parameters of a convolution, one entry per spatial axis; padding before and after are separate."""

    pre_padding: tuple[int, ...]
    post_padding: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int = 1
    mode: Literal["cross-correlation", "convolution"] = "cross-correlation"

    @property
    def symmetric(self) -> bool:
        """Padding is the same on both sides of every axis."""
        return self.pre_padding == self.post_padding


@dataclass(frozen=True)
class PoolingSpec:
    """The parameters of a pooling, one entry per spatial axis; padding before and after are separate.

    Attributes
    ----------
    mode
        What is made of a window: its maximum, its mean with the padding counted as zeros, or its mean over the image's
        own elements.
    """

    mode: Literal["max", "average_include_padding", "average_exclude_padding"]
    window: tuple[int, ...]
    pre_padding: tuple[int, ...]
    post_padding: tuple[int, ...]
    stride: tuple[int, ...]

    @property
    def symmetric(self) -> bool:
        """Padding is the same on both sides of every axis."""
        return self.pre_padding == self.post_padding


@dataclass(frozen=True)
class Epilogue:
    """What happens to the result before it is written: bias, residual, then the activation with its parameters.

    With `residual_after` the residual is added to what the activation gives.
    """

    bias: bool = False
    residual: bool = False
    activation: str | None = None
    parameters: tuple[float, ...] = ()
    residual_after: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", tuple(_number(one) for one in self.parameters))


@dataclass(frozen=True)
class DeviceSpec:
    """A kind of device; two cards of one kind share decisions whatever their ordinals."""

    architecture: tuple[int, int]
    multiprocessors: int
    memory_class: int
    name: str


@dataclass(frozen=True)
class VersionSpec:
    """Versions that a decision depends on, as the library and the driver report them."""

    cudnn: str
    driver: str


def _number(value: float) -> float:
    """`value` in the one form that equal numbers share, since 1, 1.0 and True are equal but differ in JSON."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} cannot be part of a problem's key: it does not equal itself or has no JSON form")
    return number + 0.0  # -0.0 becomes 0.0


@dataclass(frozen=True, eq=False)
class Problem:
    """Everything that a tuning decision depends on.

    Attributes
    ----------
    operation
        Name of the operation: conv_forward, conv_dgrad, conv_wgrad, softmax_forward, ...
    tensors
        Every operand in the operation's own order, outputs included.
    compute
        Type in which is accumulated.
    device, versions
        Where and with what it runs.
    policy
        The part of the policy that changes which candidate is right.
    convolution
        Parameters of a convolution, else None.
    epilogue
        Bias, residual and activation.
    parameters
        Named parameters of other operations (texts and numbers), in name order.
    alpha, beta
        Classes of the scaling factors; beta other than zero means that the old output is read.
    aliasing
        Pairs of roles that share memory, each pair and all of them in order.
    pooling
        Parameters of a pooling, else None.
    """

    operation: str
    tensors: tuple[TensorSpec, ...]
    compute: str
    device: DeviceSpec
    versions: VersionSpec
    policy: PolicyKey
    convolution: ConvolutionSpec | None = None
    epilogue: Epilogue = Epilogue()
    parameters: tuple[tuple[str, str | float], ...] = ()
    alpha: Scale = "one"
    beta: Scale = "zero"
    aliasing: tuple[tuple[str, str], ...] = ()
    pooling: PoolingSpec | None = None
    _values: tuple[Any, ...] = field(init=False, repr=False)
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        named = ((name, value if isinstance(value, str) else _number(value)) for name, value in self.parameters)
        put(self, "parameters", tuple(sorted(named)))
        put(self, "aliasing", tuple(sorted((min(pair), max(pair)) for pair in self.aliasing)))
        put(self, "_values", tuple(getattr(self, name) for name in _FIELDS))
        put(self, "_hash", hash(self._values))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Problem):
            return NotImplemented
        return self._hash == other._hash and self._values == other._values

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of texts differ between processes: the hash is computed anew.
        return Problem, self._values

    def tensor(self, role: str) -> TensorSpec:
        """The operand of that role.

        Raises
        ------
        KeyError
            The problem has none.
        """
        for one in self.tensors:
            if one.role == role:
                return one
        raise KeyError(role)

    @property
    def nbytes(self) -> int:
        """Bytes of all operands' elements together."""
        return sum(math.prod(one.shape) * element_size(one.dtype) for one in self.tensors)

    @property
    def needs_scratch(self) -> bool:
        """Measuring must not write into the real outputs: the old content is read, or other operands share it."""
        return self.beta != "zero" or bool(self.aliasing) or any(one.role in UPDATED for one in self.tensors)

    @property
    def label(self) -> str:
        """One line for people: operation, operands, whatever is not the usual, policy."""
        operands = ", ".join(f"{one.role} {by(one.shape)} {one.dtype}" for one in self.tensors)
        extras = [*layout_words(self.tensors), *(convolution_words(self.convolution) if self.convolution else ())]
        extras += pooling_words(self.pooling) if self.pooling else []
        if self.epilogue.activation:
            extras.append(" ".join([self.epilogue.activation, *(f"{one:g}" for one in self.epilogue.parameters)]))
        extras += ["then the residual"] if self.epilogue.residual_after else []
        extras += [
            f"{name} {value if isinstance(value, str) else format(value, 'g')}" for name, value in self.parameters
        ]
        extras += [
            f"{name} {scale}" for name, scale in (("alpha", self.alpha), ("beta", self.beta)) if told(name, scale)
        ]
        extras += [f"{one} is {other}" for one, other in self.aliasing]
        extras += [self.policy.precision, *(["deterministic"] if self.policy.deterministic else [])]
        return f"{self.operation} ({operands}; {', '.join(extras)})"

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON; :meth:`from_json` reads it back."""
        data = {name: _plain(getattr(self, name)) for name in _FIELDS}
        data["policy"] = dict(zip(PolicyKey._fields, self.policy, strict=True))
        # So that what was stored before there was pooling, or such a residual, is found.
        if self.pooling is None:
            del data["pooling"]
        if not self.epilogue.residual_after:
            del data["epilogue"]["residual_after"]
        return {"key_version": KEY_VERSION, **data}

    def canonical(self) -> str:
        """The one text of this problem: sorted keys, no spaces. It is the key on disk."""
        return json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), allow_nan=False)

    def without_versions(self) -> str:
        """The canonical text of this problem whatever the versions, to find it again after an upgrade."""
        data = {name: value for name, value in self.to_json().items() if name != "versions"}
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        """From :meth:`to_json`'s data.

        Raises
        ------
        CacheError
            The data is of another key version, or lacks or misspells a field.
        """
        if not isinstance(data, Mapping) or data.get("key_version") != KEY_VERSION:
            version = data.get("key_version") if isinstance(data, Mapping) else data
            raise CacheError(f"a problem of key version {version!r} cannot be read here; {KEY_VERSION} is")
        try:
            values = {name: _tuples(data[name]) for name in data if name != "key_version"}
            values["tensors"] = tuple(_build(TensorSpec, one) for one in data["tensors"])
            values["device"] = _build(DeviceSpec, data["device"])
            values["versions"] = _build(VersionSpec, data["versions"])
            values["policy"] = PolicyKey(**data["policy"])
            values["epilogue"] = _build(Epilogue, data["epilogue"])
            if data["convolution"] is not None:
                values["convolution"] = _build(ConvolutionSpec, data["convolution"])
            if data.get("pooling") is not None:
                values["pooling"] = _build(PoolingSpec, data["pooling"])
            found = cls(**values)
            check_fields(found)
            if not found.tensors:
                raise ValueError("it has no tensors")
            for one in found.tensors:
                if min((*one.shape, element_size(one.dtype))) < 0 or len(one.shape) != len(one.strides):
                    raise ValueError(f"{one.role} has sizes that no array has: {one.shape}, strides {one.strides}")
            return found
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise CacheError(f"a problem's key is damaged: {type(error).__name__} {error}") from error


_FIELDS = tuple(one.name for one in fields(Problem) if one.init)


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value) if one.init}
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def _build(kind: type[Any], data: Mapping[str, Any]) -> Any:
    return kind(**{name: _tuples(value) for name, value in data.items()})
