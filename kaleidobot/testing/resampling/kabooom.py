"""Resampling for Kabooom: only the seed is hidden."""

import random

import msgspec

from rules.games.kabooom import State


def resample(state: State, seat: int | None, seed: int) -> State:
    """Return a position that looks the same to *seat*, with another seed."""
    return msgspec.structs.replace(state, seed=random.Random(seed).getrandbits(128))
