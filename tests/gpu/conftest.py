"""These tests need a GPU, cuDNN and torch; without them each is skipped, with the reason."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import pytest

_HERE = Path(__file__).parent


@cache
def _missing() -> str | None:
    if importlib.util.find_spec("torch") is None:
        return "torch is not installed"
    from cudnnkit.driver import driver
    from cudnnkit.errors import CudnnKitError
    from cudnnkit.library import library

    try:
        driver()
        importlib.import_module("torch")  # first: its cuDNN is the one that both use
        library()
    except CudnnKitError as error:
        return str(error).splitlines()[0]
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.gpu)


@pytest.fixture(scope="session", autouse=True)
def _needs_gpu() -> None:
    reason = _missing()
    if reason is not None:
        pytest.skip(f"needs a GPU: {reason}")
