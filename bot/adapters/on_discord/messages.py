"""Replies as Discord messages: text that stays text, rows of buttons, a picture, and at most one ping.

Limits (Discord's developer documentation, "Create Message" and "Component Reference"): content 2000 characters,
5 rows of 5 buttons or one select, label 80, option label 100, placeholder 150, custom_id and option value 100,
25 options, alternative text 1024, nonce 25. What Discord counts as a character is not said for those beyond the
Basic Multilingual Plane; they are counted twice here.
"""

import re
from collections import Counter
from collections.abc import Sequence
from io import BytesIO

import discord
from discord import ui

from bot.chat import Button, Choice, Content, File, Picture, Post, Reply, Select, Style, call_of

CONTENT = 2000
TITLE = 250
CALL = 300
LABEL = 80
OPTION = 100
PLACEHOLDER = 150
ALT = 1000
ROWS = 5
WIDTH = 5
OPTIONS = 25

ORIGINAL = "@original"
"""Discord's name for the message of an interaction's first answer."""
NOBODY = discord.AllowedMentions.none()

_STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.DANGER: discord.ButtonStyle.danger,
    Style.BLANK: discord.ButtonStyle.secondary,
}

# Overrides of the writing direction would turn the rest of the line; control characters have no business in a chat.
# What isolates a name in Hebrew or Arabic script (U+2068, U+2069) stays.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066\u2067]")
_MARKS = re.compile(r"[\\*_~`|<\[\]]")
_LINE_START = re.compile(r"^(\s*)([#>+-]|\d+(?=[.)]))", re.MULTILINE)
_EVERYBODY = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
_LINKS = re.compile(r"(?<=\w):(?=//)|(?<=\.gg)/|(?<=\.com)/(?=invite)", re.IGNORECASE)


def inert(text: str) -> str:
    r"""*text* so that Discord shows it as it is: no markup, mention, link or time in it works.

    >>> inert("**Anna** <@42> @everyone https://example.org")
    '\\*\\*Anna\\*\\* \\<@42> @\u200beveryone https\\://example.org'
    >>> inert("# 1. of all")
    '\\# 1. of all'
    """
    text = _INVISIBLE.sub("", text)
    text = _MARKS.sub(r"\\\g<0>", text)
    text = _LINE_START.sub(_quiet_start, text)
    text = _EVERYBODY.sub("@\u200b", text)
    return _LINKS.sub(r"\\\g<0>", text)


def _quiet_start(found: re.Match[str]) -> str:
    """A mark that begins a heading, quote or list; of a numbered list the point after the number (it follows)."""
    return f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}"


def length(text: str) -> int:
    """Characters as Discord counts at worst."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, room: int) -> str:
    """*text*, or as much of it as has *room*, with an ellipsis; a backslash never stays without what it escapes.

    >>> cut("abcdef", 4), cut("ab🪨🪨", 5), cut("ab**", 4)
    ('abc…', 'ab🪨…', 'ab**')
    """
    if length(text) <= room:
        return text
    head = text.encode("utf-16-le", "replace")[: 2 * (room - 1)].decode("utf-16-le", "ignore")
    dangling = len(head) - len(head.rstrip("\\"))
    return head[: len(head) - dangling % 2] + "…"


def content(said: Content) -> str:
    """Title (bold), text and call line; only the text gives way where it gets too long."""
    title = cut(inert(" ".join(said.title.split())), TITLE)
    line, call = "", call_of(said)
    if call is not None:
        before, person, after = call.text.partition("{person}")
        mention = f"<@{account(call.person.id)}>" if person else ""
        line = f"{cut(inert(before), CALL)}{mention}{cut(inert(after), CALL)}"
    head, tail = f"**{title}**" if title else "", line
    room = CONTENT - length(head) - length(tail) - 2
    text = cut(inert(said.text.strip()), room)
    whole = "\n".join(part for part in (head, text, tail) if part)
    return whole or ("" if said.picture or said.file else "\u200b")


def account(id_: str) -> int:
    """Discord's own number in one of our ids; ValueError where it has none.

    >>> account("discord:42")
    42
    """
    return int(id_.partition(":")[2])


def pings(said: Content) -> discord.AllowedMentions:
    """Nobody but the person who is called."""
    call = call_of(said)
    if call is None:
        return NOBODY
    person = discord.Object(account(call.person.id))
    return discord.AllowedMentions(everyone=False, roles=False, users=[person], replied_user=False)


def files(said: Content) -> list[discord.File]:
    """The picture or file of *said* as the message's only attachment, or none."""
    match said.picture or said.file:
        case Picture(png=content, alt=alt, name=name) | File(name=name, content=content, alt=alt):
            return [discord.File(BytesIO(content), name, description=cut(alt, ALT) or None)]
        case None:
            return []


Row = Sequence[Button] | Select


def rows_of(reply: Reply) -> Sequence[Row]:
    """What stands under *reply* here, where five buttons are a row."""
    return reply.narrow or reply.rows


def posted(post: Post) -> Sequence[Row]:
    """The rows under a post: as many as there is room for of those that offer most to whoever is up, where they lie,
    above its own, which lead to all that is offered."""
    room = ROWS - len(post.rows)
    offering = range(len(post.offers) - 1)  # the last row leads to what the post's own rows lead to
    kept = sorted(offering, key=lambda number: -_offered(post.offers[number]))[: max(room, 0)]
    return (*(post.offers[number] for number in sorted(kept)), *post.rows)


def _offered(row: Row) -> int:
    """How much can be chosen in *row*."""
    return 1 if isinstance(row, Select) else sum(button.style is not Style.BLANK for button in row)


def fitted(rows: Sequence[Row]) -> list[Row]:
    """The rows as Discord can show them: at most five in a row, at most five rows.

    Buttons move together where there are too many rows; below a board of buttons the row of ways out is left out
    (Discord has one of its own on every private message); where that is not enough, all button rows but the last
    become selects. What is still too much is left out, so a reply should not have more than 5 selects. A link cannot be
    chosen in a select: links belong where they need not become one.
    """
    made: list[Row] = []
    for row in rows:
        if isinstance(row, Select):
            made.append(row)
        else:
            made += [row[first : first + WIDTH] for first in range(0, len(row), WIDTH)]
    if len(made) <= ROWS:
        return made
    if len(made) == ROWS + 1 and all(not isinstance(row, Select) and len(row) == WIDTH for row in made[:ROWS]):
        return made[:ROWS]
    selects = [row for row in made if isinstance(row, Select)]
    lines = [row for row in made if not isinstance(row, Select)]
    last = list(lines.pop()) if lines else []
    buttons = [button for line in lines for button in line]
    closing: list[Row] = [last] if last else []
    close = [buttons[first : first + WIDTH] for first in range(0, len(buttons), WIDTH)]
    if len(selects) + len(close) + len(closing) <= ROWS:
        return [*selects, *close, *closing]
    buttons = [button for button in buttons if button.style is not Style.BLANK and not button.link]
    folded = [
        Select(
            "", f"fold:{first}", tuple(Choice(each.label, each.payload) for each in buttons[first : first + OPTIONS])
        )
        for first in range(0, len(buttons), OPTIONS)
    ]
    return [*selects, *folded][: ROWS - len(closing)] + closing


class Marks:
    """custom_ids of one message: unique, as Discord wants them, and telling where a button stands.

    A payload goes as it is; where more is to be said, "#" and the mark follow: a number for a payload that is there
    already, and "n" in a note, so that a press there leaves it alone.

    >>> marks = Marks(note=True)
    >>> marks.on("board:k"), marks.on("none:k"), marks.on("none:k")
    ('board:k#n', 'none:k#n', 'none:k#1n')
    """

    def __init__(self, *, note: bool = False) -> None:
        self._note = "n" if note else ""
        self._times: Counter[str] = Counter()

    def on(self, payload: str) -> str:
        """The custom_id for one more component with this *payload*."""
        number = self._times[payload]
        self._times[payload] += 1
        mark = f"{number or ''}{self._note}"
        return f"{payload}#{mark}" if mark else payload


def unmarked(custom_id: str) -> tuple[str, bool]:
    """The payload of a custom_id, and whether it stands in a note."""
    payload, _, mark = custom_id.partition("#")
    return payload, mark.endswith("n")


def view(rows: Sequence[Row], *, note: bool = False) -> ui.View | None:
    """The rows as components. The view is finished at once, so discord.py keeps no memory of it."""
    if not rows:
        return None
    made = ui.View(timeout=None)
    marks = Marks(note=note)
    for number, row in enumerate(fitted(rows)):
        if isinstance(row, Select):
            made.add_item(_select(row, number, marks))
        else:
            for button in row:
                made.add_item(_button(button, number, marks))
    made.stop()
    return made


def _button(button: Button, row: int, marks: Marks) -> ui.Button[ui.View]:
    label = cut(button.label, LABEL) or "…"
    if button.link:
        return ui.Button(label=label, url=button.link, row=row)
    return ui.Button(
        label=label,
        custom_id=marks.on(button.payload),
        style=_STYLES[button.style],
        disabled=button.style is Style.BLANK,
        row=row,
    )


def _select(select: Select, row: int, marks: Marks) -> ui.Select[ui.View]:
    options = [
        discord.SelectOption(label=cut(choice.label, OPTION) or "…", value=choice.payload, default=choice.chosen)
        for choice in select.choices[:OPTIONS]
    ]
    # Without a placeholder Discord shows one of its own, in the reader's language.
    placeholder = cut(select.label, PLACEHOLDER) or None
    return ui.Select(custom_id=marks.on(select.payload), placeholder=placeholder, options=options, row=row)
