"""Places come and go: one greeting for each, and a quiet end for what was on where there is nothing any more."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from bot.chat import Opened, Place, PlaceGone, PlaceId, Refused, TryLater
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Phase, TableId
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons

HALL = Place(ROOM.id, "de")


async def begun(crowd: Crowd, store: Store) -> TableId:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    held = await store.at(ROOM.id)
    assert held is not None
    return held


async def phase(store: Store, table: TableId) -> Phase:
    loaded = await store.load(table)
    assert loaded is not None
    return loaded.table.phase


async def tried(chat: RecordingChat, left: int) -> None:
    """Wait until all but so many troubles have been met."""
    while len(chat.trouble) > left:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)


# First contact


async def test_a_new_place_is_greeted_once_even_after_a_restart(
    bots: Callable[[], Service], chat: RecordingChat
) -> None:
    for service in (bots(), bots()):
        for _ in range(2):
            await service.added(HALL)
            await service.idle()
    (greeting,) = chat.messages.values()
    assert greeting.title == "Hallo, ich bin Kaleidobot!"
    assert len(greeting.text.split("\n")) == 3


async def test_from_the_greeting_every_game_is_one_tap_away(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.service.added(Place(ROOM.id))
    await crowd.service.idle()
    assert len(buttons(chat.newest())) == len(GAMES) + 1
    await crowd.says("anna", "[Kabooom!]")
    assert "who's playing" in chat.newest().title


async def test_the_greeting_speaks_the_language_that_was_set_for_the_place(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await store.set_place_setting(ROOM.id, "lang", "en")
    await crowd.service.added(HALL)
    await crowd.service.idle()
    assert chat.newest().title == "Hello, I'm Kaleidobot!"


async def test_a_place_that_takes_no_greeting_is_greeted_when_it_does(crowd: Crowd, chat: RecordingChat) -> None:
    chat.trouble = [Refused("missing permissions")]
    for _ in range(2):
        await crowd.service.added(HALL)
        await crowd.service.idle()
    assert len(chat.messages) == 1


async def test_a_greeting_waits_where_there_was_too_much(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    chat.trouble = [TryLater(20)]
    await crowd.service.added(HALL)
    await clock.advance(timedelta(seconds=21))
    await crowd.service.idle()
    assert len(chat.messages) == 1


async def test_who_opens_the_private_chat_is_greeted_each_time(crowd: Crowd) -> None:
    private = Place(PlaceId("room:@dora"), private=True)
    for _ in range(2):
        reply = await crowd.sends("dora", Opened(), place=private)
        assert reply is not None
        assert reply.title == "Hallo, ich bin Kaleidobot!"


# Places that are gone


async def test_the_game_of_a_place_that_is_gone_ends_without_a_word(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    lines = len(chat.lines)
    await crowd.service.lost(ROOM.id)
    await clock.advance(timedelta(days=2))
    await crowd.service.do_due()
    await crowd.service.repost(everything=True)
    await crowd.service.idle()
    assert await phase(store, table) == Phase.OVER
    assert len(chat.lines) == lines
    assert await store.tables_of(crowd.person("anna").id) == ()


async def test_a_lobby_goes_with_its_place_too(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom")
    held = await store.at(ROOM.id)
    assert held is not None
    await crowd.service.lost(ROOM.id)
    assert await phase(store, held) == Phase.OVER
    assert await store.at(ROOM.id) is None


async def test_a_place_where_nothing_is_on_may_go(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    table = await begun(crowd, store)
    await crowd.service.lost(PlaceId("room:elsewhere"))
    assert await phase(store, table) == Phase.RUNNING


async def test_a_place_said_to_be_gone_three_times_in_a_row_is_gone(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    chat.trouble = [PlaceGone("unknown channel")] * 3
    reply = await crowd.service.handle(crowd.update("anna", "/move b1-c1"))
    assert reply is not None
    for left in (2, 1):
        await tried(chat, left)
        assert await phase(store, table) == Phase.RUNNING
        await clock.advance(timedelta(seconds=61))
    await crowd.service.idle()
    assert await phase(store, table) == Phase.OVER


async def test_a_place_that_is_there_after_all_keeps_its_game(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    chat.trouble = [PlaceGone("unknown channel")] * 2
    await crowd.service.handle(crowd.update("anna", "/move b1-c1"))
    for left in (1, 0):
        await tried(chat, left)
        await clock.advance(timedelta(seconds=61))
    await crowd.service.idle()
    assert await phase(store, table) == Phase.RUNNING
    assert "b1 onto c1" in chat.newest().text


async def test_a_place_that_takes_nothing_for_more_than_a_day_is_given_up(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    for hours in (0, 7, 14, 21, 28):
        assert await phase(store, table) == Phase.RUNNING
        chat.trouble = [Refused("missing permissions")]
        await crowd.says("ben", "/board")
        await clock.advance(timedelta(hours=7))
        assert hours < 28 or await phase(store, table) == Phase.OVER
