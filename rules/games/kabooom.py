"""Kabooom! Two to four people fill a board with stones, then climb onto each other; the best towers win.

Glossary (rulebook - here - code)::

    Spielfeld, Feld                 board, field                a1 … f4, see rules.squares
    Stein                           stone                       "1d": seat 1's dynamite
    Turm                            tower                       "0r1s1d": stones from bottom to top; "" an empty field
    Stein, Papier, Schere, Dynamit  rock, paper, ...            r p s d
    Schwierigkeit                   level                       easy, medium, hard
    Aufstellung                     placing                     Phase.PLACE, Place
    Schlagen, ziehen                moving onto another tower   Phase.MOVE, Move
    Aussetzen, passen               passing                     Pass

Readings, where the rulebook is silent or can be read in two ways:

 1. The board has 6 columns and 4 rows, and every seat owns three stones of each symbol.
 2. Everybody places the same number of stones, in turn; the stones left over are out of play. Nobody passes meanwhile.
 3. At random (easy), each seat's stones are drawn from its own twelve, and all stones are spread evenly.
 4. Seat 0 begins the moves: the order of turns simply goes on.
 5. Dynamite removes nothing. It climbs onto everything, and only dynamite climbs onto dynamite.
 6. A seat that cannot move is passed automatically, which counts as a pass; whoever passed may move again later.
 7. The game is over at once when nobody can move, and after as many passes in succession as there are seats.
 8. "Dynamite never counts": its stones are not counted (option "stone"), or no tower topped by it is ("tower").
 9. Equal points: the counted heights decide, the highest first; seats that are equal in these too share the win.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, Literal, assert_never

import msgspec
from msgspec import Struct

from rules.chance import Chance
from rules.contract import (
    BadNotation,
    IllegalAction,
    News,
    Option,
    Outcome,
    checked_options,
    checked_seats,
    checked_seed,
)
from rules.notation import plain
from rules.squares import squares

GRID: Final = squares(6, 4)
SYMBOLS: Final = "rpsd"
OF_EACH: Final = 3
BEATS: Final = {"r": "rs", "s": "sp", "p": "pr", "d": "rpsd"}
AUTO: Final = "auto"
TALL: Final = 6


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Dynamite(StrEnum):
    STONE = "stone"
    TOWER = "tower"


class Phase(StrEnum):
    PLACE = "place"
    MOVE = "move"
    OVER = "over"


class Refusal(StrEnum):
    """Why an action is refused, in the order in which the reasons are looked for."""

    OVER = "over"
    PHASE = "phase"
    OCCUPIED = "occupied"
    NO_STONE = "no_stone"
    EMPTY_SOURCE = "empty_source"
    NOT_YOURS = "not_yours"
    NOT_ADJACENT = "not_adjacent"
    EMPTY_TARGET = "empty_target"
    NOT_BEATEN = "not_beaten"


class Told(StrEnum):
    """What a post tells: an action, what followed from it."""

    PLACE = "place"
    MOVE = "move"
    PASS = "pass"  # noqa: S105
    FILLED = "filled"
    AUTO = "auto"


class Warned(StrEnum):
    ENDS = "ends"


class Reason(StrEnum):
    STUCK = "stuck"
    PASSED = "passed"


DEDUCTION: Final = {Level.EASY: 0, Level.MEDIUM: 1, Level.HARD: 2}


# --- Stones and towers


def owner(tower: str) -> int:
    """The seat whose stone is on top.

    >>> owner("0r1s1d")
    1
    """
    return int(tower[-2])


def symbol(tower: str) -> str:
    """The symbol on top, with which the tower fights.

    >>> symbol("0r1s1d")
    'd'
    """
    return tower[-1]


def height(tower: str) -> int:
    """How many stones are piled here; 0 for an empty field.

    >>> height("0r1s1d"), height("")
    (3, 0)
    """
    return len(tower) // 2


def counted(tower: str, dynamite: str) -> int:
    """The counted height of *tower*, before the deduction. Rulebook: Auswertung; reading 8.

    >>> counted("0r1s1d", "stone"), counted("0r1s1d", "tower"), counted("0r1s", "tower")
    (2, 0, 2)
    """
    if dynamite == Dynamite.TOWER:
        return 0 if tower.endswith("d") else height(tower)
    return height(tower) - tower.count("d")


# --- Actions


class Place(Struct, frozen=True, gc=False):
    """Put a stone with this symbol from the supply on an empty field."""

    symbol: str
    field: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.symbol, self.field)

    def __str__(self) -> str:
        return f"{self.symbol}@{self.field}"


class Move(Struct, frozen=True, gc=False):
    """Climb with a whole own tower onto an adjacent one."""

    source: str
    target: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.source, self.target)

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


class Pass(Struct, frozen=True, gc=False):
    """Do nothing, this time."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("pass",)

    def __str__(self) -> str:
        return "pass"


Action = Place | Move | Pass

# Everything that can be played, made once: the lists of legal actions only choose from it. For each field its
# placements by symbol; for each field the moves from it, with the number of the target.
_PLACES: Final = tuple({kind: Place(kind, field) for kind in SYMBOLS} for field in GRID.fields)
_MOVES: Final = tuple(
    tuple((target, Move(field, GRID.fields[target])) for target in around)
    for field, around in zip(GRID.fields, GRID.around, strict=True)
)
_PASS: Final = Pass()
# For each seat and each of its stones: the stones that it beats, whoever owns them.
_BEATEN: Final = tuple(
    {f"{seat}{kind}": frozenset(f"{other}{prey}" for other in range(4) for prey in BEATS[kind]) for kind in SYMBOLS}
    for seat in range(4)
)


def _moves(board: tuple[str, ...], seat: int) -> Iterator[Move]:
    """Every move of *seat*: from an own tower, onto an adjacent one whose top is beaten. Rulebook: Züge."""
    tops = [tower[-2:] for tower in board]
    beaten_by = _BEATEN[seat]
    for source, top in enumerate(tops):
        if top in beaten_by:
            beaten = beaten_by[top]
            for target, move in _MOVES[source]:
                if tops[target] in beaten:
                    yield move


def _can_move(board: tuple[str, ...], seat: int) -> bool:
    return next(_moves(board, seat), None) is not None


# --- The state


class Options(Struct, frozen=True):
    level: Level
    dynamite: Dynamite


class State(Struct, frozen=True, repr_omit_defaults=True):
    """A position. *board*: a tower for each field, in field order, "" where it is empty.

    *passes*: passes in succession. *last*: for each seat its latest action, "auto" when it was passed automatically.
    """

    seats: int
    options: Options
    seed: int | None
    phase: Phase
    actor: int | None
    passes: int
    board: tuple[str, ...]
    last: tuple[str | None, ...]

    def __repr__(self) -> str:
        return f"<{GAME.encode(self.view(None)).decode()}>"

    # What is to be decided

    def actions(self) -> tuple[Action, ...]:
        """Placements by field, then symbol; moves by source, then target; the pass comes last."""
        if self.actor is None:
            return ()
        if self.phase == Phase.PLACE:
            kinds = [kind for kind, left in self.supply(self.actor).items() if left]
            empty = [places for places, tower in zip(_PLACES, self.board, strict=True) if not tower]
            return tuple([places[kind] for places in empty for kind in kinds])
        return (*_moves(self.board, self.actor), _PASS)

    def supply(self, seat: int) -> dict[str, int]:
        """How many stones of each symbol *seat* has not placed: public, as it follows from the board."""
        placed = "".join(self.board)
        return {kind: OF_EACH - placed.count(f"{seat}{kind}") for kind in SYMBOLS}

    @property
    def forced(self) -> None:
        return None

    @property
    def forgets(self) -> bool:
        return False

    # What an action does

    def play(self, action: Action) -> "State":
        """The position after *action*. Raises IllegalAction(Refusal), the first that applies."""
        actor = self.actor
        if actor is None:
            raise IllegalAction(Refusal.OVER)
        if isinstance(action, Place) != (self.phase == Phase.PLACE):
            raise IllegalAction(Refusal.PHASE)
        passes = 0
        match action:
            case Place():
                board = self._with_stone(actor, action)
            case Move():
                board = self._with_climb(actor, action)
            case Pass():
                board, passes = self.board, self.passes + 1
            case _:
                assert_never(action)
        last = (*self.last[:actor], str(action), *self.last[actor + 1 :])
        up = (actor + 1) % self.seats
        if self.phase == Phase.PLACE and "" in board:
            return State(self.seats, self.options, self.seed, Phase.PLACE, up, 0, board, last)
        return _settled(self.seats, self.options, self.seed, up, passes, board, last)

    def _with_stone(self, actor: int, action: Place) -> tuple[str, ...]:
        here = GRID.number[action.field]
        stone = f"{actor}{action.symbol}"
        if self.board[here]:
            raise IllegalAction(Refusal.OCCUPIED, action.field)
        if self.board.count(stone) == OF_EACH:  # while stones are placed, every tower is a single stone
            raise IllegalAction(Refusal.NO_STONE, action.symbol)
        return (*self.board[:here], stone, *self.board[here + 1 :])

    def _with_climb(self, actor: int, action: Move) -> tuple[str, ...]:
        board = self.board
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
        climbed = list(board)
        climbed[target], climbed[source] = beneath + mover, ""
        return tuple(climbed)

    # What it is worth

    def heights(self) -> tuple[tuple[int, ...], ...]:
        """For each seat the counted heights of its towers, highest first, zeros left out. Reading 9 compares them."""
        found: list[list[int]] = [[] for _ in range(self.seats)]
        for tower in filter(None, self.board):
            if worth := counted(tower, self.options.dynamite):
                found[owner(tower)].append(worth)
        return tuple(tuple(sorted(own, reverse=True)) for own in found)

    def standing(self) -> tuple[int, ...]:
        """The points of each seat if the game were counted now. Rulebook: Auswertung."""
        deduction = DEDUCTION[self.options.level]
        return tuple(sum(max(0, worth - deduction) for worth in own) for own in self.heights())

    @property
    def outcome(self) -> Outcome | None:
        if self.phase != Phase.OVER:
            return None
        scores = self.standing()
        ranks = list(zip(scores, self.heights(), strict=True))
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        stuck = not any(_can_move(self.board, seat) for seat in range(self.seats))
        return Outcome(scores, winners, Reason.STUCK if stuck else Reason.PASSED)

    # What is shown and told

    def view(self, seat: int | None) -> "State":
        """Nothing is hidden but the seed."""
        return msgspec.structs.replace(self, seed=None)

    def ends_turn(self, after: "State") -> bool:
        return True

    def warns(self, action: Action) -> str | None:
        """A pass that would end the game has to be confirmed. Rulebook: Aussetzen."""
        if isinstance(action, Pass) and self.play(action).phase == Phase.OVER:
            return Warned.ENDS
        return None

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        """The action; then that the board is full; then who was passed automatically, in order."""
        assert self.actor is not None
        told = []
        passes = 0
        match action:
            case Place(kind, field):
                told.append(News(Told.PLACE, self.actor, (("symbol", kind), ("field", field))))
            case Move(source, target):
                tall = str(height(after.board[GRID.number[target]]))
                told.append(News(Told.MOVE, self.actor, (("source", source), ("target", target), ("height", tall))))
            case Pass():
                passes = self.passes + 1
                told.append(News(Told.PASS, self.actor))
            case _:
                assert_never(action)
        if self.phase == Phase.PLACE and after.phase != Phase.PLACE:
            told.append(News(Told.FILLED))
        automatic = after.passes - passes
        told += [News(Told.AUTO, (self.actor + step) % self.seats) for step in range(1, automatic + 1)]
        return tuple(told)

    def hint(self, action: Action, part: int) -> str | None:
        """How many stones with a symbol are left ("left2"); what stands on a field, with its height ("r", "d3")."""
        match action:
            case Place(kind) if part == 0 and self.actor is not None:
                return f"left{self.supply(self.actor)[kind]}"
            case Move():
                return _sight(self.board[GRID.number[action.parts[part]]])
            case _:
                return None


def _sight(tower: str) -> str:
    """
    >>> _sight("0r"), _sight("0r1s1d"), _sight("0r" * 9)
    ('r', 'd3', 'r6')
    """
    return symbol(tower) if height(tower) == 1 else f"{symbol(tower)}{min(height(tower), TALL)}"


def _settled(
    seats: int,
    options: Options,
    seed: int | None,
    up: int,
    passes: int,
    board: tuple[str, ...],
    last: tuple[str | None, ...],
) -> State:
    """The position when seat *up* comes up: it acts, or is passed automatically, or the game is over. Readings 6, 7."""
    if any(_can_move(board, (up + step) % seats) for step in range(seats)):
        while passes < seats:
            if _can_move(board, up):
                return State(seats, options, seed, Phase.MOVE, up, passes, board, last)
            last = (*last[:up], AUTO, *last[up + 1 :])
            passes += 1
            up = (up + 1) % seats
    return State(seats, options, seed, Phase.OVER, None, passes, board, last)


# --- What people type

_WORDS: Final = {
    "r": ("r", "rock", "stein"),
    "p": ("p", "paper", "papier"),
    "s": ("s", "scissors", "schere"),
    "d": ("d", "dynamite", "dynamit"),
}
_KIND: Final = {word: kind for kind, words in _WORDS.items() for word in words}
_PASSES: Final = frozenset({"pass", "passe", "passen", "skip", "aussetzen", "x"})
_FIELD: Final = r"([a-f]) ?([1-4])"
_PLACE_TEXT: Final = re.compile(rf"({'|'.join(_KIND)}) ?[@>:-]? ?{_FIELD}")
_MOVE_TEXT: Final = re.compile(rf"{_FIELD} ?(?:->|[->x:]|to|nach)? ?{_FIELD}")
_CANONICAL: Final = re.compile(r"[rpsd]@[a-f][1-4]|[a-f][1-4]-[a-f][1-4]|pass|auto")
_TOWER: Final = re.compile(r"(?:[0-3][rpsd])+")


# --- The document


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the page's section 9, in its order."""

    game: Literal["kabooom"]
    seats: int
    options: "_Choices"
    seed: int | None
    phase: Phase
    actor: int | None
    passes: int
    board: dict[str, str]
    last: tuple[str | None, ...]


class _Choices(Struct, frozen=True, forbid_unknown_fields=True):
    level: Level
    dynamite: Dynamite


_DOCUMENT: Final = msgspec.json.Decoder(_Document)


def _must(holds: bool, complaint: str) -> None:
    if not holds:
        raise ValueError(complaint)


def _checked(document: _Document) -> State:
    """The position that *document* describes. Raises ValueError unless the page's eight conditions hold."""
    seats = checked_seats(GAME.seats, document.seats)
    phase, actor, passes = document.phase, document.actor, document.passes
    for field, tower in document.board.items():
        _must(field in GRID.number, f"there is no field {field!r}")
        _must(_TOWER.fullmatch(tower) is not None, f"{field}: {tower!r} is no tower (seat digit, symbol; from below)")
        _must("d" not in tower or tower.endswith("d"), f"{field}: a tower with dynamite has dynamite on top")
    board = tuple(document.board.get(field, "") for field in GRID.fields)
    stones = "".join(board)
    placed = [stones.count(str(seat)) for seat in range(4)]
    _must(not any(placed[seats:]), f"there are stones of a seat that is not among the {seats}")
    for seat in range(seats):
        for kind in SYMBOLS:
            _must(stones.count(f"{seat}{kind}") <= OF_EACH, f"seat {seat} has more than {OF_EACH} stones {kind!r}")
    match phase:
        case Phase.PLACE:
            total = sum(placed)
            _must(document.options.level != Level.EASY, "level easy has no phase 'place'")
            _must(max(map(height, board)) <= 1, "there are no towers yet in phase 'place'")
            _must(total < len(board), "the board is full in phase 'place'")
            shares = [total // seats + (seat < total % seats) for seat in range(seats)]
            _must(placed[:seats] == shares, f"the seats have placed {placed[:seats]} stones instead of {shares}")
            _must(actor == total % seats, f"after {total} stones it is the turn of seat {total % seats}")
            _must(passes == 0, "nobody passes in phase 'place'")
        case Phase.MOVE | Phase.OVER:
            quota = len(board) // seats
            _must(placed[:seats] == [quota] * seats, f"every seat must have {quota} stones on the board")
        case _:
            assert_never(phase)
    match phase:
        case Phase.MOVE:
            _must(actor is not None and 0 <= actor < seats, "there is no such seat as the actor")
            assert actor is not None
            _must(_can_move(board, actor), f"seat {actor} cannot move, so it is not the actor")
            _must(0 <= passes < seats, "the passes must be fewer than the seats")
        case Phase.OVER:
            _must(actor is None, "nobody is the actor when the game is over")
            stuck = not any(_can_move(board, seat) for seat in range(seats))
            due = 0 if stuck else seats
            _must(passes == due, f"the passes of this finished game must be {due}")
        case Phase.PLACE:
            pass
        case _:
            assert_never(phase)
    _must(len(document.last) == seats, "'last' must have one entry a seat")
    for entry in document.last:
        _must(entry is None or _CANONICAL.fullmatch(entry) is not None, f"'last': {entry!r} is no action")
    options = Options(document.options.level, document.options.dynamite)
    return State(seats, options, checked_seed(document.seed), phase, actor, passes, board, document.last)


# --- The game


class Kabooom:
    """See rules.contract.Game."""

    id: Final = "kabooom"
    seats: Final = range(2, 5)
    options: Final = (
        Option("level", tuple(Level), Level.MEDIUM),
        Option("dynamite", tuple(Dynamite), Dynamite.STONE),
    )
    host_begins: Final = True
    colours: Final = ("red", "blue", "yellow", "green")

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """The empty board; at level easy the full one, spread by the seed. Raises ValueError."""
        seats = checked_seats(self.seats, seats)
        chosen = checked_options(self.options, options)
        made = Options(Level(chosen["level"]), Dynamite(chosen["dynamite"]))
        seed = checked_seed(seed)
        nobody = (None,) * seats
        if made.level == Level.EASY:
            return _settled(seats, made, seed, 0, 0, _spread(seats, seed), nobody)
        return State(seats, made, seed, Phase.PLACE, 0, 0, ("",) * len(GRID.fields), nobody)

    def parse(self, state: State, text: str) -> tuple[Action]:
        """The one action that *text* means; its form only, ``play`` knows what is legal. Raises BadNotation."""
        typed = plain(text)
        if typed in _PASSES:
            return (_PASS,)
        if found := _PLACE_TEXT.fullmatch(typed):
            word, column, row = found.groups()
            return (Place(_KIND[word], column + row),)
        if found := _MOVE_TEXT.fullmatch(typed):
            column, row, to_column, to_row = found.groups()
            return (Move(column + row, to_column + to_row),)
        raise BadNotation(typed[:40])

    def encode(self, state: State) -> bytes:
        """The keys of the page's section 9 in its order, only occupied fields, in field order."""
        board = {field: tower for field, tower in zip(GRID.fields, state.board, strict=True) if tower}
        return msgspec.json.encode(
            _Document(
                "kabooom",
                state.seats,
                _Choices(state.options.level, state.options.dynamite),
                state.seed,
                state.phase,
                state.actor,
                state.passes,
                board,
                state.last,
            )
        )

    def decode(self, data: bytes | str) -> State:
        return _checked(_DOCUMENT.decode(data))


def _spread(seats: int, seed: int | None) -> tuple[str, ...]:
    """A full board: each seat's quota drawn from its twelve stones, then all stones spread. Reading 3."""
    chance = Chance(seed)
    quota = len(GRID.fields) // seats
    stones: list[str] = []
    for seat in range(seats):
        own = [f"{seat}{kind}" for kind in SYMBOLS for _ in range(OF_EACH)]
        stones += chance.shuffled(own)[:quota]
    return chance.shuffled(stones)


GAME: Final = Kabooom()
