"""Candidates of the graph API: engine configurations from cuDNN's heuristics, or rebuilt from their identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cudnn_ffi import StatusError

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.context import Context
from cudnnkit.engines.graph_build import Graph, Scale, build_graph, scale_is_fixed
from cudnnkit.engines.graph_faults import fault
from cudnnkit.engines.graph_plan import GraphPlan, ScaledPlan
from cudnnkit.problem import Problem

__all__ = ["MODES", "MOST_CONFIGS", "GraphCandidate", "graph_candidates", "rebuild_graph_candidate"]

MODES = ("A", "FALLBACK")
"""Members of ``cudnnBackendHeurMode_t`` that are asked unless told otherwise: the good ones, then what always works."""

_MOST_NOTES = 32
"""Room for an engine's notes; cuDNN 9 has ten numerical ones and five of behaviour."""
_USUAL_KNOBS = 8
"""Room for a configuration's knobs at first."""
MOST_CONFIGS = {"batch_norm_training": 6, "batch_norm_backward": 6}
"""Of these the heuristic lists each engine with 30 and more knob values, and a search would have time for nothing else:
so many of the first ones, and those without knobs."""


@dataclass(frozen=True)
class GraphCandidate:
    """One engine with its knobs."""

    description: Description
    problem: Problem
    context: Context
    graph: Graph
    config: Any

    def prepare(self) -> GraphPlan | ScaledPlan:
        """The finalized plan; compiles where the engine does so at run time."""
        plan = GraphPlan(self.context, self.graph, self.config, str(self.description.id))
        return plan if scale_is_fixed(self.problem) else ScaledPlan(plan, self._with_scale)

    def _with_scale(self, scale: Scale) -> GraphPlan:
        one = self.description.id
        graph = build_graph(self.context.library, self.problem, self.context.handle, scale)
        _, config = _rebuild(self.context.library, graph, one)
        return GraphPlan(self.context, graph, config, str(one))


def graph_candidates(problem: Problem, context: Context, modes: Sequence[str] = MODES) -> list[GraphCandidate]:
    """Every engine configuration that the heuristics offer, best first, each once.

    The workspace is what a configuration says before it is finalized; some say nothing, and then it is 0.

    Parameters
    ----------
    problem, context
        What to compute, and where.
    modes
        Members of ``cudnnBackendHeurMode_t``: INSTANT, A, B, FALLBACK; in order of trust.

    Raises
    ------
    StatusError
        cuDNN knows no such graph, or every mode failed (``CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR``).
    """
    graph = build_graph(context.library, problem, context.handle)
    found: dict[CandidateId, GraphCandidate] = {}
    failure: Exception | None = None
    for mode in modes:
        try:
            configs = _heuristic(context.library, graph, mode)
        except StatusError as error:
            failure = error
            continue
        for config in configs:
            one = _candidate(problem, context, graph, config, len(found))
            if fault(problem, one.description.id.engine or 0) is None:
                found.setdefault(one.description.id, one)
    if failure is not None and not found:
        raise failure
    kept = list(found.values())
    most = MOST_CONFIGS.get(problem.operation, len(kept))
    return [one for place, one in enumerate(kept) if place < most or not one.description.id.knobs]


def rebuild_graph_candidate(problem: Problem, one: CandidateId, context: Context) -> GraphCandidate:
    """The candidate that `one` names; a stored choice is replayed with it.

    Raises
    ------
    StatusError
        The loaded cuDNN has no such engine for this graph, or it does not take these knobs.
    ValueError
        The engine is known to be wrong for this problem.
    """
    reason = fault(problem, one.engine or 0)
    if reason is not None:
        raise ValueError(f"{one} {reason}")
    graph = build_graph(context.library, problem, context.handle)
    engine, config = _rebuild(context.library, graph, one)
    return GraphCandidate(_description(engine, config, one, 0), problem, context, graph, config)


def _rebuild(library: Any, graph: Graph, one: CandidateId) -> tuple[Any, Any]:
    """Engine and engine configuration of an identity."""
    kinds = library.enums.BackendDescriptorType
    engine = library.backend_create_descriptor(kinds.ENGINE_DESCRIPTOR)
    engine["ENGINE_OPERATION_GRAPH"] = graph.descriptor
    engine["ENGINE_GLOBAL_INDEX"] = one.engine
    engine.finalize()
    choices = []
    for kind, value in one.knobs:
        choice = library.backend_create_descriptor(kinds.KNOB_CHOICE_DESCRIPTOR)
        choice["KNOB_CHOICE_KNOB_TYPE"] = kind
        choice["KNOB_CHOICE_KNOB_VALUE"] = value
        choices.append(choice.finalize())
    config = library.backend_create_descriptor(kinds.ENGINECFG_DESCRIPTOR)
    config["ENGINECFG_ENGINE"] = engine
    if choices:
        config["ENGINECFG_KNOB_CHOICES"] = choices
    return engine, config.finalize()


def _heuristic(library: Any, graph: Graph, mode: str) -> list[Any]:
    heuristic = library.backend_create_descriptor(library.enums.BackendDescriptorType.ENGINEHEUR_DESCRIPTOR)
    heuristic["ENGINEHEUR_OPERATION_GRAPH"] = graph.descriptor
    heuristic["ENGINEHEUR_MODE"] = library.enums.BackendHeurMode[mode]
    with heuristic.finalize():
        configs: list[Any] = heuristic.get("ENGINEHEUR_RESULTS")
    return configs


def _candidate(problem: Problem, context: Context, graph: Graph, config: Any, rank: int) -> GraphCandidate:
    (engine,) = config.get("ENGINECFG_ENGINE", 1)
    one = CandidateId("graph", int(engine.get("ENGINE_GLOBAL_INDEX", 1)[0]), _knobs(config))
    return GraphCandidate(_description(engine, config, one, rank), problem, context, graph, config)


def _knobs(config: Any) -> tuple[tuple[int, int], ...]:
    """Knob types and values of a configuration."""
    # Asked for their number, cuDNN answers 0: room is made first, and more of it where that was filled.
    room = _USUAL_KNOBS
    while len(choices := config.get("ENGINECFG_KNOB_CHOICES", room)) == room:
        room *= 2
    return tuple(
        (int(choice.get("KNOB_CHOICE_KNOB_TYPE", 1)[0]), int(choice.get("KNOB_CHOICE_KNOB_VALUE", 1)[0]))
        for choice in choices
    )


def _workspace(config: Any) -> int:
    """Bytes that a configuration says it needs; 0 where it does not say before a plan is made of it."""
    try:
        return int(config.get("ENGINECFG_WORKSPACE_SIZE", 1)[0])
    except (StatusError, IndexError):
        return 0


def _description(engine: Any, config: Any, one: CandidateId, rank: int) -> Description:
    numerical = _notes(engine, "ENGINE_NUMERICAL_NOTE")
    behaviour = _notes(engine, "ENGINE_BEHAVIOR_NOTE")
    return Description(
        one,
        rank,
        _workspace(config),
        deterministic="nondeterministic" not in numerical,
        needs_compilation="runtime_compilation" in behaviour,
        numerical=numerical,
        behaviour=behaviour,
    )


def _notes(engine: Any, attribute: str) -> frozenset[str]:
    """An engine's notes in lower case; ``"note_12"`` for one that the bindings do not know."""
    found = engine.get(attribute, _MOST_NOTES)
    return frozenset(note.name.lower() if note.known else f"note_{int(note)}" for note in found)
