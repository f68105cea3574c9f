"""Problems of the engines' GPU tests, their operands, and float64 references that cuDNN has no part in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cudnnkit.arrays.torch_library import TorchLibrary
from cudnnkit.context import context
from cudnnkit.driver import driver
from cudnnkit.engines import Arguments
from cudnnkit.library import versions
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem, TensorSpec

DIRECTIONS = {
    "conv_forward": ("x", "w", "y"),
    "conv_dgrad": ("w", "dy", "dx"),
    "conv_wgrad": ("x", "dy", "dw"),
}
# Bounds on |out - reference| / |reference|: rounding of the result, and of the inputs where tensor cores do that.
BOUNDS = {"float16": 2e-3, "bfloat16": 1e-2, "float32": 2e-6, "float64": 1e-13}
TF32, WINOGRAD = 1.5e-3, {"float16": 1e-2, "bfloat16": 5e-2, "float32": 2e-5, "float64": 1e-12}
PLAIN = Epilogue()


@dataclass(frozen=True)
class Case:
    """A convolution: x (N, C, spatial), filters (K, R, ...)."""

    x: tuple[int, ...]
    filters: tuple[int, ...]
    dtype: str = "float16"
    last: bool = True
    pre: tuple[int, ...] = ()
    post: tuple[int, ...] = ()
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    mode: str = "cross-correlation"

    @property
    def spec(self) -> ConvolutionSpec:
        rank = len(self.x) - 2
        pre = self.pre or (0,) * rank
        return ConvolutionSpec(
            pre, self.post or pre, (self.stride,) * rank, (self.dilation,) * rank, self.groups, self.mode
        )  # type: ignore[arg-type]

    @property
    def w(self) -> tuple[int, ...]:
        return (self.filters[0], self.x[1] // self.groups, *self.filters[1:])

    @property
    def y(self) -> tuple[int, ...]:
        spec = self.spec
        sizes = [
            (size + before + after - self.dilation * (taps - 1) - 1) // self.stride + 1
            for size, before, after, taps in zip(
                self.x[2:], spec.pre_padding, spec.post_padding, self.filters[1:], strict=True
            )
        ]
        return (self.x[0], self.filters[0], *sizes)

    def __str__(self) -> str:
        shape = "x".join(map(str, self.x))
        extras = [
            f"s{self.stride}" if self.stride > 1 else "",
            f"d{self.dilation}" if self.dilation > 1 else "",
            f"g{self.groups}" if self.groups > 1 else "",
            "flipped" if self.mode == "convolution" else "",
            f"pad{self.pre}{self.post}" if self.post else "",
        ]
        layout = "last" if self.last else "first"
        return "-".join([shape, "x".join(map(str, self.filters)), self.dtype, layout, *filter(None, extras)])


@dataclass
class Setting:
    """A problem with its operands and the float64 result."""

    problem: Problem
    arrays: dict[str, Any]
    reference: Any
    result: str
    alpha: float = 1.0
    beta: float = 0.0
    start: Any = None
    kept: list[Any] = field(default_factory=list)

    @property
    def arguments(self) -> Arguments:
        pointers = tuple(self.arrays[one.role].data_ptr() for one in self.problem.tensors)
        return Arguments(pointers, TorchLibrary().stream(0), self.alpha, self.beta)

    def error(self) -> float:
        """Relative error of the result as it stands; infinite where an element is no number."""
        import torch

        value = self.arrays[self.result].double()
        if not torch.isfinite(value).all():
            return float("inf")
        return float((value - self.reference).norm() / self.reference.norm())

    def poison(self) -> None:
        """NaN in the output, or what beta reads."""
        if self.start is not None:
            self.arrays[self.result].copy_(self.start)
        else:
            self.arrays[self.result].fill_(float("nan"))

    def run(self, executable: Any) -> float:
        """Run once on poisoned output; answer the error."""
        import torch

        self.poison()
        space = torch.empty(max(executable.workspace, 1), dtype=torch.uint8, device="cuda")
        executable.run(self.arguments, space.data_ptr())
        torch.cuda.synchronize()
        return self.error()


def random(shape: tuple[int, ...], dtype: str, last: bool, *, seed: int) -> Any:
    import torch

    generator = torch.Generator(device="cuda").manual_seed(seed)
    dense = torch.randn(shape, generator=generator, device="cuda", dtype=torch.float32)
    made = dense.to(getattr(torch, dtype))
    if last:
        order = (0, *range(2, len(shape)), 1)
        back = (0, len(shape) - 1, *range(1, len(shape) - 1))
        made = made.permute(order).contiguous().permute(back)
    return made


def tensor_spec(role: str, array: Any, output: bool = False) -> TensorSpec:
    view = TorchLibrary().view(array, role)
    from cudnnkit.problem import normalize_strides

    strides = normalize_strides(view.shape, view.strides, channels_last=view.strides[1:2] == (1,))
    return TensorSpec(role, view.shape, strides, view.dtype, view.alignment, output)


@contextmanager
def without_cudnn() -> Iterator[None]:
    import torch

    with torch.backends.cudnn.flags(enabled=False):
        yield


def _convolve(case: Case, x: Any, w: Any) -> Any:
    import torch

    spec = case.spec
    if case.mode == "convolution":
        w = w.flip(tuple(range(2, w.dim())))
    pads = [one for pair in zip(spec.pre_padding, spec.post_padding, strict=True) for one in reversed(pair)]
    padded = torch.nn.functional.pad(x, list(reversed(pads)))
    function = {1: torch.nn.functional.conv1d, 2: torch.nn.functional.conv2d, 3: torch.nn.functional.conv3d}[
        x.dim() - 2
    ]
    return function(padded, w, stride=case.stride, dilation=case.dilation, groups=case.groups)


def activate(name: str | None, value: Any, parameters: tuple[float, ...] = ()) -> Any:
    from torch.nn import functional as f

    known = {
        None: lambda v: v,
        "relu": f.relu,
        "relu6": f.relu6,
        "leaky_relu": lambda v: f.leaky_relu(v, *parameters),
        "clipped_relu": lambda v: v.clamp(0, *parameters),
        "sigmoid": lambda v: v.sigmoid(),
        "tanh": lambda v: v.tanh(),
        "elu": lambda v: f.elu(v, *parameters),
        "gelu": f.gelu,
        "gelu_tanh": lambda v: f.gelu(v, approximate="tanh"),
        "silu": f.silu,
        "softplus": lambda v: f.softplus(v, *parameters),
    }
    return known[name](value)


def make(
    case: Case,
    operation: str = "conv_forward",
    epilogue: Epilogue = PLAIN,
    *,
    alpha: float = 1.0,
    beta: float = 0.0,
    policy: Policy | None = None,
    seed: int = 0,
) -> Setting:
    """The operands of a case in random numbers, and its result in float64."""
    import torch
    from cudnnkit.problem import scale_class

    shapes = {"x": case.x, "w": case.w, "y": case.y, "dx": case.x, "dw": case.w, "dy": case.y}
    *inputs, result = DIRECTIONS[operation]
    arrays = {role: random(shapes[role], case.dtype, case.last, seed=seed + i) for i, role in enumerate(inputs)}
    with without_cudnn():
        wide = {role: one.double().contiguous() for role, one in arrays.items()}
        if operation == "conv_forward":
            value = _convolve(case, wide["x"], wide["w"])
        else:
            other = "x" if operation == "conv_dgrad" else "w"
            wide[other] = torch.zeros(shapes[other], dtype=torch.float64, device="cuda")
            wide[other].requires_grad_()
            forward = _convolve(case, wide["x"], wide["w"])
            (value,) = torch.autograd.grad(forward, wide[other], wide["dy"])
    arrays[result] = random(shapes[result], case.dtype, case.last, seed=seed + 7)
    start = arrays[result].clone() if beta else None
    value = alpha * value + (beta * start.double() if start is not None else 0)
    channels = (1, -1, *(1 for _ in case.x[2:]))
    roles = [*inputs]
    if epilogue.bias:
        arrays["bias"] = random((shapes[result][1],), case.dtype, False, seed=seed + 8)
        value = value + arrays["bias"].double().view(channels)
        roles.append("bias")
    if epilogue.residual:
        arrays["residual"] = random(shapes[result], case.dtype, case.last, seed=seed + 9)
        value = value + arrays["residual"].double()
        roles.append("residual")
    value = activate(epilogue.activation, value, epilogue.parameters)
    tensors = (*(tensor_spec(role, arrays[role]) for role in roles), tensor_spec(result, arrays[result], output=True))
    problem = Problem(
        operation,
        tensors,
        "float64" if case.dtype == "float64" else "float32",
        driver().spec(0),
        versions(),
        (policy or Policy()).key,
        case.spec,
        epilogue,
        alpha=scale_class(alpha),
        beta=scale_class(beta),
    )
    return Setting(problem, arrays, value, result, alpha, beta, start)


def bound(numerical: frozenset[str], dtype: str, operation: str = "") -> float:
    """How far a candidate may be from the reference."""
    if dtype == "float32" and operation == "conv_wgrad" and not numerical & {"tensor_core", "winograd"}:
        return 1e-5  # one sum over a whole batch of images: 4e-6 was seen
    if any("winograd" in note for note in numerical):
        return max(WINOGRAD[dtype], TF32 * 3 if "tensor_core" in numerical else 0)
    if dtype == "float32" and numerical & {"tensor_core", "down_convert_inputs"}:
        return TF32
    return BOUNDS[dtype] * (4 if "fft" in numerical or "reduced_precision_reduction" in numerical else 1)


def here() -> Any:
    return context(0)
