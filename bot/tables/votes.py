"""Questions that the people at a table ask each other: to undo an action, to end the game. Pure.

All have to agree to an undo, more than half to the end.
"""

from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables.preferences import hours
from bot.tables.table import Ask, Declined, Denied, Phase, Result, Step, Table, over, require, require_seat
from rules import State


def end(table: Table, state: State | None, person: PersonId, may_manage: bool) -> Step:
    """Return the step for *person* who wants the table to end.

    It ends at once for the host of a lobby or a manager of the place, else when enough people agree (`votes_needed`).
    Denied: over, not_playing, house_plays, lobby_end, agreed, end_channel.
    """
    require(table, Phase.LOBBY, Phase.RUNNING)
    if may_manage or (table.phase == Phase.LOBBY and person == table.host):
        return Step(ended(table, state, (person,)), state)
    if table.phase == Phase.LOBBY or state is None:
        raise Denied("lobby_end")
    if table.has_channel and len(people(table)) == 1 and table.seat_of(person) is not None:
        raise Denied("end_channel")
    asked = table.ask is not None and table.ask.what == "end"
    return Step(settled(agree(table, state, person) if asked else ask(table, person, "end"), state), state)


def ended(table: Table, state: State | None, by: tuple[PersonId, ...]) -> Table:
    """Return *table*, ended without a winner *by* these people; a manager of the place may have no seat."""
    seats = tuple(seat for seat in map(table.seat_of, by) if seat is not None)
    return over(table, Result("ended", (), state.standing() if state else None, of_table=True, by=seats))


def silent(table: Table, state: State) -> int | None:
    """Return the seat of the person whose turn is overdue at a table without a clock, or None."""
    return state.actor if table.is_overdue and hours(table.clock) is None else None


def voters(table: Table, state: State) -> list[PersonId]:
    """Return the people with a vote on the end: all but the silent one, who counts only after a yes."""
    quiet = silent(table, state)
    silent_person = None if quiet is None else table.seats[quiet].person
    return [
        voter
        for voter in people(table)
        if voter != silent_person or (table.ask is not None and voter in table.ask.agreed)
    ]


def votes_needed(table: Table, state: State) -> int:
    """Return how many have to agree to the question: all people, or more than half of the voters for the end.

    A yes of the silent person adds a voter, and at most one to the number: no yes brings the end further away. A
    channel counts as a voter who does not answer.
    """
    assert table.ask is not None
    channels = sum(seat.is_channel for seat in table.seats)
    return (len(voters(table, state)) + channels) // 2 + 1 if table.ask.what == "end" else len(people(table))


def settled(table: Table, state: State) -> Table:
    """Return *table* after a vote on its end: over if enough agree, without the question if too many refuse.

    If two people play and one of them is silent, the silent one loses.
    """
    assert table.ask is not None
    voting, needed = voters(table, state), votes_needed(table, state)
    if len({*voting} - {*table.ask.refused}) < needed:
        return replace(table, question=None)
    if len(table.ask.agreed) < needed:
        return table
    if len(voting) == 1 and len(people(table)) == 2:
        winner = next(number for number, seat in enumerate(table.seats) if seat.person == voting[0])
        return over(table, Result("timeout", (winner,), state.standing(), of_table=True))
    return ended(table, state, table.ask.agreed)


def people(table: Table) -> list[PersonId]:
    """Return the people who still play; a channel answers no questions."""
    return [seat.person for seat in table.seats if seat.is_played_by_person]


def ask(table: Table, person: PersonId, what: str) -> Table:
    """Return *table* with a question of *person* to the others; the save gives the question its mark.

    Denied: over, not_running, not_playing, house_plays, asked_already.
    """
    require(table, Phase.RUNNING)
    require_seat(table, person)
    if table.ask is not None and table.ask.what != what and what != "end":  # the end may always be asked for
        raise Denied("asked_already")
    return replace(table, question=Ask(what, (person,), table.revision + 1))


def agree(table: Table, state: State | None, person: PersonId) -> Table:
    """Return *table* with a yes of *person*.

    Denied: over, not_running, not_playing, house_plays, not_asked, agreed (with the *people* who have not answered).
    """
    require(table, Phase.RUNNING)
    require_seat(table, person)
    if table.ask is None:
        raise Denied("not_asked")
    if person in table.ask.agreed:
        assert state is not None  # it runs
        answered = {*table.ask.agreed, *table.ask.refused}
        missing = [voter for voter in people(table) if voter not in answered]
        counting = [voter for voter in missing if table.ask.what != "end" or voter in voters(table, state)]
        raise Denied("agreed", people=counting)
    refused = tuple(voter for voter in table.ask.refused if voter != person)
    return replace(table, question=replace(table.ask, agreed=(*table.ask.agreed, person), refused=refused))


def refuse(table: Table, person: PersonId) -> Table:
    """Return *table* with a no of *person*, which settles the question unless the majority decides.

    Denied: over, not_running, not_playing, house_plays, not_asked, refused.
    """
    require(table, Phase.RUNNING)
    require_seat(table, person)
    if table.ask is None:
        raise Denied("not_asked")
    if table.ask.what != "end" or person == table.ask.agreed[0]:  # the person who asked may withdraw the question
        return replace(table, question=None)
    if person in table.ask.refused:
        raise Denied("refused")
    agreed = tuple(voter for voter in table.ask.agreed if voter != person)
    return replace(table, question=replace(table.ask, agreed=agreed, refused=(*table.ask.refused, person)))


def noted(before: Table, after: Table, person: PersonId) -> Table:
    """Return *after* with the question of *before* as declined if the no of *person* has settled it.

    A question that its own person withdraws is not told as declined.
    """
    seat = before.seat_of(person)
    if before.ask is None or after.ask is not None or person == before.ask.agreed[0] or seat is None:
        return after
    return replace(after, question=Declined(before.ask.what, seat, before.turn))


def all_agree(table: Table) -> bool:
    """Return whether all people who still play agree to the question."""
    return table.ask is not None and {*people(table)} <= {*table.ask.agreed}
