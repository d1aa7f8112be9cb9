"""What people can ask for: one value for each kind of request. Knows no platform.

`bot.requests.commands` makes them of what was typed or pressed, the service answers them.
"""

from msgspec import Struct

from bot.tables.table import Table, TableId


class Stamp(Struct, frozen=True):
    """The save of a table that a button was made for, or the turn. *number* None: it carries none, as in version 0.1.0.

    *of_turn*: it stands on a board that stays while a turn goes on, step by step, unseen by the others.
    """

    number: int | None
    mark: str = ""
    of_turn: bool = False

    def fits(self, table: Table) -> bool:
        """Whether the table is still as it was then."""
        number, mark = (table.turn, table.turn_mark) if self.of_turn else (table.revision, table.mark)
        return self.number in (None, number) and self.mark == mark


class NewGame(Struct, frozen=True):
    """*wishes*: choices of the game's options by their own names ("hard"), *game* None: which games there are.

    *house*: the house is to play in the seats that are missing, and gently.
    """

    game: str | None
    wishes: tuple[str, ...] = ()
    house: bool = False


class NewThread(Struct, frozen=True):
    """A new game beside this place, which is taken; *wishes* by number (`bot.replies.wishes`)."""

    game: str
    wishes: tuple[int, ...] = ()


class PlayWith(Struct, frozen=True):
    """A table to which somebody is invited: whom the update is about, or *account* (in parts, as a button carries it).
    *game* None: which one?"""

    game: str | None = None
    account: tuple[int, ...] = ()


class Join(Struct, frozen=True):
    table: TableId | None = None


class ChooseClock(Struct, frozen=True):
    """The time for a turn (*late* False), or what happens when it is up, by number."""

    table: TableId
    choice: int
    late: bool = False


class Invite(Struct, frozen=True):
    """The house is to play along in so many *seats*; None: in as many as are missing, and the game is to begin."""

    table: TableId
    seats: int | None = None


class ChooseLevel(Struct, frozen=True):
    """How well the house is to play, by number. *starting*: asked where it is to sit in."""

    table: TableId
    choice: int
    starting: bool = False


class ChooseCalls(Struct, frozen=True):
    """Whether the table calls whoever is up, by number."""

    table: TableId
    choice: int


class Decide(Struct, frozen=True):
    """What is to happen now that somebody's time is up: 0 wait again, 1 the house plays, 2 it takes the seat.
    *sure*: the question before that was answered with yes."""

    table: TableId
    stamp: Stamp
    choice: int
    sure: bool = False


class Settings(Struct, frozen=True):
    """*scope*: "me" or "place"; "": of the place to whoever manages it, else one's own."""

    scope: str = ""
    page: int = 0


class Set(Struct, frozen=True):
    """Set a setting, both by number."""

    scope: str
    setting: int
    choice: int


class Leave(Struct, frozen=True):
    table: TableId | None = None


class Start(Struct, frozen=True):
    table: TableId | None = None


class Options(Struct, frozen=True):
    """What can be chosen before the game begins, in pages."""

    table: TableId
    page: int = 0


class ChooseOption(Struct, frozen=True):
    """Number of the option and of its choice, in the game's order."""

    table: TableId
    option: int
    choice: int


class ChooseColour(Struct, frozen=True):
    table: TableId
    choice: int


class Move(Struct, frozen=True):
    """Actions as typed."""

    text: str


class Menu(Struct, frozen=True):
    """Tap to move: *path* are the parts chosen so far, by number; without a stamp the menu begins anew."""

    table: TableId | None = None
    stamp: Stamp | None = None
    path: tuple[int, ...] = ()
    page: int = 0


class Close(Struct, frozen=True):
    """Put the menu away; *table* None: one that is about no table."""

    table: TableId | None


class Nothing(Struct, frozen=True):
    """A place in a menu where there is nothing to choose."""


class Play(Struct, frozen=True):
    """A legal action by its number in ``actions()`` by then. *sure*: the question was answered with yes."""

    table: TableId
    stamp: Stamp
    index: int
    sure: bool = False


class Board(Struct, frozen=True):
    table: TableId | None = None


class View(Struct, frozen=True):
    """One's own view; *table* where a button asked for it, which promises the hand where there is one."""

    table: TableId | None = None


class Hint(Struct, frozen=True):
    """What the house would play for me."""

    table: TableId | None = None


class Follow(Struct, frozen=True):
    """Play what the hint for this position said."""

    table: TableId
    stamp: Stamp


class Missed(Struct, frozen=True):
    """What came to light since my last turn, where boards do not stay; *page* counts from the oldest."""

    table: TableId
    page: int = 0


class More(Struct, frozen=True):
    """What else can be done at the table just now, beside playing."""

    table: TableId | None = None


class Resign(Struct, frozen=True):
    """Give up. *sure*: the question was answered with yes."""

    table: TableId | None = None
    stamp: Stamp | None = None
    sure: bool = False


class End(Struct, frozen=True):
    """End the game without a winner, if the others agree. *sure*: where it ends at once, the question was answered with
    yes."""

    table: TableId | None = None
    stamp: Stamp | None = None
    sure: bool = False


class Undo(Struct, frozen=True):
    """Take my last action back."""

    table: TableId | None = None
    stamp: Stamp | None = None


class Draw(Struct, frozen=True):
    """Offer or accept a draw, where the game knows draws."""

    table: TableId | None = None
    stamp: Stamp | None = None


class Agree(Struct, frozen=True):
    """Yes (or no) to what somebody at the table asked."""

    table: TableId
    asked: Stamp
    yes: bool


class Rematch(Struct, frozen=True):
    """The same people once more."""

    table: TableId | None = None


class Games(Struct, frozen=True):
    """My tables everywhere, in pages."""

    page: int = 0


class History(Struct, frozen=True):
    """The moves so far; *page* counts from the newest."""

    table: TableId | None = None
    page: int = 0


class Stats(Struct, frozen=True):
    """What somebody has reached here; *person*: a name or a mention as typed, "" for the one who asks."""

    person: str = ""


class Top(Struct, frozen=True):
    """The best here in *game*; None: in whichever was played here."""

    game: str | None = None


class Privacy(Struct, frozen=True):
    """What is kept of me."""


class Export(Struct, frozen=True):
    """All that is kept of me, as a file."""


class Hide(Struct, frozen=True):
    """Whether I am to be left out of what others see in statistics."""

    on: bool


class Forget(Struct, frozen=True):
    """Delete everything about me. *sure*: the question was answered with yes."""

    sure: bool = False


class Replay(Struct, frozen=True):
    """A film of the game; with a *position* (0: the first) only that one. -1: something that is no position."""

    table: TableId | None = None
    position: int | None = None


class Verify(Struct, frozen=True):
    """Whether the luck of the game was what was promised."""

    table: TableId | None = None


class ShowReview(Struct, frozen=True):
    """How a game went that is over; *page* None: for everybody; 0: for the reader alone; else a turning point, from
    1."""

    table: TableId
    page: int | None = None


class Rules(Struct, frozen=True):
    """*game* None: that of the table in this place, or a list. *page* counts from 0."""

    game: str | None = None
    page: int = 0


class Learn(Struct, frozen=True):
    """The lesson of a game, at a step from 0; *game* None: that of the table in this place, or a list.

    *offer*: the answer that was tapped, by number; *typed*: the answer that was written. *seen*: the step was shown, so
    it can be answered.
    """

    game: str | None = None
    step: int = 0
    offer: int | None = None
    typed: str = ""
    seen: bool = True


class Help(Struct, frozen=True):
    """What the bot can do; *page* counts from 0."""

    page: int = 0


class Welcome(Struct, frozen=True):
    """Somebody who has just come."""


class Unknown(Struct, frozen=True):
    """Nothing that we know; *text* is what was sent, cut."""

    text: str


LobbyRequest = Join | Leave | Start | Invite | ChooseOption | ChooseColour | ChooseClock | ChooseCalls | ChooseLevel
Request = (
    NewGame
    | NewThread
    | PlayWith
    | Join
    | Leave
    | Start
    | Options
    | ChooseOption
    | ChooseColour
    | Move
    | Menu
    | Close
    | Nothing
    | Play
    | Board
    | View
    | Hint
    | Follow
    | Missed
    | More
    | Resign
    | End
    | Undo
    | Draw
    | Agree
    | Rematch
    | Games
    | History
    | Stats
    | Top
    | Privacy
    | Export
    | Hide
    | Forget
    | Replay
    | Verify
    | ShowReview
    | Rules
    | Learn
    | ChooseClock
    | Invite
    | ChooseCalls
    | ChooseLevel
    | Decide
    | Settings
    | Set
    | Help
    | Welcome
    | Unknown
)
