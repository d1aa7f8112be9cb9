"""A table as a value: one match of one game, with its people. Pure: no clock, no store, no chat in here.

    lobby ──start──▶ running ──last action, resignation, end──▶ over

Every accepted change raises the revision by one. Seed, options and the log of entries give the game again.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NewType

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from bot.chat import MessageId, PersonId, PlaceId
from bot.tables.waiting import Away, OnClock, Overdue, Resting, StandIn, Waiting, of_turn, with_turn
from rules import GAMES, Action, News, State
from rules.contract import checked_options
from rules.frozen import NONE, frozen
from rules.lot import Player
from rules.proof import commitment, fixed, terms

TableId = NewType("TableId", str)
"""Ten characters of a-z and 2-7."""

DRAW = "draw"
"""How every game that knows draws calls it, to offer one or to agree."""


class Phase(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"


class By(StrEnum):
    """Who decided: a person, the house in a person's place, or the table itself (a forced action)."""

    PERSON = "person"
    HOUSE = "house"
    TABLE = "table"


class Seat(Struct, frozen=True, omit_defaults=True):
    """A person at a table. *colour*: chosen or given. *house*: the house plays here, in this person's place or, invited
    by the host, for itself (`bot.tables.anonymous.is_house`). *rests*: given up; the house passes where it may.

    *taken*: the turn from which on the house plays in this person's place.

    *settings*: a copy of those that say when this person may be called. *handle*: as `bot.chat.Person` has it.
    """

    person: PersonId
    name: str
    lang: str
    colour: str = ""
    house: bool = False
    settings: Mapping[str, str] = NONE
    handle: str = ""
    rests: bool = False
    taken: int = 0

    def __post_init__(self) -> None:
        force_setattr(self, "settings", frozen(self.settings))


class Entry(Struct, frozen=True, omit_defaults=True):
    """One action in the log, in canonical notation. *turn*: the number of the turn it belongs to, from 0.

    *event*: something that a seat did at the table instead of an action of the game, with a text ``event.<event>``;
    *action* is empty then.
    """

    revision: int
    seat: int
    action: str
    at_ms: int
    by: By = By.PERSON
    turn: int = 0
    news: tuple[News, ...] = ()
    event: str = ""
    back: int = 0  # of the event "undone": how many actions were taken back


class Ask(Struct, frozen=True, tag="open"):
    """What somebody asks all others to agree to. *what*: has texts ``ask.<what>``; *agreed*: the asker first.

    *refused*: who does not, where one alone does not settle it.
    """

    what: str
    agreed: tuple[PersonId, ...]
    # Of the save with which it was asked: an answer to another question does not count.
    revision: int = 0
    mark: str = ""
    refused: tuple[PersonId, ...] = ()


class Declined(Struct, frozen=True, tag="declined"):
    """What was asked and is settled by a no. *what*: has a text ``declined.<what>``; *seat*: who said the last no;
    *turn*: which was on then. It is told as long as that goes on, and nothing else happens to the table."""

    what: str
    seat: int
    turn: int


class Result(Struct, frozen=True):
    """How a table ended. *reason*: of the game; *of_table*: of the table, which is resigned, timeout, ended or left.

    *by*: the seats of those who ended it, or of whoever left it last; () where somebody without a seat did who manages
    the place, None where nobody noted it.
    """

    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    of_table: bool = False
    by: tuple[int, ...] | None = None


class Table(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The document of a table, as it is stored. See `bot.store.documents` before a field changes its meaning."""

    id: TableId
    game: str
    place: PlaceId
    host: PersonId
    lang: str
    created_ms: int
    seed: str = msgspec.field(default="")  # 32 hexadecimal digits; never shown before the game is over
    salt: str = msgspec.field(default="")
    revision: int = 0
    mark: str = ""  # of the save: a revision may be handed out twice, by a store that has lost its newest saves
    phase: Phase = Phase.LOBBY
    options: Mapping[str, str] = NONE
    seats: tuple[Seat, ...] = ()
    turn: int = 0
    turn_mark: str = ""  # of the save with which this turn began
    interrupted: int | None = None  # the seat in the middle of whose turn somebody else is to act
    # The game's own document, from start on. Not "| None": msgspec decodes a Raw beside None as None only.
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    # The position in which the turn that goes on began; null where only the log tells.
    began: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: Result | None = None
    question: Ask | Declined | None = None
    waiting: Waiting = OnClock()
    moves: int = 0  # how often the place got another id, or the table another place
    former_place: PlaceId = PlaceId("")  # before the last of these moves, if that place still exists
    theme: str = ""
    pings: bool = True
    visiting: bool = False  # its place takes posts only in answer to what people do there: nothing happens by itself
    alone: bool = False  # nobody else can come to its place: it is played against the house
    clock: str = "none"
    late: str = "ask"
    level: str = "medium"  # how well the house plays for itself, see `bot.house.levels`
    begun_ms: int = 0  # when the game began; 0 in the lobby, and where nobody noted it
    turn_ms: int = 0  # when this turn began, or the game ended; 0 in a lobby
    order: tuple[PersonId, ...] = ()  # who sits where, if exactly these people play (a rematch); else the lot decides
    lot: tuple[Player, ...] = ()  # how they sat down when the game began; () in a lobby, and where nobody noted it
    invited: tuple[Seat, ...] = ()  # the others of a rematch, as they sat: they play once they have joined

    def __post_init__(self) -> None:
        force_setattr(self, "options", frozen(self.options))

    def __repr__(self) -> str:
        return f"<table {self.id} {self.game} {self.phase} revision {self.revision}>"  # no seed, no hidden hands

    def seat_of(self, person: PersonId) -> int | None:
        """The seat of *person*, None for a spectator; a seat that the house plays on is nobody's."""
        for number, seat in enumerate(self.seats):
            if seat.person == person and not seat.house:
                return number
        return None

    @property
    def waits_since_ms(self) -> int:
        """Since when the table waits for whoever is up, or for people to join."""
        return self.turn_ms or self.created_ms

    @property
    def ask(self) -> Ask | None:
        """The open question."""
        return self.question if isinstance(self.question, Ask) else None

    @property
    def declined(self) -> Declined | None:
        """The question that was declined in this turn."""
        return self.question if isinstance(self.question, Declined) and self.question.turn == self.turn else None

    @property
    def is_overdue(self) -> bool:
        """Whether the time of this turn is up, and the others decide."""
        return isinstance(of_turn(self.waiting), Overdue)

    @property
    def has_stand_in(self) -> bool:
        """Whether the house plays this turn for its person."""
        return isinstance(of_turn(self.waiting), StandIn)

    @property
    def is_resting(self) -> bool:
        return isinstance(self.waiting, Resting)

    @property
    def is_away(self) -> bool:
        """Whether its place takes no posts."""
        return isinstance(self.waiting, Away)

    @property
    def commitment(self) -> str:
        """SHA-256 of seed and salt, shown from the start: so the seed cannot be changed afterwards."""
        return commitment(self.seed, self.salt)

    @property
    def terms(self) -> str:
        """What the game began with, by numbers: options and seats. "" where nobody noted it."""
        options = checked_options(GAMES[self.game].options, self.options)
        return terms(self.game, options, self.lot) if self.lot else ""

    @property
    def fixed(self) -> str:
        """SHA-256 of `commitment` and `terms`, shown when the game begins. "" where nobody noted these."""
        return fixed(self.commitment, self.terms) if self.lot else ""


class Fading(Struct, frozen=True):
    """A private reply that must not stay when *turn* is over, and where it stands."""

    turn: int
    place: PlaceId
    message: MessageId


class Denied(Exception):
    """The table refuses what a person asks: a code with a text ``denied.<code>``, and the facts for that text."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Step(Struct, frozen=True):
    """A table after something happened: the next table, its position (None in a lobby), what goes into the log."""

    table: Table
    state: State | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def position(self) -> State:
        """The position of a game that has begun."""
        assert self.state is not None
        return self.state


def require(table: Table, *phases: Phase) -> None:
    """Raise Denied where *table* is in none of *phases*: over, else not_<the first of them>."""
    if table.phase not in phases:
        raise Denied(f"not_{phases[0]}" if table.phase != Phase.OVER else "over")


def require_seat(table: Table, person: PersonId) -> int:
    """The seat of *person*. Denied: not_playing, or house_plays where the house has taken it over (*late*: because the
    others could not wait for them any longer)."""
    seat = table.seat_of(person)
    if seat is None:
        given = next((each for each in table.seats if each.person == person), None)
        raise Denied("not_playing") if given is None else Denied("house_plays", late=not given.rests)
    return seat


def with_state(table: Table, state: State) -> Table:
    return replace(table, state=msgspec.Raw(GAMES[table.game].encode(state)))


def finish(table: Table, state: State, entries: tuple[Entry, ...] = ()) -> Step:
    """The step to *table* with *state*: over if the game is."""
    outcome = state.outcome
    if outcome is not None:
        table = over(table, Result(outcome.reason, outcome.winners, outcome.scores))
    return Step(table, state, entries)


def over(table: Table, result: Result) -> Table:
    return replace(table, phase=Phase.OVER, result=result, question=None)


def play(table: Table, state: State, action: Action, now_ms: int, by: By = By.PERSON) -> Step:
    """The actor's *action*. Raises IllegalAction. The entry's revision is the one that the next save will have."""
    assert state.actor is not None
    after = state.play(action)
    entry = Entry(
        revision=table.revision + 1,
        seat=state.actor,
        action=str(action),
        at_ms=now_ms,
        by=by,
        turn=table.turn,
        news=state.view(None).news(action, after.view(None)),
    )
    # Somebody else to act is a turn of its own here, even in the middle of one: the post calls that person.
    # Who ends the game by agreeing to a draw has had no turn: nobody would count it.
    ends_turn = after.actor != state.actor or state.ends_turn(after)
    turn = table.turn + (ends_turn and not (after.actor is None and str(action) == DRAW))
    whose = interrupted(table.interrupted, state, after)
    began = msgspec.UNSET if ends_turn else table.state if table.began is msgspec.UNSET else table.began
    changed = replace(with_state(table, after), turn=turn, interrupted=whose, began=began)
    if ends_turn:
        changed = replace(changed, question=None, waiting=with_turn(table.waiting, OnClock(now_ms)))
    else:
        changed = replace(changed, question=table.declined)
    return finish(changed, after, (entry,))


def interrupted(former: int | None, state: State, after: State) -> int | None:
    """The seat whose turn waits for somebody else to act, once an action has led from *state* to *after*.

    *former*: the same before that action.
    """
    if after.actor is None or state.ends_turn(after):
        return None
    whose = state.actor if former is None else former
    return None if whose == after.actor else whose


def forgets(table: Table, state: State | None) -> bool:
    """Whether boards shown before must not stay visible: a memory game that is going on."""
    return table.phase == Phase.RUNNING and state is not None and state.forgets


def hides(state: State, seat: int) -> bool:
    """Whether *seat* sees more than a spectator."""
    return bool(state.view(seat) != state.view(None))


def time_of(table: Table) -> str:
    """The time of what must not stay: this turn of this table. The inverse is `turn_of`.

    >>> turn_of("k3v7qpm2xa:17")
    ('k3v7qpm2xa', 17)
    """
    return f"{table.id}:{table.turn}"


def turn_of(time: str) -> tuple[TableId, int]:
    table, _, turn = time.partition(":")
    return TableId(table), int(turn)


def place_of_message(table: Table, moves: int) -> PlaceId | None:
    """Where messages stand that were posted when *table* had moved so often; None where nothing leads there."""
    if moves == table.moves:
        return table.place
    return table.former_place or None if moves == table.moves - 1 else None


def page(table: Table) -> str:
    """What the newest message of a table is about: within a turn it is edited, for a new one a new message comes."""
    return f"turn{table.turn}{'late' * table.is_overdue}" if table.phase == Phase.RUNNING else str(table.phase)
