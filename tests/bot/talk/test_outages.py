"""An outage of the bot or of a platform is no player's silence."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis

from bot.app import build
from bot.chat import Limited, PlaceId, Reception, Refused, TryLater, Undelivered
from bot.delivery.painting import Pictures
from bot.runtime.clock import to_ms
from bot.runtime.metrics import Counted, Metrics
from bot.service.service import Service
from bot.store import keys
from bot.store.heartbeats import KEPT_MS
from bot.store.store import Store
from bot.tables.table import Phase
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_backup import backup_of
from tests.bot.talk.test_time import ANNA, BEN, all_moved, begun, here, later

AWAY = "I was out of reach for"


class Power:
    """Stops all processes of the bot for a while."""

    def __init__(self, crowd: Crowd, clock: HandClock, raw: Redis) -> None:
        self._crowd = crowd
        self._clock = clock
        self._raw = raw

    async def fails(self, **length: float) -> None:
        """Stop the bot, and start it again after *length*. The server's clock passes as well."""
        lost = timedelta(**length)
        left_ms = KEPT_MS - round(lost.total_seconds() * 1000)
        assert self._raw.pexpire(keys.heartbeat("room"), left_ms), "no heartbeat yet"
        await self._clock.advance(lost)
        await self._crowd.service.do_due()
        await self._crowd.service.idle()


@pytest.fixture
def power(crowd: Crowd, clock: HandClock, raw: Redis) -> Power:
    return Power(crowd, clock, raw)


def texts_of(chat: RecordingChat) -> list[str]:
    """Return the lines about outages."""
    return [line for line in chat.lines if AWAY in line]


async def seated(crowd: Crowd) -> None:
    """Begin a game in which the house takes the seat of a late player: of two, the other wins."""
    await crowd.says("anna", "/newgame kabooom easy 1d")
    await crowd.says("ben", "/join")
    await crowd.chooses("anna", "When time is up: The house takes over (two players: a loss)")
    await crowd.says("anna", "/start")


async def test_two_days_without_the_bot_cost_no_player_the_game(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, power: Power
) -> None:
    await seated(crowd)
    await all_moved(crowd, store)
    await later(crowd, clock, hours=1)
    chat.pings.clear()
    await power.fails(days=2)
    assert await here(store) is not None, "the game is over"
    assert "I was out of reach for 2 days. That time counts for nobody." in chat.newest().text
    assert chat.pings == [ANNA]
    assert "23 hours left" in str(chat.newest().call)
    await later(crowd, clock, hours=22)
    assert "almost up" in str(chat.newest().call)
    await later(crowd, clock, hours=2)
    assert await here(store) is None
    assert len(texts_of(chat)) == 1


async def test_time_that_was_almost_up_is_extended_after_an_outage(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, power: Power
) -> None:
    await seated(crowd)
    await later(crowd, clock, hours=23, minutes=50)
    await power.fails(hours=6)
    assert "3 hours left" in str(chat.newest().call)
    await later(crowd, clock, hours=2, minutes=50)
    assert await here(store) is not None


async def test_the_others_get_time_for_their_decision_after_an_outage(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, power: Power
) -> None:
    await begun(crowd, "1d")
    await later(crowd, clock, hours=25)
    await later(crowd, clock, hours=1)
    await power.fails(days=3)
    table = await here(store)
    assert table is not None
    assert table.is_overdue
    assert "Ben has 23 hours to decide" in chat.newest().text


async def test_silence_without_a_clock_is_not_counted_in_an_outage(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, power: Power
) -> None:
    await begun(crowd, "none")
    await later(crowd, clock, hours=1)
    await power.fails(days=4)
    table = await here(store)
    assert table is not None
    assert not table.is_overdue
    assert texts_of(chat)


async def test_a_lobby_survives_an_outage(crowd: Crowd, clock: HandClock, store: Store, power: Power) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await later(crowd, clock, hours=1)
    await power.fails(days=5)
    table = await here(store)
    assert table is not None
    assert table.phase == Phase.LOBBY
    await crowd.says("ben", "/join")
    await later(crowd, clock, hours=25)
    assert await here(store) is None


async def test_a_place_is_kept_for_its_player_during_an_outage(
    crowd: Crowd, clock: HandClock, store: Store, power: Power
) -> None:
    await crowd.says("anna", "/newgame kabooom easy none house")
    await crowd.says("anna", "/start")
    await later(crowd, clock, hours=1)
    await power.fails(days=2)
    reply = await crowd.says("ben", "/newgame kabooom easy")
    assert reply is not None
    assert "23 hours" in reply.text


async def test_an_outage_of_the_platform_decides_nothing_while_it_lasts(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, raw: Redis, store: Store
) -> None:
    """The bot runs on, but hears no person."""
    await seated(crowd)
    await later(crowd, clock, hours=1)
    chat.reception = Reception.DOWN
    lines = len(chat.lines)
    for hours in range(1, 60, 6):
        raw.pexpire(keys.heartbeat("room"), KEPT_MS - hours * 3_600_000)
        await later(crowd, clock, hours=6)
    assert await here(store) is not None
    assert len(chat.lines) == lines
    chat.reception = Reception.UP
    await later(crowd, clock, minutes=3)
    assert len(texts_of(chat)) == 1, "at once"
    await later(crowd, clock, hours=12)
    assert await here(store) is not None
    assert len(texts_of(chat)) == 1


async def test_a_platform_that_answers_no_calls_is_out_of_reach(chat: RecordingChat) -> None:
    counted = Counted(chat, Metrics().posts)
    chat.trouble = [TryLater(0), TryLater(0), TryLater(0), Limited(1), Refused()]
    reached = list[bool]()
    for _ in range(5):
        with pytest.raises(Undelivered):
            await counted.show_typing(ROOM.id)
        reached.append(counted.is_reached)
    assert reached == [True, True, False, False, True], "a refusal is an answer; a limit may be the bot's own"


async def test_of_many_processes_one_tells_of_an_outage(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, power: Power
) -> None:
    await seated(crowd)
    await later(crowd, clock, hours=1)
    await power.fails(days=2)
    for _ in range(3):
        await bots().do_due()
    assert len(texts_of(chat)) == 1
    assert chat.pings == [ANNA, ANNA]


async def test_the_death_of_one_of_two_processes_is_no_outage(
    crowd: Crowd, bots: Callable[[], Service], raw: Redis, clock: HandClock
) -> None:
    other = bots()
    await other.do_due()
    await other.stop()
    for _ in range(20):
        await later(crowd, clock, minutes=1)
    await bots().do_due()
    assert raw.zcard(keys.outages("room")) == 0


async def test_clocks_of_machines_that_differ_make_no_outage(
    crowd: Crowd, store: Store, painter: Pictures, chat: RecordingChat, raw: Redis, clock: HandClock
) -> None:
    await later(crowd, clock, minutes=1)
    ahead = HandClock(clock.now() + timedelta(hours=3))
    other = build(store, painter, ahead)
    other.add(chat)
    for _ in range(3):
        await other.do_due()
        await later(crowd, clock, minutes=1)
        await ahead.advance(timedelta(minutes=1))
    assert raw.zcard(keys.outages("room")) == 0
    await other.stop()


async def test_a_restart_of_a_few_minutes_is_not_told(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, power: Power
) -> None:
    await begun(crowd, "1d")
    await later(crowd, clock, hours=1)
    await power.fails(minutes=4)
    await later(crowd, clock, hours=12)
    assert chat.pings == [ANNA, ANNA]
    assert texts_of(chat) == []


async def test_a_turn_after_the_outage_has_its_usual_time(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, power: Power
) -> None:
    await begun(crowd, "1d")
    await later(crowd, clock, hours=1)
    await power.fails(days=2)
    await crowd.says("anna", "/move b1-c1")
    await later(crowd, clock, hours=13)
    assert chat.pings[-1] == BEN
    assert "11 hours left" in str(chat.newest().call)
    await later(crowd, clock, hours=12)
    table = await here(store)
    assert table is not None
    assert table.is_overdue
    assert len(texts_of(chat)) == 1


async def test_another_platforms_tables_lose_no_time_to_this_ones_outage(
    crowd: Crowd, clock: HandClock, power: Power
) -> None:
    await later(crowd, clock, minutes=1)
    await power.fails(days=2)
    outages = crowd.service.repository.outages
    assert len(await outages.of("room")) == 1
    assert await outages.of("elsewhere") == ()


async def test_the_time_between_backup_and_restore_is_an_outage(
    crowd: Crowd, store: Store, raw: Redis, clock: HandClock, server: str, tmp_path: Path
) -> None:
    await seated(crowd)
    await later(crowd, clock, hours=1)
    file = tmp_path / "backup"
    async with backup_of(server) as backup:
        await backup.write(file, to_ms(clock.now()))
        raw.flushall()
        await clock.advance(timedelta(days=2))
        await backup.restore(file, to_ms(clock.now()))
    await crowd.service.do_due()
    await crowd.service.idle()
    assert raw.zcard(keys.outages("room")) == 1
    assert await store.at(PlaceId(ROOM.id)) is not None
