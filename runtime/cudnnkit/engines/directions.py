"""The three directions of a convolution, described once for both of cuDNN's APIs.

In the legacy API all three take the same arguments in the same order: handle, alpha, first operand, second operand,
convolution, algorithm, workspace, beta, result. In the graph API they differ in names alone.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DIRECTIONS", "Direction"]


@dataclass(frozen=True)
class Direction:
    """One direction.

    Attributes
    ----------
    operands
        Roles of the two inputs, in the legacy calls' order.
    result
        Role of the output.
    descriptor, prefix
        Backend descriptor type, and how the names of its attributes begin.
    attributes
        The graph API's names of the operands and of the result.
    function
        The legacy C function that runs it.
    workspace, heuristic
        Methods of the bindings that ask for an algorithm's workspace and that rank the algorithms.
    algorithm
        Legacy enum of algorithms (in ``lib.enums``).
    algorithms
        Every algorithm, members without prefix.
    nondeterministic
        Those that add up in no fixed order, whatever the ranking says.
    """

    operands: tuple[str, str]
    result: str
    descriptor: str
    prefix: str
    attributes: tuple[str, str, str]
    function: str
    workspace: str
    heuristic: str
    algorithm: str
    algorithms: tuple[str, ...]
    nondeterministic: frozenset[str] = frozenset()


DIRECTIONS: dict[str, Direction] = {
    "conv_forward": Direction(
        operands=("x", "w"),
        result="y",
        descriptor="OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR",
        prefix="OPERATION_CONVOLUTION_FORWARD_",
        attributes=("X", "W", "Y"),
        function="cudnnConvolutionForward",
        workspace="get_convolution_forward_workspace_size",
        heuristic="get_convolution_forward_algorithm_v7",
        algorithm="ConvolutionFwdAlgo",
        algorithms=(
            "IMPLICIT_GEMM",
            "IMPLICIT_PRECOMP_GEMM",
            "GEMM",
            "DIRECT",
            "FFT",
            "FFT_TILING",
            "WINOGRAD",
            "WINOGRAD_NONFUSED",
        ),
    ),
    "conv_dgrad": Direction(
        operands=("w", "dy"),
        result="dx",
        descriptor="OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR",
        prefix="OPERATION_CONVOLUTION_BWD_DATA_",
        attributes=("W", "DY", "DX"),
        function="cudnnConvolutionBackwardData",
        workspace="get_convolution_backward_data_workspace_size",
        heuristic="get_convolution_backward_data_algorithm_v7",
        algorithm="ConvolutionBwdDataAlgo",
        algorithms=("ALGO_0", "ALGO_1", "FFT", "FFT_TILING", "WINOGRAD", "WINOGRAD_NONFUSED"),
        nondeterministic=frozenset({"ALGO_0"}),
    ),
    "conv_wgrad": Direction(
        operands=("x", "dy"),
        result="dw",
        descriptor="OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR",
        prefix="OPERATION_CONVOLUTION_BWD_FILTER_",
        attributes=("X", "DY", "DW"),
        function="cudnnConvolutionBackwardFilter",
        workspace="get_convolution_backward_filter_workspace_size",
        heuristic="get_convolution_backward_filter_algorithm_v7",
        algorithm="ConvolutionBwdFilterAlgo",
        algorithms=("ALGO_0", "ALGO_1", "FFT", "ALGO_3", "WINOGRAD", "WINOGRAD_NONFUSED", "FFT_TILING"),
        nondeterministic=frozenset({"ALGO_0", "ALGO_3"}),
    ),
}
"""Operation of a problem to its direction."""
