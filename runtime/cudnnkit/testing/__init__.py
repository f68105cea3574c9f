"""A simulated cuDNN for tests without a GPU: yours and cudnnkit's own.

It stands where cuDNN stands, offers candidates, computes with NumPy in float64, and can be told to fail, to be slow on
a clock of its own, to need workspace, to write garbage, to run out of memory. It needs NumPy (``pip install numpy``)::

    import numpy as np, cudnnkit as ck
    from cudnnkit.testing import simulated

    with simulated() as device:
        y = ck.conv2d(np.ones((1, 3, 8, 8), "f4"), np.ones((4, 3, 3, 3), "f4"))
        device.candidates[0].fails = "run"
"""

from cudnnkit.testing.candidates import SimulatedCandidate, SimulatedStatusError, default_candidates
from cudnnkit.testing.device import SimulatedDevice, simulated

__all__ = ["SimulatedCandidate", "SimulatedDevice", "SimulatedStatusError", "default_candidates", "simulated"]
