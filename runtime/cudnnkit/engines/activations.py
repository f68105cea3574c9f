"""Activations by name: what each is in the graph API, and in the legacy one where that has it."""

from __future__ import annotations

from dataclasses import dataclass

from cudnnkit.problem import Epilogue

__all__ = ["ACTIVATIONS", "Activation", "pointwise_settings"]


@dataclass(frozen=True)
class Activation:
    """One activation.

    Attributes
    ----------
    mode
        Stem of the members of ``cudnnPointwiseMode_t``: with ``_FWD`` and ``_BWD``; without for the identity.
    attributes
        For each of the activation's parameters, the attribute of ``CUDNN_BACKEND_POINTWISE_DESCRIPTOR`` that takes it.
    defaults
        The parameters' values where none is given.
    fixed
        Attributes with a fixed value.
    legacy
        Member of ``cudnnActivationMode_t`` that ``cudnnConvolutionBiasActivationForward`` accepts.
    """

    mode: str
    attributes: tuple[str, ...] = ()
    defaults: tuple[float, ...] = ()
    fixed: tuple[tuple[str, float], ...] = ()
    legacy: str | None = None


_CLIP, _SLOPE = "POINTWISE_RELU_UPPER_CLIP", "POINTWISE_RELU_LOWER_CLIP_SLOPE"
_SWISH = Activation("SWISH", ("POINTWISE_SWISH_BETA",), (1.0,))

ACTIVATIONS: dict[str, Activation] = {
    "identity": Activation("IDENTITY", legacy="IDENTITY"),
    "relu": Activation("RELU", legacy="RELU"),
    "relu6": Activation("RELU", fixed=((_CLIP, 6.0),)),
    "clipped_relu": Activation("RELU", (_CLIP,), (6.0,)),
    "leaky_relu": Activation("RELU", (_SLOPE,), (0.01,)),
    "sigmoid": Activation("SIGMOID"),
    "tanh": Activation("TANH"),
    "elu": Activation("ELU", ("POINTWISE_ELU_ALPHA",), (1.0,)),
    "gelu": Activation("GELU"),
    "gelu_tanh": Activation("GELU_APPROX_TANH"),
    "silu": _SWISH,
    "swish": _SWISH,
    "softplus": Activation("SOFTPLUS", ("POINTWISE_SOFTPLUS_BETA",), (1.0,)),
}
"""Every activation that can be an epilogue."""


def pointwise_settings(epilogue: Epilogue, direction: str = "FWD") -> tuple[str, dict[str, float]] | None:
    """Member of ``cudnnPointwiseMode_t`` and attributes of an epilogue's activation; None when it has none.

    Raises
    ------
    KeyError
        The activation is not known.
    ValueError
        It takes fewer parameters than are given.
    """
    if epilogue.activation is None or epilogue.activation == "identity":
        return None
    one = ACTIVATIONS[epilogue.activation]
    given = epilogue.parameters
    if len(given) > len(one.attributes):
        raise ValueError(f"{epilogue.activation} takes {len(one.attributes)} parameter(s), not {given}")
    values = (*given, *one.defaults[len(given) :])
    return f"{one.mode}_{direction}", {**dict(one.fixed), **dict(zip(one.attributes, values, strict=True))}
