"""Analyses of finished games: chances, and the moves that the house would have played."""

from functools import cache
from typing import Any

import pytest

from bot.house.limit import Limit
from bot.house.reviewing import TRIED, Played, chances, instead, judged_later, positions, regret
from bot.house.suggesting import only_way
from bot.house.thinking import think
from kaleidobot.testing.playing import games
from rules import GAMES, Game
from rules.chance import Chance
from tests.bot.house.playing import best_action

FEW, MANY = 12, 300


@cache
def played(game: str, number: int = 0) -> Played:
    """Return a random game."""
    result = games(game)[number]
    options = tuple(sorted((result.options or {}).items()))
    return Played(game, result.seats, options, result.seed, tuple(map(str, result.actions)))


def lost_by_passing() -> Played:
    """Return a game of Kabooom! on a dealt board that ends with two passes: of a seat that is behind but could move,
    and of the winner."""
    state: Any = GAMES["kabooom"].start(2, {"level": "easy"}, 5)
    actions, loser = list[str](), 0
    while state.actor != loser or len(actions) < 8 or state.standing()[loser] >= state.standing()[1 - loser]:
        action = best_action(state, state.actor, Chance(len(actions)))
        actions.append(str(action))
        state = state.play(action)
    return Played("kabooom", 2, (("level", "easy"),), 5, (*actions, "pass", "pass"))


def spoilt(seed: int) -> tuple[Played, list[int], int]:
    """Return the first turns of a game of Crystalla, the decisions of its last one, and the last of them: a crystal
    piece goes where it costs at least ten points more than in the best place."""
    state: Any = GAMES["crystalla"].start(2, {}, seed)
    actions, turn = list[str](), list[int]()
    while True:
        seat = state.actor
        turn = [*turn, len(actions)] if state.now else [len(actions)]
        after = {action: state.play(action) for action in state.actions()}
        action = think("crystalla", [state.view(seat)], seat, "medium", Chance(len(actions)), iterations=FEW)
        if seat == state.turn and "cover" in state.phase:
            worst = min(after, key=lambda option: after[option].standing()[seat])
            lost = after[action].standing()[seat] - after[worst].standing()[seat]
            if lost >= 10:
                return Played("crystalla", 2, (), seed, (*actions, str(worst))), turn, len(actions)
        actions.append(str(action))
        state = after[action]


def some(game: Played) -> range:
    return range(0, len(game.actions) + 1, max(1, len(game.actions) // 6))


def test_the_game_is_played_again_as_it_was(game: Game) -> None:
    result = games(game.id)[0]
    assert positions(played(game.id)) == tuple(result.states)


def test_chances_are_those_of_all_seats_together(game: Game) -> None:
    for number in range(len(games(game.id)))[:4]:
        once = played(game.id, number)
        for place in some(once):
            answer = chances(once, place, Chance(1), iterations=FEW)
            assert len(answer) == once.seats
            assert sum(answer) == pytest.approx(1)
            assert all(0 <= chance <= 1 for chance in answer)


def test_the_winner_is_certain_at_the_end(game: Game) -> None:
    once = played(game.id)
    outcome = positions(once)[-1].outcome
    answer = chances(once, len(once.actions), Chance(1), iterations=FEW)
    assert [seat for seat, share in enumerate(answer) if share] == list(outcome.winners)


def test_a_win_at_once_is_not_overlooked(game: Game) -> None:
    """It may be one action of many, and a quiet one."""
    for number, result in enumerate(games(game.id)):
        state, action, after = list(result.steps())[-1]
        if after.outcome.winners == (state.actor,):
            answer = chances(played(game.id, number), len(result.actions) - 1, Chance(1), iterations=MANY)
            assert answer[state.actor] > 0.9, (result.options, str(action))


def test_a_pass_that_lets_the_other_seat_pass_and_win_loses() -> None:
    once = lost_by_passing()
    passed = len(once.actions) - 1
    before, after = (chances(once, number, Chance(1), iterations=MANY) for number in (passed - 1, passed))
    loser = positions(once)[passed - 1].actor
    assert before[loser] > 0.1
    assert after[loser] < 0.01
    assert instead(once, passed - 1, Chance(1), iterations=FEW) != ("pass",)


def test_no_win_at_once_is_overlooked_when_a_position_is_played_on() -> None:
    """The pass is the last of many actions, and only a few are looked at for each step."""
    *_, state, _ = positions(lost_by_passing())
    assert len(state.actions()) > TRIED
    values = [judged_later(state, state.actor, Limit(0.0, FEW), Chance(number)) for number in range(FEW)]
    assert min(values) > 0.99


def test_the_same_chance_tells_the_same(game: Game) -> None:
    once = played(game.id)
    middle = len(once.actions) // 2
    assert chances(once, middle, Chance(3), iterations=FEW) == chances(once, middle, Chance(3), iterations=FEW)


def test_the_houses_alternative_was_legal(game: Game) -> None:
    once = played(game.id)
    for place in some(once):
        state = positions(once)[place]
        if state.actor is None:
            continue
        result = instead(once, place, Chance(1), iterations=2)
        assert bool(result) != bool(only_way(state.view(state.actor)))
        assert set(result[:1]) <= set(map(str, state.actions()))


@pytest.mark.parametrize("seed", range(6))
def test_the_decision_of_a_turn_that_cost_most_is_found(seed: int) -> None:
    once, turn, worst = spoilt(seed)
    costs = {number: regret(once, number, Chance(1), iterations=MANY // 4) or 0.0 for number in turn}
    assert max(costs, key=costs.__getitem__) == worst, costs


def test_a_decision_without_a_choice_cost_nothing(game: Game) -> None:
    result = games(game.id)[0]
    for number, state in enumerate(result.states[:-1]):
        if len(state.actions()) == 1:
            assert regret(played(game.id), number, Chance(1), iterations=1) is None


def test_every_number_of_seats_can_be_looked_at(game: Game) -> None:
    assert {game.seats for game in games(game.id)} == set(GAMES[game.id].seats)
