"""A real process of the bot, killed in mid-turn and started again: no move lost, none doubled, old buttons work."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Key, Message
from tests.emulators.telegram.world import Person as Member

ROOT = Path(__file__).parents[4]


@asynccontextmanager
async def running(telegram: Telegram, directory: Path) -> AsyncIterator[Process]:
    """Yield the bot as an operator starts it, with its data in *directory*; it is killed at the end."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TELEGRAM_", "DISCORD_"))}
    environment |= {
        "TELEGRAM_TOKEN": telegram.token,
        "TELEGRAM_API_URL": telegram.url,
        "DATA_DIR": str(directory / "data"),
        "PYTHONPATH": str(ROOT),
        "REDIS_URL": "",
    }
    with (directory / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=directory, env=environment, stdin=DEVNULL, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()


def called(hall: Group) -> Member:
    (number,) = hall.newest().pinged()
    return next(person for person in hall.members if person.id == number)


def choices(message: Message) -> list[Key]:
    return [
        key for row in message.keys for key in row if re.match("menu:.*[.]|play:", key.data) and key.text != "↩ Back"
    ]


async def posted(hall: Group, count: int) -> Message:
    """Wait until so many of the bot's messages stand in *hall*."""
    await hall.telegram.until(lambda: len(hall.said()) >= count or None, f"message {count} is posted")
    return hall.newest()


async def chosen(hall: Group) -> tuple[Member, Key]:
    """Tap as the actor until a button that plays is visible; return the actor and that button, not yet pressed."""
    person, board = called(hall), hall.newest()
    await person.presses("Move", board)
    await hall.telegram.until(lambda: choices(board) or None, "the menu opens")
    while further := [key for key in choices(board) if key.data.startswith("menu:")]:
        edits = board.edits
        await person.taps_key(further[0], board).answered()
        await changed(board, edits)
    return person, choices(board)[0]


async def changed(board: Message, edits: int) -> None:
    await board.chat.telegram.until(lambda: board.edits > edits or None, "the buttons change")


async def begun(hall: Group, game: str = "kabooom easy") -> None:
    anna, ben = hall.members
    await anna.types(f"/newgame {game}", hall)
    await ben.presses("Join", hall)
    await anna.presses("Start", hall)
    await posted(hall, 2)


def moves(hall: Group) -> list[str]:
    """Return the moves reported by the boards, each once."""
    return re.findall(r"\w+ climbs from .. onto ..", "\n".join(message.text for message in hall.said()))


async def test_a_bot_killed_before_it_could_post_posts_after_the_start(telegram: Telegram, tmp_path: Path) -> None:
    hall = telegram.group("Hall", telegram.person("Anna"), telegram.person("Ben"))
    async with running(telegram, tmp_path):
        await begun(hall)
        person, key = await chosen(hall)
        telegram.ignores("sendPhoto")  # saved, and then nothing more is heard of it
        person.taps_key(key, hall.newest())
        await telegram.until(lambda: not telegram.troubles[-1].times or None, "the board is on its way")
    async with running(telegram, tmp_path):
        await posted(hall, 3)
        assert called(hall) is not person
        old, key = await chosen(hall)
        board = hall.newest()
    async with running(telegram, tmp_path):  # the menu was opened before this one began
        await old.taps_key(key, board).answered()
        await posted(hall, 4)
        assert called(hall) is person
    assert len(moves(hall)) == len(set(moves(hall))) == 2
    assert [len(member.pings()) for member in hall.members] in ([2, 1], [1, 2])


async def test_moves_typed_while_the_bot_is_dead_are_played_once(telegram: Telegram, tmp_path: Path) -> None:
    hall = telegram.group("Hall", telegram.person("Anna"), telegram.person("Ben"))
    async with running(telegram, tmp_path):
        await begun(hall)
        person, key = await chosen(hall)
        await telegram.until(lambda: telegram.listening or None)
        telegram.ignores("getUpdates", times=1000)  # later updates cannot be confirmed any more
        person.taps_key(key, hall.newest())
        await posted(hall, 3)
    telegram.troubles.clear()
    other = called(hall)
    async with running(telegram, tmp_path):
        await telegram.handled()
        person, key = await chosen(hall)
        assert person is other
    telegram.taps.clear()
    board = hall.newest()
    person.taps_key(key, board)  # no process is running
    boards = len(hall.said())
    async with running(telegram, tmp_path):
        await posted(hall, boards + 1)
        await person.types("/history", hall)
        history = await hall.shows("1. ", "2. ")
    assert re.fullmatch(r"2\. (\w+) climbs from .*\n1\. (?!\1)\w+ climbs from .*", history.text.partition("\n")[2])


async def test_a_choice_within_a_turn_survives_a_kill_and_private_boards_fade(
    telegram: Telegram, tmp_path: Path
) -> None:
    anna, ben = telegram.person("Anna"), telegram.person("Ben")
    hall = telegram.group("Hall", anna, ben)

    async def taps(*labels: str) -> None:
        for label in labels:
            await hall.offers(label)
            board = hall.newest()
            edits = board.edits
            await anna.presses(label, board)
            await changed_or_gone(board, edits)

    async with running(telegram, tmp_path):
        await anna.opens()
        await anna.types("/newgame colorio", hall)
        await ben.presses("Join", hall)
        await anna.presses("Start", hall)
        board = await hall.offers("a2")
        await taps("a2")
        await telegram.until(lambda: board.flat == ["Discard", "More", "✕"], "the board offers the choice")
        await anna.types("/move", hall)
        menu = await anna.private().offers("Discard")
        await anna.types("/games")
        await anna.private().shows("one game")
    async with running(telegram, tmp_path):
        await telegram.until(lambda: telegram.listening or None)
        assert board.flat == ["Discard", "More", "✕"], "the same choice"
        await taps("Discard", "b2", "Discard", "b5", "Discard")
        await telegram.until(lambda: board.deleted and menu.deleted, "both go with the turn")
        await telegram.until(lambda: ben.id in hall.newest().pinged() or None, "the next one is up")
        await telegram.until(lambda: hall.newest().has("What did I miss?") or None, "and can catch up")


async def changed_or_gone(board: Message, edits: int) -> None:
    await board.chat.telegram.until(lambda: board.edits > edits or board.deleted, "the board goes on")


async def test_a_turn_of_several_steps_resumes_in_its_message_after_a_kill(telegram: Telegram, tmp_path: Path) -> None:
    hall = telegram.group("Hall", telegram.person("Anna"), telegram.person("Ben"))
    async with running(telegram, tmp_path):
        await begun(hall, "crystalla")
        person, board = called(hall), hall.newest()
        other = next(member for member in hall.members if member is not person)
        person.private().closed = False
        assert (await person.presses("Move", board)).text == "I've written to you privately."
        menu = await person.private().offers("Keep all three")
        await person.presses("Keep all three", menu)
        await hall.telegram.until(lambda: not menu.has("Keep") or None, "the next step")
    async with running(telegram, tmp_path):
        for _ in range(2):  # the card, its field and its orientation
            edits = menu.edits
            await person.taps_key(choices(menu)[0], menu).answered()
            await changed(menu, edits)
        assert person.private().said() == [menu], "one message that goes on"
        await other.types("/board", hall)
        again = await hall.telegram.until(lambda: hall.newest() if hall.newest() is not board else None, "it is posted")
        assert "Turn order" in again.text
        assert "keeps" not in again.text, "the others see the turn when it is complete"
        left = {key.text[0] for key in choices(menu)}
        await person.types("/move " + " ".join(f"{slot}bne" for slot in sorted(left)), hall)
        await hall.shows("keeps the cards", "on a1")
        assert called(hall) is other
    assert [len(member.pings()) for member in (person, other)] == [1, 1]


async def colorio(telegram: Telegram, hall: Group) -> tuple[Member, Member]:
    """Start a memory game; return the actor and the other player."""
    await begun(hall, "colorio")
    board = await hall.offers("a5")
    await telegram.until(lambda: "has begun" in hall.said()[0].text, "the lobby says so")
    up = next(person for person in hall.members if person.id in board.pinged())
    return up, next(person for person in hall.members if person is not up)


async def test_an_unrecorded_memory_board_is_covered_after_a_kill(telegram: Telegram, tmp_path: Path) -> None:
    """Telegram applies the edit, but its answer is lost: the next board covers that one, too."""
    hall = telegram.group("Hall", telegram.person("Anna"), telegram.person("Ben"))
    async with running(telegram, tmp_path):
        up, other = await colorio(telegram, hall)
        first = hall.newest()
        telegram.ignores("editMessageMedia", after=True, times=1000)
        await up.types("/move a2 b2 b5 x", hall)
        await telegram.until(
            lambda: first.deleted and hall.newest().has("What did I miss?"), "the next board is put in"
        )
        second = hall.newest()
    telegram.troubles.clear()
    await other.types("/move c1 x c2 x c3 x", hall)  # before the request can be repeated
    async with running(telegram, tmp_path):
        await telegram.until(lambda: up.id in hall.newest().pinged() and hall.newest().has("What did I miss?"))
        assert second.deleted
        assert len(hall.said()) == 2, "the lobby and one board"


async def test_a_bot_killed_before_a_board_was_put_in_puts_it_in_after_the_start(
    telegram: Telegram, tmp_path: Path
) -> None:
    hall = telegram.group("Hall", telegram.person("Anna"), telegram.person("Ben"))
    async with running(telegram, tmp_path):
        up, other = await colorio(telegram, hall)
        telegram.ignores("editMessageMedia", times=1000)
        await up.types("/move a2 b2 b5 x", hall)
        await telegram.until(lambda: telegram.troubles[-1].times < 1000 or None, "the board is on its way")
        blank = hall.newest()
        assert blank.labels == []
    telegram.troubles.clear()
    async with running(telegram, tmp_path):
        await telegram.until(lambda: blank.has("What did I miss?") or None, "the board is put in")
        assert hall.newest() is blank
        await other.types("/move c1 x c2 x c3 x", hall)
        await telegram.until(lambda: up.id in hall.newest().pinged() and blank.deleted, "the game goes on")
