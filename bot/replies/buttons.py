"""Buttons for requests, and how replies arrange them."""

from collections.abc import Callable, Sequence

import texts
from bot.chat import Button, Style
from bot.requests import Close, Request


def button(request: Request, lang: str, style: Style = Style.PLAIN, *, label: str = "") -> Button:
    """Return the button that makes *request*. *label*: instead of the declared one."""
    declared = request.declaration
    return Button(label or texts.say(declared.catalogue, declared.label, lang), request.payload, style)


def close(lang: str) -> Button:
    """Return the button that closes a menu without a table."""
    return button(Close(), lang)


def in_rows(buttons: Sequence[Button], columns: int) -> tuple[tuple[Button, ...], ...]:
    """Return *buttons* in rows of that many columns."""
    return tuple(tuple(buttons[first : first + columns]) for first in range(0, len(buttons), columns))


def onward(page: int, pages: int, lang: str) -> str:
    """Return the label of the button to the page after *page*; after the last one the first comes again.

    >>> onward(0, 2, "en"), onward(1, 2, "de")
    ('Page 1/2 ▶', 'Seite 2/2 ⏮')
    """
    sign = "▶" if page + 1 < pages else "⏮"
    return texts.say("table", "button.page", lang, page=page + 1, pages=pages, sign=sign)


def backward(page: int) -> str:
    """Return the label of the button to the page before *page*; before the first one the last comes.

    >>> backward(0), backward(1)
    ('⏭', '◀')
    """
    return "◀" if page else "⏭"


def pager(
    request: Callable[[int], Request], page: int, pages: int, lang: str, style: Style = Style.MAIN
) -> tuple[Button, Button]:
    """Return the buttons to the previous and the next page, in a circle. *request*: shows a page, from 0."""
    return (
        button(request((page - 1) % pages), lang, label=backward(page)),
        button(request((page + 1) % pages), lang, style, label=onward(page, pages, lang)),
    )
