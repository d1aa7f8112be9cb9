"""Private answers about blocks."""

from collections.abc import Mapping

import texts
from bot.chat import Button, Reply, Role, Style
from bot.replies.buttons import button, close, in_rows, pager
from bot.replies.words import person, short
from bot.requests import Block, Blocked, Lift
from bot.runtime.names import shown

A_PAGE = 8
"""Blocks on a page, each with a button that lifts it."""
LABEL = 28
"""Characters of a name on a button."""
MARK = 16
"""Characters of a mark in a button."""


def say(key: str, lang: str, /, **facts: object) -> str:
    return texts.say("people", key, lang, **facts)


def whom(people: Mapping[str, str], typed: str, lang: str) -> Reply:
    """Return the question whom to block; *people*: names by mark. *typed*: the name that means none or all of them."""
    key = "block.whom" if people else "block.unknown" if typed else "block.nobody"
    buttons = [button(Block(mark[:MARK]), lang, label=_label(name, lang)) for mark, name in people.items()]
    return Reply(
        text=say(key, lang, who=short(typed)),
        rows=(*in_rows(buttons, 2), (button(Blocked(), lang), close(lang))),
        role=Role.MENU,
        secret=True,
    )


def oneself(lang: str) -> Reply:
    """Return the answer to a person who wants to block themselves."""
    return Reply(text=say("block.self", lang), secret=True)


def blocked(mark: str, name: str, lang: str) -> Reply:
    """Return the confirmation that the person with this *mark* is blocked."""
    lift = button(Lift(mark[:MARK]), lang, label=say("button.lift.one", lang))
    return Reply(
        text=say("block.done", lang, who=person(name, lang)),
        rows=((lift, button(Blocked(), lang), close(lang)),),
        role=Role.MENU,
        secret=True,
    )


def listed(people: Mapping[str, str], page: int, lang: str) -> Reply:
    """Return a *page* of the reader's blocks; *people*: names by mark."""
    pages = max(1, -(-len(people) // A_PAGE))
    page = min(max(page, 0), pages - 1)
    here = [*people.items()][page * A_PAGE : (page + 1) * A_PAGE]
    lift = [_lift(mark, name, lang) for mark, name in here]
    turn = pager(Blocked, page, pages, lang, Style.PLAIN) if pages > 1 else ()
    return Reply(
        title=say("blocked.title", lang),
        text=say("blocked" if people else "blocked.none", lang, n=len(people)),
        rows=(*in_rows(lift, 2), (*turn, close(lang))),
        role=Role.MENU,
        secret=True,
    )


def _lift(mark: str, name: str, lang: str) -> Button:
    who = _label(name, lang) if name else say("blocked.forgotten", lang)
    return button(Lift(mark[:MARK]), lang, label=say("button.lift", lang, who=who))


def _label(name: str, lang: str) -> str:
    return person(shown(name, LABEL), lang)
