"""Who must act now, the house where it is up, and what others hear who try."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec

from msgspec import Struct

from bot import house
from bot.chat import PersonId, Reply
from bot.keeper import Seen
from bot.replies import notes
from bot.table import Denied, Phase, Step
from rules import State

P = ParamSpec("P")


class Acting(Struct, frozen=True):
    """The seat of the person who must act now, in this position."""

    seat: int
    state: State


def who_acts(seen: Seen, person: PersonId) -> Acting | None:
    """Seat and position if *person* is the one who must act now."""
    seat = seen.table.seat_of(person)
    if seen.state is None or seen.table.phase != Phase.RUNNING or seat is None or seen.state.actor != seat:
        return None
    return Acting(seat, seen.state)


async def house_plays(step: Step, now_ms: int) -> Step:
    """`house.play_house`, beside the event loop where there is something to think about."""
    actor = None if step.state is None else step.state.actor
    if actor is None or not step.table.seats[actor].house:
        return step
    return await house_thinks(house.play_house, step, now_ms)


async def house_thinks(what: Callable[P, Step], *args: P.args, **named: P.kwargs) -> Step:
    """What the house does, worked out beside the event loop: with many seats it may think for a tenth of a second."""
    return await asyncio.to_thread(what, *args, **named)


def not_acting(seen: Seen, person: PersonId, lang: str) -> Reply:
    """Why *person* cannot act. Denied: over, not_running, not_playing."""
    if seen.table.phase != Phase.RUNNING or seen.state is None:
        raise Denied("over" if seen.table.phase == Phase.OVER else "not_running")
    seat = seen.table.seat_of(person)
    if seat is None:
        raise Denied("not_playing")
    return notes.not_your_turn(seen.table, seen.state.view(None), seat, lang)
