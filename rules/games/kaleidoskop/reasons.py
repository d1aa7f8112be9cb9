"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Sequence
from enum import StrEnum

from rules.contract import News
from rules.games.kaleidoskop.actions import Action, Buy, Claim, End, Hold, Limit
from rules.games.kaleidoskop.cards import TASKS, anchors, finished, task
from rules.games.kaleidoskop.news import pattern
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import LIMIT_PRICE, PRICE


class Why(StrEnum):
    LIGHTS = "lights"
    CLAIMS = "claims"
    TOOL = "tool"
    CARD = "card"
    HOLDS = "holds"
    NOTHING = "nothing"


def reasons(
    state: Position, action: Action, after: Position | None, before: Sequence[Position] = ()
) -> tuple[News, ...]:
    """Return the pattern that *action* completes, or its purpose.

    *after*: the position after a crystal or tool was put on the board, else None. *before*: the positions before the
    earlier actions of the same suggestion.
    """
    seat = state.actor
    assert seat is not None
    match action:
        case Claim():
            if before and action.card not in claimable(before[0], seat):
                return ()  # an action before this one has completed the task, and says so
            return (News(Why.CLAIMS, seat, _task(state, seat, action.card)),)
        case Buy():
            return (News(Why.TOOL, seat, (("cost", f"cost.{PRICE}"),)),)
        case Limit():
            return (News(Why.CARD, seat, (("cost", f"cost.{LIMIT_PRICE}"),)),)
        case Hold():
            return (News(Why.HOLDS, seat),)
        case End():
            keeps = all(_owned(earlier, seat) == _owned(state, seat) for earlier in before)
            return (News(Why.NOTHING, seat),) if keeps and not claimable(state, seat) else ()
        case _:
            lit = frozenset[int]() if after is None else claimable(after, seat) - claimable(state, seat)
            return tuple(News(Why.LIGHTS, seat, _task(after or state, seat, card)) for card in sorted(lit))


def _task(state: Position, seat: int, position: int) -> tuple[tuple[str, str], ...]:
    """Return the facts of the most valuable finished task on a visible card: its place in the hand, pattern, reward."""
    id_ = state.players[seat].hand[position - 1].id
    assert id_ is not None
    best = max((task(id_, name) for name in finished(id_, state.lights())), key=lambda wanted: wanted.reward)
    return ("card", str(position)), ("pattern", pattern(best)), ("reward", str(best.reward))


def _owned(state: Position, seat: int) -> object:
    """Return the finished cards, limit and tools of *seat*: a turn that changes them does not end only to save
    points."""
    player = state.players[seat]
    return player.done, player.limit, player.tools


def claimable(state: Position, seat: int) -> frozenset[int]:
    """Return the cards in the hand of *seat*, 1-based, that have a finished task, as far as they are visible."""
    lit = state.lights()
    return frozenset(
        position
        for position, card in enumerate(state.players[seat].hand, 1)
        if card.id is not None and any(anchors(card.id, name, lit) for name in TASKS)
    )
