"""Fixtures of all tests: real headers and real libraries, through the project's own fetch and cache.

Without a network the tests that need what is not cached are skipped; in continuous integration they fail.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest
from cudnn_bindgen.errors import DownloadError
from cudnn_bindgen.headers import obtain
from cudnn_bindgen.libraries import fetch_libraries

# What gets loaded by every function that works without a GPU, descriptors of all kinds included: found by reading
# /proc/self/maps after each call. The engines (most of the wheel) are not among it.
_LIBRARIES = {
    8: (
        "8.9.7.29",
        ("libcudnn.so.8", *(f"libcudnn_{n}_{d}.so.8" for n in ("ops", "cnn", "adv") for d in ("infer", "train"))),
    ),
    9: ("9.28.1.4", ("libcudnn.so.9", *(f"libcudnn_{n}.so.9" for n in ("graph", "ops", "cnn", "adv")))),
}


def _unavailable(error: DownloadError) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(str(error))
    pytest.skip(str(error))


@pytest.fixture(scope="session")
def real_headers() -> Callable[[str], Path]:
    """``real_headers("9.28.1.4")``: the folder with the real headers of a version, full or partial."""

    @cache
    def folder(version: str) -> Path:
        try:
            return obtain(version).folder
        except DownloadError as error:
            _unavailable(error)

    return folder


@pytest.fixture(scope="session")
def real_library() -> Callable[[int], Path]:
    """``real_library(9)``: the path of a real ``libcudnn.so.9``, its sub-libraries beside it."""

    @cache
    def library(major: int) -> Path:
        version, names = _LIBRARIES[major]
        try:
            return fetch_libraries(version, names) / f"libcudnn.so.{major}"
        except DownloadError as error:
            _unavailable(error)

    return library
