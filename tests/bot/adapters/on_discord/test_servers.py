"""Servers that the bot is added to, and places that disappear."""

from pathlib import Path

import pytest

import texts
from bot.adapters import on_discord
from bot.adapters.on_discord.chat import DiscordChat
from bot.chat import Chat, Place, Post, Refused
from tests.bot.adapters.on_discord.conftest import House, place, running
from tests.emulators.discord import Channel, Discord

TOP = Path(__file__).parents[4]


async def test_the_bot_introduces_itself_in_the_system_channel_of_a_new_server(
    chat: Chat, discord: Discord, house: House
) -> None:
    club = discord.server("Club", "de", member=False)
    club.hello = discord.channel("hello", club)
    await discord.adds_the_bot(club)
    await house.notified(lambda: len(house.places) == 1)
    assert house.places == [Place(place(club.hello), "de")]


async def test_a_server_that_added_the_bot_while_it_was_down_is_new_too(discord: Discord, house: House) -> None:
    club = discord.server("Club", member=False)
    club.hello = discord.channel("hello", club)
    await discord.adds_the_bot(club)
    async with running(discord, house):
        await house.notified(lambda: len(house.places) == 1)
    assert [place.id for place in house.places] == [place(club.hello)]


async def test_a_server_without_a_system_channel_and_one_of_long_ago_are_left_alone(
    discord: Discord, house: House
) -> None:
    discord.home.hello = discord.channel("hello")
    async with running(discord, house):
        await discord.adds_the_bot(discord.server("Quiet", member=False))
        anna = discord.person("Anna", at=discord.home.hello)
        await anna.types("/help")
    assert house.places == []


async def test_deleted_channels_and_threads_are_reported(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    thread = discord.thread("side", hall)
    await thread.disappears()
    await hall.disappears()
    await house.notified(lambda: len(house.ended) == 2)
    assert house.ended == [place(thread), place(hall)]


async def test_a_server_that_puts_the_bot_out_takes_its_places_along(
    discord: Discord, hall: Channel, house: House
) -> None:
    old = discord.thread("old", hall)
    elsewhere = discord.channel("elsewhere", discord.server("Club"))
    async with running(discord, house):
        new = discord.thread("new", hall)
        await discord.person("Anna", at=new).types("/help")
        await discord.removes_the_bot(discord.home)
        await house.notified(lambda: len(house.ended) == 3)
    assert set(house.ended) == {place(hall), place(old), place(new)}
    assert place(elsewhere) not in house.ended


async def test_a_server_that_cannot_be_reached_for_a_while_keeps_its_games(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    await discord.removes_the_bot(discord.home, unavailable=True)
    await discord.person("Anna", at=hall).types("/help")
    assert house.ended == []


async def test_an_event_that_cannot_be_read_ends_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    undated = {key: value for key, value in discord.home.whole(()).items() if key != "joined_at"}
    await discord.gateway.tell(discord.home, "GUILD_CREATE", undated)
    await hall.disappears()
    await house.notified(lambda: len(house.ended) == 1)
    assert len(discord.gateway.identified) == 1
    assert "cannot be read, with [" in caplog.text


async def test_the_library_keeps_no_members_and_no_messages(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    await discord.person("Anna", at=hall).types("/help")
    assert isinstance(chat, DiscordChat)
    assert chat._client is not None
    assert [member.name for member in chat._client.get_all_members()] in ([], ["kaleidobot"]), "itself alone"
    assert list(chat._client.cached_messages) == []


async def test_the_operator_gets_the_link_that_adds_the_bot(discord: Discord, hall: Channel, house: House) -> None:
    chat = on_discord.open(discord.environment)
    line = await chat.start(house, house.storage)
    await discord.connected()
    await chat.stop()
    assert f"client_id={discord.application_id}&scope=bot+applications.commands&permissions=309237681152" in line


def test_the_line_with_the_link_suits_a_new_bot_and_the_docs_quote_it() -> None:
    text = texts.say("discord", "operator.ready", "en", name="Kaleidobot", n=0, link="https://discord.com/oauth2")
    assert "0 servers. To add it to a server: " in text
    assert f"discord: {text}" in (TOP / "docs" / "discord.md").read_text(encoding="utf-8")


async def test_a_locked_thread_that_is_opened_again_is_reported(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    thread, other = discord.thread("games", hall), discord.thread("talk", hall)
    thread.archived = thread.locked = True
    with pytest.raises(Refused, match="locked"):
        await chat.post(place(thread), Post(text="refused"), "n1")
    await discord.gateway.tell(discord.home, "THREAD_UPDATE", thread.listed())
    thread.archived = thread.locked = False
    for channel in (other, thread):
        await discord.gateway.tell(discord.home, "THREAD_UPDATE", channel.listed())
    await house.notified(lambda: len(house.back) == 1)
    assert house.back == [place(thread)]


async def test_a_returning_bot_reports_its_places(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    await discord.removes_the_bot(discord.home)
    await house.notified(lambda: len(house.ended) == 1)
    await discord.adds_the_bot(discord.home)
    await house.notified(lambda: len(house.back) == 1)
    assert house.back == [place(hall)]


ROLE = {"id": "7", "name": "Players", "permissions": "0", "position": 1, "color": 0, "hoist": False, "managed": False}


@pytest.mark.parametrize("event", ["CHANNEL_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE"])
async def test_a_channel_that_refused_a_post_is_reported_when_rights_change(
    chat: Chat, discord: Discord, hall: Channel, house: House, event: str
) -> None:
    open_to_all = discord.channel("open")
    for channel in (hall, open_to_all):
        await discord.person("Anna", at=channel).types("/help")
    before, hall.allowed = hall.allowed, 0
    await chat.post(place(open_to_all), Post(text="taken"), "n1")
    with pytest.raises(Refused):
        await chat.post(place(hall), Post(text="refused"), "n2")
    change = {**hall.listed(), "user": discord.bot_user, "roles": [], "role": ROLE}
    await discord.gateway.tell(discord.home, event, change)
    await house.notified(lambda: len(house.back) == 1)
    hall.allowed = before
    await chat.post(place(hall), Post(text="taken"), "n3")
    await discord.gateway.tell(discord.home, event, change)
    await discord.person("Anna", at=hall).types("/help")
    assert house.back == [place(hall)]
