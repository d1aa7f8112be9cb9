"""A person requests their own data in a public place: on every platform only that person receives the file."""

import json
from collections.abc import AsyncIterator

import aiohttp
import pytest
from yarl import URL

from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_web.chat import WebChat
from bot.app import build
from bot.delivery.painting import Pictures
from bot.replies.statistics import say
from bot.requests import payload
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.store import Store
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.adapters.test_on_web import Page, messages
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram

ASK, TITLE, FILE = say("button.export", "en"), say("privacy.title", "en"), say("exported.title", "en")


@pytest.fixture
async def service(store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Service]:
    made = build(store, painter, clock)
    yield made
    await made.stop()


async def test_on_discord_no_other_person_sees_the_file(service: Service) -> None:
    async with Discord() as discord:
        hall = discord.channel("hall")
        anna = discord.person("Anna", hall)
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await discord.connected()
        await anna.types("/privacy")
        await anna.reads(TITLE)
        await anna.presses(ASK)
        answer = await anna.reads(FILE)
        assert answer.reader is anna
        assert json.loads(answer.attachments[0].content)["account"] == anna.account
        assert hall.public == []
        await chat.stop()


async def test_on_telegram_it_comes_in_the_private_chat(service: Service) -> None:
    async with Telegram() as telegram:
        anna = telegram.person("Anna")
        hall = telegram.group("Hall", anna)
        anna.private().closed = False
        chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await anna.types("/privacy", hall)
        await anna.private().shows(TITLE)
        await anna.presses(ASK, anna.private())
        reply = await anna.private().shows(FILE)
        assert reply.file is not None
        assert reply.file.name == "kaleidobot.json"
        assert json.loads(reply.file.content)["account"] == f"telegram:{anna.id}"
        await telegram.handled()
        assert not [
            message
            for message in hall.said()
            if message.file is not None or FILE in message.text or TITLE in message.text
        ]
        await chat.stop()
    assert telegram.violations == []


async def test_on_the_page_it_is_a_download_for_that_person_alone(service: Service) -> None:
    chat = WebChat(port=0)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    async with aiohttp.ClientSession() as session:
        page = Page(chat, service, session)  # type: ignore[arg-type]  # a real host in the place of the small one
        anna, ben = await page.open("anna"), await page.open("ben")
        (menu,) = messages(await anna.say("/privacy"))
        (note,) = messages(await anna.press(menu, payload.write("export")))
        assert note["only"] == "web:anna"
        async with session.get(page.url.join(URL(note["file"]["src"]))) as answer:
            assert json.loads(await answer.read())["account"] == "web:anna"
        assert not [message for message in (await ben.be("ben"))["messages"] if message.get("file")]
    await chat.stop()
