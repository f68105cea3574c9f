"""Every version's API in one structure: since when, until when, deprecated since when, and what moved on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudnn_bindgen import history_store
from cudnn_bindgen.arguments import expect
from cudnn_bindgen.ask import unknown_entity
from cudnn_bindgen.errors import HistoryError, UnknownNameError, UnknownVersionError
from cudnn_bindgen.files import write_file
from cudnn_bindgen.history_facts import KINDS, Key, assemble, enumerator, take_apart
from cudnn_bindgen.history_facts import declaration as make_declaration
from cudnn_bindgen.history_merge import Entity, chain, spans
from cudnn_bindgen.line import Line, Span
from cudnn_bindgen.model import Api, Declaration, Enumerator
from cudnn_bindgen.versions import Version, resolve, three_part

__all__ = ["History"]


class History:
    """Any number of versions merged.

    Keeps of each `Api` everything but line numbers, documentation text, the headers' advice in deprecation marks, and
    losses (``history_facts.normalised`` drops the same).

    Attributes
    ----------
    versions
        Full versions, ascending.
    entities
        (kind, name) to the declaration through all versions; kinds are those of ``history_facts.KINDS`` and
        ``enumerator``.

    Examples
    --------
    >>> history = History.load()  # doctest: +SKIP
    >>> history.api("9.28.1.4").functions[0].name  # doctest: +SKIP
    'cudnnGetVersion'
    """

    def __init__(self) -> None:
        self.versions: tuple[str, ...] = ()
        self.entities: dict[Key, Entity] = {}
        self._rank: dict[str, int] = {}

    @classmethod
    def load(cls, path: Path | str | None = None) -> History:
        """Read a history file; None is the committed one.

        Raises
        ------
        HistoryError
            The file is missing, damaged, something else, or of a newer format.
        """
        path = Path(path or history_store.default_path())
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise HistoryError(
                f"{path} does not exist; make it with: cudnn-bindgen history --all --out {path}"
            ) from None
        except UnicodeDecodeError as error:
            raise HistoryError(f"{path} is not a history that cudnn-bindgen wrote ({error.reason})") from None
        except OSError as error:
            raise HistoryError(f"cannot read {path}: {error.strerror or error}") from error
        return cls.from_text(text, str(path))

    @classmethod
    def from_text(cls, text: str, source: str = "the history") -> History:
        """Read the text of a history file; `source` is what messages call it."""
        history = cls()
        versions, entities = history_store.from_text(text, source)
        history._order(versions)
        history.entities = {(one.kind, one.name): one for one in entities}
        return history

    def text(self) -> str:
        """The file's text: the same for the same versions, whatever the order in which they were added."""
        return history_store.to_text(self.versions, self.entities.values())

    def save(self, path: Path | str) -> None:
        """Write the file in one step."""
        write_file(Path(path), self.text())

    @property
    def ranks(self) -> Mapping[str, int]:
        """Full version to its place among all, from 0."""
        return self._rank

    def _order(self, versions: Iterable[str]) -> None:
        self.versions = tuple(sorted(versions, key=Version))
        self._rank = {version: place for place, version in enumerate(self.versions)}

    # --- changing -------------------------------------------------------------------------------------------------

    def add(self, api: Api) -> None:
        """Merge one version; a version that is already here is replaced."""
        expect(Api, api)
        version = str(Version(api.version))
        parts = take_apart(api)
        if version in self._rank:
            self._forget(version)
        self._order({*self.versions, version})
        for key, facts in parts.items():
            self.entities.setdefault(key, Entity(*key)).add(version, facts, self._rank)

    def _forget(self, version: str) -> None:
        for key, entity in list(self.entities.items()):
            if version in entity.present:
                entity.forget(version, self._rank)
                if not entity.present:
                    del self.entities[key]

    # --- one version ----------------------------------------------------------------------------------------------

    def resolve(self, wanted: str | None = None) -> str:
        """The full version that a partial one means; None is the newest."""
        if wanted is None and self.versions:
            return self.versions[-1]
        return resolve("0" if wanted is None else wanted, self.versions)

    def api(self, version: str) -> Api:
        """The API of one version, as it was parsed but for what the history does not keep.

        Parameters
        ----------
        version
            A full one, or a partial one for its newest build.

        Raises
        ------
        UnknownVersionError
            The history has no such version.
        """
        version = self.resolve(version)
        parts = {key: one.at(version, self._rank) for key, one in self.entities.items() if version in one.present}
        return assemble(version, parts)

    # --- one name -------------------------------------------------------------------------------------------------

    def entity(self, kind: str, name: str, version: str | None = None) -> Entity:
        """One declaration through all versions; with `version`, a full one, one that this version has.

        Raises
        ------
        UnknownNameError
            There is none; the message names what is near: kinds, names or versions.
        UnknownVersionError
            The history has no such version.
        """
        if version is not None and version not in self._rank:
            raise UnknownVersionError(f"the history has no version {version!r}; History.resolve() makes full ones")
        found = self.entities.get((kind, name))
        if found is None or (version is not None and version not in found.present):
            raise unknown_entity(self, kind, name, version, found)
        return found

    def fact(self, kind: str, name: str, fact: str, version: str) -> Any:
        """One fact of a declaration in a full version that has it; None where the declaration has no such fact.

        Raises as :meth:`entity` does.
        """
        return self.entity(kind, name, version).value(fact, version, self._rank)

    def declaration(self, kind: str, name: str, version: str) -> Declaration:
        """One declaration as a full version has it, without making that version's whole API.

        Raises as :meth:`entity` does; an enumerator is no declaration of its own.
        """
        facts = self.entity(kind, name, version).at(version, self._rank)
        if kind not in KINDS:
            raise UnknownNameError(f"kind {kind!r} has no declarations of its own; kinds that have: {', '.join(KINDS)}")
        return make_declaration(kind, name, facts, self.enumerators(name, version) if kind == "enum" else ())

    def enumerators(self, enum: str, version: str) -> list[Enumerator]:
        """The enumerators of one enum in a full version, in the header's order. Raises as :meth:`entity` does."""
        self.entity("enum", enum, version)
        followers: dict[str | None, str] = {}
        found: dict[str, Enumerator] = {}
        for (kind, name), entity in self.entities.items():
            if kind == "enumerator" and version in entity.present:
                facts = entity.at(version, self._rank)
                if facts["enum"] == enum:
                    followers[facts.get("after")] = name
                    found[name] = enumerator(name, facts)
        return [found[name] for name in chain(followers)]

    def spans(self, kind: str, name: str, major: int | None = None) -> tuple[Span, ...]:
        """Runs of versions that have a declaration, three-part; the last end is None while the newest has it.

        Parameters
        ----------
        major
            Look at the versions of this major alone.

        Raises
        ------
        UnknownNameError
            There is no such declaration.
        """
        return self._spans(self.entity(kind, name), self.versions if major is None else self._of(major))

    def _spans(self, entity: Entity, versions: Sequence[str]) -> tuple[Span, ...]:
        inside = set(versions)
        known = [*dict.fromkeys(map(three_part, versions))]
        return tuple(spans([three_part(version) for version in entity.present if version in inside], known))

    def _of(self, major: int) -> list[str]:
        return [version for version in self.versions if Version(version).major == major]

    # --- one line -------------------------------------------------------------------------------------------------

    def line(self, major: int) -> Line:
        """The union of one major version's versions, for rendering.

        Raises
        ------
        UnknownVersionError
            The history has no version of that major.
        """
        from cudnn_bindgen.history_line import build_line

        versions = self._of(major)
        if not versions:
            majors = sorted({Version(version).major for version in self.versions})
            raise UnknownVersionError(
                f"the history has no version of cuDNN {major!r}, only of {', '.join(map(str, majors)) or 'none'}"
            )
        return build_line(self, major, versions)
