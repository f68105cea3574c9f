"""Structs made at random of everything that moves a field, laid out as gcc lays them out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse

PLAIN = (
    "char", "signed char", "short", "unsigned short", "int", "unsigned", "long", "long long", "float", "double",
    "long double", "_Bool", "void *", "__int128", "float _Complex", "low", "high",
)  # fmt: skip
INTEGERS = {
    "char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned": 32, "long": 64,
    "unsigned long long": 64, "_Bool": 1, "low": 32,
}  # fmt: skip
ALIGNED_TYPES = "typedef int low __attribute__((aligned(2)));\ntypedef char high __attribute__((aligned(8)));\n"


class _Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = count(1)

    def sometimes(self, share: float, *texts: str) -> str:
        return self.random.choice(texts) if self.random.random() < share else ""

    def record(self, depth: int) -> str:
        kind = self.random.choice(("struct", "struct", "struct", "union"))
        sizes = [f"aligned({number})" for number in (2, 4, 8, 16)]
        mark = self.sometimes(0.3, "packed", *sizes, "packed, aligned(2)", "packed, aligned(4)")
        fields = " ".join(self.field(depth) for _ in range(self.random.randint(1, 6)))
        return f"{kind} {f'__attribute__(({mark})) ' if mark else ''}{{ {fields} }}"

    def field(self, depth: int) -> str:
        name = f"f{next(self.number)}"
        mark = self.sometimes(0.2, "packed", *(f"aligned({number})" for number in (1, 2, 4, 8, 16, 32)))
        tail = f" __attribute__(({mark}));" if mark else ";"
        chosen = self.random.random()
        if chosen < 0.4:
            base, widest = self.random.choice(list(INTEGERS.items()))
            bits = self.random.randint(0, widest)
            return f"{base} : {bits};" if bits == 0 or chosen < 0.05 else f"{base} {name} : {bits}{tail}"
        if chosen < 0.5 and depth < 2:
            return f"{self.record(depth + 1)} {self.random.choice((name, f'{name}[2]', ''))};"
        base = self.random.choice(PLAIN)
        # gcc refuses an array of a type that is aligned more than it is large.
        array = "" if base == "high" else self.sometimes(0.4, "[3]", "[2][2]")
        return f"{self.sometimes(0.1, '_Alignas(16) ', '_Alignas(32) ')}{base} {name}{array}{tail}"

    def header(self) -> Iterator[str]:
        yield ALIGNED_TYPES
        for number in range(60):
            text = f"typedef {self.record(0)} T{number};"
            pack = self.sometimes(0.4, "1", "2", "4", "8")
            yield f"#pragma pack(push, {pack})\n{text}\n#pragma pack(pop)\n" if pack else f"{text}\n"


@pytest.mark.parametrize("seed", range(4))
def test_layouts_are_the_compilers(
    seed: int, header: Callable[..., HeaderSet], check_with_compiler: Callable[[Api, HeaderSet], dict[str, str]]
) -> None:
    headers = header("".join(_Maker(seed).header()))
    facts = check_with_compiler(parse(headers), headers)
    assert len(facts) > 200
