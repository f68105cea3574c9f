"""Damaged headers: whatever stands in a header, the answer is a model or one typed error that names a place."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

import pytest
from cudnn_bindgen.errors import BindgenError, HeaderParseError
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.parse import parse
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = Path(__file__).parent / "cases"
TEXTS = [path.read_text() for path in sorted(CASES.glob("*.h")) if "nested_deeply" not in path.name]
WORDS = sorted({word for text in TEXTS for word in re.findall(r"\w+|[^\w\s]|\n#\s*\w+", text)})


def _parse(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "header.h").write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            parse(HeaderSet("1.0.0", Path(folder), ("header.h",)), documentation=True)
        except BindgenError as error:
            caught: BindgenError | None = error
        else:
            caught = None
    if isinstance(caught, HeaderParseError):
        assert caught.file
        assert 0 <= caught.line <= text.count("\n") + 1 or caught.file != "header.h"
        assert "\n" not in caught.message


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A header of the cases with words taken out, put in, doubled or exchanged."""
    pieces = re.findall(r"\s+|\w+|[^\w\s]", draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(pieces) - 1, 0)))
        how = draw(st.sampled_from(["take", "put", "double", "exchange", "cut"]))
        if how == "put" or not pieces:
            pieces.insert(place, " " + draw(st.sampled_from(WORDS)) + " ")
        elif how == "take":
            del pieces[place]
        elif how == "double":
            pieces.insert(place, pieces[place])
        elif how == "exchange":
            pieces[place] = draw(st.sampled_from(WORDS))
        else:
            del pieces[place:]
    return "".join(pieces)


@given(damaged())
@settings(max_examples=400)
def test_damaged_header(text: str) -> None:
    _parse(text)


@given(st.text(st.sampled_from("abc_ \n\t#()[]{}*;,=\"'\\/<>0123.?:&|^~-+!\0\x7f\xe9"), max_size=60))
@settings(max_examples=200)
def test_garbage(text: str) -> None:
    _parse(text)


@pytest.mark.parametrize("seed", range(3))
def test_words_in_any_order(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(30):
        _parse(" ".join(source.choices(WORDS, k=source.randint(1, 30))))
