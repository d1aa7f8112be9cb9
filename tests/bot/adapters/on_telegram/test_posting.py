"""Public posts: posted, edited, stripped, deleted, within Telegram's limits."""

import asyncio
from datetime import timedelta

import msgspec
import pytest
from msgspec.structs import replace
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

import texts
from bot.adapters.on_discord import messages
from bot.adapters.on_telegram import phrasing
from bot.adapters.on_telegram.addresses import Spot
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.sending import undelivered
from bot.chat import (
    Button,
    Call,
    Choice,
    File,
    Gone,
    Limited,
    MessageId,
    MessagePart,
    Moved,
    Obstacle,
    Person,
    PersonId,
    PlaceGone,
    PlaceId,
    Post,
    Priority,
    PublicPicture,
    Refused,
    Select,
    Style,
    TryLater,
    Undelivered,
    Unexplained,
)
from bot.replies import boards
from bot.replies.pages import rules, rules_pages
from bot.tables.deadlines import Stage
from bot.tables.preferences import ON_TIMEOUT
from bot.tables.table import Seat, Table, TableId
from rules import GAMES
from tests.bot.adapters.on_telegram.conftest import FILM, OTHER_PICTURE, PICTURE, RECORD, Open, png
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Attached
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Person as Member

BOARD = Post(
    title="Kabooom!",
    text="Ben moves b3 onto c4.",
    picture=PICTURE,
    rows=((Button("Move", "menu:k3v7", Style.MAIN), Button("My view", "view:k3v7")),),
)


def called(member: Member) -> Call:
    return Call(Person(PersonId(member.person), member.name), "It's your turn, {person}.")


# A post


async def test_a_board_is_a_photo_with_caption_and_buttons(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    await chat.post(hall.place, BOARD, "n1")
    message = hall.newest()
    assert message.text == "Kabooom!\nBen moves b3 onto c4."
    assert [(entity.type, entity.offset, entity.length) for entity in message.entities] == [("bold", 0, 8)]
    assert message.picture is not None
    assert (message.picture.png, message.picture.width) == (PICTURE.png, 40)
    assert message.labels == [["Move", "My view"]]
    assert message.key("Move").style == "primary"


async def test_small_print_is_a_quotation_whose_letters_are_smaller(hall: Group, chat: TelegramChat) -> None:
    await chat.post(hall.place, Post(text="The game begins.", small="Sealed: 0123…"), "n1")
    message = hall.newest()
    assert message.text == "The game begins.\nSealed: 0123…"
    assert [(entity.type, entity.offset, entity.length) for entity in message.entities] == [("blockquote", 17, 13)]


async def test_a_post_without_a_picture_is_a_text(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    await chat.post(hall.place, Post(text="Who plays?"), "n1")
    assert (hall.newest().text, hall.newest().picture) == ("Who plays?", None)


@pytest.mark.parametrize("file", [FILM, RECORD], ids=lambda file: str(file.kind))
async def test_a_post_with_a_file_shows_it(hall: Group, chat: TelegramChat, file: File) -> None:
    message = await chat.post(hall.place, Post(text="Here", file=file), "n1")
    assert hall.newest().file == Attached(file.kind, file.name, file.content)
    assert hall.newest().text == "Here"
    newer = msgspec.structs.replace(file, content=file.content + b"more")
    await chat.edit(hall.place, message, Post(text="Newer", file=newer))
    assert hall.newest().file == Attached(file.kind, file.name, newer.content)
    assert (hall.newest().text, len(hall.said())) == ("Newer", 1)


async def test_other_words_with_the_same_file_send_it_only_once(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    message = await chat.post(hall.place, Post(text="Old", file=FILM), "n1")
    await chat.edit(hall.place, message, Post(text="New", file=FILM))
    assert hall.newest().text == "New"
    assert telegram.asked("editMessageMedia") == []


async def test_a_text_that_would_have_to_become_a_film_goes(hall: Group, chat: TelegramChat) -> None:
    message = await chat.post(hall.place, Post(text="10 %"), "n1")
    with pytest.raises(Gone):
        await chat.edit(hall.place, message, Post(file=FILM))
    assert hall.said() == []


async def test_a_post_in_a_topic_goes_there(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    games = hall.topic("Games")
    await chat.post(games.place, BOARD, "n1")
    assert [message.text for message in games.said()] == ["Kabooom!\nBen moves b3 onto c4."]
    assert hall.said() == []


async def test_a_topic_can_be_opened_in_a_forum_if_the_bot_may(hall: Group, chat: TelegramChat) -> None:
    with pytest.raises(Refused):
        await chat.open_thread(hall.place, "Puzzles")
    hall.topic("Games")
    thread = await chat.open_thread(hall.place, "Puzzles")
    topic = hall.topics[-1]
    assert (thread.place, topic.root.text) == (topic.place, "Puzzles")
    assert thread.link.endswith(f"/{topic.thread}")
    hall.opens_topics = False
    with pytest.raises(Refused):
        await chat.open_thread(hall.place, "More")


async def test_the_called_person_is_pinged_and_no_other(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    anna, ben = hall.members
    cheeky = telegram.person("@ben_the_tall")
    hall.members.append(cheeky)
    reply = Post(title="@ben_the_tall @anna_berg", text="@ben_the_tall moves.", picture=PICTURE, call=called(anna))
    await chat.post(hall.place, reply, "n1")
    await chat.post(hall.place, Post(text="On with it", call=called(cheeky)), "n2")
    assert [len(person.pings()) for person in (anna, ben, cheeky)] == [1, 0, 1]


async def test_a_post_is_silent_unless_it_calls_a_person(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    await chat.post(hall.place, BOARD, "n1")
    assert hall.newest().silent
    await chat.post(hall.place, Post(text="Now", call=called(hall.members[0])), "n2")
    assert not hall.newest().silent


async def test_markup_in_names_and_texts_is_shown_as_it_is(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    odd = telegram.person("</b><a href='x'>&amp;{text}", "\u202e\ud83d")
    call = Call(Person(PersonId(odd.person), odd.name), "{person}: 1 < 2 & {what}")
    await chat.post(hall.place, Post(title="<i>T</i>", text="a < b & </b> &lt;", picture=PICTURE, call=call), "n1")
    first, second, third = hall.newest().text.split("\n")
    assert (first, second) == ("<i>T</i>", "a < b & </b> &lt;")
    assert third == "</b><a href='x'>&amp;{text}: 1 < 2 & {what}"


async def test_a_call_for_a_name_in_hebrew_leaves_the_line_as_it_is(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    anat = telegram.person("\u05e2\u05e0\u05ea")
    call = Call(Person(PersonId(anat.person), anat.name), "{person}: 3 - 1")
    await chat.post(hall.place, Post(text="3 - 1", call=call), "n1")
    assert hall.newest().text.endswith("\n\u2068\u05e2\u05e0\u05ea\u2069: 3 - 1")
    assert hall.newest().pinged() == {anat.id}


async def test_long_texts_are_cut_between_words_and_never_the_call(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    for picture, limit in ((PICTURE, 1024), (None, 4096)):
        reply = Post(title="🎲" * 300, text="word & 🎲 " * 1000, picture=picture, call=called(anna))
        await chat.post(hall.place, reply, f"n{limit}")
        text = hall.newest().text
        assert limit - 40 < len(text.encode("utf-16-le")) // 2 <= limit
        assert text.endswith("…\nIt's your turn, Anna Berg.")
        assert anna.id in hall.newest().pinged()


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_no_page_of_the_rules_is_cut_below_its_picture(game: str, lang: str) -> None:
    for page in range(rules_pages(game)):
        said = rules(game, page, None, lang)
        assert phrasing.html(said, phrasing.CAPTION) == phrasing.html(said, phrasing.TEXT), page


async def test_a_name_of_any_length_leaves_the_call_short(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    call = Call(Person(PersonId("telegram:5"), "🧨" * 400), "{person} " + "plays " * 200)
    await chat.post(hall.place, Post(text="x" * 5000, picture=PICTURE, call=call), "n1")
    assert "🧨…" in hall.newest().text


@pytest.mark.parametrize("late", ON_TIMEOUT.choices)
@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_a_last_reminder_is_complete_with_any_names(game: str, lang: str, late: str) -> None:
    seats = tuple(Seat(PersonId(f"telegram:{number}"), name, lang) for number, name in enumerate(("🧨" * 99, "W" * 99)))
    place, host = PlaceId("telegram:-5"), seats[0].person
    table = Table(
        id=TableId("k3v7qpm2xa"), game=game, place=place, host=host, lang=lang, created_ms=0, seats=seats, interrupted=1
    )
    for stage, clock in ((Stage.LAST, "1d"), (Stage.SILENT, "none")):
        answer = boards.reminder(replace(table, clock=clock, on_timeout=late), 0, stage, timedelta(minutes=164), lang)
        assert answer.call is not None
        for said in (phrasing.html(answer, phrasing.CAPTION), messages.content(answer)):
            assert said.endswith(answer.call.text[-30:])


async def test_a_post_of_nothing_but_buttons_still_has_a_text(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    await chat.post(hall.place, Post(rows=((Button("Join", "join:1"),),)), "n1")
    assert hall.newest().text == "…"


async def test_a_select_is_its_name_and_a_row_of_buttons_with_the_chosen_one_marked(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    level = Select("Level", "o:0", (Choice("easy", "o:0.0", chosen=True), Choice("hard", "o:0.1")))
    await chat.post(hall.place, Post(text="Lobby", rows=(level,)), "n1")
    assert hall.newest().labels == [["Level"], ["• easy", "hard"]]


async def test_several_selects_say_which_is_which(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    rows = tuple(
        Select(name, f"o:{n}", (Choice("yes", f"o:{n}.0", chosen=n == 0), Choice("no", f"o:{n}.1", chosen=n == 1)))
        for n, name in enumerate(("Fog", "Wind"))
    )
    await chat.post(hall.place, Post(text="Lobby", rows=rows), "n1")
    assert hall.newest().labels == [["Fog"], ["• yes", "no"], ["Wind"], ["yes", "• no"]]


async def test_rows_too_wide_for_a_phone_become_several(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    choices = tuple(Choice(f"choice {n}", f"o:{n}") for n in range(25))
    wide = tuple(Button(f"a rather long label {n}", f"b:{n}") for n in range(5))
    short = tuple(Button(f"b{n}", f"c:{n}") for n in range(5))
    await chat.post(hall.place, Post(text="Lobby", rows=(Select("Which", "o", choices), wide, short)), "n1")
    name, few, long = [1], [4] * 6 + [1], [2, 2, 1]
    assert [len(row) for row in hall.newest().labels] == [*name, *few, *long, 5]


async def test_the_same_nonce_again_is_the_same_message(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    first = await chat.post(hall.place, BOARD, "n1")
    assert await chat.post(hall.place, BOARD, "n1") == first
    assert len(hall.said()) == 1


# Changes


async def test_an_edit_of_a_board_changes_picture_caption_and_buttons(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    message = await chat.post(hall.place, BOARD, "n1")
    await chat.edit(hall.place, message, Post(title="Kabooom!", text="Anna wins.", picture=OTHER_PICTURE))
    shown = hall.newest()
    assert shown.picture is not None
    assert (shown.text, shown.picture.png, shown.labels) == ("Kabooom!\nAnna wins.", OTHER_PICTURE.png, [])


async def test_an_edit_that_keeps_the_picture_does_not_send_it_again(
    telegram: Telegram, hall: Group, chat: TelegramChat, opened: Open
) -> None:
    message = await chat.post(hall.place, BOARD, "n1")
    await chat.edit(hall.place, message, Post(title="Kabooom!", text="Ben resigns.", picture=PICTURE))
    assert hall.newest().text == "Kabooom!\nBen resigns."
    assert telegram.asked("editMessageMedia") == []
    after_a_restart = await opened()
    await after_a_restart.edit(hall.place, message, Post(text="Over.", picture=PICTURE))
    assert hall.newest().text == "Over."


async def test_an_edit_of_a_text_changes_text_and_buttons(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    message = await chat.post(hall.place, Post(text="One seat"), "n1")
    await chat.edit(hall.place, message, Post(text="Two seats", rows=((Button("Start", "start:1"),),)))
    assert (hall.newest().text, hall.newest().flat) == ("Two seats", ["Start"])


async def test_an_edit_that_changes_nothing_is_fine(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    message = await chat.post(hall.place, Post(text="One seat"), "n1")
    board = await chat.post(hall.place, BOARD, "n2")
    await chat.edit(hall.place, message, Post(text="One seat"))
    await chat.edit(hall.place, board, BOARD)
    await chat.remove(hall.place, message, MessagePart.BUTTONS)


async def test_a_text_that_should_become_a_photo_is_deleted_and_gone(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    text = await chat.post(hall.place, Post(text="Lobby"), "n1")
    with pytest.raises(Gone):
        await chat.edit(hall.place, text, BOARD)
    board = await chat.post(hall.place, BOARD, "n2")
    with pytest.raises(Gone):
        await chat.edit(hall.place, board, Post(text="Over"))
    assert hall.said() == []


async def test_strip_takes_the_buttons_and_nothing_else(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    message = await chat.post(hall.place, BOARD, "n1")
    await chat.remove(hall.place, message, MessagePart.BUTTONS)
    assert (hall.newest().labels, hall.newest().text) == ([], "Kabooom!\nBen moves b3 onto c4.")


async def test_people_see_that_something_is_being_written(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    await chat.show_typing(hall.place)
    (call,) = telegram.asked("sendChatAction")
    assert call.params["action"] == "typing"
    assert hall.said() == []


async def test_edits_count_as_posts_in_groups_alone(hall: Group, chat: TelegramChat) -> None:
    assert chat.capabilities(hall.place).counts_edits
    assert not chat.capabilities(hall.members[0].private().place).counts_edits


async def test_a_message_that_is_gone(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    message = await chat.post(hall.place, BOARD, "n1")
    await chat.remove(hall.place, message, MessagePart.WHOLE)
    assert hall.said() == []
    await chat.remove(hall.place, message, MessagePart.WHOLE)
    for change in (chat.edit(hall.place, message, BOARD), chat.remove(hall.place, message, MessagePart.BUTTONS)):
        with pytest.raises(Gone):
            await change
    for nonsense in (MessageId("nonsense"), MessageId("")):
        with pytest.raises(Gone):
            await chat.remove(hall.place, nonsense, MessagePart.BUTTONS)
        await chat.remove(hall.place, nonsense, MessagePart.WHOLE)


# Troubles


async def test_a_place_that_the_bot_cannot_write_in_refuses(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    hall.topic("Games")
    for place in (
        PlaceId("telegram:-100999"),
        PlaceId(f"{hall.place}/777"),
        PlaceId("discord:1"),
        PlaceId("telegram:x"),
    ):
        with pytest.raises(Refused):
            await chat.post(place, BOARD, "n1")
    for gone in ("telegram:-100999", f"{hall.place}/777"):
        with pytest.raises(PlaceGone, match="not found"):
            await chat.post(PlaceId(gone), BOARD, "n1")
    hall.throws_the_bot_out()
    with pytest.raises(PlaceGone, match="kicked"):
        await chat.post(hall.place, BOARD, "n1")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (BadRequest("Canceled by new editMessageMedia request"), Unexplained),
        (BadRequest("Can't parse entities: unsupported start tag"), Unexplained),
        (BadRequest("Chat_write_forbidden"), Refused),
        (BadRequest("Not enough rights to send text messages to the chat"), Refused),
        (BadRequest("Topic_closed"), Refused),
        (BadRequest("There is no media in the message to edit"), Gone),
        (Forbidden("Forbidden: bot was blocked by the user"), Refused),
        (InvalidToken("Unauthorized"), TryLater),
    ],
)
def test_only_known_errors_are_refusals_by_the_place(error: TelegramError, kind: type[Undelivered]) -> None:
    assert type(undelivered(error, Spot(1))) is kind


@pytest.mark.parametrize(
    ("error", "obstacle"),
    [
        (BadRequest("Not enough rights to send text messages to the chat"), Obstacle.RIGHTS),
        (BadRequest("Topic_closed"), Obstacle.CLOSED),
        (Forbidden("Forbidden: bot was kicked from the supergroup chat"), Obstacle.GONE),
    ],
)
def test_a_refusal_names_its_reason(error: TelegramError, obstacle: Obstacle) -> None:
    refused = undelivered(error, Spot(-100))
    assert isinstance(refused, Refused)
    assert refused.obstacle is obstacle


async def test_a_private_chat_never_opened_or_blocked_refuses(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    with pytest.raises(Refused, match="initiate"):
        await chat.post(anna.private().place, BOARD, "n1")
    await anna.opens()
    anna.private().blocked = True
    with pytest.raises(Refused, match="blocked"):
        await chat.post(anna.private().place, BOARD, "n1")


async def test_a_group_that_became_a_supergroup_has_moved(telegram: Telegram, chat: TelegramChat) -> None:
    old = telegram.group("Hall", telegram.person("Anna"), kind="group")
    new = old.becomes_supergroup()
    with pytest.raises(Moved) as moved:
        await chat.post(old.place, BOARD, "n1")
    assert moved.value.place == new.place
    await chat.post(moved.value.place, BOARD, "n1")
    assert len(new.said()) == 1


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_an_error_of_the_server_may_be_tried_later(
    telegram: Telegram, hall: Group, chat: TelegramChat, status: int
) -> None:
    telegram.fails("sendPhoto", status)
    with pytest.raises(TryLater) as later:
        await chat.post(hall.place, BOARD, "n1")
    assert later.value.after_s is None
    await chat.post(hall.place, BOARD, "n1")
    assert len(hall.said()) == 1


@pytest.mark.parametrize("after", [False, True])
async def test_a_lost_connection_may_be_tried_later(
    telegram: Telegram, hall: Group, chat: TelegramChat, after: bool
) -> None:
    telegram.drops("sendPhoto", after=after)
    with pytest.raises(TryLater):
        await chat.post(hall.place, BOARD, "n1")
    await chat.post(hall.place, BOARD, "n1")
    assert len(hall.said()) == 1 + after, "Telegram knows no nonces: what was sent unheard is there twice"


async def test_too_many_requests_hold_up_that_chat_and_no_other(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    other = telegram.group("Other", hall.members[0])
    telegram.floods(hall, seconds=30)
    with pytest.raises(Limited) as later:
        await chat.post(hall.place, BOARD, "n1")
    assert later.value.after_s is not None
    assert 29 < later.value.after_s <= 30
    waiting = [
        asyncio.create_task(chat.post(hall.place, BOARD, "n2")),
        asyncio.create_task(chat.wait_for_quota(hall.place, Priority.BOARD)),
    ]
    await asyncio.gather(*(chat.post(other.place, BOARD, f"n{n}") for n in range(3, 6)))
    assert len(other.said()) == 3
    assert not any(task.done() for task in waiting), "it is not even asked again before the time"
    assert hall.impatient == 0
    for task in waiting:
        task.cancel()


async def test_a_flooded_chat_takes_messages_again_after_its_time(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    telegram.floods(hall, seconds=1)
    with pytest.raises(TryLater):
        await chat.post(hall.place, BOARD, "n1")
    await chat.post(hall.place, BOARD, "n2")  # the wait is short, so the queue waits it out
    assert (len(hall.said()), hall.impatient) == (1, 0)


async def test_a_picture_as_large_as_telegram_takes(telegram: Telegram, hall: Group, chat: TelegramChat) -> None:
    await chat.post(hall.place, Post(picture=PublicPicture(png(1000, 800), "")), "n1")
    shown = hall.newest().picture
    assert shown is not None
    assert (shown.width, shown.height, hall.newest().text) == (1000, 800, "")


async def test_nothing_but_undelivered_is_raised_after_the_bot_stopped(
    telegram: Telegram, hall: Group, chat: TelegramChat
) -> None:
    await chat.stop()
    with pytest.raises(TryLater):
        await chat.post(hall.place, BOARD, "n1")
