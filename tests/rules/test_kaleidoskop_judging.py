"""Kaleidoskop: the evaluation function, compared with continued games."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rules.games.kaleidoskop import COLOURS, GAME, GRID, TASKS, Crystal, Glass, Mirror, Stage, State, Tools
from rules.games.kaleidoskop.board import board
from rules.games.kaleidoskop.cards import finished, hex_masks
from rules.games.kaleidoskop.nearness import FAR, after_a_crystal, after_a_tool, steps
from tests.rules.kaleidoskop import BLUE_01, READY, WINNING, lit_for_b01, player, position

Coloured = set[tuple[int, str]]
"""Hexes, each with a colour."""


def with_tools(state: State, *, ready: bool) -> State:
    """Return the position with mirror and glass of the actor ready, or without any tools."""
    own = Tools("ready", "ready", "ready") if ready else Tools("none", "none", "none")
    none = Tools("none", "none", "none")
    tools = [own if seat == state.actor else none for seat in range(state.seats)]
    players = [replace(player, score=9, tools=has) for player, has in zip(state.players, tools, strict=True)]
    return replace(state, players=tuple(players))


def positions(seats: int, stage: Stage) -> Iterator[State]:
    """Return positions of random games without tools on the board and with crystals of every colour left."""
    luck = random.Random(seats)
    for seed in range(3):
        state = GAME.start(seats, seed=seed)
        while state.actor is not None:
            if state.stage == stage and min(state.supply().values()) and luck.random() < 0.15:
                yield with_tools(state, ready=stage == Stage.TOOLS)
            actions = [action for action in state.actions() if not isinstance(action, Mirror | Glass)]
            state = state.play(luck.choice(actions))


def colours_of(state: State) -> Coloured:
    return {(place, state.hexes[place]) for place in board(state.seats).hexes if state.hexes[place] in COLOURS}


def coloured_hexes(lights: object, seats: int) -> Coloured:
    assert isinstance(lights, dict)
    return {
        (place, colour) for place in board(seats).hexes for colour in COLOURS if lights[colour] & hex_masks()[place]
    }


@pytest.mark.parametrize("seats", [2, 5, 6])
def test_predicted_effects_of_one_crystal_match_playable_ones(seats: int) -> None:
    for state in positions(seats, Stage.PLACE):
        played = colours_of(state)
        for action in state.actions():
            if isinstance(action, Crystal):
                played |= colours_of(state.play(action))
        assert coloured_hexes(after_a_crystal((state.hexes, state.crystals), seats), seats) == played


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_predicted_effects_of_one_tool_match_playable_ones(seats: int) -> None:
    for state in positions(seats, Stage.TOOLS):
        played = {Mirror: colours_of(state), Glass: colours_of(state)}
        for action in state.actions():
            if isinstance(action, Mirror | Glass):
                played[type(action)] |= colours_of(state.play(action))
        laid = state.hexes, state.crystals
        assert coloured_hexes(after_a_tool(laid, seats, mirror=True, glass=False), seats) == played[Mirror]
        assert coloured_hexes(after_a_tool(laid, seats, mirror=False, glass=True), seats) == played[Glass]
        assert (
            coloured_hexes(after_a_tool(laid, seats, mirror=True, glass=True), seats) == played[Mirror] | played[Glass]
        )


@pytest.mark.parametrize("seats", [3, 6])
def test_search_considers_one_tool_per_colour_that_finishes_a_task(seats: int) -> None:
    seen = 0
    for state in positions(seats, Stage.TOOLS):
        listed, done = state.search_actions(), can_claim(state)
        for action in state.actions():
            if isinstance(action, Mirror | Glass) and can_claim(after := state.play(action)) - done:
                seen += 1
                place = GRID.number[action.hex]
                alike = [
                    action_ for action_ in listed if isinstance(action_, Mirror | Glass) and action_.hex == action.hex
                ]
                assert after.hexes[place] in {state.play(action_).hexes[place] for action_ in alike}
    assert seen


def can_claim(state: State) -> set[tuple[str, str]]:
    """Return the finished tasks in the actor's hand."""
    assert state.actor is not None
    lit = state.lights()
    return {(card, name) for card in hand(state) for name in finished(card, lit)}


def hand(state: State) -> list[str]:
    assert state.actor is not None
    return [card.id for card in state.players[state.actor].hand if card.id is not None]


@pytest.mark.parametrize("seats", [2, 6])
def test_a_done_task_has_distance_0_and_one_that_a_crystal_finishes_1(seats: int) -> None:
    for state in positions(seats, Stage.PLACE):
        laid, done = (state.hexes, state.crystals), can_claim(state)
        for card in hand(state):
            for name in TASKS:
                assert (steps(card, name, laid, seats) == 0) == ((card, name) in done)
        for action in state.actions():
            if isinstance(action, Crystal):
                after = state.play(action)
                for card, name in can_claim(after) - done:
                    turned = sum(old != new for old, new in zip(state.hexes, after.hexes, strict=True))
                    assert steps(card, name, laid, seats) < FAR or turned > 1


def test_a_card_promises_more_the_less_its_task_lacks() -> None:
    near = position("15r 20r 16y 22y", player(hand=[BLUE_01]))
    far = position("15r 20r", player(hand=[BLUE_01]))
    claimable = replace(lit_for_b01(hand=[BLUE_01]), stage=Stage.TOOLS)
    assert far.win_probability(0) < near.win_probability(0) < claimable.win_probability(0)


def test_a_tool_that_is_ready_promises_the_task_that_it_can_finish() -> None:
    """A mirror that doubles the yellow crystal turns c4 yellow, the only missing element."""
    crystals, has = "15r 20r 16y 22b 46p 40p", {"score": 18, "hand": [BLUE_01]}
    ready, used = (
        position(crystals, player(**has, tools=READY | tools), player(**WINNING), stage="tools", last=46)
        for tools in ({}, {"mirror": "15:c3"})
    )
    assert "mirror:16:c4" in map(str, ready.search_actions())
    assert ready.win_probability(0) - used.win_probability(0) > 0.02


def test_after_the_last_turn_of_a_seat_its_cards_promise_nothing() -> None:
    """Seat 0 has had its last turn, seats 1 and 2 have not."""
    seats = (player(hand=[BLUE_01]), player(**WINNING))
    near, far = (position(crystals, *seats, turn=2, final=3) for crystals in ("15r 20r 16y 22y", ""))
    assert near.win_probability(0) == far.win_probability(0)


@pytest.mark.parametrize(("final", "goes_on"), [(None, True), (3, False)])
def test_a_fourth_card_has_a_value_while_the_seat_has_another_turn(final: int | None, goes_on: bool) -> None:
    four, three = (
        replace(
            position("", player(score=28, tools=READY, limit=limit), player(**WINNING), final=final), stage=Stage.TASKS
        )
        for limit in (4, 3)
    )
    assert (four.win_probability(0) > three.win_probability(0)) == goes_on


def test_a_seat_without_the_conditions_after_its_last_turn_hardly_wins() -> None:
    done = {"score": 26, "tools": READY | {"glass": "none"}}
    running, through = (position("", player(**done), player(**WINNING), turn=2, final=final) for final in (None, 3))
    assert running.win_probability(0) > 0.3
    assert through.win_probability(0) < 0.05


def test_with_an_immediate_win_the_conditions_are_worth_the_game() -> None:
    endings = ({"length": "normal", "ending": ending} for ending in ("extra_round", "at_once"))
    has, rival = player(**WINNING), player(score=26, tools=READY)
    later, now = (position("", has, rival, options=options) for options in endings)
    assert now.win_probability(0) > 0.95 > later.win_probability(0)
