"""Finding and opening a library, and refusing what would not work, in words that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_ffi._support import search
from cudnn_ffi._support.elf import names_inside, stated_version
from cudnn_ffi._support.errors import (
    ArgumentError,
    LibraryLoadError,
    LibraryMixedError,
    LibraryNotFoundError,
    LibraryVersionError,
)
from cudnn_ffi._support.loading import load
from cudnn_ffi._support.report import report
from cudnn_ffi._support.tables import version_of_number

Build = Callable[..., Path]


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any cuDNN."""
    for name in ("CUDNN_FFI_LIBRARY", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(search, "STEPS", tuple(s for s in search.STEPS if "pathfinder" not in s.place))
    monkeypatch.setattr("cudnn_ffi._support.loading.STEPS", search.STEPS)
    monkeypatch.setattr("cudnn_ffi._support.loading._LOADED", {})


def test_explicit_file_folder_and_environment(
    build: Build, bindings: dict[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build()
    by_file = load(bindings, path)
    assert by_file.version == (9, 28, 1)
    assert by_file.version_text == "9.28.1"
    assert by_file.version_number == 92801
    assert by_file.path == str(path)
    assert load(bindings, path.parent) is by_file
    monkeypatch.setenv("CUDNN_FFI_LIBRARY", str(path))
    assert load(bindings) is by_file


def test_folder_with_a_wheel_s_layout(build: Build, bindings: dict[int, str], tmp_path: Path) -> None:
    inside = tmp_path / "nvidia" / "cudnn" / "lib"
    inside.mkdir(parents=True)
    build(folder=inside)
    assert load(bindings, tmp_path).path == str(inside / "libcudnn.so.9")


@pytest.mark.usefixtures("nowhere")
def test_wheel_on_sys_path_is_found(
    build: Build, bindings: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "nvidia" / "cudnn" / "lib"
    inside.mkdir(parents=True)
    build(folder=inside)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr("cudnn_ffi._support.loading.STEPS", [s for s in search.STEPS if "already" not in s.place])
    found = load(bindings)
    assert found.path == str(inside / "libcudnn.so.9")
    assert report(bindings).found_by == "wheel nvidia-cudnn-cu*"
    assert load(bindings) is found


@pytest.mark.usefixtures("nowhere")
def test_nothing_found_lists_every_place() -> None:
    # A major version that no machine has, so that a cuDNN of this machine does not matter.
    with pytest.raises(LibraryNotFoundError) as caught:
        load({77: "nothing"})
    for step in search.STEPS:
        assert step.place in str(caught.value)
    assert "libcudnn.so.77" in str(caught.value)
    assert "CUDNN_FFI_LIBRARY" in str(caught.value)


@pytest.mark.usefixtures("nowhere")
def test_report_of_nothing_is_no_exception() -> None:
    found = report({77: "nothing"})
    assert found.path is None
    assert "no libcudnn.so.77 found" in str(found)
    assert found.to_dict()["error"] == found.error


def test_missing_file(bindings: dict[int, str], tmp_path: Path) -> None:
    with pytest.raises(LibraryNotFoundError, match=r"/gone.so.9 \(explicit path\) does not exist; give the path"):
        load(bindings, tmp_path / "gone.so.9")


def test_folder_without_a_library(bindings: dict[int, str], tmp_path: Path) -> None:
    with pytest.raises(LibraryNotFoundError, match=r"holds no libcudnn\.so\.9, nor does lib"):
        load(bindings, tmp_path)


def test_wrong_environment_variable_is_final(
    bindings: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDNN_FFI_LIBRARY", str(tmp_path / "gone"))
    with pytest.raises(LibraryNotFoundError, match=r"gone \(environment variable CUDNN_FFI_LIBRARY\) does not exist"):
        load(bindings)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"#!/bin/sh\n" * 9, r"is not a shared library \(no ELF file\)"),
        (b"\x7fELF\x01\x01" + b"\0" * 12 + (3).to_bytes(2, "little"), "is built for 32-bit x86"),
        (b"\x7fELF\x02\x01" + b"\0" * 12 + (243).to_bytes(2, "little"), "is built for RISC-V"),
    ],
)
def test_file_that_is_no_library(bindings: dict[int, str], tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "libcudnn.so.9"
    path.write_bytes(content)
    with pytest.raises(LibraryLoadError, match=message) as caught:
        load(bindings, path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("kept", [30, 100, 0.1, 0.5, 0.9])
def test_truncated_library(build: Build, bindings: dict[int, str], tmp_path: Path, kept: float) -> None:
    # The loader maps what is missing as well, and a signal ends the process.
    path, whole = tmp_path / "libcudnn.so.9", build().read_bytes()
    path.write_bytes(whole[: int(kept if kept > 1 else kept * len(whole))])
    if kept == 0.9:  # the last part is for debuggers: nobody misses it
        assert load(bindings, path).version == (9, 28, 1)
        return
    with pytest.raises(LibraryLoadError, match=r"libcudnn\.so\.9 ends too early, \d+ bytes are missing: get it again"):
        load(bindings, path)


def test_truncated_sub_library(bindings: dict[int, str], tmp_path: Path, real_library: Callable[[int], Path]) -> None:
    for file in real_library(9).parent.glob("*.so.9"):
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / "libcudnn_ops.so.9").unlink()
    with real_library(9).parent.joinpath("libcudnn_ops.so.9").open("rb") as stream:
        (tmp_path / "libcudnn_ops.so.9").write_bytes(stream.read(1 << 20))
    (tmp_path / "libcudnn.so.9").unlink()
    (tmp_path / "libcudnn.so.9").write_bytes(real_library(9).read_bytes())
    with pytest.raises(LibraryLoadError, match=r"libcudnn_ops\.so\.9 ends too early"):
        load(bindings, tmp_path)


def test_pipe_and_folder_are_no_files(bindings: dict[int, str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "libcudnn.so.9")
    for path in (tmp_path / "libcudnn.so.9", tmp_path, Path("/dev/null")):
        with pytest.raises(LibraryLoadError, match="is no file"):
            load(bindings, path)


def test_path_as_bytes(build: Build, bindings: dict[int, str]) -> None:
    path = build()
    assert load(bindings, os.fsencode(path)) is load(bindings, path)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (5, ArgumentError),
        ([], ArgumentError),
        ("", ArgumentError),
        ("a\0b", LibraryLoadError),
        ("\udc80", LibraryLoadError),
    ],
)
def test_what_is_no_path(bindings: dict[int, str], path: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        load(bindings, path)


def test_library_that_is_not_cudnn(build: Build, bindings: dict[int, str]) -> None:
    with pytest.raises(LibraryLoadError, match="is not cuDNN: it has no cudnnGetVersion"):
        load(bindings, build(FAKE_NOT_CUDNN=1))


@pytest.mark.parametrize(("number", "text"), [(100203, "10.2.3"), (8907, "8.9.7"), (7605, "7.6.5")])
def test_version_that_no_line_covers(build: Build, bindings: dict[int, str], number: int, text: str) -> None:
    path = build(FAKE_NUMBER=number)
    with pytest.raises(LibraryVersionError) as caught:
        load(bindings, path)
    assert str(caught.value).startswith(
        f"{path} is cuDNN {text}, and these bindings cover 9.x; load another library, or"
    )


@pytest.mark.parametrize(
    ("number", "parts"),
    [(92801, (9, 28, 1)), (90000, (9, 0, 0)), (8907, (8, 9, 7)), (7605, (7, 6, 5)), (6021, (6, 0, 21))],
)
def test_version_numbers(number: int, parts: tuple[int, int, int]) -> None:
    assert version_of_number(number) == parts


@pytest.mark.parametrize(("number", "coverage"), [(99900, "newer"), (92801, "known"), (91500, "between")])
def test_library_of_a_version_without_tables_loads_and_says_so(
    build: Build, bindings: dict[int, str], number: int, coverage: str
) -> None:
    found = load(bindings, build(FAKE_NUMBER=number)).report()
    assert found.coverage == coverage
    assert found.known_versions == ("9.0.0", "9.28.1")
    assert ("nearest known one" in str(found)) == (coverage != "known")


def _cffi_file() -> str:
    return str(sys.modules["fakebind.v9._cffi"].__file__)


@pytest.mark.usefixtures("bindings")
class TestMixedVersions:
    """0x091c01 is 9.28.1 and 0x090100 is 9.1.0, as the sub-libraries' version constants have it."""

    def test_a_stranger_beside_the_library(self, build: Build, bindings: dict[int, str]) -> None:
        main = build()
        stranger = build("libcudnn_ops.so.9", main.parent, FAKE_CONSTANT=0x090100)
        with pytest.raises(LibraryMixedError) as caught:
            load(bindings, main)
        assert f"{main} is 9.28.1 and {stranger} is 9.1.0" in str(caught.value)

    def test_two_files_are_named_by_their_own_constants(self, build: Build, bindings: dict[int, str]) -> None:
        main = build()
        own = build("libcudnn_graph.so.9", main.parent, FAKE_CONSTANT=0x091C01)
        stranger = build("libcudnn_ops.so.9.1.0", main.parent)
        main.with_name("libcudnn_ops.so.9").symlink_to(stranger.name)
        with pytest.raises(LibraryMixedError) as caught:
            load(bindings, main)
        assert f"{own} is 9.28.1 and {stranger} is 9.1.0" in str(caught.value)

    def test_two_main_libraries_in_one_process_are_fine(self, build: Build, bindings: dict[int, str]) -> None:
        first, second = build("libcudnn.so.9.28.1"), build("libcudnn.so.9.1.0", FAKE_NUMBER=90100)
        assert [load(bindings, path).version_text for path in (first, second)] == ["9.28.1", "9.1.0"]

    def test_another_version_that_no_link_points_to_is_fine(self, build: Build, bindings: dict[int, str]) -> None:
        main = build()
        build("libcudnn_ops.so.9.1.0", main.parent)
        own = build("libcudnn_ops.so.9.28.1", main.parent)
        main.with_name("libcudnn_ops.so.9").symlink_to(own.name)
        assert [one.path for one in load(bindings, main).report().sub_libraries if "_ops" in one.name] == [str(own)]

    def test_library_path_with_a_system_copy_cannot_mix_it_in(self, build: Build) -> None:
        """The system's loader prefers LD_LIBRARY_PATH to the wheel's own folder; the wheel must win all the same."""
        wheel, system = build(), build("libcudnn_ops.so.9", FAKE_CONSTANT=0x090100)
        own = build("libcudnn_ops.so.9", wheel.parent, FAKE_CONSTANT=0x091C01)
        code = f"""
            load(conftest.LINES, {str(wheel)!r})
            import ctypes
            found = ctypes.CDLL("libcudnn_ops.so.9")
            print(hex(ctypes.c_uint.in_dll(found, "cudnn_graph_version").value))
        """
        assert self._run(code, system.parent) == "0x91c01\n"
        # Without any of its own, the system's file is what the library would get.
        own.unlink()
        said = self._run(f"load(conftest.LINES, {str(wheel)!r})", system.parent)
        assert (
            said
            == f"LibraryMixedError two cuDNN versions would work together: {wheel} is 9.28.1 and {system} is 9.1.0; "
        )

    @staticmethod
    def _run(code: str, library_path: Path) -> str:
        lines = [
            "import sys, conftest",
            f"sys.modules['fakebind.v9._cffi'] = conftest._module_from(conftest.Path({_cffi_file()!r}))",
            "from cudnn_ffi._support.loading import load",
            "try:",
            textwrap.indent(textwrap.dedent(code), "    "),
            "except Exception as error:",
            "    print(type(error).__name__, str(error).partition('keep one')[0], end='')",
        ]
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(library_path),
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        }
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, env=environment, timeout=60
        )
        assert done.stderr == ""
        return done.stdout

    def test_same_version_and_other_majors_are_fine(self, build: Build, bindings: dict[int, str]) -> None:
        main = build()
        build("libcudnn_ops.so.9", main.parent, FAKE_CONSTANT=0x091C01)
        build("libcudnn_ops_infer.so.8", main.parent, FAKE_CONSTANT=0x080907)
        library = load(bindings, main)
        found = {one.name: one for one in library.report().sub_libraries}
        assert found["libcudnn_ops.so.9"].version == "9.28.1"
        assert not found["libcudnn_ops.so.9"].loaded
        assert found["libcudnn.so.9"].loaded
        assert "libcudnn_ops_infer.so.8" not in found

    def test_a_stranger_that_the_process_already_has(self, build: Build) -> None:
        # A wheel's library, while a sub-library of a system copy is loaded: in a process of its own, since it stays.
        system = build("libcudnn_ops.so.9", FAKE_CONSTANT=0x090100)
        wheel = build(FAKE_SPLIT=1)
        code = f"""
            import sys, ctypes
            import conftest
            from cudnn_ffi._support.loading import load
            ctypes.CDLL({str(system)!r})
            try:
                load({{9: "none"}}, {str(wheel)!r})
            except Exception as error:
                print(type(error).__name__, error)
        """
        text = textwrap.dedent(code)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        }
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment, timeout=60)
        assert done.stderr == ""
        assert done.stdout.startswith("LibraryMixedError")
        assert f"{wheel} is 9.28.1 and {system} is 9.1.0" in done.stdout


class TestFiles:
    @pytest.mark.parametrize(
        ("constant", "version"), [(0x091C01, (9, 28, 1)), (0x080907, (8, 9, 7)), (92801, (9, 28, 1)), (8500, (8, 5, 0))]
    )
    def test_version_constant(self, build: Build, constant: int, version: tuple[int, int, int]) -> None:
        assert stated_version(str(build("libcudnn_graph.so.9", FAKE_CONSTANT=constant))) == version

    def test_no_constant_and_no_name(self, build: Build, tmp_path: Path) -> None:
        assert stated_version(str(build())) is None
        text = tmp_path / "libcudnn_x.so.9"
        text.write_bytes(b"\x7fELF\x02 not really")
        assert stated_version(str(text)) is None
        assert stated_version(str(tmp_path / "gone")) is None

    def test_version_in_the_real_name_behind_a_link(self, build: Build) -> None:
        real = build("libcudnn_ops.so.9.1.0")
        link = real.with_name("libcudnn_ops.so.9")
        link.symlink_to(real.name)
        assert stated_version(str(link)) == (9, 1, 0)

    def test_report_follows_links(self, build: Build, bindings: dict[int, str]) -> None:
        real = build("libcudnn.so.9.28.1")
        link = real.with_name("libcudnn.so.9")
        link.symlink_to(real.name)
        assert load(bindings, link).path == str(real)


class TestRealLibraries:
    """The real files; `real_library` skips where they cannot be had."""

    def test_version_9(self, real_library: Callable[[int], Path], bindings: dict[int, str]) -> None:
        path = real_library(9)
        library = load(bindings, path)
        assert library.version[0] == 9
        assert library.has("cudnnCreateTensorDescriptor")
        found = {one.name: one for one in library.report().sub_libraries}
        # The library's own answer and the constant in another file are independent of each other.
        assert found["libcudnn_graph.so.9"].version == library.version_text
        assert found["libcudnn_ops.so.9"].version == library.version_text
        assert found["libcudnn_graph.so.9"].loaded
        absent = library.report().absent_sub_libraries
        assert not set(absent) & set(found)
        assert not any((path.parent / name).exists() for name in absent)

    def test_version_8_has_no_line_here(self, real_library: Callable[[int], Path], bindings: dict[int, str]) -> None:
        with pytest.raises(LibraryVersionError, match=r"is cuDNN 8\.9\.7, and these bindings cover 9\.x"):
            load(bindings, real_library(8))

    @pytest.mark.parametrize(("major", "needed"), [(9, "libcudnn_graph.so.9"), (8, "libcudnn_ops_infer.so.8")])
    def test_library_alone_is_refused_before_it_ends_the_process(
        self, real_library: Callable[[int], Path], tmp_path: Path, major: int, needed: str
    ) -> None:
        alone = tmp_path / f"libcudnn.so.{major}"
        shutil.copy(real_library(major), alone)
        assert needed.rpartition(".")[0] in names_inside(str(alone))
        code = f"""
            import conftest
            from cudnn_ffi._support.loading import load
            try:
                load({{9: "none"}}, {str(alone)!r})
            except Exception as error:
                print(type(error).__name__, error)
        """
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        }
        environment.pop("LD_LIBRARY_PATH", None)
        text = textwrap.dedent(code)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment, timeout=60)
        assert done.stdout.startswith(f"LibraryLoadError {alone} needs {needed}, which is neither beside it"), (
            done.stderr
        )


def test_library_on_the_loader_path_that_nobody_has_loaded(real_library: Callable[[int], Path]) -> None:
    """Looking for a library that is already loaded must not touch one that is not: that crashed the process."""
    folder = real_library(9).parent
    done = subprocess.run(
        [sys.executable, "-c", "import cudnn_ffi; print(cudnn_ffi.load().version_text)"],
        capture_output=True,
        text=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(folder), "CUDNN_FFI_LIBRARY": ""},
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "9.28.1", "")


def test_library_already_loaded_is_shared(real_library: Callable[[int], Path]) -> None:
    path = real_library(9)
    program = f"import ctypes, cudnn_ffi; ctypes.CDLL({str(path)!r}); print(cudnn_ffi.load().path)"
    environment = {**os.environ, "CUDNN_FFI_LIBRARY": ""}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, str(path.resolve()), "")
