"""The table: one match of one game, with its people, as a value. Pure.

    lobby ──start──▶ running ──last action, resignation, end──▶ over

Each accepted change raises the revision by one. Seed, options and the log reproduce the game.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NewType

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from bot.chat import MessageId, PersonId, PlaceId
from bot.tables.waiting import OnClock, Overdue, Resting, StandIn, Unreachable, Waiting, of_turn, with_turn
from rules import GAMES, PACKAGES, Action, News, State
from rules.beginning import Origin
from rules.contract import stated_options
from rules.frozen import NONE, frozen
from rules.lot import Player
from rules.proof import commitment, fixed, terms

TableId = NewType("TableId", str)
"""Ten characters of a-z and 2-7."""

RESTS = "rests"
"""The end of the `subject` of a table that is unattended."""

DRAW = "draw"
"""The notation of offering a draw and of agreeing to one, in all games with draws."""


class Phase(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"


CHANNEL = "channel:"
"""Prefix of the placeholder in a seat for which a whole place votes (`bot.tables.anonymous.channel`)."""

REMOTE = PersonId(f"{CHANNEL}remote")
"""The placeholder in the seat of a channel in another place, which plays at the linked table there."""


class By(StrEnum):
    """Who decides: a person, the house, the table itself (a forced action), the people of a place by a vote, or the
    linked table of another place; entries of the log never have the last one."""

    PERSON = "person"
    HOUSE = "house"
    TABLE = "table"
    CHANNEL = "channel"
    REMOTE = "remote"


class Offer(StrEnum):
    """Why a substitute is looked for: its person asked, its person asked and all agreed, or the others asked."""

    OWN = "own"
    AGREED = "agreed"
    SILENT = "silent"


class Seat(Struct, frozen=True, omit_defaults=True, gc=False):
    """A person at a table, or a placeholder: the house as a guest, or a channel, whose people vote on its turns.

    *house*: the house plays here, in this person's place or as a guest (`bot.tables.anonymous.is_house`). *taken*: the
    turn since which it plays in this person's place. *resigned*: the person resigned; the house passes if it may.

    *settings*: a copy of the settings that say when this person may be called. *handle*: as in `bot.chat.Person`.
    *departed*: the person has left the place, and not acted since. *confirmed*: the questions that they have answered
    with yes in this game and that are not asked again (`State.cautions`). *bank_ms*: see `bot.tables.banks`; None: as
    at the beginning.

    *offer*: a substitute may take the seat. *since*: the revision with which its person took it from another one; 0:
    from the beginning. *rated*: the game counts for this person (`bot.tables.substitutes`).
    """

    person: PersonId
    name: str
    lang: str
    colour: str = ""
    house: bool = False
    settings: Mapping[str, str] = NONE
    handle: str = ""
    resigned: bool = msgspec.field(default=False, name="rests")
    taken: int = 0
    departed: bool = False
    confirmed: tuple[str, ...] = ()
    bank_ms: int | None = None
    offer: Offer | None = None
    since: int = 0
    rated: bool = True

    def __post_init__(self) -> None:
        force_setattr(self, "settings", frozen(self.settings))

    @property
    def is_channel(self) -> bool:
        """Whether the people of a place play here, by votes."""
        return self.person.startswith(CHANNEL)

    @property
    def is_remote(self) -> bool:
        """Whether the channel of another place plays here."""
        return self.person == REMOTE

    @property
    def is_played_by_person(self) -> bool:
        """Whether a person plays here: not the house, and no channel."""
        return not self.house and not self.is_channel


class Leaver(Struct, frozen=True, omit_defaults=True):
    """A person whose *seat* a substitute has taken with the save *until*. *rated*: the game counts as left for them."""

    person: PersonId
    name: str
    seat: int
    until: int
    handle: str = ""
    rated: bool = True


class Entry(Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry of the log: an action in canonical notation, or an event. *turn*: its turn, from 0.

    *event*: an event beside the game, with a text ``event.<event>``; *action* is then empty.
    """

    revision: int
    seat: int
    action: str
    at_ms: int
    by: By = By.PERSON
    turn: int = 0
    news: tuple[News, ...] = ()
    event: str = ""
    back: int = 0  # of the event "undone": the number of actions that were taken back


class Ask(Struct, frozen=True, tag="open"):
    """An open question of a person to all others, with texts ``ask.<what>``. *agreed*: the asker first.

    *refused*: the people who said no, if one no does not settle the question.
    """

    what: str
    agreed: tuple[PersonId, ...]
    # Of the save with which it was asked: buttons of another question do not count.
    revision: int = 0
    mark: str = ""
    refused: tuple[PersonId, ...] = ()


class Declined(Struct, frozen=True, tag="declined"):
    """A question that was settled by a no, with a text ``declined.<what>``. *seat*: of the last no.

    It is told until the turn of the number *turn* ends or something else happens at the table.
    """

    what: str
    seat: int
    turn: int


class Result(Struct, frozen=True):
    """How a table ended. *reason*: the game's; with *of_table* the table's: resigned, timeout, ended or left.

    *by*: the seats of the people who ended it or left last; () for a manager of the place without a seat. None if not
    recorded.
    """

    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    of_table: bool = False
    by: tuple[int, ...] | None = None


class Voter(Struct, frozen=True):
    """A person who has voted for a turn of a channel."""

    person: PersonId
    name: str


class Tally(Struct, frozen=True, omit_defaults=True):
    """The result of the newest vote on a turn of a channel, told with the save of this *revision*.

    *counts*: the turns that are told, in notation, each with its votes; the one that was played is the first. *rest*:
    the votes for other turns. *people*: some of those who voted for it, () in a place with anonymous votes. *is_tie*:
    another turn has as many votes, but got its first one later.
    """

    revision: int
    counts: tuple[tuple[str, int], ...]
    people: tuple[Voter, ...] = ()
    is_tie: bool = False
    rest: int = 0

    @property
    def votes(self) -> int:
        return self.rest + sum(number for _, number in self.counts)


class Guess(Struct, frozen=True, omit_defaults=True):
    """The first right guess of the winner: by a spectator, on turn *turn*, from 0. *chance*: of the winner then, in per
    cent, if a review knows it. *number*: see `Turned`."""

    person: PersonId
    name: str
    turn: int
    chance: int | None = None
    number: int = 0


class Absent(StrEnum):
    """What the people of one place know of the other channel: its place takes no posts, or its table rests."""

    NOT = ""
    AWAY = "away"
    RESTS = "rests"


class Wish(StrEnum):
    """How the managers of a place want to end a game of linked tables while the other channel is up."""

    NONE = ""
    RESIGN = "resign"
    END = "end"


class Twin(Struct, frozen=True, omit_defaults=True):
    """The link to the table of another place, at which another channel plays the same game (`bot.tables.linking`).

    *table*: the other one, "" as long as no place has answered. *code*: the words of the invitation, by number; () if
    it was used. *until_ms*: its end. *joins*: this is the table of the place that answered.
    """

    table: TableId = TableId("")
    code: tuple[int, ...] = ()
    until_ms: int = 0
    joins: bool = False
    absent: Absent = Absent.NOT
    wish: Wish = Wish.NONE


class Turned(Struct, frozen=True, omit_defaults=True):
    """The turning point of a finished game, found by its analysis.

    *turn*: its number, from 0. *seat*: the seat whose chance of winning changed from *before* to *after*, in per cent.
    *news*: the events of that turn. *number*: the one that people read (`rules.State.turns`), 0 if it is *turn* + 1.
    """

    turn: int
    seat: int
    before: int
    after: int
    news: tuple[News, ...] = ()
    number: int = 0


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
    mark: str = ""  # of the save: a store that has lost its newest saves may hand out a revision twice
    phase: Phase = Phase.LOBBY
    options: Mapping[str, str] = NONE
    seats: tuple[Seat, ...] = ()
    turn: int = 0
    turn_mark: str = ""  # of the save with which this turn began
    interrupted: int | None = None  # the seat whose turn waits for another seat to act
    # The game's own document, from the start of the game. Not "| None": msgspec decodes a Raw beside None as None only.
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    # The position in which the unfinished turn began.
    began: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: Result | None = None
    turned: Turned | None = None
    guess: Guess | None = None
    first_win: bool = False  # over the house at this level by the only person at the table
    badges: tuple[str, ...] = ()  # that this person has won for the first time
    question: Ask | Declined | None = None
    waiting: Waiting = OnClock()
    relocations: int = msgspec.field(default=0, name="moves")  # of its place to another id, or of it to another
    former_place: PlaceId = PlaceId("")  # before the last move, if that place still exists
    theme: str = ""
    pings: bool = True
    replies_only: bool = msgspec.field(default=False, name="visiting")  # see `bot.chat.Capabilities`; its stored name
    alone: bool = False  # in a private place, against the house
    clock: str = "none"  # time per turn, or a bank of time: a choice of `bot.tables.preferences.CLOCK`
    on_timeout: str = msgspec.field(
        default="ask", name="late"
    )  # consequence: a choice of `bot.tables.preferences.ON_TIMEOUT`
    level: str = "medium"  # of the house as a guest, see `bot.house.levels`
    begun_ms: int = 0  # when the game began; 0 in a lobby
    turn_ms: int = 0  # when this turn began, or the game ended; 0 in a lobby
    order: tuple[PersonId, ...] = ()  # of the seats in a rematch, if exactly these people play; else the lot decides
    lot: tuple[Player, ...] = ()  # how people were seated when the game began; () in a lobby
    invited: tuple[Seat, ...] = ()  # the other people of a rematch, who play once they have joined
    unattended: int = 0  # turns in a row that the house has played for people while no person acted
    gathered_ms: int = 0  # when the last new person joined the lobby; 0: no one since it was opened
    excused_ms: int = 0  # end of the newest outage whose time was added in this turn, see `bot.tables.outages`
    leavers: tuple[Leaver, ...] = ()  # in the order in which substitutes took their seats
    origin: Origin | None = None  # the position of an earlier game from which this one plays on, unrated
    opener: PersonId = PersonId("")  # of the former game, if its host begins: hosts the rematch once they have joined
    voting: str = "1h"  # time for a vote of a channel: a choice of `bot.tables.preferences.VOTING`
    silent: int = 0  # turns in a row for which a channel had no vote
    tally: Tally | None = None  # of the newest vote of a channel
    nameless: bool = False  # a vote of a channel was closed without names, so its card has none either
    twin: Twin | None = None  # the linked table of another place

    def __post_init__(self) -> None:
        force_setattr(self, "options", frozen(self.options))

    def __repr__(self) -> str:
        return f"<table {self.id} {self.game} {self.phase} revision {self.revision}>"  # no seed, no hidden hands

    def seat_of(self, person: PersonId) -> int | None:
        """Return the seat of *person*, or None for a spectator and for a person whose seat the house has taken."""
        for number, seat in enumerate(self.seats):
            if seat.person == person and not seat.house:
                return number
        return None

    @property
    def has_channel(self) -> bool:
        """Whether a channel has a seat."""
        return any(seat.is_channel for seat in self.seats)

    @property
    def own_channel(self) -> int | None:
        """The seat for which the people of the table's place vote."""
        own = (number for number, seat in enumerate(self.seats) if seat.is_channel and not seat.is_remote)
        return next(own, None)

    @property
    def sat(self) -> set[PersonId]:
        """All people who have a seat, or had one in this game."""
        return {*(seat.person for seat in self.seats), *(leaver.person for leaver in self.leavers)}

    @property
    def offered(self) -> tuple[int, ...]:
        """The seats that a substitute may take."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.offer is not None and not seat.house)

    @property
    def waits_since_ms(self) -> int:
        """Since when the table waits for the actor, or for people to join."""
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
    def is_unattended(self) -> bool:
        """Whether it rests because no person acted for a round."""
        return isinstance(self.waiting, Resting) and self.waiting.since_ms > 0

    @property
    def is_unreachable(self) -> bool:
        """Whether its place takes no posts."""
        return isinstance(self.waiting, Unreachable)

    @property
    def lacks_game(self) -> bool:
        """Whether the time stands still because the game is or was not installed."""
        return isinstance(self.waiting, Unreachable) and self.waiting.of_game

    @property
    def facts(self) -> str:
        """Table, revision and game for a log line, with the package of a game that is not the bot's own."""
        package = PACKAGES.get(self.game)
        outside = "" if package is None else f" package={package.name}/{package.version}"
        return f"table={self.id} revision={self.revision} game={self.game}{outside}"

    @property
    def commitment(self) -> str:
        """SHA-256 of seed and salt, shown from the start: it proves that the seed was not changed later."""
        return commitment(self.seed, self.salt)

    @property
    def terms(self) -> str:
        """Options and seats with which the game began, by numbers; "" in a lobby."""
        options = stated_options(GAMES[self.game].options, self.options)
        return terms(self.game, options, self.lot, self.origin) if self.lot else ""

    @property
    def fixed(self) -> str:
        """SHA-256 of `commitment` and `terms`, shown when the game begins; "" in a lobby."""
        return fixed(self.commitment, self.terms) if self.lot else ""


class Fading(Struct, frozen=True):
    """A private reply that must not stay visible when *turn* is over."""

    turn: int
    place: PlaceId
    message: MessageId


class Denied(Exception):
    """A refusal: a code with a text ``denied.<code>``, and the facts for that text."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Step(Struct, frozen=True):
    """A change of a table: the next table, its position (None in a lobby), and the new entries of the log."""

    table: Table
    state: State | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def position(self) -> State:
        """The position of a game that has begun."""
        assert self.state is not None
        return self.state


def require(table: Table, *phases: Phase) -> None:
    """Raise Denied if *table* is in none of *phases*: over, else not_<the first of them>."""
    if table.phase not in phases:
        raise Denied(f"not_{phases[0]}" if table.phase != Phase.OVER else "over")


def require_seat(table: Table, person: PersonId) -> int:
    """Return the seat of *person*.

    Denied: not_playing, handed_over, or house_plays if the house has taken the seat (*late*: because the person's time
    was up).
    """
    seat = table.seat_of(person)
    if seat is None:
        if any(leaver.person == person for leaver in table.leavers):
            raise Denied("handed_over")
        taken = next((seat for seat in table.seats if seat.person == person), None)
        raise Denied("not_playing") if taken is None else Denied("house_plays", late=not taken.resigned)
    return seat


def with_seat(table: Table, number: int, **changes: object) -> Table:
    """Return *table* with *changes* to the seat *number*."""
    seats = [replace(seat, **changes) if seat is table.seats[number] else seat for seat in table.seats]
    return replace(table, seats=tuple(seats))


def with_state(table: Table, state: State) -> Table:
    return replace(table, state=msgspec.Raw(GAMES[table.game].encode(state)))


def finish(table: Table, state: State, entries: tuple[Entry, ...] = ()) -> Step:
    """Return the step to *table* with *state*, over if the game is over."""
    outcome = state.outcome
    if outcome is not None:
        table = over(table, Result(outcome.reason, outcome.winners, outcome.scores))
    return Step(table, state, entries)


def over(table: Table, result: Result) -> Table:
    return replace(table, phase=Phase.OVER, result=result, question=None)


def abandoned(table: Table, state: State | None = None, by: tuple[int, ...] | None = None) -> Table:
    """Return *table*, ended without a winner: all people have left it, or its place is lost. *by*: the last seats."""
    return over(table, Result("left", (), None if state is None else state.standing(), of_table=True, by=by))


def play(table: Table, state: State, action: Action, now_ms: int, by: By = By.PERSON) -> Step:
    """Return the step of the actor's *action*, whose entry has the revision of the next save. Raises IllegalAction."""
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
    # A change of actor starts a new turn, even in the middle of one: the post calls that person.
    # Agreeing to a draw, which ends the game, is no turn.
    ends_turn = after.actor != state.actor or state.ends_turn(after)
    turn = table.turn + (ends_turn and not (after.actor is None and str(action) == DRAW))
    whose = interrupted(table.interrupted, state, after)
    began = msgspec.UNSET if ends_turn else table.state if table.began is msgspec.UNSET else table.began
    changed = replace(with_state(table, after), turn=turn, interrupted=whose, began=began)
    own = changed.seats[state.actor]
    if by is By.PERSON and (own.departed or own.offer is Offer.SILENT):
        offer = None if own.offer is Offer.SILENT else own.offer
        changed = with_seat(changed, state.actor, departed=False, offer=offer)
    if ends_turn:
        # The save replaces this moment by its own (`Repository.change`).
        changed = replace(changed, question=None, waiting=with_turn(table.waiting, OnClock(now_ms)))
    else:
        changed = replace(changed, question=table.declined)
    return finish(changed, after, (entry,))


def question_before(table: Table, state: State, action: Action) -> str | None:
    """Return the code of the question that the actor has to confirm before a legal *action*, or None."""
    assert state.actor is not None
    caution = state.cautions(action)
    known = table.seats[state.actor].confirmed
    return state.warns(action) or (None if caution in known else caution)


def with_confirmed(table: Table, state: State, action: Action) -> Table:
    """Return *table* with the actor's yes to the question that is asked once before such an *action*."""
    assert state.actor is not None
    caution, known = state.cautions(action), table.seats[state.actor].confirmed
    if caution is None or caution in known:
        return table
    return with_seat(table, state.actor, confirmed=(*known, caution))


def interrupted(former: int | None, state: State, after: State) -> int | None:
    """Return the seat whose turn waits for another seat to act, after an action from *state* to *after*.

    *former*: the same before that action.
    """
    if after.actor is None or state.ends_turn(after):
        return None
    whose = state.actor if former is None else former
    return None if whose == after.actor else whose


def forgets(table: Table, state: State | None) -> bool:
    """Return whether former boards must not stay visible: in a memory game that is not over."""
    return table.phase == Phase.RUNNING and state is not None and state.forgets


def hides(state: State, seat: int) -> bool:
    """Return whether *seat* sees more than a spectator."""
    return bool(state.view(seat) != state.view(None))


def hides_anything(state: State) -> bool:
    """Return whether any seat sees more than a spectator."""
    return any(hides(state, seat) for seat in range(state.seats))


ALL_TURNS = -2
"""In an expiry key: until the game is over."""


def time_of(table: Table) -> str:
    """Return the expiry key of replies that must not stay: this turn of this table. The inverse of `turn_of`.

    A lobby's replies expire when the game begins.

    >>> turn_of("k3v7qpm2xa:17")
    ('k3v7qpm2xa', 17)
    """
    return f"{table.id}:{-1 if table.phase == Phase.LOBBY else table.turn}"


def time_of_phase(table: Table) -> str:
    """Return the expiry key of replies that are true as long as *table* is a lobby, or as its game is on."""
    return time_of(table) if table.phase == Phase.LOBBY else f"{table.id}:{ALL_TURNS}"


def is_expired(table: Table, turn: int) -> bool:
    """Return whether replies that belong to *turn* of *table* must not stay any longer; see `time_of`."""
    return table.phase == Phase.OVER or turn not in (ALL_TURNS, turn_of(time_of(table))[1])


def turn_of(time: str) -> tuple[TableId, int]:
    table, _, turn = time.partition(":")
    return TableId(table), int(turn)


def place_of_message(table: Table, relocations: int) -> PlaceId | None:
    """Return the place of a message that was posted after so many *relocations*, or None if it is out of reach."""
    if relocations == table.relocations:
        return table.place
    return table.former_place or None if relocations == table.relocations - 1 else None


def subject(table: Table) -> str:
    """Return the subject of the board message: with the same subject it is edited, a new one is a new message."""
    if table.phase != Phase.RUNNING:
        return str(table.phase)
    return f"turn{table.turn}{'late' * table.is_overdue}{RESTS * table.is_unattended}"
