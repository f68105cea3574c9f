"""Candidates of the graph API: what the heuristic's answers become, replay, faults, plans and their packs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cudnn_ffi import StatusError
from cudnn_ffi.v9 import enums
from cudnnkit.candidates import CandidateId
from cudnnkit.engines import Arguments, graph_engines, offer, rebuild
from cudnnkit.engines.graph_engines import graph_candidates
from cudnnkit.engines.graph_faults import fault
from cudnnkit.engines.graph_plan import GraphPlan, ScaledPlan
from cudnnkit.problem import ConvolutionSpec, Epilogue

from .recorded import Engine, Recorded, RecordedContext, RecordedLibrary
from .test_engines_graph import problem

FORWARD = problem("conv_forward", "x w y")
MANY = tuple((kind, kind * 3) for kind in range(20))


def context(refuse: Any = None, **offers: list[Engine]) -> Any:
    library = RecordedLibrary({"A": [], "FALLBACK": [], **offers})
    if refuse is not None:
        library.refuse = refuse
    return RecordedContext(library)


def labels(found: Any) -> list[str]:
    return [str(one.description.id) for one in found]


def test_modes_follow_each_other_and_each_engine_comes_once() -> None:
    one, two = Engine(62, ((28, 1), (2, 3))), Engine(0)
    found = graph_candidates(FORWARD, context(A=[one, two], FALLBACK=[two, Engine(1)]))
    assert labels(found) == ["graph engine 62 (knobs 2=3, 28=1)", "graph engine 0", "graph engine 1"]
    assert [one.description.rank for one in found] == [0, 1, 2]


def test_one_engine_with_other_knobs_is_another_candidate() -> None:
    found = graph_candidates(FORWARD, context(A=[Engine(62, ((2, 0),)), Engine(62, ((2, 1),))]))
    assert len(found) == 2


def test_where_knobs_are_many_the_first_configurations_and_those_without_knobs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(graph_engines.MOST_CONFIGS) == {"batch_norm_training", "batch_norm_backward"}
    monkeypatch.setitem(graph_engines.MOST_CONFIGS, "conv_forward", 6)
    many = [Engine(0, ((30, value),)) for value in range(9)]
    found = graph_candidates(FORWARD, context(A=many, FALLBACK=[Engine(0)]))
    assert labels(found) == [*(f"graph engine 0 (knobs 30={value})" for value in range(6)), "graph engine 0"]


def test_every_knob_is_read_however_many() -> None:
    (found,) = graph_candidates(FORWARD, context(A=[Engine(5, MANY)]))
    assert found.description.id.knobs == MANY


def test_notes_become_facts_and_unknown_ones_survive() -> None:
    rows = [
        Engine(1, numerical=(0, 4), behaviour=(0, 3), workspace=77),
        Engine(2, numerical=(99,), behaviour=(42,), workspace=None),
    ]
    first, second = (one.description for one in graph_candidates(FORWARD, context(A=rows)))
    assert first.numerical == {"tensor_core", "nondeterministic"}
    assert first.behaviour == {"runtime_compilation", "supports_cuda_graph_native_api"}
    assert (first.deterministic, first.needs_compilation, first.workspace) == (False, True, 77)
    assert (second.numerical, second.behaviour) == ({"note_99"}, {"note_42"})
    assert (second.deterministic, second.needs_compilation, second.workspace) == (True, False, 0)


def refuses_mode(mode: str) -> Any:
    def refuse(one: Recorded) -> bool:
        return one.kind.name == "ENGINEHEUR_DESCRIPTOR" and one["ENGINEHEUR_MODE"].name == mode

    return refuse


def test_a_mode_that_fails_leaves_the_others() -> None:
    assert labels(graph_candidates(FORWARD, context(refuses_mode("A"), FALLBACK=[Engine(0)]))) == ["graph engine 0"]
    with pytest.raises(StatusError):
        graph_candidates(FORWARD, context(refuses_mode("A")))


def test_a_heuristic_that_returns_nothing_is_no_error() -> None:
    assert graph_candidates(FORWARD, context()) == []


def test_an_api_that_refuses_is_reported_with_its_reason() -> None:
    odd = problem("conv_forward", "x w y", epilogue=Epilogue(activation="gelu"))
    found = offer(odd, context(lambda one: one.kind.name == "OPERATIONGRAPH_DESCRIPTOR"))
    assert found.candidates == []
    assert [api for api, _ in found.refusals] == ["the graph API", "the legacy API", "cuBLASLt"]
    assert "CUDNN_STATUS_NOT_SUPPORTED" in found.refusals[0][1]
    assert found.refusals[1][1] == "does not fuse gelu"


def test_an_identity_is_rebuilt_from_engine_and_knobs_alone() -> None:
    here = context()
    one = CandidateId("graph", 62, ((2, 3), (28, 1)))
    rebuilt = rebuild(FORWARD, CandidateId.from_json(one.to_json()), here)
    assert rebuilt.description.id == one
    engine = rebuilt.config["ENGINECFG_ENGINE"]
    assert engine["ENGINE_GLOBAL_INDEX"] == 62
    assert engine["ENGINE_OPERATION_GRAPH"] is rebuilt.graph.descriptor
    knobs = rebuilt.config["ENGINECFG_KNOB_CHOICES"]
    assert [(one["KNOB_CHOICE_KNOB_TYPE"], one["KNOB_CHOICE_KNOB_VALUE"]) for one in knobs] == [(2, 3), (28, 1)]
    assert "ENGINECFG_KNOB_CHOICES" not in rebuild(FORWARD, CandidateId("graph", 0), here).config.values


@pytest.mark.parametrize("kind", ["ENGINE_DESCRIPTOR", "KNOB_CHOICE_DESCRIPTOR", "ENGINECFG_DESCRIPTOR"])
def test_what_the_loaded_cudnn_lacks_is_refused_on_replay(kind: str) -> None:
    with pytest.raises(StatusError):
        rebuild(FORWARD, CandidateId("graph", 62, ((2, 3),)), context(lambda one: one.kind.name == kind))


def test_other_apis_are_not_ours_to_rebuild() -> None:
    with pytest.raises(ValueError, match="no candidate of cuDNN's APIs"):
        rebuild(FORWARD, CandidateId("array", name="torch"), context())


def test_engines_known_to_be_wrong_are_neither_offered_nor_replayed() -> None:
    lopsided = ConvolutionSpec((0, 1), (1, 1), (1, 1), (1, 1))
    one = problem("conv_wgrad", "x dy dw", convolution=lopsided)
    rows = [Engine(1), Engine(65), Engine(20)]
    assert labels(graph_candidates(one, context(A=rows))) == ["graph engine 65"]
    assert len(graph_candidates(problem("conv_wgrad", "x dy dw"), context(A=rows))) == 3
    with pytest.raises(ValueError, match="graph engine 20 is wrong where padding differs"):
        rebuild(one, CandidateId("graph", 20), context())
    assert fault(problem("conv_forward", "x w bias y", epilogue=Epilogue(True, False, "tanh")), 0) is not None
    assert fault(problem("conv_forward", "x w bias y", epilogue=Epilogue(True, False, "relu")), 0) is None


@pytest.mark.parametrize(("dtype", "wrong"), [("bfloat16", True), ("float16", False), ("float32", False)])
def test_cudnns_engines_do_not_pool_bfloat16(dtype: str, wrong: bool) -> None:
    forward = problem("conv_forward", "x w y")
    tensors = tuple(replace(one, dtype=dtype) for one in forward.tensors if one.role != "w")
    pooling = replace(forward, operation="pool_forward", tensors=tensors)
    assert [fault(pooling, engine) is not None for engine in (1, 2, 3)] == [False, wrong, wrong]


def plan(here: Any) -> GraphPlan:
    (found,) = graph_candidates(FORWARD, here)
    prepared = found.prepare()
    assert isinstance(prepared, GraphPlan)
    here.library.calls.clear()
    return prepared


def executed(here: Any) -> list[Any]:
    return [call[3] for call in here.library.calls if call[0] == "execute"]


def test_a_plan_is_finalized_with_handle_and_configuration() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    made = next(d for d in here.library.made if d.kind.name == "EXECUTION_PLAN_DESCRIPTOR")
    assert made.finalized
    assert made["EXECUTION_PLAN_HANDLE"] is here.handle
    assert one.workspace == 512


def test_launching_at_known_addresses_is_one_call() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    one.launch((16, 32, 48), 64)
    names = enums.BackendAttributeName
    puts = [(int(call[2]), call[5]) for call in here.library.calls if call[0] == "set"]
    assert puts == [
        (int(names.VARIANT_PACK_UNIQUE_IDS), [1, 2, 3]),
        (int(names.VARIANT_PACK_DATA_POINTERS), [16, 32, 48]),
        (int(names.VARIANT_PACK_WORKSPACE), [64]),
    ]
    here.library.calls.clear()
    one.launch((16, 32, 48), 64)
    assert [call[0] for call in here.library.calls] == ["execute"]


def test_moved_operands_or_workspace_get_their_own_pack() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    for pointers, workspace in [((16, 32, 48), 64), ((16, 32, 80), 64), ((16, 32, 48), 96), ((16, 32, 48), 64)]:
        one.launch(pointers, workspace)
    first, second, third, again = executed(here)
    assert len({first, second, third}) == 3
    assert again == first


def test_packs_are_bounded_and_freed() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    for address in range(300):
        one.launch((16, 32, 16 * address), 0)
    packs = [d for d in here.library.made if d.kind.name == "VARIANT_PACK_DESCRIPTOR"]
    assert (len(packs), sum(not d.closed for d in packs)) == (300, 256)
    one.close()
    one.close()
    assert all(d.closed for d in packs)


def test_operands_bound_twice_are_both_told() -> None:
    here = context(A=[Engine(3)])
    fused = problem("conv_forward", "x w bias y", epilogue=Epilogue(True), beta="one")
    (found,) = graph_candidates(fused, here)
    found.prepare().launch((16, 32, 48, 64), 0)
    ids, addresses = (call[5] for call in here.library.calls if call[0] == "set" and len(call[5]) > 1)
    assert sorted(zip(ids, addresses, strict=True)) == [(1, 16), (2, 32), (3, 48), (4, 64), (1001, 64)]


def test_run_sets_the_stream_only_when_it_changes() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    for stream in (7, 7, 8, 8, 7):
        one.run(Arguments((16, 32, 48), stream), 0)
    assert here.streams == [7, 8, 7]


@pytest.mark.parametrize("step", ["execute", "finalize"])
def test_a_refused_launch_names_function_and_candidate(step: str) -> None:
    here = context(A=[Engine(3, ((2, 1),))])
    one = plan(here)
    here.library.statuses[step] = 2000
    with pytest.raises(StatusError) as caught:
        one.launch((16, 32, 48), 0)
    assert caught.value.function == f"cudnnBackend{step.title()}"
    assert caught.value.arguments == {"candidate": "graph engine 3 (knobs 2=1)"}
    if step == "execute":
        here.library.statuses.clear()
        bound = one.bind((16, 32, 48), 0)
        here.library.statuses[step] = 2000
        with pytest.raises(StatusError):
            bound()


def test_a_bound_launch_keeps_its_pack_when_others_are_freed() -> None:
    here = context(A=[Engine(3)])
    one = plan(here)
    bound = one.bind((16, 32, 48), 0)
    pack = here.library.made[-1]
    for address in range(300):
        one.launch((16, 32, 16 * address), 0)
    here.library.calls.clear()
    bound()
    assert executed(here) == [pack._ptr]
    assert not pack.closed


def test_new_values_of_alpha_and_beta_get_plans_with_those_values() -> None:
    here = context(A=[Engine(3, ((2, 1),))])
    (found,) = graph_candidates(problem("conv_dgrad", "w dy dx", alpha="general", beta="general"), here)
    one = found.prepare()
    assert isinstance(one, ScaledPlan)
    before = len(here.library.made)
    for scale in [(0.5, 2.0), (0.25, 0.0), (0.5, 2.0)]:
        one.run(Arguments((16, 32, 48), 0, *scale), 0)
    prefix = "OPERATION_CONVOLUTION_BWD_DATA_"
    made = here.library.made[before:]
    values = [(d[f"{prefix}ALPHA"], d[f"{prefix}BETA"]) for d in made if f"{prefix}ALPHA" in d.values]
    assert values == [(0.5, 2.0), (0.25, 0.0)]
    assert all(d["ENGINE_GLOBAL_INDEX"] == 3 for d in made if d.kind.name == "ENGINE_DESCRIPTOR")
    assert len(executed(here)) == 3
    for value in range(20):
        one.launch((16, 32, 48), 0, float(value), 1.0)
    plans = [d for d in here.library.made if d.kind.name == "EXECUTION_PLAN_DESCRIPTOR"]
    assert sum(not d.closed for d in plans) == 8
    one.close()
    assert all(d.closed for d in plans)


def test_plans_that_a_recorded_graph_runs_are_not_closed() -> None:
    here = context(A=[Engine(3, ((2, 1),))])
    (found,) = graph_candidates(problem("conv_dgrad", "w dy dx", alpha="general", beta="general"), here)
    one = found.prepare()
    before = len(here.library.made)
    one.launch((16, 32, 48), 0, 0.5, 2.0)
    one.hold()
    (first,) = [d for d in here.library.made[before:] if d.kind.name == "EXECUTION_PLAN_DESCRIPTOR"]
    for value in range(20):
        one.launch((16, 32, 48), 0, float(value), 1.0)
    one.close()
    plans = [d for d in here.library.made if d.kind.name == "EXECUTION_PLAN_DESCRIPTOR"]
    assert [d for d in plans if not d.closed] == [first]
