"""A simulated libcudnn (``fake/cudnn.c``) with bindings in miniature over the real support code."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent / "fake"
LINES = {9: "fakebind.v9"}

sys.path.insert(0, str(HERE))

if importlib.util.find_spec("cudnn_ffi._support") is None:  # not rendered yet: the sources are the same text
    import cudnn_ffi

    package = Path(__file__).parents[2] / "templates" / "support"
    spec = importlib.util.spec_from_file_location(
        "cudnn_ffi._support", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None
    sys.modules["cudnn_ffi._support"] = cudnn_ffi._support = importlib.util.module_from_spec(spec)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile the simulated library into a folder of its own (or `folder`) under `name`, with -D options."""

    def compile_library(name: str = "libcudnn.so.9", folder: Path | None = None, **options: object) -> Path:
        target = (folder or tmp_path_factory.mktemp("fake")) / name
        defines = [f"-D{key}={value}" for key, value in options.items()]
        soname = f"-Wl,-soname,{'.'.join(name.split('.')[:3])}"
        subprocess.run(
            # A soname with the major version only, as real ones have.
            ["gcc", "-shared", "-fPIC", "-w", *defines, soname, "-o", target, HERE / "cudnn.c", "-lpthread"],
            check=True,
        )
        return target

    return compile_library


@pytest.fixture(scope="session")
def bindings(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """The miniature line, its cffi module made from ``cudnn.cdef``; what `load` takes as lines."""
    if "fakebind.v9._cffi" not in sys.modules:
        import cffi

        builder = cffi.FFI()
        builder.cdef((HERE / "cudnn.cdef").read_text())
        builder.set_source("fakebind_cffi", None)
        folder = tmp_path_factory.mktemp("cffi")
        builder.compile(tmpdir=str(folder))
        sys.modules["fakebind.v9._cffi"] = _module_from(folder / "fakebind_cffi.py")
    return LINES


def _module_from(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def open_fake(build: Callable[..., Path], bindings: dict[int, str]) -> Callable[..., Any]:
    """Build and load a simulated library; same options, same library."""
    from cudnn_ffi._support.loading import load

    made: dict[Any, Any] = {}

    def opener(**options: object) -> Any:
        key = tuple(sorted(options.items()))
        if key not in made:
            made[key] = load(bindings, build(**options))
        return made[key]

    return opener


@pytest.fixture
def fake(open_fake: Callable[..., Any]) -> Any:
    """The simulated cuDNN 9.28.1."""
    return open_fake()


@pytest.fixture
def old(open_fake: Callable[..., Any]) -> Any:
    """A simulated cuDNN 9.1.0, without what came later."""
    return open_fake(FAKE_NUMBER=90100, FAKE_OLD=1)
