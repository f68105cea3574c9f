"""A cuBLASLt made of Python functions behind C's calling convention: it computes on host memory what it is told to."""

# ruff: noqa: ARG002 (the signatures are C's)
from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import _cffi_backend
import numpy as np
from cudnnkit.engines.blas.library import BlasLibrary, use_library

# Sizes and values by hand from cublasLt.h; what the library under test believes plays no part here.
SIZES = {
    "MatmulDesc": {3: 4, 4: 4, 7: 4, 8: 8},
    "MatrixLayout": {5: 4, 6: 8},
    "MatmulPreference": {1: 8, 5: 4, 6: 4, 7: 4, 8: 4},
}
CONFIG = {0: 4, 1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 2, 8: 2}
DTYPES = {0: "f4", 1: "f8", 2: "f2"}
INVALID, NOT_SUPPORTED = 7, 15
NAMES = {1: b"NOT_INITIALIZED", 3: b"ALLOC_FAILED", 7: b"INVALID_VALUE", 13: b"EXECUTION_FAILED", 15: b"NOT_SUPPORTED"}
ADDRESS, INT, SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
TEXTS = {code: ctypes.create_string_buffer(b"CUBLAS_STATUS_" + name) for code, name in NAMES.items()}


@dataclass(frozen=True)
class Known:
    """An algorithm that the library has: id, values of attributes 1 to 8, workspace, flags, and a hidden part."""

    number: int
    config: tuple[int, ...] = (20, 1, 0, 0, 0, 35, 0, 0)
    workspace: int = 0
    flags: int = 0
    hidden: int = 0

    def words(self) -> Any:
        return (ctypes.c_uint16 * 32)(self.number, *self.config, self.hidden)


@dataclass
class Descriptor:
    kind: str
    made_with: tuple[int, ...]
    values: dict[int, bytes] = field(default_factory=dict)

    def number(self, attribute: int, default: int = 0) -> int:
        held = self.values.get(attribute)
        return default if held is None else int.from_bytes(held, "little")


class FakeBlas:
    """The library; `calls` are the launches, `queries` what the heuristic was asked."""

    def __init__(self, known: Sequence[Known] = (Known(66), Known(21, workspace=4096))) -> None:
        self.known = list(known)
        self.codes: dict[str, int] = {}
        self.descriptors: dict[int, Descriptor] = {}
        self.handles: set[int] = set()
        self.calls: list[dict[str, Any]] = []
        self.queries: list[tuple[int, int, Descriptor]] = []
        self.alignments: list[tuple[int, ...]] = []
        self._next = 1000
        self._make("cublasLtGetVersion", lambda: 130100, SIZE)
        self._make("cublasLtGetStatusName", lambda status: ctypes.addressof(TEXTS[status]), ADDRESS, INT)
        self._make("cublasLtCreate", self._create_handle, INT, ADDRESS)
        self._make("cublasLtDestroy", self._destroy_handle, INT, ADDRESS)
        for kind, extra in (
            ("MatmulDesc", (INT, INT)),
            ("MatrixLayout", (INT, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64)),
            ("MatmulPreference", ()),
        ):
            self._make(f"cublasLt{kind}Create", self._creator(kind), INT, ADDRESS, *extra)
            self._make(f"cublasLt{kind}Destroy", self._destroy, INT, ADDRESS)
            self._make(f"cublasLt{kind}SetAttribute", self._put, INT, ADDRESS, INT, ADDRESS, SIZE)
        self._make("cublasLtMatmulAlgoGetHeuristic", self._heuristic, INT, *[ADDRESS] * 7, INT, ADDRESS, ADDRESS)
        self._make("cublasLtMatmulAlgoInit", self._init, INT, ADDRESS, *[INT] * 7, ADDRESS)
        self._make("cublasLtMatmulAlgoCheck", self._check, INT, *[ADDRESS] * 8)
        self._make("cublasLtMatmulAlgoConfigSetAttribute", self._set_config, INT, ADDRESS, INT, ADDRESS, SIZE)
        self._make("cublasLtMatmulAlgoConfigGetAttribute", self._get_config, INT, ADDRESS, INT, ADDRESS, SIZE, ADDRESS)
        self._make("cublasLtMatmulAlgoCapGetAttribute", self._capability, INT, ADDRESS, INT, ADDRESS, SIZE, ADDRESS)
        self._make("cublasLtMatmul", self._matmul, INT, *[ADDRESS] * 14, SIZE, ADDRESS)

    def _make(self, name: str, act: Any, answer: Any, *kinds: Any) -> None:
        def call(*arguments: Any) -> Any:
            code = self.codes.get(name)
            return act(*arguments) or 0 if code is None else code

        setattr(self, name, ctypes.CFUNCTYPE(answer, *kinds)(act if answer is not INT else call))

    def _new(self, at: int) -> int:
        self._next += 1
        ctypes.c_void_p.from_address(at).value = self._next
        return self._next

    def _create_handle(self, at: int) -> None:
        self.handles.add(self._new(at))

    def _destroy_handle(self, handle: int) -> None:
        self.handles.remove(handle)

    def _creator(self, kind: str) -> Any:
        def create(at: int, *arguments: int) -> None:
            self.descriptors[self._new(at)] = Descriptor(kind, arguments)

        return create

    def _destroy(self, one: int) -> None:
        del self.descriptors[one]

    def _put(self, one: int, attribute: int, at: int, size: int) -> int:
        found = self.descriptors[one]
        if SIZES[found.kind].get(attribute) != size:
            return INVALID
        found.values[attribute] = ctypes.string_at(at, size)
        return 0

    def _heuristic(
        self, handle: int, desc: int, a: int, b: int, c: int, d: int, preference: int, most: int, out: int, count: int
    ) -> int:
        assert handle in self.handles
        room = self.descriptors[preference].number(1)
        wanted = self.descriptors[preference]
        self.alignments.append(tuple(wanted.number(attribute) for attribute in (5, 6, 7, 8)))
        self.queries.append((most, room, self.descriptors[desc]))
        fitting = [one for one in self.known if one.workspace <= room][:most]
        for place, one in enumerate(fitting):
            ctypes.memmove(out + place * 96, one.words(), 64)
            ctypes.c_size_t.from_address(out + place * 96 + 64).value = one.workspace
            ctypes.c_int.from_address(out + place * 96 + 72).value = 0
        ctypes.c_int.from_address(count).value = len(fitting)
        return 0 if fitting else NOT_SUPPORTED

    def _init(self, handle: int, compute: int, scale: int, a: int, b: int, c: int, d: int, number: int, at: int) -> int:
        assert {a, b, c, d} <= {*DTYPES, 14}
        if number not in {one.number for one in self.known}:
            return NOT_SUPPORTED
        words = (ctypes.c_uint16 * 32)(number, 0, 1)
        ctypes.memmove(at, words, 64)
        return 0

    def _algorithm(self, at: int) -> Known | None:
        words = bytes(ctypes.string_at(at, 64))
        return next((one for one in self.known if bytes(one.words()) == words), None)

    def _check(self, handle: int, desc: int, a: int, b: int, c: int, d: int, algorithm: int, out: int) -> int:
        found = self._algorithm(algorithm)
        if found is None:
            return NOT_SUPPORTED
        ctypes.c_size_t.from_address(out + 64).value = found.workspace
        return 0

    @staticmethod
    def _set_config(at: int, attribute: int, value: int, size: int) -> int:
        if attribute == 0 or CONFIG[attribute] != size:
            return INVALID
        ctypes.c_uint16.from_address(at + 2 * attribute).value = int.from_bytes(ctypes.string_at(value, size), "little")
        return 0

    @staticmethod
    def _get_config(at: int, attribute: int, value: int, size: int, written: int) -> int:
        if CONFIG[attribute] != size:
            return INVALID
        held = ctypes.c_uint16.from_address(at + 2 * attribute).value
        ctypes.memmove(value, held.to_bytes(size, "little"), size)
        ctypes.c_size_t.from_address(written).value = size
        return 0

    def _capability(self, at: int, attribute: int, value: int, size: int, written: int) -> int:
        number = ctypes.c_uint16.from_address(at).value
        assert (attribute, size) == (15, 8)
        ctypes.c_uint64.from_address(value).value = next(one.flags for one in self.known if one.number == number)
        return 0

    def _matrices(self, at: int, layout: int) -> Any:
        """The batch of matrices, indexed (image, row, column)."""
        one = self.descriptors[layout]
        dtype, rows, columns, leading = one.made_with
        batch, step = one.number(5, 1), one.number(6)
        assert leading >= rows
        width = np.dtype(DTYPES[dtype]).itemsize
        count = (batch - 1) * step + (columns - 1) * leading + rows
        memory = (ctypes.c_char * (count * width)).from_address(at)
        strides = (step * width, width, leading * width)
        return np.ndarray((batch, rows, columns), DTYPES[dtype], memory, 0, strides)

    def _matmul(
        self, handle: int, desc: int, alpha: int, a: int, la: int, b: int, lb: int, beta: int, c: int, lc: int,
        d: int, ld: int, algorithm: int, workspace: int | None, size: int, stream: int | None,
    ) -> int:  # fmt: skip
        assert handle in self.handles
        known, what = self._algorithm(algorithm), self.descriptors[desc]
        assert known is not None
        if size < known.workspace or (known.workspace and not workspace):
            return INVALID
        real = ctypes.c_double if what.made_with[1] == 1 else ctypes.c_float
        scale = [real.from_address(at).value for at in (alpha, beta)]
        left, right = self._matrices(a, la).astype("f8"), self._matrices(b, lb).astype("f8")
        left = left.swapaxes(1, 2) if what.number(3) else left
        right = right.swapaxes(1, 2) if what.number(4) else right
        out = self._matrices(d, ld)
        value = scale[0] * (left @ right)
        if scale[1]:
            value = value + scale[1] * self._matrices(c, lc).astype("f8")
        epilogue = what.number(7, 1)
        if epilogue & 4:
            memory = (ctypes.c_char * (out.shape[1] * out.itemsize)).from_address(what.number(8))
            value = value + np.frombuffer(memory, out.dtype).astype("f8")[None, :, None]
        if epilogue & 2:
            value = np.maximum(value, 0)
        if epilogue & 32:
            value = 0.5 * value * (1 + np.tanh(math.sqrt(2 / math.pi) * (value + 0.044715 * value**3)))
        out[...] = value
        self.calls.append({
            "algorithm": known, "compute": what.made_with[0], "stream": stream or 0, "scale": scale,
            "epilogue": epilogue, "batch": out.shape[0], "shape": (left.shape[1], right.shape[2], left.shape[2]),
        })  # fmt: skip
        return 0


class FakeContext:
    """A thread's context as far as products need it."""

    def __init__(self) -> None:
        self.stream, self.streams = 0, []
        self.library = type("Library", (), {"_ffi": _cffi_backend.FFI("made_up", _version=0x2601)})()

    def use_stream(self, stream: int) -> None:
        self.stream = stream
        self.streams.append(stream)


@contextmanager
def fake_blas(*known: Known) -> Iterator[FakeBlas]:
    """Put a fake library in cuBLASLt's place."""
    fake = FakeBlas(*([known] if known else []))
    before = use_library(BlasLibrary(fake, "fake"))
    try:
        yield fake
    finally:
        use_library(before)
