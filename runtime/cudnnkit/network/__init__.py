"""Whole functions of operations: which problems they ask for, tuning those ahead of use, and choosing in the network.

- `listing`: the distinct problems of a function
- `tuning`: deciding them inside one budget, and what that saves
- `refining`: runners-up tried in the whole function, which is timed
- `shipped`: the problems of known networks, as data; `tiny`: the same, small enough for NumPy
"""

from cudnnkit.network.listing import Asked, problems_of
from cudnnkit.network.refining import Change, NetworkReport, tune_network
from cudnnkit.network.tuning import Tuned, tune_problems

__all__ = ["Asked", "Change", "NetworkReport", "Tuned", "problems_of", "tune_network", "tune_problems"]
