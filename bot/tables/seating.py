"""Seats, colours and options of a table until the game begins. Pure."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import count
from types import MappingProxyType
from typing import Literal

from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables.anonymous import channel, house, is_house, is_nobody
from bot.tables.table import (
    Denied,
    Phase,
    Seat,
    Step,
    Table,
    abandoned,
    finish,
    hides_anything,
    require,
    with_seat,
    with_state,
)
from rules import GAMES, Game, Option
from rules.beginning import first_position, seats_out
from rules.contract import BadOption
from rules.lot import Player, draw_seats, order_seats, seats_around


def join(
    table: Table,
    person: PersonId,
    name: str,
    lang: str,
    settings: Mapping[str, str] = MappingProxyType({}),
    handle: str = "",
) -> Table:
    """Return *table* with a seat for *person*; the opener of a rematch becomes its host.

    Denied: over, begun, joined, full.
    """
    if table.phase == Phase.RUNNING:
        raise Denied("begun")
    require(table, Phase.LOBBY)
    if table.twin is not None:
        raise Denied("link_seats")
    game, most = GAMES[table.game], places(table)[-1]
    if table.seat_of(person) is not None:
        raise Denied("joined")
    guests = [seat for seat in table.seats if is_house(seat.person)]
    if len(table.seats) >= most and guests:
        table = invite(table, table.host, len(guests) - 1)
    if len(table.seats) >= most:
        raise Denied("full")
    taken = {seat.colour for seat in table.seats}
    colours = (seat.colour for seat in table.invited if seat.person == person and seat.colour not in taken)
    seat = Seat(person, name, lang, next(colours, ""), settings=dict(settings), handle=handle)
    invited = tuple(seat for seat in table.invited if seat.person != person)
    host = person if person == table.opener else table.host
    return replace(table, seats=coloured(game, (*table.seats, seat)), invited=invited, host=host)


def invite(table: Table, person: PersonId, seats: int) -> Table:
    """Return *table* with the house as a guest in this number of *seats*. Denied: over, not_lobby, not_host,
    link_seats, stale."""
    _require_host(table, person)
    if table.twin is not None:
        raise Denied("link_seats")
    people = tuple(seat for seat in table.seats if not is_house(seat.person))  # and a channel
    if not 0 <= seats <= places(table)[-1] - len(people):
        raise Denied("stale")
    before = tuple(seat for seat in table.seats if is_house(seat.person))
    stays = before[:seats]
    return _with_house(replace(table, seats=(*people, *stays)), seats - len(stays))


def _with_house(table: Table, seats: int) -> Table:
    """Return *table* with the house as a guest in this number of further *seats*."""
    known = {seat.person for seat in table.seats}  # after a game they may sit in any order
    free = (guest for number in count(1) if (guest := house(number)) not in known)
    new = tuple(Seat(next(free), "", table.lang, house=True) for _ in range(seats))
    return replace(table, seats=coloured(GAMES[table.game], (*table.seats, *new)))


def seat_channel(table: Table, person: PersonId, name: str, *, plays: bool = True) -> Table:
    """Return *table* with a seat for the channel, which is called *name*, or without it. A seat of the house makes
    room.

    Denied: over, not_lobby, not_host, link_seats, channel_hides, full.
    """
    _require_host(table, person)
    if table.twin is not None:
        raise Denied("link_seats")
    seats = tuple(seat for seat in table.seats if not seat.is_channel)
    if not plays:
        if not any(not is_house(seat.person) for seat in seats):
            raise Denied("channel_alone")
        return replace(table, seats=seats)
    if not is_open(table.game, table.options):
        raise Denied("channel_hides", game=table.game)
    if len(seats) >= places(table)[-1]:
        if not is_house(seats[-1].person):
            raise Denied("full")
        seats = seats[:-1]
    people = tuple(seat for seat in seats if not is_house(seat.person))
    own = Seat(channel(1), name, table.lang)
    return replace(table, seats=coloured(GAMES[table.game], (*people, own, *seats[len(people) :])))


def is_open(game: str, options: Mapping[str, str]) -> bool:
    """Return whether all players of *game* know the same and may look back at all boards, so that a crowd can have a
    seat."""
    if GAMES[game].hides:
        return False
    for seats in GAMES[game].seats:
        with suppress(ValueError):  # these options do not fit this number of seats
            state = GAMES[game].start(seats, options, seed=0)
            return not state.forgets and not hides_anything(state)
    return False


def _require_unanswered(table: Table) -> None:
    """Raise Denied if another channel has seen these options and answered: link_agreed."""
    if table.twin is not None and table.twin.table:
        raise Denied("link_agreed")


def _require_host(table: Table, person: PersonId) -> None:
    """Raise Denied unless *person* is the host of a lobby: over, not_lobby, not_host."""
    require(table, Phase.LOBBY)
    if person != table.host:
        raise Denied("not_host")


def awaited_opener(table: Table) -> Seat | None:
    """Return the invited opener of a rematch, or None. Until they join, the host must not choose the game's options."""
    return next((seat for seat in table.invited if seat.person == table.opener), None)


def places(table: Table) -> range:
    """Return the possible numbers of seats with the options of *table*, or of those that still play in the position
    from which it plays on, or of two channels."""
    game = GAMES[table.game]
    if table.twin is not None:
        return range(2, 3)
    try:
        if table.origin is not None:
            living = table.origin.seats - len(seats_out(table.game, table.origin))
            return range(living, living + 1)
        return game.seats_with(table.options)
    except ValueError:  # options of another version
        return game.seats


def guests(table: Table) -> int:
    """Return the number of seats in which the house is a guest."""
    return sum(is_house(seat.person) for seat in table.seats)


def waits_alone(table: Table, game: str, person: PersonId) -> bool:
    """Return whether this is a lobby of *game* whose host *person* is alone, apart from the house."""
    if (table.phase, table.game, table.host) != (Phase.LOBBY, game, person) or table.seat_of(person) is None:
        return False
    return guests(table) == len(table.seats) - 1 and not table.invited


def missing(table: Table) -> int:
    """Return the number of seats that must still be taken before the game can begin."""
    return max(0, places(table)[0] - len(table.seats))


def is_full(table: Table) -> bool:
    """Return whether people and channels have taken all seats."""
    return sum(not is_house(seat.person) for seat in table.seats) == places(table)[-1]


def coloured(game: Game, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return *seats* with a colour each if the game has colours: their own, else the first free one."""
    taken = {seat.colour for seat in seats}
    free = iter(colour for colour in game.colours if colour not in taken)
    return tuple(seat if seat.colour or not game.colours else replace(seat, colour=next(free)) for seat in seats)


def choose_colour(table: Table, person: PersonId, choice: int) -> Table:
    """Return *table* with another colour for *person*. Denied: over, not_lobby, not_playing, taken, stale."""
    require(table, Phase.LOBBY)
    number = table.seat_of(person)
    colours = GAMES[table.game].colours
    if number is None:
        raise Denied("not_playing")
    if not 0 <= choice < len(colours):
        raise Denied("stale")
    if any(seat.colour == colours[choice] for seat in table.seats if seat.person != person):
        raise Denied("taken")
    return with_seat(table, number, colour=colours[choice])


def choose_option(table: Table, person: PersonId, option: int, choice: int) -> Table:
    """Return *table* with an option set by the host, both by number. The number after the last choice is the text that
    the option has already.

    Denied: over, not_lobby, not_host, not_opener, plays_on, link_agreed, stale.
    """
    _require_host(table, person)
    _require_unanswered(table)
    if table.origin is not None:
        raise Denied("plays_on")
    if awaited_opener(table) is not None:
        raise Denied("not_opener")
    options = GAMES[table.game].options
    if 0 <= option < len(options) and choice == len(options[option].choices) and own_text(table, options[option]):
        return table
    if not (0 <= option < len(options) and 0 <= choice < len(options[option].choices)):
        raise Denied("stale")
    chosen = {**table.options, options[option].name: options[option].choices[choice]}
    return replace(table, options=chosen)


def own_text(table: Table, option: Option) -> str:
    """Return the text that a person gave as the value of *option*; "" if it has one of its choices."""
    value = table.options.get(option.name, option.default)
    return "" if value in option.choices else value


def choose_clock(table: Table, person: PersonId, clock: str, on_timeout: str) -> Table:
    """Return *table* with the clock and the consequence of a timeout. Denied: over, not_lobby, not_host."""
    _require_host(table, person)
    return replace(table, clock=clock, on_timeout=on_timeout)


def choose_level(table: Table, person: PersonId, level: str) -> Table:
    """Return *table* with the level of the house. Denied: over, not_lobby, not_host."""
    _require_host(table, person)
    return replace(table, level=level)


def choose_voting(table: Table, person: PersonId, voting: str) -> Table:
    """Return *table* with another time for the votes of a channel. Denied: over, not_lobby, not_host, link_agreed."""
    _require_host(table, person)
    _require_unanswered(table)
    return replace(table, voting=voting)


def choose_calls(table: Table, person: PersonId, calls: bool) -> Table:
    """Return *table* with calls of the actor switched on or off. Denied: over, not_lobby, not_host."""
    _require_host(table, person)
    return replace(table, pings=calls)


def forgets(game: str, options: Mapping[str, str]) -> bool:
    """Return whether boards of *game* must not stay visible with these *options*: it is a memory game."""
    for seats in GAMES[game].seats:
        with suppress(ValueError):  # these options do not fit this number of seats
            return GAMES[game].start(seats, options, seed=0).forgets
    return False


def remembering(game: str, options: Mapping[str, str]) -> list[dict[str, str]]:
    """Return single choices with which boards of *game* may stay visible, unlike with these *options*."""
    choices = [{option.name: choice} for option in GAMES[game].options for choice in option.choices]
    return [choice for choice in choices if not forgets(game, {**options, **choice})]


def leave(table: Table, person: PersonId) -> Table:
    """Return the lobby without *person*; the next person becomes the host, and an empty lobby ends. A host stays the
    host, without a seat, if only a channel is left.

    Denied: over, not_lobby, not_playing.
    """
    require(table, Phase.LOBBY)
    if table.seat_of(person) is None:
        raise Denied("not_playing")
    seats = tuple(seat for seat in table.seats if seat.person != person)
    people = [seat.person for seat in seats if not is_nobody(seat.person)]
    if not people and any(seat.is_channel for seat in seats):  # the host looks after the channel's game
        return replace(table, seats=seats)
    if not people:
        return abandoned(table)
    host = table.host if person != table.host else people[0]
    return replace(table, seats=seats, host=host, order=tuple(member for member in table.order if member != person))


def start(table: Table, person: PersonId) -> Step:
    """Return the step that starts the game: seats are drawn by lot, or the host gets the first. The house never begins.

    Denied: over, not_lobby, not_host (in a rematch: not_at_table), too_few, options or unfit (the game
    refuses these options for so many seats).
    """
    require(table, Phase.LOBBY)
    if not may_start(table, person):
        raise Denied("not_at_table" if table.order else "not_host")
    if len(table.seats) < places(table)[0]:
        raise Denied("too_few", n=places(table)[0])
    if table.origin is not None:  # the house has the seats that are out
        table = _with_house(table, table.origin.seats - len(table.seats))
    lot = _seated(table)
    seats = tuple(table.seats[player.number - 1] for player in lot)
    try:
        state = first_position(table.game, len(seats), table.options, int(table.seed, 16), table.origin)
    except BadOption as unfit:
        raise Denied("unfit", game=table.game, unfit=unfit) from unfit
    except ValueError as unfit:
        raise Denied("options") from unfit
    begun = replace(table, phase=Phase.RUNNING, seats=seats, lot=lot, invited=())
    return finish(with_state(begun, state), state)


def may_start(table: Table, person: PersonId) -> bool:
    """Return whether *person* may start the game: the host; in a rematch any person with a seat."""
    may = person == table.host or (bool(table.order) and table.seat_of(person) is not None)
    return may and table.phase == Phase.LOBBY


def is_agreed(table: Table) -> bool:
    """Return whether the seats are agreed, as the same people play a rematch; else the lot decides, or the origin."""
    if table.origin is not None:
        return False
    return sorted(table.order) == sorted(seat.person for seat in table.seats)


def _seated(table: Table) -> tuple[Player, ...]:
    """Return the people of a lobby, by number, in the order of their seats."""
    game = GAMES[table.game]
    joined = [Player(number, _part(table, seat)) for number, seat in enumerate(table.seats, 1)]
    if table.origin is not None:
        return seats_around(joined, table.origin.seat, seats_out(table.game, table.origin))
    if not is_agreed(table):
        return draw_seats(joined, int(table.seed, 16), host_begins=game.host_begins)
    joined.sort(key=lambda player: table.order.index(table.seats[player.number - 1].person))
    return order_seats(joined, host_begins=game.host_begins)


def _part(table: Table, seat: Seat) -> Literal["", "host", "house"]:
    return "host" if seat.person == table.host else "house" if is_house(seat.person) else ""


def uses_chance(table: Table) -> bool:
    """Return whether chance decides anything: in the game, or the seats."""
    if GAMES[table.game].uses_chance(table.options):
        return True
    if table.origin is not None or is_agreed(table):
        return False
    return is_drawn(table.game, [_part(table, seat) for seat in table.seats])


def is_drawn(game: str, parts: Sequence[str]) -> bool:
    """Return whether players with these *parts*, see `rules.lot.Player`, could be seated in more than one order."""
    has_first = (GAMES[game].host_begins and "host" in parts) or len(parts) - parts.count("house") == 1
    return len(parts) - has_first > 1


def uninvited(table: Table, people: Collection[PersonId]) -> Table:
    """Return a rematch in which *people* are not awaited."""
    invited = tuple(seat for seat in table.invited if seat.person not in people)
    return replace(table, invited=invited, order=tuple(person for person in table.order if person not in people))


def again(table: Table, new: Table) -> Table:
    """Return *new* with the options of *table*, which is over, and its people invited.

    The host of *new*, who asked for the rematch, and the house as a guest have seats; the others have to join. If all
    of them join, there is no lot: the first seat moves on by one, unless the host begins in this game. There the host
    of *table* is the opener and becomes the host again when they join. Seats that were out from the beginning stay
    free until the start.
    """
    out = () if table.origin is None else seats_out(table.game, table.origin)
    seats = tuple(
        Seat(
            seat.person,
            seat.name,
            seat.lang,
            seat.colour,
            house=is_house(seat.person),
            settings=seat.settings,
            handle=seat.handle,
            departed=seat.departed,
        )
        for number, seat in enumerate(table.seats)
        if number not in out or not is_house(seat.person)
    )
    order = tuple(seat.person for seat in (*seats[1:], *seats[:1]))
    sits = tuple(seat for seat in seats if seat.person == new.host)
    opens = GAMES[table.game].host_begins and any(seat.person == table.host for seat in seats)
    return replace(
        new,
        game=table.game,
        options=table.options,
        seats=(*sits, *(seat for seat in seats if not seat.is_played_by_person)),
        invited=tuple(
            Seat(seat.person, seat.name, seat.lang, seat.colour)
            for seat in seats
            if seat.is_played_by_person and seat not in sits
        ),
        order=order,
        opener=table.host if opens else PersonId(""),
        origin=table.origin,
        clock=table.clock,
        on_timeout=table.on_timeout,
        level=table.level,
        pings=new.pings and table.pings,
        voting=table.voting,
    )
