"""Texts and buttons within what Discord takes."""

import pytest

from bot.chat import (
    Button,
    Call,
    Chat,
    Choice,
    Person,
    PersonId,
    Post,
    Press,
    PublicPicture,
    Reply,
    Role,
    Select,
    Style,
)
from tests.bot.adapters.on_discord.conftest import PNG, House, place
from tests.emulators.discord import Channel, Discord

NAMES = (
    "**Anna**",
    "@everyone",
    "<@&1>",
    "[x](https://evil.example)",
    "a\u202eb",
    "# Anna",
    "- Anna",
    "🪨" * 40,
    "\\",
    "`",
    "1. A",
)


@pytest.mark.parametrize("name", NAMES)
async def test_names_stay_names(name: str, chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.person("Ben", hall)
    await chat.post(place(hall), Post(title=name, text=f"{name} won.\n{name}", call=None), "n1")
    shown = hall.newest()
    plain = name.replace("\u202e", "").replace("@e", "@\u200be")
    assert shown.text.endswith(f"{plain} won.\n{plain}")
    assert shown.pinged == ()


async def test_long_texts_are_cut_but_never_the_call(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    for number, letter in enumerate(("x", "*", "🪨", "\n", "_\\")):
        reply = Post(
            title=letter * 5000,
            text=letter * 10_000,
            picture=PublicPicture(PNG, letter * 3000),
            rows=((Button(letter * 90, "a"),), Select(letter * 200, "b", (Choice(letter * 200, "c"),))),
            call=Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn."),
        )
        await chat.post(place(hall), reply, f"n{number}")
        assert hall.newest().content.endswith(f"<@{anna.id}>, it is your turn.")
    assert anna.pings == 5


async def test_more_rows_than_discord_shows_become_selects(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    rows = tuple(tuple(Button(f"{row}{n}", f"play:k:{row}.{n}") for n in range(5)) for row in range(7))
    await chat.post(place(hall), Post(text="Which?", rows=(*rows, (Button("Back", "menu:k"),))), "n1")
    shown = hall.newest().rows
    assert [len(row) for row in shown] == [25, 10, 1]
    await anna.chooses("34")
    assert (await house.asked())[0].body == Press("play:k:3.4")


async def test_a_board_of_buttons_leaves_no_room_for_a_way_out(chat: Chat, hall: Channel) -> None:
    rows = [tuple(Button(f"{column}{row}", f"x:{column}{row}") for column in "abcde") for row in range(5)]
    await chat.post(place(hall), Post(text="Where?", rows=(*rows, (Button("✕", "close:k"),))), "n1")
    assert [len(row) for row in hall.newest().rows] == [5, 5, 5, 5, 5]
    assert "✕" not in hall.newest().buttons


async def test_places_with_nothing_to_press_are_switched_off(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    nothing = Button("·", "none:k", Style.BLANK)
    again = Button("b3", "play:k:1.0")
    house.says = Reply(text="Where?", rows=((nothing, again), (again, nothing)), role=Role.MENU)
    await anna.types("/move")
    (menu,) = anna.sees()
    assert [part["disabled"] for part in menu.parts] == [True, False, False, True]
    for part in menu.parts[1:3]:
        await anna.presses_id(part["custom_id"], menu)
    updates = await house.asked(3)
    assert [update.body for update in updates[1:]] == [Press("play:k:1.0")] * 2


async def test_short_rows_are_joined_if_there_are_too_many(chat: Chat, hall: Channel) -> None:
    rows = tuple((Button(f"{row}", f"play:k:{row}.0"),) for row in range(7))
    await chat.post(place(hall), Post(text="Which?", rows=(*rows, (Button("Back", "menu:k"),))), "n1")
    assert hall.newest().rows == [["0", "1", "2", "3", "4"], ["5", "6"], ["Back"]]
