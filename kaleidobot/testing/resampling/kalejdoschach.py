"""Resampling for KalejdoSchach: only the seed is hidden, and with it the future throws."""

from msgspec.structs import replace

from rules.games.kalejdoschach import State


def resample(state: State, seat: int | None, seed: int) -> State:
    return replace(state, seed=seed)
