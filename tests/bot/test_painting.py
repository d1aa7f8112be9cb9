"""Pictures are cached for a limited time."""

import asyncio
from collections.abc import Iterator

import pytest

import renderers
from bot.chat import Picture
from bot.delivery.painting import KEPT, KEPT_LOBBIES, Pictures
from renderers import Look, SeatLook, Theme
from rules import GAMES, Outcome


@pytest.fixture
def painter() -> Iterator[Pictures]:
    made = Pictures(kept=2)
    yield made
    made.close()


async def painted(painter: Pictures, name: str) -> Picture:
    """Return the first board of a game of *name* and another player."""
    start = GAMES["kabooom"].start(2, None, 0).view(None)
    return await painter.picture(start, Look((SeatLook(name), SeatLook("Ben"))))


async def test_a_picture_that_was_asked_for_lately_is_not_painted_again(painter: Pictures) -> None:
    first = await painted(painter, "Anna")
    assert await painted(painter, "Anna") is first
    other = await painted(painter, "Clara")
    assert await painted(painter, "Anna") is first
    assert await painted(painter, "Clara") is other


async def test_a_lobby_is_painted_once_for_the_same_people(painter: Pictures) -> None:
    """It is shown once more when the game begins."""
    look = Look((SeatLook("Anna"), SeatLook("Ben")))
    first = await painter.lobby("kabooom", look)
    assert await painter.lobby("kabooom", look) is first
    assert await painter.lobby("crystalla", look) != first
    for number in range(KEPT_LOBBIES):
        assert await painter.lobby("kabooom", Look((SeatLook(f"Anna {number}"),))) != first
    assert await painter.lobby("kabooom", look) is not first


@pytest.mark.parametrize("game", GAMES)
async def test_a_card_is_painted_once_and_of_the_spectators_view(painter: Pictures, game: str) -> None:
    start = GAMES[game].start(2, None, 0)
    ended = Outcome((0, 0), (1,), "resigned")
    look = Look((SeatLook("Anna"), SeatLook("\u05e2\u05e0\u05ea")), ended=ended, turns=0, minutes=1)
    first = await painter.card(start, look)
    assert first.png == renderers.card(start.view(None), look)
    assert "\u2068\u05e2\u05e0\u05ea\u2069" in first.alt
    assert await painter.card(start.view(None), look) is first


async def test_pictures_are_not_kept_for_ever(painter: Pictures) -> None:
    first = await painted(painter, "Anna")
    for name in ("Clara", "Dora"):
        await painted(painter, name)
    again = await painted(painter, "Anna")
    assert again is not first
    assert again == first
    assert KEPT < 500, "each of them is some 60 KB"


async def test_a_step_of_a_film_waits_for_the_boards_under_way(painter: Pictures) -> None:
    board = asyncio.create_task(painted(painter, "Anna"))
    await asyncio.sleep(0)
    assert await painter.film(sum, (1, 2)) == 3
    await asyncio.sleep(0)
    assert board.done()


async def test_a_picture_does_not_wait_for_preparation_and_stopping_ends_it(painter: Pictures) -> None:
    preparing = asyncio.create_task(painter.prepare(Theme.LIGHT))
    await painted(painter, "Anna")
    assert not preparing.done()
    preparing.cancel()
    painter.close()
    with pytest.raises(asyncio.CancelledError):
        await preparing
    painter._thread.shutdown()  # the step that is under way, and no other
