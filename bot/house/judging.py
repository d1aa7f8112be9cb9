"""The value of a finished game to a seat, from 0 (lost) to 1 (won), on the scale of `State.win_probability`."""

from typing import Any

SOONER = 1e-5
"""Bonus per action: a win is better, and a loss worse, the fewer actions away it is."""


def result(state: Any, seat: int, ply: int) -> float:
    """Return the value of *state*, which is over after *ply* actions, to *seat*."""
    winners = state.outcome.winners
    share = 1 / len(winners) if seat in winners else 0.0
    return share - SOONER * ply if share > 0.5 else share + SOONER * ply
