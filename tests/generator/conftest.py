"""What the tests of the generator share: small header sets, and a C compiler as an independent judge of the model."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import cudnn_bindgen
import pytest
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import Api, Field, Named, Pointer, Record, declare
from cudnn_bindgen.parse import parse

STUBS = Path(cudnn_bindgen.__file__).parent / "stubs"


@pytest.fixture
def header(tmp_path: Path) -> Callable[..., HeaderSet]:
    """Write header text (``name=text`` for more than one file) and answer a header set of it."""

    def write(text: str, name: str = "header.h", **others: str) -> HeaderSet:
        (tmp_path / name).write_text(text)
        for stem, content in others.items():
            (tmp_path / f"{stem}.h").write_text(content)
        return HeaderSet("1.0.0", tmp_path, (name,))

    return write


@pytest.fixture
def parsed(header: Callable[..., HeaderSet]) -> Callable[..., Api]:
    """Parse header text."""
    return lambda text, **others: parse(header(text, **others))


@pytest.fixture(scope="session")
def compiler_facts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Api, HeaderSet], dict[str, str]]:
    """Compile a C program against the real headers, and answer what the compiler makes of everything in a model.

    Values, sizes, offsets and bit positions are printed by the program; a type or signature that differs from the
    header's own does not compile.
    """

    def judge(api: Api, headers: HeaderSet) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("judge")
        source = folder / "facts.c"
        source.write_text(_program(api, headers))
        program = folder / "facts"
        command = ["gcc", "-std=gnu2x", "-w", f"-I{STUBS}", f"-I{headers.folder}", str(source), "-o", str(program)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr[:2000]
        printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
        rows = dict(line.split("\t", 1) for line in printed.splitlines())
        return {name: float.fromhex(text).hex() if "0x" in text else text for name, text in rows.items()}

    return judge


def model_facts(api: Api) -> dict[str, str]:
    """What the model says, in the form of `compiler_facts`."""
    found: dict[str, str] = {}
    for enum in api.enums:
        for one in enum.enumerators:
            found[one.name] = str(one.value)
    for macro in api.macros:
        if isinstance(macro.value, str):
            found[macro.name] = macro.value.encode("latin-1").hex()
        else:
            found[macro.name] = macro.value.hex() if isinstance(macro.value, float) else str(macro.value)
    for record in _spellable(api):
        name = _spelling(record)
        found[name] = f"{record.size} {record.alignment}"
        for path, field, offset in _paths(api, record, "", 0):
            if field.bits is not None:
                found[f"{name}.{path}"] = f"bit {offset * 8 + (field.bit_offset or 0)} {field.bits}"
            else:
                found[f"{name}.{path}"] = f"{offset} {field.size}"
    return found


def _spelling(record: Record) -> str:
    return record.name if record.typedef else f"{record.kind} {record.tag}"


def _spellable(api: Api) -> Iterator[Record]:
    for record in api.records:
        if record.typedef or record.tag:
            yield record


def _paths(api: Api, record: Record, prefix: str, base: int) -> Iterator[tuple[str, Field, int]]:
    """Every field that C can spell, through members without a type name; with its path and offset."""
    for field in record.fields:
        inner = None
        if isinstance(field.type, Named):
            names = field.type.name
            inner = next((one for one in api.records if one.name == names and not one.typedef and not one.tag), None)
        if field.name:
            yield f"{prefix}{field.name}", field, base + field.offset
        if inner is not None:
            deeper = f"{prefix}{field.name}." if field.name else prefix
            yield from _paths(api, inner, deeper, base + field.offset)


_NUMBER = (
    'printf("%s\\t%s%llu\\n", "{0}", ({0}) < 0 ? "-" : "", '
    "({0}) < 0 ? 0ull - (unsigned long long)({0}) : (unsigned long long)({0}));"
)


def _program(api: Api, headers: HeaderSet) -> str:
    lines = [f'#include "{name}"' for name in headers.entry]
    lines += ["int printf(const char *, ...);", "void *memset(void *, int, unsigned long);"]
    lines += [f"extern {function}" for function in api.functions]
    body: list[str] = []
    for enum in api.enums:
        body += [_NUMBER.format(one.name) for one in enum.enumerators]
    for macro in api.macros:
        if isinstance(macro.value, str):
            body.append(
                f'printf("{macro.name}\\t"); for (unsigned i = 0; i + 1 < sizeof({macro.name}); i++) '
                f'printf("%02x", (unsigned char){macro.name}[i]); printf("\\n");'
            )
        elif isinstance(macro.value, float):
            body.append(f'printf("{macro.name}\\t%a\\n", (double)({macro.name}));')
        else:
            body.append(_NUMBER.format(macro.name))
    for record in _spellable(api):
        name = _spelling(record)
        body.append(f'printf("{name}\\t%zu %zu\\n", sizeof({name}), _Alignof({name}));')
        for path, field, _ in _paths(api, record, "", 0):
            body.append(_bits(name, path) if field.bits is not None else _offset(name, path, field))
    for handle in api.handles:
        target = f"{handle.target} *" if handle.pointer else handle.target
        body.append(f'_Static_assert(__builtin_types_compatible_p({handle.name}, {target}), "{handle.name}");')
    for callback in api.callbacks:
        ctype = Pointer(callback.type) if callback.pointer else callback.type
        body.append(f'_Static_assert(__builtin_types_compatible_p({callback.name}, {ctype}), "{callback.name}");')
    unspellable = {record.name for record in api.records if not record.typedef and not record.tag}
    for alias in api.aliases:
        if unspellable & set(re.findall(r"\w+", str(alias.type))):
            continue
        body.append(
            f'_Static_assert(__builtin_types_compatible_p({alias.name}, {declare(alias.type, "")}), "{alias.name}");'
        )
    return "\n".join([*lines, "int main(void) {", *body, "return 0; }"]) + "\n"


def _offset(name: str, path: str, field: Field) -> str:
    size = "0ul" if str(field.type).endswith("[]") else f"sizeof((({name} *)0)->{path})"
    return f'printf("{name}.{path}\\t%zu %zu\\n", __builtin_offsetof({name}, {path}), {size});'


def _bits(name: str, path: str) -> str:
    """Set the bit-field to all ones and look which bits of the struct have become one."""
    return (
        f"{{ union {{ {name} s; unsigned char b[sizeof({name})]; }} u; memset(&u, 0, sizeof u); u.s.{path} = -1; "
        "int first = -1, count = 0; for (unsigned i = 0; i < 8 * sizeof u; i++) if (u.b[i / 8] >> i % 8 & 1) "
        f'{{ if (first < 0) first = i; count++; }} printf("{name}.{path}\\tbit %d %d\\n", first, count); }}'
    )


@pytest.fixture(scope="session")
def check_with_compiler(
    compiler_facts: Callable[[Api, HeaderSet], dict[str, str]],
) -> Callable[[Api, HeaderSet], dict[str, str]]:
    """Assert that the compiler says of everything in a model what the model says; answers the facts."""

    def check(api: Api, headers: HeaderSet) -> dict[str, str]:
        said, meant = compiler_facts(api, headers), model_facts(api)
        assert said == meant
        return said

    return check
