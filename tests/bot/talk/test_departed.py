"""The others need not wait for a person who has left the place."""

import pytest

from bot.chat import MemberCame, MemberLeft
from bot.store.store import Store
from bot.tables.rating import ranks
from bot.tables.table import Phase, Table
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_time import ANNA, BEN, begun, here, later
from tests.bot.talk.turns import next_turn

LEFT = "Anna has left this chat."


async def on(store: Store) -> Table:
    table = await here(store)
    assert table is not None
    return table


async def leaves(crowd: Crowd, *people: str) -> None:
    for person in people:
        await crowd.service.place_changed(MemberLeft(ROOM.id, crowd.person(person).id))
    await crowd.service.idle()


@pytest.mark.parametrize("clock_", ["1d", "none"])
async def test_if_it_is_their_turn_the_others_decide_at_once(
    crowd: Crowd, chat: RecordingChat, store: Store, clock_: str
) -> None:
    await begun(crowd, clock_)
    await leaves(crowd, "anna")
    assert (await on(store)).is_overdue
    assert LEFT in chat.newest().text
    assert "Anna has run out of time" not in chat.newest().text
    await crowd.says("ben", "[Let the house play this turn]")
    assert (await on(store)).turn == 1


async def test_if_it_is_not_the_others_decide_as_soon_as_it_is(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await leaves(crowd, "ben")
    assert not (await on(store)).is_overdue
    await crowd.says("anna", "/move b1-c1")
    assert (await on(store)).is_overdue
    assert "Ben has left this chat." in chat.newest().text
    assert chat.pings == [ANNA]


async def test_a_person_who_is_back_or_plays_from_elsewhere_has_all_the_time(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "1d")
    await leaves(crowd, "ben")
    await crowd.service.place_changed(MemberCame(ROOM.id, BEN))
    await crowd.says("anna", "/move b1-c1")
    assert not (await on(store)).is_overdue
    await leaves(crowd, "ben")
    assert (await on(store)).is_overdue
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    table = await on(store)
    assert (table.turn, table.is_overdue) == (3, False)


@pytest.mark.parametrize("clock_", ["1d", "none"])
async def test_if_all_have_left_the_game_rests_and_ends_uncounted_after_a_week(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, clock_: str
) -> None:
    await begun(crowd, clock_)
    await leaves(crowd, "anna", "ben")
    table = await on(store)
    assert table.is_unattended
    assert "Nobody is playing any more" in chat.newest().text
    await later(crowd, clock, days=8)
    over = await store.load(table.id)
    assert over is not None
    assert over.table.phase == Phase.OVER
    assert ranks(over.table) is None


async def test_a_game_that_all_have_left_goes_on_if_one_of_them_comes_back(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "none")
    await leaves(crowd, "anna", "ben")
    await crowd.service.place_changed(MemberCame(ROOM.id, ANNA))
    await crowd.says("anna", "[Continue here]")
    assert not (await on(store)).is_resting
    await crowd.says("anna", "/move b1-c1")
    assert (await on(store)).is_overdue, "Ben is not back"


async def test_if_the_others_wait_they_are_asked_again_at_half_time(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await leaves(crowd, "anna")
    await crowd.says("ben", "[Keep waiting]")
    await later(crowd, clock, hours=1)
    assert not (await on(store)).is_overdue
    chat.departed.add(ANNA)
    await later(crowd, clock, hours=12)
    assert (await on(store)).is_overdue


@pytest.mark.parametrize(("clock_", "hours"), [("1d", 13), ("none", 49)])
async def test_a_silent_person_is_looked_for_before_the_reminder(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, clock_: str, hours: int
) -> None:
    await begun(crowd, clock_)
    chat.departed.add(ANNA)
    await later(crowd, clock, hours=hours)
    assert (await on(store)).is_overdue
    assert LEFT in chat.newest().text
    assert chat.pings == [ANNA], "no reminder"


async def test_in_a_lobby_they_leave_their_seat(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await leaves(crowd, "anna")
    table = await on(store)
    assert ([seat.person for seat in table.seats], table.host) == ([BEN], BEN)
    await leaves(crowd, "ben")
    assert await here(store) is None


async def test_who_plays_alone_or_not_at_all_leaves_without_a_trace(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy 1d house")
    await crowd.says("anna", "/start")
    before = await on(store)
    await leaves(crowd, "anna", "clara")
    assert await on(store) == before
    assert before.phase == Phase.RUNNING
