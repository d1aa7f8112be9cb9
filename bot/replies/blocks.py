"""Private answers about blocks."""

from collections.abc import Mapping
from functools import partial

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


def whom(people: Mapping[str, str], typed: str, lang: str, *, here: bool) -> Reply:
    """Return the question whom to block; *people*: names by mark. *typed*: the name that means none or all of them.
    *here*: for the list of the place."""
    key = "block.whom" if people else "block.unknown" if typed else "block.nobody"
    if here:
        key = "block.here.whom" if people else "block.here.nobody"
    buttons = [button(Block(mark[:MARK], here=here), lang, label=_label(name, lang)) for mark, name in people.items()]
    return Reply(
        text=say(key, lang, who=short(typed)),
        rows=(*in_rows(buttons, 2), (list_of(lang, here=here), close(lang))),
        role=Role.MENU,
        secret=True,
    )


def oneself(lang: str) -> Reply:
    """Return the answer to a person who wants to block themselves."""
    return Reply(text=say("block.self", lang), secret=True)


def blocked(mark: str, name: str, lang: str, *, here: bool, may_manage: bool) -> Reply:
    """Return the confirmation that the person with this *mark* is blocked; a manager may block them *here*, too."""
    lift = button(Lift(mark[:MARK], here=here), lang, label=say("button.lift.one", lang))
    also = button(Block(mark[:MARK], here=True), lang, label=say("button.block.here", lang))
    return Reply(
        text=say("block.here.done" if here else "block.done", lang, who=person(name, lang)),
        rows=(*(((also,),) if may_manage and not here else ()), (lift, list_of(lang, here=here), close(lang))),
        role=Role.MENU,
        secret=True,
    )


def list_of(lang: str, *, here: bool) -> Button:
    """Return the button to the reader's blocks, or to those of the place."""
    return button(Blocked(here=here), lang, label=say("button.blocked.here" if here else "button.blocked", lang))


def listed(people: Mapping[str, str], page: int, lang: str, *, here: bool) -> Reply:
    """Return a *page* of the reader's blocks, or of those of the place; *people*: names by mark."""
    pages = max(1, -(-len(people) // A_PAGE))
    page = min(max(page, 0), pages - 1)
    shown_here = [*people.items()][page * A_PAGE : (page + 1) * A_PAGE]
    lift = [_lift(mark, name, lang, here=here) for mark, name in shown_here]
    turn = pager(partial(Blocked, here=here), page, pages, lang, Style.PLAIN) if pages > 1 else ()
    add = (button(Block(here=True), lang),) if here else ()
    key = "blocked.here" if here else "blocked"
    return Reply(
        title=say(f"{key}.title", lang),
        text=say(key if people else f"{key}.none", lang, n=len(people)),
        rows=(*in_rows(lift, 2), (*add, *turn, close(lang))),
        role=Role.MENU,
        secret=True,
    )


def _lift(mark: str, name: str, lang: str, *, here: bool) -> Button:
    who = _label(name, lang) if name else say("blocked.forgotten", lang)
    return button(Lift(mark[:MARK], here=here), lang, label=say("button.lift", lang, who=who))


def _label(name: str, lang: str) -> str:
    return person(shown(name, LABEL), lang)
