"""A table as a value: one match of one game, with its people. Pure: no clock, no store, no chat in here.

    lobby ──start──▶ running ──last action, resignation, end──▶ over

Every accepted change raises the revision by one. Seed, options and the log of entries give the game again.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NewType, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import MessageId, PersonId, PlaceId
from rules import GAMES, Action, Game, IllegalAction, News, State
from rules.chance import Chance
from rules.proof import commitment

TableId = NewType("TableId", str)
"""Ten characters of a-z and 2-7."""


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
    """A person at a table. *colour*: chosen or given. *house*: the house plays on in this person's place.

    *settings*: a copy of those that say when this person may be called. *handle*: as `bot.chat.Person` has it.
    """

    person: PersonId
    name: str
    lang: str
    colour: str = ""
    house: bool = False
    settings: dict[str, str] = {}
    handle: str = ""


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


class Ask(Struct, frozen=True):
    """What somebody asks all others to agree to. *what*: has texts ``ask.<what>``; *agreed*: the asker first."""

    what: str
    agreed: tuple[PersonId, ...]
    revision: int = 0  # of the table when it was asked: an answer to another question does not count


class Result(Struct, frozen=True):
    """How a table ended. *reason*: a reason of the game, or of the table: resigned, ended, left."""

    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    of_table: bool = False


class Table(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The document of a table, as it is stored. ``schema`` is raised when older documents must be brought forward."""

    id: TableId
    game: str
    place: PlaceId
    host: PersonId
    lang: str
    created_ms: int
    seed: str = msgspec.field(default="")  # 32 hexadecimal digits; never shown before the game is over
    salt: str = msgspec.field(default="")
    schema: int = 1
    revision: int = 0
    phase: Phase = Phase.LOBBY
    options: dict[str, str] = {}
    seats: tuple[Seat, ...] = ()
    turn: int = 0
    # The game's own document, from start on. Not "| None": msgspec decodes a Raw beside None as None only.
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: Result | None = None
    ask: Ask | None = None
    moves: int = 0  # how often the place got another id
    theme: str = ""
    pings: bool = True
    clock: str = "none"
    late: str = "ask"
    since_ms: int = 0  # when this turn's time began to run, or the others' time to decide
    hushed: bool = False  # this turn began when its person was not to be called
    overdue: bool = False  # this turn's time is up, and the others decide
    order: tuple[PersonId, ...] = ()  # who sits where, if exactly these people play (a rematch); else the lot decides

    def __repr__(self) -> str:
        return f"<table {self.id} {self.game} {self.phase} revision {self.revision}>"  # no seed, no hidden hands

    def seat_of(self, person: PersonId) -> int | None:
        """The seat of *person*, None for a spectator; a seat that the house plays on is nobody's."""
        for number, seat in enumerate(self.seats):
            if seat.person == person and not seat.house:
                return number
        return None

    @property
    def commitment(self) -> str:
        """SHA-256 of seed and salt, shown from the start: so the seed cannot be changed afterwards."""
        return commitment(self.seed, self.salt)


class Posted(Struct, frozen=True, omit_defaults=True):
    """The newest message that shows a table. *page*: what it is about; a new page is a new message.

    It tells the news after the revision *since*; *began* is the revision that it was first posted with. *moves*: of the
    table by then; after another one it cannot be reached any more. *fades*: it may not stay visible while the game
    forgets; *told*: it has been said that such messages do stay here.
    """

    message: MessageId
    revision: int
    page: str
    since: int = 0
    began: int = 0
    moves: int = 0
    fades: bool = False
    told: bool = False


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


def _in(table: Table, *phases: Phase) -> None:
    if table.phase not in phases:
        raise Denied(f"not_{phases[0]}" if table.phase != Phase.OVER else "over")


def join(
    table: Table,
    person: PersonId,
    name: str,
    lang: str,
    settings: Mapping[str, str] = MappingProxyType({}),
    handle: str = "",
) -> Table:
    """*person* takes a seat. Denied: over, begun, joined, full."""
    if table.phase == Phase.RUNNING:
        raise Denied("begun")
    _in(table, Phase.LOBBY)
    game = GAMES[table.game]
    if table.seat_of(person) is not None:
        raise Denied("joined")
    if len(table.seats) >= game.seats[-1]:
        raise Denied("full", n=game.seats[-1])
    seat = Seat(person, name, lang, settings=dict(settings), handle=handle)
    return replace(table, seats=coloured(game, (*table.seats, seat)))


def coloured(game: Game, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """*seats* with a colour each, where the game lets people choose: the one they have, else the first free one."""
    taken = {seat.colour for seat in seats}
    free = iter(colour for colour in game.colours if colour not in taken)
    return tuple(seat if seat.colour or not game.colours else replace(seat, colour=next(free)) for seat in seats)


def choose_colour(table: Table, person: PersonId, choice: int) -> Table:
    """*person* takes another colour. Denied: over, not_lobby, not_playing, taken, stale."""
    _in(table, Phase.LOBBY)
    number = table.seat_of(person)
    colours = GAMES[table.game].colours
    if number is None:
        raise Denied("not_playing")
    if not 0 <= choice < len(colours):
        raise Denied("stale")
    if any(seat.colour == colours[choice] for seat in table.seats if seat.person != person):
        raise Denied("taken")
    seat = replace(table.seats[number], colour=colours[choice])
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def choose_option(table: Table, person: PersonId, option: int, choice: int) -> Table:
    """The host sets an option, both by number. Denied: over, not_lobby, not_host, stale."""
    _in(table, Phase.LOBBY)
    if person != table.host:
        raise Denied("not_host")
    options = GAMES[table.game].options
    if not (0 <= option < len(options) and 0 <= choice < len(options[option].choices)):
        raise Denied("stale")
    chosen = {**table.options, options[option].name: options[option].choices[choice]}
    return replace(table, options=chosen)


def choose_clock(table: Table, person: PersonId, clock: str, late: str) -> Table:
    """The host sets the time for a turn, and what happens when it is up. Denied: over, not_lobby, not_host."""
    _in(table, Phase.LOBBY)
    if person != table.host:
        raise Denied("not_host")
    return replace(table, clock=clock, late=late)


def leave(table: Table, person: PersonId) -> Table:
    """*person* gives a seat in the lobby back; the host's part goes to the next, an empty lobby ends.

    Denied: over, not_lobby, not_playing.
    """
    _in(table, Phase.LOBBY)
    if table.seat_of(person) is None:
        raise Denied("not_playing")
    seats = tuple(seat for seat in table.seats if seat.person != person)
    if not seats:
        return over(table, Result("left", of_table=True))
    host = table.host if person != table.host else seats[0].person
    return replace(table, seats=seats, host=host, order=tuple(each for each in table.order if each != person))


def start(table: Table, person: PersonId) -> Step:
    """The host starts; seats are drawn by lot unless the game gives the first one to the host.

    Denied: over, not_lobby, not_host, too_few, options (the game refuses these options for so many seats).
    """
    _in(table, Phase.LOBBY)
    game = GAMES[table.game]
    if person != table.host and not (table.order and table.seat_of(person) is not None):  # a rematch waits for nobody
        raise Denied("not_host")
    if len(table.seats) < game.seats[0]:
        raise Denied("too_few", n=game.seats[0])
    lot = _drawn(table)
    if game.host_begins:
        host = next(seat for seat in lot if seat.person == table.host)
        lot = (host, *(seat for seat in lot if seat is not host))
    try:
        state = game.start(len(lot), table.options, int(table.seed, 16))
    except ValueError as unfit:
        raise Denied("options") from unfit
    begun = replace(table, phase=Phase.RUNNING, seats=lot)
    return finish(with_state(begun, state), state)


def _drawn(table: Table) -> tuple[Seat, ...]:
    """The seats in the order that was agreed before, if the same people play; else by lot."""
    if sorted(table.order) == sorted(seat.person for seat in table.seats):
        return tuple(sorted(table.seats, key=lambda seat: table.order.index(seat.person)))
    return Chance(int(table.seed, 16), label="seats").shuffled(table.seats)


def with_state(table: Table, state: State) -> Table:
    return replace(table, state=msgspec.Raw(GAMES[table.game].encode(state)))


def finish(table: Table, state: State, entries: tuple[Entry, ...] = ()) -> Step:
    """The step to *table* with *state*: over if the game is."""
    outcome = state.outcome
    if outcome is not None:
        table = over(table, Result(outcome.reason, outcome.winners, outcome.scores))
    return Step(table, state, entries)


def over(table: Table, result: Result) -> Table:
    return replace(table, phase=Phase.OVER, result=result, ask=None)


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
    turn = table.turn + (after.actor != state.actor or state.ends_turn(after))
    return finish(replace(with_state(table, after), turn=turn, ask=None), after, (entry,))


def play_house(step: Step, now_ms: int) -> Step:
    """Play for the seats that the house has taken, until a person is to act or the game is over."""
    table, state, entries = step.table, step.state, step.entries
    while state is not None and table.phase == Phase.RUNNING:
        actor = state.actor
        if actor is None or not table.seats[actor].house:
            break
        chance = Chance(int(table.seed, 16), counter=(table.revision << 12) + len(entries), label="house")
        following = play(table, state, house_action(state, actor, chance), now_ms, By.HOUSE)
        table, state, entries = following.table, following.state, entries + following.entries
    return Step(table, state, entries)


def house_action(state: State, seat: int, chance: Chance) -> Action:
    """What the house does in *seat*, from that seat's view only: it passes where it may, else leaves it to chance."""
    actions: tuple[Action, ...] = state.view(seat).actions()
    return next((action for action in actions if str(action) == "pass"), None) or chance.choice(actions)


def resign(table: Table, state: State, person: PersonId, now_ms: int) -> Step:
    """*person* gives up: with two seats the other wins; with more the house plays on, until no person is left.

    Denied: over, not_running, not_playing.
    """
    _in(table, Phase.RUNNING)
    number = table.seat_of(person)
    if number is None:
        raise Denied("not_playing")
    if len(table.seats) == 2:
        ended = over(table, Result("resigned", (1 - number,), state.standing(), of_table=True))
        return Step(ended, state)
    seat = replace(table.seats[number], house=True)
    table = replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
    if all(seat.house for seat in table.seats):
        return Step(over(table, Result("left", (), state.standing(), of_table=True)), state)
    left = Entry(table.revision + 1, number, "", now_ms, turn=table.turn, event="resigned")
    return play_house(Step(replace(table, ask=None), state, (left,)), now_ms)


def end(table: Table, state: State | None, person: PersonId, may_manage: bool) -> Step:
    """*person* wants the table to end: at once for the host of a lobby or whoever manages the place, else when all
    players agree. Denied: over, not_playing, not_host, agreed."""
    _in(table, Phase.LOBBY, Phase.RUNNING)
    if may_manage or (table.phase == Phase.LOBBY and person == table.host):
        return Step(ended(table, state), state)
    if table.phase == Phase.LOBBY:
        raise Denied("not_host")
    asked = table.ask is not None and table.ask.what == "end"
    table = agree(table, person) if asked else ask(table, person, "end")
    return Step(ended(table, state) if all_agree(table) else table, state)


def ended(table: Table, state: State | None) -> Table:
    """*table*, ended without a winner."""
    return over(table, Result("ended", (), state.standing() if state else None, of_table=True))


def ask(table: Table, person: PersonId, what: str) -> Table:
    """*person* asks the others to agree to something. Denied: over, not_running, not_playing, asked_already."""
    _in(table, Phase.RUNNING)
    if table.seat_of(person) is None:
        raise Denied("not_playing")
    if table.ask is not None and table.ask.what != what:
        raise Denied("asked_already")
    return replace(table, ask=Ask(what, (person,), table.revision + 1))


def agree(table: Table, person: PersonId) -> Table:
    """*person* agrees to what was asked. Denied: over, not_running, not_playing, not_asked, agreed."""
    _in(table, Phase.RUNNING)
    if table.seat_of(person) is None:
        raise Denied("not_playing")
    if table.ask is None:
        raise Denied("not_asked")
    if person in table.ask.agreed:
        raise Denied("agreed")
    return replace(table, ask=replace(table.ask, agreed=(*table.ask.agreed, person)))


def refuse(table: Table, person: PersonId) -> Table:
    """*person* does not agree, which settles it. Denied: over, not_running, not_playing, not_asked."""
    _in(table, Phase.RUNNING)
    if table.seat_of(person) is None:
        raise Denied("not_playing")
    if table.ask is None:
        raise Denied("not_asked")
    return replace(table, ask=None)


def all_agree(table: Table) -> bool:
    """Whether everybody who still plays agrees to what was asked."""
    players = {seat.person for seat in table.seats if not seat.house}
    return table.ask is not None and players <= set(table.ask.agreed)


class Undo(Struct, frozen=True):
    """Taking back the last action of a seat and all that followed. *freely*: nobody has to be asked."""

    step: Step
    freely: bool


def time_is_up(table: Table, state: State, now_ms: int) -> Step:
    """The actor's time is up: what was agreed for this happens, or the others are asked to decide; if they have been
    asked already, the house plays this turn."""
    if table.overdue or table.late == "play":
        return play_turn(table, state, now_ms)
    if table.late == "seat":
        return take_seat(table, state, now_ms)
    assert state.actor is not None
    late = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="late")
    return Step(replace(table, overdue=True, since_ms=now_ms), state, (late,))


def wait_again(table: Table, now_ms: int) -> Table:
    """The others give the actor the whole time once more."""
    return replace(table, overdue=False, since_ms=now_ms)


def play_turn(table: Table, state: State, now_ms: int) -> Step:
    """The house plays this turn for the actor, as well as it can."""
    step, seat = Step(table, state), state.actor
    while step.table.phase == Phase.RUNNING and step.position.actor == seat and step.table.turn == table.turn:
        chance = Chance(int(table.seed, 16), counter=(table.revision << 12) + len(step.entries), label="house")
        action = step.position.forced or best_action(step.position, seat or 0, chance)
        following = play(step.table, step.position, action, now_ms, By.HOUSE)
        step = replace(following, entries=step.entries + following.entries)
    return play_house(step, now_ms)


def take_seat(table: Table, state: State, now_ms: int) -> Step:
    """The house takes the actor's seat; with two seats the other one wins."""
    assert state.actor is not None
    if len(table.seats) == 2:
        lost = Result("timeout", (1 - state.actor,), state.standing(), of_table=True)
        return Step(over(table, lost), state)
    seat = replace(table.seats[state.actor], house=True)
    seats = (*table.seats[: state.actor], seat, *table.seats[state.actor + 1 :])
    taken = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="taken")
    if all(seat.house for seat in seats):
        return Step(over(replace(table, seats=seats), Result("left", (), state.standing(), of_table=True)), state)
    return play_house(Step(replace(table, seats=seats, ask=None, overdue=False), state, (taken,)), now_ms)


def best_action(state: State, seat: int, chance: Chance) -> Action:
    """A greedy choice from *seat*'s view only: the action after which the seat stands best among all; equals by lot."""
    view = state.view(seat)
    best, found = None, list[Action]()
    for action in view.actions():
        try:
            after = view.play(action)
        except IllegalAction:  # what it leads to is hidden
            after = view
        worth = _worth(after, seat) - (view.warns(action) is not None) * 10**6
        if best is None or worth > best:
            best, found = worth, []
        if worth == best:
            found.append(action)
    return chance.choice(found)


def _worth(view: State, seat: int) -> int:
    """What the game says the position is worth to *seat*; an end that wins is worth more than all else."""
    outcome = view.outcome
    won = outcome is not None and seat in outcome.winners
    return view.worth(seat) + 10**5 * won


def undo(table: Table, log: Sequence[Entry], person: PersonId) -> Undo:
    """What it is to take back the last action of *person*; *log* is the whole log.

    Denied: over, not_running, not_playing, nothing_to_undo, revealed (something hidden came out meanwhile).
    """
    _in(table, Phase.RUNNING)
    seat = table.seat_of(person)
    if seat is None:
        raise Denied("not_playing")
    entries = effective(log)
    own = [n for n, entry in enumerate(entries) if entry.seat == seat and entry.by == By.PERSON]
    if not own:
        raise Denied("nothing_to_undo")
    states = replay(table, entries)
    for before, entry, after in zip(states[own[-1] :], entries[own[-1] :], states[own[-1] + 1 :], strict=False):
        if reveals(table, before, entry.action, after):
            raise Denied("revealed")
    back, turn = len(entries) - own[-1], entries[own[-1]].turn
    undone = Entry(table.revision + 1, seat, "", entries[-1].at_ms, turn=turn, event="undone", back=back)
    state = states[own[-1]]
    restored = replace(with_state(table, state), turn=turn, ask=None)
    return Undo(Step(restored, state, (undone,)), freely=back == 1 and turn == table.turn)


def effective(log: Iterable[Entry]) -> tuple[Entry, ...]:
    """The actions of a log that count: those taken back are left out, and so is what is no action."""
    entries: list[Entry] = []
    for entry in log:
        if entry.action:
            entries.append(entry)
        elif entry.back:
            del entries[-entry.back :]
    return tuple(entries)


def is_begun(table: Table, log: Iterable[Entry]) -> bool:
    """Whether the actor has begun a turn that the others see when it is complete; the newest of the log are enough."""
    return not GAMES[table.game].shows_steps and is_mid_turn(table, log)


def told(table: Table, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """What a post tells of *entries*. Where a turn is seen as a whole, that is nothing of the one that goes on, and
    nothing of what was taken back before anybody saw it."""
    if GAMES[table.game].shows_steps:
        return tuple(entries)
    left: list[Entry] = []
    for entry in entries:
        own = [number for number, each in enumerate(left) if each.action]
        for number in reversed(own[-entry.back :] if entry.back else ()):
            del left[number]
        if not entry.back or len(own) < entry.back:
            left.append(entry)
    goes_on = table.phase == Phase.RUNNING
    return tuple(entry for entry in left if not (goes_on and entry.action and entry.turn == table.turn))


def replay(table: Table, entries: Iterable[Entry]) -> tuple[State, ...]:
    """Every position of the game from seed, options and actions: the first one, then one after each entry."""
    game = GAMES[table.game]
    states = [game.start(len(table.seats), table.options, int(table.seed, 16))]
    for entry in entries:
        states.append(states[-1].play(action_of(states[-1], entry.action)))
    return tuple(states)


def seen_by_all(table: Table, log: Iterable[Entry]) -> tuple[Entry, ...]:
    """The actions of a log that count and that everybody has been shown: of a running game those of completed turns."""
    entries = effective(log)
    return tuple(entry for entry in entries if entry.turn < table.turn or table.phase == Phase.OVER)


def public(table: Table, entries: Iterable[Entry]) -> tuple[State, ...]:
    """`replay`, but of every position only what everybody could see."""
    return tuple(state.view(None) for state in replay(table, entries))


def action_of(state: State, text: str) -> Action:
    """The legal action that reads *text*. Raises ValueError when there is none."""
    for action in state.actions():
        if str(action) == text:
            return cast("Action", action)
    raise ValueError(f"no legal action reads {text}")


def reveals(table: Table, before: State, text: str, after: State) -> bool:
    """Whether an action told anybody something that this person could not have worked out."""
    action = action_of(before, text)
    if _is_chance(table, before, action, after):
        return True
    return any(_shows(before, action, after, seat) for seat in (None, *range(len(table.seats))))


def _shows(before: State, action: Action, after: State, seat: int | None) -> bool:
    """Whether *seat* sees more after an action than could be worked out from what it saw before."""
    try:
        return bool(before.view(seat).play(action) != after.view(seat))
    except IllegalAction:
        return True


OTHER_SEEDS = range(1, 9)


def _is_chance(table: Table, before: State, action: Action, after: State) -> bool:
    """Whether chance had a part in what came of an action: with another seed it would have been something else."""
    game = GAMES[table.game]
    document = msgspec.json.decode(game.encode(before))
    others = (game.decode(msgspec.json.encode({**document, "seed": seed})).play(action) for seed in OTHER_SEEDS)
    return any(other.view(None) != after.view(None) for other in others)


def remembering(states: Sequence[State]) -> int:
    """Since which of *states* boards shown before must not stay visible: where the round began, so to say."""
    return max((number for number, state in enumerate(states, 1) if not state.forgets), default=0)


class Missed(Struct, frozen=True):
    """Something that came to light: the action, and a spectator's view of the board after it."""

    entry: Entry
    view: State


def missed(table: Table, log: Sequence[Entry], seat: int) -> tuple[Missed, ...]:
    """What came to light since the last turn of *seat* began, or since the round did, oldest first.

    *seat* is the one that is up, in a game that forgets; *log* is the whole log.
    """
    entries = effective(log)
    states = replay(table, entries)
    first = remembering(states)
    own = [entry.turn for entry in entries[first:] if entry.seat == seat and entry.turn < table.turn]
    return tuple(
        Missed(entry, after.view(None))
        for before, entry, after in zip(states[first:], entries[first:], states[first + 1 :], strict=False)
        if entry.turn >= max(own, default=0) and _shows(before, action_of(before, entry.action), after, None)
    )


def again(table: Table, new: Table) -> Table:
    """*new* with the people and options of *table*, which is over; where the lot would decide, the first seat moves on
    by one."""
    seats = tuple(replace(seat, house=False) for seat in table.seats)
    order = tuple(seat.person for seat in (*seats[1:], *seats[:1]))
    return replace(
        new,
        game=table.game,
        host=table.host,
        options=table.options,
        seats=seats,
        order=order,
        clock=table.clock,
        late=table.late,
    )


def forgets(table: Table, state: State | None) -> bool:
    """Whether boards shown before must not stay visible: a memory game that is going on."""
    return table.phase == Phase.RUNNING and state is not None and state.forgets


def hides(state: State, seat: int) -> bool:
    """Whether *seat* sees more than a spectator."""
    return bool(state.view(seat) != state.view(None))


def is_mid_turn(table: Table, entries: Iterable[Entry]) -> bool:
    """Whether the actor has begun this turn already; *entries*: the newest of the log."""
    return table.phase == Phase.RUNNING and bool(effective(entry for entry in entries if entry.turn == table.turn))


def time_of(table: Table) -> str:
    """The time of what must not stay: this turn of this table. The inverse is `turn_of`.

    >>> turn_of("k3v7qpm2xa:17")
    ('k3v7qpm2xa', 17)
    """
    return f"{table.id}:{table.turn}"


def turn_of(time: str) -> tuple[TableId, int]:
    table, _, turn = time.partition(":")
    return TableId(table), int(turn)


def page(table: Table) -> str:
    """What the newest message of a table is about: within a turn it is edited, for a new one a new message comes."""
    return f"turn{table.turn}{'late' * table.overdue}" if table.phase == Phase.RUNNING else str(table.phase)
