"""A position of KalejdoSchach and the rules of play."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from rules import contract
from rules.chance import Chance
from rules.contract import IllegalAction, News, Outcome
from rules.games.kalejdoschach import judging, news, reasons
from rules.games.kalejdoschach.board import ALLOWED, CASTLES, KINDS, NAMES, NUMBER, RING, Kind, Piece
from rules.games.kalejdoschach.moves import Move, can_move, distances, landings, moves, occupied
from rules.games.kalejdoschach.position import Action, Draw, Last, Out, Position, Reason, Unfit

_CASTLES: Final = tuple(NUMBER[castle] for castle in CASTLES)
_FREE: Final = (0,)
"""Set of fields between the ends of a move whose path nothing blocks."""


DRAW: Final = Draw()


class Refusal(StrEnum):
    """The reasons to refuse an action, in the order of the checks."""

    OVER = "over"
    DRAW_OFF = "draw-off"
    DRAW_ALREADY = "draw-already"
    EMPTY_FIELD = "empty-field"
    NOT_YOUR_PIECE = "not-your-piece"
    DIE = "die"
    SAME_FIELD = "same-field"
    BLOCKED = "blocked"
    OUT_OF_REACH = "out-of-reach"
    NEAR_2 = "near2"
    NEAR_3 = "near3"
    NEAR_4 = "near4"
    RINGS = "rings"
    SIGN = "sign"


class Unread(StrEnum):
    """The reasons why a typed text is not an action."""

    NOTATION = "notation"
    WRONG_PIECE = "wrong-piece"


class Question(StrEnum):
    """The questions before a legal action: a slip may cost a piece, a seat or the game."""

    CAPITULATION = "capitulation"
    OWN = "own"
    AGREED = "agreed"
    QUIET = "quiet"
    CASTLE = "castle"


class State(Position, contract.State, frozen=True, gc=False):
    """A position with the rules of play."""

    def is_out(self, seat: int) -> bool:
        return seat not in self.playing

    @property
    def outcome(self) -> Outcome | None:
        """Two points for every seat that went out earlier, one for every other that is still in at the end."""
        if self.end is None:
            return None
        scores = [2 * len(self.out) + len(self.playing) - 1] * self.seats
        for earlier, out in enumerate(self.out):
            scores[out.seat] = 2 * earlier
        return Outcome(tuple(scores), self.playing, self.end)

    def worth(self, seat: int) -> int:
        """Return the steps of all own pieces less those of the others; a castle held counts as ten steps."""
        total = 0
        for number, piece in enumerate(self.board):
            if piece is not None:
                value = KINDS[piece.kind].steps + 10 * (NAMES[number] in CASTLES)
                total += value if piece.seat == seat else -value
        return total

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self, seat)

    def tactical_actions(self) -> list[Move]:
        """Return captures of others' pieces."""
        return [] if self.actor is None else judging.tactical(self, moves(self.board, self.actor, self.die))

    def actions(self) -> tuple[Action, ...]:
        """Return the moves in field order of both ends, then the draw."""
        if self.actor is None:
            return ()
        legal = moves(self.board, self.actor, self.die)
        return (*legal, DRAW) if self.options.draw == "on" and self.actor not in self.agreed else tuple(legal)

    def search_actions(self) -> Sequence[Action]:
        """Return the legal actions without captures of own pieces, unless any other move leaves the last castle."""
        legal = self.actions()
        others = [action for action in legal if not self._takes_own(action)]
        keeps = any(isinstance(action, Move) and not self._capitulates(action) for action in others)
        return others if keeps else legal

    def play(self, action: Action) -> "State":
        """Return the next state. Raises IllegalAction(Refusal)."""
        if self.actor is None:
            raise IllegalAction(Refusal.OVER)
        match action:
            case Move():
                return self._move(self.actor, action)
            case Draw():
                return self._agree(self.actor)

    def turn_of(self, seat: int) -> "State | None":
        """Return the position with *seat* as the actor, before it throws; None if it is out or cannot move."""
        if self.actor is None or seat not in self.playing or not can_move(self.board, seat, None):
            return None
        return replace(self, actor=seat, die=None, rolls=())

    def view(self, seat: int | None) -> "State":
        """Return the position without its seed; everything else is public."""
        return replace(self, seed=None)

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        """Return the position with another seed, and so with other future throws."""
        return replace(self, seed=chance.seed())

    def ends_turn(self, after: "State") -> bool:
        """Return False for a draw, after which the same seat moves, unless it ends the game."""
        return after.moves > self.moves or after.end is not None

    def opening_news(self) -> tuple[News, ...]:
        """Return the aim of the game, and the first throw of the die."""
        return (News(news.Event.AIM), *news.throws(self))

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        return news.events(self, action, after)

    def reasons(self, action: Action, before: Sequence["State"] = ()) -> tuple[News, ...]:
        return reasons.reasons(self, action, self.play(action))

    def risks(self, action: Action) -> tuple[News, ...]:
        if self.actor is None or not isinstance(action, Move):
            return ()
        after = self.play(action)
        if after.end is not None or self.actor not in after.playing:
            return ()
        return reasons.risks(after, self.actor, _next_in(after, self.actor))

    def warns(self, action: Action) -> str | None:
        """Return ``capitulation`` for a move that leaves the actor's last castle (unless several actions all end the
        game), ``own`` for one that takes an own piece, ``agreed`` and ``quiet`` for an action that ends the game in a
        draw (``quiet`` only if a move continues it)."""
        if self.actor is None:
            return None
        if isinstance(action, Draw):
            return Question.AGREED if len(self.agreed) + 1 == len(self.playing) else None
        if self._capitulates(action):
            ends = len(self.playing) == 2
            return None if ends and self._must_end_somehow() else Question.CAPITULATION
        if self.at(action.target) is not None:
            return Question.OWN if self._takes_own(action) else None
        if self.quiet_limit is None or self.quiet + 1 < self.quiet_limit:
            return None
        legal = moves(self.board, self.actor, self.die)
        # All other moves only add to the count.
        noisy = (move for move in legal if self.at(move.target) is not None or self._capitulates(move))
        return Question.QUIET if any(map(self._goes_on, noisy)) else None

    def cautions(self, action: Action) -> str | None:
        """Return ``castle`` for a move that leaves one of the actor's two castles."""
        if self.actor is None or not isinstance(action, Move) or action.target in CASTLES:
            return None
        held = self.castles(self.actor)
        return Question.CASTLE if action.source in held and len(held) == 2 else None

    def hint(self, action: Action, part: int) -> str | None:
        """Return the kind of the moving piece; ``castle`` if it enters one, ``leaves`` if it leaves one, ``ousts`` if
        it takes a player's last one; the taken piece: ``own-w``, ``foreign-w``.

        ``draw``: a draw was offered, and this action agrees.
        """
        if isinstance(action, Draw):
            return "draw" if self.agreed else None
        piece = self.at(action.parts[part])
        if part == 0:
            return None if piece is None else piece.kind
        taken = "" if piece is None else f"{'own' if piece.seat == self.actor else 'foreign'}-{piece.kind}"
        leaves = action.source in CASTLES and not taken.startswith("own-")  # one sign of a loss is enough
        castle = "castle" if action.target in CASTLES else "leaves" if leaves else ""
        ousts = piece is not None and piece.seat != self.actor and self.castles(piece.seat) == (action.target,)
        return " ".join(filter(None, (castle, "ousts" if ousts else "", taken))) or None

    def owner_at(self, action: Action, part: int) -> int | None:
        """Return the owner of the piece on a field."""
        piece = None if isinstance(action, Draw) else self.at(action.parts[part])
        return None if piece is None else piece.seat

    def _capitulates(self, move: Move) -> bool:
        """Return whether this move leaves the actor's last castle."""
        assert self.actor is not None
        return move.target not in CASTLES and self.castles(self.actor) == (move.source,)

    def _takes_own(self, action: Action) -> bool:
        taken = self.at(action.target) if isinstance(action, Move) else None
        return taken is not None and taken.seat == self.actor

    def _must_end_somehow(self) -> bool:
        """Return whether the actor chooses only how the game ends: each of several actions ends it.

        A single action is not played without the question.
        """
        assert self.actor is not None
        if self.options.draw == "on" and self.actor not in self.agreed and len(self.agreed) + 1 < len(self.playing):
            return False  # an offer does not end the game
        legal = moves(self.board, self.actor, self.die)
        return len(legal) > 1 and not any(map(self._goes_on, legal))

    def _goes_on(self, move: Move) -> bool:
        """Return whether the game continues after this legal move. The die, hidden in views, does not matter."""
        return replace(self, seed=0).play(move).end is None

    def _agree(self, seat: int) -> "State":
        """The seat says draw; once all have, the game is over."""
        if self.options.draw == "off":
            raise IllegalAction(Refusal.DRAW_OFF)
        if seat in self.agreed:
            raise IllegalAction(Refusal.DRAW_ALREADY)
        agreed = (*self.agreed, seat)
        if len(agreed) < len(self.playing):
            return replace(self, agreed=agreed)
        return replace(_over(self, Reason.AGREED), rolls=self.rolls)

    def _move(self, seat: int, move: Move) -> "State":
        """Carry out a move and its effects."""
        piece, start, end = self._legal(seat, move)
        captured = self.board[end]
        board = list(self.board)
        board[start], board[end] = None, piece
        after = replace(
            self,
            board=tuple(board),
            quiet=self.quiet + 1 if captured is None else 0,
            moves=self.moves + 1,
            last=Last(seat, piece.kind, move.source, move.target, captured),
            agreed=self.agreed if seat in self.agreed else (),
        )
        if start in _CASTLES or (captured is not None and end in _CASTLES):  # otherwise all castles keep their holders
            holders = {holder.seat for castle in _CASTLES if (holder := board[castle]) is not None}
            for loser in after.playing:
                if loser not in holders:
                    why = Reason.CAPITULATION if loser == seat else Reason.CASTLE
                    after = _put_out(after, loser, why)
                    if len(after.playing) == 1:
                        return _over(after, why)
        if captured is None and (limit := after.quiet_limit) is not None and after.quiet >= limit:
            return _over(after, Reason.QUIET)
        return _next_turn(after, seat)

    def _legal(self, seat: int, move: Move) -> tuple[Piece, int, int]:
        """Return the piece of a legal move of the seat, and the move's two ends. Raises IllegalAction."""
        start, end = NUMBER.get(move.source), NUMBER.get(move.target)
        piece = None if start is None else self.board[start]
        if piece is None or start is None:
            raise IllegalAction(Refusal.EMPTY_FIELD, move.source)
        if piece.seat != seat:
            raise IllegalAction(Refusal.NOT_YOUR_PIECE, move.source)
        if self.die is not None and piece.kind not in ALLOWED[self.die]:
            raise IllegalAction(Refusal.DIE, str(self.die))
        if start == end:
            raise IllegalAction(Refusal.SAME_FIELD, move.source)
        landing = None if end is None else landings(piece.kind)[start].get(end)
        if landing is None or end is None:
            raise IllegalAction(_unreached(KINDS[piece.kind], start, end), move.target)
        if landing[0] != _FREE:
            full = occupied(self.board)
            if all(passed & full for passed in landing[0]):
                raise IllegalAction(Refusal.BLOCKED, move.target)
        if move.takes != (self.board[end] is not None):
            raise IllegalAction(Refusal.SIGN, move.target)
        return piece, start, end


CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "refused": (*Refusal, *Unread),
        "news": tuple(news.Event),
        "warn": tuple(Question),
        "reason": tuple(Reason),
        "why": tuple(reasons.Why),
        "part": news.PARTS,
        "unfit": tuple(Unfit),
        "hint": (
            "castle",
            "leaves",
            "ousts",
            "draw",
            *(f"{whose}{kind}" for whose in ("", "own-", "foreign-") for kind in KINDS),
        ),
    }
)
"""All codes that have a text in the catalogues, by the first word of the text's id."""


def _unreached(kind: Kind, start: int, end: int | None) -> Refusal:
    """Return why a piece on *start* can never go to *end*: too many steps, too many crossings, or too few steps."""
    if end is None or (steps := distances(kind.flies, start)[end]) > kind.steps:
        return Refusal.OUT_OF_REACH
    if steps == kind.steps or abs(RING[end] - RING[start]) > kind.crossings:
        return Refusal.RINGS
    return Refusal(f"near{kind.steps}")


def first_turn(state: State) -> State:
    """Return the position with its first actor, as if the last seat had just moved."""
    return _next_turn(state, state.seats - 1)


def _put_out(state: State, seat: int, why: Reason) -> State:
    """Return the position after the seat went out and its pieces left the board; draws and the quiet count start
    again."""
    return replace(
        state,
        board=tuple([piece if piece and piece.seat != seat else None for piece in state.board]),
        out=(*state.out, Out(seat, why, state.moves)),
        agreed=(),
        quiet=0,
    )


def _over(state: State, end: Reason) -> State:
    return replace(state, actor=None, die=None, rolls=(), agreed=(), end=end)


def _next_in(state: State, seat: int) -> int:
    """Return the seat that is in and follows *seat* clockwise."""
    seat = (seat + 1) % state.seats
    if state.out:
        gone = [out.seat for out in state.out]
        while seat in gone:
            seat = (seat + 1) % state.seats
    return seat


def _next_turn(state: State, mover: int) -> State:
    """Hand over to the next seat that can move; without dice a seat that cannot move is out."""
    if state.options.dice == "on":
        return _thrown(state, mover)
    seat = _next_in(state, mover)
    while not can_move(state.board, seat, None):
        state = _put_out(state, seat, Reason.BLOCKED)
        if len(state.playing) == 1:
            return _over(state, Reason.BLOCKED)
        seat = _next_in(state, seat)
    return replace(state, actor=seat)


def _thrown(state: State, mover: int) -> State:
    """Throw for one seat after the other, until one can use the die."""
    rolls: list[tuple[int, int]] = []
    seat = mover
    while True:
        seat = _next_in(state, seat)
        die = Chance(state.seed, state.rolled + len(rolls), "die").below(6) + 1
        rolls.append((seat, die))
        if can_move(state.board, seat, die):
            return replace(state, actor=seat, die=die, rolls=tuple(rolls), rolled=state.rolled + len(rolls))
        if len(rolls) == 1 and not any(can_move(state.board, other, None) for other in state.playing):
            return _over(state, Reason.STALLED)
