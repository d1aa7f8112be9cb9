"""The messages of votes: the line of the board, the private menu of a vote, and the moderators' list."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

import texts
from bot.chat import Button, Picture, Reply, Role, Rows, Style
from bot.replies import wording
from bot.replies.buttons import button, close, in_rows, pager
from bot.replies.decision import OfTable
from bot.replies.menus import hint
from bot.replies.times import HOUR, clock, day
from bot.replies.tree import Path
from bot.replies.words import accent, confirmation, game_name, names, say, short
from bot.requests import CastVote, CloseVote, DropVoter, Request, Stamp, Vote, Voters
from bot.tables.deadlines import voting_closes
from bot.tables.preferences import VOTINGS
from bot.tables.table import Table, Tally
from bot.tables.voting import MOST_TURNS
from bot.tables.waiting import Voting
from rules import Action, State

ON_A_PAGE = 8  # names
LONG = 6 * HOUR
"""Time for a vote from which on the day of its end is told."""


class OfVote(OfTable):
    """The next decision of a vote for the turn of *seat*. *made*: the numbers of the actions so far."""

    def __init__(self, table: Table, stamp: Stamp, made: tuple[int, ...], seat: int) -> None:
        super().__init__(table, seat)
        self._stamp = stamp
        self._made = made

    def part(self, path: Path, page: int = 0) -> Request:
        return self._choices(self._made, page, path)

    def play(self, index: int) -> Request:
        return self._choices((*self._made, index))

    def undo(self) -> Request:
        return self._choices(self._made[:-1])

    def sure(self) -> Request:
        """Return the request that confirms the last action."""
        return Vote(self._table.id, self._stamp, len(self._made), 0, self._made, sure=True)

    def cast(self) -> Request:
        """Return the request that casts the vote."""
        return CastVote(self._table.id, self._stamp, self._made)

    def _choices(self, made: tuple[int, ...], page: int = 0, path: Path = ()) -> Request:
        return Vote(self._table.id, self._stamp, len(made), page, (*made, *path))


def until(table: Table, lang: str) -> str:
    """Return the time at which the vote closes at the latest, in UTC; "" if it has stopped."""
    closes = voting_closes(table)
    if closes is None:
        return ""
    key = "vote.until.day" if VOTINGS[table.voting] >= LONG else "vote.until"
    return say(key, lang, day=day(closes, lang), time=clock(closes, "UTC", lang))


def line(table: Table, seat: int, voters: int, lang: str) -> str:
    """Return the line of a board on which a channel decides: the number of *voters*, and the end of the vote."""
    who, time = names(table, lang)[seat], until(table, lang)
    if not time:
        return say("vote.stopped", lang, who=who)
    again = isinstance(table.waiting, Voting) and table.waiting.again
    key = "vote.again" if again and voters < 2 else "vote.open"
    return say(f"{key}.none" if not voters else key, lang, who=who, n=voters, until=time)


def tally(table: Table, view: State, result: Tally, lang: str) -> list[str]:
    """Return the lines of a closed vote: the turn that was played with the names of its voters, and the other counts.
    *view*: any of the game."""
    shown = [
        say("vote.for", lang, n=number, turn=wording.steps_text(table.game, view, turn.split(" "), lang))
        for turn, number in result.counts[:MOST_TURNS]
    ]
    unnamed = result.counts[0][1] - len(result.people)
    if result.people:
        named = [short(voter.name) or say("somebody", lang) for voter in result.people]
        more = [say("vote.more", lang, n=unnamed)] if unnamed else []
        shown[0] = say("vote.by", lang, vote=shown[0], names=", ".join((*named, *more)))
    rest = result.votes - sum(number for _, number in result.counts[:MOST_TURNS])
    if rest:
        shown.append(say("vote.rest", lang, n=rest))
    line = say("vote.told", lang, n=result.votes, votes=", ".join(shown))
    return [line, *([say("vote.tie", lang)] if result.is_tie else [])]


def choosing(table: Table, menu: Reply, said: Iterable[str], picture: Picture, lang: str) -> Reply:
    """Return the *menu* of the next action of a vote, after the lines *said*."""
    return _reply(table, (*said, menu.text), menu.rows, lang, picture=picture, narrow_rows=menu.narrow_rows)


def asked(table: Table, decision: OfVote, said: Iterable[str], code: str, lang: str) -> Reply:
    """Return the question *code* before the last action, after which the turn goes on."""
    rows = ((button(decision.sure(), lang, Style.DANGER, label=_yes(table, code, lang)), *_back(decision, lang)),)
    return _reply(table, (*said, confirmation(table.game, code, lang)), rows, lang)


def whole(table: Table, decision: OfVote, said: Iterable[str], code: str | None, picture: Picture, lang: str) -> Reply:
    """Return the question whether to vote for a whole turn. *code*: of the question before its last action, if any."""
    sure = say("vote.sure", lang) if code is None else confirmation(table.game, code, lang)
    cast = button(decision.cast(), lang, Style.MAIN if code is None else Style.DANGER)
    return _reply(table, (*said, sure), ((cast, *_back(decision, lang)),), lang, picture=picture)


def _yes(table: Table, code: str, lang: str) -> str:
    return texts.say(table.game, f"warn.{code}.yes", lang)


def _back(decision: OfVote, lang: str) -> tuple[Button, ...]:
    return button(decision.undo(), lang, label=say("button.undo", lang)), close(lang)


def kept(table: Table, view: State, steps: Sequence[str], voters: int, again: Request, lang: str) -> Reply:
    """Return the reader's vote, with the way to change it."""
    time = until(table, lang)
    said = (
        say("vote.yours", lang, turn=wording.steps_text(table.game, view, steps, lang)),
        say("vote.kept" if time else "vote.kept.stopped", lang, n=voters, until=time),
    )
    rows = ((button(again, lang, label=say("button.vote.change", lang)), close(lang)),)
    return _reply(table, said, rows, lang)


def draw(decision: OfVote, table: Table, view: State, action: Action, lang: str) -> Button:
    """Return the button that votes for offering or accepting a draw."""
    label = hint(table.game, view, action, 0, lang)
    return button(decision.play(view.actions().index(action)), lang, label=label)


def to_vote(table: Table, lang: str) -> Rows:
    """Return the row below a typed vote that cannot be read: the menu of a vote."""
    return ((button(Vote(table.id), lang, Style.MAIN), close(lang)),)


def head(table: Table, view: State, steps: Sequence[str], lang: str, *, anonymous: bool) -> str:
    """Return the first lines of a vote in the making: whose turn it is, who learns of the vote, and the actions so
    far. *anonymous*: the place keeps the names of voters to itself."""
    assert view.actor is not None
    so_far = wording.steps_text(table.game, view, steps, lang)
    said = say("vote.begin.numbers" if anonymous else "vote.begin", lang, who=names(table, lang)[view.actor])
    return "\n".join((said, say("plan.so_far", lang, steps=so_far))) if so_far else said


def moderating(table: Table, stamp: Stamp, voters: int, lang: str) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a moderator while a vote is open."""
    label = say("button.vote.close", lang, n=voters)
    return ((button(CloseVote(table.id, stamp), lang, label=label), button(Voters(table.id), lang)),)


def voters(table: Table, people: Mapping[int, str], page: int, pages: int, lang: str) -> Reply:
    """Return a page of the people who have voted in this game; a press asks whether to exclude one. *people*: names by
    number."""
    drop = [
        button(
            DropVoter(table.id, number),
            lang,
            Style.DANGER,
            label=say("button.voter.drop", lang, who=short(name) or say("somebody", lang)),
        )
        for number, name in people.items()
    ]
    turn = pager(partial(Voters, table.id), page, pages, lang, Style.PLAIN) if pages > 1 else ()
    text = say("voters" if people else "voters.none", lang)
    return _of_voters(table, text, (*in_rows(drop, 2), (*turn, close(lang))), lang)


def dropping(table: Table, number: int, name: str, lang: str) -> Reply:
    """Return the question whether to exclude the person with this *number* and *name*."""
    yes = button(DropVoter(table.id, number, sure=True), lang, Style.DANGER, label=say("button.voter.drop.yes", lang))
    text = say("voters.sure", lang, who=short(name) or say("somebody", lang))
    return _of_voters(table, text, ((yes, close(lang)),), lang)


def _of_voters(table: Table, text: str, rows: Rows, lang: str) -> Reply:
    title = say("voters.title", lang, game=game_name(table.game, lang))
    return replace(_reply(table, (text,), rows, lang), title=title)


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
        title=say("vote.title", lang, game=game_name(table.game, lang)),
        text="\n".join(filter(None, said)),
        picture=picture,
        rows=rows,
        narrow_rows=narrow_rows,
        role=Role.MENU,
        secret=True,
        accent=accent(table, table.own_channel),
    )
