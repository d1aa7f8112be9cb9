"""A position of Colorio and the rules of play."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar, assert_never

from msgspec.structs import replace

from rules import contract
from rules.chance import Chance
from rules.contract import IllegalAction, News, Outcome
from rules.games.colorio import judging, reasons
from rules.games.colorio.actions import ColorioAction, Cover, Deal, Remove, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, Cap, Colour, draw_colours, draw_layout
from rules.games.colorio.position import ACTIONS_PER_TURN, Memory, Phase, Position, Scoring, Turn

T = TypeVar("T")


class Refusal(StrEnum):
    """The reasons to refuse an action, in the order of the checks."""

    OVER = "over"
    PHASE = "phase"
    OPEN = "open"
    BANNED = "banned"
    MOVED = "moved"
    MUST_REMOVE = "must_remove"
    SAME_FIELD = "same_field"
    COVERED = "covered"
    SAME_COLOUR = "same_colour"
    HIDDEN = "hidden"


class Event(StrEnum):
    """The events in posts. An event names the uncovered colour only if the board remembers it, or if it is the fifth
    one and ends the round."""

    UNCOVERED = "uncovered"
    UNCOVERED_COLOUR = "uncovered_colour"
    OUT = "out"
    OUT_COLOUR = "out_colour"
    REMOVED = "removed"
    MOVED = "moved"
    SURVIVED = "survived"
    DEALT = "dealt"


class Obligation(StrEnum):
    """The reasons why a cap can only be removed. FIRST: the first turn of a round removes all caps. OWED: no cap was
    removed in this turn yet. NOWHERE: no field of another colour is open."""

    FIRST = "first"
    OWED = "owed"
    NOWHERE = "nowhere"


class Question(StrEnum):
    OUT = "out"


class Inevitable(StrEnum):
    """The effects of every possible action. FIFTH: each cap hides the fifth field of its colour."""

    FIFTH = "fifth"


class Reason(StrEnum):
    LAST = "last"
    POINTS = "points"


# Cached, because access to enum members is slow.
_OPEN: Final = Cap.OPEN
_PLAY, _BETWEEN, _OVER = Phase
_COVERED: Final = Cap.COVERED

SEATS: Final = range(2, 6)
# All actions of a turn, created once, in field order: the lists of legal actions choose from them.
UNCOVER: Final = tuple(map(Uncover, GRID.fields))
COVER: Final = tuple(map(Cover, GRID.fields))


class State(Position, contract.State, frozen=True):
    """A position with the rules of play."""

    def is_out(self, seat: int) -> bool:
        return seat in self.out

    # --- The contract ---------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        if self.phase is not _OVER:
            return None
        best = max(self.points)
        winners = tuple(seat for seat, points in enumerate(self.points) if points == best)
        return Outcome(self.points, winners, Reason.POINTS if self.options.scoring is Scoring.ROUNDS else Reason.LAST)

    @property
    def forced(self) -> ColorioAction | None:
        """``x`` if the cap cannot cover any field, and ``deal``."""
        if self.phase is _BETWEEN:
            return Deal()
        if self.decides and len(self.actions()) == 1:
            return Remove()
        return None

    def obligation(self) -> Obligation | None:
        """Return why the lifted cap can only be removed."""
        if not self.decides or len(self.actions()) > 1:
            return None
        if not self.must_remove:
            return Obligation.NOWHERE
        return Obligation.FIRST if self.turn == 0 else Obligation.OWED

    def inevitable(self) -> Inevitable | None:
        """Return ``fifth`` if a cap must be lifted, and of every colour at most one field is covered."""
        if self.phase is not _PLAY or self.decides or any(self.in_sight(colour) < EACH - 1 for colour in Colour):
            return None
        return Inevitable.FIFTH

    @property
    def forgets(self) -> bool:
        return self.phase is _PLAY and self.options.memory is Memory.ON

    def standing(self) -> tuple[int, ...] | None:
        """Return the points of the finished rounds; None in a single round."""
        return self.points if self.options.scoring is Scoring.ROUNDS else None

    def worth(self, seat: int) -> int:
        """Return an evaluation that prefers few open fields per colour: four of one are worse than two and two."""
        return (-100 if seat in self.out else 0) - sum(self.in_sight(colour) ** 2 for colour in Colour)

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self, seat)

    def actions(self) -> tuple[ColorioAction, ...]:
        """Return fields in field order; or ``x``, then ``>`` fields in field order; or only ``deal``."""
        if self.phase is not _PLAY:
            return (Deal(),) if self.phase is _BETWEEN else ()
        if self.decides:
            return self._decisions()
        barred = (*self.covered_this_turn, self.banned)
        return tuple(
            [
                action
                for action, cap in zip(UNCOVER, self.caps, strict=True)
                if cap is not _OPEN and action.field not in barred
            ]
        )

    def _decisions(self) -> tuple[ColorioAction, ...]:
        lifted = self.lifted
        if self.must_remove or lifted is None:
            return (Remove(),)
        just_seen = self.colour(lifted)  # a field of another colour is another field as well
        return (
            Remove(),
            *[
                action
                for action, cap, colour in zip(COVER, self.caps, self.colours, strict=True)
                if cap is _OPEN and colour is not just_seen
            ],
        )

    def play(self, action: ColorioAction) -> "State":
        """Return the position after *action*. Raises IllegalAction(Refusal); for views see reading 10."""
        if self.phase is _OVER:
            raise IllegalAction(Refusal.OVER)
        match action:
            case Uncover() if self.phase is _PLAY and not self.decides:
                return self._uncover(action)
            case Remove() if self.decides:
                return self._decided(action, self.caps)
            case Cover() if self.decides:
                return self._cover(action)
            case Deal() if self.phase is _BETWEEN:
                return self._deal()
        raise IllegalAction(Refusal.PHASE)

    def turn_of(self, seat: int) -> "State | None":
        """Return the board as it is with *seat* as the actor; None between rounds, and for a seat that is out."""
        if self.phase is not _PLAY or seat in self.out:
            return None
        return replace(self, actor=seat, turn=self.turn + 1, log=(), last=None)

    def view(self, seat: int | None) -> "State":
        """Return the position without the seed, the later rounds and, during a round, the colours of covered fields."""
        colours = self.colours
        if self.phase is _PLAY:
            colours = tuple(
                None if cap is _COVERED else colour for cap, colour in zip(self.caps, self.colours, strict=True)
            )
        return replace(self, seed=None, colours=colours, to_come=(None,) * len(self.to_come))

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        """Return a board that matches the strips, the visible colours and those visible *before* in this round.

        Each such board is equally likely.
        """
        known = list(self.colours)
        if self.phase is _PLAY:
            for view in before:
                if view.round == self.round and view.phase is _PLAY:
                    known = [now or then for now, then in zip(known, view.colours, strict=True)]
        return replace(
            self,
            seed=chance.seed(),
            colours=draw_colours(chance, self.side, known),
            to_come=tuple(draw_layout(chance) for _ in self.to_come),
        )

    def ends_turn(self, after: "State") -> bool:
        """Return whether three caps are done, the player is out, or a new round begins."""
        return not after.log

    def turns(self, counted: int) -> int:
        """Return the turns without the deals between rounds."""
        return counted - self.round

    def news(self, action: ColorioAction, after: "State") -> tuple[News, ...]:
        """Return the uncovered or moved cap with its field, the player who is out, the end and the start of rounds.

        Colours appear only if the board remembers them (memory=off) or the round is over, because texts stay in a chat.
        """
        return self._events(action, after, colours=self.options.memory is Memory.OFF)

    def full_news(self, action: ColorioAction, after: "State") -> tuple[News, ...]:
        return self._events(action, after, colours=True)

    def _events(self, action: ColorioAction, after: "State", *, colours: bool) -> tuple[News, ...]:
        lifted = self.lifted or ""
        match action:
            case Uncover(field):
                colour = after.colour(field)
                named = colour is not None and colours
                facts = (("field", field), *((("colour", colour.word),) if colour and named else ()))
                if after.out == self.out:
                    return (News(Event.UNCOVERED_COLOUR if named else Event.UNCOVERED, self.actor, facts),)
                if colour is not None and after.phase is not _PLAY:  # the round is over, so the colour is no secret
                    named, facts = True, (("field", field), ("colour", colour.word))
                decides = after.outcome is not None and self.options.scoring is Scoring.SINGLE
                out = News(Event.OUT_COLOUR if named else Event.OUT, self.actor, facts, explains=decides)
                if after.phase is _PLAY or self.options.scoring is Scoring.SINGLE:  # the outcome reports the end
                    return (out,)
                return (out, *(News(Event.SURVIVED, seat) for seat in range(self.seats) if seat not in after.out))
            case Remove():
                return (News(Event.REMOVED, self.actor, (("field", lifted),)),)
            case Cover(field):
                return (News(Event.MOVED, self.actor, (("field", lifted), ("target", field))),)
            case Deal():
                return (News(Event.DEALT, self.actor, (("round", str(after.round + 1)),)),)
        assert_never(action)

    def reasons(self, action: ColorioAction, before: Sequence["State"] = ()) -> tuple[News, ...]:
        return reasons.reasons(self, action, before)

    def hint(self, action: ColorioAction, part: int) -> str | None:
        """Return the colour of an open field, or of a covered one that the board remembers."""
        if not isinstance(action, Uncover | Cover):
            return None
        field = GRID.number[action.field]
        colour = None if self.caps[field] is _COVERED else self.colours[field]
        return colour.word if colour else None

    def warns(self, action: ColorioAction) -> str | None:
        """Return ``out`` for a cap that visibly hides a fifth field, if that ends the game, others win, and other caps
        exist.

        If the game, or a round of it, continues, the question would be advice. A player who can only lift such caps has
        no choice. With memory=on the game does not ask, because the question would reveal the colour.
        """
        assert self.actor is not None
        if self.to_come or len(self.out) < self.seats - 2 or not self._is_out_by(action):
            return None
        points = self._counted((*self.out, self.actor))
        wins = points[self.actor] == max(points)
        return None if wins or all(map(self._is_out_by, self.actions())) else Question.OUT

    def _is_out_by(self, action: ColorioAction) -> bool:
        """Return whether *action* visibly puts the actor out."""
        if not isinstance(action, Uncover) or self.caps[GRID.number[action.field]] is not Cap.SEEN:
            return False
        colour = self.colour(action.field)
        return colour is not None and self.in_sight(colour) >= EACH - 1

    # --- The course of a turn ------------------------------------------------------------------------------------

    def _uncover(self, action: Uncover) -> "State":
        field = action.field
        if self.is_open(field):
            raise IllegalAction(Refusal.OPEN, field)
        if field == self.banned:
            raise IllegalAction(Refusal.BANNED, field)
        if field in self.covered_this_turn:
            raise IllegalAction(Refusal.MOVED, field)
        colour = self.colour(field)
        if colour is None:
            raise IllegalAction(Refusal.HIDDEN, field)
        caps = _with(self.caps, field, _OPEN)
        log = (*self.log, action)
        # Only the colour just uncovered matters (rulebook: Ausscheiden eines Spielers).
        if self.in_sight(colour) < EACH - 1:
            return replace(self, caps=caps, log=log)
        return self._gone(caps, log)

    def _gone(self, caps: tuple[Cap, ...], log: tuple[TurnAction, ...]) -> "State":
        """Return the position after the actor uncovered a fifth field: the next turn, or the end of the round."""
        actor = self.actor
        assert actor is not None
        out = (*self.out, actor)
        if len(out) < self.seats - 1:
            return self._passed_on(caps, log, out)
        if None in self.colours:
            raise IllegalAction(Refusal.HIDDEN, GRID.fields[self.colours.index(None)])
        return replace(
            self,
            caps=caps,
            log=(),
            last=Turn(actor, log),
            out=out,
            points=self._counted(out),
            phase=_BETWEEN if self.to_come else _OVER,
            actor=self.round + 1 if self.to_come else None,
        )

    def _counted(self, out: tuple[int, ...]) -> tuple[int, ...]:
        """Return the points once all seats but one are *out* of this round, in this order."""
        order = (*out, *(seat for seat in range(self.seats) if seat not in out))
        return tuple(points + order.index(seat) for seat, points in enumerate(self.points))

    def _cover(self, action: Cover) -> "State":
        field, lifted = action.field, self.lifted
        assert lifted is not None
        if self.must_remove:
            raise IllegalAction(Refusal.MUST_REMOVE, field)
        if field == lifted:
            raise IllegalAction(Refusal.SAME_FIELD, field)
        if not self.is_open(field):
            raise IllegalAction(Refusal.COVERED, field)
        if self.colour(field) is self.colour(lifted):
            raise IllegalAction(Refusal.SAME_COLOUR, field)
        if self.options.memory is Memory.OFF:
            return self._decided(action, _with(self.caps, field, Cap.SEEN))
        after = self._decided(action, _with(self.caps, field, _COVERED))
        # A view forgets a covered colour. It is a view if it has unknown colours: in a running round at most seats - 2
        # of the five colours are complete, so at least two have a covered field.
        return replace(after, colours=_with(self.colours, field, None)) if None in self.colours else after

    def _decided(self, action: Remove | Cover, caps: tuple[Cap, ...]) -> "State":
        log = (*self.log, action)
        if len(log) < ACTIONS_PER_TURN:
            return replace(self, caps=caps, log=log)
        return self._passed_on(caps, log, self.out)

    def _passed_on(self, caps: tuple[Cap, ...], log: tuple[TurnAction, ...], out: tuple[int, ...]) -> "State":
        actor = self.actor
        assert actor is not None
        return replace(
            self,
            caps=caps,
            log=(),
            last=Turn(actor, log),
            out=out,
            actor=next_in(actor, self.seats, out),
            turn=self.turn + 1,
        )

    def _deal(self) -> "State":
        layout, *later = self.to_come
        if layout is None:
            raise IllegalAction(Refusal.HIDDEN)
        return replace(
            self,
            phase=_PLAY,
            round=self.round + 1,
            turn=0,
            actor=self.round + 1,
            side=layout.side,
            colours=layout.colours,
            caps=(_COVERED,) * len(GRID.fields),
            last=None,
            out=(),
            to_come=tuple(later),
        )


CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "refused": (*Refusal, "notation"),
        "news": tuple(Event),
        "warn": tuple(Question),
        "obliged": tuple(Obligation),
        "inevitable": tuple(Inevitable),
        "reason": tuple(Reason),
        "why": tuple(reasons.Why),
        "hint": tuple(colour.word for colour in Colour),
        "part": (str(Remove()), str(Deal()), *(colour.word for colour in Colour)),
    }
)
"""All codes that have a text in the catalogues, by the first word of the text's id."""


def next_in(seat: int, seats: int, out: tuple[int, ...]) -> int:
    """Return the seat that is up after *seat*: ascending, cyclic, without the seats that are *out*.

    >>> next_in(1, 4, (2, 3))
    0
    """
    return next(turn for step in range(1, seats + 1) if (turn := (seat + step) % seats) not in out)


def _with(board: tuple[T, ...], field: str, content: T) -> tuple[T, ...]:
    here = GRID.number[field]
    return (*board[:here], content, *board[here + 1 :])
