"""Ephemeral messages of the emulated Telegram, and the same requests on an older server."""

import json
from collections.abc import AsyncIterator

import pytest

from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.test_emulator import TICK, ask, keyboard
from tests.emulators.telegram.world import Chat, Person, Tap

VIEW = json.dumps([{"command": "view", "description": "x", "is_ephemeral": True}])
GROUPS = json.dumps({"type": "all_group_chats"})


class Hall:
    """A group with Anna and Ben, a message with a button, and a press of Anna's."""

    def __init__(self, telegram: Telegram) -> None:
        self.telegram = telegram
        self.anna, self.ben = telegram.person("Anna"), telegram.person("Ben")
        self.chat = telegram.group("Hall", self.anna, self.ben)

    async def opens(self) -> None:
        await ask(self.telegram, "sendMessage", chat_id=str(self.chat.id), text="x", reply_markup=keyboard([TICK]))

    def tap(self) -> Tap:
        return self.anna.taps_on("x", self.chat)

    async def whispers(self, person: Person, text: str = "psst", **given: object) -> str:
        to = {"receiver_user_id": person.id, **given}
        sent = {"chat_id": str(self.chat.id), "text": text, "ephemeral_message_parameters": json.dumps(to)}
        return await ask(self.telegram, "sendMessage", **sent)


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    async with Telegram(knows_ephemeral=True) as telegram:
        made = Hall(telegram)
        await made.opens()
        yield made


def texts(person: Person, chat: Chat) -> list[str]:
    return [message.text for message in person.alone_in(chat).said()]


async def test_a_person_who_pressed_a_button_can_get_an_ephemeral(hall: Hall) -> None:
    tap = hall.tap()
    assert await hall.whispers(hall.anna, callback_query_id=tap.query) == ""
    assert (texts(hall.anna, hall.chat), texts(hall.ben, hall.chat)) == (["psst"], [])
    assert [message.text for message in hall.chat.said()] == [message.text for message in hall.chat.aired] == ["x"]
    said = hall.anna.alone_in(hall.chat).newest().json()
    assert (said["message_id"], said["ephemeral_message_id"]) == (0, 1)


async def test_no_other_person_gets_an_ephemeral_without_a_reason(hall: Hall) -> None:
    tap = hall.tap()
    assert "query is too old" in await hall.whispers(hall.ben, callback_query_id=tap.query)
    assert "MESSAGE_NOT_COMMAND" in await hall.whispers(hall.anna)
    tap.at -= 16
    assert "query is too old" in await hall.whispers(hall.anna, callback_query_id=tap.query)
    hall.chat.bot_manages = True
    assert await hall.whispers(hall.ben) == ""


async def test_numbers_are_each_persons_own_and_used_again(hall: Hall) -> None:
    hall.chat.bot_manages = True
    for person in (hall.anna, hall.ben):
        await hall.whispers(person)
    where = {"chat_id": str(hall.chat.id), "ephemeral_message_id": "1", "receiver_user_id": str(hall.anna.id)}
    assert await ask(hall.telegram, "editEphemeralMessageText", text="hush", **where) == ""
    assert (texts(hall.anna, hall.chat), texts(hall.ben, hall.chat)) == (["hush"], ["psst"])
    assert await ask(hall.telegram, "deleteEphemeralMessage", **where) == ""
    assert "MESSAGE_ID_INVALID" in await ask(hall.telegram, "deleteEphemeralMessage", **where)
    await hall.whispers(hall.anna, "anew")
    assert hall.anna.alone_in(hall.chat).newest().number == 1


async def test_an_edit_of_a_number_that_was_another_message_is_told_apart(hall: Hall) -> None:
    hall.chat.bot_manages = True
    await hall.whispers(hall.anna)
    where = {"chat_id": str(hall.chat.id), "ephemeral_message_id": "1", "receiver_user_id": str(hall.anna.id)}
    for reused in (0, 1):
        assert "no caption" in await ask(hall.telegram, "editEphemeralMessageCaption", caption="hush", **where)
        assert (len(hall.telegram.violations), len(hall.telegram.reused)) == (1, reused)
        hall.telegram.violations.clear()
        await ask(hall.telegram, "deleteEphemeralMessage", **where)
        await hall.whispers(hall.anna, "anew")


async def test_a_command_so_announced_goes_to_the_bot_alone_and_can_be_answered_so(hall: Hall) -> None:
    await ask(hall.telegram, "setMyCommands", commands=VIEW, scope=GROUPS)
    typed = await hall.anna.types("/view", hall.chat)
    assert typed not in hall.chat.messages
    answering = json.dumps({"ephemeral_message_id": typed.number})
    to = json.dumps({"receiver_user_id": hall.anna.id})
    sent = {"chat_id": str(hall.chat.id), "text": "psst", "reply_parameters": answering}
    assert await ask(hall.telegram, "sendMessage", ephemeral_message_parameters=to, **sent) == ""
    assert texts(hall.anna, hall.chat) == ["psst"]
    hall.anna.modern = False
    assert await hall.anna.types("/view", hall.chat) in hall.chat.messages


async def test_an_older_server_shows_unknown_messages_publicly() -> None:
    async with Telegram() as telegram:
        hall = Hall(telegram)
        await hall.opens()
        tap = hall.tap()
        assert await hall.whispers(hall.anna, callback_query_id=tap.query) == ""
        assert [message.text for message in hall.chat.aired] == ["x", "psst"]
        await ask(telegram, "setMyCommands", commands=VIEW, scope=GROUPS)
        assert telegram.menus["all_group_chats", ""] == [{"command": "view", "description": "x"}]
        assert await hall.anna.types("/view", hall.chat) in hall.chat.messages
        gone = {"chat_id": str(hall.chat.id), "receiver_user_id": str(hall.anna.id), "ephemeral_message_id": "1"}
        assert "method not found" in await ask(telegram, "deleteEphemeralMessage", **gone)
