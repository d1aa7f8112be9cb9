"""A chat that records its calls, and a room of people who talk to the real service in it.

A conversation is a text. The test plays the lines of people and checks the lines of the bot::

    anna: /newgame kabooom easy      she types
    ben: [Join]                      he presses the newest button with that label ("[Jo…]": that begins so)
    ben, aloud: hello                he writes to the other people where the bot can read it: into a channel of the
                                     page, or in reply to the newest post in a Telegram group
    bot: …                           a public post
    bot, edit: …                     the new text of the newest post
    bot to ben: …                    a private message to Ben
    # …                              a remark
    --- restart                      the bot dies and starts again
    --- 5 seconds                    time passes, and due work is done; also "--- 13 hours"
    --- 20 turns                     all players play on, one typed line per turn (`turns.typed`); the messages are
                                     left out, except for the last board
    --- 8 turns: a1-a2, b1-b2        the same with these lines, repeated
    --- anna and ben play elsewhere  a game begins in another place, with Anna as the actor; nothing is recorded
    --- anna and ben wait elsewhere  they sit in a lobby there
    --- the garden answers           another channel plays against the one in the room (`garden`); nothing is recorded
    --- the garden votes: b1-a1      two of its people vote

Ada and Frieda manage the room; Dora, Emil, Frieda and Gustav read German. Conversations that need more than one room
are in the folder "managed"::

    ben, alone: /games               in the private chat with the bot
    ben, alone: opens the chat       without a request
    --- the bot is added             to the room

"""

import asyncio
import re
from collections.abc import Sequence
from itertools import count

from bot.chat import (
    Body,
    Button,
    Capabilities,
    Content,
    Gone,
    Membership,
    MessageId,
    MessagePart,
    Opened,
    Person,
    PersonId,
    PicturesRefused,
    Place,
    PlaceId,
    PlainMessage,
    Post,
    Press,
    Priority,
    Reception,
    Reply,
    Role,
    Select,
    Thread,
    TryLater,
    Typed,
    Undelivered,
    Update,
    UpdateId,
    call_of,
)
from bot.requests import payload
from bot.service.service import Service
from bot.tables.table import Table

ROOM = Place(PlaceId("room:hall"), name="lobby")
ELSEWHERE = tuple(Place(PlaceId(f"room:elsewhere-{number}")) for number in range(1, 5))
GERMANS = ("dora", "emil", "frieda", "gustav")
"""People who read German; all others read English."""
MANAGERS = ("ada", "frieda")
"""The managers of the room."""
OPENS = "opens the chat"


class RecordingChat:
    """A platform without a network.

    *trouble*: exceptions for the next posts and edits, one each. *loses*: the number of posts that are carried out
    without an answer. *flooded*: places that take nothing for a while. *full*: needs for which there is never room,
    set while a caller waits. *pictureless*: places that refuse pictures. *refuses*: the exception for every "post",
    "delete" of a post, "edit", or question who "manages". *unlinked*: places whose messages have no address.
    *silent*: places about which the platform does not even report that. *offstage*: places whose messages are not
    recorded. *own*: private messages by id. *reading*:
    each person's newest one.
    """

    name = "room"
    dedupes_posts = True
    reception = Reception.UP

    def __init__(self) -> None:
        self.messages: dict[MessageId, Post] = {}
        self.nonces: dict[str, MessageId] = {}
        self.lines: list[str] = []
        self.pings: list[PersonId] = []
        self.calls: list[str] = []  # what for: the nonce of the message that called
        self.trouble: list[Undelivered] = []
        self.loses = 0
        self.flooded: set[PlaceId] = set()
        self.full: dict[Priority, asyncio.Event] = {}
        self.branches = asyncio.Event()  # until it is set, threads take their time
        self.branches.set()
        self.pictureless: set[PlaceId] = set()
        self.refuses: dict[str, Undelivered] = {}
        self.unlinked: set[PlaceId] = set()
        self.silent: set[PlaceId] = set()
        self.offstage: set[PlaceId] = set()
        self.departed: set[PersonId] = set()  # people who have left
        self.own: dict[MessageId, Reply] = {}
        self.reading: dict[str, MessageId] = {}
        self.places: dict[MessageId, PlaceId] = {}
        self.posted = 0
        self.counting: set[PlaceId] = set()  # where edits are counted as posts
        self.written: list[PlaceId] = []  # places in which a person was seen writing
        self._numbers = count(1)

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        return Capabilities(dedupes_posts=self.dedupes_posts, counts_edits=place in self.counting)

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        if self.trouble:
            raise self.trouble.pop(0)
        if place in self.flooded:
            raise TryLater(30)
        if "post" in self.refuses:
            raise self.refuses["post"]
        if post.picture is not None and place in self.pictureless:
            raise PicturesRefused
        if nonce in self.nonces and self.dedupes_posts:
            return self.nonces[nonce]
        assert len(nonce) <= 25
        message = MessageId(str(next(self._numbers)))
        self.messages[message] = post
        self.places[message] = place
        self.posted += 1
        self.nonces[nonce] = message
        self._records(place, f"bot: {drawn(post)}")
        if post.call is not None:
            self.pings.append(post.call.person.id)
            self.calls.append(nonce)
        if self.loses:
            self.loses -= 1
            raise TryLater(0, "nobody heard of it")
        return message

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        if self.trouble:
            raise self.trouble.pop(0)
        if message not in self.messages:
            raise Gone
        if "edit" in self.refuses:
            raise self.refuses["edit"]
        if post.picture is not None and self.messages[message].picture is None and place in self.pictureless:
            raise PicturesRefused
        if self.messages[message] != post:
            self.messages[message] = post
            self._records(place, f"bot, edit: {drawn(post)}")

    def _records(self, place: PlaceId, line: str) -> None:
        if place not in self.offstage:
            self.lines.append(line)

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        if priority in self.full:
            self.full[priority].set()
            await asyncio.Event().wait()

    async def show_typing(self, place: PlaceId) -> None:
        if self.trouble:
            raise self.trouble.pop(0)
        self.written.append(place)

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        if part is MessagePart.BUTTONS:
            self._strip(message)
        else:
            self._delete(message)

    def _strip(self, message: MessageId) -> None:
        if "strip" in self.refuses:
            raise self.refuses["strip"]
        if message not in self.messages:
            raise Gone
        post = self.messages[message]
        self.messages[message] = Post(
            title=post.title, text=post.text, small=post.small, picture=post.picture, file=post.file
        )

    def _delete(self, message: MessageId) -> None:
        if message in self.messages and "delete" in self.refuses:
            raise self.refuses["delete"]
        if self.messages.pop(message, None) is not None:
            self._records(self.places[message], "bot deletes the former board")
        elif self.own.pop(message, None) is not None:
            self.lines.append(f"bot takes back what it told {message.partition('/')[0]}")

    async def membership(self, place: PlaceId, person: PersonId) -> Membership:
        if "manages" in self.refuses:
            raise self.refuses["manages"]
        if person in self.departed:
            return Membership.GONE
        return Membership.MANAGER if person in [f"{self.name}:{manager}" for manager in MANAGERS] else Membership.MEMBER

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        if place in self.silent:
            await asyncio.Event().wait()
        return f"{place}/{message}" if message in self.messages and place not in self.unlinked else None

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        await self.branches.wait()
        if "branch" in self.refuses:
            raise self.refuses["branch"]
        self.lines.append(f"bot opens a thread: {title}")
        return Thread(PlaceId(f"{place}-{next(self._numbers)}"), f"https://room.example/{place}")

    async def tell(self, name: str, body: Body, reply: Reply | None) -> MessageId | None:
        """Show *name* a private reply; a menu replaces the pressed menu. Return its message."""
        former = self.reading.get(name)
        shown = self.own.get(former) if former is not None else None
        pressed = (
            former is not None and shown is not None and body in [Press(button.payload) for button in buttons(shown)]
        )
        if pressed and former is not None and (reply is None or not reply.role.is_note):
            del self.own[former], self.reading[name]
        if reply is None or reply.role is Role.CLOSING or reply.role.is_toast:
            return None
        in_place = pressed and former is not None and former not in self.own
        message = former if in_place and former is not None else MessageId(f"{name}/{next(self._numbers)}")
        self.own[message] = reply
        self.reading[name] = message
        return message

    def newest(self) -> Post:
        return self.messages[max(self.messages, key=int)]


def drawn(said: Content) -> str:
    """Return a reply as text: title, text, the purpose of the picture, the call, the buttons."""
    parts = [f"*{said.title}*"] if said.title else []
    parts += [line or "·" for line in said.text.split("\n")] if said.text else []
    parts += said.paste.split("\n") if said.paste else []
    parts += said.small.split("\n") if isinstance(said, Post) and said.small else []
    if said.picture is not None:
        assert said.picture.png.startswith(b"\x89PNG")
        parts.append(f"(picture: {said.picture.alt.splitlines()[0] if said.picture.alt else 'diagram'})")
    if said.file is not None:
        parts.append(f"({said.file.kind}: {said.file.name})")
    if (call := call_of(said)) is not None:
        parts.append(call.text.replace("{person}", f"@{call.person.name}"))
    if isinstance(said, Reply) and said.board is not None:
        parts.append(f"(becomes: {said.board.alt.splitlines()[0]})")
    if isinstance(said, Reply) and said.links:
        parts.append(f"(leads to: {' '.join(link.label for link in said.links)})")
    for row in () if isinstance(said, Reply) and said.role is Role.CLOSING else said.rows:
        if isinstance(row, Select):
            choices = (f"{'• ' if choice.chosen else ''}{choice.label}" for choice in row.choices)
            parts.append(f"<{row.label}: {' | '.join(choices)}>")
        else:
            parts.append(" ".join(f"[{button.label}]" for button in row))
    return "\n    ".join(parts)


def marked(verb: str, table: Table, mark: str, *numbers: int) -> str:
    """Return a payload with a mark."""
    return payload.write(verb, f"{table.id}-{mark}" if mark else table.id, *numbers)


def stamped(verb: str, table: Table, *numbers: int) -> str:
    """Return the payload of a button that changes *table* as it is now."""
    return marked(verb, table, table.mark, table.revision, *numbers)


class Crowd:
    """People in a room. Each has a language, and sees public messages and their own private ones."""

    def __init__(self, service: Service, chat: RecordingChat, updates: int = 1) -> None:
        """Create the people. *updates*: the number of their first update."""
        self.service = service
        self.chat = chat
        self._updates = count(updates)

    def again(self, service: Service) -> "Crowd":
        """Return the same people with a bot that has restarted."""
        crowd = Crowd(service, self.chat)
        crowd._updates = self._updates
        return crowd

    def person(self, name: str) -> Person:
        return Person(PersonId(f"room:{name}"), name.capitalize(), "de" if name in GERMANS else "en")

    async def says(self, name: str, text: str, update: str | None = None, place: Place = ROOM) -> Reply | None:
        """Type *text* as *name*, or press a button if it reads ``[label]``. Return the private reply."""
        pressed = re.fullmatch(r"\[(.+)\]", text)
        self.chat.lines.append(f"{name}: {text}")
        name, _, how = name.partition(", ")
        alone = how == "alone"
        place = Place(PlaceId(f"room:@{name}"), private=True) if alone else place
        written = PlainMessage(text) if how == "aloud" else Typed(text)
        body = self.payload(name, pressed[1]) if pressed else Opened() if alone and text == OPENS else written
        return await self.sends(name, body, update, place, may_manage=name in MANAGERS)

    async def chooses(self, name: str, label: str) -> Reply | None:
        """Open the options of the lobby as *name*, and choose *label* on its page."""
        reply = await self.says(name, "[Options]")
        while reply is not None and label not in [button.label for button in buttons(reply)]:
            (more,) = [button.label for button in buttons(reply) if re.fullmatch(r"Page \d/\d ▶", button.label)]
            reply = await self.says(name, f"[{more}]")
        return await self.says(name, f"[{label}]")

    async def ends(self, name: str, place: Place = ROOM) -> Reply | None:
        """End the running game and confirm, as *name*, a manager of the place."""
        await self.sends(name, Typed("/end"), place=place, may_manage=True)
        return await self.sends(name, self.payload(name, "Yes, end it"), place=place, may_manage=True)

    def update(self, name: str, text: str) -> Update:
        """Return the update of typing *text* as *name*, for the service alone."""
        return Update(UpdateId(f"room:{next(self._updates)}"), self.person(name), ROOM, Typed(text))

    def pressing(self, name: str, press: Press) -> Update:
        """Return the update of pressing a button as *name*, for the service alone."""
        return Update(UpdateId(f"room:{next(self._updates)}"), self.person(name), ROOM, press)

    async def sends(
        self,
        name: str,
        body: Body,
        update: str | None = None,
        place: Place = ROOM,
        may_manage: bool = False,
    ) -> Reply | None:
        said = UpdateId(update or f"room:{next(self._updates)}")
        heard = len(self.chat.lines)
        reply = await self.service.handle(Update(said, self.person(name), place, body, may_manage))
        if reply is not None:
            # Posts are made while the answer is under way: a conversation always lists the answer first.
            self.chat.lines.insert(heard, f"bot to {name}: {drawn(reply)}")
        message = await self.chat.tell(name, body, reply)
        if reply is not None and reply.expires is not None and reply.expires.is_strict and message is not None:
            await self.service.delete_later(reply.expires.time, place.id, message)
        await self.service.idle()
        return reply

    def payload(self, name: str, label: str) -> Press:
        """Return the press of the newest button with *label*: in the person's private messages first, then in
        public."""
        reading = self.chat.own.get(self.chat.reading.get(name, MessageId("")))
        own = [] if reading is None else [reading]
        newest = sorted(self.chat.messages, key=int, reverse=True)
        public = [self.chat.messages[key] for key in newest if self.chat.places.get(key) not in self.chat.offstage]
        for reply in (*own, *public):
            for button in buttons(reply):
                if button.label == label or (label.endswith("…") and button.label.startswith(label[:-1])):
                    return Press(button.payload)
        raise AssertionError(f"{name} sees no button [{label}]:\n" + "\n".join(self.chat.lines[-4:]))


def buttons(said: Content) -> Sequence[Button]:
    """Return all buttons of a reply; the choices of a select read "label: choice"."""
    result: list[Button] = []
    for row in said.rows:
        if isinstance(row, Select):
            result += [Button(f"{row.label}: {choice.label}", choice.payload) for choice in row.choices]
        else:
            result += row
    return result
