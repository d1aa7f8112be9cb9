"""Analyses of finished games: chances, and the moves that the house would have played."""

from functools import cache

import pytest

from bot.house.reviewing import Played, chances, instead, positions
from bot.house.suggesting import only_way
from kaleidobot.testing.playing import games
from rules import GAMES, Game
from rules.chance import Chance

FEW = 12


@cache
def played(game: str, number: int = 0) -> Played:
    """Return a random game."""
    result = games(game)[number]
    options = tuple(sorted((result.options or {}).items()))
    return Played(game, result.seats, options, result.seed, tuple(map(str, result.actions)))


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


def test_every_number_of_seats_can_be_looked_at(game: Game) -> None:
    assert {game.seats for game in games(game.id)} == set(GAMES[game.id].seats)
