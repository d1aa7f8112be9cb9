"""Posts and replies as Discord messages: escaped text, rows of buttons, a picture, and at most one ping.

A post is a message with content. A reply with a picture or buttons is framed: it uses Components V2. A message keeps
the form in which it was first sent.

Limits (Discord's developer documentation, "Create Message" and "Component Reference"): content 2000 characters, with
Components V2 4000 in all texts; 5 rows of 5 buttons or one select, with Components V2 40 components in all; label 80,
option label 100, placeholder 150, custom_id and option value 100, 25 options, alternative text 1024, nonce 25. Discord
does not document how it counts characters beyond the Basic Multilingual Plane; they count twice here.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.chat import (
    Button,
    Choice,
    Content,
    File,
    FileKind,
    Picture,
    PictureKind,
    Post,
    Reply,
    Row,
    Select,
    Style,
    call_of,
)

CONTENT = 2000
WORDS = 4000
TITLE = 250
CALL = 300
PASTE = 600
LABEL = 80
OPTION = 100
PLACEHOLDER = 150
ALT = 1000
ROWS = 5
FRAMED_ROWS = 6
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

# Overrides of the writing direction would reverse the rest of the line. The isolates U+2068 and U+2069 stay: names in
# Hebrew or Arabic script need them.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066\u2067]")
_MARKS = re.compile(r"[\\*_~`|<\[\]]")
_LINE_START = re.compile(r"^(\s*)([#>+-]|\d+(?=[.)]))", re.MULTILINE)
_COMMAND = re.compile(r"(?<![\w/\\<])/([a-z]+)(?![\w/-])")
_EVERYBODY = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
_LINKS = re.compile(r"(?<=\w):(?=//)|(?<=\.gg)/|(?<=\.com)/(?=invite)", re.IGNORECASE)


def inert(text: str) -> str:
    r"""Return *text* escaped: no markup, mention, link or time in it works.

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


def _quiet_start(match: re.Match[str]) -> str:
    """Escape a mark that begins a heading, quote or list; in a numbered list the point after the number."""
    return f"{match[1]}{match[2]}\\" if match[2].isdigit() else f"{match[1]}\\{match[2]}"


def length(text: str) -> int:
    """Return the number of characters, as Discord counts in the worst case."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, room: int) -> str:
    """Return *text*, cut to *room* characters with an ellipsis. No backslash is left without its escaped character.

    >>> cut("abcdef", 4), cut("ab🪨🪨", 5), cut("ab**", 4)
    ('abc…', 'ab🪨…', 'ab**')
    """
    if length(text) <= room:
        return text
    head = text.encode("utf-16-le", "replace")[: 2 * (room - 1)].decode("utf-16-le", "ignore")
    dangling = len(head) - len(head.rstrip("\\"))
    return head[: len(head) - dangling % 2] + "…"


def clickable(text: str, commands: Mapping[str, str]) -> str:
    """Return *text* with clickable commands. *commands*: Discord's numbers by name. Discord shows each command by its
    name in the reader's language.

    >>> clickable("Type /newgame, or /new-s, or x/newgame.", {"newgame": "7"})
    'Type </newgame:7>, or /new-s, or x/newgame.'
    """

    def mention(match: re.Match[str]) -> str:
        number = commands.get(match[1])
        return match[0] if number is None else f"</{match[1]}:{number}>"

    return _COMMAND.sub(mention, text)


def content(said: Content, commands: Mapping[str, str] | None = None, most: int = CONTENT) -> str:
    """Return title (bold), text, text to paste, small print and call line in at most *most* characters. Only the text
    and the text to paste are cut.

    *commands*: see `clickable`; commands become clickable if there is room.
    """
    title = cut(inert(" ".join(said.title.split())), TITLE)
    line, call = "", call_of(said)
    if call is not None:
        before, person, after = call.text.partition("{person}")
        mention = f"<@{account(call.person.id)}>" if person else ""
        line = f"{cut(inert(before), CALL)}{mention}{cut(inert(after), CALL)}"
    head = f"**{title}**" if title else ""
    small = said.small if isinstance(said, Post) else ""
    small_print = "\n".join(f"-# {row}" for row in inert(small).splitlines())
    tail = "\n".join(filter(None, (_copied(said.paste), small_print, line)))
    room = most - length(head) - length(tail) - 2
    text = cut(inert(said.text.strip()), room)
    linked = clickable(text, commands or {})
    text = linked if length(linked) <= room else text
    whole = "\n".join(part for part in (head, text, tail) if part)
    return whole or ("" if said.picture or said.file else "\u200b")


def _copied(text: str) -> str:
    """Return a text for other places as a block of code, which has a button to copy it; "" for "".

    >>> _copied("7 of `9`")
    "```\\n7 of '9'\\n```"
    """
    plain = cut(_INVISIBLE.sub("", text).replace("`", "'"), PASTE)
    return f"```\n{plain}\n```" if text else ""


def account(id_: str) -> int:
    """Return Discord's number in one of our ids. Raises ValueError if there is none.

    >>> account("discord:42"), account("discord:43/visit")
    (42, 43)
    """
    return int(id_.partition(":")[2].partition("/")[0])


def pings(said: Content) -> discord.AllowedMentions:
    """Return the allowed mentions: only the person in the call."""
    call = call_of(said)
    if call is None:
        return NOBODY
    person = discord.Object(account(call.person.id))
    return discord.AllowedMentions(everyone=False, roles=False, users=[person], replied_user=False)


def files(said: Content) -> list[discord.File]:
    """Return the picture or file as the only attachment, or []."""
    match said.picture or said.file:
        case Picture(png=content, alt=alt, name=name) | File(name=name, content=content, alt=alt):
            return [discord.File(BytesIO(content), name, description=cut(alt, ALT) or None)]
        case None:
            return []


def rows_of(reply: Reply) -> Sequence[Row]:
    """Return the rows under *reply*: five buttons fit in a row."""
    return reply.narrow_rows or reply.rows


def posted(post: Post) -> Sequence[Row]:
    """Return the rows under a post: its own, and above them the offered rows with the most choices, as many as fit, in
    their order. The post's own rows lead to all choices."""
    room = ROWS - len(post.rows)
    offering = range(len(post.offers) - 1)  # the last row leads to what the post's own rows lead to
    kept = sorted(offering, key=lambda number: -_offered(post.offers[number]))[: max(room, 0)]
    return (*(post.offers[number] for number in sorted(kept)), *post.rows)


def _offered(row: Row) -> int:
    """Return the number of choices in *row*."""
    return 1 if isinstance(row, Select) else sum(button.style is not Style.BLANK for button in row)


def fitted(rows: Sequence[Row], most: int = ROWS) -> list[Row]:
    """Return the rows within Discord's limits: at most five buttons in a row, and *most* rows.

    With too many rows, a board of buttons loses its row of exits (every private message has Discord's own), other
    buttons fill the rows completely, and if that is not enough all button rows but the last become selects. Rows beyond
    the limit are left out, so a reply should have at most five selects. A select cannot contain links, so they are lost
    there.
    """
    made: list[Row] = []
    for row in rows:
        if isinstance(row, Select):
            made.append(row)
        else:
            made += [row[first : first + WIDTH] for first in range(0, len(row), WIDTH)]
    if len(made) <= most:
        return made
    if len(made) == most + 1 and all(not isinstance(row, Select) and len(row) == WIDTH for row in made[:most]):
        return made[:most]
    selects = [row for row in made if isinstance(row, Select)]
    lines = [row for row in made if not isinstance(row, Select)]
    last = lines.pop() if lines else ()
    buttons = tuple(button for line in lines for button in line)
    closing: list[Row] = [last] if last else []
    close = [buttons[first : first + WIDTH] for first in range(0, len(buttons), WIDTH)]
    if len(selects) + len(close) + len(closing) <= most:
        return [*selects, *close, *closing]
    buttons = tuple(button for button in buttons if button.style is not Style.BLANK and not button.link)
    folded = [
        Select(
            "",
            f"fold:{first}",
            tuple(Choice(button.label, button.payload) for button in buttons[first : first + OPTIONS]),
        )
        for first in range(0, len(buttons), OPTIONS)
    ]
    return [*selects, *folded][: most - len(closing)] + closing


class Marks:
    """The custom_ids of one message. Discord wants them unique.

    A custom_id is the payload, followed by "#" and a mark if necessary: a number for a repeated payload, and "n" in a
    note, which a press must not change.

    >>> marks = Marks(note=True)
    >>> marks.on("board:k"), marks.on("none:k"), marks.on("none:k")
    ('board:k#n', 'none:k#n', 'none:k#1n')
    """

    def __init__(self, *, note: bool = False) -> None:
        self._note = "n" if note else ""
        self._times: Counter[str] = Counter()

    def on(self, payload: str) -> str:
        """Return the custom_id of the next component with this *payload*."""
        number = self._times[payload]
        self._times[payload] += 1
        mark = f"{number or ''}{self._note}"
        return f"{payload}#{mark}" if mark else payload


def unmarked(custom_id: str) -> tuple[str, bool]:
    """Return the payload of a custom_id, and whether the component is in a note."""
    payload, _, mark = custom_id.partition("#")
    return payload, mark.endswith("n")


def view(rows: Sequence[Row], *, note: bool = False) -> ui.View | None:
    """Return the rows as components. The view is stopped at once, so discord.py does not store it."""
    if not rows:
        return None
    made = ui.View(timeout=None)
    marks = Marks(note=note)
    for number, row in enumerate(fitted(rows)):
        for part in _parts(row, number, marks):
            made.add_item(part)
    made.stop()
    return made


def is_designed(reply: Reply) -> bool:
    """Return whether *reply* is framed: it has a picture or buttons."""
    return reply.picture is not None or bool(reply.rows)


def layout(reply: Reply, commands: Mapping[str, str] | None = None) -> ui.LayoutView:
    """Return *reply* as Components V2: a frame in the colour of the actor with the text, the picture or file, and the
    buttons. At most 39 of 40 components: the frame, two in it, six rows of five."""
    framed: ui.Container[ui.LayoutView] = ui.Container(
        accent_colour=None if reply.accent is None else discord.Colour.from_rgb(*reply.accent)
    )
    words = content(reply, commands, WORDS)
    parts: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(words)] if words else []
    parts += [_exhibit(reply, file) for file in files(reply)]
    leads = reply.picture is not None and reply.picture.kind is PictureKind.CHART
    for part in reversed(parts) if leads else parts:
        framed.add_item(part)
    marks = Marks(note=reply.role.is_note)
    for row in fitted(rows_of(reply), FRAMED_ROWS):
        framed.add_item(ui.ActionRow(*_parts(row, None, marks)))
    made = ui.LayoutView(timeout=None)
    made.add_item(framed)
    made.stop()
    return made


def form(reply: Reply, commands: Mapping[str, str], framed: bool) -> dict[str, Any]:
    """Return *reply* as arguments of discord.py: a frame, or content and rows."""
    if framed:
        return {"view": layout(reply, commands)}
    return {"content": content(reply, commands), "view": view(rows_of(reply), note=reply.role.is_note)}


def _exhibit(reply: Reply, file: discord.File) -> ui.Item[ui.LayoutView]:
    """Return the component for *file*: in a frame, attachments are not shown by themselves."""
    if reply.file is not None and reply.file.kind is FileKind.DOCUMENT:
        return ui.File(f"attachment://{file.filename}")
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
    return gallery.add_item(media=f"attachment://{file.filename}", description=file.description)


def _parts(row: Row, number: int | None, marks: Marks) -> list[ui.Button[Any] | ui.Select[Any]]:
    """Return the components of a *row*. *number*: its index in the view; None inside an action row."""
    if isinstance(row, Select):
        return [_select(row, number, marks)]
    return [_button(button, number, marks) for button in row]


def _button(button: Button, row: int | None, marks: Marks) -> ui.Button[Any]:
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


def _select(select: Select, row: int | None, marks: Marks) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=cut(choice.label, OPTION) or "…", value=choice.payload, default=choice.chosen)
        for choice in select.choices[:OPTIONS]
    ]
    # Without a placeholder, Discord shows its own in the reader's language.
    placeholder = cut(select.label, PLACEHOLDER) or None
    return ui.Select(custom_id=marks.on(select.payload), placeholder=placeholder, options=options, row=row)
