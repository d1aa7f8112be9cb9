"""Colorio, in the order of its rulebook, with the readings."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.contract import IllegalAction, News, Outcome
from rules.games.colorio import GAME
from rules.games.colorio.actions import Cover, Deal, Remove, Uncover
from rules.games.colorio.board import GRID, STRIPS, Cap, Colour, Side, can_be_strips
from rules.games.colorio.position import Phase
from rules.games.colorio.reasons import Why
from rules.games.colorio.state import State
from tests.rules.colorio_boards import (
    AFTER_FIRST_TURN,
    ALL_ON,
    FIRST_TURN,
    FOUR_RED,
    RED_COMPLETE,
    document,
    legal,
    played,
    position,
    random_game,
    random_games,
    refused,
)

# --- Spielmaterial, Spielvorbereitung ---------------------------------------------------------------------------------


@pytest.mark.parametrize("side", Side)
def test_each_colour_is_on_five_fields_of_a_side(side: Side) -> None:
    letters = "".join(STRIPS[side])
    assert {colour: letters.count(colour) for colour in Colour} == dict.fromkeys(Colour, 5)


@pytest.mark.parametrize("strip", [strip for side in Side for strip in STRIPS[side]])
def test_no_strip_reads_the_same_from_both_ends(strip: str) -> None:
    assert strip != strip[::-1]


def test_a_round_begins_with_all_25_caps_on_and_the_host_up() -> None:
    state = GAME.start(seats=4, seed=3)
    assert state.caps == (Cap.COVERED,) * 25
    assert (state.actor, state.turn, state.round, state.phase) == (0, 0, 0, Phase.PLAY)
    assert state.standing() is None


@given(st.integers(0, 2**128 - 1))
def test_the_slots_hold_all_strips_of_one_side(seed: int) -> None:
    state = GAME.start(2, {"scoring": "rounds"}, seed)
    assert can_be_strips(state.side, state.colours)
    assert state == GAME.start(2, {"scoring": "rounds"}, seed)


def test_every_strip_fits_every_slot_in_either_direction() -> None:
    rows = {
        (slot, "".join(str(state.colours[5 * slot + column]) for column in range(5)))
        for seed in range(400)
        for state in [GAME.start(2, seed=seed)]
        for slot in range(5)
    }
    strips = [end for side in Side for strip in STRIPS[side] for end in (strip, strip[::-1])]
    assert rows == {(slot, strip) for slot in range(5) for strip in strips}


def test_the_layouts_of_all_rounds_are_drawn_at_the_start() -> None:
    assert len(GAME.start(5, {"scoring": "rounds"}, 1).to_come) == 4
    assert GAME.start(5, {"scoring": "single"}, 1).to_come == ()


@pytest.mark.parametrize(
    ("seats", "options", "seed"),
    [
        (1, {}, 0),
        (6, {}, 0),
        (True, {}, 0),
        (3, {"memory": "no"}, 0),
        (3, {"level": "1"}, 0),
        (3, {}, -1),
        (3, {}, 2**128),
    ],
)
def test_a_start_with_unknown_seats_options_or_seed_is_refused(seats: int, options: dict[str, str], seed: int) -> None:
    with pytest.raises(ValueError, match=r"seats|option|seed"):
        GAME.start(seats, options, seed)


# --- Spielablauf ------------------------------------------------------------------------------------------------------


def test_three_caps_are_uncovered_one_after_another() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    for text, actor in [("a3", 1), ("x", 1), ("e5", 1), ("x", 1), ("b1", 1), ("x", 2)]:
        state = played(state, text)
        assert state.actor == actor


def test_the_player_decides_about_a_cap_before_lifting_the_next() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN, log="", seats=3)
    state = state.play(Uncover("a3"))
    with pytest.raises(IllegalAction, match="phase"):
        state.play(Uncover("b1"))


def test_a_removed_cap_leaves_the_field_open() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 x")
    assert state.is_open("a3")
    assert state.caps.count(Cap.OPEN) == 4


def test_a_moved_cap_covers_another_open_field() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5")
    assert state.is_open("a3")
    assert not state.is_open("c5")
    assert state.caps.count(Cap.OPEN) == 3


def test_a_cap_is_moved_onto_another_colour_only() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert legal(played(state, "a3")) == ["x", ">c5"]
    assert refused(state, "a3 >c3") == "same_colour"
    assert refused(state, "a3 >a3") == "same_field"
    assert refused(state, "a3 >b5") == "covered"


def test_a_field_uncovered_earlier_in_the_turn_may_be_covered_again() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert ">a3" in legal(played(state, "a3 x b1"))


def test_in_the_very_first_turn_the_starter_takes_three_caps_away() -> None:
    state = position(ALL_ON)
    for text in ("c3", "x c5", "x a1"):
        state = played(state, text)
        assert legal(state) == ["x"]
        assert refused(state, ">c3") == "must_remove"
    assert played(state, "x").caps.count(Cap.OPEN) == 3


def test_in_every_turn_at_least_one_cap_is_taken_away() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 >a3 d1")
    assert state.must_remove
    assert legal(state) == ["x"]
    assert refused(state, ">b1") == "must_remove"


def test_one_cap_taken_away_is_enough() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 x d1")
    assert not state.must_remove
    assert legal(state) == ["x", ">a1", ">a3", ">c3"]


def test_a_player_without_a_choice_about_a_cap_learns_the_reason() -> None:
    first = played(position(ALL_ON), "c3")
    owed = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 >a3 d1")
    three_red = position("yogor bbygb RgRbg ygrob Royoy", turn=1, actor=1, last="0: a3 x c3 x a1 x")
    nowhere, free = played(three_red, "c2"), played(three_red, "b2")
    assert [state.obligation() for state in (first, owed, nowhere, free)] == ["first", "owed", "nowhere", None]
    assert [legal(state) for state in (nowhere, free)] == [["x"], ["x", ">a1", ">a3", ">c3"]]
    assert three_red.obligation() is None


def test_no_cap_is_lifted_twice_in_a_turn() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert refused(state, "a3 >c5 c5") == "moved"
    after = played(state, "a3 >c5 b1 x")
    assert "c5" not in legal(after)
    assert refused(after, "c5") == "moved"


def test_the_next_player_does_not_begin_with_the_cap_just_moved() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 x d1 >a3")
    assert state.banned == "a3"
    assert "a3" not in legal(state)
    assert refused(state, "a3") == "banned"


def test_only_the_last_cap_of_the_turn_before_is_banned() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 x d1 >a3")
    assert "c5" in legal(state)


def test_a_turn_that_ends_with_a_cap_taken_away_bans_nothing() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 >a3 d1 x")
    assert state.banned is None
    assert "a3" in legal(state)


def test_the_banned_cap_may_be_the_second_of_the_turn() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5 b1 x d1 >a3 e2 x")
    assert state.banned is None
    assert "a3" in legal(state)


def test_the_ban_ends_with_the_player_whom_it_concerns() -> None:
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 >b5", seats=4)
    assert state.banned == "b5"
    after = played(state, "a3")  # the fifth red field
    assert (after.out, after.actor, after.banned) == ((2,), 3, None)
    assert "b5" in legal(after)


# --- Ausscheiden eines Spielers ---------------------------------------------------------------------------------------


def test_a_player_who_uncovers_a_fifth_visible_field_is_out_at_once() -> None:
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x")
    assert state.in_sight(Colour.RED) == 4
    after = state.play(Uncover("a3"))
    assert after.out == (2,)
    assert [after.is_out(seat) for seat in range(3)] == [False, False, True]
    assert after.phase is Phase.PLAY


def test_if_every_cap_hides_a_fifth_field_the_position_says_so() -> None:
    state = GAME.start(2, {"memory": "off"}, seed=3)
    assert state.inevitable() is None
    for colour in Colour:
        for field in [field for field in GRID.fields if state.colour(field) is colour][:4]:
            assert state.inevitable() is None
            state = played(state, f"{field} x")
    assert state.inevitable() == state.view(state.actor).inevitable() == "fifth"


def is_out_in_this_turn(state: State, action: Uncover, colour: Colour) -> bool:
    """Return whether the actor goes out if *action* and all later lifts of the turn, of *colour* if possible, stay."""
    actor = state.actor
    state = state.play(action)
    while state.log:
        lifts = [lift for lift in state.actions() if isinstance(lift, Uncover) and state.colour(lift.field) is colour]
        if not state.decides and not lifts:
            break
        state = state.play(Remove() if state.decides else lifts[0])
    return actor in state.out


@given(random_games)
def test_a_reason_calls_a_lift_safe_only_if_no_lift_of_the_turn_ends_it(game: Iterator[State]) -> None:
    before = list[State]()
    for state in game:
        view = state.view(state.actor)
        for action in view.actions() if state.phase is Phase.PLAY else ():
            for reason in view.reasons(action, before):
                colour = dict(reason.facts).get("colour")
                if reason.code in (Why.SEEN, Why.HARMLESS):
                    assert isinstance(action, Uncover)
                    named = [one for one in Colour if colour in (None, one.word)]
                    assert not any(is_out_in_this_turn(state, action, one) for one in named)
                if reason.code in (Why.CLOSER, Why.HARMLESS_YET):
                    assert state.play(action).out == state.out
        before.append(view)


def test_a_fourth_field_is_named_as_such() -> None:
    state = position(FOUR_RED.replace("R", "r", 1), turn=2, actor=2, last="1: c2 x e5 x b1 x", seen="e5", memory="off")
    facts = (("field", "e5"), ("colour", "red"), ("number", "3"), ("now", "4"))
    assert state.reasons(Uncover("e5")) == (News(Why.CLOSER, 2, facts),)
    lifted = state.play(Uncover("e5"))
    assert [reason.code for reason in lifted.reasons(Remove())] == [Why.FOUR]


def test_many_open_fields_of_a_colour_lower_the_worth_and_being_out_most() -> None:
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x")
    seen = [state.in_sight(colour) for colour in Colour]
    assert [state.worth(seat) for seat in range(3)] == [-sum(count * count for count in seen)] * 3
    after = state.play(Uncover("a3"))
    assert after.worth(0) == after.worth(1) == after.worth(2) + 100


def test_the_cap_that_put_a_player_out_is_removed_and_the_next_player_is_up() -> None:
    after = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x").play(Uncover("a3"))
    assert after.is_open("a3")
    assert (after.actor, after.turn, after.log) == (0, 3, ())
    assert after.last is not None
    assert after.last.actions == (Uncover("a3"),)


def test_a_player_who_is_out_has_no_turn() -> None:
    state = position(RED_COMPLETE, turn=3, actor=0, last="2: a3", out=[2])
    state = played(state, "b5 x d5 x d1 x")
    assert state.actor == 1
    assert played(state, "a5 x a4 x c1 x").actor == 0


def test_only_the_colour_just_uncovered_matters() -> None:
    state = position(RED_COMPLETE, turn=3, actor=0, last="2: a3", out=[2])
    after = state.play(Uncover("b5"))
    assert after.out == (2,)
    assert after.in_sight(Colour.RED) == 5
    assert after.decides


def test_a_complete_colour_can_be_covered_again() -> None:
    state = position(RED_COMPLETE, turn=3, actor=0, last="2: a3", out=[2])
    assert played(state, "b5 >a3").in_sight(Colour.RED) == 4


def test_a_player_who_completes_a_colour_again_is_out_too() -> None:
    state = position(RED_COMPLETE, turn=3, actor=3, last="2: a3", out=[2], seats=4)
    after = played(state, "d5 x d1 x b5 >a3 c1 x a3")
    assert after.out == (2, 0)


# --- Spielende --------------------------------------------------------------------------------------------------------


def test_the_last_player_left_wins() -> None:
    after = position(FOUR_RED, turn=2, actor=0, last="1: c2 x e5 x b1 x", seats=2).play(Uncover("a3"))
    assert after.outcome == Outcome(scores=(0, 1), winners=(1,), reason="last")
    assert (after.actor, after.actions(), after.turn, after.log) == (None, (), 2, ())


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    over = position(FOUR_RED, turn=2, actor=0, last="1: c2 x e5 x b1 x", seats=2).play(Uncover("a3"))
    for action in (Uncover("a1"), Remove(), Cover("a1"), Deal()):
        with pytest.raises(IllegalAction) as refusal:
            over.play(action)
        assert refusal.value.code == "over"


# --- Variante ---------------------------------------------------------------------------------------------------------

NEXT_ROUND = {"side": "white", "colours": ["ooror", "ygyby", "rbgbg", "rorby", "ggybo"]}


def two_rounds(number: int, points: list[int]) -> State:
    """Return the end of round *number* of two: the actor goes out by uncovering a3, the fifth red field."""
    return position(
        FOUR_RED,
        seats=2,
        scoring="rounds",
        round=number,
        turn=2,
        actor=number,
        last=f"{1 - number}: c2 x e5 x b1 x",
        points=points,
        to_come=[NEXT_ROUND] * (1 - number),
    )


def test_the_first_out_gets_no_point_the_second_one_and_so_on() -> None:
    state = position(
        RED_COMPLETE, turn=3, actor=3, last="2: a3", out=[1, 2], seats=4, scoring="rounds", to_come=[NEXT_ROUND] * 3
    )
    after = played(state, "b5 >a3 d5 x d1 >c2 a3 x e1 x c2")
    assert after.out == (1, 2, 0)
    assert after.points == (2, 0, 1, 3)


def test_points_count_when_their_round_is_finished() -> None:
    state = two_rounds(0, [0, 0])
    assert state.standing() == (0, 0)
    assert state.play(Uncover("a3")).standing() == (0, 1)


def test_between_two_rounds_the_finished_board_is_open() -> None:
    between = two_rounds(0, [0, 0]).play(Uncover("a3"))
    assert between.phase is Phase.BETWEEN
    assert between.view(None).colours == between.colours
    assert legal(between) == ["deal"]
    assert refused(between, "b5") == refused(between, "x") == refused(between, ">b5") == "phase"


def test_each_player_starts_one_round() -> None:
    for options in ({"scoring": "rounds"}, {"scoring": "rounds", "memory": "off"}):
        started = [state.actor for state in random_game(5, 4, options) if state.turn == 0 and not state.log]
        assert started == [0, 1, 2, 3]


def test_the_next_round_has_the_layout_drawn_at_the_start_with_all_caps_on() -> None:
    after = played(two_rounds(0, [0, 0]), "a3 deal")
    assert document(after)["colours"] == NEXT_ROUND["colours"]
    assert (after.side, after.caps, after.actor, after.turn) == (Side.WHITE, (Cap.COVERED,) * 25, 1, 0)
    assert (after.out, after.last, after.points) == ((), None, (0, 1))


def test_every_round_begins_with_three_caps_taken_away() -> None:
    after = played(two_rounds(0, [0, 0]), "a3 deal b3")
    assert legal(after) == ["x"]


def test_most_points_after_all_rounds_win() -> None:
    assert two_rounds(1, [1, 0]).play(Uncover("a3")).outcome == Outcome((2, 0), (0,), "points")


def test_equal_points_share_the_win() -> None:
    assert two_rounds(1, [0, 1]).play(Uncover("a3")).outcome == Outcome((1, 1), (0, 1), "points")


# --- Memory and hidden values
# -------------------------------------------------------------------------------------------


def test_with_memory_on_a_covered_field_is_out_of_sight_again() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3 >c5")
    view = state.view(None)
    assert view.colour("a3") is Colour.RED
    assert view.colour("c5") is None
    assert state.forgets


def test_with_memory_off_the_board_remembers_every_colour_seen() -> None:
    state = played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN, memory="off"), "a3 >c5")
    view = state.view(None)
    assert view.colour("c5") is Colour.GREEN
    assert view.colour("b5") is None
    assert not state.forgets


def test_all_seats_see_the_same() -> None:
    for state in random_game(8, 5, {"scoring": "rounds"}):
        assert len({state.view(seat) for seat in (None, *range(5))}) == 1


def test_a_view_does_not_know_the_colour_under_a_cap() -> None:
    view = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN).view(1)
    with pytest.raises(IllegalAction) as refusal:
        view.play(Uncover("a3"))
    assert (refusal.value.code, refusal.value.detail) == ("hidden", "a3")


def test_a_view_does_not_know_the_next_round() -> None:
    view = played(two_rounds(0, [0, 0]), "a3").view(0)
    assert view.to_come == (None,)
    with pytest.raises(IllegalAction, match="hidden"):
        view.play(Deal())


def test_a_view_does_not_know_the_board_that_the_end_of_a_round_shows() -> None:
    state = position(FOUR_RED, turn=2, actor=0, last="1: c2 x e5 x b1 x", seats=2, memory="off", seen="a3")
    assert state.view(0).colour("a3") is Colour.RED
    with pytest.raises(IllegalAction, match="hidden"):
        state.view(0).play(Uncover("a3"))


@given(random_games, st.data())
def test_a_view_plays_to_the_next_view_or_says_that_it_cannot(game: Iterator[State], data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(list(game)))
    view = state.view(None)
    assert view.actions() == state.actions()
    assert view.forced == state.forced
    codes = set()
    for action in state.actions():
        assert view.hint(action, 0) == state.hint(action, 0)
        after = state.play(action)
        try:
            seen = view.play(action)
        except IllegalAction as refusal:
            codes.add(refusal.code)
        else:
            assert seen == after.view(None)
    assert codes <= {"hidden"}


def test_the_repr_contains_neither_seed_nor_covered_colours() -> None:
    state = GAME.start(3, {"scoring": "rounds"}, 123456789)
    assert "123456789" not in repr(state)
    assert repr(state) == repr(state.view(None))


# --- News, hints, questions -------------------------------------------------------------------------------------------


def test_the_table_takes_the_cap_away_when_nothing_else_is_possible() -> None:
    state = position(ALL_ON)
    assert state.forced is None
    assert played(state, "c3").forced == Remove()
    assert played(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), "a3").forced is None


def test_the_table_deals_the_next_round() -> None:
    assert played(two_rounds(0, [0, 0]), "a3").forced == Deal()


def test_a_turn_is_over_after_the_third_cap_and_when_its_player_is_out() -> None:
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x")
    for text, ended in [("d5", False), ("x", False), ("a5", False), ("x", False), ("e1", False), ("x", True)]:
        before, state = state, played(state, text)
        assert before.ends_turn(state) is ended
    assert state.ends_turn(state.play(Uncover("a3")))
    between = played(two_rounds(0, [0, 0]), "a3")
    assert between.ends_turn(between.play(Deal()))


def news_of(state: State, text: str) -> list[News]:
    """Return the news of the actions of *text*, on views."""
    news: list[News] = []
    for action in GAME.parse(state, text):
        after = state.play(action)
        news += state.view(None).news(action, after.view(None))
        state = after
    return news


def test_with_memory_on_the_news_name_seats_and_fields_only() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert news_of(state, "a3 x b1 >a3") == [
        News("uncovered", 1, (("field", "a3"),)),
        News("removed", 1, (("field", "a3"),)),
        News("uncovered", 1, (("field", "b1"),)),
        News("moved", 1, (("field", "b1"), ("target", "a3"))),
    ]
    assert news_of(two_rounds(0, [0, 0]), "a3 deal") == [
        News("out_colour", 0, (("field", "a3"), ("colour", "red"))),
        News("survived", 1),
        News("dealt", 1, (("round", "2"),)),
    ]


@given(st.integers(0, 2**64), st.sampled_from(GAME.seats))
def test_with_memory_on_no_news_of_a_running_round_names_a_colour(seed: int, seats: int) -> None:
    colours = {colour.word for colour in Colour} | set(Colour)
    for state in random_game(seed, seats, {"memory": "on"}):
        for action in state.actions():
            after = state.play(action)
            for news in state.news(action, after):
                named = {fact for _, fact in news.facts} & colours
                assert not named or not after.forgets
                assert bool(named) == news.code.endswith("_colour")


def test_with_memory_off_the_news_name_the_colours_too() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN, memory="off")
    assert news_of(state, "a3") == [News("uncovered_colour", 1, (("field", "a3"), ("colour", "red")))]
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x", memory="off")
    assert news_of(state, "a3") == [News("out_colour", 2, (("field", "a3"), ("colour", "red")))]


def test_a_button_hints_only_at_colours_that_the_board_shows() -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert state.hint(Uncover("a3"), 0) is None
    assert played(state, "a3").hint(Cover("c5"), 0) == "green"
    assert played(state, "a3").hint(Remove(), 0) is None
    remembers = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN, memory="off", seen="a3")
    assert remembers.hint(Uncover("a3"), 0) == "red"
    assert remembers.hint(Uncover("b1"), 0) is None


def test_a_visible_fifth_field_that_ends_the_game_needs_confirmation() -> None:
    state = position(FOUR_RED, turn=2, actor=1, last="0: c2 x e5 x b1 x", seats=2, memory="off", seen="a3 a4")
    assert state.warns(Uncover("a3")) == "out"
    assert {state.warns(action) for action in state.actions() if action != Uncover("a3")} == {None}


FIFTH_ONES = """
    YOGOR
    bBYGB
    rGRBG
    YGROB
    ROYOY
"""
LAST_TWO: dict[str, Any] = {"turn": 2, "actor": 1, "last": "0: c2 x e5 x b1 x", "seats": 2, "memory": "off"}


def test_a_fifth_field_that_ends_only_a_round_needs_no_confirmation() -> None:
    state = position(FOUR_RED, scoring="rounds", seen="a3 a4", to_come=[None], **LAST_TWO)
    assert played(state, "a3").phase == Phase.BETWEEN
    assert {state.warns(action) for action in state.actions()} == {None}


def test_a_fifth_field_that_wins_by_earlier_rounds_needs_no_confirmation() -> None:
    for points, winners in (([0, 1], (0, 1)), ([1, 0], (0,))):
        state = position(FOUR_RED, scoring="rounds", seen="a3 a4", round=1, points=points, **LAST_TWO)
        outcome = played(state, "a3").outcome
        assert outcome is not None
        assert outcome.winners == winners
        assert (state.warns(Uncover("a3")) is None) == (1 in winners)


def test_a_fifth_field_needs_no_confirmation_if_every_cap_ends_the_game() -> None:
    state = position(FIFTH_ONES, seen="a3 a4", **LAST_TWO | {"turn": 20, "seats": 5, "out": [2, 3, 4]})
    assert [played(state, str(action)).phase for action in state.actions()] == [Phase.OVER] * 2
    assert {state.warns(action) for action in state.actions()} == {None}


def test_a_fifth_field_after_which_the_round_continues_needs_no_confirmation() -> None:
    state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x", seats=3, memory="off", seen="a3 a4")
    assert {state.warns(action) for action in state.actions()} == {None}


def test_a_cap_with_an_unknown_colour_needs_no_confirmation() -> None:
    for memory in ("on", "off"):
        state = position(FOUR_RED, turn=2, actor=2, last="1: c2 x e5 x b1 x", memory=memory)
        assert {state.warns(action) for action in state.actions()} == {None}
