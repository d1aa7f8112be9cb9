"""What is said to whom. Everything here is built from views: no full state comes this far.

Public replies speak the table's language, private ones the reader's.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import groupby

from msgspec.structs import replace

import texts
from bot import press
from bot.anonymous import is_gone
from bot.chat import Button, Call, Choice, Manner, Person, PersonId, Picture, Reply, Select, Style
from bot.commands import COMMANDS
from bot.menus import catching_up, draw_of, hint, kind, word
from bot.preferences import CLOCK, LATE, OF_PERSON, OF_PLACE, Setting, chosen
from bot.press import Verb
from bot.table import By, Denied, Entry, Missed, Phase, Table
from renderers import Look, SeatLook, Theme
from rules import GAMES, BadNotation, IllegalAction, News, Opening, Outcome, State

LONGEST_NAME = 40
MOST_NEWS = 8  # lines of one post
MOST_LEGAL = 12  # actions that a refusal lists


def say(key: str, lang: str, /, **facts: object) -> str:
    """A text of the table's own catalogue."""
    return texts.say("table", key, lang, **facts)


def short(name: str) -> str:
    """A person's name on one line and not too long.

    >>> short("Anna" + chr(10) + "B.")
    'Anna B.'
    """
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def names(table: Table, lang: str) -> tuple[str, ...]:
    """The seats' names; where two are called alike (or nothing at all) the player's number helps."""
    plain = [say("somebody", lang) if is_gone(seat.person) else short(seat.name) for seat in table.seats]
    return tuple(
        name if name and plain.count(name) == 1 else f"{name} ({say('player', lang, number=number)})".strip()
        for number, name in enumerate(plain, 1)
    )


def listed(items: Iterable[str], lang: str) -> str:
    """Items as a list in words: "Anna, Ben and Clara"."""
    *first, last = items
    return f"{', '.join(first)} {say('and', lang)} {last}" if first else last


def game_name(game: str, lang: str) -> str:
    return texts.say(game, "name", lang)


def look(table: Table, side: int | None, theme: Theme, lang: str) -> Look:
    """How a picture of the table looks from *side*."""
    ended = None
    if table.result is not None and table.result.of_table:
        scores = table.result.scores or (0,) * len(table.seats)
        ended = Outcome(scores, table.result.winners, table.result.reason)
    seats = tuple(
        SeatLook(name, seat.colour, seat.house) for name, seat in zip(names(table, lang), table.seats, strict=True)
    )
    return Look(seats=seats, side=side, theme=theme, lang=lang, ended=ended)


# In public


def lobby(table: Table, lang: str) -> Reply:
    """Who sits at the table, the game's options, and the buttons for joining and starting."""
    game = GAMES[table.game]
    free = game.seats[-1] - len(table.seats)
    lines = [
        texts.say(table.game, "tagline", lang),
        say("lobby.seats", lang, names="  ".join(_seat_in_lobby(table, n, lang) for n in range(len(table.seats)))),
        " · ".join(_chosen(table, lang)),
        say("lobby.free", lang, n=free, least=game.seats[0]),
    ]
    buttons = (
        Button(say("button.join", lang), press.write(Verb.JOIN, table.id), Style.MAIN),
        Button(say("button.start", lang), press.write(Verb.START, table.id), Style.MAIN),
        Button(say("button.options", lang), press.write(Verb.OPTIONS, table.id, 0)),
        Button(say("button.leave", lang), press.write(Verb.LEAVE, table.id)),
        Button(say("button.rules", lang), press.write(Verb.RULES, table.game, 0)),
    )
    return Reply(
        title=say("lobby.title", lang, game=game_name(table.game, lang)),
        text="\n".join(lines),
        rows=(buttons,),
    )


def _chosen(table: Table, lang: str) -> list[str]:
    """The options as they are set."""
    options = {option.name: table.options.get(option.name, option.default) for option in GAMES[table.game].options}
    return [
        f"{texts.say(table.game, f'option.{name}', lang)} ▸ {texts.say(table.game, f'option.{name}.{choice}', lang)}"
        for name, choice in options.items()
    ] + [f"{say('setting.clock', lang)} ▸ {say(f'setting.clock.{table.clock}', lang)}"]


SELECTS = 4  # on a page of options: a row is left for turning pages
LAST_PAGE = 99


def options(table: Table, person: PersonId, page: int, lang: str) -> Reply:
    """What *person* may choose before the game begins: the host the game's options, everybody a colour."""
    of_host = (*_option_selects(table, lang), *_clock_selects(table, lang)) if person == table.host else ()
    selects = [*of_host, *_colour_select(table, person, lang)]
    pages = max(1, -(-len(selects) // SELECTS))
    page = min(max(page, 0), pages - 1)
    rows: list[Select | tuple[Button, ...]] = list(selects[page * SELECTS : (page + 1) * SELECTS])
    turn = Button(f"{page + 1}/{pages} ▶", press.write(Verb.OPTIONS, table.id, (page + 1) % pages))
    done = Button(say("button.done", lang), press.write(Verb.CLOSE, table.id))
    rows.append((turn, done) if pages > 1 else (done,))
    key = "options.host" if person == table.host else "options.guest" if selects else "options.none"
    return Reply(text=say(key, lang, who=host_name(table)), rows=tuple(rows), manner=Manner.MENU)


def host_name(table: Table) -> str:
    return next((short(seat.name) for seat in table.seats if seat.person == table.host), "")


def _seat_in_lobby(table: Table, number: int, lang: str) -> str:
    seat = table.seats[number]
    colour = f"({say(f'colour.{seat.colour}', lang)})" if seat.colour else ""
    host = "★" if seat.person == table.host else "•"
    return " ".join(filter(None, (host, names(table, lang)[number], colour)))


def _option_selects(table: Table, lang: str) -> tuple[Select, ...]:
    return tuple(
        Select(
            texts.say(table.game, f"option.{option.name}", lang),
            press.write(Verb.OPTION, table.id, number),
            tuple(
                Choice(
                    texts.say(table.game, f"option.{option.name}.{choice}", lang),
                    press.write(Verb.OPTION, table.id, number, index),
                    chosen=table.options.get(option.name, option.default) == choice,
                )
                for index, choice in enumerate(option.choices)
            ),
        )
        for number, option in enumerate(GAMES[table.game].options)
    )


def _clock_selects(table: Table, lang: str) -> tuple[Select, ...]:
    return (
        _select(CLOCK, table.clock, lang, Verb.CLOCK, table.id),
        _select(LATE, table.late, lang, Verb.LATE, table.id),
    )


def _select(setting: Setting, value: str, lang: str, verb: Verb, word: str, *numbers: int) -> Select:
    """A setting as a select; the payload ends with the number of the choice."""
    return Select(
        say(f"setting.{setting.name}", lang),
        press.write(verb, word, *numbers),
        tuple(
            Choice(_choice(setting, choice, lang), press.write(verb, word, *numbers, index), chosen=choice == value)
            for index, choice in enumerate(setting.choices)
        ),
    )


def _choice(setting: Setting, choice: str, lang: str) -> str:
    """A choice in words; names of languages and zones stand for themselves."""
    return texts.find("table", f"setting.{setting.name}.{choice}", lang) or choice.replace("_", " ")


def settings(scope: str, values: Mapping[str, str], page: int, manages: bool, lang: str) -> Reply:
    """The settings of the reader ("me") or of this place, in pages."""
    kinds = OF_PLACE if scope == "place" else OF_PERSON
    pages = -(-len(kinds) // SELECTS)
    page = min(max(page, 0), pages - 1)
    selects = tuple(
        _select(kind, chosen(kind, values), lang, Verb.SET, scope, number)
        for number, kind in enumerate(kinds)
        if number // SELECTS == page
    )
    way = [Button(f"{page + 1}/{pages} ▶", press.write(Verb.SETTINGS, scope, (page + 1) % pages))]
    if manages:
        other = "me" if scope == "place" else "place"
        way.append(Button(say(f"settings.{other}", lang), press.write(Verb.SETTINGS, other, 0)))
    if scope != "place":
        way.append(Button(say("button.privacy", lang), press.write(Verb.PRIVACY)))
    return Reply(
        title=say(f"settings.{scope}", lang),
        text=say(f"settings.{scope}.about", lang),
        rows=(*selects, tuple(way)),
        manner=Manner.MENU,
    )


def _colour_select(table: Table, person: PersonId, lang: str) -> tuple[Select, ...]:
    seat = table.seat_of(person)
    if seat is None:
        return ()
    taken = {each.colour for each in table.seats if each.person != person}
    choices = tuple(
        Choice(
            say(f"colour.{colour}", lang),
            press.write(Verb.COLOUR, table.id, index),
            chosen=table.seats[seat].colour == colour,
        )
        for index, colour in enumerate(GAMES[table.game].colours)
        if colour not in taken
    )
    return (Select(say("lobby.colour", lang), press.write(Verb.COLOUR, table.id), choices),) if choices else ()


def closed_lobby(table: Table, lang: str) -> Reply:
    """A lobby that ended before the game began."""
    return Reply(
        title=say("lobby.title", lang, game=game_name(table.game, lang)),
        text=say("lobby.closed", lang),
        rows=((Button(say("button.again", lang), press.write(Verb.NEW, table.game)),),),
    )


def board(
    table: Table,
    view: State,
    entries: Sequence[Entry],
    picture: Picture,
    lang: str,
    ping: bool = True,
    offers: tuple[tuple[Button, ...] | Select, ...] = (),
) -> Reply:
    """The board as everybody sees it: what was played, who is to act, how it ended. *view* is a spectator's.

    *ping*: whether the actor may be called now.
    """
    lines = _told(table, entries, lang)
    if len(lines) > MOST_NEWS:
        lines = [say("news.more", lang, n=len(lines) - MOST_NEWS), *lines[-MOST_NEWS:]]
    if not entries and table.phase == Phase.RUNNING:
        lines.append(say("news.start", lang, names=listed(names(table, lang), lang)))
        lines += [news_line(table, each, lang) for each in (view.opening() if isinstance(view, Opening) else ())]
    if table.phase == Phase.RUNNING and table.turn == 0 and not table.overdue:
        lines.append(say("luck.promise", lang, hash=table.commitment))
    call = None
    if table.phase == Phase.OVER:
        lines.append(result(table, lang))
    else:
        if table.ask is not None:
            lines.append(_asked(table, lang))
        if view.actor is not None and ping and not table.overdue:
            call = calling(table, view.actor, "call", lang, what=_awaited(table, view, lang))
        elif table.overdue and view.actor is not None:
            lines.append(say("late", lang, who=names(table, lang)[view.actor]))
        elif view.actor is not None:
            who = say("view.theirs", lang, who=names(table, lang)[view.actor])
            lines.append(f"{who} {_awaited(table, view, lang)}")
    return Reply(
        title=game_name(table.game, lang),
        text="\n".join(lines),
        picture=picture,
        rows=board_rows(table, view, lang),
        call=call,
        offers=offers,
    )


def _awaited(table: Table, view: State, lang: str) -> str:
    """What everybody waits for, in words: the first question of the actor's menu."""
    action = next(iter(view.actions()), None)
    return "" if action is None else texts.say(table.game, f"ask.{kind(action)}.0", lang)


def begun(table: Table, lang: str) -> Reply:
    """What stays of a lobby whose game has begun: who plays, and what was promised."""
    lines = [
        say("news.start", lang, names=listed(names(table, lang), lang)),
        say("luck.promise", lang, hash=table.commitment),
    ]
    return Reply(title=game_name(table.game, lang), text="\n".join(lines))


def covered(table: Table, picture: Picture, lang: str) -> Reply:
    """What stands in place of a board that nobody may look back at. *picture*: a board that tells nothing."""
    said = say("board.covered", lang)
    return Reply(title=game_name(table.game, lang), text=said, picture=replace(picture, alt=said))


def uncovered(lang: str) -> Reply:
    """A hint for whoever manages the place: the platform lets old boards be seen for ever."""
    return Reply(text=say("board.uncovered", lang))


def calling(table: Table, seat: int, key: str, lang: str, /, **facts: object) -> Call:
    """The line that calls the person of *seat*."""
    person = table.seats[seat]
    return Call(Person(person.person, short(person.name), person.lang), say(key, lang, person="{person}", **facts))


def reminder(table: Table, seat: int, stage: str, left: timedelta | None, lang: str) -> Reply:
    """A call to the one person whose time runs. The buttons stay with the board."""
    facts = {} if left is None else {"left": duration(left, lang)}
    return Reply(call=calling(table, seat, f"remind.{stage}", lang, game=game_name(table.game, lang), **facts))


def duration(length: timedelta, lang: str) -> str:
    """A length of time in words, in the one unit that fits."""
    from babel.dates import format_timedelta

    return str(format_timedelta(length, granularity="minute", threshold=1.5, locale=lang))


def _asked(table: Table, lang: str) -> str:
    """What somebody asks the others, and how many agree."""
    assert table.ask is not None
    asker = next(
        (
            name
            for name, seat in zip(names(table, lang), table.seats, strict=True)
            if seat.person == table.ask.agreed[0]
        ),
        "",
    )
    players = sum(not seat.house for seat in table.seats)
    return say(f"ask.{table.ask.what}", lang, who=asker, n=len(table.ask.agreed), all=players)


def board_rows(table: Table, view: State | None, lang: str) -> tuple[tuple[Button, ...], ...]:
    """The buttons under a board; *view* is a spectator's."""
    rules = Button(say("button.rules", lang), press.write(Verb.RULES, table.game, 0))
    if table.phase == Phase.OVER:
        again = Button(say("button.again", lang), press.write(Verb.AGAIN, table.id), Style.MAIN)
        history = Button(say("button.history", lang), press.write(Verb.HISTORY, table.id, 0))
        film = Button(say("button.replay", lang), press.write(Verb.REPLAY, table.id))
        luck = Button(say("button.verify", lang), press.write(Verb.VERIFY, table.id))
        return ((again, history, film, luck, rules),)
    draw = () if view is None or table.phase != Phase.RUNNING else _draw_button(table, view, lang)
    own = () if view is None else catching_up(table, view, lang)
    row = (
        Button(say("button.move", lang), press.write(Verb.MENU, table.id), Style.MAIN),
        # A board that may not stay is seen here and nowhere else; but what was missed can be caught up on.
        *(own or (Button(own_label(table.game, lang), press.write(Verb.VIEW, table.id)),)),
        *draw,
        rules,
    )
    if table.overdue:
        there = (table.id, table.revision)
        decide = (
            Button(say("button.wait", lang), press.write(Verb.DECIDE, *there, 0)),
            Button(say("button.house", lang), press.write(Verb.DECIDE, *there, 1)),
            Button(say("button.seat", lang), press.write(Verb.DECIDE, *there, 2), Style.DANGER),
        )
        return (row, decide)
    if table.ask is None:
        return (row,)
    answer = (
        Button(say("button.agree", lang), press.write(Verb.AGREE, table.id, table.ask.revision), Style.MAIN),
        Button(say("button.refuse", lang), press.write(Verb.REFUSE, table.id, table.ask.revision)),
    )
    return (row, answer)


def own_label(game: str, lang: str) -> str:
    """What the button for one's own view reads: a game with hands says so."""
    return texts.find(game, "hand", lang) or say("button.view", lang)


def _draw_button(table: Table, view: State, lang: str) -> tuple[Button, ...]:
    """The button that offers a draw, or, with the words of the game's hint, agrees to one; () where there is none."""
    draw = draw_of(table.game, view)
    if draw is None:
        return ()
    label = hint(table.game, view, draw, 0, lang) or say("button.draw", lang)
    return (Button(label, press.write(Verb.DRAW, table.id)),)


def entry_lines(table: Table, entry: Entry, lang: str) -> list[str]:
    """What an entry of the log tells, in words."""
    return _told(table, (entry,), lang)


def _told(table: Table, entries: Iterable[Entry], lang: str) -> list[str]:
    """What happened, in lines; what one seat did in one turn is one of them where the game has brief words for it."""
    lines: list[str] = []
    for (seat, _, house, event), group in groupby(
        entries, lambda each: (each.seat, each.turn, each.by == By.HOUSE, each.event)
    ):
        if event:
            lines += [say(f"event.{event}", lang, who=names(table, lang)[seat], n=each.back) for each in group]
            continue
        said = _turn_lines(table, [news for each in group for news in each.news], lang)
        if house and said:
            said[0] = say("news.house", lang, line=said[0])
        lines += said
    return lines


def _turn_lines(table: Table, turn: Sequence[News], lang: str) -> list[str]:
    """The news of one seat's turn: those with a text ``brief.<code>`` are put together, and of two in a row where the
    second tells all facts of the first, only the second counts."""
    counts = [
        news
        for news, after in zip(turn, (*turn[1:], None), strict=True)
        if after is None or not (_is_brief(table, news) and _is_brief(table, after) and _tells(after, news))
    ]
    lines: list[str] = []
    for brief, group in groupby(counts, lambda news: _is_brief(table, news)):
        told = list(group)
        if brief and len(turn) > 1:
            parts = [texts.say(table.game, f"brief.{news.code}", lang, **_facts(table, news, lang)) for news in told]
            who = "" if told[0].seat is None else names(table, lang)[told[0].seat]
            lines.append(say("news.turn", lang, who=who, turn=", ".join(parts)))
        else:
            lines += [news_line(table, news, lang) for news in told]
    return lines


def _is_brief(table: Table, news: News) -> bool:
    return news.seat is not None and texts.knows(table.game, f"brief.{news.code}")


def _tells(news: News, other: News) -> bool:
    """Whether *news* has all facts of *other*."""
    return news.seat == other.seat and set(other.facts) <= set(news.facts)


def _facts(table: Table, news: News, lang: str) -> dict[str, str]:
    facts = {name: texts.find(table.game, f"part.{word}", lang) or word for name, word in news.facts}
    return facts if news.seat is None else {**facts, "who": names(table, lang)[news.seat]}


def news_line(table: Table, news: News, lang: str) -> str:
    """One thing that happened, in words."""
    return texts.say(table.game, f"news.{news.code}", lang, **_facts(table, news, lang))


def result(table: Table, lang: str) -> str:
    """How the table ended: why, who won, the points."""
    ended = table.result
    assert ended is not None
    people = names(table, lang)
    winners = [people[seat] for seat in ended.winners]
    domain, key = ("table", "result") if ended.of_table else (table.game, "reason")
    lines = [
        texts.say(
            domain, f"{key}.{ended.reason}", lang, n=len(winners), winners=listed(winners, lang) if winners else ""
        )
    ]
    if ended.scores is not None:
        lines.append(" · ".join(f"{name} {points}" for name, points in zip(people, ended.scores, strict=True)))
    return "\n".join(lines)


# In private


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


def not_your_turn(table: Table, view: State, lang: str) -> Reply:
    assert view.actor is not None
    return note("denied.not_your_turn", lang, who=names(table, lang)[view.actor])


def refused(
    table: Table, view: State, error: IllegalAction | BadNotation, played: Sequence[str], lang: str, secret: bool
) -> Reply:
    """The rules said no: which rule, and what would be legal. *view* is the actor's, after what was *played*."""
    lines = [say("refused.after", lang, played=" ".join(played))] if played else []
    lines.append(texts.say(table.game, f"refused.{error.code}", lang, detail=short(error.detail)))
    actions = view.actions()
    if isinstance(error, BadNotation):
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


def own_view(
    table: Table, view: State, seat: int | None, picture: Picture, lang: str, *, secret: bool, moved_on: bool = False
) -> Reply:
    """A player's own view of the board: picture, position in words, what can be played. *view* is that seat's."""
    lines = [say("moved_on", lang)] if moved_on else []
    if table.phase == Phase.OVER:
        lines.append(result(table, lang))
    elif seat is not None and view.actor == seat:
        lines.append(say("view.yours", lang))
        lines.append(say("view.legal", lang, n=len(view.actions()), example=texts.say(table.game, "example", lang)))
    elif view.actor is not None:
        lines.append(say("view.theirs", lang, who=names(table, lang)[view.actor]))
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
        text="\n".join(_told(table, [found[page].entry], lang)),
        picture=picture,
        rows=(turn,),
        manner=Manner.MENU,
    )


def menu_closed(table: Table, view: State | None, lang: str) -> Reply:
    """The menu goes; where a public message carried it, that message's own buttons come back."""
    rows = lobby(table, lang).rows if table.phase == Phase.LOBBY else board_rows(table, view, lang)
    return Reply(text=say("menu.closed", lang), rows=rows, manner=Manner.MENU)


def games(lang: str, key: str = "newgame") -> Reply:
    """Which games there are, a button each."""
    lines = [say(key, lang)] + [
        f"{texts.say(game, 'name', lang)}: {texts.say(game, 'tagline', lang)} {texts.say(game, 'players', lang)}"
        for game in GAMES
    ]
    buttons = [Button(texts.say(game, "name", lang), press.write(Verb.NEW, game), Style.MAIN) for game in GAMES]
    return Reply(text="\n".join(lines), rows=_in_rows(buttons, 3))


def rules_of(lang: str) -> Reply:
    """Which game's rules?"""
    return Reply(text=say("rules.which", lang), rows=_in_rows(_rules_buttons(lang), 2), manner=Manner.MENU)


def _rules_buttons(lang: str) -> list[Button]:
    return [
        Button(say("button.rules_of", lang, game=texts.say(game, "name", lang)), press.write(Verb.RULES, game, 0))
        for game in GAMES
    ]


def _in_rows(buttons: Sequence[Button], width: int) -> tuple[tuple[Button, ...], ...]:
    return tuple(tuple(buttons[first : first + width]) for first in range(0, len(buttons), width))


def my_games(person: PersonId, tables: Sequence[tuple[Table, State | None]], lang: str) -> Reply:
    """A person's tables everywhere, with a spectator's view each; those that wait for the person come first."""
    lines = [(_whose(table, view, person, lang), table) for table, view in tables]
    lines.sort(key=lambda line: (line[0] != say("games.yours", lang), -line[1].created_ms))
    said = [f"{game_name(table.game, lang)}: {whose}" for whose, table in lines]
    buttons = [
        Button(f"{game_name(table.game, lang)}: {say('button.view', lang)}", press.write(Verb.VIEW, table.id))
        for _, table in lines
        if table.phase == Phase.RUNNING
    ]
    return Reply(
        title=say("games.title", lang, n=len(lines)),
        text="\n".join(said[:20]),
        rows=_in_rows(buttons[:10], 2),
    )


def _whose(table: Table, view: State | None, person: PersonId, lang: str) -> str:
    if view is None or view.actor is None:
        return say("games.lobby", lang, n=len(table.seats))
    seat = table.seats[view.actor]
    return (
        say("games.yours", lang)
        if seat.person == person
        else say("view.theirs", lang, who=names(table, lang)[view.actor])
    )


PER_PAGE = 30  # actions on a page of the history


def history(table: Table, entries: Sequence[Entry], page: int, lang: str) -> Reply:
    """The actions so far in notation, a line for each seat's go; page 0 has the newest."""
    pages = max(1, -(-len(entries) // PER_PAGE))
    page = min(max(page, 0), pages - 1)
    first = max(0, len(entries) - (page + 1) * PER_PAGE)
    lines, people = list[str](), names(table, lang)
    for number, entry in enumerate(entries[first : len(entries) - page * PER_PAGE], first):
        same = number > first and entries[number - 1].turn == entry.turn and entries[number - 1].seat == entry.seat
        if same:
            lines[-1] += f" {entry.action}"
        else:
            lines.append(f"{number + 1}. {people[entry.seat]}: {entry.action}")
    turn = (
        Button("◀", press.write(Verb.HISTORY, table.id, (page + 1) % pages)),
        Button(f"{pages - page}/{pages} ▶", press.write(Verb.HISTORY, table.id, (page - 1) % pages)),
    )
    return Reply(
        title=say("history.title", lang, game=game_name(table.game, lang)),
        text="\n".join(lines) or say("history.empty", lang),
        rows=(turn,) if pages > 1 else (),
        manner=Manner.MENU,
    )


def rules(game: str, page: int, picture: Picture | None, lang: str) -> Reply:
    """A page of a game's rules; *page* counts from 0."""
    pages = rules_pages(game)
    turn = (
        Button("◀", press.write(Verb.RULES, game, (page - 1) % pages)),
        Button(f"{page + 1}/{pages} ▶", press.write(Verb.RULES, game, (page + 1) % pages), Style.MAIN),
    )
    title = f"{texts.say(game, 'name', lang)} – {texts.say(game, f'rules.{page + 1}.title', lang)}"
    text = texts.say(game, f"rules.{page + 1}.text", lang)
    if page == pages - 1:
        text += "\n\n" + texts.say(game, "credits", lang)
    return Reply(
        title=title,
        text=text,
        picture=None if picture is None else replace(picture, alt=title),
        rows=(turn,),
        manner=Manner.MENU,
    )


def rules_pages(game: str) -> int:
    """How many pages the rules of *game* have."""
    pages = 0
    while texts.knows(game, f"rules.{pages + 1}.title"):
        pages += 1
    return pages


def welcome(lang: str) -> Reply:
    """Three lines for whoever is new: who I am, how a game begins, how one plays."""
    games = [Button(texts.say(game, "name", lang), press.write(Verb.NEW, game), Style.MAIN) for game in GAMES]
    more = Button(say("button.help", lang), press.write(Verb.HELP))
    return Reply(title=say("welcome.title", lang), text=say("welcome", lang), rows=(*_in_rows(games, 3), (more,)))


def help_(lang: str) -> Reply:
    """What the bot can do: every command in a line, and the games."""
    lines = [say("help", lang)]
    lines += [f"/{command.name} – {say(f'command.{command.name}.about', lang)}" for command in COMMANDS]
    buttons = [Button(texts.say(game, "name", lang), press.write(Verb.NEW, game), Style.MAIN) for game in GAMES]
    return Reply(
        title=say("help.title", lang),
        text="\n".join(lines),
        rows=_in_rows(buttons, 3) + _in_rows(_rules_buttons(lang), 3),
    )
