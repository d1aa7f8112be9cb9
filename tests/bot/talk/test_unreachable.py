"""If a place takes no posts, every answer about its table says so, and shows the board to its reader alone."""

import asyncio
from datetime import timedelta

import pytest

from bot.chat import Obstacle, PlaceLost, Priority, Refused, Reply, Role
from bot.store.store import Store
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_time import begun, here
from tests.bot.talk.turns import next_turn

HEAD = "I haven't been able to post in this game's chat for 2 hours, so its clock is stopped"
STEPS = "An admin can let me see the chat"


async def muted(crowd: Crowd, chat: RecordingChat, clock: HandClock, obstacle: Obstacle = Obstacle.RIGHTS) -> None:
    """Begin a game; since Anna's move two hours ago the room takes no posts."""
    await begun(crowd, "1d")
    chat.refuses["post"] = Refused("missing permissions", obstacle)
    await crowd.says("anna", "/move b1-c1")
    await clock.advance(timedelta(hours=2))


async def asked(crowd: Crowd, name: str, text: str) -> Reply:
    reply = await crowd.says(name, text)
    assert reply is not None
    return reply


TEXTS = ("/board", "/view", "/games", "/history", "/undo", "/move pass", "/move a1", "/resign")


@pytest.mark.parametrize("text", TEXTS)
async def test_every_answer_says_since_when_and_why_no_board_comes(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, text: str
) -> None:
    await muted(crowd, chat, clock)
    reply = await asked(crowd, "ben", text)
    assert HEAD in reply.text
    assert STEPS in reply.text
    assert not reply.role.is_toast, "it must not vanish"


async def test_instead_of_a_promise_the_board_is_shown_to_its_reader_alone(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await muted(crowd, chat, clock)
    for text in ("/board", "/move pass"):
        reply = await asked(crowd, "ben", text)
        assert reply.picture is not None
        assert reply.role is Role.NOTE
        assert "Here's the board" not in reply.text
    table = await here(store)
    assert table is not None
    assert table.turn == 2, "the move counts"


async def test_the_first_answer_waits_until_delivery_knows_that_no_board_comes(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd, "1d")
    chat.refuses["post"] = Refused("missing permissions", Obstacle.RIGHTS)
    reply = await asked(crowd, "ben", "/board")
    assert STEPS in reply.text
    assert "Here's the board" not in reply.text
    assert reply.picture is not None


async def test_the_first_answer_about_a_lobby_waits_too(crowd: Crowd, chat: RecordingChat) -> None:
    chat.refuses["post"] = Refused("missing permissions", Obstacle.RIGHTS)
    assert STEPS in (await asked(crowd, "anna", "/newgame kabooom easy")).text


async def test_a_board_that_has_to_wait_is_not_promised_but_shown_to_its_reader(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    chat.flooded = {ROOM.id}
    reply = await crowd.service.handle(crowd.update("ben", "/board"))
    assert reply is not None
    assert reply.text.startswith("I can't post the board right now, but I keep trying.")
    assert reply.picture is not None
    chat.flooded.clear()
    await clock.advance(timedelta(minutes=2))
    await crowd.service.idle()
    assert (await asked(crowd, "ben", "/board")).text == "Here's the board."


async def test_a_board_that_takes_longer_is_told_in_a_line_that_may_be_left_out(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    waits = chat.full[Priority.BOARD] = asyncio.Event()
    asking = asyncio.create_task(crowd.service.handle(crowd.update("ben", "/board")))
    await waits.wait()
    await clock.advance(timedelta(seconds=3))
    reply = await asking
    assert reply is not None
    assert reply.role.is_toast
    assert reply.text == "The board takes a moment longer."


async def test_a_game_that_forgets_is_shown_to_its_reader_until_the_turn_is_over(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await crowd.says("anna", "/newgame colorio")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    chat.refuses["post"] = Refused("missing permissions", Obstacle.RIGHTS)
    reply = await asked(crowd, "ben", "/board")
    assert reply.picture is not None
    assert reply.expires_strictly
    (shown,) = [message for message in chat.own if message.startswith("ben/")]
    table = await here(store)
    assert table is not None
    await crowd.says(*await next_turn(store, ROOM.id))
    after = await here(store)
    assert after is not None
    assert after.turn > table.turn
    assert shown not in chat.own, "it goes, although no board ends the turn"


@pytest.mark.parametrize("obstacle", Obstacle)
async def test_each_reason_comes_with_its_steps(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, obstacle: Obstacle
) -> None:
    await muted(crowd, chat, clock, obstacle)
    steps = {
        Obstacle.FILTER: "exempt me",
        Obstacle.CLOSED: "open it again",
        Obstacle.PERSON: "unblock me",
        Obstacle.GONE: "add me again",
    }
    expected = steps.get(obstacle, "send messages and pictures")
    if obstacle is Obstacle.GONE:
        await crowd.service.place_changed(PlaceLost(ROOM.id))
    assert expected in (await asked(crowd, "ben", "/view")).text


async def test_when_the_place_takes_posts_again_answers_are_as_usual(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await muted(crowd, chat, clock)
    del chat.refuses["post"]
    await crowd.says("ben", "/board")
    reply = await asked(crowd, "ben", "/board")
    assert reply.text == "Here's the board."


async def test_a_lobby_that_cannot_be_shown_says_so(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    chat.refuses["post"] = Refused("missing permissions", Obstacle.RIGHTS)
    await crowd.says("anna", "/newgame kabooom easy")
    await clock.advance(timedelta(hours=2))
    assert HEAD in (await asked(crowd, "ben", "/join")).text
