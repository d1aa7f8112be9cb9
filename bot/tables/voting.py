"""Votes of a channel on its turns. Pure.

    the turn begins ── votes ──┬── two thirds of the usual voters have voted, and two minutes were quiet ──┐
                               ├── a moderator closes it, from two votes on ───────────────────────────────┤ the turn
                               └── the time is over ──┬── two votes or more ───────────────────────────────┤ with most
                                                      └── fewer: once more ──┬── one vote or more ─────────┘ votes
                                                                             └── none ── the house plays

A vote is a whole turn (`bot.tables.plans.Walk`), bound to the position by its *poll*. Each person has one `Ballot` at
a table, an attachment of their own. Every vote changes the `Count` of its poll, another attachment, and the save that
closes the vote needs the count that it has seen: no vote is lost between them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from bot.chat import PersonId, UpdateId
from bot.runtime.clock import from_ms
from bot.tables import forced_actions, logbook
from bot.tables.absence import play_turn
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Entry, Step, Table, Tally, Voter, play
from bot.tables.waiting import Voting, with_turn
from rules import State

BALLOT = "vote"
"""The attachment of a table that has a person's `Ballot`."""
COUNT = "count"
"""The attachment that has the `Count` of the newest poll."""
QUIET = timedelta(minutes=2)
"""Time without a vote, new or changed, before a vote closes early."""
LEAST = 2
"""Votes without which no vote closes early."""
USUAL_TURNS = 3
"""Turns whose voters are expected to vote."""
NAMED = 8
"""Voters whose names a board tells."""
UPDATES = 4
"""Updates that a ballot remembers, against a second copy of one of them."""
MOST_TURNS = 3
"""Turns of a tally that are told; the others are counted together."""
MOST_ACTIONS = 64
"""More than the actions of one turn."""
NEWCOMER = timedelta(days=1)
"""Time since a person joined the place, before which a place may refuse their vote."""


class Ballot(Struct, frozen=True, omit_defaults=True):
    """The votes of a person at a table. *turns*: the turns that they voted for, in notation, by `key`.

    *poll*: of the newest vote, which came about as the one of this *number*. *dropped*: a moderator has excluded the
    person. *updates*: the newest ones that changed the ballot.
    """

    name: str
    poll: str = ""
    number: int = 0
    turns: dict[int, str] = field(default_factory=dict)
    dropped: bool = False
    updates: tuple[UpdateId, ...] = ()


class Count(Struct, frozen=True, omit_defaults=True):
    """The votes of one *poll*. *changes*: the votes, new or changed, so far. *newest_ms*: the time of the last one.

    *voters*: the people who have voted.
    """

    poll: str = ""
    changes: int = 0
    voters: int = 0
    newest_ms: int = 0


class Box(Struct, frozen=True):
    """All votes at a table. *content*: of the count as it is stored. *key*: of the poll. *ballots*: by person."""

    content: bytes
    count: Count
    key: int
    ballots: Mapping[PersonId, Ballot]


_ballot = msgspec.json.Decoder(Ballot)
_count = msgspec.json.Decoder(Count)


def ballot(content: bytes | None) -> Ballot | None:
    return _ballot.decode(content) if content else None


def encoded(ballot: Ballot) -> bytes:
    return msgspec.json.encode(ballot)


def box(content: bytes, ballots: Mapping[PersonId, bytes], snapshot: Snapshot) -> Box:
    """Return the votes as they are stored, with the count of the poll that is open at the table *snapshot*."""
    count, poll = _count.decode(content) if content else Count(), poll_of(snapshot.table, snapshot.recent)
    votes = {person: _ballot.decode(ballot) for person, ballot in ballots.items()}
    return Box(content, count if count.poll == poll else Count(poll), key(snapshot), votes)


def poll_of(table: Table, entries: Iterable[Entry]) -> str:
    """Return the name of the poll: the channel's decision on this position. *entries*: the newest of the log."""
    return f"{table.turn_mark}{_number(table, entries)}"


def _number(table: Table, entries: Iterable[Entry]) -> int:
    """Return the number of the poll: most turns are one poll."""
    return table.turn * MOST_ACTIONS + sum(entry.turn == table.turn for entry in logbook.effective(entries))


def key(snapshot: Snapshot) -> int:
    """Return the key of the poll in ballots: the table's turn, or a negative number for a later poll of the turn."""
    number = _number(snapshot.table, snapshot.recent)
    return -number if number % MOST_ACTIONS else snapshot.table.turn


def begins_at(key: int) -> tuple[int, int]:
    """Return the turn of a poll, and the number of that turn's actions before the poll.

    >>> begins_at(3), begins_at(-(3 * MOST_ACTIONS + 2))
    ((3, 0), (3, 2))
    """
    turn, actions = (key, 0) if key >= 0 else divmod(-key, MOST_ACTIONS)
    return turn, actions


def counted(snapshot: Snapshot) -> Count:
    """Return the count of the votes that the channel is casting; an empty one if it is not deciding."""
    table, name = snapshot.table, poll_of(snapshot.table, snapshot.recent)
    count = _count.decode(snapshot.count) if snapshot.count and is_open(table, snapshot.state) else Count(name)
    return count if count.poll == name else Count(name)


def moment(snapshot: Snapshot) -> tuple[int, str]:
    """Return the number and mark of the poll, for stamps."""
    return _number(snapshot.table, snapshot.recent), snapshot.table.turn_mark


def is_open(table: Table, state: State | None) -> bool:
    """Return whether a channel decides now."""
    return forced_actions.decides(Step(table, state)) == By.CHANNEL


def cast(before: Ballot | None, name: str, snapshot: Snapshot, steps: Sequence[str]) -> Ballot:
    """Return the ballot after a vote for the turn *steps*; *before* itself if it has this vote already."""
    known, turn, count = before or Ballot(name), " ".join(steps), counted(snapshot)
    if known.poll == count.poll and known.turns.get(key(snapshot)) == turn:
        return known
    turns = {**known.turns, key(snapshot): turn}
    return replace(known, name=name, poll=count.poll, number=count.changes + 1, turns=turns)


def by_update(ballot: Ballot, update: UpdateId) -> Ballot:
    """Return *ballot* as *update* changed it."""
    return replace(ballot, updates=(*ballot.updates, update)[-UPDATES:])


def votes(box: Box, table: Table) -> dict[str, list[PersonId]]:
    """Return the people by the turn that they vote for in this poll: both in the order of their votes."""
    chosen = dict[str, list[PersonId]]()
    sat, poll, key = table.sat, box.count.poll, box.key  # people who take a seat have no vote any more
    valid = [
        (ballot.number, person)
        for person, ballot in box.ballots.items()
        if ballot.poll == poll and not ballot.dropped and key in ballot.turns and person not in sat
    ]
    for _, person in sorted(valid):
        chosen.setdefault(box.ballots[person].turns[key], []).append(person)
    return chosen


def usual_voters(box: Box, table: Table, turns: Iterable[int]) -> set[PersonId]:
    """Return the people who voted in one of the last *turns* on which the channel has decided."""
    recent, sat = {*sorted(turn for turn in turns if 0 <= turn < table.turn)[-USUAL_TURNS:]}, table.sat
    able = ((person, ballot) for person, ballot in box.ballots.items() if not ballot.dropped and person not in sat)
    return {person for person, ballot in able if recent & ballot.turns.keys()}


def standing(box: Box, table: Table) -> tuple[int, datetime | None]:
    """Return the number of votes, and from when on the vote may close early if no other vote comes; None if too few
    people have voted."""
    voted = {person for people in votes(box, table).values() for person in people}
    turns = {turn for ballot in box.ballots.values() for turn in ballot.turns}
    usual = usual_voters(box, table, turns)
    if len(voted) < LEAST or not usual or 3 * len(voted & usual) < 2 * len(usual):
        return len(voted), None
    return len(voted), from_ms(box.count.newest_ms) + QUIET


def winner(chosen: Mapping[str, Sequence[PersonId]]) -> str:
    """Return the turn with the most votes; among equals, the one that got its first vote earlier. *chosen*: in the
    order of these first votes.

    >>> winner({"a": ["p"], "b": ["q", "r"], "c": ["s", "t"]})
    'b'
    """
    return max(chosen, key=lambda turn: len(chosen[turn]))


def close(snapshot: Snapshot, box: Box, now_ms: int, *, anonymous: bool) -> Step:
    """Return the step that plays the turn with the most votes; there is at least one vote."""
    table, state = snapshot.table, snapshot.state
    assert state is not None
    chosen = votes(box, table)
    won = winner(chosen)
    others = Counter({turn: len(people) for turn, people in chosen.items() if turn != won}).most_common()
    people = () if anonymous else tuple(Voter(person, box.ballots[person].name) for person in chosen[won][:NAMED])
    tie = any(number == len(chosen[won]) for _, number in others)
    counts = ((won, len(chosen[won])), *others[: MOST_TURNS - 1])
    rest = sum(number for _, number in others[MOST_TURNS - 1 :])
    tally = Tally(table.revision + 1, counts, people, is_tie=tie, rest=rest)
    nameless = table.nameless or anonymous
    step = played(replace(table, tally=tally, nameless=nameless, silent=0), state, won.split(" "), now_ms)
    if step.table.turn == table.turn and is_open(step.table, step.state):  # the rest of the turn is another vote
        return replace(step, table=replace(step.table, waiting=with_turn(step.table.waiting, Voting(now_ms))))
    return step


def played(table: Table, state: State, steps: Iterable[str], now_ms: int) -> Step:
    """Return the step that plays the voted turn, as far as its actions are legal within this turn."""
    step = Step(table, state)
    for text in steps:
        legal = next((action for action in step.position.actions() if str(action) == text), None)
        if step.table.turn != table.turn or legal is None:
            break
        following = play(step.table, step.position, legal, now_ms, By.CHANNEL)
        step = replace(following, entries=step.entries + following.entries)
    return forced_actions.play_on(step, table.turn, now_ms)


def vote_again(table: Table, now_ms: int) -> Table:
    """Return *table* with the same time for the vote once more."""
    return replace(table, waiting=with_turn(table.waiting, Voting(now_ms, again=True)))


def left_to_house(table: Table, state: State, now_ms: int) -> Step:
    """Return the step after which the house plays this turn, because no person of the channel has voted."""
    assert state.actor is not None
    unvoted = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="unvoted")
    return play_turn(replace(table, silent=table.silent + 1), state, (unvoted,))
