"""Replies for one person alone: where each of them is shown, so that only its reader sees it."""

import asyncio
from datetime import timedelta

import pytest
from msgspec.structs import replace

from bot.adapters.on_telegram import addresses, answers
from bot.adapters.on_telegram import chat as telegram_chat
from bot.adapters.on_telegram.addresses import Addressed, Form
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.pacing import Lanes, Pace, Quota
from bot.chat import (
    Button,
    Choice,
    Expiry,
    MessagePart,
    Picture,
    Post,
    Priority,
    Reply,
    Role,
    Select,
    Style,
)
from bot.runtime.retry import Retry
from tests.bot.adapters.on_telegram.conftest import OTHER_PICTURE, PICTURE, RECORD, Listener, Open
from tests.bot.conftest import HandClock
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Answer, Message, Person
from tests.emulators.telegram.world import Chat as Group

BOARD = Post(title="Kabooom!", text="Your turn", picture=PICTURE, rows=((Button("Press", "it:1"), Button("X", "x:1")),))

LONG = "word " * 100


@pytest.fixture
async def board(hall: Group, chat: TelegramChat) -> Message:
    """Return a board in the hall, with a button whose reply each test chooses."""
    await chat.post(hall.place, BOARD, "n1")
    return hall.newest()


def menu(text: str, *labels: str, secret: bool = False, picture: Picture | None = None) -> Reply:
    buttons = tuple(Button(label, f"{label}:1") for label in labels)
    return Reply(text=text, rows=(buttons,) if buttons else (), role=Role.MENU, secret=secret, picture=picture)


def closed(*labels: str) -> Reply:
    """Return a reply that closes a menu; *labels*: of the post above it."""
    return replace(menu("Closed.", *labels), role=Role.CLOSING)


async def said(hall: Group, count: int) -> None:
    """Wait until so many messages exist in *hall*."""
    await hall.telegram.until(lambda: len(hall.messages) >= count or None, f"{count} messages are there")


# From a button: in the answer to the press


async def test_a_toast_is_a_line_that_vanishes(host: Listener, hall: Group, board: Message) -> None:
    host.replies["it:1"] = Reply(text="You joined.", role=Role.TOAST)
    assert await hall.members[0].presses("Press", board) == Answer("You joined.", alert=False)


async def test_a_short_note_is_a_box_that_stays(host: Listener, hall: Group, board: Message) -> None:
    host.replies["it:1"] = Reply(title="No", text="It's @ben_the_tall's turn.")
    answer = await hall.members[0].presses("Press", board)
    assert (answer.alert, answer.text) == (True, "No\nIt's @\u2060ben_the_tall's turn.")


async def test_a_note_with_a_file_goes_to_the_private_chat(host: Listener, hall: Group, board: Message) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text="Checked.", file=RECORD)
    await anna.presses("Press", board)
    said = await anna.private().shows("Checked.")
    assert said.file is not None
    assert (said.file.name, len(hall.said())) == (RECORD.name, 1)


async def test_a_text_too_long_for_a_caption_is_a_message_before_its_file(
    host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(title="Fair", text=f"{'word ' * 250}{'5e' * 32}", file=RECORD)
    await anna.presses("Press", board)
    text, record = anna.private().said()[-2:]
    assert text.text.endswith("5e" * 32)
    assert (record.file is not None, record.text) == (True, "Fair")


async def test_nothing_to_say_still_ends_the_spinner(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    assert await hall.members[0].presses("Press", board) == Answer()


async def test_a_press_on_a_message_that_is_gone_is_answered(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    host.replies["it:1"] = menu("Which?", "b3")
    board.deleted = True
    await hall.members[0].presses("Press", board)
    assert len(telegram.taps) == 1


async def test_an_answer_that_comes_too_late_is_no_trouble(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    tap = hall.members[0].taps_on("Press", board)
    telegram.taps.clear()  # Telegram has forgotten it
    await telegram.handled()
    assert (await hall.members[1].presses("X", board), tap.answer) == (Answer(), None)


async def test_a_lost_answer_is_given_once_more(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    telegram.fails("answerCallbackQuery")
    host.replies["it:1"] = Reply(text="You joined.", role=Role.TOAST)
    assert await hall.members[0].presses("Press", board) == Answer("You joined.")


# From a button: in private


async def test_long_answers_and_pictures_go_to_the_private_chat(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    for reply in (Reply(text=LONG), Reply(text="Your hand", picture=PICTURE, secret=True), menu(LONG, "a")):
        host.replies["it:1"] = reply
        answer = await anna.presses("Press", board)
        assert answer == Answer("Ich habe dir privat geschrieben.")
        assert anna.private().newest().text == reply.text.strip()
    assert len(hall.said()) == 1
    assert anna.sounds() == [], "private answers are silent"


async def test_without_a_private_chat_the_answer_is_a_link_that_presses_again(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    host.replies["it:1"] = Reply(text="Your hand: 3 and 4", picture=PICTURE, secret=True)
    answer = await anna.presses("Press", board)
    assert answer.url.startswith("https://t.me/kaleido_bot?start=")
    assert "it:1" not in answer.url
    await anna.follows(answer.url)
    message = await anna.private().shows("3 and 4")
    assert message.picture is not None
    assert [message.text for message in hall.said()] == ["Kabooom!\nYour turn"]


async def test_a_button_for_the_private_chat_leads_there_and_is_pressed_there(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["it:1"] = Reply(text="Only in our private chat.", role=Role.ALONE)
    answer = await anna.presses("Press", board)
    assert answer.url.startswith("https://t.me/kaleido_bot?start=")
    host.replies["it:1"] = Reply(text="Done.")
    await anna.follows(answer.url)
    await anna.private().shows("Done.")
    assert len(hall.said()) == 1


@pytest.mark.parametrize("opens", [True, False])
async def test_a_wrong_move_in_talk_is_answered_in_private_or_not_at_all(
    host: Listener, hall: Group, board: Message, opens: bool
) -> None:
    anna = hall.members[0]
    if opens:
        await anna.opens()
    host.replies["b3 z9"] = Reply(text="There is no z9.")
    await anna.types("b3 z9", hall, quoting=board)
    await hall.telegram.until(lambda: len(host.updates) > opens or None)
    await hall.telegram.handled()
    assert hall.said() == [board]
    assert [message.text for message in anna.private().said()][-1:] == ["There is no z9."] * opens


async def test_a_person_who_blocked_the_bot_gets_the_link_too(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    anna.private().blocked = True
    host.replies["it:1"] = Reply(text=LONG)
    assert (await anna.presses("Press", board)).url


async def test_a_payload_too_long_for_a_link_opens_the_chat_only(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    payload = "menu:" + "x" * 59
    await chat.post(hall.place, Post(text="x", rows=((Button("Long", payload),),)), "n1")
    host.replies[payload] = Reply(text=LONG)
    answer = await hall.members[0].presses("Long", hall)
    assert answer.url == "https://t.me/kaleido_bot?start=0"


# From a button: menus


async def test_a_menu_takes_the_place_of_the_buttons_under_a_board(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    host.replies |= {"it:1": menu("Which stone?", "b3", "c4"), "b3:1": menu("Where to?", "d5")}
    assert await anna.presses("Press", board) == Answer("Which stone?")
    await hall.offers("b3")
    assert (board.text, board.labels) == ("Kabooom!\nYour turn", [["b3", "c4"]])
    assert await anna.presses("b3", board) == Answer("Where to?")
    await hall.offers("d5")
    assert (len(hall.said()), board.picture is not None) == (1, True)


async def test_the_question_before_something_grave_stays_until_it_is_closed(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    buttons = (Button("Yes", "yes:1", Style.DANGER), Button("No", "no:1"))
    host.replies["it:1"] = Reply(text="Really resign?", rows=(buttons,), role=Role.MENU)
    assert await hall.members[0].presses("Press", board) == Answer("Really resign?", alert=True)
    assert (await hall.offers("Yes")).key("Yes").style == "danger"


async def test_a_menu_that_ends_leaves_the_board_as_it_is(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    host.replies["it:1"] = menu("So far: b3 c4")
    assert await hall.members[0].presses("Press", board) == Answer("So far: b3 c4", alert=True)
    assert board.flat == ["Press", "X"]


async def test_a_secret_menu_goes_to_the_private_chat_and_goes_on_there(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies |= {"it:1": menu("Which card?", "seven", secret=True), "seven:1": menu("On which?", "b3", secret=True)}
    await anna.presses("Press", board)
    message = await anna.private().shows("Which card?")
    await anna.presses("seven", message)
    assert (message.text, message.flat, len(anna.private().said())) == ("On which?", ["b3"], 1)
    assert board.flat == ["Press", "X"]


async def test_a_menu_of_pages_with_and_without_pictures_turns_in_private(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies |= {
        "it:1": menu("Page 1", "two", picture=PICTURE),
        "two:1": menu("Page 2", "three", picture=OTHER_PICTURE),
        "three:1": menu("Page 3", "one"),
        "one:1": menu("Page 1 again", "two", picture=PICTURE),
    }
    await anna.presses("Press", board)
    private = anna.private()
    for page, label, pictured in (("Page 2", "two", True), ("Page 3", "three", False), ("Page 1 again", "one", True)):
        await anna.presses(label, private)
        newest = private.newest()
        assert (newest.text, newest.picture is not None, len(private.said())) == (page, pictured, 1)


async def test_a_menu_that_grows_out_of_ones_own_view_keeps_its_picture(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    view = Reply(text="My side", picture=PICTURE, rows=((Button("Move", "move:1"),),))
    host.replies |= {"it:1": view, "move:1": menu("Which stone?", "b3"), "b3:1": menu("Where to?", "c4")}
    await anna.presses("Press", board)
    await anna.presses("Move", anna.private())
    await anna.presses("b3", anna.private())
    (message,) = anna.private().said()
    assert (message.text, message.flat, message.picture is not None) == ("Where to?", ["c4"], True)


async def test_a_menu_from_my_view_loses_its_buttons_when_done(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    view = Reply(text="My side", picture=PICTURE, rows=((Button("Move", "move:1"),),))
    step = Reply(text="Which stone?", rows=((Button("b3", "play:t:1.0"),),), role=Role.MENU)
    host.replies |= {"it:1": view, "move:1": step, "play:t:1.0": Reply(text="Played b3.", role=Role.TOAST)}
    await anna.presses("Press", board)
    await anna.presses("Move", anna.private())
    assert await anna.presses("b3", anna.private()) == Answer("Played b3.")
    (message,) = anna.private().said()
    await telegram.until(lambda: message.flat == [] or None, "the buttons go")
    assert message.picture is not None


async def test_in_private_a_menu_under_a_board_changes_the_buttons_only(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    await chat.post(anna.private().place, BOARD, "n1")
    host.replies["it:1"] = menu("Which stone?", "b3", secret=True)
    assert await anna.presses("Press", anna.private()) == Answer("Which stone?")
    message = await anna.private().offers("b3")
    assert message.text == "Kabooom!\nYour turn"


async def test_a_private_menu_goes_on_after_a_restart(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    anna = hall.members[0]
    anna.private().closed = False
    host.replies |= {"/move": menu("Which stone?", "b3"), "b3:1": menu("Where to?", "c4")}
    first = await opened()
    await anna.types("/move", hall)
    await anna.types("/move")
    here, there = await hall.shows("Which stone?"), await anna.private().shows("Which stone?")
    await first.stop()
    await opened()
    for message in (here, there):
        await anna.presses("b3", message)
        assert (message.text, message.flat) == ("Where to?", ["c4"])


async def test_a_menu_with_selects_does_not_change_the_public_post(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    def options(chosen: int) -> Reply:
        choices = tuple(Choice(name, f"level:{n}", chosen=n == chosen) for n, name in enumerate(("easy", "hard")))
        rows = (Select("Level", "level", choices), (Button("Done", "close:k3v7"),))
        return Reply(text="As you like it", rows=rows, role=Role.MENU)

    host.replies |= {"it:1": options(0), "level:1": options(1), "close:k3v7": closed("Press")}
    anna = hall.members[0]
    await anna.presses("Press", board)
    message = await hall.offers("easy")
    assert (message.silent, message.quoted, message.labels) == (True, board, [["Level"], ["• easy", "hard"], ["Done"]])
    await anna.presses("hard", message)
    assert message.labels == [["Level"], ["easy", "• hard"], ["Done"]]
    await anna.presses("Done", message)
    assert (message.deleted, board.flat) == (True, ["Press", "X"])


async def test_a_menu_that_is_closed_or_done_with_goes(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    host.replies |= {
        "/move": Reply(
            text="Which stone?",
            role=Role.MENU,
            rows=((Button("b3", "play:k3v7:1.0"), Button("·", "none:k3v7"), Button("✕", "close:k3v7")),),
        ),
        "none:k3v7": Reply(role=Role.NOTHING),
        "play:k3v7:1.0": Reply(text="Played b3.", role=Role.TOAST),
        "close:k3v7": closed("Move"),
    }
    anna = hall.members[0]
    for label in ("·", "b3", "✕"):
        menus = len(hall.messages)
        await anna.types("/move", hall)
        await said(hall, menus + 2)
        await anna.presses(label, hall)
    await telegram.until(lambda: len(telegram.asked("deleteMessage")) == 2 or None)
    assert [message.deleted for message in hall.messages if message.by is None] == [False, True, True]


async def test_a_menu_with_nothing_but_closing_is_a_box(host: Listener, hall: Group, board: Message) -> None:
    done = Button("Done", "close:k3v7")
    host.replies["it:1"] = Reply(text="Anna chooses.", rows=((done,),), role=Role.MENU)
    assert await hall.members[1].presses("Press", board) == Answer("Anna chooses.", alert=True)
    assert board.flat == ["Press", "X"]


async def test_in_a_topic_a_board_is_no_menu(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    games = hall.topic("Games")
    await chat.post(games.place, BOARD, "n1")
    host.replies["it:1"] = menu("Which stone?", "b3")
    await hall.members[0].presses("Press", games)
    message = await games.offers("b3")
    assert message.text == "Kabooom!\nYour turn"


# Typed


async def test_a_private_command_is_answered_there(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    for role in (role for role in Role if role is not Role.NOTHING):
        host.replies["/help"] = Reply(text=f"A {role} with <b>", role=role)
        await anna.types("/help")
        assert (await anna.private().shows(f"A {role} with <b>")).silent


async def test_a_menu_asked_for_in_a_group_is_a_silent_answer_there(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    host.replies["/move"] = menu("Which stone?", "b3")
    asked = await hall.members[0].types("/move", hall)
    message = await hall.shows("Which stone?")
    assert (message.silent, message.quoted) == (True, asked)


async def test_a_note_about_a_group_command_goes_to_the_private_chat(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies |= {"/move x9": Reply(text="There is no x9."), "/move": menu("Which card?", "seven", secret=True)}
    await anna.types("/move x9", hall)
    await anna.private().shows("There is no x9.")
    await anna.types("/move", hall)
    await anna.private().shows("Which card?")
    assert hall.said() == []


async def test_without_a_private_chat_the_group_shows_a_link_and_the_answer_is_kept(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    host.replies |= {"/move x9": Reply(text="There is no x9."), "opened": Reply(text="Hello!")}
    asked = await anna.types("/move x9", hall)
    hint = await hall.shows("Ich habe eine Antwort nur für dich")
    assert (hint.silent, hint.quoted) == (True, asked)
    await anna.follows(hint.key("Unseren Chat öffnen").url)
    await anna.private().shows("There is no x9.")
    await anna.types("/start")
    await anna.private().shows("Hello!")
    assert host.said == ["/move x9", "opened"], "what was typed is not done a second time"


async def test_a_toast_about_a_group_command_is_not_shown(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies |= {"/move b3": Reply(text="Played b3.", role=Role.TOAST), "/help": Reply(text="Help!")}
    await anna.types("/move b3", hall)
    await anna.types("/help", hall)
    await anna.private().shows("Help!")
    assert not any("Played" in message.text for message in anna.private().said() + hall.said())


# Troubles


async def test_an_answer_is_tried_again_a_few_times(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    anna.private().closed = False
    host.replies["/help"] = Reply(text="Help!")
    telegram.fails("sendMessage")
    await anna.types("/help")
    await anna.private().shows("Help!")


async def test_a_private_move_is_answered_with_the_other_waiting_games(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    anna.private().closed = False
    way = Button("Kabooom! ↗", link=f"https://t.me/c/{-hall.id - 10**12}/{board.number}")
    host.replies["/move b1"] = Reply(text="Played: b1", role=Role.TOAST, links=(way,))
    await anna.types("/move b1")
    said = await anna.private().shows("Played: b1")
    assert [(key.text, key.url) for row in said.keys for key in row] == [(way.label, way.link)]


async def test_an_answer_too_long_for_a_toast_replaces_its_menu(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    anna.private().closed = False
    way = Button("Kabooom! ↗", link=f"https://t.me/c/{-hall.id - 10**12}/{board.number}")
    host.replies["/move"] = menu("Which stone?", "it")
    await anna.types("/move")
    asked = await anna.private().shows("Which stone?")
    host.replies["it:1"] = Reply(text="Played: " + "b1 → c1, " * 25, role=Role.TOAST, links=(way,))
    assert await anna.presses("it", anna.private()) == Answer()
    said = await anna.private().shows("Played: b1")
    assert [(key.text, key.url) for row in said.keys for key in row] == [(way.label, way.link)]
    await telegram.until(lambda: asked.deleted or None, "the menu is gone")


async def test_the_answer_to_a_press_is_given_again_when_telegram_has_had_its_pause(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    host.replies["it:1"] = Reply(text="Not yet.")
    telegram.pauses("answerCallbackQuery", times=3)
    assert (await hall.members[0].presses("Press", board)).text == "Not yet."


async def test_a_closed_private_chat_is_not_tried_again_until_it_opens(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    host.replies["it:1"] = Reply(text="Your hand: 3 and 4", picture=PICTURE, secret=True)
    for _ in range(3):
        answer = await anna.presses("Press", board)
        assert answer.url
    assert [call.method for call in telegram.calls if call.chat == anna.id] == ["sendPhoto"]
    await anna.follows(answer.url)
    await anna.private().shows("3 and 4")
    assert not (await anna.presses("Press", board)).url
    await telegram.until(lambda: len(anna.private().said()) == 2 or None, "it is open")


async def test_who_presses_again_and_again_gets_the_newest_answer_and_older_ones_give_way(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PRESS_WAIT_S", 60.0)
    chat = await opened(pace=Pace(chat=Quota(1, 3.0)))
    await chat.post(
        hall.place, replace(BOARD, rows=(tuple(Button(letter, f"{letter}:1") for letter in "abcde"),)), "n1"
    )
    anna = hall.members[0]
    anna.private().closed = False
    for letter in "abcde":
        host.replies[f"{letter}:1"] = Reply(text=f"View {letter}", picture=PICTURE)
    taps = [anna.taps_on(letter, hall.newest()) for letter in "abcde"]
    for tap in taps:
        await tap.answered()
    assert [item.text for item in anna.private().said()] == ["View a", "View e"]


async def test_the_link_to_an_answer_is_sent_to_rate_limited_groups_too(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PRESS_WAIT_S", 0.05)  # a person who presses would not wait so long
    chat = await opened(pace=Pace(group=Quota(1, 0.5)))
    host.replies["/help"] = Reply(text="Help!", secret=True)
    await chat.post(hall.place, BOARD, "n1")
    for person in hall.members:
        await person.types("/help", hall)
    await telegram.until(lambda: len(hall.said()) == 3 or None, "each of them has a link")


async def test_a_typed_command_is_answered_despite_a_long_queue(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PRESS_WAIT_S", 0.05)
    await opened(pace=Pace(chat=Quota(1, 0.3)))
    anna = hall.members[0]
    anna.private().closed = False
    for number in range(6):
        host.replies[f"/move {number}"] = Reply(text=f"Not {number}")
        await anna.types(f"/move {number}", hall)
    await anna.private().shows("Not 5")
    assert [message.text for message in anna.private().said()] == [f"Not {number}" for number in range(6)]


async def test_a_private_command_is_answered_despite_a_long_queue(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PRESS_WAIT_S", 0.05)
    await opened(pace=Pace(chat=Quota(1, 0.3)))
    anna = hall.members[0]
    await anna.opens()
    for number in range(3):
        host.replies[f"/move {number}"] = Reply(text=f"Not {number}")
        await anna.types(f"/move {number}", anna.private())
    await anna.private().shows("Not 2")


async def test_a_limited_group_gets_boards_then_answers_then_cleanup(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, lanes, lines = HandClock(), list[Lanes](), list[str]()

    def by_hand(pace: Pace) -> Lanes:
        lanes.append(Lanes(pace, clock.monotonic, clock.sleep))
        return lanes[0]

    monkeypatch.setattr(telegram_chat, "Lanes", by_hand)
    chat = await opened(pace=Pace(group=Quota(1, 2)))

    async def waits(need: Priority) -> None:
        await chat.wait_for_quota(hall.place, need)
        lines.append(f"{need.name} after {len(hall.said())}")
        await chat.post(hall.place, BOARD, need.name)

    await chat.post(hall.place, BOARD, "n1")
    host.replies["/move"] = menu("Which stone?", "b3")
    await hall.members[0].types("/move", hall)
    await hall.members[1].types("/move", hall)
    await telegram.until(lambda: len(host.said) == 2 or None, "both are asked for")
    rooms = [asyncio.create_task(waits(need)) for need in (Priority.TIDYING, Priority.REMINDER, Priority.BOARD)]
    while len(lanes[0].waiting) < 5:
        await asyncio.sleep(0.01)
    while not all(room.done() for room in rooms):
        await clock.advance(timedelta(seconds=1))
        await asyncio.sleep(0.01)
    await asyncio.gather(*rooms)
    assert lines == ["BOARD after 1", "REMINDER after 4", "TIDYING after 5"]


@pytest.mark.parametrize("way", ["typed", "pressed"])
async def test_a_crowd_in_one_group_delays_no_other_group(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, way: str
) -> None:
    """Private answers share the bot's global limit, and the places of their requests take turns."""
    chat = await opened(pace=Pace(overall=Quota(1, 0.8), chat=Quota(1000, 0.0), group=Quota(1000, 0.0)))
    crowd = [telegram.person(f"Guest {number}") for number in range(12)]
    ball, attic = telegram.group("Ball", *crowd), telegram.group("Attic", zoe := telegram.person("Zoe"))
    for place in (ball, attic):
        await chat.post(place.place, BOARD, place.place)
    for person in (*crowd, zoe):
        person.private().closed = False
    host.replies |= {"/move x9": Reply(text="There is no x9."), "it:1": Reply(text=LONG)}

    async def asks(person: Person, place: Group) -> None:
        if way == "pressed":
            person.taps_on("Press", place)
        else:
            await person.types("/move x9", place)

    for person in crowd:
        await asks(person, ball)
    await telegram.until(lambda: len(host.said) == len(crowd) or None, "the crowd has asked")
    await asks(zoe, attic)
    await telegram.until(lambda: zoe.private().said() or None, "Zoe has her answer")
    assert sum(bool(person.private().said()) for person in crowd) < 10


@pytest.mark.parametrize("trouble", ["away", "pause"])
async def test_typed_commands_are_answered_late_after_an_outage(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setattr(answers, "TYPED", Retry(tries=12, first_s=0.01, longest_s=0.2))  # minutes, in truth
    await opened()
    anna = hall.members[0]
    await anna.opens()
    if trouble == "away":
        telegram.fails("sendMessage", times=5)
    else:
        telegram.floods(anna.private(), seconds=1)
    host.replies["/move 1"] = Reply(text="Not that")
    await anna.types("/move 1", hall)
    await anna.private().shows("Not that")


async def test_a_press_that_cannot_be_answered_for_now_says_so(
    telegram: Telegram, host: Listener, hall: Group, board: Message
) -> None:
    anna = hall.members[0]
    await anna.opens()
    telegram.floods(anna.private(), seconds=60)
    host.replies["it:1"] = Reply(text=LONG)
    answer = await anna.presses("Press", board)
    assert answer == Answer("Telegram bremst mich gerade aus. Versuche es bitte gleich noch einmal.", alert=True)
    host.replies["it:1"] = Reply(text="Short")
    assert (await anna.presses("Press", board)).text == "Short", "answers to presses wait in no queue"


# --- Fading replies


async def test_a_post_shows_its_offers_and_an_equal_menu_changes_nothing(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    offers = ((Button("b3", "play:1"), Button("c4", "play:2")),)
    await chat.post(hall.place, replace(BOARD, offers=offers), "n1")
    board = hall.newest()
    assert board.flat == ["b3", "c4"]
    host.replies["play:1"] = replace(menu("Which now?", "d5"), role=Role.OFFERED_MENU)
    assert (await hall.members[0].presses("b3", board)).text == "Which now?"
    await telegram.handled()
    assert (board.edits, board.flat) == (0, ["b3", "c4"])
    await chat.edit(hall.place, addresses.message_id(Addressed(board.number, Form.PHOTO)), BOARD)
    assert board.flat == ["Press", "X"]


async def test_a_fading_reply_is_no_group_message_and_is_reported(
    telegram: Telegram, host: Listener, hall: Group, board: Message, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["/move"] = replace(menu("Which?", "Press"), expires=Expiry("k:1", is_strict=True))
    await anna.types("/move", hall)
    shown = await anna.private().shows("Which?")
    host.replies["Press:1"] = replace(menu("And which now?", "Press"), expires=Expiry("k:1", is_strict=True))
    await anna.presses("Press", shown)
    await telegram.until(lambda: shown.edits or None, "the menu goes on")
    await telegram.until(lambda: len(host.showings) == 2 or None, "the host is told")
    (answer,) = set(host.showings)
    assert answer[:2] == ("k:1", anna.private().place)
    assert hall.said() == [board]
    await chat.remove(*answer[1:], MessagePart.WHOLE)
    assert shown.deleted


async def test_a_private_menu_becomes_the_board_until_the_turn_is_over(
    telegram: Telegram, host: Listener, hall: Group, board: Message, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.opens()
    host.replies["/move"] = replace(menu("Which?", "b3"), expires=Expiry("k:1"))
    await anna.types("/move", anna.private())
    shown = await anna.private().shows("Which?")
    host.replies["b3:1"] = Reply(text="Played: b3", role=Role.TOAST, expires=Expiry("k:2", board=PICTURE))
    assert await anna.presses("b3", shown) == Answer("Played: b3")
    became = await anna.private().shows("Played: b3")
    assert (became.picture is not None, became.flat) == (True, [])
    await telegram.until(lambda: len(host.showings) == 2 or None, "the host is told")
    await chat.remove(*host.showings[-1][1:], MessagePart.WHOLE)
    assert became.deleted


async def test_under_a_post_a_menu_that_must_not_stay_goes_with_the_post(
    host: Listener, hall: Group, board: Message
) -> None:
    host.replies["it:1"] = replace(menu("Which?", "b3"), expires=Expiry("k:1", is_strict=True))
    await hall.members[0].presses("Press", board)
    await hall.offers("b3")
    assert host.showings == []
