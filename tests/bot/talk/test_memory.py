"""A game about remembering: while it is on, nobody gains anything by scrolling up."""

import asyncio
from collections.abc import Callable

import pytest

from bot.chat import Gone, Moved, Place, PlaceId, Refused, Reply, TryLater
from bot.service import Service
from renderers import Look, SeatLook, picture
from rules import GAMES
from tests.bot.talk.recording import Crowd, RecordingChat

FIRST_TURN = "/move a1 b1 c1 x"
COVERED = "Here lay the board"
UNCOVERED = "former boards stay visible"


async def begun(crowd: Crowd, *others: str, words: str = "") -> None:
    await crowd.says("anna", f"/newgame colorio {words}")
    for name in others or ("ben",):
        await crowd.says(name, "/join")
    if len(others) < 4:
        await crowd.says("anna", "/start")


def boards(chat: RecordingChat) -> list[Reply]:
    """The posts in which a board of the running game can be seen."""
    return [each for each in chat.messages.values() if each.picture is not None and COVERED not in each.text]


# One board only


async def test_a_new_turn_takes_the_former_board_away(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    await crowd.says("anna", FIRST_TURN)
    await crowd.says("ben", "/move a2 x b2 x c2 x")
    assert boards(chat) == [chat.newest()]
    assert "who plays?" in next(iter(chat.messages.values())).title, "the lobby stays"


async def test_showing_the_board_again_moves_it(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name, text in (("clara", "/board"), ("anna", "/view"), ("ben", "/view")):
        before = chat.newest()
        await crowd.says(name, text)
        assert boards(chat) == [chat.newest()]
        assert chat.newest() is not before


async def test_where_nothing_may_be_deleted_the_former_board_is_covered(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.refuses = {"delete": Refused()}
    await crowd.says("anna", FIRST_TURN)
    await crowd.says("ben", "/move a2 x b2 x c2 x")
    assert boards(chat) == [chat.newest()]
    former = [each for each in chat.messages.values() if COVERED in each.text]
    assert len(former) == 2
    start = GAMES["colorio"].start(2, None, 0).view(None)
    look = Look((SeatLook("Anna"), SeatLook("Ben")))
    for each in former:
        assert each.picture is not None
        assert each.picture.png == picture(start, look), "a board on which nothing has happened"
        assert each.picture.alt == each.text
        assert each.rows == ()
    assert UNCOVERED not in "".join(chat.lines)


async def test_where_former_boards_cannot_be_covered_either_that_is_said_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    chat.refuses = {"delete": Refused(), "edit": Refused()}
    await crowd.says("anna", FIRST_TURN)
    await crowd.says("ben", "/move a2 x b2 x c2 x")
    crowd = crowd.again(bots())
    await crowd.says("anna", "/move a3 x b3 x c3 x")
    assert sum(UNCOVERED in line for line in chat.lines) == 1
    assert UNCOVERED not in chat.newest().text, "the board comes after the hint"


async def test_no_new_board_comes_before_the_former_one_is_away(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    before = chat.newest()
    chat.refuses = {"delete": TryLater(3600)}
    waiting = asyncio.create_task(crowd.says("anna", FIRST_TURN))
    await asyncio.sleep(0.1)
    assert boards(chat) == [before]
    await crowd.service.stop()
    await asyncio.wait_for(waiting, 5)


async def test_a_board_that_somebody_deleted_is_posted_anew_within_the_turn(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.trouble = [Gone()]
    await crowd.says("anna", "/move a1")
    assert boards(chat) == [chat.newest()]


async def test_a_board_left_behind_in_a_place_that_moved_is_no_board_of_the_new_place(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd)
    left = chat.newest()
    cellar = Place(PlaceId("room:cellar"))
    chat.trouble = [Moved(cellar.id)]
    await crowd.says("anna", "/move a1")
    assert boards(chat) == [chat.newest()]
    assert left not in chat.messages.values()


@pytest.mark.parametrize("end", ["[Yes, I resign]", "out"])
async def test_what_is_over_stays(crowd: Crowd, chat: RecordingChat, end: str) -> None:
    await begun(crowd)
    await crowd.says("anna", FIRST_TURN)
    last = chat.newest()
    if end == "out":
        while chat.newest().call is not None:
            call = chat.newest().call
            assert call is not None
            last = chat.newest()
            name = call.person.id.removeprefix("room:")
            for menu in "[Move]", "[…]":
                await crowd.says(name, menu)
    else:
        await crowd.says("ben", "/resign")
        await crowd.says("ben", end)
    assert len(boards(chat)) == 2
    assert boards(chat)[0].text == last.text
    assert not boards(chat)[0].rows
    assert "Moves" in str(chat.newest().rows)
    reply = await crowd.says("ben", "[Moves]")
    assert reply is not None
    assert "a1 x b1 x c1 x" in reply.text
