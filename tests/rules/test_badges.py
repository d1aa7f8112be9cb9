"""The badges of the games: the last position tells whether a win has earned one."""

import pytest
from msgspec.structs import replace

import renderers
from rules import GAMES, State
from rules.games.kabooom import GAME as KABOOOM
from rules.games.kalejdoschach import GAME as KALEJDOSCHACH

DOZEN = 12
LEVELS = 3


def earned(game: str, state: State, seat: int) -> set[str]:
    return {badge.id for badge in GAMES[game].badges if badge.is_earned(state, seat)}


def test_there_are_a_dozen_badges_with_those_of_the_levels() -> None:
    assert LEVELS + sum(len(game.badges) for game in GAMES.values()) <= DOZEN


@pytest.mark.parametrize(
    ("towers", "badges"),
    [
        (("0r0p",), {"no_dynamite"}),
        (("0d0p", "1p"), set()),
        (("1d0p" + "0r" * 5,), {"skyscraper"}),
        (("0r" * 7, "1d"), {"no_dynamite", "skyscraper"}),
    ],
)
def test_kabooom_tells_of_dynamite_and_of_a_high_tower(towers: tuple[str, ...], badges: set[str]) -> None:
    state = KABOOOM.start(2, {"level": "easy"}, seed=1)
    board = (*towers, *[""] * (len(state.board) - len(towers)))
    assert earned("kabooom", replace(state, board=board), 0) == badges


def test_kalejdoschach_tells_of_castles() -> None:
    start = KALEJDOSCHACH.start(2, {}, seed=1)
    held = len(start.castles(0))
    assert ("five_castles" in earned("kalejdoschach", start, 0)) == (held >= 5)
    assert ("last_castle" in earned("kalejdoschach", start, 0)) == (held == 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_badge_can_be_asked_of_every_position_and_seat(game: str) -> None:
    for source in renderers.positions_of(game):
        state = GAMES[game].decode(source.read_bytes())
        for seat in range(state.seats):
            assert earned(game, state, seat) <= {badge.id for badge in GAMES[game].badges}


def test_crystalla_tells_how_far_ahead_the_winner_is() -> None:
    for source in renderers.positions_of("crystalla"):
        state = GAMES["crystalla"].decode(source.read_bytes())
        points = state.standing()
        assert points is not None
        for seat in range(state.seats):
            lead = points[seat] - max(other for number, other in enumerate(points) if number != seat)
            expected = {"by_a_hair"} if lead == 1 else {"far_ahead"} if lead >= 10 else set()
            assert earned("crystalla", state, seat) == expected
