"""Questions of buttons that lead elsewhere: a text in a form, or the private chat."""

import pytest

import texts
from bot.adapters import on_discord
from bot.app import build
from bot.delivery.painting import Pictures
from bot.requests import RemindDaily
from bot.requests.arguments import LONGEST_NOTE
from bot.store.store import Store
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord

TEXT = "Mind the eighth row."


@pytest.mark.parametrize(("lang", "locale"), [("en", "en-US"), ("de", "de")])
async def test_a_note_is_written_into_a_form_for_the_table_of_its_button(
    lang: str, locale: str, store: Store, painter: Pictures, clock: HandClock
) -> None:
    """Two presses and a text; no other person sees any of it. The writer is in a place with another game."""

    def say(key: str) -> str:
        return texts.say("table", f"button.{key}", lang)

    service = build(store, painter, clock)
    async with Discord() as discord:
        hall, attic = discord.channel("hall"), discord.channel("attic")
        anna = discord.person("Anna", hall, locale=locale)
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await discord.connected()
        for place in (hall, attic):
            anna.goes_to(place)
            await anna.types("newgame", game="kabooom")
            await service.idle()
            await (await anna.presses(say("start"))).answered()
            await (await anna.presses(say("against_house"))).answered()
            await service.idle()
            await place.counts(2)
        anna.goes_to(hall)
        await anna.types("view")
        (button,) = (part for part in anna.sees()[-1].parts if part.get("label") == say("note"))
        anna.goes_to(attic)
        await anna.types("view")
        shown = await (await anna.presses_id(button["custom_id"], anna.sees()[-1])).answered()
        write = texts.say("discord", "write", lang)
        assert write in shown.buttons
        form = await anna.presses(write)
        assert form.first_answer is not None
        assert form.first_answer["data"]["components"][0]["components"][0]["max_length"] == LONGEST_NOTE
        assert TEXT in (await (await anna.fills(form, TEXT)).answered()).text
        assert TEXT not in (await (await anna.types("note")).answered()).text
        anna.goes_to(hall)
        assert TEXT in (await (await anna.types("note")).answered()).text
        assert len(hall.public) == 2
        await chat.stop()
    await service.stop()


async def test_remind_me_in_a_server_leads_to_the_private_chat(
    store: Store, painter: Pictures, clock: HandClock
) -> None:
    service = build(store, painter, clock)
    async with Discord() as discord:
        anna = discord.person("Anna", discord.channel("hall"))
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await discord.connected()
        card = await (await anna.types("daily")).answered()
        shown = await (await anna.presses_id(RemindDaily(on=True).payload, card)).answered()
        (url,) = (part["url"] for part in shown.parts if "url" in part)
        assert url == f"https://discord.com/channels/@me/{anna.direct().id}"
        assert "private chat" in shown.text
        await chat.stop()
    await service.stop()
