"""Kabooom hides nothing but the seed."""

import random

import msgspec

from rules.games.kabooom import State


def resample(state: State, seat: int | None, seed: int) -> State:
    """Another position that looks the same to *seat*: the one that another seed would have brought about."""
    return msgspec.structs.replace(state, seed=random.Random(seed).getrandbits(128))
