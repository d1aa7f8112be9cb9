"""Hints: the move that the house suggests to one person, with its reasons and a button that plays it."""

from collections.abc import Sequence

from msgspec import Struct

import texts
from bot.chat import Reply, Style
from bot.house.suggesting import gain, loss
from bot.replies import news, wording
from bot.replies.buttons import button
from bot.replies.words import advise, names
from bot.requests import Follow, Stamp
from bot.tables.table import Table
from rules import Action, IllegalAction, State
from rules.contract import News

MOST = 3
"""Maximum number of hints per person and game."""
MOST_REASONS = 3


class Advice(Struct, frozen=True):
    """Actions to play from the last of *views* on. *views* belong to one seat, oldest first."""

    views: tuple[State, ...]
    actions: tuple[Action, ...]

    @property
    def view(self) -> State:
        return self.views[-1]

    def points(self) -> tuple[int, ...]:
        """Return the points that each action brings or costs, as far as the seat can foresee it; () unless several do,
        and one of them costs some: otherwise the result tells everything."""
        seat, points, view = self.view.actor, list[int](), self.view
        assert seat is not None
        for action in self.actions:
            try:
                after = view.play(action)
            except IllegalAction:  # the result is hidden
                break
            had, has = view.standing(), after.standing()
            points.append(0 if had is None or has is None else has[seat] - had[seat])
            view = after
        if sum(map(bool, points)) < 2 or min(points) >= 0:
            return ()
        return (*points, *[0] * (len(self.actions) - len(points)))


def said(key: str, lang: str, /, **facts: object) -> Reply:
    """Return the reason why there is no hint."""
    return Reply(text=advise(key, lang, **facts))


def hint(table: Table, suggestion: Advice, hints_left: int | None, lang: str, *, secret: bool) -> Reply:
    """Return the suggested actions with their reasons. *hints_left*: None if only one action was legal."""
    points = suggestion.points()
    moves = wording.actions_text(table.game, suggestion.view, suggestion.actions, lang, points)
    if hints_left is None:
        only = [advise("hint.only", lang, moves=moves), *_price(table, suggestion.view, suggestion.actions[0], lang)]
        return Reply(text="\n".join(only), secret=secret)
    lines = [advise("hint.play", lang, moves=moves), *_reasons(table, suggestion, lang)]
    lines.append(advise("hint.left", lang, n=hints_left) if hints_left else advise("hint.last", lang))
    play = button(Follow(table.id, Stamp.of(table)), lang, Style.MAIN)
    return Reply(text="\n".join(lines), rows=((play,),), secret=secret)


def _reasons(table: Table, suggestion: Advice, lang: str) -> list[str]:
    """Return the game's reasons for each action and the result of all of them; then their price."""
    views, reasons, price, rest = list[State](suggestion.views), list[str](), list[str](), list[str]()
    risks: tuple[News, ...] = ()
    for action in suggestion.actions:
        view = views[-1]
        price += _price(table, view, action, lang)
        risks = view.risks(action)
        reasons += [news.why(table, reason, lang) for reason in view.reasons(action, views[:-1])]
        try:
            views.append(view.play(action))
        except IllegalAction:  # the result is hidden
            rest.append(advise("hint.rest", lang))
            break
    best = _result(suggestion, views[-1], lang)
    chosen = [*dict.fromkeys((*best, *reasons))][:MOST_REASONS]
    back = [news.why(table, risk, lang) for risk in risks] or _taken_back(table, suggestion, views[-1], lang)
    return [*(chosen or [advise("hint.chances", lang)]), *price, *back, *rest]


def _price(table: Table, view: State, action: Action, lang: str) -> Sequence[str]:
    """Return the price of *action* that the game would ask about."""
    code = view.warns(action) or view.cautions(action)
    return () if code is None else (advise("hint.price", lang, price=texts.say(table.game, f"warn.{code}", lang)),)


def _taken_back(table: Table, suggestion: Advice, after: State, lang: str) -> Sequence[str]:
    """Return how much of the suggestion's gain the next player can take back."""
    seat, other = suggestion.view.actor, after.actor
    assert seat is not None
    won = gain(suggestion.view, after, seat)
    if other in (seat, None) or won <= 0 or (lost := min(won, loss(after, suggestion.actions[-1], seat))) <= 0:
        return ()
    who = names(table, lang)[other]
    has_points = after.standing() is not None
    return (advise("hint.back", lang, who=who, n=lost) if has_points else advise("hint.strikes", lang, who=who),)


def _result(suggestion: Advice, after: State, lang: str) -> Sequence[str]:
    """Return the result of the suggestion as a whole: a win, or the points that it brings or costs."""
    before, seat = suggestion.view, suggestion.view.actor
    assert seat is not None
    if after.outcome is not None and seat in after.outcome.winners:
        return (advise("hint.wins", lang),)
    had, has = before.standing(), after.standing()
    more = has[seat] - had[seat] if had is not None and has is not None else 0
    if suggestion.points():
        return (advise("hint.sum", lang, n=abs(more), points=wording.signed(more)),)
    if more < 0:
        return (advise("hint.costs", lang, n=-more),)
    return (advise("hint.points", lang, n=more),) if more else ()
