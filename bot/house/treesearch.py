"""Search for games with hidden information: a tree over one seat's views, with hidden facts dealt anew each round.

Every round deals a full position from the seat's knowledge and walks down the tree. A node is a view of the seat, an
information set (Cowling, Powley and Whitehouse 2012), so decisions never depend on unknown facts. A node's value is
that of its best action, and an action's value is the mean of its results (Keller and Helmert 2013: MaxUCT), with the
game's evaluation function at the leaves: this finds the best of many short sequences in few rounds. The tree ends when
another seat acts: searching further would not improve the guess about hidden hands.
"""

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Any

from bot.house.alphabeta import Ranked
from bot.house.judging import result
from bot.house.limit import Enough, Limit

CURIOUS = 0.12
"""How much an action is favoured that was seldom tried."""


class _Edge:
    """An action: its number of tries, its value, and the seat's next views."""

    __slots__ = ("after", "tried", "value")

    def __init__(self, value: float) -> None:
        self.tried, self.value = 0, value
        self.after: dict[int, _Node] = {}

    def update(self) -> None:
        self.tried += 1
        self.value = sum(node.seen * node.value for node in self.after.values()) / self.tried


class _Node:
    """A view of the seat: its number of visits, its value, and its actions."""

    __slots__ = ("edges", "seen", "value")

    def __init__(self) -> None:
        self.seen, self.value = 0, 0.0
        self.edges: dict[Any, _Edge] = {}


class TreeSearch:
    """The search for one *seat*; *deal* gives a full position that looks to it like the one to act in."""

    def __init__(self, seat: int, limit: Limit, deal: Callable[[], Any]) -> None:
        self._seat, self._limit, self._deal = seat, limit, deal

    def rank(self, actions: Sequence[Any]) -> Ranked:
        """The *actions* with their values, best first."""
        root, state = _Node(), self._deal()
        self._open(root, state, actions)
        root.seen = 1
        try:
            while True:
                self._limit.step()
                self._walk(root, self._deal(), 0, actions)
        except Enough:
            pass
        most = max(edge.tried for edge in root.edges.values())
        ranked = [(edge.value, edge.tried, action) for action, edge in root.edges.items()]
        ranked.sort(key=lambda row: (row[1] * 4 >= most, row[0], row[1]), reverse=True)
        return [(value, action) for value, _, action in ranked]

    def _walk(self, node: _Node, state: Any, ply: int, actions: Sequence[Any] | None = None) -> None:
        """Search one round from *node* on, with the dealt position *state*."""
        node.seen += 1
        if state.actor is None:
            node.value += (result(state, self._seat, ply) - node.value) / node.seen
            return
        mine = state.actor == self._seat
        if node.seen == 1 or not mine:
            node.value += (state.win_probability(self._seat) - node.value) / node.seen
            return
        if actions is None:
            actions = state.search_actions()
        self._open(node, state, actions)
        edges, curious = node.edges, CURIOUS * sqrt(log(node.seen + 1))

        def promise(action: Any) -> float:
            edge = edges[action]
            return edge.value + curious / sqrt(edge.tried + 1)

        action = max(actions, key=promise)
        after, edge = state.play(action), edges[action]
        child = edge.after.setdefault(hash(after.view(self._seat)), _Node())
        self._walk(child, after, ply + 1)
        edge.update()
        node.value = max(other.value for other in edges.values())

    def _open(self, node: _Node, state: Any, actions: Sequence[Any]) -> None:
        """Judge by this deal every action that was not possible in those before."""
        edges = node.edges
        for action in actions:
            if action not in edges:
                after = state.play(action)
                over = after.actor is None
                edges[action] = _Edge(result(after, self._seat, 1) if over else after.win_probability(self._seat))
