"""Placeholders for people: for a person who asked to be forgotten, the house as a guest, and a channel. Pure.

The game needs the seat of a forgotten person, so a placeholder takes it: a different one at each table, so that no
person can be followed from table to table.
"""

from collections.abc import Collection

from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.tables.table import CHANNEL, Ask, Seat, Table, Voter

GONE = "gone"
HOUSE = "house"


def gone(mark: str) -> PersonId:
    """Return the placeholder of a forgotten person, with this random *mark*.

    >>> is_gone(gone("0f3a")), is_gone("web:anna")
    (True, False)
    """
    return PersonId(f"{GONE}:{mark}")


def is_gone(person: str) -> bool:
    return person.startswith(f"{GONE}:")


def house(number: int) -> PersonId:
    """Return the placeholder of the house, the guest with this *number* at a table.

    >>> is_house(house(1)), is_house("web:house")
    (True, False)
    """
    return PersonId(f"{HOUSE}:{number}")


def is_house(person: str) -> bool:
    return person.startswith(f"{HOUSE}:")


def channel(number: int) -> PersonId:
    """Return the placeholder of a channel, the one with this *number* at a table.

    >>> is_channel(channel(1)), is_channel("web:channel")
    (True, False)
    """
    return PersonId(f"{CHANNEL}{number}")


def is_channel(person: str) -> bool:
    return person.startswith(CHANNEL)


def is_nobody(person: str) -> bool:
    """Return whether *person* is a placeholder, for which no data is stored."""
    return is_gone(person) or is_house(person) or is_channel(person)


def knows(table: Table, person: PersonId, places: Collection[PlaceId] = ()) -> bool:
    """Return whether *table* names *person* or one of the *places* that belong to this person alone."""
    people = {table.host, table.opener, *table.order, *table.sat, *(seat.person for seat in table.invited)}
    people |= {voter.person for voter in told_voters(table)}
    return person in people or table.place in places or table.former_place in places


def told_voters(table: Table) -> tuple[Voter, ...]:
    """Return the people without a seat whose names the newest board tells: voters, and who guessed the winner."""
    guess = () if table.guess is None else (Voter(table.guess.person, table.guess.name),)
    return (*guess, *(() if table.tally is None else table.tally.people))


def without(table: Table, person: PersonId, places: Collection[PlaceId], placeholder: PersonId) -> Table:
    """Return *table* without the name of *person* and of the *places* that belong to this person alone."""

    def other(someone: PersonId) -> PersonId:
        return placeholder if someone == person else someone

    question = table.question
    if isinstance(question, Ask):
        agreed, refused = (tuple(map(other, people)) for people in (question.agreed, question.refused))
        question = replace(question, agreed=agreed, refused=refused)
    return replace(
        table,
        host=other(table.host),
        opener=PersonId("") if table.opener == person else table.opener,
        order=tuple(map(other, table.order)),
        question=question,
        seats=tuple(
            Seat(
                placeholder,
                "",
                table.lang,
                seat.colour,
                house=seat.house,
                resigned=seat.resigned,
                since=seat.since,
                rated=seat.rated,
            )
            if seat.person == person
            else seat
            for seat in table.seats
        ),
        invited=tuple(seat for seat in table.invited if seat.person != person),
        leavers=tuple(
            replace(leaver, person=placeholder, name="", handle="") if leaver.person == person else leaver
            for leaver in table.leavers
        ),
        place=PlaceId(placeholder) if table.place in places else table.place,
        former_place=PlaceId("") if table.former_place in places else table.former_place,
        guess=None if table.guess is not None and table.guess.person == person else table.guess,
        tally=table.tally
        and replace(table.tally, people=tuple(voter for voter in table.tally.people if voter.person != person)),
    )


def present(table: Table) -> Table:
    """Return *table* without the seats of forgotten people, for a rematch."""
    return replace(table, seats=tuple(seat for seat in table.seats if not is_gone(seat.person)))
