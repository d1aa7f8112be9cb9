"""How a position stands: what a seat has, what it needs to win, and how near its cards are to being finished."""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import product
from math import exp
from operator import and_
from typing import Final

from rules.games.kaleidoskop.board import WELLS_OF
from rules.games.kaleidoskop.cards import elements, in_play, places, task
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import FEW, NONE, READY, Player

EVEN: Final = 5.0
"""So many points more than the others make a win about three times as likely as a loss."""
TOOL: Final = 4.5
USED: Final = 0.1
"""What a tool loses by standing on the board for nothing."""
FOURTH_CARD: Final = 2.6
ORANGE: Final = 3.0
FINISHED: Final = 0.9
"""Of its reward, what a task is worth that can be claimed …"""
CRYSTAL_AWAY: Final = 0.2
"""… that lacks one crystal …"""
HEX_AWAY: Final = 0.1
"""… or one hex."""
READY_TO_WIN: Final = 6.0
"""What it is worth to meet the conditions."""
UNKNOWN_CARD: Final = 0.8


def prospect(state: Position, seat: int) -> float:
    """What *seat* has and can hope for against the best other one, of whose cards nothing is known."""
    lit = state.lights()
    worth = [_has(state, each) for each in range(state.seats)]
    for number, player in enumerate(state.players):
        if number == seat:
            worth[number] += sum(hope(card.id, lit, state.seats) for card in player.hand if card.id is not None)
        else:
            worth[number] += UNKNOWN_CARD * len(player.hand)
    ahead = worth[seat] - max(value for number, value in enumerate(worth) if number != seat)
    return min(max(1 / (1 + exp(-ahead / EVEN)), 0.015), 0.985)


def _has(state: Position, seat: int) -> float:
    player: Player = state.players[seat]
    tools = (player.tools.holder, player.tools.mirror, player.tools.glass)
    owned = sum(where != NONE for where in tools)
    return (
        player.score
        + TOOL * owned
        - USED * sum(where not in (NONE, READY) for where in tools)
        + FOURTH_CARD * (player.limit > FEW)
        + ORANGE * (player.oranges > 0)
        + READY_TO_WIN * state.meets(seat)
    )


def hope(card: str, lit: Mapping[str, int], seats: int) -> float:
    """What a card in the hand promises: the better one of its two tasks."""
    return max(task(card, name).reward * _nearness(card, name, lit, seats) for name in ("a", "b"))


def _nearness(card: str, name: str, lit: Mapping[str, int], seats: int) -> float:
    """How near the pattern of a task is to being somewhere on the board: 0 to FINISHED."""
    wanted = elements(card, name)
    laid = [lit[colour] >> away for colour, away in wanted]
    everywhere = -1
    before = [everywhere]  # where all the elements before each one lie
    for bits in laid:
        before.append(before[-1] & bits)
    if before[-1]:
        return FINISHED
    behind, near = everywhere, 0.0
    hexes, wells = in_play(seats)
    for number in range(len(laid) - 1, -1, -1):
        colour, away = wanted[number]
        crystal = colour.isupper()
        if near < (CRYSTAL_AWAY if crystal else HEX_AWAY):
            missing = before[number] & behind & ((wells if crystal else hexes) >> away)
            if missing:
                near = CRYSTAL_AWAY if crystal else HEX_AWAY
        behind &= laid[number]
    return near


def lacking(state: Position, seat: int) -> Iterator[tuple[int, str]]:
    """Where one crystal could be all that a task in the hand of *seat* lacks: the well (from 0), and the colour."""
    lit = state.lights()
    hexes, wells = in_play(state.seats)
    for card, name in product((card.id for card in state.players[seat].hand if card.id is not None), ("a", "b")):
        wanted = elements(card, name)
        laid = [lit[colour] >> away for colour, away in wanted]
        if reduce(and_, laid):
            continue  # it lacks nothing
        for number, (colour, away) in enumerate(wanted):
            there = wells if colour.isupper() else hexes
            missing = reduce(and_, (*laid[:number], *laid[number + 1 :], there >> away)) << away
            if missing and colour.isupper():
                yield from ((well, colour.lower()) for well in places(missing, wells=True))
            elif missing:
                yield from ((well, colour) for place in places(missing, wells=False) for well in WELLS_OF[place])
