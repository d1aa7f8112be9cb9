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


def pager(
    request: Callable[[int], Request], page: int, pages: int, lang: str, style: Style = Style.MAIN
) -> tuple[Button, Button]:
    """Return the buttons to the previous and the next page, in a circle. *request*: shows a page, from 0."""
    return (
        button(request((page - 1) % pages), lang, label="◀"),
        button(request((page + 1) % pages), lang, style, label=f"{page + 1}/{pages} ▶"),
    )
