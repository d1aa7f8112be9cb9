"""The size and the time of two films, 50 turns into each game: events since a player's turn, and the short replay.

The painter has painted the public boards of the last round, as a bot has that posts them. CPU time counts, with the
positions that the film needs.
"""

import asyncio
import random
from collections.abc import Iterator
from time import process_time
from typing import Any

from msgspec.structs import replace

from bench import Row
from bot.chat import PersonId, PlaceId
from bot.delivery.painting import Pictures
from bot.extras.replays import MOST_FRAMES, Playback, short
from bot.extras.short_films import filmed
from bot.extras.since import recap_of
from bot.replies import words
from bot.tables import logbook
from bot.tables.table import Entry, Phase, Seat, Table, TableId
from renderers import Theme, prepare
from renderers.animation import Animation, room
from rules import GAMES

TURNS = 50
TRIES = 30  # random games, until one lasts so long
OPTIONS = {"memory": "off", "scoring": "rounds"}  # of games that have them: boards that may not stay have no film


def after(game: str, turns: int) -> tuple[Table, list[Entry]]:
    """Return a random game with as many seats as possible, *turns* turns old, and its log; or the longest of several
    that ended before."""
    longest: tuple[Table, list[Entry]] | None = None
    for number in range(TRIES):
        played = _played(game, number, turns)
        if longest is None or played[0].turn > longest[0].turn:
            longest = played
        if longest[0].turn == turns:
            break
    assert longest is not None
    return longest


def _played(game: str, number: int, turns: int) -> tuple[Table, list[Entry]]:
    rules, luck = GAMES[game], random.Random(number)
    seats = rules.seats[-1]
    options = {option.name: OPTIONS[option.name] for option in rules.options if option.name in OPTIONS}
    state: Any = rules.start(seats, options, number)
    entries, turn = list[Entry](), 0
    while turn < turns:
        action = luck.choice([action for action in state.actions() if state.warns(action) is None] or state.actions())
        after_ = state.play(action)
        if after_.actor is None:
            break
        news = state.view(None).news(action, after_.view(None))
        entries.append(Entry(len(entries) + 1, state.actor, str(action), 0, turn=turn, news=news))
        turn += after_.actor != state.actor or state.ends_turn(after_)
        state = after_
    while entries[-1].turn == turn:  # an unfinished turn of the game's last one
        entries.pop()
    people = tuple(Seat(PersonId(f"bench:{seat}"), f"Player {seat}", "en") for seat in range(seats))
    table = Table(
        id=TableId("k3v7qpm2xa"),
        game=game,
        place=PlaceId("bench:hall"),
        host=people[0].person,
        lang="en",
        created_ms=0,
        seed=f"{number:032x}",
        revision=len(entries) + 1,
        phase=Phase.RUNNING,
        options=options,
        seats=people,
        turn=turn,
    )
    return table, entries


async def cost(game: str, turns: int) -> tuple[float, float, int]:
    """Return CPU milliseconds and kilobytes of the film for the actor, and the number of turns of the game."""
    table, entries = after(game, turns)
    painter = Pictures()
    shown = logbook.positions(table, entries)
    look = words.look(table, None, Theme.DARK, "en")
    for state in shown[-2 * len(table.seats) :]:
        await painter.picture(state.view(None), look)
    seat = shown[-1].actor
    assert seat is not None
    happened = logbook.since_left(table, entries, seat)
    own = replace(words.look(table, seat, Theme.DARK, "en"), hand=seat)
    await painter.picture(shown[0].view(seat), own)  # the first one with a hand
    start = process_time()
    states = logbook.positions(table, entries)
    film = await filmed(painter, game, recap_of(states, table, entries, happened, own))
    spent = process_time() - start
    painter.close()
    return spent * 1000, len(film.content) / 1000, table.turn


def short_film(game: str, turns: int) -> tuple[float, float]:
    """Return CPU milliseconds and kilobytes of the short replay, with its positions."""
    table, entries = after(game, turns)
    look = words.look(table, None, Theme.DARK, "en")
    start = process_time()
    views = logbook.public_positions(table, entries)
    film = short(Playback(table, tuple(entries), look))
    frames = film.frames(MOST_FRAMES)
    animation = Animation(look.theme, room([views[number] for number, _ in frames], look))
    for number, shown_ms in frames:
        animation.add(views[number], film.look_at(number), number, len(entries), shown_ms)
    size = len(animation.gif())
    return (process_time() - start) * 1000, size / 1000


def rows(*, small: bool = False) -> Iterator[Row]:
    if not small:
        prepare()
    for game in list(GAMES)[:: len(GAMES) if small else 1]:
        ms, kilobytes, turns = asyncio.run(cost(game, 5 if small else TURNS))
        figure = f"{ms:.0f} ms CPU, {kilobytes:.0f} KB, after {turns} turns"
        yield f"film since a player's turn, {game}", figure, "", "≤ 400 ms, ≤ 150 KB"
        ms, kilobytes = short_film(game, 5 if small else TURNS)
        yield f"short replay, {game}", f"{ms:.0f} ms CPU, {kilobytes:.0f} KB", "", "≤ 400 ms, ≤ 700 KB"
