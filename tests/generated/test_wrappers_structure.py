"""The committed bindings against the committed history: nothing is missing, and everything is as the facts say."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import cudnn_ffi
import pytest
from cudnn_bindgen.facts import FunctionFacts, ParameterFacts
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import function_facts
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Array, Function, Named, Parameter, Pointer
from cudnn_bindgen.versions import Version

HISTORY = History.load()
MAJORS = (8, 9)
LINES: dict[int, Line] = {major: HISTORY.line(major) for major in MAJORS}


def package(major: int) -> ModuleType:
    return importlib.import_module(f"cudnn_ffi.v{major}")


def library_class(major: int) -> Any:
    return package(major).Library


# --- nothing is missing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", HISTORY.versions)
def test_every_function_of_every_version_has_a_wrapper(version: str) -> None:
    cls = library_class(Version(version).major)
    for function in HISTORY.api(version).functions:
        method = getattr(cls, cls._tables.methods[function.name])
        assert callable(method)
        assert f"``{function.name}``" in (method.__doc__ or "")


@pytest.mark.parametrize("major", MAJORS)
def test_no_two_functions_share_a_method(major: int) -> None:
    methods = library_class(major)._tables.methods
    assert len(set(methods.values())) == len(methods) == len(LINES[major].api.functions)


@pytest.mark.parametrize("major", MAJORS)
def test_names_lead_back_to_c(major: int) -> None:
    names = package(major).tables.C_NAMES
    assert names["set_tensor4d_descriptor"] == "cudnnSetTensor4dDescriptor"
    assert names["DataType"] == "cudnnDataType_t"
    assert names["TensorDescriptor"] == "cudnnTensorDescriptor_t"
    assert names["ConvolutionFwdAlgoPerf"] == "cudnnConvolutionFwdAlgoPerf_t"


@pytest.mark.parametrize("version", HISTORY.versions)
def test_every_enumerator_of_every_version_is_a_member(version: str) -> None:
    major = Version(version).major
    enums, line = package(major).enums, LINES[major]
    classes = {getattr(enums, name).__c_type__: getattr(enums, name) for name in enums.__all__}
    for enum in HISTORY.api(version).enums:
        cls = classes[enum.name]
        members = {cls.c_name_of(name): int(member) for name, member in cls.__members__.items()}
        for one in enum.enumerators:
            if one.name not in line.moved_values:
                assert members[one.name] == one.value, one.name
            else:
                moves = line.moved_values[one.name]
                assert members[one.name] == moves[-1][1]


@pytest.mark.parametrize("major", MAJORS)
def test_every_status_has_an_exception(major: int) -> None:
    status = next(enum for enum in LINES[major].api.enums if enum.name == "cudnnStatus_t")
    errors = package(major).errors
    for one in status.enumerators:
        if one.value:
            assert errors.STATUS_NAMES[one.value]
            assert f"({one.value})" in (errors.STATUS_ERRORS[one.value].__doc__ or "")
    assert 0 not in errors.STATUS_ERRORS


def test_narrow_statuses_are_kinds_of_the_wide_ones() -> None:
    errors = package(9).errors
    assert issubclass(errors.BadParamNullPointerError, errors.BadParamError)
    assert issubclass(errors.NotSupportedShapeError, errors.NotSupportedError)
    assert not issubclass(errors.BadParamError, errors.NotSupportedError)


# --- types and layouts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("major", MAJORS)
def test_cffi_lays_structs_out_as_the_model(major: int) -> None:
    ffi = importlib.import_module(f"cudnn_ffi.v{major}._cffi").ffi
    line = LINES[major]
    forms = [(record.name if record.typedef else f"{record.kind} {record.tag}", record) for record in line.api.records]
    for name, moves in line.moved_records.items():
        forms += [(f"{name}__{since.replace('.', '_')}", record) for since, record in moves[:-1]]
    for name, record in forms:
        assert (ffi.sizeof(name), ffi.alignof(name)) == (record.size, record.alignment), name
        for field in record.fields:
            assert ffi.offsetof(name, field.name) == field.offset, f"{name}.{field.name}"


@pytest.mark.parametrize("major", MAJORS)
def test_cffi_knows_enumerators_that_did_not_move(major: int) -> None:
    ffi = importlib.import_module(f"cudnn_ffi.v{major}._cffi").ffi
    line = LINES[major]
    for enum in line.api.enums:
        known = ffi.typeof(enum.name).relements
        for one in enum.enumerators:
            assert known.get(one.name) == (None if one.name in line.moved_values else one.value), one.name


@pytest.mark.parametrize("major", MAJORS)
def test_result_classes_are_frozen_and_slotted(major: int) -> None:
    classes = [getattr(package(major).structs, name) for name in package(major).structs.__all__]
    for path in (Path(cudnn_ffi.__file__).parent / f"v{major}" / "results").glob("[a-z]*.py"):
        module = importlib.import_module(f"cudnn_ffi.v{major}.results.{path.stem}")
        classes += [getattr(module, name) for name in module.__all__]
    assert len(classes) > 30
    for cls in classes:
        assert dataclasses.is_dataclass(cls)
        assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert "__slots__" in vars(cls)


# --- signatures -----------------------------------------------------------------------------------------------------


def functions(major: int) -> Iterator[tuple[Function, FunctionFacts, inspect.Signature]]:
    line, cls = LINES[major], library_class(major)
    facts = function_facts(line.api)
    for function in line.api.functions:
        yield function, facts[function.name], inspect.signature(getattr(cls, cls._tables.methods[function.name]))


def is_given(parameter: Parameter, fact: ParameterFacts, facts: FunctionFacts) -> bool:
    """Whether a caller of the wrapper gives a value for a C parameter: the contract in words of its own."""
    if fact.role == "count" and fact.direction == "in":
        counted = [one for one in facts.parameters if one.count == fact.name]
        return not any(one.direction != "out" and one.role in ("array", "device_pointer_array") for one in counted)
    if fact.direction != "out":
        return True
    by_value = not isinstance(parameter.type, Pointer | Array)
    if fact.role == "handle":
        return by_value
    if fact.role == "device_pointer":
        return not isinstance(parameter.type, Pointer) or not isinstance(parameter.type.target, Pointer)
    return fact.role == "host_buffer"


@pytest.mark.parametrize("major", MAJORS)
def test_signatures_take_what_the_facts_say(major: int) -> None:
    for function, facts, signature in functions(major):
        expected = [
            parameter
            for parameter, fact in zip(function.parameters, facts.parameters, strict=True)
            if is_given(parameter, fact, facts)
        ]
        found = [name for name in signature.parameters if name != "self"]
        plain = [name.replace("_", "") for name in found]
        assert sorted(plain) == sorted(one.name.replace("_", "").lower() for one in expected), function.name


@pytest.mark.parametrize("major", MAJORS)
def test_annotations_say_what_the_facts_say(major: int) -> None:
    for function, facts, signature in functions(major):
        by_name = {name.replace("_", ""): one for name, one in signature.parameters.items()}
        for parameter, fact in zip(function.parameters, facts.parameters, strict=True):
            python = by_name.get(parameter.name.replace("_", "").lower())
            if python is None:
                continue
            annotation, where = str(python.annotation), f"{function.name}({parameter.name})"
            optional = annotation.endswith("| None")
            if fact.role in ("handle", "library_handle") and isinstance(parameter.type, Named):
                assert annotation.startswith(parameter.type.name.removeprefix("cudnn").removesuffix("_t")), where
                assert optional == fact.nullable, where
            elif fact.role == "device_pointer":
                assert annotation == ("DevicePointer | None" if fact.nullable else "DevicePointer"), where
            elif fact.role == "host_scalar":
                assert annotation.split(" ")[0] == "float", where
            elif fact.role == "array":
                assert annotation.startswith("Sequence["), where
                assert optional == fact.nullable, where
            elif fact.role == "enum":
                assert annotation.endswith("| int"), where
            elif fact.role == "size":
                assert annotation == "int", where


@pytest.mark.parametrize("major", MAJORS)
def test_wrappers_that_find_ask_for_all_by_default(major: int) -> None:
    finders = [facts.name for _, facts, _ in functions(major) if facts.family in ("find", "find_ex", "get_v7")]
    cls = library_class(major)
    assert len(finders) >= 9
    for name in finders:
        signature = inspect.signature(getattr(cls, cls._tables.methods[name]))
        assert str(signature.return_annotation).startswith("list["), name
        if "RNN" not in name:  # there the caller brings the objects that receive the results
            assert signature.parameters["requested_algo_count"].default is None


# --- the package as a whole -----------------------------------------------------------------------------------------


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_the_package_imports_no_line_and_no_cffi() -> None:
    found = run("import sys, cudnn_ffi; print([n for n in sys.modules if 'cffi' in n or '.v9' in n or '.v8' in n])")
    assert found == "[]"


def test_a_line_needs_nothing_but_cffis_backend() -> None:
    program = (
        "import sys\n"
        "for name in ('cffi', 'numpy', 'pycparser', 'cudnn_bindgen', 'jinja2'): sys.modules[name] = None\n"
        "import cudnn_ffi.v9._cffi, cudnn_ffi.v9.structs, cudnn_ffi.v8\n"
        "print('fine')"
    )
    assert run(program) == "fine"


def test_structs_and_results_are_imported_when_first_used() -> None:
    found = run("import sys, cudnn_ffi.v9; print([n for n in sys.modules if 'structs' in n or '.results' in n])")
    assert found == "[]"


def test_importing_the_package_imports_little() -> None:
    """Asked of an isolated interpreter, which has none of it before."""
    code = f"""if True:
        import sys
        before = set(sys.modules)
        sys.path.insert(0, {str(Path(cudnn_ffi.__file__).parents[1])!r})
        import cudnn_ffi
        heavy = ("dataclasses", "inspect", "logging", "pathlib", "importlib.util", "cffi", "_cffi_backend")
        print([name for name in heavy if name in sys.modules and name not in before])
    """
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
