"""The contract between a game and its callers: chat adapters, renderers, AI players and tests.

A *state* is a value: immutable, comparable, hashable, and made of data only. ``play`` is a pure function. An *action*
is one decision of one seat; a turn may consist of several actions. Seats are 0-based here and shown to people as
player 1, 2, ….

A game implements the abstract members of `State` and `Game`. All other members have defaults, which suit a game without
hidden information whose turns are single actions.

Errors::

    ValueError
    ├── IllegalAction   a readable action that the rules refuse; the state is unchanged
    └── BadNotation     a text that is not an action; ``code`` is "notation" unless the game has a more specific one

Both carry a ``code``, for which every catalogue has a text, and a ``detail`` that contains public facts only.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import Any, Final, Protocol, Self, runtime_checkable

from msgspec import Struct

from rules.chance import Chance

VERSION: Final = 1
"""The version of this contract and of `renderers.contract`. It is raised if a game that is made for the former one may
not work any more; new members with defaults do not raise it."""
ROUGH: Final = 20
"""Difference in `State.worth` that makes a win about three times as likely as a loss."""


class IllegalAction(ValueError):
    """The rules refuse an action; ``code`` gives the reason, ``detail`` public facts (fields, never secrets)."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class BadNotation(ValueError):
    """A typed text is not an action of the game; ``detail`` quotes the part that could not be parsed.

    *missing*: a name in the text that the game does not have, such as a field off the board. *sort*: the kind of that
    name; the game's text ``no_<sort>`` lists the names that exist.
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
    def is_vague(self) -> bool:
        """Whether the code gives no reason beyond "could not be parsed"."""
        return self.code in ("notation", "unreadable")


class BadOption(ValueError):
    """A person's text is no value of an option: the text ``unfit.<code>``; ``detail`` is a part of that text, or a
    public fact. ``option`` is its name, if known."""

    def __init__(self, code: str, detail: str = "", option: str = "") -> None:
        super().__init__(": ".join(filter(None, (option and f"option {option}", code, detail))))
        self.code = code
        self.detail = detail
        self.option = option


class Option(Struct, frozen=True):
    """A choice that the host makes before the game starts.

    *implied*: the default goes without saying. Positions and proofs leave the option out while it has its
    default, because games that began before the option existed do not have it.

    *read*: for an option that also takes a person's text; it returns the text in canonical form, or raises BadOption.
    The form has at most 400 lower-case ASCII letters, digits, ``.`` and ``/``, so it can be stored, hashed and shown.
    *examples*: such texts as people type them.

    >>> Option("level", ("easy", "hard"), "easy").default
    'easy'
    """

    name: str
    choices: tuple[str, ...]
    default: str
    implied: bool = False
    read: Callable[[str], str] | None = None
    examples: tuple[str, ...] = ()


class Badge(Struct, frozen=True):
    """The story of a win over the house, kept in a person's record: the game's text ``badge.<id>``.

    *is_earned*: says of the last position, and of the seat that has won, whether the win tells this story.
    """

    id: str
    is_earned: Callable[[Any, int], bool]


class Standing(Struct, frozen=True):
    """A tedious turn that a person may leave to the table for as long as its reason holds: the game's texts
    ``standing.<id>`` for the button, and ``standing.<id>.ended`` for the end of the reason.

    *action*: returns the action of the actor of this view that completes the turn; it is played as soon as it is legal.
    None if the reason has ended.
    """

    id: str
    action: Callable[[Any], Any]


class Outcome(Struct, frozen=True):
    """The result of a game: points in seat order, the winning seats ascending, and the game's reason code."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class News(Struct, frozen=True, omit_defaults=True, gc=False):
    """One event in a post: the text ``news.<code>`` of the game's catalogue.

    A post tells a seat's events of one turn in one line: in the words ``post.<code>`` or ``brief.<code>`` of the
    catalogue, if it has them, and else in whole sentences. `Game.asides` are left out. The history uses
    ``brief.<code>`` only.

    *seat* fills ``{who}``; *to*, another seat that is involved, fills ``{to}``; *facts* fill the gaps of their names.
    A fact's value is a public word of the game (a field, a symbol, a number) or several of them. If the catalogue has a
    text ``part.<word>``, it replaces the word. ``n`` is a number that selects the plural form.
    *explains*: the event explains why the game ended as it did, so the final post tells it, and no other event. If the
    catalogue has ``headline.by.<code>``, those words end the headline.
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
        """The notation, split into the choices that a person makes one after another: ``("b3", "c4")``."""
        ...


class State(Struct, frozen=True, gc=False):
    """A position. A game subclasses it as a frozen ``msgspec.Struct`` of tuples.

    The class of a game has no other public members than these; the game's own fields and derived values belong to a
    base class of it (``position.Position``), so that a misspelt optional member cannot go unnoticed.
    """

    # The course of the game

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of seats in this game."""

    @property
    @abstractmethod
    def actor(self) -> int | None:
        """The seat that must act now; None once the game is over."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result; None while the game is running."""

    @abstractmethod
    def actions(self) -> tuple[Any, ...]:
        """Return every legal action of the actor in the game's fixed order; () once the game is over."""

    @abstractmethod
    def play(self, action: Any) -> Self:
        """Return the next state. Raises IllegalAction(code, detail).

        On a view it returns that seat's view of the next state, or raises IllegalAction("hidden").
        """

    @property
    def forced(self) -> Any:
        """The action that the table plays by itself after it has shown the board; None if the actor has a decision."""
        return None

    def ends_turn(self, after: Self) -> bool:
        """Return whether the action that led from here to *after* completed a turn. The chat gets one post per turn."""
        return True

    def turns(self, counted: int) -> int:
        """Return how many turns players have begun by an action, as the rulebook counts them.

        *counted*: by the table, for which setting up, dealing and acting in another's turn are turns as well.
        """
        return counted

    def is_out(self, seat: int) -> bool:
        """Return whether *seat* has no more turns in the game or in this round. The game then has a text ``out``."""
        return False

    def turn_of(self, seat: int) -> Self | None:
        """Return this position as if the next turn of *seat* began now, without the turns before it; None if the rules
        have no such position.

        Called on the view of *seat*, which is not the actor, to plan that turn. Facts that a later turn decides, such
        as a throw, are open: then all actions are listed that they may allow.
        """
        return None

    # Hidden information

    @abstractmethod
    def view(self, seat: int | None) -> Self:
        """Return the state with None for everything that *seat* cannot see, lengths kept; None is a spectator."""

    @abstractmethod
    def deal_anew(self, chance: Chance, before: Sequence[Self] = ()) -> Self:
        """Return a full position that agrees with this view, drawn by *chance* (a determinization).

        The hidden parts have the distribution that a player infers from the rules and this view.
        *before*: earlier views of the same seat in the same game, oldest first, as far as the player remembers them.
        The position agrees with them, too. Only games that forget need them.
        """

    @property
    def forgets(self) -> bool:
        """Whether boards shown earlier must not stay visible (a memory game)."""
        return False

    # Evaluation and search

    def standing(self) -> tuple[int, ...] | None:
        """Return the points per seat if the game were counted now; None if the game has no points."""
        return None

    def worth(self, seat: int) -> int:
        """Return a quick evaluation of this view of *seat*; higher is better.

        The default counts the seat's own points twice and subtracts those of the best other seat.
        """
        points = self.standing() or (0,) * self.seats
        return 2 * points[seat] - max(score for other, score in enumerate(points) if other != seat)

    def win_probability(self, seat: int) -> float:
        """Return the probability that *seat* wins, from 0.01 to 0.99: the evaluation function for search.

        Search calls it very often, on full positions that are not over. The default compares the `worth` of the seats.
        """
        ahead = self.worth(seat) - max(self.worth(other) for other in range(self.seats) if other != seat)
        return 0.01 + 0.98 / (1 + exp(-ahead / ROUGH))

    def tactical_actions(self) -> Sequence[Any]:
        """Return the legal actions that may change the evaluation a lot (captures, say), the most promising first.

        Quiescence search plays them before it trusts `win_probability`. It calls this very often.
        """
        return ()

    def search_actions(self) -> Sequence[Any]:
        """Return the legal actions that search considers: move pruning, for games with very many actions.

        It leaves out actions without effect and keeps one of several equivalent ones. Search calls it very often, on
        views of the actor and on full positions.
        """
        return self.actions()

    def shortlist(self) -> Sequence[Any]:
        """Return some dozens of legal actions to evaluate if there is no time for all of them. On the actor's view."""
        return ()

    # Texts

    def opening_news(self) -> tuple[News, ...]:
        """Return the events of the first post: the aim of the game, the first throw of a die."""
        return ()

    @abstractmethod
    def news(self, action: Any, after: Self) -> tuple[News, ...]:
        """Return the events of the legal *action* that led from here to *after*, on views, so without secrets.

        The action itself comes first, then its effects (a seat passed, went out, was skipped). () if a later action
        of the same turn reports it.
        """

    def full_news(self, action: Any, after: Self) -> tuple[News, ...]:
        """Return `news` with all facts that the board showed at the time, for the history of a finished round.

        It differs from `news` in games whose players have to remember facts.
        """
        return self.news(action, after)

    def hint(self, action: Any, part: int) -> str | None:
        """Return a description of the object to which ``action.parts[part]`` points, for its button; None if there is
        none.

        It is the id of a text ``hint.<id>``, or several ids separated by blanks. ``cost1``, ``cost2`` and so on are
        prices: where the bot proposes an action, it tells them.
        """
        return None

    def owner_at(self, action: Any, part: int) -> int | None:
        """Return the seat that owns the object to which ``action.parts[part]`` points; None if no seat does."""
        return None

    def warns(self, action: Any) -> str | None:
        """Return the code of the question to confirm this legal action (text ``warn.<code>``: its price, to which the
        bot adds whether the person is sure); usually None.

        A game asks before an action that visibly ends the game without a win for the actor, if another legal action
        continues it. If no action does, it does not ask: the question would only reveal which of the actions wins.
        A game may ask about other slips as well.
        """
        return None

    def cautions(self, action: Any) -> str | None:
        """Return the code of a question (text ``warn.<code>``) that a person is asked before the first such legal
        action of theirs in a game; usually None.

        It names a loss that beginners overlook. It is no sign of a slip: menus and the house do not use it. A hint
        names it, and prefers an equal action without it.
        """
        return None

    def inevitable(self) -> str | None:
        """Return the code of an effect that every legal action has (text ``inevitable.<code>``); usually None.

        The text precedes the question for the action. It contains only facts that the actor's view has.
        """
        return None

    def obligation(self) -> str | None:
        """Return the code of the reason why the actor has only one action (text ``obliged.<code>``).

        The text replaces the usual question. None if there is a choice, or if the reason is obvious.
        """
        return None

    def restriction(self) -> str | None:
        """Return the code of the reason why the actor has fewer kinds of moves than usual (text ``restricted.<code>``).

        The text replaces the first question of the turn, which names moves that are impossible now; usually None. It
        contains only public facts.
        """
        return None

    def reasons(self, action: Any, before: Sequence[Self] = ()) -> tuple[News, ...]:
        """Return why the actor might play the legal *action*, the best reason first: texts ``why.<code>``.

        On the actor's view, so the reasons contain only facts that this person knows. *before*: as in `deal_anew`.
        """
        return ()

    def risks(self, action: Any) -> tuple[News, ...]:
        """Return what the next player can take after the legal *action*, at most one event: texts ``why.<code>``.

        On the actor's view, like `reasons`. A hint names it after the reasons, and prefers an equal action without it.
        """
        return ()

    def __repr__(self) -> str:
        """Return all fields but the seed, which must not reach a log."""
        shown = (name for name in self.__struct_fields__ if name != "seed")
        return f"State({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


class Game(Protocol):
    """The rules of one game. A game's class inherits from it, for the defaults and for the type checker."""

    @property
    def id(self) -> str:
        """The name of the game's module, lower-case ASCII."""
        ...

    @property
    def seats(self) -> range:
        """The possible numbers of seats."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """The choices of the host."""
        return ()

    def seats_with(self, options: Mapping[str, str]) -> range:
        """Return the numbers of seats, among `seats`, that these *options* allow; a missing one has its default."""
        return self.seats

    @property
    def shortest(self) -> Mapping[str, str]:
        """The options of the shortest game that the rulebook knows, which a beginner is offered after the lesson; {} if
        no option shortens the game."""
        return {}

    @property
    def host_begins(self) -> bool:
        """Whether the person who opened the table gets seat 0, in each rematch that they join as well; otherwise a lot
        decides all seats."""
        return False

    @property
    def colours(self) -> tuple[str, ...]:
        """The seat colours that people may choose from; () if the seat decides the colour."""
        return ()

    @property
    def hides(self) -> bool:
        """Whether a player may know, or may have to remember, what others do not: then no crowd can share a seat."""
        return False

    @property
    def shows_steps(self) -> bool:
        """Whether the public board shows every action; otherwise it waits for the end of a turn."""
        return False

    @property
    def asides(self) -> frozenset[str]:
        """The codes of events that the picture shows: posts leave them out, and the history tells them."""
        return frozenset()

    @property
    def badges(self) -> tuple[Badge, ...]:
        """The stories of wins over the house; a game has few of them."""
        return ()

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The tedious turns that a person may leave to the table."""
        return ()

    @property
    def grids(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Parts of actions in the layout of the board, or of something on it, top row first, for menus.

        A grid has at most four rows of six or five rows of five. A larger board, or one that is no grid, has none.
        """
        return ()

    @abstractmethod
    def uses_chance(self, options: Mapping[str, str]) -> bool:
        """Return whether the game draws anything (a deal, a die) with these options; a missing one has its default."""
        ...

    @abstractmethod
    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """Return the first state. Raises ValueError with a clear message on bad seats or options."""
        ...

    @abstractmethod
    def parse(self, state: Any, text: str) -> tuple[Any, ...]:
        """Return the one or more actions that a person typed; lenient in case and spacing. Raises BadNotation."""
        ...

    @abstractmethod
    def encode(self, state: Any) -> bytes:
        """Return the documented fields as JSON."""
        ...

    @abstractmethod
    def decode(self, data: bytes | str) -> State:
        """Return the state of a document: the inverse of `encode`. Accepts any consistent position; else ValueError."""
        ...


def checked_options(options: tuple[Option, ...], chosen: Mapping[str, str] | None) -> dict[str, str]:
    """Return the *chosen* options, completed with the defaults, in the game's order.

    Raises ValueError that names an unknown option or choice; BadOption for a text that is no value.

    >>> checked_options((Option("level", ("easy", "hard"), "easy"),), {"level": "hard"})
    {'level': 'hard'}
    """
    chosen = dict(chosen or {})
    complete = {option.name: chosen.pop(option.name, option.default) for option in options}
    if chosen:
        raise ValueError(f"no such option: {', '.join(sorted(map(str, chosen)))}")
    for option in options:
        value = complete[option.name]
        if value not in option.choices and option.read is not None:
            try:
                complete[option.name] = option.read(value)
            except BadOption as bad:
                raise BadOption(bad.code, bad.detail, option.name) from None
        elif value not in option.choices:
            raise ValueError(f"option {option.name} must be one of {', '.join(option.choices)}")
    return complete


def stated_options(options: tuple[Option, ...], chosen: Mapping[str, str] | None) -> dict[str, str]:
    """Return the *chosen* options as lobby, positions and proofs state them: complete but for implied defaults.

    So a game that began before an option existed keeps its hash. Raises ValueError as `checked_options` does.

    >>> stated_options((Option("level", ("easy", "hard"), "easy", implied=True),), {"level": "easy"})
    {}
    """
    usual = {option.name: option.default for option in options if option.implied}
    complete = checked_options(options, chosen)
    return {name: choice for name, choice in complete.items() if choice != usual.get(name)}


def checked_seats(allowed: range, seats: int) -> int:
    """Return *seats* if it is one of the *allowed* numbers. Raises ValueError otherwise.

    >>> checked_seats(range(2, 5), 3)
    3
    """
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in allowed:
        raise ValueError(f"this game is for {allowed[0]} to {allowed[-1]} seats")
    return seats


SEEDS = 1 << 128


def checked_seed(seed: int | None) -> int | None:
    """Return *seed* if it is None or a 128-bit integer. Raises ValueError otherwise."""
    if seed is None or (isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < SEEDS):
        return seed
    raise ValueError("the seed must be an integer from 0 to 2**128 - 1")


def require(holds: bool, complaint: str) -> None:
    """Raise ValueError(*complaint*) unless the condition *holds*."""
    if not holds:
        raise ValueError(complaint)
