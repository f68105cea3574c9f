"""What is inferred about functions and parameters beyond their C types: the vocabulary shared by roles, families,
rendering and the command line. The inference itself stands in ``roles`` and ``families``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cudnn_bindgen.model import Direction

__all__ = ["Family", "FunctionFacts", "Memory", "ParameterFacts", "Pass", "RoleName"]

RoleName: TypeAlias = Literal[
    "library_handle",  # the cuDNN handle, first argument of most functions
    "handle",  # any other opaque object, by value
    "created",  # pointer that receives a new opaque object
    "enum",  # an enumerator by value, or (out) a pointer that receives one
    "scalar",  # a number by value, or (out) a pointer that receives one
    "count",  # number of elements in an array parameter, by value, or (out) a pointer that receives it
    "size",  # a number of bytes, by value, or (out) a pointer that receives it
    "array",  # host array; `count` says where its length comes from
    "record",  # pointer to one struct, or a struct by value
    "host_scalar",  # void pointer to one number whose C type depends on a data type: alpha, beta
    "host_buffer",  # void pointer to host memory whose type another argument tells (`typed_by`)
    "device_pointer",  # address in device memory
    "device_pointer_array",  # host array of addresses in device memory; `count` says how many
    "string",  # NUL-terminated text in; or (out) a character buffer of `count` bytes
    "stream",  # CUDA stream
    "graph",  # CUDA graph
    "callback",  # pointer to a function of the caller's
    "user_data",  # pointer handed back to a callback
]

Memory: TypeAlias = Literal["host", "device"]

Family: TypeAlias = Literal[
    "create",
    "destroy",
    "set",
    "get",
    "find",  # cudnnFind...Algorithm: measures, allocates for itself
    "find_ex",  # cudnnFind...AlgorithmEx: measures in the caller's memory
    "get_v7",  # cudnnGet...Algorithm_v7: heuristic list
    "get_algorithm",  # cudnnGet...Algorithm of cuDNN 7 and before: heuristic, one answer
    "max_count",
    "workspace_size",  # any query of bytes needed: workspace, reserve space, parameter space
    "fused",  # FusedOps*, ConvolutionBiasActivation, fused normalisation
    "backend",  # cudnnBackend*
    "forward",
    "backward",
    "query",  # version, property, error text, output dimensions
    "utility",  # everything else: transform, add, scale, reorder
]

Pass: TypeAlias = Literal[
    "forward",
    "backward",
    "backward_data",
    "backward_filter",
    "backward_bias",
    "backward_weights",
]


@dataclass(frozen=True, slots=True)
class ParameterFacts:
    """What one parameter is.

    Attributes
    ----------
    rule
        The name of the rule that said so, or ``exception: <reason>``.
    memory
        Where a pointer points to; None for what is no pointer.
    count
        For arrays: the name of the parameter that holds the number of elements, or a decimal number, or None when the
        headers do not tell.
    returned_count
        For out arrays: the name of the out parameter that tells how many elements were written.
    typed_by
        For host_scalar and host_buffer: the name of the parameter whose data type (or attribute type) tells the C type.
    nullable
        NULL is allowed.
    exact
        For host_scalar: of the very data type that `typed_by` tells (a value to fill a tensor with); else it is a
        scaling factor, double for double data and float for all other.
    """

    name: str
    direction: Direction
    role: RoleName
    rule: str
    memory: Memory | None = None
    count: str | None = None
    returned_count: str | None = None
    typed_by: str | None = None
    nullable: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """What one function is.

    Attributes
    ----------
    handle
        For create, set, get and destroy: the handle type that the function works on (``cudnnTensorDescriptor_t``).
    operation
        For algorithms and computations: the words shared by all functions of one operation (``Convolution``,
        ``BatchNormalization``).
    passes
        Which pass of that operation, where it has several.
    """

    name: str
    family: Family
    rule: str
    parameters: tuple[ParameterFacts, ...]
    handle: str | None = None
    operation: str | None = None
    passes: Pass | None = None
