"""Positions of Colorio as text, row 5 first: a capital is an open field, a small letter a covered one (``b`` blue,
``g`` green, ``y`` yellow, ``r`` red, ``o`` orange)."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from rules.contract import IllegalAction
from rules.games.colorio import GAME
from rules.games.colorio.state import State

ALL_ON = """
    yogor
    bbygb
    rgrbg
    ygrob
    royoy
"""
"""All caps on: the board of the documented examples."""

AFTER_FIRST_TURN = """
    yoGor
    bbygb
    rgRbg
    ygrob
    Royoy
"""
FIRST_TURN = "0: c3 x c5 x a1 x"

FOUR_RED = """
    yogoR
    bbygb
    rgRbg
    ygRob
    ROyoy
"""
"""The fifth red field is a3."""

RED_COMPLETE = """
    yogoR
    bbygb
    RgRbg
    ygRob
    ROyoy
"""


def position(drawing: str, **given_: Any) -> State:
    """Return the position of *drawing*: by default of a single round of three, memory on, in turn 0.

    *last*: ``"<seat>: <actions>"``. *seen*: covered fields that the board remembers.
    """
    rows = drawing.split()
    last, seen = given_.pop("last", ""), given_.pop("seen", "").split()
    seat, _, actions = last.partition(":")
    caps = [
        "".join("." if letter.isupper() else "+" if f"{column}{5 - down}" in seen else "#" for column, letter in row)
        for down, row in enumerate([zip("abcde", row, strict=True) for row in rows])
    ]
    seats = given_.pop("seats", 3)
    document: dict[str, Any] = {
        "game": "colorio",
        "seats": seats,
        "options": {"scoring": given_.pop("scoring", "single"), "memory": given_.pop("memory", "on")},
        "seed": None,
        "phase": "play",
        "round": 0,
        "turn": 0,
        "actor": given_.get("round", 0),
        "side": "grey",
        "colours": [row.lower() for row in rows],
        "caps": caps,
        "log": given_.pop("log", "").split(),
        "last": {"seat": int(seat), "actions": actions.split()} if last else None,
        "out": [],
        "points": [0] * seats,
        "to_come": [],
    }
    return GAME.decode(json.dumps(document | given_))


def played(state: State, text: str) -> State:
    """Return the position after the actions of *text*."""
    for action in GAME.parse(state, text):
        state = state.play(action)
    return state


def legal(state: State) -> list[str]:
    return [str(action) for action in state.actions()]


def refused(state: State, text: str) -> str:
    """Return the code with which the last action of *text* is refused."""
    *first, final = GAME.parse(state, text)
    for action in first:
        state = state.play(action)
    with pytest.raises(IllegalAction) as refusal:
        state.play(final)
    return refusal.value.code


def document(state: State) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(GAME.encode(state))
    return decoded


def random_game(seed: int, seats: int, options: dict[str, str]) -> Iterator[State]:
    """Yield every position of a random game."""
    pick = random.Random(seed)
    state = GAME.start(seats, options, seed)
    yield state
    while actions := state.actions():
        state = state.play(pick.choice(actions))
        yield state


random_games = st.builds(
    random_game,
    seed=st.integers(0, 2**128 - 1),
    seats=st.sampled_from(GAME.seats),
    options=st.fixed_dictionaries({option.name: st.sampled_from(option.choices) for option in GAME.options}),
)
