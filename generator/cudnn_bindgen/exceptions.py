"""Facts that no general rule finds: one data file, keyed by function and parameter, a reason beside each.

An exception names what it changes. One whose function or parameter exists in no known version, or that changes
nothing any more because a rule has learnt the same, is an error: the file never outlives its purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any

from cudnn_bindgen.errors import DataFileError
from cudnn_bindgen.facts import FunctionFacts, ParameterFacts

__all__ = [
    "FILE_NAME",
    "ParameterException",
    "apply_exceptions",
    "check_exceptions",
    "load_exceptions",
    "read_exceptions",
]

FILE_NAME = "exceptions.json"
_CHANGEABLE = {field.name for field in fields(ParameterFacts)} - {"name", "rule"}


@dataclass(frozen=True, slots=True)
class ParameterException:
    """One exception: the facts of `function`'s `parameter` that differ from what the rules say, and why."""

    function: str
    parameter: str
    changes: tuple[tuple[str, Any], ...]
    reason: str

    def apply(self, fact: ParameterFacts) -> ParameterFacts:
        return replace(fact, **dict(self.changes), rule=f"exception: {self.reason}")

    def changes_anything(self, fact: ParameterFacts) -> bool:
        return any(getattr(fact, key) != value for key, value in self.changes)

    def __str__(self) -> str:
        return f"{self.function}.{self.parameter}"


@cache
def load_exceptions() -> tuple[ParameterException, ...]:
    """The exceptions that the generator carries."""
    return read_exceptions(files("cudnn_bindgen").joinpath("data").joinpath(FILE_NAME).read_text(encoding="utf-8"))


def read_exceptions(text: str, source: str = FILE_NAME) -> tuple[ParameterException, ...]:
    """Exceptions from JSON text: ``{function: {parameter: {"reason": ..., fact: value, ...}}}``.

    Raises
    ------
    DataFileError
        The text is no JSON of that form, an exception has no reason, changes nothing, or changes no known fact.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataFileError(f"{source}:{error.lineno}: not valid JSON ({error.msg}); correct the file") from error
    if not isinstance(data, dict):
        raise DataFileError(
            f"{source}: an object of functions is expected, not {type(data).__name__}; correct the file"
        )
    return tuple(
        _one(source, function, parameter, entry)
        for function, parameters in data.items()
        for parameter, entry in _items(source, function, parameters)
    )


def _items(source: str, function: str, parameters: object) -> Iterable[tuple[str, object]]:
    if not isinstance(parameters, dict):
        raise DataFileError(f"{source}: {function} must hold an object of parameters; correct the file")
    return parameters.items()


def _one(source: str, function: str, parameter: str, entry: object) -> ParameterException:
    place = f"{source}: {function}.{parameter}"
    if not isinstance(entry, dict):
        raise DataFileError(f"{place} must be an object of facts with a reason; correct the file")
    changes = dict(entry)
    reason = changes.pop("reason", None)
    if not isinstance(reason, str) or not reason.strip():
        raise DataFileError(f"{place} gives no reason; write one")
    unknown = sorted(set(changes) - _CHANGEABLE)
    if unknown:
        raise DataFileError(f"{place} changes {', '.join(unknown)}, but facts are {', '.join(sorted(_CHANGEABLE))}")
    if not changes:
        raise DataFileError(f"{place} changes nothing; remove it")
    return ParameterException(function, parameter, tuple(changes.items()), reason)


def apply_exceptions(facts: FunctionFacts, exceptions: Iterable[ParameterException]) -> FunctionFacts:
    """`facts` with the exceptions for its function applied."""
    mine = {one.parameter: one for one in exceptions if one.function == facts.name}
    if not mine:
        return facts
    changed = tuple(mine[fact.name].apply(fact) if fact.name in mine else fact for fact in facts.parameters)
    return replace(facts, parameters=changed)


def check_exceptions(
    exceptions: Iterable[ParameterException],
    inferred: Iterable[Mapping[str, FunctionFacts]],
    source: str = FILE_NAME,
) -> None:
    """See that every exception changes something in at least one version.

    Parameters
    ----------
    inferred
        For each known version what the rules alone say (``function_facts(api, exceptions=())``).

    Raises
    ------
    DataFileError
        An exception matches no parameter of any version, or changes nothing in all that it matches.
    """
    matched: set[ParameterException] = set()
    useful: set[ParameterException] = set()
    exceptions = tuple(exceptions)
    for version in inferred:
        for one in exceptions:
            facts = version.get(one.function)
            for fact in facts.parameters if facts else ():
                if fact.name == one.parameter:
                    matched.add(one)
                    if one.changes_anything(fact):
                        useful.add(one)
    for one in exceptions:
        if one not in matched:
            raise DataFileError(
                f"{source}: {one} matches no parameter of any known version; remove it or correct the name"
            )
        if one not in useful:
            raise DataFileError(f"{source}: {one} says what the rules say already; remove it")
