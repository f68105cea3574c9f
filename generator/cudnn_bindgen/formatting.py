"""Formatting many generated files with ruff, in one process."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cudnn_bindgen.errors import MissingDependencyError, TemplateRenderError

__all__ = ["format_files"]

_OPTIONS = (
    "--isolated",
    "--no-cache",
    "--line-length=120",
    "--target-version=py310",
    "--config=format.docstring-code-format=true",
)


def format_files(files: Mapping[str, str]) -> dict[str, str]:
    """The same files, every Python one formatted.

    Raises
    ------
    MissingDependencyError
        ruff is not installed.
    TemplateRenderError
        A file is no Python; the message has its name and line.
    """
    try:
        from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped, unused-ignore]

        ruff = str(find_ruff_bin())
    except (ImportError, FileNotFoundError) as error:
        raise MissingDependencyError(
            "formatting needs ruff; install it with: pip install ruff, or give --no-format"
        ) from error
    with tempfile.TemporaryDirectory(prefix="cudnn-bindgen-") as temporary:
        folder = Path(temporary)
        python = {name: text for name, text in files.items() if name.endswith((".py", ".pyi"))}
        for name, text in python.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([ruff, "format", *_OPTIONS, "."], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("error:")]
            first = (lines or done.stderr.splitlines() or ["ruff gave no reason"])[0].removeprefix("error: ")
            raise TemplateRenderError(f"a template gave text that is no Python: {first}; correct the template")
        return {
            name: (folder / name).read_text(encoding="utf-8") if name in python else text
            for name, text in files.items()
        }
