"""What the benchmarks of a GPU share: the facts at the top of a file of results, and how such a file is written."""

from __future__ import annotations

import datetime
import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cudnnkit.whole_file import write_whole

__all__ = ["ResultsFile", "facts"]


class ResultsFile:
    """Results, flushed to a file as they come.

    Parameters
    ----------
    facts
        ``device``, ``versions``, ``date`` and whatever else stands at the top of the file.
    path
        The file; None to write none.
    """

    def __init__(self, facts: Mapping[str, Any], path: Path | None = None) -> None:
        self.facts, self.path = dict(facts), path
        self.sections: dict[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        """Everything, as the file has it."""
        return {**self.facts, **self.sections}

    def flush(self) -> None:
        """Write the file in one step: a run that is killed leaves what it had."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, json.dumps(self.to_json(), indent=1) + "\n")


def facts(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Device, versions, date, and how was measured."""
    import torch
    from cudnnkit.library import versions

    device, known = torch.cuda.get_device_properties(0), versions()
    return {
        "device": {
            "name": device.name,
            "multiprocessors": device.multi_processor_count,
            "memory_gib": round(device.total_memory / 2**30, 1),
        },
        "versions": {
            "cudnn": known.cudnn,
            "driver_cuda": known.driver,
            "torch": torch.__version__,
            "torch_cudnn": torch.backends.cudnn.version(),
            "python": platform.python_version(),
        },
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "settings": dict(settings),
    }
