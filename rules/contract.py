"""What every game offers to whoever drives it: a chat adapter, a renderer, an opponent, a test.

A *state* is a value: immutable, comparable, hashable, nothing but data. ``play`` is a pure function. An *action* is
one decision of one seat; a turn may be several actions. Seats are 0-based here and shown to people as player 1, 2, ….

Errors::

    ValueError
    ├── IllegalAction   a readable action that the rules refuse; the state is unchanged
    └── BadNotation     a text that is no action; ``code`` is "notation" where the game's page names none

Both carry a ``code``, for which every catalogue has a text, and a ``detail`` made of public facts only.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

from msgspec import Struct

from rules.chance import Chance


class IllegalAction(ValueError):
    """The rules refuse an action; ``code`` says why, ``detail`` names public facts (fields, never secrets)."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class BadNotation(ValueError):
    """A typed text is no action of the game; ``detail`` quotes the part that was not understood.

    *missing*: a field that the text names and the board does not have; the game's text ``no_field`` tells which it has.
    Where it is something else, *sort* says what: of a column, ``no_column`` tells.
    """

    def __init__(
        self, detail: str = "", code: str = "notation", *, missing: str | None = None, sort: str = "field"
    ) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.missing = missing
        self.sort = sort

    @property
    def tells_why(self) -> bool:
        """Whether its code says more than that it was not understood."""
        return self.code not in ("notation", "unreadable")


class Option(Struct, frozen=True):
    """A choice that the host makes before the game starts.

    >>> Option("level", ("easy", "hard"), "easy").default
    'easy'
    """

    name: str
    choices: tuple[str, ...]
    default: str


class Outcome(Struct, frozen=True):
    """How a game ended: points in seat order, the winning seats ascending, and a reason code of the game's page."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class News(Struct, frozen=True, omit_defaults=True):
    """One thing that a post tells: the text ``news.<code>`` of the game's catalogue; where there is a ``brief.<code>``
    as well, what a seat did in one turn is put together in one line.

    *seat* is filled in as ``{who}``, *to*, another seat that it concerns, as ``{to}``, *facts* by their names (public
    words of the game, one or several: fields, symbols, numbers; one with a text ``part.<word>`` is shown by that; ``n``
    is a number that picks the plural form).
    *explains*: it tells why the game ended as it did, so a post says it behind the end.
    """

    code: str
    seat: int | None = None
    facts: tuple[tuple[str, str], ...] = ()
    to: int | None = None
    explains: bool = False


@runtime_checkable
class Action(Protocol):
    """One decision of one seat; ``str(action)`` is its canonical notation, one lower-case ASCII word."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The notation cut where a person chooses one thing after another: ``("b3", "c4")``."""
        ...


@runtime_checkable
class State(Protocol):
    """A position. All of it is data: a frozen ``msgspec.Struct`` of tuples."""

    @property
    def actor(self) -> int | None:
        """The seat that must act now; None once the game is over."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """None while the game is running."""
        ...

    @property
    def forced(self) -> Any:
        """The action that the table plays by itself after showing the board, nothing being to decide; else None."""
        ...

    @property
    def forgets(self) -> bool:
        """True while boards shown before must not stay visible (a memory game)."""
        ...

    def actions(self) -> tuple[Any, ...]:
        """Every legal action of the actor in the fixed order of the game's page; () once the game is over."""
        ...

    def play(self, action: Any) -> Self:
        """The next state. Raises IllegalAction(code, detail) and changes nothing otherwise.

        Played on a view, it gives what that seat sees of the next state, or raises IllegalAction("hidden").
        """
        ...

    def view(self, seat: int | None) -> Self:
        """The same type with everything hidden from *seat* replaced by None, lengths kept; None is a spectator."""
        ...

    def standing(self) -> tuple[int, ...] | None:
        """Points per seat if the game were counted now; None where the game has no points."""
        ...

    def worth(self, seat: int) -> int:
        """How good the position looks for *seat*, more is better: what the house goes by when it plays for somebody.
        Asked of that seat's views, and rough on purpose."""
        ...

    def deal_anew(self, chance: Chance, before: Sequence[Self] = ()) -> Self:
        """A full position that looks like this view: what is hidden is drawn by *chance*, everything that can be
        there as likely as it is for whoever knows the rules and sees this view.

        *before*: earlier views of the same seat in the same game, oldest first, as far as they are remembered: the
        position agrees with what they show, too. Needed only where boards are forgotten; others do without.
        """
        ...

    def ends_turn(self, after: Self) -> bool:
        """Whether the action that led from here to *after* completed a turn. A turn is one post in the chat."""
        ...

    def news(self, action: Any, after: Self) -> tuple[News, ...]:
        """What a post tells of the legal *action* that led from here to *after*: the action itself first, then what it
        brought about (somebody passed, out, skipped). () where a later action of the same turn tells it, too.
        Asked of views, so it tells nothing hidden."""
        ...

    def hint(self, action: Any, part: int) -> str | None:
        """The id of a word (text ``hint.<id>``) that tells what stands where ``action.parts[part]`` points, for the
        label of its button; several ids with blanks between them; None where there is nothing to tell."""
        ...

    def warns(self, action: Any) -> str | None:
        """The code of the question to ask before this legal action ("sure?"), None for nearly all of them.

        Asked is what ends the game without a win for the actor, as far as this can be seen, where something legal lets
        the game go on. Where nothing does, nothing is asked: among actions that all end the game a question would
        only tell which of them wins. What a game asks besides is a slip whatever comes of it.
        """
        ...


@runtime_checkable
class Opening(Protocol):
    """What a first position offers besides where there is something to tell of it: what the game is about, where no
    question of the first turn says that; who threw what."""

    def opening(self) -> tuple[News, ...]:
        """What the first post tells, as `State.news` does."""
        ...


@runtime_checkable
class Obliged(Protocol):
    """What a position offers besides where it may leave only one thing to do, which people wonder about."""

    def obliged(self) -> str | None:
        """The code of why that is so (text ``obliged.<code>``, asked in place of the usual question); None where there
        is a choice."""
        ...


@runtime_checkable
class Recounted(Protocol):
    """What a position offers besides where its news leave out what people are to remember."""

    def recounted(self, action: Any, after: Any) -> tuple[News, ...]:
        """`State.news` with all that could be seen on the board then, for looking up what is over. Asked of views, and
        only once nothing of it is to be remembered any more."""
        ...


@runtime_checkable
class Leaving(Protocol):
    """What a position offers besides where seats go out while the others play on."""

    def is_out(self, seat: int) -> bool:
        """Whether *seat* has no turn any more, for good or until the next round: the game's text ``out`` tells."""
        ...


@runtime_checkable
class Owned(Protocol):
    """What a position offers besides where what stands on the board belongs to somebody."""

    def whose(self, action: Any, part: int) -> int | None:
        """The seat to which belongs what stands where ``action.parts[part]`` points; None for nobody's and nothing."""
        ...


@runtime_checkable
class Judged(Protocol):
    """What a position offers besides where the game can tell whoever searches ahead how things stand. Both are asked
    very often, of full positions that are not over."""

    def prospect(self, seat: int) -> float:
        """About how likely *seat* is to win from here, between 0.01 and 0.99."""
        ...

    def sharp(self) -> Sequence[Any]:
        """Those of the legal actions after which things may stand quite differently, the most promising first:
        before they are played, what `prospect` says is not to be relied on."""
        ...


@runtime_checkable
class Sifted(Protocol):
    """What a position offers besides where many actions are not worth a thought of whoever searches ahead."""

    def sifted(self) -> Sequence[Any]:
        """The legal actions without those that bring nothing, and but one of those that come to the same. Asked very
        often, of what the actor sees and of full positions."""
        ...


@runtime_checkable
class Promising(Protocol):
    """What a position offers besides where there is too much to be looked at one after the other."""

    def promising(self) -> Sequence[Any]:
        """Those of the legal actions that are worth a look first, some dozens at most. Asked of the actor's view, while
        somebody waits."""
        ...


@runtime_checkable
class Reasoned(Protocol):
    """What a position offers besides where the game can tell why one might play something."""

    def reasons(self, action: Any, before: Sequence[Any] = ()) -> tuple[News, ...]:
        """Why its actor might play the legal *action*, the best reason first: the texts ``why.<code>`` of the game's
        catalogue, filled in as those of `State.news` are. Asked of that seat's view, so it tells only what this person
        knows. *before*: earlier views of the same seat, as `State.deal_anew` gets them."""
        ...


class Game(Protocol):
    """The rules of one game."""

    @property
    def id(self) -> str:
        """Lower-case ASCII, the name of its module."""
        ...

    @property
    def seats(self) -> range:
        """The numbers of seats that it can be played with."""
        ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    @property
    def host_begins(self) -> bool:
        """True when the person who opened the table gets seat 0; otherwise the seats are drawn by lot."""
        ...

    @property
    def colours(self) -> tuple[str, ...]:
        """Names of seat colours that people may choose from; () when the seat decides the colour."""
        ...

    @property
    def shows_steps(self) -> bool:
        """True where everybody has to see every action; otherwise the public board waits for the end of a turn."""
        ...

    @property
    def grids(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Parts of actions as they lie on the board, or on something on it, top row first, so that a menu can be laid
        out like it: at most four rows of six, or five of five. None of the board where it is larger or no grid."""
        ...

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        """Whether anything is drawn with these options (the defaults, where one is missing): a deal, a die."""
        ...

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """The first state. Raises ValueError with a clear message on bad seats or options."""
        ...

    def parse(self, state: Any, text: str) -> tuple[Any, ...]:
        """One or more actions from what a person typed; lenient in case and spacing. Raises BadNotation."""
        ...

    def encode(self, state: Any) -> bytes:
        """JSON of the documented fields."""
        ...

    def decode(self, data: bytes | str) -> State:
        """The inverse of encode; accepts any consistent position. Raises ValueError on an inconsistent one."""
        ...


def checked_options(options: tuple[Option, ...], chosen: Mapping[str, str] | None) -> dict[str, str]:
    """The *chosen* options with the defaults filled in, in the game's order.

    Raises ValueError naming an unknown option or choice.

    >>> checked_options((Option("level", ("easy", "hard"), "easy"),), {"level": "hard"})
    {'level': 'hard'}
    """
    chosen = dict(chosen or {})
    made = {option.name: chosen.pop(option.name, option.default) for option in options}
    if chosen:
        raise ValueError(f"no such option: {', '.join(sorted(map(str, chosen)))}")
    for option in options:
        if made[option.name] not in option.choices:
            raise ValueError(f"option {option.name} must be one of {', '.join(option.choices)}")
    return made


def checked_seats(allowed: range, seats: int) -> int:
    """*seats*, if the game can be played with so many; else ValueError.

    >>> checked_seats(range(2, 5), 3)
    3
    """
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in allowed:
        raise ValueError(f"this game is for {allowed[0]} to {allowed[-1]} seats")
    return seats


SEEDS = 1 << 128


def checked_seed(seed: int | None) -> int | None:
    """*seed* if it is None or a 128-bit integer; else ValueError."""
    if seed is None or (isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < SEEDS):
        return seed
    raise ValueError("the seed must be an integer from 0 to 2**128 - 1")
