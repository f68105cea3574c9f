"""Fixtures of all tests: real headers and real libraries, through the project's own fetch and cache.

Without a network the tests that need what is not cached are skipped; in continuous integration they fail.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest
from cudnn_bindgen.errors import DownloadError
from cudnn_bindgen.headers import HeaderSet, obtain
from cudnn_bindgen.libraries import fetch_libraries

with contextlib.suppress(ModuleNotFoundError):  # tests on a GPU do without
    from hypothesis import HealthCheck, settings

    # How long an example takes says how busy the machine is, and nothing about the code.
    settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("untimed")

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


@pytest.fixture
def rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """``rendered({"9.0.0": text, "9.1.0": text})``: the bindings of these header texts, imported.

    Every call makes a package of its own name; `entry` is the header's file name.
    """
    from cudnn_bindgen.files import replace_tree
    from cudnn_bindgen.generate import lines_of
    from cudnn_bindgen.parse import parse
    from cudnn_bindgen.render import render

    number = itertools.count()

    def make(versions: Mapping[str, str], entry: str = "cudnn_things.h") -> ModuleType:
        apis = []
        for version, text in versions.items():
            folder = tmp_path / f"headers-{next(number)}"
            folder.mkdir()
            (folder / entry).write_text(text)
            apis.append(parse(HeaderSet(version, folder, (entry,))))
        name = f"rendered_{tmp_path.name.replace('-', '_')}_{next(number)}"
        files = render(lines_of(apis), package=name, command="cudnn-bindgen generate", formatted=False)
        replace_tree(tmp_path / "packages" / name, files)
        monkeypatch.syspath_prepend(tmp_path / "packages")
        return importlib.import_module(name)

    return make


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """``compiled(c_source, "libcudnn.so.9")``: a shared library made of C text."""

    def build(source: str, name: str) -> Path:
        folder = tmp_path_factory.mktemp("library")
        (folder / "library.c").write_text(source)
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", folder / name, folder / "library.c"], check=True)
        return folder / name

    return build
