"""A game in which no person acts any more rests, and ends after a while."""

from bot.store.store import Store
from bot.tables.rating import ranks
from bot.tables.table import Phase, Table
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.test_time import begun, here, later

RESTS = "Nobody is playing any more"


async def deserted(crowd: Crowd, clock: HandClock, *, turns: int = 2) -> None:
    """Let the house play this number of turns for players with one day each, who do not decide either."""
    for _ in range(2 * turns):
        await later(crowd, clock, hours=25)


async def on(store: Store) -> Table:
    table = await here(store)
    assert table is not None
    return table


async def test_a_game_that_all_have_deserted_rests_after_a_round_and_says_so_once(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock, turns=1)
    assert not (await on(store)).is_resting, "Ben may still play"
    await deserted(crowd, clock, turns=1)
    assert (await on(store)).is_unattended
    assert RESTS in chat.newest().text
    assert chat.newest().call is None
    lines = len(chat.lines)
    for _ in range(6):
        await later(crowd, clock, days=1)
    assert len(chat.lines) == lines


async def test_after_seven_days_it_ends_uncounted(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock)
    table = await on(store)
    await later(crowd, clock, days=8)
    over = await store.load(table.id)
    assert over is not None
    assert over.table.phase == Phase.OVER
    assert ranks(over.table) is None
    assert await here(store) is None


async def test_a_press_of_any_player_wakes_it_with_the_whole_time(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock)
    await later(crowd, clock, days=3)
    await crowd.says("ben", "[Continue here]")
    table = await on(store)
    assert not table.is_resting
    await later(crowd, clock, hours=13)
    assert "11 hours left" in str(chat.newest().call)
    await deserted(crowd, clock, turns=1)
    assert not (await on(store)).is_resting, "a new round"


async def test_it_goes_on_where_the_others_look_for_it(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock)
    place = (await on(store)).place
    await crowd.says("ben, alone", "/games")
    await crowd.says("ben, alone", "[Continue Kabooom!]")
    assert (await on(store)).place == place
    assert not (await on(store)).is_resting


async def test_a_person_who_only_decides_keeps_the_game_going(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock, turns=1)
    await later(crowd, clock, hours=25)
    await crowd.says("anna", "[Keep waiting]")
    await deserted(crowd, clock, turns=1)
    assert not (await on(store)).is_resting


async def test_without_a_clock_it_rests_after_four_weeks_without_a_decision(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "none")
    for days in (3, 24):
        await later(crowd, clock, days=days)
    assert (await on(store)).is_overdue
    posted = chat.posted
    await later(crowd, clock, days=1)
    assert (await on(store)).is_unattended
    assert RESTS in chat.newest().text
    await later(crowd, clock, days=6)
    assert chat.posted == posted + 1
    table = await on(store)
    await later(crowd, clock, days=2)
    over = await store.load(table.id)
    assert over is not None
    assert over.table.phase == Phase.OVER
    assert ranks(over.table) is None


async def test_without_a_clock_whoever_waits_on_keeps_the_game_going(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "none")
    for days in (3, 24):
        await later(crowd, clock, days=days)
    await crowd.says("ben", "[Keep waiting]")
    for days in (3, 24):
        await later(crowd, clock, days=days)
    assert not (await on(store)).is_resting


async def test_alone_with_the_house_it_rests_after_a_turn(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "1d", "house", others=())
    await later(crowd, clock, hours=25)
    assert (await on(store)).is_unattended


async def test_its_place_is_free_for_another_game(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "1d")
    await deserted(crowd, clock)
    former = await on(store)
    await crowd.says("clara", "/newgame colorio")
    assert (await on(store)).id != former.id
    await later(crowd, clock, days=8)
    over = await store.load(former.id)
    assert over is not None
    assert over.table.phase == Phase.OVER
