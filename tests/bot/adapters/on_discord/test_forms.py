"""Forms: a note is written into a form, and its text arrives as a command."""

import pytest

import texts
from bot.adapters import on_discord
from bot.app import build
from bot.delivery.painting import Pictures
from bot.store.store import Store
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord


@pytest.mark.parametrize(("lang", "locale"), [("en", "en-US"), ("de", "de")])
async def test_a_note_is_written_into_a_form(
    lang: str, locale: str, store: Store, painter: Pictures, clock: HandClock
) -> None:
    """Two presses and a text; no other person sees any of it."""

    def say(key: str) -> str:
        return texts.say("table", f"button.{key}", lang)

    service = build(store, painter, clock)
    async with Discord() as discord:
        hall = discord.channel("hall")
        anna = discord.person("Anna", hall, locale=locale)
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await discord.connected()
        await anna.types("newgame", game="kabooom")
        await service.idle()
        await (await anna.presses(say("start"))).answered()
        await (await anna.presses(say("against_house"))).answered()
        await service.idle()
        await hall.counts(2)
        await anna.types("view")
        shown = await (await anna.presses(say("note"))).answered()
        write = texts.say("discord", "write", lang)
        assert write in shown.buttons
        done = await anna.fills(await anna.presses(write), "Watch the left corner.")
        assert "Watch the left corner." in (await done.answered()).text
        assert "Watch the left corner." in (await (await anna.types("note")).answered()).text
        assert len(hall.public) == 2
        await chat.stop()
    await service.stop()
