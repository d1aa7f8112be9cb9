"""A game about remembering on Discord: one board in the channel, and private menus that go with the turn."""

import functools
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.adapters import on_discord
from bot.app import build
from bot.delivery.painting import Pictures
from bot.service.service import Service
from bot.store.store import Store
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.on_discord.test_games import is_board
from tests.bot.conftest import HandClock
from tests.emulators.discord import Broken, Channel, Discord, Message, Person

COLOURS = re.compile(r"🔵|🌲|⭐|🟥|🔶|\b(blue|green|yellow|red|orange)\b")
COVERED = "The board that was here"
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")
TURNS = (
    "a2 b2 b5 x",
    "e2 x a1 >a2 c1 x",
    "e1 >a1, d1 x, b1 x",
    "a2",
    "d2 a2 c2 x d3 x",
    "a2",
    "a3 a2 b3 x c3 weg",
    "a2",
    "a5 e1 c5 x e5 x",
    "e1",
)
"""A game of five; of two the first four turns are a whole game."""


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as opened:
        yield opened


@pytest.fixture
def hall(discord: Discord) -> Channel:
    return discord.channel("hall")


@pytest.fixture
async def bot(
    discord: Discord, hall: Channel, store: Store, painter: Pictures, clock: HandClock
) -> AsyncIterator[Service]:
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    chat = on_discord.open(discord.environment)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    await discord.connected()
    yield service
    await chat.stop()
    await service.stop()


async def begun(hall: Channel, number: int) -> tuple[Person, ...]:
    people = tuple(hall.discord.person(name, hall) for name in NAMES[:number])
    await people[0].types("/newgame", game="colorio")
    lobby = await hall.reads("who's playing?")
    for person in people[1:]:
        await person.presses("Join", on=lobby)
        if person.name != NAMES[-1]:
            await hall.reads(person.name)
    if number < len(NAMES):
        await people[0].presses("Start", on=lobby)
    await hall.reads("Turn order")
    return people


def up(hall: Channel, people: tuple[Person, ...]) -> Person:
    """Return the person that the board calls."""
    (called,) = (person for person in people if f"<@{person.id}>" in hall.newest().content)
    return called


def boards(hall: Channel) -> list[Message]:
    return [message for message in hall.public if is_board(message) and COVERED not in message.text]


def private(hall: Channel) -> list[Message]:
    """Return the ephemeral messages that are still visible."""
    return [message for message in hall.messages if message.reader is not None and not message.deleted]


def looked_up(hall: Channel) -> list[str]:
    """Return all texts that name a colour, except those of the newest board."""
    said = [
        (message, f"{message.text} {message.rows} {[one.alt for one in message.attachments]}")
        for message in hall.messages
    ]
    return [
        text for message, text in said if not message.deleted and message is not hall.newest() and COLOURS.search(text)
    ]


async def test_five_people_type_a_whole_game(bot: Service, discord: Discord, hall: Channel) -> None:
    people = await begun(hall, 5)
    for turn in TURNS[:-1]:
        former = hall.newest()
        await up(hall, people).types("/move", move=turn)
        await bot.idle()
        assert former.deleted
        assert boards(hall) == [hall.newest()]
        assert looked_up(hall) == []
    assert sum(person.pings for person in people) == len(TURNS)
    await up(hall, people).types("/move", move=TURNS[-1])
    await bot.idle()
    assert "wins" in hall.newest().text
    assert len(boards(hall)) == 2, "the last board of the game stays"


async def test_two_people_tap_a_whole_game(bot: Service, discord: Discord, hall: Channel) -> None:
    people = await begun(hall, 2)
    for labels in (
        ("a2", "Discard", "b2", "Discard", "b5", "Discard"),
        ("e2", "Discard", "a1", "→a2 🔵", "c1", "Discard"),
        ("e1", "→a1 ⭐", "d1", "Discard", "b1", "Discard"),
        ("a2",),
    ):
        person, board = up(hall, people), hall.newest()
        menu = await (await person.presses("Move", on=board)).answered()
        for label in labels:
            assert boards(hall) == [board]
            if label[0] in "abcde":
                assert [len(row) for row in menu.rows] == [5, 5, 5, 5, 5, 1], "the board as buttons, and the way out"
            await (await person.presses(label, on=menu)).answered()
            await bot.idle()
        assert board.edits == len(labels) - 1 or len(labels) == 1
        await discord.until(functools.partial(lambda message: message.deleted or None, menu), "what was offered goes")
    assert "wins" in hall.newest().text


async def test_a_turn_begins_on_the_fields_under_the_board_and_goes_on_in_private(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    """As many rows of fields as fit above the board's own buttons, which lead to the others: no menu before them."""
    people = await begun(hall, 2)
    person, other = up(hall, people), next(person for person in people if person is not up(hall, people))
    board = hall.newest()
    assert board.rows == [*([f"{column}{row}" for column in "abcde"] for row in (5, 4, 3, 2)), board.rows[-1]]
    assert "Move" in board.rows[-1]
    assert "turn" in (await (await other.presses("b2", on=board)).answered()).text, "the others are told kindly"
    menu = await (await person.presses("b2", on=board)).answered()
    await bot.idle()
    assert menu.reader == person
    assert ["Discard"] in menu.rows
    assert "b2" not in str(hall.newest().rows)
    await (await person.presses("Discard", on=menu)).answered()
    await bot.idle()
    fields = [label for row in hall.newest().rows[:-1] for label in row]
    assert fields[:2] == ["a5", "b5"]
    assert "b2" not in fields


async def test_the_actor_catches_up_in_private_and_it_goes_with_the_turn(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    people = await begun(hall, 3)
    for turn in TURNS[:2]:
        await up(hall, people).types("/move", move=turn)
        await bot.idle()
    person = up(hall, people)
    idle = next(player for player in people if player is not person)
    assert "turn" in (await (await idle.presses("What did I miss?")).answered()).text
    shown = await (await person.presses("What did I miss?", on=hall.newest())).answered()
    assert shown.reader is person
    first = shown.alt
    await (await person.presses("Page 1/6 ▶", on=shown)).answered()
    assert shown.alt != first
    refused = await person.types("/move", move="e1 >e2")
    asked = await person.types("/move")
    await bot.idle()
    assert refused.answer is not None
    assert asked.answer is not None
    seen = [shown, refused.answer, asked.answer]
    await person.types("/move", move=">a1 d1 x b1 x")
    await bot.idle()
    await discord.until(lambda: all(message.deleted for message in seen) or None, "all of that goes with the turn")
    assert looked_up(hall) == []
    assert [message for message in private(hall) if message.attachments] == []


async def test_without_delete_rights_former_boards_are_covered(bot: Service, discord: Discord, hall: Channel) -> None:
    people = await begun(hall, 2)
    discord.will("DELETE", f"/channels/{hall.id}", *[Broken(403, 50013)] * 2)
    for turn in TURNS[:2]:
        await up(hall, people).types("/move", move=turn)
        await bot.idle()
    covered = [message for message in hall.public if COVERED in message.text]
    assert len(covered) == 2
    assert all(COVERED in message.alt and message.rows == [] for message in covered)
    assert boards(hall) == [hall.newest()]
    assert looked_up(hall) == []


async def test_a_lasting_old_board_is_explained_once(bot: Service, discord: Discord, hall: Channel) -> None:
    people = await begun(hall, 2)
    discord.will("DELETE", f"/channels/{hall.id}", *[Broken(403, 50013)] * 2)
    discord.will("PATCH", f"/channels/{hall.id}", *[Broken(403, 50013)] * 2)
    for turn in TURNS[:2]:
        await up(hall, people).types("/move", move=turn)
        await bot.idle()
    assert len([message for message in hall.public if "earlier boards stay visible" in message.text]) == 1
    assert hall.newest().attachments


async def test_the_table_plays_forced_actions_in_public(
    bot: Service, discord: Discord, hall: Channel, clock: HandClock
) -> None:
    people = await begun(hall, 2)
    board = hall.newest()
    await up(hall, people).types("/move", move="a2")
    await bot.idle()
    assert "blue" in board.alt
    await clock.advance(timedelta(seconds=13))
    await bot.do_due()
    await bot.idle()
    assert hall.newest() is board
    assert "a2 discarded" in board.text
    assert board.edits == 2
