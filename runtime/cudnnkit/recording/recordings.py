"""The recordings of one function, by signature."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ValuesView
from typing import Any

from cudnnkit.recording.recorded import Recording

__all__ = ["Recordings"]


class Recordings:
    """Recordings by signature, the one used last at the end; the one unused longest goes first.

    Parameters
    ----------
    most
        How many there may be.
    static
        Whether other arrays are taken where a recording's own are meant, not copied.
    """

    def __init__(self, most: int, *, static: bool) -> None:
        self._most, self._static = most, static
        self._table: OrderedDict[Any, Recording] = OrderedDict()
        self._own: dict[Any, list[Any]] = {}

    def __len__(self) -> int:
        return len(self._table)

    def values(self) -> ValuesView[Recording]:
        """All of them."""
        return self._table.values()

    @property
    def last(self) -> Recording | None:
        """The one used last, None for none at all."""
        return next(reversed(self._table.values()), None)

    def find(self, key: Any, leaves: list[Any]) -> Recording | None:
        """The recording that a call is for."""
        # Several recordings may have own arrays like these: the one with most of the very same, else the key's own.
        others = [one for one in self._own.get(key, ()) if one in self._table]
        if self._static:  # other arrays are to be taken, not copied
            others = [one for one in others if self._table[one].inputs.meant(leaves)]
        if others:
            keys = [key, *others] if key in self._table else others
            key = max(keys, key=lambda one: self._table[one].inputs.matches(leaves)) if len(keys) > 1 else keys[0]
        found = self._table.get(key)
        if found is not None:
            self._table.move_to_end(key)
        return found

    def add(self, key: Any, dense: Any, recording: Recording) -> None:
        """Keep one, to be found by `key` and by the signature of its own arrays, which are dense."""
        self.make_room()
        self._table[key] = recording
        own = {one: [key for key in there if key in self._table] for one, there in self._own.items()}
        self._own = {one: there for one, there in own.items() if there}
        if dense != key and key not in self._own.get(dense, ()):
            self._own.setdefault(dense, []).append(key)

    def make_room(self) -> None:
        """For one more."""
        while len(self._table) >= self._most:
            self._table.popitem(last=False)[1].close()

    def drop(self, recording: Recording) -> None:
        """Close one."""
        self._table = OrderedDict((key, one) for key, one in self._table.items() if one is not recording)
        recording.close()

    def clear(self) -> None:
        """Close all."""
        table, self._table = self._table, OrderedDict()
        self._own.clear()
        for one in table.values():
            one.close()
