"""A simulated device for the tests of operations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cudnnkit.testing import SimulatedDevice, simulated


@pytest.fixture
def device() -> Iterator[SimulatedDevice]:
    with simulated() as found:
        yield found
