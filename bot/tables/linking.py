"""Linked tables: two channels play one game, each at a table in its own place. Pure.

    the place that invites                     the place that answers
    lobby with a code ◀───────── asks ──────── lobby
       │ its managers confirm                     │
       ▼                                          ▼ follows
    running ◀─────── follows ───────────────▶ running

Each table has a clock, votes and posts of its own; the seat of the other channel is *remote*. Only the table whose own
channel is up decides all actions and how the game ends. The other one *follows*: it repeats the actions that it lacks.
So the actions at one table are always the first of those at the other, and the order of two saves never matters. If a
store has lost its newest saves, the table that has fewer actions follows, whoever decided them. If both have gone on
differently since, the decision of the channel that was up counts.

A week without a place, its people, or the other platform ends a table by itself, also the one that waits. The other one
follows, unless its game ends in that moment: then the two results differ.
"""

from collections.abc import Sequence
from datetime import timedelta
from enum import IntEnum
from functools import reduce
from itertools import pairwise

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.runtime.names import shown, unlinked
from bot.tables import absence, logbook
from bot.tables.anonymous import channel
from bot.tables.deadlines import LONGEST_UNREACHABLE
from bot.tables.seating import coloured, start
from bot.tables.snapshot import Snapshot
from bot.tables.table import (
    REMOTE,
    Absent,
    Denied,
    Entry,
    Phase,
    Result,
    Seat,
    Step,
    Table,
    TableId,
    Tally,
    Twin,
    Wish,
    abandoned,
    interrupted,
    over,
    play,
    with_state,
)
from bot.tables.waiting import of_turn
from rules import GAMES, State
from rules.beginning import first_position

SEATS = 2
"""Seats of such a game: one for each channel."""
DAY_MS = 24 * 60 * 60 * 1000
"""Time for which a code is valid."""
LOOKS_MS = range(30_000, 600_000)
"""Least and longest time after which a linked table that waits for the other one looks what has happened there."""


class Cut(IntEnum):
    """Whether people can reach the bot on the platform of the other table: always, not now, or not for a week."""

    NOT = 0
    NOW = 1
    LONG = 2


def cut(apart_ms: int) -> Cut:
    """Return the state of a platform whose outage has been going on for that long (ms), 0 for none."""
    if not apart_ms:
        return Cut.NOT
    return Cut.LONG if timedelta(milliseconds=apart_ms) >= LONGEST_UNREACHABLE else Cut.NOW


def looks_after_ms(table: Table, now_ms: int) -> int:
    """Return the time (ms) after which the waiting *table* looks what has happened at the other one: a tenth of the
    time that it has waited, within limits. Only a crash makes it look for a reason, soon after the other table's save.
    """
    turn = of_turn(table.waiting)
    since_ms = (turn.since_ms if turn is not None else 0) or table.waits_since_ms
    return min(max((now_ms - since_ms) // 10, LOOKS_MS.start), LOOKS_MS.stop)


class Other(Struct, frozen=True):
    """The linked table with its whole log. *cut*: of its platform."""

    snapshot: Snapshot
    log: tuple[Entry, ...]
    cut: Cut = Cut.NOT

    @property
    def table(self) -> Table:
        return self.snapshot.table


# Before the game


def inviting(table: Table, name: str, code: Sequence[int], now_ms: int) -> Table:
    """Return the lobby *table* with one seat, for the channel *name* of its place, and a code for another channel."""
    own = Seat(channel(1), shown(name), table.lang)
    invited = replace(table, seats=coloured(GAMES[table.game], (own,)))
    return with_code(invited, code, now_ms)


def with_code(table: Table, code: Sequence[int], now_ms: int) -> Table:
    """Return the lobby *table* with a new code."""
    return replace(table, twin=Twin(code=tuple(code), until_ms=now_ms + DAY_MS))


def answering(table: Table, invitation: Table, name: str) -> Table:
    """Return the lobby *table* of the channel *name*, which answers *invitation*."""
    assert invitation.twin is not None
    own, inviter = Seat(channel(1), shown(name), table.lang), _remote(invitation, table.lang)
    return replace(
        table,
        game=invitation.game,
        options=invitation.options,
        level=invitation.level,
        voting=invitation.voting,
        seats=coloured(GAMES[invitation.game], (own, inviter)),
        twin=Twin(invitation.id, invitation.twin.code, joins=True),
    )


def asked(invitation: Table, answer: Table) -> Table:
    """Return *invitation* with the channel of *answer* in its other seat."""
    assert invitation.twin is not None
    seats = coloured(GAMES[invitation.game], (*invitation.seats, _remote(answer, invitation.lang)))
    return replace(invitation, seats=seats, twin=Twin(answer.id))


def may_ask(invitation: Table, answer: Table, now_ms: int) -> bool:
    """Return whether *answer* has the code and the terms of *invitation*, which is still valid."""
    twin = invitation.twin
    return _fits(invitation, answer) and twin is not None and now_ms < twin.until_ms


def _fits(invitation: Table, answer: Table) -> bool:
    """Return whether *invitation* is a lobby without another channel, and *answer* has its code and its terms."""
    twin, asks = invitation.twin, answer.twin
    if twin is None or asks is None or invitation.phase != Phase.LOBBY or twin.joins or twin.table or not twin.code:
        return False
    return twin.code == asks.code and all(
        getattr(invitation, name) == getattr(answer, name) for name in ("game", "options", "level", "voting")
    )


def asks(answer: Table) -> bool:
    """Return whether *answer* is the table of a channel that has answered an invitation."""
    return answer.phase != Phase.OVER and answer.twin is not None and answer.twin.joins


def with_answer(invitation: Table, answer: Table, now_ms: int) -> Step | None:
    """Return the step with which *invitation* takes the channel of *answer* in, or None. If its store has lost that
    and the beginning of the game, the game begins again from the other table."""
    if answer.phase == Phase.RUNNING and _fits(invitation, answer):
        return _begun(invitation, answer)
    return Step(asked(invitation, answer)) if may_ask(invitation, answer, now_ms) else None


def alone(table: Table) -> Table:
    """Return the lobby *table* without the other channel, and without a code."""
    return replace(table, seats=tuple(seat for seat in table.seats if not seat.is_remote), twin=Twin())


def name_of(table: Table) -> str:
    """Return the name of the channel of *table*, as other places read it; "" if it has none."""
    own = table.own_channel
    return "" if own is None else unlinked(table.seats[own].name)


def _remote(table: Table, lang: str) -> Seat:
    """Return the seat in which the channel of *table* plays at the other table, whose language is *lang*."""
    return Seat(REMOTE, name_of(table), lang)


def confirmed(table: Table) -> Step:
    """Return the step that begins the game at the table that invites. Denied: see `seating.start`, link_alone."""
    if table.twin is None or table.twin.joins or not table.twin.table:
        raise Denied("link_alone")
    return start(table, table.host)


def _begun(here: Table, there: Table) -> Step:
    """Return the step that begins at *here* the game that has begun at the other table."""
    own = here.own_channel
    assert own is not None
    assert here.twin is not None
    seats = tuple(
        replace(here.seats[own], colour=seat.colour)
        if seat.is_remote
        else replace(_remote(there, here.lang), colour=seat.colour)
        for seat in there.seats
    )
    table = replace(
        here,
        phase=Phase.RUNNING,
        game=there.game,
        options=there.options,
        seed=there.seed,
        salt=there.salt,
        lot=there.lot,
        seats=seats,
        twin=Twin(there.id, here.twin.code if here.twin.joins else (), joins=here.twin.joins),
    )
    state = first_position(table.game, len(seats), table.options, int(table.seed, 16), None)
    return Step(with_state(table, state), state)


# The end


def decides(table: Table, state: State | None) -> bool:
    """Return whether this table decides the next action and the end: its own channel is up."""
    return table.phase == Phase.RUNNING and state is not None and state.actor == table.own_channel


def wished(table: Table, state: State, wish: Wish) -> Step:
    """Return the step by which the managers of the place end the game, at once or by a wish that the other table
    fulfils."""
    assert table.twin is not None
    if decides(table, state):
        return _ended(table, state, wish, own=True)
    return Step(replace(table, twin=replace(table.twin, wish=wish)), state)


def _ended(table: Table, state: State, wish: Wish, *, own: bool) -> Step:
    """Return the step that fulfils a wish, of one's *own* managers or of the others."""
    mine = table.own_channel
    assert mine is not None
    whose = mine if own else 1 - mine
    ended = Result("ended", (), state.standing(), of_table=True, by=(whose,))
    if wish is Wish.RESIGN:
        ended = Result("resigned", (1 - whose,), state.standing(), of_table=True)
    return Step(over(table, ended), state)


# Following


def follow(here: Snapshot, log: Sequence[Entry], other: Other | None, now_ms: int) -> Step | None:
    """Return the next step by which the table *here* with its whole *log* follows the *other* one; None if it need not.

    *other*: None if there is no such table any more.
    """
    table, state = here.table, here.state
    if table.twin is None or table.phase == Phase.OVER:
        return None
    if table.phase == Phase.LOBBY or state is None:
        return _before(table, other)
    if other is not None and _fits(other.table, table):  # it lost its newest saves, and is asked again
        return None
    if other is None or other.table.twin is None or other.table.twin.table != table.id:
        return Step(abandoned(table, state), state)
    there = other.table
    if there.phase == Phase.LOBBY:  # it begins by itself
        return None
    if not there.lot:  # it closed before it had begun
        return Step(abandoned(table, state), state)
    played = _played(here, log, other, now_ms)
    if played is not None:
        return played
    if there.phase == Phase.OVER:
        assert there.result is not None
        result = replace(there.result, scores=state.standing())
        return Step(over(table, result), state)
    if decides(table, state):
        for wish, own in ((table.twin.wish, True), (there.twin.wish if there.twin else Wish.NONE, False)):
            if wish is not Wish.NONE:
                return _ended(table, state, wish, own=own)
    if other.cut is Cut.LONG:  # no process can end the other table there
        return Step(abandoned(table, state), state)
    return _noted(table, state, other, now_ms)


def _before(table: Table, other: Other | None) -> Step | None:
    """Return the step of a lobby, or None."""
    assert table.twin is not None
    if not table.twin.table:
        return None
    there = None if other is None else other.table
    if there is not None and there.twin is not None:
        if there.lot and there.twin.table == table.id:
            return _begun(table, there)
        if (there.phase == Phase.LOBBY and there.twin.table == table.id) or (table.twin.joins and _fits(there, table)):
            return None
    return Step(abandoned(table) if table.twin.joins else alone(table))


def _played(here: Snapshot, log: Sequence[Entry], other: Other, now_ms: int) -> Step | None:
    """Return the step that repeats the complete turns which *here* lacks, or takes back turns that the other channel
    has decided differently; None if there is nothing to do."""
    table, state, there = here.table, here.state, other.table
    assert state is not None
    mine, theirs = logbook.effective(log), logbook.effective(other.log)
    same = next(
        (n for n, (one, two) in enumerate(zip(mine, theirs, strict=False)) if one.action != two.action),
        min(len(mine), len(theirs)),
    )
    if same < min(len(mine), len(theirs)):
        return _taken_back(table, mine, same, now_ms) if table.seats[mine[same].seat].is_remote else None
    is_whole = there.phase == Phase.OVER
    missing = [entry for entry in theirs[same:] if is_whole or entry.turn < there.turn]
    if not missing:
        return None
    step = Step(table, state)
    for entry in missing:
        action = logbook.action_of(step.position, entry.action)
        following = play(step.table, step.position, action, now_ms, entry.by)
        step = replace(following, entries=step.entries + following.entries)
    votes = there.tally
    if votes is not None and votes.revision in {entry.revision for entry in missing}:
        tally = Tally(table.revision + 1, votes.counts, is_tie=votes.is_tie, rest=votes.rest)
        step = replace(step, table=replace(step.table, tally=tally))
    return absence.rest_if_unattended(step, now_ms)


def _taken_back(table: Table, mine: Sequence[Entry], same: int, now_ms: int) -> Step:
    """Return the step that takes back the turn of the action number *same* and all later ones."""
    turn = mine[same].turn
    first = next(number for number, entry in enumerate(mine) if entry.turn == turn)
    states = logbook.positions(table, mine[:first])
    whose = reduce(lambda former, step: interrupted(former, *step), pairwise(states), None)
    back = Entry(table.revision + 1, mine[same].seat, "", now_ms, turn=turn, event="restored", back=len(mine) - first)
    before = replace(with_state(table, states[-1]), turn=turn, interrupted=whose, began=msgspec.UNSET, tally=None)
    return Step(before, states[-1], (back,))


def _noted(table: Table, state: State, other: Other, now_ms: int) -> Step | None:
    """Return the step that notes whether the other channel can play; None if that is known."""
    assert table.twin is not None
    there = other.table
    absent = Absent.NOT
    if there.is_unreachable or other.cut is not Cut.NOT:
        absent = Absent.AWAY
    elif there.is_resting:
        absent = Absent.RESTS
    if absent is table.twin.absent:
        return None
    noted = replace(table, twin=replace(table.twin, absent=absent))
    own = table.own_channel
    if absent is not Absent.NOT or own is None:
        return Step(noted, state)
    back = Entry(table.revision + 1, 1 - own, "", now_ms, turn=table.turn, event="back_again")
    return Step(noted, state, (back,))


def other_of(table: Table) -> TableId | None:
    """Return the linked table, or None."""
    return None if table.twin is None else table.twin.table or None
