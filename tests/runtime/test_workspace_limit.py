"""The user's own limit on workspace holds for what is pinned and for what is remembered."""

from __future__ import annotations

import threading

import cudnnkit as ck
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import random

X, W = random(1, 3, 8, 8), random(4, 3, 3, 3)


def test_a_candidate_beyond_the_limit_cannot_be_pinned(device: SimulatedDevice) -> None:
    greedy = device.candidates[0]
    greedy.needs = 8 * 2**20
    with pytest.raises(ck.ArgumentError, match=r"^candidate=.*needs 8 MiB of workspace, 1 MiB are allowed"):
        ck.pin(greedy.id, ck.conv2d, X, W, workspace="1 MiB")
    ck.pin(greedy.id, ck.conv2d, X, W, workspace="8 MiB")
    ck.conv2d(X, W, workspace="8 MiB")
    assert device.launches[-1][1] == greedy.id


def test_a_remembered_choice_that_grew_beyond_the_limit_is_chosen_anew(device: SimulatedDevice) -> None:
    chosen = ck.plan(ck.conv2d, X, W, workspace="8 MiB").choice.best.id
    grown = next(one for one in device.candidates if one.id == chosen)
    grown.needs = 64 * 2**20
    found = []
    thread = threading.Thread(target=lambda: found.append(ck.conv2d(X, W, workspace="8 MiB")))
    thread.start()  # prepares for itself
    thread.join()
    assert len(found) == 1
    assert device.launches[-1][1] != chosen
