"""Places come and go: one greeting each, and a table waits for a place that takes no posts."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from bot.chat import Opened, Place, PlaceAdded, PlaceGone, PlaceId, PlaceLost, PlaceRegained, Refused, TryLater
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.rating import ranks
from bot.tables.table import Phase, Table, TableId
from bot.tables.waiting import OnClock, Unreachable
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


async def tried(chat: RecordingChat, clock: HandClock, left: int) -> None:
    """Wait until all but so many troubles have been met, and the next try is waited for."""
    while len(chat.trouble) > left:
        await asyncio.sleep(0.01)
    await clock.slept()


# First contact


async def test_a_new_place_is_greeted_once_even_after_a_restart(
    bots: Callable[[], Service], chat: RecordingChat
) -> None:
    for service in (bots(), bots()):
        for _ in range(2):
            await service.place_changed(PlaceAdded(HALL))
            await service.idle()
    (greeting,) = chat.messages.values()
    assert greeting.title == "Hallo, ich bin Kaleidobot!"
    assert len(greeting.text.split("\n")) == 3


async def test_from_the_greeting_every_game_is_one_tap_away(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.service.place_changed(PlaceAdded(Place(ROOM.id)))
    await crowd.service.idle()
    assert {f"new:{game}" for game in GAMES} <= {button.payload for button in buttons(chat.newest())}
    await crowd.says("anna", "[Kabooom!]")
    assert "who's playing" in chat.newest().title


async def test_the_greeting_speaks_the_language_that_was_set_for_the_place(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await store.set_place_setting(ROOM.id, "lang", "en")
    await crowd.service.place_changed(PlaceAdded(HALL))
    await crowd.service.idle()
    assert chat.newest().title == "Hello, I'm Kaleidobot!"


async def test_a_place_that_takes_no_greeting_is_greeted_when_it_does(crowd: Crowd, chat: RecordingChat) -> None:
    chat.trouble = [Refused("missing permissions")]
    for _ in range(2):
        await crowd.service.place_changed(PlaceAdded(HALL))
        await crowd.service.idle()
    assert len(chat.messages) == 1


async def test_a_rate_limited_greeting_waits(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    chat.trouble = [TryLater(20)]
    await crowd.service.place_changed(PlaceAdded(HALL))
    await clock.advance(timedelta(seconds=21))
    await crowd.service.idle()
    assert len(chat.messages) == 1


async def test_who_opens_the_private_chat_is_greeted_each_time(crowd: Crowd) -> None:
    private = Place(PlaceId("room:@dora"), private=True)
    for _ in range(2):
        reply = await crowd.sends("dora", Opened(), place=private)
        assert reply is not None
        assert reply.title == "Hallo, ich bin Kaleidobot!"


# Places that take no posts for a while

DAY = timedelta(days=1)


async def table_of(store: Store, table: TableId) -> Table:
    loaded = await store.load(table)
    assert loaded is not None
    return loaded.table


async def goes_by(crowd: Crowd, clock: HandClock, length: timedelta) -> None:
    """Let time pass and do the due work."""
    await clock.advance(length)
    await crowd.service.do_due()
    await crowd.service.idle()


async def timed(crowd: Crowd, store: Store) -> TableId:
    """Begin a game with one day per turn and return its table."""
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/settings clock=1d")
    await crowd.says("anna", "/start")
    held = await store.at(ROOM.id)
    assert held is not None
    assert (await table_of(store, held)).clock == "1d"
    return held


async def test_a_lost_place_stops_the_clock_and_pings_no_person(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    lines = len(chat.lines)
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    for _ in range(6):
        await goes_by(crowd, clock, DAY)
    now = await table_of(store, table)
    assert now.phase == Phase.RUNNING
    assert not now.is_overdue
    assert len(chat.lines) == lines


async def test_a_regained_place_resumes_with_the_remaining_time(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    await goes_by(crowd, clock, timedelta(hours=20))
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    await goes_by(crowd, clock, 3 * DAY)
    await crowd.service.place_changed(PlaceAdded(HALL))
    await crowd.service.idle()
    await goes_by(crowd, clock, timedelta(hours=3))
    assert not (await table_of(store, table)).is_overdue
    await goes_by(crowd, clock, timedelta(hours=2))
    assert (await table_of(store, table)).is_overdue
    assert not (await table_of(store, table)).is_unreachable


async def test_time_that_a_place_was_away_before_a_turn_began_is_not_added_to_it(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    await goes_by(crowd, clock, 2 * DAY)
    chat.trouble = [Refused("missing permissions")]
    await crowd.says("anna", "/move b1-c1")
    await crowd.service.place_changed(PlaceRegained(ROOM.id))
    await crowd.service.idle()
    assert (await table_of(store, table)).waiting == OnClock(to_ms(clock.now()))


async def test_the_newest_board_is_posted_by_itself_when_the_right_is_back(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    chat.trouble = [Refused("missing permissions")]
    await crowd.says("anna", "/move b1-c1")
    assert (await table_of(store, table)).is_unreachable
    posted = chat.posted
    await crowd.service.place_changed(PlaceRegained(ROOM.id))
    await crowd.service.idle()
    assert chat.posted == posted + 1
    assert "b1 onto c1" in chat.newest().text
    await crowd.says("ben", "/move pass")
    assert (await table_of(store, table)).turn == 2


async def test_a_place_that_still_refuses_is_tried_and_its_clock_stays_stopped(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    away = (await table_of(store, table)).waiting
    assert isinstance(away, Unreachable)
    await goes_by(crowd, clock, DAY)
    chat.trouble = [Refused("missing permissions")]
    await crowd.service.place_changed(PlaceRegained(ROOM.id))
    await crowd.service.idle()
    assert (await table_of(store, table)).waiting == away


async def test_after_seven_days_it_ends_silently_and_unrated(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await timed(crowd, store)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("ben", "/move pass")
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    lines = len(chat.lines)
    await goes_by(crowd, clock, 7 * DAY - timedelta(minutes=1))
    assert (await table_of(store, table)).phase == Phase.RUNNING
    await goes_by(crowd, clock, timedelta(minutes=2))
    over = await table_of(store, table)
    assert over.phase == Phase.OVER
    assert ranks(over) is None
    await crowd.service.repost(everything=True)
    await crowd.service.idle()
    assert len(chat.lines) == lines
    assert await store.tables_of(crowd.person("anna").id) == ()


async def test_a_lobby_waits_for_its_place_and_ends_after_the_same_time(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    held = await store.at(ROOM.id)
    assert held is not None
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    await goes_by(crowd, clock, 6 * DAY)
    assert (await table_of(store, held)).phase == Phase.LOBBY
    await crowd.service.place_changed(PlaceAdded(HALL))
    await crowd.service.idle()
    await goes_by(crowd, clock, timedelta(hours=23))
    assert (await table_of(store, held)).phase == Phase.LOBBY
    await crowd.service.place_changed(PlaceLost(ROOM.id))
    await goes_by(crowd, clock, 7 * DAY + timedelta(minutes=1))
    assert (await table_of(store, held)).phase == Phase.OVER
    assert await store.at(ROOM.id) is None


async def test_a_place_without_a_table_may_go(crowd: Crowd, store: Store) -> None:
    table = await begun(crowd, store)
    await crowd.service.place_changed(PlaceLost(PlaceId("room:elsewhere")))
    await crowd.service.place_changed(PlaceRegained(PlaceId("room:elsewhere")))
    assert not (await table_of(store, table)).is_unreachable


async def test_a_place_said_to_be_gone_three_times_in_a_row_is_gone_for_now(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    chat.trouble = [PlaceGone("unknown channel")] * 3
    reply = await crowd.service.handle(crowd.update("anna", "/move b1-c1"))
    assert reply is not None
    for left in (2, 1):
        await tried(chat, clock, left)
        assert not (await table_of(store, table)).is_unreachable
        await clock.advance(timedelta(seconds=61))
    await crowd.service.idle()
    assert (await table_of(store, table)).is_unreachable
    await clock.advance(timedelta(minutes=11))
    await crowd.service.repost()
    await crowd.service.idle()
    assert not (await table_of(store, table)).is_unreachable
    assert "b1 onto c1" in chat.newest().text


async def test_a_place_that_is_there_after_all_keeps_its_game(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    table = await begun(crowd, store)
    chat.trouble = [PlaceGone("unknown channel")] * 2
    await crowd.service.handle(crowd.update("anna", "/move b1-c1"))
    for left in (1, 0):
        await tried(chat, clock, left)
        await clock.advance(timedelta(seconds=61))
    await crowd.service.idle()
    assert not (await table_of(store, table)).is_unreachable
    assert "b1 onto c1" in chat.newest().text


async def test_the_last_board_of_a_game_that_is_over_is_tried_for_seven_days(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await begun(crowd, store)
    await crowd.says("anna", "/end")
    chat.trouble = [Refused()]
    await crowd.says("ben", "[I agree]")
    assert await store.at(ROOM.id) is None
    tried = []
    for _ in range(9):
        await clock.advance(DAY)
        chat.trouble = [Refused()]
        tried.append(await crowd.service.repost())
        await crowd.service.idle()
    assert tried == [1] * 7 + [0] * 2
