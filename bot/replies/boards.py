"""The public post of a running or finished game: the board with its lines, its call and its buttons, in the table's
language."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

import renderers
import texts
from bot.chat import Button, Call, Card, Person, Post, PublicPicture, Reply, Select, Style
from bot.house.levels import Level
from bot.replies import choices, linking, news, voting
from bot.replies.buttons import button
from bot.replies.menus import catching_up, hint, legend, question
from bot.replies.news import news_line
from bot.replies.times import duration
from bot.replies.tree import draw_of
from bot.replies.words import banks_of_all, game_name, minutes, names, promise, say, short, up, within
from bot.requests import (
    Agree,
    Board,
    Decide,
    Draw,
    History,
    Menu,
    More,
    NewGame,
    QuestionStamp,
    Rematch,
    Seek,
    Share,
    ShowReview,
    Stamp,
    TakeSeat,
    TurnStamp,
    View,
    Vote,
)
from bot.tables import forced_actions, origins, rating, votes
from bot.tables.deadlines import Stage, is_first_move, turn_length
from bot.tables.preferences import hours
from bot.tables.seating import guests
from bot.tables.table import By, Entry, Offer, Phase, Step, Table, TableId
from renderers.notation import kind
from rules import State

MOST_LINES = 6
"""Lines of a post, title and call included: the picture comes first."""


def board(
    table: Table,
    view: State,
    entries: Sequence[Entry],
    picture: PublicPicture,
    lang: str,
    ping: bool = True,
    offers: tuple[tuple[Button, ...] | Select, ...] = (),
    *,
    opens: bool = False,
    hides: bool = True,
    recent: Sequence[Entry] = (),
    voters: int = 0,
    tells_vote: bool = False,
) -> Post:
    """Return the public post of a board: the last moves, the actor or the result. *view* is a spectator's; *hides*: a
    seat sees more. *recent*: the newest entries of the log. *voters*: of a channel that decides. *tells_vote*: the
    result of its newest vote is news.

    *ping*: the actor may be called now. *opens*: this is the first board; it adds the start order and the opening, even
    if moves have followed.
    """
    over = table.phase == Phase.OVER
    voted = () if table.tally is None or not tells_vote else voting.tally(table, view, table.tally, lang)
    if over:
        final = _final(table, view, entries, recent, picture, lang)
        return replace(final, text="\n".join(filter(None, (*voted, final.text))))
    events = news.posted(table, entries, lang)
    lines, small = list[str](), ""
    if opens and table.phase == Phase.RUNNING:
        order = [] if table.is_resting else [say("news.start", lang, names=" → ".join(names(table, lang)))]
        opening = view.opening_news() if table.turn == 0 else ()
        begins = " ".join((*order, *(news_line(table, item, lang) for item in opening)))
        events = [*choices.from_where(table, lang), *([begins] if begins else []), *events]
        small = promise(table, lang)
    if not table.is_resting:
        small = "  ".join(filter(None, (small, banks_of_all(table, lang))))
    call = None
    if table.is_resting:
        why = "rests.channel" if table.has_channel else "rests.unattended" if table.is_unattended else "rests"
        lines.append(say(why, lang))
    else:
        if table.ask is not None:
            lines.append(_asked(table, view, lang))
        elif table.declined is not None:
            who = names(table, lang)[table.declined.seat]
            lines.append(say(f"declined.{table.declined.what}", lang, who=who))
        for seat in table.offered:
            key = "sought.silent" if table.seats[seat].offer is Offer.SILENT else "sought"
            lines.append(say(key, lang, who=names(table, lang)[seat]))
        decides = forced_actions.decides(Step(table, view))
        waits = decides not in (By.HOUSE, By.REMOTE)
        away = linking.absent(table, lang) if decides == By.REMOTE else []
        if view.actor is not None and decides == By.CHANNEL:
            lines.append(voting.line(table, view.actor, voters, lang))
        elif view.actor is not None and ping and waits and not table.is_overdue:
            call = calling(table, view.actor, "call", lang, what=_awaited(table, view, offers, lang))
        elif table.is_overdue and view.actor is not None:
            why = "departed" if table.seats[view.actor].departed else "late"
            told_before = hours(table.clock) is None and why == "late"
            if not told_before and not any(entry.event.startswith(why) for entry in entries):
                lines.append(say(f"event.{why}", lang, who=names(table, lang)[view.actor]))
            lines.append(_deciding(table, view.actor, lang))
        elif view.actor is not None and waits:  # same words as with a ping
            who, what = names(table, lang)[view.actor], _awaited(table, view, offers, lang)
            lines.append(within(table, "call", lang, person=who, what=what))
        elif view.actor is not None:
            lines += away or [up(table, view.actor, lang)]
    room = MOST_LINES - 1 - len(voted) - len(lines) - bool(small) - (call is not None)
    if len(events) > room:
        dropped = len(events) - room + 1
        events = [say("news.more", lang, n=dropped), *events[dropped:]]
    return Post(
        title=game_name(table.game, lang),
        text="\n".join((*voted, *events, *lines)),
        small=small,
        picture=picture,
        rows=board_rows(table, view, lang, recent, hides=hides),
        call=call,
        offers=offers,
    )


def _final(
    table: Table,
    view: State,
    entries: Sequence[Entry],
    recent: Sequence[Entry],
    picture: PublicPicture,
    lang: str,
) -> Post:
    """Return the post of a finished game: a headline, how it was decided, and the turning point if it is known."""
    ends = news.decided(table, entries, lang), news.turned(table, lang), news.guessed(table, lang)
    lines = linking.own_result(table, lang), *ends, *choices.from_where(table, lang)
    return Post(
        title=news.headline(table, view, entries, lang),
        text="\n".join(filter(None, lines)),
        picture=picture,
        rows=board_rows(table, view, lang, recent),
        own=tuple(
            (seat.person, news.own_result(table, view, number, seat.lang or lang))
            for number, seat in enumerate(table.seats)
            if seat.is_played_by_person and table.result is not None and table.result.winners  # else the title says it
        ),
    )


def award(table: Table, picture: PublicPicture | None) -> Post:
    """Return the post below a finished game about a person's first win at this level, or about badges that are new to
    them. *picture*: the badge, or None if pictures are refused."""
    alt = say("alt.badge", table.lang, game=game_name(table.game, table.lang))
    shown = None if picture is None else replace(picture, alt=alt)
    return Post(text="\n".join(news.awards(table, table.lang)), picture=shown)


def _awaited(table: Table, view: State, offers: tuple[tuple[Button, ...] | Select, ...], lang: str) -> str:
    """Return the first question of the actor's menu as words for everybody. If *offers* is empty, a game may replace
    it by its own text ``call.<kind>``."""
    actions = view.actions()
    if not actions:
        return ""
    if not offers and (own_text := texts.find(table.game, f"call.{kind(actions[0])}", lang)):
        return own_text
    first = actions[0].parts[0]
    only = all(action.parts[0] == first for action in actions)
    return question(table.game, view, actions[0], 0, lang, only=only) + legend(table.game, actions[0], offers, lang)


def covered(table: Table, picture: PublicPicture | None, lang: str) -> Post:
    """Return the post that replaces a board that no player may look back at. *picture*: a board without information,
    or None if pictures are refused."""
    said = say("board.covered", lang)
    shown = None if picture is None else replace(picture, alt=said)
    return Post(title=game_name(table.game, lang), text=said, picture=shown)


def in_words(board: Post, lang: str, *, first: bool) -> Post:
    """Return *board* with its alternative text in place of the picture. *first*: also say that pictures are missing."""
    shown = "" if board.picture is None else board.picture.alt
    missing = say("board.unpictured", lang) if first else ""
    return replace(board, picture=None, text="\n\n".join(filter(None, (board.text, shown, missing))))


def after_thinking(board: Post) -> Post:
    """Return *board* without buttons and its last line, which says that the house is thinking."""
    return replace(board, text=board.text.rpartition("\n")[0], rows=(), offers=())


def untold(board: Post) -> Post:
    """Return *board* without picture and offers: the moves, the call, and the buttons that show the board to the
    actor alone."""
    return replace(board, picture=None, offers=())


def uncovered(lang: str) -> Post:
    """Return a hint for the managers of a place: the platform keeps old boards visible for ever."""
    return Post(text=say("board.uncovered", lang))


def elsewhere(board: Post, lang: str) -> Post:
    """Return the post that replaces *board* at the table's former place: the game goes on elsewhere."""
    return Post(title=board.title, text=say("board.away", lang), picture=board.picture)


def gone(lang: str) -> Post:
    """Return the post that replaces a deleted board."""
    return Post(text=say("moved_on.forgets", lang))


def calling(table: Table, seat: int, key: str, lang: str, /, **facts: object) -> Call:
    """Return the line that pings the person of *seat*."""
    person = table.seats[seat]
    text = within(table, key, lang, person="{person}", **facts)
    return Call(Person(person.person, short(person.name), person.lang), text)


def reminder(table: Table, seat: int, stage: Stage, remaining: timedelta | None, lang: str) -> Post:
    """Return a reminder for the person whose clock runs; shortly before the end it names the consequence. The
    buttons stay on the board."""
    facts = {} if remaining is None else {"left": duration(remaining, lang)}
    key = Stage.HALF if stage == Stage.SILENT else stage  # the same words
    call = calling(table, seat, f"remind.{key}", lang, game=game_name(table.game, lang), **facts)
    if stage in (Stage.LAST, Stage.SILENT):
        call = replace(call, text=f"{call.text} {_then(table, seat, lang)}")
    return Post(call=call)


def after_outage(
    table: Table, seat: int, length: timedelta, remaining: timedelta | None, lang: str, *, pings: bool
) -> Post:
    """Return the post after an outage of this *length*: no time was lost, and the turn goes on.

    *remaining*: the time for *seat*, or for the others if it is overdue; None without a clock. *pings*: *seat* may be
    called."""
    notice = say("outage", lang, away=duration(length, lang))
    if table.is_overdue:
        return Post(text=f"{notice}\n{_deciding(table, seat, lang, remaining)}")
    facts = {} if remaining is None else {"left": duration(remaining, lang)}
    key = Stage.CALLED if remaining is None else Stage.HALF
    call = calling(table, seat, f"remind.{key}", lang, game=game_name(table.game, lang), **facts)
    if pings:
        return Post(text=notice, call=call)
    uncalled = call.text.replace("{person}", call.person.name)
    return Post(text=f"{notice}\n{uncalled}")


def _then(table: Table, seat: int, lang: str) -> str:
    """Return the consequence for *seat* when its time is up, see `bot.tables.absence.time_is_up`."""
    others, has_clock = _others(table, seat, lang), hours(table.clock) is not None
    loses_seat = table.on_timeout == "seat" and (others or table.has_channel)
    consequence = "ask" if not has_clock else table.on_timeout if others or loses_seat else "play"
    if is_first_move(table, seat):
        return say("remind.then.first" if len(others) > 1 else "remind.then.first.one", lang, other=others[0])
    if table.has_channel and not others:
        if not has_clock:
            return say("remind.then.rest", lang)
        others = [names(table, lang)[number] for number, other in enumerate(table.seats) if other.is_channel]
    two = len(table.seats) == 2
    if consequence == "ask" and len(others) == 1:
        consequence = "ask.two" if two or not has_clock else "ask.one"
    elif consequence == "seat" and two:
        consequence = "seat.two"
    return say(f"remind.then.{consequence}", lang, other=others[0] if others else "")


def _others(table: Table, seat: int, lang: str) -> list[str]:
    """Return the names of the people who wait for *seat*."""
    called = enumerate(names(table, lang))
    return [name for number, name in called if number != seat and table.seats[number].is_played_by_person]


def _deciding(table: Table, seat: int, lang: str, remaining: timedelta | None = None) -> str:
    """Return the line that says who may decide about the late or silent *seat*, and until when.

    *remaining*: the time for that, None for all of it."""
    others, length = _others(table, seat, lang), turn_length(table, seat)
    facts = {"who": names(table, lang)[seat]} | (
        {} if length is None else {"left": duration(remaining or length, lang)}
    )
    key = "silent" if length is None else "late"
    if len(others) > 1:
        return say(key, lang, **facts)
    # With two seats a button ends the game; with more, that is behind "More".
    two = "last" if length is None and len(table.seats) > 2 else "two"
    return say(f"{key}.{two}", lang, other=others[0], **facts)


def _asked(table: Table, view: State, lang: str) -> str:
    """Return the line of an open question: who asks, how many agree, and how many more have to."""
    assert table.ask is not None
    asker = next(
        (
            name
            for name, seat in zip(names(table, lang), table.seats, strict=True)
            if seat.person == table.ask.agreed[0]
        ),
        "",
    )
    agreed, least = len(table.ask.agreed), votes.votes_needed(table, view)
    return say(f"ask.{table.ask.what}", lang, who=asker, n=agreed, more=least - agreed)


def board_rows(
    table: Table, view: State | None, lang: str, recent: Sequence[Entry] = (), *, hides: bool = True
) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under a board; *view* is a spectator's. *recent*: the newest entries of the log. *hides*: a
    seat sees more."""
    if table.phase == Phase.OVER:
        again = (button(Rematch(table.id), lang, Style.MAIN), *_levels(table, lang))
        if table.twin is not None:  # the other channel is not asked
            again = (button(NewGame(), lang),)
        review = (ShowReview(table.id),) if any(entry.action for entry in recent) else ()
        moves = (History(table.id), Share(table.id)) if table.turn else ()
        back = *review, *moves, More(table.id)
        return again, tuple(button(request, lang) for request in back)
    if table.is_resting:
        return ((resume(table.id, lang),),)
    agrees = () if view is None or table.phase != Phase.RUNNING else _agrees(table, view, lang)
    missed = () if view is None else catching_up(table, view, recent, lang)
    # A board that may not stay is visible only here; missed boards can be requested.
    forgets = view is not None and view.forgets
    own = () if forgets else _own_view(table, lang, hides=hides)
    row = (
        *_move(table, view, lang),
        *own,
        *missed,
        *agrees,
        *((button(History(table.id), lang),) if table.turn and not missed and not forgets else ()),
        button(More(table.id), lang),
    )
    decide: tuple[tuple[Button, ...], ...] = ()
    if table.is_overdue and view is not None and view.actor is not None:
        called = names(table, lang)
        ends = len(called) == 2  # the other player wins
        seat = say("button.seat.two", lang, other=called[1 - view.actor]) if ends else say("button.seat", lang)
        waits: tuple[Button, ...] = (
            button(Decide(table.id, Stamp.of(table), 0), lang, label=say("button.wait", lang)),
            button(Decide(table.id, Stamp.of(table), 1), lang, label=say("button.house", lang)),
        )
        first = is_first_move(table, view.actor)
        if not (first and ends):
            waits = (*waits, button(Decide(table.id, Stamp.of(table), 2), lang, Style.DANGER, label=seat))
        if first:
            end = button(Decide(table.id, Stamp.of(table), 3), lang, Style.DANGER, label=say("button.end.first", lang))
            waits = (*waits, end)
        seek = button(Seek(table.id, Stamp.of(table)), lang)
        late = table.seats[view.actor].person
        others = tuple(person for person in votes.people(table) if person != late)
        waits = tuple(replace(wait, whose=others) for wait in waits)
        decide = ((*waits, seek) if table.seats[view.actor].offer is None else waits,)
    takes = tuple(
        replace(
            button(TakeSeat(table.id, seat), lang, label=say("button.take", lang, who=names(table, lang)[seat])),
            done=tuple(table.sat),
        )
        for seat in table.offered
    )
    decide = (*decide, takes) if takes else decide
    if table.ask is None:
        return (row, *decide)
    question = QuestionStamp.of(table.ask)
    agree = button(Agree(table.id, question, True), lang, Style.MAIN, label=say("button.agree", lang))
    asked = tuple(person for person in votes.people(table) if person not in table.ask.agreed)
    answer = (
        replace(agree, whose=asked),
        button(Agree(table.id, question, False), lang, label=say("button.refuse", lang)),
    )
    return (row, *decide, answer)


def _own_view(table: Table, lang: str, *, hides: bool) -> tuple[Button, ...]:
    """Return the button of the reader's own view, for those whose view differs from the board; () without any. The
    board is drawn from the side of seat 0."""
    people = {seat.person: number for number, seat in enumerate(table.seats) if seat.is_played_by_person}
    same = tuple(person for person, number in people.items() if not number and not hides)
    if len(same) == len(people) or not (hides or renderers.is_turned(table.game)):
        return ()
    return (replace(button(View(table.id), lang, label=own_label(table.game, lang)), done=same),)


def _move(table: Table, view: State | None, lang: str) -> tuple[Button, ...]:
    """Return the button of the choices, which stands out for the actor; () while the house is the actor."""
    move = button(Menu(table.id), lang, Style.MAIN)
    if view is None or view.actor is None:
        return (move,)
    decides = forced_actions.decides(Step(table, view))
    if decides in (By.HOUSE, By.REMOTE):
        return ()
    if decides == By.CHANNEL:
        return (replace(button(Vote(table.id), lang, Style.MAIN), done=tuple(table.sat)),)
    return (replace(move, whose=(table.seats[view.actor].person,)),)


def _levels(table: Table, lang: str) -> tuple[Button, ...]:
    """Return the buttons of a rematch against a stronger house if people won, a weaker one if they lost, or both after
    a draw, as far as there are any; () after a game without winners, which tells nothing about the level."""
    assert table.result is not None
    winners = table.result.winners
    if not winners or not guests(table):
        return ()
    won = rating.won(table)
    lost = not won and len(winners) < len(table.seats)
    levels = list(Level)
    now = levels.index(Level(table.level))
    ways = (("easier", now - 1),) * (not won) + (("harder", now + 1),) * (not lost)
    return tuple(
        button(Rematch(table.id, level), lang, label=say(f"button.{key}", lang))
        for key, level in ways
        if 0 <= level < len(levels)
    )


def shared(table: Table, view: State, entries: Sequence[Entry], card: PublicPicture, lang: str) -> Reply:
    """Return the *card* of a finished game with a plain text to be pasted: game, result, names with their points,
    turns, duration. *view* is a spectator's."""
    people, points = names(table, lang), news.points(table, view)
    ended = f"{news.headline(table, view, entries, lang, pointed=False)}\n{news.decided(table, entries, lang)}"
    seated = " · ".join(people)
    if points is not None:
        seated = " · ".join(f"{people[seat]} {points[seat]}" for seat in news.ranked(table, points))
    elif all(name in ended for name in people):
        seated = ""
    lasted = duration(timedelta(minutes=minutes(table)), lang)
    length = say("share.length", lang, n=origins.length(table, view), duration=lasted)
    text = "\n".join(filter(None, (game_name(table.game, lang), ended, seated, length)))
    return Reply(picture=Card.of(card, text))


def resume(table: TableId, lang: str) -> Button:
    """Return the button that opens a resting table in the place in which it is pressed."""
    return button(Board(table), lang, Style.MAIN, label=say("button.resume", lang))


def own_label(game: str, lang: str) -> str:
    """Return the label of the button for the reader's own view; games with hands have their own word."""
    return texts.find(game, "hand", lang) or say("button.view", lang)


def _agrees(table: Table, view: State, lang: str) -> tuple[Button, ...]:
    """Return the button that agrees to a draw, labelled by the game's hint, or () if no player has offered one. A
    channel agrees by a vote."""
    if forced_actions.decides(Step(table, view)) in (By.CHANNEL, By.REMOTE):
        return ()
    draw = draw_of(table.game, view)
    agreed = "" if draw is None else hint(table.game, view, draw, 0, lang)
    return (button(Draw(table.id, TurnStamp.of(table)), lang, label=agreed),) if agreed else ()
