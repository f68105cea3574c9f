"""Names that mean something to Python or to the wrappers, called for real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

HEADER = (Path(__file__).parents[1] / "generator" / "render_cases" / "names.h").read_text()
CODE = (
    HEADER
    + """
#include <stddef.h>
size_t cudnnGetVersion(void) { return 90000; }
cudnnStatus_t cudnnReport(int a, int b, int c, int d, int e, int f, int g, int h) {
    return a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h == 8 ? 0 : 4; }
cudnnStatus_t cudnnHas(cudnnThing_t thing, cudnnThing kind, cudnnStream_t stream, const int lambda[3]) {
    return kind == CUDNN_THING_B && stream == CUDNN_STREAM_None && lambda[2] == 30 ? 0 : 4; }
cudnnStatus_t cudnnFill(cudnnFields_t *in, int *status, int *error, int *format, int *import) {
    in->self = 1; in->cls = 2; in->c = 3; in->library = 4; in->class_ = 5; in->type = 6; in->inner.from = 7;
    *status = 8; *error = 9; *format = 10; *import = 11; return 0; }
cudnnStatus_t cudnnTake(const cudnnFields_t *out) {
    return out->self == 1 && out->type == 6 && out->inner.lambda == 0.5f ? 0 : 4; }
int cudnn_version(void) { return 77; }
int cudnnBoth(int number, double *half) { *half = number / 2.0; return number + 1; }
"""
)


def test_names(rendered: Callable[..., ModuleType], compiled: Callable[[str, str], Path]) -> None:
    package = rendered({"9.0.0": f"#include <stddef.h>\n{HEADER}size_t cudnnGetVersion(void);"})
    lib = package.load(compiled(CODE, "libcudnn.so.9"))
    enums, structs = lib._enums_module, lib.structs
    lib.report_(text_=1, requested_=2, results_=3, structs_=4, cls_=5, answer_=6, found_=7, one_=8)
    thing = lib.descriptors.Thing2(lib, lib._ffi.cast("cudnnThing_t", 16))
    lib.has_(thing, enums.Thing.B, enums.Stream2.STREAM_None, lambda_=[10, 20, 30])
    found = lib.fill()
    inside = found.in_
    assert (inside.self, inside.cls, inside.c, inside.library, inside.class_, inside.type) == (1, 2, 3, 4, 5, 6)
    assert inside.inner.from_ == 7
    assert (found.status, found.error, found.format, found.import_) == (8, 9, 10, 11)
    lib.take(structs.Fields(1, 2, 3, 4, 5, 6, structs.Inner(lambda_=0.5)))
    assert lib.version_() == 77
    both = lib.both(5)  # a value of the function's own beside what it writes
    assert (both.answer, both.half) == (6, 2.5)
    assert [member.c_name for member in enums.Lower] == ["first", "name", "value", "known", "mro"]
