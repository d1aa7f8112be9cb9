"""Private messages to one person: refusals, questions, own views."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import cast

from msgspec.structs import replace

import texts
from bot.chat import Button, Expiry, Obstacle, PersonId, Picture, Reply, Role, Select, Style, ThreadAccess
from bot.replies import news
from bot.replies.boards import board_rows, resume
from bot.replies.buttons import button, pager
from bot.replies.choices import lobby_rows
from bot.replies.completion import begun_examples
from bot.replies.menus import hint, word
from bot.replies.news import result
from bot.replies.times import duration
from bot.replies.wording import action_text, actions_text, all_done, commands, examples, price, similar
from bot.replies.words import (
    accent,
    confirmation,
    game_name,
    host_name,
    name_of,
    names,
    now_playing,
    say,
    short,
    up,
    within,
)
from bot.requests import Board, Close, Decide, End, Menu, Missed, Play, Resign, Stamp
from bot.runtime.clock import from_ms
from bot.tables import votes
from bot.tables.logbook import Revealed
from bot.tables.preferences import hours
from bot.tables.table import Denied, Entry, Phase, Table, TableId, hides_anything, time_of, time_of_phase
from bot.tables.waiting import Unreachable
from rules import Action, BadNotation, IllegalAction, State
from rules.contract import BadOption

MOST_LEGAL = 12  # maximum number of actions in a list


def toast(key: str, lang: str, /, **facts: object) -> Reply:
    """Return one line that may vanish."""
    return Reply(text=say(key, lang, **facts), role=Role.TOAST)


def promise(key: str, lang: str, /, **facts: object) -> Reply:
    """Return a toast about something that will be posted for everybody."""
    return replace(toast(key, lang, **facts), role=Role.PROMISE)


def note(key: str, lang: str, /, **facts: object) -> Reply:
    return Reply(text=say(key, lang, **facts))


def asked(table: Table, person: PersonId, lang: str) -> Reply:
    """Return the confirmation that *person*'s question went to the others at *table*."""
    others = [other for other in votes.people(table) if other != person]
    if len(others) == 1:
        return toast("asked.one", lang, who=name_of(table, others[0], lang))
    return toast("asked", lang)


def agreed(before: Table, after: Table, lang: str) -> Reply:
    """Return the confirmation that one more person agreed to the question open *before*."""
    assert before.ask is not None
    if after.ask is not None:  # other players have not agreed yet
        return toast("noted", lang)
    return toast({"end": "ended", "substitute": "substitute.begun"}.get(before.ask.what, "undone"), lang)


def refused_vote(before: Table, after: Table, state: State | None, person: PersonId, lang: str) -> Reply:
    """Return the confirmation that *person* refused the question open *before*; *after* is the table afterwards."""
    if before.ask is not None and person == before.ask.agreed[0]:
        return toast("vote.withdrawn", lang)
    if after.ask is None or state is None:
        return toast("vote.no", lang)
    silent = votes.silent(after, state)
    counts = silent is None or after.seats[silent].person != person
    return toast("vote.no.open" if counts else "vote.no.silent", lang)


def decided(after: Table, seat: int, lang: str) -> Reply:
    """Return the confirmation of a decision about the late *seat*."""
    who = names(after, lang)[seat]
    if after.has_stand_in:
        return toast("deputy", lang, who=who)
    return toast("event.taken", lang, who=who) if after.seats[seat].house else toast("noted", lang)


def denied(no: Denied, lang: str, at: Table | None = None, *, starts: bool = False) -> Reply:
    """Return the refusal as a message. A *table* in its facts is opened by a button, and a *link* leads to its
    board. A *paused* table is the reader's own and cannot go on because another one is *on*. *people* in its facts
    sit *at* the table of the request. An *unfit* value of an option of *game* is explained, with an *example*.
    *starts*: the reader may start the game."""
    paused, on = no.facts.get("paused"), no.facts.get("on")
    if isinstance(paused, Table) and isinstance(on, Table):
        return stays_paused(paused, on, lang)
    code = "not_running.yours" if starts and no.code == "not_running" else no.code
    if code == "not_playing" and at is not None and at.phase == Phase.LOBBY:
        code = "not_playing.yet"
    if no.facts.get("late"):
        code = f"{code}.late"
    facts, people = no.facts, cast("Sequence[PersonId]", no.facts.get("people", ()))
    if at is not None and people:
        facts = {**facts, "who": texts.listed([name_of(at, person, lang) for person in people], lang)}
    unfit = no.facts.get("unfit")
    if isinstance(unfit, BadOption):
        why = texts.say(str(no.facts["game"]), f"unfit.{unfit.code}", lang, detail=short(unfit.detail))
        example = no.facts.get("example")
        shows = [] if example is None else [say("denied.unfit.example", lang, example=example)]
        return Reply(text="\n".join([why, *shows]))
    said = note(f"denied.{code}", lang, **facts)
    if code == "not_playing.yet" and at is not None:
        said = replace(said, expires=Expiry(time_of(at)))
    table, link = no.facts.get("table"), no.facts.get("link")
    if link is not None:
        return replace(said, rows=((Button(say("button.to_board", lang), link=str(link)),),))
    return said if table is None else replace(said, rows=((resume(TableId(str(table)), lang),),))


def may_open_thread(access: ThreadAccess) -> bool:
    """Return whether a person with this *access* could get a thread: at once, or if the bot got the permission."""
    return access not in (ThreadAccess.UNSUPPORTED, ThreadAccess.FORBIDDEN)


def other_game(
    table: Table,
    person: PersonId,
    lang: str,
    manages: bool,
    rests_in: timedelta | None = None,
    beside: ThreadAccess = ThreadAccess.UNSUPPORTED,
    wanted: str = "",
) -> Reply:
    """Return the answer if another table occupies the place: its players and managers may end it. *rests_in*: when
    it makes room by itself, or None. *wanted*: the payload of the button that opens the new table *beside* it."""
    running = table.phase == Phase.RUNNING
    seated = table.seat_of(person) is not None
    may_end = seated or manages
    lobby = "denied.place_lobby" + (".seated" if seated else "" if manages else ".guest")
    taken = "denied.place_taken" if may_end else "denied.place_taken.guest"
    facts = {"game": game_name(table.game, lang), "who": host_name(table, lang)}
    text = say(taken if running else lobby, lang, **facts)
    people = votes.people(table)
    if rests_in is not None and not seated:
        who, remaining = name_of(table, people[0], lang), duration(rests_in, lang)
        text = f"{text} {say('denied.place_taken.rests', lang, who=who, left=remaining)}"
    shows = say("button.board" if running else "button.table", lang)
    board = button(Board(table.id), lang, label=shows)
    buttons = [board]
    if running and may_end:
        at_once = manages or people == [person]
        ends = say("button.end_game" if at_once else "more.end.ask", lang)
        buttons.append(button(End(table.id, Stamp.of(table)), lang, label=ends))
    if wanted and may_open_thread(beside):
        if beside is ThreadAccess.BOT_FORBIDDEN:
            text = f"{text} {say('denied.no_thread.lacking', lang)}"
        else:
            buttons.insert(0, Button(say("button.thread", lang), wanted, Style.MAIN))
    return Reply(text=text, rows=(tuple(buttons),), expires=Expiry(time_of_phase(table)))


def stays_paused(table: Table, on: Table, lang: str, rests_in: timedelta | None = None, *, own: bool = False) -> Reply:
    """Return the answer if a resting *table* cannot go on because another one is *on*. *rests_in*: when that one
    makes room by itself, or None. *own*: the reader opened it."""
    running = on.phase == Phase.RUNNING
    facts = {"game": game_name(on.game, lang), "mine": game_name(table.game, lang), "who": host_name(on, lang)}
    key = "denied.wakes" if running else "denied.wakes.own" if own else "denied.wakes.lobby"
    if rests_in is not None and not own:
        key = "denied.wakes.rests"
        facts |= {"who": name_of(on, votes.people(on)[0], lang), "left": duration(rests_in, lang)}
    shows = say("button.board" if running else "button.table", lang)
    board = button(Board(on.id), lang, label=shows)
    return Reply(text=say(key, lang, **facts), rows=((board,),), expires=Expiry(time_of_phase(on)))


def unreachable(table: Table, now: datetime, lang: str) -> str:
    """Return since when and why the place of *table* takes no posts, that no time runs, and what an admin can do."""
    assert isinstance(table.waiting, Unreachable)
    since, why = duration(now - from_ms(table.waiting.since_ms), lang), table.waiting.obstacle
    known = why if why in tuple(Obstacle) else Obstacle.UNKNOWN
    return " ".join((say("unreachable", lang, since=since), say(f"unreachable.{known}", lang)))


def instead(said: Reply, before: Table, lang: str) -> Reply:
    """Return *said* with a note that the table *before* now rests, if it does."""
    if not before.is_resting:
        return said
    return replace(said, text=f"{said.text} {say('rests.instead', lang, game=game_name(before.game, lang))}")


def opened_beside(table: Table, link: str, lang: str) -> Reply:
    """Return the note that *table* was opened in a thread, with a *link*."""
    way = Button(say("button.to_thread", lang), link=link)
    return Reply(text=say("lobby.beside", lang, game=game_name(table.game, lang)), rows=((way,),))


def not_your_turn(table: Table, view: State, seat: int, lang: str) -> Reply:
    """Return the reason why *seat* cannot act: another seat is the actor, and *seat* may be out. *view* is a
    spectator's."""
    assert view.actor is not None
    key = "view.waiting" if seat == table.interrupted else "denied.not_your_turn"
    turn = within(table, key, lang, who=now_playing(table, lang)[view.actor])
    return Reply(text=f"{texts.say(table.game, 'out', lang)} {turn}" if view.is_out(seat) else turn)


def refused(
    table: Table,
    view: State,
    error: IllegalAction | BadNotation,
    played: Sequence[Action],
    lang: str,
    *,
    secret: bool,
    meant: str = "",
) -> Reply:
    """Return a refusal by the rules: the rule and the legal alternatives. *view* is the actor's, after the actions
    *played* from the text *meant*. If that is similar to one action, a button plays it."""
    lines = [say("refused.after", lang, played=all_done(table.game, played, lang, goes_on=True))] if played else []
    typed, begun = isinstance(error, BadNotation), ""
    near = similar(table.game, view, meant) if typed else ()
    if isinstance(error, BadNotation) and error.missing is not None:
        lines.append(texts.say(table.game, f"no_{error.sort}", lang, detail=short(error.missing)))
    elif isinstance(error, BadNotation) and (begun := begun_examples(table, view, meant, lang)) and error.is_vague:
        if not near:
            lines.append(say("refused.begun", lang, detail=short(meant)))
    else:
        lines.append(rule(table.game, error, lang))
    possible = "" if begun or view.forgets else _possible(table.game, view, lang)  # legal caps would reveal colours
    helpless = not (possible or view.forgets)
    if near:
        shown = view if len(near) == 1 else None
        lines.append(say("refused.similar", lang, text=commands(table.game, (near,), lang, shown)))
    elif (typed or helpless) and (example := begun or examples(table.game, view, lang, f"{meant} {error.detail}")):
        lines.append(say("refused.example", lang, example=example))
    rows, expires = _tap(table, lang), None
    if len(near) == 1:
        play = Play(table.id, Stamp.of(table), view.actions().index(near[0]))
        label = action_text(table.game, near[0], lang) + price(table.game, view, near[0], lang)
        this = button(play, lang, Style.MAIN, label=label)
        rows, expires = ((this, button(Menu(table.id), lang)),), Expiry(time_of(table))
    return Reply(text="\n".join(filter(None, (*lines, possible))), rows=rows, secret=secret, expires=expires)


def rule(game: str, error: IllegalAction | BadNotation, lang: str) -> str:
    """Return the rule that refuses an action or a text."""
    detail = short(error.detail) if isinstance(error, BadNotation) else word(game, error.detail, lang)
    return texts.say(game, f"refused.{error.code}", lang, detail=detail)


def _possible(game: str, view: State, lang: str) -> str:
    """Return the actor's choices: all actions if there are few, otherwise their first parts, or "" if even those are
    too many."""
    actions = view.actions()
    if len(actions) <= MOST_LEGAL:
        return say("refused.legal", lang, actions=" · ".join(action_text(game, action, lang) for action in actions))
    firsts = {action.parts[0]: word(game, action.parts[0], lang) for action in actions}
    return say("refused.legal.first", lang, actions=" · ".join(firsts.values())) if len(firsts) <= MOST_LEGAL else ""


def _tap(table: Table, lang: str) -> tuple[tuple[Button, ...], ...]:
    return ((button(Menu(table.id), lang, Style.MAIN),),)


def sure(table: Table, view: State, action: Action, code: str, index: int, lang: str, secret: bool) -> Reply:
    """Return the question before an *action* that the actor may regret. *index*: its number at the table's revision.

    *secret*: the actor sees more than others, and the question could reveal it.
    """
    confirmed = Play(table.id, Stamp.of(table), index, sure=True)
    yes = button(confirmed, lang, Style.DANGER, label=texts.say(table.game, f"warn.{code}.yes", lang))
    no = button(Close(table.id), lang, label=say("button.rather_not", lang))
    meets = hint(table.game, view, action, len(action.parts) - 1, lang) if len(action.parts) > 1 else ""
    asked = " ".join(filter(None, (actions_text(table.game, view, (action,), lang), meets)))
    return Reply(
        title=f"{game_name(table.game, lang)} – {asked}",
        text=confirmation(table.game, code, lang),
        rows=((yes, no),),
        role=Role.MENU,
        secret=secret,
        expires=Expiry(time_of(table)),
        accent=accent(table, view.actor),
    )


def resign(table: Table, up: int | None, lang: str) -> Reply:
    """Return the question before a resignation; *up*: the actor's seat."""
    last = len(votes.people(table)) == 1
    key = "resign.two" if len(table.seats) == 2 else "resign.last" if last else "resign.more"
    yes = button(Resign(table.id, Stamp.of(table)), lang, Style.DANGER)
    no = button(Close(table.id), lang, label=say("button.no", lang))
    return Reply(
        text=say(key, lang),
        rows=((yes, no),),
        role=Role.MENU,
        expires=Expiry(time_of(table)),
        accent=accent(table, up),
    )


def end(table: Table, up: int | None, ended: Table, lang: str) -> Reply:
    """Return the question before a game ends at once. *up*: the actor's seat. *ended*: the table as it would be."""
    won = ended.result is not None and ended.result.winners  # no result: the linked table will end the game
    alone = len(votes.people(table)) == 1 and ended.result is not None and ended.result.by  # not a manager
    key = "end.sure.won" if won else "end.sure.alone" if alone else "end.sure"
    yes = button(End(table.id, Stamp.of(table), sure=True), lang, Style.DANGER)
    no = button(Close(table.id), lang, label=say("button.no", lang))
    late = "" if up is None else names(table, lang)[up]
    return Reply(
        text=say(key, lang, who=late),
        rows=((yes, no),),
        role=Role.MENU,
        expires=Expiry(time_of(table)),
        accent=accent(table, up),
    )


def taking(table: Table, late: int, after: Table, lang: str) -> Reply:
    """Return the question before the seat of a *late* player is taken. *after*: the table as it would be."""
    ends = after.phase == Phase.OVER  # the other player wins
    won = "seat.sure.two" if hours(table.clock) is not None else "end.sure.won"
    label = say("button.end" if ends else "button.seat.sure", lang)
    yes = button(Decide(table.id, Stamp.of(table), 2, sure=True), lang, Style.DANGER, label=label)
    no = button(Close(table.id), lang, label=say("button.seat.not", lang))
    return Reply(
        text=say(won if ends else "seat.sure", lang, who=names(table, lang)[late]),
        rows=((yes, no),),
        role=Role.MENU,
        expires=Expiry(time_of(table)),
        accent=accent(table, late),
    )


def ending_first(table: Table, late: int, lang: str) -> Reply:
    """Return the question before a game ends uncounted, because a *late* player has made no first move."""
    decided = Decide(table.id, Stamp.of(table), 3, sure=True)
    yes = button(decided, lang, Style.DANGER, label=say("button.end", lang))
    no = button(Close(table.id), lang, label=say("button.seat.not", lang))
    return Reply(
        text=say("first.sure", lang, who=names(table, lang)[late]),
        rows=((yes, no),),
        role=Role.MENU,
        expires=Expiry(time_of(table)),
        accent=accent(table, late),
    )


def not_ended(table: Table, up: int | None, lang: str) -> Reply:
    """Return the answer to a confirmation of `end` that came after the table changed; *up*: the actor's seat."""
    rows = ((button(Close(table.id), lang),),)
    return Reply(text=say("end.late", lang), rows=rows, role=Role.MENU, accent=accent(table, up))


def played(
    game: str, actions: Sequence[Action], lang: str, key: str = "played", followed: Sequence[Action] = ()
) -> Reply:
    """Return the confirmation of the actions played, in the words of the buttons, with a second line for forced
    actions that *followed*. *key*: the text's id."""
    alone = str(actions[0]) if len(actions) == 1 else ""
    if key == "played" and alone in ("pass", "draw"):
        key = f"played.{alone}"
    reply = toast(key, lang, action=all_done(game, actions, lang))
    if not followed:
        return reply
    return replace(reply, text=f"{reply.text}\n{say('played.follows', lang, action=all_done(game, followed, lang))}")


def finished(table: Table, view: State, seat: int, lang: str) -> Reply:
    """Return how the game ended for *seat*, which made the last move. *view*: any view of the last position."""
    return Reply(text=news.own_result(table, view, seat, lang), role=Role.TOAST)


def drawn(game: str, view: State, draw: Action, lang: str) -> Reply:
    """Return the confirmation of a *draw* action: the first one offers, the others agree."""
    return toast("draw.agreed" if hint(game, view, draw, 0, lang) else "draw.said", lang)


def own_view(
    table: Table,
    view: State,
    recent: Sequence[Entry],
    seat: int | None,
    picture: Picture,
    lang: str,
    *,
    secret: bool,
    moved_on: bool = False,
) -> Reply:
    """Return a player's own view: picture, position in words, legal actions. *view* is the seat's. *recent*: the
    newest of the log; they explain a finished game."""
    lines = [say("moved_on", lang)] if moved_on else []
    if table.phase == Phase.OVER:
        lines += [] if seat is None else [news.own_result(table, view, seat, lang)]
        lines.append(result(table, view, recent, lang))
    elif seat is not None and view.actor == seat and table.has_stand_in:
        lines.append(say("denied.deputy", lang))
    elif seat is not None and view.actor == seat:
        lines.append(within(table, "view.yours", lang))
        if len(view.actions()) <= MOST_LEGAL:
            lines.append(_possible(table.game, view, lang))
        else:
            lines.append(say("view.legal", lang, n=len(view.actions())))
    elif view.actor is not None:
        lines.append(up(table, view.actor, lang, reader=seat))
    if secret and table.phase == Phase.RUNNING and (about := texts.find(table.game, "hand.about", lang)):
        lines.append(about)  # the rules of a hand, shown with it
    may_move = seat is not None and view.actor == seat and table.phase == Phase.RUNNING and not table.has_stand_in
    return Reply(
        title=game_name(table.game, lang),
        text="\n".join(lines),
        picture=picture,
        rows=_tap(table, lang) if may_move else (),
        secret=secret,
        accent=accent(table, None if table.phase == Phase.OVER else view.actor),
    )


def with_beside(own: Reply, lines: Sequence[str], buttons: Sequence[Button]) -> Reply:
    """Return a player's own view with private *lines* above its text, and more *buttons*."""
    first, *rest = own.rows or ((),)
    assert not isinstance(first, Select)
    rows = ((*first, *buttons), *rest) if buttons else own.rows
    return replace(own, text="\n".join((*lines, own.text)), rows=rows, secret=own.secret or bool(lines))


def since(
    table: Table, view: State, seat: int, happened: Sequence[Entry], most: int, lang: str, *, numbered: bool = False
) -> Reply:
    """Return what has *happened* since the last turn of *seat*, a line for each turn, the newest *most*; the film or
    the board is still missing. *view*: the seat's. *numbered*: with numbers, which are on the board too."""
    assert view.actor is not None
    lines = news.posted(table, happened, lang)
    if numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    earlier = len(lines) - most
    if earlier > 0:
        lines = [say("news.more", lang, n=earlier), *lines[earlier:]]
    acts = view.actor == seat and not table.has_stand_in
    lines.append(within(table, "view.yours", lang) if acts else up(table, view.actor, lang, reader=seat))
    return Reply(
        title=say("missed.title", lang, game=game_name(table.game, lang)),
        text="\n".join(lines),
        rows=_tap(table, lang) if acts else (),
        secret=True,
        accent=accent(table, view.actor),
    )


def missed(table: Table, seat: int, boards: Sequence[Revealed], page: int, picture: Picture, lang: str) -> Reply:
    """Return one of the boards that *seat*, the actor, has missed; *page* counts from the oldest, *picture* shows
    it."""
    pages = len(boards)
    turn = (*pager(partial(Missed, table.id), page, pages, lang), button(Close(table.id), lang))
    return Reply(
        title=say("missed.title", lang, game=game_name(table.game, lang)),
        text="\n".join(news.lines(table, [boards[page].entry], lang)),
        picture=picture,
        rows=(turn,),
        role=Role.MENU,
        accent=accent(table, seat),
    )


def closed(lang: str) -> Reply:
    """Return the answer that closes a menu without a table."""
    return Reply(text=say("menu.closed", lang), role=Role.CLOSING)


def menu_closed(table: Table, state: State | None, recent: Sequence[Entry], lang: str) -> Reply:
    """Return the answer that closes a menu; if a public message carried the menu, that message gets its own buttons
    back. *recent*: the newest entries of the log."""
    if state is None:
        rows = lobby_rows(table, table.lang)
    else:
        rows = board_rows(table, state.view(None), table.lang, recent, hides=hides_anything(state))
    return Reply(text=say("menu.closed", lang), rows=rows, role=Role.CLOSING)
