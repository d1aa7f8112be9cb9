"""Crystalla: the evaluation function, compared with continued games."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rules.games.crystalla import COLOURS, GAME, Display, Phase, State, sheet
from rules.games.crystalla.judging import GIVEN_PIECE, OWN_PIECE, _best_turn, promise
from rules.games.crystalla.walks import Walk, is_long, walks_from, walks_on
from tests.rules.crystalla_turns import HIGH, act, display, turn

WANTED = display("""
    2  er-se  .      .  .
    1  er-ne  et-nw  .  .
""")
"""A flower of emeralds lacks one in b2; the large one of "er" fits."""


def turns(seats: int) -> Iterator[State]:
    """Return positions in which a seat takes stones or walks with them."""
    luck = random.Random(seats)
    for seed in range(6):
        state = GAME.start(seats, seed=seed)
        while state.actor is not None:
            if state.phase in (Phase.TAKE, Phase.DROP):
                yield state
            state = state.play(luck.choice(state.actions()))


def walked(state: State) -> set[Walk]:
    """Return the results of every walk that can be played from here."""
    if state.phase not in (Phase.TAKE, Phase.DROP):
        return {(state.walked()[-1] - 1, state.due)}
    return {walk for action in state.actions() for walk in walked(state.play(action))}


@pytest.mark.parametrize("seats", GAME.seats)
def test_predicted_walks_match_playable_walks(seats: int) -> None:
    for state in turns(seats):
        own = COLOURS[state.actor or 0]
        if not any(is_long(heap) for heap in (state.carry, *(heap for heap in state.stones if own in heap))):
            assert predicted(state) == walked(state)


@pytest.mark.parametrize("heap", ["owpk", "ooowp", "oowwp"])
def test_long_walks_are_predicted_by_their_last_stack(heap: str) -> None:
    state = turn(f"{heap} . . . . . . . .", seats=4)
    assert is_long(heap)
    assert {stack for stack, _ in predicted(state)} == {stack for stack, _ in walked(state)}


def test_any_number_of_stones_on_a_stack_can_be_evaluated() -> None:
    state = turn(". . . . ooowwwpppkkk . . . .", seats=4)
    assert {stack for stack, _ in predicted(state)} == {0, 2, 4, 6, 8}


def predicted(state: State) -> frozenset[Walk]:
    """Return the predicted results of the walks from here."""
    if state.phase == Phase.TAKE:
        return walks_from(state.stones, state.actor or 0, state.seats)
    before, here = (0, *state.walked())[-2:]
    fallen = frozenset((action.colour, action.stack) for action in state.now[1:])  # type: ignore[union-attr]
    return walks_on(state.stones, state.carry, before, here, fallen, state.seats)


def test_a_full_display_promises_its_points_less_those_of_the_others() -> None:
    luck, state = random.Random(1), GAME.start(3, seed=1)
    while state.actor is not None:
        state = state.play(luck.choice(state.actions()))
    for seat, row in enumerate(sheet(state)):
        given = sum(crystal == "h" for laid in cards_of(state.displays[seat]) for crystal in laid)
        assert promise(state.displays[seat]) == row["total"] - row["h"] - 2 * given


def cards_of(cards: Display) -> Iterator[tuple[str, str]]:
    """Return the two visible crystals of every card."""
    for laid in sum(cards, ()):
        pieces = {piece[1]: piece[0] for piece in laid.split("+")[1:]}
        yield pieces.get("l", laid[0]), pieces.get("s", laid[1])


def test_a_piece_helps_a_seat_that_chooses_it_and_hurts_one_that_must_take_it() -> None:
    state = act(turn("o . . . . w", displays=(WANTED, WANTED)), "take1 o2")
    mine, theirs, nobody = (replace(state, due=due).win_probability(0) for due in ("o", "w", ""))
    assert mine > nobody
    assert theirs > nobody


def test_every_piece_of_a_walk_raises_its_value() -> None:
    state = turn("o . . . . w", displays=(WANTED, WANTED))
    plain, mine, theirs, both = (_best_turn(state, 0, frozenset([(2, due)])) for due in ("", "o", "w", "ow"))
    assert mine == pytest.approx(plain + OWN_PIECE)
    assert theirs == pytest.approx(plain - GIVEN_PIECE)
    assert both == pytest.approx(plain + OWN_PIECE - GIVEN_PIECE)
    assert theirs > plain


def test_a_card_that_the_next_seat_needs_and_can_take_lowers_the_value() -> None:
    needed = (*HIGH[:-1], "er")
    near = turn("o . . . . w", displays=(WANTED, WANTED), stacks=(HIGH, HIGH, needed))
    far = turn("o . . . . w", displays=(WANTED, WANTED), stacks=(needed,))
    waits, cannot = (replace(state, turn=1).win_probability(0) for state in (near, far))
    assert waits < cannot
