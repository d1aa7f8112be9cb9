"""Whole turns as people type them, for conversations that begin far into a game."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from bot.chat import Person, Place, PlaceId, Typed, Update, UpdateId
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Table, TableId
from rules import GAMES
from rules.chance import Chance
from tests.bot.house.playing import best_action


async def play_on(
    bot: Service, store: Store, place: Place, person: Callable[[str], Person], turns: int, moves: Sequence[str] = ()
) -> None:
    """Play so many turns in *place*, typed to *bot* by the actor, the *person* of that name. *moves*: their lines,
    repeated. The house plays its own turns first."""
    for number in range(turns):
        table = await _table(store, place.id)
        who, line = _written(table, number, moves)
        if not who:
            await bot.idle()
            table = await _table(store, place.id)
            who, line = _written(table, number, moves)
        update = UpdateId(f"{table.id}/{table.revision}")
        await bot.handle(Update(update, person(who), place, Typed(line)))
    await bot.idle()


async def next_turn(store: Store, place: PlaceId, number: int = 0, moves: Sequence[str] = ()) -> tuple[str, str]:
    """Return the actor in *place*, by name in small letters, and the line to type: turn *number* among *moves*,
    repeated; without moves see `typed`."""
    return _written(await _table(store, place), number, moves)


def _written(table: Table, number: int, moves: Sequence[str]) -> tuple[str, str]:
    if not moves:
        return typed(table)
    assert isinstance(table.state, msgspec.Raw)
    actor = GAMES[table.game].decode(bytes(table.state)).actor
    assert actor is not None
    return table.seats[actor].name.lower(), f"/move {moves[number % len(moves)]}"


async def _table(store: Store, place: PlaceId) -> Table:
    """Return the running table in *place*."""
    held = await store.at(place)
    assert held is not None
    return await saved(store, held)


async def saved(store: Store, table: TableId) -> Table:
    """Return the table as it is in the store."""
    loaded = await store.load(table)
    assert loaded is not None
    return loaded.table


def typed(table: Table) -> tuple[str, str]:
    """Return the actor and the line that plays the whole turn as the house would. Deterministic."""
    assert isinstance(table.state, msgspec.Raw)
    actor, actions = _turn(table.game, bytes(table.state), table.turn)
    return table.seats[actor].name.lower(), f"/move {' '.join(actions)}"


@lru_cache(512)
def _turn(game: str, state: bytes, number: int) -> tuple[int, tuple[str, ...]]:
    """Return the actor and the actions of turn *number*. Conversations reach the same positions on every platform."""
    after, actions = GAMES[game].decode(state), list[str]()
    actor = after.actor
    assert actor is not None
    while after.actor == actor:
        action = best_action(after, actor, Chance(number, counter=len(actions), label="turns"))
        before, after = after, after.play(action)
        actions.append(str(action))
        if before.ends_turn(after):
            break
    return actor, tuple(actions)


def a_turn(state: Any, luck: random.Random) -> str:
    """Return the words of a random turn without questions."""
    said, actor = list[str](), state.actor
    while state.actor == actor:
        actions = [action for action in state.actions() if (state.warns(action) or state.cautions(action)) is None]
        action = luck.choice(actions or state.actions())
        before, state = state, state.play(action)
        said.append(str(action))
        if before.ends_turn(state):
            break
    return " ".join(said)
