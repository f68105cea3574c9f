"""Descriptors of one product in cuBLASLt, and the algorithms for it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from cudnnkit.engines.blas.enums import (
    ALGORITHM_WORDS,
    CONFIG_TYPES,
    AlgoCap,
    AlgoConfig,
    ComputeType,
    DataType,
    DescAttribute,
    Epilogue,
    HeuristicResult,
    LayoutAttribute,
    PreferenceAttribute,
)
from cudnnkit.engines.blas.library import BlasError, BlasLibrary, Handle
from cudnnkit.engines.blas.product import Matrix, Product
from cudnnkit.problem import Problem

__all__ = ["DATA_TYPES", "Algorithm", "Operation"]

DATA_TYPES = {
    "float16": DataType.R_16F,
    "bfloat16": DataType.R_16BF,
    "float32": DataType.R_32F,
    "float64": DataType.R_64F,
}
"""``cudaDataType_t`` of each element type."""

_ACTIVATIONS = {None: Epilogue(0), "relu": Epilogue.RELU, "gelu_tanh": Epilogue.GELU}


class Algorithm(NamedTuple):
    """One configured algorithm.

    Attributes
    ----------
    data
        Its ``cublasLtMatmulAlgo_t``.
    number, config
        What it is made of: its id, and pairs of attribute and value.
    workspace
        Bytes.
    flags
        ``cublasLtNumericalImplFlags_t``; 0 where the library does not say.
    """

    data: Any
    number: int
    config: tuple[tuple[int, int], ...]
    workspace: int
    flags: int


class _Descriptor:
    """A descriptor that is destroyed with the object."""

    def __init__(self, lt: BlasLibrary, kind: str, *arguments: int) -> None:
        made = ctypes.c_void_p()
        self._lt, self._kind, self.address = lt, kind, 0
        lt.call(f"cublasLt{kind}Create", ctypes.byref(made), *arguments)
        self.address = made.value or 0

    def put(self, attribute: int, value: int, kind: Any) -> None:
        """Set an attribute, of the C type that the library wants."""
        held = kind(value)
        function = f"cublasLt{self._kind}SetAttribute"
        self._lt.call(function, self.address, attribute, ctypes.addressof(held), ctypes.sizeof(held))

    def __del__(self) -> None:
        if self.address and not sys.is_finalizing():
            self._lt._functions[f"cublasLt{self._kind}Destroy"](self.address)


class Operation:
    """The product of a problem in one compute type.

    Parameters
    ----------
    handle
        Of the thread and device.
    problem, product
        What, and as which product.
    compute
        In which type.

    Attributes
    ----------
    layouts
        Addresses of the layouts of A, B, C and D.

    Raises
    ------
    BlasError
        cuBLASLt refused a descriptor.
    """

    def __init__(self, handle: Handle, problem: Problem, product: Product, compute: ComputeType) -> None:
        self._handle, self._lt, self.product, self.compute = handle, handle.library, product, compute
        self._dtype = DATA_TYPES[problem.tensors[0].dtype]
        self._scale = DataType.R_64F if compute is ComputeType.F64 else DataType.R_32F
        matrices = (product.a, product.b, product.c, product.d)
        self._alignments = [problem.tensors[one.place].alignment for one in matrices]
        self._layouts = [self._layout(one) for one in matrices]
        self.layouts = tuple(one.address for one in self._layouts)
        # The heuristic wants to know how the bias is aligned: its address ends as this number does.
        self._description = self.description(0 if product.bias is None else problem.tensors[product.bias].alignment)

    def description(self, bias: int) -> Any:
        """A description of the product (``cublasLtMatmulDescCreate``) with the bias at this address."""
        one, product = _Descriptor(self._lt, "MatmulDesc", self.compute, self._scale), self.product
        one.put(DescAttribute.TRANSA, product.a.transposed, ctypes.c_int32)
        one.put(DescAttribute.TRANSB, product.b.transposed, ctypes.c_int32)
        epilogue = _ACTIVATIONS[product.activation] | (Epilogue(0) if product.bias is None else Epilogue.BIAS)
        one.put(DescAttribute.EPILOGUE, epilogue or Epilogue.DEFAULT, ctypes.c_uint32)
        if product.bias is not None:
            one.put(DescAttribute.BIAS_POINTER, bias, ctypes.c_void_p)
        return one

    def _layout(self, matrix: Matrix) -> _Descriptor:
        one = _Descriptor(self._lt, "MatrixLayout", self._dtype, matrix.rows, matrix.columns, matrix.leading)
        if self.product.batch > 1:
            one.put(LayoutAttribute.BATCH_COUNT, self.product.batch, ctypes.c_int32)
            one.put(LayoutAttribute.STRIDED_BATCH_OFFSET, matrix.batch_stride, ctypes.c_int64)
        return one

    def suggested(self, most: int, workspace: int) -> Iterator[Algorithm]:
        """What ``cublasLtMatmulAlgoGetHeuristic`` answers, best first, each built anew out of its configuration.

        Parameters
        ----------
        most
            How many to ask for.
        workspace
            Bytes that they may need.

        Raises
        ------
        BlasError
            The library does not compute this product.
        """
        preference = _Descriptor(self._lt, "MatmulPreference")
        preference.put(PreferenceAttribute.MAX_WORKSPACE_BYTES, workspace, ctypes.c_uint64)
        for number, alignment in enumerate(self._alignments):
            attribute = PreferenceAttribute.MIN_ALIGNMENT_A_BYTES + number
            preference.put(attribute, alignment, ctypes.c_uint32)
        found, count = (HeuristicResult * most)(), ctypes.c_int()
        self._lt.call(
            "cublasLtMatmulAlgoGetHeuristic", self._handle.address, self._description.address, *self.layouts,
            preference.address, most, found, ctypes.addressof(count),
        )  # fmt: skip
        for result in found[: count.value]:
            if result.state == 0:
                number = self._get(result.algo, AlgoConfig.ID, ctypes.c_int32)
                config = [(key, self._get(result.algo, key, kind)) for key, kind in CONFIG_TYPES.items()]
                try:
                    yield self.algorithm(number, tuple((int(key), value) for key, value in config))
                except BlasError:
                    continue  # it holds more than its configuration says, and could not be replayed

    def algorithm(self, number: int, config: tuple[tuple[int, int], ...]) -> Algorithm:
        """An algorithm out of its id and configuration.

        Raises
        ------
        BlasError
            ``cublasLtMatmulAlgoInit``, ``...ConfigSetAttribute`` or ``...Check`` refused it.
        """
        lt, data, dtype = self._lt, (ctypes.c_uint64 * ALGORITHM_WORDS)(), self._dtype
        at = ctypes.addressof(data)
        lt.call(
            "cublasLtMatmulAlgoInit", self._handle.address, self.compute, self._scale, dtype, dtype, dtype, dtype,
            number, at,
        )  # fmt: skip
        for key, value in config:
            kind = CONFIG_TYPES.get(key)  # type: ignore[call-overload]
            if kind is None:
                raise BlasError("cublasLtMatmulAlgoConfigSetAttribute", "NOT_SUPPORTED", f"unknown attribute {key}")
            held = kind(value)
            # What an algorithm does not have it also does not take; the default is set anyway.
            if value or self._get(data, AlgoConfig(key), kind):
                address = ctypes.addressof(held)
                lt.call("cublasLtMatmulAlgoConfigSetAttribute", at, key, address, ctypes.sizeof(held))
        result = HeuristicResult()
        lt.call(
            "cublasLtMatmulAlgoCheck", self._handle.address, self._description.address, *self.layouts, at,
            ctypes.byref(result),
        )  # fmt: skip
        return Algorithm(data, number, config, int(result.workspaceSize), self._flags(data))

    def _get(self, data: Any, attribute: int, kind: Any) -> int:
        held, written = kind(), ctypes.c_size_t()
        self._lt.call(
            "cublasLtMatmulAlgoConfigGetAttribute", ctypes.addressof(data), attribute, ctypes.addressof(held),
            ctypes.sizeof(held), ctypes.addressof(written),
        )  # fmt: skip
        return int(held.value)

    def _flags(self, data: Any) -> int:
        held, written = ctypes.c_uint64(), ctypes.c_size_t()
        try:
            self._lt.call(
                "cublasLtMatmulAlgoCapGetAttribute", ctypes.addressof(data), AlgoCap.NUMERICAL_IMPL_FLAGS,
                ctypes.addressof(held), ctypes.sizeof(held), ctypes.addressof(written),
            )  # fmt: skip
        except BlasError:
            return 0
        return int(held.value)
