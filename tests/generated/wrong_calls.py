"""Calls every function of a library with a wrong value in each place: ``wrong_calls.py LIBRARY OTHER [right]``.

Runs as a process of its own, which tells by its exit status whether a call crashed. Prints a line for each call that
raised something other than the bindings' own exceptions, and at last the number of calls. A library that stands in for
cuDNN and does nothing takes the calls that need a GPU as well; then right values must pass (``right``).
"""

from __future__ import annotations

import contextlib
import dataclasses
import decimal
import inspect
import sys
from typing import Any

import cudnn_ffi

lib, other = (cudnn_ffi.load(path) for path in sys.argv[1:3])
enums, classes = lib.enums, lib.descriptors


def made_by(library: Any) -> list[Any]:
    """One object of each of several kinds."""
    backend = library.backend_create_descriptor(library.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    return [
        backend,
        library.create_tensor_descriptor(),
        library.create_filter_descriptor(),
        library.create_convolution_descriptor(),
        library.create_rnn_descriptor(),
    ]


closed = lib.create_tensor_descriptor()
closed.close()
own, strange = made_by(lib), made_by(other)
WRONG: list[Any] = [
    None,
    "text",
    "\udc80",
    b"text",
    1.5,
    decimal.Decimal("1.5"),
    2**70,
    -(2**70),
    [],
    [1],
    ["a"] * 4,
    [2**70] * 4,
    [None] * 4,
    [1] * 50,
    {1: 2},
    object(),
    int,
    lambda: None,
    *own,
    *strange,
    closed,
    [own[1]] * 4,
    [strange[1]] * 4,
    [closed] * 4,
    lib,
    lib._ffi.cast("int", 3),
    enums.Status.BAD_PARAM,
    enums.DataType,
    bytearray(4),
]
ready = [*own]  # and one of each kind that can be had without a GPU
for c_name, method_name in lib._tables.methods.items():
    if c_name.startswith("cudnnCreate"):
        for given in ((), (1,), (own[-1], 1, 0)):
            with contextlib.suppress(cudnn_ffi.CudnnFfiError, TypeError):
                made = getattr(lib, method_name)(*given)
                ready += made if isinstance(made, list) else [made]
SIMPLE: dict[str, Any] = {"int": 1, "float": 1.0, "str": "x", "DevicePointer": 4096, "Stream": 0}


def right(annotation: str) -> Any:
    """A value of the annotated type, None where there is none to be had without a GPU."""
    word = annotation.split("|")[0].strip()
    if "None" in annotation:
        return None
    if word.startswith("Sequence["):
        return [right(annotation[len("Sequence[") : -1])] * 4
    if word in SIMPLE:
        return SIMPLE[word]
    if hasattr(enums, word):
        return next(iter(getattr(enums, word)))
    if word.removeprefix("structs.") in lib.structs.__all__:
        word = word.removeprefix("structs.")
        kinds = [str(one.type) for one in dataclasses.fields(getattr(lib.structs, word))]
        return getattr(lib.structs, word)(*(None if "None" in kind else right(kind) for kind in kinds))
    return next((one for one in ready if isinstance(one, getattr(classes, word, ()))), None)


calls = 0
all_right = len(sys.argv) > 3  # right values must pass as well


def attempt(
    name: str, method: Any, places: list[inspect.Parameter], values: list[Any], *, right_ones: bool = False
) -> None:
    global calls
    calls += 1
    given = [value for place, value in zip(places, values, strict=True) if place.kind is not place.KEYWORD_ONLY]
    named = {place.name: value for place, value in zip(places, values, strict=True) if place.kind is place.KEYWORD_ONLY}
    try:
        method(*given, **named)
    except cudnn_ffi.CudnnFfiError as error:
        if right_ones:
            print(f"{name}: {error}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}: {values!a}")


for c_name, method_name in lib._tables.methods.items():
    if "Destroy" in c_name:
        continue
    method = getattr(lib, method_name)
    places = list(inspect.signature(method).parameters.values())
    values = [right(str(place.annotation)) for place in places]
    attempt(c_name, method, places, values, right_ones=all_right)
    for index in range(len(places)):
        for wrong in WRONG:
            attempt(c_name, method, places, [*values[:index], wrong, *values[index + 1 :]])
for c_name, method_name in lib._tables.methods.items():
    if "Destroy" in c_name:
        kind = next(iter(inspect.signature(getattr(lib, method_name)).parameters.values()))
        for wrong in WRONG:
            if type(wrong).__name__ != str(kind.annotation) or wrong in strange:
                attempt(c_name, getattr(lib, method_name), [kind], [wrong])
print(calls)
