"""Calls every function of a library with a wrong value in each place: ``python wrong_calls.py LIBRARY OTHER_LIBRARY``.

Runs as a process of its own, which tells by its exit status whether a call crashed. Prints a line for each call that
raised something other than the bindings' own exceptions, and at last the number of calls.
"""

from __future__ import annotations

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
    return next((one for one in own if isinstance(one, getattr(classes, word, ()))), None)


calls = 0


def attempt(name: str, method: Any, places: list[inspect.Parameter], values: list[Any]) -> None:
    global calls
    calls += 1
    given = [value for place, value in zip(places, values, strict=True) if place.kind is not place.KEYWORD_ONLY]
    named = {place.name: value for place, value in zip(places, values, strict=True) if place.kind is place.KEYWORD_ONLY}
    try:
        method(*given, **named)
    except cudnn_ffi.CudnnFfiError as error:
        str(error)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}: {values!a}")


for c_name, method_name in lib._tables.methods.items():
    if "Destroy" in c_name:
        continue
    method = getattr(lib, method_name)
    places = list(inspect.signature(method).parameters.values())
    values = [right(str(place.annotation)) for place in places]
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
