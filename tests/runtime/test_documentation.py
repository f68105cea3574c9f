"""What is public is documented: on a page, and in its own docstring."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import cudnnkit as ck
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = "\n".join(
    page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
)
OPERATIONS = sorted(
    name
    for name in ck.__all__
    if inspect.isfunction(getattr(ck, name)) and getattr(ck, name).__module__.startswith("cudnnkit.ops.")
)


@pytest.mark.parametrize("name", ck.__all__)
def test_every_public_name_stands_on_a_page(name: str) -> None:
    assert re.search(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])", PAGES)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_tells_its_result_and_what_it_raises(name: str) -> None:
    told = inspect.getdoc(getattr(ck, name)) or ""
    assert "\nReturns\n-------\n" in told
    assert "\nRaises\n------\n" in told


def test_every_error_that_reaches_a_user_is_public() -> None:
    named = {
        found
        for file in (ROOT / "runtime" / "cudnnkit").rglob("*.py")
        for found in re.findall(r"^class (\w+)\((?:CudnnKit|Argument)Error", file.read_text(encoding="utf-8"), re.M)
    }
    assert named >= {"DriverError", "LibraryError", "CaptureError"}
    assert named - set(ck.__all__) == {"BlasError"}  # cuBLASLt's refusals are reasons in a report
    assert all(issubclass(getattr(ck, one), ck.CudnnKitError) for one in named & set(ck.__all__))


@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool1d", "batch_norm3d"])
def test_a_name_with_a_number_of_axes_tells_the_one_without(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; {name[:-2]} takes 1 to 3 spatial axes"):
        getattr(ck, name)


def test_every_environment_variable_stands_on_a_page() -> None:
    """Those that handwritten code and templates name; ``CUDNN_..._t`` and enumerators are none."""
    roots = [ROOT / "runtime" / "cudnnkit", ROOT / "generator" / "cudnn_bindgen", ROOT / "templates" / "support"]
    named = {
        found
        for root in roots
        for file in root.rglob("*.py")
        for found in re.findall(r"\b(?:CUDNNKIT|CUDNN_BINDGEN|CUDNN_FFI)_[A-Z_]+\b", file.read_text(encoding="utf-8"))
    }
    assert {"CUDNNKIT_TRACEBACK", "CUDNN_BINDGEN_CACHE", "CUDNN_FFI_LIBRARY"} <= named
    assert not [one for one in sorted(named) if one not in PAGES]
