"""Kaleidoskop, in the order of its rulebook. "Reading 3" is a decision named in rules/games/kaleidoskop."""

from typing import Any

import pytest

from kaleidobot.testing import playing
from rules import News, Outcome
from rules.games.kaleidoskop import (
    BACK,
    COLOURS,
    GAME,
    HEXES_OF,
    NOTHING,
    OF_EACH,
    WELLS,
    Stage,
    board,
    coloured,
)
from rules.games.kaleidoskop.actions import Crystal, End
from tests.rules.kaleidoskop import (
    NO_TOOLS,
    READY,
    WINNING,
    act,
    colour_of,
    games,
    legal,
    lit,
    lit_for_b01,
    own,
    player,
    position,
    refused,
)

# --- Spielvorbereitung


def test_three_to_six_players_and_two_as_a_house_rule() -> None:
    """Reading 3."""
    assert list(GAME.seats) == [2, 3, 4, 5, 6]
    assert board(2) == board(3) == board(4)


def test_the_lot_decides_the_seats_and_the_seat_decides_the_colour() -> None:
    assert not GAME.host_begins
    assert GAME.colours == ()


@pytest.mark.parametrize(("seats", "hexes", "wells"), [(6, 37, 72), (5, 31, 60), (4, 19, 36), (3, 19, 36), (2, 19, 36)])
def test_parts_of_the_board_are_covered(seats: int, hexes: int, wells: int) -> None:
    """Reading 1."""
    assert len(board(seats).hexes) == hexes
    assert len(board(seats).wells) == wells


@pytest.mark.parametrize("seats", GAME.seats)
def test_no_well_touches_a_single_hex_only(seats: int) -> None:
    """Reading 2."""
    in_play = board(seats)
    for well in range(WELLS):
        touching = [place for place in HEXES_OF[well] if place in in_play.hexes]
        assert in_play.touching[well] == (tuple(touching) if len(touching) > 1 else ())


def test_a_crystal_of_each_colour_surrounds_the_middle() -> None:
    orders = set()
    for seed in range(30):
        state = GAME.start(3, None, seed)
        ring = "".join(state.crystals[well - 1] for well in (27, 34, 40, 46, 39, 33))
        assert sorted(ring) == sorted(COLOURS)
        assert state.crystals.count(NOTHING) == WELLS - 6
        orders.add(ring)
    assert len(orders) > 20


def test_all_hexes_are_neutral_then() -> None:
    for seed in range(10):
        state = GAME.start(6, None, seed)
        assert set(state.hexes) == {NOTHING} == set(state.before)
        assert state.hexes == coloured(6, state.crystals, state.players)


def test_every_seat_gets_two_blue_cards_an_orange_one_and_a_scoring_crystal() -> None:
    for seats in GAME.seats:
        state = GAME.start(seats, None, 3)
        for task in state.players:
            assert [card.back for card in task.hand] == ["blue", "blue", "orange"]
            assert (task.score, task.limit, task.done) == (1, 3, ())
            assert (task.tools.holder, task.tools.mirror, task.tools.glass) == ("none", "none", "none")


def test_the_cards_are_dealt_from_the_top_seat_by_seat() -> None:
    state = GAME.start(2, None, 5)
    dealt = [card.id for player in state.players for card in player.hand]
    assert {*dealt, *state.decks.blue, *state.decks.orange} == set(BACK)
    assert len(dealt) + len(state.decks.blue) + len(state.decks.orange) == len(BACK)
    longer = GAME.start(3, None, 5)
    assert [card.id for card in longer.players[2].hand] == [*state.decks.blue[:2], state.decks.orange[0]]
    assert longer.decks.blue == state.decks.blue[2:]


def test_a_seed_decides_the_game_and_another_one_another() -> None:
    assert GAME.start(4, None, 9) == GAME.start(4, None, 9)
    assert GAME.start(4, None, 9).decks != GAME.start(4, None, 10).decks


def test_length_ending_and_drawing_are_chosen() -> None:
    length, ending, drawing = GAME.options
    assert (length.choices, length.default) == (("short", "normal", "long"), "normal")
    assert (ending.choices, ending.default) == (("extra_round", "finish_round", "at_once"), "extra_round")
    assert (drawing.choices, drawing.default) == (("must", "may"), "must")
    assert [GAME.start(3, {"length": choice}).goal for choice in length.choices] == [10, 15, 20]


# --- Spielablauf


def test_the_seats_play_in_turn() -> None:
    state = GAME.start(3, None, 1)
    actors = []
    for well in (10, 11, 14, 15):
        actors.append(state.actor)
        state = act(state, f"{well}r end")
    assert actors == [0, 1, 2, 0]
    assert (state.turn, state.round) == (5, 2)


def test_a_crystal_must_be_placed_before_the_turn_can_end() -> None:
    assert refused(position(), "end") == "stage"


def test_exactly_one_crystal_is_placed_a_turn() -> None:
    assert refused(position(), "10r 11r") == "stage"


def test_a_turn_ends_only_when_its_seat_says_so() -> None:
    state = act(position(), "10r")
    assert legal(state, "") == ["end"]
    assert state.forced is None
    assert not position().ends_turn(state)
    assert state.ends_turn(act(state, "end"))


def test_there_is_always_a_crystal_to_place() -> None:
    """Even without a crystal to pay a swap: an empty well can be filled, and afterwards swaps are free."""
    for states in games():
        for state in states:
            if state.stage == Stage.PLACE:
                assert any(isinstance(action, Crystal) for action in state.actions())


# --- Spezialwerkzeuge abräumen


def test_the_tools_of_a_seat_come_back_when_its_turn_begins() -> None:
    state = position("27r 34r 33y", player(), player(tools={"holder": "27", "mirror": "33:c3", "glass": "34:d4"}))
    following = act(state, "10g end")
    tools = following.players[1].tools
    assert (tools.holder, tools.mirror, tools.glass) == ("ready", "ready", "ready")


def test_then_majorities_may_change() -> None:
    state = position("27r 33y", player(), player(tools={**READY, "mirror": "33:c3"}))
    assert colour_of(state, "c3") == "y"
    assert colour_of(act(state, "10g end"), "c3") == NOTHING


def test_the_tools_of_others_stay() -> None:
    """Reading 4: so a tool works for one whole round."""
    state = position("27r 33y 34r", player(score=9, tools=READY))
    state = act(state, "34g hold mirror:33:c3 end")
    for well in (10, 14):
        assert (state.players[0].tools.holder, state.players[0].tools.mirror) == ("34", "33:c3")
        assert colour_of(state, "c3") == "y"
        state = act(state, f"{well}b end")
    assert state.players[0].tools.mirror == "ready"
    assert colour_of(state, "c3") == NOTHING


# --- Farbkristall legen oder tauschen


def test_a_crystal_goes_into_an_empty_well() -> None:
    state = act(position(), "21g")
    assert state.crystals[20] == "g"
    assert lit(state) == "b3g c3g c4g"
    assert own(state).score == 1
    assert (state.stage, state.last) == ("tools", 21)


def test_before_keeps_the_colours_from_just_before_the_crystal() -> None:
    state = act(position("15r"), "21g")
    assert state.before == position("15r").hexes
    assert state.before != state.hexes


def test_a_swap_costs_a_scoring_crystal_while_a_well_is_empty() -> None:
    assert own(act(position("21g"), "21r")).score == 0
    assert refused(position("21g", player(score=0)), "21r") == "cost"


def full(seats: int = 3) -> str:
    """Return a position with every well in play occupied."""
    return " ".join(f"{well + 1}{COLOURS[place % 6]}" for place, well in enumerate(board(seats).wells))


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_swap_is_free_once_every_well_is_occupied(seats: int) -> None:
    state = position(full(seats), player(score=0), seats=seats)
    assert state.swap_cost == 0
    assert own(act(state, "10b" if state.crystals[9] != "b" else "10r")).score == 0
    emptier = position(full(seats).split(" ", 1)[1], player(score=0), seats=seats)
    assert emptier.swap_cost == 1


def test_the_old_crystal_of_a_swap_goes_back_to_the_supply() -> None:
    state = position("21g 22g")
    assert state.supply()["g"] == 16
    assert act(state, "21r").supply() == {**dict.fromkeys(COLOURS, 18), "g": 17, "r": 17}


def test_a_swap_must_change_the_colour() -> None:
    """Reading 6."""
    assert refused(position("21g"), "21g") == "same_colour"


def test_a_colour_with_18_crystals_on_the_board_cannot_be_used() -> None:
    """Reading 11."""
    reds = " ".join(f"{well + 1}r" for well in board(3).wells[:OF_EACH])
    state = position(reds)
    assert refused(state, "63r") == "supply"
    assert not [text for text in legal(state, "") if text.endswith("r")]
    assert legal(state, "63") == ["63y", "63g", "63b", "63p", "63v"]
    assert "63r" in legal(act(position(reds, player(score=5)), "10g end"), "63r")


def test_only_wells_in_play_take_crystals() -> None:
    assert refused(position(seats=3), "1r") == "not_in_play"
    assert refused(position(seats=5), "1r") == "not_in_play"
    assert "1r" in legal(position(seats=6), "1r")


def test_placements_are_listed_by_well_then_by_colour() -> None:
    state = position("11g")
    assert legal(state, "10", "11") == [*(f"10{colour}" for colour in COLOURS), *(f"11{text}" for text in "rybpv")]
    wells = [int(text[:-1]) for text in legal(state, "")]
    assert wells == sorted(wells)


# --- Spezialwerkzeug benutzen


def test_tools_are_used_after_the_crystal() -> None:
    state = position("27r", player(tools=READY))
    for text in ("hold", "mirror:27:c3", "glass:27:c3"):
        assert refused(state, text) == "stage"


def test_the_first_tool_is_free_the_second_costs_2_the_third_3() -> None:
    state = act(position("27r", player(score=6, tools=READY)), "10g")
    for text, score in (("glass:27:c3", 6), ("hold", 4), ("mirror:27:c4", 1)):
        state = act(state, text)
        assert own(state).score == score


def test_the_order_of_the_tools_does_not_matter() -> None:
    state = act(position("27r", player(score=5, tools=READY)), "10g mirror:27:c3 glass:27:c4 hold")
    assert own(state).score == 0


def test_a_player_who_cannot_pay_uses_no_further_tool() -> None:
    state = act(position("27r", player(score=1, tools=READY)), "10g hold")
    assert legal(state, "mirror", "glass") == []
    assert refused(state, "mirror:27:c3") == "cost"
    assert refused(act(position("27r", player(score=4, tools=READY)), "10g hold mirror:27:c3"), "glass:27:c4") == "cost"
    assert refused(act(position("27r", player(score=2, tools=READY)), "10g glass:27:c3 mirror:27:c4"), "hold") == "cost"


def test_every_tool_can_be_used_once_a_turn() -> None:
    state = act(position("27r", player(score=9, tools=READY)), "10g hold mirror:27:c3 glass:27:c4")
    for text in ("hold", "mirror:27:d4", "glass:27:d4"):
        assert refused(state, text) == "used"


def test_only_own_tools_can_be_used() -> None:
    state = act(position("27r"), "10g")
    for text in ("hold", "mirror:27:c3", "glass:27:c3"):
        assert refused(state, text) == "not_owned"


# a) Die Halterung


def test_the_first_finished_task_brings_the_holder() -> None:
    state = act(lit_for_b01(), "10v")
    assert own(state).tools.holder == "none"
    state = act(state, "claim1a>blue")
    assert own(state).tools.holder == "ready"
    assert own(state).tools.mirror == "none"


def test_the_holder_goes_under_the_crystal_of_this_turn() -> None:
    state = act(position("27r", player(tools=READY)), "10g hold")
    assert own(state).tools.holder == "10"


def test_no_player_can_swap_that_crystal_until_the_owners_next_turn() -> None:
    state = act(position("27r", player(score=9, tools=READY)), "27g hold end")
    for well in (10, 11):
        assert refused(state, "27r") == "held"
        assert legal(state, "27") == []
        state = act(state, f"{well}b end")
    assert legal(state, "27") != []


def test_tools_work_at_a_held_crystal() -> None:
    state = position("27r 33y", player(), player(tools={**READY, "holder": "27"}), player(tools=READY), turn=3)
    assert colour_of(act(state, "10b mirror:27:c3"), "c3") == "r"


# b) Der Spiegel, c) Das Mattglas


def test_with_the_mirror_a_crystal_counts_twice_for_one_hex() -> None:
    """The rulebook's example: red and yellow cancel, green would win; red with a mirror is 3 and wins."""
    state = act(position("15r 20r 21y 26y 27g", player(tools=READY)), "59b")
    assert colour_of(state, "c3") == "g"
    assert colour_of(act(state, "mirror:15:c3"), "c3") == "r"


def test_behind_the_glass_a_crystal_does_not_count_for_one_hex() -> None:
    """The rulebook's example: blue and pink cancel; without one of the pink ones the hex is blue."""
    state = act(position("15b 20b 21p 26p", player(tools=READY)), "59r")
    assert colour_of(state, "c3") == NOTHING
    assert colour_of(act(state, "glass:21:c3"), "c3") == "b"


def test_the_other_hexes_of_that_crystal_do_not_notice() -> None:
    state = act(position("27r 33y", player(tools=READY)), "59b")
    assert (colour_of(state, "c3"), colour_of(state, "c4"), colour_of(state, "d4")) == (NOTHING, "r", NOTHING)
    mirrored = act(state, "mirror:27:c3")
    assert (colour_of(mirrored, "c3"), colour_of(mirrored, "c4"), colour_of(mirrored, "d4")) == ("r", "r", NOTHING)
    covered = act(state, "glass:27:c4")
    assert (colour_of(covered, "c3"), colour_of(covered, "c4"), colour_of(covered, "d4")) == (NOTHING, NOTHING, NOTHING)


def test_they_can_be_bought_for_3_each() -> None:
    state = act(position("", player(score=6)), "buy mirror buy glass")
    assert (own(state).score, own(state).tools.mirror, own(state).tools.glass) == (0, "ready", "ready")
    assert refused(position("", player(score=2)), "buy mirror") == "cost"


def test_each_of_them_once() -> None:
    assert refused(position("", player(score=9)), "buy glass buy glass") == "owned"
    in_use = act(position("27r", player(score=9, tools=READY)), "10g mirror:27:c3")
    assert refused(in_use, "buy mirror") == "owned"


def test_at_any_time_of_the_own_turn() -> None:
    """Reading 8: before the crystal, after it, and after a claim."""
    state = lit_for_b01(score=9)
    assert legal(state, "buy", "limit") == ["buy:mirror", "buy:glass", "limit>blue", "limit>orange"]
    state = act(state, "10v")
    assert legal(state, "buy", "limit") == ["buy:mirror", "buy:glass", "limit>blue", "limit>orange"]
    state = act(state, "claim1a>blue")
    assert legal(state, "buy", "limit") == ["buy:mirror", "buy:glass", "limit>blue", "limit>orange"]


def test_a_tool_that_was_just_bought_can_be_used() -> None:
    assert own(act(position("27r", player(score=3)), "10g buy mirror mirror:27:c3")).tools.mirror == "27:c3"


def test_they_stand_beside_any_crystal() -> None:
    """Reading 5: the rulebook restricts only the holder."""
    state = act(position("27r 14g", player(tools=READY)), "10g")
    assert legal(state, "mirror") == [
        "mirror:10:b2",
        "mirror:10:b3",
        "mirror:14:b2",
        "mirror:14:c2",
        "mirror:27:c3",
        "mirror:27:c4",
        "mirror:27:d4",
    ]


def test_they_need_a_crystal_and_a_hex_that_touches_it() -> None:
    state = act(position("27r 14g", player(tools=READY)), "10g")
    assert refused(state, "glass:21:c3") == "empty"
    assert refused(state, "glass:27:e4") == "not_adjacent"
    assert refused(state, "glass:14:b1") == "not_in_play"
    assert refused(state, "glass:1:a1") == "not_in_play"


def test_one_tool_a_place() -> None:
    """Reading 5, of any owner."""
    state = act(position("27r", player(score=9, tools=READY), player(tools={**READY, "glass": "27:c4"})), "10g")
    assert refused(state, "mirror:27:c4") == "taken"
    assert refused(act(state, "mirror:27:c3"), "glass:27:c3") == "taken"
    assert legal(act(state, "mirror:27:c3"), "glass:27") == ["glass:27:d4"]


def test_a_tool_stays_when_its_crystal_is_swapped_and_works_on_the_new_one() -> None:
    """Reading 5."""
    state = position("27r 33y", player(), player(tools={**READY, "mirror": "27:c3"}))
    assert colour_of(state, "c3") == "r"
    assert colour_of(act(state, "27b"), "c3") == "b"


# --- Spielende und Siegbedingung


@pytest.mark.parametrize(
    ("lacks", "fulfilled"),
    [
        ({}, True),
        ({"tools": {**READY, "mirror": "none"}}, False),
        ({"tools": {**READY, "glass": "none"}}, False),
        ({"done": [{"id": "b10", "task": "a"}]}, False),
        ({"score": 14}, False),
    ],
)
def test_all_three_conditions_must_hold_at_once(lacks: dict[str, Any], fulfilled: bool) -> None:
    state = position("", player(**{**WINNING, **lacks}))
    assert state.meets(0) == fulfilled
    assert (act(state, "10r end").final is not None) == fulfilled


@pytest.mark.parametrize(("length", "score"), [("short", 10), ("normal", 15), ("long", 20)])
def test_the_score_depends_on_the_length(length: str, score: int) -> None:
    options = {"length": length, "ending": "extra_round"}
    assert position("", player(**{**WINNING, "score": score}), options=options).meets(0)
    assert not position("", player(**{**WINNING, "score": score - 1}), options=options).meets(0)


def test_tools_on_the_board_are_owned_too() -> None:
    state = position("27r", player(**WINNING), player(score=9, tools=READY), turn=1)
    assert act(state, "10r hold mirror:27:c3 end").final is None, "the second tool was paid for"
    assert act(position("27r", player(**{**WINNING, "score": 17})), "10r hold mirror:27:c3 end").final == 6


def test_the_conditions_are_checked_when_the_turn_ends() -> None:
    """Reading 12: only those of the player who ends it."""
    state = act(position("", player(**WINNING)), "10r")
    assert state.final is None
    assert act(state, "end").final == 6
    state = position("", player(), player(**WINNING))
    state = act(state, "10r end")
    assert state.final is None
    assert act(state, "11r end").final == 6


@pytest.mark.parametrize(("turn", "final"), [(1, 6), (2, 6), (3, 6), (4, 9)])
def test_one_more_whole_round_is_played(turn: int, final: int) -> None:
    players = [player()] * 3
    players[(turn - 1) % 3] = player(**WINNING)
    assert act(position("", *players, turn=turn), "10r end").final == final


@pytest.mark.parametrize(("turn", "final"), [(1, 3), (2, 3), (4, 6)])
def test_or_the_round_is_finished(turn: int, final: int) -> None:
    players = [player()] * 3
    players[(turn - 1) % 3] = player(**WINNING)
    options = {"length": "normal", "ending": "finish_round"}
    assert act(position("", *players, turn=turn, options=options), "10r end").final == final


def test_then_the_last_seat_ends_the_game_at_once() -> None:
    options = {"length": "normal", "ending": "finish_round"}
    state = act(position("", player(), player(), player(**WINNING), turn=3, options=options), "10r end")
    assert (state.stage, state.turn, state.final) == ("over", 3, 3)
    assert state.outcome == Outcome((1, 1, 15), (2,), "conditions")


AT_ONCE = {"length": "normal", "ending": "at_once"}


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_or_the_first_to_meet_the_conditions_wins_at_once(turn: int) -> None:
    """Reading 12. Introduction: „Wer als erster alle Siegbedingungen erreicht hat, gewinnt das Spiel.“"""
    players = [player(score=20)] * 3
    players[(turn - 1) % 3] = player(**WINNING)
    before = act(position("", *players, turn=turn, options=AT_ONCE), "10r")
    over = act(before, "end")
    assert (over.stage, over.turn, over.final) == ("over", turn, turn)
    assert over.outcome is not None
    assert (over.outcome.winners, over.outcome.reason) == ((turn - 1,), "conditions")
    (end,) = GAME.parse(before, "end")
    assert [item.code for item in before.news(end, over)] == ["end"]
    assert {before.warns(action) for action in before.actions()} == {None}


def test_without_a_winner_such_a_game_goes_on() -> None:
    state = act(position("", player(**{**WINNING, "score": 14}), options=AT_ONCE), "10r end")
    assert (state.final, state.turn, state.outcome) == (None, 2, None)
    last = act(position("", turn=120, options=AT_ONCE), "10r end")
    assert (last.final, last.stage, last.outcome) == (None, "over", Outcome((1, 1, 1), (0, 1, 2), "nobody"))


def test_the_fixed_end_stays_even_if_the_conditions_are_lost() -> None:
    state = act(position("", player(**WINNING)), "10r end")
    for well in (11, 14):
        state = act(state, f"{well}g end")
    state = act(state, "15b limit>blue end")
    assert not state.meets(0)
    assert state.final == 6


def test_the_end_is_fixed_once() -> None:
    state = position("", player(), player(**WINNING), turn=5, final=6)
    assert act(state, "10r end").final == 6


def test_the_game_is_over_after_its_last_turn() -> None:
    state = act(position("", player(), player(), player(**WINNING), turn=6, final=6), "10r")
    assert state.outcome is None
    over = act(state, "end")
    assert (over.stage, over.turn, over.actor, over.actions()) == ("over", 6, None, ())
    assert state.ends_turn(over)
    assert refused(over, "10r") == refused(over, "end") == "over"


def test_nothing_is_cleared_then() -> None:
    state = position("27r", player(tools={**READY, "mirror": "27:c3"}), turn=3, final=3)
    assert act(state, "10r end").players[0].tools.mirror == "27:c3"


def test_after_40_rounds_the_game_is_over() -> None:
    """Reading 14."""
    state = act(position("", turn=120), "10r end")
    assert (state.stage, state.final) == ("over", None)
    assert state.outcome == Outcome((1, 1, 1), (0, 1, 2), "nobody")


def test_the_extra_round_is_not_played_beyond_the_40th() -> None:
    assert act(position("", player(**WINNING), turn=118), "10r end").final == 120


def over(*players: dict[str, Any]) -> Outcome:
    """Return the outcome with these players after the last turn."""
    outcome = act(position("", *players, turn=6, final=6), "10r end").outcome
    assert outcome is not None
    return outcome


def ended(*players: dict[str, Any]) -> list[News]:
    """Return the news that explain the result, after the last turn of a game with these players."""
    before = act(position("", *players, turn=6, final=6), "10r")
    (action,) = GAME.parse(before, "end")
    return [news for news in before.news(action, before.play(action)) if news.code in ("tie_broken", "outscored")]


def winning(number: int, score: int, *done: str) -> dict[str, Any]:
    cards = [{"id": f"o{number}{number_}", "task": "a"} for number_ in range(len(done))]
    return player(score=score, tools=READY, done=cards)


def test_only_a_player_who_meets_the_conditions_at_the_end_can_win() -> None:
    """Reading 13."""
    assert over(player(score=30), winning(1, 16, "o"), player()) == Outcome((30, 16, 1), (1,), "conditions")


def test_saving_is_a_reason_only_if_the_turn_buys_and_redeems_nothing() -> None:
    before = position("27r", player(score=3))
    placed = act(before, "10g")
    (end,) = (action for action in placed.actions() if str(action) == "end")
    assert [reason.code for reason in placed.reasons(end, [before])] == ["nothing"]
    bought = act(placed, "buy mirror")
    assert bought.reasons(end, [before, placed]) == ()


def test_a_task_comes_nearer_only_if_its_player_has_another_turn() -> None:
    nearer, last = list[str](), 0
    for played in playing.games(GAME.id):
        for state, action, after in played.steps():
            if state.stage == Stage.PLACE:
                began = state.view(state.actor)
            is_last = after.turn_of(state.actor) is None
            if isinstance(action, End) and (is_last or not nearer):
                codes = {reason.code for reason in state.view(state.actor).reasons(action, [began])}
                assert not is_last or codes.isdisjoint({"near", "nearer"})
                nearer, last = [*nearer, *(codes & {"near", "nearer"})], last + is_last
    assert nearer
    assert last


def test_a_suggestion_names_a_completed_task_once_as_the_board_labels_it() -> None:
    before = position("27r", player(score=3))
    lit = act(lit_for_b01(), "10v")
    claim = next(action for action in lit.actions() if str(action) == "claim1a>blue")
    (reason,) = lit.reasons(claim, [lit_for_b01()])
    assert (reason.code, dict(reason.facts)["task"]) == ("claims", "1a")
    assert lit.reasons(claim, [before]) == ()  # the crystal has completed it, and says so


def test_among_those_the_score_decides() -> None:
    assert over(winning(1, 16, "o"), winning(2, 18, "o"), player()).winners == (1,)


def test_then_the_number_of_orange_cards() -> None:
    assert over(winning(1, 16, "o"), winning(2, 16, "o", "o"), winning(3, 15, "o", "o", "o")).winners == (1,)


def test_the_news_explain_a_tie_that_orange_cards_decide() -> None:
    finished = ended(winning(1, 16, "o"), winning(2, 16, "o", "o"), winning(3, 15, "o", "o", "o"))
    assert finished == [News("tie_broken", 1, (("oranges", "2"), ("fewer", "1")), 0, explains=True)]
    assert ended(player(score=30), winning(1, 16, "o"), player(score=16)) == [], "nobody else meets the conditions"
    assert ended(winning(1, 16, "o"), player(), winning(3, 16, "o")) == [], "they share it"


def test_the_news_explain_that_the_score_decides_among_the_candidates() -> None:
    (event,) = ended(winning(1, 16, "o"), winning(2, 18, "o"), winning(3, 17, "o"))
    assert event == News("outscored", 1, (("points", "18"), ("less", "17")), 2, explains=True)
    assert ended(player(score=30), player(score=20), player()) == [], "nobody meets them, which the end says"


def test_seats_that_are_equal_in_both_share_the_victory() -> None:
    assert over(winning(1, 16, "o"), player(), winning(3, 16, "o")) == Outcome((16, 1, 16), (0, 2), "conditions")


def test_if_no_seat_meets_them_all_seats_are_compared() -> None:
    """Reading 13."""
    assert over(player(score=30), player(score=30), player(score=2)) == Outcome((30, 30, 2), (0, 1), "nobody")
    orange = player(score=30, tools={**NO_TOOLS, "holder": "ready"}, done=[{"id": "o10", "task": "a"}])
    assert over(player(score=30), orange, player(score=2)).winners == (1,)
