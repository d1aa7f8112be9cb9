"""What one person is told alone: refusals, questions, own views."""

from collections.abc import Sequence

import texts
from bot import press
from bot.chat import Button, Manner, Picture, Reply, Style
from bot.logbook import Missed
from bot.menus import word
from bot.press import Verb
from bot.replies import news
from bot.replies.boards import board_rows
from bot.replies.choices import closed_lobby, lobby
from bot.replies.news import result
from bot.replies.words import game_name, names, say, short, up, within
from bot.table import Denied, Phase, Table
from rules import Action, BadNotation, IllegalAction, Leaving, State

MOST_LEGAL = 12  # actions that are listed whole


def toast(key: str, lang: str, /, **facts: object) -> Reply:
    """One line that may vanish."""
    return Reply(text=say(key, lang, **facts), manner=Manner.TOAST)


def note(key: str, lang: str, /, **facts: object) -> Reply:
    return Reply(text=say(key, lang, **facts))


def denied(no: Denied, lang: str) -> Reply:
    """The table said no."""
    return note(f"denied.{no.code}", lang, **no.facts)


def other_game(table: Table, lang: str) -> Reply:
    """Another table is on in this place."""
    key = "denied.place_taken" if table.phase == Phase.RUNNING else "denied.place_lobby"
    return Reply(
        text=say(key, lang, game=game_name(table.game, lang)),
        rows=((Button(say("button.board", lang), press.write(Verb.BOARD, table.id)),),),
    )


def not_your_turn(table: Table, view: State, seat: int, lang: str) -> Reply:
    """Why *seat* cannot act: another one is up, and perhaps *seat* is out. *view* is a spectator's."""
    assert view.actor is not None
    turn = within(table, "denied.not_your_turn", lang, who=names(table, lang)[view.actor])
    out = isinstance(view, Leaving) and view.is_out(seat)
    return Reply(text=f"{texts.say(table.game, 'out', lang)} {turn}" if out else turn)


def refused(
    table: Table, view: State, error: IllegalAction | BadNotation, played: Sequence[str], lang: str, secret: bool
) -> Reply:
    """The rules said no: which rule, and what would be legal. *view* is the actor's, after what was *played*."""
    lines = [say("refused.after", lang, played=" ".join(played))] if played else []
    typed = isinstance(error, BadNotation)
    detail = short(error.detail) if typed else word(table.game, error.detail, lang)
    lines.append(texts.say(table.game, f"refused.{error.code}", lang, detail=detail))
    actions = view.actions()
    if typed:
        lines.append(say("refused.example", lang, example=texts.say(table.game, "example", lang)))
    if actions and not view.forgets:  # which caps may go where tells which colours differ
        lines.append(say("refused.legal", lang, actions=_possible(table.game, view, lang)))
    return Reply(text="\n".join(lines), rows=_tap(table, lang), secret=secret)


def _possible(game: str, view: State, lang: str) -> str:
    """What the actor can do: every action where these are few, else what an action can begin with."""
    actions = view.actions()
    if len(actions) <= MOST_LEGAL:
        return " · ".join(map(str, actions))
    return " · ".join(f"{word(game, part, lang)} …" for part in dict.fromkeys(action.parts[0] for action in actions))


def _tap(table: Table, lang: str) -> tuple[tuple[Button, ...], ...]:
    return ((Button(say("button.move", lang), press.write(Verb.MENU, table.id), Style.MAIN),),)


def sure(table: Table, code: str, index: int, lang: str, secret: bool) -> Reply:
    """The question before an action that one could regret; *index* of the action at the table's revision.

    *secret*: the actor sees more than others, and the question could tell of it.
    """
    yes = Button(
        texts.say(table.game, f"warn.{code}.yes", lang),
        press.write(Verb.SURE, table.id, table.revision, index),
        Style.DANGER,
    )
    no = Button(say("button.no", lang), press.write(Verb.CLOSE, table.id))
    return Reply(text=texts.say(table.game, f"warn.{code}", lang), rows=((yes, no),), manner=Manner.MENU, secret=secret)


def resign(table: Table, lang: str) -> Reply:
    yes = Button(say("button.resign", lang), press.write(Verb.RESIGN, table.id, 1), Style.DANGER)
    no = Button(say("button.no", lang), press.write(Verb.CLOSE, table.id))
    return Reply(
        text=say("resign.two" if len(table.seats) == 2 else "resign.more", lang),
        rows=((yes, no),),
        manner=Manner.MENU,
    )


def played(action: str, lang: str) -> Reply:
    return toast("played", lang, action=action)


def tapped(game: str, action: Action, lang: str) -> Reply:
    """What was played, in the words of the buttons that were tapped."""
    return toast("played", lang, action=" → ".join(word(game, part, lang) for part in action.parts))


def own_view(
    table: Table, view: State, seat: int | None, picture: Picture, lang: str, *, secret: bool, moved_on: bool = False
) -> Reply:
    """A player's own view of the board: picture, position in words, what can be played. *view* is that seat's."""
    lines = [say("moved_on", lang)] if moved_on else []
    if table.phase == Phase.OVER:
        lines.append(result(table, lang))
    elif seat is not None and view.actor == seat:
        lines.append(within(table, "view.yours", lang))
        if len(view.actions()) <= MOST_LEGAL:
            lines.append(say("refused.legal", lang, actions=_possible(table.game, view, lang)))
        else:
            example = texts.say(table.game, "example", lang)
            lines.append(say("view.legal", lang, n=len(view.actions()), example=example))
    elif view.actor is not None:
        lines.append(up(table, view.actor, lang))
    return Reply(
        title=game_name(table.game, lang),
        text="\n".join(lines),
        picture=picture,
        rows=_tap(table, lang) if seat is not None and view.actor == seat and table.phase == Phase.RUNNING else (),
        secret=secret,
    )


def missed(table: Table, found: Sequence[Missed], page: int, picture: Picture, lang: str) -> Reply:
    """A board of those that somebody missed; *page* counts from the oldest, *picture* is of that one."""
    pages = len(found)
    turn = (
        Button("◀", press.write(Verb.MISSED, table.id, (page - 1) % pages)),
        Button(f"{page + 1}/{pages} ▶", press.write(Verb.MISSED, table.id, (page + 1) % pages), Style.MAIN),
        Button(say("button.close", lang), press.write(Verb.CLOSE, table.id)),
    )
    return Reply(
        title=say("missed.title", lang, game=game_name(table.game, lang)),
        text="\n".join(news.lines(table, [found[page].entry], lang)),
        picture=picture,
        rows=(turn,),
        manner=Manner.MENU,
    )


def menu_closed(table: Table, view: State | None, lang: str) -> Reply:
    """The menu goes; where a public message carried it, that message's own buttons come back."""
    if view is None:  # the game has not begun
        rows = (closed_lobby if table.phase == Phase.OVER else lobby)(table, lang).rows
    else:
        rows = board_rows(table, view, lang)
    return Reply(text=say("menu.closed", lang), rows=rows, manner=Manner.MENU, closes=True)
