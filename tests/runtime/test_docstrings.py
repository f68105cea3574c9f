"""The examples in docstrings, run; those that need a GPU are marked with ``+SKIP``."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import cudnnkit
import pytest

ROOT = Path(cudnnkit.__path__[0])
MODULES = sorted(
    ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)
    for file in ROOT.rglob("*.py")
    if re.search(r"^ +>>> (?!.*\+SKIP)", file.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed
