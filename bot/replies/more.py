"""The menu *More*: everything else that a person can do at a table now, or see after a game, one button each."""

from msgspec import Struct

from bot.chat import Button, Reply, Role, Style
from bot.replies.buttons import button, in_rows
from bot.replies.menus import hint
from bot.replies.tree import draw_of
from bot.replies.words import accent, game_name, names, say
from bot.requests import (
    Board,
    Close,
    Concede,
    Draw,
    End,
    GuessWinner,
    Hint,
    History,
    NewGame,
    Note,
    PlanTurn,
    PlayOn,
    Replay,
    Resign,
    Rules,
    Stamp,
    Substitute,
    TurnStamp,
    Undo,
    Verify,
)
from bot.tables import rating, votes
from bot.tables.table import Table
from rules import State

WIDTH = 2  # buttons in a row: a phone shows both labels whole


class Ways(Struct, frozen=True):
    """The reader's possibilities. *plays*: has a seat. *acts*: is the actor. *plans*: may plan a turn. *offers*: may
    look for a substitute. *undo*: freely (True), by asking the others (False), or not (None). *history*: there are
    moves. *end*: at once (True), by asking the others (False), or not (None). *moderates*: the buttons of a moderator
    while a vote is open. *guesses*: may still say who will win. *concedes*: may resign for the channel."""

    plays: bool
    acts: bool
    plans: bool
    offers: bool
    undo: bool | None
    history: bool
    end: bool | None
    moderates: tuple[tuple[Button, ...], ...] = ()
    guesses: bool = False
    concedes: bool = False


def more(table: Table, view: State, ways: Ways, lang: str) -> Reply:
    """Return the menu; *view* is the reader's.

    The menu is private. Spectators get one line about commands if the menu would have to go to another chat.
    """
    buttons = list[Button]()
    if ways.undo is not None:
        label = "" if ways.undo else say("more.undo.ask", lang)
        buttons.append(button(Undo(table.id, Stamp.of(table)), lang, label=label))
    draw = draw_of(table.game, view) if ways.acts else None
    if draw is not None:
        offer = Draw(table.id, TurnStamp.of(table))
        buttons.append(button(offer, lang, label=hint(table.game, view, draw, 0, lang)))
    if ways.acts and not rating.counts(table):
        buttons.append(button(Hint(table.id), lang))
    if ways.plans:
        buttons.append(button(PlanTurn(table.id), lang))
    if ways.plays:
        buttons.append(button(Note(table.id), lang))
    if ways.offers:
        buttons.append(button(Substitute(table.id), lang))
    if ways.history:
        buttons.append(button(History(table.id), lang, label=say("more.history", lang)))
    buttons += [button(Board(table.id), lang), button(Rules(table.game), lang)]
    leave = list[Button]()
    if ways.plays:
        leave.append(button(Resign(table.id), lang, Style.DANGER, label=say("more.resign", lang)))
    if ways.concedes:
        leave.append(button(Concede(table.id), lang, Style.DANGER))
    if ways.end is not None:
        alone = ways.plays and len(votes.people(table)) == 1
        end = "button.end_game" if alone else "more.end" if ways.end else "more.end.ask"
        leave.append(button(End(table.id, Stamp.of(table)), lang, label=say(end, lang)))
    watching = ["more.watching", *(["more.watching.end"] if ways.end else [])]
    return Reply(
        title=game_name(table.game, lang),
        text=say("more", lang),
        rows=(
            *in_rows(buttons, WIDTH),
            *_guesses(table, ways, lang),
            *ways.moderates,
            (*leave, button(Close(table.id), lang)),
        ),
        role=Role.MENU,
        secret=True,
        accent=accent(table, view.actor),
        brief="" if ways.plays or ways.moderates or ways.concedes else " ".join(say(key, lang) for key in watching),
    )


def _guesses(table: Table, ways: Ways, lang: str) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons with which a spectator says who will win."""
    if not ways.guesses:
        return ()
    seats = enumerate(names(table, lang))
    return in_rows(
        [button(GuessWinner(table.id, n), lang, label=say("button.guess", lang, who=who)) for n, who in seats], WIDTH
    )


def after(table: Table, lang: str, *, plays: bool, plays_on: bool) -> Reply:
    """Return the private menu of a finished game: what the final board does not offer. *plays*: the reader has played
    it. *plays_on*: it has a position from which others can play on."""
    ways = (*([Replay(table.id)] if table.turn else []), Verify(table.id), Rules(table.game), NewGame())
    play_on = [button(PlayOn(table.id), lang, label=say("more.play_on", lang))] if plays_on else []
    rows = in_rows([*(button(request, lang) for request in ways), *play_on], WIDTH)
    return Reply(
        title=game_name(table.game, lang),
        text=say("more.over", lang),
        brief="" if plays else say("more.over.watching", lang),
        rows=(*rows, (button(Close(table.id), lang),)),
        role=Role.MENU,
        secret=True,
    )
