"""The messages of plans. The buttons carry the whole attempt; see `bot.requests.PlanTurn`."""

from collections.abc import Iterable, Sequence

import texts
from bot.chat import Button, Picture, Reply, Role, Rows, Style
from bot.replies import menus, wording
from bot.replies.buttons import button, close, in_rows
from bot.replies.decision import OfTable
from bot.replies.tree import Path
from bot.replies.words import game_name, names, say, short
from bot.requests import KeepPlan, KeepStanding, PlanIf, PlanTurn, Request, Stamp, WithdrawPlan
from bot.tables import plans
from bot.tables.plans import Misfit, Plan
from bot.tables.table import Table
from renderers.notation import typed
from rules import GAMES, Action, BadNotation, State

LIKELY_IN_A_ROW = 1


class OfPlan(OfTable):
    """The next decision of a planned turn of *seat*. *given*, *made*: the numbers of the actions so far."""

    def __init__(self, table: Table, stamp: Stamp, given: tuple[int, ...], made: tuple[int, ...], seat: int) -> None:
        super().__init__(table, seat)
        self._stamp = stamp
        self._given = given
        self._made = made

    def part(self, path: Path, page: int = 0) -> Request:
        return self._choices(self._made, page, path)

    def play(self, index: int) -> Request:
        return self._choices((*self._made, index))

    def undo(self) -> Request:
        return self._choices(self._made[:-1])

    def keep(self) -> Request:
        """Return the request that keeps the plan."""
        return KeepPlan(self._table.id, self._stamp, len(self._given), (*self._given, *self._made))

    def only_if(self) -> Request | None:
        """Return the request for conditions; None if there is one, or if the plan is begun."""
        return None if self._given or self._made else PlanIf(self._table.id, self._stamp)

    def _choices(self, made: tuple[int, ...], page: int = 0, path: Path = ()) -> Request:
        steps = (*self._given, *made, *path)
        return PlanTurn(self._table.id, self._stamp, len(self._given), len(made), page, steps)


def standings(table: Table, view: State, lang: str) -> tuple[Button, ...]:
    """Return the buttons of the standing turns that have a reason in *view*, the position of a plan."""
    there = plans.standings(table.game, view)
    return tuple(
        button(KeepStanding(table.id, number), lang, label=texts.say(table.game, f"standing.{standing.id}", lang))
        for number, standing in enumerate(GAMES[table.game].standings)
        if standing.id in there
    )


def choosing(table: Table, menu: Reply, said: Iterable[str], picture: Picture, lang: str) -> Reply:
    """Return the *menu* of the next action of a plan, after the lines *said*."""
    return _reply(table, (*said, menu.text), menu.rows, lang, picture=picture, narrow_rows=menu.narrow_rows)


def whole(table: Table, decision: OfPlan, said: Iterable[str], picture: Picture | None, lang: str) -> Reply:
    """Return the question whether to keep a whole turn."""
    back = button(decision.undo(), lang, label=say("button.undo", lang))
    rows = ((button(decision.keep(), lang, Style.MAIN), back, close(lang)),)
    return _reply(table, (*said, say("plan.sure", lang)), rows, lang, picture=picture)


def conditions(table: Table, stamp: Stamp, view: State, likely: Sequence[tuple[int, Action]], lang: str) -> Reply:
    """Return likely turns of the actor of *view*, each with its number, as conditions."""
    assert view.actor is not None
    buttons = [
        button(PlanTurn(table.id, stamp, 1, 0, 0, (number,)), lang, label=wording.labelled(table, view, action, lang))
        for number, action in likely
    ]
    rows = (
        *in_rows(buttons, LIKELY_IN_A_ROW),
        (button(PlanTurn(table.id, stamp), lang, label=_back(lang)), close(lang)),
    )
    text = say("plan.if.ask", lang, who=names(table, lang)[view.actor])
    if likely:
        example = typed(table.game, likely[0][1], lang)
        text = f"{text} {say('plan.if.type', lang, example=example)}"
    return _reply(table, (text,), rows, lang)


def _back(lang: str) -> str:
    return say("button.back", lang)


def kept(
    table: Table, view: State, plan: Plan, lang: str, *, is_up: bool = False, again: Request | None = None
) -> Reply:
    """Return a plan that is kept. *is_up*: it is played soon. *again*: the request for another plan.

    It stays: an expiry ends with any turn, and the plan can be withdrawn until its own."""
    how = say("plan.soon" if is_up else "plan.stands" if plan.standing else "plan.kept", lang)
    other = () if again is None else (button(again, lang, label=say("button.plan.again", lang)),)
    return _reply(table, (line(table, view, plan, lang), how), ((withdraw(table, lang), *other, close(lang)),), lang)


def refused(table: Table, why: str, lang: str) -> Reply:
    """Return why a typed plan was not kept, with the way to choose one."""
    rows = ((button(PlanTurn(table.id), lang, Style.MAIN), close(lang)),)
    return _reply(table, (say("plan.not_kept", lang, why=why),), rows, lang)


def withdraw(table: Table, lang: str, label: str = "") -> Button:
    return button(WithdrawPlan(table.id), lang, Style.DANGER, label=label)


def line(table: Table, view: State, plan: Plan, lang: str) -> str:
    """Return the line that shows a plan to its person."""
    if plan.standing:
        return say("plan", lang, steps=texts.say(table.game, f"standing.{plan.standing}", lang))
    steps = wording.steps_text(table.game, view, plan.steps, lang)
    if not plan.given:
        return say("plan", lang, steps=steps)
    who, given = names(table, lang)[plan.whose], wording.steps_text(table.game, view, plan.given, lang)
    return say("plan.if", lang, steps=steps, who=who, given=given)


def missed(table: Table, view: State, misfit: Misfit, lang: str) -> str:
    """Return the line that says why a plan was dropped."""
    if misfit.code == "ended":
        return say("plan.ended", lang, why=texts.say(table.game, f"standing.{misfit.reason}.ended", lang))
    return say("plan.missed", lang, why=why(table, view, misfit, lang))


def why(table: Table, view: State, misfit: Misfit, lang: str) -> str:
    """Return the reason of a *misfit*."""
    if misfit.code == "refused":
        detail = menus.word(table.game, misfit.detail, lang)
        return texts.say(table.game, f"refused.{misfit.reason}", lang, detail=detail)
    action = wording.steps_text(table.game, view, (misfit.action,), lang) if misfit.action else ""
    return say(f"plan.missed.{misfit.code}", lang, action=action, who=names(table, lang)[misfit.whose])


def unread(table: Table, no: BadNotation, lang: str) -> str:
    """Return why a typed plan is no turn."""
    if no.missing is not None:
        return texts.say(table.game, f"no_{no.sort}", lang, detail=short(no.missing))
    return texts.say(table.game, f"refused.{no.code}", lang, detail=short(no.detail))


def _reply(
    table: Table,
    said: Iterable[str],
    rows: Rows,
    lang: str,
    *,
    picture: Picture | None = None,
    narrow_rows: Rows = (),
) -> Reply:
    return Reply(
        title=say("plan.title", lang, game=game_name(table.game, lang)),
        text="\n".join(filter(None, said)),
        picture=picture,
        rows=rows,
        narrow_rows=narrow_rows,
        role=Role.MENU,
        secret=True,
    )
