"""Crystalla, in the order of its rulebook. "Reading 3" is a decision named in rules/games/crystalla."""

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kaleidobot.testing.playing import games
from rules import IllegalAction
from rules.chance import Chance
from rules.games.crystalla import (
    CARDS,
    COLOURS,
    COLUMNS,
    GAME,
    LAYOUTS,
    PIECES,
    Action,
    Cover,
    Drop,
    Give,
    Keep,
    Lay,
    Options,
    Phase,
    Place,
    Refill,
    State,
    Swap,
    Take,
    Turn,
    cards_in,
    cells_for,
    sheet,
)
from tests.rules.crystalla_turns import (
    HIGH,
    MINE,
    NOTHING,
    PAIRING,
    YOURS,
    act,
    begun,
    display,
    legal,
    refused,
    shown,
    turn,
)

# --- Spielvorbereitung


def test_two_to_four_players_seats_drawn_by_lot() -> None:
    assert (list(GAME.seats), GAME.host_begins, GAME.colours) == ([2, 3, 4], False, ())


def test_refill_and_start_corner_are_chosen() -> None:
    refill, corner = GAME.options
    assert (refill.choices, refill.default) == (("tallest", "choice"), "tallest")
    assert corner.choices == ("top_left", "top_right", "bottom_right", "bottom_left", "lot")
    assert corner.default == "top_left"


def starts(seats: int, corner: str, seed: int = 0) -> tuple[int, ...]:
    """Return the stack on which the stones of each seat start."""
    stones = GAME.start(seats, {"corner": corner}, seed).stones
    return tuple(next(k for k, heap in enumerate(stones, 1) if COLOURS[seat] * 3 in heap) for seat in range(seats))


@pytest.mark.parametrize(
    ("seats", "corner", "stacks"),
    [
        (2, "top_left", (1, 6)),
        (2, "top_right", (3, 4)),
        (2, "bottom_right", (6, 1)),
        (2, "bottom_left", (4, 3)),
        (3, "top_left", (1, 3, 8)),
        (3, "top_right", (3, 9, 4)),
        (3, "bottom_left", (7, 1, 6)),
        (4, "top_left", (1, 3, 9, 7)),
        (4, "bottom_right", (9, 7, 1, 3)),
    ],
)
def test_the_host_chooses_the_corner_of_orange(seats: int, corner: str, stacks: tuple[int, ...]) -> None:
    """„Wählt eure Startecken …“: all stones turn with those of orange, so everyone sits as far apart as ever. Reading
    7."""
    assert starts(seats, corner) == stacks


@pytest.mark.parametrize(("seats", "arrangements"), [(2, 4), (4, 24)])
def test_or_a_lot_decides_all_start_corners(seats: int, arrangements: int) -> None:
    """„… zufällig“: two sit in opposite corners, four each in one."""
    drawn = {starts(seats, "lot", seed) for seed in range(200)}
    assert len(drawn) == arrangements
    assert starts(seats, "lot", 5) == starts(seats, "lot", 5)


def test_by_lot_three_start_on_the_usual_stacks_or_on_these_turned() -> None:
    turned = [{*start} for start in LAYOUTS[3].corners]
    drawn = {starts(3, "lot", seed) for seed in range(200)}
    assert all({*start} in turned for start in drawn)
    assert len(drawn) == 24


def test_the_corner_changes_no_card() -> None:
    state = GAME.start(4, {"corner": "lot"}, 3)
    usual = GAME.start(4, None, 3)
    assert replace(state, options=usual.options, stones=usual.stones) == usual


def test_ninety_cards_and_thirty_six_crystal_pieces() -> None:
    assert sum(CARDS.values()) == 90
    assert Counter(piece[1] for piece in Counter(PIECES).elements()) == {"l": 18, "s": 18}


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_game_starts_with_the_whole_box(seats: int) -> None:
    state = GAME.start(seats, seed=5)
    assert Counter([*state.deck, *(card for hand in state.hands for card in hand)]) == CARDS
    assert Counter([*state.open, *state.piles[0], *state.piles[1]]) == PIECES


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_seat_is_dealt_three_cards_and_the_stacks_are_still_empty(seats: int) -> None:
    state = GAME.start(seats)
    assert [len(hand) for hand in state.hands] == [3] * seats
    assert state.stacks == ((),) * (6 if seats == 2 else 9)
    assert (state.phase, state.actor) == (Phase.SWAP, 0)


def test_two_large_and_two_small_pieces_are_open() -> None:
    for seed in range(10):
        assert "".join(str(piece)[1] for piece in GAME.start(2, seed=seed).open) == "llss"


@pytest.mark.parametrize(
    ("seats", "stones"),
    [(2, "ooo . . . . www"), (3, "oook . wwwk . . . . pppk ."), (4, "ooo . www . . . kkk . ppp")],
)
def test_the_stones_begin_together(seats: int, stones: str) -> None:
    """Reading 7; with three players each colour has a neutral stone with it."""
    assert " ".join(heap or "." for heap in GAME.start(seats).stones) == stones


def test_another_seed_is_another_game() -> None:
    assert len({GAME.start(3, seed=seed).deck for seed in range(20)}) == 20
    assert len({GAME.start(3, seed=seed).piles for seed in range(20)}) == 20


def test_a_seed_of_none_is_used_like_0() -> None:
    assert replace(GAME.start(3), seed=0) == GAME.start(3, seed=0)


def test_you_may_swap_one_card_once() -> None:
    state = GAME.start(2)
    assert legal(state) == "keep swap1 swap2 swap3"
    after = act(state, "swap2")
    assert after.hands[0] == (state.hands[0][0], state.deck[-1], state.hands[0][2])
    assert after.deck == state.deck[:-1]
    assert refused(after, "swap1") == "phase"


def test_the_swapped_card_leaves_the_game() -> None:
    """Reading 11."""
    state = GAME.start(2)
    after = act(state, "swap2")
    left = Counter([*after.deck, *after.hands[0], *after.hands[1]])
    assert [card for card in CARDS if left[card] < CARDS[card]] == [state.hands[0][1]]


def test_you_lay_all_three_cards_in_any_order_into_any_columns() -> None:
    state = act(replace(GAME.start(2), hands=(("cd", "ar", "he"), ("td", "rh", "ra"))), "keep 3bne 1bsw 2dnw")
    assert shown(state.displays[0]) == "2 . cd-sw . .\n1 . he-ne . ar-nw"


def test_all_three_may_go_into_one_column() -> None:
    assert [len(column) for column in act(GAME.start(2), "keep 1anw 2anw 3anw").displays[0]] == [3, 0, 0, 0]


def test_a_card_is_laid_once() -> None:
    assert refused(act(GAME.start(2), "keep 1anw"), "1bnw") == "slot"


def test_the_legal_placements_are_listed_by_slot_then_column_then_corner() -> None:
    assert legal(act(GAME.start(2), "keep 2anw")).startswith("1anw 1ane 1ase 1asw 1bnw 1bne 1bse 1bsw 1cnw")
    assert len(act(GAME.start(2), "keep").actions()) == 3 * 4 * 4


def test_seat_by_seat_and_then_seat_0_begins() -> None:
    """Reading 11."""
    state = act(GAME.start(3), "keep 1anw 2anw 3anw")
    assert (state.phase, state.actor, state.now) == (Phase.SWAP, 1, ())
    assert state.last is not None
    assert (state.last.seat, " ".join(map(str, state.last.actions))) == (0, "keep 1anw 2anw 3anw")
    assert (begun(3).phase, begun(3).actor) == (Phase.TAKE, 0)


@pytest.mark.parametrize(("seats", "heights"), [(2, {14}), (3, {9}), (4, {8, 9})])
def test_the_rest_is_dealt_into_stacks_of_about_the_same_height(seats: int, heights: set[int]) -> None:
    assert set(map(len, begun(seats).stacks)) == heights


def test_the_deck_is_dealt_in_rotation_from_its_top() -> None:
    """Reading 11: the first card is the lowest of stack 1, the last one the top of the last stack."""
    deck = GAME.start(4, seed=1).deck[::-1]
    state = begun(4)
    assert [stack[0] for stack in state.stacks] == list(deck[:9])
    assert [stack[1] for stack in state.stacks] == list(deck[9:18])
    assert state.stacks[len(deck) % 9 - 1][-1] == deck[-1]
    assert state.deck == ()


# --- Spielablauf


def test_you_choose_a_stack_with_at_least_one_stone_of_yours() -> None:
    state = turn("oow . o w . w")
    assert legal(state) == "take1 take3"
    assert [refused(state, text) for text in ("take2", "take4")] == ["stone", "stone"]


def test_there_must_be_such_a_stack() -> None:
    assert refused(turn("oow . o w . w"), "take7") == "stack"
    assert refused(act(turn("oow . o w . w"), "take1"), "o7") == "stack"


def test_you_take_all_its_stones_of_any_colour() -> None:
    state = act(turn("oow . o w . w"), "take1")
    assert (state.carry, state.stones[0]) == ("oow", "")


def test_you_drop_any_of_them_on_a_neighbouring_stack() -> None:
    assert legal(act(turn("oow . o w . w"), "take1")) == "o2 o4 w2 w4"


def test_you_drop_only_stones_that_you_hold() -> None:
    assert refused(act(turn("oow . o w . w"), "take1"), "p2") == "stone"


def test_you_do_not_walk_diagonally() -> None:
    assert [refused(act(turn("oow . o w . w"), "take1"), text) for text in ("o5", "o3", "o1")] == ["step"] * 3


def test_you_do_not_walk_straight_back() -> None:
    state = act(turn("oow . o w . w"), "take1 w2")
    assert legal(state) == "o3 o5"
    assert refused(state, "o1") == "back"


def test_but_you_may_return_to_your_first_stack() -> None:
    """Reading 13."""
    assert act(turn("ooww o w . . ."), "take1 w2 o5 o4 w1").stones == ("w", "ow", "w", "o", "o", "")


@pytest.mark.parametrize("seats", GAME.seats)
def test_from_everywhere_there_is_a_step_that_does_not_go_straight_back(seats: int) -> None:
    beside = LAYOUTS[seats].beside
    assert all(len(around) >= 2 for around in beside[1:])
    assert all(here in beside[there] for here in LAYOUTS[seats].stacks for there in beside[here])


def test_you_take_the_top_card_of_the_stack_of_the_last_stone() -> None:
    """Of any owner's stone."""
    state = act(turn("ow . oo . ww ."), "take1 o2 w3")
    assert (state.phase, state.card, state.stacks[2]) == (Phase.LAY, "ac", HIGH[:-1])


def test_the_stones_stay_on_the_stack() -> None:
    assert act(turn("ow . oo . ww ."), "take1 o2 w3").stones == ("", "o", "oow", "", "ww", "")


def test_an_empty_stack_is_refilled_with_the_three_lowest_cards_of_the_highest() -> None:
    """Reading 12."""
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd", "dt", "ch"), ("hr", "er", "dt", "he"), ("he", "ea"))
    state = act(turn("o . oo www . .", stacks=stacks), "take1 o2")
    assert state.card == "dc"
    assert (state.stacks[1], state.stacks[4]) == (("hr", "er", "dt"), ("he",))


def test_the_lowest_number_gives_on_a_tie() -> None:
    stacks = (("th",), ("dc",), ("ta", "eh", "ea", "et"), ("rd", "dt", "ch", "ce"), ("hr",), ("he",))
    assert act(turn("o . oo www . .", stacks=stacks), "take1 o2").stacks[1:4] == (
        ("ta", "eh", "ea"),
        ("et",),
        ("rd", "dt", "ch", "ce"),
    )


def test_the_giving_stack_keeps_a_card() -> None:
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr",), ("he",))
    assert act(turn("o . oo www . .", stacks=stacks), "take1 o2").stacks[1:3] == (("ta",), ("eh",))


CHOOSING = Options(refill=Refill.CHOICE)
LOW = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr", "er", "dt", "he"), ("he", "ea", "ta", "ta", "ta"))
"""Six stacks, of which stacks 3, 5 and 6 can give."""


def emptied() -> State:
    """Return the position in which the last card of stack 2 was taken, and its refill must be chosen."""
    return act(turn("o . oo www . .", stacks=LOW, options=CHOOSING), "take1 o2")


def test_or_the_player_whose_turn_it_is_chooses_the_stack_that_refills() -> None:
    """„… eines anderen Stapels zum Auffüllen“. Reading 12."""
    state = emptied()
    assert (state.phase, state.actor, state.card, state.stacks[1]) == (Phase.REFILL, 0, "dc", ())
    assert legal(state) == "fill3 fill5 fill6"
    after = act(state, "fill5")
    assert (after.phase, after.stacks[1], after.stacks[4]) == (Phase.LAY, ("hr", "er", "dt"), ("he",))
    assert act(state, "fill3").stacks[1:3] == (("ta",), ("eh",))


def test_a_stack_that_keeps_no_card_does_not_refill() -> None:
    assert [refused(emptied(), f"fill{number}") for number in (1, 2, 4)] == ["donor"] * 3
    assert refused(emptied(), "fill7") == "stack"
    assert refused(emptied(), "anw") == "phase"
    assert refused(turn("o . oo www . .", options=CHOOSING), "fill5") == "phase"


def test_such_a_turn_goes_on_with_the_card() -> None:
    state = act(emptied(), "fill6 anw")
    assert (state.phase, state.actor) == (Phase.TAKE, 1)
    assert state.last is not None
    assert " ".join(map(str, state.last.actions)) == "take1 o2 fill6 anw"


def test_there_is_no_choice_while_no_stack_is_empty() -> None:
    assert act(turn("ow . oo . ww .", options=CHOOSING), "take1 o2 w3").phase == Phase.LAY


def give_a_card_to_the_empty_one(stacks: list[list[str]]) -> None:
    stacks[stacks.index([])].append(max(stacks, key=len).pop(0))


@cache
def emptied_in_play() -> State:
    """Return the first position of a random game in which a refill must be chosen."""
    luck, state = random.Random(1), GAME.start(4, {"refill": "choice"}, 1)
    while state.phase != Phase.REFILL:
        state = state.play(luck.choice(state.actions()))
    return state


@pytest.mark.parametrize(
    ("chosen", "damage", "complaint"),
    [
        (False, lambda document: document["options"].clear(), "only with the option 'refill': 'choice'"),
        (False, lambda document: document["stacks"][0].extend(document["stacks"].pop()), "there are 9"),
        (False, lambda document: give_a_card_to_the_empty_one(document["stacks"]), "exactly the stack is empty"),
        (False, lambda document: document.update(card=None), "a card is taken exactly in phases 'refill' and 'lay'"),
        (True, lambda document: document["options"].clear(), "nobody chose"),
        (True, lambda document: document["now"].append(document["now"].pop()[:-1] + "0"), "is no action"),
        (True, lambda document: document["now"].append("fill1"), "a take, then only drops"),
    ],
)
def test_a_choice_that_cannot_be_is_no_document(
    chosen: bool, damage: Callable[[dict[str, Any]], None], complaint: str
) -> None:
    state = emptied_in_play()
    document = json.loads(GAME.encode(state.play(state.actions()[0]) if chosen else state))
    damage(document)
    with pytest.raises(ValueError, match=complaint):
        GAME.decode(json.dumps(document))


def test_the_stack_that_refills_is_another_one() -> None:
    state = emptied_in_play()
    document = json.loads(GAME.encode(state.play(state.actions()[0])))
    document["now"][-1] = f"fill{state.walked()[-1]}"
    with pytest.raises(ValueError, match="is not possible"):
        GAME.decode(json.dumps(document))


def test_others_see_which_stack_is_empty_but_not_the_cards_that_come() -> None:
    state = emptied()
    for seat in (0, 1, None):
        assert state.view(seat).actions() == state.actions()
    with pytest.raises(IllegalAction, match="hidden"):
        state.view(0).play(state.actions()[0])
    assert all(state.win_probability(seat) > 0 for seat in (0, 1))


def test_then_it_is_the_next_players_turn() -> None:
    state = act(turn("o . oo www . .", seats=2), "take1 o2 anw")
    assert (state.phase, state.actor) == (Phase.TAKE, 1)
    assert act(state, "take4 w1 w2 w3 anw").actor == 0


# --- Anlegeregeln


def test_a_card_falls_to_the_lowest_free_row_of_its_column() -> None:
    mine = display("""
        2  ta-nw  .      .      .
        1  rc-se  he-ne  .      .
    """)
    state = act(turn("o . oo www . .", displays=(mine,)), "take1 o2")
    assert [shown(act(state, f"{column}ne").displays[0]).split("\n")[0] for column in COLUMNS] == [
        "3 ac-ne . . .",
        "2 ta-nw ac-ne . .",
        "2 ta-nw . . .",
        "2 ta-nw . . .",
    ]


def test_you_may_turn_the_card_as_you_like() -> None:
    state = act(turn("o . oo www . ."), "take1 o2")
    assert legal(state) == " ".join(f"{column}{corner}" for column in COLUMNS for corner in ("nw", "ne", "se", "sw"))


def test_a_column_has_three_rows() -> None:
    mine = (("ta-nw", "rc-se", "he-ne"), (), (), ())
    state = act(turn("o . oo www . .", displays=(mine,)), "take1 o2")
    assert refused(state, "anw") == "column"
    assert refused(act(GAME.start(2), "keep 1anw 2anw 3anw keep 1anw 2anw"), "take1") == "phase"
    assert "a" not in legal(state)


# --- Kristallstücke


def test_two_stones_of_one_colour_together_earn_a_piece_for_their_owner() -> None:
    assert act(PAIRING, "take1 o2 w5 o4").due == ""
    assert act(PAIRING, "take1 o2 o3 w6").due == "ow"


def test_it_is_given_after_the_card_is_laid() -> None:
    state = act(PAIRING, "take1 w4 o5 o6")
    assert (state.phase, state.due) == (Phase.LAY, "w")
    assert act(state, "anw").phase == Phase.GIVE


def test_three_together_are_worth_nothing() -> None:
    assert act(turn("o oo w . ww ."), "take1 o2").due == ""


def test_two_of_each_colour_on_one_stack_are_two_pairs() -> None:
    assert act(turn("ow . oow . w ."), "take1 o4 w5").due == "w"
    assert act(turn("ow . ow . w o"), "take1 o2 w3").due == "w"
    assert act(turn("oow w . . w o"), "take1 w2 o3 o6").due == "ow"


def test_a_pair_without_a_new_stone_earns_nothing() -> None:
    """Reading 14."""
    assert act(turn("o . . oo ww w"), "take1 o2").due == ""


def test_a_pair_that_was_passed_on_the_way_and_is_one_in_the_end_counts() -> None:
    """Reading 14: orange fell on 2 twice, with a loop between."""
    assert act(turn("ooowww . . . . ."), "take1 o2 w5 w4 w1 o2 o3").due == "o"


def test_a_pair_that_became_three_on_the_way_does_not() -> None:
    assert act(turn("oowww o . . . ."), "take1 o2 w5 w4 w1 o2").due == ""


def test_neutral_stones_bring_nothing() -> None:
    state = act(turn("ook k w w p w . ppk o", seats=3), "take1 k2 o5 o4")
    assert state.stones[1] == "kk"
    assert state.due == ""


def test_you_choose_which_open_piece_is_given() -> None:
    assert legal(act(PAIRING, "take1 w4 o5 o6 dnw")) == "w+rl w+hl w+ts w+hs"


def test_a_piece_open_twice_is_listed_once_and_taken_from_the_lower_slot() -> None:
    state = act(replace(PAIRING, open=("hl", "ts", "hs", "hs")), "take1 w4 o5 o6 dnw")
    assert legal(state) == "w+hl w+ts w+hs"
    assert act(state, "w+hs").open == ("hl", "ts", "rs", "hs")


def test_the_open_pieces_are_refilled_at_once_with_the_same_shape() -> None:
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+ts")
    assert (state.open, state.piles) == (("rl", "hl", "rs", "hs"), (("al", "dl", "el"), ("cs", "ds")))


def test_with_the_other_shape_when_a_pile_is_used_up() -> None:
    state = act(replace(PAIRING, piles=((), ("cs", "rs"))), "take1 w4 o5 o6 dnw w+rl")
    assert (state.open, state.piles) == (("rs", "hl", "ts", "hs"), ((), ("cs",)))


def test_with_nothing_when_both_are_used_up() -> None:
    state = act(replace(PAIRING, piles=((), ())), "take1 w4 o5 o6 dnw w+rl")
    assert state.open == (None, "hl", "ts", "hs")


def test_without_any_open_piece_awards_lapse() -> None:
    """Reading 14: at once, and after the last one is given."""
    none = replace(PAIRING, open=(None,) * 4, piles=((), ()))
    assert act(none, "take1 w4 o5 o6 dnw").actor == 1
    one = act(replace(none, open=(None, "hs", None, None)), "take1 o2 o3 w6 dnw o+hs")
    assert (one.phase, one.due) == (Phase.COVER, "w")
    assert (act(one, "a1").phase, act(one, "a1").due, act(one, "a1").turn) == (Phase.TAKE, "", 1)


def test_of_several_pieces_you_decide_the_order() -> None:
    state = act(PAIRING, "take1 o2 o3 w6 dnw")
    assert legal(state) == "o+rl o+hl o+ts o+hs w+rl w+hl w+ts w+hs"
    assert legal(act(state, "w+rl a1")) == "o+el o+hl o+ts o+hs"


def test_only_for_a_colour_that_is_due_and_only_an_open_piece() -> None:
    state = act(PAIRING, "take1 w4 o5 o6 dnw")
    assert (refused(state, "o+rl"), refused(state, "w+cl")) == ("owner", "piece")


def test_the_receiver_decides_where_it_goes_in_your_turn_too() -> None:
    """Reading 9, 10."""
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+rl")
    assert (state.phase, state.turn, state.actor, state.piece) == (Phase.COVER, 0, 1, "rl")
    assert legal(state) == "a1 b1"
    after = act(state, "b1")
    assert shown(after.displays[1]) == "1 ha-nw he-ne+rl ht-nw+cl ."
    assert (after.phase, after.actor) == (Phase.TAKE, 1)


def test_your_own_piece_you_place_yourself() -> None:
    state = act(PAIRING, "take1 w2 o5 o6 dnw")
    assert state.actor == 1
    own = act(turn("ow . o www . .".replace("www", "ww"), displays=(MINE, YOURS)), "take1 w2 o3 dnw o+hl")
    assert (own.actor, own.turn) == (0, 0)


def test_a_piece_covers_only_its_own_shape() -> None:
    """The small ruby covers small segments, the large one large segments."""
    state = turn("oow . o w . w", displays=(MINE, YOURS), pieces="rl hl rs hs")
    assert shown(act(state, "take1 w4 o5 o6 dnw w+rs a1").displays[1]).startswith("1 ha-nw+rs")
    assert shown(act(state, "take1 w4 o5 o6 dnw w+rl a1").displays[1]).startswith("1 ha-nw+rl")


def test_it_covers_another_crystal_than_its_own() -> None:
    state = act(replace(PAIRING, open=("al", "hl", "ts", "hs")), "take1 w4 o5 o6 dnw w+ts")
    assert legal(state) == "a1 b1"
    assert refused(state, "c1") == "same"


def test_the_other_segment_of_the_card_does_not_matter() -> None:
    """Reading 9: it may show the piece's crystal and may carry a piece."""
    mine = display("1  ta-nw+al  at-nw  tr-ne+el  .")
    assert list(cells_for(mine, "ts")) == ["a1", "c1"]
    assert list(cells_for(mine, "tl")) == ["b1"]


def test_no_piece_covers_another() -> None:
    state = act(replace(PAIRING, open=("al", "hl", "ts", "hs")), "take1 w4 o5 o6 dnw w+al")
    assert legal(state) == "a1 b1"
    assert refused(state, "c1") == "covered"


def test_a_card_may_carry_two_pieces_one_on_each_segment() -> None:
    assert shown(act(PAIRING, "take1 w4 o5 o6 dnw w+rl b1 take4 w1 w2 anw").displays[1]) == (
        "2 ac-nw . . .\n1 ha-nw he-ne+rl ht-nw+cl ."
    )
    both = turn("oow . o w . w", displays=(MINE, YOURS), pieces="rl hl rs hs")
    assert shown(act(both, "take1 w4 o5 o6 dnw w+rs c1").displays[1]) == "1 ha-nw he-ne ht-nw+cl+rs ."


def test_there_must_be_a_card_to_cover() -> None:
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+rl")
    assert [refused(state, cell) for cell in ("d1", "a2")] == ["cell", "cell"]


def test_a_piece_that_fits_no_segment_leaves_the_game() -> None:
    """Reading 14: without an action; it can be chosen nevertheless."""
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+hl")
    assert (state.phase, state.turn, state.open) == (Phase.TAKE, 1, ("rl", "el", "ts", "hs"))
    assert state.displays[1] == YOURS


def test_full_displays_still_get_pieces() -> None:
    full = (("ta-nw",) * 3,) * 4
    state = turn("oow . o w . w", displays=((*full[:3], ("ta-nw",) * 2), full))
    assert act(state, "take1 w4 o5 o6 dnw w+rl").actor == 1


# --- Punktewertung


def points(drawing: str, crystal: str) -> int:
    return sheet(turn("ooowww . . . . .", displays=(display(drawing),)))[0][crystal]


@pytest.mark.parametrize(
    ("segments", "worth"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28), (8, 28), (12, 28)]
)
def test_tourmalines_count_by_their_number(segments: int, worth: int) -> None:
    """Reading 3."""
    cards = [*["th-nw"] * segments, *["hr-nw"] * (12 - segments)]
    mine = tuple(tuple(cards[first : first + 3]) for first in range(0, 12, 3))
    assert sheet(turn("ooowww . . . . .", displays=(mine,)))[0]["t"] == worth


@pytest.mark.parametrize(
    ("drawing", "worth"),
    [("1 ah-nw . . .", 0), ("1 ah-nw . . ha-se", 7), ("1 ah-nw ah-nw . ha-nw", 7), ("1 ah-nw ah-nw ha-nw at-nw", 14)],
)
def test_amethysts_count_in_pairs_in_any_cells(drawing: str, worth: int) -> None:
    assert points(drawing, "a") == worth


def test_two_rubies_across_an_edge_are_a_flower() -> None:
    assert points("1 rh-ne rh-nw . .", "r") == 10
    assert points("1 rh-nw rh-nw . .", "r") == 0  # the left ruby does not own its right side
    assert points("2 rh-sw . . .\n1 rh-ne . . .", "r") == 10
    assert points("2 rh-nw . . .\n1 rh-ne . . .", "r") == 0


def test_half_a_ruby_flower_is_worth_nothing() -> None:
    assert points("1 rh-ne . . .", "r") == 0


def test_three_rubies_in_a_row_are_one_flower_four_are_two() -> None:
    """Reading 5."""
    assert points("2 rh-sw . . .\n1 rh-ne rh-nw . .", "r") == 10
    assert points("2 rh-se hr-ne . .\n1 rh-ne rh-nw . .", "r") == 20


def test_rubies_do_not_touch_along_a_diagonal() -> None:
    """Reading 5: two rubies on one card, one of them a piece."""
    assert points("1 rh-nw+rs . . .", "r") == 0


FLOWER = """
    2  eh-se  eh-sw  .  .
    1  eh-ne  eh-nw  .  .
"""


def test_four_emeralds_round_an_inner_corner_are_a_flower() -> None:
    assert points(FLOWER, "e") == 23


@pytest.mark.parametrize(
    "spoiled", [FLOWER.replace("ne", "nw"), FLOWER.replace("eh-sw", "he-sw"), FLOWER.replace("2  eh-se", "2  eh-se+al")]
)
def test_an_unfinished_emerald_flower_is_worth_nothing(spoiled: str) -> None:
    assert points(spoiled, "e") == 0


def test_several_emerald_flowers_count() -> None:
    """Reading 5: b2 is in two of them, with a segment each."""
    drawing = """
        3  .      eh-se     eh-sw  .
        2  eh-se  eh-sw+es  eh-nw  .
        1  eh-ne  eh-nw     tr-nw  .
    """
    assert points(drawing, "e") == 46


def test_small_emeralds_count_like_large_ones() -> None:
    assert points(FLOWER.replace("eh-ne", "he-sw"), "e") == 23


def test_every_group_of_citrines_counts_the_same() -> None:
    assert points("1 ch-nw . . .", "c") == 3
    assert points("1 ch-ne ch-nw . .", "c") == 3
    assert points("1 ch-nw ch-nw ch-nw ch-nw", "c") == 12


def test_diamonds_count_by_the_size_of_each_group() -> None:
    assert points("1 dh-ne dh-nw . dh-nw", "d") == 2 + 1
    assert points("2 hd-ne . . .\n1 dh-ne dh-nw . .", "d") == 3


@pytest.mark.parametrize("crystal", ["c", "d"])
def test_groups_hold_together_along_diagonals(crystal: str) -> None:
    """Reading 6."""
    drawing = f"1 {crystal}h-nw+{crystal}s . . ."
    assert points(drawing, crystal) == {"c": 3, "d": 2}[crystal]


def test_cards_that_meet_in_a_corner_do_not_touch() -> None:
    assert points("2 th-nw dh-sw . .\n1 dh-ne rh-ne . .", "d") == 2


def test_a_group_of_diamonds_larger_than_eight_is_worth_34() -> None:
    """Reading 4."""
    cards = (("dh-ne+ds", "dh-ne+ds", "dh-ne+ds"), ("dh-ne+ds", "dh-ne+ds"), (), ())
    assert sheet(turn("ooowww . . . . .", displays=(cards,)))[0]["d"] == 34


def test_every_other_player_gets_two_points_for_each_hematite_of_yours() -> None:
    displays = (display("1 ht-nw ha-nw th-nw ."), display("1 he-nw . . ."), NOTHING)
    rows = sheet(turn("ooowwwpppkkk . . . . . . . .", seats=3, displays=displays))
    assert [row["h"] for row in rows] == [2, 6, 8]


def test_pieces_count_and_the_crystals_under_them_do_not() -> None:
    assert points("1 th-nw+al ah-nw ta-se+es .", "t") == 1
    assert points("1 th-nw+al ah-nw ta-se+es .", "a") == 7


def test_large_and_small_count_alike() -> None:
    assert points("1 th-nw ht-nw . .", "t") == 3


# --- Spielende

LAST = tuple(("ta-nw", "th-nw", "ta-nw") for _ in range(3))


def last_turn(*columns: tuple[str, ...], stones: str = "o . oo . www .") -> State:
    """Return the last turn of the last of two seats; the other one has its twelve cards."""
    full = (*LAST, ("rt-nw", "rh-nw", "rt-nw"))
    return turn(
        stones.replace("o", "x").replace("w", "o").replace("x", "w"), seat=1, displays=(full, (*LAST, columns[0]))
    )


def test_the_game_is_over_when_every_seat_has_twelve_cards() -> None:
    state = act(last_turn(("rt-nw", "rh-nw")), "take1 w2")
    assert state.outcome is None
    over = act(state, "dnw")
    assert (over.phase, over.actor, over.turn, over.now, over.actions()) == (Phase.OVER, None, None, (), ())
    assert over.last == Turn(1, (*state.now, *GAME.parse(state, "dnw")))
    assert [cards_in(display) for display in over.displays] == [12, 12]


def test_pieces_of_the_last_turn_are_still_placed() -> None:
    state = act(last_turn(("rt-nw", "rh-nw"), stones="o o o . www ."), "take1 w2 dnw w+rl")
    assert (state.phase, state.outcome) == (Phase.COVER, None)
    assert act(state, "a1").phase == Phase.OVER


def test_the_most_points_win_and_equal_points_share() -> None:
    over = act(last_turn(("rt-nw", "rh-nw")), "take1 w2 dnw")
    assert over.outcome is not None
    assert (over.outcome.scores, over.outcome.winners, over.outcome.reason) == ((57, 60), (1,), "points")
    assert over.standing() == (57, 60)
    same = replace(over, displays=(over.displays[0],) * 2)
    assert same.outcome is not None
    assert (same.outcome.winners, same.outcome.reason) == ((0, 1), "tie")


def test_the_worth_compares_own_points_with_the_best_of_the_others() -> None:
    over = act(last_turn(("rt-nw", "rh-nw")), "take1 w2 dnw")
    assert (over.worth(0), over.worth(1)) == (2 * 57 - 60, 2 * 60 - 57)


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    over = act(last_turn(("rt-nw", "rh-nw")), "take1 w2 dnw")
    texts = ("keep", "swap1", "1anw", "take1", "o1", "anw", "o+rl", "a1")
    assert [refused(over, text) for text in texts] == ["over"] * len(texts)


def test_every_kind_of_action_has_its_phase() -> None:
    actions: tuple[Action, ...] = (
        Keep(),
        Swap(1),
        Place(1, "a", "nw"),
        Take(1),
        Drop("o", 2),
        Lay("a", "nw"),
        Give("w", "rl"),
        Cover("a1"),
    )
    states = {
        Phase.SWAP: GAME.start(2),
        Phase.PLACE: act(GAME.start(2), "keep"),
        Phase.TAKE: PAIRING,
        Phase.DROP: act(PAIRING, "take1"),
        Phase.LAY: act(PAIRING, "take1 w4 o5 o6"),
        Phase.GIVE: act(PAIRING, "take1 w4 o5 o6 dnw"),
        Phase.COVER: act(PAIRING, "take1 w4 o5 o6 dnw w+rl"),
    }
    for state in states.values():
        kinds = {type(action) for action in state.actions()}
        for action in actions:
            if type(action) not in kinds:
                with pytest.raises(IllegalAction, match="phase"):
                    state.play(action)
    assert [len({type(action) for action in state.actions()}) for state in states.values()] == [2, 1, 1, 1, 1, 1, 1]


# --- Hidden values


def test_all_seats_have_the_same_view() -> None:
    for state in (GAME.start(3), begun(3)):
        assert len({state.view(seat) for seat in (0, 1, 2, None)}) == 1


def test_views_show_only_tops_and_heights_of_stacks_deck_and_piles() -> None:
    state = replace(PAIRING, deck=("ta", "ar"), seed=7).view(0)
    assert state.stacks == ((None, None, None, None, "ac"),) * 6
    assert (state.deck, state.piles, state.seed) == ((None, None), ((None,) * 3, (None,) * 3), None)


def test_all_else_is_open() -> None:
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+rl")
    hidden = {"seed": None, "deck": (), "stacks": (), "piles": ()}
    assert replace(state.view(None), **hidden) == replace(state, **hidden)


def turns_up(state: State, text: str) -> bool:
    """Return whether a view refuses an action because it turns up a hidden card."""
    (action,) = GAME.parse(state, text)
    refusals = []
    for seat in (*range(state.seats), None):
        try:
            seen = state.view(seat).play(action)
        except IllegalAction as refusal:
            refusals.append(refusal.code)
        else:
            assert seen == state.play(action).view(seat)
    assert refusals in ([], ["hidden"] * (state.seats + 1))
    return bool(refusals)


def test_a_swap_turns_up_a_card_keeping_does_not() -> None:
    assert turns_up(GAME.start(2), "swap1")
    assert not turns_up(GAME.start(2), "keep")


def test_the_last_card_of_the_setup_turns_up_the_stacks() -> None:
    state = act(GAME.start(2), "keep 1anw 2anw")
    assert not turns_up(state, "3anw")
    assert turns_up(act(state, "3anw keep 1anw 2anw"), "3bnw")


def test_the_last_stone_of_a_walk_turns_up_a_card() -> None:
    assert not turns_up(PAIRING, "take1")
    assert not turns_up(act(PAIRING, "take1 w4"), "o5")
    assert turns_up(act(PAIRING, "take1 w4 o5"), "o6")


def test_a_refilled_stack_turns_up_a_card() -> None:
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr",), ("he",))
    assert turns_up(act(turn("o . oo www . .", stacks=stacks), "take1"), "o2")


def test_a_gift_turns_up_a_piece_while_there_are_any() -> None:
    state = act(PAIRING, "take1 w4 o5 o6")
    assert not turns_up(state, "dnw")
    assert turns_up(act(state, "dnw"), "w+rl")
    assert turns_up(act(state, "dnw"), "w+hl")
    assert not turns_up(replace(act(state, "dnw"), piles=((), ())), "w+rl")
    assert not turns_up(act(state, "dnw w+rl"), "a1")


def test_a_refusal_precedes_the_check_for_hidden_cards() -> None:
    state = act(PAIRING, "take1 w4 o5").view(0)
    assert [refused(state, text) for text in ("o9", "w6", "o1", "o4")] == ["stack", "stone", "step", "back"]


def test_a_game_can_be_followed_on_views() -> None:
    """Playing on a view returns the next view, or "hidden", which marks actions that cannot be taken back."""
    for seats in GAME.seats:
        state, luck, kinds = GAME.start(seats, seed=3), Chance(3, label="following"), Counter[str]()
        while state.actor is not None:
            action = luck.choice(state.actions())
            if not turns_up(state, str(action)):
                kinds[type(action).__name__] += 1
            state = state.play(action)
        assert kinds["Take"] == kinds["Lay"] == 9 * seats
        assert kinds["Place"] == 3 * seats - 1
        assert kinds["Drop"] > 0


# --- Facts that follow


def moments() -> st.SearchStrategy[State]:
    """Return positions of random games, from any time."""

    def played(seats: int, seed: int, actions: int) -> State:
        state, luck = GAME.start(seats, seed=seed), Chance(seed, label="moments")
        for _ in range(actions):
            if state.actor is None:
                break
            state = state.play(luck.choice(state.actions()))
        return state

    return st.builds(played, st.sampled_from([2, 3, 4]), st.integers(0, 2**128 - 1), st.integers(0, 320))


@given(moments())
def test_only_swapped_cards_and_unplaced_pieces_leave_the_game(state: State) -> None:
    laid = [card for display in state.displays for column in display for card in column]
    cards = Counter([*state.deck, *(card[:2] for card in laid)])
    cards.update(card for pile in (*state.hands, *state.stacks, (state.card,)) for card in pile if card)
    assert not cards - Counter(CARDS)
    assert sum(cards.values()) >= 90 - state.seats
    pieces = Counter(piece for pile in (*state.piles, state.open, (state.piece,)) for piece in pile if piece)
    pieces.update(piece for card in laid for piece in card.split("+")[1:])
    assert not pieces - Counter(PIECES)


@given(moments())
def test_three_stones_of_each_colour_stay_in_play(state: State) -> None:
    colours = "ow" if state.seats == 2 else "owpk"
    assert Counter("".join(state.stones) + state.carry) == dict.fromkeys(colours, 3)


@given(moments())
def test_no_list_of_legal_actions_is_long(state: State) -> None:
    assert len(state.actions()) <= (48 if state.phase in (Phase.SWAP, Phase.PLACE) else 16)


@given(moments())
def test_every_view_at_any_time_is_a_consistent_document(state: State) -> None:
    assert GAME.decode(GAME.encode(state)) == state
    assert GAME.decode(GAME.encode(state.view(0))) == state.view(0)


def test_every_seat_has_nine_turns() -> None:
    for seats in GAME.seats:
        state, luck, turns = GAME.start(seats, seed=seats), Chance(seats, label="turns"), Counter[int]()
        while state.actor is not None:
            after = state.play(luck.choice(state.actions()))
            if state.phase not in (Phase.SWAP, Phase.PLACE) and state.ends_turn(after) and after.last is not None:
                turns[after.last.seat] += 1
            state = after
        assert turns == dict.fromkeys(range(seats), 9)


def test_a_drawing_of_a_display_is_read_back() -> None:
    text = dedent("""\
        2 . cd-sw+hl . .
        1 ta-ne he-ne . ar-nw""")
    assert shown(display(text)) == text


def test_every_player_has_nine_turns_with_those_of_others_in_between() -> None:
    """The set-up is no turn, and placing a piece in another's turn is none."""
    for played in games(GAME.id):
        turns = [state.turns(0) for state in played.states]
        assert turns == sorted(turns)
        assert (turns[0], turns[-1]) == (0, 9 * played.seats)
        begins = (state.phase == Phase.TAKE for state in played.states[:-1])
        assert all(now == before + first for first, (before, now) in zip(begins, pairwise(turns), strict=True))
