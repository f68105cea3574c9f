"""Which ways of taking a convolution, a pooling or a normalisation apart are candidates."""

from __future__ import annotations

from cudnnkit.decompose.channels import gathered, widened
from cudnnkit.decompose.epilogue import epilogue_afterwards
from cudnnkit.decompose.layouts import dense, padded
from cudnnkit.decompose.linear import CONVOLUTIONS as LINEAR
from cudnnkit.decompose.linear import linear_ways
from cudnnkit.decompose.norm import KERNELS, norm_decompositions
from cudnnkit.decompose.pooling import OPERATIONS as POOLINGS
from cudnnkit.decompose.pooling import pooling_ways
from cudnnkit.decompose.setting import Setting
from cudnnkit.decompose.split import is_large, split
from cudnnkit.decompose.staged import Staged
from cudnnkit.problem import Problem

__all__ = ["decompositions"]

_CONVOLUTIONS = ("conv_forward", "conv_dgrad", "conv_wgrad", "conv_bias_grad")


def decompositions(problem: Problem, setting: Setting, *, offered: bool) -> list[Staged]:
    """Ways of taking a problem apart. Each leads to simpler problems, so that it comes to an end.

    Parameters
    ----------
    problem, setting
        What, and where.
    offered
        cuDNN itself offers something.
    """
    if problem.operation in KERNELS:
        return norm_decompositions(problem, setting)
    if problem.operation in LINEAR and not is_large(problem):
        return linear_ways(problem, setting)
    if problem.operation not in (*_CONVOLUTIONS, *POOLINGS):
        return []
    if is_large(problem):
        return [split(problem, setting)]
    if problem.operation in POOLINGS:
        return pooling_ways(problem, setting)
    ways: list[Staged | None] = []
    if problem.operation != "conv_bias_grad":
        # The engines' own ways with other layouts stay in the race; what none of them takes is made simpler first.
        ways = [dense(problem, setting), padded(problem, setting)]
        ways += [*widened(problem, setting), gathered(problem, setting)]
        if ways[0] is None or not offered:
            ways.append(epilogue_afterwards(problem, setting))
            ways.append(epilogue_afterwards(problem, setting, fused="bias"))
            ways.append(epilogue_afterwards(problem, setting, fused="activation"))
    return [one for one in ways if one is not None]
