"""Facts of whole interfaces: headers in the style of cuDNN 7, and what a getter has in common with its setter."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import cudnn_bindgen
import pytest
from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.headers import locate
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import function_facts, lifecycles
from cudnn_bindgen.parse import parse

SEVEN = Path(__file__).parent / "headers" / "cudnn7_style"


@cache
def seven() -> dict[str, FunctionFacts]:
    return function_facts(parse(locate(SEVEN)))


def row(facts: FunctionFacts, name: str) -> tuple[str, str, str | None, str | None]:
    one = next(parameter for parameter in facts.parameters if parameter.name == name)
    return one.direction, one.role, one.count, one.returned_count


def test_the_header_is_c() -> None:
    stubs = Path(cudnn_bindgen.__file__).parent / "stubs"
    command = ["gcc", "-fsyntax-only", "-Wall", "-Werror", f"-I{stubs}", "-x", "c", str(SEVEN / "cudnn.h")]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("name", "passes"),
    [
        ("cudnnGetConvolutionForwardAlgorithm", "forward"),
        ("cudnnGetConvolutionBackwardDataAlgorithm", "backward_data"),
        ("cudnnGetConvolutionBackwardFilterAlgorithm", "backward_filter"),
    ],
)
def test_the_old_heuristic_answers_one_algorithm(name: str, passes: str) -> None:
    facts = seven()[name]
    assert (facts.family, facts.operation, facts.passes) == ("get_algorithm", "Convolution", passes)
    assert [(one.name, one.direction, one.role) for one in facts.parameters[-3:]] == [
        ("preference", "in", "enum"),
        ("memoryLimitInBytes", "in", "size"),
        ("algo", "out", "enum"),
    ]


def test_searches_of_recurrent_networks() -> None:
    found = {name for name, one in seven().items() if one.family == "find_ex" and one.operation == "RNN"}
    directions = ("ForwardInference", "ForwardTraining", "BackwardData", "BackwardWeights")
    assert found == {f"cudnnFindRNN{one}AlgorithmEx" for one in directions}
    assert {name for name, one in seven().items() if one.family == "max_count" and one.operation == "RNN"} == {
        f"cudnnGetRNN{one}AlgorithmMaxCount" for one in directions
    }
    facts = seven()["cudnnFindRNNForwardInferenceAlgorithmEx"]
    assert row(facts, "xDesc") == row(facts, "yDesc") == ("in", "array", "seqLength", None)
    assert row(facts, "seqLength") == ("in", "count", None, None)
    assert row(facts, "findIntensity") == ("in", "scalar", None, None)
    assert row(facts, "perfResults") == ("inout", "array", "requestedAlgoCount", "returnedAlgoCount")
    assert row(facts, "workspace") == ("inout", "device_pointer", None, None)
    assert row(seven()["cudnnFindRNNBackwardWeightsAlgorithmEx"], "dw")[0] == "inout"


@pytest.mark.parametrize("suffix", ["", "_v5", "_v6"])
def test_the_old_descriptor_of_recurrent_networks(suffix: str) -> None:
    facts = seven()[f"cudnnSetRNNDescriptor{suffix}"]
    assert (facts.family, facts.handle) == ("set", "cudnnRNNDescriptor_t")
    assert row(facts, "rnnDesc")[:2] == ("inout", "handle")
    assert row(facts, "hiddenSize")[:2] == ("in", "scalar")
    assert row(facts, "dropoutDesc")[:2] == ("in", "handle")
    assert [one.role for one in facts.parameters].count("library_handle") == (suffix != "_v5")


def test_old_algorithm_objects() -> None:
    made = seven()["cudnnCreateAlgorithmPerformance"]
    assert row(made, "algoPerf") == ("out", "created", "numberToCreate", None)
    assert row(seven()["cudnnDestroyAlgorithmPerformance"], "algoPerf") == ("in", "array", "numberToDestroy", None)
    assert row(seven()["cudnnGetAlgorithmDescriptor"], "algorithm")[:2] == ("out", "record")
    assert row(seven()["cudnnSetAlgorithmDescriptor"], "algorithm")[:2] == ("in", "record")
    assert row(seven()["cudnnSaveAlgorithm"], "algoSpace") == ("out", "host_buffer", "algoSpaceSizeInBytes", None)
    plan = seven()["cudnnCreatePersistentRNNPlan"]
    assert (plan.family, plan.handle) == ("create", "cudnnPersistentRNNPlan_t")
    assert row(plan, "plan")[:2] == ("out", "created")
    assert row(plan, "rnnDesc")[:2] == ("in", "handle")


def test_every_old_object_is_freed() -> None:
    creates = {one.handle for one in seven().values() if any(p.role == "created" for p in one.parameters)}
    assert creates == set(lifecycles(seven()))
    assert len(creates) == 14


MIRRORED = {  # parameter of a getter, parameter of its setter that means the same
    "strideA": "filterStrideA",
    "lrnN": "lrnN",
}


@pytest.mark.parametrize("version", ["8.9.7.29", "9.28.1.4"])
def test_a_getter_answers_what_its_setter_takes(version: str) -> None:
    api = History.load(None).api(version)
    facts = function_facts(api)
    compared = 0
    for name, setter in facts.items():
        getter = facts.get(name.replace("Set", "Get"))
        if setter.family != "set" or getter is None or getter.name == name:
            continue
        given = {one.name: one for one in setter.parameters}
        for answer in getter.parameters:
            source = given.get(answer.name) or given.get(MIRRORED.get(answer.name, ""))
            if answer.direction != "out" or source is None:
                continue
            compared += 1
            same = {answer.role, source.role} - {"count", "scalar", "size"}
            assert source.direction != "out", (name, answer.name)
            assert len(same) <= 1, (name, answer.name)
            assert answer.typed_by == source.typed_by or getter.name == "cudnnGetFusedOpsConstParamPackAttribute"
    assert compared > 100


def test_no_parameter_of_any_version_is_left_to_chance() -> None:
    history = History.load(None)
    for version in history.versions:
        for facts in function_facts(history.api(version)).values():
            names = {one.name for one in facts.parameters}
            for one in facts.parameters:
                assert one.rule
                pointers = {"array", "record", "host_scalar", "host_buffer", "created", "device_pointer", "string"}
                assert one.memory is not None or one.role not in pointers - {"record"}
                for other in (one.count, one.returned_count, one.typed_by):
                    assert other is None or other in names or other.isdigit(), (facts.name, one)
                assert one.role != "host_scalar" or one.typed_by
                assert one.role != "array" or one.direction == "in" or one.count, (facts.name, one)
