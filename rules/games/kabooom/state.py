"""The rules of play."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from rules import contract
from rules.chance import Chance
from rules.contract import IllegalAction, News, Outcome
from rules.games.kabooom import judging, reasons
from rules.games.kabooom.actions import Action, Move, Pass, Place
from rules.games.kabooom.position import Options, Position
from rules.games.kabooom.towers import (
    BEATS,
    GRID,
    OF_EACH,
    SEATS,
    SYMBOLS,
    Phase,
    counted,
    height,
    owner,
    symbol,
)


class Refusal(StrEnum):
    """The reasons to refuse an action, in the order of the checks."""

    OVER = "over"
    PHASE = "phase"
    OCCUPIED = "occupied"
    NO_STONE = "no_stone"
    EMPTY_SOURCE = "empty_source"
    NOT_YOURS = "not_yours"
    NOT_ADJACENT = "not_adjacent"
    EMPTY_TARGET = "empty_target"
    NOT_BEATEN = "not_beaten"


class Event(StrEnum):
    """The events in posts: an action, or its effect."""

    PLACE = "place"
    MOVE = "move"
    WORTH = "move.worth"
    """Of logs that were written before the event said how the points come about."""
    SUM = "move.sum"
    PASS = "pass"  # noqa: S105 (no password)
    FILLED = "filled"
    AUTO = "auto"
    ALL_PASSED = "ended.all"
    ONE_PASSED = "ended.one"
    """The others passed, too, but not all of them had a move."""
    TIE_BROKEN = "tie_broken"


class Question(StrEnum):
    ENDS = "ends"
    LOSES = "loses"


class Reason(StrEnum):
    STUCK = "stuck"
    PASSED = "passed"


AUTO: Final = "auto"
TALL: Final = 12
"""Towers of this height and more share their hints."""

CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "refused": (*Refusal, "notation"),
        "news": tuple(Event),
        "warn": tuple(Question),
        "reason": tuple(Reason),
        "why": tuple(reasons.Why),
        "part": (*SYMBOLS, "pass"),
        "hint": (
            *(f"left{count}" for count in range(1, OF_EACH + 1)),
            *(f"{kind}{tall or ''}" for kind in SYMBOLS for tall in (0, *range(2, TALL + 1))),
            *(f"{kind}-{points}" for kind in SYMBOLS for points in range(TALL + 1)),
        ),
    }
)
"""All codes that have a text in the catalogues, by the first word of the text's id."""


_PLACE, _MOVE, _OVER = Phase  # cached, because access to enum members is slow

# All possible actions, created once; the lists of legal actions choose from them. For each field: its placements by
# symbol, and the moves from it, each with the number of the target.
_PLACES: Final = tuple({kind: Place(kind, field) for kind in SYMBOLS} for field in GRID.fields)
_MOVES: Final = tuple(
    tuple((target, Move(field, GRID.fields[target])) for target in around)
    for field, around in zip(GRID.fields, GRID.around, strict=True)
)
_PASS: Final = Pass()

# For each seat and each of its stones: the stones that it beats, of any seat.
_MOST: Final = SEATS[-1]
_BEATEN: Final = tuple(
    {f"{seat}{kind}": frozenset(f"{other}{prey}" for other in range(_MOST) for prey in BEATS[kind]) for kind in SYMBOLS}
    for seat in range(_MOST)
)


def _moves(board: tuple[str, ...], seat: int) -> Iterator[Move]:
    """Yield every move of *seat*: from an own tower onto an adjacent one whose top it beats. Rulebook: Züge."""
    tops = [tower[-2:] for tower in board]
    beaten_by = _BEATEN[seat]
    for source, top in enumerate(tops):
        if top in beaten_by:
            beaten = beaten_by[top]
            for target, move in _MOVES[source]:
                if tops[target] in beaten:
                    yield move


def can_move(board: tuple[str, ...], seat: int) -> bool:
    """Return whether *seat* has a move; a seat without one passes automatically."""
    return next(_moves(board, seat), None) is not None


def is_stuck(board: tuple[str, ...], seats: int) -> bool:
    """Return whether no seat can move: no tower beats an adjacent one."""
    return not any(can_move(board, seat) for seat in range(seats))


class State(Position, contract.State, frozen=True):
    """A position with the rules of play."""

    # Decisions

    def actions(self) -> tuple[Action, ...]:
        """Return placements by field, then symbol; or moves by source, then target, and the pass."""
        if self.actor is None:
            return ()
        if self.phase == _PLACE:
            kinds = [kind for kind, count in self.supply(self.actor).items() if count]
            empty = [places for places, tower in zip(_PLACES, self.board, strict=True) if not tower]
            return tuple([places[kind] for places in empty for kind in kinds])
        return (*_moves(self.board, self.actor), _PASS)

    # Actions

    def play(self, action: Action) -> "State":
        """Return the position after *action*. Raises IllegalAction(Refusal) with the first reason that applies."""
        actor = self.actor
        if actor is None:
            raise IllegalAction(Refusal.OVER)
        if isinstance(action, Place) != (self.phase == _PLACE):
            raise IllegalAction(Refusal.PHASE)
        passes = 0
        match action:
            case Place():
                board = self._placed(actor, action)
            case Move():
                board = self._moved(actor, action)
            case Pass():
                board, passes = self.board, self.passes + 1
            case _:
                assert_never(action)
        last = (*self.last[:actor], str(action), *self.last[actor + 1 :])
        up = (actor + 1) % self.seats
        if self.phase == _PLACE and "" in board:
            return State(self.seats, self.options, self.seed, _PLACE, up, 0, board, last)
        return _settled(self.seats, self.options, self.seed, up, passes, board, last)

    def _placed(self, actor: int, action: Place) -> tuple[str, ...]:
        """Return the board with the stone on it. Rulebook: Aufstellung Stein für Stein."""
        here, stone = GRID.number[action.field], f"{actor}{action.symbol}"
        if self.board[here]:
            raise IllegalAction(Refusal.OCCUPIED, action.field)
        if not self.supply(actor)[action.symbol]:
            raise IllegalAction(Refusal.NO_STONE, action.symbol)
        return (*self.board[:here], stone, *self.board[here + 1 :])

    def _moved(self, actor: int, action: Move) -> tuple[str, ...]:
        """Return the board with the one tower on the other. Rulebook: Türme, Züge."""
        board = list(self.board)
        source, target = GRID.number[action.source], GRID.number[action.target]
        mover, beneath = board[source], board[target]
        if not mover:
            raise IllegalAction(Refusal.EMPTY_SOURCE, action.source)
        if owner(mover) != actor:
            raise IllegalAction(Refusal.NOT_YOURS, action.source)
        if target not in GRID.around[source]:
            raise IllegalAction(Refusal.NOT_ADJACENT, str(action))
        if not beneath:
            raise IllegalAction(Refusal.EMPTY_TARGET, action.target)
        if symbol(beneath) not in BEATS[symbol(mover)]:
            raise IllegalAction(Refusal.NOT_BEATEN, str(action))
        board[source], board[target] = "", beneath + mover
        return tuple(board)

    def turn_of(self, seat: int) -> "State | None":
        """Return the position with *seat* as the actor; None if it could only pass."""
        if self.phase == _OVER or (self.phase == _MOVE and not can_move(self.board, seat)):
            return None
        if self.phase == _PLACE and not any(self.supply(seat).values()):
            return None
        return msgspec.structs.replace(self, actor=seat, passes=0)

    # Evaluation

    def standing(self) -> tuple[int, ...]:
        """Return the points of each seat if the game were counted now. Rulebook: Auswertung."""
        scores = [0] * self.seats
        for tower in filter(None, self.board):
            scores[owner(tower)] += self.points(tower)
        return tuple(scores)

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self, seat)

    @property
    def outcome(self) -> Outcome | None:
        if self.phase != _OVER:
            return None
        scores = self.standing()
        ranks = list(zip(scores, self.heights(), strict=True))
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        return Outcome(scores, winners, Reason.STUCK if is_stuck(self.board, self.seats) else Reason.PASSED)

    # Views and texts

    def view(self, seat: int | None) -> "State":
        """Return the position without its seed; nothing else is hidden."""
        return msgspec.structs.replace(self, seed=None)

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        """Return the position with a seed, which has no more effect."""
        return msgspec.structs.replace(self, seed=chance.seed())

    def warns(self, action: Action) -> str | None:
        """Return ``ends`` for a pass that ends the game, even with a win (rulebook: Aussetzen), and for other actions
        that end it without a win if another action continues it."""
        legal = self.actions()
        outcome = self.play(action).outcome if action in legal else None
        if outcome is None:
            return None
        if not isinstance(action, Pass):
            wins = self.actor in outcome.winners
            if wins or all(self.play(other).outcome is not None for other in legal):
                return None
        return Question.ENDS

    def cautions(self, action: Action) -> str | None:
        """Return ``loses`` for a pass after which the next pass ends the game without a win, if a move does not end
        it."""
        if self.actor is None or self.phase != _MOVE or not isinstance(action, Pass):
            return None
        after = self.play(action)
        outcome = None if after.actor is None else after.play(_PASS).outcome
        if outcome is None or self.actor in outcome.winners:
            return None
        goes_on = any(self.warns(move) is None for move in _moves(self.board, self.actor))
        return Question.LOSES if goes_on else None

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        """Return the action, then whether the board is full, then the seats that passed automatically, in order, then
        what explains the end."""
        assert self.actor is not None
        passes = 0
        match action:
            case Place(kind, field):
                items = [News(Event.PLACE, self.actor, (("symbol", kind), ("field", field)))]
            case Move(source, target):
                items = [_climbed(self.actor, source, target, after)]
            case Pass():
                passes = self.passes + 1
                items = [News(Event.PASS, self.actor)]
            case _:
                assert_never(action)
        if self.phase == _PLACE and after.phase != _PLACE:
            items.append(News(Event.FILLED))
        automatic = after.passes - passes
        items += [News(Event.AUTO, (self.actor + step) % self.seats) for step in range(1, automatic + 1)]
        if passes and after.phase == _OVER:
            passed = Event.ALL_PASSED if {*after.last} == {str(_PASS)} else Event.ONE_PASSED
            items.append(News(passed, self.actor, explains=True))
        return (*items, *_tie_broken(after))

    def reasons(self, action: Action, before: Sequence["State"] = ()) -> tuple[News, ...]:
        return reasons.reasons(self, action, self.play(action))

    def risks(self, action: Action) -> tuple[News, ...]:
        after = self.play(action)
        if self.actor is None or after.phase != _MOVE or after.actor == self.actor:
            return ()
        return reasons.risks(after, self.actor, action, after.actions())

    def hint(self, action: Action, part: int) -> str | None:
        """Return how many stones of a symbol are left ("left2"), or a field's tower and its height ("r", "d3"); for a
        target, its symbol and the points of the new tower ("r-4")."""
        match action:
            case Place(kind) if part == 0 and self.actor is not None:
                return f"left{self.supply(self.actor)[kind]}"
            case Move(source, target) if part == 1:
                tower, under = self.board[GRID.number[source]], self.board[GRID.number[target]]
                return f"{symbol(under)}-{min(self.points(under + tower), TALL)}"
            case Move():
                return _sight(self.board[GRID.number[action.parts[part]]])
            case _:
                return None

    def owner_at(self, action: Action, part: int) -> int | None:
        """Return the owner of the tower on a field."""
        if not isinstance(action, Move):
            return None
        tower = self.board[GRID.number[action.parts[part]]]
        return owner(tower) if tower else None


def _climbed(seat: int, source: str, target: str, after: State) -> News:
    """Return the event of a move with the new height, and with the points if they differ."""
    tower = after.board[GRID.number[target]]
    tall, worth = height(tower), after.points(tower)
    facts = ("source", source), ("target", target), ("height", str(tall))
    if worth == tall:
        return News(Event.MOVE, seat, facts)
    points = (("worth", str(worth)), ("n", str(worth)))  # the same number, for the plural form
    return News(Event.SUM, seat, (*facts, *points, ("sum", after.sum_of(tower))))


def _tie_broken(over: State) -> tuple[News, ...]:
    """Return the event of a tie that towers decide: the towers of a winner and of the best other seat, up to the first
    difference. Reading 9."""
    outcome = over.outcome
    if outcome is None:
        return ()
    first = outcome.winners[0]
    others = [
        seat
        for seat, score in enumerate(outcome.scores)
        if score == outcome.scores[first] and seat not in outcome.winners
    ]
    if not others:
        return ()
    heights = over.heights()
    best = max(others, key=lambda seat: heights[seat])
    higher, lower = heights[first], heights[best]
    same = next((n for n, pair in enumerate(zip(higher, lower, strict=False)) if pair[0] != pair[1]), len(lower))
    facts = (("heights", _listed(over, first, same + 1)), ("lower", _listed(over, best, same + 1)))
    return (News(Event.TIE_BROKEN, first, facts, best, explains=True),)


def _listed(over: State, seat: int, most: int) -> str:
    """Return the counted heights and the fields of the highest towers of *seat*: ``"5 (a1), 3 (c2)"``."""
    towers = [
        (-tall, number)
        for number, tower in enumerate(over.board)
        if tower and owner(tower) == seat and (tall := counted(tower, over.options.dynamite))
    ]
    return ", ".join(f"{-negative} ({GRID.fields[number]})" for negative, number in sorted(towers)[:most]) or "0"


def _sight(tower: str) -> str:
    """
    >>> _sight("0r"), _sight("0r1s1d"), _sight("0r" * 9)
    ('r', 'd3', 'r9')
    """
    return symbol(tower) if height(tower) == 1 else f"{symbol(tower)}{min(height(tower), TALL)}"


def begun(seats: int, options: Options, seed: int | None, board: tuple[str, ...]) -> State:
    """Return the start of the moves on a full *board*. Reading 4."""
    return _settled(seats, options, seed, 0, 0, board, (None,) * seats)


def _settled(
    seats: int,
    options: Options,
    seed: int | None,
    up: int,
    passes: int,
    board: tuple[str, ...],
    last: tuple[str | None, ...],
) -> State:
    """Return the position in which the next seat acts: *up*, or the first after it that can move. Otherwise the game is
    over.

    Readings 6 and 7. The function checks *up* first, because it can usually move.
    """
    if can_move(board, up) or not is_stuck(board, seats):
        while passes < seats:
            if can_move(board, up):
                return State(seats, options, seed, _MOVE, up, passes, board, last)
            last = (*last[:up], AUTO, *last[up + 1 :])
            passes += 1
            up = (up + 1) % seats
    return State(seats, options, seed, _OVER, None, passes, board, last)
