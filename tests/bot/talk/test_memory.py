"""A game about remembering: while it is on, nobody gains anything by scrolling up."""

import asyncio
from collections.abc import Callable

import pytest

from bot.chat import Gone, Moved, Place, PlaceId, Refused, Reply, TryLater
from bot.service import Service
from renderers import Look, SeatLook, picture
from rules import GAMES
from tests.bot.talk.recording import Crowd, RecordingChat

GAME = (
    ("anna", "/move a2 b2 b5 x"),
    ("ben", "/move e2 x a1 >a2 c1 x"),
    ("anna", "/move e1 >a1 d1 x b1 x"),
    ("ben", "/move a2"),
)
"""A whole game of two: the last cap hides the fifth blue field."""
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


def covered(seats: int) -> bytes:
    """A board on which nothing has happened."""
    start = GAMES["colorio"].start(seats, None, 0).view(None)
    return picture(start, Look(tuple(map(SeatLook, ("Anna", "Ben", "Clara")[:seats]))))


# One board only


async def test_a_new_turn_takes_the_former_board_away(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
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
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
    assert boards(chat) == [chat.newest()]
    former = [each for each in chat.messages.values() if COVERED in each.text]
    assert len(former) == 2
    for each in former:
        assert each.picture is not None
        assert each.picture.png == covered(2), "a board on which nothing has happened"
        assert each.picture.alt == each.text
        assert each.rows == ()
    assert UNCOVERED not in "".join(chat.lines)


async def test_where_former_boards_cannot_be_covered_either_that_is_said_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    chat.refuses = {"delete": Refused(), "edit": Refused()}
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
    crowd = crowd.again(bots())
    await crowd.says(*GAME[2])
    assert sum(UNCOVERED in line for line in chat.lines) == 1
    assert UNCOVERED not in chat.newest().text, "the board comes after the hint"


async def test_no_new_board_comes_before_the_former_one_is_away(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    before = chat.newest()
    chat.refuses = {"delete": TryLater(3600)}
    waiting = asyncio.create_task(crowd.says(*GAME[0]))
    await asyncio.sleep(0.1)
    assert boards(chat) == [before]
    await crowd.service.stop()
    await asyncio.wait_for(waiting, 5)


async def test_a_board_that_somebody_deleted_is_posted_anew_within_the_turn(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.trouble = [Gone()]
    await crowd.says("anna", "/move a2")
    assert boards(chat) == [chat.newest()]


async def test_a_board_left_behind_in_a_place_that_moved_is_no_board_of_the_new_place(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd)
    left = chat.newest()
    cellar = Place(PlaceId("room:cellar"))
    chat.trouble = [Moved(cellar.id)]
    await crowd.says("anna", "/move a2")
    assert boards(chat) == [chat.newest()]
    assert left not in chat.messages.values()


async def test_a_post_that_is_lost_on_its_way_shows_nothing(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.knows_nonces = False
    chat.loses = 1
    await crowd.says(*GAME[0])
    lost, board = boards(chat)
    assert board is chat.newest()
    assert board.rows
    assert lost.picture is not None
    assert lost.picture.png == covered(2)
    assert lost.rows == ()
    assert lost.text == board.text


@pytest.mark.parametrize("end", [("ben", "/resign", "[Yes, I resign]"), ("ben", "/move a2")])
async def test_what_is_over_stays(crowd: Crowd, chat: RecordingChat, end: tuple[str, ...]) -> None:
    await begun(crowd)
    for name, turn in GAME[:3]:
        await crowd.says(name, turn)
    last = chat.newest()
    name, *texts = end
    for text in texts:
        await crowd.says(name, text)
    assert [each.text for each in boards(chat)] == [last.text, chat.newest().text]
    assert boards(chat)[0].rows == ()
    reply = await crowd.says("ben", "[Moves]")
    assert reply is not None
    assert "1. Anna: a2 x b2 x b5 x" in reply.text
