"""The vocabulary that every platform shares, and what a platform has to be able to do.

An adapter turns what its platform sends into an `Update`, gives it to ``Host.handle`` and shows the `Reply` that
comes back to that person alone. What everybody may see is a `Post`, which delivery hands to a `Chat`. The two
are types of their own, and so are their pictures: what one person may see cannot be posted by a wrong argument.

Errors of a platform, as delivery knows them::

    Undelivered
    ├── TryLater(after_s)    a server's fault, a lost connection: the same call may work later
    │   └── Limited          too many requests
    ├── Moved(place)         the place has another id now: the same call may work there
    ├── Gone                 the message that was to be changed is not there any more: a new one is posted
    ├── NoReplyWindow              nobody has done anything there of late: the bot may only answer what people do there
    └── Refused(reason)      no permission, for example: trying again is no use
        ├── PicturesRefused  words would be taken, pictures are not
        └── PlaceGone        the place was deleted, or the bot was put out of it
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NewType, Protocol

from msgspec import Struct

WIDE = 44
"""Characters of buttons' labels that a phone shows side by side."""

PersonId = NewType("PersonId", str)
"""Platform and account: ``discord:123``."""
PlaceId = NewType("PlaceId", str)
"""Platform and whatever the platform needs to post there: ``telegram:-100123/7``."""
MessageId = NewType("MessageId", str)
"""What a platform needs, together with the place, to change a message that it posted."""
UpdateId = NewType("UpdateId", str)
"""One event of one platform; the same event delivered twice has the same id: ``telegram:848301``."""


class Person(Struct, frozen=True):
    """Somebody with an account. *name* is what the platform shows (any text); *lang* a language tag or None.

    *handle*: what others write after an @ to mean this person, where that is neither the name nor in the id.
    """

    id: PersonId
    name: str
    lang: str | None = None
    handle: str = ""


class Place(Struct, frozen=True):
    """Where a table is shown: a channel, thread, topic or private chat. *private*: one person and the bot.

    *visiting*: the bot is no member there, but was brought along by somebody: it can say something, for everybody, too,
    in answer to what people do there, and for a while after that; nothing else.
    """

    id: PlaceId
    lang: str | None = None
    private: bool = False
    visiting: bool = False


class Typed(Struct, frozen=True, tag="typed"):
    """A command as one line of text, with or without the slash: ``/move b3 c4``."""

    text: str


class PlainMessage(Struct, frozen=True, tag="said"):
    """What somebody wrote that is no command: a move, if it reads so from beginning to end, else nothing to the bot.

    Only what people write where they play: into a channel of the local page, or in answer to a post of the bot, where
    *answers* is that post.
    """

    text: str
    answers: MessageId | None = None


class SlashCommand(Struct, frozen=True, tag="filled"):
    """A command whose arguments came by name, as Discord sends them."""

    command: str
    arguments: Mapping[str, str] = {}


class Press(Struct, frozen=True, tag="press"):
    """A button, by its payload; for a choice of a select the payload of that choice."""

    payload: str


class Opened(Struct, frozen=True, tag="opened"):
    """A person opened the private chat with the bot and asked for nothing yet."""


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
    grow there."""

    id: UpdateId
    person: Person
    place: Place
    body: Body
    may_manage: bool = False
    thread_access: ThreadAccess = ThreadAccess.UNSUPPORTED
    chosen_person: Person | None = None
    pressed_post: MessageId | None = None

    def is_under_older(self, post: MessageId) -> bool:
        """Return whether the pressed button is under an older post than *post*."""
        return self.pressed_post is not None and post.isdecimal() and int(self.pressed_post) < int(post)


class Pending(Struct, frozen=True):
    """An answer that somebody waits for. *ticket*: what the adapter needs to give it, also after a restart."""

    update: Update
    ticket: str


class Style(StrEnum):
    """How a button stands out, where the platform can show it. BLANK: it only fills its place; nothing is there."""

    PLAIN = "plain"
    MAIN = "main"
    DANGER = "danger"
    BLANK = "blank"


class Button(Struct, frozen=True):
    """*label*: at most 40 characters. *payload*: at most 64 ASCII bytes, without secrets, enough to act on alone.

    *link*: an address that the platform gave (`Chat.link`): the button leads there, and has no payload.
    *done*: people whom it leads no further; where a post is shown to each apart, they are not shown it.
    """

    label: str
    payload: str = ""
    style: Style = Style.PLAIN
    link: str = ""
    done: tuple[PersonId, ...] = ()


class Choice(Struct, frozen=True):
    label: str
    payload: str
    chosen: bool = False


class Select(Struct, frozen=True):
    """One of at most 25 choices; a platform without selects shows a row of buttons."""

    label: str
    payload: str
    choices: tuple[Choice, ...]


class Picture(Struct, frozen=True):
    """A PNG with its alternative text (at most 1000 characters; a longer text goes out cut, with an ellipsis)."""

    png: bytes
    alt: str
    name: str = "board.png"


class PublicPicture(Picture, frozen=True):
    """A picture that everybody may see."""


class Target(Struct, frozen=True):
    """A part of a picture that can be tapped: a press of a button with this *label* and *payload*.

    *outline*: the corners (x, y) of its place in order, in pixels of the picture. *beside*: what is asked does not
    mean it, so the picture does not mark it; it is for whoever changes their mind.
    """

    label: str
    payload: str
    outline: tuple[tuple[float, float], ...]
    beside: bool = False


class FileKind(StrEnum):
    """ANIMATION: a GIF, shown moving where it stands. DOCUMENT: to be downloaded, whatever is in it."""

    ANIMATION = "animation"
    DOCUMENT = "document"


class File(Struct, frozen=True):
    """Something to look at or to keep. *name*: with its extension, of ASCII letters, digits, points and hyphens.

    *alt*: what it shows, in words, as for a picture. At most 8 MB: that is what every platform takes.
    """

    name: str
    content: bytes
    kind: FileKind = FileKind.DOCUMENT
    alt: str = ""


class Call(Struct, frozen=True):
    """A line that pings one person: *text* has ``{person}`` where the platform puts the mention, and in place of that
    person's name."""

    person: Person
    text: str


class Manner(StrEnum):
    """How a private reply is shown.

    TOAST: one line that may vanish, or be left out: it confirms what everybody sees. NOTE: stays until the person
    closes it. MENU: goes on from the message whose button was pressed, and takes the place of that menu when it
    was one.
    """

    TOAST = "toast"
    NOTE = "note"
    MENU = "menu"


class Content(Struct, frozen=True):
    """Something that the bot says. Texts are plain: adapters escape them; names in them never ping.

    *rows*: buttons side by side, at most six a row; a `Select` is a row of its own.
    *file* goes along in place of a picture: there is one of them at most.
    *small*: lines after the text that are there to be looked up, and small where the platform can show that.
    """

    title: str = ""
    text: str = ""
    picture: Picture | None = None
    rows: tuple[tuple[Button, ...] | Select, ...] = ()
    file: File | None = None
    small: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but words."""
        return self.picture is None and self.file is None and not self.rows


class Post(Content, frozen=True):
    """What everybody sees.

    *offers*: what the person whose turn it is can choose just now, and in the last row what else there is. A platform
    whose menus stand under the post shows them in place of *rows*; one whose menus are private shows above *rows* as
    many of the choices as there is room for.
    """

    picture: PublicPicture | None = None
    call: Call | None = None
    offers: tuple[tuple[Button, ...] | Select, ...] = ()


class Reply(Content, frozen=True):
    """What one person alone sees.

    *secret*: never to be shown where others could read it.

    *narrow*: *rows* again, where there are more than five buttons in one, for a platform that shows no more; in several
    steps where it must be.

    *marked*: the picture shows what one person may choose. Where others would see the reply as well, it goes without.

    *targets*: where its picture can be tapped, instead of pressing a button below; a platform on which pictures cannot
    be tapped leaves them out.

    *offered*: the post offers the same anyway, where menus stand under it.

    *closes*: the menu that was pressed is done with. Where it is a message of its own, that goes; where it stands under
    a post, *rows* are the post's own again.

    *stays*: there is nothing to say, and the menu that was pressed stays as it is.

    *brief*: one line that says the same to whoever pressed a button, where more would be a message elsewhere.

    *onward*: links beside a line that may vanish, shown where it stands in a message: no message is made for them.

    *accent*: the colour (red, green, blue) of whose turn it is, where a platform frames what it says.

    *promises*: it says that something comes where everybody sees it; where nothing can be posted, it is not said.

    *fades*: it must not stay, and its time. It may stand under a post, but not in a message of its own where others
    read it; the host is told where it stands (`Host.showed`) and deletes it when its time is over.

    *passes*: a time, as of *fades*, after which it is of no use: a platform on which it stands among the posts may tell
    the host where, so that it goes then. Elsewhere it stays, but for what `goes`.
    """

    manner: Manner = Manner.NOTE
    secret: bool = False
    narrow: tuple[tuple[Button, ...] | Select, ...] = ()
    marked: bool = False
    targets: tuple[Target, ...] = ()
    offered: bool = False
    fades: str = ""
    passes: str = ""
    closes: bool = False
    stays: bool = False
    onward: tuple[Button, ...] = ()
    brief: str = ""
    accent: tuple[int, int, int] | None = None
    promises: bool = False

    @property
    def goes(self) -> str:
        """The time after which it goes wherever it stands: it must not stay, or is a line that is of no use then."""
        return self.fades or (self.passes if self.is_plain else "")


def call_of(content: Content) -> Call | None:
    """Whom *content* calls: only a post ever calls anybody."""
    return content.call if isinstance(content, Post) else None


class Suggestion(Struct, frozen=True):
    """A completion of an argument: what is shown, and what is filled in."""

    label: str
    value: str


class Thread(Struct, frozen=True):
    """A place that was opened beside another one, and an address that leads there."""

    place: PlaceId
    link: str


class Priority(StrEnum):
    """What there has to be room for where a platform counts what is said: BOARD goes first, TIDYING up last."""

    BOARD = "board"
    REMINDER = "reminder"
    TIDYING = "tidying"


class Undelivered(Exception):
    """A platform did not take a message."""


class TryLater(Undelivered):
    """The same call may work after *after_s* seconds (None: the platform did not say)."""

    def __init__(self, after_s: float | None = None, reason: str = "") -> None:
        super().__init__(reason or "try later")
        self.after_s = after_s


class Limited(TryLater):
    """The platform has had enough requests for now."""


class Moved(Undelivered):
    """The place has another id now."""

    def __init__(self, place: PlaceId) -> None:
        super().__init__(f"moved to {place}")
        self.place = place


class Gone(Undelivered):
    """The message is not there any more."""


class NoReplyWindow(Undelivered):
    """Nobody has done anything there of late that the bot could answer; what is done next brings it a chance."""


class Refused(Undelivered):
    """The platform will not take it: no permission, for example."""


class PicturesRefused(Refused):
    """The place takes words, but no pictures (from this bot)."""


class PlaceGone(Refused):
    """There is no such place (any more), or the bot was put out of it."""


class Unusable(Exception):
    """A platform cannot be used with these settings; the text is for the operator."""


class Host(Protocol):
    """What an adapter may ask of the bot; all of it is safe to call at once from many tasks, and never raises."""

    async def handle(self, update: Update) -> Reply | None:
        """Do what the update asks. The reply is for that person alone; None: there is nothing more to say."""
        ...

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """At most 25 completions of *argument* of the command in ``update.body`` (`SlashCommand`, as typed so far)."""
        ...

    async def targets(self, update: Update) -> tuple[Target, ...]:
        """Where the newest board of the place can be tapped by the person, whatever else *update* says; () for whoever
        is not up."""
        ...

    async def showed(self, fades: str, place: PlaceId, message: MessageId, lives_s: float | None = None) -> None:
        """A private reply that *fades* stands there, in a message of its own; ``Chat.delete`` will take it away, and
        can for *lives_s*: that long it is remembered (None: as long as any platform can)."""
        ...

    async def begun(self, pending: Pending, lives_s: float) -> None:
        """Somebody waits for this answer, and can be given it for *lives_s*: that long it is remembered, or until
        `answered`."""
        ...

    async def answered(self, update: UpdateId) -> None:
        """The answer that was `begun` is given, or not wanted any more."""
        ...

    async def left(self, name: str) -> tuple[Pending, ...]:
        """Answers of the platform *name* that whoever began them has not given: the caller is to."""
        ...

    async def leads(self, name: str) -> bool:
        """Whether this process is the one to fetch what the platform *name* gives to one alone. To be asked again every
        few seconds: who asks no more for a quarter of a minute leads no more."""
        ...

    async def leads_no_more(self, name: str) -> None:
        """This process ends: another one may lead at once."""
        ...

    async def in_turn(self, name: str, line: str, each_s: float) -> float:
        """In how many seconds it is this process's turn in a *line* of the platform *name*, where all processes stand
        for what only one may do at a time. A turn takes *each_s*, whether its process comes or not."""
        ...

    async def swept(self, place: PlaceId) -> None:
        """Nothing that was posted in *place* is there any more: what is on there is shown again."""
        ...

    async def moved(self, place: PlaceId, new: PlaceId) -> None:
        """The platform says that *place* has the id *new* from now on: what is on there goes along."""
        ...

    async def added(self, place: Place) -> None:
        """Somebody added the bot; *place* is where it may introduce itself, which it does once."""
        ...

    async def regained(self, place: PlaceId) -> None:
        """*place* may take posts again (one that the bot visits: somebody does something there): what waits for that is
        tried at once."""
        ...

    async def lost(self, place: PlaceId) -> None:
        """*place* is not there any more, or the bot was put out of it: the clock of what is on there stands still until
        it takes posts again, and after a week that ends without a word."""
        ...


class Chat(Protocol):
    """A platform. Everything but start and stop may raise `Undelivered`, and nothing else."""

    @property
    def name(self) -> str:
        """The platform's name, the part of its ids before the colon."""
        ...

    @property
    def knows_nonces(self) -> bool:
        """Whether a post that was carried out without our hearing of it is known again by its nonce."""
        ...

    @property
    def is_ready(self) -> bool:
        """Whether it is connected just now, as far as it can know: what people do arrives here."""
        ...

    async def start(self, host: Host) -> str:
        """Connect and begin to hand in updates; returns one line for the operator (where to find it)."""
        ...

    async def stop(self) -> None:
        """End within 3 seconds, `Platform.rest` before it included; may be called when start failed or never ran."""
        ...

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        """Post for everybody. The same *nonce* (at most 25 ASCII characters) soon again is the same message, where
        the platform knows such a thing. Nobody is pinged but ``post.call.person``."""
        ...

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        """Return when the platform takes more in *place*: at once, or after a wait that is fair to all places that
        share a limit. What is said there within moments goes first."""
        ...

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        """Make a posted message read *post*, picture and buttons included. An edit that changes nothing is fine."""
        ...

    async def strip(self, place: PlaceId, message: MessageId) -> None:
        """Take the buttons of a posted message away."""
        ...

    async def delete(self, place: PlaceId, message: MessageId) -> None:
        """Delete a posted message, or one that `Host.showed` told of; one that is gone already is fine."""
        ...

    async def show_typing(self, place: PlaceId) -> None:
        """Let people see for a moment that something is being written, where the platform can show it."""
        ...

    def counts_edits(self, place: PlaceId, /) -> bool:
        """Whether edits in *place* use up what may be posted there: what can do without them is shown otherwise."""
        ...

    async def may_manage(self, place: PlaceId, person: PersonId, /) -> bool:
        """Whether *person* may manage *place*, for what is pressed elsewhere; False where the platform does not say."""
        ...

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """An address that leads to a posted message, for a `Button`; None where the platform has none for it."""
        ...

    async def open_thread(self, place: PlaceId, title: str, /) -> Thread:
        """Open a place of its own beside *place*, called *title* (names in it are plain). Refused where there is no
        such thing."""
        ...


class Platform(Chat, Protocol):
    """A platform as whoever runs it sees it: it may be over for good."""

    @property
    def servers(self) -> int | None:
        """In how many servers it is, as far as this process hears of them; None where the platform tells no such
        thing."""
        ...

    async def rest(self) -> None:
        """Hear nobody any more, and wait a moment until what was heard is answered; posts still go out, until `stop`.
        May be called when start failed or never ran."""
        ...

    async def ended(self) -> str:
        """What is wrong, once it cannot go on after its start (its token was taken back); until then it waits."""
        ...


def platform(id_: str) -> str:
    """The platform of a person's, place's or update's id.

    >>> platform("telegram:-100123/7")
    'telegram'
    """
    return id_.partition(":")[0]
