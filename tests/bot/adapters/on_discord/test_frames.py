"""Which messages are framed ones of Components V2, what these are made of, and that each keeps the form that it has."""

from typing import Any

import pytest

from bot.chat import Button, Call, Chat, Choice, Person, PersonId, Picture, Post, Reply, Role, Select
from tests.bot.adapters.on_discord.conftest import BOARD, FILM, PNG, RECORD, House, place
from tests.emulators.discord import Channel, Discord, Message, limits
from tests.emulators.discord import Person as Emulated

MENU = Reply(
    "Kabooom!",
    "Which stone? /help",
    Picture(PNG, "Anna a1, Ben c3"),
    ((Button("b3", "menu:k:1.0"), Button("c4", "menu:k:1.1")), (Button("Close", "close:k"),)),
    role=Role.MENU,
    accent=(242, 119, 0),
)


async def opened(person: Emulated, house: House) -> Message:
    """Return the menu as *person* receives it."""
    house.says = MENU
    menu = (await person.types("/move")).answer
    assert menu is not None
    return menu


async def test_a_menu_is_words_picture_and_buttons_in_one_frame(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    menu = await opened(anna, house)
    assert (menu.is_v2, menu.content, menu.accent) == (True, "", 0xF27700)
    (frame,) = menu.components
    text, gallery, row, last = frame["components"]
    number = next(command["id"] for command in discord.commands if command["name"] == "help")
    assert text == {"type": limits.TEXT_DISPLAY, "content": f"**Kabooom!**\nWhich stone? </help:{number}>"}
    (item,) = gallery["items"]
    assert (item["media"], item["description"]) == ({"url": "attachment://board.png"}, "Anna a1, Ben c3")
    assert [[part["label"] for part in label["components"]] for label in (row, last)] == [["b3", "c4"], ["Close"]]
    assert (menu.alt, menu.attachments[0].content) == ("Anna a1, Ben c3", PNG)


async def test_a_framed_menu_goes_on_framed_down_to_its_last_words(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    menu = await opened(anna, house)
    await anna.presses("b3")
    house.says = Reply(text="Played.", role=Role.TOAST)
    await (await anna.presses("c4")).answered()
    assert (menu.text, menu.rows, menu.attachments, menu.is_v2, menu.edits) == ("Played.", [], [], True, 3)


async def test_a_file_to_be_kept_and_a_film_in_a_framed_menu_are_shown_there(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    menu = await opened(anna, house)
    for file, kind in ((RECORD, limits.FILE), (FILM, limits.GALLERY)):
        house.says = Reply("Your data", file=file, rows=((Button("b3", "x:k"),),), role=Role.MENU)
        await (await anna.presses("b3", on=menu)).answered()
        assert menu.components[0]["components"][1]["type"] == kind
        assert [attachment.content for attachment in menu.attachments] == [file.content]


async def test_public_posts_and_plain_words_have_no_frame(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    """Phones show framed messages without text in notifications and search results."""
    anna = discord.person("Anna", hall)
    call = Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn.")
    rows = ((Button("Move", "menu:k"),),)
    for number, post in enumerate((Post("Kabooom!", "Ben: b3", BOARD, rows, call=call), Post(file=FILM))):
        message = await chat.post(place(hall), post, f"n{number}")
        await chat.edit(place(hall), message, post)
    assert [message.is_v2 for message in hall.public] == [False, False]
    for house.says in (Reply(text="It is Ben's turn."), Reply("Your data", file=RECORD)):
        answer = await (await anna.presses("Move")).answered()
        assert (answer.is_v2, bool(answer.content)) == (False, True)


async def test_a_menu_from_before_frames_stays_without_one(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    anna = discord.person("Anna", hall)
    house.says = MENU
    discord.knows_v2 = False
    menu = (await anna.types("/move")).answer
    assert menu is not None
    assert (menu.is_v2, menu.alt, menu.rows) == (False, "Anna a1, Ben c3", [["b3", "c4"], ["Close"]])
    assert "frame refused, retrying without" in caplog.text
    discord.knows_v2 = True
    await (await anna.presses("b3")).answered()
    assert (menu.is_v2, menu.edits) == (False, 2)
    house.says = Reply("Rules", "Three in a row.", BOARD)
    rules = (await anna.types("/rules", game="kabooom")).answer
    assert rules is not None
    assert rules.is_v2


async def test_a_frame_has_room_for_a_board_of_buttons_and_the_way_out(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    rows = tuple(tuple(Button("🪨" * 50, f"x:{column}{row}") for column in range(5)) for row in range(6))
    for letter in ("x", "*", "🪨", "_\\"):
        house.says = Reply(letter * 5000, letter * 10_000, Picture(PNG, letter * 3000), rows)
        menu = (await anna.types("/move")).answer
        assert menu is not None
        assert [len(row) for row in menu.rows] == [5] * 6
        assert limits.WORDS - 1 <= limits.units(menu.words) <= limits.WORDS


async def test_selects_stand_in_rows_of_their_own(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    select = Select("Clock", "clock:k", (Choice("1 day", "clock:k:1"), Choice("none", "clock:k:0", chosen=True)))
    house.says = Reply(text="Settings", rows=(select, (Button("Close", "close:k"),)), role=Role.MENU)
    menu = (await anna.types("/settings")).answer
    assert menu is not None
    assert (menu.is_v2, menu.accent, menu.rows) == (True, None, [["1 day", "none"], ["Close"]])
    await anna.chooses("1 day", on=menu, of="Clock")


# What Discord takes, as the emulator has it

TEXT: dict[str, Any] = {"type": limits.TEXT_DISPLAY, "content": "x"}
KEPT = {7: "kept.png"}


def picture(name: str, alt: str = "") -> dict[str, Any]:
    return {"type": limits.GALLERY, "items": [{"media": {"url": f"attachment://{name}"}, "description": alt}]}


def complaints(payload: dict[str, Any], *, framed: bool) -> str:
    """Return the faults in an edit of a message that has one picture and is *framed*, or will be."""
    flags = 0 if framed else limits.COMPONENTS_V2
    said = {"flags": flags, "allowed_mentions": {"parse": []}, **payload}
    return "; ".join(limits.of_message(said, {}, flags=limits.COMPONENTS_V2, kept=KEPT, is_v2=framed))


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize(
    ("complaint", "payload"),
    [
        ("content in a message of Components V2", {"content": "x"}),
        ("embeds in a message of Components V2", {"embeds": [{}]}),
        ("41 components", {"components": [{"type": limits.CONTAINER, "components": [TEXT] * 39}, picture("kept.png")]}),
        ("texts of 4001 characters", {"components": [TEXT, TEXT | {"content": "x" * 4000}, picture("kept.png")]}),
        ("components show ['board.png'], attached are ['kept.png']", {"components": [picture("board.png")]}),
        ("components show [], attached are ['kept.png']", {"components": [TEXT]}),
        ("too long an alternative text", {"components": [picture("kept.png", "x" * 1025)]}),
        ("0 components", {"components": [], "attachments": []}),
    ],
)
def test_a_components_v2_message_refuses_these(complaint: str, payload: dict[str, Any], framed: bool) -> None:
    assert complaint in complaints(payload, framed=framed)


def test_a_components_v2_message_accepts_these() -> None:
    assert complaints({"components": [TEXT, picture("kept.png", "x" * 1024)]}, framed=False) == ""
    assert complaints({"components": [TEXT], "attachments": []}, framed=True) == ""


def test_the_first_answer_says_only_for_whom_it_is() -> None:
    flags = limits.EPHEMERAL | limits.COMPONENTS_V2
    assert list(limits.of_callback({"type": 5, "data": {"flags": flags}}, 2)) == [f"a deferral with flags {flags}"]
