"""The fields of a position, and values derived from them."""

from msgspec import Struct

from rules.games.crystalla.actions import Action, Drop, Take
from rules.games.crystalla.codes import Corner, Phase, Refill
from rules.games.crystalla.components import LAYOUTS, Layout
from rules.games.crystalla.displays import Display
from rules.games.crystalla.stacks import Card


class Turn(Struct, frozen=True):
    """A finished turn or setup of a seat: its actions, including those of others who received a piece."""

    seat: int
    actions: tuple[Action, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The host's choices."""

    refill: Refill = Refill.TALLEST
    corner: Corner = Corner.TOP_LEFT


class Position(Struct, frozen=True):
    """A position of the game; every pile is written from bottom to top.

    *deck*: before the stacks are dealt. *hands*: three slots per seat. *stacks* and *stones*: stack 1 first. *carry*:
    stones in hand during the walk. *card*: taken and not yet laid. *due*: colours still to receive a piece. *piece*,
    *receiver*: given and not yet placed, and its seat. *open*: four slots of pieces. *piles*: the face-down pieces,
    large and small. *now*: the actions of this turn, including those of receivers of pieces. *last*: the turn before.
    """

    seats: int
    options: Options
    seed: int | None
    phase: Phase
    turn: int | None
    deck: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    stacks: tuple[tuple[Card, ...], ...]
    stones: tuple[str, ...]
    carry: str
    card: Card
    due: str
    piece: Card
    receiver: int | None
    open: tuple[Card, ...]
    piles: tuple[tuple[Card, ...], ...]
    displays: tuple[Display, ...]
    now: tuple[Action, ...]
    last: Turn | None

    @property
    def actor(self) -> int | None:
        """The seat whose turn it is; in between the receiver of a piece. Reading 10."""
        return self.turn if self.receiver is None else self.receiver

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.seats]

    def walked(self) -> tuple[int, ...]:
        """Return the stacks of this turn's walk, beginning with the one taken; () before that and in setup."""
        return tuple([action.stack for action in self.now if isinstance(action, Take | Drop)])

    def steps(self) -> tuple[int, ...]:
        """Return the stacks to which the walker may step: neighbours, but not straight back. Rulebook: Spielablauf;
        reading 13."""
        *_, before, here = (0, *self.walked())
        return tuple([stack for stack in self.layout.beside[here] if stack != before])
