"""The marks of recent actions on the boards of all games."""

from random import Random
from typing import Any

import pytest

from kaleidobot.testing.looking import a_look, live, scene_of
from renderers import Recent
from rules import GAMES, State

ROUNDS, SEED = 3, 5


def played(game: str, seats: int) -> tuple[State, list[Recent]]:
    """Return a position in the middle of a game, and the actions of the last round."""
    luck, state = Random(SEED), GAMES[game].start(seats, {}, seed=seats)
    turns: list[list[Recent]] = []
    while len(turns) < ROUNDS * seats or state.actor == turns[-1][0].seat:
        assert state.actor is not None
        actions: list[Any] = [action for action in state.actions() if not state.warns(action) and str(action) != "draw"]
        action = luck.choice(actions or state.actions())
        if not turns or turns[-1][0].seat != state.actor:
            turns.append([])
        turns[-1].append(Recent(state.actor, str(action)))
        state = state.play(action)
    return state.view(None), [recent for turn in turns[-seats:] for recent in turn]


@pytest.mark.parametrize("game", ["colorio", "crystalla", "kabooom", "kaleidoskop", "kalejdoschach"])
@pytest.mark.parametrize("seats", [2, 3])
def test_every_answer_is_marked_and_the_own_turn_faintly(game: str, seats: int) -> None:
    view, recent = played(game, seats)
    mine, newest = recent[0].seat, recent[-1].seat

    def board(*shown: Recent) -> str:
        return str([*live(scene_of(view, a_look(recent=shown)))])

    strong = board(*recent)
    assert strong != board(*(Recent(it.seat, it.action, it.seat == mine) for it in recent))
    assert strong != board(*(it for it in recent if it.seat == newest))
