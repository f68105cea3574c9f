"""``cudnn-bindgen verify``, and the committed history against real headers, wherever anything moved."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cudnn_bindgen.cli import main
from cudnn_bindgen.diff import diff
from cudnn_bindgen.errors import VerificationError
from cudnn_bindgen.headers import locate
from cudnn_bindgen.history import History
from cudnn_bindgen.model import Primitive
from cudnn_bindgen.verify import verify

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="verifying needs a C compiler; install gcc or clang"
)


# --- the command ---------------------------------------------------------------------------------------------------


def small(folder: Path, value: int = 1) -> Path:
    """A cuDNN of one function and one enum, in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "cudnn_version.h").write_text(
        "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 99\n#define CUDNN_PATCHLEVEL 1\n"
    )
    (folder / "cudnn.h").write_text(
        f'#include "cudnn_version.h"\ntypedef enum {{ ONE = {value} }} cudnnOne_t;\nint cudnnUse(cudnnOne_t one);\n'
    )
    return folder


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small(tmp_path / "headers")
    kept = tmp_path / "kept.c"
    assert main(["verify", str(folder), "--json", "--keep", str(kept)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["version"] == "9.99.1"
    assert row["counts"]["function"] == 1
    assert row["facts"] == sum(row["counts"].values())
    assert "enumerator ONE is 1" in kept.read_text()


def test_command_from_a_history_that_says_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "history.json"
    folder = small(tmp_path / "headers")
    assert main(["history", "--empty", "--add", str(folder), "--out", str(history)]) == 0
    command = ["verify", str(folder), "--from-history", "--history", str(history)]
    assert main(command) == 0
    small(folder, value=2)
    capsys.readouterr()
    assert main(command) == 1
    assert "enumerator ONE is 1" in capsys.readouterr().err


def test_command_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, says in (
        ([], "name a version or a folder, or give --all"),
        (["9.28", "9.27", "--keep", "x.c"], "--keep writes one file"),
        (["9.28", "--cuda-include", str(tmp_path / "none")], "is no folder"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(["verify", *arguments])
        assert caught.value.code == 2
        assert says in capsys.readouterr().err


# --- real headers --------------------------------------------------------------------------------------------------


def moved_versions() -> list[str]:
    """Both sides of every step in which anything but version macros changed."""
    history = History.load()
    found: dict[str, None] = {}
    for before, after in zip(history.versions, history.versions[1:], strict=False):
        if any(one.kind != "macro" for one in diff(history.api(before), history.api(after))):
            found |= {before: None, after: None}
    return [*found]


@pytest.mark.parametrize("version", moved_versions())
def test_the_history_is_true_of_every_version_where_anything_moved(
    version: str, real_headers: Callable[[str], Path]
) -> None:
    api = History.load().api(version)
    report = verify(locate(real_headers(version)), api)
    assert report.unchecked == ()
    # Nothing was left out on the way to the compiler.
    assert report.counts["function"] == len(api.functions) > 200
    assert report.counts["enumerator"] == sum(len(enum.enumerators) for enum in api.enums) > 600
    assert report.counts["offset"] == sum(len(record.fields) for record in api.records)


def test_a_parameter_of_the_real_api_made_false(real_headers: Callable[[str], Path]) -> None:
    api = History.load().api("9.28.1.4")
    wrong = {"cudnnSetTensor4dDescriptor": 3, "cudnnCreate": 0}
    functions = tuple(
        replace(
            one,
            parameters=tuple(
                replace(parameter, type=Primitive("double")) if place == wrong.get(one.name) else parameter
                for place, parameter in enumerate(one.parameters)
            ),
        )
        for one in api.functions
    )
    with pytest.raises(VerificationError, match="disagrees on 2 facts") as caught:
        verify(locate(real_headers("9.28.1.4")), replace(api, functions=functions))
    assert Counter(word for word in str(caught.value).split() if word.startswith("cudnn")) >= Counter(
        ["cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t", "cudnnCreate(double"]
    )


def test_a_version_does_not_pass_for_another(real_headers: Callable[[str], Path]) -> None:
    history = History.load()
    with pytest.raises(VerificationError, match="CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR is 38"):
        verify(locate(real_headers("9.10.0.56")), history.api("9.10.1.4"))
