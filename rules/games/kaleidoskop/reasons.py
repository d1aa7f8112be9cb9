"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product

from rules.contract import News
from rules.games.kaleidoskop.actions import Action, Buy, Claim, End, Hold, Limit
from rules.games.kaleidoskop.cards import TASKS, Task, anchors, finished, task
from rules.games.kaleidoskop.nearness import FAR, steps
from rules.games.kaleidoskop.news import pattern
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import Stage


class Why(StrEnum):
    LIGHTS = "lights"
    NEAR = "near"
    NEARER = "nearer"
    CLAIMS = "claims"
    TOOL = "tool"
    CARD = "card"
    HOLDS = "holds"
    NOTHING = "nothing"


def reasons(
    state: Position,
    action: Action,
    after: Position | None,
    before: Sequence[Position] = (),
    next_turn: Sequence[Position] | None = None,
) -> tuple[News, ...]:
    """Return the pattern that *action* completes, or its purpose; the end of a turn tells that of its crystal.

    *after*: the position after a crystal or tool was put on the board, else None. *before*: the positions before the
    earlier actions of the same suggestion. *next_turn*: positions after one more crystal of the same seat; None if it
    has no further turn.
    """
    seat = state.actor
    assert seat is not None
    match action:
        case Claim():
            if before and action.card not in claimable(before[0], seat):
                return ()  # an action before this one has completed the task, and says so
            return (News(Why.CLAIMS, seat, _task(state, seat, action.card)),)
        case Buy():
            return (News(Why.TOOL, seat),)
        case Limit():
            return (News(Why.CARD, seat),)
        case Hold():
            return (News(Why.HOLDS, seat),)
        case End():
            keeps = all(_owned(earlier, seat) == _owned(state, seat) for earlier in before)
            nothing = (News(Why.NOTHING, seat),) if keeps and not claimable(state, seat) else ()
            laid = bool(before) and before[0].stage == Stage.PLACE and before[0].turn == state.turn
            if not laid or next_turn is None or before[0].players[seat].done != state.players[seat].done:
                return nothing
            return (*_hopes(before[0], state, next_turn, seat), *nothing)
        case _:
            lit = frozenset[int]() if after is None else claimable(after, seat) - claimable(state, seat)
            return tuple(News(Why.LIGHTS, seat, _task(after or state, seat, card)) for card in sorted(lit))


def _hopes(state: Position, after: Position, next_turn: Sequence[Position], seat: int) -> Iterator[News]:
    """Yield the most valuable task that the next crystal can complete; else one that has come nearer."""
    done = claimable(after, seat)
    near = [_task(then, seat, card) for then in next_turn for card in claimable(then, seat) - done]
    if near:
        yield News(Why.NEAR, seat, max(near, key=_reward))
        return
    nearer = list[tuple[tuple[str, str], ...]]()
    for (position, card), name in product(enumerate(state.players[seat].hand, 1), TASKS):
        if card.id is not None:
            had, has = (steps(card.id, name, (at.hexes, at.crystals), at.seats) for at in (state, after))
            if 0 < has < min(had, FAR):
                nearer.append(_facts(f"{position}{name}", task(card.id, name)))
    if nearer:
        yield News(Why.NEARER, seat, max(nearer, key=_reward))


def _reward(facts: tuple[tuple[str, str], ...]) -> int:
    return int(dict(facts)["reward"])


def _task(state: Position, seat: int, position: int) -> tuple[tuple[str, str], ...]:
    """Return the facts of the most valuable finished task on a visible card: its label, pattern and reward."""
    id_ = state.players[seat].hand[position - 1].id
    assert id_ is not None
    best = max(finished(id_, state.lights()), key=lambda name: task(id_, name).reward)
    return _facts(f"{position}{best}", task(id_, best))


def _facts(label: str, wanted: Task) -> tuple[tuple[str, str], ...]:
    return ("task", label), ("pattern", pattern(wanted)), ("reward", str(wanted.reward))


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
