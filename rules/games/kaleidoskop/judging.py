"""The evaluation function: the possessions of a seat, its distance from the conditions of victory, and the expected
value of its cards.

The constants are averages from games of AI players with such cards.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import exp
from typing import Final

from rules.games.kaleidoskop.cards import BACK, TASKS, Deck, Laid, task
from rules.games.kaleidoskop.nearness import FAR, is_within_a_tool, steps
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import FEW, NONE, READY, Ending, Player, Stage

EVEN: Final = 5.0
"""Lead in points that makes a win about three times as likely as a loss."""
TOOL: Final = 4.0
USED: Final = 0.1
"""Cost of a tool that is on the board without a use."""
EQUIPPED: Final = 2
"""Number of tools with which most turns finish a task."""
FOURTH_CARD: Final = 2.6
ORANGE: Final = 3.0
READY_TO_WIN: Final = 6.0
"""Value of meeting the conditions."""
WINS: Final = 30.0
"""The same if the game ends as soon as a seat meets them."""
TOO_LATE: Final = -30.0
"""Value of not meeting the conditions with no turn left."""
CARD: Final[Mapping[str, tuple[float, float]]] = {Deck.BLUE: (0.9, 1.2), Deck.ORANGE: (1.0, 1.9)}
"""Value of any card, for a seat with few tools and for an equipped one."""
NEAR: Final[Mapping[int, tuple[float, ...]]] = {1: (0.6, 0.3), 2: (0.8, 0.4), 3: (0.6, 0.3), 5: (1.3, 0.5)}
"""Additional value of a task one step away, or two, by its reward."""
FINISHED: Final = 0.9
"""Share of the reward that a finished task is worth."""
CARD_AFTER: Final = 0.4
"""Additional value of a finished task for the next card."""
UNKNOWN: Final[Mapping[str, tuple[float, float]]] = {Deck.BLUE: (1.4, 1.7), Deck.ORANGE: (1.3, 2.2)}
"""Value of a card of which only the back is known."""

# Cached, because access to enum members is slow.
_TOOLS: Final = Stage.TOOLS
_AT_ONCE: Final = Ending.AT_ONCE


def win_probability(state: Position, seat: int) -> float:
    """Compare the value of *seat* with that of the best other one, whose cards are hidden."""
    own = _has(state, seat)
    best = max([_has(state, other) + _unknown(state, other) for other in range(state.seats) if other != seat])
    if not _is_through(state, seat):
        own += _hopes(state, seat)
    return 0.01 + 0.98 / (1 + exp((best - own) / EVEN))


def _has(state: Position, seat: int) -> float:
    """Return the value of *seat* without its cards."""
    player = state.players[seat]
    worth = player.score + TOOL * _owned(player) - USED * player.tools.used
    if player.limit > FEW and not _is_last(state, seat):
        worth += FOURTH_CARD
    if player.oranges:
        worth += ORANGE
    if state.meets(seat):
        return worth + (WINS if state.options.ending == _AT_ONCE else READY_TO_WIN)
    return worth + TOO_LATE * _is_through(state, seat)


def _owned(player: Player) -> int:
    tools = player.tools
    return (tools.holder != NONE) + (tools.mirror != NONE) + (tools.glass != NONE)


def _is_through(state: Position, seat: int) -> bool:
    """Return whether *seat* has had its last turn."""
    return state.final is not None and state.turn + (seat + 1 - state.turn) % state.seats > state.final


def _is_last(state: Position, seat: int) -> bool:
    """Return whether the running turn is the last one of *seat*."""
    return state.final is not None and state.actor == seat and state.turn + state.seats > state.final


def _unknown(state: Position, seat: int) -> float:
    """Return the value of the cards of *seat* if only their backs are known."""
    if _is_through(state, seat):
        return 0.0
    player = state.players[seat]
    equipped = _owned(player) >= EQUIPPED
    return sum([UNKNOWN[card.back][equipped] for card in player.hand])


def _hopes(state: Position, seat: int) -> float:
    """Return the value of the cards of *seat*. The first tool of a turn is free, so it may finish one more task."""
    player, laid = state.players[seat], (state.hexes, state.crystals)
    cards = [card.id for card in player.hand if card.id is not None]
    equipped = _owned(player) >= EQUIPPED
    hopes = [_hope(card, laid, state.seats, equipped) for card in cards]
    tools = player.tools
    if state.stage != _TOOLS or tools.used or READY not in (tools.mirror, tools.glass) or state.actor != seat:
        return sum(hopes)
    mirror, glass = tools.mirror == READY, tools.glass == READY
    with_tool = [_hope_with_tool(card, laid, state.seats, equipped, mirror, glass) for card in cards]
    return sum(hopes) + max([0.0, *(better - hope for better, hope in zip(with_tool, hopes, strict=True))])


@lru_cache(maxsize=1 << 13)
def _hope(card: str, laid: Laid, seats: int, equipped: bool) -> float:
    """Return the value of a card in the hand: that of its back and of the better one of its two tasks."""
    best = 0.0
    for name in TASKS:
        away, reward = steps(card, name, laid, seats), task(card, name).reward
        if away < FAR:
            best = max(best, NEAR[reward][away - 1] if away else FINISHED * reward + CARD_AFTER)
    return CARD[BACK[card]][equipped] + best


@lru_cache(maxsize=1 << 13)
def _hope_with_tool(card: str, laid: Laid, seats: int, equipped: bool, mirror: bool, glass: bool) -> float:
    """Return the same if a tool finishes a task; 0 if none does."""
    rewards = [
        task(card, name).reward
        for name in TASKS
        if is_within_a_tool(card, name, laid, seats, mirror=mirror, glass=glass)
    ]
    return CARD[BACK[card]][equipped] + FINISHED * max(rewards) + CARD_AFTER - USED if rewards else 0.0
