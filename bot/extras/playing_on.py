"""Play on from a position of a finished game: another table, unrated, with everything hidden dealt anew."""

import asyncio
from collections.abc import Mapping, Sequence

from bot.chat import Button, Picture, Reply, Role, Style
from bot.delivery.painting import Pictures
from bot.replies import words
from bot.replies.buttons import button, close, in_rows
from bot.repository.repository import Repository
from bot.requests import PlayOn
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.service.history import HistoryAnswers
from bot.service.lobbies import Lobbies
from bot.tables import logbook, origins
from bot.tables.table import Denied, Entry, Phase, Table
from rules import State
from rules.beginning import leaves_open

MOST_TURNS = 6
"""Turns among which to choose."""
HOUSE, PEOPLE = 0, 1
"""The ways to play on: against the house, or in a lobby."""


class PlayingOn(Feature):
    """Answers *Play on from here*: which turn, which side, against whom."""

    def __init__(self, repository: Repository, lobbies: Lobbies, history: HistoryAnswers, painter: Pictures) -> None:
        self._repository = repository
        self._lobbies = lobbies
        self._history = history
        self._painter = painter

    @answers(PlayOn)
    async def play_on(self, context: Context, request: PlayOn) -> Reply | None:
        """Ask for the rest, or open the table. Denied: not_over, over, no_play_on, stale, and as for any new table."""
        snapshot, update, lang = context.snapshot, context.update, context.lang
        table = snapshot.table
        if table.phase != Phase.OVER:
            raise Denied("not_over")
        if snapshot.state is None:
            raise Denied("over")
        entries = logbook.effective(await self._repository.log(table))
        states = await asyncio.to_thread(logbook.positions, table, entries)
        there = origins.starts(states)
        if not there:
            raise Denied("no_play_on")
        number = request.position
        if number is None:
            offered = _offered(table, entries, there)
            anew = await asyncio.to_thread(_any_anew, [states[number] for number in offered])
            turns = {origins.number_of(table, entries, states, number): number for number in offered}
            return _when(table, turns, lang, anew=anew)
        if number not in there:
            raise Denied("stale")
        turn = origins.number_of(table, entries, states, number)
        if request.seat is None:
            look = words.with_recent(await self._history.look(update, table, None, lang), entries[:number], None)
            look = words.look_then(look, table, entries[number].turn if number < len(entries) else table.turn)
            picture = await self._painter.picture(states[number].view(None), look)
            anew = await asyncio.to_thread(_any_anew, [states[number]])
            sides = _sides(table, states[number], number, lang)
            said = _said("side", lang, anew=anew)
            return _reply(table, turn, sides, lang, said, picture)
        origin = origins.origin(table, entries, states, number, request.seat)
        way = HOUSE if update.place.private else request.way
        if way is None:
            ways = [
                button(PlayOn(table.id, number, request.seat, way), lang, style, label=words.say(key, lang))
                for way, style, key in (
                    (HOUSE, Style.MAIN, "button.against_house"),
                    (PEOPLE, Style.PLAIN, "button.play_on.people"),
                )
            ]
            return _reply(table, turn, ways, lang, words.say("play_on.way", lang))
        return await self._lobbies.open_from(context, table, origin, house=way == HOUSE)


def _offered(table: Table, entries: Sequence[Entry], there: Sequence[int]) -> tuple[int, ...]:
    """Return some positions among *there*, with the one before the turning point if it is known."""
    turned = None if table.turned is None else table.turned.turn
    before = [number for number in there if turned is not None and origins.turns_before(entries, number) == turned]
    chosen = logbook.picked(there, MOST_TURNS - len(before))
    return tuple(sorted({*chosen, *before}))


def _any_anew(states: Sequence[State]) -> bool:
    """Return whether playing on from any of *states* deals anything anew."""
    return any(leaves_open(state.view(None)) for state in states)


def _said(question: str, lang: str, *, anew: bool) -> str:
    """Return the *question*, with the line about things that are dealt *anew*, if there are any."""
    return " ".join(words.say(f"play_on.{key}", lang) for key in (question, *(["anew"] if anew else [])))


def _when(table: Table, turns: Mapping[int, int], lang: str, *, anew: bool) -> Reply:
    """Return the question from which turn to play on. *turns*: number of the turn -> position."""
    buttons = [
        button(
            PlayOn(table.id, number),
            lang,
            label=words.say("button.play_on.turn", lang, turn=turn),
        )
        for turn, number in turns.items()
    ]
    return Reply(
        title=words.game_name(table.game, lang),
        text=_said("when", lang, anew=anew),
        rows=(*in_rows(buttons, 3), (close(lang),)),
        role=Role.MENU,
        secret=True,
    )


def _sides(table: Table, state: State, number: int, lang: str) -> list[Button]:
    called = words.names(table, lang)
    return [
        button(PlayOn(table.id, number, seat), lang, label=words.say("button.play_on.as", lang, who=called[seat]))
        for seat in origins.seats(state)
    ]


def _reply(
    table: Table,
    turn: int,
    buttons: Sequence[Button],
    lang: str,
    said: str,
    picture: Picture | None = None,
) -> Reply:
    """Return the question *said* about *turn*, with these *buttons*."""
    return Reply(
        title=words.say("play_on.title", lang, game=words.game_name(table.game, lang), turn=turn),
        text=said,
        picture=picture,
        rows=(*in_rows(buttons, 2), (close(lang),)),
        role=Role.MENU,
        secret=True,
    )
