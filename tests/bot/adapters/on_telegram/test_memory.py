"""A game about remembering on Telegram: one board in the group, nothing to look up in the group or in private."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import pytest

from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.delivery.painting import Pictures
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.store import Store
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.adapters.on_telegram.group import Table
from tests.bot.conftest import HandClock
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Message

COLOURS = re.compile(r"🔵|🌲|⭐|🟥|🔶|\b(blue|green|yellow|red|orange)\b")
COVERED = "The board that was here"


def is_board(message: Message) -> bool:
    """Return whether the message shows a game: the picture of a lobby is a flat banner."""
    return message.picture is not None and message.picture.height > 0.6 * message.picture.width


class Memory(Table):
    """Colorio, a game of remembering."""

    def __init__(self, telegram: Telegram, service: Service, clock: HandClock, hall: Group) -> None:
        super().__init__(telegram, service, hall)
        self.clock = clock

    async def calm(self) -> None:
        """Wait as usual, and check that no earlier board can be looked up."""
        await super().calm()
        for chat in (self.hall, *(person.private() for person in self.hall.members)):
            for message in chat.said():
                assert not COLOURS.search(message.text), message.text
        assert sum(COLOURS.search(str(message.labels)) is not None for message in self.hall.said()) <= 1
        assert len(self.boards()) == 1, "one board"

    def boards(self) -> list[Message]:
        return [message for message in self.hall.said() if is_board(message) and COVERED not in message.text]

    @property
    def board(self) -> Message:
        return self.hall.newest()

    async def types(self, text: str) -> None:
        await self.up.types(f"/move {text}", self.hall)
        await self.calm()

    async def taps(self, *labels: str) -> None:
        """Tap under the board as the actor; the board shows each result."""
        for label in labels:
            board, differs = self.board, self._differs(self.board)
            await self.up.presses(label, board)
            await self.telegram.until(differs, f"{label} changes something")
            await self.calm()

    @staticmethod
    def _differs(board: Message) -> Callable[[], bool]:
        edits = board.edits
        return lambda: board.edits > edits or board.deleted


@pytest.fixture
async def table(
    telegram: Telegram, store: Store, painter: Pictures, clock: HandClock, request: pytest.FixtureRequest
) -> AsyncIterator[Memory]:
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    people = [telegram.person(name) for name in ("Anna", "Ben", "Clara", "David", "Emil")[: request.param]]
    yield Memory(telegram, service, clock, telegram.group("Hall", *people))
    await chat.stop()
    await service.stop()


def seats(number: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", [number], indirect=True, ids=lambda count: f"{count} people")


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


@seats(5)
async def test_five_people_type_a_whole_game(table: Memory) -> None:
    await table.begins("colorio", 5)
    lobby = table.hall.said()[0]
    for turn in TURNS[:-1]:
        former = table.board
        await table.types(turn)
        assert former.deleted
        assert table.hall.said() == [lobby, table.board]
        assert table.board.text.count("\n") == 2, "the game's name, what happened, who is up"
    pings = sum(len(person.pings()) for person in table.hall.members)
    assert pings == len(TURNS)
    await table.up.types("/move e1", table.hall)
    await table.telegram.handled()
    await table.service.idle()
    assert "wins" in table.board.text
    assert len(table.hall.said()) == 3, "the last board of the game stays"
    await table.hall.members[0].presses("What happened", table.board)


@seats(2)
async def test_two_people_tap_a_whole_game(table: Memory) -> None:
    await table.begins("colorio", 5)
    for labels in (
        ("a2", "Discard", "b2", "Discard", "b5", "Discard"),
        ("e2", "Discard", "a1", "→a2 🔵", "c1", "Discard"),
        ("e1", "→a1 ⭐", "d1", "Discard", "b1", "Discard"),
    ):
        board = table.board
        await table.taps(*labels)
        assert board.deleted
        edits = board.edits - 1  # the first post shows nothing
        assert edits == 5, "one for every action that does not end the turn"
    await table.up.presses("a2", table.board)
    await table.telegram.handled()
    await table.service.idle()
    assert "wins" in table.board.text
    assert all(person.private().said() == [] for person in table.hall.members)


@seats(2)
async def test_the_board_is_a_field_of_buttons(table: Memory) -> None:
    await table.begins("colorio", 5)
    assert [len(row) for row in table.board.keys] == [5, 5, 5, 5, 5, 2]
    assert table.board.labels[0] == ["a5", "b5", "c5", "d5", "e5"]
    assert table.board.labels[4] == ["a1", "b1", "c1", "d1", "e1"]
    await table.taps("b4", "Discard")
    assert table.board.labels[1] == ["a4", "·", "c4", "d4", "e4"]
    await table.taps("✕")
    assert table.board.flat == ["Move", "More"], "nobody has missed anything yet"


@seats(2)
async def test_a_board_after_the_first_turn_offers_what_was_missed(table: Memory) -> None:
    await table.begins("colorio", 5)
    await table.types(TURNS[0])
    assert [len(row) for row in table.board.keys] == [5, 5, 5, 5, 5, 2, 1]
    await table.taps("b4", "Discard")
    assert table.board.labels[1] == ["a4", "·", "c4", "d4", "e4"]
    await table.taps("✕")
    assert table.board.flat == ["Move", "What did I miss?", "More"]


@seats(2)
async def test_the_table_plays_forced_actions_in_public(table: Memory) -> None:
    await table.begins("colorio", 5)
    board = table.board
    await table.taps("a2")
    assert table.board.flat == ["Discard", "More", "✕"]
    await table.clock.advance(timedelta(seconds=13))
    await table.service.do_due()
    await table.calm()
    assert table.board is board
    assert "a2 discarded" in board.text
    assert board.labels[3] == ["·", "b2", "c2", "d2", "e2"]


@seats(3)
async def test_the_actor_catches_up_in_private_and_it_goes_with_the_turn(table: Memory) -> None:
    await table.begins("colorio", 5)
    await table.types(TURNS[0])
    await table.types(TURNS[1])
    up = table.up
    idle = next(person for person in table.hall.members if person is not up)
    assert "turn" in (await idle.presses("What did I miss?", table.board)).text
    link = (await up.presses("What did I miss?", table.board)).url
    await up.follows(link)
    shown = await up.private().offers("1/6")
    first = shown.picture
    assert first is not None
    await up.presses("1/6", shown)
    await table.telegram.until(lambda: shown.has("2/6") or None, "the next one")
    assert shown.picture != first
    await up.types("/move", table.hall)  # the menu names colours, so it is no message of the group
    menu = await up.private().offers("✕")
    await table.calm()
    await table.types("e1 >e2")
    refusal = await up.private().shows("a different colour")
    await table.types(">a1 d1 x b1 x")
    seen = (shown, menu, refusal)
    await table.telegram.until(lambda: all(message.deleted for message in seen), "all of that goes with the turn")
    assert [message for message in up.private().said() if message.picture is not None] == []


@seats(2)
async def test_a_board_too_old_to_be_deleted_is_covered(table: Memory) -> None:
    await table.begins("colorio", 5)
    old = table.board
    old.kept = True
    before = old.picture
    await table.types(TURNS[0])
    assert not old.deleted
    assert old.picture != before
    assert COVERED in old.text
    assert old.keys == ()


@seats(2)
async def test_a_lasting_old_board_is_explained_once(table: Memory) -> None:
    await table.begins("colorio", 5)
    for turn in TURNS[:2]:
        table.board.kept = table.board.fixed = True
        await table.up.types(f"/move {turn}", table.hall)
        await table.telegram.handled()
        await table.service.idle()
    hints = [message for message in table.hall.said() if "earlier boards stay visible" in message.text]
    assert len(hints) == 1
    assert hints[0].pinged() == set()


@seats(2)
async def test_a_board_whose_posting_is_lost_shows_nothing(table: Memory) -> None:
    await table.begins("colorio", 5)
    former = table.board
    table.telegram.drops("sendPhoto", after=True)
    await table.up.types(f"/move {TURNS[0]}", table.hall)
    while len(table.boards()) < 2:
        await table.clock.advance(timedelta(seconds=1))
        await asyncio.sleep(0.01)
    await table.service.idle()
    lost, board = table.boards()
    assert former.deleted
    assert lost.picture is not None
    assert board.picture is not None
    assert lost.picture.png != board.picture.png
    assert lost.keys == (), "what was posted first, to be filled in afterwards"
    assert board.has("a1")


@seats(2)
async def test_an_unconfirmed_edit_is_replaced_after_the_next_move(
    table: Memory,
) -> None:
    """At the end one board is readable: neither the one from the unconfirmed edit nor its replacement stays."""
    await table.begins("colorio", 5)
    table.telegram.drops("editMessageMedia", after=True)
    await table.up.types(f"/move {TURNS[0]}", table.hall)
    await table.telegram.until(lambda: not table.telegram.troubles[-1].times or None, "the board is put in")
    await table.telegram.handled()
    unheard = table.board
    assert unheard.has("a1")
    await table.up.types(f"/move {TURNS[1]}", table.hall)  # the clock has not moved: no request was repeated yet
    await table.telegram.handled()
    for waited in itertools.count():
        if waited >= 100 and unheard.deleted and table.board.edits:
            break
        await table.clock.advance(timedelta(seconds=1))
        await asyncio.sleep(0.01)
    await table.service.do_due()
    await table.calm()
    assert unheard.deleted
    assert table.board.edits == 1, "it is put in"
    assert table.board.labels[4] == ["·", "b1", "·", "d1", "e1"], "as the second turn left it"
