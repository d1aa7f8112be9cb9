"""Guesses of spectators: who will win? See `bot.tables.guesses`."""

from bot.chat import PersonId, Reply
from bot.replies import notes
from bot.replies.words import names
from bot.repository.repository import Repository
from bot.requests import GuessWinner
from bot.runtime.names import shown
from bot.service.context import Context
from bot.service.feature import answers
from bot.store import keys
from bot.tables import guesses, origins
from bot.tables.guesses import Guessed
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Table, require


class Guesses:
    """Answers guesses."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._store = repository.store

    async def may_guess(self, snapshot: Snapshot, person: PersonId) -> bool:
        """Return whether *person* only watches the game, and has not guessed yet."""
        table = snapshot.table
        if snapshot.state is None or snapshot.state.actor is None or await self._bar(table, person) is not None:
            return False
        return await self._store.attachment(table.id, keys.own(guesses.NAME, person)) is None

    @answers(GuessWinner)
    async def guess(self, context: Context, request: GuessWinner) -> Reply:
        """Store the guess of a spectator, the first one only. Denied: not_running, over, guess_barred, guess_seated,
        guess_made, stale."""
        table, person = context.snapshot.table, context.update.person
        require(table, Phase.RUNNING)
        bar = await self._bar(table, person.id)
        if bar is not None:
            raise Denied(bar)
        if request.seat >= len(table.seats):
            raise Denied("stale")
        name = keys.own(guesses.NAME, person.id)
        known = shown(person.name) or shown(person.handle)
        state = context.snapshot.state
        number = 0 if state is None else origins.current(table, state)
        guess = guesses.encoded(Guessed(known, request.seat, table.turn, self._repository.now_ms(), number))
        before = await self._store.attachment(table.id, name)
        if before is not None and guesses.decoded(before).seat != request.seat:
            raise Denied("guess_made")
        if before is None:
            await self._store.add_table(person.id, table.id, self._repository.now_ms())
            if await self._store.attach(table.id, name, guess, None) != guess:
                raise Denied("guess_made")
        return notes.note("guess.kept", context.lang, who=names(table, context.lang)[request.seat])

    async def _bar(self, table: Table, person: PersonId) -> str | None:
        """Return the code of the reason why *person* may not guess: guess_barred, guess_seated; None without any."""
        if await self._store.blocks.keep_apart(person, (), table.place):
            return "guess_barred"
        plays = len(table.seats) < 2 or person in table.sat or await self._repository.ballot(table.id, person)
        return "guess_seated" if plays else None
