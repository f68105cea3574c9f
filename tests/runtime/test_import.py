"""Importing the package stays cheap and pulls in no array library."""

from __future__ import annotations

import subprocess
import sys


def test_import_loads_nothing_heavy() -> None:
    heavy = [
        "cupy",
        "torch",
        "numpy",
        "sqlite3",
        "logging",
        "logging.handlers",
        "concurrent.futures",
        "asyncio",
        "multiprocessing",
        "cffi",
        "cudnn_ffi",
        "cudnn_bindgen",
    ]
    code = f"import sys, cudnnkit; print(*[name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []
