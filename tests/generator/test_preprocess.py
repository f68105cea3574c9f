"""Where headers are looked for, stub headers of the user's own, and files as editors leave them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.errors import DataFileError, HeaderNotFoundError, HeaderParseError
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse
from cudnn_bindgen.preprocess import STUBS_VARIABLE, preprocess
from cudnn_bindgen.settings import cudnn_settings


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError, match=r"nowhere is no folder; name the folder that holds the headers"):
        parse(HeaderSet("1.0", tmp_path / "nowhere", ("cudnn.h",)))


def test_missing_entry(tmp_path: Path) -> None:
    with pytest.raises(HeaderNotFoundError, match=r"absent\.h does not exist"):
        parse(HeaderSet("1.0", tmp_path, ("absent.h",)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_header(header: Callable[..., HeaderSet]) -> None:
    headers = header("int f(void);")
    (headers.folder / "header.h").chmod(0)
    with pytest.raises(HeaderNotFoundError, match="cannot read"):
        parse(headers)


def test_unknown_type_from_a_stub_of_the_users(
    header: Callable[..., HeaderSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The remedy that the message names is one."""
    headers = header("#include <cuda_runtime.h>\nint f(cudaThing_t a, cudaStream_t b);")
    with pytest.raises(HeaderParseError, match=STUBS_VARIABLE):
        parse(headers)
    stubs = tmp_path / "stubs"
    stubs.mkdir()
    (stubs / "cuda_runtime.h").write_text("typedef struct CUthing_st *cudaThing_t;\n")
    monkeypatch.setenv(STUBS_VARIABLE, str(stubs))
    assert [(one.name, one.external) for one in parse(headers).handles] == [
        ("cudaStream_t", True),
        ("cudaThing_t", True),
    ]


def test_missing_include_from_a_stub_of_the_users(
    header: Callable[..., HeaderSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = header("#include <curand.h>\nint f(void);")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "curand.h").write_text("#define CURAND 1\n")
    monkeypatch.setenv(STUBS_VARIABLE, os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "two")]))
    api = parse(headers)
    assert api.macros == ()
    assert api.losses == ()


def test_stubs_win_over_system_headers_in_the_same_folder(header: Callable[..., HeaderSet]) -> None:
    """/usr/include holds cudnn.h beside the real stdint.h, which no C parser in Python can read."""
    api = parse(header("#include <stdint.h>\nint f(uint8_t a);", stdint="#error the real one\n"))
    assert [alias.name for alias in api.aliases] == ["uint8_t"]
    assert api.headers == ("header.h",)


def test_angle_brackets_reach_the_versions_own_headers(parsed: Callable[..., Api]) -> None:
    api = parsed("#include <other.h>\nint f(void);", other="int g(void);\n")
    assert [(one.name, one.location.file) for one in api.functions] == [("g", "other.h"), ("f", "header.h")]
    assert api.headers == ("header.h", "other.h")


def test_byte_for_byte_copies_are_read_once(header: Callable[..., HeaderSet]) -> None:
    text = "typedef struct { int a; } S;\nint f(S a);\n"
    headers = header(text, header_v9=text)
    api = parse(HeaderSet("1.0", headers.folder, ("header.h", "header_v9.h")))
    assert api.headers == ("header.h",)
    assert len(api.records) == 1


def test_a_list_is_read_for_each_macro(parsed: Callable[..., Api]) -> None:
    """Two files with the same text are no copies of each other where each is included for what it does there."""
    api = parsed(
        '#define ONE(n) int first_##n(void);\n#include "one.h"\n#undef ONE\n'
        '#define ONE(n) int second_##n(void);\n#include "two.h"\n',
        one="ONE(a)\n",
        two="ONE(a)\n",
    )
    assert [one.name for one in api.functions] == ["first_a", "second_a"]


def test_a_copy_that_wants_to_be_read_once_is(parsed: Callable[..., Api]) -> None:
    """As gcc does; without that the struct would be defined twice."""
    text = "#pragma once\ntypedef struct { int a; } S;\nint f(int n);\n"
    assert parsed('#include "one.h"\n#include "two.h"\n', one=text, two=text).headers == ("header.h", "one.h")


def test_latin_1_text_is_read_as_such(header: Callable[..., HeaderSet]) -> None:
    headers = header("")
    (headers.folder / "header.h").write_bytes(b'#define TEXT "caf\xe9"\n')
    assert parse(headers).macros[0].value == "caf\xe9"


def test_utf_16_is_refused(header: Callable[..., HeaderSet]) -> None:
    headers = header("")
    (headers.folder / "header.h").write_bytes("int f(void);\n".encode("utf-16"))
    with pytest.raises(HeaderParseError, match=r"header\.h:1: the file is UTF-16, which is no C; save it as UTF-8"):
        parse(headers)


def test_several_entries_in_order(header: Callable[..., HeaderSet]) -> None:
    headers = header("int f(void);\n", second="int g(void);\n")
    api = parse(HeaderSet("1.0", headers.folder, ("second.h", "header.h")))
    assert [one.name for one in api.functions] == ["g", "f"]


@pytest.mark.parametrize(
    "data",
    [
        b"/* one */\r\n\r\nint f(void);\r\n",
        b"\xef\xbb\xbf/* byte order mark */\n\nint f(void);\n",
        b"/* latin-1: \xe9 */\n\nint f(void);\n",
        b"/* form\x0cfeed\x0b */ \x0c\n\nint f(void);\n",
        "/* line\u2028separator */\n\nint f(void);\n".encode(),
        b"/* no newline at the end */\n\nint f(void);",
        b"/* NUL */ \0\n\nint f(void);\n",
    ],
    ids=["crlf", "bom", "latin-1", "form feed", "line separator", "no newline", "nul"],
)
def test_line_numbers_are_an_editors(data: bytes, header: Callable[..., HeaderSet]) -> None:
    headers = header("")
    (headers.folder / "header.h").write_bytes(data)
    assert [one.location.line for one in parse(headers).functions] == [3]


def test_conditions_see_linux_and_c(parsed: Callable[..., Api]) -> None:
    api = parsed(
        "#ifdef _WIN32\nint windows(void);\n#endif\n#ifdef __cplusplus\nint cplusplus(void);\n#endif\n"
        "#if defined(__linux__) && __STDC_VERSION__ >= 201112L && defined(__GNUC__)\nint linux_c(void);\n#endif\n"
        "#if 0x10ULL == 16 && 'a' == 97 && -1 / 2 == 0 && UNDEFINED == 0\nint exact(void);\n#endif\n"
    )
    assert [one.name for one in api.functions] == ["linux_c", "exact"]


def test_macros_of_stubs_are_not_the_headers(parsed: Callable[..., Api]) -> None:
    api = parsed("#include <stdint.h>\n#include <limits.h>\n#define MINE INT8_MAX\n")
    assert [(macro.name, macro.value) for macro in api.macros] == [("MINE", 127)]
    assert api.losses == ()


def test_numbers_stay_whole(header: Callable[..., HeaderSet]) -> None:
    source = preprocess(header("1000ULL 0b101 .5f 1.e-3L 0x1p-4 1e5 A1L2 0xE+1 x...y\n"))
    assert [token.text for token in source.tokens] == [
        "1000ULL", "0b101", ".5f", "1.e-3L", "0x1p-4", "1e5", "A1L2", "0xE", "+", "1", "x", "...", "y",
    ]  # fmt: skip


def test_damaged_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cudnn_bindgen import settings

    broken = tmp_path / "cudnn.json"
    broken.write_text("{")
    monkeypatch.setattr(settings, "_FILE", broken)
    cudnn_settings.cache_clear()
    try:
        with pytest.raises(DataFileError, match=r"cudnn\.json is damaged"):
            cudnn_settings()
    finally:
        cudnn_settings.cache_clear()
