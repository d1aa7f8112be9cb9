"""The messages of two channels against each other: codes, questions of their managers, and the lines of boards."""

import texts
from bot.chat import Button, Reply, Role, Style
from bot.replies.buttons import button, close
from bot.replies.news import is_draw
from bot.replies.words import game_name, names, option_value, say, short
from bot.requests import (
    AnswerInvitation,
    Concede,
    ConfirmRival,
    DeclineRival,
    End,
    Learn,
    Options,
    RefuseInvitation,
    Rules,
    ShowCode,
    Stamp,
    TurnStamp,
)
from bot.tables import codes
from bot.tables.linking import name_of
from bot.tables.table import Absent, Phase, Table
from rules import GAMES


def named(name: str, lang: str) -> str:
    """Return the name of another channel for use in a line."""
    return short(name) or say("channel.other", lang)


def code(table: Table, lang: str) -> Reply:
    """Return the code of the invitation *table*, with the way to use it."""
    assert table.twin is not None
    return Reply(
        title=say("link.title", lang, game=game_name(table.game, lang)),
        text=say("link.code", lang, code=codes.spoken(table.twin.code)),
        secret=True,
    )


def answering(invitation: Table, words: tuple[int, ...], lang: str) -> Reply:
    """Return the question whether the channel of this place plays against the one of *invitation*.

    It is not secret: in a private chat its buttons would not know the place.
    """
    yes = button(AnswerInvitation(invitation.revision, words), lang, Style.MAIN, label=say("button.link.yes", lang))
    return Reply(
        title=say("link.title", lang, game=game_name(invitation.game, lang)),
        text=say("link.sure", lang, who=named(name_of(invitation), lang), terms=_terms(invitation, lang)),
        rows=((yes, button(RefuseInvitation(words), lang), close(lang)),),
        role=Role.MENU,
    )


def _terms(table: Table, lang: str) -> str:
    """Return the options of *table*, and the time for its votes."""
    options = [
        (texts.say(table.game, f"option.{option.name}", lang), option_value(table.game, option.name, value, lang))
        for option in GAMES[table.game].options
        if (value := table.options.get(option.name, option.default)) != option.default or not option.implied
    ]
    voting = (say("setting.voting", lang), say(f"setting.voting.{table.voting}", lang))
    return " · ".join(f"{label} ▸ {choice}" for label, choice in (*options, voting))


def answered(table: Table, lang: str) -> Reply:
    """Return the confirmation that the other channel is asked now."""
    return Reply(text=say("link.asked", lang, who=_rival(table, lang)), role=Role.MENU)


def blocked(name: str, lang: str) -> Reply:
    """Return the confirmation that the channel *name* is blocked."""
    return Reply(text=say("link.blocked", lang, who=named(name, lang)), role=Role.MENU)


def declined(table: Table, lang: str, *, forever: bool) -> Reply:
    """Return the confirmation that the other channel does not play."""
    return Reply(text=say("link.blocked" if forever else "link.declined", lang, who=_rival(table, lang)), secret=True)


def conceding(table: Table, lang: str) -> Reply:
    """Return the question whether the channel resigns."""
    yes = button(Concede(table.id, TurnStamp.of(table)), lang, Style.DANGER, label=say("button.link.resign.yes", lang))
    return Reply(
        text=say("link.resign", lang, who=_rival(table, lang)), rows=((yes, close(lang)),), role=Role.MENU, secret=True
    )


def waits(table: Table, lang: str) -> str:
    """Return the line of a lobby that says for whom it waits; "" if it is not linked."""
    if table.twin is None:
        return ""
    if not table.twin.table:
        return say("link.open", lang)
    return say("link.waits" if table.twin.joins else "link.answered", lang, who=_rival(table, lang))


def lobby_rows(table: Table, lang: str) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under the lobby of a linked table."""
    assert table.twin is not None
    ends = button(End(table.id, Stamp.of(table)), lang, label=say("button.link.close", lang))
    reads = button(Learn(table.game), lang), button(Rules(table.game), lang)
    if table.twin.joins:
        return (ends,), reads
    if not table.twin.table:
        return (button(ShowCode(table.id), lang, Style.MAIN), button(Options(table.id), lang), ends), reads
    stamp = Stamp.of(table)
    answer = (
        button(ConfirmRival(table.id, stamp), lang, Style.MAIN),
        button(DeclineRival(table.id, stamp), lang, label=say("button.link.no", lang)),
        button(DeclineRival(table.id, stamp, forever=True), lang, label=say("button.link.never", lang)),
    )
    return answer, (*reads, ends)


def absent(table: Table, lang: str) -> list[str]:
    """Return the line of a board that says why the other channel does not play now, or []."""
    if table.twin is None or table.twin.absent is Absent.NOT:
        return []
    return [say(f"link.{table.twin.absent}", lang, who=_rival(table, lang))]


def own_result(table: Table, lang: str) -> str:
    """Return how a game against another channel ended for this one; "" for other games."""
    own = table.own_channel
    if table.twin is None or own is None or table.phase != Phase.OVER or table.result is None or not table.lot:
        return ""
    winners = table.result.winners
    if not winners or is_draw(table):
        return ""
    key = "link.shared" if len(winners) > 1 else "link.won" if own in winners else "link.lost"
    return say(key, lang)


def _rival(table: Table, lang: str) -> str:
    """Return the name of the other channel at a linked table."""
    called = names(table, lang)
    return next((called[n] for n, seat in enumerate(table.seats) if seat.is_remote), say("channel.other", lang))
