"""People's actions on Telegram become updates: once, in order, and not lost if the bot dies."""

import asyncio
import json
import re

import aiohttp
import pytest
from telegram import Bot
from telegram import Update as Raw

from bot.adapters.on_telegram import incoming
from bot.adapters.on_telegram.chat import CONFIRM_S, TelegramChat
from bot.adapters.on_telegram.polling import Polling
from bot.chat import (
    Button,
    Membership,
    Person,
    PersonId,
    Place,
    PlainMessage,
    Post,
    Press,
    Reception,
    Reply,
    ThreadAccess,
    Typed,
)
from tests.bot.adapters.on_telegram.conftest import COMMANDS, Listener, Open
from tests.bot.conftest import within
from tests.bot.servers import free_port
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group

BUTTONS = Post(text="Choose", rows=((Button("One", "one:1"), Button("End", "end:k3v7")),))


# --- The contents of an update


async def test_a_typed_command_becomes_an_update(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.types("/move b3 c4", hall)
    await telegram.handled()
    (update,) = host.updates
    assert update.body == Typed("/move b3 c4")
    assert update.person == Person(PersonId(f"telegram:{anna.id}"), "Anna Berg", "de", anna.username)
    assert (update.place.id, update.place.private, update.place.lang) == (f"telegram:{hall.id}", False, None)
    assert re.fullmatch(r"telegram:\d+", update.id)


async def test_a_command_may_name_the_bot_in_any_case(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    await hall.members[0].types("/MOVE@Kaleido_Bot   b3 c4", hall)
    await hall.members[0].types("/move\nb3", hall)
    await hall.members[0].types("/something@kaleido_bot", hall)
    await telegram.handled()
    assert host.said == ["/move b3 c4", "/move b3", "/something"]


async def test_commands_for_others_captions_edits_forwards_and_talk_are_no_updates(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    telegram.sees_all = True
    anna, ben = hall.members
    await anna.types("/move@another_bot b3", hall)
    await anna.types("/unknown", hall)
    await anna.types("what a nice board", hall)
    await anna.shows_photo("/move b3", hall)
    await ben.shows_photo("/move b3", ben.private())
    message = await anna.types("/move b3 c4", hall)
    await anna.edits(message, "/move b3 c5")
    await ben.forwards(message, hall)
    await ben.types("/help", hall)
    await telegram.handled()
    assert host.said == ["/move b3 c4", "/help"]


async def test_what_another_bot_wrote_in_somebodys_name_is_no_update(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    """A person who taps another bot's inline result did not see that it resigns, for example."""
    telegram.sees_all = True
    anna, _ = hall.members
    await chat.post(hall.place, Post(text="The board"), "n1")
    for where in (hall, anna.private()):
        await anna.lets_a_bot_say("/resign", where)
    await anna.lets_a_bot_say("b3-c4", hall, quoting=hall.newest())
    await anna.types("/help", hall)
    await telegram.handled()
    assert host.said == ["/help"]


async def test_an_answer_to_a_post_of_the_bot_may_be_a_move_and_to_anything_else_is_talk(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    telegram.sees_all = True
    anna, ben = hall.members
    posted = await chat.post(hall.place, Post(text="The board"), "n1")
    board = hall.newest()
    talk = await ben.types("nice", hall)
    await anna.types("b3-c4", hall, quoting=board)
    await anna.types("b3-c5", hall, quoting=talk)
    await anna.types("/move@another_bot b3", hall, quoting=board)
    await anna.types("/help", hall, quoting=board)
    await telegram.handled()
    assert [update.body for update in host.updates] == [PlainMessage("b3-c4", posted), Typed("/help")]


async def test_a_command_may_answer_or_mention_the_person_whom_it_means(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    """A mention of a person without a username has the account beside the text."""
    telegram.sees_all = True
    anna, ben = hall.members
    said = await ben.types("nobody move", hall)
    await anna.types("/block", hall, quoting=said)
    await anna.types(f"/block {ben.first_name}", hall, naming=ben)
    await anna.types("/block Clara", hall, quoting=said)
    await chat.post(hall.place, Post(text="The board"), "n1")
    await anna.types("/block", hall, quoting=hall.newest())
    await telegram.handled()
    chosen = [update.chosen_person and update.chosen_person.id for update in host.updates]
    assert chosen == [f"telegram:{ben.id}", f"telegram:{ben.id}", None, None]


async def test_in_private_every_text_is_an_update(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.types("hello there")
    await anna.types("/unknown thing")
    await telegram.handled()
    assert host.said == ["hello there", "/unknown thing"]
    assert {update.place.id for update in host.updates} == {f"telegram:{anna.id}"}
    assert all(update.place.private and update.may_manage and update.place.lang == "de" for update in host.updates)


@pytest.mark.parametrize(
    "nonsense",
    [
        "x" * 4096,
        "🎲🧨👩‍👩‍👧",
        "\u202eevom/ \u200f\u05e9\u05dc\u05d5\u05dd",
        "<b>&amp;</i>",
        "/",
        "//move",
        "/move@",
        "/" + "a" * 40,
        "@kaleido_bot /move",
    ],
)
async def test_nonsense_in_private_arrives_as_it_is(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat, nonsense: str
) -> None:
    await hall.members[0].types(nonsense)
    await telegram.handled()
    assert host.said == [nonsense]


async def test_a_pressed_button_becomes_an_update(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    await chat.post(hall.place, BUTTONS, "n1")
    await hall.members[1].presses("One", hall)
    (update,) = host.updates
    assert update.body == Press("one:1")
    assert update.place.id == hall.place


async def test_a_topic_is_a_place_of_its_own(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    games = hall.topic("Games")
    await chat.post(games.place, BUTTONS, "n1")
    await hall.members[0].types("/help", games)
    await hall.members[0].presses("One", games)
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert [update.place.id for update in host.updates] == [f"telegram:{hall.id}/{games.thread}"] * 2 + [hall.place]


async def test_people_may_lack_a_username_and_a_language_and_be_called_anything(
    telegram: Telegram, host: Listener, chat: TelegramChat
) -> None:
    odd = telegram.person("<b>&\u202e", "", lang="")
    nobody = telegram.person("", lang="")
    ghost = telegram.person("\u3164", username="ghost", lang="")
    hall = telegram.group("Hall", odd, nobody, ghost)
    for person in hall.members:
        await person.types("/help", hall)
    await telegram.handled()
    assert [update.person.name for update in host.updates] == ["<b>&\u202e", "", "\u3164"]
    assert [update.person.lang for update in host.updates] == [None, None, None]
    assert host.updates[-1].person.handle == "ghost"


async def test_an_anonymous_administrator_is_asked_to_write_as_a_person(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    await hall.members[0].types_anonymously("/newgame", hall)
    await hall.shows("can't see who you are")
    assert host.updates == []


async def test_a_group_that_becomes_a_supergroup_is_reported(
    telegram: Telegram, host: Listener, chat: TelegramChat
) -> None:
    old = telegram.group("Hall", telegram.person("Anna"), kind="group")
    new = old.becomes_supergroup()
    await telegram.handled()
    assert set(host.moves) == {(old.place, new.place)}
    assert host.updates == []


# Who may manage


async def test_manage_rights_are_asked_only_for_commands_that_need_them(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna, ben = hall.members
    await chat.post(hall.place, BUTTONS, "n1")
    await anna.types("/move b3", hall)
    await anna.presses("One", hall)
    assert telegram.asked("getChatMember") == []
    await anna.types("/end", hall)
    await ben.types("/end", hall)
    await anna.presses("End", hall)
    await ben.presses("End", hall)
    assert [update.may_manage for update in host.updates] == [False, False, True, False, True, False]
    assert len(telegram.asked("getChatMember")) == 2, "the answers are kept for a while"


async def test_only_managers_of_a_forum_can_have_a_topic_opened(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna, ben = hall.members
    await anna.types("/end", hall)
    hall.topic("Games")
    for person in (anna, ben):
        await person.types("/end", hall)
    await telegram.handled()
    access = [update.thread_access for update in host.updates]
    assert access == [ThreadAccess.UNSUPPORTED, ThreadAccess.ALLOWED, ThreadAccess.UNSUPPORTED]


async def test_without_an_answer_no_person_is_a_manager(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    telegram.fails("getChatMember", times=1)
    await hall.members[0].types("/end", hall)
    await telegram.handled()
    assert [update.may_manage for update in host.updates] == [False]


# Links into the private chat


async def test_start_in_private_opens_the_chat_unless_its_link_carries_a_button(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna, ben = hall.members
    host.replies["one:1"] = Reply(text="For you alone", secret=True, rows=((Button("Two", "two:2"),),))
    await chat.post(hall.place, BUTTONS, "n1")
    answer = await anna.presses("One", hall)
    await ben.follows(answer.url)  # it was not made for him
    await ben.types("/start nonsense")
    await ben.types("/start")
    await anna.follows(answer.url)
    await anna.private().shows("For you alone")
    assert host.said == ["one:1", "opened", "opened", "opened", "one:1"]
    assert host.updates[-1].place.id == f"telegram:{anna.id}"


@pytest.mark.parametrize("rest", ["0", "true", "k3v7"])
async def test_the_start_of_a_link_that_adds_the_bot_to_a_group_is_no_command(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat, rest: str
) -> None:
    """Telegram sends it in the name of the person who followed the link; the bot reports its addition itself."""
    hall.takes_the_bot_in(hall.members[0])
    await hall.members[0].types(f"/start@kaleido_bot {rest}", hall)
    await telegram.handled()
    assert host.said == []
    assert [place.id for place in host.places] == [hall.place]
    await hall.members[0].types("/start@kaleido_bot", hall)
    await telegram.handled()
    assert host.said == ["/start"], "what somebody types starts the lobby"


# Once, in order, not lost


async def test_an_update_that_comes_twice_is_handled_once(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    await anna.types("/move b3", hall)
    await telegram.handled()
    telegram.repeats()
    await anna.types("/move b4", hall)
    await telegram.handled()
    assert host.said == ["/move b3", "/move b4"]


async def test_unhandled_updates_come_again_after_a_stop(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    anna = hall.members[0]
    first = await opened()
    host.gates["/move b4"] = asyncio.Event()
    await anna.types("/move b3", hall)
    await anna.types("/move b4", hall)
    await telegram.until(lambda: "/move b4" in host.said or None)
    await first.stop()
    host.gates.clear()
    await opened()
    await telegram.handled()
    assert host.said == ["/move b3", "/move b4", "/move b4"]
    assert host.updates[1].id == host.updates[2].id, "so the service knows it again"


async def test_it_ends_within_three_seconds_and_says_so_once_though_an_answer_takes_longer(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    chat = await opened()
    host.gates["/move b3"] = asyncio.Event()
    await hall.members[0].types("/move b3", hall)
    await telegram.until(lambda: host.said or None)
    async with within(3):
        await chat.rest()
        await chat.stop()
    assert host.storage.released == 1, "that it leads no more is said once"


async def test_an_update_comes_again_when_the_bot_stopped_before_its_answer_was_tried(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    anna = hall.members[0]
    await anna.opens()
    first = await opened()
    await telegram.handled()
    host.replies["/help"] = Reply(text="Help!")
    telegram.ignores("sendMessage")
    await anna.types("/help")
    await telegram.until(lambda: not telegram.troubles[-1].times or None, "the answer is on its way")
    await first.stop()
    await opened()
    await anna.private().shows("Help!")
    assert host.updates[-1].id == host.updates[-2].id, "so the service knows it again"


async def test_an_update_whose_answer_was_tried_or_has_to_wait_is_confirmed(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    """A chat with a limit of an hour delays no other: at most a hundred updates are fetched at once."""
    anna, ben = hall.members
    for person in (anna, ben):
        person.private().closed = False
    host.replies["/help"] = Reply(text="Help!")
    telegram.floods(anna.private(), seconds=3600)
    for _ in range(120):
        await anna.types("/help")
    await ben.types("/help")
    await ben.private().shows("Help!")
    await telegram.handled()
    assert anna.private().said() == []


async def test_an_update_is_confirmed_ten_seconds_later_at_most_though_its_answer_hangs(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    """A server that takes a message and never says so holds up no news."""
    assert CONFIRM_S == 10
    await opened(confirm_s=0.2)
    anna = hall.members[0]
    await anna.opens()
    await telegram.handled()
    host.replies["/help"] = Reply(text="Help!")
    telegram.ignores("sendMessage")
    async with asyncio.timeout(10):  # the request itself is given up after twenty
        await anna.types("/help")
        await telegram.handled()
    await telegram.until(lambda: not telegram.troubles[-1].times or None, "its answer is on its way")
    assert anna.private().said() == []


async def test_a_slow_place_does_not_hold_up_another_and_each_keeps_its_order(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    anna = hall.members[0]
    other = telegram.group("Other", anna)
    host.gates["/move b3"] = asyncio.Event()
    await anna.types("/move b3", hall)
    await anna.types("/move b4", hall)
    await telegram.until(lambda: host.said or None)
    await anna.types("/help", other)
    await telegram.until(lambda: "/help" in host.said or None, "the other place is handled")
    assert host.said == ["/move b3", "/help"]
    host.gates["/move b3"].set()
    await telegram.handled()
    assert host.said == ["/move b3", "/help", "/move b4"]


async def test_an_update_that_the_library_cannot_read_does_not_block_the_rest(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.arrives({"message": {"message_id": "?", "chat": {"odd": True}}})
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert host.said == ["/help"]
    assert "update not readable" in caplog.text


@pytest.mark.parametrize("number", ["x", None, 1.5, {"odd": True}], ids=str)
async def test_an_update_whose_chat_has_no_number_is_logged_in_one_line(
    number: object,
    telegram: Telegram,
    host: Listener,
    hall: Group,
    chat: TelegramChat,
    caplog: pytest.LogCaptureFixture,
) -> None:
    anna = {"id": 5, "is_bot": False, "first_name": "Anna"}
    odd, group = {"id": number, "type": "group"}, {"id": -1, "type": "group"}
    message = {"message_id": 1, "date": 1, "from": anna, "text": "/help"}
    before, after = ({"user": anna, "status": status} for status in ("left", "member"))
    change = {"from": anna, "date": 1, "old_chat_member": before, "new_chat_member": after}
    telegram.arrives({"message": {**message, "chat": odd}})
    telegram.arrives({"message": {**message, "chat": group, "text": "", "migrate_to_chat_id": number or "x"}})
    telegram.arrives({"my_chat_member": {**change, "chat": odd}})
    telegram.arrives({"chat_member": {**change, "chat": odd}})
    telegram.arrives({"message": {**message, "chat": odd, "text": "", "left_chat_member": anna}})
    telegram.arrives({"message": {**message, "chat": odd, "text": "", "new_chat_members": [anna]}})
    telegram.arrives(
        {"callback_query": {"id": "9", "from": anna, "data": "help:", "message": {**message, "chat": odd}}}
    )
    telegram.arrives({"guest_message": {**message, "chat": odd, "guest_query_id": "7"}})
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert (host.said, host.places, host.moves) == (["/help"], [], [])
    assert [record for record in caplog.records if record.exc_info] == []


async def test_polling_goes_on_after_every_kind_of_trouble_and_tells_it_once(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.fails("getUpdates", status=502)
    telegram.drops("getUpdates")
    await hall.members[0].types("/help", hall)
    await hall.members[0].types("/move b3", hall)
    await telegram.handled()
    assert host.said == ["/help", "/move b3"]
    assert caplog.text.count("polling failed, retrying") == 1
    assert telegram.token not in caplog.text


async def test_a_second_bot_with_the_same_token_is_named(
    telegram: Telegram, host: Listener, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        await opened()
    await telegram.until(lambda: "another bot with the same token" in caplog.text or None)


async def test_a_host_that_fails_is_answered_for_with_one_honest_sentence(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat, caplog: pytest.LogCaptureFixture
) -> None:
    host.replies["one:1"] = ZeroDivisionError("a mistake")
    await chat.post(hall.place, BUTTONS, "n1")
    answer = await hall.members[1].presses("One", hall)
    assert answer.alert
    assert "something went wrong" in answer.text
    assert "ZeroDivisionError" in caplog.text


async def test_it_is_ready_while_updates_arrive(telegram: Telegram, hall: Group, host: Listener) -> None:
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url)
    assert not chat.reception.is_ready
    telegram.fails("getUpdates")
    await chat.start(host, host.storage)
    await telegram.until(
        lambda: chat.reception.is_ready, "the second look for updates is answered, though there are none"
    )
    telegram.drops("getUpdates")
    await hall.members[0].types("/help", hall)  # ends the request that waits for news
    await telegram.until(lambda: not chat.reception.is_ready)
    await telegram.until(lambda: chat.reception.is_ready)
    await chat.stop()
    assert not chat.reception.is_ready


async def test_comments_on_a_post_of_a_channel_are_a_place(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    chat = await opened()
    anna, thread = hall.members[0], hall.comments("News of the channel")
    await anna.types("/move b3", thread)
    await telegram.handled()
    assert host.updates[-1].place.id == thread.place
    await chat.post(host.updates[-1].place.id, BUTTONS, "n1")
    board = await thread.offers("One")
    await anna.presses("One", thread)
    assert host.updates[-1].place.id == thread.place
    await anna.types("b3-c3", thread, quoting=board)
    await telegram.handled()
    assert host.updates[-1].place.id == thread.place, "an answer to a comment"


async def test_an_answer_to_a_comment_stays_in_its_thread_after_a_restart(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    chat = await opened()
    anna, thread = hall.members[0], hall.comments("News of the channel")
    await anna.types("/move b3", thread)
    await telegram.handled()
    await chat.post(thread.place, BUTTONS, "n1")
    board = await thread.offers("One")
    await chat.stop()
    await opened()
    await anna.types("b3-c3", thread, quoting=board)
    await telegram.handled()
    assert host.updates[-1].place.id == thread.place


@pytest.mark.parametrize("manages", [False, True])
async def test_people_who_leave_a_group_or_come_back_are_reported_for_all_its_places(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, manages: bool
) -> None:
    hall.bot_manages = manages
    chat = await opened()
    anna, ben = hall.members[0], hall.members[1]
    topic = hall.topic("Games")
    await anna.types("/help", topic)
    hall.passes(ben, leaves=True)
    await telegram.handled()
    assert {*host.departed} == {(hall.place, ben.person), (topic.place, ben.person)}
    assert await chat.membership(topic.place, PersonId(ben.person)) is Membership.GONE
    assert await chat.membership(topic.place, PersonId(anna.person)) is Membership.MANAGER
    if not manages:
        hall.passes(ben, leaves=False)
        await telegram.handled()
        assert host.departed == []


async def test_a_poller_that_could_take_over_hears_nobody(telegram: Telegram, host: Listener, opened: Open) -> None:
    """Its readiness is no heartbeat of the platform: the leader may hear nobody, too."""
    leader = await opened()
    await telegram.until(lambda: leader.reception is Reception.UP)
    host.storage.leads = False
    other = await opened()
    await telegram.until(lambda: other.reception is Reception.STANDBY)


# The webhook


async def test_it_is_ready_when_telegram_knows_the_webhook(telegram: Telegram, host: Listener) -> None:
    port = free_port()
    telegram.fails("setWebhook")
    listen = f"127.0.0.1:{port}"
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, f"http://{listen}/hook", listen)
    await chat.start(host, host.storage)
    await telegram.until(lambda: len(telegram.troubles) and telegram.troubles[0].times == 0)
    assert not chat.reception.is_ready
    await telegram.until(lambda: chat.reception.is_ready)
    await chat.stop()
    assert not chat.reception.is_ready


async def test_updates_may_be_brought_to_a_webhook(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    port = free_port()
    await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert host.said == ["/help"]


async def test_a_webhook_refuses_requests_without_the_secret(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    port = free_port()
    await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    message = (await hall.members[0].types("/help", hall)).json()
    await telegram.handled()
    async with aiohttp.ClientSession() as session:
        for headers in ({}, {"X-Telegram-Bot-Api-Secret-Token": "guessed"}, {"X-Telegram-Bot-Api-Secret-Token": "ü"}):
            forged = {"update_id": 77, "message": message}
            async with session.post(telegram.webhook, json=forged, headers=headers) as answer:
                assert answer.status == 403
        right = {"X-Telegram-Bot-Api-Secret-Token": telegram.secret}
        for body in (b"not json", b"[]", b'{"update_id": "x"}'):
            async with session.post(telegram.webhook, data=body, headers=right) as answer:
                assert answer.status in (200, 400)
    assert host.said == ["/help"]


async def test_an_update_repeated_by_the_webhook_is_handled_once(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    port = free_port()
    await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    message = (await hall.members[0].types("/help", hall)).json()
    headers = {"X-Telegram-Bot-Api-Secret-Token": telegram.secret}
    async with aiohttp.ClientSession() as session:
        for _ in range(2):
            body = {"update_id": 4711, "message": message}
            async with session.post(telegram.webhook, json=body, headers=headers) as answer:
                assert answer.status == 200
    await telegram.handled()
    assert sum(update.id == "telegram:4711" for update in host.updates) == 1


@pytest.mark.parametrize("times", [1, 3])
async def test_an_update_before_the_bot_knows_its_name_is_repeated_and_handled(
    times: int, telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    port = free_port()
    hook = {"webhook_url": f"http://127.0.0.1:{port}/hook", "webhook_listen": f"127.0.0.1:{port}"}
    first = await opened(**hook)
    await telegram.until(lambda: telegram.webhook)
    await first.stop()
    telegram.fails("getMe", times=times)
    await opened(**hook)
    message = (await hall.members[0].types("/move b3", hall)).json()
    document = json.dumps({"update_id": 4711, "message": message}).encode()
    assert await bring(telegram, document) == 503
    await telegram.handled()
    assert host.said == ["/move b3"]
    assert await bring(telegram, document) == 200


async def test_a_webhook_does_not_accept_an_update_that_was_not_handled(
    telegram: Telegram, host: Listener, hall: Group, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    message = (await hall.members[0].types("/help", hall)).json()
    await telegram.handled()
    document = json.dumps({"update_id": 4711, "message": message}).encode()

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    with monkeypatch.context() as broken:
        broken.setattr(incoming, "contents", fail)
        assert await bring(telegram, document) == 500
    assert await bring(telegram, document) == 200
    assert host.said == ["/help", "/help"]


async def test_a_webhook_accepts_no_update_while_the_bot_stops(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    port = free_port()
    chat = await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    host.gates["/move b3"] = asyncio.Event()
    message = (await hall.members[0].types("/move b3", hall)).json()
    await telegram.until(lambda: host.said or None)
    stopping = asyncio.create_task(chat.stop())
    await asyncio.sleep(0.05)
    message["text"] = "/move b4"
    assert await bring(telegram, json.dumps({"update_id": 4711, "message": message}).encode()) == 503
    await stopping
    assert host.said == ["/move b3"]


async def bring(telegram: Telegram, document: bytes) -> int:
    """Return the status of the webhook's answer."""
    headers = {"X-Telegram-Bot-Api-Secret-Token": telegram.secret}
    async with (
        aiohttp.ClientSession() as session,
        session.post(telegram.webhook, data=document, headers=headers) as answer,
    ):
        return answer.status


@pytest.mark.parametrize(
    "nested",
    [
        b'"nested": ' + b"[" * 100_000 + b"]" * 100_000,
        b'"nested": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'"reply_to_message": ' + b'{"reply_to_message":' * 400 + b"1" + b"}" * 400,
    ],
    ids=["lists", "objects", "messages"],
)
async def test_an_update_may_be_nested_as_deep_as_it_likes(
    nested: bytes,
    telegram: Telegram,
    host: Listener,
    hall: Group,
    opened: Open,
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    await opened(webhook_url=f"http://127.0.0.1:{port}/hook", webhook_listen=f"127.0.0.1:{port}")
    await telegram.until(lambda: telegram.webhook)
    message = json.dumps((await hall.members[0].types("/help", hall)).json()).encode()
    await telegram.handled()
    assert await bring(telegram, b'{"update_id": 4711, "message": ' + message[:-1] + b", " + nested + b"}}") == 200
    await hall.members[0].types("/move", hall)
    await telegram.handled()
    assert host.said[-1] == "/move"
    assert [record for record in caplog.records if record.exc_info or len(record.getMessage()) > 200] == []


async def test_an_update_that_is_nested_too_deep_holds_up_no_other(
    telegram: Telegram, host: Listener, hall: Group, opened: Open
) -> None:
    telegram.nests(100_000)
    await hall.members[0].types("/help", hall)
    await opened()
    await telegram.handled()
    await hall.members[0].types("/move", hall)
    await telegram.handled()
    assert host.said == ["/help", "/move"]


# Groups come and go


async def test_who_opens_the_private_chat_asks_for_nothing_yet(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    await hall.members[0].opens()
    await telegram.handled()
    assert host.said == ["opened"]
    assert host.updates[0].place.private


async def test_a_group_that_takes_the_bot_in_is_new(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    hall.takes_the_bot_in(hall.members[0])
    await telegram.handled()
    assert host.places == [Place(hall.place, "de")]
    assert host.updates == []


async def test_a_group_that_removes_the_bot_is_lost_with_its_topics(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    games = hall.topic("Games")
    hall.topic("Talk")
    await hall.members[0].types("/help", games)
    await telegram.handled()
    hall.throws_the_bot_out()
    await telegram.handled()
    assert host.ended == [hall.place, games.place]
    hall.takes_the_bot_in(hall.members[0])
    await telegram.handled()
    assert host.back == [games.place]


async def test_other_changes_of_the_bots_membership_are_ignored(
    telegram: Telegram, host: Listener, hall: Group, chat: TelegramChat
) -> None:
    hall._presence(hall.members[0], "member", "administrator")
    hall.members[0].private()._presence(hall.members[0], "member", "kicked")
    await telegram.handled()
    assert (host.places, host.ended, host.updates) == ([], [], [])


# Two processes on one store


async def test_one_process_asks_and_the_other_rests_until_the_first_is_gone(telegram: Telegram) -> None:
    anna = telegram.person("Anna")
    heard: list[tuple[str, int]] = []
    holder = ["first"]

    async def process(name: str) -> tuple[Bot, Polling]:
        async def leads() -> bool:
            return holder[0] == name

        def take(update: Raw) -> asyncio.Future[None]:
            heard.append((name, update.update_id))
            done = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done

        bot = Bot(telegram.token, base_url=f"{telegram.url}/bot")
        await bot.initialize()
        return bot, Polling(bot, take, leads, every_s=0.02)

    made = {name: await process(name) for name in ("first", "second")}
    running = {name: asyncio.create_task(polling.run()) for name, (_, polling) in made.items()}
    await anna.types("/help")
    await telegram.handled()
    assert [name for name, _ in heard] == ["first"]
    await telegram.until(lambda: all(polling.in_order for _, polling in made.values()), "both are ready")
    running.pop("first").cancel()
    await made["first"][1].finish()
    holder[0] = "second"
    await anna.types("/board")
    await telegram.handled()
    assert [name for name, _ in heard] == ["first", "second"]
    assert len({number for _, number in heard}) == 2, "each update once"
    running["second"].cancel()
    await asyncio.gather(*running.values(), return_exceptions=True)
    for bot, _ in made.values():
        await bot.shutdown()


async def test_polling_ends_if_the_store_swallows_a_cancellation(telegram: Telegram) -> None:
    asks = asyncio.Event()

    async def leads() -> bool:
        asks.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return False
        return True

    bot = Bot(telegram.token, base_url=f"{telegram.url}/bot")
    running = asyncio.create_task(Polling(bot, lambda _: asyncio.Future(), leads).run())
    await asks.wait()
    running.cancel()
    async with within(10):
        await asyncio.gather(running, return_exceptions=True)


async def test_polling_that_ends_asks_no_more_who_leads(telegram: Telegram) -> None:
    """The caller closes the store next."""
    asks, asked = asyncio.Event(), list[str]()

    async def leads() -> bool:
        asks.set()
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(0.05)  # as a store that puts its connection back
            asked.append("to the end")
        return True

    bot = Bot(telegram.token, base_url=f"{telegram.url}/bot")
    running = asyncio.create_task(Polling(bot, lambda _: asyncio.Future(), leads).run())
    await asks.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert asked == ["to the end"]
