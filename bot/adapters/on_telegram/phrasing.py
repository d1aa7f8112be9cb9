"""Posts and replies as Telegram's text and keyboards, within its limits. Pure.

Lengths are in UTF-16 units of the parsed HTML, as Telegram counts.
"""

import re
from html import escape
from itertools import islice

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import (
    CallbackQueryLimit,
    ForumTopicLimit,
    InlineKeyboardMarkupLimit,
    KeyboardButtonStyle,
    MessageLimit,
)

import texts
from bot.adapters.on_telegram import NAME as NAMED
from bot.adapters.on_telegram import addresses
from bot.chat import MOST_CHOICES, Button, Choice, Content, Post, Select, Style, call_of, row_lengths
from bot.requests.commands import FILLER
from bot.runtime.names import isolated, shown

TEXT = int(MessageLimit.MAX_TEXT_LENGTH)
CAPTION = int(MessageLimit.CAPTION_LENGTH)
ALERT = int(CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH)
TITLE = 200
TOPIC = int(ForumTopicLimit.MAX_NAME_LENGTH)
CALL = 300
PASTE = 600
NAME = 64
ROW = int(InlineKeyboardMarkupLimit.BUTTONS_PER_ROW)

_INERT = re.compile(r"@(?=\w)")
_STYLES = {Style.MAIN: KeyboardButtonStyle.PRIMARY, Style.DANGER: KeyboardButtonStyle.DANGER}


def say(key: str, lang: str, **facts: object) -> str:
    """Return a text of the Telegram catalogue."""
    return texts.say(NAMED, key, lang, **facts)


def units(text: str) -> int:
    """Return the length of *text* for Telegram.

    >>> units("abc"), units("🎲")
    (3, 2)
    """
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, room: int) -> str:
    """Return *text*, cut to *room* units with an ellipsis, between two words if possible.

    >>> cut("one two three", 9), cut("one two", 9), cut("one", 0)
    ('one two…', 'one two', '')
    """
    if units(text) <= room:
        return text
    if room < 1:
        return ""
    kept = text.encode("utf-16-le")[: 2 * (room - 1)].decode("utf-16-le", "ignore")
    if not text[len(kept) : len(kept) + 1].isspace():
        words = re.match(r"(?s)(.*)\s", kept)
        if words and len(words[1]) > len(kept) * 2 / 3:
            kept = words[1]
    return kept.rstrip() + "…"


def inert(text: str) -> str:
    """Return *text* without mentions and lone surrogates: Telegram reads an ``@`` before a letter as a mention."""
    return _INERT.sub("@\u2060", text.encode("utf-8", "replace").decode())


def html(said: Content, room: int) -> str:
    """Return title, texts, small print and call as HTML of at most *room* units. Only the texts are cut.

    >>> html(Post(title="Board", text="Anna <b> moves"), 100)
    '<b>Board</b>\\nAnna &lt;b&gt; moves'
    >>> from bot.chat import Card
    >>> html(Content(text="Done.", picture=Card(b"", "", paste="7 of 9")), 100)
    'Done.\\n<pre>7 of 9</pre>'
    """
    title = cut(inert(said.title.strip()), TITLE)
    call, called = _call(said)
    small = inert(said.small if isinstance(said, Post) else "")
    paste = cut(inert(said.paste), PASTE)
    available = room - units(called) - units(title) - units(small) - units(paste) - bool(paste) - 3
    text = cut(inert(said.text.strip()), available)
    head = f"<b>{_plain(title)}</b>" if title else ""
    copied = f"<pre>{_plain(paste)}</pre>" if paste else ""  # a tap copies it
    tail = f"<blockquote>{_plain(small)}</blockquote>" if small else ""  # Telegram shows it smaller
    return "\n".join(part for part in (head, _plain(text), copied, tail, call) if part)


def line(said: Content) -> str:
    """Return title and texts without markup, for callback answers."""
    return "\n".join(filter(None, (inert(part.strip()) for part in (said.title, said.text, said.paste))))


def _plain(text: str) -> str:
    return escape(text, quote=False)


def _call(said: Content) -> tuple[str, str]:
    """Return the line that pings one person, as HTML and as plain text."""
    called = call_of(said)
    if called is None:
        return "", ""
    before, _, after = (inert(part) for part in called.text.partition("{person}"))
    name = isolated(cut(inert(shown(called.person.name)), NAME)) or "…"
    number = addresses.user(called.person.id)
    mention = _plain(name) if number is None else f'<a href="tg://user?id={number}">{_plain(name)}</a>'
    before, after = cut(before, CALL), cut(after, CALL)
    return f"{_plain(before)}{mention}{_plain(after)}", f"{before}{name}{after}"


def buttons(said: Content) -> InlineKeyboardMarkup | None:
    """Return the keyboard of a message; a post shows its offers instead of its rows."""
    return keyboard((said.offers if isinstance(said, Post) else ()) or said.rows)


def keyboard(rows: tuple[tuple[Button, ...] | Select, ...]) -> InlineKeyboardMarkup | None:
    """Return the buttons under a message, or None. A row that is too wide for a phone becomes several rows.

    A select follows its label, which is a button without a function.
    """
    lines: list[tuple[InlineKeyboardButton, ...]] = []
    for row in rows:
        if not isinstance(row, Select):
            lines += _lines([_button(button) for button in row], len(row))
            continue
        if row.label:
            lines.append((InlineKeyboardButton(cut(row.label, NAME), callback_data=FILLER),))
        lines += _lines([_choice(choice) for choice in row.choices], MOST_CHOICES)
    return InlineKeyboardMarkup(lines) if lines else None


def _lines(buttons: list[InlineKeyboardButton], most: int) -> list[tuple[InlineKeyboardButton, ...]]:
    """Return *buttons* in as few rows as fit on a phone: all buttons of a row are as wide as the widest."""
    rest = iter(buttons)
    lengths = row_lengths([button.text for button in buttons], min(most, ROW))
    return [tuple(islice(rest, length)) for length in lengths]


def _button(button: Button) -> InlineKeyboardButton:
    if button.link:
        return InlineKeyboardButton(cut(button.label, NAME) or "…", url=button.link)
    return InlineKeyboardButton(
        cut(button.label, NAME) or "…", callback_data=button.payload, style=_STYLES.get(button.style)
    )


def _choice(choice: Choice) -> InlineKeyboardButton:
    """A choice of a select."""
    return InlineKeyboardButton(
        cut(f"• {choice.label}" if choice.chosen else choice.label, NAME), callback_data=choice.payload
    )
