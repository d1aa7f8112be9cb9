"""The lobby's promise of a game's length, measured on games of the house and on random ones."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import texts
from bot.house.thinking import any_action, think
from rules import GAMES, State
from rules.chance import Chance

EACH = {"crystalla", "kaleidoskop"}
"""Games whose text counts the turns of one player."""
MOSTLY = 0.8
"""Part of the games that must have the promised length."""


def promised(game: str, lang: str) -> tuple[int, int]:
    """Return the shortest and the longest promised game in turns."""
    line = texts.say(game, "players", lang).replace(" to ", " bis ")
    numbers = re.findall(r"(\d+)(?: bis (\d+))? (?:turns|Züge)", line)
    ((low, high),) = numbers
    return int(low), int(high or low)


def turns(game: str, seats: int, seed: int, choose: Callable[[list[State], Chance], Any]) -> int:
    """Return the turns of a game that is played to its end, as people count them."""
    state: State = GAMES[game].start(seats, {}, seed)
    seen, chance, counted = [state], Chance(seed), 0
    while state.actor is not None:
        after = state.play(choose(seen, chance))
        counted += after.actor != state.actor or state.ends_turn(after)
        state = after
        seen.append(state)
    return state.turns(counted)


def by_house(game: str, iterations: int) -> Callable[[list[State], Chance], Any]:
    def choose(seen: list[State], chance: Chance) -> Any:
        seat = seen[-1].actor
        assert seat is not None
        views = [state.view(seat) for state in (seen if GAMES[game].hides else seen[-1:])]
        return think(game, views, seat, "medium", chance, iterations=iterations)

    return choose


def at_random(seen: list[State], chance: Chance) -> Any:
    seat = seen[-1].actor
    assert seat is not None
    return any_action(seen[-1].view(seat), seat, chance)


def is_kept(game: str, seats: int, length: int) -> bool:
    low, high = promised(game, "en")
    return low <= (length / seats if game in EACH else length) <= high


@pytest.mark.parametrize("game", ["colorio", "crystalla"])
def test_most_random_games_have_the_promised_length(game: str) -> None:
    games = 40 if game == "colorio" else 2
    lengths = [(seats, turns(game, seats, seed, at_random)) for seats in GAMES[game].seats for seed in range(games)]
    kept = sum(is_kept(game, *length) for length in lengths)
    assert kept >= MOSTLY * len(lengths), lengths


@pytest.mark.parametrize("seats", GAMES["colorio"].seats)
def test_games_of_the_house_have_the_promised_length(seats: int) -> None:
    assert is_kept("colorio", seats, turns("colorio", seats, 1, by_house("colorio", 20)))


@pytest.mark.parametrize("game", ["colorio", "crystalla", "kaleidoskop"])
def test_both_languages_promise_the_same_length(game: str) -> None:
    assert promised(game, "de") == promised(game, "en")
