"""People who play on through all faults. Their memory is compared with the store and the chat.

A table's two people know the rules and the position, so they know the correct content of store and chat. A person
without an answer tries again, and some interactions are delivered twice.
"""

import asyncio
import random
import time
from contextlib import suppress

from msgspec import Raw, Struct

from bot.chat import PlaceId
from bot.store.store import Store
from bot.tables.table import Phase, TableId
from rules import GAMES, State
from tests.chaos.size import SIZE, pause
from tests.emulators.discord import Channel, Discord, Interaction, Message, Person

GAME = "kalejdoschach"
DRAW = "draw"
"""The notation of an offer, which is not a turn."""
EVERY_S = 0.8
"""Pause before the answer to a board."""
AGAIN_S = 10.0
"""Time without a board before a person tries again."""
SETTLE_S = 30.0
GIVEN_UP_S = 15.0
TWICE = 0.1
"""Share of interactions that are delivered twice."""


class Findings(Struct):
    """Violations: moves or votes that people saw and the store lost, those that counted twice, missing or surplus
    boards, people who were pinged not at all or twice, and facts about people that came to a place of others."""

    lost: int = 0
    doubled: int = 0
    boards: int = 0
    calls: int = 0
    leaks: int = 0
    notes: list[str] = []

    def add(self, other: "Findings") -> None:
        self.lost += other.lost
        self.doubled += other.doubled
        self.boards += other.boards
        self.calls += other.calls
        self.leaks += other.leaks
        self.notes += other.notes

    @property
    def is_fine(self) -> bool:
        return not (self.lost or self.doubled or self.boards or self.calls or self.leaks)


class Result(Struct):
    """The outcome of a scene. *longest_s*: from a move to its board. *was_fine*: before the violation was added, if the
    scene checked then. *figures*: of scenes that count more."""

    findings: Findings
    turns: int
    longest_s: float
    seconds: float = 0.0
    was_fine: bool = False
    figures: dict[str, float] = {}


class Stuck(Exception):
    """No person was pinged within the time limit."""


class Match:
    """A channel, two people, and the boards that they saw. *board_s*: their time limit for a board."""

    def __init__(self, discord: Discord, channel: Channel, number: int) -> None:
        self._discord = discord
        self.channel = channel
        self.people = [discord.person(f"{name}{number}", channel) for name in ("Anna", "Ben")]
        self._luck = random.Random(number)
        self.board_s = SIZE.get().board_s
        self._seats: list[Person] = []
        self.state: State | None = None
        self.moves: list[str] = []
        self.played = 0
        self.longest_s = 0.0
        self.gives_up = False  # stop waiting early
        self._unsure: str = ""  # a move that was sent and not yet seen on a board
        self._lost_boards = 0  # boards of lost moves; their buttons stay
        self._begun_with = 0  # messages before the first counted turn
        self._begun_moves = 0
        self._begun_pings = 0

    @property
    def place(self) -> PlaceId:
        return PlaceId(self.channel.place)

    async def open(self, store: Store) -> None:
        anna, ben = self.people
        await anna.types("/newgame", game=GAME)
        await ben.finds("Join")
        await ben.presses("Join")
        await self._discord.until(lambda: f"• {ben.name}" in self.channel.newest().text or None, f"{ben.name} sits")
        await anna.presses("Start")
        await anna.finds("Move")
        await self.settled()
        await self.learn(store)

    async def learn(self, store: Store) -> tuple[str, ...]:
        """Adopt the stored position; return its moves."""
        table_id = await store.at(self.place)
        assert table_id is not None, f"{self.channel.name} has no table"
        loaded = await store.load(table_id)
        assert loaded is not None
        by_id = {person.account: person for person in self.people}
        self._seats = [by_id[seat.person] for seat in loaded.table.seats]
        assert isinstance(loaded.table.state, Raw)
        self.state = GAMES[loaded.table.game].decode(bytes(loaded.table.state))
        self.moves = list(await stored_moves(store, table_id))
        self._unsure = ""
        self._begun_with, self._begun_moves = len(self._posted), len(self.moves)
        self._begun_pings = sum(person.pings for person in self.people)
        return tuple(self.moves)

    async def learn_if_behind(self, store: Store) -> bool:
        """Adopt the stored position if it has fewer moves than people saw; return whether it had.

        A finished game has no stored position.
        """
        if self.state is not None and self.state.actor is None:
            return False
        table_id = await store.at(self.place)
        assert table_id is not None
        behind = len(await stored_moves(store, table_id)) < len(self.moves)
        if behind:
            await self.learn(store)
        return behind

    @property
    def _boards(self) -> list[Message]:
        return self.channel.public

    @property
    def _posted(self) -> list[Message]:
        """Boards, including deleted ones: a bot deletes a board that a dead bot posted twice."""
        public = (message for message in self.channel.messages if message.reader is None)
        return [message for message in public if not message.deleted or message.attachments]

    async def play(self, until: asyncio.Event, turns: int = 10**6) -> None:
        """Play until the event is set or the game is over. Raises Stuck."""
        for _ in range(turns):
            if until.is_set() or self.state is None or self.state.actor is None:
                return
            await self._turn()
            await pause(EVERY_S * self._luck.uniform(0.5, 1.5))

    async def _turn(self) -> None:
        state = self.state
        assert state is not None
        assert state.actor is not None
        person = self._seats[state.actor]
        action = self._luck.choice(
            [
                action
                for action in state.actions()
                if (state.warns(action) or state.cautions(action)) is None and str(action) != DRAW
            ]
        )
        after = state.play(action)
        called = None if after.actor is None else self._seats[after.actor]
        known = {board.id for board in self._boards}  # ids, not their number: boards may be deleted meanwhile
        self._unsure, begun = str(action), time.monotonic()

        def seen() -> bool | None:
            new = [board for board in self._boards if board.id not in known]
            return any(called is None or called.id in message.pinged for message in new) or None

        try:
            async with asyncio.timeout(self.board_s):
                while not seen():
                    await self._tried(person, str(action), seen)
                    if self.gives_up and time.monotonic() - begun > GIVEN_UP_S and not seen():
                        return
        except TimeoutError:
            who = called.name if called is not None else "everybody"
            raise Stuck(f"{self.channel.name}: {who} was not called after {action}") from None
        self.state, self._unsure = after, ""
        self.moves.append(str(action))
        self.played += 1
        self.longest_s = max(self.longest_s, time.monotonic() - begun)

    async def _tried(self, person: Person, move: str, seen: object) -> None:
        """Send a move once, and wait for its board or a refusal."""
        try:
            done = await person.sends("/move", move=move)
            if self._luck.random() < TWICE:
                await self._discord.deliver(done)
        except (AssertionError, ConnectionError):  # no shard is connected
            await asyncio.sleep(0.3)
            return
        assert callable(seen)
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN_S):
                while not seen() and done.answer is None:
                    await asyncio.sleep(0.02)
        self._forget(done)
        if not seen():
            await asyncio.sleep(1.0)

    def _forget(self, done: Interaction) -> None:
        """Ignore an interaction that a dead process did not answer."""
        if done.first_answer is None:
            self._discord.interactions.pop(done.token, None)

    async def settled(self) -> None:
        """Wait until old buttons are removed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                while self.live() > 1 + self._lost_boards:
                    await asyncio.sleep(0.05)

    def live(self) -> int:
        """Return the number of messages with a *Move* button."""
        return sum("Move" in board.buttons for board in self._boards)

    async def show(self) -> None:
        """Request the board, because the visible one shows lost moves."""
        known = len(self._boards)
        await self.people[0].types("/board")
        await self._discord.until(lambda: len(self._boards) > known or None, f"{self.channel.name} is shown")
        await self.settled()
        self.leaves_lost_boards()

    def leaves_lost_boards(self) -> None:
        """Count the older boards with buttons as boards of lost moves, which stay."""
        self._lost_boards = self.live() - 1

    def is_called(self) -> bool:
        """Return whether the newest board pings the current player."""
        if self.state is None or self.state.actor is None:
            return True
        return self._seats[self.state.actor].id in self._boards[-1].pinged

    async def checked(self, store: Store, may_lose: int = 0) -> Findings:
        """Compare the store with the people's memory while no one plays. *may_lose*: moves that this fault may lose
        according to the docs."""
        result = Findings()
        table_id = await store.at(self.place)
        if self.state is not None and self.state.actor is None:
            return result  # over: the place may have a new game
        if table_id is None:
            return Findings(lost=len(self.moves), notes=[f"{self.channel.name}: the table is gone"])
        stored = list(await stored_moves(store, table_id))
        seen = [*self.moves, *([self._unsure] * bool(self._unsure))]
        if stored == seen[: len(stored)] and len(stored) >= len(self.moves):
            pass
        elif stored == seen[: len(stored)]:
            if len(self.moves) - len(stored) > may_lose:
                result.lost = len(self.moves) - len(stored)
                result.notes.append(f"{self.channel.name}: {result.lost} moves are lost, {may_lose} may be")
        elif len(stored) > len(seen):
            result.doubled = len(stored) - len(seen)
            result.notes.append(f"{self.channel.name}: stored {stored[-4:]}, played {seen[-4:]}")
        else:
            result.lost = 1
            result.notes.append(f"{self.channel.name}: stored {stored[-4:]}, played {seen[-4:]}")
        loaded = await store.load(table_id)
        if loaded is None or loaded.table.phase != Phase.RUNNING or not self._replays(loaded.table.state, stored):
            result.doubled += 1
            result.notes.append(f"{self.channel.name}: the position is not what its log gives")
        return result

    def _replays(self, state: object, stored: list[str]) -> bool:
        """Return whether the stored position is the known one; True if moves were lost."""
        assert isinstance(state, Raw)
        known = GAMES[GAME].decode(bytes(state))
        return stored != self.moves or known == self.state

    async def shown(self) -> Findings:
        """Check the chat: one board per turn, one ping per turn, one message with buttons."""
        result = Findings()
        await self.settled()
        if self.state is None or self.state.actor is None:
            return result
        turns = len(self.moves) - self._begun_moves
        if len(self._posted) - self._begun_with != turns:
            more = len(self._posted) - self._begun_with - turns
            result.boards += abs(more)
            result.notes.append(f"{self.channel.name}: {more:+} boards after {turns} turns")
        if self.live() != 1 + self._lost_boards or "Move" not in self._boards[-1].buttons:
            result.boards += 1
            result.notes.append(f"{self.channel.name}: {self.live()} boards can be played on")
        calls = sum(person.pings for person in self.people) - self._begun_pings
        if calls != turns or (turns and not self.is_called()):
            result.calls += max(1, abs(calls - turns))
            result.notes.append(f"{self.channel.name}: {calls} calls in {turns} turns")
        return result


async def stored_moves(store: Store, table: TableId) -> tuple[str, ...]:
    return tuple(entry.action for entry in await store.log(table) if entry.action)
