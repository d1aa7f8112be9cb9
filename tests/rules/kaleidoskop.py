"""Positions of Kaleidoskop as text: crystals as ``27g 33y``, colours of hexes as ``c3y d3y d4g``."""

import json
import random
from functools import cache
from typing import Any

import pytest

from rules import IllegalAction
from rules.games.kaleidoskop import (
    GAME,
    GRID,
    State,
)

NO_TOOLS = {"holder": "none", "mirror": "none", "glass": "none"}
READY = {"holder": "ready", "mirror": "ready", "glass": "ready"}
A_CARD = [{"id": "b01", "task": "a"}]

WINNING = {"score": 15, "tools": READY, "done": [{"id": "o10", "task": "a"}]}
"""A seat that meets every condition of a normal game."""

BLUE_01 = {"back": "blue", "id": "b01"}
"""Task a: red, yellow to the right of it, pink to the lower right of it. Task b: green, blue, violet in a line with a
green crystal."""


def player(**has: Any) -> dict[str, Any]:
    """Return a seat's part of a document; by default it has only one crystal."""
    done = A_CARD if "tools" in has and has["tools"]["holder"] != "none" else []
    return {"score": 1, "limit": 3, "hand": [], "done": done, "tools": NO_TOOLS, **has}


def position(crystals: str = "", *players: dict[str, Any], **keys: Any) -> State:
    """Return a position with these crystals; by default it is the first turn of three seats."""
    seats = keys.get("seats", 3)
    several = (*players, *(player() for _ in range(seats - len(players))))
    # A finished card exists once, so every seat has its own.
    has = [
        {**hand, "done": [{"id": f"b{seat + 61}", "task": "a"}]} if hand["done"] == A_CARD else hand
        for seat, hand in enumerate(several)
    ]
    document = {
        "game": "kaleidoskop",
        "seats": 3,
        "options": {"length": "normal", "ending": "extra_round"},
        "seed": None,
        "turn": 1,
        "stage": "place",
        "final": None,
        "last": None,
        "crystals": {word[:-1]: word[-1] for word in crystals.split()},
        "players": has,
        "decks": {"blue": ["b70", "b71", "b72"], "orange": ["o45", "o46", "o47"]},
        **keys,
    }
    return GAME.decode(json.dumps(document))


def act(state: State, text: str) -> State:
    """Return the position after these typed actions."""
    for action in GAME.parse(state, text):
        state = state.play(action)
    return state


def refused(state: State, text: str) -> str:
    """Return the code with which the last action of *text* is refused; it is not listed either."""
    *before, action = GAME.parse(state, text)
    for part in before:
        state = state.play(part)
    assert action not in state.actions()
    with pytest.raises(IllegalAction) as refusal:
        state.play(action)
    return refusal.value.code


def legal(state: State, *kinds: str) -> list[str]:
    """Return the legal actions that begin with one of *kinds*."""
    return [str(action) for action in state.actions() if str(action).startswith(kinds)]


def lit(state: State) -> str:
    """Return the coloured hexes: ``b2y c3g``."""
    return " ".join(f"{name}{colour}" for name, colour in zip(GRID.fields, state.hexes, strict=True) if colour != ".")


def colour_of(state: State, name: str) -> str:
    return state.hexes[GRID.number[name]]


def own(state: State) -> Any:
    assert state.actor is not None
    return state.players[state.actor]


@cache
def games() -> tuple[tuple[State, ...], ...]:
    """Return a random game for each number of seats, its first 400 positions."""
    played = []
    for seats in GAME.seats:
        luck = random.Random(seats)
        states = [GAME.start(seats, {"length": "short"}, seats)]
        while states[-1].actor is not None and len(states) < 400:
            states.append(states[-1].play(luck.choice(states[-1].actions())))
        played.append(tuple(states))
    return tuple(played)


MAY_DRAW = {"length": "normal", "ending": "extra_round", "drawing": "may"}
"""Options with which a player may draw no new card."""


def lit_for_b01(options: dict[str, str] | None = None, **has: Any) -> State:
    """Return a position with red c3, yellow c4 and pink d4: task a of b01 is fulfilled."""
    cards: dict[str, Any] = {"hand": [BLUE_01, {"back": "orange", "id": "o01"}], **has}
    keys = {} if options is None else {"options": options}
    state = position("15r 20r 16y 22y 46p 40p", player(**cards), **keys)
    assert [colour_of(state, name) for name in ("c3", "c4", "d4")] == ["r", "y", "p"]
    return state
