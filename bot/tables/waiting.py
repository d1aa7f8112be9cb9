"""The state of waiting: the thing that a table waits for. Pure.

    OnClock ──time is up──▶ Overdue ──the others decide, or their time is up──▶ StandIn
       ▲                      │                                                    │
       └──the others wait─────┘               (each new turn begins with OnClock)◀─┘

    The table's `on_timeout` may decide without a question: OnClock ──▶ StandIn, or the house takes the seat, which ends
    a game of two (`bot.tables.absence.time_is_up`). Without a clock, the table rests if they do not decide for weeks.

    A turn of a channel begins with Voting, which is followed by Voting again (too few votes), or by StandIn (none).

    OnClock, Overdue, StandIn, Voting ◀──posts work again── Unreachable ◀──posts are refused── all of these
    The same with a game that is not installed, for any time; the turn then begins anew.
    any ──another table needs the place, or no person acts for long──▶ Resting ──opened again──▶ OnClock

The states of a turn keep the moment since which its time runs, so that a clock can go on after an interruption.
"""

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import Obstacle


class _OfTurn(Struct, frozen=True, omit_defaults=True):
    """*since_ms*: since when the time of this state runs.

    *is_hushed*: the turn began in calm times of its person, who is called when they end.
    """

    since_ms: int = 0
    is_hushed: bool = False


class OnClock(_OfTurn, frozen=True, tag="clock"):
    """The time of the person runs whose turn it is: since the turn began, or without a clock since the last step.

    In a lobby: since its last change.
    """


class Overdue(_OfTurn, frozen=True, tag="overdue"):
    """The time of the turn is up, and the others decide: since they were asked, or without a clock since before."""


class StandIn(_OfTurn, frozen=True, tag="stand-in"):
    """The house plays this turn for its person."""


class Voting(_OfTurn, frozen=True, tag="voting"):
    """The people of a channel vote on its turn. *again*: once more, because the first time brought too few votes."""

    again: bool = False


OfTurn = OnClock | Overdue | StandIn | Voting


class Unreachable(Struct, frozen=True, omit_defaults=True, tag="away"):
    """The place takes no posts since *since_ms*, and no time runs. *turn*: the state that goes on afterwards.

    *of_game*: not the place is unreachable, but the game, which is not installed. The turn then gets all its
    time again. *obstacle*: why the place takes no posts, a `bot.chat.Obstacle`.
    """

    since_ms: int
    turn: OfTurn = OnClock()
    of_game: bool = False
    obstacle: str = Obstacle.UNKNOWN.value


class Resting(Struct, frozen=True, omit_defaults=True, tag="resting"):
    """The table has lost its place to another one; its only person may open it again anywhere, with all the time.

    *since_ms*: since when the table is unattended, because no person acted for a round: it keeps its place as long as
    no other table needs it, each of its people may open it again, and it ends after a while. 0: it is not.
    """

    since_ms: int = 0


Waiting = OfTurn | Unreachable | Resting


def of_turn(waiting: Waiting) -> OfTurn | None:
    """Return the state of the turn, also if the place is unreachable; None if the table rests."""
    match waiting:
        case Unreachable(_, turn):
            return turn
        case Resting():
            return None
        case _:
            return waiting


def with_turn(waiting: Waiting, turn: OfTurn) -> Waiting:
    """Return *waiting* with the state *turn* of the turn. An unreachable place stays so, a resting table rests."""
    match waiting:
        case Unreachable():
            return replace(waiting, turn=turn)
        case Resting():
            return waiting
        case _:
            return turn


def clock_of(turn: OfTurn) -> OnClock:
    """Return the clock that goes on if the others wait no longer or the house plays no longer."""
    return OnClock(turn.since_ms, turn.is_hushed)
