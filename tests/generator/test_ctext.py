"""C text back into types: whatever the model prints is read as what it was printed from."""

from __future__ import annotations

import pytest
from cudnn_bindgen import layout
from cudnn_bindgen.ctext import read_declaration, read_type
from cudnn_bindgen.model import Array, CType, FunctionType, Named, Pointer, Primitive, declare
from hypothesis import given
from hypothesis import strategies as st

INT, CHAR = Primitive("int"), Primitive("char")

NAMES = st.from_regex(r"[a-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in {"const", "volatile", "restrict", "struct", "union", "enum"}
)
FLAGS = st.booleans()
PRIMITIVES = st.sampled_from(list(layout.PRIMITIVES))
OBJECTS: st.SearchStrategy[CType] = st.one_of(
    st.builds(Primitive, PRIMITIVES, FLAGS, FLAGS),
    st.builds(
        Named, NAMES.map(lambda name: f"{name}_t"), st.sampled_from(["", "struct", "union", "enum"]), FLAGS, FLAGS
    ),
)


def functions(inner: st.SearchStrategy[CType]) -> st.SearchStrategy[FunctionType]:
    """Functions return neither arrays nor functions, and have a parameter before an ellipsis."""
    returns = inner.filter(lambda one: not isinstance(one, Array | FunctionType))
    taken = st.lists(inner.filter(lambda one: one != Primitive("void")), max_size=3).map(tuple)
    return st.builds(lambda r, p, v: FunctionType(r, p, v and bool(p)), returns, taken, FLAGS)


TYPES: st.SearchStrategy[CType] = st.recursive(
    OBJECTS,
    lambda inner: st.one_of(
        st.builds(Pointer, st.one_of(inner, functions(inner)), FLAGS, FLAGS, FLAGS),
        st.builds(Array, inner, st.one_of(st.none(), st.integers(0, 99))),
    ),
    max_leaves=8,
)


@given(TYPES, st.one_of(st.just(""), NAMES.map(lambda name: f"{name}_p")))
def test_what_the_model_prints_is_read_back(ctype: CType, name: str) -> None:
    assert read_declaration(declare(ctype, name))[:2] == (name, ctype)


@given(functions(TYPES))
def test_function_types_are_read_back(ctype: FunctionType) -> None:
    assert read_type(str(ctype)) == ctype


@pytest.mark.parametrize(
    ("text", "name", "ctype", "names"),
    [
        ("unsigned long x", "x", Primitive("unsigned long"), ()),
        (
            "const struct s *const *restrict p",
            "p",
            Pointer(Pointer(Named("s", "struct", True), True), restrict=True),
            (),
        ),
        ("int a[2][3]", "a", Array(Array(INT, 3), 2), ()),
        ("int (*a)[3]", "a", Pointer(Array(INT, 3)), ()),
        ("int *a[3]", "a", Array(Pointer(INT), 3), ()),
        ("int (*a[3])(char c)", "a", Array(Pointer(FunctionType(INT, (CHAR,))), 3), ("c",)),
        ("int f(void)", "f", FunctionType(INT), ()),
        ("int f(char, ...)", "f", FunctionType(INT, (CHAR,), True), ("",)),
        (
            "void f(int from, int (*cb)(char x))",
            "f",
            FunctionType(Primitive("void"), (INT, Pointer(FunctionType(INT, (CHAR,))))),
            ("from", "cb"),
        ),
        ("int (*(*g)(char c))[4]", "g", Pointer(FunctionType(Pointer(Array(INT, 4)), (CHAR,))), ("c",)),
    ],
)
def test_by_hand(text: str, name: str, ctype: CType, names: tuple[str, ...]) -> None:
    assert read_declaration(text) == (name, ctype, names)


@pytest.mark.parametrize("text", ["", "int f(", "int f(char", "int x y", "int a[", "int a[n]", "const", "int (*f)(int"])
def test_what_is_no_declaration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no declaration that the model prints|invalid literal"):
        read_declaration(text)
