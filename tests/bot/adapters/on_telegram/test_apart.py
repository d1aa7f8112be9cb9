"""Ephemeral messages in a group: no other person ever sees them, even on a faulty server."""

import asyncio
import json
import logging

import pytest
from msgspec.structs import replace

import texts
from bot.adapters.on_telegram import answers
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.pacing import Pace, Quota
from bot.chat import Button, Choice, Expiry, MarkedPicture, MessagePart, Post, Reply, Role, Select
from bot.requests.commands import COMMANDS
from tests.bot.adapters.hosts import UNLIMITED
from tests.bot.adapters.on_telegram.conftest import OTHER_PICTURE, PICTURE, Listener, Open
from tests.bot.conftest import within
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Answer, Message
from tests.emulators.telegram.world import Chat as Group

BOARD = Post(title="Kabooom!", text="Your turn", picture=PICTURE, rows=((Button("Press", "it:1"), Button("X", "x:1")),))
SECRET = "Your hand: 3 and 4"
LONG = "word " * 300


@pytest.fixture
def telegram_is_new(telegram: Telegram) -> None:
    telegram.knows_ephemeral = telegram.keeps_flags = True


@pytest.fixture
async def chat(telegram: Telegram, telegram_is_new: None, opened: Open) -> TelegramChat:
    return await begun(telegram, opened)


async def begun(telegram: Telegram, opened: Open, pace: Pace = UNLIMITED) -> TelegramChat:
    """Return a bot that has registered its commands."""
    telegram.listening = False
    chat = await opened(commands=COMMANDS, pace=pace)
    await telegram.until(lambda: telegram.listening or None, "the bot listens")
    return chat


@pytest.fixture
async def board(hall: Group, chat: TelegramChat) -> Message:
    await chat.post(hall.place, BOARD, "n1")
    return hall.newest()


def menu(text: str, *labels: str, **more: object) -> Reply:
    buttons = tuple(Button(label, f"{label}:1") for label in labels)
    said = Reply(text=text, rows=(buttons,) if buttons else (), role=Role.MENU)
    return replace(said, **more)


def private_messages(hall: Group, at: int = 0) -> list[Message]:
    return hall.members[at].alone_in(hall).said()


def others_saw(hall: Group) -> list[str]:
    """Return everything that all members could read at any time."""
    return [f"{message.text} {message.flat}" for message in hall.aired]


# A press


async def test_pictures_and_long_texts_are_shown_in_the_group_to_one_reader(
    host: Listener, hall: Group, board: Message
) -> None:
    anna, ben = hall.members
    host.replies["it:1"] = Reply(text=SECRET, picture=PICTURE, secret=True, rows=((Button("Move", "m:1"),),))
    assert await anna.presses("Press", board) == Answer()
    (hand,) = private_messages(hall)
    assert (hand.text, hand.flat, hand.picture is not None) == (SECRET, ["Move"], True)
    assert private_messages(hall, 1) == []
    assert others_saw(hall) == ["Kabooom!\nYour turn ['Press', 'X']"]
    assert [anna.private().said(), ben.private().said()] == [[], []]


async def test_a_menu_is_ephemeral_marked_and_edited_in_place(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    host.replies |= {
        "it:1": menu("Which stone?", "b3", picture=MarkedPicture.of(PICTURE, ())),
        "b3:1": menu("Where to?", "d5", picture=MarkedPicture.of(OTHER_PICTURE, ())),
        "d5:1": Reply(text="Played.", role=Role.TOAST),
    }
    await anna.presses("Press", board)
    (shown,) = private_messages(hall)
    assert (shown.flat, shown.picture is not None) == (["b3"], True)
    await anna.presses("b3", shown)
    assert (private_messages(hall), shown.text, shown.flat) == ([shown], "Where to?", ["d5"])
    assert shown.picture is not None
    assert shown.picture.png == OTHER_PICTURE.png
    assert await anna.presses("d5", shown) == Answer("Played.")
    await hall.telegram.until(lambda: private_messages(hall) == [], "the menu goes")
    assert (board.edits, len(hall.aired)) == (0, 1)


async def test_two_people_have_menus_of_the_same_number_and_each_goes_on_in_their_own(
    host: Listener, hall: Group, board: Message
) -> None:
    host.replies |= {"it:1": menu("Which?", "b3", picture=PICTURE), "b3:1": menu("Where?", "d5", picture=PICTURE)}
    for person in hall.members:
        await person.presses("Press", board)
    (one,), (other,) = private_messages(hall), private_messages(hall, 1)
    assert one.number == other.number
    await hall.members[1].presses("b3", other)
    assert (one.text, other.text) == ("Which?", "Where?")
    host.replies["d5:1"] = Reply(text="Played.", role=Role.TOAST)
    await hall.members[1].presses("d5", other)
    await hall.telegram.until(lambda: other.deleted or None, "the menu goes")
    assert private_messages(hall) == [one]


async def test_a_number_that_is_used_again_is_another_message(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    host.replies |= {
        "it:1": menu("Which?", "b3", "✕", picture=PICTURE),
        "✕:1": menu("Closed.", role=Role.CLOSING),
        "x:1": menu("Look", "b3", picture=OTHER_PICTURE),
        "b3:1": menu("And now?", "d5", picture=PICTURE),
    }
    await anna.presses("Press", board)
    first = private_messages(hall)[0]
    await anna.presses("✕", first)
    await anna.presses("X", board)
    (second,) = private_messages(hall)
    assert (second.number, first.deleted) == (first.number, True)
    await anna.presses("b3", second)
    assert second.picture is not None
    assert second.picture.png == PICTURE.png


async def test_a_menu_with_selects_is_its_readers_own(host: Listener, hall: Group, board: Message) -> None:
    choices = tuple(Choice(name, f"level:{n}") for n, name in enumerate(("easy", "hard")))
    host.replies["it:1"] = Reply(text="As you like", rows=(Select("Level", "level", choices),), role=Role.MENU)
    await hall.members[0].presses("Press", board)
    assert private_messages(hall)[0].flat == ["Level", "easy", "hard"]
    assert hall.said() == [board]


async def test_words_become_a_picture_and_long_words_short_ones_in_one_message_at_a_time(
    host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    host.replies |= {
        "it:1": menu("Page 1", "two"),
        "two:1": menu("Page 2", "three", picture=PICTURE),
        "three:1": menu(LONG, "four"),
        "four:1": menu("Page 4", "five"),
        "five:1": menu(LONG, "one"),
    }
    await anna.presses("Press", board)
    for label in ("two", "three", "four", "five"):
        await anna.presses(label, anna.alone_in(hall))
        assert len(private_messages(hall)) == 1
    assert private_messages(hall)[0].text == LONG.strip()


async def test_a_toast_stays_a_toast_and_offers_are_not_repeated(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    host.replies |= {"it:1": menu("Which now?", "d5", role=Role.OFFERED_MENU), "x:1": Reply(text="No.")}
    assert await anna.presses("Press", board) == Answer("Which now?")
    assert await anna.presses("X", board) == Answer("No.", alert=True)
    assert private_messages(hall) == []


async def test_in_a_topic_it_comes_in_the_topic(host: Listener, hall: Group, chat: TelegramChat) -> None:
    games = hall.topic("Games")
    await chat.post(games.place, BOARD, "n1")
    host.replies["it:1"] = Reply(text=SECRET, picture=PICTURE, secret=True)
    await hall.members[0].presses("Press", games)
    assert [message.text for message in hall.members[0].alone_in(games).said()] == [SECRET]


async def test_an_old_button_of_a_menu_says_so_and_the_menu_goes(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    old = Reply(text="It has moved on.", picture=PICTURE, brief="The board is below.")
    host.replies |= {"it:1": menu("Which?", "b3"), "b3:1": old}
    await anna.presses("Press", board)
    assert await anna.presses("b3", anna.alone_in(hall)) == Answer("The board is below.", alert=True)
    await hall.telegram.until(lambda: private_messages(hall) == [], "it goes")


async def test_after_a_restart_a_menu_goes_on(telegram: Telegram, host: Listener, hall: Group, opened: Open) -> None:
    telegram.knows_ephemeral = telegram.keeps_flags = True
    host.replies |= {"it:1": menu("Which?", "b3"), "b3:1": menu("Where?", "d5")}
    first = await begun(telegram, opened)
    await first.post(hall.place, BOARD, "n1")
    anna = hall.members[0]
    await anna.presses("Press", hall)
    await first.stop()
    await begun(telegram, opened)
    await anna.presses("b3", anna.alone_in(hall))
    assert [message.text for message in private_messages(hall)] == ["Where?"]


# --- Fading replies


async def test_a_menu_of_a_turn_is_reported_and_can_be_deleted(
    host: Listener, hall: Group, board: Message, chat: TelegramChat
) -> None:
    host.replies["it:1"] = menu("Which?", "b3", expires=Expiry("k:1"))
    await hall.members[0].presses("Press", board)
    await hall.telegram.until(lambda: host.showings or None, "the host is told")
    ((time, place, message),) = host.showings
    assert (time, place) == ("k:1", hall.place)
    await chat.remove(place, message, MessagePart.WHOLE)
    assert private_messages(hall) == []
    await chat.remove(place, message, MessagePart.WHOLE)


async def test_a_message_that_reuses_a_deleted_menus_number_stays(
    host: Listener, hall: Group, board: Message, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    host.replies |= {
        "it:1": menu("Which?", "b3", expires=Expiry("k:1")),
        "b3:1": Reply(text="Played.", role=Role.TOAST),
        "x:1": Reply(text=SECRET, picture=PICTURE),
    }
    await anna.presses("Press", board)
    await anna.presses("b3", anna.alone_in(hall))
    await hall.telegram.until(lambda: (private_messages(hall) == [] and host.showings) or None, "the menu goes")
    await anna.presses("X", board)
    ((_, place, message),) = host.showings
    await chat.remove(place, message, MessagePart.WHOLE)
    assert [(message.text, message.number) for message in private_messages(hall)] == [(SECRET, 1)]


async def test_in_the_private_chat_a_menu_of_a_turn_stays(host: Listener, hall: Group, chat: TelegramChat) -> None:
    anna = hall.members[0]
    anna.private().closed = False
    host.replies["/move"] = menu("Which?", "b3", expires=Expiry("k:1"))
    await anna.types("/move")
    await anna.private().shows("Which?")
    assert host.showings == []


# Typed


async def test_commands_are_announced_so_that_neither_they_nor_their_answers_are_seen(
    host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    for command in ("view", "games", "rules", "help", "stats", "settings", "history", "hint", "move x9"):
        host.replies[f"/{command}"] = Reply(text=f"On {command}", rows=((Button("More", "more:1"),),))
        await anna.types(f"/{command}", hall)
        await anna.alone_in(hall).shows(f"On {command}")
    assert (hall.messages, hall.aired, anna.private().said()) == ([], [], [])


async def test_a_reply_to_the_bots_ephemeral_message_is_a_private_move(
    host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    host.replies |= {"it:1": Reply(text=SECRET, picture=PICTURE), "b3-c4": Reply(text="Not there.")}
    await anna.presses("Press", board)
    await anna.types("b3-c4", hall, quoting=private_messages(hall)[0])
    await anna.alone_in(hall).shows("Not there.")
    assert hall.said() == [board]


async def test_a_public_command_of_an_older_app_is_answered_as_before(
    host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    anna.modern = False
    anna.private().closed = False
    host.replies |= {"/move x9": Reply(text="There is no x9."), "/help": menu("Help!", "a")}
    for _ in range(2):
        await anna.types("/move x9", hall)
        await hall.telegram.until(lambda: anna.private().said() or None, "the refusal comes in private")
    await anna.types("/help", hall)
    await hall.shows("Help!")
    tries = [call for call in hall.telegram.calls if "ephemeral_message_parameters" in call.params]
    assert len(tries) == 1, "once it was found out that nothing goes unasked here"
    assert private_messages(hall) == []


async def test_of_an_administrator_the_group_takes_it_unasked(host: Listener, hall: Group, chat: TelegramChat) -> None:
    anna = hall.members[0]
    hall.bot_manages, anna.modern = True, False
    host.replies["/move x9"] = Reply(text="There is no x9.")
    await anna.types("/move x9", hall)
    await anna.alone_in(hall).shows("There is no x9.")


async def test_a_public_typed_move_is_confirmed_by_a_reaction(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    host.replies["b3-c4"] = Reply(text="Played.", role=Role.TOAST)
    typed = await anna.types("b3-c4", hall, quoting=board)
    await hall.telegram.until(lambda: typed.reactions or None, "the bot nods")
    assert typed.reactions == ("👍",)
    assert hall.said() == [board]


async def test_where_reactions_are_switched_off_nothing_is_said(host: Listener, hall: Group, board: Message) -> None:
    hall.reactionless = True
    host.replies |= {"b3-c4": Reply(text="Played.", role=Role.TOAST), "it:1": Reply(text="Yes.")}
    typed = await hall.members[0].types("b3-c4", hall, quoting=board)
    await hall.telegram.until(lambda: hall.telegram.asked("setMessageReaction") or None)
    assert (await hall.members[0].presses("Press", board)).text == "Yes."
    assert (typed.reactions, hall.said()) == ((), [board])


# --- Never public by mistake


async def test_a_server_that_drops_the_mark_is_never_asked(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    chat = await begun(telegram, opened)
    await chat.post(hall.place, BOARD, "n1")
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text=SECRET, picture=PICTURE, secret=True)
    await anna.presses("Press", hall)
    await anna.private().shows(SECRET)
    assert not any("ephemeral_message_parameters" in call.params for call in telegram.calls)


async def test_a_neutral_first_ephemeral_reveals_nothing_if_it_is_public(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    telegram.keeps_flags = True  # the server does not keep its promise
    chat = await begun(telegram, opened)
    await chat.post(hall.place, BOARD, "n1")
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text=SECRET, picture=PICTURE, secret=True)
    for _ in range(2):
        await anna.presses("Press", hall.said()[0])
    assert [message.text for message in anna.private().said()] == [SECRET, SECRET]
    assert others_saw(hall) == ["Kabooom!\nYour turn ['Press', 'X']", "… []"]
    assert len(hall.said()) == 1, "the word is deleted at once"
    assert caplog.text.count("ephemeral message was public") == 1


async def test_a_server_that_becomes_older_is_found_out_by_its_answer(
    telegram: Telegram, host: Listener, hall: Group, board: Message, caplog: pytest.LogCaptureFixture
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text=LONG, role=Role.NOTE)
    await anna.presses("Press", board)
    assert len(private_messages(hall)) == 1
    telegram.knows_ephemeral = False
    await anna.presses("Press", board)
    await anna.private().shows(LONG.strip())
    assert hall.said() == [board]
    telegram.knows_ephemeral = True
    await anna.presses("Press", board)
    assert (len(private_messages(hall)), len(anna.private().said())) == (1, 2), "it is not believed again"


async def test_refused_ephemerals_go_to_the_private_chat_then_the_link(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna, ben = hall.members
    await anna.opens()
    host.replies |= {"it:1": Reply(text=SECRET, picture=PICTURE, secret=True), "/view": Reply(text=SECRET, secret=True)}
    for person in (anna, ben):
        tap = person.taps_on("Press", board)
        tap.at -= 20  # too late
        answer = await tap.answered()
        assert bool(answer.url) == (person is ben)
    await anna.private().shows(SECRET)
    command = await ben.types("/view", hall)
    command.at -= 20
    lead = await hall.shows("Ben: I have an answer for you alone")
    assert (await anna.presses("Show me", lead)).text == "Diese Antwort ist für jemand anderen."
    tap = ben.taps_on("Show me", lead)
    tap.at -= 20
    await ben.follows((await tap.answered()).url)
    await ben.private().shows(SECRET)
    assert not any(SECRET in text for text in others_saw(hall))
    assert private_messages(hall) == private_messages(hall, 1) == []


async def test_the_name_of_a_waiting_reader_cannot_reverse_the_line(
    host: Listener, hall: Group, board: Message
) -> None:
    ben = hall.members[1]
    ben.first_name = "\u202eBen\u200b"
    host.replies["/view"] = Reply(text=SECRET, secret=True)
    command = await ben.types("/view", hall)
    command.at -= 20  # too late to be answered to him alone
    assert (await hall.shows("I have an answer for you alone")).text.startswith("Ben: ")


async def test_a_public_commands_answer_is_shown_to_its_reader_by_a_press(
    host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna, ben = hall.members
    host.replies["/undo"] = Reply(text="There is nothing to take back.", rows=((Button("Look", "look:1"),),))
    typed = await ben.types("/undo", hall)
    lead = await hall.shows("I have an answer for you alone")
    assert lead.quoted is typed
    assert (await anna.presses("Show me", lead)).alert
    await ben.presses("Show me", lead)
    assert [message.text for message in private_messages(hall, 1)] == ["There is nothing to take back."]
    await hall.telegram.until(lambda: lead.deleted or None, "nobody needs it any more")
    assert (await ben.presses("Show me", lead)).text == "I no longer have that answer. Just ask me again."
    assert host.said == ["/undo"]
    assert ben.private().messages == []


async def test_an_answer_behind_a_press_outlasts_a_newer_one(
    telegram: Telegram,
    telegram_is_new: None,
    host: Listener,
    hall: Group,
    opened: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person with many pending answers gets the newest one; the answer to a typed command is not dropped."""
    monkeypatch.setattr(answers, "PRESS_WAIT_S", 60.0)
    chat = await begun(telegram, opened, pace=Pace(chat=Quota(1, 2.0)))
    ben = hall.members[1]
    post = replace(BOARD, rows=((Button("Press", "it:1"), Button("Other", "other:1")),))
    await chat.post(hall.place, post, "n1")
    board = hall.newest()
    host.replies |= {
        "/undo": Reply(text="There is nothing to take back.", rows=((Button("Look", "look:1"),),)),
        "it:1": Reply(text=LONG),
        "other:1": Reply(text=SECRET, picture=PICTURE, secret=True),
    }
    await ben.types("/undo", hall)
    lead = await hall.shows("I have an answer for you alone")
    await ben.presses("Press", board)
    first, second = ben.taps_on("Show me", lead), ben.taps_on("Other", board)
    await first.answered()
    await second.answered()
    assert private_messages(hall, 1)[-1].text == SECRET
    await ben.presses("Show me", lead)
    assert private_messages(hall, 1)[-1].text == "There is nothing to take back."


async def test_a_secret_that_was_asked_for_alone_never_falls_back_to_the_group(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    """A menu that would be public because its command was public."""
    anna = hall.members[0]
    anna.private().closed = False
    host.replies["/games"] = menu("Your games", "a")
    command = await anna.types("/games", hall)
    command.at -= 20
    await anna.private().shows("Your games")
    assert hall.aired == []


async def test_a_menu_that_is_gone_comes_anew(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    host.replies |= {"it:1": menu("Which?", "b3"), "b3:1": menu("Where?", "d5")}
    await anna.presses("Press", board)
    (shown,) = private_messages(hall)
    tap = anna.taps_on("b3", shown)
    shown.deleted = True  # an app was restarted
    await tap.answered()
    assert [message.text for message in private_messages(hall)] == ["Where?"]


async def test_a_group_that_is_flooded_gets_no_message_for_one_person_either(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text=SECRET, picture=PICTURE, secret=True)
    telegram.floods(hall, 30)
    for _ in range(2):
        await anna.presses("Press", board)
    assert [message.text for message in anna.private().said()] == [SECRET, SECRET]
    assert hall.impatient == 0


# The menus of commands


async def test_the_ephemeral_mark_of_commands_is_set_in_every_language(
    telegram: Telegram, telegram_is_new: None, opened: Open
) -> None:
    chat = await begun(telegram, opened)
    await chat.stop()
    unseen = {command.name for command in COMMANDS if command.unseen}
    for (scope, _), known in telegram.menus.items():
        marked = {command["command"] for command in known if command.get("is_ephemeral")}
        assert marked == (unseen if scope == "all_group_chats" else set())
    german = telegram.menus["all_group_chats", "de"]
    telegram.menus["all_group_chats", "de"] = [{k: v for k, v in command.items() if k[0] != "i"} for command in german]
    await begun(telegram, opened)
    assert telegram.menus["all_group_chats", "de"] == german
    assert len(texts.languages()) == 2 == len([k for k in telegram.menus if k[0] == "all_group_chats"])


async def test_nothing_that_is_shown_to_one_has_the_number_of_a_message_of_all(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    """The library's own ways to answer would take number 0."""
    anna = hall.members[0]
    host.replies |= {
        "it:1": menu("Which?", "b3"),
        "b3:1": menu("Where?", "d5"),
        "d5:1": menu("Closed.", role=Role.CLOSING),
    }
    await anna.presses("Press", board)
    await anna.presses("b3", anna.alone_in(hall))
    await anna.presses("d5", anna.alone_in(hall))
    await telegram.until(lambda: private_messages(hall) == [], "it is closed")
    sent = [call.params for call in telegram.calls]
    assert not any(params.get("message_id") == "0" for params in sent)
    quoted = [json.loads(str(params["reply_parameters"])) for params in sent if "reply_parameters" in params]
    assert not any("message_id" in quote for quote in quoted)


async def test_an_answer_without_room_in_the_group_is_in_the_private_chat_at_once(
    telegram: Telegram, telegram_is_new: None, host: Listener, hall: Group, opened: Open
) -> None:
    """Ephemeral messages count in a group, as a refusal has shown."""
    chat = await begun(telegram, opened, Pace(chat=Quota(100, 0), group=Quota(3, 600)))
    anna = hall.members[0]
    await anna.opens()
    await chat.post(hall.place, BOARD, "n1")
    board = hall.newest()
    host.replies["it:1"] = Reply(text=LONG, secret=True)
    await anna.presses("Press", board)
    await anna.presses("Press", board)
    telegram.floods(hall, 1)
    await anna.presses("Press", board)
    await asyncio.sleep(1.1)
    shown = len(anna.private().said())
    async with within(3):
        await anna.presses("Press", board)
    assert len(anna.private().said()) == shown + 1
