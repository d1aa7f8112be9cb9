"""Public posts, and refusals by Discord."""

import contextlib

import pytest

import texts
from bot.chat import (
    Button,
    Call,
    Chat,
    Gone,
    Membership,
    MessagePart,
    NoReplyWindow,
    Person,
    PersonId,
    Place,
    PlaceGone,
    PlaceId,
    Post,
    PublicPicture,
    Refused,
    Reply,
    Role,
    Style,
    TryLater,
    Update,
)
from tests.bot.adapters.on_discord.conftest import BOARD, FILM, PNG, RECORD, House, place, running
from tests.emulators import discord as emulator
from tests.emulators.discord import Broken, Channel, Discord, Dropped, Interaction

# Posting


async def test_a_post_pings_one_person_only(chat: Chat, discord: Discord, hall: Channel) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await chat.post(
        place(hall),
        Post(
            title="Kabooom!",
            text=f"Ben ate a rock. <@{ben.id}> @everyone",
            picture=BOARD,
            rows=((Button("Move", "menu:k", Style.MAIN), Button("End", "end:k", Style.DANGER)),),
            call=Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn. *now*"),
        ),
        "k-7",
    )
    board = hall.newest()
    assert board.content == (
        f"**Kabooom!**\nBen ate a rock. \\<@{ben.id}> @\u200beveryone\n<@{anna.id}>, it is your turn. \\*now\\*"
    )
    assert (board.alt, board.attachments[0].content, board.attachments[0].name) == (BOARD.alt, PNG, "board.png")
    assert [part["style"] for part in board.parts] == [1, 4]
    assert (anna.pings, ben.pings) == (1, 0)
    assert board.flags == 4, "links in texts open no previews"


async def test_small_print_is_below_the_text_and_above_the_call(chat: Chat, discord: Discord, hall: Channel) -> None:
    anna = discord.person("Anna", hall)
    call = Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn.")
    await chat.post(place(hall), Post(text="The game begins.", small="Sealed:\n0123…", call=call), "k-7")
    assert hall.newest().content == f"The game begins.\n-# Sealed:\n-# 0123…\n<@{anna.id}>, it is your turn."


async def test_a_film_and_a_record_go_along_as_attachments(chat: Chat, hall: Channel) -> None:
    await chat.post(place(hall), Post(text="The film", file=FILM), "k-1")
    await chat.post(place(hall), Post(file=RECORD), "k-2")
    attached = [message.attachments[0] for message in hall.public]
    assert [(attachment.name, attachment.content, attachment.alt) for attachment in attached] == [
        ("film.gif", b"GIF89a...", "Three moves"),
        ("record.json", b"{}", "A record"),
    ]
    assert [attachment.payload()["content_type"] for attachment in attached] == ["image/gif", "application/json"]


async def test_a_post_of_words_becomes_a_film(chat: Chat, hall: Channel) -> None:
    message = await chat.post(place(hall), Post(text="10 %"), "k-1")
    await chat.edit(place(hall), message, Post(text="The film", file=FILM))
    (shown,) = hall.public
    assert (shown.text, shown.attachments[0].content) == ("The film", FILM.content)


async def test_a_file_in_an_answer_is_for_that_person_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", at=hall)
    house.says = Reply(text="Here it is", file=RECORD)
    done = await anna.types("/board")
    said = await done.answered()
    assert (said.reader, said.attachments[0].content) == (anna, b"{}")


async def test_the_same_nonce_is_the_same_message(chat: Chat, hall: Channel) -> None:
    first = await chat.post(place(hall), Post(text="Board"), "k3v7qpm2xa-17")
    again = await chat.post(place(hall), Post(text="Board"), "k3v7qpm2xa-17")
    assert first == again
    await hall.counts(1)


async def test_a_post_whose_answer_is_lost_is_not_doubled(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", Dropped(done=True))
    with pytest.raises(TryLater):
        await chat.post(place(hall), Post(text="Board", picture=BOARD), "k-1")
    await chat.post(place(hall), Post(text="Board", picture=BOARD), "k-1")
    await hall.counts(1)


async def test_an_edit_replaces_picture_and_buttons_without_a_ping(chat: Chat, discord: Discord, hall: Channel) -> None:
    anna = discord.person("Anna", hall)
    call = Call(Person(PersonId(anna.account), "Anna"), "{person}: your turn")
    board = Post(text="old", picture=BOARD, rows=((Button("Move", "menu:k"),),), call=call)
    message = await chat.post(place(hall), board, "k-1")
    for text in ("new", "new"):
        await chat.edit(place(hall), message, Post(text=text, picture=PublicPicture(PNG + b"2", "two"), call=call))
    shown = hall.newest()
    assert shown.text.startswith("new")
    assert [attachment.content for attachment in shown.attachments] == [PNG + b"2"]
    assert shown.rows == []
    assert anna.pings == 1
    await chat.edit(place(hall), message, Post(text="bare"))
    assert shown.attachments == []


async def test_buttons_are_taken_away_and_the_rest_stays(chat: Chat, hall: Channel) -> None:
    board = Post(text="board", picture=BOARD, rows=((Button("Move", "menu:k"),),))
    message = await chat.post(place(hall), board, "k-1")
    await chat.remove(place(hall), message, MessagePart.BUTTONS)
    shown = hall.newest()
    assert (shown.text, shown.rows, shown.alt) == ("board", [], BOARD.alt)


async def test_people_see_that_something_is_being_written(chat: Chat, discord: Discord, hall: Channel) -> None:
    await chat.show_typing(place(hall))
    assert discord.requests[-1] == f"POST /channels/{hall.id}/typing"
    with pytest.raises(PlaceGone):
        await chat.show_typing(PlaceId("discord:1"))


async def test_deleting_a_deleted_message_is_harmless(chat: Chat, hall: Channel) -> None:
    message = await chat.post(place(hall), Post(text="board"), "k-1")
    await chat.remove(place(hall), message, MessagePart.WHOLE)
    assert hall.public == []
    await chat.remove(place(hall), message, MessagePart.WHOLE)
    with pytest.raises(Gone):
        await chat.edit(place(hall), message, Post(text="board"))
    with pytest.raises(Gone):
        await chat.remove(place(hall), message, MessagePart.BUTTONS)


# --- Refusals by the platform


async def test_missing_permissions_are_refused(chat: Chat, discord: Discord, hall: Channel) -> None:
    message = await chat.post(place(hall), Post(text="board"), "n1")
    hall.allowed = emulator.world.VIEW_CHANNEL | emulator.world.SEND_MESSAGES
    with pytest.raises(Refused, match="missing permissions"):
        await chat.post(place(hall), Post(text="board", picture=BOARD), "n2")
    hall.allowed = 0
    with pytest.raises(Refused, match="missing access"):
        await chat.edit(place(hall), message, Post(text="new"))
    await hall.disappears()
    with pytest.raises(Refused, match="unknown channel"):
        await chat.post(place(hall), Post(text="board"), "n3")
    thread = discord.thread("old", discord.channel("other"))
    message = await chat.post(place(thread), Post(text="board"), "n4")
    thread.archived = True
    with pytest.raises(Refused, match="archived"):
        await chat.edit(place(thread), message, Post(text="board"))
    thread.locked = True
    with pytest.raises(Refused, match="locked"):
        await chat.post(place(thread), Post(text="board"), "n5")


async def test_a_command_in_a_place_without_rights_names_the_missing_ones(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    hall.allowed = emulator.world.VIEW_CHANNEL
    done = await anna.types("/newgame", game="kabooom")
    assert done.answer is not None
    assert "Send Messages, Attach Files." in done.answer.text
    thread = discord.thread("talk", hall)
    thread.allowed = emulator.world.INVITED & ~emulator.world.SEND_MESSAGES_IN_THREADS
    anna.goes_to(thread)
    house.says = Reply(text="The rules")
    done = await anna.types("/rules")
    assert done.answer is not None
    assert done.answer.text.startswith("The rules\n\nI can't post")
    assert done.answer.text.endswith(": Send Messages in Threads.")


async def test_what_cannot_be_posted_is_not_promised(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Here's the board.", role=Role.PROMISE)
    done = await anna.types("/board")
    assert done.answer is not None
    assert done.answer.text == "Here's the board."
    hall.allowed = emulator.world.VIEW_CHANNEL
    done = await anna.types("/board")
    assert done.answer is not None
    assert done.answer.text.startswith("I can't post in this channel.")


@pytest.mark.parametrize("code", [50007, 50278])
async def test_the_answer_reports_a_private_chat_that_refuses_posts(
    chat: Chat, discord: Discord, house: House, code: int
) -> None:
    anna = discord.person("Anna", discord.channel("hall"))
    anna.goes_to(anna.direct())
    anna.at.closed = code

    async def show(update: Update) -> Reply:
        with contextlib.suppress(Refused):
            await chat.post(place(anna.at), Post(text="board"), str(update.id)[-20:])
        return Reply(text="Here's the board.", role=Role.PROMISE)

    house.does = show
    done = await anna.types("/board")
    assert done.answer is not None
    assert done.answer.text == texts.say("discord", "closed", "en")
    anna.at.closed = 0
    done = await anna.types("/board")
    assert done.answer is not None
    assert done.answer.text == "Here's the board."
    assert len(anna.at.public) == 1


async def test_a_post_refused_after_the_answer_is_reported_once_in_private(
    chat: Chat, discord: Discord, house: House
) -> None:
    anna = discord.person("Anna", discord.channel("hall"))
    anna.goes_to(anna.direct())
    anna.at.closed = 50278
    house.says = Reply(text="The rules")
    done = await anna.types("/rules")
    await house.storage.settled()
    for nonce in ("n1", "n2"):
        with pytest.raises(Refused, match="this person"):
            await chat.post(place(anna.at), Post(text="board"), nonce)
    (answer,) = done.followups
    assert answer.text == texts.say("discord", "closed", "en")
    assert answer.reader is anna


async def test_a_post_refused_after_the_answer_of_the_next_bot_is_reported(discord: Discord, house: House) -> None:
    anna = discord.person("Anna", discord.channel("hall"))
    anna.goes_to(anna.direct())
    anna.at.closed = 50278
    async with running(discord, house):
        house.gate.clear()
        done = await anna.sends("/rules")
        await house.asked()
    house.gate.set()
    house.says = Reply(text="The rules")
    async with running(discord, house) as chat:
        await house.storage.settled()
        with pytest.raises(Refused, match="this person"):
            await chat.post(place(anna.at), Post(text="board"), "n1")
    (answer,) = done.followups
    assert answer.text == texts.say("discord", "closed", "en")


def text_of(done: Interaction) -> str:
    assert done.answer is not None
    return done.answer.text


async def test_a_visiting_bot_whose_answers_are_hidden_says_so(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    elsewhere = discord.channel("elsewhere", discord.server("Elsewhere", member=False))
    anna = discord.person("Anna", elsewhere, user_installed=True)
    house.says = Reply(text="The rules")
    assert text_of(await anna.types("/rules")) == f"The rules\n\n{texts.say('discord', 'stranger', 'en')}"
    anna.goes_to(discord.group("friends"))
    assert text_of(await anna.types("/rules")) == "The rules"


async def test_a_visiting_bot_posts_in_reply_to_interactions(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    friends = discord.group("friends")
    visited = PlaceId(f"{friends.place}/visit")
    anna = discord.person("Anna", friends, user_installed=True)
    with pytest.raises(NoReplyWindow):
        await chat.post(visited, Post(text="board"), "n1")
    house.says = Reply(text="The rules")
    done = await anna.types("/rules")
    assert house.updates[-1].place == Place(visited, name="friends", name_elsewhere="friends")
    assert house.back == [visited], "what waits for somebody to do something is posted"
    posted = [await chat.post(visited, Post(text=f"board {number}"), f"n{number}") for number in range(5)]
    with pytest.raises(NoReplyWindow):
        await chat.post(visited, Post(text="one too many"), "n6")
    assert await chat.link(visited, posted[0]) == f"https://discord.com/channels/@me/{friends.id}/{posted[0]}"
    await chat.edit(visited, posted[0], Post(text="changed"))
    await chat.remove(visited, posted[1], MessagePart.WHOLE)
    assert [message.text for message in friends.public] == ["changed", "board 2", "board 3", "board 4"]
    done.expires()
    with pytest.raises(Gone):
        await chat.edit(visited, posted[0], Post(text="changed again"))
    with pytest.raises(Refused):
        await chat.remove(visited, posted[2], MessagePart.WHOLE)
    await chat.show_typing(visited)
    assert not [request for request in discord.requests if f"/channels/{friends.id}" in request]


async def test_a_press_edits_its_own_message_for_a_visiting_bot(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    friends = discord.group("friends")
    visited = PlaceId(f"{friends.place}/visit")
    anna, ben = discord.person("Anna", friends, user_installed=True), discord.person("Ben", friends)
    house.says = Reply(text="Open")
    done = await anna.types("/newgame")
    board = await chat.post(visited, Post(text="board", rows=((Button("Move", "menu:k"),),)), "n1")
    done.expires()
    await (await ben.presses("Move")).answered()
    await chat.remove(visited, board, MessagePart.BUTTONS)
    assert (friends.newest().text, friends.newest().rows) == ("board", [])
    await chat.remove(visited, board, MessagePart.WHOLE)
    assert not friends.public


async def test_a_person_who_has_left_the_server_is_found(discord: Discord, hall: Channel, chat: Chat) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    ben.departed = True
    place = PlaceId(hall.place)
    people = [PersonId(anna.account), PersonId(ben.account)]
    assert [await chat.membership(place, person) for person in people] == [Membership.MEMBER, Membership.GONE]
    assert await chat.membership(PlaceId(anna.direct().place), people[0]) is Membership.UNKNOWN
    discord.will("GET", "/members/", Broken(403, 50001))
    with pytest.raises(Refused):
        await chat.membership(place, people[0])
