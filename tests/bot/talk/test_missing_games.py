"""A game that is not installed: its tables rest, lose nothing, and go on when it is back."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from redis import Redis

from bot.chat import PersonId, PlaceId, PlaceMoved, Press, Typed
from bot.replies.words import say
from bot.requests import payload
from bot.store import keys
from bot.store.store import Store
from bot.tables.rating import Called, Reached, Record
from bot.tables.table import Phase, Table, TableId
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, stamped
from tests.bot.talk.test_forgetting import FORGET
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.test_time import begun, later
from tests.bot.talk.worlds import position

GONE = "ludo"
"""The id of a game that no package brings."""
SORRY = say("trouble.game", "en", game=GONE)


@contextmanager
def without_game(raw: Redis, table: Table) -> Iterator[None]:
    """Let the game of the stored *table* be one that is not installed."""
    key = keys.of_table(table.id, keys.shard(table.id))[0]

    def called(name: str) -> None:
        document = json.loads(raw.hget(key, "json") or "")
        raw.hset(key, mapping={"json": json.dumps({**document, "game": name}), "save": f"{name}:1"})

    called(GONE)
    yield
    called(table.game)


async def stored(store: Store, table: Table) -> Table:
    loaded = await store.load(table.id)
    assert loaded is not None
    return loaded.table


async def test_people_are_told_kindly_and_nothing_is_lost(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd, "1d")
    table = await table_here(store)
    posted = chat.posted
    with without_game(raw, table):
        pressed = [stamped("play", table, 0), stamped("menu", table, 0), payload.write("leave", table.id)]
        typed = ("/move pass", "/board", "/end", "/history", "/verify")
        bodies: list[Press | Typed] = [*map(Press, pressed), *map(Typed, typed)]
        for body in bodies:
            assert text(await crowd.sends("anna", body)) == SORRY, body
        assert await crowd.says("anna", "/games") is not None
    resting = await stored(store, table)
    assert position(resting) == position(table)
    assert (resting.seats, resting.phase) == (table.seats, Phase.RUNNING)
    assert chat.posted == posted
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_no_time_runs_and_the_turn_has_all_its_time_when_the_game_is_back(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    table, called = await table_here(store), len(chat.pings)
    with without_game(raw, table):
        for _ in range(40):
            await later(crowd, clock, days=1)
            await crowd.service.repost(everything=True)
            await crowd.service.idle()
        assert len(chat.pings) == called
        assert (await stored(store, table)).lacks_game
    await later(crowd, clock, minutes=3)
    back = await stored(store, table)
    assert (back.phase, back.lacks_game, back.is_overdue) == (Phase.RUNNING, False, False)
    assert len(chat.pings) == called
    await later(crowd, clock, hours=11)
    assert len(chat.pings) == called
    await later(crowd, clock, hours=2)
    assert len(chat.pings) == called + 1, "at half time"
    assert text(await crowd.says("anna", "/move pass")) != SORRY
    assert (await stored(store, table)).turn == table.turn + 1


async def test_the_board_takes_taps_again_when_the_game_is_back(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    table = await table_here(store)
    with without_game(raw, table):
        await crowd.says("anna", "/board")
        await later(crowd, clock, days=2)
    await later(crowd, clock, minutes=3)
    assert chat.newest().rows
    said = text(await crowd.says("anna", "[Move]"))
    assert say("stale", "en") not in said
    assert said != SORRY


async def test_another_game_may_have_the_place_and_the_first_one_goes_on_elsewhere_later(
    crowd: Crowd, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    table = await table_here(store)
    with without_game(raw, table):
        await crowd.says("clara", "/newgame colorio")
        other = await table_here(store)
        assert (other.game, other.phase) == ("colorio", Phase.LOBBY)
        assert (await stored(store, table)).is_resting
        await later(crowd, clock, days=9)
    await crowd.says("clara", "/leave")
    assert (await stored(store, table)).is_resting
    await crowd.sends("anna", Press(payload.write("view", table.id)))
    assert (await stored(store, table)).phase == Phase.RUNNING


async def test_a_lobby_of_a_missing_game_makes_room(crowd: Crowd, store: Store, raw: Redis) -> None:
    await crowd.says("anna", "/newgame kabooom")
    table = await table_here(store)
    with without_game(raw, table):
        await crowd.says("ben", "/newgame colorio")
    assert (await stored(store, table)).phase == Phase.OVER
    assert (await table_here(store)).game == "colorio"


@pytest.mark.parametrize("others", [("ben",), ()])
async def test_a_person_can_be_forgotten_meanwhile(
    crowd: Crowd, store: Store, raw: Redis, others: tuple[str, ...]
) -> None:
    await begun(crowd, "none", *(() if others else ("house",)), others=others)
    table = await table_here(store)
    with without_game(raw, table):
        await crowd.sends("anna", FORGET)
        kept = await stored(store, table)
    assert all(seat.person != PersonId("room:anna") for seat in kept.seats)
    assert kept.phase == (Phase.RUNNING if others else Phase.OVER)


async def test_records_of_a_missing_game_move_and_are_forgotten_with_their_person(crowd: Crowd, store: Store) -> None:
    hall, cellar = ROOM.id, PlaceId("room:cellar")
    anna, ben = (Reached(PersonId(f"room:{name}"), Called(name, name), Record(1, 0)) for name in ("anna", "ben"))
    await store.records.rate(hall, GONE, TableId("table001"), (anna, ben), 1)
    await crowd.service.place_changed(PlaceMoved(hall, cellar))
    assert await store.records.all_games(hall) == ()
    assert {record.person for record in await store.records.best(cellar, GONE, 0, 9)} == {anna.person, ben.person}
    await crowd.sends("anna", FORGET)
    assert [record.person for record in await store.records.best(cellar, GONE, 0, 9)] == [ben.person]
    assert await store.records.of(cellar, GONE, [anna.person]) == (Record(),)


async def test_a_table_goes_on_at_once_if_one_of_its_people_comes_first(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd, "none")
    table = await table_here(store)
    with without_game(raw, table):
        assert text(await crowd.says("anna", "/board")) == SORRY
        await clock.advance(timedelta(days=5))
    await crowd.says("ben", "/games")
    assert (await stored(store, table)).lacks_game
    await crowd.says("anna", "/move pass")
    goes_on = await stored(store, table)
    assert (goes_on.lacks_game, goes_on.turn) == (False, table.turn + 1)
