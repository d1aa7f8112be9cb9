"""Since my turn: a short film for one player, from the position that they left to the current one.

request ── this film is cached ────────────────────────────────────────────▶ shown
  └── painted step by step in the films' thread, boards first ── in time ──▶ shown
                                   └── late or failed: the newest board, ──▶ shown
                                       its lines and marks numbered

Each frame is the player's own view, with the hand in games that have one. Boards that must not stay have no film: the
missed ones are shown one at a time.
"""

import logging
from collections.abc import Sequence, Set

from msgspec.structs import replace

import texts
from bot.chat import Expiry, PersonId, Reply
from bot.delivery.painting import Pictures
from bot.extras.short_films import MOST_FRAMES, Recap, ShortFilms
from bot.replies import news, notes, words
from bot.replies.buttons import button
from bot.repository.repository import Repository
from bot.repository.turn_rights import who_acts
from bot.requests import Missed, Since
from bot.service.context import Context
from bot.service.feature import Beside, Feature, answers, beside
from bot.service.history import HistoryAnswers
from bot.service.not_acting import not_acting
from bot.tables import logbook
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Entry, Phase, Table
from renderers import Look
from rules import State

log = logging.getLogger(__name__)

MOST_LINES = 8


class SinceMyTurn(Feature):
    """Answers requests for what has happened since a person's last turn."""

    def __init__(
        self,
        repository: Repository,
        history: HistoryAnswers,
        painter: Pictures,
        films: ShortFilms,
        features: Sequence[Feature] = (),
    ) -> None:
        """*features*: those with lines for a person's own view."""
        self._repository = repository
        self._history = history
        self._painter = painter
        self._features = features
        self._films = films

    async def stop(self) -> None:
        await self._films.stop()

    @answers(Since)
    async def since(self, context: Context, _: Since) -> Reply:
        """Show the film. Denied: not_running, over, not_playing, house_plays, stale."""
        update, snapshot, lang = context.update, context.snapshot, context.lang
        table, state = snapshot.table, snapshot.state
        tables.require(table, Phase.RUNNING)
        assert state is not None
        seat = tables.require_seat(table, update.person.id)
        if tables.forgets(table, state):
            return await self.missed(context, Missed(table.id))
        whole = await self._repository.log(table)
        entries = logbook.effective(whole) if seat == state.actor else logbook.public_actions(table, whole)
        happened = logbook.since_left(table, entries, seat)
        if not happened:
            return notes.note("since.nothing", lang)
        look = replace(await self._history.look(update, table, seat, lang), hand=seat)
        states = await self._painter.film(logbook.positions, table, entries)
        recap = await self._painter.film(recap_of, states, table, entries, happened, look)
        own = await beside(self._features, snapshot, update.person.id, lang)

        def summary(*, numbered: bool = False) -> Reply:
            reply = notes.since(table, recap.views[-1], seat, happened, MOST_LINES, lang, numbered=numbered)
            return notes.with_beside(reply, own.lines, ())

        film = await self._films.film(f"{table.game}-since", recap)
        if film is None:
            spots = await self._painter.spots(recap.views[-1], recap.looks[-1])
            fields = {part for part in spots if not texts.knows(table.game, f"part.{part}")}
            numbers = numbered(fields, states, entries, news.posted_turns(table, happened, lang))
            look = replace(recap.looks[-1], numbers=numbers)
            return replace(summary(numbered=True), picture=await self._painter.picture(recap.views[-1], look))
        return replace(summary(), file=film)

    @answers(Missed)
    async def missed(self, context: Context, request: Missed) -> Reply:
        """Show a board since the reader's last turn, if boards do not stay. Denied: stale."""
        update, snapshot, lang = context.update, context.snapshot, context.lang
        acting = who_acts(snapshot, update.person.id)
        if acting is None:
            return not_acting(snapshot, update, lang)
        if not tables.forgets(snapshot.table, acting.state):
            raise Denied("stale")
        boards = logbook.missed(snapshot.table, await self._repository.log(snapshot.table), acting.seat)
        if not boards:
            return notes.note("missed.nothing", lang)
        page = min(request.page or 0, len(boards) - 1)
        look = await self._history.look(update, snapshot.table, None, lang)
        picture = await self._painter.picture(boards[page].view, look)
        reply = notes.missed(snapshot.table, acting.seat, boards, page, picture, lang)
        return replace(reply, expires=Expiry(tables.time_of(snapshot.table), is_strict=True))

    async def beside(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
        """Return the button of the film, if there is more to see than one action."""
        table, state, seat = snapshot.table, snapshot.state, snapshot.table.seat_of(person)
        if state is None or seat is None or not logbook.catches_up(table, snapshot.recent, state, seat):
            return Beside()
        return Beside(buttons=(button(Since(table.id), lang),))


def recap_of(
    states: Sequence[State], table: Table, entries: Sequence[Entry], happened: Sequence[Entry], look: Look
) -> Recap:
    """Return the frames: the position before *happened*, the positions after each of its actions if there is room, else
    after each turn, and the newest one.

    *states*: the first position, and the one after each of *entries*. *look*: the reader's, whose seat it names.
    """
    seat, last = look.hand, len(entries)
    assert seat is not None
    begun = last - sum(entry.seat == seat and entry.turn == table.turn for entry in entries)  # of their unfinished turn
    first = begun - len(happened)
    numbers: Sequence[int] = [*range(first, begun + 1), *([last] if last > begun else [])]
    if len(numbers) > MOST_FRAMES:
        numbers = logbook.picked([first + end for end in logbook.ends_of_turns(entries[first:])], MOST_FRAMES)
    looks = (
        words.look_then(words.with_recent(look, entries[:number], None), table, entries[number].turn)
        for number in numbers[:-1]
    )
    newest = words.with_recent(look, entries, seat)
    return Recap(tuple(states[number].view(seat) for number in numbers), (*looks, newest))


def numbered(
    fields: Set[str],
    states: Sequence[State],
    entries: Sequence[Entry],
    lines: Sequence[tuple[Sequence[Entry], str]],
) -> tuple[tuple[str, int], ...]:
    """Return the field at which each action of the newest *lines* ends, with the number of its line.

    *fields*: those on the board. *states*: the first position, and the one after each of *entries*.
    """
    number_of = {id(entry): number for number, (turn, _) in enumerate(lines, 1) for entry in turn}
    numbers = list[tuple[str, int]]()
    for before, entry in zip(states, entries, strict=False):
        number = number_of.get(id(entry), 0)
        if number > len(lines) - MOST_LINES and number:
            parts = logbook.action_of(before, entry.action).parts
            numbers += [(part, number) for part in reversed(parts) if part in fields][:1]
    return tuple(numbers)
