"""The commands as Discord has them, settings, and completions."""

import pytest

import texts
from bot.adapters import on_discord
from bot.adapters.on_discord import answers
from bot.chat import Chat, Post, Reply, SlashCommand, Suggestion
from bot.requests.commands import COMMANDS
from bot.tables.preferences import CLOCKS
from rules import GAMES
from tests.bot.adapters.on_discord.conftest import House, place, running
from tests.emulators.discord import Channel, Discord

# Settings


def test_without_a_token_discord_is_off() -> None:
    values = {variable.name: variable.default for variable in on_discord.VARIABLES}
    assert not on_discord.wanted(values)
    assert on_discord.wanted(values | {"DISCORD_TOKEN": "x"})


@pytest.mark.parametrize("text", ["x", "3-1/4", "4/4", "0-4/4", "0", "-1/4", "1/0"])
def test_an_impossible_shard_range_is_reported_at_the_start(text: str) -> None:
    (check,) = (variable.check for variable in on_discord.VARIABLES if variable.name == "DISCORD_SHARDS")
    assert check is not None
    assert check(text)
    assert not check("0-3/8")


# Commands


async def test_every_command_is_registered_in_every_language(chat: Chat, discord: Discord) -> None:
    by_name = {command["name"]: command for command in discord.commands if command["type"] == 1}
    assert list(by_name) == [command.name for command in COMMANDS]
    for name, command in by_name.items():
        assert command["description_localizations"]["de"] == texts.say("table", f"command.{name}.about", "de")
        assert command["contexts"] == [0, 1, 2], "servers, the bot's private chat, others' private chats"
        assert command["integration_types"] == [0, 1], "in a server, or by a person"
    game, clock, options = by_name["newgame"]["options"]
    assert [choice["value"] for choice in game["choices"]] == list(GAMES)
    assert [choice["value"] for choice in clock["choices"]] == list(CLOCKS)
    last = f"setting.clock.{[*CLOCKS][-1]}"
    assert clock["choices"][-1]["name_localizations"]["de"] == texts.say("table", last, "de")
    assert "choices" not in options, "words, as they can be typed elsewhere"
    assert options["autocomplete"]
    (notation,) = by_name["move"]["options"]
    assert notation["autocomplete"]
    (invite,) = (command for command in discord.commands if command["type"] == 2)
    assert (invite["name"], invite["name_localizations"]["de"]) == ("Play with…", "Spielen mit …")
    assert invite["contexts"] == [0, 2], "where there is somebody else"


async def test_commands_are_registered_only_when_they_changed(discord: Discord, house: House) -> None:
    for _ in range(2):
        async with running(discord, house):
            await discord.until(lambda: any("GET /applications" in r for r in discord.requests) or None, "it looks")
    assert sum("PUT /applications" in request for request in discord.requests) == 1
    discord.commands[0]["description"] = "something old"
    async with running(discord, house):
        await discord.until(lambda: discord.commands[0]["description"] != "something old" or None, "it is renewed")


async def test_entry_point_of_the_application_is_sent_along_unchanged(discord: Discord, house: House) -> None:
    launch = {"id": "77", "version": "1", "type": 4, "name": "Launch", "description": "", "handler": 2}
    discord.commands = [dict(launch)]
    for _ in range(2):
        async with running(discord, house):
            await discord.until(lambda: len(discord.commands) > 1 or None, "the commands are registered")
            await discord.until(lambda: any("GET /applications" in r for r in discord.requests) or None, "it looks")
    assert sum("PUT /applications" in request for request in discord.requests) == 1
    (kept,) = (command for command in discord.commands if command["type"] == 4)
    assert (kept["name"], kept["handler"]) == ("Launch", 2)


async def test_a_bot_asks_for_no_intent_but_to_hear_of_servers(chat: Chat, discord: Discord) -> None:
    assert [login["intents"] for login in discord.gateway.identified] == [1]


# Completion


async def test_completions_are_offered_while_typing(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("b3-c4 🪨", "b3-c4"),)
    assert await anna.completes("/move", move="b3") == [("b3-c4 🪨", "b3-c4")]
    ((update, argument),) = house.completed
    assert (update.body, argument) == (SlashCommand("move", {"move": "b3"}), "move")


async def test_completions_keep_to_the_limits(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("too long", "x" * 101), *(Suggestion("y" * 120, f"b{n}") for n in range(40)))
    suggestions = await anna.completes("/move", move="")
    assert len(suggestions) == 25
    assert {len(label) for label, _ in suggestions} == {100}


async def test_completions_that_take_too_long_are_left_out(
    chat: Chat, discord: Discord, hall: Channel, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answers.COMPLETE_WITHIN_S <= 2, "Discord waits for three seconds"
    monkeypatch.setattr(answers, "COMPLETE_WITHIN_S", 0.2)
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("b3", "b3"),)
    house.gate.clear()
    assert await anna.completes("/move", move="b") == []


async def test_a_command_that_a_text_names_can_be_clicked(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    await anna.types("/rules")
    numbers = {command["name"]: command["id"] for command in discord.commands}
    house.says = Reply(text="/newgame opens a table, /nothing does nothing.")
    done = await anna.types("/help")
    assert done.answer is not None
    assert done.answer.content == f"</newgame:{numbers['newgame']}> opens a table, /nothing does nothing."
    await chat.post(place(hall), Post(text="See /help"), "n1")
    assert hall.newest().content == f"See </help:{numbers['help']}>"


async def test_a_command_is_named_plainly_if_there_is_no_room_for_a_mention(
    chat: Chat, discord: Discord, hall: Channel
) -> None:
    await discord.person("Anna", hall).types("/help")
    await chat.post(place(hall), Post(text="x" * 1980 + " /help"), "n1")
    assert hall.newest().content == "x" * 1980 + " /help"
