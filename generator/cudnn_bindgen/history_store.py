"""The history file: JSON with one entity a line, so that a change of one declaration is a change of one line.

An entity's line begins with its kind and name, then ``in``, the spans of versions that have it (``8.5.0.96-`` is open,
``8.5.0.96-8.9.7.29`` has ended), then its facts. A fact that never moved stands as a plain value; one that moved is
called ``NAME@`` and maps each version that changed it to the value from then on. Lines are sorted by kind and name and
versions stand newest first, both so that an addition moves nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudnn_bindgen.errors import HistoryError, UnknownVersionError
from cudnn_bindgen.history_merge import Entity, spans
from cudnn_bindgen.history_shape import check_facts
from cudnn_bindgen.versions import Version

__all__ = ["FORMAT", "checkout_path", "default_path", "from_text", "to_text"]

FORMAT = 1
_WRITTEN_BY = "cudnn-bindgen history --add VERSION writes this file; nobody edits it by hand"
_REBUILD = "take it from version control again, or build it anew with: cudnn-bindgen history --all --out FILE"


_HERE = Path(__file__).resolve().parent


def checkout_path() -> Path | None:
    """The committed history of the checkout that this file belongs to; None when it is installed elsewhere."""
    root = _HERE.parents[1]
    return (
        root / "generated" / "history.json"
        if _HERE.parent.name == "generator" and (root / "templates").is_dir()
        else None
    )


def default_path() -> Path:
    """The committed history: the checkout's, else the one inside the installed package."""
    return checkout_path() or _HERE / "data" / "history.json"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _rows(entities: Iterable[Entity], versions: Sequence[str]) -> Iterator[str]:
    for entity in sorted(entities, key=lambda one: (one.kind, one.name)):
        runs = (f"{first}-{last or ''}" for first, last in spans(entity.present, versions))
        row: dict[str, Any] = {entity.kind: entity.name, "in": ",".join(runs)}
        for fact, timeline in sorted(entity.facts.items()):
            if len(timeline) == 1:
                row[fact] = next(iter(timeline.values()))
            else:
                row[f"{fact}@"] = timeline
        yield _dump(row)


def to_text(versions: Sequence[str], entities: Iterable[Entity]) -> str:
    """The file's text; `versions` ascending."""
    listed = ",\n".join(_dump(version) for version in reversed(versions))
    rows = ",\n".join(_rows(entities, versions))
    head = f'{{"cudnn_bindgen_history":{FORMAT},"about":{_dump(_WRITTEN_BY)}'
    return f'{head},\n"versions":[\n{listed}\n],"entities":[\n{rows}\n]}}\n'


def from_text(text: str, source: str) -> tuple[list[str], list[Entity]]:
    """Versions, ascending, and entities.

    Parameters
    ----------
    source
        What messages call the file.

    Raises
    ------
    HistoryError
        The text is no history, is damaged, or is of a newer format.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise HistoryError(f"{source} is damaged ({error}); {_REBUILD}") from None
    number = data.get("cudnn_bindgen_history") if isinstance(data, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise HistoryError(f"{source} is not a history that cudnn-bindgen wrote; {_REBUILD}")
    if number > FORMAT:
        raise HistoryError(
            f"{source} has format {number}, and this cudnn-bindgen reads up to {FORMAT}; "
            "upgrade it with: pip install --upgrade cudnnkit"
        )
    try:
        versions = sorted(data["versions"], key=Version)
        places = {version: place for place, version in enumerate(versions)}
        if len(places) < len(versions):
            raise ValueError("a version stands twice")
        entities = [_entity(row, versions, places) for row in data["entities"]]
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration, UnknownVersionError) as error:
        raise HistoryError(f"{source} is damaged ({type(error).__name__}: {error}); {_REBUILD}") from error
    return versions, entities


def _entity(row: Mapping[str, Any], versions: Sequence[str], places: Mapping[str, int]) -> Entity:
    fields = iter(row.items())
    kind, name = next(fields)
    present: list[str] = []
    for run in row["in"].split(","):
        first, last = run.split("-")
        present += versions[places[first] : places[last] + 1 if last else None]
    facts: dict[str, dict[str, Any]] = {}
    for fact, value in fields:
        if fact.endswith("@"):
            facts[fact[:-1]] = {since: value[since] for since in sorted(value, key=places.__getitem__)}
            if next(iter(facts[fact[:-1]])) != present[0]:
                raise ValueError(f"{kind} {name} begins before {fact[:-1]!r} does")
        elif fact != "in":
            facts[fact] = {present[0]: value}
    check_facts(kind, name, facts)
    return Entity(kind, name, present, facts)
