from __future__ import annotations

import pickle

import pytest
from cudnnkit.errors import (
    ArgumentError,
    ArgumentTypeError,
    Attempt,
    CacheError,
    CudnnKitError,
    MissingPackageError,
    OutOfMemoryError,
    UnsupportedError,
)

ATTEMPTS = (
    Attempt("graph engine 4", 2**30, "CUDNN_STATUS_ALLOC_FAILED", 2**20),
    Attempt("legacy algorithm 1", 0, "CUDNN_STATUS_EXECUTION_FAILED", None),
)

ERRORS = [
    ArgumentError("dilation", 0, "must be at least 1 on every axis"),
    ArgumentTypeError("x", object(), "is no array"),
    UnsupportedError("conv_forward", [("graph engine 4", "TF32 is not allowed")], "allow precision='fast'"),
    OutOfMemoryError("conv_forward", ATTEMPTS),
    CacheError("tuning.json: row 3 is damaged"),
    MissingPackageError("numpy", "cudnnkit.testing"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda one: type(one).__name__)
def test_pickle_keeps_everything(error: CudnnKitError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_argument_error_names_argument_value_and_hint() -> None:
    error = ArgumentError("padding", (1, -2), "must be at least 0")
    assert (error.argument, error.value, error.hint) == ("padding", (1, -2), "must be at least 0")
    assert str(error) == "padding=(1, -2): must be at least 0"
    assert isinstance(error, ValueError)
    assert isinstance(ERRORS[1], TypeError)


def test_argument_error_keeps_no_array_alive() -> None:
    class Array:
        def __repr__(self) -> str:
            return "0123456789" * 100

    error = ArgumentError("x", [Array(), 1], "is on the host")
    assert isinstance(error.value, tuple)
    text, one = error.value
    assert one == 1
    assert isinstance(text, str)
    assert text.startswith("Array 0123")
    assert len(text) == 200


def test_out_of_memory_lists_every_candidate_with_workspace_status_and_free_memory() -> None:
    lines = str(ERRORS[3]).splitlines()
    assert len(lines) == 3
    assert lines[1].strip() == ("graph engine 4: workspace 1 GiB, CUDNN_STATUS_ALLOC_FAILED, free memory 1 MiB")
    assert lines[2].strip() == ("legacy algorithm 1: workspace 0 B, CUDNN_STATUS_EXECUTION_FAILED, free memory unknown")
    assert isinstance(ERRORS[3], MemoryError)


def test_unsupported_says_when_there_was_no_candidate_at_all() -> None:
    assert str(UnsupportedError("conv_forward")) == "no candidate computes conv_forward: cuDNN offered none"
    assert str(ERRORS[2]).splitlines() == [
        "no candidate computes conv_forward",
        "  graph engine 4: TF32 is not allowed",
        "allow precision='fast'",
    ]
