"""Analyses of finished games: chances, and the moves that the house would have played."""

from functools import cache

import pytest

from bot.house.reviewing import Played, chances, instead, positions
from bot.house.suggesting import only_way
from rules import GAMES, Game
from rules.chance import Chance
from tests.rules.playing import games

FEW = 12


@cache
def played(game: str, number: int = 0) -> Played:
    """Return a random game."""
    found = games(game)[number]
    options = tuple(sorted((found.options or {}).items()))
    return Played(game, found.seats, options, found.seed, tuple(map(str, found.actions)))


def some(game: Played) -> range:
    return range(0, len(game.actions) + 1, max(1, len(game.actions) // 6))


def test_the_game_is_played_again_as_it_was(game: Game) -> None:
    found = games(game.id)[0]
    assert positions(played(game.id)) == tuple(found.states)


def test_chances_are_those_of_all_seats_together(game: Game) -> None:
    for number in range(len(games(game.id)))[:4]:
        once = played(game.id, number)
        for place in some(once):
            told = chances(once, place, Chance(1), iterations=FEW)
            assert len(told) == once.seats
            assert sum(told) == pytest.approx(1)
            assert all(0 <= each <= 1 for each in told)


def test_the_winner_is_certain_at_the_end(game: Game) -> None:
    once = played(game.id)
    outcome = positions(once)[-1].outcome
    told = chances(once, len(once.actions), Chance(1), iterations=FEW)
    assert [seat for seat, each in enumerate(told) if each] == list(outcome.winners)


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
        found = instead(once, place, Chance(1), iterations=2)
        assert bool(found) != bool(only_way(state.view(state.actor)))
        assert set(found[:1]) <= set(map(str, state.actions()))


def test_every_number_of_seats_can_be_looked_at(game: Game) -> None:
    assert {each.seats for each in games(game.id)} == set(GAMES[game.id].seats)
