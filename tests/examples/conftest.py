"""The examples are no installed package: the repository's root is put on the path."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cudnnkit as ck
import pytest
from cudnnkit.testing import SimulatedDevice, simulated

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


@pytest.fixture
def device() -> Iterator[SimulatedDevice]:
    with simulated() as found, ck.use_policy(search="heuristic"):
        yield found
