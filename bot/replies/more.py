"""The menu *More*: everything else that a person can do at a table now, one button each."""

from msgspec import Struct

from bot.chat import Button, Manner, Reply, Style
from bot.replies.menus import hint
from bot.replies.tree import draw_of
from bot.replies.words import accent, advise, game_name, say
from bot.requests import payload
from bot.requests.payload import Verb
from bot.tables import rating, votes
from bot.tables.table import Table
from rules import State

WIDTH = 2  # buttons in a row: a phone shows both labels whole


class Ways(Struct, frozen=True):
    """The reader's possibilities. *plays*: has a seat. *acts*: is the actor. *undo*: freely (True), by asking the
    others (False), or not (None). *history*: there are moves. *end*: at once (True), by asking the others (False),
    or not (None)."""

    plays: bool
    acts: bool
    undo: bool | None
    history: bool
    end: bool | None


def more(table: Table, view: State, ways: Ways, lang: str) -> Reply:
    """Return the menu; *view* is the reader's.

    The menu is private. Spectators get one line about commands if the menu would have to go to another chat.
    """
    found = list[Button]()
    if ways.undo is not None:
        undo = "button.undo" if ways.undo else "more.undo.ask"
        found.append(Button(say(undo, lang), payload.stamped(Verb.UNDO, table)))
    draw = draw_of(table.game, view) if ways.acts else None
    if draw is not None:
        label = hint(table.game, view, draw, 0, lang) or say("button.draw", lang)
        found.append(Button(label, payload.of_turn(Verb.DRAW, table)))
    if ways.acts and not rating.counts(table):
        found.append(Button(advise("button.hint", lang), payload.write(Verb.HINT, table.id)))
    if ways.history:
        found.append(Button(say("more.history", lang), payload.write(Verb.HISTORY, table.id, 0)))
    found.append(Button(say("button.board", lang), payload.write(Verb.BOARD, table.id)))
    found.append(Button(say("button.rules", lang), payload.write(Verb.RULES, table.game, 0)))
    leave = list[Button]()
    if ways.plays:
        leave.append(Button(say("more.resign", lang), payload.write(Verb.RESIGN, table.id), Style.DANGER))
    if ways.end is not None:
        alone = ways.plays and len(votes.people(table)) == 1
        end = "button.end_game" if alone else "more.end" if ways.end else "more.end.ask"
        leave.append(Button(say(end, lang), payload.stamped(Verb.END, table)))
    close = Button(say("button.close", lang), payload.write(Verb.CLOSE, table.id))
    watching = ["more.watching", *(["more.watching.end"] if ways.end else [])]
    return Reply(
        title=game_name(table.game, lang),
        text=say("more", lang),
        rows=(*_in_rows(found), (*leave, close)),
        manner=Manner.MENU,
        secret=True,
        accent=accent(table, view.actor),
        brief="" if ways.plays else " ".join(say(each, lang) for each in watching),
    )


def _in_rows(buttons: list[Button]) -> list[tuple[Button, ...]]:
    return [tuple(buttons[first : first + WIDTH]) for first in range(0, len(buttons), WIDTH)]
