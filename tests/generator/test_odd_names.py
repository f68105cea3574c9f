"""Headers and types with names that nobody has thought of: every function still has its place in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from cudnn_bindgen.generate import lines_of
from cudnn_bindgen.headers import locate
from cudnn_bindgen.parse import parse
from cudnn_bindgen.render import render

VERSION = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 2\n"


def _rendered(folder: Path, declarations: str, **headers: str) -> dict[str, str]:
    (folder / "cudnn.h").write_text(VERSION + declarations)
    for name, text in headers.items():
        (folder / name).write_text(text)
    return render(lines_of([parse(locate(folder))]), command="test", formatted=False)


def _methods(files: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Module, class and method of every wrapper."""
    for name, text in files.items():
        if name.endswith(".py"):
            tree = ast.parse(text, name)
            if name.startswith("v9/functions/"):
                for one in tree.body:
                    if isinstance(one, ast.ClassDef):
                        yield from (
                            (Path(name).stem, one.name, method.name)
                            for method in one.body
                            if isinstance(method, ast.FunctionDef)
                        )


@pytest.mark.parametrize(
    ("header", "module", "class_name"),
    [
        ("cudnn_import.h", "import_", "ImportFunctions"),
        ("cudnn_3d.h", "header_3d", "Header3dFunctions"),
        ("cudnn_\u00b2.h", "functions", "FunctionsFunctions"),
        ("cudnn___init__.h", "init__", "InitFunctions"),
        ("cudnn_a-b.c.h", "a_b", "ABFunctions"),
    ],
)
def test_a_headers_name_becomes_a_modules(tmp_path: Path, header: str, module: str, class_name: str) -> None:
    files = _rendered(tmp_path, "int cudnnOld(void);\n", **{header: "int cudnnNew(int a);\n"})
    assert set(_methods(files)) == {("cudnn", "CudnnFunctions", "old"), (module, class_name, "new")}


def test_a_header_called_like_a_part_of_another(tmp_path: Path) -> None:
    """A header with too many functions for one module is split by subject, and a subject may be a header's name too."""
    create = "".join(
        f"int cudnnSetTensorDescriptorPart{number}(cudnnTensorDescriptor_t d, int a, int b);\n" for number in range(60)
    )
    types = "typedef struct t *cudnnTensorDescriptor_t;\ntypedef struct f *cudnnFilterDescriptor_t;\n"
    others = "".join(
        f"int cudnnSetFilterDescriptorPart{number}(cudnnFilterDescriptor_t d, int a, int b);\n" for number in range(60)
    )
    big = f"{types}{create}{others}"
    files = _rendered(
        tmp_path, '#include "cudnn_ops.h"\n', **{"cudnn_ops.h": big, "cudnn_ops_tensor.h": "int cudnnNew(int a);\n"}
    )
    methods = list(_methods(files))
    modules = {module for module, _, _ in methods}
    assert {"ops_tensor", "ops_tensor_2"} <= modules
    assert len({name for _, _, name in methods}) == 121


@pytest.mark.parametrize("name", ["cudnn_\n.h", 'cudnn_"x".h', "cudnn_\udcff.h"], ids=["line end", "quote", "no text"])
def test_a_header_that_no_include_can_name_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "cudnn.h").write_text(VERSION)
    (tmp_path / name).write_text("int cudnnNew(int a);\n")
    assert locate(tmp_path).skipped == ((name, "no #include can name it"),)


def test_types_that_begin_with_a_digit(tmp_path: Path) -> None:
    files = _rendered(
        tmp_path,
        "typedef struct { int a; } cudnn3DShape_t;\ntypedef struct x *cudnn2D_t;\n"
        "typedef enum { ONE, TWO } cudnn1D_t;\n"
        "int cudnn3D(const cudnn3DShape_t *a, cudnn2D_t b, cudnn1D_t c);\n",
    )
    classes = {
        one.name
        for module in ("structs", "descriptors", "enums")
        for one in ast.parse(files[f"v9/{module}.py"]).body
        if isinstance(one, ast.ClassDef)
    }
    assert classes >= {"Cudnn3DShape", "Cudnn2D", "Cudnn1D"}
    assert [name for _, _, name in _methods(files)] == ["_3d"]
