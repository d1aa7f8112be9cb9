"""People's actions as the adapter receives them."""

from datetime import UTC, datetime

import pytest

from bot.chat import (
    Chat,
    Person,
    PersonId,
    Post,
    Reply,
    SlashCommand,
    platform,
)
from tests.bot.adapters.on_discord.conftest import House, place
from tests.emulators.discord import Channel, Discord


async def test_a_command_becomes_an_update(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall, locale="de")
    discord.home.locale = "fr"
    done = await anna.types("/newgame", game="kabooom")
    (update,) = house.updates
    assert update.id == f"discord:{done.id}"
    assert update.person == Person(PersonId(anna.account), "Anna", "de")
    assert update.place.id == hall.place
    assert (update.place.lang, update.place.private, update.place.name) == ("fr", False, "hall")
    assert update.joined == datetime(2026, 1, 1, tzinfo=UTC)
    assert update.body == SlashCommand("newgame", {"game": "kabooom"})
    assert not update.may_manage
    assert platform(update.person.id) == chat.name


@pytest.mark.parametrize(
    ("permission", "may"), [(0, False), (1 << 5, True), (1 << 4, True), (1 << 3, True), (1 << 13, False)]
)
async def test_who_manages_the_server_or_the_channel_may_manage(
    permission: int, may: bool, chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall, permissions=permission)
    await anna.types("/end")
    assert house.updates[0].may_manage is may


async def test_the_private_chat_with_the_bot_is_private_and_ones_own(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    anna.goes_to(anna.direct())
    house.says = Reply(text="Hello!")
    answer = (await anna.types("/help")).answer
    assert answer is not None
    assert answer.text == "Hello!"
    assert house.updates[0].place.private
    assert house.updates[0].may_manage
    message = await chat.post(place(anna.direct()), Post(text="All right"), "n1")
    assert anna.direct().newest().id == int(message)


async def test_other_places_know_a_channel_by_its_server(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    thread = discord.thread("What did Ben write here?", hall)
    for channel in (hall, thread):
        await discord.person("Anna", channel).types("/board")
    assert [update.place.known_as for update in house.updates] == [f"{discord.home.name} · hall"] * 2


async def test_a_thread_is_a_place_of_its_own(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    thread = discord.thread("game", hall)
    anna = discord.person("Anna", thread)
    await anna.types("/board")
    assert house.updates[0].place.id == thread.place
    await chat.post(place(thread), Post(text="here"), "n1")
    assert thread.newest().text == "here"
