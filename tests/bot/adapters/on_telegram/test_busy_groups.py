"""Groups in which more happens than Telegram lets a bot say: nothing is lost, and the bot never asks for too much."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.pacing import Pace, Quota
from bot.app import build
from bot.delivery.painting import Pictures
from bot.requests.commands import COMMANDS
from bot.runtime.clock import RealClock
from bot.service.service import Service
from bot.store.store import Store
from rules import GAMES, State
from tests.bot.adapters.hosts import MemoryStorage
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Person, Topic

TOPICS, TURNS = 12, 4
IN_A_GROUP, WINDOW_S = 12, 1.0  # a minute of Telegram's in a second of ours


@pytest.fixture
async def service(telegram: Telegram, store: Store, painter: Pictures) -> AsyncIterator[Service]:
    """Yield the real bot, on a Telegram that counts requests."""
    telegram.counts(group=(IN_A_GROUP, WINDOW_S), overall=(30, 1.0))
    service = build(store, painter, RealClock(), draw=lambda n: "07" * n)
    pace = Pace(chat=Quota(100, 0.1), group=Quota(IN_A_GROUP, WINDOW_S * 1.03))
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=pace)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    yield service
    await chat.stop()
    await service.stop()


@pytest.fixture
def topics(telegram: Telegram) -> list[Topic]:
    hall = telegram.group("Hall", *(telegram.person(name) for _ in range(TOPICS) for name in ("Anna", "Ben")))
    return [hall.topic(f"Topic {number}") for number in range(TOPICS)]


def players(topic: Topic) -> tuple[Person, Person]:
    """Return two people per topic, so that no person exceeds the rate limit."""
    number = topic.chat.topics.index(topic)
    anna, ben = topic.chat.members[2 * number : 2 * number + 2]
    return anna, ben


async def state(store: Store, topic: Topic) -> State:
    held = await store.at(topic.place)
    loaded = None if held is None else await store.load(held)
    assert loaded is not None
    assert isinstance(loaded.table.state, Raw)
    return GAMES[loaded.table.game].decode(bytes(loaded.table.state))


async def begins(topic: Topic) -> None:
    anna, ben = players(topic)
    await anna.types("/newgame kabooom easy", topic)
    await topic.offers("Join")
    await ben.presses("Join", topic)
    await anna.presses("Start", topic)


async def called(topic: Topic, not_by: int) -> Person:
    """Wait until a board newer than *not_by* calls a person; return that person."""

    def called() -> Person | None:
        said = topic.said()
        if not said or said[-1].number <= not_by:
            return None
        return next((player for player in players(topic) if player.id in said[-1].pinged()), None)

    return await topic.telegram.until(called, f"a board in {topic.place}")


async def test_a_forum_of_twelve_busy_topics_loses_no_board(
    telegram: Telegram, service: Service, store: Store, topics: list[Topic]
) -> None:
    """The called person types at once. All people are called in the end, and old buttons go when there is room."""

    async def play(topic: Topic) -> None:
        await begins(topic)
        shown = 0
        for _ in range(TURNS):
            person = await called(topic, shown)
            shown = topic.newest().number
            await person.types(f"/move {(await state(store, topic)).actions()[0]}", topic)
        await called(topic, shown)

    await asyncio.gather(*(play(topic) for topic in topics))
    await telegram.until(
        lambda: all(not message.keys for topic in topics for message in topic.said()[:-1]) or None, "old buttons go"
    )
    assert all(len(topic.said()) == 2 + TURNS for topic in topics), "the lobby, and every board once"
    assert telegram.violations == []


async def test_however_many_turns_behind_a_topic_is_it_gets_one_board_for_all_of_them(
    telegram: Telegram, service: Service, store: Store, topics: list[Topic]
) -> None:
    """They play on by typing, without waiting for boards, while the others wait for theirs."""
    first, *others = topics[:6]
    for topic in (first, *others):
        await begins(topic)
        await called(topic, 0)
    before = len(first.said())
    held = await store.at(first.place)
    assert held is not None

    async def plays(topic: Topic, turns: int) -> None:
        for _ in range(turns):
            position = await state(store, topic)
            assert position.actor is not None
            loaded = await store.load(await store.at(topic.place) or held)
            assert loaded is not None
            seat = loaded.table.seats[position.actor].person
            person = next(player for player in players(topic) if player.person == seat)
            await person.types(f"/move {position.actions()[0]}", topic)
            await telegram.handled()

    await asyncio.gather(*(plays(topic, 3) for topic in others), plays(first, 8))
    await service.idle()
    newest = await store.load(held)
    assert newest is not None
    assert newest.board_message is not None
    assert newest.board_message.revision == newest.table.revision, "the newest board stands there"
    assert len(first.said()) - before < 8, "and not one for each turn"
    assert sum(bool(message.keys) for message in first.said()) == 1
    assert telegram.violations == []
