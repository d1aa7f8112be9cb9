"""Connection problems: rate limits, lost connections, shards, shutdown."""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis import Redis

import texts
from bot.adapters import on_discord
from bot.adapters.on_discord import shards
from bot.adapters.on_discord.chat import DiscordChat
from bot.adapters.on_discord.starts import NotYet, Starts
from bot.chat import (
    Chat,
    Expiry,
    Limited,
    MessagePart,
    Post,
    Reception,
    Refused,
    Reply,
    SlashCommand,
    Storage,
    TryLater,
    Unusable,
)
from bot.requests.commands import COMMANDS
from bot.runtime import retry
from bot.runtime.clock import RealClock
from bot.store import keys
from bot.store.store import Store
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.on_discord.conftest import BOARD, House, place, running
from tests.bot.conftest import within
from tests.emulators.discord import Broken, Channel, Discord, Dropped, Slow, TooMany


async def test_a_rate_limit_delays_that_channel_alone(chat: Chat, discord: Discord, hall: Channel) -> None:
    other = discord.channel("other")
    discord.will("POST", f"/channels/{hall.id}/messages", TooMany(retry_after_s=3))
    slow = asyncio.create_task(chat.post(place(hall), Post(text="late", picture=BOARD), "n1"))
    await discord.until(lambda: f"POST /channels/{hall.id}/messages" in discord.requests or None, "it was sent")
    await chat.post(place(other), Post(text="at once"), "n2")
    assert not slow.done()
    await slow
    assert [message.text for message in hall.public] == ["late"]


async def test_a_long_rate_limit_is_left_to_delivery(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", TooMany(retry_after_s=600), TooMany(retry_after_s=7, via=False))
    for seconds in (600, 7):
        with pytest.raises(Limited) as later:
            await chat.post(place(hall), Post(text="late"), "n1")
        assert later.value.after_s == seconds


async def test_a_fault_of_the_server_means_later(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", Broken(503), Dropped())
    for _ in range(2):
        with pytest.raises(TryLater):
            await chat.post(place(hall), Post(text="board"), "n1")


async def test_a_lost_gateway_session_is_resumed(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    await discord.gateway.ask_to_reconnect()
    await anna.types("/join")
    await discord.until(lambda: discord.gateway.resumed or None, "it resumes")
    await anna.types("/help")
    assert len(discord.gateway.identified) == 1
    assert [update.body for update in house.updates] == [SlashCommand("join"), SlashCommand("help")]


async def test_updates_sent_during_a_lost_connection_are_answered(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    discord.gateway.drop()
    done = await anna.types("/join")
    assert done.answer is not None
    assert (done.answer.text, discord.gateway.resumed, len(discord.gateway.identified)) == ("fine", 1, 1)


async def test_before_it_is_connected_posts_wait(discord: Discord, hall: Channel) -> None:
    chat = on_discord.open(discord.environment)
    with pytest.raises(TryLater):
        await chat.post(place(hall), Post(text="board"), "n1")
    await chat.stop()


async def test_an_api_that_cannot_be_reached_is_tried_again(
    discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    await discord.shuts()
    chat = on_discord.open(discord.environment)
    assert await chat.start(house, house.storage) == texts.say("discord", "operator.connecting", "en")
    await discord.opens()
    await discord.connected()
    await chat.post(place(hall), Post(text="here again"), "n1")
    await chat.stop()
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warnings] == [
        texts.say("discord", "operator.unreachable", "en", problem="ClientConnectorError")
    ]


async def test_a_token_that_was_refused_for_a_moment_is_tried_again(
    discord: Discord, hall: Channel, house: House
) -> None:
    token, discord.token = discord.token, "another"
    chat = on_discord.open({**discord.environment, "DISCORD_TOKEN": token})
    line = await chat.start(house, house.storage)
    assert line.startswith("DISCORD_TOKEN is not accepted")
    assert line.endswith("Trying again for ten minutes.")
    discord.token = token
    await discord.connected()
    await chat.post(place(hall), Post(text="here again"), "n1")
    await chat.stop()


async def test_a_wrong_token_is_reported_in_one_line(
    discord: Discord, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "GIVE_UP_S", 0.0)  # else it is tried again
    chat = on_discord.open({**discord.environment, "DISCORD_TOKEN": "wrong"})
    with pytest.raises(Unusable, match="DISCORD_TOKEN is not accepted"):
        await chat.start(house, house.storage)
    await chat.stop()


async def test_too_few_shards_are_reported(discord: Discord, house: House) -> None:
    discord.gateway.fewest_shards = 2
    chat = on_discord.open({**discord.environment, "DISCORD_SHARDS": "1"})
    with pytest.raises(Unusable, match="DISCORD_SHARDS"):
        await chat.start(house, house.storage)
    await chat.stop()


async def test_as_many_shards_as_discord_recommends(discord: Discord, house: House) -> None:
    discord.shards = 2
    chat = on_discord.open(discord.environment)
    await chat.start(house, house.storage)
    await chat.stop()
    assert discord.gateway.identified[0]["shard"] == [0, 2]


async def test_a_range_of_shards_is_one_process_of_several(discord: Discord, hall: Channel, house: House) -> None:
    async with running(discord, house, DISCORD_SHARDS="2-3/8"):
        await discord.until(lambda: len(discord.gateway.identified) == 2 or None, "both shards connect")
    assert [login["shard"] for login in discord.gateway.identified] == [[2, 8], [3, 8]]


class SharedSlots(MemoryStorage):
    """A storage that reserves slots in a store, together with other processes. *asked_s*: the waits, by queue."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._slots = store.platform_storage("discord", RealClock())
        self.asked_s: list[tuple[str, float]] = []

    async def reserve_slot(self, queue: str, each_s: float) -> float:
        wait_s = await self._slots.reserve_slot(queue, each_s)
        self.asked_s.append((queue, wait_s))
        return wait_s


@asynccontextmanager
async def together(
    discord: Discord, server: str, *shards: tuple[range, int]
) -> AsyncIterator[list[tuple[DiscordChat, SharedSlots]]]:
    """Start a process for each of *shards*, all at once. A slot is longer than Discord requires by the delay that a
    busy machine may cause between slot and connection."""
    stores = [await Store.open(server) for _ in shards]
    processes = []
    for mine, store in zip(shards, stores, strict=True):
        api, gateway = discord.api_url, discord.gateway_url
        chat = DiscordChat(discord.token, COMMANDS, api_url=api, gateway_url=gateway, shards=mine, each_s=2.0)
        processes.append((chat, SharedSlots(store)))
    try:
        await asyncio.gather(*(chat.start(House(), storage) for chat, storage in processes))
        await discord.connected(sum(len(mine) for mine, _ in shards))
        yield processes
    finally:
        await asyncio.gather(*(chat.stop() for chat, _ in processes))
        for store in stores:
            await store.close()


async def test_processes_that_start_at_once_identify_their_shards_one_after_the_other(
    discord: Discord, server: str
) -> None:
    discord.gateway.apart_s = 0.7  # it writes down who does not keep to it
    async with together(discord, server, (range(2), 5), (range(2, 4), 5), (range(4, 5), 5)):
        assert sorted(login["shard"][0] for login in discord.gateway.identified) == [0, 1, 2, 3, 4]


async def test_as_many_shards_start_at_once_as_discord_allows(discord: Discord, server: str) -> None:
    discord.gateway.apart_s, discord.max_concurrency = 0.7, 2
    async with together(discord, server, (range(1), 4), (range(1, 2), 4), (range(2, 4), 4)) as processes:
        asked = [seconds for _, storage in processes for seconds in storage.asked_s]
        by_line = Counter(line for line, _ in asked)
        assert by_line.keys() == {"starts 0", "starts 1"}
        assert min(by_line.values()) >= 2, "whoever misses a turn on a busy machine stands in line once more"
        assert [wait_s for _, wait_s in asked].count(0) >= 2, "nobody waits for another line"


async def test_a_shard_whose_turn_is_far_away_tries_again_and_finds_it_still_there() -> None:
    class Crowded(MemoryStorage):
        asked_times = 0

        async def reserve_slot(self, queue: str, each_s: float) -> float:
            self.asked_times += 1
            return 0.6

    async def silent() -> None:
        """Discord does not answer."""

    storage = Crowded()
    starts = Starts(storage, each_s=5.5, patience_s=0.25)
    for _ in range(2):
        with pytest.raises(NotYet):
            await starts.begins(3, silent)
    await starts.begins(3, silent)
    assert storage.asked_times == 1


async def test_session_starts_are_reported_before_they_run_out_every_ten(
    discord: Discord, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    starts = Starts(house.storage)
    for left in (999, 100, 99, 95, 89, 999, 95):
        starts.know({"total": 1000, "remaining": left, "reset_after": 7_200_000, "max_concurrency": 1})
    results = [re.findall(r"\d+", record.getMessage()) for record in caplog.records]
    assert results == [["99", "2"], ["89", "2"], ["95", "2"]]
    discord.starts_left = 60
    async with running(discord, house):
        assert "allows 60 shard starts" in caplog.text


async def test_the_last_starts_of_a_day_are_not_used_and_the_next_day_it_goes_on(
    discord: Discord, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    discord.starts_left, discord.starts_again_ms = 12, 2000
    chat = on_discord.open(discord.environment)
    starting = asyncio.create_task(chat.start(house, house.storage))
    while "None is used until then" not in caplog.text:
        await asyncio.sleep(0.01)
    assert not discord.gateway.identified
    await starting
    await discord.connected()
    await chat.stop()


async def test_it_is_ready_while_all_its_shards_are_connected(discord: Discord, hall: Channel, house: House) -> None:
    two = on_discord.open({**discord.environment, "DISCORD_SHARDS": "2-3/8"})

    async def becomes(ready: bool) -> None:
        while two.reception.is_ready != ready:
            await asyncio.sleep(0)  # it connects again so quickly that one has to look all the time

    assert not two.reception.is_ready
    await two.start(house, house.storage)
    await becomes(True)
    assert len(discord.gateway.identified) == 2
    lost = discord.gateway.sessions[1]
    assert lost.socket is not None
    lost.socket.drop()
    await becomes(False)
    await becomes(True)
    assert discord.gateway.resumed == 1
    await discord.gateway.ask_to_reconnect()
    await becomes(False)
    await becomes(True)
    await two.stop()
    assert not two.reception.is_ready


async def test_running_answers_are_finished_before_the_end(discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="just in time")
    house.gate.clear()
    async with running(discord, house):
        await anna.sends("/help")
        await house.asked()
        asyncio.get_running_loop().call_later(0.05, house.gate.set)
    assert [message.text for message in anna.sees()] == ["just in time"]


async def test_a_silent_server_does_not_hold_up_the_end(discord: Discord, hall: Channel, house: House) -> None:
    chat = on_discord.open(discord.environment)
    discord.will("GET", "/users/@me", Slow(20))
    start = asyncio.create_task(chat.start(house, house.storage))
    await discord.until(lambda: discord.requests or None, "it asks")
    async with asyncio.timeout(15):
        await chat.stop()
    await start


async def test_stop_is_fine_before_start() -> None:
    await DiscordChat("token", COMMANDS).stop()


async def test_it_ends_within_three_seconds_though_an_answer_takes_longer(
    discord: Discord, hall: Channel, house: House
) -> None:
    chat = on_discord.open(discord.environment)
    await chat.start(house, house.storage)
    await discord.connected()
    house.gate.clear()
    asking = asyncio.create_task(discord.person("Anna", hall).types("/join"))
    await house.asked(1)
    try:
        async with within(3):
            await chat.rest()
            await chat.stop()
    finally:
        house.gate.set()
        asking.cancel()


async def test_commands_that_could_not_be_registered_are_tried_again(
    discord: Discord, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    discord.will("PUT", "/commands", Broken(503))
    async with running(discord, house):
        assert discord.commands
    assert "Discord didn't accept the commands" in caplog.text


async def test_what_discord_refuses_for_a_fault_of_ours_is_refused_and_logged(
    chat: Chat, discord: Discord, hall: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    discord.will("POST", "/messages", Broken(400, 50035))
    with pytest.raises(Refused, match="50035"):
        await chat.post(place(hall), Post(text="board"), "n1")
    assert "Traceback" in caplog.text


async def test_no_log_has_the_token_of_an_interaction(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """With this token, another person could answer in the bot's name for 15 minutes."""
    discord.will("PATCH", "@original", TooMany(retry_after_s=0.1))
    discord.will("DELETE", "/webhooks/", TooMany(retry_after_s=0.1))
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine", expires=Expiry("when the turn is over", is_strict=True))
    with caplog.at_level(logging.DEBUG):
        done = await anna.types("/view")
        ((_, _, shown),) = await house.heard(1)
        await chat.remove(place(hall), shown, MessagePart.WHOLE)
    assert done.answer is None
    assert "We are being rate limited" in caplog.text
    assert done.token not in caplog.text
    assert discord.token not in caplog.text


@pytest.mark.parametrize("level", [logging.DEBUG, logging.ERROR])
async def test_libraries_log_no_more_than_is_logged_at_all(
    level: int, discord: Discord, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(level):
        async with running(discord, house):
            assert logging.getLogger("discord.gateway").getEffectiveLevel() == max(level, logging.INFO)


# Shards that the store hands out


async def standing(discord: Discord, store: Store, total: int) -> tuple[DiscordChat, Storage]:
    """Return a process for ``auto/total``, and its storage; the leases are short."""
    api, gateway = discord.api_url, discord.gateway_url
    chat = DiscordChat(
        *(discord.token, COMMANDS),
        api_url=api,
        gateway_url=gateway,
        shards=shards(f"auto/{total}"),
        each_s=0.02,
        lease_s=0.6,
        renewal_s=0.1,
    )
    return chat, store.platform_storage("discord", RealClock())


async def test_the_store_hands_out_ranges_and_a_standby_process_takes_a_free_one(discord: Discord, server: str) -> None:
    stores = [await Store.open(server) for _ in range(3)]
    one, two, three = [await standing(discord, store, 18) for store in stores]
    assert "online" in await one[0].start(House(), one[1])
    assert "online" in await two[0].start(House(), two[1])
    assert await three[0].start(House(), three[1]) == "other processes have all shards; waiting for one to end"
    await discord.until(lambda: len(discord.gateway.sessions) == 18 or None, "all shards")
    assert [session.shard for session in sorted(discord.gateway.sessions, key=lambda each: each.shard)] == [
        (number, 18) for number in range(18)
    ]
    assert three[0].reception is Reception.STANDBY
    identified = len(discord.gateway.identified)
    await one[0].stop()
    await discord.until(lambda: len(discord.gateway.identified) == identified + 9 or None, "the free range")
    assert {tuple(each["shard"]) for each in discord.gateway.identified[identified:]} == {(n, 18) for n in range(9)}
    for chat, _ in (two, three):
        await chat.stop()
    for store in stores:
        await store.close()


async def test_a_process_whose_lease_another_one_has_takes_its_shards_down(
    discord: Discord, server: str, raw: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    store = await Store.open(server)
    chat, storage = await standing(discord, store, 2)
    await chat.start(House(), storage)
    while chat.reception is not Reception.UP:
        await asyncio.sleep(0.01)
    key = keys.leader("discord", "shards 0-1/2")
    raw.set(key, "another on-another-machine 1 00000000", px=700)  # it paused for longer than its lease
    while "another process has the shards" not in caplog.text:
        await asyncio.sleep(0.01)
    while not (chat.reception is Reception.UP and len(discord.gateway.identified) == 4):  # when the other one has died
        await asyncio.sleep(0.01)
    await chat.stop()
    assert not raw.exists(key), "a process that ends gives its range back"
    await store.close()
    assert "Traceback" not in caplog.text
