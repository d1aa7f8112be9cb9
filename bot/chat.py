"""The seam between the bot and its platforms: their shared vocabulary and the interfaces of both sides.

An adapter turns each event of its platform into an `Update`, gives it to ``Core.handle`` and shows the returned `Reply`
to that person alone. Delivery gives a `Post`, which is for everybody, to a `Chat`. Posts and replies are different
types, and so are their pictures: private content cannot be posted by a wrong argument.

Errors of a platform, as delivery knows them::

    Undelivered
    ├── TryLater(after_s)    a server's fault, a lost connection: the same call may work later
    │   └── Limited          too many requests
    ├── Moved(place)         the place has another id now: the same call may work there
    ├── Gone                 the message to change was deleted: a new one is posted
    ├── NoReplyWindow        the bot may only reply to interactions there, and there is no recent one
    └── Refused(reason)      no permission, for example: a retry is useless
        ├── Unexplained      the adapter does not know the reason: the place is not cut off, and delivery retries
        ├── PicturesRefused  the place takes text, but no pictures
        └── PlaceGone        the place was deleted, or the bot was removed from it
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NewType, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

WIDE = 44
"""Characters of labels that a phone shows side by side."""

MOST_CHOICES = 4
"""Choices of a list that a platform without lists shows side by side."""

FEW_ROWS, FEW_BUTTONS = 5, 4
"""With fewer rows, and fewer buttons in the last one, every platform has room for one more button."""

PersonId = NewType("PersonId", str)
"""Platform and account: ``discord:123``."""
PlaceId = NewType("PlaceId", str)
"""Platform, and the address of the place there: ``telegram:-100123/7``."""
MessageId = NewType("MessageId", str)
"""Together with the place, the address of a message that the platform posted."""
UpdateId = NewType("UpdateId", str)
"""One event of one platform: ``telegram:848301``. An event that is delivered twice keeps its id."""


class Person(Struct, frozen=True):
    """An account. *name*: any text, as the platform shows it. *lang*: a language tag.

    *handle*: the word that others write after an @ to mention this person, if it is neither the name nor in the id.
    *zone*: the name of their time zone, if the platform tells it.
    """

    id: PersonId
    name: str
    lang: str | None = None
    handle: str = ""
    zone: str = ""


class Place(Struct, frozen=True):
    """A channel, thread, topic or private chat that can show a table. *private*: one person and the bot. *name*: any
    text, as the platform shows it, or "" if it is not known. *name_elsewhere*: for people of other places; None: the
    same."""

    id: PlaceId
    lang: str | None = None
    private: bool = False
    name: str = ""
    name_elsewhere: str | None = None

    @property
    def known_as(self) -> str:
        """The name for people of other places."""
        return self.name if self.name_elsewhere is None else self.name_elsewhere


class Typed(Struct, frozen=True, tag="typed"):
    """A command as one line of text, with or without the slash: ``/move b3 c4``."""

    text: str


class PlainMessage(Struct, frozen=True, tag="said"):
    """A message without a command. It is for the bot if its person, who is up, clearly means it as a move.

    Adapters send only messages from places of play: from a channel of the local page, or replies to the post *answers*
    of the bot.
    """

    text: str
    answers: MessageId | None = None


class SlashCommand(Struct, frozen=True, tag="filled"):
    """A command with named arguments, as Discord sends it."""

    command: str
    arguments: Mapping[str, str] = {}


class Press(Struct, frozen=True, tag="press"):
    """A pressed button or a choice of a select, by its payload. *text*: written for it; None: it is only pressed."""

    payload: str
    text: str | None = None


class Opened(Struct, frozen=True, tag="opened"):
    """A person opened the private chat with the bot, without a request."""


Body = Typed | PlainMessage | SlashCommand | Press | Opened


class ThreadAccess(StrEnum):
    """Whether a thread can be opened beside a place.

    UNSUPPORTED: the place has no threads. FORBIDDEN: this person may not open one. BOT_FORBIDDEN: the person may, but
    the bot may not. The values end the keys of texts (``denied.no_thread.lacking``).
    """

    UNSUPPORTED = "none"
    FORBIDDEN = "forbidden"
    BOT_FORBIDDEN = "lacking"
    ALLOWED = "free"


class Update(Struct, frozen=True):
    """One thing that one person did in one place. *may_manage*: the platform lets them manage this place.
    *chosen_person*: the account that they chose on a platform with a list of people; the arguments have its number.
    *pressed_post*: the post with the pressed button, on platforms where old posts keep their buttons; numbers of posts
    grow there. *joined*: when the person joined the place, if the platform tells it."""

    id: UpdateId
    person: Person
    place: Place
    body: Body
    may_manage: bool = False
    thread_access: ThreadAccess = ThreadAccess.UNSUPPORTED
    chosen_person: Person | None = None
    pressed_post: MessageId | None = None
    joined: datetime | None = None

    def is_under_older(self, post: MessageId) -> bool:
        """Return whether the pressed button is under an older post than *post*."""
        return self.pressed_post is not None and post.isdecimal() and int(self.pressed_post) < int(post)


class Style(StrEnum):
    """The emphasis of a button, if the platform can show it. BLANK: an empty cell of a grid."""

    PLAIN = "plain"
    MAIN = "main"
    DANGER = "danger"
    BLANK = "blank"


class Button(Struct, frozen=True):
    """*label*: at most 40 characters. *payload*: at most 64 ASCII bytes, without secrets and complete without memory.

    *link*: an address from `Chat.link`, instead of a payload.
    *done*: people for whom the button does nothing more; a platform with a view per person hides it from them.
    *whose*: the people for whom it stands out there; () for all.
    """

    label: str
    payload: str = ""
    style: Style = Style.PLAIN
    link: str = ""
    done: tuple[PersonId, ...] = ()
    whose: tuple[PersonId, ...] = ()


class Choice(Struct, frozen=True):
    label: str
    payload: str
    chosen: bool = False


class Select(Struct, frozen=True):
    """One of at most 25 choices; a platform without selects shows a row of buttons."""

    label: str
    payload: str
    choices: tuple[Choice, ...]


Row = tuple[Button, ...] | Select
Rows = tuple[Row, ...]


class PictureKind(StrEnum):
    """BOARD: also a picture of anything else. CHART: the text is about it, so the chart comes first on a platform that
    has the choice. BADGE: small, and not to be enlarged."""

    BADGE = "badge"
    BOARD = "board"
    CHART = "chart"


class Picture(Struct, frozen=True):
    """A PNG with its alternative text. Adapters cut texts of more than 1000 characters, with an ellipsis."""

    png: bytes
    alt: str
    name: str = "board.png"
    kind: PictureKind = PictureKind.BOARD


Outline = tuple[tuple[float, float], ...]
"""The corners (x, y) of a part of a picture, in order, in pixels."""


class PublicPicture(Picture, frozen=True):
    """A picture that everybody may see. *shines*: the winners' pieces on a final board, which may shimmer once."""

    shines: tuple[Outline, ...] = ()


class Card(PublicPicture, frozen=True):
    """A picture to be shown elsewhere. *paste*: a text to be pasted beside it, which comes after the text of the
    message, in a form that a tap copies if the platform has one."""

    paste: str = ""

    @classmethod
    def of(cls, picture: Picture, paste: str) -> Self:
        """Return *picture* with the text *paste*."""
        return cls(picture.png, picture.alt, picture.name, paste=paste)


class Target(Struct, frozen=True):
    """A part of a picture that can be tapped like a button with this *label* and *payload*.

    *beside*: the picture does not mark it, because the current question is about other parts; a tap on it changes an
    earlier choice. A target without a payload is a place that cannot be chosen: a tap there means no part beside it. A
    target without an outline is all the rest of the picture: its press has the point, in pixels, as its text:
    ``"120 80"``.
    """

    label: str
    payload: str
    outline: Outline
    beside: bool = False


class MarkedPicture(Picture, frozen=True):
    """A picture that marks the choices of one person. It is left out if others would see it.

    *targets*: where it can be tapped instead of pressing a button below.
    """

    targets: tuple[Target, ...] = ()

    @classmethod
    def of(cls, picture: Picture, targets: tuple[Target, ...]) -> Self:
        """Return *picture*, which marks choices, with its *targets*."""
        return cls(picture.png, picture.alt, picture.name, targets=targets)


class FileKind(StrEnum):
    """ANIMATION: a GIF that plays in the message. DOCUMENT: a file to download."""

    ANIMATION = "animation"
    DOCUMENT = "document"


class File(Struct, frozen=True):
    """An attached file of at most 8 MB, the limit of all platforms. *alt*: as of a picture.

    *name*: with its extension, of ASCII letters, digits, points and hyphens.
    """

    name: str
    content: bytes
    kind: FileKind = FileKind.DOCUMENT
    alt: str = ""


class Call(Struct, frozen=True):
    """A line that pings one person. The platform replaces ``{person}`` in *text* by the mention."""

    person: Person
    text: str


class Role(StrEnum):
    """The purpose of a private reply. An adapter chooses by it where, and for how long, the reply is shown.

    TOAST: one line that may vanish or be left out; it confirms something that everybody sees.
    PROMISE: a toast that announces a post; it waits for the post, and is left out if nothing can be posted.
    NOTE: stays until the person closes it.
    ALONE: a note that the pressed button works only in the private chat. A platform that can leads there and presses
    it there.
    MENU: continues from the message with the pressed button, and replaces it if that is a menu.
    OFFERED_MENU: a menu whose choices the post offers too, on platforms that show menus under posts.
    CLOSING: the pressed menu is finished. A menu with a message of its own is deleted; under a post, *rows* are the
    post's own again.
    NOTHING: there is nothing to say, and the pressed menu stays as it is.
    """

    TOAST = "toast"
    PROMISE = "promise"
    NOTE = "note"
    ALONE = "alone"
    MENU = "menu"
    OFFERED_MENU = "offered"
    CLOSING = "closing"
    NOTHING = "nothing"

    @property
    def is_toast(self) -> bool:
        """Whether the reply may vanish or be left out."""
        return self in (Role.TOAST, Role.PROMISE, Role.NOTHING)

    @property
    def is_note(self) -> bool:
        """Whether the reply stays beside the message with the pressed button."""
        return self in (Role.NOTE, Role.ALONE)

    @property
    def is_menu(self) -> bool:
        """Whether the reply continues from the message with the pressed button."""
        return self in (Role.MENU, Role.OFFERED_MENU, Role.CLOSING)


class Expiry(Struct, frozen=True):
    """The time after which a private reply is deleted or useless.

    *time*: a key for `Core.delete_later`, made by the core. *is_strict*: the reply has to be deleted then. It may be
    under a post, but not in a message of its own that others can read. If it is not strict, only lines without menus
    have to go; a platform that shows menus between the posts may delete these too.
    *board*: until then, the pressed menu shows this picture.
    """

    time: str
    is_strict: bool = False
    board: Picture | None = None


class Content(Struct, frozen=True):
    """What posts and replies share. Texts are plain: adapters escape them, and names in them never ping.

    *rows*: buttons side by side, at most six a row; a `Select` is a row of its own. *file*: instead of a picture.
    """

    title: str = ""
    text: str = ""
    picture: Picture | None = None
    rows: Rows = ()
    file: File | None = None

    @property
    def paste(self) -> str:
        """The text to be pasted elsewhere, or ""."""
        return self.picture.paste if isinstance(self.picture, Card) else ""

    @property
    def is_plain(self) -> bool:
        """Whether there are only words."""
        return self.picture is None and self.file is None and not self.rows


class Post(Content, frozen=True):
    """A message for everybody.

    *small*: lines after the text, in small print if the platform has it.
    *own*: words for single people, instead of a call: a platform with a view per person shows each of them theirs.
    *offers*: the choices of the person whose turn it is; the last row leads to everything else. A platform that shows
    menus under posts shows these instead of *rows*. A platform with private menus shows as many of them above *rows* as
    fit.
    """

    picture: PublicPicture | None = None
    small: str = ""
    call: Call | None = None
    own: tuple[tuple[PersonId, str], ...] = ()
    offers: Rows = ()


class Reply(Content, frozen=True):
    """A message for one person.

    *secret*: it is never shown where others can read it.
    *narrow_rows*: *rows* for a platform with at most five buttons a row, in several steps if necessary; () if *rows*
    are narrow enough.
    *links*: buttons with links beside a line that may vanish. They are shown if the reply is a message; no message is
    made for them.
    *brief*: a line with the same meaning, for a press whose full answer would be a message in another place.
    *accent*: the colour (red, green, blue) of the player whose turn it is, for a platform that frames replies.
    """

    role: Role = Role.NOTE
    secret: bool = False
    narrow_rows: Rows = ()
    expires: Expiry | None = None
    links: tuple[Button, ...] = ()
    brief: str = ""
    accent: tuple[int, int, int] | None = None

    @property
    def board(self) -> Picture | None:
        """The picture with which a toast replaces the pressed menu; see `as_board`."""
        return None if self.expires is None else self.expires.board

    @property
    def as_board(self) -> "Reply":
        """Return the reply that the pressed menu becomes: its board with the same text."""
        return Reply(
            text=self.text,
            picture=self.board,
            role=Role.MENU,
            secret=self.secret,
            expires=None if self.expires is None else replace(self.expires, board=None),
            links=self.links,
        )

    def offering(self, button: Button) -> "Reply":
        """Return the reply with *button* at its end, or in a row with room if there can be no more rows."""
        narrow = _with(self.narrow_rows, button) if self.narrow_rows else ()
        return replace(self, rows=_with(self.rows, button), narrow_rows=narrow)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Where the picture can be tapped."""
        return self.picture.targets if isinstance(self.picture, MarkedPicture) else ()

    @property
    def expires_strictly(self) -> bool:
        """Whether the reply has to be deleted when its time is over."""
        return self.expires is not None and self.expires.is_strict

    @property
    def must_go(self) -> str:
        """The time after which the reply is deleted wherever it is shown, or ""."""
        return self.expires.time if self.expires and (self.expires.is_strict or self.is_plain) else ""


def _with(rows: Rows, button: Button) -> Rows:
    """Return *rows* with *button* in the last one if that is short, else in a new one if they are few, else in the
    shortest one with room."""
    last = rows[-1] if rows else ()
    if not isinstance(last, Select) and 0 < len(last) < FEW_BUTTONS:
        return (*rows[:-1], (*last, button))
    if len(rows) < FEW_ROWS:
        return (*rows, (button,))
    lengths = {len(row): index for index, row in enumerate(rows) if not isinstance(row, Select)}
    if not lengths or min(lengths) > FEW_BUTTONS:
        return rows
    index = lengths[min(lengths)]
    return (*rows[:index], (*rows[index], button), *rows[index + 1 :])  # type: ignore[misc]  # no select


def row_lengths(labels: Sequence[str], most: int) -> tuple[int, ...]:
    """Return the lengths of the rows, as few as fit on a phone, in which buttons with *labels* are: at most *most* side
    by side, all buttons of a row as wide as the widest.

    >>> row_lengths(["on", "off", "only in quiet hours, and on days off"], 4)
    (2, 1)
    """
    lengths = list[int]()
    while (first := sum(lengths)) < len(labels):
        row = labels[first : first + most]
        while len(row) > 1 and len(row) * max(map(len, row)) > WIDE:
            row = row[:-1]
        lengths.append(len(row))
    return tuple(lengths)


def call_of(content: Content) -> Call | None:
    """Return the call in *content*; only posts have one."""
    return content.call if isinstance(content, Post) else None


class Suggestion(Struct, frozen=True):
    """A completion of an argument. *value* is filled in."""

    label: str
    value: str


class Thread(Struct, frozen=True):
    """A place that was opened inside another one. *link*: its address."""

    place: PlaceId
    link: str


class Capabilities(Struct, frozen=True):
    """What a platform can do in one place.

    *dedupes_posts*: a post with the nonce of a recent post is that post; so a lost answer leaves no second message.
    *counts_edits*: edits use up the rate limit of posts.
    *replies_only*: the bot is no member there. It can post only in reply to interactions, and for a while after them.
    """

    dedupes_posts: bool = False
    counts_edits: bool = False
    replies_only: bool = False


class Membership(StrEnum):
    """What a person is in a place. UNKNOWN: the platform does not say. GONE: no member any more."""

    UNKNOWN = "unknown"
    GONE = "gone"
    MEMBER = "member"
    MANAGER = "manager"


class MessagePart(StrEnum):
    """The part of a message that is removed."""

    BUTTONS = "buttons"
    WHOLE = "whole"


class Priority(StrEnum):
    """The order in which messages use a platform's rate limit: BOARD first, TIDYING last."""

    BOARD = "board"
    REMINDER = "reminder"
    TIDYING = "tidying"


class Undelivered(Exception):
    """A platform refused or missed a call."""


class TryLater(Undelivered):
    """The same call may work after *after_s* seconds (None: the platform did not say)."""

    def __init__(self, after_s: float | None = None, reason: str = "") -> None:
        super().__init__(reason or "try later")
        self.after_s = after_s


class Limited(TryLater):
    """The platform takes no more requests for now."""


class Moved(Undelivered):
    """The place has another id now."""

    def __init__(self, place: PlaceId) -> None:
        super().__init__(f"moved to {place}")
        self.place = place


class Gone(Undelivered):
    """The message was deleted."""


class NoReplyWindow(Undelivered):
    """The bot can only reply to interactions there, and there is no recent one. The next one opens a window."""


class Obstacle(StrEnum):
    """The reason why a place takes no posts, as far as it is known. The values end the keys of texts
    (``unreachable.rights``).

    RIGHTS: the bot may not write there, or is muted. FILTER: automatic moderation. CLOSED: a thread or topic is closed.
    PERSON: the person of a private place takes no messages. GONE: the place was deleted, or the bot was removed.
    """

    UNKNOWN = "unknown"
    RIGHTS = "rights"
    FILTER = "filter"
    CLOSED = "closed"
    PERSON = "person"
    GONE = "gone"


class Refused(Undelivered):
    """The platform refuses the call, for lack of a permission for example."""

    def __init__(self, reason: str = "", obstacle: Obstacle = Obstacle.UNKNOWN) -> None:
        super().__init__(reason)
        self.obstacle = obstacle


class Unexplained(Refused):
    """The platform refuses the call for a reason that the adapter does not know. It says nothing about the place."""


class PicturesRefused(Refused):
    """The place takes text from this bot, but no pictures."""


class PlaceGone(Refused):
    """The place does not exist, or the bot was removed from it."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason, Obstacle.GONE)


class Unusable(Exception):
    """A platform cannot be used with these settings; the text is for the operator."""


class PlaceAdded(Struct, frozen=True):
    """The bot was added to a server or group; *place* is where it may introduce itself, which it does once."""

    place: Place


class PlaceLost(Struct, frozen=True):
    """The place was deleted, or the bot was removed from it. The table there pauses until the place takes posts again,
    and ends without a message after a week."""

    place: PlaceId


class PlaceRegained(Struct, frozen=True):
    """The place may take posts again, or a person acted in a place that takes only replies: retry waiting posts."""

    place: PlaceId


class PlaceSwept(Struct, frozen=True):
    """The platform lost all messages in the place: post the board again."""

    place: PlaceId


class PlaceMoved(Struct, frozen=True):
    """The platform gave the place a new id; the table there moves along."""

    place: PlaceId
    new: PlaceId


class MemberLeft(Struct, frozen=True):
    """A person left the place, or was removed from it: the other players at the table there need not wait."""

    place: PlaceId
    person: PersonId


class MemberCame(Struct, frozen=True):
    """A person came into the place, maybe again."""

    place: PlaceId
    person: PersonId


PlaceEvent = PlaceAdded | PlaceLost | PlaceRegained | PlaceSwept | PlaceMoved | MemberLeft | MemberCame


class Core(Protocol):
    """The bot, as adapters call it. All methods are safe to call concurrently and never raise."""

    async def handle(self, update: Update) -> Reply | None:
        """Apply *update*. Return the reply for that person alone, or None if there is nothing to say."""
        ...

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """Return at most 25 completions of *argument* of the `SlashCommand` in ``update.body``, as typed so far."""
        ...

    async def targets(self, update: Update) -> tuple[Target, ...]:
        """Return where the person can tap the newest board of the place; () if it is not their turn.

        Only the person and the place of *update* matter.
        """
        ...

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        """Delete a private reply, which the adapter showed as a message, when its time *expiry* is over.

        *ttl_s*: how long `Chat.remove` can delete it, in seconds; None: as long as any platform can.
        """
        ...

    async def was_shown(
        self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None
    ) -> Button | None:
        """Remember that the reply to *update* is a message in *place* that stays until its person closes it.

        Return the button that closes all such messages there, for the person's next one; None if they have none.
        *ttl_s*: as of `delete_later`; 0: this message was deleted.
        """
        ...

    async def place_changed(self, event: PlaceEvent) -> None:
        """React to a change of a place."""
        ...


class StorageDown(Exception):
    """The store does not answer."""


class Storage(Protocol):
    """A small key–value store for one platform, shared by all processes of the bot.

    Every method raises `StorageDown` while the store does not answer. The adapter decides what that means.
    """

    async def put(self, key: str, value: bytes, *, ttl_s: float, claimable_in_s: float) -> None:
        """Keep *value* under *key* for *ttl_s* seconds; after *claimable_in_s* any process may claim it."""
        ...

    async def delete(self, key: str) -> None:
        """Delete the value under *key*, if there is one."""
        ...

    async def claim(self, *, lease_s: float, limit: int) -> tuple[bytes, ...]:
        """Return at most *limit* claimable values, oldest first. No other process gets them for *lease_s* seconds."""
        ...

    async def lease(self, ttl_s: float, name: str = "") -> bool:
        """Take the lease *name* or renew it; return whether this process holds it for *ttl_s* seconds.

        *name*: "" for the lease of the platform's polling leader.
        """
        ...

    async def release(self, name: str = "") -> None:
        """Give the lease *name* back, if this process holds it."""
        ...

    async def reserve_slot(self, queue: str, each_s: float) -> float:
        """Reserve the next slot of *queue*, *each_s* seconds long; return the seconds until it begins."""
        ...


class Chat(Protocol):
    """A platform, as delivery uses it. Methods that await may raise `Undelivered` and nothing else."""

    @property
    def name(self) -> str:
        """The platform's name: the part of its ids before the colon."""
        ...

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        """Return what the platform can do in *place*."""
        ...

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        """Post for everybody. Only ``post.call.person`` is pinged.

        *nonce*: at most 25 ASCII characters. See `Capabilities.dedupes_posts`.
        """
        ...

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        """Make a posted message read *post*, picture and buttons included. An edit may change nothing."""
        ...

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        """Remove *part* of a posted message, or all of a message that was given to `Core.delete_later`.

        A whole message that is gone already raises nothing.
        """
        ...

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        """Return when the platform's rate limits let a message into *place*.

        All places that share a limit take turns. A message that is posted within moments goes first.
        """
        ...

    async def show_typing(self, place: PlaceId) -> None:
        """Show for a moment that the bot is writing, if the platform can show it."""
        ...

    async def membership(self, place: PlaceId, person: PersonId, /) -> Membership:
        """Return what *person* is in *place*: for presses elsewhere, and for a person who is silent."""
        ...

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Return an address of a posted message, for a `Button`; None if the platform has none for it."""
        ...

    async def open_thread(self, place: PlaceId, title: str, /) -> Thread:
        """Open a thread in *place*. Names in *title* are plain text. Raises Refused if there are no threads."""
        ...


class Reception(StrEnum):
    """Whether updates of people arrive at this process. STANDBY: they do not, but it can take over from another one."""

    DOWN = "down"
    STANDBY = "standby"
    UP = "up"

    @property
    def is_ready(self) -> bool:
        return self is not Reception.DOWN


class Receiver(Chat, Protocol):
    """A platform, as the service watches it."""

    @property
    def reception(self) -> Reception:
        """Whether updates arrive, as far as it is known."""
        ...


class Platform(Receiver, Protocol):
    """A platform, as `bot.app` runs it."""

    @property
    def servers(self) -> int | None:
        """How many servers this process hears from; None if the platform does not tell."""
        ...

    async def start(self, core: Core, storage: Storage) -> str:
        """Connect and begin to hand in updates. Return one line for the operator: where to find the bot."""
        ...

    async def rest(self) -> None:
        """Take no more updates and wait a moment until the last ones are answered. Posts still go out until `stop`.

        May be called when start failed or never ran.
        """
        ...

    async def stop(self) -> None:
        """End within 3 seconds, `rest` included. May be called when start failed or never ran."""
        ...

    async def ended(self) -> str:
        """Wait until the platform cannot go on (its token was revoked, for example). Return the reason."""
        ...


def platform(id_: str) -> str:
    """The platform of a person's, place's or update's id.

    >>> platform("telegram:-100123/7")
    'telegram'
    """
    return id_.partition(":")[0]
