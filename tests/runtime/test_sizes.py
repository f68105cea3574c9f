from __future__ import annotations

import pytest
from cudnnkit.sizes import format_bytes, parse_bytes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("4096", 4096),
        ("256 MiB", 268_435_456),
        ("256mib", 268_435_456),
        (" 1.5 GB ", 1_500_000_000),
        ("2 TiB", 2_199_023_255_552),
        ("9007199254740993", 9_007_199_254_740_993),  # 2**53 + 1: a float would lose the last bit
        ("0.1 kB", 100),
    ],
)
def test_parse(text: str, expected: int) -> None:
    assert parse_bytes(text) == expected


@pytest.mark.parametrize("text", ["", "MiB", "-1", "1 GiBs", "1,5 GB", "0x10", "1e9", "nan", "10%"])
def test_parse_refuses_and_quotes(text: str) -> None:
    with pytest.raises(ValueError, match="is no size; write one like") as caught:
        parse_bytes(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (934_281_216, "891 MiB"),
        (2**60, "1048576 TiB"),
    ],
)
def test_format(count: int, expected: str) -> None:
    assert format_bytes(count) == expected
