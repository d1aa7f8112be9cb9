"""The puzzle of the day as a post: one a day in each place that wishes it, and no solution before its day is over."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis import Redis

import texts
from bot.chat import (
    Limited,
    Moved,
    Obstacle,
    PersonId,
    PictureKind,
    Place,
    PlaceId,
    PlaceMoved,
    Press,
    Priority,
    PublicPicture,
    Refused,
    Reply,
    ThreadAccess,
    TryLater,
    Undelivered,
)
from bot.extras.daily import replies
from bot.requests import DailyThread, Hide, RemindDaily, SendDaily, Set, SolveDaily
from bot.service.service import Service
from bot.store.daily import DailyDue, DailyWork
from bot.store.store import Store
from bot.tables.daily import SPREAD_S, newest_time
from bot.tables.preferences import DAILY, LANG, OF_PLACE
from rules.puzzles import puzzle
from tests.bot.conftest import HandClock
from tests.bot.servers import wired
from tests.bot.talk.recording import ELSEWHERE, ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_daily import today
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_forgetting import FORGET, OWN, ZEB, Talk, talk
from tests.bot.test_store import nothing
from tests.bot.test_store_records import rate, reached
from tests.chaos import real_days
from tests.chaos.days import lived
from tests.puzzles import best, worst

__all__ = ["talk"]

HOUR = 14
ANNA = PersonId("room:anna")
PALACE = PlaceId("room:palace")
ALONE = Place(PlaceId("room:@anna"), private=True)


def switch(hour: int | None) -> Press:
    choice = 0 if hour is None else DAILY.choices.index(str(hour))
    return Press(Set("place", OF_PLACE.index(DAILY), choice).payload)


async def at(clock: HandClock, *services: Service, day: int, hour: int, minute: int = 0) -> None:
    """Let the time pass until that moment of January, and do the due work of all processes at once."""
    await clock.advance(datetime(2026, 1, day, hour, minute, tzinfo=UTC) - clock.now())
    await asyncio.gather(*(service.do_due() for service in services))
    for service in services:
        await service.idle()


def titles(chat: RecordingChat) -> list[str]:
    return [post.title.partition(" · ")[0] for post in chat.messages.values()]


@pytest.fixture
async def service(crowd: Crowd) -> Service:
    """Return the bot of a room that gets its puzzle at two o'clock."""
    await crowd.sends("ada", switch(HOUR), may_manage=True)
    return crowd.service


# When


async def test_a_place_gets_no_puzzle_unless_its_manager_wishes_it(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    reply = await crowd.sends("anna", switch(HOUR))
    assert reply is not None
    assert not reply.rows
    await at(clock, crowd.service, day=6, hour=15)
    assert titles(chat) == []


async def test_a_place_gets_one_puzzle_a_day_from_all_processes(
    service: Service, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    services = [service, bots(), bots()]
    for day in (5, 6, 7):
        for hour in (14, 15, 19, 23):
            await at(clock, *services, day=day, hour=hour)
    assert titles(chat) == ["Day 5", "Day 6", "Day 7"]
    assert chat.pings == []


async def test_another_hour_brings_no_second_puzzle_that_day(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await at(clock, service, day=5, hour=15)
    await crowd.sends("ada", switch(18), may_manage=True)
    await at(clock, service, day=5, hour=19)
    assert titles(chat) == ["Day 5"]


@pytest.mark.parametrize(("hour", "days"), [(19, ["Day 6"]), (21, [])])
async def test_a_puzzle_late_by_six_hours_is_skipped(
    service: Service, chat: RecordingChat, clock: HandClock, hour: int, days: list[str]
) -> None:
    await at(clock, service, day=6, hour=hour)
    assert titles(chat) == days
    await at(clock, service, day=7, hour=15)
    assert titles(chat) == [*days, "Day 7"]


async def test_a_puzzle_late_past_midnight_is_skipped_and_excused(
    crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.sends("ada", switch(22), may_manage=True)
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    await at(clock, crowd.service, day=6, hour=1)
    assert titles(chat) == []
    assert (await store.daily.days(ANNA))[1] == {5}
    await at(clock, crowd.service, day=6, hour=23)
    assert titles(chat) == ["Day 6"]


def test_places_of_one_hour_are_spread_over_minutes() -> None:
    now = datetime(2026, 1, 5, 20, tzinfo=UTC)
    times = [newest_time(PlaceId(f"room:{number}"), HOUR, now) for number in range(2000)]
    begin = datetime(2026, 1, 5, HOUR, tzinfo=UTC)
    minutes = [int((time - begin).total_seconds()) // 60 for time in times]
    assert set(minutes) == set(range(SPREAD_S // 60))
    assert max(minutes.count(minute) for minute in set(minutes)) < 350


async def test_a_puzzle_waits_for_the_end_of_a_game(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await at(clock, service, day=5, hour=15)
    assert not any("Day" in title for title in titles(chat))
    await crowd.says("anna", "/leave")
    await at(clock, service, day=5, hour=16)
    assert titles(chat)[-1] == "Day 5"


async def test_a_place_that_is_switched_off_gets_no_more(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await at(clock, service, day=5, hour=15)
    await crowd.sends("ada", switch(None), may_manage=True)
    await at(clock, service, day=6, hour=15)
    assert titles(chat) == ["Day 5"]


# Threads


async def manages(crowd: Crowd, press: Press, access: ThreadAccess) -> Reply:
    reply = await crowd.service.handle(replace(crowd.pressing("ada", press), may_manage=True, thread_access=access))
    assert reply is not None
    return reply


async def test_the_puzzle_gets_a_thread_of_its_own_if_a_manager_wishes_it(
    service: Service, crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    page = await manages(crowd, switch(HOUR), ThreadAccess.ALLOWED)
    assert "In a thread or topic of its own" in [button.label for button in buttons(page)]
    replies = [await manages(crowd, Press(DailyThread().payload), ThreadAccess.ALLOWED) for _ in range(2)]
    assert [reply.text.partition(":")[0] for reply in replies] == ["Done", texts.say("table", "denied.stale", "en")]
    assert chat.lines.count("bot opens a thread: Puzzle of the day") == 1
    await crowd.says("anna", "/newgame kabooom easy")
    for day in (5, 6):
        await at(clock, service, day=day, hour=15)
    (thread,) = {chat.places[message] for message, post in chat.messages.items() if "Day" in post.title}
    assert [title for title in titles(chat) if "Day" in title] == ["Day 5", "Day 6"]
    assert thread != ROOM.id
    assert [*await store.daily_places.solvers(thread)] == [ANNA]


@pytest.mark.parametrize("access", [ThreadAccess.UNSUPPORTED, ThreadAccess.FORBIDDEN])
async def test_no_thread_is_offered_where_there_can_be_none(crowd: Crowd, access: ThreadAccess) -> None:
    page = await manages(crowd, switch(HOUR), access)
    assert DailyThread().payload not in [button.payload for button in buttons(page)]


@pytest.mark.parametrize("is_known", [True, False])
async def test_without_the_right_to_open_a_thread_the_posts_stay(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock, *, is_known: bool
) -> None:
    chat.refuses["branch"] = Refused("muted", Obstacle.RIGHTS)
    access = ThreadAccess.BOT_FORBIDDEN if is_known else ThreadAccess.ALLOWED
    reply = await manages(crowd, Press(DailyThread().payload), access)
    assert "not allowed to open" in reply.text
    await at(clock, service, day=5, hour=15)
    assert [*chat.places.values()] == [ROOM.id]


async def test_two_presses_open_one_thread(service: Service, crowd: Crowd, chat: RecordingChat) -> None:
    presses = (manages(crowd, Press(DailyThread().payload), ThreadAccess.ALLOWED) for _ in range(2))
    stale = texts.say("table", "denied.stale", "en")
    assert [reply.text == stale for reply in await asyncio.gather(*presses)].count(True) == 1
    assert chat.lines.count("bot opens a thread: Puzzle of the day") == 1


@pytest.mark.parametrize("ends", ["refused", "killed"])
async def test_no_puzzle_is_lost_while_a_thread_opens(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock, ends: str
) -> None:
    chat.branches.clear()
    press = asyncio.create_task(manages(crowd, Press(DailyThread().payload), ThreadAccess.ALLOWED))
    await asyncio.sleep(0.05)
    await at(clock, service, day=5, hour=15)
    if ends == "killed":
        press.cancel()
    else:
        chat.refuses["branch"] = Refused("muted", Obstacle.RIGHTS)
        chat.branches.set()
    await asyncio.wait([press])
    await at(clock, service, day=6, hour=15)
    assert titles(chat) == ["Day 5", "Day 6"]
    assert {*chat.places.values()} == {ROOM.id}


async def test_solving_under_the_post_of_a_place_with_a_thread_counts_in_the_thread(
    service: Service, crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    """The post of the day stays; it counts the answers of the thread."""
    await at(clock, service, day=5, hour=15)
    await manages(crowd, Press(DailyThread().payload), ThreadAccess.ALLOWED)
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    await crowd.sends("anna", Press(SendDaily(5, best(5)).payload))
    assert await store.daily_places.solvers(ROOM.id) == {}
    await at(clock, service, day=5, hour=16)
    assert [post.small for post in chat.messages.values()] == ["1 person has answered."]
    await at(clock, service, day=6, hour=15)
    assert titles(chat) == ["Day 5", "Day 6"]
    assert chat.newest().text.split("\n")[0].startswith("Yesterday (Kabooom!): Anna")
    assert [*chat.places.values()].count(ROOM.id) == 1


async def test_only_managers_give_the_puzzle_a_thread(service: Service, crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.sends("anna", Press(DailyThread().payload))
    assert not any("opens a thread" in line for line in chat.lines)


# Troubles


@pytest.mark.parametrize("nonces", [True, False])
async def test_a_puzzle_whose_outcome_is_unknown_is_not_posted_twice(
    service: Service, chat: RecordingChat, clock: HandClock, nonces: bool
) -> None:
    chat.dedupes_posts, chat.loses = nonces, 1
    for minute in range(9, 30, 3):
        await at(clock, service, day=5, hour=14, minute=minute)
    assert titles(chat) == ["Day 5"]


@pytest.mark.parametrize("trouble", [Limited(30), TryLater(None, "lost before it arrived")])
async def test_a_puzzle_is_posted_after_a_trouble(
    service: Service, chat: RecordingChat, clock: HandClock, trouble: Undelivered
) -> None:
    chat.trouble = [trouble]
    for minute in (9, 12, 15):
        await at(clock, service, day=5, hour=14, minute=minute)
    assert titles(chat) == ["Day 5"]


@pytest.mark.parametrize("trouble", [Limited(900), Moved(PALACE)])
async def test_a_trouble_of_a_repeated_post_brings_no_second_one(
    service: Service, chat: RecordingChat, clock: HandClock, trouble: Undelivered
) -> None:
    chat.loses = 1
    await at(clock, service, day=5, hour=14, minute=9)
    chat.trouble = [trouble]
    await at(clock, service, day=5, hour=14, minute=12)
    chat.nonces.clear()
    for minute in range(15, 50, 5):
        await at(clock, service, day=5, hour=14, minute=minute)
    assert chat.trouble == []
    assert titles(chat) == ["Day 5"]


async def test_after_an_outage_the_next_days_have_their_posts(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    for other in ELSEWHERE[:2]:
        await crowd.sends("ada", switch(HOUR), place=other, may_manage=True)
    chat.dedupes_posts, chat.trouble = False, [TryLater(), TryLater(), TryLater()]
    await at(clock, service, day=5, hour=15)
    for minute in (9, 11, 13):
        await at(clock, service, day=6, hour=14, minute=minute)
    assert titles(chat) == ["Day 6"] * 3
    assert len(chat.written) == 1


async def test_a_recorded_post_asks_the_platform_for_nothing_more(
    service: Service, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await at(clock, service, day=5, hour=14, minute=10)
    await store.daily_places.schedule(DailyDue(DailyWork.POST, ROOM.id), 0)
    chat.full[Priority.REMINDER] = asyncio.Event()
    async with asyncio.timeout(5):
        await at(clock, service, day=5, hour=14, minute=11)
    assert not chat.full[Priority.REMINDER].is_set()


async def test_a_note_whose_answer_was_lost_is_its_own(store: Store, server: str, folder: Path) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        wire.lose_answer(b"begun_ms", nothing)
        assert await far.daily_places.begin_post(ROOM.id, 5, 7) is None
        assert wire.lost == 1
        assert await store.daily_places.begin_post(ROOM.id, 5, 7) is not None
        await far.close()


async def test_a_process_that_stops_gives_back_the_posts_that_it_has_not_begun(
    service: Service, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    other, waits = bots(), asyncio.Event()
    chat.full[Priority.REMINDER] = waits
    await clock.advance(timedelta(hours=2, minutes=10))
    await service.do_due()
    async with asyncio.timeout(5):
        await waits.wait()
    await service.stop()
    chat.full.clear()
    await at(clock, other, day=5, hour=14, minute=10)
    assert titles(chat) == ["Day 5"]


async def test_a_place_that_refuses_is_tried_again_the_next_day(
    service: Service, chat: RecordingChat, clock: HandClock
) -> None:
    chat.refuses["post"] = Refused("muted", Obstacle.RIGHTS)
    await at(clock, service, day=5, hour=15)
    del chat.refuses["post"]
    await at(clock, service, day=5, hour=19)
    assert titles(chat) == []
    await at(clock, service, day=6, hour=15)
    assert titles(chat) == ["Day 6"]


@pytest.mark.parametrize("is_posted", [True, False])
async def test_a_day_without_its_post_ends_no_streak(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock, *, is_posted: bool
) -> None:
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    await crowd.sends("anna", Press(SendDaily(5, best(5)).payload))
    for day in (6, 7, 8):
        if not is_posted:
            chat.refuses["post"] = Refused("muted", Obstacle.RIGHTS)
        await at(clock, service, day=day, hour=15)
    await clock.advance(timedelta(days=1))
    await crowd.sends("anna", Press(SendDaily(9, best(9)).payload))
    reply = await crowd.says("anna", "/stats")
    assert reply is not None
    assert f"streak {1 if is_posted else 2} " in reply.text


async def test_a_place_without_pictures_gets_the_position_in_words(
    service: Service, chat: RecordingChat, clock: HandClock
) -> None:
    chat.pictureless.add(ROOM.id)
    await at(clock, service, day=5, hour=15)
    assert "Points: House 6, Somebody 6" in chat.newest().text


async def test_the_puzzles_move_with_their_place(
    service: Service, crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    await service.place_changed(PlaceMoved(ROOM.id, PALACE))
    await at(clock, service, day=5, hour=15)
    assert list(chat.places.values()) == [PALACE]
    assert list(await store.daily_places.solvers(PALACE)) == [ANNA]
    assert await store.records.places(ANNA) == (PALACE,)


async def test_a_move_that_a_post_discovers_moves_settings_and_records_too(
    service: Service, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await store.set_place_setting(ROOM.id, LANG.name, "de")
    await rate(store, reached(ANNA), place=ROOM.id, game="kabooom")
    chat.trouble = [Moved(PALACE)]
    for minute in (10, 15):
        await at(clock, service, day=5, hour=14, minute=minute)
    assert list(chat.places.values()) == [PALACE]
    assert titles(chat) == ["Tag 5"]
    assert [record.games for record in await store.records.of(PALACE, "kabooom", [ANNA])] == [1]


# Its text


async def test_the_next_post_names_the_solvers_who_are_not_hidden(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    for name in ("anna", "ben", "clara"):
        await crowd.sends(name, Press(SolveDaily(5).payload))
    for name, steps in (("anna", best(5)), ("ben", best(5)), ("clara", worst(5)), ("emil", best(5))):
        await crowd.sends(name, Press(SendDaily(5, steps).payload))
    await crowd.sends("ben", Press(Hide(on=True).payload))
    await at(clock, service, day=5, hour=15)
    assert chat.newest().small == "3 people have answered."
    await at(clock, service, day=6, hour=15)
    assert chat.newest().text.split("\n")[0] == "Yesterday (Kabooom!): Anna and 1 more found the best result, 16."


async def test_answers_are_counted_under_the_post_seldom(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await at(clock, service, day=5, hour=14, minute=10)
    for number in range(9):
        await crowd.sends(f"guest{number}", Press(SolveDaily(5).payload))
        await crowd.sends(f"guest{number}", Press(SendDaily(5, worst(5)).payload))
    for minute in (11, 12, 14, 15, 16):
        await at(clock, service, day=5, hour=14, minute=minute)
    edits = [line for line in chat.lines if line.startswith("bot, edit")]
    assert len(edits) == 1
    assert "9 people have answered." in edits[0]


async def test_a_count_that_could_not_be_shown_is_shown_later(
    service: Service, crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await at(clock, service, day=5, hour=14, minute=10)
    await crowd.sends("anna", Press(SolveDaily(5).payload))
    await crowd.sends("anna", Press(SendDaily(5, worst(5)).payload))
    chat.trouble = [TryLater()]
    for minute in (14, 18):
        await at(clock, service, day=5, hour=14, minute=minute)
    assert chat.newest().small == "1 person has answered."


def test_a_post_does_not_depend_on_the_solution() -> None:
    one, picture = puzzle(5), PublicPicture(b"", "")
    other = replace(one, par=one.par + 1, line=(), ways=(1, 2))
    posts = [replies.post(5, some, picture, None, 3, "en") for some in (one, other)]
    assert posts[0] == posts[1]


async def test_the_first_post_of_a_month_has_the_table_of_the_last_one(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await clock.advance(timedelta(days=25))
    await crowd.sends("ada", switch(HOUR), may_manage=True)
    for name in ("anna", "ben"):
        await crowd.sends(name, Press(SolveDaily(today(clock)).payload))
    await crowd.sends("anna", Press(SendDaily(30, best(30)).payload))
    await at(clock, crowd.service, day=31, hour=15)
    await crowd.sends("ben", Press(SendDaily(31, worst(31)).payload))
    await crowd.sends("anna", Press(SendDaily(31, best(31)).payload))
    await clock.advance(timedelta(days=1))
    await crowd.service.do_due()
    await crowd.service.idle()
    picture = chat.newest().picture
    assert picture is not None
    assert picture.kind is PictureKind.CHART
    assert picture.alt == "Puzzles of January 2026. 1 Anna: best result on 2 of 2. 2 Ben: best result on 0 of 1."
    assert chat.posted == 2


# Reminders


async def test_a_person_is_reminded_in_their_own_chat_until_they_wish_no_more(
    crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    card = await crowd.sends("anna", Press(SendDaily(5, worst(5)).payload), place=ALONE)
    assert card is not None
    assert "Remind me" in [button.label for button in buttons(card)]
    reply = await crowd.sends("anna", Press(RemindDaily(on=True).payload), place=ALONE)
    assert reply is not None
    assert "10:00 UTC" in reply.text
    await at(clock, crowd.service, day=6, hour=11)
    assert chat.pings == [ANNA]
    assert await store.records.own_places(ANNA) == (ALONE.id,)
    card = await crowd.sends("anna", Press(SendDaily(6, worst(6)).payload), place=ALONE)
    assert card is not None
    for place in (ALONE, ROOM):
        card = await crowd.says("anna", "/daily", place=place)
        assert card is not None
        assert buttons(card)[-2].label == "No more reminders"
    await crowd.sends("anna", Press(buttons(card)[-2].payload), place=ROOM)
    await at(clock, crowd.service, day=7, hour=11)
    assert chat.posted == 1


async def test_the_hour_of_reminders_is_confirmed_in_local_time(crowd: Crowd) -> None:
    update = crowd.pressing("anna", Press(RemindDaily(on=True).payload))
    person = replace(update.person, zone="Asia/Tokyo")
    reply = await crowd.service.handle(replace(update, person=person, place=ALONE))
    assert reply is not None
    assert "soon after 10:00 UTC (now 19:00 in Tokyo)" in reply.text


async def test_a_person_is_reminded_beside_a_game(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await crowd.sends("anna", Press(RemindDaily(on=True).payload), place=ALONE)
    await crowd.says("anna", "/newgame kabooom easy", place=ALONE)
    await at(clock, crowd.service, day=6, hour=11)
    assert titles(chat)[-1] == "Day 6"


async def test_a_person_who_has_answered_is_not_reminded(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await crowd.sends("anna", Press(RemindDaily(on=True).payload), place=ALONE)
    await at(clock, crowd.service, day=6, hour=9)
    await crowd.sends("anna", Press(SendDaily(6, worst(6)).payload), place=ALONE)
    await at(clock, crowd.service, day=6, hour=11)
    assert chat.pings == []
    await at(clock, crowd.service, day=7, hour=11)
    assert titles(chat) == ["Day 7"]


async def test_nobody_is_reminded_where_others_read(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    reply = await crowd.sends("anna", Press(RemindDaily(on=True).payload))
    assert reply is not None
    assert "in our private chat" in reply.text
    await at(clock, crowd.service, day=6, hour=11)
    assert chat.posted == 0


# Privacy


async def test_a_solver_is_exported_and_forgotten(talk: Talk, store: Store) -> None:
    await talk.zeb(Press(SolveDaily(5).payload))
    await store.daily.excuse([ZEB.id], 6)
    data = read(await talk.zeb(EXPORT))
    assert [(record["place"], record["solver"]) for record in data["records"]] == [(ROOM.id, ZEB.name)]
    assert data["daily_puzzles_not_posted"] == [6]
    await talk.zeb(FORGET)
    assert await store.daily_places.solvers(ROOM.id) == {}
    assert await store.daily.days(ZEB.id) == ({}, frozenset())
    assert await store.records.places(ZEB.id) == ()


async def test_a_forgotten_person_gets_no_more_puzzles(talk: Talk, chat: RecordingChat, clock: HandClock) -> None:
    await talk.zeb(switch(HOUR), OWN)
    await at(clock, talk.crowd.service, day=5, hour=15)
    assert titles(chat) == ["Day 5"]
    await talk.zeb(FORGET)
    await at(clock, talk.crowd.service, day=6, hour=15)
    assert titles(chat) == ["Day 5"]


async def test_solving_alone_makes_no_solver_of_a_place(crowd: Crowd, store: Store) -> None:
    await crowd.sends("anna", Press(SolveDaily(5).payload), place=ALONE)
    await crowd.says("anna", "/daily")
    assert await store.records.places(ANNA) == ()


# Many days


async def test_on_all_platforms_no_byte_tells_a_solution_before_its_answer(folder: Path) -> None:
    life = await real_days.compared(folder, real_days.Size(days=1, people=5, places=5))
    assert life.violations == []
    assert (life.posts, life.answers) == (4, 3)


def test_the_comparison_finds_a_byte_that_tells() -> None:
    one, other = ({"330 open 6": ["a", byte], "330 sent 6": [byte], "331 open 6": [byte]} for byte in "bc")
    found = [*real_days.differences(real_days.Life(one), real_days.Life(other))]
    assert found == ["330 open 6 tells: ('b', 'c')"]
    blind = real_days.Life({"330 sent 6": ["a"]})
    assert [*real_days.differences(blind, blind)] == ["330 sent 6: the comparison is blind"]


async def test_days_with_faults_cost_no_post_and_no_streak(server: str, raw: Redis) -> None:
    report = await lived(server, days=3, people=9, places=6)
    assert report.is_fine, report.notes
    assert report.posts + report.excused == 18
    assert report.answers > 10
