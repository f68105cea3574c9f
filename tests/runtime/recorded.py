"""A cuDNN library whose backend descriptors only remember what was set, and whose heuristic answers what it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any

from cudnn_ffi import StatusError
from cudnn_ffi.v9 import enums
from cudnn_ffi.v9.tables import BACKEND

_TYPES = {
    "INT64": int,
    "INT32": int,
    "FLOAT": float,
    "DOUBLE": float,
    "BOOLEAN": bool,
}


class Recorded:
    """One backend descriptor. Names and types of attributes are those of the generated tables."""

    def __init__(self, library: RecordedLibrary, kind: Any) -> None:
        self.library, self.kind = library, kind
        self.values: dict[str, Any] = {}
        self.kinds: dict[str, str] = {}
        self.finalized = self.closed = False
        self._ptr = next(library.numbers)

    def set(self, name: str, value: Any, kind: str | None = None) -> Recorded:
        assert not self.finalized
        known = BACKEND.attributes.get(name)
        assert name in enums.BackendAttributeName.__members__, name
        assert known or kind, f"the type of {name} must be told"
        self.kinds[name] = wanted = kind or str(known)
        for one in value if isinstance(value, list | tuple) else [value]:
            if wanted in _TYPES:
                assert type(one) is _TYPES[wanted], (name, one)
            elif wanted in BACKEND.enums:
                assert type(one).__name__ == BACKEND.enums[wanted] or wanted == "KNOB_TYPE", (name, one)
            elif wanted == "BACKEND_DESCRIPTOR":
                assert one.finalized, f"{name} before it is finalized"
        self.values[name] = value
        return self

    def __setitem__(self, name: str, value: Any) -> None:
        self.set(name, value)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str, room: int | None = None) -> list[Any]:
        found: list[Any] = self.library.answer(self, name)
        return found if room is None else found[:room]

    def finalize(self) -> Recorded:
        self.library.check(self)
        self.finalized = True
        return self

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Recorded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Engine:
    """What the heuristic answers."""

    index: int
    knobs: tuple[tuple[int, int], ...] = ()
    numerical: tuple[int, ...] = ()
    behaviour: tuple[int, ...] = ()
    workspace: int | None = 0


def status_error(function: str = "cudnnBackendFinalize", name: str = "CUDNN_STATUS_NOT_SUPPORTED") -> StatusError:
    return StatusError(function, 3000, name, "made up", {})


@dataclass
class RecordedLibrary:
    """Stands where a loaded library stands; the raw functions count their calls."""

    offers: dict[str, Sequence[Engine]] = field(default_factory=dict)
    numbers: Any = field(default_factory=lambda: count(1000))
    made: list[Recorded] = field(default_factory=list)
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    refuse: Callable[[Recorded], bool] = lambda _: False
    enums: Any = enums
    plan_workspace: int = 512

    def __post_init__(self) -> None:
        self._lib = SimpleNamespace(
            cudnnBackendExecute=self._raw("execute"),
            cudnnBackendSetAttribute=self._raw("set"),
            cudnnBackendFinalize=self._raw("finalize"),
        )

    def _raw(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            # Arrays are filled anew for each pack: what counts is their content at the time of the call.
            kept = tuple(list(one) if isinstance(one, list) else one for one in arguments)
            self.calls.append((name, *kept))
            return self.statuses.get(name, 0)

        return call

    def _new(self, _: str, value: Any) -> list[int]:
        return list(value) if isinstance(value, list | tuple) else [0] * value

    def _status_error(self, function: str, status: int, **arguments: Any) -> StatusError:
        return StatusError(
            function, status, "CUDNN_STATUS_MADE_UP", "made up", {k: str(v) for k, v in arguments.items()}
        )

    def backend_create_descriptor(self, kind: Any) -> Recorded:
        one = Recorded(self, enums.BackendDescriptorType(kind))
        self.made.append(one)
        return one

    def check(self, one: Recorded) -> None:
        if self.refuse(one):
            raise status_error()

    def answer(self, one: Recorded, name: str) -> list[Any]:
        about = one.values.get("about")
        if name == "ENGINEHEUR_RESULTS":
            return [self._about("ENGINECFG_DESCRIPTOR", row) for row in self.offers[one["ENGINEHEUR_MODE"].name]]
        if name == "EXECUTION_PLAN_WORKSPACE_SIZE":
            return [self.plan_workspace]
        if name == "ENGINECFG_ENGINE":
            return [self._about("ENGINE_DESCRIPTOR", about)]
        if about is None:  # rebuilt
            about = Engine(one.values.get("ENGINE_GLOBAL_INDEX", 0))
        if name == "ENGINECFG_KNOB_CHOICES":
            return [self._about("KNOB_CHOICE_DESCRIPTOR", pair) for pair in about.knobs]
        if name == "KNOB_CHOICE_KNOB_TYPE":
            return [about[0]]
        if name == "KNOB_CHOICE_KNOB_VALUE":
            return [about[1]]
        if name == "ENGINE_GLOBAL_INDEX":
            return [about.index]
        if name == "ENGINE_NUMERICAL_NOTE":
            return [enums.BackendNumericalNote(note) for note in about.numerical]
        if name == "ENGINE_BEHAVIOR_NOTE":
            return [enums.BackendBehaviorNote(note) for note in about.behaviour]
        if name == "ENGINECFG_WORKSPACE_SIZE":
            if about.workspace is None:
                raise status_error("cudnnBackendGetAttribute")
            return [about.workspace]
        raise AssertionError(name)

    def _about(self, kind: str, about: Any) -> Recorded:
        one = Recorded(self, enums.BackendDescriptorType[kind])
        one.values["about"] = about
        one.finalized = True
        return one


class RecordedContext:
    """Stands where a context stands."""

    def __init__(self, library: Any) -> None:
        self.library, self.stream, self.streams = library, -1, [0][:0]
        self.handle = SimpleNamespace(_ptr="handle")

    def use_stream(self, stream: int) -> None:
        self.stream = stream
        self.streams.append(stream)
