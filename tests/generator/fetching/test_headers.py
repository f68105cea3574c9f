"""Headers out of folders of every usual shape, and what is said about folders that will not do."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import MANIFEST, Cache
from cudnn_bindgen.errors import HeaderNotFoundError, UnknownVersionError
from cudnn_bindgen.headers import cached, installed, locate, obtain

HeadersOf = Callable[[str], dict[str, str]]

# As in cuDNN 7 and before: one file, which states its version itself, and takes CUDA's own headers with quotes.
OLD_HEADER = """\
#define CUDNN_MAJOR 7
#define CUDNN_MINOR 6
#define CUDNN_PATCHLEVEL 5
#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
#include "driver_types.h"
#include <cuda_runtime.h>
int cudnnGetVersion(void);
"""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    "place",
    [
        ".",
        "include",
        "nvidia/cudnn/include",
        "lib/python3.12/site-packages/nvidia/cudnn/include",
        "targets/x86_64-linux/include",
        "x86_64-linux-gnu",
        "include/x86_64-linux-gnu",
    ],
)
def test_the_headers_are_found_where_the_usual_layouts_have_them(
    tmp_path: Path, headers_of: HeadersOf, place: str
) -> None:
    write(tmp_path / place, headers_of("9.1.0"))
    found = locate(tmp_path)
    assert (found.version, found.entry, found.skipped) == ("9.1.0", ("cudnn.h",), ())
    assert found.folder == Path(os.path.normpath(tmp_path / place))


def test_the_path_of_a_header_stands_for_its_folder(tmp_path: Path, headers_of: HeadersOf) -> None:
    write(tmp_path, headers_of("9.1.0"))
    assert locate(tmp_path / "cudnn.h").folder == tmp_path


def test_debians_own_folder_leads_to_the_plain_names_above_it(tmp_path: Path, headers_of: HeadersOf) -> None:
    write(tmp_path / "x86_64-linux-gnu", {"cudnn_v9.h": "", "cudnn_version_v9.h": ""})
    write(tmp_path, headers_of("9.1.0"))
    assert locate(tmp_path / "x86_64-linux-gnu").folder == tmp_path


def test_an_installed_wheel_tells_its_full_version(tmp_path: Path, headers_of: HeadersOf) -> None:
    site = tmp_path / "lib/python3.12/site-packages"
    write(site, {"nvidia_cudnn_cu12-9.1.0.70.dist-info/METADATA": ""})
    write(site / "nvidia/cudnn/include", headers_of("9.1.0"))
    assert locate(tmp_path).version == "9.1.0.70"
    assert [headers.version for headers in installed([tmp_path, site, tmp_path / "none"])] == ["9.1.0.70"]


def test_one_old_header_is_a_whole_version(tmp_path: Path) -> None:
    found = locate(write(tmp_path, {"cudnn.h": OLD_HEADER}))
    assert (found.version, found.entry) == ("7.6.5", ("cudnn.h",))


@pytest.mark.parametrize(
    ("macros", "version"),
    [
        ("#define CUDNN_VERSION 4007\n", "4.0.7"),
        ("#define CUDNN_VERSION (2000) /* the first */\n", "2.0.0"),
        ("#define CUDNN_MAJOR (6)\r\n#define CUDNN_MINOR 0x1\r\n#define CUDNN_PATCHLEVEL 10 // ten\r\n", "6.1.10"),
        (
            "#define CUDNN_MAJOR 10\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 2\n#define CUDNN_VERSION 100102\n",
            "10.1.2",
        ),
    ],
    ids=["number", "parentheses", "parts", "ten"],
)
def test_versions_in_the_ways_headers_state_them(tmp_path: Path, macros: str, version: str) -> None:
    (tmp_path / "cudnn.h").write_bytes(f"{macros}int f(void);\n".encode())
    assert locate(tmp_path).version == version


def test_a_header_that_nobody_includes_is_an_entry_whatever_its_name(tmp_path: Path, headers_of: HeadersOf) -> None:
    new = {"cudnn_wavelets.h": '#include "cudnn_fractals.h"\n', "cudnn_fractals.h": '#include "cudnn_version.h"\n'}
    found = locate(write(tmp_path, {**headers_of("9.30.0"), **new}))
    assert found.entry == ("cudnn.h", "cudnn_wavelets.h")


def test_a_name_that_is_not_cudnns_counts_in_a_folder_of_cudnns_own(tmp_path: Path, headers_of: HeadersOf) -> None:
    write(tmp_path / "nvidia/cudnn/include", {**headers_of("9.1.0"), "graph_api.h": "int cudnnNew(void);\n"})
    assert locate(tmp_path).entry == ("cudnn.h", "graph_api.h")
    write(tmp_path / "usr/include", {**headers_of("9.1.0"), "stdio.h": "int puts(const char *);\n"})
    assert locate(tmp_path / "usr").entry == ("cudnn.h",)


def test_headers_that_include_each_other_in_a_circle_are_read(tmp_path: Path, headers_of: HeadersOf) -> None:
    circle = {"cudnn_a.h": '#include "cudnn_b.h"\n', "cudnn_b.h": '#include "cudnn_a.h"\n'}
    assert locate(write(tmp_path, {**headers_of("9.1.0"), **circle})).entry == ("cudnn.h", "cudnn_a.h")


def test_copies_are_no_headers_of_their_own(tmp_path: Path, headers_of: HeadersOf) -> None:
    files = headers_of("9.1.0")
    assert "cudnn_ops_v9.h" in files
    # One under another name altogether, and one that includes copies where the plain one includes plain headers.
    files["cudnn_renamed.h"] = files["cudnn_ops.h"]
    files["cudnn_v9.h"] = files["cudnn.h"].replace('_ops.h"', '_ops_v9.h"')
    assert locate(write(tmp_path, files)).entry == ("cudnn.h",)


def test_an_include_in_a_comment_is_none(tmp_path: Path, headers_of: HeadersOf) -> None:
    files = headers_of("9.1.0")
    files["cudnn.h"] += '/* before:\n#include "cudnn_gone.h"\n*/\n// #include "cudnn_gone.h"\n'
    assert locate(write(tmp_path, files)).entry == ("cudnn.h",)


def test_what_lies_beside_a_version_without_belonging_to_it_is_left_out(tmp_path: Path, headers_of: HeadersOf) -> None:
    beside = {
        "cudnn_frontend.h": '#include "cudnn_frontend_utils.h"\n',
        "cudnn_frontend_utils.h": "#include <vector>\n",
        "cudnn_adv_infer.h": "#define CUDNN_ADV_INFER_MAJOR 8\n#define CUDNN_ADV_INFER_MINOR 9\n"
        "#define CUDNN_ADV_INFER_PATCH 7\n",
    }
    found = locate(write(tmp_path, {**headers_of("9.1.0"), **beside}))
    assert found.entry == ("cudnn.h",)
    assert dict(found.skipped) == {
        "cudnn_adv_infer.h": "it says it is of cuDNN 8.9.7, and the version here is 9.1.0",
        "cudnn_frontend.h": "it is C++",
        "cudnn_frontend_utils.h": "it is C++",
    }


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError) as caught:
        locate(tmp_path / "none")
    assert str(caught.value) == f"{tmp_path}/none does not exist; name an include folder, or a version such as 9.28.1"


def test_a_folder_without_cudnn(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError) as caught:
        locate(write(tmp_path, {"include/stdio.h": ""}))
    assert str(caught.value) == (
        f"{tmp_path} holds no cuDNN headers: neither cudnn.h nor cudnn_version.h is in it, in its include folder or in "
        "a site-packages under it; name the folder that has them, or a version such as 9.28.1, which is fetched"
    )


def test_a_file_that_is_no_header(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError, match=r"notes\.txt is a file; name the folder that holds cudnn\.h"):
        locate(write(tmp_path, {"notes.txt": ""}) / "notes.txt")


def test_headers_that_state_no_version(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError, match=r"no header defines CUDNN_MAJOR, CUDNN_MINOR and CUDNN_PATCHLEVEL"):
        locate(write(tmp_path, {"cudnn.h": "int cudnnTop(void);\n"}))


def test_a_part_of_the_headers(tmp_path: Path, headers_of: HeadersOf) -> None:
    files = headers_of("9.1.0")
    del files["cudnn_ops.h"], files["cudnn_ops_v9.h"]
    with pytest.raises(HeaderNotFoundError) as caught:
        locate(write(tmp_path, files))
    assert str(caught.value) == (
        f'{tmp_path}: cudnn.h includes "cudnn_ops.h", which is missing; bring the headers again, whole'
    )


def test_headers_of_two_versions_mixed(tmp_path: Path, headers_of: HeadersOf) -> None:
    files = {**headers_of("9.1.0"), "cudnn_ops.h": headers_of("9.0.0")["cudnn_ops.h"]}
    with pytest.raises(HeaderNotFoundError) as caught:
        locate(write(tmp_path, files))
    assert str(caught.value) == (
        f"{tmp_path}: cudnn_ops.h is included, but it says it is of cuDNN 9.0.0, and the version here is 9.1.0; name a "
        "folder with one version's headers"
    )


def test_an_installed_wheel_whose_headers_are_of_another_version(tmp_path: Path, headers_of: HeadersOf) -> None:
    write(tmp_path, {"nvidia_cudnn_cu12-9.2.0.82.dist-info/METADATA": ""})
    write(tmp_path / "nvidia/cudnn/include", headers_of("9.1.0"))
    with pytest.raises(HeaderNotFoundError, match=r"should hold cuDNN 9\.2\.0\.82, but its headers say 9\.1\.0"):
        locate(tmp_path)


def test_an_unreadable_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers_of: HeadersOf) -> None:
    write(tmp_path, headers_of("9.1.0"))
    usual = Path.read_text

    def refuse(self: Path, *arguments: Any, **options: Any) -> str:
        if self.name == "cudnn_ops.h":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return usual(self, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(HeaderNotFoundError) as caught:
        locate(tmp_path)
    assert str(caught.value) == f"cannot read {tmp_path}/cudnn_ops.h: Permission denied; make it readable"


def store_version(store: Cache, headers_of: HeadersOf, version: str) -> Path:
    files = {name: text.encode() for name, text in headers_of(version).items()}
    store.store(store.headers(version), files, version=version, wheel=f"nvidia_cudnn_cu12-{version}.whl")
    return store.headers(version)


def test_the_cache_answers_full_and_partial_versions_offline(store: Cache, headers_of: HeadersOf) -> None:
    for version in ("9.1.0.70", "9.1.1.17", "9.10.0.56", "9.11.0.5.dev3"):
        store_version(store, headers_of, version)
    asked = ("9.1.0.70", "9.1.0", "9.1", "9", "9.11.0.5.dev3")
    answers = [obtain(text, offline=True, cache=store).version for text in asked]
    assert answers == ["9.1.0.70", "9.1.0.70", "9.1.1.17", "9.10.0.56", "9.11.0.5.dev3"]
    assert store.versions() == ("9.1.0.70", "9.1.1.17", "9.10.0.56", "9.11.0.5.dev3")


def test_a_version_that_is_not_cached_offline(store: Cache, headers_of: HeadersOf) -> None:
    store_version(store, headers_of, "9.1.0.70")
    with pytest.raises(UnknownVersionError) as caught:
        obtain("9.3", offline=True, cache=store)
    assert str(caught.value) == (
        f"cuDNN 9.3 is not among the 1 known versions; the nearest are 9.1.0.70 in the cache {store.root}; "
        "leave out --offline to fetch it"
    )


def test_a_damaged_cache_is_not_believed(store: Cache, headers_of: HeadersOf) -> None:
    folder = store_version(store, headers_of, "9.1.0.70")
    (folder / "cudnn_ops.h").write_text("")
    assert cached("9.1.0.70", store) is None
    with pytest.raises(HeaderNotFoundError, match=r"9\.1\.0\.70 is damaged; leave out --offline to fetch it again"):
        obtain("9.1.0.70", offline=True, cache=store)
    (folder / MANIFEST).write_text("{")
    assert cached("9.1.0.70", store) is None


def test_a_path_is_told_from_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Cache, headers_of: HeadersOf
) -> None:
    write(tmp_path / "9.1", headers_of("9.2.0"))
    monkeypatch.chdir(tmp_path)
    assert obtain("./9.1", cache=store).version == "9.2.0"
    assert obtain(Path("9.1"), cache=store).version == "9.2.0"
    with pytest.raises(UnknownVersionError):
        obtain("9.1", cache=store, offline=True)
    with pytest.raises(HeaderNotFoundError, match="does not exist"):
        obtain("nine", cache=store)


@pytest.mark.parametrize("version", ["8.5.0.96", "8.9.7.29", "9.0.0.312", "9.21.0.82", "9.22.0.52", "9.28.1.4"])
def test_real_headers_are_whole(real_headers: Callable[[str], Path], version: str) -> None:
    found = locate(real_headers(version))
    assert found.version == version
    assert found.entry == (("cudnn.h",) if version.startswith("8.") else ("cudnn.h", "cudnn_backend.h"))
    assert found.skipped == ()
