"""Private answers: in time, in their place, and visible to their reader only."""

import asyncio
import logging
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import discord as discord_library
import pytest

import texts
from bot.adapters.on_discord import answers
from bot.adapters.on_discord.chat import DiscordChat
from bot.adapters.on_discord.pending import decode
from bot.chat import (
    Button,
    Chat,
    Choice,
    Expiry,
    MessagePart,
    Person,
    PersonId,
    Picture,
    Post,
    Press,
    Refused,
    Reply,
    Role,
    Select,
    SlashCommand,
    Undelivered,
    Update,
)
from bot.requests.commands import COMMANDS
from tests.bot.adapters.on_discord.conftest import BOARD, PNG, House, place, running
from tests.emulators.discord import Broken, Channel, Discord, Dropped


async def test_a_command_is_acknowledged_before_anything_is_done(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.gate.clear()
    house.says = Reply(text="done")
    done = await anna.sends("/help")
    await house.asked()
    assert done.calls == ["callback 5"], "acknowledged, while the host is still busy"
    house.gate.set()
    await anna.reads("done")
    assert done.calls == ["callback 5", "PATCH @original"]


async def test_an_answer_is_seen_by_that_person_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    house.says = Reply("Rules", "Three in a row.", BOARD, ((Button("Next", "rules:kabooom:1"),),))
    done = await anna.types("/rules", game="kabooom")
    answer = done.answer
    assert answer is not None
    assert answer.text == "Rules\nThree in a row."
    assert answer.rows == [["Next"]]
    assert answer.attachments[0].content == PNG
    assert anna.sees() == [answer]
    assert ben.sees() == []


async def test_a_command_with_nothing_to_say_leaves_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    done = await anna.types("/join")
    assert done.answer is None
    assert anna.sees() == []


async def test_a_press_is_answered_without_touching_the_public_message(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await chat.post(place(hall), Post(text="Lobby", rows=((Button("Join", "join:k3v7qpm2xa"),),)), "n1")
    for role in (role for role in Role if role is not Role.NOTHING):
        house.says = Reply(text=f"a {role}", role=role)
        pressed = await anna.presses("Join")
        assert (await pressed.answered()).text == f"a {role}"
        assert pressed.calls[0] == "callback 6"
    assert house.updates[-1].body == Press("join:k3v7qpm2xa")
    assert hall.newest().edits == 0
    assert [message.text for message in ben.sees()] == ["Lobby"]


async def test_a_press_with_nothing_to_say_says_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    await chat.post(place(hall), Post(text="Lobby", rows=((Button("Join", "join:k3v7qpm2xa"),),)), "n1")
    pressed = await anna.presses("Join")
    await anna.types("/join")  # answered later, so all earlier messages have been sent
    assert pressed.calls == ["callback 6"]
    assert anna.sees() == [hall.newest()]


async def test_a_menu_goes_on_in_its_place(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply("From", "Which stone?", rows=((Button("b3", "menu:k:1.0.0"),),), role=Role.MENU)
    await anna.types("/move")
    house.says = Reply("To", "Where to?", rows=((Button("c4", "play:k:1.4"),),), role=Role.MENU)
    await (await anna.presses("b3")).answered()
    (menu,) = anna.sees()
    assert (menu.text, menu.rows) == ("To\nWhere to?", [["c4"]])
    house.says = Reply(text="Played.", role=Role.TOAST)
    await (await anna.presses("c4")).answered()
    (menu,) = anna.sees()
    assert (menu.text, menu.rows) == ("Played.", [])


async def test_a_menu_without_choices_stays(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    rows = ((Button("b3", "menu:k:1.0.0"), Button("·", "none:k")),)
    house.says = Reply(text="Which stone?", rows=rows, role=Role.MENU)
    await anna.types("/move")
    (menu,) = anna.sees()
    house.says = Reply(role=Role.NOTHING)
    pressed = await anna.presses("·")
    await anna.types("/join")  # answered later, so all earlier messages have been sent
    assert pressed.calls == ["callback 6"]
    assert (menu.text, menu.rows, menu.deleted) == ("Which stone?", [["b3", "·"]], False)


async def test_a_line_that_leads_on_has_its_link(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    onward = (Button("Kabooom! ↗", link="https://discord.com/channels/1/2/3"),)
    house.says = Reply(text="Played. Another game is waiting for you.", role=Role.TOAST, links=onward)
    done = await anna.types("/move")
    assert done.answer is not None
    assert done.answer.rows == [["Kabooom! ↗"]]
    house.says = Reply(text="Which stone?", rows=((Button("b3", "play:k:1.0"),),), role=Role.MENU)
    await anna.types("/move")
    house.says = Reply(text="Played. Another game is waiting for you.", role=Role.TOAST, links=onward)
    menu = await (await anna.presses("b3")).answered()
    assert menu.rows == [["Kabooom! ↗"]]
    await chat.post(place(hall), Post(text="Lift a cap", rows=((Button("a1", "play:k:1.0"),),)), "n1")
    under = await (await anna.presses("a1")).answered()  # offers of a post
    assert under.rows == [["Kabooom! ↗"]]
    assert hall.newest().rows == [["a1"]]


async def test_a_note_is_shown_beside_the_menu(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Which stone?", rows=((Button("b3", "play:k:1.0"),),), role=Role.MENU)
    await anna.types("/move")
    house.says = Reply(text="The board has moved on.", picture=BOARD)
    await (await anna.presses("b3")).answered()
    assert [message.text for message in anna.sees()] == ["Which stone?", "The board has moved on."]


async def test_a_press_in_a_note_leaves_the_note_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Your side of the board", picture=BOARD, rows=((Button("Move", "menu:k"),),))
    await anna.types("/view")
    house.says = Reply(text="Which stone?", rows=((Button("b3", "play:k:1.0"),),), role=Role.MENU)
    await (await anna.presses("Move")).answered()
    house.says = Reply(text="Where to?", rows=((Button("c4", "play:k:1.0"),),), role=Role.MENU)
    await (await anna.presses("b3")).answered()
    assert [message.text for message in anna.sees()] == ["Your side of the board", "Where to?"]
    assert [update.body for update in house.updates[1:]] == [Press("menu:k"), Press("play:k:1.0")]


def fading(text: str, role: Role = Role.MENU) -> Reply:
    return Reply(text=text, rows=((Button("Go on", "it:1"),),), role=role, expires=Expiry("k:1", is_strict=True))


async def test_a_fading_reply_is_reported_once_and_deleted_on_request(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    await chat.post(place(hall), Post(text="The board", rows=((Button("Move", "it:1"),),)), "n1")
    house.says = fading("to a command")
    await anna.types("/move")
    await (await anna.presses("Go on")).answered()
    house.says = fading("to a press", Role.NOTE)
    await (await anna.presses("Move")).answered()
    showings = await house.heard(2)
    assert [showing[:2] for showing in showings] == [("k:1", place(hall))] * 2
    assert len(anna.sees()) == 3
    ttls_s = [*house.lives_s, *house.storage.ttls_s]
    assert all(0 < (ttl_s or 0) <= 15 * 60 for ttl_s in ttls_s), "so long an interaction can be answered"
    assert len(ttls_s) >= 3
    for _, where, message in showings:
        await chat.remove(where, message, MessagePart.WHOLE)
        await chat.remove(where, message, MessagePart.WHOLE)
    assert [message.text for message in anna.sees()] == ["The board"]


async def test_a_fading_reply_is_deleted_before_its_token_expires(
    discord: Discord, hall: Channel, house: House
) -> None:
    soon = DiscordChat(discord.token, COMMANDS, api_url=discord.api_url, gateway_url=discord.gateway_url, fades_s=0.05)
    await soon.start(house, house.storage)
    await discord.connected()
    anna = discord.person("Anna", hall)
    house.says = fading("for a moment")
    done = await anna.types("/move")
    await discord.until(lambda: done.answer is None or None, "it goes by itself")
    await soon.stop()


async def test_lines_and_menus_about_a_turn_go_with_it(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    await chat.post(place(hall), Post(text="The board", rows=((Button("Move", "it:1"),),)), "n1")
    house.says = Reply(text="Ben is up.", role=Role.TOAST, expires=Expiry("k:1"))
    for _ in range(2):
        await (await anna.presses("Move")).answered()
    house.says = Reply(text="Which?", rows=((Button("Go on", "it:1"),),), role=Role.MENU, expires=Expiry("k:1"))
    await (await anna.presses("Move")).answered()
    showings = await house.heard(3)
    assert [showing[:2] for showing in showings] == [("k:1", place(hall))] * 3
    for _, where, message in showings:
        await chat.remove(where, message, MessagePart.WHOLE)
    assert [message.text for message in anna.sees()] == ["The board"]


async def test_a_menu_becomes_the_board_until_the_turn_is_over(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Which?", rows=((Button("c4", "it:1"),),), role=Role.MENU, expires=Expiry("k:1"))
    await anna.types("/move")
    board = Picture(PNG, "the board with the move")
    house.says = Reply(text="Played: c4", role=Role.TOAST, expires=Expiry("k:2", board=board))
    await (await anna.presses("c4")).answered()
    (menu,) = anna.sees()
    assert (menu.text, menu.rows, [it.alt for it in menu.attachments]) == (
        "Played: c4",
        [],
        ["the board with the move"],
    )
    for _, where, message in await house.heard(2):
        await chat.remove(where, message, MessagePart.WHOLE)
    assert anna.sees() == []


async def test_a_lasting_line_outlives_the_menu_of_its_turn(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Which?", rows=((Button("c4", "it:1"),),), role=Role.MENU, expires=Expiry("k:1"))
    await anna.types("/move")
    house.says = Reply(text="You won!", role=Role.TOAST)
    await (await anna.presses("c4")).answered()
    for _, where, message in await house.heard(1):
        with suppress(Undelivered):
            await chat.remove(where, message, MessagePart.WHOLE)
    assert [message.text for message in anna.sees()] == ["You won!"]


async def test_what_cannot_be_deleted_any_more_is_refused(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    house.says = fading("for long")
    done = await discord.person("Anna", hall).types("/move")
    (answer,) = await house.heard(1)
    done.expires()
    with pytest.raises(Refused):
        await chat.remove(*answer[1:], MessagePart.WHOLE)


async def test_a_menu_that_is_done_goes(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Sure?", rows=((Button("Yes", "sure:k:1.0"),),), role=Role.MENU)
    await anna.types("/resign")
    house.says = None
    await (await anna.presses("Yes")).answered()
    assert anna.sees() == []


async def test_a_menu_that_the_person_has_closed_meanwhile_is_no_trouble(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    anna = discord.person("Anna", hall)
    menu = Reply(text="Which?", rows=((Button("b3", "menu:k:1.0.0"),),), role=Role.MENU)
    house.says = menu
    await anna.types("/move")
    (shown,) = anna.sees()
    house.gate.clear()
    pressed = await anna.presses("b3")
    shown.deleted = True
    house.gate.set()
    await discord.until(lambda: "PATCH @original" in pressed.calls or None, "the menu was to be changed")
    await anna.types("/help")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_select_sends_the_payload_of_its_choice(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    levels = Select(
        "Level", "option:k:0", (Choice("easy", "option:k:0.0", chosen=True), Choice("hard", "option:k:0.1"))
    )
    await chat.post(place(hall), Post(text="Lobby", rows=(levels, (Button("Join", "join:k"),))), "n1")
    select = hall.newest().parts[0]
    assert (select["placeholder"], select["options"][0]["default"]) == ("Level", True)
    await anna.chooses("hard")
    assert (await house.asked())[0].body == Press("option:k:0.1")


async def test_buttons_need_no_memory(discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house) as chat:
        await chat.post(place(hall), Post(text="Lobby", rows=((Button("Join", "join:k"),),)), "n1")
    async with running(discord, house):
        await discord.connected(times=2)
        await anna.presses("Join")
        assert (await house.asked())[0].body == Press("join:k")


async def test_an_interaction_that_comes_twice_is_taken_once(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="once")
    done = await anna.types("/join")
    await discord.deliver(done)
    await anna.types("/help")
    assert [update.body for update in house.updates] == [SlashCommand("join"), SlashCommand("help")]


async def test_an_interaction_that_another_process_answered_keeps_that_answer(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="from the first")
    async with running(discord, house):
        done = await anna.types("/join")
    house.says = Reply(text="from the second")
    async with running(discord, house):
        await discord.connected(times=2)
        await discord.deliver(done)
        await discord.until(lambda: "GET @original" in done.calls or None, "it looks whether there is an answer")
    assert [update.id for update in house.updates] == [f"discord:{done.id}"] * 2, "the host tells them apart"
    assert [message.text for message in anna.sees()] == ["from the first"]


async def test_an_interaction_that_another_process_died_of_is_answered(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house):
        house.gate.clear()
        done = await anna.sends("/join")
        await house.asked()
    house.gate.set()
    house.says = Reply(text="from the second")
    async with running(discord, house):
        await discord.connected(times=2)
        await discord.deliver(done)
        await anna.reads("from the second")


async def test_a_command_whose_bot_died_while_it_thought_is_answered_by_the_next_one(
    discord: Discord, hall: Channel, house: House
) -> None:
    """Discord delivers it only once: otherwise "thinking" would stay for ever."""
    anna = discord.person("Anna", hall)
    async with running(discord, house):
        house.gate.clear()
        done = await anna.sends("/join")
        (asked,) = await house.asked()
        await discord.until(lambda: done.first_answer, "it is acknowledged")
    assert [decode(ticket).update for ticket in house.storage.values.values()] == [asked]
    house.gate.set()
    house.says = Reply(text="at last", rows=((Button("Go on", "board:k"),),))
    async with running(discord, house):
        answer = await anna.reads("at last")
        assert answer.buttons == ["Go on"]
        await house.storage.settled()
    assert house.updates == [asked] * 2, "the host knows that it is the same"


async def test_an_expiring_answer_of_the_next_bot_is_deleted_by_the_host(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house):
        house.gate.clear()
        await anna.sends("/move")
        await house.asked()
    house.gate.set()
    house.says = fading("at last")
    async with running(discord, house) as chat:
        await anna.reads("at last")
        ((_, where, message),) = await house.heard(1)
        assert message.endswith("/@original")
        await chat.remove(where, message, MessagePart.WHOLE)
        assert anna.sees() == []


async def test_a_command_that_was_answered_just_before_its_bot_died_keeps_its_answer(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="in time")
    kept = dict[str, bytes]()

    async def remembers(_: Update) -> Reply | None:
        kept.update(house.storage.values)
        return house.says

    house.does = remembers
    async with running(discord, house):
        await anna.types("/join")
        await house.storage.settled()
    ((key, value),) = kept.items()
    await house.storage.put(key, value, ttl_s=900, claimable_in_s=0)
    async with running(discord, house):
        await house.storage.settled()
    assert [message.text for message in anna.sees()] == ["in time"]
    assert len(house.updates) == 1


async def test_a_command_whose_time_is_over_is_left_alone(discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house):
        house.gate.clear()
        done = await anna.sends("/join")
        await house.asked()
    done.expires()
    house.gate.set()
    async with running(discord, house):
        await house.storage.settled()
    assert len(house.updates) == 1


async def test_what_another_bot_s_button_carries_is_left_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    """Another program may have had the same account, or have it too."""
    anna = discord.person("Anna", hall)
    await chat.post(place(hall), Post(text="The board", rows=((Button("Move", "menu:k"),),)), "n1")
    foreign = asyncio.create_task(anna.presses_id("ticket_close#2 ", hall.newest()))
    await anna.presses("Move")
    (asked,) = await house.asked()
    assert asked.body == Press("menu:k")
    await discord.until(lambda: len(discord.interactions) == 2 or None, "both have arrived")
    await anna.presses("Move")
    (asked,) = await house.asked()
    assert asked.body == Press("menu:k"), "whatever came before it has been looked at, and was passed over"
    assert not foreign.done()
    for interaction in discord.interactions.values():
        interaction.first_answer = interaction.first_answer or {}
    foreign.cancel()


async def test_an_update_too_late_to_be_answered_is_not_applied(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    discord.will("POST", "/callback", Broken(404, 10062))
    lost = await anna.sends("/join")
    await anna.types("/help")
    assert [update.body for update in house.updates] == [SlashCommand("help")]
    lost.first_answer = {}


@pytest.mark.parametrize("carried_out", [False, True])
async def test_an_acknowledgement_whose_answer_is_lost_is_repeated(
    carried_out: bool, chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    discord.will("POST", "/callback", Dropped(done=carried_out))
    done = await anna.types("/join")
    assert done.answer is not None
    assert done.answer.text == "fine"
    assert len(house.updates) == 1


async def test_an_answer_whose_connection_is_lost_is_repeated(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine", picture=BOARD)
    discord.will("PATCH", "@original", Dropped())
    done = await anna.types("/view")
    assert done.answer is not None
    assert done.answer.attachments[0].content == PNG


async def test_a_failure_of_ours_is_logged_and_told(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    anna = discord.person("Anna", hall, locale="de")

    async def fails(update: Update) -> Reply | None:
        raise LookupError("nobody knows")

    house.does = fails
    done = await anna.types("/join")
    assert done.answer is not None
    assert done.answer.text == texts.say("discord", "failed", "de")
    assert "nobody knows" in caplog.text


async def test_a_chosen_person_arrives_with_their_name(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    house.says = Reply(text="Nothing yet")
    await anna.types("/stats", person="Ben")
    await anna.types("/stats", person="somebody")
    chosen, typed = house.updates
    assert (chosen.body, chosen.chosen_person) == (
        SlashCommand("stats", {"person": str(ben.id)}),
        Person(PersonId(ben.account), "Ben"),
    )
    assert (typed.body, typed.chosen_person) == (SlashCommand("stats", {"person": "somebody"}), None), (
        "as an older client sends it"
    )


async def test_a_deleted_answer_of_another_process_needs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes share a token, and the person closes the answer of the first one."""
    monkeypatch.setattr(answers, "LOOK_AGAIN_S", 0.0)

    class Answered:
        type = discord_library.InteractionType.application_command

        async def original_response(self) -> None:
            response: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord_library.NotFound(response, {"code": 10008, "message": "Unknown Message"})

    assert not await answers.unanswered(cast("discord_library.Interaction", Answered()))
