"""What a position is worth to a seat, from 0 (lost) to 1 (won): as its game says, or roughly from its ``worth``."""

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import Any

from rules import Judged, Sifted

SOONER = 1e-5
"""A win is better, and a loss worse, the fewer actions away it is."""
ROUGH = 20
"""What a difference in ``worth`` has to be to matter."""


def prospect(state: Any, seat: int) -> float:
    """How likely *seat* is to win from *state*, which is not over."""
    if _is(Judged, state):
        worth: float = state.prospect(seat)
        return worth
    others = [state.worth(other) for other in range(len(state.view(None).standing() or ())) if other != seat]
    ahead = state.worth(seat) - max(others, default=0)
    return 1 / (1 + exp(-ahead / ROUGH))


def result(state: Any, seat: int, ply: int) -> float:
    """How *state*, which is over after *ply* actions, ended for *seat*."""
    winners = state.outcome.winners
    share = 1 / len(winners) if seat in winners else 0.0
    return share - SOONER * ply if share > 0.5 else share + SOONER * ply


def sharp(state: Any) -> Sequence[Any]:
    """The actions that cannot wait."""
    return state.sharp() if _is(Judged, state) else ()


def sifted(state: Any) -> Sequence[Any]:
    """The legal actions, as far as they are worth a thought."""
    listed: Sequence[Any] = state.sifted() if _is(Sifted, state) else state.actions()
    return listed


def _is(protocol: Any, state: Any) -> bool:
    """Like isinstance, which is slow with protocols; this is asked very often."""
    kind: Any = type(state)
    return _is_kind(protocol, kind)


@cache
def _is_kind(protocol: Any, kind: Any) -> bool:
    return issubclass(kind, protocol)
