"""Whole turns as people type them, for conversations that begin far into a game."""

import msgspec

from bot.chat import PlaceId
from bot.store.store import Store
from bot.tables.table import Table
from rules import GAMES, State
from rules.chance import Chance
from tests.bot.house.playing import best_action


async def next_turn(store: Store, place: PlaceId) -> tuple[str, str]:
    """Who is up in *place*, by their name in small letters, and what they type; see `typed`."""
    held = await store.at(place)
    loaded = None if held is None else await store.load(held)
    assert loaded is not None
    assert isinstance(loaded.table.state, msgspec.Raw)
    return typed(loaded.table, GAMES[loaded.table.game].decode(bytes(loaded.table.state)))


def typed(table: Table, state: State) -> tuple[str, str]:
    """Who is up, and the line with which this person plays the whole turn as the house would. The same every time."""
    actor, after, actions = state.actor, state, list[str]()
    assert actor is not None
    while after.actor == actor:
        action = best_action(after, actor, Chance(table.turn, counter=len(actions), label="turns"))
        before, after = after, after.play(action)
        actions.append(str(action))
        if before.ends_turn(after):
            break
    return table.seats[actor].name.lower(), f"/move {' '.join(actions)}"
