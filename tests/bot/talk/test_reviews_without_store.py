"""How it went, while the bot's own server dies and comes back: nothing is worked out twice, lost, or posted twice."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import Struct

from bot.app import build
from bot.delivery.painting import Pictures
from bot.service.service import Service
from bot.store.embedded import Embedded, program
from bot.store.store import Store
from bot.tables.table import TableId
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.test_hints import Patient
from tests.bot.talk.test_reviews import begins, press, reviews, text
from tests.bot.talk.test_service import table_here


class Bots(Struct):
    """Bots on a server that is up while the file *gate* exists, and their shared objects."""

    embedded: Embedded
    gate: Path
    store: Store
    thinker: Patient
    make: Callable[[], Service]

    def lose_the_server(self) -> None:
        """Kill the server and keep it down until the test allows it."""
        self.gate.unlink()
        os.kill(self.embedded.pid, signal.SIGKILL)


@pytest.fixture
async def bots(painter: Pictures, clock: HandClock, chat: RecordingChat, data: Path) -> AsyncIterator[Bots]:
    gate, server, thinker = data.parent / "gate", data.parent / "server", Patient()
    gate.touch()
    server.write_text(f"#!/bin/sh\nwhile [ ! -e '{gate}' ]; do sleep 0.05; done\nexec '{program()}' \"$@\"\n")
    server.chmod(0o700)
    made: list[Service] = []
    async with Embedded(data, server=server) as embedded:
        store = await Store.open(embedded.url, patience_s=0.2)

        def make() -> Service:
            made.append(build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker))
            made[-1].add(chat)
            return made[-1]

        yield Bots(embedded, gate, store, thinker, make)
        gate.touch()
        for service in made:
            await service.stop()
        await store.close()


async def played(crowd: Crowd, store: Store) -> TableId:
    """Return a game that Anna and Ben have ended after two moves."""
    for name, said in (("anna", "/newgame kabooom easy"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, said)
    for name, move in (("anna", "b1-c2"), ("ben", "f2-e3")):
        await crowd.says(name, f"/move {move}")
    table = (await table_here(store)).id
    await crowd.ends("ada")
    return table


async def until(holds: Callable[[], bool], clock: HandClock) -> None:
    """Let time pass until the condition holds."""
    async with asyncio.timeout(30):
        while not holds():
            await clock.advance(timedelta(seconds=1))
            await asyncio.sleep(0.05)


async def test_an_analysis_survives_a_long_store_outage_and_is_posted_later(
    bots: Bots, clock: HandClock, chat: RecordingChat, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crowd, thinker = Crowd(bots.make(), chat), bots.thinker
    table = await played(crowd, bots.store)
    await begins(crowd, thinker, "anna", table)
    bots.lose_the_server()
    thinker.may_go_on.set()
    await until(lambda: "review not stored" in caplog.text, clock)  # all of it is worked out, and the store is away
    asked = len(thinker.asked)
    bots.gate.touch()
    await until(lambda: any(review.picture for review in reviews(chat)), clock)
    await crowd.service.idle()
    assert len(reviews(chat)) == 1
    await crowd.service.stop()
    again = crowd.again(bots.make())
    assert "already posted" in text(await again.sends("ben", press(table)))
    assert len(reviews(chat)) == 1
    assert len(thinker.asked) == asked


async def test_a_short_store_outage_goes_unnoticed(bots: Bots, clock: HandClock, chat: RecordingChat) -> None:
    crowd, thinker = Crowd(bots.make(), chat), bots.thinker
    table = await played(crowd, bots.store)
    await begins(crowd, thinker, "anna", table)
    os.kill(bots.embedded.pid, signal.SIGKILL)
    thinker.may_go_on.set()
    await until(lambda: any(review.picture for review in reviews(chat)), clock)
    await crowd.service.idle()
    assert len(reviews(chat)) == 1
    assert len(set(map(str, thinker.asked))) == len(thinker.asked)
