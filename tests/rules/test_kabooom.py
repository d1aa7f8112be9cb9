"""Kabooom!, in the order of its rulebook. "Reading 3" is a decision named in rules/games/kabooom.

In a drawing a stone is its seat and its symbol, a tower its stones from bottom to top: ``0r1d`` is seat 0's rock under
seat 1's dynamite.
"""

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import texts
from rules import BadNotation, IllegalAction, News, Outcome
from rules.chance import Chance
from rules.games.kabooom import (
    BEATS,
    GAME,
    GRID,
    SYMBOLS,
    Dynamite,
    Level,
    Move,
    Options,
    Pass,
    Phase,
    State,
    height,
    owner,
    symbol,
)
from rules.games.kabooom.reasons import Why
from tests.positions import drawn, read


def moving(
    drawing: str,
    *,
    seats: int = 2,
    actor: int = 0,
    passes: int = 0,
    level: Level = Level.MEDIUM,
    dynamite: Dynamite = Dynamite.STONE,
) -> State:
    """Return the position of a drawing, in the second phase of the game."""
    options = Options(level, dynamite)
    return State(seats, options, None, Phase.MOVE, actor, passes, read(GRID, drawing), (None,) * seats)


def act(state: State, *texts: str) -> State:
    """Return the position after these typed actions."""
    for text in texts:
        for action in GAME.parse(state, text):
            state = state.play(action)
    return state


def refused(state: State, text: str) -> str:
    """Return the code with which the action is refused."""
    (action,) = GAME.parse(state, text)
    with pytest.raises(IllegalAction) as refusal:
        state.play(action)
    return refusal.value.code


def legal(state: State) -> str:
    return " ".join(map(str, state.actions()))


def shown(state: State) -> str:
    """Return the rows of the board that have a tower."""
    rows = drawn(GRID, state.board).split("\n")[:-1]
    return "\n".join(" ".join(row.split()) for row in rows if any(cell != "." for cell in row.split()[1:]))


def after_moving(state: State, *texts: str) -> str:
    return shown(act(state, *texts))


def filled(seats: int, level: str = "medium", seed: int = 1) -> State:
    """Return the position after random placements."""
    state = GAME.start(seats, {"level": level}, seed)
    luck = Chance(seed, label="filling")
    while state.phase == Phase.PLACE:
        state = state.play(luck.choice(state.actions()))
    return state


# --- Los geht's


def test_two_to_four_players() -> None:
    assert list(GAME.seats) == [2, 3, 4]


def test_every_player_chooses_one_of_four_colours() -> None:
    assert GAME.colours == ("red", "blue", "yellow", "green")


def test_the_player_who_opens_the_game_begins() -> None:
    assert GAME.host_begins
    assert all(GAME.start(seats).actor == 0 for seats in GAME.seats)


def test_the_starting_player_sets_the_level() -> None:
    level, dynamite = GAME.options
    assert level.choices == ("easy", "medium", "hard")
    assert (level.default, dynamite.default) == ("medium", "stone")


# --- Aufstellung


def test_easy_begins_with_all_stones_on_the_board() -> None:
    for seats in GAME.seats:
        state = GAME.start(seats, {"level": "easy"}, 5)
        assert state.phase == Phase.MOVE
        assert all(height(tower) == 1 for tower in state.board)


def test_at_random_every_seat_has_six_to_twelve_of_its_twelve_stones() -> None:
    """Reading 3."""
    for seats, seed in product(GAME.seats, range(20)):
        board = GAME.start(seats, {"level": "easy"}, seed).board
        assert set(Counter(map(owner, board)).values()) == {24 // seats}
        assert max(Counter(board).values()) <= 3


def test_another_seed_is_another_set_up() -> None:
    boards = {GAME.start(4, {"level": "easy"}, seed).board for seed in range(30)}
    assert len(boards) == 30


def test_a_seed_of_none_is_used_like_0() -> None:
    assert GAME.start(3, {"level": "easy"}).board == GAME.start(3, {"level": "easy"}, 0).board


def test_medium_and_hard_begin_with_an_empty_board() -> None:
    for level in ("medium", "hard"):
        assert not any(GAME.start(2, {"level": level}, 5).board)


def test_the_players_take_turns_to_place_one_stone() -> None:
    state = GAME.start(3)
    assert [state.actor, act(state, "r a1").actor, act(state, "r a1", "r a2", "r a3").actor] == [0, 1, 0]


def test_any_symbol_may_go_on_any_empty_field() -> None:
    assert len(GAME.start(2).actions()) == 24 * 4
    assert legal(GAME.start(2)).startswith("r@a1 p@a1 s@a1 d@a1 r@b1")
    assert len(act(GAME.start(2), "r a1").actions()) == 23 * 4


def test_an_occupied_field_takes_no_second_stone() -> None:
    assert refused(act(GAME.start(2), "r a1"), "d a1") == "occupied"


def test_no_seat_owns_more_than_three_stones_of_a_symbol() -> None:
    """Reading 1."""
    state = act(GAME.start(2), "d a1", "r a2", "d b1", "r b2", "d c1", "r c2")
    assert state.supply(0) == {"r": 3, "p": 3, "s": 3, "d": 0}
    assert refused(state, "d d1") == "no_stone"
    assert "d@" not in legal(state)


def test_no_seat_moves_or_passes_while_stones_are_placed() -> None:
    """Reading 2."""
    state = act(GAME.start(2), "r a1", "s b1")
    assert refused(state, "pass") == refused(state, "a1-b1") == "phase"


def test_stones_are_placed_until_the_board_is_full() -> None:
    state = filled(2)
    assert "" not in state.board
    assert refused(state, "r a1") == "phase"


@pytest.mark.parametrize(("seats", "stones"), [(2, 12), (3, 8), (4, 6)])
def test_stones_per_player(seats: int, stones: int) -> None:
    assert Counter(map(owner, filled(seats).board)) == dict.fromkeys(range(seats), stones)


def test_the_first_player_makes_the_first_move() -> None:
    """Reading 4."""
    assert [filled(seats).actor for seats in GAME.seats] == [0, 0, 0]


def test_a_corner_has_three_neighbours_an_edge_five_a_field_inside_eight() -> None:
    assert Counter(map(len, GRID.around)) == {3: 4, 5: 12, 8: 8}
    assert [len(GRID.around[GRID.number[field]]) for field in ("a1", "f1", "a4", "f4")] == [3, 3, 3, 3]


# --- Türme

TWO_TOWERS = moving("""
    2  .     .   .  .  .  .
    1  1p0r  1s  .  .  .  .
       a     b   c  d  e  f
""")


def test_a_tower_belongs_to_the_owner_of_its_top_stone() -> None:
    assert legal(TWO_TOWERS) == "a1-b1 pass"
    assert refused(TWO_TOWERS, "b1-a1") == "not_yours"


def test_a_tower_follows_the_rules_of_its_top_stone() -> None:
    """The paper below does not beat scissors either."""
    assert after_moving(TWO_TOWERS, "a1-b1") == "1 . 1s1p0r . . . ."


def test_the_whole_tower_moves_in_unchanged_order_and_leaves_its_field_empty() -> None:
    state = moving("1  0p1s0r  1r0s  .  .  .  .")
    assert after_moving(state, "a1-b1") == "1 . 1r0s0p1s0r . . . ."


# --- Züge

CROWD = """
    3  1s  1s  1s  .  .  .
    2  1s  0r  1s  .  1s .
    1  1s  1s  1s  .  .  .
       a   b   c   d  e  f
"""


def test_a_move_goes_to_an_adjacent_field_diagonally_too() -> None:
    assert legal(moving(CROWD)) == "b2-a1 b2-b1 b2-c1 b2-a2 b2-c2 b2-a3 b2-b3 b2-c3 pass"


def test_a_move_goes_no_further() -> None:
    assert refused(moving(CROWD), "b2-e2") == "not_adjacent"


def test_a_tower_does_not_move_onto_itself() -> None:
    assert refused(moving(CROWD), "b2-b2") == "not_adjacent"


def test_there_must_be_a_tower_to_move() -> None:
    assert refused(moving(CROWD), "d2-e2") == "empty_source"


def test_it_must_be_your_tower() -> None:
    assert refused(moving(CROWD), "a1-b1") == "not_yours"


def test_the_target_must_not_be_empty() -> None:
    assert refused(moving("1  0r  .  1s  .  .  ."), "a1-b1") == "empty_target"


def test_your_symbol_must_beat_the_one_on_the_target() -> None:
    assert refused(moving("1  0r  1p  .  .  .  ."), "a1-b1") == "not_beaten"


def test_the_target_may_have_any_colour_your_own_too() -> None:
    state = moving("1  0r  0s  1r  .  .  .")
    assert after_moving(state, "a1-b1") == "1 . 0s0r 1r . . ."


def test_a_field_once_left_is_never_entered_again() -> None:
    state = act(moving("1  0r  0s  1s  1s  .  ."), "a1-b1", "d1-c1")
    assert refused(state, "b1-a1") == "empty_target"


# --- Steine schlagen


@pytest.mark.parametrize(
    ("mover", "beaten"),
    [("r", "rs"), ("s", "sp"), ("p", "pr"), ("d", "rpsd")],
    ids=["rock", "scissors", "paper", "dynamite"],
)
def test_a_symbol_beats_itself_and_its_prey_and_dynamite_beats_everything(mover: str, beaten: str) -> None:
    for target in SYMBOLS:
        state = moving(f"1  0{mover}  1{target}  .  .  .  .")
        assert ("a1-b1" in legal(state)) == (target in beaten)


def test_dynamite_removes_nothing() -> None:
    """Reading 5."""
    assert after_moving(moving("1  0d  1d  .  .  .  ."), "a1-b1") == "1 . 1d0d . . . ."


# --- Aussetzen

THREE = """
    3  .   .   .   .   .   2p
    2  .   .   .   .   .   .
    1  0r  0s  .   1r  1s  .
       a   b   c   d   e   f
"""

ALONE = """
    3  2p  .   3p  .   .   .
    2  .   .   .   .   .   .
    1  0r  0s  0r  .   1p  .
       a   b   c   d   e   f
"""


def test_a_player_may_pass_at_any_time_in_the_second_phase() -> None:
    assert str(moving(THREE, seats=3).actions()[-1]) == "pass"


def test_a_player_who_passed_may_move_again_in_the_next_turn() -> None:
    """Reading 6."""
    state = act(moving(THREE, seats=3), "pass", "d1-e1")
    assert (state.actor, state.passes, state.last) == (0, 1, ("pass", "d1-e1", "auto"))
    assert "a1-b1" in legal(state)


def test_a_player_who_cannot_move_is_passed_automatically() -> None:
    """Reading 6: seat 2's paper has no neighbour."""
    state = act(moving(THREE, seats=3), "pass", "pass")
    assert (state.phase, state.passes, state.last) == (Phase.OVER, 3, ("pass", "pass", "auto"))


def test_a_player_without_a_tower_is_passed_automatically() -> None:
    state = act(moving("1  0r  1s  0s  0s  .  ."), "a1-b1")
    assert (state.actor, state.last[1]) == (0, "auto")


def test_the_same_player_acts_again_when_all_others_are_passed() -> None:
    state = act(moving(ALONE, seats=4), "a1-b1")
    assert (state.actor, state.passes, state.last) == (0, 3, ("a1-b1", "auto", "auto", "auto"))


def test_a_move_ends_the_row_of_passes() -> None:
    assert act(moving(THREE, seats=3, passes=1), "a1-b1").passes == 0


def test_the_game_is_over_once_all_have_passed_in_succession() -> None:
    state = act(moving("1  0r  1r  .  .  .  ."), "pass", "pass")
    assert state.outcome is not None
    assert state.outcome.reason == "passed"


def test_a_pass_that_would_end_the_game_needs_confirmation() -> None:
    state = moving("1  0r  1r  .  .  .  .")
    (*moves, one_pass) = state.actions()
    assert state.warns(one_pass) is None
    assert act(state, "pass").warns(one_pass) == "ends"
    assert [act(state, "pass").warns(move) for move in moves] == [None] * len(moves)


def test_a_pass_that_lets_the_next_one_end_a_lost_game_needs_confirmation() -> None:
    behind, ahead = moving("1  0r  1r1r  .  0p  .  ."), moving("1  0r0r  1r  .  .  .  .")
    (*moves, one_pass) = behind.actions()
    assert (behind.cautions(one_pass), behind.warns(one_pass)) == ("loses", None)
    assert [behind.cautions(move) for move in moves] == [None] * len(moves)
    assert ahead.cautions(one_pass) is None
    assert moving("1  0r  1r  .  .  .  .").cautions(one_pass) is None, "even"
    assert moving("1  0r  1r1r  2r  .  .  .", seats=3).cautions(one_pass) is None, "two more passes are to come"
    assert moving("1  0r  1r1r  2r  .  .  .", seats=3, passes=1).cautions(one_pass) == "loses"
    assert moving(f"1  0r  1r  .  .  .  {'2s' * 6}", seats=3).cautions(one_pass) is None, "each move ends it, too"


def test_the_news_say_how_passes_end_the_game() -> None:
    second = act(moving("1  0r  1r1r  .  .  .  ."), "pass")
    assert second.news(Pass(), act(second, "pass")) == (News("pass", 1), News("ended.all", 1, explains=True))
    alone = moving("1  0r0r0d  1r  .  .  .  .")
    assert alone.news(Pass(), act(alone, "pass"))[1:] == (News("auto", 1), News("ended.one", 0, explains=True))


def test_a_move_that_ends_the_game_without_a_win_needs_confirmation() -> None:
    state = moving("1  0r  1s  0r  .  1p  1p")
    for action in state.actions():
        outcome = state.play(action).outcome
        ends = outcome is not None and (str(action) == "pass" or 0 not in outcome.winners)
        assert (state.warns(action) == "ends") == ends


def test_automatic_passes_are_counted_for_this_question_too() -> None:
    state = moving("1  0r  1s  .  .  1p  2p", seats=3)
    assert state.warns(state.actions()[-1]) is None
    lonely = moving("1  0r  1s  .  2p  .  .", seats=3)
    assert lonely.warns(lonely.actions()[-1]) == "ends"


@pytest.mark.parametrize(
    ("row", "passes"),
    [("1  0r  0s  1r  .  1p  1p", True), ("1  0r  1s  .  .  1p  1p", False), ("1  0r  1p  1r  .  .  .", True)],
)
def test_the_table_may_pass_for_a_seat_that_cannot_take_another_seats_tower(row: str, passes: bool) -> None:
    """A seat may leave its passes to the table; towers of its own do not count."""
    (standing,) = GAME.standings
    assert (standing.action(moving(row).view(0)) is not None) == passes


# --- Auswertung

COUNTED = """
    2  .         .   .     .   .         .
    1  1r1s0p0r0r  .  0p1r  .   0s0s1r1d  .
       a         b   c     d   e         f
"""


@pytest.mark.parametrize(("level", "points"), [("easy", (5, 5)), ("medium", (4, 3)), ("hard", (3, 1))])
def test_a_tower_brings_its_height_less_the_deduction_of_the_level(level: Level, points: tuple[int, ...]) -> None:
    assert moving(COUNTED, level=level).standing() == points


@pytest.mark.parametrize(("level", "points"), [("easy", (1, 0)), ("medium", (0, 0)), ("hard", (0, 0))])
def test_a_single_stone_counts_only_when_it_is_easy(level: Level, points: tuple[int, ...]) -> None:
    assert moving("1  0r  .  .  .  .  .", level=level).standing() == points


def test_dynamite_never_counts() -> None:
    """Reading 8: as a stone; a lone one counts nothing."""
    assert moving("1  0r1s1d  .  0d  .  .  .", level=Level.EASY).standing() == (0, 2)


def test_or_a_tower_topped_by_dynamite_never_counts() -> None:
    """Reading 8, the other one."""
    state = moving("1  0r1s1d  .  0r0s  .  .  .", level=Level.EASY, dynamite=Dynamite.TOWER)
    assert state.standing() == (2, 0)


# --- Spielende


def test_the_game_is_over_when_no_seat_can_move() -> None:
    """Reading 7: at once, without a round of passes."""
    state = act(moving("1  0r  1s  .  0p0p  .  ."), "a1-b1")
    assert state.outcome == Outcome((2, 0), (0,), "stuck")
    assert state.passes == 0


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    state = act(moving("1  0r  1s  .  .  .  ."), "a1-b1")
    assert [refused(state, text) for text in ("pass", "a1-b1", "r c1")] == ["over"] * 3


def finished(drawing: str, level: Level = Level.MEDIUM, seats: int = 2) -> Outcome:
    state = State(
        seats, Options(level, Dynamite.STONE), None, Phase.OVER, None, 0, read(GRID, drawing), (None,) * seats
    )
    assert state.outcome is not None
    return state.outcome


def test_the_most_points_win() -> None:
    assert finished("1  0r0r0r  .  1r1r  .  .  .").winners == (0,)


def test_equal_points_are_decided_by_the_highest_tower() -> None:
    """Reading 9: 4 points each, from heights 5 and from heights 4, 2."""
    assert finished("1  0r0r0r0r0r  .  1r1r1r1r  .  1r1r  .") == Outcome((4, 4), (0,), "stuck")


def test_then_by_the_next_ones_and_by_who_has_more_of_them() -> None:
    """Reading 9: a single stone scores nothing, but it decides here."""
    assert finished("1  0r0r0r  .  1r1r1r  .  1p  .") == Outcome((2, 2), (1,), "stuck")


def test_the_news_explain_a_tie_that_towers_decide() -> None:
    """Reading 9: the heights up to the first that differs, with the fields of these towers."""

    def end_of(drawing: str) -> tuple[News, ...]:
        before = moving(drawing, passes=1)
        (action,) = GAME.parse(before, "pass")
        return before.news(action, before.play(action))

    passed = News("pass", 0), News("ended.one", 0, explains=True)
    broken = (("heights", "5 (a1)"), ("lower", "4 (b1)"))
    assert end_of("1  0r0r0r0r0r  1r1r1r1r  .  1r1r  .  .") == (
        *passed,
        News("tie_broken", 0, broken, 1, explains=True),
    )
    broken = (("heights", "3 (b1), 1 (d1)"), ("lower", "3 (a1)"))
    assert end_of("1  0r0r0r  1r1r1r  .  1p  .  .") == (
        *passed,
        News("tie_broken", 1, broken, 0, explains=True),
    )
    assert end_of("1  0r0r  1r1r  .  .  .  .") == passed, "who shares the win is equal in all"
    assert end_of("1  0r0r0r  1r1r  .  .  .  .") == passed, "the points decide"


@pytest.mark.parametrize("lang", texts.languages())
def test_the_rules_explain_the_tie_break_with_an_example_that_the_rules_play(lang: str) -> None:
    """Reading 9: single stones decide although they score nothing in this example."""
    one, three = "0r" * 8, f"{'1s' * 8}  .  1p  .  1r"
    ended = finished(f"1  {one}  {three}")
    assert (ended.scores, ended.winners) == ((7, 7), (1,))
    page = texts.say("kabooom", "rules.5.text", lang)
    example = next(part for part in page.split("\n\n") if "7 : 7" in part)
    assert re.findall(r"\d+", example)[:6] == ["7", "7", "8", "8", "1", "1"]
    assert "scoring tower" not in page


def test_seats_that_are_equal_in_all_of_this_share_the_win() -> None:
    """Reading 9: a tower of dynamite does not count."""
    assert finished("1  0r0r  .  1r1r  .  1d  .") == Outcome((1, 1), (0, 1), "stuck")


# --- Facts that follow


def situations() -> st.SearchStrategy[State]:
    """Return positions of random games, from any time of the second phase."""

    def played(seats: int, level: str, seed: int, moves: int) -> State:
        state = filled(seats, level, seed)
        luck = Chance(seed, label="moving")
        for _ in range(moves):
            if state.phase == Phase.OVER:
                break
            state = state.play(luck.choice(state.actions()))
        return state

    seats = st.sampled_from([2, 3, 4])
    levels = st.sampled_from(["easy", "medium"])
    return st.builds(played, seats, levels, st.integers(0, 2**128 - 1), st.integers(0, 30))


@given(situations())
def test_of_two_adjacent_towers_at_least_one_beats_the_other(state: State) -> None:
    """Fact 1: so no seat can move exactly when no two towers are adjacent."""
    beside = any(
        state.board[here] and state.board[there] for here, around in enumerate(GRID.around) for there in around
    )
    outcome = state.outcome
    assert (outcome is not None and outcome.reason == "stuck") == (not beside)


@given(situations())
def test_a_tower_that_contains_dynamite_has_dynamite_on_top(state: State) -> None:
    """Fact 2."""
    assert all(symbol(tower) == "d" for tower in state.board if "d" in tower)


@given(situations())
def test_every_move_empties_one_field_and_nothing_leaves_the_board(state: State) -> None:
    """Fact 3: so there are at most 23 moves."""

    def stones(board: tuple[str, ...]) -> Counter[str]:
        return Counter(tower[place : place + 2] for tower in board for place in range(0, len(tower), 2))

    for action in state.actions():
        after = state.play(action)
        assert stones(after.board) == stones(state.board)
        assert after.board.count("") == state.board.count("") + (str(action) != "pass")


@given(situations())
def test_the_legal_moves_are_those_that_the_rulebook_describes(state: State) -> None:
    """The sentences of "Züge" as a slow test of every pair of fields."""
    expected = []
    for source, target in product(GRID.fields, GRID.fields):
        mover, beneath = (state.board[GRID.number[field]] for field in (source, target))
        apart = max(abs(ord(source[axis]) - ord(target[axis])) for axis in (0, 1))
        if mover and beneath and apart == 1 and owner(mover) == state.actor and symbol(beneath) in BEATS[symbol(mover)]:
            expected.append(f"{source}-{target}")
    assert legal(state).split() == ([*expected, "pass"] if state.actor is not None else [])


# --- Typed text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((text, "pass") for text in ("pass", "passe", "Passen", "SKIP", "aussetzen", " x ", "X")),
        *((text, "r@b3") for text in ("r@b3", "rb3", "R B3", "rock b3", "Stein  b 3", "rock@b3", "r-b3", "r>b3")),
        *((text, "r@b3") for text in ("r:b3", "r → b3", "r – b3", "rock @ b 3", "ｒ＠ｂ３")),
        ("paper a1", "p@a1"),
        ("papier a1", "p@a1"),
        ("s f4", "s@f4"),
        ("scissors f4", "s@f4"),
        ("Schere: f4", "s@f4"),
        ("dynamite d4", "d@d4"),
        ("Dynamit d4", "d@d4"),
        ("dd4", "d@d4"),
        *((text, "c2-b2") for text in ("c2-b2", "c2 b2", "c2b2", "C2xB2", "c2 x b2", "c2:b2", "c2>b2", "c2->b2")),
        *((text, "c2-b2") for text in ("c2 -> b2", "c2 to b2", "c2 nach b2", "c 2 b 2", "c2 → b2", "c2—b2")),
    ],
)  # fmt: skip
def test_typed_text_is_parsed(typed: str, meant: str) -> None:
    assert [str(action) for action in GAME.parse(GAME.start(2), typed)] == [meant]


@pytest.mark.parametrize(
    "typed",
    ["", " ", "b3", "g1", "r g1", "r a5", "r a0", "a1-g1", "q a1", "r@@a1", "r a1 b1", "r a1 p b1", "a1-b1 b1-c1",
     "a1-b1-c1", "pass pass", "x x", "a1--b1", "rocks b3", "r->b3", "a11", "auto", "0r", "a1 beats b1"],
)  # fmt: skip
def test_anything_else_is_no_notation(typed: str) -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(GAME.start(2), typed)
    assert bad.value.code == "notation"


def test_the_quotation_of_a_long_text_is_short() -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(GAME.start(2), "a" * 1000)
    assert len(bad.value.detail) <= 40


# --- News and hints


def news_of(state: State, text: str) -> list[News]:
    (action,) = GAME.parse(state, text)
    return list(state.news(action, state.play(action)))


def test_the_news_of_a_placement_name_symbol_and_field() -> None:
    assert news_of(GAME.start(2), "r b3") == [News("place", 0, (("symbol", "r"), ("field", "b3")))]


def test_the_news_of_a_move_name_fields_height_and_deviating_points() -> None:
    facts = ("source", "a1"), ("target", "b1"), ("height", "3")
    points = ("worth", "2"), ("n", "2"), ("sum", "3 − 1")
    assert news_of(TWO_TOWERS, "a1-b1") == [News("move.sum", 0, (*facts, *points))]
    easy = moving("1  1p0r  1s  .  .  .  .", level=Level.EASY)
    assert news_of(easy, "a1-b1") == [News("move", 0, facts)]


@pytest.mark.parametrize(
    ("tower", "level", "dynamite", "total"),
    [
        ("0r1d2s3d0p", "medium", "stone", "5 − 2 d − 1"),
        ("0r1d", "easy", "stone", "2 − 1 d"),
        ("0r1d0s", "hard", "tower", "3 − 2"),
        ("0r1d", "hard", "tower", "d"),
    ],
)
def test_the_sum_says_how_the_points_of_a_tower_come_about(tower: str, level: str, dynamite: str, total: str) -> None:
    assert GAME.start(2, {"level": level, "dynamite": dynamite}).sum_of(tower) == total


def test_the_news_list_automatic_passes_after_the_action() -> None:
    automatic = [News("auto", 1), News("auto", 2), News("auto", 3)]
    assert news_of(moving(ALONE, seats=4), "a1-b1")[1:] == automatic
    assert news_of(moving(ALONE, seats=4), "pass")[:4] == [News("pass", 0), *automatic]


def test_the_news_of_the_last_placement_report_the_full_board() -> None:
    state = GAME.start(2)
    luck = Chance(4, label="filling")
    while state.board.count("") > 1:
        state = state.play(luck.choice(state.actions()))
    assert [item.code for item in news_of(state, str(state.actions()[0]))] == ["place", "filled"]


def test_hints_show_remaining_stones_and_the_tower_on_a_field() -> None:
    (action,) = GAME.parse(TWO_TOWERS, "a1-b1")
    assert [TWO_TOWERS.hint(action, part) for part in (0, 1)] == ["r2", "s-2"]
    state = act(GAME.start(2), "r a1", "r a2")
    (action,) = GAME.parse(state, "r a3")
    assert [state.hint(action, part) for part in (0, 1)] == ["left2", None]
    assert state.hint(GAME.parse(state, "x")[0], 0) is None


def can_climb(state: State, field: str, seat: int) -> bool:
    """Return whether another seat than *seat* could climb onto the tower on *field* if it were up."""
    turns = [turn for other in range(state.seats) if other != seat and (turn := state.turn_of(other))]
    return any(action.parts[-1] == field for turn in turns for action in turn.actions())


@given(situations())
def test_a_reason_of_safety_is_true_after_the_move(state: State) -> None:
    for action in state.actions():
        codes = {reason.code for reason in state.reasons(action)}
        if codes & {Why.SAFE, Why.ESCAPES}:
            assert state.actor is not None
            assert not can_climb(state.play(action), action.parts[-1], state.actor)


WITHOUT_POINTS = {Why.LATER, Why.NO_POINTS, Why.IDLE}


@given(situations())
def test_a_climb_without_points_says_so_first_and_only_what_is_true(state: State) -> None:
    seat = state.actor
    for action in state.actions():
        assert seat is not None
        after, said = state.play(action), state.reasons(action)
        codes = [reason.code for reason in said]
        has_points = after.outcome is not None or after.standing()[seat] != state.standing()[seat]
        assert (codes[:1] != [] and codes[0] in WITHOUT_POINTS) == (isinstance(action, Move) and not has_points)
        assert not WITHOUT_POINTS & {*codes[1:]}
        assert Why.IDLE not in codes or len(codes) == 1
        if Why.LATER in codes:
            climb, own = Move(action.parts[-1], dict(said[0].facts)["field"]), after.turn_of(seat)
            assert own is not None
            assert own.play(climb).standing()[seat] > after.standing()[seat]
            assert Move(action.parts[0], climb.target) not in state.actions(), "it was not in reach before"
            assert not can_climb(after, climb.source, seat)


@pytest.mark.parametrize(
    ("drawing", "codes"),
    [
        ("1  0r  0s  1s  .  .  .", [Why.LATER, Why.SAFE]),
        ("1  0r  0s  .   .  1r 1r", [Why.NO_POINTS, Why.SAFE]),
        ("1  0r  0s  1p  .  .  .", [Why.IDLE]),
        ("1  0r  1s  .   0r 1r .", [Why.TAKES, Why.SAFE]),  # one point more
    ],
)
def test_a_climb_says_what_it_is_for_if_it_brings_no_points(drawing: str, codes: list[Why]) -> None:
    state = moving(drawing, level=Level.EASY)
    assert [reason.code for reason in state.reasons(Move("a1", "b1"))] == codes


@given(situations())
def test_a_risk_is_the_climb_of_the_next_player_that_costs_most(state: State) -> None:
    for action in state.actions():
        after = state.play(action)
        climbs = [answer for answer in after.actions() if after.actor != state.actor and str(answer) != "pass"]
        towers = {str(answer): after.board[GRID.number[answer.parts[-1]]] for answer in climbs}
        losses = {
            answer: after.points(tower)
            for answer, tower in towers.items()
            if owner(tower) == state.actor and height(tower) > 1
        }
        risks = state.view(state.actor).risks(action)
        assert len(risks) == any(losses.values())
        for risk in risks:
            facts = dict(risk.facts)
            assert risk.to == after.actor
            assert losses[f"{facts['source']}-{facts['field']}"] == int(facts["number"]) == max(losses.values())


def test_a_hint_does_not_flee_onto_a_field_that_is_no_safer() -> None:
    """The dynamite on c1 reaches b2, from which the tower comes, and b1, where it goes."""
    state = moving("""
        2  .  1s0r  .   .  .  .
        1  .  0s    1d  .  .  .
    """)
    (move,) = [action for action in state.actions() if str(action) == "b2-b1"]
    assert state.reasons(move) == ()
    facts = (("source", "c1"), ("field", "b1"), ("number", "2"))
    assert state.risks(move) == (News(Why.LOSES, 0, facts, 1),)


def test_own_points_are_worth_twice_as_much_as_those_of_the_best_other_seat() -> None:
    drawing = """
        2  0r1s0r  .     .  .  .  .
        1  1p1r    2s    .  .  .  .
           a       b     c  d  e  f
    """
    state = moving(drawing, seats=3, level=Level.EASY)
    points = state.standing()
    assert len(set(points)) > 1, "the drawing is what it says"
    for seat in range(3):
        others = [points[other] for other in range(3) if other != seat]
        assert state.worth(seat) == 2 * points[seat] - max(others)
