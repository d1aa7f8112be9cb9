"""KalejdoSchach: board, moves, course of the game, draws, dice, notation, documents, and whole games."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kaleidobot.testing.playing import games, some_states
from rules.__main__ import count as lines_ahead
from rules.__main__ import counts as lines_by_first_action
from rules.contract import BadNotation, IllegalAction, News, Outcome
from rules.games.kalejdoschach import (
    ALLOWED,
    CASTLES,
    FIELDS,
    GAME,
    KINDS,
    NAMES,
    NUMBER,
    UNITS,
    Action,
    Draw,
    Move,
    Piece,
    Refusal,
    State,
    landings,
    towns,
)
from rules.games.kalejdoschach.board import LETTERS, SLICES, edges, edges_and_corners, turned
from rules.games.kalejdoschach.judging import SURE
from rules.games.kalejdoschach.reasons import Why
from rules.rings import Contact, contact

HERE = Path(__file__).parent
PAGE: dict[str, Any] = json.loads((HERE / "examples/kalejdoschach.json").read_text())
BOARD: dict[str, Any] = json.loads((HERE / "examples/kalejdoschach-board.json").read_text())
Golden = Callable[[Path, str], None]
PLAIN = {"dice": "off", "handicap": "none", "draw": "on", "quiet": "100"}


# Positions as text: the board unrolled, ring 5 at the top, slice 1 at the left, fields with their relative width.
# Capital letters are seat 0, small ones seat 1.


def drawn(marks: Mapping[str, str], width: int = 6) -> str:
    rows = [f"0 |{marks.get('00', '.')}"]
    for ring, letters in enumerate(LETTERS[1:], start=1):
        slices = [
            "".join(marks.get(f"{number}{letter}", ".").ljust(width // len(letters)) for letter in letters)
            for number in SLICES
        ]
        rows.append(f"{ring} |{'|'.join(slices)}|")
    return "\n".join(reversed(rows)) + "\n"


def marks(drawing: str) -> dict[str, str]:
    """Return the inverse of `drawn`, without the dots."""
    marks_by_field = {}
    for row in filter(None, map(str.strip, drawing.splitlines())):
        ring, slices = int(row[0]), row[3:].split("|")
        for number, fields in zip(SLICES, slices, strict=False):
            letters = LETTERS[ring] or "0"
            for place, letter in enumerate(letters):
                mark = fields[place * 6 // len(letters)]
                if mark != ".":
                    marks_by_field["00" if ring == 0 else f"{number}{letter}"] = mark
    return {field: marks_by_field[field] for field in NAMES if field in marks_by_field}


def position(drawing: str, **changes: Any) -> State:
    """Return the position of a drawing with seat 0 to move, *changes* as in the document."""
    board = {field: f"{0 if mark.isupper() else 1}{mark.lower()}" for field, mark in marks(drawing).items()}
    return document(**{"board": board, **changes})


def document(**changes: Any) -> State:
    return GAME.decode(json.dumps({**PAGE["positions"]["K3"], **changes}))


def played(state: State, *texts: str) -> State:
    """Return the position after these texts. A move after a draw that ended the game is dropped."""
    for text in texts:
        for action in GAME.parse(state, text):
            if state.outcome is None or len(GAME.parse(state, text)) == 1:
                state = state.play(action)
    return state


def code_of(state: State, action: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        state.play(action)
    return refused.value.code


def targets(state: State, source: str) -> list[str]:
    return [action.target for action in state.actions() if isinstance(action, Move) and action.source == source]


# Seats and options


@pytest.mark.parametrize("seats", [1, 5, 0, -2, True])
def test_two_to_four_players_can_play(seats: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        GAME.start(seats)


@pytest.mark.parametrize(
    "options", [{"dice": "maybe"}, {"magic": "on"}, {"quiet": "75"}, {"handicap": "ravens3"}, {"handicap": "kings1"}]
)
def test_unknown_options_and_handicaps_for_absent_players_are_errors(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"option|handicap"):
        GAME.start(2, options)


def test_player_1_begins_and_turns_go_clockwise() -> None:
    state = GAME.start(3)
    order = []
    for _ in range(4):
        order.append(state.actor)
        state = state.play(state.actions()[0])
    assert order == [0, 1, 2, 0]


@pytest.mark.parametrize(("army", "kind"), [("pawns2", "p"), ("ravens2", "v")])
def test_a_handicap_replaces_every_piece_of_that_player(army: str, kind: str) -> None:
    usual, weak = GAME.start(2), GAME.start(2, {"handicap": army})
    for before, after in zip(usual.board, weak.board, strict=True):
        assert after == (Piece(1, kind) if before and before.seat == 1 else before)


# Board


def test_the_fields_are_at_the_listed_places() -> None:
    assert {name: [arc.ring, arc.start, arc.end] for name, arc in FIELDS.items()} == BOARD["fields"]
    assert list(FIELDS) == list(BOARD["fields"])


@pytest.mark.parametrize(("by", "pairs"), [(Contact.EDGE, "edges"), (Contact.CORNER, "corners")])
def test_fields_touch_as_listed(by: Contact, pairs: str) -> None:
    touching = [
        [one, other]
        for one in NAMES
        for other in NAMES
        if NUMBER[one] < NUMBER[other] and contact(FIELDS[one], FIELDS[other], UNITS) is by
    ]
    assert touching == BOARD[pairs]
    assert len(touching) == BOARD["counts"][pairs]


def test_each_field_has_the_listed_number_of_neighbours() -> None:
    by_edge = [len(near) for near in edges()]
    by_corner = [len(near) - of_them for near, of_them in zip(edges_and_corners(), by_edge, strict=True)]
    assert {str(n): by_edge.count(n) for n in sorted(set(by_edge))} == BOARD["counts"]["edge_degrees"]
    assert {str(n): by_corner.count(n) for n in sorted(set(by_corner))} == BOARD["counts"]["corner_degrees"]


def test_five_castles_and_the_fields_round_them_are_towns() -> None:
    assert list(CASTLES) == BOARD["castles"]
    assert list(towns()) == BOARD["towns"]


# Pieces and moves


def test_nine_kinds_of_pieces_walk_or_fly() -> None:
    assert {letter: (kind.name, kind.flies, kind.steps) for letter, kind in KINDS.items()} == {
        letter: (kind["name"], kind["flies"], kind["steps"]) for letter, kind in BOARD["pieces"].items()
    }


COUNTS = """
from wizard dragon roc eagle raven elephant tiger horse pawn
00     40      8    8     8     8        8     8     8    8
1a     45     18   15    11     7       14    13     9    5
1b     43     19   15    11     7       12    10     7    4
1c     43     19   15    11     7       12    10     7    4
1d     37     23   18    13     8       17    13     9    5
1e     37     23   18    13     8       17    13     9    5
1f     30     19   15    11     7       13    10     7    4
1g     28     19   15    11     7       14    11     8    5
1h     30     19   15    11     7       13    10     7    4
1i     23     11    9     7     5        6     5     4    3
1j     25     11    9     7     5        6     5     4    3
1k     23     11    9     7     5        6     5     4    3
all  2952   1544 1232   912   592     1048   848   608  368
"""


def test_kinds_have_the_listed_numbers_of_destinations_on_an_empty_board() -> None:
    heading, *rows = (row.split() for row in COUNTS.strip().splitlines())
    letters = [next(letter for letter, kind in KINDS.items() if kind.name == name) for name in heading[1:]]
    for field, *numbers in rows:
        for letter, number in zip(letters, numbers, strict=True):
            reached = landings(letter)
            destinations = sum(map(len, reached)) if field == "all" else len(reached[NUMBER[field]])
            assert destinations == int(number), (field, letter)


def test_every_slice_is_like_the_first() -> None:
    for letter in KINDS:
        reached = landings(letter)
        for field in ("1b", "1e", "1g", "1k"):
            first = {NAMES[end] for end in reached[NUMBER[field]]}
            for slices in range(1, 8):
                later = {NAMES[end] for end in reached[NUMBER[turned(field, slices)]]}
                assert later == {turned(end, slices) for end in first}


@pytest.mark.parametrize(
    ("letter", "source", "fields"),
    [
        ("r", "1j", "1f 1g 1h 2f 2g 2j 8g 8h 8j"),
        ("t", "1j", "1g 2f 2j 8h 8j"),
        ("l", "1j", "1f 1h 2g 2k 8g 8i"),
        ("v", "1d", "1b 1c 1e 1f 1g 8c 8e 8h"),
        ("p", "1g", "1d 1e 1f 1h 1j"),
    ],
)
def test_the_examples_on_an_empty_board(letter: str, source: str, fields: str) -> None:
    assert [NAMES[end] for end in landings(letter)[NUMBER[source]]] == fields.split()


def test_the_move_of_the_rulebook_is_one_for_a_wizard_only() -> None:
    able = [letter for letter in KINDS if NUMBER["2f"] in landings(letter)[NUMBER["1b"]]]
    assert able == ["w"]


CROWDED = """
5 |. . W |. . v |. p . |. . . |. . w |. . . |. . d |. . . |
4 |. p . |R . . |. . t |. . . |. . . |. . . |. . . |. H . |
3 |.  .  |p  .  |.  .  |.  .  |.  .  |.  .  |.  .  |.  L  |
2 |.  h  |E  .  |l  .  |.  .  |.  .  |.  .  |.  .  |.  .  |
1 |.     |P     |.     |.     |.     |.     |.     |.     |
0 |V
"""


def simple_paths(path: tuple[str, ...], near: Mapping[str, list[str]], steps: int) -> Iterator[tuple[str, ...]]:
    if not steps:
        yield path
        return
    for field in near[path[-1]]:
        if field not in path:
            yield from simple_paths((*path, field), near, steps - 1)


def by_the_book(state: State, source: str) -> list[str]:
    """Return moves by the rule, word for word on the listed neighbours: slow, and independent of the tables."""
    piece = state.at(source)
    assert piece is not None
    kind = BOARD["pieces"][piece.kind]
    near: dict[str, list[str]] = {name: [] for name in BOARD["fields"]}
    for one, other in BOARD["edges"] + (BOARD["corners"] if kind["flies"] else []):
        near[one].append(other)
        near[other].append(one)
    ends = set()
    for path in simple_paths((source,), near, kind["steps"]):
        rings = [BOARD["fields"][field][0] for field in path]
        changes = sum(one != other for one, other in pairwise(rings))
        is_free = kind["flies"] or all(state.at(field) is None for field in path[1:-1])
        if is_free and (piece.kind == "w" or changes <= 1):
            ends.add(path[-1])
    return [field for field in NAMES if field in ends]


def test_moves_are_those_of_the_book_in_positions_of_random_games() -> None:
    chance = random.Random(5)
    for seats in GAME.seats:
        for state in islice(random_game(GAME.start(seats), chance), 5, 60, 18):
            own = [name for name in NAMES if (piece := state.at(name)) is not None and piece.seat == state.actor]
            for source in own:
                assert targets(state, source) == by_the_book(state, source)


def random_game(state: State, chance: random.Random) -> Iterator[State]:
    while state.outcome is None:
        yield state
        state = state.play(chance.choice(state.actions()))


def test_destinations_of_every_kind_drawn(golden: Golden) -> None:
    """From 2e, where a field is half adjacent to another: ``*`` a destination, ``x`` a piece to take."""
    pictures = []
    for letter, kind in KINDS.items():
        for title, around in (("alone", {}), ("in a crowd", marks(CROWDED))):
            state = position(drawn({"1j": "W", "5j": "w", **around, "2e": letter.upper()}))
            moves = [move for move in state.actions() if isinstance(move, Move) and move.source == "2e"]
            assert [move.target for move in moves] == by_the_book(state, "2e")
            signs = {move.target: "x" if move.takes else "*" for move in moves}
            pictures.append(f"{kind.name}, {title}\n{drawn({'2e': letter.upper(), **signs})}")
    golden(HERE / "golden/kalejdoschach-moves.txt", f"the crowd\n{CROWDED.lstrip()}\n" + "\n".join(pictures))


# Setup


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_armies_start_as_listed(seats: int) -> None:
    board = json.loads(GAME.encode(GAME.start(seats)))["board"]
    assert board == BOARD["setups"][str(seats)]
    assert list(board) == sorted(board, key=NAMES.index)


@pytest.mark.parametrize(("seats", "actions"), [(2, 117), (3, 79), (4, 71)])
def test_no_first_move_takes_a_foreign_piece(seats: int, actions: int) -> None:
    start = GAME.start(seats)
    assert len(start.actions()) == actions
    for seat in range(seats):
        to_move = replace(start, actor=seat)
        taken = [to_move.at(move.target) for move in to_move.actions() if isinstance(move, Move)]
        assert {piece.seat for piece in taken if piece is not None} <= {seat}


# Course of the game


def test_an_own_piece_taken_counts_like_any_capture() -> None:
    state = played(GAME.start(2), "1j-2e", "5j-6e", "1h+1d")
    assert state.quiet == 0
    assert state.at("1d") == Piece(0, "e")


LAST_CASTLE = """
    5 |. W . |. . . |. P . |. . . |. e . |. . . |. . . |. . . |
    4 |. . . |. . . |. . . |. . . |. . . |R . . |. . . |. . . |
    3 |.  .  |.  .  |.  .  |.  .  |.  .  |.  .  |.  .  |.  .  |
    2 |.  .  |.  .  |.  d  |.  .  |.  .  |.  .  |.  .  |.  .  |
    1 |.     |.     |.     |.     |.     |.     |.     |.     |
    0 |.
"""


def test_taking_the_last_castle_puts_a_seat_out_and_its_pieces_leave() -> None:
    after = played(position(LAST_CASTLE), "6f+5j")
    assert drawn(marks_of(after)) == drawn({"1j": "W", "3j": "P", "5j": "R"})
    assert after.outcome == Outcome((2, 0), (0,), "castle")


def marks_of(state: State) -> dict[str, str]:
    return {
        name: piece.kind if piece.seat else piece.kind.upper()
        for name, piece in zip(NAMES, state.board, strict=True)
        if piece is not None
    }


def full_of_elephants(**changes: Any) -> State:
    """Return a position of three seats in which only the wizard of seat 0 can move: an elephant needs three empty
    fields."""
    board = {name: f"{1 + number % 2}l" for number, name in enumerate(NAMES)} | {"1j": "0w", "3j": "2l"}
    return document(**{"seats": 3, "board": board, **changes})


def test_without_dice_seats_that_cannot_move_go_out_one_after_the_other() -> None:
    state = played(full_of_elephants(), "1j+2e")
    assert [(out.seat, out.why) for out in state.out] == [(0, "capitulation"), (1, "blocked")]
    assert state.outcome == Outcome((0, 2, 4), (2,), "blocked")


def test_rounds_without_a_capture_are_counted_for_the_seats_that_are_still_in() -> None:
    quiet = {"options": {**PLAIN, "quiet": "25"}, "moves": 90}
    board = {"1j": "0w", "3j": "1w", "5j": "2w", "4b": "0e"}
    three = document(seats=3, board=board, quiet=73, **quiet)
    assert three.quiet_limit == 75
    assert played(three, "4b-4e").outcome is None
    out = [{"seat": 2, "why": "castle", "move": 1}]
    two = document(seats=3, board={**board, "5j": "0v"}, out=out, quiet=49, **quiet)
    assert played(two, "4b-4e").end == "quiet"


def test_without_the_quiet_option_a_game_goes_on() -> None:
    state = document(options={**PLAIN, "quiet": "off"}, moves=900, quiet=900)
    assert played(state, "1d-1b").outcome is None


def test_four_players_rank_by_the_order_of_going_out() -> None:
    out = [{"seat": 2, "why": "castle", "move": 30}, {"seat": 0, "why": "blocked", "move": 31}]
    state = document(seats=4, board={"3j": "1w", "7j": "3w", "7k": "3p"}, actor=1, out=out, moves=31)
    assert played(state, "3j-3d").outcome == Outcome((2, 4, 0, 6), (3,), "capitulation")


# Draw by agreement


def test_an_offer_needs_all_who_are_in() -> None:
    state = played(GAME.start(3), "draw 1d-8c", "remis")
    assert (state.agreed, state.actor, state.outcome) == ((0, 1), 1, None)
    state = played(state, "3d-4b", "draw")
    assert state.outcome == Outcome((2, 2, 2), (0, 1, 2), "agreed")


def test_an_elimination_cancels_an_offer() -> None:
    state = played(document(**PAGE["positions"]["K5"]), "draw", "4g+5j")
    assert [out.seat for out in state.out] == [1]
    assert state.agreed == ()


def test_without_the_option_there_is_no_draw() -> None:
    state = GAME.start(2, {"draw": "off"})
    assert Draw() not in state.actions()
    assert code_of(state, Draw()) == "draw-off"


# Dice


def test_the_die_allows_the_pieces_of_the_table() -> None:
    assert {str(die): sorted(kinds) for die, kinds in ALLOWED.items()} == {
        die: sorted(kinds) for die, kinds in BOARD["die"].items()
    }


def test_a_throw_depends_on_seed_and_number_only() -> None:
    one, other = (GAME.start(2, {"dice": "on"}, seed=11) for _ in range(2))
    one = one.play(one.actions()[0])
    other = other.play(other.actions()[-2])
    shared = min(one.rolled, other.rolled)
    assert [die for _, die in one.rolls][: shared - 1] == [die for _, die in other.rolls][: shared - 1]


def test_every_number_of_the_die_falls_about_as_often() -> None:
    thrown = [GAME.start(4, {"dice": "on"}, seed=seed).rolls[0][1] for seed in range(3000)]
    assert all(440 <= thrown.count(die) <= 560 for die in range(1, 7))


def test_with_dice_the_game_is_drawn_when_no_seat_can_ever_move() -> None:
    dice = {"options": {**PLAIN, "dice": "on"}, "die": 6, "rolls": [[0, 6]], "rolled": 1}
    state = played(full_of_elephants(**dice), "1j+2e")
    assert state.outcome == Outcome((0, 3, 3), (1, 2), "stalled")


def test_with_dice_a_skipped_seat_neither_accepts_nor_declines() -> None:
    board = {"1j": "0w", "1d": "0p", "3j": "1w", "5j": "2w"}
    for seed in range(60):
        start = document(
            seats=3,
            board=board,
            options={**PLAIN, "dice": "on"},
            seed=seed,
            die=1,
            rolls=[[0, 1]],
            rolled=1,
        )
        state = played(start, "draw 1d-1b")
        if [seat for seat, _ in state.rolls[:-1]] == [1]:
            assert state.agreed == (0,)
            return
    pytest.fail("no seed skips seat 1 alone")


# Actions and notation


def test_moves_are_listed_by_both_fields_and_the_draw_comes_last() -> None:
    *moves, last = played(GAME.start(2), "1j-2e").actions()
    assert last == Draw()
    keys = [tuple(NUMBER[field] for field in move.parts) for move in moves]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1j-2e", "1j-2e"),
        ("1J x 2E", "1j-2e"),
        ("1j:2e", "1j-2e"),
        ("1j > 2e", "1j-2e"),
        ("1j -> 2e", "1j-2e"),
        ("1j–2e", "1j-2e"),
        ("1j — 2e", "1j-2e"),
        ("1j → 2e", "1j-2e"),
        ("1j to 2e", "1j-2e"),
        ("1j nach 2e", "1j-2e"),
        ("1j2e", "1j-2e"),
        ("1j 2e", "1j-2e"),
        ("1h-1j", "1h+1j"),
        ("w1j2e", "1j-2e"),
        ("W 1j 2e", "1j-2e"),
        ("Wizard 1j-2e.", "1j-2e"),
        ("zauberer1j-2e", "1j-2e"),
        ("trollkarl 1j till 2e", "1j-2e"),
        ("Örn 1h+1j", "1h+1j"),
        ("häst 1f-8e", "1f-8e"),
        ("centre-1a", "00-1a"),
        ("1j to Center", "1j-00"),
        ("1j nach Mitte", "1j-00"),
        ("draw", "draw"),
        ("Remis?", "draw"),
        ("draw!", "draw"),
        ("draw 1j-2e", "draw 1j-2e"),
        ("1j-2e, draw?", "draw 1j-2e"),
        (" ; 1j-2e . remis!", "draw 1j-2e"),
    ],
)
def test_the_parser_is_lenient(typed: str, meant: str) -> None:
    assert " ".join(map(str, GAME.parse(GAME.start(2), typed))) == meant


@pytest.mark.parametrize("kind", BOARD["pieces"])
def test_pieces_have_names_in_three_languages(kind: str) -> None:
    swedish = {"w": "trollkarl", "d": "drake", "r": "rok", "e": "örn", "v": "korp", "l": "elefant", "t": "tiger"}
    swedish |= {"h": "häst", "p": "bonde"}
    state = position(drawn({"1j": "W", "5j": "w", "2e": kind.upper()}))
    for name in (kind, BOARD["pieces"][kind]["name"], BOARD["pieces"][kind]["german"], swedish[kind]):
        assert GAME.parse(state, f"{name} 2e-2d") == (Move("2e", "2d"),)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "...", "1j", "1j-", "9a-1b", "1l-1a", "10-2e", "1j & 2e", "1j,2e", "1jto2e", "mitte1a", "king 1j-2e"),
        *("1j-2e 5j-6e", "draw draw", "draw 1j-2e draw", "draw??", "drawn"),
    ],
)
def test_anything_else_is_bad_notation(typed: str) -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(GAME.start(2), typed)
    assert bad.value.code == "notation"


def test_the_first_field_must_have_the_named_piece() -> None:
    for typed in ("roc 1j-2e", "wizard 1a-1b"):
        with pytest.raises(BadNotation) as bad:
            GAME.parse(GAME.start(2), typed)
        assert bad.value.code == "wrong-piece"


def test_the_named_piece_may_belong_to_any_seat() -> None:
    (move,) = GAME.parse(GAME.start(2), "wizard 5j-6e")
    assert code_of(GAME.start(2), move) == "not-your-piece"


def test_the_first_reason_to_refuse_counts() -> None:
    state = played(document(options={**PLAIN, "dice": "on"}, die=2, rolls=[[0, 2]], rolled=1), "draw")
    over = played(document(), "1j-8b")
    assert [
        code_of(over, Draw()),
        code_of(over, Move("1j", "1i")),
        code_of(state, Draw()),
        code_of(state, Move("1a", "1a")),
        code_of(state, Move("5j", "5j")),
        code_of(state, Move("1j", "1j")),
        code_of(state, Move("1d", "1d")),
        code_of(state, Move("1d", "7d")),
        code_of(state, Move("1d", "1b", takes=True)),
    ] == [
        Refusal.OVER,
        Refusal.OVER,
        Refusal.DRAW_ALREADY,
        Refusal.EMPTY_FIELD,
        Refusal.NOT_YOUR_PIECE,
        Refusal.DIE,
        Refusal.SAME_FIELD,
        Refusal.OUT_OF_REACH,
        Refusal.SIGN,
    ]


def test_a_blocked_path_and_one_that_is_too_long_have_different_refusals() -> None:
    start = GAME.start(2)
    assert code_of(start, Move("1g", "8g")) == "blocked"
    assert code_of(start, Move("1g", "4g")) == "out-of-reach"


@pytest.mark.parametrize(
    ("piece", "target", "code"),
    [
        ("horse", "1c", "near2"),
        ("horse", "1a", "rings"),
        ("horse", "4e", "out-of-reach"),
        ("tiger", "1d", "near3"),
        ("elephant", "2d", "near4"),
        ("elephant", "1a", "rings"),
        ("eagle", "2d", "near2"),
        ("pawn", "1a", "out-of-reach"),
        ("wizard", "5k", "out-of-reach"),
    ],
)
def test_a_field_out_of_reach_is_too_near_too_far_or_too_many_rings_away(piece: str, target: str, code: str) -> None:
    letter = next(kind.letter for kind in KINDS.values() if kind.name == piece)
    assert code_of(document(board={"1e": f"0{letter}", "1j": "0w", "5j": "1w"}), Move("1e", target)) == code


def test_what_is_called_too_near_takes_fewer_steps_and_too_far_more() -> None:
    for kind in KINDS.values():
        near = edges_and_corners() if kind.flies else edges()
        within = [{NUMBER["1e"]}]
        for _ in range(kind.steps):
            within.append(within[-1].union(*(near[field] for field in within[-1])))
        state = document(board={"1e": f"0{kind.letter}", "1j": "0w", "5j": "1w"})
        for target in (name for name in NAMES if NUMBER[name] not in landings(kind.letter)[NUMBER["1e"]]):
            if target != "1e":
                code = code_of(state, Move("1e", target, takes=state.at(target) is not None))
                assert (code == "out-of-reach") == (NUMBER[target] not in within[-1])
                assert not code.startswith("near") or NUMBER[target] in within[-2]


def test_reading_26_fields_that_do_not_exist_are_refused() -> None:
    assert code_of(GAME.start(2), Move("9z", "1a")) == "empty-field"
    assert code_of(GAME.start(2), Move("1j", "9z")) == "out-of-reach"


# Hidden values


def test_only_the_seed_is_hidden() -> None:
    state = GAME.start(3, {"dice": "on"}, seed=99)
    for seat in (0, 1, 2, None):
        assert state.view(seat) == replace(state, seed=None)
    assert "99" not in repr(state)


# Documents


def test_a_position_with_dice_after_one_move_has_the_documented_keys() -> None:
    """The wizard has gone to 2e, player 2 may move a piece with four steps."""
    start = GAME.start(2, {"dice": "on"})
    for seed in count():
        before = replace(start, seed=seed, die=3, rolls=((0, 3),))
        if (state := played(before, "1j-2e")).rolls == ((1, 4),):
            break
    shown = json.loads(GAME.encode(state.view(None)))
    usual = PAGE["positions"]["K1"]
    moved = {name: usual["board"].get(name, "0w") for name in NAMES if name in {*usual["board"], "2e"} - {"1j"}}
    last = {"seat": 0, "piece": "w", "from": "1j", "to": "2e", "captured": None}
    expected = {
        "options": {**PLAIN, "dice": "on"},
        "rolled": 2,
        "board": moved,
        "actor": 1,
        "die": 4,
        "rolls": [[1, 4]],
    }
    assert shown == {**usual, **expected, "moves": 1, "quiet": 1, "last": last}
    assert list(shown) == list(usual)


@pytest.mark.parametrize("name", PAGE["positions"])
def test_documented_positions_are_encoded_as_they_were_decoded(name: str) -> None:
    data = json.dumps(PAGE["positions"][name], separators=(",", ":"))
    assert GAME.encode(GAME.decode(data)).decode() == data


DICE = {"options": {**PLAIN, "dice": "on"}, "die": 2, "rolls": [[0, 2]], "rolled": 1}
OUT = {"seat": 2, "why": "castle", "move": 3}
THREE = {"seats": 3, "board": {"1j": "0w", "5j": "1w"}, "out": [OUT]}
OVER = {"actor": None, "end": "capitulation", "board": {"5j": "1w"}, "out": [{**OUT, "seat": 0, "why": "capitulation"}]}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": "chess"}, "game must be"),
        ({"seats": 5}, "for 2 to 4 seats"),
        ({"seats": "2"}, "seats"),
        ({"magic": 1}, "unknown field"),
        ({"options": {"dice": "off"}}, "missing required field"),
        ({"options": {**PLAIN, "quiet": "1"}}, "option quiet"),
        ({"options": {**PLAIN, "handicap": "ravens3"}}, "handicap ravens3"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**128}, "seed"),
        ({"board": {"1j": "0w", "9a": "1w"}}, "no field '9a'"),
        ({"board": {"1j": "0k", "5j": "1w"}}, "'0k' is no piece"),
        ({"board": {"1j": "0w", "5j": "1w", "1a": "2p"}}, "no seat 2"),
        ({"rolled": 2**70}, "counters"),
        ({"moves": -1, "quiet": -1}, "counters"),
        ({"rolled": 1}, "nothing is rolled"),
        ({"moves": 2, "quiet": 3}, "quiet must not be above"),
        ({**THREE, "out": [OUT, OUT]}, "only once"),
        ({**OVER, "out": [{**OUT, "seat": 0}, {**OUT, "seat": 1}]}, "one seat at least"),
        ({**THREE, "out": [{**OUT, "seat": 5}]}, "no seat 5"),
        ({**THREE, "out": [{**OUT, "why": "tired"}]}, "'tired' must be one of"),
        ({**THREE, "out": [{**OUT, "move": -1}]}, "counters"),
        ({**THREE, "board": {"1j": "0w", "5j": "1w", "1a": "2p"}}, "no pieces"),
        ({"board": {"1j": "0w", "5k": "1w"}}, "must hold a castle"),
        ({"out": [{**OUT, "seat": 1}], "board": {"1j": "0w"}}, "two seats at least"),
        ({"actor": 2}, "no seat 2"),
        ({"actor": None}, "actor must be in"),
        ({**THREE, "actor": 2}, "actor must be in"),
        ({"board": {"1j": "0l", "1i": "0l", "1k": "0p", "1g": "0l", "5j": "1w"}, "actor": 1}, None),
        ({"board": {"1j": "0w", "1i": "0l", "3j": "1l", "3i": "0p", "3k": "0v", "3g": "0e"}, "actor": 1}, "legal move"),
        ({**DICE, "die": 5, "rolls": [[0, 5]], "board": {"1j": "0w", "5j": "1w"}}, "legal move"),
        ({"agreed": [0, 0]}, "draw only once"),
        ({**THREE, "agreed": [2]}, "only seats that are in"),
        ({"agreed": [0, 1]}, "once all have said draw"),
        ({"agreed": [1], "options": {**PLAIN, "draw": "off"}}, "option is off"),
        ({"quiet": 50, "moves": 50, "options": {**PLAIN, "quiet": "25"}}, "below the limit"),
        ({**DICE, "die": None}, "die must show"),
        ({**DICE, "die": 7}, "die must show"),
        ({**DICE, "rolls": [[0, 7]]}, "shows 1 to 6"),
        ({**DICE, "rolls": [[1, 2]]}, "last roll"),
        ({**DICE, "rolls": []}, "last roll"),
        ({**DICE, "rolled": 0}, "count all rolls"),
        ({"die": 2}, "no die"),
        ({"rolls": [[0, 2]]}, "no rolls"),
        ({"last": {"seat": 0, "piece": "k", "from": "1a", "to": "1b", "captured": None}}, "no kind"),
        ({"last": {"seat": 0, "piece": "p", "from": "0a", "to": "1b", "captured": None}}, "no field '0a'"),
        ({"last": {"seat": 0, "piece": "p", "from": "1a", "to": "1b", "captured": "w"}}, "'w' is no piece"),
        ({**OVER, "actor": 1}, "no actor"),
        ({**OVER, "die": 3}, "no die"),
        ({**OVER, "agreed": [1]}, "said draw"),
        ({**OVER, "end": "castle"}, "last seat went out"),
        ({**OVER, "end": "boredom"}, "'boredom' must be one of"),
        ({"actor": None, "end": "castle"}, "several seats in"),
    ],
)
def test_an_inconsistent_position_is_refused(changes: dict[str, Any], complaint: str | None) -> None:
    if complaint is None:
        assert document(**changes).outcome is None
        return
    with pytest.raises(ValueError, match=complaint):
        document(**changes)


@pytest.mark.parametrize("data", ["", "[]", "{", "null", '{"game":"kalejdoschach"}', b"\xff"])
def test_anything_but_a_document_is_refused(data: str | bytes) -> None:
    with pytest.raises(ValueError, match="document"):
        GAME.decode(data)


# Examples


@pytest.mark.parametrize("case", PAGE["cases"], ids=lambda case: case["name"])
def test_example(case: dict[str, Any]) -> None:
    expect = case["expect"]
    start = GAME.decode(json.dumps(PAGE["positions"][case["from"]]))
    *texts, last = case.get("do", [""])
    if "bad_notation" in expect:
        with pytest.raises(BadNotation) as bad:
            GAME.parse(played(start, *texts), last)
        assert bad.value.code == expect["bad_notation"]
        return
    if "refused" in expect:
        before = played(start, *texts)
        (action,) = GAME.parse(before, last)
        assert code_of(before, action) == expect["refused"]
        return
    for seed in count():
        state = played(replace(start, seed=seed), *case.get("do", []))
        if "dice" not in case or [die for _, die in state.rolls] == case["dice"]:
            break
    shown = json.loads(GAME.encode(state))
    for key, value in expect.items():
        match key:
            case "to":
                assert {source: targets(state, source) for source in value} == value
            case "at":
                assert {field: shown["board"].get(field) for field in value} == value
            case "legal_count":
                assert len(state.actions()) == value
            case "outcome":
                assert json.loads(msgspec.json.encode(state.outcome)) == value
            case _:
                assert shown[key] == value


# Turns, news, hints, questions


def test_a_draw_leaves_the_same_seat_to_move_unless_it_ends_the_game() -> None:
    start = GAME.start(2)
    offered = played(start, "draw")
    assert not start.ends_turn(offered)
    moved = played(offered, "1j-2e")
    assert offered.ends_turn(moved)
    assert moved.ends_turn(played(moved, "draw"))


def test_leaving_the_last_castle_needs_confirmation() -> None:
    one_castle = document()
    assert one_castle.warns(Move("1j", "8b")) == "capitulation"
    assert one_castle.warns(Move("1d", "1b")) is None
    assert one_castle.warns(Draw()) is None
    two_castles = GAME.start(2)
    assert two_castles.warns(Move("1j", "2e")) is None
    assert document(board={"1j": "0w", "1h": "0e", "5j": "1w"}).warns(Move("1j", "00")) is None


def test_leaving_one_of_two_castles_is_a_caution_and_no_slip() -> None:
    two_castles = GAME.start(2)
    assert (two_castles.cautions(Move("1j", "2e")), two_castles.warns(Move("1j", "2e"))) == ("castle", None)
    assert two_castles.hint(Move("1j", "2e"), 1) == "leaves"
    assert two_castles.cautions(Move("1d", "1b")) is None
    assert two_castles.cautions(Draw()) is None
    assert document().cautions(Move("1j", "8b")) is None, "the last castle has a question of its own"
    three_castles = document(board={"1j": "0w", "3j": "0w", "7j": "0w", "5j": "1w"})
    assert three_castles.cautions(Move("1j", "2e")) is None
    changes_castle = document(board={"1j": "0w", "3j": "0w", "5j": "1w"})
    assert changes_castle.cautions(Move("1j", "00")) is None


def test_with_several_actions_that_all_end_the_game_there_is_no_question() -> None:
    board = {"1j": "0p", "5j": "1w"}
    assert document(board=board).warns(Move("1j", "1g")) == "capitulation", "a draw can still be offered"
    state = document(board=board, options={**PLAIN, "draw": "off"})
    assert {state.warns(move) for move in state.actions()} == {None}


@pytest.mark.parametrize("text", ["1h-1i", "1hx1i", "1h 1i", "1h+1i", "e1h-1i"])
def test_taking_an_own_piece_needs_confirmation_with_either_sign(text: str) -> None:
    state = document(board={"1j": "0w", "1h": "0e", "1i": "0p", "5j": "1w", "2i": "1p"})
    assert [state.warns(action) for action in GAME.parse(state, text)] == ["own"]


def test_search_takes_own_pieces_only_if_all_other_moves_leave_the_last_castle() -> None:
    state = document(board={"1j": "0w", "1h": "0e", "1i": "0p", "5j": "1w", "2i": "1p"})
    own = {action for action in state.actions() if isinstance(action, Move) and action.target in ("1j", "1h", "1i")}
    assert own
    assert {*state.search_actions()} == {*state.actions()} - own
    around = dict.fromkeys(("7c", "8a", "8c", "8d"), "0h")
    thrown = {"options": {**PLAIN, "dice": "on", "draw": "off"}, "die": 1, "rolls": [[0, 1]], "rolled": 1}
    surrounded = document(board={"1j": "0p", "8b": "0p", **around, "5j": "1w"}, **thrown)
    assert {surrounded.warns(move) for move in surrounded.actions()} == {"own", "capitulation"}
    assert surrounded.search_actions() == surrounded.actions()


def test_other_captures_need_no_confirmation() -> None:
    state = document(board={"1j": "0w", "1h": "0e", "1i": "0p", "5j": "1w", "2i": "1p"})
    moves = [action for action in state.actions() if isinstance(action, Move) and action.source != "1j"]
    own = {move.target for move in moves if state.warns(move) == "own"}
    assert own == {"1i", "1j"}
    assert {state.warns(move) for move in moves if move.target not in own} == {None}


def test_agreeing_to_a_draw_needs_confirmation_and_offering_does_not() -> None:
    start = GAME.start(2)
    assert start.warns(Draw()) is None
    assert played(start, "draw", "1j-2e").warns(Draw()) == "agreed"
    three = GAME.start(3)
    offered = played(three, "draw", str(next(move for move in three.actions() if three.warns(move) is None)))
    assert offered.warns(Draw()) is None, "somebody else has to agree, too"


def test_a_move_that_makes_a_draw_needs_confirmation_if_avoidable() -> None:
    options = PAGE["positions"]["K3"]["options"] | {"quiet": "25"}
    board = {"1j": "0w", "1h": "0e", "5j": "1w", "1i": "1p"}
    last = document(board=board, options=options, quiet=49, moves=60)
    moves = [action for action in last.actions() if isinstance(action, Move) and action.source == "1h"]
    taking = [move for move in moves if last.at(move.target) is not None]
    assert [last.warns(move) for move in moves if move not in taking] == ["quiet"] * (len(moves) - len(taking))
    assert {last.play(move).end for move in moves if move not in taking} == {"quiet"}
    assert taking, "the game need not end"
    assert "quiet" not in [last.warns(move) for move in taking]
    alone = document(board={"1j": "0w", "1h": "0p", "5j": "1w"}, options=options, quiet=49, moves=60)
    assert "quiet" not in [alone.warns(action) for action in alone.actions()]


def test_a_draw_is_avoidable_even_if_only_by_taking_an_own_piece() -> None:
    asked = 0
    for state in some_states("kalejdoschach"):
        if state.actor is None or state.quiet_limit is None:
            continue
        last = replace(state, quiet=state.quiet_limit - 1)
        ends = {move: last.play(move).end for move in last.actions() if isinstance(move, Move)}
        for move in [move for move, end in ends.items() if end == "quiet"]:
            assert (last.warns(move) == "quiet") == (None in ends.values()), f"{move} in {last}"
            assert last.view(state.actor).warns(move) == last.warns(move)
            asked += last.warns(move) == "quiet"
    assert asked


def news_of(state: State, text: str) -> list[tuple[str, int | None, dict[str, str]]]:
    (action,) = GAME.parse(state, text)
    after = state.play(action)
    news = state.view(None).news(action, after.view(None))
    assert all(isinstance(item, News) for item in news)
    return [(str(item.code), item.seat, dict(item.facts)) for item in news]


def test_the_news_name_moving_and_captured_pieces_and_their_seats() -> None:
    state = document(**PAGE["positions"]["K4"])
    move = {"piece": "roc", "source": "4g", "target": "5j"}
    assert news_of(state, "4g-5j") == [
        ("capture-of", 0, {**move, "captured": "elephant"}),
        ("castle-taken", 0, {"field": "5j"}),
    ]
    assert news_of(played(state, "4g-5j"), "00-1a") == [
        ("move", 1, {"piece": "raven", "source": "00", "target": "1a"}),
        ("out-capitulation", 1, {}),
    ]
    own = {"piece": "eagle", "source": "1h", "target": "1j", "captured": "wizard"}
    assert news_of(GAME.start(2), "1h+1j") == [("capture-own", 0, own)]


def test_the_news_name_the_seats_that_are_out_and_why() -> None:
    assert [news[:2] for news in news_of(full_of_elephants(), "1j+2e")] == [
        ("capture-of", 0),
        ("out-capitulation", 0),
        ("out-blocked", 1),
    ]
    assert ("out-castle", 1, {}) in news_of(document(**PAGE["positions"]["K5"]), "4g+5j")


def test_the_news_name_the_owner_of_a_captured_piece() -> None:
    """With two players as well, because a reader may not know the owners of the pieces."""
    three = played(GAME.start(3), "1k-2g", "3c-3a", "7c-7a")
    assert news_of(three, "2g+3j") == [
        ("capture-of", 0, {"piece": "roc", "source": "2g", "target": "3j", "captured": "wizard"}),
        ("castle-taken", 0, {"field": "3j"}),
        ("out-castle", 1, {}),
    ]
    for state, text in ((document(**PAGE["positions"]["K4"]), "4g-5j"), (three, "2g+3j")):
        (move,) = GAME.parse(state, text)
        assert state.news(move, state.play(move))[0].to == 1


def test_the_news_report_draw_offers_and_their_answers() -> None:
    start = GAME.start(3)
    assert news_of(start, "draw") == [("draw-offered", 0, {})]
    offered = played(start, "draw 1d-8c")
    assert news_of(offered, "draw") == [("draw-accepted", 1, {})]
    assert news_of(offered, "3d-4b")[1:] == [("draw-declined", 1, {})]
    assert news_of(played(offered, "draw", "3d-4b"), "draw") == [("draw-agreed", 2, {})]
    assert news_of(played(start, "draw"), "1d-8c") == [("move", 0, {"piece": "eagle", "source": "1d", "target": "8c"})]


def test_the_news_report_the_die_and_skipped_seats() -> None:
    for seed in count():
        state = replace(document(**PAGE["positions"]["K7"]), seed=seed)
        if [die for _, die in played(state, "2g-2d").rolls] == [2, 5]:
            break
    assert news_of(state, "2g-2d")[1:] == [("skipped", 1, {"die": "die2"}), ("die", 0, {"die": "die5"})]


def test_the_first_post_names_the_aim_and_the_first_throw() -> None:
    state = GAME.start(2, {"dice": "on"}, seed=3)
    assert [(item.code, item.seat, item.facts) for item in state.view(None).opening_news()] == [
        ("aim", None, ()),
        ("die", 0, (("die", f"die{state.die}"),)),
    ]
    assert [item.code for item in GAME.start(2).opening_news()] == ["aim"]


def test_a_post_counts_down_the_last_quiet_rounds() -> None:
    options = {**PLAIN, "quiet": "25"}
    near = document(options=options, quiet=43, moves=60)
    assert news_of(near, "1d-1b")[1:] == [("quiet", None, {"rounds": "3", "n": "3"})]
    between = document(options=options, quiet=44, moves=60)
    assert news_of(between, "1d-1b")[1:] == []


def test_buttons_hint_at_the_moving_and_the_captured_piece() -> None:
    state = document(**PAGE["positions"]["K4"])
    capture = Move("4g", "5j", takes=True)
    assert [state.hint(capture, part) for part in (0, 1)] == ["r", "castle foreign-l"]
    assert GAME.start(3).hint(Move("1h", "3j", takes=True), 1) == "castle ousts foreign-w"
    assert GAME.start(2).hint(Move("1h", "1j", takes=True), 1) == "castle own-w"
    assert GAME.start(2).hint(Move("1j", "00"), 1) == "castle"
    assert state.hint(Move("4g", "4e"), 1) is None
    assert state.hint(Draw(), 0) is None
    assert state.play(Draw()).hint(Draw(), 0) == "draw"


# Whole games


def transcript(seats: int, options: dict[str, str], seed: int) -> Iterator[str]:
    """Return a game of simple players: every action with its news, some boards."""
    chance = random.Random(seed)
    state: State = GAME.start(seats, options, seed)
    yield f"{seats} players, {options or 'the usual options'}, seed {seed}"
    while state.outcome is None:
        if state.moves % 16 == 0:
            yield f"\n{board_of(state)}"
        actions = state.actions()
        action = chance.choice(best(state, actions))
        after = state.play(action)
        die = "" if state.die is None else f" die {state.die}"
        assert state.actor is not None
        yield f"{state.moves + 1:3}. player {state.actor + 1}{die}, {len(actions)} actions: {action}"
        for item in state.view(None).news(action, after.view(None)):
            who = "" if item.seat is None else f" player {item.seat + 1}"
            yield f"       {item.code}{who} {' '.join(word for _, word in item.facts)}".rstrip()
        state = after
    yield f"\n{board_of(state)}"
    yield f"{state.outcome.reason}: winners {state.outcome.winners}, scores {state.outcome.scores}"
    yield GAME.encode(state.view(None)).decode()


def board_of(state: State) -> str:
    pieces = zip(NAMES, state.board, strict=True)
    return drawn({name: str(piece) for name, piece in pieces if piece is not None}, width=12)


def best(state: State, actions: tuple[Action, ...]) -> list[Action]:
    """Return a capture if there is one, else a move that spares own pieces, else any; twice it offers a draw."""

    def worth(action: Action) -> int:
        if isinstance(action, Draw):
            return 3 if state.moves in (20, 41) else -2
        piece = state.at(action.target)
        own = None if piece is None else piece.seat == state.actor
        return -2 if state.warns(action) else {None: 0, True: -1, False: 1}[own]

    most = max(map(worth, actions))
    return [action for action in actions if worth(action) == most]


@pytest.mark.parametrize(
    ("seats", "options", "seed"), [(2, {}, 1), (4, {"dice": "on", "quiet": "25"}, 2)], ids=["two", "four"]
)
def test_a_golden_game(seats: int, options: dict[str, str], seed: int, golden: Golden) -> None:
    text = "\n".join(transcript(seats, options, seed))
    golden(HERE / f"golden/kalejdoschach-{seats}.txt", f"{text}\n")


# Position counts by depth


@pytest.mark.parametrize(
    ("seats", "depth", "number"),
    [tuple(map(int, line.split())) for line in (HERE / "counts/kalejdoschach.txt").read_text().splitlines()[3:]],
)
def test_move_counts_by_depth_stay_the_same(seats: int, depth: int, number: int) -> None:
    state = GAME.start(seats, {"draw": "off"})
    lines = lines_ahead(state, depth)
    assert lines == number, lines_by_first_action(state, depth)


# Evaluation


def test_a_capturable_last_castle_is_a_sure_win_unless_the_die_forbids_it() -> None:
    def rolled(number: int) -> State:
        options = {**PLAIN, "dice": "on"}
        return position(LAST_CASTLE, options=options, die=number, rolls=[[0, number]], rolled=1)

    assert position(LAST_CASTLE).win_probability(0) == SURE
    assert rolled(3).win_probability(0) == SURE
    assert rolled(1).win_probability(0) < SURE


def test_a_piece_is_worth_its_steps_and_a_castle_ten() -> None:
    own, others = (sum(KINDS[letter].steps for letter in letters) for letters in ("wpr", "ed"))
    state = position(LAST_CASTLE)
    assert state.worth(0) == own + 20 - (others + 10)
    assert state.worth(1) == -state.worth(0)


def test_a_move_that_leaves_another_seats_last_castle_in_reach_threatens_it() -> None:
    state = position(LAST_CASTLE)
    by_castle = {str(move): state.reasons(move) for move in state.actions() if str(move).startswith("1j")}
    assert by_castle
    for news_of in by_castle.values():
        assert [news.to for news in news_of if news.code == Why.THREATENS] == [1]


def test_a_move_that_puts_its_own_player_out_has_no_aim() -> None:
    moves = 0
    for played in games(GAME.id):
        for state, action, after in played.steps():
            if after.end is None and state.actor not in after.playing:
                assert state.reasons(action) == ()
                moves += 1
    assert moves


def test_a_risk_is_a_piece_that_the_next_player_takes_with_some_roll_and_move() -> None:
    hanging = 0
    for played in games(GAME.id):
        for state, action, after in played.steps():
            risks = state.view(state.actor).risks(action)
            if isinstance(action, Draw) or after.end is not None or state.actor not in after.playing:
                assert risks == ()
                continue
            rest = (seat % after.seats for seat in count(state.actor + 1))
            following = next(seat for seat in rest if seat in after.playing)
            dice = range(1, 7) if after.options.dice == "on" else (None,)
            turns = [replace(after, actor=following, die=die, rolls=()) for die in dice]
            taken = {
                move.target
                for turn in turns
                for move in turn.actions()
                if isinstance(move, Move) and owned(after, move.target) == state.actor
            }
            assert bool(risks) == bool(taken)
            for risk in risks:
                assert risk.to == following
                assert dict(risk.facts)["field"] in taken
                hanging += 1
    assert hanging


def owned(state: State, field: str) -> int | None:
    piece = state.at(field)
    return None if piece is None else piece.seat


HANGING = {"1j": "0p", "3j": "0p", "1e": "0l", "3d": "1r", "5j": "1w", "7j": "1w"}


def test_the_most_valuable_piece_at_risk_is_named_and_whether_it_can_be_taken_back() -> None:
    step = Move("3j", "3k")
    dice = {"options": {**PLAIN, "dice": "on"}, "die": 1, "rolls": [[0, 1]], "rolled": 1}
    facts = (("piece", "elephant"), ("field", "1e"))
    guarded = HANGING | {"1c": "0p"}
    assert document(board=HANGING).risks(step) == (News(Why.LOSES, 0, facts, 1),)
    assert document(board=HANGING, **dice).risks(step) == (News(Why.MAY_LOSE, 0, facts, 1),)
    assert document(board=guarded).risks(step) == (News(Why.TRADES, 0, facts, 1),)
    assert document(board=guarded, **dice).risks(step) == (News(Why.MAY_TRADE, 0, facts, 1),)


def test_a_last_castle_at_risk_comes_before_any_piece() -> None:
    board = {"1j": "0p", "1e": "0d", "3e": "0p", "2d": "1r", "1h": "1e", "2g": "1e", "5j": "1w"}
    (risk,) = document(board=board).risks(Move("3e", "3c"))
    assert (risk.code, dict(risk.facts)) == (Why.LAST, {"field": "1j"})


def test_a_reason_names_the_piece_that_a_move_saves_and_from_which() -> None:
    state = document(board=HANGING)
    moves = [move for move in state.actions() if isinstance(move, Move) and move.source == "1e"]
    saved = {reason for move in moves for reason in state.reasons(move) if reason.code == Why.ESCAPES}
    facts = (("piece", "elephant"), ("field", "1e"), ("taker", "roc"))
    assert saved == {News(Why.ESCAPES, 0, facts, 1)}


def test_a_reason_counts_fields_that_a_piece_reaches_without_taking_an_own_one() -> None:
    board = {"1j": "0w", "1e": "0e", "2e": "0p", "1c": "0p", "5j": "1w", "7j": "1p"}
    (reason,) = document(board=board).reasons(Move("1e", "8e"))
    later = document(board=board).play(Move("1e", "8e")).play(Move("7j", "7i"))
    onward = [action for action in later.actions() if isinstance(action, Move) and action.source == "8e"]
    free = [action for action in onward if later.at(action.target) is None]
    assert (reason.code, len(onward), dict(reason.facts)["more"]) == (Why.FREER, 13, "12")
    assert len(free) == 12


def test_the_owners_of_pieces_at_both_ends_of_a_move_are_known() -> None:
    state = position(LAST_CASTLE)
    takes, *_ = GAME.parse(state, "6f+5j")
    assert [state.owner_at(takes, part) for part in (0, 1)] == [0, 1]
    steps = next(move for move in state.actions() if isinstance(move, Move) and state.at(move.target) is None)
    assert [state.owner_at(steps, part) for part in (0, 1)] == [0, None]
