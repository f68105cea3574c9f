"""The real cuDNN judges the operations that graphs are made of. It finalizes them without a GPU.

Its engines are linked with the driver's library, so a machine without one needs a stand-in, which a C compiler makes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cudnn_bindgen.errors import DownloadError
from cudnn_bindgen.libraries import fetch_libraries

VERSION = "9.28.1.4"
LIBRARIES = ("libcudnn.so.9", *(f"libcudnn_{name}.so.9" for name in ("graph", "engines_runtime_compiled")))
# What the engines want of libcuda; none of it is called before there is a handle.
SYMBOLS = (
    "cuGetErrorString", "cuModuleGetFunction", "cuModuleLoadData", "cuModuleUnload", "cuTensorMapEncodeIm2col",
    "cuTensorMapEncodeTiled",
)  # fmt: skip


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("libcuda")
    source, made = folder / "stand_in.c", folder / "libcuda.so.1"
    source.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in SYMBOLS), encoding="utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", made, source], check=True)
    return made


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        return fetch_libraries(VERSION, LIBRARIES)
    except DownloadError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def test_the_real_library_takes_every_operation(folder: Path, stand_in: Path) -> None:
    judge = Path(__file__).with_name("graph_judge.py")
    result = subprocess.run(
        [sys.executable, judge, folder / "libcudnn.so.9", stand_in], capture_output=True, text=True, check=True
    )
    answer = json.loads(result.stdout.splitlines()[-1])
    assert answer["failed"] == []
    assert answer["count"] == 6 * 3 * 4 * 2 + 4 * 14 + 2 + 3 * (5 * 4 * 2 + 2) + (6 + 3 * 2) * 4 * 3 + 6 * 4
